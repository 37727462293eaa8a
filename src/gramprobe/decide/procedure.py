"""The order of the engines: a question is answered by a model, or by a proof that there is no model.

    types       propositional modal formulas: a model or a refutation, whatever the size
    finder      models of up to two worlds and a few more individuals than are named
    herbrand    instances of quantified formulas: a refutation, or a model if these are all instances
    venn        counting over one-place predicates: a model or a refutation; before herbrand if formulas count
    finder      models of counted individuals up to the largest count; before herbrand if formulas count
    types       once more, with the instances of quantified formulas for names
    venn        once more, with clauses about an arbitrary individual, then with names for witnesses
    finder      models up to the bound; venn behind it where no formula counts
    outside     an outside prover, when asked for
    Open        no model and no proof

Several questions of one theory share closures, tables and groundings. Every model is confirmed by the kernel's
evaluator, every proof is checked by the kernel before it counts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import product
from typing import Any, TypeAlias

from gramprobe.certify.check import check_model
from gramprobe.certify.classical import Core, Problem, problems
from gramprobe.certify.model import Model
from gramprobe.certify.reject import CertificateError, Unfollowed
from gramprobe.decide.prove import check_once, herbrand, note_refuted, types, venn, was_refuted
from gramprobe.decide.prove.interpretation import completed
from gramprobe.decide.question import Answer, Open, Question, Refutation, Value, Wanted, resolved
from gramprobe.decide.search.bound import Bound, bound_of
from gramprobe.decide.search.sat import Finder
from gramprobe.decide.search.tables import Tables
from gramprobe.formula.ast import Formula
from gramprobe.formula.encoding import Json, formula_from, theory_from_json
from gramprobe.formula.measure import Nodes
from gramprobe.formula.theory import TheorySlice
from gramprobe.stop import ask_stop

Prover: TypeAlias = Callable[[Sequence[Problem]], Sequence["Mapping[str, Any] | Model | None"]]

FEW_WORLDS = 2
FEW_MORE = 2
"""The first search: up to FEW_WORLDS worlds, and FEW_MORE individuals beside the named ones."""
SEVERAL = 6
"""So many individuals beside the named ones, where counting has not refuted at once."""


class Disagreement(AssertionError):
    """The kernel does not confirm a model or proof of an engine: a fault of gramprobe, never of an author."""


def ask(question: Question, oracle: str | None = None) -> Answer:
    """A model (evaluated again by the kernel), a refutation, or Open. A formula `? F` stands for F.

    `oracle` names an outside prover for questions that the engines leave open. Raises ValueError for a formula that
    has no truth value yet (updates, exh, free variables).
    """
    theory, formulas = resolved(question.theory, [formula for formula, _ in question.wanted])
    wanted = tuple((formula, value) for formula, (_, value) in zip(formulas, question.wanted, strict=True))
    return answers(theory, {"wanted": wanted}, oracle)["wanted"]


def answers(
    theory: Mapping[str, Any],
    questions: Mapping[str, Wanted],
    oracle: str | None = None,
    thorough: bool = True,
    unless: Mapping[str, Sequence[str]] | None = None,
    candidates: Mapping[str, Sequence[Model]] | None = None,
    idle: Mapping[str, Sequence[str]] | None = None,
    known: Mapping[str, Answer] | None = None,
) -> dict[str, Answer]:
    """The answer to each question (by its key) in a theory slice as JSON data.

    `unless`: for a question, those that make it needless if one of them has a model; it may have no answer then.
    `idle`: the same, but such a question is left out behind the first search for models.
    `candidates`: for a question, models that are tried before any engine. `known`: answers that follow from those of
    other questions (`skeleton`); a model is tried, too, and where there is none, none is searched for. `oracle`: an
    outside prover for questions left open; not `thorough`: without the last, long searches. Raises Disagreement if the
    kernel rejects the result of an engine, ValueError for a formula without a truth value, and NoSuchProver.
    """
    known, candidates = known or {}, candidates or {}
    case = Case(theory, questions, unless, absent={key for key in known if isinstance(known[key], Refutation)})
    for key in questions:
        for model in (*candidates.get(key, ()), known.get(key)):
            if isinstance(model, Model) and key in case.open:
                case.propose(key, model)
    return case.answered(oracle, thorough, idle)


class Case:
    """Questions of one theory and their answers so far.

    `besides`: questions that nothing is done for, but which may get a model where others are searched for. Not
    `smallest`: models of the finder may have more worlds and individuals than they need. `absent`: questions that are
    known to have no model, so that a proof alone is looked for. Not `shown`: the answers are those of a skeleton, and
    the kernel looks at what becomes of them, not at models of the finder and refutations by elimination of types.
    """

    def __init__(
        self,
        theory: Mapping[str, Any],
        questions: Mapping[str, Wanted],
        unless: Mapping[str, Sequence[str]] | None = None,
        besides: Container[str] = (),
        smallest: bool = True,
        absent: Collection[str] = (),
        shown: bool = True,
    ) -> None:
        self.theory, self.questions, self.unless, self.besides = theory, questions, unless or {}, besides
        self.smallest, self.absent, self.shown = smallest, absent, shown
        self.answers: dict[str, Answer] = {}
        self._searched: list[Bound] = []

    @cached_property
    def problems(self) -> dict[str, Problem]:
        """What engines are asked for each question. Raises ValueError for a formula without a truth value."""
        try:
            return dict(zip(self.questions, problems(self.theory, list(self.questions.values())), strict=True))
        except CertificateError as error:
            raise ValueError(str(error)) from None

    @cached_property
    def counts(self) -> bool:
        """Whether some formula counts individuals, beyond whether there are any."""
        return any(_counts(formula) for each in self.problems.values() for formula in (*each.axioms, *each.goals))

    @property
    def open(self) -> list[str]:
        """The questions without an answer that still need one."""
        return [
            key
            for key in self.questions
            if key not in self.answers and key not in self.besides and not self._is_needless(key)
        ]

    def _is_needless(self, key: str) -> bool:
        """Whether a question that makes this one needless has a model."""
        return any(isinstance(self.answers.get(other), Model) for other in self.unless.get(key, ()))

    def answered(
        self, oracle: str | None = None, thorough: bool = True, idle: Mapping[str, Sequence[str]] | None = None
    ) -> dict[str, Answer]:
        """All answers, when the engines have been asked what is open; `answers` says what the arguments mean."""
        self.ask_together(types.prove)
        self.search()
        self.unless = {**self.unless, **(idle or {})}
        if thorough and self.open and self.counts:  # there is a model of what counting leaves open, most often
            self.ask(venn.prove)
            self.search_counted()
        self.ask_provers()
        if thorough:
            self.prove_more()
        if oracle is not None:
            self.ask_outside(oracle)
        for key in self.open:
            bound = self.bound
            self.answers[key] = Open(bound.number, bound.worlds, bound.individuals, bound.occasions)
        return self.answers

    def ask_together(self, prove: Prover) -> None:
        """Let an engine that takes all problems at once prove what it can, or propose models."""
        ask_stop()
        keys = self.open
        if keys:
            for key, answer in zip(keys, prove([self.problems[key] for key in keys]), strict=True):
                self.accept(key, answer)

    def ask(self, prove: Callable[..., Sequence[Mapping[str, Any] | Model | None]]) -> None:
        """Let an engine prove what it can, or propose a model, question by question: an answer may make others
        needless. What the kernel cannot follow it proves again, with a check of its own (`sure`): the steps of a solver
        are checked once, by the kernel."""
        for key in self.open:
            ask_stop()
            if key in self.open:
                (answer,) = prove([self.problems[key]])
                self.accept(key, answer, partial(prove, sure=True))

    def ask_provers(self) -> None:
        """Ask the provers by instances and by counting; the latter first if formulas count."""
        for prove in (venn.prove, herbrand.prove) if self.open and self.counts else (herbrand.prove, venn.prove):
            self.ask(prove)

    def prove_more(self) -> None:
        """The last, long searches."""
        self.search_counted()
        self.ask_together(types.prove_more)
        for limit in self.limits[1:] if self.open else ():
            self.ask(venn.prove_more)  # what counting refutes, a search refutes for each number up to the bound
            self.search_up_to(limit)
        self.ask(venn.prove_more)

    def accept(self, key: str, answer: Mapping[str, Any] | Model | None, surely: Prover | None = None) -> None:
        """Take what an engine has found, if anything, as an answer."""
        if isinstance(answer, Model):
            self.propose(key, answer)
        elif answer is not None:
            self.accept_proof(key, answer, surely)

    def accept_proof(self, key: str, proof: Mapping[str, Any], surely: Prover | None = None) -> None:
        """Take a proof as an answer. Raises Disagreement unless the kernel accepts it; one that it cannot follow is
        searched for again, ``surely``."""
        try:
            if self.shown or proof["kind"] != "type-elimination":
                check_once(self.problems[key], proof)
        except CertificateError as error:
            if not isinstance(error, Unfollowed) or surely is None:
                raise Disagreement(f"{error}: {proof} of {self.problems[key]}") from error
            (answer,) = surely([self.problems[key]])
            self.accept(key, answer)
            return
        note_refuted(self.problems[key], proof)
        self.answers[key] = Refutation(proof)

    def propose(self, key: str, model: Model) -> None:
        """Take a candidate as an answer if the kernel accepts it: those of the provers may violate the frames."""
        if not self.is_model(key, model):
            formulas = [*self.theory["postulates"], *(formula for formula, _ in self.questions[key])]
            given, model = model, completed(model, formulas)
            if model == given or not self.is_model(key, model):
                return
        self.answers[key] = model

    def is_model(self, key: str, model: Model) -> bool:
        """Whether the model answers the question, as the kernel evaluates it."""
        try:
            check_model(self.theory, self.questions[key], model)
        except ValueError:
            return False
        return True

    @cached_property
    def _read(self) -> tuple[TheorySlice, list[Formula], dict[str, list[tuple[int, Value]]], Nodes]:
        """The theory, the formulas, what is wanted of them for each question, and what is known of them."""
        formulas: dict[int, Json] = {}
        for wanted in self.questions.values():
            for formula, _ in wanted:
                formulas[id(formula)] = formula[1] if formula[0] == "question" else formula
        number = {each: at for at, each in enumerate(formulas)}
        numbered = {
            key: [(number[id(formula)], value) for formula, value in wanted] for key, wanted in self.questions.items()
        }
        return theory_from_json(self.theory), [formula_from(each) for each in formulas.values()], numbered, Nodes()

    @cached_property
    def bound(self) -> Bound:
        """The largest size that the finder searches."""
        theory, formulas, _, nodes = self._read
        return bound_of(formulas, theory.postulates, nodes)

    @cached_property
    def few(self) -> Bound:
        """The size of the first search."""
        bound = self.bound
        return replace(
            bound,
            worlds=min(bound.worlds, FEW_WORLDS),
            individuals=min(bound.individuals, max(bound.names, 1) + FEW_MORE),
            occasions=min(bound.occasions, FEW_MORE),
            counts=(),
        )

    @property
    def several(self) -> Bound:
        """The size of a search between these two: that of a larger bound takes long to end in vain."""
        bound = self.bound
        individuals, occasions = min(bound.individuals, bound.names + SEVERAL), min(bound.occasions, SEVERAL)
        return replace(bound, individuals=individuals, occasions=occasions, counts=())

    @cached_property
    def limits(self) -> list[Bound]:
        """The sizes of the searches behind the first: a model of the largest count has room for every count, and a
        grounding costs powers of its size."""
        bound = self.bound
        if self.few == replace(bound, counts=()):
            return []
        counted = replace(bound, individuals=min(bound.individuals, max(self.few.individuals, *bound.counts, 0)))
        return [bound] if counted == bound else [counted, bound]

    @cached_property
    def _vain(self) -> set[str]:
        """The questions that have no model, or were refuted before: a search ends as soon as only they are open, as the
        same engine will refute them again."""
        return {key for key in self.open if key in self.absent or was_refuted(self.problems[key])}

    def search(self) -> None:
        """Search for models of a small size."""
        if self.open and not self._vain.issuperset(self.open):
            theory, formulas, _, nodes = self._read
            for size in _sizes(self.few):
                if self._vain.issuperset(self.open):
                    return
                tables = Tables.tiny(theory, formulas, *size, nodes=nodes)
                if tables is None:
                    self.search_up_to(self.few)
                    return
                self.search_with(tables)

    def search_counted(self) -> None:
        """Search for models up to the first of the limits."""
        for limit in self.limits[:1] if self.open else ():
            self.search_up_to(limit)

    def search_up_to(self, limit: Bound) -> None:
        """Search for models up to a size, once."""
        if limit not in self._searched and not self._vain.issuperset(self.open):
            self._searched.append(limit)
            theory, formulas, _, nodes = self._read
            with Finder(theory, formulas, limit, nodes, self.smallest) as finder:
                self.search_with(finder)

    def search_with(self, finder: Tables | Finder) -> None:
        """Take the models of a finder as answers to the open questions."""
        besides = [key for key in self.questions if key in self.besides and key not in self.answers]
        for key in (*self.open, *besides):
            ask_stop()
            if self._is_needless(key):
                continue
            answer = finder.find(self._read[2][key])
            if answer is not None:
                self.accept_model(key, answer)

    def accept_model(self, key: str, model: Model) -> None:
        """Take a model of the finder as an answer. Raises Disagreement unless the kernel accepts it.

        With sets of worlds the finder's models are only candidates: it does not know all conditions on them.
        """
        by_sets = any(kind in ("neighbourhood", "dual") for _, kind, *_ in self.theory["operators"])
        if not self.shown and not by_sets:
            self.answers[key] = model
            return
        self.propose(key, model)
        if key not in self.answers and not by_sets:
            raise Disagreement(f"no model of {self.problems[key]}: {model.to_json()}")

    def ask_outside(self, oracle: str) -> None:
        """Ask an outside prover; its answer is taken on trust and marked so."""
        from gramprobe.decide.prove.outside import prove

        for key in self.open:
            proof = prove(self.problems[key], oracle)
            if proof is not None:
                self.answers[key] = Refutation(proof)


def _sizes(few: Bound) -> list[tuple[int, int, int]]:
    """The sizes to search, up to a bound, small ones first: (worlds, individuals, occasions)."""
    least = max(few.names, 1)
    sizes = product(
        range(1, few.worlds + 1), range(least, few.individuals + 1), range(min(few.occasions, 1), few.occasions + 1)
    )
    return sorted(sizes, key=lambda size: (sum(size), size))


def _counts(formula: Core) -> bool:
    return formula[0] in ("atleast", "most") or any(type(part) is tuple and _counts(part) for part in formula[1:])
