"""Published sets are read in their own forms, and what differs from what follows is found. The sentences are ours."""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from support.shipped import reader

from gramprobe.audit.minimal_pairs import trees
from gramprobe.audit.pairs import Audit, agrees, audit
from gramprobe.audit.shallow import shallow
from gramprobe.cli.main import main
from gramprobe.formats import blimp, format_of, fracas, imppres, med, nli, pairs
from gramprobe.formats.blimp import MinimalPair
from gramprobe.formats.nli import Pair
from gramprobe.language import english
from gramprobe.source.diagnostic import UsageError

FRACAS = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE fracas-problems SYSTEM "fracas-problems.dtd">
<fracas-problems>
<comment class="section"> 1 NURSES </comment>
<comment> every nurse &lt; a nurse </comment>
<problem id="001" fracas_answer="yes">
  <p idx="1"> every nurse sang. </p>
  <p idx="2"> Adam is a nurse. </p>
  <q> did Adam sing? </q>
  <h> Adam
      sang. </h>
  <a> Yes </a>
</problem>
<problem id="002" fracas_answer="no"><p idx="1">No nurse sang.</p><h>A nurse sang.</h></problem>
<comment class="section"> 2 OTHERS </comment>
<problem id="003" fracas_answer="undef"><p idx="1">Some nurse sang.</p><h>No nurse sang.</h></problem>
</fracas-problems>
"""
MED = (
    "index\tpromptID\tpairID\tgenre\tsentence1\tsentence2\tgold_label\n"
    "1\t1\t1\tpaper:GQ:downward_monotone\tNo nurse sang.\tA nurse sang.\tneutral\n"
    "2\t2\t2\tcrowd:upward_monotone\tA nurse sang.\tNo nurse sang.\tentailment\n"
)
IMPLICATURE = {
    "sentence1": "Some nurses sang.", "sentence2": "No nurses sang.", "gold_label_log": "contradiction",
    "gold_label_prag": "contradiction", "spec_relation": "opposite", "item_type": "control", "trigger": "x",
    "lexemes": "some - all",
}  # fmt: skip
PRESUPPOSITION = {
    "sentence1": "Adam's cat didn't yawn.", "sentence2": "Adam has a cat.", "trigger": "negated",
    "presupposition": "positive", "gold_label": "entailment", "UID": "x", "pairID": "0e", "paradigmID": 0,
}  # fmt: skip
CONTROL = {
    "sentence1": "Adam's cat didn't yawn.", "sentence2": "Adam's cat yawned.", "trigger1": "negated",
    "trigger2": "unembedded", "control_item": True, "gold_label": "contradiction", "UID": "x", "pairID": "1c",
    "paradigmID": 0,
}  # fmt: skip
GOOD_AND_BAD = {"sentence_good": "Every nurse sang.", "sentence_bad": "Every nurses sang.", "UID": "det", "pairID": "0"}


def written(path: Path, text: str | list[dict[str, Any]]) -> Path:
    path.write_text(text if isinstance(text, str) else "".join(json.dumps(row) + "\n" for row in text), "utf-8")
    return path


def test_problems_of_fracas_have_their_premises_apart(tmp_path: Path) -> None:
    file = written(tmp_path / "f.xml", FRACAS)
    one, two, three = pairs(file)
    assert fracas.reads(file)
    assert one.premises == ("every nurse sang.", "Adam is a nurse.") and one.hypothesis == "Adam sang."
    assert (one.label, two.label, three.label) == ("entailment", "contradiction", None)
    assert (one.kind, three.kind, one.name) == ("1 NURSES", "2 OTHERS", "001")


def test_med_says_only_what_is_entailed(tmp_path: Path) -> None:
    file = written(tmp_path / "med.tsv", MED)
    assert med.reads(file)
    assert [(pair.label, pair.kind) for pair in med.read(file)] == [
        ("not_entailment", "downward_monotone"),
        ("entailment", "upward_monotone"),
    ]
    assert not med.reads(written(tmp_path / "mnli.tsv", MED.replace("monotone", "fiction")))


@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_no_text_has_a_nul(tmp_path: Path, suffix: str) -> None:
    row = {"id": "1", "premise": "A d\0og ran.", "hypothesis": "A dog ran.", "label": "entailment"}
    lines = {".csv": [",".join(row), ",".join(row.values())], ".jsonl": [json.dumps(row)]}[suffix]
    file = tmp_path / f"pairs{suffix}"
    file.write_text("\n".join(lines) + "\n", "utf-8")
    with pytest.raises(UsageError, match=r"a NUL character \(U\+0000\) stands in a cell") as refused:
        list(pairs(file))
    assert refused.value.code == "E46"


def test_a_suffix_may_be_in_capitals(tmp_path: Path) -> None:
    small, large = (tmp_path / f"pairs.{suffix}" for suffix in ("csv", "CSV"))
    for file in (small, large):
        file.write_text("id,premise,hypothesis,label\n1,A dog ran.,A dog ran.,entailment\n", "utf-8")
    assert list(pairs(large)) == list(pairs(small)) != []
    tabbed = tmp_path / "pairs.TSV"
    tabbed.write_text("id\tpremise\thypothesis\tlabel\n1\tA dog ran.\tA dog ran.\tentailment\n", "utf-8")
    assert [pair.label for pair in pairs(tabbed)] == ["entailment"]


def test_both_forms_of_imppres(tmp_path: Path) -> None:
    file = written(tmp_path / "implicature.jsonl", [IMPLICATURE] * 13)
    assert imppres.reads(file) and getattr(format_of(file, "pairs"), "read", None) is imppres.read
    read = list(imppres.read(file))
    assert (read[0].label, read[0].others) == ("contradiction", (("gold_label_prag", "contradiction"),))
    assert [pair.group for pair in read] == ["0"] * 12 + ["1"] and read[0].kind == "opposite"
    (odd,) = imppres.read(written(tmp_path / "odd.jsonl", [{**IMPLICATURE, "spec_relation": -1}]))
    assert odd.kind == "-1", "a kind is a text, whatever stands there"
    one, two = imppres.read(written(tmp_path / "presupposition.jsonl", [PRESUPPOSITION, CONTROL]))
    assert (one.kind, two.kind, one.name) == ("negated, positive", "negated, control", "0e")


def test_columns_and_labels_of_a_table_can_be_named(tmp_path: Path) -> None:
    file = written(tmp_path / "own.csv", "a,b,y\nNo nurse sang.,A nurse sang.,2\nx.,y.,\n")
    assert not nli.reads(file)
    one, two = nli.read(file, ["a", "b", "y"], {"2": "contradiction"})
    assert one == Pair("No nurse sang.", "A nurse sang.", "contradiction") and two.label is None
    with pytest.raises(UsageError, match="`2` in `y`"):
        list(nli.read(file, ["a", "b", "y"]))


@pytest.mark.parametrize(
    ("form", "name", "text", "said"),
    [
        (fracas, "f.xml", "<fracas-problems><problem", "no XML: unclosed token"),
        (fracas, "f.xml", "<fracas-problems/>", "no `problem`"),
        (
            fracas,
            "f.xml",
            "<fracas-problems><problem id='7'><p>A.</p></problem></fracas-problems>",
            "has no hypothesis",
        ),
        (fracas, "f.xml", "<fracas-problems><problem id='7'><h>A.</h></problem></fracas-problems>", "has no premise"),
        (fracas, "f.xml", "<?xml version='1.0' encoding='klingon'?><a/>", "no XML: unknown encoding"),
        (med, "m.tsv", "sentence1\tsentence2\nA.\tB.\n", "no column `gold_label`"),
        (imppres, "i.jsonl", [{**IMPLICATURE, "gold_label_prag": "maybe"}], "`maybe` in `gold_label_prag`"),
        (imppres, "i.jsonl", [{**PRESUPPOSITION, "sentence1": 3}], "`3` in `sentence1`"),
        (imppres, "i.jsonl", "[", "no JSON"),
        (blimp, "b.jsonl", [{"sentence_good": "A."}], "no column `sentence_bad`"),
    ],
)
def test_a_bad_file_is_refused(form: Any, name: str, text: Any, said: str, tmp_path: Path) -> None:
    file = written(tmp_path / name, text)
    with pytest.raises(UsageError) as refused:
        list(form.read(file))
    assert refused.value.code == "E46" and said in refused.value.message and refused.value.help
    for each in (fracas, med, imppres, blimp, nli):
        with pytest.raises(UsageError) as refused:
            each.reads(tmp_path / f"none{each.suffixes[0]}")
        assert refused.value.code == "E44"


@cache
def found() -> Audit:
    return audit(
        [
            Pair("No nurse sang.", "A nurse sang.", "contradiction", kind="one", others=(("prag", "neutral"),)),
            Pair("No nurse sang.", "A nurse sang.", "contradiction"),
            Pair("No nurse sang.", "A nurse sang.", "neutral", kind="two"),
            Pair("Adam sang.", "Alicia sang.", "not_entailment"),
            Pair("Every dog yawned.", "A dog yawned.", "entailment"),
            Pair("Colourless green ideas  sleep", "Adam sang.", None),
            Pair("Every nurse sang. Adam is a nurse.", "Adam sang.", "entailment"),
            Pair("Adam owns an dog.", "Adam owns an dog.", "entailment"),
        ],
        reader(),
    )


@pytest.mark.slow
def test_an_audit_counts_what_it_read_and_finds_what_differs() -> None:
    made = found()
    whole = made.whole
    assert (whole.rows, whole.read, whole.labelled, whole.agree) == (8, 6, 5, 4)
    assert (made.kinds["two"].labelled, made.kinds["two"].agree) == (1, 0)
    assert [(each.row, each.pair.label, each.found.label) for each in made.against] == [(3, "neutral", "contradiction")]
    assert (made.repeated, made.contradictory, made.same) == ([2], [(1, 3)], [8])
    assert dict(made.abstained) == {"in doubt": 1, "unknown words": 1, "no tree": 1}
    assert made.others == {"prag": (1, 0)}
    assert made.derived["contradiction"] == {"contradiction": 2}
    assert not agrees("not_entailment", "entailment")


@pytest.mark.slow
def test_the_gates_read_the_sentences_too() -> None:
    said = {reason.what.partition(" (")[0]: reason.examples for reason in found().defects}
    assert said == {
        "sentences do not end in one `.` or `?`": ("Colourless green ideas  sleep",),
        "sentences have two spaces in a row, or one at an end": ("Colourless green ideas  sleep",),
        "1 articles do not fit the next word": ("an dog (onset c)",),
    }


@pytest.mark.slow
def test_what_does_not_reason_is_measured() -> None:
    premises = [f"{name} sang." for name in ("Adam", "Alicia", "Amy", "Emma", "Noah", "Sonia", "Jo", "Rhonda")]
    given = [Pair(each, f"Not {each}", "contradiction") for each in premises]
    given += [Pair(each, "Somebody sang.", "entailment") for each in premises]
    made = audit(given, reader()).shallow
    assert made is not None and (made.rows, made.groups, made.majority) == (16, 8, 0.5)
    reached = {each.name: each.value for each in made.reached}
    assert reached["rule:negation"] == reached["reader:bag"] == 1.0
    assert audit([Pair("Adam sang.", "Alicia sang.", None)], reader()).shallow is None


def test_a_core_installation_has_shares_without_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gramprobe.audit.shallow.find_spec", lambda name: None if name == "scipy" else True)
    monkeypatch.setitem(sys.modules, "scipy", None)
    monkeypatch.setitem(sys.modules, "scipy.special", None)
    made = shallow([Pair(f"{name} sang.", "Somebody sang.", "entailment") for name in "ABCDEFGHIJ"], english())
    assert made is not None and made.absent == ("scipy",)
    assert all(isinstance(each.accuracy, float) for each in made.reached)
    assert "reader:bag" not in {each.name for each in made.reached}


def test_texts_are_cut_where_sentences_end() -> None:
    assert english().sentences("Mr. Fox sang. Adam yawned.") == ["Mr. Fox sang.", "Adam yawned."]
    assert english().sentences("Adam sang.") == ["Adam sang."]
    assert english().sentences("") == [""]


def test_a_worse_sentence_with_a_tree_is_found() -> None:
    given = [
        MinimalPair("Every nurse sang.", "Every nurses sang.", "det"),
        MinimalPair("Adam yawned the.", "Adam yawned.", "det"),
        MinimalPair("Adam yawned.", "Adam yawned the.", "det"),
        MinimalPair("Adam yawned.", "Adam yawned.", "same"),
        MinimalPair("Adam yawnd.", "Adam yawned.", "typo"),
        MinimalPair("Adam yawned the.", "The the yawned.", "none"),
    ]
    made = trees(given, reader())
    outcomes = {name: made.count(name) for name in ("good", "both", "bad", "neither", "unknown")}
    assert outcomes == {"good": 2, "both": 1, "bad": 1, "neither": 1, "unknown": 1}
    assert [(each.row, each.outcome) for each in made.against] == [(2, "bad"), (4, "both")]
    assert (made.same, made.contradictory, made.repeated) == ([4], [(2, 3)], [])


def test_the_command_in_each_form(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = written(tmp_path / "own.csv", "a,b,y\nNo nurse sang.,A nurse sang.,1\n<b>Foo,Bar.,0\n")
    page = tmp_path / "page.html"
    options = ["--columns", "premise=a,hypothesis=b,label=y", "--labels", "0=entailment,1=neutral"]
    assert main(["audit", "nli", str(table)]) == 2
    assert "other names are given by --columns premise=A" in capsys.readouterr().err
    assert main(["audit", "nli", str(table), *options, "--out", str(table)]) == 2
    assert f"`{table}` is read by this command" in capsys.readouterr().err and table.read_text("utf-8")[:3] == "a,b"
    wide = tmp_path / "wide.csv"
    wide.write_text(table.read_text("utf-8"), "utf-16")
    assert main(["audit", "nli", str(wide)]) == 2
    assert "UTF-16, and not UTF-8" in capsys.readouterr().err
    assert main(["audit", "nli", str(table), *options, "--out", str(page)]) == 1
    said = capsys.readouterr().out
    assert "row 1: neutral is published, contradiction derived" in said and "all       2     1         1" in said
    html = page.read_text("utf-8")
    assert "neutral</dd>" in html and "In no model" in html and "<b>Foo" not in html
    assert main(["audit", "fracas", str(written(tmp_path / "f.xml", FRACAS)), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["pairs"][0]["whole"] == {"rows": 3, "read": 3, "labelled": 3, "agree": 2, "guessed": 0}
    assert main(["audit", "med", str(written(tmp_path / "med.tsv", MED))]) == 1
    assert "row 2 (2): entailment is published, contradiction derived" in capsys.readouterr().out
    rows = [GOOD_AND_BAD, {**GOOD_AND_BAD, "sentence_bad": "No nurse sang."}]
    assert main(["audit", "blimp", str(written(tmp_path / "b.jsonl", rows)), "--out", str(page), "--json"]) == 1
    (file,) = json.loads(capsys.readouterr().out)["minimal_pairs"]
    assert file["kinds"] == {"det": {"good": 1, "both": 1, "bad": 0, "neither": 0, "unknown": 0}}
    assert "No nurse sang." in page.read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "message", "help"),
    [
        (["impres", "x"], "no format of published sets is called `impres`; did you mean `imppres`?", "nli, fracas"),
        (["values", "x"], "no format of published sets is called `values`", "FORMAT is one of"),
        (["nli"], "no file to audit", "gramprobe audit nli FILE"),
        (["nli", "none.csv"], "cannot be read", "path"),
        (["imppres", "x", "--labels", "0=neutral"], "`imppres` has columns and labels of its own", "--labels"),
        (["nli", "x", "--columns", "premise=a"], "--columns names premise alone", "--columns premise=A"),
        (["nli", "x", "--columns", "a=premise,b=c,c=d"], "`a` is not one of premise, hypothesis, label", "premise=A"),
        (["nli", "x", "--columns", "premise"], "`premise` in --columns is no name with a column", "premise=A"),
        (["nli", "x", "--labels", "0=no"], "`no` in --labels is no label", "entailment"),
    ],
)
def test_wrong_use(
    arguments: list[str], message: str, help: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert main(["audit", *arguments]) == 2
    said = capsys.readouterr().err
    assert message in said and help in said
