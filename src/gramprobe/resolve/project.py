"""Every file of a library resolved: grammars, theories, paradigms."""

from __future__ import annotations

from dataclasses import dataclass, field

from gramprobe.resolve.conditions import resolve_paradigm
from gramprobe.resolve.declarations import Grammar
from gramprobe.resolve.grammar import resolve_grammar
from gramprobe.resolve.lexicon import resolve_lexicon
from gramprobe.resolve.paradigm import Paradigm
from gramprobe.resolve.theory import Theory, resolve_theory
from gramprobe.resolve.tree import Slot, nodes
from gramprobe.source import messages
from gramprobe.source.diagnostic import Diagnostic, Findings
from gramprobe.source.files import GIVEN, SENTENCES, Library, Source
from gramprobe.source.span import Span
from gramprobe.syntax import tree as syntax
from gramprobe.syntax.cache import cached
from gramprobe.syntax.files import WordTable, read_grammar, read_paradigm, read_theory, read_words
from gramprobe.syntax.given import Notes, read_given


@dataclass(slots=True)
class Declarations:
    """What a library declares. ``paradigms`` is by full name (``presupposition/only``); broken ones are missing
    there and listed in ``broken``."""

    library: Library
    findings: Findings
    paradigms: dict[str, Paradigm] = field(default_factory=dict)
    grammars: dict[str, Grammar] = field(default_factory=dict)
    sources: dict[str, Source] = field(default_factory=dict)
    broken: dict[str, Source] = field(default_factory=dict)
    #: where the sentences come from that stand in the place of `lexicon/sentences.tsv`
    given: Notes | None = None
    _grammar_of: dict[str, Grammar] = field(default_factory=dict)
    _lines: dict[str, syntax.Paradigm] = field(default_factory=dict)
    _theories: dict[str, syntax.Theory] = field(default_factory=dict)
    _by_uses: dict[tuple[str, ...], Grammar] = field(default_factory=dict)
    _files: dict[str, list[syntax.GrammarLine]] = field(default_factory=dict)
    _tables: dict[str, WordTable] = field(default_factory=dict)
    _empty_tables: set[str] = field(default_factory=set)

    @property
    def theory_names(self) -> tuple[str, ...]:
        return tuple(self._theories)

    def declared(self, full_name: str, balanced: bool = False) -> Paradigm | None:
        """A paradigm by its full name, or its balanced companion; None where there is none."""
        found = self.paradigms.get(full_name)
        return found.companion if found is not None and balanced else found

    def grammar_of_paradigm(self, full_name: str) -> Grammar | None:
        """The grammar that a paradigm uses."""
        return self._grammar_of.get(full_name)

    def theory_lines(self, name: str) -> syntax.Theory:
        """The lines of a theory's own file. Raises KeyError when there is none."""
        return self._theories[name]

    def theory(self, name: str, grammar: Grammar | None, findings: Findings, at: Span | None = None) -> Theory | None:
        """The named theory over a grammar's lexicon; None (and a finding) when it is not there."""
        findings.lost |= grammar.lost if grammar else frozenset()
        elsewhere = frozenset(c for g in self._by_uses.values() for c in g.categories)
        return resolve_theory(name, self._theories, grammar, findings, at, elsewhere)

    def check_theories(self) -> None:
        """Check every theory with the grammars it is used with; one that no paradigm uses, with all: what stands
        against it whatever the grammar is told."""
        for name in self._theories:
            users = [p for p, line in self._lines.items() if _first(line, "theory") == name]
            used = list({id(g): g for p in users if (g := self._grammar_of.get(p)) is not None}.values())
            for grammar in used:
                findings = Findings()
                self.theory(name, grammar, findings)
                self.findings.extend(findings.items)
            if used:
                continue
            always: list[Diagnostic] | None = None
            for grammar in (*self._by_uses.values(), *(() if self._by_uses else (None,))):
                if always != []:
                    findings = Findings()
                    self.theory(name, grammar, findings)
                    always = findings.items if always is None else [d for d in always if d in findings.items]
            self.findings.extend(always or [])

    def theory_files(self, name: str) -> frozenset[str]:
        """The paths of a theory's file and of those it includes."""
        reached, todo = set[str](), [name]
        while todo:
            theory = todo.pop()
            if theory not in reached:
                reached.add(theory)
                if theory in self._theories:
                    todo.extend(w.text for w in self._theories[theory].includes)
        names = {f"logic/{n}.logic" for n in reached}
        return frozenset(s.path for n, s in self.library.sources.items() if n in names)

    def files_of(self, full_name: str) -> frozenset[str]:
        """The paths of the files that a paradigm rests on: its own, its grammars, their words, its theory."""
        paths = {self.sources[full_name].path}
        line = self._lines.get(full_name)
        if line is None:
            return frozenset(paths)
        uses = {w.text for w in line.settings.get("uses", ())}
        paths |= {s.path for s in self.library.having("grammars", ".gram") if s.stem in uses}
        words = {c.file.text for u in uses for c in self._files.get(u, []) if isinstance(c, syntax.Category) and c.file}
        paths |= {s.path for n, s in self.library.sources.items() if n.removeprefix("lexicon/") in words}
        return frozenset(paths | self.theory_files(_first(line, "theory")))

    def takes_given(self, full_name: str) -> bool:
        """Whether sentences were given and a paradigm is about them: some draw of it ranges over them."""
        if self.given is None or full_name not in self.paradigms:
            return False
        given = self._given_categories(full_name)
        drawn = (d.slot.category for w in self.paradigms[full_name].draws for s in w.skeletons for d in s.domains)
        return not given.isdisjoint(drawn)

    def _given_categories(self, full_name: str) -> set[str]:
        file = SENTENCES.removeprefix("lexicon/")
        return {c.name for c in self._grammar_of[full_name].categories.values() if c.file == file}

    def wants_pairs(self, full_name: str) -> bool:
        """Whether it is about what a given sentence entails: some tree of it has `g.entails`."""
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
        """Whether some given sentence is said to entail another."""
        table = self._tables.get(SENTENCES.removeprefix("lexicon/"))
        return table is not None and any(cells[table.header.index("entails")] != "-" for _, cells in table.rows)

    def grammar_of(self, uses: tuple[syntax.Word, ...]) -> Grammar | None:
        """The grammar that a paradigm's ``uses`` line names; each combination of files is resolved once."""
        for number, word in enumerate(uses):
            if word.text not in self._files and f"grammars/{word.text}.gram" not in self.library.unreadable:
                self.findings.add(messages.unknown_name(word.span, "grammar file", word.text, self._files, code="E19"))
            if word.text in (w.text for w in uses[:number]):
                self.findings.add(messages.declared_twice(word.span, f"`{word.text}` in this line", None))
        names = tuple(dict.fromkeys(w.text for w in uses))
        if not all(self._files.get(n) for n in names):
            return None
        if names not in self._by_uses:
            lines = [line for name in names for line in self._files[name]]
            findings = Findings()
            grammar = resolve_grammar(lines, findings)
            unreadable = {n.removeprefix("lexicon/") for n in self.library.unreadable} | self._empty_tables
            resolve_lexicon(self._tables, grammar, findings, frozenset(unreadable))
            grammar.lost = frozenset(findings.lost)
            self.findings.extend(findings.items)
            self._by_uses[names] = grammar
        return self._by_uses[names]


def resolve_all(library: Library, findings: Findings) -> Declarations:
    """Resolve every grammar, theory and paradigm; findings of all files are collected."""
    found = Declarations(library, findings)
    for source in library.having("grammars", ".gram"):
        lines, problems = cached(source, read_grammar)
        findings.extend(problems)
        if source.stem in found._files:
            findings.add(messages.declared_twice(Span(source.path, 1, 1), f"a grammar file `{source.stem}.gram`", None))
        found._files[source.stem] = lines
    for source in library.having("lexicon", ".tsv"):
        if source.origin == GIVEN:
            table, found.given, problems = read_given(source, *_names_and_words(library))
        else:
            table, problems = read_words(source)
        findings.extend(problems)
        name = source.name.removeprefix("lexicon/")
        if table is None:
            found._empty_tables.add(name)
        else:
            found._tables[name] = table
    for source in library.having("logic", ".logic"):
        theory, problems = cached(source, read_theory)
        findings.extend(problems)
        if theory is not None:
            if theory.name.text != source.stem:
                findings.add(messages.name_and_file_differ(theory.name.span, "theory", theory.name.text, source.stem))
            found._theories[source.stem] = theory
    for source in library.having("grammars", ".paradigm"):
        _paradigm(source, found)
    used = {c.file for g in found._by_uses.values() for c in g.categories.values()}
    for name, table in found._tables.items():
        if name not in used:
            findings.extend(table.problems())
    for name, grammar in {" ".join(k): g for k, g in found._by_uses.items()}.items():
        found.grammars[name] = grammar
    return found


def _names_and_words(library: Library) -> tuple[list[str], set[str]]:
    """The names of persons in the lexicon, from every table with a column `name`, and the words of the other tables."""
    names: list[str] = []
    words: set[str] = set()
    for source in library.having("lexicon", ".tsv"):
        table = None if source.origin == GIVEN else read_words(source)[0]
        if table is None:
            continue
        if "name" in table.header:
            names += [cells[table.header.index("name")] for _, cells in table.rows]
        else:
            words.update(word for _, cells in table.rows for cell in cells for word in cell.split())
    return names, words


def _first(line: syntax.Paradigm, key: str) -> str:
    return line.settings[key][0].text if line.settings.get(key) else ""


def _paradigm(source: Source, found: Declarations) -> None:
    phenomenon = source.name.removeprefix("grammars/").rpartition("/")[0]
    if not phenomenon or "/" in phenomenon:
        found.findings.add(messages.misplaced_file(Span(source.path, 1, 1), source.name))
    full_name = f"{phenomenon or 'none'}/{source.stem}"
    found.sources[full_name] = source
    line, problems = cached(source, read_paradigm)
    found.findings.extend(problems)
    paradigm = None
    if line is not None:
        found._lines[full_name] = line
        grammar = found.grammar_of(line.settings["uses"]) if line.settings.get("uses") else None
        theory = line.settings.get("theory", ())
        there = {*found._theories, *(n[6:-6] for n in found.library.unreadable if n.startswith("logic/"))}
        if theory and theory[0].text not in there:
            known = found._theories
            found.findings.add(messages.unknown_name(theory[0].span, "theory", theory[0].text, known, code="E20"))
        if grammar is not None:
            found._grammar_of[full_name] = grammar
        if grammar is not None or not line.settings.get("uses"):
            findings = Findings(muted=bool(line.broken))
            findings.lost |= {n for b in line.broken for n in (*b.names, f"line {b.keyword}")}
            paradigm = resolve_paradigm(line, phenomenon, source.stem, grammar, findings)
            found.findings.extend(findings.items)
    if paradigm is None or any(p.is_error for p in problems):
        found.broken[full_name] = source
    else:
        found.paradigms[full_name] = paradigm
