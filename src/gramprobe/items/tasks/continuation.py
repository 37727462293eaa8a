"""`continuation`: how well does a follow-up continue an ambiguous sentence, and its control? One row for each
quadruple of sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from gramprobe.items.task import LEADING, Evidence
from gramprobe.items.tasks.reading import (
    ONE_READING,
    PARAPHRASES,
    WEIGHED,
    ReadingTask,
    conditions_below,
    fits_json,
    only_below,
    weighed_cells,
    weighed_wrong,
)
from gramprobe.records import Scored
from gramprobe.resolve.tasks import Heading, TaskForm

if TYPE_CHECKING:
    from gramprobe.items.account import Account
    from gramprobe.items.cells import Row
    from gramprobe.items.rows import ChunkCells
    from gramprobe.resolve.paradigm.data import Paradigm


class Continuation(ReadingTask):
    """Experiment 2 of Kamath et al. (2024): an ambiguous sentence, a control with one reading, two follow-ups."""

    name = "continuation"
    form = TaskForm(
        name=name,
        headings=(
            Heading("ambiguous", most=1),
            Heading("control", most=2),
            Heading("followup", "follows", names=("inverse", "surface")),
            Heading("paraphrase", "restates", least=0, names=PARAPHRASES),
        ),
        claims="readings",
        gates=("spelling", "articles", "reading"),
    )
    weighed = "ambiguous"
    columns = (
        *LEADING, "ambiguous", "control", "control_2", "followup_inverse", "followup_surface", "readings", "fits",
        "kind", *WEIGHED,
    )  # fmt: skip
    sentences = ("ambiguous", "control", "control_2", "followup_inverse", "followup_surface")
    answers = ("fits",)
    about = (
        "quadruples of an ambiguous sentence, a control with one reading and two follow-ups, with "
        "the readings that each follow-up fits"
    )
    scored = Scored.of(
        context=("ambiguous", "control", "control_2"),
        continuations=("followup_inverse", "followup_surface"),
        label=("fits",),
    )

    def rejection(self, paradigm: Paradigm, answer: Account) -> str:
        """In an item the second follow-up fits one reading only, the first one fits the other (and perhaps both); each
        control has one reading, which the first follow-up fits and the second does not."""
        ambiguous = only_below(paradigm, "ambiguous")
        if len(answer.readings[ambiguous]) < 2:
            return ONE_READING
        for control in conditions_below(paradigm, "control"):
            if len(answer.readings[control.name]) > 1:
                return "its control has several readings"
            if not answer.holds[control.name, "inverse"] or answer.holds[control.name, "surface"]:
                return "its control does not go with the first follow-up alone"
        return "" if kind_of(answer, ambiguous) else "its follow-ups do not part its readings"

    def rows(self, cells: ChunkCells) -> list[Row]:
        ambiguous = only_below(cells.paradigm, "ambiguous")
        controls = [cells.sentence(control.name) for control in conditions_below(cells.paradigm, "control")]
        return [
            {
                **self.leading(cells),
                "ambiguous": cells.sentence(ambiguous),
                "control": controls[0],
                "control_2": controls[1] if controls[1:] else cells.constant(""),
                "followup_inverse": cells.sentence("inverse"),
                "followup_surface": cells.sentence("surface"),
                "fits": cells.of(0, lambda a: fits_json(a.holds)),
                "kind": cells.of(0, lambda a: kind_of(a, ambiguous)),
                **weighed_cells(cells, ambiguous),
            }
        ]

    def check(self, row: Mapping[str, Any], evidence: Evidence) -> Iterator[str]:
        account = evidence.account
        if row["fits"] != fits_json(account.holds):
            yield "`fits` is not what its account says"
        ambiguous = next(iter(account.holds))[0]
        if row["kind"] != kind_of(account, ambiguous):
            yield f"`kind` is `{row['kind']}`, and its account says `{kind_of(account, ambiguous)}`"
        yield from weighed_wrong(row, account, ambiguous)


def kind_of(account: Any, ambiguous: str) -> str:
    """The kind of an item by what its follow-ups fit; empty if it is no item.

    `exclusive`: no reading is fitted by both. `shared`: the first fits every reading, the second one of them.
    """
    inverse, surface = (set(account.holds[ambiguous, name]) for name in ("inverse", "surface"))
    if not inverse or not surface:
        return ""
    if not inverse & surface:
        return "exclusive"
    return "shared" if surface < inverse else ""
