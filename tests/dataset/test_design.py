"""`design.json` says what a paradigm compares, without its grammar; it follows from the sources, and verify says so."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from forgery import Forger, Row
from projects import PLAIN, toy
from support import shipped
from support.datasets import SharedDatasets

import gramprobe
from gramprobe.dataset.describe import design, designs, differences, words
from gramprobe.dataset.manifest import Design, Designs, Invalid, Word, design_text, designs_from, written
from gramprobe.dataset.verify.verify import verify
from gramprobe.project import Project
from gramprobe.resolve.tree import show

NAMES = [
    "presupposition/possessed_definites_existence",
    "implicature/modals",
    "theory_of_mind/training_2",
    "scope/choice_universal_indefinite",
    "de_re_de_dicto/belief",
]


@cache
def of(name: str) -> Design:
    loaded = shipped.project().paradigm(name)
    return design(loaded.declared, loaded.plan())


def as_written(tree: Any) -> str:
    """A tree of a design as an author writes it."""
    if isinstance(tree, dict):
        return str(tree.get("given") or ".".join(filter(None, (tree["draw"], tree.get("column")))))
    name, *parts = tree
    return f"{name}({', '.join(map(as_written, parts))})" if parts else str(name)


@pytest.mark.parametrize("name", [*NAMES, pytest.param("presupposition/question", marks=pytest.mark.slow)])
def test_a_design_is_the_paradigm(project: Project, name: str) -> None:
    declared, made = project.paradigm(name).declared, of(name)
    assert {each.name: as_written(each.tree) for each in made.conditions} == {
        each.name: show(each.tree) for each in declared.conditions.values()
    }
    assert [(p.left, p.right, p.tag, p.share) for p in made.pairs] == [
        (p.premise, p.hypothesis, p.tag, p.share) for p in declared.pairs
    ]
    assert [draw.name for draw in made.draws] == [draw.name for draw in declared.draws]
    assert made.task == declared.task
    assert (made.labels is None) == (declared.task != "nli")


def test_what_an_author_claims_is_there() -> None:
    claimed = {pair.condition: pair for pair in of("presupposition/possessed_definites_existence").pairs}
    assert {pair.label for pair in claimed.values()} >= {"entailment", "neutral"}
    modals = of("implicature/modals")
    assert modals.labels is not None
    assert modals.labels.gold in modals.labels.columns
    assert any(pair.labels for pair in modals.pairs)
    (fits, *_) = [pair.claim for pair in of("scope/choice_universal_indefinite").pairs if pair.claim]
    assert fits.kind == "fits"
    assert fits.readings or fits.all


def test_operators_are_called_as_the_theory_calls_them(project: Project) -> None:
    theory = project.paradigm("theory_of_mind/training_2").plan().theory
    called = of("theory_of_mind/training_2").operators
    assert list(called) == [operator.name for operator in theory.operators]
    assert all(called.values())
    assert any(operator.gloss == called[operator.name] for operator in theory.operators)


@pytest.mark.parametrize("name", NAMES)
def test_a_scorer_s_columns_are_columns(name: str) -> None:
    made = of(name)
    scored = made.scored
    named = [*scored.context, *scored.options, *scored.continuations, *scored.label]
    assert scored.context
    assert scored.options or scored.continuations
    assert scored.label
    assert set(named) <= {column.name for column in made.columns}


def test_words_are_those_that_occur(tmp_path: Path) -> None:
    project = toy(tmp_path / "own", "size 1\n" + PLAIN)
    dataset = gramprobe.read(project.build("toy/one", tmp_path / "data", n=1)[0].folder)
    (row,) = (row for batch in dataset.rows("one") for row in batch.to_pylist())
    assert set(dataset.words) == set(row["draws"].values())
    noun = dataset.words[row["draws"]["k"]]
    assert noun.category == "Kind"
    assert set(noun.forms) == {"sg", "pl"}
    assert noun.values.keys() == {"onset", "isa"}
    assert noun.forms["sg"] in row["premise"]


@pytest.mark.slow
def test_designs_are_read_back(project: Project) -> None:
    parts = {}
    for name in NAMES[1:2] + NAMES[-2:]:
        plan = project.paradigm(name).plan()
        drawn = {slot: [0, 1] for slot, each in plan.space.slots.items() if not each.is_feature}
        categories = {each.category for each in plan.space.slots.values() if not each.is_feature}
        parts[plan.paradigm.name] = of(name), words(plan, drawn)
        assert {each.category for each in parts[plan.paradigm.name][1].values()} == categories
    made = designs(parts)
    assert designs_from(design_text(made).encode()) == made
    assert len(made.paradigms) == 3
    assert list(made.words) == sorted(made.words)


HUGE = '{"category":"Noun","values":{"freq":' + "7" * 5000 + '},"forms":{}}'
"""A word with a number of more digits than Python reads."""


@pytest.mark.parametrize(
    "spoilt",
    [
        lambda text: text.replace('":', '": ', 1),
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text[:-1],
        lambda text: text.replace('"words"', '"word"'),
        lambda text: text.replace('"share":null', '"share":"all"'),
        lambda text: "[" * 100_000,
        lambda text: "\ud800",
        lambda text: text.replace(":{\n\n}", ':{\n"\\ud800":{"category":"Noun","values":{},"forms":{}}\n}'),
        lambda text: text.replace(":{\n\n}", ':{\n"w":' + HUGE + "\n}"),
    ],
)
def test_another_text_is_no_design(spoilt: Callable[[str], str]) -> None:
    text = design_text(designs({"modals": (of("implicature/modals"), {})}))
    with pytest.raises(Invalid):
        designs_from(spoilt(text).encode("utf-8", "surrogatepass"))


def test_words_are_written_as_python_writes_json() -> None:
    texts = {f"w{code}": chr(code) for code in (*range(0x300), 0x2028, 0xFFFF, 0x1F600)}
    word = Word(category="Noun", values={**texts, "freq": 2**70, "isa": ["a", 'b"']}, forms={"": "\\"})
    id_ = 'a"\n'
    text = design_text(Designs(paradigms={}, words={id_: word}))
    assert text == '{"paradigms":{\n\n},\n"words":{\n' + f"{compact(id_)}:{compact(written(word))}" + "\n}}\n"


# -- in a forger's hands


@pytest.fixture(scope="module")
def honest(datasets: SharedDatasets) -> Path:
    return datasets("implicature/modals", n=1)


def put(*path: Any) -> Callable[[Row], None]:
    """Puts a value, the last one, at a place of the paradigm's design."""
    *keys, last, value = path

    def edit(data: Row) -> None:
        holder: Any = data["paradigms"]["modals"]
        for key in keys:
            holder = holder[key]
        holder[last] = value

    return edit


def add_a_word(data: Row) -> None:
    data["words"] = dict(sorted({**data["words"], "aaa": next(iter(data["words"].values()))}.items()))


def drop_a_word(data: Row) -> None:
    data["words"].popitem()


def change_a_word(data: Row) -> None:
    each = next(word for word in data["words"].values() if word["forms"])
    each["forms"] = dict.fromkeys(each["forms"], "changed")


def another_paradigm(data: Row) -> None:
    data["paradigms"]["other"] = data["paradigms"]["modals"]


FORGERIES = [
    (put("conditions", 0, "tree", ["Assert"]), "E54", "`conditions` of `modals`"),
    pytest.param(put("conditions", 0, "side", "hypothesis"), "E54", "`conditions` of `modals`", marks=pytest.mark.deep),
    pytest.param(put("conditions", 0, "reading", "de re"), "E54", "`conditions` of `modals`", marks=pytest.mark.deep),
    (put("pairs", 0, "label", "contradiction"), "E54", "`pairs` of `modals`"),
    pytest.param(put("pairs", 0, "tag", "control"), "E54", "`pairs` of `modals`", marks=pytest.mark.deep),
    (put("draws", 0, "members", 7), "E54", "`draws` of `modals`"),
    (put("columns", 0, "name", "key"), "E54", "`columns` of `modals`"),
    (put("labels", "gold", "literal"), "E54", "`labels` of `modals`"),
    (put("operators", {}), "E54", "`operators` of `modals`"),
    (put("source", "me"), "E54", "`source` of `modals`"),
    (put("scored", "label", ["tag"]), "E54", "`scored` of `modals`"),
    (put("quality", "best"), "E50", "unknown field `quality`"),
    (put("draws", 0, "members", "many"), "E50", "a text, and not a whole number"),
    (add_a_word, "E54", "the word `aaa`"),
    pytest.param(drop_a_word, "E54", "the word `", marks=pytest.mark.deep),
    (change_a_word, "E54", "the word `"),
    (another_paradigm, "E50", "its paradigms are not those of the manifest"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("edit", "code", "reason"), FORGERIES)
def test_a_forged_design_is_found(
    honest: Path, project: Project, tmp_path: Path, edit: Callable[[Row], None], code: str, reason: str
) -> None:
    forger = Forger(Path(shutil.copytree(honest, tmp_path / honest.name)), "modals")
    file = forger.folder / "design.json"
    data = json.loads(file.read_text("utf-8"))
    assert design_text(designs_from(file.read_bytes())) == file.read_text("utf-8")
    edit(data)
    lines = [
        f'"{key}":{{\n' + ",\n".join(f"{compact(k)}:{compact(v)}" for k, v in records.items()) + "\n}"
        for key, records in data.items()
    ]
    file.write_text("{" + ",\n".join(lines) + "}\n", "utf-8")
    forger.rehash()
    problems = verify(forger.folder, project.declarations).problems.kept
    assert any(p.code == code and p.file == "design.json" and reason in p.reason for p in problems), problems


def compact(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)


@pytest.mark.slow
def test_a_difference_is_told_by_its_place_and_not_as_a_whole() -> None:
    there, wanted = (designs({"modals": (of("implicature/modals"), {})}) for _ in range(2))
    data = msgspec.to_builtins(there)
    data["paradigms"]["modals"]["conditions"][2]["tree"][0] = "Nothing" * 20
    there = msgspec.convert(data, Designs)
    ((place, found, given),) = differences(there, wanted)
    assert place == "`conditions` of `modals`, at [2][tree][0]"
    assert (
        found == '"' + ("Nothing" * 20)[:55] + " ..." and given == f'"{of("implicature/modals").conditions[2].tree[0]}"'
    )


@pytest.mark.slow
def test_a_forged_hash_of_parquet_is_found(honest: Path, project: Project, tmp_path: Path) -> None:
    forger = Forger(Path(shutil.copytree(honest, tmp_path / honest.name)), "modals")
    manifest = json.loads(forger.manifest.read_text("utf-8"))
    (name,) = manifest["parquet"]
    manifest["parquet"][name] = "0" * 64
    forger.manifest.write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", "utf-8")
    (problem,) = verify(forger.folder, project.declarations).problems.kept
    assert (problem.code, problem.file) == ("E50", name)


def test_records_write_what_they_read() -> None:
    empty = Designs(paradigms={}, words={})
    assert written(empty) == {"paradigms": {}, "words": {}}
    assert designs_from(design_text(empty).encode()) == empty
