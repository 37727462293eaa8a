"""The rows of an instance, task by task: what stands in each column (DESIGN of items: docs/json.md)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gramprobe.dataset.identify import names
from gramprobe.dataset.kin import slot_of
from gramprobe.dataset.plan import Plan
from gramprobe.dataset.schema import COLUMNS
from gramprobe.dataset.tasks.answers import Account
from gramprobe.dataset.tasks.cells import Dictionaries, Number, Piece, Row, Struct, Text, by_code
from gramprobe.formula.notation import show
from gramprobe.meaning.compose import CLOSE, OPEN, Reading
from gramprobe.resolve.paradigm import Condition
from gramprobe.space.space import Draws
from gramprobe.words.linearise import Form
from gramprobe.words.program import Segment
from gramprobe.words.realise import ID, gathered


def listed(ids: Sequence[str]) -> str:
    """Reading ids in one text."""
    return ", ".join(ids)


def readings_json(found: Mapping[str, Sequence[Reading]]) -> str:
    """Ids to formulas as JSON text: of the one sentence, or by condition where there are several."""
    shown = {name: {r.id: show(r.formula) for r in readings} for name, readings in found.items()}
    whole: Any = next(iter(shown.values())) if len(shown) == 1 else shown
    return json.dumps(whole, separators=(",", ":"), ensure_ascii=False)


@dataclass
class Items:
    """Cells of chunks of one paradigm; `accounts[g]` is the account of group g, as far as there are any."""

    plan: Plan
    accounts: dict[int, Account]
    preferred: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.words = Dictionaries(self.plan.realiser)
        self.task = self.plan.paradigm.task
        self.columns = COLUMNS[self.task]
        self._segments: dict[str, tuple[Segment, ...]] = {}

    def rows(self, draws: Draws, groups: NDArray[np.int64]) -> list[Row]:
        """The rows of each instance of a chunk, every column as a cell."""
        return _Chunk(self, draws, groups).rows()

    def sentence(self, name: str, draws: Draws) -> Text:
        """The sentences of a condition; noun phrases (candidates) stand as they are."""
        condition = self.plan.paradigm.conditions[name]
        return self.words.text(self.plan.realiser.filled(condition, draws), len(draws), condition.side != "candidate")

    def pieces(self, text: str) -> tuple[Segment, ...]:
        """A text cut at the symbols of slots, which stand for the words' ids."""
        if text not in self._segments:
            found: list[Segment] = []
            rest = text
            while OPEN in rest:
                before, _, behind = rest.partition(OPEN)
                path, _, rest = behind.partition(CLOSE)
                found.append(Segment(before, Form(slot_of(OPEN + path + CLOSE, self.plan), ID, False)))
            if found:
                found[-1] = Segment(found[-1].before, found[-1].form, rest)
            self._segments[text] = tuple(found) or (Segment(text, None),)
        return self._segments[text]


@dataclass
class _Chunk:
    items: Items
    draws: Draws
    groups: NDArray[np.int64]

    def __post_init__(self) -> None:
        self.plan = self.items.plan
        self.paradigm = self.plan.paradigm
        self.used = [int(g) for g in np.unique(self.groups)]

    def rows(self) -> list[Row]:
        made: Callable[[Mapping[str, Any]], list[dict[str, Any]]] = getattr(self, self.items.task)
        return [{name: row[name] for name in self.items.columns} for row in made(self._leading())]

    def choice(self, leading: Mapping[str, Any]) -> list[dict[str, Any]]:
        sentence = self._one("sentence")
        options = [c.name for c in self.paradigm.conditions.values() if c.side == "option"]
        texts = {name: self.items.sentence(name, self.draws) for name in options}
        fits = {name: self._holds(sentence, name) for name in options}
        common = {
            **leading,
            "sentence": self.items.sentence(sentence, self.draws),
            "readings": self._readings(),
        }
        found = []
        for order, (a, b) in enumerate((options, options[::-1]), 1):
            row = {"option_a": texts[a], "option_b": texts[b], "fits_a": fits[a], "fits_b": fits[b]}
            id_ = Text.of(leading["id"], f"/{order}")
            found.append({**common, **row, "id": id_, "order": Number(order), "preferred": self._preferred(order)})
        return found

    def continuation(self, leading: Mapping[str, Any]) -> list[dict[str, Any]]:
        sentences = {c.side: self.items.sentence(c.name, self.draws) for c in self._left()}
        row = {
            "ambiguous": sentences["ambiguous"],
            "control": sentences["control"],
            "followup_inverse": self.items.sentence("inverse", self.draws),
            "followup_surface": self.items.sentence("surface", self.draws),
            "readings": self._readings(),
            "fits": self._of(self._fits),
        }
        return [{**leading, **row}]

    def coref(self, leading: Mapping[str, Any]) -> list[dict[str, Any]]:
        sentence, followup, hypothesis = (self._one(side) for side in ("sentence", "followup", "hypothesis"))
        said = Text.of(self.items.sentence(sentence, self.draws), " ", self.items.sentence(followup, self.draws))
        row = {
            "text": said,
            "pronoun": self.items.sentence("pronoun", self.draws),
            "candidate_subject": self.items.sentence("subject", self.draws),
            "candidate_embedded": self.items.sentence("embedded", self.draws),
            "ambiguous_readings": self._of(lambda a: listed([r.id for r in a.readings[sentence]])),
            "embedded_accessible_in": self._holds(sentence, followup),
            "embedded_exists_in": self._holds(sentence, hypothesis),
            "readings": self._readings(),
        }
        return [{**leading, **row}]

    # -- cells

    def _leading(self) -> dict[str, Any]:
        paradigm = self.paradigm
        condition = self._left()[0].name
        instance = self.items.words.text(names(self.plan, self.draws), len(self.draws), False)
        drawn = {
            d.name: self.items.words.text(names(self.plan, self.draws, d), len(self.draws), False)
            for d in paradigm.draws
        }
        texts = {
            "phenomenon": paradigm.phenomenon,
            "paradigm": paradigm.name,
            "condition": condition,
            "tag": paradigm.pairs[0].tag,
            "split": paradigm.split,
            "theory": self.plan.theory.name,
        }
        return {
            **{name: Text.of(text) for name, text in texts.items()},
            "id": Text.of(f"{paradigm.full_name}/", instance, f"/{condition}"),
            "instance": instance,
            "shape": self._of(lambda a: a.id),
            "certificate": self._of(lambda a: a.certificate),
            "rests_on": self._cut(lambda a: a.rests_on),
            "draws": Struct(drawn),
        }

    def _readings(self) -> Text:
        return self._cut(lambda a: readings_json(a.readings))

    def _fits(self, account: Account) -> str:
        found: dict[str, dict[str, list[str]]] = {}
        for (left, right), ids in account.holds.items():
            found.setdefault(left, {})[right] = list(ids)
        return json.dumps(found, separators=(",", ":"), ensure_ascii=False)

    def _preferred(self, order: int) -> Text:
        return Text.of("")

    def _holds(self, left: str, right: str) -> Text:
        """The readings of one condition that another fits, or is entailed by."""
        return self._of(lambda found: listed(found.holds[left, right]))

    def _of(self, said: Callable[[Account], str]) -> Text:
        """What is said of an account, for each row."""
        texts = [""] * (max(self.used, default=0) + 1)
        for group in self.used:
            texts[group] = said(self.items.accounts[group])
        piece: Piece = by_code(texts, self.groups)
        return Text.of(piece)

    def _cut(self, said: Callable[[Account], str]) -> Text:
        """The same where the text has slots for words of the row."""
        parts = []
        for group in self.used:
            rows = np.flatnonzero(self.groups == group) if len(self.used) > 1 else np.arange(len(self.groups))
            parts.append((rows, self.items.pieces(said(self.items.accounts[group]))))
        return self.items.words.text(gathered(parts, self.draws), len(self.draws), False)

    def _left(self) -> list[Condition]:
        named = dict.fromkeys(pair.premise for pair in self.paradigm.pairs)
        return sorted((self.paradigm.conditions[n] for n in named), key=lambda c: c.side)

    def _one(self, side: str) -> str:
        return next(c.name for c in self.paradigm.conditions.values() if c.side == side)
