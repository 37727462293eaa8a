"""How the numbers of some analyses were made, as prose for a paper: what several tables share is said once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from platform import python_version

from gramprobe import __version__
from gramprobe.analysis.findings import Findings
from gramprobe.analysis.output.table import Method
from gramprobe.analysis.runs import Run

SOFTWARE = ("numpy", "scipy")
"""What intervals and tests are computed with."""
MOST = 3
"""So many tables of one study are named."""


def paragraphs(runs: Sequence[Run], findings: Sequence[Findings]) -> tuple[str, ...]:
    """What was scored, and how intervals and tests were made: a paragraph for each thing that is drawn independently,
    that of most tables first. Tables stand in backquotes by their names."""
    used: dict[tuple[str, str], dict[Method, list[Place]]] = {}
    for found, table in ((each, table) for each in findings for table in (*each.tables, *each.details)):
        for method in table.methods:
            of = used.setdefault((method.cluster, method.population), {})
            of.setdefault(replace(method, of=""), []).append(Place(found.title, table.name, method.of))
    order = sorted(used.items(), key=lambda each: -sum(map(len, each[1].values())))
    every = [" ".join(_scored(runs))] if runs else []
    every += [
        " ".join(_drawn(cluster, population, of, len(order) == 1, not number))
        for number, ((cluster, population), of) in enumerate(order)
    ]
    return (*every, " ".join(_of_all([method for of in used.values() for method in of])))


@dataclass(frozen=True)
class Place:
    """A table that a method is of.

    Attributes:
        title: of its study.
        table: its name.
        of: which columns or rows of it; empty for all.
    """

    title: str
    table: str
    of: str


def _scored(runs: Sequence[Run]) -> Iterator[str]:
    """Which items, drawn with which seed, and what scored them."""
    for dataset in {id(run.dataset): run.dataset for run in runs}.values():
        manifest, own = dataset.manifest, [run for run in runs if run.dataset is dataset]
        paradigms = len({name for run in own for name in run.paradigms})
        yield (
            f"The items of {manifest.name} ({dataset.count():,}, drawn with seed {manifest.seed}) were answered by "
            f"{listed([run.model for run in own])}, in {paradigms} {'paradigm' if paradigms == 1 else 'paradigms'}."
        )
    scored: dict[str, list[str]] = {}
    for run in runs:
        if run.record is None:
            continue
        settings = run.record.settings
        versions = {f"{name} {number}": None for each in run.record.sessions for name, number in each.versions.items()}
        of_weights = [settings.dtype] if settings.weights else []
        scored.setdefault(f"in the mode {run.mode} ({listed([*of_weights, *versions])})", []).append(run.model)
        if settings.total is not None:
            yield f"{run.model} answered the items of {settings.total:,} instances, drawn with seed {settings.seed}."
        if settings.shuffle_words is True:
            yield f"For {run.model} the words of each text stood in an order drawn with seed {settings.seed}."
    for how, models in scored.items():
        yield f"{listed(models)} {'was' if len(set(models)) == 1 else 'were'} scored by `gramprobe score` {how}."


def _drawn(
    cluster: str, population: str, of: Mapping[Method, Sequence[Place]], alone: bool, first: bool
) -> Iterator[str]:
    """What is drawn independently, and how each estimate over it has its interval. ``alone``, ``first``: whether there
    is nothing else, or this comes first."""
    ((usual, _),) = Counter(method.df for method in of).most_common(1)
    shared = "" if usual == "none" else f" Degrees of freedom are {usual}."
    where = f"In {_places([place for own in of.values() for place in own])}"
    begin = "Intervals" if alone else "If nothing else is said, intervals" if first else f"{where} intervals"
    yield f"{begin} and tests are over {cluster}, and hold for {population}.{shared}"
    for method, places in of.items():
        here = "There we" if len(of) == 1 and not first else f"In {_places(places)} we"
        article = "" if method.estimator[0].isupper() else "the "
        text = f"{here} estimate {article}{method.estimator}"
        text += f", with 95 % intervals by {method.interval}" if method.interval else ", without intervals"
        text += f", and {method.test}" if method.test else ""
        text += f"; p is corrected by {method.correction}" if method.correction != "none" else ""
        text += f"; here degrees of freedom are {method.df}" if method.df not in (usual, "none") else ""
        yield f"{text}."


def _places(places: Sequence[Place]) -> str:
    """The tables; of many of one study the first, and how many more."""
    said: list[str] = []
    for title in dict.fromkeys(place.title for place in places):
        own = [f"`{each.table}`" + (f" ({each.of})" if each.of else "") for each in places if each.title == title]
        if len(own) > MOST:
            own = [own[0], f"{len(own) - 1} more tables of \u201c{title}\u201d"]
        said += own
    return listed(said)


def _of_all(methods: Sequence[Method]) -> Iterator[str]:
    """What is said once, of all estimates."""
    for least in dict.fromkeys(method.least for method in methods if method.least):
        yield f"Of {least}, an estimate has no interval."
    if methods and all(method.correction == "none" for method in methods):
        yield "Nothing is corrected for several tests."
    elif any(method.correction == "none" and method.test for method in methods):
        yield "Where no correction is named, none was made."
    packages = [f"Python {python_version()}", *(f"{name} {version(name)}" for name in SOFTWARE if methods)]
    yield f"Tables and figures were made by gramprobe {__version__} ({listed(packages)})."


def listed(words: Sequence[str]) -> str:
    """Words with commas and an *and*, each once."""
    *others, last = dict.fromkeys(words)
    return f"{', '.join(others)} and {last}" if others else last
