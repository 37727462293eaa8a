"""Build a dataset folder: rows, certificates, accounts, designs, card, manifest; then put it in the old one's place."""

from __future__ import annotations

import errno
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gramprobe.certify.rule import on_trust
from gramprobe.dataset.card import card
from gramprobe.dataset.describe import described
from gramprobe.dataset.exchange import replacing
from gramprobe.dataset.gates import Gates
from gramprobe.dataset.manifest import ACCOUNTS, DESIGN, FORMAT, design_text, manifest_from, sha256_of
from gramprobe.dataset.report import Report, account_lines
from gramprobe.dataset.sources import sources_of
from gramprobe.dataset.twins import Twins
from gramprobe.dataset.write import items_file, write
from gramprobe.decide.cache import kept_verdicts
from gramprobe.decide.decider import Decider
from gramprobe.items.prepare import prepare
from gramprobe.resolve.paradigm.data import Paradigm
from gramprobe.resolve.project import Declarations
from gramprobe.source.diagnostic import Findings
from gramprobe.source.files import GIVEN

Progress = Callable[[str], None]


class WriteError(Exception):
    """The dataset could not be written (disk full, no permission); the one there before is untouched."""

    code = "E37"

    def __init__(self, target: Path, error: OSError):
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        why = "no space is left on the disk" if full else error.strerror or str(error)
        self.message = f"the dataset {target} could not be written: {why}"
        self.help = "what was there before is untouched" + ("; make room, or give another --out" if full else "")
        super().__init__(self.message)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One build.

    Attributes:
        name: the name of the dataset folder.
        paradigms: the paradigms to build, in order.
        count: how many instances of each paradigm (None: the paradigm's own size).
        everything: build all instances of each space; ``count`` is then ignored.
        seed: which instances are drawn.
        theory: a theory in the place of each paradigm's own (None: its own).
        allow_bounded: write labels that rest on trust, and mark them, instead of refusing them.
        oracle: the outside prover to ask where the engines find no answer (None: none is asked).
        balanced: the paradigms are balanced companions.
    """

    name: str
    paradigms: Sequence[Paradigm]
    count: int | None = None
    everything: bool = False
    seed: int = 0
    theory: str | None = None
    allow_bounded: bool = False
    oracle: str | None = None
    balanced: bool = False

    def instances_of(self, paradigm: Paradigm) -> int | None:
        """How many instances of a paradigm are wanted; None: all."""
        return None if self.everything else paradigm.size if self.count is None else self.count


@dataclass(slots=True)
class Built:
    """A finished build: its folder, its manifest as JSON data, and the warnings of the build."""

    folder: Path
    manifest: dict[str, Any]
    findings: Findings = field(default_factory=Findings)


def build(
    request: Request,
    declarations: Declarations,
    out: Path,
    findings: Findings,
    progress: Progress = lambda _: None,
) -> Built | None:
    """Build into ``out/<name>``.

    None where the build is refused: ``findings`` then has the errors, and the dataset that stood there is unchanged.
    ``progress`` gets one line of text for each paradigm. Raises WriteError where the files cannot be written.
    """
    target = out / request.name
    try:
        with replacing(target) as folder, kept_verdicts() as kept:
            decider = Decider(kept=kept, oracle=request.oracle, dependence=True)
            manifest = _write(request, declarations, decider, folder, findings, progress)
            if manifest is None:
                raise _Refused
    except _Refused:
        return None
    except OSError as error:
        raise WriteError(target, error) from error
    return Built(target, manifest, findings)


class _Refused(Exception):
    """The findings have errors, so the new folder is dropped."""


def _write(
    request: Request,
    declarations: Declarations,
    decider: Decider,
    folder: Path,
    findings: Findings,
    progress: Progress,
) -> dict[str, Any] | None:
    files: dict[str, str] = {}
    reports: dict[str, Report] = {}
    twins = Twins()
    for paradigm in request.paradigms:
        report = _paradigm(paradigm, request, declarations, decider, folder, files, twins, findings)
        if report is not None:
            reports[paradigm.name] = report
            size = f"{report.instances:,} of {report.plan.space.size:,} instances, {report.rows:,} rows"
            progress(f"{paradigm.full_name}: {size}")
            for note in report.notes:
                progress(f"  {note}")
    if findings.failed:
        return None
    used = frozenset[str]().union(*(report.shapes for report in reports.values()))
    certificates = [line for line in decider.lines() if line["shape"] in used]
    doubtful = any(on_trust(line["absent"]) for line in certificates)
    lines = "".join(json.dumps(x, separators=(",", ":"), ensure_ascii=False) + "\n" for x in certificates)
    _text(folder / "certificates.jsonl", lines, "certificates.jsonl", files)
    if any(report.task.has_accounts for report in reports.values()):
        _text(folder / ACCOUNTS, account_lines(reports.values()), ACCOUNTS, files)
    designs = described(
        (paradigm, reports[paradigm.name].plan, reports[paradigm.name].drawn) for paradigm in request.paradigms
    )
    _text(folder / DESIGN, design_text(designs), DESIGN, files)
    manifest = _manifest(request, declarations, reports, files, request.allow_bounded and doubtful)
    _text(folder / "README.md", card(request.name, manifest, reports), "README.md", files)
    manifest["files"] = dict(sorted(files.items()))
    manifest["parquet"] = {name: sha256_of(folder / name) for name in sorted(manifest_from(manifest).parquet_files())}
    text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    (folder / "manifest.json").write_text(text, "utf-8")
    return manifest


def _paradigm(
    paradigm: Paradigm,
    request: Request,
    declarations: Declarations,
    decider: Decider,
    folder: Path,
    files: dict[str, str],
    twins: Twins,
    findings: Findings,
) -> Report | None:
    """Write the rows of a paradigm and note their hash in ``files``; None, with errors in ``findings``, if refused.

    ``twins`` compares the paradigm with those written before.
    """
    here = Findings()
    stream = prepare(
        paradigm,
        declarations,
        here,
        request.instances_of(paradigm),
        seed=request.seed,
        theory=request.theory,
        decider=decider,
        at_most=declarations.takes_given(paradigm.full_name),  # given sentences may allow fewer
        allow_bounded=request.allow_bounded,
    )
    report = None
    if stream is not None:
        gates = Gates(stream.decisions, here)
        report = Report.of(stream, gates, declarations, request.theory)
        files[items_file(paradigm.name)] = write(stream, folder, report, gates, twins)
    findings.extend(here.items)
    return None if here.failed else report


def _text(file: Path, text: str, name: str, files: dict[str, str]) -> None:
    data = text.encode()
    file.write_bytes(data)
    files[name] = hashlib.sha256(data).hexdigest()


def _manifest(
    request: Request,
    declarations: Declarations,
    reports: Mapping[str, Report],
    files: dict[str, str],
    allow_bounded: bool,
) -> dict[str, Any]:
    from gramprobe import __version__

    given = declarations.given
    rights = {"licence": given.licence, "source": given.source} if given is not None else {}
    sources = {
        name: {"sha256": s.sha256, "from": s.origin, **rights}
        if s.origin == GIVEN
        else {"sha256": s.sha256, "from": "shipped" if s.origin == "shipped" else "own"}
        for name, s in sources_of(declarations, request.paradigms, request.theory).items()
    }
    return {
        "format": FORMAT,
        "gramprobe": __version__,
        "name": request.name,
        "seed": request.seed,
        "task": ", ".join(sorted({paradigm.task for paradigm in request.paradigms})),
        "theory": request.theory or "as each paradigm says",
        "balanced": request.balanced,
        "allow_bounded": allow_bounded,
        "oracle": request.oracle,
        "paradigms": {name: report.to_json() for name, report in reports.items()},
        "sources": sources,
        "files": files,
        "parquet": {},
    }
