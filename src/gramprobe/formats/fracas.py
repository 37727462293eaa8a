"""The problems of FraCaS (Cooper et al. 1996) in the XML of Bill MacCartney: premises, a hypothesis, an answer.

`yes` is read as entailment, `no` as contradiction, `unknown` as neutral; other answers, and none, as no label. The kind
of a problem is its section.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.parsers import expat

from gramprobe.certify.rule import LABELS
from gramprobe.formats.nli import Pair
from gramprobe.formats.tabular import missing, refused

FORM = "a file of problems of FraCaS"
ANSWERS = {"yes": LABELS[0], "unknown": LABELS[1], "no": LABELS[2]}
suffixes, gives = (".xml",), "pairs"


def reads(path: Path) -> bool:
    """Whether its first element is that of problems. Raises UsageError (E44)."""
    try:
        with path.open("rb") as file:
            return b"<fracas-problems" in file.read(1 << 12)
    except OSError as error:
        raise missing(path, error) from None


def read(path: Path) -> Iterator[Pair]:
    """The problems in their order. Raises UsageError (E44, E46), also for a problem without a premise or hypothesis."""
    try:
        text = path.read_bytes()
    except OSError as error:
        raise missing(path, error) from None
    found = _Problems(path)
    try:
        found.parser.Parse(text, True)
    except (expat.ExpatError, ValueError, LookupError) as error:  # also of an encoding that is not known
        line = getattr(error, "lineno", found.parser.CurrentLineNumber)
        raise refused(path, line, f"no XML: {error}", "a file that was cut off ends so: get it anew") from None
    if not found.pairs:
        raise refused(path, 1, "no `problem`", f"{FORM} has elements `problem` with `p` and `h` in them")
    yield from found.pairs


class _Problems:
    """Collects the problems of a file as its elements are read."""

    def __init__(self, path: Path) -> None:
        self.path, self.pairs = path, list[Pair]()
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler, self.parser.EndElementHandler = self._start, self._end
        self.parser.CharacterDataHandler = self._said
        self._text: list[str] = []
        self._section = self._class = ""
        self._given: dict[str, str] = {}
        self._parts: dict[str, list[str]] = {}

    def _start(self, name: str, given: dict[str, Any]) -> None:
        self._text = []
        if name == "problem":
            self._given, self._parts = given, {"p": [], "h": []}
        elif name == "comment":
            self._class = given.get("class", "")

    def _said(self, text: str) -> None:
        self._text.append(text)

    def _end(self, name: str) -> None:
        text, self._text = " ".join("".join(self._text).split()), []
        if name == "comment" and self._class == "section":
            self._section = text
        elif name in self._parts:
            self._parts[name].append(text)
        elif name == "problem":
            self.pairs.append(self._pair())

    def _pair(self) -> Pair:
        premises, number = tuple(self._parts["p"]), self._given.get("id", "")
        hypothesis = " ".join(self._parts["h"])
        if not all(premises) or not premises or not hypothesis:
            what = f"the problem `{number}` has no {'hypothesis' if premises else 'premise'}"
            raise refused(self.path, self.parser.CurrentLineNumber, what, "give each problem its `p` and one `h`")
        label = ANSWERS.get(self._given.get("fracas_answer", ""))
        return Pair(" ".join(premises), hypothesis, label, premises, kind=self._section, name=number)
