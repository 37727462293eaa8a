"""Messages about Ray clusters: what does not start, what a machine lacks, what was lost."""

from __future__ import annotations

from gramprobe.source.diagnostic import UsageError


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
