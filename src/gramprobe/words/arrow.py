"""Arrow arrays over numbers and texts, and back.

`pyarrow.array` and `Array.to_numpy` would import pandas if it is installed, which takes a while. So does `import
pyarrow`, and `pyarrow.compute` longer still: they are imported where something is made, since `sample` as text, and
`check` of what is kept, make no column.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pyarrow as pa


def strings(texts: Sequence[str]) -> pa.Array:
    """Texts as an array."""
    import pyarrow as pa

    joined = "".join(texts)
    lengths = map(len, texts if joined.isascii() else map(str.encode, texts))
    offsets = np.zeros(len(texts) + 1, np.int32)
    np.cumsum(np.fromiter(lengths, np.int32, len(texts)), out=offsets[1:])
    return pa.Array.from_buffers(pa.string(), len(texts), [None, pa.py_buffer(offsets), pa.py_buffer(joined.encode())])


def run_together(pieces: pa.Array, sizes: NDArray[Any]) -> pa.Array:
    """Texts as an array, of which each consists of the next of some pieces: ``sizes`` says of how many. No byte is
    copied."""
    import pyarrow as pa

    _, ends, data = pieces.buffers()
    last = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=last[1:])
    offsets = np.frombuffer(ends, np.int32)[last]
    return pa.Array.from_buffers(pa.string(), len(sizes), [None, pa.py_buffer(offsets), data])


def numbers(codes: NDArray[Any]) -> pa.Array:
    """Integers of 32 or 64 bits as an array over the same memory."""
    import pyarrow as pa

    type_ = {4: pa.int32(), 8: pa.int64()}[codes.itemsize]
    return pa.Array.from_buffers(type_, len(codes), [None, pa.py_buffer(np.ascontiguousarray(codes))])


def values(array: pa.Array) -> NDArray[np.int64]:
    """The integers (of 32 or 64 bits, none missing) of an array."""
    import pyarrow as pa

    kind = {pa.int32(): np.int32, pa.int64(): np.int64}[array.type]
    return np.frombuffer(array.buffers()[1], kind)[array.offset : array.offset + len(array)].astype(np.int64)


def places(array: pa.Array) -> NDArray[np.int64]:
    """The places of an array of booleans that are true."""
    import pyarrow as pa
    import pyarrow.compute as pc

    return values(pc.indices_nonzero(array).cast(pa.int64()))
