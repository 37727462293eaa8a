"""Pictures of models: every fact and arrow is drawn, nothing breaks the SVG, same model, same bytes."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from gramprobe.certify.model import Model
from gramprobe.explain.picture import Figure, named, sheet, text
from gramprobe.explain.words import described, why_absent

SVG = "{http://www.w3.org/2000/svg}"
MODEL = Model(
    worlds=3,
    individuals=3,
    actual=1,
    constants={"amy": 0, "bo": 1},
    predicates={
        "cat": (frozenset({(2,)}), frozenset(), frozenset({(0,), (2,)})),
        "has": (frozenset({(0, 2)}), frozenset(), frozenset()),
        "rain": (frozenset({()}), frozenset(), frozenset()),
        "snow": (frozenset(), frozenset(), frozenset()),
    },
    relations={
        "K[0]": frozenset({(0, 0), (0, 2), (2, 0), (1, 1)}),
        "B[1]": frozenset({(0, 1), (1, 2)}),
        "nec": frozenset(),
    },
)


def drawn(model: Model, **more: object) -> ElementTree.Element:
    return ElementTree.fromstring(sheet([Figure(model, **more)]))  # type: ignore[arg-type]


def words(picture: ElementTree.Element) -> list[str]:
    return [each.text or "" for each in picture.iter(f"{SVG}text")]


def test_text_shows_who_has_what_and_what_is_seen() -> None:
    assert text(MODEL, {"rain", "snow"}) == [
        "individuals amy, bo, d2",
        "+- w0 -----------+  += w1, actual ==+  +- w2 ---------+",
        "| cat: d2        |  | cat: none     |  | cat: amy, d2 |",
        "| has: (amy, d2) |  | has: none     |  | has: none    |",
        "| rain           |  | not rain      |  | not rain     |",
        "| not snow       |  | not snow      |  | not snow     |",
        "+----------------+  +===============+  +--------------+",
        "B[bo]   w0 -> w1   w1 -> w2   w2 -> nothing",
        "K[amy]  w0 -> w0, w2   w1 -> w1   w2 -> w0",
        "nec     w0 -> nothing   w1 -> nothing   w2 -> nothing",
    ]


def test_the_picture_has_every_fact() -> None:
    shown = words(drawn(MODEL, propositions=frozenset({"rain", "snow"})))
    for fact in ("cat: d2", "cat: amy, d2", "has: (amy, d2)", "rain", "w1, actual", "K[amy]", "B[bo]", "nec"):
        assert fact in shown
    assert shown.count("not snow") == 3 and shown.count("not rain") == 2 and shown.count("cat: none") == 1
    assert "no world sees any" in shown


def test_the_picture_has_every_arrow_and_one_actual_world() -> None:
    picture = drawn(MODEL)
    arrows = [each for each in picture.iter(f"{SVG}path") if each.get("class") == "arrow"]
    assert len(arrows) == sum(map(len, MODEL.relations.values()))
    assert len(list(picture.iter(f"{SVG}circle"))) == 3 * len(MODEL.relations)
    frames = [each.get("class") for each in picture.iter(f"{SVG}rect")]
    assert (frames.count("here"), frames.count("inner"), frames.count("box")) == (1, 1, 2)


def test_everything_lies_on_the_sheet() -> None:
    picture = drawn(MODEL, title="x" * 90, notes=("y " * 100,))
    width, height = (float(picture.get(side, "0")) for side in ("width", "height"))
    for each in picture.iter(f"{SVG}rect"):
        if each.get("class"):
            assert float(each.get("x", "-1")) >= 0
            assert float(each.get("x", "0")) + float(each.get("width", "0")) <= width
            assert float(each.get("y", "0")) + float(each.get("height", "0")) <= height


def test_names_that_are_no_markup_stay_names() -> None:
    odd = Model(
        worlds=1,
        individuals=1,
        actual=0,
        constants={"a<b": 0},
        predicates={"x&y": (frozenset({(0,)}),)},
        relations={'"K"[0]': frozenset({(0, 0)})},
    )
    shown = words(drawn(odd, title="<script>", notes=("1 < 2 & 3",)))
    assert "<script>" in shown and "1 < 2 & 3" in shown and "x&y: a<b" in shown and '"K"[a<b]' in shown


def test_same_model_same_bytes() -> None:
    relations = {key: frozenset(sorted(each, reverse=True)) for key, each in reversed(MODEL.relations.items())}
    other = Model(
        worlds=3,
        individuals=3,
        actual=1,
        constants={"bo": 1, "amy": 0},
        predicates=dict(reversed(MODEL.predicates.items())),
        relations=relations,
    )
    assert sheet([Figure(MODEL)]) == sheet([Figure(other)])
    assert text(MODEL) == text(other) and described(MODEL) == described(other)


def test_a_name_is_given_to_nobody_else() -> None:
    assert named(
        Model(worlds=1, individuals=3, actual=0, constants={"d2": 0, "t0": 1}, predicates={}, relations={}, occasions=1)
    ) == ["d2", "t0", "d2'", "t0'"]


@pytest.mark.parametrize("members", [12, 40])
def test_long_lists_go_on_in_the_next_line(members: int) -> None:
    crowd = Model(
        worlds=1,
        individuals=members,
        actual=0,
        constants={},
        predicates={"waiter": (frozenset((i,) for i in range(members)),)},
    )
    lines = text(crowd)[1:]
    assert max(map(len, lines)) < 42
    assert " ".join(lines).count("d") == members


def test_worlds_that_do_not_fit_go_below() -> None:
    many = Model(worlds=9, individuals=1, actual=0, constants={}, predicates={"p": (frozenset({()}),) * 9})
    assert max(map(len, text(many, width=60))) <= 60
    assert sum("w" in line for line in text(many, width=60)) > 1


def test_sets_of_worlds_are_described() -> None:
    model = Model(
        worlds=2,
        individuals=1,
        actual=0,
        constants={"jo": 0},
        predicates={},
        relations={},
        occasions=0,
        neighbourhoods={"forget[0]": (frozenset(), frozenset({frozenset(), frozenset({1})}))},
    )
    assert text(model)[-2:] == ["forget[jo] at w0: no set of worlds", "forget[jo] at w1: {}, {w1}"]
    assert "forget[jo] at w1: {}, {w1}" in words(drawn(model))


@pytest.mark.parametrize(
    ("proof", "said"),
    [
        ({"kind": "type-elimination"}, "type elimination"),
        ({"kind": "venn"}, "finite models of every size"),
        ({"kind": "herbrand"}, "re-checked"),
        ({"kind": "prover", "name": "cvc5"}, "the outside prover cvc5"),
        ({"kind": "bounded", "worlds": 2, "individuals": 1}, "2 worlds and 1 individual,"),
    ],
)
def test_every_kind_of_proof_has_its_words(proof: dict[str, object], said: str) -> None:
    assert said in why_absent(proof)
