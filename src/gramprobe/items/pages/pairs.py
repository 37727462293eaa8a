"""Minimal pairs as people read them: which sentence is good, what breaks the other, what repairs it, where it ends."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from gramprobe.chart.cuts import cuts
from gramprobe.chart.forest import Tree
from gramprobe.chart.parse import parse
from gramprobe.explain.decision import Explained
from gramprobe.items.chart_groups import answer_of_first, charts_in, meanings_of, word_at
from gramprobe.items.charts import charts_around
from gramprobe.items.instance import name_of
from gramprobe.items.licensing import LicensingAccount
from gramprobe.items.pages.sentences import SHOWN, below_headings
from gramprobe.items.pages.sentences import item as item_of_sentences
from gramprobe.items.pages.trees import first_lines, known_draws
from gramprobe.items.pair_facts import PairsAnswer
from gramprobe.items.plan import Plan
from gramprobe.items.stream import Stream
from gramprobe.language import Language
from gramprobe.resolve.project import Declarations
from gramprobe.source.diagnostic import Span
from gramprobe.space.space import Draws
from gramprobe.syntax.tree import Uses, Word


def derived(answer: PairsAnswer, condition: str, sentence: str = "", plan: Plan | None = None) -> list[str]:
    """The lines below a sentence: good, or what alone repairs it and where it begins no sentence any more.

    The word there is named if the ``sentence`` and its ``plan`` are given: instances with the same answer have others.
    """
    if condition not in answer.charted:
        return []
    judged = answer.charted[condition].judgement
    if judged.good:
        return ["good: it has a tree"]
    number = next((facts.critical for (_, bad), facts in answer.facts.items() if bad == condition), 0)
    where = f"at word {number}" if number else ""
    if plan is not None and number:
        where = _word(sentence, number, plan.grammar.language)
    where = f"; no sentence goes on {where}" if where else ""
    return [f"bad: {repaired(judged.repairs)}{where}"]


def repaired(repairs: Sequence[str]) -> str:
    """Which constraints repair a sentence, each alone."""
    return f"repaired by lifting {' or '.join(repairs)}" if repairs else "no constraint alone repairs it"


def judged(sentence: str, modules: Sequence[str], declarations: Declarations) -> list[str]:
    """What the chart of any sentence says, as lines."""
    charts = charts_around(declarations, [Uses(module=Word(name, Span("", 1, 1))) for name in modules], sentence)
    _, said = charts.of(sentence)
    if said.good:
        return ["good: it has a tree"]
    where = where_it_ends(sentence, said.critical, charts.rules.grammar.language)
    return [f"bad: {repaired(said.repairs)}", *([f"no sentence goes on {where}"] if where else [])]


def where_it_ends(sentence: str, critical: int, language: Language) -> str:
    """The word at which what has been read begins no sentence any more; empty where every word could."""
    number = word_at(sentence, critical, language)
    return _word(sentence, number, language) if number else ""


def _word(sentence: str, number: int, language: Language) -> str:
    return f"at word {number}, `{language.bare(sentence.split(language.joiner)[number - 1])}`"


def term_of(plan: Plan, sentence: str) -> str:
    """The smallest tree of a good sentence, as `gramprobe say` takes it."""
    rules = charts_in(plan).rules
    found: list[str] = []
    for tokens in cuts(sentence, rules.grammar.language, rules.known):
        found += map(_term, parse(tokens, rules).trees())
    return min(found, key=len, default="")


def _term(tree: Tree | str) -> str:
    if isinstance(tree, str):
        return tree
    inside = ", ".join([*(value for _, value in tree.values), *(_term(part) for _, part in tree.parts)])
    return f"{tree.constructor}({inside})" if inside else tree.constructor


def paradigm(stream: Stream) -> Explained:
    """The page of a paradigm: its constraint, and the sentences of its first instances. Raises AuthoringError."""
    chunk, plan = stream.whole(), stream.plan
    lines = first_lines(stream)
    declared = plan.paradigm
    claims = "".join(f"    {claim.kind}" for claim in declared.pair_claims)
    lines += [f"task: {declared.task}    constraint: {declared.constraint}{claims}    instances: {plan.space.size:,}"]
    samples: list[dict[str, Any]] = []
    for row in range(min(len(chunk), SHOWN)):
        draws, (answer,) = chunk.draws.take(np.array([row])), stream.answers(chunk, row)
        sentences = _judged(plan, draws, answer)
        bad = {name: each["sentence"] for name, each in sentences.items() if not each["good"]}
        said = {name: derived(answer, name, sentence, plan) for name, sentence in bad.items()}
        lines += ["", *below_headings(plan, draws, said)]
        instance = name_of(plan, draws)
        samples.append({"id": f"{declared.full_name}/{instance}", "sentences": sentences})
    page = {"paradigm": declared.full_name, "about": declared.about, "constraint": declared.constraint}
    return Explained("\n".join(lines), {**page, "samples": samples})


def item(plan: Plan, instance: str, condition: str | None) -> Explained:
    """The page of an instance: its sentences with their trees, and what their charts say. Raises UsageError."""
    page, draws = item_of_sentences(plan, instance), known_draws(plan, instance)
    answer = answer_of_first(plan, draws)
    lines = [f"  {n}: {line}" for n, text in answer.sentences.items() for line in derived(answer, n, text, plan)]
    meanings = meanings_of(plan, draws)
    decided = {f"{good}-{bad}": each.equivalent for (good, bad), each in meanings.items() if each.equivalent}
    lines += [f"  {pair}: both mean the same: {said}" for pair, said in decided.items()]
    lines += _licensed(each.licensing for each in meanings.values())
    text = "\n".join([page.text, "", f"constraint: {plan.paradigm.constraint}", *lines])
    data = {**page.data, "sentences": _judged(plan, draws, answer), "equivalent": decided}
    return Explained(text, data, trees=page.trees)


def _licensed(accounts: Iterable[LicensingAccount | None]) -> list[str]:
    """What noun phrases license, by their meanings, each once."""
    every = (phrase for each in accounts if each is not None for phrase in each.noun_phrases)
    phrases = {(each.constructor, *each.case.values()): each for each in every}
    return [
        f"  {name}({', '.join(case)}), {phrase.meaning}: "
        + ", ".join(f"{asked} {'yes' if each.holds else 'no'}" for asked, each in phrase.properties.items())
        for (name, *case), phrase in phrases.items()
    ]


def _judged(plan: Plan, draws: Draws, answer: PairsAnswer) -> dict[str, Any]:
    """Condition -> its sentence, whether it is good, what repairs it."""
    return {
        name: {
            "sentence": plan.realiser.sentence(condition, draws),
            "good": answer.charted[name].judgement.good,
            "repairs": list(answer.charted[name].judgement.repairs),
        }
        for name, condition in plan.paradigm.conditions.items()
    }
