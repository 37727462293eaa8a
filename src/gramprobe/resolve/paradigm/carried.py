"""The ``carry`` lines of a paradigm: the columns of drawn words that its rows repeat."""

from __future__ import annotations

from gramprobe.resolve.grammar.data import Grammar
from gramprobe.resolve.paradigm.data import Carried, Draw, Skeleton
from gramprobe.resolve.paradigm.environment import Environment
from gramprobe.resolve.tree import Origin, category_of, origin
from gramprobe.source import messages
from gramprobe.syntax import paradigm_tree as syntax


def resolve_carried(line: syntax.Paradigm, env: Environment) -> tuple[Carried, ...]:
    """The columns, in order, each with its draw; a name that is no column of a draw is reported.

    ``carry freq`` is about every draw of words with this column, ``carry noun.freq`` about one draw.
    """
    carried: dict[Carried, None] = {}
    for operand in line.carried:
        name = operand.name.text
        if operand.column is None:
            having = [draw for draw in env.draws.values() if _has(draw, name, env.grammar)]
            column = operand.name
        elif name in env.draws:
            column = operand.column
            having = [draw for draw in (env.draws[name],) if _has(draw, column.text, env.grammar)]
        else:
            if name not in env.failed:
                env.findings.add(messages.names.unknown_name(operand.name.span, "draw", name, env.draws))
            continue
        if not having and not env.failed:
            about = list(env.draws.values()) if operand.column is None else [env.draws[name]]
            known = sorted(c for c in _columns(env.grammar) if any(_has(draw, c, env.grammar) for draw in about))
            env.findings.add(messages.paradigm.no_column_to_carry(column.span, operand.text, known))
        carried.update((Carried(draw.name, column.text), None) for draw in having)
    return tuple(carried)


def _has(draw: Draw, column: str, grammar: Grammar) -> bool:
    return any(source_of(skeleton, column, grammar) is not None for skeleton in draw.skeletons)


def source_of(skeleton: Skeleton, column: str, grammar: Grammar) -> Origin | None:
    """Where the column of a drawn phrase comes from: its head word, or a value that is fixed; None if it has none."""
    category = grammar.categories.get(category_of(skeleton.tree))
    if category is None or (category.lexical and column not in category.known) or column not in _columns(grammar):
        return None
    source = origin(skeleton.tree, column, grammar)
    of_a_word = source.slot is not None and source.column is not None
    return source if of_a_word or source.constant is not None else None


def _columns(grammar: Grammar) -> set[str]:
    """The names of columns that words have."""
    return {name for category in grammar.categories.values() if category.lexical for name in category.known} - {"id"}
