"""What a derived result of a paradigm depends on, as data: a key of what is kept between runs (`gramprobe.cache`)."""

from __future__ import annotations

import hashlib
import re
from dataclasses import fields, replace
from typing import Any

import msgspec

from gramprobe.cache import key_of, program_version
from gramprobe.items.preferences import file_of
from gramprobe.items.tasks import TASKS
from gramprobe.resolve.paradigm.data import Condition, Draw, Paradigm, Skeleton
from gramprobe.resolve.project import Declarations
from gramprobe.resolve.tree import Apply
from gramprobe.source.diagnostic import Findings
from gramprobe.source.files import GIVEN, Source
from gramprobe.space.space import DECIDING
from gramprobe.syntax.grammar_tree import Declaration


def content_of(name: str, declarations: Declarations) -> list[Any]:
    """The categories of all grammars and the words of all tables that theories have lines for; and every file on which
    a paradigm rests: its own, its grammars, their words, its theories, its veto list and its preferences, with their
    paths, which diagnostics show."""
    paths = {*declarations.files_of(name), *(each.path for each in _beside(name, declarations))}
    by_path, lines = {each.path: each for each in declarations.library.sources.values()}, declarations.lines
    identities = [by_path[path].identity for path in sorted(paths)]
    return [name, sorted(lines.categories), sorted(lines.in_theories), identities]


def _beside(name: str, declarations: Declarations) -> list[Source]:
    """The veto list and the preferences of a paradigm."""
    beside = (f"grammars/{name}.veto.tsv", file_of(name.rpartition("/")[0]))
    return [source for each in beside if (source := declarations.library.sources.get(each)) is not None]


def said_by(name: str, declarations: Declarations) -> list[Any]:
    """`content_of` without places and comments: what a paradigm says, what it reaches of its grammars, what its
    theories say. Charts are made of all modules, so that everything in these counts where it has charts.

    Whatever shows no place is the same where this is the same.
    """
    file, lines = declarations.lines.paradigms[name], declarations.lines
    assert file.lines is not None
    theories = [file.named("theory"), *(word.text for alike in file.lines.theories for word in alike.names)]
    charted = declarations.modules_around(file.lines.uses) if declarations.paradigms[name].constraint else ()
    return [
        name,
        _without_places(file.lines),
        _roots(file.source, *file.bases),
        _reached_by(name, declarations),
        [_theory(each, declarations) for each in theories],
        [each.identity for each in _beside(name, declarations)],
        declarations.content(charted) if charted else [],
        sorted(lines.categories),
        sorted(lines.in_theories),
    ]


def _reached_by(name: str, declarations: Declarations) -> list[Any]:
    """What the grammar of a paradigm is made of: the declarations that it reaches, and the tables and languages that
    these name."""
    lines, grammar = declarations.lines.paradigms[name].lines, declarations.grammar_of_paradigm(name)
    used = declarations.lines.modules.used(lines.uses, Findings()) if lines is not None and lines.uses else None
    if lines is None or used is None or grammar is None:
        return []
    part = used.whole if declarations.whole.get(used.spec) is grammar else used.reach(lines.mentioned())
    sources = [s for each in part.files if (s := declarations.library.sources.get(each)) is not None]
    tables = [source.identity for source in sources if not source.name.endswith(".gram")]
    around = [sorted(each) for each in (used.left_out, grammar.unread, declarations.library.unreadable.values())]
    return [[_declared(line, declarations) for line in part.lines], _roots(*sources), tables, *around]


def _declared(line: Declaration, declarations: Declarations) -> str:
    """A hash of what a declaration says, which many paradigms reach."""

    def made() -> tuple[str, Declaration]:  # the declaration is kept, so that no other has its id
        return hashlib.sha256(_without_places(line).encode()).hexdigest(), line

    said, _ = declarations.memory.recall(("declared", id(line)), made)
    return said


def _theory(name: str, declarations: Declarations) -> list[Any]:
    """What a theory says, and those that it includes."""
    reached = sorted(declarations.theories_in(name))
    sources = [s for each in reached if (s := declarations.library.sources.get(f"logic/{each}.logic")) is not None]
    said = [_said_in(each, declarations) for each in reached if each in declarations.lines.theories]
    return [name, _roots(*sources), said]


def _said_in(theory: str, declarations: Declarations) -> str:
    """What the lines of a theory's own file say."""
    source = declarations.library.sources.get(f"logic/{theory}.logic")
    lines = declarations.lines.theories[theory]
    if source is None:
        return _without_places(lines)
    key = "said", source.identity  # each paradigm asks for all theories
    return declarations.memory.recall(key, lambda: _without_places(lines), source.is_shipped)


def _roots(*sources: Source) -> list[Any]:
    """Which files these are, and of which folders."""
    return [(each.name, each.path, each.origin == GIVEN, each.is_shipped) for each in sources]


_PLACE = re.compile(r'\{"path":"(?:[^"\\]|\\.)*","line":\d+,"column":\d+,"length":\d+\}')


def _without_places(data: Any) -> str:
    """Data as JSON, where no place stands: in a text of it the quotes would be escaped."""
    return _PLACE.sub("0", msgspec.json.encode(data, order="deterministic", enc_hook=_bounds).decode())


def _bounds(data: Any) -> list[int | None]:
    """The bounds of a slice, as which each side of a factor is held. Raises TypeError for any other object."""
    if not isinstance(data, slice):
        raise TypeError(f"{data!r} is no data")
    return [data.start, data.stop]


def is_of_package(name: str, declarations: Declarations) -> bool:
    """Whether the task of a paradigm is of an installed package, on whose code results depend too."""
    paradigm = declarations.paradigms.get(name)
    return paradigm is not None and TASKS.entry(paradigm.task) is not None


_UNREAD = {
    "about", "citation", "licence", "authors", "cite", "allows", "solvable", "size", "size_span", "split", "splits",
}  # fmt: skip
"""The attributes of a paradigm on which no label hangs and nothing that a gate finds: texts for the card, how many
instances are wanted, and what is made of what gates find."""


def key_of_plan(paradigm: Paradigm, theory: str, declarations: Declarations, counted: str) -> str:
    """A hash of all that what is derived of instances of a paradigm in a theory depends on, places left out: of what
    its space depends on, of all theories, and of what else it says but limits, :data:`_UNREAD` and the labels that it
    claims. So another limit, by which other instances are drawn, leaves what is known of those that were drawn before.
    Empty where it depends on other code, too.

    ``counted``: the key of the space (`key_of_space`).
    """
    if not counted:
        return ""
    name, lines = paradigm.full_name, declarations.lines
    left = [each.name for each in fields(paradigm) if each.name not in _UNREAD.union(DECIDING)]
    said: dict[str, Any] = {each: getattr(paradigm, each) for each in left}
    said["pairs"] = [replace(pair, expect=None, expect_span=None, claims=()) for pair in paradigm.pairs]
    said["regions"] = list(paradigm.regions.items())
    theories = [_theory(each, declarations) for each in declarations.theory_names]
    about = sorted(lines.categories), sorted(lines.in_theories), [each.identity for each in _beside(name, declarations)]
    return key_of(counted, theory, _without_places(said), theories, about)


def key_of_walk(paradigm: Paradigm, counted: str) -> str:
    """A hash of all that the order of a paradigm's instances depends on: of its space and of its limits. Empty where it
    depends on other code, too.

    ``counted``: as for `key_of_plan`.
    """
    return key_of(counted, _without_places(paradigm.limits)) if counted else ""


def key_of_space(paradigm: Paradigm, declarations: Declarations) -> str:
    """A hash of all that the space of a paradigm depends on: of what it reaches of its grammars, of what it says of
    draws and sentences, wherever that stands, and of all code. So it stays the same when a pair, a limit, a source, a
    comment or a theory changes. Empty where it depends on other code, too."""
    name = paradigm.full_name
    if is_of_package(name, declarations):
        return ""
    shared = grammar.shared if (grammar := declarations.grammar_of_paradigm(name)) is not None else {}
    deciding = [getattr(paradigm, each) for each in DECIDING if each != "limits"]  # these take of what there is
    said = _without_places([_with_trees(each, shared) for each in deciding])
    return key_of(program_version(), name, said, _reached_by(name, declarations))


def _with_trees(said: Any, shared: dict[Any, Any]) -> Any:
    """What a paradigm says, with a hash in the place of each constructor in a tree: many trees have it."""
    match said:
        case Apply():
            key = "said", id(said.constructor)
            if key not in shared:
                text = _without_places(said.constructor)
                shared[key] = hashlib.sha256(text.encode()).hexdigest(), said.constructor  # kept, and so is its id
            return shared[key][0], said.breach, [_with_trees(each, shared) for each in said.arguments]
        case Condition():
            return {each.name: _with_trees(getattr(said, each.name), shared) for each in fields(said)}
        case Draw() | Skeleton():
            return {each: _with_trees(getattr(said, each), shared) for each in said.__struct_fields__}
        case dict():
            return {name: _with_trees(each, shared) for name, each in said.items()}
        case tuple() if said and isinstance(said[0], Apply | Draw | Skeleton):
            return [_with_trees(each, shared) for each in said]
    return said
