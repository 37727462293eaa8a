"""Pieces of grammars that several tests' own small grammars begin with: quantifiers over a kind, and clauses."""

from __future__ import annotations

VERBS = r"""cat V : e -> e -> t from vs.tsv word past
cat NP : (e -> t) -> t
cat Cl : t
cat S : t
sentence S "."
const ran : e -> t
"""
"""Categories of clauses with a verb that is drawn."""
IT_RAN = r"""fun ItRan : S
  lin "it ran"
  sem ran(it)
  refers "a"
"""
THEY_RAN = r"""fun TheyRan : S
  lin "those two ran"
  sem ran(it)
  refers "two"
"""
EVERY = r"""fun Every (k: Kind) : NP
  lin "every" k
  sem \P. forall x. (k(x), P(x))
  scope "every"
"""
TWO = r"""fun Two (k: Kind) : NP
  lin "two" k
  sem \P. atleast 2 x. (k(x), P(x))
  scope "two" trace 2
"""
A = r"""fun A (k: Kind) : NP
  lin "a" k
  sem \P. exists x. (k(x), P(x))
  scope "a"
"""
DID = r"""fun Did (s: NP, v: V, o: NP) : Cl
  lin s v o
  sem s(\x. o(\y. v(x, y)))
fun Say (c: Cl) : S
  lin c
  sem c
"""
"""Clauses with a verb that is drawn."""
SEEING = r"""feature mode = plain | negated
cat Kind : e -> t from tested_kinds.tsv word form
cat NP : (e -> t) -> t
cat VP : e -> t
cat Cl[mode] : t
cat S : t
sentence S "."
const saw : e -> e -> t
"""
"""Categories of clauses about seeing."""
SAW = r"""fun See (o: NP) : VP
  lin "saw" o
  sem \x. o(\y. saw(x, y))
fun Saw (s: NP, o: NP) : Cl
  lin [mode=plain]   s "saw" o
  lin [mode=negated] s "didn't see" o
  sem s(\x. o(\y. saw(x, y)))
fun Say (c: Cl) : S
  lin c[mode=plain]
  sem c
fun Deny (c: Cl) : S
  lin c[mode=negated]
  sem ~c
  scope "not"
"""
"""Clauses about seeing, asserted and denied."""
