"""Work that several processes share, with the pace of the test."""

from __future__ import annotations

import threading
from importlib import import_module
from typing import Any

import pytest

from gramprobe.work import pool


def let_workers_answer_first(monkeypatch: pytest.MonkeyPatch, function: str) -> list[str]:
    """Have this process begin only when a worker has answered: a worker is slower to start than a toy is to do.

    ``function``: the dotted name of what is done with each name here. Returns the names that are done here.
    """
    ours: list[str] = []
    answered = threading.Event()
    give = pool._Shared[Any].give
    module, _, attribute = function.rpartition(".")
    do = getattr(import_module(module), attribute)

    def noting(shared: pool._Shared[Any], name: str, result: object) -> None:
        give(shared, name, result)
        if threading.current_thread() is not threading.main_thread():
            answered.set()

    def late(name: str, *rest: Any) -> Any:
        assert answered.wait(60)
        ours.append(name)
        return do(name, *rest)

    monkeypatch.setenv("GRAMPROBE_JOBS", "2")
    monkeypatch.setattr(pool._Shared, "give", noting)
    monkeypatch.setattr(function, late)
    return ours
