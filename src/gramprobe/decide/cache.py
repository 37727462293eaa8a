"""Keeps verdicts between runs, in the user's cache folder: one small database for each version of the engines.

An entry is a line of certificates.jsonl and is not trusted: the kernel checks it again before it is used, once in a
process, and a verdict that it cannot check (a bounded search, an outside prover's word) is never given for a label:
only for one that is tried and stands nowhere, so that no build searches again for what an earlier one did not find. The
seal of a line (`gramprobe.cache.sealed`) is written when engines and kernel had agreed on it. When no dataset is
written, a line with a fitting seal is used without a check. In a build three things are taken on the seal, beside the
check, so that a shape is decided once and not in each build: that a principle is needed of which no small model shows
it; that a search found no model of a hypothesis by itself, on which no label rests; and what a search left open. A
verdict without models and proofs is taken on its seal alone, and for labels that stand nowhere. A database that is
missing, locked, broken or read-only is ignored; deleting it costs time and changes no byte of a dataset.
GRAMPROBE_CACHE=off switches it off.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
from collections import OrderedDict
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from gramprobe.cache import cache_folder, code_version, sealed, solver_version, sweep, switched_off
from gramprobe.certify.check import canonical_text, check_entry
from gramprobe.certify.reject import CertificateError
from gramprobe.certify.rule import on_trust
from gramprobe.decide.prove import check_once
from gramprobe.decide.verdict import (
    UNCERTIFIED,
    Shape,
    Verdict,
    certificate_text,
    is_written,
    provers,
    uncertified,
    verdict_from,
)

BATCH = 200
"""How many verdicts are written at once."""

LONGEST = 1 << 22
"""The most characters of an entry that is read or written."""

REMEMBERED = 4096
"""How many verdicts of this process are remembered with the content of their lines."""

PATIENCE = 2.0
"""Seconds to wait for another process that writes: several may check at once (`gramprobe.work`)."""


Content = tuple[bytes, str, bool]
"""What a line is remembered by: its hash, the shape that it is to be about, whether it is to have `rests_on`."""
_KNOWN: OrderedDict[Content, Verdict] = OrderedDict()


@cache
def engine_version() -> str:
    """A hash of the code that derives verdicts and of the SAT solver's version."""
    return hashlib.sha256(f"{solver_version()} {code_version('formula', 'certify', 'decide')}".encode()).hexdigest()


def verdict_folder() -> Path:
    """The folder of the databases."""
    return cache_folder() / "verdicts"


@contextlib.contextmanager
def kept_verdicts(sealed: bool = False) -> Iterator[Cache | None]:
    """The user's cache, written to the file at the end; None if it is switched off. `sealed`: as for `Cache`."""
    kept = None
    if not switched_off():
        with contextlib.suppress(OSError):
            kept = Cache(verdict_folder() / f"{engine_version()[:32]}.sqlite", sealed)
    try:
        yield kept
    finally:
        if kept is not None:
            kept.close()


class Cache:
    """Verdicts by shape in a file (`decide.label.Verdicts`); errors of the file are never raised.

    Verdicts wait to be written until there are BATCH of them, or until `flush`. `sealed`: a line whose seal fits
    is not checked again by the kernel.
    """

    def __init__(self, file: Path, sealed: bool = False) -> None:
        self.file = file
        self._sealed = sealed
        self._waiting: dict[str, str] = {}
        self._connection: sqlite3.Connection | None = None
        self._gone = False

    def get(self, shape: Shape, dependence: bool) -> Verdict | None:
        """The verdict on a shape, checked again by the kernel or sealed; a line that does not hold is deleted."""
        key = _key(shape, dependence)
        waiting = self._waiting.get(key)
        text, seal = (waiting, None) if waiting else self._read(key)
        if text is None:
            return None
        found = text

        def fits() -> bool:
            return waiting is not None or seal == _seal_of(key, found)

        if self._sealed and fits():
            verdict = _read_line(text, shape, dependence)
        else:
            verdict = _checked(text, shape, dependence, fits)
        if verdict is None:
            self._waiting.pop(key, None)
            self._run("DELETE FROM verdicts WHERE key = ?", key)
        return verdict

    def uncertified(self, shape: Shape) -> Verdict | None:
        """The verdict on a shape without models and proofs, on the seal of its line; or that of which a search has left
        a part open: this part on the seal, the rest checked again."""
        key = _key_beside(shape)
        waiting = self._waiting.get(key)
        text, seal = (waiting, None) if waiting else self._read(key)
        if text is None or (not waiting and seal != _seal_of(key, text)):
            return None
        if text.startswith("["):
            return uncertified(*json.loads(text))
        return _read_line(text, shape, False, lambda: True, is_open=True)

    def put(self, shape: Shape, verdict: Verdict) -> None:
        """Keep a verdict; one of which a value is on trust, or that has no models and proofs, for `uncertified`
        alone."""
        if verdict.kind == UNCERTIFIED:
            self._wait(_key_beside(shape), json.dumps([verdict.h_values, verdict.findings]))
            return
        dependence, is_open = verdict.rests_on is not None, _on_trust(verdict)
        if self._gone or (is_open and dependence):
            return
        text = certificate_text(shape, verdict)
        if len(text) > LONGEST:
            return
        if not is_open:
            _remember(_content(text, shape, dependence), verdict)
        self._wait(_key_beside(shape) if is_open else _key(shape, dependence), text)

    def _wait(self, key: str, text: str) -> None:
        self._waiting[key] = text
        if len(self._waiting) >= BATCH:
            self.flush()

    def flush(self) -> None:
        """Write the verdicts that wait."""
        rows, self._waiting = list(self._waiting.items()), {}
        connection = self._open()
        if not rows or connection is None:
            return
        try:
            with connection:
                connection.executemany("INSERT OR REPLACE INTO verdicts VALUES (?, ?)", rows)
                seals = [(key, _seal_of(key, text)) for key, text in rows]
                connection.executemany("INSERT OR REPLACE INTO seals VALUES (?, ?)", seals)
        except sqlite3.Error as error:
            self._failed(error)

    def close(self) -> None:
        """Write the verdicts that wait and close the file; it is opened again when it is needed."""
        self.flush()
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None

    # -- the file

    def _read(self, key: str) -> tuple[str | None, object]:
        """The line of a key, if there is one that is not too long, and its seal."""
        row = self._run(
            "SELECT line, seal FROM verdicts LEFT JOIN seals USING (key) WHERE key = ? AND length(line) <= ?",
            key, LONGEST,
        )  # fmt: skip
        return (row[0], row[1]) if row and isinstance(row[0], str) else (None, None)

    def _run(self, statement: str, *values: object) -> tuple[object, ...] | None:
        connection = self._open()
        if connection is None:
            return None
        try:
            with connection:
                row: tuple[object, ...] | None = connection.execute(statement, values).fetchone()
                return row
        except sqlite3.Error as error:
            self._failed(error)
            return None

    def _open(self) -> sqlite3.Connection | None:
        if self._connection is None and not self._gone:
            try:
                self.file.parent.mkdir(parents=True, exist_ok=True)
                fresh = not self.file.exists()
                self._connection = sqlite3.connect(self.file, timeout=PATIENCE)
                self._connection.execute("PRAGMA synchronous = OFF")  # what a power failure breaks is decided again
                with self._connection:
                    self._connection.execute("CREATE TABLE IF NOT EXISTS verdicts (key TEXT PRIMARY KEY, line TEXT)")
                    self._connection.execute("CREATE TABLE IF NOT EXISTS seals (key TEXT PRIMARY KEY, seal TEXT)")
                if fresh:
                    sweep(self.file.parent, "*.sqlite", but=self.file)
            except (sqlite3.Error, OSError) as error:
                self._failed(error)
        return self._connection

    def _failed(self, error: Exception) -> None:
        """Stop using the file; if it is not a database, remove it, so that the next run makes a new one."""
        self._gone = True
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None
        broken = isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError)
        if broken:
            with contextlib.suppress(OSError):
                self.file.unlink()


def _key(shape: Shape, dependence: bool) -> str:
    return f"{'needs' if dependence else 'label'} {hashlib.sha256(shape.text.encode()).hexdigest()}"


def _key_beside(shape: Shape) -> str:
    return f"beside {hashlib.sha256(shape.text.encode()).hexdigest()}"


def _on_trust(verdict: Verdict) -> bool:
    """Whether the label, or a value, is on trust; or something is on an outside prover's word, which a run without the
    prover does not have."""
    return bool(on_trust(verdict.absent) or provers(verdict))


def _seal_of(key: str, text: str) -> str:
    return sealed(engine_version(), key, text)


def _checked(text: str, shape: Shape, dependence: bool, fits: Callable[[], bool]) -> Verdict | None:
    """As `_read_line`. What engines and kernel agreed on in this process, or the kernel has checked in it, is
    remembered by the content of the whole line."""
    content = _content(text, shape, dependence)
    verdict = _KNOWN.get(content) or _read_line(text, shape, dependence, fits)
    if verdict is not None:
        _remember(content, verdict)
    return verdict


def _content(text: str, shape: Shape, dependence: bool) -> Content:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest(), shape.text, dependence


def _remember(content: Content, verdict: Verdict) -> None:
    _KNOWN[content] = verdict
    _KNOWN.move_to_end(content)
    while len(_KNOWN) > REMEMBERED:
        _KNOWN.popitem(last=False)


def _read_line(
    text: str, shape: Shape, dependence: bool, fits: Callable[[], bool] | None = None, is_open: bool = False
) -> Verdict | None:
    """The verdict of a line, if it is about this shape, has `rests_on` as asked for, and is proved in all parts.

    `fits`: whether its seal fits, which is asked where it is not proved in all parts; None: it does, and nothing is
    checked again.
    """
    try:
        line = json.loads(text)
        # what is wrong is an error; what is only not shown may be taken on the seal
        if fits is not None and not (check_entry(line, None, check_once) or fits()):
            return None
        if (line["rests_on"] is not None) != dependence:
            return None
        written = is_written(text, line["sha256"])
        if written:
            if not text.startswith(f'{{"shape":"{shape.id}",{shape.text[1:-1]},"label":'):
                return None
        elif canonical_text({key: line[key] for key in ("theory", "premise", "hypothesis")}) != shape.text:
            return None
        verdict = verdict_from(line, text if written else None)
    except (CertificateError, ValueError, LookupError, TypeError, RecursionError):
        return None
    return verdict if _on_trust(verdict) == is_open else None
