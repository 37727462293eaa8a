"""What determiners presuppose of their nouns, as a theory has it.

In the meaning of a determiner, `atleast determiners x. (N(x), true)` says that there are at least as many N as
determiners presuppose. Whether that number is zero, one or two is disputed (Strawson 1952; Barwise & Cooper 1981; Heim
& Kratzer 1998, 6.8): a theory says which. `partitives` is the number for the definite in *all of the waiters*.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import structs

from gramprobe.formula.ast import TRUE, And, Argument, Formula, Presupposing, Quantified, as_formula, map_parts, once

NAMES = ("determiners", "partitives")
"""What may stand for the number of an `atleast` in a meaning."""
NUMBERS = {"none": 0, "one": 1, "two": 2}
"""What a theory says of a name -> how many there are at least."""
MOST = dict.fromkeys(NAMES, "two")
"""What is presupposed at most: so claims about meanings are decided, and what is read in no theory."""


def met(formula: Formula, demands: Mapping[str, str]) -> Formula:
    """The formula with the numbers of ``demands`` (a name -> a key of NUMBERS) in their places.

    `(atleast determiners x. (N(x), true)) / F` is `F` where nothing is presupposed, `(exists x. (N(x), true)) / F`
    where one member is. A formula without these names is returned as it is.
    """
    named = any(isinstance(part, Quantified) and part.count in demands for part in once(formula))
    return as_formula(_met(formula, demands)) if named else formula


def _met(node: Argument, demands: Mapping[str, str]) -> Argument:
    inner = map_parts(lambda part: _met(part, demands), node)
    if isinstance(inner, Quantified) and inner.count in demands:
        number = NUMBERS[demands[str(inner.count)]]
        if number > 1:
            return structs.replace(inner, count=number)
        return structs.replace(inner, quantifier="exists", count=None) if number else TRUE
    if inner is not node and isinstance(inner, Presupposing) and inner.presupposition == TRUE:
        return inner.assertion
    if inner is not node and isinstance(inner, And) and TRUE in (inner.left, inner.right):
        return inner.right if inner.left == TRUE else inner.left
    return inner
