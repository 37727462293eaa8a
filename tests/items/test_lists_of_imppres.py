"""What IMPPRES lists (Jeretic et al. 2020, tables 1 to 3 and the released sets): every trigger, embedding, determiner,
connective, modal, numeral, denial and wh-word comes up in the sentences that are built. What is left out, and why:

- `used to`, `had been` in the hypotheses about a change, and the bare `before`: they do not follow (docs/theory).
- emphatic `do`, and the bare present of events: they need a context (decision 005).
- `all two`: English says `both`.
- `wonder`, `investigate`, `think about`: not veridical with a question.
- `V none of the N` in the object: English denies the verb (`didn't V any of the N`).
- `It's possible that it was N who ...`: two clauses that begin with `it`; the clefts say `might` alone.
- `it's okay`: what follows is chosen by the verb (decision 046), and `it` would be what the clause is about.
- `all five N` and `both N` before the verb: `didn't` beside them has two readings;
  they float (`the five N didn't all V`).
- `There aren't exactly two N`, `doesn't have exactly one N`: the denial names another number (docs/theory).
- a possessive with a relative clause: it has an adjective (docs/theory).
- `These N and those M didn't both V`: of several and several `It isn't true that both` is said.
- numerals beside a negation (`two waiters didn't yawn`, `didn't visit two museums`): people part over where it stands;
  a relative clause holds it (`there were two waiters who didn't yawn`).
- `may not`: it may say what one is free not to do; *isn't allowed to* is the denial of *may*.
- `might have` of a change: it may be what did not come about; a time before a question: *Is it true that at noon ...*.
- `only` before a verb with an object: the verb, too, may be its focus.
- weak and strong words without a source that puts them on one scale (decision 026).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from support import shipped

pytestmark = pytest.mark.slow

#: how many instances are read; each form below comes up in at least one of twenty
INSTANCES = 40

NUMERALS = "three|four|five|six|seven|eight|nine|ten"

TRIGGERS = {
    "all_n": (
        rf"^The ({NUMERALS}) .* all ",
        rf"^The (two|{NUMERALS}) (?!.* all )",
    ),
    "both": (r"^The \w+.* both ",),
    "change_of_state": (r"^\w+ [\w' ]+ (the \w+|[A-Z]\w+) \w+",),
    "change_of_state_object": (r"^\w+ [\w' ]+ the \w+",),
    "cleft_existence": (r"^It('s| was) [A-Z]\w+ (who|that) ", r"^It('s| was) the [\w ]+ (who|that) "),
    "cleft_uniqueness": (r"^It('s| was) [A-Z]\w+ (who|that) ", r"^It('s| was) the [\w ]+ (who|that) "),
    "definite_uniqueness": (r"^The person who \w+", r"^The person that \w+"),
    "only": (r"\bonly \w+(ed|ing) ", r"\w+(ed|ing) only \w+"),
    "possessed_definites_existence": (r"^[A-Z]\w+'s \w+",),
    "possessed_definites_uniqueness": (r"^[A-Z][\w ]+'s [\w -]+ \w+",),
    "question": (r" why ", r" where ", r" when ", r" how "),
}
NEGATED = r"n't\b"
MIGHT = r"\bmight\b"
POSSIBLE = r"^It's possible that\b"
#: sets with one of the two modal forms
ONE_MODAL = {"cleft_existence": MIGHT, "cleft_uniqueness": MIGHT, "change_of_state_object": POSSIBLE}
FOLLOWS = (
    "that's okay|no one will mind|someone will have to pay for it|Walt owes Fay five dollars|Walt will write Fay a note"
    "|Walt will hear about it"
)
IN_EMBEDDINGS = {
    "negated": (NEGATED,),
    "interrogative": (r"\?$",),
    "conditional": (rf"^If,? .*, ({FOLLOWS})\.$",),
}
DENIALS = (
    r"^There (are|were) exactly \w+ ",
    r"^There (are|were) more than \w+ ",
    r"^There (are|were) dozens of ",
)

#: paradigm -> the sentences of its four conditions: weak, strong, not weak, not strong
SCALES = {
    "connectives": (r"^\w+ or \w+ ", r"^\w+ and \w+ ", r"^Neither \w+ nor \w+ ", r"^\w+ and \w+ \w+n't both "),
    "connectives_definites": (r" or ", r" and ", r"^Neither .* nor ", r" and .*n't both |n't true that both .* and "),
    "gradable_adjectives": (r"\b(is|are|was|were) \w+", r"\b(is|are|was|were) \w+", NEGATED, NEGATED),
    "gradable_verbs": (r"\w", r"\w", NEGATED, NEGATED),
    "modals": (r" allowed to ", r" required to ", r"n't allowed to ", r"n't required to "),
    "modals_bare": (r" (could|can) ", r" (needed to|has to|have to) ", r" (couldn't|can't) ", r"n't (need|have) to "),
    "modals_rules": (
        r", .* (can|may) ",
        r", .* has to ",
        r", .* (can't|isn't allowed to) ",
        r", .* doesn't have to ",
    ),
    "numerals_2_3_subject": (r" two .* (who|that) ", r" three ", rf" two .*{NEGATED}", rf" three .*{NEGATED}"),
    "numerals_2_3_object": (r" two .* that ", r" three .* that ", rf" two .*{NEGATED}", rf" three .*{NEGATED}"),
    "numerals_10_100_subject": (r" ten .* (who|that) ", r" hundred ", rf" ten .*{NEGATED}", rf" hundred .*{NEGATED}"),
    "numerals_10_100_object": (r" ten .* that ", r" hundred .* that ", rf" ten .*{NEGATED}", rf" hundred .*{NEGATED}"),
    "quantifiers_bare": (r"^Some (?!of)", r"^All (?!of)", r"^No ", r"^Not all (?!of)"),
    "quantifiers_subject": (r"^Some of the ", r"^All of the ", r"^None of the ", r"^Not all of the "),
    "quantifiers_object": (r" some of the ", r" all of the ", r"n't .* any of the ", r"n't .* all of the "),
}
#: further words of a condition, each of which comes up
WORDS = {
    ("modals_bare", "weak"): (r" could ", r" can "),
    ("modals_rules", "weak"): (r" can ", r" may "),
    ("connectives_definites", "weak"): (r"^The ", r"^(This|That) ", r"^(These|Those) "),
    ("gradable_adjectives", "weak"): (r"^The ", r"^Th(is|at|ese|ose) ", r" are | were ", r" is | was "),
    ("possessed_definites_existence", "presupposed"): (r" an? \w+", r"(had|has|have) (?!an? )[\w -]+s\.$"),
}


@cache
def sentences(name: str) -> dict[str, list[str]]:
    """Condition -> its sentences, one of each of the first instances of a paradigm; nothing is decided of them."""
    space, realiser = shipped.space(name), shipped.realiser(name)
    draws = space.draws(space.permutation(0), 0, INSTANCES)
    conditions = shipped.paradigm(name).conditions.items()
    return {name: [str(text) for text in realiser.sentences(each, draws).to_pylist()] for name, each in conditions}


def large(name: str) -> Any:
    """A paradigm of presupposition for `parametrize`; those with large spaces, but for `both`, are looked at by
    `make test-deep`."""
    is_large = f"presupposition/{name}" in shipped.LARGE and name != "both"
    return pytest.param(name, marks=pytest.mark.deep) if is_large else name


def missing(texts: list[str], forms: tuple[str, ...]) -> Iterator[str]:
    return (form for form in forms if not any(re.search(form, text) for text in texts))


@pytest.mark.parametrize("paradigm", [large(name) for name in TRIGGERS])
def test_every_trigger_stands_in_every_embedding(paradigm: str) -> None:
    own = sentences(f"presupposition/{paradigm}")
    assert not list(missing(own["trigger"], TRIGGERS[paradigm]))
    for condition, (form,) in IN_EMBEDDINGS.items():
        assert all(re.search(form, text) for text in own[condition]), condition
    modal = own["modal"]
    assert all(re.search(f"{MIGHT}|{POSSIBLE}", text) for text in modal)
    if paradigm in ONE_MODAL:
        assert all(re.search(ONE_MODAL[paradigm], text) for text in modal)
    else:
        assert not list(missing(modal, (MIGHT, POSSIBLE)))


@pytest.mark.parametrize("which", ["small", pytest.param("all", marks=pytest.mark.deep)])
def test_what_follows_is_chosen_by_the_verb(which: str) -> None:
    names = [name for name in shipped.paradigms() if name.startswith("presupposition/")]
    names = [name for name in names if which == "all" or name not in shipped.LARGE]
    conditionals = [text for name in names for text in sentences(name).get("conditional", [])]
    assert {text.rpartition(", ")[2] for text in conditionals} == {f"{each}." for each in FOLLOWS.split("|")}


@pytest.mark.parametrize("paradigm", [large("all_n"), "both"])
def test_every_denial_of_a_number(paradigm: str) -> None:
    assert not list(missing(sentences(f"presupposition/{paradigm}")["denied"], DENIALS))


@pytest.mark.parametrize("paradigm", SCALES)
def test_every_word_of_a_scale(paradigm: str) -> None:
    own = sentences(f"implicature/{paradigm}")
    for condition, form in zip(("weak", "strong", "not_weak", "not_strong"), SCALES[paradigm], strict=True):
        wrong = [text for text in own[condition] if not re.search(form, text)]
        assert not wrong, (condition, form)


@pytest.mark.parametrize(("paradigm", "condition"), WORDS)
def test_every_form_comes_up(paradigm: str, condition: str) -> None:
    phenomenon = "presupposition" if paradigm in TRIGGERS else "implicature"
    texts = sentences(f"{phenomenon}/{paradigm}")[condition]
    assert not list(missing(texts, WORDS[paradigm, condition]))
