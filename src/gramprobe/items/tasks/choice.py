"""`choice`: which of two options fits a sentence? Each instance has two rows, with the options in both orders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gramprobe.items.task import LEADING, Evidence
from gramprobe.items.tasks.reading import (
    ONE_READING,
    PARAPHRASES,
    WEIGHED,
    ReadingTask,
    conditions_below,
    listed,
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


class Choice(ReadingTask):
    """Experiment 1 of Kamath et al. (2024): a sentence with several readings, and two options."""

    name = "choice"
    form = TaskForm(
        name=name,
        headings=(
            Heading("sentence", most=1),
            Heading("option", "follows", least=2, most=2),
            Heading("paraphrase", "restates", least=0, names=PARAPHRASES),
        ),
        claims="readings",
        gates=("spelling", "articles", "reading"),
    )
    weighed = "sentence"
    picking = True
    columns = (
        *LEADING, "sentence", "option_a", "option_b", "picks_a", "picks_b", "fits_a", "fits_b", "kind", *WEIGHED,
        "preferred", "readings", "order",
    )  # fmt: skip
    numbers: Mapping[str, tuple[str, ...] | None] = {"order": None}
    sentences = ("sentence", "option_a", "option_b")
    answers = ("picks_a", "picks_b", "fits_a", "fits_b")
    about = "ambiguous sentences with two options, in both orders, and the reading that each option picks"
    scored = Scored.of(context=("sentence",), options=("option_a", "option_b"), label=("picks_a", "picks_b"))

    def rejection(self, paradigm: Paradigm, answer: Account) -> str:
        """In an item each of two readings has an option that picks it, or one option picks a reading and the other
        none."""
        ((_, readings),) = answer.readings.items()
        if len(readings) < 2:
            return ONE_READING
        return "" if kind_of(list(answer.picks.values())) else "its options do not part its readings"

    def rows(self, cells: ChunkCells) -> list[Row]:
        sentence = only_below(cells.paradigm, "sentence")
        options = [option.name for option in conditions_below(cells.paradigm, "option")]
        texts = {name: cells.sentence(name) for name in options}
        fits = {name: cells.of(0, lambda a, name=name: listed(a.holds[sentence, name])) for name in options}  # type: ignore[misc]
        picks = {name: cells.of(0, lambda a, name=name: a.picks[sentence, name]) for name in options}  # type: ignore[misc]
        preferred = cells.preferred()
        kind = cells.of(0, lambda a: kind_of(list(a.picks.values())))
        weighed = weighed_cells(cells, sentence)
        common = self.leading(cells)
        return [
            {
                **common,
                "id": self.leading(cells, f"/{order}")["id"],
                "sentence": cells.sentence(sentence),
                "option_a": texts[a],
                "option_b": texts[b],
                "picks_a": picks[a],
                "picks_b": picks[b],
                "fits_a": fits[a],
                "fits_b": fits[b],
                "kind": kind,
                **weighed,
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
        picks = sorted(each for each in account.picks.values() if each is not None)
        if len(picks) < len(account.picks):
            yield "no step shows whether an option fits a reading without the stronger one"
            return
        if sorted((row["picks_a"], row["picks_b"])) != picks:
            yield f"its options pick {picks} by its account"
        if {(row["picks_a"], row["fits_a"]), (row["picks_b"], row["fits_b"])} != {
            (account.picks[place], listed(ids)) for place, ids in account.holds.items()
        }:
            yield "an option picks a reading that another one picks by its account"
        if row["kind"] != kind_of(picks):
            yield f"`kind` is `{row['kind']}`, and its account says `{kind_of(picks)}`"
        yield from weighed_wrong(row, account, next(iter(account.readings)))
        if not row["id"].endswith(f"/{row['order']}"):
            yield f"`id` does not end in its `order`, {row['order']}"
        if row["order"] != 2 - evidence.number % 2:
            yield f"`order` is {row['order']}: rows are in turn 1 and 2"
        elif row["order"] == 1 and evidence.number == evidence.rows:
            yield "no row has its options turned"
        elif row["order"] == 2:
            turned = {f"{name}_{a}": f"{name}_{b}" for name in ("option", "picks", "fits") for a, b in ("ab", "ba")}
            before = evidence.before
            if before.get("instance") != row["instance"] or any(row[a] != before[b] for a, b in turned.items()):
                yield "it is not the row before it with its options turned"


def kind_of(picks: Sequence[str]) -> str:
    """The kind of an item by what its two options pick: `both` readings, or `one` of them; empty if it is no item."""
    picked = [each for each in picks if each]
    if len(set(picked)) < len(picked):
        return ""
    return {1: "one", 2: "both"}.get(len(picked), "")
