"""Installed packages of a test's own: modules and metadata in a folder of `sys.path`, as pip leaves them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def install(
    folder: Path,
    package: str,
    modules: Mapping[str, str],
    entries: Mapping[str, Mapping[str, str]],
    version: str = "1.2",
) -> Path:
    """Put a package into a folder. ``modules``: name -> its text; ``entries``: group -> name -> `module:name`."""
    metadata = folder / f"{package.replace('-', '_')}-{version}.dist-info"
    metadata.mkdir(parents=True, exist_ok=True)
    lines = [
        line
        for group, points in entries.items()
        for line in (f"[gramprobe.{group}]", *(f"{name} = {value}" for name, value in points.items()), "")
    ]
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n", "utf-8")
    (metadata / "entry_points.txt").write_text("\n".join(lines), "utf-8")
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(text, "utf-8")
    return folder
