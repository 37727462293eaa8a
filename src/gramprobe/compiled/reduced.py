"""A compiled grammar for sentences of some tokens: what no such sentence can use is left out, and nothing else changes.

Sentences of these tokens have the same trees, with and without a lifted constraint, and far fewer shapes: a feature
that no remaining production asks for, or values between which none distinguishes, make no two words different.

1. Words and productions with other tokens go, then productions of which a daughter cannot be built, and those that no
   sentence reaches.
2. What is done with a kind of what is carried goes, if nothing carries one and nothing wants to be filled.
3. A feature is followed along heads: what a mother shares with a daughter is one thing. Two values of it are one value
   if exchanging them in every production that asks one daughter for them gives the same productions. A production that
   compares two daughters keeps its values apart, and so does what is carried upward.
4. A feature with one value left is left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping

from msgspec.json import Encoder
from msgspec.structs import replace

from gramprobe.compiled.data import Compiled, Components, Daughter, Features, Place, Production, shared

_text = Encoder().encode
"""The text of a production: equal for two that are, and made ten times as fast as that for people."""


def reduced(grammar: Compiled, tokens: Collection[str]) -> Compiled:
    """The grammar for sentences of these tokens."""
    finals = {sentence.final for sentence in grammar.sentences}
    known = {*tokens, *finals}
    words = [word for word in grammar.words if known.issuperset(word.tokens)]
    productions = _carrying(_useful(grammar, words_of={word.category for word in words}, known=known))
    used = {p.category for p in productions} | {d.category for p in productions for d in _parts(p)}
    kinds = {line.kind for production in productions for line in production.carrying}
    constructors = {production.constructor for production in productions}
    small = replace(
        grammar,
        productions=tuple(productions),
        words=tuple(word for word in words if word.category in used),
        carried=tuple(kind for kind in grammar.carried if kind.name in kinds),
        constructors=tuple(c for c in grammar.constructors if c.name in constructors),
    )
    return _merged(small)


def _parts(production: Production) -> Iterator[Daughter]:
    return (daughter for daughter in production.daughters if not isinstance(daughter, str))


def _useful(grammar: Compiled, words_of: set[str], known: set[str]) -> list[Production]:
    """The productions that can be built of these words, and that a sentence can reach."""
    spelt = [p for p in grammar.productions if known.issuperset(d for d in p.daughters if isinstance(d, str))]
    below = {id(p): [d.category for d in _parts(p)] for p in spelt}
    built, before = set(words_of), -1
    while len(built) > before:
        before = len(built)
        built |= {p.category for p in spelt if built.issuperset(below[id(p)])}
    whole = [p for p in spelt if built.issuperset(below[id(p)])]
    reached, before = {sentence.category for sentence in grammar.sentences}, -1
    while len(reached) > before:
        before = len(reached)
        reached.update(category for p in whole if p.category in reached for category in below[id(p)])
    return [p for p in whole if p.category in reached]


def _carrying(productions: list[Production]) -> list[Production]:
    """The productions without what they do with kinds that nothing can carry here."""
    there = {line.kind for p in productions for line in p.carrying if line.how in ("carries", "fills")}
    kept = [tuple(line for line in p.carrying if line.kind in there) for p in productions]
    return [replace(p, carrying=own) for p, own in zip(productions, kept, strict=True)]


def _merged(grammar: Compiled) -> Compiled:
    """The grammar with one value for those between which nothing distinguishes, without features of one value."""
    components = Components(
        pair for each in grammar.productions for part in _parts(each) for pair in shared(each, part)
    )
    values: dict[Place, dict[str, None]] = defaultdict(dict)
    contexts: dict[tuple[Place, str], set[object]] = defaultdict(set)  # of each value
    for word in grammar.words:
        for name, value in word.features.items():
            values[components.of((word.category, name))][value] = None
    for production in grammar.productions:
        asked, apart = _asked(production, components)
        for place, counts in asked.items():
            values[place].update(dict.fromkeys(counts))
            for value, times in counts.items():
                blank = times == 1 and place not in apart
                contexts[place, value].add(_without(production, place, value, components) if blank else (value,))
    kept: dict[Place, dict[str, str]] = {}  # the features that stay -> their values under other names
    for place, own in values.items():
        first: dict[frozenset[object], str] = {}
        names = {value: first.setdefault(frozenset(contexts[place, value]), value) for value in own}
        if len(first) > 1:
            kept[place] = names
    kept.update({components.of(place): {} for place in _compared(grammar)})  # their values stay apart

    names_in: dict[str, dict[str, dict[str, str] | None]] = defaultdict(dict)  # by category and feature

    def renamed(category: str, features: Features) -> Features:
        found: Features = {}
        own = names_in[category]
        for name, value in features.items():
            if name not in own:
                own[name] = kept.get(components.of((category, name)))
            if (names := own[name]) is not None:
                found[name] = value if value is None else names.get(value, value)
        return found

    def smaller(daughter: Daughter) -> Daughter:
        features = renamed(daughter.category, daughter.features)
        return replace(
            daughter,
            features=features,
            constraints={name: c for name, c in daughter.constraints.items() if name in features},
            others={name: each for name, each in daughter.others.items() if name in features},
            handed=tuple(name for name in daughter.handed if name in features),
        )

    parts = {id(part): part for production in grammar.productions for part in _parts(production)}
    made = {number: smaller(part) for number, part in parts.items()}
    productions: dict[bytes, Production] = {}
    for production in grammar.productions:
        daughters = [each if isinstance(each, str) else made[id(each)] for each in production.daughters]
        mother = renamed(production.category, production.features)
        whole = replace(production, features=mother, daughters=tuple(daughters))
        productions.setdefault(_text(whole), whole)
    return replace(
        grammar,
        productions=tuple(productions.values()),
        words=tuple(
            replace(word, features={n: v for n, v in renamed(word.category, {**word.features}).items() if v})
            for word in grammar.words
        ),
    )


def _compared(grammar: Compiled) -> Iterator[Place]:
    """The features with which something carried is compared."""
    for production in grammar.productions:
        parts = {part.argument: part.category for part in _parts(production)}
        for line in production.carrying:
            if line.by in parts:
                names = (*line.equal, *(other for _, other, _ in line.related))
                yield from ((parts[line.by], name) for name in names)


def _asked(production: Production, components: Components) -> tuple[Mapping[Place, dict[str, int]], set[Place]]:
    """By feature, the values that a production names, each with how many daughters it asks for that value; and the
    features that it asks a daughter to have another value of."""
    found: dict[Place, dict[str, int]] = defaultdict(dict)
    apart: set[Place] = set()
    for name, value in production.features.items():
        if value is not None:
            found[components.of((production.category, name))].setdefault(value, 0)
    for part in _parts(production):
        for name, value in part.features.items():
            if value is not None:
                own = found[components.of((part.category, name))]
                own[value] = own.get(value, 0) + 1
    for part in _parts(production):
        for name, others in part.others.items():
            place = components.of((part.category, name))
            apart.add(place)
            for value in others:
                found[place].setdefault(value, 0)
    return found, apart


def _without(production: Production, place: Place, value: str, components: Components) -> object:
    """A production with a blank for a value that it asks one daughter for, and gives its mother."""

    def blank(category: str, features: Features) -> Features:
        return {
            name: "*" if own == value and components.of((category, name)) == place else own
            for name, own in features.items()
        }

    daughters = tuple(
        d if isinstance(d, str) else replace(d, features=blank(d.category, d.features)) for d in production.daughters
    )
    mother = blank(production.category, production.features)
    return _text(replace(production, features=mother, daughters=daughters, values={}))
