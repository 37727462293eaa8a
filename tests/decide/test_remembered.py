"""Problems that theories share are proved once, proofs are checked once, and nothing else is taken for them."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from gramprobe.certify.check import check_proof
from gramprobe.certify.classical import Problem, problem
from gramprobe.certify.model import Model
from gramprobe.certify.reject import CertificateError, Unfollowed
from gramprobe.decide import prove
from gramprobe.decide.procedure import ask
from gramprobe.decide.prove import check_once, herbrand, posed, remembered
from gramprobe.decide.question import Question, Refutation
from gramprobe.decide.search.tables import Tables
from gramprobe.formula.encoding import theory_to_json, to_json
from gramprobe.formula.notation import parse
from gramprobe.formula.theory import MIDDLE, STRONG, Operator, TheorySlice

KNOW = Operator(name="K", kind="box", frame=frozenset({"reflexive"}))
DOGS = TheorySlice(operators=(KNOW,), postulates=(parse("forall x. (poodle(x) -> dog(x))"),))


def question(theory: TheorySlice = DOGS, premise: str = "exists x. (poodle(x) & bark(x))") -> Problem:
    wanted = [(to_json(parse(premise)), "T"), (to_json(parse("exists x. (dog(x) & bark(x))")), "F")]
    return problem(theory_to_json(theory), wanted)


def noting(found: list[Problem]) -> Any:
    """An engine that notes what it is asked, and finds nothing."""

    @remembered
    def engine(asked: Problem, *_: object) -> None:
        found.append(asked)

    return engine


def test_an_engine_is_asked_once_by_theories_that_pose_the_same_problem() -> None:
    found: list[Problem] = []
    engine = noting(found)
    for projection in (MIDDLE, STRONG, MIDDLE):
        engine(question(TheorySlice(operators=(KNOW,), postulates=DOGS.postulates, projection=projection)))
    assert len(found) == 1


def test_what_differs_in_any_part_is_another_problem() -> None:
    others = [
        TheorySlice(operators=(KNOW,)),
        TheorySlice(operators=(), postulates=DOGS.postulates),
        TheorySlice(operators=(KNOW,), postulates=DOGS.postulates, distinct=not DOGS.distinct),
        TheorySlice(operators=(replace(KNOW, frame=frozenset({"serial"})),), postulates=DOGS.postulates),
    ]
    asked = [question(), question(premise="exists x. (poodle(x) & sit(x))"), *map(question, others)]
    found: list[Problem] = []
    engine = noting(found)
    for each in asked:
        engine(each)
    engine(asked[0], True)
    assert len({posed(each) for each in asked}) == len(asked)
    assert len(found) == len(asked) + 1


def test_a_proof_is_checked_once_and_one_that_is_spoilt_is_rejected_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    checks, check = list[object](), check_proof

    def noted(*given: Any) -> bool:
        checks.append(given[1])
        return check(*given)

    monkeypatch.setattr(prove, "check_proof", noted)
    asked = question(premise="exists x. (poodle(x) & bark(x) & old(x))")
    (proof,) = herbrand.prove([asked])
    assert isinstance(proof, dict)
    assert check_once(asked, proof) and check_once(asked, dict(proof))
    assert len(checks) == 1
    spoilt = {**proof, "bound": {**proof["bound"], "individuals": 99}}
    for _ in range(2):
        with pytest.raises(CertificateError):
            check_once(asked, spoilt)
    weaker = question(TheorySlice(), premise="exists x. (poodle(x) & bark(x) & old(x))")
    with pytest.raises(CertificateError):
        check_once(weaker, proof)


def test_what_took_too_long_to_check_is_checked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = question(premise="exists x. (poodle(x) & bark(x) & young(x))")
    (proof,) = herbrand.prove([asked])

    def refuse(*_: object) -> bool:
        raise Unfollowed("too long")

    with monkeypatch.context() as patch:
        patch.setattr(prove, "check_proof", refuse)
        with pytest.raises(Unfollowed):
            check_once(asked, proof)
    assert check_once(asked, proof)


def test_no_model_is_looked_for_where_an_engine_has_refuted_the_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    prove.forget()
    sizes, tiny = list[object](), Tables.tiny

    def noted(*given: Any, **known: Any) -> Tables | None:
        sizes.append(given)
        return tiny(*given, **known)

    monkeypatch.setattr(Tables, "tiny", noted)
    both = parse("exists x. (poodle(x) & bark(x) & calm(x))"), parse("exists x. (dog(x) & bark(x) & calm(x))")
    asked = Question(DOGS, ((both[0], "T"), (both[1], "F")))
    first, searches = ask(asked), len(sizes)
    assert isinstance(first, Refutation) and searches
    assert ask(asked) == first
    assert len(sizes) == searches
    possible = Question(replace(DOGS, postulates=()), asked.wanted)
    assert isinstance(ask(possible), Model)
    assert len(sizes) > searches
