"""The modes, one module each. A new mode is one module and one entry of :data:`MODES` (CONTRIBUTING: "Add a mode");
packages add others.
"""

from __future__ import annotations

from gramprobe.registry import Registry, check_installed
from gramprobe.score.mode import Mode
from gramprobe.score.modes.choice import Choice
from gramprobe.score.modes.continuation import Continuation
from gramprobe.score.modes.coref import Coref
from gramprobe.score.modes.minimal_pair import MinimalPair
from gramprobe.score.modes.nli import Nli
from gramprobe.score.modes.prompted import Prompted
from gramprobe.score.modes.surprisal import Surprisal
from gramprobe.score.modes.true_false import TrueFalse
from gramprobe.score.source import Table
from gramprobe.source import messages
from gramprobe.source.diagnostic import UsageError

_SHIPPED: tuple[Mode, ...] = (
    Nli(), Continuation(), Choice(), Coref(), MinimalPair(), Surprisal(), Prompted(), TrueFalse(),
)  # fmt: skip
MODES: Registry[Mode] = Registry("mode", {mode.name: mode for mode in _SHIPPED}, "gramprobe.score.mode:Mode")
"""Name -> mode. The first one that fits a table is the one that scores it unless another is named."""


def chosen(name: str | None, tables: dict[str, Table]) -> tuple[Mode, tuple[str, ...]]:
    """The mode, and the tables that it scores: all that it fits.

    Raises UsageError for an unknown name, for a mode that fits no table (E64 if their task is of a package that is not
    installed), and if none is named and there is more than one to choose from.
    """
    if name is None:
        own = {table: next((m.name for m in MODES.values() if m.fits(each)), "") for table, each in tables.items()}
        names = sorted(set(own.values()) - {""})
        if len(names) > 1:
            raise UsageError(
                f"its paradigms are scored in {len(names)} modes", f"name one: --mode {' or --mode '.join(names)}"
            )
        name = names[0] if names else "nli"
    if name not in MODES:
        raise messages.names.none_called("mode", name, MODES)
    mode = MODES[name]
    fitting = tuple(table for table, each in tables.items() if mode.fits(each))
    if not fitting:
        check_installed({"task": {table.task: table.package for table in tables.values() if table.package}})
        tasks = sorted({table.task for table in tables.values()})
        others = {m.name: m.kinds for m in MODES.values() if any(m.fits(table) for table in tables.values())}
        raise messages.score.unfit_mode(name, tasks, others)
    return mode, fitting
