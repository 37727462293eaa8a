"""The scale and the gold column of a paradigm, and what its pairs claim of the columns.

A scale is two or more words, weak to strong, of one kind: what stands where one of them stands may stand where another
does (Horn 1972). Words are written as in a theory's `scale` line; ``g`` and ``g.weak`` are words that a draw fills.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gramprobe.formula.alternatives import CONNECTIVES, QUANTIFIERS
from gramprobe.formula.ast import COUNTING
from gramprobe.resolve.grammar.data import Grammar
from gramprobe.resolve.grammar.types import Function, Type, described
from gramprobe.resolve.paradigm.data import COLUMNS, Claim
from gramprobe.resolve.paradigm.scope import Scope
from gramprobe.resolve.paradigm.terms import resolve_reference
from gramprobe.resolve.tree import Given, Slot, Tree
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.source.span import Span
from gramprobe.syntax import paradigm_tree as syntax
from gramprobe.syntax.tree import ScaleLine, Word

LABELS = ("entailment", "neutral", "contradiction")


def resolve_scale(line: ScaleLine | None, scope: Scope) -> tuple[str | Slot, ...]:
    """The members: words, and slots for drawn ones. A word that no grammar knows is left to the theory."""
    if line is None:
        return ()
    found: list[str | Slot] = []
    first: tuple[str, str] | None = None
    seen: dict[str, Span] = {}
    for word in line.members:
        if word.text in seen:
            what = f"the place of `{word.text}` on the scale"
            scope.findings.add(messages.names.declared_twice(word.span, what, seen[word.text]))
        seen[word.text] = word.span
        member = _member(word, scope)
        if member is None:
            continue
        found.append(member)
        kind = kind_of(member, scope.grammar)
        if kind and first is None:
            first = word.text, kind
        elif kind and first is not None and first[1] != kind:
            scope.findings.add(messages.logic.mixed_scale(word.span, word.text, kind, *first))
    return tuple(found)


def _member(word: Word, scope: Scope) -> str | Slot | None:
    """One member; None (and a finding) where nothing of the kind can stand on a scale."""
    head, _, rest = word.text.partition(".")
    if head in scope.failed:
        return None
    member: str | Slot = word.text
    if rest or head in scope.draws:
        column = Word(rest, word.span.at(len(head) + 1, len(rest))) if rest else None
        tree = resolve_reference(syntax.Term(Word(head, word.span), column, None, word.span), None, scope)
        if tree is None:
            return None
        if not isinstance(tree, Slot) or tree.is_feature:
            scope.findings.add(messages.paradigm.no_scale_member(word.span, word.text, _what(tree)))
            return None
        member = tree
    type_ = _type(member, scope.grammar)
    if type_ is not None and not isinstance(type_, Function):
        scope.findings.add(messages.paradigm.no_scale_member(word.span, word.text, described(type_)))
        return None
    return member


def resolve_gold(line: syntax.Paradigm, findings: Findings) -> str:
    """The gold column; one that strengthens needs a scale to do it by."""
    words = line.settings.get("gold", ())
    if not words:
        return COLUMNS[0]
    if words[0].text not in COLUMNS:
        findings.add(messages.names.unknown_name(words[0].span, "column", words[0].text, COLUMNS))
    elif words[0].text != COLUMNS[0] and line.scale is None:
        findings.add(messages.paradigm.gold_without_scale(words[0].span, words[0].text))
    return words[0].text


def resolve_claims(line: syntax.Pair, gold: str, has_scale: bool, findings: Findings) -> list[Claim]:
    """What a pair's line claims, each column once; a bare label is claimed of the gold one."""
    found: dict[str, Claim] = {}
    for claim in line.claims:
        column = claim.column.text if claim.column is not None else gold
        place = claim.column.span if claim.column is not None else claim.label.span
        if claim.column is not None and column not in COLUMNS:
            findings.add(messages.names.unknown_name(place, "column", column, COLUMNS))
        elif claim.label.text not in LABELS:
            findings.add(messages.names.unknown_name(claim.label.span, "label", claim.label.text, LABELS))
        elif column in found:
            what = f"what is claimed of `{column}`"
            twice = messages.names.declared_twice(place, what, found[column].span)
            if column == gold and None in (line.claims[0].column, claim.column):
                twice = replace(twice, help=messages.names.bare_claim(gold, has_scale))
            findings.add(twice)
        else:
            found[column] = Claim(column, claim.label.text, claim.label.span)
    return list(found.values())


def _what(tree: Tree) -> str:
    if isinstance(tree, Slot | Given):
        return "the value of a feature"
    return "a phrase that is built of words"


def _type(member: str | Slot, grammar: Grammar) -> Type | None:
    """The semantic type of a word of the grammar; None for an operator, and for what the grammar does not know."""
    if isinstance(member, Slot):
        return grammar.categories[member.category].type
    lexeme = grammar.symbols().get(member)
    return grammar.categories[lexeme.category].type if lexeme is not None else grammar.constants.get(member)


def kind_of(member: str | Slot, grammar: Grammar, operators: Sequence[str] = ()) -> str:
    """What kind of word a member is; the empty text where only a theory could say, whose `operators` these are."""
    if isinstance(member, str):
        if member in QUANTIFIERS.values() or member.partition(" ")[0] in COUNTING:
            return "a quantifier"
        if member in CONNECTIVES:
            return "a connective"
        if member in operators:
            return "an operator"
        if member not in grammar.constants and member not in grammar.symbols():
            return ""
    return "an operator" if _type(member, grammar) is None else "a predicate"
