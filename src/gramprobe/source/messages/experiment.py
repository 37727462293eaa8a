"""Messages about experiments: sizes that cannot be balanced, items that do not fit a question, fillers."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from gramprobe.source.diagnostic import UsageError
from gramprobe.source.nearest import did_you_mean, listed


def too_many_trials(trials: int, instances: int) -> UsageError:
    return UsageError(
        f"--per-person {trials:,}: there are {instances:,} instances, and a person sees each at most once",
        f"take --per-person {instances:,}, or build a dataset with more instances",
    )


def no_square(
    asked: tuple[int, int, int, int], lists: Sequence[int], trials: Sequence[int], instances: Sequence[int]
) -> UsageError:
    """``asked``: lists, trials of each, instances, cells."""
    number, each, of, cells = asked
    found = (("--lists", lists), ("--per-person", trials), ("--instances", instances))
    help = "; ".join(f"{option} {' or '.join(f'{n:,}' for n in numbers)}" for option, numbers in found if numbers)
    return UsageError(
        f"{number:,} lists of {each:,} trials do not show each of {of:,} instances equally often in each of its "
        f"{cells:,} cells",
        f"nearest that do, one of them changed at a time: {help}",
    )


def words_together(number: int, slot: str, word: object, count: int, share: float) -> UsageError:
    return UsageError(
        f"no division of {number:,} instances into lists was found in which every word is at its share: `{word}` of "
        f"`{slot}` stands {count:,} times in a list, and its share is {share:.1f}",
        "take more trials per person, another --seed, other --instances, or a dataset with more words; --near-shares "
        "takes the best division that was found",
    )


def no_order(number: int, factor: str, level: str, count: int, of: int, fillers: int) -> UsageError:
    """``fillers``: how many more would do."""
    return UsageError(
        f"list {number:,} has {count:,} trials with {factor} `{level}` among {of:,}: they cannot be ordered without "
        "three of them one after another",
        f"add {fillers:,} fillers: --fillers FILE or a phenomenon, --filler-count N",
    )


def no_common_order(number: int, factors: Sequence[str], fillers: int | None) -> UsageError:
    """``fillers``: with how many more an order was found; None if it was not tried long enough."""
    help = "take fewer conditions" if fillers is None else f"with {fillers:,} more fillers an order was found"
    return UsageError(
        f"no order of list {number:,} was found in which no level of {listed(factors)} stands three times one after "
        "another",
        help,
    )


def no_such_question(kind: str, paradigm: str, task: str, what: str, fitting: Sequence[str]) -> UsageError:
    """``fitting``: the kinds that the rows can be asked."""
    return UsageError(
        f"--kind {kind} does not fit `{paradigm}`, of the task `{task}`: {what}",
        f"kinds that fit: {', '.join(fitting)}; docs/experiments.md has what each shows",
    )


def no_answer(item: str, answer: str, answers: Sequence[str]) -> UsageError:
    return UsageError(
        f"the answer to the question of `{item}` is `{answer}`, and people can answer {listed(answers)}",
        "let the text below `answer` be one of these",
    )


def unequal(paradigm: str, instance: str, cells: int, other: str, wanted: int) -> UsageError:
    return UsageError(
        f"instance `{instance}` of `{paradigm}` has {cells:,} cells, and the first one, of `{other}`, has {wanted:,}",
        "choose paradigms and conditions that every instance has: --paradigm NAME, --condition NAME",
    )


def unknown(option: str, name: str, known: Collection[str], where: str) -> UsageError:
    near = did_you_mean(name, known)
    return UsageError(f"{option} `{name}`: there is none in {where}{near}", f"there are: {listed(known)}")


def too_many(trials: int, most: int) -> UsageError:
    return UsageError(
        f"all lists together would have {trials:,} trials, and {most:,} is the most",
        "take fewer lists, fewer --instances, or a --per-person that divides their number",
    )


def too_few(what: str, wanted: int, there: int) -> UsageError:
    return UsageError(f"{wanted:,} {what} were asked for, and there are {there:,}", f"take {there:,}, or build more")


def no_address(url: str) -> UsageError:
    return UsageError(f"--save-url `{url}` is no address", "as in --save-url https://example.org/answers")


def no_package(file: str, wanted: str) -> UsageError:
    return UsageError(
        f"`{file}` is not there", f"`npm install {wanted}` makes the folder node_modules that --bundle takes", "E44"
    )


def other_version(name: str, found: str, wanted: str) -> UsageError:
    return UsageError(
        f"the package `{name}` is of the version {found}, and the page is written for {wanted}",
        f"npm install {name}@{wanted}",
        "E46",
    )


def not_taken(option: str, platform: str, others: Sequence[str]) -> UsageError:
    return UsageError(f"the platform `{platform}` takes no {option}", f"{listed(others)} does")


def in_the_way(folder: str) -> UsageError:
    return UsageError(
        f"`{folder}` is there already, and an experiment is never written over another one", "give another --out", "E44"
    )
