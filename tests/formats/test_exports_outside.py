"""Exports, loaded by the programs that they are for: `make test-outside`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support import models, relatives
from support.datasets import FEW, SharedDatasets

import gramprobe
from gramprobe.cli.main import main
from gramprobe.dataset.export import export
from gramprobe.formats import lm_eval as samples
from gramprobe.formats import values

pytestmark = [pytest.mark.slow]
BOTH = "presupposition/both"


@pytest.fixture(scope="module")
def nli(datasets: SharedDatasets) -> Path:
    return datasets(BOTH, n=FEW)


@pytest.fixture(scope="module")
def scope(datasets: SharedDatasets) -> Path:
    both = ["scope/choice_universal_indefinite", "scope/continuation_universal_indefinite"]
    return datasets("scope", among=both, n=FEW)


@pytest.fixture(scope="module")
def coref(datasets: SharedDatasets) -> Path:
    return datasets("de_re_de_dicto/belief", n=FEW)


@pytest.fixture(scope="module")
def gpt2(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return models.gpt2(tmp_path_factory.mktemp("gpt2"), positions=256)


# -- lm-eval


def evaluated(folder: Path, model: Any, task: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What lm-eval makes of a folder, started elsewhere and without a network."""
    from lm_eval.evaluator import simple_evaluate
    from lm_eval.tasks import TaskManager

    monkeypatch.chdir(folder.parent)
    manager = TaskManager(include_path=str(folder), include_defaults=False)
    found: dict[str, Any] = simple_evaluate(model=model, tasks=[task], task_manager=manager, bootstrap_iters=0)
    return found


def constant() -> Any:
    """A model to which all texts are equally likely."""
    from lm_eval.api.model import LM

    class Constant(LM):  # type: ignore[misc]
        def loglikelihood(self, requests: Any, disable_tqdm: bool = False) -> Any:
            return [(-1.0, False) for _ in requests]

        def loglikelihood_rolling(self, requests: Any, disable_tqdm: bool = False) -> Any:
            raise NotImplementedError

        def generate_until(self, requests: Any, disable_tqdm: bool = False) -> Any:
            raise NotImplementedError

    return Constant()


@pytest.mark.outside("lm_eval")
def test_a_model_of_constants_is_at_chance_in_lm_eval(
    nli: Path, scope: Path, coref: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path / "cache"))
    for source, task, metrics in (
        (nli, "gramprobe_presupposition", {"acc": 1 / 3}),
        (scope, "gramprobe_scope_choice", {"surface": 0.5}),
        (scope, "gramprobe_scope_continuation", {"alpha": 0, "alpha_positive": 0.5}),
        (coref, "gramprobe_de_re_de_dicto", {"subject_bias": 0, "subject_preferred": 0.5}),
    ):
        made = export("lm-eval", source, tmp_path / task)
        found = evaluated(made.folder, constant(), task, monkeypatch)["results"][task]
        assert {name: found[f"{name},none"] for name in metrics} == pytest.approx(metrics), task


@pytest.mark.outside("lm_eval")
def test_samples_of_lm_eval_are_read_back_with_the_ids_of_the_rows(
    nli: Path, gpt2: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lm_eval.models.huggingface import HFLM

    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path / "cache"))
    made = export("lm-eval", nli, tmp_path / "out")
    model = HFLM(pretrained=str(gpt2), device="cpu", dtype="float32", batch_size=16)
    found = evaluated(made.folder, model, "gramprobe_presupposition", monkeypatch)
    ((task, each),) = found["samples"].items()
    file = tmp_path / "samples.jsonl"
    file.write_text("".join(json.dumps(one, default=str) + "\n" for one in each), "utf-8")
    table = samples.read(file)
    dataset = gramprobe.read(nli)
    rows = {r["id"]: r["label"] for b in dataset.rows(BOTH.partition("/")[2]) for r in b.to_pylist()}
    assert set(table.column("item").to_pylist()) == set(rows) and table.num_rows == 3 * len(rows)
    values: dict[str, list[float]] = {}
    for row in table.to_pylist():
        values.setdefault(row["item"], []).append(row["value"])
    right = [max(range(3), key=values[item].__getitem__) == label for item, label in rows.items()]
    assert found["results"][task]["acc,none"] == pytest.approx(sum(right) / len(right))


# -- Inspect


@pytest.mark.outside("inspect_ai")
@pytest.mark.parametrize("which", ["nli", "scope"])
def test_inspect_counts_right_answers_by_paradigm(
    which: str, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from inspect_ai import eval as run
    from inspect_ai.model import ChatCompletionChoice, ChatMessageAssistant, ModelOutput, ModelUsage, get_model

    def said(letter: str) -> Any:
        message = ChatMessageAssistant(content=f"ANSWER: {letter}")
        usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # else a tokenizer is fetched
        return ModelOutput(model="mockllm", choices=[ChatCompletionChoice(message=message)], usage=usage)

    made = export("inspect", request.getfixturevalue(which), tmp_path / "out")
    monkeypatch.chdir(tmp_path)
    samples = [json.loads(line) for file in made.folder.glob("*.jsonl") for line in file.open(encoding="utf-8")]
    model = get_model("mockllm/model", custom_outputs=[said("A") for _ in samples])
    (log,) = run("out/task.py", model=model, display="none", log_dir="logs")
    assert log.status == "success", log.error
    (score,) = log.results.scores
    values = {name: metric.value for name, metric in score.metrics.items()}
    first = sum(sample["target"] == "A" for sample in samples) / len(samples)
    ((name, share),) = {k: v for k, v in values.items() if k not in ("all", "stderr")}.items()
    assert name == samples[0]["metadata"]["paradigm"]
    assert share == values["all"] == pytest.approx(first)
    assert first == pytest.approx(1 / len(samples[0]["choices"]), abs=0.01)  # whoever always says A is at chance
    assert {s.id for s in log.samples} == {sample["id"] for sample in samples}


# -- minicons


@pytest.fixture(scope="module")
def clauses(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("clauses")
    (built,) = relatives.project_of(folder, relatives.CLAUSES).build("reading", folder / "data", n=FEW)
    return built.folder


@pytest.fixture(scope="module")
def pairs(datasets: SharedDatasets) -> Path:
    return datasets("acceptability/any_by_determiner", n=FEW)


@pytest.mark.outside("minicons")
@pytest.mark.parametrize("kind", ["gpt2", "llama"])
@pytest.mark.parametrize("which", ["scope", "coref", "clauses", "pairs"])
def test_minicons_gives_the_scores_of_gramprobe(
    which: str, kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    source: Path = request.getfixturevalue(which)
    made = export("minicons", source, tmp_path / "out")
    model = {"gpt2": models.gpt2, "llama": models.llama}[kind](tmp_path / "model")
    script = [sys.executable, str(made.folder / "score.py"), str(model)]
    assert sum(bool(line.strip()) for line in (made.folder / "score.py").open(encoding="utf-8")) <= 15
    subprocess.run(script, check=True, cwd=tmp_path, capture_output=True)
    theirs = {(r["item"], r["part"]): r["value"] for r in values.read(made.folder / "scores.csv").to_pylist()}
    ours: dict[tuple[str, str], float] = {}
    for mode in ["choice", "continuation"] if which == "scope" else [""]:
        options = ["--mode", mode] if mode else []
        out = tmp_path / f"s{mode}"
        assert main(["score", str(source), "--model", str(model), "--out", str(out), *options]) == 0
        table = gramprobe.read_scores(out).table()
        sign = -1 if which == "clauses" else 1
        ours |= {(r["item"], r["part"]): sign * r["value"] for r in table.to_pylist() if r["value"] is not None}
    assert theirs.keys() == ours.keys()
    assert max(abs(theirs[key] - ours[key]) for key in ours) < 1e-4


# -- Croissant


@pytest.mark.outside("mlcroissant")
@pytest.mark.parametrize("which", ["nli", "scope", "clauses"])
def test_mlcroissant_validates_and_loads(
    which: str, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import mlcroissant

    source: Path = request.getfixturevalue(which)
    made = export("croissant", source, tmp_path / "out")
    monkeypatch.chdir(tmp_path)
    loaded = mlcroissant.Dataset(jsonld=str(made.folder / "croissant.json"))  # raises what is not valid
    assert not loaded.metadata.issues.errors
    dataset = gramprobe.read(source)
    for name in made.paradigms:
        ours = [row for batch in dataset.rows(name) for row in batch.to_pylist()]
        theirs = list(loaded.records(name))
        assert len(theirs) == len(ours)
        for one, other in zip(ours, theirs, strict=True):
            cells = {k.partition("/")[2]: v.decode() if isinstance(v, bytes) else v for k, v in other.items()}
            assert cells.pop("draws") == json.dumps(one.pop("draws"))
            assert cells == one
    (made.folder / f"{made.paradigms[0]}.parquet").write_bytes(b"spoilt")
    with pytest.raises(Exception, match=r"Download\("):
        list(mlcroissant.Dataset(jsonld=str(made.folder / "croissant.json")).records(made.paradigms[0]))


@pytest.mark.outside("datasets")
def test_datasets_loads_the_jsonl_and_csv_of_exports(nli: Path, tmp_path: Path) -> None:
    from datasets import load_dataset

    for form, kind, suffix in (("csv", "csv", ".csv"), ("imppres", "json", ".jsonl")):
        made = export(form, nli, tmp_path / form)
        rows = load_dataset(kind, data_files=str(made.folder / f"both{suffix}"), cache_dir=str(tmp_path / "cache"))
        assert rows["train"].num_rows == {"csv": 38, "imppres": 19}[form] * FEW
