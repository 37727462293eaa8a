"""Certificates of the suite, forged with every hash computed anew: the kernel turns each down.

The hardest forgery is a proof of what is not so: a neutral pair passed off as an entailment, with real proofs of other
pairs in place of the counter-model.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from suite_decisions import decision
from suite_rows import rows

from gramprobe.certify.check import check_entry, digest
from gramprobe.certify.reject import CertificateError
from gramprobe.decide.verdict import certificate_line

Line = dict[str, Any]


@cache
def texts() -> tuple[str, ...]:
    """A line of certificates.jsonl for every row."""
    decisions = [decision(row) for row in rows()]
    return tuple(dict.fromkeys(json.dumps(certificate_line(each.shape, each.verdict)) for each in decisions))


def lines(step: int = 1) -> list[Line]:
    """Every line, or one of so many."""
    return [json.loads(text) for text in texts()[::step]]


def hashed(line: Line) -> Line:
    """The line with its hashes made to fit."""
    line["shape"] = digest({key: line[key] for key in ("theory", "premise", "hypothesis")})[:16]
    line["sha256"] = digest({key: line[key] for key in line if key != "sha256"})
    return line


def refused(line: Line) -> None:
    with pytest.raises(CertificateError):
        check_entry(hashed(line))


def another_label(line: Line) -> None:
    line["label"] = "neutral" if line["label"] != "neutral" else "entailment"


def another_kind(line: Line) -> None:
    line["kind"] = "venn" if line["kind"] != "venn" else "herbrand"


def no_models(line: Line) -> None:
    line["findings"] = [] if line["findings"] else ["hypothesis valid"]


def no_absence(line: Line) -> None:
    line["absent"] = {}


def a_model_for_another_value(line: Line) -> None:
    line["models"] = dict(zip(line["models"], reversed(line["models"].values()), strict=True))
    if len(line["models"]) == 1:
        (model,) = line["models"].values()
        line["models"] = {"T" if "F" in line["models"] else "F": model}
        line["h_values"] = next(iter(line["models"]))


def an_actual_world_beyond(line: Line) -> None:
    for model in line["models"].values():
        model["actual"] = model["worlds"]


def the_premise_denied(line: Line) -> None:
    line["premise"] = ["not", line["premise"]] if line["premise"][0] != "question" else ["not", line["premise"][1]]


def no_relations(line: Line) -> None:
    for model in line["models"].values():
        model["relations"] = {key: [] for key in model["relations"]}


@pytest.mark.slow
@pytest.mark.parametrize(
    "forge", [another_label, another_kind, no_models, no_absence, a_model_for_another_value, an_actual_world_beyond]
)
@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.deep)])
def test_a_forged_line_is_refused(forge: Callable[[Line], None], step: int) -> None:
    """``step``: of so many lines one is forged."""
    forged = 0
    for line in lines(step):
        if not line["models"] and forge in (a_model_for_another_value, an_actual_world_beyond):
            continue
        if forge is no_absence and not line["absent"]:
            continue
        forge(line)
        refused(line)
        forged += 1
    assert forged >= 250 // step


@pytest.mark.slow
def test_the_models_of_a_premise_are_not_models_of_its_negation() -> None:
    for line in lines():
        if line["models"] and line["premise"] is not None and line["premise"][0] != "question":
            the_premise_denied(line)
            refused(line)


@pytest.mark.slow
def test_models_that_see_nothing_have_no_reflexive_frame() -> None:
    reflexive = [
        line
        for line in lines()
        if any("reflexive" in operator[2] for operator in line["theory"]["operators"])
        and any(model["relations"] for model in line["models"].values())
    ]
    assert len(reflexive) >= 100
    for line in reflexive:
        no_relations(line)
        refused(line)


@pytest.mark.slow
@pytest.mark.parametrize("turns", [1, pytest.param(3, marks=pytest.mark.deep)])
def test_no_real_proof_proves_what_is_not_so(turns: int) -> None:
    """``turns``: how many proofs of each kind are tried in every lie."""
    every = lines()
    proofs: dict[str, list[Any]] = {}
    for line in every:
        for proof in line["absent"].values():
            if proof["kind"] not in ("bounded", "prover"):
                proofs.setdefault(proof["kind"], []).append(proof)
    forged = 0
    for number, line in enumerate(every):
        if line["label"] != "neutral":
            continue
        for pool in proofs.values():
            for turn in range(turns):
                proof = pool[(number * 7 + turn * 31) % len(pool)]
                lie = json.loads(json.dumps(line))
                for value in set("FU") & set(lie["models"]):
                    lie["alone"] = {"N": lie["models"].pop(value)}  # so that nothing but the proof is wrong
                    lie["absent"][value] = proof
                lie |= {"label": "entailment", "h_values": "T", "kind": proof["kind"]}
                lie["absent"] = {value: lie["absent"][value] for value in "TFU" if value in lie["absent"]}
                refused(lie)
                forged += 1
    assert forged >= 333 * turns
