"""Defaults of msgspec structs: `dataclasses.field` in one is itself the default, and nobody else would say so."""

from __future__ import annotations

import ast
from pathlib import Path

SRC = Path(__file__).resolve().parents[1] / "src"


def fields_of_dataclasses(code: str) -> list[str]:
    """The structs of a module of which an attribute has a default by a call of `field`, as those of dataclasses do."""
    if "Struct" not in code or "field(" not in code:  # most modules, which take three seconds to parse
        return []
    classes = (node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.ClassDef))
    structs = (each for each in classes if {"Struct", "msgspec.Struct"} & set(map(ast.unparse, each.bases)))
    called = ("field", "dataclasses.field")
    return [
        each.name
        for each in structs
        for line in each.body
        if isinstance(line, ast.AnnAssign)
        and isinstance(line.value, ast.Call)
        and ast.unparse(line.value.func) in called
    ]


def test_no_struct_has_a_field_of_a_dataclass_as_its_default() -> None:
    assert {str(file): found for file in SRC.rglob("*.py") if (found := fields_of_dataclasses(file.read_text()))} == {}


def test_one_that_has_is_found() -> None:
    body = "    one: dict = field(default_factory=dict)\n    other: int = 0\n"
    assert fields_of_dataclasses(f"class A(Struct, frozen=True):\n{body}class B:\n{body}") == ["A"]
