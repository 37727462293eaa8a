"""What the sentences of a language look like: its signs, capitals, articles and negations, from `languages/NAME.toml`.

    read(source)  -> Language, diagnostics       a file of the project
    english()     -> Language                    the shipped file of the language that is taken where none is named

A grammar names its language (``language french``). The realiser, the gates, the baselines and the compiled grammar get
what they need from this record, and nothing of a language stands in code.
"""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache

import msgspec

from gramprobe.language.wordlists import Cautions, Relations
from gramprobe.records import Record
from gramprobe.source import messages
from gramprobe.source.diagnostic import Diagnostic, Span
from gramprobe.source.files import SHIPPED, Source, shipped_folder

#: the language of a grammar that names none
DEFAULT = "english"

CODE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
"""A code of a language as in BCP 47: `en`, `pt-BR`, `zh-Hans`."""
_FIRST = re.compile(r"[^\W_]")


class Articles(Record, frozen=True, kw_only=True):
    """Article -> the value that the next word has in a column of the lexicon.

    ``letters``: how words begin -> that value, of words without the column; of several beginnings the longest counts.
    """

    column: str
    words: dict[str, str]
    letters: dict[str, str] = msgspec.field(default_factory=dict)

    def by_letters(self, word: str) -> str | None:
        """The value that the letters of a word suggest; None where they leave it open."""
        beginnings = (word[:length].lower() for length in range(len(word), 0, -1))
        return next((self.letters[each] for each in beginnings if each in self.letters), None)


class Clauses(Record, frozen=True, kw_only=True):
    """How the clause begins that a verb embeds (`baselines.verbs`). Words in small letters, but for ``no_names``."""

    complementizer: str
    pronouns: tuple[str, ...]
    others: tuple[str, ...]
    contracted: tuple[str, ...]
    clitics: tuple[str, ...]
    auxiliaries: tuple[str, ...]
    copulas: tuple[str, ...]
    breaks: tuple[str, ...]
    no_names: tuple[str, ...]


class Given(Record, frozen=True, kw_only=True):
    """Of given sentences: first words that keep their capital, the possessive, first words that are no names, and
    words that are never guessed (*myself*, *Monday*)."""

    kept: tuple[str, ...] = ()
    possessive: str = ""
    common: str = ""
    unguessed: str = ""


class Language(Record, frozen=True, kw_only=True):
    """A language. What is empty or None is not checked.

    Attributes:
        code: the code of the language (BCP 47).
        joiner: what stands between words.
        capitals: whether a sentence begins with a capital.
        ends: signs that end a sentence inside of a text.
        abbreviations: words that end in such a sign and end no sentence.
        finals: the signs one of which stands at the end of every sentence.
        marks: signs without a space before them, tokens of their own.
        repeated: the words that may stand twice in a row; None if any may.
        clitics: ends of words that are tokens of their own.
        negations: words of negation.
        negative_endings: ends of words that make them words of negation.
        articles: what the article before a word depends on.
        alike: word -> the word that it differs from in agreement alone.
        closed_class: the closed-class words, between spaces.
        open_classes: the categories whose words are guessed; none: all large ones.
        times: a value of a feature (`tense.past`), or a constructor -> the time that a clause with it speaks of.
        cautions: words that keep a reader from a label.
        relations, relations_of_verbs: what words have to do with each other.
        read_as: signs of texts -> those that a reader takes for them (a typographic apostrophe).
        clauses: how embedded clauses begin.
        given: how sentences are read that somebody else wrote.
        family_names: what stands behind a name of the lexicon and makes one name of both, between spaces.
    """

    code: str
    joiner: str = " "
    capitals: bool = False
    ends: tuple[str, ...] = ()
    abbreviations: tuple[str, ...] = ()
    finals: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    repeated: tuple[str, ...] | None = None
    clitics: tuple[str, ...] = ()
    negations: tuple[str, ...] = ()
    negative_endings: tuple[str, ...] = ()
    articles: Articles | None = None
    alike: dict[str, str] = msgspec.field(default_factory=dict)
    closed_class: str = ""
    open_classes: tuple[str, ...] = ()
    times: dict[str, str] = msgspec.field(default_factory=dict)
    cautions: Cautions = Cautions()
    relations: Relations = Relations()
    relations_of_verbs: Relations = Relations()
    read_as: dict[str, str] = msgspec.field(default_factory=dict)
    clauses: Clauses | None = None
    given: Given = Given()
    family_names: str = ""

    @property
    def closed(self) -> frozenset[str]:
        """The closed-class words; none where the file lists none."""
        return _closed(self.closed_class)

    def __hash__(self) -> int:
        return hash((self.code, self.negations))

    def plain(self, text: str) -> str:
        """A text with the signs that a reader takes for those of its author."""
        for sign, instead in self.read_as.items():
            text = text.replace(sign, instead)
        return text

    def capitalised(self, text: str) -> str:
        """A text as it begins a sentence: the first letter or digit in title case, also behind signs (`¿Duerme?`)."""
        if not self.capitals or text[:1].isupper():
            return text
        return _FIRST.sub(lambda first: first[0].title(), text, count=1)

    def ends_sentence(self, text: str) -> bool:
        """Whether a text ends in a sign that ends a sentence.

        An abbreviation, an initial (``J.``) and a word with another point in it (``p.m.``) do not end a sentence.
        """
        if text.rstrip()[-1:] not in self.ends:
            return False
        last = text.split()[-1]
        return not (last in self.abbreviations or re.fullmatch(r"\w\.", last) or "." in last[:-1])

    def sentences(self, text: str) -> list[str]:
        """The sentences of a text: it is cut behind the words that end one."""
        found: list[list[str]] = [[]]
        for word in text.split():
            found[-1].append(word)
            if self.ends_sentence(word):
                found.append([])
        return [" ".join(words) for words in found if words] if len(found) > 2 else [text]

    def bare(self, word: str) -> str:
        """A word without the marks around it."""
        return word.strip("".join(self.marks))

    def tokens(self, text: str) -> list[str]:
        """The tokens of a text: cut between words, around marks and before clitics. A sign that ends sentences is cut
        off at the end of a word, and where one begins. Where nothing stands between words, each character is a token.

        `english().tokens("Jo's dog didn't bark.")` is `["Jo", "'s", "dog", "did", "n't", "bark", "."]`.
        """
        return [*_tokens(self, text)]


@lru_cache(maxsize=1 << 15)
def _tokens(language: Language, text: str) -> tuple[str, ...]:
    """The tokens of a text; the grammars of a session have their words in common."""
    words, clitics = _patterns(language)
    tokens: list[str] = []
    for word in words.findall(text.replace(language.joiner, " ") if language.joiner else text):
        clitic = clitics.search(word)
        tokens += [word[: clitic.start()], clitic.group()] if clitic else [word]
    return tuple(tokens)


@lru_cache(maxsize=16)
def one_of(language: Language) -> Language:
    """The first of the languages that are equal to this one. What is kept of texts is found by their language, and two
    that are not one object are compared word by word, which takes longer than to cut a sentence."""
    return language


@lru_cache(maxsize=16)
def _closed(words: str) -> frozenset[str]:
    return frozenset(words.split())


@lru_cache(maxsize=16)
def _patterns(language: Language) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What finds the words and marks of a text, and the clitic at the end of a word."""
    marks = "".join(map(re.escape, language.marks))
    inside = "".join(re.escape(mark) for mark in language.marks if mark in language.ends)
    within = rf"|[{inside}](?=\S)" if inside else ""
    signs = f"|[{marks}]" if marks else ""
    words = rf"[^\s{marks}](?:[^\s{marks}]{within})*{signs}" if language.joiner else r"\S"
    clitics = "|".join(map(re.escape, language.clitics)) or r"(?!)"
    return re.compile(words), re.compile(rf"(?<=\w)(?:{clitics})$")


@lru_cache(maxsize=16)
def read(source: Source) -> tuple[Language | None, tuple[Diagnostic, ...]]:
    """The language of a file; None, with a diagnostic, for a file that cannot be read as one."""
    try:
        table = tomllib.loads(source.text)
        language = msgspec.convert(table, Language)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        line, column = map(int, place.groups()) if place is not None else (len(source.lines), 1)
        why = str(error).partition(" (at ")[0]
        return None, (messages.language.no_toml(Span(source.path, line, column), why),)
    except msgspec.ValidationError as error:
        return None, (_misfit(source, str(error)),)
    if CODE.fullmatch(language.code) is None:
        return None, (messages.language.no_code(_place(source, "code"), language.code),)
    for name in ("ends", "finals", "marks"):
        long = next((sign for sign in getattr(language, name) if len(sign) != 1), None)
        if long is not None:
            return None, (messages.language.no_sign(_place(source, name), name, long),)
    return one_of(language), ()


def _misfit(source: Source, why: str) -> Diagnostic:
    """The diagnostic of an entry of another kind than is wanted, of an unknown entry, or of a missing one."""
    what, _, path = why.partition(" - at ")
    field = re.search(r"field `(\w+)`", what)
    table = re.search(r"\$\.(\w+)", path)
    if field is not None and "unknown field" in what:
        known: dict[str, type[Record]] = {
            "articles": Articles, "cautions": Cautions, "clauses": Clauses, "given": Given, "relations": Relations,
            "relations_of_verbs": Relations,
        }  # fmt: skip
        record = known.get(table[1], Language) if table is not None else Language
        return messages.language.unknown_entry(_place(source, field[1]), field[1], record.__struct_fields__)
    if field is not None:
        return messages.language.missing_entry(_place(source, table[1] if table is not None else ""), field[1])
    name = path.strip("`$").lstrip(".").partition("[")[0]
    return messages.language.wrong_entry(_place(source, name.rpartition(".")[2]), name, what)


def _place(source: Source, name: str) -> Span:
    """The line of an entry or table; the first line if it is not there."""
    for number, line in enumerate(source.lines, 1):
        if name and (found := re.match(rf"\s*\[?({re.escape(name)})\b", line)):
            return Span(source.path, number, found.start(1) + 1, len(name))
    return Span(source.path, 1, 1)


@lru_cache(maxsize=1)
def english() -> Language:
    """The shipped English, which is also the language of plain texts without a grammar."""
    file = shipped_folder() / "languages" / f"{DEFAULT}.toml"
    name, text = f"languages/{file.name}", file.read_text("utf-8")
    language, problems = read(Source(name=name, path=str(file), text=text, sha256="", origin=SHIPPED))
    if language is None:
        raise ValueError(problems[0].message)
    return language
