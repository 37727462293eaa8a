"""Kamath et al. (2024, section 7), after Liu et al. (2023, 4.2): claims about what an ambiguous sentence may mean.

Of a paraphrase of each reading the question is, true or false, whether the sentence may mean it, does not necessarily
mean it, cannot mean it, can only mean it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from gramprobe.analysis.clusters import INSTANCE
from gramprobe.analysis.means import clustered, share
from gramprobe.analysis.output.table import Column, Table, Value, percent
from gramprobe.analysis.papers.scope import Floats, access_notes, by_access, clusters_of, over, pairs_of
from gramprobe.analysis.papers.scope_choices import SHARES, known_mean, part_of, share_of
from gramprobe.analysis.runs import CLUSTER, Run, clustered_rows

PARAPHRASES = ("paraphrase_surface", "paraphrase_inverse")
"""The columns of the paraphrases, which begin the names of the parts."""
CLAIMS = {
    "may": ("may mean", True),
    "not_necessarily": ("does not necessarily mean", True),
    "cannot": ("cannot mean", False),
    "only": ("can only mean", False),
}
"""The claim in the name of a part -> its words, and whether it is true of an ambiguous sentence."""
ANSWERS = ("true", "false")
"""What ends the names of the parts."""


@dataclass(frozen=True)
class Claimed:
    """Answers to the claims of section 7, one row for each row of the dataset.

    Attributes:
        items: (rows,) ids; both orders of an item with options have one id, since the questions are the same.
        pairs: (rows,) the two operators.
        right: (rows, readings, claims) how much the right answer is given: 1, 0, or 0.5 for a tie; NaN where the
            question was not asked or was refused. In the order of `PARAPHRASES` and of `CLAIMS`.
        mass: (rows, readings, claims) the probability of True and False together; NaN as there.
        access: (rows,) whether speakers are said to have the inverse reading: `free`, `disputed`, or "" if not known.
        clusters: (rows,) what is drawn independently; empty where that is the items.
        cluster: what that is.
    """

    items: tuple[str, ...]
    pairs: tuple[str, ...]
    right: Floats
    mass: Floats
    access: tuple[str, ...]
    clusters: tuple[str, ...] = ()
    cluster: str = INSTANCE

    @property
    def by_item(self) -> Claimed:
        """The same with one row an item, the mean of its rows."""
        own: dict[str, list[int]] = {}
        for row, item in enumerate(self.items):
            own.setdefault(item, []).append(row)
        pairs, access, clusters = (
            tuple(each[rows[0]] for rows in own.values()) if each else ()
            for each in (self.pairs, self.access, self.clusters)
        )
        right, mass = (
            np.stack([_mean_without_nan(values[rows], 0) for rows in own.values()])
            for values in (self.right, self.mass)
        )
        return Claimed(tuple(own), pairs, right, mass, access, clusters, self.cluster)


def claims(run: Run) -> tuple[str, ...]:
    """The paradigms of a run that have a paraphrase of each reading, if claims about paraphrases were scored."""
    if not any({f"{question}/{answer}" for answer in ANSWERS} <= {*run.parts} for question in _QUESTIONS):
        return ()
    return tuple(name for name in run.paradigms if set(PARAPHRASES) <= set(run.dataset.columns(name)))


_QUESTIONS = tuple(f"{paraphrase}/{claim}" for paraphrase in PARAPHRASES for claim in CLAIMS)


def claims_from(run: Run, cluster: str = INSTANCE) -> Claimed:
    """The answers of a run to the claims: of the mode `true_false`, or a file of values with its names of parts.

    The answer with the higher log probability is given; within the run's tie each counts half. Rows without a question
    whose two answers have values are left out. Raises ValueError if none is left.
    """
    items: list[str] = []
    pairs: list[str] = []
    access: list[str] = []
    tables: list[pa.Table] = []
    rights, masses = [], []
    true = np.array([right for _ in PARAPHRASES for _, right in CLAIMS.values()])
    for paradigm in claims(run):
        rows = clustered_rows(run, paradigm, ("condition", "op1_kind", "op2_kind", "inverse_access"), cluster)
        yes, no = (
            np.column_stack([part_of(rows, f"{question}/{answer}") for question in _QUESTIONS]) for answer in ANSWERS
        )
        said = share_of(yes, no, run.tie)
        kept = ~np.isnan(said).all(axis=1) & rows.column(CLUSTER).is_valid().to_numpy()
        if not kept.any():
            continue
        rights.append(np.where(true, said, 1 - said)[kept])
        masses.append((np.exp(yes) + np.exp(no))[kept])
        rows = rows.filter(pa.array(kept))
        tables.append(rows)
        places = zip(*(rows.column(name).to_pylist() for name in ("instance", "condition")), strict=True)
        items += [f"{paradigm}/{instance}/{condition or ''}" for instance, condition in places]
        pairs += pairs_of(rows)
        access += [value or "" for value in rows.column("inverse_access").to_pylist()]
    if not items:
        raise ValueError(f"no item of {run.dataset.folder.name} has values of True and False for a claim")
    shape = (len(items), len(PARAPHRASES), len(CLAIMS))
    right, mass = (np.vstack(each).reshape(shape) for each in (rights, masses))
    return Claimed(tuple(items), tuple(pairs), right, mass, tuple(access), clusters_of(tables, cluster), cluster)


def by_claim(found: Mapping[str, Claimed]) -> Table:
    """The test of their section 7: for each claim the share of right answers about the paraphrase of the surface and of
    the inverse reading, and how probable True and False are together. A group of columns for each model."""
    each = {model: own.by_item for model, own in found.items()}
    rows: list[tuple[Value, ...]] = []
    every = [(words, str(true), [number]) for number, (words, true) in enumerate(CLAIMS.values())]
    for claim, answer, numbers in [*every, ("all", None, list(range(len(CLAIMS))))]:
        row: list[Value] = [claim, answer]
        for own in each.values():
            right = own.right[:, :, numbers]
            row.append(int((~np.isnan(right)).sum()))
            row += [_right(right[:, reading], own.clusters) for reading in range(len(PARAPHRASES))]
            row.append(known_mean(own.mass[:, :, numbers]))
        rows.append(tuple(row))
    columns = [Column("claim", "claim"), Column("answer", "right answer")]
    for i, model in enumerate(found, 1):
        columns.append(Column(f"n_{i}", "answers", group=model))
        columns.append(percent(f"surface_{i}", "right, surface", model))
        columns.append(percent(f"inverse_{i}", "right, inverse", model))
        columns.append(percent(f"mass_{i}", "P(True) + P(False)", model))
    return Table(
        "scope_claims",
        "How often a model is right about what an ambiguous sentence may mean, by claim and paraphrased reading.",
        tuple(columns),
        tuple(rows),
        notes=(_CLAIMS, "Who always says True, or always False, is right in 50 % of all."),
        stub=2,
        methods=(over(SHARES, _cluster(found)),),
    )


def claims_by_pair(found: Mapping[str, Claimed]) -> Table:
    """The share of right answers to all claims by pair of operators. A group of columns for each model."""
    each = {model: own.by_item for model, own in found.items()}
    groups = {model: _groups(own) for model, own in each.items()}
    names = list(dict.fromkeys(name for own in groups.values() for name in own))
    if sum(not name.startswith("all") for name in names) == 1:
        names.remove("all")
    rows: list[tuple[Value, ...]] = []
    for name in sorted(names, key=lambda name: name.startswith("all")):
        row: list[Value] = [name]
        for model, own in each.items():
            at = groups[model].get(name, [])
            right, clusters = own.right[at], [own.clusters[row_of] for row_of in at] if own.clusters else []
            row += [int((~np.isnan(right)).sum()), _right(right.reshape(len(right), len(_QUESTIONS)), clusters)]
        rows.append(tuple(row))
    columns = [Column("pair", "operators")]
    for i, model in enumerate(found, 1):
        columns.append(Column(f"n_{i}", "answers", group=model))
        columns.append(percent(f"right_{i}", "right", model))
    return Table(
        "scope_claims_by_pair",
        "How often a model is right about what an ambiguous sentence may mean, by pair of operators.",
        tuple(columns),
        tuple(rows),
        notes=(_CLAIMS, *access_notes(claims.access for claims in each.values())),
        methods=(over(SHARES, _cluster(found)),),
    )


def _groups(found: Claimed) -> dict[str, list[int]]:
    """The rows of each pair of operators, of all, and of all by whether speakers are said to have the inverse
    reading."""
    groups: dict[str, list[int]] = {}
    for row, pair in enumerate(found.pairs):
        groups.setdefault(pair, []).append(row)
    return {**groups, "all": list(range(len(found.pairs))), **dict(by_access(found.access))}


def _cluster(found: Mapping[str, Claimed]) -> str:
    return next((each.cluster for each in found.values()), INSTANCE)


_CLAIMS = "A tie is half right. A question that the rows of both orders of an item ask counts once."


def _right(right: Floats, clusters: Sequence[str]) -> Value:
    """The mean over items of (items, questions), with its interval; None where there is no answer."""
    means = _mean_without_nan(right, 1)
    known = ~np.isnan(means)
    together = np.array(clusters if len(clusters) else range(len(means)), dtype=object)
    return share(*clustered(means[known], together[known])) if known.any() else None


def _mean_without_nan(values: Floats, axis: int) -> Floats:
    """The mean along an axis of what is not NaN; NaN where nothing is."""
    there = ~np.isnan(values)
    count = there.sum(axis=axis)
    total = np.where(there, values, 0.0).sum(axis=axis)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)
