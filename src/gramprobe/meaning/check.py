"""Types of the meanings of constructors (Heim & Kratzer 1998, ch. 3): every application must fit."""

from __future__ import annotations

from collections.abc import Mapping

from gramprobe.formula import ast
from gramprobe.formula.ast import Argument
from gramprobe.resolve.declarations import Constructor, Grammar, Meaning
from gramprobe.resolve.types import E_TYPE, N_TYPE, T_TYPE, Function, Type, described
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.source.nearest import did_you_mean
from gramprobe.source.span import Span


class Misfit(Exception):
    """A part of a meaning that does not fit; ``name`` is what to point at."""

    def __init__(self, message: str, name: str = ""):
        self.message, self.name = message, name
        super().__init__(message)


def check_meanings(grammar: Grammar, findings: Findings) -> None:
    """Check every ``sem`` of the grammar against the type of the category it builds."""
    for constructor in grammar.constructors.values():
        wanted = grammar.categories[constructor.result].type
        for meaning in constructor.sems:
            checker = _Checker(constructor, grammar)
            try:
                if wanted is not None:
                    checker.check(meaning.formula, wanted, {})
            except Misfit as misfit:
                findings.add(messages.wrong_type(_point(meaning, misfit.name), misfit.message))


def _point(meaning: Meaning, name: str) -> Span:
    """The last place where the name stands in the formula as a word of its own, else the whole of it."""
    return meaning.find(name) if name else meaning.span


class _Checker:
    def __init__(self, constructor: Constructor, grammar: Grammar):
        self.constructor, self.grammar = constructor, grammar

    def check(self, node: Argument, wanted: Type, bound: Mapping[str, Type]) -> None:
        """Raise Misfit unless ``node`` has the wanted type."""
        if isinstance(node, ast.Lambda):
            if not isinstance(wanted, Function):
                raise Misfit(f"a function is given where {described(wanted)} is wanted", node.variable)
            self.check(node.body, wanted.result, {**bound, node.variable: wanted.argument})
            return
        got = self.infer(node, bound)
        if got is not None and got != wanted:
            name = _name(node)
            raise Misfit(f"`{name}` is {described(got)} where {described(wanted)} is wanted", name)

    def infer(self, node: Argument, bound: Mapping[str, Type]) -> Type | None:
        """The type of a node; None for a bound variable of unknown type."""
        match node:
            case ast.Var(name) | ast.Const(name):
                return self.named(name, bound)
            case ast.Truth():
                return T_TYPE
            case ast.Atom(predicate, args):
                return self.applied(predicate, args, bound)
            case ast.Equal(left, right):
                self.check(left, E_TYPE, bound)
                self.check(right, E_TYPE, bound)
            case ast.Quantified(_, count, variable, restrictor, scope):
                if isinstance(count, str) and self.named(count, bound) != N_TYPE:
                    raise Misfit(f"`{count}` counts, so it must be a number (n)", count)
                inner = {**bound, variable: E_TYPE}
                self.check(restrictor, T_TYPE, inner)
                self.check(scope, T_TYPE, inner)
            case ast.Modal(_, agent, body):
                if agent is not None:
                    self.check(agent, E_TYPE, bound)
                self.check(body, T_TYPE, bound)
            case ast.Description(variable, body):
                self.check(body, T_TYPE, {**bound, variable: E_TYPE})
                return E_TYPE
            case ast.Lambda():
                raise Misfit("a function stands where nothing says what it is applied to", node.variable)
            case _:
                for part in ast.parts(node):
                    self.check(part, T_TYPE, bound)
        return T_TYPE

    def applied(self, predicate: str, args: tuple[Argument, ...], bound: Mapping[str, Type]) -> Type | None:
        type_ = self.named(predicate, bound)
        for number, argument in enumerate(args):
            if type_ is None:
                return None
            if not isinstance(type_, Function):
                if number == 0:
                    raise Misfit(f"`{predicate}` is {described(type_)} and takes no argument", predicate)
                raise Misfit(
                    f"`{predicate}` takes {number} argument{'s' if number > 1 else ''} but got {len(args)}",
                    predicate,
                )
            if not isinstance(argument, ast.Lambda):
                got = self.infer(argument, bound)
                if got is not None and got != type_.argument:
                    raise Misfit(
                        f"`{predicate}` wants {described(type_.argument)}, but `{_name(argument)}` is {described(got)}",
                        _name(argument),
                    )
            else:
                self.check(argument, type_.argument, bound)
            type_ = type_.result
        return type_

    def named(self, name: str, bound: Mapping[str, Type]) -> Type | None:
        if name in bound:
            return bound[name]
        head, _, column = name.partition(".")
        index = self.constructor.argument(head)
        if index is not None:
            argument = self.constructor.arguments[index]
            if argument.is_feature:
                raise Misfit(
                    f"`{head}` is a value of feature {argument.category}: use it in a case, `sem [{head}=...]`",
                    name,
                )
            category = self.grammar.categories[argument.category]
            if not column:
                return category.type
            declared = category.columns.get(column)
            if declared is None:
                raise Misfit(f"category {category.name} has no column `{column}`", name)
            if declared.type == "number":
                return N_TYPE
            if declared.type in self.grammar.categories:
                return self.grammar.categories[declared.type].type
            raise Misfit(f"column `{column}` holds values of feature {declared.type}: use it in a case", name)
        if name in self.grammar.constants:
            return self.grammar.constants[name]
        known = [*(a.name for a in self.constructor.arguments), *self.grammar.constants, *bound]
        raise Misfit(f"`{name}` is no argument and no declared constant{did_you_mean(name, known)}", name)


def _name(node: Argument) -> str:
    match node:
        case ast.Var(name) | ast.Const(name):
            return name
        case ast.Atom(predicate, _):
            return predicate
        case _:
            return "this"
