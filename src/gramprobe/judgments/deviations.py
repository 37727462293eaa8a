"""Where the data are not what the experiment planned, a sentence each: what one reports beside a preregistration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from gramprobe.experiment.trials import Experiment, Plan
from gramprobe.judgments.answers import Trial as Asked
from gramprobe.judgments.gather import Gathered
from gramprobe.judgments.rules import Rules

SHOWN = 5
"""How many people or lists a sentence names."""


def deviations(gathered: Gathered, experiment: Experiment, rules: Rules) -> tuple[str, ...]:
    """The sentences, those about the whole first."""
    return tuple(
        sentence
        for part in (
            _of_rules(rules, Rules.of(experiment.plan.exclusions)),
            _of_lists(gathered, experiment),
            _of_trials(gathered, experiment),
            _of_times(gathered, experiment.plan),
            _of_visits(gathered),
        )
        for sentence in part
    )


def _of_rules(applied: Rules, declared: Rules) -> Iterator[str]:
    ours, theirs = applied.said(), declared.said()
    for name in dict.fromkeys([*theirs, *ours]):
        if ours.get(name) != theirs.get(name):
            yield (
                f"Exclusion: the design says {theirs.get(name, 'nothing')}, applied was {ours.get(name, 'nothing')} "
                f"({name})."
            )


def _of_lists(gathered: Gathered, experiment: Experiment) -> Iterator[str]:
    """Lists that nobody, or more people than of others, answered; people of no list or of two."""
    lists: dict[str, dict[int, None]] = {}
    for trial in _trials(gathered):
        number = int(trial.list) if trial.list.isdecimal() and trial.list.isascii() else 0
        lists.setdefault(trial.person, {})[number] = None
    known = range(1, experiment.plan.lists + 1)
    nowhere = [person for person, own in lists.items() if not set(own) & set(known)]
    if nowhere:
        yield f"People of no list of the experiment, whose order is not checked: {_some(nowhere)}."
    several = [person for person, own in lists.items() if len(own) > 1]
    if several:
        yield f"People of more than one list: {_some(several)}."
    count = Counter(next(iter(own)) for own in lists.values() if len(own) == 1 and next(iter(own)) in known)
    numbers = [count[number] for number in known]
    if count and max(numbers) != min(numbers):
        fewest = [f"{number} ({count[number]})" for number in known if count[number] == min(numbers)]
        most = [f"{number} ({count[number]})" for number in known if count[number] == max(numbers)]
        yield (
            f"Lists have unlike numbers of people: fewest {_some(fewest)}, most {_some(most)}; conditions are balanced "
            "over people only where these are equal."
        )


def _of_trials(gathered: Gathered, experiment: Experiment) -> Iterator[str]:
    """Trials that are missing, and those of which another item was planned."""
    done: dict[tuple[str, int], set[tuple[str, str]]] = {}
    moved: list[str] = []
    for trial in _trials(gathered):
        if not trial.list.isdecimal() or not trial.list.isascii() or int(trial.list) > experiment.plan.lists:
            continue
        number = int(trial.list)
        done.setdefault((trial.person, number), set()).add((trial.id, trial.part))
        planned = experiment.trial(number, trial.position or 0)
        if trial.position is not None and (planned is None or planned.id != trial.id):
            moved.append(f"{trial.person} in list {number} at {trial.position}")
    asked = {number: experiment.of_list(number) for number in {number for _, number in done}}
    short = []
    for (person, number), own in done.items():
        lacking = sum((each.id, each.part) not in own and (each.id, "") not in own for each in asked[number])
        if lacking:
            short.append(f"{person} ({lacking} of {len(asked[number])})")
    if short:
        yield f"Trials that are missing: {_some(short)}."
    if moved:
        yield f"Answers to another item than was planned there: {_some(moved)}."


def _of_times(gathered: Gathered, plan: Plan) -> Iterator[str]:
    untimed = sum(answer.rt is None for answer in gathered.answers)
    if untimed and plan.exclusions.seconds is not None:
        yield f"{untimed:,} answers have no time: the rule about seconds does not reach them."


def _of_visits(gathered: Gathered) -> Iterator[str]:
    for codes in gathered.visits:
        yield f"{' and '.join(codes)} answered from one address: one person may have come twice, or two from one room."


def _trials(gathered: Gathered) -> Iterator[Asked]:
    yield from (each.trial for each in gathered.answers)
    yield from (each.trial for each in gathered.words)


def _some(names: Sequence[str]) -> str:
    """How many, where more than are named."""
    return ", ".join(names[:SHOWN]) + (f" and {len(names) - SHOWN:,} others" if len(names) > SHOWN else "")
