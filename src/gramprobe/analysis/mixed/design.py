"""From a formula and a frame to the columns of a design, and to their cross products."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import numpy as np
import pyarrow as pa

from gramprobe.analysis.mixed.coding import KINDS, Coding
from gramprobe.analysis.mixed.expression import Expression, Predictor
from gramprobe.analysis.mixed.formula import FUNCTIONS, Bar, Formula, Token, call_at, groups, place
from gramprobe.analysis.mixed.frame import Frame, Scan, numbers, ordered, scan
from gramprobe.analysis.mixed.layout import Floats, Grouping, Indices, Layout, Term
from gramprobe.analysis.mixed.polynomials import Polynomials
from gramprobe.analysis.mixed.products import CrossProducts
from gramprobe.source.diagnostic import AuthoringError, Span, UsageError
from gramprobe.source.messages import analysis as messages
from gramprobe.source.nearest import did_you_mean, listed

#: at most so many combinations of values of predictors are tabulated
PATTERNS = 4096

#: numbers for each text in a column of texts from which on the texts are taken for mistakes
MOSTLY = 9


class Design:
    """The columns of a model, and how the rows of a frame become rows of them.

    Attributes:
        formula: as it was read.
        layout: the order of columns and parameters.
        codings: of each predictor that is a factor in the frame, how it is coded.
        shift: taken from every score before sums are made, so that no digits are lost; the intercept has it back.
    """

    def __init__(
        self,
        formula: Formula,
        frame: Frame,
        *,
        codings: Mapping[str, str] | None = None,
        levels: Mapping[str, tuple[str, ...]] | None = None,
    ):
        """``codings``: column -> one of :data:`~gramprobe.analysis.mixed.coding.KINDS`; a factor of two levels is coded
        +0.5 and -0.5 without one, others by sum contrasts. ``levels``: column -> its levels in their order; without it
        they are in alphabetical order.

        Raises AuthoringError: E96 for names that are not in the frame and codings that do not fit, E97 for columns that
        cannot be analysed, E98 for random terms that cannot be estimated.
        """
        self.formula = formula
        self.frame = frame
        codings, levels = codings or {}, levels or {}
        self._check_names()
        self._factors = tuple(dict.fromkeys(factor for bar in formula.bars for factor in groups(bar)))
        known = {t.text: _is_number(frame.schema.field(t.text).type) for t in formula.predictors}
        self._check_options(codings, levels, known)
        self._check_texts([name for name, number in known.items() if not (number or name in codings or name in levels)])
        taken = {name: number and name not in codings and name not in levels for name, number in known.items()}
        self._scan: Scan = scan(frame, formula.response.text, taken, self._factors, self._scores)
        self.predictors = {
            name: Predictor(name, f"v{i}", None if number else self._coding(name, codings, levels))
            for i, (name, number) in enumerate(taken.items())
        }
        self._expressions: list[Expression] = []
        self._functions: dict[str, Callable[[Floats], Floats]] = {}
        self.layout = self._layout()
        self.shift = self._scan.mean if "(Intercept)" in self.layout.fixed else 0.0

    @property
    def rows(self) -> int:
        return self._scan.rows

    @property
    def answers(self) -> tuple[float, ...]:
        """The values of the scores in their order; none where there are many."""
        return () if self._scan.scores.many else tuple(sorted(float(value) for value in self._scan.scores.codes))

    @property
    def codings(self) -> tuple[Coding, ...]:
        return tuple(p.coding for p in self.predictors.values() if p.coding is not None)

    # What a formula names is there, and can be what it is named as.

    def _check_names(self) -> None:
        formula, names = self.formula, self.frame.schema.names
        tokens = (formula.response, *formula.predictors, *formula.factors)
        problems = [
            messages.unknown_column(formula.place(token), token.text, names, self.frame.name)
            for token in tokens
            if token.text not in names
        ]
        if problems:
            raise AuthoringError(problems)
        nested = [t for t in tokens if pa.types.is_nested(self.frame.schema.field(t.text).type)]
        if nested:
            raise AuthoringError([messages.nested(formula.place(token), token.text) for token in nested])
        kind = self.frame.schema.field(formula.response.text).type
        if not _is_number(kind):
            if next(iter(self.frame.batches(names[:1])), None) is None:
                raise AuthoringError([messages.no_rows(self.frame.place(1))])
            found = _called(kind)
            strays = self.frame.strays(formula.response.text)
            if strays is not None:
                place = Span(self.frame.name, strays.line, 1)
                raise AuthoringError([messages.no_number(place, formula.response.text, strays.cell, strays.count)])
            raise AuthoringError([messages.not_a_number(formula.place(formula.response), formula.response.text, found)])

    def _check_texts(self, names: Sequence[str]) -> None:
        """Raise AuthoringError (E97) for predictors that are texts for a few cells alone, where the others are numbers:
        as factors they would have a level for every number."""
        problems = []
        for name in names if self.frame.text is not None else ():
            strays = self.frame.strays(name)
            if strays is not None and strays.numbers >= MOSTLY * strays.count:
                place = Span(self.frame.name, strays.line, 1)
                problems.append(messages.no_number(place, name, strays.cell, strays.count, factor=True))
        if problems:
            raise AuthoringError(problems)

    def _check_options(
        self, codings: Mapping[str, str], levels: Mapping[str, tuple[str, ...]], known: Mapping[str, bool]
    ) -> None:
        whole = place(0, len(self.formula.text))
        for name in (*codings, *levels):
            if name not in known:
                problem = messages.bad_coding(
                    whole, name, "no predictor of the formula", f"there are {listed([*known])}"
                )
                raise AuthoringError([problem])
        for name, kind in codings.items():
            if kind not in KINDS:
                help = f"one of {listed(KINDS)}"
                raise AuthoringError([messages.bad_coding(whole, name, f"`{kind}` is not a coding", help)])

    def _coding(self, name: str, codings: Mapping[str, str], levels: Mapping[str, tuple[str, ...]]) -> Coding:
        found = ordered(self._scan.values[name])
        if set(found) == {"False", "True"}:
            found = ("True", "False")
        order = levels.get(name, found)
        token = next(t for t in self.formula.predictors if t.text == name)
        if sorted(order) != sorted(found):
            help = f"the frame has {listed(found)}"
            raise AuthoringError(
                [messages.bad_coding(self.formula.place(token), name, f"{listed(order)} are not its levels", help)]
            )
        kind = codings.get(name, "half" if len(found) == 2 else "sum")
        if kind == "half" and len(found) != 2:
            problem = f"`half` is for two levels, and it has {len(found)}"
            raise AuthoringError([messages.bad_coding(self.formula.place(token), name, problem, "take `sum`")])
        return Coding(name, kind, order)

    # Columns and terms.

    def _layout(self) -> Layout:
        fixed = self._expression(self.formula.fixed)
        terms: list[Term] = []
        for bar in self.formula.bars:
            for factor in groups(bar):
                terms += [Term(factor=":".join(factor), columns=e.columns) for e in self._split(bar)]
        at = {":".join(factor): factor for factor in self._factors}
        groupings = []
        for name, factor in at.items():
            own = [term for term in terms if term.factor == name]
            columns = [column for term in own for column in term.columns]
            twice = next((c for c in columns if columns.count(c) > 1), None)
            if twice is not None:
                raise AuthoringError([messages.twice(self._place(factor), name, twice)])
            groupings.append(Grouping(factor=name, levels=self._levels(factor), columns=tuple(columns)))
        return Layout(fixed.columns, tuple(groupings), tuple(terms))

    def _place(self, factor: tuple[str, ...]) -> Span:
        token = next(t for t in self.formula.factors if t.text == factor[-1])
        return self.formula.place(token)

    def place_of(self, factor: str) -> Span:
        """Where a grouping factor stands in the formula."""
        return self._place(next(f for f in self._factors if ":".join(f) == factor))

    def place_of_column(self, name: str) -> Span:
        """Where in the formula the last predictor of a column of the fixed effects stands."""
        parts = name.split(":")
        tokens = [t for t in self.formula.predictors if any(part.startswith(t.text) for part in parts)]
        return self.formula.place(tokens[-1]) if tokens else place(0, len(self.formula.text))

    def _levels(self, factor: tuple[str, ...]) -> tuple[str, ...]:
        if len(factor) == 1:
            return ordered(self._scan.levels[factor[0]])
        names = [list(self._scan.levels[column].codes) for column in factor]
        return tuple(
            ":".join(names[i][code] for i, code in enumerate(combination)) for combination in self._combinations(factor)
        )

    def _combinations(self, factor: tuple[str, ...]) -> list[tuple[int, ...]]:
        """The combinations of a grouping factor of several columns, by the numbers of their values; sorted by level."""
        places = [self._places(column) for column in factor]
        return sorted(
            self._scan.pairs[factor],
            key=lambda combination: tuple(int(places[i][code]) for i, code in enumerate(combination)),
        )

    def _places(self, column: str) -> Indices:
        """For each number of a value of a column its place among the ordered levels."""
        values = self._scan.levels[column]
        order = {name: i for i, name in enumerate(ordered(values))}
        return np.array([order[name] for name in values.codes], dtype=np.int64)

    def _split(self, bar: Bar) -> list[Expression]:
        """The expressions of a bar: itself, or of a double bar one for each of its terms."""
        whole = self._expression(bar.slopes)
        if not bar.double:
            return [whole]
        parts = [term if term == "1" else f"0 + {term}" for term in whole.terms]
        return [self._expression_of(part, bar.slopes) for part in parts]

    def _expression(self, tokens: tuple[Token, ...]) -> Expression:
        words, past = [], 0
        for i, token in enumerate(tokens):
            if i < past:
                continue
            call = call_at(tokens, i)
            if call is not None:
                column, degree, size = call
                words.append(f" {self._of_column(column, degree, token)} ")
                past = i + size
                continue
            function = token.text in FUNCTIONS and i + 1 < len(tokens) and tokens[i + 1].text == "("
            if token.kind == "name" and not function:
                words.append(f" {self.predictors[token.text].written} ")
            else:  # formulaic knows a call by the bracket right behind the name
                words.append(token.text if token.text in "()" else f" {token.text}")
        return self._expression_of(" ".join("".join(words).split()) or "1", tokens)

    def _of_column(self, column: str, degree: int, token: Token) -> str:
        """A function of a whole column in formulaic's names: `poly` is a sum of its degrees."""
        predictor = self.predictors[column]
        if predictor.coding is not None:
            problem = messages.unreadable(self.formula.place(token), f"`{token.text}` is for numbers, not for factors")
            raise AuthoringError([problem])
        names = [f"P{i}_{degree}_{predictor.name}" for i in range(1, degree + 1)] or [f"S_{predictor.name}"]
        if names[0] not in self._functions:
            rows = [numbers(batch.column(column)) for batch in self.frame.batches([column])]
            polynomials = Polynomials(np.concatenate(rows), max(degree, 1), unit=not degree)
            self._functions.update({name: partial(polynomials, i) for i, name in enumerate(names, start=1)})
        calls = " + ".join(f"{name}({predictor.name})" for name in names)
        return calls if len(names) == 1 else f"({calls})"

    def _expression_of(self, text: str, tokens: tuple[Token, ...]) -> Expression:
        for known in self._expressions:
            if known.text == text:
                return known
        try:
            found = Expression(text, self.predictors, self._probe(), self._functions)
        except AuthoringError:
            raise
        except Exception as error:  # formulaic has errors of many kinds, without places
            at, end = tokens[0].at, tokens[-1].at + tokens[-1].length
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise AuthoringError([messages.unreadable(place(at, end - at), reason)]) from error
        if not found.columns:
            at, end = tokens[0].at, tokens[-1].at + tokens[-1].length
            raise AuthoringError([messages.unreadable(place(at, end - at), "no column is left of these terms")])
        self._expressions.append(found)
        return found

    @cached_property
    def hypotheses(self) -> dict[str, Floats]:
        """Of each term of the fixed effects but the intercept the combinations of them that are zero where it has no
        effect, by the hypotheses of type III: each term beside all others, main effects as means over the levels of
        other factors with equal weights, numbers in products at zero.

        With codings that sum to zero over the levels these are the term's own coefficients. Other codings are
        translated: X' b' = X b for all rows, X' being coded so.
        """
        own = self._expression(self.formula.fixed)
        centred = {
            name: replace(p, coding=replace(p.coding, kind="sum"))
            if p.coding is not None and p.coding.kind == "treatment"
            else p
            for name, p in self.predictors.items()
        }
        if centred == self.predictors:
            weights: Floats = np.eye(len(own.columns))
            of_terms = own.of_terms
        else:
            other = Expression(own.text, centred, self._probe(), self._functions)
            cells = self._cells_anyhow()
            weights = np.asarray(np.linalg.lstsq(other.evaluate(cells), own.evaluate(cells), rcond=None)[0], np.float64)
            of_terms = other.of_terms
        return {name: weights[places] for name, places in of_terms.items() if name != "(Intercept)"}

    def _cells_anyhow(self) -> dict[str, Any]:
        """Rows in which predictors have all kinds of values together: levels at random, numbers of the frame."""
        random = np.random.Generator(np.random.PCG64(0))
        count = 50 + 20 * len(self.layout.fixed)
        found: dict[str, Any] = {}
        for name, predictor in self.predictors.items():
            if predictor.coding is not None:
                found[name] = random.integers(0, len(predictor.coding.levels), count)
            else:
                found[name] = random.choice(np.array([float(v) for v in self.values_of(name)]), count)
        return found

    def marginal(self, names: Sequence[str]) -> dict[str, Floats]:
        """Of each combination of levels of these factors the weights of the fixed effects in its mean: over all
        combinations of the other factors' levels, each with the same weight, with numbers at their mean over the rows
        (estimated marginal means; Searle, Speed and Milliken 1980).

        Raises UsageError for a name that is not a factor of the formula.
        """
        factors = {name: p.coding.levels for name, p in self.predictors.items() if p.coding is not None}
        for name in names:
            if name not in factors:
                raise UsageError(f"no factor `{name}`{did_you_mean(name, factors)}", f"there are {listed([*factors])}")
        sizes = [len(levels) for levels in factors.values()]
        grid = dict(zip(factors, np.indices(sizes).reshape(len(sizes), -1), strict=True))
        count = int(np.prod(sizes))
        cells: dict[str, Any] = {
            name: grid[name] if name in grid else np.full(count, self._mean_of(name)) for name in self.predictors
        }
        rows = self._expression(self.formula.fixed).evaluate(cells)
        found: dict[str, Floats] = {}
        for places in np.ndindex(*(len(factors[name]) for name in names)):
            inside = np.all([grid[name] == i for name, i in zip(names, places, strict=True)], axis=0)
            found[", ".join(factors[n][i] for n, i in zip(names, places, strict=True))] = rows[inside].mean(0)
        return found

    def _mean_of(self, column: str) -> float:
        sums = [(float(numbers(batch.column(column)).sum()), len(batch)) for batch in self.frame.batches([column])]
        return sum(total for total, _ in sums) / sum(count for _, count in sums)

    def _probe(self) -> dict[str, Any]:
        """A few rows in which every level of every factor stands, so that formulaic knows them all."""
        size = max((len(p.coding.levels) for p in self.predictors.values() if p.coding is not None), default=2)
        found: dict[str, Any] = {}
        for predictor in self.predictors.values():
            if predictor.coding is not None:
                found[predictor.column] = np.arange(size) % len(predictor.coding.levels)
            else:
                values = [float(v) for v in self._scan.values[predictor.column].codes][:size]
                found[predictor.column] = np.resize(np.array(values), size)
        return found

    # Rows.

    def products(self) -> CrossProducts:
        """The cross products of all rows of the frame: a second pass over them."""
        sums = CrossProducts(self.layout, self.shift)
        for design, pattern, levels, scores in self.batches():
            sums.add(design, pattern, levels, scores)
        return sums

    def batches(self) -> Iterator[tuple[Floats, Indices, list[Indices], Floats]]:
        """All rows of the frame, batch by batch: different rows of the design by ``layout.columns`` (the same object
        for every batch where they are tabulated), which of them each row has, the level of each row by grouping factor,
        the scores."""
        names = [self.formula.response.text, *self.predictors, *(name for factor in self._factors for name in factor)]
        finals = [self._final(factor) for factor in self._factors]
        tabulated = self._tabulated()
        for batch in self.frame.batches(names):
            if not len(batch):
                continue
            codes = {
                name: values.coded(batch.column(name)) for name, values in self._scan.values.items() if not values.many
            }
            if tabulated is not None:
                design, pattern = tabulated.rows(codes, len(batch))
            else:
                design, pattern = self.evaluate(self._cells(batch, codes)), np.arange(len(batch))
            level_codes = {name: values.coded(batch.column(name)) for name, values in self._scan.levels.items()}
            levels = [final(level_codes) for final in finals]
            yield design, pattern, levels, self._scores(batch)

    def _scores(self, batch: pa.RecordBatch) -> Floats:
        """The scores of a batch, or what the formula's function makes of them."""
        response, function = self.formula.response, self.formula.function
        found = numbers(batch.column(response.text))
        if not function:
            return found
        with np.errstate(divide="ignore", invalid="ignore"):
            found = np.asarray(getattr(np, function)(found), dtype=np.float64)
        if not np.isfinite(found).all():
            raise AuthoringError([messages.not_finite(self.formula.place(response), f"{function}({response.text})")])
        return found

    def values_of(self, name: str) -> list[Any]:
        """The values of a predictor, by their codes."""
        return list(self._scan.values[name].codes)

    def cells(self, names: Sequence[str]) -> Iterator[tuple[dict[str, Indices], Floats]]:
        """Batch by batch the codes of these predictors, and the scores."""
        for batch in self.frame.batches([self.formula.response.text, *names]):
            if len(batch):
                yield {name: self._scan.values[name].coded(batch.column(name)) for name in names}, self._scores(batch)

    def _tabulated(self) -> Table | None:
        """The table of all combinations of predictors' values, where there are few."""
        sizes = [len(self._scan.values[name].codes) for name in self.predictors]
        many = any(self._scan.values[name].many for name in self.predictors)
        if many or int(np.prod(sizes, dtype=object)) > PATTERNS:
            return None
        return Table(self, tuple(self.predictors), tuple(sizes))

    def _cells(self, batch: pa.RecordBatch, codes: Mapping[str, Indices]) -> dict[str, Any]:
        """Of each predictor the number, or the place of its level, in each row of a batch."""
        found: dict[str, Any] = {}
        for name, predictor in self.predictors.items():
            if predictor.coding is None:
                found[name] = numbers(batch.column(name))
            else:
                found[name] = self.level_places(predictor)[codes[name]]
        return found

    def level_places(self, predictor: Predictor) -> Indices:
        """For each number of a value the place of its level in the coding."""
        assert predictor.coding is not None
        order = {level: i for i, level in enumerate(predictor.coding.levels)}
        return np.array([order[level] for level in self._scan.values[predictor.column].codes], dtype=np.int64)

    def numbers_of(self, column: str) -> Floats:
        """The values of a column of few numbers, by their codes."""
        return np.array([float(v) for v in self._scan.values[column].codes])

    def evaluate(self, cells: Mapping[str, Any]) -> Floats:
        """Rows of the design by ``layout.columns``, for predictors' values: numbers, or places of levels."""
        found: dict[str, Floats] = {}
        for expression in self._expressions:
            if set(expression.columns) <= found.keys():
                continue
            found.update(zip(expression.columns, expression.evaluate(cells).T, strict=True))
        return np.column_stack([found[name] for name in self.layout.columns])

    def _final(self, factor: tuple[str, ...]) -> Any:
        """A function from the numbers of values to the numbers of levels of a grouping factor."""
        if len(factor) == 1:
            table = self._places(factor[0])
            return lambda codes: table[codes[factor[0]]]
        sizes = [len(self._scan.levels[name].codes) for name in factor]
        known = self._combinations(factor)
        keys = np.array([np.ravel_multi_index(combination, sizes) for combination in known], dtype=np.int64)
        order_of = np.argsort(keys)

        def of(codes: Mapping[str, Indices]) -> Indices:
            wanted = np.ravel_multi_index([codes[name] for name in factor], sizes)
            return order_of[np.searchsorted(keys, wanted, sorter=order_of)]

        return of


class Table:
    """The rows of the design for all combinations of the values of predictors, computed when they are met."""

    def __init__(self, design: Design, names: tuple[str, ...], sizes: tuple[int, ...]):
        self._design, self._names, self._sizes = design, names, sizes
        total = int(np.prod(sizes)) if sizes else 1
        self._known = np.zeros(total, dtype=bool)
        self._rows: Floats = np.zeros((total, len(design.layout.columns)))

    def rows(self, codes: Mapping[str, Indices], count: int) -> tuple[Floats, Indices]:
        """The table, and of each of the ``count`` rows of a batch its place there."""
        columns = [codes[name] for name in self._names]
        pattern = np.ravel_multi_index(columns, self._sizes) if columns else np.zeros(count, dtype=np.int64)
        new = np.flatnonzero((np.bincount(pattern, minlength=len(self._known)) > 0) & ~self._known)
        if len(new):
            cells: dict[str, Any] = {}
            places = np.unravel_index(new, self._sizes) if columns else ()
            for name, place_ in zip(self._names, places, strict=True):
                predictor = self._design.predictors[name]
                table = (
                    self._design.numbers_of(name) if predictor.coding is None else self._design.level_places(predictor)
                )
                cells[name] = table[place_]
            self._rows[new] = self._design.evaluate(cells or {"": new})
            self._known[new] = True
        return self._rows, pattern


def _called(kind: pa.DataType) -> str:
    """What the cells of a column hold that are no numbers."""
    if pa.types.is_null(kind):
        return "empty cells"
    if pa.types.is_boolean(kind):
        return "truth values: write 1 and 0"
    return "dates or times" if pa.types.is_temporal(kind) else "texts"


def _is_number(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))
