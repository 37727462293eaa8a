"""The paradigms of a dataset, written by the actors of a Ray cluster: large ones part by part, others whole."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gramprobe.dataset.cut import can_cut, cut
from gramprobe.dataset.paradigm import Options, Written, options_of, stream_of, work
from gramprobe.dataset.parts import PARTS, Unit, maker
from gramprobe.dataset.write import items_file
from gramprobe.decide.cache import kept_verdicts
from gramprobe.decide.label import Decider
from gramprobe.items.stream import Stream
from gramprobe.resolve.paradigm.data import Paradigm
from gramprobe.resolve.project import Declarations
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.work.cluster import Failed, Pool, connected
from gramprobe.work.pool import LOADED, ProjectFiles, loading

FEW_ROWS = 64
"""A paradigm that would be one part with so many rows an instance is made whole, and not prepared here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Machines:
    """A Ray cluster: its address (empty: one that is started on this machine), and how many processes (0: as many as
    it has room for)."""

    address: str = ""
    workers: int = 0


def written(
    paradigms: Sequence[Paradigm],
    declarations: Declarations,
    options: dict[str, Any],
    files: ProjectFiles,
    machines: Machines,
) -> Iterator[tuple[str, Written]]:
    """Every paradigm with what was written of it, in the order given.

    ``options``: as of `paradigm.work`. Raises UsageError (E62) if the cluster cannot be used, OSError.
    """
    asked, folder = options_of(options)
    results: dict[str, Written] = {}
    again: list[str] = []
    with kept_verdicts() as kept, connected(machines.address, machines.workers) as cluster:
        cluster.check([os.getcwd(), *files.folders, *([files.sentences] if files.sentences else [])], str(folder))
        streams = {
            each.full_name: _large(each, declarations, asked, Decider(kept=kept, oracle=asked.oracle, dependence=True))
            for each in paradigms
        }
        large = {name: stream for name, stream in streams.items() if stream is not None}
        whole = [paradigm.full_name for paradigm in paradigms if paradigm.full_name not in large]
        count = machines.workers or cluster.actors(1, gpu=False)
        count = count if large else min(count, len(whole))
        pool: Pool[Unit] = Pool(cluster, LOADED, loading(actor, options, files), count)
        with pool:
            for name, result in pool.each(whole):
                if isinstance(result, Failed):
                    raise messages.cluster.failed(f"the paradigm `{name}`", result.node, result.text)
                results[str(name)] = result
            for name, stream in large.items():
                made = cut(name, stream, folder, pool)
                if made is None:
                    again.append(name)
                else:
                    results[name] = made
    shutil.rmtree(folder / PARTS, ignore_errors=True)
    if again:
        results |= _by_one_process(again, declarations, options, folder)
    for paradigm in paradigms:
        yield paradigm.full_name, results[paradigm.full_name]


@contextmanager
def actor(declarations: Declarations, options: dict[str, Any]) -> Iterator[Callable[[Unit], Any]]:
    """The work of an actor: from the name of a paradigm to `Written`, from other units as in `parts.maker`.

    ``options``: as of `paradigm.work`.
    """
    asked, folder = options_of(options)
    with work(declarations, options) as written, kept_verdicts() as kept:
        make = maker(declarations, asked, folder, Decider(kept=kept, oracle=asked.oracle, dependence=True))

        def done(unit: Unit) -> Any:
            result = written(unit) if isinstance(unit, str) else make(unit)
            if kept is not None:
                kept.flush()  # the process ends by being killed
            return result

        yield done


def _by_one_process(
    names: Sequence[str], declarations: Declarations, options: dict[str, Any], folder: Path
) -> dict[str, Written]:
    """Write the paradigms whose parts have errors anew: one process finds these in the order of the rows."""
    results = {}
    with work(declarations, options) as write:
        for name in names:
            short = name.rpartition("/")[2]
            shutil.rmtree(folder / "parquet" / short)
            (folder / items_file(short)).unlink(missing_ok=True)
            results[name] = write(name)
    return results


def _large(paradigm: Paradigm, declarations: Declarations, options: Options, decider: Decider) -> Stream | None:
    """The stream of a paradigm that is made part by part; None for one that is made whole."""
    count = options.instances_of(paradigm)
    if count is not None and count * FEW_ROWS <= options.part_rows:
        return None
    stream = stream_of(paradigm.full_name, declarations, options, decider, Findings())
    return stream if stream is not None and can_cut(stream, options) else None
