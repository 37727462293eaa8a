"""Grammar files as modules: what a `uses` line brings, extensions applied, and the part that a paradigm reaches.

    Uses + GrammarFile --bring--> lines --extend--> declarations --reach--> those that some names need

A module is a `.gram` file, named by its path below `grammars/` with dots: `english.tense`; the name of a folder stands
for all of its modules. A `uses` line of a module brings other modules, which come with it. Names are those of the whole
grammar: two modules that are used together declare different names, or a `uses` line leaves one out or renames it; but
an author's own constructor stands in the place of a shipped one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from gramprobe.language import DEFAULT
from gramprobe.resolve.clashes import Brought, declares, without_clashes
from gramprobe.resolve.extensions import extend
from gramprobe.resolve.names import require_known
from gramprobe.source import messages
from gramprobe.source.diagnostic import Diagnostic, Findings
from gramprobe.source.files import Source
from gramprobe.syntax import grammar_tree as syntax
from gramprobe.syntax.cache import cached
from gramprobe.syntax.files import DeclaredNames, read_declared_names, read_grammar
from gramprobe.syntax.tree import Term, Uses, Word, names_in

#: what makes two `uses` lines alike: the modules, and what is left out and renamed
Spec = tuple[tuple[str, tuple[str, ...] | None, tuple[str, ...], tuple[tuple[str, str], ...]], ...]
#: what `uses` lines bring of shipped files alone, for every load of the process: the lines and the files -> it
_of_shipped: dict[tuple[Any, ...], Used] = {}
MOST = 200
"""How many of them are remembered."""


class GrammarFile(Struct, frozen=True, dict=True):
    """A grammar file, which is read when somebody first asks for its statements."""

    source: Source

    @cached_property
    def lines(self) -> list[syntax.GrammarLine]:
        """Its statements."""
        return cached(self.source, read_grammar)[0]

    @cached_property
    def declared(self) -> DeclaredNames:
        """The names of its categories and constants, for which alone the other statements are not read."""
        if "lines" in self.__dict__:
            return DeclaredNames.of(self.lines)
        return cached(self.source, read_declared_names)[0]

    @property
    def problems(self) -> list[Diagnostic]:
        """What is wrong with its statements."""
        return cached(self.source, read_grammar)[1]

    @property
    def module(self) -> str:
        return module_name(self.source)


def module_name(source: Source) -> str:
    """``english.tense`` for ``grammars/english/tense.gram``."""
    return source.name.removeprefix("grammars/").removesuffix(".gram").replace("/", ".")


class Selection(Struct, frozen=True, eq=False):
    """Some of the declarations that `uses` lines bring.

    Attributes:
        lines: the declarations.
        files: the names of the files that they stand in, of their tables of words and of their language, sorted:
            ``grammars/english/tense.gram``, ``lexicon/nouns.tsv``, ``languages/english.toml``.
        names: of constructors and categories among them.
    """

    lines: tuple[syntax.Declaration, ...]
    files: tuple[str, ...]
    names: tuple[str, ...]

    @staticmethod
    def of(lines: tuple[syntax.Declaration, ...], modules: Iterable[str]) -> Selection:
        """The part with these declarations of these modules."""
        declaring = (line for line in lines if isinstance(line, syntax.Category | syntax.Function))
        return Selection(lines, files_of(lines, modules), tuple(line.name.text for line in declaring))


def files_of(lines: Iterable[syntax.GrammarLine], modules: Iterable[str]) -> tuple[str, ...]:
    """The names of the files of some modules, of the tables of words that these lines of them name, and of their
    language, sorted."""
    languages, tables = list[str](), set[str]()
    for line in lines:
        if isinstance(line, syntax.LanguageName):
            languages.append(line.name.text)
        elif isinstance(line, syntax.Category):
            tables.update(f"lexicon/{file.text}" for file in line.files)
        elif isinstance(line, syntax.MoreWords):
            tables.add(f"lexicon/{line.file.text}")
    spoken = {f"languages/{name}.toml" for name in languages or [DEFAULT]}
    modules_ = {f"grammars/{module.replace('.', '/')}.gram" for module in modules}
    return tuple(sorted(tables | modules_ | spoken))


class Used(Struct, frozen=True, kw_only=True):
    """The declarations that some `uses` lines bring.

    Attributes:
        spec: the lines.
        modules: the modules, each behind those that it uses.
        whole: the declarations with their extensions.
        clashing: the names that are declared in two modules; one declaration of each is among the lines.
        left_out: the names of scopes of constructors that these modules declare and the `uses` lines leave out.
        reach: which of the declarations names need.
    """

    spec: Spec
    modules: tuple[str, ...]
    whole: Selection
    reach: Reach
    clashing: frozenset[str] = frozenset()
    left_out: frozenset[str] = frozenset()


def spec_of(uses: Sequence[Uses]) -> Spec:
    """What the lines say, without the places where they stand."""
    return tuple(
        (
            each.module.text,
            None if each.only is None else tuple(w.text for w in each.only),
            tuple(w.text for w in each.excluded),
            tuple((old.text, new.text) for old, new in each.renamed),
        )
        for each in uses
    )


def named_modules(name: str, files: Collection[str]) -> list[str]:
    """The modules that a name stands for: a file, else all files of a folder, else the files of this name in some
    folder."""
    if name in files:
        return [name]
    inside = [each for each in files if each.startswith(f"{name}.")]
    return inside or [each for each in files if each.rpartition(".")[2] == name]


class Modules:
    """The grammar files of a library.

    Args:
        files: by the name of the module.
        unreadable: the modules whose file cannot be read.
    """

    def __init__(self, files: Mapping[str, GrammarFile], unreadable: frozenset[str]) -> None:
        self.files = files
        self._shipped = frozenset(name for name, file in files.items() if file.source.is_shipped)
        self._unreadable = unreadable
        self._used: dict[Spec, Used] = {}
        self._inner: dict[str, list[str]] = {}
        self._brought: dict[str, Brought | None] = {}

    def used(self, uses: Sequence[Uses], findings: Findings) -> Used | None:
        """What `uses` lines bring; None, with a diagnostic, for a module that does not exist, or is empty."""
        spec = spec_of(uses)
        if spec in self._used:
            return self._used[spec]
        reached = self.reached(uses)
        sources = (self.files[name].source for name in sorted(reached))
        content = spec, *((source.path, source.sha256) for source in sources)
        if reached <= self._shipped and content in _of_shipped:
            self._used[spec] = _of_shipped[content]
            return self._used[spec]
        lines: Brought = {}
        own, ok = Findings(), True
        for number, each in enumerate(uses):
            if any(each.module.text == before.module.text and not each.selects for before in uses[:number]):
                what = f"`{each.module.text}` in this line"
                own.add(messages.names.declared_twice(each.module.span, what, None))
            selected = self._selected(each, (), own)
            if selected is None:
                ok = False
            else:
                lines.update(selected)
        if not ok:
            findings.extend(own.items)
            return None
        self._check_left_out(uses, lines, own)
        distinct, clashing = without_clashes(lines, self._shipped, own)
        extending = Findings(unread=set(clashing))
        declarations = extend(distinct, extending)
        own.extend(extending.items)
        findings.extend(own.items)
        modules = tuple(dict.fromkeys(module for module, _, _ in lines))
        declared = _scopes(line for module in modules for line in self.files[module].lines)
        used = Used(
            spec=spec,
            modules=modules,
            whole=Selection.of(tuple(declarations), modules),
            reach=Reach(declarations, modules),
            clashing=clashing,
            left_out=frozenset(declared - _scopes(declarations)),
        )
        if not own.items:  # another paradigm with such a line has the mistake in its own file
            self._used[spec] = used
            if reached <= self._shipped:
                if len(_of_shipped) == MOST:
                    _of_shipped.clear()
                _of_shipped[content] = used
        return used

    def paths(self, uses: Sequence[Uses]) -> frozenset[str]:
        """The files that `uses` lines bring, directly or through others."""
        return frozenset(self.files[name].source.path for name in self.reached(uses))

    def files_behind(self, uses: Sequence[Uses]) -> tuple[str, ...]:
        """The names of all files on which rests what `uses` lines bring, sorted, whatever is left out or extended: to
        find them, nothing is applied."""
        reached = self.reached(uses)
        return files_of((line for name in reached for line in self.files[name].lines), reached)

    def reached(self, uses: Sequence[Uses]) -> set[str]:
        """The modules that `uses` lines bring, directly or through others."""
        reached: set[str] = set()
        todo = [name for each in uses for name in named_modules(each.module.text, self.files)]
        while todo:
            name = todo.pop()
            if name not in reached:
                reached.add(name)
                if name not in self._inner:
                    inner = (line.module.text for line in self.files[name].lines if isinstance(line, Uses))
                    self._inner[name] = [module for each in inner for module in named_modules(each, self.files)]
                todo += self._inner[name]
        return reached

    def _check_left_out(self, uses: Sequence[Uses], lines: Brought, findings: Findings) -> None:
        """Report what a line leaves out and another line brings all the same."""
        for each in uses:
            modules = self.reached([each]) if each.excluded else set[str]()
            for word in each.excluded:
                there = any(module in modules and word.text in _names(line) for (module, _, _), line in lines.items())
                if there:
                    findings.add(messages.names.brought_anyway(word.span, word.text, each.module.text))

    def _selected(self, uses: Uses, open_: tuple[str, ...], findings: Findings) -> Brought | None:
        """The lines that one `uses` brings; None, with a diagnostic, for an unknown module and for a circle."""
        word = uses.module
        names = named_modules(word.text, self.files)
        if not names:
            if named_modules(word.text.removesuffix(".gram"), self.files):
                findings.add(messages.names.module_with_ending(word.span, word.text))
            elif word.text not in self._unreadable:
                known = [*self.files, *dict.fromkeys(n.rpartition(".")[0] for n in self.files if "." in n)]
                require_known(word, known, "grammar file", findings, "E19")
            return None
        if len(names) > 1 and word.text not in open_ and not names[0].startswith(f"{word.text}."):
            findings.add(messages.names.ambiguous_module(word.span, word.text, names))
            return None
        lines: Brought = {}
        for name in names:
            if name in open_:
                circle = (*open_[open_.index(name) :], name)
                findings.add(messages.names.circle(word.span, "uses", circle))
                return None
            inner = self._bring(name, open_, findings)
            if inner is None:
                return None
            lines.update(inner)
        return _selection(lines, uses, findings) if uses.selects else lines

    def _bring(self, module: str, open_: tuple[str, ...], findings: Findings) -> Brought | None:
        """The lines of a module behind those of the modules that it uses."""
        if module in self._brought:
            return self._brought[module]
        lines: Brought | None = {}
        for line in self.files[module].lines:
            if isinstance(line, Uses):
                selected = self._selected(line, (*open_, module), findings)
                lines = None if selected is None or lines is None else {**lines, **selected}
        if lines is not None:
            self._check_left_out([each for each in self.files[module].lines if isinstance(each, Uses)], lines, findings)
            for number, line in enumerate(self.files[module].lines):
                if not isinstance(line, Uses):
                    lines[module, number, ""] = line
            if not lines:  # a file without a statement is reported where it is read
                lines = None
        self._brought[module] = lines
        return lines


def _selection(lines: Brought, uses: Uses, findings: Findings) -> Brought:
    """The lines without those that the `uses` line leaves out, and with its names."""
    constructors = {line.name.text for line in lines.values() if isinstance(line, syntax.Function)}
    declared = {name for line in lines.values() for name in _names(line)}
    for word in (*(uses.only or ()), *(old for old, _ in uses.renamed)):
        require_known(word, constructors, f"constructor of {uses.module.text}", findings)
    for word in uses.excluded:
        require_known(word, declared, f"declaration of {uses.module.text}", findings)
    only = None if uses.only is None else _with_mentioned({word.text for word in uses.only}, lines.values())
    excluded = {word.text for word in uses.excluded}
    renamed = {old.text: new.text for old, new in uses.renamed}
    selected: Brought = {}
    for key, line in lines.items():
        if any(name in excluded for name in _names(line)):
            continue
        if isinstance(line, syntax.Function | syntax.MoreLines):
            name = line.name.text
            if only is not None and name not in only:
                continue
            if name in renamed:
                new = Word(renamed[name], line.name.span)
                selected[key[0], key[1], new.text] = replace(_with_names(line, renamed), name=new)
                continue
            line = _with_names(line, renamed)
        selected[key] = line
    return selected


def _with_mentioned(names: set[str], lines: Iterable[syntax.GrammarLine]) -> set[str]:
    """The names of constructors with those that definitions among them mention."""
    terms = {line.name.text: line.branches for line in lines if isinstance(line, syntax.Function) and line.branches}
    todo = list(names)
    while todo:
        more = {n for branch in terms.get(todo.pop(), ()) for n in names_in(branch.term)} - names
        names = names | more
        todo += more
    return names


def _with_names(
    line: syntax.Function | syntax.MoreLines, renamed: Mapping[str, str]
) -> syntax.Function | syntax.MoreLines:
    """A definition whose terms have the new names of constructors; other lines as they are."""
    if isinstance(line, syntax.MoreLines) or not line.branches:
        return line
    own = {argument.name.text for argument in line.arguments}
    kept = {old: new for old, new in renamed.items() if old not in own}
    return replace(line, branches=tuple(replace(b, term=_renamed(b.term, kept)) for b in line.branches))


def _renamed(term: Term, renamed: Mapping[str, str]) -> Term:
    arguments = None if term.arguments is None else tuple(_renamed(each, renamed) for each in term.arguments)
    name = Word(renamed.get(term.name.text, term.name.text), term.name.span)
    return replace(term, name=name, arguments=arguments)


def _scopes(lines: Iterable[syntax.GrammarLine]) -> set[str]:
    """The names by which constructors take scope."""
    having = (line for line in lines if isinstance(line, syntax.Function | syntax.MoreLines))
    return {scope.name.text for line in having for scope in line.scopes}


def _names(line: syntax.GrammarLine) -> Iterable[str]:
    """The names that a line declares, also of relations and groups, which may be declared in several lines."""
    yield from (name for _, name, _ in declares(line))
    if isinstance(line, syntax.Relation | syntax.Group):
        yield line.name.text


_REACHED = syntax.Function | syntax.Category | syntax.Feature | syntax.Table | syntax.Carry


class Reach:
    """Which of some declarations names need: constructors, with the categories, features, tables and relations they
    mention. The declarations are looked through once for all names that are asked for.

    Constants, sentence categories and names of readings are always among them; a relation is also if both of its sides
    are.
    """

    def __init__(self, lines: Sequence[syntax.Declaration], modules: Sequence[str]) -> None:
        self._modules = modules
        self._by_name: dict[str, list[syntax.Declaration]] = {}
        self._mentioned: dict[str, list[str]] = {}
        self._wanted: list[tuple[syntax.Declaration, str, frozenset[str]]] = []
        self._first = [line.category.text for line in lines if isinstance(line, syntax.Sentence)]
        for line in lines:
            name, sides = "", frozenset[str]()
            if isinstance(line, _REACHED | syntax.Relation):
                name = line.name.text
                self._by_name.setdefault(name, []).append(line)
            if isinstance(line, syntax.Relation):
                sides = frozenset((line.left.name.text, line.right.name.text))
            elif isinstance(line, syntax.Group):
                name = line.feature.text
            self._wanted.append((line, name, sides))
        self._found = lru_cache(maxsize=MOST)(self._find)

    def __call__(self, names: Iterable[str]) -> Selection:
        """The declarations that these names need, in their order; those of the last names are remembered."""
        return self._found(frozenset(names))

    def _find(self, names: frozenset[str]) -> Selection:
        wanted: set[str] = set()
        todo = [*names, *self._first]
        while todo:
            name = todo.pop()
            if name not in wanted:
                wanted.add(name)
                if name not in self._mentioned:
                    own = self._by_name.get(name, ())
                    self._mentioned[name] = [each for line in own for each in syntax.mentioned(line)]
                todo += self._mentioned[name]
        found = (
            line for line, name, sides in self._wanted if not name or name in wanted or (sides and sides <= wanted)
        )
        return Selection.of(tuple(found), self._modules)
