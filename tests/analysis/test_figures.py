"""Figures: the same bytes from the same numbers, and drawn where the numbers say."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from matplotlib.figure import Figure

from gramprobe.analysis import findings
from gramprobe.analysis.output import figures
from gramprobe.analysis.output.look import Look
from gramprobe.analysis.output.table import Interval

SAMPLES = [np.linspace(-3, 4, 40), np.linspace(0, 9, 50)]


def bars() -> Figure:
    series: dict[str, list[float | Interval | None]] = {"test": [0.5, Interval(0.7, 0.6, 0.8)], "control": [0.4, None]}
    return figures.grouped_bars(["every", "most"], series, x="operator", y="accuracy")


def stacked() -> Figure:
    return figures.stacked_bars(["a", "b"], {"logical": [0.2, 0.5], "pragmatic": [0.8, 0.5]}, x="share", y="")


def boxes() -> Figure:
    return figures.boxplots(["a", "that"], {"John": SAMPLES, "Mary": SAMPLES[::-1]}, x="determiner", y="bias (nats)")


def histogram() -> Figure:
    return figures.histogram({"a": SAMPLES[0], "that": SAMPLES[1]}, bin_width=0.5, x="bias (nats)")


def scatter() -> Figure:
    return figures.scatter({"negation": (SAMPLES[0], SAMPLES[0] ** 2)}, x="people", y="α")


def ordered() -> Figure:
    values = [Interval(v, v - 1, v + 1) for v in (-1.0, 0.5, 2.0)]
    return figures.ordered_means(["see", "hope", "know"], {"a": values}, x="effect", marked=[True, False, False])


MAKERS = [bars, stacked, boxes, histogram, scatter, ordered]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "ending"),
    [
        *((make, "svg") for make in MAKERS),
        (bars, "pdf"),
        *(pytest.param(make, "pdf", marks=pytest.mark.deep) for make in MAKERS[1:]),
    ],
)
def test_a_figure_is_the_same_bytes_each_time(make: object, ending: str, tmp_path: Path) -> None:
    assert callable(make)
    for name in ("one", "two"):
        figures.write(make(), tmp_path / f"{name}.{ending}", f".{ending}")
    written = (tmp_path / f"one.{ending}").read_bytes()
    assert written == (tmp_path / f"two.{ending}").read_bytes()
    assert len(written) > 2000


def test_bars_are_as_high_as_the_numbers() -> None:
    heights = [bar.get_height() for bar in bars().axes[0].patches]
    assert heights[:3] == [0.5, 0.7, 0.4]
    assert np.isnan(heights[3])


def test_what_is_missing_is_not_drawn_as_zero() -> None:
    series: dict[str, list[float | Interval | None]] = {"a": [0.5, None, 0.0]}
    (axes,) = figures.grouped_bars(["every", "most", "no"], series, x="", y="accuracy").axes
    assert [text.get_text() for text in axes.texts] == ["–", "0"]
    assert axes.get_ylabel() == "accuracy (–: no items)"


def test_a_legend_is_not_cut_where_long_names_make_the_axes_narrow() -> None:
    names = [f"not strong => not weak, a model with a long name {n}" for n in range(3)]
    parts = {part: [0.25] * 3 for part in ("pragmatic", "literal", "both", "neither")}
    figure = figures.stacked_bars(names, parts, x="share", y="")
    figures.svg(figure)
    legend = figure.axes[0].get_legend()
    assert legend is not None
    box = legend.get_window_extent().transformed(figure.transFigure.inverted())
    assert box.x0 >= 0 and box.x1 <= 1


def test_whiskers_are_the_intervals_and_hold_still_where_there_are_none() -> None:
    series: dict[str, list[float | Interval | None]] = {"a": [Interval(0.5, 0.4, 0.7), 0.2], "b": [0.1, 0.3]}
    (axes,) = figures.grouped_bars(["every", "most"], series, x="", y="accuracy").axes
    ((whisker,),) = [each.get_segments() for each in axes.collections]
    assert whisker[:, 1].tolist() == [0.4, 0.7] and axes.patches[0].get_center()[0] == whisker[0, 0]


@pytest.mark.slow
def test_many_groups_lie_sideways_and_many_series_are_divided_over_panels() -> None:
    groups = [f"a paradigm with a long name {i}" for i in range(20)]
    series = {f"model {i}": [0.1] * 20 for i in range(11)}
    figure = figures.grouped_bars(groups, series, x="", y="accuracy")
    assert [len(axes.containers) for axes in figure.axes] == [8, 3]
    assert [label.get_text() for label in figure.axes[1].get_yticklabels()] == groups
    figure.draw_without_rendering()
    boxes = [label.get_window_extent() for label in figure.axes[0].get_yticklabels()]
    assert all(above.y0 >= below.y1 for above, below in pairwise(boxes))
    (upright,) = figures.grouped_bars(groups[:11], {"one": [0.1] * 11}, x="", y="accuracy").axes
    assert [label.get_text() for label in upright.get_xticklabels()] == groups[:11]


def test_a_figure_has_the_width_and_font_that_are_asked_for_and_letters_that_can_be_edited(tmp_path: Path) -> None:
    with figures.looking(Look(width=3.3, font="DejaVu Serif")):
        figure = bars()
        figures.write(figure, tmp_path / "one.svg", ".svg")
    assert figure.get_figwidth() == 3.3
    written = (tmp_path / "one.svg").read_text("utf-8")
    assert re.search(r"<text[^>]*DejaVu Serif[^>]*>accuracy", written)


def test_a_single_bar_is_no_figure() -> None:
    figure = findings.Figure("one", "One.", "One bar.", findings.Bars(["all"], {"a model": [0.5]}))
    both = replace(figure, draw=findings.Bars(["all", "more"], {"a model": [0.5, 0.4]}, counts=[20, 1000]))
    kept = findings.compared(findings.Findings("study", "Study", (), (figure, both))).figures
    assert kept == (both,)
    labels = [label.get_text() for label in both.draw().axes[0].get_xticklabels()]
    assert labels == ["all (n = 20)", "more (n = 1,000)"]


def test_stacked_bars_lie_one_behind_the_other() -> None:
    places = [(bar.get_x(), bar.get_width()) for bar in stacked().axes[0].patches]
    assert np.allclose(places, [(0, 0.2), (0, 0.5), (0.2, 0.8), (0.5, 0.5)])


def test_medians_are_printed_with_a_real_minus_sign() -> None:
    figure = figures.boxplots(["a"], {"x": [[-3.0, -1.0, 7.0]]}, x="", y="")
    assert [text.get_text() for text in figure.axes[0].texts] == ["−1.0"]


def test_bins_begin_at_multiples_of_their_width() -> None:
    edges = {round(patch.get_x() / 0.5, 9) for patch in histogram().axes[0].patches}
    assert all(edge == int(edge) for edge in edges)
    assert sum(patch.get_height() for patch in histogram().axes[0].patches) == sum(map(len, SAMPLES))


def test_means_stand_from_the_bottom_to_the_top_and_marked_names_have_an_asterisk() -> None:
    assert [label.get_text() for label in ordered().axes[0].get_yticklabels()] == ["see *", "hope", "know"]


def test_a_legend_of_long_names_lies_within_the_figure() -> None:
    names = [f"a-model-of-some-length, prompt {i}" for i in range(7)]
    figure = figures.grouped_bars(["plain", "negated"], {name: [0.5, 0.5] for name in names}, x="", y="accuracy")
    figure.draw_without_rendering()
    legend = figure.axes[0].get_legend()
    assert legend is not None
    box, page = legend.get_window_extent(), figure.bbox
    assert box.x0 >= page.x0 and box.x1 <= page.x1 and box.y1 <= page.y1
