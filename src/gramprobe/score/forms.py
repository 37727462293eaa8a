"""Which columns of a task a model is scored on: of the tasks of datasets, and of tasks of plain files alone."""

from __future__ import annotations

from typing import Any

import msgspec

from gramprobe.certify.rule import LABELS
from gramprobe.dataset.manifest import Scored
from gramprobe.dataset.schema import SCORED
from gramprobe.source.diagnostic import UsageError
from gramprobe.source.nearest import did_you_mean, listed


def _record(scored: Any) -> Scored:
    """The columns as the record of `design.json`."""
    fields = {name: getattr(scored, name) for name in Scored.__struct_fields__}
    return msgspec.convert({k: v if isinstance(v, str) else list(v) for k, v in fields.items()}, Scored)


PLAIN: dict[str, Scored] = {
    "minimal_pair": Scored(context=[], options=["sentence_good", "sentence_bad"], continuations=[], slot="", label=[]),
    "surprisal": Scored(context=[], options=[], continuations=["text"], slot="", label=[]),
}
"""Tasks that plain files may have and no dataset has yet: BLiMP's names of columns, and a text by region."""
FORMS: dict[str, Scored] = {**{name: _record(scored) for name, scored in SCORED.items()}, **PLAIN}
"""Task -> the columns that a model reads and is scored on."""
OPTIONAL = ("control_2", "regions")
"""Columns that a row may be without: a second control, and the regions of a text."""
LABELS_OF = {"nli": LABELS}
"""Task -> the names of the numbers in its column of labels."""


def form_of(task: str) -> Scored:
    """The columns of a task. Raises UsageError for a task that there is not."""
    if task not in FORMS:
        raise UsageError(f"no task named `{task}`{did_you_mean(task, FORMS)}", f"there are: {listed(FORMS)}")
    return FORMS[task]
