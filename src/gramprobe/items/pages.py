"""Explanations: the matrix of a paradigm; one item with its sentences, tree, formulas, label, and the models and proofs
behind it in words and pictures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from gramprobe.explain.decision import Explained, pair
from gramprobe.explain.picture import sheet
from gramprobe.explain.tables import Judged, Shown, label_tables, reading_lines, side_by_side
from gramprobe.formula.notation import show
from gramprobe.items.instance import draws_of
from gramprobe.items.kin import filled
from gramprobe.items.label import CODES, Labelling, PairLabels, label
from gramprobe.items.plan import Plan
from gramprobe.items.strengthening import Decided
from gramprobe.meaning.compose import CLOSE, OPEN
from gramprobe.resolve.paradigm.data import Condition
from gramprobe.resolve.tree import Apply, Given, Slot, Tree, category_of, put
from gramprobe.resolve.tree import show as show_tree
from gramprobe.source.diagnostic import Findings, UsageError
from gramprobe.space.space import Draws
from gramprobe.words.realise import skeletons_of


def matrix(labelling: Labelling) -> Explained:
    """The premises down, the hypotheses across, the derived labels inside, with one instance's sentences.

    Where instances differ in label, the cell has every label that occurs.
    """
    declared = labelling.plan.paradigm
    realiser, draws = labelling.plan.realiser, labelling.draws
    sentences = {c.name: realiser.sentence(c, draws) for c in declared.conditions.values()}
    derived = {(p.pair.premise, p.pair.hypothesis): _cell(p) for p in labelling.pairs}
    premises = list(dict.fromkeys(p for p, _ in derived))
    hypotheses = list(dict.fromkeys(h for _, h in derived))
    width = max(len(p) for p in premises) + 2
    widest = max(len("contradiction"), *(len(d) for d in derived.values()))
    columns = [max(len(h), widest) + 2 for h in hypotheses]
    lines = [f"{declared.full_name}: {declared.about}"]
    lines += [f"source: {declared.citation}"] if declared.citation else []
    lines += [f"theory: {labelling.plan.theory.name}    instances: {labelling.plan.space.size:,}", ""]
    lines.append(" " * width + "".join(h.ljust(w) for h, w in zip(hypotheses, columns, strict=True)).rstrip())
    for premise in premises:
        cells = [derived.get((premise, h), ".") for h in hypotheses]
        lines.append(premise.ljust(width) + "".join(c.ljust(w) for c, w in zip(cells, columns, strict=True)).rstrip())
    lines += ["", "one instance:"]
    size = max(len(n) for n in sentences) + 2
    lines += [f"  {n.ljust(size)}{s}" for n, s in sentences.items()]
    lines += ["", "its formulas, with every reading (slots stand in their places):"]
    for condition, meanings in labelling.meanings.items():
        for reading in meanings.readings[int(meanings.code[0])]:
            shown = show(reading.formula).replace(OPEN, "<").replace(CLOSE, ">")
            lines.append(f"  {condition.ljust(size)}{shown}" + (f"    [{reading.id}]" if reading.id else ""))
    tables, by_reading = _matrix_by_reading(labelling)
    lines += ["", "labels by reading, the premise's readings down:", *tables] if tables else []
    data = {
        "paradigm": declared.full_name,
        "about": declared.about,
        "matrix": [{"premise": p, "hypothesis": h, "label": d} for (p, h), d in derived.items()],
        "sentences": sentences,
        "space": labelling.plan.space.size,
        "readings": {n: [r.to_json() for r in shown_readings(labelling, n)] for n in sentences},
        "by_reading": by_reading,
    }
    return Explained("\n".join(lines), data)


def _matrix_by_reading(labelling: Labelling) -> tuple[list[str], list[dict[str, str]]]:
    """For each premise that has several readings, or meets a hypothesis that has: its readings down, hypotheses with
    theirs across, in one instance; and the same as data."""
    lines: list[str] = []
    data: list[dict[str, str]] = []
    for premise in dict.fromkeys(p.pair.premise for p in labelling.pairs):
        read = shown_readings(labelling, premise)
        cells: dict[str, list[str]] = {reading.id: [] for reading in read}
        heads: list[str] = []
        for each in (p for p in labelling.pairs if p.pair.premise == premise):
            across = shown_readings(labelling, each.pair.hypothesis)
            decided = each.decided[int(each.group[0])]
            every = judged(decided)
            found = {(j.premise, j.hypothesis): j for j in every if j.column == decided.judged.column}
            for other in across:
                heads.append(f"{each.pair.hypothesis} [{other.id}]" if len(across) > 1 else each.pair.hypothesis)
                for reading in read:
                    cells[reading.id].append(found[reading.id, other.id].label)
            data += [{"pair": each.pair.condition, **j.to_json()} for j in every]
        if len(read) > 1 or any("[" in head for head in heads):
            lines += [f"  {line}" for line in side_by_side(list(cells.items()), heads, premise)]
    return lines, data


def _cell(pair: PairLabels) -> str:
    return "|".join(name for name in CODES if any(d.label == name for d in pair.decided))


def item(plan: Plan, instance: str, condition: str | None) -> Explained:
    """One pair of an instance, or (without a condition) all of them. Raises UsageError for a name there is not."""
    full_name = plan.paradigm.full_name
    draws = draws_of(plan, instance)
    if draws is None:
        raise UsageError(f"`{instance}` is no instance of {full_name}", "an item's id stands in the column `id`")
    findings = Findings()
    labelling = label(plan, draws, findings)
    if condition is None:
        found = list(labelling.pairs)
    else:
        found = [p for p in labelling.pairs if p.pair.condition == condition]
    if not found:
        known = ", ".join(p.pair.condition for p in labelling.pairs)
        raise UsageError(f"`{condition}` is no condition of {full_name}", f"there are: {known}")
    every = [_one(labelling, p.pair.premise, p.pair.hypothesis, p.decided[0], full_name, instance) for p in found]
    if condition is not None:
        return every[0]
    figures = [figure for each in every for figure in each.figures]
    return Explained(
        "\n\n".join(each.text for each in every),
        {"items": [each.data for each in every]},
        sheet(figures, f"{full_name}/{instance}"),
        figures,
    )


def _below(shown: Explained) -> list[str]:
    """What stands below the pictures."""
    told = shown.data["told"]
    return [*told.get("events", ()), *told["conclusion"]]


def _one(
    labelling: Labelling, premise: str, hypothesis: str, decided: Decided, full_name: str, instance: str
) -> Explained:
    plan, draws = labelling.plan, labelling.draws
    conditions = plan.paradigm.conditions
    sentences = [plan.realiser.sentence(conditions[n], draws) for n in (premise, hypothesis)]
    forms = [show(decided.premise), show(decided.hypothesis)]
    box = plan.space.boxes[int(draws.box[0])]
    trees = [_filled(put(conditions[n].tree, skeletons_of(box, plan.space)), labelling) for n in (premise, hypothesis)]
    verdict = decided.verdict
    lines = [f"{full_name}/{instance}/{premise}-{hypothesis}", ""]
    lines += [
        f"premise     {sentences[0]}",
        f"hypothesis  {sentences[1]}",
        f"label       {decided.label}",
        "",
    ]
    lines += ["premise's formula     " + forms[0], "hypothesis' formula   " + forms[1]]
    if len(decided.judgements) > 1:
        lines.append("columns               " + ", ".join(f"{each.column} {each.label}" for each in decided.judgements))
    read = [shown_readings(labelling, name) for name in (premise, hypothesis)]
    table = _by_reading(read, decided)
    lines += ["", *table] if table else []
    lines += ["", "premise's tree", *_drawn(trees[0]), "", "hypothesis' tree", *_drawn(trees[1]), ""]
    formulas = decided.premise, decided.hypothesis
    shown = pair(decided.gold, *formulas, decided.gold.theory, decided.label)
    lines.append(shown.text)
    declared = [conditions[n].span for n in (premise, hypothesis)]
    lines.append(f"premise declared at {declared[0]}, hypothesis at {declared[1]}")
    heading = f"{sentences[0]}  =>  {sentences[1]}  ({decided.label})"
    entry = {
        "id": f"{full_name}/{instance}/{premise}-{hypothesis}",
        "premise": sentences[0],
        "hypothesis": sentences[1],
        "label": decided.label,
        "premise_form": forms[0],
        "hypothesis_form": forms[1],
        "h_values": verdict.h_values,
        "certificate": verdict.kind,
        "rests_on": decided.gold.rests_on_text,
        "shape": decided.gold.shape.id,
        "readings": {
            side: [r.to_json() for r in known] for side, known in zip(("premise", "hypothesis"), read, strict=True)
        },
        "by_reading": [each.to_json() for each in judged(decided)],
        **shown.data,
        "trees": [_nested(t) for t in trees],
        "declared": [str(span) for span in declared],
        "svg": sheet(shown.figures, heading, _below(shown), table),
    }
    names = f"{premise} => {hypothesis}"
    figures = [replace(each, title=f"{names}: {each.title}") for each in shown.figures]
    return Explained("\n".join(lines), entry, entry["svg"], figures)


def shown_readings(labelling: Labelling, condition: str, row: int = 0) -> list[Shown]:
    """The readings of a condition's sentence in one instance, with its words in their places."""
    meanings, plan, draws = labelling.meanings[condition], labelling.plan, labelling.draws
    number = int(meanings.code[row])
    gold = meanings.gold(number)
    return [Shown(r.id, show(filled(r.formula, plan, draws, row)), r == gold) for r in meanings.readings[number]]


def judged(decided: Decided) -> list[Judged]:
    """What was decided for every pair of readings."""
    return [Judged(e.premise, e.hypothesis, e.column, e.label, e.shape) for e in decided.entries]


def _by_reading(read: Sequence[Sequence[Shown]], decided: Decided) -> list[str]:
    """The readings of both sides with their formulas, and their labels; nothing where each side has one."""
    if all(len(known) == 1 for known in read):
        return []
    lines: list[str] = []
    for side, known in zip(("premise", "hypothesis"), read, strict=True):
        lines += [f"readings of the {side}:", *("  " + line for line in reading_lines(known))]
    lines += ["labels, the premise's readings down, the hypothesis' across:"]
    return [*lines, *("  " + line for line in label_tables(read[0], read[1], judged(decided)))]


def drawn_tree(plan: Plan, condition: Condition, draws: Draws) -> list[str]:
    """The tree of a condition of one instance, one node a line."""
    box = plan.space.boxes[int(draws.box[0])]
    return _drawn(_filled(put(condition.tree, skeletons_of(box, plan.space)), Labelling(plan, draws)))


def _filled(tree: Tree, labelling: Labelling) -> Tree:
    """The tree with what was drawn in its slots."""
    if isinstance(tree, Apply):
        return Apply(tree.constructor, tuple(_filled(a, labelling) for a in tree.arguments), tree.span)
    if isinstance(tree, Slot):
        plan = labelling.plan
        member = int(labelling.draws.columns[tree.name][0])
        if tree.is_feature:
            from gramprobe.space.constraints import value_of

            drawn = plan.space.slots[tree.name].category
            return Given(str(value_of(tree, None, member, plan.grammar, drawn)), tree.category, True)
        return Given(plan.realiser.lexeme(tree, member).id, tree.category, False)
    return tree


def _nested(tree: Tree) -> Any:
    if isinstance(tree, Apply):
        return [tree.constructor.name, *(_nested(a) for a in tree.arguments)]
    return show_tree(tree)


def _drawn(tree: Tree) -> list[str]:
    """The tree, one node a line, children below their parents."""
    lines: list[str] = []

    def walk(node: Tree, lead: str, branch: str, below: str) -> None:
        name = node.constructor.name if isinstance(node, Apply) else show_tree(node)
        lines.append(f"{lead}{branch}{name} : {category_of(node)}")
        children = node.arguments if isinstance(node, Apply) else ()
        for index, child in enumerate(children):
            last = index == len(children) - 1
            walk(child, lead + below, "`- " if last else "|- ", "   " if last else "|  ")

    walk(tree, "  ", "", "")
    return lines
