"""Imports go one way: the table of who may import whom.

Every import counts, also those inside functions and under TYPE_CHECKING and those by
`importlib.import_module("...")`.
"""

from __future__ import annotations

import ast
import re
import sys
from functools import cache
from importlib.util import resolve_name
from pathlib import Path

import pytest

SRC = Path(__file__).resolve().parents[1] / "src"

# In the order of the pipeline. `a.b` allows that module alone, `a` the package with all that is in it.
LAYERS: dict[str, tuple[str, ...]] = {
    "source": (),
    "formula": (),
    "certify": (),
    "registry": ("source",),
    "records": (),
    "folders": ("records", "source"),
    "language": ("source", "records"),
    "formats": ("source", "registry", "certify.rule", "records"),
    "baselines": ("source", "registry", "formats", "language"),
    "cache": (),
    "stop": (),
    "progress": (),
    "shown": (),
    "work": ("source", "cache"),
    "syntax": ("source", "cache", "language"),
    "resolve": ("syntax", "formula", "source", "registry", "baselines", "language", "records", "certify.rule", "shown"),
    "compiled": ("resolve.grammar", "records", "language"),
    "chart": ("compiled.data", "language", "records"),
    "space": ("resolve", "source", "syntax.tree", "cache"),
    "words": ("resolve", "space", "syntax", "source", "language"),
    "meaning": ("resolve", "formula", "source", "syntax", "words.linearise"),
    "decide": ("formula", "certify", "cache", "stop"),
    "judge": (
        "source",
        "records",
        "syntax.tree",
        "syntax.grammar_tree",
        "resolve",
        "meaning",
        "formula",
        "certify",
        "decide",
    ),
}
LAYERS["interpret"] = (
    "source", "certify.rule", "resolve", "compiled", "chart", "formula", "words.linearise", "words.order", "meaning",
    "decide", "judge", "formats.tabular", "syntax.tree", "stop",
)  # fmt: skip
LAYERS["catalog"] = (
    "source", "syntax", "resolve", "compiled", "chart", "space", "words", "formula", "meaning", "judge",
    "interpret.rules",
)  # fmt: skip
LAYERS["explain"] = tuple(LAYERS)
LAYERS["telling"] = ("formula", "certify", "resolve", "words", "meaning", "decide", "judge", "explain", "source")
LAYERS["items"] = tuple(LAYERS)
LAYERS["dataset"] = tuple(LAYERS)
LAYERS["score"] = (
    "source",
    "language",
    "registry",
    "certify.rule",
    "records",
    "folders",
    "formats.nli",
    "formats.tabular",
    "work.cluster",
    "work.pool",
    "dataset.manifest",
    "dataset.read",
    "baselines",
    "shown",
)
LAYERS["finetune"] = (
    "source",
    "records",
    "folders",
    "certify.rule",
    "baselines",
    "formats",
    "dataset.manifest",
    "score",
)
LAYERS["experiment"] = (
    "source",
    "registry",
    "records",
    "certify.rule",
    "formats.tabular",
    "dataset.manifest",
    "dataset.read",
)
LAYERS["judgments"] = (
    "source",
    "folders",
    "registry",
    "certify.rule",
    "records",
    "formats",
    "dataset.manifest",
    "dataset.read",
    "score.source",
    "experiment.trials",
)
LAYERS["paradigm"] = tuple(LAYERS)
LAYERS["project"] = tuple(LAYERS)
LAYERS["analysis"] = (
    "source",
    "progress",
    "folders",
    "registry",
    "certify.rule",
    "records",
    "language",
    "baselines",
    "formats",
    "dataset.manifest",
    "dataset.read",
    "score.mode",
    "score.modes",
    "score.parts",
    "score.record",
    "score.results",
    "score.source",
    "finetune.record",
    "finetune.results",
    "shown",
    "judgments",
)
LAYERS["open"] = ("dataset.agreement", "dataset.read", "analysis")
LAYERS["audit"] = (
    "source",
    "language",
    "certify.rule",
    "formats",
    "baselines",
    "resolve.grammar.data",
    "words.arrow",
    "decide",
    "interpret",
    "explain.decision",
    "dataset.gates",
    "score.engines.reader",
    "analysis.means",
    "analysis.output",
)
LAYERS["check"] = tuple(LAYERS)
LAYERS["cli"] = tuple(LAYERS)
LAYERS["__main__"] = ("cli",)
LAYERS["__init__"] = (
    "project",
    "open",
    "dataset.read",
    "score.results",
)  # the public names, imported on use

# Only the standard library: what everything rests on, and the kernel that a reader must be able to read whole.
STANDARD_LIBRARY_ONLY = ("source", "certify", "shown")
# Packages that are slow to import, or that one layer hides from all others. Scripts that exports hand on run in other
# programs.
HANDED_ON = "gramprobe.formats.scripts."
ONLY_IN = {
    "lark": ("syntax",),
    "pysat": ("decide",),
    "cvc5": ("decide",),
    "nltk": (),  # the tests read sentences back with it
    "torch": ("score", "finetune"),
    "transformers": ("score", "finetune"),
    "accelerate": ("finetune",),
    "scipy": ("analysis", "baselines"),
    "statsmodels": (),  # the tests compare with it
    "formulaic": ("analysis",),
    "pandas": ("analysis",),
    "ray": ("work",),
}
FILES = sorted((SRC / "gramprobe").rglob("*.py"))


@cache
def imported(code: str, module: str) -> frozenset[str]:
    """The dotted names a module imports; of `from a import b` it is `a.b`, as `b` may be a module."""
    package = module.rpartition(".")[0]
    found: set[str] = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            found.update(name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            whole = resolve_name("." * node.level + (node.module or ""), package)
            found.update(f"{whole}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in ("import_module", "__import__"):
                found.add(str(node.args[0].value))
    return frozenset(found)


def offences(code: str, module: str) -> list[str]:
    """What a module imports and may not. ``module`` is its dotted name; a package's own is `a.b.__init__`."""
    layer = module.split(".")[1]
    if layer not in LAYERS:
        return [f"{module}: the layer {layer} is not in the table"]
    problems = []
    for name in sorted(imported(code, module)):
        top, _, inner = name.partition(".")
        if top == "gramprobe":
            allowed = (layer, "__version__", *LAYERS[layer])
            if not any(inner == edge or inner.startswith(f"{edge}.") for edge in allowed):
                problems.append(f"{module} imports {name}")
        elif layer in STANDARD_LIBRARY_ONLY and top not in sys.stdlib_module_names:
            problems.append(f"{module} imports {name}, which is not of the standard library")
        elif layer not in ONLY_IN.get(top, (layer,)) and not module.startswith(HANDED_ON):
            allowed_in = " and ".join(ONLY_IN[top]) or "the tests"
            problems.append(f"{module} imports {name}, which is for {allowed_in} only")
    return problems


def module_of(file: Path) -> str:
    return ".".join(file.relative_to(SRC).with_suffix("").parts)


def file_circles(edges: dict[str, set[str]]) -> list[list[str]]:
    """The groups of modules that import one another, directly or by way of others (Tarjan 1972)."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    circles: list[list[str]] = []

    def visit(module: str) -> None:
        number[module] = lowest[module] = len(number)
        stack.append(module)
        for below in sorted(edges[module]):
            if below not in number:
                visit(below)
            if below in stack:
                lowest[module] = min(lowest[module], lowest[below])
        if lowest[module] == number[module]:
            circle = [stack.pop()]
            while circle[-1] != module:
                circle.append(stack.pop())
            if len(circle) > 1 or module in edges[module]:
                circles.append(sorted(circle))

    for module in edges:
        if module not in number:
            visit(module)
    return circles


def edges_of(code: dict[str, str]) -> dict[str, set[str]]:
    """Module -> the modules of ours that it imports; of a package the file `__init__`."""
    names = {module.removesuffix(".__init__"): module for module in code}
    names.pop("gramprobe", None)  # every module may read the version
    edges: dict[str, set[str]] = {}
    for module, text in code.items():
        found = {part for name in imported(text, module) for part in (name, name.rpartition(".")[0])}
        edges[module] = {names[name] for name in found if name in names} - {module}
    return edges


@pytest.mark.slow
def test_no_file_imports_itself_by_way_of_others() -> None:
    code = {module_of(file): file.read_text(encoding="utf-8") for file in FILES}
    assert file_circles(edges_of(code)) == []


def test_a_circle_of_files_is_found_also_inside_functions() -> None:
    code = {
        "gramprobe.formula.ast": "def f():\n    from gramprobe.formula import show",
        "gramprobe.formula.show": "from gramprobe.formula.canonical import canonical",
        "gramprobe.formula.canonical": "from gramprobe.formula.ast import Formula",
        "gramprobe.formula.alone": "import gramprobe.formula.ast",
    }
    assert file_circles(edges_of(code)) == [
        ["gramprobe.formula.ast", "gramprobe.formula.canonical", "gramprobe.formula.show"]
    ]


# What a room or module may reach, directly or by way of others (`a` is all of the room a). Whoever reads, scores or
# analyses a dataset needs no task, no grammar and no engine of logic; the kernel needs nothing.
_TREES = ("source", "language", "records", "cache", "syntax")
_RESOLVED = (
    *_TREES,
    "registry",
    "formula",
    "certify.rule",
    "baselines.matches",
    "baselines.readers",
    "shown",
    "resolve",
)
_DECIDED = (*_RESOLVED, "certify", "stop", "decide", "space", "words", "meaning", "judge")
_BUILT = (
    *_DECIDED,
    "compiled",
    "chart",
    "progress",
    "baselines.constituents",
    "baselines.pairs",
    "baselines.table",
    "explain",
    "telling",
    "interpret",
    "items",
    "work",
    "formats",
    "dataset",
)
_READ = (
    "source", "language", "records", "dataset.exchange", "dataset.footer", "dataset.manifest", "dataset.parquet",
    "dataset.read", "dataset.schema", "shown",
)  # fmt: skip
_SCORED = (
    *_READ,
    "progress",
    "registry",
    "cache",
    "folders",
    "certify.rule",
    "formats",
    "baselines",
    "work.pool",
    "work.cluster",
)
_TRAINED = ("finetune.folder_check", "finetune.record")
REACHES: dict[str, tuple[str, ...]] = {
    "source": (),
    "formula": (),
    "certify": (),
    "records": (),
    "cache": (),
    "registry": ("source",),
    "folders": ("records", "source"),
    "language": ("source", "records"),
    "formats": ("source", "registry", "certify.rule", "records"),
    "baselines": ("source", "registry", "language", "records", "formats.tabular"),
    "stop": (),
    "progress": (),
    "shown": (),
    "work": ("source", "cache"),
    "syntax": _TREES,
    "resolve": _RESOLVED,
    "compiled": (*_TREES, "formula.ast", "shown", "resolve.grammar", "resolve.names"),
    "chart": ("compiled.data", "language", "records", "source"),
    "space": (*_TREES, "registry", "formula.ast", "shown", "resolve"),
    "words": (*_TREES, "registry", "formula.ast", "shown", "resolve", "space"),
    "meaning": (*_TREES, "formula", "shown", "resolve", "words.linearise"),
    "decide": ("cache", "formula", "certify", "stop"),
    "explain": ("cache", "formula", "certify", "stop", "decide", "shown"),
    "judge": _DECIDED,
    "telling": (*_DECIDED, "explain"),
    "interpret": (*_DECIDED, "compiled", "chart", "formats.tabular"),
    "catalog": (*_DECIDED, "compiled", "chart", "interpret.rules"),
    "items": (*_DECIDED, "explain", "telling", "compiled", "chart"),
    "dataset.read": _READ,
    "dataset": _BUILT,
    "score.results": ("source", "certify.rule", "records", "folders", "score.folder_check", "score.record", "shown"),
    "finetune.results": ("source", "certify.rule", "records", "folders", "score.record", *_TRAINED),
    "score": _SCORED,
    "finetune": (*_SCORED, "score"),
    "judgments": (*_SCORED, "score.source", "experiment.trials"),
    "analysis": (*_SCORED, "score", "finetune.results", *_TRAINED, "judgments", "experiment.trials"),
    "open": (*_BUILT, *_SCORED, "score", "finetune.results", *_TRAINED, "judgments", "experiment.trials", "analysis"),
    "audit": (*_BUILT, *_SCORED, "interpret", "score", "analysis"),
    "experiment": (*_READ, "registry", "certify.rule", "formats"),
    "paradigm": _BUILT,
    "project": (*_BUILT, "paradigm", "catalog", "interpret"),
    "check": (*_BUILT, "paradigm", "project", "catalog", "interpret"),
    "cli": tuple(LAYERS),
    "__main__": tuple(LAYERS),
    "__init__": tuple(LAYERS),
}


@cache
def our_edges() -> dict[str, set[str]]:
    return edges_of({module_of(file): file.read_text(encoding="utf-8") for file in FILES})


def within(module: str, place: str) -> bool:
    """Whether a module is this one or one of this room. The docstring of a room may be reached with any part of it."""
    name = module.removeprefix("gramprobe.").removesuffix(".__init__")
    return name == place or name.startswith(f"{place}.") or place.startswith(f"{name}.") or module == place


def reached(start: str, edges: dict[str, set[str]]) -> set[str]:
    """The modules that those of a room (or a module) reach, without themselves."""
    own = {module for module in edges if within(module, start) and not start.startswith(f"{module[10:]}.")}
    found, todo = set[str](), sorted(own)
    while todo:
        for below in edges[todo.pop()] - found:
            found.add(below)
            todo.append(below)
    return found - own


@pytest.mark.slow
@pytest.mark.parametrize("start", REACHES)
def test_a_room_reaches_nothing_else_by_way_of_others(start: str) -> None:
    allowed = (start, *REACHES[start])
    assert [m for m in sorted(reached(start, our_edges())) if not any(within(m, place) for place in allowed)] == []


def test_every_room_says_what_it_reaches() -> None:
    assert set(LAYERS) <= set(REACHES)


def test_what_is_reached_by_way_of_others_is_found() -> None:
    code = {
        "gramprobe.score.forms": "from gramprobe.dataset.schema import SCORED",
        "gramprobe.dataset.schema": "def f():\n    from gramprobe.items.tasks import TASKS",
        "gramprobe.items.tasks": "",
    }
    assert reached("score", edges_of(code)) == {"gramprobe.dataset.schema", "gramprobe.items.tasks"}


# The picture of the house in docs/index.md. What reads a dataset folder is a box of its own beside what builds one.
PICTURE = SRC.parent / "docs" / "index.md"
READS = ("read", "manifest", "schema", "parquet", "footer", "exchange")


def box_of(module: str) -> str:
    _, room, *inner = module.split(".")
    return "dataset.read" if room == "dataset" and inner and inner[0] in READS else room


def boxes(edges: dict[str, set[str]]) -> dict[str, set[str]]:
    """Box -> the boxes that its modules import; without the two entrances and the docstrings of rooms."""
    found: dict[str, set[str]] = {}
    for module, below in edges.items():
        if box_of(module) not in ("__main__", "__init__"):
            found.setdefault(box_of(module), set()).update(box_of(m) for m in below if not is_docstring(m))
    return {box: below - {box} for box, below in found.items()}


def is_docstring(module: str) -> bool:
    return module == "gramprobe.dataset.__init__"


def drawn(page: str) -> dict[str, set[str]]:
    """Box -> the boxes from which an arrow of the picture leads to it."""
    found: dict[str, set[str]] = {}
    picture = page.partition("```mermaid")[2].partition("```")[0]
    for line in picture.splitlines():
        if node := re.fullmatch(r' *(\w+)\["([\w.]+)<br>[^"]+"\]', line):
            assert node[2].replace(".", "_") == node[1]
            found.setdefault(node[2], set())
        elif arrow := re.fullmatch(r" *(\w+(?: & \w+)*) --> (\w+)", line):
            names = {name.replace(".", "_"): name for name in found}
            found[names[arrow[2]]] |= {names[name] for name in arrow[1].split(" & ")}
    return found


def differences(picture: dict[str, set[str]], imports: dict[str, set[str]]) -> list[str]:
    """Boxes and arrows that are missing or no longer true. An import counts as drawn where arrows lead that way."""
    problems = [f"no box {box}" for box in sorted(imports.keys() - picture.keys())]
    problems += [f"{box} is no room" for box in sorted(picture.keys() - imports.keys())]
    for box in sorted(imports.keys() & picture.keys()):
        problems += [f"{box} does not import {below}" for below in sorted(picture[box] - imports[box])]
        led, todo = set[str](), [box]
        while todo:
            for below in picture.get(todo.pop(), set()) - led:
                led.add(below)
                todo.append(below)
        problems += [f"no arrow from {below} to {box}" for below in sorted(imports[box] - led)]
    return problems


@pytest.mark.slow
def test_the_picture_of_the_house_is_that_of_the_imports() -> None:
    assert differences(drawn(PICTURE.read_text("utf-8")), boxes(our_edges())) == []


@pytest.mark.slow
def test_a_picture_that_is_not_true_is_found() -> None:
    page = PICTURE.read_text("utf-8")
    assert differences(drawn(page.replace("formula & certify & cache", "certify & cache")), boxes(our_edges())) != []
    assert differences(drawn(page.replace(" --> decide", " & cli --> decide")), boxes(our_edges())) != []
    assert differences(drawn(page), boxes(our_edges()) | {"parser": {"formula"}}) == ["no box parser"]


@pytest.mark.parametrize("file", FILES, ids=module_of)
def test_a_module_imports_only_what_lies_below_it(file: Path) -> None:
    assert offences(file.read_text(encoding="utf-8"), module_of(file)) == []


def test_every_layer_of_the_table_is_there() -> None:
    assert {module_of(file).split(".")[1] for file in FILES} == set(LAYERS)


def test_the_table_has_no_circle() -> None:
    names = list(LAYERS)
    for layer, edges in LAYERS.items():
        assert all(names.index(edge.split(".")[0]) < names.index(layer) for edge in edges), layer


@pytest.mark.parametrize(
    ("module", "code"),
    [
        ("gramprobe.formula.ast", "import gramprobe.source.diagnostic"),
        ("gramprobe.source.files", "from gramprobe import project"),
        ("gramprobe.certify.check", "def f():\n    from gramprobe.formula import ast"),
        ("gramprobe.certify.check", "import numpy as np"),
        ("gramprobe.decide.label", "if TYPE_CHECKING:\n    from gramprobe.resolve.tree import Tree"),
        ("gramprobe.decide.search.sat", "from ...words import realise"),
        ("gramprobe.space.space", "from gramprobe.syntax.reader import read_lines"),
        ("gramprobe.space.__init__", "from ..words import realise"),
        ("gramprobe.meaning.compose", "from gramprobe.words import realise"),
        ("gramprobe.resolve.grammar.words", "from importlib import import_module\nimport_module('pysat.solvers')"),
        ("gramprobe.judge.typed", "from gramprobe.space.space import Space"),
        ("gramprobe.explain.words", "from gramprobe.items.plan import Plan"),
        ("gramprobe.dataset.build", "import torch"),
        ("gramprobe.score.run", "from gramprobe.dataset.build import build"),
        ("gramprobe.score.plain", "from gramprobe.items.tasks import TASKS"),
        ("gramprobe.compiled.fcfg", "from nltk.grammar import FeatureGrammar"),
        ("gramprobe.dataset.build", "import gramprobe.cli"),
        ("gramprobe.project", "from gramprobe.cli import main"),
        ("gramprobe.compiled.fcfg", "import gramprobe"),
        ("gramprobe.helpers", "import json"),
    ],
)
def test_a_wrong_import_is_found(module: str, code: str) -> None:
    assert len(offences(code, module)) == 1


@pytest.mark.parametrize(
    ("module", "code"),
    [
        ("gramprobe.decide.label", "from gramprobe.certify.model import Model\nfrom .search import sat"),
        ("gramprobe.decide.search.sat", "import_module('pysat.solvers')\nfrom ...certify import check"),
        ("gramprobe.meaning.compose", "from gramprobe.words.linearise import key_of\nimport math"),
        ("gramprobe.space.space", "import gramprobe.syntax.tree\nimport numpy as np"),
        ("gramprobe.dataset.manifest", "from gramprobe import __version__"),
        ("gramprobe.__init__", "from gramprobe import project"),
    ],
)
def test_a_right_import_passes(module: str, code: str) -> None:
    assert offences(code, module) == []
