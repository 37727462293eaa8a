"""One paradigm of a dataset: write its files, and keep what the dataset's other files say about it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from msgspec import to_builtins

from gramprobe.certify.rule import on_trust
from gramprobe.dataset.describe import design, words
from gramprobe.dataset.gates import Gates
from gramprobe.dataset.manifest import PARQUET_ROWS, Design, Word
from gramprobe.dataset.report import Report
from gramprobe.dataset.twins import Contradiction, Pairs, PairsOf
from gramprobe.dataset.write import write
from gramprobe.decide.cache import kept_verdicts
from gramprobe.decide.label import Decider
from gramprobe.decide.verdict import certificate_text, provers
from gramprobe.items.account import Account
from gramprobe.items.licensing import LicensingAccount
from gramprobe.items.prepare import prepare
from gramprobe.items.stream import Stream
from gramprobe.resolve.paradigm.data import WHOLE, Paradigm
from gramprobe.resolve.project import Declarations
from gramprobe.source import messages
from gramprobe.source.diagnostic import Diagnostic, Findings
from gramprobe.work.pool import Work


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a build asks of every paradigm.

    Attributes:
        count: how many instances of each paradigm (None: the paradigm's own size).
        everything: build all instances of each space; ``count`` is then ignored.
        seed: which instances are drawn.
        theory: a theory in the place of each paradigm's own (None: its own).
        allow_bounded: write labels that rest on trust, and mark them, instead of refusing them.
        oracle: the outside prover to ask where the engines find no answer (None: none is asked).
        design: `whole`, or `paper`: without the pairs that `balance` adds.
        twins: whether the dataset has several paradigms, whose pairs are compared.
        together: the paradigms with charts, which share a grammar.
        part_rows: how many rows a Parquet file has at most.
    """

    count: int | None = None
    everything: bool = False
    seed: int = 0
    theory: str | None = None
    allow_bounded: bool = False
    oracle: str | None = None
    design: str = WHOLE
    twins: bool = True
    part_rows: int = PARQUET_ROWS
    together: Sequence[str] = ()

    def instances_of(self, paradigm: Paradigm) -> int | None:
        """How many instances of a paradigm are wanted; None: all."""
        return None if self.everything else paradigm.size if self.count is None else self.count


class Summary(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the other files of a dataset say about a paradigm.

    Attributes:
        entry: its entry in the manifest.
        sha256: the hash of its JSON lines.
        notes: lines about the build, for people.
        certificates: shape -> its line of certificates.jsonl.
        on_trust: whether a certificate rests on trust.
        provers: the outside provers whose answers a certificate has.
        accounts: id -> its line of accounts.jsonl; None if there are none.
        charts: shape -> its line of charts.jsonl; None if the task has no charts.
        design, words: its entries in design.json.
        pairs: the pairs that no other paradigm may have with another answer.
    """

    entry: dict[str, Any]
    sha256: str
    notes: list[str]
    certificates: dict[str, str]
    on_trust: bool
    provers: list[str]
    accounts: dict[str, str] | None
    charts: dict[str, str] | None
    design: Design
    words: dict[str, Word]
    pairs: Pairs


class Written(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The result of writing a paradigm: its summary (None where errors refuse the paradigm) and its diagnostics."""

    summary: Summary | None
    diagnostics: list[Diagnostic]


def options_of(data: Mapping[str, Any]) -> tuple[Options, Path]:
    """The options that :func:`work` is given, and the folder."""
    options = dict(data)
    folder = Path(options.pop("folder"))
    return Options(**options), folder


@contextmanager
def work(declarations: Declarations, options: Mapping[str, Any]) -> Iterator[Work[Written]]:
    """The work of a build on a project. ``options``: `Options`, and ``folder``, which is written to."""
    asked, folder = options_of(options)
    with kept_verdicts() as kept:
        decider = Decider(kept=kept, oracle=asked.oracle, dependence=True)

        def written(name: str) -> Written:
            result = _write(name, declarations, asked, decider, folder)
            if kept is not None:
                kept.flush()  # so that other processes find the verdicts
            return result

        yield written


def _write(name: str, declarations: Declarations, options: Options, decider: Decider, folder: Path) -> Written:
    """Write the rows of a paradigm into a folder. Raises OSError."""
    findings, summary = Findings(), None
    stream = stream_of(name, declarations, options, decider, findings)
    if stream is not None:
        if stream.plan.charts is not None:
            stream.plan.charts.keeps = True
        gates = Gates(stream.decisions, findings, decider.of_tries)
        report = Report.of(stream, gates, declarations, options.theory)
        pairs = PairsOf(stream.decisions, options.twins)
        with stream.plan.shapes.kept(stream.plan.kept_under):
            sha256 = write(stream, folder, report, gates, pairs)
        if not findings.failed:
            summary = summary_of(report, decider, sha256, pairs.pairs())
    return Written(summary=summary, diagnostics=findings.items)


def contradicting(found: Contradiction, name: str, declarations: Declarations, options: Options) -> Diagnostic:
    """The diagnostic of a paradigm's contradiction with another. The paradigm is drawn again for the sentences."""
    with kept_verdicts() as kept:
        stream = stream_of(name, declarations, options, Decider(kept=kept, oracle=options.oracle), Findings())
        assert stream is not None
        paradigm, before = stream.plan.paradigm, 0
        for chunk in stream.chunks():
            if found.instance < before + len(chunk):
                break
            before += len(chunk)
    sentences = " => ".join(
        stream.plan.realiser.sentence(paradigm.conditions[condition], chunk.draws, found.instance - before)
        for condition in stream.decisions.parts[found.part].conditions
    )
    return messages.build.contradicting_duplicates(
        paradigm.span, found.paradigm, found.count, sentences, found.before, found.now
    )


def stream_of(
    name: str, declarations: Declarations, options: Options, decider: Decider, findings: Findings
) -> Stream | None:
    """The stream of the rows that the options ask of a paradigm; None, with errors in ``findings``."""
    paradigm = declarations.declared(name, options.design)
    assert paradigm is not None
    return prepare(
        paradigm,
        declarations,
        findings,
        options.instances_of(paradigm),
        seed=options.seed,
        theory=options.theory,
        decider=decider,
        at_most=declarations.takes_given(name),  # given sentences may allow fewer
        allow_bounded=options.allow_bounded,
        twins=options.twins,
        part_rows=options.part_rows,
        together=options.together,
    )


def summary_of(report: Report, decider: Decider, sha256: str, pairs: Pairs) -> Summary:
    """What the other files of the dataset say about a paradigm that is written."""
    decided, accounts = decider.decided(report.shapes), report.accounts
    return Summary(
        entry=report.to_json(),
        sha256=sha256,
        notes=list(report.notes),
        certificates={shape.id: _as_line(certificate_text(shape, verdict)) for shape, verdict in decided},
        on_trust=any(on_trust(verdict.absent) for _, verdict in decided),
        provers=sorted({name for _, verdict in decided for name in provers(verdict)}),
        accounts=_account_lines(accounts) if accounts or report.task.form.claims == "readings" else None,
        charts=report.plan.charts.lines(report.charted) if report.plan.charts is not None else None,
        design=design(report.plan.paradigm, report.plan),
        words=words(report.plan, report.drawn),
        pairs=pairs,
    )


def _account_lines(accounts: Mapping[str, Account | LicensingAccount]) -> dict[str, str]:
    """Id -> line of accounts.jsonl."""
    return {
        id_: _line(
            {"shape": id_, "steps": json.loads(account.text)} if isinstance(account, Account) else to_builtins(account)
        )
        for id_, account in accounts.items()
    }


def _as_line(text: str) -> str:
    """A canonical text as a line, its signs beyond ASCII as they are."""
    return _line(json.loads(text)) if "\\u" in text else text + "\n"


def _line(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False) + "\n"
