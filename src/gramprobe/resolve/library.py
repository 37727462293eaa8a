"""Every file of a library, read: the lines of grammars, theories and paradigms, the tables of words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from gramprobe.language import Language
from gramprobe.language import read as read_language
from gramprobe.resolve.modules import GrammarFile, Modules, module_name
from gramprobe.resolve.names import require_known
from gramprobe.resolve.paradigm.base import made_from
from gramprobe.resolve.tasks import TaskForms
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings, Span
from gramprobe.source.files import GIVEN, TABLES, Library, Source
from gramprobe.syntax.cache import cached
from gramprobe.syntax.files import WordTable, read_paradigm, read_theory, read_words
from gramprobe.syntax.paradigm_tree import Paradigm
from gramprobe.syntax.sentences import Notes, read_given
from gramprobe.syntax.theory_tree import Theory

_NAME_OF_FILES = re.compile(r"\w+", re.ASCII)


class ParadigmFile(Struct, frozen=True):
    """A paradigm file.

    Attributes:
        source: the file.
        phenomenon: the folder that it lies in.
        lines: its statements; None for an empty file, and for one that is not needed.
        readable: whether every statement of it could be read.
        bases: the files of the paradigms that it is made from, the nearest first.
    """

    source: Source
    phenomenon: str
    lines: Paradigm | None
    readable: bool
    bases: tuple[Source, ...] = ()

    @property
    def full_name(self) -> str:
        return f"{self.phenomenon or 'none'}/{self.source.stem}"

    def named(self, key: str) -> str:
        """The value of a setting (``theory``, ``task``); empty where the line is missing."""
        words = self.lines.settings.get(key) if self.lines is not None else None
        return words[0].text if words else ""


class LibraryLines(Struct, frozen=True, kw_only=True, dict=True):
    """The statements of all files.

    Attributes:
        modules: the grammar files.
        tables: by their path below `lexicon/`.
        empty_tables: the paths of tables without content.
        languages: by the name of the file without its suffix; None for a file that cannot be read.
        theories: by the name of the file without its suffix.
        paradigms: by full name.
        given: the licence and origin of given sentences, which replace `lexicon/sentences.tsv`.
    """

    modules: Modules
    tables: Mapping[str, WordTable]
    empty_tables: frozenset[str]
    languages: Mapping[str, Language | None]
    theories: Mapping[str, Theory]
    paradigms: Mapping[str, ParadigmFile]
    given: Notes | None = None

    @cached_property
    def categories(self) -> frozenset[str]:
        """The categories that some grammar file declares."""
        return frozenset(name for file in self.modules.files.values() for name in file.declared.categories)

    @cached_property
    def names(self) -> frozenset[str]:
        """The words of all tables by their ids, the constants of all grammars, and the operators of all theories."""
        return frozenset().union(*self._named)

    @cached_property
    def _named(self) -> list[frozenset[str]]:
        """The parts of :attr:`names`, of which each table has one."""
        declared = {name for file in self.modules.files.values() for name in file.declared.constants}
        for theory in self.theories.values():
            declared |= {word.text for line in theory.operators for word in line.names}
            declared |= {line.name.text for line in theory.definitions}
        return [frozenset(declared), *(table.ids for table in self.tables.values())]

    @cached_property
    def in_theories(self) -> frozenset[str]:
        """Those of :attr:`names` that stand in `withhold` lines and postulates of theories: what messages about these
        lines depend on."""
        lines = (line for theory in self.theories.values() for line in theory.withheld)
        words = {word.text for line in lines for word in (*line.names, line.instead) if word is not None}
        formulas = (line.formula.text for theory in self.theories.values() for line in theory.postulates)
        words = words.union(*(re.findall(r"\w+", text) for text in formulas))
        return frozenset().union(*(words & each for each in self._named))


def read_library(library: Library, tasks: TaskForms, findings: Findings, names: Sequence[str] = ()) -> LibraryLines:
    """Read every file, and report what cannot be read.

    ``tasks``: those whose headings are the words below which conditions stand; ``names``: the paradigms or phenomena
    that are needed, empty for all. Other paradigms are then not read; shipped grammar files that these do not use are
    read once somebody asks for their statements, and nothing is reported about them.
    """
    tables, empty, given = _tables(library, findings)
    files = [_paradigm(source, tasks, findings, names) for source in library.having("grammars", ".paradigm")]
    paradigms = _with_bases(files, tasks, findings)
    return LibraryLines(
        modules=_modules(library, [each.lines for each in paradigms if each.lines] if names else None, findings),
        tables=tables,
        empty_tables=empty,
        languages=_languages(library, findings),
        theories=_theories(library, findings),
        paradigms={each.full_name: each for each in paradigms},
        given=given,
    )


def _modules(library: Library, needed: Sequence[Paradigm] | None, findings: Findings) -> Modules:
    """The grammar files. ``needed``: the paradigms that use them; None for every file."""
    files = {module_name(source): GrammarFile(source) for source in library.having("grammars", ".gram")}
    unreadable = {name.removeprefix("grammars/") for name in library.unreadable.values() if name.endswith(".gram")}
    modules = Modules(files, frozenset(name.removesuffix(".gram").replace("/", ".") for name in unreadable))
    used = None if needed is None else modules.reached([each for line in needed for each in line.uses])
    for name, file in files.items():
        if used is None or name in used or not file.source.is_shipped:
            findings.extend(file.problems)
    return modules


def _tables(library: Library, findings: Findings) -> tuple[dict[str, WordTable], frozenset[str], Notes | None]:
    """The tables, the names of the tables without content, and the notes of given sentences."""
    tables: dict[str, WordTable] = {}
    empty = set[str]()
    given: Notes | None = None
    for source in library.having("lexicon", TABLES):
        if source.origin == GIVEN:
            table, given, problems = read_given(source, *_names_and_words(library))
        else:
            table, problems = read_words(source)
        findings.extend(problems)
        name = source.name.removeprefix("lexicon/")
        if table is None:
            empty.add(name)
        else:
            tables[name] = table
    return tables, frozenset(empty), given


def _names_and_words(library: Library) -> tuple[list[str], set[str]]:
    """The names of persons in the lexicon, from every table with a column `name`, and the words of the other tables."""
    names: list[str] = []
    words: set[str] = set()
    for source in library.having("lexicon", TABLES):
        table = None if source.origin == GIVEN else read_words(source)[0]
        if table is None:
            continue
        if "name" in table.header:
            names += [cells[table.header.index("name")] for _, cells in table.rows]
        else:
            words.update(word for _, cells in table.rows for cell in cells for word in cell.split())
    return names, words


def _languages(library: Library, findings: Findings) -> dict[str, Language | None]:
    languages: dict[str, Language | None] = {}
    for source in library.having("languages", ".toml"):
        languages[source.stem], problems = read_language(source)
        findings.extend(problems)
    return languages


def _theories(library: Library, findings: Findings) -> dict[str, Theory]:
    theories: dict[str, Theory] = {}
    for source in library.having("logic", ".logic"):
        theory, problems = cached(source, read_theory)
        findings.extend(problems)
        if theory is not None:
            if theory.name.text != source.stem:
                findings.add(
                    messages.names.name_and_file_differ(theory.name.span, "theory", theory.name.text, source.stem)
                )
            theories[source.stem] = theory
    return theories


def _paradigm(source: Source, tasks: TaskForms, findings: Findings, names: Sequence[str]) -> ParadigmFile:
    phenomenon = source.name.removeprefix("grammars/").rpartition("/")[0]
    if names and {"all", phenomenon, source.stem, f"{phenomenon}/{source.stem}"}.isdisjoint(names):
        return ParadigmFile(source, phenomenon, None, False)
    if not phenomenon or "/" in phenomenon:
        findings.add(messages.reading.misplaced_file(Span(source.path, 1, 1), source.name))
    for what, name in (("folder", phenomenon), ("file", source.stem)):
        if not _NAME_OF_FILES.fullmatch(name.replace("/", "") or what):
            findings.add(messages.names.no_name_of_files(Span(source.path, 1, 1), what, name))
    task, span = _task(source)
    if task and task not in tasks.by_name:  # its headings are not known, below which conditions stand
        usable = [name for name in tasks.by_name if name in tasks.by_name]  # loads those of packages
        findings.add(messages.task.unknown(span, task, usable))
        return ParadigmFile(source, phenomenon, None, False)
    lines, problems = cached(source, read_paradigm, tasks.headings(task))
    findings.extend(problems)
    return ParadigmFile(source, phenomenon, lines, not any(p.is_error for p in problems))


def _with_bases(files: Sequence[ParadigmFile], tasks: TaskForms, findings: Findings) -> list[ParadigmFile]:
    """The files, each with the lines of the paradigm that it is made from."""
    by_name = {each.full_name: each for each in files}
    whole: dict[str, ParadigmFile] = {}

    def made(name: str, open_: tuple[str, ...]) -> ParadigmFile:
        if name in whole:
            return whole[name]
        file = by_name[name]
        if open_ and file.lines is None:  # nobody asked for it by its own name
            file = _paradigm(file.source, tasks, findings, ())
        base = file.lines.base if file.lines is not None else None
        if base is not None and file.lines is not None:
            unusable = replace(file, readable=False)
            if base.text in (*open_, name):
                findings.add(messages.names.circle(base.span, "paradigm", (*open_, name, base.text)))
                return unusable
            if not require_known(base, by_name, "paradigm", findings):
                return unusable
            other = made(base.text, (*open_, name))
            if other.lines is None:
                return unusable
            file = replace(
                file,
                lines=made_from(other.lines, file.lines),
                readable=file.readable and other.readable,
                bases=(other.source, *other.bases),
            )
        whole[name] = file
        return file

    return [file if file.lines is None else made(file.full_name, ()) for file in files]


def _task(source: Source) -> tuple[str, Span]:
    """The task that a paradigm names, with its place; empty if it names none."""
    for number, line in enumerate(source.lines, 1):
        if found := re.match(r"\s*task\s+(\w+)", line):
            return found[1], Span(source.path, number, found.start(1) + 1, len(found[1]))
    return "", Span(source.path, 1, 1)
