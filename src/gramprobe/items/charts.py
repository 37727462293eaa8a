"""What charts say of sentences: which are good, and which constraint alone repairs each of the others.

The grammar is wider than that of the paradigm: all of the shipped modules, if it uses any of them, with every entry
that spells a word, so that a bad sentence is bad in all of this English and not in a part of it. What no sentence of
the paradigms can use is left out of it (`compiled.reduced`). Sentences of equal shape (the entries of their
words that some tree could use, without ids, and with the features for which a rule asks) have one chart.
"""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from gramprobe.cache import Folder, key_of, program_version
from gramprobe.chart.beginnings import Beginnings
from gramprobe.chart.judge import Judgement, certificate, judged
from gramprobe.chart.parse import Chart
from gramprobe.chart.rules import Rules
from gramprobe.chart.shape import Shape, Shapes, Tokens
from gramprobe.compiled.data import Compiled, read, written
from gramprobe.compiled.from_resolve import compiled
from gramprobe.compiled.reduced import reduced
from gramprobe.language import Language
from gramprobe.resolve.grammar.data import ArgumentWords, Constant, Constructor, Grammar, Lexeme, Lookup, Operand
from gramprobe.resolve.paradigm.data import Paradigm
from gramprobe.resolve.project import Declarations
from gramprobe.resolve.tree import Apply, Given, Slot, Tree, nodes
from gramprobe.source import messages
from gramprobe.source.diagnostic import AuthoringError, Diagnostic, UsageError
from gramprobe.syntax.tree import Uses


class Charted(NamedTuple):
    """A sentence: the id of its shape, and what the chart of the shape says."""

    shape: str
    judgement: Judgement


@dataclass
class Charts:
    """The charts of the sentences of a grammar, each made when it is first asked for.

    Attributes:
        rules: of the grammar.
        tokens: those of which its sentences may be.
        judged: shape -> what its chart says of all of its sentences.
        keeps: whether lines are wanted of all shapes, and are made with what is said of them.
    """

    rules: Rules
    tokens: set[str]
    judged: dict[str, Judgement] = field(default_factory=dict)
    keeps: bool = False
    _lines: dict[str, str] = field(default_factory=dict)
    _first: dict[str, Shape] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._shapes = Shapes(self.rules)
        self._beginnings = Beginnings(self._shapes)
        self._known: dict[tuple[Tokens, int], Charted] = {}

    def of(self, text: str, known: int = 0) -> Charted:
        """What the chart of a sentence says. ``known``: as many of its tokens begin another sentence that is good.
        Raises RuntimeError for one of other tokens, UsageError (E43) for one that is too long."""
        words = self.rules.grammar.language.tokens(text)
        if not self.tokens.issuperset(words):
            strange = next(word for word in words if word not in self.tokens)
            raise RuntimeError(f"`{text}` has `{strange}`, for which its grammar was not made")
        key = self._shapes.tokens(text), known
        found = self._known.get(key)
        if found is None:
            try:
                found = self._known[key] = self._charted(*key)
            except ValueError as error:
                what = f"`{text[:60]} ...` cannot be judged: {error}"
                raise UsageError(what, "shorten it", "E43") from None
        return found

    def _charted(self, tokens: Tokens, known: int) -> Charted:
        """What the chart of a sentence of these tokens says. Raises ValueError for one that is too long."""
        shape = self._shapes.of_tokens(tokens)
        if shape.id not in self.judged:
            self.judged[shape.id], chart = judged(shape, self.rules)
            self._first[shape.id] = shape
            if self.keeps:
                self._lines[shape.id] = _line(shape, chart)
        found = self.judged[shape.id]
        if not found.good:
            found = replace(found, critical=self._beginnings.critical_of(tokens, known))
        return Charted(shape.id, found)

    def lines(self, shapes: Iterable[str]) -> dict[str, str]:
        """Shape -> its line of charts.jsonl."""
        kept, first = self._lines, self._first
        return {
            shape: kept[shape] if shape in kept else _line(first[shape], judged(first[shape], self.rules)[1])
            for shape in sorted(shapes)
        }

    @property
    def grammar(self) -> bytes:
        """The grammar as it stands in a dataset."""
        return written(self.rules.grammar)


def _line(shape: Shape, chart: Chart) -> str:
    return msgspec.json.encode(certificate(shape, chart)).decode() + "\n"


def charts_of(declarations: Declarations, names: Sequence[str]) -> Charts:
    """The charts for some paradigms, by full name. Raises AuthoringError where their modules do not go together."""
    paradigms = [each for name in names if (each := declarations.declared(name)) is not None]
    tokens: set[str] = set()
    for name, paradigm in zip(names, paradigms, strict=True):
        own = declarations.grammar_of_paradigm(name)
        assert own is not None
        tokens |= _variants(_tokens(paradigm, own), own.language)
    modules = declarations.modules_around(_uses(declarations, names))
    key = _key(declarations, modules), frozenset(tokens)
    if (found := _latest.get(key)) is None:
        _latest.clear()
        small = _kept(key_of(key[0], sorted(tokens)), lambda: reduced(_compiled(declarations, modules), tokens))
        found = _latest[key] = Charts(Rules(small), tokens)
    return found


_latest: dict[tuple[str, frozenset[str]], Charts] = {}
"""The charts that were made last: one set is built at a time."""


def _key(declarations: Declarations, modules: Sequence[str]) -> str:
    return key_of(program_version(), declarations.content(modules))


def _compiled(declarations: Declarations, modules: Sequence[str]) -> Compiled:
    """The compiled grammar of some modules. Raises AuthoringError."""
    key = _key(declarations, modules)
    if key not in _whole:
        _whole.clear()
        _whole[key] = _kept(key, lambda: compiled(declarations.grammar(*modules)))
    return _whole[key]


_whole: dict[str, Compiled] = {}
"""The grammar that was compiled last: what stands around paradigms is mostly the same, and each leaves out other parts
of it."""


def _kept(key: str, make: Callable[[], Compiled]) -> Compiled:
    """A compiled grammar, from the cache if it was made of the same files in an earlier run."""
    folder = Folder("grammars")
    if held := folder.get(key):
        with contextlib.suppress(zlib.error, msgspec.DecodeError):
            return read(zlib.decompress(held))
    made = make()
    folder.put(key, zlib.compress(written(made), 1))
    return made


def _uses(declarations: Declarations, names: Sequence[str]) -> list[Uses]:
    lines = (declarations.lines.paradigms[name].lines for name in names)
    return [each for line in lines if line is not None for each in line.uses]


def _grammar_around(declarations: Declarations, names: Sequence[str]) -> Grammar:
    return declarations.grammar(*declarations.modules_around(_uses(declarations, names)))


def clash(declarations: Declarations, names: Sequence[str]) -> Diagnostic | None:
    """What is wrong with minimal pairs of one dataset, which has one grammar, where their grammars do not go together.
    ``names``: of paradigms that are right by themselves."""
    try:
        _grammar_around(declarations, names)
        return None
    except AuthoringError:
        for count in range(2, len(names) + 1):
            try:
                _grammar_around(declarations, names[:count])
            except AuthoringError as error:
                paradigm = declarations.declared(names[count - 1])
                assert paradigm is not None
                reason = next(each.message for each in error.diagnostics if each.is_error)
                return messages.names.grammars_clash(paradigm.span, names[: count - 1], reason)
        raise


def charts_around(declarations: Declarations, uses: Sequence[Uses], sentence: str) -> Charts:
    """The charts for a sentence in the grammar around `uses` lines. Raises AuthoringError as `charts_of` does."""
    grammar = _compiled(declarations, declarations.modules_around(uses))
    tokens = _variants(grammar.language.tokens(sentence), grammar.language)
    return Charts(Rules(reduced(grammar, tokens)), tokens)


def _variants(tokens: Iterable[str], language: Language) -> set[str]:
    """Tokens as they stand inside of a sentence and where one begins, with clitics, marks and signs at the end."""
    found = {*tokens, *language.clitics, *language.marks, *language.finals}
    for token in tuple(found) if language.capitals else ():
        found |= {language.capitalised(token), token[:1].lower() + token[1:]}
    return found


def _tokens(paradigm: Paradigm, grammar: Grammar) -> Iterator[str]:
    """Every token that a sentence of a paradigm can have, and perhaps others."""
    trees: list[Tree] = [condition.tree for condition in paradigm.conditions.values()]
    texts: dict[str, None] = {}
    for draw in paradigm.draws:
        for skeleton in draw.skeletons:
            trees.append(skeleton.tree)
            for domain in skeleton.domains:
                if not domain.slot.is_feature:
                    lexemes = grammar.categories[domain.slot.category].lexemes
                    texts.update(dict.fromkeys(t for m in domain.members for t in lexemes[m].forms.values()))
    for node in (each for tree in trees for each in nodes(tree)):
        if isinstance(node, Apply):
            texts.update(dict.fromkeys(_said(node.constructor, grammar)))
        elif isinstance(node, Given) and (lexeme := _lexeme(node, grammar)) is not None:
            texts.update(dict.fromkeys(lexeme.forms.values()))
        elif isinstance(node, Slot) and node.column is not None and not node.is_feature:
            lexemes = grammar.categories[node.category].lexemes
            texts.update(dict.fromkeys(text for lexeme in lexemes for text in lexeme.forms.values()))
    for text in texts:
        yield from grammar.language.tokens(text)


def _lexeme(node: Given, grammar: Grammar) -> Lexeme | None:
    return None if node.is_feature else grammar.lexeme(node.category, node.value)


def _said(constructor: Constructor, grammar: Grammar) -> Iterator[str]:
    """The texts that the lines of a constructor can have beside its parts."""
    for atom in (atom for line in constructor.lines for atom in line.atoms):
        match atom:
            case Constant(text):
                yield text
            case Lookup(table):
                yield from grammar.tables[table].cells.values()
            case Operand(argument=int() as at, column=str() as column):
                for lexeme in grammar.categories[constructor.arguments[at].category].lexemes:
                    yield str(lexeme.columns.get(column, ""))
            case ArgumentWords() | Operand():
                pass
