"""Platforms: programs that present an experiment to people. Each is a module with an object of a class of platforms.

PLATFORMS["jspsych"].write(experiment, folder, given)
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from gramprobe.experiment.trials import Experiment
from gramprobe.registry import Registry


@dataclass(frozen=True)
class Given:
    """What the author gives beside the items.

    Attributes:
        consent: the text that people agree to; empty for none.
        instructions: the text before the first trial; empty for none.
        language: the code of the items' language (BCP 47).
        bundle: the folder `node_modules` with the programs that the page is made of; None: they are not put into it.
        save_url: where the page sends the answers; empty: they are a download.
    """

    consent: str = ""
    instructions: str = ""
    language: str = "en"
    bundle: Path | None = None
    save_url: str = ""

    @staticmethod
    def paragraphs(text: str) -> list[str]:
        """The paragraphs of a text, which stand between empty lines."""
        lines = [line.strip() for line in text.splitlines()]
        return [" ".join(each.split("\n")) for each in "\n".join(lines).split("\n\n") if each.strip()]


class Platform(Protocol):
    """A program that presents an experiment.

    Attributes:
        name: what `--platform` calls it.
        about: what it writes, as a clause.
        takes: which options it takes of `bundle` and `save_url`.
    """

    @property
    def name(self) -> str: ...

    @property
    def about(self) -> str: ...

    @property
    def takes(self) -> tuple[str, ...]: ...

    def write(self, experiment: Experiment, folder: Path, given: Given) -> str:
        """Write the files of the platform into a folder; what to do with them, in a sentence or two. Raises
        UsageError."""


PLATFORMS: Registry[Platform] = Registry(
    "platform",
    {name: f"gramprobe.experiment.platforms.{name}:PLATFORM" for name in ("csv", "jspsych", "pcibex")},
    "gramprobe.experiment.platforms:Platform",
)
"""Name -> platform; packages add others by entries of `gramprobe.platforms`."""
