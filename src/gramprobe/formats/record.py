"""`export.json`, the record that an export has beside its files, with their hashes."""

from __future__ import annotations

import json
from pathlib import Path

from gramprobe.records import sha256_of
from gramprobe.source import messages

RECORD = "export.json"


def check_exported(file: Path) -> None:
    """Raise UsageError (E44) for a file of an export that is not as it was written. What lies in no export is not."""
    for folder in list(file.resolve().parents)[:3]:
        try:
            files = json.loads((folder / RECORD).read_bytes())["files"]
            known = files.get(file.resolve().relative_to(folder).as_posix())
        except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
            continue
        if known is not None and known != sha256_of(file):
            raise messages.build.changed_export(str(file), RECORD)
