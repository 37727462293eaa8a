"""Semantic types (Montague 1973): ``e``, ``t``, numbers ``n``, occasions ``o`` (Lewis 1975), and functions."""

from __future__ import annotations

import re

from msgspec import Struct

BASIC = {"e": "an individual", "t": "a statement", "n": "a number", "o": "an occasion"}


class Basic(Struct, frozen=True):
    name: str

    def __str__(self) -> str:
        return self.name


class Function(Struct, frozen=True):
    argument: Type
    result: Type

    def __str__(self) -> str:
        left = f"({self.argument})" if isinstance(self.argument, Function) else str(self.argument)
        return f"{left} -> {self.result}"


Type = Basic | Function
E_TYPE, T_TYPE, N_TYPE, O_TYPE = Basic("e"), Basic("t"), Basic("n"), Basic("o")
#: the type of a clause before its adverb applies: a property of occasions
OF_OCCASIONS = Function(O_TYPE, T_TYPE)
#: the types of what an operator stands above: a statement, or a clause before its adverb
CLAUSES = (T_TYPE, OF_OCCASIONS)


def is_quantifier(type_: Type | None) -> bool:
    """Whether a type takes a function, as that of noun phrases, which are true of predicates (Montague 1973)."""
    return isinstance(type_, Function) and isinstance(type_.argument, Function)


def arity(type_: Type | None) -> int:
    """How many arguments make a type a statement; 0 if it never becomes one."""
    count = 0
    while isinstance(type_, Function):
        type_, count = type_.result, count + 1
    return count if type_ == T_TYPE else 0


def parse_type(text: str) -> Type:
    """Read ``(e -> t) -> t``. Raises ValueError with the part that is not a type."""
    tokens = re.findall(r"->|[()]|\w+|\S", text)
    position = 0

    def atom() -> Type:
        nonlocal position
        token = tokens[position] if position < len(tokens) else "the end"
        position += 1
        if token == "(":
            inner = whole()
            position += 1
            return inner
        if token not in BASIC:
            raise ValueError(token)
        return Basic(token)

    def whole() -> Type:
        nonlocal position
        left = atom()
        if position < len(tokens) and tokens[position] == "->":
            position += 1
            return Function(left, whole())
        return left

    return whole()


def described(type_: Type) -> str:
    """A type in words: ``an individual (e)``, ``a property (e -> t)``."""
    if isinstance(type_, Basic):
        return f"{BASIC[type_.name]} ({type_})"
    names = {
        "e -> t": "a property", "o -> t": "a property of occasions", "e -> e -> t": "a relation",
        "(e -> t) -> t": "a quantifier",
    }  # fmt: skip
    return f"{names.get(str(type_), 'a function')} ({type_})"
