"""How a question is settled: models are looked for, what is not found must be proved absent.

    types       propositional modal formulas: a model or a refutation, whatever the size
    finder      models of up to two worlds and a few more individuals than are named
    herbrand    instances of quantified formulas: a refutation, or a model where the instances are all there are
    venn        counting over one-place predicates: a model or a refutation; first where something is counted
    types       once more, with what quantified formulas say of those that have names
    finder      models up to the bound
    venn        once more, with names for witnesses, and a look at anyone
    outside     a prover of another house, when asked for
    Open        nothing found, nothing proved

Several questions of one theory share closures, tables and groundings. Every model is confirmed by the kernel's
evaluator, every proof is checked by the kernel before it is believed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, TypeAlias

from gramprobe.certify.check import check_model, check_proof
from gramprobe.certify.classical import Core, Problem, problems
from gramprobe.certify.model import Model
from gramprobe.certify.reject import CertificateError
from gramprobe.decide.prove import herbrand, types, venn
from gramprobe.decide.prove.completion import completed
from gramprobe.decide.question import Answer, Open, Question, Refutation, Value, Wanted, resolved
from gramprobe.decide.search.bound import Bound, bound_of
from gramprobe.decide.search.sat import Finder
from gramprobe.decide.search.tables import Tables
from gramprobe.formula.ast import Formula
from gramprobe.formula.encoding import Json, formula_from, theory_from_json
from gramprobe.formula.theory import TheorySlice

Prover: TypeAlias = Callable[[Sequence[Problem]], Sequence["Mapping[str, Any] | Model | None"]]

FEW_WORLDS = 2
FEW_MORE = 2
"""The first search: so many worlds, and so many individuals beside the named ones."""


class Disagreement(AssertionError):
    """The kernel does not confirm what an engine found: a fault of our own, never an author's."""


def ask(question: Question, oracle: str | None = None) -> Answer:
    """A model (evaluated again by the kernel), a refutation, or Open. A formula `? F` stands for F.

    `oracle` names an outside prover for what the engines here leave open. Raises ValueError for a formula that
    has no truth value yet (updates, exh, free variables).
    """
    theory, formulas = resolved(question.theory, [formula for formula, _ in question.wanted])
    wanted = tuple((formula, value) for formula, (_, value) in zip(formulas, question.wanted, strict=True))
    return settle(theory, {"wanted": wanted}, oracle)["wanted"]


def satisfiable(theory: TheorySlice, *formulas: Formula, oracle: str | None = None) -> Answer:
    """A model in which all formulas are true: the test behind `fits` and the equivalence of readings."""
    return ask(Question(theory, tuple((formula, "T") for formula in formulas)), oracle)


def settle(
    theory: Mapping[str, Any],
    questions: Mapping[str, Wanted],
    oracle: str | None = None,
    thorough: bool = True,
    unless: Mapping[str, Sequence[str]] | None = None,
) -> dict[str, Answer]:
    """The answer to each question (by its key) in a theory slice as JSON data.

    `unless`: questions that nobody needs to answer when one of some others has a model; they may be left out.
    `oracle`: an outside prover to ask for what is left open; not `thorough`: without the last,
    long searches. Raises Disagreement where an engine is wrong, ValueError for a formula that has no truth value.
    """
    case = _Case(theory, questions, unless or {})
    case.ask(types.prove)
    case.search(small=True)
    for prove in (venn.prove, herbrand.prove) if case.counts else (herbrand.prove, venn.prove):
        case.ask(prove)
    if thorough:
        case.ask(types.prove_more)
        case.search(small=False)
        case.ask(venn.prove_more)
    if oracle is not None:
        case.ask_outside(oracle)
    for key in case.open:
        bound = case.bound
        case.found[key] = Open(bound.number, bound.worlds, bound.individuals, bound.occasions)
    return case.found


class _Case:
    """Questions of one theory and what is known of them."""

    def __init__(
        self, theory: Mapping[str, Any], questions: Mapping[str, Wanted], unless: Mapping[str, Sequence[str]]
    ) -> None:
        self.theory, self.questions, self.unless = theory, questions, unless
        self.found: dict[str, Answer] = {}
        try:
            self.problems = dict(zip(questions, problems(theory, list(questions.values())), strict=True))
        except CertificateError as error:
            raise ValueError(str(error)) from None
        self._bound: Bound | None = None

    @property
    def counts(self) -> bool:
        """Whether more is counted than whether there are any."""
        return any(_counts(formula) for each in self.problems.values() for formula in (*each.axioms, *each.goals))

    @property
    def open(self) -> list[str]:
        """The questions without an answer that still need one."""
        return [
            key
            for key in self.questions
            if key not in self.found
            and not any(isinstance(self.found.get(other), Model) for other in self.unless.get(key, ()))
        ]

    def ask(self, prove: Prover) -> None:
        """Let an engine prove what it can, or propose a model."""
        keys = self.open
        if not keys:
            return
        for key, answer in zip(keys, prove([self.problems[key] for key in keys]), strict=True):
            if isinstance(answer, Model):
                self.propose(key, answer)
            elif answer is not None:
                self.refuted(key, answer)

    def refuted(self, key: str, proof: Mapping[str, Any]) -> None:
        """Take a proof that the kernel accepts."""
        try:
            check_proof(self.problems[key], proof)
        except CertificateError as error:
            raise Disagreement(f"{error}: {proof} of {self.problems[key]}") from error
        self.found[key] = Refutation(proof)

    def propose(self, key: str, model: Model) -> None:
        """Take a model if it is one: what an engine of proofs proposes may fall short of the frames."""
        if not self.is_model(key, model):
            formulas = [*self.theory["postulates"], *(formula for formula, _ in self.questions[key])]
            model = completed(model, formulas)
            if not self.is_model(key, model):
                return
        self.found[key] = model

    def is_model(self, key: str, model: Model) -> bool:
        """Whether the kernel finds that the model answers the question."""
        try:
            check_model(self.theory, self.questions[key], model)
        except ValueError:
            return False
        return True

    def search(self, small: bool) -> None:
        """Look for models, first of a small size, later up to the bound."""
        keys = self.open
        if not keys:
            return
        theory = theory_from_json(self.theory)
        formulas: dict[int, Json] = {}
        for key in keys:
            for formula, _ in self.questions[key]:
                formulas[id(formula)] = formula[1] if formula[0] == "question" else formula
        number = {each: at for at, each in enumerate(formulas)}
        wanted: dict[str, list[tuple[int, Value]]] = {
            key: [(number[id(formula)], value) for formula, value in self.questions[key]] for key in keys
        }
        read = [formula_from(formula) for formula in formulas.values()]
        bound = self._bound = self._bound or bound_of(read, theory.postulates)
        few = Bound(
            min(bound.worlds, FEW_WORLDS),
            min(bound.individuals, max(bound.names, 1) + FEW_MORE),
            min(bound.occasions, FEW_MORE),
            (), bound.modal, bound.quantified, bound.names,
        )  # fmt: skip
        if small:
            for size in _sizes(few):
                tables = Tables.tiny(theory, read, *size)
                if tables is None:
                    break
                self.found_by(tables, wanted)
                if not self.open:
                    return
            else:
                return
        elif few == replace(bound, counts=()):
            return
        with Finder(theory, read, few if small else bound) as finder:
            self.found_by(finder, wanted)

    def found_by(self, finder: Tables | Finder, wanted: Mapping[str, list[tuple[int, Value]]]) -> None:
        """Take the models that a finder finds."""
        for key in self.open:
            answer = finder.find(wanted[key])
            if answer is not None:
                self.confirmed(key, answer)

    def confirmed(self, key: str, model: Model) -> None:
        """Take a model of the finder, which owes real ones (but for sets of worlds with conditions on them)."""
        self.propose(key, model)
        by_sets = any(kind in ("neighbourhood", "dual") for _, kind, *_ in self.theory["operators"])
        if key not in self.found and not by_sets:
            raise Disagreement(f"no model of {self.problems[key]}: {model.to_json()}")

    @property
    def bound(self) -> Bound:
        """How far the finder looked."""
        assert self._bound is not None
        return self._bound

    def ask_outside(self, oracle: str) -> None:
        """Ask a prover of another house; what it says is taken on trust and marked so."""
        from gramprobe.decide.prove.outside import prove

        for key in self.open:
            proof = prove(self.problems[key], oracle)
            if proof is not None:
                self.found[key] = Refutation(proof)


def _sizes(few: Bound) -> list[tuple[int, int, int]]:
    """Worlds, individuals and occasions to look through, small ones first, up to a bound."""
    least = max(few.names, 1)
    sizes = product(
        range(1, few.worlds + 1), range(least, few.individuals + 1), range(min(few.occasions, 1), few.occasions + 1)
    )
    return sorted(sizes, key=lambda size: (sum(size), size))


def _counts(formula: Core) -> bool:
    return formula[0] in ("atleast", "most") or any(type(part) is tuple and _counts(part) for part in formula[1:])
