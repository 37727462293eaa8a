"""The results of Jeretic et al. (2020), sections 6.2 and 7.2: implicatures by behaviour, presuppositions by embedding
before and after the control filter. What is computed stands in `analysis.papers.imppres`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from gramprobe.analysis.clusters import INSTANCE, drawn
from gramprobe.analysis.findings import Bars, Figure, Findings
from gramprobe.analysis.means import difference, difference_method, mean, share_method
from gramprobe.analysis.output.table import Column, Table, Value, percent
from gramprobe.analysis.papers.imppres import (
    BEHAVIOURS,
    BY_CONDITION,
    CONTRASTS,
    CONTROL,
    EMBEDDINGS,
    EXACTLY,
    RELATIONS,
    TARGETS,
    VERSIONS,
    Differences,
    Filtered,
    Floats,
    Pairs,
    Rows,
    Texts,
    behaviours,
    conditions,
    differences,
    exactly_labels,
    filtered,
    implicatures_of,
    numerals_of,
    paradigms_of,
    presuppositions_of,
    together,
)
from gramprobe.analysis.runs import Run
from gramprobe.analysis.study import Given
from gramprobe.certify.rule import LABELS

ALL = "all triggers"
SECTION = "Jeretic et al. 2020"


class Imppres:
    name = "imppres"
    about = "implicatures by behaviour, presuppositions by embedding and after the control filter"
    source = "Jeretic et al. 2020"
    needs = "give labels of a dataset with the conditions of `implicature` or `presupposition`"

    def fits(self, run: Run) -> bool:
        return bool(run.labels) and any(paradigms_of(run, implicature=half) for half in (True, False))

    def findings(self, runs: Sequence[Run], given: Given) -> Findings:
        halves: dict[tuple[str, bool], list[Pairs]] = {}
        for run in runs:
            exactly = exactly_labels(given.labels, numerals_of(run))
            both = (implicatures_of(run, exactly, given.cluster), presuppositions_of(run, given.cluster))
            for number, pairs in enumerate(both):
                if pairs is not None:
                    halves.setdefault((run.model, bool(number)), []).append(pairs)
        found = [together(own) for own in halves.values()]
        general = tuple(warning for run in runs for warning in run.warnings())
        found_here = findings_of(found, general)
        if given.cluster == INSTANCE:
            return found_here
        return replace(
            found_here,
            tables=tuple(_over(table, given.cluster) for table in found_here.tables),
            details=tuple(_over(table, given.cluster) for table in found_here.details),
        )


STUDY = Imppres()


def _over(table: Table, cluster: str) -> Table:
    """A table whose intervals are over other clusters than instances."""
    clusters, population = drawn(cluster)
    over = {"cluster": clusters, "df": f"{clusters} less 1", "population": population}
    return replace(table, methods=tuple(replace(method, **over) for method in table.methods))


def findings_of(found: Sequence[Pairs], warnings: tuple[str, ...] = ()) -> Findings:
    """The tables and figures of answers to both halves, models side by side."""
    implicature = [pairs for pairs in found if pairs.conditions.size and pairs.conditions[0] in BY_CONDITION]
    presupposition = [pairs for pairs in found if pairs.conditions.size and pairs.conditions[0] not in BY_CONDITION]
    results = [_implicatures(implicature)] if implicature else []
    results += [_presuppositions(presupposition)] if presupposition else []
    omitted = tuple(sentence for each in results for sentence in each.omitted)
    if not implicature or not presupposition:
        lacking, figures = (
            ("presupposition", "Figures 5 to 7") if implicature else ("implicature", "Figures 2 to 4 and 8 to 13")
        )
        omitted += (f"{figures}: no scores of `{lacking}` were given; build and score it: gramprobe build {lacking}.",)
    return Findings(
        STUDY.name,
        "Implicatures and presuppositions (IMPPRES)",
        tuple(table for each in results for table in each.tables),
        tuple(figure for each in results for figure in each.figures),
        (*warnings, *(sentence for each in results for sentence in each.warnings)),
        omitted,
        tuple(table for each in results for table in each.details),
    )


def _coverage(found: Sequence[Pairs], what: str) -> tuple[str, ...]:
    several = [
        f"{pairs.model}: pairs of {what} without an answer, which are left out: {pairs.missing:,}"
        for pairs in found
        if pairs.missing
    ]
    two = [
        f"{pairs.model} has two labels: neutral and contradiction count as one in {what}"
        for pairs in found
        if len(pairs.labels) == 2
    ]
    ties = [
        f"{pairs.model}: answers to {what} with two or more labels equally likely, each counted in parts: {count:,}"
        for pairs in found
        if (count := int((pairs.shares.max(axis=1) < 1).sum()))
    ]
    others = [
        f"{pairs.model}: conditions that this analysis of {what} does not know, which are left out: "
        f"{', '.join(pairs.others[:3])}{f' and {len(pairs.others) - 3} more' if pairs.others[3:] else ''}"
        for pairs in found
        if pairs.others
    ]
    return (*several, *two, *ties, *others)


def _shared(values: Floats, pairs: Pairs, rows: Rows) -> Value:
    """The mean of some rows, with its interval; None for no rows."""
    rows = rows & ~np.isnan(values)
    return mean(values[rows], pairs.clusters[rows]) if rows.any() else None


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")


def _in_order(groups: Sequence[Texts]) -> list[str]:
    """The values of a column of several models, each once."""
    return list(dict.fromkeys(value for group in groups for value in group.tolist()))


# -- implicatures


def _implicatures(found: Sequence[Pairs]) -> Findings:
    by_trigger = _by_trigger(found)
    by_condition = _by_condition(found)
    contrasts, warnings = _contrasts(found)
    numerals = [pairs for pairs in found if (pairs.exactly != "").any()]
    details = (by_condition, contrasts, *([_numerals(numerals)] if numerals else []))
    return Findings(
        STUDY.name, "", (by_trigger,), tuple(_implicature_figures(found)),
        (*_coverage(found, "implicatures"), *warnings), tuple(_without_exactly(found)), details,
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
        names = _in_order([pairs.triggers])
        for trigger in [*names, ALL] if len(names) > 1 else names:
            own = _of_trigger(pairs, trigger)
            cells = [_shared(shares[name], pairs, own & target) for name in BEHAVIOURS]
            controls = own & ~target
            rows.append(
                (
                    trigger, int((own & target).sum()), *cells,
                    int(controls.sum()), _shared(right, pairs, controls),
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
        columns, tuple(rows), (f"{SECTION}, Figures 2 and 3.",), sections=sections,
        methods=(share_method(),),
    )  # fmt: skip


def _by_condition(found: Sequence[Pairs]) -> Table:
    rows: list[tuple[Value, ...]] = []
    sections: dict[int, str] = {}
    for pairs in found:
        shares, types = behaviours(pairs), pairs.types
        for kind in _in_order([types]):
            sections[len(rows)] = f"{pairs.model}: {kind}"
            for relation in RELATIONS:
                own = (types == kind) & pairs.of(relation.condition)
                if own.any():
                    cells = [_shared(shares[name], pairs, own) for name in BEHAVIOURS]
                    labels = (_several(pairs.literal[own]), _several(pairs.pragmatic[own]))
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
        columns, tuple(rows), (f"{SECTION}, Table 2 and Figures 4 and 8 to 13.",), sections=sections,
        methods=(share_method(),),
    )  # fmt: skip


def _several(labels: Texts) -> str:
    return " or ".join(label for label in LABELS if label in labels.tolist()) or "–"


def _contrasts(found: Sequence[Pairs]) -> tuple[Table, list[str]]:
    rows: list[tuple[Value, ...]] = []
    sections: dict[int, str] = {}
    warnings = []
    for pairs in found:
        types = pairs.types
        alike: dict[str, int] = {}
        incomplete = 0
        for kind in _in_order([types]):
            own = pairs.where(types == kind)
            sections[len(rows)] = f"{pairs.model}: {kind}"
            for contrast in CONTRASTS:
                found_here = differences(own, contrast)
                rows.append((contrast.name, len(found_here.values), _difference(found_here)))
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
        (f"{SECTION}, section 6.2.",),
        sections=sections,
        methods=(difference_method(),),
    )
    return table, warnings


def _incomplete(target: Pairs) -> int:
    _, counts = np.unique(target.instances.astype(str), return_counts=True)
    return int((counts < len(TARGETS)).sum())


def _difference(found: Differences) -> Value:
    return difference(found.values, found.clusters) if len(found.values) else None


def _numerals(found: Sequence[Pairs]) -> Table:
    """Agreement with three behaviours, over all twelve pairs: *exactly* moves two of the controls."""
    rows: list[tuple[Value, ...]] = []
    sections: dict[int, str] = {}
    for pairs in found:
        own = pairs.where(pairs.exactly != "")
        predicted = {"literal": own.literal, "pragmatic": own.pragmatic, "exactly": own.exactly}
        agreement = {name: own.given(labels) for name, labels in predicted.items()}
        answered = [own.share_of(label) for label in LABELS]
        for trigger in _in_order([own.triggers]):
            of_trigger = own.triggers == trigger
            sections[len(rows)] = f"{pairs.model}: {trigger}"
            for relation in RELATIONS:
                here = of_trigger & own.of(relation.condition)
                if here.any():
                    labels = [_several(label[here]) for label in predicted.values()]
                    given_labels = [float(share[here].mean()) if share is not None else None for share in answered]
                    none = (None,) * len(predicted)
                    rows.append((relation.condition, *labels, int(here.sum()), *given_labels, *none))
            cells = [_shared(share, own, of_trigger) for share in agreement.values()]
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
        columns, tuple(rows), (f"{SECTION}, section 6.2: their third behaviour is `exactly n`.",),
        sections=sections, methods=(share_method(),),
    )  # fmt: skip


def _implicature_figures(found: Sequence[Pairs]) -> list[Figure]:
    kinds = _in_order([pairs.types for pairs in found])
    controls = {
        pairs.model: [
            _shared(pairs.given(pairs.pragmatic), pairs, (pairs.types == kind) & ~pairs.of(*TARGETS)) for kind in kinds
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


# -- presuppositions


def _presuppositions(found: Sequence[Pairs]) -> Findings:
    filters = [filtered(pairs) for pairs in found]
    triggers = _in_order([pairs.triggers for pairs in found])
    first = [ALL] if len(triggers) > 1 else triggers
    tables = (
        _accuracy("imppres_presupposition", found, first),
        _projection("imppres_projection", found, filters, first),
    )
    details = (
        _accuracy("imppres_presupposition_triggers", found, triggers),
        _projection("imppres_projection_triggers", found, filters, triggers),
    )
    warnings = [
        f"{pairs.model}: target pairs that are not in the filtered results, since a pair that the filter reads has no "
        f"answer: {count:,}"
        for pairs, each in zip(found, filters, strict=True)
        if (count := int(each.unknown.sum()))
    ]
    return Findings(
        STUDY.name, "", tables, tuple(_presupposition_figures(found, filters)),
        (*_coverage(found, "presuppositions"), *warnings), details=details if len(triggers) > 1 else (),
    )  # fmt: skip


def _of_trigger(pairs: Pairs, trigger: str) -> Rows:
    rows: Rows = pairs.triggers == trigger
    return rows if trigger != ALL else np.ones(len(pairs.triggers), np.bool_)


def _accuracy(name: str, found: Sequence[Pairs], triggers: Sequence[str]) -> Table:
    rows: list[tuple[Value, ...]] = []
    sections: dict[int, str] = {}
    right = [pairs.given(pairs.pragmatic) for pairs in found]
    for trigger in triggers:
        sections[len(rows)] = trigger
        for embedding, version in conditions():
            where = [_of_trigger(pairs, trigger) & pairs.of(f"{embedding}-{version}") for pairs in found]
            if not any(own.any() for own in where):
                continue
            labels = np.concatenate([pairs.pragmatic[own] for pairs, own in zip(found, where, strict=True)])
            cells: list[Value] = []
            for pairs, own, values in zip(found, where, right, strict=True):
                cells += [int(own.sum()), _shared(values, pairs, own)]
            item = "plain trigger (control)" if version == CONTROL else version
            rows.append((embedding, item, _several(labels), *cells))
    columns = [Column("embedding", "trigger is"), Column("version", "hypothesis"), Column("label", "label")]
    for i, pairs in enumerate(found, 1):
        columns += [Column(f"n_{i}", "items", group=pairs.model), percent(f"model_{i}", "accuracy", pairs.model)]
    return Table(
        name,
        "Share of presuppositions that are judged right, by the operator above their trigger (negation, question, "
        f"modal, conditional) and by hypothesis{_of_triggers(triggers)}.",
        tuple(columns), tuple(rows), (f"{SECTION}, Table 3 and Figures 5 and 6.",), stub=2,
        methods=(share_method(),),
        sections=sections,
    )  # fmt: skip


def _projection(name: str, found: Sequence[Pairs], filters: Sequence[Filtered], triggers: Sequence[str]) -> Table:
    rows: list[tuple[Value, ...]] = []
    sections: dict[int, str] = {}
    right = [pairs.given(pairs.pragmatic) for pairs in found]
    for trigger in triggers:
        sections[len(rows)] = trigger
        for embedding, version in conditions(controls=False):
            cells: list[Value] = []
            for pairs, found_filter, values in zip(found, filters, right, strict=True):
                own = _of_trigger(pairs, trigger) & pairs.of(f"{embedding}-{version}")
                kept = own & found_filter.kept
                filtered_by = (embedding, version) == next(conditions())  # what the filter asks for is no finding
                share = _plain(values, kept) if filtered_by else _shared(values, pairs, kept)
                cells += [int(own.sum()), _plain(values, own), int(kept.sum()), share]
            if any(cells[::4]):
                rows.append((embedding, version, *cells))
    columns = [Column("embedding", "trigger is"), Column("version", "hypothesis")]
    for i, pairs in enumerate(found, 1):
        columns += [
            Column(f"n_before_{i}", "items", group=pairs.model), percent(f"before_{i}", "accuracy", pairs.model),
            Column(f"n_after_{i}", "kept", group=pairs.model), percent(f"after_{i}", "accuracy of kept", pairs.model),
        ]  # fmt: skip
    return Table(
        name,
        "Accuracy on presuppositions, of all items and of those that pass the controls of their instance"
        f"{_of_triggers(triggers)}.",
        tuple(columns), tuple(rows),
        (
            "Kept: the plain trigger of the instance is taken to entail its presupposition and, below an operator, the "
            "control of that operator is right. By this rule the first row of the kept is 100 %, which is no finding "
            "and has no interval.",
            f"{SECTION}, section 7.2 and Figure 7.",
        ),
        stub=2, sections=sections, methods=(share_method(),),
    )  # fmt: skip


def _of_triggers(triggers: Sequence[str]) -> str:
    """What a caption says of a table that has a section for each of several triggers."""
    return ", trigger by trigger" if len(triggers) > 1 else ""


def _plain(values: Floats, rows: Rows) -> float | None:
    rows = rows & ~np.isnan(values)
    return float(values[rows].mean()) if rows.any() else None


def _presupposition_figures(found: Sequence[Pairs], filters: Sequence[Filtered]) -> list[Figure]:
    right = [pairs.given(pairs.pragmatic) for pairs in found]
    operators = list(EMBEDDINGS[1:])
    triggers = _in_order([pairs.triggers for pairs in found])
    both = list(zip(found, right, strict=True))
    controls = {
        pairs.model: [_shared(values, pairs, pairs.of(f"{name}-{CONTROL}")) for name in operators]
        for pairs, values in both
    }
    plain = {
        pairs.model: [_shared(values, pairs, _of_trigger(pairs, t) & pairs.of("plain-presupposed")) for t in triggers]
        for pairs, values in both
    }
    embedded = [(embedding, version) for embedding in operators for version in VERSIONS]
    kept = {
        pairs.model: [_shared(values, pairs, each.kept & pairs.of(f"{e}-{v}")) for e, v in embedded]
        for (pairs, values), each in zip(both, filters, strict=True)
    }
    return [
        Figure(
            "imppres_presupposition_controls", "Accuracy on the controls of presuppositions, by operator.",
            "A group of bars for each operator, a bar for each model.",
            Bars(operators, controls),
        ),
        Figure(
            "imppres_plain_triggers", "How often a plain trigger is taken to entail its presupposition, by trigger.",
            "A group of bars for each trigger, a bar for each model.",
            Bars(triggers, plain),
        ),
        Figure(
            "imppres_projection",
            "Accuracy on presuppositions below operators, of items that pass the controls of their instance.",
            "A group of bars for each operator and version of the presupposition, a bar for each model; no bar where "
            "no item passes the controls.",
            Bars([f"{e}, {v}" for e, v in embedded], kept),
        ),
    ]  # fmt: skip
