"""The base of tasks that decide nothing: rows of sentences, or of pairs of sentences, without labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gramprobe.items.task import NOTHING, CardTable, Evidence, GroupAnswer, Outcome, Task
from gramprobe.resolve.tasks import IN_NO_PAIR

if TYPE_CHECKING:
    from gramprobe.explain.decision import Explained
    from gramprobe.items.groups import Member, Part
    from gramprobe.items.plan import Plan
    from gramprobe.items.rows import Chunk
    from gramprobe.items.stream import Stream
    from gramprobe.resolve.paradigm.data import Paradigm
    from gramprobe.source.diagnostic import Diagnostic, Findings


class TextTask(Task):
    """The base of tasks whose rows have no label: nothing is decided, and no row has a certificate.

    A subclass has the constants `name`, `form` (with ``claims=None``), `columns` (which begin with `task.PLACE`),
    `sentences`, `about` and `scored`, and the method `rows`; see the manual, `items.task`. Its rows can have formulas
    (`cells.formula`) if its form says that sentences have a ``meaning``.
    """

    numbers: Mapping[str, tuple[str, ...] | None] = {}
    answers: tuple[str, ...] = ()
    rejects = False
    hub: tuple[str, ...] = ()
    card = CardTable(
        headings=("task", "rows", "items", "space", "passed over", "vetoed", "words"),
        fields=("task", "rows", "instances", "space", "passed_over", "vetoed", "content_words"),
        notes="`id` = phenomenon/paradigm/instance/condition; `instance` = what was drawn. In tasks without labels "
        "nothing is decided: their rows have no shape and no certificate.",
    )

    def parts(self, paradigm: Paradigm) -> tuple[Part, ...]:
        from gramprobe.items.groups import Part

        read = (c.name for c in paradigm.conditions.values() if self.form.meaning and c.role not in IN_NO_PAIR)
        return (Part(tuple(read)),)

    def answer(self, plan: Plan, part: Part, member: Member, findings: Findings) -> GroupAnswer:
        return NOTHING

    def agrees(self, plan: Plan, part: Part, answer: GroupAnswer, other: Member) -> bool:
        return True

    def objections(self, plan: Plan, answer: GroupAnswer) -> Iterable[tuple[object, Diagnostic]]:
        return ()

    def trust(self, plan: Plan, answer: GroupAnswer) -> Iterable[tuple[object, Diagnostic]]:
        return ()

    def unmet_claims(self, decisions: Any, findings: Findings) -> None:
        """Nothing is claimed."""

    def outcomes(self, part: Part, answer: GroupAnswer) -> Iterator[Outcome]:
        yield from ()

    def preferred(self, answers: Sequence[GroupAnswer], condition: str, reading: str) -> tuple[str, list[str]]:
        return reading, [reading]

    def answered(self, answer: GroupAnswer) -> Iterator[str]:
        yield from ()

    def check(self, row: Mapping[str, Any], evidence: Evidence) -> Iterator[str]:
        yield from ()

    def answers_of_row(self, row: Mapping[str, Any]) -> Iterable[str]:
        return ()

    def broken_claims(self, decisions: Any, paradigm: Paradigm) -> Iterator[str]:
        yield from ()

    def outline(self, stream: Stream, chunk: Chunk) -> dict[str, Any]:
        return {"items": stream.taken}

    def summary(self, outline: Mapping[str, Any]) -> list[str]:
        return [f"{outline['name']}: {outline['instances']:,} instances; {outline['items']:,} sampled"]

    def derived(self, answers: Sequence[GroupAnswer], condition: str) -> list[str]:
        return []

    def paradigm_page(self, stream: Stream) -> Explained:
        from gramprobe.items.pages.sentences import paradigm

        return paradigm(stream)

    def item_page(self, plan: Plan, instance: str, condition: str | None) -> Explained:
        from gramprobe.items.pages.sentences import item

        return item(plan, instance)
