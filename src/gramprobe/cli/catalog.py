"""What `gramprobe list` prints about grammars: modules, constructors, features, words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct

from gramprobe.catalog.entries import Entry, describe, entries, modules
from gramprobe.catalog.pages import words
from gramprobe.cli.answers.answer import answer
from gramprobe.cli.answers.projects import Declared, Modules, Words
from gramprobe.cli.main import project_of
from gramprobe.project import NO_PARADIGM
from gramprobe.resolve.modules import named_modules
from gramprobe.resolve.project import Declarations
from gramprobe.source import messages
from gramprobe.source.diagnostic import UsageError

#: the widest column of types
_WIDEST = 60


def listed(
    kind: str, about: tuple[str, ...], category: str, where: tuple[str, ...], path: tuple[Path, ...], as_json: bool
) -> str:
    """The list as text or JSON. ``about``: a grammar and a type, either of which may be missing. Raises UsageError."""
    declarations = project_of(path, names=NO_PARADIGM).declarations
    if len(about) > (2 if kind == "constructors" else 1):
        raise UsageError(f"`{about[-1]}` is one name too many", "see `gramprobe list --help`")
    module, type_ = _grammar_and_type(about, declarations) if kind == "constructors" else ("".join(about), "")
    if where and kind != "words":
        raise UsageError("--where belongs to --words", "see `gramprobe list --help`")
    records: dict[str, type[Struct]] = {"modules": Modules, "words": Words}
    data, lines = {
        "modules": lambda: _modules(module, declarations),
        "constructors": lambda: _declared(entries(declarations.lines, module, ("constructor",)), type_),
        "features": lambda: _declared(entries(declarations.lines, module, ("feature", "group")), ""),
        "words": lambda: _words(category, module, where, declarations),
    }[kind]()
    if not lines and not as_json:
        lines = [f"{module or 'no grammar'} declares none of its own; name a grammar that it uses, such as `english`"]
    return answer(records.get(kind, Declared), data, ascii_only=False) if as_json else "\n".join(lines)


def _grammar_and_type(about: tuple[str, ...], declarations: Declarations) -> tuple[str, str]:
    """Which of the names is a grammar, and which a category. Raises UsageError for a name that is neither."""
    files = declarations.lines.modules.files
    if len(about) == 2:
        return about[0], _category(about[1], declarations)
    if not about or named_modules(about[0], files):
        return "".join(about), ""
    if about[0] in declarations.lines.categories:
        return "", about[0]
    folders = dict.fromkeys(module.partition(".")[0] for module in files)
    known = [*folders, *files, *declarations.lines.categories]
    help = "`gramprobe list --modules` has all grammars"
    raise messages.names.none_called("grammar or category", about[0], known, help)


def _category(name: str, declarations: Declarations) -> str:
    known = sorted(declarations.lines.categories)
    if name not in known:
        raise messages.names.none_called("category", name, known)
    return name


Listing = tuple[dict[str, Any], list[str]]


def _modules(name: str, declarations: Declarations) -> Listing:
    rows = [
        {
            "module": module,
            "file": declarations.lines.modules.files[module].source.path,
            "constructors": len(entries(declarations.lines, module, ("constructor",))),
            "about": describe(declarations.lines, module),
        }
        for module in modules(declarations.lines, name)
    ]
    width = max((len(str(row["module"])) for row in rows), default=0)
    lines = []
    for row in rows:
        noun = "constructor" if row["constructors"] == 1 else "constructors"
        lines.append(f"{row['module']:<{width}}  {row['constructors']:>3} {noun:<12}  {row['about']}".rstrip())
    return {"modules": rows}, lines


def _declared(found: list[Entry], type_: str) -> Listing:
    shown = [entry for entry in found if type_ in ("", entry.result)]
    width = min(max((len(f"{entry.name} {entry.type}") for entry in shown), default=0), _WIDEST)
    lines: list[str] = []
    for entry in shown:
        if not lines or entry.module != shown[shown.index(entry) - 1].module:
            lines += ["", entry.module] if lines else [entry.module]
        about = entry.about if len(entry.about) <= 100 else entry.about[:97] + "..."
        lines.append(f"  {f'{entry.name} {entry.type}':<{width}}  {about}".rstrip())
    return {"declarations": shown}, lines


def _words(category: str, module: str, where: tuple[str, ...], declarations: Declarations) -> Listing:
    found = words(category, module, where, declarations)
    names = list(found[0]["columns"]) if found else []
    head = ["id", *(found[0]["forms"] if found else ()), *names]
    rows = [[word["id"], *word["forms"].values(), *(_cell(word["columns"][name]) for name in names)] for word in found]
    lines = ["\t".join(head), *("\t".join(row) for row in rows)] if found else ["no words"]
    return {"category": category, "words": found}, lines


def _cell(value: Any) -> str:
    text = "|".join(map(str, value)) if isinstance(value, tuple) else str(value)
    return text or "-"
