"""A small project of minimal pairs: agreement, the number of nouns, and forms behind auxiliaries."""

from __future__ import annotations

from pathlib import Path

from projects import write

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
AGREEMENT = """let c = Clause(present, This(n), v)
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
"""


def project_of(folder: Path, lines: str = AGREEMENT, paradigm: str = PARADIGM) -> Project:
    """The project in a folder; its paradigm is `pairs/agreement`."""
    files = {"grammars/pairing.gram": GRAMMAR, "grammars/pairs/agreement.paradigm": paradigm.format(lines=lines)}
    return load(str(write(folder, {**files, **TABLES})))
