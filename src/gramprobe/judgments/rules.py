"""The rules by which people and trials are left out, and what each leaves out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from gramprobe.experiment.trials import Exclusions

CATCH, SECONDS, SAME = "catch", "seconds", "same"


class Rules(NamedTuple):
    """What is asked of people; None: no rule.

    Attributes:
        catch: so many catch trials right, at least.
        seconds: the least and the most seconds of a trial.
        same: so many equal answers in a row, or more, and a person is left out.
    """

    catch: int | None = None
    seconds: tuple[float, float] | None = None
    same: int | None = None

    @classmethod
    def of(cls, declared: Exclusions) -> Rules:
        """The rules that an experiment declares."""
        return cls(declared.catch, declared.seconds, declared.straight_lining)

    def but(self, others: Rules) -> Rules:
        """These rules, and in the place of each of them that of ``others`` where there is one."""
        return self._replace(**{name: rule for name, rule in others._asdict().items() if rule is not None})

    def said(self) -> dict[str, str]:
        """Each rule in words."""
        found = {}
        if self.catch is not None:
            found[CATCH] = f"fewer than {self.catch} catch trials right"
        if self.same is not None:
            found[SAME] = f"{self.same} equal answers in a row, or more"
        if self.seconds is not None:
            found[SECONDS] = f"a trial under {self.seconds[0]:g} or over {self.seconds[1]:g} seconds"
        return found


class Given(Protocol):
    """What a rule looks at of an answer. `place`: among the answers that were shown, or else its name; `expected`: the
    right answer of a catch trial, else empty."""

    @property
    def person(self) -> str: ...
    @property
    def role(self) -> str: ...
    @property
    def answer(self) -> str: ...
    @property
    def expected(self) -> str: ...
    @property
    def place(self) -> int | str: ...
    @property
    def rt(self) -> float | None: ...


def caught(answers: Sequence[Given]) -> dict[str, tuple[int, int]]:
    """Person -> (catch trials right, catch trials)."""
    found: dict[str, tuple[int, int]] = {}
    for each in answers:
        if each.role == CATCH:
            right, every = found.get(each.person, (0, 0))
            found[each.person] = right + (each.answer in each.expected.split("|")), every + 1
    return found


def longest_runs(answers: Sequence[Given]) -> dict[str, int]:
    """Person -> the most equal answers in a row, in the order given; catch trials do not count, nor break a row."""
    found: dict[str, int] = {}
    last: dict[str, tuple[int | str, int]] = {}
    for each in answers:
        if each.role != CATCH:
            place, count = last.get(each.person, ("", 0))
            count = count + 1 if place == each.place else 1
            last[each.person] = each.place, count
            found[each.person] = max(found.get(each.person, 0), count)
    return found


def people_left_out(answers: Sequence[Given], rules: Rules, runs: Mapping[str, float]) -> dict[str, str]:
    """Person -> the rule that leaves out all that the person answered. ``runs``: what :func:`longest_runs` gives. A
    person without catch trials has none right."""
    found: dict[str, str] = {}
    if rules.same is not None:
        found |= {person: SAME for person, run in runs.items() if run >= rules.same}
    if rules.catch is not None:
        right = caught(answers)
        found |= {each.person: CATCH for each in answers if right.get(each.person, (0, 0))[0] < rules.catch}
    return found


def excluded(answers: Sequence[Given], rules: Rules) -> list[str]:
    """(answers,) the rule that leaves each out, the first that does; empty for those that are kept. ``answers``: in the
    order in which each person gave them."""
    persons = people_left_out(answers, rules, longest_runs(answers) if rules.same is not None else {})
    found = []
    for each in answers:
        rule = persons.get(each.person, "")
        if not rule and rules.seconds is not None and each.rt is not None:
            low, high = rules.seconds
            rule = "" if low <= each.rt / 1000 <= high else SECONDS
        found.append(rule)
    return found
