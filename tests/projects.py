"""Small projects of a test's own: files written below a temporary folder, on top of the shipped ones."""

from __future__ import annotations

from pathlib import Path

from gramprobe.project import Project, load

HEAD = """paradigm {name}
about  "A set of the tests."
source "the tests"
uses   toy
theory toy
"""

PLAIN = "draw w : Who\ndraw k : Kind\npremise\n p = Has(w, k)\nhypothesis\n h = Lacks(w, k)\npair p => h\n"

TOY_GRAMMAR = r"""
feature num = sg | pl
feature onset = v | c
cat Kind[num, onset, isa: Kind?] : e -> t from kinds.tsv forms sg, pl
cat Who : e from who.tsv word name
cat Did : e -> t from did.tsv word past
cat S : t
sentence S "."
const has : e -> e -> t
table article[onset] v "an" | c "a"
fun Has (w: Who, k: Kind) : S
  lin w "has" article(k.onset) k[num=sg]
  sem exists x. (k(x), has(w, x))
fun Lacks (w: Who, k: Kind) : S
  lin w "has no" k[num=sg]
  sem ~exists x. (k(x), has(w, x))
fun TheirK (w: Who, k: Kind, d: Did) : S
  lin w + "'s" k[num=sg] d
  sem the x. (k(x) & has(w, x), d(x))
"""

TOY_THEORY = """theory toy
include classical
each k : Kind postulate forall x. (k(x) -> k.isa(x))
"""

KINDS = "id\tsg\tpl\tonset\tisa\n"
WHO = "id\tname\numa\tUma\nvito\tVito\nwanda\tWanda\n"
DID = "id\tpast\nhummed_\thummed\nspun_\tspun\n"
ANIMALS = "".join(
    f"{name}\t{name}\t{name}s\t{onset}\t{isa}\n"
    for name, onset, isa in (("newt", "c", "-"), ("owlet", "v", "birdie"), ("birdie", "c", "-"), ("ashcat", "v", "-"))
)


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return folder


RELATED = """
draw w, other : Who
draw k, l     : Kind
draw d        : Did
premise
  trigger = TheirK(w, k, d)
  has     = Has(w, k)
hypothesis
  same  = Has(other, l)
  lacks = Lacks(w, l)
pair trigger, has => same, lacks
"""
"""A paradigm of kinds: two premises and two hypotheses, of one or two kinds of things."""


def toy(
    folder: Path,
    paradigm: str,
    kinds: str = ANIMALS,
    name: str = "toy/one",
    grammar: str = TOY_GRAMMAR,
    head: str = HEAD,
) -> Project:
    """A project with the toy grammar, its words and one paradigm; shipped ones are not read."""
    text = head.format(name=name.rpartition("/")[2]) + paradigm
    files = {
        "grammars/toy.gram": grammar,
        "logic/toy.logic": TOY_THEORY,
        "lexicon/kinds.tsv": KINDS + kinds,
        "lexicon/who.tsv": WHO,
        "lexicon/did.tsv": DID,
        f"grammars/{name}.paradigm": text,
    }
    return load(write(folder, files), names=[name])
