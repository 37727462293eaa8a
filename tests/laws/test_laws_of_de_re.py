"""Where an indefinite is a possible antecedent it is said to exist; where else existence follows, by frames alone.

The sentences have any number of operators of any frame class above and below the indefinite, negated or not.
"""

from __future__ import annotations

from functools import reduce

from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import examples

from gramprobe.decide.label import Decider
from gramprobe.formula.ast import Formula, Modal, Not, Quantified, Var
from gramprobe.formula.binding import substituted
from gramprobe.formula.notation import parse
from gramprobe.formula.theory import Operator, TheorySlice
from gramprobe.meaning.antecedents import tidied
from gramprobe.meaning.conveyed import at_actual

CLASSES = (
    frozenset[str](),
    frozenset({"serial"}),
    frozenset({"serial", "transitive", "euclidean"}),
    frozenset({"transitive", "euclidean"}),
    frozenset({"reflexive"}),
    frozenset({"reflexive", "transitive"}),
)


def under(operators: list[tuple[int, bool]], body: Formula) -> Formula:
    """Operators around a formula, the first outermost; `True`: with a negation inside."""
    agent = parse("a = a").left  # type: ignore[union-attr]
    wrapped = ((f"K{number}", negated) for number, negated in reversed(operators))
    return reduce(lambda f, o: Modal(o[0], agent, Not(f) if o[1] else f), wrapped, body)


stacks = st.lists(st.tuples(st.sampled_from(range(len(CLASSES))), st.booleans()), max_size=2)


@settings(max_examples=examples(60), deadline=None)
@given(stacks, st.lists(st.tuples(st.sampled_from(range(len(CLASSES))), st.booleans()), max_size=1), st.booleans())
def test_existence_follows_from_access_and_else_from_frames(
    above: list[tuple[int, bool]], below: list[tuple[int, bool]], here: bool
) -> None:
    operators = tuple(Operator(name=f"K{n}", kind="box", frame=frame) for n, frame in enumerate(CLASSES))  # type: ignore[arg-type]
    noun = parse("dentist(x) @ here" if here else "dentist(x)", variables=("x",))
    restrictor, scope = _of("x@a@1", noun, under(below, parse("s(x)", variables=("x",))))
    indefinite = Quantified(quantifier="exists", variable="x@a@1", restrictor=restrictor, scope=scope)
    formula, antecedents = tidied(at_actual(under(above, indefinite)))
    used = tuple(operators[n] for n in sorted({n for n, _ in (*above, *below)}))
    decision = Decider().decision(formula, parse("exists x. dentist(x)"), TheorySlice(operators=used))
    exists = decision.verdict.label == "entailment"
    assert decision.verdict.label in ("entailment", "neutral")
    accessible = bool(antecedents)
    assert accessible == (not above)
    if accessible:
        assert exists
        return
    # the converse of the law fails here, and only here: a box leads from what holds to one open world (to the actual
    # one where the operator is reflexive), a negated box to some world, and the indefinite must be affirmed there
    affirmed, somewhere, actual = True, True, True
    for number, negated in above:
        somewhere &= not affirmed or bool(CLASSES[number] & {"serial", "reflexive"})
        actual &= affirmed and "reflexive" in CLASSES[number]
        affirmed ^= negated
    assert exists == (affirmed and (somewhere if here else actual))


def _of(variable: str, *formulas: Formula) -> tuple[Formula, Formula]:
    one, other = (substituted(f, {"x": Var(variable)}) for f in formulas)
    return one, other
