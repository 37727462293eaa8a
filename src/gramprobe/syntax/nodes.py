"""The parts that all statements share: names, texts, conditions; from Lark's tree to :mod:`gramprobe.syntax.tree`."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any, Literal

from gramprobe.source.diagnostic import Span
from gramprobe.syntax.statements import Statement
from gramprobe.syntax.tree import Case, Condition, Operand, ScaleLine, Sum, Term, Uses, UsesLine, Word

#: a Lark tree whose children are trees and tokens; checked by the grammar that made it, not by types
Node = Any

_CONDITIONS: dict[str, Literal["=", "!="]] = {"equal": "=", "differ": "!="}


class Nodes:
    """Reads the nodes of one statement."""

    def __init__(self, statement: Statement):
        self.statement = statement

    def build(self, node: Node) -> Any:
        """The record of a statement; for a setting (a line of names or texts) its keyword and the values."""
        build: Callable[[Node], Any] = getattr(self, f"on_{rule(node)}", self.on_setting)
        return build(node)

    def on_setting(self, node: Node) -> tuple[str, tuple[Word, ...]]:
        keyword = "source" if rule(node) == "citation" else rule(node)
        return keyword, tuple(
            self.word(c) for c in node.children if is_name(c, "NAME", "STRING", "INT", "THEORY", "CODE")
        )

    def word(self, token: Any) -> Word:
        text = str(token)
        span = self.statement.span(token.line or 1, token.column or 1, len(text.split("\n")[0]))
        return Word(text[1:-1] if token.type == "STRING" else text, span)

    def span_of(self, node: Any) -> Span:
        meta = node.meta
        length = meta.end_column - meta.column if meta.line == meta.end_line else 1
        return self.statement.span(meta.line, meta.column, length)

    def words(self, node: Node) -> tuple[Word, ...]:
        return tuple(self.word(c) for c in node.children if is_name(c))

    def child(self, node: Node, name: str) -> Node | None:
        return next((c for c in node.children if not is_token(c) and rule(c) == name), None)

    def children(self, node: Node, *names: str) -> list[Node]:
        return [c for c in node.children if not is_token(c) and rule(c) in names]

    def operand(self, node: Node) -> Operand:
        parts = self.words(node)
        return Operand(parts[0], parts[1] if len(parts) > 1 else None)

    def conditions(self, node: Node | None) -> tuple[Condition, ...]:
        if node is None:
            return ()
        return tuple(each for child in self.children(node, "either") for each in self.either(child))

    def either(self, node: Node) -> tuple[Condition, ...]:
        """A condition, or several of which one must hold; ``n.class != pet | wild`` is two that must both hold."""
        first, *others = [c for c in node.children if not is_token(c)]
        start = self.condition(first)
        if not others:
            return (start,)
        if start.kind == "!=" and all(rule(each) == "other" for each in others):
            values = [Operand(self.words(each)[0]) for each in others]
            more = (Condition("!=", None, (start.operands[0], value), start.span) for value in values)
            return (start, *more)
        parts = [start]
        for each in others:
            if rule(each) == "other" and is_name(each.children[0], "NUMBER"):  # `n.freq = 4.9 | 5.1`
                left = start.sums[0] if start.sums else Sum((("+", start.operands[0]),), "0")
                number = Sum((), str(each.children[0]))
                equal = start.name or Word("=", self.span_of(each))
                terms = tuple(operand for _, operand in left.terms)
                parts.append(Condition("numbers", equal, terms, self.span_of(each), (left, number)))
            elif rule(each) == "other":  # `n.class = pet | wild`
                value = Operand(self.words(each)[0])
                last_ = parts[-1]
                if last_.kind not in ("=", "!="):
                    last_ = start
                kind: Literal["=", "!="] = "!=" if last_.kind == "!=" else "="
                parts.append(Condition(kind, None, (last_.operands[0], value), self.span_of(each)))
            else:
                parts.append(self.condition(each))
        operands = tuple(operand for part in parts for operand in part.operands)
        return (Condition("either", None, operands, self.span_of(node), (), tuple(parts)),)

    def condition(self, node: Node) -> Condition:
        span = self.span_of(node)
        if rule(node) == "related":
            return Condition(
                "relation", self.words(node)[0], tuple(map(self.operand, self.children(node, "operand"))), span
            )
        left, right = self.children(node, "sum")
        bare = [self.lone(each) for each in (left, right)]
        sign = next(self.word(c) for c in node.children if is_name(c, "EQUALS", "DIFFERS", "ORDER"))
        if rule(node) != "ordered" and bare[0] is not None and bare[1] is not None:
            return Condition(_CONDITIONS[rule(node)], None, (bare[0], bare[1]), span)
        sums = self.sum(left), self.sum(right)
        operands = tuple(operand for each in sums for _, operand in each.terms)
        return Condition("numbers", sign, operands, span, sums)

    def lone(self, node: Node) -> Operand | None:
        """The operand that is the whole of a sum; None for a number, and for anything with a sign."""
        parts = self.children(node, "summand")
        operand = self.child(parts[0], "operand")
        return self.operand(operand) if len(node.children) == 1 and operand is not None else None

    def sum(self, node: Node) -> Sum:
        """The terms of a side of a comparison with their signs, and the sum of its numbers."""
        sign, terms, constant = "+", [], Decimal(0)
        for child in node.children:
            if is_name(child, "SIGN"):
                sign = str(child)
                continue
            operand = self.child(child, "operand")
            if operand is not None:
                terms.append((sign, self.operand(operand)))
            else:
                number = Decimal(str(child.children[0]))
                constant += number if sign == "+" else -number
            sign = "+"
        return Sum(tuple(terms), str(constant))

    def cases(self, node: Node | None) -> tuple[Case, ...]:
        if node is None:
            return ()
        return tuple(
            Case(self.operand(self.children(c, "operand")[0]), self.words(self.children(c, "alternatives")[0]))
            for c in self.children(node, "case")
        )

    def term(self, node: Node) -> Term:
        names = self.words(node)
        if rule(node) == "reference":
            return Term(names[0], names[1] if len(names) > 1 else None, None, self.span_of(node))
        arguments = tuple(self.term(c) for c in self.children(node, "reference", "application"))
        return Term(names[0], None, arguments, self.span_of(node))

    def on_uses(self, node: Node) -> UsesLine:
        modules = [self.dotted(child) for child in self.children(node, "used")]
        selection = self.child(node, "only") or self.child(node, "except_") or self.child(node, "rename")
        if selection is None:
            return UsesLine(tuple(Uses(module=module) for module in modules))
        pairs = [self.words(each) for each in self.children(selection, "selected", "renamed")]
        renamed = tuple((pair[0], pair[1]) for pair in pairs if len(pair) == 2)
        used = Uses(
            module=modules[0],
            only=tuple(pair[0] for pair in pairs) if rule(selection) == "only" else None,
            excluded=self.words(selection) if rule(selection) == "except_" else (),
            renamed=renamed,
        )
        return UsesLine((used,))

    def dotted(self, node: Node) -> Word:
        """Names with dots between them, as one name."""
        return Word(".".join(word.text for word in self.words(node)), self.span_of(node))

    def on_where(self, node: Node) -> tuple[Condition, ...]:
        return self.conditions(self.child(node, "conditions"))

    def on_scale(self, node: Node) -> ScaleLine:
        members = []
        for member in self.children(node, "member"):
            name, *rest = [self.word(c) for c in member.children]
            between = " " if any(is_name(c, "INT") for c in member.children) else "."
            members.append(Word(between.join([name.text, *(w.text for w in rest)]), self.span_of(member)))
        return ScaleLine(tuple(members))


def rule(node: Node) -> str:
    """The name of the rule or alternative; Lark writes imported rules as `common__related`."""
    return str(node.data).removeprefix("common__")


def is_token(node: Any) -> bool:
    return isinstance(node, str)


def is_name(node: Any, *types: str) -> bool:
    return isinstance(node, str) and node.type in (types or ("NAME",))  # type: ignore[attr-defined]


def last(node: Node) -> Node:
    """The last child that is not a token."""
    trees: list[Any] = [c for c in node.children if not is_token(c)]
    last: Node = trees[-1]
    return last
