"""Figures with matplotlib, the same bytes from the same numbers.

Each function draws what its arguments hold and computes nothing but what the kind of figure needs (the quartiles of a
box, the bins of a histogram). Colours are those of Okabe and Ito (2008), which people of every colour vision tell
apart; no figure rests on colour alone: bars differ in hatching, points in shape. A panel has at most as many series as
there are colours, and groups lie sideways where there are too many to be named side by side.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import blended_transform_factory
from numpy.typing import ArrayLike, NDArray

from gramprobe.analysis.output.look import PLAIN, Look
from gramprobe.analysis.output.table import MINUS, NONE, Interval

COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#000000")
HATCHES = ("", "//", "\\\\", "xx", "--", "||", "++", "/")
"""Lines alone: a hatching of dots or rings takes up more than the rest of a figure."""
BARS: Mapping[str, Any] = {"edgecolor": "white", "in_layout": False}
"""Bars end within their axes: making room for texts need not look at them."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
GREY = "#666666"


_LOOK: ContextVar[Look] = ContextVar("look", default=PLAIN)


@contextmanager
def looking(look: Look) -> Iterator[None]:
    """Draw and write the figures of the block in this look."""
    token = _LOOK.set(look)
    try:
        yield
    finally:
        _LOOK.reset(token)


#: Set while a figure is made and written. `hashsalt` and no date make the bytes depend on nothing but the figure.
STYLE: Mapping[str, Any] = {
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
    "svg.fonttype": "none",  # letters that can be searched, copied and edited, in the reader's own font
    "svg.hashsalt": "gramprobe",
    "figure.constrained_layout.use": True,
}
LETTERS, HANDLE = 13.3, 7
"""Letters of a legend that fit beside each other in an inch, and those for which the patch before a name takes room."""
LINE = 0.17
"""Inches: a line of a legend."""
SIDEWAYS = 12
"""From so many groups on their names stand at the left, one below the other."""


def _style() -> dict[str, Any]:
    return {**STYLE, "font.family": _LOOK.get().font}


def write(figure: Figure, out: Path | io.StringIO, ending: str = ".svg") -> None:
    """Write a figure as SVG or PDF, by the ending (`.svg`, `.pdf`)."""
    dates = {"Date": None} if ending == ".svg" else {"CreationDate": None}
    with rc_context(_style()):
        _lay_out(figure)
        figure.savefig(out, metadata=dates, format=ending.removeprefix("."))


def svg(figure: Figure) -> str:
    """A figure as a text of SVG."""
    out = io.StringIO()
    write(figure, out)
    return out.getvalue()


def _lay_out(figure: Figure) -> None:
    """Make room for the texts, once: where that is left to `savefig`, everything is drawn twice."""
    if (engine := figure.get_layout_engine()) is None:
        return
    FigureCanvasSVG(figure)  # texts are as wide as they are in SVG
    engine.execute(figure)
    with rc_context({"figure.constrained_layout.use": False}):
        figure.set_layout_engine(None)


def _axes(x: str, y: str, height: float = 3.2, share: float = 1) -> tuple[Figure, Axes]:
    """A figure of one panel, as wide as this share of the page."""
    figure = Figure(figsize=(share * _LOOK.get().width, height))
    axes = figure.add_subplot()
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    return figure, axes


Bar = float | Interval | None


def grouped_bars(groups: Sequence[str], series: Mapping[str, Sequence[Bar]], *, x: str, y: str) -> Figure:
    """A group of bars for each of `groups`, in it a bar for each of `series`; whiskers are intervals.

    A value of 0 has a 0 in the place of its bar, None a dash: there is nothing to count, which the axis says. Groups
    lie sideways from `SIDEWAYS` of them on. More series than there are colours are divided over panels of one scale.
    """
    names = list(series)
    if any(np.isnan(_value(value)) for values in series.values() for value in values):
        y = f"{y} ({NONE}: no items)".lstrip()
    panels = [names[i : i + len(COLOURS)] for i in range(0, len(names), len(COLOURS))] or [[]]
    lying = len(groups) >= SIDEWAYS
    with rc_context(_style()):
        heights = [0.8 + len(groups) * max(0.2, 0.07 * len(panel)) if lying else 3.2 for panel in panels]
        figure = Figure(figsize=(_LOOK.get().width, sum(heights)))
        same = {"sharex": True} if lying else {"sharey": True}
        rows = figure.subplots(len(panels), squeeze=False, gridspec_kw={"height_ratios": heights}, **same)
        for axes, panel in zip(rows[:, 0], panels, strict=True):
            _bars(axes, groups, {name: series[name] for name in panel}, lying)
            axes.set(**({"ylabel": x, "xlabel": y} if lying else {"xlabel": x, "ylabel": y}))
            _legend(axes, len(names) if len(panels) > 1 else len(panel))
    return figure


def _bars(axes: Axes, groups: Sequence[str], series: Mapping[str, Sequence[Bar]], lying: bool) -> None:
    """The bars of one panel; ``lying``: groups one below the other, from the top, and bars to the right."""
    thick = 0.8 / max(len(series), 1)
    draw = axes.barh if lying else axes.bar
    for i, (name, values) in enumerate(series.items()):
        at = np.arange(len(groups)) + (i - (len(series) - 1) / 2) * thick
        style = {"color": COLOURS[i], "hatch": HATCHES[i], **BARS}
        draw(at, [_value(value) for value in values], thick, label=name, **style)
        whiskers = [(place, each) for place, each in zip(at, values, strict=True) if isinstance(each, Interval)]
        if whiskers:
            line = axes.hlines if lying else axes.vlines
            ends = [each.low for _, each in whiskers], [each.high for _, each in whiskers]
            line([place for place, _ in whiskers], *ends, color="black", linewidth=1, zorder=2)
        signs = ((place, _value(value)) for place, value in zip(at, values, strict=True))
        for place, sign in ((place, NONE if np.isnan(n) else "0") for place, n in signs if not n or np.isnan(n)):
            away = {"xytext": (2, 0), "va": "center"} if lying else {"xytext": (0, 1), "ha": "center"}
            axes.annotate(
                sign, (0, place) if lying else (place, 0), fontsize=6, color=GREY, textcoords="offset points", **away
            )
    axes.grid(axis="y" if lying else "x", visible=False)
    if lying:
        axes.set_yticks(np.arange(len(groups)), groups, fontsize=7)
        axes.set_ylim(len(groups) - 0.4, -0.6)
    else:
        _named(axes, groups)


def stacked_bars(bars: Sequence[str], parts: Mapping[str, Sequence[float]], *, x: str, y: str) -> Figure:
    """A bar for each of `bars` that is made of `parts`, whose lengths lie one behind the other (shares: 0 to 1)."""
    with rc_context(_style()):
        figure, axes = _axes(x, y, height=0.9 + 0.28 * len(bars))
        start = np.zeros(len(bars))
        for i, (name, lengths) in enumerate(parts.items()):
            style = {"color": COLOURS[i % len(COLOURS)], "hatch": HATCHES[i % len(HATCHES)], **BARS}
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
    with rc_context(_style()):
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
    with rc_context(_style()):
        figure, axes = _axes(x, y)
        samples = {name: np.asarray(sample, float) for name, sample in values.items()}
        whole = np.concatenate(list(samples.values()))
        first, last = np.floor(whole.min() / bin_width), np.floor(whole.max() / bin_width) + 1
        edges = np.arange(first, last + 1) * bin_width
        for i, (name, sample) in enumerate(samples.items()):
            style = {"color": COLOURS[i % len(COLOURS)], "hatch": HATCHES[i % len(HATCHES)], **BARS}
            axes.hist(sample, edges, label=name, alpha=0.65, **style)
        axes.axvline(0, color="black", linestyle="--", linewidth=0.8)
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
        _legend(axes, len(samples))
    return figure


def scatter(points: Mapping[str, tuple[ArrayLike, ArrayLike]], *, x: str, y: str) -> Figure:
    """Points (x, y) of each series, with its own colour and shape."""
    with rc_context(_style()):
        figure, axes = _axes(x, y, height=3.8, share=0.73)
        for (name, (xs, ys)), colour, marker in zip(points.items(), cycle(COLOURS), cycle(MARKERS), strict=False):
            axes.scatter(xs, ys, s=16, color=colour, marker=marker, label=name, alpha=0.8, linewidths=0)
        axes.axhline(0, color=GREY, linewidth=0.8)
        _legend(axes, len(points))
    return figure


def residuals(
    xs: ArrayLike, ys: ArrayLike, *, x: str, y: str, band: NDArray[np.float64] | None = None, diagonal: bool = False
) -> Figure:
    """Points about a line at 0, or about the ``diagonal``; ``band``: how far from 0 two curves are at each point."""
    with rc_context(_style()):
        figure, axes = _axes(x, y, height=3.8, share=0.73)
        axes.plot(xs, ys, "o", color=COLOURS[0], markersize=3, alpha=0.6, markeredgewidth=0)
        if diagonal:
            axes.axline((0, 0), slope=1, color=GREY, linewidth=0.8)
        else:
            axes.axhline(0, color=GREY, linewidth=0.8)
        for edge in () if band is None else (band, -band):
            axes.plot(xs, edge, color=GREY, linewidth=0.8)
    return figure


def curves(series: Mapping[str, Sequence[tuple[float, Any]]], *, x: str, y: str) -> Figure:
    """Points (x, a number or an interval) of each series on a logarithmic axis of x, joined by a line at their means:
    there may be several of one x."""
    with rc_context(_style()):
        figure, axes = _axes(x, y, height=3.8, share=0.73)
        for (name, points), colour, marker in zip(series.items(), cycle(COLOURS), cycle(MARKERS), strict=False):
            at: dict[float, list[float]] = {}
            for place, value in sorted(points, key=lambda point: point[0]):
                at.setdefault(place, []).append(_value(value))
                if isinstance(value, Interval):
                    axes.plot([place, place], [value.low, value.high], color=colour, linewidth=0.8)
                axes.plot([place], [_value(value)], marker, color=colour, markersize=4)
            means = [float(np.mean(own)) for own in at.values()]
            axes.plot(list(at), means, "-", color=colour, linewidth=1)
            axes.plot([], [], marker + "-", color=colour, markersize=4, linewidth=1, label=name)
        axes.set_xscale("log")
        _legend(axes, len(series))
    return figure


def ordered_means(
    names: Sequence[str], series: Mapping[str, Sequence[Interval]], *, x: str, marked: Sequence[bool] | None = None
) -> Figure:
    """For each name, from the bottom to the top, a point with its interval in each of the series. The names of those
    `marked` are red and have an asterisk."""
    with rc_context(_style()):
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
    crowded = max(map(len, groups), default=0) * len(groups) > LETTERS * _LOOK.get().width
    axes.set_xticks(np.arange(len(groups)), groups, rotation=30 if crowded else 0, ha="right" if crowded else "center")


def _legend(axes: Axes, series: int) -> None:
    """A legend above the axes, in the middle of the figure, in as many columns as the names leave room for; the figure
    grows with its lines."""
    if series <= 1:
        return
    names = axes.get_legend_handles_labels()[1]
    fitting = int(LETTERS * _LOOK.get().width) // (max(map(len, names)) + HANDLE)
    columns = max(1, min(len(names), 4, fitting))
    figure = axes.get_figure(root=True)
    assert figure is not None
    lines = -(-len(names) // columns)
    figure.set_figheight(figure.get_figheight() + LINE * (lines - 1))
    over = blended_transform_factory(figure.transFigure, axes.transAxes)  # axes are narrow beside long names
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), bbox_transform=over, ncols=columns)
