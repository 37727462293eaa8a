"""How often models prefer the good sentence of a minimal pair: by constraint, licensor and factor, by several measures,
and as differences of differences where sentences are crossed.

A paradigm whose good and bad sentences are crossed by factors (number of the subject x number of the verb, gap x
filler) has every word as often in good as in bad ones; the interaction of log-probabilities is then of the constraint
alone (Sprouse, Wagers & Phillips 2012), whatever the words are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
from msgspec import UNSET
from numpy.typing import NDArray

from gramprobe.analysis.factor_tables import Answered, Measure, effects_method
from gramprobe.analysis.factor_tables import tables as factor_tables
from gramprobe.analysis.factorial import Factor
from gramprobe.analysis.findings import Figure, Findings, Number, bars_of
from gramprobe.analysis.means import difference, mean, mean_method, numbered, share_method
from gramprobe.analysis.output.table import MINUS, Column, Interval, Table, Unit, Value, percent
from gramprobe.analysis.papers import blimp
from gramprobe.analysis.runs import CLUSTER, Run, by_model, clustered_rows
from gramprobe.analysis.study import Given
from gramprobe.dataset.manifest import Design
from gramprobe.records import CRITICAL, SPILL, in_headline
from gramprobe.score.results import read_scores

Floats = NDArray[np.float64]
GOOD, BAD = "sentence_good", "sentence_bad"
OF_ALL = percent("acceptability", "good sentence preferred, all pairs")
MEASURES = {
    "whole": "whole sentence",
    "same_length": "whole sentence, equally many tokens",
    "per_token": "mean over tokens",
    "per_character": "by character",
    CRITICAL: "critical word",
    SPILL: "word behind it",
}
"""Measure -> what it compares."""


class Acceptability:
    name = "acceptability"
    about = "minimal pairs: good sentences preferred, by constraint and factor, and differences of differences"
    source = ""
    needs = "give scores of --mode minimal_pair on a dataset of `task minimal_pair`"

    def fits(self, run: Run) -> bool:
        return {GOOD, BAD} <= set(run.parts) and any("constraint" in run.dataset.columns(p) for p in run.paradigms)

    def findings(self, runs: Sequence[Run], given: Given) -> Findings:
        found = {
            model: [Pairs(run, name, given.cluster) for run in own for name in run.paradigms]
            for model, own in by_model(runs).items()
        }
        found = {model: [each for each in own if len(each.margin)] for model, own in found.items()}
        main, by_level = _by_paradigm(found, given), _by_level(found, given)
        differences = _of_differences(found)
        tables = [main, _measures(found, given), *(each for each in (by_level, differences) if each.rows)]
        crossed = [table for name in _names(found) for table in _differences(name, found)]
        figure = Figure(
            "acceptability",
            "How often the good sentence is preferred, by paradigm, with 95 % intervals.",
            "A group of bars for each paradigm, a bar for each model; the numbers are in the table.",
            bars_of(main, {model: i - len(found) for i, model in enumerate(found)}, y="good preferred", n=2),
        )
        whole = main.rows[-1][-len(found) :] if main.rows else ()
        return Findings(
            self.name,
            "Acceptability",
            tuple(tables),
            details=tuple(crossed),
            figures=(figure,),
            numbers=tuple(Number(model, value, OF_ALL) for model, value in zip(found, whole, strict=False)),
            warnings=tuple(warning for run in runs for warning in run.warnings()),
        )


STUDY = Acceptability()


@dataclass(frozen=True)
class Pairs:
    """The scored pairs of a paradigm by one model."""

    run: Run
    paradigm: str
    cluster: str

    @cached_property
    def items(self) -> pa.Table:
        """The minimal pairs that have a value of both sentences and a cluster."""
        tags = self.every.column("tag").to_pylist()
        return self.every.filter(pa.array([in_headline(tag) for tag in tags], pa.bool_()))

    @cached_property
    def every(self) -> pa.Table:
        """The same with those that differ in several factors, whose sentences are cells of the design."""
        wanted = ["condition", "constraint", "licensor", "tag", GOOD, BAD]
        texts = [f"{name}_text" for name in (GOOD, BAD)]
        rows = clustered_rows(self.run, self.paradigm, wanted, self.cluster)
        names = [*rows.column_names]
        for name, text in zip((GOOD, BAD), texts, strict=True):  # a part has the name of the column that it is of
            names[names.index(name)] = text
        rows = rows.rename_columns(names)
        if not {GOOD, BAD} <= set(names):
            return rows.slice(0, 0)
        kept = np.ones(rows.num_rows, np.bool_)
        for name in (GOOD, BAD, CLUSTER):
            kept &= rows.column(name).is_valid().to_numpy()
        return rows.filter(pa.array(kept))

    @property
    def design(self) -> Design:
        return self.run.dataset.design(self.paradigm)

    def texts(self, name: str) -> list[str]:
        """A column of the items."""
        return [value or "" for value in self.items.column(name).to_pylist()]

    @cached_property
    def clusters(self) -> NDArray[np.int64]:
        """(pairs,) what belongs together."""
        return numbered([f"{self.paradigm}/{each}" for each in self.texts(CLUSTER)])

    @cached_property
    def margin(self) -> Floats:
        """(pairs,) log P of the good sentence less that of the bad one, in nats."""
        return self.of(GOOD) - self.of(BAD)

    def of(self, part: str) -> Floats:
        """(pairs,) the value of a part; NaN where an item has none."""
        if part not in self.items.column_names:
            return np.full(self.items.num_rows, np.nan)
        return np.asarray(self.items.column(part).to_numpy(), np.float64)

    def right(self, margin: Floats) -> Floats:
        """(pairs,) 1 where the good sentence is preferred, a half where both tie; NaN where there is no margin."""
        tied = np.abs(margin) <= self.run.tie
        return np.where(np.isnan(margin), np.nan, np.where(tied, 0.5, (margin > 0).astype(np.float64)))

    @cached_property
    def margins(self) -> dict[str, Floats]:
        """Measure -> (pairs,) by how much it prefers the good sentence."""
        longer = [np.array([len(text) for text in self.texts(f"{name}_text")], np.float64) for name in (GOOD, BAD)]
        if self.run.people:  # who was asked about sentences as a whole
            return {"whole": self.margin}
        found = {"whole": self.margin, "per_character": self.of(GOOD) / longer[0] - self.of(BAD) / longer[1]}
        tokens = _tokens(self.run)
        if tokens:
            counts = [np.array([tokens.get((i, p), np.nan) for i in self.texts("id")]) for p in (GOOD, BAD)]
            found["per_token"] = self.of(GOOD) / counts[0] - self.of(BAD) / counts[1]
            found["same_length"] = np.where(counts[0] == counts[1], self.margin, np.nan)
        for place in (CRITICAL, SPILL):
            found[place] = self.of(f"{GOOD}/{place}") - self.of(f"{BAD}/{place}")
        return {name: found[name] for name in MEASURES if name in found and not np.isnan(found[name]).all()}

    def levels(self) -> dict[str, list[str]]:
        """What pairs are grouped by -> (pairs,) the level of each: licensors, factors between instances, numbers of
        drawn words below and from their median on."""
        found = {"licensor": self.texts("licensor")}
        for factor in () if self.design.factors is UNSET else self.design.factors:
            if factor.of == "condition":
                continue
            drawn = self.run.rows(self.paradigm, [f"draws.{factor.draw}", "id"])
            of_item = dict(zip(drawn["id"].to_pylist(), drawn[f"draws.{factor.draw}"].to_pylist(), strict=True))
            words = [of_item[item] for item in self.texts("id")]
            values = [self._value(word, "" if factor.column is UNSET else factor.column) for word in words]
            found[factor.name] = _halves(values) if factor.kind == "number" else values
        return {name: own for name, own in found.items() if len({*own} - {""}) > 1}

    def _value(self, word: str, column: str) -> str:
        known = self.run.dataset.words.get(word)
        return word if not column or known is None else str(known.values.get(column, ""))

    @cached_property
    def crossed(self) -> dict[str, dict[str, str]]:
        """Condition -> its level of each factor; none without cells."""
        cells = () if self.design.cells is UNSET else self.design.cells
        return {condition: cell.levels for cell in cells for condition in cell.conditions}

    @property
    def weights(self) -> dict[str, float]:
        """Sentence -> its weight in the difference of differences: good ones less bad ones where they are as many, or,
        of four that two factors cross, what the one bad one has less than the others let expect; else none."""
        sides = {each.name: each.side for each in self.design.conditions}
        bad, levels = [name for name, side in sides.items() if side == "bad"], self.crossed
        if 2 * len(bad) == len(sides) and levels.keys() == sides.keys():
            return {name: (-1 if side == "bad" else 1) / len(bad) for name, side in sides.items()}
        if len(bad) != 1 or len(levels) != 4 or levels.keys() != sides.keys():
            return {}
        worst = levels[bad[0]]
        return {name: 1 - 2 * float(sum(own[f] != worst[f] for f in own) % 2 == 0) for name, own in levels.items()}

    @property
    def comparisons(self) -> list[dict[str, float]]:
        """The weights, and for each factor whose two levels stand in pairs as a whole: those of the first level less
        those of the second."""
        found = [own for own in (self.weights,) if own]
        bad = [each.name for each in self.design.conditions if each.side == "bad"]
        good = [each.name for each in self.design.conditions if each.side == "good"]
        for factor in (self.design.factors or ()) if found and len(good) == len(bad) else ():
            pairs = [self.design.levels_of(f"{g}-{b}").get(factor.name) for g, b in zip(good, bad, strict=True)]
            if len(factor.levels) == 2 and {*pairs} == {*factor.levels}:
                signs = [1 if level == factor.levels[0] else -1 for level in pairs]
                counts = [pairs.count(level) for level in pairs]
                of = zip(good, bad, signs, counts, strict=True)
                found.append({name: sign * own / n for g, b, own, n in of for name, sign in ((g, 1), (b, -1))})
        return found

    @cached_property
    def sentences(self) -> Answered | None:
        """Log-probabilities of the sentences of crossed conditions, each once an instance; None without factors."""
        if self.design.cells is UNSET or self.design.factors is UNSET:
            return None
        levels = self.crossed
        values: dict[tuple[str, str], float] = {}
        instances, pairs = (self.every.column(name).to_pylist() for name in ("instance", "condition"))
        for part, at in ((GOOD, 0), (BAD, 1)):
            for instance, pair, value in zip(instances, pairs, self.every.column(part).to_pylist(), strict=True):
                values[instance, pair.split("-")[at]] = value
        kept = {key: value for key, value in values.items() if key[1] in levels}
        names = [factor.name for factor in self.design.factors if factor.of == "condition"]
        numbers, own = np.array([*kept.values()]), [condition for _, condition in kept]
        clusters = numbered([instance for instance, _ in kept])
        return Answered(
            self.run.model,
            numbers,
            np.array([instance for instance, _ in kept], object),
            {name: np.array([levels[condition][name] for condition in own], object) for name in names},
            {},
            lambda rows: difference(numbers[rows], clusters[rows]),
            np.array(own, object),
        )


def _tokens(run: Run) -> Mapping[tuple[str, str], float]:
    """(item, sentence) -> its number of tokens; nothing for files of other programs."""
    if run.record is None:
        return {}
    table = read_scores(run.path).table().select(["item", "part", "tokens"])
    columns = (table.column(name).to_pylist() for name in table.column_names)
    return {(item, part): count for item, part, count in zip(*columns, strict=True) if part in (GOOD, BAD)}


def _halves(values: Sequence[str]) -> list[str]:
    """Below the median of some numbers, or from it on; empty where there is no number."""
    numbers = [float(value) if value not in ("", "None") else np.nan for value in values]
    middle = float(np.nanmedian(numbers)) if not np.isnan(numbers).all() else 0.0
    said = f"below {middle:g}", f"from {middle:g} on"
    return ["" if number != number else said[number >= middle] for number in numbers]


def _clusters(pairs: Sequence[Pairs]) -> NDArray[np.int64]:
    """What belongs together in the pairs of several paradigms."""
    starts = np.cumsum([0, *(len(each.margin) for each in pairs)])
    return np.concatenate([each.clusters + start for each, start in zip(pairs, starts[:-1], strict=True)])


_Found = Mapping[str, Sequence[Pairs]]


def _names(found: _Found) -> list[str]:
    return list(dict.fromkeys(each.paradigm for own in found.values() for each in own))


def _in(found: _Found, paradigm: str) -> list[Pairs | None]:
    """The pairs of a paradigm by each model."""
    return [next((each for each in own if each.paradigm == paradigm), None) for own in found.values()]


def _mean(pairs: Pairs | None, rows: NDArray[np.bool_] | None = None) -> Value:
    if pairs is None:
        return None
    kept = np.ones(len(pairs.margin), np.bool_) if rows is None else rows
    return mean(pairs.right(pairs.margin)[kept], pairs.clusters[kept]) if kept.any() else None


def _models(found: _Found) -> list[Column]:
    return [percent(f"model_{i}", model) for i, model in enumerate(found, 1)]


def _by_paradigm(found: _Found, given: Given) -> Table:
    rows: list[tuple[Value, ...]] = []
    for name in _names(found):
        own = _in(found, name)
        first = next(each for each in own if each is not None)
        n, constraint = len(first.margin), first.texts("constraint")[0]
        rows.append((name, constraint, n, blimp.people(name), *map(_mean, own)))
    if len(rows) > 1:
        whole: list[Interval | float] = []
        for pairs in found.values():
            right = np.concatenate([each.right(each.margin) for each in pairs])
            whole.append(mean(right, _clusters(pairs)))
        rows.append(("all", "", max(sum(len(each.margin) for each in own) for own in found.values()), None, *whole))
    columns = [Column("paradigm", "paradigm"), Column("constraint", "constraint"), Column("n", "pairs")]
    columns += [Column("people", "people on BLiMP", 2, Unit.SHARE), *_models(found)]
    notes = (f"People on BLiMP: how often they chose the good sentence of BLiMP's nearest paradigm ({blimp.SOURCE}).",)
    caption = "How often the good sentence is likelier as a whole, by paradigm."
    shown = tuple(columns)
    return Table("acceptability", caption, shown, tuple(rows), notes, 2, methods=(share_method(given.cluster),))


def _measures(found: _Found, given: Given) -> Table:
    """For each model how often each measure prefers the good sentence, and how often it agrees with the whole one."""
    rows: list[tuple[Value, ...]] = []
    sections: dict[int, str] = {}
    for model, pairs in found.items():
        sections[len(rows)] = model
        for measure, said in MEASURES.items():
            having = [each for each in pairs if measure in each.margins]
            if not having:
                continue
            right = np.concatenate([each.right(each.margins[measure]) for each in having])
            whole = np.concatenate([each.right(each.margin) for each in having])
            clusters = _clusters(having)
            kept = ~np.isnan(right)
            agree = (right[kept] == whole[kept]).astype(np.float64)
            accuracy, agreement = mean(right[kept], clusters[kept]), mean(agree, clusters[kept])
            rows.append((said, int(kept.sum()), accuracy, agreement))
    columns = (
        Column("measure", "measure"),
        Column("n", "pairs"),
        percent("accuracy", "good preferred"),
        percent("agreement", "same as whole sentence"),
    )
    notes = (
        "Critical word: at which the bad sentence goes wrong, in pairs that are equal up to there. "
        "Equally many tokens: of the model, in the two sentences of a pair.",
    )
    caption = "How often each measure prefers the good sentence, and decides as the whole sentence does."
    methods = (share_method(given.cluster),)
    return Table("acceptability_measures", caption, columns, tuple(rows), notes, sections=sections, methods=methods)


def _by_level(found: _Found, given: Given) -> Table:
    rows: list[tuple[Value, ...]] = []
    for name in _names(found):
        own = _in(found, name)
        levels = [{} if each is None else each.levels() for each in own]
        for factor in dict.fromkeys(factor for known in levels for factor in known):
            for level in dict.fromkeys(one for known in levels for one in known.get(factor, ()) if one):
                where = [np.array([one == level for one in known.get(factor, ())], np.bool_) for known in levels]
                cells = [_mean(each, at) if at.any() else None for each, at in zip(own, where, strict=True)]
                rows.append((name, factor, level, max(int(at.sum()) for at in where), *cells))
    columns = [Column("paradigm", "paradigm"), Column("factor", "factor"), Column("level", "level")]
    columns += [Column("n", "pairs"), *_models(found)]
    caption = (
        "How often the good sentence is likelier, by what licenses its word, by the factors of the design, and by the "
        "numbers that the lexicon has of drawn words (as their length), below the median and from it on."
    )
    methods = (share_method(given.cluster),)
    return Table("acceptability_levels", caption, tuple(columns), tuple(rows), stub=3, methods=methods)


def _of_differences(found: _Found) -> Table:
    """For each paradigm what breaking the constraint takes from the log-probability, beyond the words of its cells, and
    how that differs between the levels of a factor."""
    rows: list[tuple[Value, ...]] = []
    for name in _names(found):
        own = _in(found, name)
        for weights in next((each.comparisons for each in own if each is not None), []):
            cells: list[Value] = []
            for each in own:
                answered = each.sentences if each is not None else None
                effects = answered.contrasts({name: weights}) if answered is not None else []
                cells.append(effects[0].value if effects else None)
            if any(cell is not None for cell in cells):
                shown = " ".join(f"{'+' if w > 0 else MINUS} {c}" for c, w in weights.items()).removeprefix("+ ")
                rows.append((name, shown, *cells))
    columns = [Column("paradigm", "paradigm"), Column("compared", "compared")]
    columns += [Column(f"model_{i}", model) for i, model in enumerate(found, 1)]
    caption = (
        "What breaking the constraint takes from the log-probability of a sentence, in nats, beyond what its words do."
    )
    notes = (
        "First row of a paradigm: good less bad sentences, added up as written, so that words which both have cancel; "
        "above 0 the bad sentence is less likely than its words are. Further rows, where a factor has two levels of "
        "pairs: the same at the first level less that at the second.",
    )
    method = effects_method((), "rows", tested=False)
    return Table("acceptability_differences", caption, tuple(columns), tuple(rows), notes, stub=2, methods=(method,))


def _differences(name: str, found: _Found) -> Iterator[Table]:
    """The effects of crossed sentences on log-probabilities; the interaction is the difference of differences."""
    own = [each for each in _in(found, name) if each is not None]
    answered = [each.sentences for each in own if each.sentences is not None]
    if not answered:
        return
    declared = next(each.design.factors for each in own)
    factors = tuple(Factor(each.name, tuple(each.levels), True) for each in declared or () if each.of == "condition")
    method = mean_method()  # of sentences, which belong to instances whatever else is drawn
    measure = Measure(f"log-probability of sentences (nats) in `{name}`", "logprob", f"_acceptability_{name}", method)
    yield from factor_tables(answered, factors, {}, measure)
