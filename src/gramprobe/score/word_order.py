"""A control: the same items with the words of every scored text in another order.

A model that does as well on these as on the sentences does not read them (Sinha et al. 2021). A text keeps its words,
its marks at the end and its capital at the start; the mark of a slot and regions stay whole. The order is drawn from
the seed, the item's id and the column, so that every run and every model sees the same.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gramprobe.dataset.manifest import Word
from gramprobe.language import Language, english
from gramprobe.score.source import Item, Source, Table


@dataclass(frozen=True)
class ShuffledSource:
    """Another source, its scored texts shuffled. Its name and hash are those of the other: scores are of its items."""

    source: Source
    seed: int = 0

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def sha256(self) -> str:
        return self.source.sha256

    @property
    def tables(self) -> Mapping[str, Table]:
        return self.source.tables

    @property
    def words(self) -> Mapping[str, Word]:
        return self.source.words

    def trees(self, table: str) -> Mapping[str, Any]:
        return self.source.trees(table)

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[Item]:
        scored, language = self.tables[table].scored, self.tables[table].language
        texts = {*scored.context, *scored.options, *scored.continuations} & set(columns)
        for item in self.source.rows(table, columns):
            row = {
                name: shuffled(value, f"{self.seed}\n{item.id}\n{name}", language) if name in texts and value else value
                for name, value in item.row.items()
            }
            yield Item(item.id, item.instance, item.place, row)


def shuffled(text: str, seed: str, language: Language | None = None) -> str:
    """The words of a text in an order that the seed decides; one that differs, if there is one. ``language``: whose
    signs at the end stay there; English by default."""
    inner = text.rstrip("".join((language or english()).ends))
    words, mark = inner.split(), text[len(inner) :]
    if len(set(words)) < 2:
        return text
    capital = words[0][:1].isupper()
    generator, found = random.Random(seed), words
    while found == words:
        found = generator.sample(words, len(words))
    if capital:
        found = [found[0][:1].upper() + found[0][1:], *found[1:]]
    return " ".join(found) + mark
