"""The sentences of a paradigm as numbers and as words, computed once for all gates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pyarrow as pa

    from gramprobe.items.rows import Rows


@dataclass(frozen=True, slots=True)
class Sentences:
    """``texts``: every different sentence; ``codes[condition][i]``: which one stands in instance i.

    ``words`` holds the words of all texts end to end as numbers into ``vocabulary``; text j's words are
    ``words[starts[j] : starts[j + 1]]``.
    """

    texts: pa.Array
    codes: dict[str, NDArray[np.int64]]
    words: NDArray[np.int64]
    vocabulary: list[str]
    starts: NDArray[np.int64]

    def text(self, number: int) -> str:
        return str(self.texts[int(number)].as_py())

    @classmethod
    def of(cls, rows: Rows) -> Sentences:
        import pyarrow as pa
        import pyarrow.compute as pc

        chunks = list(rows.sentences.values())
        encoded = pa.concat_arrays(chunks).dictionary_encode()
        numbers = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
        codes = {name: numbers[k * rows.count : (k + 1) * rows.count] for k, name in enumerate(rows.sentences)}
        split = pc.split_pattern(encoded.dictionary, " ")
        flat = pc.list_flatten(split).dictionary_encode()
        starts = split.offsets.to_numpy().astype(np.int64)
        words = flat.indices.to_numpy(zero_copy_only=False).astype(np.int64)
        return cls(encoded.dictionary, codes, words, flat.dictionary.to_pylist(), starts)

    def texts_with(self, positions: NDArray[np.intp]) -> list[int]:
        """The texts in which these positions of ``words`` lie, each once."""
        return list(dict.fromkeys((np.searchsorted(self.starts, positions, side="right") - 1).tolist()))


def sentences_of(rows: Rows) -> Sentences:
    """The sentences of these rows; kept with them."""
    if rows.words_cache is None:
        rows.words_cache = Sentences.of(rows)
    found: Sentences = rows.words_cache
    return found
