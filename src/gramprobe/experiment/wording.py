"""What is asked, and what a page says beside the items: in English by default, in any words by a TOML file.

question = "Is this a sentence of English?"
[options]                       # the name of an answer -> what is read
1 = "yes"
0 = "no"
[page]                          # what the page itself says
continue = "Continue"
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gramprobe.certify.rule import LABELS
from gramprobe.experiment.trials import Kind, Option
from gramprobe.formats.tabular import missing, no_utf8, refused
from gramprobe.source.nearest import did_you_mean

QUESTIONS: Mapping[str, str] = {
    "choice": "Which of these fits better?",
    "rating": "How natural is this?",
    "nli": "If the first sentence is true, the second is",
    "acceptability": "Is this acceptable?",
    "self_paced": "",
}
OPTIONS: Mapping[str, Mapping[str, str]] = {
    "choice": {},
    "nli": dict(zip(LABELS, ("certainly true", "perhaps true", "certainly false"), strict=True))
    | {"not_entailment": "not certainly true"},
    "acceptability": {"1": "yes", "0": "no"},
    "self_paced": {"yes": "yes", "no": "no"},
}
"""Kind -> name of an answer -> what is read."""
PAGE: Mapping[str, str] = {
    "title": "Reading sentences",
    "agree": "I agree",
    "continue": "Continue",
    "start": "Start",
    "read": "Press the space bar to see the next word.",
    "keys": "You can also press the key that stands beside an answer.",
    "thanks": "Thank you. Your answers:",
    "save": "Save the answers as a file",
    "sent": "Your answers were sent. You can close this page.",
    "not_sent": "Your answers could not be sent. Please save them as a file.",
    "not_served": "The items cannot be loaded: this folder is to be served, not opened from the disk.",
    "no_list": "This address names a list that there is not.",
}
"""Key -> what the page says."""


@dataclass(frozen=True)
class Wording:
    """What is asked, the answers by name, and the words of the page; what is not said is that of the kind."""

    question: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    page: Mapping[str, str] = field(default_factory=dict)

    def asked(self, kind: Kind) -> str:
        return QUESTIONS[kind] if self.question is None else self.question

    def scale(self, kind: Kind, points: int, labels: Sequence[str] = ()) -> tuple[Option, ...]:
        """The answers of every trial of a kind; of a choice none. ``labels``: those of the dataset's rows."""
        if kind == "rating":
            known: Mapping[str, str] = {str(n): str(n) for n in range(1, points + 1)}
        elif kind == "nli":
            known = {label: OPTIONS["nli"].get(label, label) for label in labels}
        else:
            known = OPTIONS[kind]
        return tuple(Option(name, self.options.get(name, text)) for name, text in known.items())


def read_wording(path: Path) -> Wording:
    """The words in a file. Raises UsageError: E44 for no file, E46 for what it cannot hold."""
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise missing(path, error) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise refused(path, 1, f"no TOML: {error}", "docs/experiments.md has a whole file") from None
    for name in data:
        _known(path, name, ("question", "options", "page"))
    for name in data.get("page", {}):
        _known(path, name, tuple(PAGE))
    return Wording(
        None if "question" not in data else _text(path, "question", data["question"]),
        _texts(path, "options", data.get("options", {})),
        _texts(path, "page", data.get("page", {})),
    )


def read_text(path: Path) -> str:
    """A text file of the author's. Raises UsageError (E44, E46)."""
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise missing(path, error) from None
    except UnicodeDecodeError:
        raise no_utf8(path) from None
    if not text.strip():
        raise refused(path, 1, "the file is empty", "write the text into it, with empty lines between paragraphs")
    return text


def _known(path: Path, name: str, names: tuple[str, ...]) -> None:
    if name not in names:
        help = f"there are {', '.join(names)}"
        raise refused(path, 1, f"nothing is called `{name}`{did_you_mean(name, names)}", help)


def _texts(path: Path, name: str, data: Any) -> dict[str, str]:
    if not isinstance(data, dict):
        raise refused(path, 1, f"`{name}` is no table", f'write `[{name}]` and below it lines `name = "text"`')
    return {each: _text(path, f"{name}.{each}", text) for each, text in data.items()}


def _text(path: Path, name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise refused(path, 1, f"`{name}` is no text", 'put it in quotation marks: "..."')
    return value
