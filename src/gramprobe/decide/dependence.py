"""Which principles of the theory a refutation needs: one minimal set, the first in the theory's order.

The principles are tried from the last to the first, and each is left out for good if the others still prove every
absence (a deletion filter: Chinneck & Dravnieks 1991; the set that it leaves is minimal, and of the minimal sets that
with the earliest principles). A model of the others shows that a principle is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
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
from gramprobe.decide.question import Answer, Need, Refutation, Wanted
from gramprobe.decide.skeleton import by_letters
from gramprobe.formula.encoding import Json

Proofs: TypeAlias = Mapping[str, Mapping[str, Any]]
Ask: TypeAlias = Callable[[Mapping[str, Any]], Mapping[str, Answer]]
"""What is found of the questions in a weaker theory."""


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
    # what only a long search proved in the whole theory, no short one proves in a weaker one
    thorough = any(proof.get("naming") or proof.get("looking") for proof in proofs.values())
    # the first model decides, and is the one that is shown: nothing else is asked after it
    any_other = {value: [other for other in resting if other != value] for value in resting}

    def ask(weaker: Mapping[str, Any]) -> Mapping[str, Answer]:
        nonlocal proofs
        if not _still_proved(weaker, resting, proofs):
            known = by_letters(weaker, resting)
            found = answers(weaker, resting, thorough=thorough, unless=any_other, known=known)
            refuted = _proofs(found)
            if len(refuted) < len(resting):
                return found
            proofs = refuted
        return {value: Refutation(proof) for value, proof in proofs.items()}

    given = [] if closure_matters(proofs.values(), _formulas(theory, resting)) else _closures(theory)
    kept, shown = _minimal(theory, given, resting, ask)
    return _needs(theory, resting, kept, shown), proofs


def dependence_by_letters(
    theory: Mapping[str, Any], resting: Mapping[str, Wanted]
) -> tuple[tuple[Need, ...], Proofs] | None:
    """The same by way of skeletons: which absences the pair has in a weaker theory, its skeleton there says, and proofs
    are looked for in the weakest alone. None if something is found in another way only."""

    def ask(weaker: Mapping[str, Any]) -> Mapping[str, Answer]:
        return by_letters(weaker, resting)

    if not resting:
        return (), {}
    kept, shown = _minimal(theory, _closures(theory), resting, ask)
    absent = dict.fromkeys(resting, Refutation({}))
    proofs = _proofs(answers(restricted(theory, kept), resting, known=absent))
    if len(proofs) < len(resting) or closure_matters(proofs.values(), _formulas(theory, resting)):
        return None
    needs = _needs(theory, resting, kept, shown)
    return None if any(need.model is None and need.principle[0] != "closure" for need in needs) else (needs, proofs)


def _closures(theory: Mapping[str, Any]) -> list[list[Any]]:
    return [each for each in principles(theory) if each[0] == "closure"]


def _formulas(theory: Mapping[str, Any], resting: Mapping[str, Wanted]) -> list[Json]:
    return [formula for wanted in resting.values() for formula, _ in wanted] + [*theory["postulates"]]


def _needs(
    theory: Mapping[str, Any],
    resting: Mapping[str, Wanted],
    kept: Sequence[list[Any]],
    models: Mapping[tuple[Any, ...], tuple[str, Model]],
) -> tuple[Need, ...]:
    """The principles that are kept, each with a model that shows it if the kernel accepts one."""
    formulas = _formulas(theory, resting)
    cut = [each[1] for each in kept if each[0] == "closure"]
    normal = {name for name, kind, *_ in theory["operators"] if kind in ("box", "diamond")}
    needs = []
    for principle in kept:
        value, shown = models.get(tuple(principle), (None, None))
        model = None
        if value is not None and shown is not None:
            without = principle[1] if principle[0] == "closure" else None
            sets = sorted(normal - {each for each in cut if each != without})
            weaker = restricted(theory, [each for each in kept if each != principle])
            # the model may have no data at worlds that its relations do not reach; sets of worlds are about every world
            model = _shown(shown, sets, weaker, resting[value])
            if model is None:
                model = _shown(completed(shown, formulas), sets, weaker, resting[value])
        needs.append(Need(tuple(principle), value if model is not None else None, model))
    return tuple(needs)


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


def _minimal(
    theory: Mapping[str, Any], given: list[list[Any]], resting: Collection[str], ask: Ask
) -> tuple[list[list[Any]], dict[tuple[Any, ...], tuple[str, Model]]]:
    """The principles that are given and those that are needed beside them, in the order of the theory, and for a needed
    one a value with a model, if there is one, in the theory without it. ``ask``: the answers in a weaker theory."""
    shown: dict[tuple[Any, ...], tuple[str, Model]] = {}

    def needed(
        before: list[list[Any]],
        block: list[list[Any]],
        after: list[list[Any]],
        found: Mapping[str, Answer] | None = None,
    ) -> list[list[Any]]:
        """The principles of a block that must stay when all before it and the chosen ones after it stay: as many as
        possible are left out at a time (as QuickXplain does: Junker 2004). ``found``: the answers without the block,
        where they are known."""
        if not block:
            return []
        found = ask(restricted(theory, [*before, *after])) if found is None else found
        if len(_proofs(found)) == len(resting):
            return []
        if len(block) > 1:
            half = len(block) // 2
            late = needed([*before, *block[:half]], block[half:], after)
            return [*needed(before, block[:half], [*late, *after], None if late else found), *late]
        for value, answer in found.items():
            if isinstance(answer, Model):
                shown[tuple(block[0])] = value, answer
                break
        return block

    known = principles(theory)
    chosen = needed([], [each for each in known if each not in given], given)
    return [each for each in known if each in given or each in chosen], shown


def _proofs(found: Mapping[str, Answer]) -> Proofs:
    return {value: answer.proof for value, answer in found.items() if isinstance(answer, Refutation)}


def _still_proved(theory: Mapping[str, Any], resting: Mapping[str, Wanted], proofs: Proofs) -> bool:
    """Whether proofs are also proofs in a weaker theory."""
    try:
        for value, posed in zip(resting, problems(theory, list(resting.values())), strict=True):
            check_once(posed, proofs[value])
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
