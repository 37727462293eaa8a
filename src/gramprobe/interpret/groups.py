"""What several do together: formulas in which they do it as a group, to hold labels against (Link 1983).

*Three nurses lifted the piano*, the three of them, so that no two and no one did; but *most tall nurses lifted it* says
of a group that *most nurses* need not be about, and *some tall nurses lifted it* of one that *some nurses* are.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial, reduce
from zlib import crc32

from msgspec.structs import replace

from gramprobe.formula.ast import TRUE, And, Atom, Formula, Modal, Not, Or, Quantified, Var, bottom_up, walk
from gramprobe.formula.binding import free_variables, substituted
from gramprobe.formula.notation import show
from gramprobe.interpret.cautions import Words

SINGLE = "single"
"""A symbol that is true of what is no group."""


def in_groups(formula: Formula, of: Words, counts: Collection[int]) -> Formula:
    """A formula whose subjects of several are groups of them where a verb may say what several do together, and of one
    where they are one. ``of``: knows the words of the sentence; ``counts``: the numbers in the pair."""
    return bottom_up(partial(_of_group, of=of, counts=counts), formula)


def counted(*formulas: Formula) -> set[int]:
    """The numbers of the quantifiers of formulas."""
    nodes = (node for each in formulas for node in walk(each))
    return {node.count for node in nodes if isinstance(node, Quantified) and isinstance(node.count, int)}


def done_together(phrase: Quantified, of: Words) -> str:
    """A form of a verb whose subject a noun phrase is, and that several may do together; empty if there is none."""
    subject = Var(phrase.variable)
    for node in walk(phrase.scope):
        if isinstance(node, Atom) and node.args[:1] == (subject,) and (form := of.of_several(node.predicate)):
            return form
        if isinstance(node, Modal) and node.agent == subject and (form := of.of_several(node.operator)):
            return form
    return ""


def _of_group(part: Formula, of: Words, counts: Collection[int]) -> Formula:
    if not isinstance(part, Quantified) or not done_together(part, of):
        return part
    number = part.count if isinstance(part.count, int) else 0
    if of.is_of_one(part):
        return _that_are(part, part.quantifier, [SINGLE])
    over = [f"more_than_{each}" for each in sorted(counts)]
    if part.quantifier == "atleast":
        return _that_are(part, "exists", [f"several_{number}", *over[: _below(number, counts)]])
    if part.quantifier in ("atmost", "exactly"):
        more = Not(_that_are(part, "exists", over[: _below(number + 1, counts)]))
        return (
            more
            if part.quantifier == "atmost"
            else And(_of_group(replace(part, quantifier="atleast"), of, counts), more)
        )
    if part.quantifier in ("forall", "most"):
        whose = show(substituted(part.restrictor, {part.variable: Var("x")}))
        group = _that_are(part, "exists", [f"{part.quantifier}_of_{crc32(whose.encode()):x}"])
        return Or(group, Not(replace(part, quantifier="exists", scope=TRUE))) if part.quantifier == "forall" else group
    return part


def _below(number: int, counts: Collection[int]) -> int:
    return len([each for each in counts if each < number])


def _that_are(part: Quantified, quantifier: str, groups: Sequence[str]) -> Formula:
    free = (part.variable, *sorted({*free_variables(part.restrictor)} - {part.variable}))
    about = [Atom(each, tuple(map(Var, free)) if "_of_" in each else (Var(part.variable),)) for each in groups]
    count = part.count if quantifier == part.quantifier else None
    return replace(part, quantifier=quantifier, count=count, restrictor=reduce(And, about, part.restrictor))
