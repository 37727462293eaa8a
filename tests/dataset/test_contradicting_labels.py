"""Rows that contradict themselves, or the lines that they rest on, are refused before anybody counts their labels."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from forgery import Forger, Row, compact
from support.datasets import SharedDatasets

import gramprobe
from gramprobe.cli.main import main
from gramprobe.dataset.write import WRITING
from gramprobe.records import sha256_of
from gramprobe.source.diagnostic import UsageError

NAME = "possessed_definites_existence"
FULL = f"presupposition/{NAME}"


@cache
def readable(honest: Path) -> None:
    """Nothing is refused of the datasets that are edited here. Each is read once."""
    gramprobe.read(honest)


@pytest.fixture
def forger(datasets: SharedDatasets, tmp_path: Path) -> Forger:
    honest = datasets(FULL, n=2, seed=4)
    readable(honest)
    return Forger(Path(shutil.copytree(honest, tmp_path / honest.name)), NAME)


def entailed(row: Row) -> None:
    row.update(label=0, label_name="entailment", label_binary=1, label_literal="entailment")


def not_binary(row: Row) -> None:
    row["label_binary"] = 1 - row["label_binary"]


def other_entry(row: Row) -> None:
    row["labels"] = row["labels"].replace('"label":"contradiction"', '"label":"entailment"', 1)


def of_another_shape(row: Row) -> None:
    row["shape"] = "0" * 16


def other_pair_in_one_column(row: Row) -> None:
    entries = json.loads(row["labels"])
    row["labels"] = compact([*entries, {**entries[0], "premise": "a > b"}])


def without_a_theory(row: Row) -> None:
    row["labels"] = compact(json.loads(row["labels"])[:1])
    row["labels_by_theory"] = compact({"presupposition": row["label_name"]})


def theories_turned(row: Row) -> None:
    row["labels_by_theory"] = compact(dict(reversed(json.loads(row["labels_by_theory"]).items())))


@pytest.mark.parametrize(
    "edit",
    [
        entailed, not_binary, other_entry, of_another_shape, other_pair_in_one_column, without_a_theory,
        theories_turned,
        lambda row: row.update(tag="theory"),
        lambda row: row.update(split="train"),
        lambda row: row.update(paradigm="even"),
        lambda row: row.update(phenomenon="scope"),
        lambda row: row.update(theory="presupposition-strong"),
        lambda row: row.update(id=row["id"].replace(NAME, "even")),
        lambda row: row["draws"].update(t="elsewhere"),
    ],
)  # fmt: skip
def test_a_row_that_contradicts_itself(forger: Forger, edit: Callable[[Row], None]) -> None:
    rows = forger.rows()
    row = next(each for each in reversed(rows) if each["label_name"] == "contradiction")
    edit(row)
    forger.put_rows(rows)
    with pytest.raises(UsageError, match=row["id"]) as refused:
        gramprobe.read(forger.folder)
    assert refused.value.code == "E44"
    shown = gramprobe.read(forger.folder, labels=False)  # for who looks for what is wrong
    assert row["id"] in {each["id"] for batch in shown.rows(NAME) for each in batch.to_pylist()}


def reworded(rows: list[Row]) -> None:
    rows[-1]["premise"] = "Nobody slept."


def left_out(rows: list[Row]) -> None:
    rows.pop(5)


def twice(rows: list[Row]) -> None:
    rows[-1] = dict(rows[-2])


@pytest.mark.parametrize(
    ("edit", "wrong"),
    [
        (reworded, "`premise` is another one elsewhere in its instance"),
        (left_out, "its instance has 37 rows, and others of its paradigm have 38"),
        (twice, "its id stands twice"),
        (lambda rows: rows.extend([dict(row) for row in rows[:38]]), "stands"),
    ],
)
def test_rows_that_do_not_stand_together(forger: Forger, edit: Callable[[list[Row]], object], wrong: str) -> None:
    rows = forger.rows()
    edit(rows)
    forger.put_rows(rows)
    forger.edit_manifest(lambda manifest: manifest["paradigms"][NAME].update(splits={"test": len(rows)}))
    with pytest.raises(UsageError, match=wrong) as refused:
        gramprobe.read(forger.folder)
    assert refused.value.code == "E44"


@pytest.mark.parametrize(
    ("key", "value"),
    [("instances", 3), ("labels", {"neutral": 76}), ("certificates", {"models": 76}), ("outside", {"theory": 1}),
     ("pairs", 3), ("on_trust", 1)],
)  # fmt: skip
def test_numbers_of_the_manifest_that_are_not_those_of_its_rows(forger: Forger, key: str, value: object) -> None:
    forger.edit_manifest(lambda manifest: manifest["paradigms"][NAME].update({key: value}))
    with pytest.raises(UsageError, match=f"`{key}` of `{NAME}` is not what its rows give") as refused:
        gramprobe.read(forger.folder)
    assert refused.value.code == "E44"


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        ('"tag":"target"', '"tag":"theory"', "`tag` is `target`, and its design says `theory`"),
        ('"label":"entailment"', '"label":"neutral"', "`label_name` is `entailment`, and its design expects `neutral`"),
        ('"condition":"trigger-presupposed"', '"condition":"trigger-nothing"', "its design has no such pair"),
    ],
)
def test_a_design_that_its_rows_contradict(forger: Forger, old: str, new: str, wrong: str) -> None:
    forger.edit_text(forger.folder / "design.json", lambda raw: raw.replace(old.encode(), new.encode(), 1))
    with pytest.raises(UsageError, match=wrong) as refused:
        gramprobe.read(forger.folder)
    assert refused.value.code == "E44"


@pytest.mark.parametrize(
    "edit",
    [
        lambda line: line.pop("kind"),
        lambda line: line.update(rests_on=[{}]),
        lambda line: line.update(findings=1),
    ],
)
def test_a_line_that_is_no_certificate(forger: Forger, edit: Callable[[Row], None]) -> None:
    lines = forger.lines()
    for line in lines:
        edit(line)
    forger.certificates.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    forger.rehash()
    with pytest.raises(UsageError, match="lacks the form of one") as refused:
        gramprobe.read(forger.folder)
    assert refused.value.code == "E44"


def test_a_design_that_reads_its_columns_otherwise(forger: Forger) -> None:
    """With premise and hypothesis exchanged, every label would be counted of another pair."""
    file = forger.folder / "design.json"
    text = file.read_text("utf-8")
    turned = text.replace('"context":["premise"]', '"context":["hypothesis"]')
    turned = turned.replace('"continuations":["hypothesis"]', '"continuations":["premise"]')
    assert turned != text
    file.write_text(turned, "utf-8")
    forger.rehash()
    with pytest.raises(UsageError, match="is not as in the task `nli`") as refused:
        gramprobe.read(forger.folder)
    assert refused.value.code == "E44"


CHOICE, CONTINUATION, COREF, PAIRS = (
    "scope/choice_universal_indefinite", "scope/continuation_universal_indefinite", "de_re_de_dicto/belief",
    "acceptability/agreement_subject_verb",
)  # fmt: skip


def other_picks(row: Row) -> None:
    row["picks_a"], row["picks_b"] = row["picks_b"], row["picks_a"]


def turned(row: Row) -> None:
    for name in ("sentence", "chart"):
        row[f"{name}_good"], row[f"{name}_bad"] = row[f"{name}_bad"], row[f"{name}_good"]


@pytest.mark.parametrize(
    ("full_name", "edit"),
    [
        (CHOICE, other_picks),
        (CHOICE, lambda row: row.update(surface="x > y")),
        (CHOICE, lambda row: row.update(stronger=row["surface"])),
        (CHOICE, lambda row: row.update(inverse_access="" if row["inverse_access"] else "free")),
        (CHOICE, lambda row: row.update(kind="one" if row["kind"] == "both" else "both")),
        (CHOICE, lambda row: row.update(order=3 - row["order"])),
        (CHOICE, lambda row: row.update(shape="0" * 16)),
        (CONTINUATION, lambda row: row.update(fits=row["fits"].replace("inverse", "surface"))),
        (CONTINUATION, lambda row: row.update(certificate="bounded(3)")),
        (COREF, lambda row: row.update(accessible="settled" if row["accessible"] == "disputed" else "disputed")),
        (COREF, lambda row: row.update(embedded_accessible_in="")),
        (PAIRS, turned),
        (PAIRS, lambda row: row.update(constraint="agree dn")),
        (PAIRS, lambda row: row.update(equivalent="no")),
        (PAIRS, lambda row: row.update(licensing_by="0" * 16)),
    ],
)
def test_a_row_that_contradicts_its_account_or_its_charts(
    full_name: str, edit: Callable[[Row], object], datasets: SharedDatasets, tmp_path: Path
) -> None:
    """Of tasks about readings, and of minimal pairs: which reading an option picks is what is counted there."""
    honest = datasets(full_name, n=2)
    readable(honest)
    folder = Path(shutil.copytree(honest, tmp_path / honest.name))
    (file,) = folder.glob("parquet/*/*.parquet")
    table = pq.read_table(file)
    rows = table.to_pylist()
    edit(rows[-1])
    pq.write_table(pa.Table.from_pylist(rows, table.schema), file, **WRITING)
    rehashed(folder)
    with pytest.raises(UsageError, match=rows[-1]["id"]) as refused:
        gramprobe.read(folder)
    assert refused.value.code == "E44"


@pytest.mark.parametrize(
    ("full_name", "name", "edit"),
    [
        (CHOICE, "accounts.jsonl", lambda text: ""),
        (CHOICE, "accounts.jsonl", lambda text: text.replace('"kind":"same"', '"kind":"fits"', 1)),
        (CHOICE, "certificates.jsonl", lambda text: text.replace('"label":"neutral"', '"label":"entailment"')),
        (PAIRS, "charts.jsonl", lambda text: ""),
        (PAIRS, "charts.jsonl", lambda text: text.replace('"agree sv"', "null")),
        (PAIRS, "grammar.json", lambda text: text.replace('"productions"', '"product"')),
    ],
)
def test_accounts_and_charts_that_are_not_there_or_of_another_form(
    full_name: str, name: str, edit: Callable[[str], str], datasets: SharedDatasets, tmp_path: Path
) -> None:
    honest = datasets(full_name, n=2)
    folder = Path(shutil.copytree(honest, tmp_path / honest.name))
    text = (folder / name).read_text("utf-8")
    assert edit(text) != text
    (folder / name).write_text(edit(text), "utf-8")
    rehashed(folder)
    with pytest.raises(UsageError) as refused:
        gramprobe.read(folder)
    assert refused.value.code == "E44"


def rehashed(folder: Path) -> None:
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    for kind in ("files", "parquet"):
        manifest[kind] = {name: sha256_of(folder / name) for name in manifest[kind]}
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", "utf-8")


def test_no_command_counts_such_labels(
    forger: Forger, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though the hashes fit, and the record of scores that were made before names the forged dataset."""
    monkeypatch.chdir(tmp_path)
    score = ["score", str(forger.folder), "--model", "rule:overlap", "--out"]
    assert main([*score, "before"]) == 0
    before = sha256_of(forger.manifest)
    rows = forger.rows()
    entailed(next(each for each in rows if each["label_name"] == "contradiction"))
    forger.put_rows(rows)
    record = Path("before/run.json")
    record.write_text(record.read_text("utf-8").replace(before, sha256_of(forger.manifest)), "utf-8")
    folder = str(forger.folder)
    given = ["before", "--dataset", folder]
    Path("people.csv").write_text("person,item,value\n", "utf-8")
    for command in (
        [*score, "after"], ["analyze", *given], ["report", *given], ["frame", *given, "--out", "long.csv"],
        ["frame", "--people", "people.csv", "--dataset", folder, "--out", "long.csv"],
        ["finetune", folder, "--model", "nowhere", "--out", "trained"],
        ["lists", folder, "--kind", "nli", "--out", "lists"],
        ["judgments", "people.csv", "--dataset", folder, "--out", "judged"],
    ):  # fmt: skip
        capsys.readouterr()
        assert main(command) == 2, command
        assert "error[E44]" in capsys.readouterr().err, command
    for labels in ((), (forger.folder,)):
        with pytest.raises(UsageError) as refused:
            gramprobe.analyze("before", [forger.folder], labels=labels)
        assert refused.value.code == "E44"


def test_a_report_refuses_a_label_that_the_formulas_of_its_row_do_not_have(
    forger: Forger, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where the certificates were forged to fit, so that nothing contradicts itself."""
    lines, rows = forger.lines(), forger.rows()
    for line in lines:
        line.update(label="entailment", h_values="T", kind="models", findings=[], rests_on=[])
    forger.put_lines(lines)
    for row in rows:
        entailed(row)
        for column in ("label_pragmatic", "label_imppres", "label_strawson"):
            row[column] = row[column] and "entailment"
        row.update(label_via="", h_values="T", certificate="models", rests_on="")
        for label in ("neutral", "contradiction", "presupposition failure"):
            for column in ("labels", "labels_by_theory"):
                row[column] = row[column].replace(f'"{label}"', '"entailment"')
    forger.put_rows(rows)
    design = forger.folder / "design.json"
    design.write_text(
        re.sub(r'"label":"[a-z]+","labels":{}', '"label":null,"labels":{}', design.read_text("utf-8")), "utf-8"
    )
    forger.rehash()
    gramprobe.read(forger.folder)
    scores = str(tmp_path / "scores")
    assert main(["score", str(forger.folder), "--model", "rule:overlap", "--out", scores]) == 0
    asked = ["report", scores, "--dataset", str(forger.folder), "--out", str(tmp_path / "r.html"), "--seed"]
    assert any(main([*asked, str(seed)]) == 2 for seed in range(4))
    assert "and its formulas give" in capsys.readouterr().err
