"""A sum of terms of a formula, as the package formulaic evaluates it, with its columns named as R names them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gramprobe.analysis.mixed.coding import CONTRAST, LEVEL, Coding, adapter
from gramprobe.analysis.mixed.formula import FUNCTIONS
from gramprobe.analysis.mixed.layout import Floats
from gramprobe.source.diagnostic import AuthoringError, Span
from gramprobe.source.messages import analysis as messages


@dataclass(frozen=True)
class Predictor:
    """A column of the frame in formulaic's terms.

    Attributes:
        column: its name in the frame.
        name: its name in the formulas given to formulaic.
        coding: its contrasts; None for a number.
    """

    column: str
    name: str
    coding: Coding | None

    @property
    def factor(self) -> bool:
        """Whether it has several columns in the design."""
        return self.coding is not None and not self.coding.numeric

    @property
    def written(self) -> str:
        """What stands for it in a formula given to formulaic."""
        return f"C({self.name}, k_{self.name})" if self.factor else self.name


class Expression:
    """A sum of terms, as formulaic evaluates it.

    Attributes:
        text: in formulaic's names.
        terms: its terms, `1` for the intercept.
        columns: the names of its columns, as R has them.
        of_terms: of each term the places of its columns; `poly` is one.
    """

    def __init__(
        self,
        text: str,
        predictors: Mapping[str, Predictor],
        probe: Mapping[str, Any],
        functions: Mapping[str, Callable[[Floats], Floats]],
    ):
        self.text = text
        self._predictors = predictors
        if text == "1":
            self.terms: tuple[str, ...] = ("1",)
            self.columns: tuple[str, ...] = ("(Intercept)",)
            self.of_terms: dict[str, list[int]] = {"(Intercept)": [0]}
            return
        from formulaic import Formula as Terms
        from formulaic import ModelSpec

        self._codings = {f"k_{p.name}": adapter(p.coding) for p in predictors.values() if p.factor and p.coding}
        self._codings.update({name: getattr(np, name) for name in FUNCTIONS})
        self._codings.update(functions)
        self.terms = tuple(str(term) for term in Terms(text))
        spec = ModelSpec.from_spec(Terms(text), output="numpy", na_action="ignore")
        with np.errstate(divide="ignore", invalid="ignore"):
            matrix = spec.get_model_matrix(self._table(probe), context=self._codings)
        self._spec = matrix.model_spec
        self.columns = tuple(self._named(column) for column in self._spec.column_names)
        self.of_terms = {}
        for term, span in self._spec.term_slices.items():
            name = re.sub(r"(poly\([^)]*\))\d+", r"\1", self._named("Intercept" if term == "1" else str(term)))
            self.of_terms.setdefault(name, []).extend(range(span.start, span.stop))

    def evaluate(self, cells: Mapping[str, Any]) -> Floats:
        """Rows of the columns, from numbers and places of levels."""
        if self.text == "1":
            return np.ones((len(next(iter(cells.values()))), 1))
        with np.errstate(divide="ignore", invalid="ignore"):
            matrix = self._spec.get_model_matrix(self._table(cells), context=self._codings)
        found = np.asarray(matrix, dtype=np.float64)
        if not np.isfinite(found).all():
            at = int(np.argmin(np.isfinite(found).all(0)))
            whole = Span(messages.FORMULA, 1, 1)
            raise AuthoringError([messages.not_finite(whole, self.columns[at])])
        return found

    def _table(self, cells: Mapping[str, Any]) -> Any:
        import pandas

        found = {}
        for predictor in self._predictors.values():
            cell, coding = cells[predictor.column], predictor.coding
            if coding is None:
                found[predictor.name] = cell
            elif coding.numeric:
                found[predictor.name] = coding.matrix[cell, 0]
            else:
                found[predictor.name] = pandas.Categorical.from_codes(cell, list(coding.levels))
        return pandas.DataFrame(found)

    def _named(self, column: str) -> str:
        """The name that R gives a column: `followup1:det`."""
        if column == "Intercept":
            return "(Intercept)"
        of = {predictor.name: predictor for predictor in self._predictors.values()}

        def name(match: re.Match[str]) -> str:
            if match[5]:
                column = of[match[5]].column
                return f"scale({column})" if match[3] is None else f"poly({column}, {match[4]}){match[3]}"
            predictor = of[match[1] or match[6]]
            if match[2] is None:
                return predictor.column
            if predictor.coding is None or not predictor.factor:
                return predictor.column
            kind, at = match[2][0], int(match[2][1:])
            return predictor.coding.names[at] if kind == CONTRAST else predictor.column + predictor.coding.levels[at]

        factor = rf"C\((v\d+), k_v\d+\)(?:\[([{CONTRAST}{LEVEL}]\d+)\])?"
        return re.sub(rf"{factor}|(?:S|P(\d+)_(\d+))_(v\d+)\(v\d+\)|\b(v\d+)\b", name, column)
