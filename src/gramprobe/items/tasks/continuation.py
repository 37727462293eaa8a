"""`continuation`: how well does a follow-up continue an ambiguous sentence, and its control? One row for each
quadruple of sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from gramprobe.items.task import LEADING, Evidence, Scored
from gramprobe.items.tasks.reading import ReadingTask, fits_json, only_below
from gramprobe.resolve.tasks import TaskForm

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
        left=("ambiguous", "control"),
        right=("followup",),
        counts={"ambiguous": 1, "control": 1},
        names={"followup": ("inverse", "surface")},
    )
    columns = (
        *LEADING, "ambiguous", "control", "followup_inverse", "followup_surface", "readings", "fits",
    )  # fmt: skip
    sentences = ("ambiguous", "control", "followup_inverse", "followup_surface")
    answers = ("fits",)
    about = (
        "quadruples of an ambiguous sentence, a control with one reading and two follow-ups, with "
        "the readings that each follow-up fits"
    )
    scored = Scored(
        context=("ambiguous", "control"), continuations=("followup_inverse", "followup_surface"), label=("fits",)
    )

    def factors(self, paradigm: Paradigm) -> tuple[str, ...]:
        return ("paradigm", "tag")

    def rejection(self, paradigm: Paradigm, answer: Account) -> str:
        """In an item each follow-up fits some reading, and no reading is fitted by both; the control has one reading,
        which the first follow-up fits and the second does not."""
        ambiguous, control = only_below(paradigm, "ambiguous"), only_below(paradigm, "control")
        if len(answer.readings[ambiguous]) < 2:
            return "its readings are one"
        if len(answer.readings[control]) > 1:
            return "its control has several readings"
        inverse, surface = (set(answer.holds[ambiguous, name]) for name in ("inverse", "surface"))
        if not inverse or not surface or inverse & surface:
            return "its follow-ups do not part its readings"
        if not answer.holds[control, "inverse"] or answer.holds[control, "surface"]:
            return "its control does not go with the first follow-up alone"
        return ""

    def rows(self, cells: ChunkCells) -> list[Row]:
        return [
            {
                **self.leading(cells),
                "ambiguous": cells.sentence(only_below(cells.paradigm, "ambiguous")),
                "control": cells.sentence(only_below(cells.paradigm, "control")),
                "followup_inverse": cells.sentence("inverse"),
                "followup_surface": cells.sentence("surface"),
                "fits": cells.of(0, lambda a: fits_json(a.holds)),
            }
        ]

    def check(self, row: Mapping[str, Any], evidence: Evidence) -> Iterator[str]:
        account = evidence.account
        if row["fits"] != fits_json(account.holds):
            yield "`fits` is not what its account says"
