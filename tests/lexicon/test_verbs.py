"""The committed verbs: enough of them, sets of declared classes, every change with the state before it."""

from __future__ import annotations

import csv
import re
from collections import Counter
from pathlib import Path

import pytest

LEXICON = Path(__file__).resolve().parents[2] / "lexicon"
Row = dict[str, str]

FORMS = ["base", "s", "past", "en", "ing"]
COLUMNS = {
    "intransitives.tsv": ["id", *FORMS, "aspect", "subject", "wh"],
    "pursuits.tsv": ["id", *FORMS, "aspect", "subject", "wh"],
    "transitives.tsv": ["id", *FORMS, "aspect", "subject", "object", "wh"],
    "changes.tsv": ["id", *FORMS, "aspect", "subject", "pre", "polarity", "unit", "foreseen", "upshot"],
    "causes.tsv": ["id", *FORMS, "aspect", "subject", "object", "pre", "polarity", "unit", "foreseen", "upshot"],
    "states.tsv": ["id", "base", "past_sg", "past_pl", "neg_sg", "neg_pl"],
    "times.tsv": ["id", "on", "before", "any", "all", "unit", "era"],
    "embedders.tsv": [*["id", *FORMS, "aspect", "subject", "that", "wh", "veridical", "factive", "neg_raising"]],
    "wh_words.tsv": ["id", "form"],
}
VERBS = ["intransitives.tsv", "transitives.tsv", "changes.tsv", "embedders.tsv"]

GROUPS = {
    "person": ["worker", "kin", "associate", "public", "named"],
    "animal": ["pet", "livestock", "wild", "bird"],
}
THINGS = [
    *["vehicle", "clothing", "accessory", "food", "drink", "document"],
    *["publication", "device", "appliance", "furniture", "container", "tableware"],
    *["tool", "instrument", "toy", "artwork", "plant", "building"],
    *["opening", "place", "event", "organization"],
]
#: people named after what they are doing just then, or what they are to a place: a verb says whether it goes with them
PASSING = ["passing", "resident"]
CLASSES = [*GROUPS["person"], *PASSING, *GROUPS["animal"], *THINGS]
ASPECTS = {"event", "activity", "punctual", "state"}
WH_WORDS = ["when", "where", "how", "why"]


def read(name: str) -> list[Row]:
    with (LEXICON / name).open(encoding="utf-8", newline="") as lines:
        reader = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        if name in COLUMNS:
            assert reader.fieldnames == COLUMNS[name]
        return list(reader)


def members(cell: str) -> list[str]:
    """The classes that a set admits, its groups spelled out."""
    return [noun_class for part in cell.split("|") for noun_class in GROUPS.get(part, [part])]


def admitting(rows: list[Row], column: str, noun_class: str) -> list[str]:
    return [row["id"] for row in rows if noun_class in members(row[column])]


@pytest.fixture(scope="module")
def files() -> dict[str, list[Row]]:
    return {name: read(name) for name in COLUMNS}


@pytest.mark.parametrize("file", COLUMNS)
def test_the_text_is_clean(file: str) -> None:
    text = (LEXICON / file).read_bytes().decode("utf-8")
    assert text.endswith("\n") and not text.endswith("\n\n") and "\r" not in text and '"' not in text
    lines = text.splitlines()
    for line in lines:
        cells = line.split("\t")
        assert len(cells) == lines[0].count("\t") + 1, line
        for cell in cells:
            assert cell and cell == cell.strip() and "  " not in cell, line


@pytest.mark.parametrize(
    ("file", "least"),
    [
        *[("intransitives.tsv", 80), ("transitives.tsv", 170), ("changes.tsv", 75), ("embedders.tsv", 28)],
        ("wh_words.tsv", 4),
    ],
)
def test_there_are_enough_words(files: dict[str, list[Row]], file: str, least: int) -> None:
    assert len(files[file]) >= least


def test_ids_are_unique_well_formed_and_sorted(files: dict[str, list[Row]]) -> None:
    ids = {name: [row["id"] for row in rows] for name, rows in files.items()}
    others = [row["id"] for name in ("nouns.tsv", "names.tsv") for row in read(name)]
    counts = Counter([id_ for of_file in ids.values() for id_ in of_file] + others)
    assert [id_ for id_, count in counts.items() if count > 1] == []
    assert [id_ for id_ in counts if not re.fullmatch(r"[a-z0-9_]+", id_)] == []
    for name, of_file in ids.items():
        assert of_file == sorted(of_file), name


def test_an_id_is_its_lemma(files: dict[str, list[Row]]) -> None:
    nouns = {row["id"] for row in read("nouns.tsv")}
    for row in files["causes.tsv"]:
        assert row["id"].removesuffix("_c") == re.sub(r"[ -]", "_", row["base"].lower()), row["id"]
    for name in [*VERBS, "states.tsv"]:
        for row in files[name]:
            lemma = re.sub(r"[ -]", "_", row["base"].lower())
            assert row["id"] == (f"{lemma}_v" if lemma in nouns else lemma), row["id"]


def test_sets_use_declared_names(files: dict[str, list[Row]]) -> None:
    order = [*GROUPS, *CLASSES]
    for name, column in [*[(name, "subject") for name in VERBS], ("transitives.tsv", "object")]:
        for row in files[name]:
            parts = row[column].split("|")
            assert set(parts) <= set(order), row["id"]
            admitted = Counter(members(row[column]))
            assert max(admitted.values()) == 1, f"{row['id']}: a class is named twice"
            for group, of_group in GROUPS.items():
                assert group in parts or not set(of_group) <= set(parts), f"{row['id']}: write {group}"
    for name in ("intransitives.tsv", "pursuits.tsv", "transitives.tsv", "embedders.tsv"):
        for row in files[name]:
            assert row["wh"].split("|") == [word for word in WH_WORDS if word in row["wh"].split("|")]


def test_features_have_declared_values(files: dict[str, list[Row]]) -> None:
    for name in [*VERBS, "causes.tsv"]:
        assert {row["aspect"] for row in files[name]} <= ASPECTS, name
    units = {row["unit"] for row in files["times.tsv"]}
    assert units == {"moment", "hours", "day", "month", "year"}
    for name in ("changes.tsv", "causes.tsv"):
        assert {row["aspect"] for row in files[name]} <= {"event", "punctual"}
        assert {row["polarity"] for row in files[name]} == {"pos", "neg"}
        assert {unit for row in files[name] for unit in row["unit"].split("|")} == units
        assert {row["foreseen"] for row in files[name]} == {"yes", "no"}
    for row in files["embedders.tsv"]:
        assert row["veridical"] == "yes" and row["neg_raising"] == "no"
        assert {row["that"], row["factive"]} <= {"yes", "no"}
        assert row["that"] == "yes" or row["factive"] == "no", f"{row['id']}: factive of no clause"
    assert [row["id"] for row in files["wh_words.tsv"]] == sorted(WH_WORDS)
    assert all(row["form"] == row["id"] for row in files["wh_words.tsv"])


def test_the_forms_of_a_verb_share_their_particle(files: dict[str, list[Row]]) -> None:
    for name in VERBS:
        for row in files[name]:
            rest = row["base"].partition(" ")[2]
            assert all(row[form].partition(" ")[2] == rest for form in FORMS), row["id"]
            assert row["s"].split(" ")[0].endswith("s") and row["ing"].split(" ")[0].endswith("ing")


#: *has got* and *has gotten*; who lies down lay, and who does not tell the truth lied
OF_TWO_FORMS = {"get", "lie"}
SHORT = re.compile(r"[^aeiou]+[aeiou][bdgmnprt]")


def test_a_verb_is_spelt_alike_in_all_tables() -> None:
    """Each with its forms (*shake*, *shook*), the last letter of a short regular one twice (*rotted*)."""
    known: dict[tuple[str, str], str] = {}
    for path in sorted(LEXICON.glob("*.tsv")):
        for row in read(path.name):
            verb = row.get("base", "").split(" ")[0]
            for form in FORMS[1:] if verb and verb not in OF_TWO_FORMS and {*FORMS} <= row.keys() else ():
                spelt = row[form].split(" ")[0]
                assert spelt in ("-", known.setdefault((verb, form), spelt)), (path.name, row["id"])
                assert not (SHORT.fullmatch(verb) and spelt in (f"{verb}ed", f"{verb}ing")), (path.name, row["id"])
    assert [known["have", form] for form in FORMS[1:]] == ["has", "had", "had", "having"]
    assert [known["breed", form] for form in FORMS[1:]] == ["breeds", "bred", "bred", "breeding"]


@pytest.mark.parametrize("noun_class", CLASSES)
def test_every_class_has_its_verbs(files: dict[str, list[Row]], noun_class: str) -> None:
    assert len(admitting(files["intransitives.tsv"], "subject", noun_class)) >= 4
    assert len(admitting(files["transitives.tsv"], "object", noun_class)) >= 5


def test_the_kinds_of_transitives_that_paradigms_need(files: dict[str, list[Row]]) -> None:
    transitives = files["transitives.tsv"]
    subjects = {"named", "worker", "associate", "kin", "public"}
    of_persons = [
        row for row in transitives if subjects <= set(members(row["subject"])) and "named" in members(row["object"])
    ]
    assert len([row for row in of_persons if row["aspect"] == "event"]) >= 50
    of_things = [
        row for row in transitives if set(THINGS) & set(members(row["subject"])) and "named" in members(row["object"])
    ]
    assert len(of_things) >= 25
    states = [row for row in transitives if row["aspect"] == "state"]
    assert len(states) >= 12


def test_only_why_is_asked_of_a_state(files: dict[str, list[Row]]) -> None:
    for name in ("intransitives.tsv", "transitives.tsv"):
        assert all(row["wh"] == "why" for row in files[name] if row["aspect"] == "state")


def test_every_change_has_a_state_and_every_state_a_change(files: dict[str, list[Row]]) -> None:
    states = {row["id"] for row in files["states.tsv"]}
    assert {row["pre"] for name in ("changes.tsv", "causes.tsv") for row in files[name]} == states


def test_what_comes_back_was_in_a_state_of_its_own(files: dict[str, list[Row]]) -> None:
    """`came back into style` presupposes more than not being in style, so its state has a name (`back`, `re-`)."""
    for name in ("changes.tsv", "causes.tsv"):
        again = [
            row
            for row in files[name]
            if "back" in row["base"].split() or re.match(r"re(open|cover|store)", row["base"])
        ]
        assert again
        assert {row["polarity"] for row in again} == {"pos"}


def test_the_time_before_is_just_before_a_moment_and_part_of_what_is_longer(files: dict[str, list[Row]]) -> None:
    for row in files["times.tsv"]:
        time = row["on"].removeprefix("in ").removeprefix("on ").removeprefix("at ")
        if row["unit"] == "moment":
            assert (row["before"], row["any"], row["all"]) == (f"just before {time}", "-", "-")
        else:
            assert row["before"] == f"for at least part of {time}"
            assert row["any"] == f"at any time {row['on']}"
            assert row["all"].startswith("all ") and row["all"].endswith(time.removeprefix("the "))
    assert {row["unit"] for row in files["times.tsv"] if row["era"] == "gone"} == {"year"}


def test_there_are_enough_changes_of_each_kind(files: dict[str, list[Row]]) -> None:
    changes = files["changes.tsv"]
    persons = set(GROUPS["person"])
    assert len([row for row in changes if not persons & set(members(row["subject"]))]) >= 20
    for row in changes:
        admitted = set(members(row["subject"]))
        assert "named" in admitted or not persons & admitted, f"{row['id']}: admit names"
    assert len([row for row in files["states.tsv"] if row["id"].startswith("be_")]) >= 25
    assert len([row for row in files["states.tsv"] if not row["id"].startswith("be_")]) >= 12


def test_the_cells_of_a_state_say_one_thing(files: dict[str, list[Row]]) -> None:
    for row in files["states.tsv"]:
        if row["base"].startswith("be "):
            rest = row["base"].removeprefix("be ")
            verbs = {
                "past_sg": "was",
                "past_pl": "were",
                "neg_sg": "wasn't",
                "neg_pl": "weren't",
            }
            assert all(row[column] == f"{verb} {rest}" for column, verb in verbs.items()), row["id"]
        else:
            assert row["past_sg"] == row["past_pl"]
            assert row["neg_sg"] == row["neg_pl"] == f"didn't {row['base']}"
