"""The rows of an instance, task by task: what stands in each column (DESIGN of items: docs/json.md)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gramprobe.formula.notation import show
from gramprobe.items.account import Account
from gramprobe.items.cells import Number, Part, Row, Source, Struct, Text
from gramprobe.items.instance import segments_of
from gramprobe.items.kin import slot_of
from gramprobe.items.plan import Plan
from gramprobe.items.schema import COLUMNS
from gramprobe.items.spelling import Dictionaries, Segments, Spelling
from gramprobe.meaning.compose import CLOSE, OPEN, Reading
from gramprobe.resolve.paradigm.data import Condition, Draw
from gramprobe.space.space import Draws
from gramprobe.words.linearise import Form, consulted
from gramprobe.words.program import Segment
from gramprobe.words.realise import ID, Profile
from gramprobe.words.variants import Variants


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
        self._segments: dict[str, Segments] = {}
        self._said: dict[str, Said] = {}

    def rows(self, draws: Draws, groups: NDArray[np.int64], preferred: Sequence[str] = ()) -> list[Row]:
        """The rows of each instance of a chunk, every column as a cell."""
        return _Chunk(self, draws, groups, preferred).rows()

    def said(self, name: str) -> Said:
        """The variants of a condition's sentence, kept from chunk to chunk."""
        if name not in self._said:
            self._said[name] = Said(self.plan, self.plan.paradigm.conditions[name])
        return self._said[name]

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


class Said:
    """The sentences of a condition: for each variant of its tree the segments."""

    def __init__(self, plan: Plan, condition: Condition):
        self.condition, self.realiser = condition, plan.realiser
        self.variants = Variants(condition.tree, lambda t: consulted(t, plan.grammar), plan.space, plan.grammar)
        self.segments: list[Segments] = []

    def text(self, spelling: Spelling) -> Text:
        """The sentences of a chunk; noun phrases (candidates) stand as they are."""
        by = spelling.source(self.variants)
        for variant in self.variants.found[len(self.segments) :]:
            profile = Profile(np.zeros(0, np.intp), variant.tree, variant.chosen)
            self.segments.append(self.realiser.segments_of(profile))
        return spelling.text(by, self.segments, self.condition.side != "candidate")


@dataclass
class _Chunk:
    items: Items
    draws: Draws
    groups: NDArray[np.int64]
    preferred: Sequence[str]

    def __post_init__(self) -> None:
        self.plan = self.items.plan
        self.paradigm = self.plan.paradigm
        self.spelling = Spelling(self.items.words, self.draws)
        # groups without an account (no items) are never looked up
        self.known = max(self.items.accounts, default=0) + 1
        self.group = Source(self.known, self.groups.astype(np.int32))

    def sentence(self, name: str) -> Text:
        """The sentences of a condition."""
        return self.items.said(name).text(self.spelling)

    def rows(self) -> list[Row]:
        made: Callable[[Mapping[str, Any]], list[dict[str, Any]]] = getattr(self, self.items.task)
        return [{name: row[name] for name in self.items.columns} for row in made(self._leading())]

    def choice(self, leading: Mapping[str, Any]) -> list[dict[str, Any]]:
        sentence = self._one("sentence")
        options = [c.name for c in self.paradigm.conditions.values() if c.side == "option"]
        texts = {name: self.sentence(name) for name in options}
        fits = {name: self._holds(sentence, name) for name in options}
        common = {
            **leading,
            "sentence": self.sentence(sentence),
            "readings": self._readings(),
        }
        found, preferred = [], self._preferred()
        for order, (a, b) in enumerate((options, options[::-1]), 1):
            row = {"option_a": texts[a], "option_b": texts[b], "fits_a": fits[a], "fits_b": fits[b]}
            id_ = Text.of(leading["id"], f"/{order}")
            found.append({**common, **row, "id": id_, "order": Number(order), "preferred": preferred})
        return found

    def continuation(self, leading: Mapping[str, Any]) -> list[dict[str, Any]]:
        sentences = {c.side: self.sentence(c.name) for c in self._left()}
        row = {
            "ambiguous": sentences["ambiguous"],
            "control": sentences["control"],
            "followup_inverse": self.sentence("inverse"),
            "followup_surface": self.sentence("surface"),
            "readings": self._readings(),
            "fits": self._of(self._fits),
        }
        return [{**leading, **row}]

    def coref(self, leading: Mapping[str, Any]) -> list[dict[str, Any]]:
        sentence, followup, hypothesis = (self._one(side) for side in ("sentence", "followup", "hypothesis"))
        said = Text.of(self.sentence(sentence), " ", self.sentence(followup))
        row = {
            "text": said,
            "pronoun": self.sentence("pronoun"),
            "candidate_subject": self.sentence("subject"),
            "candidate_embedded": self.sentence("embedded"),
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
        instance = self._named(None)
        drawn = {d.name: self._named(d) for d in paradigm.draws}
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

    def _preferred(self) -> Text:
        """The reading that people prefer, empty where nobody was asked."""
        distinct = {text: number for number, text in enumerate(dict.fromkeys(self.preferred))}
        if len(distinct) < 2:
            return Text.of(next(iter(distinct), ""))
        codes = np.array([distinct[text] for text in self.preferred], np.int32)
        return Text.of(Part(self.items.words.texts(tuple(distinct)), (Source(len(distinct), codes),)))

    def _holds(self, left: str, right: str) -> Text:
        """The readings of one condition that another fits, or is entailed by."""
        return self._of(lambda found: listed(found.holds[left, right]))

    def _named(self, only: Draw | None) -> Text:
        """The ids of what was drawn: of all draws, or of one."""
        boxes = self.plan.space.boxes
        by = Source(len(boxes), self.draws.box) if len(boxes) > 1 else None
        return self.spelling.text(by, [segments_of(self.plan, box, only) for box in boxes], False)

    def _of(self, said: Callable[[Account], str]) -> Text:
        """What is said of an account, for each row."""
        accounts = self.items.accounts
        texts = [said(accounts[group]) if group in accounts else "" for group in range(self.known)]
        distinct = {text: number for number, text in enumerate(dict.fromkeys(texts))}
        if len(distinct) == 1:
            return Text.of(texts[0])
        by = self.spelling.narrowed(self.group, [distinct[text] for text in texts])
        return Text.of(Part(self.items.words.texts(tuple(distinct)), (by,)))

    def _cut(self, said: Callable[[Account], str]) -> Text:
        """The same where the text has slots for words of the row."""
        accounts = self.items.accounts
        known = [said(accounts[group]) if group in accounts else "" for group in range(self.known)]
        distinct = {text: number for number, text in enumerate(dict.fromkeys(known))}
        by = self.spelling.narrowed(self.group, [distinct[text] for text in known])
        return self.spelling.text(by, [self.items.pieces(text) for text in distinct], False)

    def _left(self) -> list[Condition]:
        named = dict.fromkeys(pair.premise for pair in self.paradigm.pairs)
        return sorted((self.paradigm.conditions[n] for n in named), key=lambda c: c.side)

    def _one(self, side: str) -> str:
        return next(c.name for c in self.paradigm.conditions.values() if c.side == side)
