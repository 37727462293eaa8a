"""Sentences are read as they are meant, and pairs labelled only where all readings agree."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import shipped
from support.shipped import reader

from gramprobe.audit.pairs import audit
from gramprobe.cli.main import main
from gramprobe.formats.nli import Pair
from gramprobe.interpret.pairs import MOST_PAIRS, Labelled, labelled, unread
from gramprobe.interpret.read import MOST_TOKENS, Reader
from gramprobe.project import load
from gramprobe.source.diagnostic import AuthoringError, Findings, UsageError


def formulas(text: str) -> set[str]:
    return {each.formula for each in reader().read(text).readings}


def label(*sentences: str, surface: bool = False) -> Labelled:
    return labelled(sentences[:-1], sentences[-1], reader(), surface=surface)


def test_both_orders_of_quantifiers_are_read() -> None:
    read = formulas("Every farmer owns a dog.")
    assert "forall x. (farmer(x), exists y. (dog(y), own(x, y)))" in read
    assert "exists x. (dog(x), forall y. (farmer(y), own(y, x)))" in read
    assert formulas("Every farmer owns a dog") == read  # a missing point is added


def test_trees_that_mean_the_same_are_one_reading() -> None:
    read = reader().read("Adam might have yawned.")
    assert read.trees > 1 and read.whole
    assert [each.formula for each in read.readings] == ["poss yawn(adam)"]
    assert read.readings[0].kind == "parse"


def test_a_term_says_the_sentence_and_has_the_reading(capsys: pytest.CaptureFixture[str]) -> None:
    for text in ("No nurse sang.", "Adam's cat yawned.", "Adam stopped smoking."):
        for each in reader().read(text).readings:
            if "?" in each.term:
                continue
            assert main(["say", each.term, "--theory", "reading", "--json"]) == 0
            said = json.loads(capsys.readouterr().out)
            assert [form["words"] for form in said["forms"]] == [text]
            assert each.formula in [reading["formula"] for reading in said["readings"]]


NAMES = [name for name in shipped.paradigms("nli") if name not in shipped.LARGE]


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped.some(NAMES, 5))
def test_the_reading_of_a_row_is_among_those_of_its_sentence(name: str) -> None:
    """With the grammar of its paradigm, whatever constructors spelt it; unless what no word says is open."""
    paradigm = shipped.paradigm(name)
    grammar, findings = shipped.grammar_of(name), Findings()
    theory = shipped.declarations().theory(paradigm.theory, grammar, findings)
    assert theory is not None
    own = Reader(grammar, theory)
    rows = shipped.project().paradigm(name).sample(1).to_pylist()
    sentences = {row[side]: row[f"{side}_form"] for row in rows for side in ("premise", "hypothesis")}
    for text, formula in list(sentences.items())[:4]:
        read = own.read(text)
        if len(grammar.language.tokens(text)) > MOST_TOKENS:
            assert not read.trees
        elif formula not in {each.formula for each in read.readings}:
            assert read.trees and (not read.readings or any(each.open for each in read.readings)), text


@pytest.mark.parametrize(
    ("sentences", "expected"),
    [
        (("No nurse sang.", "A nurse sang."), "contradiction"),
        (("Adam's cat didn't yawn.", "Adam has a cat."), "entailment"),
        (("Adam sang.", "Alicia sang."), "neutral"),
        (("Every nurse sang.", "Adam is a nurse.", "Adam sang."), "entailment"),
        (("Adam knows that Alicia sang.", "Alicia sang."), "entailment"),
        (("Adam thinks that Alicia sang.", "Alicia sang."), "neutral"),
    ],
)
def test_labels(sentences: tuple[str, ...], expected: str) -> None:
    found = label(*sentences)
    assert (found.label, found.why) == (expected, "")
    assert {each.decision.verdict.label for each in found.by_reading} == {expected}
    assert all(each.decision.verdict.models or each.decision.verdict.kind != "models" for each in found.by_reading)


@pytest.mark.parametrize(
    ("sentences", "why"),
    [
        (("Every dog didn't yawn.", "A dog yawned."), "the readings differ: contradiction, neutral"),
        (
            ("Every dog yawned.", "A dog yawned."),
            "only where there is nothing that a noun phrase is about; else entailment",
        ),
        (("Adam sangg.", "Adam sang."), "`sangg` (perhaps `sang`)"),
        (
            ("Adam yawned the.", "Adam yawned."),
            "has no tree: the grammar has its words as a beginning only, which could go on with N (`badge`), ",
        ),
        (
            ("Adam sang.", "Adam's cat yawned. Adam sang."),
            "after `Adam's cat yawned` could stand When (`a few days ago`), `,`, ",
        ),
        (("Adam started smoking.", "Adam smoked."), "`smoke` is two words of the lexicon, `smoke` and `smoke_i`"),
        (("Only Adam " * 40, "Adam sang."), f"has more than {MOST_TOKENS} words and marks"),
        (("", "Adam sang."), "a premise is empty"),
        (("Adam sang.", ""), "the hypothesis is empty"),
        (("It was Adam who sang.", "Adam did not sing."), "no one grammar reads all of it"),
        (("Adam did not sing, nor Noah danced.", "Adam sang."), "after `Adam did not sing,` could stand"),
        (("Adam's dog died.", "Adam has a dog."), "what is said with `die` may be there at that time"),
        (("A nurse must sing.", "There is a nurse that must sing."), "may be so whoever it is about; then neutral"),
        ((" ?", "Adam sang."), "there is no word in it"),
    ],
)
def test_no_label_is_guessed(sentences: tuple[str, ...], why: str) -> None:
    found = label(*sentences)
    assert found.label is None
    assert why in found.why


def test_where_no_sentence_begins_so_that_is_said() -> None:
    english = shipped.project().reader(["english"], "reading")
    assert unread(english.read("Most nurses sang.")).endswith("has no tree: no sentence of the grammar begins so")


def test_an_operator_that_the_theory_lacks_is_said() -> None:
    classical = shipped.project().reader(theory="classical")
    found = labelled(["Adam knows that Alicia sang."], "Alicia sang.", classical)
    assert found.label is None and "`granted`" in found.why


def test_unknown_modules_and_theories_are_refused() -> None:
    with pytest.raises(UsageError):
        shipped.project().reader(theory="readin")
    with pytest.raises((UsageError, AuthoringError)):
        shipped.project().reader(["englis"])


def test_surface_readings_are_a_part_of_all() -> None:
    all_, surface = (label("Every farmer owns a dog.", "A dog slept.", surface=s) for s in (False, True))
    assert 0 < len(surface.by_reading) < len(all_.by_reading) <= MOST_PAIRS


@given(
    st.text(max_size=60)
    | st.lists(
        st.sampled_from(["Adam", "a", "the", ".", ",", "and", "'s", "dog", "only", "not", "\x00", "¿", "ß"])
    ).map(" ".join)
)
def test_no_text_is_an_error(text: str) -> None:
    read = reader().read(text)
    assert read.text == text
    assert not (read.readings and read.unknown)


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "pairs.csv"
    file.write_text(
        "premise,hypothesis,label\nNo nurse sang.,A nurse sang.,neutral\nAdam sang.,Foo.,neutral\n", "utf-8"
    )
    assert main(["label", "--pairs", str(file)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("\t")[0] for line in lines] == ["contradiction", "-"]
    assert main(["label", "No nurse sang.", "A nurse sang."]) == 0
    assert capsys.readouterr().out.startswith("contradiction\n")
    assert main(["parse", "--theory", "classical", "Adam might sing."]) == 0
    assert "theory classical declares no operator `poss`: no label rests on it" in capsys.readouterr().out
    assert main(["parse", "Adam might sing."]) == 0
    assert "declares no operator" not in capsys.readouterr().out
    assert main(["parse", "Adam yawned the."]) == 1
    assert (
        "has no tree: the grammar has its words as a beginning only, which could go on with N (`badge`), "
        in capsys.readouterr().err
    )
    assert main(["parse", "These nurse yawned."]) == 1
    assert "it breaks `agree dn` (`Demonstrative`, `Pointed`); compare `These nurses yaw" in capsys.readouterr().err
    assert main(["label", "Adam sang."]) == 2
    file.write_text("premise;hypothesis\na;b\n", "utf-8")
    assert main(["label", "--pairs", str(file)]) == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "Adam and " * 9 + "Alicia sang.",
        "Adam thinks that " * 12 + "Alicia sang.",
        pytest.param("Adam sang and " * 12 + "Alicia sang.", marks=pytest.mark.deep),
    ],
)
def test_what_has_too_many_readings_is_given_up_and_said(text: str) -> None:
    found = label(text, "Adam sang.")
    assert found.label is None and "has too many readings to find all" in found.why


def test_no_label_hangs_on_a_part_of_the_readings(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Of a sentence with too many readings `parse` shows some and says so; `label` and `audit` refuse it."""
    text, file = "Every nurse praised Emma.", tmp_path / "pairs.csv"
    file.write_text(f"premise,hypothesis,label\n{text},A nurse sang.,entailment\n{text},{text},neutral\n", "utf-8")
    fresh = shipped.project().reader()
    whole = fresh.read(text)
    assert whole.whole and labelled([text], text, fresh).label == "entailment"
    monkeypatch.setattr("gramprobe.interpret.trees.MOST", 1)
    fresh.forget()
    read = fresh.read(text)
    assert read.readings and not read.whole
    for pair in ((text, "Emma sang."), ("Emma sang.", text), (text, text)):
        found = labelled(pair[:1], pair[1], fresh)
        assert found.label is None and found.by_reading == () and "has too many readings to find all" in found.why
    made = audit([Pair(text, "Emma sang.", "neutral"), Pair(text, text, "entailment")], fresh)
    assert (made.whole.read, made.whole.labelled, dict(made.abstained)) == (0, 0, {"too many readings": 2})
    assert main(["parse", text]) == 0
    assert capsys.readouterr().out.endswith("; there are more\n")
    assert main(["audit", "nli", str(file)]) == 0, "no published label is held against a part of the readings"


def test_a_pair_with_too_many_choices_of_readings_is_not_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = "Every farmer owns a dog.", "A dog slept."
    assert len(label(*pair).by_reading) > 1
    monkeypatch.setattr("gramprobe.interpret.pairs.MOST_PAIRS", 1)
    found = label(*pair)
    assert (found.label, found.why, found.by_reading) == (None, "there are more than 1 choices of readings", ())


@pytest.mark.parametrize(
    ("premise", "hypothesis", "lines"),
    [
        ("The nurse herself sang.", "Emma sang.", ["`The nurse herself sang.` has no tree",
                                              "without `herself` it has one: `The nurse sang.`"]),
        ("Emma sang.", "These nurse yawned.", ["it breaks `agree dn` (`Demonstrative`, `Pointed`); compare `These "
                                               "nurses yawned.`"]),
    ],
)  # fmt: skip
def test_a_pair_is_told_what_is_wrong_with_its_sentence(
    premise: str, hypothesis: str, lines: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["label", premise, hypothesis]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "no label" and [line.strip() for line in said[1:]][-len(lines) :] == lines
    assert main(["parse", premise if premise != "Emma sang." else hypothesis]) == 1
    assert capsys.readouterr().err.splitlines()[-len(lines) :] == lines
    assert main(["label", "--json", premise, hypothesis]) == 1
    assert json.loads(capsys.readouterr().out)["hint"] == lines[-1]


def test_a_sentence_without_a_tree_says_how_far_it_was_read() -> None:
    read = reader().read("Adam owns every.")
    assert read.reached == "Adam owns every" and "N (`badge`)" in read.expected


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Emma arrived to the house.", "nobody says `arrive` with `to` before `house`; it goes with `at`, `in`"),
        ("Emma is interested on books.", "nobody says `interested` with `on` before `book`; it goes with `in`"),
        ("Emma is married with Noah.", "nobody says `married` with `with` before `Noah`; it goes with `to`"),
        ("Emma helped to Noah.", "nobody says `help` with `to` before `Noah`"),
        ("Emma read two hours.", "`hour` is no object of `read`; how long is said with `for`"),
    ],
)
def test_a_sentence_that_nobody_says_is_told_why(text: str, why: str) -> None:
    assert unread(reader().parsed(text)[0]) == f"`{text}` is not read: {why}"


def test_a_category_that_is_a_part_of_itself_over_the_same_words_is_named(tmp_path: Path) -> None:
    (tmp_path / "grammars").mkdir()
    (tmp_path / "lexicon").mkdir()
    (tmp_path / "lexicon" / "names.tsv").write_text("id\tform\njo\tJo\n", "utf-8")
    (tmp_path / "grammars" / "silent.gram").write_text(
        """cat Name : e from names.tsv word form
cat VP : e -> t
cat S : t
sentence S "."
const ran : e -> t
fun Ran : VP
  lin "ran"
  sem \\x. ran(x)
fun Again (p: VP) : VP
  lin p
  sem \\x. (p(x) & p(x))
fun Does (n: Name, p: VP) : S
  lin n p
  sem p(n)
""",
        "utf-8",
    )
    silent = load(tmp_path, names=("none",)).reader(("silent",), "classical")
    with pytest.raises(UsageError, match=r"`Jo ran\.` cannot be read: VP is a part of itself over the same tokens"):
        silent.read("Jo ran.")
