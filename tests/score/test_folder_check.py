"""A folder of scores that contradicts itself, or its dataset, is refused by whoever reads it."""

from __future__ import annotations

import hashlib
import json
import math
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from support.datasets import FEW, SharedDatasets

import gramprobe
from gramprobe.analysis.open import open_runs
from gramprobe.score.results import read_scores
from gramprobe.score.run import score
from gramprobe.source.diagnostic import UsageError
from score.conftest import Model, order

Record = dict[str, Any]


@pytest.fixture(scope="module")
def honest(pairs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scores of a rule, in shards."""
    out = tmp_path_factory.mktemp("scores") / "rule"
    score(order(pairs, "rule:overlap", out, shard=30))
    return out


def record_of(folder: Path) -> Record:
    return json.loads((folder / "run.json").read_text("utf-8"))  # type: ignore[no-any-return]


def write(folder: Path, record: Record) -> None:
    (folder / "run.json").write_text(json.dumps(record), "utf-8")


def put(name: str, value: Any, *path: str) -> Callable[[Record], None]:
    def edit(record: Record) -> None:
        for each in path:
            record = record[each]
        record[name] = value

    return edit


def first(record: Record) -> str:
    return str(next(iter(record["shards"])))


def renamed(record: Record) -> None:
    record["shards"] = {"../../x" if name == first(record) else name: n for name, n in record["shards"].items()}


def gone(record: Record) -> None:
    name = first(record)
    record["items"] -= record["shards"].pop(name)
    del record["files"][name]


def of_a_model(record: Record) -> None:
    record["model"]["kind"] = "classifier"


def refused_two(record: Record) -> None:
    record["refused"] = 2
    record["sessions"][0]["skip_refused"] = True


RECORDS: list[tuple[str, Callable[[Record], Any], str]] = [
    ("items", put("items", 10**20), "items together|Expected"),
    ("refused", put("refused", 10**6), "more items are refused"),
    ("refused without leave", put("refused", 1), "no session was to go on"),
    ("less than no time", lambda r: r["sessions"][0].update(seconds=-5), "less than no time"),
    ("too many made", lambda r: r["sessions"][0].update(shards=10**20), "more shards than there are|Expected"),
    ("no model", put("name", "", "model"), "a name or a version is empty"),
    ("no such kind", put("kind", "oracle", "model"), "no kind of model named `oracle`"),
    ("a rule of another name", put("name", "gpt-4", "model"), "no name of a model of the kind `rule`"),
    ("parameters of a rule", put("parameters", 7 * 10**9, "model"), "has no parameters"),
    ("a shard's number", lambda r: r["shards"].update({first(r): 3}), "items together"),
    ("a way out", renamed, "not the name of its next shard"),
    ("a shard left out", gone, "not the name of its next shard|knows of no such shard"),
    ("no hashes", lambda r: r.pop("files"), "not the hash of each"),
    ("empty hashes", put("files", {}), "not the hash of each"),
    ("a file's rows", lambda r: r["files"][first(r)].update(rows=7), "the record says 7"),
    ("sessions", put("sessions", []), "no session"),
    ("not complete", put("complete", False), "is not complete"),
    ("source", put("source", "0" * 64, "settings"), "two hashes"),
    ("tables", put("tables", [], "settings"), "next shard|names none"),
    ("tie", put("tie", 1e9), "not that of the precision"),
    ("tie below 0", put("tie", -1.0), "not that of the precision"),
    ("precision", put("dtype", "int1", "settings"), "not that of the precision"),
    ("no weights", of_a_model, "a hash of the weights"),
    ("mode", put("mode", "zzz", "settings"), "no mode `zzz`"),
    ("reduction", put("reduction", "asked a friend", "settings"), "`reduction` is not that"),
    ("seed", put("seed", 7, "settings"), "nothing is drawn by it"),
    ("no shard", put("shard", 0, "settings"), "is 0"),
    ("a commit of a rule", put("revision", "f" * 40, "model"), "no commit"),
    ("weights of a rule", put("weights", {"model.safetensors": "0" * 64}, "settings"), "a rule has no weights"),
    ("a rule that there is not", put("name", "rule:best", "model"), "there is no rule named `best`"),
    ("values", put("values", ["entailment", "maybe", "contradiction"]), "neither one value nor labels|columns"),
    ("labels", put("labels", ["entailment", "not_entailment"], "settings", "engine"), "not the labels of its `engine`"),
    ("no parameters", put("parameters", 0, "model"), "parameters"),
    ("refused by nobody", refused_two, "in its files there are 0"),
]


@pytest.mark.parametrize(("edit", "reason"), [each[1:] for each in RECORDS], ids=[each[0] for each in RECORDS])
def test_a_record_that_contradicts_itself_is_refused(
    honest: Path, pairs: Path, tmp_path: Path, edit: Callable[[Record], Any], reason: str
) -> None:
    folder = Path(shutil.copytree(honest, tmp_path / "scores"))
    record = record_of(folder)
    edit(record)
    write(folder, record)
    with pytest.raises(UsageError, match=reason) as refused:
        open_runs([folder], [pairs])
    assert refused.value.code == "E94"


def changed(name: str, value: Any, row: int = 0) -> Callable[[pa.Table], pa.Table]:
    def edit(table: pa.Table) -> pa.Table:
        at = table.schema.get_field_index(name)
        column = table.column(name).to_pylist()
        column[row] = value
        return table.set_column(at, table.schema.field(at), pa.array(column, table.schema.field(at).type))

    return edit


def at_once(value: float) -> Callable[[pa.Table], pa.Table]:
    def edit(table: pa.Table) -> pa.Table:
        for name in ("entailment", "neutral", "contradiction"):
            at = table.schema.get_field_index(name)
            table = table.set_column(at, table.schema.field(at), pa.array([value] * len(table), pa.float64()))
        return table

    return edit


def soft(table: pa.Table) -> pa.Table:
    """Probabilities that a rule does not give."""
    for name, value in (("entailment", 0.5), ("neutral", 0.3), ("contradiction", 0.2)):
        table = changed(name, math.log(value))(table)
    return table


TABLES: list[tuple[str, Callable[[pa.Table], pa.Table], str]] = [
    ("above 1", changed("neutral", 1e308), "no logarithm of a probability"),
    ("infinite", changed("neutral", float("-inf")), "no logarithm of a probability"),
    ("NaN", changed("neutral", float("nan")), "a value is no number"),
    ("null without a flag", changed("neutral", None), "missing without a flag"),
    ("sum of 3", at_once(0.0), "do not sum to 1"),
    ("sum of nothing", at_once(-50.0), "do not sum to 1"),
    ("a value beside a flag", changed("flags", "long"), "there beside one"),
    ("an unknown flag", changed("flags", "good"), "no flag `good`"),
    ("tokens", changed("tokens", -5), "below 0"),
    ("tokens of a rule", changed("tokens", 5), "a rule reads no tokens"),
    ("values that no rule gives", soft, "a rule gives the values"),
    ("words", changed("words", 99), "99 words, and its text"),
    ("a null", changed("part", None), "a cell that every row has is empty"),
    ("metadata", lambda table: table.replace_schema_metadata({"pandas": "{}"}), "its columns are not those of scores"),
    ("a row less", lambda table: table.slice(1), "rows, and the record says|items, and the record says"),
    ("a row twice", lambda table: pa.concat_tables([table, table.slice(0, 1)]), "rows, and the record says|twice"),
    (
        "another item twice",
        lambda table: pa.concat_tables([table.slice(1), table.slice(1, 1)]),
        "items, and the record",
    ),
]


@pytest.mark.parametrize("counted", [True, False])
@pytest.mark.parametrize(("edit", "reason"), [each[1:] for each in TABLES], ids=[each[0] for each in TABLES])
def test_a_shard_that_contradicts_itself_is_refused(
    honest: Path, pairs: Path, tmp_path: Path, edit: Callable[[pa.Table], pa.Table], reason: str, counted: bool
) -> None:
    """With its hash made anew, and with the number of rows too."""
    folder = Path(shutil.copytree(honest, tmp_path / "scores"))
    record = record_of(folder)
    file = folder / "scores" / f"{first(record)}.parquet"
    table = edit(pq.read_table(file))
    pq.write_table(table, file)
    entry = record["files"][first(record)]
    entry["sha256"] = hashlib.sha256(file.read_bytes()).hexdigest()
    entry["rows"] = len(table) if counted else entry["rows"]
    write(folder, record)
    with pytest.raises(UsageError, match=reason):
        open_runs([folder], [pairs])


def rewritten(folder: Path, edit: Callable[[pa.Table], pa.Table]) -> None:
    """Edit the last shard, and adapt every count and hash to it."""
    record = record_of(folder)
    name = list(record["shards"])[-1]
    file = folder / "scores" / f"{name}.parquet"
    table = edit(pq.read_table(file))
    pq.write_table(table, file)
    items = pc.count_distinct(table.column("item")).as_py()
    record["items"] += items - record["shards"][name]
    record["shards"][name] = items
    record["files"][name] = {"rows": len(table), "sha256": hashlib.sha256(file.read_bytes()).hexdigest()}
    write(folder, record)


def without_the_last_item(table: pa.Table) -> pa.Table:
    return table.filter(pc.not_equal(table.column("item"), table.column("item")[-1]))


def test_a_complete_run_has_the_items_of_its_dataset(honest: Path, pairs: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(honest, tmp_path / "scores"))
    rewritten(folder, without_the_last_item)
    read_scores(folder).table()
    with pytest.raises(UsageError, match="a complete run of"):
        open_runs([folder], [pairs])


def in_place_of(table: pa.Table, scored: set[str], dataset: Path) -> pa.Table:
    """The last item's rows as those of an item that was not chosen."""
    ids = [id_ for batch in gramprobe.read(dataset).rows("both", ["id"]) for id_ in batch.column("id").to_pylist()]
    other, last = next(each for each in ids if each not in scored), table.column("item")[-1].as_py()
    items = [other if each == last else each for each in table.column("item").to_pylist()]
    return table.set_column(0, "item", pa.array(items, pa.string()))


@pytest.mark.parametrize("change", ["left out", "another", "another seed"])
def test_a_run_of_some_instances_has_those_of_its_settings(pairs: Path, tmp_path: Path, change: str) -> None:
    folder = tmp_path / "scores"
    score(order(pairs, "rule:overlap", folder, total=FEW // 2))
    assert len(open_runs([folder], [pairs])) == 1
    scored = set(read_scores(folder).table().column("item").to_pylist())
    if change == "another seed":
        record = record_of(folder)
        record["settings"]["seed"] += 1
        write(folder, record)
    else:
        rewritten(folder, without_the_last_item if change == "left out" else lambda t: in_place_of(t, scored, pairs))
    with pytest.raises(UsageError, match="are not those that its settings choose") as refused:
        open_runs([folder], [pairs])
    assert refused.value.code == "E94"


SHORT = """
[yes]
text = "{premise} So {hypothesis}"
answers = { entailment = ["Yes"], neutral = ["Maybe"], contradiction = ["No"] }
"""


@pytest.fixture(scope="module")
def closure(datasets: SharedDatasets) -> Path:
    """A dataset with one pair an instance."""
    return datasets("theory_of_mind/sensory_closure", n=FEW)


@pytest.fixture(scope="module")
def prompted(closure: Path, model: Model, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Prompted scores behind one example."""
    place = tmp_path_factory.mktemp("prompted")
    (place / "short.toml").write_text(SHORT)
    out, prompts = place / "scores", str(place / "short.toml")
    score(order(closure, model("chat"), out, mode="prompted", prompts=prompts, shots=1, prompt="completion"))
    return out


def no_examples(record: Record) -> None:
    record["settings"]["prompt"]["examples"] = {}


def invented_example(record: Record) -> None:
    record["settings"]["prompt"]["examples"] = {"sensory_closure": ["theory_of_mind/sensory_closure/none/none"]}


PROMPTED: list[tuple[str, Callable[[Path], None], str]] = [
    ("item", lambda folder: rewritten(folder, without_the_last_item), "not those that its settings choose"),
    ("no example", lambda folder: edited(folder, no_examples), "a complete run of"),
    ("an example", lambda folder: edited(folder, invented_example), "is no item of the paradigms"),
    ("no list", lambda folder: edited(folder, put("examples", [1], "settings", "prompt")), "no ids of items"),
    ("part", lambda folder: rewritten(folder, changed("part", "no/entailment")), "has a part `no/entailment`"),
    ("label", lambda folder: rewritten(folder, changed("part", "yes/maybe")), "has a part `yes/maybe`"),
    ("prompts", lambda folder: edited(folder, put("prompts", 3, "settings", "prompt")), "has a part `yes/entailment`"),
]


@pytest.mark.parametrize(("forge", "reason"), [each[1:] for each in PROMPTED], ids=[each[0] for each in PROMPTED])
def test_prompted_scores_have_the_items_and_parts_of_their_settings(
    prompted: Path, closure: Path, tmp_path: Path, forge: Callable[[Path], None], reason: str
) -> None:
    folder = Path(shutil.copytree(prompted, tmp_path / "scores"))
    assert len(open_runs([folder], [closure])) == 1
    forge(folder)
    with pytest.raises(UsageError, match=reason) as refused:
        open_runs([folder], [closure])
    assert refused.value.code == "E94"


def edited(folder: Path, edit: Callable[[Record], None]) -> None:
    record = record_of(folder)
    edit(record)
    write(folder, record)


def test_a_part_that_no_mode_makes_is_refused(honest: Path, pairs: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(honest, tmp_path / "scores"))
    rewritten(folder, changed("part", "premise"))
    with pytest.raises(UsageError, match="has a part `premise`, which the mode `nli` does not make"):
        open_runs([folder], [pairs])


def test_a_file_of_no_shard_is_refused(honest: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(honest, tmp_path / "scores"))
    shutil.copy(next((folder / "scores").iterdir()), folder / "scores" / "more.parquet")
    with pytest.raises(UsageError, match="knows of no such shard"):
        read_scores(folder)


def test_a_run_does_not_go_on_with_a_damaged_shard(honest: Path, pairs: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(honest, tmp_path / "scores"))
    record = record_of(folder)
    del record["files"]
    write(folder, {**record, "complete": False})
    (folder / "scores" / f"{first(record)}.parquet").write_bytes(b"PAR1 damaged PAR1")
    with pytest.raises(UsageError, match="it cannot be read") as refused:
        score(order(pairs, "rule:overlap", folder, shard=30, resume=True))
    assert refused.value.code == "E94"


@pytest.mark.parametrize("name", ["run.json", "shard"])
def test_a_byte_that_is_no_text_is_a_message(honest: Path, tmp_path: Path, name: str) -> None:
    folder = Path(shutil.copytree(honest, tmp_path / "scores"))
    file = folder / "run.json" if name == "run.json" else next((folder / "scores").iterdir())
    raw = bytearray(file.read_bytes())
    raw[raw.index(b"overlap") if name == "run.json" else len(raw) // 2] = 0xFF
    file.write_bytes(bytes(raw))
    with pytest.raises(UsageError):
        read_scores(folder).table()


def test_a_text_that_is_no_utf_8_is_refused(honest: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(honest, tmp_path / "scores"))
    record = record_of(folder)
    file = folder / "scores" / f"{first(record)}.parquet"
    table = pq.read_table(file)
    parts = pa.array([b"\xa1", *(text.encode() for text in table.column("part").to_pylist()[1:])], pa.binary())
    spoilt = pa.Array.from_buffers(pa.string(), len(parts), parts.buffers())
    pq.write_table(table.set_column(1, table.schema.field("part"), spoilt), file)
    record["files"][first(record)]["sha256"] = hashlib.sha256(file.read_bytes()).hexdigest()
    write(folder, record)
    with pytest.raises(UsageError, match="it cannot be read"):
        read_scores(folder).table()


def test_an_honest_run_is_read(honest: Path, pairs: Path) -> None:
    (run,) = open_runs([honest], [pairs])
    assert run.coverage.scored == run.coverage.items


def test_an_engine_of_a_package_says_what_it_likes(honest: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(honest, tmp_path / "scores"))
    record = record_of(folder)
    record["model"]["revision"] = "2.1"
    record["settings"] |= {"engine": {"labels": ["follows", "open"]}, "packages": {"engine": {"rule": "mine 1.0"}}}
    write(folder, record)
    assert read_scores(folder).run.model.revision == "2.1"
    del record["settings"]["packages"]
    write(folder, record)
    with pytest.raises(UsageError, match="no commit of a model on the hub"):
        read_scores(folder)
