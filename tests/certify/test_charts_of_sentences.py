"""The checker of charts shares no code with the chart: it takes every chart of it, and refuses forged ones."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from support.charts import lifts_of_all_parts

from gramprobe.certify.charts import Charts, Verdict, check, shape
from gramprobe.certify.reject import CertificateError
from gramprobe.chart.judge import certificate, judge, judged
from gramprobe.chart.rules import Rules
from gramprobe.chart.shape import Shapes
from gramprobe.compiled.data import Carried, Carrying, Compiled, Daughter, Production, Sentence, Word, written
from gramprobe.language import Language

KINDS = (
    Carried(name="gap", features=("n",), by_line=True, constraint="gap"),
    Carried(name="self", features=("n",), by_line=False, constraint="bind"),
)
VALUES = ("x", "y")
CATEGORIES = ("S", "A", "B")
FEW = settings(max_examples=max(10, settings().max_examples // 4), deadline=None)


def grammar(productions: tuple[Production, ...], words: tuple[Word, ...]) -> Compiled:
    return Compiled(
        version=3,
        language=Language(code="x", marks=(".",), ends=(".",)),
        sentences=(Sentence(category="S", final=".", continues=False),),
        constructors=(),
        productions=productions,
        words=words,
        carried=KINDS,
        texts={},
    )


def daughter(argument: int, category: str, value: str | None = None, constraint: str = "agree") -> Daughter:
    """The first daughter is the head, whose value the mother shares where neither has one."""
    constraints = {} if value is None else {"f": constraint}
    features = {"f": value} if value is not None or not argument else {}
    return Daughter(argument=argument, category=category, features=features, constraints=constraints)


def rule(name: str, category: str, *parts: str | Daughter, f: str | None = None, carrying: Any = ()) -> Production:
    return Production(
        constructor=name, category=category, features={"f": f}, daughters=parts, values={}, carrying=tuple(carrying)
    )


def line(how: Any, kind: str, *arguments: int, constraint: str = "", **more: Any) -> Carrying:
    closes = {"gap": "gap", "self": "bind"}[kind]
    return Carrying(kind=kind, how=how, arguments=arguments, constraint=constraint or closes, **more)


def word(category: str, spelling: str, f: str) -> Word:
    return Word(category=category, id=f"{category}_{spelling}", features={"f": f}, tokens=(spelling,))


def _small() -> Compiled:
    """`a` and `b` agree; `it` is a gap that `what` fills, `self` must be bound by an `A` of its value."""
    agree = rule("Agree", "S", daughter(0, "A", "x"), daughter(1, "B", "x"), f="x",
                 carrying=[line("through", "gap", 1), line("binds", "self", 1, by=0, equal=())])  # fmt: skip
    take = rule("Take", "B", daughter(0, "B"), "of", daughter(1, "A"), carrying=[line("through", "gap", 1)])
    ask = rule("Ask", "S", "what", daughter(0, "S"), carrying=[line("fills", "gap", 0)])
    gap = rule("Gap", "A", carrying=[line("carries", "gap", values={"n": "x"})])
    own = rule("Own", "A", "self", f="x", carrying=[line("carries", "self", values={"n": "x"})])
    words = (word("A", "a", "x"), word("A", "as", "y"), word("B", "b", "x"), word("B", "bs", "y"))
    return grammar((agree, take, ask, gap, own), words)


def charted(text: str, using: Compiled) -> dict[str, Any]:
    shapes = Shapes(Rules(using))
    shape = shapes.of(text)
    made = certificate(shape, judged(shape, shapes.rules)[1])
    return dict(json.loads(json.dumps(msgspec.to_builtins(made))))


def as_json(using: Compiled) -> dict[str, Any]:
    return dict(json.loads(written(using)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a b .", Verdict(True, ())),
        ("as b .", Verdict(False, ("agree",))),
        ("as bs .", Verdict(False, ())),
        ("a b of .", Verdict(False, ("gap",))),
        ("what a b of .", Verdict(True, ())),
        ("what a b .", Verdict(False, ("gap",))),
        ("what a b of a .", Verdict(False, ("gap",))),
        ("a b of self .", Verdict(True, ())),
        ("self b .", Verdict(False, ("bind",))),
        ("what as b of .", Verdict(False, ("agree",))),
    ],
)
def test_the_edges_of_a_whole_sentence_say_everything(text: str, expected: Verdict) -> None:
    using = _small()
    found = judge(text, Shapes(Rules(using)))
    assert check(charted(text, using), as_json(using)) == expected == (found.good, found.repairs)


def test_places_are_read_off_the_tree() -> None:
    shapes = Shapes(Rules(_small()))
    assert [(each.constraint, each.constructor) for each in judge("as b .", shapes).places] == [("agree", "Agree")]
    assert [each.constructor for each in judge("what a b .", shapes).places] == ["Ask"]


def test_entries_are_cut_as_the_language_cuts_them() -> None:
    using = _small()
    for text in ("a b.", "What a b of.", "a.b", "a .. b", "", "a b of self ."):
        checker, shapes = Charts(as_json(using)), Shapes(Rules(using))
        assert checker.entries(text) == [[[*each.literal], [*map(list, each.kinds)]] for each in shapes.entries(text)]
        assert checker.shape_of(text) == shapes.of(text).id


def _refused(forged: dict[str, Any], using: Compiled, why: str | None = None) -> None:
    with pytest.raises(CertificateError, match=why):
        check(forged, as_json(using))


def test_forged_charts_are_refused() -> None:
    using = _small()
    bad = charted("what as b of .", using)
    for number in range(len(bad["edges"])):
        dropped = deepcopy(bad)
        del dropped["edges"][number]
        _refused(dropped, using)
    for number, edge in enumerate(bad["edges"]):
        if edge[5] is not None:
            other = deepcopy(bad)
            other["edges"][number][5] = "form"
            _refused(other, using)
    added = deepcopy(bad)
    added["edges"].append([0, 4, "S", {"f": "y"}, {}, "bind"])
    _refused(added, using, "nothing before")
    useless = deepcopy(bad)
    useless["edges"].append([1, 2, "S", {}, {}, None])
    _refused(useless, using, "in no tree")
    moved = deepcopy(bad)
    moved["edges"].reverse()
    _refused(moved, using, "nothing before")
    elsewhere = {**charted("a b .", using), "entries": bad["entries"], "shape": bad["shape"]}
    _refused(elsewhere, using, "in no tree")
    _refused({**bad, "edges": []}, using, "missing")
    _refused({**bad, "shape": "0" * 16}, using, "shape")
    for nothing in ({}, {"shape": shape([]), "entries": [], "edges": [[1]]}, {**bad, "edges": [[0, 1, "A"]]}):
        _refused(nothing, using)
    with pytest.raises(CertificateError, match="no grammar"):
        check(bad, {"productions": 3})


@st.composite
def grammars(draw: st.DrawFn) -> Compiled:
    """Grammars of a few rules over three categories, one feature and two kinds of what is carried."""
    value = st.sampled_from((None, *VALUES))

    def production(number: int) -> Production:
        parts: list[str | Daughter] = []
        for part in draw(st.lists(st.sampled_from((*CATEGORIES, "a", "b")), max_size=3)):
            at = sum(not isinstance(each, str) for each in parts)
            constraint = draw(st.sampled_from(("agree", "form")))
            wanted = draw(value)
            others = {"f": ("y" if wanted == "x" else "x",)} if wanted is not None and draw(st.booleans()) else {}
            handed = ("f",) if wanted is not None and not at and draw(st.booleans()) else ()
            made = replace(daughter(at, part, wanted, constraint), others=others, handed=handed)
            parts.append(made if part in CATEGORIES else part)
        said = sum(not isinstance(each, str) for each in parts)
        lines: list[Carrying] = []
        if not said and draw(st.booleans()):
            lines.append(
                line("carries", draw(st.sampled_from(("gap", "self"))), values={"n": draw(st.sampled_from(VALUES))})
            )
        for _ in range(draw(st.integers(0, 2)) if said else 0):
            how = draw(st.sampled_from(("through", "all", "barrier", "fills", "binds", "licenses")))
            kind, at = draw(st.sampled_from(("gap", "self"))), draw(st.integers(0, said - 1))
            by = draw(st.sampled_from((None, *range(said)))) if how in ("fills", "binds", "licenses") else None
            related = (("n", "f", (("x", "x"), ("y", "y"))),) if by is not None else ()
            more = {"by": by, "related": related} if by is not None else {}
            constraint = "barrier" if how == "barrier" else ""
            lines.append(line(how, kind, *(() if how == "all" else (at,)), constraint=constraint, **more))
        return rule(f"R{number}", draw(st.sampled_from(CATEGORIES)), *parts, f=draw(value), carrying=lines)

    productions = tuple(production(number) for number in range(draw(st.integers(2, 6))))
    words = tuple(
        word(c, s, draw(st.sampled_from(VALUES))) for c in ("A", "B") for s in draw(st.sets(st.sampled_from("abc")))
    )
    return grammar((*productions, rule("Whole", "S", daughter(0, "A"), daughter(1, "B"))), words)


@FEW
@given(using=grammars(), tokens=st.lists(st.sampled_from("abc"), min_size=1, max_size=4), data=st.data())
def test_every_chart_is_taken_and_a_smaller_one_refused(
    using: Compiled, tokens: list[str], data: st.DataObject
) -> None:
    text = " ".join([*tokens, "."])
    rules = Rules(using)
    assume(all(token in rules.known for token in tokens))
    made, found = charted(text, using), judge(text, Shapes(rules))
    assert check(made, as_json(using)) == (found.good, found.repairs)
    assert Charts(as_json(using)).shape_of(text) == made["shape"]
    assert (None if found.good else found.places) == lifts_of_all_parts(text, rules)
    if made["edges"]:
        del made["edges"][data.draw(st.integers(0, len(made["edges"]) - 1))]
        _refused(made, using)
