"""The notebook of examples/ runs from its first cell to its figure, and each cell that ends in an object shows it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.outside("nbclient", "ipykernel")
NOTEBOOK = Path(__file__).resolve().parents[2] / "examples" / "from_paradigm_to_figure.ipynb"


def test_the_notebook_goes_from_a_paradigm_to_a_figure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import nbformat
    from nbclient import NotebookClient

    for name in ("JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "TMPDIR"):
        (tmp_path / name).mkdir()
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    notebook = nbformat.reads(NOTEBOOK.read_text("utf-8"), as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "save it without its outputs"
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": tmp_path}}).execute()
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    shown = [{kind for out in cell.outputs for kind in out.get("data", {})} for cell in code]
    assert all(kinds & {"text/html", "image/svg+xml"} for kinds in shown)
    assert "Only" in str(code[1].outputs) or "only" in str(code[1].outputs)
    assert "data:image/svg+xml;base64," in code[-1].outputs[-1]["data"]["text/html"]
