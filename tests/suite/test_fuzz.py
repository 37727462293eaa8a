"""A minute of the driver of `make fuzz`, with the seed of the release."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "fuzz.py"


@pytest.mark.outside("datasets")
@pytest.mark.process
def test_a_minute_of_spoilt_inputs_finds_nothing() -> None:
    done = subprocess.run([sys.executable, str(SCRIPT), "--minutes", "1"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
