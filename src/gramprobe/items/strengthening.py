"""The columns of labels, which differ in what is strengthened.

    literal        the formulas as they are
    pragmatic      `exh` on premise and hypothesis, the convention of IMPPRES (Jeretic et al. 2020)
    premise_only   `exh` on the premise alone: what follows from an utterance together with its implicatures

A paradigm without a scale is decided in the literal column only, and its rows repeat that label in the others.
"""

from __future__ import annotations

from gramprobe.formula import ast
from gramprobe.formula.ast import Formula
from gramprobe.resolve.paradigm.data import LABEL_COLUMNS, Paradigm


def columns_of(paradigm: Paradigm) -> tuple[str, ...]:
    """The columns in which the pairs of a paradigm are decided."""
    return LABEL_COLUMNS if paradigm.scale else LABEL_COLUMNS[:1]


def strengthened(column: str, formula: Formula, is_premise: bool) -> Formula:
    """The formula of a side in a column: with `exh`, or as it is. A question is not strengthened."""
    strong = column == "pragmatic" or (column == "premise_only" and is_premise)
    return ast.Exhaustified(formula) if strong and not isinstance(formula, ast.Interrogative) else formula
