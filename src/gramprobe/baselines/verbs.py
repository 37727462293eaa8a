"""Verbs that embed clauses, found in sentences as they are written: which verbs, and who is said to know or think.

    shipped() -> (Verb, ...)            the verbs of the lexicon
    Finder(verbs).uses(sentence) -> [Use, ...]

No sentence is parsed. A use is a form of a verb before *that*, or before what begins a clause; the docstrings say what
is missed. It serves readers that do not reason (`papers.theory_of_mind`) and counts in corpora (`papers.exposure`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gramprobe.formats.tabular import cell, one_of, records, written
from gramprobe.language import english
from gramprobe.source.files import shipped_folder

FORMS = ("base", "s", "past", "en", "ing")
COLUMNS = ("id", *FORMS, "factive")
PAPER = ("know", "understand", "recognize", "see", "remember", "learn", "believe", "think", "suspect", "assume")
"""The ten verbs of Cohen (2021), the six factive ones first."""


@dataclass(frozen=True)
class Verb:
    """A verb that embeds clauses.

    Attributes:
        base: its base form.
        forms: all its forms, each once. Of *be aware* the word after the copula alone, so that *Is Jo aware that* is
            found.
        factive: whether what it embeds is taken for granted.
    """

    base: str
    forms: tuple[str, ...]
    factive: bool


def verb(base: str, forms: Iterable[str], factive: bool) -> Verb:
    """A verb from the forms that a lexicon has."""
    return Verb(base, tuple(dict.fromkeys(_patterns()[3].sub("", form) for form in forms)), factive)


def read(path: Path) -> tuple[Verb, ...]:
    """The verbs of a tab-separated table with the columns of `COLUMNS`; of one that has a column `that` only those with
    `yes` in it. Raises UsageError (E44, E46)."""
    found = []
    for line, row in records(path, COLUMNS, "a table of verbs", tabs=True):
        factive = cell(path, line, row, "factive", one_of("yes", "no"))
        base, *forms = (cell(path, line, row, name, written) for name in ("base", *FORMS))
        if row.get("that", "yes") == "yes":
            found.append(verb(base, forms, factive == "yes"))
    return tuple(found)


def shipped() -> tuple[Verb, ...]:
    """The verbs of the shipped lexicon that embed a clause with *that*: attitudes first, then those of questions."""
    folder = shipped_folder() / "lexicon"
    return merged((*read(folder / "attitudes.tsv"), *read(folder / "embedders.tsv")))


def merged(verbs: Iterable[Verb]) -> tuple[Verb, ...]:
    """Each verb once, as it first stands, by its base form."""
    found: dict[str, Verb] = {}
    for each in verbs:
        found.setdefault(each.base, each)
    return tuple(found.values())


@dataclass(frozen=True)
class Use:
    """A verb in a sentence.

    Attributes:
        verb: the verb.
        embeds: whether *that* or another beginning of a clause follows.
        subject: the last capitalised word before it in its clause, or "" for a pronoun or a common noun.
    """

    verb: Verb
    embeds: bool
    subject: str


def _one_of(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, words))


@cache
def _patterns() -> tuple[str, re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """What follows a verb that embeds a clause, a break between clauses, a word with a capital that is no name, and a
    form that begins with a copula.

    A clause begins with *that*, a pronoun that is a subject, or another before a finite auxiliary. *I know that man*
    counts, *I think Jo left* does not: neither can be known without a parse.
    """
    words = english().clauses
    assert words is not None
    pronoun, others, finite = _one_of(words.pronouns), _one_of(words.others), _one_of(words.auxiliaries)
    contracted = rf"(?:{_one_of((*words.pronouns, *words.contracted))})'(?:{_one_of(words.clitics)})\b"
    that = re.escape(words.complementizer)
    clause = rf"{that}\b|(?:(?:{pronoun})\b(?!')|{contracted})|(?:{others}) (?:{finite})\b"
    breaks = "|".join(rf"\b{word}\b" if word.isalpha() else re.escape(word) for word in words.breaks)
    no_names = rf"(?:{_one_of(words.no_names)})(?:{_one_of(english().negative_endings)}|'.*)?"
    return clause, re.compile(breaks), re.compile(no_names), re.compile(rf"^({_one_of(words.copulas)}) ")


_WORD = re.compile(r"\w+")
_CAPITALISED = re.compile(r"[A-Z][\w'-]*")


class Finder:
    """Finds the uses of verbs in sentences. Forms of two verbs (*found*) belong to the verb that is named first; of
    forms that begin alike the longest is found."""

    def __init__(self, verbs: Sequence[Verb]) -> None:
        self.verbs = tuple(verbs)
        clause, self._break, self._no_name, _ = _patterns()
        self._of: dict[str, Verb] = {}
        for each in verbs:
            for form in each.forms:
                self._of.setdefault(form.lower(), each)
        by_first: dict[str, list[str]] = {}
        for form in sorted(self._of, key=lambda form: (-len(form), form)):
            by_first.setdefault(form.split()[0], []).append(r"\s+".join(map(re.escape, form.split())))
        self._patterns = {
            first: re.compile(rf"({'|'.join(forms)})\b(\s+(?:{clause}))?", re.IGNORECASE)
            for first, forms in by_first.items()
        }

    def uses(self, sentence: str) -> list[Use]:
        """The uses of the verbs in a sentence, in order."""
        found, start = [], 0
        text = sentence.replace("’", "'")
        for word in _WORD.finditer(text):
            pattern = self._patterns.get(word[0].lower())
            match = pattern.match(text, word.start()) if pattern is not None and word.start() >= start else None
            if match is not None:
                each = self._of[" ".join(match[1].lower().split())]
                before = self._break.split(text[start : match.start()])[-1]
                names = [name for name in _CAPITALISED.findall(before) if not self._no_name.fullmatch(name)]
                found.append(Use(each, match[2] is not None, names[-1] if names else ""))
                start = match.end(1)
        return found
