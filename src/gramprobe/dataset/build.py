"""Build a dataset folder: rows, certificates, accounts, designs, card, manifest; then put it in the old one's place."""

from __future__ import annotations

import errno
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from gramprobe.dataset import remote
from gramprobe.dataset.card import card
from gramprobe.dataset.describe import designs, sources_of
from gramprobe.dataset.exchange import replacing
from gramprobe.dataset.gates import OF_SENTENCES, OWN_WAYS
from gramprobe.dataset.manifest import (
    ACCOUNTS,
    CARD,
    CERTIFICATES,
    CHARTS,
    DESIGN,
    FORMAT,
    GRAMMAR,
    MANIFEST,
    design_text,
    manifest_from,
)
from gramprobe.dataset.paradigm import Options, Summary, Written, contradicting, work
from gramprobe.dataset.remote import Machines
from gramprobe.dataset.twins import Twins
from gramprobe.dataset.write import items_file
from gramprobe.items.charts import charts_of, clash
from gramprobe.items.tasks import TASKS
from gramprobe.progress import report_progress
from gramprobe.records import sha256_of
from gramprobe.resolve.paradigm.data import Paradigm
from gramprobe.resolve.project import Declarations
from gramprobe.source.diagnostic import Findings
from gramprobe.source.files import GIVEN
from gramprobe.work.pool import ProjectFiles, results

Progress = Callable[[str], None]

EACH = 4
"""Paradigms for each further process: starting a process takes as long as about one paradigm."""


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
    """One build: the name of the dataset folder, the paradigms in order, and what is asked of each."""

    name: str
    paradigms: Sequence[Paradigm]
    options: Options


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
    files: ProjectFiles | None = None,
    machines: Machines | None = None,
) -> Built | None:
    """Build into ``out/<name>``; many paradigms by several processes, if ``files`` say how these load the project; by
    those of a Ray cluster, if ``machines`` name one.

    None where the build is refused: ``findings`` then has the errors, and the dataset that stood there is unchanged.
    ``progress`` gets one line of text for each paradigm. Raises WriteError where the files cannot be written.
    """
    target = out / request.name
    try:
        with replacing(target) as folder:
            manifest = _write(request, declarations, folder, findings, progress, files, machines)
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
    folder: Path,
    findings: Findings,
    progress: Progress,
    project: ProjectFiles | None,
    machines: Machines | None,
) -> dict[str, Any] | None:
    paradigms = {paradigm.name: paradigm for paradigm in request.paradigms}
    together = tuple(paradigm.full_name for paradigm in request.paradigms if paradigm.constraint)
    request = replace(request, options=replace(request.options, twins=len(paradigms) > 1, together=together))
    if (wrong := clash(declarations, together)) is not None:
        findings.add(wrong)
        return None
    options = {**asdict(request.options), "folder": str(folder.resolve())}
    summaries: dict[str, Summary] = {}
    twins = Twins()
    if machines is not None and project is not None:
        written = remote.written(request.paradigms, declarations, options, project, machines)
    else:
        names = [paradigm.full_name for paradigm in request.paradigms]

        def finished(count: int) -> None:
            if len(names) > 1:
                report_progress("paradigms", count, len(names))

        written = results(work, options, Written, names, declarations, project, EACH, finished)
    for paradigm, (full_name, result) in zip(request.paradigms, written, strict=True):
        findings.extend(result.diagnostics)
        if result.summary is None:
            continue
        for contradiction in twins.add(paradigm.name, result.summary.pairs):
            findings.add(contradicting(contradiction, full_name, declarations, request.options))
        summaries[paradigm.name] = result.summary
        entry = result.summary.entry
        progress(f"{full_name}: {entry['instances']:,} of {entry['space']:,} instances, {entry['rows']:,} rows")
        for note in result.summary.notes:
            progress(f"  {note}")
    if findings.failed:
        return None
    files = {items_file(name): summary.sha256 for name, summary in summaries.items()}
    _text(folder / CERTIFICATES, _sorted(summary.certificates for summary in summaries.values()), CERTIFICATES, files)
    accounts = [summary.accounts for summary in summaries.values() if summary.accounts is not None]
    if accounts:
        _text(folder / ACCOUNTS, _sorted(accounts), ACCOUNTS, files)
    charts = [summary.charts for summary in summaries.values() if summary.charts is not None]
    if charts:
        _text(folder / CHARTS, _sorted(charts), CHARTS, files)
        _text(folder / GRAMMAR, charts_of(declarations, together).grammar.decode(), GRAMMAR, files)
    described = designs({name: (summary.design, summary.words) for name, summary in summaries.items()})
    _text(folder / DESIGN, design_text(described), DESIGN, files)
    manifest = _manifest(request, declarations, summaries, files)
    _text(folder / CARD, card(request.name, manifest, paradigms), CARD, files)
    manifest["files"] = dict(sorted(files.items()))
    manifest["parquet"] = {name: sha256_of(folder / name) for name in sorted(manifest_from(manifest).parquet_files())}
    text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    (folder / MANIFEST).write_text(text, "utf-8")
    return manifest


def _sorted(lines: Iterable[Mapping[str, str]]) -> str:
    """All lines, each once, sorted by id."""
    every = {id_: line for known in lines for id_, line in known.items()}
    return "".join(every[id_] for id_ in sorted(every))


def _text(file: Path, text: str, name: str, files: dict[str, str]) -> None:
    data = text.encode()
    file.write_bytes(data)
    files[name] = hashlib.sha256(data).hexdigest()


def _manifest(
    request: Request, declarations: Declarations, summaries: Mapping[str, Summary], files: dict[str, str]
) -> dict[str, Any]:
    from gramprobe import __version__

    options = request.options
    rows = (count for summary in summaries.values() for count in summary.entry["splits"].values())
    several = {"parquet_rows": options.part_rows} if any(each > options.part_rows for each in rows) else {}
    doubtful = any(summary.on_trust for summary in summaries.values())
    given = declarations.given
    rights = {"licence": given.licence, "source": given.source} if given is not None else {}
    sources = {
        name: {"sha256": s.sha256, "from": s.origin, **rights}
        if s.origin == GIVEN
        else {"sha256": s.sha256, "from": "shipped" if s.is_shipped else "own"}
        for name, s in sources_of(declarations, request.paradigms, options.theory).items()
    }
    tasks = [paradigm.task for paradigm in request.paradigms]
    packages = TASKS.origins(tasks) | OF_SENTENCES.origins(
        g for t in tasks for g in TASKS[t].form.gates if g not in OWN_WAYS
    )
    return {
        "format": FORMAT,
        "gramprobe": __version__,
        "name": request.name,
        "seed": options.seed,
        "task": ", ".join(sorted({*tasks})),
        "theory": options.theory or "as each paradigm says",
        "design": options.design,
        "allow_bounded": options.allow_bounded and doubtful,
        "oracle": options.oracle if any(summary.provers for summary in summaries.values()) else None,
        "paradigms": {name: summary.entry for name, summary in summaries.items()},
        "sources": sources,
        "files": files,
        "parquet": {},
        **several,
        **({"packages": packages} if packages else {}),
    }
