"""The shape of a sentence: what its chart depends on.

text --choices_of--> tokens --Shapes.entries--> entries --Backbone.used--> Shape

Of each token it has the entries that stand in some tree of the backbone, without ids, and of these the features for
which a rule of such trees asks. Sentences with these in common have the same chart, whatever else their words may be.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache, partial

from gramprobe.chart.backbone import Backbone, Entry, Kind, coarse
from gramprobe.chart.cuts import choices_of
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


class Shapes:
    """The shapes of the sentences of a grammar, and of their beginnings."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._backbone = Backbone(rules.grammar)
        self._spelt: dict[tuple[str, ...], tuple[Entry, tuple[tuple[Kind, tuple[str, ...]], ...]]] = {}
        self._known: dict[tuple[bool, tuple[Entry, ...]], Shape] = {}
        choices = partial(choices_of, language=rules.grammar.language, known=rules.known)
        #: each token of a text, and which known ones it may be
        self.choices: Callable[[str], list[tuple[str, list[str]]]] = lru_cache(maxsize=1 << 10)(choices)
        self._made: dict[tuple[bool, tuple[Entry, ...]], Shape] = {}

    def of(self, text: str, begun: int | None = None) -> Shape:
        """The shape of a sentence, or of as many of its tokens as are ``begun``. Raises ValueError for one of more than
        `MOST_TOKENS`."""
        entries = tuple(self.entries(text, begun))
        if len(entries) > MOST_TOKENS:
            raise ValueError(too_long(len(entries)))
        key = begun is not None, entries
        if key not in self._known:
            self._known[key] = self._shape(*key)
        return self._known[key]

    def entries(self, text: str, begun: int | None = None) -> Iterator[Entry]:
        """Of each token the tokens of rules that it may be, and the words that begin there, also those in no tree;
        where tokens are ``begun``, of these alone, with words that go on behind them."""
        every = self.choices(text)
        tokens = tuple(token for token, _ in every)[:begun]
        for place, (_, either) in enumerate(every[:begun]):
            entry, longer = self._spelt_by(tuple(either))
            if longer:
                behind = tokens[place + 1 :]
                found = {
                    kind
                    for kind, more in longer
                    if behind[: len(more)] == (more if begun is None else more[: len(behind)])
                }
                entry = Entry(entry.literal, _sorted({*entry.kinds, *found})) if found else entry
            yield entry

    def _spelt_by(self, either: tuple[str, ...]) -> tuple[Entry, tuple[tuple[Kind, tuple[str, ...]], ...]]:
        """The entry of a token by itself, and the words that begin with it, with their other tokens."""
        if either not in self._spelt:
            single, longer = set[Kind](), dict[tuple[Kind, tuple[str, ...]], None]()
            for word, _ in (each for token in either for each in self.rules.spelt(token)):
                features = (f"{name}={value}" for name, value in sorted(word.features.items()))
                kind: Kind = (word.category, len(word.tokens), *features)
                if len(word.tokens) == 1:
                    single.add(kind)
                else:
                    longer[kind, word.tokens[1:]] = None
            literal = tuple(each for each in either if each in self.rules.literal)
            self._spelt[either] = Entry(literal, _sorted(single)), tuple(longer)
        return self._spelt[either]

    def _shape(self, begun: bool, entries: tuple[Entry, ...]) -> Shape:
        cells, distinctions = self._backbone.used(tuple(coarse(entries)), begun)
        last = len(entries)

        def kept(place: int, entry: Entry) -> Entry:
            ends = [(kind, min(place + int(kind[1]), last + 1)) for kind in entry.kinds]
            kinds = {distinctions.of(kind) for kind, end in ends if (place, end, kind[0]) in cells}
            return Entry(tuple(token for token in entry.literal if token in distinctions.tokens), _sorted(kinds))

        made = tuple(kept(place, entry) for place, entry in enumerate(entries))
        return self._made.setdefault((begun, made), Shape(made, cells))


def _sorted(kinds: set[Kind]) -> tuple[Kind, ...]:
    return tuple(sorted(kinds, key=lambda kind: str(list(kind))))
