"""Croissant 1.1 (MLCommons): `croissant.json` with fields for responsible AI, beside a Parquet file for each paradigm.

The Parquet files of a dataset have a struct (`draws`), which `mlcroissant` cannot load; in these it is a text, an
object as JSON. Hashes and sizes of the files are in `croissant.json`. It has no date and no address, which a dataset
that was built here does not have; who publishes it adds `datePublished` and `url`.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gramprobe.formats import writing

about = "Parquet files with `croissant.json`, metadata for dataset search and `mlcroissant`"
FILE = "croissant.json"
CONFORMS_TO = ["http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0"]
_TERMS = [
    "arrayShape", "citeAs", "column", "conformsTo", "containedIn", "equivalentProperty", "extract", "field",
    "fileProperty", "fileObject", "fileSet", "format", "includes", "isArray", "isLiveDataset", "jsonPath", "key",
    "md5", "parentField", "path", "recordSet", "references", "regex", "repeated", "replace", "samplingRate",
    "separator", "source", "subField", "transform",
]  # fmt: skip
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "prov": "http://www.w3.org/ns/prov#",
    **{term: f"cr:{term}" for term in _TERMS},
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "name": {"@container": "@language"},
    "description": {"@container": "@language"},
}
"""The JSON-LD context of the specification."""


def fits(design: Any) -> bool:
    """Rows of every task fit."""
    return True


def write(dataset: Any, paradigms: Sequence[str], folder: Path) -> Sequence[str]:
    """The files and what is said of them. Raises OSError."""
    files, sets = [], []
    for name in paradigms:
        file = folder / f"{name}.parquet"
        fields = _parquet(dataset, name, file)
        with file.open("rb") as stream:
            sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
        files.append({
            "@type": "cr:FileObject", "@id": file.name, "name": file.name, "contentUrl": file.name,
            "contentSize": f"{file.stat().st_size} B", "encodingFormat": "application/x-parquet", "sha256": sha256,
        })  # fmt: skip
        extracts = {f: {"fileObject": {"@id": file.name}, "extract": {"column": f}} for f in fields}
        sets.append({
            "@type": "cr:RecordSet", "@id": name, "name": name, "description": dataset.design(name).about,
            "field": [
                {"@type": "cr:Field", "@id": f"{name}/{f}", "name": f, "dataType": type_, "source": extracts[f]}
                for f, type_ in fields.items()
            ],
        })  # fmt: skip
    writing.json_file(folder / FILE, {**_about(dataset, paradigms), "distribution": files, "recordSet": sets})
    return [
        "`draws` is a text here, an object as JSON: `mlcroissant` cannot load the struct of the dataset's own files.",
        "`croissant.json` has no date and no address; add `datePublished` and `url` when you publish it.",
    ]


def _parquet(dataset: Any, name: str, file: Path) -> dict[str, str]:
    """Write the rows of a paradigm; column -> its type in Croissant."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    writer, fields = None, dict[str, str]()
    for batch in dataset.rows(name):
        columns = dict(zip(batch.schema.names, batch.columns, strict=True))
        for column, values in columns.items():
            if pa.types.is_struct(values.type):
                columns[column] = pa.array([json.dumps(each, ensure_ascii=False) for each in values.to_pylist()])
        table = pa.table(columns)
        fields = {f.name: "sc:Integer" if pa.types.is_integer(f.type) else "sc:Text" for f in table.schema}
        writer = writer or pq.ParquetWriter(file, table.schema)
        writer.write_table(table)
    if writer is not None:
        writer.close()
    return fields


def _about(dataset: Any, paradigms: Sequence[str]) -> dict[str, Any]:
    """The dataset: its rights, and what the RAI vocabulary asks."""
    made, rights = dataset.manifest, dataset.rights
    theories = dict.fromkeys(made.paradigms[n].theory for n in paradigms if made.paradigms[n].theory)
    guessed = {n: made.paradigms[n].baselines for n in paradigms if made.paradigms[n].baselines}
    best = {n: max([b.majority, *b.readers.values(), *b.declared.values()]) for n, b in guessed.items()}
    easiest = max(best, key=best.__getitem__, default="")
    sources = "; ".join(dict.fromkeys(d.source for d in map(dataset.design, paradigms) if d.source))
    count = f"{sum(map(dataset.count, paradigms)):,} rows of {len(paradigms)} paradigms"
    about = "; ".join(dataset.design(name).about for name in paradigms)
    known = re.fullmatch(r"[A-Za-z0-9.+-]+", rights.licence)
    guesses = (
        f"What readers that do not reason reach is measured in the dataset's card; the most is {best[easiest]:.2f} "
        f"({easiest})."
        if best
        else "What can be guessed without reasoning was not measured: the rows have no labels."
    )
    found = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": f"gramprobe_{writing.identifier(made.name)}",
        "version": made.gramprobe,
        "description": f"{count}, compiled by gramprobe with seed {made.seed}: {about}",
        "license": f"https://spdx.org/licenses/{rights.licence}" if known else rights.licence,
        "creator": [{"@type": "sc:Person", "name": each} for each in rights.authors],
        "citeAs": "; ".join(rights.cite),
        "inLanguage": list(dict.fromkeys(dataset.language(name).code for name in paradigms)),
        "keywords": ["linguistics", "semantics", "evaluation of language models"],
        "rai:dataCollection": "Sentences were compiled from a declared grammar and lexicon. What rows say of them was "
        f"derived from their formulas by decision procedures, with certificates. After: {sources}",
        "rai:dataLimitations": "The sentences are those of a grammar: few forms, repeated with other words. Answers "
        f"hold in the theories that rows name ({', '.join(theories) or 'none'}), a choice among accounts.",
        "rai:dataBiases": guesses,
        "rai:personalSensitiveInformation": "None. Names in the sentences are frequent first names, of nobody.",
        "rai:dataUseCases": "Evaluation of language models and experiments with people; not for training.",
        "rai:dataSocialImpact": "None is known. What holds of sentences of one language need not hold of others.",
        "rai:hasSyntheticData": True,
        "prov:wasGeneratedBy": f"gramprobe {made.gramprobe} build, seed {made.seed}",
    }
    return {name: value for name, value in found.items() if value not in ("", [], None)}
