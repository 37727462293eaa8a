"""A dataset folder in a forger's hands: edit rows, certificates, manifest; then make every hash and count fit again."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from gramprobe.certify.check import digest
from gramprobe.dataset.describe import columns_of
from gramprobe.dataset.schema import schema
from gramprobe.dataset.write import WRITING
from gramprobe.items.tasks import TASKS

Row = dict[str, Any]
ORDER = ("shape", "theory", "premise", "hypothesis", "label", "h_values", "kind", "models", "absent", "alone",
         "findings", "rests_on")  # fmt: skip


@dataclass
class Forger:
    """A copy of a dataset of one paradigm, and what a careful forger does to it."""

    folder: Path
    name: str

    @property
    def items(self) -> Path:
        return self.folder / "items" / f"{self.name}.jsonl"

    @property
    def certificates(self) -> Path:
        return self.folder / "certificates.jsonl"

    @property
    def manifest(self) -> Path:
        return self.folder / "manifest.json"

    @property
    def parquet(self) -> Path:
        return next((self.folder / "parquet" / self.name).glob("*.parquet"))

    # -- reading

    def rows(self) -> list[Row]:
        return [json.loads(line) for line in self.items.read_text("utf-8").splitlines()]

    def lines(self) -> list[Row]:
        return [json.loads(line) for line in self.certificates.read_text("utf-8").splitlines()]

    def line(self, wanted: Callable[[Row], bool]) -> Row:
        return next(line for line in self.lines() if wanted(line))

    # -- writing, with everything that hangs on it

    def put_rows(self, rows: list[Row]) -> None:
        """Rows, the same in Parquet, and the manifest's counts of them."""
        self.items.write_text("".join(compact(row) + "\n" for row in rows), "utf-8")
        table = pa.Table.from_pylist(rows, schema=schema(columns_of(TASKS["nli"]), list(rows[0]["draws"])))
        pq.write_table(table, self.parquet, **WRITING)

        def recounted(manifest: Row) -> None:
            part = manifest["paradigms"][self.name]
            kinds = Counter(row["certificate"] for row in rows)
            part["rows"] = len(rows)
            part["instances"] = len({row["instance"] for row in rows})
            part["coverage"] = part["instances"] / part["space"]
            part["labels"] = dict(sorted(Counter(row["label_name"] for row in rows).items()))
            part["certificates"] = dict(sorted(kinds.items()))
            part["on_trust"] = sum(n for kind, n in kinds.items() if kind.startswith(("bounded", "prover")))

        self.edit_manifest(recounted)

    def edit_row(self, edit: Callable[[Row], None], number: int = 0) -> None:
        rows = self.rows()
        edit(rows[number])
        self.put_rows(rows)

    def put_lines(self, lines: list[Row]) -> None:
        """Certificates with their own hashes, sorted; rows and entries get the shapes that changed."""
        renamed: dict[str, str] = {}
        for line in lines:
            formulas = {key: line[key] for key in ("theory", "premise", "hypothesis")}
            shape = digest(formulas)[:16]
            renamed[line["shape"]] = shape
            line["shape"] = shape
            line["sha256"] = digest({key: line[key] for key in ORDER})
        lines.sort(key=lambda line: str(line["shape"]))
        self.certificates.write_text("".join(compact(line) + "\n" for line in lines), "utf-8")
        if any(old != new for old, new in renamed.items()):
            rows = self.rows()
            for row in rows:
                for old, new in renamed.items():
                    row["labels"] = row["labels"].replace(old, new)
                row["shape"] = renamed.get(row["shape"], row["shape"])
            self.put_rows(rows)
        self.edit_manifest(lambda manifest: None)

    def edit_line(self, wanted: Callable[[Row], bool], edit: Callable[[Row], None]) -> None:
        lines = self.lines()
        edit(next(line for line in lines if wanted(line)))
        self.put_lines(lines)

    def edit_manifest(self, edit: Callable[[Row], None]) -> None:
        manifest = json.loads(self.manifest.read_text("utf-8"))
        edit(manifest)
        self.manifest.write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", "utf-8")
        self.rehash()

    def edit_text(self, file: Path, edit: Callable[[bytes], bytes]) -> None:
        """Change the bytes of a file, and its hash with them."""
        file.write_bytes(edit(file.read_bytes()))
        self.rehash()

    def rehash(self) -> None:
        """Recompute every hash of the manifest."""
        manifest = json.loads(self.manifest.read_text("utf-8"))
        for kind in ("files", "parquet"):
            for name in manifest[kind]:
                file = self.folder / name
                if file.is_file():
                    manifest[kind][name] = hashlib.sha256(file.read_bytes()).hexdigest()
        self.manifest.write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", "utf-8")


def compact(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)
