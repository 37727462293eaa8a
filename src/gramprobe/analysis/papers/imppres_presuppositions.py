"""The tables and figures of Jeretic et al. (2020), section 7.2: presuppositions by embedding, before and after the
control filter."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gramprobe.analysis.findings import Bars, Figure, Findings
from gramprobe.analysis.means import share_method
from gramprobe.analysis.output.table import Column, Table, Value, percent
from gramprobe.analysis.papers.imppres import (
    ALL,
    CONTROL,
    EMBEDDINGS,
    NAME,
    SOURCE,
    VERSIONS,
    Filtered,
    Floats,
    Pairs,
    Rows,
    conditions,
    filtered,
    in_order,
    listed_labels,
)


def presuppositions(found: Sequence[Pairs]) -> Findings:
    filters = [filtered(pairs) for pairs in found]
    triggers = in_order([pairs.triggers for pairs in found])
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
        NAME, "", tables, tuple(_presupposition_figures(found, filters)),
        tuple(warnings), details=details if len(triggers) > 1 else (),
    )  # fmt: skip


def _accuracy(name: str, found: Sequence[Pairs], triggers: Sequence[str]) -> Table:
    rows: list[tuple[Value, ...]] = []
    sections: dict[int, str] = {}
    right = [pairs.given(pairs.pragmatic) for pairs in found]
    for trigger in triggers:
        sections[len(rows)] = trigger
        for embedding, version in conditions():
            where = [pairs.of_trigger(trigger) & pairs.of(f"{embedding}-{version}") for pairs in found]
            if not any(own.any() for own in where):
                continue
            labels = np.concatenate([pairs.pragmatic[own] for pairs, own in zip(found, where, strict=True)])
            cells: list[Value] = []
            for pairs, own, values in zip(found, where, right, strict=True):
                cells += [int(own.sum()), pairs.mean(values, own)]
            item = "plain trigger (control)" if version == CONTROL else version
            rows.append((embedding, item, listed_labels(labels), *cells))
    columns = [Column("embedding", "trigger is"), Column("version", "hypothesis"), Column("label", "label")]
    for i, pairs in enumerate(found, 1):
        columns += [Column(f"n_{i}", "items", group=pairs.model), percent(f"model_{i}", "accuracy", pairs.model)]
    return Table(
        name,
        "Share of presuppositions that are judged right, by the operator above their trigger (negation, question, "
        f"modal, conditional) and by hypothesis{_of_triggers(triggers)}.",
        tuple(columns), tuple(rows), (f"{SOURCE}, Table 3 and Figures 5 and 6.",), stub=2,
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
                own = pairs.of_trigger(trigger) & pairs.of(f"{embedding}-{version}")
                kept = own & found_filter.kept
                filtered_by = (embedding, version) == next(conditions())  # what the filter asks for is no finding
                share = _plain(values, kept) if filtered_by else pairs.mean(values, kept)
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
            f"{SOURCE}, section 7.2 and Figure 7.",
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
    triggers = in_order([pairs.triggers for pairs in found])
    both = list(zip(found, right, strict=True))
    controls = {
        pairs.model: [pairs.mean(values, pairs.of(f"{name}-{CONTROL}")) for name in operators] for pairs, values in both
    }
    plain = {
        pairs.model: [pairs.mean(values, pairs.of_trigger(t) & pairs.of("plain-presupposed")) for t in triggers]
        for pairs, values in both
    }
    embedded = [(embedding, version) for embedding in operators for version in VERSIONS]
    kept = {
        pairs.model: [pairs.mean(values, each.kept & pairs.of(f"{e}-{v}")) for e, v in embedded]
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
