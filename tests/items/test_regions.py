"""Regions of sentences: from the lines that declare them to rows, scores and tables."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from support.relatives import CLAUSES, project_of, rows_of

from gramprobe.cli.main import main
from gramprobe.words.regions import Region, as_json, border, interrupted, regions_of


def regions_in(row: dict[str, Any]) -> dict[str, str]:
    return {region["name"]: region["text"] for region in json.loads(row["regions"])}


def test_each_word_is_of_the_region_that_a_lin_marks_around_it(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, CLAUSES)
    assert len(rows) == 24
    for row in rows:
        regions = json.loads(row["regions"])
        assert [region["name"] for region in regions] == ["subject", "relative", "verb", "rest"]
        words = row["sentence"].split(" ")
        for region in regions:
            assert " ".join(words[region["first"] - 1 : region["last"]]) == region["text"]
        assert regions[-1]["last"] == len(words)
    by_instance: dict[str, list[dict[str, str]]] = {}
    for row in rows:
        by_instance.setdefault(row["instance"], []).append(regions_in(row))
    for src, orc in by_instance.values():
        assert src["verb"] == orc["verb"] and src["rest"] == orc["rest"] and src["relative"] != orc["relative"]
        assert src["relative"].startswith("who ") and src["rest"].endswith(".")


def test_constructors_and_arguments_are_regions_and_the_words_around_are_named_by_place(tmp_path: Path) -> None:
    lines = "region critical = Plain.w\nregion who = Passive\nsentence\n  s = Plain(Passive(p, v), w, a)\n"
    lines += "  t = Plain(Passive(q, v), w, a)\n  u = Tell(Subject(o, q, v), w, p, a)\nsame words in critical\n"
    rows = rows_of(tmp_path, lines)
    (one, _, other) = rows[:3]
    assert list(regions_in(one)) == ["who", "critical", "after_critical"]
    assert regions_in(one)["who"].split(" ")[1].endswith(",")  # a mark, and what is glued, is of the word before it
    assert list(regions_in(other)) == ["subject", "relative", "verb", "rest"]
    assert "'s friend" in regions_in(other)["rest"]


def test_sentences_without_a_region_have_none(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, "sentence\n" + "".join(f"  {x} = Plain(Passive({x}, v), w, a)\n" for x in "pqo"))
    assert {row["regions"] for row in rows} == {""}


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (CLAUSES.replace("in verb", "in relative"), "the words of the region `relative` differ within 12 of 12"),
        (CLAUSES.replace("in verb, rest", "in rest"), "the critical region `rest` is the last of its sentence"),
        ("region verb = Subject.v\n" + CLAUSES, "stands twice in a sentence, with other words between"),
        ("region relative = Subject.q\n" + CLAUSES, ""),
        ("region far = Passive\n" + CLAUSES.replace("verb, rest", "far"), "no sentence has a region `far`"),
    ],
)
def test_a_gate_reads_the_regions(lines: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project_of(tmp_path, lines)
    code = main(["check", "reading", "--path", str(tmp_path)])
    said = "".join(capsys.readouterr())
    assert (code == 0) == (not says)
    assert says in said


@pytest.mark.parametrize(
    ("line", "code"),
    [("region verb = Tall.w", "E02"), ("region verb = Tell.x", "E02"), ("region a = Tell.w\nregion b = Tell.w", "E16")],
)
def test_lines_about_regions_are_checked(line: str, code: str, tmp_path: Path) -> None:
    found = project_of(tmp_path, f"{line}\n{CLAUSES}").findings.items
    assert code in {each.code for each in found}


def test_surprisal_is_by_region(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows_of(tmp_path, CLAUSES)
    data, scores, corpus = (str(tmp_path / name) for name in ("data/reading", "scores", "corpus.txt"))
    Path(corpus).write_text("the senator who attacked the nurse looked for the banker .\n", "utf-8")
    assert main(["verify", data, "--path", str(tmp_path)]) == 0
    assert main(["score", data, "--model", f"ngram:{corpus}", "--out", scores]) == 0
    capsys.readouterr()
    assert main(["analyze", scores, "--dataset", data, "--json"]) == 0
    tables = json.loads(capsys.readouterr().out)["studies"][0]["tables"]
    by_condition = [t["caption"] for t in tables if "by condition" in t["caption"]]
    regions = [f"Surprisal (nats) of the region {name} by condition." for name in ("subject", "relative", "rest")]
    critical, whole = "Surprisal (nats) of the region verb by condition.", "Surprisal by condition."
    assert by_condition == [critical, whole, *regions]


def test_regions_are_read_from_borders() -> None:
    cut = f"The cat{border('subject')} often{border('')} ran,{border('verb')} {border('empty')} and{border('')}"
    regions = regions_of(cut)
    assert regions[:2] == (Region("subject", "The cat", 1, 2), Region("after_subject", "often", 3, 3))
    assert [region.name for region in regions] == ["subject", "after_subject", "verb", "after_verb"]
    assert interrupted(regions) == "" and interrupted((*regions, regions[0])) == "subject"
    assert as_json(regions_of(f"A cat ran.{border('')}")) == ""


def test_scores_of_a_region_that_no_sentence_has_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows_of(tmp_path, CLAUSES)
    data, scores, corpus = (str(tmp_path / name) for name in ("data/reading", "scores", "corpus.txt"))
    Path(corpus).write_text("the senator who attacked the nurse looked for the banker .\n", "utf-8")
    assert main(["score", data, "--model", f"ngram:{corpus}", "--out", scores]) == 0
    (shard,) = (tmp_path / "scores/scores").glob("*.parquet")
    table = pq.read_table(shard)
    part = pc.if_else(pc.equal(table.column("part"), "verb"), "noun", table.column("part"))
    before = sha256(shard.read_bytes()).hexdigest()
    pq.write_table(table.set_column(table.schema.get_field_index("part"), "part", part), shard)
    record = tmp_path / "scores/run.json"
    text = record.read_text("utf-8").replace(before, sha256(shard.read_bytes()).hexdigest())
    record.write_text(text.replace('"verb"', '"noun"'), "utf-8")
    capsys.readouterr()
    assert main(["analyze", scores, "--dataset", data]) == 2
    assert "has a part `noun`, which the mode `surprisal` does not make" in capsys.readouterr().err


BESIDE = (
    CLAUSES
    + """context
  setting = Plain(Passive(o, v), w, a)
question
  of_src = Who(q)
  of_orc = Who(p)
answer
  who = The(p)
"""
)
ASKING = """
cat Q
cat Short
sentence Q "?"
sentence Short "."
fun Who(p: Person) : Q
  lin "did the" p "do it"
fun The(p: Person) : Short
  lin "the" p
"""


@pytest.mark.slow
def test_a_context_a_question_and_an_answer_stand_beside_each_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = rows_of(tmp_path, BESIDE, ASKING)
    for src, orc in zip(rows[::2], rows[1::2], strict=True):
        assert src["context"] == orc["context"] != "" and src["answer"] == orc["answer"] != ""
        asked = [row["draws"][name] for row, name in ((src, "q"), (orc, "p"))]
        assert [src["question"], orc["question"]] == [f"Did the {word} do it?" for word in asked]
    data, scores, corpus = (str(tmp_path / name) for name in ("data/reading", "scores", "corpus.txt"))
    Path(corpus).write_text("the senator who attacked the nurse looked for the banker .\n", "utf-8")
    assert main(["score", data, "--model", f"ngram:{corpus}", "--out", scores]) == 0
    parts = pq.read_table(tmp_path / "scores/scores").column("part").to_pylist()[:5]
    assert parts == ["context", "subject", "relative", "verb", "rest"]
    assert main(["analyze", scores, "--dataset", data, "--study", "any"]) == 0


def test_texts_beside_sentences_are_one_or_as_many(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project_of(tmp_path, BESIDE + "question\n  more = Who(o)\n", ASKING)
    assert main(["check", "reading", "--path", str(tmp_path)]) == 1
    said = "".join(capsys.readouterr())
    assert "error[E55]: 3 texts stand below `question`, and there are 2 sentences" in said


def test_the_card_has_lengths_and_frequencies_by_region_and_condition(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project_of(tmp_path, CLAUSES)
    gram, people = tmp_path / "grammars/relative.gram", tmp_path / "lexicon/people.tsv"
    gram.write_text(gram.read_text("utf-8").replace("cat Person from", "cat Person[freq: decimal] from"), "utf-8")
    header, *words = people.read_text("utf-8").splitlines()
    freq = {word.split("\t")[0]: number for word, number in zip(words, ("4.5", "4.0", "3.0", "2.5"), strict=True)}
    people.write_text("\n".join([f"{header}\tfreq", *(f"{w}\t{freq[w.split()[0]]}" for w in words), ""]), "utf-8")
    data = tmp_path / "data/reading"
    assert main(["build", "reading", "--path", str(tmp_path), "--out", str(tmp_path / "data")]) == 0
    entry = json.loads((data / "manifest.json").read_text("utf-8"))["paradigms"]["relatives"]
    sizes = {(each["region"], each["condition"]): each for each in entry["regions"]}
    rows = [json.loads(line) for line in (data / "items/relatives.jsonl").read_text("utf-8").splitlines()]
    for (region, condition), size in sizes.items():
        texts = [regions_in(row)[region] for row in rows if row["condition"] == condition]
        assert size["sentences"] == len(texts) == 12
        assert size["words"] == pytest.approx(sum(len(text.split(" ")) for text in texts) / 12, abs=1e-4)
        assert size["characters"] == pytest.approx(sum(map(len, texts)) / 12, abs=1e-4)
        inside = [float(freq[word]) for text in texts for word in text.replace("'s", "").split() if word in freq]
        mean = sum(inside) / len(inside) if inside else None
        assert size["columns"].get("freq") == (mean if mean is None else pytest.approx(mean, abs=1e-4)), region
    assert "| relatives | subject | src | 12 | 2.00 |" in (data / "README.md").read_text("utf-8")
    assert main(["verify", str(data), "--path", str(tmp_path)]) == 0
    manifest = json.loads((data / "manifest.json").read_text("utf-8"))
    manifest["paradigms"]["relatives"]["regions"][0]["words"] = 3.0
    (data / "manifest.json").write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", "utf-8")
    assert main(["verify", str(data), "--path", str(tmp_path)]) == 1
    assert "`regions` of `relatives` is not what the source files give" in capsys.readouterr().err


def test_mistakes_of_files_on_which_no_row_rests_do_not_stop_verify(tmp_path: Path) -> None:
    """A table of one's own that stands in the place of a shipped one which other grammars read."""
    project_of(tmp_path, CLAUSES)
    (tmp_path / "lexicon/verbs.tsv").rename(tmp_path / "lexicon/deeds.tsv")
    gram = tmp_path / "grammars/relative.gram"
    gram.write_text(gram.read_text("utf-8").replace("verbs.tsv", "deeds.tsv"), "utf-8")
    assert main(["build", "reading", "--path", str(tmp_path), "--out", str(tmp_path / "data")]) == 0
    assert main(["verify", str(tmp_path / "data/reading"), "--path", str(tmp_path)]) == 0
