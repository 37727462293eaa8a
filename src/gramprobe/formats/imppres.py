"""The JSON lines of IMPPRES (Jeretic et al. 2020; github.com/facebookresearch/Imppres), so that scripts for the paper's
files run on ours.

A file of presuppositions has 19 rows for each instance, one of implicatures 12, in the order of the released files. A
row has the released fields, and what is written also has `id`, the row of the dataset. In implicatures
`gold_label_log` is `label_literal` and `gold_label_prag` is `label_imppres`; of what is read, the first is the label.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from gramprobe.formats.nli import Pair, label_of, sentences
from gramprobe.formats.tabular import JSON, fields
from gramprobe.formats.writing import columns_left, counted, instances, json_lines

about = "JSON lines with the fields and the order of the files of IMPPRES, for scripts that read these"
RELATIONS = {
    "weak-not_strong": "implicature_PtoN",
    "not_strong-weak": "implicature_NtoP",
    "weak-strong": "negated implicature_P",
    "strong-weak": "reverse negated implicature_P",
    "not_strong-not_weak": "negated implicature_N",
    "not_weak-not_strong": "reverse negated implicature_N",
    "strong-not_weak": "opposite",
    "not_weak-strong": "opposite",
    "weak-not_weak": "negation",
    "not_weak-weak": "negation",
    "strong-not_strong": "negation",
    "not_strong-strong": "negation",
}
"""Condition -> its `spec_relation`, in the order of the rows of an implicature."""
_ABSENT = dict.fromkeys(("not_strong-weak", "not_strong-not_weak", "not_weak-not_strong"), "no_impl")
"""What the relations of a numeral are called that strengthening does not give."""
_TRIGGERS = {
    "trigger": "unembedded",
    "negated": "negated",
    "interrogative": "interrogative",
    "modal": "modal",
    "conditional": "conditional",
}
_VERSIONS = {"presupposed": "positive", "denied": "negated", "neutral": "neutral"}
_TARGETS = {
    f"{left}-{right}": {"trigger": trigger, "presupposition": version}
    for left, trigger in _TRIGGERS.items()
    for right, version in _VERSIONS.items()
}
_CONTROLS = {
    f"{left}-trigger": {"trigger1": trigger, "trigger2": "unembedded", "control_item": True}
    for left, trigger in _TRIGGERS.items()
    if left != "trigger"
}
PRESUPPOSITIONS: dict[str, dict[str, Any]] = {**_TARGETS, **_CONTROLS}
"""Condition -> its released fields, in the order of the rows of a presupposition."""
suffixes, gives = JSON, "pairs"
_TEXTS = ("sentence1", "sentence2")
_COLUMNS = ("id", "condition", "design", "premise", "hypothesis", "label_name", "label_literal", "label_imppres")


def reads(path: Path) -> bool:
    """Whether its first row has the fields of one of the two forms. Raises UsageError (E44)."""
    found = fields(path)
    return {*_TEXTS, "gold_label_log", "gold_label_prag"} <= found or {*_TEXTS, "gold_label", "paradigmID"} <= found


def read(path: Path) -> Iterator[Pair]:
    """The pairs in their order: of implicatures with `gold_label_log`, and the other label beside it. The kind is the
    relation, or what the trigger stands below with the form of the hypothesis. Raises UsageError (E44, E46)."""
    if "gold_label_log" in fields(path):
        needed = (*_TEXTS, "gold_label_log", "gold_label_prag", "spec_relation")
        for number, (line, row) in enumerate(sentences(path, needed, _TEXTS, "a file of implicatures of IMPPRES")):
            literal, prag = (label_of(path, line, row, f"gold_label_{name}") for name in ("log", "prag"))
            group, kind = f"{number // len(RELATIONS)}", str(row["spec_relation"])
            texts = (row["sentence1"], row["sentence2"])
            yield Pair(*texts, literal, others=(("gold_label_prag", prag),), kind=kind, group=group)
        return
    needed = (*_TEXTS, "gold_label", "paradigmID", "pairID")
    for line, row in sentences(path, needed, _TEXTS, "a file of presuppositions of IMPPRES"):
        above, form = row.get("trigger", row.get("trigger1")), row.get("presupposition", "control")
        label, kind = label_of(path, line, row, "gold_label"), f"{above}, {form}"
        texts = (row["sentence1"], row["sentence2"])
        yield Pair(*texts, label, kind=kind, group=str(row["paradigmID"]), name=str(row["pairID"]))


def fits(design: Any) -> bool:
    """Whether every instance has all conditions of one of the two forms."""
    return design.labels is not None and _conditions(design) is not None


def _conditions(design: Any) -> Sequence[str] | None:
    whole = {pair.condition for pair in design.pairs if pair.share is None}
    return next((list(form) for form in (RELATIONS, PRESUPPOSITIONS) if whole >= form.keys()), None)


def write(dataset: Any, paradigms: Sequence[str], folder: Path) -> Sequence[str]:
    """A file for each paradigm. Raises OSError."""
    written = 0
    for name in paradigms:
        order = _conditions(dataset.design(name)) or ()
        form = _implicatures if "weak-strong" in order else _presuppositions
        groups = instances(dataset, name, _COLUMNS)
        ordered = ({row["condition"]: row for row in group if row["design"] == "paper"} for group in groups)
        written += json_lines(folder / f"{name}.jsonl", form(name, ([rows[c] for c in order] for rows in ordered)))
    swapped = counted(
        sum(map(dataset.count, paradigms)) - written,
        "the form has no place for pairs that the paper's design does not have (those of `balance`)",
    )
    notes = [
        "`UID` and `trigger` of an implicature are the paradigm's name; `lexemes` are the words in which the sentences "
        "with the weaker and the stronger word differ.",
        "A label that the dataset does not give is `-`, as in MultiNLI.",
    ]
    return [*notes, *swapped, columns_left(dataset, paradigms, _COLUMNS)]


def _presuppositions(name: str, groups: Iterator[list[dict[str, Any]]]) -> Iterator[dict[str, Any]]:
    number = 0
    for paradigm, group in enumerate(groups):
        for row in group:
            label = row["label_name"] or "-"
            yield {
                "sentence1": row["premise"],
                "sentence2": row["hypothesis"],
                **PRESUPPOSITIONS[row["condition"]],
                "gold_label": label,
                "UID": name,
                "pairID": f"{number}{label[0]}",
                "paradigmID": paradigm,
                "id": row["id"],
            }
            number += 1


def _implicatures(name: str, groups: Iterator[list[dict[str, Any]]]) -> Iterator[dict[str, Any]]:
    for group in groups:
        lexemes = " - ".join(_difference(group[2]["premise"], group[2]["hypothesis"]))  # of weak-strong
        for row in group:
            relation, prag = RELATIONS[row["condition"]], row["label_imppres"] or "-"
            yield {
                "sentence1": row["premise"],
                "sentence2": row["hypothesis"],
                "gold_label_log": row["label_literal"],
                "gold_label_prag": prag,
                "spec_relation": _ABSENT.get(row["condition"], relation) if prag == "neutral" else relation,
                "item_type": "control" if relation in ("opposite", "negation") else "target",
                "trigger": name,
                "lexemes": lexemes,
                "id": row["id"],
            }


def _difference(one: str, other: str) -> tuple[str, str]:
    """The words of two sentences between those with which both begin and end."""
    first, second = one.split(), other.split()
    same = [a == b for a, b in zip(first, second, strict=False)]
    start = same.index(False) if False in same else len(same)
    first, second = first[start:], second[start:]
    while first and second and first[-1] == second[-1]:
        first, second = first[:-1], second[:-1]
    return " ".join(first).lower(), " ".join(second).lower()
