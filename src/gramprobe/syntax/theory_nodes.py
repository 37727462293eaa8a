"""Statements of `.logic` files: from Lark's tree to :mod:`gramprobe.syntax.theory_tree`."""

from __future__ import annotations

from gramprobe.syntax import theory_tree as t
from gramprobe.syntax.nodes import Node, Nodes, is_name
from gramprobe.syntax.tree import Word


class TheoryNodes(Nodes):
    """Reads the nodes of one statement of a theory."""

    def on_operator(self, node: Node) -> t.OperatorLine:
        kind = next(self.word(c) for c in node.children if is_name(c, "KIND"))
        clauses = {name: self.child(node, name) for name in ("frame", "within", "introspected", "gloss")}
        frame, within, introspected = (
            self.words(clause) if (clause := clauses[name]) is not None else ()
            for name in ("frame", "within", "introspected")
        )
        gloss = None if clauses["gloss"] is None else self.word(clauses["gloss"].children[0])
        return t.OperatorLine(
            names=self.words(node),
            each=None,
            kind=kind,
            frame=frame,
            within=within,
            introspected_by=introspected,
            gloss=gloss,
        )

    def on_operator_each(self, node: Node) -> t.OperatorLine:
        line = self.on_operator(node)
        around = self.child(node, "around")
        held = self.words(around) if around is not None else ()
        where = self.conditions(self.child(node, "conditions"))
        return t.OperatorLine(names=(), each=line.names[0], kind=line.kind, frame=line.frame, around=held, where=where)

    def on_withhold(self, node: Node) -> t.Withhold:
        what, reason = (next(self.word(c) for c in node.children if is_name(c, name)) for name in ("WHAT", "STRING"))
        instead, every = self.child(node, "instead"), self.child(node, "every")
        return t.Withhold(
            what=what,
            names=self.words(node),
            each=self.words(every)[0] if every is not None else None,
            where=self.conditions(self.child(every, "conditions")) if every is not None else (),
            instead=self.words(instead)[0] if instead is not None else None,
            how=next((self.word(c).text for c in node.children if is_name(c, "HOW")), ""),
            reason=reason,
        )

    def on_postulate(self, node: Node) -> t.Postulate:
        return t.Postulate((), None, (), self.formula(node))

    def on_each(self, node: Node) -> t.Postulate:
        *variables, category = self.words(node)
        return t.Postulate(
            tuple(variables), category, self.conditions(self.child(node, "conditions")), self.formula(node)
        )

    def on_define(self, node: Node) -> t.Define:
        agent = self.child(node, "agent")
        name, body = self.words(node)
        return t.Define(name, self.words(agent)[0] if agent is not None else None, body, self.formula(node))

    def on_cells(self, node: Node) -> t.Cells:
        rows = [self.words(row) for row in self.children(node, "row")]
        return t.Cells(self.word(node.children[0]), tuple((left, tuple(values)) for left, *values in rows))

    def on_cases(self, node: Node) -> t.Cases:
        return t.Cases(self.word(node.children[0]), self.words(node)[0])

    def on_event(self, node: Node) -> t.Event:
        name, *parameters = self.words(node)
        return t.Event(name=name, parameters=tuple(parameters))

    def on_action(self, node: Node) -> t.Action:
        return t.Action(self.words(node)[0])

    def on_pre(self, node: Node) -> t.Pre:
        return t.Pre(self.formula(node))

    def on_post(self, node: Node) -> t.Post:
        target = next(self.word(c) for c in node.children if is_name(c, "TARGET"))
        return t.Post(target, self.formula(node))

    def on_actual(self, node: Node) -> t.Actual:
        return t.Actual(self.words(node)[0])

    def on_arrows(self, node: Node) -> t.ArrowsLine:
        agent = self.child(node, "agent")
        arrows: list[tuple[Word, Word]] = []
        for arrow in self.children(node, "arrow"):
            start, *ends = self.words(arrow)
            arrows.extend((start, end) for end in ends)
        name = self.words(node)[0]
        return t.ArrowsLine(name, self.words(agent)[0] if agent is not None else None, tuple(arrows))

    def formula(self, node: Node) -> Word:
        """The formula of the statement as text, which :mod:`gramprobe.formula.reader` reads."""
        return next(self.word(c) for c in node.children if is_name(c, "FORMULA"))
