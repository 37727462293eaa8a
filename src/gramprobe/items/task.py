"""The manual of a task: the protocol that each module of `items.tasks` follows.

A task is one kind of question that rows ask, such as "does the premise entail the hypothesis?" (`nli`). An author
chooses it with the line `task NAME` of a paradigm. The task decides five things; everything else (drawing instances,
files, data card, `verify`, `explain`) is the same for all tasks and calls the task for them:

    1. what an author writes: headings, pairs, claims                       `form`
    2. what is decided, and for which conditions together                   `parts`, `answer`, `agrees`, `texts`
    3. which instances become rows, and which objections stop a build       `rejection`, `objections`, `trust`, claims
    4. the columns of the rows, and what a model is scored on               `columns`, `rows`, `scored`, `card`
    5. what a reader of the dataset can check, and what people are shown    `check`, `outline`, the pages

The words used below:

    part      conditions that are decided together: one pair (`nli`), or all conditions of an instance (the others)
    group     instances whose part has the same shapes; each group is decided once, by its first instance (`member`)
    answer    the result for a part of a group: `label.PairLabels` or `account.Account`, or a type of the task's own
              with the properties of :class:`GroupAnswer`
    cell      a whole column of a chunk of instances: the answer's texts by group, the words by slot (`rows.ChunkCells`)

**Do not start from this protocol.** There are three bases that implement nearly all of it:

- `tasks.text.TextTask`, if rows have no label: sentences, or pairs of sentences. Nothing is decided, so that its
  paradigms name no theory, its rows have no certificate, and `form` has ``claims=None``. Write the constants `name`,
  `form`, `columns` (they begin with :data:`PLACE`), `sentences`, `about` and `scored`, and the method `rows`.
- `tasks.reading.ReadingTask`, if the rows are about the readings of a sentence (`fits`, `entailed`). It decides all
  readings of an instance in one account. Write these constants and `answers`, with columns that begin with
  :data:`LEADING`, and the methods `rows`, `check`, and `rejection` (or `rejects = False`).
- `tasks.nli.Nli`, if each pair has a label (`expect`). It decides each pair by itself, and its constants are those of
  pairs with labels, so that a task of another kind replaces more: the same constants (with `claims="label"` in `form`),
  `numbers`, `hub` and `card`, and the methods `rows`, `check`, `answered` and `answers_of_row` (the answer in words, of
  a group and of a row: the manifest and the card count these). With `rejection`, `rejects = True`.
  `YesNo` in `tests/items/test_rows_of_tasks.py` is a whole task of this kind to copy, and `Settled` there rejects.

A whole task without labels: two sentences of which the first should be likelier. `score` reads `scored`: with options
and no context its mode is `minimal_pair`.

    class Likelier(TextTask):
        name = "likelier"
        form = TaskForm(
            name=name, headings=(Heading("good", most=1), Heading("bad", most=1)), claims=None, theory=False,
            meaning=False,
        )
        columns = (*PLACE, "good", "bad")
        sentences = ("good", "bad")
        about = "pairs of sentences of which the first should be likelier"
        scored = Scored.of(options=("good", "bad"))

        def rows(self, cells):
            good, bad = only_below(cells.paradigm, "good"), only_below(cells.paradigm, "bad")
            return [{**cells.leading(good), "good": cells.sentence(good), "bad": cells.sentence(bad)}]

With a heading that follows or is judged (`Heading("followup", "follows")`) its paradigms relate conditions by `pair`
lines without claims, and `rows` goes through `cells.paradigm.pairs`.

A whole task about readings: a sentence, one follow-up, and the readings that it fits.

    class FollowUp(ReadingTask):
        name = "followup"
        form = TaskForm(
            name=name, headings=(Heading("sentence", most=1), Heading("followup", "follows", most=1)), claims="readings"
        )
        columns = (*LEADING, "sentence", "followup", "fits", "readings")
        sentences = ("sentence", "followup")
        answers = ("fits",)
        about = "sentences with a follow-up, and the readings that it fits"
        scored = Scored.of(context=("sentence",), continuations=("followup",), label=("fits",))

        def rejection(self, paradigm, answer):
            ((sentence, readings),) = answer.readings.items()
            return "" if len(readings) > 1 else "the sentence has one reading"

        def rows(self, cells):
            sentence, followup = only_below(cells.paradigm, "sentence"), only_below(cells.paradigm, "followup")
            return [{
                **self.leading(cells),                        # LEADING, and `readings`
                "sentence": cells.sentence(sentence),
                "followup": cells.sentence(followup),
                "fits": cells.of(0, lambda account: listed(account.holds[sentence, followup])),
            }]

        def check(self, row, evidence):
            (fitting,) = evidence.account.holds.values()      # (left, right) -> ids of readings
            if row["fits"] != listed(fitting):
                yield f"`fits` is `{row['fits']}`, and its account says `{listed(fitting)}`"

Then add an object of the class to `TASKS` in `tasks/__init__.py`; in a package, name it in an entry of
`gramprobe.tasks`. CONTRIBUTING ("Add a task") goes through the steps and checks.

Types: the protocol names types of modules that build on this one as Any. A task annotates them: ``decisions`` is
`items.decisions.Decisions`, ``stream`` and ``chunk`` are `items.stream.Stream` and `Chunk`, ``cells`` is
`items.rows.ChunkCells`, ``answer`` the task's own type of answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, get_args

from msgspec import Struct

from gramprobe.records import Scored
from gramprobe.resolve.tasks import Role, TaskForm

if TYPE_CHECKING:
    from gramprobe.explain.decision import Explained
    from gramprobe.items.cells import Row
    from gramprobe.items.groups import Member, Part
    from gramprobe.items.licensing import LicensingAccount
    from gramprobe.items.plan import Plan
    from gramprobe.meaning.reading import Reading
    from gramprobe.resolve.paradigm.data import Paradigm
    from gramprobe.source.diagnostic import Diagnostic, Findings

_FROM = "id", "phenomenon", "paradigm", "condition", "instance", "tag", "split"
PLACE = (*_FROM, "draws")
"""The columns with which the rows of a task begin that decides nothing: where a row is from."""
LEADING = (*_FROM, "theory", "shape", "certificate", "rests_on", "draws")
"""The columns with which the rows of every other task begin: where a row is from, and what shows its answer."""


class GroupAnswer(Protocol):
    """The answer to a part of a group of rows (`label.PairLabels`, `account.Account`, :data:`NOTHING`)."""

    @property
    def shape(self) -> str:
        """The line of `certificates.jsonl`, or of `accounts.jsonl`, that it rests on."""

    @property
    def certificate(self) -> str:
        """The kind of certificate: `models`, `venn`, `bounded(3)`."""

    @property
    def rests_on(self) -> str:
        """The principles that it rests on, with symbols of slots for words of the row."""

    @property
    def shapes(self) -> tuple[str, ...]:
        """The ids of the shapes that were decided for it."""


class Nothing(Struct, frozen=True):
    """The answer of a task that decides nothing."""

    shape: str = ""
    certificate: str = ""
    rests_on: str = ""
    shapes: tuple[str, ...] = ()


NOTHING = Nothing()


class Outcome(Struct, frozen=True):
    """One part of an answer in words, for comparing two theories: `label neutral`, `every > a fits`."""

    part: str
    words: str


class CardTable(Struct, frozen=True, kw_only=True):
    """The table of a data card that lists the paradigms of a task; tasks with equal tables share one.

    Attributes:
        headings: the headings of its columns, after the paradigm's name.
        fields: for each heading the key in the paradigm's entry of the manifest (`manifest.ParadigmEntry`); `a.b` is
            key b of the object a, `sum a` the sum of the values of a.
        notes: the paragraph that explains the columns of rows.
    """

    headings: tuple[str, ...]
    fields: tuple[str, ...]
    notes: str


class Evidence(Protocol):
    """What `verify` passes to a task's `check`: lines of the dataset that the kernel has accepted.

    Attributes:
        number: the number of the row, from 1; 0 where it is not told.
        rows: how many rows the paradigm has by the manifest.
        before: the row before it; empty for the first row.
        account: the row's checked account (`dataset.verify.accounts.CheckedAccount`), for tasks about readings.
        charts: the checked charts of the dataset (`dataset.verify.charts.Charts`), for minimal pairs.
    """

    @property
    def number(self) -> int: ...

    @property
    def rows(self) -> int: ...

    before: Mapping[str, Any]
    account: Any
    charts: Any

    def line(self, shape: str) -> Mapping[str, Any] | None:
        """The checked certificate of a shape, a line of certificates.jsonl; None where no certificate holds."""

    def is_rejected(self, shape: str) -> bool:
        """Whether the certificate or account of a shape was found wrong. It is reported at its line, so not again for
        the row."""

    def licensing(self, id_: str) -> LicensingAccount | None:
        """The checked account of what the noun phrases of a minimal pair license; None where none holds."""

    def wrong_formulas(self, premise: str, hypothesis: str, shape: str) -> str:
        """How two formulas differ from those of a shape; empty where they are the same."""


def misfit(task: Task) -> str:
    """Why the constants of a task do not go together, as a clause; empty if they do."""
    columns, leading = task.columns, PLACE if task.form.claims is None else LEADING
    if columns[: len(leading)] != leading:
        return f"its `columns` do not begin with `{'PLACE' if leading is PLACE else 'LEADING'}` of `items.task`"
    if len({*columns}) < len(columns):
        return "a name stands twice among its `columns`"
    form = task.form
    roles = {heading.name: heading.role for heading in form.headings if heading.role not in get_args(Role)}
    if roles:
        return f"its heading `{next(iter(roles))}` has the role `{next(iter(roles.values()))}`, which does not exist"
    if form.name != task.name or form.claims not in ("label", "readings", None):
        return f"its `form` has the name `{form.name}` and the claims `{form.claims}`"
    scored = {f"scored.{n}": getattr(task.scored, n) for n in ("context", "options", "continuations", "label")}
    named = {"sentences": task.sentences, "answers": task.answers, "numbers": task.numbers, **scored}
    for constant, names in named.items():
        for name in names:
            if name not in columns:
                return f"its `{constant}` names `{name}`, which is not among its `columns`"
    return ""


class Task(Protocol):
    """One task. The attributes are constants of its class; see the docstring of this module for an example.

    Attributes:
        name: the word that an author writes after `task`.
        form: the headings of a paradigm, which of them pairs relate, what pairs claim, and the gates that its sentences
            pass through (:class:`gramprobe.resolve.tasks.TaskForm`).
        columns: all columns of a row, in order; they begin with :data:`LEADING`, or (nothing is decided) :data:`PLACE`.
        numbers: for each column of integers the names of its values (a ClassLabel of `datasets`), or None for plain
            numbers. All other columns are texts, except `draws`.
        optional: columns of integers that are null in rows of some paradigms.
        sentences: columns of sentences. `diff` reports a change in them as a rewording.
        answers: columns of answers. `diff` reports a change in them as a moved label.
        rejects: whether `rejection` can reject an instance.
        about: what the data card says the rows are, behind their number.
        hub: lines of the card's header by which the Hugging Face hub finds the task; often empty.
        card: the data card's table.
        scored: the columns that a model reads and is scored on.
    """

    name: str
    form: TaskForm
    columns: tuple[str, ...]
    numbers: Mapping[str, tuple[str, ...] | None]
    optional: frozenset[str] = frozenset()
    sentences: tuple[str, ...]
    answers: tuple[str, ...]
    rejects: bool
    about: str
    hub: tuple[str, ...]
    card: CardTable
    scored: Scored

    # -- deciding

    def parts(self, paradigm: Paradigm) -> tuple[Part, ...]:
        """The parts of an instance: the conditions that are decided together, each with its pair if it is one."""

    def ordered(self, paradigm: Paradigm) -> frozenset[str]:
        """The conditions of whose readings it is asked in which order the operators stand in the words; none unless a
        task says so."""
        return frozenset()

    def grouping(self, plan: Plan, parts: tuple[Part, ...], ordered: frozenset[str]) -> Any:
        """What numbers instances that have the same answer, a `groups.Grouping`: by formulas, unless a task says so."""
        from gramprobe.items.groups import Grouping

        return Grouping(plan, parts, ordered)

    def reading_ids(self, readings: Sequence[Reading]) -> list[str]:
        """The ids by which an author names the readings of a sentence."""
        return [reading.id for reading in readings]

    def answer(self, plan: Plan, part: Part, member: Member, findings: Findings) -> GroupAnswer | None:
        """Decide a part of a group by the group's first instance.

        None, with a finding, where there is no answer. Objections to the answer may be added to ``findings`` here, or
        given by `objections`.
        """

    def agrees(self, plan: Plan, part: Part, answer: Any, other: Member) -> bool:
        """Whether another instance of the group has the same shapes. False stops the build: groups were wrong."""

    def objections(self, plan: Plan, answer: Any) -> Iterable[tuple[object, Diagnostic]]:
        """Diagnostics about an answer, each with a key: of several with the same key the first one is reported."""

    def trust(self, plan: Plan, answer: Any) -> Iterable[tuple[object, Diagnostic]]:
        """Diagnostics about the labels of an answer that rest on trust, with keys as in `objections`. They are asked
        for only where such labels are not allowed."""

    def rejection(self, paradigm: Paradigm, answer: Any) -> str:
        """Why instances with this answer are rejected, as a clause (`the sentence has one reading`); empty if they are
        not. Rejected instances are replaced by others, and counted under this text in the manifest."""
        return ""

    def unmet_claims(self, decisions: Any, findings: Findings) -> None:
        """Report every claim of the author (`expect`, `fits`, ...) that differs from an answer so far.

        Called for each chunk; ``decisions.once(key)`` is True the first time only.
        """

    def outcomes(self, part: Part, answer: Any) -> Iterator[Outcome]:
        """What an answer says, item by item and in words, for comparing two theories."""

    def texts(self, paradigm: Paradigm) -> tuple[tuple[str, ...], ...]:
        """The texts that may not be repeated: tuples of conditions whose sentences, taken together, must be different
        in any two instances. Those of all conditions together, unless a task says otherwise."""
        return (tuple(paradigm.conditions),)

    def begin(self, decisions: Any) -> None:
        """Report mistakes that show in the readings of the first chunk, before anything is decided."""
        return None

    def preferred(self, answers: Sequence[Any], condition: str, reading: str) -> tuple[str, list[str]]:
        """For an instance with these answers: the id under which its account has the reading that people prefer of a
        condition, and the ids of all readings of that condition. Used by tasks with a column `preferred`."""

    def end(self, stream: Any) -> None:
        """Report mistakes that show only when every chunk was decided: a claim about a reading that never occurs."""
        return None

    def why_moved(self, theories: tuple[str, str], before: Any, after: Any) -> str:
        """Why an answer differs between two theories, as one line (a model of only one of them); empty if unknown."""
        return ""

    # -- rows

    def rows(self, cells: Any) -> list[Row]:
        """The rows that every instance of a chunk gives: one mapping of all `columns` to cells for each row.

        Their number is that of the rows of every instance, and a multiple of the number of parts: row k has the answer
        of part k, unless there is one part. A cell stands for the whole chunk, so that this is called once for
        thousands of instances (and once for an empty chunk, to count the rows). Cells are made by ``cells``:
        `leading`, `sentence`, `of`, `number_of`, `cut`, `formula`, `constant`, `joined`, `number`
        (`items.rows.ChunkCells`).
        """

    def answered(self, answer: Any) -> Iterator[str]:
        """The texts by which an answer is counted in the manifest, under `labels` or `answers`."""

    # -- verify

    def check(self, row: Mapping[str, Any], evidence: Evidence) -> Iterator[str]:
        """What is wrong with a row, by its certificate or account alone: one clause for each problem.

        Columns and their types are checked before. Called for each row where the source files are not at hand, or
        give other rows. Of a task with claims, and of minimal pairs, also before answers are counted
        (`dataset.agreement`): then for one of the rows with equal answers, with lines that nobody has checked.
        """

    def answers_of_row(self, row: Mapping[str, Any]) -> Iterable[str]:
        """The answers in the columns of a row, as `answered` counts them; empty where only the account has them."""

    def broken_claims(self, decisions: Any, paradigm: Paradigm) -> Iterator[str]:
        """The claims of a paradigm that differ from the answers, each as a line for `verify`."""

    # -- what people are shown

    def outline(self, stream: Any, chunk: Any) -> dict[str, Any]:
        """The task's own fields in the report of `check` about the first instances, ``chunk``."""

    def summary(self, outline: Mapping[str, Any]) -> list[str]:
        """The report of `check` as lines of text."""

    def derived(self, answers: Sequence[Any], condition: str) -> list[str]:
        """The lines that `sample` prints below a condition's sentence: the answers about it in one instance."""

    def paradigm_page(self, stream: Any) -> Explained:
        """The page of `explain PARADIGM`."""

    def item_page(self, plan: Plan, instance: str, condition: str | None) -> Explained:
        """The page of `explain ITEM-ID`. Raises UsageError if the paradigm has no such instance or condition."""
