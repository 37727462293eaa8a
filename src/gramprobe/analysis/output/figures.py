"""Figures with matplotlib, the same bytes from the same numbers.

Each function draws what its arguments hold and computes nothing but what the kind of figure needs (the quartiles of a
box, the bins of a histogram). Colours are those of Okabe and Ito (2008), which people of every colour vision tell
apart; no figure rests on colour alone: bars differ in hatching, points in shape.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike

from gramprobe.analysis.output.table import MINUS, Interval

COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#000000")
HATCHES = ("", "//", "\\\\", "xx", "--", "||", "++", "/")
"""Lines alone: a hatching of dots or rings takes up more than the rest of a figure."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
GREY = "#666666"

#: Set while a figure is made and written. `hashsalt` and no date make the bytes depend on nothing but the figure.
STYLE: Mapping[str, Any] = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, so that every machine draws the same letters
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "hatch.linewidth": 0.6,
    "legend.frameon": False,
    "pdf.fonttype": 42,  # letters that can be searched and copied
    "svg.fonttype": "path",  # a reader needs no font of ours
    "svg.hashsalt": "gramprobe",
    "figure.constrained_layout.use": True,
}
WIDTH = 6.3
"""Inches: the width of a page of text."""
LETTERS, HANDLE = 84, 7
"""Letters of a legend that fit beside each other, and those for which the patch before a name takes room."""
LINE = 0.17
"""Inches: a line of a legend."""


def write(figure: Figure, path: Path, ending: str) -> None:
    """Write a figure as SVG or PDF, by the ending (`.svg`, `.pdf`)."""
    dates = {"Date": None} if ending == ".svg" else {"CreationDate": None}
    with rc_context(dict(STYLE)):
        figure.savefig(path, metadata=dates, format=ending.removeprefix("."))


def _axes(x: str, y: str, height: float = 3.2, width: float = WIDTH) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(width, height))
    axes = figure.add_subplot()
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    return figure, axes


def grouped_bars(
    groups: Sequence[str], series: Mapping[str, Sequence[float | Interval | None]], *, x: str, y: str
) -> Figure:
    """A group of bars for each of `groups`, in it a bar for each of `series`; whiskers are intervals. None: no bar."""
    with rc_context(dict(STYLE)):
        figure, axes = _axes(x, y)
        places, width = np.arange(len(groups)), 0.8 / max(len(series), 1)
        for i, (name, values) in enumerate(series.items()):
            heights = [_value(v) for v in values]
            at = places + (i - (len(series) - 1) / 2) * width
            style = {"color": COLOURS[i % len(COLOURS)], "hatch": HATCHES[i % len(HATCHES)], "edgecolor": "white"}
            axes.bar(at, heights, width, label=name, **style)
            for position, value in zip(at, values, strict=True):
                if isinstance(value, Interval):
                    axes.plot([position, position], [value.low, value.high], color="black", linewidth=1)
        _named(axes, groups)
        axes.grid(axis="x", visible=False)
        _legend(axes, len(series))
    return figure


def stacked_bars(bars: Sequence[str], parts: Mapping[str, Sequence[float]], *, x: str, y: str) -> Figure:
    """A bar for each of `bars` that is made of `parts`, whose lengths lie one behind the other (shares: 0 to 1)."""
    with rc_context(dict(STYLE)):
        figure, axes = _axes(x, y, height=0.9 + 0.28 * len(bars))
        start = np.zeros(len(bars))
        for i, (name, lengths) in enumerate(parts.items()):
            style = {"color": COLOURS[i % len(COLOURS)], "hatch": HATCHES[i % len(HATCHES)], "edgecolor": "white"}
            axes.barh(np.arange(len(bars)), lengths, 0.8, left=start, label=name, **style)
            start = start + np.asarray(lengths)
        axes.set_yticks(np.arange(len(bars)), bars)
        axes.invert_yaxis()
        axes.grid(axis="y", visible=False)
        _legend(axes, len(parts))
    return figure


def boxplots(
    groups: Sequence[str], values: Mapping[str, Sequence[ArrayLike]], *, x: str, y: str, outliers: bool = True
) -> Figure:
    """A box from the first to the third quartile, a line and the number at the median, whiskers to the last value
    within 1.5 times the box (Tukey 1977). `values`: series -> for each group its numbers, without a box where there is
    none. `outliers`: whether values beyond the whiskers are drawn, each a point."""
    with rc_context(dict(STYLE)):
        figure, axes = _axes(x, y)
        width = 0.8 / max(len(values), 1)
        for i, (name, numbers) in enumerate(values.items()):
            at = np.arange(len(groups)) + (i - (len(values) - 1) / 2) * width
            boxes = axes.boxplot(
                [np.asarray(n, float) for n in numbers],
                positions=at,
                widths=0.85 * width,
                whis=1.5,
                patch_artist=True,
                manage_ticks=False,
                showfliers=outliers,
                medianprops={"color": "black"},
                flierprops={"marker": ".", "markersize": 2, "markeredgecolor": GREY, "rasterized": False},
            )
            for box in boxes["boxes"]:
                box.set(facecolor=COLOURS[i % len(COLOURS)], hatch=HATCHES[i % len(HATCHES)], alpha=0.75)
            boxes["boxes"][0].set_label(name)
            for position, sample in zip(at, numbers, strict=True):
                if not np.size(sample):
                    continue
                median = float(np.median(np.asarray(sample, float)))
                text = f"{median:.1f}".replace("-", MINUS)
                above = {"xytext": (0, 2), "textcoords": "offset points", "ha": "center", "va": "bottom"}
                axes.annotate(text, (position, median), fontsize=7, **above)
        _named(axes, groups)
        axes.grid(axis="x", visible=False)
        _legend(axes, len(values))
    return figure


def histogram(values: Mapping[str, ArrayLike], *, bin_width: float, x: str, y: str = "count") -> Figure:
    """Overlaid histograms whose bins begin at multiples of `bin_width`; a broken line stands at 0."""
    with rc_context(dict(STYLE)):
        figure, axes = _axes(x, y)
        samples = {name: np.asarray(sample, float) for name, sample in values.items()}
        whole = np.concatenate(list(samples.values()))
        first, last = np.floor(whole.min() / bin_width), np.floor(whole.max() / bin_width) + 1
        edges = np.arange(first, last + 1) * bin_width
        for i, (name, sample) in enumerate(samples.items()):
            style = {"color": COLOURS[i % len(COLOURS)], "hatch": HATCHES[i % len(HATCHES)], "edgecolor": "white"}
            axes.hist(sample, edges, label=name, alpha=0.65, **style)
        axes.axvline(0, color="black", linestyle="--", linewidth=0.8)
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
        _legend(axes, len(samples))
    return figure


def scatter(points: Mapping[str, tuple[ArrayLike, ArrayLike]], *, x: str, y: str) -> Figure:
    """Points (x, y) of each series, with its own colour and shape."""
    with rc_context(dict(STYLE)):
        figure, axes = _axes(x, y, height=3.8, width=4.6)
        for (name, (xs, ys)), colour, marker in zip(points.items(), cycle(COLOURS), cycle(MARKERS), strict=False):
            axes.scatter(xs, ys, s=16, color=colour, marker=marker, label=name, alpha=0.8, linewidths=0)
        axes.axhline(0, color=GREY, linewidth=0.8)
        _legend(axes, len(points))
    return figure


def ordered_means(
    names: Sequence[str], series: Mapping[str, Sequence[Interval]], *, x: str, marked: Sequence[bool] | None = None
) -> Figure:
    """For each name, from the bottom to the top, a point with its interval in each of the series. The names of those
    `marked` are red and have an asterisk."""
    with rc_context(dict(STYLE)):
        figure, axes = _axes(x, "", height=0.8 + 0.17 * len(names))
        for i, (name, values) in enumerate(series.items()):
            places = np.arange(len(names)) + 0.2 * (i - (len(series) - 1) / 2)
            axes.hlines(places, [v.low for v in values], [v.high for v in values], color=COLOURS[i], linewidth=1)
            axes.plot([v.value for v in values], places, MARKERS[i], color=COLOURS[i], markersize=3.5, label=name)
        red = marked or [False] * len(names)
        labels = [f"{name} *" if mark else name for name, mark in zip(names, red, strict=True)]
        axes.set_yticks(range(len(names)), labels, fontsize=7)
        for label, mark in zip(axes.get_yticklabels(), red, strict=True):
            label.set_color(COLOURS[5] if mark else "black")
        axes.set_ylim(-0.7, len(names) - 0.3)
        axes.grid(axis="y", visible=False)
        _legend(axes, len(series))
    return figure


def _value(value: float | Interval | None) -> float:
    return value.value if isinstance(value, Interval) else float("nan") if value is None else value


def _named(axes: Axes, groups: Sequence[str]) -> None:
    """Names below the groups, aslant where they would touch."""
    crowded = max(map(len, groups), default=0) * len(groups) > 80
    axes.set_xticks(np.arange(len(groups)), groups, rotation=30 if crowded else 0, ha="right" if crowded else "center")


def _legend(axes: Axes, series: int) -> None:
    """A legend above the axes, in as many columns as the names leave room for; the figure grows with its lines."""
    if series <= 1:
        return
    longest = max(len(name) for name in axes.get_legend_handles_labels()[1])
    columns = max(1, min(series, 4, LETTERS // (longest + HANDLE)))
    figure = axes.get_figure(root=True)
    assert figure is not None
    lines = -(-series // columns)
    figure.set_figheight(figure.get_figheight() + LINE * (lines - 1))
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=columns)
