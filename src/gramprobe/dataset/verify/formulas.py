"""The formulas of a row against those of its certificate.

Read and brought into canonical form they are the premise and hypothesis of the line: canonical form numbers names by
first occurrence, so that two pairs agree where they are one under a one-to-one exchange of names, and never otherwise.
For the same reason names may be exchanged before anything is read, and then most rows of a dataset are one text.
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
"""Pairs of formulas that are not those of their shape at first sight and are looked at again."""

WORDS = QUANTIFIERS | {"true", "false", "exh", "here", "occasion", "individual"}
"""What the notation itself says: no name."""

_NAME = re.compile(r"[A-Za-z](?:\w|-(?=\w))*'*", re.ASCII)


class Formulas:
    """Compares formulas with certificates.

    `defined`: the operators that the theory defines by others, None without the theory. What has one of them, `exh` or
    an update is compiled away before it has a shape; that it is this shape is shown by what is derived from the source
    files, and nothing is said of it here.
    """

    def __init__(self, defined: frozenset[str] | None) -> None:
        self.defined = defined
        self._kept = WORDS | (defined or frozenset())
        self._patience = PATIENCE
        self._shaped = lru_cache(maxsize=1 << 14)(self._read)

    def wrong(self, premise: str, hypothesis: str, line: Certificate) -> str:
        """What is wrong with the formulas of a row with that certificate; nothing: the empty text."""
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
        """The same of a formula that was decided with another one, which is not told."""
        try:
            text, _ = self._shaped(*self.exchanged(premise, "true"))
        except (FormulaError, RecursionError, ValueError):
            return "a formula cannot be read, or has no shape"
        if text is None or json.loads(text)["premise"] == line.data["premise"] or '"occasion"' in line.text:
            return ""  # whether a quantifier is over occasions may follow from the other formula, and the theory
        return f"the formula is not the premise of the shape `{line.data['shape']}`, however names are exchanged"

    def exchanged(self, *formulas: str) -> tuple[str, ...]:
        """The formulas with every name but those of the notation exchanged for another, by first occurrence."""
        if not all(map(str.isascii, formulas)):
            return formulas
        names: dict[str, str] = {}

        def other(match: re.Match[str]) -> str:
            name = match.group()
            return name if name in self._kept else names.setdefault(name, f"exchanged{len(names)}")

        return tuple(_NAME.sub(other, formula) for formula in formulas)

    def _read(self, premise: str, hypothesis: str) -> tuple[str | None, bool]:
        """The pair in the names of a shape (None: something is compiled away first), and has it operators?"""
        pair = parse(premise), parse(hypothesis)
        operators = {part.operator for formula in pair for part in ast.walk(formula) if isinstance(part, ast.Modal)}
        if operators & (self.defined or frozenset()) or any(map(_compiled, pair)):
            return None, True
        unknown = TheorySlice(operators=tuple(Operator(name=name, kind="box") for name in sorted(operators)))
        return canonical(*pair, unknown)[0], bool(operators)


def _compiled(formula: Formula) -> bool:
    return any(isinstance(part, ast.Exhaustified | ast.Announced | ast.EventUpdate) for part in ast.walk(formula))


def _in_theory(text: str, line: Certificate) -> str:
    """The pair in the theory of a line: what a quantifier ranges over may follow from the postulates only."""
    data = json.loads(text)
    pair = formula_from(data["premise"]), formula_from(data["hypothesis"])
    try:
        return canonical(*pair, theory_from_json(line.data["theory"]))[0]
    except ValueError:
        return ""
