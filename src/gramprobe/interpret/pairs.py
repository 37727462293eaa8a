"""Premises and a hypothesis to a label: one only where all readings agree, and none where something cannot be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice, starmap
from time import thread_time

from gramprobe.decide.label import Decider
from gramprobe.decide.verdict import Decision, rests_on_trust
from gramprobe.formula.ast import TRUE, Formula, Interrogative, Not
from gramprobe.interpret.abstract import without_worlds
from gramprobe.interpret.alike import read_alike
from gramprobe.interpret.asked import CONTRADICTION, ENTAILMENT, NEUTRAL, Pair, another_time
from gramprobe.interpret.attachments import of_a_time, of_other_places, of_other_times, said_so
from gramprobe.interpret.cautions import caution, operators_of
from gramprobe.interpret.doubts import doubt
from gramprobe.interpret.doubts_neutral import unrelated
from gramprobe.interpret.listed import happens_once
from gramprobe.interpret.orders import is_plain, is_positive
from gramprobe.interpret.pronouns import Unresolved, taken_up
from gramprobe.interpret.read import MOST_TOKENS, Interpretation, Reader, Understood
from gramprobe.interpret.repairs import Broken
from gramprobe.interpret.times import (
    PRESENT,
    UNTIED,
    Covering,
    Said,
    covered,
    never_at_once,
    nouns_of_then,
    of_another_time,
    of_two_times,
    speaks_later,
    with_related,
    without_its_times,
)
from gramprobe.interpret.unsaid import words_of
from gramprobe.judge.judge import Undecidable, decision
from gramprobe.source.nearest import listed
from gramprobe.source.wording import visible
from gramprobe.stop import Stopped, ask_stop, stoppable

SHOWN = 40
"""So many letters of a text that is too long are repeated."""
MOST_PAIRS = 64
"""So many choices of readings are decided at most; a pair with more has no label."""
MOST_STEPS = 20_000
"""So many steps of engines are taken for a pair, which are mostly done in a second; what takes more has no label."""
MOST_SECONDS = 10.0
"""So many seconds of the processor a pair may take, if its steps are longer; what takes more has no label."""


class _Work:
    """How many steps and seconds a pair has left. Steps are what engines ask between: the parts of a formula that are
    instantiated, clauses by eights, rounds of a search."""

    def __init__(self) -> None:
        self.left, self.end = MOST_STEPS, thread_time() + MOST_SECONDS

    def is_over(self) -> bool:
        self.left -= 1
        return self.left < 0 or thread_time() > self.end


@dataclass(frozen=True, slots=True)
class LabelOfReadings:
    """The label of one reading of each sentence: those of the premises, that of the hypothesis, and its decision.

    ``said``: the formula of the premises, said one after the other.
    """

    premises: tuple[Understood, ...]
    hypothesis: Understood
    decision: Decision
    said: Formula


@dataclass(frozen=True, slots=True)
class Labelled:
    """The label of a pair, or why it has none.

    Attributes:
        label: that of all readings; None if they differ, or something cannot be read or decided.
        why: why there is no label; empty if there is one.
        sentences: what was made of the premises and, last, of the hypothesis.
        by_reading: the label of each choice of readings.
        reader: what read the sentences.
        of_words: whether there is none because of what the grammar does not know of its words, or of their times.
    """

    label: str | None
    why: str
    sentences: tuple[Interpretation, ...]
    by_reading: tuple[LabelOfReadings, ...] = ()
    reader: Reader | None = field(default=None, repr=False, compare=False)
    of_words: bool = field(default=False, compare=False)

    @property
    def guessed(self) -> tuple[str, ...]:
        """The words of its readings that were guessed."""
        every = (
            word for each in self.by_reading for read in (*each.premises, each.hypothesis) for word in read.guessed
        )
        return tuple(dict.fromkeys(every))


def labelled(
    premises: Sequence[str], hypothesis: str, reader: Reader, decider: Decider | None = None, surface: bool = False
) -> Labelled:
    """Label a pair by the readings of its sentences. The premises are said one after the other, so that a sentence may
    presuppose what those before it say, and its pronouns may take up what they introduce.

    Args:
        premises: sentences, or texts, which are cut into their sentences.
        hypothesis: a sentence.
        reader: the grammar and the theory; of several the first that reads all sentences.
        decider: makes the decisions.
        surface: leave out readings that only another order of scopes gives.
    """
    work = _Work()
    try:
        with stoppable(work.is_over):
            first, reader = reader, _reader_of(premises, hypothesis, reader)
            of = (decider or Decider()).of_readings
            found = _labelled(premises, hypothesis, reader, of, surface)
            missing = [read.text.strip() for read in found.sentences if unread(read)]
            if found.of_words:  # another grammar may know more of these words
                others = islice(reader.readers(), 1, None)
                further = (_labelled(premises, hypothesis, each, of, surface) for each in others)
                found = next((each for each in further if each.label is not None), found)
            if missing and not any(unread(first.parsed(text)[0]) for text in missing):
                why = f"no one grammar reads all of it: `{missing[0]}` is read by another one than the rest"
                return replace(found, why=why)
            return found
    except Stopped:
        ask_stop()
    why = f"it was not decided in {f'{MOST_STEPS} steps' if work.left < 0 else f'{MOST_SECONDS:.0f} seconds'}"
    return Labelled(None, why, _read(premises, hypothesis, reader), (), reader)


def _reader_of(premises: Sequence[str], hypothesis: str, reader: Reader) -> Reader:
    """The first reader that reads all sentences, in both orders of subject and negation; else the one that reads most
    of them, then the one that knows their words, and the one that comes furthest."""
    tried: list[tuple[int, bool, int, Reader]] = []
    for each in reader.readers():
        sentences = _read(premises, hypothesis, each)
        missing = sum(bool(unread(read)) for read in sentences)
        if not missing and not any(map(_is_fixed, sentences)):
            return each
        reached = sum(len(read.reached) for read in sentences)
        tried.append((missing, any(read.unknown for read in sentences), -reached, each))
    return min(tried, key=lambda each: each[:3])[3]


def _read(premises: Sequence[str], hypothesis: str, reader: Reader) -> tuple[Interpretation, ...]:
    """The readings of each sentence of the premises and of the hypothesis."""
    return tuple(map(reader.read, (*_cut(premises, reader), hypothesis)))


def _labelled(premises: Sequence[str], hypothesis: str, reader: Reader, decider: Decider, surface: bool) -> Labelled:
    sentences = _read(premises, hypothesis, reader)
    for at, read in enumerate(sentences, 1):
        if why := unread(read):
            empty = "the hypothesis is empty" if at == len(sentences) else "a premise is empty"
            return Labelled(None, why if read.text.strip() else empty, sentences, (), reader)
    if any(isinstance(each.reading.formula, Interrogative) for each in sentences[-1].readings):
        return Labelled(None, "the hypothesis is a question", sentences, (), reader)
    choices = [[each for each in read.readings if not surface or each.kind == "parse"] for read in sentences]
    found: list[LabelOfReadings] = []
    decisions: list[tuple[Sequence[Understood], Pair]] = []
    tokens = _tokens(" ".join(premises), reader), _tokens(hypothesis, reader)
    fewest = [min((len(each.reading.refers) for each in readings), default=0) for readings in choices]
    chosen: dict[tuple[Formula, Formula], tuple[Understood, ...]] = {}
    try:
        for each in (said for picked in read_alike(choices, reader) for said in taken_up(picked, fewest, reader)):
            chosen.setdefault((each.formula, each.readings[-1].reading.formula), each.readings)
            if len(chosen) > MOST_PAIRS:
                return Labelled(None, f"there are more than {MOST_PAIRS} choices of readings", sentences, (), reader)
    except Unresolved as error:
        return Labelled(None, str(error), sentences, (), reader)
    for (said, asked), readings in chosen.items():
        *before, last = readings
        try:
            decided = decision(said, asked, reader.theory, reader.grammar, symbols=reader.symbols, decider=decider)
            if rests_on_trust(decided.verdict.kind) and (plain := without_worlds(said, asked, reader.is_factive)):
                proved = decision(*plain, reader.theory, reader.grammar, symbols=reader.symbols, decider=decider)
                if proved.verdict.label in (ENTAILMENT, CONTRADICTION):
                    decided, (said, asked) = proved, plain
            said_of = {time for read in before for _, time, _ in read.times}
            asked_of = {time for _, time, _ in last.times}
            now = {word for read in readings for word, time, _ in read.times if time == PRESENT}
            of_times = said_of, asked_of, now
            decisions.append((readings, Pair(said, asked, decided, reader, tokens, decider, *of_times)))
        except (Undecidable, ValueError) as error:  # the theory has no operator of this name
            return Labelled(None, str(error), sentences, tuple(found), reader)
        if decided.verdict.label is None or rests_on_trust(decided.verdict.kind):
            none = decision(TRUE, Not(said), reader.theory, reader.grammar, symbols=reader.symbols, decider=decider)
            why = "no proof and no model was found for a reading"
            if none.verdict.label == ENTAILMENT:
                why = "the premises contradict each other" if len(sentences) > 2 else "the premise contradicts itself"
            return Labelled(None, why, sentences, tuple(found), reader)
        found.append(LabelOfReadings(tuple(before), last, decided, said))
    labels = list(dict.fromkeys(str(each.decision.verdict.label) for each in found))
    if len(labels) > 1:
        why = f"the readings differ: {', '.join(labels)}"
    elif not labels:
        why = "a pronoun has nothing to take up"
    else:  # the first reason is given, and nothing asked behind it
        try:
            why = next(filter(None, starmap(_doubt, decisions)), "")
        except (Undecidable, ValueError) as error:
            return Labelled(None, str(error), sentences, tuple(found), reader)
        if not why and any(map(_is_fixed, sentences)):
            why = "a subject and `not` may have either order of scopes, of which the grammar has one"
        if why and any(
            _moved(_times(*each), *each) or (each[1].label == NEUTRAL and unrelated(each[1])) for each in decisions
        ):
            return Labelled(None, why, sentences, tuple(found), reader, of_words=True)
    return Labelled(None if why else labels[0], why, sentences, tuple(found), reader)


def _times(readings: Sequence[Understood], pair: Pair) -> list[frozenset[Said]]:
    """The times of the premises, also of the words of the hypothesis that theirs are related to."""
    *before, last = readings
    return [with_related(read.times, last.times, pair.reader.related.tie) for read in before]


def _moved(times: Sequence[frozenset[Said]], readings: Sequence[Understood], pair: Pair) -> tuple[str, ...]:
    """The words that the hypothesis says of another time than the premises, whose ``times`` are given."""
    return of_another_time(times, readings[-1].times, _covering(pair))


def _covering(pair: Pair) -> Covering:
    """Of which other times a word is said that a pair says of one: of none in conditionals, which are of each alone."""
    reader, words = pair.reader, pair.reader.symbols
    strict = {name for each in reader.theory.withholding("strict") for name in each.names}
    if any(operators_of(each) & strict for each in (pair.said, pair.asked)):
        return lambda _word, _time: ()
    positive = is_positive(pair.said), is_positive(pair.asked)
    return partial(covered, plain=is_plain(pair.said, reader), positive=positive,
                   is_verb=lambda word: word in words and words[word].is_verb)  # fmt: skip


def _doubt(readings: Sequence[Understood], pair: Pair) -> str:
    """Why the label of some readings is none of their sentences; empty if it is."""
    times, reader, last = _times(readings, pair), pair.reader, readings[-1]
    if moved := _moved(times, readings, pair):
        # the label is that of one time, and of two of which one is no reason for the other
        words = {*moved} & {*reader.symbols} or words_of(pair.asked, reader.symbols, reader.grammar)
        apart, never = of_a_time(pair.asked, words, "then"), never_at_once(times, last.times)
        either = {pair.label, pair.with_others(pair.said, apart)}
        if either != {NEUTRAL} or (never and happens_once(pair.asked, reader)):
            return another_time(moved[0], reader)
        pair = replace(pair, asked=apart) if never else pair
    if pair.label == NEUTRAL and any(isinstance(read.reading.formula, Interrogative) for read in readings):
        return "who asks says nothing, and may take for granted what the hypothesis says"
    if any(read.resumed for read in readings):
        return "what is left out may be another verb phrase, or have its pronouns about somebody else"
    if word := _of_two_times(times, readings, pair) or _of_then(readings, pair):
        return another_time(word, reader)
    several, later = any(read.several for read in readings), speaks_later(times, last.times) or _reaches(readings, pair)
    wary = caution(pair.said, pair.asked, pair.label, pair.words, several, later, reader.symbols, reader.grammar)
    return wary or _of_other_sentences(readings, pair) or doubt(pair)


def _of_then(readings: Sequence[Understood], pair: Pair) -> str:
    """A noun that the hypothesis denies of now, and the premises have of then: *No nurse sang*, and a singer is a nurse
    now. Empty if there is none."""
    *before, last = readings
    nouns = nouns_of_then([read.times for read in before], last.times) & pair.reader.symbols.keys()
    if not nouns or pair.label != (ENTAILMENT if isinstance(pair.asked, Not) else CONTRADICTION):
        return ""
    return "" if pair.with_others(pair.said, of_a_time(pair.asked, nouns, "now")) == pair.label else min(nouns)


def _of_two_times(times: Sequence[frozenset[Said]], readings: Sequence[Understood], pair: Pair) -> str:
    """A word that premises say of two times, if the label hangs on these being one; empty if it hangs on none."""
    if pair.label == NEUTRAL:
        return ""
    of, formulas = pair.reader, [each.reading.formula for each in readings]
    for word, at in of_two_times(times, readings[-1].times, _covering(pair)):
        words = {word} & {*of.symbols} or words_of(pair.asked, of.symbols, of.grammar)
        words |= {other for n in at for other, *_ in readings[n].times if of.related.tie(other, word) not in UNTIED}
        apart = [
            of_a_time(each, words, "then") if n in at else each
            for n, each in enumerate(formulas)
            if n not in at or word not in operators_of(each)  # who knew it then may not know it now
        ]
        if not at or _with_formulas(readings, pair, tuple(apart)) != pair.label:
            return word
    return ""


def _reaches(readings: Sequence[Understood], pair: Pair) -> bool:
    """Whether the label hangs on a premise that does not speak of the time of the hypothesis."""
    at = without_its_times([each.times for each in readings[:-1]], readings[-1].times)
    if pair.label == NEUTRAL or not at:
        return False
    rest = tuple(each.reading.formula for n, each in enumerate(readings) if n not in at)
    return _with_formulas(readings, pair, rest) != pair.label


def _with_formulas(readings: Sequence[Understood], pair: Pair, formulas: tuple[Formula, ...]) -> str | None:
    """The label by other formulas of the sentences, or of some; its own where a pronoun has nothing to take up."""
    other = said_so(readings, formulas, pair.reader)
    return pair.label if other is None else pair.with_others(*other)


def _of_other_sentences(readings: Sequence[Understood], pair: Pair) -> str:
    """Why a label hangs on where an adverbial of a sentence belongs, or on two sentences being of one time."""
    label = partial(_with_formulas, readings, pair)
    for why, formulas in of_other_places(readings, pair.reader, pair.label == NEUTRAL):
        if (changed := label(formulas)) not in (pair.label, None):
            return f"{why}; then {changed}"
    for why, every in () if pair.label == NEUTRAL else of_other_times(readings, pair.reader):
        if pair.label not in map(label, every):
            return why
    return ""


def _is_fixed(read: Interpretation) -> bool:
    return any(each.fixed for each in read.readings)


def _tokens(text: str, reader: Reader) -> tuple[str, ...]:
    language = reader.grammar.language
    return tuple(each for each in language.tokens(language.plain(text.lower())) if each not in language.marks)


def _cut(premises: Sequence[str], reader: Reader) -> list[str]:
    return [sentence for each in premises for sentence in reader.grammar.language.sentences(each)]


def explained(read: Interpretation, reader: Reader) -> tuple[str, Broken]:
    """Why a reader cannot read a sentence, and what is wrong with one that has no tree: where words are not read that
    are not the last ones, they alone are named, and not how far the beginning goes."""
    is_one = len(reader.grammar.language.sentences(read.text)) == 1
    broken = reader.broken(read.text) if is_one and read.reached and not read.trees else Broken()
    at_the_end = read.text.rstrip(" .?!").endswith(broken.without)
    return unread(read) if at_the_end else f"`{read.text.strip()}` has no tree", broken


def unread(read: Interpretation) -> str:
    """Why a sentence cannot be labelled; empty if it can."""
    text = f"`{read.text.strip()}`"
    if read.unknown:
        words = [f"`{visible(word)}`" + (f" (perhaps `{near}`)" if near else "") for word, near in read.unknown.items()]
        what = "words of which no one grammar knows all" if read.scattered else "words that the grammar does not know"
        return f"{text} has {what}: {', '.join(words)}"
    asks = "; of questions it reads some that ask whether something is so" if text.endswith("?`") else ""
    if not read.trees and read.whole:
        if not read.parsed:
            if not any(map(str.isalnum, read.text)):
                return "there is no word in it" if read.text.strip() else "the sentence is empty"
            return f"`{read.text.strip()[:SHOWN]} ...` has more than {MOST_TOKENS} words and marks, and is not parsed"
        if not read.reached:
            return f"{text} has no tree: no sentence of the grammar begins so{asks}"
        if not read.expected:
            return f"{text} has no tree{asks}"
        could = listed(read.expected)
        if read.reached == " ".join(read.text.split()).rstrip("."):
            return f"{text} has no tree: the grammar has its words as a beginning only, which could go on with {could}"
        return f"{text} has no tree; after `{read.reached}` could stand {could}{asks}"
    if not read.whole:
        return f"{text} has too many readings to find all"
    if not read.readings:
        if read.refused:
            return f"{text} is not read: {read.refused}"
        why = asks.removeprefix("; ") or "some word has none, nobody would say it so, or what is unsaid decides it"
        return f"{text} has trees, but none with a meaning: {why}"
    if opened := {name for each in read.readings for name in each.open}:
        return f"{text} leaves open whom a pronoun is about, or what only a paradigm says: {listed(sorted(opened))}"
    return ""
