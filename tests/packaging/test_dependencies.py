"""What is imported is declared, and what is declared is pinned to a release."""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
#: module -> the distribution that has it, where the names differ
DISTRIBUTIONS = {"pysat": "python-sat"}


def named(requirements: list[str]) -> set[str]:
    return {canonicalize_name(Requirement(text).name) for text in requirements}


def third_party(folder: Path) -> Iterator[str]:
    """The distributions that the modules below a folder import, also inside functions; but for the scripts of exports,
    which run in other programs."""
    for file in (each for each in folder.rglob("*.py") if each.parent.name != "scripts"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            modules: list[str] = []
            if isinstance(node, ast.Import):
                modules = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
                modules = [node.module]
            elif (
                isinstance(node, ast.Call)
                and getattr(node.func, "attr", getattr(node.func, "id", "")) == "import_module"
            ):
                modules = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
            for module in modules:
                top = module.partition(".")[0]
                if top != "gramprobe" and top not in sys.stdlib_module_names:
                    yield canonicalize_name(DISTRIBUTIONS.get(top, top))


@cache
def imported() -> frozenset[str]:
    """The distributions that the package imports."""
    return frozenset(third_party(ROOT / "src"))


@pytest.mark.slow
def test_what_the_package_imports_is_a_dependency() -> None:
    extras = PROJECT["optional-dependencies"]
    optional = named(
        [
            requirement
            for name in ("analysis", "api", "finetune", "oracle", "ray", "score")
            for requirement in extras[name]
        ]
    )
    assert {"click", "lark", "numpy"} <= imported()
    assert imported() - named(PROJECT["dependencies"]) - optional == set()


@pytest.mark.slow
def test_every_dependency_is_imported_by_the_package() -> None:
    assert named(PROJECT["dependencies"]) - imported() == set()


def test_every_requirement_is_pinned_within_its_bounds() -> None:
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pins = dict(line.split("==") for line in lines if not line.startswith("#"))
    pinned = {canonicalize_name(name): version for name, version in pins.items()}
    groups = [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()]
    for requirement in (Requirement(text) for group in groups for text in group):
        if requirement.name == PROJECT["name"]:  # one extra asks for another
            continue
        version = pinned.get(canonicalize_name(requirement.name))
        assert version is not None, f"{requirement.name} is not in constraints.txt"
        assert requirement.specifier.contains(version, prereleases=True), f"{requirement} and not {version}"
