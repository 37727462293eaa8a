"""What is drawn independently, and so decides which items an interval takes together: instances, the values of a draw
or column, or skeletons.

A *skeleton* is a sentence without its words but the closed-class ones (`baselines.readers.skeleton`). The instances of
a story are one text with other names and things in it: whoever misreads the text misreads it in all of them. There the
clusters are the pairs of skeletons, if nothing else is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from gramprobe.baselines.readers import skeleton
from gramprobe.baselines.views import tokens_of
from gramprobe.dataset.read import Dataset
from gramprobe.language import Language, english

INSTANCE = "instance"
SKELETON = "skeleton"
USUAL = "usual"
"""Instances, and the skeletons of stories."""
BOTH = "instance, of stories skeleton"
"""What `USUAL` is for runs on stories and on others."""


def resolved(sets: Iterable[tuple[Dataset, Sequence[str]]], cluster: str) -> str:
    """What `USUAL` is for some datasets with their paradigms; another cluster as it is."""
    if cluster != USUAL:
        return cluster
    kinds = {is_story(dataset, paradigm) for dataset, paradigms in sets for paradigm in paradigms}
    return BOTH if len(kinds) == 2 else SKELETON if kinds == {True} else INSTANCE


@lru_cache(1 << 10)
def is_story(dataset: Dataset, paradigm: str) -> bool:
    """Whether the first text of a paradigm tells events: its formula begins with one, `[leaves(ann, the_room)] ...`."""
    if "premise_form" not in dataset.columns(paradigm):
        return False
    first = next(iter(dataset.rows(paradigm, ["premise_form"])), None)
    form: str = "" if first is None or not first.num_rows else first.column(0)[0].as_py() or ""
    return form.startswith("[")


def source(dataset: Dataset, paradigm: str, cluster: str) -> tuple[str, ...]:
    """The columns of a paradigm that the cluster of an item is made of: a draw is `draws.NAME`, and may be called by
    its name alone."""
    if cluster == BOTH:
        cluster = SKELETON if is_story(dataset, paradigm) else INSTANCE
    if cluster == SKELETON:
        scored = dataset.design(paradigm).scored
        return tuple(dict.fromkeys((*scored.context, *scored.continuations)))
    return (f"draws.{cluster}" if cluster in draws_of(dataset, paradigm) else cluster,)


def cluster_values(dataset: Dataset, paradigm: str, cluster: str, values: Sequence[Sequence[Any]]) -> list[str | None]:
    """The cluster of each item, the same for items of one; None for an item that has none. ``values``: (items,) of each
    column of `source`. Instances of two paradigms are apart, the values of a draw or two skeletons are not."""
    if cluster == SKELETON or (cluster == BOTH and is_story(dataset, paradigm)):
        language = dataset.language(paradigm)
        rows = (tuple(_skeleton(text or "", language) for text in texts) for texts in zip(*values, strict=True))
        return ["\n".join(row) for row in rows]
    apart = f"{paradigm}/" if cluster in (INSTANCE, BOTH) else ""
    return [None if value is None else f"{apart}{value}" for value in values[0]]


def clusters_in(dataset: Dataset, paradigm: str, cluster: str) -> list[str | None]:
    """The cluster of each row of a paradigm."""
    parts = [name.partition(".")[::2] for name in source(dataset, paradigm, cluster)]
    known = [column for column in dict.fromkeys(column for column, _ in parts) if column in dataset.columns(paradigm)]
    values: list[list[Any]] = [[] for _ in parts]
    for batch in dataset.rows(paradigm, known) if known else ():
        for own, (column, draw) in zip(values, parts, strict=True):
            if column not in known:
                own += [None] * batch.num_rows
            else:
                read = batch.column(column)
                own += (read.field(draw) if draw else read).to_pylist()
    if not known:
        values = [[None] * dataset.count(paradigm)]
    return cluster_values(dataset, paradigm, cluster, values)


@lru_cache(1 << 14)
def _skeleton(text: str, language: Language | None) -> str:
    return " ".join(skeleton(tokens_of(text, language), language or english()))


def drawn(cluster: str = INSTANCE) -> tuple[str, str]:
    """What is drawn, in the plural, and for which population an interval over it holds."""
    if cluster == INSTANCE:
        return "instances", "new instances made of the same words"
    if cluster == SKELETON:
        return "pairs of skeletons (closed-class words of both texts)", "new pairs of skeletons"
    if cluster == BOTH:
        return (
            "instances, in stories pairs of skeletons (closed-class words of both texts)",
            "new instances made of the same words, in stories for new pairs of skeletons",
        )
    return f"values of `{cluster}`", f"new values of `{cluster}`"


def clusters_of(dataset: Dataset, paradigms: Sequence[str]) -> list[str]:
    """What a user may name: the draws and columns of paradigms whose values may be drawn independently."""
    found: dict[str, None] = {INSTANCE: None, SKELETON: None}
    for paradigm in paradigms:
        found |= dict.fromkeys(f"draws.{name}" for name in draws_of(dataset, paradigm))
        found |= dict.fromkeys(name for name in dataset.columns(paradigm) if name != "draws")
    return list(found)


@lru_cache(1 << 10)
def draws_of(dataset: Dataset, paradigm: str) -> tuple[str, ...]:
    """The names of a paradigm's draws."""
    import pyarrow as pa

    first = next(iter(dataset.rows(paradigm, ["draws"])), None) if "draws" in dataset.columns(paradigm) else None
    if first is None or not pa.types.is_struct(kind := first.schema.field("draws").type):
        return ()
    return tuple(kind.field(i).name for i in range(kind.num_fields))
