"""A run: it is the same however it was made, goes on where it was killed, and never mixes two settings."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from safetensors import safe_open

import gramprobe
from gramprobe.score import source
from gramprobe.score.engines.causal import CausalEngine
from gramprobe.score.order import RunOrder
from gramprobe.score.record import FLAGS, LabelsRow, ScoreRow, TwoLabelsRow
from gramprobe.score.results import RunFolder, read_scores
from gramprobe.score.run import score
from gramprobe.source.diagnostic import AuthoringError, UsageError
from score.conftest import Model, order, written


def files(folder: Path) -> dict[str, bytes]:
    """The files of scores of a run."""
    return {file.name: file.read_bytes() for file in sorted((folder / "scores").iterdir())}


@pytest.fixture(scope="session")
def run(model: Model, scope: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run in several shards. Not to be changed."""
    out = tmp_path_factory.mktemp("run") / "scores"
    score(order(scope, model("gpt2"), out, shard=2))
    return out


def test_a_row_for_each_part_of_each_item_in_order(run: Path, scope: Path) -> None:
    scores = gramprobe.read_scores(run)
    items = [
        row["id"]
        for batch in gramprobe.read(scope).rows("continuation_universal_indefinite")
        for row in batch.to_pylist()
    ]
    table = scores.table()
    parts = [
        f"{context}/{after}"
        for context in ("ambiguous", "control", "control_2")
        for after in ("followup_inverse", "followup_surface")
    ]
    assert table.column("item").to_pylist() == [item for item in items for _ in parts]
    assert table.column("part").to_pylist() == parts * len(items)
    assert scores.complete
    assert all(value < 0 and math.isfinite(value) for value in table.column("value").to_pylist())
    assert set(table.column("flags").to_pylist()) == {""}


def test_counts_are_those_of_the_scored_text(run: Path, scope: Path) -> None:
    row = next(iter(gramprobe.read(scope).rows("continuation_universal_indefinite"))).to_pylist()[0]
    first = gramprobe.read_scores(run).table().to_pylist()[0]
    text = row["followup_inverse"]
    assert (first["words"], first["characters"]) == (len(text.split()), len(text))
    assert first["tokens"] >= first["words"]


def test_a_row_is_of_its_published_schema(run: Path, model: Model, pairs: Path, tmp_path: Path) -> None:
    for name, record in (("nli", LabelsRow), ("nli_two", TwoLabelsRow)):
        score(order(pairs, model(name), tmp_path / name, total=1))
        for row in read_scores(tmp_path / name).table().to_pylist():
            msgspec.convert(row, record, strict=True)
    for row in read_scores(run).table().to_pylist():
        msgspec.convert(row, ScoreRow, strict=True)


def test_the_record_says_what_decides_the_scores_and_no_place(run: Path, model: Model, scope: Path) -> None:
    text = (run / "run.json").read_text("utf-8")
    for place in (run, model("gpt2"), scope):
        assert str(place) not in text
        assert str(place.parent) not in text
    record = read_scores(run).run
    assert record.model.name == "gpt2"
    assert set(record.settings.weights) == {"model.safetensors"}
    with safe_open(model("gpt2") / "model.safetensors", "pt") as weights:
        assert record.model.parameters == sum(weights.get_tensor(name).numel() for name in weights.keys())  # noqa: SIM118
    assert set(record.settings.tokenizer) == {"tokenizer.json", "tokenizer_config.json"}
    assert record.settings.engine["bos"]["policy"] == "auto"
    assert record.sessions[0].versions["torch"]
    assert record.sessions[0].found["rows"] == "shared rows, logits where scored"
    assert record.settings.reduction == "sum over tokens"


@pytest.mark.slow
@pytest.mark.parametrize("options", [{"threads": 2}, {"device": "cpu:0"}, {"workers": 1, "skip_refused": True}])
def test_a_resumed_run_has_the_same_bytes(
    options: dict[str, Any], run: Path, model: Model, scope: Path, tmp_path: Path
) -> None:
    out = Path(shutil.copytree(run, tmp_path / "scores"))
    record = json.loads((out / "run.json").read_text())
    del record["files"]
    (out / "run.json").write_text(json.dumps({**record, "complete": False}))
    gone = sorted((out / "scores").iterdir())[1]
    gone.unlink()
    (out / "scores" / ".left.parquet.1.new").write_bytes(b"half")
    score(order(scope, model("gpt2"), out, shard=2, resume=True, **options))
    assert files(out) == files(run)
    assert [session.shards for session in read_scores(out).run.sessions] == [3, 1]


def test_a_complete_run_is_resumed_at_once(
    model: Model, run: Path, scope: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(run, tmp_path / "scores")
    monkeypatch.setattr(CausalEngine, "load", lambda self: pytest.fail("the weights are read"))
    score(order(scope, model("gpt2"), tmp_path / "scores", shard=2, resume=True))
    assert files(tmp_path / "scores") == files(run)


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"shard": 3}, "`shard` was 2 and is 3"),
        ({"batch_tokens": 256}, "`batch_tokens` was 512 and is 256"),
        ({"dtype": "float64"}, '`dtype` was "float32" and is "float64"'),
        ({"total": 3}, "`total` was null and is 3"),
        ({"bos": "always"}, "`engine` was"),
        ({"model": "llama"}, "`weights` was"),
    ],
)
def test_two_settings_never_mix(options: dict[str, Any], name: str, run: Path, model: Model, scope: Path) -> None:
    before = files(run)
    other = model(options.pop("model", "gpt2"))
    with pytest.raises(UsageError, match="other settings") as error:
        score(order(scope, other, run, **{"shard": 2, "resume": True, **options}))
    assert error.value.code == "E94"
    assert name in error.value.message
    assert files(run) == before


def test_other_weights_are_refused_before_any_item_is_looked_at(
    run: Path, model: Model, scope: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gramprobe.score.run.check", lambda *_: pytest.fail("items are checked"))
    with pytest.raises(UsageError, match="`weights` was"):
        score(order(scope, model("llama"), run, shard=2, resume=True))


def test_a_model_of_the_hub_is_not_fetched_for_the_run_of_another(
    run: Path, scope: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(run, tmp_path / "scores")
    record = json.loads((run / "run.json").read_text())
    record["model"] = {"name": "some/model", "revision": "a" * 40, "kind": "causal"}
    (tmp_path / "scores" / "run.json").write_text(json.dumps(record))
    monkeypatch.setattr("gramprobe.score.engines.folder._fetched", lambda *_: pytest.fail("the model is fetched"))
    with pytest.raises(UsageError, match="has the scores of the model `some/model`, not of `other/model`"):
        score(order(scope, "other/model", tmp_path / "scores", shard=2, resume=True))


def test_another_prompt_is_another_setting(model: Model, choices: Path, tmp_path: Path) -> None:
    score(order(choices, model("chat"), tmp_path / "scores", total=1))
    with pytest.raises(UsageError, match="`prompt` was"):
        score(order(choices, model("chat"), tmp_path / "scores", total=1, prompt="completion", resume=True))


def test_a_run_that_is_there_is_not_written_over(run: Path, model: Model, scope: Path) -> None:
    with pytest.raises(UsageError, match="has the scores of a run already"):
        score(order(scope, model("gpt2"), run, shard=2))


def test_a_folder_of_something_else_is_left_alone(model: Model, scope: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    for out in (tmp_path, tmp_path / "notes.txt"):
        with pytest.raises(UsageError, match="is not a folder of scores"):
            score(order(scope, model("gpt2"), out, resume=True))


def test_two_processes_do_not_score_into_one_folder(tmp_path: Path) -> None:
    one, other = RunFolder(tmp_path / "scores", False), RunFolder(tmp_path / "scores", False)
    with one, pytest.raises(UsageError, match="another process is scoring"):
        other.__enter__()
    with other:
        pass


# ---- killed runs


STOPPING = """\
import sys, time
import msgspec
from gramprobe.score import job
from gramprobe.score.order import RunOrder
from gramprobe.score.run import score

def slowly(*arguments, write=job.write_shard):
    write(*arguments)
    print("shard", flush=True)
    time.sleep(60)

job.write_shard = slowly
score(msgspec.json.decode(sys.argv[1], type=RunOrder))
"""


@pytest.fixture(params=["rule:first", pytest.param("gpt2", marks=pytest.mark.deep)])
def whole(request: pytest.FixtureRequest, model: Model, scope: Path, choices: Path, tmp_path: Path) -> RunOrder:
    """The order of a finished run in several shards: of a rule, whose processes start without torch, or of a model."""
    is_rule = request.param.startswith("rule:")
    what = order(choices if is_rule else scope, request.param if is_rule else model(request.param), tmp_path / "whole")
    what = msgspec.structs.replace(what, shard=2)
    score(what)
    return what


@pytest.mark.process
def test_a_killed_run_goes_on_and_ends_with_the_same_table(whole: RunOrder, tmp_path: Path) -> None:
    run, out = Path(whole.out), tmp_path / "scores"
    what = msgspec.structs.replace(whole, out=str(out))
    command = [sys.executable, "-c", STOPPING, msgspec.json.encode(what).decode()]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"shard\n"
        process.kill()
    scores = read_scores(out)
    assert not scores.complete
    assert (len(scores.shards), scores.run.shards) == (1, read_scores(run).run.shards)
    assert len(scores.run.shards) > 2
    assert scores.table().equals(pq.read_table(run / "scores" / f"{scores.shards[0]}.parquet"))
    score(msgspec.structs.replace(what, resume=True))
    assert files(out) == files(run)


@pytest.mark.process
def test_several_workers_write_the_same_bytes(whole: RunOrder, tmp_path: Path) -> None:
    score(msgspec.structs.replace(whole, out=str(tmp_path / "scores"), workers=2))
    assert files(tmp_path / "scores") == files(Path(whole.out))
    (before,), (session,) = (read_scores(Path(out)).run.sessions for out in (whole.out, tmp_path / "scores"))
    assert (session.found, session.shards) == (before.found, before.shards)


def test_a_finished_run_has_no_half_of_a_machine_that_died(
    run: Path, model: Model, scope: Path, tmp_path: Path
) -> None:
    out = tmp_path / "scores"

    def dying(what: str, done: int, of: int) -> None:
        if what == "scoring":
            (out / "scores" / f".one-00003.parquet.elsewhere-{done}.new").write_bytes(b"half")

    score(order(scope, model("gpt2"), out, shard=2), dying)
    assert files(out) == files(run)


# ---- items that cannot be scored


def minimal_pairs(folder: Path) -> Path:
    long = " ".join(["The keys to the cabinet are here."] * 9)
    rows = [("The keys are here.", "The keys is here."), (long, "No."), ("A dog.", " A dogs."), ("", "No.")]
    return written(
        folder / "pairs.csv", [{"id": f"p{n}", "sentence_good": a, "sentence_bad": b} for n, (a, b) in enumerate(rows)]
    )


def test_one_error_lists_all_that_cannot_be_scored_before_a_forward_pass(
    model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CausalEngine, "load", lambda self: pytest.fail("the weights are read"))
    file = minimal_pairs(tmp_path)
    with pytest.raises(AuthoringError) as error:
        score(order(file, model("short"), tmp_path / "scores", task="minimal_pair"))
    (found,) = error.value.diagnostics
    assert found.code == "E92"
    assert found.message == "3 of 4 items cannot be scored by this model"
    assert [note.partition(":")[0] for note in found.notes] == ["p1", "p2", "p3"]
    assert "the model takes 24" in found.notes[0]
    assert "begins or ends with a space" in found.notes[1]
    assert "empty" in found.notes[2]
    assert (found.span.path, found.span.line) == (str(file), 3)
    assert not (tmp_path / "scores").exists()


def test_refused_items_are_marked_and_none_is_lost(model: Model, tmp_path: Path) -> None:
    out = tmp_path / "scores"
    record = score(order(minimal_pairs(tmp_path), model("short"), out, task="minimal_pair", skip_refused=True))
    rows = read_scores(out).table().to_pylist()
    assert record.refused == 3
    assert [row["item"] for row in rows] == [f"p{n}" for n in range(4) for _ in range(2)]
    assert [row["flags"] for row in rows[::2]] == ["", "long", "space", "empty"]
    assert [row["value"] is None for row in rows] == [False, False] + [True] * 6
    assert {row["flags"] for row in rows} - {""} <= set(FLAGS)


def test_a_probability_that_is_no_number_is_an_error_or_a_flag(
    model: Model, scope: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = CausalEngine.answer

    def broken(self: CausalEngine, prepared: Any) -> Any:
        found = answer(self, prepared)
        first = found[0]
        return [(replace(first[0], values=(math.nan,)), *first[1:]), *found[1:]]

    monkeypatch.setattr(CausalEngine, "answer", broken)
    with pytest.raises(AuthoringError, match="no number for `ambiguous/followup_inverse`"):
        score(order(scope, model("gpt2"), tmp_path / "scores"))
    score(order(scope, model("gpt2"), tmp_path / "scores", resume=True, skip_refused=True))
    first, second, *_ = read_scores(tmp_path / "scores").table().to_pylist()
    assert (first["value"], first["flags"]) == (None, "nan")
    assert second["value"] is not None


# ---- samples and whole folders


def test_a_sample_is_part_of_the_whole(run: Path, model: Model, scope: Path, tmp_path: Path) -> None:
    score(order(scope, model("gpt2"), tmp_path / "scores", total=3, seed=1))
    whole = {(row["item"], row["part"]): row["value"] for row in read_scores(run).table().to_pylist()}
    rows = read_scores(tmp_path / "scores").table().to_pylist()
    assert len(rows) == 18
    for row in rows:
        assert row["value"] == pytest.approx(whole[row["item"], row["part"]], abs=1e-4)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda f: (f / "run.json").unlink(), "this is not a folder of scores"),
        (lambda f: (f / "run.json").write_text("{"), "it is no record of a run"),
        (lambda f: next((f / "scores").iterdir()).unlink(), "the file is missing"),
        (lambda f: next((f / "scores").iterdir()).write_bytes(b"PAR1"), "its SHA-256 is not that of run.json"),
    ],
)
def test_damaged_scores_are_refused(change: Callable[[Path], object], message: str, run: Path, tmp_path: Path) -> None:
    shutil.copytree(run, tmp_path / "scores")
    change(tmp_path / "scores")
    with pytest.raises(UsageError, match=message) as error:
        read_scores(tmp_path / "scores")
    assert error.value.code == "E94"


def test_shards_of_an_unfinished_run_are_checked_when_they_are_read(run: Path, tmp_path: Path) -> None:
    shutil.copytree(run, tmp_path / "scores")
    record = json.loads((run / "run.json").read_text())
    del record["files"]
    (tmp_path / "scores" / "run.json").write_text(json.dumps({**record, "complete": False}))
    scores = read_scores(tmp_path / "scores")
    (tmp_path / "scores" / "scores" / f"{scores.shards[0]}.parquet").write_bytes(b"PAR1")
    with pytest.raises(UsageError, match="it cannot be read"):
        scores.table()
    pq.write_table(pa.table({"a": [1]}), tmp_path / "scores" / "scores" / f"{scores.shards[0]}.parquet")
    with pytest.raises(UsageError, match="its columns are not those of scores"):
        scores.table()


def test_no_item_to_score_is_an_error(
    model: Model, pairs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "NOT_SCORED", ("test",))
    with pytest.raises(UsageError, match="has no items to score"):
        score(order(pairs, model("nli"), tmp_path / "scores"))


def test_progress_is_told(model: Model, scope: Path, tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    score(order(scope, model("gpt2"), tmp_path / "scores", shard=2), lambda *each: told.append(each))
    assert told == [
        ("checking", 0, 0),
        ("loading the model", 0, 5),
        ("scoring", 2, 5),
        ("scoring", 4, 5),
        ("scoring", 5, 5),
    ]
