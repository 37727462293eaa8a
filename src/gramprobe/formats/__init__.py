"""Files of other projects: one module for each format, and one table of those that are recognised by the file.

    values, labels, lm_eval    scores of other programs, which `gramprobe analyze` reads beside those of `score`
    nli                        corpora of entailment: pairs of sentences with a label
    scope, de_re               released files of papers, for the studies of these papers

Readers return Arrow tables with the columns that the analyses know, whatever a project calls them. Rows keep the order
of the file. No reader guesses: a column that is missing, or a value that its column cannot hold, is refused (E46) with
the line. A new format is one module and one entry of :data:`FORMATS`; packages add others.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from gramprobe.registry import Registry

if TYPE_CHECKING:
    from gramprobe.formats.nli import Pair


class Format(Protocol):
    """A module, or an object, that reads the files of one format.

    Attributes:
        suffixes: the suffixes of its files, as `.csv`.
        gives: what it reads: `scores` or `pairs`.
    """

    suffixes: tuple[str, ...]
    gives: Literal["scores", "pairs"]

    def reads(self, path: Path) -> bool:
        """Whether a file with one of the suffixes is of this format: by its heading or its first line. Raises
        UsageError (E44) for a file that cannot be opened."""

    def read(self, path: Path) -> Any:
        """The rows of a file. Raises UsageError (E44, E46).

        Of scores: an Arrow table with `line`, the number of a row's line, with `item`, the id of the item, and with
        `part` and `value` (log-probabilities in nats), or `label`, or `choice` and `value` (the place of a choice, in
        the order of the labels). Of pairs: an iterator of `nli.Pair`.
        """


class Writes(Protocol):
    """A format that also writes: what exports of a dataset go by."""

    def write(self, dataset: Any, path: Path) -> None:
        """Write the rows of a dataset (`gramprobe.dataset.read.Dataset`) to a file or folder. Raises OSError."""


FORMATS: Registry[Format] = Registry(
    "format",
    {name: f"gramprobe.formats.{name}" for name in ("values", "labels", "lm_eval", "nli")},
    "gramprobe.formats:Format",
)
"""Name -> format. Of those of a file's suffix the first that recognises it reads it, else the first."""


def suffixes_of(gives: str) -> tuple[str, ...]:
    """The suffixes of the files that give scores, or pairs, each once."""
    return tuple(dict.fromkeys(suffix for each in FORMATS.values() if each.gives == gives for suffix in each.suffixes))


def format_of(path: Path, gives: str) -> Format | None:
    """The format of a file; None where none has its suffix. Raises UsageError (E44) for a file that cannot be
    opened."""
    fitting = [each for each in FORMATS.values() if each.gives == gives and path.suffix in each.suffixes]
    return next((each for each in fitting if each.reads(path)), fitting[0] if fitting else None)


def pairs(path: Path) -> Iterator[Pair]:
    """The pairs of a corpus of entailment, row by row.

    Raises UsageError: a file that cannot be read (E44); another suffix, columns that are missing, a cell that is not a
    text, or an unknown label (E46).
    """
    found = format_of(path, "pairs")
    if found is None:
        from gramprobe.formats.tabular import refused

        what = f"`{path.suffix}` is no format of a corpus of entailment"
        raise refused(path, 1, what, f"give one of {', '.join(suffixes_of('pairs'))}")
    yield from found.read(path)
