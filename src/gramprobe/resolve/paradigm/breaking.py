"""Sentences that break a constraint: `swapped = sentence breaking agree sv`, and the line `constraint` of a paradigm.

What breaks is one use of one constructor, the outermost whose words depend on a value that the constraint is about:
there another value stands, and the rest of the sentence has the argument's own. `Clause` says `finite(t, s.num)`, and
`constraint agree sv = NP.num`: with the other number it says *the nurse yawn*.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from gramprobe.resolve.grammar.constraints import CONSTRAINTS, FORM
from gramprobe.resolve.grammar.data import Constructor, Grammar, Operand
from gramprobe.resolve.names import require_known
from gramprobe.resolve.paradigm.terms import Environment, resolve_let
from gramprobe.resolve.tasks import TaskForm
from gramprobe.resolve.tree import Apply, Breach, Tree, nodes
from gramprobe.source import messages
from gramprobe.source.diagnostic import Diagnostic, Findings
from gramprobe.syntax import paradigm_tree as syntax
from gramprobe.syntax.tree import Word


def resolve_constraint(line: syntax.Paradigm, task: TaskForm, findings: Findings) -> Word | None:
    """The constraint that bad sentences break; None, with a diagnostic, unless the task has one and it is known."""
    word = next(iter(line.settings.get("constraint") or ()), None)
    if task.constraint:
        if word is None:
            findings.add(messages.reading.missing_line(line.name.span, "constraint", line.name.text))
        return word if word is not None and require_known(word, CONSTRAINTS, "constraint", findings) else None
    places = [("constraint", word.span)] if word is not None else []
    for keyword, span in (*places, *((claim.kind, claim.span) for claim in line.pair_claims)):
        findings.add(messages.pairs.line_of_pairs(span, keyword, task.name))
    return None


def broken_at(line: syntax.ConditionLine, tree: Tree, env: Environment) -> Tree | None:
    """The tree of a condition as its `breaking` changes it; None, with a diagnostic, for a mistake there."""
    breaking = line.breaking
    if breaking is None:
        return tree
    if env.task.meaning:
        env.findings.add(messages.pairs.nothing_broken(breaking.constraint.span, env.task.name))
        return None
    if not require_known(breaking.constraint, CONSTRAINTS, "constraint", env.findings):
        return None
    whole, below = breaking.within, tree
    if whole is not None:
        if whole.text in env.failed or not require_known(whole, env.lets, "let", env.findings):
            return None
        env.used.add(whole.text)
        inner = resolve_let(whole.text, env)
        if inner is None:
            return None
        if inner not in nodes(tree):
            env.findings.add(messages.pairs.not_within(whole.span, whole.text, line.name.text))
            return None
        below = inner
    value = breaking.value.text if breaking.value is not None else ""
    at = _outermost(below, breaking.constraint.text, value, env.grammar)
    if at is None:
        env.findings.add(_no_use(breaking, line, below, env))
        return None
    found, breach = at
    return _put(tree, below, _put(below, found, replace(found, breach=breach)))


def _no_use(breaking: syntax.Breaking, line: syntax.ConditionLine, tree: Tree, env: Environment) -> Diagnostic:
    """The diagnostic for a constraint that no constructor of the tree states by such a value."""
    name = breaking.constraint
    values = {breach.feature: breach.values for _, breach in _uses(tree, name.text, env.grammar)}
    value = breaking.value.text if breaking.value is not None else ""
    return messages.pairs.not_stated(name.span, name.text, line.name.text, value, values)


def _outermost(tree: Tree, constraint: str, value: str, grammar: Grammar) -> tuple[Apply, Breach] | None:
    """The outermost use, the first from the left, in whose place the value (empty: the other of two) can stand."""
    for node, breach in _uses(tree, constraint, grammar):
        if value in breach.values or (not value and len(breach.values) == 2):
            return node, replace(breach, value=value)
    return None


def _uses(tree: Tree, constraint: str, grammar: Grammar) -> Iterator[tuple[Apply, Breach]]:
    """The uses of constructors whose words depend on values that the constraint is about, outer ones first."""
    level: list[Tree] = [tree]
    while level:
        applied = [node for node in level if isinstance(node, Apply)]
        for node in applied:
            for argument, feature in _compared(node.constructor, constraint, grammar):
                yield node, Breach(constraint, argument, feature, grammar.features[feature].values)
        level = [argument for node in applied for argument in node.arguments]


def _compared(constructor: Constructor, constraint: str, grammar: Grammar) -> dict[tuple[int, str], None]:
    """Arguments by number, each with a feature of which the words depend, and whose constraint this is."""
    found: dict[tuple[int, str], None] = {}
    for line in constructor.lines:
        for operand in line.values:
            if isinstance(operand, Operand) and operand.argument is not None and operand.column is not None:
                found[operand.argument, operand.column] = None
        for part in line.parts:
            found.update(dict.fromkeys((part.argument, feature) for feature, _ in part.requests))
    return {
        (argument, feature): None
        for argument, feature in found
        if feature in grammar.features
        and grammar.constraints.get((constructor.arguments[argument].category, feature), FORM) == constraint
    }


def _put(tree: Tree, old: Tree, new: Tree) -> Tree:
    """The tree with another one in the first place of a part of it."""
    if tree == old:
        return new
    if isinstance(tree, Apply):
        for number, argument in enumerate(tree.arguments):
            changed = _put(argument, old, new)
            if changed is not argument:
                arguments = (*tree.arguments[:number], changed, *tree.arguments[number + 1 :])
                return replace(tree, arguments=arguments)
    return tree
