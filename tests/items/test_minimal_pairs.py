"""The task `minimal_pair`: rows, what is derived of them, what authors claim, and what people are shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.minimal_pairs import AGREEMENT, CROSSED, GUESSED, PARADIGM, built, project_of, rows_of

from gramprobe.cli.main import main
from gramprobe.items.chart_groups import facts_of, word_at
from gramprobe.items.pair_facts import PairFacts, differences, unmet
from gramprobe.language import english
from gramprobe.records import regions_around
from gramprobe.score.results import read_scores
from gramprobe.source.diagnostic import AuthoringError

THREE = f"""good
  plain  = Assert(Clause(present, This(n), v))
  across = Assert(Can(Beside(This(n), These(m)), v))
  can    = Assert(Can(This(n), v))
bad
  wrong  = Assert(Clause(present, This(n), v)) breaking agree sv
constraint agree sv
{GUESSED}"""

CELLS = """good
  plain  = Assert(Clause(present, This(n), v))
  across = Assert(Clause(present, Beside(This(n), These(m)), v))
  can    = Assert(Can(This(n), v))
bad
  wrong  = across breaking agree sv
constraint agree sv
"""


def test_a_row_is_a_pair_with_what_was_derived_of_it(tmp_path: Path) -> None:
    rows = rows_of(built(tmp_path))
    assert len(rows) == 12  # a pair that `m` is not in stands once
    for row in rows:
        good, bad = row["sentence_good"][:-1].split(" "), row["sentence_bad"][:-1].split(" ")
        assert good[:-1] == bad[:-1] and good[-1] == f"{bad[-1]}s"
        assert (row["constraint"], row["repairs"], row["one_prefix"], row["licensor"]) == (
            "agree sv",
            "agree sv",
            1,
            "",
        )
        assert row["critical"] == len(bad) and row["critical_word"] == bad[-1]
        assert row["chart_good"] != row["chart_bad"] and row["equivalent"] == row["licensor"] == ""
    assert [row["condition"] for row in rows[:2]] == ["plain-swapped", "across-lured"]
    assert len({row["chart_bad"] for row in rows}) == 2  # words of one kind have one chart


def test_sentences_are_paired_by_place_or_each_bad_one_with_each_good_one(tmp_path: Path) -> None:
    rows = rows_of(built(tmp_path, THREE))[:3]
    assert [row["condition"] for row in rows] == ["plain-wrong", "across-wrong", "can-wrong"]
    assert len({row["sentence_bad"] for row in rows}) == 1
    assert [row["one_prefix"] for row in rows] == [1, 1, 1]  # both begin `This nurse`


def test_sentences_of_a_crossed_paradigm_are_the_cells_of_its_design(tmp_path: Path) -> None:
    (design,) = json.loads((built(tmp_path, CROSSED) / "design.json").read_text("utf-8"))["paradigms"].values()
    cells = {tuple(cell["levels"].values()): cell["conditions"] for cell in design["cells"]}
    assert cells == {
        ("singular", "with_s"): ["one"],
        ("plural", "base"): ["many"],
        ("singular", "base"): ["one_base"],
        ("plural", "with_s"): ["many_s"],
    }


def test_a_pair_that_differs_in_two_factors_is_no_minimal_pair(tmp_path: Path) -> None:
    lines = CELLS + "factor verb = agrees: plain, across | other: can, wrong\n"
    lines += "factor beside = none: plain, can | one: across, wrong\n"
    project_of(tmp_path, lines)
    command = ["build", "pairs/agreement", "--n", "6", "--path", str(tmp_path), "--out", str(tmp_path / "data")]
    assert main(command) == 0
    dataset = tmp_path / "data/pairs--agreement"
    tags = {row["condition"]: row["tag"] for row in rows_of(dataset)}
    assert tags == {"plain-wrong": "cell", "across-wrong": "target", "can-wrong": "target"}
    (entry,) = json.loads((dataset / "manifest.json").read_text("utf-8"))["paradigms"].values()
    assert entry["outside"] == {"cell": 6}
    assert main(["verify", str(dataset), "--path", str(tmp_path)]) == 0
    assert main(["export", "blimp", str(dataset), "--out", str(tmp_path / "blimp")]) == 0
    pairs = (tmp_path / "blimp/agreement.jsonl").read_text("utf-8").splitlines()
    assert len(pairs) == 12 and json.loads(pairs[0])["linguistics_term"] == "agree sv"


def test_sample_explain_and_say_show_what_repairs_a_sentence_and_where_it_ends(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project_of(tmp_path)
    assert main(["sample", "pairs/agreement", "--n", "1", "--path", str(tmp_path)]) == 0
    assert "bad: repaired by lifting agree sv; no sentence goes on at word 3\n" in capsys.readouterr().out
    assert main(["explain", "pairs/agreement", "--path", str(tmp_path)]) == 0
    page = capsys.readouterr().out
    assert "constraint: agree sv    one word    unique repair" in page
    assert "bad: repaired by lifting agree sv; no sentence goes on at word 3, `" in page
    assert main(["explain", "pairs/agreement/nurse.banker.sing", "--path", str(tmp_path)]) == 0
    page = capsys.readouterr().out
    assert "Clause breaking agree sv" in page and "lured: bad: repaired by lifting agree sv" in page
    term = "Assert(Clause(present, This(nurse), sing)) breaking agree sv"
    assert main(["say", term, "--uses", "pairing", "--path", str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "This nurse sing.",
        "  bad: repaired by lifting agree sv",
        "  no sentence goes on at word 3, `sing`",
    ]
    assert main(["say", term, "--uses", "pairing", "--path", str(tmp_path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["judged"][0] == "bad: repaired by lifting agree sv"


def test_a_noun_that_is_spelt_alike_in_both_numbers_is_refused_with_its_tree(tmp_path: Path) -> None:
    lines = "good\n  g = Assert(Clause(before, Beside(This(n), This(m)), v))\nbad\n  b = g breaking agree dn\n"
    project = project_of(tmp_path, f"{lines}constraint agree dn\n", nouns="sheep\tsheep\tsheep\n")
    with pytest.raises(AuthoringError, match="`b` stands below `bad`, and its sentence is good") as error:
        project.paradigm("pairs/agreement").instances(24)
    assert any("This(sheep)" in note for each in error.value.diagnostics for note in each.notes)


@pytest.mark.parametrize(
    ("good", "bad", "places"),
    [
        ("Clause(present, This(n), v)", "Clause(present, This(m), v)", 1),
        ("Clause(present, This(n), v)", "Clause(before, This(m), v)", 2),
        ("Clause(present, This(n), v)", "Can(This(n), v)", 1),
        ("Clause(present, This(n), v)", "Can(This(m), w)", 2),
        ("Clause(present, Beside(This(n), This(n)), v)", "Clause(present, Beside(This(m), This(m)), v)", 1),
        ("Clause(present, Beside(This(n), This(m)), v)", "Clause(present, Beside(This(m), This(n)), v)", 1),
        ("Clause(present, Beside(This(n), These(m)), v)", "Clause(present, Beside(These(n), This(m)), v)", 2),
    ],
)
def test_places_in_which_trees_differ(good: str, bad: str, places: int, tmp_path: Path) -> None:
    lines = f"draw w : Verb\ngood\n  g = Assert({good})\n  all = Assert(Can(Beside(This(n), This(m)), w))\n"
    lines += f"bad\n  b = Assert({bad})\n  c = g breaking agree sv\nconstraint agree sv\n"
    conditions = project_of(tmp_path, lines).paradigm("pairs/agreement").plan().paradigm.conditions
    one, _, other, broken = conditions.values()
    assert len(differences(one.tree, other.tree)) == places
    assert differences(one.tree, broken.tree) == [("", "breaking agree sv")]


@pytest.mark.parametrize(
    ("claim", "facts", "repairs", "why"),
    [
        ("unique repair", {}, ("agree sv",), ""),
        ("unique repair", {}, ("agree sv", "form"), "lifting each of agree sv, form repairs it"),
        ("unique repair", {}, (), "nothing repairs it"),
        ("one word", {"words": 1}, (), ""),
        ("one word", {"words": 2}, (), "2 words differ"),
        ("one word", {"words": None}, (), "they have not equally many words"),
        ("same words", {"same_words": False}, (), "they have not the same words"),
        ("same length", {"same_length": False}, (), "they have not equally many tokens"),
        ("same length", {}, (), ""),
    ],
)
def test_what_is_claimed_of_a_pair_is_checked(
    claim: str, facts: dict[str, int], repairs: tuple[str, ...], why: str
) -> None:
    whole = {"critical": 3, "one_prefix": True, "words": 1, "same_words": True, "same_length": True, **facts}
    assert unmet(claim, PairFacts(**whole), repairs) == why  # type: ignore[arg-type]


def test_facts_of_a_pair_are_of_words_as_they_are_written() -> None:
    good, bad = "Amy didn't see Jo's cat.", "Jo didn't see Amy's cat."
    assert facts_of(good, bad, 5, english()) == PairFacts(
        critical=4, one_prefix=False, words=2, same_words=False, same_length=True
    )
    moved = facts_of("No nurse saw any cat.", "Any nurse saw no cat.", 0, english())
    assert moved.same_words and moved.one_prefix and moved.words == 2
    assert [word_at(good, token, english()) for token in (-1, 0, 1, 2, 4, 5, 7)] == [0, 1, 2, 2, 4, 4, 5]


def test_a_wrong_heading_stops_a_build(tmp_path: Path) -> None:
    wrong = AGREEMENT.replace("swapped = plain breaking agree sv", "swapped = Assert(Clause(before, This(n), v))")
    project = project_of(tmp_path, wrong)
    with pytest.raises(AuthoringError, match="`swapped` stands below `bad`, and its sentence is good"):
        project.paradigm("pairs/agreement").instances(1)


def test_the_critical_word_and_the_one_behind_it_are_scored_by_themselves(tmp_path: Path) -> None:
    lines = AGREEMENT.replace("This(n), v)", "This(n), v, m)").replace("These(m)), v)", "These(m)), v, m)")
    dataset = built(tmp_path, lines, longer=True)
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("This nurse yawns bankers today.\nThese children sing nurses today.\n", "utf-8")
    out = tmp_path / "scores"
    assert main(["score", str(dataset), "--model", f"ngram:{corpus}", "--out", str(out)]) == 0
    table = read_scores(out).table().to_pylist()
    by_item: dict[str, dict[str, float]] = {}
    for each in table:
        by_item.setdefault(each["item"], {})[each["part"]] = each["value"]
    assert len(by_item) == 24
    for parts in by_item.values():
        for side in ("sentence_good", "sentence_bad"):
            own = [value for part, value in parts.items() if part.startswith(f"{side}/")]
            assert len(own) == 4 and sum(own) == pytest.approx(parts[side])
        assert parts["sentence_good/before"] == parts["sentence_bad/before"]
        assert parts["sentence_good/critical"] != parts["sentence_bad/critical"]


@pytest.mark.parametrize(
    ("text", "row", "regions"),
    [
        ("This nurse yawn loudly.", {"critical": 3, "one_prefix": 1}, ["This nurse", "yawn", "loudly."]),
        ("Yawn nurse.", {"critical": 1, "one_prefix": 1}, ["Yawn", "nurse."]),
        ("This nurse yawn.", {"critical": 3, "one_prefix": 0}, []),
        ("This nurse yawn.", {"critical": "3", "one_prefix": 1}, []),
        ("This nurse.", {"critical": 3, "one_prefix": 1}, []),
        ("This nurse yawn.", {}, []),
    ],
)
def test_a_sentence_is_cut_around_its_critical_word(text: str, row: dict[str, object], regions: list[str]) -> None:
    assert list(regions_around(text, row).values()) == regions


def test_a_sentence_that_is_too_long_is_refused_and_no_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    subject = "This(n)"
    for _ in range(25):
        subject = f"Beside({subject}, This(m))"
    lines = f"good\n  g = Assert(Clause(present, {subject}, v))\nbad\n  b = g breaking agree sv\nconstraint agree sv\n"
    project_of(tmp_path, lines)
    assert main(["sample", "pairs/agreement", "--n", "1", "--path", str(tmp_path)]) != 0
    assert "error[E43]" in capsys.readouterr().err


def test_no_pair_stands_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A pair that a draw is not in would stand again in other instances."""
    project_of(tmp_path)
    assert main(["build", "pairs/agreement", "--path", str(tmp_path), "--out", str(tmp_path / "data")]) == 1
    printed = capsys.readouterr().err
    assert "but there are 6 that repeat no pair (of 12)" in printed
    assert "`plain => swapped` repeats in 6 of 6: `m` is not in it" in printed


SEEN = """let o = These(m)
good
  plain   = Assert(See(This(n), o))
bad
  swapped = plain breaking agree dn in o
constraint agree dn
solvable by unigram 1 because "the noun at the end is plural"
solvable by bigram 1 because "the noun at the end is plural"
solvable by length 1 because "the noun at the end is plural"
"""


def test_sentences_of_one_shape_may_end_at_other_tokens_of_one_word(tmp_path: Path) -> None:
    paradigm = PARADIGM.replace("draw v : Verb\n", "")
    project_of(tmp_path, SEEN, paradigm, nouns="banker_aide\tbanker aide\tbanker aides\n")
    grammar = tmp_path / "grammars/pairing.gram"
    see = 'fun See (s: NP, o: NP) : Cl\n  lin s "saw" o\n'
    grammar.write_text(grammar.read_text("utf-8") + see, "utf-8")
    command = ["build", "pairs/agreement", "--n", "all", "--path", str(tmp_path), "--out", str(tmp_path / "data")]
    assert main(command) == 0
    rows = {row["sentence_bad"]: row for row in rows_of(tmp_path / "data/pairs--agreement")}
    child, banker = (rows[f"This nurse saw these {noun}."] for noun in ("child", "banker"))  # ... these banker aides
    assert child["chart_bad"] == banker["chart_bad"] and (child["critical"], banker["critical"]) == (5, 5)


def test_no_theory_is_asked_where_no_label_is_derived(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project_of(tmp_path, CROSSED)
    build = ["build", "pairs", "--theory", "classical", "--path", str(tmp_path), "--out", str(tmp_path / "data")]
    assert main(build) == 2
    assert "no label of `pairs/agreement` is derived, so that no theory is asked" in capsys.readouterr().err
    assert not (tmp_path / "data").exists()
    assert main(["diff-theory", "pairs", "classical", "presupposition", "--path", str(tmp_path)]) == 2
    assert "no label of `pairs` is derived, so that no theory is asked" in capsys.readouterr().err


def test_check_shows_a_row_of_each_condition(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project_of(tmp_path, CROSSED)
    assert main(["check", "pairs", "--show", "--path", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert main(["sample", "pairs", "--each-condition", "--path", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert shown in printed and "pairs/agreement one-one_base\n  sentence_good  This " in shown
