"""Files of other projects: one module for each format, and one table of those that are recognised by the file.

    values, labels, lm_eval    scores of other programs, which `gramprobe analyze` reads beside those of `score`
    nli                        corpora of entailment: pairs of sentences with a label
    fracas, med, imppres       sets of such pairs in forms of their own
    blimp                      pairs of a better and a worse sentence
    scope, de_re               released files of papers, for the studies of these papers; they write them too
    csv                        the rows of a dataset, which it also writes
    imppres, inspect, minicons, syntaxgym, croissant, blimp    what other programs read; lm_eval writes too

Readers return Arrow tables with the columns that the analyses know, whatever a project calls them. Rows keep the order
of the file. No reader guesses: a column that is missing, or a value that its column cannot hold, is refused (E46) with
the line.

A format that has `write` is one of `gramprobe export`: it writes the rows of a dataset as another program reads them,
and says what that program's form cannot hold. A new format is one module and one entry of :data:`FORMATS`; packages add
others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from gramprobe.registry import Registry

if TYPE_CHECKING:
    from gramprobe.formats.nli import Pair


@runtime_checkable
class Format(Protocol):
    """A module, or an object, that reads the files of one format.

    Attributes:
        suffixes: the suffixes of its files, as `.csv`.
        gives: what it reads: `scores`, `pairs` with labels, `minimal_pairs`, or `rows` of a dataset.
    """

    suffixes: tuple[str, ...]
    gives: Literal["scores", "pairs", "minimal_pairs", "rows"]

    def reads(self, path: Path) -> bool:
        """Whether a file with one of the suffixes is of this format: by its heading or its first line. Raises
        UsageError (E44) for a file that cannot be opened."""

    def read(self, path: Path) -> Any:
        """The rows of a file. Raises UsageError (E44, E46).

        Of scores: an Arrow table with `line`, the number of a row's line, with `item`, the id of the item, and with
        `part` and `value` (log-probabilities in nats), or `label`, or `choice` and `value` (the place of a choice, in
        the order of the labels). Of pairs: an iterator of `nli.Pair`; of minimal pairs: of `blimp.MinimalPair`. Of
        rows: an Arrow table with the columns of the dataset.
        """


@runtime_checkable
class Writes(Protocol):
    """A module, or an object, that writes the rows of a dataset in one format: what `gramprobe export` goes by.

    Attributes:
        about: what it writes and for what, as a clause: it stands in the list of formats and in the folder's README.
    """

    about: str

    def fits(self, design: Any) -> bool:
        """Whether the rows of a paradigm with this design (`gramprobe.dataset.manifest.Design`) can be written: by the
        columns that a model reads and is scored on (`design.scored`), not by the name of the task."""

    def write(self, dataset: Any, paradigms: Sequence[str], folder: Path) -> Sequence[str]:
        """Write the rows of some paradigms of a dataset (`gramprobe.dataset.read.Dataset`), all of which it fits, into
        an empty folder. Returns sentences: what the format cannot hold, and how the files are used. Raises OSError, and
        UsageError for a dataset that the format cannot take."""


def _unusable(thing: Any) -> str:
    """Why a thing is no format, as a clause; empty if it is one."""
    if isinstance(thing, type):
        return f"it is the class {thing.__name__}, and not an object of it"
    if isinstance(thing, Format | Writes):
        return ""
    return "it has neither `suffixes`, `gives`, `reads` and `read`, nor `about`, `fits` and `write`"


_READ = ("values", "labels", "lm_eval", "nli", "fracas", "med")
AUDITED = ("pairs", "minimal_pairs")
"""What `gramprobe audit` reads."""
_WRITTEN = ("csv", "imppres", "inspect", "minicons", "syntaxgym", "scope", "de_re", "croissant", "blimp")
FORMATS: Registry[Any] = Registry(
    "format", {name: f"gramprobe.formats.{name}" for name in (*_READ, *_WRITTEN)}, "builtins:object", _unusable
)
"""Name -> format, a `Format`, a `Writes` or both. Of the readers of a file's suffix the first that recognises it reads
it, else the first."""


def suffixes_of(gives: str) -> tuple[str, ...]:
    """The suffixes of the files that give scores, or pairs, each once."""
    return tuple(dict.fromkeys(suffix for each in _readers(gives) for suffix in each.suffixes))


def format_of(path: Path, gives: str) -> Format | None:
    """The format of a file; None where none has its suffix. Raises UsageError (E44) for a file that cannot be
    opened."""
    fitting = [each for each in _readers(gives) if path.suffix.lower() in each.suffixes]
    return next((each for each in fitting if each.reads(path)), fitting[0] if fitting else None)


def audited() -> dict[str, Format]:
    """The formats of published sets, by name."""
    found = ((name, FORMATS.get(name)) for name in FORMATS)
    return {name: form for name, form in found if isinstance(form, Format) and form.gives in AUDITED}


def writers() -> dict[str, Writes]:
    """The formats that write, by name."""
    return {name: form for name in FORMATS if isinstance(form := FORMATS.get(name), Writes)}


def pairs(path: Path) -> Iterator[Pair]:
    """The pairs of a corpus of entailment, row by row.

    Raises UsageError: a file that cannot be read (E44); another suffix, columns that are missing, a cell that is not a
    text, or an unknown label (E46).
    """
    found = format_of(path, "pairs")
    if found is None:
        from gramprobe.formats.tabular import missing, refused

        try:
            path.open("rb").close()
        except OSError as error:
            raise missing(path, error) from None
        what = f"`{path.suffix}` is no format of a corpus of entailment"
        raise refused(path, 1, what, f"give one of {', '.join(suffixes_of('pairs'))}")
    yield from found.read(path)


def _readers(gives: str) -> list[Format]:
    return [each for each in FORMATS.values() if isinstance(each, Format) and each.gives == gives]
