"""Released files of the three papers as what the analyses compute on: the analyses against published numbers."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from gramprobe.analysis.papers import de_re
from gramprobe.analysis.papers.imppres import (
    _OF_PREMISE,
    CONTROL,
    Pairs,
    _column,
)
from gramprobe.analysis.papers.scope import Quadruples, from_values
from gramprobe.analysis.papers.scope_choices import Choices
from gramprobe.certify.rule import LABELS
from gramprobe.formats.imppres import RELATIONS
from gramprobe.formats.nli import TWO_WAY
from gramprobe.source.diagnostic import UsageError

Floats = NDArray[np.float64]
EXACTLY = dict(
    zip(
        RELATIONS,
        [
            "entailment", "neutral", "contradiction", "contradiction", "neutral", "neutral", "entailment", "neutral",
            *["contradiction"] * 4,
        ],
        strict=True,
    )
)  # fmt: skip
"""Condition -> its label where numerals mean exactly so many and negation stands above them (theory `numerals-exact`;
docs/theory/implicature.md, "Numerals")."""

# -- Kamath et al. (2024)


def quadruples(items: pa.Table, values: Mapping[tuple[str, str], float]) -> Quadruples:
    """The items of `formats.scope.CONTINUATION` with a value for each (item, part), by id and never by row.

    Raises ValueError, with the id, for a value that is missing or of an item that is not there.
    """
    names = ("item", "op1_kind", "op2_kind")
    rows = zip(*(items.column(name).to_pylist() for name in names), strict=True)
    pairs = {item: f"{one} × {other}" for item, one, other in rows}
    unknown = next((item for item, _ in values if item not in pairs), None)
    if unknown is not None:
        raise ValueError(f"there is a value of `{unknown}`, which is no item")
    return from_values(pairs, values)


def scores_of(scores: pa.Table, model: str) -> dict[tuple[str, str], float]:
    """The scores of one model, of `scope_files.SCORES`, by item and part."""
    rows = zip(*(scores.column(name).to_pylist() for name in ("item", "part", "model", "value")), strict=True)
    return {(item, part): value for item, part, found, value in rows if found == model}


def choices_of(items: pa.Table, answers: pa.Table) -> Choices:
    """Choices from the released items (`scope_files.CHOICE`) and the answers to them (`scope_files.CHOSEN`), of one
    model. Answers are joined by item and order; what is neither A nor B counts as the wrong option, as in the paper's
    script.

    The option that the key names picks the reading that people prefer, and the other one the other reading.
    """
    said: dict[tuple[str, int, bool], str] = {
        (item, order, control): answer
        for item, order, control, answer in zip(
            *(answers.column(name).to_pylist() for name in ("item", "order", "control", "answer")), strict=True
        )
    }
    rows = items.to_pylist()
    letters = {"A": 1.0, "B": 0.0}
    other = {"surface": "inverse", "inverse": "surface"}

    def chose(control: bool) -> Floats:
        given = [said.get((row["item"], row["order"], control)) for row in rows]
        wrong = [1.0 - letters[row["key"]] for row in rows]
        return np.array([np.nan if g is None else letters.get(g, w) for g, w in zip(given, wrong, strict=True)])

    return Choices(
        items=tuple(row["item"] for row in rows),
        orders=tuple(row["order"] for row in rows),
        pairs=tuple(f"{row['op1_kind']} × {row['op2_kind']}" for row in rows),
        picks_a=tuple(row["reading"] if row["key"] == "A" else other[row["reading"]] for row in rows),
        picks_b=tuple(row["reading"] if row["key"] == "B" else other[row["reading"]] for row in rows),
        preferred=tuple(row["reading"] for row in rows),
        first=chose(False),
        control=chose(True),
    )


# -- Jeretic et al. (2020)


NO_IMPLICATURE = "no_impl"
"""What the released files of numerals call the three pairs in which they see no implicature."""
_RELEASED_HYPOTHESIS = {"positive": "presupposed", "negated": "denied", "neutral": "neutral", "": CONTROL}


def from_released(items: pa.Table, predicted: pa.Table, model: str) -> Pairs:
    """The released pairs with the answers of a model, joined by `item`.

    Args:
        items: rows of `imppres_files.implicature` or of `imppres_files.presupposition`; several files as one table.
        predicted: rows of `imppres_files.predictions` (`item` and a number for each label, of which the largest is
            the answer), or of `formats.predictions.predicted` (`item`, `label`).
        model: what tables call the model.

    Pairs without an answer are left out and counted. Raises UsageError (E47) for answers to unknown pairs, two answers
    to one, other labels, and for an implicature file whose rows do not stand in the order of Table 2.
    """
    names = items.column("item").to_pylist()
    known = set(names)
    asked = predicted.column("item").to_pylist()
    strange = next((item for item in asked if item not in known), None)
    if strange is not None:
        raise UsageError(
            f"the answers of {model} are of `{strange}`, which the files do not have",
            "give the files that were scored", "E47",
        )  # fmt: skip
    if len(set(asked)) < len(asked):
        raise UsageError(f"{model} has two answers to one pair", "keep one of them", "E47")
    labels, table = _released_shares(predicted, model)
    at = {item: row for row, item in enumerate(asked)}
    kept = [row for row, item in enumerate(names) if item in at]
    rows = items.take(kept).to_pylist()
    implicature = "label_imppres" in items.column_names
    conditions = [_released_implicature(row) if implicature else _released_presupposition(row) for row in rows]
    triggers = [row["item"].partition("/")[0].removesuffix("_presupposition") for row in rows]
    literal = [row["label_literal" if implicature else "label"] for row in rows]
    pragmatic = [row["label_imppres" if implicature else "label"] for row in rows]
    numerals = [trigger.startswith("numerals") for trigger in triggers]
    exactly = [EXACTLY[c] if n else "" for c, n in zip(conditions, numerals, strict=True)]
    return Pairs(
        model=model,
        triggers=_column(triggers),
        instances=_column([row["paradigm"] for row in rows]),
        conditions=_column(conditions),
        literal=_column(literal),
        pragmatic=_column(pragmatic),
        exactly=_column(exactly),
        labels=labels,
        shares=table[[at[row["item"]] for row in rows]],
        missing=len(names) - len(kept),
    )


def _released_shares(predicted: pa.Table, model: str) -> tuple[tuple[str, ...], Floats]:
    if "label" not in predicted.column_names:
        numbers = np.column_stack([predicted.column(name).to_numpy() for name in LABELS]).astype(float)
        if not np.isfinite(numbers).all():
            raise UsageError(f"a prediction of {model} is no finite number", "fetch the predictions anew", "E47")
        best = numbers == numbers.max(axis=1, keepdims=True)
        return LABELS, best / best.sum(axis=1, keepdims=True)
    given = predicted.column("label").to_pylist()
    labels = next((each for each in (LABELS, TWO_WAY) if set(given) <= set(each)), ())
    if not labels:
        strange = sorted(set(given) - set(LABELS))[0]
        what = "labels are entailment, neutral and contradiction, or entailment and not_entailment"
        raise UsageError(f"{model} has the label `{strange}`", what, "E47")
    return labels, np.array([[float(name == label) for label in labels] for name in given])


def _released_implicature(row: Mapping[str, str]) -> str:
    """The condition of a row, by its place among the twelve of its paradigm, which its relation has to fit."""
    place = int(row["item"].rpartition("/")[2])
    condition, released = list(RELATIONS.items())[place]
    if row["condition"] != released and not row["condition"].startswith(NO_IMPLICATURE):
        raise UsageError(
            f"`{row['item']}` is a pair `{row['condition']}` where `{released}` is expected",
            "give the released files with their rows in order", "E47",
        )  # fmt: skip
    return condition


def _released_presupposition(row: Mapping[str, str]) -> str:
    return f"{_OF_PREMISE[row['trigger']]}-{_RELEASED_HYPOTHESIS[row['presupposition']]}"


# -- Kamath and Bradford (2023)


def from_release(table: pa.Table) -> de_re.SentenceScores:
    """The sentences of `formats.de_re.BIAS`."""
    frames = {"intensional": "finite", "intensional_nf": "infinitive", de_re.PERCEPTUAL: "perception"}
    names = {
        "determiner": "determiner",
        "subject": "subject",
        "followup": "followup",
        "matrix_verb": "verb",
        "emb_verb": "embedded_verb",
        "emb_subject": "noun",
        "verb_class": "verb_class",
    }
    columns = {factor: table.column(name) for factor, name in names.items()}
    columns["subject"] = pc.utf8_lower(columns["subject"])
    classes = columns["verb_class"].to_pylist()
    columns["frame"] = pa.chunked_array([pa.array([frames.get(name, name) for name in classes], pa.string())])
    whole = pa.table({factor: column.dictionary_encode() for factor, column in columns.items()})
    scores = [table.column(name).to_numpy() for name in ("subject_score", "embedded_score")]
    return de_re._scored(whole, np.column_stack(scores))
