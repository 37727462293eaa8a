"""Importing the analysis loads none of the heavy packages; they come with the functions that use them."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("scipy.stats", "statsmodels", "matplotlib", "formulaic", "pandas", "torch")


@pytest.mark.process
@pytest.mark.parametrize(
    "module",
    [
        "gramprobe.analysis",
        "gramprobe.analysis.means",
        "gramprobe.analysis.mixed.model",
        "gramprobe.analysis.studies",
        "gramprobe.analysis.papers.exposure",
    ],
)
def test_an_import_loads_nothing_heavy(module: str) -> None:
    code = f"import sys, {module}; print(*sorted(set({HEAVY!r}) & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == []


@pytest.mark.process
def test_a_fit_loads_neither_statsmodels_nor_scipy_stats() -> None:
    code = """if True:
        import sys, pyarrow as pa
        from gramprobe.analysis.mixed.model import mixed_model
        rows = pa.table({"y": [1.0, 2.0, 4.0, 3.0, 5.0, 1.5], "g": list("aabbcc"), "x": [1, 2, 3, 1, 2, 3]})
        mixed_model("y ~ x + (1 | g)", rows).fit.effects()
        print(*sorted({"scipy.stats", "statsmodels", "matplotlib"} & set(sys.modules)))
    """
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == []
