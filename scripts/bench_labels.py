"""The figures of `make bench` about labels: the suite of tests/suite, decided here and by cvc5 and z3.

Every figure is of one process and one run: read the ratios. A shape is new: nothing is taken from a cache, and its
certificate is written. cvc5 and z3 read the same SMT-LIB text of each question (which value can the hypothesis have
where the premise is committed?). Both times start from the shape: the solver's includes the translation and no check of
any proof, gramprobe's the kernel's check of every model and proof. The solver's process runs before the clock starts.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from multiprocessing import TimeoutError, get_context
from pathlib import Path
from typing import Any

from figures import record_figures

import gramprobe
from gramprobe.certify.classical import Problem, problem
from gramprobe.certify.model import Model
from gramprobe.decide import exhaustify, reduce
from gramprobe.decide.label import Decider
from gramprobe.decide.procedure import answers as answers_to
from gramprobe.decide.prove.translation import NotFirstOrder, smt_lib
from gramprobe.decide.question import Refutation, Value, Wanted
from gramprobe.decide.reduce import needs_reduction
from gramprobe.decide.search.planes import Planes
from gramprobe.decide.search.tables import Tables
from gramprobe.decide.verdict import certificate_line
from gramprobe.formula import ast
from gramprobe.formula.ast import Formula
from gramprobe.formula.binding import rename
from gramprobe.formula.measure import Nodes
from gramprobe.formula.notation import parse
from gramprobe.formula.theory import Operator, TheorySlice
from gramprobe.judge.typed import Decided, decided

SUITE = Path(__file__).resolve().parents[1] / "tests" / "suite"
SECONDS = 1.0
VALUES: tuple[Value, ...] = ("T", "F", "U")
CHUNK = 10_000
EVERY = {"cvc5": 1, "z3": 6}
"""Which shapes a solver is asked: z3 leaves many questions open, each for SECONDS, so that all would take long."""


def suite() -> list[Decided]:
    """Every row of the suite, read and decided once."""
    sys.path.append(str(SUITE))
    rows = import_module("suite_rows").rows()
    declarations = gramprobe.load(path=SUITE).declarations
    return [decided(row.premise, row.hypothesis, row.theory, declarations) for row in rows]


def one_of_each_shape(pairs: Sequence[Decided]) -> list[Decided]:
    """The last pair of each shape."""
    return list({pair.decision.shape.text: pair for pair in pairs}.values())


def new_shapes(shapes: Sequence[Decided]) -> tuple[float, Counter[str]]:
    """Median milliseconds per new shape, its certificate written; and how many certificates of each kind."""
    times, kinds = [], Counter[str]()
    exhaustify.excludable.cache_clear()
    reduce._possible.cache_clear()
    for each in shapes:
        start = time.perf_counter()
        decision = Decider().decision(each.premise, each.hypothesis, each.slice)
        line = json.dumps(certificate_line(decision.shape, decision.verdict))
        times.append(time.perf_counter() - start)
        assert line
        kinds[decision.verdict.kind] += 1
    return statistics.median(times) * 1000, kinds


def evaluations(models: int = 1 << 20) -> Iterator[tuple[str, float]]:
    """Model evaluations a second of three formulas, each on one batch of random models."""
    attitudes = TheorySlice(operators=(Operator(name="B", kind="box"), Operator(name="K", kind="box")))
    for premise, theory, worlds, individuals in (
        ("B[a] K[b] p -> B[a] p", attitudes, 3, 2),
        ("(exists x. (dentist(x) & B[a] sing(x))) -> B[a] exists x. (dentist(x) & sing(x))", attitudes, 3, 3),
        ("forall x. (farmer(x), exists y. (donkey(y), own(x, y)))", TheorySlice(), 1, 4),
    ):
        formula = parse(premise)
        batch = Tables.sampled(theory, [formula], worlds, individuals, models=models, seed=0).batch
        operators = {operator.name: operator for operator in theory.operators}
        times = []
        for _ in range(5):
            planes = Planes(batch, operators, theory.projection, Nodes())
            start = time.perf_counter()
            planes.plane(formula, True)
            times.append(time.perf_counter() - start)
        yield premise, models / statistics.median(times)


def renamed_pairs(shapes: Sequence[Decided], number: int) -> float:
    """Seconds to canonicalise and label ``number`` pairs of the suite with other names; the renaming is not counted."""
    plain = [
        each
        for each in shapes
        if not (needs_reduction(each.premise, each.slice) or needs_reduction(each.hypothesis, each.slice))
    ]
    decider, seconds = Decider(), 0.0
    for each in plain:
        decider.decision(each.premise, each.hypothesis, each.slice)
    for first in range(0, number, CHUNK):
        pairs = [_renamed(plain[at % len(plain)], at) for at in range(first, min(first + CHUNK, number))]
        start = time.perf_counter()
        for premise, hypothesis, theory in pairs:
            decider.decision(premise, hypothesis, theory)
        seconds += time.perf_counter() - start
    if len(decider.verdicts) > len(plain):
        raise AssertionError("a renamed pair has another shape")
    return seconds


def _renamed(each: Decided, number: int) -> tuple[Formula, Formula, TheorySlice]:
    """The pair under names that no other number has; operators keep theirs, which are the theory's."""
    decision = each.decision
    in_postulates = {name for postulate in each.slice.postulates for name in _names(postulate)}
    old = [*(name for name, _ in decision.renaming.predicates), *decision.renaming.constants]
    new = {name: f"{name}_{number}" for name in old if name not in in_postulates}
    return rename(each.premise, new), rename(each.hypothesis, new), each.slice


def _names(formula: Formula) -> Iterator[str]:
    for part in ast.walk(formula):
        if isinstance(part, ast.Atom):
            yield part.predicate
        elif isinstance(part, ast.Const):
            yield part.name


@dataclass(slots=True)
class Comparison:
    """One outside solver on the suite.

    Attributes:
        theirs, ours: seconds for each question, of the solver and of gramprobe.
        answers: how many questions it answered with sat, unsat, unknown.
        left_open: questions that it decides and gramprobe does not.
        contradicted: questions with opposite answers.
    """

    name: str
    theirs: list[float] = field(default_factory=list)
    ours: list[float] = field(default_factory=list)
    answers: Counter[str] = field(default_factory=Counter)
    left_open: list[str] = field(default_factory=list)
    contradicted: list[str] = field(default_factory=list)

    @property
    def ratio(self) -> float:
        """Median of their times over the median of ours, per question."""
        return statistics.median(self.theirs) / statistics.median(self.ours)


def compare(shapes: Sequence[Decided], name: str) -> Comparison:
    """A solver on every first-order question of the suite. Raises ImportError where it is not installed."""
    outside, comparison = Outside(name), Comparison(name)
    for each in shapes:
        data = json.loads(each.decision.shape.text)
        theory, premise, hypothesis = data["theory"], data["premise"], data["hypothesis"]
        committed: tuple[Any, Value] = (premise, "D" if premise[0] == "question" else "T")
        questions: dict[str, Wanted] = {value: (committed, (hypothesis, value)) for value in VALUES}
        texts, translated = {}, 0.0
        for value, wanted in questions.items():
            start = time.perf_counter()
            texts[value] = _text(problem(theory, wanted))
            translated += (time.perf_counter() - start) / len(questions)
        if None in texts.values():
            continue
        start = time.perf_counter()
        answers = answers_to(theory, questions)
        took = (time.perf_counter() - start) / len(questions)
        for value, text in texts.items():
            assert text is not None
            theirs, seconds = outside.ask(text)
            comparison.theirs.append(translated + seconds)
            comparison.ours.append(took)
            comparison.answers[theirs] += 1
            ours = answers[value]
            asked = f"{each.theory}: {_shown(each)} ({value})"
            if theirs != "unknown" and not isinstance(ours, Model | Refutation):
                comparison.left_open.append(asked)
            if (theirs == "unsat" and isinstance(ours, Model)) or (theirs == "sat" and isinstance(ours, Refutation)):
                comparison.contradicted.append(asked)
    outside.close()
    return comparison


def _shown(each: Decided) -> str:
    from gramprobe.formula.notation import show

    return f"{show(each.premise)} |= {show(each.hypothesis)}"


def _text(asked: Problem) -> str | None:
    try:
        return smt_lib(asked)
    except NotFirstOrder:
        return None


def _cvc5(text: str) -> str:
    cvc5: Any = import_module("cvc5")
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("finite-model-find", "true")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "problem")
    while not (command := parser.nextCommand()).isNull():
        command.invoke(solver, parser.getSymbolManager())
    result = solver.checkSat()
    return "sat" if result.isSat() else "unsat" if result.isUnsat() else "unknown"


def _z3(text: str) -> str:
    z3: Any = import_module("z3")
    solver = z3.Solver()
    solver.set("timeout", int(SECONDS * 1000))
    solver.from_string(text)
    return str(solver.check())


class Outside:
    """A solver in a process that is kept, and ended when it does not answer: cvc5 does not always heed its limit."""

    def __init__(self, name: str) -> None:
        self.solve = {"cvc5": _cvc5, "z3": _z3}[name]
        import_module(name)
        self.pool: Any = None

    def ask(self, text: str) -> tuple[str, float]:
        """The solver's answer (sat, unsat, unknown), and the seconds it took."""
        if self.pool is None:
            self.pool = get_context("spawn").Pool(1)
            self.pool.apply(_timed, (self.solve, "(set-logic UF)(declare-const p Bool)(assert p)"))
        try:
            answer: tuple[str, float] = self.pool.apply_async(_timed, (self.solve, text)).get(SECONDS + 0.5)
        except TimeoutError:
            self.close()
            return "unknown", SECONDS
        return answer

    def close(self) -> None:
        if self.pool is not None:
            self.pool.terminate()
            self.pool.join()
            self.pool = None


def _timed(solve: Callable[[str], str], text: str) -> tuple[str, float]:
    start = time.perf_counter()
    answer = solve(text)
    return answer, time.perf_counter() - start


def report(pairs: int) -> None:
    """Measure every figure; ``pairs``: how many renamed pairs."""
    rows = suite()
    shapes = one_of_each_shape(rows)
    median, kinds = new_shapes(shapes)
    print(f"\nthe suite: {len(rows)} pairs, {len(shapes)} shapes")
    for kind, number in kinds.most_common():
        print(f"  {number / len(shapes):>6.1%}  {kind}")
    rates = dict(evaluations())
    for formula, rate in rates.items():
        print(f"{rate:>18,.0f} model evaluations a second: {formula}")
    record_figures(
        {"shape": median, "evaluations": max(rates.values()), "renamed": renamed_pairs(shapes, pairs) * 1e6 / pairs}
    )
    left_open, contradicted, solvers = 0, 0, 0
    for name in ("cvc5", "z3"):
        try:
            other = compare(shapes[:: EVERY[name]], name)
        except ImportError:
            print(f"{name} is not installed: pip install '.[bench]'")
            continue
        answers = ", ".join(f"{number} {answer}" for answer, number in other.answers.most_common())
        print(f"{name}: {answers}; in all {sum(other.theirs):.1f} s, here {sum(other.ours):.1f} s")
        for each in (*other.left_open, *other.contradicted):
            print(f"  {'CONTRADICTED' if each in other.contradicted else 'left open here'}: {each}")
        record_figures({name: other.ratio})
        left_open += len(other.left_open)
        contradicted += len(other.contradicted)
        solvers += 1
    if solvers:
        record_figures({"left_open": left_open, "contradicted": contradicted})
