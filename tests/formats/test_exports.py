"""Exports: what `gramprobe export` writes of a dataset, held against the demands of the programs that read it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pytest
from support.datasets import FEW, SharedDatasets

import gramprobe
from gramprobe.cli.main import main
from gramprobe.dataset.export import export
from gramprobe.formats import csv, writers
from gramprobe.formats.tabular import guarded, unguarded
from gramprobe.source.diagnostic import UsageError

Exports = Callable[..., Path]


@pytest.fixture(scope="module")
def nli(datasets: SharedDatasets) -> Path:
    return datasets("presupposition", among=["presupposition/possessed_definites_existence"], n=FEW)


@pytest.fixture(scope="module")
def choice(datasets: SharedDatasets) -> Path:
    return datasets("scope/choice_universal_indefinite", n=FEW)


def test_csv_reads_back_as_it_was(nli: Path, choice: Path, tmp_path: Path) -> None:
    for source in (nli, choice):
        made = export("csv", source, tmp_path / source.name)
        dataset = gramprobe.read(source)
        (name,) = made.paradigms
        before = pa.Table.from_batches(dataset.rows(name)).replace_schema_metadata()
        file = made.folder / f"{name}.csv"
        assert csv.reads(file)
        assert csv.read(file).equals(before)
        assert pyarrow.csv.read_csv(file).num_rows == made.rows == before.num_rows
        (made.folder / csv.METADATA).unlink()  # without the types all cells are texts
        assert set(csv.read(file).select(["id", "phenomenon"]).schema.types) == {pa.string()}


TEXTS = ["=1+1", "-", "-3.2", "+4e5", "@x", "\tx", "\rx", "'=x", "''-y", "'s", "", None, "a=b", "−3", "-1-1", "=", "'"]


def test_texts_that_a_spreadsheet_runs_are_escaped_and_come_back() -> None:
    safe = guarded(pa.array(TEXTS)).to_pylist()
    assert [text for text in safe if text and text[0] in "=+-@\t\r"] == ["-3.2", "+4e5"]
    assert safe[0] == "'=1+1" and safe[7] == "''=x" and safe[9] == "'s"
    assert unguarded(pa.array(safe)).to_pylist() == TEXTS


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,b\n1,2\n", "line 1: the first columns are a, b"),
        ("id,phenomenon,paradigm\nx,y\n", "line 2: no CSV"),
        ('id,phenomenon,paradigm\nx,"y,z\n', "no CSV"),
    ],
)
def test_a_csv_of_something_else_is_refused(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(text, "utf-8")
    with pytest.raises(UsageError) as refused:
        csv.read(tmp_path / "x.csv")
    assert refused.value.code == "E46" and said in refused.value.message


def test_metadata_that_say_no_types_are_refused(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("id,phenomenon,paradigm\nx,y,z\n", "utf-8")
    (tmp_path / csv.METADATA).write_text("[]", "utf-8")
    with pytest.raises(UsageError, match="does not say the types"):
        csv.read(tmp_path / "x.csv")


def test_licence_citation_and_hashes_travel_and_an_export_is_replaced(nli: Path, tmp_path: Path) -> None:
    for _ in range(2):
        assert main(["export", "csv", str(nli), "--out", str(tmp_path / "out")]) == 0
    readme = (tmp_path / "out/README.md").read_text("utf-8")
    assert "- Licence: MIT\n" in readme and "- Please cite: Paloma Jeretič" in readme
    assert "Certificates, accounts and the design are in the dataset alone" in readme
    record = json.loads((tmp_path / "out/export.json").read_text("utf-8"))
    assert set(record["files"]) == {f.name for f in (tmp_path / "out").iterdir()} - {"export.json"}
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out"]


def test_mistakes_of_the_command(nli: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/thesis.txt").write_text("mine", "utf-8")
    for arguments, said in (
        (["cvs", str(nli)], "error[E29]: no format of exports named `cvs`; did you mean `csv`?"),
        (["labels", str(nli)], "error[E29]: no format of exports named `labels`"),
        (["csv", str(tmp_path)], "error[E44]"),
        (["csv", str(nli), "--out", str(tmp_path / "mine")], "error[E44]: `"),
        (["csv", str(nli), "--out", str(nli)], "exists and is not an export of gramprobe"),
        (["csv", str(nli), "--out", str(tmp_path / "mine/thesis.txt")], "exists and is not an export"),
        (["csv", str(nli), "--out", str(tmp_path / "mine/thesis.txt/out")], "error[E37]"),
    ):
        assert main(["export", *arguments]) in (1, 2)
        assert said in capsys.readouterr().err, arguments
    assert (tmp_path / "mine/thesis.txt").read_text("utf-8") == "mine"


def test_every_format_says_what_it_is_and_fits_some_task(nli: Path, choice: Path) -> None:
    designs = [gramprobe.read(each).design(name) for each in (nli, choice) for name in gramprobe.read(each).paradigms]
    for name, form in writers().items():
        assert form.about and not form.about.endswith("."), name
        assert {form.fits(design) for design in designs} <= {True, False}
