"""Which indefinites of a reading a pronoun can take up, and the names of bound variables.

An existential is *accessible* to the next sentence iff no negation, attitude, modal, adverb over occasions,
disjunction, if-antecedent or other quantifier has scope over it (Kamp 1981, §3; Groenendijk & Stokhof 1991). A
unique description is one more existential. While a sentence is composed, the variable of a noun phrase with a
``scope`` carries a mark, so that its quantifier is known again in the formula; :func:`tidied` takes the marks off.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import reduce
from typing import cast

from gramprobe.formula import ast
from gramprobe.formula.ast import And, Argument, Atom, Formula, Lambda, Presupposing, Quantified, Var, map_parts, walk
from gramprobe.formula.binding import free_variables, substituted

#: behind a marked variable: `v7'@two@12`, and `v9'@two@12!` where what follows is said of several, one by one
_MARK, _ONE_BY_ONE = "@", "!"
_NAMES = ("x", "y", "z", "u", "w")

#: scope name -> variables, several for a numeral
Antecedents = tuple[tuple[str, tuple[str, ...]], ...]


def mark_of(variable: str) -> str:
    """The mark of a variable, kept when it is renamed; empty for most."""
    _, sign, mark = variable.partition(_MARK)
    return sign + mark


def marked(meaning: Argument, name: str, number: int, numeral: bool) -> Argument:
    """A quantifier's meaning (``\\P. exists x. (n(x), P(x))``) with the variable that ``P`` is said of marked.

    ``number`` tells two noun phrases of one name apart; of a ``numeral`` the counting quantifier is marked, too.
    """
    if not isinstance(meaning, Lambda):
        return meaning
    said_of = {
        part.args[0].name
        for part in walk(meaning.body)
        if isinstance(part, Atom) and part.predicate == meaning.variable and part.args and isinstance(part.args[0], Var)
    }
    kinds = ("exists", "the", *(("atleast",) if numeral else ()))

    def mark(node: Argument) -> Argument:
        if isinstance(node, Quantified) and node.variable in said_of and node.quantifier in kinds:
            new = f"{node.variable}{_MARK}{name}{_MARK}{number}"
            return _rebound(node, new)
        return map_parts(mark, node)

    return mark(meaning)


def _rebound(node: Quantified, new: str) -> Quantified:
    """The same quantifier with its variable renamed."""
    change = {node.variable: Var(new)}
    inner = substituted(node.restrictor, change), substituted(node.scope, change)
    return replace(node, variable=new, restrictor=inner[0], scope=inner[1])


# ---- numerals


def chain(numeral: Quantified, scopes: Formula) -> Formula:
    """``atleast 2 x. (N(x), scope)`` with a name for each: ``exists x. (N(x), exists y. (N(y) & ~(y = x), ...))``.

    ``scopes`` is what is said of them, :func:`said_of_each`.
    """
    assert isinstance(numeral.count, int)
    ones = each_of(numeral)
    whole = scopes
    for index in range(len(ones) - 1, -1, -1):
        one = ones[index]
        restrictor = substituted(numeral.restrictor, {numeral.variable: Var(one)})
        for other in ones[:index]:
            restrictor = And(restrictor, ast.Not(ast.Equal(Var(one), Var(other))))
        whole = Quantified("exists", None, one, restrictor, whole, numeral.sort)
    return whole


def each_of(numeral: Quantified) -> list[str]:
    """A variable for each individual that a numeral counts."""
    assert isinstance(numeral.count, int)
    stem, mark = numeral.variable.partition(_MARK)[0], mark_of(numeral.variable)
    names = [f"{stem}.{index}{mark}" for index in range(1, numeral.count + 1)]
    return [*names[:-1], names[-1] + (_ONE_BY_ONE if mark else "")]


def said_of_each(formula: Formula, variable: str, ones: list[str]) -> Formula:
    """A formula about what a numeral counts, said of each one: together on every occasion of it, if it has occasions.

    The plural trace (Link 1983) reaches below quantifiers over occasions: what usually happens to two professors
    happens to both at once, and it stands above everything else, negation included (Kriz 2015: none of them).
    """
    inner = [part for part in walk(formula) if _over_occasions(part, variable)]
    if not inner:
        return reduce(And, [substituted(formula, {variable: Var(one)}) for one in ones])

    def open_(node: Argument) -> Argument:
        if _over_occasions(node, variable):
            assert isinstance(node, Quantified)
            restrictor, scope = (
                said_of_each(side, variable, ones) if variable in free_variables(side) else side
                for side in (node.restrictor, node.scope)
            )
            return replace(node, restrictor=restrictor, scope=scope)
        return map_parts(open_, node)

    return cast(Formula, open_(formula))


def _over_occasions(node: Argument, variable: str) -> bool:
    return isinstance(node, Quantified) and node.sort == "occasion" and variable in free_variables(node)


def with_plural_trace(node: Argument) -> Argument:
    """A raised numeral that stands above occasions, as a chain of existentials over them; others stay counted."""
    match node:
        case Quantified("atleast", int(), variable, _, scope) if mark_of(variable):
            if any(_over_occasions(part, variable) for part in walk(scope)):
                return chain(node, said_of_each(scope, variable, each_of(node)))
        case _:
            pass
    return map_parts(with_plural_trace, node)


# ---- accessibility


def accessible(formula: Formula) -> Iterator[Quantified]:
    """The existentials (and unique descriptions) that nothing closes off, outermost first."""
    match formula:
        case Quantified("exists" | "the", _, variable, restrictor, scope):
            yield formula
            yield from accessible(restrictor)
            if not variable.endswith(_ONE_BY_ONE):
                yield from accessible(scope)
        case And(left, right) | Presupposing(left, right):
            yield from accessible(left)
            yield from accessible(right)
        case ast.Here(body):
            yield from accessible(body)
        case _:
            return


def spelt_out(formula: Formula) -> Formula:
    """Numerals that nothing closes off as chains of existentials: what they count can be taken up again."""
    match formula:
        case Quantified("atleast", int(), variable, _, scope, "individual") if mark_of(variable):
            return chain(formula, said_of_each(scope, variable, each_of(formula)))
        case Quantified("exists" | "the", _, variable) if not variable.endswith(_ONE_BY_ONE):
            return replace(formula, scope=spelt_out(formula.scope))
        case And(left, right):
            return And(spelt_out(left), spelt_out(right))
        case Presupposing(presupposition, assertion):
            return Presupposing(presupposition, spelt_out(assertion))
        case ast.Here(body):
            return ast.Here(spelt_out(body))
        case _:
            return formula


def tidied(formula: Formula) -> tuple[Formula, Antecedents]:
    """Bound variables renamed ``x, y, z, ...`` by depth: alpha-equivalent formulas become equal.

    With it the accessible variables of noun phrases that take scope, by the noun phrases' names; no two accessible
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

    def rename(node: Argument, env: Mapping[str, str], depth: int) -> Argument:
        if isinstance(node, Var):
            return Var(env.get(node.name, node.name))
        if isinstance(node, Quantified):
            name = named(node.variable, depth)
            inner = {**env, node.variable: name}
            level = max(depth, _level(name)) + 1
            return replace(
                node,
                variable=name,
                restrictor=rename(node.restrictor, inner, level),  # type: ignore[arg-type]
                scope=rename(node.scope, inner, level),  # type: ignore[arg-type]
            )
        return map_parts(lambda part: rename(part, env, depth), node)

    new = cast(Formula, rename(formula, {}, 0))
    groups: dict[str, list[str]] = {}
    for variable in open_:
        if mark := mark_of(variable).removesuffix(_ONE_BY_ONE):
            groups.setdefault(mark, []).append(given[variable])
    return new, tuple((mark.split(_MARK)[1], tuple(names)) for mark, names in groups.items())


def _level(name: str) -> int:
    return _NAMES.index(name) if name in _NAMES else int(name[1:])
