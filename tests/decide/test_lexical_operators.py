"""Operators of words: `operator each VS ... around K where factive = yes`, and words that are operators by name."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import shipped
from support.labels import labelled

from gramprobe.decide.label import Decider
from gramprobe.formula.notation import parse
from gramprobe.project import load
from gramprobe.resolve.grammar.data import Grammar, Lexeme
from gramprobe.resolve.theory.data import Theory
from gramprobe.resolve.theory.slicing import slice_for
from gramprobe.source.diagnostic import AuthoringError, Findings

E, N, C = "entailment", "neutral", "contradiction"


@cache
def grammar() -> Grammar:
    return shipped.grammar_of("theory_of_mind/depth")


@cache
def theory(name: str = "attitudes") -> Theory:
    theory = shipped.declarations().theory(name, grammar(), Findings())
    assert theory is not None
    return theory


@cache
def words() -> dict[str, Lexeme]:
    return grammar().symbols()


def verbs(factive: str) -> list[str]:
    return [x.id for x in grammar().categories["VS"].lexemes if x.columns["factive"] == factive]


FACTIVE, OTHER = verbs("yes"), verbs("no")


def label(premise: str, hypothesis: str, name: str = "attitudes", decider: Decider | None = None) -> str | None:
    known = theory(name)
    operators = (*known.operator_names, *FACTIVE, *OTHER)
    before, after = (parse(text, operators=operators) for text in (premise, hypothesis))
    return (decider or Decider()).decision(before, after, slice_for((before, after), known, words())).verdict.label


def test_the_papers_verbs_are_there_and_more() -> None:
    assert {f"{v}_that" for v in ("know", "see", "learn", "understand", "recognize", "remember")} < set(FACTIVE)
    assert {f"{v}_that" for v in ("believe", "think", "assume", "suspect")} < set(OTHER)


@pytest.mark.parametrize("verb", FACTIVE)
def test_knowing_is_the_most_general_factive_attitude(verb: str) -> None:
    """Williamson 2000: to see, learn, notice that p is to know it; not the other way round."""
    assert label(f"{verb}[a] p", "know_that[a] p") == E
    assert label(f"{verb}[a] p", "p") == E
    assert label("know_that[a] p", f"{verb}[a] p") == (E if verb == "know_that" else N)


@pytest.mark.parametrize("verb", OTHER)
def test_a_belief_need_not_be_true(verb: str) -> None:
    assert label(f"{verb}[a] p", "p") == N
    assert label(f"{verb}[a] p", f"{verb}[a] ~p") == C
    same = verb in ("believe_that", "think_that")
    assert label("know_that[a] p", f"{verb}[a] p") == (E if same else N)


def test_thinking_is_believing_and_nothing_else_is() -> None:
    assert label("think_that[a] p", "believe_that[a] p") == label("believe_that[a] p", "think_that[a] p") == E
    assert label("think_that[a] p", "suspect_that[a] p") == label("suspect_that[a] p", "think_that[a] p") == N
    assert label("see_that[a] p", "notice_that[a] p") == label("notice_that[a] p", "see_that[a] p") == N


def test_only_knowing_is_introspected() -> None:
    assert label("know_that[a] p", "know_that[a] know_that[a] p") == E
    assert label("see_that[a] p", "see_that[a] see_that[a] p") == N
    assert label("believe_that[a] p", "know_that[a] believe_that[a] p") == E


def test_two_verbs_of_one_pattern_are_one_question() -> None:
    """Which of two like verbs comes first in the lexicon makes no other shape of a pair."""
    decider = Decider()
    for one, other in (("see_that", "learn_that"), ("learn_that", "see_that"), ("notice_that", "discover_that")):
        assert label(f"{one}[a] {other}[b] p", "K[a] p", decider=decider) == E
    assert len(decider.verdicts) == 1


@given(
    st.sampled_from([*FACTIVE, *OTHER]),
    st.sampled_from([("p & q", "p"), ("p", "p | q"), ("p & (p -> q)", "q"), ("~(p | q)", "~q"), ("p & q", "q & p")]),
    st.sampled_from(["a", "b"]),
)
def test_every_verb_is_closed_under_entailment(verb: str, pair: tuple[str, str], other: str) -> None:
    """C of Cohen 2021, for one person; nothing follows of another."""
    weaker, stronger = pair[1], pair[0]
    assert label(stronger, weaker) == E
    assert label(f"{verb}[a] ({stronger})", f"{verb}[{other}] ({weaker})") == (E if other == "a" else N)


@given(st.lists(st.sampled_from(FACTIVE), min_size=1, max_size=4), st.sampled_from(OTHER))
def test_factive_verbs_come_off_whatever_their_number(above: list[str], belief: str) -> None:
    prefix = "".join(f"{verb}[c{number}] " for number, verb in enumerate(above))
    assert label(f"{prefix}p", "p") == E
    assert label(f"{belief}[a] {prefix}p", f"{belief}[a] p") == E
    assert label(f"{belief}[a] {prefix}p", "p") == N


def test_forgetting_is_closed_under_equivalence_only() -> None:
    for name in ("attitudes", "forget-neighbourhood"):
        assert label("forget[a] (p & q)", "forget[a] p", name) == N
        assert label("forget[a] (p & q)", "forget[a] (q & p)", name) == E


# ---- a theory of one's own ---------------------------------------------------------------------------------------

ATT = r"""feature form = base | past
feature yesno = yes | no
cat Who : e from who.tsv word name
cat Att[form, sure: yesno] from att.tsv forms base, past
cat S : t
sentence S "."
const rain : t
fun Rains : S
  lin "it rained"
  sem rain
fun Holds (w: Who, v: Att, s: S) : S
  lin w v[form=past] "that" s
  sem v[w] s
"""
PARADIGM = """paradigm one
uses att
theory own
draw w : Who
draw v : Att[learn_|hope_]
premise
  held = Holds(w, v, Rains)
hypothesis
  it   = Rains
pair held => it
"""
WORDS = "id\tbase\tpast\tsure\nlearn_\tlearn\tlearned\tyes\nhope_\thope\thoped\tno\nsee_\tsee\tsaw\tyes\n"


def own(folder: Path, *lines: str) -> dict[str, str]:
    """The label of each verb's row in a theory of these lines."""
    files = {
        "grammars/att.gram": ATT,
        "grammars/mine/one.paradigm": PARADIGM,
        "lexicon/att.tsv": WORDS,
        "lexicon/who.tsv": "id\tname\numa\tUma\n",
        "logic/own.logic": "theory own\ninclude classical\n" + "\n".join(lines) + "\n",
    }
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    labels = labelled(load(folder, names=["mine/one"]).paradigm("mine/one"), 2)
    lexemes = labels.plan.grammar.categories["Att"].lexemes
    (pair,) = labels.pairs
    return {lexemes[m].id: pair.decided[pair.group[i]].label for i, m in enumerate(labels.draws.columns["v"].tolist())}


def test_the_words_that_a_line_is_about(tmp_path: Path) -> None:
    lines = ("operator each Att box frame reflexive where sure = yes", "operator each Att box where sure != yes")
    assert own(tmp_path, *lines) == {"learn_": E, "hope_": N}


def test_of_several_lines_the_last_one_counts(tmp_path: Path) -> None:
    lines = ("operator each Att box frame reflexive", "operator each Att box where sure = yes")
    assert own(tmp_path, *lines) == {"learn_": N, "hope_": E}


def test_a_word_that_is_an_operator_by_name_is_that_one(tmp_path: Path) -> None:
    assert own(tmp_path, "operator each Att box", "operator hope_ box frame reflexive") == {"learn_": N, "hope_": E}


def test_a_word_that_is_defined_is_what_the_definition_says(tmp_path: Path) -> None:
    lines = ("operator each Att box", "operator T box frame reflexive", "define learn_[a] F = T[a] F")
    assert own(tmp_path, *lines) == {"learn_": E, "hope_": N}


@pytest.mark.slow
def test_what_lies_within_a_words_relation(tmp_path: Path) -> None:
    """`around`: the box of the word entails the other's."""
    own(tmp_path, "operator T box frame reflexive", "operator each Att box around T where sure = yes",
        "operator hope_ box")  # fmt: skip
    project = load(tmp_path)
    plan = project.paradigm("mine/one").plan()
    for verb, expected in (("learn_", E), ("hope_", N)):
        pair = parse(f"{verb}[a] p", operators=(verb,)), parse("T[a] p", operators=("T",))
        assert Decider().decision(*pair, slice_for(pair, plan.theory, plan.symbols)).verdict.label == expected


def test_a_drawn_word_without_operator_is_reported(tmp_path: Path) -> None:
    with pytest.raises(AuthoringError, match="declares no operator `hope_`"):
        own(tmp_path, "operator each Att box where sure = yes")


def test_who_denies_a_part_denies_the_whole() -> None:
    """Denying is downward monotone: the other way round it would be saying."""
    assert shipped.project().decide("deny_that[a] p", "deny_that[a] (p & q)", theory="attitudes").verdict.label == E
    assert shipped.project().decide("deny_that[a] (p & q)", "deny_that[a] p", theory="attitudes").verdict.label == N
    assert shipped.project().decide("deny_that[a] p", "~deny_that[a] ~p", theory="attitudes").verdict.label == E
