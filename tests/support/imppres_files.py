"""The files of IMPPRES (Jeretic et al. 2020; github.com/facebookresearch/Imppres): JSON lines, a pair in each.

Implicature files have two labels a pair and no number of the paradigm: their rows stand in groups of twelve, one for
each ordered pair of the four sentences. Presupposition files have nineteen rows a paradigm, and name other columns in
control rows than in target rows.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa

from gramprobe.certify.rule import LABELS
from gramprobe.formats.tabular import json_records, refused

IMPLICATURE_ROWS = 12

_TEXTS = ("item", "paradigm", "premise", "hypothesis")
IMPLICATURE = pa.schema(
    [(name, pa.string()) for name in (*_TEXTS, "condition", "item_type", "label_literal", "label_imppres")]
)
PRESUPPOSITION = pa.schema(
    [(name, pa.string()) for name in (*_TEXTS, "trigger", "presupposition", "item_type", "label")]
)


def implicature(path: Path) -> pa.Table:
    """The rows of a scalar implicature file, as `IMPLICATURE`: `condition` is the release's `spec_relation`, `paradigm`
    the number of the group of twelve. Raises UsageError (E44, E46), also for a group that is cut off."""
    needed = ("sentence1", "sentence2", "gold_label_log", "gold_label_prag", "spec_relation", "item_type", "trigger")
    rows: list[dict[str, str]] = []
    line = 0
    for line, found in json_records(path, needed, "an implicature file of IMPPRES"):
        group, place = divmod(len(rows), IMPLICATURE_ROWS)
        rows.append(
            {
                "item": f"{path.stem}/{group}/{place}",
                "paradigm": f"{path.stem}/{group}",
                "premise": found["sentence1"],
                "hypothesis": found["sentence2"],
                "condition": found["spec_relation"],
                "item_type": found["item_type"],
                "label_literal": _label(path, line, found, "gold_label_log"),
                "label_imppres": _label(path, line, found, "gold_label_prag"),
            }
        )
    if len(rows) % IMPLICATURE_ROWS:
        what = f"the file ends {len(rows) % IMPLICATURE_ROWS} rows into a paradigm of {IMPLICATURE_ROWS}"
        raise refused(path, line, what, "fetch the file anew")
    return pa.Table.from_pylist(rows, IMPLICATURE)


def presupposition(path: Path) -> pa.Table:
    """The rows of a presupposition file, as `PRESUPPOSITION`.

    `trigger` is the form of the premise (`unembedded`, `negated`, `interrogative`, `modal`, `conditional`) and
    `presupposition` that of the hypothesis (`positive`, `negated`, `neutral`); in control rows `trigger` is that of the
    premise and `presupposition` is empty. Raises UsageError (E44, E46).
    """
    needed = ("sentence1", "sentence2", "gold_label", "UID", "pairID", "paradigmID")
    rows: list[dict[str, str]] = []
    for line, found in json_records(path, needed, "a presupposition file of IMPPRES"):
        control = bool(found.get("control_item"))
        fields = ("trigger1",) if control else ("trigger", "presupposition")
        for name in fields:
            if name not in found:
                raise refused(path, line, f"no field `{name}`", "fetch the file anew")
        rows.append(
            {
                "item": f"{path.stem}/{found['pairID']}",
                "paradigm": f"{path.stem}/{found['paradigmID']}",
                "premise": found["sentence1"],
                "hypothesis": found["sentence2"],
                "trigger": found[fields[0]],
                "presupposition": "" if control else found["presupposition"],
                "item_type": "control" if control else "target",
                "label": _label(path, line, found, "gold_label"),
            }
        )
    return pa.Table.from_pylist(rows, PRESUPPOSITION)


def _label(path: Path, line: int, row: dict[str, Any], name: str) -> str:
    if row[name] not in LABELS:
        raise refused(path, line, f"`{row[name]}` in the field `{name}`", f"a label is one of {', '.join(LABELS)}")
    return str(row[name])


def predictions(path: Path, items: pa.Table) -> pa.Table:
    """Released predictions of a model for the rows of a file: an array of shape (rows, 3) with the probabilities, or
    other scores, of entailment, neutral and contradiction. Returns `item` and a column for each label.

    Raises UsageError (E44, E46): no such array, another number of rows.
    """
    import numpy as np

    try:
        scores = np.load(path, allow_pickle=False)
    except OSError as error:
        raise refused(path, 0, f"cannot be read: {error.strerror}", "give a file of numpy (.npy)") from None
    except ValueError:
        raise refused(
            path, 0, "no array of numbers", "a file that needs pickle is never opened: save it as numbers"
        ) from None
    if scores.shape != (items.num_rows, len(LABELS)):
        what = f"an array of {scores.shape} for {items.num_rows} rows and {len(LABELS)} labels"
        raise refused(path, 0, what, "give the predictions of this file")
    columns = [items.column("item"), *(pa.array(scores[:, i], pa.float64()) for i in range(len(LABELS)))]
    return pa.table(columns, names=["item", *LABELS])
