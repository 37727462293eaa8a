"""The operators of a sentence in the order of its words, from which its surface reading follows.

An operator stands where its own words do (`every` in `every student`). One without words of its own stands where the
words are that it asks for: the negation whose `lin` is `c[mode=negated]` stands at the `didn't` of the case
`[mode=negated]` below it, an adverb where a table gives a word for the feature that it requests.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gramprobe.resolve.grammar.data import ArgumentWords, Constant, Grammar, Line, Lookup, Operand, Value
from gramprobe.resolve.tree import Apply, Given, Slot, Tree, looked_up, origin
from gramprobe.words.linearise import Chosen, case_holds, passed_on


def operators_in_words(tree: Tree, chosen: Chosen, grammar: Grammar) -> tuple[str, ...]:
    """The names by which the parts of a sentence take scope, in the order of its words."""
    walk = _Walk(chosen, grammar)
    walk.through(tree, {}, {})
    placed = [
        (own[0] if own else start, name) for name, own, start in zip(walk.names, walk.places, walk.starts, strict=True)
    ]
    return tuple(name for _, name in sorted(placed, key=lambda each: each[0]))


@dataclass
class _Walk:
    """A walk through the words of a tree; operators are numbered as they are met.

    ``at``: the number of words so far. ``places``: of each operator the places of its own words; or, where it has none,
    of the words that it asks for. ``starts``: where its first word of any kind stands.
    """

    chosen: Chosen
    grammar: Grammar
    at: int = 0
    names: list[str] = field(default_factory=list)
    places: list[list[int]] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)

    def through(self, tree: Tree, requests: Mapping[str, str], asked_by: Mapping[str, int]) -> None:
        """``asked_by``: for each requested feature the operator that asks for its value."""
        if not isinstance(tree, Apply):
            self.at += 1
            return
        constructor, grammar = tree.constructor, self.grammar
        line = next((x for x in constructor.lines if self._fits(x, tree, requests)), constructor.lines[0])
        # words that the case of the requested feature does not bring: those of the other values have them too
        beside = _cases(line, asked_by)
        others = [_texts(x) for x in constructor.lines if x is not line and _cases(x, asked_by) == beside]
        usual = frozenset[str]().union(*others).intersection(*others)
        scope = next((x for x in constructor.scopes if case_holds(x.cases, tree, {}, self.chosen, grammar)), None)
        own: int | None = None
        if scope is not None:
            own = len(self.names)
            self.names.append(scope.name)
            self.places.append([])
            self.starts.append(self.at)
        by_case = {asked_by[operand.text] for operand, _ in line.cases if _is_asked(operand, asked_by)}
        for atom in line.atoms:
            if isinstance(atom, ArgumentWords):
                asked = passed_on(constructor, atom.argument, requests, grammar)
                by = {feature: asked_by[feature] for feature in asked if feature in asked_by}
                for feature, value in atom.requests:
                    asked[feature] = self._value(value, tree, requests)
                    by.pop(feature, None)
                    if own is not None:
                        by[feature] = own
                    elif isinstance(value, Operand) and _is_asked(value, asked_by):
                        by[feature] = asked_by[value.text]
                self.through(tree.arguments[atom.argument], asked, by)
                continue
            words = set() if isinstance(atom, Constant) and atom.text in usual else set(by_case)
            if isinstance(atom, Lookup):
                operands = [v for v in atom.values if isinstance(v, Operand)]
                words |= {asked_by[v.text] for v in operands if _is_asked(v, asked_by)}
            for operator in {own} if own is not None else words:
                self.places[operator].append(self.at)
            self.at += 1

    def _fits(self, line: Line, node: Apply, requests: Mapping[str, str]) -> bool:
        return all(self._value(operand, node, requests) in values for operand, values in line.cases)

    def _value(self, value: Value, node: Apply, requests: Mapping[str, str]) -> str:
        """A value of a line at a use of its constructor.

        What nothing asks for, since a constraint says it of a sentence that was read (`where agree sv: p.num = s.num`),
        has any value: the order of the words is the same.
        """
        match value:
            case Constant(text):
                return text
            case Lookup(table, values):
                cells = self.grammar.tables[table].cells
                return cells.get(tuple(self._value(v, node, requests) for v in values)) or next(iter(cells.values()))
        if value.argument is None:
            return requests.get(value.text, value.text)
        argument = node.arguments[value.argument]
        if value.column is None:
            assert isinstance(argument, Given | Slot)
            return argument.value if isinstance(argument, Given) else str(self.chosen[argument.path, None])
        source = origin(argument, value.column, self.grammar)
        return (
            requests.get(value.column, value.column) if source.is_open else looked_up(source, self.chosen, self.grammar)
        )


def _is_asked(operand: Operand, asked_by: Mapping[str, int]) -> bool:
    """Whether an operand is a feature that the tree itself is asked for, by some operator."""
    return operand.argument is None and operand.text in asked_by


def _cases(line: Line, asked_by: Mapping[str, int]) -> frozenset[tuple[str, frozenset[str]]]:
    """The cases of a line but for those of requested features."""
    return frozenset((operand.text, values) for operand, values in line.cases if operand.text not in asked_by)


def _texts(line: Line) -> frozenset[str]:
    return frozenset(atom.text for atom in line.atoms if isinstance(atom, Constant))
