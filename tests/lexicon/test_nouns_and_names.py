"""The committed nouns and names: enough of them, evenly classed, no two that a reader could mix up."""

from __future__ import annotations

import csv
import re
from collections import Counter
from pathlib import Path

import pytest

LEXICON = Path(__file__).resolve().parents[2] / "lexicon"
NOUN_COLUMNS = ["id", "sg", "pl", "class", "onset", "sort", "isa"]
NAME_COLUMNS = ["id", "name", "gen"]
CLASSES_OF_SORT = {
    "person": "worker kin associate public passing resident",
    "animal": "pet livestock wild bird",
    "thing": (
        "vehicle clothing accessory food drink document publication device appliance furniture container "
        "tableware tool instrument toy artwork plant building opening place event organization"
    ),
}
SORT_OF_CLASS = {noun_class: sort for sort, classes in CLASSES_OF_SORT.items() for noun_class in classes.split()}
LEAST_OF_CLASS = {"worker": 60, "kin": 16, "associate": 18, "pet": 10} | {
    noun_class: 10 for noun_class, sort in SORT_OF_CLASS.items() if sort == "thing"
}


def read(name: str, columns: list[str]) -> list[dict[str, str]]:
    with (LEXICON / name).open(encoding="utf-8", newline="") as lines:
        reader = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        assert reader.fieldnames == columns
        return list(reader)


@pytest.fixture(scope="module")
def nouns() -> list[dict[str, str]]:
    return read("nouns.tsv", NOUN_COLUMNS)


@pytest.fixture(scope="module")
def names() -> list[dict[str, str]]:
    return read("names.tsv", NAME_COLUMNS)


@pytest.mark.parametrize("file", ["nouns.tsv", "names.tsv"])
def test_the_text_is_clean(file: str) -> None:
    text = (LEXICON / file).read_bytes().decode("utf-8")
    assert text.endswith("\n") and not text.endswith("\n\n") and "\r" not in text and '"' not in text
    lines = text.splitlines()
    for line in lines:
        cells = line.split("\t")
        assert len(cells) == lines[0].count("\t") + 1, line
        for cell in cells:
            assert cell and cell == cell.strip() and "  " not in cell, line


def test_there_are_enough_nouns_of_every_class(nouns: list[dict[str, str]]) -> None:
    counts = Counter(noun["class"] for noun in nouns)
    assert len(nouns) >= 480
    assert set(counts) == set(SORT_OF_CLASS)
    for noun_class in SORT_OF_CLASS:
        assert counts[noun_class] >= LEAST_OF_CLASS.get(noun_class, 8), noun_class


def test_there_are_enough_names_of_both_genders(names: list[dict[str, str]]) -> None:
    counts = Counter(name["gen"] for name in names)
    assert set(counts) == {"fem", "masc"}
    assert min(counts.values()) >= 125


def test_ids_are_unique_and_well_formed(nouns: list[dict[str, str]], names: list[dict[str, str]]) -> None:
    counts = Counter(row["id"] for row in nouns + names)
    assert [id_ for id_, count in counts.items() if count > 1] == []
    assert [id_ for id_ in counts if not re.fullmatch(r"[a-z0-9_]+", id_)] == []


def test_an_id_is_its_lemma(nouns: list[dict[str, str]], names: list[dict[str, str]]) -> None:
    lemmas = [(row["id"], row["sg"]) for row in nouns] + [(row["id"], row["name"]) for row in names]
    assert [id_ for id_, lemma in lemmas if id_ != re.sub("[ -]", "_", lemma.lower())] == []


def test_rows_are_sorted(nouns: list[dict[str, str]], names: list[dict[str, str]]) -> None:
    assert [(row["class"], row["id"]) for row in nouns] == sorted((row["class"], row["id"]) for row in nouns)
    assert [row["id"] for row in names] == sorted(row["id"] for row in names)


def test_onset_and_sort_are_declared_values(nouns: list[dict[str, str]]) -> None:
    for noun in nouns:
        assert noun["onset"] in ("v", "c"), noun["id"]
        assert noun["sort"] == SORT_OF_CLASS[noun["class"]], noun["id"]


def test_a_hypernym_is_another_noun_of_the_class(nouns: list[dict[str, str]]) -> None:
    class_of = {noun["id"]: noun["class"] for noun in nouns}
    named = [noun for noun in nouns if noun["isa"] != "-"]
    assert named
    for noun in named:
        assert noun["isa"] != noun["id"] and class_of.get(noun["isa"]) == noun["class"], noun["id"]


def test_hypernyms_do_not_run_in_circles(nouns: list[dict[str, str]]) -> None:
    above = {noun["id"]: noun["isa"] for noun in nouns}
    for id_ in above:
        seen: set[str] = set()
        while id_ != "-":
            assert id_ not in seen, id_
            seen.add(id_)
            id_ = above[id_]


@pytest.mark.parametrize(
    ("id_", "expected"),
    [("heir", "v"), ("suv", "v"), ("oboe", "v"), ("university", "c"), ("uniform", "c"), ("ukulele", "c")],
)
def test_onset_goes_by_sound(nouns: list[dict[str, str]], id_: str, expected: str) -> None:
    assert {noun["id"]: noun["onset"] for noun in nouns}[id_] == expected


def test_no_form_serves_twice(nouns: list[dict[str, str]]) -> None:
    forms = Counter(form.lower() for noun in nouns for form in (noun["sg"], noun["pl"]))
    assert [form for form, count in forms.items() if count > 1] == []


def test_no_noun_of_a_class_names_another_by_its_head(nouns: list[dict[str, str]]) -> None:
    """`garage door` beside `door`: what is true of the one follows for the other, unknown to the logic."""
    clashes = [
        (noun["sg"], other["sg"])
        for noun in nouns
        for other in nouns
        if noun["class"] == other["class"] and noun["sg"].endswith(" " + other["sg"])
    ]
    assert clashes == []


def test_no_name_is_a_noun_or_ends_in_s(nouns: list[dict[str, str]], names: list[dict[str, str]]) -> None:
    forms = {form.lower() for noun in nouns for form in (noun["sg"], noun["pl"])}
    for name in names:
        assert re.fullmatch(r"[A-Z][a-z]+", name["name"]), name["id"]
        assert not name["name"].endswith("s"), name["id"]
        assert name["name"].lower() not in forms, name["id"]


def test_kinds_of_other_nouns_are_the_narrow_ones(nouns: list[dict[str, str]]) -> None:
    """Sets about two definites leave these out, so that nothing said of the one is said of the other."""
    narrow = read("narrow_nouns.tsv", ["id", "narrow"])
    assert [row["id"] for row in narrow] == sorted(noun["id"] for noun in nouns if noun["isa"] != "-")
    assert {row["narrow"] for row in narrow} == {"yes"}


def test_families_of_a_class_have_circles_and_kinds_are_of_one_family(nouns: list[dict[str, str]]) -> None:
    """Sets about two nouns draw them from different circles, so that neither may be the other."""
    class_of = {noun["id"]: noun["class"] for noun in nouns}
    families = read("noun_families.tsv", ["id", "family", "circle"])
    assert [row["id"] for row in families] == sorted(row["id"] for row in families)
    family, circle = ({row["id"]: row[column] for row in families} for column in ("family", "circle"))
    members = Counter(family.values())
    assert all(members[each] > 1 for each in members)
    assert len({(family[each], circle[each], class_of[each]) for each in family}) == len(members)
    assert all(family[noun["id"]] == family[noun["isa"]] for noun in nouns if noun["isa"] != "-")


def test_nouns_apart_are_one_of_each_family(nouns: list[dict[str, str]]) -> None:
    family = {row["id"]: row["family"] for row in read("noun_families.tsv", ["id", "family", "circle"])}
    food = {noun["id"] for noun in nouns if noun["class"] == "food"}
    apart = [row["id"] for row in read("counted_nouns.tsv", ["id", "counted", "apart"]) if row["apart"] == "yes"]
    assert len(apart) >= 280
    assert max(Counter(family[each] for each in apart if each in family and each not in food).values()) == 1
