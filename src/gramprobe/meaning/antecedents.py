"""The indefinites of a reading that can be antecedents of a pronoun, and the names of bound variables.

An existential is *accessible* to the next sentence iff no negation, attitude, modal, adverb over occasions,
disjunction, if-antecedent or other quantifier has scope over it (Kamp 1981, §3; Groenendijk & Stokhof 1991). A
unique description counts as an existential. While a sentence is composed, the variable of a noun phrase with a
``scope`` has a mark, which identifies its quantifier in the formula; :func:`tidied` removes the marks.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import reduce
from typing import cast

from msgspec.structs import replace

from gramprobe.formula import ast
from gramprobe.formula.ast import And, Argument, Atom, Formula, Lambda, Quantified, Var, map_parts, walk
from gramprobe.formula.binding import free_variables, substituted

#: between a variable and its mark: `v7'@two@12`
_MARK = "@"
_NAMES = ("x", "y", "z", "u", "w")

#: scope name -> variables, several for a numeral
Antecedents = tuple[tuple[str, tuple[str, ...]], ...]


def mark_of(variable: str) -> str:
    """The mark of a variable, which is kept when the variable is renamed; empty for most variables."""
    _, sign, mark = variable.partition(_MARK)
    return sign + mark


def marked(meaning: Argument, name: str, place: str, numeral: bool) -> Argument:
    """A quantifier's meaning (``\\P. exists x. (n(x), P(x))``) with a mark on the variable that ``P`` is applied to.

    ``place`` distinguishes two noun phrases of the same name; for a ``numeral`` the counting quantifier is marked too.
    """
    if not isinstance(meaning, Lambda):
        return meaning
    kinds = ("exists", "the", *(("atleast",) if numeral else ()))
    return _with_mark(meaning, f"{_MARK}{name}{_MARK}{place}", _applied_to(meaning), kinds)


def _with_mark(node: Argument, mark: str, arguments: Collection[str], kinds: Collection[str]) -> Argument:
    """A node with the mark on the ``arguments`` that quantifiers of some ``kinds`` bind."""
    if isinstance(node, Quantified) and node.variable in arguments and node.quantifier in kinds:
        return rebound(node, f"{node.variable}{mark}")
    return map_parts(lambda part: _with_mark(part, mark, arguments, kinds), node)


def bound_by(meaning: Argument) -> str | None:
    """The variable that a quantifier's meaning binds in what it is said of; None if it is not one."""
    if not isinstance(meaning, Lambda):
        return None
    said_of, bound = _applied_to(meaning), [p.variable for p in walk(meaning.body) if isinstance(p, Quantified)]
    return said_of.pop() if len(said_of) == 1 and bound.count(*said_of) == 1 else None


def _applied_to(meaning: Lambda) -> set[str]:
    """The variables that the argument of a quantifier's meaning is applied to."""
    return {
        part.args[0].name
        for part in walk(meaning.body)
        if isinstance(part, Atom) and part.predicate == meaning.variable and part.args and isinstance(part.args[0], Var)
    }


def rebound(node: Quantified, new: str) -> Quantified:
    """The same quantifier with its variable renamed."""
    change = {node.variable: Var(new)}
    inner = substituted(node.restrictor, change), substituted(node.scope, change)
    return replace(node, variable=new, restrictor=inner[0], scope=inner[1])


# ---- numerals


def chain(numeral: Quantified, ones: Sequence[str]) -> Formula:
    """``atleast 2 x. (N(x), F)`` with a name for each: ``exists x. (N(x), exists y. (N(y) & ~(y = x), ...))``.

    ``ones`` are the names; :func:`distributed` distributes the scope F over them.
    """
    whole = distributed(numeral.scope, numeral.variable, ones)
    for index in range(len(ones) - 1, -1, -1):
        one = ones[index]
        restrictor = substituted(numeral.restrictor, {numeral.variable: Var(one)})
        for other in ones[:index]:
            restrictor = And(restrictor, ast.Not(ast.Equal(Var(one), Var(other))))
        whole = Quantified(quantifier="exists", variable=one, restrictor=restrictor, scope=whole, sort=numeral.sort)
    return whole


def distributed(formula: Formula, variable: str, ones: Sequence[str]) -> Formula:
    """A formula about the variable of a numeral, distributed over its names: below quantifiers over occasions, else
    the whole.

    The plural trace (Link 1983) reaches below quantifiers over occasions: what usually happens to two professors
    happens to both on the same occasion. It has scope over everything else, negation included (Kriz 2015: *not* with
    two professors denies it of each).
    """
    inner = [part for part in walk(formula) if _over_occasions(part, variable)]
    if not inner:
        return reduce(And, [substituted(formula, {variable: Var(one)}) for one in ones])

    def open_(node: Argument) -> Argument:
        if _over_occasions(node, variable):
            assert isinstance(node, Quantified)
            restrictor, scope = (
                distributed(side, variable, ones) if variable in free_variables(side) else side
                for side in (node.restrictor, node.scope)
            )
            return replace(node, restrictor=restrictor, scope=scope)
        return map_parts(open_, node)

    return cast(Formula, open_(formula))


def _over_occasions(node: Argument, variable: str) -> bool:
    return isinstance(node, Quantified) and node.sort == "occasion" and variable in free_variables(node)


def with_plural_trace(node: Argument) -> Argument:
    """The node with every raised numeral above occasions as a chain of existentials; other numerals stay counted."""
    match node:
        case Quantified(quantifier="atleast", count=int(), variable=variable, scope=scope) if mark_of(variable):
            if any(_over_occasions(part, variable) for part in walk(scope)):
                stem, mark = variable.partition(_MARK)[0], mark_of(variable)
                return chain(node, [f"{stem}.{index}{mark}" for index in range(cast(int, node.count))])
        case _:
            pass
    return map_parts(with_plural_trace, node)


# ---- accessibility


def accessible(formula: Formula, numerals: Collection[str] = ()) -> Iterator[Quantified]:
    """The accessible existentials and unique descriptions of a formula, outermost first.

    A numeral is among them if its variable is marked or in ``numerals``. It is about several individuals, one by one,
    so that nothing in its scope is accessible.
    """
    match formula:
        case Quantified(quantifier="exists" | "the", restrictor=restrictor, scope=scope):
            yield formula
            yield from accessible(restrictor, numerals)
            yield from accessible(scope, numerals)
        case Quantified(quantifier="atleast", count=int(), variable=variable) if (
            mark_of(variable) or variable in numerals
        ):
            yield formula
        case Quantified() | ast.Lambda():
            return
        case _:
            dynamic = ast.signature(formula, "accessible").dynamic
            if dynamic is None:
                raise ast.NoRule("accessible", type(formula))
            for part in ast.children(formula) if dynamic else ():
                yield from accessible(part, numerals)


def tidied(formula: Formula, free: Mapping[str, str] = {}) -> tuple[Formula, Antecedents]:
    """The formula with bound variables renamed ``x, y, z, ...`` by depth, so that alpha-equivalent formulas are equal,
    and ``free`` ones as is given.

    Returns also the accessible variables of noun phrases that take scope, by the noun phrases' names. No two accessible
    existentials share a variable.
    """
    open_ = [part.variable for part in accessible(formula)]
    given: dict[str, str] = {}

    def named(variable: str, depth: int) -> str:
        taken = set(given.values()) if variable in open_ else set()
        while (name := _NAMES[depth] if depth < len(_NAMES) else f"x{depth}") in taken:
            depth += 1
        if variable in open_:
            given[variable] = name
        return name

    new = cast(Formula, _renamed(formula, free, 0, named))
    groups: dict[str, list[str]] = {}
    for variable in open_:
        if mark := mark_of(variable):
            groups.setdefault(mark, []).append(given[variable])
    return new, tuple((mark.split(_MARK)[1], tuple(names)) for mark, names in groups.items())


def _renamed(node: Argument, env: Mapping[str, str], depth: int, named: Callable[[str, int], str]) -> Argument:
    """A node with the variables of ``env`` renamed, and those that it binds as ``named`` says of each at its depth."""
    if isinstance(node, Var):
        return Var(env.get(node.name, node.name))
    if isinstance(node, Quantified):
        name = named(node.variable, depth)
        inner = {**env, node.variable: name}
        level = max(depth, _level(name)) + 1
        return replace(
            node,
            variable=name,
            restrictor=_renamed(node.restrictor, inner, level, named),
            scope=_renamed(node.scope, inner, level, named),
        )
    if ast.signature(node, "tidied").binds is not False:
        raise ast.NoRule("tidied", type(node))
    return map_parts(lambda part: _renamed(part, env, depth, named), node)


def _level(name: str) -> int:
    return _NAMES.index(name) if name in _NAMES else int(name[1:])
