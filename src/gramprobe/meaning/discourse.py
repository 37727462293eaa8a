"""Two sentences one after the other: the second is said in the scope of the indefinites that the first leaves open.

Dynamic conjunction (Groenendijk & Stokhof 1991): ``(exists x. F) ; G`` is ``exists x. (F ; G)``, ``(F & F') ; G`` is
``F ; (F' ; G)``. What is closed off in the first sentence (Kamp 1981) binds nothing in the second.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from typing import cast

from gramprobe.formula import ast
from gramprobe.formula.ast import And, Argument, Formula, Presupposing, Quantified, Var, map_parts
from gramprobe.formula.binding import fresh, names, substituted
from gramprobe.meaning.antecedents import accessible, chain
from gramprobe.meaning.compose import Reading


def continued(reading: Reading, follow: Reading) -> Formula | None:
    """A reading and what follows it, as one formula; None where an anaphor of ``follow`` has no antecedent.

    An anaphor of several individuals (`those two professors`) says what it says of each of them. Of two antecedents
    with one name the one further in is taken. An anaphor that holds no variable (`each time`) asks only that the
    operator of that name occurs.
    """
    held: dict[str, tuple[str, ...]] = dict(reading.antecedents)
    formula, said, needed = reading.formula, follow.formula, set[str]()
    for anaphor in follow.refers:
        if anaphor.variable is None:
            if not any(name in reading.order for name in anaphor.names):
                return None
            continue
        name = next((name for name in anaphor.names if name in held), None)
        if name is None:
            return None
        formula, held[name] = _spelt_out(formula, held[name])
        said = reduce(And, [substituted(said, {anaphor.variable: Var(each)}) for each in held[name]])
        needed.update(held[name])
    return _placed(formula, frozenset(needed), said)


def _spelt_out(formula: Formula, variables: tuple[str, ...]) -> tuple[Formula, tuple[str, ...]]:
    """A numeral that is to be taken up as a chain of existentials, with a variable for each that it counts."""
    found = next(part for part in accessible(formula, variables) if part.variable == variables[0])
    if found.quantifier != "atleast":
        return formula, variables
    taken = set(names(formula))
    ones = [found.variable]
    while len(ones) < cast(int, found.count):
        ones.append(fresh(found.variable, taken))
        taken.add(ones[-1])

    def spell(part: Argument) -> Argument:
        return chain(found, ones) if part is found else map_parts(spell, part)

    return cast(Formula, spell(formula)), tuple(ones)


def _placed(formula: Formula, needed: frozenset[str], said: Formula) -> Formula:
    """``said`` after ``formula``, in the scope of those existentials of it that bind what is needed."""
    if not needed & _open(formula):
        return And(formula, said)
    match formula:
        case Quantified("exists" | "the", _, variable, restrictor, scope):
            # what holds of the restrictor's own indefinites is repeated below: R(x) & S is said of each R
            before = And(restrictor, scope) if needed & _open(restrictor) else scope
            return replace(formula, scope=_placed(before, needed - {variable}, said))
        case And(left, right):
            if needed & _open(right):
                right, after = left, _placed(right, needed, said)
            else:
                right, after = left, And(right, said)
            return _placed(right, needed, after)
        case Presupposing(presupposition, assertion):
            after = _placed(assertion, needed, said)
            if needed & _open(presupposition):
                after = _placed(presupposition, needed, after)
            return Presupposing(presupposition, after)
        case ast.Here(body):
            return ast.Here(_placed(body, needed, said))
        case _:
            raise AssertionError("nothing else leaves an existential open")


def _open(formula: Formula) -> frozenset[str]:
    return frozenset(part.variable for part in accessible(formula))
