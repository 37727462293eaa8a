"""The terms of definitions are checked: their names, their categories, and that none leads back to itself."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from gramprobe.resolve.grammar.data import Argument, Definition, Grammar
from gramprobe.resolve.paradigm.terms import Environment, expanded
from gramprobe.resolve.tasks import TaskForm
from gramprobe.resolve.tree import Apply, Slot, Tree
from gramprobe.source.diagnostic import Findings


def check_definitions(grammar: Grammar, findings: Findings) -> None:
    """Report the mistakes in what definitions stand for."""
    for definition in grammar.definitions.values():
        if definition.chooser.name in findings.unread:
            continue
        env = Environment(grammar=grammar, task=TaskForm(name="", headings=(), claims=None), findings=findings)
        declared = definition.chooser.declared
        ways = [[*_built(a, definition, grammar)] or [Slot(a.name, a.category, a.is_feature)] for a in declared]
        for parts in product(*ways):
            if not expanded(definition, parts, env, definition.span):
                break


def _built(argument: Argument, definition: Definition, grammar: Grammar) -> Iterator[Tree]:
    """The argument by each constructor that cases name for it, over slots."""
    cases = [case for branch in definition.branches for case in branch.cases]
    for word in (w for c in cases if c.operand.text == argument.name and not argument.is_feature for w in c.values):
        maker = grammar.constructors.get(word.text)
        if maker is not None:
            parts = (Slot(f"{argument.name}.{a.name}", a.category, a.is_feature) for a in maker.arguments)
            yield Apply(maker, tuple(parts), maker.span)
