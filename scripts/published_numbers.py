"""Our analyses of released rows beside the numbers that two papers print, for who has the released files.

    python scripts/published_numbers.py --scope scope-ambiguity
    python scripts/published_numbers.py --imppres FILES --predictions ARRAYS --summary SUMMARY.csv

The first reads a checkout of github.com/McGill-NLP/scope-ambiguity and prints each cell of Tables 4, 5 and 6 of Kamath
et al. (2024), ours, and the difference; a cell that does not round to what is printed is marked. Three do not, which
the paper rounded otherwise than its own script gives them: tests/analysis/published says which.

The second prints the same of the summary that Jeretic et al. (2020) released (github.com/facebookresearch/Imppres):
``--imppres`` is the folder of their presupposition files (TRIGGER.jsonl), ``--predictions`` one of arrays of
predictions, MODEL/TRIGGER.npy, unpacked from results/presuppositions_results.zip. Exit code 1 where a number differs.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))

from support import imppres_files, published, released, scope_files

from gramprobe.analysis.output.table import Interval, Table, Value
from gramprobe.analysis.papers import scope, scope_choices
from gramprobe.analysis.papers.scope import Quadruples, from_values
from gramprobe.analysis.studies.imppres import findings_of
from gramprobe.formats.scope import continuation, ratings

Cell = tuple[str, str, str, float | None]
"""Where a number stands, its column, what is printed, and what we have."""


def plain(value: Value) -> float | None:
    """A number without its interval."""
    found = value.value if isinstance(value, Interval) else value
    return float(found) if isinstance(found, (int, float)) else None


def by_stub(table: Table) -> dict[tuple[str, ...], dict[str, float | None]]:
    """The rows of a table by their first cells."""
    keys = [column.key for column in table.columns]
    return {
        tuple(str(cell) for cell in row[: table.stub]): {k: plain(v) for k, v in zip(keys, row, strict=True)}
        for row in table.rows
    }


def quadruples_of(folder: Path, experiment: str) -> tuple[dict[str, Quadruples], Quadruples]:
    """The models' quadruples of an experiment, and people's of the same items."""
    file = folder / "model_results" / f"exp{experiment}_model_results.csv"
    items, scores = continuation(file), scope_files.scores(file)
    names = dict.fromkeys(scores.column("model").to_pylist())
    models = {name: released.quadruples(items, released.scores_of(scores, name)) for name in names}
    pairs = dict(zip(next(iter(models.values())).items, next(iter(models.values())).pairs, strict=True))
    proxies = scope.proxies_of(ratings(folder / "human_results" / f"exp{experiment}_human_results_cleaned.csv"))
    return models, from_values(pairs, {key: value for key, value in proxies.items() if key[0] in pairs})


def of_continuations(folder: Path, experiment: str, number: int) -> Iterator[Cell]:
    """Tables 4 and 6."""
    models, people = quadruples_of(folder, experiment)
    ours = by_stub(scope.models(models, people))
    for row in published.read(f"scope_table_{number}.tsv"):
        for key in ("alpha", "p", "r", "r_p", "positive"):
            if row["model"] != "people" or key in ("alpha", "p", "positive"):
                yield row["model"], key, row[key], ours[row["model"],][key]


def of_choices(folder: Path) -> Iterator[Cell]:
    """Table 5."""
    file = folder / "model_results" / "exp1b_model_results.csv"
    items, answers = scope_files.choice(file), scope_files.chosen(file)
    asked = answers.column("model").to_numpy()
    for row in published.read("scope_table_5.tsv"):
        found = released.choices_of(items, answers.filter(pa.array(asked == row["model"])))
        ours = by_stub(scope_choices.accuracy({row["model"]: found}))
        for reading in ("all", "surface", "inverse"):
            yield row["model"], reading, row[reading], ours[reading,]["share"]
            yield row["model"], f"{reading}, control", row[f"{reading}_control"], ours[reading,]["control"]


EMBEDDINGS = {"unembedded": "plain"}
VERSIONS = {"positive": "presupposed", "negated": "denied", "neutral": "neutral", "": "plain trigger (control)"}


def of_presuppositions(files: Path, predictions: Path, summary: Path) -> Iterator[Cell]:
    """The rows of the summary that are of one operator: accuracies and numbers of pairs, before the filter and after.
    Of those over all operators (`*`) it has means that we do not print."""
    with summary.open(encoding="utf-8", newline="") as lines:
        rows = [row for row in csv.DictReader(lines) if row["trigger_condition"] != "*"]
    for model in dict.fromkeys(row["model"] for row in rows):
        tables, answers = [], []
        for file in sorted(files.glob("*.jsonl")):
            array = predictions / model / f"{file.stem}.npy"
            if array.is_file():
                tables.append(imppres_files.presupposition(file))
                answers.append(imppres_files.predictions(array, tables[-1]))
        if not tables:
            raise SystemExit(f"{predictions / model}: no array has the name of a file of {files}")
        of_model = released.from_released(pa.concat_tables(tables), pa.concat_tables(answers), model)
        groups = {"all": of_model}
        groups |= {name: of_model.where(of_model.triggers == name) for name in dict.fromkeys(of_model.triggers)}
        for name, own in groups.items():
            found = {table.name: by_stub(table) for table in findings_of([own]).tables}
            for row in rows:
                kept = row["filtered"] == "True"
                if row["model"] != model or row["trigger_type"].removesuffix("_presupposition") != name:
                    continue
                if kept and not row["presupposition_condition"]:
                    continue  # the summary has rows of zeros for controls, which no filter is for
                place = (
                    EMBEDDINGS.get(row["trigger_condition"], row["trigger_condition"]),
                    VERSIONS[row["presupposition_condition"]],
                )
                ours = found["imppres_projection" if kept else "imppres_presupposition"][place]
                where = f"{model}, {name}, {' '.join(place)}{', kept' if kept else ''}"
                yield where, "n", row["n_examples"], ours["n_after_1" if kept else "n_1"]
                yield where, "accuracy", row["accuracy"], ours["after_1" if kept else "model_1"] or 0.0


def shown(cells: Iterable[Cell]) -> tuple[int, int]:
    """Print each cell beside ours; (numbers, numbers that differ by more than rounding)."""
    count = differing = 0
    for where, column, printed, ours in cells:
        count += 1
        low, high = published.ends(printed)
        agrees = ours is not None and (low <= ours <= high or abs(ours - float(printed)) < 1e-12)
        differing += not agrees
        less = "none of ours" if ours is None else f"{ours:.6g}  {ours - float(printed):+.2e}"
        print(f"{where:<52} {column:<18} {printed:>10}  {less}{'' if agrees else '  differs'}")
    return count, differing


def main() -> int:
    """Print what the files allow; 1 where a number differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("scope", "imppres", "predictions", "summary"):
        parser.add_argument(f"--{name}", type=Path)
    given = parser.parse_args()
    parts: dict[str, Iterator[Cell]] = {}
    if given.scope:
        parts["Table 4"] = of_continuations(given.scope, "2a", 4)
        parts["Table 5"] = of_choices(given.scope)
        parts["Table 6"] = of_continuations(given.scope, "2b", 6)
    if given.imppres and given.predictions and given.summary:
        parts["IMPPRES's summary"] = of_presuppositions(given.imppres, given.predictions, given.summary)
    if not parts:
        parser.error("name the folder of --scope, or those of --imppres, --predictions and --summary")
    failed = 0
    for name, cells in parts.items():
        print(name)
        count, differing = shown(cells)
        print(f"{name}: {count - differing} of {count} numbers\n")
        failed += differing
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
