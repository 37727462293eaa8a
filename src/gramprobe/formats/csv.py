"""The rows of a dataset as CSV, for spreadsheets, R and pandas: a file a paradigm, and what its columns are.

All columns of the rows are there, a draw in a column of its own (`draws.owner`), and behind them the levels that rows
have of the factors that the paradigm declares, named as in the long frame. `csv-metadata.json` has the type of each
column in the form of CSV on the Web (W3C 2015). A text that a spreadsheet would run as a formula begins with an
apostrophe (`tabular.guarded`), which `read` takes off, so that what is read is what was exported.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gramprobe.certify.rule import LABELS
from gramprobe.formats.nli import check_label, two_labels
from gramprobe.formats.record import check_exported
from gramprobe.formats.tabular import guarded, header, missing, records, refused, unguarded
from gramprobe.records import factor_column
from gramprobe.source.diagnostic import UsageError

if TYPE_CHECKING:
    import pyarrow as pa

suffixes, gives = (".csv",), "rows"
about = "a table for each paradigm with all its columns, for spreadsheets, R and pandas"
METADATA = "csv-metadata.json"
EXTENT = "dc:extent"
"""The field of a table's description that says how many rows it has."""
LEADING = ("id", "phenomenon", "paradigm")
_ROWS = 1 << 16
"""How many rows are read at once: those of a row group of the Parquet files, which are decoded together."""
_TYPES = {"string": "string", "int64": "integer", "double": "number"}
NOTE = (
    "Texts that a spreadsheet would run (they begin with `=`, `+`, `-`, `@`, a tab or a carriage return, and are no "
    "numbers) have an apostrophe before them; `gramprobe.formats.csv.read` takes it off."
)


def fits(design: Any) -> bool:
    """Rows of every task fit."""
    return True


def write(dataset: Any, paradigms: Sequence[str], folder: Path) -> Sequence[str]:
    """A file for each paradigm, in bounded memory, and one about their columns. Raises OSError."""
    tables, factors = [], dict[str, None]()
    for name in paradigms:
        schema = write_batches(
            map(partial(_with_levels, dataset, name), dataset.rows(name, batch_size=_ROWS)), folder / f"{name}.csv"
        )
        factors |= dict.fromkeys(
            factor_column(each.name, dataset.columns(name)) for each in dataset.design(name).factors or ()
        )
        columns = [{"name": f.name, "titles": f.name, "datatype": _TYPES[str(f.type)]} for f in schema]
        tables.append({"url": f"{name}.csv", EXTENT: dataset.count(name), "tableSchema": {"columns": columns}})
    rights = {"dc:license": dataset.rights.licence, "dc:bibliographicCitation": "; ".join(dataset.rights.cite)}
    about = {"@context": "http://www.w3.org/ns/csvw", **{k: v for k, v in rights.items() if v}, "tables": tables}
    (folder / METADATA).write_text(json.dumps(about, indent=1, ensure_ascii=False) + "\n", "utf-8")
    said = f"Factors that the paradigms declare have a column each behind those of the rows: {', '.join(factors)}."
    return [NOTE, *([said] if factors else [])]


def write_batches(batches: Iterator[pa.RecordBatch], file: Path) -> pa.Schema:
    """Write rows to a file; its columns. Raises OSError."""
    import pyarrow.csv

    flat = map(_flat, batches)
    first = next(flat)
    with pyarrow.csv.CSVWriter(file, first.schema) as out:
        out.write(first)
        for batch in flat:
            out.write(batch)
    return first.schema


def _with_levels(dataset: Any, paradigm: str, rows: pa.RecordBatch) -> pa.RecordBatch:
    """Rows with the levels of declared factors behind their columns."""
    import pyarrow as pa

    levels = dataset.levels(paradigm, rows)
    return pa.RecordBatch.from_pydict(dict(zip(rows.schema.names, rows.columns, strict=True)) | levels)


def _flat(batch: pa.RecordBatch) -> pa.RecordBatch:
    """With a column for each field of `draws`, and texts that no spreadsheet runs."""
    import pyarrow as pa

    columns: dict[str, Any] = {}
    for field, column in zip(batch.schema, batch.columns, strict=True):
        if pa.types.is_struct(field.type):
            columns |= {f"{field.name}.{f.name}": each for f, each in zip(field.type, column.flatten(), strict=True)}
        else:
            columns[field.name] = column
    guards = {name: guarded(each) if pa.types.is_string(each.type) else each for name, each in columns.items()}
    return pa.RecordBatch.from_pydict(guards)


def reads(path: Path) -> bool:
    """Whether its first columns are those of the rows of a dataset. Raises UsageError (E44)."""
    return header(path)[:3] == LEADING


def read(path: Path) -> pa.Table:
    """The rows, with the columns of the dataset and behind them those of declared factors, and their types: those that
    `csv-metadata.json` beside the file says, else texts.

    Raises UsageError: a file that cannot be read, or is not as it was exported (E44); no table of rows, an id twice, a
    row with another label in one column than in the next (E46).
    """
    import pyarrow as pa
    import pyarrow.csv

    check_exported(path)
    names = header(path)
    if names[:3] != LEADING:
        what = f"the first columns are {', '.join(names[:3]) or 'none'}"
        raise refused(path, 1, what, f"rows that were exported begin with {', '.join(LEADING)}")
    described = _described(path)
    types = dict.fromkeys(names, pa.string()) | _types(path, described)
    convert = pyarrow.csv.ConvertOptions(
        column_types=types, strings_can_be_null=True, quoted_strings_can_be_null=False, null_values=[""]
    )
    cells = pyarrow.csv.ParseOptions(newlines_in_values=True)
    one = pyarrow.csv.ReadOptions(use_threads=False)  # else its messages have no line
    try:
        table = pyarrow.csv.read_csv(path, read_options=one, parse_options=cells, convert_options=convert)
    except pa.ArrowInvalid as error:
        line = re.search(r"row #(\d+)", str(error), re.IGNORECASE)
        raise refused(path, int(line[1]) if line else 1, f"no CSV: {error}", "export the dataset again") from None
    except OSError as error:
        raise missing(path, error) from None
    if described.get(EXTENT, table.num_rows) != table.num_rows:
        what = f"the file has {table.num_rows:,} rows, and `{METADATA}` says {described[EXTENT]}"
        help = f"export the dataset again; rows that you have chosen yourself belong in a folder without {METADATA}"
        raise refused(path, table.num_rows + 1, what, help)
    _check(path, table)
    columns: dict[str, Any] = {}
    for name, column in zip(table.column_names, table.columns, strict=True):
        kept = unguarded(column) if pa.types.is_string(column.type) else column
        outer, _, inner = name.partition(".")
        if inner:
            columns.setdefault(outer, {})[inner] = kept.combine_chunks()
        else:
            columns[name] = kept
    structs = {n: pa.StructArray.from_arrays([*c.values()], [*c]) for n, c in columns.items() if isinstance(c, dict)}
    return pa.table(columns | structs)


def _check(path: Path, table: pa.Table) -> None:
    """Raise UsageError (E46) for the first row with the id of an earlier one, or with two labels."""
    import pyarrow.compute as pc

    labels = [name for name in ("label", "label_name", "label_binary") if name in table.column_names]
    combined = table.select(labels).group_by(labels, use_threads=False).aggregate([]).to_pylist() if labels else []
    distinct = pc.count_distinct(table.column("id"), "all").as_py()
    if distinct == table.num_rows and not any(two_labels(row, _label(row)) for row in combined):
        return
    seen = set[str]()
    for line, row in records(path, LEADING, "a file of exported rows"):  # again, for the line
        check_label(path, line, row, _label(row))
        if row["id"] in seen:
            raise refused(
                path, line, f"`{row['id']}` a second time", "keep one of the rows, or export the dataset again"
            )
        seen.add(row["id"])


def _label(row: Mapping[str, Any]) -> str | None:
    number = str(row.get("label")).removesuffix(".0")  # so other programs write whole numbers, where some are missing
    return LABELS[int(number)] if number in ("0", "1", "2") else None


def _described(path: Path) -> Mapping[str, Any]:
    """What the metadata beside a file say of it; nothing without any. Raises UsageError (E44, E46)."""
    about = path.with_name(METADATA)
    try:
        check_exported(about)
        tables = json.loads(about.read_text("utf-8"))["tables"]
        return next((dict(each) for each in tables if each["url"] == path.name), {})
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        raise _undescribed(path) from None


def _types(path: Path, described: Mapping[str, Any]) -> dict[str, pa.DataType]:
    """The types of those columns of a file that are described. Raises UsageError (E46)."""
    import pyarrow as pa

    arrow = {said: pa.type_for_alias(type_) for type_, said in _TYPES.items()}
    try:
        columns = described["tableSchema"]["columns"] if described else []
        return {each["name"]: arrow[each["datatype"]] for each in columns}
    except (LookupError, TypeError):
        raise _undescribed(path) from None


def _undescribed(path: Path) -> UsageError:
    what = "it does not say the types of columns"
    return refused(path.with_name(METADATA), 1, what, "remove it, or export the dataset again")
