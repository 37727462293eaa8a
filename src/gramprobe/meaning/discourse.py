"""Two sentences one after the other: the second is in the scope of the accessible indefinites of the first.

Dynamic conjunction (Groenendijk & Stokhof 1991): ``(exists x. F) ; G`` is ``exists x. (F ; G)``, ``(F & F') ; G`` is
``F ; (F' ; G)``. A quantifier of the first sentence that is not accessible (Kamp 1981) binds nothing in the second. A
numeral is like an existential: two individuals have F, and each of them has G, iff ``atleast 2 x. (F ; G)``.
"""

from __future__ import annotations

from functools import reduce

from msgspec.structs import replace

from gramprobe.formula import ast
from gramprobe.formula.ast import And, Formula, Presupposing, Quantified, Var, bottom_up
from gramprobe.formula.binding import substituted
from gramprobe.meaning.antecedents import accessible, rebound
from gramprobe.meaning.reading import Reading


def continued(reading: Reading, follow: Reading) -> Formula | None:
    """A reading and that of the next sentence as one formula; None if an anaphor of ``follow`` has no antecedent.

    An anaphor is replaced by the variable of its antecedent (`those two professors`: by the variable of the numeral, so
    that the sentence is true of each), by each in turn if there are several, and the results are conjoined. Of two
    antecedents with the same name, the inner is taken. An anaphor without a variable (`each time`) needs only that the
    operator of that name occurs.
    """
    held: dict[str, tuple[str, ...]] = dict(reading.antecedents)
    second, needed = follow.formula, set[str]()
    for anaphor in follow.refers:
        if anaphor.variable is None:
            if not any(name in reading.order for name in anaphor.names):
                return None
            continue
        variables = next((held[name] for name in anaphor.names if name in held), None)
        if variables is None:
            return None
        second = reduce(And, [substituted(second, {anaphor.variable: Var(each)}) for each in variables])
        needed.update(variables)
    return placed(reading.formula, frozenset(needed), second)


def placed(formula: Formula, needed: frozenset[str], second: Formula) -> Formula:
    """``second`` after ``formula``, in the scope of those existentials of it that bind the needed variables."""
    if not needed & _open(formula, needed):
        return And(formula, second)
    match formula:
        case Quantified(quantifier="exists" | "the" | "atleast", variable=variable, restrictor=restrictor, scope=scope):
            # an antecedent in the restrictor does not bind in the scope, so that the restrictor is repeated there
            before = And(restrictor, scope) if needed & _open(restrictor, needed) else scope
            return replace(formula, scope=placed(before, needed - {variable}, second))
        case And(left, right):
            after = placed(right, needed, second) if needed & _open(right, needed) else And(right, second)
            return placed(left, needed, after)
        case Presupposing(presupposition, assertion):
            after = placed(assertion, needed, second)
            if needed & _open(presupposition, needed):
                after = placed(presupposition, needed, after)
            return Presupposing(presupposition, after)
        case ast.Here(body):
            return ast.Here(placed(body, needed, second))
        case _:
            raise AssertionError("nothing else leaves an existential open")


def apart(formula: Formula, number: int) -> Formula:
    """The formula with names of their own for the indefinites that a later sentence may take up."""
    open_ = {part.variable for part in accessible(formula)}

    def named(part: Formula) -> Formula:
        if isinstance(part, Quantified) and part.variable in open_:
            return rebound(part, f"{part.variable}_{number}")
        return part

    return bottom_up(named, formula)


def _open(formula: Formula, numerals: frozenset[str]) -> frozenset[str]:
    return frozenset(part.variable for part in accessible(formula, numerals))
