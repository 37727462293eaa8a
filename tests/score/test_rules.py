"""Rules that do not reason: what they say of pairs, and as models that are scored."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.datasets import SharedDatasets

import gramprobe
from gramprobe.baselines.rules import RULES
from gramprobe.cli.main import main
from gramprobe.score.results import read_scores
from gramprobe.score.run import score
from gramprobe.source.diagnostic import UsageError
from score.conftest import order

OWL = "The owl that the boy saw slept."


@pytest.mark.parametrize(
    ("rule", "premise", "hypothesis", "label"),
    [
        ("overlap", OWL, "The boy slept.", "entailment"),
        ("overlap", OWL, "The girl slept.", "neutral"),
        ("subsequence", OWL, "The boy saw.", "entailment"),
        ("subsequence", OWL, "The boy slept.", "neutral"),
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


@pytest.mark.parametrize("name", RULES)
def test_a_rule_is_scored_like_a_model_and_says_what_it_says(
    name: str, datasets: SharedDatasets, tmp_path: Path
) -> None:
    data = datasets("presupposition/only", n=4)
    run = score(order(data, "rule:" + name, tmp_path / "s"))
    assert (run.model.kind, run.values, run.settings.weights) == (
        "rule",
        ["entailment", "neutral", "contradiction"],
        {},
    )
    rows = {row["id"]: row for batch in gramprobe.read(data).rows("only") for row in batch.to_pylist()}
    for scores in read_scores(tmp_path / "s").table().to_pylist():
        said = RULES[name].says(rows[scores["item"]]["premise"], rows[scores["item"]]["hypothesis"])
        given = [label for label in run.values if scores[label] == 0.0]
        assert given == (run.values if said is None else [said])


def test_a_rule_that_there_is_not_is_named_with_those_that_there_are(datasets: SharedDatasets, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="did you mean `overlap`"):
        score(order(datasets("presupposition/only", n=4), "rule:overlaps", tmp_path / "s"))


def test_a_rule_has_no_continuations(choices: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(choices), "--model", "rule:overlap", "--mode", "choice"]) == 2
    assert "is a rule that gives labels" in capsys.readouterr().err
