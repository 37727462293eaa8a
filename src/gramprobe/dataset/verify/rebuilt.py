"""The whole dataset built again from its manifest, engines and all, and compared to the byte."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gramprobe.dataset.build import Request, build
from gramprobe.dataset.verify.folder import MANIFEST, Dataset
from gramprobe.dataset.verify.problems import Problems
from gramprobe.decide.prove.outside import NoSuchProver
from gramprobe.resolve.paradigm.data import Paradigm
from gramprobe.resolve.project import Declarations
from gramprobe.source.diagnostic import Findings


def rebuild(dataset: Dataset, declarations: Declarations, problems: Problems) -> None:
    """Build into a temporary folder and compare every file but Parquet, whose bytes are its writer's. Raises
    WriteError."""
    manifest = dataset.manifest
    full_names = [f"{dataset.phenomenon}/{name}" for name in manifest["paradigms"]]
    there = [declarations.declared(name, dataset.balanced) for name in full_names]
    request = _request(dataset, [paradigm for paradigm in there if paradigm is not None], declarations)
    if request is None:
        problems.add("E54", MANIFEST, "no one build gives these numbers of instances")
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
            if there.is_file() and there.read_bytes() != (built.folder / name).read_bytes():
                problems.add("E54", name, "a build from the manifest gives other bytes")


def _request(dataset: Dataset, paradigms: list[Paradigm], declarations: Declarations) -> Request | None:
    """The build that a manifest tells of: so many instances of each, or each paradigm's own number, or all. Of
    paradigms about given sentences there may be fewer, so they do not tell, unless there are no others."""
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
    allowed, oracle = manifest["allow_bounded"], manifest["oracle"]
    name, seed = manifest["name"], manifest["seed"]
    return Request(name, paradigms, count, everything, seed, dataset.theory, allowed, oracle, dataset.balanced)


def _drawn(part: Mapping[str, Any]) -> int:
    """How many instances of the space the walk has come by."""
    passed: int = part["instances"] + part["passed_over"] + part["vetoed"] + sum(part.get("no_items", {}).values())
    return passed
