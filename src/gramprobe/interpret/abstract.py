"""Operators as predicates, for pairs that no engine can settle with their worlds.

`great[x] tenor(x)` becomes `great_1(x)`, the same wherever the same operator is said of the same, and what a reflexive
box is said of follows from it: forall x. (quickly_1(x) -> run(x)). Every model of the formulas is one of these, with
the extensions that the operators have at its actual world, so that what is proved of them is proved.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from gramprobe.formula.ast import (
    TRUE,
    And,
    Argument,
    Atom,
    Formula,
    Implies,
    Modal,
    Quantified,
    Var,
    as_formula,
    map_parts,
    may_be_undefined,
    walk,
)  # fmt: skip
from gramprobe.formula.binding import free_variables
from gramprobe.formula.notation import show


def without_worlds(said: Formula, asked: Formula, is_factive: Callable[[str], bool]) -> tuple[Formula, Formula] | None:
    """Premise and hypothesis without operators; the premise also says what follows from the predicates for factive
    ones. None where an operator is said of what may be undefined, or where there is none."""
    operators = [node for formula in (said, asked) for node in walk(formula) if isinstance(node, Modal)]
    if not operators or any(map(may_be_undefined, operators)):
        return None
    known: dict[str, str] = {}
    axioms: dict[str, Formula] = {}

    def plain(node: Argument) -> Argument:
        if not isinstance(node, Modal):
            return map_parts(plain, node)
        body = as_formula(plain(node.body))
        whole = Modal(node.operator, node.agent, body)
        variables = free_variables(whole)
        order: dict[str, int] = {}
        shape = re.sub(r"\b[a-z]\d*\b", lambda name: f"v{order.setdefault(name[0], len(order))}", show(whole))
        name = known.setdefault(shape, f"{node.operator}_{len(known) + 1}")
        atom: Formula = Atom(name, tuple(map(Var, variables)))
        if is_factive(node.operator) and name not in axioms:
            axiom: Formula = Implies(atom, body)
            for variable in reversed(variables):
                axiom = Quantified(quantifier="forall", variable=variable, restrictor=TRUE, scope=axiom)
            axioms[name] = axiom
        return atom

    formulas = [as_formula(plain(formula)) for formula in (said, asked)]
    premise = formulas[0]
    for axiom in axioms.values():
        premise = And(axiom, premise)
    return premise, formulas[1]
