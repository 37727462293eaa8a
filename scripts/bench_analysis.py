"""The figures of `make bench-analysis`: the mixed model of the de re / de dicto study, on 1,036,800 simulated rows;
logistic mixed models of 200,000 answers; the whole study, and the long frame, from a dataset of these sentences and a
folder of simulated scores; the report of a run on 17,100 pairs, and that of three rules on four phenomena.

The unit V is one Cholesky factor and one inverse (LAPACK's dpotrf and dpotri) of the order of the model, measured in
the same process before and after: a time depends on the machine, a ratio hardly. Everything runs in one thread.
"""

from __future__ import annotations

import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")  # before numpy is loaded

import resource
import statistics
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path

import numpy as np
from figures import record_figures

FORMULA = """bias ~ det * type + subj + followup
    + (0 + det * type + subj || emb_subject) + (1 + followup | emb_subject)
    + (0 + det * type + subj || emb_verb) + (1 + followup | emb_verb)
    + (0 + det + subj || matrix_verb) + (1 + followup | matrix_verb)"""
#: instances of each presupposition paradigm: 10 paradigms of 19 pairs make 17,100
REPORT_INSTANCES = 90
#: phenomena, each with the modes in which rules answer; with so many instances of each paradigm they have 76,320 items,
#: four times those of the set (presupposition, 19,000) whose report the limit was reckoned from
FOUR_INSTANCES = 40
FOUR = {"presupposition": "nli", "implicature": "nli", "theory_of_mind": "nli", "scope": "choice"}
OF_OPTIONS = ("rule:longer", "rule:first", "rule:overlap")
THREE = ("rule:overlap", "rule:subsequence", "rule:first_words")
REPEATS = 9
#: of the simulated answers, one for each pair
PEOPLE, ITEMS = 400, 500
COMMAND = str(Path(sys.executable).with_name("gramprobe"))


def unit(order: int) -> float:
    """CPU seconds of one dpotrf and dpotri of that order, the median of some."""
    from scipy.linalg import lapack

    rng = np.random.Generator(np.random.PCG64(0))
    root = rng.random((order, order))
    matrix = np.asfortranarray(root @ root.T + order * np.eye(order))
    seconds = []
    for _ in range(REPEATS):
        copy = matrix.copy(order="F")
        start = time.process_time()
        factor, _ = lapack.dpotrf(copy, lower=1, clean=0, overwrite_a=1)
        lapack.dpotri(factor, lower=1, overwrite_c=1)
        seconds.append(time.process_time() - start)
    return statistics.median(seconds)


def measure(file: Path) -> int:
    """Fit the model to a Parquet file, and print what it took."""
    from gramprobe.analysis.mixed.design import Design
    from gramprobe.analysis.mixed.fit import fit
    from gramprobe.analysis.mixed.formula import parse
    from gramprobe.analysis.mixed.frame import frame_of

    start = time.process_time()
    design = Design(parse(FORMULA), frame_of(file), codings={"followup": "helmert"})
    sums = design.products()
    added = time.process_time()
    before = unit(len(sums.matrix))
    begin = time.process_time()
    found = fit(sums)
    effects = found.effects()
    end = time.process_time()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    seconds = statistics.mean((before, unit(len(sums.matrix))))
    print(f"{design.rows:,} rows, {design.layout.q} random effects, {len(found.theta)} variance parameters")
    print(f"fit, Satterthwaite: {end - begin:.2f} CPU s, {found.objective.evaluations} solutions; V is {seconds:.4f} s")
    freedom = ", ".join(f"{effect.df:.2f}" for effect in effects)
    print(f"deviance {found.deviance:.6f}; converged: {found.converged}; df {freedom}")
    record_figures({"model_read": added - start, "model_fit": (end - begin) / seconds, "model_memory": memory})
    return 0


def measure_answers() -> int:
    """Fit logistic models to 200,000 simulated answers of 400 people to 500 items, and print what it took."""
    import pyarrow as pa

    from gramprobe.analysis.mixed.model import answer_model

    rng = np.random.Generator(np.random.PCG64(1))
    person, item = np.divmod(np.arange(PEOPLE * ITEMS), ITEMS)
    a, b = np.where((person + item) % 2 == 0, 0.5, -0.5), np.where(item % 4 < 2, 0.5, -0.5)
    of_person, of_item = rng.normal(size=(PEOPLE, 2)), rng.normal(size=(ITEMS, 2))
    eta = 0.3 + 0.8 * a + 0.4 * b - 0.5 * a * b + 0.9 * of_person[person, 0] + 0.7 * of_item[item, 0]
    eta += a * (0.6 * of_person[person, 1] + 0.5 * of_item[item, 1])
    right = (rng.random(len(eta)) < 1.0 / (1.0 + np.exp(-eta))).astype(np.int64)
    columns = {"a": a, "b": b, "person": [f"p{k}" for k in person], "item": [f"i{k}" for k in item]}
    frame = pa.table({"right": right, **columns})
    for key, slopes in (("answers_intercepts", "1"), ("answers_slopes", "1 + a")):
        formula = f"right ~ a * b + ({slopes} | person) + ({slopes} | item)"
        start = time.process_time()
        found = answer_model(formula, frame, "binomial").fit
        seconds = time.process_time() - start
        order = found.layout.q
        print(f"{formula}: {seconds:.2f} CPU s, {found.objective.evaluations} deviances, {order} effects of levels")
        record_figures({key: seconds / unit(order)})
    return 0


def measure_study(dataset: Path, scores: Path) -> int:
    """Read a dataset and its scores, join them, and make the tables of the study; print what it took."""
    from gramprobe.analysis.open import open_runs
    from gramprobe.analysis.studies import study
    from gramprobe.analysis.study import Given

    runs = open_runs([scores], [dataset])
    opened = time.process_time()
    found = study("de_re_de_dicto").findings(runs, Given())
    seconds = time.process_time()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"study: {len(found.tables)} tables and {len(found.figures)} figures, {len(found.warnings)} warnings")
    print(f"read and joined in {opened:.2f} CPU s")
    record_figures({"study": seconds, "study_memory": memory})
    return 0


def measure_frame(dataset: Path, scores: Path, out: Path) -> int:
    """Write the long frame of the simulated scores, and print what it took."""
    from gramprobe.analysis.long_frame import LongFrame
    from gramprobe.analysis.open import open_runs

    frame = LongFrame(open_runs([scores], [dataset]))
    rows = frame.write(out)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"frame: {rows:,} rows, {len(frame.schema)} columns, {out.stat().st_size / 1024**2:.0f} MiB")
    record_figures({"frame": time.process_time(), "frame_memory": memory})
    return 0


def measure_report(key: str, scores: list[Path], datasets: list[Path], out: Path) -> int:
    """Run `gramprobe report` on scored datasets, and print what it took. The answers are those of rules: how long a
    report takes does not depend on the model."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    given = [part for dataset in datasets for part in ("--dataset", dataset)]
    subprocess.run([COMMAND, "report", *scores, *given, "--out", out], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"a report of {out.stat().st_size / 1024:.0f} KiB")
    record_figures({key: seconds})
    return 0


def scored_by_rules(folder: Path) -> list[Path]:
    """The folders of scores of `THREE` on `FOUR`, made where they are not there. The rules about options are others."""
    found = []
    for phenomenon, mode in FOUR.items():
        for rule in THREE if mode == "nli" else OF_OPTIONS:
            found.append(folder / f"{phenomenon}--{rule.partition(':')[2]}")
            if not found[-1].is_dir():
                given = ("--model", rule, "--mode", mode, "--out", found[-1])
                subprocess.run([COMMAND, "score", folder / phenomenon, *given], check=True, stdout=subprocess.DEVNULL)
    return found


def write(folder: Path) -> int:
    """Write what is measured: simulated rows, the dataset, and simulated scores of it."""
    sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))
    simulated = import_module("support.simulated")
    import gramprobe

    simulated.write_all(folder / "scores.parquet")
    (built,) = gramprobe.load(names=["de_re_de_dicto"]).build("de_re_de_dicto", out=folder)
    simulated.write_scores(built.folder, folder / "scores")
    steps: tuple[tuple[str | Path, ...], ...] = (
        ("build", "presupposition", "--n", str(REPORT_INSTANCES), "--out", folder),
        ("score", folder / "presupposition", "--model", "rule:overlap", "--out", folder / "report_scores"),
        ("build", *FOUR, "--n", str(FOUR_INSTANCES), "--out", folder / "four"),
    )
    for arguments in steps:
        subprocess.run([COMMAND, *arguments], check=True, stdout=subprocess.DEVNULL)
    return 0


def main() -> int:
    """Write and measure in processes of their own: a process begins with the peak memory of the one that started it."""
    match sys.argv[1:]:
        case ["write", folder]:
            return write(Path(folder))
        case ["model", folder]:
            return measure(Path(folder, "scores.parquet"))
        case ["answers", _]:
            return measure_answers()
        case ["study", folder]:
            return measure_study(Path(folder, "de_re_de_dicto"), Path(folder, "scores"))
        case ["frame", folder]:
            return measure_frame(Path(folder, "de_re_de_dicto"), Path(folder, "scores"), Path(folder, "frame.parquet"))
        case ["report", folder]:
            scores, dataset = Path(folder, "report_scores"), Path(folder, "presupposition")
            return measure_report("report", [scores], [dataset], Path(folder, "report.html"))
        case ["four", folder]:
            four = Path(folder, "four")
            return measure_report("report_four", scored_by_rules(four), [four / name for name in FOUR], four / "r.html")
    with tempfile.TemporaryDirectory() as folder:
        steps = ("write", "model", "answers", "study", "frame", "report", "four")
        return max(subprocess.run([sys.executable, __file__, step, folder]).returncode for step in steps)


if __name__ == "__main__":
    sys.exit(main())
