"""Small projects with a paradigm of a task about readings: the grammar, its words, and what the paradigm says."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from projects import write

from gramprobe.project import Project, load
from support.small_grammars import DID, EVERY, IT_RAN, THEY_RAN, TWO, VERBS

GRAMMAR = (
    r"""feature onset = v | c
cat Kind[onset] : e -> t from kinds.tsv word form
cat Who : e from who.tsv word name
"""
    + VERBS
    + r"""table article[onset] v "an" | c "a"
fun Name (w: Who) : NP
  lin w
  sem \P. P(w)
fun Him (w: Who) : NP
  lin "him" unsaid w
  sem \P. P(w)
"""
    + EVERY
    + TWO
    + r"""fun A (k: Kind) : NP
  lin article(k.onset) k
  sem \P. exists x. (k(x), P(x))
  scope "a"
-- What is said of it is the same both ways; a later sentence can take it up in the second only.
fun One (k: Kind) : NP
  lin "one" k
  sem \P. ~forall x. (k(x), ~P(x))
  sem reading "open" \P. exists x. (k(x), P(x))
  scope "a"
"""
    + DID
    + r"""fun Just (w: Who, v: V, l: Kind) : S
  lin w v "just some" l
  sem exh exists y. (l(y), v(w, y))
fun All (w: Who, v: V, l: Kind) : S
  lin w v "every" l
  sem forall y. (l(y), v(w, y))
fun Three (k: Kind, v: V, l: Kind) : S
  lin "three" k v "one" l
  sem exists y. (l(y), atleast 3 x. (k(x), v(x, y)))
fun NoTwo (k: Kind, v: V, l: Kind) : S
  lin "no" l "was" v "by two" k
  sem ~exists y. (l(y), atleast 2 x. (k(x), v(x, y)))
fun AllSame (k: Kind, v: V, l: Kind) : S
  lin "one" l "was" v "by every" k
  sem exists y. (l(y), forall x. (k(x), v(x, y)))
fun NoneSame (k: Kind, v: V, l: Kind) : S
  lin "no" l "was" v "by every" k
  sem (forall x. (k(x), exists y. (l(y), v(x, y)))) & ~exists y. (l(y), forall x. (k(x), v(x, y)))
"""
    + IT_RAN
    + THEY_RAN
)

FILES = {
    "lexicon/kinds.tsv": "id\tform\tonset\nnewt\tnewt\tc\nowl\towl\tv\nelk\telk\tv\n",
    "lexicon/who.tsv": "id\tname\njo\tJo\numa\tUma\n",
    "lexicon/vs.tsv": "id\tpast\nsaw\tsaw\nmet\tmet\n",
}

CHOICE = """task choice
size 4
draw k, l : Kind where k != l
draw v : V
sentence
  s = {sentence}
option
  one = {one}
  other = {other}
pair s => one, other
"""

COREF = """task coref
size 2
draw w : Who
draw k : Kind
draw v : V
sentence
  s = {sentence}
followup
  f = {followup}
hypothesis
  h = Say(Did(Name(w), v, A(k)))
candidate
  subject = Name(w)
  embedded = A(k)
  pronoun = Him(w)
pair s => f, h
"""


def made(
    folder: Path, paradigm: str, theory: str = "", grammar: str = GRAMMAR, files: Mapping[str, str] = FILES
) -> Project:
    head = 'paradigm one\nabout "A set."\nsource "the tests"\nuses small\ntheory small\n'
    written = {
        **FILES,
        **files,
        "grammars/small.gram": grammar,
        "logic/small.logic": f"theory small\ninclude classical\n{theory}",
        "grammars/small/one.paradigm": head + paradigm,
    }
    return load(write(folder, written), names=["small/one"])
