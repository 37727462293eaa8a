"""Which principles of the theory a refutation needs: one minimal set, the first in the theory's order.

Going through the principles from the last to the first, each is left out for good where what is left still proves
every absence (a deletion filter: Chinneck & Dravnieks 1991; what it leaves is minimal, and of the minimal sets the
one that keeps the earliest principles). That a kept one is needed is shown by a model of the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from gramprobe.certify.check import check_model, check_proof
from gramprobe.certify.classical import problems
from gramprobe.certify.frames import LARGEST_BY_SETS
from gramprobe.certify.model import Model
from gramprobe.certify.principles import closure_matters, principles, restricted
from gramprobe.certify.reject import CertificateError
from gramprobe.certify.rule import ON_TRUST
from gramprobe.decide.procedure import settle
from gramprobe.decide.prove.completion import completed
from gramprobe.decide.question import Refutation, Wanted


@dataclass(frozen=True, slots=True)
class Need:
    """A principle (JSON data as `certify.principles` names it) that cannot be left out.

    `without`: a value that the hypothesis could take otherwise, `model`: where it does. Both None where no engine
    could do without the principle and no small model says why, and for a closure that is taken for granted.
    """

    principle: tuple[Any, ...]
    without: str | None = None
    model: Model | None = None

    def to_json(self) -> dict[str, Any]:
        """The entry of a certificate."""
        model = None if self.model is None else self.model.to_json()
        return {"principle": [*self.principle], "without": self.without, "model": model}


Proofs: TypeAlias = Mapping[str, Mapping[str, Any]]


def dependence(
    theory: Mapping[str, Any], resting: Mapping[str, Wanted], proofs: Proofs
) -> tuple[tuple[Need, ...] | None, Proofs]:
    """The principles without which some absence (its question under the value's name) could not be proved, and
    proofs from these alone. None where a proof is one on trust.
    """
    if not resting:
        return (), proofs
    if any(proof["kind"] in ON_TRUST for proof in proofs.values()):
        return None, proofs
    filter_ = _Filter(theory, resting, proofs)
    known = principles(theory)
    formulas = [formula for wanted in resting.values() for formula, _ in wanted] + [*theory["postulates"]]
    given = [] if closure_matters(proofs.values(), formulas) else [each for each in known if each[0] == "closure"]
    needed = filter_.minimal([], [each for each in known if each not in given], given)
    kept = [each for each in known if each in (*given, *needed)]
    cut = [each[1] for each in kept if each[0] == "closure"]
    normal = {name for name, kind, *_ in theory["operators"] if kind in ("box", "diamond")}
    needs = []
    for principle in kept:
        value, found = filter_.shown.get(tuple(principle), (None, None))
        model = None
        if value is not None and found is not None:
            without = principle[1] if principle[0] == "closure" else None
            sets = sorted(normal - {each for each in cut if each != without})
            weaker = restricted(theory, [each for each in kept if each != principle])
            # what a relation did not lead to was never asked of the model; sets of worlds are of every world
            for each in (found, completed(found, formulas)):
                model = _shown(each, sets, weaker, resting[value])
                if model is not None:
                    break
        needs.append(Need(tuple(principle), value if model is not None else None, model))
    return tuple(needs), filter_.proofs


def _shown(model: Model, sets: Sequence[str], theory: Mapping[str, Any], wanted: Wanted) -> Model | None:
    """The model with the relations of some operators told as sets of worlds, where the kernel takes it so."""
    told: Model | None = model
    for name in sets:
        told = None if told is None else by_sets(told, name)
    try:
        if told is not None:
            check_model(theory, wanted, told)
    except ValueError:
        return None
    return told


class _Filter:
    """Leaves out blocks of principles, as many at a time as can be spared (as QuickXplain does: Junker 2004)."""

    def __init__(self, theory: Mapping[str, Any], resting: Mapping[str, Wanted], proofs: Proofs) -> None:
        self.theory, self.resting, self.proofs = theory, resting, proofs
        self.shown: dict[tuple[Any, ...], tuple[str, Model]] = {}

    def minimal(self, before: list[list[Any]], block: list[list[Any]], after: list[list[Any]]) -> list[list[Any]]:
        """What must stay of a block when all before it and the chosen ones after it stay."""
        if not block or self.spared(before, block, after):
            return []
        if len(block) == 1:
            return block
        half = len(block) // 2
        late = self.minimal([*before, *block[:half]], block[half:], after)
        return [*self.minimal(before, block[:half], [*late, *after]), *late]

    def spared(self, before: list[list[Any]], block: list[list[Any]], after: list[list[Any]]) -> bool:
        """Whether everything excluded can be refuted without the block; if not, and it is one principle, why."""
        weaker = restricted(self.theory, [*before, *after])
        if self.still_proved(weaker):
            return True
        answers = settle(weaker, self.resting, thorough=False)
        refuted = {value: answer.proof for value, answer in answers.items() if isinstance(answer, Refutation)}
        if len(refuted) == len(answers):
            self.proofs = refuted
            return True
        for value, answer in answers.items():
            if len(block) == 1 and isinstance(answer, Model):
                self.shown[tuple(block[0])] = value, answer
                break
        return False

    def still_proved(self, theory: Mapping[str, Any]) -> bool:
        """Whether the proofs at hand make no use of what a weaker theory lacks."""
        try:
            for value, posed in zip(self.resting, problems(theory, list(self.resting.values())), strict=True):
                check_proof(posed, self.proofs[value])
        except CertificateError:
            return False
        return True


def by_sets(model: Model, operator: str) -> Model | None:
    """The model with the relations of an operator told as sets of worlds: all that hold what is accessible.

    None for a model of so many worlds that the sets are too many.
    """
    keys = [key for key in model.relations if key.partition("[")[0] == operator]
    if keys and model.worlds > LARGEST_BY_SETS:
        return None
    everywhere = range(model.worlds)
    sets = [frozenset(v for v in everywhere if bits >> v & 1) for bits in range(1 << model.worlds)] if keys else []
    told = dict(model.neighbourhoods)
    for key in keys:
        seen = [frozenset(v for w, v in model.relations[key] if w == world) for world in everywhere]
        told[key] = tuple(frozenset(each for each in sets if seen[world] <= each) for world in everywhere)
    left = {key: relation for key, relation in model.relations.items() if key not in keys}
    return replace(model, relations=left, neighbourhoods=told)
