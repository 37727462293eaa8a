"""The data card: what a dataset is, how its labels came about, what to know before using it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gramprobe.items.trust import rests_on_trust

if TYPE_CHECKING:
    from gramprobe.dataset.part import Part, ReadingPart

CANARY = "gramprobe-canary-6f1d0e5a-3b52-5c1e-9a6f-2d7c41b8e0aa"
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


_BALANCED = (
    "**Balanced companion.** Every pair of the paradigm stands here a second time, behind a premise in which two draws "
    "have changed places (`..._swapped` in the column `premise_condition`). So every kind of hypothesis occurs under "
    "at least two labels, and who reads hypotheses alone and knows the design does no better than who always says the "
    "commonest label."
)
ITEMS = {
    "nli": "pairs of sentences with labels 0 entailment, 1 neutral, 2 contradiction",
    "choice": "ambiguous sentences with two options, in both orders, and the readings that each option fits",
    "continuation": "quadruples of an ambiguous sentence, a control with one reading and two follow-ups, with "
    "the readings that each follow-up fits",
    "coref": "texts with a slot for a pronoun and two candidates, and the readings in which each can be meant",
}
"""What the rows of a task are."""
_SPACE = "*space*: the exact number of instances that the paradigm's draws allow; drawn uniformly, without replacement."
_NLI_FIELDS = (
    "`id` = phenomenon/paradigm/instance/condition; `instance` = what was drawn; `premise_form`, "
    "`hypothesis_form` = the formulas of the gold readings; `labels` = every pair of readings with its label; "
    "`shape` = the line of `certificates.jsonl` that the label rests on; `h_values` = the values (T, F, U: "
    "undefined) that the hypothesis takes where the premise is committed; `rests_on` = principles of the theory "
    "without which the label could not be proved. `manifest.json` has hashes of every "
    "file and of everything it was made from."
)
_READING_FIELDS = (
    "In tasks about readings `readings` has the formula of every reading, equivalent ones once; what fits a reading is "
    "decided like a label: `shape` = the line of `accounts.jsonl` with all decisions of a row, each with its line of "
    "`certificates.jsonl`."
)


def card(name: str, manifest: dict[str, Any], parts: Mapping[str, Part | ReadingPart]) -> str:
    """README.md of a dataset folder, with the header that the Hugging Face hub and `datasets` read."""
    described = manifest["paradigms"]
    rows = sum(p["rows"] for p in described.values())
    size = next((label for limit, label in _SIZES if rows < limit), "1M<n<10M")
    lines = [
        "---",
        "language: [en]",
        f"pretty_name: gramprobe {name}",
        f"license: {'other' if _given(manifest) else 'mit'}",
        f"size_categories: [{size}]",
    ]
    tasks = sorted({p["task"] for p in described.values()})
    if tasks == ["nli"]:
        lines += ["task_categories: [text-classification]", "task_ids: [natural-language-inference]"]
    lines += [
        "annotations_creators: [machine-generated]",
        "language_creators: [machine-generated]",
        "configs:",
    ]
    for paradigm in parts:
        lines.append(f"- config_name: {paradigm}")
        lines += ["  default: true"] if len(parts) == 1 else []
        files = (f"{{split: {s}, path: parquet/{paradigm}/{s}-*.parquet}}" for s in described[paradigm]["splits"])
        lines.append(f"  data_files: [{', '.join(files)}]")
    lines += ["---", "", f"# gramprobe: {name}", ""]
    lines += _certainty(described, rows)
    if manifest["balanced"]:
        lines += ["", _BALANCED]
    lines += ["", "**For evaluation, not for training.** Canary: `" + CANARY + "`", ""]
    for task in tasks:
        number = sum(p["rows"] for p in described.values() if p["task"] == task)
        lines += [f"{number:,} {ITEMS[task]}.", ""]
    lines.append(
        f"Compiled by gramprobe {manifest['gramprobe']} with seed {manifest['seed']} from declared grammar, lexicon, "
        "logic and paradigm files. No label was written by hand: each was derived from the sentences' formulas by "
        "decision engines."
    )
    labelled = {n: p for n, p in described.items() if p["task"] == "nli"}
    read = {n: p for n, p in described.items() if p["task"] != "nli"}
    lines += [*_labels(labelled), *_answers(read)]
    lines += ["", "## The paradigms", ""]
    for paradigm, part in parts.items():
        declared = part.plan.paradigm
        source = f" Source: {declared.citation}." if declared.citation else ""
        lines.append(f"- **{paradigm}** (theory `{part.plan.theory.name}`): {declared.about}{source}")
    for name, about in _given(manifest):
        where = f", from: {about['source']}" if about["source"] else ""
        lines += ["", "## Sentences that were given", ""]
        lines.append(
            f"`{name}` was given to the build: sentences under the licence **{about['licence']}**{where}. That one of "
            "them entails another is what the file says; labels that rest on it name it in `rests_on`."
        )
    allowed = [(n, gate, why) for n, p in described.items() for gate, why in p["allowed"].items()]
    if allowed:
        lines += ["", "## Gates let pass", ""]
        lines += [f"- {n}, `{gate}`: {'; '.join(why)}" for n, gate, why in allowed]
    lines += ["", "## Fields", "", *([_NLI_FIELDS] if labelled else []), *([_READING_FIELDS] if read else [])]
    return "\n".join(lines) + "\n"


def _labels(described: Mapping[str, Any]) -> list[str]:
    """The paradigms of `nli`: labels, and what a reader of hypotheses alone can make of them."""
    if not described:
        return []
    lines = [
        "",
        "| paradigm | rows | entailment | neutral | contradiction | space | passed over | vetoed | words |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for paradigm, p in described.items():
        counts = " | ".join(f"{p['labels'].get(k, 0):,}" for k in ("entailment", "neutral", "contradiction"))
        lines.append(
            f"| {paradigm} | {p['rows']:,} | {counts} | {p['space']:,} | {p['passed_over']:,} | {p['vetoed']:,} | "
            f"{p['content_words']:,} |"
        )
    lines += ["", _SPACE, "", "## What the hypothesis alone gives away", ""]
    lines.append(
        "*Ceiling*: what a reader of hypotheses reaches who knows the design but no words (best guess from the "
        "hypothesis' tree with its draws blanked). *Classifier*: naive Bayes over 1-grams and 2-grams of the "
        "hypothesis, cross-validated by instance. A build fails when it exceeds the ceiling by three standard errors."
    )
    lines += ["", "| paradigm | majority | ceiling | classifier |", "|---|---|---|---|"]
    for paradigm, p in described.items():
        only = p["hypothesis_only"]
        lines.append(f"| {paradigm} | {only['majority']:.3f} | {only['ceiling']:.3f} | {only['classifier']:.3f} |")
    return lines


def _answers(described: Mapping[str, Any]) -> list[str]:
    """The paradigms of tasks about readings: how many items, and how many instances were none."""
    if not described:
        return []
    lines = [
        "",
        "| paradigm | task | rows | items | space | passed over | no items | vetoed | words |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for paradigm, p in described.items():
        lines.append(
            f"| {paradigm} | {p['task']} | {p['rows']:,} | {p['instances']:,} | {p['space']:,} | "
            f"{p['passed_over']:,} | {sum(p['no_items'].values()):,} | {p['vetoed']:,} | {p['content_words']:,} |"
        )
    return [*lines, "", _SPACE]


def _given(manifest: dict[str, Any]) -> list[tuple[str, dict[str, str]]]:
    """The files of sentences that somebody gave to the build."""
    return [(name, source) for name, source in manifest["sources"].items() if source["from"] == "given"]


def _certainty(described: dict[str, Any], rows: int) -> list[str]:
    """What the labels rest on, by kind of certificate; what rests on trust is said first and apart."""
    kinds: Counter[str] = Counter()
    for part in described.values():
        kinds.update(part["certificates"])
    doubtful = {kind: number for kind, number in sorted(kinds.items()) if rests_on_trust(kind)}
    on_trust = sum(doubtful.values())
    told = ", ".join(f"{number:,} on `{kind}`" for kind, number in sorted(kinds.items()) if kind not in doubtful)
    lines = [
        f"{rows - on_trust:,} of {rows:,} labels are certain: {told or 'none'}. Every model and every proof is in "
        "`certificates.jsonl`, and `gramprobe verify` checks them again without the engines that found them."
    ]
    if doubtful:
        lines.append("")
        apart = ", ".join(f"{number:,} on `{kind}`" for kind, number in doubtful.items())
        lines.append(
            f"**{on_trust:,} labels are not certain:** {apart} (`bounded(n)`: no counter-model with up to n worlds and "
            "n individuals, and nobody has looked further; `prover(NAME)`: an outside prover's word)."
        )
    return lines
