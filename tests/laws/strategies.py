"""Random formulas by fragment, random models, random theories: the material of the laws.

A `Fragment` says which nodes may occur; `PROPOSITIONAL`, `MODAL`, `MONADIC`, `COUNTING`, `PARTIAL` and `FULL`
are the ones in use. Formulas are closed unless asked otherwise, and small: the laws are about tables and
bindings, not size.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from hypothesis import settings
from hypothesis import strategies as st

from gramprobe.certify.model import Model
from gramprobe.formula import ast
from gramprobe.formula.ast import Const, Formula, Var
from gramprobe.formula.theory import CASES, CELLS, CONNECTIVES, KNOWN, MIDDLE, VALUES, Case, Operator, Projection

CONSTANTS = ("a", "b")
PROPOSITIONS = ("p", "q")
UNARY = ("f", "g")
BINARY = ("r",)
VARIABLES = ("x", "y", "z")
OPERATORS = (
    Operator(name="box", kind="box", frame=frozenset({"serial"})),
    Operator(name="dia", kind="diamond", frame=frozenset({"reflexive"})),
    Operator(name="K", kind="box", frame=frozenset({"reflexive", "transitive"})),
)
KINDS = {operator.name: str(operator.kind) for operator in OPERATORS}
BY_NAME = {operator.name: operator for operator in OPERATORS}


def examples(number: int) -> int:
    """How many examples a law tries: a quarter of `number` in the fast profile, twenty times it in the full one."""
    most = settings().max_examples
    return max(3, number * most // (80 if most < 100 else 50))


@dataclass(frozen=True)
class Fragment:
    """Which nodes may occur beside the connectives."""

    modal: bool = False
    agents: bool = False
    quantifiers: tuple[ast.Quantifier, ...] = ()
    binary: bool = False
    constants: bool = False
    equality: bool = False
    partial: bool = False
    occasions: bool = False
    here: bool = False
    updates: bool = False


PROPOSITIONAL = Fragment()
MODAL = Fragment(modal=True, here=True)
MONADIC = Fragment(quantifiers=("forall", "exists"), constants=True)
COUNTING = Fragment(quantifiers=("atleast", "atmost", "exactly", "most", "exists"), equality=True, constants=True)
PARTIAL = Fragment(
    modal=True, quantifiers=("forall", "exists", "atleast", "atmost", "exactly", "most", "the"), partial=True,
    constants=True, here=True,
)  # fmt: skip
FULL = Fragment(
    modal=True, agents=True, quantifiers=PARTIAL.quantifiers, binary=True, constants=True, equality=True,
    partial=True, occasions=True, here=True, updates=True,
)  # fmt: skip


@st.composite
def formulas(draw: st.DrawFn, fragment: Fragment, depth: int = 3, bound: tuple[str, ...] = ()) -> Formula:
    """A formula of a fragment, at most `depth` deep, over the variables in `bound`."""

    def below(*more: str) -> Formula:
        return draw(formulas(fragment, depth - 1, (*bound, *more)))

    def term() -> ast.Term:
        terms: list[ast.Term] = [Var(name) for name in bound]
        terms += [Const(name) for name in CONSTANTS] * fragment.constants
        found: ast.Term = draw(st.sampled_from(terms))
        return found

    terms = bool(bound) or fragment.constants
    kinds = ["proposition", "truth"] if depth == 0 else ["not", "and", "or", "implies", "iff", "proposition"]
    if terms and (fragment.quantifiers or fragment.constants):
        kinds += ["unary", "unary", "binary"] if fragment.binary else ["unary", "unary"]
        kinds += ["equal"] * fragment.equality
    if depth > 0:
        kinds += ["modal"] * (2 * fragment.modal) + ["quantified"] * (3 * bool(fragment.quantifiers))
        kinds += ["presupposing"] * (2 * fragment.partial) + ["here"] * fragment.here
        kinds += ["exh", "announced", "event"] * fragment.updates
    match draw(st.sampled_from(kinds)):
        case "truth":
            return ast.Truth(draw(st.booleans()))
        case "proposition":
            return ast.Atom(draw(st.sampled_from(PROPOSITIONS)))
        case "unary":
            return ast.Atom(draw(st.sampled_from(UNARY)), (term(),))
        case "binary":
            return ast.Atom(draw(st.sampled_from(BINARY)), (term(), term()))
        case "equal":
            return ast.Equal(term(), term())
        case "not":
            return ast.Not(below())
        case "and":
            return ast.And(below(), below())
        case "or":
            return ast.Or(below(), below())
        case "implies":
            return ast.Implies(below(), below())
        case "iff":
            return ast.Iff(below(), below())
        case "here":
            return ast.Here(below())
        case "exh":
            return ast.Exhaustified(below())
        case "announced":
            return ast.Announced(below(), below())
        case "event":
            if not fragment.constants:
                return ast.EventUpdate("E", below())
            return ast.EventUpdate("E", below(), tuple(term() for _ in range(draw(st.integers(0, 2)))))
        case "presupposing":
            return ast.Presupposing(below(), below())
        case "modal":
            agent = term() if fragment.agents and terms and draw(st.booleans()) else None
            return ast.Modal(draw(st.sampled_from([*KINDS])), agent, below())
        case _:
            quantifier = draw(st.sampled_from(fragment.quantifiers))
            variable = draw(st.sampled_from(VARIABLES))
            count = draw(st.integers(0, 3)) if quantifier in ast.COUNTING else None
            restrictor = below(variable) if draw(st.booleans()) or quantifier == "the" else ast.TRUE
            sort: ast.Sort = "occasion" if fragment.occasions and draw(st.booleans()) else "individual"
            return ast.Quantified(
                quantifier=quantifier,
                count=count,
                variable=variable,
                restrictor=restrictor,
                scope=below(variable),
                sort=sort,
            )


def anything(depth: int = 3) -> st.SearchStrategy[Formula]:
    """A formula of any class: also a question, and the meaning of a word."""
    plain = formulas(FULL, depth)
    meanings = formulas(FULL, depth - 1, ("x",)).map(lambda body: ast.Lambda("x", body))
    return st.one_of(plain, plain.map(ast.Interrogative), meanings)


@st.composite
def models(draw: st.DrawFn, worlds: int = 3, individuals: int = 3) -> Model:
    """A model of any frame, over the symbols of this module, up to a size."""
    w, n = draw(st.integers(1, worlds)), draw(st.integers(2, individuals))

    def some(members: list[tuple[int, ...]]) -> frozenset[tuple[int, ...]]:
        return frozenset(member for member in members if draw(st.booleans()))

    predicates = {
        name: tuple(some(list(product(range(n), repeat=arity))) for _ in range(w))
        for arity, group in enumerate((PROPOSITIONS, UNARY, BINARY))
        for name in group
    }
    pairs = [(v, u) for v in range(w) for u in range(w)]
    relations = {name: frozenset(pair for pair in pairs if draw(st.booleans())) for name in KINDS}
    return Model(
        worlds=w,
        individuals=n,
        actual=draw(st.integers(0, w - 1)),
        constants={"a": 0, "b": n - 1},
        predicates=predicates,
        relations=relations,
    )


@st.composite
def some_tables(draw: st.DrawFn) -> Projection:
    """Tables that are classical where neither side has a gap, and whatever they like elsewhere."""
    written = {}
    for connective in CONNECTIVES:
        cells = zip(CELLS, MIDDLE.table(connective), strict=True)
        written[connective] = "".join(draw(st.sampled_from(VALUES)) if "U" in cell else it for cell, it in cells)
    case: st.SearchStrategy[Case] = st.sampled_from(CASES)
    return Projection(conjunction=written["and"], disjunction=written["or"], implication=written["implies"],
                      modals=draw(case), quantifiers=draw(case))  # fmt: skip


projections = st.one_of(st.sampled_from([*KNOWN.values()]), some_tables())
