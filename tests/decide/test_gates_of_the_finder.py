"""Gates of two parts are those that `conj` makes, clause by clause."""

from __future__ import annotations

from itertools import product

from gramprobe.decide.search.gates import FALSE, TRUE, Gates


def test_a_gate_of_two_parts_is_that_of_the_general_conjunction() -> None:
    general, special = Gates(), Gates()
    for gates in (general, special):
        assert [gates.new(), gates.new(), gates.new()] == [2, 3, 4]
    literals = (TRUE, FALSE, 2, -2, 3, -3, 4, -4)
    for one, other in product(literals, repeat=2):
        assert special.both(one, other) == general.conj((one, other)), (one, other)
        assert special.clauses == general.clauses
    assert special.top == general.top > 4


def test_both_ways_share_their_gates() -> None:
    gates = Gates()
    one, other = gates.new(), gates.new()
    made = gates.both(one, -other)
    assert gates.conj((-other, one)) == gates.both(-other, one) == made
    assert len(gates.clauses) == 1 + 3  # that 1 is true, and the gate
