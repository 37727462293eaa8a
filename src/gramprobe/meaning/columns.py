"""What a meaning asks of its words beside their symbols: features, numbers and other columns of the lexicon."""

from __future__ import annotations

from collections.abc import Iterator

from gramprobe.formula import ast
from gramprobe.formula.ast import Argument, Atom, Const, Modal, Quantified, Var
from gramprobe.resolve.grammar.data import Constructor, Grammar
from gramprobe.resolve.tree import Apply, Slot, Tree
from gramprobe.syntax.tree import Operand
from gramprobe.words.linearise import keys_of, of_arguments


class ConsultedByMeaning:
    """Of trees the features (and numbers) of drawn words on which the formula depends, beside the words' symbols. A
    part that stands in several trees is looked at once."""

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar
        #: a tree's id -> the tree, so that it stays, and its keys
        self._known: dict[int, tuple[Tree, list[tuple[Slot, str | None]]]] = {}

    def __call__(self, tree: Tree) -> list[tuple[Slot, str | None]]:
        """Those of a tree, each once."""
        if id(tree) not in self._known:
            keys: dict[tuple[Slot, str | None], None] = {}
            if isinstance(tree, Apply):
                cases, columns = consulted_at(tree, self._grammar)
                keys.update(dict.fromkeys((*cases, *(each for each in columns if _is_number(*each, self._grammar)))))
                for argument in tree.arguments:
                    keys.update(dict.fromkeys(self(argument)))
            self._known[id(tree)] = tree, list(keys)
        return self._known[id(tree)][1]


def consulted_at(tree: Apply, grammar: Grammar) -> tuple[list[tuple[Slot, str | None]], list[tuple[Slot, str]]]:
    """What the constructor at the root of a tree asks of drawn words itself: in its cases, and columns by name."""
    operands, columns = consulted(tree.constructor, grammar)
    named = ((tree.constructor.argument(argument), column) for argument, column in columns)
    below = ((tree.arguments[index], column) for index, column in named if index is not None)
    cases = [key for operand in operands for key in keys_of(operand, tree, grammar)]
    return cases, [(slot, column) for slot, column in below if isinstance(slot, Slot)]


def consulted(constructor: Constructor, grammar: Grammar) -> tuple[list[Operand], list[tuple[str, str]]]:
    """The operands of a constructor's cases, and the columns of arguments that its meanings and traces name; found
    once."""
    key = "consulted by meanings", id(constructor)
    if key not in grammar.shared:
        traces = [s.trace for s in constructor.scopes if s.trace and "." in s.trace]
        every = (traces, *(dotted(meaning.formula) for meaning in constructor.sems))
        split = (name.partition(".") for names_ in every for name in names_)
        operands = of_arguments(constructor, (case.operand for cases in constructor.cases for case in cases))
        grammar.shared[key] = constructor, (operands, [(argument, column) for argument, _, column in split])
    found: tuple[list[Operand], list[tuple[str, str]]] = grammar.shared[key][1]
    return found


def _is_number(slot: Slot, column: str, grammar: Grammar) -> bool:
    declared = grammar.categories[slot.category].columns.get(column)
    return declared is not None and declared.type == "number"


def dotted(node: Argument) -> Iterator[str]:
    """The names with a column in a meaning: ``n.value``, ``v.pre``."""
    for part in ast.walk(node):
        match part:
            case Var(name) | Const(name) | Atom(name, _) | Modal(name, _, _):
                if "." in name:
                    yield name
        if isinstance(part, Quantified) and isinstance(part.count, str) and "." in part.count:
            yield part.count
