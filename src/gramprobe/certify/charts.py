"""Check the chart of a sentence by the grammar of its dataset, both as JSON data.

A chart lists every part that can be built of the words: its edges. It is checked without building any. Each entry of a
word is an edge. Whatever a production makes of edges is an edge, so that no part is missing; and each edge is a word's
or is made of edges before it, so that none is invented. Then the edges that are the whole sentence say everything: it
is good if one of them has no lifted constraint, and else the constraints of the others are what alone repairs it.

An edge with a lifted constraint may be missing where the same words are such a part without it, or with another one if
it is `form` (docs/carried.md).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

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
    """A production up to some daughter: where it stands, the daughters by argument, the last edge of them, and the
    constraint that is lifted in one of them or here."""

    place: int
    parts: tuple[tuple[int, _Edge], ...] = ()
    last: int = -1
    lift: str | None = None
    own: tuple[tuple[str, str], ...] = ()


def check(line: Mapping[str, Any], grammar: Mapping[str, Any]) -> Verdict:
    """What a line of `charts.jsonl` says. Raises CertificateError for a chart that does not show it."""
    return Charts(grammar).check(line)


def entries(text: str, grammar: Mapping[str, Any]) -> list[list[Any]]:
    """The entries of a text, as they stand in a line: of each token the tokens of productions that it may be, and the
    words that begin there."""
    return Charts(grammar).entries(text)


class Charts:
    """Checks charts by one grammar. Raises CertificateError where its data are no grammar."""

    def __init__(self, grammar: Mapping[str, Any]) -> None:
        try:
            self._language = grammar["language"]
            self._finals = {(each["category"], each["final"]) for each in grammar["sentences"]}
            self._kinds = {each["name"]: each for each in grammar["carried"]}
            self._productions = [dict(each) for each in grammar["productions"]]
            self._literal = {d for p in self._productions for d in p["daughters"] if isinstance(d, str)}
            self._literal |= {final for _, final in self._finals}
            self._words: dict[str, list[Any]] = defaultdict(list)
            for word in grammar["words"]:
                self._words[word["tokens"][0]].append(word)
        except (LookupError, TypeError, AttributeError) as error:
            raise CertificateError(f"these data are no grammar: {error}") from error
        self._known = {t for words in self._words.values() for word in words for t in word["tokens"]}
        self._known |= self._literal

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

    def entries(self, text: str) -> list[list[Any]]:
        """The entries of a text."""
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
                (word["category"], len(word["tokens"]), *(f"{n}={v}" for n, v in sorted(word["features"].items())))
                for token in tokens_
                for word in self._words.get(token, ())
                if tokens[place + 1 : place + len(word["tokens"])] == word["tokens"][1:]
            }
            literal = [each for each in tokens_ if each in self._literal]
            found.append([literal, sorted(map(list, words), key=str)])
        return found

    def _cut(self, text: str) -> Iterator[str]:
        """The tokens of a text, cut at spaces, around marks and before clitics; a sign that ends sentences is cut off
        at the end of a word only."""
        marks, ends = self._language["marks"], self._language["ends"]
        for written in text.split():
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
        self._number = {edge: number for number, edge in enumerate(edges)}
        if len(self._number) < len(edges):
            raise CertificateError("an edge stands twice")
        self._at: dict[tuple[int, str], list[tuple[int, _Edge]]] = defaultdict(list)
        for number, edge in enumerate(edges):
            self._at[edge.start, edge.category].append((number, edge))
        self._without = {(*edge[:3], edge.load) for edge in edges if edge.lift is None}
        self._strong = {(*edge[:3], edge.load) for edge in edges if edge.lift != WEAKEST}
        for edge in edges:
            if self._covered(edge):
                raise CertificateError(f"{_shown(edge)} lifts `{edge.lift}` where nothing has to be")
        last = len(entries) - 1
        whole = [e for e in edges if e.start == 0 and e.end == last and self._ends(e)] if entries else []
        self._good = any(e.lift is None and not e.load for e in whole)
        self._whole = whole

    def _ends(self, edge: _Edge) -> bool:
        """Whether the last token is the final sign of a category."""
        return any((edge.category, token) in self._rules._finals for token in self._entries[-1][0])

    def verdict(self) -> Verdict:
        made = set(self._spelt())
        for production in self._rules._productions:
            for start in range(len(self._entries) + 1):
                for way in self._ways(production, 0, _Made(start)):
                    for edge in self._mothers(production, start, way):
                        self._found(edge, way, made)
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

    def _ways(self, production: Mapping[str, Any], at: int, made: _Made) -> Iterator[_Made]:
        """Every way to find the daughters of a production from one on."""
        self._budget.spend()
        if at == len(production["daughters"]):
            yield made
            return
        wanted = production["daughters"][at]
        if isinstance(wanted, str):
            if made.place < len(self._entries) and wanted in self._entries[made.place][0]:
                yield from self._ways(production, at + 1, made._replace(place=made.place + 1))
            return
        for number, edge in self._at.get((made.place, wanted["category"]), ()):
            taken = self._taken(wanted, number, edge, made)
            if taken is not None:
                yield from self._ways(production, at + 1, taken)

    def _taken(self, wanted: Mapping[str, Any], number: int, edge: _Edge, made: _Made) -> _Made | None:
        """A production with an edge as its next daughter; None if that breaks more than one constraint."""
        has = dict(edge.values)
        broken = set()
        for feature, value in wanted["features"].items():
            if value is not None and has.get(feature, value) != value:
                if has[feature] in wanted.get("others", {}).get(feature, ()):
                    return None
                broken.add(wanted["constraints"].get(feature, WEAKEST))
        lifts = [*broken, *([edge.lift] if edge.lift is not None else []), *([made.lift] if made.lift else [])]
        if len(lifts) > 1:
            return None
        own = [(name, has[name]) for name in wanted.get("handed", ()) if broken and name in has]
        return _Made(
            edge.end, (*made.parts, (wanted["argument"], edge)), max(made.last, number),
            lifts[0] if lifts else None, (*made.own, *own),
        )  # fmt: skip

    def _mothers(self, production: Mapping[str, Any], start: int, made: _Made) -> Iterator[_Edge]:
        """What a production makes of its daughters."""
        parts = dict(made.parts)
        values = {name: value for name, value in production["features"].items() if value is not None}
        for wanted in (d for d in production["daughters"] if not isinstance(d, str)):
            has = dict(parts[wanted["argument"]].values)
            for name, value in production["features"].items():
                if value is None and wanted["features"].get(name, "") is None and name in has:
                    values[name] = has[name]
        values.update(made.own)
        lines = production.get("carrying", ())
        loads = {argument: dict(edge.load) for argument, edge in parts.items()}
        load: list[tuple[str, _Values]] = []
        broken: list[str] = [made.lift] if made.lift is not None else []
        for kind in sorted({line["kind"] for line in lines} | {kind for each in loads.values() for kind in each}):
            here = {argument: each[kind] for argument, each in loads.items() if kind in each}
            up = self._up(kind, [line for line in lines if line["kind"] == kind], here, parts)
            if up is None:
                return
            load += [(kind, up[0])] if up[0] is not None else []
            broken += up[1]
        if len(broken) <= 1:
            lift = broken[0] if broken else None
            yield _Edge(start, made.place, production["category"], frozenset(values.items()), tuple(load), lift)

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
