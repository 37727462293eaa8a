"""Build the whole dataset again from its manifest, with the engines, and compare every file byte for byte."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gramprobe.dataset.build import Request, build
from gramprobe.dataset.manifest import MANIFEST
from gramprobe.dataset.paradigm import Options
from gramprobe.dataset.verify.folder import Dataset
from gramprobe.dataset.verify.problems import Problems
from gramprobe.decide.prove.outside import NoSuchProver
from gramprobe.resolve.paradigm.data import Paradigm
from gramprobe.resolve.project import Declarations
from gramprobe.source.diagnostic import Findings


def rebuild(dataset: Dataset, declarations: Declarations, problems: Problems) -> None:
    """Build into a temporary folder and report every file that differs (E54), or why no build is possible.

    Parquet files are left out: their bytes depend on the version of the library that writes them. Raises WriteError.
    """
    manifest = dataset.manifest
    full_names = [f"{dataset.phenomenon}/{name}" for name in manifest["paradigms"]]
    there = [declarations.declared(name, dataset.design) for name in full_names]
    request = _request(dataset, [paradigm for paradigm in there if paradigm is not None], declarations)
    if request is None:
        problems.add("E54", MANIFEST, "no single build gives these numbers of instances")
        return
    findings = Findings()
    with tempfile.TemporaryDirectory(prefix="gramprobe-verify-") as folder:
        try:
            built = build(request, declarations, Path(folder), findings)
        except NoSuchProver as error:
            problems.add("E53", MANIFEST, f"it cannot be built: {error}")
            return
        if built is None:
            for diagnostic in findings.items:
                if diagnostic.is_error:
                    problems.add("E54", MANIFEST, f"it cannot be built: {diagnostic.span}: {diagnostic.message}")
            return
        for name in (*built.manifest["files"], MANIFEST):
            there = dataset.folder / name
            if there.is_file() and not _same(name, there.read_bytes(), (built.folder / name).read_bytes()):
                problems.add("E54", name, "a build from the manifest gives other bytes")


def _same(name: str, there: bytes, rebuilt: bytes) -> bool:
    """Whether a file of the dataset equals the rebuilt file.

    Of the manifest, the hashes of Parquet files are ignored.
    """
    if name != MANIFEST:
        return there == rebuilt
    one, other = json.loads(there), json.loads(rebuilt)
    for manifest in (one, other):
        manifest.pop("parquet", None)
    return json.dumps(one) == json.dumps(other)


def _request(dataset: Dataset, paradigms: list[Paradigm], declarations: Declarations) -> Request | None:
    """The build that gives the manifest's numbers of instances; None where no single build does.

    There are three kinds: the same number for every paradigm (``--n 20``), each paradigm's own size, or all instances
    (``--n all``). Paradigms over given sentences may have fewer instances than asked for, so their numbers are used
    only where the dataset has no other paradigm.
    """
    manifest = dataset.manifest
    parts = manifest["paradigms"]
    telling = [p for p in paradigms if not declarations.takes_given(p.full_name)] or paradigms
    counts = [parts[paradigm.name]["instances"] for paradigm in telling]
    exhausted = all(_drawn(p) == p["space"] for p in parts.values())
    own = [parts[p.name]["instances"] if p.size is None and _drawn(parts[p.name]) == parts[p.name]["space"] else p.size
           for p in telling]  # fmt: skip
    count = None if counts == own else counts[0]
    everything = count is not None and exhausted
    if count is not None and not everything and len(set(counts)) > 1:
        return None
    return Request(
        name=manifest["name"],
        paradigms=paradigms,
        options=Options(
            count=count,
            everything=everything,
            seed=manifest["seed"],
            theory=dataset.theory,
            allow_bounded=manifest["allow_bounded"],
            oracle=manifest["oracle"],
            design=dataset.design,
        ),
    )


def _drawn(part: Mapping[str, Any]) -> int:
    """How many instances of the space were drawn, kept or not."""
    passed: int = part["instances"] + part["passed_over"] + part["vetoed"] + sum(part.get("no_items", {}).values())
    return passed
