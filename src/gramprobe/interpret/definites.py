"""Whom a definite may take up that stands behind: *five nurses sang, three of the nurses danced*, of those five (Heim
1982); *Emma saw Noah, the man danced*."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from gramprobe.formula.ast import TRUE, And, Atom, Const, Equal, Formula, Quantified, Var, walk
from gramprobe.formula.binding import free_variables, substituted
from gramprobe.interpret.cautions import about
from gramprobe.interpret.read import Reader

SOME = frozenset({"exists", "atleast", "exactly"})
"""Quantifiers whose noun phrases a definite may take up."""
OF_ONE, ANYBODY = "x", Const("anybody")


def taken_up(
    said: Formula, asked: Formula, nouns: Collection[str], reader: Reader, follows: Callable[[Formula, Formula], bool]
) -> Iterator[Formula]:
    """The premises, each time with one definite that is about what was mentioned before it.

    ``nouns``: those of plural definites; ``follows``: whether a formula follows from another one.
    """
    before: list[Quantified] = []
    names: list[Const] = []
    for node in (*walk(said), *walk(asked)):
        if isinstance(node, Const) and node not in names:
            names.append(node)
        if not isinstance(node, Quantified):
            continue
        said_of_it = about(node)
        if node.quantifier == "the" or any(each.predicate in nouns for each in said_of_it):
            them = substituted(node.restrictor, {node.variable: Var(OF_ONE)})
            if {*free_variables(them)} <= {OF_ONE}:
                for each in before:
                    one = substituted(And(each.restrictor, each.scope), {each.variable: Var(OF_ONE)})
                    if {*free_variables(one)} <= {OF_ONE} and follows(
                        *(substituted(part, {OF_ONE: ANYBODY}) for part in (one, them))
                    ):
                        yield And(said, _every(them, one))
                for name in names if node.quantifier == "the" else ():
                    if any(_fits(each.predicate, name, reader) for each in said_of_it):
                        yield And(said, And(substituted(them, {OF_ONE: name}), _every(them, Equal(Var(OF_ONE), name))))
        if node.quantifier in SOME and node.scope != TRUE and node.restrictor != TRUE:
            before.append(node)


def _every(them: Formula, one: Formula) -> Formula:
    return Quantified(quantifier="forall", variable=OF_ONE, restrictor=them, scope=one)


def _fits(noun: str, name: Const, reader: Reader) -> bool:
    """Whether a noun is of the gender that a name has: *the man*, of Noah."""
    one, other = (reader.symbols.get(each) for each in (noun, name.name))
    gender = one.columns.get("gen") if one is not None else None
    return bool(gender) and other is not None and other.columns.get("gen") == gender


def of_gender(said: Formula, asked: Formula, reader: Reader) -> Iterator[Formula]:
    """That those who are named are what nouns of their gender say, of all names and nouns of a pair."""
    nodes = [*walk(said), *walk(asked)]
    names = dict.fromkeys(node for node in nodes if isinstance(node, Const))
    nouns = dict.fromkeys(node.predicate for node in nodes if isinstance(node, Atom) and len(node.args) == 1)
    yield from (Atom(noun, (name,)) for name in names for noun in nouns if _fits(noun, name, reader))
