"""minicons (Misra 2022): the texts to score as CSV, and a script that scores them by `IncrementalLMScorer`.

minicons has no form of a dataset. A row is a text, what stands before it, and the item and part that its
log-probability is of, as `gramprobe score` names them; the values are those of `gramprobe score` with a causal model.
Texts of one part are spellings of one answer.
"""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from gramprobe.formats import writing
from gramprobe.formats.choices import LETTERS, filled, lettered
from gramprobe.records import regions_around

about = "texts and contexts as CSV, and a script that scores them with minicons (`python DIR/score.py MODEL`)"
_COLUMNS = ("item", "part", "start", "context", "text")
_PLACED = ("regions", "context", "critical", "one_prefix")


def fits(design: Any) -> bool:
    """Whether rows are texts of which the probability is asked: all but pairs with labels."""
    return writing.kind_of(design) not in ("", "label")


def write(dataset: Any, paradigms: Sequence[str], folder: Path) -> Sequence[str]:
    """A file for each paradigm, and the script. Raises OSError."""
    read: set[str] = set()
    for name in paradigms:
        design = dataset.design(name)
        scored = design.scored
        columns = ("id", *scored.context, *scored.options, *scored.continuations, *_PLACED)
        read.update(columns)
        with (folder / f"{name}.parts.csv").open("w", encoding="utf-8", newline="") as stream:
            lines = csv.writer(stream, lineterminator="\n")
            lines.writerow(_COLUMNS)
            for row in writing.rows(dataset, name, columns):
                lines.writerows((row["id"], *part) for part in _parts(writing.kind_of(design), scored, row))
    shutil.copyfile(Path(__file__).with_name("scripts") / "minicons_score.py", folder / "score.py")
    return [
        "`python DIR/score.py MODEL [DEVICE]` writes `scores.csv`; `gramprobe analyze "
        "DIR/scores.csv --dataset DATASET` reads it. `start` says whether a text begins with the model's first token.",
        *(
            ["Values of regions are log-probabilities, where `gramprobe score` has surprisals: the other sign."]
            if any(writing.kind_of(dataset.design(name)) == "sentence" for name in paradigms)
            else []
        ),
        writing.columns_left(dataset, paradigms, read),
    ]


def _parts(kind: str, scored: Any, row: Mapping[str, Any]) -> Iterator[tuple[str, str, str, str]]:
    """(part, whether the text begins, context, text) of what is scored of a row."""
    match kind:
        case "pair":
            for column in scored.options:
                yield column, "yes", "", row[column]
                around = regions_around(row[column], row).items()
                yield from _in_turn({f"{column}/{place}": text for place, text in around})
        case "slot":
            context, texts = filled(row[scored.context[0]], scored.slot, [row[column] for column in scored.options])
            start = "" if context else "yes"
            yield from ((column, start, context, text) for column, text in zip(scored.options, texts, strict=True))
        case "continuation":
            for column in scored.context:
                if row[column]:
                    yield from ((f"{column}/{n}", "", row[column], f" {row[n]}") for n in scored.continuations)
        case "choice":
            sentence, options = " ".join(row[c] for c in scored.context), [row[c] for c in scored.options]
            for before, given in (("", sentence), ("without_context/", "")):
                prompt = lettered(given, options)
                for column, letter in zip(scored.options, LETTERS, strict=True):
                    yield from ((f"{before}{column}", "", prompt, text) for text in (f" {letter}", letter))
        case _:
            yield from _in_turn(_regions(row, scored))


def _in_turn(regions: Mapping[str, str]) -> Iterator[tuple[str, str, str, str]]:
    """Each region after those before it."""
    so_far = ""
    for part, text in regions.items():
        yield part, "yes", so_far, f" {text}" if so_far else text
        so_far = f"{so_far} {text}" if so_far else text


def _regions(row: Mapping[str, Any], scored: Any) -> dict[str, str]:
    """The regions of a sentence by name; without any its words by number."""
    text = row[scored.continuations[0]]
    found = json.loads(row["regions"]) if row.get("regions") else []
    named = {each["name"]: each["text"] for each in found} or {str(n): w for n, w in enumerate(text.split(), 1)}
    return {"context": row["context"], **named} if row.get("context") else named
