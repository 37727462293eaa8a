"""Messages about packages of others: which add tasks, modes, engines and the like, and which an extra installs."""

from __future__ import annotations

from collections.abc import Sequence

from gramprobe.source.diagnostic import UsageError
from gramprobe.source.nearest import did_you_mean


def passed_over(kind: str, name: str, package: str, why: str, raised: bool) -> str:
    """``package``: its name and version; ``raised``: whether there is a trace to be had."""
    shows = "; GRAMPROBE_DEBUG=1 shows the trace" if raised else ""
    return (
        f"warning[E63]: the {kind.replace('_', ' ')} `{name}` of the package {package} is passed over: {why}\n"
        f"  help: `gramprobe where` lists what packages add; write to the authors of {package}, or uninstall it{shows}"
    )


def lacking(what: str, package: str, extra: str, code: str = "E91") -> UsageError:
    """``what``: what needs the package; ``extra``: the extra of gramprobe that installs it."""
    return UsageError(
        f"{what} needs the package `{package}`, which is not installed", f"pip install 'gramprobe[{extra}]'", code
    )


def fault(things: Sequence[tuple[str, str]], package: str, why: str) -> UsageError:
    """``things``: kind and name of the things of the package of which one is at fault; ``why``: the exception."""
    where = ", in its {} `{}`".format(things[0][0].replace("_", " "), things[0][1]) if len(things) == 1 else ""
    return UsageError(
        f"a fault of the package {package}{where}: {why}",
        f"report it to the authors of {package}; GRAMPROBE_DEBUG=1 shows the whole trace",
        "E36",
    )


def no_group(group: str, known: Sequence[str]) -> str:
    return f"gramprobe has no group `{group}`{did_you_mean(group, known)}"


def not_installed(kind: str, name: str, package: str) -> UsageError:
    return UsageError(
        f"the {kind} `{name}` is of the package {package}, which is not installed",
        f"pip install {package.replace(' ', '==')}, or where its authors say that it is to be had",
        "E64",
    )


def no_gate(name: str) -> UsageError:
    return UsageError(
        f"the gate `{name}`, which the task names, is in no installed package that can be used",
        "install the package that has it: without its gates nothing is built",
        "E64",
    )
