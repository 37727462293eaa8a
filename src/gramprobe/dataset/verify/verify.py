"""`gramprobe verify`: check everything of a dataset that can be checked.

    folder        it has the manifest's files and no other, with the manifest's hashes
    charts        the checker accepts each chart of minimal pairs, by the grammar beside them
    certificates  the kernel accepts each line; `accounts` checks that steps name such lines
    sources       the files that the dataset was made from are here and the same
    derive        these files give the same instances, sentences, formulas, shapes, labels and numbers
    rows          where they do not, or are not here: each row agrees with its certificate
    parquet       Parquet has the same rows
    rebuild       where asked for: a build gives the same dataset again

A forger may have recomputed every hash of the manifest, so that no other check relies on one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gramprobe.dataset.card import card
from gramprobe.dataset.describe import design, designs, differences, words
from gramprobe.dataset.exchange import no_dataset, recover
from gramprobe.dataset.manifest import ACCOUNTS, CHARTS, GRAMMAR, Invalid, designs_from
from gramprobe.dataset.report import Report
from gramprobe.dataset.verify.accounts import Accounts, check_accounts
from gramprobe.dataset.verify.certificates import Certificates, check_certificates
from gramprobe.dataset.verify.charts import Charts
from gramprobe.dataset.verify.derive import Derivation
from gramprobe.dataset.verify.folder import CARD, CERTIFICATES, DESIGN, MANIFEST, Dataset, look
from gramprobe.dataset.verify.parquet import same_content
from gramprobe.dataset.verify.problems import Problems
from gramprobe.dataset.verify.rebuild import rebuild
from gramprobe.dataset.verify.rows import Counted, RowChecker
from gramprobe.dataset.verify.sources import Sources, compare
from gramprobe.decide.verdict import rests_on_trust
from gramprobe.progress import report_progress
from gramprobe.resolve.paradigm.data import Paradigm
from gramprobe.resolve.project import Declarations
from gramprobe.source.diagnostic import Findings, UsageError
from gramprobe.source.nearest import listed


@dataclass(slots=True, kw_only=True)
class Verified:
    """The result of a verification.

    Attributes:
        folder: the dataset.
        rows: how many rows were checked.
        kinds: rows by kind of certificate.
        lines: certificates by kind.
        values_on_trust: rows with a proved label whose list of values is not proved.
        charts: shapes of sentences whose chart holds.
        unshown: certificates that name a principle without a model that shows that it is needed.
        sources: the source files that differ, and the paradigms that were derived again.
        rebuilt: whether the dataset was built again.
        parsed: how many sentences were parsed.
        read_back: whether the manifest says of some sentences how they were read back.
        problems: everything that is wrong.
    """

    folder: Path
    rows: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    lines: Counter[str] = field(default_factory=Counter)
    values_on_trust: int = 0
    unshown: int = 0
    charts: int = 0
    sources: Sources = field(default_factory=lambda: Sources((), (), ()))
    rebuilt: bool = False
    parsed: int = 0
    read_back: bool = False
    problems: Problems = field(default_factory=Problems)

    @property
    def on_trust(self) -> int:
        """Rows whose label, or list of values, rests on what cannot be checked here."""
        return sum(count for kind, count in self.kinds.items() if rests_on_trust(kind)) + self.values_on_trust

    @property
    def data(self) -> dict[str, Any]:
        """The fields of the answer of `verify`."""
        return {
            "dataset": str(self.folder),
            "rows": self.rows,
            "certificates": dict(sorted(self.kinds.items())),
            "lines": dict(sorted(self.lines.items())),
            "on_trust": self.on_trust,
            "unshown": self.unshown,
            **({"charts": self.charts} if self.charts else {}),
            "sources": self.sources,
            "derived": list(self.sources.paradigms),
            "rebuilt": self.rebuilt,
            "parsed": self.parsed,
            "problems": self.problems.count,
            "findings": self.problems.kept,
        }


def verify(folder: Path, declarations: Declarations, with_rebuild: bool = False, parses: bool = False) -> Verified:
    """Check a dataset folder against itself, the kernel and the source files at hand.

    ``with_rebuild``: also build it again with the engines; ``parses``: parse a sentence of each shape, where the rows
    follow from the source files. Raises UsageError if the folder is not a dataset, OSError if
    it cannot be read.
    """
    recover(folder)
    if not folder.is_dir():
        raise no_dataset(folder)
    looked = () if (folder / MANIFEST).exists() else (f"*/{MANIFEST}", f"data/*/{MANIFEST}")
    within = sorted(str(found.parent) for each in looked for found in folder.glob(each))
    if within or (looked and not (folder / "items").exists()):
        help = f"give one of those in it: {listed(within)}" if within else "give a folder that `build` wrote"
        raise UsageError(f"`{folder}` is not a dataset folder", help, "E44")
    verified = Verified(folder=folder)
    problems = verified.problems
    dataset = look(folder, problems)
    if dataset is None:
        return verified
    certificates = Certificates()
    if CERTIFICATES in dataset.sound:
        certificates = check_certificates(
            folder / CERTIFICATES, CERTIFICATES, problems, allow_bounded=dataset.manifest["allow_bounded"]
        )
    verified.lines, verified.unshown = certificates.kinds, certificates.unshown
    verified.sources = compare(dataset, declarations, problems)
    accounts = Accounts()
    if ACCOUNTS in dataset.sound:
        accounts = check_accounts(folder / ACCOUNTS, ACCOUNTS, certificates, problems)
    charts = Charts(folder, CHARTS, GRAMMAR, problems) if {CHARTS, GRAMMAR} <= dataset.sound else None
    verified.charts = len(charts.by_shape) if charts is not None else 0
    verified.read_back = any("read_back" in part for part in dataset.manifest["paradigms"].values())
    reports: dict[str, Report] = {}
    for name in dataset.manifest["paradigms"]:
        report = _Paradigm(
            dataset=dataset, name=name, declarations=declarations, certificates=certificates, accounts=accounts,
            charts=charts, verified=verified, parses=parses,
        ).check()  # fmt: skip
        if report is not None:
            reports[name] = report
    accounts.without_certificates(ACCOUNTS, certificates, problems)
    # some certificates may belong to pairs that no instance had its turn with, or to rejected instances
    without_rows = any(p.get("one_row_each") or p.get("no_items") for p in dataset.manifest["paradigms"].values())
    if not without_rows or len(reports) == len(dataset.manifest["paradigms"]):
        certificates.unused(CERTIFICATES, problems)
    if not any(part.get("no_items") for part in dataset.manifest["paradigms"].values()):
        accounts.unused(ACCOUNTS, problems)  # else some show why an instance was rejected
    if charts is not None and charts.grammar is not None:
        charts.unused(CHARTS, problems)
    if verified.on_trust and not dataset.manifest["allow_bounded"]:
        problems.add("E52", MANIFEST, f"{verified.on_trust:,} labels rest on trust, and the build did not allow that")
    if dataset.manifest["allow_bounded"] and not certificates.on_trust:
        problems.add("E52", MANIFEST, "`allow_bounded` is true, and nothing in the dataset rests on trust")
    asked = dataset.manifest["oracle"]
    answered = ", ".join(sorted(certificates.provers)) or None
    if not certificates.rejected and answered != asked:
        problems.add("E52", MANIFEST, f"`oracle` is `{asked}`, and the certificates have answers of {answered}")
    declared = {name: declarations.declared(f"{dataset.phenomenon}/{name}", dataset.design) for name in reports}
    paradigms = {name: paradigm for name, paradigm in declared.items() if paradigm is not None}
    if len(reports) == len(dataset.manifest["paradigms"]) and CARD in dataset.sound:
        _card(dataset, paradigms, problems)
    if DESIGN in dataset.sound:
        _designs(dataset, reports, paradigms, problems)
    if with_rebuild and len(verified.sources.paradigms) == len(dataset.manifest["paradigms"]):
        report_progress("building again")
        rebuild(dataset, declarations, problems)
        verified.rebuilt = True
    return verified


@dataclass(kw_only=True)
class _Paradigm:
    """The check of the rows of one paradigm; results go to ``verified``."""

    dataset: Dataset
    name: str
    declarations: Declarations
    certificates: Certificates
    accounts: Accounts
    charts: Charts | None
    verified: Verified
    parses: bool

    def check(self) -> Report | None:
        """Derive the rows from the source files and compare; where they differ, or the files are not here, check the
        rows one by one. Returns the report of the derivation where the rows are the same."""
        dataset, problems = self.dataset, self.verified.problems
        file = dataset.items(self.name)
        if file not in dataset.sound:
            return None
        self._splits()
        derivation = None
        paradigm = self.declarations.declared(f"{dataset.phenomenon}/{self.name}", dataset.design)
        if self.name in self.verified.sources.paradigms:
            assert paradigm is not None
            derivation = Derivation(dataset, paradigm, self.declarations, self.certificates, self.parses, self.charts)
            same = derivation.compare()
            if not problems.by_code["E53"]:  # other files ask for other certificates
                derivation.lacking(problems)
            self.verified.parsed += derivation.parsed
            if same and derivation.report is not None and not self._values_on_trust():
                derivation.objections(problems)
                derivation.numbers(problems)
                self._derived(derivation.report)
                return derivation.report
        before = problems.count
        counted = self._rows(defined_in(paradigm, dataset.theory, self.declarations) if paradigm else None)
        if not counted.sound or derivation is None:
            return None
        if derivation.report is not None:  # the lines are right; Parquet is not, or values are counted one by one
            if problems.count == before and not self._values_on_trust():
                problems.add("E50", f"parquet/{self.name}", "its rows are not those of the JSON lines")
            derivation.objections(problems)
            derivation.numbers(problems)
            self.accounts.missing(derivation.report.accounts, ACCOUNTS, problems)
            return derivation.report
        derivation.objections(problems)
        derivation.differences(counted, problems)
        return None

    def _splits(self) -> None:
        """Report Parquet files of splits that the rows do not have."""
        splits = self.dataset.manifest["paradigms"][self.name]["splits"]
        wanted = set(self.dataset.parquet_of(self.name).values())
        there = (p.relative_to(self.dataset.folder).as_posix() for p in
                 (self.dataset.folder / "parquet" / self.name).glob("*"))  # fmt: skip
        for other in sorted(set(there) - wanted):
            self.verified.problems.add("E50", other, f"the split of the rows is {' or '.join(splits)}")

    def _values_on_trust(self) -> bool:
        """Whether some list of values rests on trust, so that rows must be counted one by one."""
        return any(line.values_on_trust for line in self.certificates.by_shape.values())

    def _derived(self, report: Report) -> None:
        """Add the numbers of rows that the source files give."""
        self.verified.rows += report.rows
        self.verified.kinds += report.certificates
        self.accounts.used.update(report.accounts)
        self.accounts.missing(report.accounts, ACCOUNTS, self.verified.problems)

    def _rows(self, defined: frozenset[str] | None) -> Counted:
        """Check the rows against the certificates and against Parquet, and count them."""
        dataset, problems = self.dataset, self.verified.problems
        file = dataset.items(self.name)
        part = dataset.manifest["paradigms"][self.name]
        checker = RowChecker(
            file, dataset.phenomenon, self.name, part, self.certificates, self.accounts, problems, defined, self.charts
        )
        counted = checker.check(dataset.folder / file)
        self.verified.rows += counted.rows
        self.verified.kinds += counted.certificates
        self.verified.values_on_trust += counted.values_on_trust
        if not counted.sound:
            return counted
        with (dataset.folder / file).open("rb") as stream:
            for parquet, (name, _, rows) in dataset.record.parquet_files().items():
                if name != self.name:
                    continue
                if (dataset.folder / parquet).is_file():
                    same_content(dataset.folder / parquet, parquet, stream, rows, part["task"], problems)
                else:
                    problems.add("E50", parquet, "the file is missing")
        return counted


def _designs(
    dataset: Dataset, reports: dict[str, Report], paradigms: Mapping[str, Paradigm], problems: Problems
) -> None:
    """Check that `design.json` is what the paradigms give; without their files, that it names these paradigms."""
    raw = (dataset.folder / DESIGN).read_bytes()
    try:
        there = designs_from(raw)
    except Invalid as error:
        problems.add("E50", DESIGN, str(error))
        return
    if list(there.paradigms) != list(dataset.manifest["paradigms"]):
        problems.add("E50", DESIGN, "its paradigms are not those of the manifest")
    elif len(reports) == len(there.paradigms):
        derived = designs(
            {name: (design(paradigms[name], r.plan), words(r.plan, r.drawn)) for name, r in reports.items()}
        )
        for place, found, wanted in differences(there, derived):
            problems.add("E54", DESIGN, f"{place} is `{found}`, and the source files give `{wanted}`")


def defined_in(paradigm: Paradigm, theory: str | None, declarations: Declarations) -> frozenset[str] | None:
    """The operators that the theory of a paradigm's rows defines by others; None where the theory is not here."""
    grammar = declarations.grammar_of_paradigm(paradigm.full_name)
    known = declarations.theory(theory or paradigm.theory, grammar, Findings())
    return None if known is None else frozenset(definition.name for definition in known.definitions)


def _card(dataset: Dataset, paradigms: Mapping[str, Paradigm], problems: Problems) -> None:
    """Check that the card is the one that the manifest and the paradigms give."""
    try:
        expected = card(dataset.manifest["name"], dataset.manifest, paradigms).encode()
    except (LookupError, TypeError, ValueError, AttributeError):
        problems.add("E54", MANIFEST, "no card can be made of it: a field of a paradigm is missing or of a wrong type")
        return
    with (dataset.folder / CARD).open("rb") as stream:
        if stream.read(len(expected) + 1) != expected:
            problems.add("E54", CARD, "it is not the card that the manifest and the paradigms give")
