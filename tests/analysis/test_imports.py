"""Importing the analysis loads none of the heavy packages; they come with the functions that use them."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("scipy.stats", "statsmodels", "matplotlib", "formulaic", "pandas", "torch")


MODULES = (
    "gramprobe.analysis",
    "gramprobe.analysis.means",
    "gramprobe.analysis.mixed.model",
    "gramprobe.analysis.studies",
    "gramprobe.analysis.papers.exposure",
)


@pytest.mark.process
def test_neither_an_import_nor_a_fit_loads_anything_heavy() -> None:
    """In one process, which says after each step what it has loaded by then."""
    code = f"""if True:
        import importlib, sys
        import pyarrow as pa
        for module in {MODULES!r}:
            importlib.import_module(module)
            print(module, *sorted(set({HEAVY!r}) & set(sys.modules)))
        from gramprobe.analysis.mixed.model import mixed_model
        rows = pa.table({{"y": [1.0, 2.0, 4.0, 3.0, 5.0, 1.5], "g": list("aabbcc"), "x": [1, 2, 3, 1, 2, 3]}})
        mixed_model("y ~ x + (1 | g)", rows).fit.effects()
        print("fit", *sorted({{"scipy.stats", "statsmodels", "matplotlib"}} & set(sys.modules)))
    """
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines() == [*MODULES, "fit"]
