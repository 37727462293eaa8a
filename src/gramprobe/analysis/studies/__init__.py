"""The studies, one module each. A new one is a module with `STUDY` and an entry here (CONTRIBUTING: "Add a study");
packages add others.

Modules are imported when they are asked for: they need scipy, which takes a second.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from msgspec import UNSET

from gramprobe.analysis.clusters import INSTANCE, SKELETON, USUAL, clusters_of, resolved
from gramprobe.progress import report_progress
from gramprobe.registry import Registry, check_installed
from gramprobe.source import messages
from gramprobe.source.diagnostic import UsageError

if TYPE_CHECKING:
    from gramprobe.analysis.findings import Findings
    from gramprobe.analysis.runs import Run
    from gramprobe.analysis.study import Given, Study

_SHIPPED = (
    "accuracy", "imppres", "theory_of_mind", "scope", "de_re_de_dicto", "artefacts", "consistency", "principles",
    "theories", "scalar_diversity", "acceptability", "people",
)  # fmt: skip
_MODULES = {**{name: name for name in _SHIPPED}, "any": "any_paradigm"}
"""Name -> module; one called `any` would hide the function of that name."""
STUDIES: Registry[Study] = Registry(
    "study",
    {name: f"gramprobe.analysis.studies.{module}:STUDY" for name, module in _MODULES.items()},
    "gramprobe.analysis.study:Study",
)
"""Name -> study, in the order of a report."""

GENERAL = "any"
"""The study of any paradigm: unless it is named, it is of the runs that the study of no paper fits, or with factors."""
READERS = {
    "ratings": ("scope",),
    "labels": ("imppres", "consistency", "theories"),
}
"""What is given beside the scores -> the studies that read it."""
CLUSTERS_OF_THEIR_OWN = {
    "de_re_de_dicto": "its model has random effects of all words, so that its tests hold for new ones",
    "scalar_diversity": "it correlates over scales, which are its clusters",
    "people": "its tests are over people, and its correlations over items",
}
"""Study that does not read --cluster -> why."""
OF_RUNS = ("de_re_de_dicto",)
"""Shipped studies with results by run, not by model: of a model on several sets each has the set behind its name. So
have those of packages."""


def study(name: str) -> Study:
    """The study of a name. Raises UsageError for an unknown one."""
    if name not in STUDIES:
        raise messages.names.none_called("analysis", name, STUDIES)
    return STUDIES[name]


def chosen(names: Sequence[str], runs: Sequence[Run]) -> list[tuple[Study, list[Run]]]:
    """The studies with the runs that they fit: those named, or all that fit a run, first that of any paradigm where an
    author declares factors.

    Raises UsageError for an unknown name, for one that fits no run, and if none fits; E64 if none fits and what the
    scores were made with is of a package that is not installed. A study of a package that nobody named is passed over
    where it raises anything else.
    """
    picked: list[tuple[Study, list[Run]]] = []
    for one in map(study, names) if names else STUDIES.values():
        left = runs
        if not names and one.name == GENERAL:
            of_papers = {id(run) for each, own in picked if each.source for run in own}
            left = [run for run in runs if id(run) not in of_papers or _has_factors(run)]
        own = [run for run in left if (one.fits(run) if names else STUDIES.guarded(one.name, partial(one.fits, run)))]
        if own:
            picked.append((one, own))
        elif names:
            raise messages.analysis.other_study(one.name, [run.model for run in runs], one.needs)
    if not picked:
        raise _no_study(runs)
    if not names:  # who declares factors wants to see them, before what any set is asked
        picked.sort(key=lambda each: each[0].name != GENERAL or not any(map(_has_factors, each[1])))
    return picked


def _has_factors(run: Run) -> bool:
    return any(run.dataset.design(paradigm).factors for paradigm in run.paradigms)


def found(names: Sequence[str], runs: Sequence[Run], given: Given) -> list[Findings]:
    """What the studies that are :func:`chosen` find; what no study reads, and runs without any answer, which are left
    out, are in the headlines of the first. Raises as that, and UsageError (E47) if no run has an answer."""
    silent = {id(run): run for run in runs if run.coverage.refused == run.coverage.scored}
    if len(silent) == len(runs):
        refused = Counter[str]()  # a model may have several runs
        for run in runs:
            refused[run.model] += run.coverage.refused
        raise messages.analysis.no_answers(refused)
    runs = [run for run in runs if id(run) not in silent]
    picked = chosen(names, runs)
    own_clusters = [one.name for one, _ in picked if one.name in CLUSTERS_OF_THEIR_OWN]
    if given.cluster not in (USUAL, INSTANCE) and len(own_clusters) == len(picked):
        why = "; ".join(f"{name}: {CLUSTERS_OF_THEIR_OWN[name]}" for name in own_clusters)
        raise UsageError(f"--cluster {given.cluster} goes with no study of these scores", why)
    every, given = [], replace(given, runs=tuple(runs))
    without = _without_cluster(runs, given.cluster)
    for number, (one, own) in enumerate(picked):
        report_progress(f"study {one.name}", number, len(picked))
        if one.name not in CLUSTERS_OF_THEIR_OWN:
            own = [run for run in own if id(run.dataset) not in without]
            if not own:
                continue
        every.append(
            _findings(one, own, given) if names else STUDIES.guarded(one.name, partial(_findings, one, own, given))
        )
    if not any(every):
        raise _no_study(runs)
    first, *others = filter(None, every)
    said = [*unused(picked, runs, given, names), *asked_apart(runs)]
    said += [f"{name} has no `{given.cluster}`: --cluster leaves its items out" for name in without.values()]
    said += [
        f"{run.model} is in no table of {run.dataset.folder.name}: none of its {run.coverage.scored:,} items could be "
        "scored (`flags` in the folder of its scores says why)"
        for run in silent.values()
    ]
    return [replace(first, headlines=(*said, *first.headlines)), *others]


def _without_cluster(runs: Sequence[Run], cluster: str) -> dict[int, str]:
    """The sets, by their objects, whose items have no such draw or column. Raises UsageError (E29) if none has it."""
    if cluster in (USUAL, INSTANCE, SKELETON):
        return {}
    paradigms: dict[int, list[str]] = {}
    for run in runs:
        paradigms.setdefault(id(run.dataset), []).extend(run.paradigms)
    known = {id(run.dataset): clusters_of(run.dataset, paradigms[id(run.dataset)]) for run in runs}
    if not any({cluster, f"draws.{cluster}"} & set(names) for names in known.values()):
        every = dict.fromkeys(name for names in known.values() for name in names)
        raise messages.names.none_called("draw or column", cluster, list(every))
    folders = {id(run.dataset): run.dataset.folder.name for run in runs}
    return {key: folders[key] for key, names in known.items() if not {cluster, f"draws.{cluster}"} & set(names)}


def asked_apart(runs: Sequence[Run]) -> list[str]:
    """A sentence about each name that several models have: those that `analysis.open` adds behind it."""
    ways: dict[str, dict[str, None]] = {}
    for run in runs:
        base = "" if run.record is None else run.record.model.name
        way = run.model.removeprefix(base).rpartition(" (")[2].removesuffix(")")
        if base and run.model.endswith(f" ({way})"):
            ways.setdefault(base, {})[way] = None
    return [
        f"{name}: its runs were asked differently, or have other weights or the same items, and are no single model "
        f"here but several, which have behind the name: {', '.join(own)}"
        for name, own in ways.items()
        if len(own) > 1
    ]


def _findings(one: Study, runs: Sequence[Run], given: Given) -> Findings:
    from gramprobe.analysis.findings import Findings, compared, said_once
    from gramprobe.analysis.runs import apart

    if one.name in OF_RUNS or one.name not in STUDIES.shipped:
        runs = apart(runs)
    found = one.findings(
        runs, replace(given, cluster=resolved([(run.dataset, run.paradigms) for run in runs], given.cluster))
    )
    if not isinstance(found, Findings):
        raise TypeError(f"`findings` gives {found!r}, which is no `Findings` of `analysis.findings`")
    warnings = said_once(found.warnings, [run.model for run in runs])
    return compared(replace(found, warnings=warnings))


def _no_study(runs: Sequence[Run]) -> UsageError:
    for run in runs:  # it may be the package of the mode that has the study of its scores
        recorded = UNSET if run.record is None else run.record.settings.packages
        check_installed({} if recorded is UNSET else recorded)
    added = {one.name: one.needs for one in STUDIES.values() if one.name not in STUDIES.shipped}
    return messages.analysis.no_study({run.model: run.mode for run in runs}, added)


def unused(
    picked: Sequence[tuple[Study, list[Run]]], runs: Sequence[Run], given: Given, asked: Sequence[str] = ()
) -> list[str]:
    """A sentence about each run, and each thing given beside the scores, that none of the studies reads. ``asked``:
    the studies that the user named."""
    names = [one.name for one, _ in picked]
    read = {id(run) for _, own in picked for run in own}
    judged = [run.dataset for one, own in picked if one.name == "people" for run in own]
    read |= {id(run) for run in runs if any(run.dataset is each for each in judged)}  # which people stand beside
    said = [
        f"{run.model} is in no table: no analysis {'that was asked for ' if asked else ''}applies to its scores "
        f"(mode {run.mode})"
        for run in runs
        if id(run) not in read
    ]
    if given.cluster not in (USUAL, INSTANCE):
        own = [name for name in names if name in CLUSTERS_OF_THEIR_OWN]
        said += [f"{name} does not read --cluster: {CLUSTERS_OF_THEIR_OWN[name]}" for name in own]
    for option, value in (("ratings", given.ratings), ("labels", given.labels)):
        if value and not set(names) & set(READERS[option]):
            said.append(f"--{option} is not used: it is for --study {' and --study '.join(READERS[option])}")
    return said
