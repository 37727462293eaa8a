"""Spoilt inputs at random, until the minutes are over: no fault of ours (E99), nothing slow, no lie accepted.

    python scripts/fuzz.py --minutes 5 --seed 1 [KIND...]

Each kind spoils one sort of input (bytes, tokens, lines, values, whole files; hashes made anew in most) and runs a
command on it in this process. Exit code 1, with the command and the place, where a command ends with E99 or an
exception, takes longer than LIMIT CPU seconds, accepts a changed dataset that says something else than the honest one,
or gives another answer by a spoilt cache. The same seed gives the same inputs of each kind; how many are tried depends
on the time, of which each kind has its share.
"""

from __future__ import annotations

import argparse
import gc
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import fuzz_folders
import fuzz_texts
from fuzz_run import ROOT, Fuzz, limits
from fuzz_spoil import Spoiler

KINDS: dict[str, tuple[Callable[[Fuzz], None], float]] = {
    "files": (fuzz_texts.files, 2), "small": (fuzz_texts.small, 2), "decide": (fuzz_texts.decide, 1),
    "lines": (fuzz_texts.lines, 1), "reading": (fuzz_texts.reading, 2), "audits": (fuzz_texts.audits, 1),
    "imports": (fuzz_texts.imports, 1), "answers": (fuzz_texts.answers, 1), "frames": (fuzz_texts.frames, 1),
    "dataset": (fuzz_folders.dataset, 3), "sets": (fuzz_folders.sets, 2), "scores": (fuzz_folders.scores, 1),
    "people": (fuzz_folders.people, 1), "models": (fuzz_folders.models, 1), "cache": (fuzz_folders.cache, 1),
}  # fmt: skip
"""Kind -> the function that tries one input, and its share of the time."""


def prepare(fuzz: Fuzz, kinds: Sequence[str]) -> None:
    """The honest inputs: small projects and their datasets and caches, datasets of shipped grammars, scores of rules,
    judgments, tiny models where torch is installed."""
    from importlib.util import find_spec

    sys.path.insert(0, str(ROOT / "tests"))
    _small(fuzz)
    if "cache" in kinds:
        fuzz_folders.prepare_cache(fuzz)
    fuzz.forget()
    (fuzz.honest / "models").mkdir(parents=True)
    for name, paradigm in fuzz_texts.SMALL.items():
        with fuzz.project(name):
            fuzz.prepared("build", paradigm, "--n", 2, "--out", fuzz.honest / "sets" / name)
    for paradigm in fuzz_folders.DATASETS.values():
        fuzz.prepared("build", paradigm, "--n", 3, "--out", fuzz.honest)
    scored = {"presupposition--only": "rule:overlap", "scope--choice_universal_indefinite": "rule:longer"}
    for name, model in scored.items():
        fuzz.prepared("score", fuzz.honest / name, "--model", model, "--out", fuzz.honest / "scores" / name)
    only = fuzz.honest / "presupposition--only"
    file = fuzz.write("answers.csv", fuzz_texts.answered(only)["answers.csv"])
    fuzz.prepared("judgments", file, "--dataset", only, "--out", fuzz.honest / "judgments")
    fuzz.prepared("lists", only, "--kind", "nli", "--out", fuzz.honest / "experiment")
    if "models" in kinds and find_spec("torch") and find_spec("transformers"):
        from support import models as tiny

        for name in ("gpt2", "nli"):
            (fuzz.honest / "models" / name).mkdir()
        tiny.gpt2(fuzz.honest / "models" / "gpt2")
        tiny.bert(fuzz.honest / "models" / "nli", ("contradiction", "neutral", "entailment"))


def _small(fuzz: Fuzz) -> None:
    """Small projects with a paradigm of each task, in the place of what is shipped."""
    from projects import toy, write
    from support import minimal_pairs, reading_tasks

    os.environ["GRAMPROBE_PATH"] = str(fuzz.empty)
    toy(fuzz.small / "toy", fuzz_texts.TOY_PARADIGM)
    write(fuzz.small / "toy", {"logic/owners.logic": "theory owners\ninclude toy\npostulate exists x. has(uma, x)\n"})
    reading_tasks.made(fuzz.small / "choice", reading_tasks.CHOICE.format(**fuzz_texts.CHOSEN))
    reading_tasks.made(fuzz.small / "coref", reading_tasks.COREF.format(**fuzz_texts.COREFERENT))
    minimal_pairs.project_of(fuzz.small / "pairs")
    for name in fuzz_texts.SMALL:
        (fuzz.small / name / "logic").mkdir(parents=True, exist_ok=True)
        for file in (ROOT / "logic").glob("*.logic"):
            shutil.copy(file, fuzz.small / name / "logic")


def tried(fuzz: Fuzz, kinds: Sequence[str], minutes: float) -> dict[str, float]:
    """Try inputs until the time is over: always of the kind that has had the least of its share. Kind ->
    the CPU seconds that it took."""
    spoilers = {kind: Spoiler(f"{fuzz.seed} {kind}") for kind in kinds}
    spent = dict.fromkeys(kinds, 0.0)
    gc.collect()
    gc.freeze()  # a search for cycles among what is kept would take seconds
    end, told = time.monotonic() + 60 * minutes, time.monotonic()
    while time.monotonic() < end:
        kind = min(kinds, key=lambda each: spent[each] / KINDS[each][1])
        fuzz.spoil, start = spoilers[kind], time.process_time()
        KINDS[kind][0](fuzz)
        spent[kind] += time.process_time() - start
        if time.monotonic() > told + 300:
            told = time.monotonic()
            print(f"{fuzz.found.runs.total():,} inputs in {sum(spent.values()):,.0f} CPU seconds", flush=True)
            print(f"  {_counts(fuzz)}", flush=True)
    return spent


def _counts(fuzz: Fuzz) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in sorted(fuzz.found.runs.items()))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"of {', '.join(KINDS)}; all without one")
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    unknown = sorted(set(options.kinds) - KINDS.keys())
    if unknown:
        parser.error(f"no kind `{unknown[0]}`: {', '.join(KINDS)}")
    os.environ["GRAMPROBE_DEBUG"] = "1"  # E99 with its trace
    os.environ["GRAMPROBE_JOBS"] = "1"  # so that all of it is counted
    limits()
    kinds = options.kinds or list(KINDS)
    with tempfile.TemporaryDirectory(prefix="gramprobe-fuzz-") as place:
        fuzz = Fuzz(Path(place) / f"seed-{options.seed}", options.seed)
        os.environ["XDG_CACHE_HOME"] = str(fuzz.work / "own-cache")
        prepare(fuzz, kinds)
        fuzz.keep_loaded()
        fuzz.found.runs.clear()
        fuzz.found.slowest = (0.0, "")
        spent = tried(fuzz, kinds, options.minutes)
        found = fuzz.found
        print(
            f"seed {options.seed}: {found.runs.total():,} inputs; the slowest took {found.slowest[0]:.1f} CPU seconds"
        )
        print(f"  gramprobe {found.slowest[1]}")
        print(f"  {_counts(fuzz)}")
        print("  " + ", ".join(f"{kind} {seconds:,.0f} s" for kind, seconds in sorted(spent.items())))
        for what, (command, trace) in found.faults.items():
            print(f"{what}\n  gramprobe {command}\n{trace}")
    return 1 if found.faults else 0


if __name__ == "__main__":
    sys.exit(main())
