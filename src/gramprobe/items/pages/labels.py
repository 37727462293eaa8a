"""Pages of `explain` about tasks with labels: the matrix of a paradigm, and one item with its sentences, trees,
formulas and label, and the models and proofs behind it in words and pictures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from textwrap import wrap

from msgspec import to_builtins

from gramprobe.certify.rule import LABELS
from gramprobe.explain.decision import WIDTH, Explained, pair
from gramprobe.explain.picture import sheet
from gramprobe.formula.notation import show
from gramprobe.items.decisions import Decisions
from gramprobe.items.label import PairLabels, gold_reading, meant
from gramprobe.items.pages.tables import Shown, label_tables, reading_lines, side_by_side
from gramprobe.items.pages.trees import drawn_tree, filled_tree, first_lines, known_draws, nested
from gramprobe.items.plan import Plan
from gramprobe.items.slots import filled, scales_at
from gramprobe.items.stream import Stream
from gramprobe.items.task import Task
from gramprobe.meaning.columns import ConsultedByMeaning
from gramprobe.meaning.compose import readings
from gramprobe.meaning.reading import CLOSE, OPEN, Reading
from gramprobe.resolve.tree import node_of
from gramprobe.source.diagnostic import UsageError
from gramprobe.space.space import Draws
from gramprobe.telling.teller import Teller
from gramprobe.words.variants import Variants


def matrix(stream: Stream) -> Explained:
    """The page of a paradigm: a matrix of derived labels, premises down and hypotheses across, and one instance.

    Where instances differ in their label, the cell has every label that occurs. Raises AuthoringError.
    """
    chunk = stream.whole()
    lines = first_lines(stream)
    plan, draws = stream.plan, chunk.draws
    declared = plan.paradigm
    conditions = declared.conditions.values()
    sentences = {c.name: plan.realiser.sentence(c, draws) for c in conditions}
    answers = [list(known.values()) for known in stream.decisions.answers]
    derived = {(p.premise, p.hypothesis): _cell(a) for p, a in zip(declared.pairs, answers, strict=True)}
    premises = list(dict.fromkeys(p for p, _ in derived))
    hypotheses = list(dict.fromkeys(h for _, h in derived))
    width = max(len(p) for p in premises) + 2
    widest = max(len("contradiction"), *(len(d) for d in derived.values()))
    columns = [max(len(h), widest) + 2 for h in hypotheses]
    lines += [f"theory: {plan.theory.name}    instances: {plan.space.size:,}", ""]
    lines.append(" " * width + "".join(h.ljust(w) for h, w in zip(hypotheses, columns, strict=True)).rstrip())
    for premise in premises:
        cells = [derived.get((premise, h), ".") for h in hypotheses]
        lines.append(premise.ljust(width) + "".join(c.ljust(w) for c, w in zip(cells, columns, strict=True)).rstrip())
    lines += ["", f"one instance (`gramprobe sample {declared.full_name}` prints more):"]
    size = max(len(n) for n in sentences) + 2
    lines += [f"  {n.ljust(size)}{s}" for n, s in sentences.items()]
    lines += ["", "its formulas, with every reading (slots stand in their places):"]
    for condition in declared.conditions:
        for reading in _readings(plan, draws, condition):
            shown = show(reading.formula).replace(OPEN, "<").replace(CLOSE, ">")
            lines.append(f"  {condition.ljust(size)}{shown}" + (f"    [{reading.id}]" if reading.id else ""))
    first: list[PairLabels] = [a for a in stream.answers(chunk, 0) if isinstance(a, PairLabels)]
    tables, by_reading = _matrix_by_reading(plan, draws, first)
    lines += ["", "labels by reading, the premise's readings down:", *tables] if tables else []
    data = {
        "paradigm": declared.full_name,
        "about": declared.about,
        "matrix": [{"premise": p, "hypothesis": h, "label": d} for (p, h), d in derived.items()],
        "sentences": sentences,
        "space": plan.space.size,
        "readings": {n: to_builtins(shown_readings(plan, draws, n)) for n in sentences},
        "by_reading": by_reading,
    }
    return Explained("\n".join(lines), data)


def _matrix_by_reading(
    plan: Plan, draws: Draws, answers: Sequence[PairLabels]
) -> tuple[list[str], list[dict[str, str]]]:
    """The labels of each pair of readings in one instance, as lines of text and as data.

    The text has a table for each premise where it or one of its hypotheses has several readings: the premise's readings
    down, the hypotheses with their readings across.
    """
    lines: list[str] = []
    data: list[dict[str, str]] = []
    for premise in dict.fromkeys(a.pair.premise for a in answers):
        down = shown_readings(plan, draws, premise)
        cells: dict[str, list[str]] = {reading.id: [] for reading in down}
        heads: list[str] = []
        for labels in (a for a in answers if a.pair.premise == premise):
            across = shown_readings(plan, draws, labels.pair.hypothesis)
            gold = {(j.premise, j.hypothesis): j for j in labels.entries if j.column == labels.judged.column}
            for other in across:
                name = labels.pair.hypothesis
                heads.append(f"{name} [{other.id}]" if len(across) > 1 else name)
                for reading in down:
                    cells[reading.id].append(gold[reading.id, other.id].label)
            data += [{"pair": labels.pair.condition, **entry._asdict()} for entry in labels.entries]
        if len(down) > 1 or any("[" in head for head in heads):
            lines += [f"  {line}" for line in side_by_side(list(cells.items()), heads, premise)]
    return lines, data


def _cell(answers: Sequence[PairLabels]) -> str:
    return "|".join(name for name in LABELS if any(a.judged.label == name for a in answers))


def item(plan: Plan, task: Task, instance: str, condition: str | None) -> Explained:
    """One pair of an instance, or (without a condition) all of them.

    Raises UsageError for an instance or a condition that the paradigm does not have, AuthoringError where a pair has
    no label.
    """
    full_name = plan.paradigm.full_name
    draws = known_draws(plan, instance)
    known = [p.condition for p in plan.paradigm.pairs]
    if condition is not None and condition not in known:
        raise UsageError(f"`{condition}` is not a condition of {full_name}", f"there are: {', '.join(known)}")
    pages = [
        _one(plan, draws, labels, instance)
        for labels in Decisions.of_first(plan, task, draws, condition)
        if isinstance(labels, PairLabels)
    ]
    if condition is not None:
        return pages[0]
    figures = [figure for each in pages for figure in each.figures]
    return Explained(
        "\n\n".join(each.text for each in pages),
        {"items": [each.data for each in pages]},
        sheet(figures, f"{full_name}/{instance}"),
        figures,
        {name: tree for each in pages for name, tree in each.trees.items()},
    )


def _below(shown: Explained) -> list[str]:
    """The sentences below the pictures."""
    words = shown.data["told"]
    return [*words.get("events", ()), *words["conclusion"]]


def _one(plan: Plan, draws: Draws, labels: PairLabels, instance: str) -> Explained:
    full_name, premise, hypothesis = plan.paradigm.full_name, labels.pair.premise, labels.pair.hypothesis
    conditions = [plan.paradigm.conditions[n] for n in (premise, hypothesis)]
    sentences = [plan.realiser.sentence(c, draws) for c in conditions]
    forms = [show(labels.premise), show(labels.hypothesis)]
    trees = [filled_tree(plan, c, draws) for c in conditions]
    verdict = labels.verdict
    lines = [f"{full_name}/{instance}/{premise}-{hypothesis}", ""]
    lines += [f"premise     {sentences[0]}", f"hypothesis  {sentences[1]}", f"label       {labels.label or 'none'}", ""]
    lines += ["premise's formula     " + forms[0], "hypothesis' formula   " + forms[1]]
    if len(labels.judgements) > 1:
        lines.append("columns               " + ", ".join(f"{each.column} {each.label}" for each in labels.judgements))
    read = [shown_readings(plan, draws, name) for name in (premise, hypothesis)]
    table = _by_reading(read, labels)
    lines += ["", *table] if table else []
    lines += ["", "premise's tree", *drawn_tree(trees[0]), "", "hypothesis' tree", *drawn_tree(trees[1]), ""]
    shown = pair(labels.gold, labels.premise, labels.hypothesis, labels.gold.theory, labels.judged.label)
    lines.append(shown.text)
    told = _in_sentences(plan, draws, labels, sentences[0])
    lines += (
        ["in sentences:", *(f"  {part}" for line in told for part in wrap(line, WIDTH, subsequent_indent="   "))]
        if told
        else []
    )
    declared = [c.span for c in conditions]
    lines.append(f"premise declared at {declared[0]}, hypothesis at {declared[1]}")
    heading = f"{sentences[0]}  =>  {sentences[1]}  ({labels.judged.label})"
    entry = {
        "id": f"{full_name}/{instance}/{premise}-{hypothesis}",
        "premise": sentences[0],
        "hypothesis": sentences[1],
        "label": labels.label,
        "premise_form": forms[0],
        "hypothesis_form": forms[1],
        "h_values": verdict.h_values,
        "certificate": verdict.kind,
        "rests_on": labels.gold.rests_on_text,
        "shape": labels.gold.shape.id,
        "readings": to_builtins(dict(zip(("premise", "hypothesis"), read, strict=True))),
        "by_reading": [entry._asdict() for entry in labels.entries],
        **shown.data,
        "in_sentences": told,
        "trees": [nested(t) for t in trees],
        "declared": [str(span) for span in declared],
        "svg": sheet(shown.figures, heading, _below(shown), table),
    }
    names = f"{premise} => {hypothesis}"
    figures = [replace(each, title=f"{names}: {each.title}") for each in shown.figures]
    by_condition = dict(zip((premise, hypothesis), map(node_of, trees), strict=True))
    return Explained("\n".join(lines), entry, entry["svg"], figures, by_condition)


def _in_sentences(plan: Plan, draws: Draws, labels: PairLabels, premise: str) -> list[str]:
    """Why the pair has its label, told with the sentences of its instance: a proof, or a story for each value that the
    hypothesis can have."""
    pair = {labels.pair.premise, labels.pair.hypothesis}
    trees = {
        name: filled_tree(plan, each, draws) for name, each in plan.paradigm.conditions.items() if each.role != "noted"
    }
    own, others = ([tree for name, tree in trees.items() if (name in pair) == mine] for mine in (True, False))
    teller = Teller(own, plan.grammar, plan.theory, plan.symbols, scales_at(plan, draws, 0), others)
    return teller.told(labels.premise, labels.hypothesis, labels.gold, premise)


def _readings(plan: Plan, draws: Draws, condition: str) -> tuple[Reading, ...]:
    """The readings of a condition's sentence in the first instance, over its slots."""
    declared = plan.paradigm.conditions[condition]
    variants = Variants(declared.tree, ConsultedByMeaning(plan.grammar), plan.space, plan.realiser.parts)
    variant = variants.by_number[int(variants.of(draws)[0])]
    return meant(plan, readings(variant.tree, variant.chosen, plan.grammar))


def shown_readings(plan: Plan, draws: Draws, condition: str) -> list[Shown]:
    """The readings of a condition's sentence in the first instance, with its words in their places."""
    every = _readings(plan, draws, condition)
    gold = gold_reading(plan.paradigm.conditions[condition], every)
    return [Shown(r.id, show(filled(r.formula, plan, draws, 0)), r == gold) for r in every]


def _by_reading(read: Sequence[Sequence[Shown]], labels: PairLabels) -> list[str]:
    """The readings of both sides with their formulas, and their labels; empty where each side has one reading."""
    if all(len(known) == 1 for known in read):
        return []
    lines: list[str] = []
    for side, known in zip(("premise", "hypothesis"), read, strict=True):
        lines += [f"readings of the {side}:", *("  " + line for line in reading_lines(known))]
    lines += ["labels, the premise's readings down, the hypothesis' across:"]
    return [*lines, *("  " + line for line in label_tables(read[0], read[1], labels.entries))]
