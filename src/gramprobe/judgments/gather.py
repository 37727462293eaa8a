"""The answers of several files under one roof: persons by code, nothing twice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from gramprobe.judgments.answers import Response, Trial, Word
from gramprobe.judgments.files import read_file
from gramprobe.records import sha256_of
from gramprobe.source import messages
from gramprobe.source.messages.judgments import Place


@dataclass(frozen=True)
class Gathered:
    """What several files have.

    Attributes:
        answers, words: with the code of each person in the place of what the file calls them.
        codes: code -> (the file, what it calls the person; empty where it does not). The one table that says who is
            who: it is written where a user asks for it, and nowhere else.
        passed: columns that are not read.
        visits: codes of persons whose answers came from one address, in groups.
    """

    answers: tuple[Response, ...]
    words: tuple[Word, ...]
    codes: dict[str, tuple[str, str]]
    passed: tuple[str, ...]
    visits: tuple[tuple[str, ...], ...]


def gather(files: Sequence[Path]) -> Gathered:
    """Read files, whose persons are p001, p002 ... in the order in which they first stand.

    Raises UsageError: a file that cannot be opened (E44) or is not in its form; one file twice, a person in two files,
    and a person who answers an item, or reads a word, twice (E46).
    """
    sums: dict[str, str] = {}
    owner: dict[str, tuple[Path, str]] = {}
    answers: list[Response] = []
    words: list[Word] = []
    passed = dict[str, None]()
    visits: dict[str, dict[str, None]] = {}
    for number, path in enumerate(files, 1):
        found = read_file(path)
        other = sums.setdefault(sha256_of(path), path.name)
        if len(sums) < number:
            raise messages.judgments.same_file(path.name, other)

        def code_of(trial: Trial, path: Path = path) -> str:
            first, code = owner.setdefault(trial.person, (path, f"p{len(owner) + 1:03d}"))
            if first is not path:
                raise messages.judgments.two_files(trial.place, first.name)
            return code

        trials = [*(each.trial for each in found.answers), *(each.trial for each in found.words)]
        for trial in sorted(trials, key=lambda trial: trial.place.line):  # in the order of the file
            code_of(trial)
        answers += [one._replace(trial=one.trial._replace(person=code_of(one.trial))) for one in found.answers]
        words += [one._replace(trial=one.trial._replace(person=code_of(one.trial))) for one in found.words]
        passed |= dict.fromkeys(found.passed)
        for address, tokens in found.sessions.items():
            codes = [owner[token][1] for token in tokens if token in owner]
            visits.setdefault(address, {}).update(dict.fromkeys(codes))
    _check_twice((each.trial, "") for each in answers)
    _check_twice((each.trial, str(each.number)) for each in words)
    return Gathered(
        tuple(answers),
        tuple(words),
        {code: (path.name, "" if token.startswith("\0") else token) for token, (path, code) in owner.items()},
        tuple(passed),
        tuple(tuple(codes) for codes in visits.values() if len(codes) > 1),
    )


def _check_twice(trials: Iterable[tuple[Trial, str]]) -> None:
    """Raise UsageError (E46) for the second time that a person answers an item."""
    seen: dict[tuple[str, str, str, str], Place] = {}
    for trial, number in trials:
        before = seen.setdefault((trial.person, trial.id, trial.part, number), trial.place)
        if before is not trial.place:
            raise messages.judgments.answered_twice(trial.place, trial.person, trial.id, before)
