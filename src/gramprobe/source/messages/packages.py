"""Messages about packages of others: which add tasks, modes, engines and the like, and which an extra installs."""

from __future__ import annotations

from collections.abc import Sequence

from gramprobe.source.diagnostic import UsageError
from gramprobe.source.nearest import did_you_mean


def passed_over(thing: str, package: str, why: str, raised: bool) -> str:
    """``package``: its name and version; ``raised``: whether there is a trace to be had."""
    shows = "; GRAMPROBE_DEBUG=1 shows the trace" if raised else ""
    return (
        f"warning[E63]: the {thing} of the package {package} is passed over: {why}\n"
        f"  help: `gramprobe where` lists what packages add; write to the authors of {package}, or uninstall it{shows}"
    )


def lacking(what: str, package: str, extra: str, code: str = "E91") -> UsageError:
    """``what``: what needs the package; ``extra``: the extra of gramprobe that installs it."""
    return UsageError(
        f"{what} needs the package `{package}`, which is not installed", f"pip install 'gramprobe[{extra}]'", code
    )


def fault(things: Sequence[str], package: str, why: str) -> UsageError:
    """``things``: those of the package of which one is at fault; ``why``: the exception, and where it was raised."""
    where = f", in its {things[0]}" if len(things) == 1 else ""
    return UsageError(
        f"a fault of the package {package}{where}: {why}",
        f"report it to the authors of {package}; GRAMPROBE_DEBUG=1 shows the whole trace",
        "E36",
    )


def no_group(group: str, known: Sequence[str]) -> str:
    return f"gramprobe has no group `{group}`{did_you_mean(group, known)}"


def no_kind(kinds: Sequence[str]) -> str:
    return f"its name does not begin with its kind: {' or '.join(f'`{kind}.`' for kind in kinds)}"


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
