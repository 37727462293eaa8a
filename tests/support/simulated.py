"""Simulated scores in the design of the de re / de dicto study: 1,036,800 rows, the same on every machine.

Two determiners, 48 matrix verbs (36 intensional, 12 perceptual), 60 embedded subjects, 30 embedded verbs, two matrix
subjects and three follow-ups. Fixed effects and standard deviations are those of Tables 1 and 2 of Kamath and Bradford
(2023); the correlations of a group's effects are drawn. Nothing of the published scores is in it.

Normal deviates come from the raw output of PCG64 by Box and Muller's transform: numpy promises that output, but not
the stream of its own normal deviates.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

Floats = NDArray[np.float64]

SEED = 1
FOLLOWUPS = ("greeted", "liked", "met")
#: R's contr.helmert(3), as in the published analysis: a row for each follow-up.
HELMERT = np.array([[-1.0, -1.0], [1.0, -1.0], [0.0, 2.0]])
#: factor -> its number of levels; the order of the axes of the design, the last one fastest
AXES = {"det": 2, "matrix_verb": 48, "emb_subject": 60, "emb_verb": 30, "subj": 2, "followup": 3}
ROWS = int(np.prod(list(AXES.values())))
PERCEPTUAL = 12
CANDIDATES = ("candidate_subject", "candidate_embedded")
COLUMNS = ("(Intercept)", "det", "type", "subj", "followup1", "followup2", "det:type")
FIXED = np.array([3.27, 2.89, -2.58, -1.27, -0.25, -1.12, 0.52])
RESIDUAL = 3.18
#: grouping factor -> standard deviation of each column of COLUMNS by its levels; 0 where the model has no such slope
DEVIATIONS = {
    "matrix_verb": (1.06, 0.94, 0.0, 0.22, 1.05, 0.48, 0.0),
    "emb_verb": (1.98, 0.87, 1.42, 0.42, 0.92, 0.47, 0.90),
    "emb_subject": (1.39, 0.71, 0.89, 1.12, 0.93, 0.46, 0.62),
}


def uniform(seed: int, start: int, count: int) -> Floats:
    """Numbers ``start`` to ``start + count`` of a stream between 0 and 1, neither of which is in it."""
    bits = np.random.PCG64(seed)
    bits.advance(start)
    return ((bits.random_raw(count) >> np.uint64(11)).astype(np.float64) + 0.5) / 2.0**53


def normal(seed: int, start: int, count: int) -> Floats:
    """Deviates ``start`` to ``start + count`` of a standard normal stream; each takes two uniform ones."""
    pairs = uniform(seed, 2 * start, 2 * count).reshape(-1, 2)
    deviates: Floats = np.sqrt(-2.0 * np.log(pairs[:, 0])) * np.cos(2.0 * np.pi * pairs[:, 1])
    return deviates


def effects(seed: int = SEED) -> dict[str, Floats]:
    """The effects of each level of each grouping factor: levels by columns."""
    found = {}
    for stream, (factor, deviations) in enumerate(DEVIATIONS.items(), start=1):
        k, levels = len(deviations), AXES[factor]
        root = normal(seed * 1000 + stream, 0, k * k).reshape(k, k)
        covariance = root @ root.T + k / 2 * np.eye(k)
        scale = np.array(deviations) / np.sqrt(np.diag(covariance))
        cholesky = np.linalg.cholesky(covariance) * scale[:, None]
        found[factor] = normal(seed * 1000 + stream, k * k, levels * k).reshape(levels, k) @ cholesky.T
    return found


def codes(rows: NDArray[np.int64]) -> dict[str, NDArray[np.int64]]:
    """The level of each axis in the rows with these numbers."""
    found = {}
    rest = rows
    for axis, levels in reversed(AXES.items()):
        rest, found[axis] = np.divmod(rest, levels)
    return found


def batch(rows: NDArray[np.int64], residuals: Floats, drawn: dict[str, Floats]) -> pa.RecordBatch:
    """The rows with these numbers: score, predictors (numbers of +-0.5 but for the follow-up), grouping factors."""
    of = codes(rows)
    det, subj = 0.5 - of["det"], 0.5 - of["subj"]
    kind = np.where(of["matrix_verb"] < PERCEPTUAL, 0.5, -0.5)
    helmert = HELMERT[of["followup"]]
    x = np.column_stack([np.ones(len(rows)), det, kind, subj, helmert, det * kind])
    y = x @ FIXED + RESIDUAL * residuals
    for factor, values in drawn.items():
        y += np.einsum("ij,ij->i", x, values[of[factor]])
    arrays: dict[str, pa.Array] = {
        "bias": pa.array(np.round(y, 3)),
        "det": pa.array(det),
        "type": pa.array(kind),
        "subj": pa.array(subj),
        "followup": pa.DictionaryArray.from_arrays(of["followup"].astype(np.int8), pa.array(FOLLOWUPS)),
    }
    for factor, values in drawn.items():
        names = pa.array([f"{factor[0]}{factor[-1]}{i:02}" for i in range(len(values))])
        arrays[factor] = pa.DictionaryArray.from_arrays(of[factor].astype(np.int8), names)
    return pa.RecordBatch.from_arrays(list(arrays.values()), names=list(arrays))


def batches(size: int = 100_000, seed: int = SEED) -> Iterator[pa.RecordBatch]:
    """All rows, in order."""
    drawn = effects(seed)
    for start in range(0, ROWS, size):
        rows = np.arange(start, min(start + size, ROWS))
        yield batch(rows, normal(seed * 1000, start, len(rows)), drawn)


def sample(count: int, seed: int = SEED) -> pa.Table:
    """A random sample of the rows, in order: an unbalanced design."""
    chosen = np.sort(np.argsort(uniform(seed * 1000 + 9, 0, ROWS), kind="stable")[:count])
    residuals = np.concatenate([normal(seed * 1000, int(row), 1) for row in chosen])
    return pa.Table.from_batches([batch(chosen, residuals, effects(seed))])


def write_all(file: Path, seed: int = SEED) -> None:
    """All rows as one Parquet file, batch by batch."""
    first = next(batches(1, seed))
    with pq.ParquetWriter(file, first.schema, compression="zstd") as writer:
        for each in batches(seed=seed):
            writer.write_batch(each)


def write_scores(dataset: Path, folder: Path, seed: int = SEED) -> None:
    """A folder of scores for the sentences of the paper in a dataset `de_re_de_dicto`: the bias of each has these
    effects, of the words as they are met."""
    import pyarrow.compute as pc

    import gramprobe
    from gramprobe.score.record import arrow_schema
    from gramprobe.score.results import RunFolder, file_of
    from support.scores import record

    read, drawn = gramprobe.read(dataset), effects(seed)
    words: dict[str, dict[str, int]] = {"verb": {}, "act": {}, "noun": {}}
    schema, shards, start = arrow_schema(["value"]), dict[str, int](), 0
    with RunFolder(folder, resume=False) as store:
        for paradigm in read.paradigms:
            if paradigm == "extensional":
                continue
            for number, rows in enumerate(read.rows(paradigm, ["id", "draws", "verb_class", *CANDIDATES])):
                of = {field.name: rows.column("draws").field(field.name) for field in rows.schema.field("draws").type}
                count = len(rows)
                det = np.where(np.asarray(of["d"]) == "indefinite", 0.5, -0.5)
                kind = np.where(np.asarray(rows.column("verb_class")) == "perceptual", 0.5, -0.5)
                subj = np.where(np.asarray(of["who"]) == "mary", 0.5, -0.5)
                helmert = HELMERT[np.searchsorted(np.array(["greet", "like", "meet"]), np.asarray(of["met"], str))]
                x = np.column_stack([np.ones(count), det, kind, subj, helmert, det * kind])
                bias = x @ FIXED + RESIDUAL * normal(seed * 1000, start, count)
                for values, name in zip(drawn.values(), ("verb", "act", "noun"), strict=True):
                    known = words[name]
                    levels = np.array([known.setdefault(word, len(known)) for word in of[name].to_pylist()])
                    bias += np.einsum("ij,ij->i", x, values[levels])
                mean = -9.0 + normal(seed * 1000 + 500, start, count)
                numbers = np.column_stack([mean + bias / 2, mean - bias / 2]).ravel()
                items = np.repeat(np.array(rows.column("id").to_pylist(), dtype=object), 2)
                ones, empty = pa.array(np.ones(2 * count, np.int32)), pa.array([""] * (2 * count))
                parts = pa.array([*CANDIDATES] * count)
                lengths = np.column_stack([pc.utf8_length(rows.column(name)).to_numpy() for name in CANDIDATES])
                characters = pa.array(lengths.ravel())
                columns = [pa.array(items, pa.string()), parts, pa.array(numbers), ones, ones, characters, empty]
                name = f"{paradigm}-{number:05}"
                pq.write_table(pa.table(columns, schema=schema), file_of(folder, name))
                shards[name], start = count, start + count
        store.end(store.begin(record("simulated", dataset, "coref", ["value"], shards)))
