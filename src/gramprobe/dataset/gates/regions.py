"""The regions of sentences: each stands once, and those that a paradigm compares can be compared.

`same words in verb, after_verb` says that a model's surprisal, or a person's reading time, is compared in these
regions: they then have the same words in every sentence of an instance that has them. The first of them, the critical
one, is never the last of its sentence, where readers also take in the sentence as a whole (*wrap-up*: Just & Carpenter
1980).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator

import numpy as np

from gramprobe.dataset.gates.sentences import Reason, Sentences
from gramprobe.dataset.manifest import RegionSize
from gramprobe.items.tasks import task_of
from gramprobe.resolve.grammar.data import NUMBERS, Grammar
from gramprobe.resolve.paradigm.data import SameWords
from gramprobe.resolve.paradigm.regions import START
from gramprobe.words.arrow import values
from gramprobe.words.regions import Region, interrupted, regions_of

SHOWN = 3


def check(sentences: Sentences) -> list[Reason]:
    """Read every different sentence once, and compare those of each instance."""
    paradigm, cut = sentences.decisions.plan.paradigm, _cut(sentences)
    reasons = list(_interrupted(dict.fromkeys(regions for distinct, _ in cut.values() for regions in distinct)))
    if not paradigm.same_words:
        return reasons
    instances = list(zip(*([distinct[code] for code in codes] for distinct, codes in cut.values()), strict=True))
    for same in paradigm.same_words:
        reasons += [*_differing(same, instances), *_last(same, instances)]
    return reasons


def sizes(sentences: Sentences) -> list[RegionSize]:
    """How long each region is in each condition, and the means of the numbers that the lexicon has of the drawn words
    in it: a difference of times or surprisals may be one of length or frequency. Empty where no region has a name."""
    plan = sentences.decisions.plan
    numbers = _numbers_of(plan.grammar, {slot.category for slot in plan.space.slots.values() if not slot.is_feature})
    found = []
    for condition, (distinct, codes) in _cut(sentences).items():
        counts = np.bincount(codes, minlength=len(distinct)).tolist()
        texts: dict[str, Counter[str]] = {}
        for regions, count in zip(distinct, counts, strict=True):
            for region in regions:
                texts.setdefault(region.name, Counter())[region.text] += count
        for name, own in texts.items():
            columns: dict[str, list[float]] = {}  # column -> the sum of its values, and how many
            for text, count in own.items():
                for column, value in _numbers_in(text, numbers, plan.grammar):
                    total = columns.setdefault(column, [0.0, 0.0])
                    total[0] += count * value
                    total[1] += count
            found.append(
                RegionSize(
                    region=name,
                    condition=condition,
                    sentences=own.total(),
                    words=_mean(own, lambda text: len(text.split())),
                    characters=_mean(own, len),
                    columns={column: round(total / count, 4) for column, (total, count) in sorted(columns.items())},
                )
            )
    return found if any(size.region != START for size in found) else []


def _mean(texts: Counter[str], size: Callable[[str], int]) -> float:
    return round(sum(count * size(text) for text, count in texts.items()) / texts.total(), 4)


#: a form of a word -> a column of numbers -> its value
Numbers = dict[tuple[str, ...], dict[str, float]]


def _numbers_of(grammar: Grammar, categories: Collection[str]) -> Numbers:
    """The columns of numbers of the words of some categories, by form."""
    found: Numbers = {}
    for category in (grammar.categories[name] for name in sorted(categories)):
        names = [name for name, column in category.columns.items() if column.type in NUMBERS]
        for lexeme in category.lexemes if names else ():
            own = {name: float(str(lexeme.columns[name])) for name in names if str(lexeme.columns[name])}
            for form in lexeme.forms.values():
                found.setdefault(tuple(grammar.language.tokens(form)), {}).update(own)
    return found


def _numbers_in(text: str, numbers: Numbers, grammar: Grammar) -> Iterator[tuple[str, float]]:
    """The numbers of the words that stand in a region, the longest form at each place."""
    words = grammar.language.tokens(text)
    longest, at = max(map(len, numbers), default=0), 0
    while at < len(words):
        ends = range(min(at + longest, len(words)), at, -1)
        end = next((end for end in ends if tuple(words[at:end]) in numbers), at)
        yield from numbers[tuple(words[at:end])].items() if end > at else ()
        at = max(end, at + 1)


def _cut(sentences: Sentences) -> dict[str, tuple[list[tuple[Region, ...]], list[int]]]:
    """Condition -> its different sentences with their regions, and (instances,) which of them each instance has."""
    paradigm, realiser = sentences.decisions.plan.paradigm, sentences.decisions.plan.realiser
    heading = task_of(paradigm).form.headings[0].name
    cut = {}
    for condition in (each for each in sentences.conditions if each.side == heading):
        encoded = realiser.cut(condition, sentences.chunk.draws, paradigm.regions).dictionary_encode()
        cut[condition.name] = (list(map(regions_of, encoded.dictionary.to_pylist())), values(encoded.indices).tolist())
    return cut


def _interrupted(sentences: dict[tuple[Region, ...], None]) -> Iterator[Reason]:
    """A reason for each name that two regions of a sentence have."""
    found: dict[str, list[str]] = {}
    for regions in sentences:
        if name := interrupted(regions):
            found.setdefault(name, []).append(_shown(regions))
    for name, examples in found.items():
        yield Reason(
            f"the region `{name}` stands twice in a sentence, with other words between",
            tuple(examples[:SHOWN]),
            "mark another region behind the words between (`|rest`), or give one of the two another name",
        )


def _differing(same: SameWords, instances: list[tuple[tuple[Region, ...], ...]]) -> Iterator[Reason]:
    """A reason for each region whose words differ between two sentences of an instance, or that no sentence has."""
    for name in same.regions:
        counted, pairs = 0, list[tuple[str, str]]()
        present = False
        for sentences in instances:
            with_it = {text: each for each in sentences if (text := _text(each, name))}
            present = present or bool(with_it)
            if len(with_it) > 1:
                counted += 1
                one, other, *_ = with_it.values()
                pairs.append((_shown(one), _shown(other)))
        if not present:
            yield Reason(f"no sentence has a region `{name}`", (), "take the name out of the line `same words in`")
        if counted:
            yield Reason(
                f"the words of the region `{name}` differ within {counted:,} of {len(instances):,} instances",
                tuple(text for pair in pairs[:1] for text in pair),
                "where words differ, times and surprisals cannot be compared: draw the same words in each condition, "
                f"let the region be smaller, or take `{name}` out of the line `same words in`",
            )


def _last(same: SameWords, instances: list[tuple[tuple[Region, ...], ...]]) -> Iterator[Reason]:
    """A reason if the critical region ends a sentence."""
    critical = same.regions[0]
    ends = {regions: None for each in instances for regions in each if regions and regions[-1].name == critical}
    if ends:
        yield Reason(
            f"the critical region `{critical}` is the last of its sentence",
            tuple(map(_shown, list(ends)[:SHOWN])),
            "let words follow it: at the end of a sentence readers also take in the whole of it",
        )


def _text(regions: tuple[Region, ...], name: str) -> str:
    return next((region.text for region in regions if region.name == name), "")


def _shown(regions: tuple[Region, ...]) -> str:
    """A sentence with its regions: `[start The boy] [verb slept.]`."""
    return " ".join(f"[{region.name} {region.text}]" for region in regions)
