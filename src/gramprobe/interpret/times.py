"""The times that the words of a sentence speak of: what is said of one time is no reason for what is said of another.

Tense has no part in the formulas of most theories: *Emma was a nurse* and *Emma is a nurse* have one. What a noun is
true of inside a noun phrase may be of another time than the verb (Enç 1986), and counts as said of any.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence

from gramprobe.resolve.grammar.data import Grammar
from gramprobe.resolve.grammar.types import CLAUSES, E_TYPE, Function, Type, is_quantifier
from gramprobe.resolve.tree import Apply, Given, Tree
from gramprobe.words.linearise import case_holds

PAST, PRESENT, FUTURE = "past", "present", "future"
COVERS = {
    "until now": (PAST, PRESENT, "by now", "lately", "formerly"),
    "by now": (PAST, "until now", "lately", "formerly"),
}
"""Times, as a language names them, and those of which what is said of them is said, too: *has not sung* of *sang*."""
SOME = dict.fromkeys((PAST, "earlier", "formerly", "lately"), ("until now", "by now"))
"""The same of what is said to be so, and not to be so at no time: *sang* of *has sung*."""
ASKED = {PAST: ("formerly",), "formerly": (PAST,), "lately": (PAST,)}
"""The same where the hypothesis denies nothing: who used to sing sang, and may not have sung at the time that is meant
(Partee 1973)."""
TENSES = {"formerly": PAST}
"""Times that are of a tense with another name."""
BESIDE = "beside"
"""The time of what is said by the way without a verb, which is that of the rest of its sentence."""
UNTIED = ("", "siblings", "independent")
"""Relations of words by which nothing follows."""
Said = tuple[str, str, bool]
"""A word, the constructor of a clause whose predicate is no word, or the category of such a predicate; its time, empty
where nothing says it; whether it stands inside a noun phrase."""
Covering = Callable[[str, str], Collection[str]]
"""Of a word that is said of a time the other times of which it is said."""


def times(tree: Tree, grammar: Grammar, words: Container[str]) -> frozenset[Said]:
    """The words of a tree, each with the time of its clause, as the `times` of the language name it."""
    said = frozenset(_said(tree, "", False, grammar, words))
    others = {time for _, time, _ in said} - {"", BESIDE} or {""}
    return frozenset((word, each, inside) for word, time, inside in said
                     for each in (others if time == BESIDE else (time,)))  # fmt: skip


def _said(
    tree: Tree, time: str, inside: bool, grammar: Grammar, words: Container[str], timed: bool = False
) -> Iterator[Said]:
    """``timed``: whether a constructor above has taken its time from this one, an auxiliary."""
    if not isinstance(tree, Apply):
        category = grammar.categories.get(tree.category)  # None for the value of a feature
        if isinstance(tree, Given) and tree.value in words and category is not None and category.type != E_TYPE:
            yield tree.value, time, inside
        return
    of = grammar.language.times
    named = (f"{each.category}.{each.value}" for each in tree.given if isinstance(each, Given))
    given = next((of[each] for each in named if each in of), "")
    auxiliaries = (each.constructor.name for each in tree.given if isinstance(each, Apply) and given)
    heads = () if timed else (tree.constructor.name, *auxiliaries)  # *had sung* is earlier than what *had* is
    own = next((of[key] for each in heads for key in (f"{each}.{given or time}", each) if key in of), given)
    inside = not own and (inside or _is_phrase(grammar.categories[tree.constructor.result].type))
    below = {each for part in tree.given for each in _said(part, own or time, inside, grammar, words, bool(given))}
    yield from below
    if own and all(phrase or other != own for _, other, phrase in below):
        clause = grammar.categories[tree.constructor.result].type in CLAUSES
        yield tree.constructor.name if clause else tree.constructor.result, own, False


def _is_phrase(type_: Type | None) -> bool:
    """Whether a type is that of noun phrases, and of no adjective, which makes a noun of one."""
    return isinstance(type_, Function) and is_quantifier(type_) and type_.result != type_.argument


def mentioned(
    tree: Tree, grammar: Grammar, words: Container[str]
) -> tuple[tuple[tuple[str, str], ...], tuple[tuple[str, int], ...]]:
    """The words of a tree in its order, with their categories; and its anaphors that are named by a value of a feature,
    each with the number of words before it, in the order in which a reading has them."""
    said: list[tuple[str, str]] = []
    pronouns: list[tuple[str, int]] = []

    def visit(part: Tree) -> None:
        if isinstance(part, Given) and part.value in words and not part.is_feature:
            said.append((part.category, part.value))
        elif isinstance(part, Apply):
            before = len(said)
            for each in part.given:
                visit(each)
            for refers in part.constructor.refers:
                if case_holds(refers.cases, part, {}, {}, grammar):
                    values = (v for f in grammar.features.values() for v in f.values if v in refers.names)
                    pronouns.extend((value, before) for value in [*values][:1])

    visit(tree)
    return tuple(said), tuple(pronouns)


def tenses(said: Iterable[Said]) -> set[str]:
    """The times of which something is said, by their tense."""
    return {TENSES.get(time, time) for _, time, _ in said if time}


def speaks_later(premises: Sequence[frozenset[Said]], hypothesis: frozenset[Said]) -> bool:
    """Whether the hypothesis speaks of a time of which no premise does, and these of another one."""
    known = tenses(each for premise in premises for each in premise)
    return bool(known) and bool(tenses(hypothesis) - known)


def without_its_times(premises: Sequence[frozenset[Said]], hypothesis: frozenset[Said]) -> tuple[int, ...]:
    """The premises that speak of some times, and not of all of which the hypothesis does."""
    asked, known = tenses(hypothesis), map(tenses, premises)
    return tuple(at for at, times in enumerate(known) if times and asked - times)


def with_related(said: frozenset[Said], asked: frozenset[Said], tie: Callable[[str, str], str]) -> frozenset[Said]:
    """The words of a premise, and those of a hypothesis of which one of them says something, with its time: *was dead*,
    *is alive*."""
    pairs = ((each, other) for each in said for other, _, _ in asked if tie(each[0], other) not in UNTIED)
    return said | {(other, *each[1:]) for each, other in pairs}


def of_another_time(
    premises: Sequence[frozenset[Said]], hypothesis: frozenset[Said], covers: Covering
) -> tuple[str, ...]:
    """The words that the premises have and the hypothesis says of another time."""
    said, anywhere = _times_of(frozenset().union(*premises), covers)
    found = (
        word
        for word, time, inside in sorted(hypothesis)
        if time and said[word] and not (inside and word in anywhere) and not {time, ""} & said[word]
    )
    return tuple(dict.fromkeys(found))


def covered(word: str, time: str, plain: bool, positive: tuple[bool, bool], is_verb: Callable[[str], bool]) -> set[str]:
    """The times of which a word is said, too, that is said of one.

    Args:
        word: the word, or the name of a kind of clause.
        time: the time.
        plain: whether the premises only say of some that something holds of them, so that what is said of a time before
            another (*had sung*) holds of some time before now.
        positive: whether nothing is denied in the premises, and in the hypothesis.
        is_verb: whether a word is a verb: of the present, that is what somebody does as a rule.
    """
    said, asked = positive
    found = {*COVERS.get(time, ()), *(SOME.get(time, ()) if plain else ()), *(ASKED.get(time, ()) if asked else ())}
    if time == "earlier" and plain and asked:
        found.add(PAST)
    if is_verb(word):
        found.discard(PRESENT)  # who has not sung may be one who sings
    elif time == "by now" and said and not asked:
        found.discard(PAST)  # who has been happy may not have been at some time
    return found


def of_two_times(
    premises: Sequence[frozenset[Said]], hypothesis: frozenset[Said], covers: Covering
) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The words that premises say of the time of the hypothesis, and of another one, too, each with the premises that
    say it of another alone; with none where one premise says it of both (*Emma sang and Noah is singing*)."""
    for word, time, _ in sorted(hypothesis):
        own = [[other for name, other, inside in said if name == word and not inside] for said in premises]
        known = [[bool({time, ""} & {other, *covers(word, other)}) for other in of] for of in own]
        if time and any(True in of for of in known) and any(False in of for of in known):
            both = any(True in of and False in of for of in known)
            yield word, () if both else tuple(at for at, of in enumerate(known) if False in of)


def _times_of(said: Collection[Said], covers: Covering) -> tuple[dict[str, set[str]], set[str]]:
    """The times of which words are said, with those that these cover, and the words inside noun phrases."""
    times: dict[str, set[str]] = defaultdict(set)
    anywhere = set[str]()
    for word, time, inside in said:
        if inside:
            anywhere.add(word)
        else:
            times[word] |= {time, *covers(word, time)}
    return times, anywhere


def nouns_of_then(premises: Sequence[frozenset[Said]], hypothesis: frozenset[Said]) -> frozenset[str]:
    """The words that the hypothesis says of now, and the premises only in noun phrases of then: *no nurse sang*."""
    of_now = [any(time == PRESENT for _, time, _ in premise) for premise in premises]
    said = [(*each, now) for premise, now in zip(premises, of_now, strict=True) for each in premise]
    asked = {word for word, time, inside in hypothesis if time == PRESENT and not inside}
    also = {word for word, _, inside, now in said if now or not inside}
    return frozenset((asked & {word for word, *_ in said}) - also)


def never_at_once(premises: Sequence[frozenset[Said]], hypothesis: frozenset[Said]) -> bool:
    """Whether premises speak of what will be and the hypothesis of what was, or the other way round."""
    said, asked = tenses(each for premise in premises for each in premise), tenses(hypothesis)
    return any(one in said and other in asked - said for one, other in ((FUTURE, PAST), (PAST, FUTURE)))
