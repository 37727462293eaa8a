"""Nouns behind words that leave open whether what is named is of that kind, to hold labels against: a *wooden horse*
may be no horse, and a *garden gnome* no gnome."""

from __future__ import annotations

from msgspec.structs import replace

from gramprobe.formula.ast import And, Argument, Atom, Formula, Modal, Quantified, Var, bottom_up, walk
from gramprobe.interpret.cautions import RELATES, Words, about
from gramprobe.interpret.read import Reader
from gramprobe.resolve.grammar.data import Lexeme


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


def in_a_figure(formula: Formula, reader: Reader) -> Formula:
    """A formula in which a verb of what a body does (`bodily`) says something of its own beside a preposition before
    what no body is in or on (`figures`), or what a guessed noun names: *slept on the problem*."""
    of, guessed = Words(reader.symbols, reader.grammar), reader.words.guessed
    phrases = {node.variable: node for node in walk(formula) if isinstance(node, Quantified)}

    def is_figure(noun: str) -> bool:
        figures, word = of.cautions.figures, reader.symbols.get(noun)
        listed = word is not None and (word.columns.get("class") in figures or bool(of.listed(noun, figures)))
        return listed or noun in guessed

    def put(part: Formula) -> Formula:
        if not isinstance(part, Modal) or not isinstance(part.agent, Var) or not reader.is_adverbial(part):
            return part
        if of.listed(part.operator, of.cautions.circumstances):
            return part
        phrase = phrases.get(part.agent.name)
        if phrase is None or not any(is_figure(each.predicate) for each in about(phrase)):
            return part
        return replace(part, body=bottom_up(lambda each: _with_own_verb(each, part.operator, of), part.body))

    return bottom_up(put, formula)


def _with_own_verb(part: Formula, preposition: str, of: Words) -> Formula:
    if isinstance(part, Atom) and of.is_verb(part.predicate) and of.listed(part.predicate, of.cautions.bodily):
        return replace(part, predicate=f"{part.predicate}_{preposition}")
    return part


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
