"""What a study returns: tables and figures, and what the reader must be warned of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from gramprobe import shown
from gramprobe.analysis.output.table import Column, Table, Value
from gramprobe.analysis.output.writers import html, text

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawn


@dataclass(frozen=True)
class Figure:
    """A figure that is drawn when it is written, so that an analysis without figures loads no matplotlib.

    Attributes:
        name: names its files: small letters, digits and `_`.
        caption: a caption that can be read alone.
        text: what the figure shows, in words, for readers who do not see it.
        draw: makes it, with a function of `analysis.output.figures`.
    """

    name: str
    caption: str
    text: str
    draw: Callable[[], Drawn]

    def _repr_html_(self) -> str:
        """The figure with its caption, for a notebook. Needs matplotlib."""
        from gramprobe.analysis.output.figures import svg

        return shown.together([shown.picture(svg(self.draw()), self.text), shown.paragraph(self.caption)])


@dataclass(frozen=True)
class Bars:
    """How `Figure.draw` draws a group of bars for each of ``groups``, in it a bar for each of ``series``.

    Attributes:
        counts: of how many items each group is, which stands beside its name; empty where that differs by series.
    """

    groups: Sequence[str]
    series: Mapping[str, Sequence[Any]]
    y: str = "accuracy"
    counts: Sequence[int] = ()

    def __call__(self) -> Drawn:
        from gramprobe.analysis.output.figures import grouped_bars

        named = [f"{group} (n = {n:,})" for group, n in zip(self.groups, self.counts, strict=False)] or self.groups
        return grouped_bars(named, self.series, x="", y=self.y)

    @property
    def single(self) -> bool:
        """Whether there is one bar at most, which compares nothing."""
        return len(self.groups) * len(self.series) < 2


def bars_of(table: Table, columns: Mapping[str, int], y: str = "accuracy", n: int | None = None) -> Bars:
    """Draw columns of a table: a group of bars for each row, a bar for each of ``columns`` (name -> which column).

    ``n``: the column that says of how many items a row is."""
    series = {name: [row[column] for row in table.rows] for name, column in columns.items()}
    counts = [] if n is None else [count for row in table.rows if isinstance(count := row[n], int)]
    return Bars([str(row[0]) for row in table.rows], series, y, counts if len(counts) == len(table.rows) else ())


@dataclass(frozen=True)
class Number:
    """One of the few numbers of a model that a reader sees first.

    Attributes:
        column: what it is of, and how it is printed.
    """

    model: str
    value: Value
    column: Column


@dataclass(frozen=True, repr=False)
class Findings:
    """The results of one study. A notebook shows tables and figures, a terminal the tables.

    Attributes:
        study: the study's name.
        title: a heading.
        tables: in the order in which they are read.
        figures: in the order in which they are read.
        warnings: what limits the results: items without scores, designs that cannot be estimated.
        omitted: what of the paper is not shown here, and why, a sentence each.
        details: further tables, which files and reports have and a terminal prints with `--details`.
        headlines: warnings that stand above the results of all studies: about what the models reach as a whole, and
            about scores that no study reads.
        numbers: of each model, those that stand in the summary of a report.
    """

    study: str
    title: str
    tables: tuple[Table, ...]
    figures: tuple[Figure, ...] = ()
    warnings: tuple[str, ...] = ()
    omitted: tuple[str, ...] = ()
    details: tuple[Table, ...] = ()
    headlines: tuple[str, ...] = ()
    numbers: tuple[Number, ...] = ()

    def __repr__(self) -> str:
        return self.printed()

    def printed(self, details: bool = False, before: dict[str, str] | None = None) -> str:
        """Title, warnings and tables as text, with what is not shown; ``details``: with the further tables. How numbers
        are made stands below the first table of its kind; ``before``: as of `writers.text`, of other studies."""
        before = {} if before is None else before
        lines = [self.title.upper(), ""]
        lines += [f"warning: {warning}\n" for warning in self.warnings]
        lines += [text(table, before) for table in (*self.tables, *(self.details if details else ()))]
        lines += [f"not shown: {sentence}" for sentence in self.omitted]
        return "\n".join(lines).rstrip()

    def _repr_html_(self) -> str:
        warned = [shown.paragraph(f"warning: {each}") for each in (*self.headlines, *self.warnings)]
        tables, figures = map(html, self.tables), (figure._repr_html_() for figure in self.figures)
        left_out = [shown.paragraph(f"not shown: {each}") for each in self.omitted]
        return shown.together([shown.paragraph(self.title), *warned, *tables, *figures, *left_out])


def compared(found: Findings) -> Findings:
    """The results without figures of a single bar."""
    figures = tuple(each for each in found.figures if not (isinstance(each.draw, Bars) and each.draw.single))
    return replace(found, figures=figures)


def said_once(warnings: Sequence[str], models: Sequence[str]) -> tuple[str, ...]:
    """Warnings of which each begins with the model that it is about: those that say the same of several models as one,
    where the first stands."""
    about: dict[str, list[str]] = {}
    for each in dict.fromkeys(warnings):
        model = max((name for name in models if each.startswith(f"{name}: ")), key=len, default="")
        about.setdefault(each.removeprefix(f"{model}: "), []).append(model)
    between = "; " if any(", " in name for name in models) else ", "
    return tuple(f"{between.join(own)}: {rest}" if own[0] else rest for rest, own in about.items())


def without_repeats(found: Sequence[Findings]) -> list[Findings]:
    """The results of several studies with each warning, and each sentence about what is not shown, where it first
    stands: what limits the scores limits every study of them."""
    kept: list[Findings] = []
    warned, left_out = set[str](), set[str]()
    for each in found:
        warnings = tuple(one for one in dict.fromkeys(each.warnings) if one not in warned)
        omitted = tuple(one for one in dict.fromkeys(each.omitted) if one not in left_out)
        warned |= set(warnings)
        left_out |= set(omitted)
        kept.append(replace(each, warnings=warnings, omitted=omitted))
    return kept
