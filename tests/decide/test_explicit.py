"""Puzzles on one explicit model: muddy children, and the same values from the kernel's evaluator."""

from __future__ import annotations

import doctest
from itertools import product

import pytest

from gramprobe.certify.evaluator import value
from gramprobe.certify.model import Model
from gramprobe.decide import explicit
from gramprobe.decide.explicit import Puzzle
from gramprobe.formula.encoding import to_json
from gramprobe.formula.notation import parse

NOBODY = "forall x. ~K[x] muddy(x) & ~K[x] ~muddy(x)"


def children(number: int) -> Puzzle:
    """Everybody sees every forehead but their own (Littlewood 1953; Barwise 1981; Fagin et al. 1995, ch. 1)."""
    names = [f"c{i}" for i in range(number)]
    sees = {name: [f"muddy({other})" for other in names if other != name] for name in names}
    return Puzzle.of(names, [f"muddy({name})" for name in names], sees)


@pytest.mark.parametrize("number", range(3, 11))
def test_muddy_children_know_after_one_round_less_than_they_are(number: int) -> None:
    for muddy in range(1, number + 1):
        world = [f"muddy(c{i})" for i in range(muddy)]
        after = children(number).announce("exists x. muddy(x)")
        for _ in range(muddy - 1):
            assert after.holds(NOBODY, world)
            after = after.announce(NOBODY)
        assert after.holds("forall x. (muddy(x), K[x] muddy(x))", world)
        if muddy < number:
            assert after.holds("forall x. (~muddy(x), ~K[x] ~muddy(x))", world)
        # what is left: at least `muddy` of them are
        assert after.count() == after.count(f"atleast {muddy} x. muddy(x)") == sum(
            1 for places in product((0, 1), repeat=number) if sum(places) >= muddy
        )  # fmt: skip


def test_without_the_announcement_nobody_ever_knows() -> None:
    silent = children(4)
    for _ in range(5):
        assert silent.count(NOBODY) == 16
        silent = silent.announce(NOBODY)


def test_an_announcement_in_a_formula_is_the_announcement_made() -> None:
    for world in ([], ["muddy(c0)"], ["muddy(c0)", "muddy(c1)"]):
        inside = children(3).holds(f"[! exists x. muddy(x)] [! ({NOBODY})] K[c0] muddy(c0)", world)
        after = children(3).announce("exists x. muddy(x)")
        if world and after.holds(NOBODY, world):
            assert inside == after.announce(NOBODY).holds("K[c0] muddy(c0)", world)
        else:
            assert inside  # what cannot be announced has every consequence


def test_a_true_announcement_may_end_false() -> None:
    """Moore's sentence: it is muddy and c0 does not know it (Hintikka 1962)."""
    moore = "muddy(c0) & ~K[c0] muddy(c0)"
    assert children(2).count(moore) == 2
    assert children(2).announce(moore).count(moore) == 0


def test_russian_cards_reveal_no_card() -> None:
    """Seven cards, three for Anne, three for Bill, one for Cath (van Ditmarsch 2003): Anne says a hand among five."""
    cards = [f"k{i}" for i in range(7)]
    short = [f"has({who}, {card})" for who in ("anne", "bill") for card in cards]  # the rest is Cath's
    deals = " & ".join(f"exactly 3 x. has({who}, x)" for who in ("anne", "bill"))
    law = f"~(exists x. (has(anne, x), has(bill, x))) & {deals}"
    seen = {who: [atom for atom in short if who in atom] for who in ("anne", "bill")}
    puzzle = Puzzle.of(cards, short, seen, law)
    assert puzzle.count() == 140
    holding = " | ".join(f"(has(anne, k{a}) & has(anne, k{b}) & has(anne, k{c}))"
                      for a, b, c in ((0, 1, 2), (0, 3, 4), (0, 5, 6), (1, 3, 5), (2, 4, 6)))  # fmt: skip
    after = puzzle.announce(f"K[anne] ({holding})")
    deal = ["has(anne, k0)", "has(anne, k1)", "has(anne, k2)", "has(bill, k3)", "has(bill, k4)", "has(bill, k5)"]
    assert after.holds("K[bill] (has(anne, k0) & has(anne, k1) & has(anne, k2))", deal)
    assert not puzzle.holds("K[bill] has(anne, k0)", deal)


@pytest.mark.parametrize(
    "text",
    [
        "K[c0] muddy(c1) & ~K[c0] muddy(c0)",
        "most x. (K[c0] muddy(x) | muddy(x), K[c1] muddy(x))",
        "exists x. (muddy(x), forall y. (x = y | K[y] muddy(x)))",
        "atmost 1 x. (true, K[x] (muddy(c0) <-> muddy(c2)))",
        "K[c1] K[c0] muddy(c2) -> exactly 2 x. muddy(x)",
    ],
)
def test_the_kernel_agrees_world_by_world(text: str) -> None:
    puzzle = children(3).announce("atleast 1 x. muddy(x)")
    formula = parse(text, operators=["K"])
    worlds = [sorted(world) for world in puzzle.worlds()]
    assert len(worlds) == 7
    relations = {
        f"K[{i}]": frozenset(
            (w, v) for w, one in enumerate(worlds) for v, other in enumerate(worlds)
            if {*one} ^ {*other} <= {f"muddy(c{i})"}
        )
        for i in range(3)
    }  # fmt: skip
    muddy = tuple(frozenset((i,) for i in range(3) if f"muddy(c{i})" in world) for world in worlds)
    model = Model(
        worlds=7,
        individuals=3,
        actual=0,
        constants={f"c{i}": i for i in range(3)},
        predicates={"muddy": muddy},
        relations=relations,
    )
    for number, world in enumerate(worlds):
        expected = value(to_json(formula), model, "middle", {"K": "box"}, number)
        assert puzzle.holds(formula, world) == (expected == "T")


@pytest.mark.parametrize(
    ("formula", "reason"),
    [
        ("clean(c0)", "no atom of the puzzle"),
        ("K[dan] muddy(c0)", "the atoms that dan observes are not given"),
        ("muddy(c0) / muddy(c1)", "no truth value in a puzzle"),
        ("the x. (muddy(x), muddy(x))", "no truth value in a puzzle"),
    ],
)
def test_mistakes_in_a_puzzle_are_reported(formula: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        children(2).truth(formula)


def test_impossible_announcements_laws_and_worlds_are_reported() -> None:
    with pytest.raises(ValueError, match=r"the announcement .* is true at no world"):
        children(2).announce("muddy(c0) & ~muddy(c0)")
    with pytest.raises(ValueError, match="the law is true at no world"):
        Puzzle.of([], ["p"], {}, "p & ~p")
    with pytest.raises(ValueError, match="no such world is left"):
        children(2).announce("muddy(c0)").holds("muddy(c1)", [])
    with pytest.raises(ValueError, match="no atom of the puzzle"):
        Puzzle.of(["a"], ["p"], {"a": ["q"]})
    with pytest.raises(ValueError, match="no atom about named individuals"):
        Puzzle.of([], ["p & q"], {})
    with pytest.raises(ValueError, match="at most 24"):
        Puzzle.of([], [f"p{i}" for i in range(25)], {})


def test_its_example_runs() -> None:
    assert doctest.testmod(explicit).failed == 0
