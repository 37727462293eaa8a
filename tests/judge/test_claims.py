"""What determiners license and where they stand, decided by the engines, beside all sets of up to six individuals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from support import shipped

from gramprobe.catalog.pages import checked
from gramprobe.formula.ast import Argument, as_formula
from gramprobe.formula.notation import parse
from gramprobe.judge.claims import Claims, Determiner, determiners
from gramprobe.resolve.grammar.claims import PROPERTIES

GOLDEN = Path(__file__).parent / "determiners.txt"
LARGEST = 6
ASKED = ("licensing", "noun licensing", "antiadditive", "existential")
Counts = Callable[[int, int], bool]


def always(a: int, b: int) -> bool:
    return True


def one(a: int, b: int) -> bool:
    return a + b >= 1


def two(a: int, b: int) -> bool:
    return a + b >= 2


TWO = "(atleast 2 x. (noun(x), true)) / "
#: name, meaning, where it has a value, and where it is true: by the number of those in A alone, and in A and B
EXACTLY = "(exactly {} x. (noun(x), true)) / "
TABLE: list[tuple[str, str, Counts, Counts]] = [
    ("every", "forall x. (noun(x), P(x))", always, lambda a, b: a == 0),
    ("every, of one", "(exists x. noun(x)) / forall x. (noun(x), P(x))", one, lambda a, b: a == 0),
    ("every, of two", TWO + "forall x. (noun(x), P(x))", two, lambda a, b: a == 0),
    ("a", "exists x. (noun(x), P(x))", always, lambda a, b: b >= 1),
    ("some, plural", "atleast 2 x. (noun(x), P(x))", always, lambda a, b: b >= 2),
    ("some of the", "exists x. (noun(x), P(x))", always, lambda a, b: b >= 1),
    ("some of the two or more", TWO + "exists x. (noun(x), P(x))", two, lambda a, b: b >= 1),
    ("no", "~exists x. (noun(x), P(x))", always, lambda a, b: b == 0),
    ("no, of two", TWO + "~exists x. (noun(x), P(x))", two, lambda a, b: b == 0),
    ("at least three", "atleast 3 x. (noun(x), P(x))", always, lambda a, b: b >= 3),
    ("at most two", "atmost 2 x. (noun(x), P(x))", always, lambda a, b: b <= 2),
    ("fewer than three", "~atleast 3 x. (noun(x), P(x))", always, lambda a, b: b < 3),
    ("more than two", "atleast 3 x. (noun(x), P(x))", always, lambda a, b: b > 2),
    ("exactly two", "exactly 2 x. (noun(x), P(x))", always, lambda a, b: b == 2),
    ("one or two", "exists x. (noun(x), P(x)) & atmost 2 x. (noun(x), P(x))", always, lambda a, b: 1 <= b <= 2),
    ("few, by number", "atmost 2 x. (noun(x), P(x))", always, lambda a, b: b < 3),
    ("many, by number", "atleast 3 x. (noun(x), P(x))", always, lambda a, b: b >= 3),
    ("most", "most x. (noun(x), P(x))", always, lambda a, b: b > a),
    ("most, of two", TWO + "most x. (noun(x), P(x))", two, lambda a, b: b > a),
    ("not most", "~most x. (noun(x), P(x))", always, lambda a, b: b <= a),
    ("fewer than half", "most x. (noun(x), ~P(x))", always, lambda a, b: 2 * b < a + b),
    ("at most half", "~most x. (noun(x), P(x))", always, lambda a, b: 2 * b <= a + b),
    ("half", "~most x. (noun(x), P(x)) & ~most x. (noun(x), ~P(x))", always, lambda a, b: a == b),
    ("at least half", "~most x. (noun(x), ~P(x))", always, lambda a, b: b >= a),
    ("the, singular", "the x. (noun(x), P(x))", lambda a, b: a + b == 1, lambda a, b: a == 0),
    ("the, plural", TWO + "forall x. (noun(x), P(x))", two, lambda a, b: a == 0),
    (
        "the, homogeneous",
        "((atleast 2 x. (noun(x), true)) & (forall x. (noun(x), P(x)) | ~exists x. (noun(x), P(x))))"
        " / forall x. (noun(x), P(x))",
        lambda a, b: a + b >= 2 and (a == 0 or b == 0),
        lambda a, b: a == 0,
    ),
    ("the three", EXACTLY.format(3) + "forall x. (noun(x), P(x))", lambda a, b: a + b == 3, lambda a, b: a == 0),
    ("both", EXACTLY.format(2) + "forall x. (noun(x), P(x))", lambda a, b: a + b == 2, lambda a, b: a == 0),
    ("neither", EXACTLY.format(2) + "~exists x. (noun(x), P(x))", lambda a, b: a + b == 2, lambda a, b: b == 0),
    ("not every", "~forall x. (noun(x), P(x))", always, lambda a, b: a > 0),
    ("not every, of two", TWO + "~forall x. (noun(x), P(x))", two, lambda a, b: a > 0),
    ("all but one", "exactly 1 x. (noun(x), ~P(x))", always, lambda a, b: a == 1),
    ("all but one, of two", TWO + "exactly 1 x. (noun(x), ~P(x))", two, lambda a, b: a == 1),
    ("all or none", "forall x. (noun(x), P(x)) | ~exists x. (noun(x), P(x))", always, lambda a, b: a == 0 or b == 0),
    ("none of the two or more", TWO + "~exists x. (noun(x), P(x))", two, lambda a, b: b == 0),
]  # fmt: skip


@cache
def claims() -> Claims:
    return Claims()


def counted(defined: Counts, true: Counts) -> set[str]:
    """The properties, by counting: a set of up to six is one in A alone (a), in A and B (b), and others."""
    pairs = [(a, b) for a in range(LARGEST + 1) for b in range(LARGEST + 1 - a)]

    def holds(smaller: Callable[[int, int, int, int], bool], upward: bool) -> bool:
        """Whether truth goes from one set to another, wherever there is a value."""
        both = [(x, y) for x in pairs for y in pairs if smaller(*x, *y)]
        steps = both if upward else [(y, x) for x, y in both]
        return all(true(*y) for x, y in steps if defined(*x) and true(*x) and defined(*y))

    def verb(a: int, b: int, c: int, d: int) -> bool:  # the same A, more of it in B
        return a + b == c + d and b <= d

    def noun(a: int, b: int, c: int, d: int) -> bool:
        return a <= c and b <= d

    def additive() -> Iterator[bool]:
        for a, b in pairs:  # A by its members in B alone, C alone, both, neither
            for c in range(LARGEST + 1 - a - b):
                for d in range(LARGEST + 1 - a - b - c):
                    parts, whole = ((a + c, b + d), (a + b, c + d)), (a, b + c + d)
                    if all(defined(*each) and true(*each) for each in parts) and defined(*whole):
                        yield true(*whole)

    found = set()
    if holds(verb, False) and not holds(verb, True):
        found.add("licensing")
        if all(additive()):
            found.add("antiadditive")
    if holds(noun, False) and not holds(noun, True):
        found.add("noun licensing")
    if all(defined(a, b) == defined(0, b) and (not defined(a, b) or true(a, b) == true(0, b)) for a, b in pairs):
        found.add("existential")
    return found


def decided(determiner: Determiner, presupposed: Argument | None = None) -> set[str]:
    answers = {each: claims().has(each, determiner, presupposed) for each in ASKED}
    return {name for name, answer in answers.items() if answer is not None and answer.holds}


@pytest.mark.parametrize(("name", "meaning", "defined", "true"), TABLE, ids=[row[0] for row in TABLE])
def test_the_engines_decide_as_counting_does(name: str, meaning: str, defined: Counts, true: Counts) -> None:
    determiner = Determiner(name, {}, {}, as_formula(parse(meaning)), "P", True)
    assert decided(determiner) == counted(defined, true)


@pytest.mark.slow
def test_the_table_of_determiners(accept: bool) -> None:
    """Of those above, and of each noun phrase of the shipped English; `make accept` records anew."""
    lines = [f"{name:<40}{_said(counted(*counts))}" for name, _, *counts in TABLE]
    grammar = checked(shipped.declarations(), "english", "scope", "acceptability")
    for constructor in grammar.constructors.values():
        for each in determiners(constructor, grammar):
            case = "".join(f" {value}" for value in each.case.values())
            claimed = ", ".join(each.features.get(name, "-") for name in ("strength", "licensing"))
            of_value = [c.presupposed for c in grammar.claims if c.value == each.features.get(c.feature[1])]
            found = decided(each, next((p for p in of_value if p is not None), None))
            lines.append(f"{each.constructor + case:<40}{claimed:<24}{_said(found)}".rstrip())
    text = "\n".join([*lines[: len(TABLE)], *sorted(set(lines[len(TABLE) :]))]) + "\n"
    if accept:
        GOLDEN.write_text(text, "utf-8")
    assert text == GOLDEN.read_text("utf-8")


def _said(found: set[str]) -> str:
    return ", ".join(each for each in ASKED if each in found) or "-"


def test_no_claim_of_the_shipped_english_is_refuted() -> None:
    grammar = checked(shipped.declarations(), "english", "scope")
    assert {claim.property for claim in grammar.claims} == set(PROPERTIES)
    assert [each.determiner.constructor for each in claims().unconfirmed(grammar)] == []


@pytest.mark.parametrize(
    ("property", "meaning", "model"),
    [("licensing", "exactly 1 x. (noun(x), P(x))", True), ("antiadditive", "atmost 1 x. (noun(x), P(x))", True),
     ("existential", "forall x. (noun(x), P(x))", True), ("licensing", "the x. (noun(x), P(x))", True)],
)  # fmt: skip
def test_a_model_speaks_against_what_does_not_hold(property: str, meaning: str, model: bool) -> None:
    answer = claims().has(property, Determiner("d", {}, {}, as_formula(parse(meaning)), "P", True))
    assert answer is not None
    assert not answer.holds
    assert (answer.against is not None) == model


def test_of_a_name_there_is_no_noun() -> None:
    name = Determiner("Name", {}, {}, as_formula(parse("P(jo)")), "P", False)
    assert claims().has("existential", name) is None
    assert decided(name) == set()
