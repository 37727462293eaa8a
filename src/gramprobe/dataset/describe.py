"""From a resolved paradigm and the words that were drawn to the records of `design.json`; and the source files of a
dataset, which `build` writes into the manifest and `verify` expects there.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import UNSET, UnsetType, to_builtins

from gramprobe.dataset.manifest import (
    CellDesign,
    Column,
    ConditionDesign,
    ContrastDesign,
    Design,
    Designs,
    DrawDesign,
    FactorDesign,
    LabelDesign,
    PairDesign,
    ReadingClaim,
    StrataDesign,
    Word,
)
from gramprobe.items.hands import column_of
from gramprobe.items.plan import Plan
from gramprobe.items.preferences import file_of
from gramprobe.items.task import Task
from gramprobe.items.tasks import TASKS, task_of
from gramprobe.language import english
from gramprobe.resolve.grammar.data import Lexeme
from gramprobe.resolve.paradigm.data import Draw, Factor, Pair, Paradigm
from gramprobe.resolve.paradigm.factors import cells_of, rows_of
from gramprobe.resolve.project import Declarations
from gramprobe.resolve.tree import Apply, Given, Slot, Tree
from gramprobe.source.files import Source

Drawn = Mapping[str, Iterable[int]]
"""Slot -> the members that were drawn for it, as numbers in its category."""


def designs(parts: Mapping[str, tuple[Design, Mapping[str, Word]]]) -> Designs:
    """The designs of a dataset, from the design and the words of each paradigm, by name."""
    every = {id_: word for _, known in parts.values() for id_, word in known.items()}
    paradigms = {name: each for name, (each, _) in parts.items()}
    return Designs(paradigms=paradigms, words={id_: every[id_] for id_ in sorted(every)})


def design(paradigm: Paradigm, plan: Plan) -> Design:
    """What a paradigm compares, in the theory of the plan.

    `paradigm` must have the author's claims; ``plan.paradigm`` may be a copy without them.
    """
    task = TASKS[paradigm.task]
    operators = {operator.name: operator.gloss or operator.name for operator in plan.theory.operators}
    return Design(
        task=paradigm.task,
        about=paradigm.about,
        source=paradigm.citation,
        columns=columns_of(task),
        draws=[
            DrawDesign(name=each.name, category=each.category, feature=_is_feature(each), members=each.members)
            for each in paradigm.draws
        ],
        conditions=[
            ConditionDesign(name=each.name, side=each.side, tree=tree(each.tree), reading=each.reading)
            for each in paradigm.conditions.values()
        ],
        pairs=[_pair(each, paradigm.gold) for each in paradigm.pairs],
        labels=LabelDesign(gold=paradigm.gold, columns=list(paradigm.columns)) if task.form.claims == "label" else None,
        operators=operators,
        scored=task.scored,
        carried=[each.field for each in paradigm.carried] or UNSET,
        strata=_strata(plan),
        factors=[_factor(each) for each in paradigm.factors] or UNSET,
        cells=_cells(paradigm, task) or UNSET,
        contrasts=[ContrastDesign(name=c.name, weights=dict(c.weights)) for c in paradigm.contrasts] or UNSET,
        compared=list(dict.fromkeys(name for same in paradigm.same_words for name in same.regions)) or UNSET,
        language=UNSET if plan.grammar.language == english() else plan.grammar.language,
    )


def _strata(plan: Plan) -> StrataDesign | UnsetType:
    column = column_of(plan)
    return UNSET if column is None else StrataDesign(draw=column.draw, column=column.column)


def _factor(factor: Factor) -> FactorDesign:
    return FactorDesign(
        name=factor.name,
        of=factor.of,
        kind=factor.kind,
        levels=list(factor.levels),
        codes=codes_of(len(factor.levels)),
        draw=factor.draw or UNSET,
        column=factor.column or UNSET,
    )


def codes_of(levels: int) -> list[list[float]]:
    """For each level its codes: halves of two levels, so that an effect is their difference; of more the codes that sum
    to zero, each effect being that of a level less the mean of all, the last level's left out (`contr.sum` of R)."""
    if levels == 2:
        return [[0.5], [-0.5]]
    rows = [[float(column == row) for column in range(levels - 1)] for row in range(levels - 1)]
    return [*rows, [-1.0] * (levels - 1)] if levels else []


def _cells(paradigm: Paradigm, task: Task) -> list[CellDesign]:
    within = [factor.name for factor in paradigm.factors if factor.of == "condition"]
    rows = rows_of(paradigm.conditions, paradigm.pairs, task.form)
    cells = cells_of(paradigm.factors, rows) if within else {}
    return [
        CellDesign(levels=dict(zip(within, levels, strict=True)), conditions=conditions)
        for levels, conditions in cells.items()
    ]


def columns_of(task: Task) -> list[Column]:
    """The columns of the rows of a task, in their order."""
    return [_column(task, name) for name in task.columns]


def _column(task: Task, name: str) -> Column:
    if name not in task.numbers:
        return Column(name=name, type="draws" if name == "draws" else "text")
    values = task.numbers[name]
    return Column(name=name, type="number") if values is None else Column(name=name, type="label", values=list(values))


def _is_feature(draw: Draw) -> bool:
    trees = [skeleton.tree for skeleton in draw.skeletons]
    return all(isinstance(each, Slot) and each.is_feature for each in trees)


def tree(of: Tree) -> Any:
    """A tree over draws as JSON data (`ConditionDesign`)."""
    if isinstance(of, Apply):
        return [of.constructor.name, *map(tree, of.given)]
    if isinstance(of, Slot):
        return {"draw": of.name} | ({"column": of.column} if of.column else {})
    return {"given": of.value} if isinstance(of, Given) else {"draw": of.name}


def _pair(pair: Pair, gold: str) -> PairDesign:
    claims = {claim.column: claim.label for claim in pair.every_claim(gold) if not claim.at}
    return PairDesign(
        condition=pair.condition,
        left=pair.premise,
        right=pair.hypothesis,
        tag=pair.tag,
        share=pair.share,
        label=claims.pop(gold, None),
        labels=claims,
        claim=None
        if pair.claim is None
        else ReadingClaim(kind=pair.claim.kind, readings=list(pair.claim.readings), all=pair.claim.every),
    )


def words(plan: Plan, drawn: Drawn) -> dict[str, Word]:
    """The words that were drawn, by id."""
    drawn_words: dict[str, Word] = {}
    for name, members in drawn.items():
        slot = plan.space.slots[name]
        if not slot.is_feature:
            lexemes = plan.grammar.categories[slot.category].lexemes
            drawn_words |= {lexemes[number].id: _word(lexemes[number]) for number in members if number >= 0}
    return drawn_words


def _word(lexeme: Lexeme) -> Word:
    """A word with its columns in the lexicon (sets of values as arrays) and its forms."""
    values: dict[str, str | int | list[str]] = {
        name: list(cell) if isinstance(cell, tuple) else cell if isinstance(cell, int) else str(cell)
        for name, cell in lexeme.columns.items()
        if name != "id"
    }
    return Word(category=lexeme.category, values=values, forms=dict(lexeme.forms))


def differences(there: Designs, wanted: Designs) -> Iterator[tuple[str, str, str]]:
    """The differences between designs of the same paradigms: the place, and the value in each as JSON, cut off."""
    pairs = [(name, there.paradigms.get(name), wanted.paradigms[name]) for name in wanted.paradigms]
    for name, one, other in pairs:
        if one is None:
            yield f"`{name}`", "nothing", "a paradigm"
        elif one != other:
            for field in Design.__struct_fields__:
                if getattr(one, field) != getattr(other, field):
                    yield _first_difference(f"`{field}` of `{name}`", getattr(one, field), getattr(other, field))
    for id_ in sorted(there.words.keys() | wanted.words.keys()):
        if there.words.get(id_) != wanted.words.get(id_):
            yield _first_difference(f"the word `{id_}`", there.words.get(id_), wanted.words.get(id_))


def _first_difference(place: str, one: Any, other: Any) -> tuple[str, str, str]:
    """Where two values differ first, however deep: `place`, then keys and numbers of entries from 0, and both values
    there, each cut off after 60 characters."""
    one, other = (None if each is UNSET else to_builtins(each) for each in (one, other))
    inside = ""
    while type(one) is type(other):
        if isinstance(one, dict):
            at = next(key for key in (*other, *one) if one.get(key) != other.get(key))
            one, other = one.get(at), other.get(at)
        elif isinstance(one, list | tuple) and len(one) == len(other):
            at = next(number for number, pair in enumerate(zip(one, other, strict=True)) if pair[0] != pair[1])
            one, other = one[at], other[at]
        else:
            break
        inside += f"[{at}]"
    return f"{place}{', at ' if inside else ''}{inside}", _cut_off(one), _cut_off(other)


def _cut_off(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:56]} ..."


def sources_of(declarations: Declarations, paradigms: Sequence[Paradigm], theory: str | None) -> dict[str, Source]:
    """Relative name -> source file: those of the paradigms, of the theory in the place of theirs (if one is named),
    their veto lists, and the preferences of people for tasks with that column."""
    used = {path for paradigm in paradigms for path in declarations.files_of(paradigm.full_name)}
    used |= declarations.theory_files(theory) if theory else frozenset()
    beside = {f"grammars/{paradigm.full_name}.veto.tsv" for paradigm in paradigms}
    beside |= {file_of(paradigm.phenomenon) for paradigm in paradigms if "preferred" in task_of(paradigm).columns}
    every = declarations.library.sources
    return {name: source for name, source in every.items() if source.path in used or name in beside}
