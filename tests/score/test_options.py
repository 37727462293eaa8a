"""Baselines on choices: what each says, what a reader learns from, and what is refused."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from support.datasets import FEW, MANY, SharedDatasets

import gramprobe
from gramprobe.baselines.options import OPTION_RULES
from gramprobe.cli.main import main
from gramprobe.score.engines.options import Rows, frame, kept_words, surface_option
from gramprobe.score.results import read_scores
from gramprobe.score.run import score
from score.conftest import order

EVERY = "Every guard saw a dog."
ONE, EACH = "It was one dog.", "It was a different dog for each guard."


@pytest.mark.parametrize(
    ("rule", "options", "said"),
    [
        ("first", (ONE, EACH), 0),
        ("first", (EACH, ONE), 0),
        ("longer", (ONE, EACH), 1),
        ("longer", ("It was two.", "They were"), 0),
        ("longer", ("one two", "two one"), None),
        ("overlap", (ONE, EACH), 1),  # a, dog, guard of eight; dog of four
        ("overlap", ("Every dog.", "A dog saw it."), 0),
        ("overlap", ("It was.", "They were."), None),
    ],
)
def test_what_a_rule_says(rule: str, options: Sequence[str], said: int | None) -> None:
    assert OPTION_RULES[rule].says(EVERY, options) == said


def values(folder: Path) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for row in read_scores(folder).table().to_pylist():
        found.setdefault(row["item"], []).append(row["value"])
    return found


@pytest.mark.parametrize("name", OPTION_RULES)
def test_a_rule_is_scored_like_a_model(name: str, datasets: SharedDatasets, tmp_path: Path) -> None:
    run = score(order(datasets("scope/choice_universal_indefinite", n=FEW), f"rule:{name}", tmp_path / "s"))
    assert (run.settings.mode, run.model.kind, run.values, run.items) == ("choice", "rule", ["value"], 2 * FEW)
    assert run.settings.prompt == {}
    table = read_scores(tmp_path / "s").table()
    assert set(table.column("part").to_pylist()) == {"option_a", "option_b"}
    for both in values(tmp_path / "s").values():
        assert sum(map(math.exp, both)) == pytest.approx(1)
        assert sorted(both) in ([-100, 0], [math.log(0.5)] * 2)


def written(file: Path, count: int = 20, told: bool = True) -> Path:
    """Choices in which an option's frame tells the surface reading, or in one half of them the other."""
    rows = []
    for n in range(count):
        noun, other = f"noun{n}", f"noun{n + 1}"
        same, each = f"It was one {noun} for {other}.", f"It was a different {noun} for each {other}."
        surface = "x" if told or n % 2 else "y"
        texts = ((same, each, "x", "y"), (each, same, "y", "x"))
        rows += [(f"{n}.{at}", n, f"{noun} saw {other}.", *text, surface) for at, text in enumerate(texts)]
    with file.open("w", newline="", encoding="utf-8") as stream:
        heading = ("id", "instance", "sentence", "option_a", "option_b", "picks_a", "picks_b", "surface")
        csv.writer(stream).writerows([heading, *rows])
    return file


@pytest.mark.parametrize("reader", ["options", "bag"])
def test_a_reader_of_options_finds_what_they_tell_and_nothing_else(reader: str, tmp_path: Path) -> None:
    for told, low, high in ((True, 1.0, 1.0), (False, 0.2, 0.8)):
        file = written(tmp_path / f"{told}.csv", told=told)
        score(order(file, f"reader:{reader}", tmp_path / f"s{told}", task="choice"))
        right = [
            0.5 if one == other else float((one > other) == (row["surface"] == row["picks_a"]))
            for row, (one, other) in zip(_read(file), values(tmp_path / f"s{told}").values(), strict=True)
        ]
        assert low <= sum(right) / len(right) <= high


def _read(file: Path) -> list[dict[str, Any]]:
    with file.open(encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def test_no_row_is_answered_by_its_own_instance(tmp_path: Path) -> None:
    """An instance whose label is turned round is answered as before: it is not learned from."""
    file = written(tmp_path / "a.csv")
    score(order(file, "reader:options", tmp_path / "s", task="choice"))
    text = file.read_text("utf-8").replace("0.0,0,noun0", "X").splitlines()
    turned = [line[:-1] + "y" if line.startswith(("X", "0.1,0,")) else line for line in text]
    (tmp_path / "b.csv").write_text("\n".join(turned).replace("X", "0.0,0,noun0") + "\n", "utf-8")
    score(order(tmp_path / "b.csv", "reader:options", tmp_path / "t", task="choice"))
    before, after = values(tmp_path / "s"), values(tmp_path / "t")
    assert [before[item] for item in ("0.0", "0.1")] == [after[item] for item in ("0.0", "0.1")]
    assert before["1.0"] != after["1.0"]


#: the same pair of operators in both orders, under the same options
BOTH_ORDERS = [
    f"scope/choice_{pair}{form}"
    for pair in ("universal_indefinite", "indefinite_universal")
    for form in ("", "_passive")
]


@pytest.fixture(scope="module", params=["four", pytest.param("all", marks=pytest.mark.deep)])
def several(request: pytest.FixtureRequest, datasets: SharedDatasets) -> Path:
    """Paradigms of scope with operators in both orders: four, or all, whose sizes are such that no options tell."""
    return datasets("scope", among=BOTH_ORDERS, n=MANY) if request.param == "four" else datasets("scope")


@pytest.mark.slow
@pytest.mark.parametrize("reader", ["options", "bag"])
def test_a_reader_learns_from_all_paradigms_together(
    reader: str, several: Path, datasets: SharedDatasets, tmp_path: Path
) -> None:
    """In one paradigm the options tell the reading; in several with both orders of operators they do not."""
    reached = {}
    for name, data in (("one", datasets("scope/choice_universal_indefinite", n=MANY)), ("all", several)):
        score(order(data, f"reader:{reader}", tmp_path / name, mode="choice"))
        by_item, dataset, right = values(tmp_path / name), gramprobe.read(data), []
        settings = read_scores(tmp_path / name).run.settings
        assert settings.engine["learned_from"] == sorted(settings.tables)
        for paradigm in settings.tables:
            for row in (row for batch in dataset.rows(paradigm) for row in batch.to_pylist()):
                one, other = by_item[row["id"]]
                right.append(0.5 if one == other else float((one > other) == (row["surface"] == row["picks_a"])))
        reached[name] = sum(right) / len(right)
    assert reached["one"] > 0.8
    assert reached["all"] < 0.55 + 0.5 * len(right) ** -0.5  # and a standard error


def test_the_frame_of_an_option_is_what_many_instances_have() -> None:
    words = [[["one", f"n{n}", "of", f"m{n}", f"m{n}", "went"], ["two"]] for n in range(8)]
    rows = Rows(tables=["t"] * 8, numbers=list(range(8)))
    kept = kept_words(rows, words)
    assert kept == [frozenset(("one", "of", "went", "two"))] * 8
    assert frame(words[0][0], kept[0]) == ("one", "_", "of", "_", "went")
    assert kept_words(Rows(tables=["t"] * 2, numbers=[0, 1]), words[:2]) == [frozenset()] * 2


@pytest.mark.parametrize(
    ("picks", "surface", "number"),
    [(("x", "y"), "x", 0), (("x", "y"), "y", 1), (("x", ""), "y", 1), (("", "x"), "y", 0), (("", ""), "x", -1),
     (("x", "y"), "", -1)],
)  # fmt: skip
def test_the_option_that_goes_with_the_surface_reading(picks: tuple[str, str], surface: str, number: int) -> None:
    assert surface_option({"picks_a": picks[0], "picks_b": picks[1], "surface": surface}) == number


def test_an_ngram_model_gives_options_the_probability_of_sentences(tmp_path: Path) -> None:
    (tmp_path / "c.txt").write_text("It was one noun.\nIt was a noun.\n", "utf-8")
    file = written(tmp_path / "a.csv", count=3)
    run = score(order(file, f"ngram:{tmp_path / 'c.txt'}", tmp_path / "s", task="choice"))
    assert run.settings.reduction == "sum over words"
    assert all(one < 0 and other < 0 for one, other in values(tmp_path / "s").values())


@pytest.mark.parametrize(
    ("model", "code", "said"),
    [
        ("rule:negation", "E29", "the rule `negation` gives labels to pairs"),
        ("rule:longest", "E29", "did you mean `longer`?"),
        ("reader:verbs", "E29", "the reader `verbs` gives labels to pairs"),
        ("vectors:v.txt", "E91", "needs"),
        ("reader:options", "E91", "no row says which option picks the surface reading"),
    ],
)
def test_what_cannot_choose_is_refused(
    model: str, code: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.csv"
    file.write_text("sentence,option_a,option_b\nA b.,C.,D.\n", "utf-8")
    assert main(["score", str(file), "--task", "choice", "--model", model, "--out", str(tmp_path / "s")]) == 2
    err = capsys.readouterr().err
    assert f"error[{code}]" in err and said in err


@pytest.mark.parametrize(
    ("model", "code", "said"),
    [
        ("rule:first", "E29", "the rule `first` chooses between options, and these are pairs"),
        ("reader:options", "E29", "the reader `options` chooses between options, and these are pairs"),
        ("reader:", "E91", "nothing is named behind `reader:`"),
        ("ngram:", "E91", "nothing is named behind `ngram:`"),
        ("vectors: ", "E91", "nothing is named behind `vectors:`"),
        ("vectors:none.txt", "E91", "there is no such file or folder"),
        ("", "E91", "--model names nothing"),
    ],
)
def test_what_is_no_baseline_of_pairs_is_refused(
    model: str, code: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.csv"
    file.write_text("premise,hypothesis,label\nA b.,C.,neutral\n", "utf-8")
    assert main(["score", str(file), "--task", "nli", "--model", model, "--out", str(tmp_path / "s")]) == 2
    err = capsys.readouterr().err
    assert f"error[{code}]" in err and said in err and "help: " in err
