"""The task `minimal_pair`: a good sentence and a bad one, of which the constraint that it breaks is derived.

An instance has sentences below `good` and `bad`. Whether they are good or bad is no matter of the heading: the chart of
each over the whole grammar says it, and a heading that says otherwise is an error. Sentences with as many bad as good
ones are paired by their places; otherwise each bad one goes with each good one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from gramprobe.items.pair_facts import CELL, differences, pairs_of, tag_of, unmet
from gramprobe.items.task import PLACE, CardTable
from gramprobe.items.tasks.text import TextTask
from gramprobe.records import Scored
from gramprobe.resolve.tasks import Heading, TaskForm
from gramprobe.resolve.tree import category_of
from gramprobe.source import messages

if TYPE_CHECKING:
    from gramprobe.items.cells import Row
    from gramprobe.items.groups import Grouping, Member, Part
    from gramprobe.items.pair_facts import PairsAnswer
    from gramprobe.items.plan import Plan
    from gramprobe.items.rows import ChunkCells
    from gramprobe.resolve.paradigm.data import Condition, Paradigm
    from gramprobe.source.diagnostic import Diagnostic, Findings

ANSWERS = ("no", "yes")


class MinimalPair(TextTask):
    """Good sentences with bad ones, whose constraint and its repairs are derived."""

    name = "minimal_pair"
    form = TaskForm(
        name=name,
        headings=(Heading("good"), Heading("bad")),
        claims=None,
        theory=False,
        meaning=False,
        constraint=True,
    )
    columns = (
        *PLACE,
        "sentence_good",
        "sentence_bad",
        "constraint",
        "repairs",
        "critical",
        "critical_word",
        "one_prefix",
        "licensor",
        "equivalent",
        "equivalent_by",
        "licensing_by",
        "chart_good",
        "chart_bad",
    )
    numbers: Mapping[str, tuple[str, ...] | None] = {"critical": None, "one_prefix": ANSWERS}
    sentences = ("sentence_good", "sentence_bad")
    answers = ("repairs",)
    about = "minimal pairs: a good sentence, and one that breaks a constraint"
    card = CardTable(
        headings=("constraint", "rows", "items", "space", "passed over", "vetoed", "charts", "words"),
        fields=("constraint", "rows", "instances", "space", "passed_over", "vetoed", "charts", "content_words"),
        notes="`id` = phenomenon/paradigm/instance/GOOD-BAD; `instance` = what was drawn; `repairs` = the constraints "
        "of which one alone, lifted at one place, gives the bad sentence a tree, `constraint` among them; `critical` = "
        "the number of the word, `critical_word`, at which the bad sentence begins no sentence any more, `one_prefix`: "
        "whether both are equal up to there; `chart_good`, `chart_bad` = their lines of `charts.jsonl`; "
        "`equivalent` = whether both mean the same, empty where one has no meaning; `equivalent_by` = the lines of "
        "`certificates.jsonl` that say so; `licensing_by` = the line of `accounts.jsonl` that says what the noun "
        "phrases of both license, with its certificates.",
    )
    scored = Scored.of(options=("sentence_good", "sentence_bad"))

    # -- deciding

    def parts(self, paradigm: Paradigm) -> tuple[Part, ...]:
        from gramprobe.items.groups import Part

        return (Part(()),)

    def texts(self, paradigm: Paradigm) -> tuple[tuple[str, ...], ...]:
        """Each pair, so that none stands twice."""
        return tuple((good.name, bad.name) for good, bad in pairs_of(paradigm))

    def grouping(self, plan: Plan, parts: tuple[Part, ...], ordered: frozenset[str]) -> Grouping:
        from gramprobe.items.chart_groups import ChartGrouping

        return ChartGrouping(plan, parts, ordered)

    def answer(self, plan: Plan, part: Part, member: Member, findings: Findings) -> PairsAnswer:
        from gramprobe.items.chart_groups import answer_of_first, meanings_of

        found, meanings = answer_of_first(plan, member.draws), meanings_of(plan, member.draws)
        decided = (shape for each in meanings.values() for shape in each.shapes)
        return replace(found, meanings=meanings, shapes=tuple(dict.fromkeys((*found.shapes, *decided))))

    def agrees(self, plan: Plan, part: Part, answer: Any, other: Member) -> bool:
        from gramprobe.items.chart_groups import answer_of_first, meanings_of

        found = answer_of_first(plan, other.draws)
        same = (found.charted, found.facts) == (answer.charted, answer.facts)
        return same and meanings_of(plan, other.draws) == answer.meanings

    def objections(self, plan: Plan, answer: Any) -> Iterable[tuple[object, Diagnostic]]:
        paradigm, grammar = plan.paradigm, plan.grammar
        endless = [each for each in paradigm.conditions.values() if not grammar.sentences.get(category_of(each.tree))]
        if endless:
            yield "end", messages.pairs.no_end(endless[0].span, category_of(endless[0].tree))
            return
        for name, condition in paradigm.conditions.items():
            if name not in answer.charted:
                continue
            judged, sentence = answer.charted[name].judgement, answer.sentences[name]
            if judged.good != (condition.side == "good"):
                yield (name, "heading"), _wrong_heading(plan, condition, sentence, judged)
            elif not judged.good and paradigm.constraint not in judged.repairs:
                place = condition.span, name, sentence
                yield (name, "repair"), messages.pairs.no_repair(*place, paradigm.constraint, judged.repairs)
        for good, bad in pairs_of(paradigm):
            places = differences(good.tree, bad.tree)
            right = answer.charted[good.name].judgement.good and not answer.charted[bad.name].judgement.good
            if right and len(places) > 1 and tag_of(paradigm, good, bad) != CELL:
                yield (good.name, bad.name), messages.pairs.several_differences(bad.span, good.name, bad.name, places)
        for claim in paradigm.pair_claims:
            for (good, bad), facts in answer.facts.items():
                if tag_of(paradigm, paradigm.conditions[good], paradigm.conditions[bad]) == CELL:
                    continue
                repairs = answer.charted[bad].judgement.repairs
                why = unmet(claim.kind, facts, repairs)
                if why and not answer.charted[bad].judgement.good:
                    both = answer.sentences[good], answer.sentences[bad]
                    yield (claim.kind, bad), messages.pairs.claim_unmet(claim.span, claim.kind, bad, both, why)

    # -- rows

    def rows(self, cells: ChunkCells) -> list[Row]:
        from gramprobe.items.chart_groups import licensor

        paradigm = cells.paradigm
        found: list[Row] = []
        for good, bad in pairs_of(paradigm):
            key = good.name, bad.name

            def of(text: Any, key: tuple[str, str] = key) -> Any:
                return lambda answer: text(answer, *key)

            found.append(
                {
                    **cells.leading(f"{good.name}-{bad.name}", tag_of(paradigm, good, bad)),
                    "sentence_good": cells.sentence(good.name),
                    "sentence_bad": cells.sentence(bad.name),
                    "constraint": cells.constant(paradigm.constraint),
                    "repairs": cells.of(0, of(lambda a, g, b: ", ".join(a.charted[b].judgement.repairs))),
                    "critical": cells.number_of(0, of(lambda a, g, b: a.facts[g, b].critical)),
                    "critical_word": cells.word(bad.name, of(lambda a, g, b: a.facts[g, b].critical)),
                    "one_prefix": cells.number_of(0, of(lambda a, g, b: int(a.facts[g, b].one_prefix))),
                    "licensor": licensor(cells, good.name),
                    "equivalent": cells.of(0, of(lambda a, g, b: a.meanings[g, b].equivalent)),
                    "equivalent_by": cells.of(0, of(lambda a, g, b: " ".join(a.meanings[g, b].same))),
                    "licensing_by": cells.of(0, of(lambda a, g, b: a.meanings[g, b].licensed_by)),
                    "chart_good": cells.of(0, of(lambda a, g, b: a.charted[g].shape)),
                    "chart_bad": cells.of(0, of(lambda a, g, b: a.charted[b].shape)),
                }
            )
        return found

    def answered(self, answer: Any) -> Iterator[str]:
        for _, bad in answer.facts:
            yield ", ".join(answer.charted[bad].judgement.repairs)

    # -- verify

    def answers_of_row(self, row: Mapping[str, Any]) -> Iterable[str]:
        return (row["repairs"],)

    def check(self, row: Mapping[str, Any], evidence: Any) -> Iterator[str]:
        from gramprobe.items.chart_groups import wrong_row

        yield from wrong_row(row, evidence)

    # -- what people are shown

    def derived(self, answers: Any, condition: str) -> list[str]:
        from gramprobe.items.pages.pairs import derived

        return derived(answers[0], condition)

    def paradigm_page(self, stream: Any) -> Any:
        from gramprobe.items.pages.pairs import paradigm

        return paradigm(stream)

    def item_page(self, plan: Plan, instance: str, condition: str | None) -> Any:
        from gramprobe.items.pages.pairs import item

        return item(plan, instance, condition)


def _wrong_heading(plan: Plan, condition: Condition, sentence: str, judged: Any) -> Diagnostic:
    from gramprobe.items.pages.pairs import term_of, where_it_ends

    place = condition.span, condition.name, sentence
    if judged.good:
        return messages.pairs.bad_with_a_tree(*place, term_of(plan, sentence))
    where = where_it_ends(sentence, judged.critical, plan.grammar.language)
    return messages.pairs.good_without_a_tree(*place, judged.repairs, where)
