"""What is drawn independently: every study takes it, or says why it does not; stories go by skeleton."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.datasets import FEW, SharedDatasets
from support.scores import labels_file, values_file

import gramprobe
from gramprobe.analysis.answers import answers
from gramprobe.analysis.clusters import BOTH, INSTANCE, SKELETON, USUAL, resolved
from gramprobe.analysis.open import open_runs
from gramprobe.analysis.output.table import Interval, Table
from gramprobe.analysis.papers.scope import from_scores
from gramprobe.analysis.runs import Run
from gramprobe.analysis.studies import chosen, found, unused
from gramprobe.analysis.study import Given
from gramprobe.source.diagnostic import UsageError


def rows(folder: Path) -> list[dict[str, Any]]:
    dataset = gramprobe.read(folder)
    return [row for name in dataset.paradigms for batch in dataset.rows(name) for row in batch.to_pylist()]


def largest(folder: Path) -> str:
    """The draw with most values."""
    every = rows(folder)
    counts = {str(name): len({row["draws"][name] for row in every}) for name in every[0]["draws"]}
    return max(counts, key=lambda name: counts[name])


def labelled(folder: Path, place: Path) -> tuple[Run, ...]:
    """A model that is right on every other item."""
    given = {row["id"]: row["label_name"] if n % 3 else "neutral" for n, row in enumerate(rows(folder))}
    return open_runs([labels_file(place / "m.csv", given)], [folder])


def intervals(table: Table) -> list[Interval]:
    return [cell for row in table.rows for cell in row if isinstance(cell, Interval)]


def one(study: str, runs: tuple[Run, ...], cluster: str) -> Table:
    """The first table of a study."""
    return found([study], runs, Given(cluster=cluster))[0].tables[0]


@pytest.mark.parametrize("study", ["accuracy", "imppres", "artefacts", "any"])
def test_studies_of_labels_take_a_draw(study: str, datasets: SharedDatasets, tmp_path: Path) -> None:
    folder = datasets("presupposition/both", n=FEW)
    runs, draw = labelled(folder, tmp_path), largest(folder)
    usual, over = one(study, runs, USUAL), one(study, runs, draw)
    assert usual.methods[0].cluster == "instances"
    assert over.methods[0].population == f"new values of `{draw}`" and f"values of `{draw}` less 1" in over.remarks[-1]
    assert [cell.value for cell in intervals(usual)] == pytest.approx([cell.value for cell in intervals(over)])
    with pytest.raises(UsageError, match="no draw or column named `drws`"):
        one(study, runs, "drws")


@pytest.mark.slow
def test_stories_go_by_skeleton_and_other_sets_by_instance(datasets: SharedDatasets, tmp_path: Path) -> None:
    """Of a story with other names and things in it the skeletons are the same; of plain sentences nothing changes."""
    names = ("depth", "story_search")
    folder = datasets("theory_of_mind", among=names, n=FEW)
    runs, every = labelled(folder, tmp_path), rows(folder)
    of = [(runs[0].dataset, runs[0].paradigms)]
    assert resolved(of, USUAL) == BOTH and resolved(of, "owner") == "owner"
    assert [resolved([(runs[0].dataset, [name])], USUAL) for name in names] == [INSTANCE, SKELETON]
    clusters = dict(zip(answers(runs[0]).column("id"), answers(runs[0], cluster=BOTH).column("cluster"), strict=True))
    stories, plain = (
        [str(clusters[row["id"]]) for row in every if row["paradigm"] == name] for name in ("story_search", "depth")
    )
    assert len(set(plain)) == FEW and all(name.startswith("depth/") for name in plain)
    drawn = {word for row in every for word in row["draws"].values()}
    assert not drawn & {word for cluster in stories for word in cluster.split()}
    conditions = [row["condition"] for row in every if row["paradigm"] == "story_search"]
    assert 2 < len(set(stories)) < len(stories) / 4 and len(set(stories)) < len(set(conditions)) * FEW / 2
    assert one("accuracy", runs, USUAL).methods[0].cluster.startswith("instances, in stories pairs of skeletons")
    assert one("accuracy", runs, INSTANCE).methods[0].cluster == "instances"
    assert one("accuracy", runs, SKELETON).methods[0].population == "new pairs of skeletons"


def test_the_study_of_scope_takes_a_draw(datasets: SharedDatasets, tmp_path: Path) -> None:
    folder = datasets("scope/continuation_universal_indefinite", n=FEW)
    parts = [f"{text}/followup_{reading}" for text in ("ambiguous", "control") for reading in ("inverse", "surface")]
    random = np.random.default_rng(1)
    every = rows(folder)
    values = {(row["id"], part): -1.0 - random.random() for row in every for part in parts}
    runs, draw = open_runs([values_file(tmp_path / "v.csv", values)], [folder]), largest(folder)
    quads = from_scores(runs[0], cluster=draw)
    assert quads.clusters == tuple(row["draws"][draw] for row in every)
    usual, over = one("scope", runs, USUAL), one("scope", runs, draw)
    assert usual.methods[0].cluster == "items" and over.methods[0].population == f"new values of `{draw}`"
    assert over.rows[0][1] == usual.rows[0][1] == len(every)
    assert over.rows[0][5] == len(set(quads.clusters)) - 1


def test_a_study_with_clusters_of_its_own_says_so(datasets: SharedDatasets, tmp_path: Path) -> None:
    folder = datasets("de_re_de_dicto/belief", n=FEW)
    values = {(row["id"], f"candidate_{who}"): -1.5 for row in rows(folder) for who in ("subject", "embedded")}
    runs = open_runs([values_file(tmp_path / "v.csv", values)], [folder])
    with pytest.raises(UsageError, match="--cluster verb goes with no study") as refused:
        found(["de_re_de_dicto"], runs, Given(cluster="verb"))
    assert "random effects of all words" in refused.value.help
    said = unused(chosen(["de_re_de_dicto"], runs), runs, Given(cluster="verb"))
    assert said == [
        "de_re_de_dicto does not read --cluster: its model has random effects of all words, so that its "
        "tests hold for new ones"
    ]
