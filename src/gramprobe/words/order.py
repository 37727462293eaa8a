"""The operators of a sentence in the order of its words, from which its surface reading follows.

An operator stands where its own words do (`every` in `every student`). One without words of its own stands where the
words are that it asks for: the negation whose `lin` is `c[mode=negated]` stands at the `didn't` of the case
`[mode=negated]` below it, an adverb where a table gives a word for the feature that it requests.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gramprobe.resolve.grammar.data import Grammar
from gramprobe.resolve.tree import Apply, Tree
from gramprobe.syntax import grammar_tree as syntax
from gramprobe.syntax.tree import Operand
from gramprobe.words.linearise import Chosen, case_holds, linearise, passed_on, value_of


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
            self.at += len(linearise(tree, requests, self.chosen, self.grammar))
            return
        constructor, chosen, grammar = tree.constructor, self.chosen, self.grammar
        line = next(x for x in constructor.lins if case_holds(x.cases, tree, requests, chosen, grammar))
        # words that the case of the requested feature does not bring: those of the other values have them too
        beside = _cases(line, asked_by)
        others = [_texts(x) for x in constructor.lins if x is not line and _cases(x, asked_by) == beside]
        usual = frozenset[str]().union(*others).intersection(*others)
        scope = next((x for x in constructor.scopes if case_holds(x.cases, tree, {}, chosen, grammar)), None)
        own: int | None = None
        if scope is not None:
            own = len(self.names)
            self.names.append(scope.name)
            self.places.append([])
            self.starts.append(self.at)
        by_case = {asked_by[c.operand.name.text] for c in line.cases if _is_asked(c.operand, tree, asked_by)}
        for atom in line.atoms:
            if isinstance(atom, syntax.Words):
                index = constructor.argument(atom.name.text)
                assert index is not None
                asked = passed_on(constructor, index, requests, grammar)
                by = {feature: asked_by[feature] for feature in asked if feature in asked_by}
                for feature, value in atom.requests:
                    asked[feature.text] = value_of(value, tree, requests, chosen, grammar)
                    by.pop(feature.text, None)
                    if own is not None:
                        by[feature.text] = own
                    elif isinstance(value, Operand) and _is_asked(value, tree, asked_by):
                        by[feature.text] = asked_by[value.name.text]
                self.through(tree.arguments[index], asked, by)
                continue
            words = set() if isinstance(atom, syntax.Text) and atom.word.text in usual else set(by_case)
            if isinstance(atom, syntax.Lookup):
                operands = [v for v in atom.values if isinstance(v, Operand)]
                words |= {asked_by[v.name.text] for v in operands if _is_asked(v, tree, asked_by)}
            for operator in {own} if own is not None else words:
                self.places[operator].append(self.at)
            self.at += 1


def _is_asked(operand: Operand, tree: Apply, asked_by: Mapping[str, int]) -> bool:
    """Whether an operand is a feature that the tree itself is asked for, by some operator."""
    free = operand.column is None and tree.constructor.argument(operand.name.text) is None
    return free and operand.name.text in asked_by


def _cases(line: syntax.Lin, asked_by: Mapping[str, int]) -> frozenset[tuple[str, tuple[str, ...]]]:
    """The cases of a line but for those of requested features."""
    return frozenset(
        (c.operand.text, tuple(w.text for w in c.values))
        for c in line.cases
        if c.operand.column is not None or c.operand.name.text not in asked_by
    )


def _texts(line: syntax.Lin) -> frozenset[str]:
    return frozenset(atom.word.text for atom in line.atoms if isinstance(atom, syntax.Text))
