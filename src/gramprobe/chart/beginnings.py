"""Whether tokens begin some sentence, whatever comes behind them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from gramprobe.chart.carried import Load, fits
from gramprobe.chart.parse import NOTHING, Chart, State
from gramprobe.chart.rules import Node, Rule, Rules, Values, Wanted
from gramprobe.chart.shape import Shape, Shapes, Tokens

NEAR = 2
"""So many places behind what is known to begin a sentence are looked at one after the other, before the others."""


class Beginnings:
    """Which tokens begin a sentence of a grammar: what is found of some is kept for all of their shape."""

    def __init__(self, shapes: Shapes) -> None:
        self._shapes = shapes
        self._found: dict[tuple[Shape, bool], bool] = {}
        self._fills = any(line.how == "fills" for p in shapes.rules.grammar.productions for line in p.carrying)

    def critical(self, text: str, known: int = 0) -> int:
        """The index of the first token of a bad sentence up to which it begins none; the last one where only the whole
        fails. ``known``: as many tokens are known to begin one. -1 where the tokens before it begin one only if a gap
        still comes: where gaps can come is more than a grammar says (*What did Jo ruin the cake* ... *with?*)."""
        return self.critical_of(self._shapes.tokens(text), known)

    def critical_of(self, tokens: Tokens, known: int = 0) -> int:
        """The same of the tokens of a sentence."""
        strange = next((place for place, token in enumerate(tokens) if not token.is_known), None)
        if strange is not None or not tokens:
            return strange or 0
        places = range(known + 1, len(tokens))
        near = next((n for n, place in enumerate(places[:NEAR]) if not self.begins(tokens[:place])), None)
        if near is None:
            near = min(NEAR, len(places))
            near += bisect_left(places[near:], True, key=lambda place: not self.begins(tokens[:place]))
        found = known + near
        return found if not found or not self._fills or self.begins(tokens[:found], gaps=False) else -1

    def begins(self, tokens: Tokens, gaps: bool = True) -> bool:
        """Whether some sentence begins with these tokens; ``gaps``: also one in which a gap must still come."""
        shape = self._shapes.of_tokens(tokens, begun=True)
        if (shape, gaps) not in self._found:
            self._found[shape, gaps] = _begins(shape, self._shapes.rules, gaps)
        return self._found[shape, gaps]


class _Open(NamedTuple):
    """A part that was begun and waits for more: where it begins, what is known of it, and what it already carries of
    the kinds that pass by themselves (an unbound reflexive, an unlicensed word)."""

    start: int
    category: str
    values: Values
    load: Load


def _begins(begun: Shape, rules: Rules, gaps: bool) -> bool:
    """Whether some sentence begins with the tokens of a shape that is ``begun``.

    What waits behind them for more is taken to get it, with whatever values: the part that it would then be may be a
    daughter of what waits where it began, and so on to a sentence from the first token. ``gaps``: a gap may still come.
    """
    place = len(begun.entries)
    chart = Chart([each.literal for each in begun.entries], rules, cells=begun.cells)
    chart.fill(begun.words(rules))
    sentences = {sentence.category for sentence in rules.grammar.sentences}
    if any(
        e.start == 0 and e.end == place and e.category in sentences and e.lift is None and not e.carried
        for e in chart.edges
    ):
        return True
    todo = list(dict.fromkeys(_unfinished(chart, begun, gaps)))
    seen = set(todo)
    opened: set[tuple[int, int, State]] = set()
    while todo:
        part = todo.pop()
        if (part.start, place + 1, part.category) not in begun.cells:
            continue
        if part.start == 0 and part.category in sentences and not part.load:
            return True
        found: list[_Open] = []
        if part.category in rules.root.wanted:
            for wanted, node in rules.root.wanted[part.category].items():
                found += _taken(part, wanted, node, part.start, NOTHING, rules, opened, gaps)
        for _, wanted, node, begin, state in chart.waiting[part.start].get(part.category, ()):
            found += _taken(part, wanted, node, begin, state, rules, opened, gaps)
        for each in found:
            if each not in seen:
                seen.add(each)
                todo.append(each)
    return False


def _unfinished(chart: Chart, begun: Shape, gaps: bool) -> Iterator[_Open]:
    """What waits behind the last token for more."""
    rules, place = chart.rules, len(begun.entries)
    for waiting in chart.waiting[place].values():
        for _, wanted, node, start, state in waiting:
            if rules.can_be(wanted):
                yield from _opened(node, start, state, rules, gaps)
    for start, node, state in chart.wanted[place]:
        yield from _opened(node, start, state, rules, gaps)
    for start, end, category, values in begun.words(rules):
        if end > place:
            yield _Open(start, category, values, ())


def _taken(
    part: _Open,
    wanted: Wanted,
    node: Node,
    start: int,
    state: State,
    rules: Rules,
    opened: set[tuple[int, int, State]],
    gaps: bool,
) -> list[_Open]:
    """What is begun where a part that waits for more is a daughter of rules; nothing for those that are ``opened``."""
    if any(part.values[fixed.place] not in (None, fixed.value) for fixed in wanted.fixed):
        return []
    shared = tuple(part.values[at] for at in wanted.shared) or state.shared
    at = node.depth - 1
    kept = (*state.kept, (at, tuple(part.values[p] for p in wanted.kept))) if wanted.kept else state.kept
    loads = (*state.loads, (at, part.load)) if part.load else state.loads
    after = state._replace(shared=shared, kept=kept, loads=loads)
    if (id(node), start, after) in opened:
        return []
    opened.add((id(node), start, after))
    return list(_opened(node, start, after, rules, gaps))


def _opened(node: Node, start: int, state: State, rules: Rules, gaps: bool) -> Iterator[_Open]:
    """What the rules that end behind a node begin, as far as their daughters are known."""
    for rule in _below(node, rules):
        load = _up(rule, state, rules, gaps) if state.loads or rule.by_itself else ()
        if load is not None:
            shared = state.shared if len(state.shared) == len(rule.shared) else (None,) * len(rule.shared)
            yield _Open(start, rule.production.category, rule.mother(shared, ()), load)


def _up(rule: Rule, state: State, rules: Rules, gaps: bool) -> Load | None:
    """What a mother carries of the kinds that pass by themselves; None where one of them clashes or is stopped, and
    without ``gaps`` where a gap is still wanted."""
    kept, found = dict(state.kept), list[tuple[str, Values]]()
    for kind in dict.fromkeys((*rule.carrying, *(kind for _, load in state.loads for kind, _ in load))):
        if kind in rules.by_line:
            carriers = {at for at, load in state.loads for name, _ in load if name == kind}
            wanted = (line.parts for line in rule.carrying.get(kind, ()) if line.how == "fills")
            if not gaps and not all(carriers.issuperset(parts) for parts in wanted):
                return None
            continue
        here = {at: values for at, load in state.loads for name, values in load if name == kind}
        lines = rule.carrying.get(kind, ())
        for line in lines:
            if line.how in ("binds", "licenses") and line.parts and line.parts[0] in here:
                if (line.by >= 0 and line.by not in kept) or fits(line, here[line.parts[0]], kept):
                    del here[line.parts[0]]
                elif line.how == "binds":
                    return None
            elif line.how == "barrier" and not here.keys().isdisjoint(line.parts):
                return None
        values = {*here.values(), *(line.values for line in lines if line.how == "carries")}
        if len(values) > 1:
            return None
        found += [(kind, each) for each in values]
    return tuple(sorted(found))


def _below(node: Node, rules: Rules) -> list[Rule]:
    """The rules that end at a place in the tree of rules, or behind it, if all further daughters can have the values
    that they must have; of those that make the same of what stands before, one."""
    ends: dict[int, list[Rule]] = rules.ends
    if id(node) not in ends:
        wanted = (pair for each in node.wanted.values() for pair in each.items())
        after = [*node.tokens.values(), *(each for one, each in wanted if rules.can_be(one))]
        every = (*node.ends, *(rule for each in after for rule in _below(each, rules)))
        made = {(r.production.category, r.values, r.shared, repr(r.carrying) if r.carrying else ""): r for r in every}
        ends[id(node)] = list(made.values())
    return ends[id(node)]
