"""Every item becomes requests and tokens before the first forward pass, and what cannot be scored is listed at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from gramprobe.score.mode import Asked, Mode
from gramprobe.score.request import Chat, Classify, Continue, Engine, Fill, Pick, Refusal, Regions, Request, Whole
from gramprobe.score.source import Item, Selection, Table
from gramprobe.source import messages
from gramprobe.source.diagnostic import AuthoringError, Span

SHOWN = 20
"""How many of the items that cannot be scored an error lists one by one."""


def prepared(mode: Mode, engine: Engine, table: Table, item: Item) -> Iterator[tuple[Asked, Any | Refusal]]:
    """The requests about an item, each with its tokens or with why it cannot be answered."""
    for asked in mode.asked(table, item.row):
        request = asked.request
        if isinstance(request, Classify):
            request = replace(request, item=item.id, language=table.language)
        elif isinstance(request, Pick):
            request = replace(request, item=item.id)
        yield asked, unreadable(request) or engine.prepare(request)


def unreadable(request: Request) -> Refusal | None:
    """What is wrong with the texts of a request, whatever the model."""
    match request:
        case Continue(context, every):
            shown = [_plain(context), *(spelling.strip() for spellings in every for spelling in spellings)]
            shown += [spelling.removeprefix(" ") for spellings in every for spelling in spellings]
        case Whole(shown_) | Regions(shown_):
            shown = list(shown_)
            if not shown:
                return Refusal("regions", "its regions are no JSON list of texts that make up the text")
        case Fill(text, slot, candidates):
            shown = [text, *candidates]
            if text.count(slot) != 1:
                return Refusal("slot", f"the slot `{slot}` stands in its text {text.count(slot)} times, not once")
        case Pick(sentence, options):
            shown = [sentence, *options]
        case Classify(premise, hypothesis):
            shown = [premise, hypothesis]
    for each in shown:
        if not each.strip():
            return Refusal("empty", "a text is empty")
        if each != each.strip():
            return Refusal("space", f"`{_short(each)}` begins or ends with a space")
    return None


def _plain(context: str | Chat) -> str:
    return context if isinstance(context, str) else "\n".join(text for _, text in context)


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:18]} ... {text[-18:]}"


@dataclass
class Checked:
    """What a check found.

    Attributes:
        items: the number of items.
        shards: their shards: name -> the number of items.
        refused: the number of items that cannot be scored.
        shown: the first of them: place, id, flag and reason.
    """

    items: int = 0
    shards: dict[str, int] = field(default_factory=dict)
    refused: int = 0
    shown: list[tuple[Item, Refusal]] = field(default_factory=list)

    def error(self, where: str) -> AuthoringError:
        """The error that lists them. ``where``: the folder of the dataset, or nothing."""
        notes = [f"{item.id}: {refusal.reason}" for item, refusal in self.shown]
        if self.refused > len(notes):
            notes.append(f"... and {self.refused - len(notes):,} more")
        file, line = self.shown[0][0].place
        place = Span(f"{where}/{file}" if where else file, line, 1)
        return AuthoringError([messages.score.cannot_score(place, self.refused, self.items, notes)])


def check(mode: Mode, engine: Engine, selection: Selection) -> Checked:
    """Make every item's requests and tokens, and note those that cannot be answered. Nothing of it is kept."""
    found = Checked()
    for shard in selection.shards():
        found.shards[shard.name] = len(shard.items)
        found.items += len(shard.items)
        table = selection.source.tables[shard.table]
        for item in shard.items:
            refusals = (r for _, r in prepared(mode, engine, table, item) if isinstance(r, Refusal))
            refusal = next(refusals, None)
            if refusal is not None:
                found.refused += 1
                if len(found.shown) < SHOWN:
                    found.shown.append((item, refusal))
    return found
