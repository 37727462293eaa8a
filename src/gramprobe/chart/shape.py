"""The shape of a sentence: what its chart depends on.

text --Shapes.tokens--> tokens --Shapes.entries--> entries --Backbone.used--> Shape

Of each token it has the entries that stand in some tree of the backbone, without ids, and of these the features for
which a rule of such trees asks. Sentences with these in common have the same chart, whatever else their words may be.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from functools import cached_property

from gramprobe.chart.backbone import Backbone, Coarse, Entry, Kind, coarse
from gramprobe.chart.cuts import known_as, placed
from gramprobe.chart.forest import Cell
from gramprobe.chart.rules import Rules, Values

MOST_TOKENS = 60
"""A longer sentence has no chart."""


def too_long(length: int) -> str:
    """What is said of a sentence of so many tokens."""
    return f"a sentence has at most {MOST_TOKENS} words and marks, and this one {length}"


class Shape:
    """Entries, and the cells of the trees of the backbone.

    Attributes:
        entries: of each token.
        cells: start, end and category of what is in a tree; of what is begun, an end is behind that of the tokens.
    """

    def __init__(self, entries: tuple[Entry, ...], cells: frozenset[Cell]) -> None:
        self.entries, self.cells = entries, cells

    @cached_property
    def id(self) -> str:
        """The id of the sequence of entries."""
        return hashlib.sha256(json.dumps(self.entries, ensure_ascii=False).encode()).hexdigest()[:16]

    def words(self, rules: Rules) -> Iterator[tuple[int, int, str, Values]]:
        """Start, end, category and values of each entry of a word."""
        for start, entry in enumerate(self.entries):
            for category, length, *features in entry.kinds:
                values = dict(str(each).split("=", 1) for each in features)
                yield start, start + int(length), str(category), rules.values(str(category), values)


class _Spelt:
    """What begins at a token. Equal ones of a grammar are one object: which it is says all that hangs on them.

    Attributes:
        entry: the tokens of rules that it may be, and the words.
        coarse: the same without features.
    """

    __slots__ = ("coarse", "entry")

    def __init__(self, entry: Entry) -> None:
        self.entry, self.coarse = entry, coarse(entry)


class Token:
    """A token of a sentence. Of two that are one object nothing around them tells which of them it is.

    Attributes:
        is_known: whether the grammar spells it.
        alone: what begins there without the tokens behind it.
        longer: the words of several tokens that begin there, with their other tokens.
        text: what it is, of a token inside of words; else empty.
    """

    __slots__ = ("alone", "is_known", "longer", "text")

    def __init__(
        self, is_known: bool, alone: _Spelt, longer: tuple[tuple[Kind, tuple[str, ...]], ...], text: str
    ) -> None:
        self.is_known, self.alone, self.longer, self.text = is_known, alone, longer, text


#: those of a sentence, or of its beginning: whatever sentences have them, they have one shape
Tokens = tuple[Token, ...]


class Shapes:
    """The shapes of the sentences of a grammar, and of their beginnings. What is found of tokens is kept, so that
    sentences that differ in no more than how their words are spelt are looked at once."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._backbone = Backbone(rules.grammar)
        self._tokens: dict[tuple[str, bool], Token] = {}
        self._alike: dict[tuple[object, ...], Token] = {}
        self._spelt: dict[Entry, _Spelt] = {}
        self._known: dict[tuple[bool, Tokens], Shape] = {}
        self._kept: dict[tuple[bool, tuple[Coarse, ...]], list[dict[_Spelt, Entry]]] = {}
        self._made: dict[tuple[bool, tuple[Entry, ...]], Shape] = {}

    def of(self, text: str) -> Shape:
        """The shape of a sentence. Raises ValueError for one of more than `MOST_TOKENS`."""
        return self.of_tokens(self.tokens(text))

    def of_tokens(self, tokens: Tokens, begun: bool = False) -> Shape:
        """The shape of a sentence of these tokens; ``begun``: of all that begin with them. Raises ValueError for more
        than `MOST_TOKENS`."""
        shape = self._known.get((begun, tokens))
        if shape is None:
            if len(tokens) > MOST_TOKENS:
                raise ValueError(too_long(len(tokens)))
            shape = self._known[begun, tokens] = self._shape(tokens, begun)
        return shape

    def tokens(self, text: str) -> Tokens:
        """The tokens of a sentence."""
        known = self._tokens
        return tuple([known.get(each) or self._token(each) for each in placed(text, self.rules.grammar.language)])

    def entries(self, text: str) -> list[Entry]:
        """Of each token the tokens of rules that it may be, and the words that begin there, also those in no tree."""
        return [spelt.entry for spelt in self._around(self.tokens(text), False)]

    def _around(self, tokens: Tokens, begun: bool) -> Iterator[_Spelt]:
        """What begins at each token, with the words of several; ``begun``: also those that go on behind the last."""
        for place, token in enumerate(tokens):
            if token.longer:
                behind = tuple([each.text for each in tokens[place + 1 :]])
                cut = len(behind) if begun else None
                kinds = {kind for kind, more in token.longer if behind[: len(more)] == more[:cut]}
                entry = token.alone.entry
                yield self._one(Entry(entry.literal, _sorted({*entry.kinds, *kinds}))) if kinds else token.alone
            else:
                yield token.alone

    def _one(self, entry: Entry) -> _Spelt:
        spelt = self._spelt.get(entry)
        if spelt is None:
            spelt = self._spelt[entry] = _Spelt(entry)
        return spelt

    def _token(self, placed: tuple[str, bool]) -> Token:
        """A token, and whether it begins a sentence."""
        rules, single, longer = self.rules, set[Kind](), dict[tuple[Kind, tuple[str, ...]], None]()
        either = known_as(*placed, rules.grammar.language, rules.known)
        for word, _ in (each for token in either for each in rules.spelt(token)):
            features = (f"{name}={value}" for name, value in sorted(word.features.items()))
            kind: Kind = (word.category, len(word.tokens), *features)
            if len(word.tokens) == 1:
                single.add(kind)
            else:
                longer[kind, word.tokens[1:]] = None
        alone = self._one(Entry(tuple(each for each in either if each in rules.literal), _sorted(single)))
        key = bool(either), alone, (*longer,), placed[0] if placed[0] in rules.inner else ""
        self._tokens[placed] = self._alike.setdefault(key, Token(*key))
        return self._tokens[placed]

    def _shape(self, tokens: Tokens, begun: bool) -> Shape:
        spelt = [*self._around(tokens, begun)]
        key = begun, tuple([each.coarse for each in spelt])
        cells, distinctions = self._backbone.used(key[1], begun)
        last = len(spelt)

        def kept(place: int, entry: Entry) -> Entry:
            ends = [(kind, min(place + int(kind[1]), last + 1)) for kind in entry.kinds]
            kinds = {distinctions.of(kind) for kind, end in ends if (place, end, kind[0]) in cells}
            return Entry(tuple(token for token in entry.literal if token in distinctions.tokens), _sorted(kinds))

        known = self._kept.get(key)
        if known is None:
            known = self._kept[key] = [{} for _ in spelt]
        for place, each in enumerate(spelt):
            if each not in known[place]:
                known[place][each] = kept(place, each.entry)
        made = tuple([entries[each] for entries, each in zip(known, spelt, strict=True)])
        return self._made.setdefault((begun, made), Shape(made, cells))


def _sorted(kinds: set[Kind]) -> tuple[Kind, ...]:
    return tuple(sorted(kinds, key=lambda kind: str(list(kind))))
