"""Arrow arrays over numbers and texts, and back.

`pyarrow.array` and `Array.to_numpy` would import pandas if it is installed, which takes a while; and `pyarrow.compute`
takes longer than pyarrow, so that it is imported where it is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray


def strings(texts: Sequence[str]) -> pa.Array:
    """Texts as an array."""
    joined = "".join(texts)
    lengths = map(len, texts if joined.isascii() else map(str.encode, texts))
    offsets = np.zeros(len(texts) + 1, np.int32)
    np.cumsum(np.fromiter(lengths, np.int32, len(texts)), out=offsets[1:])
    return pa.Array.from_buffers(pa.string(), len(texts), [None, pa.py_buffer(offsets), pa.py_buffer(joined.encode())])


def numbers(codes: NDArray[Any]) -> pa.Array:
    """Integers of 32 or 64 bits as an array over the same memory."""
    type_ = {4: pa.int32(), 8: pa.int64()}[codes.itemsize]
    return pa.Array.from_buffers(type_, len(codes), [None, pa.py_buffer(np.ascontiguousarray(codes))])


def values(array: pa.Array) -> NDArray[np.int64]:
    """The integers (of 32 or 64 bits, none missing) of an array."""
    kind = {pa.int32(): np.int32, pa.int64(): np.int64}[array.type]
    return np.frombuffer(array.buffers()[1], kind)[array.offset : array.offset + len(array)].astype(np.int64)


def places(array: pa.Array) -> NDArray[np.int64]:
    """The places of an array of booleans that are true."""
    import pyarrow.compute as pc

    return values(pc.indices_nonzero(array).cast(pa.int64()))
