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


class Mismatch(Record, frozen=True, kw_only=True):
    """Words that nobody says with some prepositions (*arrived to the house*), by any form.

    Attributes:
        words: verbs, and adjectives; of a verb with an object the passive without its agent (*interested on books*).
        prepositions: those that do not go with them.
        of: the nouns behind the preposition for which this is so: classes, sorts, categories, and nouns.
        unless: prepositions beside which they do (*went to a party in Rome*).
        instead: those that go with them.
    """

    words: tuple[str, ...]
    prepositions: tuple[str, ...]
    of: tuple[str, ...]
    unless: tuple[str, ...] = ()
    instead: tuple[str, ...] = ()


class Cautions(Record, frozen=True, kw_only=True):
    """Words of which a reader knows that they say less than their formulas (`interpret.cautions`), by any form.

    Attributes:
        single: the word for one.
        genders: pronouns and reflexives by the gender of the names that they may be about.
        several: the value of a feature that a noun phrase of several has (`num.pl`).
        together: words for what several are together, but for verbs.
        singly: verbs of what each of several does, where several do it; by others they may do it together.
        unreal: verbs, and verbs or nouns with a preposition, whose object need not be there.
        models: nouns before a noun, so that the whole need not be what the second one says.
        mutual: verbs, nouns and prepositions of what mostly holds in both directions.
        ordered: prepositions of what holds from the first to the last, if it holds between neighbours.
        modals: auxiliaries of which two may share an operator.
        counts: words for numbers that they do not name (*several*).
        whole: words that leave out none, as *the nurses* may.
        relative: adjectives that say something else before another noun (*clever*).
        plain: adjectives and nouns before nouns of a sort or class, which are what these say, and so (*Swedish nurse*,
            *kitchen table*); of others it is left open.
        frozen: an adjective and a noun that are a name of something else (*black widow*).
        adjuncts: verbs beside a preposition whose phrase says where or with whom; beside others it may be one verb
            with it (*ran into*).
        idioms: a verb and a preposition, which elsewhere has a phrase of its own, that are one verb (*jumped at*).
        bodily: verbs of where a body is and goes, which are said of other things in a figure (*walked into a trap*).
        figures: classes of nouns, and nouns, that no body is in, on or before (*idea*, *trap*).
        circumstances: prepositions of when and why, with which nothing is said in a figure (*slept during the film*).
        objects: verbs that are said without an object, too, with classes of nouns, and nouns, of what they are done to
            in no figure (*read the book*, and no *face*).
        gone: verbs, and words of a time to come, that what they are about need not be there before or after.
        holders: nouns of what holds or measures something: who buys a bottle of wine buys wine.
        contents: prepositions between such a noun and what it holds (*of*).
        senses: nouns of two senses, of which one may be no person or animal (*driver*).
        fields: nouns before which an adjective may say what they are about (*English teacher*).
        implicit: words that say more than their formulas do, so that `neutral` does not hang on them (*else*), nor on
            those of `besides` and `quantities`.
        definite: articles that some are meant by, and not all that there are (*the*).
        places: prepositions of where something is or is done.
        each: words by which what several do is done by each.
        bounds: words of numbers that may be exceeded (*at least*).
        besides: determiners that suppose that one was mentioned (*another*).
        relational: nouns that say something else with a phrase behind them than alone (*a critic of Noah*).
        fiction: what something may be so in that is not so (*the film*), behind one of `ordered`.
        mixed: adjectives of which two may be of parts, or of some each (*black and white*).
        joins: what joins two adjectives (*and*).
        once: verbs of what happens once to the same, and nouns of whom one has one alone (*mother*).
        quantities: nouns of which it is not said who does what they are said to do, of several (*a group of boys*).
        toward: prepositions behind an adjective, by which it need not be so alone (*good with dogs*).
        dated: when something is or will be so, and perhaps not now (*on Monday*).
        supposing: words by which what is said is no more than supposed (*if*, *might*).
        sole: words by which one is known, and which it is need not be (*the only nurse*).
        over: words that what was so is so no more (*no longer*).
        short_names: forms of one name (*robert bob*).
        loose: nouns that are not had by whom they are named after (*her train*).
        institutions: nouns of buildings that name what is in them, too (*joined the church*).
        always: words by which what is said is said of every time (*ever*), and not of one.
        groups: names of a grammar that may be of several (*we*), who do together what one verb says.
        left_out: constructors, and categories, of clauses whose verb phrase is left out behind them (*did too*).
        speech: names of a grammar for who speaks, or is spoken to, whom a reflexive would be about (*praised me*).
        minds: verbs of what only those do who have a mind.
        mindless: classes of nouns of what has none (*furniture*).
        of_things: adjectives of degree that nobody says of a person (*long*: *a shorter man* is a less tall one).
        no_two: words of which no two of one category stand side by side (*perhaps maybe*).
        moments: verbs of what takes no time, which nobody does for an hour, once, to one thing.
        lasting: words for how long something is done, and prepositions before a moment (*all day*, *until*).
        spans: prepositions of how long something is done, with the nouns by which they say so (*for an hour*).
        of_spans: verbs whose object may be so much time (*spent two days*, and no *sang two days*).
        mismatches: words that nobody says with some prepositions.
        static: participles of verbs of what is so, which nobody says with *be* (*is owning a car*).
        since: words for how long it has been so, beside which a clause has one of `perfect` (*left since Monday*).
        perfect: the forms of *have*.
        clausal: categories and constructors of what has a verb phrase of its own in such a clause, which may be the one
            that is meant, or may be about the other one (*my dog*).
    """

    several: str = ""
    single: str = ""
    genders: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    together: tuple[str, ...] = ()
    singly: tuple[str, ...] = ()
    unreal: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    mutual: tuple[str, ...] = ()
    ordered: tuple[str, ...] = ()
    modals: tuple[str, ...] = ()
    counts: tuple[str, ...] = ()
    whole: tuple[str, ...] = ()
    relative: tuple[str, ...] = ()
    plain: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    frozen: tuple[str, ...] = ()
    adjuncts: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    idioms: tuple[str, ...] = ()
    bodily: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    circumstances: tuple[str, ...] = ()
    objects: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    gone: tuple[str, ...] = ()
    always: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    holders: tuple[str, ...] = ()
    contents: tuple[str, ...] = ()
    senses: tuple[str, ...] = ()
    implicit: tuple[str, ...] = ()
    definite: tuple[str, ...] = ()
    besides: tuple[str, ...] = ()
    relational: tuple[str, ...] = ()
    fiction: tuple[str, ...] = ()
    each: tuple[str, ...] = ()
    bounds: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    mixed: tuple[str, ...] = ()
    joins: tuple[str, ...] = ()
    once: tuple[str, ...] = ()
    quantities: tuple[str, ...] = ()
    toward: tuple[str, ...] = ()
    dated: tuple[str, ...] = ()
    over: tuple[str, ...] = ()
    supposing: tuple[str, ...] = ()
    sole: tuple[str, ...] = ()
    short_names: tuple[str, ...] = ()
    loose: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    clausal: tuple[str, ...] = ()
    speech: tuple[str, ...] = ()
    minds: tuple[str, ...] = ()
    mindless: tuple[str, ...] = ()
    of_things: tuple[str, ...] = ()
    no_two: tuple[tuple[str, ...], ...] = ()
    moments: tuple[str, ...] = ()
    lasting: tuple[str, ...] = ()
    static: tuple[str, ...] = ()
    since: tuple[str, ...] = ()
    perfect: tuple[str, ...] = ()
    spans: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    of_spans: tuple[str, ...] = ()
    mismatches: tuple[Mismatch, ...] = ()
    institutions: tuple[str, ...] = ()


class Opposites(Record, frozen=True, kw_only=True):
    """Two words that are opposed only of what both are said of in one sense.

    Attributes:
        words: the two (*hot*, *cold*).
        of: the kinds of things of which nothing is both (*soup*).
        alone: whether they are so only where no noun stands behind them (*is poor*; *a poor nurse* may be pitiable).
        either: whether readers may take what is not one of them for the other (*not present*, *absent*).
    """

    words: tuple[str, str]
    of: tuple[str, ...]
    alone: bool = False
    either: bool = False


class Relations(Record, frozen=True, kw_only=True):
    """What the words of a language have to do with each other, by their first form (`resolve.theory.related`).

    Attributes:
        kinds: word -> those that are kinds of it (*animal*: *dog*, *cat*).
        exclusive: words of which nothing is two (*dog*, *cat*).
        opposites: two words of which nothing of some kinds is both (*hot*, *cold*).
        complementary: two words of which nothing is both, and all that `only_of` names is one (*dead*, *alive*).
        only_of: word -> the kinds of things of which its relation is so (*dead*: of persons and animals); of verbs that
            of the object (*break*: of vases).
        converse: words that say the same of two in two directions (*above*, *below*).
        undergone: verb -> those after which it is so of their object (*die*: *murder*).
        middle: verbs that say without an object what happens to it with one (*broke the vase*, *the vase broke*).
        objectless: verbs that say without an object what they say with any (*ate an apple*, *ate*).
        independent: groups of words, none of which has anything to do with a word of another group, of verbs too.
        siblings: groups of which no word is a kind of another one.
        near: words of nearly one meaning, of which nothing is known (*writer*, *author*).
    """

    kinds: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    exclusive: tuple[tuple[str, ...], ...] = ()
    opposites: tuple[Opposites, ...] = ()
    complementary: tuple[tuple[str, ...], ...] = ()
    only_of: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    converse: tuple[tuple[str, str], ...] = ()
    undergone: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    middle: tuple[str, ...] = ()
    objectless: tuple[str, ...] = ()
    independent: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    siblings: tuple[str, ...] = ()
    near: tuple[tuple[str, ...], ...] = ()


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
