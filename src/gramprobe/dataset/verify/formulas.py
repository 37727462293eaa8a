"""Compare the formulas of a row with those of its certificate.

In canonical form the row's formulas must be the premise and hypothesis of the line. Canonical form numbers names by
first occurrence, so that two pairs have the same form exactly if a one-to-one exchange of names turns one into the
other. Therefore names may be exchanged before formulas are parsed, and then most rows of a dataset have the same text
and need to be parsed once.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache

from gramprobe.dataset.verify.certificates import Certificate
from gramprobe.formula import ast
from gramprobe.formula.ast import Formula
from gramprobe.formula.canonical import canonical
from gramprobe.formula.encoding import formula_from, theory_from_json
from gramprobe.formula.lexer import QUANTIFIERS
from gramprobe.formula.notation import FormulaError, parse
from gramprobe.formula.theory import Operator, TheorySlice

PATIENCE = 100
"""The largest number of pairs that are compared again with the theory of their line, which takes longer."""

WORDS = QUANTIFIERS | {"true", "false", "exh", "here", "occasion", "individual"}
"""Words of the notation, which are not names."""

_NAME = re.compile(r"[A-Za-z](?:\w|-(?=\w))*'*", re.ASCII)


class Formulas:
    """Compares formulas with certificates.

    `defined`: the operators that the theory defines by others; None without the theory. Formulas with such an operator,
    with `exh` or an update are reduced before they have a shape, so that they are not compared here; deriving the rows
    from the source files shows whether they have this shape.
    """

    def __init__(self, defined: frozenset[str] | None) -> None:
        self.defined = defined
        self._kept = WORDS | (defined or frozenset())
        self._patience = PATIENCE
        self._shaped = lru_cache(maxsize=1 << 14)(self._read)

    def wrong(self, premise: str, hypothesis: str, line: Certificate) -> str:
        """How the formulas of a row differ from those of its certificate; empty if they agree."""
        try:
            text, operators = self._shaped(*self.exchanged(premise, hypothesis))
        except FormulaError as error:
            return f"a formula cannot be read: {error.message}"
        except RecursionError:
            return "a formula is nested too deep"
        except ValueError as error:
            return f"a formula has no shape: {error}"
        if text is None or text.endswith(line.formulas):
            return ""
        if '"occasion"' in line.text and self._patience > 0:
            self._patience -= 1
            if _in_theory(text, line) == line.text:
                return ""
        unless = "" if self.defined is not None or not operators else ", unless its theory, not here, defines operators"
        return f"the formulas are not those of the shape `{line.data['shape']}`, however names are exchanged{unless}"

    def wrong_premise(self, premise: str, line: Certificate) -> str:
        """How a formula differs from the premise of a certificate; empty if they agree. The hypothesis is not known."""
        try:
            text, _ = self._shaped(*self.exchanged(premise, "true"))
        except (FormulaError, RecursionError, ValueError):
            return "a formula cannot be read, or has no shape"
        if text is None or json.loads(text)["premise"] == line.data["premise"] or '"occasion"' in line.text:
            return ""  # whether a quantifier is over occasions may follow from the other formula, and the theory
        return f"the formula is not the premise of the shape `{line.data['shape']}`, however names are exchanged"

    def exchanged(self, *formulas: str) -> tuple[str, ...]:
        """The formulas with their names numbered by first occurrence: `cat(jo)` and `dog(amy)` give the same text."""
        if not all(map(str.isascii, formulas)):
            return formulas
        names: dict[str, str] = {}

        def other(match: re.Match[str]) -> str:
            name = match.group()
            return name if name in self._kept else names.setdefault(name, f"exchanged{len(names)}")

        return tuple(_NAME.sub(other, formula) for formula in formulas)

    def _read(self, premise: str, hypothesis: str) -> tuple[str | None, bool]:
        """The pair in canonical form (None if it must be reduced first), and whether it has operators."""
        pair = parse(premise), parse(hypothesis)
        operators = {part.operator for formula in pair for part in ast.walk(formula) if isinstance(part, ast.Modal)}
        if operators & (self.defined or frozenset()) or any(map(_compiled, pair)):
            return None, True
        unknown = TheorySlice(operators=tuple(Operator(name=name, kind="box") for name in sorted(operators)))
        return canonical(*pair, unknown)[0], bool(operators)


def _compiled(formula: Formula) -> bool:
    return any(ast.signature(part, "verify").stage == "sentence" for part in ast.walk(formula))


def _in_theory(text: str, line: Certificate) -> str:
    """The canonical form of a pair in the theory of a line: the sort of a quantifier may follow from postulates."""
    data = json.loads(text)
    pair = formula_from(data["premise"]), formula_from(data["hypothesis"])
    try:
        return canonical(*pair, theory_from_json(line.data["theory"]))[0]
    except ValueError:
        return ""
