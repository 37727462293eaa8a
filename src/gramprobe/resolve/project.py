"""Every file of a library resolved: grammars, theories, paradigms."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from gramprobe.resolve.grammar.data import Grammar
from gramprobe.resolve.grammar.from_syntax import part_of, resolve_grammar
from gramprobe.resolve.grammar.lexicon import resolve_lexicon
from gramprobe.resolve.grammar.tables import check_relation_rows
from gramprobe.resolve.library import LibraryLines, ParadigmFile, read_library
from gramprobe.resolve.memory import Memory, content_of_grammar
from gramprobe.resolve.modules import Selection, Spec, Used, named_modules, spec_of
from gramprobe.resolve.names import require_known
from gramprobe.resolve.paradigm.data import WHOLE, Paradigm
from gramprobe.resolve.paradigm.from_syntax import resolve_paradigm
from gramprobe.resolve.paradigm.terms import check_definitions
from gramprobe.resolve.tasks import TaskForms
from gramprobe.resolve.theory.data import Theory
from gramprobe.resolve.theory.from_syntax import resolve_theory
from gramprobe.resolve.tree import Slot, nodes
from gramprobe.source import messages
from gramprobe.source.diagnostic import AuthoringError, Diagnostic, Findings, Span
from gramprobe.source.files import SENTENCES, Library, Source
from gramprobe.syntax import theory_tree as syntax
from gramprobe.syntax.grammar_tree import Declaration
from gramprobe.syntax.sentences import Notes
from gramprobe.syntax.tree import Uses, Word

FIRST, TEXTS = ("english", "readers"), "texts"
"""The modules that a reader reads with first; and the grammar, and the theory, for texts of others. No set draws from
`readers` and `texts`, and no pair is charted with them but by a `uses` line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declarations:
    """The declarations of a library.

    Attributes:
        library: the files.
        lines: their statements.
        findings: the diagnostics of all files.
        paradigms: by full name (``presupposition/only``), without those that have a mistake.
        of_paradigms: by full name, the grammar of a paradigm: the declarations of its modules that it reaches.
        whole: every declaration of the modules of a `uses` line, for each that some paradigm has. If only some
            paradigms were needed, those with shipped modules only are missing.
        complete: whether every paradigm was read, not only some that are needed.
        memory: the results of this load, for the next.
    """

    library: Library
    lines: LibraryLines
    findings: Findings
    paradigms: Mapping[str, Paradigm]
    of_paradigms: Mapping[str, Grammar]
    whole: Mapping[Spec, Grammar]
    complete: bool
    memory: Memory = field(default_factory=Memory, repr=False, compare=False)

    @property
    def grammars(self) -> list[Grammar]:
        """All grammars, each once."""
        return list({id(g): g for g in (*self.whole.values(), *self.of_paradigms.values())}.values())

    def grammar(self, *modules: str) -> Grammar:
        """The grammar of everything in some modules. Raises UsageError for an unknown module, AuthoringError."""
        findings = Findings()
        nowhere = Span("", 1, 1)
        for name in modules:
            if not named_modules(name, self.lines.modules.files):
                files = self.lines.modules.files
                known = dict.fromkeys(name for file in files for name in (file.partition(".")[0], file))
                whole = ", ".join(each for each in known if "." not in each)
                help = f"there are: {whole}; `gramprobe list --modules` has their parts"
                raise messages.names.none_called("grammar", name, known, help)
        used = self.lines.modules.used([Uses(module=Word(name, nowhere)) for name in modules], findings)
        if used is None:
            raise AuthoringError(findings.items, self.library)
        resolving = _Grammars(self.library, self.lines, findings, self.memory)
        grammar = resolving.whole_of(used)
        if findings.failed:
            raise AuthoringError(findings.items, self.library)
        return grammar

    def modules_around(self, uses: Sequence[Uses]) -> tuple[str, ...]:
        """The modules that `uses` lines bring, and if any of these is shipped, all that are but those of readers."""
        files = self.lines.modules.files
        whole = [Uses(module=Word(name, Span("", 1, 1))) for name in dict.fromkeys(each.module.text for each in uses)]
        used = self.lines.modules.used(whole, Findings())
        modules = dict.fromkeys(used.modules if used is not None else ())
        shipped = [
            name
            for name, file in files.items()
            if file.source.is_shipped and name.split(".")[0] not in (TEXTS, FIRST[1])
        ]
        return tuple(dict.fromkeys((*shipped, *modules))) if modules.keys() & {*shipped} else tuple(modules)

    def content(self, modules: Sequence[str]) -> list[object]:
        """Everything that the grammar of some modules rests on, as data."""
        sources = self.library.sources
        files = self.lines.modules.files_behind([Uses(module=Word(name, Span("", 1, 1))) for name in modules])
        return [*modules, *(sources[name].identity for name in files if name in sources)]

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

    def declared(self, full_name: str, design: str = WHOLE) -> Paradigm | None:
        """A paradigm by its full name in a design (`Paradigm.in_design`); None if it does not exist or has mistakes."""
        paradigm = self.paradigms.get(full_name)
        return None if paradigm is None else paradigm.in_design(design)

    def grammar_of_paradigm(self, full_name: str) -> Grammar | None:
        """The grammar that a paradigm uses."""
        return self.of_paradigms.get(full_name)

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
            return resolve_theory(name, self.lines.theories, grammar, findings, at, elsewhere, self._names)
        reached = self.theories_in(name)
        sources = [s for each in sorted(reached) if (s := self.library.sources.get(f"logic/{each}.logic")) is not None]
        content = tuple((s.path, s.sha256) for s in sources)
        shipped = all(s.is_shipped for s in sources) and (grammar is None or grammar.is_shipped)
        lines = [self.lines.theories[each] for each in reached if each in self.lines.theories]
        about = {w.text for each in lines for x in each.operators if (w := x.each) is not None}
        about |= {w.text for each in lines for x in each.withheld if (w := x.each) is not None}
        about |= {w.text for each in lines for x in each.postulates if (w := x.category) is not None}
        known = () if shipped else self.theory_names  # a message lists them
        key = "theory", name, content, known, elsewhere & about, self.lines.in_theories, grammar and grammar.content
        theory, own = self.memory.recall(key, lambda: self._resolved(name, grammar, elsewhere), shipped)
        findings.muted |= own.muted
        findings.extend(own.items)
        return theory

    def _resolved(
        self, name: str, grammar: Grammar | None, elsewhere: frozenset[str]
    ) -> tuple[Theory | None, Findings]:
        own = Findings(unread=set(grammar.unread) if grammar else set())
        return resolve_theory(name, self.lines.theories, grammar, own, None, elsewhere, self._names), own

    def _names(self) -> frozenset[str]:
        return self.lines.names

    def check_theories(self) -> None:
        """Check every theory with the grammars that it is used with.

        A theory that no paradigm uses is checked with every grammar; the mistakes that it has with all are reported. If
        only some paradigms were needed, other theories are not checked.
        """
        users: dict[str, list[str]] = {}
        for paradigm, file in self.lines.paradigms.items():
            users.setdefault(file.named("theory"), []).append(paradigm)
        for name in self.lines.theories:
            used = list({id(g): g for p in users.get(name, ()) if (g := self._widest(p)) is not None}.values())
            for grammar in used:
                self.findings.extend(self._mistakes(name, grammar))
            if used or not self.complete:
                continue
            always: list[Diagnostic] | None = None
            for each in (*self.whole.values(), *(() if self.whole else (None,))):
                if always != []:
                    mistakes = [d for d in self._mistakes(name, each) if d.is_error]  # formulas may be typed
                    always = mistakes if always is None else [d for d in always if d in mistakes]
            self.findings.extend(always or [])

    def _widest(self, full_name: str) -> Grammar | None:
        """The grammar of all modules that a paradigm uses; if that was not needed, the grammar that it reaches."""
        lines = self.lines.paradigms[full_name].lines
        whole = self.whole.get(spec_of(lines.uses)) if lines is not None else None
        return whole or self.of_paradigms.get(full_name)

    def _mistakes(self, theory: str, grammar: Grammar | None) -> list[Diagnostic]:
        findings = Findings()
        self.theory(theory, grammar, findings)
        return findings.items

    def known_theory(self, name: str | None) -> None:
        """Raise UsageError if no theory has this name, AuthoringError if its files have errors; None is accepted."""
        known = self.theory_names
        if name is not None and name not in known:
            raise messages.names.none_called("theory", name, known, code="E20")
        if name is not None:
            files = self.theory_files(name)
            errors = [d for d in self.findings.items if d.is_error and d.span.path in files]
            if errors:
                raise AuthoringError(errors, self.library)

    def theory_files(self, name: str) -> frozenset[str]:
        """The paths of a theory's file and of the files that it includes, directly or through others."""
        names = {f"logic/{n}.logic" for n in self.theories_in(name)}
        return frozenset(s.path for n, s in self.library.sources.items() if n in names)

    def theories_in(self, name: str) -> set[str]:
        """The names of a theory and of those that it includes, directly or through others."""
        reached, todo = set[str](), [name]
        while todo:
            theory = todo.pop()
            if theory not in reached:
                reached.add(theory)
                if theory in self.lines.theories:
                    todo.extend(w.text for w in self.lines.theories[theory].includes)
        return reached

    def files_of(self, full_name: str) -> frozenset[str]:
        """The paths of the files that a paradigm depends on: its own, its grammars, their words, its theories."""
        file = self.lines.paradigms[full_name]
        paths = {source.path for source in (file.source, *file.bases)}
        if file.lines is None:
            return frozenset(paths)
        paths |= self.lines.modules.paths(file.lines.uses)
        used = self.lines.modules.used(file.lines.uses, Findings())
        sources = self.library.sources
        paths |= {sources[name].path for name in (() if used is None else used.whole.files) if name in sources}
        theories = [file.named("theory"), *(word.text for alike in file.lines.theories for word in alike.names)]
        return frozenset(paths.union(*map(self.theory_files, theories)))

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
        return {c.name for c in grammar.categories.values() if file in c.files} if grammar is not None else set()

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
    lines = read_library(library, tasks, findings, names)
    memory = Memory(memory if lines.given is None else None)
    grammars = _Grammars(library, lines, findings, memory)
    paradigms: dict[str, Paradigm] = {}
    for line in (file.lines for file in lines.paradigms.values() if names and file.lines is not None):
        grammars.mentioned[spec_of(line.uses)].append(set(line.mentioned()))
    for full_name, file in lines.paradigms.items():
        paradigm = _paradigm(file, grammars, tasks, bool(names))
        if paradigm is not None:
            paradigms[full_name] = paradigm
    _check_idle_tables(lines, grammars.whole.values(), bool(names), findings)
    return Declarations(
        library=library,
        lines=lines,
        findings=findings,
        paradigms=paradigms,
        of_paradigms=grammars.of_paradigms,
        whole=grammars.whole,
        complete=not names,
        memory=memory,
    )


@dataclass(slots=True)
class _Grammars:
    """The grammars of a library, each resolved once."""

    library: Library
    lines: LibraryLines
    findings: Findings
    memory: Memory
    of_paradigms: dict[str, Grammar] = field(default_factory=dict)
    whole: dict[Spec, Grammar] = field(default_factory=dict)
    shipped: dict[Spec, bool] = field(default_factory=dict)
    #: what those paradigms mention that are needed, where they are not all, by their modules
    mentioned: dict[Spec, list[set[str]]] = field(default_factory=lambda: defaultdict(list))
    joint: dict[Spec, Grammar | None] = field(default_factory=dict)

    def joint_of(self, used: Used) -> Grammar | None:
        """The grammar of the declarations of shipped modules that several paradigms need, each some of them; None where
        only one paradigm needs any."""
        if used.spec not in self.joint:
            names = self.mentioned[used.spec] if self.is_shipped(used) else []
            if len(names) > 1:
                part = used.reach(set().union(*names))
                self.joint[used.spec], _ = self._resolved(used, part.lines, whole=False)
        return self.joint.get(used.spec)

    def whole_of(self, used: Used) -> Grammar:
        """The grammar of all declarations that were brought. Each file is checked by itself: what constructors of one
        request of those of another is checked where a paradigm brings them together."""
        if used.spec not in self.whole:
            self.whole[used.spec] = self._grammar(used, used.whole, whole=True)
        return self.whole[used.spec]

    def reached(self, used: Used, names: Iterable[str]) -> Grammar:
        """The grammar of the declarations that some names need."""
        return self._grammar(used, used.reach(names), whole=False)

    def _grammar(self, used: Used, part: Selection, whole: bool) -> Grammar:
        content = content_of_grammar(used, part, self.library)

        def resolved() -> tuple[Grammar, list[Diagnostic]]:
            around = None if whole else self.whole.get(used.spec) or self.joint_of(used)
            if around is None:
                return self._resolved(used, part.lines, whole)
            findings = Findings(unread=set(used.clashing))
            return part_of(around, part.lines, findings), findings.items

        grammar, problems = self.memory.recall((whole, content, used.left_out), resolved, self.is_shipped(used))
        self.findings.extend(problems)
        grammar.content, grammar.is_shipped = content, self.is_shipped(used)
        return grammar

    def _resolved(self, used: Used, lines: Sequence[Declaration], whole: bool) -> tuple[Grammar, list[Diagnostic]]:
        findings = Findings(unread=set(used.clashing))
        grammar = resolve_grammar(lines, findings, whole, self.lines.languages, used.left_out)
        unreadable = {n.removeprefix("lexicon/") for n in self.library.unreadable.values()} | self.lines.empty_tables
        resolve_lexicon(self.lines.tables, grammar, findings, frozenset(unreadable))
        check_relation_rows(grammar, findings)
        check_definitions(grammar, findings)
        grammar.unread = frozenset(findings.unread)
        return grammar, findings.items

    def is_shipped(self, used: Used, theory: str = "") -> bool:
        """Whether all modules, their tables of words and the file of the theory are shipped, and so without errors."""
        sources = self.library.sources
        if used.spec not in self.shipped:
            self.shipped[used.spec] = all(sources[name].is_shipped for name in used.whole.files if name in sources)
        file = f"logic/{theory}.logic"
        return self.shipped[used.spec] and (file not in sources or sources[file].is_shipped)


def _paradigm(file: ParadigmFile, grammars: _Grammars, tasks: TaskForms, few: bool) -> Paradigm | None:
    """The paradigm of a file; None, with diagnostics, if it has mistakes, and None if it was not read.

    ``few``: only some paradigms are needed: then shipped modules are not checked as a whole.
    """
    line, library, lines, findings = file.lines, grammars.library, grammars.lines, grammars.findings
    if line is None:
        return None
    used = lines.modules.used(line.uses, findings) if line.uses else None
    theory = line.settings.get("theory", ())
    unreadable = {n[len("logic/") : -len(".logic")] for n in library.unreadable.values() if n.startswith("logic/")}
    if theory and theory[0].text not in {*lines.theories, *unreadable}:
        require_known(theory[0], lines.theories, "theory", findings, "E20")
    if used is None and line.uses:
        return None
    if used is not None and not (few and grammars.is_shipped(used, file.named("theory"))):
        grammars.whole_of(used)

    def resolved(grammar: Grammar | None) -> tuple[Paradigm | None, list[Diagnostic]]:
        own = Findings(muted=bool(line.broken))
        own.unread |= {n for b in line.broken for n in (*b.names, f"line {b.keyword}")}
        return resolve_paradigm(line, file.phenomenon, file.source.stem, grammar, tasks, own), own.items

    def with_grammar(grammar: Grammar | None) -> tuple[Paradigm | None, list[Diagnostic]]:
        source, content = file.source, grammar and grammar.content
        written = [(each.name, each.path, each.sha256) for each in (source, *file.bases)]
        key = "paradigm", tuple(tasks.by_name), tuple(written), content
        shipped = source.is_shipped and (used is None or grammars.is_shipped(used))
        return grammars.memory.recall(key, lambda: resolved(grammar), shipped)

    grammar = grammars.reached(used, line.mentioned()) if used is not None else None
    paradigm, problems = with_grammar(grammar)
    if paradigm is None and used is not None:  # the messages name what there is, not only what it reaches
        grammar = grammars.whole_of(used)
        paradigm, problems = with_grammar(grammar)
    findings.extend(problems)
    if grammar is not None:
        grammars.of_paradigms[file.full_name] = grammar
    return paradigm if file.readable else None


def _check_idle_tables(lines: LibraryLines, grammars: Iterable[Grammar], few: bool, findings: Findings) -> None:
    """Report rows of the wrong size in tables that no grammar reads; ``few``: of shipped tables other grammars may."""
    used = {file for grammar in grammars for category in grammar.categories.values() for file in category.files}
    for name, table in lines.tables.items():
        if name not in used and not (few and table.source.is_shipped):
            findings.extend(table.problems())
