"""Refutation by counting: CaDiCaL (Biere et al. 2020) proposes which bounds hold, the simplex spreads individuals
over regions or answers with a lemma, until no proposal is left (DPLL(T): Nieuwenhuis, Oliveras & Tinelli 2006).

If a bit is a whole formula, some individual must be possible in every region in use: the clauses about an arbitrary
individual are asked, and if they refute it, the region is forbidden for good.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from gramprobe.certify import rup
from gramprobe.certify.classical import Problem
from gramprobe.certify.counting import Counting
from gramprobe.certify.model import Model
from gramprobe.certify.regions import everything, place_table
from gramprobe.certify.reject import Budget, CertificateError
from gramprobe.decide.prove import Steps, learnt_of, remembered
from gramprobe.decide.prove.population import populated
from gramprobe.decide.prove.spread import Counts, Lemma, Split, Spreader
from gramprobe.stop import ask_stop

STEPS = 100_000
"""The most steps of the grounding, and of the check, of one proof."""
SPREADS = 320_000
"""The most steps of all linear programs of one search: rows times columns, and the work of separating regions."""
ROUNDS = 120
SPLITS = 40
DEPTHS = (1, 2)
"""How deep Skolem terms nest, the smaller depth first. Without such terms one problem in thirty is refuted that needs
them for all its instances; it is asked where there are too many with them."""
MORE = ((False, True), (True, False), (True, True))
"""(naming, looking) as in `Counting`, after (False, False): clauses about an arbitrary individual, of which few are
made, then names for witnesses, which may multiply one another."""


def prove(problems: Sequence[Problem], sure: bool = False) -> list[dict[str, Any] | Model | None]:
    """For each problem a proof that it has no model, or a candidate model, or None.

    ``sure``: the steps of each proof are checked here too, and where they cannot be followed, another is searched for.
    """
    return [_prove(problem, ((False, False),), sure) for problem in problems]


def prove_more(problems: Sequence[Problem], sure: bool = False) -> list[dict[str, Any] | Model | None]:
    """`prove` for problems that it leaves open, with clauses about arbitrary individuals and names for witnesses."""
    return [_prove(problem, MORE, sure) for problem in problems]


@remembered
def _prove(problem: Problem, stages: Sequence[tuple[bool, bool]], sure: bool) -> dict[str, Any] | Model | None:
    for naming, looking in stages:
        for depth in DEPTHS:
            outcome = _at(problem, depth, naming, looking, sure)
            if not isinstance(outcome, Counting) or not outcome.cut:
                break
        if outcome is None and depth == DEPTHS[0]:
            refuted = _at(problem, 0, naming, looking, sure)
            outcome = refuted if isinstance(refuted, dict) else None
        if isinstance(outcome, Counting):
            if not outcome.opaque_bits:
                return None
        elif outcome is not None:
            return outcome
    return None


def _at(
    problem: Problem, depth: int, naming: bool, looking: bool, sure: bool
) -> dict[str, Any] | Model | Counting | None:
    """A refutation; a candidate; the grounding if it decides neither; None if it is too large."""
    try:
        counting = Counting(problem, depth, naming, looking, Steps(STEPS))
        search = _Search(counting, sure)
        outcome = search.run()
    except (CertificateError, RecursionError):
        return None
    if isinstance(outcome, dict):
        return {"kind": "venn", "depth": depth, "naming": naming, "looking": looking, **outcome}
    if counting.cut or counting.opaque_bits or counting.loose or naming:
        return counting
    return populated(counting, search.holding, outcome) or counting


class _Search:
    """The search for a proof from one grounding."""

    def __init__(self, counting: Counting, sure: bool) -> None:
        self.counting, self.regions, self.sure = counting, counting.regions, sure
        self.spreader = Spreader(self.regions, Steps(SPREADS))
        self.splits: list[Split] = []
        self.parts: list[dict[str, Any]] = []
        self.lemmas: list[Lemma] = []
        self.clauses: list[Sequence[int]] = [*counting.clauses]
        self.top = counting.top
        self.rounds = ROUNDS
        self.holding: set[int] = set()
        solvers: Any = import_module("pysat.solvers")  # here, as it takes 20 ms
        self.solver: Any = solvers.Cadical153()
        self.solver.configure({"phase": 0, "lucky": 0})  # few bounds in force, and before the first clause
        self.solver.append_formula(self.clauses)

    def run(self) -> dict[str, Any] | Counts:
        """The fields of a proof, or the number of individuals in each region.

        Raises CertificateError when the budget or the rounds are spent.
        """
        try:
            while True:
                counts = self.spread(())
                if counts is None:
                    self.close([], None)
                    splits = [[each.group, f"{each.inside:x}", each.least] for each in self.splits]
                    return {"splits": splits, "parts": self.parts}
                used = [(group, inside) for group, cells in enumerate(counts) for inside, _ in cells]
                if not any(self.forbid(group, inside) for group, inside in used):
                    return counts
        finally:
            self.solver.delete()

    def spread(self, assumed: Sequence[int]) -> Counts | None:
        """The number of individuals in each region if all clauses and the assumptions hold; None if they cannot."""
        while self.solver.solve(assumed):
            ask_stop()
            self.rounds -= 1
            if self.rounds < 0:
                raise CertificateError("too many rounds")
            holding = {literal for literal in self.solver.get_model() if literal > 0}
            outcome = self.spreader.spread(holding)
            if isinstance(outcome, Lemma):
                self.lemmas.append(outcome)
                self.add([*outcome.clause])
            elif isinstance(outcome, Split):
                self.split(outcome)
            else:
                if not assumed:
                    self.holding = holding
                return outcome
        return None

    def split(self, split: Split) -> int:
        """A new literal for a split."""
        if len(self.splits) >= SPLITS:
            raise CertificateError("too many splits")
        self.splits.append(split)
        self.top += 1
        self.regions.split(self.top, split.group, split.inside, split.least)
        self.spreader.forget()
        return self.top

    def forbid(self, group: int, inside: int) -> bool:
        """Whether no individual can be in the first of some regions.

        If none can, forbid all regions that are empty for the same reason.
        """
        literals, places = self.counting.arbitrary, self.counting.places
        at = {literals[bit]: places[bit][1] for bit in literals if places[bit][0] == group}
        first = (inside & -inside).bit_length() - 1
        pattern = [literal if first >> place & 1 else -literal for literal, place in at.items()]
        for others in ([], self.settled()):
            if pattern and self.spread([*pattern, *others]) is None:
                core = self.solver.get_core() or []
                failing = everything(self.regions.sizes[group])
                for literal in core:
                    if abs(literal) in at:
                        inside = place_table(at[abs(literal)], self.regions.sizes[group])
                        failing &= inside if literal > 0 else ~inside
                if any(abs(literal) in at for literal in core):
                    split = self.split(Split(group, failing, 1))
                    self.close([-literal for literal in core], split)
                    self.add([*[-literal for literal in core if abs(literal) not in at], -split])
                else:
                    self.add([-literal for literal in core])
                return True
        return False

    def settled(self) -> list[int]:
        """The literals true in the last model that are not about an arbitrary individual."""
        last = self.counting.settled
        atoms = (atom for atom in self.counting.atoms.values() if atom not in self.holding)
        return [*[each for each in self.holding if each <= last], *[-atom for atom in atoms if atom <= last]]

    def add(self, clause: list[int]) -> None:
        """A clause that holds in every model."""
        self.clauses.append(clause)
        self.solver.add_clause(clause)

    def close(self, shows: list[int], split: int | None) -> None:
        """End a part: the clause that it shows follows by unit propagation from all clauses so far, with some steps."""
        denied = [[-literal] for literal in shows]
        lemmas = [[[*each.clause], [*sum(each.multipliers, ())]] for each in self.lemmas]
        clauses = [*self.clauses, *denied]
        listed = steps(clauses)
        if self.sure:
            rup.check(clauses, listed, self.top, Budget())
        self.parts.append({"lemmas": lemmas, "steps": listed, "shows": shows, "split": split})
        self.lemmas = []


def steps(clauses: Sequence[Sequence[int]]) -> list[list[int]]:
    """The steps by which unit propagation refutes unsatisfiable clauses: an empty list, or those of CaDiCaL's proof,
    which the kernel checks."""
    solvers: Any = import_module("pysat.solvers")
    with solvers.Minisat22(bootstrap_with=clauses) as units:
        if not units.propagate()[0]:
            return []
    with solvers.Cadical153(bootstrap_with=clauses, with_proof=True) as solver:
        solver.solve()
        return [learnt for learnt in learnt_of(solver) if learnt]
