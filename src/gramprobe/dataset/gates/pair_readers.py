"""What readers of words reach on minimal pairs, and whether a paradigm declares it.

Half is chance. A paradigm on which a reader reaches more has to say so, with the reason: `solvable by bigram 1 because
"the verb stands behind its subject"`. Where sentences are crossed, words stand equally often in good and bad ones, and
the difference of differences is what counts; the readers still say what the pairs alone are worth.
"""

from __future__ import annotations

from gramprobe.baselines.pairs import reached
from gramprobe.baselines.readers import PAIR_READERS
from gramprobe.baselines.table import Accuracy
from gramprobe.dataset.gates.baselines import ROUNDING
from gramprobe.items.pair_facts import CELL, pairs_of, tag_of
from gramprobe.items.plan import Plan
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.space.space import Draws

CHANCE = 0.5


def measure(plan: Plan, draws: Draws) -> dict[str, Accuracy]:
    """What each reader reaches on some instances."""
    every = [pair for pair in pairs_of(plan.paradigm) if tag_of(plan.paradigm, *pair) != CELL]
    conditions = {each.name: each for pair in every for each in pair}
    texts = {name: plan.realiser.sentences(each, draws).to_pylist() for name, each in conditions.items()}
    rows = [(good.name, bad.name) for good, bad in every]
    pairs = [[(texts[good][at], texts[bad][at]) for good, bad in rows] for at in range(len(draws))]
    return {reader: reached(reader, pairs) for reader in PAIR_READERS}


def solvable(plan: Plan, found: dict[str, Accuracy], findings: Findings) -> None:
    """Report readers that exceed what is declared, and those above chance that are not declared."""
    paradigm = plan.paradigm
    declared = {line.reader: line for line in paradigm.solvable}
    undeclared: list[tuple[str, str, float, bool]] = []
    for reader, own in found.items():
        line, about = declared.get(reader), PAIR_READERS[reader]
        limit = CHANCE if line is None else max(CHANCE, 1.0 if line.accuracy is None else line.accuracy)
        if own.low <= limit + ROUNDING:
            continue
        if line is None:
            undeclared.append((reader, about, own.accuracy, False))
        else:
            findings.add(messages.build.solved(line.span, reader, about, own.accuracy, own.low, limit, None, "pairs"))
    if undeclared:
        findings.add(messages.build.solvable_pairs(paradigm.span, paradigm.name, undeclared))
