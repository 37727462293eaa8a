"""The long frame: one row an answer, types kept, codes beside factors, models and people in one file."""

from __future__ import annotations

import json
from math import log
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from support.datasets import FEW, SharedDatasets
from support.scores import labels_file, scores_folder, table_file, values_file

import gramprobe
from gramprobe.analysis.judgments import People
from gramprobe.analysis.long_frame import LongFrame
from gramprobe.analysis.mixed.frame import frame_of
from gramprobe.analysis.open import open_runs, sized
from gramprobe.cli.main import main
from gramprobe.dataset.read import Dataset, numbers_or_texts
from gramprobe.formats import people
from gramprobe.source.diagnostic import UsageError


@pytest.fixture(scope="session")
def both(datasets: SharedDatasets) -> Dataset:
    """Pairs with labels, and with the labels of two theories."""
    return gramprobe.read(datasets("presupposition/both", n=FEW))


@pytest.fixture(scope="session")
def choices(datasets: SharedDatasets) -> Dataset:
    return gramprobe.read(datasets("scope/choice_universal_indefinite", n=FEW))


def rows_of(dataset: Dataset) -> list[dict[str, object]]:
    return [row for name in dataset.paradigms for batch in dataset.rows(name) for row in batch.to_pylist()]


def written(frame: LongFrame, path: Path) -> pa.Table:
    count = frame.write(path)
    found = pq.read_table(path) if path.suffix == ".parquet" else pyarrow.csv.read_csv(path)
    assert found.num_rows == count and found.column_names == frame.schema.names
    return found


def test_a_row_is_an_answer_with_what_is_known_of_its_item(both: Dataset, tmp_path: Path) -> None:
    items = rows_of(both)
    labels = {str(row["id"]): "entailment" for row in items}
    labels.pop(str(items[3]["id"]))
    file = labels_file(tmp_path / "yes.csv", labels)
    frame = LongFrame(open_runs([file], [both.folder]))
    table = written(frame, tmp_path / "long.parquet")
    first, own = table.to_pylist()[0], items[0]
    assert isinstance(own["draws"], dict)
    for name in ("id", "instance", "paradigm", "condition", "premise_condition", "hypothesis_condition"):
        assert first[name] == own[name]
    assert first["source"] == "yes" and first["source_kind"] == "model"
    assert (first["label"], first["answer"]) == (own["label_name"], "entailment")
    assert {name: first[name] for name in own["draws"]} == own["draws"]
    by_theory = json.loads(str(own["labels_by_theory"]))
    assert first["label_presupposition_strong"] == by_theory["presupposition-strong"]
    assert "premise" not in table.column_names and "certificate" not in table.column_names
    right = {row["id"]: row["right"] for row in table.to_pylist()}
    assert right == {row["id"]: float(row["label_name"] == "entailment") for row in items if row["id"] in labels}


def test_scores_are_those_of_the_labels_and_refused_items_have_no_row(both: Dataset, tmp_path: Path) -> None:
    items = rows_of(both)
    names = ("entailment", "neutral", "contradiction")
    logs = (log(0.5), log(0.3), log(0.2))
    scores = {(str(row["id"]), "hypothesis"): logs for row in items}
    scores[str(items[0]["id"]), "hypothesis"] = (None, None, None)  # type: ignore[assignment]
    folder = scores_folder(tmp_path / "m", both.folder, "nli", scores, values=names)
    table = written(LongFrame(open_runs([folder], [both.folder])), tmp_path / "long.parquet").to_pylist()
    assert [row["id"] for row in table] == [row["id"] for row in items[1:]]
    assert all(row["score"] == logs[names.index(row["label"])] for row in table)
    assert {row["score_neutral"] for row in table} == {log(0.3)}


def test_codes_stand_behind_factors_with_two_levels_and_numbers(choices: Dataset, tmp_path: Path) -> None:
    values = {(str(row["id"]), part): -1.0 - n for row in rows_of(choices) for n, part in enumerate(OPTIONS)}
    runs = open_runs([values_file(tmp_path / "first.csv", values)], [choices.folder])
    frame = LongFrame(sized(runs, {"first": 7_000_000_000}))
    table = written(frame, tmp_path / "long.parquet")
    assert frame.schema.field("order").type == pa.int64() and frame.schema.field("parameters").type == pa.int64()
    rows = table.to_pylist()
    assert {(row["order"], row["order_c"]) for row in rows} == {(1, -0.5), (2, 0.5)}
    coded = [name for name, code in frame.codes.items() if code.levels]
    assert "i_c" in coded and not {"answer_c", "score_c", "parameters_c"} & set(frame.codes)
    for name in coded:
        low, high = frame.codes[name].levels
        assert low < high, "the first by code point has +0.5, as with the coding `half`"
        pairs = {(row[frame.codes[name].column], row[name]) for row in rows} - {(None, None)}
        assert pairs == {(low, 0.5), (high, -0.5)}
    # of two options an item is a row: the difference is the score; what the mode measures stands beside it
    assert {(row["score"], row["answer"], row["measure_first_option"]) for row in rows} == {(1.0, "option_a", 1.0)}
    readings = {row["id"]: row["surface"] for row in rows}
    assert readings == {row["id"]: row["surface"] for row in rows_of(choices)}, "a measure takes no column of an item"


OPTIONS = ("option_a", "option_b")


def test_a_part_is_a_row_where_there_is_no_choice(datasets: SharedDatasets, tmp_path: Path) -> None:
    dataset = gramprobe.read(datasets("scope/continuation_universal_indefinite", n=FEW))
    parts = [f"{context}/followup_{kind}" for context in ("ambiguous", "control") for kind in ("inverse", "surface")]
    values = {(str(row["id"]), part): -1.0 - n for row in rows_of(dataset) for n, part in enumerate(parts)}
    runs = open_runs([values_file(tmp_path / "m.csv", values)], [dataset.folder])
    rows = written(LongFrame(runs), tmp_path / "long.parquet").to_pylist()
    assert len(rows) == 4 * FEW
    assert [(row["context"], row["continuation"], row["score"]) for row in rows[:4]] == [
        (*part.split("/"), -1.0 - n) for n, part in enumerate(parts)
    ]
    wide = written(LongFrame(runs, wide=True), tmp_path / "wide.csv").to_pylist()
    assert len(wide) == FEW
    assert wide[0]["score_control_followup_surface"] == -4.0 and wide[0]["measure_alpha"] == 0.0


def test_numbers_of_words_are_numbers() -> None:
    assert numbers_or_texts(["3.5", None, "4"]).to_pylist() == [3.5, None, 4.0]
    assert numbers_or_texts([3, None]).type == pa.int64() and numbers_or_texts(["3", "x"]).type == pa.string()


def test_a_drawn_word_has_its_columns(tmp_path: Path, datasets: SharedDatasets) -> None:
    dataset = gramprobe.read(datasets("de_re_de_dicto/perception", n=FEW))
    values = {(str(row["id"]), part): -1.0 for row in rows_of(dataset) for part in CANDIDATES}
    runs = open_runs([values_file(tmp_path / "m.csv", values)], [dataset.folder])
    rows = written(LongFrame(runs), tmp_path / "long.parquet").to_pylist()
    classes = {row["noun"]: row["noun_class"] for row in rows}
    assert classes == {noun: dataset.words[noun].values["class"] for noun in classes}
    assert "answer" not in rows[0], "ties are no answers, and a column without a value is none"


CANDIDATES = ("candidate_subject", "candidate_embedded")


def test_people_are_sources_beside_models(both: Dataset, tmp_path: Path) -> None:
    items = rows_of(both)[:4]
    given = [(who, row["id"], row["label_name"], 500 + n, "x") for n, row in enumerate(items) for who in ("p1", "p2")]
    given[-1] = ("p2", items[3]["id"], "not_entailment", 600, "x")
    file = table_file(tmp_path / "people.csv", ("person", "id", "answer", "rt", "list"), given)
    model = labels_file(tmp_path / "m.csv", {str(row["id"]): "neutral" for row in items})
    runs = open_runs([model], [both.folder])
    frame = LongFrame(runs, (People(file, people.read(file)),), (both,))
    rows = written(frame, tmp_path / "long.csv").to_pylist()
    assert [(row["source"], row["source_kind"]) for row in rows[4:6]] == [("p1", "person"), ("p2", "person")]
    assert len(rows) == 12 and frame.schema.field("rt").type == pa.int64()
    gold = {row["id"]: row["label_name"] for row in items}
    assert all(row["right"] == 1.0 for row in rows if row["source"] == "p1")
    last = rows[-1]
    assert last["right"] == float(gold[last["id"]] != "entailment") and last["rt"] == 600


def test_people_choose_options_by_letter_or_give_numbers(choices: Dataset, tmp_path: Path) -> None:
    ids = [row["id"] for row in rows_of(choices)][:3]
    answers = zip("ppp", ids, ("A", "option_b", "5.5"), strict=True)
    file = table_file(tmp_path / "p.csv", ("person", "id", "answer"), list(answers))
    rows = written(LongFrame((), (People(file, people.read(file)),), (choices,)), tmp_path / "long.parquet").to_pylist()
    assert [(row["answer"], row["score"]) for row in rows] == [("option_a", None), ("option_b", None), (None, 5.5)]


@pytest.mark.parametrize(
    ("columns", "row", "code", "said"),
    [
        (("person", "id", "answer"), ("p", "ID", "perhaps"), "E46", "line 2: `perhaps` in the column `answer`"),
        (("person", "id", "answer"), ("p", "nobody/s/item", "neutral"), "E47", "line 2: scores of `nobody/s/item`"),
        (("person", "id", "answer"), ("", "ID", "neutral"), "E46", "line 2: no person"),
        (("person", "id", "answer", "condition"), ("p", "ID", "neutral", "x"), "E46", "`condition` has the name"),
        (("person", "item", "answer"), ("p", "ID", "neutral"), "E46", "no column `id`"),
    ],
)
def test_what_is_no_answer_is_refused(
    columns: tuple[str, ...], row: tuple[str, ...], code: str, said: str, both: Dataset, tmp_path: Path
) -> None:
    cells = [str(rows_of(both)[0]["id"]) if cell == "ID" else cell for cell in row]
    file = table_file(tmp_path / "people.csv", columns, [cells])
    with pytest.raises(UsageError) as refused:
        LongFrame((), (People(file, people.read(file)),), (both,)).write(tmp_path / "x.csv")
    assert refused.value.code == code and said in refused.value.message


def test_a_person_answers_an_item_once(tmp_path: Path) -> None:
    file = table_file(
        tmp_path / "p.csv", ("person", "id", "answer"), [("a", "x", "1"), ("b", "x", "1"), ("a", "x", "2")]
    )
    with pytest.raises(UsageError, match=r"line 4: `a` answers `x` a second time \(first in line 2\)"):
        people.read(file)


def test_the_command_writes_what_a_mixed_model_reads(
    both: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [
        labels_file(tmp_path / f"{label}.csv", {str(row["id"]): label for row in rows_of(both)})
        for label in ("entailment", "neutral")
    ]
    out = tmp_path / "long.csv"
    call = ["frame", *map(str, files), "--dataset", str(both.folder), "--size", "neutral=7e9", "--out", str(out)]
    assert main([*call, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["rows"] == 2 * len(rows_of(both)) and said["models"] == ["entailment", "neutral"]
    assert said["codes"]["source_c"] == "+0.5 entailment, -0.5 neutral" and said["columns"]["right"] == "double"
    assert set(said["columns"]) == set(frame_of(out).schema.names)
    assert main(["analyze", "--frame", str(out), "--formula", "right ~ source_c + (1 | instance)"]) == 0
    assert "source_c" in capsys.readouterr().out
    assert main([*call[:-1], str(files[0])]) == 2
    assert f"`{files[0]}` is read by this command" in capsys.readouterr().err
    assert main([*call[:-1], str(tmp_path / "x.xlsx")]) == 2
    assert "no csv and no Parquet file" in capsys.readouterr().err
    assert main(["frame", "--out", str(out)]) == 2
    assert "nothing to write" in capsys.readouterr().err
    assert main(["frame", "--people", str(out), "--out", str(out)]) == 2
    assert "name the dataset that people answered: --dataset DIR" in capsys.readouterr().err
