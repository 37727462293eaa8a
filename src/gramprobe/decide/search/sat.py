"""The finder: models by SAT (CaDiCaL 1.5.3, Biere et al. 2020), of growing size, many questions on one
grounding; or of the largest size alone (MiniSat 2.2, Eén & Sörensson 2004).

A question is a set of wanted values; each becomes assumptions. `F or U` and the like need no clause of their
own: the true part and the false part of every formula are literals. Phases start false, so that few atoms are
true.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Self

from gramprobe.certify.model import Model, Neighbourhood
from gramprobe.decide.question import Value
from gramprobe.decide.search.bound import Bound, bound_of
from gramprobe.decide.search.gates import FALSE, TRUE
from gramprobe.decide.search.instantiate import Grounder
from gramprobe.formula import ast
from gramprobe.formula.ast import Formula
from gramprobe.formula.measure import Nodes
from gramprobe.formula.theory import TheorySlice
from gramprobe.formula.trivalence import compile as halves_of
from gramprobe.stop import ask_stop


class Finder:
    """Searches for models of a theory in which formulas have wanted values at the actual world.

    The formulas are sorted (`formula.sorts`) and without `?`. One grounding serves all questions. Not `smallest`: only
    the largest size is solved, and its models are taken as they are. Raises ValueError for a bound with fewer
    individuals than names.
    """

    def __init__(
        self,
        theory: TheorySlice,
        formulas: Sequence[Formula],
        bound: Bound | None = None,
        nodes: Nodes | None = None,
        smallest: bool = True,
    ) -> None:
        nodes = nodes or Nodes()
        self.bound = bound or bound_of(formulas, theory.postulates, nodes)
        self.symbols = nodes.symbols((*formulas, *theory.postulates))
        if theory.distinct and len(self.symbols.constants) > self.bound.individuals:
            raise ValueError("a bound of fewer individuals than names")
        operators = {operator.name: operator for operator in theory.operators}
        self.ground = ground = Grounder(operators, self.symbols.constants, theory.distinct, self.bound)
        for postulate in theory.postulates:
            true, _ = halves_of(postulate, theory.projection, operators)
            for world, on in enumerate(ground.worlds):
                ground.gates.add((-on, ground.top(true, world)))
        self.halves: list[tuple[int, int]] = []
        for formula in formulas:
            true, false = halves_of(formula, theory.projection, operators)
            negated = isinstance(false, ast.Not) and false.body is true
            literal = ground.top(true)
            self.halves.append((literal, -literal if negated else ground.top(false)))
        for (
            operator,
            agent,
        ) in self.symbols.operators:  # also where folding made a relation needless: models are total
            for who in ground.agents(agent):
                if operators[operator].kind in ("box", "diamond"):
                    ground.relation(operator, who)
                else:
                    ground.neighbourhoods.setdefault((operator, who), {})
        for name, who in list(ground.relations):
            self._relate(name, who)
        ground.sort_nameless()
        ground.finish()
        self._steps = self.bound.steps() if smallest else self.bound.steps()[-1:]
        self._smallest = smallest
        self._solver: Any = None

    def _relate(self, name: str, agent: int | None) -> None:
        """Ground the relations that are declared to be within, or introspected by, this relation."""
        for other in self.ground.operators.values():
            related = name in (*other.within, *other.introspected_by) and other.kind in ("box", "diamond")
            if related and (other.name, agent) not in self.ground.relations:
                self.ground.relation(other.name, agent)
                self._relate(other.name, agent)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Free the solver."""
        if self._solver is not None:
            self._solver.delete()
            self._solver = None

    def find(self, wanted: Sequence[tuple[int, Value]]) -> Model | None:
        """A model in which each formula (by its number) has the wanted value; None if there is none within the
        bound.

        `D` asks for defined, `N` for not true.
        """
        assumed: list[int] = []
        gates = self.ground.gates
        for number, value in wanted:
            true, false = self.halves[number]
            match value:
                case "T":
                    assumed.append(true)
                case "F":
                    assumed.append(false)
                case "U":
                    assumed += (-true, -false)
                case "D":
                    assumed.append(gates.disj((true, false)))
                case "N":
                    assumed.append(-true)
        if FALSE in assumed:
            return None
        assumed = [literal for literal in dict.fromkeys(assumed) if literal != TRUE]
        solver = self.solver()
        failed = 0
        for size in self._steps:
            ask_stop()
            smaller = self._smaller(size)
            if solver.solve(assumed + smaller):
                model = self._model(solver.get_model())
                return self._shrunk(assumed, model, failed) if size == self._steps[-1] and self._smallest else model
            if smaller and not set(smaller) & set(solver.get_core() or ()):
                break  # no model, whatever the size
            failed = size
        return None

    def _shrunk(self, assumed: list[int], model: Model, failed: int) -> Model:
        """A smaller model than the given one, if there is any, by bisection; no model has the size `failed`."""
        solver, enough = self.solver(), max(model.worlds, model.individuals, model.occasions)
        while (size := (failed + enough) // 2) > failed:
            ask_stop()
            if solver.solve(assumed + self._smaller(size)):
                model, enough = self._model(solver.get_model()), size
            else:
                failed = size
        return model

    def solver(self) -> Any:
        """The solver with all clauses so far."""
        if self._solver is None:
            solvers: Any = import_module("pysat.solvers")  # here, as it takes 20 ms
            if self._smallest:
                self._solver = solvers.Cadical153()
                self._solver.configure({"phase": 0, "lucky": 0})
            else:  # what is solved once is most often easy
                self._solver = solvers.Minisat22()
        add, clauses = self._solver.add_clause, self.ground.gates.clauses
        for at, clause in enumerate(clauses):
            if at & 7 == 7:  # the more clauses there are, the longer they take to solve
                ask_stop()
            add(clause)
        clauses.clear()
        return self._solver

    def _smaller(self, size: int) -> list[int]:
        """Assumptions that limit a model to a size (or to what the names need); none if the bound is no larger."""
        people = [on for _, on in self.ground.domains["individual"]]
        times = [on for _, on in self.ground.domains["occasion"]]
        capped = []
        for switches in (self.ground.worlds, people, times):
            free = max(size, switches.count(TRUE))
            capped += [-switch for switch in switches[free : free + 1]]
        return capped

    def _model(self, assignment: Sequence[int]) -> Model:
        true = {literal for literal in assignment if literal > 0}
        true.add(TRUE)

        def is_true(literal: int) -> bool:
            return literal in true if literal > 0 else -literal not in true

        ground = self.ground
        worlds = sum(map(is_true, ground.worlds))
        people = [who for who, on in ground.domains["individual"] if is_true(on)]
        times = [when for when, on in ground.domains["occasion"] if is_true(on)]
        number = {who: at for at, who in enumerate(people + times)}
        extensions: dict[str, list[set[tuple[int, ...]]]] = {
            name: [set() for _ in range(worlds)] for name, _ in self.symbols.predicates
        }
        for (name, world, args), literal in ground.atoms.items():
            if literal in true and world < worlds and all(who in number for who in args):
                extensions[name][world].add(tuple([number[who] for who in args]))

        def key(operator: str, agent: int | None) -> str:
            return operator if agent is None else f"{operator}[{number[agent]}]"

        relations: dict[str, frozenset[tuple[int, int]]] = {}
        for (operator, agent), sees in ground.relations.items():
            if agent is not None and agent not in number:
                continue
            relations[key(operator, agent)] = frozenset(
                (w, v) for w in range(worlds) for v in range(worlds) if is_true(sees[w][v])
            )
        constants = {
            name: next(number[who] for who, on in bearers if is_true(on)) for name, bearers in ground.constants.items()
        }
        predicates = {name: tuple(map(frozenset, per_world)) for name, per_world in extensions.items()}
        near: dict[str, Neighbourhood] = {}
        for (operator, agent), sets in ground.neighbourhoods.items():
            if agent is None or agent in number:
                held = [
                    (frozenset(v for v in range(worlds) if is_true(truths[v])), literals)
                    for truths, literals in sets.items()
                ]
                near[key(operator, agent)] = tuple(
                    frozenset(each for each, literals in held if is_true(literals[w])) for w in range(worlds)
                )
        return Model(
            worlds=worlds,
            individuals=len(people),
            actual=0,
            constants=constants,
            predicates=predicates,
            relations=relations,
            occasions=len(times),
            neighbourhoods=near,
        )
