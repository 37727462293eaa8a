"""The `cross` lines of a paradigm: a factor whose levels stand in every instance.

    cross q = every, no        -- `plain = Say(Det(q, n), v)` is `plain.every = Say(Det(every, n), v)` and `plain.no`

The level is part of the condition and not of the instance. Lines are expanded before anything is resolved: conditions
that depend on `q`, also by a `let`, stand once for each level. In `pair`, `factor` and `contrast` lines the name of
such a condition stands for all of them; a pair joins sentences of one level.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from msgspec.structs import replace

from gramprobe.resolve.names import require_new
from gramprobe.resolve.paradigm.data import Condition, Factor
from gramprobe.resolve.tasks import TaskForm
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.syntax import paradigm_tree as syntax
from gramprobe.syntax.tree import Word

MARK = "."
"""Between a condition and its level: no name that an author writes holds it."""


@dataclass
class Crossed:
    """What becomes of the conditions of a paradigm.

    Attributes:
        names: a condition as it is written -> those that it stands for; only where these are others.
        levels: each of these -> its levels, in the order of the `cross` lines.
    """

    names: dict[str, tuple[str, ...]] = field(default_factory=dict)
    levels: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)

    def all_of(self, words: tuple[Word, ...]) -> tuple[Word, ...]:
        """The conditions that words stand for, at the places of these."""
        return tuple(Word(name, word.span) for word in words for name in self.names.get(word.text, (word.text,)))


def crossed(line: syntax.Paradigm, task: TaskForm, findings: Findings) -> tuple[syntax.Paradigm, Crossed]:
    """The paradigm without its `cross` lines, and what they made; mistakes in them are reported."""
    made = Crossed()
    known = {word.text: word.span for draw in line.draws for word in draw.names}
    known |= {let.name.text: let.name.span for let in line.lets}
    lets, conditions = list(line.lets), list(line.conditions)
    for cross in line.crosses:
        if not require_new(cross.name, known, "name", findings):
            continue
        known[cross.name.text] = cross.name.span
        if task.claims == "readings":
            findings.add(messages.task.claim_of_another_task(cross.name.span, "cross", task.name, task.claims))
        levels: dict[str, Word] = {}
        for word in cross.levels:
            if require_new(word, {name: each.span for name, each in levels.items()}, "level", findings):
                levels[word.text] = word
        if len(levels) < 2:
            findings.add(messages.factors.one_level(cross.name.span, cross.name.text))
        name, of_lets = cross.name.text, _depending(lets, cross.name.text)
        changed = {*of_lets}
        if not any(_mentions(each, name, changed) for each in conditions):
            findings.add(messages.names.unused(cross.name.span, "cross", name))
        several = []
        for each in conditions:
            if not _mentions(each, name, changed):
                several.append(each)
                continue
            if each.name.text not in known:
                changed.add(each.name.text)  # sentences below it may be made of it
            for level in levels.values():
                several.append(_at(each, name, level, changed))
                made.levels[several[-1].name.text] = (*made.levels.get(each.name.text, ()), (name, level.text))
        conditions = several
        lets = [
            syntax.Let(_named(let.name, level), _put(let.term, name, level, changed)) if level is not None else let
            for let in lets
            for level in (levels.values() if let.name.text in of_lets else [None])
        ]
    for each in conditions:
        if each.name.text in made.levels:
            base = each.name.text.partition(MARK)[0]
            made.names[base] = (*made.names.get(base, ()), each.name.text)
    return replace(line, lets=tuple(lets), conditions=tuple(conditions)), made


def crossed_factors(line: syntax.Paradigm, conditions: Mapping[str, Condition]) -> Iterator[Factor]:
    """The factor of each `cross` line."""
    for cross in line.crosses:
        levels = tuple(dict.fromkeys(word.text for word in cross.levels))
        named = (tuple(c.name for c in conditions.values() if (cross.name.text, level) in c.levels) for level in levels)
        yield Factor(cross.name.text, "condition", "within", levels, cross.name.span, tuple(named))


def _depending(lets: list[syntax.Let], name: str) -> set[str]:
    """The `let` lines that mention a name, directly or by others."""
    found: set[str] = set()
    while True:
        more = {let.name.text for let in lets if {name, *found} & set(syntax.names_in(let.term))} - found
        if not more:
            return found
        found |= more


def _mentions(line: syntax.ConditionLine, name: str, changed: set[str]) -> bool:
    """Whether a condition depends on a `cross` line by its name, or on trees that do."""
    terms = (*line.terms, *(term for _, term in line.redraws))
    return any(name in syntax.names_in(term) or changed & set(_references(term)) for term in terms)


def _references(term: syntax.Term) -> Iterator[str]:
    """The names in a term that are no constructors with parts."""
    if term.arguments is None:
        yield term.name.text
    for argument in term.arguments or ():
        yield from _references(argument)


def _at(line: syntax.ConditionLine, name: str, level: Word, changed: set[str]) -> syntax.ConditionLine:
    """A condition at a level of a `cross` line."""
    return replace(
        line,
        name=_named(line.name, level),
        terms=tuple(_put(term, name, level, changed) for term in line.terms),
        redraws=tuple((word, _put(term, name, level, changed)) for word, term in line.redraws),
        breaking=_breaking_at(line.breaking, level, changed),
    )


def _breaking_at(breaking: syntax.Breaking | None, level: Word, changed: set[str]) -> syntax.Breaking | None:
    within = breaking.within if breaking is not None else None
    if breaking is None or within is None or within.text not in changed:
        return breaking
    return replace(breaking, within=_named(within, level))


def _put(term: syntax.Term, name: str, level: Word, changed: set[str]) -> syntax.Term:
    """A term with the level in the place of the name, and the `let` lines of the level."""
    word = term.name
    if word.text == name:
        word = level
    elif word.text in changed and term.arguments is None:
        word = _named(word, level)
    arguments = term.arguments
    if arguments is not None:
        arguments = tuple(_put(each, name, level, changed) for each in arguments)
    return replace(term, name=word, arguments=arguments)


def _named(word: Word, level: Word) -> Word:
    return Word(f"{word.text}{MARK}{level.text}", word.span)
