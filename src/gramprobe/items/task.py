"""What a task is: the protocol that each module of `items.tasks` keeps.

A task says what an author writes (headings), what is decided of a group of rows, which instances are items, what
stands in the columns of a row, how a row is checked against what was decided, what of it is scored, and what an
analysis groups by. Everything else (walk, groups, files, report, verify) is the same for all tasks and asks the task.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from gramprobe.resolve.tasks import TaskForm

if TYPE_CHECKING:
    from gramprobe.explain.decision import Explained
    from gramprobe.items.answer import Answer, Outcome
    from gramprobe.items.cells import Row
    from gramprobe.items.groups import Member, Part
    from gramprobe.items.plan import Plan
    from gramprobe.meaning.compose import Reading
    from gramprobe.resolve.paradigm.data import Paradigm
    from gramprobe.source.diagnostic import Diagnostic, Findings

#: columns that every task leads with
LEADING = (
    "id", "phenomenon", "paradigm", "condition", "instance", "tag", "split", "theory", "shape", "certificate",
    "rests_on", "draws",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """Which columns of a row a model reads and is scored on.

    Attributes:
        context: texts that are given.
        options: texts to choose between, in the order of the row.
        continuations: texts whose probability after a context is measured.
        slot: the mark in the context where an option is put; empty where none is.
        label: the columns with the right answer.
    """

    context: tuple[str, ...]
    options: tuple[str, ...] = ()
    continuations: tuple[str, ...] = ()
    slot: str = ""
    label: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CardTable:
    """The table of a data card in which paradigms of a task stand; tasks with equal headings share one.

    Attributes:
        headings: the heads of its columns.
        fields: the keys of a paradigm's entry in the manifest, one for each column behind the name; `a.b` is key b of
            the object a, `sum a` the sum of the values of a.
        notes: the paragraph about the columns of rows.
    """

    headings: tuple[str, ...]
    fields: tuple[str, ...]
    notes: str


class Evidence(Protocol):
    """What a row is checked against.

    Attributes:
        number: the number of the row, from 1.
        before: the row before it; empty for the first.
        account: the checked account of the row, of tasks that have accounts.
    """

    @property
    def number(self) -> int: ...

    before: Mapping[str, Any]
    account: Any

    def line(self, shape: str) -> Mapping[str, Any] | None:
        """The checked certificate of a shape."""

    def is_rejected(self, shape: str) -> bool:
        """Whether the certificate of a shape does not hold, which is reported where it stands."""

    def wrong_formulas(self, premise: str, hypothesis: str, shape: str) -> str:
        """How two formulas are not those of a shape; empty where they are."""


class Task(Protocol):
    """One task. The attributes are constants of its class.

    What stands as Any is the task's own type of answer, or of what lies above this module: ``decisions``
    (`items.decisions.Decisions`), ``stream`` and ``chunk`` (`items.stream`), ``cells`` (`items.rows.ChunkCells`).

    Attributes:
        name: what an author writes behind `task`.
        form: the headings of a paradigm, what its pairs relate and claim, and the gates of its sentences.
        columns: all columns of a row, in order.
        numbers: columns that are integers -> the names of their values (a ClassLabel), or None for plain numbers.
        sentences: columns with sentences, which two datasets may word differently.
        answers: columns whose change is an answer that moved.
        has_accounts: whether the column `shape` names a line of accounts.jsonl, not of certificates.jsonl.
        rejects: whether an instance of the paradigm may fail to be an item.
        rows_each: how many rows an instance has for each of its parts.
        answers_key: the key of the manifest under which answers are counted: `answers` of tasks with accounts, else
            `labels`.
        about: the data card's line on the rows.
        hub: lines of the card's header by which the Hugging Face hub finds the task.
        card: the data card's table.
        scored: what a model is scored on.
    """

    name: str
    form: TaskForm
    columns: tuple[str, ...]
    numbers: Mapping[str, tuple[str, ...] | None]
    sentences: tuple[str, ...]
    answers: tuple[str, ...]
    has_accounts: bool
    rejects: bool
    rows_each: int
    answers_key: str
    about: str
    hub: tuple[str, ...]
    card: CardTable
    scored: Scored

    # -- what authors write

    def factors(self, paradigm: Paradigm) -> tuple[str, ...]:
        """Columns by which an analysis groups the rows of a paradigm; of a draw its name behind `draws.`."""

    # -- deciding

    def parts(self, paradigm: Paradigm) -> tuple[Part, ...]:
        """The conditions that are decided together."""

    def reading_ids(self, readings: Sequence[Reading]) -> list[str]:
        """The ids by which an author names readings."""

    def answer(self, plan: Plan, part: Part, member: Member, findings: Findings) -> Answer | None:
        """Decide a group by its first row; objections are findings. None, and a finding, where there is no answer."""

    def agrees(self, plan: Plan, part: Part, answer: Any, other: Member) -> bool:
        """Whether another row of the group has the same answer."""

    def objections(self, plan: Plan, answer: Any) -> Iterable[tuple[object, Diagnostic]]:
        """Diagnostics about an answer, each with the key under which it is reported once."""

    def trust(self, plan: Plan, answer: Any) -> Iterable[tuple[object, Diagnostic]]:
        """Diagnostics about what in an answer rests on trust, each with the key under which it is reported once."""

    def rejection(self, paradigm: Paradigm, answer: Any) -> str:
        """Why instances with this answer are not items of the task; empty where they are."""

    def unmet_claims(self, decisions: Any, findings: Findings) -> None:
        """Report every claim of the author (`expect`, `fits`, `entailed`) that the answers so far do not bear out."""

    def outcomes(self, part: Part, answer: Any) -> Iterator[Outcome]:
        """An answer part by part, each in words."""

    def texts(self, paradigm: Paradigm) -> tuple[tuple[str, ...], ...]:
        """The conditions whose sentences, taken together, no two instances may share."""

    def begin(self, decisions: Any) -> None:
        """Report what can be known once the readings of the first chunk are there."""

    def preferred(self, answers: Sequence[Any], condition: str, reading: str) -> tuple[str, list[str]]:
        """The reading of an instance's sentence that stands for one that people prefer, and all that it has."""

    def end(self, stream: Any) -> None:
        """Report what can be known only when every chunk was decided."""

    def why_moved(self, theories: tuple[str, str], before: Any, after: Any) -> str:
        """What tells two theories apart where their answers differ, in one line; empty where nothing short does."""

    # -- rows

    def rows(self, cells: Any) -> list[Row]:
        """The rows of each instance of a chunk, every column as a cell."""

    def answered(self, answer: Any) -> Iterator[str]:
        """What is counted of an answer in the manifest, under `answers_key`."""

    # -- verify

    def check(self, row: Mapping[str, Any], evidence: Evidence) -> Iterator[str]:
        """How a row is not what its certificate (or account) says. The columns have their types already."""

    def answers_of_row(self, row: Mapping[str, Any]) -> Iterable[str]:
        """The answers that a row says by itself, as `answered` counts them; none where only its account knows."""

    def broken_claims(self, decisions: Any, paradigm: Paradigm) -> Iterator[str]:
        """The claims of a paradigm that the decisions (about the same paradigm without claims) do not bear out."""

    # -- a reader

    def outline(self, stream: Any, chunk: Any) -> dict[str, Any]:
        """What `check` reports of the first instances (``chunk``) beside what it reports of every task."""

    def summary(self, outline: Mapping[str, Any]) -> list[str]:
        """The lines of text in which `check` reports an outline."""

    def derived(self, answers: Sequence[Any], condition: str) -> list[str]:
        """The lines that `sample` prints below a condition's sentence: what was derived of it in an instance."""

    def paradigm_page(self, stream: Any) -> Explained:
        """`explain PARADIGM`."""

    def item_page(self, plan: Plan, instance: str, condition: str | None) -> Explained:
        """`explain ITEM-ID`. Raises UsageError for an instance or condition that the paradigm does not have."""
