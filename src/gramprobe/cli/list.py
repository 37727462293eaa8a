"""`gramprobe list`."""

from __future__ import annotations

import contextlib
import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from gramprobe.cache import Folder, program_version
from gramprobe.cli.answers.projects import ListedParadigm
from gramprobe.cli.main import json_option, path_option, project_of
from gramprobe.registry import entries as added
from gramprobe.source.files import SHIPPED, Library, collect, search_path, shipped_folder

if TYPE_CHECKING:
    from gramprobe.project import Project


@click.command(name="list")
@click.argument("about", nargs=-1, metavar="[GRAMMAR] [TYPE]")
@click.option("--theories", "of_theories", is_flag=True, help="Theories, with operators, events and scales.")
@click.option("--modules", "of_modules", is_flag=True, help="Grammar files, each with its first comment.")
@click.option("--constructors", "of_constructors", is_flag=True, help="Constructors: of GRAMMAR, that build TYPE.")
@click.option("--features", "of_features", is_flag=True, help="Features and their values, with groups: of GRAMMAR.")
@click.option("--words", "category", metavar="CATEGORY", help="The words of a category with their columns: of GRAMMAR.")
@click.option("--where", multiple=True, metavar="COLUMN=VALUE", help="Only words with it; repeatable, also `!=`.")
@path_option
@json_option
def command(
    about: tuple[str, ...],
    of_theories: bool,
    of_modules: bool,
    of_constructors: bool,
    of_features: bool,
    category: str | None,
    where: tuple[str, ...],
    path: tuple[Path, ...],
    as_json: bool,
) -> int:
    """List phenomena and paradigms with the exact sizes of their spaces, and your files that replace shipped ones; or
    what the grammars have: `gramprobe list --constructors english NP`, `gramprobe list --words N --where class=pet`.
    """
    from gramprobe.source.diagnostic import UsageError

    asked = [of_theories, of_modules, of_constructors, of_features, category is not None]
    if sum(asked) > 1:
        raise UsageError(
            "one list at a time", "choose one of --theories, --modules, --constructors, --features, --words"
        )
    if any(asked[1:]):
        from gramprobe.cli.catalog import listed

        kind = ("modules", "constructors", "features", "words")[asked[1:].index(True)]
        click.echo(listed(kind, about, category or "", where, path, as_json))
        return 0
    if about or where:
        raise UsageError(
            f"`{' '.join(about or where)}` belongs to another list: without an option, all paradigms are listed",
            "a grammar stands behind --constructors, --features, --modules or --words CATEGORY; a paradigm is shown by "
            "`gramprobe explain NAME`",
        )
    if of_theories:
        from gramprobe.cli.answers.answer import answer
        from gramprobe.cli.answers.projects import Theories
        from gramprobe.cli.theories import as_text, theories
        from gramprobe.project import NO_PARADIGM

        data = theories(project_of(path, names=NO_PARADIGM).declarations)
        lines = "\n".join(line for entry in data for line in as_text(entry))
        click.echo(answer(Theories, {"theories": data}, ascii_only=False) if as_json else lines)
        return 0
    folders = [(SHIPPED, shipped_folder()), *((str(folder), folder) for folder in search_path(path))]
    library, _ = collect(folders)
    key = _key(library)
    entries = _kept(key)
    if entries is None:
        entries = _entries(project_of(path))
        if not added() and not any("errors" in entry for entry in entries):
            Folder("lists").put(key, json.dumps(entries).encode())
    own = [s for s in library.sources.values() if not s.is_shipped]
    if as_json:
        from gramprobe.cli.answers.answer import answer
        from gramprobe.cli.answers.projects import Listed

        files = [{"name": s.name, "from": s.origin, "replaces": s.replaces} for s in own]
        click.echo(answer(Listed, {"paradigms": entries, "files": files}))
        return 0
    width = max((len(entry["name"].rpartition("/")[2]) for entry in entries), default=0)
    for phenomenon in sorted({entry["name"].rpartition("/")[0] for entry in entries}):
        click.echo(phenomenon)
        for entry in entries:
            if entry["name"].rpartition("/")[0] != phenomenon:
                continue
            short = entry["name"].rpartition("/")[2]
            if entry["instances"] is None:
                wrong = _counted(entry["errors"], "error")
                click.echo(f"  {short:<{width}} {'-':>22}  {wrong}: `gramprobe check {entry['name']}`")
                continue
            mark = f", {entry['paper']} of the paper's" if entry["paper"] else ""
            mark += "" if entry["from"] == "shipped" else f"  (from {entry['from']})"
            pairs = f" of {_counted(entry['pairs'], 'pair')}" if entry["pairs"] else ""  # some tasks have none
            click.echo(f"  {short:<{width}} {entry['instances']:>22,} instances{pairs}{mark}")
    replaced = [s for s in own if s.replaces]
    for source in replaced:
        click.echo(f"{source.name}: {source.path} replaces {source.replaces}")
    return 0


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _entries(project: Project) -> list[dict[str, Any]]:
    """Each paradigm with its sizes, or with the number of its errors."""
    from gramprobe.source.diagnostic import AuthoringError

    sizes = project.sizes()
    entries: list[dict[str, Any]] = []
    for name in project.names:
        source = project.source_of(name)
        entry: dict[str, Any] = {
            "name": name,
            "from": source.origin,
            "instances": None,
            "pairs": None,
            "paper": None,
            "about": "",
        }
        try:
            loaded = project.paradigm(name)
            balanced = loaded.declared.balanced_at is not None
            entry |= {
                "instances": sizes[name] if name in sizes else loaded.space().size,
                "pairs": len(loaded.declared.pairs),
                "paper": len(loaded.declared.paper.pairs) if balanced else None,
                "about": loaded.declared.about,
            }
        except AuthoringError as error:
            entry["errors"] = len(error.diagnostics)
        entries.append(entry)
    return entries


def _key(library: Library) -> str:
    """By what the entries of a project without errors are kept (`gramprobe.cache`): by every file, with the folder that
    it is from, and by all code. Entries name no path, so that they serve in any working folder."""
    files = [(source.name, source.sha256, source.origin) for source in library.sources.values()]
    key = repr((files, sorted(library.unreadable.values()), program_version()))
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def _kept(key: str) -> list[dict[str, Any]] | None:
    """The entries that are kept; None where there are none. A damaged file is none."""
    if added():
        return None  # on the code of packages an entry depends too
    with contextlib.suppress(ValueError, RecursionError, msgspec.MsgspecError):
        kept = Folder("lists").get(key) or b""
        return [msgspec.to_builtins(entry) for entry in msgspec.json.decode(kept, type=list[ListedParadigm])]
    return None
