"""The principles of a theory slice, one by one, and the slice that keeps only some of them.

`["closure", o]`: o is closed under entailment (without it, o has sets of worlds: Chellas 1980, ch. 7);
`["frame", o, condition]`, `["within", o, other]`, `["introspected_by", o, other]`, `["postulate", number]`,
`["distinct"]`: different names denote different individuals. Every model of a slice is a model of what is kept of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

_ORDER = ("reflexive", "serial", "transitive", "euclidean", "symmetric", "functional")
_QUANTIFIERS = ("all", "some", "atleast", "most")
_OPEN = {"box": "neighbourhood", "diamond": "dual"}


def principles(theory: Mapping[str, Any]) -> list[list[Any]]:
    """All principles in the order of the theory slice (JSON data of a certificate)."""
    listed: list[list[Any]] = []
    for name, kind, conditions, within, introspected_by in theory["operators"]:
        listed += [["closure", name]] if kind in _OPEN else []
        listed += [["frame", name, each] for each in _ORDER if each in conditions]
        listed += [["within", name, other] for other in within]
        listed += [["introspected_by", name, other] for other in introspected_by]
    listed += [["postulate", number] for number in range(len(theory["postulates"]))]
    return [*listed, ["distinct"]] if theory["distinct"] else listed


def closure_matters(proofs: Iterable[Mapping[str, Any]], formulas: Iterable[Any]) -> bool:
    """Whether closure counts as a principle that a label may rest on; elsewhere it is taken for granted.

    Only type elimination can do without closure, only if no bit is a quantified formula, and only if no formula has
    gaps (an operator with sets of worlds depends on where its body is true, and is bivalent).
    """
    return not any(map(partial, formulas)) and all(
        proof["kind"] == "type-elimination" and not any(_quantified(bit) for bit in proof["bits"]) for proof in proofs
    )


def partial(formula: Any) -> bool:
    """Whether a JSON formula may be undefined somewhere, by its form."""
    if not isinstance(formula, list):
        return False
    return formula[:1] == ["presupposing"] or formula[:2] == ["quantified", "the"] or any(map(partial, formula))


def _quantified(formula: Any) -> bool:
    return isinstance(formula, list) and (formula[0] in _QUANTIFIERS or any(map(_quantified, formula)))


def restricted(theory: Mapping[str, Any], kept: Sequence[Sequence[Any]]) -> dict[str, Any]:
    """The theory slice with these principles only."""
    operators = []
    for name, kind, conditions, within, introspected_by in theory["operators"]:
        operators.append(
            [
                name,
                kind if ["closure", name] in kept else _OPEN.get(kind, kind),
                [each for each in conditions if ["frame", name, each] in kept],
                [other for other in within if ["within", name, other] in kept],
                [other for other in introspected_by if ["introspected_by", name, other] in kept],
            ]
        )
    postulates = [each for number, each in enumerate(theory["postulates"]) if ["postulate", number] in kept]
    return {**theory, "operators": operators, "postulates": postulates, "distinct": ["distinct"] in kept}
