"""Sentences read back with NLTK's chart parser: an independent reader of what the compiler prints.

The parser is NLTK's (Bird, Klein & Loper 2009, ch. 9), over the text that :mod:`gramprobe.compiled.fcfg`
prints; it is imported only when a sentence is read.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from gramprobe.compiled.fcfg import fcfg
from gramprobe.compiled.from_resolve import compiled
from gramprobe.resolve.grammar.data import Grammar
from gramprobe.resolve.tree import Apply, Composite, Given, Slot, Tree

__all__ = ["Term", "abstract", "matches", "tokens", "trees"]

_SYMBOL = re.compile(r"(\w+)\[(?:[^\[\]]|\[[^\]]*\])*\]")
_TOKEN = re.compile(r"\"([^\"]*)\"|'([^']*)'")


@dataclass(frozen=True, slots=True)
class Term:
    """An abstract tree as names only: a constructor over its parts, a lexeme's id or a feature's value.

    A part that has no words is None.
    """

    name: str
    parts: tuple[Term | None, ...] = ()

    def __str__(self) -> str:
        inner = ", ".join("_" if p is None else str(p) for p in self.parts)
        return f"{self.name}({inner})" if inner else self.name


def matches(read: Term | None, source: Term | None) -> bool:
    """Whether a tree that was read is the source: equal but for parts that have no words."""
    if read is None or source is None:
        return True
    return (
        read.name == source.name
        and len(read.parts) == len(source.parts)
        and all(map(matches, read.parts, source.parts))
    )


def abstract(tree: Tree) -> Term:
    """The names of a tree. Raises ValueError where something that is drawn is not filled in."""
    match tree:
        case Apply():
            return Term(tree.constructor.name, tuple(map(abstract, tree.arguments)))
        case Given():
            return Term(tree.value)
        case Slot() | Composite():
            raise ValueError(f"`{tree.name}` is drawn: put a word or a skeleton in its place first")


def tokens(sentence: str, grammar: Grammar) -> list[str]:
    """A printed sentence cut for the export, its first letter in lower case unless a name begins there.

    A first word that may be both (``Will``) is taken for the name; :func:`trees` tries either.
    """
    return _cuts(sentence, grammar)[0]


def trees(sentence: str, grammar: Grammar) -> list[Term]:
    """Every abstract tree that NLTK's chart parser finds for a printed sentence, each once; [] if there is no parse."""
    distinct: dict[Term, None] = {}
    for words in _cuts(sentence, grammar):
        try:
            rules = _export(grammar).rules(words)
            rules.check_coverage(words)
        except ValueError:  # a word that no rule has, or no rule that reaches a sentence
            continue
        for parse in _parser()(rules, max_time=None).parse(words):
            distinct[_rebuilt(parse[0], grammar)] = None
    return list(distinct)


@cache
def _parser() -> Any:
    """NLTK's parser. It copies both sides of each unification; the names of features and variables, which nobody
    changes, are their own copies here: to copy them took a third of a parse."""
    from nltk.featstruct import Feature
    from nltk.parse.featurechart import FeatureBottomUpLeftCornerChartParser
    from nltk.sem.logic import Variable

    for name in (Feature, Variable):
        name.__deepcopy__ = lambda itself, _: itself
    return FeatureBottomUpLeftCornerChartParser


class _Exported:
    """A grammar exported once, its lines with the tokens in them: every sentence needs a few of them."""

    def __init__(self, grammar: Grammar):
        self.grammar = grammar
        made = compiled(grammar)
        self.lines = [
            (frozenset(a or b for a, b in _TOKEN.findall(x)), *_signs(x), x)
            for x in fcfg(made).splitlines()
            if x[0] != "#"
        ]
        said = (token for each in made.productions for token in each.daughters if isinstance(token, str))
        self.known = frozenset([*said, *(token for word in made.words for token in word.tokens)])

    def of(self, words: Collection[str]) -> str:
        """The lines with which sentences made of some words can be read: all of whose tokens are among them, and whose
        parts have words among them and are parts of a sentence."""
        there = frozenset(words)
        lines = [each for each in self.lines if each[0] <= there]
        made: set[str] = set()
        size = -1
        while size < len(made):
            size = len(made)
            made |= {whole for _, whole, parts, _ in lines if made.issuperset(parts)}
        lines = [each for each in lines if made.issuperset(each[2])]
        reached, size = {"ROOT", "%"}, -1
        while size < len(reached):
            size = len(reached)
            reached |= {part for _, whole, parts, _ in lines if whole in reached for part in parts}
        return "".join(f"{line}\n" for _, whole, _, line in lines if whole in reached)

    def rules(self, words: Collection[str]) -> Any:
        """The grammar of NLTK that ``FeatureGrammar.fromstring`` makes of the same lines; each line is read once."""
        from nltk.grammar import FeatureGrammar

        start, *lines = self.of(words).splitlines()
        read = [_read(start, line) for line in lines]
        if not read:
            raise ValueError("no sentence is made of these words")
        return FeatureGrammar(read[0].start(), [rule for each in read for rule in each.productions()])


def _signs(line: str) -> tuple[str, tuple[str, ...]]:
    """The categories of a line, the first one and the others."""
    if line.startswith("%"):
        return "%", ()
    first, *rest = _SYMBOL.findall(_TOKEN.sub("", line))
    return first, tuple(rest)


@lru_cache(maxsize=4096)
def _read(start: str, line: str) -> Any:
    """A grammar of NLTK with the rules of one line, which many grammars have."""
    from nltk.grammar import FeatureGrammar

    return FeatureGrammar.fromstring([start, line])


_EXPORTS: list[_Exported] = []
#: so many grammars are kept as they were exported: tests go on from one grammar to the next
_MOST = 3


def _export(grammar: Grammar) -> _Exported:
    found = next((each for each in _EXPORTS if each.grammar is grammar), None)
    if found is None:
        found = _Exported(grammar)
        _EXPORTS[:] = [found, *_EXPORTS][:_MOST]
    return found


def _rebuilt(node: Any, grammar: Grammar) -> Term:
    label = node.label()
    if "fun" not in label:
        return Term(str(label["id"]))
    constructor = grammar.constructors[str(label["fun"])]
    parts: list[Term | None] = []
    for argument in constructor.arguments:
        value = label.get(f"fun.{argument.name}")
        if value is None:
            parts.append(None)
        else:
            parts.append(Term(str(value)) if argument.is_feature else _rebuilt(node[int(value)], grammar))
    return Term(constructor.name, tuple(parts))


def _cuts(sentence: str, grammar: Grammar) -> list[list[str]]:
    """One way to cut a sentence, or two for each word that begins one, also inside the text, and is both a name and a
    common word."""
    body, final = sentence, []
    for sign in grammar.sentences.values():
        if sentence.endswith(sign):
            body, final = sentence.removesuffix(sign), [sign]
    as_is = [*grammar.language.tokens(body), *final]
    if not as_is:
        return [[]]
    known = _export(grammar).known
    ways: list[list[str]] = [[]]
    for number, word in enumerate(as_is):
        begins = number == 0 or as_is[number - 1] in (".", "?", "!")
        lowered = word[:1].lower() + word[1:]
        spellings = [word]
        if begins and lowered != word:
            spellings = [lowered] if word not in known else [word, lowered] if lowered in known else [word]
        ways = [[*way, spelling] for way in ways for spelling in spellings]
    return ways
