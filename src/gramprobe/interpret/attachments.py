"""Places of adverbials and times that readers have where a grammar has one: formulas to hold labels against.

*Sang and danced on Monday*, both or the second; *discovered that he left on Monday*, when he left or when that was
discovered: a grammar attaches what stands last to what is nearest (late closure: Frazier 1978). What somebody was once
they need not have been when something else happened (Enç 1986).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from msgspec import structs

from gramprobe.formula.ast import (
    And,
    Argument,
    Atom,
    Const,
    Equal,
    Formula,
    Modal,
    Not,
    Or,
    Quantified,
    Var,
    as_formula,
    bottom_up,
    map_parts,
    walk,
)
from gramprobe.formula.binding import free_variables, names
from gramprobe.interpret.pronouns import taken_up
from gramprobe.interpret.read import Reader, Understood
from gramprobe.interpret.times import PAST, PRESENT, TENSES

Sentences = tuple[Formula, ...]


def of_other_places(readings: Sequence[Understood], reader: Reader, neutral: bool) -> Iterator[tuple[str, Sentences]]:
    """The premises and, last, the hypothesis by other places of their adverbials, each with a reason."""
    own = tuple(each.reading.formula for each in readings)
    if (wide := tuple(_spread(each, reader) for each in own)) != own:
        yield "what stands before or behind two that are joined may be said of both", wide
    for each in () if neutral else reader.theory.withholding("spread"):
        yield each.reason, tuple(_apart(formula, each.names) for formula in own)
    dropped = [_dropped(each, reader) for each in readings]
    alike = dropped[-1] if {*dropped[-1]} <= {name for each in dropped[:-1] for name in each} else ()
    moved = tuple(_without(each, names, reader) for each, names in zip(own, (*dropped[:-1], alike), strict=True))
    if not neutral and moved != own:
        yield "what stands last may be said of the whole sentence, and not of the clause in it", moved


def of_other_times(readings: Sequence[Understood], reader: Reader) -> Iterator[tuple[str, tuple[Sentences, ...]]]:
    """The same with a word of one premise said of a time of its own, in the hypothesis, too, unless that has it in a
    noun phrase, or that premise alone, or without it: where the premise says it of the past (*was a child*), or who is
    what of another time than others speak of (*is the mayor*)."""
    *before, last = readings
    own = tuple(each.reading.formula for each in readings)
    for at, read in enumerate(before if len(before) > 1 else ()):
        said_of = {
            (word, TENSES.get(time, time))
            for other in before
            if other is not read
            for word, time, inside in other.times
            if not inside
        }
        others = {
            TENSES.get(time, time)
            for other in readings
            if other is not read
            for _, time, inside in other.times
            if not inside
        }
        said = {TENSES.get(time, time) for _, time, _ in read.times}
        named = any(isinstance(node, Equal) for node in walk(own[at])) and (others - said or PAST in said)
        words = {
            word
            for word, time, inside in read.times
            if (named or (TENSES.get(time, time) == PAST and not inside and (word, PAST) not in said_of))
            and word in reader.symbols
            and ((word, PRESENT) in said_of or not _is_verb(word, reader))
        }
        if words:
            then = (*own[:at], of_a_time(own[at], words, f"then{at}"), *own[at + 1 :])
            inside = {word for word, _, phrase in last.times if phrase}
            asked = of_a_time(own[-1], words - inside, f"then{at}")
            every = (then, (*then[:-1], asked), (own[at], own[-1]), (*own[:at], *own[at + 1 :]))
            yield "what is said of one time need not be so at the other", every


def said_so(readings: Sequence[Understood], formulas: Sentences, reader: Reader) -> tuple[Formula, Formula] | None:
    """What premises say, one after the other, and the hypothesis, by other formulas; None where a pronoun takes up what
    is not named."""
    if any(map(free_variables, formulas)):
        return None
    others = [
        replace(read, reading=structs.replace(read.reading, formula=formula, refers=()), pronouns=())
        for read, formula in zip((*readings[: len(formulas) - 1], readings[-1]), formulas, strict=True)
    ]
    found = next(taken_up(others, [0] * len(others), reader), None)
    return None if found is None else (found.formula, found.readings[-1].reading.formula)


def _is_verb(word: str, reader: Reader) -> bool:
    return word in reader.symbols and reader.symbols[word].is_verb


def _is_done(node: Modal, reader: Reader) -> bool:
    """Whether what somebody managed to do is done when and where they managed it."""
    word = reader.symbols.get(node.operator)
    implies = word is not None and word.columns.get("implies") == "implies"
    return implies and node.agent == _subject(node.body)


def _below(around: Formula, what: Formula, reader: Reader) -> Formula | None:
    """What the adverbials of a formula are said of replaced by something else, whose subject is theirs; None if there
    are none."""
    if isinstance(around, Quantified):
        scope = _below(around.scope, what, reader)
        return None if scope is None else structs.replace(around, scope=scope)
    if not isinstance(around, Modal) or not reader.is_adverbial(around):
        return None
    body = _below(around.body, what, reader)
    of = _subject(what) if around.agent == _subject(around.body) else around.agent
    return structs.replace(around, agent=of, body=what if body is None else body)


def _subject(formula: Formula) -> Argument | None:
    """Whom the first verb of a formula is said of, behind its noun phrases."""
    while isinstance(formula, Quantified):
        formula = formula.scope
    return next((node.args[0] for node in walk(formula) if isinstance(node, Atom) and node.args), None)


def _spread(formula: Formula, reader: Reader) -> Formula:
    """A formula with adverbials of one of two that are joined said of both, and with those of a clause said of the
    relative clause of a noun phrase in it, too (*bought a book that he sold on Monday*)."""

    def spread(part: Formula) -> Formula:
        if isinstance(part, And | Or):
            left, right = _below(part.right, part.left, reader), _below(part.left, part.right, reader)
            if left is not None and right is None:
                return type(part)(left, part.right)
            return type(part)(part.left, right) if right is not None and left is None else part
        if isinstance(part, Quantified) and part.quantifier in ("exists", "the"):
            verbs = [n for n in walk(part.restrictor) if isinstance(n, Atom) and _is_verb(n.predicate, reader)]
            restrictor: Formula = part.restrictor
            for verb in verbs:
                if (other := _below(part.scope, verb, reader)) is not None:
                    restrictor = And(restrictor, other)
            return structs.replace(part, restrictor=restrictor)
        return part

    return bottom_up(spread, formula)


def _apart(formula: Formula, every: Collection[str]) -> Formula:
    """A formula that leaves open what is joined to a part with a proposition of some name: *probably sang and*."""

    def put(part: Formula) -> Formula:
        if (
            isinstance(part, And)
            and not isinstance(part.left, Or)
            and {*every} & (names(part.left) - names(part.right))
        ):
            return And(part.left, Or(part.right, Not(part.right)))
        return part

    return bottom_up(put, formula)


def _dropped(read: Understood, reader: Reader) -> tuple[str, ...]:
    """The adverbials of a sentence of the past that stand last, in a clause that a verb or a conjunction embeds, and
    are of that clause or of the whole."""
    formula = read.reading.formula
    words = [word for _, word in read.words]
    last = max((at for at, word in enumerate(words) if _is_verb(word, reader)), default=len(words))
    final = {*words[last + 1 :]}
    if PRESENT in {time for _, time, inside in read.times if not inside}:
        return ()  # *knows that he sang on Monday*
    joined = {name for each in reader.theory.withholding("denied") for name in each.names}
    embeds = (node for node in walk(formula) if isinstance(node, Modal) and not reader.is_adverbial(node))
    embedded = [node.body for node in embeds if not _is_done(node, reader)]
    if any(isinstance(node, Atom) and node.predicate in joined for node in walk(formula)):
        embedded.append(formula)
    inside = (node for each in embedded for node in walk(each))
    return tuple(sorted({node.operator for node in inside if isinstance(node, Modal)} & final))


def _without(formula: Formula, operators: Collection[str], reader: Reader) -> Formula:
    """A formula without some adverbials."""

    def dropped(node: Argument) -> Argument:
        node = map_parts(dropped, node) if not isinstance(node, Var | Const) else node
        gone = isinstance(node, Modal) and node.operator in operators and reader.is_adverbial(node)
        return node.body if gone and isinstance(node, Modal) else node

    return as_formula(dropped(formula)) if operators else formula


def of_a_time(formula: Formula, words: Collection[str], time: str) -> Formula:
    """A formula in which some words are those of a time."""

    def put(part: Formula) -> Formula:
        if isinstance(part, Atom) and part.predicate in words:
            return structs.replace(part, predicate=f"{part.predicate}_{time}")
        if isinstance(part, Modal) and part.operator in words:
            return structs.replace(part, body=And(part.body, Atom(time, ())))
        return part

    return bottom_up(put, formula)
