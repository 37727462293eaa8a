"""Kamath and Bradford (2023), "Does a neural model understand the de re / de dicto distinction?": matrix subject bias.

After *Mary believes that a dentist is singing. I met ...* two noun phrases are scored at the place of a pronoun. The
matrix subject bias is the score of the subject (*Mary*) less that of the embedded one (*a dentist*): high where the
sentence has a reading on which there need be no dentist, as under an intensional verb with an indefinite. It is
explained by a linear mixed model (their 5.1), whose random part is that of the released script: the intercept and the
follow-up's contrasts of a word are correlated, its other slopes are not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from gramprobe.analysis.output.table import Interval
from gramprobe.analysis.runs import Run
from gramprobe.source.diagnostic import AuthoringError

if TYPE_CHECKING:
    from gramprobe.analysis.mixed.model import Model

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

FACTORS = ("determiner", "type", "frame", "subject", "followup", "matrix_verb", "emb_verb", "emb_subject")
GROUPS = ("emb_subject", "matrix_verb", "emb_verb")
"""The grouping factors, in the order of the released script."""
COLUMNS = {
    "determiner": "draws.d",
    "subject": "draws.who",
    "followup": "draws.met",
    "matrix_verb": "draws.verb",
    "emb_verb": "draws.act",
    "emb_subject": "draws.noun",
    "frame": "frame",
    "verb_class": "verb_class",
}
"""Factor -> the column of our rows that has it."""
CANDIDATES = ("candidate_subject", "candidate_embedded")
PERCEPTUAL, EXTENSIONAL, INTENSIONAL = "perceptual", "extensional", "intensional"
FOLLOWUPS = {"greet": "greeted", "like": "liked", "meet": "met"}
LEVELS = {
    "determiner": ("indefinite", "deictic"),
    "type": (PERCEPTUAL, INTENSIONAL),
    "subject": ("mary", "john"),
    "followup": ("greeted", "liked", "met"),
}
"""Factor -> its levels. The first of two is coded 0.5, the second -0.5; three have R's unscaled Helmert contrasts."""


@dataclass(frozen=True)
class SentenceScores:
    """The two scores of each sentence, and what it is made of.

    Attributes:
        names: factor -> the names of its levels.
        codes: factor -> (sentences,) the number of its level.
        scores: (sentences, 2) of the matrix subject and of the embedded one: mean log probabilities, in nats.
    """

    names: dict[str, tuple[str, ...]]
    codes: dict[str, Indices]
    scores: Floats

    def __len__(self) -> int:
        return len(self.scores)

    @cached_property
    def bias(self) -> Floats:
        """(sentences,) the matrix subject bias."""
        found: Floats = self.scores[:, 0] - self.scores[:, 1]
        return found

    def where(self, kept: NDArray[np.bool_]) -> SentenceScores:
        """Some of the sentences."""
        return SentenceScores(self.names, {name: codes[kept] for name, codes in self.codes.items()}, self.scores[kept])

    def is_level(self, factor: str, level: str) -> NDArray[np.bool_]:
        """(sentences,) whether a factor has a level."""
        if level not in self.names[factor]:
            return np.zeros(len(self), np.bool_)
        found: NDArray[np.bool_] = self.codes[factor] == self.names[factor].index(level)
        return found

    def levels(self, factor: str) -> tuple[str, ...]:
        """The levels that sentences have, those of `LEVELS` first."""
        there = np.bincount(self.codes[factor], minlength=len(self.names[factor])) > 0
        own = [name for name, some in zip(self.names[factor], there.tolist(), strict=True) if some]
        known = [name for name in LEVELS.get(factor, ()) if name in own]
        return (*known, *sorted(name for name in own if name not in known))

    @property
    def table(self) -> pa.Table:
        """`bias` and the factors with the levels that sentences have, for `mixed.model.mixed_model`."""
        columns = {"bias": pa.array(self.bias)}
        for name, codes in self.codes.items():
            there = np.flatnonzero(np.bincount(codes, minlength=len(self.names[name])))
            indices = pa.array(np.searchsorted(there, codes), pa.int32())
            names = pa.array([self.names[name][i] for i in there.tolist()], pa.string())
            columns[name] = pa.DictionaryArray.from_arrays(indices, names)
        return pa.table(columns)


def fits(run: Run) -> tuple[str, ...]:
    """The paradigms of a run whose rows have the two candidates and the factors, where both were scored."""
    if not set(CANDIDATES) <= set(run.parts):
        return ()
    return tuple(n for n in run.paradigms if {*CANDIDATES, "frame", "verb_class"} <= set(run.dataset.columns(n)))


def from_run(run: Run) -> SentenceScores:
    """The sentences of a run: of the mode `coref`, or a file of values of both candidates.

    Sentences of which a candidate was refused are left out. Verbs that the paper has not (`verb_class` extensional) are
    of a type of their own. Raises ValueError if no sentence has both scores.
    """
    tables, scores = [], []
    for paradigm in fits(run):
        rows = run.rows(paradigm, tuple(COLUMNS.values()))
        if not set(CANDIDATES) <= set(rows.column_names):
            continue
        both = np.column_stack([rows.column(name).to_numpy() for name in CANDIDATES]).astype(float)
        kept = ~np.isnan(both).any(axis=1)
        factors = rows.select(tuple(COLUMNS.values())).rename_columns(list(COLUMNS))
        coded = [pc.fill_null(factors.column(name), "").dictionary_encode() for name in COLUMNS]
        tables.append(pa.table(coded, names=list(COLUMNS)).filter(pa.array(kept)))
        scores.append(both[kept])
    if not sum(map(len, scores)):
        raise ValueError(f"no item of {run.dataset.folder.name} has scores of both candidates")
    whole = pa.concat_tables(tables).unify_dictionaries()
    found = _scored(whole, np.vstack(scores))
    for factor in GROUPS:
        found.names[factor] = _words(run, found.names[factor])
    return found


def _words(run: Run, ids: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a factor as they are written: by their first form; by their id where two are written alike."""
    words = run.dataset.words
    written = [next(iter(words[id_].forms.values()), id_) if id_ in words else id_ for id_ in ids]
    return tuple(word if written.count(word) == 1 else id_ for word, id_ in zip(written, ids, strict=True))


def _scored(table: pa.Table, scores: Floats) -> SentenceScores:
    names: dict[str, tuple[str, ...]] = {}
    codes: dict[str, Indices] = {}
    for name in table.column_names:
        column = table.column(name).unify_dictionaries().combine_chunks()
        names[name] = tuple(column.dictionary.to_pylist())
        codes[name] = column.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    names["followup"] = tuple(FOLLOWUPS.get(name, name) for name in names["followup"])
    types = (INTENSIONAL, PERCEPTUAL, EXTENSIONAL)
    of = [types.index(name) if name in types else 0 for name in names["verb_class"]]
    names["type"], codes["type"] = types, np.array(of, np.int64)[codes["verb_class"]]
    return SentenceScores({name: names[name] for name in FACTORS}, {name: codes[name] for name in FACTORS}, scores)


# -- the mixed model


@dataclass(frozen=True)
class Fitted:
    """The mixed model that could be estimated.

    Attributes:
        model: the model, with its formula and warnings.
        steps: for each model that was tried before, its name and why it could not be estimated.
        name: of the model: `as fitted in the paper's script`, or a simpler one.
    """

    model: Model
    name: str
    steps: tuple[tuple[str, str], ...]


AS_FITTED = "as fitted in the paper's script"


def fit(found: SentenceScores) -> Fitted | None:
    """Their model of 5.1 as the released script fits it, or the richest simpler one that these sentences can estimate;
    None where none can be.

    Predictors of which there is one level are left out, and so are words of which there is one.
    """
    from gramprobe.analysis.mixed.model import mixed_model  # which scipy makes slow to import

    steps: list[tuple[str, str]] = []
    levels = {name: own for name in LEVELS if len(own := found.levels(name)) > 1}
    table = found.table
    for name, formula in formulas(found):
        try:
            model = mixed_model(
                formula, table, codings={n: "helmert" for n in levels if n == "followup"}, levels=levels
            )
        except AuthoringError as error:
            steps.append((name, error.diagnostics[0].message))
            continue
        return Fitted(model, name, tuple(steps))
    return None


def formulas(found: SentenceScores) -> list[tuple[str, str]]:
    """(name, formula), from the paper's to one without random effects."""
    there = [name for name in LEVELS if len(found.levels(name)) > 1]
    groups = [name for name in GROUPS if len(found.levels(name)) > 1]
    crossed = {"determiner", "type"} <= set(there)
    fixed: list[str] = ["determiner * type"] if crossed else [name for name in ("determiner", "type") if name in there]
    fixed += [name for name in ("subject", "followup") if name in there]
    base = f"bias ~ {' + '.join(fixed) or '1'}"

    def slopes(group: str) -> list[str]:
        own: list[str] = ["determiner * type"] if crossed else [n for n in ("determiner", "type") if n in there]
        if group == "matrix_verb":  # a verb is of one type
            own = ["determiner"] if "determiner" in there else []
        return own + (["subject"] if "subject" in there else [])

    full, simpler, intercepts = [], [], []
    for group in groups:
        if slopes(group):
            full.append(f"(0 + {' + '.join(slopes(group))} || {group})")
            simpler.append(f"(1 + {' + '.join(slopes(group)).replace('*', '+')} || {group})")
        else:
            simpler.append(f"(1 | {group})")
        full.append(f"(1 + followup | {group})" if "followup" in there else f"(1 | {group})")
        intercepts.append(f"(1 | {group})")
    if not groups:
        return [("without random effects", base)]
    return [
        (AS_FITTED, " + ".join([base, *full])),
        ("with uncorrelated slopes and none of the follow-up or the interaction", " + ".join([base, *simpler])),
        ("with random intercepts alone", " + ".join([base, *intercepts])),
        ("without random effects", base),
    ]


# -- what figures show


def quartiles(values: Floats) -> tuple[float, float, float]:
    """The first quartile, the median and the third quartile."""
    first, median, third = np.quantile(values, [0.25, 0.5, 0.75]).tolist()
    return first, median, third


@dataclass(frozen=True)
class Effects:
    """Raw effects of each frame of a sentence: what a subject, embedded verb, follow-up and embedded noun have with
    each type of verb and determiner, as means over the matrix verbs of the type.

    Attributes:
        determiner: (frames,) bias with *a* less bias with *that*.
        type: (frames,) bias under intensional less bias under perceptual verbs.
        interaction: (frames,) the difference of differences.
        followup: (frames,) the number of the follow-up.
    """

    determiner: Floats
    type: Floats
    interaction: Floats
    followup: Indices


def effects(found: SentenceScores) -> Effects:
    """The raw effects (their Figures 6 and 7) of the frames that have all four means."""
    paper = found.where(found.codes["type"] < 2)
    axes = ("subject", "emb_verb", "followup", "emb_subject")
    sizes = tuple(len(paper.names[name]) for name in axes)
    frame = np.ravel_multi_index(tuple(paper.codes[name] for name in axes), sizes)
    known = paper.is_level("determiner", "indefinite") | paper.is_level("determiner", "deictic")
    cell = frame * 4 + 2 * paper.codes["type"] + paper.is_level("determiner", "deictic")
    size = int(np.prod(sizes)) * 4
    sums = np.bincount(cell[known], weights=paper.bias[known], minlength=size)
    counts = np.bincount(cell[known], minlength=size)
    with np.errstate(invalid="ignore"):
        means = (sums / counts).reshape(-1, 4)
    whole = np.flatnonzero(~np.isnan(means).any(axis=1))
    a_intensional, that_intensional, a_perceptual, that_perceptual = means[whole].T
    return Effects(
        0.5 * (a_intensional + a_perceptual - that_intensional - that_perceptual),
        0.5 * (a_intensional + that_intensional - a_perceptual - that_perceptual),
        a_intensional - a_perceptual - that_intensional + that_perceptual,
        np.unravel_index(whole, sizes)[2].astype(np.int64),
    )


def by_word(found: SentenceScores, factor: str) -> tuple[Sequence[str], Mapping[str, Sequence[Interval]]]:
    """The words of a factor from the lowest bias to the highest, and for each the mean of both scores with one standard
    deviation to each side (their Figures 8 to 10). A word that stands once has no deviation."""
    codes, count = found.codes[factor], len(found.names[factor])
    n = np.bincount(codes, minlength=count)
    means, deviations = [], []
    with np.errstate(invalid="ignore", divide="ignore"):
        for column in found.scores.T:
            mean = np.bincount(codes, weights=column, minlength=count) / n
            squares = np.bincount(codes, weights=(column - mean[codes]) ** 2, minlength=count)
            means.append(mean)
            deviations.append(np.where(n > 1, np.sqrt(squares / (n - 1)), 0.0))
    order = [int(i) for i in np.argsort(means[0] - means[1], kind="stable") if n[i]]
    series = {
        name: [Interval(float(m[i]), float(m[i] - d[i]), float(m[i] + d[i])) for i in order]
        for name, m, d in zip(("matrix subject", "embedded subject"), means, deviations, strict=True)
    }
    return [found.names[factor][i] for i in order], series
