"""Freeze what R gives for the simulated scores: `python tests/analysis/freeze.py` writes lme4/*.json (lme4, lmerTest);
glmer.json (lme4, ordinal) and anova.json (lmerTest, emmeans), with the argument `answers` these alone; lmer.json (small
linear designs), with the argument `times` this alone.

Needs R with lme4, lmerTest, ordinal, emmeans and jsonlite (Debian: r-cran-lme4, r-cran-lmertest, r-cran-ordinal,
r-cran-emmeans, r-cran-jsonlite). Nothing else does: the tests read what is frozen. `printed` takes an hour, since
lmerTest differentiates a deviance of 72 parameters numerically; `million` needs 3 GB; `answers` takes some minutes.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from support import simulated  # noqa: E402
from support.choices import choices, lost, rare, times, tiny  # noqa: E402

MODELS = ("intercepts", "slopes", "ml", "nested", "double_bar", "fitted", "printed")


def write_csv(table: pa.Table, file: Path) -> None:
    """A csv file that R reads: no dictionaries."""
    columns = [c.cast(pa.string()) if pa.types.is_dictionary(c.type) else c for c in table.columns]
    pyarrow.csv.write_csv(pa.table(columns, names=table.column_names), file)


def freeze_answers() -> None:
    """Freeze the logistic and ordinal models of the simulated answers, and tests of their terms."""
    with tempfile.TemporaryDirectory() as folder:
        files = Path(folder, "all.csv"), Path(folder, "rare.csv")
        for table, file in zip((choices(), rare()), files, strict=True):
            write_csv(table, file)
        subprocess.run(["Rscript", str(HERE / "glmer.R"), *map(str, files), str(HERE / "glmer.json")], check=True)
        subprocess.run(["Rscript", str(HERE / "anova.R"), str(files[0]), str(HERE / "anova.json")], check=True)


def freeze_times() -> None:
    """Freeze the small linear designs."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, f"{name}.csv") for name in ("times", "lost", "tiny")]
        for table, file in zip((times(), lost(), tiny()), files, strict=True):
            write_csv(table, file)
        subprocess.run(["Rscript", str(HERE / "lmer.R"), *map(str, files), str(HERE / "lmer.json")], check=True)


def main() -> None:
    """Write the scores, and run R on each model."""
    parts = {"answers": freeze_answers, "times": freeze_times}
    if chosen := parts.get("".join(sys.argv[1:])):
        chosen()
        return
    freeze_answers()
    freeze_times()
    (HERE / "lme4").mkdir(exist_ok=True)
    scores = simulated.sample(10_000)
    pq.write_table(scores, HERE / "scores_10000.parquet", compression="zstd", compression_level=19)
    with tempfile.TemporaryDirectory() as folder:
        small, large = Path(folder, "small.csv"), Path(folder, "large.csv")
        write_csv(scores, small)
        for model in MODELS:
            run(small, model, HERE / "lme4" / f"{model}.json")
        write_csv(pa.Table.from_batches(simulated.batches()), large)
        run(large, "fitted", HERE / "lme4" / "million.json", HERE / "lme4" / "fitted.json")


def run(scores: Path, model: str, out: Path, *more: Path) -> None:
    """Freeze one model; with the output of an earlier run only deviances, also at its optimum."""
    subprocess.run(["Rscript", str(HERE / "lme4.R"), str(scores), model, str(out), *map(str, more)], check=True)


if __name__ == "__main__":
    main()
