"""Cells of a chunk: what a column or a line says is what its pieces say one by one, and no chunk outlives its rows."""

from __future__ import annotations

import gc
import json
import weakref
from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from support import shipped

from gramprobe.items import cells
from gramprobe.items.cells import Cell, Lookup, Number, Piece, Source, Struct, Text, Words, lines, table
from gramprobe.resolve.grammar.data import Grammar
from gramprobe.resolve.tree import Apply, Tree, nodes, put, show
from gramprobe.space.constraints import value_of
from gramprobe.space.space import Draws, Space, skeletons_of
from gramprobe.words.arrow import run_together, strings
from gramprobe.words.linearise import consulted, linearise
from gramprobe.words.parts import Parts
from gramprobe.words.settled import settled
from gramprobe.words.variants import Variant, Variants, drawn_category

ROWS = 7
letters = st.text('ab"\\é\n', max_size=3)


@st.composite
def texts(draw: st.DrawFn, sources: list[Source]) -> Text:
    """A text of constants and of dictionaries over one or two sources."""
    pieces: list[Piece] = []
    for _ in range(draw(st.integers(1, 5))):
        chosen = draw(st.lists(st.sampled_from(sources), max_size=2, unique=True))
        if not chosen:
            pieces.append(draw(letters))
            continue
        size = int(np.prod([s.size for s in chosen]))
        pieces.append(Lookup(Words(draw(st.lists(letters, min_size=size, max_size=size))), tuple(chosen)))
    return Text.of(*pieces)


@st.composite
def numbers(draw: st.DrawFn, sources: list[Source]) -> Text:
    """The digits of one number for all rows, or of one for each value of a source."""
    digits = st.integers(0, 99).map(str)
    if draw(st.booleans()):
        return Text.of(draw(digits))
    source = draw(st.sampled_from(sources))
    return Text.of(Lookup(Words(draw(st.lists(digits, min_size=source.size, max_size=source.size))), (source,)))


@st.composite
def columns(draw: st.DrawFn) -> dict[str, Cell]:
    """Some columns of a chunk that share their sources."""
    codes = st.lists(st.integers(0, 2), min_size=ROWS, max_size=ROWS)
    sources = [Source(3, np.array(draw(codes), np.int32)) for _ in range(3)]
    some = texts(sources)
    struct = Struct({"one": draw(some), "other": draw(some)})
    return {"first": draw(some), "second": draw(some), "number": Number(draw(numbers(sources))), "struct": struct}


def value_at(cell: Cell, row: int) -> Any:
    """What a cell says in a row, piece by piece."""
    match cell:
        case Number(digits):
            return int(value_at(digits, row))
        case Struct(fields):
            return {name: value_at(each, row) for name, each in fields.items()}
    found = ""
    for piece in cell.pieces:
        if not isinstance(piece, Lookup):
            found += piece if isinstance(piece, str) else value_at(piece, row)
            continue
        place = 0
        for source in piece.sources:
            place = place * source.size + int(source.codes[row])
        found += piece.words.texts[place]
    return found


@pytest.mark.slow
@given(columns())
def test_a_row_says_what_its_pieces_say(found: dict[str, Cell]) -> None:
    expected = [{name: value_at(cell, row) for name, cell in found.items()} for row in range(ROWS)]
    struct = pa.struct([("one", pa.string()), ("other", pa.string())])
    schema = pa.schema([("first", pa.string()), ("second", pa.string()), ("number", pa.int64()), ("struct", struct)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cells, "LINES", 3)
        assert table([found], ROWS, schema).to_pylist() == expected
        written = b"".join(bytes(b) for b in lines([found], ROWS, list(found)))
    dumped = (json.dumps(row, separators=(",", ":"), ensure_ascii=False) + "\n" for row in expected)
    assert written.decode() == "".join(dumped)


def test_two_rows_an_instance_stand_together() -> None:
    source = Source(2, np.array([0, 1, 1], np.int32))
    rows = [{"x": Text.of(mark, Lookup(Words(["a", "b"]), (source,)))} for mark in "12"]
    schema = pa.schema([("x", pa.string())])
    assert table(rows, 3, schema)["x"].to_pylist() == ["1a", "2a", "1b", "2b", "1b", "2b"]
    assert b"".join(bytes(b) for b in lines(rows, 3, ["x"])).decode().count("\n") == 6


def test_nothing_of_a_chunk_is_left_behind() -> None:
    """Without the collector of circles: the arrays of a million rows would stay until it comes round."""
    gc.collect()
    gc.disable()
    try:
        sources = [Source(2, np.array([0, 1], np.int32)) for _ in range(2)]
        held = [weakref.ref(source.codes) for source in sources]
        parts = [Lookup(Words(list("abcd")), pair) for pair in product(sources, repeat=2)]
        row = {"x": Text.of(*parts)}
        del parts
        assert len(list(lines([row], 2, ["x"]))) == 1
        del sources, row
        assert [each() for each in held] == [None, None]
    finally:
        gc.enable()


def test_texts_as_an_array() -> None:
    found = ["", "é", 'a"b', ""]
    assert strings(found).to_pylist() == found
    assert strings([]).to_pylist() == []


def test_texts_of_several_pieces() -> None:
    sizes = np.array([2, 0, 1])
    assert run_together(strings(["a", "é", "b"]), sizes).to_pylist() == ["aé", "", "b"]
    assert run_together(strings([]), sizes[:0]).to_pylist() == []


def variant_of(tree: Tree, draws: Draws, row: int, space: Space, grammar: Grammar) -> Variant:
    """The variant of one row, from its draws alone: in place of each definition what it stands for in this row."""
    whole = put(tree, skeletons_of(space.paradigm, space.boxes[int(draws.box[row])].skeletons))
    chosen = {}
    for slot, column in consulted(whole, grammar):
        member = int(draws.columns[slot.name][row])
        chosen[slot.path, column] = value_of(slot, column, member, grammar, drawn_category(space, slot))
    variant = Variant(settled(whole, chosen, grammar), chosen)
    assert not any(isinstance(n, Apply) and n.constructor.branches is not None for n in nodes(variant.tree))
    assert linearise(variant.tree, {}, chosen, grammar) == linearise(asked(whole), {}, chosen, grammar)
    return variant


def asked(tree: Tree) -> Tree:
    """The tree in which what definitions stand for is asked what they are asked (a mode), even beside a head."""
    if not isinstance(tree, Apply):
        return tree
    constructor = tree.constructor
    declared = len(constructor.declared)
    heads = tuple(structs.replace(each, head=True) for each in constructor.arguments[declared:])
    constructor = structs.replace(constructor, arguments=(*constructor.declared, *heads))
    return structs.replace(tree, constructor=constructor, arguments=tuple(map(asked, tree.arguments)))


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        *("presupposition/change_of_state", "de_re_de_dicto/belief"),
        *(pytest.param(f"presupposition/{name}", marks=pytest.mark.deep) for name in ("all_n", "only")),
    ],
)
def test_rows_of_one_number_have_one_variant(name: str) -> None:
    """Rows of two chunks, numbered by table, have the trees and values that each row has by itself."""
    space, grammar = shipped.space(name), shipped.grammar_of(name)
    for condition in shipped.paradigm(name).conditions.values():
        parts = Parts(grammar)
        variants = Variants(condition.tree, parts.consulted, space, parts)
        for start in (0, 60):
            draws = space.draws(space.permutation(1), start, start + 60)
            for row, number in enumerate(variants.of(draws).tolist()):
                assert variants.by_number[number] == variant_of(condition.tree, draws, row, space, grammar)
        different = {(show(each.tree), *each.chosen.items()) for each in variants.by_number}
        assert len(different) == len(variants.by_number)


def rows_of_an_instance(draw: st.DrawFn) -> list[dict[str, Cell]]:
    """Rows that share one cell, as one object, and have another each."""
    codes = st.lists(st.integers(0, 2), min_size=ROWS, max_size=ROWS)
    sources = [Source(3, np.array(draw(codes), np.int32)) for _ in range(2)]
    shared: Cell = draw(texts(sources))
    return [{"shared": shared, "own": draw(texts(sources)), "n": Number.constant(place)} for place in range(3)]


@pytest.mark.slow
@given(st.data())
def test_rows_with_a_shared_cell_and_with_some_left_out(data: st.DataObject) -> None:
    """Instance by instance every row of it, or those that it has."""
    rows = rows_of_an_instance(data.draw)  # type: ignore[arg-type]
    some = st.lists(st.sets(st.integers(0, 2)), min_size=ROWS, max_size=ROWS)
    kept = data.draw(st.none() | some)
    wanted = [(i, row) for i in range(ROWS) for row in range(3) if kept is None or row in kept[i]]
    expected = [{name: value_at(cell, i) for name, cell in rows[row].items()} for i, row in wanted]
    dealt = None if kept is None else np.array([[row in each for row in range(3)] for each in kept], np.bool_)
    schema = pa.schema([("shared", pa.string()), ("own", pa.string()), ("n", pa.int64())])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cells, "LINES", data.draw(st.sampled_from((3, 6, 1 << 13))))
        written = b"".join(bytes(b) for b in lines(rows, ROWS, list(rows[0]), dealt)).decode()
    assert [json.loads(line) for line in written.split("\n")[:-1]] == expected
    assert table(rows, ROWS, schema, dealt).to_pylist() == expected
    start = data.draw(st.integers(0, ROWS))
    behind = table(rows, ROWS - start, schema, None if dealt is None else dealt[start:], start)
    assert behind.to_pylist() == [row for (i, _), row in zip(wanted, expected, strict=True) if i >= start]
