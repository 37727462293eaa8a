"""JSON Schema of the answers, of a row and of the files of a dataset."""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Any

import msgspec
from msgspec import Struct

from gramprobe.cli.answers.analyses import Analyzed, Framed, Judgments, Planned, Studied
from gramprobe.cli.answers.audits import Audited
from gramprobe.cli.answers.datasets import Built, Compared, ComparedTheories, SeveralTheories, VerifiedDataset
from gramprobe.cli.answers.decisions import EXPLAINED, Decided
from gramprobe.cli.answers.experiments import DrawnUp
from gramprobe.cli.answers.exposures import Exposed
from gramprobe.cli.answers.projects import Checked, Declared, Folders, Listed, Modules, Said, Theories, Words
from gramprobe.cli.answers.readings import LabelOfSentences, Parsed
from gramprobe.cli.answers.scores import Finetuned, ScoredFolder
from gramprobe.compiled.data import Compiled
from gramprobe.dataset.manifest import Column, Designs, Manifest
from gramprobe.finetune.record import DynamicsRow, Training
from gramprobe.score.record import LabelsRow, Run, ScoreRow, TwoLabelsRow


def row(columns: list[Column], name: str, optional: Container[str] = ()) -> type[Struct]:
    """The record of a row with these columns, as `sample --json` prints it. ``optional``: those that may be null."""
    types: dict[str, Any] = {"text": str, "number": int, "label": int, "draws": dict[str, str]}
    fields = [(c.name, types[c.type] | None if c.name in optional else types[c.type]) for c in columns]
    return msgspec.defstruct(name, fields, forbid_unknown_fields=True, kw_only=True)


def _rows() -> list[type[Struct]]:
    from gramprobe.dataset.describe import columns_of
    from gramprobe.items.tasks import TASKS

    return [row(columns_of(task), f"Row_{task.name}", task.optional) for task in TASKS.values()]


def _only(record: Any) -> Callable[[], list[Any]]:
    return lambda: [record]


SCHEMAS: dict[str, tuple[str, Callable[[], list[Any]]]] = {
    "analyze": ("what `gramprobe analyze --json` prints", lambda: [Studied, Analyzed]),
    "build": ("what `gramprobe build --json` prints", _only(Built)),
    "check": ("what `gramprobe check --json` prints", _only(Checked)),
    "constructors": ("what `gramprobe list --constructors --json` and `--features --json` print", _only(Declared)),
    "decide": ("what `gramprobe decide --json` prints", _only(Decided)),
    "design": ("the file design.json of a dataset", _only(Designs)),
    "diff": ("what `gramprobe diff --json` prints", _only(Compared)),
    "diff-theory": ("what `gramprobe diff-theory --json` prints", lambda: [ComparedTheories, SeveralTheories]),
    "dynamics": ("a row of dynamics.parquet of a trained model", _only(DynamicsRow)),
    "explain": ("what `gramprobe explain --json` prints", lambda: [record for _, record in EXPLAINED]),
    "frame": ("what `gramprobe frame --json` prints", _only(Framed)),
    "exposure": ("what `gramprobe exposure --json` prints", _only(Exposed)),
    "finetune": ("what `gramprobe finetune --json` prints", _only(Finetuned)),
    "grammar": ("what `gramprobe export grammar` prints", _only(Compiled)),
    "judgments": ("what `gramprobe judgments --json` prints", _only(Judgments)),
    "list": ("what `gramprobe list --json` prints", _only(Listed)),
    "lists": ("what `gramprobe lists --json` prints", _only(DrawnUp)),
    "manifest": ("the file manifest.json of a dataset", _only(Manifest)),
    "modules": ("what `gramprobe list --modules --json` prints", _only(Modules)),
    "audit": ("what `gramprobe audit --json` prints", _only(Audited)),
    "label": ("what `gramprobe label --json` prints", _only(LabelOfSentences)),
    "parse": ("what `gramprobe parse --json` prints", _only(Parsed)),
    "power": ("what `gramprobe power --json` prints", _only(Planned)),
    "sample": ("a line of what `gramprobe sample --json` prints, and of items/*.jsonl", _rows),
    "run": ("the file run.json of a folder of scores", _only(Run)),
    "say": ("what `gramprobe say --json` prints", _only(Said)),
    "score": ("what `gramprobe score --json` prints", _only(ScoredFolder)),
    "scores": ("a row of scores/*.parquet of a folder of scores", lambda: [ScoreRow, LabelsRow, TwoLabelsRow]),
    "theories": ("what `gramprobe list --theories --json` prints", _only(Theories)),
    "training": ("the file finetune.json of a trained model", _only(Training)),
    "verify": ("what `gramprobe verify --json` prints", _only(VerifiedDataset)),
    "where": ("what `gramprobe where --json` prints", _only(Folders)),
    "words": ("what `gramprobe list --words CATEGORY --json` prints", _only(Words)),
}
"""Name -> title, and the records of the schema: a single record, or several of which one matches."""


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of that name. Raises KeyError."""
    title, records = SCHEMAS[name]
    references, definitions = msgspec.json.schema_components(records(), ref_template="#/$defs/{name}")
    body = references[0] if len(references) == 1 else {"anyOf": list(references)}
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"gramprobe: {title}"}
    return {**head, **body, "$defs": dict(sorted(definitions.items()))}
