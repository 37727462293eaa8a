"""`coref`: to which of two candidates can a pronoun refer, in which reading? One row for each text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gramprobe.decide.wording import FACTIVITY
from gramprobe.items.task import LEADING, Evidence
from gramprobe.items.tasks.reading import ReadingTask, conditions_below, listed, only_below
from gramprobe.records import Scored
from gramprobe.resolve.tasks import Heading, TaskForm

if TYPE_CHECKING:
    from gramprobe.items.cells import Row
    from gramprobe.items.rows import ChunkCells


NOTES = ("frame", "verb_class", "gender_decides", "odd")
"""Columns about the text, which a paradigm may say below `note`: the frame and class of its verb, whether gender alone
decides whom a pronoun stands for, and what a native reader stumbles over."""


class Coref(ReadingTask):
    """De re and de dicto after Kamath & Bradford (2023): a text with a slot for a pronoun, and two candidates."""

    name = "coref"
    form = TaskForm(
        name=name,
        headings=(
            Heading("sentence", most=1),
            Heading("followup", "follows", most=1),
            Heading("hypothesis", "judged", most=1),
            Heading("candidate", "noted", names=("subject", "embedded", "pronoun")),
            Heading("note", "noted", least=0, names=NOTES),
        ),
        claims="readings",
        gates=("spelling", "articles", "reading"),
    )
    columns = (
        *LEADING, "text", "pronoun", "candidate_subject", "candidate_embedded", "ambiguous_readings",
        "embedded_accessible_in", "embedded_exists_in", "accessible", "readings", *NOTES,
    )  # fmt: skip
    sentences = ("text", "candidate_subject", "candidate_embedded")
    answers = ("ambiguous_readings", "embedded_accessible_in", "embedded_exists_in")
    about = "texts with a slot for a pronoun and two candidates, and the readings in which each can be meant"
    rejects = False
    scored = Scored.of(
        context=("text",), options=("candidate_subject", "candidate_embedded"),
        slot="[pronoun]", label=("embedded_accessible_in", "embedded_exists_in"),
    )  # fmt: skip

    def rows(self, cells: ChunkCells) -> list[Row]:
        sentence, followup, hypothesis = (
            only_below(cells.paradigm, side) for side in ("sentence", "followup", "hypothesis")
        )
        noted = {note.name for note in conditions_below(cells.paradigm, "note")}
        return [
            {
                **self.leading(cells),
                **{name: cells.sentence(name) if name in noted else cells.constant("") for name in NOTES},
                "text": cells.joined(cells.sentence(sentence), " ", cells.sentence(followup)),
                "pronoun": cells.sentence("pronoun"),
                "candidate_subject": cells.sentence("subject"),
                "candidate_embedded": cells.sentence("embedded"),
                "ambiguous_readings": cells.of(0, lambda a: listed([r.id for r in a.readings[sentence]])),
                "embedded_accessible_in": cells.of(0, lambda a: listed(a.holds[sentence, followup])),
                "embedded_exists_in": cells.of(0, lambda a: listed(a.holds[sentence, hypothesis])),
                "accessible": cells.of(
                    0, lambda a: access(a.holds[sentence, followup], a.holds[sentence, hypothesis], a.rests_on)
                ),
            }
        ]

    def check(self, row: Mapping[str, Any], evidence: Evidence) -> Iterator[str]:
        account = evidence.account
        by_kind = {kind: account.holds[place] for place, kind in account.kinds.items()}
        expected = {
            "ambiguous_readings": next(iter(account.readings.values())),
            "embedded_accessible_in": by_kind.get("fits", ()),
            "embedded_exists_in": by_kind.get("entailed", ()),
        }
        for column, ids in expected.items():
            if row[column] != listed(ids):
                yield f"`{column}` is `{row[column]}`, and its account says `{listed(ids)}`"
        wanted = access(expected["embedded_accessible_in"], expected["embedded_exists_in"], row["rests_on"])
        if row["accessible"] != wanted:
            yield f"`accessible` is `{row['accessible']}`, and its account says `{wanted}`"


def access(accessible: Sequence[str], exists: Sequence[str], rests_on: str) -> str:
    """`disputed` where in some reading the noun phrase is no accessible antecedent, but there is one since what is
    embedded is true: Karttunen (1976) counts such an indefinite as establishing a referent, and where the truth is
    presupposed its place is outermost (van der Sandt 1992). Else `settled`."""
    factive = any(principle.startswith(FACTIVITY) for principle in rests_on.split("; "))
    return "disputed" if factive and not set(exists) <= set(accessible) else "settled"
