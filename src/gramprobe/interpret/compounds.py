"""Nouns behind words that leave open whether what is named is of that kind, to hold labels against: a *wooden horse*
may be no horse, and a *garden gnome* no gnome."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from gramprobe.formula.ast import And, Argument, Atom, Const, Formula, Modal, Quantified, Var, bottom_up, walk
from gramprobe.interpret.cautions import RELATES, Words, about, phrases_of
from gramprobe.interpret.read import Reader
from gramprobe.meaning.quantifiers import PERSON
from gramprobe.resolve.grammar.data import Lexeme

MATTERS = ("idea", "deed")
"""Classes of nouns of what has no body."""


def of_another_kind(formula: Formula, reader: Reader) -> Formula:
    """A formula in which a noun behind such a word says something of its own: behind what a language lists among
    `models`, and behind a noun of which it does not know that it may stand there (`plain`). What a relation of the
    grammar has the word before is left (*wooden chair*)."""
    of = Words(reader.symbols, reader.grammar)

    def put(part: Formula) -> Formula:
        if not isinstance(part, And):
            return part
        if isinstance(part.left, Atom) and isinstance(part.right, Atom) and part.left.args == part.right.args:
            adjective, noun = (reader.symbols.get(each.predicate) for each in (part.left, part.right))
            if (
                adjective
                and noun
                and of.listed(adjective.id, of.cautions.models)
                and not _suits(adjective, noun, reader)
            ):
                return And(part.left, replace(part.right, predicate=f"{adjective.id}_{noun.id}"))
        head = part.left
        while isinstance(head, And):
            head = head.left
        if isinstance(head, Atom) and len(head.args) == 1 and (before := _before(part.right, head, of)):
            other = replace(head, predicate=f"{before}_{head.predicate}")
            return And(_with_head(part.left, other), part.right)
        return part

    return bottom_up(put, formula)


def in_a_figure(formula: Formula, reader: Reader, tokens: Sequence[str]) -> Formula:
    """A formula in which a verb says something of its own in a figure: one of what a body does (`bodily`) beside a
    preposition before what no body is in or on (`figures`), or what a guessed noun names (*slept on the problem*, *ran
    out of patience*), or of what has no body (*the idea flew*); and one that is said without an object, too, with
    another than it mostly has (`objects`: *cooked the books*). ``tokens``: those of the sentence."""
    of, guessed = Words(reader.symbols, reader.grammar, tokens), reader.words.guessed
    phrases = phrases_of(formula)

    def nouns(one: Argument | None) -> list[str]:
        phrase = phrases.get(one.name) if isinstance(one, Var) else None
        return [each.predicate for each in about(phrase)] if phrase is not None else []

    def may_be(noun: str, usual: Collection[str]) -> bool:
        return noun not in of.words or "class" not in of.words[noun].columns or of.is_among(noun, usual)

    def of_matters(part: Modal) -> bool:
        every, preposition = nouns(part.agent), of.words.get(part.operator)
        if any(of.is_among(each, of.cautions.figures) or each in guessed for each in every):
            return True
        stuff = bool(every) and all(len(of.words[each].forms) == 1 for each in every if each in of.words)
        moves = preposition is not None and preposition.columns.get("behind") == "nothing"
        return stuff and moves and isinstance(part.agent, Var) and phrases[part.agent.name].quantifier == "exists"

    def beside(part: Modal, verb: Formula) -> Formula:
        if not isinstance(verb, Atom) or not of.is_verb(verb.predicate):
            return verb
        spelt = of.listed(verb.predicate, of.cautions.bodily)
        one = phrases.get(part.agent.name) if isinstance(part.agent, Var) else None
        bare = one is not None and one.quantifier == "exists" and not of.is_of_one(one)
        idiom = bare and f"{spelt} {of.spelt(part.operator)}" in of.cautions.idioms
        matter = any(of.is_among(each, MATTERS) for each in nouns(verb.args[0])) if verb.args else False
        own = spelt and (idiom or matter or of_matters(part))
        return replace(verb, predicate=f"{verb.predicate}_{part.operator}") if own else verb

    def put(part: Formula) -> Formula:
        if isinstance(part, Modal) and isinstance(part.agent, Var) and reader.is_adverbial(part):
            if of.listed(part.operator, of.cautions.circumstances):
                return part
            return replace(part, body=bottom_up(lambda each: beside(part, each), part.body))
        if isinstance(part, Atom) and len(part.args) == 2 and of.spelt(part.predicate) in of.cautions.objects:
            usual, whom = of.cautions.objects[of.spelt(part.predicate)], part.args[1]
            named = isinstance(whom, Const) and PERSON not in usual
            if named or any(each in guessed or not may_be(each, usual) for each in nouns(whom)):
                return replace(part, predicate=f"{part.predicate}_of_its_own")
        return part

    return bottom_up(put, formula)


def _before(behind: Formula, head: Atom, of: Words) -> str:
    """The word before a noun by which what it names may be something else; empty if there is none."""
    if isinstance(behind, Modal):
        listed = behind.agent == head.args[0] and of.listed(behind.operator, of.cautions.models)
        return behind.operator if listed else ""
    if not isinstance(behind, Quantified) or not _relates(head.args[0], Var(behind.variable), behind):
        return ""
    firsts = [each.predicate for each in about(behind)]
    columns = of.words[head.predicate].columns if head.predicate in of.words else {}
    known = [each for key in ("sort", "class") for each in of.cautions.plain.get(str(columns.get(key)), ())]
    named = any(of.listed(each, of.cautions.models) for each in firsts)
    unknown = bool(of.cautions.plain) and not any(of.listed(each, known) for each in firsts)
    return firsts[0] if firsts and (named or unknown) else ""


def _relates(head: Argument, first: Var, formula: Formula) -> bool:
    nodes = (node for node in walk(formula) if isinstance(node, Atom) and node.predicate == RELATES)
    return any(node.args == (head, first) for node in nodes)


def _with_head(noun: Formula, head: Atom) -> Formula:
    return replace(noun, left=_with_head(noun.left, head)) if isinstance(noun, And) else head


def _suits(one: Lexeme, other: Lexeme, reader: Reader) -> bool:
    """Whether a relation of the grammar has a word before another one."""
    related = (each for every in reader.grammar.relations.values() for each in every)
    return any(
        isinstance(fits := one.columns.get(each.left[1]), tuple) and other.columns.get(each.right[1]) in fits
        for each in related
        if (each.left[0], each.right[0]) == (one.category, other.category)
    )
