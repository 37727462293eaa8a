"""What every test may rely on: the Hypothesis profiles and the `accept` switch of the golden files."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# `fast` tries the same examples in every run, so that a red test is red for everybody; `full` tries new ones.
settings.register_profile(
    "fast", max_examples=50, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("full", max_examples=1000, deadline=None, print_blob=True)
settings.load_profile(os.environ.get("GRAMPROBE_TEST_PROFILE", "fast"))


def pytest_configure(config: pytest.Config) -> None:
    """Give the run a cache folder of its own: engines are tested, not what they said the last time, but a dataset that
    several tests build is decided once."""
    folder = tempfile.TemporaryDirectory(prefix="gramprobe-tests-")
    config.add_cleanup(folder.cleanup)
    os.environ["XDG_CACHE_HOME"] = folder.name
    os.environ.pop("GRAMPROBE_CACHE", None)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--accept``: golden outputs are recorded anew instead of compared."""
    parser.addoption("--accept", action="store_true", help="record the golden outputs anew")


@pytest.fixture(scope="session")
def recorded(accept: bool) -> Callable[[str, Path], None]:
    """Compares a text with its recording, or records it (`--accept`)."""

    def compare(now: str, place: Path) -> None:
        if accept:
            place.parent.mkdir(exist_ok=True)
            place.write_text(now, "utf-8")
        assert place.is_file(), f"{place} is not recorded: run pytest --accept, and read it"
        assert now == place.read_text("utf-8"), f"read what is new in {place.name}, then record it: pytest --accept"

    return compare


@pytest.fixture(scope="session")
def accept(request: pytest.FixtureRequest) -> bool:
    """Whether this run records golden outputs (`make accept`) instead of comparing them."""
    return bool(request.config.getoption("--accept"))
