"""Reverse unit propagation: it accepts the proofs of a solver, and refutes no problem with a model."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Cadical153

from gramprobe.certify.reject import Budget, CertificateError
from gramprobe.certify.rup import check

TOP = 5
clauses = st.lists(st.integers(1, TOP).flatmap(lambda v: st.sampled_from([v, -v])), max_size=4)
formulas = st.lists(clauses, max_size=25)


def satisfiable(formula: list[list[int]]) -> bool:
    """By truth table."""
    return any(
        all(any(row[abs(literal) - 1] == (literal > 0) for literal in clause) for clause in formula)
        for row in product((False, True), repeat=TOP)
    )


def accepted(formula: list[list[int]], steps: list[list[int]]) -> bool:
    try:
        check(formula, steps, TOP, Budget())
    except CertificateError:
        return False
    return True


@settings(deadline=None)
@given(formulas, st.lists(clauses, max_size=6))
def test_no_steps_refute_a_problem_with_a_model(formula: list[list[int]], steps: list[list[int]]) -> None:
    if satisfiable(formula):
        assert not accepted(formula, [*steps, []])


@settings(deadline=None)
@given(formulas)
def test_the_proofs_of_a_solver_are_accepted(formula: list[list[int]]) -> None:
    solver = Cadical153(bootstrap_with=[clause for clause in formula if clause], with_proof=True)
    try:
        if [] not in formula and solver.solve():
            assert satisfiable(formula)
            return
        lines = [] if [] in formula else solver.get_proof()
    finally:
        solver.delete()
    steps = [[int(literal) for literal in line.split()[:-1]] for line in lines if not line.startswith("d")]
    assert not satisfiable(formula)
    assert accepted(formula, steps)


@settings(deadline=None)
@given(formulas, clauses)
def test_a_step_is_what_propagation_refutes(formula: list[list[int]], step: list[int]) -> None:
    """Unit propagation as the textbook has it: again and again through all clauses."""
    true = {-literal for literal in step}
    while True:
        forced = {
            open_[0]
            for clause in formula
            if not true & set(clause) and len(open_ := [each for each in set(clause) if -each not in true]) == 1
        }
        empty = any(all(-literal in true for literal in clause) for clause in formula)
        if empty or any(-literal in true for literal in true) or not forced:
            break
        true |= forced
    follows = empty or any(-literal in true for literal in true)
    message = ""
    try:
        check(formula, [step], TOP, Budget())
    except CertificateError as error:
        message = str(error)
    assert ("does not follow" in message) != follows


def test_the_budget_bounds_propagation() -> None:
    chain = [[-number, number + 1] for number in range(1, 1000)]
    with pytest.raises(CertificateError, match="too long"):
        check([[1], *chain, [-1000]], [], 1000, Budget(1500))
    check([[1], *chain, [-1000]], [], 1000, Budget())
