"""The standard translation: a modal question as sentences of many-sorted first-order logic, in two notations.

Worlds, individuals and occasions are sorts; a predicate and an accessibility relation take the world as their first
argument (Blackburn, de Rijke & Venema 2001, sec. 2.4), a relation of agents the agent before it. A neighbourhood
operator takes the two-sorted translation: its relation leads to sets of worlds, a fourth sort (Hansen 2003). Frame
conditions are the first-order formulas of the correspondence table (ibid., ch. 3). `most` is not first order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, TypeAlias

from gramprobe.certify.classical import Core, Problem, related

Tree: TypeAlias = tuple[Any, ...]
"""`("true",) ("false",) ("pred", name, *terms) ("equal", s, t) ("not", f) ("and", *fs) ("or", *fs) ("implies", f, g)
("iff", f, g) ("all", ((variable, sort), ...), f) ("some", ...)`; a term is `("var", name)` or `("const", name)`."""

LARGEST_COUNT = 12
"""`at least n` unfolds into n variables and n(n-1)/2 inequalities."""

SORTS = {"individual": "Individual", "occasion": "Occasion"}
HERE: Tree = ("const", "here")


class NotFirstOrder(ValueError):
    """A problem that has no first-order translation, or one that is too long."""


@dataclass(slots=True)
class Sentences:
    """Sentences that have a model (with every sort non-empty) iff the problem has one.

    `predicates`: name -> sorts of the arguments; `constants`: name -> sort; `distinct`: groups of constants that
    denote different things.
    """

    predicates: dict[str, tuple[str, ...]] = field(default_factory=dict)
    constants: dict[str, str] = field(default_factory=dict)
    distinct: tuple[str, ...] = ()
    sentences: list[Tree] = field(default_factory=list)

    @property
    def sorts(self) -> tuple[str, ...]:
        """The sorts in use, the world first; a sort may occur in a quantifier only."""
        named = [sort for places in self.predicates.values() for sort in places]
        return tuple(dict.fromkeys(["World", "Individual", *named, *self.constants.values(), *self._bound()]))

    def _bound(self) -> list[str]:
        bound: list[str] = []

        def visit(tree: Tree) -> None:
            if tree[0] in ("all", "some"):
                bound.extend(sort for _, sort in tree[1])
            for part in tree[1:]:
                if isinstance(part, tuple) and part and isinstance(part[0], str):
                    visit(part)

        for sentence in self.sentences:
            visit(sentence)
        return bound


def sentences(problem: Problem) -> Sentences:
    """The translation of a problem. Raises NotFirstOrder for `most` and for counts beyond `LARGEST_COUNT`."""
    return _Translator(problem).result()


class _Translator:
    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.written = Sentences(constants={"here": "World"})
        self.names: list[str] = []
        self.relations: dict[tuple[str, bool], None] = {}
        self.fresh = 0

    def result(self) -> Sentences:
        world, sort = self.variable(), "World"
        for axiom in self.problem.axioms:
            body = self.formula(axiom, ("var", world), {})
            self.written.sentences.append(("all", ((world, sort),), body))
        for goal in self.problem.goals:
            self.written.sentences.append(self.formula(goal, HERE, {}))
        todo = list(self.relations)
        for operator, agent in todo:  # grows: the relations related to one that matters matter too
            for other in related(self.problem.operators, operator):
                if (other, agent) not in self.relations:
                    self.relation(other, agent)
                    todo.append((other, agent))
        for operator, agent in todo:
            self.written.sentences.extend(self.frame(operator, agent))
        if self.problem.distinct and len(self.names) > 1:
            self.written.distinct = tuple(self.names)
        return self.written

    def variable(self) -> str:
        self.fresh += 1
        return f"X{self.fresh}"

    def formula(self, node: Core, world: Tree, bound: dict[str, tuple[Tree, str]]) -> Tree:
        """The formula at a world; `bound`: the variables in scope as terms, with their sorts."""
        match node:
            case ("true",) | ("false",):
                return node
            case ("atom", predicate, *args):
                terms = [self.term(arg, bound) for arg in args]
                places = ("World", *(sort for _, sort in terms))
                name = "_".join(["p", predicate, *(sort[0] for sort in places[1:])])
                self.written.predicates[name] = places
                return ("pred", name, world, *(term for term, _ in terms))
            case ("equal", left, right):
                (one, sort), (other, another) = self.term(left, bound), self.term(right, bound)
                return ("equal", one, other) if sort == another else ("false",)
            case ("not", body):
                return ("not", self.formula(body, world, bound))
            case ("and" | "or" as connective, left, right):
                return (connective, self.formula(left, world, bound), self.formula(right, world, bound))
            case ("here", body):
                return self.formula(body, HERE, bound)
            case ("box", operator, agent, body):
                seen = self.variable()
                edge = self.edge(operator, agent, world, seen, bound)
                return ("all", ((seen, "World"),), ("implies", edge, self.formula(body, ("var", seen), bound)))
            case ("neighbourhood", operator, agent, body):
                held, seen = self.variable(), self.variable()
                self.written.predicates["in"] = ("World", "Set")
                inside: Tree = ("pred", "in", ("var", seen), ("var", held))
                same: Tree = ("iff", inside, self.formula(body, ("var", seen), bound))
                edge = self.edge(operator, agent, world, held, bound)
                return ("some", ((held, "Set"),), ("and", edge, ("all", ((seen, "World"),), same)))
            case ("all" | "some" as quantifier, x, sort, body):
                fresh = self.variable()
                inner = {**bound, x: (("var", fresh), SORTS[sort])}
                return (quantifier, ((fresh, SORTS[sort]),), self.formula(body, world, inner))
            case ("atleast", n, x, sort, body):
                if n > LARGEST_COUNT:
                    raise NotFirstOrder(f"at least {n} is too long")
                return self.atleast(n, x, SORTS[sort], body, world, bound)
            case _:
                raise NotFirstOrder(f"`{node[0]}` is not first order")

    def atleast(self, n: int, x: str, sort: str, body: Core, world: Tree, bound: dict[str, tuple[Tree, str]]) -> Tree:
        names = [self.variable() for _ in range(n)]
        apart = [("not", ("equal", ("var", one), ("var", other))) for one, other in combinations(names, 2)]
        each = [self.formula(body, world, {**bound, x: (("var", name), sort)}) for name in names]
        return ("some", tuple((name, sort) for name in names), ("and", *apart, *each))

    def term(self, term: Core, bound: dict[str, tuple[Tree, str]]) -> tuple[Tree, str]:
        if term[0] == "var":
            return bound[term[1]]
        name = f"c_{term[1]}"
        if name not in self.written.constants:
            self.written.constants[name] = "Individual"
            self.names.append(name)
        return ("const", name), "Individual"

    def relation(self, operator: str, agent: bool) -> str:
        """The predicate of an operator, with or without an agent."""
        self.relations[operator, agent] = None
        name = f"r_{operator}_agent" if agent else f"r_{operator}"
        last = "Set" if self.problem.operators[operator].kind in ("neighbourhood", "dual") else "World"
        self.written.predicates[name] = (*(["Individual"] if agent else []), "World", last)
        return name

    def edge(self, operator: str, agent: Core | None, world: Tree, to: str, bound: dict[str, tuple[Tree, str]]) -> Tree:
        name = self.relation(operator, agent is not None)
        who = [] if agent is None else [self.term(agent, bound)[0]]
        return ("pred", name, *who, world, ("var", to))

    def frame(self, operator: str, agent: bool) -> list[Tree]:
        """The frame conditions of one relation, for every agent."""
        frame = self.problem.operators[operator]
        a, w, v, u = (self.variable() for _ in range(4))
        who: tuple[Tree, ...] = (("var", a),) if agent else ()

        def r(one: str, other: str, name: str = operator) -> Tree:
            return ("pred", self.relation(name, agent), *who, ("var", one), ("var", other))

        def every(names: Sequence[str], body: Tree) -> Tree:
            return ("all", (*([(a, "Individual")] if agent else []), *((name, "World") for name in names)), body)

        def some_seen(body: Tree | None = None) -> Tree:
            return ("some", ((v, "World"),), r(w, v) if body is None else ("and", r(w, v), body))

        alike: Tree = ("all", ((u, "World"),), ("implies", r(w, u), ("equal", ("var", u), ("var", v))))
        known: dict[str, Tree] = {
            "reflexive": every([w], r(w, w)),
            "serial": every([w], some_seen()),
            "functional": every([w], some_seen(alike)),
            "symmetric": every([w, v], ("implies", r(w, v), r(v, w))),
            "transitive": every([w, v, u], ("implies", ("and", r(w, v), r(v, u)), r(w, u))),
            "euclidean": every([w, v, u], ("implies", ("and", r(w, v), r(w, u)), r(v, u))),
        }
        conditions = [known[condition] for condition in sorted(frame.conditions)]
        conditions += [every([w, v], ("implies", r(w, v), r(w, v, other))) for other in frame.within]
        for other in frame.introspected_by:
            conditions.append(every([w, v, u], ("implies", ("and", r(w, v, other), r(v, u)), r(w, u))))
        return conditions


def smt_lib(problem: Problem) -> str:
    """The problem in SMT-LIB 2.6 (Barrett, Fontaine & Tinelli 2017), without `(check-sat)`."""
    written = sentences(problem)
    lines = ["(set-logic UF)", *(f"(declare-sort {sort} 0)" for sort in written.sorts)]
    lines += [f"(declare-fun |{name}| ({' '.join(places)}) Bool)" for name, places in written.predicates.items()]
    lines += [f"(declare-const |{name}| {sort})" for name, sort in written.constants.items()]
    if written.distinct:
        lines.append(f"(assert (distinct {' '.join(f'|{name}|' for name in written.distinct)}))")
    lines += [f"(assert {_smt(sentence)})" for sentence in written.sentences]
    return "\n".join(lines) + "\n"


def _smt(tree: Tree) -> str:
    match tree:
        case ("true" | "false" as truth,):
            return str(truth)
        case ("var", name):
            return str(name)
        case ("const", name):
            return f"|{name}|"
        case ("pred", name, *terms):
            return f"(|{name}| {' '.join(map(_smt, terms))})"
        case ("all" | "some" as quantifier, bound, body):
            binders = " ".join(f"({name} {sort})" for name, sort in bound)
            return f"({'forall' if quantifier == 'all' else 'exists'} ({binders}) {_smt(body)})"
        case (connective, *parts):
            word = {"equal": "=", "implies": "=>", "iff": "="}.get(connective, connective)
            return f"({word} {' '.join(map(_smt, parts))})"
    raise AssertionError(tree)


def tptp(problem: Problem) -> str:
    """The problem in TPTP FOF (Sutcliffe 2017): sorts are predicates, all sentences axioms, to be refuted."""
    written = sentences(problem)
    facts: list[Tree] = [("some", ((sort, sort),), ("true",)) for sort in written.sorts]
    facts += [("pred", sort, ("const", name)) for name, sort in written.constants.items()]
    facts += [("not", ("equal", ("const", one), ("const", other))) for one, other in combinations(written.distinct, 2)]
    lines = [f"fof(s{number}, axiom, {_fof(each)})." for number, each in enumerate([*facts, *written.sentences])]
    return "\n".join(lines) + "\n"


def _fof(tree: Tree) -> str:
    match tree:
        case ("true" | "false" as truth,):
            return f"${truth}"
        case ("var", name):
            return str(name)
        case ("const", name):
            return _quoted(name)
        case ("pred", name, *terms):
            return f"{_quoted(name)}({','.join(map(_fof, terms))})"
        case ("equal", left, right):
            return f"{_fof(left)} = {_fof(right)}"
        case ("not", body):
            return f"~ ({_fof(body)})"
        case ("all" | "some" as quantifier, bound, body):
            guards = " & ".join(f"{_quoted(sort)}({name})" for name, sort in bound)
            sign, link = ("!", "=>") if quantifier == "all" else ("?", "&")
            return f"({sign} [{','.join(name for name, _ in bound)}] : (({guards}) {link} ({_fof(body)})))"
        case (connective, *parts):
            sign = {"and": " & ", "or": " | ", "implies": " => ", "iff": " <=> "}[connective]
            return "(" + sign.join(f"({_fof(part)})" for part in parts) + ")"
    raise AssertionError(tree)


def _quoted(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
