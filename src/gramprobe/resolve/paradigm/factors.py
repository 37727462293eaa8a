"""The `factor` lines of a paradigm: what an author compares, by conditions, by what is drawn, or by numbers.

    factor clause = subject: src | object: orc     within: every instance has a sentence of each level
    factor q      = draw quantifier                between: every instance has one of the values
    factor length = noun.length                    a number of each instance, or the values of a column, between

The levels of a factor between instances have equally many instances, up to one, in every prefix of a dataset: that is a
limit (`each quantifier at most 1 time in 3`), and :func:`limits_of` makes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from msgspec.structs import replace

from gramprobe.resolve.grammar.data import NUMBERS
from gramprobe.resolve.names import require_column, require_known, require_new
from gramprobe.resolve.paradigm.crossed import crossed_factors
from gramprobe.resolve.paradigm.data import Condition, Contrast, Draw, Factor, Limit, Pair
from gramprobe.resolve.paradigm.terms import Environment
from gramprobe.resolve.tasks import TaskForm
from gramprobe.resolve.tree import Slot
from gramprobe.source import messages
from gramprobe.syntax import paradigm_tree as syntax
from gramprobe.syntax.tree import Operand, Word

MOST_LEVELS = 12
"""How many levels a factor has at most: more of them are a sample, whose words are random in a model."""


def resolve_factors(
    line: syntax.Paradigm, conditions: Mapping[str, Condition], pairs: Sequence[Pair], env: Environment
) -> tuple[tuple[Factor, ...], tuple[tuple[frozenset[str], str], ...]]:
    """The factors, and the cells that the author says are empty; mistakes are reported."""
    factors: dict[str, Factor] = {factor.name: factor for factor in crossed_factors(line, conditions)}
    for each in line.factors:
        if not require_new(each.name, factors, "factor", env.findings):
            continue
        if each.name.text in env.draws and (each.draw is None or each.draw.text != each.name.text):
            draw = env.draws[each.name.text].span
            env.findings.add(messages.factors.name_of_a_draw(each.name.span, each.name.text, draw))
            continue
        factor = _of_conditions(each, conditions, env) if each.levels else _of_draw(each, env)
        if factor is not None:
            factors[factor.name] = factor
    factors = {name: _sided(factor, pairs, env.task) for name, factor in factors.items()}
    within = [factor for factor in factors.values() if factor.of == "condition"]
    empty = _empty(line.empty_cells, factors.values(), env)
    if not env.findings.failed:
        _check_cells(within, rows_of(conditions, pairs, env.task), [levels for levels, _ in empty], env)
    return tuple(factors.values()), tuple(empty)


def resolve_contrasts(
    line: syntax.Paradigm, conditions: Mapping[str, Condition], pairs: Sequence[Pair], env: Environment
) -> tuple[Contrast, ...]:
    """The `contrast` lines; mistakes are reported. A condition of pairs stands for the rows of all its pairs."""
    rows = rows_of(conditions, pairs, env.task)
    found: dict[str, Contrast] = {}
    for each in line.contrasts:
        if not require_new(each.name, found, "contrast", env.findings):
            continue
        written = {name: {name} for name in conditions} | {k: set(v) for k, v in env.crossed.names.items()}
        known = {name: [row for row, named in rows.items() if own & {*named}] for name, own in written.items()}
        usable = [name for name, own in known.items() if own]
        strange = [word for _, word in each.weights if not require_known(word, usable, "condition", env.findings)]
        if strange:
            continue
        weights: dict[str, float] = {}
        for number, word in each.weights:
            for row in known[word.text]:
                weights[row] = weights.get(row, 0.0) + float(number) / len(known[word.text])
        if abs(sum(weights.values())) > 1e-9:
            total = sum(float(number) for number, _ in each.weights)
            env.findings.add(messages.factors.no_contrast(each.name.span, each.name.text, total))
            continue
        found[each.name.text] = Contrast(each.name.text, tuple(weights.items()), each.name.span)
    return tuple(found.values())


def rows_of(conditions: Mapping[str, Condition], pairs: Sequence[Pair], task: TaskForm) -> dict[str, tuple[str, ...]]:
    """The condition of each row of an instance, as its column has it -> the conditions of which its sentences are."""
    if task.constraint:  # what is compared are sentences, of which a row has two
        return {each.name: (each.name,) for each in conditions.values()}
    if pairs and task.claims != "readings":
        return {pair.condition: (pair.premise, pair.hypothesis) for pair in pairs}
    return {each.name: (each.name,) for each in conditions.values() if each.side == task.headings[0].name}


def level_of(factor: Factor, named: Sequence[str]) -> str:
    """The level of a factor that a row of these conditions has; empty if it has none."""
    return next(filter(None, map(factor.level, named[factor.sides])), "")


def cells_of(factors: Sequence[Factor], rows: Mapping[str, tuple[str, ...]]) -> dict[tuple[str, ...], list[str]]:
    """For the factors of conditions: their levels together -> the rows that have them; rows without a level of some
    factor are in none."""
    within = [factor for factor in factors if factor.of == "condition"]
    cells: dict[tuple[str, ...], list[str]] = {}
    for row, named in rows.items():
        levels = tuple(level_of(factor, named) for factor in within)
        if all(levels):
            cells.setdefault(levels, []).append(row)
    return cells


def limits_of(factors: Sequence[Factor], draws: Mapping[str, Draw]) -> Iterator[Limit]:
    """The limits that give the levels of factors between instances equally many of them."""
    for factor in factors:
        if factor.kind == "between":
            slots = [d.slot for skeleton in draws[factor.draw].skeletons for d in skeleton.domains]
            of = tuple((slot, factor.column or None) for slot in slots)
            yield Limit(of, 1, factor.span, len(factor.levels), f"factor {factor.name}")


def _sided(factor: Factor, pairs: Sequence[Pair], task: TaskForm) -> Factor:
    """The factor with the sides of a pair that have its levels: the premise, if each of its conditions is a premise of
    some pair, else the hypothesis, if each is one, else both. A premise may be the hypothesis of a control, too."""
    named = {name for own in factor.conditions for name in own}
    if named and task.claims != "readings":
        for at, side in enumerate([{pair.premise for pair in pairs}, {pair.hypothesis for pair in pairs}]):
            if named <= side:
                return replace(factor, sides=slice(at, at + 1))
    return factor


def _of_conditions(line: syntax.Factor, conditions: Mapping[str, Condition], env: Environment) -> Factor | None:
    seen: dict[str, Word] = {}
    names: dict[str, Word] = {}
    for level in line.levels:
        if not require_new(level.name, {name: word.span for name, word in names.items()}, "level", env.findings):
            return None
        names[level.name.text] = level.name
        for word in env.crossed.all_of(level.conditions):
            if not require_known(word, conditions, "condition", env.findings):
                return None
            if word.text in seen:
                env.findings.add(messages.factors.in_two_levels(word.span, word.text, line.name.text))
                return None
            seen[word.text] = word
    levels = tuple(tuple(word.text for word in env.crossed.all_of(level.conditions)) for level in line.levels)
    return Factor(line.name.text, "condition", "within", tuple(names), line.name.span, levels)


def _of_draw(line: syntax.Factor, env: Environment) -> Factor | None:
    word = line.draw if line.column is None else line.column.name
    assert word is not None
    if word.text in env.failed | env.doubtful or not require_known(word, env.draws, "draw", env.findings):
        return None
    env.used.add(word.text)
    draw = env.draws[word.text]
    slots = [domain.slot for skeleton in draw.skeletons for domain in skeleton.domains]
    if len(slots) != 1 or draw.skeletons[0].constructors:
        env.findings.add(messages.factors.of_a_phrase(word.span, draw.name))
        return None
    if line.column is not None:
        return _of_column(line, line.column, draw, slots[0], env)
    levels = _values(draw, slots[0], None, env)
    return _between(Factor(line.name.text, "draw", "between", levels, line.name.span, draw=draw.name), env)


def _of_column(line: syntax.Factor, operand: Operand, draw: Draw, slot: Slot, env: Environment) -> Factor | None:
    assert operand.column is not None
    column = operand.column.text
    category = env.grammar.categories.get(slot.category)
    known = category.known if category is not None else ()
    if not require_column(operand.column, slot.category, known, env.findings) or category is None:
        return None
    if column in category.columns and category.columns[column].type in NUMBERS:
        return Factor(line.name.text, "column", "number", (), line.name.span, draw=draw.name, column=column)
    levels = _values(draw, slot, column, env)
    found = Factor(line.name.text, "column", "between", levels, line.name.span, draw=draw.name, column=column)
    return _between(found, env)


def _values(draw: Draw, slot: Slot, column: str | None, env: Environment) -> tuple[str, ...]:
    """What may be drawn, in order: ids, values of a feature, or those of a column."""
    (domain,) = (domain for skeleton in draw.skeletons for domain in skeleton.domains)
    if slot.is_feature:
        values = env.grammar.features[slot.category].values
        return tuple(values[member] for member in domain.members)
    category = env.grammar.categories[slot.category]
    words = [category.lexemes[member] for member in domain.members]
    if column is None:
        return tuple(word.id for word in words)
    fixed = category.fixed.get(column, "")
    return tuple(dict.fromkeys(str(word.columns.get(column, fixed)) for word in words))


def _between(factor: Factor, env: Environment) -> Factor | None:
    if 2 <= len(factor.levels) <= MOST_LEVELS:
        return factor
    env.findings.add(messages.factors.levels(factor.span, factor.name, len(factor.levels), MOST_LEVELS))
    return None


def _empty(
    lines: Sequence[syntax.EmptyCell], factors: Iterable[Factor], env: Environment
) -> list[tuple[frozenset[str], str]]:
    known = [level for factor in factors if factor.of == "condition" for level in factor.levels]
    drawn = {level: factor.name for factor in factors if factor.of != "condition" for level in factor.levels}
    found: list[tuple[frozenset[str], str]] = []
    for line in lines:
        between = next((word for word in line.levels if word.text in drawn and word.text not in known), None)
        if between is not None:
            env.findings.add(messages.factors.drawn_level(between.span, between.text, drawn[between.text]))
            continue
        strange = [word for word in line.levels if not require_known(word, known, "level", env.findings)]
        if not strange:
            found.append((frozenset(word.text for word in line.levels), line.because.text))
    return found


def _check_cells(
    within: Sequence[Factor], rows: Mapping[str, tuple[str, ...]], empty: Sequence[frozenset[str]], env: Environment
) -> None:
    """Report rows that have two levels of one factor, or of some factors none, and cells that no row has."""
    said = set[str]()
    for row, named in rows.items():
        levels = {f.name: {level for each in named[f.sides] if (level := f.level(each))} for f in within}
        for factor in within:
            if len(levels[factor.name]) > 1 and factor.name not in said:
                said.add(factor.name)  # once for all rows
                both = sorted(levels[factor.name])
                env.findings.add(messages.factors.two_levels(factor.span, factor.name, row, both))
        lacking = [factor for factor in within if not levels[factor.name]]
        if lacking and len(lacking) < len(within):
            env.findings.add(messages.factors.no_level(lacking[0].span, lacking[0].name, row))
    cells = cells_of(within, rows)
    for cell in product(*(factor.levels for factor in within)):
        if within and cell not in cells and not any(levels <= set(cell) for levels in empty):
            env.findings.add(messages.factors.empty_cell(within[-1].span, cell))
