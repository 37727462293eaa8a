"""Venn arguments: proofs from clauses and from lemmas on counts.

A proof is a list of parts. Each shows a clause by lemmas (`regions`) and by reverse unit propagation (`rup`); the
last shows the empty clause. The others are about an arbitrary unnamed individual: a clause that is true of it, and so
of all, shows that regions are empty (`Counting.emptied`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from re import fullmatch
from typing import Any

from gramprobe.certify import rup
from gramprobe.certify.classical import Problem
from gramprobe.certify.counting import Counting
from gramprobe.certify.regions import BITS, LARGEST, everything
from gramprobe.certify.reject import Budget, CertificateError

DEEPEST = 8
"""No larger depth is tried."""


def check(problem: Problem, proof: Mapping[str, Any], budget: Budget) -> None:
    """Check a Venn argument. Raises CertificateError unless it shows that the problem has no model.

    `{"kind": "venn", "depth": 0, "naming": false, "looking": false, "splits": [[group, hex set, least]], "parts":
    [{"lemmas": [[clause, [literal, multiplier, ...]]], "steps": [clause], "shows": clause, "split": literal}]}`.
    The literals of the splits follow those of the clauses made from the problem. The last part shows the empty
    clause.
    """
    if set(proof) != {"kind", "depth", "naming", "looking", "splits", "parts"} or proof["kind"] != "venn":
        raise CertificateError("a Venn argument has exactly the fields kind, depth, naming, looking, splits, parts")
    depth, naming, looking = proof["depth"], proof["naming"], proof["looking"]
    if type(depth) is not int or not 0 <= depth <= DEEPEST or not type(naming) is type(looking) is bool:
        raise CertificateError(f"the depth of a Venn argument is a number from 0 to {DEEPEST}")
    try:
        counting = Counting(problem, depth, naming, looking, budget)
    except RecursionError:
        raise CertificateError("its formulas are nested too deep") from None
    regions, top = counting.regions, counting.top
    for top, item in enumerate(listed(proof["splits"]), counting.top + 1):
        budget.spend(1 << BITS >> 6)
        regions.split(top, *split_from(item, regions.sizes))
    clauses = list(counting.clauses)
    for part in listed(proof["parts"]):
        if type(part) is not dict or set(part) != {"lemmas", "steps", "shows", "split"}:
            raise CertificateError("a part of a Venn argument has exactly the fields lemmas, steps, shows, split")
        for lemma in listed(part["lemmas"]):
            clause, multipliers = map(listed, listed(lemma, 2))
            flat = numbers(multipliers, LARGEST)
            regions.lemma(numbers(clause, top), list(zip(flat[::2], flat[1::2], strict=False)), budget)
            clauses.append(clause)
        shown = numbers(part["shows"], top)
        steps = [numbers(step, top) for step in listed(part["steps"])]
        rup.check([*clauses, *[[-literal] for literal in shown]], steps, top, budget)
        if not shown:
            return
        clauses.append(counting.emptied(shown, numbers([part["split"]], top)[0]))
    raise CertificateError("no part of a Venn argument shows the empty clause")


def split_from(item: Any, sizes: Sequence[int]) -> tuple[int, int, int]:
    """Group, set and number of a split."""
    group, inside, least = listed(item, 3)
    if type(group) is not int or not 0 <= group < len(sizes) or type(least) is not int or abs(least) > LARGEST:
        raise CertificateError("a split names a group of regions and a number")
    if type(inside) is not str or not fullmatch("[0-9a-f]+", inside) or len(inside) > 1 + (1 << sizes[group]) // 4:
        raise CertificateError("the set of a split is no truth table")
    return group, int(inside, 16) & everything(sizes[group]), least


def listed(data: Any, length: int | None = None) -> list[Any]:
    """A list (of that length); raises CertificateError for anything else."""
    if type(data) is not list or (length is not None and len(data) != length):
        raise CertificateError("a list in a Venn argument is missing or has the wrong length")
    return data


def numbers(data: Any, largest: int) -> list[int]:
    """A list of whole numbers other than 0; raises CertificateError for anything else."""
    if any(type(number) is not int or not 0 < abs(number) <= largest for number in listed(data)):
        raise CertificateError("a Venn argument mentions a literal that does not exist, or a number out of range")
    return list(data)
