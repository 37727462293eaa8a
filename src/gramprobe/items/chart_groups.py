"""Groups of instances whose sentences have the same charts, and what the charts say of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gramprobe.items.cells import Text
from gramprobe.items.charts import Charted, Charts
from gramprobe.items.groups import Grouping, Groups, Member, Part
from gramprobe.items.licensing import PROPERTIES
from gramprobe.items.pair_facts import PairFacts, PairsAnswer, decided_of, pairs_of
from gramprobe.items.pair_meanings import PairMeaning, meaning_of
from gramprobe.items.plan import Plan
from gramprobe.items.rows import ChunkCells
from gramprobe.language import Language
from gramprobe.resolve.tree import Tree, unbroken
from gramprobe.space.space import Draws


class ChartGrouping(Grouping):
    """Numbers the rows of chunks: instances with the same charts and the same facts of their pairs, whose sentences
    mean the same but for the words, are one group."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._meanings = _MeaningGrouping(self.plan, (Part(decided_of(self.plan.paradigm)),))

    def of(self, draws: Draws) -> Groups:
        """The groups of each row."""
        plan, (known,), (members,) = self.plan, self._numbers, self.members
        conditions = plan.paradigm.conditions
        codes = np.zeros(len(draws), np.int64)
        if not len(draws):
            return Groups((codes,), {})
        meant = self._meant(draws)
        columns = [plan.realiser.written(each, draws) for each in conditions.values()]
        for row, texts in enumerate(zip(*columns, strict=True)):
            answer = answer_of(plan, dict(zip(conditions, texts, strict=True)))
            said = ((name, each.shape, each.judgement.critical) for name, each in answer.charted.items())
            key = (meant[row], *said, *answer.facts.items())
            if key not in known:
                known[key] = len(members)
                members.append(Member(draws.take(np.array([row])), {}))
            codes[row] = known[key]
        return Groups((codes,), {})

    def _meant(self, draws: Draws) -> list[tuple[int, ...]]:
        """Of each row a number of what its sentences mean, and the values on which hangs what noun phrases license."""
        codes: list[NDArray[np.int32 | np.int64]] = []
        if self._meanings.parts[0].conditions:
            codes += [self._meanings.of(draws).parts[0]]
        if self.plan.paradigm.constraint in PROPERTIES:
            codes += [draws.box]
            codes += [draws.columns[name] for name, slot in self.plan.space.slots.items() if slot.is_feature]
        return [*zip(*(each.tolist() for each in codes), strict=True)] if codes else [()] * len(draws)


class _MeaningGrouping(Grouping):
    """Groups by meaning alone; a constraint that a tree breaks is a matter of its words."""

    def _tree(self, condition: str) -> Tree:
        return unbroken(super()._tree(condition))


def answer_of(plan: Plan, texts: Mapping[str, str]) -> PairsAnswer:
    """What the charts say of the sentences of an instance, by condition."""
    charts = charts_in(plan)
    language = charts.rules.grammar.language
    charted: dict[str, Charted] = {}
    good: list[list[str]] = []
    for name, text in texts.items():
        tokens = language.tokens(text)
        charted[name] = charts.of(text, max((_begun_alike(tokens, each) for each in good), default=0))
        if charted[name].judgement.good:
            good.append(tokens)
    facts = {
        (good.name, bad.name): facts_of(
            texts[good.name], texts[bad.name], charted[bad.name].judgement.critical, language
        )
        for good, bad in pairs_of(plan.paradigm)
    }
    shapes = tuple(dict.fromkeys(each.shape for each in charted.values()))
    return PairsAnswer(sentences=texts, charted=charted, facts=facts, shapes=shapes)


def _begun_alike(tokens: list[str], others: list[str]) -> int:
    """How many tokens two sentences begin with alike."""
    pairs = enumerate(zip(tokens, others, strict=False))
    return next((number for number, (one, other) in pairs if one != other), min(len(tokens), len(others)))


def answer_of_first(plan: Plan, draws: Draws) -> PairsAnswer:
    """What the charts say of the sentences of the first instance."""
    conditions = plan.paradigm.conditions
    return answer_of(plan, {name: plan.realiser.sentence(each, draws) for name, each in conditions.items()})


def meanings_of(plan: Plan, draws: Draws) -> dict[tuple[str, str], PairMeaning]:
    """What is decided of each pair of the first instance."""
    return {(good.name, bad.name): meaning_of(plan, good, bad, draws) for good, bad in pairs_of(plan.paradigm)}


def charts_in(plan: Plan) -> Charts:
    """The charts of a plan whose task has some."""
    if plan.charts is None:
        raise RuntimeError(f"{plan.paradigm.full_name} has no charts")
    return plan.charts


def facts_of(good: str, bad: str, critical: int, language: Language) -> PairFacts:
    """A good and a bad sentence beside each other; ``critical``: the index of the token, -1 for none."""
    ours, theirs = (_words(text, language) for text in (good, bad))
    word = word_at(bad, critical, language)
    alike = bool(ours) and len(ours) == len(theirs)
    differing = [at for at, (one, other) in enumerate(zip(ours, theirs, strict=False)) if one != other]
    places = (differing, differing) if alike else (range(len(ours)), range(len(theirs)))
    return PairFacts(
        critical=word,
        one_prefix=word > 0 and ours[: word - 1] == theirs[: word - 1],
        words=len(differing) if alike else None,
        same_words=_bag(ours, places[0], language) == _bag(theirs, places[1], language) if ours else None,
        same_length=len(language.tokens(good)) == len(language.tokens(bad)),
    )


def word_at(text: str, token: int, language: Language) -> int:
    """The number, from 1, of the word that a token of a text is of; 0 for no token, and where no space stands."""
    if token < 0:
        return 0
    seen = 0
    words = _words(text, language)
    for number, word in enumerate(words, 1):
        seen += _length(word, language)
        if token < seen:
            return number
    return len(words)


def _words(text: str, language: Language) -> list[str]:
    """The words of a text with their marks; none where no space stands between words, which nobody else could count."""
    return text.split(language.joiner) if language.joiner.isspace() else []


@lru_cache(maxsize=1 << 14)
def _length(word: str, language: Language) -> int:
    return len(language.tokens(word))


def _bag(words: list[str], places: Iterable[int], language: Language) -> list[str]:
    """The words at some places, in no order, without marks and the capital of the first."""
    bare = {at: language.bare(words[at]) for at in places}
    return sorted(word if at else word[:1].lower() + word[1:] for at, word in bare.items())


def licensor(cells: ChunkCells, good: str) -> Text:
    """What licenses the good sentence: the level of the factor `licensor`, or what the draw of this name drew; empty
    where a paradigm has neither."""
    paradigm = cells.paradigm
    for factor in paradigm.factors:
        if factor.name == "licensor" and factor.of == "condition":
            return cells.constant(factor.level(good))
    named = next((draw for draw in paradigm.draws if draw.name == "licensor"), None)
    return cells.constant("") if named is None else cells.drawn(named)


def wrong_row(row: Mapping[str, Any], evidence: Any) -> Iterator[str]:
    """What is wrong with a row by the checked charts of its dataset alone."""
    charts = evidence.charts
    if charts is None or charts.grammar is None:
        return  # reported at the grammar
    good, bad = row["sentence_good"], row["sentence_bad"]
    for side, text in (("good", good), ("bad", bad)):
        judged = charts.of(row[f"chart_{side}"], text)
        if judged is None:
            if row[f"chart_{side}"] not in charts.rejected:
                yield f"`chart_{side}` is of other words than `sentence_{side}`, or there is no such chart"
        elif judged.good != (side == "good"):
            yield f"by its chart `sentence_{side}` is {'good' if judged.good else 'bad'}"
        elif side == "bad":
            repairs = ", ".join(judged.repairs)
            if row["repairs"] != repairs:
                yield f"`repairs` is `{row['repairs']}`, and its chart says `{repairs}`"
            if row["constraint"] not in judged.repairs:
                yield f"`constraint` is `{row['constraint']}`, which does not repair it"
    yield from _wrong_meaning(row, evidence)
    words = bad.split()
    number = row["critical"]
    if not number and not row["critical_word"] and not row["one_prefix"]:
        return  # which words go on is not decided
    around = words[number - 1].partition(row["critical_word"]) if 0 < number <= len(words) else None
    if around is None or not row["critical_word"] or any(map(str.isalnum, around[0] + around[2])):
        yield f"`critical_word` is not the word {number} of `sentence_bad`"
    elif bool(row["one_prefix"]) != (good.split()[: number - 1] == words[: number - 1]):
        yield "`one_prefix` does not say whether the sentences are equal up to the critical word"


def _wrong_meaning(row: Mapping[str, Any], evidence: Any) -> Iterator[str]:
    """What is wrong with what a row says of meanings, by its certificates and its account."""
    shapes = row["equivalent_by"].split()
    said = [evidence.line(shape) for shape in shapes]
    if any(line is None and not evidence.is_rejected(s) for s, line in zip(shapes, said, strict=True)):
        yield "`equivalent_by` names a shape of which there is no certificate"
    if row["equivalent"] and said and None not in said:
        same = "yes" if all(line["h_values"] == "T" for line in said) else "no"
        if row["equivalent"] != same:
            yield f"`equivalent` is `{row['equivalent']}`, and its certificates say `{same}`"
    elif row["equivalent"] == "no":
        yield "`equivalent` is `no`, and no certificate says so"
    yield from _wrong_licensing(row, evidence)


def _wrong_licensing(row: Mapping[str, Any], evidence: Any) -> Iterator[str]:
    """What is wrong with the account of the noun phrases of a row: it is of others than those of its sentences."""
    id_ = row["licensing_by"]
    if not id_ or evidence.is_rejected(id_):
        return
    account = evidence.licensing(id_)
    if account is None:
        yield "`licensing_by` names an account that is not there"
        return
    for phrase in account.noun_phrases:
        for side in phrase.stands:
            if not evidence.charts.spells(phrase.constructor, phrase.case, row[f"sentence_{side}"]):
                case = ", ".join(phrase.case.values())
                yield f"`licensing_by` is about `{phrase.constructor}({case})`, which `sentence_{side}` has not"
