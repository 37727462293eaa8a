"""`breaking`: which use of a constraint a sentence breaks, and the words that it then has."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.minimal_pairs import AGREEMENT, PARADIGM, project_of

SENTENCES = PARADIGM.replace("minimal_pair", "sentences")


def sentences(folder: Path, lines: str) -> dict[str, str]:
    """The sentences of the first instance by condition."""
    found = project_of(folder, f"sentence\n{lines}", SENTENCES).paradigm("pairs/agreement").instances(1)
    return {line.condition: line.sentence for line in found.instances[0]}


@pytest.mark.parametrize(
    ("broken", "says"),
    [
        ("p breaking agree sv", "This {n} {v}."),
        ("p breaking form as past", "This {n} {v.past}."),
        ("a breaking agree sv", "This {n} beside these {m.pl} {v}."),
        ("a breaking agree dn", "This {n.pl} beside these {m.pl} {v.s}."),
        ("a breaking agree dn in o", "This {n} beside these {m} {v.s}."),
        ("k breaking form as s", "This {n} can {v.s}."),
        ("a breaking agree sv with n := m", "This {m} beside these {m.pl} {v}."),
    ],
)
def test_the_outermost_use_of_the_constraint_has_another_value(tmp_path: Path, broken: str, says: str) -> None:
    lines = "  p = Assert(c)\n  k = Assert(Can(This(n), v))\n  a = Assert(Clause(present, Beside(This(n), o), v))\n"
    made = sentences(tmp_path, f"{lines}  b = {broken}\nlet c = Clause(present, This(n), v)\nlet o = These(m)\n")
    nouns = {"nurse": "nurses", "banker": "bankers", "child": "children"}
    verbs = {"yawn": ("yawns", "yawned"), "sing": ("sings", "sang")}
    _, n, _, _, plural, finite = made["a"][:-1].split(" ")
    m = next(one for one, many in nouns.items() if many == plural)
    v = next(base for base, (s, _) in verbs.items() if s == finite)
    known = {"n": n, "n.pl": nouns[n], "m": m, "m.pl": plural, "v": v, "v.s": finite, "v.past": verbs[v][1]}
    for name, word in known.items():
        says = says.replace(f"{{{name}}}", word)
    assert made["b"] == says


@pytest.mark.parametrize(
    ("broken", "says"),
    [
        ("p breaking licence", "no constructor of `b` states `licence` by a value that its words depend on"),
        ("p breaking agreement", "no constraint named `agreement`"),
        ("p breaking form", "there are several values of what `form` is about in `b`"),
        ("p breaking form as sg", "`sg` is no value of what `form` is about in `b`"),
        ("p breaking agree sv in o", "the tree of `o` does not stand in `b`"),
        ("q breaking agree sv", "no draw, let or constructor named `q`"),
    ],
)
def test_what_cannot_be_broken_is_refused_at_its_place(tmp_path: Path, broken: str, says: str) -> None:
    lines = f"sentence\n  p = Assert(c)\n  b = {broken}\nlet c = Clause(present, This(n), v)\nlet o = These(m)\n"
    lines += "sentence\n  r = Assert(Clause(present, o, v))\n"
    findings = project_of(tmp_path, lines, SENTENCES).findings
    assert [says in each.message for each in findings.items if each.is_error] == [True], findings.items
    assert findings.items[0].span.line > 0


def test_a_constraint_that_is_named_twice_is_reported(tmp_path: Path) -> None:
    lines = AGREEMENT.replace("constraint agree sv\n", "constraint agree sv\nconstraint agree dn\n", 1)
    assert [item.code for item in project_of(tmp_path, lines).findings.items] == ["E16"]
