"""Check the chart of a sentence by the grammar of its dataset, both as JSON data.

A chart lists every part that can be built of the words, where its category is in some tree of the sentence whatever the
features are (`backbone`): its edges. It is checked without building any. Each entry of a word is an edge. Whatever a
production makes of edges is an edge, so that no part is missing; and each edge is a word's or is made of edges before
it, so that none is invented. Then the edges that are the whole sentence say everything: it is good if one of them has
no lifted constraint, and else the constraints of the others are what alone repairs it.

An edge with a lifted constraint may be missing where the same words are such a part without it, or with another one if
it is `form` (docs/carried.md).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from gramprobe.certify.backbone import Backbone
from gramprobe.certify.reject import Budget, CertificateError

WEAKEST = "form"
STEPS = 20_000_000
"""Steps for one chart at most."""

#: feature -> value, as pairs
_Values: TypeAlias = frozenset[tuple[str, str]]
#: kind and its values, by kind
_Load: TypeAlias = tuple[tuple[str, _Values], ...]


class Verdict(NamedTuple):
    """What a chart says: whether its sentence is good, and what alone repairs a bad one, sorted."""

    good: bool
    repairs: tuple[str, ...]


class _Edge(NamedTuple):
    start: int
    end: int
    category: str
    values: _Values
    load: _Load
    lift: str | None


class _Made(NamedTuple):
    """Productions up to some daughter: where they stand, the daughters by argument, the last edge of them, the
    constraint that is lifted in one of them or here, and whether one of them carries something."""

    place: int
    parts: tuple[tuple[int, _Edge], ...] = ()
    last: int = -1
    lift: str | None = None
    own: tuple[tuple[str, str], ...] = ()
    loaded: bool = False


class _Step(NamedTuple):
    """An edge of some values as the next daughter: the argument that it is, the constraint that this breaks, the values
    that it hands to the mother then, and the productions that go on."""

    argument: int
    broken: str | None
    own: tuple[tuple[str, str], ...]
    after: _Begun


class _Begun:
    """The productions that begin with the same daughters: by the token or daughter that comes next, and those that end
    here. ``steps`` keeps what values fit, by category and values."""

    def __init__(self) -> None:
        self.tokens: dict[str, _Begun] = {}
        self.wanted: dict[str, dict[str, tuple[Mapping[str, Any], _Begun]]] = {}
        self.ends: dict[str, _Production] = {}
        self.steps: dict[tuple[str, _Values], list[_Step]] = {}

    def add(self, production: Mapping[str, Any]) -> None:
        at = self
        for wanted in production["daughters"]:
            if isinstance(wanted, str):
                at = at.tokens.setdefault(wanted, _Begun())
            else:
                of = at.wanted.setdefault(wanted["category"], {})
                at = of.setdefault(json.dumps(wanted, sort_keys=True), (wanted, _Begun()))[1]
        made = json.dumps([production.get(key) for key in ("category", "features", "carrying")], sort_keys=True)
        at.ends.setdefault(made, _Production(production))

    def having(self, category: str, values: _Values) -> list[_Step]:
        """The ways to go on with an edge."""
        key = category, values
        if key not in self.steps:
            self.steps[key] = [*_steps(self.wanted[category].values(), dict(values))]
        return self.steps[key]


def _steps(every: Iterable[tuple[Mapping[str, Any], _Begun]], has: Mapping[str, str]) -> Iterator[_Step]:
    for wanted, after in every:
        clash = [
            name for name, value in wanted["features"].items() if value is not None and has.get(name, value) != value
        ]
        broken = {wanted["constraints"].get(name, WEAKEST) for name in clash}
        if len(broken) > 1 or any(has[name] in wanted.get("others", {}).get(name, ()) for name in clash):
            continue
        own = tuple((name, has[name]) for name in wanted.get("handed", ()) if broken and name in has)
        yield _Step(wanted["argument"], next(iter(broken), None), own, after)


class _Production:
    """A production behind its daughters."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.category: str = data["category"]
        self.fixed = {name: value for name, value in data["features"].items() if value is not None}
        parts = [daughter for daughter in data["daughters"] if not isinstance(daughter, str)]
        self.shared = [
            (name, daughter["argument"])
            for daughter in parts
            for name, value in data["features"].items()
            if value is None and daughter["features"].get(name, "") is None
        ]
        self.lines: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
        for line in data.get("carrying", ()):
            self.lines[line["kind"]].append(line)
        self._values: dict[tuple[Any, ...], _Values] = {}
        self.carried: dict[tuple[Any, ...], tuple[_Load, list[str]] | None] = {}
        """What it carries, and the constraints that this breaks, by its daughters; None where it cannot."""

    def values(self, parts: Mapping[int, _Edge], own: tuple[tuple[str, str], ...]) -> _Values:
        """What it makes of its daughters."""
        key = (*(parts[argument].values for _, argument in self.shared), own)
        if key not in self._values:
            found = dict(self.fixed)
            for name, argument in self.shared:
                has = dict(parts[argument].values)
                if name in has:
                    found[name] = has[name]
            found.update(own)
            self._values[key] = frozenset(found.items())
        return self._values[key]


def check(line: Mapping[str, Any], grammar: Mapping[str, Any]) -> Verdict:
    """What a line of `charts.jsonl` says. Raises CertificateError for a chart that does not show it."""
    return Charts(grammar).check(line)


class Charts:
    """Checks charts by one grammar. Raises CertificateError where its data are no grammar."""

    def __init__(self, grammar: Mapping[str, Any]) -> None:
        try:
            self._language = grammar["language"]
            self._finals = {(each["category"], each["final"]) for each in grammar["sentences"]}
            self._kinds = {each["name"]: each for each in grammar["carried"]}
            self._begun = _Begun()
            for production in grammar["productions"]:
                self._begun.add(production)
            self._literal = {d for p in grammar["productions"] for d in p["daughters"] if isinstance(d, str)}
            self._literal |= {final for _, final in self._finals}
            self.backbone = Backbone(grammar)
            #: first token -> the words that begin with it, as they stand in a line, each with its other tokens
            self._words: dict[str, dict[tuple[Any, ...], list[str]]] = defaultdict(dict)
            known: set[str] = set()
            for word in grammar["words"]:
                first, *more = word["tokens"]
                features = (f"{name}={value}" for name, value in sorted(word["features"].items()))
                self._words[first][(word["category"], len(word["tokens"]), *features), *more] = more
                known.update(word["tokens"])
        except (LookupError, TypeError, AttributeError) as error:
            raise CertificateError(f"these data are no grammar: {error}") from error
        self._known = known | self._literal

    def check(self, line: Mapping[str, Any]) -> Verdict:
        """What a line says. Raises CertificateError for a chart that does not show it."""
        try:
            if line["shape"] != shape(line["entries"]):
                raise CertificateError("its shape is not that of its entries")
            edges = [_Edge(s, e, c, _values(v), _load(load), lift) for s, e, c, v, load, lift in line["edges"]]
            return _Chart(self, line["entries"], edges).verdict()
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            if isinstance(error, CertificateError):
                raise
            raise CertificateError(f"it is no chart: {error!r}") from error

    def shape_of(self, text: str) -> str:
        """The shape of a text: that of its entries that are in some tree of the backbone."""
        entries = self.entries(text)
        return shape(self.backbone.of(entries).entries(entries))

    def entries(self, text: str) -> list[list[Any]]:
        """All entries of a text, in the form of a line: of each token the tokens of productions that it may be, and
        the words that begin there."""
        found: list[list[Any]] = []
        tokens = [*self._cut(text)]
        ends = self._language["ends"]
        either: list[list[str]] = []
        for place, token in enumerate(tokens):
            first = self._language["capitals"] and (place == 0 or tokens[place - 1] in ends)
            both = [token, token[:1].lower() + token[1:]] if first else [token]
            either.append([each for each in dict.fromkeys(both) if each in self._known])
        for place, tokens_ in enumerate(either):
            words = {
                word
                for token in tokens_
                for (word, *_), more in self._words.get(token, {}).items()
                if not more or tokens[place + 1 : place + 1 + len(more)] == more
            }
            literal = [each for each in tokens_ if each in self._literal]
            found.append([literal, sorted(map(list, words), key=str)])
        return found

    def _cut(self, text: str) -> Iterator[str]:
        """The tokens of a text, cut between words, around marks and before clitics; a sign that ends sentences is cut
        off at the end of a word, and where one begins. Where nothing is between words, each character is a token."""
        marks, ends, joiner = self._language["marks"], self._language["ends"], self._language["joiner"]
        for written in (text.replace(joiner, " ") if joiner else " ".join(text)).split():
            begun = ""
            for place, sign in enumerate(written):
                if sign in marks and not (begun and sign in ends and place + 1 < len(written)):
                    yield from self._without_clitic(begun)
                    yield sign
                    begun = ""
                else:
                    begun += sign
            yield from self._without_clitic(begun)

    def _without_clitic(self, word: str) -> list[str]:
        for clitic in sorted(self._language["clitics"], key=len, reverse=True):
            if word.endswith(clitic) and re.search(r"\w$", word.removesuffix(clitic)):
                return [word.removesuffix(clitic), clitic]
        return [word] if word else []


def shape(entries: Sequence[Any]) -> str:
    """The id of a sequence of entries."""
    return hashlib.sha256(json.dumps(entries, ensure_ascii=False).encode()).hexdigest()[:16]


class _Chart:
    """The edges of one line."""

    def __init__(self, rules: Charts, entries: Sequence[Any], edges: list[_Edge]) -> None:
        self._rules, self._entries, self._edges = rules, entries, edges
        self._budget = Budget(STEPS)
        self._cells = rules.backbone.of(entries).cells
        self._number = {edge: number for number, edge in enumerate(edges)}
        if len(self._number) < len(edges):
            raise CertificateError("an edge stands twice")
        self._at: dict[int, dict[str, list[tuple[int, _Edge]]]] = defaultdict(lambda: defaultdict(list))
        for number, edge in enumerate(edges):
            self._at[edge.start][edge.category].append((number, edge))
        self._without = {(*edge[:3], edge.load) for edge in edges if edge.lift is None}
        self._strong = {(*edge[:3], edge.load) for edge in edges if edge.lift != WEAKEST}
        for edge in edges:
            if edge[:3] not in self._cells:
                raise CertificateError(f"{_shown(edge)} is in no tree of the sentence")
            if self._covered(edge):
                raise CertificateError(f"{_shown(edge)} lifts `{edge.lift}` where nothing has to be")
        last = len(entries) - 1
        whole = [e for e in edges if e.start == 0 and e.end == last and self._ends(e)] if entries else []
        self._good = any(e.lift is None and not e.load for e in whole)
        self._whole = whole
        self._lifts = not self._good or any(edge.lift is not None for edge in edges)

    def _ends(self, edge: _Edge) -> bool:
        """Whether the last token is the final sign of a category."""
        return any((edge.category, token) in self._rules._finals for token in self._entries[-1][0])

    def verdict(self) -> Verdict:
        made = set(self._spelt())
        for start in range(len(self._entries) + 1):
            self._go_on(self._rules._begun, start, _Made(start), made)
        missing = next((edge for number, edge in enumerate(self._edges) if number not in made), None)
        if missing is not None:
            raise CertificateError(f"nothing before {_shown(missing)} makes it")
        if self._good:
            return Verdict(True, ())
        repairs = {edge.lift for edge in self._whole if edge.lift is not None and not edge.load}
        left = [edge.load[0][0] for edge in self._whole if edge.lift is None and len(edge.load) == 1]
        repairs |= {self._rules._kinds[kind]["constraint"] for kind in left}
        return Verdict(False, tuple(sorted(filter(None, repairs))))

    def _spelt(self) -> Iterator[int]:
        """The edges of the words."""
        for place, (_, words) in enumerate(each[:2] for each in self._entries):
            for category, length, *features in words:
                values = frozenset(tuple(each.split("=", 1)) for each in features)
                edge = _Edge(place, place + length, category, values, (), None)
                if edge not in self._number:
                    raise CertificateError(f"the word {_shown(edge)} is missing")
                yield self._number[edge]

    def _found(self, edge: _Edge, way: _Made, made: set[int]) -> None:
        number = self._number.get(edge)
        if number is None:
            if not self._covered(edge) and not (edge.lift is not None and self._good):
                raise CertificateError(f"{_shown(edge)} is missing")
        elif way.last < number:
            made.add(number)

    def _covered(self, edge: _Edge) -> bool:
        """Whether an edge need not be there: its words are such a part without what is lifted in it."""
        there = self._strong if edge.lift == WEAKEST else self._without
        return edge.lift is not None and (*edge[:3], edge.load) in there

    def _go_on(self, begun: _Begun, start: int, way: _Made, made: set[int]) -> None:
        """Everything that productions make that begin with some daughters, and that is in some tree of the backbone,
        is an edge; those so found are ``made``."""
        self._budget.spend()
        for production in begun.ends.values():
            edge = self._mother(production, start, way)
            if edge is not None and edge[:3] in self._cells:
                self._found(edge, way, made)
        if begun.tokens and way.place < len(self._entries):
            for token in self._entries[way.place][0]:
                if token in begun.tokens:
                    self._go_on(begun.tokens[token], start, way._replace(place=way.place + 1), made)
        if not begun.wanted:
            return
        for category, edges in self._at[way.place].items():
            if category not in begun.wanted:
                continue
            for number, edge in edges:
                if edge.lift is not None and way.lift is not None:
                    continue  # one constraint is lifted at most
                lift = edge.lift if way.lift is None else way.lift
                for argument, broken, own, after in begun.having(category, edge.values):
                    if broken is None or (lift is None and self._lifts):
                        further = _Made(
                            edge.end, (*way.parts, (argument, edge)), max(way.last, number),
                            lift if broken is None else broken, way.own + own, way.loaded or bool(edge.load),
                        )  # fmt: skip
                        self._go_on(after, start, further, made)

    def _mother(self, production: _Production, start: int, made: _Made) -> _Edge | None:
        """What a production makes of its daughters; None if that breaks more than one constraint, or something carried
        does not pass."""
        parts = dict(made.parts)
        key = tuple((argument, edge.values, edge.load) for argument, edge in made.parts) if made.loaded else ()
        if key not in production.carried:
            production.carried[key] = self._carried(production, parts)
        up = production.carried[key]
        if up is None:
            return None
        broken = [*up[1], made.lift] if made.lift is not None else up[1]
        if len(broken) > 1:
            return None
        values = production.values(parts, made.own)
        return _Edge(start, made.place, production.category, values, up[0], broken[0] if broken else None)

    def _carried(self, production: _Production, parts: Mapping[int, _Edge]) -> tuple[_Load, list[str]] | None:
        """What a production carries of all kinds, and the constraints that this breaks; None if one does not pass."""
        load: list[tuple[str, _Values]] = []
        broken: list[str] = []
        loads = {argument: dict(edge.load) for argument, edge in parts.items()}
        for kind in sorted({*production.lines, *(kind for each in loads.values() for kind in each)}):
            here = {argument: each[kind] for argument, each in loads.items() if kind in each}
            up = self._up(kind, production.lines.get(kind, ()), here, parts)
            if up is None:
                return None
            load += [(kind, up[0])] if up[0] is not None else []
            broken += up[1]
        return tuple(load), broken

    def _up(
        self, kind: str, lines: Sequence[Mapping[str, Any]], here: dict[int, _Values], parts: Mapping[int, _Edge]
    ) -> tuple[_Values | None, list[str]] | None:
        """What is carried on of one kind, and the constraints that this breaks; None if it does not pass."""
        broken: list[str] = []
        for line in lines:
            if line["how"] in ("fills", "binds", "licenses") and line["arguments"][0] in parts:
                argument = line["arguments"][0]
                if argument not in here:
                    broken += [line["constraint"]] if line["how"] == "fills" else []
                elif _fits(line, dict(here[argument]), parts):
                    del here[argument]
                elif line["how"] != "licenses":
                    del here[argument]
                    broken.append(line["constraint"])
        own = [_values(line.get("values", {})) for line in lines if line["how"] == "carries"]
        by_line = self._rules._kinds[kind]["by_line"]
        every = len(here) == len(parts) and any(line["how"] == "all" for line in lines)
        one = {*here.values(), *own}
        if len(one) > 1 or (by_line and len(here) + len(own) > 1 and not (every and not own)):
            return None
        stops = {a: line["constraint"] for line in lines if line["how"] == "barrier" for a in line["arguments"]}
        through = {a for line in lines if line["how"] == "through" for a in line["arguments"]}
        for argument in here:
            if argument in stops:
                broken.append(stops[argument])
            elif by_line and not every and argument not in through:
                return None
        return next(iter(one), None), broken


def _fits(line: Mapping[str, Any], values: Mapping[str, str], parts: Mapping[int, _Edge]) -> bool:
    """Whether what is carried has the values that the line compares it by; one that is not known fits."""
    if line.get("by") not in parts:
        return True
    other = dict(parts[line["by"]].values)
    if any(other.get(name, values[name]) != values[name] for name in line.get("equal", ())):
        return False
    return all(
        column not in other or [values[name], other[column]] in [list(pair) for pair in pairs]
        for name, column, pairs in line.get("related", ())
    )


def _values(data: Mapping[str, str]) -> _Values:
    return frozenset(data.items())


def _load(data: Mapping[str, Mapping[str, str]]) -> _Load:
    return tuple((kind, _values(values)) for kind, values in sorted(data.items()))


def _shown(edge: _Edge) -> str:
    values = ", ".join(f"{name}={value}" for name, value in sorted(edge.values))
    return f"{edge.category}[{values}] from {edge.start} to {edge.end}"
