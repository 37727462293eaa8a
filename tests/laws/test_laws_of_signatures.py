"""Every class of formula goes through every pass: a class that forgets one fails here by that pass's name.

`PASSES` are all passes over formulas, each with what it promises of a sample; the kernel's own tables are among them,
so that they are held together with the signatures of `formula.ast`. The second half adds a class at test time, the
conditional `p > q` of de Finetti 1936 (as q where p is true, else undefined), and takes one fact or one rule of it away
at a time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from types import SimpleNamespace
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, Phase, find, settings
from msgspec import Struct
from msgspec.structs import replace
from strategies import BY_NAME, KINDS, OPERATORS, anything

from gramprobe.certify import check, classical, evaluator, principles
from gramprobe.certify.check import check_entry
from gramprobe.certify.evaluator import projection_of, value
from gramprobe.certify.model import Extension, Model
from gramprobe.certify.product import Updating
from gramprobe.decide import narrative
from gramprobe.decide import reduce as reduction
from gramprobe.decide.exhaustify import strengthened
from gramprobe.decide.label import Decider
from gramprobe.decide.reduce import needs_reduction
from gramprobe.decide.search.bound import Bound
from gramprobe.decide.search.sat import Finder
from gramprobe.decide.search.tables import Tables
from gramprobe.decide.verdict import certificate_line
from gramprobe.explain.reason import Reasons
from gramprobe.formula import ast, lexer, notation, sorts, trivalence
from gramprobe.formula import binding as renaming
from gramprobe.formula import canonical as shape
from gramprobe.formula.alternatives import alternatives
from gramprobe.formula.ast import Formula, Infix, NoRule, Signature, declare
from gramprobe.formula.binding import free_variables, rename, substituted
from gramprobe.formula.canonical import canonical, restored
from gramprobe.formula.definitions import expand
from gramprobe.formula.encoding import event_to_json, formula_from, from_json, to_json
from gramprobe.formula.measure import max_count, modal_depth, symbols
from gramprobe.formula.notation import parse, parse_meaning, show
from gramprobe.formula.theory import STRONG, Action, Definition, EventModel, TheorySlice
from gramprobe.formula.updates import Language, dangers, has_updates, reduced
from gramprobe.meaning.antecedents import accessible, tidied
from gramprobe.meaning.check import _Checker
from gramprobe.meaning.conveyed import at_actual
from gramprobe.meaning.terms import Terms
from gramprobe.resolve.grammar.types import E_TYPE, T_TYPE, Function
from gramprobe.resolve.theory import axioms
from gramprobe.resolve.theory.axioms import nonempty, polarities

CLASSES: tuple[type, ...] = get_args(Formula)
TEXTS = (
    "true", "f(a)", "a = b", "~p", "p & q", "p | q", "p -> q", "p <-> q", "exactly 2 x. (f(x), g(x))", "K[a] p",
    "p / q", "? p", "p @ here", "exh (p | q)", "[! p] q", "[E(a)] q", r"\x. f(x)",
)  # fmt: skip
SAMPLES: dict[type, Formula] = {type(sample): sample for sample in map(ast.as_formula, map(parse_meaning, TEXTS))}
EVENT = EventModel("E", "e", (Action("e", parse("p"), ((parse("q"), parse("p")),)),), (), ("u",))  # type: ignore[arg-type]
LANGUAGE = Language(BY_NAME, {"E": EVENT})
THEORY = TheorySlice(operators=OPERATORS, events=(EVENT,), distinct=True)
OUTERMOST = (ast.Interrogative,)


# ---- the passes


def stage(sample: Formula) -> str | None:
    return ast.SIGNATURES[type(sample)].stage


def above(sample: Formula) -> bool:
    """Whether a sample may stand below other formulas of a sentence."""
    return stage(sample) != "word" and not isinstance(sample, OUTERMOST)


@cache
def some_models() -> tuple[Model, ...]:
    """Ten models over the symbols of the samples."""
    chance, made = Random(1), []
    for _ in range(10):
        people, worlds = range(2), range(2)
        pairs = [(w, v) for w in worlds for v in worlds]
        extensions: dict[str, Extension] = {}
        for name in "pq":
            extensions[name] = tuple(frozenset({()} if chance.random() < 0.5 else ()) for _ in worlds)
        for name in "fg":
            extensions[name] = tuple(frozenset((who,) for who in people if chance.random() < 0.5) for _ in worlds)
        keys = [key for name in KINDS for key in (name, f"{name}[0]", f"{name}[1]")]
        made.append(
            Model(
                worlds=2, individuals=2, actual=chance.randrange(2), constants={"a": 0, "b": 1}, predicates=extensions,
                relations={key: frozenset(pair for pair in pairs if chance.random() < 0.6) for key in keys},
            )
        )  # fmt: skip
    return tuple(made)


def core(sample: Formula) -> Formula:
    """The sample as engines read it: without question mark, strengthening and updates."""
    body = sample.body if isinstance(sample, ast.Interrogative) else sample
    return reduced(body.body if isinstance(body, ast.Exhaustified) else body, LANGUAGE)


def _rebuilt(sample: Formula) -> None:
    ast.map_parts(lambda part: part, sample)
    copied = ast.map_parts(lambda part: from_json(to_json(part)), sample)  # parts that are equal, and others
    assert copied == sample


def _binding(sample: Formula) -> None:
    opened = ast.And(sample, ast.Atom("f", (ast.Var("w"),)))
    assert free_variables(substituted(opened, {"w": ast.Const("b")})) == free_variables(sample) == ()


def _symbols(sample: Formula) -> None:
    """What is mentioned is exactly what renaming would change."""
    used = symbols(sample)
    names = (*(p for p, _ in used.predicates), *used.constants, *(o for o, _ in used.operators))
    text = show(sample)
    assert all(name in text for name in names)
    assert modal_depth(sample) == (1 if isinstance(sample, ast.Modal) else 0)
    assert max_count(sample) == (2 if isinstance(sample, ast.Quantified) else 0)


def _sorts(sample: Formula) -> None:
    if stage(sample) != "word":
        assert sorts.resolve((sample, parse("always t. (r(t), r(t))")))[0] == sample


def _notation(sample: Formula) -> None:
    for unicode in (False, True):
        assert parse_meaning(show(sample, unicode)) == sample
        inside = ast.And(sample, ast.Not(sample))
        if above(sample) or stage(sample) == "word":
            assert parse_meaning(show(inside, unicode)) == inside


def _canonical(sample: Formula) -> None:
    if stage(sample) != "shape":
        with pytest.raises(ValueError, match="no place in a question"):
            canonical(sample, ast.TRUE, THEORY)
        return
    theory = TheorySlice(operators=OPERATORS, projection=STRONG)
    text, renaming = canonical(ast.TRUE, sample, theory)
    read = formula_from(json.loads(text)["hypothesis"])
    assert canonical(ast.TRUE, restored(read, renaming), theory)[0] == text
    beside, _ = canonical(ast.TRUE, ast.And(sample, ast.Atom("p")), theory)  # where strong Kleene fills a gap
    assert ('"projection":"strong"' in beside) == any(map(ast.may_be_undefined, ast.walk(sample)))


def _definitions(sample: Formula) -> None:
    if above(sample):
        definitions = {"nec": Definition("nec", None, "F", ast.And(sample, ast.Atom("F")))}
        assert expand(ast.Modal("nec", None, parse("q")), definitions) == ast.And(sample, parse("q"))


def _rename(sample: Formula) -> None:
    assert show(rename(sample, {"p": "pp", "f": "ff"})) == show(sample).replace("p", "pp").replace("f", "ff") or (
        isinstance(sample, (ast.Exhaustified, ast.Truth))
    )


def _alternatives(sample: Formula) -> None:
    if above(sample) and not isinstance(sample, ast.Exhaustified):
        assert alternatives(sample, (("p", "q"),), lambda each: each)[0] == sample


def _exhaustify(sample: Formula) -> None:
    if above(sample) and stage(sample) == "shape":
        assert strengthened(ast.Not(sample), THEORY, lambda formula: formula) == ast.Not(sample)


def _polarities(sample: Formula) -> None:
    """A predicate has one sign only where truth can only grow, or only shrink, as it is true of more."""
    if stage(sample) != "shape" or isinstance(sample, OUTERMOST):
        return
    signs: dict[str, set[bool]] = {}
    for predicate, sign in polarities(sample, True):
        signs.setdefault(predicate, set()).add(sign)
    data = to_json(sample)
    for model in some_models():
        for predicate, found in signs.items():
            if len(found) == 1:
                (sign,) = found
                more = tuple(frozenset({()} if not any(map(len, world)) else [(0,), (1,)]) for world in
                             model.predicates[predicate])  # fmt: skip
                wider = {**model.predicates, predicate: more if predicate in "pq" else (frozenset({(0,), (1,)}),) * 2}
                before, after = (value(data, m, "middle", KINDS) for m in (model, changed(model, wider)))
                low, high = (before, after) if sign else (after, before)
                assert (low, high) != ("T", "F")


def changed(model: Model, predicates: Any) -> Model:
    return Model(worlds=2, individuals=2, actual=model.actual, constants=model.constants, predicates=predicates,
                 relations=model.relations)  # fmt: skip


def _nonempty(sample: Formula) -> None:
    if above(sample):
        restrictor = ast.And(parse("f(x)", variables=("x",)), sample)
        whole = ast.Quantified(quantifier="forall", variable="x", restrictor=restrictor, scope=ast.TRUE)
        plain = stage(sample) == "shape" and not any(map(ast.may_be_undefined, ast.walk(sample)))
        assert any(part.scope == restrictor for part in nonempty((whole,)) if isinstance(part, ast.Quantified)) == plain


def _survival(sample: Formula) -> None:
    if stage(sample) == "shape" and above(sample):
        assert [*dangers(ast.Announced(parse("p"), sample), LANGUAGE)] == []


def _updates(sample: Formula) -> None:
    """What the reduction says is what the updated model says."""
    if not above(sample) or isinstance(sample, ast.Exhaustified):
        return
    formula = ast.Announced(parse("p | f(a)"), sample)
    static = to_json(reduced(formula, LANGUAGE))
    events = {"E": event_to_json(EVENT)}
    for model in some_models():
        direct = Updating(model, projection_of("middle"), KINDS, events).value(to_json(formula), model.actual, {})
        assert value(static, model, "middle", KINDS) == direct


def _needs_reduction(sample: Formula) -> None:
    assert needs_reduction(sample, THEORY) == (stage(sample) == "sentence")
    assert has_updates(sample) == (ast.SIGNATURES[type(sample)].worlds == "updated")


def _compose(sample: Formula) -> None:
    for made in (Terms().evaluate(sample, {}, set()), Terms().renewed(sample, {})):
        assert made == sample or ast.SIGNATURES[type(sample)].binds
        assert free_variables(made) == ()


def _at_actual(sample: Formula) -> None:
    """`@ here` is dropped where it has no effect, and nowhere else."""
    if stage(sample) == "shape" and above(sample):
        for inside in (sample, ast.map_children(lambda part: ast.Here(ast.Not(part)), sample)):
            for model in some_models():
                before, after = (value(to_json(each), model, "middle", KINDS) for each in (inside, at_actual(inside)))
                assert before == after
    else:
        at_actual(sample)


def _accessible(sample: Formula) -> None:
    """An indefinite is accessible only where its witness is there whenever the whole is true."""
    indefinite = parse("exists x. (f(x) & g(x))")
    held = ast.map_children(lambda _: indefinite, sample)
    opened = [*accessible(held)] if stage(sample) != "word" else []
    if indefinite in opened and stage(sample) == "shape":
        for model in some_models():
            if value(to_json(held), model, "middle", KINDS) == "T":
                assert value(to_json(indefinite), model, "middle", KINDS) == "T"
    if stage(sample) != "word":
        assert free_variables(tidied(held)[0]) == ()


def _types(sample: Formula) -> None:
    constants = {**dict.fromkeys("pq", T_TYPE), **dict.fromkeys("fg", Function(E_TYPE, T_TYPE)),
                 **dict.fromkeys("ab", E_TYPE)}  # fmt: skip
    grammar: Any = SimpleNamespace(constants=constants)
    checker = _Checker(SimpleNamespace(argument=lambda _: None), grammar)  # type: ignore[arg-type]
    wanted: Any = Function(E_TYPE, T_TYPE) if isinstance(sample, ast.Lambda) else T_TYPE
    checker.check(sample, wanted, {})


def _tables(sample: Formula) -> None:
    """The bit-parallel model checker has the kernel's values, in all models of a batch."""
    if stage(sample) == "word":
        return
    formula, data = core(sample), to_json(core(sample))
    tables = Tables.sampled(THEORY, [formula], 2, 3, models=30, seed=1)
    for number in range(tables.size):
        found = [each for each in "TFU" if tables.models([(0, each)]) >> number & 1]  # type: ignore[list-item]
        assert found == [value(data, tables.model(number), "middle", KINDS)]


def _finder(sample: Formula) -> None:
    """What SAT finds has the kernel's value, of three where the kernel knows three."""
    if stage(sample) == "word":
        return
    formula = core(sample)
    with Finder(THEORY, [formula], Bound(worlds=2, individuals=2, occasions=0)) as finder:
        for wanted in "TFU":
            model = finder.find([(0, wanted)])  # type: ignore[list-item]
            if isinstance(model, Model):
                assert value(to_json(formula), model, "middle", KINDS) == wanted


def _reasons(sample: Formula) -> None:
    if stage(sample) != "word":
        for model in some_models():
            assert Reasons(model, THEORY).because(core(sample))


def _partial(sample: Formula) -> None:
    """The kernel and the signatures agree on which formulas may be undefined by their form."""
    if stage(sample) == "shape":
        assert principles.partial(to_json(sample)) == any(map(ast.may_be_undefined, ast.walk(sample)))


def _decided(sample: Formula) -> None:
    """It is decided as a hypothesis and inside a premise, and the kernel checks the certificates."""
    if stage(sample) == "word":
        return
    decider = Decider(THEORY, dependence=True)
    decider.decision(parse("r"), sample)
    if above(sample):
        decider.decision(ast.And(sample, parse("r")), parse("q & f(b)"))
        decider.decision(ast.Modal("box", None, sample), parse("q & f(b)"))
    assert decider.decided()
    assert all(check_entry(certificate_line(*each)) for each in decider.decided())


PASSES: dict[str, Callable[[Formula], None]] = {
    "parts and rebuilt": _rebuilt,
    "binding": _binding,
    "symbols and measures": _symbols,
    "sorts": _sorts,
    "notation": _notation,
    "canonical": _canonical,
    "definitions": _definitions,
    "rename": _rename,
    "alternatives": _alternatives,
    "exhaustify": _exhaustify,
    "polarities": _polarities,
    "nonempty": _nonempty,
    "survival": _survival,
    "updates": _updates,
    "needs_reduction": _needs_reduction,
    "compose": _compose,
    "at_actual": _at_actual,
    "accessible": _accessible,
    "types of meanings": _types,
    "planes": _tables,
    "finder": _finder,
    "reason": _reasons,
    "kernel: partial": _partial,
    "decided": _decided,
}


def test_there_is_a_sample_of_every_class() -> None:
    assert set(SAMPLES) == set(CLASSES) == {kind for kind in ast.SIGNATURES if kind in CLASSES}


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("name", PASSES)
def test_every_class_goes_through_every_pass(name: str, kind: type) -> None:
    PASSES[name](SAMPLES[kind])


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_the_strategies_draw_every_class(kind: type) -> None:
    drawn = find(
        anything(3), lambda formula: any(type(part) is kind for part in ast.walk(formula)),
        settings=settings(
            max_examples=4000, phases=[Phase.generate], suppress_health_check=[*HealthCheck], derandomize=True
        ),
    )  # fmt: skip
    assert any(type(part) is kind for part in ast.walk(drawn))


# ---- a class that is added at test time


class Conditional(Struct, frozen=True):
    """`p => q`, as in Cooper 1968: q, but undefined where p is false."""

    left: Formula
    right: Formula


TOY: Any = Conditional(parse("p"), parse("q"))
SIGNATURE = Signature(
    tag="conditional",
    plain=True,
    parts=lambda node: (node.left, node.right),
    rebuilt=lambda _, parts: Conditional(*parts),  # type: ignore[arg-type,return-value]
    worlds="same",
    binds=False,
    gap=lambda _: True,
    stage="shape",
    signs=lambda _: (0, 0),
    dynamic=False,
    infix=Infix("=>", "⇒", 2, 3, 2),
)


def _in_trivalence(patch: pytest.MonkeyPatch) -> None:
    plain = trivalence._Compiler.halves

    def halves(self: Any, formula: Any) -> Any:
        if not isinstance(formula, Conditional):
            return plain(self, formula)
        (_, no), (true, false) = self.halves(formula.left), self.halves(formula.right)
        return trivalence._and(trivalence._not(no), true), trivalence._and(trivalence._not(no), false)

    patch.setattr(trivalence._Compiler, "halves", halves)


def _in_planes(patch: pytest.MonkeyPatch) -> None:
    def plane(self: Any, formula: Any, wanted: bool, world: int, total: bool) -> int:
        against: int = self.plane(formula.left, False, world)
        return (self.full ^ against) & self.plane(formula.right, wanted, world)  # type: ignore[no-any-return]

    patch.setitem(ast.PASSES["planes"], Conditional, plane)


def _in_reasons(patch: pytest.MonkeyPatch) -> None:
    plain = Reasons._why

    def why(self: Any, formula: Any, world: int, depth: int) -> str:
        return "so it is" if isinstance(formula, Conditional) else plain(self, formula, world, depth)

    patch.setattr(Reasons, "_why", why)


def _in_the_evaluator(patch: pytest.MonkeyPatch) -> None:
    plain = evaluator.Evaluator.value

    def valued(self: Any, formula: Any, world: int, bound: Any) -> str:
        if formula[:1] != ["conditional"]:
            return plain(self, formula, world, bound)
        return "U" if self.value(formula[1], world, bound) == "F" else self.value(formula[2], world, bound)

    patch.setattr(evaluator.Evaluator, "value", valued)


def _in_classical(patch: pytest.MonkeyPatch) -> None:
    plain = classical._Compiler.halves

    def halves(self: Any, formula: Any, bound: Any) -> Any:
        if formula[:1] != ["conditional"]:
            return plain(self, formula, bound)
        (_, no), (true, false) = self.halves(formula[1], bound), self.halves(formula[2], bound)
        return classical.conj(classical.neg(no), true), classical.conj(classical.neg(no), false)

    patch.setattr(classical._Compiler, "halves", halves)


def _in_partial(patch: pytest.MonkeyPatch) -> None:
    plain = principles.partial

    def partial(formula: Any) -> bool:
        return isinstance(formula, list) and (formula[:1] == ["conditional"] or plain(formula))

    patch.setattr(principles, "partial", partial)
    patch.setattr(check, "partial", partial)


def _in_the_lexer(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(lexer, "_TOKEN", re.compile(lexer._TOKEN.pattern.replace("(?P<symbol>", "(?P<symbol>=>|", 1)))
    patch.setitem(lexer.SYNONYMS, "⇒", "=>")
    patch.setattr(lexer, "_TOKEN", re.compile(lexer._TOKEN.pattern.replace("¬∧", "⇒¬∧", 1)))


RULES: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "lexer": _in_the_lexer, "trivalence": _in_trivalence, "planes": _in_planes, "reason": _in_reasons,
    "kernel: evaluator": _in_the_evaluator, "kernel: classical": _in_classical, "kernel: partial": _in_partial,
}  # fmt: skip


@pytest.fixture
def patch() -> Iterator[pytest.MonkeyPatch]:
    """A patch that also takes the signature away, with all rules that were made of it."""
    with pytest.MonkeyPatch.context() as context:
        yield context
    declare(Conditional, None)


CACHES = (
    renaming._renamed, axioms.names_in, notation._read, reduction._expanded, reduction._reduced, trivalence.may_differ,
    shape._written, narrative._followed_by_true, classical._remembered, has_updates, ast.kinds,
)  # fmt: skip
"""What is remembered of formulas beyond a pass."""


def forget() -> None:
    for remembered in CACHES:
        remembered.cache_clear()


def failing(sample: Formula = TOY) -> set[str]:
    """The names of the passes that a sample does not go through."""
    forget()
    found = set()
    for name, goes_through in PASSES.items():
        try:
            goes_through(sample)
        except (Exception, pytest.fail.Exception):  # whatever a pass raises, it is named
            found.add(name)
    return found


def test_a_class_that_is_declared_and_has_its_rules_goes_through_every_pass(patch: pytest.MonkeyPatch) -> None:
    declare(Conditional, SIGNATURE)
    for rule in RULES.values():
        rule(patch)
    assert failing() == set()


def test_a_class_without_a_signature_goes_through_no_pass(patch: pytest.MonkeyPatch) -> None:
    for rule in RULES.values():
        rule(patch)
    assert failing() == set(PASSES)


_READ = {"canonical", "decided", "planes"}
"""Passes that most facts matter to."""
FORGOTTEN: dict[str, set[str]] = {
    "worlds": {*_READ, "at_actual", "finder", "rename", "survival", "symbols and measures", "updates"},
    "binds": {
        *_READ, "accessible", "binding", "compose", "definitions", "exhaustify", "nonempty", "sorts", "survival",
        "symbols and measures", "types of meanings", "updates",
    },
    "gap": {*_READ, "kernel: partial", "nonempty"},
    "stage": {*_READ, "needs_reduction"},
    "signs": {"polarities"},
    "dynamic": {"accessible"},
    "infix": {"notation", "rename", "symbols and measures"},
    "plain": {*_READ, "at_actual", "finder", "kernel: partial", "polarities", "updates"},
}  # fmt: skip


@pytest.mark.parametrize("fact", FORGOTTEN)
def test_a_fact_that_is_forgotten_fails_the_passes_that_read_it(fact: str, patch: pytest.MonkeyPatch) -> None:
    declare(Conditional, replace(SIGNATURE, **{fact: None}))
    for rule in RULES.values():
        rule(patch)
    assert failing() == FORGOTTEN[fact]


UNRULED: dict[str, set[str]] = {
    "lexer": {"notation"},
    "trivalence": {"finder"},
    "planes": {"planes"},
    "reason": {"reason"},
    "kernel: evaluator": {"at_actual", "decided", "finder", "planes", "updates"},
    "kernel: classical": {"decided"},
    "kernel: partial": {"kernel: partial"},
}


@pytest.mark.parametrize("missing", RULES)
def test_a_rule_that_is_forgotten_fails_its_pass(missing: str, patch: pytest.MonkeyPatch) -> None:
    declare(Conditional, SIGNATURE)
    for name, rule in RULES.items():
        if name != missing:
            rule(patch)
    assert failing() == UNRULED[missing]


@pytest.mark.parametrize(
    ("name", "by"),
    [("symbols and measures", "symbols"), ("survival", "survival"), ("updates", "updates"), ("planes", "symbols"),
     ("rename", "rename"), ("canonical", "canonical")],
)  # fmt: skip
def test_a_class_that_looks_at_other_worlds_needs_rules_of_its_own(
    name: str, by: str, patch: pytest.MonkeyPatch
) -> None:
    """As a strict conditional: these passes treated it as if it were about one world, and nobody noticed."""
    declare(Conditional, replace(SIGNATURE, worlds="seen"))
    for rule in RULES.values():
        rule(patch)
    forget()
    with pytest.raises(NoRule, match=f"`{by}` has no rule for Conditional"):
        PASSES[name](TOY)
    assert at_actual(Conditional(ast.Here(parse("p")), parse("q"))) != TOY  # type: ignore[arg-type]
