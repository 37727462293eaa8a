"""The search path and the files on it; where the shipped files live, inside the wheel or in the checkout.

Files come from the shipped folders, then from each folder of the path; a later file REPLACES an earlier file of the
same relative name, any other file is added.
"""

from __future__ import annotations

import codecs
import hashlib
import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from operator import attrgetter
from pathlib import Path

from gramprobe.source import messages
from gramprobe.source.diagnostic import Diagnostic, UsageError
from gramprobe.source.wording import INVISIBLE

_UNSEEN = re.compile(f"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f{INVISIBLE}]")
_LINE_END = re.compile(r"\r\n?")
SHIPPED = "shipped"
"""The origin of the files of gramprobe."""
#: the origin of a file that was named on the command line, and the file of the lexicon in whose place it stands
GIVEN, SENTENCES = "given", "lexicon/sentences.tsv"
#: the suffixes of tables of words
TABLES = (".tsv", ".csv")
#: relative folder -> the suffixes that mean something there
KINDS = {
    "grammars": (".gram", ".paradigm", ".tsv", ".csv"),
    "languages": (".toml",),
    "lexicon": TABLES,
    "logic": (".logic",),
}


@cache
def _lines(text: str) -> tuple[str, ...]:
    return tuple(text.split("\n"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One file.

    Attributes:
        name: the path relative to its root (``grammars/english/tense.gram``).
        path: the path as messages show it.
        text: the content, with ``\\n`` as the end of every line.
        sha256: the hash of the bytes of the file.
        origin: which root the file comes from (``shipped``, ``given``, ...).
        replaces: the path of the file of the same name that this file replaces; else empty.
    """

    name: str
    path: str
    text: str
    sha256: str
    origin: str
    replaces: str = ""

    @property
    def lines(self) -> tuple[str, ...]:
        return _lines(self.text)

    @property
    def stem(self) -> str:
        """The name of the file without its folder and its suffix."""
        return self.name.rpartition("/")[2].rpartition(".")[0]

    @property
    def is_shipped(self) -> bool:
        """Whether it is a file of gramprobe."""
        return self.origin == SHIPPED

    @property
    def identity(self) -> tuple[str, str, str, bool]:
        """What results can depend on: name, path (diagnostics show it), hash, and whether sentences were given."""
        return self.name, self.path, self.sha256, self.origin == GIVEN


@dataclass(frozen=True, slots=True)
class Library:
    """Every file of a project by relative name, in sorted order."""

    sources: dict[str, Source]
    #: path, as in diagnostics -> relative name of the files that exist and cannot be read
    unreadable: Mapping[str, str] = field(default_factory=dict)

    def having(self, folder: str, suffix: str | tuple[str, ...]) -> list[Source]:
        return [s for n, s in self.sources.items() if n.startswith(folder + "/") and n.endswith(suffix)]

    @property
    def digest(self) -> str:
        """A hash of every file, with its path."""
        everything = [source.identity for source in self.sources.values()], sorted(self.unreadable.values())
        return hashlib.sha256(repr(everything).encode("utf-8", "surrogatepass")).hexdigest()

    def by_path(self, path: str) -> Source | None:
        return next((s for s in self.sources.values() if s.path == path), None)


def of_file(name: str) -> str:
    """The name of a paradigm or phenomenon by that of its file or folder, as a shell completes it: `mono/kinds` for
    `grammars/mono/kinds.paradigm`. Other names are left as they are."""
    return name.removeprefix("./").removeprefix("grammars/").removesuffix(".paradigm").rstrip("/")


def search_path(explicit: Sequence[Path] = ()) -> list[Path]:
    """The author's own folders: ``--path``; else ``GRAMPROBE_PATH``; else ``.`` where it has one of :data:`KINDS`.

    Raises UsageError for a missing folder.
    """
    if explicit:
        folders = list(explicit)
    elif os.environ.get("GRAMPROBE_PATH"):
        folders = [Path(part) for part in os.environ["GRAMPROBE_PATH"].split(os.pathsep) if part]
    else:
        return [Path()] if any(Path(folder).is_dir() for folder in KINDS) else []
    for folder in folders:
        if not folder.is_dir():
            raise UsageError(
                f"there is no folder `{folder}` to search for grammars",
                code="E44",
                help="make the folder, or give another with --path DIR or GRAMPROBE_PATH",
            )
    return folders


def collect(
    roots: Iterable[tuple[str, Path]], texts: Mapping[Path, str] | None = None
) -> tuple[Library, list[Diagnostic]]:
    """Read the files of every ``(origin, folder)``; a later file replaces an earlier file of the same relative name.

    ``texts``: by resolved path, a text that is taken as the content of the file. Returns the library and the
    diagnostics of the files that cannot be read.
    """
    sources: dict[str, Source] = {}
    problems: list[Diagnostic] = []
    unreadable: dict[str, str] = {}
    seen: set[Path] = set()
    here = os.getcwd()
    for origin, root in roots:
        resolved = root.resolve()
        if resolved in seen:
            continue
        seen.add(resolved)
        untouched = origin == SHIPPED and not any(path.is_relative_to(resolved) for path in texts or ())
        for folder, suffixes in KINDS.items():
            for file, below in _files_below(os.path.join(root, folder), folder, suffixes):
                name = unicodedata.normalize("NFC", below)
                if untouched:
                    is_now = os.stat(file)
                    source, wrong = _as_last_read(file, name, here, (is_now.st_ctime_ns, is_now.st_size))
                    problems += wrong
                else:
                    source = _read(Path(file), name, origin, problems, texts)
                if source is None:
                    unreadable[_shown(Path(file).resolve())] = name
                else:
                    earlier = sources.get(name)
                    if earlier:
                        source = Source(
                            name=source.name,
                            path=source.path,
                            text=source.text,
                            sha256=source.sha256,
                            origin=origin,
                            replaces=earlier.path,
                        )
                    sources[name] = source
    return Library(dict(sorted(sources.items())), unreadable), problems


def _files_below(folder: str, name: str, suffixes: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The files below a folder with one of these suffixes, in the order of the parts of their paths: the path of each,
    and its name, which begins with ``name``. Links to folders are not followed."""
    try:
        with os.scandir(folder) as listed:
            entries = sorted(listed, key=attrgetter("name"))
    except OSError:  # it is missing, or no folder, or not ours to list
        return
    for entry in entries:
        below = f"{name}/{entry.name}"
        if entry.is_dir(follow_symlinks=False):
            yield from _files_below(entry.path, below, suffixes)
        elif os.path.splitext(entry.name)[1] in suffixes and (
            entry.is_file(follow_symlinks=False) or os.path.isfile(entry.path)  # the first is known from the listing
        ):
            yield entry.path, below


def with_sentences(library: Library, file: Path, problems: list[Diagnostic]) -> Library:
    """The library with a file of given sentences in the place of ``lexicon/sentences.tsv``.

    An unreadable file is reported in ``problems``. Raises UsageError for a missing file.
    """
    if not file.is_file():
        raise UsageError(f"there is no file `{file}` of sentences", "give a file with --sentences FILE.tsv", "E44")
    source = _read(file, SENTENCES, GIVEN, problems)
    if source is None:
        return Library(library.sources, {**library.unreadable, _shown(file.resolve()): SENTENCES})
    return Library(dict(sorted({**library.sources, SENTENCES: source}.items())), library.unreadable)


def is_utf16(raw: bytes) -> bool:
    """Whether a file begins as spreadsheets begin one in UTF-16."""
    return raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))


def _read(
    file: Path, name: str, origin: str, problems: list[Diagnostic], texts: Mapping[Path, str] | None = None
) -> Source | None:
    resolved = file.resolve()
    shown, instead = _shown(resolved), texts.get(resolved) if texts else None
    try:
        raw = file.read_bytes() if instead is None else instead.encode("utf-8", "surrogatepass")
    except OSError as error:
        problems.append(messages.reading.unreadable_file(shown, error.strerror or str(error)))
        return None
    if is_utf16(raw):
        problems.append(messages.reading.is_utf16(shown))
        return None
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = error.object[: error.start]  # of what stands behind a byte order mark
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
        problems.append(messages.reading.not_utf8(shown, line, column, error.object[error.start]))
        return None
    stray = _UNSEEN.search(text)
    if stray:
        line = text.count("\n", 0, stray.start()) + 1
        column = stray.start() - (text.rfind("\n", 0, stray.start()) + 1) + 1
        problems.append(messages.reading.not_text(shown, line, column, stray.group()))
        return None
    return Source(
        name=name,
        path=shown,
        text=unicodedata.normalize("NFC", _LINE_END.sub("\n", text)),
        sha256=hashlib.sha256(raw).hexdigest(),
        origin=origin,
    )


@lru_cache(maxsize=2048)
def _as_last_read(
    file: str, name: str, here: str, is_now: tuple[int, int]
) -> tuple[Source | None, tuple[Diagnostic, ...]]:
    """A shipped file and what is wrong with it; it is read again in another working folder, and once it is changed.

    ``is_now``: the time of its last change and its size. A session loads the shipped files with each project.
    """
    problems: list[Diagnostic] = []
    return _read(Path(file), name, SHIPPED, problems), tuple(problems)


def _shown(resolved: Path) -> str:
    """Relative to the working folder where it lies below it, else absolute."""
    try:
        return resolved.relative_to(Path.cwd()).as_posix()
    except ValueError:
        return resolved.as_posix()


FOLDERS = ("grammars", "languages", "lexicon", "logic")


def shipped_folder() -> Path:
    """The folder that holds the :data:`FOLDERS` of this installation.

    A wheel carries them as ``gramprobe/_data``; an editable install reads the checkout.
    Raises FileNotFoundError when neither is there.
    """
    package = Path(__file__).resolve().parents[1]
    for candidate in (package / "_data", package.parents[1]):
        if all((candidate / folder).is_dir() for folder in FOLDERS):
            return candidate
    raise FileNotFoundError(f"this installation of gramprobe lacks its folders {', '.join(FOLDERS)}")
