"""Export a dataset: its rows as another program reads them, with their licence, and with what is not in the files.

    export("csv", folder, None, lambda: project.declarations) -> Exported

The form is one of `gramprobe.formats` that writes. A folder is put in place whole; one that `export` wrote before is
replaced, and nothing else. Beside the files of the form it has `README.md`, and `export.json` with the hashes of its
files and the manifest that they were made from.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gramprobe import __version__
from gramprobe.dataset.agreement import contradicts
from gramprobe.dataset.exchange import replacing
from gramprobe.dataset.manifest import MANIFEST
from gramprobe.dataset.read import Dataset, read
from gramprobe.formats import FORMATS, Writes, writers
from gramprobe.formats.record import RECORD
from gramprobe.records import sha256_of
from gramprobe.source import messages

if TYPE_CHECKING:
    from gramprobe.resolve.project import Declarations

_NOT_THERE = (
    "Certificates, accounts and the design are in the dataset alone: `gramprobe verify` checks labels there, not here."
)
_UNCHECKED = "The dataset was not checked before (`--unchecked`): its labels may be anything."
_CHECKED = "`gramprobe verify` has found nothing wrong with the dataset before it was exported."
_OTHER_SOURCES = (
    "The files at hand are not those that the dataset was made of: before it was exported its labels were held against "
    "its certificates, and its sentences against nothing."
)


@dataclass(frozen=True)
class Exported:
    """What was written.

    Attributes:
        folder: its place.
        rows: the number of rows of the dataset that its paradigms have.
        paradigms: those that the form can hold.
        notes: what the form does not hold, and how the files are used, a sentence each.
    """

    folder: Path
    rows: int
    paradigms: tuple[str, ...]
    notes: tuple[str, ...]


def export(
    name: str, source: Path, out: Path | None, declarations: Callable[[], Declarations] | None = None
) -> Exported:
    """Write a dataset in a form. ``out``: by default `exports/DATASET-FORM`; ``declarations``: loads the source files,
    by which it is checked first as `gramprobe verify` does; None: it is not checked, which the README says.

    Raises UsageError: no form of this name, or one that fits no paradigm of the dataset (E29); no dataset, one with
    something wrong, or something else in the place of the folder (E44); OSError.
    """
    form = FORMATS.get(name.replace("-", "_"))
    if not isinstance(form, Writes):
        raise messages.names.none_called("format of exports", name, ["grammar", "nltk", *map(_called, writers())])
    dataset = read(source)
    fitting = [each for each in dataset.paradigms if form.fits(dataset.design(each))]
    if not fitting:
        designs = [dataset.design(each) for each in dataset.paradigms]
        others = [_called(other) for other, each in writers().items() if any(map(each.fits, designs))]
        tasks = list(dict.fromkeys(dataset.tasks.values()))
        raise messages.build.no_such_export(name, str(source), tasks, others)
    name = _called(name)
    target = out or Path("exports") / f"{dataset.manifest.name}-{name}"
    with replacing(target, RECORD, "an export") as folder:
        said = _UNCHECKED if declarations is None else _checked(source, declarations())
        notes = [*form.write(dataset, fitting, folder), *_left(dataset, fitting), _NOT_THERE, said]
        (folder / "README.md").write_text(_readme(name, form, dataset, fitting, notes), "utf-8")
        files = sorted(each.relative_to(folder).as_posix() for each in folder.rglob("*") if each.is_file())
        record = {
            "gramprobe": __version__,
            "format": name,
            "dataset": dataset.manifest.name,
            "manifest": sha256_of(source / MANIFEST),
            "files": {each: sha256_of(folder / each) for each in files},
        }
        (folder / RECORD).write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return Exported(target, sum(map(dataset.count, fitting)), tuple(fitting), tuple(notes))


def _called(name: str) -> str:
    """A format as people write it, which a module cannot be called."""
    return {"lm_eval": "lm-eval"}.get(name, name)


def _checked(source: Path, declarations: Declarations) -> str:
    """What was found by checking a dataset, a sentence. Raises UsageError (E44) if something is wrong with it; that it
    was made of other files than those at hand (E53), which give other rows (E54), is no fault of its own."""
    from gramprobe.dataset.verify.verify import verify

    problems = verify(source, declarations).problems
    others = {"E53", "E54"} if problems.by_code["E53"] else set[str]()
    count = sum(number for code, number in problems.by_code.items() if code not in others)
    if count:
        first = next((each for each in problems.kept if each.code not in others), problems.kept[0])
        raise contradicts(source, f"{count:,} problem{'s' * (count > 1)}", str(first))
    return _OTHER_SOURCES if others else _CHECKED


def _left(dataset: Dataset, fitting: Sequence[str]) -> list[str]:
    """A sentence about the paradigms that the form cannot hold."""
    left = [each for each in dataset.paradigms if each not in fitting]
    return [f"Paradigms of other tasks are not here: {', '.join(left)}."] if left else []


def _readme(name: str, form: Writes, dataset: Dataset, paradigms: Sequence[str], notes: Sequence[str]) -> str:
    """What the folder is, what is not in it, and the rights."""
    made, rights = dataset.manifest, dataset.rights
    said = [("Licence", rights.licence or "none is declared in the paradigms")]
    said += [("Authors", each) for each in rights.authors] + [("Please cite", each) for each in rights.cite]
    rows = sum(map(dataset.count, paradigms))
    return "\n".join([
        f"# {made.name}, for {name}", "",
        f"{form.about[:1].upper()}{form.about[1:]}. Made of {rows:,} rows of the dataset `{made.name}` (seed "
        f"{made.seed}, gramprobe {made.gramprobe}) by `gramprobe export {name}`. For evaluation, not for training.", "",
        *(f"- {note}" for note in notes), "",
        "## Licence and citation", "",
        *(f"- {kind}: {text}" for kind, text in said), "",
    ])  # fmt: skip
