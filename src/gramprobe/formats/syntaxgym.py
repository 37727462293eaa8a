"""SyntaxGym (Gauthier et al. 2020): a test suite as JSON for each paradigm, with regions and predictions.

An item is an instance, with a sentence for each condition, cut into regions. Numbers of regions are places in a
sentence; a condition with fewer regions has empty ones at its end, since all conditions of a suite have the same
numbers. Formulas are of two operands each, as SyntaxGym's parser reads no more in one pair of parentheses.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from math import lcm
from pathlib import Path
from typing import Any

from gramprobe.formats import written

about = "test suites of SyntaxGym: regions by number, and formulas about their surprisal"
Regions = list[tuple[str, str]]
"""(name, text) of each region of a sentence."""


def fits(design: Any) -> bool:
    """Whether rows are sentences, pairs of them, or contexts with continuations."""
    return written.kind_of(design) in ("sentence", "pair", "continuation")


def write(dataset: Any, paradigms: Sequence[str], folder: Path) -> Sequence[str]:
    """A suite for each paradigm, and a table of the ids of its rows. Raises UsageError (E29) for more than
    100,000 rows in one, OSError."""
    written.check_size(dataset, paradigms, "a test suite")
    notes, read = list[str](), set[str]()
    for name in paradigms:
        design = dataset.design(name)
        kind, scored = written.kind_of(design), design.scored
        columns = ["id", "condition", "regions", "context", *scored.context, *scored.options, *scored.continuations]
        read.update(columns)
        items = [_item(kind, scored, group) for group in written.instances(dataset, name, columns)]
        names = _names(regions for item in items for _, _, regions in item)
        formulas, said = _predictions(kind, design, {c: regions for c, _, regions in items[0]})
        suite = {
            "meta": {"name": name, "metric": "sum", "comments": f"{dataset.manifest.name}; {dataset.rights.licence}"},
            "region_meta": {str(number): each for number, each in enumerate(names, 1)},
            "predictions": [{"type": "formula", "formula": each} for each in formulas],
            "items": [
                {"item_number": n, "conditions": [_condition(c, regions, len(names)) for c, _, regions in item]}
                for n, item in enumerate(items, 1)
            ],
        }
        written.json_file(folder / f"{name}.json", suite)
        with (folder / f"{name}.ids.csv").open("w", encoding="utf-8", newline="") as stream:
            lines = csv.writer(stream, lineterminator="\n")
            lines.writerow(("item_number", "condition_name", "id"))
            lines.writerows((n, c, id) for n, item in enumerate(items, 1) for c, id, _ in item)
        notes += [f"{name}: {said}"] if said else []
    return [
        "A suite has at most 100,000 rows, since it is one document. It has no place for ids: `*.ids.csv` has them by "
        "item and condition. A final point is no region of its own, but the end of the last one; a condition with "
        "fewer regions than others has empty ones at its end.",
        *notes,
        written.columns_left(dataset, paradigms, read),
    ]


def _item(kind: str, scored: Any, group: Sequence[Mapping[str, Any]]) -> list[tuple[str, str, Regions]]:
    """(condition, id of the row, its regions) of an instance."""
    if kind == "sentence":
        return [(row["condition"], row["id"], _regions(row, row[scored.continuations[0]])) for row in group]
    found = []
    for row in group:
        if kind == "pair":
            found += [(column, row["id"], [("sentence", row[column])]) for column in scored.options]
        else:
            pairs = [(c, after) for c in scored.context if row[c] for after in scored.continuations]
            regions = ([("context", row[c]), ("continuation", row[after])] for c, after in pairs)
            found += [(f"{c}-{n}", row["id"], each) for (c, n), each in zip(pairs, regions, strict=True)]
    return found


def _regions(row: Mapping[str, Any], text: str) -> Regions:
    own = [(each["name"], each["text"]) for each in json.loads(row["regions"])] if row.get("regions") else []
    before = [("context", row["context"])] if row.get("context") else []
    return [*before, *(own or [("sentence", text)])]


def _names(every: Iterator[Regions]) -> list[str]:
    """For each number of a region what is there, in all conditions or some."""
    names: list[dict[str, None]] = []
    for regions in every:
        names += [{} for _ in regions[len(names) :]]
        for place, (name, _) in enumerate(regions):
            names[place][name] = None
    return [" / ".join(each) for each in names]


def _condition(name: str, regions: Regions, count: int) -> dict[str, Any]:
    texts = [" ".join(text.split()) for _, text in regions] + [""] * (count - len(regions))
    return {
        "condition_name": name,
        "regions": [{"region_number": number, "content": text} for number, text in enumerate(texts, 1)],
    }


def _predictions(kind: str, design: Any, first: Mapping[str, Regions]) -> tuple[list[str], str]:
    """The formulas, and a sentence about them. ``first``: condition -> regions, of the first item."""
    scored = design.scored
    if kind == "pair":
        good, *bad = (f"(1;%{column}%)" for column in scored.options)
        return [f"{good} < {each}" for each in bad], ""
    if kind == "continuation":
        one, two = scored.continuations
        of, control = (f"((2;%{c}-{one}%) - (2;%{c}-{two}%))" for c in scored.context[:2])
        return [f"{of} > {control}"], "the formula says that alpha is positive (Kamath et al. 2024, 11)."
    found = []
    for weights in _contrasts(design):
        numbers = {c: {name: n for n, (name, _) in enumerate(first[c], 1)} for c in weights}
        for name in numbers[next(iter(weights))]:
            so_far = {tuple(first[c][: own[name]]) if name in own else None for c, own in numbers.items()}
            if None in so_far or len(so_far) == 1:
                continue  # some condition has no such region, or all are alike up to there
            sides = [
                [f"({numbers[c][name]};%{c}%)" for c, weight in weights.items() for _ in range(sign * weight)]
                for sign in (1, -1)
            ]
            left, right = (reduce(lambda one, other: f"({one} + {other})", side) for side in sides)
            found.append(f"{left} > {right}")
    if not found:
        return [], "no contrast and no factor of two levels is declared, so that it has no formulas."
    said = (
        "the formulas say of each region behind the first difference that a declared contrast is positive."
        if design.contrasts
        else "the direction of the formulas is not declared: they say that the second level of a factor is harder."
    )
    return found, said


def _contrasts(design: Any) -> list[dict[str, int]]:
    """Condition -> its weight, of each declared contrast; without any, of the second level of each factor of two levels
    within instances against the first."""
    if design.contrasts:
        exact = [
            {c: Fraction(weight).limit_denominator(1000) for c, weight in each.weights.items() if weight}
            for each in design.contrasts
        ]
        return [{c: int(w * lcm(*(w.denominator for w in each.values()))) for c, w in each.items()} for each in exact]
    within = [f for f in design.factors or () if f.kind == "within" and f.of == "condition" and len(f.levels) == 2]
    cells = [(cell.levels, cell.conditions) for cell in design.cells or ()]
    return [
        {c: 2 * factor.levels.index(levels[factor.name]) - 1 for levels, conditions in cells for c in conditions}
        for factor in within
    ]
