"""Check every line of accounts.jsonl against the certificates that its steps name, and that lines are sorted.

A line of minimal pairs has noun phrases instead of steps: their meanings, and what is decided of each. The pairs of
formulas that this is about are made of the meanings again; the certificates have to be of these.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import permutations, product
from pathlib import Path
from typing import Any

import msgspec

from gramprobe.certify.rule import EXCLUDED, kind_of
from gramprobe.dataset.verify.certificates import Certificates, report_unused, shaped_lines
from gramprobe.dataset.verify.problems import Problems
from gramprobe.dataset.verify.text import compact
from gramprobe.decide.label import Decider
from gramprobe.decide.verdict import Shape, Verdict, verdict_from
from gramprobe.formula.notation import FormulaError
from gramprobe.items.account import NO_ANTECEDENT
from gramprobe.items.licensing import LicensingAccount, decided_again
from gramprobe.items.strength import picked, strictly
from gramprobe.items.task import Evidence, Task
from gramprobe.judge.claims import Claims
from gramprobe.records import why_no_record

STEP = ("kind", "condition", "reading", "other", "label", "shape")
"""The fields of a step."""
KINDS = ("same", "fits", "entailed", "stronger", "strengthened", "paraphrase")
TRIED = ("fits", "entailed")
"""The kinds of steps that every reading has with every right condition."""
NOUN_PHRASES = "noun_phrases"
"""The field of a line of minimal pairs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedAccount:
    """The results of the steps of a sound account.

    Attributes:
        readings: condition -> ids of its readings, equivalent ones once.
        holds: (left condition, right condition) -> ids of the left readings that the right one fits, or that entail it.
        same: (condition, reading, other reading, shape): two readings that were compared, with the shape decided.
        stronger: condition -> pairs of readings of which the first is the stronger.
        weighed: (condition, reading, other reading, shape): two readings of which it was decided which is the stronger.
        picks: (left condition, right condition) -> the left reading that the right one picks, or nothing; None
            where no step shows whether it fits a weaker reading without the stronger one.
        paraphrases: conditions that say one reading only -> its id.
        premises: (condition, reading, shape): a reading, with a shape of which it is the premise.
        kinds: (left condition, right condition) -> `fits` or `entailed`.
        certificate: the kind of the weakest proof of all steps.
        needs: whether some certificate names a principle without which its label could be another.
    """

    readings: dict[str, tuple[str, ...]]
    holds: dict[tuple[str, str], tuple[str, ...]]
    same: tuple[tuple[str, str, str, str], ...]
    stronger: dict[str, tuple[tuple[str, str], ...]]
    weighed: tuple[tuple[str, str, str, str], ...]
    picks: dict[tuple[str, str], str | None]
    paraphrases: dict[str, str]
    premises: tuple[tuple[str, str, str], ...]
    kinds: dict[tuple[str, str], str]
    certificate: str
    needs: bool


class Lacking(Exception):
    """An account names a shape of which no certificate is accepted."""

    def __init__(self, shape: str, of: str) -> None:
        super().__init__(f"no certificate has the shape `{shape}` of {of}")
        self.shape = shape


@dataclass(slots=True)
class Accounts:
    """The lines of accounts.jsonl.

    Attributes:
        by_id: id -> the account, where the line is sound.
        licensing: id -> what the noun phrases of a minimal pair license, where the line is sound.
        lines: id -> the number of its line.
        rejected: ids of lines that are not sound.
        lacking: (number of the line, id, the shape that it lacks) of those that name no accepted certificate.
        used: ids that some row names.
    """

    by_id: dict[str, CheckedAccount] = field(default_factory=dict)
    licensing: dict[str, LicensingAccount] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    rejected: set[str] = field(default_factory=set)
    lacking: list[tuple[int, str, Lacking]] = field(default_factory=list)
    used: set[str] = field(default_factory=set)

    def without_certificates(self, file: str, certificates: Certificates, problems: Problems) -> None:
        """Report the lines that name no accepted certificate, unless that has been reported as wrong or missing."""
        for number, shown, error in self.lacking:
            if error.shape not in certificates.rejected:
                problems.add("E51", file, str(error), number, shown)

    def unused(self, file: str, problems: Problems) -> None:
        """Report the lines that no row names."""
        report_unused(self.lines, self.used, file, problems)

    def missing(self, named: Iterable[str], file: str, problems: Problems) -> None:
        """Report accounts that rows name and that no line is."""
        for id_ in sorted(set(named) - self.by_id.keys() - self.licensing.keys() - self.rejected):
            problems.add("E51", file, "rows rest on this account, and no line is it", id=id_)


def check_accounts(file: Path, name: str, certificates: Certificates, problems: Problems) -> Accounts:
    """Check all lines of a file (``name``: as it is reported). Raises OSError."""
    accounts = Accounts()
    before = ""
    for number, data, shown in shaped_lines(file, name, problems):
        try:
            both = _licensing(data, certificates) if NOUN_PHRASES in data else account_in(data, certificates.line)
        except Lacking as error:
            accounts.lacking.append((number, shown, error))
            accounts.rejected.add(shown)
            continue
        wrong, account = both
        if account is None:
            problems.add("E51", name, wrong, number, shown)
            accounts.rejected.add(shown)
            continue
        if shown <= before:
            problems.add("E51", name, "the account stands twice or out of order: lines are sorted", number, shown)
        before = max(before, shown)
        accounts.lines[shown] = number
        if isinstance(account, CheckedAccount):
            accounts.by_id[shown] = account
        else:
            accounts.licensing[shown] = account
    return accounts


class _Accepted:
    """Gives verdicts from accepted certificates alone (`decide.label.Verdicts`), and notes these as used."""

    def __init__(self, certificates: Certificates) -> None:
        self._certificates = certificates

    def get(self, shape: Shape, dependence: bool) -> Verdict:
        line = self._certificates.by_shape.get(shape.id)
        if line is None or line.text != shape.text:
            raise Lacking(shape.id, "a decision on a meaning in it")
        self._certificates.used.add(shape.id)
        return verdict_from(line.data)

    def uncertified(self, shape: Shape) -> None:
        """What has no certificate stands in no dataset."""

    def put(self, shape: Shape, verdict: Verdict) -> None:
        """Nothing is decided here."""


def _licensing(data: dict[str, Any], certificates: Certificates) -> tuple[str, LicensingAccount | None]:
    """What is wrong with a line of a minimal pair, or (with an empty text) its account. Raises Lacking."""
    try:
        account = msgspec.convert(data, LicensingAccount)
        again = decided_again(account, Claims(Decider(kept=_Accepted(certificates))))
    except (msgspec.MsgspecError, RecursionError) as error:
        return f"it is no account of noun phrases: {why_no_record(error)}", None
    except (FormulaError, ValueError, TypeError) as error:
        return f"it is no account of noun phrases: {error}", None
    for said, found in zip(account.noun_phrases, again.noun_phrases, strict=True):
        if said != found:
            return f"what it says of `{said.constructor}` is not what its certificates say of its meaning", None
    return ("", account) if account == again else ("its id is not the hash of its noun phrases", None)


def account_in(
    data: Mapping[str, Any], line_of: Callable[[str], Mapping[str, Any] | None]
) -> tuple[str, CheckedAccount | None]:
    """What is wrong with a line, or (with an empty text) its account. ``line_of``: the certificate of a shape. Raises
    Lacking."""
    steps = data.get("steps")
    if tuple(data) != ("shape", "steps") or type(steps) is not list or not all(map(_is_step, steps)):
        return "it is no account: a shape and steps with their fields", None
    if hashlib.sha256(compact(steps).encode()).hexdigest()[:16] != data["shape"]:
        return "its id is not the hash of its steps", None
    proofs: list[Any] = []
    needs = False
    values: list[str] = []
    for step in steps:
        if step["label"] == NO_ANTECEDENT:
            if step["kind"] != "fits" or step["shape"]:
                return "a step without an antecedent has a shape, or is of another kind", None
            values.append("")
            continue
        line = line_of(step["shape"])
        if line is None:
            raise Lacking(step["shape"], "a step")
        if step["label"] != line["label"]:
            return f"a step says {step['label']} of a shape whose label is {line['label']}", None
        values.append(line["h_values"])
        proofs += [line["absent"][value] for value in EXCLUDED[line["label"]]]
        needs |= any(need["model"] is not None for need in line["rests_on"] or ())
    account = _account_of(steps, values, kind_of(proofs), needs)
    wrong = _incomplete(steps, account)
    return (wrong, None) if wrong else ("", account)


def wrong_by_account(row: Mapping[str, Any], task: Task, evidence: Evidence) -> Iterator[str]:
    """What is wrong with a row about readings by its account, which is that of the evidence."""
    account: CheckedAccount = evidence.account
    if not account.readings:
        yield "its account tries no reading"
        return
    if row["certificate"] != account.certificate:
        yield f"`certificate` is `{row['certificate']}`, and its account says `{account.certificate}`"
    if not row["rests_on"] and account.needs:
        yield "`rests_on` is empty, and a certificate names principles"
    try:
        yield from task.check(row, evidence)
    except LookupError:
        yield "its account lacks a decision that an item of its task rests on"
    except (ValueError, RecursionError):
        yield "a formula of it cannot be read"


def _is_step(step: Any) -> bool:
    texts = type(step) is dict and tuple(step) == STEP and all(type(v) is str for v in step.values())
    return texts and step["kind"] in KINDS


def _incomplete(steps: list[dict[str, str]], account: CheckedAccount) -> str:
    """Which decision is missing from the steps of an account; empty if all are there.

    Any two readings that are listed must be shown to differ, a reading that is left out must be equivalent to one that
    is listed, and each listed reading must be tried with every right condition.
    """
    decided = {(s["condition"], s["reading"], s["other"]): s["label"] for s in steps if s["kind"] == "same"}
    tried = {(s["condition"], s["reading"], s["other"]) for s in steps if s["kind"] in TRIED}
    weighed = {(s["condition"], s["reading"], s["other"]) for s in steps if s["kind"] == "stronger"}
    for condition, kept in account.readings.items():
        for index, one in enumerate(kept):
            for other in kept[index + 1 :]:
                labels = decided.get((condition, one, other)), decided.get((condition, other, one))
                if not any(label not in (None, "entailment") for label in labels):
                    return f"no step shows that `{one}` and `{other}` are two readings"
        others = dict.fromkeys(o for c, _, o in tried if c == condition)
        for reading, other in product(kept, others):
            if (condition, reading, other) not in tried:
                return f"no step shows whether `{other}` fits `{reading}`"
        if any(name == condition for name, _, _ in weighed):
            for one, other in permutations(kept, 2):
                key = condition, one, other
                if key not in weighed and decided.get(key) != "entailment":
                    return f"no step shows whether `{one}` is stronger than `{other}`"
    for condition, *both in decided:
        if condition in account.paraphrases:
            continue
        kept = account.readings.get(condition, ())
        for reading in both:
            if reading not in kept and not any(
                decided.get((condition, reading, k)) == decided.get((condition, k, reading)) == "entailment"
                for k in kept
            ):
                return f"the reading `{reading}` is left out, and no step shows that it is another one"
    return ""


def _account_of(steps: list[dict[str, str]], values: list[str], certificate: str, needs: bool) -> CheckedAccount:
    """The account of some steps; ``values``: for each step the values that its second formula can take."""
    holds: dict[tuple[str, str], dict[str, bool]] = {}
    kinds: dict[tuple[str, str], str] = {}
    readings: dict[str, dict[str, None]] = {}
    of_readings: dict[str, list[tuple[str, str, str, str]]] = {"same": [], "stronger": []}
    entails: dict[str, list[tuple[str, str]]] = {}
    left: dict[tuple[str, str], dict[str, bool]] = {}
    said: dict[tuple[str, str, str], str] = {}
    for step, taken in zip(steps, values, strict=True):
        if step["kind"] in of_readings:
            of_readings[step["kind"]].append((step["condition"], step["reading"], step["other"], step["shape"]))
            if step["label"] == "entailment":
                entails.setdefault(step["condition"], []).append((step["reading"], step["other"]))
            continue
        place = step["condition"], step["other"]
        if step["kind"] == "strengthened":
            of = left.setdefault(place, {})
            of[step["reading"]] = of.get(step["reading"], False) or "T" in taken
            continue
        if step["kind"] == "paraphrase":
            said[step["condition"], step["reading"], step["other"]] = step["label"]
            continue
        readings.setdefault(step["condition"], {})[step["reading"]] = None
        kinds[place] = step["kind"]
        held = taken == "T" if step["kind"] == "entailed" else "T" in taken
        each = holds.setdefault(place, {})
        each[step["reading"]] = each.get(step["reading"], False) or held
    fits = {place: tuple(r for r, held in each.items() if held) for place, each in holds.items()}
    compared = {name for name, *_ in of_readings["stronger"]}
    stronger = {
        name: strictly(pair for pair in entails.get(name, ()) if set(pair) <= set(readings[name])) for name in compared
    }
    there = {other: (name, id_) for (name, id_, other), label in said.items() if name in readings}
    return CheckedAccount(
        readings={name: tuple(ids) for name, ids in readings.items()},
        holds=fits,
        same=tuple(of_readings["same"]),
        stronger=stronger,
        weighed=tuple(of_readings["stronger"]),
        picks={
            place: picked(ids, stronger[place[0]], left.get(place, {}))
            if {other for _, other in stronger[place[0]]}.intersection(ids) <= left.get(place, {}).keys()
            else None
            for place, ids in fits.items()
            if place[0] in stronger
        },
        paraphrases={
            name: id_ if all(label == "entailment" for key, label in said.items() if name in key) else ""
            for name, (_, id_) in there.items()
        },
        premises=tuple((s["condition"], s["reading"], s["shape"]) for s in steps if s["shape"]),
        kinds=kinds,
        certificate=certificate,
        needs=needs,
    )
