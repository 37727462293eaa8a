"""Sentences out of a file of one's own: how they are read, what is built of them, what stands in card and manifest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gramprobe.dataset.verify.verify import verify
from gramprobe.project import load
from gramprobe.source.diagnostic import AuthoringError, UsageError
from gramprobe.source.files import GIVEN, SENTENCES, Source
from gramprobe.syntax.sentences import read_given

FILE = """# licence: CC BY 4.0
# source: Friends of mine, 2025
# names: Oslo
sentence\tentails
A man is asleep on a bench in Vienna.\tA man is not awake.
Vienna is larger than Graz...\tGraz is smaller than Vienna
I have a dog.
Oslo has a harbor\t
2 dogs are barking\tDogs are barking.
Amy sleeps.\t-
NATO met in Rome.\tThe members of NATO met.
The man's dog barked.\tA man is asleep on a bench in Vienna.
"""
BUILT = ("theory_of_mind/given", "theory_of_mind/given_inference", "theory_of_mind/given_pairs")


def read(text: str) -> dict[str, tuple[str, str]]:
    """id -> sentence, id of what it entails"""
    table, _, problems = read_given(
        Source(name=SENTENCES, path="mine.tsv", text=text, sha256="", origin=GIVEN), ["Amy"]
    )
    assert not problems
    assert table is not None
    assert table.header == ("id", "sentence", "entails")
    return {cells[0]: (cells[1], cells[2]) for _, cells in table.rows}


def test_sentences_are_made_fit_to_stand_behind_that() -> None:
    """The point is dropped, the first letter lowered unless the word is a name or `I`."""
    assert [sentence for sentence, _ in read(FILE).values()] == [
        "a man is asleep on a bench in Vienna",
        "Vienna is larger than Graz",
        "I have a dog",
        "Oslo has a harbor",
        "2 dogs are barking",
        "Amy sleeps",
        "NATO met in Rome",
        "the man's dog barked",
        "a man is not awake",
        "Graz is smaller than Vienna",
        "dogs are barking",
        "the members of NATO met",
    ]


def test_what_a_sentence_entails_is_a_sentence_of_the_table() -> None:
    found = read(FILE)
    assert found["vienna_is_larger_than"][1] == "graz_is_smaller_than"
    assert found["the_man_dog_barked"][1] == "a_man_is_asleep"  # which has a row of its own
    assert found["amy_sleeps"][1] == found["oslo_has_a_harbor"][1] == found["graz_is_smaller_than"][1] == "-"


def test_a_word_may_have_many_signs_behind_it() -> None:
    """Each sign more would double the time if a run of signs could be cut into runs."""
    text = f"# licence: MIT\nsentence\tentails\nJo slept{'.' * 200}x{'.' * 200}\t\n"
    table, _, _ = read_given(Source(name=SENTENCES, path="mine.tsv", text=text, sha256="", origin=GIVEN), [])
    assert table is not None and len(table.rows) == 1


def test_ids_distinguish_sentences() -> None:
    text = "# license: own\nsentence\nA cat sat on a mat.\nA cat sat on a rug.\nA cat sat on!a rug\n42.\n"
    found = read(text)
    assert list(found) == ["a_cat_sat_on", "a_cat_sat_on_a", "a_cat_sat_on_a_rug", "s_42"]


def test_places_are_those_of_the_file() -> None:
    table, notes, _ = read_given(Source(name=SENTENCES, path="mine.tsv", text=FILE, sha256="", origin=GIVEN), [])
    assert table is not None
    assert table.rows[0][0] == 5
    assert table.span(*table.rows[0][:1], 0).path == "mine.tsv"
    assert (notes.licence, notes.source) == ("CC BY 4.0", "Friends of mine, 2025")


def test_mistakes_are_reported_together() -> None:
    text = "sentence\nIs it?\n\t\na b\n A b. \n"
    _, _, problems = read_given(Source(name=SENTENCES, path="mine.tsv", text=text, sha256="", origin=GIVEN), [])
    assert sorted({p.code for p in problems}) == ["E65", "E66", "E67"]


def test_first_words_that_may_be_names_are_reported() -> None:
    """Neither function words nor words of the lexicon, of other sentences, or what has a capital elsewhere."""
    first = [
        "Mary bought a car.",
        "The car broke.",
        "Dogs bark.",
        "Rain fell on cats.",
        "Cats saw Oslo.",
        "Oslo is big.",
    ]
    text = "\n".join(["# licence: own", "sentence\tentails", "Amy saw Bob.\tZoe is seen.", *first, ""])
    source = Source(name=SENTENCES, path="mine.tsv", text=text, sha256="", origin=GIVEN)
    table, _, (told,) = read_given(source, ["Amy"], {"dogs"})
    assert table is not None
    assert not told.is_error
    assert "`Zoe`, `Mary`, `Rain` lose" in told.message
    assert "`# names: Zoe, Mary, Rain`" in told.help
    assert (told.span.line, told.span.column) == (3, len("Amy saw Bob.") + 2)
    kept = read_given(
        Source(name=SENTENCES, path="m", text="# names: Zoe, Mary, Rain\n" + text, sha256="", origin=GIVEN),
        ["Amy"],
        {"dogs"},
    )
    assert not kept[2]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A file of sentences and the folder with what was built of it."""
    folder = tmp_path_factory.mktemp("given")
    (folder / "mine.tsv").write_text(FILE, "utf-8")
    load((), folder / "mine.tsv").build(list(BUILT), folder / "out", n=8)
    return folder / "mine.tsv", folder / "out"


def rows(out: Path, name: str) -> list[dict[str, Any]]:
    text = (out / f"theory_of_mind--{name}" / "items" / f"{name}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.slow
def test_a_claim_of_the_file_is_what_a_label_rests_on(built: tuple[Path, Path]) -> None:
    found = {row["instance"]: row for row in rows(built[1], "given_pairs")}
    assert set(found) == {
        "a_man_is_asleep",
        "vienna_is_larger_than",
        "s_2_dogs_are",
        "nato_met_in_rome",
        "the_man_dog_barked",
    }
    row = found["vienna_is_larger_than"]
    assert (row["premise"], row["hypothesis"]) == ("Vienna is larger than Graz.", "Graz is smaller than Vienna.")
    assert row["rests_on"] == "vienna_is_larger_than -> graz_is_smaller_than"


@pytest.mark.slow
def test_each_row_names_its_own_claim(built: tuple[Path, Path]) -> None:
    for row in rows(built[1], "given_inference"):
        if row["condition"] == "BX-BY":
            said = row["draws"]["g"]
            assert row["label_name"] == "entailment"
            assert next(p for p in row["rests_on"].split("; ") if "->" in p).startswith(f"{said} -> ")


@pytest.mark.slow
def test_as_many_instances_as_the_sentences_allow(built: tuple[Path, Path]) -> None:
    assert len(rows(built[1], "given_pairs")) == 5
    assert len({row["instance"] for row in rows(built[1], "given")}) == 8


@pytest.mark.slow
def test_card_and_manifest_repeat_the_licence(built: tuple[Path, Path]) -> None:
    folder = built[1] / "theory_of_mind--given"
    told = json.loads((folder / "manifest.json").read_text("utf-8"))["sources"][SENTENCES]
    assert (told["from"], told["licence"], told["source"]) == ("given", "CC BY 4.0", "Friends of mine, 2025")
    card = (folder / "README.md").read_text("utf-8")
    assert "license: other\n" in card
    assert "licence **CC BY 4.0**, from: Friends of mine, 2025." in card


@pytest.mark.slow
@pytest.mark.parametrize("name", ["given", "given_pairs"])
def test_what_was_built_is_verified_with_the_same_file(built: tuple[Path, Path], name: str) -> None:
    file, out = built
    found = verify(out / f"theory_of_mind--{name}", load((), file).declarations, with_rebuild=True)
    assert not found.problems.count, [str(p) for p in found.problems.kept]
    assert found.rebuilt


@pytest.mark.slow
def test_without_the_file_the_sources_are_others(built: tuple[Path, Path]) -> None:
    found = verify(built[1] / "theory_of_mind--given_pairs", load().declarations)
    assert found.problems.by_code["E53"] == 1
    assert any("another version of this file" in str(p) for p in found.problems.kept)


@pytest.mark.slow
def test_another_licence_in_the_manifest_is_reported(built: tuple[Path, Path], tmp_path: Path) -> None:
    other = tmp_path / "mine.tsv"
    other.write_text(FILE.replace("CC BY 4.0", "CC0"), "utf-8")
    found = verify(built[1] / "theory_of_mind--given_pairs", load((), other).declarations)
    assert found.problems.by_code["E53"] >= 1


@pytest.mark.slow
def test_sentences_alone_are_enough_where_nothing_follows(tmp_path: Path) -> None:
    file = tmp_path / "mine.tsv"
    file.write_text("# licence: own\nsentence\nA dog barked.\nThe rain stopped.\n", "utf-8")
    project = load((), file)
    with pytest.raises(AuthoringError) as failed:
        project.build("theory_of_mind", tmp_path / "out")
    (told,) = failed.value.diagnostics
    assert (told.code, told.span.path, told.span.line) == ("E65", str(file), 2)
    assert "theory_of_mind/given_inference and theory_of_mind/given_pairs want pairs" in told.message
    assert "`gramprobe build theory_of_mind/given`" in told.help
    assert not (tmp_path / "out").exists()
    (made,) = project.build("theory_of_mind/given", tmp_path / "out", n=2)
    assert made.manifest["paradigms"]["given"]["rows"] == 34


def test_nothing_that_takes_sentences(tmp_path: Path) -> None:
    (tmp_path / "mine.tsv").write_text(FILE, "utf-8")
    with pytest.raises(UsageError, match="takes given sentences"):
        load((), tmp_path / "mine.tsv").build("theory_of_mind/depth", tmp_path / "out")
    with pytest.raises(UsageError, match="there is no file"):
        load((), tmp_path / "none.tsv")
