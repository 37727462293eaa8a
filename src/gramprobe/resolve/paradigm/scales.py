"""The scale, the gold column and the columns of labels of a paradigm, and the claims of its pairs about them.

A scale is two or more words of a kind, from weak to strong, that can take each other's place in a formula (Horn 1972).
Words are written as in a theory's `scale` line; ``g`` and ``g.weak`` are words that a draw fills.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from gramprobe.certify.rule import LABELS
from gramprobe.formula.alternatives import CONNECTIVES, QUANTIFIERS
from gramprobe.formula.ast import COUNTING
from gramprobe.resolve.grammar.data import Grammar
from gramprobe.resolve.grammar.types import Function, Type, described
from gramprobe.resolve.paradigm.data import CLAIMED, LABEL_COLUMNS, NO_GOLD, At, Claim, Condition, Draw
from gramprobe.resolve.paradigm.terms import Environment, resolve_reference
from gramprobe.resolve.tree import Apply, Given, Slot, Tree, nodes
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings, Span
from gramprobe.syntax import paradigm_tree as syntax
from gramprobe.syntax.tree import ScaleLine, Word


def resolve_scale(line: ScaleLine | None, env: Environment) -> tuple[str | Slot, ...]:
    """The members: words, and slots for drawn words. A word that no grammar declares is left to the theory."""
    if line is None:
        return ()
    members: list[str | Slot] = []
    first: tuple[str, str] | None = None
    seen: dict[str, Span] = {}
    for word in line.members:
        if word.text in seen:
            what = f"the place of `{word.text}` on the scale"
            env.findings.add(messages.names.declared_twice(word.span, what, seen[word.text]))
        seen[word.text] = word.span
        member = _member(word, env)
        if member is None:
            continue
        members.append(member)
        kind = kind_of_member(member, env.grammar)
        if kind and first is None:
            first = word.text, kind
        elif kind and first is not None and first[1] != kind:
            env.findings.add(messages.logic.mixed_scale(word.span, word.text, kind, *first))
    return tuple(members)


def _member(word: Word, env: Environment) -> str | Slot | None:
    """One member; None, with a diagnostic, if it cannot stand on a scale."""
    head, _, rest = word.text.partition(".")
    if head in env.failed:
        return None
    member: str | Slot = word.text
    if rest or head in env.draws:
        column = Word(rest, word.span.at(len(head) + 1, len(rest))) if rest else None
        tree = resolve_reference(syntax.Term(Word(head, word.span), column, None, word.span), None, env)
        if tree is None:
            return None
        if not isinstance(tree, Slot) or tree.is_feature:
            env.findings.add(messages.paradigm.no_scale_member(word.span, word.text, _what(tree)))
            return None
        member = tree
    type_ = _type(member, env.grammar)
    if type_ is not None and not isinstance(type_, Function):
        env.findings.add(messages.paradigm.no_scale_member(word.span, word.text, described(type_)))
        return None
    return member


def resolve_gold(line: syntax.Paradigm, findings: Findings) -> str:
    """The gold column, or :data:`NO_GOLD`."""
    words = line.settings.get("gold", ())
    if not words:
        return LABEL_COLUMNS[0]
    if words[0].text not in (*LABEL_COLUMNS, NO_GOLD):
        findings.add(messages.names.unknown_name(words[0].span, "column", words[0].text, (*LABEL_COLUMNS, NO_GOLD)))
    return words[0].text


def resolve_columns(
    line: syntax.Paradigm, conditions: Mapping[str, Condition], draws: Iterable[Draw], findings: Findings
) -> tuple[str, ...]:
    """The columns in which pairs are decided: those with strengthening where there is a scale; and without a scale
    `pragmatic` where the paradigm names it. Then a premise must have a constructor that conveys something."""
    if line.scale is not None:
        return LABEL_COLUMNS
    named = [*line.settings.get("gold", ())]
    named += [claim.column for pair in line.pairs for claim in pair.claims if claim.column is not None]
    columns = [LABEL_COLUMNS[0]]
    for word in named:
        if word.text not in LABEL_COLUMNS[1:]:
            continue
        if word.text == "imppres" or not _conveys(conditions.values(), draws):
            findings.add(messages.paradigm.nothing_to_strengthen(word.span, word.text))
            break
        columns.append(word.text)
    return tuple(dict.fromkeys(columns))


def _conveys(conditions: Iterable[Condition], draws: Iterable[Draw]) -> bool:
    """Whether a constructor of a premise, drawn or written out, conveys something beside its meaning."""
    trees = [c.tree for c in conditions if c.role == "said"]
    trees += [skeleton.tree for draw in draws for skeleton in draw.skeletons]
    found = (node for tree in trees for node in nodes(tree) if isinstance(node, Apply))
    return any(sem.conveys for node in found for sem in node.constructor.sems)


def resolve_claims(
    line: syntax.Pair, gold: str, has_scale: bool, findings: Findings, of: Callable[[syntax.Claim], tuple[At, ...]]
) -> list[Claim]:
    """The claims of a pair's line, each column once; a label without a column is claimed of the gold column.

    ``of``: the instances that a claim is about. Of some of them alone there may be several claims about a column.
    """
    claims: dict[str, Claim] = {}
    some: list[Claim] = []
    for claim in line.claims:
        at = of(claim)
        column = claim.column.text if claim.column is not None else gold
        place = claim.column.span if claim.column is not None else claim.label.span
        if column == NO_GOLD and claim.column is None:
            findings.add(messages.paradigm.bare_claim_without_gold(claim.label.span, claim.label.text))
        elif claim.column is not None and column not in CLAIMED:
            findings.add(messages.names.unknown_name(place, "column", column, CLAIMED))
        elif claim.label.text not in LABELS:
            findings.add(messages.names.unknown_name(claim.label.span, "label", claim.label.text, LABELS))
        elif claim.at:
            some.append(Claim(column, claim.label.text, claim.label.span, at))
        elif column in claims:
            what = f"the claim about `{column}`"
            twice = messages.names.declared_twice(place, what, claims[column].span)
            if column == gold and None in (line.claims[0].column, claim.column):
                twice = replace(twice, help=messages.names.bare_claim(gold, has_scale))
            findings.add(twice)
        else:
            claims[column] = Claim(column, claim.label.text, claim.label.span)
    return [*claims.values(), *some]


def _what(tree: Tree) -> str:
    if isinstance(tree, Slot | Given):
        return "the value of a feature"
    return "a phrase that is built of words"


def _type(member: str | Slot, grammar: Grammar) -> Type | None:
    """The semantic type of a word of the grammar; None for an operator, and for a word that it does not declare."""
    if isinstance(member, Slot):
        return grammar.categories[member.category].type
    lexeme = grammar.symbols().get(member)
    return grammar.categories[lexeme.category].type if lexeme is not None else grammar.constants.get(member)


def kind_of_member(member: str | Slot, grammar: Grammar, operators: Sequence[str] = ()) -> str:
    """The kind of a member, as a message names it (`a quantifier`); empty for a word that only a theory could declare.

    ``operators``: the operators of the theory.
    """
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
