"""The lines about regions: `region verb = Clause.v`, and `same words in verb, after_verb`."""

from __future__ import annotations

from collections.abc import Iterator

from gramprobe.resolve.grammar.data import Grammar
from gramprobe.resolve.names import require_known
from gramprobe.resolve.paradigm.data import SameWords
from gramprobe.resolve.paradigm.terms import Environment
from gramprobe.resolve.tree import Regions
from gramprobe.source import messages
from gramprobe.syntax import grammar_tree
from gramprobe.syntax import paradigm_tree as syntax

START, AFTER = "start", "after_"
"""The region before the first one that has a name, and what stands before the name of a region to name the words
behind it."""


def resolve_regions(line: syntax.Paradigm, env: Environment) -> Regions:
    """Constructor, and one of its arguments or None -> the name of the region that its words are."""
    found: dict[tuple[str, str | None], str] = {}
    constructors = env.grammar.constructors
    for region in line.regions:
        if not env.task.regions:
            env.findings.add(messages.task.no_regions(region.name.span, "region", env.task.name))
            continue
        for operand in region.of:
            if not require_known(operand.name, constructors, "constructor", env.findings):
                continue
            constructor = constructors[operand.name.text]
            argument = None if operand.column is None else operand.column.text
            if operand.column is not None:
                named = [each.name for each in constructor.arguments if not each.is_feature]
                if not require_known(operand.column, named, f"argument of {constructor.name}", env.findings):
                    continue
            if (constructor.name, argument) in found:
                env.findings.add(messages.names.declared_twice(operand.name.span, f"region of `{operand.text}`", None))
            found[constructor.name, argument] = region.name.text
    return found


def resolve_same_words(line: syntax.Paradigm, regions: Regions, env: Environment) -> tuple[SameWords, ...]:
    """The regions that are compared over conditions; a name that no region can have is reported."""
    named = dict.fromkeys([*regions.values(), *_marked(env.grammar)])
    known = [*named, START, *(f"{AFTER}{name}" for name in named)]
    found: list[SameWords] = []
    for each in line.same_words:
        if not env.task.regions:
            env.findings.add(messages.task.no_regions(each.regions[0].span, "same words in", env.task.name))
            continue
        strange = [word for word in each.regions if not require_known(word, known, "region", env.findings)]
        if not strange:
            found.append(SameWords(tuple(word.text for word in each.regions), each.regions[0].span))
    return tuple(found)


def _marked(grammar: Grammar) -> Iterator[str]:
    """The names of regions that `lin` lines mark."""
    for constructor in grammar.constructors.values():
        for lin in constructor.lins:
            yield from (atom.name.text for atom in lin.atoms if isinstance(atom, grammar_tree.Region))
