"""What is carried upward as features of NLTK's grammars: `reflexive=none`, or `reflexive=[is=feminine_sg]`.

What only passes is a variable. A feature grammar has no *from one of them*: where parts may carry something in several
ways, a category without words at the end of the production has a line for each way, and productions share it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, NamedTuple

from gramprobe.compiled.data import Carried, Carrying, Compiled, Daughter, Production

NONE = "none"


class Way(NamedTuple):
    """A way of one kind through a production: what the mother carries, what each argument does, and the values that
    features of arguments must have."""

    mother: str
    parts: dict[int, str]
    asked: dict[tuple[int, str], str]


class Joint(NamedTuple):
    """What a production hands to a category without words: its name, kind -> text of the mother and of daughters, and
    the features of daughters that it compares, by the number of the argument."""

    category: str
    texts: dict[str, str]
    asked: dict[str, tuple[int, str]]


class Handling(NamedTuple):
    """What a production says of what is carried: kind -> the text of the mother's feature; the texts of each argument;
    and the categories without words that say how they go together."""

    mother: dict[str, str]
    parts: dict[int, dict[str, str]]
    joints: list[Joint]


class CarriedFeatures:
    """The features of a grammar that say what a phrase carries upward, as a gap or a reflexive. A category has them
    where some part of it may carry that."""

    def __init__(self, grammar: Compiled) -> None:
        self._kinds = grammar.carried
        self._values: dict[str, dict[str, Mapping[str, str]]] = defaultdict(dict)
        self._columns: dict[str, set[str]] = defaultdict(set)
        for each in grammar.productions:
            for line in (line for line in each.carrying if line.how == "carries"):
                self._values[line.kind]["_".join(line.values.values())] = line.values
        for name, value in (
            *(pair for each in grammar.productions for pair in each.features.items()),
            *(pair for word in grammar.words for pair in word.features.items()),
        ):
            self._columns[name] |= {value} if value is not None else set()
        self._joints: dict[tuple[Any, ...], str] = {}  # kind and lines -> name
        self._categories = {p.category for p in grammar.productions} | {w.category for w in grammar.words}
        self._where: dict[str, set[str]] = {kind.name: set() for kind in self._kinds}
        for kind in self._kinds:
            found, size = self._where[kind.name], -1
            while size < len(found):
                size = len(found)
                for each in grammar.productions:
                    if each.category not in found and any(way.mother != NONE for way in self._ways(kind, each)):
                        found.add(each.category)

    def none(self, category: str) -> dict[str, str]:
        """The features of a part that carries nothing."""
        return {kind: NONE for kind, categories in self._where.items() if category in categories}

    def handling(self, production: Production) -> Handling | None:
        """What a production says; None where there is no way through it."""
        made = Handling({}, defaultdict(dict), [])
        for kind in self._kinds:
            ways = [*self._ways(kind, production)]
            if not ways:
                return None
            up, parts = ways[0].mother, ways[0].parts
            if _passes(ways):
                up, parts = f"?{kind.name}", dict.fromkeys(parts, f"?{kind.name}")
            elif len(ways) > 1 or ways[0].asked:
                up, parts = f"?{kind.name}", {argument: f"?{kind.name}_{argument}" for argument in parts}
                made.joints.append(self._joint(kind.name, ways, parts))
            if production.category in self._where[kind.name]:
                made.mother[kind.name] = up
            for argument, text in parts.items():
                made.parts[argument][kind.name] = text
        return made

    def joints(self) -> Iterator[tuple[str, dict[str, str]]]:
        """The lines of the categories without words that productions were given: category and features."""
        yield from ((name, dict(line)) for (_, *lines), name in self._joints.items() for line in lines)

    def _joint(self, kind: str, ways: list[Way], parts: dict[int, str]) -> Joint:
        """The category for some ways, which is the same one for the same ways of another production."""
        asked = dict.fromkeys(place for way in ways for place in way.asked)
        at = {argument: number for number, argument in enumerate(dict.fromkeys([*parts, *(a for a, _ in asked)]))}
        lines = dict.fromkeys(
            (
                ("up", way.mother),
                *((f"of_{at[argument]}", text) for argument, text in way.parts.items()),
                *((f"{feature}_{at[argument]}", value) for (argument, feature), value in way.asked.items()),
            )
            for way in ways
        )
        if (kind, *lines) not in self._joints:
            name = f"{kind}_{sum(of == kind for of, *_ in self._joints) + 1}"
            while name in self._categories:
                name += "_"
            self._joints[kind, *lines] = name
        texts = {"up": f"?{kind}", **{f"of_{at[argument]}": text for argument, text in parts.items()}}
        return Joint(self._joints[kind, *lines], texts, {f"{feature}_{at[a]}": (a, feature) for a, feature in asked})

    def _ways(self, kind: Carried, production: Production) -> Iterator[Way]:
        """The ways of one kind through a production."""
        lines = [line for line in production.carrying if line.kind == kind.name]
        said = {d.argument: d for d in production.daughters if isinstance(d, Daughter)}
        compared = {line.arguments[0] for line in lines if line.by is not None}
        own = ["_".join(line.values.values()) for line in lines if line.how == "carries"]
        able = [argument for argument, d in said.items() if d.category in self._where[kind.name]]
        options = [
            [NONE, *(self._values[kind.name] if a in compared else [f"?{kind.name}_{at}"])] for at, a in enumerate(able)
        ]
        for chosen in product(*options):
            here = {a: text for a, text in zip(able, chosen, strict=True) if text != NONE}
            for left, asked in self._closed(kind, lines, here, said):
                up = self._up(kind, lines, left, own, said)
                if up is None:
                    continue
                mother, same = up
                texts = {a: _text(same.get(text, text)) for a, text in zip(able, chosen, strict=True)}
                yield Way(_text(mother), texts, asked)

    def _up(
        self, kind: Carried, lines: list[Carrying], left: dict[int, str], own: list[str], said: Mapping[int, Daughter]
    ) -> tuple[str, dict[str, str]] | None:
        """What the mother carries, and variables that are one value; None where there is no way."""
        stops = {a for line in lines if line.how == "barrier" for a in line.arguments}
        through = {a for line in lines if line.how == "through" for a in line.arguments}
        together = len(left) == len(said) and any(line.how == "all" for line in lines)
        if stops & left.keys() or (kind.by_line and left and own):
            return None
        if kind.by_line and not together and (len(left) > 1 or not through.issuperset(left)):
            return None
        texts = [*left.values(), *own]
        known = {text for text in texts if not text.startswith("?")}
        if len(known) > 1:
            return None
        one = next(iter([*known, *texts]), NONE)
        return one, dict.fromkeys(left.values(), one)

    def _closed(
        self, kind: Carried, lines: list[Carrying], here: dict[int, str], said: Mapping[int, Daughter]
    ) -> Iterator[tuple[dict[int, str], dict[tuple[int, str], str]]]:
        """What is left when lines have closed something, with what this asks of the arguments that are compared."""
        closing = [x for x in lines if x.how in ("fills", "binds", "licenses") and x.arguments[0] in said]
        always = {line.arguments[0] for line in closing if line.by is None}
        closing = [x for x in closing if x.by is None or x.how == "fills" or x.arguments[0] not in always]
        ways: list[list[tuple[int | None, dict[tuple[int, str], str]]]] = []
        for line in closing:
            (argument,) = line.arguments
            if argument not in here:
                ways.append([] if line.how == "fills" else [(None, {})])
            elif line.by is None:
                ways.append([(argument, {})])
            else:
                values = self._values[kind.name][here[argument]]
                fitting = [(argument, each) for each in self._fitting(line, values, said)]
                others = [(None, each) for each in self._others(line, values)] if line.how == "licenses" else []
                ways.append([*fitting, *others])
        for chosen in product(*ways):
            gone = {argument for argument, _ in chosen}
            asked = {key: value for _, each in chosen for key, value in each.items()}
            yield {a: text for a, text in here.items() if a not in gone}, asked

    def _fitting(
        self, line: Carrying, values: Mapping[str, str], said: Mapping[int, Daughter]
    ) -> Iterator[dict[tuple[int, str], str]]:
        assert line.by is not None
        equal = {(line.by, name): values[name] for name in line.equal if line.by in said}
        pairs: list[list[tuple[str, str] | None]] = [
            [(column, b) for a, b in pairs if a == values[name]] or [None] for name, column, pairs in line.related
        ]
        for chosen in product(*pairs):
            yield {**equal, **{(line.by, each[0]): each[1] for each in chosen if each is not None and line.by in said}}

    def _others(self, line: Carrying, values: Mapping[str, str]) -> Iterator[dict[tuple[int, str], str]]:
        assert line.by is not None
        for name, column, pairs in line.related:
            fit = {b for a, b in pairs if a == values[name]}
            yield from ({(line.by, column): b} for b in sorted(self._columns[column] - fit) if fit)


def _text(value: str) -> str:
    return value if value == NONE else f"[is={value}]"


def _passes(ways: list[Way]) -> bool:
    """Whether the mother has what one daughter has, be it something or nothing."""
    return len(ways) == 2 and all(way.parts and not way.asked and {way.mother} == {*way.parts.values()} for way in ways)
