"""`make results`: what the models of `make models` score on the shipped datasets; writes docs/results/.

SmolLM2 on all quadruples of scope (Kamath et al. 2024, experiment 2), and on those of two paradigms with other
controls; MiniLM's entailment head on theory_of_mind, beside the figures that Cohen (2021) prints; the same head, and
SmolLM2 by prompts, on presupposition and implicature; SmolLM2 by true or false on scope, and on minimal pairs; each
baseline on small sets of all.
Datasets and scores go to `--work`; a run that was interrupted goes on, and one that is complete is read. Between the
marks of docs/results/README.md the tables are written anew; the text around them is not. Each part has a report beside
them, by `gramprobe report`.

    make results
    scripts/results.py --only scope --work scores/results
    scripts/results.py --only mixtures     an hour of CPU and more: no part of `make results`
    scripts/results.py --only mixtures --mixture 1

The last one fine-tunes MiniLM on both mixtures of Cohen (2021), with three seeds each, and scores every template.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import math
import re
import shlex
import statistics
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import UNSET

import gramprobe
from gramprobe.analysis.answers import answers
from gramprobe.analysis.open import open_runs
from gramprobe.analysis.output.table import Table
from gramprobe.analysis.output.writers import markdown as markdown_of
from gramprobe.analysis.papers.scope import FOLLOWUPS, Quadruples, from_scores, from_values
from gramprobe.analysis.papers.scope import PARTS as SCOPE_PARTS
from gramprobe.analysis.papers.scope_claims import claims_from
from gramprobe.analysis.papers.theory_of_mind import TEMPLATES, nearest, template_of
from gramprobe.analysis.studies import acceptability as study
from gramprobe.analysis.study import Given
from gramprobe.baselines.rules import RULES
from gramprobe.cli.main import main as main_of
from gramprobe.score.modes.true_false import CLAIMS, PARAPHRASES

PAGE = Path(__file__).resolve().parents[1] / "docs" / "results" / "README.md"
COMMAND = str(Path(sys.executable).with_name("gramprobe"))
INSTANCES, SEED = 1500, 0
"""Of theory_of_mind: how many instances over all paradigms, and which."""
TIE = 1e-4
"""Differences in nats up to here are none."""
LABELS = ("entailment", "neutral", "contradiction")


def run(*arguments: str | Path) -> None:
    """Run a command of gramprobe, as a user would type it."""
    shown = shlex.join(["gramprobe", *map(str, arguments)])
    print(shown, flush=True)
    subprocess.run([COMMAND, *map(str, arguments)], check=True)


def scored(
    work: Path, phenomenon: str, *options: str | Path, kind: str = "scores", size: Sequence[str] = ("--design", "paper")
) -> tuple[gramprobe.Dataset, gramprobe.Scores]:
    """The dataset of a phenomenon, built if it is not there, and its scores, complete."""
    data, out = work / phenomenon, work / f"{phenomenon}--{kind}"
    if not data.is_dir():
        run("build", phenomenon, *size, "--out", work)
    if not out.is_dir() or not gramprobe.read_scores(out).complete:
        run("score", data, "--out", out, *options, *(["--resume"] if out.is_dir() else []))
    return gramprobe.read(data), gramprobe.read_scores(out)


def report(work: Path, phenomenon: str, *kinds: str, title: str, others: Sequence[str | Path] = ()) -> None:
    """Write the report of some runs beside the page."""
    runs = [work / f"{phenomenon}--{kind}" for kind in kinds]
    out = PAGE.parent / f"{phenomenon}.html"
    run("report", *runs, "--dataset", work / phenomenon, "--title", title, "--out", out, *others)


def values(scores: gramprobe.Scores) -> dict[str, dict[str, tuple[float | None, ...]]]:
    """Item -> part -> its value, or its values by label, in nats."""
    found: dict[str, dict[str, tuple[float | None, ...]]] = defaultdict(dict)
    table = scores.table()
    columns = [table.column(name).to_pylist() for name in ("item", "part", *scores.run.values)]
    for item, part, *numbers in zip(*columns, strict=True):
        found[item][part] = tuple(numbers)
    return found


def rows(dataset: gramprobe.Dataset, task: str, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
    for paradigm, its in dataset.tasks.items():
        if its == task:
            for batch in dataset.rows(paradigm, ["id", "paradigm", "condition", *columns]):
                yield from batch.to_pylist()


def operators(item: str) -> str:
    """The pair of operators that the paradigm of an item is named by."""
    return item.split("/")[1].removeprefix("continuation_").replace("_", " x ").replace("universal", "every")


def markdown(heading: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    cells = [f"| {' | '.join(line)} |" for line in [heading, ["---"] * len(heading), *lines]]
    return "\n".join(cells)


def mean(numbers: Sequence[float]) -> str:
    """The mean and its standard error."""
    if not numbers:
        return ""
    error = statistics.stdev(numbers) / math.sqrt(len(numbers)) if len(numbers) > 1 else math.nan
    return f"{statistics.fmean(numbers):+.2f} ± {error:.2f}"


def positive(numbers: Sequence[float]) -> str:
    """The part of the numbers that are positive; one that is neither counts half."""
    return f"{statistics.fmean((a > TIE) + 0.5 * (abs(a) <= TIE) for a in numbers):.2f}" if numbers else ""


def by_operators(quadruples: Quadruples) -> dict[str, Quadruples]:
    """The quadruples by paradigm in the order of names, and all of them."""
    names = [operators(item) for item in quadruples.items]
    found = {name: quadruples.only([i for i, n in enumerate(names) if n == name]) for name in sorted(set(names))}
    return {**found, "all": quadruples}


def scope(work: Path, models: Path) -> str:
    """The table of quadruples by pair of operators."""
    dataset, scores = scored(work, "scope", "--model", models / "smollm2-135m", "--mode", "continuation")
    (continuations,) = open_runs([scores.folder], [dataset.folder])
    first, second = (by_operators(from_scores(continuations, control)) for control in ("control", "control_2"))
    heading = ["operators", "items", "alpha", "> 0", "surface", "inverse", "items, 2nd control", "alpha", "> 0"]
    lines = []
    for name, each in first.items():
        other = second[name].alpha.tolist() if name in second else []
        alpha, (surface, inverse) = each.alpha.tolist(), each.added
        lines.append(
            [
                name,
                str(len(alpha)), mean(alpha), positive(alpha), mean(surface.tolist()), mean(inverse.tolist()),
                str(len(other) or "-"), mean(other), positive(other),
            ]
        )  # fmt: skip
    options: list[str | Path] = [
        "--model",
        models / "smollm2-135m",
        "--mode",
        "choice",
        "--total",
        str(CHOSEN),
        "--seed",
        "0",
    ]
    scored(work, "scope", *options, kind="choices")
    report(work, "scope", "scores", "choices", title="SmolLM2 on scope")
    tables = work / "tables"
    run("analyze", scores.folder, "--dataset", dataset.folder, "--study", "scope", "--out", tables)
    (PAGE.parent / "scope_alpha.svg").write_bytes((tables / "scope" / "scope_alpha.svg").read_bytes())
    return markdown(heading, lines)


CHOSEN = 100
"""Instances of scope whose options are asked about."""
PARTS_OF_ALPHA = tuple(f"{context}/{followup}" for context in ("ambiguous", "control") for followup in FOLLOWUPS)
"""The parts of the scores whose values alpha is made of, in the order of the study's."""
WITH_EVERY = ("continuation_indefinite_universal", "continuation_number_universal")
"""Paradigms whose control is of another form: a demonstrative subject would leave the surface reading alone."""


def with_this(sentence: str) -> str:
    """The sentence with a demonstrative subject, which has the surface reading alone. Made by changing words, for this
    comparison only: no account was derived for it."""
    subject = re.search(r"\b(An?|One|Two|Three|an?|one|two|three)\b", sentence)
    assert subject is not None, sentence
    number = subject[0].lower()
    this = f"these {number}" if number in ("two", "three") else "this"
    this = this.capitalize() if subject[0][0].isupper() else this
    return sentence[: subject.start()] + this + sentence[subject.end() :]


def frames(work: Path, models: Path) -> str:
    """Alpha of the two paradigms whose controls are of another form, with sentence and control in one frame."""
    dataset, _ = scored(work, "scope", "--model", models / "smollm2-135m", "--mode", "continuation")
    file, out = work / "one_frame.jsonl", work / "one_frame--scores"
    columns = ("ambiguous", "control", "followup_inverse", "followup_surface")
    items = []
    for row in rows(dataset, "continuation", columns):
        if row["paradigm"] in WITH_EVERY:
            texts = {name: row[name] for name in columns if name != "control"}
            items.append({"id": row["id"], "instance": row["id"], **texts, "control": with_this(row["ambiguous"])})
    file.write_text("".join(json.dumps(item) + "\n" for item in items), "utf-8")
    if not out.is_dir() or not gramprobe.read_scores(out).complete:
        model = models / "smollm2-135m"
        resumed = ["--resume"] if out.is_dir() else []
        run("score", file, "--task", "continuation", "--out", out, "--model", model, *resumed)
    names = dict(zip(PARTS_OF_ALPHA, SCOPE_PARTS, strict=True))
    by_item = values(gramprobe.read_scores(out))
    numbers = {
        (item, names[part]): number
        for item, parts in by_item.items()
        for part, (number,) in parts.items()
        if number is not None
    }
    pairs = {item: operators(item) for item in by_item if all((item, part) in numbers for part in SCOPE_PARTS)}
    found: dict[str, list[float]] = defaultdict(list)
    quadruples = from_values(pairs, numbers)
    for item, alpha in zip(quadruples.items, quadruples.alpha.tolist(), strict=True):
        found[pairs[item]].append(-alpha)  # with a demonstrative subject the control excludes the other follow-up
    lines = [[key, str(len(each)), mean(each), positive(each)] for key, each in sorted(found.items())]
    return markdown(["operators", "items", "alpha", "> 0"], lines)


def theory_of_mind(work: Path, models: Path) -> str:
    """The table of the paper's templates, and one of every paradigm."""
    options: list[str | Path] = ["--model", models / "minilm-l6-nli", "--total", str(INSTANCES), "--seed", str(SEED)]
    dataset, scores = scored(work, "theory_of_mind", *options)
    by_item = values(scores)
    right: dict[tuple[str, str], list[float]] = defaultdict(list)
    three: dict[str, list[float]] = defaultdict(list)
    two: dict[str, list[float]] = defaultdict(list)
    gold: dict[str, list[int]] = defaultdict(list)
    for row in rows(dataset, "nli", ["label_name", "label_binary"]):
        if row["id"] not in by_item:
            continue
        (numbers,) = by_item[row["id"]].values()
        highest = max(n for n in numbers if n is not None)
        winners = [label for label, n in zip(scores.run.values, numbers, strict=True) if n == highest]
        binary = statistics.fmean((label == "entailment") == bool(row["label_binary"]) for label in winners)
        right[row["paradigm"], row["condition"]].append(binary)
        two[row["paradigm"]].append(binary)
        three[row["paradigm"]].append(statistics.fmean(label == row["label_name"] for label in winners))
        gold[row["paradigm"]].append(row["label_binary"])
    lines = []
    for template in TEMPLATES:
        wanted = (template, nearest(template))
        cells = [n for place, each in right.items() if template_of(*place) == wanted for n in each]
        paper = (template.paper.captions, template.paper.set_1, template.paper.set_2)
        lines.append(
            [template.name, str(len(cells)), f"{statistics.fmean(cells):.2f}", *(f"{number:.3f}" for number in paper)]
        )
    heading = ["template", "items", "MiniLM, set 1", "RoBERTa-large-MNLI", "the same, set 1", "the same, set 2"]
    side = sum((float(line[2]) > 0.5) == (float(line[4]) > 0.5) for line in lines)
    every = [
        [
            name, str(len(two[name])), f"{statistics.fmean(two[name]):.2f}", f"{statistics.fmean(three[name]):.2f}",
            f"{max(statistics.fmean(gold[name]), 1 - statistics.fmean(gold[name])):.2f}",
        ]
        for name in sorted(two)
    ]  # fmt: skip
    conditions = [
        [name, condition, str(len(cells)), f"{statistics.fmean(cells):.3f}"]
        for (name, condition), cells in sorted(right.items())
    ]
    tsv = "\n".join("\t".join(line) for line in [["paradigm", "condition", "items", "right"], *conditions])
    (PAGE.parent / "theory_of_mind.tsv").write_text(tsv + "\n", "utf-8")
    report(work, "theory_of_mind", "scores", title="MiniLM, trained on set 1, on theory of mind")
    return "\n\n".join(
        [
            markdown(heading, lines),
            f"On the paper's side of one half in the row of training set 1: {side} of {len(lines)}.",
            markdown(["paradigm", "items", "right of two labels", "of three", "the more frequent of two"], every),
        ]
    )


def prompts(work: Path, models: Path) -> str:
    """MiniLM's labels of presuppositions and implicatures, and SmolLM2's answers to prompts about some of them, by
    prompt and order of the options."""
    lines = []
    for phenomenon, theories in (("presupposition", ()), ("implicature", ("numerals-exact",))):
        size = ("--design", "paper", "--n", LABELLED)
        asked = ("--model", models / "smollm2-135m", "--mode", "prompted", "--total", str(PROMPTED), "--seed", "0")
        dataset, head = scored(work, phenomenon, "--model", models / "minilm-l6-nli", kind="minilm", size=size)
        _, answered = scored(work, phenomenon, *asked, kind="prompted", size=size)
        others: list[str | Path] = []
        for theory in theories:
            place = work / theory / phenomenon
            if not place.is_dir():
                run("build", phenomenon, *size, "--theory", theory, "--out", work / theory)
            others += ["--labels", place]
        for each in open_runs([head.folder, answered.folder], [dataset.folder]):
            found = answers(each).headline()
            right = found.right()
            given = [f"{found.share_of(label).mean():.2f}" for label in LABELS]
            labelled = right[~np.isnan(right)]
            lines.append([phenomenon, each.model, str(len(labelled)), f"{labelled.mean():.2f}", *given])
        title = f"MiniLM, and SmolLM2 by prompts: {phenomenon}"
        report(work, phenomenon, "minilm", "prompted", title=title, others=others)
    heading = ["items of", "model, prompt", "items with a label", "accuracy", *(f"says {label}" for label in LABELS)]
    return markdown(heading, lines)


LABELLED = "10"
"""Instances of each paradigm that are labelled by a model with a head."""
PROMPTED = 6
"""Instances of each phenomenon that are asked by prompts."""
CLAIMED = 40
"""Instances of scope whose paraphrases are asked about."""


def true_false(work: Path, models: Path) -> str:
    """SmolLM2's answers to the four claims about each paraphrase of an ambiguous sentence."""
    options: list[str | Path] = [
        "--model",
        models / "smollm2-135m",
        "--mode",
        "true_false",
        "--total",
        str(CLAIMED),
        "--seed",
        "0",
    ]
    dataset, scores = scored(work, "scope", *options, kind="true_false")
    (run_of_claims,) = open_runs([scores.folder], [dataset.folder])
    found = claims_from(run_of_claims)
    lines = [
        [form.format("...").rstrip(" ."), "true" if true else "false",
         *(f"{np.nanmean(found.right[:, reading, claim]):.2f}" for reading in range(len(PARAPHRASES)))]
        for claim, (form, true) in enumerate(CLAIMS.values())
    ]  # fmt: skip
    count = int((~np.isnan(found.right)).sum())
    return "\n\n".join(
        [
            markdown(["claim", "is", "right, surface reading", "right, inverse reading"], lines),
            f"All {count:,} answers: {np.nanmean(found.right):.2f} right; True and False together have "
            f"{np.nanmean(found.mass):.2f} of the probability.",
        ]
    )


PAIRS = ("--n", "50")
"""How many instances of each paradigm of minimal pairs are built."""


def acceptability(work: Path, models: Path) -> str:
    """How often SmolLM2 prefers the good sentence of a minimal pair: the tables of the study."""
    dataset, scores = scored(work, "acceptability", "--model", models / "smollm2-135m", size=PAIRS)
    found = study.STUDY.findings(open_runs([scores.folder], [dataset.folder]), Given())
    report(work, "acceptability", "scores", title="SmolLM2 on minimal pairs")
    shown = ("acceptability", "acceptability_measures", "acceptability_differences", "acceptability_levels")
    tables = [_by_frequency(each) if each.name == shown[-1] else each for each in found.tables if each.name in shown]
    return "\n\n".join(markdown_of(table).strip() for table in tables)


def _by_frequency(levels: Table) -> Table:
    """The levels of `factor frequency` alone, of those of every factor."""
    caption = "How often the good sentence is likelier, by whether a word is rarer than the median of its paradigm."
    return replace(levels, caption=caption, rows=tuple(row for row in levels.rows if row[1] == "frequency"))


SEEDS = (0, 1, 2)
"""Of the trainings on each mixture."""


def trained(work: Path, models: Path, number: int, seeds: Sequence[int]) -> list[Path]:
    """The models trained on a mixture, one a seed; those that are there are left as they are."""
    name, out = f"theory_of_mind--training_{number}", work / f"set_{number}"
    if not (work / name).is_dir():
        run("build", f"theory_of_mind/training_{number}", "--out", work)
    options = ["--new-head", "--matmul", "medium", "--resume"]
    folders = []
    for seed in seeds:
        folders.append(out / f"seed-{seed}")
        run(
            "finetune", work / name, "--model", models / "minilm-l6", *options, "--seeds", str(seed),
            "--out", folders[-1],
        )  # fmt: skip
    return folders


def right_by_template(work: Path, model: Path) -> dict[str, list[float]]:
    """The paper's templates -> of each item whether the model's label is right of two; a tie counts its share."""
    out = work / f"theory_of_mind--{model.parent.name}--{model.name}"
    if not out.is_dir() or not gramprobe.read_scores(out).complete:
        options = ["--total", str(INSTANCES), "--seed", str(SEED), *(["--resume"] if out.is_dir() else [])]
        run("score", work / "theory_of_mind", "--model", model, "--out", out, *options)
    scores = gramprobe.read_scores(out)
    by_item = values(scores)
    found: dict[str, list[float]] = defaultdict(list)
    for row in rows(gramprobe.read(work / "theory_of_mind"), "nli", ["label_binary"]):
        placed = template_of(row["paradigm"], row["condition"])
        if row["id"] not in by_item or placed is None or placed[1] != nearest(placed[0]):
            continue
        (numbers,) = by_item[row["id"]].values()
        highest = max(n for n in numbers if n is not None)
        winners = [label for label, n in zip(scores.run.values, numbers, strict=True) if n == highest]
        right = statistics.fmean((label == "entailment") == bool(row["label_binary"]) for label in winners)
        found[placed[0].name].append(right)
    return found


def mixtures(work: Path, models: Path, numbers: Sequence[int] = (1, 2)) -> str:
    """The table of the paper's templates, of MiniLM fine-tuned on each mixture beside the paper's figures."""
    if not (work / "theory_of_mind").is_dir():
        run("build", "theory_of_mind", "--out", work)
    reached = {
        number: [right_by_template(work, folder) for folder in trained(work, models, number, SEEDS)]
        for number in numbers
    }

    def cell(runs: Sequence[dict[str, list[float]]], name: str) -> str:
        means = [statistics.fmean(each[name]) for each in runs]
        spread = f" ({min(means):.2f} to {max(means):.2f})" if means[1:] else ""
        return f"{statistics.fmean(means):.2f}{spread}"

    heading = ["table", "template", "items"]
    for number in numbers:
        heading += [f"MiniLM, set {number}", f"paper, set {number}"]
    lines = []
    for template in TEMPLATES:
        printed = {1: template.paper.set_1, 2: template.paper.set_2}
        items = str(len(reached[numbers[0]][0][template.name]))
        line = [str(template.table), template.name, items]
        for number in numbers:
            line += [cell(reached[number], template.name), f"{printed[number]:.3f}"]
        lines.append([*line, f"{template.paper.captions:.3f}"])
    return markdown([*heading, "before"], lines)


BASELINE_INSTANCES = {"presupposition": 40, "implicature": 40, "theory_of_mind": 15}
"""Instances of each paradigm of pairs with labels on which baselines are scored."""
DECLARED = {"hypothesis": "h", "premise": "p", "verbs": "b"}
"""Readers whose `solvable` lines are in the table -> what they are called there."""
LEARNED = ("hypothesis", "premise", "verbs", "bag")


def here(*arguments: str | Path) -> None:
    """Run a command of gramprobe in this process: starting it anew for each baseline would take longer than scoring."""
    print(shlex.join(["gramprobe", *map(str, arguments)]), flush=True)
    with contextlib.redirect_stdout(io.StringIO()):
        code = main_of([str(argument) for argument in arguments])
    if code:
        raise SystemExit(code)


def built(work: Path, phenomenon: str, number: int) -> Path:
    """A small dataset of a phenomenon for the baselines, built if it is not there."""
    place = work / "baselines" / phenomenon
    if not place.is_dir():
        here("build", phenomenon, "--design", "paper", "--n", str(number), "--out", place.parent)
    return place


def by_baseline(work: Path, data: Path, model: str | Path, *options: str, kind: str = "") -> Path:
    """The scores of a baseline on a dataset. ``kind``: a word that tells them from those of another mode."""
    name = "--".join([data.name, *([kind] if kind else []), re.sub(r"[:/.]+", "-", str(model))])
    out = work / "baselines" / name
    if not out.is_dir() or not gramprobe.read_scores(out).complete:
        resumed = ["--resume"] if out.is_dir() else []
        here("score", data, "--model", model, "--out", out, *options, *resumed)
    return out


def _tells_two(name: str) -> bool:
    """Whether a baseline only tells entailment from its absence."""
    rule = RULES.get(name.removeprefix("rule:"))
    return name == "rule:constituent" or (rule is not None and rule.two)


def of_labels(work: Path, phenomenon: str, models: Path) -> str:
    """Accuracy of each baseline that gives labels, by paradigm, beside the commonest label and what is declared."""
    data = built(work, phenomenon, BASELINE_INSTANCES[phenomenon])
    dataset = gramprobe.read(data)
    names = [f"reader:{name}" for name in LEARNED] + [f"vectors:{models / 'minilm-l6'}"]
    names += [f"rule:{name}" for name in (*RULES, "constituent")]
    reached: dict[str, dict[str, list[float]]] = {}
    majority: dict[str, tuple[float, float]] = {}
    for name in names:
        (scores,) = open_runs([by_baseline(work, data, name)], [data])
        found = answers(scores)
        right = found.right(binary=_tells_two(name))
        of = found.column("paradigm")
        own: dict[str, list[float]] = defaultdict(list)
        for paradigm, each in zip(of, right.tolist(), strict=True):
            if not math.isnan(each):
                own[paradigm or ""].append(each)
        reached[name] = own
        for paradigm in own:
            gold = [label for label, p in zip(found.column("label"), of, strict=True) if p == paradigm and label]
            entailed = gold.count("entailment") / len(gold)
            majority[paradigm] = max(map(gold.count, LABELS)) / len(gold), max(entailed, 1 - entailed)
    three, two = ([n for n in names if _tells_two(n) == two] for two in (False, True))
    shown = {name: "vectors" if name.startswith("vectors:") else name.partition(":")[2] for name in names}
    shown["reader:verbs"] = "both"
    heading = [
        "paradigm",
        "items",
        "declared",
        "majority",
        *(shown[n] for n in three),
        "commoner",
        *(shown[n] for n in two),
    ]
    lines = []
    for paradigm in majority:
        part = dataset.manifest.paradigms[paradigm].baselines
        declared = {} if part is UNSET else part.declared
        said = ", ".join(f"{short} {declared[r]:.2f}" for r, short in DECLARED.items() if r in declared)
        cells = [[f"{statistics.fmean(reached[n][paradigm]):.2f}" for n in own] for own in (three, two)]
        often = [f"{share:.2f}" for share in majority[paradigm]]
        items = str(len(reached[names[0]][paradigm]))
        lines.append([paradigm, items, said, often[0], *cells[0], often[1], *cells[1]])
    return f"`{phenomenon}`, {BASELINE_INSTANCES[phenomenon]} instances of each paradigm:\n\n{markdown(heading, lines)}"


def of_values(work: Path, corpus: Path) -> str:
    """What an n-gram model makes of the paradigms whose items have values: alpha, and the bias to the subject."""
    lines = []
    scope_data, de_re = built(work, "scope", 15), built(work, "de_re_de_dicto", 40)
    (runs,) = open_runs([by_baseline(work, scope_data, f"ngram:{corpus}", "--mode", "continuation")], [scope_data])
    for name, each in by_operators(from_scores(runs, "control")).items():
        alpha = each.alpha.tolist()
        lines.append(["scope", name, str(len(alpha)), "alpha", mean(alpha), positive(alpha)])
    by_item = values(gramprobe.read_scores(by_baseline(work, de_re, f"ngram:{corpus}")))
    biases: dict[str, list[float]] = defaultdict(list)
    for row in rows(gramprobe.read(de_re), "coref", []):
        if row["id"] in by_item:
            first, second = (numbers[0] for numbers in by_item[row["id"]].values())
            if first is not None and second is not None:
                biases[row["paradigm"]].append(first - second)
    for name, found in biases.items():
        lines.append(["de_re_de_dicto", name, str(len(found)), "subject bias", mean(found), positive(found)])
    return markdown(["phenomenon", "paradigm", "items", "measure", "mean, nats", "> 0"], lines)


CHOOSING = ("rule:first", "rule:longer", "rule:overlap", "reader:options", "reader:bag")
"""Baselines that choose between two options."""


def of_choices(work: Path, corpus: Path) -> str:
    """How often each baseline chooses the option of the surface reading, by paradigm of scope and over all."""
    data = built(work, "scope", 15)
    dataset = gramprobe.read(data)
    chosen: dict[str, dict[str, list[float]]] = {}
    names = (*CHOOSING, f"ngram:{corpus}")
    for name in names:
        place = by_baseline(work, data, name, "--mode", "choice", kind="choice")
        by_item = values(gramprobe.read_scores(place))
        own = chosen.setdefault(name, defaultdict(list))
        for row in rows(dataset, "choice", ["picks_a", "picks_b", "surface"]):
            first, second = (numbers[0] for numbers in by_item[row["id"]].values())
            if first is None or second is None or row["surface"] not in (row["picks_a"], row["picks_b"]):
                continue
            one = 0.5 if abs(first - second) <= TIE else float(first > second)
            own[row["paradigm"]].append(one if row["picks_a"] == row["surface"] else 1 - one)
    lines = [
        [
            paradigm.removeprefix("choice_"),
            str(len(each)),
            *(f"{statistics.fmean(chosen[n][paradigm]):.2f}" for n in names),
        ]
        for paradigm, each in sorted(chosen[names[0]].items())
    ]
    every = [[n for own in chosen[name].values() for n in own] for name in names]
    lines.append(["all", str(len(every[0])), *(f"{statistics.fmean(each):.2f}" for each in every)])
    heading = ["choices of scope", "items", *(name.partition(":")[2] for name in CHOOSING), "trigrams"]
    about = "How often the option of the surface reading is chosen, of 15 instances of each paradigm in both orders:"
    return f"{about}\n\n{markdown(heading, lines)}"


def baselines(work: Path, models: Path) -> str:
    """Every baseline on every paradigm that it can answer."""
    tables = [of_labels(work, phenomenon, models) for phenomenon in BASELINE_INSTANCES]
    texts = {
        text: None
        for phenomenon in BASELINE_INSTANCES
        for row in rows(gramprobe.read(built(work, phenomenon, 0)), "nli", ["premise", "hypothesis"])
        for text in (row["premise"], row["hypothesis"])
    }
    corpus = work / "baselines" / "sentences.txt"
    corpus.write_text("".join(f"{text}\n" for text in texts), "utf-8")
    count = f"Trigrams of the {len(texts):,} different sentences of these sets (`--model ngram:sentences.txt`):"
    return "\n\n".join([*tables, count, of_values(work, corpus), of_choices(work, corpus)])


PARTS = {
    "baselines": baselines,
    "scope": scope,
    "frames": frames,
    "theory_of_mind": theory_of_mind,
    "prompts": prompts,
    "true_false": true_false,
    "acceptability": acceptability,
    "mixtures": mixtures,
}
LONG = ("mixtures",)
"""Parts that take an hour and more: they run only when they are asked for."""


def insert(name: str, table: str) -> None:
    """Write a table between its marks in the page."""
    begin, end = f"<!-- {name}: written by scripts/results.py -->", f"<!-- {name}: end -->"
    before, found, rest = PAGE.read_text("utf-8").partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise SystemExit(f"{PAGE.name} has no marks for {name}")
    PAGE.write_text(f"{before}{begin}\n\n{table}\n\n{end}{after}", "utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=tuple(PARTS))
    parser.add_argument("--mixture", type=int, action="append", choices=(1, 2), help="of mixtures: only this one")
    parser.add_argument("--work", type=Path, default=Path("scores/results"), help="datasets and scores")
    parser.add_argument("--models", type=Path, default=Path("models"), help="what `make models` wrote")
    options = parser.parse_args()
    parts: dict[str, Callable[[Path, Path], str]] = {
        **PARTS,
        "mixtures": partial(mixtures, numbers=options.mixture or (1, 2)),
    }
    for name, part in parts.items():
        if options.only == name or (options.only is None and name not in LONG):
            insert(name, part(options.work, options.models))
    return 0


if __name__ == "__main__":
    sys.exit(main())
