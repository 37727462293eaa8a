"""Messages about the answers of people. None of them has what a file calls a person: that may be an address."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gramprobe.source.diagnostic import UsageError
from gramprobe.source.nearest import did_you_mean, listed


class Place(NamedTuple):
    """Where something stands: the name of a file, and a line, or the number of a record, from 1 on."""

    file: str
    line: int

    def refused(self, what: str, help: str) -> UsageError:
        """The file is not in its form, because of this place."""
        return UsageError(f"{self.file}, line {self.line}: {what}", help, "E46")


def same_file(name: str, other: str) -> UsageError:
    what = f"`{name}` is the same file as `{other}`" if name != other else f"`{name}` is given twice"
    return UsageError(what, "give each file of answers once", "E46")


def two_files(place: Place, other: str) -> UsageError:
    help = "give one file of each person; if these are two people, give each a name of its own in `person`"
    return place.refused(f"this person is in `{other}`, too", help)


def answered_twice(place: Place, person: str, item: str, before: Place) -> UsageError:
    first = f"line {before.line}" if before.file == place.file else f"{before.file}, line {before.line}"
    what = f"{person} answers `{_short(item)}` a second time (first in {first})"
    return place.refused(what, "keep one of the rows, or tell two people apart in `person`")


def unknown_item(place: Place, item: str, count: int, dataset: str, experiment: bool) -> UsageError:
    others = f", and {count - 1:,} other ids are unknown too" if count > 1 else ""
    help = "the ids are those of its column `id`"
    if not experiment:
        help += "; fillers and catch trials stand in the experiment: --experiment DIR"
    neither = f"neither `{dataset}` nor the experiment has" if experiment else f"`{dataset}` has no"
    return UsageError(f"{place.file}, line {place.line}: {neither} item `{_short(item)}`{others}", help, "E47")


def unknown_part(place: Place, part: str, parts: Sequence[str]) -> UsageError:
    what = f"`{_short(part)}` is no text of this item{did_you_mean(part, parts)}" if part else "this row has no `part`"
    return place.refused(what, f"its texts are judged one by one, and `part` says which one was: {listed(parts)}")


def no_such_answer(place: Place, answer: str, allowed: Sequence[str], number: bool) -> UsageError:
    wanted = " or ".join([*([listed(allowed)] if allowed else []), *(["a number"] if number else [])])
    what = f"`{_short(answer)}` is no answer to this item{did_you_mean(answer, allowed)}"
    return place.refused(what, f"an answer to it is {wanted}")


def unknown_place(place: Place, answer: str) -> UsageError:
    help = "give the experiment, --experiment DIR, or the names in the order shown in `options`: "
    return place.refused(f"{answer} was chosen, and what it stood for is not known", help + '["yes", "no"]')


def two_kinds(place: Place, kinds: Sequence[str]) -> UsageError:
    help = "one folder has the answers to one question: give the others to a second `gramprobe judgments`"
    return place.refused(f"this is one of the {kinds[-1]}, and before it stand {kinds[0]}", help)


def other_dataset(experiment: str, name: str, dataset: str) -> UsageError:
    return UsageError(
        f"the experiment `{experiment}` was made of another build of `{name}` than `{dataset}` (another hash)",
        "give the dataset that `gramprobe lists` read: --dataset DIR",
        "E47",
    )


def other_experiment(place: Place) -> UsageError:
    return UsageError(
        f"{place.file}, line {place.line}: this answer is to another experiment (another hash of its trials)",
        "give the folder of the experiment that people took part in: --experiment DIR",
        "E47",
    )


def codes_inside(codes: str, out: str) -> UsageError:
    return UsageError(
        f"`{codes}` would stand in `{out}`, which is there to be handed on without names",
        "keep the table of codes elsewhere",
    )


def no_norms(folder: str, parts: bool) -> UsageError:
    why = "answers to parts of items, and a row is an item" if parts else "no answers to items"
    return UsageError(f"`{folder}` has {why}", "norms are of answers to whole items: rate these", "E47")


def no_answers_left(rules: Sequence[str]) -> UsageError:
    why = f": left out were {'; '.join(rules)}" if rules else ""
    return UsageError(f"no answer to an item of the dataset is left{why}", "give more answers, or other rules", "E46")


def no_catch_trials() -> UsageError:
    return UsageError(
        "catch=N is a rule about catch trials, and no answer is to one",
        "catch trials and their expected answers stand in the experiment: --experiment DIR",
    )


def _short(text: str) -> str:
    """A text of a file as it may stand in a message: of one line, and not long."""
    text = " ".join(text.split())
    return text if len(text) <= 80 else f"{text[:76]} ..."
