"""What fits a reading, against dynamic predicate logic itself (Groenendijk & Stokhof 1991) on small random models."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.small_grammars import DID, EVERY, IT_RAN, TWO, VERBS, A

from gramprobe.formula import ast
from gramprobe.formula.ast import Formula
from gramprobe.items.account import account
from gramprobe.items.groups import Grouping
from gramprobe.items.slots import filled
from gramprobe.items.tasks import task_of
from gramprobe.project import load

GRAMMAR = (
    r"""cat Kind : e -> t from kinds.tsv word form
"""
    + VERBS
    + EVERY
    + TWO
    + A
    + r"""fun The (k: Kind) : NP
  lin "the" k
  sem \P. the x. (k(x), P(x))
  scope "the"
fun Who (k: Kind, v: V, o: NP) : NP
  lin "some" k "who" v o
  sem \P. exists x. (k(x) & o(\y. v(x, y)), P(x))
  scope "some"
fun Him (k: Kind) : NP
  lin "it" unsaid k
  sem \P. exists x. (k(x), P(x))
"""
    + DID
    + r"""fun Deny (c: Cl) : S
  lin "it is not so that" c
  sem ~c
  scope "not"
fun SomethingRan : S
  lin "something ran"
  sem exists x. ran(x)
"""
    + IT_RAN
    + r"""fun NotIt (v: V, k: Kind) : S
  lin "it" v "no" k
  sem ~exists x. (k(x), v(it, x))
  refers "some", "the", "a"
fun Nobody (v: V, k: Kind) : S
  lin "every" k v "it"
  sem exists x. (k(x), true) & forall x. (k(x), v(x, it))
  refers "a", "the"
"""
)

PARADIGM = """paradigm {name}
uses small
theory classical
task coref
size 1
draw k, l : Kind where k != l
draw v : V
sentence
  s = {said}
followup
  f = {followup}
hypothesis
  h = SomethingRan
candidate
  subject = A(k)
  embedded = A(l)
  pronoun = Him(k)
pair s => f, h
"""

NOUNS = ("Every(k)", "A(k)", "Two(k)", "The(k)", "Who(k, v, A(l))", "A(l)", "Every(l)", "The(l)")
FOLLOWUPS = ("ItRan", "NotIt(v, k)", "Nobody(v, l)")
MODELS = 300


class Undefined(Exception):
    """A description that fits not exactly one."""


def outputs(formula: Formula, model: dict[str, Any], env: dict[str, int]) -> Iterator[dict[str, int]]:
    """The assignments that a formula leads to from one: only `exists`, `the` and conjunction hand theirs on."""

    def test(part: Formula, inner: dict[str, int]) -> bool:
        return any(True for _ in outputs(part, model, inner))

    match formula:
        case ast.Quantified(quantifier="exists", variable=variable, restrictor=restrictor, scope=scope):
            for each in model["domain"]:
                for found in outputs(restrictor, model, {**env, variable: each}):
                    yield from outputs(scope, model, found)
        case ast.Quantified(quantifier="the", variable=variable, restrictor=restrictor, scope=scope):
            fitting = [d for d in model["domain"] if test(restrictor, {**env, variable: d})]
            if len(fitting) != 1:
                raise Undefined
            for found in outputs(restrictor, model, {**env, variable: fitting[0]}):
                yield from outputs(scope, model, found)
        case ast.Quantified(quantifier=quantifier, count=count, variable=variable, restrictor=restrictor, scope=scope):
            inside = [{**env, variable: d} for d in model["domain"] if test(restrictor, {**env, variable: d})]
            holds = sum(test(scope, each) for each in inside)
            if holds == len(inside) if quantifier == "forall" else holds >= int(count or 0):
                yield env
        case ast.And(left, right):
            for found in outputs(left, model, env):
                yield from outputs(right, model, found)
        case ast.Not(body):
            if not test(body, env):
                yield env
        case ast.Atom(predicate, args):
            if tuple(env[arg.name] for arg in args if isinstance(arg, ast.Var)) in model[predicate]:
                yield env
        case _:
            assert formula == ast.TRUE
            yield env


def models(rng: random.Random) -> Iterator[dict[str, Any]]:
    predicates = {"newt": 1, "owl": 1, "ran": 1, "saw": 2}
    for size, _ in itertools.product((1, 2, 3, 4), range(MODELS)):
        model: dict[str, Any] = {"domain": range(size)}
        often = rng.choice((0.3, 0.5, 0.7))
        for name, arity in predicates.items():
            model[name] = {t for t in itertools.product(range(size), repeat=arity) if rng.random() < often}
        yield model


def fits(reading: Formula, follow: Formula, it: str, rng: random.Random) -> bool:
    for model in models(rng):
        try:
            for env in outputs(reading, model, {}):
                for _ in outputs(follow, model, {**env, "it": env[it]}):
                    return True
        except Undefined:
            continue
    return False


@pytest.mark.slow
@pytest.mark.parametrize("sentences", [6, pytest.param(12, marks=pytest.mark.deep)])
def test_a_sentence_fits_where_some_model_takes_both_one_after_the_other(tmp_path: Path, sentences: int) -> None:
    rng = random.Random(3)
    cases = [*itertools.product(("Say", "Deny"), itertools.permutations(NOUNS, 2), FOLLOWUPS)]
    rng.shuffle(cases)
    files = {
        "grammars/small.gram": GRAMMAR,
        "lexicon/kinds.tsv": "id\tform\nnewt\tnewt\nowl\towl\n",
        "lexicon/vs.tsv": "id\tpast\nsaw\tsaw\n",
    }
    for number, (how, (subject, object_), followup) in enumerate(cases[:sentences]):
        said = f"{how}(Did({subject}, v, {object_}))"
        files[f"grammars/small/s{number}.paradigm"] = PARADIGM.format(name=f"s{number}", said=said, followup=followup)
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    project = load(tmp_path, names=["small"])
    taken_up = 0
    for number in range(sentences):
        plan = project.paradigm(f"small/s{number}").plan()
        grouping = Grouping(plan, task_of(plan.paradigm).parts(plan.paradigm))
        draws = plan.space.draws(plan.space.permutation(0), 0, 1)
        (groups,) = grouping.of(draws).parts
        assert groups.tolist() == [0]
        ((member,),) = grouping.members
        found = account(plan, member)
        (follow,) = member.readings["f"]
        for reading in found.readings["s"]:
            held = dict(reading.antecedents)
            antecedent = next((name for name in follow.refers[0].names if name in held), None)
            if antecedent is None:
                continue
            taken_up += 1
            formulas = filled(reading.formula, plan, draws, 0), filled(follow.formula, plan, draws, 0)
            expected = fits(*formulas, held[antecedent][-1], rng)
            assert (reading.id in found.holds["s", "f"]) == expected, (cases[number], reading.id)
    assert taken_up >= 2 * sentences // 3
