"""Conditions on draws: numbers, alternatives, limits; texts, recursion, readings, postulates over two words."""

from __future__ import annotations

import json
from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from projects import write

from gramprobe.items.limits import Column
from gramprobe.items.walk import Walk
from gramprobe.project import Project, load
from gramprobe.space.strata import strata_of

WORDS = [
    ("lynx", 3, "1.5"),
    ("moth", 1, "2"),
    ("newt", 2, "0.25"),
    ("orca", 5, "2"),
    ("puma", 4, "-1"),
    ("rook", 1, "-"),
]
GRAMMAR = r"""
cat Beast[size: number, load: decimal?, kin: Beast?] : e -> t from beasts.tsv word word
cat S : t
sentence S "."
fun Meets (a: Beast, b: Beast) : S
  lin "the" a "met the" b
  sem the x. (a(x), the y. (b(y), meets(x, y)))
fun Is (a: Beast, b: Beast) : S
  lin "the" a "is like a" b
  sem the x. (a(x), b(x))
const meets : e -> e -> t
"""
HEAD = 'paradigm one\nabout "tests"\nsource "tests"\nuses zoo\ntheory {theory}\nsize {size}\n'


def zoo(folder: Path, body: str, theory: str = "classical", logic: str = "", size: str = "all") -> Project:
    rows = "".join(f"{id_}\t{id_}\t{size}\t{load}\t-\n" for id_, size, load in WORDS)
    files = {
        "grammars/zoo.gram": GRAMMAR,
        "lexicon/beasts.tsv": "id\tword\tsize\tload\tkin\n" + rows,
        "grammars/zoo/one.paradigm": HEAD.format(theory=theory, size=size) + body,
    }
    if logic:
        files[f"logic/{theory}.logic"] = logic
    return load(write(folder, files), names=("zoo/one",))


PAIR = "premise\n  p = Meets(a, b)\nhypothesis\n  h = Meets(b, a)\npair p => h\n"


APART = "theory apart\ninclude classical\n"


def drawn(loaded: Project) -> set[tuple[str, str]]:
    assert loaded.errors_for("zoo/one") == ()
    space = loaded.paradigm("zoo/one").space()
    columns = space.draws(space.permutation(0), 0, space.size).columns
    ids = [word[0] for word in WORDS]
    return {(ids[a], ids[b]) for a, b in zip(columns["a"], columns["b"], strict=True)}


SIDES = st.tuples(
    st.lists(st.sampled_from(["a.size", "b.size", "a.load", "b.load"]), max_size=2, unique=True),
    st.sampled_from([-2, 0, 1, 3]),
)
COMPARISONS = st.tuples(SIDES, st.sampled_from(["<", "<=", ">", ">=", "=", "!="]), SIDES)


def text_of(side: tuple[list[str], int]) -> str:
    terms, number = side
    return " + ".join(terms) + (f" {'-' if number < 0 else '+'} {abs(number)}" if number or not terms else " + 0")


def value(side: tuple[list[str], int], words: dict[str, tuple[str, int, str]]) -> float | None:
    total = float(side[1])
    for term in side[0]:
        _, size, load = words[term[0]]
        if term.endswith("load") and load == "-":
            return None
        total += size if term.endswith("size") else float(load)
    return total


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(parts=st.lists(COMPARISONS, min_size=1, max_size=2))
def test_comparisons_and_alternatives_are_those_of_arithmetic(
    parts: list[tuple[tuple[list[str], int], str, tuple[list[str], int]]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    written = " | ".join(f"{text_of(left)} {sign} {text_of(right)}" for left, sign, right in parts)
    signs = {
        "<": float.__lt__, "<=": float.__le__, ">": float.__gt__, ">=": float.__ge__, "=": float.__eq__,
        "!=": float.__ne__,
    }  # fmt: skip
    wanted = set()
    for one, other in product(WORDS, repeat=2):
        words = {"a": one, "b": other}
        sides = [(value(left, words), sign, value(right, words)) for left, sign, right in parts]
        holds = any(x is not None and y is not None and signs[sign](x, y) for x, sign, y in sides)
        if one != other and holds:
            wanted.add((one[0], other[0]))
    loaded = zoo(tmp_path_factory.mktemp("zoo"), f"draw a, b : Beast where a != b, {written}\n" + PAIR)
    if not wanted:
        assert loaded.errors_for("zoo/one") == ()
        with pytest.raises(Exception, match="no words meet"):
            loaded.paradigm("zoo/one").space()
        return
    assert drawn(loaded) == wanted


@pytest.mark.parametrize(
    ("where", "wanted"),
    [
        ("a.load = b.load", {("moth", "orca"), ("orca", "moth")}),
        ("a.load = 1.5 | 0.25, b = moth", {("lynx", "moth"), ("newt", "moth")}),
        ("a = lynx | moth, b = newt", {("lynx", "newt"), ("moth", "newt")}),
        ("a = lynx | b = lynx, b != moth | newt, a != moth | newt | orca", None),
    ],
)
def test_alternatives_of_words(where: str, wanted: set[tuple[str, str]] | None, tmp_path: Path) -> None:
    ids = [word[0] for word in WORDS]
    wanted = wanted or {
        (a, b)
        for a, b in product(ids, repeat=2)
        if a != b and "lynx" in (a, b) and b not in ("moth", "newt") and a not in ("moth", "newt", "orca")
    }
    assert drawn(zoo(tmp_path, f"draw a, b : Beast where a != b, {where}\n" + PAIR)) == wanted


@pytest.mark.parametrize(
    ("where", "code"),
    [
        ("a.word < 3", "E05"),
        ("a < b", "E31"),
        ("a.load = lynx", "E31"),
        ("a.kin < 3", "E31"),
        ("a = b | b = c | a = c", "E31"),
        ("a.size + b.size < c.size", "E31"),
        ("distinct(a, b, c) | a = b", "E31"),
        ("a.size <", "E01"),
    ],
)
def test_wrong_conditions(where: str, code: str, tmp_path: Path) -> None:
    body = f"draw a, b, c : Beast where {where}\n" + PAIR.replace("Meets(b, a)", "Meets(b, c)")
    loaded = zoo(tmp_path, body)
    found = {d.code for d in loaded.errors_for("zoo/one")}
    if not found:
        with pytest.raises(Exception, match=r"E31"):
            loaded.paradigm("zoo/one").space()
    else:
        assert code in found


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("expected", [1, 20, None])
def test_limits_and_repeats_are_those_of_a_plain_loop(tmp_path: Path, expected: int | None, seed: int) -> None:
    """Strata are the sizes of `c`. The next instance is of the size that there may be most of; what is passed over
    repeats a pair, or exceeds a limit that stood then; how many instances are expected makes no difference."""
    body = """draw a, b, c : Beast where a != b, b != c
each b, c at most 3 times in 8
each c.size at most 2 times in 5
premise
  p = Meets(a, b)
  q = Is(a, c)
hypothesis
  h = Meets(b, a)
pair any => h
"""
    plan = zoo(tmp_path, body).paradigm("zoo/one").plan()
    walk = Walk(plan, [("p", "h"), ("q", "h")], seed=seed)
    walk.column = Column("c", "size", 1)
    sizes = list(dict.fromkeys(word[1] for word in WORDS))
    of = np.array([1 + sizes.index(word[1]) for word in WORDS])
    strata = strata_of(plan.space, {"c": of})
    waiting: dict[int, list[tuple[int, int, int]]] = {}
    for stratum in strata.every:
        order = stratum.permutation(plan.space, seed, str(sizes[stratum.number - 1])).at(0, stratum.size)
        columns = strata.draws(plan.space, np.full(len(order), stratum.place), order).columns
        waiting[sizes[stratum.number - 1]] = list(zip(*(columns[name].tolist() for name in "abc"), strict=True))
    every = plan.space.at(np.arange(plan.space.size)).columns
    assert sorted(x for each in waiting.values() for x in each) == sorted(
        zip(*(every[n].tolist() for n in "abc"), strict=True)
    )
    taken: list[tuple[int, int, int]] = []
    seen: set[tuple[int, ...]] = set()
    words: Counter[int] = Counter()
    drawn: Counter[int] = Counter()
    passed = 0
    while True:
        room = {size: 2 * (len(taken) // 5 + 1) - drawn[size] for size in sizes}
        turns = sorted((size for size in sizes if room[size] > 0), key=lambda size: -room[size])
        before = len(taken)
        while len(taken) == before and any(waiting[size] for size in turns):
            for size in turns:
                if not waiting[size]:
                    continue
                a, b, c = waiting[size].pop(0)
                pairs = {(a, b), (a, b, c)}
                full = any(words[word] + n > 3 * (len(taken) // 8 + 1) for word, n in Counter((b, c)).items())
                if full or seen & pairs:
                    passed += 1
                    continue
                taken.append((a, b, c))
                seen |= pairs
                words.update((b, c))
                drawn[size] += 1
                break
        if len(taken) == before:
            break
    stretches = list(walk.stretches(expected))
    found = [zip(*(each.draws.columns[name].tolist() for name in "abc"), strict=True) for each in stretches]
    assert [instance for each in found for instance in each] == taken
    assert len(taken) > 20
    assert sum(sum(each.skipped()) for each in stretches) == passed


@pytest.mark.slow
def test_no_word_is_drawn_more_often_than_allowed(tmp_path: Path) -> None:
    loaded = zoo(
        tmp_path,
        "draw a, b : Beast where a != b\neach word at most 2 times\neach a.size at most 1 times\n" + PAIR,
        size="4",
    )
    built = loaded.build("zoo", tmp_path / "data", n=4)[0].folder
    rows = [json.loads(line) for line in (built / "items" / "one.jsonl").read_text().splitlines()]
    assert len(rows) == 4
    assert max(Counter(word for row in rows for word in row["draws"].values()).values()) <= 2
    sizes = {id_: size for id_, size, _ in WORDS}
    assert max(Counter(sizes[row["draws"]["a"]] for row in rows).values()) == 1
    with pytest.raises(Exception, match="keep the limits"):
        loaded.build("zoo", tmp_path / "data", n=20)


def test_a_limit_may_grow_with_the_sample(tmp_path: Path) -> None:
    """At most one in four: after 4 instances each word was drawn once, after 8 at most twice, whatever `n` is."""
    loaded = zoo(tmp_path, "draw a, b : Beast where a != b\neach a at most 1 time in 4\n" + PAIR, size="12")
    rows = loaded.paradigm("zoo/one").sample(12).to_pylist()
    for block in range(1, 4):
        drawn_ = Counter(row["draws"]["a"] for row in rows[: 4 * block])
        assert max(drawn_.values()) <= block
    assert loaded.paradigm("zoo/one").sample(5).to_pylist() == rows[:5]


def test_a_postulate_over_two_words(tmp_path: Path) -> None:
    logic = APART + "each n, m : Beast where n != m, n.size != m.size postulate ~exists x. (n(x) & m(x))\n"
    body = "draw a, b : Beast where a != b\n" + PAIR.replace("Meets(b, a)", "Is(a, b)")
    loaded = zoo(tmp_path, body, "apart", logic)
    assert loaded.errors_for("zoo/one") == ()
    with pytest.raises(Exception, match="never true whatever the premise says"):
        loaded.paradigm("zoo/one").sample(40)
    same = zoo(tmp_path / "same", body.replace("a != b", "a != b, a.size = b.size"), "apart", logic)
    assert {row["label_name"] for row in same.paradigm("zoo/one").sample(10).to_pylist()} == {"neutral"}


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("each n, m, k : Beast postulate ~exists x. (n(x) & m(x))", "E31"),
        ("each n, n : Beast postulate ~exists x. n(x)", "E16"),
        ("each n, m : Beasts postulate ~exists x. (n(x) & m(x))", "E02"),
        ("each n, m : Beast where n.sort != m.sort postulate ~exists x. (n(x) & m(x))", "E05"),
        ("each n, m : Beast where n.size < m.size postulate ~exists x. (n(x) & m(x))", "E31"),
        ("each n, m : Beast postulate forall x. (n(x) -> m.kin(x))", "E31"),
    ],
)
def test_wrong_postulates_over_two_words(line: str, code: str, tmp_path: Path) -> None:
    loaded = zoo(tmp_path, "draw a, b : Beast where a != b\n" + PAIR, "apart", f"{APART}{line}\n")
    assert {d.code for d in loaded.errors_for("zoo/one")} == {code}


def test_a_premise_of_two_sentences(tmp_path: Path) -> None:
    text = PAIR.replace("p = Meets(a, b)", "p = Is(a, b), Meets(a, b)").replace("Meets(b, a)", "Is(a, b)")
    body = "draw a, b : Beast where a != b\n" + text.replace("p => h", "p => h expect entailment")
    loaded = zoo(tmp_path, body)
    row = loaded.paradigm("zoo/one").sample(1).to_pylist()[0]
    one, other = row["draws"]["a"], row["draws"]["b"]
    assert row["premise"] == f"The {one} is like a {other}. The {one} met the {other}."
    assert row["label_name"] == "entailment"


DEEP = r"""uses english.clauses
fun Both2 (a: NP, b: NP) : NP[num=pl, class=named, sort=person]
  lin a "and" b
  sem \P. (a(P) & b(P))
"""
DEEPER = """paradigm one
about "tests"
source "tests"
uses deep
theory classical
draw a : NP by Name, Both2 depth 1
draw v : VP by Intransitive
premise
  p = Assert(Clause(past, a, v))
hypothesis
  h = Neg(Clause(past, a, v))
pair p => h
"""


def test_trees_within_trees_to_a_depth(tmp_path: Path) -> None:
    files = {"grammars/deep.gram": DEEP, "grammars/deep/one.paradigm": DEEPER}
    loaded = load(write(tmp_path, files), names=("deep/one",))
    assert loaded.errors_for("deep/one") == ()
    names = {skeleton.constructors for skeleton in loaded.declarations.paradigms["deep/one"].draws[0].skeletons}
    assert names == {("Name",), ("Both2", "Name", "Name")}


@pytest.mark.parametrize("depth", ["4", "50", "100000000"])
def test_too_many_trees_are_an_error_at_the_depth(depth: str, tmp_path: Path) -> None:
    files = {
        "grammars/deep.gram": DEEP,
        "grammars/deep/one.paradigm": DEEPER.replace("Name, Both2 depth 1", f"Name, Someone, Both2 depth {depth}"),
    }
    (problem,) = load(write(tmp_path, files), names=("deep/one",)).errors_for("deep/one")
    assert (problem.code, problem.span.line) == ("E35", 6)


def test_two_readings_of_one_sentence_are_two_conditions(tmp_path: Path) -> None:
    body = """draw n : N[class=worker]
draw v : VP by Intransitive
let s = Neg(Clause(past, Universal(every, n), v))
premise
  wide   = s reading "every > not"
  narrow = s reading "not > every"
hypothesis
  nobody = Assert(Clause(past, Negative(no, n), v))
pair wide   => nobody   expect entailment
pair narrow => nobody   expect neutral
allow duplicates because "two readings of one sentence"
"""
    head = HEAD.format(theory="classical", size=3).replace("uses zoo", "uses english.scope")
    write(tmp_path, {"grammars/zoo/one.paradigm": head + body})
    loaded = load(tmp_path, names=("zoo/one",))
    rows = loaded.paradigm("zoo/one").sample(1).to_pylist()
    assert {row["label_name"] for row in rows} == {"entailment", "neutral"}
    assert len({row["premise"] for row in rows}) == 1


VERBS = r"""
feature num = sg | pl
feature tense = present | past
cat Noun[num] : e -> t from nouns_.tsv forms sg, pl
cat Verb[tense, num] : e -> t from verbs_.tsv forms present_sg, present_pl, past
cat S : t
sentence S "."
fun Say (t: tense, d: num, n: Noun, v: Verb) : S
  lin "the" n[num=d] v[tense=t, num=d]
  sem exists x. (n(x), v(x))
fun Not (t: tense, d: num, n: Noun, v: Verb) : S
  lin "no" n[num=d] v[tense=t, num=d]
  sem ~exists x. (n(x), v(x))
"""


def test_two_features_choose_a_form_together(tmp_path: Path) -> None:
    body = "draw t : tense\ndraw d : num\ndraw n : Noun\ndraw v : Verb\npremise\n  p = Say(t, d, n, v)\n"
    files = {
        "grammars/verbs.gram": VERBS,
        "lexicon/nouns_.tsv": "id\tsg\tpl\ncat\tcat\tcats\n",
        "lexicon/verbs_.tsv": "id\tpresent_sg\tpresent_pl\tpast\ngo_\tgoes\tgo\twent\n",
        "grammars/zoo/one.paradigm": HEAD.format(theory="classical", size="all").replace("zoo", "verbs")
        + body
        + "hypothesis\n  h = Not(t, d, n, v)\npair p => h\n",
    }
    loaded = load(write(tmp_path, files), names=("zoo/one",))
    assert loaded.errors_for("zoo/one") == ()
    rows = loaded.paradigm("zoo/one").sample(10).to_pylist()
    assert {row["premise"] for row in rows} == {"The cat goes.", "The cats go.", "The cat went.", "The cats went."}
    write(
        tmp_path,
        {
            "grammars/verbs.gram": VERBS.replace("present_pl, ", ""),
            "lexicon/verbs_.tsv": "id\tpresent_sg\tpast\ngo_\tgoes\twent\n",
        },
    )
    problems = load(tmp_path, names=("zoo/one",)).errors_for("zoo/one")
    assert {problem.code for problem in problems} == {"E05"}
    assert "present+pl" in problems[0].message
