"""`choice`: which of two options fits a sentence? Each instance has two rows, with the options in both orders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from gramprobe.items.task import LEADING, Evidence, Scored
from gramprobe.items.tasks.reading import ReadingTask, conditions_below, listed, only_below
from gramprobe.resolve.tasks import TaskForm

if TYPE_CHECKING:
    from gramprobe.items.account import Account
    from gramprobe.items.cells import Row
    from gramprobe.items.rows import ChunkCells
    from gramprobe.resolve.paradigm.data import Paradigm


class Choice(ReadingTask):
    """Experiment 1 of Kamath et al. (2024): a sentence with several readings, and two options."""

    name = "choice"
    form = TaskForm(name=name, left=("sentence",), right=("option",), counts={"sentence": 1, "option": 2})
    columns = (
        *LEADING, "sentence", "option_a", "option_b", "fits_a", "fits_b", "preferred", "readings", "order",
    )  # fmt: skip
    numbers: Mapping[str, tuple[str, ...] | None] = {"order": None}
    sentences = ("sentence", "option_a", "option_b")
    answers = ("fits_a", "fits_b")
    rows_each = 2
    about = "ambiguous sentences with two options, in both orders, and the readings that each option fits"
    scored = Scored(context=("sentence",), options=("option_a", "option_b"), label=("fits_a", "fits_b"))

    def factors(self, paradigm: Paradigm) -> tuple[str, ...]:
        return ("paradigm", "tag", "order", "preferred")

    def rejection(self, paradigm: Paradigm, answer: Account) -> str:
        """In an item one option fits exactly one of several readings, and the other option fits another reading."""
        ((sentence, readings),) = answer.readings.items()
        if len(readings) < 2:
            return "its readings are one"
        sets = [set(answer.holds[sentence, option.name]) for option in conditions_below(paradigm, "option")]
        separate = any(len(one) == 1 and other - one for one, other in (sets, sets[::-1]))
        return "" if separate else "its options do not part its readings"

    def rows(self, cells: ChunkCells) -> list[Row]:
        sentence = only_below(cells.paradigm, "sentence")
        options = [option.name for option in conditions_below(cells.paradigm, "option")]
        texts = {name: cells.sentence(name) for name in options}
        fits = {name: cells.of(0, lambda a, name=name: listed(a.holds[sentence, name])) for name in options}  # type: ignore[misc]
        preferred = cells.preferred()
        common = self.leading(cells)
        return [
            {
                **common,
                "id": self.leading(cells, f"/{order}")["id"],
                "sentence": cells.sentence(sentence),
                "option_a": texts[a],
                "option_b": texts[b],
                "fits_a": fits[a],
                "fits_b": fits[b],
                "preferred": preferred,
                "order": cells.number(order),
            }
            for order, (a, b) in enumerate((options, options[::-1]), 1)
        ]

    def check(self, row: Mapping[str, Any], evidence: Evidence) -> Iterator[str]:
        account = evidence.account
        wanted = sorted(listed(ids) for ids in account.holds.values())
        if sorted((row["fits_a"], row["fits_b"])) != wanted:
            yield f"its options fit {wanted} by its account"
        if row["order"] != 2 - evidence.number % 2:
            yield f"`order` is {row['order']}: rows are in turn 1 and 2"
        elif row["order"] == 2:
            turned = {"option_a": "option_b", "option_b": "option_a", "fits_a": "fits_b", "fits_b": "fits_a"}
            before = evidence.before
            if before.get("instance") != row["instance"] or any(row[a] != before[b] for a, b in turned.items()):
                yield "it is not the row before it with its options turned"
