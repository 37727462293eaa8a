"""A small project of minimal pairs: agreement, the number of nouns, and forms behind auxiliaries."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from projects import write

from gramprobe.cli.main import main
from gramprobe.project import Project, load

GRAMMAR = """
feature num = sg | pl
feature form = base | s | past
feature tense = present | before
cat Noun[num] from pair_nouns.tsv forms sg, pl
cat Verb[form] from pair_verbs.tsv forms base, s, past
cat NP[num]
cat Cl
cat S
sentence S "."
constraint agree sv = NP.num
constraint agree dn = Noun.num
table finite[tense, num] : form
  present sg s | present pl base | before sg past | before pl past
fun This (head n: Noun) : NP[num=sg]
  lin "this" n[num=sg]
fun These (head n: Noun) : NP[num=pl]
  lin "these" n[num=pl]
fun Beside (head p: NP, o: NP) : NP
  lin p "beside" o
fun Clause (t: tense, s: NP, head v: Verb) : Cl
  lin s v[form=finite(t, s.num)]
fun Can (s: NP, head v: Verb) : Cl
  lin s "can" v[form=base]
fun Assert (c: Cl) : S
  lin c
"""
LONGER = (
    ("Verb) : Cl\n  lin s v", "Verb, o: Noun) : Cl\n  lin s v"),
    ("s.num)]", 's.num)] o[num=pl] "today"'),
)
TABLES = {
    "lexicon/pair_nouns.tsv": "id\tsg\tpl\nnurse\tnurse\tnurses\nbanker\tbanker\tbankers\nchild\tchild\tchildren\n",
    "lexicon/pair_verbs.tsv": "id\tbase\ts\tpast\nyawn\tyawn\tyawns\tyawned\nsing\tsing\tsings\tsang\n",
}
PARADIGM = """paradigm agreement
about "A verb agrees with its subject."
source "the tests"
uses pairing
task minimal_pair
size 12
draw n, m : Noun where n != m
draw v : Verb
{lines}
"""
GUESSED = "".join(
    f'solvable by {reader} 1 because "every subject is singular"\n' for reader in ("unigram", "bigram", "length")
)
AGREEMENT = f"""let c = Clause(present, This(n), v)
let o = Clause(present, Beside(This(n), These(m)), v)
good
  plain   = Assert(c)
  across  = Assert(o)
bad
  swapped = plain breaking agree sv
  lured   = across breaking agree sv
constraint agree sv
one word
unique repair
{GUESSED}"""
CROSSED = """good
  one       = Assert(Clause(present, Beside(This(n), This(m)), v))
  many      = Assert(Clause(present, Beside(These(n), This(m)), v))
bad
  one_base  = one breaking agree sv
  many_s    = many breaking agree sv
constraint agree sv
one word
factor subject = singular: one, one_base | plural: many, many_s
factor verb    = with_s: one, many_s | base: many, one_base
"""


def project_of(
    folder: Path, lines: str = AGREEMENT, paradigm: str = PARADIGM, nouns: str = "", longer: bool = False
) -> Project:
    """The project in a folder; its paradigm is `pairs/agreement`. ``nouns``: further rows of their table; ``longer``:
    an object and an adverb stand behind the verb."""
    grammar = GRAMMAR.replace(*LONGER[0]).replace(*LONGER[1]) if longer else GRAMMAR
    files = {"grammars/pairing.gram": grammar, "grammars/pairs/agreement.paradigm": paradigm.format(lines=lines)}
    tables = {name: text + nouns if "nouns" in name else text for name, text in TABLES.items()}
    return load(str(write(folder, {**files, **tables})), names=["pairs"])


def built(folder: Path, lines: str = AGREEMENT, longer: bool = False) -> Path:
    """The folder of its dataset, built: all instances that repeat no pair."""
    project_of(folder, lines, longer=longer)
    command = ["build", "pairs/agreement", "--n", "all", "--path", str(folder), "--out", str(folder / "data")]
    assert main(command) == 0
    return folder / "data/pairs--agreement"


def rows_of(dataset: Path) -> list[dict[str, Any]]:
    text = (dataset / "items/agreement.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]
