"""Which columns of a plain file a model is scored on, task by task. No task is imported for it."""

from __future__ import annotations

from gramprobe.certify.rule import LABELS
from gramprobe.records import Scored
from gramprobe.source.diagnostic import UsageError
from gramprobe.source.nearest import did_you_mean, listed

FORMS: dict[str, Scored] = {
    "nli": Scored.of(context=("premise",), continuations=("hypothesis",), label=("label",)),
    "choice": Scored.of(context=("sentence",), options=("option_a", "option_b"), label=("picks_a", "picks_b")),
    "continuation": Scored.of(
        context=("ambiguous", "control", "control_2"),
        continuations=("followup_inverse", "followup_surface"),
        label=("fits",),
    ),
    "coref": Scored.of(
        context=("text",),
        options=("candidate_subject", "candidate_embedded"),
        slot="[pronoun]",
        label=("embedded_accessible_in", "embedded_exists_in"),
    ),
    "sentences": Scored.of(continuations=("sentence",)),
    "minimal_pair": Scored.of(options=("sentence_good", "sentence_bad")),
    "surprisal": Scored.of(continuations=("text",)),
}
"""Task -> the columns of a plain file that a model reads and is scored on; of a dataset, its design says so.

The first five are those of our tasks. Then BLiMP's names of columns, and a text by region.
"""
OPTIONAL = ("control_2", "regions", "context")
"""Columns that a row may be without: a second control, the regions of a text, and what stands before it."""
LABELS_OF = {"nli": LABELS}
"""Task -> the names of the numbers in its column of labels."""


def form_of(task: str) -> Scored:
    """The columns of a task. Raises UsageError for a task that there is not."""
    if task not in FORMS:
        raise UsageError(f"no task named `{task}`{did_you_mean(task, FORMS)}", f"there are: {listed(FORMS)}")
    return FORMS[task]
