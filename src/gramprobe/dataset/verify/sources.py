"""Check whether the source files that the manifest names are here and the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gramprobe import __version__
from gramprobe.dataset.describe import sources_of
from gramprobe.dataset.verify.folder import MANIFEST, Dataset
from gramprobe.dataset.verify.problems import Problems
from gramprobe.resolve.project import Declarations
from gramprobe.source.files import GIVEN


@dataclass(frozen=True, slots=True)
class Sources:
    """Source files of the manifest that are not here, those that differ, and the paradigms that can be derived."""

    absent: tuple[str, ...]
    changed: tuple[str, ...]
    paradigms: tuple[str, ...]


def compare(dataset: Dataset, declarations: Declarations, problems: Problems) -> Sources:
    """Compare the source files with the manifest; differences, and another version of gramprobe, are reported."""
    manifest, here = dataset.manifest, declarations.library.sources
    absent, changed = [], []
    for name, source in manifest["sources"].items():
        if name not in here:
            absent.append(name)
            problems.add("E53", name, "the dataset was made from this file, and it is not here")
        elif here[name].sha256 != source["sha256"]:
            changed.append(name)
            problems.add("E53", name, f"the dataset was made from another version of this file ({here[name].path})")
        elif source["from"] == GIVEN and declarations.given is not None:
            for key in ("licence", "source"):
                if source[key] != getattr(declarations.given, key):
                    problems.add("E53", name, f"the manifest has another `{key}` than the file")
        elif here[name].is_shipped != (source["from"] == "shipped") or source["from"] == GIVEN:
            problems.add("E53", name, f"the manifest says it is {source['from']}, and here it is not")
    if manifest["gramprobe"] != __version__:
        problems.add("E53", MANIFEST, f"it was made by gramprobe {manifest['gramprobe']}, and this is {__version__}")
    if dataset.theory is not None and dataset.theory not in declarations.theory_names:
        problems.add("E53", MANIFEST, f"no theory here is called `{dataset.theory}`, in which it was made")
    names = [f"{dataset.phenomenon}/{name}" for name in manifest["paradigms"]]
    _the_right_ones(dataset, names, declarations, problems)
    derivable = []
    for full_name in names:
        if full_name not in declarations.paradigms:
            what = "has errors" if full_name in declarations.broken else "is not here"
            problems.add("E53", MANIFEST, f"the paradigm {full_name} {what}: nothing of it can be derived again")
            continue
        paths = declarations.files_of(full_name)
        wrong = [d for d in declarations.findings.items if d.is_error and d.span.path in paths]
        if wrong:
            reason = f"{wrong[0].span}: {wrong[0].message}: nothing of {full_name} can be derived again"
            problems.add("E53", MANIFEST, reason)
        else:
            derivable.append(full_name.partition("/")[2])
    paradigms = [declarations.paradigms[name] for name in names if name in declarations.paradigms]
    wanted = sources_of(declarations, paradigms, dataset.theory)
    for name in sorted(wanted.keys() - manifest["sources"].keys()):
        problems.add("E53", MANIFEST, f"the dataset rests on {name}, which the manifest does not name")
    if len(derivable) == len(names):  # else it may rest on files of those that are not here
        for name in sorted(manifest["sources"].keys() - wanted.keys()):
            if name in here:
                problems.add("E53", MANIFEST, f"the dataset does not rest on {name}, which the manifest names")
    return Sources(tuple(absent), tuple(changed), tuple(derivable))


def _the_right_ones(dataset: Dataset, names: Sequence[str], declarations: Declarations, problems: Problems) -> None:
    """Check that a dataset of a paradigm has this one, and a dataset of a phenomenon all of its paradigms."""
    name = dataset.built_of
    wanted = [name] if "/" in name else sorted(n for n in declarations.sources if n.startswith(f"{name}/"))
    for each in wanted:
        if each not in names:
            problems.add("E53", MANIFEST, f"the paradigm {each} belongs to `{name}` and is not in the dataset")
    for each in names:
        if each not in wanted and each in declarations.sources:
            problems.add("E53", MANIFEST, f"the paradigm {each} does not belong to `{name}`")
