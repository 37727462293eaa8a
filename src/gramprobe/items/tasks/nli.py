"""`nli`: does the premise entail or contradict the hypothesis? Each instance has a row for each pair, or (where pairs
have shares) the row of one pair."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from operator import methodcaller
from typing import TYPE_CHECKING, Any

from gramprobe.certify.rule import LABELS
from gramprobe.items.task import LEADING, CardTable, Evidence, Outcome, Task
from gramprobe.items.tasks.nli_row import COLUMNS, by_readings, problems
from gramprobe.records import MEASURES, Scored
from gramprobe.resolve.tasks import Heading, TaskForm

if TYPE_CHECKING:
    from gramprobe.explain.decision import Explained
    from gramprobe.items.cells import Row
    from gramprobe.items.decisions import Decisions
    from gramprobe.items.groups import Member, Part
    from gramprobe.items.label import PairLabels
    from gramprobe.items.plan import Plan
    from gramprobe.items.rows import Chunk, ChunkCells
    from gramprobe.items.stream import Stream
    from gramprobe.meaning.reading import Reading
    from gramprobe.resolve.paradigm.data import Claim, Pair, Paradigm
    from gramprobe.source.diagnostic import Diagnostic, Findings


class Nli(Task):
    """Natural language inference with labels by reading and column of strengthening."""

    name = "nli"
    form = TaskForm(
        name=name,
        headings=(Heading("premise"), Heading("hypothesis", "judged")),
        claims="label",
        gates=("duplicates", "spelling", "articles", "reading", "leak"),
    )
    columns: tuple[str, ...] = (
        *LEADING,
        "premise_condition", "hypothesis_condition", "design", "premise", "hypothesis", "label", "label_name",
        "label_binary", "label_literal", "label_pragmatic", "label_imppres", "label_strawson", "label_via", "published",
        *MEASURES, "h_values", "premise_form", "hypothesis_form", "labels", "labels_by_theory",
    )  # fmt: skip
    numbers: Mapping[str, tuple[str, ...] | None] = {"label": LABELS, "label_binary": None}
    optional = frozenset({"label", "label_binary"})  # null in graded sets
    sentences: tuple[str, ...] = ("premise", "hypothesis")
    answers: tuple[str, ...] = (
        "label_name", "label_literal", "label_pragmatic", "label_imppres", "label_strawson", "label_via",
        "labels_by_theory",
    )  # fmt: skip
    rejects = False
    about = "pairs of sentences with labels 0 entailment, 1 neutral, 2 contradiction"
    hub: tuple[str, ...] = ("task_categories: [text-classification]", "task_ids: [natural-language-inference]")
    card = CardTable(
        headings=("rows", *LABELS, "space", "passed over", "vetoed", "words"),
        fields=("rows", *(f"labels.{label}" for label in LABELS), "space", "passed_over", "vetoed", "content_words"),
        notes="`id` = phenomenon/paradigm/instance/condition; `instance` = what was drawn; `design` = `paper`: a pair "
        "that the paradigm states, `swapped`: one that `balance` adds; `premise_form`, "
        "`hypothesis_form` = the formulas of the gold readings; `labels` = every pair of readings with its label; "
        "`shape` = the line of `certificates.jsonl` that the label rests on; `h_values` = the values (T, F, U: "
        "undefined) that the hypothesis takes where the premise is committed; `label_strawson` = the label over these "
        "values without U, which asks about the cases in which the presuppositions of the hypothesis hold; `rests_on` "
        "= principles of the theory without which the label could not be proved. `manifest.json` has hashes of every "
        "file and of everything it was made from.",
    )
    scored = Scored.of(context=("premise",), continuations=("hypothesis",), label=("label",))

    # -- deciding

    def parts(self, paradigm: Paradigm) -> tuple[Part, ...]:
        from gramprobe.items.groups import Part

        return tuple(Part((pair.premise, pair.hypothesis), pair) for pair in paradigm.pairs)

    def texts(self, paradigm: Paradigm) -> tuple[tuple[str, ...], ...]:
        return tuple((pair.premise, pair.hypothesis) for pair in paradigm.pairs)

    def answer(self, plan: Plan, part: Part, member: Member, findings: Findings) -> PairLabels | None:
        from gramprobe.items.label import pair_labels

        assert part.pair is not None
        return pair_labels(plan, part.pair, member, findings)

    def agrees(self, plan: Plan, part: Part, answer: PairLabels, other: Member) -> bool:
        from gramprobe.items.comparison import agrees

        return agrees(plan, answer, other)

    def objections(self, plan: Plan, answer: PairLabels) -> Iterable[tuple[object, Diagnostic]]:
        return ()  # they are reported while the pair is decided

    def trust(self, plan: Plan, answer: PairLabels) -> Iterable[tuple[object, Diagnostic]]:
        from gramprobe.decide.verdict import doubt, unproved
        from gramprobe.source import messages

        if answer.on_trust is None:
            return
        reading, verdict = answer.on_trust
        pair, conditions = answer.pair, plan.paradigm.conditions
        names = pair.premise, pair.hypothesis
        sentences = [plan.realiser.sentence(conditions[name], answer.member.draws) for name in names]
        diagnostic = messages.build.on_trust(pair.span, names, sentences, reading, doubt(verdict), unproved(verdict))
        yield ("trust", pair.span), diagnostic

    def begin(self, decisions: Decisions) -> None:
        """Report a scale that strengthens nothing, since no formula has a word of it."""
        from gramprobe.items.label import is_idle
        from gramprobe.meaning.reading import CLOSE, OPEN
        from gramprobe.source import messages

        plan, grouping = decisions.plan, decisions.grouping
        names = dict.fromkeys(name for part in decisions.parts for name in part.conditions)
        readings = [r for name in names for known in grouping.readings(name) for r in known]
        if is_idle(plan, readings):
            words = [word.replace(OPEN, "").replace(CLOSE, "") for word in plan.scales[0]]
            of = {name: each.by_id for name, each in plan.grammar.categories.items() if each.lexical}
            drawn = [d.name for d in plan.paradigm.draws if any(word in of.get(d.category, ()) for word in words)]
            decisions.findings.add(messages.paradigm.idle_scale(plan.paradigm.scale_spans[0], words, drawn))

    def unmet_claims(self, decisions: Decisions, findings: Findings) -> None:
        by_claim: dict[Claim, list[int]] = {}
        for at, part in enumerate(decisions.parts):
            assert part.pair is not None
            for claim in part.pair.every_claim(decisions.plan.paradigm.gold):
                by_claim.setdefault(claim, []).append(at)
        for claim, line in by_claim.items():
            self._unmet(decisions, claim, line, findings)

    def _unmet(self, decisions: Decisions, claim: Claim, line: Sequence[int], findings: Findings) -> None:
        """Report a claim that some group's label contradicts, with the smallest counter-model of the first such group.

        ``line``: the numbers of the parts that the claim is about, the pairs of its line.
        """
        from gramprobe.explain.words import counter_model_lines
        from gramprobe.formula.notation import show
        from gramprobe.items.advice import remedy
        from gramprobe.items.decisions import is_about
        from gramprobe.source import messages

        wrong = [
            (at, group, labels)
            for at in line
            for group, labels in decisions.answers[at].items()
            if not decisions.rejections[at][group]
            and decisions.concerns(at, claim, group)
            and (j := labels.in_column(claim.column)).label != claim.label
            and not j.verdict.findings
        ]
        if not wrong or not decisions.once(claim):
            return
        plan = decisions.plan
        _, _, first = wrong[0]
        judged, draws = first.in_column(claim.column), first.member.draws
        names = (("premise", first.pair.premise), ("hypothesis", first.pair.hypothesis))
        story = [f"{side:<11} {plan.realiser.sentence(plan.paradigm.conditions[name], draws)}" for side, name in names]
        story += counter_model_lines(judged.decision, judged.label, claim.label)
        if claim.column != "literal":
            story.insert(2, f"column      {claim.column}: {show(judged.premise)} => {show(judged.hypothesis)}")
        several = len({at for at, *_ in wrong})
        failing = sum(decisions.rows[at][group] for at, group, _ in wrong)
        instances = sum(decisions.rows[line[0]].values())
        if claim.at and not is_about(claim, draws)[0]:
            story.append("the instances that the claim names have the same formulas, with other words")
        if failing < several * instances:
            sampled = len(line) * instances
            story.append(f"so in {failing:,} of the {sampled:,} rows sampled; in the others the claim holds")
        help = remedy(judged, plan, draws, 0, claim.label)
        findings.add(messages.label.expectation(claim.span, claim.label, judged.label, several, len(line), story, help))

    def preferred(self, answers: Sequence[PairLabels], condition: str, reading: str) -> tuple[str, list[str]]:
        return reading, []

    def end(self, stream: Stream) -> None:
        """Report pairs that claim a presupposition failure and never have one, and a paradigm all of whose instances
        are rejected."""
        from gramprobe.source import messages

        decisions, paradigm = stream.decisions, stream.plan.paradigm
        if stream.rejected and not stream.taken:
            reason, _ = stream.rejected.most_common(1)[0]
            labels = next(
                answers[group]
                for answers, reasons in zip(decisions.answers, decisions.rejections, strict=True)
                for group, each in reasons.items()
                if each == reason
            )
            conditions = [paradigm.conditions[name] for name in (labels.pair.premise, labels.pair.hypothesis)]
            story = [stream.plan.realiser.sentence(each, labels.member.draws) for each in conditions]
            help = "`gramprobe explain` shows the labels; the task says which of them it takes"
            decisions.findings.add(
                messages.task.all_rejected(
                    paradigm.span, paradigm.name, paradigm.task, reason, story, help, stream.gave_up
                )
            )
        self._compare_theories(decisions)
        if stream.few:
            return
        self._agreeing_theories(decisions)
        for part, answers in zip(decisions.parts, decisions.answers, strict=True):
            pair = part.pair
            assert pair is not None
            if pair.via_failure and not any(labels.via for labels in answers.values()):
                decisions.findings.add(messages.label.no_failure(pair.span, pair.premise, pair.hypothesis))

    def _compare_theories(self, decisions: Decisions) -> None:
        """Report a theory that is said to give the labels of another one, and does not."""
        from gramprobe.items.label import in_theory
        from gramprobe.judge.judge import Undecidable
        from gramprobe.source import messages

        plan = decisions.plan
        for alike, named in zip(plan.beside, plan.paradigm.theories, strict=True):
            for other, place in zip(alike[1:], named[1:], strict=True):
                for labels in (a for answers in decisions.answers for a in answers.values()):
                    said = labels.by_theory[named[0].name]
                    try:
                        decided = list(in_theory(other, labels.pair, labels.member))
                    except Undecidable:
                        given: str | dict[str, str] = "undecided"
                    else:
                        if any(not judgement.verdict.kind for _, judgement in decided):
                            continue  # `verify` has certificates of the rows, and these theories have no rows
                        given = by_readings([entry for entry, _ in decided])
                    if given != said and decisions.once((place.name, "differs")):
                        names, both = (named[0].name, place.name), (_in_words(said), _in_words(given))
                        decisions.findings.add(
                            messages.label.theories_differ(place.span, names, labels.pair.condition, both)
                        )

    def _agreeing_theories(self, decisions: Decisions) -> None:
        """Report theories with labels of their own that give the same labels everywhere."""
        from gramprobe.source import messages

        given: dict[str, str] = {}
        for alike in decisions.plan.paradigm.theories:
            found = (a.by_theory[alike[0].name] for answers in decisions.answers for a in answers.values())
            text = json.dumps(list(found))
            if text in given:
                names = given[text], alike[0].name
                decisions.findings.add(messages.label.theories_agree(alike[0].span, names))
            given.setdefault(text, alike[0].name)

    def outcomes(self, part: Part, answer: PairLabels) -> Iterator[Outcome]:
        yield Outcome(answer.pair.condition, answer.label_in_words)

    def why_moved(self, theories: tuple[str, str], before: PairLabels, after: PairLabels) -> str:
        from gramprobe.explain.words import distinguishing_model

        return distinguishing_model(theories, before.gold, after.gold)

    # -- rows

    def rows(self, cells: ChunkCells) -> list[Row]:
        return [self._row(cells, at) for at in range(len(cells.paradigm.pairs))]

    def _row(self, cells: ChunkCells, at: int) -> Row:
        pair = cells.paradigm.pairs[at]
        return {
            **cells.leading(pair.condition, pair.tag, part=at),
            "premise_condition": cells.constant(pair.premise),
            "hypothesis_condition": cells.constant(pair.hypothesis),
            "design": cells.constant(pair.design),
            "premise": cells.sentence(pair.premise),
            "hypothesis": cells.sentence(pair.hypothesis),
            "label": cells.number_of(at, lambda a: a.code if a.label else None),
            "label_name": cells.of(at, lambda a: a.label),
            "label_binary": cells.number_of(at, lambda a: int(a.label == LABELS[0]) if a.label else None),
            **{f"label_{column}": cells.of(at, methodcaller("label_of", column)) for column in (*COLUMNS, "strawson")},
            "label_via": cells.of(at, lambda a: a.via),
            "published": cells.constant(pair.published),
            **self._measured(cells, pair),
            "h_values": cells.of(at, lambda a: a.verdict.h_values),
            "premise_form": self._form(cells, pair, True),
            "hypothesis_form": self._form(cells, pair, False),
            "labels": cells.of(at, lambda a: a.entries_json),
            "labels_by_theory": cells.of(at, lambda a: a.by_theory_json),
        }

    def _measured(self, cells: ChunkCells, pair: Pair) -> Row:
        if isinstance(pair.measured, str):
            return {name: cells.column(pair.measured, name) for name in MEASURES}
        return {name: cells.constant(text) for name, text in zip_longest(MEASURES, pair.measured, fillvalue="")}

    def _form(self, cells: ChunkCells, pair: Pair, is_premise: bool) -> Any:
        """The formula of the gold reading of a side, strengthened as in the gold column."""
        from gramprobe.formula.notation import show
        from gramprobe.items.label import gold_reading, meant, strengthened

        plan, condition = cells.rows.plan, pair.premise if is_premise else pair.hypothesis
        declared, column = plan.paradigm.conditions[condition], plan.paradigm.gold_of(pair)

        def text(readings: tuple[Reading, ...]) -> str:
            reading = gold_reading(declared, meant(plan, readings))
            return show(strengthened(plan, column, reading, is_premise))

        return cells.formula(condition, text, (is_premise, column))

    def answered(self, answer: PairLabels) -> Iterator[str]:
        if answer.label:
            yield answer.label

    # -- verify

    def check(self, row: Mapping[str, Any], evidence: Evidence) -> Iterator[str]:
        return problems(row, evidence)

    def answers_of_row(self, row: Mapping[str, Any]) -> Iterable[str]:
        return (row["label_name"],) if row["label_name"] else ()

    def broken_claims(self, decisions: Decisions, paradigm: Paradigm) -> Iterator[str]:
        parts = zip(paradigm.pairs, decisions.answers, decisions.rejections, strict=True)
        for at, (pair, answers, rejections) in enumerate(parts):
            for claim in pair.every_claim(paradigm.gold):
                for group, labels in answers.items():
                    label = labels.in_column(claim.column).label
                    if label != claim.label and not rejections[group] and decisions.concerns(at, claim, group):
                        claimed = f"expects {claim.label} ({claim.column})"
                        yield f"{pair.condition}: the paradigm {claimed}, and it is {label}"

    # -- a reader

    def outline(self, stream: Stream, chunk: Chunk) -> dict[str, Any]:
        """`labels` counts those of one instance, or of all sampled instances where these differ."""
        decisions, paradigm = stream.decisions, stream.plan.paradigm
        patterns = Counter(tuple(a.label for a in stream.answers(chunk, row)) for row in range(len(chunk)))
        counted = {tuple(sorted(Counter(pattern).items())) for pattern in patterns}
        labels: Counter[str] = Counter()
        for pattern, times in patterns.items():
            for label in pattern:
                labels[label] += 1 if len(counted) == 1 else times
            if len(counted) == 1:
                break
        pairs = list(zip(paradigm.pairs, decisions.answers, strict=True))
        claims = [
            ([labels for group, labels in answers.items() if decisions.concerns(at, claim, group)], claim)
            for at, (pair, answers) in enumerate(pairs)
            for claim in pair.every_claim(paradigm.gold)
        ]
        return {
            "pairs": len(pairs),
            "labels": {label: labels[label] for label in LABELS if labels[label]},
            "uniform": len(counted) == 1,
            "labelled": len(chunk),
            "expected": len(claims),
            "met": all(a.in_column(c.column).label == c.label for answers, c in claims for a in answers),
            "shapes": len({a.gold.shape.id for _, answers in pairs for a in answers.values()}),
        }

    def summary(self, outline: Mapping[str, Any]) -> list[str]:
        met = f"{outline['expected']} expectations met" if outline["met"] else "expectations NOT met"
        shapes = f"{outline['shapes']} shape{'' if outline['shapes'] == 1 else 's'}"
        lines = [f"{outline['name']}: {outline['instances']:,} instances; {_counted(outline)}; {met}; {shapes}"]
        lines.append("  draws: " + ", ".join(f"{n} {c:,}" for n, c in outline["draws"].items()))
        return lines

    def derived(self, answers: Sequence[PairLabels], condition: str) -> list[str]:
        labels = [f"{a.pair.hypothesis} {a.label or _by_column(a)}" for a in answers if a.pair.premise == condition]
        return [f"=> {', '.join(labels)}"] if labels else []

    def paradigm_page(self, stream: Stream) -> Explained:
        from gramprobe.items.pages.labels import matrix

        return matrix(stream)

    def item_page(self, plan: Plan, instance: str, condition: str | None) -> Explained:
        from gramprobe.items.pages.labels import item

        return item(plan, self, instance, condition)


def _by_column(answer: PairLabels) -> str:
    """The labels of a pair without a gold label."""
    return ", ".join(f"{each.column} {each.label}" for each in answer.judgements)


def _in_words(label: str | Mapping[str, str]) -> str:
    """A label, or those of readings."""
    if isinstance(label, str):
        return label
    return ", ".join(f"{each} ({reading or 'the reading without a name'})" for reading, each in label.items())


def _counted(outline: Mapping[str, Any]) -> str:
    if not outline["labels"]:
        return "no gold labels"
    each = "per instance" if outline["uniform"] else f"over {outline['labelled']} instances (they vary)"
    return ", ".join(f"{n} {label}" for label, n in outline["labels"].items()) + f" {each}"
