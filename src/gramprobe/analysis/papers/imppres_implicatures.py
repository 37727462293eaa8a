"""The tables and figures of Jeretic et al. (2020), section 6.2: implicatures by trigger, by pair of sentences, and
contrasts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from gramprobe.analysis.findings import Bars, Figure, Findings
from gramprobe.analysis.means import difference, difference_method, share_method
from gramprobe.analysis.output.table import Column, Table, Value, percent
from gramprobe.analysis.papers.imppres import (
    ALL,
    BEHAVIOURS,
    CONTRASTS,
    EXACTLY,
    NAME,
    RELATIONS,
    SOURCE,
    TARGETS,
    Floats,
    Pairs,
    Texts,
    behaviours,
    differences,
    in_order,
    listed_labels,
)
from gramprobe.certify.rule import LABELS


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")


def implicatures(found: Sequence[Pairs]) -> Findings:
    by_trigger = _by_trigger(found)
    by_condition = _by_condition(found)
    contrasts, warnings = _contrasts(found)
    numerals = [pairs for pairs in found if (pairs.exactly != "").any()]
    details = (by_condition, contrasts, *([_numerals(numerals)] if numerals else []))
    return Findings(
        NAME, "", (by_trigger,), tuple(_implicature_figures(found)),
        tuple(warnings), tuple(_without_exactly(found)), details,
    )  # fmt: skip


def _without_exactly(found: Sequence[Pairs]) -> list[str]:
    sentences = []
    for pairs in found:
        of_numerals = np.array([kind.startswith("numerals") for kind in pairs.types], dtype=np.bool_)
        lacking = int((of_numerals & (pairs.exactly == "")).sum())
        if lacking:
            what = f"{lacking:,} answers of {pairs.model} to numerals" if lacking < of_numerals.sum() else pairs.model
            sentences.append(
                f"The third behaviour of numerals, exactly so many, is not shown of {what}: build the same items under "
                f"the theory {EXACTLY} (gramprobe build implicature --theory {EXACTLY}) and give that dataset with "
                "--labels."
            )
    return sentences


def _by_trigger(found: Sequence[Pairs]) -> Table:
    rows: list[tuple[Value, ...]] = []
    sections: dict[int, str] = {}
    for pairs in found:
        sections[len(rows)] = pairs.model
        shares, right = behaviours(pairs), pairs.given(pairs.pragmatic)
        target = pairs.of(*TARGETS)
        names = in_order([pairs.triggers])
        for trigger in [*names, ALL] if len(names) > 1 else names:
            own = pairs.of_trigger(trigger)
            cells = [pairs.mean(shares[name], own & target) for name in BEHAVIOURS]
            controls = own & ~target
            rows.append(
                (
                    trigger, int((own & target).sum()), *cells,
                    int(controls.sum()), pairs.mean(right, controls),
                )
            )  # fmt: skip
    columns = (
        Column("trigger", "trigger"),
        Column("targets", "items", group="target pairs"),
        *(percent(name, name, "target pairs") for name in BEHAVIOURS),
        Column("controls", "items", group="control pairs"),
        percent("control", "accuracy", "control pairs"),
    )
    return Table(
        "imppres_implicature",
        "Answers to implicatures by trigger: the label that follows with implicatures, that of the literal meaning, "
        "both where these are one, or neither; and accuracy on the control pairs.",
        columns, tuple(rows), (f"{SOURCE}, Figures 2 and 3.",), sections=sections,
        methods=(share_method(),),
    )  # fmt: skip


def _by_condition(found: Sequence[Pairs]) -> Table:
    rows: list[tuple[Value, ...]] = []
    sections: dict[int, str] = {}
    for pairs in found:
        shares, types = behaviours(pairs), pairs.types
        for kind in in_order([types]):
            sections[len(rows)] = f"{pairs.model}: {kind}"
            for relation in RELATIONS:
                own = (types == kind) & pairs.of(relation.condition)
                if own.any():
                    cells = [pairs.mean(shares[name], own) for name in BEHAVIOURS]
                    labels = (listed_labels(pairs.literal[own]), listed_labels(pairs.pragmatic[own]))
                    where = (relation.trigger or "–", relation.negation)
                    rows.append((relation.condition, relation.name, *where, *labels, int(own.sum()), *cells))
    columns = (
        Column("condition", "pair"),
        Column("relation", "relation"),
        Column("trigger", "trigger in"),
        Column("negation", "negation in"),
        Column("literal", "literal", group="label"),
        Column("pragmatic", "pragmatic", group="label"),
        Column("n", "items"),
        *(percent(f"share_{name}", name, "answers") for name in BEHAVIOURS),
    )
    return Table(
        "imppres_conditions",
        "Answers to implicatures by type of scale and pair of sentences, with the relations of the paper's Table 2.",
        columns, tuple(rows), (f"{SOURCE}, Table 2 and Figures 4 and 8 to 13.",), sections=sections,
        methods=(share_method(),),
    )  # fmt: skip


def _contrasts(found: Sequence[Pairs]) -> tuple[Table, list[str]]:
    rows: list[tuple[Value, ...]] = []
    sections: dict[int, str] = {}
    warnings = []
    for pairs in found:
        types = pairs.types
        alike: dict[str, int] = {}
        incomplete = 0
        for kind in in_order([types]):
            own = pairs.where(types == kind)
            sections[len(rows)] = f"{pairs.model}: {kind}"
            for contrast in CONTRASTS:
                values, clusters = differences(own, contrast)
                rows.append((contrast.name, len(values), difference(values, clusters) if len(values) else None))
            target = own.where(own.of(*TARGETS))
            same = int(target.same(target.pragmatic, target.literal).sum())
            alike |= {kind: same} if same else {}
            incomplete += _incomplete(target)
        if alike:
            kinds = ", ".join(f"{kind} ({count:,})" for kind, count in alike.items())
            warnings.append(
                f"{pairs.model}: contrasts leave out target pairs whose two labels are one, which show no behaviour: "
                f"{kinds}"
            )
        if incomplete:
            warnings.append(
                f"{pairs.model}: instances of implicatures without answers to all six target pairs: {incomplete:,}; a "
                "contrast takes those that have all of its pairs"
            )
    table = Table(
        "imppres_contrasts",
        "Differences between rates of pragmatic answers, within an instance.",
        (Column("contrast", "contrast"), Column("n", "instances"), percent("difference", "difference")),
        tuple(rows),
        (f"{SOURCE}, section 6.2.",),
        sections=sections,
        methods=(difference_method(),),
    )
    return table, warnings


def _incomplete(target: Pairs) -> int:
    _, counts = np.unique(target.instances.astype(str), return_counts=True)
    return int((counts < len(TARGETS)).sum())


def _numerals(found: Sequence[Pairs]) -> Table:
    """Agreement with three behaviours, over all twelve pairs: *exactly* moves two of the controls."""
    rows: list[tuple[Value, ...]] = []
    sections: dict[int, str] = {}
    for pairs in found:
        own = pairs.where(pairs.exactly != "")
        predicted = {"literal": own.literal, "pragmatic": own.pragmatic, "exactly": own.exactly}
        agreement = {name: own.given(labels) for name, labels in predicted.items()}
        answered = [own.share_of(label) for label in LABELS]
        for trigger in in_order([own.triggers]):
            of_trigger = own.triggers == trigger
            sections[len(rows)] = f"{pairs.model}: {trigger}"
            for relation in RELATIONS:
                here = of_trigger & own.of(relation.condition)
                if here.any():
                    labels = [listed_labels(label[here]) for label in predicted.values()]
                    given_labels = [float(share[here].mean()) if share is not None else None for share in answered]
                    none = (None,) * len(predicted)
                    rows.append((relation.condition, *labels, int(here.sum()), *given_labels, *none))
            cells = [own.mean(share, of_trigger) for share in agreement.values()]
            rows.append(("agreement", *("",) * 3, int(of_trigger.sum()), *(None,) * 3, *cells))
    columns = (
        Column("condition", "pair"),
        *(Column(f"label_{name}", name, group="label predicted") for name in ("literal", "pragmatic", "exactly")),
        Column("n", "items"),
        *(percent(label, label, "label given") for label in LABELS),
        *(percent(f"agree_{name}", name, "answers that agree") for name in ("literal", "pragmatic", "exactly")),
    )
    return Table(
        "imppres_numerals",
        "Three behaviours with numerals: at least so many, the same with implicatures, exactly so many.",
        columns, tuple(rows), (f"{SOURCE}, section 6.2: their third behaviour is `exactly n`.",),
        sections=sections, methods=(share_method(),),
    )  # fmt: skip


def _implicature_figures(found: Sequence[Pairs]) -> list[Figure]:
    kinds = in_order([pairs.types for pairs in found])
    controls = {
        pairs.model: [
            pairs.mean(pairs.given(pairs.pragmatic), (pairs.types == kind) & ~pairs.of(*TARGETS)) for kind in kinds
        ]
        for pairs in found
    }
    answered = [(pairs, behaviours(pairs), pairs.types) for pairs in found]
    figures = [
        Figure(
            "imppres_implicature_controls", "Accuracy on the control pairs of implicatures, by type of scale.",
            "A group of bars for each type of scale, a bar for each model.",
            Bars(kinds, controls),
        ),
        Figure(
            "imppres_implicature_targets", "Answers to the target pairs of implicatures, by type of scale.",
            "A bar for each type of scale and model, divided into pragmatic, literal, both and neither.",
            partial(_stacked, *_divided(answered, [(kind, kind, TARGETS) for kind in kinds])),
        ),
    ]  # fmt: skip
    for kind in kinds:
        bars = [(name.replace("_", " ").replace("-", " ⇒ "), kind, (name,)) for name in TARGETS]
        names, parts = _divided(answered, bars)
        if names:
            figures.append(
                Figure(
                    f"imppres_{_slug(kind)}", f"Answers to {kind}, by pair of sentences.",
                    "A bar for each of the six target pairs and each model, divided into pragmatic, literal, both and "
                    "neither.",
                    partial(_stacked, names, parts),
                )
            )  # fmt: skip
    return figures


def _divided(
    answered: Sequence[tuple[Pairs, Mapping[str, Floats], Texts]], bars: Sequence[tuple[str, str, Sequence[str]]]
) -> tuple[list[str], dict[str, list[float]]]:
    """The names of bars, and how each is divided. ``answered``: of each model its answers, what they are (`behaviours`)
    and their types; ``bars``: name, type of scale, conditions."""
    names, parts = list[str](), dict[str, list[float]]({name: [] for name in BEHAVIOURS})
    for bar, kind, own_conditions in bars:
        for pairs, behaved, types in answered:
            own = (types == kind) & pairs.of(*own_conditions)
            if own.any():
                of = bar if len(answered) == 1 else f"{bar}, {pairs.model}"
                names.append(f"{of} (n = {int(own.sum()):,})")
                for name, values in behaved.items():
                    parts[name].append(float(np.nanmean(values[own])))
    return names, parts


def _stacked(names: Sequence[str], parts: Mapping[str, Sequence[float]]) -> object:
    from gramprobe.analysis.output.figures import stacked_bars

    return stacked_bars(names, parts, x="share of answers", y="")
