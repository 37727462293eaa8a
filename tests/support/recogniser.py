"""A recogniser of sentences over the JSON that `gramprobe export grammar` prints, and over nothing else of gramprobe.

A chart of complete parts and begun productions (Kay 1980). Parts agree if they have the same value of every feature
that both have; a feature that is null in a production takes the value of the head, and hands it to the mother.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Features = tuple[tuple[str, str], ...]
#: category, features, where it ends
Part = tuple[str, Features, int]


@dataclass(frozen=True)
class Begun:
    """A production up to a daughter; ``shared``: the values that its head gave."""

    production: int
    daughter: int
    start: int
    shared: Features


class Recogniser:
    def __init__(self, text: bytes | str) -> None:
        self.grammar: dict[str, Any] = json.loads(text)

    def accepts(self, sentence: str) -> bool:
        return any(self._parsed(tokens) for tokens in self._cuts(sentence))

    def _cuts(self, sentence: str) -> Iterator[list[str]]:
        """The tokens of a sentence; a word that begins one as it stands, and with a small letter."""
        language = self.grammar["language"]
        marks, ends = "".join(language["marks"]), language["ends"]
        tokens: list[str] = []
        for word in sentence.split(language["joiner"]) if language["joiner"] else sentence:
            behind = [] if not word or word[-1] not in marks else [word[-1]]
            word = word[: len(word) - len(behind)]
            clitic = next((c for c in sorted(language["clitics"], key=len, reverse=True) if word.endswith(c)), "")
            if clitic and re.search(r"\w$", word.removesuffix(clitic)):
                tokens += [word.removesuffix(clitic), clitic]
            elif word:
                tokens.append(word)
            tokens += behind
        first = [n for n in range(len(tokens)) if n == 0 or tokens[n - 1] in ends]
        for choice in range(1 << len(first) if language["capitals"] else 1):
            lowered = {place for bit, place in enumerate(first) if choice >> bit & 1}
            yield [t[:1].lower() + t[1:] if n in lowered else t for n, t in enumerate(tokens)]

    def _parsed(self, tokens: Sequence[str]) -> bool:
        there = set(tokens)
        usable = [
            p for p in self.grammar["productions"] if all(isinstance(d, dict) or d in there for d in p["daughters"])
        ]
        chart: dict[int, dict[Part, None]] = defaultdict(dict)
        waiting: dict[int, dict[Begun, None]] = defaultdict(dict)
        agenda: list[tuple[int, Part]] = []
        for word in self.grammar["words"]:
            form = word["tokens"]
            for start in range(len(tokens) - len(form) + 1):
                if list(tokens[start : start + len(form)]) == form:
                    agenda.append((start, (word["category"], _sorted(word["features"]), start + len(form))))

        def go_on(begun: Begun, place: int) -> None:
            """Step over the tokens of a production; wait for its next part, or be complete."""
            production = usable[begun.production]
            daughters, at = production["daughters"], begun.daughter
            while at < len(daughters) and isinstance(daughters[at], str):
                if place >= len(tokens) or tokens[place] != daughters[at]:
                    return
                at, place = at + 1, place + 1
            begun = Begun(begun.production, at, begun.start, begun.shared)
            if at == len(daughters):
                own = {f: v if v is not None else dict(begun.shared).get(f) for f, v in production["features"].items()}
                kept = _sorted({f: v for f, v in own.items() if v is not None})
                agenda.append((begun.start, (production["category"], kept, place)))
            elif begun not in waiting[place]:
                waiting[place][begun] = None
                for part in list(chart[place]):
                    take(begun, part)

        def take(begun: Begun, part: Part) -> None:
            wanted, (category, features, end) = usable[begun.production]["daughters"][begun.daughter], part
            has = dict(features)
            if wanted["category"] == category and all(
                v is None or has.get(f, v) == v for f, v in wanted["features"].items()
            ):
                shared = {f: has[f] for f, v in wanted["features"].items() if v is None and f in has}
                merged = _sorted({**dict(begun.shared), **shared})
                go_on(Begun(begun.production, begun.daughter + 1, begun.start, merged), end)

        for number in range(len(usable)):
            for place in range(len(tokens) + 1):
                go_on(Begun(number, 0, place, ()), place)
        while agenda:
            start, part = agenda.pop()
            if part not in chart[start]:
                chart[start][part] = None
                for begun in list(waiting[start]):
                    take(begun, part)
        return any(
            category == sentence["category"] and [*tokens[end:]] == [sentence["final"]]
            for sentence in self.grammar["sentences"]
            for category, _, end in chart[0]
        )


def _sorted(features: Mapping[str, str]) -> Features:
    return tuple(sorted(features.items()))
