"""Formulas typed by hand: read, checked against a theory, decided."""

from __future__ import annotations

from gramprobe.decide.shape import Decider, Decision
from gramprobe.formula import ast
from gramprobe.formula.ast import Formula
from gramprobe.formula.notation import FormulaError, parse
from gramprobe.resolve.project import Declarations
from gramprobe.source.diagnostic import AuthoringError, Findings, UsageError

UNDECIDED: dict[type, str] = {
    ast.Exhaustified: "strengthening (`exh`)",
    ast.Announced: "an announcement (`[! F]`)",
    ast.EventUpdate: "an event update (`[E]`)",
}


def decide(premise: str, hypothesis: str, theory: str, declarations: Declarations) -> Decision:
    """Decide two formulas in a theory; words of the lexicon have no axioms here, since there is no sentence.

    Raises UsageError for a formula that cannot be read, AuthoringError for mistakes in the theory's file.
    """
    findings = Findings()
    found = declarations.theory(theory, None, findings)
    if found is None or findings.failed:
        raise AuthoringError(findings.items)
    formulas = tuple(
        _read(t, side, found.operator_names) for t, side in ((premise, "premise"), (hypothesis, "hypothesis"))
    )
    try:
        return Decider().decide(formulas[0], formulas[1], found.slice(formulas, {}))
    except ValueError as error:
        raise UsageError(str(error), code="E07") from error


def _read(text: str, side: str, operators: tuple[str, ...]) -> Formula:
    try:
        formula = parse(text, operators=operators)
    except FormulaError as error:
        mark = " " * error.offset + "^" * max(1, error.length)
        raise UsageError(
            f"the {side} cannot be read: {error.message}\n    {text}\n    {mark}", error.hint or "", "E07"
        ) from error
    for part in ast.walk(formula):
        if type(part) in UNDECIDED:
            raise UsageError(
                f"the {side} has {UNDECIDED[type(part)]}, which this version reads and does not decide", code="E07"
            )
    return formula
