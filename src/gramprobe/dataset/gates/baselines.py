"""What readers that do not reason reach on the rows of a paradigm.

The class by which a reader knows a drawn word is all of it on which a label can depend: the axioms about it, and the
features that meanings look at (`know` and `remember` have one class, `think` another).

The gate `solvable` compares them with what the paradigm declares. A reader exceeds a number if the lower end of its
95 % interval, by instance, lies above it. Exceeding a declared number is an error; exceeding the majority where nothing
is declared, a warning. Where a line declares no number, that of a reader holds who knows the conditions and the levels
of factors and sees no word (:func:`by_design`). Nothing is compared in a build of the paper's design, since
declarations are about all pairs; nor in one of a few instances, since two that happen to be alike have no spread, and
so an interval without width.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from gramprobe.baselines.constituents import NAME as CONSTITUENT
from gramprobe.baselines.constituents import Constituents
from gramprobe.baselines.matches import MATCHES, Coded
from gramprobe.baselines.readers import READERS, TABLES, Drawn, Text, Token, Tokens, coded_text, skeleton, words_of
from gramprobe.baselines.table import Accuracy, cross_validated, keys
from gramprobe.dataset.describe import tree
from gramprobe.items.decisions import Decisions
from gramprobe.items.groups import numbered
from gramprobe.items.label import PairLabels
from gramprobe.items.limits import levels_drawn
from gramprobe.items.plan import Plan
from gramprobe.items.rows import Chunk
from gramprobe.meaning.columns import ConsultedByMeaning
from gramprobe.records import in_headline
from gramprobe.resolve.paradigm.data import Condition, Pair, Paradigm, Solvable
from gramprobe.resolve.tree import Apply, Composite, Given, Slot, Tree, slots
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.space.space import Draws
from gramprobe.words.variants import drawn_category

Numbers = NDArray[np.int64]

SIDES = {"premise": (0,), "hypothesis": (1,), "closed_class": (1,)}
"""The sentences of a pair that a reader reads; others read both."""
ROUNDING = 5e-4
"""An accuracy is declared and printed in thousandths: 2/3 is not above a declared 0.667."""


TEXTS = "texts"
Pattern = tuple[Tokens, tuple[Slot | None, ...]]
"""The tokens of texts, and the slots of the drawn ones; None for a drawn phrase, which has no class."""


@dataclass
class _View:
    """Sentences as they are seen in one way.

    Attributes:
        known: each different text -> its number.
        of: condition -> (instances,) the numbers of its texts.
    """

    known: dict[Text, int] = field(default_factory=dict)
    of: dict[str, Numbers] = field(default_factory=dict)


@dataclass
class Views:
    """The keys of the rows of one paradigm. A key is a number, equal for rows that look the same to the reader."""

    decisions: Decisions
    draws: Draws
    _views: dict[str, _View] = field(default_factory=lambda: defaultdict(_View))
    _coupled: dict[tuple[tuple[str, str], ...], tuple[Numbers, list[tuple[Coded, Coded]]]] = field(default_factory=dict)
    _skeletons: Numbers = field(default_factory=lambda: np.zeros(0, np.int64))  # of the texts
    _known: dict[tuple[str, ...], int] = field(default_factory=dict)  # skeletons
    _asked: dict[str, dict[str, list[str | None]]] = field(default_factory=dict)  # of each condition
    _patterns: dict[str, Pattern] = field(default_factory=dict)  # the nodes of each condition's tree
    _seen: dict[tuple[Slot, str, tuple[str | None, ...]], tuple[Numbers, list[int]]] = field(default_factory=dict)
    _kinds_known: dict[Hashable, int] = field(default_factory=dict)

    def levels(self, reader: str, pairs: Sequence[Pair]) -> list[Numbers]:
        """(instances * pairs,) keys of the rows of some pairs for a reader, from fine to coarse; the rows of an
        instance stand together.

        The keys of `TABLES` are those of the texts; of the trees, in which a drawn phrase is a single unknown; of the
        trees whose words are known by their features alone; and of the trees whose words are unknown. Other readers
        have one level.
        """
        if reader == "closed_class":
            return [_in_rows(self.skeletons(pair.hypothesis) for pair in pairs)]
        if reader not in TABLES:
            return [self._matching(reader, pairs)]
        both = {"premise": [pair.premise for pair in pairs], "hypothesis": [pair.hypothesis for pair in pairs]}
        sides = [names for side, names in both.items() if reader in (side, "verbs")]
        views: list[tuple[_View, Callable[[str], Numbers]]] = [(self._views[TEXTS], self.texts)]
        views += [(self._views[seen], partial(self.trees, seen=seen)) for seen in ("class", "features", "nothing")]
        found = []
        for view, of in views:
            rows = [_in_rows(of(name) for name in names) for names in sides]
            found.append(keys(rows, list(view.known)))
        return found

    def skeletons(self, name: str) -> Numbers:
        """(instances,) numbers of the skeletons of a condition, alike for all conditions."""
        numbers, known = self.texts(name), self._views[TEXTS].known
        if len(self._skeletons) < len(known):
            of = cache(partial(skeleton, language=self.decisions.plan.grammar.language))
            more = (of(tokens) for tokens, _ in islice(known, len(self._skeletons), None))
            added = [self._known.setdefault(each, len(self._known)) for each in more]
            self._skeletons = np.append(self._skeletons, added)
        return self._skeletons[numbers]

    def count_skeletons(self) -> int:
        """How many different pairs of skeletons the rows have."""
        pairs = self.decisions.plan.paradigm.pairs
        both = [pair.premise for pair in pairs], [pair.hypothesis for pair in pairs]
        left, right = (np.concatenate([self.skeletons(name) for name in names]) for names in both)
        return len(np.unique(left * (int(right.max(initial=0)) + 1) + right))

    def _matching(self, reader: str, pairs: Sequence[Pair]) -> Numbers:
        """(instances * pairs,) 1 where the match of a reader holds of the rows of some pairs, else 0. A constituent is
        a run of words, and a part of the tree."""
        code, couples = self._couples(tuple((pair.premise, pair.hypothesis) for pair in pairs))
        match = MATCHES["subsequence" if reader == CONSTITUENT else reader]
        holds = np.array([match.holds(*both) for both in couples], np.int64)[code]
        if reader == CONSTITUENT:
            holds *= [bool(self._constituents.inside(pair.premise, pair.hypothesis)) for pair in pairs]
        return holds.reshape(-1)

    def _couples(self, names: tuple[tuple[str, str], ...]) -> tuple[Numbers, list[tuple[Coded, Coded]]]:
        """(instances, pairs) the number of each row's two texts, and by number these; the same for all readers of
        matches. ``names``: the conditions of each pair."""
        if names not in self._coupled:
            left, right = (np.stack([self.texts(name) for name in side], axis=1) for side in zip(*names, strict=True))
            language, known = self.decisions.plan.grammar.language, dict[Hashable, str]()
            coded = [coded_text(text, language, known) for text in self._views[TEXTS].known]
            size = len(coded)
            couples, code = np.unique(left * size + right, return_inverse=True)
            both = (divmod(couple, size) for couple in couples.tolist())
            self._coupled[names] = code.reshape(left.shape), [(coded[one], coded[other]) for one, other in both]
        return self._coupled[names]

    @cached_property
    def _constituents(self) -> Constituents:
        return Constituents({name: tree(each.tree) for name, each in self.decisions.plan.paradigm.conditions.items()})

    def texts(self, name: str) -> Numbers:
        """(instances,) numbers of the texts of a condition as readers see them."""
        view = self._views[TEXTS]
        if name not in view.of:
            view.of[name] = self._read(self._condition(name), view)
        return view.of[name]

    def _read(self, condition: Condition, view: _View) -> Numbers:
        worded = self.decisions.plan.realiser.worded(condition)
        variant = worded.variants.of(self.draws)
        patterns: dict[Pattern, int] = {}
        pattern = np.zeros(len(worded.segments), np.int64)
        for number in np.flatnonzero(np.bincount(variant)).tolist():
            tokens, slots = list[Token](), list[Slot | None]()
            for segment in worded.segments[number]:
                tokens += self._words(segment.before)
                if segment.form is not None:
                    tokens.append(Drawn(segment.form.slot.path, segment.form.form))
                    slots.append(segment.form.slot)
                tokens += self._words(segment.after)
            pattern[number] = patterns.setdefault((tuple(tokens), tuple(slots)), len(patterns))
        drawn = dict.fromkeys(slot for _, slots in patterns for slot in slots if slot)
        kinds = {slot: self._kinds(slot, condition.name) for slot in drawn}
        return self._filled(view, pattern[variant], list(patterns), kinds)

    @cached_property
    def _words(self) -> Callable[[str], list[str]]:
        """The words of a text of the grammar."""
        return cache(partial(words_of, language=self.decisions.plan.grammar.language))

    def trees(self, name: str, seen: str) -> Numbers:
        """(instances,) numbers of the trees of a condition as readers see them: their nodes from left to right.

        ``seen``: what is seen of a drawn word: its `class`, its `features`, or `nothing`.
        """
        view = self._views[seen]
        if name not in view.of:
            if name not in self._patterns:
                self._patterns[name] = _pattern(self._condition(name).tree)
            pattern = self._patterns[name]
            kinds = {slot: self._kinds(slot, name, seen) for slot in dict.fromkeys(pattern[1]) if slot}
            view.of[name] = self._filled(view, np.zeros(len(self.draws), np.int64), [pattern], kinds)
        return view.of[name]

    def _filled(
        self,
        view: _View,
        pattern: Numbers,
        patterns: Sequence[Pattern],
        kinds: Mapping[Slot, tuple[Numbers, list[int]]],
    ) -> Numbers:
        """(instances,) numbers of the texts that come of patterns when their slots are filled.

        ``pattern``: (instances,) which of the ``patterns`` each has; ``kinds``: of each slot what `_kinds` gives.
        """
        codes: dict[Slot, Numbers] = {}
        for slot, (of_member, _) in kinds.items():
            codes[slot] = of_member[self.draws.columns[slot.name]]
            if len(patterns) > 1:  # a slot that is not there may hold anything
                codes[slot] *= np.array([slot in own for _, own in patterns])[pattern]
        whole, first = numbered([pattern, *codes.values()], len(self.draws))
        table = []
        for row in first.tolist():
            tokens, own = patterns[pattern[row]]
            seen = tuple([None if slot is None else kinds[slot][1][codes[slot][row]] for slot in own])
            table.append(view.known.setdefault(Text(tokens, seen), len(view.known)))
        return np.array(table, np.int64)[whole]

    def _consulted(self, name: str) -> dict[str, list[str | None]]:
        """Of the tree of a condition: path of a slot -> the columns that meanings look at, over all boxes."""
        if name in self._asked:
            return self._asked[name]
        plan, tree = self.decisions.plan, self._condition(name).tree
        consulted, columns = ConsultedByMeaning(plan.grammar), dict[str, dict[str | None, None]]()
        seen: set[str] = set()
        every = {id(whole): whole for box in plan.space.boxes for whole in [plan.space.tree(tree, box)]}
        for whole in every.values():
            if (form := blanked(whole)) in seen:
                continue
            seen.add(form)
            for slot, column in consulted(whole):
                columns.setdefault(slot.path, {})[column] = None
        self._asked[name] = {path: list(each) for path, each in columns.items()}
        return self._asked[name]

    def _kinds(self, slot: Slot, name: str, seen: str = "class") -> tuple[Numbers, list[int]]:
        """(members,) the number of what is seen of each member of a slot's category in a condition, and for each number
        what stands for it, the same for all slots of a category."""
        plan, consulted = self.decisions.plan, tuple(self._consulted(name).get(slot.path, ()))
        key = slot, seen, consulted if seen != "nothing" else ()
        if key in self._seen:
            return self._seen[key]
        drawn = drawn_category(plan.space, slot)
        columns: list[tuple[Numbers, list[Hashable]]] = []
        if drawn in plan.grammar.features:
            members = len(plan.grammar.features[drawn].values)
        else:
            members = len(plan.grammar.categories[drawn].lexemes)
            if seen == "class":
                axioms = self.decisions.grouping.words.kinds(slot)
                columns.append((axioms, list(range(int(axioms.max(initial=0)) + 1))))
        for column in key[-1]:
            codes, cells = plan.space.codes(slot, column, plan.grammar)
            columns.append((codes, list(cells)))
        code, first = numbered([codes for codes, _ in columns], members)
        known = self._kinds_known
        seen_of = (tuple(cells[int(codes[row])] for codes, cells in columns) for row in first.tolist())
        self._seen[key] = code, [known.setdefault((slot.category, each), len(known)) for each in seen_of]
        return self._seen[key]

    def _condition(self, name: str) -> Condition:
        return self.decisions.plan.paradigm.conditions[name]


def _in_rows(columns: Iterable[Numbers]) -> Numbers:
    """(instances * pairs,) numbers from (instances,) those of each pair."""
    return np.stack([*columns], axis=1).reshape(-1)


def blanked(tree: Tree) -> str:
    """A tree with its draws blanked: constructors, words that the author wrote out, and the categories of draws."""
    if isinstance(tree, Apply):
        return f"{tree.constructor.name}({', '.join(blanked(a) for a in tree.arguments)})"
    return tree.value if isinstance(tree, Given) else f"_{tree.category}"


def _pattern(tree: Tree) -> Pattern:
    """The nodes of a tree from left to right as tokens, and the slots of the drawn ones."""
    nodes = list(_written(tree))
    slots = (each if isinstance(each, Slot) else None for each in nodes if isinstance(each, Slot | Composite))
    return tuple(map(_token, nodes)), tuple(slots)


def _written(tree: Tree) -> Iterator[Tree]:
    """The nodes of a tree from left to right: of a definition its name and arguments and not what it stands for, which
    has the arguments once more: how often a draw stands there would show that it is below a definition."""
    yield tree
    if isinstance(tree, Apply):
        for argument in tree.arguments[: len(tree.constructor.declared)]:
            yield from _written(argument)
    elif isinstance(tree, Composite):
        for _, made in tree.ways:
            yield from _written(made)


def _token(node: Tree) -> Token:
    match node:
        case Apply():
            return node.constructor.name
        case Given():
            return node.value
        case Slot():
            return Drawn(node.path, node.category)
        case Composite():
            return Drawn(node.name, node.category)


@dataclass(frozen=True, slots=True)
class Measured:
    """Accuracies: always the commonest label, and each reader by name; what each would reach who knows the conditions
    and levels of the sentences that it reads and no word of them (`design`); a reader of hypotheses who knows their
    trees and levels (`kinds`); and how many different pairs of skeletons the rows have."""

    majority: float
    readers: dict[str, Accuracy]
    design: dict[str, float]
    kinds: float
    skeletons: int

    def limit(self, line: Solvable) -> float:
        """What a reader may reach by a declaration."""
        return self.design[line.reader] if line.accuracy is None else line.accuracy

    def above(self, reader: str, limit: float) -> bool:
        """Whether the lower end of a reader's interval lies above a limit."""
        return self.readers[reader].low > limit + ROUNDING


def counted(paradigm: Paradigm) -> list[int]:
    """The numbers of the pairs that count in headline scores: those with a gold label, and no tag against it."""
    return [at for at, pair in enumerate(paradigm.pairs) if not pair.graded and in_headline(pair.tag)]


def labels_of(decisions: Decisions, chunk: Chunk) -> Numbers:
    """(instances, pairs) numbers of labels, of the pairs that count in headline scores."""
    columns = []
    for at in counted(decisions.plan.paradigm):
        groups = chunk.groups.parts[at]
        table = np.zeros(int(groups.max(initial=-1)) + 1, np.int64)
        for group in np.unique(groups).tolist():
            answer = decisions.answer(at, group)
            assert isinstance(answer, PairLabels)
            table[group] = answer.code
        columns.append(table[groups])
    return np.stack(columns, axis=1)


def measure(decisions: Decisions, chunk: Chunk, names: Iterable[str] = READERS) -> Measured:
    """The accuracies of readers on the rows of some instances that count in headline scores; rows that an instance
    does not give are left out."""
    labels = labels_of(decisions, chunk)
    own = counted(decisions.plan.paradigm)
    count, pairs = labels.shape
    given = np.ones((count, pairs), np.bool_) if chunk.kept is None else chunk.kept[:, own]
    rows = np.flatnonzero(given.reshape(-1))
    flat = labels.reshape(-1)[rows]
    instances = rows // pairs
    views = Views(decisions, chunk.draws)
    readers, design, told = {}, dict[str, float](), dict[tuple[int, ...], float]()
    for reader in names:
        levels = [level[rows] for level in views.levels(reader, [decisions.plan.paradigm.pairs[at] for at in own])]
        readers[reader] = Accuracy.of(cross_validated(levels, flat, instances), instances)
        sides = SIDES.get(reader, (0, 1))
        if sides not in told:
            by = by_design(decisions.plan, chunk.draws, sides, own).reshape(-1)[rows]
            told[sides] = Accuracy.of(cross_validated([by], flat, instances), instances).accuracy
        design[reader] = told[sides]
    by = by_design(decisions.plan, chunk.draws, (1,), own, named=False).reshape(-1)[rows]
    kinds = Accuracy.of(cross_validated([by], flat, instances), instances).accuracy
    return Measured(float(np.bincount(flat).max() / len(flat)), readers, design, kinds, views.count_skeletons())


def by_design(plan: Plan, draws: Draws, sides: Sequence[int], pairs: Sequence[int], named: bool = True) -> Numbers:
    """(instances, pairs) numbers of the conditions of the sentences that a reader reads, with the levels of the factors
    that are drawn in them; if not ``named``, of their trees with draws blanked and the levels of all factors.

    ``sides``: whether it reads premises, 0, hypotheses, 1, or both."""
    paradigm = plan.paradigm
    drawn = {f.draw: levels_drawn(plan, draws, f) for f in paradigm.factors if f.of != "condition" and f.levels}
    known: dict[tuple[str, ...], int] = {}
    columns = []
    for at in pairs:
        both = paradigm.pairs[at].premise, paradigm.pairs[at].hypothesis
        read = tuple(both[side] for side in sides)
        levels = []
        if drawn:
            there = {slot.path.partition(".")[0] for name in read for slot in slots(paradigm.conditions[name].tree)}
            levels = [values for draw, values in drawn.items() if draw in there]
        if not named:
            within = [factor for factor in paradigm.factors if factor.of == "condition"]
            trees = [blanked(paradigm.conditions[name].tree) for name in read]
            # who reads a sentence knows its level, whichever side of a pair has the levels of the factor
            read = (*trees, *(factor.level(name) for factor in within for name in read))
        if levels:
            columns.append([known.setdefault((*read, *row), len(known)) for row in zip(*levels, strict=True)])
        else:
            columns.append([known.setdefault(read, len(known))] * len(draws))
    return np.array(columns, np.int64).T


def solvable(paradigm: Paradigm, measured: Measured, findings: Findings) -> None:
    """Report readers that exceed what is declared, and readers above the majority that are not declared."""
    if paradigm.swapped and paradigm.balanced_at is None:  # declarations are about all pairs
        return
    declared = {line.reader: line for line in paradigm.solvable}
    undeclared: list[tuple[str, str, float, bool]] = []
    for reader, reached in measured.readers.items():
        line, about = declared.get(reader), READERS[reader]
        if line is None:
            if measured.above(reader, measured.majority):
                undeclared.append(
                    (reader, about, reached.accuracy, not measured.above(reader, measured.design[reader]))
                )
        elif measured.above(reader, max(limit := measured.limit(line), measured.majority)):
            design = limit if line.accuracy is None else None
            findings.add(messages.build.solved(line.span, reader, about, reached.accuracy, reached.low, limit, design))
    if undeclared:
        balanced = paradigm.balanced_at is not None
        findings.add(messages.build.solvable(paradigm.span, paradigm.name, measured.majority, undeclared, balanced))
