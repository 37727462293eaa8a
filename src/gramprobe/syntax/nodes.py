"""The parts that all statements share: names, texts, conditions; from Lark's tree to :mod:`gramprobe.syntax.tree`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from gramprobe.source.span import Span
from gramprobe.syntax.statements import Statement
from gramprobe.syntax.tree import Case, Condition, Operand, ScaleLine, Uses, UsesLine, Word

#: a Lark tree whose children are trees and tokens; checked by the grammar that made it, not by types
Node = Any

_CONDITIONS: dict[str, Literal["=", "!=", "relation"]] = {"equal": "=", "differ": "!=", "related": "relation"}


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
        conditions: list[Condition] = []
        for child in (c for c in node.children if not is_token(c)):
            inner = self.child(child, "conditions")
            if inner is not None:
                conditions.extend(self.conditions(inner))
                continue
            operands = tuple(self.operand(c) for c in self.children(child, "operand"))
            names = self.words(child)
            kind = _CONDITIONS[rule(child)]
            conditions.append(Condition(kind, names[0] if kind == "relation" else None, operands, self.span_of(child)))
        return tuple(conditions)

    def cases(self, node: Node | None) -> tuple[Case, ...]:
        if node is None:
            return ()
        return tuple(
            Case(self.operand(self.children(c, "operand")[0]), self.words(self.children(c, "alternatives")[0]))
            for c in self.children(node, "case")
        )

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
