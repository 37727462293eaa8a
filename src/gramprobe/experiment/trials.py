"""The records of an experiment folder, which `gramprobe lists` writes and `gramprobe judgments` reads.

    experiment.json   what is planned: kind, scale, lists, factors, exclusions, and the dataset by its hash
    trials.jsonl      who sees what: a trial a line, in the order of lists and positions

    experiment = read(Path("experiment"))       experiment.plan.kind, experiment.trial(3, 12)

What comes back of each trial, from whatever platform: `person` (made up by the page, of no service), `list`,
`position`, `id`, `answer` (the name of an option, never its wording or place) and `rt` in milliseconds; of self-paced
reading a row for each word too, with `region`, `word`, `word_number` (from 1) and `rt`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from gramprobe.records import Count, Record, Sha256, sha256_of, why_no_record
from gramprobe.source.diagnostic import UsageError

FORMAT = 1
PLAN, TRIALS, DESIGN = "experiment.json", "trials.jsonl", "design.md"
KINDS = ("choice", "rating", "nli", "acceptability", "self_paced")
"""What people are asked: which option; a number on a scale; a label of a pair; acceptable or not; nothing but to read
word by word, and perhaps a question on what was read."""
Kind = Literal["choice", "rating", "nli", "acceptability", "self_paced"]
Role = Literal["experimental", "filler", "catch"]
Positive = Annotated[int, Meta(gt=0)]


class Option(Record, frozen=True):
    """What can be answered: `name` stands in the data (a label, a column with an option, a number), `text` is read."""

    name: str
    text: str


class Factor(Record, frozen=True):
    """What is balanced, and its levels in order. `of`: `row`, a person sees all levels (conditions, the order of
    options), or `list`, a person sees one (the side of the keys)."""

    name: str
    levels: tuple[str, ...]
    of: Literal["row", "list"]


class Exclusions(Record, frozen=True, kw_only=True):
    """The rules, fixed before the data are seen, by which people (or trials: `seconds`) are left out; None: no rule.

    `catch`: a person has at least so many catch trials right. `seconds`: a trial took at least and at most so long.
    `straight_lining`: a person gives so many equal answers in a row, or more.
    """

    catch: Positive | None = None
    seconds: tuple[float, float] | None = None
    straight_lining: Positive | None = None


class Plan(Record, frozen=True, kw_only=True):
    """The file `experiment.json`.

    `dataset`, `sha256`: the dataset's name and the hash of its manifest. `scale`: what is answered, the same in every
    trial; empty where each trial has its own options, whose texts stand in its `texts`. `lists`: how many there are,
    numbered from 1; every (instance, cell) stands in `repeats` of them. `per_person`, `fillers`, `catch`: trials of
    each role in a list. `orders`: in how many orders each selection of items stands, each order a list of its own.
    `instances`, `cells`: how many instances there are, and the rows of each of which a person sees one. `trials`:
    the hash of `trials.jsonl`. `words`: what the page itself says (`wording.PAGE`).
    """

    format: Literal[1]
    gramprobe: str
    dataset: str
    sha256: Sha256
    paradigms: tuple[str, ...]
    kind: Kind
    question: str
    scale: tuple[Option, ...]
    seed: Count
    platform: str
    factors: tuple[Factor, ...]
    lists: Positive
    per_person: Positive
    fillers: Count
    catch: Count
    orders: Positive
    instances: Positive
    cells: Positive
    repeats: Positive
    exclusions: Exclusions
    model: str
    words: dict[str, str]
    trials: Sha256


class Region(Record, frozen=True):
    """Words of a sentence that are read one after another; `text` has them with spaces between."""

    name: str
    text: str


class Trial(Record, frozen=True, kw_only=True):
    """A trial of a list, at a `position` from 1.

    `id`: that of the row of the dataset; of fillers and catch trials their own. `part`: which text of a row is judged,
    where a row has several. `levels`: factor -> level. `texts`: what is shown, by name (`context`, `sentence`,
    `premise`, `hypothesis`, `question`, and one for each option that is a text of the row). `options`: their names in
    the order shown; `keys`: the key of each. `expected`: the right answer of a catch trial or of a filler, and of a
    question on what was read, else empty; several that are right are parted by `|`. `regions`: of self-paced reading.
    """

    list: Positive
    position: Positive
    role: Role
    id: str
    paradigm: str = ""
    instance: str = ""
    condition: str = ""
    part: str = ""
    levels: dict[str, str] = msgspec.field(default_factory=dict)
    texts: dict[str, str]
    options: tuple[str, ...]
    keys: tuple[str, ...] = ()
    expected: str = ""
    regions: tuple[Region, ...] = ()

    def right(self, answer: str) -> bool | None:
        """Whether an answer is right; None where nothing is expected."""
        return answer in self.expected.split("|") if self.expected else None


@dataclass(frozen=True)
class Experiment:
    """A plan with its trials, in the order of lists and positions."""

    plan: Plan
    trials: tuple[Trial, ...]

    @cached_property
    def by_place(self) -> dict[tuple[int, int], Trial]:
        """(list, position) -> trial."""
        return {(trial.list, trial.position): trial for trial in self.trials}

    def trial(self, list_: int, position: int) -> Trial | None:
        """The trial of a place; None if there is none."""
        return self.by_place.get((list_, position))

    def of_list(self, number: int) -> tuple[Trial, ...]:
        """The trials of a list, in order."""
        return tuple(trial for trial in self.trials if trial.list == number)


def write_trials(folder: Path, trials: Iterable[Trial]) -> str:
    """Write `trials.jsonl`; its SHA-256."""
    (folder / TRIALS).write_bytes(b"".join(msgspec.json.encode(trial) + b"\n" for trial in trials))
    return sha256_of(folder / TRIALS)


def write_plan(folder: Path, plan: Plan) -> None:
    """Write `experiment.json`, a line for each field."""
    data = msgspec.to_builtins(plan)
    (folder / PLAN).write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", "utf-8")


def read(folder: Path) -> Experiment:
    """The experiment in a folder.

    Raises UsageError (E44) where a file is missing, damaged, or not of the format of this version.
    """
    for name in (PLAN, TRIALS):
        if not (folder / name).is_file():
            raise _refused(folder / name, "the file is missing: this is no folder of an experiment")
    try:
        data: Any = msgspec.json.decode((folder / PLAN).read_bytes())
        if isinstance(data, dict) and data.get("format") != FORMAT:
            raise _refused(folder / PLAN, f"format {data.get('format')} is not known")
        plan = msgspec.convert(data, Plan)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _refused(folder / PLAN, f"it is no plan: {why_no_record(error)}") from None
    if sha256_of(folder / TRIALS) != plan.trials:
        raise _refused(folder / TRIALS, f"its SHA-256 is not that of `{PLAN}`: it was changed")
    trials = tuple(_trials(folder / TRIALS))
    _check(folder, plan, trials)
    return Experiment(plan, trials)


def _trials(file: Path) -> Iterable[Trial]:
    with file.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            try:
                yield msgspec.json.decode(line, type=Trial)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                raise _refused(file, f"line {number} is no trial: {why_no_record(error)}") from None


def _check(folder: Path, plan: Plan, trials: Sequence[Trial]) -> None:
    """Raise UsageError unless every list has its trials, each position once."""
    each = plan.per_person + plan.fillers + plan.catch
    places = [(number, position) for number in range(1, plan.lists + 1) for position in range(1, each + 1)]
    if [(trial.list, trial.position) for trial in trials] != places:
        raise _refused(folder / TRIALS, f"it does not have {plan.lists:,} lists of {each:,} trials in order")


def _refused(file: Path, what: str) -> UsageError:
    return UsageError(f"`{file}`: {what}", "write the experiment again: `gramprobe lists`", "E44")
