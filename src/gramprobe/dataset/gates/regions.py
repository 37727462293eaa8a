"""The regions of sentences: each stands once, and those that a paradigm compares can be compared.

`same words in verb, after_verb` says that a model's surprisal, or a person's reading time, is compared in these
regions: they then have the same words in every sentence of an instance that has them. The first of them, the critical
one, is never the last of its sentence, where readers also take in the sentence as a whole (*wrap-up*: Just & Carpenter
1980).
"""

from __future__ import annotations

from collections.abc import Iterator

from gramprobe.dataset.gates.sentences import Reason, Sentences
from gramprobe.items.tasks import task_of
from gramprobe.resolve.paradigm.data import SameWords
from gramprobe.words.arrow import values
from gramprobe.words.regions import Region, interrupted, regions_of

SHOWN = 3


def check(sentences: Sentences) -> list[Reason]:
    """Read every different sentence once, and compare those of each instance."""
    decisions, draws = sentences.decisions, sentences.chunk.draws
    paradigm, realiser = decisions.plan.paradigm, decisions.plan.realiser
    cut: list[tuple[list[tuple[Region, ...]], list[int]]] = []  # of each condition: its sentences, and whose are which
    heading = task_of(paradigm).form.headings[0].name
    for name in (name for name in sentences.codes if paradigm.conditions[name].side == heading):
        encoded = realiser.cut(paradigm.conditions[name], draws, paradigm.regions).dictionary_encode()
        cut.append((list(map(regions_of, encoded.dictionary.to_pylist())), values(encoded.indices).tolist()))
    reasons = list(_interrupted(dict.fromkeys(regions for distinct, _ in cut for regions in distinct)))
    if not paradigm.same_words:
        return reasons
    instances = list(zip(*([distinct[code] for code in codes] for distinct, codes in cut), strict=True))
    for same in paradigm.same_words:
        reasons += [*_differing(same, instances), *_last(same, instances)]
    return reasons


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
