"""lm-eval: a folder of tasks made of a dataset, and the samples that lm-eval writes (`--log_samples`).

The folder needs nothing but itself: `lm_eval run --include_path DIR --tasks NAME`. There is a task for each paradigm
and a group for all, rows as JSON lines, and `tasks.py` with metrics in which a tie is a share, as lm-eval gives it to
the first choice. Samples are JSON lines with the row of the dataset in `doc`.
"""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from gramprobe.formats import writing
from gramprobe.formats.choices import LETTERS, filled, lettered
from gramprobe.formats.tabular import finite, json_records, refused
from gramprobe.formats.values import ROUNDING

suffixes, gives = (".jsonl",), "scores"
CHANGED = "the file was changed: run lm-eval again"
"""The help for a sample that contradicts itself."""
SCHEMA = pa.schema(
    [
        ("item", pa.string()),
        ("choice", pa.string()),
        ("value", pa.float64()),
        ("line", pa.int64()),
        ("right", pa.bool_()),
        ("doc", pa.string()),
    ]
)


def reads(path: Path) -> bool:
    """Whether its first line is a sample. Raises UsageError (E44, E46)."""
    first = next(json_records(path, (), "a file of samples of lm-eval"), (0, {}))
    return {"doc", "filtered_resps"} <= first[1].keys()


def read(path: Path) -> pa.Table:
    """The log likelihoods of the choices of each sample, in nats, as `SCHEMA`.

    `choice` is the place of the choice, from 0, and `item` the field `id` of the document; `right` says whether the
    sample takes it for the right one, null where it does not say. `doc`: the texts of the document by field, as JSON;
    in the row of the first choice only. Raises UsageError: a file that cannot be read (E44);
    a sample that lacks something, or that contradicts itself (E46).
    """
    rows, seen = [], set[str]()
    for line, sample in json_records(path, ("doc", "filtered_resps"), "a file of samples of lm-eval"):
        doc = sample["doc"]
        if not isinstance(doc, dict) or not isinstance(doc.get("id"), str):
            what = "the document of the sample has no field `id`"
            raise refused(path, line, what, "give lm-eval the rows of the dataset as they are, with the column `id`")
        if doc["id"] in seen:
            help = "keep one of the lines: lm-eval writes one for each filter of the task"
            raise refused(path, line, f"`{doc['id']}` a second time", help)
        seen.add(doc["id"])
        if not isinstance(sample["filtered_resps"], list) or not sample["filtered_resps"]:
            help = "score the task with output_type multiple_choice or loglikelihood"
            raise refused(path, line, "`filtered_resps` is no list of log likelihoods", help)
        values = [_log_likelihood(path, line, response) for response in sample["filtered_resps"]]
        target = _target(path, line, sample, values)
        texts = json.dumps({name: text for name, text in doc.items() if isinstance(text, str)})
        rows += [
            {
                "item": doc["id"],
                "choice": str(place),
                "value": value,
                "line": line,
                "right": None if target is None else place == target,
                "doc": None if place else texts,
            }
            for place, value in enumerate(values)
        ]
    return pa.Table.from_pylist(rows, SCHEMA)


def _target(path: Path, line: int, sample: Mapping[str, Any], values: Sequence[float]) -> int | None:
    """The place of the right choice; None where the sample does not say it. It is said by its number or by its text.

    Raises UsageError (E46) where the document says another one, or `acc` is not what the likelihoods give (a tie
    shared, as here, or given to the first).
    """
    said, in_document, acc = str(sample.get("target")), sample["doc"].get("target"), sample.get("acc")
    by_number = [str(place) for place in range(len(values))]
    known = by_number if isinstance(in_document, int) else [*_choices(sample), *by_number]
    places = list(dict.fromkeys(at % len(values) for at, choice in enumerate(known) if choice == said))
    if not places:
        if not said.isdecimal():
            return None
        raise refused(path, line, f"`target` is {said}, and there are {len(values)} choices", CHANGED)
    if isinstance(in_document, int) and in_document != places[0]:
        raise refused(path, line, f"`target` is {places[0]}, and {in_document} in the document", CHANGED)
    best = [place for place, value in enumerate(values) if value == max(values)]
    possible = {target: (float(best[0] == target), (target in best) / len(best)) for target in places}
    if isinstance(acc, int | float):
        places = [at for at in places if any(math.isclose(acc, each, abs_tol=1e-6) for each in possible[at])]
        if not places:
            target, (share, _) = next(iter(possible.items()))
            what = f"`acc` is {acc}, where the log likelihoods and the target {target} give {share:g}"
            raise refused(path, line, what, CHANGED)
    return places[0] if len(places) == 1 else None


def _choices(sample: Mapping[str, Any]) -> list[str]:
    """The texts of the choices, without the spaces around them; none where the sample does not have one for each."""
    asked: Any = sample.get("arguments")
    try:
        pairs = [*asked.values()] if isinstance(asked, dict) else asked
        texts = [str(([*pair.values()] if isinstance(pair, dict) else pair)[1]).strip() for pair in pairs]
    except (TypeError, IndexError, KeyError):
        return []
    return texts if len(texts) == len(sample["filtered_resps"]) else []


def _log_likelihood(path: Path, line: int, response: Any) -> float:
    """The first of (log likelihood, whether greedy decoding gives it); lm-eval writes both as texts."""
    try:
        value = finite(str(response[0]))
        if value > ROUNDING:
            raise ValueError
        return value
    except (ValueError, IndexError, TypeError, KeyError):
        what = f"`{response}` is no log likelihood"
        raise refused(path, line, what, "score the task with output_type multiple_choice or loglikelihood") from None


# -- writing

about = "a folder of tasks for the Language Model Evaluation Harness (`lm_eval run --include_path DIR --tasks GROUP`)"


class _Form(NamedTuple):
    """How rows of a kind are asked: fields of the task, whose values are Jinja templates or columns, and metrics."""

    text: str
    choices: str | list[str]
    delimiter: str
    results: str
    metrics: tuple[str, ...]


_FORMS = {
    "label": _Form(  # Brown et al. 2020, appendix G; in the order of the labels
        "{{context}}\nQuestion: {{hypothesis}} True, False, or Neither?\nAnswer:", ["True", "Neither", "False"], " ",
        "right", ("acc",),
    ),
    "choice": _Form("{{context}}", list(LETTERS), " ", "option", ("surface", "preferred")),
    "slot": _Form("{{context}}", "choices", "", "candidate", ("subject_bias", "subject_preferred")),
    "pair": _Form("", "choices", "", "right", ("acc",)),
    "continuation": _Form("", "choices", "", "alpha", ("alpha", "alpha_positive")),
}  # fmt: skip


def fits(design: Any) -> bool:
    """Whether rows ask for a label, an option, a candidate, a sentence of several, or a continuation."""
    return writing.kind_of(design) in _FORMS


def write(dataset: Any, paradigms: Sequence[str], folder: Path) -> Sequence[str]:
    """The tasks, their rows and their metrics. Raises OSError."""
    base = writing.identifier("gramprobe", dataset.manifest.name.partition("--")[0])
    groups: dict[str, list[str]] = {}
    metrics: dict[str, set[str]] = {}
    count, empty = 0, list[str]()
    for name in paradigms:
        design = dataset.design(name)
        kind, task = writing.kind_of(design), writing.identifier(base, name)
        docs = _docs(dataset, name, design, kind)
        found: set[str] = set()
        count += writing.json_lines(folder / f"{name}.jsonl", _noting(docs, _FORMS[kind].metrics, found))
        own = [each for each in _FORMS[kind].metrics if each in found]
        if not own:
            (folder / f"{name}.jsonl").unlink()
            empty.append(name)
            continue
        form = _FORMS[kind]
        fields = {
            "task": task, "custom_dataset": "!function tasks.load", "dataset_kwargs": {"file": f"{name}.jsonl"},
            "test_split": "test", "output_type": "multiple_choice", "doc_to_text": form.text,
            "doc_to_choice": form.choices, "doc_to_target": "target", "target_delimiter": form.delimiter,
            "process_results": f"!function tasks.{form.results}", "metric_list": [_metric(each) for each in own],
            "metadata": {"version": 1.0, "licence": dataset.rights.licence, "gramprobe": dataset.manifest.gramprobe},
        }  # fmt: skip
        (folder / f"{task}.yaml").write_text(_yaml(fields), "utf-8")
        groups.setdefault(kind, []).append(task)
        metrics[kind] = metrics.get(kind, set(own)) & set(own)
    if not groups:
        raise writing.nothing(dataset)
    for kind, tasks in groups.items():
        mean = [{"metric": each, "weight_by_size": True} for each in _FORMS[kind].metrics if each in metrics[kind]]
        group = base if len(groups) == 1 else f"{base}_{kind}"
        fields = {"group": group, "task": tasks, "aggregate_metric_list": mean, "metadata": {"version": 1.0}}
        (folder / f"{group}_group.yaml").write_text(_yaml(fields), "utf-8")
    if len(groups) > 1:
        whole = {"group": base, "task": [f"{base}_{kind}" for kind in groups], "metadata": {"version": 1.0}}
        (folder / f"{base}_group.yaml").write_text(_yaml(whole), "utf-8")
    shutil.copyfile(Path(__file__).with_name("scripts") / "lm_eval_tasks.py", folder / "tasks.py")
    return [
        f"Run it by `lm_eval run --model hf --model_args pretrained=MODEL --include_path DIR --tasks {base}`; no "
        "network is used but for the model.",
        "A tie counts as the share of the tied choices that are right. Of a pair of sentences the better one stands "
        "first in every other row; options stand in both orders, as in the dataset.",
        "lm-eval takes rows as independent in its standard errors; those of an instance are not. Conditions are not "
        "scored apart: with `--log_samples`, `gramprobe analyze SAMPLES.jsonl --dataset DATASET` does both for labels.",
        *writing.counted(sum(map(dataset.count, paradigms)) - count, writing.UNASKED, empty),
        writing.columns_left(
            dataset, paradigms, [*_KEPT, "label", "surface", "preferred", *_texts(dataset, paradigms)]
        ),
    ]


_KEPT = ("id", "condition", "instance", "tag")


def _texts(dataset: Any, paradigms: Sequence[str]) -> Iterator[str]:
    """The columns that the rows of tasks have, or hold as a text or a place: of contexts the first two."""
    yield from ("label", "surface", "preferred")
    for scored in (dataset.design(name).scored for name in paradigms):
        yield from (*scored.context[:2], *scored.options, *scored.continuations)


def _docs(dataset: Any, name: str, design: Any, kind: str) -> Iterator[dict[str, Any]]:
    """The rows of a task, those alone that have something to be right about and count in headline scores."""
    scored = design.scored
    columns = (*_KEPT, *scored.context, *scored.options, *scored.continuations, *scored.label, "surface", "preferred")
    for number, row in enumerate(writing.headline(dataset, name, columns)):
        doc = {column: row[column] for column in _KEPT}
        context = [row[column] for column in scored.context]
        options = [row[column] for column in scored.options]
        match kind:
            case "label" if row["label"] is not None:
                yield {**doc, "context": context[0], "hypothesis": row[scored.continuations[0]], "target": row["label"]}
            case "choice":
                at = {f"{of}_at": writing.picking(row, scored, row.get(of)) for of in ("surface", "preferred")}
                if max(at.values()) >= 0:
                    yield {**doc, "context": lettered(" ".join(context), options), **at, "target": 0}
            case "slot":
                before, choices = filled(context[0], scored.slot, options)
                yield {**doc, "context": before, "choices": choices, "target": 0}
            case "pair":
                turn = number % len(options)
                yield {**doc, "choices": options[-turn:] + options[:-turn] if turn else options, "target": turn}
            case "continuation":
                after = [row[column] for column in scored.continuations]
                yield {**doc, "choices": [f"{c} {text}" for c in context[:2] for text in after], "target": 0}


def _noting(docs: Iterator[dict[str, Any]], metrics: Sequence[str], found: set[str]) -> Iterator[dict[str, Any]]:
    """The same rows; ``found`` gets the metrics that some row has."""
    for doc in docs:
        found.update(metric for metric in metrics if doc.get(f"{metric}_at", 0) >= 0)
        yield doc


def _metric(name: str) -> dict[str, Any]:
    return {"metric": name, "aggregation": "mean", "higher_is_better": True}


def _yaml(fields: dict[str, Any]) -> str:
    """Fields as YAML, of which JSON is a part; functions are a tag."""
    lines = []
    for name, value in fields.items():
        text = value if str(value).startswith("!function ") else json.dumps(value, ensure_ascii=False)
        lines.append(f"{name}: {text}\n")
    return "".join(lines)
