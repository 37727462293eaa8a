"""Types of the meanings of constructors (Heim & Kratzer 1998, ch. 3): every application must fit."""

from __future__ import annotations

import re
from collections.abc import Mapping

from gramprobe.formula import ast
from gramprobe.formula.ast import Argument
from gramprobe.formula.demands import NAMES
from gramprobe.resolve.grammar.data import NUMBERS, WORDS, Constructor, Grammar, Meaning
from gramprobe.resolve.grammar.types import E_TYPE, N_TYPE, O_TYPE, T_TYPE, Function, Type, arity, described
from gramprobe.source import messages
from gramprobe.source.diagnostic import Diagnostic, Findings, Span
from gramprobe.source.nearest import did_you_mean
from gramprobe.source.wording import with_article


class Misfit(Exception):
    """A part of a meaning whose type does not fit.

    Attributes:
        message: What does not fit.
        name: The name that the diagnostic points at; empty for the whole meaning.
        place: (predicate, number) if the part is the argument of that number (from 0) of a predicate.
        wanted: The type that would fit, if it is known.
    """

    def __init__(self, message: str, name: str = "", place: tuple[str, int] | None = None, wanted: Type | None = None):
        self.message, self.name, self.place, self.wanted = message, name, place, wanted
        super().__init__(message)


def check_meanings(grammar: Grammar, findings: Findings) -> None:
    """Check every ``sem`` of the grammar against the type of the category it builds."""
    if "meanings" not in grammar.memory:
        grammar.memory["meanings"] = _problems(grammar)
    findings.extend(grammar.memory["meanings"])


def _problems(grammar: Grammar) -> list[Diagnostic]:
    findings = Findings(unread=set(grammar.unread))
    for constructor in grammar.constructors.values():
        wanted = grammar.categories[constructor.result].type
        for meaning in constructor.sems:
            checker = _Checker(constructor, grammar)
            try:
                if meaning.conveys and wanted is not None and wanted != T_TYPE and not arity(wanted):
                    raise Misfit(f"`sem conveys` is about statements, and {constructor.result} is {described(wanted)}")
                if wanted is not None:
                    checker.check(meaning.formula, wanted, {"it": E_TYPE} if constructor.refers else {})
            except Misfit as misfit:
                findings.add(checker.diagnostic(meaning, misfit))
    return findings.items


def _point(meaning: Meaning, misfit: Misfit) -> Span:
    """The span of the part in the formula: as that argument of its predicate, else the last occurrence of its name."""
    if misfit.place is not None:
        predicate, number = misfit.place
        for opening in re.finditer(rf"(?<![\w.]){re.escape(predicate)}\s*\(", meaning.text):
            start, part = _argument(meaning.text, opening.end(), number)
            at = re.search(rf"(?<![\w.]){re.escape(misfit.name)}(?![\w.])", part)
            if at is not None:
                return meaning.span.at(start + at.start(), len(misfit.name))
    return meaning.find(misfit.name) if misfit.name else meaning.span


def _argument(text: str, start: int, number: int) -> tuple[int, str]:
    """Where argument ``number`` begins behind an opening parenthesis, and its text."""
    depth, first = 0, start
    for at in range(start, len(text)):
        character = text[at]
        if depth == 0 and character in ",)":
            if number == 0 or character == ")":
                return first, text[first:at] if number == 0 else ""
            number, first = number - 1, at + 1
        depth += (character in "([") - (character in ")]")
    return first, text[first:] if number == 0 else ""


class _Checker:
    def __init__(self, constructor: Constructor, grammar: Grammar):
        self.constructor, self.grammar = constructor, grammar

    def diagnostic(self, meaning: Meaning, misfit: Misfit) -> Diagnostic:
        """The diagnostic of a misfit: at its place, with its category, and arguments that would fit instead."""
        caret = help = ""
        index = self.constructor.argument(misfit.name.partition(".")[0])
        if index is not None and misfit.wanted is not None:
            arguments = self.constructor.arguments
            category = self.grammar.categories.get(arguments[index].category)
            if category is not None and "." not in misfit.name:
                caret = f"`{misfit.name}` is {with_article(category.name)} ({category.span.path}:{category.span.line})"
            fitting = [
                a.name
                for a in arguments
                if not a.is_feature and self.grammar.categories[a.category].type == misfit.wanted
            ]
            if fitting:
                help = f"{described(misfit.wanted)} here is " + " or ".join(f"`{f}`" for f in fitting)
        return messages.grammar.wrong_type(_point(meaning, misfit), misfit.message, caret, help, (misfit.name,))

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
            given = len(node.args) if isinstance(node, ast.Atom) else 0
            needed = arity(got) if given else 0
            if needed and wanted == T_TYPE:
                raise Misfit(f"`{name}` takes {given + needed} arguments but got {given}", name)
            raise Misfit(f"`{name}` is {described(got)} where {described(wanted)} is wanted", name, None, wanted)

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
            case ast.Quantified(count=count, variable=variable, restrictor=restrictor, scope=scope, sort=sort):
                if isinstance(count, str) and not self.demanded(node) and self.named(count, bound) != N_TYPE:
                    raise Misfit(f"`{count}` counts, so it must be a number (n)", count)
                inner = {**bound, variable: O_TYPE if sort == "occasion" else E_TYPE}
                self.check(restrictor, T_TYPE, inner)
                self.check(scope, T_TYPE, inner)
            case ast.Modal(_, agent, body):
                if agent is not None:
                    self.check(agent, E_TYPE, bound)
                self.check(body, T_TYPE, bound)
            case ast.Description(variable, body):
                self.check(body, T_TYPE, {**bound, variable: E_TYPE})
                return E_TYPE
            case ast.EventUpdate(_, body, args):
                for argument in args:
                    self.check(argument, E_TYPE, bound)
                self.check(body, T_TYPE, bound)
            case ast.Lambda():
                raise Misfit("a function stands where nothing says what it is applied to", node.variable)
            case _:
                if ast.signature(node, "types of meanings").binds is not False:
                    raise ast.NoRule("types of meanings", type(node))
                for part in ast.parts(node):
                    self.check(part, T_TYPE, bound)
        return T_TYPE

    def demanded(self, node: ast.Quantified) -> bool:
        """Whether a number is what a theory says that determiners presuppose."""
        of_theory = node.quantifier == "atleast" and node.count in NAMES
        return of_theory and self.constructor.argument(str(node.count)) is None

    def applied(self, predicate: str, args: tuple[Argument, ...], bound: Mapping[str, Type]) -> Type | None:
        type_ = self.named(predicate, bound)
        for number, argument in enumerate(args):
            if type_ is None:
                return None
            if not isinstance(type_, Function):
                if type_ == T_TYPE and argument is args[-1] and self.takes_occasion(predicate, argument, bound):
                    return T_TYPE
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
                        (predicate, number),
                        type_.argument,
                    )
            else:
                self.check(argument, type_.argument, bound)
            type_ = type_.result
        return type_

    def takes_occasion(self, predicate: str, argument: Argument, bound: Mapping[str, Type]) -> bool:
        """Whether an additional argument is an occasion: every predicate that is a word takes one (Davidson 1967)."""
        index = self.constructor.argument(predicate)
        category = self.constructor.arguments[index].category if index is not None else ""
        a_word = predicate in self.grammar.constants or (
            category in self.grammar.categories and self.grammar.categories[category].lexical
        )
        return a_word and isinstance(argument, ast.Var) and bound.get(argument.name) == O_TYPE

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
            if declared is None and column in category.known:
                raise Misfit(f"`{column}` is a feature of {category.name}: use it in a case, `sem [{name}=...]`", name)
            if declared is None:
                near = did_you_mean(column, category.columns)
                raise Misfit(f"category {category.name} has no column `{column}`{near}", name)
            if declared.type == "number":
                return N_TYPE
            if declared.type in self.grammar.categories:
                return self.grammar.categories[declared.type].type
            if declared.type == WORDS:
                raise Misfit(f"column `{column}` holds words, which have no meaning of their own", name)
            if declared.type in NUMBERS:
                raise Misfit(f"column `{column}` holds decimal numbers, and a meaning counts with whole ones", name)
            raise Misfit(f"column `{column}` holds values of feature {declared.type}: use it in a case", name)
        if name in self.grammar.constants:
            return self.grammar.constants[name]
        known = [*(a.name for a in self.constructor.arguments), *self.grammar.constants, *bound, *NAMES]
        raise Misfit(f"`{name}` is no argument and no declared constant{did_you_mean(name, known)}", name)


def _name(node: Argument) -> str:
    match node:
        case ast.Var(name) | ast.Const(name):
            return name
        case ast.Atom(predicate, _):
            return predicate
        case _:
            return "this"
