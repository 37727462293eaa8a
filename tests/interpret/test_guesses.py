"""Words that the grammar does not have are read from a table, or guessed by their inflection and marked."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import shipped
from support.shipped import reader as plain

from gramprobe.cli.main import main
from gramprobe.interpret.pairs import labelled
from gramprobe.interpret.read import Reader
from gramprobe.interpret.words import Words
from gramprobe.source.diagnostic import UsageError


@cache
def guessing() -> Reader:
    return shipped.project().reader(["english"], guess=True)


@pytest.mark.parametrize(
    ("category", "word", "form", "others"),
    [
        ("N", "surveys", "pl", {"sg": "survey"}),
        ("N", "delegate", "sg", {"pl": "delegates"}),
        ("N", "cities", "pl", {"sg": "city"}),
        ("N", "boss", "sg", {"pl": "bosses"}),
        ("V2", "finishes", "s", {"base": "finish", "past": "finished"}),
        ("V2", "spotted", "en", {"base": "spot", "ing": "spotting"}),
        ("V1", "glorped", "past", {"base": "glorp", "ing": "glorping"}),
        ("V2", "glorping", "ing", {"base": "glorp", "past": "glorped"}),
    ],
)
def test_forms_are_those_of_words_that_end_alike(category: str, word: str, form: str, others: dict[str, str]) -> None:
    found = guessing().words.analogous(category, word)
    assert any({form: word, **others}.items() <= forms.items() for forms in found), found


@pytest.mark.slow
def test_a_guess_is_marked_and_made_only_where_there_is_no_tree() -> None:
    readings = guessing().read("No beadle finished the survey.").readings
    assert "~exists x. (beadle_n(x), the y. (survey_n(y), finish(x, y)))" in [each.formula for each in readings]
    assert {each.guessed for each in readings} == {("N beadle, beadles", "N survey, surveys")}
    for text in ("Every farmer owns a dog.", "Adam yawned the."):
        assert guessing().read(text) == plain().read(text)
    assert not plain().words.guessed and plain().read("No beadle finished the survey.").readings == ()
    assert guessing().read("Adam 3zx whose zzz.").unknown.keys() == {"3zx", "whose"}


def test_what_a_word_is_does_not_hang_on_what_was_read_before() -> None:
    sentences = ["The glorps sang.", "A glorp sang.", "Adam glorps.", "Adam glorped a dog.", "Glorp sang."]
    one, other = (Reader(plain().grammar, plain().theory, guess=True) for _ in range(2))
    forwards = {text: one.read(text) for text in sentences}
    assert forwards == {text: other.read(text) for text in reversed(sentences)}
    assert all(read.readings for read in forwards.values())


def test_labels_by_guesses() -> None:
    found = labelled(["No beadle sang.", "Pavarotti is a beadle."], "Pavarotti sang.", guessing())
    assert (found.label, found.guessed) == ("contradiction", ("N beadle, beadles", "PN Pavarotti"))
    found = labelled(["No tenor sang."], "A tenor sang.", guessing())  # a noun of another category of the lexicon
    assert (found.label, found.guessed) == ("contradiction", ())
    found = labelled(["Adam hoped."], "Adam is hopping.", guessing())
    assert found.label != "neutral" or not found.guessed


@pytest.mark.slow
@given(st.text(min_size=1, max_size=12))
def test_any_word_can_be_guessed_at(word: str) -> None:
    read = guessing().read(f"The {word} sang.")
    assert read.readings or read.unknown or not read.trees


TABLE = "category\tsg\tpl\tbase\tisa\tid\nN\tcrooner\t-\t-\tsinger\tcrooner_x\nV1\t-\t-\tyodel\t-\t-\n"


def test_a_table_adds_words_with_what_is_known_of_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "words.tsv"
    file.write_text(TABLE, "utf-8")
    arguments = ["label", "--lexicon", str(file), "A crooner yodeled.", "A singer yodeled."]
    assert main([*arguments, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["label"] == "entailment"
    assert "crooner_x(x) -> singer(x)" in answer["by_reading"][0]["rests_on"]
    words = Words(plain().grammar)
    words.read(file)
    assert words.symbols["crooner_x"].forms == {"sg": "crooner", "pl": "crooners"}
    assert "crooner_x" not in plain().symbols and not words.guessed


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("word\nfoo\n", "no column `category`"),
        ("category\tsg\nNN\tfoo\n", "`NN` is no category of words; did you mean `N`?"),
        ("category\tsg\nVP\tfoo\n", "`VP` is no category of words"),
        ("category\tsg\tform\nN\tfoo\tx\n", "words of `N` have no column `form`"),
        ("category\tsg\tsort\nN\tfoo\tplant\n", "`plant` is no value of `sort`"),
        ("category\tsg\tisa\nN\tfoo\tdogg\n", "`dogg` is no value of `isa`; did you mean `dog`?"),
        ("category\tbase\tsubject\nV1\tfoo\tkin|plnt\n", "`plnt` is no value of `subject`"),
        ("category\tsg\tlength\nN\tfoo\tlong\n", "`long` in `length` is no number"),
        ("category\tsg\nN\t-\n", "a word without a form"),
        ("category\tsg\nN\tbig foo\n", "the other forms of `big foo` have to be given"),
        ("category\tsg\tid\nN\tfoo\tdog\n", "the id `dog` is one of another word"),
        ("category\tsg\tid\nN\tfoo\tA B\n", "`A B` is no id"),
    ],
)
def test_a_bad_table_is_refused_with_its_line(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "words.tsv"
    file.write_text(text, "utf-8")
    with pytest.raises(UsageError) as refused:
        Words(plain().grammar).read(file)
    assert refused.value.code == "E46" and said in refused.value.message and refused.value.help


def test_the_commands_mark_guesses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["parse", "--guess", "Every beadle sang."]) == 0
    assert "guessed: N beadle, beadles" in capsys.readouterr().out
    file = tmp_path / "pairs.csv"
    file.write_text("premise,hypothesis,label\nNo beadle sang.,A beadle sang.,neutral\n", "utf-8")
    assert main(["audit", "nli", str(file), "--guess"]) == 1
    said = capsys.readouterr().out
    assert "by guesses" in said and "guessed: N beadle, beadles" in said
    assert main(["label", "--guess", "--pairs", str(file)]) == 0
    assert "guessed: N beadle, beadles" in capsys.readouterr().out
    assert main(["parse", "Every beadle sang.", "--lexicon", str(tmp_path / "none.tsv")]) == 2


def test_no_known_word_is_guessed_beside_an_unknown_one() -> None:
    """*smiled* is known as what one does alone: it is no form of a verb `smil` because *Mary* is unknown."""
    (reading,) = guessing().read("Mary smiled.").readings
    assert reading.formula == "smile(mary_pn)"
    assert [each.split(" ")[0] for each in reading.guessed] == ["PN"]


@pytest.mark.parametrize("text", ["Perhaps left.", "Perhaps knows that Noah left.", "Quickly left."])
def test_what_begins_a_sentence_and_is_an_adverb_is_no_name(text: str) -> None:
    reader = shipped.project().reader(guess=True)
    assert reader.parsed(text)[0].readings == ()
    assert reader.parsed("Zybra left.")[0].readings
