"""Syntax trees in the cache: reading gives the tree that was written, and a file of anything else is ignored."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_type_hints

import msgspec
import pytest

from gramprobe.items.tasks import task_forms
from gramprobe.source.diagnostic import Diagnostic
from gramprobe.source.files import Library, Source, collect, shipped_folder
from gramprobe.syntax import cache
from gramprobe.syntax.files import read_grammar, read_paradigm, read_theory
from gramprobe.syntax.paradigm_tree import Paradigm


def paradigm(source: Source) -> tuple[Paradigm | None, list[Diagnostic]]:
    """Reads a paradigm with the headings of all tasks."""
    return read_paradigm(source, task_forms().headings())


READERS: dict[str, Callable[[Source], Any]] = {".gram": read_grammar, ".paradigm": paradigm, ".logic": read_theory}
BAD = Path(__file__).parents[1] / "errors"
#: of the files, `make test` reads every sixth back
STEPS = [pytest.param(1, id="all", marks=pytest.mark.deep), pytest.param(6, id="some")]


@pytest.fixture(scope="module")
def library() -> Library:
    return collect([("shipped", shipped_folder())])[0]


def type_of(reader: Callable[[Source], Any]) -> Any:
    return get_type_hints(reader)["return"]


@pytest.mark.slow
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("suffix", READERS)
def test_every_shipped_file_is_read_back(library: Library, suffix: str, step: int) -> None:
    reader = READERS[suffix]
    sources = [source for name, source in library.sources.items() if name.endswith(suffix)]
    assert sources
    for source in sources[::step]:
        result = reader(source)
        assert msgspec.json.decode(msgspec.json.encode(result), type=type_of(reader)) == result


@pytest.mark.slow
@pytest.mark.parametrize("step", STEPS)
def test_files_with_mistakes_are_read_back_with_their_messages(step: int) -> None:
    messages = 0
    for folder in sorted(BAD.iterdir())[::step]:
        for source in collect([("own", folder)])[0].sources.values():
            reader = READERS.get(Path(source.name).suffix)
            if reader is not None:
                result = reader(source)
                messages += len(result[1])
                assert msgspec.json.decode(msgspec.json.encode(result), type=type_of(reader)) == result
    assert messages > 5


def paths(data: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The places of all values in JSON data."""
    inner = enumerate(data) if isinstance(data, list) else data.items() if isinstance(data, dict) else ()
    return [at] + [place for key, value in inner for place in paths(value, (*at, key))]


@pytest.mark.slow
@pytest.mark.parametrize("value", [None, True, -1, 7, 10**6, 0.5, "x", [], {}, ["Words", 1], [[]]], ids=repr)
def test_a_value_of_another_type_is_never_read_as_a_tree(library: Library, value: Any) -> None:
    """Whatever stands at whatever place: it is refused, or it is a tree of the declared types."""
    source = library.sources["logic/presupposition.logic"]
    type_ = type_of(read_theory)
    data = json.loads(msgspec.json.encode(read_theory(source)))
    refused = 0
    for place in paths(data)[1:]:
        holder = data
        for key in place[:-1]:
            holder = holder[key]
        there, holder[place[-1]] = holder[place[-1]], value
        try:
            read = msgspec.json.decode(msgspec.json.encode(data), type=type_)
        except msgspec.ValidationError:
            refused += 1
        else:
            msgspec.convert(msgspec.to_builtins(read), type_)  # raises for what is not of its type
        holder[place[-1]] = there
    assert refused


FOREIGN = [
    pytest.param(pickle.dumps(5), id="a pickle of a number"),
    pytest.param(b"5", id="a number"),
    pytest.param(b"", id="nothing"),
    pytest.param(b"[" * 100_000, id="nested deep"),
    pytest.param(b"\xff\xfe", id="no text"),
    pytest.param(b'[["Theory", 5], []]', id="another tree"),
    pytest.param(b'[["Paradigm"], []]', id="a tree of another language"),
    pytest.param(b'[null, [{"code": 5}]]', id="another message"),
]


@pytest.mark.parametrize("content", FOREIGN)
def test_a_planted_file_is_read_as_no_cache_and_replaced(
    content: bytes, library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    source = library.sources["logic/presupposition.logic"]

    def read() -> Any:
        monkeypatch.setattr(cache, "_memory", {})
        return cache.cached(source, read_theory)

    expected = read()
    (file,) = (tmp_path / "gramprobe" / "syntax").iterdir()
    honest = file.read_bytes()
    for damaged in (content, honest.replace(b'"classical"', b'"attitudes"', 1)):
        file.write_bytes(damaged)
        assert read() == expected
        assert file.read_bytes() == honest


class Planted:
    """Leaves a mark when it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.mark,)


def test_no_code_in_a_cache_file_is_run(library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(cache, "_memory", {})
    source = library.sources["logic/classical.logic"]
    cache.cached(source, read_theory)
    for file in (tmp_path / "gramprobe" / "syntax").iterdir():
        for suffix in (".json", ".pickle"):
            file.with_suffix(suffix).write_bytes(pickle.dumps(Planted(tmp_path / "mark")))
    monkeypatch.setattr(cache, "_memory", {})
    cache.cached(source, read_theory)
    assert not (tmp_path / "mark").exists()


def test_without_a_cache_nothing_is_written_or_read(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("GRAMPROBE_CACHE", "off")
    monkeypatch.setattr(cache, "_memory", {})
    cache.cached(library.sources["logic/classical.logic"], read_theory)
    assert list(tmp_path.iterdir()) == []
