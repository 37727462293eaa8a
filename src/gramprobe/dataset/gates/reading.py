"""The round trip: a sentence must mean, to a reader of its grammar, what was labelled.

One sentence of each *shape* (a condition, its readings, and the forms that its words have) is parsed with the grammar
of its paradigm. What no word says is taken as in the tree that it was made from, and so is which of several words of
a form was meant (*case*, of pencils or of markers). The readings of that tree must be among those found. A further
reading is of another tree: its surface reading (`parse`), or one that another order of scopes gives (`scope`).

Each is tried in the place of the labelled one. Where premise and hypothesis have further readings both, whoever reads
reads them alike: a label hangs on a reading if no reading of the other sentence gives the label that it has. A reading
of kind `parse` on which a label hangs refuses the build, unless the paradigm has a line `allow reading because "..."`,
and so does a sentence that is not read as it is meant; the card counts all of them. Which readings of its own tree a
paradigm means is another matter (`reading`, E25).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import cache, cached_property, lru_cache
from itertools import islice
from math import prod
from statistics import mean, median

import numpy as np
from msgspec import Struct, structs

from gramprobe.chart.rules import Rules
from gramprobe.dataset.gates.sentences import Reason
from gramprobe.dataset.manifest import ReadBack
from gramprobe.decide.label import Decider
from gramprobe.formula import ast
from gramprobe.formula.ast import TRUE, Formula, children, kinds, map_children
from gramprobe.formula.notation import show
from gramprobe.interpret.read import Interpretation, Reader, Understood
from gramprobe.interpret.rules import rules_for
from gramprobe.interpret.surface import Alone
from gramprobe.interpret.trees import term
from gramprobe.items.decisions import Decisions
from gramprobe.items.groups import Member, Part, numbered
from gramprobe.items.label import PairLabels, gold_reading, meant
from gramprobe.items.pages.trees import filled_tree
from gramprobe.items.rows import Chunk
from gramprobe.items.slots import filled
from gramprobe.items.tasks import task_of
from gramprobe.judge.judge import equivalent, readings_of
from gramprobe.language import Language
from gramprobe.resolve.grammar.data import Grammar
from gramprobe.resolve.paradigm.data import LABEL_COLUMNS, Condition
from gramprobe.resolve.paradigm.terms import FROZEN
from gramprobe.resolve.tree import Apply, Tree
from gramprobe.source.diagnostic import Findings
from gramprobe.source.nearest import listed
from gramprobe.space.space import Draws
from gramprobe.words.linearise import sentence_of

MOST = 40
"""So many shapes of a paradigm are read in a build; `verify --parse` reads all."""
MOST_TOKENS, MOST_OTHERS, MOST_TRIES = 12, 3, 60
"""A build reads sentences of so many words and marks, tries so many further readings of one, and so often in all."""
STOPS = "parse"
"""The kind of readings that a paradigm has to allow."""
_CONNECTIVES = {ast.Not, ast.And, ast.Or, ast.Implies, ast.Iff}
_ABOUT_INDIVIDUALS = {*_CONNECTIVES, ast.Var, ast.Const, ast.Truth, ast.Atom, ast.Equal, ast.Quantified}
"""What sentences about individuals are made of."""
_AROUND = {*_CONNECTIVES, ast.Modal, ast.Presupposing, ast.Interrogative}
"""What has the same values around sentences that are equivalent."""
HELP = (
    'let the grammar have one tree for it, reword it, or write `allow reading because "..."` with why people '
    "do not read it so"
)


@dataclass(frozen=True, slots=True)
class _Read:
    """A sentence as it was read.

    Attributes:
        term: the tree that it was made from.
        own: the readings of that tree, with the words in their places.
        read: what was made of the sentence.
        others: the further readings that leave nothing open.
        trees, readings: how many there are.
        lacking: a reading of the tree that was not found.
    """

    term: str
    own: tuple[Formula, ...]
    read: Interpretation
    others: tuple[Understood, ...]
    trees: int
    readings: int
    lacking: Formula | None


class Found(Struct, frozen=True, forbid_unknown_fields=True):
    """What was found when sentences were read: what the manifest counts, if it was counted, and what is wrong with
    them."""

    counted: ReadBack | None
    reasons: tuple[Reason, ...]


def readable(grammar: Grammar) -> bool:
    """Whether the language of a grammar says how a sentence is cut before each final sign."""
    return all(len(grammar.language.tokens(f"a{final}")) == 2 for final in grammar.sentences.values())


class RoundTrip:
    """Reads the sentences of a paradigm: :meth:`read` each chunk. ``decider`` decides what further readings give;
    ``counts``: readings that stop no build are tried as well, to count them.

    Attributes:
        tries: how often further readings were put in the place of others, by their kind.
    """

    def __init__(self, decisions: Decisions, decider: Decider, most: int | None = MOST, *, counts: bool = True) -> None:
        self.decisions, self.task, self.most, self.counts = decisions, task_of(decisions.plan.paradigm), most, counts
        self.plan = replace(decisions.plan, decider=decider, beside=())
        self.tries = Counter[str]()
        self._tried = set[tuple[object, ...]]()
        self._hanging_on = set[tuple[str, str]]()
        self._unread: dict[str, Reason] = {}  # condition -> why
        self._beyond = set[str]()  # conditions with more readings than are looked at, for which no build is refused
        self._hangs: dict[str, tuple[str, ...]] = {}  # pair, or condition -> an example
        self._seen = set[tuple[str, int, int]]()
        self._counts: list[tuple[int, int]] = []  # trees and readings of each sentence
        self._known: dict[tuple[str, str, bool], _Read] = {}
        self._tokens = set[str]()  # of the sentences, and the rules for these
        self._rules: Rules
        self._same: dict[tuple[Formula, Formula], bool] = {}

    def _knows(self, texts: Iterable[str]) -> None:
        """Have rules for some sentences, beside those before."""
        language = self.plan.grammar.language
        new = {token for text in texts for token in language.tokens(language.plain(text))} - self._tokens
        if new:
            self._tokens |= new
            self._rules = rules_for(self.plan.grammar, self._tokens)

    @cached_property
    def _reader(self) -> Reader:
        """What reads the sentences."""
        return Reader(self.plan.grammar, self.plan.theory, rules=self._rules)

    def found(self, chunks: Sequence[Chunk]) -> Found:
        """What is found in the sentences of some chunks."""
        for chunk in chunks:
            self.read(chunk)
        return Found(self.counted if self.counts else None, tuple(self.reasons))

    @property
    def limits(self) -> tuple[object, ...]:
        """How much is read and tried."""
        return self.most, self.counts, STOPS, MOST_TOKENS, MOST_OTHERS, MOST_TRIES

    @property
    def reasons(self) -> list[Reason]:
        """What is wrong with the sentences."""
        found = [reason for name, reason in self._unread.items() if name not in self._beyond]
        if self._hangs:
            names = listed([f"`{name}`" for name in self._hangs], 4)
            what = "the label of" if self.task.form.claims == "label" else "what fits, or follows from,"
            found.append(
                Reason(f"{what} {names} hangs on how a sentence is read", next(iter(self._hangs.values())), HELP)
            )
        return found

    @property
    def counted(self) -> ReadBack:
        """What the manifest says about it, if readings that stop no build are counted."""
        trees, readings = zip(*self._counts, strict=True) if self._counts else ((0,), (0,))
        return ReadBack(
            shapes=len(self._seen),
            sentences=len(self._counts),
            trees=float(median(trees)),
            readings=round(float(mean(readings)), 4),
            unread=len(self._unread),
            hanging=dict(sorted(Counter(kind for kind, _ in self._hanging_on).items())),
        )

    def read(self, chunk: Chunk) -> None:
        """Read a sentence of each shape that no chunk before had."""
        conditions, new = self.plan.paradigm.conditions, list[tuple[bool, int, str, int]]()
        for name, meanings in chunk.groups.meanings.items():
            variants = self.plan.realiser.worded(conditions[name]).variants.of(chunk.draws)
            _, first = numbered([meanings, np.asarray(variants, np.int64)], len(chunk))
            fresh, known = 0, {meaning for condition, meaning, _ in self._seen if condition == name}
            for row in sorted(first.tolist()):
                key = name, int(meanings[row]), int(variants[row])
                if key not in self._seen:
                    self._seen.add(key)
                    new.append((key[1] in known, fresh, name, row))
                    known.add(key[1])
                    fresh += 1
        new.sort(key=lambda each: each[:2])  # each meaning of each condition, and then its forms in turn
        language = self.plan.grammar.language
        rows: dict[str, list[int]] = {}
        for *_, name, row in new:
            rows.setdefault(name, []).append(row)

        @cache
        def texts(name: str) -> dict[int, str]:
            draws = chunk.draws.take(np.array(rows[name]))
            sentences = self.plan.realiser.sentences(conditions[name], draws).to_pylist()
            return dict(zip(rows[name], sentences, strict=True))

        wanted = ((name, row, texts(name)[row]) for *_, name, row in new)
        if self.most is None:
            sentences = [*wanted]
        else:
            short = (each for each in wanted if _is_short(each[2], language))
            sentences = [*islice(short, max(self.most - len(self._counts), 0))]
        if not sentences:
            return
        beside = rows if self.counts else ()  # with further readings, others are read beside these
        one = _one(chunk, 0)
        others = [self.plan.realiser.sentence(conditions[name], one) for name in beside]
        self._knows([*others, *(text for *_, text in sentences)])
        alone = None if self.counts else Alone(self.plan.grammar, self.plan.theory, self._rules)
        for name, row, text in sentences:
            self._shape(conditions[name], chunk, row, text, alone)

    def _shape(self, condition: Condition, chunk: Chunk, row: int, text: str, alone: Alone | None) -> None:
        found = self._sentence(condition.name, chunk, row, text, alone)
        self._counts.append((found.trees, found.readings))
        if found.lacking is not None:
            if self.most is not None and not found.read.whole:
                self._beyond.add(condition.name)
            self._unread.setdefault(condition.name, _not_read(condition.name, found, found.lacking))
        for at, part in enumerate(self.decisions.parts if found.others else ()):
            if condition.name in part.conditions:
                self._hanging(condition, at, part, chunk, row, found)

    def _sentence(self, name: str, chunk: Chunk, row: int, text: str = "", alone: Alone | None = None) -> _Read:
        """A sentence as it is read; ``text``: how it is written, if that is known; ``alone``: what tells of sentences
        whether they have no tree but that which was meant, of which then no further readings are looked for."""
        plan, condition, one = self.plan, self.plan.paradigm.conditions[name], _one(chunk, row)
        text = text or plan.realiser.sentence(condition, one)
        if (name, text, alone is not None) in self._known:
            return self._known[name, text, alone is not None]
        tree = filled_tree(plan, condition, one)
        if isinstance(tree, Apply) and tree.constructor.name not in plan.grammar.constructors:  # a text: by sentences
            parts = [self._read(sentence_of(each, plan.grammar), each, None, alone) for each in tree.arguments]
            lacking = next((each for each in parts if each.lacking is not None), parts[0])
            counts = prod(each.trees for each in parts), prod(each.readings for each in parts)
            found = replace(lacking, others=(), trees=counts[0], readings=counts[1])
        else:
            known = self.decisions.grouping.readings(name)[int(chunk.groups.meanings[name][row])]
            own = tuple(filled(each.formula, plan, one, 0) for each in meant(plan, known))
            found = self._read(text, tree, own, alone)
        self._known[name, text, alone is not None] = found
        return found

    def _read(self, text: str, tree: Tree, own: tuple[Formula, ...] | None, alone: Alone | None) -> _Read:
        """A sentence that was made from a tree; ``own``: the readings of this, if they are known."""
        if own is None:
            own = tuple(each.formula for each in readings_of(tree, self.plan.theory, self.plan.grammar))
        said = term(tree, self.plan.grammar)
        if alone is not None and alone.holds(text, tree, own):
            return _Read(said, own, Interpretation(text), (), 1, len(own), None)
        self._knows([text])
        self._reader.words.rules = self._rules  # it was made with those for earlier sentences
        read = self._reader.read_back(text, tree)
        formulas = [each.reading.formula for each in read.readings]
        others = tuple(
            self._of_order(each, said) for each in read.readings if each.reading.formula not in own and not each.open
        )
        lacking = next((each for each in own if each not in formulas and not self._found(each, formulas)), None)
        return _Read(said, own, read, others, read.trees, len(read.readings), lacking)

    def _of_order(self, other: Understood, own: str) -> Understood:
        """A further reading: with `scope frozen` one of the tree that is meant is by another order of scopes, also if
        that is the order of the words."""
        return replace(other, kind="scope") if self.plan.paradigm.scope == FROZEN and other.term == own else other

    def _found(self, own: Formula, formulas: Iterable[Formula]) -> bool:
        """Whether a formula that was found is equivalent to a reading."""
        theory, symbols, decider = self.plan.theory, self._reader.symbols, self.plan.decider
        return any(equivalent(own, each, theory, symbols, decider) for each in formulas)

    def _is_as_labelled(self, condition: Condition, member: Member, other: Understood) -> bool:
        """Whether a further reading says the same as the one on which the label rests, which is then its label, too."""
        if self.task.form.claims != "label" or self.plan.paradigm.columns != LABEL_COLUMNS[:1]:
            return False  # what else is said of readings, or conveyed by them, may hang on their form
        gold = gold_reading(condition, meant(self.plan, member.readings[condition.name]))
        return self._says_the_same(filled(gold.formula, self.plan, member.draws, 0), other.reading.formula)

    def _says_the_same(self, one: Formula, other: Formula) -> bool:
        """Whether a formula is another one with equivalent sentences about individuals in the places of its own."""
        if (one, other) not in self._same:
            alike = type(one) is type(other) and map_children(_blank, one) == map_children(_blank, other)
            self._same[one, other] = (
                self._found(one, [other])
                if kinds(one) | kinds(other) <= _ABOUT_INDIVIDUALS
                else alike and type(one) in _AROUND and all(map(self._says_the_same, children(one), children(other)))
            )
        return self._same[one, other]

    def _hanging(self, condition: Condition, at: int, part: Part, chunk: Chunk, row: int, found: _Read) -> None:
        """Note the kinds of further readings of a sentence on which the answer of a part hangs.

        Instances of a group mean the same but for their words, so that further readings by trees of the same
        constructors are tried in one of them.
        """
        group = int(chunk.groups.parts[at][row])
        member = Member(_one(chunk, row), self.decisions.grouping.members[at][group].readings)
        pair = part.pair
        beside = (pair.hypothesis if condition.name == pair.premise else pair.premise) if pair else None
        name = pair.condition if pair else condition.name
        others = sorted(found.others, key=lambda each: each.kind != STOPS)
        for other in others[: None if self.most is None else MOST_OTHERS]:
            if (other.kind, name) in self._hanging_on or self._spent(other.kind):
                continue
            if other.kind != STOPS and not self.counts:
                continue
            key = condition.name, at, group, other.kind, *re.findall(r"[A-Z]\w*", other.term)
            if key in self._tried:
                continue
            self._tried.add(key)
            if self._is_as_labelled(condition, member, other):
                self.tries[other.kind] += 1
                continue
            labelled = self._labelled(part, at, group)
            got = self._with(part, member, {condition.name: other}, other.kind)
            if got in ("", labelled):
                continue
            alike = self._sentence(beside, chunk, row).others if beside and beside != condition.name else ()
            near = sorted(alike, key=lambda each: -_likeness(other.term, each.term))
            tried = ({condition.name: other, str(beside): each} for each in near)
            if any(self._with(part, member, each, other.kind) == labelled for each in tried):
                continue
            if self._spent(other.kind):
                continue
            self._hanging_on.add((other.kind, name))
            if other.kind == STOPS:
                names = part.conditions if pair else (condition.name,)
                texts = (self.plan.realiser.sentence(self.plan.paradigm.conditions[n], member.draws) for n in names)
                labels = (f"{labelled}: ", f"{got}: ") if pair else ("as it is meant: ", "another reading: ")
                self._hangs.setdefault(name, (" => ".join(texts), *_both(found, other, labels)))

    def _labelled(self, part: Part, at: int, group: int) -> str:
        """The answer of a part to a group; what models show of it is tried first with further readings."""
        answer = self.decisions.answer(at, group)
        if isinstance(answer, PairLabels):
            self.plan.decider.try_first(answer.gold)
        return self._outcome(part, answer)

    def _spent(self, kind: str) -> bool:
        """Whether a build has tried as many readings as it does: of those that stop it so many, of others what is left,
        so that what is found does not depend on whether others are counted."""
        tried = self.tries[STOPS] if kind == STOPS else self.tries.total()
        return self.most is not None and tried >= MOST_TRIES

    def _with(self, part: Part, member: Member, others: dict[str, Understood], kind: str) -> str:
        """The answer with further readings in the place of those of some sentences (of a sentence whose readings are
        asked for: beside them); empty where the theory gives none. ``kind``: that of the reading that is tried."""
        self.tries[kind] += 1
        readings = dict(member.readings)
        for name, other in others.items():
            condition = self.plan.paradigm.conditions[name]
            another = structs.replace(other.reading, id=condition.reading or "another")
            asked = self.task.form.claims == "readings" and condition.role == "said" and condition.reading is None
            readings[name] = (*readings[name], another) if asked else (another,)
        try:
            answer = self.task.answer(self.plan, part, Member(member.draws, readings), Findings())
        except ValueError:  # the theory has no operator of this name
            return ""
        return "" if answer is None else self._outcome(part, answer)

    def _outcome(self, part: Part, answer: object) -> str:
        return "; ".join(
            each.words if part.pair else f"{each.part} {each.words}" for each in self.task.outcomes(part, answer)
        )


@lru_cache(maxsize=1 << 10)  # readings of a tree have one term, and are tried in each pair of a sentence
def _likeness(one: str, other: str) -> float:
    """How much two terms have in common, from 0 to 1."""
    return SequenceMatcher(None, one, other, False).ratio()


def _blank(_: Formula) -> Formula:
    return TRUE


def _one(chunk: Chunk, row: int) -> Draws:
    return chunk.draws.take(np.array([row]))


def _is_short(text: str, language: Language) -> bool:
    """Whether a text has so few tokens that it is read in a build, and no more words, which are counted sooner: a dash
    that stands alone is a word here and no token."""
    return len(text.split()) <= MOST_TOKENS and len(language.tokens(text)) <= MOST_TOKENS


def _not_read(name: str, found: _Read, lacking: Formula) -> Reason:
    read = found.read
    got = [f"read: {each.formula}" for each in islice(read.readings, 2)] or [f"{read.trees:,} trees were found"]
    help = '`gramprobe parse` shows what the grammar makes of it; or write `allow reading because "..."`'
    if read.unknown:  # words that `+` has made of two
        words = listed([f"`{word}`" for word in read.unknown], 3)
        got = [f"no table of words and no `lin` has {words}"]
        help = (
            f"`+` joins marks and endings such as 's to a word, and no other letters: write {words} out in a column of "
            'the table of words; or `allow reading because "..."`'
        )
    return Reason(
        f"the sentence of `{name}` is not read as it is meant",
        (read.text, f"meant: {show(lacking)}", f"as {found.term}", *got),
        help,
    )


def _both(found: _Read, other: Understood, labels: tuple[str, str]) -> Iterator[str]:
    """The readings of a tree and a reading of another tree, each with its tree."""
    for before, formulas, tree in zip(
        labels, (" or ".join(map(show, found.own)), other.formula), (found.term, other.term), strict=True
    ):
        yield before + formulas
        yield f"as {tree}"
