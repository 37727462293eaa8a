"""Messages about packages of others: which add tasks, modes, engines and the like, and which an extra installs."""

from __future__ import annotations

from gramprobe.source.diagnostic import UsageError


def passed_over(kind: str, name: str, package: str, why: str) -> str:
    """``package``: its name and version."""
    return (
        f"warning[E63]: the {kind.replace('_', ' ')} `{name}` of the package {package} is passed over: {why}\n"
        f"  help: `gramprobe where` lists what packages add; write to the authors of {package}, or uninstall it"
    )


def lacking(what: str, package: str, extra: str, code: str = "E91") -> UsageError:
    """``what``: what needs the package; ``extra``: the extra of gramprobe that installs it."""
    return UsageError(
        f"{what} needs the package `{package}`, which is not installed", f"pip install 'gramprobe[{extra}]'", code
    )


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
