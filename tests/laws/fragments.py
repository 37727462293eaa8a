"""Strategies by fragment, each what one engine decides: modal logics of several agents, counting, first order.

`strategies` says which nodes may occur; here formulas come with the theory they are about, so that frames, relations
between operators and agents occur together, and small enough to be decided in a millisecond.
"""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st
from strategies import Fragment

from gramprobe.formula import ast
from gramprobe.formula.ast import Const, Formula
from gramprobe.formula.theory import Frame, Operator, TheorySlice

AGENTS = ("a", "b")
ATOMS = ("p", "q")

S4: frozenset[Frame] = frozenset({"reflexive", "transitive"})
S5: frozenset[Frame] = S4 | {"euclidean"}
KD45: frozenset[Frame] = frozenset({"serial", "transitive", "euclidean"})
FRAMES: dict[str, frozenset[Frame]] = {
    "K": frozenset(),
    "T": frozenset({"reflexive"}),
    "KD": frozenset({"serial"}),
    "K4": frozenset({"transitive"}),
    "B": frozenset({"reflexive", "symmetric"}),
    "S4": S4,
    "S5": S5,
    "KD45": KD45,
    "K45": frozenset({"transitive", "euclidean"}),
    "functional": frozenset({"functional"}),
}
LOGICS: dict[str, TheorySlice] = {
    **{name: TheorySlice(operators=(Operator(name="K", kind="box", frame=frame),)) for name, frame in FRAMES.items()},
    "mixed": TheorySlice(
        operators=(
            Operator(name="K", kind="box", frame=S4),
            Operator(name="B", kind="box", frame=KD45, within=("K",), introspected_by=("K",)),
        )
    ),
    "inclusion": TheorySlice(
        operators=(Operator(name="K", kind="box", frame=S4), Operator(name="B", kind="box", frame=KD45, within=("K",)))
    ),
    "mixed S5": TheorySlice(
        operators=(
            Operator(name="K", kind="box", frame=S5),
            Operator(name="B", kind="box", frame=KD45, within=("K",), introspected_by=("K",)),
        )
    ),
    "two relations": TheorySlice(
        operators=(
            Operator(name="K", kind="box", frame=frozenset({"serial"})),
            Operator(name="B", kind="diamond", frame=S4),
        )
    ),
}
"""Theories of propositional modal logic; every operator may take an agent."""

FIRST_ORDER = Fragment(
    quantifiers=("forall", "exists", "forall", "exists", "exactly"), binary=True, constants=True, equality=True
)
"""One binary predicate, two monadic ones, names, identity."""
NUMERICAL = Fragment(quantifiers=("forall", "exists", "atleast", "atmost", "exactly", "most"), constants=True)
"""Monadic predicates, counted."""


@dataclass(frozen=True, slots=True)
class Question:
    """Formulas about one theory, with the name of its logic."""

    logic: str
    theory: TheorySlice
    formulas: tuple[Formula, ...]


@st.composite
def modal_formulas(draw: st.DrawFn, operators: tuple[str, ...], depth: int) -> Formula:
    """A propositional modal formula over ATOMS, with agents or without, at most `depth` deep."""
    if depth == 0:
        return ast.Atom(draw(st.sampled_from(ATOMS)))

    def below() -> Formula:
        return draw(modal_formulas(operators, depth - 1))

    match draw(st.sampled_from(("atom", "not", "and", "or", "implies", "modal", "modal", "modal"))):
        case "atom":
            return ast.Atom(draw(st.sampled_from(ATOMS)))
        case "not":
            return ast.Not(below())
        case "and":
            return ast.And(below(), below())
        case "or":
            return ast.Or(below(), below())
        case "implies":
            return ast.Implies(below(), below())
        case _:
            agent = draw(st.sampled_from((None, *AGENTS)))
            return ast.Modal(draw(st.sampled_from(operators)), None if agent is None else Const(agent), below())


@st.composite
def modal_questions(draw: st.DrawFn, number: int = 1, depth: int = 4) -> Question:
    """Some formulas of one of the LOGICS."""
    logic = draw(st.sampled_from(sorted(LOGICS)))
    theory = LOGICS[logic]
    names = tuple(operator.name for operator in theory.operators)
    return Question(logic, theory, tuple(draw(modal_formulas(names, depth)) for _ in range(number)))


@st.composite
def determiner_formulas(draw: st.DrawFn) -> Formula:
    """Some and all over monadic predicates, negated and joined: what has alternatives on their scale."""

    def one() -> Formula:
        restrictor, scope = (ast.Atom(draw(st.sampled_from(("f", "g"))), (ast.Var("x"),)) for _ in range(2))
        quantifier: ast.Quantifier = draw(st.sampled_from(("exists", "forall")))
        read: Formula = ast.Quantified(quantifier=quantifier, variable="x", restrictor=restrictor, scope=scope)
        return ast.Not(read) if draw(st.booleans()) else read

    return ast.And(one(), one()) if draw(st.booleans()) else one()
