"""Every file of a library resolved: grammars, theories, paradigms."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from gramprobe.resolve.grammar.data import Grammar
from gramprobe.resolve.grammar.from_syntax import resolve_grammar
from gramprobe.resolve.grammar.lexicon import resolve_lexicon
from gramprobe.resolve.grammar.tables import check_relation_rows
from gramprobe.resolve.library import LibraryLines, ParadigmFile, read_library
from gramprobe.resolve.memory import Memory, content_of_grammar
from gramprobe.resolve.paradigm.data import Paradigm
from gramprobe.resolve.paradigm.from_syntax import resolve_paradigm
from gramprobe.resolve.tasks import TaskForms
from gramprobe.resolve.theory.data import Theory
from gramprobe.resolve.theory.from_syntax import resolve_theory
from gramprobe.resolve.tree import Slot, nodes
from gramprobe.source import messages
from gramprobe.source.diagnostic import AuthoringError, Diagnostic, Findings, UsageError
from gramprobe.source.files import SENTENCES, Library, Source
from gramprobe.source.nearest import did_you_mean
from gramprobe.source.span import Span
from gramprobe.syntax import theory_tree as syntax
from gramprobe.syntax.grammar_tree import Category, GrammarLine
from gramprobe.syntax.sentences import Notes
from gramprobe.syntax.tree import Word

#: the names on a `uses` line, each once
Uses = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Declarations:
    """The declarations of a library.

    Attributes:
        library: the files.
        lines: their statements.
        findings: the diagnostics of all files.
        paradigms: by full name (``presupposition/only``), without those that have a mistake.
        by_uses: a grammar for every combination of existing grammar files that some paradigm uses.
        complete: whether every paradigm was read, not only some that are needed.
        memory: the results of this load, for the next.
    """

    library: Library
    lines: LibraryLines
    findings: Findings
    paradigms: Mapping[str, Paradigm]
    by_uses: Mapping[Uses, Grammar]
    complete: bool
    memory: Memory = field(default_factory=Memory, repr=False, compare=False)

    @property
    def grammars(self) -> dict[str, Grammar]:
        """The grammars by the files that they are made of: ``english events``."""
        return {" ".join(names): grammar for names, grammar in self.by_uses.items()}

    @property
    def sources(self) -> dict[str, Source]:
        """The file of every paradigm, by full name."""
        return {name: file.source for name, file in self.lines.paradigms.items()}

    @property
    def broken(self) -> dict[str, Source]:
        """The files of the paradigms with mistakes, by full name."""
        return {name: source for name, source in self.sources.items() if name not in self.paradigms}

    @property
    def given(self) -> Notes | None:
        """The licence and origin of given sentences, which replace `lexicon/sentences.tsv`; None without any."""
        return self.lines.given

    @property
    def theory_names(self) -> tuple[str, ...]:
        return tuple(self.lines.theories)

    def declared(self, full_name: str, balanced: bool = False) -> Paradigm | None:
        """A paradigm by its full name, or its balanced companion; None if it does not exist or has mistakes."""
        paradigm = self.paradigms.get(full_name)
        return paradigm.companion if paradigm is not None and balanced else paradigm

    def grammar_of_paradigm(self, full_name: str) -> Grammar | None:
        """The grammar that a paradigm uses."""
        file = self.lines.paradigms.get(full_name)
        return self.by_uses.get(_uses(file)) if file is not None else None

    def theory_lines(self, name: str) -> syntax.Theory:
        """The lines of a theory's own file. Raises KeyError for an unknown theory."""
        return self.lines.theories[name]

    def theory(self, name: str, grammar: Grammar | None, findings: Findings, at: Span | None = None) -> Theory | None:
        """The named theory over a grammar's lexicon; None, with a diagnostic, for an unknown theory.

        ``at``: the place where the theory is named.
        """
        findings.unread |= grammar.unread if grammar else frozenset()
        elsewhere = self.lines.categories
        if name not in self.lines.theories:
            return resolve_theory(name, self.lines.theories, grammar, findings, at, elsewhere)
        sources = [self.library.by_path(path) for path in sorted(self.theory_files(name))]
        content = tuple((s.path, s.sha256) for s in sources if s is not None)
        key = "theory", name, content, self.theory_names, elsewhere, grammar and grammar.content
        theory, own = self.memory.recall(key, lambda: self._resolved(name, grammar, elsewhere))
        findings.muted |= own.muted
        findings.extend(own.items)
        return theory

    def _resolved(
        self, name: str, grammar: Grammar | None, elsewhere: frozenset[str]
    ) -> tuple[Theory | None, Findings]:
        own = Findings(unread=set(grammar.unread) if grammar else set())
        return resolve_theory(name, self.lines.theories, grammar, own, None, elsewhere), own

    def check_theories(self) -> None:
        """Check every theory with the grammars that it is used with.

        A theory that no paradigm uses is checked with every grammar; the mistakes that it has with all are reported. If
        only some paradigms were needed, other theories are not checked.
        """
        for name in self.lines.theories:
            users = [p for p, file in self.lines.paradigms.items() if file.named("theory") == name]
            used = list({id(g): g for p in users if (g := self.grammar_of_paradigm(p)) is not None}.values())
            for grammar in used:
                self.findings.extend(self._mistakes(name, grammar))
            if used or not self.complete:
                continue
            always: list[Diagnostic] | None = None
            for each in (*self.by_uses.values(), *(() if self.by_uses else (None,))):
                if always != []:
                    mistakes = self._mistakes(name, each)
                    always = mistakes if always is None else [d for d in always if d in mistakes]
            self.findings.extend(always or [])

    def _mistakes(self, theory: str, grammar: Grammar | None) -> list[Diagnostic]:
        findings = Findings()
        self.theory(theory, grammar, findings)
        return findings.items

    def known_theory(self, name: str | None) -> None:
        """Raise UsageError if no theory has this name, AuthoringError if its files have errors; None is accepted."""
        known = self.theory_names
        if name is not None and name not in known:
            raise UsageError(
                f"no theory named `{name}`{did_you_mean(name, known)}",
                f"there are: {', '.join(known)}",
                "E20",
            )
        if name is not None:
            files = self.theory_files(name)
            errors = [d for d in self.findings.items if d.is_error and d.span.path in files]
            if errors:
                raise AuthoringError(errors, self.library)

    def theory_files(self, name: str) -> frozenset[str]:
        """The paths of a theory's file and of the files that it includes, directly or through others."""
        reached, todo = set[str](), [name]
        while todo:
            theory = todo.pop()
            if theory not in reached:
                reached.add(theory)
                if theory in self.lines.theories:
                    todo.extend(w.text for w in self.lines.theories[theory].includes)
        names = {f"logic/{n}.logic" for n in reached}
        return frozenset(s.path for n, s in self.library.sources.items() if n in names)

    def files_of(self, full_name: str) -> frozenset[str]:
        """The paths of the files that a paradigm depends on: its own, its grammars, their words, its theory."""
        file = self.lines.paradigms[full_name]
        paths = {file.source.path}
        if file.lines is None:
            return frozenset(paths)
        uses = _uses(file)
        paths |= {s.path for s in self.library.having("grammars", ".gram") if s.stem in uses}
        lines = [line for name in uses for line in self.lines.grammars.get(name, [])]
        words = {line.file.text for line in lines if isinstance(line, Category) and line.file}
        paths |= {s.path for n, s in self.library.sources.items() if n.removeprefix("lexicon/") in words}
        return frozenset(paths | self.theory_files(file.named("theory")))

    def takes_given(self, full_name: str) -> bool:
        """Whether sentences were given and a draw of the paradigm ranges over them."""
        if self.given is None or full_name not in self.paradigms:
            return False
        given = self._given_categories(full_name)
        drawn = (d.slot.category for w in self.paradigms[full_name].draws for s in w.skeletons for d in s.domains)
        return not given.isdisjoint(drawn)

    def _given_categories(self, full_name: str) -> set[str]:
        file = SENTENCES.removeprefix("lexicon/")
        grammar = self.grammar_of_paradigm(full_name)
        return {c.name for c in grammar.categories.values() if c.file == file} if grammar is not None else set()

    def wants_pairs(self, full_name: str) -> bool:
        """Whether the paradigm needs the sentences that given sentences entail: some tree of it has `g.entails`."""
        if not self.takes_given(full_name):
            return False
        given = self._given_categories(full_name)
        paradigm = self.paradigms[full_name]
        about = {
            d.slot.name for w in paradigm.draws for s in w.skeletons for d in s.domains if d.slot.category in given
        }
        trees = (condition.tree for condition in paradigm.conditions.values())
        return any(isinstance(n, Slot) and n.column is not None and n.name in about for t in trees for n in nodes(t))

    def given_pairs(self) -> bool:
        """Whether some row of the file of given sentences has a sentence in the column `entails`."""
        table = self.lines.tables.get(SENTENCES.removeprefix("lexicon/"))
        return table is not None and any(cells[table.header.index("entails")] != "-" for _, cells in table.rows)


def resolve_all(
    library: Library,
    tasks: TaskForms,
    findings: Findings,
    memory: Memory | None = None,
    names: Sequence[str] = (),
) -> Declarations:
    """Resolve every grammar, theory and paradigm, and collect the diagnostics of all files.

    ``tasks``: the tasks that a paradigm may have. ``memory``: that of an earlier load, whose results are used again if
    their files have not changed. ``names``: the paradigms or phenomena that are needed, empty for all; other paradigms
    are not read, nor are grammars and theories resolved that only they use.
    """
    lines = read_library(library, tasks.headings, findings, names)
    memory = Memory(memory if lines.given is None else None)
    grammars = _Grammars(library, lines, findings, memory)
    paradigms: dict[str, Paradigm] = {}
    for full_name, file in lines.paradigms.items():
        paradigm = _paradigm(file, library, lines, grammars, tasks, findings)
        if paradigm is not None:
            paradigms[full_name] = paradigm
    if not names:
        _check_idle_tables(lines, grammars.by_uses.values(), findings)
    return Declarations(
        library=library,
        lines=lines,
        findings=findings,
        paradigms=paradigms,
        by_uses=grammars.by_uses,
        complete=not names,
        memory=memory,
    )


@dataclass(slots=True)
class _Grammars:
    """The grammars of a library: each combination of files is resolved once, when a paradigm first uses it."""

    library: Library
    lines: LibraryLines
    findings: Findings
    memory: Memory
    by_uses: dict[Uses, Grammar] = field(default_factory=dict)

    def used_by(self, uses: tuple[Word, ...]) -> Grammar | None:
        """The grammar that a paradigm's ``uses`` line names; None, with a diagnostic, for a missing file."""
        files = self.lines.grammars
        for number, word in enumerate(uses):
            if word.text not in files and f"grammars/{word.text}.gram" not in self.library.unreadable:
                self.findings.add(messages.names.unknown_name(word.span, "grammar file", word.text, files, code="E19"))
            if word.text in (w.text for w in uses[:number]):
                self.findings.add(messages.names.declared_twice(word.span, f"`{word.text}` in this line", None))
        names = tuple(dict.fromkeys(w.text for w in uses))
        if not all(files.get(n) for n in names):
            return None
        if names not in self.by_uses:
            lines = [line for name in names for line in self.lines.grammars[name]]
            content = content_of_grammar(names, lines, self.library)
            grammar, problems = self.memory.recall(content, lambda: self._resolved(lines, content))
            self.findings.extend(problems)
            self.by_uses[names] = grammar
        return self.by_uses[names]

    def _resolved(self, lines: list[GrammarLine], content: Hashable) -> tuple[Grammar, list[Diagnostic]]:
        findings = Findings()
        grammar = resolve_grammar(lines, findings)
        unreadable = {n.removeprefix("lexicon/") for n in self.library.unreadable} | self.lines.empty_tables
        resolve_lexicon(self.lines.tables, grammar, findings, frozenset(unreadable))
        check_relation_rows(grammar, findings)
        grammar.unread = frozenset(findings.unread)
        grammar.content = content
        return grammar, findings.items


def _uses(file: ParadigmFile) -> Uses:
    """The grammar files that a paradigm names, each once."""
    words = file.lines.settings.get("uses", ()) if file.lines is not None else ()
    return tuple(dict.fromkeys(word.text for word in words))


def _paradigm(
    file: ParadigmFile,
    library: Library,
    lines: LibraryLines,
    grammars: _Grammars,
    tasks: TaskForms,
    findings: Findings,
) -> Paradigm | None:
    """The paradigm of a file; None, with diagnostics, if it has mistakes, and None if it was not read."""
    line = file.lines
    if line is None:
        return None
    grammar = grammars.used_by(line.settings["uses"]) if line.settings.get("uses") else None
    theory = line.settings.get("theory", ())
    unreadable = {n[len("logic/") : -len(".logic")] for n in library.unreadable if n.startswith("logic/")}
    if theory and theory[0].text not in {*lines.theories, *unreadable}:
        word = theory[0]
        findings.add(messages.names.unknown_name(word.span, "theory", word.text, lines.theories, code="E20"))
    if grammar is None and line.settings.get("uses"):
        return None

    def resolved() -> tuple[Paradigm | None, list[Diagnostic]]:
        own = Findings(muted=bool(line.broken))
        own.unread |= {n for b in line.broken for n in (*b.names, f"line {b.keyword}")}
        return resolve_paradigm(line, file.phenomenon, file.source.stem, grammar, tasks, own), own.items

    source = file.source
    key = "paradigm", tuple(tasks.by_name), source.name, source.path, source.sha256, grammar and grammar.content
    paradigm, problems = grammars.memory.recall(key, resolved)
    findings.extend(problems)
    return paradigm if file.readable else None


def _check_idle_tables(lines: LibraryLines, grammars: Iterable[Grammar], findings: Findings) -> None:
    """Report rows of the wrong size in tables that no grammar reads."""
    used = {category.file for grammar in grammars for category in grammar.categories.values()}
    for name, table in lines.tables.items():
        if name not in used:
            findings.extend(table.problems())
