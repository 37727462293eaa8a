"""The rows of a folder of scores are those that its mode makes of the items, and their values go together."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.datasets import FEW, SharedDatasets

from gramprobe.analysis.open import open_runs
from gramprobe.score.results import read_scores
from gramprobe.score.run import score
from gramprobe.source.diagnostic import UsageError
from score.conftest import Model, order

Rows = list[dict[str, Any]]
CORPUS = "The pupils always admire the garden. The girl thanked everyone.\n"


@pytest.fixture(scope="module")
def sentences(datasets: SharedDatasets) -> Path:
    """A dataset of minimal pairs whose rows say where a sentence goes wrong."""
    return datasets("acceptability/agreement_subject_verb", n=FEW)


@pytest.fixture(scope="module")
def scored(
    sentences: Path, choices: Path, scope: Path, model: Model, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, tuple[Path, Path]]:
    """What was scored -> the folder of scores and its dataset."""
    place = tmp_path_factory.mktemp("scored")
    corpus = place / "corpus.txt"
    corpus.write_text(CORPUS, "utf-8")
    ngram, gpt2 = f"ngram:{corpus}", model("chat")
    orders: dict[str, tuple[Path, Any, dict[str, Any]]] = {
        "sentences": (sentences, ngram, {}),
        "shuffled": (sentences, ngram, {"shuffle_words": True, "seed": 3}),
        "rule": (choices, "rule:longer", {}),
        "reader": (choices, "reader:options", {}),
        "asked": (choices, gpt2, {"prompt": "completion"}),
        "claims": (choices, gpt2, {"mode": "true_false", "prompt": "completion"}),
        "follow_ups": (scope, ngram, {}),
    }
    for name, (source, scorer, options) in orders.items():
        score(order(source, scorer, place / name, **options))
    return {name: (place / name, source) for name, (source, _, _) in orders.items()}


def forged(folder: Path, edit: Callable[[Rows], None]) -> None:
    """Edit the rows of the first shard, and make its hash and number of rows anew."""
    record = json.loads((folder / "run.json").read_text("utf-8"))
    name = next(iter(record["shards"]))
    file = folder / "scores" / f"{name}.parquet"
    table = pq.read_table(file)
    rows = table.to_pylist()
    edit(rows)
    pq.write_table(pa.Table.from_pylist(rows, table.schema), file)
    record["files"][name] = {"rows": len(rows), "sha256": hashlib.sha256(file.read_bytes()).hexdigest()}
    (folder / "run.json").write_text(json.dumps(record), "utf-8")


def part(rows: Rows, name: str) -> dict[str, Any]:
    return next(row for row in rows if row["part"] == name)


def exchanged(one: str, other: str) -> Callable[[Rows], None]:
    """The values of two parts of the first item."""

    def edit(rows: Rows) -> None:
        first, second = part(rows, one), part(rows, other)
        first["value"], second["value"] = second["value"], first["value"]

    return edit


def put(name: str, **cells: Any) -> Callable[[Rows], None]:
    return lambda rows: part(rows, name).update(cells)


def more(name: str, column: str) -> Callable[[Rows], None]:
    return lambda rows: part(rows, name).update({column: part(rows, name)[column] + 1})


def without(end: str, every: bool = True) -> Callable[[Rows], None]:
    """Parts whose names end so left out, of all items or of the first."""

    def edit(rows: Rows) -> None:
        first = rows[0]["item"]
        rows[:] = [row for row in rows if not row["part"].endswith(end) or not (every or row["item"] == first)]

    return edit


def probable(rows: Rows) -> None:
    for row in rows[:2]:
        row["value"] = -0.1


def improbable(rows: Rows) -> None:
    for row in rows[:2]:
        row["value"] = -9.0


def turned(rows: Rows) -> None:
    rows[0], rows[1] = rows[1], rows[0]


FORGED: list[tuple[str, str, Callable[[Rows], None], str]] = [
    ("good for bad", "sentences", exchanged("sentence_good", "sentence_bad"), "regions of a sentence"),
    ("a critical word", "sentences", more("sentence_good/critical", "value"), "regions of a sentence"),
    ("tokens of a region", "sentences", more("sentence_good/critical", "tokens"), "regions of a sentence"),
    ("words of a region", "sentences", more("sentence_good/critical", "words"), "2 words, and its text .* has 1"),
    ("letters of a region", "sentences", more("sentence_bad/spill", "characters"), "characters, and its text"),
    ("no spill", "sentences", without("/spill"), "regions of a sentence"),
    ("no spill of one", "sentences", without("/spill", every=False), "regions of a sentence"),
    ("the parts' order", "sentences", turned, "its parts in another order"),
    ("no tokens", "sentences", put("sentence_good", tokens=0), "a value is of no token"),
    ("words in another order", "shuffled", more("sentence_good", "characters"), "characters, and its text"),
    ("both options", "rule", put("option_a", value=0.0), "sum to more than 1"),
    ("neither option", "rule", improbable, "a rule gives the values"),
    ("neither option of a reader", "reader", improbable, "or to less"),
    ("tokens of a rule", "rule", more("option_a", "tokens"), "a rule reads no tokens"),
    ("refused by a rule", "rule", put("option_a", value=None, flags="long"), "gives no flag `long`"),
    ("both answers", "asked", probable, "sum to more than 1"),
    ("words of a letter", "asked", more("option_a", "words"), "2 words, and its text"),
    ("no control", "asked", without("without_context/option_b"), "has no part `without_context/option_b`"),
    ("true and false", "claims", probable, "sum to more than 1"),
    ("no claim", "claims", without("/only/true"), "has no part `paraphrase_surface/only/true`"),
    ("no second context", "follow_ups", without("control/followup_surface"), "has no part `control/followup_surface`"),
    (
        "refused without a count",
        "follow_ups",
        put("control/followup_surface", value=None, flags="empty"),
        "it says that",
    ),
]


@pytest.mark.parametrize(("of", "edit", "reason"), [each[1:] for each in FORGED], ids=[each[0] for each in FORGED])
def test_rows_that_are_not_those_of_the_items_are_refused(
    scored: dict[str, tuple[Path, Path]], tmp_path: Path, of: str, edit: Callable[[Rows], None], reason: str
) -> None:
    honest, dataset = scored[of]
    folder = Path(shutil.copytree(honest, tmp_path / "scores"))
    forged(folder, edit)
    with pytest.raises(UsageError, match=reason) as refused:
        open_runs([folder], [dataset])
    assert refused.value.code == "E94"


def test_honest_rows_are_read(scored: dict[str, tuple[Path, Path]]) -> None:
    for folder, dataset in scored.values():
        (run,) = open_runs([folder], [dataset])
        assert run.scores.num_rows == read_scores(folder).table().num_rows


def test_another_order_of_words_has_other_regions(scored: dict[str, tuple[Path, Path]], tmp_path: Path) -> None:
    """The seed is that of the order: another one gives critical words of other lengths."""
    honest, dataset = scored["shuffled"]
    folder = Path(shutil.copytree(honest, tmp_path / "scores"))
    record = json.loads((folder / "run.json").read_text("utf-8"))
    record["settings"]["seed"] = 4
    (folder / "run.json").write_text(json.dumps(record), "utf-8")
    with pytest.raises(UsageError, match="characters, and its text"):
        open_runs([folder], [dataset])


def test_a_mode_is_for_some_kinds_of_models(scored: dict[str, tuple[Path, Path]], tmp_path: Path) -> None:
    honest, dataset = scored["asked"]
    folder = Path(shutil.copytree(honest, tmp_path / "scores"))
    record = json.loads((folder / "run.json").read_text("utf-8"))
    record["model"]["kind"] = "classifier"
    (folder / "run.json").write_text(json.dumps(record), "utf-8")
    with pytest.raises(UsageError, match="`choice` is not for a model of the kind `classifier`"):
        open_runs([folder], [dataset])
