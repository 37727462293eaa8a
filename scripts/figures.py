"""The table of docs/benchmarks.md: what is measured, by which command, and what is promised.

A script of scripts/ hands what it measured to `record_figures`, by the keys below: each figure is printed with its
promise. Where FIGURES_PAGE names the page, as the targets of the Makefile do, its rows are written anew, with date and
machine; all others stay. A new figure is an entry of FIGURES and a key that a script hands over
(tests/docs/test_benchmarks.py).
"""

from __future__ import annotations

import datetime
import os
import platform
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HEAD = "| what | command | promised | measured | when, on what |"


@dataclass(frozen=True)
class Figure:
    """A row. ``least`` or ``most``: what is promised, if anything; ``unit`` is printed behind numbers, which have the
    format ``form``."""

    what: str
    command: str
    unit: str = ""
    form: str = ".2f"
    most: float | None = None
    least: float | None = None

    def number(self, value: float) -> str:
        return f"{value:{self.form}} {self.unit}".strip()

    @property
    def promised(self) -> str:
        if self.most is not None:
            return f"at most {self.most:,g} {self.unit}".strip() if self.most else "none"
        return f"at least {self.least:,g} {self.unit}".strip() if self.least is not None else ""

    def kept(self, value: float) -> bool:
        return (self.most is None or value <= self.most) and (self.least is None or value >= self.least)

    def measured(self, value: float) -> str:
        return self.number(value) + ("" if self.kept(value) else ", missed")

    def row(self, measured: str, when: str) -> str:
        return f"| {self.what} | `{self.command}` | {self.promised} | {measured} | {when} |"


BENCH, ANALYSIS, SCORE = "make bench", "make bench-analysis", "make bench-score"
RAY = "make bench-ray"
BUILDS = "make bench-builds"
PLAUSIBILITY = "make plausibility"
TESTS = "make bench-tests"
A_PROOF = "a proof of `build {} --n 10`, nothing kept, by the former release's"
A_ROW = "a row of `build {} --n 10`, nothing kept, by the former release's"
A_ROW_KEPT = "a row of `build {} --n 10`, verdicts kept, by the former release's"
A_ROW_WHOLE = "a row of the paradigms of {} that both have, full size, {} kept, by the former release's"
GAIN = "trigram gain of the sentences of {}, median"

FIGURES = {
    # the commands
    "list": Figure("`gramprobe list`: every paradigm with its exact size", BENCH, "s", most=0.5),
    "list_first": Figure("`gramprobe list`, first run of an installation", BENCH, "s"),
    "check": Figure("`gramprobe check` of everything, nothing changed since the last run", BENCH, "s", most=5),
    "check_first": Figure("`gramprobe check` of everything, nothing kept", BENCH, "s", most=25),
    "presupposition": Figure("`gramprobe build presupposition`, verdicts kept", BENCH, "s", most=5),
    "presupposition_first": Figure("`gramprobe build presupposition`, no verdict kept", BENCH, "s", most=5),
    "implicature": Figure("`gramprobe build implicature`, verdicts kept", BENCH, "s", most=10),
    "implicature_first": Figure("`gramprobe build implicature`, no verdict kept", BENCH, "s", most=10),
    "scope": Figure("`gramprobe build scope`, verdicts kept", BENCH, "s", most=10),
    "scope_first": Figure("`gramprobe build scope`, no verdict kept", BENCH, "s", most=10),
    "theory_of_mind": Figure("`gramprobe build theory_of_mind`, verdicts kept", BENCH, "s", most=10),
    "theory_of_mind_first": Figure("`gramprobe build theory_of_mind`, no verdict kept", BENCH, "s", most=10),
    "verify": Figure("`gramprobe verify` of the presupposition sets", BENCH, "s"),
    "large": Figure("`gramprobe build presupposition --n 10000`", BENCH, "s"),
    "large_rate": Figure("rows a second of `--n 10000`, start-up not counted", BENCH, "", ",.0f", least=100_000),
    "large_row": Figure("a row of `--n 10000` by the cost of a row of the small build", BENCH, "", most=1),
    "peak": Figure("largest peak memory of the commands above", BENCH, "MiB", ",.0f", most=1024),
    # builds by those of a former release
    **{
        f"{key}_{name}": Figure(what.format(name), BUILDS, "times", most=1)
        for name in ("presupposition", "implicature", "scope", "theory_of_mind")
        for key, what in (("proof", A_PROOF), ("row", A_ROW), ("kept", A_ROW_KEPT))
    },
    "whole_scope": Figure(A_ROW_WHOLE.format("scope", "nothing"), BUILDS, "times"),
    "whole_kept_scope": Figure(A_ROW_WHOLE.format("scope", "verdicts"), BUILDS, "times", most=0.48),
    "whole_theory_of_mind": Figure(A_ROW_WHOLE.format("theory_of_mind", "nothing"), BUILDS, "times", most=0.25),
    "whole_kept_theory_of_mind": Figure(A_ROW_WHOLE.format("theory_of_mind", "verdicts"), BUILDS, "times", most=0.32),
    "check_shared": Figure(
        "`check` of the paradigms that both have, nothing kept, by the former release's", BUILDS, "times", most=0.48
    ),
    # an author's loop
    "check_only": Figure("`check presupposition/only` after an edit", BENCH, "U", ".1f", most=6),
    "check_scope": Figure("`check scope/choice_universal_indefinite` after an edit", BENCH, "U", ".1f", most=6),
    "check_training": Figure("`check theory_of_mind/training_2` after an edit", BENCH, "U", ".1f", most=6),
    "check_pairs": Figure("`check acceptability/passive` after an edit", BENCH, "U", ".1f", most=6),
    "sample_only": Figure("`sample presupposition/only` after an edit", BENCH, "U", ".1f", most=4),
    "sample_scope": Figure("`sample scope/choice_universal_indefinite` after an edit", BENCH, "U", ".1f", most=4),
    "sample_training": Figure("`sample theory_of_mind/training_2` after an edit", BENCH, "U", ".1f", most=4),
    "sample_pairs": Figure("`sample acceptability/passive` after an edit", BENCH, "U", ".1f", most=4),
    "limit_only": Figure("`check presupposition/only` after another limit", BENCH, "U", ".1f", most=6),
    "comment_only": Figure("`check presupposition/only` after a comment", BENCH, "U", ".1f", most=6),
    "constructor_only": Figure("`check presupposition/only` after another constructor", BENCH, "U", ".1f", most=6),
    "limit_scope": Figure("`check scope/choice_universal_indefinite` after another limit", BENCH, "U", ".1f", most=6),
    "comment_scope": Figure("`check scope/choice_universal_indefinite` after a comment", BENCH, "U", ".1f", most=6),
    "constructor_scope": Figure(
        "`check scope/choice_universal_indefinite` after another constructor", BENCH, "U", ".1f", most=6
    ),
    "limit_training": Figure("`check theory_of_mind/training_2` after another limit", BENCH, "U", ".1f", most=6),
    "comment_training": Figure("`check theory_of_mind/training_2` after a comment", BENCH, "U", ".1f", most=6),
    "constructor_training": Figure(
        "`check theory_of_mind/training_2` after another constructor", BENCH, "U", ".1f", most=6
    ),
    "limit_pairs": Figure("`check acceptability/passive` after another limit", BENCH, "U", ".1f", most=6),
    "comment_pairs": Figure("`check acceptability/passive` after a comment", BENCH, "U", ".1f", most=6),
    "constructor_pairs": Figure("`check acceptability/passive` after another constructor", BENCH, "U", ".1f", most=6),
    "reload_one": Figure("`Project.reload`, one paradigm loaded, slowest kind of file", BENCH, "s", most=0.1),
    "reload_all": Figure("`Project.reload`, everything loaded, slowest kind of file", BENCH, "s"),
    # a million items
    "items_parquet": Figure("a million items made and written, by `write_table`", BENCH, "times", most=3),
    "items_lines": Figure("a million items made and written as JSON lines, hashed", BENCH, "s", ".1f", most=12),
    "items_build": Figure("`gramprobe build de_re_de_dicto --n all`", BENCH, "s", ".1f", most=15),
    "items_memory": Figure("peak memory of `build de_re_de_dicto --n all`", BENCH, "MiB", ",.0f", most=1024),
    "items_more": Figure("the peak memory with five times the items, by that", BENCH, "times", most=1.2),
    "export_csv": Figure("a million items in memory written as csv, by `write_csv`", BENCH, "times", most=3),
    "export_read": Figure("`export csv` of them, by `read_table` and `write_csv`", BENCH, "times"),
    "export_memory": Figure("peak memory of `export csv`", BENCH, "MiB", ",.0f", most=1024),
    # rows a second
    "rows_floor": Figure("rows a second of the slowest set, by the floor", BENCH, "", least=0.47),
    "rows_below": Figure("sets below 0.47 of the floor", BENCH, "", ".0f", most=0),
    "rows_before": Figure("CPU seconds before the first row, slowest set", BENCH, "CPU s", ".1f", most=3),
    "rows_memory": Figure("memory of an instance more, chunks left out, largest", BENCH, "kB", most=0.3),
    # labels
    "shape": Figure("a new shape of the suite, certificate written, median", BENCH, "ms", most=1),
    "evaluations": Figure("model evaluations a second", BENCH, "", ".1e", least=1e9),
    "pairs_built": Figure(
        "`gramprobe build acceptability`, nothing kept, all processes", BENCH, "CPU s", ".1f", most=40
    ),
    "pairs_waited": Figure("17,000 minimal pairs built (`--n 266`), nothing kept", BENCH, "s", ".1f", most=20),
    "pairs_verified": Figure("charts and rows of a thousand minimal pairs, checked", BENCH, "CPU s", most=1.5),
    "chart_load": Figure("rules of the whole English from its JSON", BENCH, "CPU s", most=0.3),
    "chart_backbone": Figure("backbone of these rules, before their first chart", BENCH, "CPU s"),
    "chart_good": Figure("chart of a good sentence of twelve words, slowest of three", BENCH, "ms", ".1f", most=5),
    "chart_lifted": Figure("chart of a bad one with all lifts, slowest of three", BENCH, "ms", ".1f", most=10),
    "read_twelve": Figure("a sentence of twelve words with its readings, median of ten", BENCH, "ms", ".1f", most=10),
    "read_twelve_most": Figure("the one of these that takes longest, with 28 readings", BENCH, "ms", ".1f", most=10),
    "read_audited": Figure("a thousand pairs read and labelled", BENCH, "CPU s", ".1f", most=30),
    "read_arbitrary": Figure("10,000 texts that nobody wrote, read and labelled: the slowest", BENCH, "CPU s", most=1),
    "trees_median": Figure("trees of a recorded sentence of at most 16 words, median", BENCH, "", ".0f", most=2),
    "trees_most": Figure("trees of 95 % of these sentences at most", BENCH, "", ".0f", most=8),
    "trees_all": Figure("trees of all of these sentences at most", BENCH, "", ".0f", most=100),
    "renamed": Figure("a million renamed pairs canonicalised and labelled", BENCH, "s", ".1f", most=15),
    "cvc5": Figure("a question of the suite to cvc5, by the time here, medians", BENCH, "times", ".0f", least=20),
    "z3": Figure("every sixth question to z3, by the time here, medians", BENCH, "times", ".0f", least=20),
    "left_open": Figure("questions that a solver decides and gramprobe leaves open", BENCH, "", ".0f", most=0),
    "contradicted": Figure("questions with another answer than a solver's", BENCH, "", ".0f", most=0),
    # analysis
    "model_read": Figure("mixed model of a million rows: read, added up", ANALYSIS, "CPU s", ".1f"),
    "model_fit": Figure("mixed model of a million rows: fit, degrees of freedom", ANALYSIS, "V", ".0f", most=400),
    "model_memory": Figure("mixed model of a million rows: peak memory", ANALYSIS, "MiB", ".0f", most=300),
    "answers_intercepts": Figure("logistic mixed model of 200,000 answers, crossed intercepts", ANALYSIS, "V", ".0f"),
    "answers_slopes": Figure("the same, with correlated slopes of both", ANALYSIS, "V", ".0f"),
    "study": Figure("the study of a million items, from files to tables", ANALYSIS, "CPU s", ".1f", most=25),
    "study_memory": Figure("the study of a million items: peak memory", ANALYSIS, "MiB", ",.0f", most=1024),
    "frame": Figure("the long frame of 1,036,800 answers as Parquet", ANALYSIS, "CPU s", ".1f"),
    "frame_memory": Figure("the long frame of 1,036,800 answers: peak memory", ANALYSIS, "MiB", ",.0f", most=1024),
    "report": Figure("`gramprobe report` of 17,100 pairs", ANALYSIS, "CPU s", ".1f", most=10),
    "report_four": Figure(
        "`gramprobe report` of four phenomena, 76,320 items, with three models", ANALYSIS, "CPU s", ".1f", most=25
    ),
    # language models
    "smollm2": Figure("SmolLM2-135M: part of the limit's speed", SCORE, "", ".3f", least=0.9),
    "smollm2_lm_eval": Figure("SmolLM2-135M: as fast as lm-eval", SCORE, "times", least=1.8),
    "smollm2_minicons": Figure("SmolLM2-135M: as fast as minicons", SCORE, "times", least=2.5),
    "smollm2_apart": Figure(
        "SmolLM2-135M: largest difference from both in a log-probability", SCORE, "nats", ".1e", most=1e-3
    ),
    "gpt2": Figure("GPT-2 small, random weights: part of the limit's speed", SCORE, "", ".3f", least=0.9),
    "gpt2_lm_eval": Figure("GPT-2 small: as fast as lm-eval", SCORE, "times", least=1.8),
    "gpt2_minicons": Figure("GPT-2 small: as fast as minicons", SCORE, "times", least=2.5),
    "gpt2_apart": Figure(
        "GPT-2 small: largest difference from both in a log-probability", SCORE, "nats", ".1e", most=1e-3
    ),
    "bert": Figure("BERT base, random weights: part of the limit's speed", SCORE, "", ".3f", least=0.93),
    "minilm": Figure("MiniLM-L6 with a head: part of the limit's speed", SCORE, "", ".3f", least=0.93),
    "shots": Figure("questions behind three examples, in shared rows by rows of their own", SCORE, "times", least=2),
    "finetune": Figure("an epoch of fine-tuning: part of a bare loop's speed", SCORE, "", ".3f", least=0.9),
    "endpoint": Figure("a server asked: part of its own rate", SCORE, "", ".3f", least=0.9),
    "ray": Figure("`--engine ray` by `--workers`, items a second", RAY, "times", least=0.8),
    "ray_cpu": Figure("`--engine ray` by `--workers`, items a CPU second", RAY, "times"),
    # sentences
    "gain_presupposition": Figure(GAIN.format("presupposition"), PLAUSIBILITY, "nats", least=1),
    "gain_implicature": Figure(GAIN.format("implicature"), PLAUSIBILITY, "nats", least=1),
    "gain_scope": Figure(GAIN.format("scope"), PLAUSIBILITY, "nats", least=1),
    "gain_theory_of_mind": Figure(GAIN.format("theory of mind"), PLAUSIBILITY, "nats", least=1),
    "gain_de_re_de_dicto": Figure(GAIN.format("de re and de dicto"), PLAUSIBILITY, "nats", least=1),
    # the tests
    "tests_cold": Figure("`make test`", TESTS, "CPU s", ".0f", most=600),
    "tests_warm": Figure("`make test`, verdicts kept", TESTS, "CPU s", ".0f", most=400),
    "tests_fast": Figure("`make test-fast`, both cores free", TESTS, "s", ".0f", most=60),
    "tests_fast_cpu": Figure("`make test-fast`, CPU seconds", TESTS, "CPU s", ".0f"),
}


def in_parts(parts: Mapping[str, Callable[[Path], Any]], report: Callable[[], None]) -> int:
    """The `main` of a script whose figures come from processes of their own: `PART FOLDER` prints one, nothing all."""
    if len(sys.argv) == 3:
        values = parts[sys.argv[1]](Path(sys.argv[2]))
        print(*(values if isinstance(values, tuple) else (values,)))
        return 0
    report()
    return 0


def record_figures(values: Mapping[str, float]) -> None:
    """Print figures with their promises, and write them in the page that FIGURES_PAGE names, if it names one.

    Raises KeyError for a key that FIGURES does not have.
    """
    for key, value in values.items():
        figure = FIGURES[key]
        kept = "" if figure.kept(value) else "MISSED"
        print(f"{kept:6}  {figure.number(value):>20}  {figure.promised:27}  {figure.what}", flush=True)
    if page := os.environ.get("FIGURES_PAGE"):
        text = Path(page).read_text("utf-8")
        Path(page).write_text(written(text, values, f"{datetime.date.today()}, {machine()}"), "utf-8")


def written(page: str, values: Mapping[str, float], when: str) -> str:
    """The page with its table made anew: a row for each of FIGURES, in their order. What is not in ``values`` keeps
    what its row says was measured."""
    before, _, rest = page.partition(HEAD)
    old, gap, behind = rest.partition("\n\n")
    rows = [line.strip("| ").split(" | ") for line in old.splitlines()[2:]]
    cells = {row[0]: (row[-2], row[-1]) for row in rows}
    new = {FIGURES[key].what: (FIGURES[key].measured(value), when) for key, value in values.items()}
    table = [figure.row(*(cells | new).get(figure.what, ("", "not yet"))) for figure in FIGURES.values()]
    return before + "\n".join([HEAD, "|---|---|---|---|---|", *table]) + gap + behind


def machine() -> str:
    """The processor, how many cores this process may use, and how busy they are."""
    info = Path("/proc/cpuinfo")
    names = re.findall(r"^model name\s*:\s*(.+)$", info.read_text("utf-8"), re.MULTILINE) if info.exists() else []
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{cores} cores, {(names or [platform.machine()])[0]}, load {os.getloadavg()[0]:.0f}"
