"""Which principles of the theory a refutation needs: one minimal set, the first in the theory's order.

The principles are tried from the last to the first, and each is left out for good if the others still prove every
absence (a deletion filter: Chinneck & Dravnieks 1991; the set that it leaves is minimal, and of the minimal sets that
with the earliest principles). A model of the others shows that a principle is needed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from gramprobe.certify.check import check_model
from gramprobe.certify.classical import problems
from gramprobe.certify.frames import LARGEST_BY_SETS
from gramprobe.certify.model import Model
from gramprobe.certify.principles import closure_matters, principles, restricted
from gramprobe.certify.reject import CertificateError
from gramprobe.certify.rule import ON_TRUST
from gramprobe.decide.procedure import answers
from gramprobe.decide.prove import check_once
from gramprobe.decide.prove.interpretation import completed
from gramprobe.decide.question import Need, Refutation, Wanted
from gramprobe.decide.skeleton import by_letters

Proofs: TypeAlias = Mapping[str, Mapping[str, Any]]


def dependence(
    theory: Mapping[str, Any], resting: Mapping[str, Wanted], proofs: Proofs
) -> tuple[tuple[Need, ...] | None, Proofs]:
    """The principles without which some absence could not be proved, and proofs of the absences from these alone.

    `resting`: for each absent value the question that has no model; `proofs`: its proof. None instead of principles
    if a proof is on trust.
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
        value, shown = filter_.shown.get(tuple(principle), (None, None))
        model = None
        if value is not None and shown is not None:
            without = principle[1] if principle[0] == "closure" else None
            sets = sorted(normal - {each for each in cut if each != without})
            weaker = restricted(theory, [each for each in kept if each != principle])
            # the model may have no data at worlds that its relations do not reach; sets of worlds are about every world
            for each in (shown, completed(shown, formulas)):
                model = _shown(each, sets, weaker, resting[value])
                if model is not None:
                    break
        needs.append(Need(tuple(principle), value if model is not None else None, model))
    return tuple(needs), filter_.proofs


def _shown(model: Model, sets: Sequence[str], theory: Mapping[str, Any], wanted: Wanted) -> Model | None:
    """The model with the relations of some operators replaced by sets of worlds; None if the kernel rejects it."""
    replaced: Model | None = model
    for name in sets:
        replaced = None if replaced is None else by_sets(replaced, name)
    try:
        if replaced is not None:
            check_model(theory, wanted, replaced)
    except ValueError:
        return None
    return replaced


class _Filter:
    """Leaves out blocks of principles, as many at a time as possible (as QuickXplain does: Junker 2004)."""

    def __init__(self, theory: Mapping[str, Any], resting: Mapping[str, Wanted], proofs: Proofs) -> None:
        self.theory, self.resting, self.proofs = theory, resting, proofs
        self.shown: dict[tuple[Any, ...], tuple[str, Model]] = {}
        # what only a long search proved in the whole theory, no short one proves in a weaker one
        self.thorough = any(proof.get("naming") or proof.get("looking") for proof in proofs.values())

    def minimal(self, before: list[list[Any]], block: list[list[Any]], after: list[list[Any]]) -> list[list[Any]]:
        """The principles of a block that must stay when all before it and the chosen ones after it stay."""
        if not block or self.spared(before, block, after):
            return []
        if len(block) == 1:
            return block
        half = len(block) // 2
        late = self.minimal([*before, *block[:half]], block[half:], after)
        return [*self.minimal(before, block[:half], [*late, *after]), *late]

    def spared(self, before: list[list[Any]], block: list[list[Any]], after: list[list[Any]]) -> bool:
        """Whether every excluded value can be refuted without the block.

        If not, and the block is a single principle, a model that shows it is kept in `shown`.
        """
        weaker = restricted(self.theory, [*before, *after])
        if self.still_proved(weaker):
            return True
        # the first model decides, and is the one that is shown: nothing else is asked after it
        any_other = {value: [other for other in self.resting if other != value] for value in self.resting}
        known = by_letters(weaker, self.resting)
        found = answers(weaker, self.resting, thorough=self.thorough, unless=any_other, known=known)
        refuted = {value: answer.proof for value, answer in found.items() if isinstance(answer, Refutation)}
        if len(refuted) == len(found):
            self.proofs = refuted
            return True
        for value, answer in found.items():
            if len(block) == 1 and isinstance(answer, Model):
                self.shown[tuple(block[0])] = value, answer
                break
        return False

    def still_proved(self, theory: Mapping[str, Any]) -> bool:
        """Whether the present proofs are also proofs in a weaker theory."""
        try:
            for value, posed in zip(self.resting, problems(theory, list(self.resting.values())), strict=True):
                check_once(posed, self.proofs[value])
        except CertificateError:
            return False
        return True


def by_sets(model: Model, operator: str) -> Model | None:
    """The model with the relations of an operator replaced by sets of worlds: at each world all sets that include the
    accessible worlds.

    None for a model of more than LARGEST_BY_SETS worlds, which has too many sets.
    """
    keys = [key for key in model.relations if key.partition("[")[0] == operator]
    if keys and model.worlds > LARGEST_BY_SETS:
        return None
    everywhere = range(model.worlds)
    sets = [frozenset(v for v in everywhere if bits >> v & 1) for bits in range(1 << model.worlds)] if keys else []
    neighbourhoods = dict(model.neighbourhoods)
    for key in keys:
        seen = [frozenset(v for w, v in model.relations[key] if w == world) for world in everywhere]
        neighbourhoods[key] = tuple(frozenset(each for each in sets if seen[world] <= each) for world in everywhere)
    left = {key: relation for key, relation in model.relations.items() if key not in keys}
    return replace(model, relations=left, neighbourhoods=neighbourhoods)
