"""Build a dataset folder: plans, selections, labels, gates, files, manifest, card; then one exchange."""

from __future__ import annotations

import errno
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

from gramprobe.certify.rule import on_trust
from gramprobe.dataset.card import card
from gramprobe.dataset.describe import described, drawn_of
from gramprobe.dataset.exchange import replacing
from gramprobe.dataset.gates.leak import hypothesis_only
from gramprobe.dataset.manifest import DESIGN, FORMAT, design_text, manifest_from, sha256_of
from gramprobe.dataset.part import ACCOUNTS, Part, ReadingPart, account_lines
from gramprobe.dataset.sources import sources_of
from gramprobe.dataset.twins import Twins
from gramprobe.decide.cache import kept_verdicts
from gramprobe.decide.decider import Decider
from gramprobe.items.draft import draft, drafted_by_reading
from gramprobe.items.label import Labelling
from gramprobe.items.moved import moved
from gramprobe.items.turns import turns
from gramprobe.resolve.paradigm import Paradigm
from gramprobe.resolve.project import Declarations
from gramprobe.source.diagnostic import Findings
from gramprobe.source.files import GIVEN

if TYPE_CHECKING:
    from gramprobe.items.rows import Rows

Report = Callable[[str], None]


class WriteError(Exception):
    """The dataset could not be written (disk full, no permission); the one there before is untouched."""

    code = "E37"

    def __init__(self, target: Path, error: OSError):
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        why = "no space is left on the disk" if full else error.strerror or str(error)
        self.message = f"the dataset {target} could not be written: {why}"
        self.help = "what was there before is untouched" + ("; make room, or give another --out" if full else "")
        super().__init__(self.message)


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be built: name of the folder, paradigms, how many instances of each (None: the paradigm's size).

    ``allow_bounded``: labels that rest on trust are shipped, marked; ``oracle``: an outside prover for what the engines
    leave open; ``balanced``: the paradigms are balanced companions.
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
    """A finished build: where it is, its manifest, and what was found on the way (warnings)."""

    folder: Path
    manifest: dict[str, Any]
    findings: Findings = field(default_factory=Findings)


def build(
    request: Request,
    declarations: Declarations,
    out: Path,
    findings: Findings,
    report: Report = lambda _: None,
) -> Built | None:
    """Build into ``out/<name>``; None (and findings) when something is wrong, and then nothing is changed.

    Raises WriteError when the disk will not take it.
    """
    target = out / request.name
    try:
        with replacing(target) as folder, kept_verdicts() as kept:
            decider = Decider(kept=kept, oracle=request.oracle, dependence=True)
            manifest = _write(request, declarations, decider, folder, findings, report)
            if manifest is None:
                raise _Refused
    except _Refused:
        return None
    except OSError as error:
        raise WriteError(target, error) from error
    return Built(target, manifest, findings)


class _Refused(Exception):
    """Findings stand against the dataset."""


def _write(
    request: Request,
    declarations: Declarations,
    decider: Decider,
    folder: Path,
    findings: Findings,
    report: Report,
) -> dict[str, Any] | None:
    files: dict[str, str] = {}
    parts: dict[str, Part | ReadingPart] = {}
    twins = Twins()
    for paradigm in request.paradigms:
        part: Part | ReadingPart | None
        if paradigm.task == "nli":
            part = _paradigm(paradigm, request, declarations, decider, folder, files, twins, findings)
        else:
            part = _by_reading(paradigm, request, declarations, decider, folder, files, findings)
        if part is not None:
            parts[paradigm.name] = part
            told = f"{part.instances:,} of {part.plan.space.size:,} instances, {part.rows:,} rows"
            report(f"{paradigm.full_name}: {told}")
            for change in part.notes:
                report(f"  {change}")
    if findings.failed:
        return None
    used = frozenset[str]().union(*(part.shapes for part in parts.values()))
    certificates = [line for line in decider.lines() if line["shape"] in used]
    doubtful = any(on_trust(line["absent"]) for line in certificates)
    lines = "".join(json.dumps(x, separators=(",", ":"), ensure_ascii=False) + "\n" for x in certificates)
    _text(folder / "certificates.jsonl", lines, "certificates.jsonl", files)
    by_reading = [part for part in parts.values() if isinstance(part, ReadingPart)]
    if by_reading:
        _text(folder / ACCOUNTS, account_lines(by_reading), ACCOUNTS, files)
    designs = described(
        (paradigm, parts[paradigm.name].plan, drawn_of(parts[paradigm.name])) for paradigm in request.paradigms
    )
    _text(folder / DESIGN, design_text(designs), DESIGN, files)
    manifest = _manifest(request, declarations, parts, files, request.allow_bounded and doubtful)
    _text(folder / "README.md", card(request.name, manifest, parts), "README.md", files)
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
) -> Part | None:
    count = request.instances_of(paradigm)
    here = Findings()
    drafted = draft(
        paradigm,
        declarations,
        here,
        count,
        request.seed,
        request.theory,
        decider,
        at_most=declarations.takes_given(paradigm.full_name),  # as many as the given sentences allow
        allow_bounded=request.allow_bounded,
    )
    findings.extend(here.items)
    if drafted is None or findings.failed:
        return None
    selection, labelling = drafted.selection, drafted.labelling
    from gramprobe.dataset import gates
    from gramprobe.items.rows import Rows as Columns

    shut = Findings()
    twins.add(labelling, selection.keys, shut)
    rows = Columns(labelling)
    rows.prepare()
    # Arrow, the hash and the disk work outside Python's lock: lines, table and gates take two cores at once.
    stop = Event()
    with ThreadPoolExecutor(max_workers=2) as pool:
        lines, table = pool.submit(_lines, rows, folder, stop), pool.submit(_parquet, rows, folder, stop)
        try:
            allowed = gates.check(rows, shut)
            table.result()
            files[f"items/{paradigm.name}.jsonl"] = lines.result()
        except BaseException:
            stop.set()  # Ctrl-C, a full disk: the other thread need not finish
            raise
    findings.extend(shut.items)
    if shut.failed:
        return None
    only = hypothesis_only(rows)
    return Part(
        labelling.plan,
        selection,
        *_counts(labelling),
        only.majority,
        only.ceiling,
        only.accuracy,
        {n: [paradigm.allows[n], *(r.what for r in reasons)] for n, reasons in allowed.items()},
        content_words(labelling),
        moved(labelling, declarations) if request.theory else (),
        _shapes(labelling),
    )


def _by_reading(
    paradigm: Paradigm,
    request: Request,
    declarations: Declarations,
    decider: Decider,
    folder: Path,
    files: dict[str, str],
    findings: Findings,
) -> ReadingPart | None:
    """The same for a task about readings, chunk by chunk."""
    from gramprobe.dataset.written import write

    here = Findings()
    count = request.instances_of(paradigm)
    drafted = drafted_by_reading(
        paradigm, declarations, here, count, request.seed, request.theory, decider, request.allow_bounded
    )
    part = None
    if drafted is not None:
        digest, tally = write(drafted, folder)
        files[f"items/{paradigm.name}.jsonl"] = digest
        part = ReadingPart(drafted, tally)
    findings.extend(here.items)
    return None if here.failed else part


def _shapes(labelling: Labelling) -> frozenset[str]:
    """The shapes that were decided, gold or of another reading or column: also those of pairs whose turn it is not."""
    return frozenset(entry.shape for pair in labelling.pairs for decided in pair.decided for entry in decided.entries)


def _counts(labelling: Labelling) -> tuple[Counter[str], Counter[str]]:
    labels: Counter[str] = Counter()
    certificates: Counter[str] = Counter()
    turn = turns(labelling.plan.paradigm, len(labelling.draws))
    for which, pair in enumerate(labelling.pairs):
        groups = pair.group if turn is None else pair.group[turn == which]
        for number, decided in enumerate(pair.decided):
            rows = int((groups == number).sum())
            if not rows:
                continue
            labels[decided.label] += rows
            certificates[decided.verdict.kind] += rows
    return labels, certificates


def content_words(labelling: Labelling) -> int:
    """How many different lexemes were drawn."""
    space = labelling.plan.space
    drawn: set[tuple[str, int]] = set()
    for name, slot in space.slots.items():
        if not slot.is_feature:
            drawn |= {(slot.category, int(m)) for m in set(labelling.draws.columns[name].tolist()) if m >= 0}
    return len(drawn)


def _lines(rows: Rows, folder: Path, stop: Event) -> str:
    """Write the canonical JSON lines; their SHA-256."""
    file = folder / "items" / f"{rows.paradigm.name}.jsonl"
    file.parent.mkdir(exist_ok=True)
    digest = hashlib.sha256()
    with file.open("wb") as stream:
        for buffer in rows.lines():
            if stop.is_set():
                break
            digest.update(buffer)
            stream.write(buffer)
    return digest.hexdigest()


def _parquet(rows: Rows, folder: Path, stop: Event) -> None:
    import pyarrow.parquet as pq

    for split, first, last in rows.splits:
        file = folder / "parquet" / rows.paradigm.name / f"{split}-00000-of-00001.parquet"
        file.parent.mkdir(parents=True, exist_ok=True)
        with pq.ParquetWriter(file, rows.schema, compression="zstd") as writer:
            for table in rows.tables(first, last):
                if stop.is_set():
                    break
                writer.write_table(table)


def _text(file: Path, text: str, name: str, files: dict[str, str]) -> None:
    data = text.encode()
    file.write_bytes(data)
    files[name] = hashlib.sha256(data).hexdigest()


def _manifest(
    request: Request,
    declarations: Declarations,
    parts: Mapping[str, Part | ReadingPart],
    files: dict[str, str],
    allow_bounded: bool,
) -> dict[str, Any]:
    from gramprobe import __version__

    given = declarations.given
    told = {"licence": given.licence, "source": given.source} if given is not None else {}
    sources = {
        name: {"sha256": s.sha256, "from": s.origin, **told}
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
        "paradigms": {n: p.to_json() for n, p in parts.items()},
        "sources": sources,
        "files": files,
        "parquet": {},
    }
