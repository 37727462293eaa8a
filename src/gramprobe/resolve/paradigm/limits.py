"""The ``each ... at most`` lines of a paradigm: how often a word, or a value of a column, may be drawn."""

from __future__ import annotations

from gramprobe.resolve.paradigm.data import Draw, Limit
from gramprobe.resolve.paradigm.environment import Environment
from gramprobe.resolve.tree import Slot
from gramprobe.source import messages
from gramprobe.syntax import paradigm_tree as syntax

#: stands for all drawn words
WORD = "word"


def resolve_limits(line: syntax.Paradigm, env: Environment) -> tuple[Limit, ...]:
    """The limits; a mistake in one is reported, and it is left out."""
    limits: list[Limit] = []
    for each in line.limits:
        counted: list[tuple[Slot, str | None]] = []
        for operand in each.of:
            name, column = operand.name.text, operand.column
            if name == WORD and name not in env.draws and column is None:
                counted += [(slot, None) for draw in env.draws.values() for slot in _words(draw)]
                continue
            if name not in env.draws:
                if name not in env.failed:
                    there = [WORD, *env.draws]
                    env.findings.add(messages.names.unknown_name(operand.name.span, "draw", name, there))
                continue
            env.used.add(name)
            slots = _words(env.draws[name])
            # of a phrase those words count that have the column
            having = [slot for slot in slots if column is None or _has(env, slot, column.text)]
            if slots and not having and column is not None:
                category = slots[0].category
                known = env.grammar.categories[category].known
                env.findings.add(messages.grammar.unknown_feature(column.span, category, column.text, known))
            counted += [(slot, column.text if column is not None else None) for slot in having]
            if not slots:
                env.findings.add(messages.paradigm.no_word_to_limit(operand.name.span, name))
        zero = next((word for word in (each.count, each.per) if word is not None and int(word.text) < 1), None)
        if zero is not None:
            env.findings.add(messages.paradigm.no_limit(zero.span))
        elif counted:
            per = int(each.per.text) if each.per is not None else None
            limits.append(Limit(tuple(dict.fromkeys(counted)), int(each.count.text), each.count.span, per))
    return tuple(limits)


def _words(draw: Draw) -> list[Slot]:
    """The slots of a draw that words fill."""
    return [domain.slot for skeleton in draw.skeletons for domain in skeleton.domains if not domain.slot.is_feature]


def _has(env: Environment, slot: Slot, column: str) -> bool:
    return column != "id" and column in env.grammar.categories[slot.category].known
