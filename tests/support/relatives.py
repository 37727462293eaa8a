"""A small project of sentences without labels: relative clauses, cut into regions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from projects import write

from gramprobe.cli.main import main
from gramprobe.project import Project, load

GRAMMAR = """
cat Person from people.tsv word sg
cat Verb from verbs.tsv word past
cat Place from places.tsv word text
cat NP
cat S
sentence S "."
fun Subject(p: Person, q: Person, v: Verb) : NP
  lin "the" p |relative "who" v "the" q
fun Object(p: Person, q: Person, v: Verb) : NP
  lin "the" p |relative "who" "the" q v
fun Passive(p: Person, v: Verb) : NP
  lin "the" p + "," v
fun Tell(s: NP, w: Verb, o: Person, a: Place) : S
  lin |subject s |verb w |rest "the" o + "'s friend" a
fun Plain(s: NP, w: Verb, a: Place) : S
  lin s w a
"""
TABLES = {
    "lexicon/people.tsv": "id\tsg\nsenator\tsenator\nreporter\treporter\nnurse\tnurse\nbanker\tbanker\n",
    "lexicon/verbs.tsv": "id\tpast\nattack\tattacked\nadmire\tadmired\nlook_for\tlooked for\n",
    "lexicon/places.tsv": "id\ttext\nthen_1\tyesterday\nhall\tin the hall\n",
}
PARADIGM = """paradigm relatives
about "Relative clauses."
source "the tests"
uses relative
task sentences
size 12
draw p, q, o : Person where p != q, q != o, p != o
draw v, w : Verb where v != w
draw a : Place
{lines}
"""
CLAUSES = """sentence
  src = Tell(Subject(p, q, v), w, o, a)
  orc = Tell(Object(p, q, v), w, o, a)
same words in verb, rest
"""


def project_of(folder: Path, lines: str, grammar: str = "") -> Project:
    files = {
        "grammars/relative.gram": GRAMMAR + grammar,
        "grammars/reading/relatives.paradigm": PARADIGM.format(lines=lines),
    }
    return load(str(write(folder, {**files, **TABLES})), names=["reading"])


def rows_of(folder: Path, lines: str, grammar: str = "") -> list[dict[str, Any]]:
    project_of(folder, lines, grammar)
    assert main(["build", "reading", "--path", str(folder), "--out", str(folder / "data")]) == 0
    text = (folder / "data/reading/items/relatives.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]
