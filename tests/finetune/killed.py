"""Moments at which a training can be killed, and a program whose trainings die there."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Container
from typing import Any

import msgspec

Moment = tuple[int, str]
"""A step, and where in it: behind it (`step`), before its checkpoint is whole (`save`), or, with step 0, when all is
trained and nothing is in place (`end`)."""


def watch(moments: Container[Moment], call: Callable[[Moment], object], put: Callable[[Any, str, Any], object]) -> None:
    """Call a function at some moments of each training. ``put``: `setattr`, or one that is taken back later."""
    from gramprobe.finetune.results import TrainingFolder
    from gramprobe.finetune.train import _Keeper

    step_end, save, end = _Keeper.on_step_end, _Keeper.on_save, TrainingFolder.end

    def reached(moment: Moment) -> None:
        if moment in moments:
            call(moment)

    def on_step_end(self: Any, args: Any, state: Any, *rest: Any, **more: Any) -> None:
        step_end(self, args, state, *rest, **more)
        reached((state.global_step, "step"))

    def on_save(self: Any, args: Any, state: Any, *rest: Any, **more: Any) -> None:
        reached((state.global_step, "save"))
        save(self, args, state, *rest, **more)

    def ending(self: Any, *arguments: Any) -> Any:
        reached((0, "end"))
        return end(self, *arguments)

    put(_Keeper, "on_step_end", on_step_end)
    put(_Keeper, "on_save", on_save)
    put(TrainingFolder, "end", ending)


def main() -> None:
    """Read an order and a moment from each line, and train in a process that kills itself then; write how it ended."""
    import pandas  # noqa: F401
    from transformers import BertForSequenceClassification  # noqa: F401

    from gramprobe.finetune.order import TrainingOrder
    from gramprobe.finetune.run import finetune

    gc.freeze()  # each training would look for circles in all of it
    for line in sys.stdin:
        order, moment = msgspec.json.decode(line, type=tuple[TrainingOrder, Moment])
        child = os.fork()  # of a process that has loaded the libraries and trained nothing
        if child == 0:
            watch([moment], lambda _: os.kill(os.getpid(), signal.SIGKILL), setattr)
            finetune(order)
            os._exit(0)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    main()
