"""SyntaxGym (Gauthier et al. 2020): a test suite as JSON for each paradigm, with regions and predictions.

An item is an instance, with a sentence for each condition, cut into regions. Numbers of regions are places in a
sentence; a condition with fewer regions has empty ones at its end, since all conditions of a suite have the same
numbers. Formulas are of two operands each, as SyntaxGym's parser reads no more in one pair of parentheses.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from math import lcm, prod
from pathlib import Path
from typing import Any, NamedTuple

from gramprobe.formats import writing
from gramprobe.records import in_headline
from gramprobe.source.diagnostic import UsageError

about = "test suites of SyntaxGym: regions by number, and formulas about their surprisal"
Regions = list[tuple[str, str]]
"""(name, text) of each region of a sentence."""


def fits(design: Any) -> bool:
    """Whether rows are sentences, pairs of them, or contexts with continuations."""
    return writing.kind_of(design) in ("sentence", "pair", "continuation")


def write(dataset: Any, paradigms: Sequence[str], folder: Path) -> Sequence[str]:
    """A suite for each paradigm, and a table of the ids of its rows. Raises UsageError (E29) for more than
    100,000 rows in one, and for instances none of which has all conditions; OSError."""
    writing.check_size(dataset, paradigms, "a test suite")
    notes, read = list[str](), set[str]()
    for name in paradigms:
        design = dataset.design(name)
        kind, scored = writing.kind_of(design), design.scored
        columns = ["id", "condition", "tag", "regions", "context"]
        columns += [*scored.context, *scored.options, *scored.continuations]
        read.update(columns)
        every = [_item(kind, scored, group) for group in writing.instances(dataset, name, columns)]
        wanted = max(every, key=len).keys()
        items = [item for item in every if item.keys() == wanted]
        if len(wanted) < len({condition for item in every for condition in item}):
            raise _incomplete(name)
        names = {c: _merged(name, c, [[region for region, _ in item[c].regions] for item in items]) for c in wanted}
        count = max(map(len, names.values()))
        formulas, said = _predictions(kind, design, items[0], names)
        suite = {
            "meta": {"name": name, "metric": "sum", "comments": f"{dataset.manifest.name}; {dataset.rights.licence}"},
            "region_meta": {
                str(n): " / ".join(dict.fromkeys(own[n - 1] for own in names.values() if n <= len(own)))
                for n in range(1, count + 1)
            },
            "predictions": [{"type": "formula", "formula": each} for each in formulas],
            "items": [
                {"item_number": n, "conditions": [_condition(c, item[c].regions, names[c], count) for c in wanted]}
                for n, item in enumerate(items, 1)
            ],
        }
        writing.json_file(folder / f"{name}.json", suite)
        with (folder / f"{name}.ids.csv").open("w", encoding="utf-8", newline="") as stream:
            lines = csv.writer(stream, lineterminator="\n")
            lines.writerow(("item_number", "condition_name", "id"))
            lines.writerows((n, c, id) for n, item in enumerate(items, 1) for c in wanted for id in item[c].ids)
        notes += [f"{name}: {said}"] if said else []
        if len(items) < len(every):
            notes.append(
                f"{name}: {len(every) - len(items):,} of {len(every):,} instances are not here, since a row of theirs "
                "stands in an earlier one, and all items of a suite have the same conditions."
            )
    return [
        "A suite has at most 100,000 rows, since it is one document. It has no place for ids: `*.ids.csv` has them by "
        "item and condition. A final point is no region of its own, but the end of the last one; a condition with "
        "fewer regions than others has empty ones at its end.",
        *notes,
        writing.columns_left(dataset, paradigms, read),
    ]


class _Sentence(NamedTuple):
    """A condition of an item: its regions, the ids of its rows, and of a better sentence the worse ones of pairs that
    count in headline scores."""

    regions: Regions
    ids: list[str]
    worse: list[str]


def _item(kind: str, scored: Any, group: Sequence[Mapping[str, Any]]) -> dict[str, _Sentence]:
    """Condition -> its sentence, of an instance. The sentences of pairs have the names in `GOOD-BAD`, so that one that
    stands in several pairs is one condition."""
    found: dict[str, _Sentence] = {}
    for row in group:
        condition = row["condition"]
        if kind == "sentence":
            own = {condition: _regions(row, row[scored.continuations[0]])}
        elif kind == "pair":
            parts = condition.split("-")
            named = parts if len(parts) == len(scored.options) else [f"{condition}-{c}" for c in scored.options]
            own = {n: [("sentence", row[column])] for n, column in zip(named, scored.options, strict=True)}
        else:
            pairs = [(c, after) for c in scored.context if row[c] for after in scored.continuations]
            before = f"{condition}-" if len(group) > 1 else ""
            own = {f"{before}{c}-{n}": [("context", row[c]), ("continuation", row[n])] for c, n in pairs}
        for name, regions in own.items():
            found.setdefault(name, _Sentence(regions, [], [])).ids.append(row["id"])
        if kind == "pair" and in_headline(row["tag"]):
            better, *worse = own
            found[better].worse.extend(worse)
    return found


def _regions(row: Mapping[str, Any], text: str) -> Regions:
    own = [(each["name"], each["text"]) for each in json.loads(row["regions"])] if row.get("regions") else []
    before = [("context", row["context"])] if row.get("context") else []
    return [*before, *(own or [("sentence", text)])]


def _merged(paradigm: str, condition: str, every: Sequence[list[str]]) -> list[str]:
    """The names of the regions of a condition in their order, also where some items lack some. Raises UsageError (E29)
    where two items have them in different orders."""
    names = list[str]()
    for own in dict.fromkeys(map(tuple, every)):
        at = 0
        for name in own:
            if name in names[at:]:
                at = names.index(name, at) + 1
            elif name in names:
                raise UsageError(
                    f"the regions of `{condition}` in `{paradigm}` stand in different orders: {', '.join(names)} and "
                    f"{', '.join(own)}",
                    "a suite numbers regions by their places: give each order a paradigm of its own",
                    "E29",
                )
            else:
                names.insert(at, name)
                at += 1
    return names


def _incomplete(paradigm: str) -> UsageError:
    return UsageError(
        f"no instance of `{paradigm}` has all conditions, and all items of a test suite have the same",
        "build more instances (--n), or draw what the conditions without a row have in common with others",
        "E29",
    )


def _condition(name: str, regions: Regions, names: Sequence[str], count: int) -> dict[str, Any]:
    own = dict(regions)
    texts = [" ".join(own.get(each, "").split()) for each in names] + [""] * (count - len(names))
    return {
        "condition_name": name,
        "regions": [{"region_number": number, "content": text} for number, text in enumerate(texts, 1)],
    }


def _predictions(
    kind: str, design: Any, first: Mapping[str, _Sentence], names: Mapping[str, Sequence[str]]
) -> tuple[list[str], str]:
    """The formulas, and a sentence about them. ``first``: the first item; ``names``: of regions, by condition."""
    scored = design.scored
    if kind == "pair":
        found = [f"(1;%{c}%) < (1;%{bad}%)" for c, sentence in first.items() for bad in dict.fromkeys(sentence.worse)]
        crossed = _interaction(design, {bad for sentence in first.values() for bad in sentence.worse})
        if not crossed or not crossed.keys() <= first.keys():
            return found, ""
        said = "the last formula says that what is bad costs more than its two factors do, each by itself."
        return [*found, _positive(dict.fromkeys(crossed, 1), crossed)], said
    if kind == "continuation":
        one, two = scored.continuations
        end = f"{scored.context[0]}-{one}"
        found = []
        for before in (condition.removesuffix(end) for condition in first if condition.endswith(end)):
            of, control = (f"((2;%{before}{c}-{one}%) - (2;%{before}{c}-{two}%))" for c in scored.context[:2])
            found.append(f"{of} > {control}")
        return found, "the formula says that alpha is positive (Kamath et al. 2024, 11)."
    weighted, said = _contrasts(design, list(first))
    if not weighted:
        return [], (
            f"it has no formulas, since nothing says which of its {len(first)} conditions is harder: declare "
            f"`contrast gap = {' - '.join(list(first)[1::-1])}`, or a factor of two levels, and build it again."
        )
    found = []
    for weights in weighted:
        numbers = {c: {name: n for n, name in enumerate(names[c], 1)} for c in weights}
        texts = {c: dict(first[c].regions) for c in weights}
        for name in numbers[next(iter(weights))]:
            so_far = {
                tuple((each, texts[c].get(each, "")) for each in names[c][: own[name]]) if name in own else None
                for c, own in numbers.items()
            }
            if None in so_far or len(so_far) == 1:
                continue  # some condition has no such region, or all are alike up to there
            found.append(_positive({c: own[name] for c, own in numbers.items()}, weights))
    if not found:
        return [], "it has no formulas, since its conditions have no region in common behind the first difference."
    return found, said


def _positive(numbers: Mapping[str, int], weights: Mapping[str, int]) -> str:
    """That a weighted sum of surprisals is positive. ``numbers``: of the region in each condition."""
    sides = [
        [f"({numbers[c]};%{c}%)" for c, weight in weights.items() for _ in range(sign * weight)] for sign in (1, -1)
    ]
    left, right = (reduce(lambda one, other: f"({one} + {other})", side) for side in sides)
    return f"{left} > {right}"


def _interaction(design: Any, bad: Collection[str]) -> dict[str, int]:
    """Condition -> its weight in the difference of differences of two factors of two levels, in which bad sentences
    weigh more than 0 together; empty for other designs."""
    factors = [each for each in design.factors or () if each.of == "condition"]
    if [len(each.levels) for each in factors] != [2, 2]:
        return {}
    weights = {
        c: prod(2 * factor.levels.index(cell.levels[factor.name]) - 1 for factor in factors)
        for cell in design.cells or () for c in cell.conditions
    }  # fmt: skip
    total = sum(weight for c, weight in weights.items() if c in bad)
    return {c: weight if total > 0 else -weight for c, weight in weights.items()} if total and len(weights) == 4 else {}


def _contrasts(design: Any, conditions: Sequence[str]) -> tuple[list[dict[str, int]], str]:
    """Condition -> its weight, of each declared contrast; without any, of the second level of each factor of two levels
    within instances against the first; without these, of the second of two conditions against the first. And what
    formulas of them say."""
    if design.contrasts:
        exact = [
            {c: Fraction(weight).limit_denominator(1000) for c, weight in each.weights.items() if weight}
            for each in design.contrasts
        ]
        whole = [{c: int(w * lcm(*(w.denominator for w in each.values()))) for c, w in each.items()} for each in exact]
        return (
            whole,
            "the formulas say of each region behind the first difference that a declared contrast is positive.",
        )
    within = [f for f in design.factors or () if f.kind == "within" and f.of == "condition" and len(f.levels) == 2]
    said = "the direction of the formulas is not declared: they say that the second {} is harder."
    if not within and len(conditions) == 2:
        return [dict(zip(conditions, (-1, 1), strict=True))], said.format("condition")
    cells = [(cell.levels, cell.conditions) for cell in design.cells or ()]
    return [
        {c: 2 * factor.levels.index(levels[factor.name]) - 1 for levels, conditions in cells for c in conditions}
        for factor in within
    ], said.format("level of a factor")
