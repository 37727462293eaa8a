"""Messages about datasets that are refused, about Ray clusters that build them (what does not start, what a machine
lacks, what was lost), and about packages of others, which add tasks, modes, engines and the like.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from gramprobe.source.diagnostic import Diagnostic, Span, UsageError
from gramprobe.source.nearest import did_you_mean, listed


def gate(span: Span, name: str, reason: str, examples: Sequence[str], help: str) -> Diagnostic:
    return Diagnostic(code="E34", span=span, message=f"gate `{name}`: {reason}", notes=tuple(examples), help=help)


def solved(span: Span, reader: str, reached: float, low: float, declared: float) -> Diagnostic:
    return Diagnostic(
        code="E90",
        span=span,
        message=f"{_SEEING[reader]} gets {reached:.3f} of the labels right, which is more than the declared {declared:.3f}",
        notes=(f"cross-validated by instance; the lower end of its 95 % interval is {low:.3f}",),
        help="vary what gives the label away, or declare what is reached, with the reason",
    )


def solvable(span: Span, name: str, majority: float, readers: Sequence[tuple[str, float]]) -> Diagnostic:
    notes = [f"{_SEEING[reader]}: {reached:.3f}" for reader, reached in readers]
    reader, reached = readers[0]
    line = f'solvable by {reader} {min(ceil(reached * 100 + 0.5) / 100, 1.0):.2f} because "..."'
    return Diagnostic(
        code="E90",
        span=span,
        message=f"labels of `{name}` can be guessed without reasoning: always the commonest gives {majority:.3f}",
        notes=tuple(notes),
        help=f"vary what gives them away, or say why the design has it so: `{line}`",
        severity="warning",
    )


_SEEING = {
    "hypothesis": "a reader of hypotheses alone",
    "premise": "a reader of premises alone",
    "verbs": "a reader who sees the words of both without their order",
}


def bad_veto_header(span: Span, header: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        code="E18", span=span, message=f"a veto list has the columns `instance` and `reason`, not {listed(header)}",
        help="its first line is `instance` and `reason` with a tab between",
    )  # fmt: skip


def bad_preferences_header(span: Span, header: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        code="E18", span=span, message=f"a file of preferences has the columns `sentence` and `reading`, not {listed(header)}",
        help="its first line names the columns, with commas between",
    )  # fmt: skip


def unknown_preference(span: Span, reading: str, known: Sequence[str], sentence: str) -> Diagnostic:
    return Diagnostic(
        code="E56", span=span, message=f"the preferred reading `{reading}` is not a reading of this sentence{did_you_mean(reading, known)}",
        notes=(f"sentence    {sentence}",), help=f"its readings: {listed(known)}",
    )  # fmt: skip


def on_trust(
    span: Span, pair: tuple[str, str], sentences: Sequence[str], reading: str, kind: str, searched: str
) -> Diagnostic:
    which = f" of the reading {reading}" if reading else ""
    return Diagnostic(
        code="E45", span=span, message=f"the label{which} of {pair[0]} => {pair[1]} is not certain: {kind}",
        notes=(f"premise     {sentences[0]}", f"hypothesis  {sentences[1]}", searched),
        help="ask an outside prover with --oracle NAME, ship it marked with --allow-bounded, or simplify: smaller numbers, fewer nested operators",
    )  # fmt: skip


def contradicting_duplicates(span: Span, other: str, count: int, pair: str, was: str, now: str) -> Diagnostic:
    return Diagnostic(
        code="E34",
        span=span,
        message=f"gate `duplicates`: pairs of `{other}` occur here with another label ({count:,})",
        notes=(f"{pair}: {was} there, {now} here",),
        help="one dataset may not label a pair in two ways: give the paradigms one theory, or build them apart",
    )


def unknown_veto(span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        code="E38",
        span=span,
        message=f"`{instance}` in this veto list is not an instance of the paradigm",
        help="take the row out; ids of instances are in the column `instance`",
    )


def passed_over(kind: str, name: str, package: str, why: str) -> str:
    """``package``: its name and version."""
    return (
        f"warning[E63]: the {kind.replace('_', ' ')} `{name}` of the package {package} is passed over: {why}\n"
        f"  help: `gramprobe where` lists what packages add; write to the authors of {package}, or uninstall it"
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


def no_ray() -> UsageError:
    return UsageError(
        "--engine ray needs the package `ray`, which is not installed", "pip install 'gramprobe[ray]'", "E62"
    )


def bad_address(address: str) -> UsageError:
    return UsageError(
        f"`{address}` is no address of a Ray cluster",
        "give --address HOST:PORT, as `ray start --head` prints it; without --address a cluster of this machine is started",
        "E62",
    )


def unreachable(address: str, what: str) -> UsageError:
    if not address:
        return UsageError(f"no Ray cluster could be started on this machine: {what}", "--workers N needs no Ray", "E62")
    return UsageError(
        f"the Ray cluster at `{address}` cannot be reached: {what}",
        "`ray status --address HOST:PORT` says whether it runs; all machines need one version of Python and of Ray",
        "E62",
    )


def unusable_node(node: str, what: str) -> UsageError:
    return UsageError(
        f"the machine {node} of the cluster cannot be used: {what}",
        "all machines need the same gramprobe, and the files and folders of the command under the same paths, "
        "on a file system that they share",
        "E62",
    )


def no_actor(seconds: int, cpus: float) -> UsageError:
    return UsageError(
        f"the cluster started no process within {seconds} seconds",
        f"its machines have {cpus:g} CPUs: are all of them taken by other jobs (`ray status`)?",
        "E62",
    )


def no_gpu() -> UsageError:
    return UsageError("the cluster has no GPU", "leave --device out, or start its machines with --num-gpus", "E62")


def actors_die() -> UsageError:
    return UsageError(
        "the processes on the cluster end before they are ready",
        "is there memory for a model in each? --workers N says how many there are",
        "E62",
    )


def lost(unit: str, tries: int) -> UsageError:
    return UsageError(
        f"the process that did {unit} died, {tries} times",
        "is there enough memory on the machines? A run of `score` goes on from what is finished with --resume",
        "E62",
    )


def failed(unit: str, node: str, what: str) -> UsageError:
    return UsageError(f"{unit} failed on the machine {node}: {what}", "mend that, and start again", "E62")
