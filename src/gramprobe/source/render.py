"""Diagnostics as text with a caret, or as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gramprobe.source.diagnostic import Diagnostic, Texts, in_order

#: characters of a line that are shown
LONGEST = 160


def render(diagnostics: Iterable[Diagnostic], library: Texts | None = None) -> str:
    """``path:line:col: error[E01]: ...``, the line with a caret, notes, help; sorted by place."""
    return "\n".join(_one(d, library) for d in in_order(diagnostics))


def _one(d: Diagnostic, library: Texts | None) -> str:
    lines = [f"{d.span}: {d.severity}[{d.code}]: {d.message}"]
    source = library.by_path(d.span.path) if library else None
    if source is not None and d.span.line <= len(source.lines) and source.lines[d.span.line - 1].strip():
        whole = source.lines[d.span.line - 1]
        text = max(whole.rstrip(), whole[: d.span.column - 1], key=len)  # empty cells before the caret are kept
        text, at = _clipped(text, d.span.column - 1)
        # Tabs are kept before the caret, so that it stands under its place whatever their width is.
        lead = "".join("\t" if c == "\t" else " " for c in text[:at].ljust(at))
        length = max(1, min(d.span.length, len(text) - at))
        lines += [f"    {text.rstrip()}", f"    {lead}{'^' * length}" + (f" {d.caret}" if d.caret else "")]
    elif d.caret:
        lines.append(f"    {d.caret}")
    lines += [f"  {note}" for note in d.notes]
    if d.help:
        lines.append(f"  help: {d.help}")
    return "\n".join(lines)


def _clipped(text: str, at: int) -> tuple[str, int]:
    """A line and a place in it; of a long line only the stretch around the place."""
    if len(text) <= LONGEST:
        return text, at
    start = max(0, min(at - LONGEST // 2, len(text) - LONGEST))
    before, after = "... " if start else "", " ..." if start + LONGEST < len(text) else ""
    return before + text[start : start + LONGEST] + after, at - start + len(before)


def as_json(diagnostics: Iterable[Diagnostic]) -> list[dict[str, Any]]:
    """One object for each diagnostic, for ``--json``."""
    return [
        {
            "code": d.code,
            "severity": d.severity,
            "path": d.span.path,
            "line": d.span.line,
            "column": d.span.column,
            "length": d.span.length,
            "message": d.message,
            "notes": list(d.notes),
            "help": d.help,
        }
        for d in in_order(diagnostics)
    ]
