"""Names and what they stand for: what gramprobe ships, and what installed packages add to it.

    TASKS = Registry("task", {"nli": Nli(), ...}, "gramprobe.items.task:Task")
    TASKS["nli"]            shipped: no package is looked for
    TASKS["yes_no"]         an entry `yes_no` of the group `gramprobe.tasks` of some package, imported now

A package adds things by entry points (CONTRIBUTING: "A package of your own"); which there are is read from the metadata
of installed packages, and what an entry stands for is imported when it is asked for. An entry that cannot be used is
passed over with one warning: the shipped thing stands before one of the same name, and of two packages the first in
alphabetical order before the other. An exception of what an entry stands for is a fault of its package: `culprits`.
"""

from __future__ import annotations

import contextlib
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Generic, TypeVar

T = TypeVar("T", covariant=True)
R = TypeVar("R")
GROUPS = {
    "task": "gramprobe.tasks",
    "gate": "gramprobe.gates",
    "mode": "gramprobe.modes",
    "engine": "gramprobe.engines",
    "rule": "gramprobe.baselines",
    "option_rule": "gramprobe.baselines",
    "reader": "gramprobe.baselines",
    "study": "gramprobe.studies",
    "format": "gramprobe.formats",
    "platform": "gramprobe.platforms",
    "command": "gramprobe.commands",
}
"""Kind of thing -> the group of its entry points. Entries of `gramprobe.baselines` begin with their kind:
`rule.length`."""


class PackageWarning(UserWarning):
    """An entry of an installed package that is passed over, and why."""


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """An entry point of an installed package.

    Attributes:
        kind: a key of `GROUPS`; the group itself if it is none of gramprobe's, or the name does not say the kind.
        name: the name of the thing.
        package: the name of the package, as its metadata give it.
        version: its version.
        value: where the thing is: `module:name`.
        passed_over: why it cannot be used, where `where` asks that; else empty.
    """

    kind: str
    name: str
    package: str
    version: str
    value: str
    passed_over: str = ""

    @property
    def thing(self) -> str:
        """What it is called in messages: ``rule `length` ``."""
        kind = self.kind.replace("_", " ")
        return f"{kind} `{self.name}`" if self.kind in GROUPS else f"entry `{self.name}` in {self.kind}"

    @property
    def origin(self) -> str:
        """The package with its version, as files record it."""
        return f"{self.package} {self.version}"


def entries() -> tuple[Entry, ...]:
    """The entries that installed packages have for gramprobe, in order; no package is imported."""
    return _entries(tuple(sys.path))


@cache
def _entries(path: tuple[str, ...]) -> tuple[Entry, ...]:
    if not any(map(_adds, path)):
        return ()  # the usual case, which is not to wait for the module that reads all metadata
    from importlib.metadata import distributions

    found: set[Entry] = set()
    seen: set[str] = set()
    for distribution in distributions(path=list(path)):
        package = distribution.name
        if package in seen:
            continue  # an earlier folder of the path has it
        seen.add(package)
        for point in distribution.entry_points:
            if not point.group.startswith("gramprobe."):
                continue
            kinds = [kind for kind, group in GROUPS.items() if group == point.group]
            kind, name = kinds[0] if kinds else point.group, point.name
            if name.partition(".")[0] in kinds and len(kinds) > 1:
                kind, _, name = name.partition(".")
            elif len(kinds) > 1:
                kind = point.group
            found.add(Entry(kind, name, package, distribution.version, point.value))
    return tuple(sorted(found))


def _adds(folder: str) -> bool:
    """Whether a folder has the metadata of a package with entries for gramprobe."""
    with contextlib.suppress(OSError), os.scandir(folder or ".") as inside:
        for each in inside:
            if each.name.endswith((".dist-info", ".egg-info")):
                with contextlib.suppress(OSError), open(f"{each.path}/entry_points.txt", "rb") as stream:
                    if b"[gramprobe." in stream.read():
                        return True
    return False


def culprits(error: BaseException) -> list[Entry]:
    """The entries, of one package, of which one ended with an exception, or gave what gramprobe ended on; none if it is
    a fault of gramprobe.

    They are found by the calls that were open, the innermost first: by a module of the package, or, if there is none,
    by what the last two calls had in hand. What the system refuses (OSError) is a fault of who asked alone.
    """
    import traceback

    calls = [frame for frame, _ in traceback.walk_tb(error.__traceback__)][::-1]
    in_hand = [
        [each for value in frame.f_locals.values() for each in (value, *getattr(value, "__dict__", {}).values())]
        for frame in calls
    ]
    near = [] if isinstance(error, OSError) else [value for values in in_hand[:2] for value in values]
    for modules in ([frame.f_globals.get("__name__", "") for frame in calls], [_module(value) for value in near]):
        for depth in (None, 1):
            for module in modules:
                named = module.split(".")[:depth]
                found = [entry for entry in entries() if entry.value.partition(":")[0].split(".")[:depth] == named]
                if found:
                    own = [entry for entry in found if any(_is(each, entry) for values in in_hand for each in values)]
                    return own[:1] or found
    return []


def _module(thing: object) -> str:
    """The module of a function, of a class or of an object's class; a module itself."""
    return str(getattr(thing, "__module__", None) or getattr(thing, "__name__", ""))


def _is(value: object, entry: Entry) -> bool:
    """Whether a value is the thing of an entry."""
    module, _, name = entry.value.partition(":")
    return value is not None and value is getattr(sys.modules.get(module), name, sys.modules.get(module))


def trace(error: BaseException | None) -> str:
    """The trace of an exception, if the user asks for traces; else empty."""
    if error is None or not os.environ.get("GRAMPROBE_DEBUG"):
        return ""
    import traceback

    return "".join(traceback.format_exception(error))


def check_installed(recorded: Mapping[str, Mapping[str, str]], kinds: Iterable[str] = GROUPS) -> None:
    """Raise UsageError (E64) for the first of some recorded things whose package is not installed, in whatever version.

    ``recorded``: kind -> name -> package and version, as `Registry.origins` gives it.
    """
    from importlib.metadata import PackageNotFoundError, version

    for kind in kinds:
        for name, origin in recorded.get(kind, {}).items():
            try:
                version(origin.rpartition(" ")[0])
            except PackageNotFoundError:
                from gramprobe.source import messages

                raise messages.packages.not_installed(kind, name, origin) from None


class Registry(Generic[T]):
    """Name -> thing of one kind. Iteration gives the names, the shipped ones first, and imports nothing.

    Attributes:
        kind: what the things are called: a key of `GROUPS`.
        shipped: those of gramprobe: the thing, or where it is (`module:name`).
    """

    def __init__(
        self, kind: str, shipped: Mapping[str, T | str], type_: str, misfit: Callable[[Any], str] = lambda thing: ""
    ) -> None:
        """``type_``: the class of the things, or the protocol that they follow, as `module:name`. ``misfit``: why a
        thing of that type cannot be used, as a clause; empty if it can."""
        self.kind, self.shipped, self._type, self._misfit = kind, dict(shipped), type_, misfit
        self._found: dict[Entry, T | None] = {}

    def __getitem__(self, name: str) -> T:
        """Raises KeyError for a name that there is not, and for one whose package cannot be used."""
        if name in self.shipped:
            there = self.shipped[name]
            return _imported(there) if isinstance(there, str) else there
        entry = self.entry(name)
        if entry is None:
            raise KeyError(name)
        if entry not in self._found:
            self._found[entry] = self._load(entry)
        found = self._found[entry]
        if found is None:
            raise KeyError(name)
        return found

    def get(self, name: str) -> T | None:
        """The thing of a name; None if there is none, or if its package cannot be used."""
        try:
            return self[name]
        except KeyError:
            return None

    def __contains__(self, name: object) -> bool:
        return name in self.shipped or (isinstance(name, str) and self.get(name) is not None)

    def __iter__(self) -> Iterator[str]:
        yield from self.shipped
        for name, entry in self._added().items():
            if self._found.get(entry, entry) is not None:
                yield name

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def values(self) -> Iterator[T]:
        """The things in the order of their names: each is imported when it is reached."""
        for name in self:
            found = self.get(name)
            if found is not None:
                yield found

    def entry(self, name: str) -> Entry | None:
        """The entry that a name is of; None for shipped names, for which no metadata are read, and unknown ones."""
        return None if name in self.shipped else self._added().get(name)

    def origins(self, names: Iterable[str]) -> dict[str, dict[str, str]]:
        """What files record of names that packages added: kind -> name -> package and version."""
        found = {name: entry.origin for name in names if (entry := self.entry(name)) is not None}
        return {self.kind: found} if found else {}

    def guarded(self, name: str, work: Callable[[], R]) -> R | None:
        """What ``work`` gives, which runs what a name stands for. Where code of a package raises anything but a message
        to the user, None, with a warning."""
        from gramprobe.source.diagnostic import AuthoringError, UsageError

        try:
            return work()
        except Exception as error:  # whatever a foreign module raises
            entry = self.entry(name)
            if entry is None or isinstance(error, (AuthoringError, UsageError)):
                raise
            _warn(entry, f"it ended with {type(error).__name__}: {error}", error)
            return None

    def why_not(self, entry: Entry) -> str:
        """Why an entry of this kind, or of none, cannot be used, as a clause; empty if it can. Imports its package."""
        if self._added().get(entry.name) == entry:
            self.get(entry.name)
        return passed_over.get(entry, "")

    def _added(self) -> dict[str, Entry]:
        """The entries of this kind by name, without those whose name is taken."""
        found: dict[str, Entry] = {}
        for entry in entries():
            if entry.kind not in GROUPS:
                _warn(entry, _misplaced(entry))
            if entry.kind != self.kind:
                continue
            if entry.name in self.shipped:
                _warn(entry, "gramprobe itself has one of that name")
            elif entry.name in found:
                _warn(entry, f"the package {found[entry.name].package} has one of that name")
            else:
                found[entry.name] = entry
        return found

    def _load(self, entry: Entry) -> T | None:
        """The thing of an entry; None, with a warning, if it cannot be imported or is of another type."""
        raised = None
        try:
            found = _imported(entry.value)
            wrong = _wrong(found, _imported(self._type), entry) or self._misfit(found)
        except (Exception, SystemExit) as error:  # whatever a foreign module raises
            raised, wrong = error, f"importing `{entry.value}` failed: {type(error).__name__}: {error}"
        if wrong:
            _warn(entry, wrong, raised)
            return None
        thing: T = found
        return thing


def _imported(place: str) -> Any:
    """What stands at `module:name`."""
    module, _, name = place.partition(":")
    found = import_module(module)
    for part in name.split(".") if name else ():
        found = getattr(found, part)
    return found


def _wrong(thing: object, type_: Any, entry: Entry) -> str:
    """Why the thing of an entry is not one of a type, as a clause; empty if it is one."""
    if getattr(type_, "_is_protocol", False):
        if isinstance(thing, type):
            return f"it is the class {thing.__name__}, and not an object of it"
        lacking = [each for each in _members(type_) if not hasattr(thing, each)]
        if lacking:
            return f"it has no `{lacking[0]}`, as {type_.__name__} requires"
    elif not isinstance(thing, type_):
        return f"it is of the type {type(thing).__name__}, and not {type_.__name__}"
    own = getattr(thing, "name", entry.name)
    # the functions that click makes commands of may have any name
    return "" if own == entry.name or entry.kind == "command" else f"its name is `{own}`"


def _members(protocol: Any) -> list[str]:
    """The attributes and methods of a protocol."""
    return [n for n in {**protocol.__annotations__, **vars(protocol)} if not n.startswith("_")]


def _misplaced(entry: Entry) -> str:
    """Why an entry is of no kind, as a clause."""
    from gramprobe.source import messages

    kinds = [kind for kind, group in GROUPS.items() if group == entry.kind]
    return messages.packages.no_kind(kinds) if kinds else messages.packages.no_group(entry.kind, [*GROUPS.values()])


passed_over: dict[Entry, str] = {}
"""The entries that were passed over, each with the reason, of which the user was warned."""


def _warn(entry: Entry, why: str, error: BaseException | None = None) -> None:
    """Warn once that an entry is passed over."""
    from gramprobe.source import messages

    if entry not in passed_over:
        passed_over[entry] = why
        text = messages.packages.passed_over(entry.thing, entry.origin, why, error is not None)
        warnings.warn("\n".join(filter(None, (text, trace(error)))), PackageWarning, stacklevel=2)
