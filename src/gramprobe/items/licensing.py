"""The account of what the noun phrases of a minimal pair license, or whether they stand behind *there is*.

    trees --phrases--> constructors, each with the values of its features and the sentences that have it
          --account_of--> LicensingAccount, a line of accounts.jsonl: the meaning of each, and what is decided of it

`verify` takes the meanings from the line, and asks the accepted certificates for the same decisions (`decided_again`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

import msgspec
from msgspec.structs import replace

from gramprobe.formula.notation import parse, show
from gramprobe.judge.claims import Claims, Determiner, determiners
from gramprobe.records import Record
from gramprobe.resolve.tree import Apply, Given, Tree, nodes

if TYPE_CHECKING:
    from gramprobe.items.plan import Plan

#: constraint -> what is asked of the noun phrases of its pairs
PROPERTIES = {"licence": ("licensing", "antiadditive", "noun licensing"), "existential": ("existential",)}
SIDES = ("good", "bad")
#: a constructor, and the values of its features
Case: TypeAlias = tuple[str, tuple[tuple[str, str], ...]]


class Property(Record, frozen=True):
    """Whether a noun phrase has a property. ``by``: what was asked -> the shape of the decision."""

    holds: bool
    by: dict[str, str]


class NounPhrase(Record, frozen=True):
    """A noun phrase, and what the engines decide of its meaning.

    Attributes:
        constructor, case: what builds it, and the values of its features.
        stands: the sentences that have it, of `good` and `bad`.
        meaning: a formula of the predicate `noun`, in which ``predicate`` is the verb phrase.
        predicate: the name of the verb phrase.
        has_noun: whether there is a noun.
        properties: what was asked -> the answer.
    """

    constructor: str
    case: dict[str, str]
    stands: tuple[str, ...]
    meaning: str
    predicate: str
    has_noun: bool
    properties: dict[str, Property]


class LicensingAccount(Record, frozen=True):
    """The noun phrases of a pair. ``shape``: the id of the account, the hash of the others."""

    shape: str
    noun_phrases: tuple[NounPhrase, ...]

    @property
    def decisions(self) -> list[str]:
        """The shapes of its decisions, each once."""
        every = (each.by.values() for phrase in self.noun_phrases for each in phrase.properties.values())
        return [*dict.fromkeys(shape for shapes in every for shape in shapes)]


def account_of(plan: Plan, good: Tree, bad: Tree) -> LicensingAccount | None:
    """The account of a pair; None where nothing is asked of its constraint, or no noun phrase has a decided meaning."""
    asked = PROPERTIES.get(plan.paradigm.constraint, ())
    stands = [_cases(tree) if asked else {} for tree in (good, bad)]
    found: list[NounPhrase] = []
    for case in stands[0] | stands[1]:
        if case not in plan.noun_phrases:
            plan.noun_phrases[case] = _phrase(case, asked, plan)
        phrase: NounPhrase | None = plan.noun_phrases[case]
        if phrase is not None:
            sides = tuple(side for side, each in zip(SIDES, stands, strict=True) if case in each)
            found.append(replace(phrase, stands=sides))
    return LicensingAccount(id_of(found), tuple(found)) if found else None


def _phrase(case: Case, asked: Collection[str], plan: Plan) -> NounPhrase | None:
    """What is decided of a constructor with these values of its features; None where it is no noun phrase."""
    name, values = case
    every = determiners(plan.grammar.constructors[name], plan.grammar)
    meant = next((each for each in every if tuple(each.case.items()) == values), None)
    return None if meant is None else _decided(meant, (), asked, Claims(plan.decider))


def decided_again(account: LicensingAccount, claims: Claims) -> LicensingAccount:
    """The same account as a decider makes it of the same meanings. Raises FormulaError or ValueError for a meaning that
    is none, and what the decider raises."""
    found = []
    for each in account.noun_phrases:
        given = Determiner(each.constructor, each.case, {}, parse(each.meaning), each.predicate, each.has_noun)
        decided = _decided(given, each.stands, each.properties, claims)
        found.append(decided or replace(each, properties={}))
    return LicensingAccount(id_of(found), tuple(found))


def id_of(phrases: Sequence[NounPhrase]) -> str:
    """The id of the account of some noun phrases."""
    return hashlib.sha256(msgspec.json.encode(phrases)).hexdigest()[:16]


def _decided(
    determiner: Determiner, stands: tuple[str, ...], asked: Collection[str], claims: Claims
) -> NounPhrase | None:
    """What is decided of a noun phrase; None where nothing is asked of one like it."""
    answers = {name: answer for name in asked if (answer := claims.has(name, determiner)) is not None}
    if not answers:
        return None
    return NounPhrase(
        constructor=determiner.constructor,
        case={**determiner.case},
        stands=stands,
        meaning=show(determiner.meaning),
        predicate=determiner.predicate,
        has_noun=determiner.has_noun,
        properties={
            name: Property(answer.holds, {what: each.decision.shape.id for what, each in answer.rests_on.items()})
            for name, answer in answers.items()
        },
    )


def _cases(tree: Tree) -> dict[Case, None]:
    """The constructors of a tree, with the values of their features, each once."""
    return dict.fromkeys(
        (node.constructor.name, tuple(_values(node))) for node in nodes(tree) if isinstance(node, Apply)
    )


def _values(node: Apply) -> Iterator[tuple[str, str]]:
    for argument, each in zip(node.constructor.arguments, node.arguments, strict=True):
        if isinstance(each, Given) and argument.is_feature:
            yield argument.name, each.value
