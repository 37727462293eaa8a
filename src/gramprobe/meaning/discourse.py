"""Two sentences one after the other: the second is said in the scope of the indefinites that the first leaves open.

Dynamic conjunction (Groenendijk & Stokhof 1991): ``(exists x. F) ; G`` is ``exists x. (F ; G)``, ``(F & F') ; G`` is
``F ; (F' ; G)``. What is closed off in the first sentence (Kamp 1981) binds nothing in the second. A numeral is like
an existential: two have F, and G is said of each, iff ``atleast 2 x. (F ; G)``.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from gramprobe.formula import ast
from gramprobe.formula.ast import And, Formula, Presupposing, Quantified, Var
from gramprobe.formula.binding import substituted
from gramprobe.meaning.antecedents import accessible
from gramprobe.meaning.compose import Reading


def continued(reading: Reading, follow: Reading) -> Formula | None:
    """A reading and what follows it, as one formula; None where an anaphor of ``follow`` has no antecedent.

    An anaphor of several individuals (`those two professors`) says what it says of each of them, two such anaphors of
    one antecedent what they say of each and itself. Of two antecedents with one name the one further in is taken. An
    anaphor that holds no variable (`each time`) asks only that the operator of that name occurs.
    """
    held: dict[str, tuple[str, ...]] = dict(reading.antecedents)
    said, needed = follow.formula, set[str]()
    for anaphor in follow.refers:
        if anaphor.variable is None:
            if not any(name in reading.order for name in anaphor.names):
                return None
            continue
        variables = next((held[name] for name in anaphor.names if name in held), None)
        if variables is None:
            return None
        said = reduce(And, [substituted(said, {anaphor.variable: Var(each)}) for each in variables])
        needed.update(variables)
    return _placed(reading.formula, frozenset(needed), said)


def _placed(formula: Formula, needed: frozenset[str], said: Formula) -> Formula:
    """``said`` after ``formula``, in the scope of those existentials of it that bind what is needed."""
    if not needed & _open(formula, needed):
        return And(formula, said)
    match formula:
        case Quantified(quantifier="exists" | "the" | "atleast", variable=variable, restrictor=restrictor, scope=scope):
            # what holds of the restrictor's own indefinites is repeated below: R(x) & S is said of each R
            before = And(restrictor, scope) if needed & _open(restrictor, needed) else scope
            return replace(formula, scope=_placed(before, needed - {variable}, said))
        case And(left, right):
            after = _placed(right, needed, said) if needed & _open(right, needed) else And(right, said)
            return _placed(left, needed, after)
        case Presupposing(presupposition, assertion):
            after = _placed(assertion, needed, said)
            if needed & _open(presupposition, needed):
                after = _placed(presupposition, needed, after)
            return Presupposing(presupposition, after)
        case ast.Here(body):
            return ast.Here(_placed(body, needed, said))
        case _:
            raise AssertionError("nothing else leaves an existential open")


def _open(formula: Formula, numerals: frozenset[str]) -> frozenset[str]:
    return frozenset(part.variable for part in accessible(formula, numerals))
