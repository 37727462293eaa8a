"""Rules that do not reason: what they say of pairs, and as models that are scored."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.datasets import FEW, SharedDatasets

import gramprobe
from gramprobe.baselines.constituents import is_part
from gramprobe.baselines.rules import RULES
from gramprobe.cli.main import main
from gramprobe.score.results import read_scores
from gramprobe.score.run import score
from gramprobe.source.diagnostic import UsageError
from score.conftest import order, written

OWL = "The owl that the boy saw slept."


@pytest.mark.parametrize(
    ("rule", "premise", "hypothesis", "label"),
    [
        ("overlap", OWL, "The boy slept.", "entailment"),
        ("overlap", OWL, "The girl slept.", "neutral"),
        ("subsequence", OWL, "The boy saw.", "entailment"),
        ("subsequence", OWL, "The boy slept.", "neutral"),
        ("tail", "Al knows that Jo left.", "Jo left.", "entailment"),
        ("tail", "Jo left before Al sang.", "Jo left.", "neutral"),
        ("first_words", "Al knows that Jo often sings.", "Jo often sings songs.", "entailment"),
        ("first_words", "Al knows that Jo sings.", "Al often knows it.", "neutral"),
        ("subject_verb", "Al knows that Jo will leave.", "Jo didn't leave.", "entailment"),
        ("subject_verb", "Al knows that Jo will leave.", "Al will leave.", "neutral"),
        ("negation", "Jo didn’t leave.", "Jo left.", "contradiction"),
        ("negation", "Nobody left.", "Jo didn't leave.", "entailment"),
        ("negated_hypothesis", "Jo didn't leave.", "Jo left.", "entailment"),
        ("negated_hypothesis", "Jo left.", "Jo never left.", "contradiction"),
        ("verbs", "Jo knows that Al left.", "Al left.", "entailment"),
        ("verbs", "Jo thinks that Al knows that Bo left.", "Al knows that Bo left.", "neutral"),
        ("verbs", "Al left.", "Bo left.", None),
        ("persons", "Jo thinks that Al left.", "Al left.", "entailment"),
        ("persons", "Jo thinks that Al knows that Bo left.", "Bo left.", "neutral"),
    ],
)
def test_what_a_rule_says(rule: str, premise: str, hypothesis: str, label: str | None) -> None:
    assert RULES[rule].says(premise, hypothesis) == label


@pytest.mark.slow
@pytest.mark.parametrize("name", RULES)
def test_a_rule_is_scored_like_a_model_and_says_what_it_says(
    name: str, datasets: SharedDatasets, tmp_path: Path
) -> None:
    data = datasets("presupposition/both", n=FEW)
    run = score(order(data, "rule:" + name, tmp_path / "s"))
    assert (run.model.kind, run.values, run.settings.weights) == (
        "rule",
        ["entailment", "neutral", "contradiction"],
        {},
    )
    rows = {row["id"]: row for batch in gramprobe.read(data).rows("both") for row in batch.to_pylist()}
    for scores in read_scores(tmp_path / "s").table().to_pylist():
        said = RULES[name].says(rows[scores["item"]]["premise"], rows[scores["item"]]["hypothesis"])
        most = max(scores[label] for label in run.values)
        given = [label for label in run.values if scores[label] == most]
        assert given == (run.values if said is None else [said])


@pytest.mark.slow
def test_a_constituent_is_a_part_of_the_tree_and_a_run_of_words(datasets: SharedDatasets, tmp_path: Path) -> None:
    data = datasets("theory_of_mind/nesting_exchanged", n=FEW)
    score(order(data, "rule:constituent", tmp_path / "s"))
    rows = {row["id"]: row for batch in gramprobe.read(data).rows("nesting_exchanged") for row in batch.to_pylist()}
    said = set()
    for scores in read_scores(tmp_path / "s").table().to_pylist():
        row = rows[scores["item"]]
        inside = row["premise"].endswith(row["hypothesis"][1:])  # in these sentences clauses stand at the end
        assert (scores["entailment"] == 0.0) == inside
        said.add(inside)
    assert said == {True, False}


@pytest.mark.parametrize(
    ("whole", "part", "inside"),
    [
        (["Know", {"draw": "a"}, ["Assert", ["C", {"draw": "b"}]]], ["Assert", ["C", {"draw": "b"}]], True),
        (["Embed", {"draw": "a"}, ["C", {"draw": "b"}]], ["Assert", ["C", {"draw": "b"}]], True),
        (["Embed", {"draw": "a"}, ["C", {"draw": "c"}]], ["Assert", ["C", {"draw": "b"}]], False),
        (
            ["Both", ["C", {"draw": "a"}], ["C", {"draw": "b"}]],
            ["Both", ["C", {"draw": "b"}], ["C", {"draw": "a"}]],
            False,
        ),
        (["Know", {"draw": "a"}, ["C", {"draw": "b"}]], ["Name", {"draw": "a"}], False),
    ],
)
def test_which_trees_are_parts(whole: object, part: object, inside: bool) -> None:
    assert is_part(whole, part) == inside


def test_without_trees_the_items_are_refused_and_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"premise": "Jo knows that Al left.", "hypothesis": "Al left.", "label": "entailment"}]
    file = written(tmp_path / "pairs.csv", rows)
    command = ["score", str(file), "--task", "nli", "--model", "rule:constituent", "--out", str(tmp_path / "s")]
    assert main(command) == 1
    assert "the trees of its sentences are not known" in capsys.readouterr().err
    assert main([*command, "--skip-refused"]) == 0
    (row,) = read_scores(tmp_path / "s").table().to_pylist()
    assert (row["entailment"], row["flags"], read_scores(tmp_path / "s").run.refused) == (None, "trees", 1)


def test_a_rule_that_there_is_not_is_named_with_those_that_there_are(datasets: SharedDatasets, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="did you mean `overlap`"):
        score(order(datasets("presupposition/both", n=FEW), "rule:overlaps", tmp_path / "s"))


def test_a_rule_has_no_continuations(choices: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(choices), "--model", "rule:overlap", "--mode", "true_false"]) == 2
    assert "is a rule that does not reason" in capsys.readouterr().err
