"""`gramprobe verify`: everything that can be checked of a dataset, and what it rests on.

    folder        the manifest's files, no other, with its hashes
    certificates  each line through the kernel
    items         each row against its certificate
    parquet       the same rows
    sources       the files it was made from
    derived       instances, sentences, formulas, shapes, labels and numbers again from these files
    rebuilt       all of it again with the engines, where asked for

A forger may have recomputed every hash of the manifest: nothing above rests on one.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gramprobe.dataset.card import card
from gramprobe.dataset.describe import described, differences, drawn_of
from gramprobe.dataset.exchange import recover
from gramprobe.dataset.manifest import Invalid, designs_from
from gramprobe.dataset.part import ACCOUNTS, Part, ReadingPart
from gramprobe.dataset.verify.accounts import Accounts, check_accounts
from gramprobe.dataset.verify.certificates import Certificates, check_certificates
from gramprobe.dataset.verify.derived import defined_in, derive
from gramprobe.dataset.verify.folder import CARD, CERTIFICATES, DESIGN, MANIFEST, Dataset, look
from gramprobe.dataset.verify.items import Counted, Items
from gramprobe.dataset.verify.parquet import same_content
from gramprobe.dataset.verify.problems import Problems, Say
from gramprobe.dataset.verify.readings import CountedRows, ReadingItems, derive_readings
from gramprobe.dataset.verify.rebuilt import rebuild
from gramprobe.dataset.verify.sources import Sources, compare
from gramprobe.items.trust import rests_on_trust
from gramprobe.resolve.project import Declarations
from gramprobe.source.diagnostic import UsageError


@dataclass(slots=True)
class Verified:
    """What was looked at and what was found. `kinds`: rows by kind of certificate, `lines`: certificates by kind;
    `values_on_trust`: rows with a proved label whose list of values is not proved; `unshown`: certificates that name a
    principle of which nothing shows that it is needed."""

    folder: Path
    rows: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    lines: Counter[str] = field(default_factory=Counter)
    values_on_trust: int = 0
    unshown: int = 0
    sources: Sources = field(default_factory=lambda: Sources((), (), ()))
    rebuilt: bool = False
    problems: Problems = field(default_factory=Problems)

    @property
    def on_trust(self) -> int:
        """Rows whose label, or list of values, rests on what cannot be checked here."""
        return sum(count for kind, count in self.kinds.items() if rests_on_trust(kind)) + self.values_on_trust

    def to_json(self) -> dict[str, Any]:
        return {
            "dataset": str(self.folder),
            "rows": self.rows,
            "certificates": dict(sorted(self.kinds.items())),
            "lines": dict(sorted(self.lines.items())),
            "on_trust": self.on_trust,
            "unshown": self.unshown,
            "sources": {"absent": list(self.sources.absent), "changed": list(self.sources.changed)},
            "derived": list(self.sources.paradigms),
            "rebuilt": self.rebuilt,
            "problems": self.problems.count,
            "findings": self.problems.to_json(),
        }


def verify(folder: Path, declarations: Declarations, with_rebuild: bool = False, say: Say = lambda _: None) -> Verified:
    """Check a dataset folder against itself, the kernel and the source files at hand.

    Raises UsageError for a folder that is none, OSError for one that cannot be read.
    """
    recover(folder)
    if not folder.is_dir() or not any(folder.iterdir()):
        raise UsageError(f"`{folder}` is no dataset folder", "give a folder that `build` wrote", "E44")
    found = Verified(folder)
    problems = found.problems
    dataset = look(folder, problems)
    if dataset is None:
        return found
    certificates = Certificates()
    if CERTIFICATES in dataset.sound:
        certificates = check_certificates(
            folder / CERTIFICATES, CERTIFICATES, problems, say, allow_bounded=dataset.manifest["allow_bounded"]
        )
    found.lines, found.unshown = certificates.kinds, certificates.unshown
    found.sources = compare(dataset, declarations, problems)
    accounts = Accounts()
    if ACCOUNTS in dataset.sound:
        accounts = check_accounts(folder / ACCOUNTS, ACCOUNTS, certificates, problems)
    parts: dict[str, Part | ReadingPart] = {}
    for name in dataset.manifest["paradigms"]:
        counted = _items(dataset, name, declarations, certificates, accounts, problems, say)
        if counted is None:
            continue
        found.rows += counted.rows
        found.kinds += counted.certificates
        found.values_on_trust += counted.values_on_trust
        if name in found.sources.paradigms:
            say(f"{name}: deriving {counted.rows:,} rows again")
            paradigm = declarations.declared(f"{dataset.phenomenon}/{name}", dataset.balanced)
            assert paradigm is not None
            part: Part | ReadingPart | None
            if isinstance(counted, CountedRows):
                part = derive_readings(dataset, paradigm, counted, declarations, certificates, problems)
            else:
                part = derive(dataset, paradigm, counted, declarations, certificates, problems)
            if part is not None:
                parts[name] = part
    taking_turns = any(part.get("one_row_each") for part in dataset.manifest["paradigms"].values())
    if not taking_turns or len(parts) == len(dataset.manifest["paradigms"]):
        certificates.unused(CERTIFICATES, problems)  # else some are of pairs whose turn it never was
    if not any(part.get("no_items") for part in dataset.manifest["paradigms"].values()):
        accounts.unused(ACCOUNTS, problems)  # else some say why an instance is no item
    if found.on_trust and not dataset.manifest["allow_bounded"]:
        problems.add("E52", MANIFEST, f"{found.on_trust:,} labels rest on trust, and the build did not allow that")
    if dataset.manifest["allow_bounded"] and not certificates.on_trust:
        problems.add("E52", MANIFEST, "`allow_bounded` is true, and nothing in the dataset rests on trust")
    if len(parts) == len(dataset.manifest["paradigms"]) and CARD in dataset.sound:
        _card(dataset, parts, problems)
    if DESIGN in dataset.sound:
        _designs(dataset, parts, declarations, problems)
    if with_rebuild and len(found.sources.paradigms) == len(dataset.manifest["paradigms"]):
        say("building again")
        rebuild(dataset, declarations, problems)
        found.rebuilt = True
    return found


def _items(
    dataset: Dataset,
    name: str,
    declarations: Declarations,
    certificates: Certificates,
    accounts: Accounts,
    problems: Problems,
    say: Say,
) -> Counted | CountedRows | None:
    """The rows of one paradigm against the certificates, and its Parquet file."""
    file = dataset.items(name)
    if file not in dataset.sound:
        return None
    paradigm = declarations.declared(f"{dataset.phenomenon}/{name}", dataset.balanced)
    defined = defined_in(paradigm, dataset.theory, declarations) if paradigm else None
    part = dataset.manifest["paradigms"][name]
    counted: Counted | CountedRows
    if part["task"] == "nli":
        items = Items(file, dataset.phenomenon, name, part, certificates, problems, defined)
        counted = items.check(dataset.folder / file, say)
    else:
        read = ReadingItems(file, dataset.phenomenon, name, part, certificates, accounts, problems, defined)
        counted = read.check(dataset.folder / file, say)
    files = {f"{split}-00000-of-00001.parquet": rows for split, rows in part["splits"].items()}
    for other in sorted(p.name for p in (dataset.folder / "parquet" / name).glob("*") if p.name not in files):
        problems.add("E50", f"parquet/{name}/{other}", f"the split of the rows is {' or '.join(part['splits'])}")
    if not counted.sound:
        return None
    with (dataset.folder / file).open("rb") as stream:
        for each, rows in files.items():
            parquet = f"parquet/{name}/{each}"
            if (dataset.folder / parquet).is_file():
                same_content(dataset.folder / parquet, parquet, stream, rows, part["task"], problems)
            else:
                problems.add("E50", parquet, "the file is missing")
    return counted


def _designs(
    dataset: Dataset, parts: dict[str, Part | ReadingPart], declarations: Declarations, problems: Problems
) -> None:
    """`design.json` is the one that the paradigms give; without their files, one of these paradigms."""
    raw = (dataset.folder / DESIGN).read_bytes()
    try:
        designs = designs_from(raw)
    except Invalid as error:
        problems.add("E50", DESIGN, str(error))
        return
    if list(designs.paradigms) != list(dataset.manifest["paradigms"]):
        problems.add("E50", DESIGN, "its paradigms are not those of the manifest")
    elif len(parts) == len(designs.paradigms):
        drawn = []
        for name, part in parts.items():
            paradigm = declarations.declared(f"{dataset.phenomenon}/{name}", dataset.balanced)
            assert paradigm is not None
            drawn.append((paradigm, part.plan, drawn_of(part)))
        for place, there, wanted in differences(designs, described(drawn)):
            problems.add("E54", DESIGN, f"{place} is `{there}`, and the source files give `{wanted}`")


def _card(dataset: Dataset, parts: dict[str, Part | ReadingPart], problems: Problems) -> None:
    """The card is the one that the manifest and the paradigms give."""
    try:
        expected = card(dataset.manifest["name"], dataset.manifest, parts).encode()
    except (LookupError, TypeError, ValueError, AttributeError):
        problems.add("E54", MANIFEST, "no card can be made of it: a field of a paradigm is missing or of a wrong type")
        return
    with (dataset.folder / CARD).open("rb") as stream:
        if stream.read(len(expected) + 1) != expected:
            problems.add("E54", CARD, "it is not the card that the manifest and the paradigms give")
