"""Answers joined with what was asked: the dataset, and the experiment if there is one.

    judged = judge(gathered, items, experiment, rules)

A name, a place among the options or a key becomes the name of an answer; what is no answer to the item is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from gramprobe.certify.rule import LABELS
from gramprobe.experiment.trials import Experiment
from gramprobe.experiment.trials import Trial as Planned
from gramprobe.formats.nli import KNOWN, TWO_WAY
from gramprobe.formats.tabular import finite
from gramprobe.judgments.answers import Response, Trial, Word
from gramprobe.judgments.gather import Gathered
from gramprobe.judgments.items import Item, Items
from gramprobe.judgments.rules import CATCH, Rules, excluded
from gramprobe.source import messages
from gramprobe.source.messages.judgments import Place

Kind = Literal["label", "option", "rating", "name"]
EXPERIMENTAL, FILLER = "experimental", "filler"


@dataclass(frozen=True)
class Judged:
    """One answer.

    Attributes:
        item: the row of the dataset; None of fillers and catch trials.
        role: `experimental`, `filler` or `catch`.
        answer: its name, or the number as it is written.
        number: of a rating.
        place: among the answers that were shown, from 0 on; else the answer.
        expected: of a catch trial, a filler or a question, the right answer; else empty.
        excluded: the rule that leaves it out; empty where it is kept.
    """

    trial: Trial
    item: Item | None
    role: str
    kind: Kind
    answer: str
    number: float | None
    rt: float | None
    place: int | str
    expected: str = ""
    excluded: str = ""

    @property
    def person(self) -> str:
        return self.trial.person


@dataclass(frozen=True)
class WordRead:
    """One reading time, of a word or of a region of several words, with the rule that leaves it out."""

    trial: Trial
    item: Item | None
    number: int
    region: str
    text: str
    rt: float
    excluded: str = ""


@dataclass(frozen=True, kw_only=True)
class Answers:
    """All answers of people, and what follows from them.

    Attributes:
        kind: what an answer to an item is.
        values: the answers, in order: labels, the names of a scale, or the ratings that were given.
    """

    kind: Kind
    values: tuple[str | float, ...]
    answers: tuple[Judged, ...]
    words: tuple[WordRead, ...]
    rules: Rules
    persons: tuple[str, ...]

    @cached_property
    def kept(self) -> tuple[Judged, ...]:
        """The answers to items that count."""
        return tuple(each for each in self.answers if each.item is not None and not each.excluded)

    @cached_property
    def read(self) -> tuple[WordRead, ...]:
        """The reading times of items that count."""
        return tuple(each for each in self.words if each.item is not None and not each.excluded)

    @cached_property
    def left_out(self) -> dict[str, tuple[int, int]]:
        """Rule -> (how many people it leaves out whole, how many answers, of them and of others)."""
        found: dict[str, tuple[int, int]] = {}
        for rule in self.rules.said():
            mine = [each for each in self.answers if each.excluded == rule]
            whole = {each.person for each in mine} if rule != "seconds" else set[str]()
            found[rule] = len(whole), len(mine)
        return found


@dataclass(frozen=True, kw_only=True)
class Judgments(Answers):
    """All answers of people to the items of a dataset.

    Attributes:
        deviations: where the data are not as the experiment planned, a sentence each.
    """

    items: Items
    deviations: tuple[str, ...] = ()

    def with_deviations(self, deviations: Sequence[str]) -> Judgments:
        """The same, with what is not as the experiment planned."""
        return replace(self, deviations=tuple(deviations))


def judge(gathered: Gathered, items: Items, experiment: Experiment | None, rules: Rules) -> Judgments:
    """Raises UsageError: an item that neither the dataset nor the experiment has (E47); a word that is no answer to its
    item, a place of which the name is not known, answers of two kinds (E46)."""
    plan = _Plan(experiment)
    _check_items(gathered, items, plan)
    answers: list[Judged] = []
    kinds: dict[str, Place] = {}
    for each in gathered.answers:
        one = _judged(each, items, plan)
        if one.role == EXPERIMENTAL and one.kind not in kinds:
            if kinds:
                raise messages.judgments.two_kinds(each.trial.place, [SAID[name] for name in (*kinds, one.kind)])
            kinds[one.kind] = each.trial.place
        answers.append(one)
    if rules.catch is not None and not any(each.role == CATCH for each in answers):
        raise messages.judgments.no_catch_trials()
    answers.sort(key=lambda each: (each.person, each.trial.position is None, each.trial.position or 0))
    answers = [replace(one, excluded=why) for one, why in zip(answers, excluded(answers, rules), strict=True)]
    out = {each.person: each.excluded for each in answers if each.excluded not in ("", "seconds")}
    words = tuple(
        replace(each, excluded=out.get(each.trial.person, "")) for each in _words(gathered.words, items, plan)
    )
    kind: Kind = next(iter(kinds), "name")  # type: ignore[arg-type]
    return Judgments(
        items=items,
        kind=kind,
        values=_values(kind, answers, items, plan),
        answers=tuple(answers),
        words=words,
        rules=rules,
        persons=tuple(gathered.codes),
    )


SAID = {"label": "labels", "option": "choices of an option", "rating": "numbers", "name": "names of answers"}


class _Plan:
    """What an experiment says of a trial; nothing where there is none."""

    def __init__(self, experiment: Experiment | None) -> None:
        self.experiment = experiment
        self._by_id: dict[tuple[str, str], list[Planned]] = {}
        for trial in () if experiment is None else experiment.trials:
            self._by_id.setdefault((trial.id, trial.part), []).append(trial)
        self._parts: dict[str, dict[str, None]] = {}
        for id_, part in self._by_id:
            self._parts.setdefault(id_, {})[part] = None

    def has(self, trial: Trial) -> bool:
        return (trial.id, trial.part) in self._by_id or (trial.id, "") in self._by_id

    def parts(self, id_: str) -> tuple[str, ...]:
        """The parts of an item that people are asked about one by one; none of one that is asked about as a whole."""
        return tuple(part for part in self._parts.get(id_, ()) if part)

    def of(self, trial: Trial) -> Planned | None:
        """The planned trial: that of its list and position if it is of this item, else one of the item in its list,
        else any one of the item, without the order of options if that differs."""
        if self.experiment is None:
            return None
        list_ = int(trial.list) if trial.list.isdecimal() and trial.list.isascii() else 0
        planned = self.experiment.trial(list_, trial.position or 0)
        if planned is not None and planned.id == trial.id:
            return planned
        every = self._by_id.get((trial.id, trial.part)) or self._by_id.get((trial.id, "")) or []
        mine = [each for each in every if each.list == list_] or every
        return (
            mine[0]
            if len({(each.options, each.keys) for each in mine}) == 1
            else None
            if not mine
            else _unordered(mine[0])
        )

    def names(self, planned: Planned | None) -> tuple[str, ...]:
        """The names that can be answered."""
        if planned is not None and planned.options:
            return planned.options
        return () if self.experiment is None else tuple(option.name for option in self.experiment.plan.scale)

    def name_of(self, planned: Planned | None, text: str) -> str:
        """The name of the answer whose wording is a text; empty if there is none."""
        if self.experiment is None or planned is None:
            return ""
        said = {option.name: option.text for option in self.experiment.plan.scale}
        said |= {name: planned.texts[name] for name in planned.options if name in planned.texts}
        named = [name for name, wording in said.items() if wording == text]
        return named[0] if len(named) == 1 else ""


def _unordered(planned: Planned) -> Planned:
    import msgspec

    return msgspec.structs.replace(planned, options=(), keys=())


def _check_items(gathered: Gathered, items: Items, plan: _Plan) -> None:
    """Raise UsageError (E47) for answers to another experiment, and for items that nobody has."""
    trials = [*(each.trial for each in gathered.answers), *(each.trial for each in gathered.words)]
    if plan.experiment is not None:
        own = plan.experiment.plan.trials
        other = next((trial for trial in trials if trial.experiment and not own.startswith(trial.experiment)), None)
        if other is not None:
            raise messages.judgments.other_experiment(other.place)
    unknown = [trial for trial in trials if trial.id not in items.by_id and not plan.has(trial)]
    if unknown:
        first, count = min(unknown, key=lambda trial: trial.place), len({trial.id for trial in unknown})
        dataset = str(items.dataset.folder)
        raise messages.judgments.unknown_item(first.place, first.id, count, dataset, plan.experiment is not None)
    apart = {each.trial.id for each in gathered.answers if each.trial.part}
    for each in gathered.answers:  # answers to an item and to a text of it do not go together
        if not each.trial.part and each.trial.id in apart and each.trial.id in items.by_id:
            raise messages.judgments.unknown_part(each.trial.place, "", items.parts(each.trial.id))
    for trial in trials:
        parts = plan.parts(trial.id) or (items.parts(trial.id) if trial.part and trial.id in items.by_id else ())
        if parts and trial.part not in parts:
            raise messages.judgments.unknown_part(trial.place, trial.part, parts)


def _judged(given: Response, items: Items, plan: _Plan) -> Judged:
    trial, planned = given.trial, plan.of(given.trial)
    item = items.by_id.get(trial.id)
    role = planned.role if planned is not None else EXPERIMENTAL if item is not None else FILLER
    names = plan.names(planned)
    numbers = bool(names) and all(number_of(name) is not None for name in names)
    if not names and item is not None:
        names = KNOWN if items.labels(item.id) else () if trial.part else items.options(item.id)
    answer, place = _named(given, planned, names, plan)
    number = number_of(answer)
    if answer not in names and numbers:  # 4.0 for 4
        answer = next((name for name in names if number is not None and number_of(name) == number), answer)
    if answer not in names and (number is None or plan.experiment is not None):
        raise messages.judgments.no_such_answer(trial.place, answer, names, plan.experiment is None)
    kind: Kind = "name"
    if number is not None and (numbers or answer not in names):
        kind = "rating"
    elif item is not None and answer in (KNOWN if items.labels(item.id) else items.options(item.id)):
        kind = "label" if items.labels(item.id) else "option"
    expected = "" if planned is None else planned.expected
    rating = number if kind == "rating" else None
    return Judged(trial, item if role == EXPERIMENTAL else None, role, kind, answer, rating, given.rt, place, expected)


def _named(given: Response, planned: Planned | None, names: Sequence[str], plan: _Plan) -> tuple[str, int | str]:
    """(the name of an answer, its place among those shown, or else its name)."""
    shown = given.shown or (planned.options if planned is not None else ())
    where = given.trial.place
    if given.text:
        answer = given.text if given.text in names else plan.name_of(planned, given.text) or given.text
        if plan.experiment is None and len(names) == 2 and answer in "AB":
            answer = names["AB".index(answer)]
        return answer, shown.index(answer) if answer in shown else answer
    if given.key:
        keys = () if planned is None else tuple(key.lower() for key in planned.keys)
        at = keys.index(given.key.lower()) if given.key.lower() in keys else None
        if at is None or at >= len(shown):
            raise messages.judgments.unknown_place(where, f"the key `{given.key[:20]}`")
        return shown[at], at
    assert given.chosen is not None
    if given.chosen < len(shown):
        return shown[given.chosen], given.chosen
    scale = plan.names(planned) if plan.experiment is not None else ()
    if given.chosen < len(scale):
        return scale[given.chosen], given.chosen
    if plan.experiment is None and not names:  # a scale of numbers, from 1 on
        return str(given.chosen + 1), given.chosen
    raise messages.judgments.unknown_place(where, f"place {given.chosen + 1} of its answers")


def number_of(text: str) -> float | None:
    """A finite number; None for another text."""
    try:
        return finite(text)
    except ValueError:
        return None


def _values(kind: Kind, answers: Sequence[Judged], items: Items, plan: _Plan) -> tuple[str | float, ...]:
    given = [each for each in answers if each.item is not None]
    if kind == "rating":
        scale = (number_of(name) for name in plan.names(None))
        numbers = {*scale, *(each.number for each in given)} - {None}
        return tuple(sorted(number for number in numbers if number is not None))
    if kind == "option":
        return tuple(dict.fromkeys(name for each in given for name in items.options(each.trial.id)))
    said = dict.fromkeys(each.answer for each in given)
    if kind == "name":
        return tuple(dict.fromkeys([*plan.names(None), *said]))
    labels = LABELS if set(said) <= set(LABELS) else TWO_WAY
    strange = next((each for each in given if each.answer not in labels), None)
    if strange is not None:
        place = f"{strange.trial.place.file}, line {strange.trial.place.line}"
        raise messages.analysis.mixed_labels(place, strange.answer, labels)
    return labels


def _words(words: Sequence[Word], items: Items, plan: _Plan) -> list[WordRead]:
    """The reading times with the names of their regions: those of the file, else those of the planned trial, by place.
    A trial with a time for each region has regions, one with a time for each word has words."""
    count = Counter((each.trial.person, each.trial.id, each.trial.part) for each in words)
    found = []
    for each in words:
        planned = plan.of(each.trial)
        region = each.region
        if not region and planned is not None and planned.regions:
            n = count[each.trial.person, each.trial.id, each.trial.part]
            by_word = [each.name for each in planned.regions for _ in each.text.split()]
            named = [each.name for each in planned.regions] if n == len(planned.regions) else by_word
            region = named[each.number - 1] if n == len(named) and each.number <= n else ""
        role = planned.role if planned is not None else EXPERIMENTAL
        item = items.by_id.get(each.trial.id) if role == EXPERIMENTAL else None
        found.append(WordRead(each.trial, item, each.number, region, each.text, each.rt))
    return found
