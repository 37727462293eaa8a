"""Statements to syntax trees, with Lark; one diagnostic a statement that cannot be read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from gramprobe.source import messages
from gramprobe.source.diagnostic import Diagnostic
from gramprobe.source.files import Source
from gramprobe.source.nearest import nearest
from gramprobe.source.span import Span
from gramprobe.syntax import tree as t
from gramprobe.syntax.nodes import Node, is_name, last, rule
from gramprobe.syntax.statements import Statement, keywords, statements
from gramprobe.syntax.theories import TheoryNodes

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

#: parentheses inside each other
DEEPEST = 100
_GRAMMARS = {".gram": "gram.lark", ".paradigm": "paradigm.lark", ".logic": "theory.lark"}


@cache
def _parser(suffix: str) -> Lark:
    from lark import Lark

    return Lark.open(
        _GRAMMARS[suffix], rel_to=__file__, parser="lalr", maybe_placeholders=False, propagate_positions=True
    )


def read_lines(source: Source, suffix: str) -> tuple[list[tuple[Statement, Any]], list[Diagnostic]]:
    """Every statement with its node, and a diagnostic for each that cannot be read (its node is a Broken)."""
    from lark.exceptions import UnexpectedInput

    found: list[tuple[Statement, Any]] = []
    problems: list[Diagnostic] = []
    for statement in statements(source, suffix):
        deep = _too_deep(statement)
        if deep is not None:
            problems.append(messages.too_deep(deep, DEEPEST))
            found.append((statement, _broken(statement, suffix)))
            continue
        try:
            parsed = _parser(suffix).parse(_without_formula(statement) if suffix == ".gram" else statement.text)
        except UnexpectedInput as error:
            problems.append(_unreadable(statement, error, suffix))
            found.append((statement, _broken(statement, suffix)))
            continue
        found.append((statement, _Builder(statement).build(parsed.children[0])))
        if statement.keyword == "pair":
            problems.extend(_said_twice(statement, parsed))
    return found, problems


#: `sem`, the reading it gives, its cases (`[mode=plain]`, never an update, `[! F]` or `[E]`), and the formula, which
#: has a reader of its own
_SEM = re.compile(r"\s*sem\b\s*(?:reading\s*\"[^\"\n]*\"\s*)?(?:\[\s*[\w.]+\s*=[^\]]*\])?\s*(?=(\S.*))", re.DOTALL)


def _without_formula(statement: Statement) -> str:
    """A `sem` line up to its formula, behind which one sign stands for it: the formula may hold anything."""
    found = _SEM.match(statement.text)
    return statement.text[: found.end()] + "\u00a7" if found else statement.text


def _too_deep(statement: Statement) -> Span | None:
    """The parenthesis that goes deeper than anybody could read (and than Python recurses)."""
    depth = 0
    for number, line in enumerate(statement.text.split("\n"), 1):
        for column, character in enumerate(line, 1):
            depth += (character in "([") - (character in ")]")
            if depth > DEEPEST:
                return statement.span(number, column)
    return None


def _said_twice(statement: Statement, parsed: Tree[Token]) -> Iterator[Diagnostic]:
    """`expect`, `tag`, `via`, `share` or a claim of readings more than once on a pair."""
    for names in (("expect",), ("tag",), ("via",), ("share",), ("fits", "entailed")):
        name = " or ".join(names)
        places = [
            statement.span(n.meta.line, n.meta.column, n.meta.end_column - n.meta.column)
            for n in parsed.find_pred(lambda tree, names=names: tree.data in names)  # type: ignore[misc]
        ]
        for place in sorted(places, key=lambda span: (span.line, span.column))[1:]:
            yield messages.declared_twice(place, f"`{name}`", None)


def _broken(statement: Statement, suffix: str) -> t.Broken:
    known, keyword = keywords(suffix), statement.keyword
    if keyword not in known and not (suffix == ".paradigm" and _CONDITION_LINE.match(statement.text)):
        keyword = nearest(keyword, known) or keyword
    text = re.sub(r'"[^"\n]*"?', "", statement.text)
    words = re.findall(r"[A-Za-z_]\w*", re.split(r"[:=(\[]", text)[0])
    declared = words if keyword == statement.keyword and keyword not in known else words[1:]
    return t.Broken(keyword, tuple(declared), tuple(re.findall(r"[A-Za-z_]\w*", text)))


_CONDITION_LINE = re.compile(r"\s*\w+\s*=(?!>)")


def _unreadable(statement: Statement, error: Any, suffix: str) -> Diagnostic:
    """Phrase Lark's complaint; at the end of the statement the place is just behind its last character."""
    token = getattr(error, "token", None)
    expected = sorted(
        getattr(error, "expected", None) or getattr(error, "accepts", None) or getattr(error, "allowed", None) or ()
    )
    known, lines = keywords(suffix), statement.text.rstrip().split("\n")
    may_be_other = suffix == ".paradigm" and bool(_CONDITION_LINE.match(statement.text))
    if suffix == ".gram":  # rows of a table begin with any name
        may_be_other = nearest(statement.keyword, known) is None
    if statement.keyword not in known and not may_be_other:
        return messages.unknown_keyword(statement.whole(), lines[0].split()[0], known)
    if (token is not None and token.type == "$END") or error.line is None or error.line < 0:
        span, found = statement.span(len(lines), len(lines[-1]) + 1), ""
    else:
        # A word or a run of signs is shown whole, even where Lark stopped at its first character.
        rest = statement.text.split("\n")[error.line - 1][error.column - 1 :]
        found = str(token) if token is not None else re.match(r"\w+|[^\w\s]+|.", rest).group()  # type: ignore[union-attr]
        found = found.split("\n")[0]
        span = statement.span(error.line, error.column, len(found))
    return messages.unreadable_statement(span, statement.keyword, statement.text, found, expected)


class _Builder(TheoryNodes):
    """From Lark's tree of one statement to the node of :mod:`gramprobe.syntax.tree`."""

    # -- statements

    def build(self, node: Node) -> Any:
        build: Callable[[Node], Any] = getattr(self, f"on_{rule(node)}", self.on_setting)
        return build(node)

    def on_setting(self, node: Node) -> tuple[str, tuple[t.Word, ...]]:
        keyword = "source" if rule(node) == "citation" else rule(node)
        return keyword, tuple(self.word(c) for c in node.children if is_name(c, "NAME", "STRING", "INT", "THEORY"))

    def cases(self, node: Node | None) -> tuple[t.Case, ...]:
        if node is None:
            return ()
        return tuple(
            t.Case(self.operand(self.children(c, "operand")[0]), self.words(self.children(c, "alternatives")[0]))
            for c in self.children(node, "case")
        )

    # -- grammar

    def on_feature(self, node: Node) -> t.Feature:
        return t.Feature(self.words(node)[0], self.words(self.children(node, "alternatives")[0]))

    def on_group(self, node: Node) -> t.Group:
        names = self.words(node)
        return t.Group(names[0], names[1], self.words(self.children(node, "alternatives")[0]))

    def on_cat(self, node: Node) -> t.Category:
        columns = []
        for column in self.children(node, "feature_column", "fixed_column", "typed_column"):
            names = self.words(column)
            fixed = self.children(column, "alternatives")
            columns.append(
                t.Column(
                    names[0],
                    fixed=self.words(fixed[0]) if fixed else (),
                    type=names[1] if len(names) > 1 else None,
                    is_set=any(is_name(c, "STAR") for c in column.children),
                    optional=any(is_name(c, "OPTIONAL") for c in column.children),
                )
            )
        type_node, source = self.child(node, "type"), self.child(node, "source")
        file: t.Word | None = None
        forms: tuple[t.Word, ...] = ()
        single = False
        if source is not None:
            file = next(self.word(c) for c in source.children if is_name(c, "FILE"))
            form_columns = self.child(source, "form_columns")
            if form_columns is not None:
                forms = self.words(form_columns)
                single = "word" in self.statement.text[source.meta.start_pos : source.meta.end_pos].split()
        return t.Category(self.words(node)[0], tuple(columns), self.type(type_node), file, forms, single)

    def type(self, node: Node | None) -> t.Type | None:
        if node is None:
            return None
        text = self.statement.text[node.meta.start_pos : node.meta.end_pos]
        return t.Type(" ".join(text.split()), self.span_of(node))

    def on_const(self, node: Node) -> t.Constant:
        type_ = self.type(self.child(node, "type"))
        assert type_ is not None
        return t.Constant(self.words(node), type_)

    def on_rows(self, node: Node) -> tuple[t.Row, ...]:
        return tuple(
            t.Row(
                tuple(self.word(c) for c in row.children),
                tuple(is_name(c, "STRING") for c in row.children),
            )
            for row in self.children(node, "row")
        )

    def on_relation(self, node: Node) -> t.Relation:
        left, right = (self.operand(c) for c in self.children(node, "operand"))
        rows = self.child(node, "rows")
        return t.Relation(self.words(node)[0], left, right, self.on_rows(rows) if rows is not None else ())

    def on_table(self, node: Node) -> t.Table:
        names = self.words(node)
        colon = next((i for i, c in enumerate(node.children) if is_name(c, "COLON")), None)
        has_result = colon is not None
        rows = self.child(node, "rows")
        keys = names[1:-1] if has_result else names[1:]
        return t.Table(
            names[0], keys, names[-1] if has_result else None, self.on_rows(rows) if rows is not None else ()
        )

    def on_fun(self, node: Node) -> t.Function:
        arguments = []
        for argument in self.children(node, "argument"):
            names = self.words(argument)
            arguments.append(t.Argument(names[-2], names[-1], names[:-2]))
        name, result = self.words(node)
        return t.Function(name, tuple(arguments), result, self.cases(self.child(node, "cases")), (), (), (), ())

    def on_where(self, node: Node) -> tuple[t.Condition, ...]:
        return self.conditions(self.child(node, "conditions"))

    def on_lin(self, node: Node) -> t.Lin:
        atoms: list[t.Text | t.Words | t.Lookup] = []
        glued: list[bool] = []
        for item in self.children(node, "item"):
            for index, atom in enumerate(self.children(item, "text", "words", "lookup")):
                atoms.append(self.atom(atom))
                glued.append(index > 0)
        unsaid = self.child(node, "unsaid")
        cases = self.cases(self.child(node, "cases"))
        words = self.words(unsaid) if unsaid is not None else ()
        return t.Lin(cases, tuple(atoms), tuple(glued), words, self.statement.whole())

    def atom(self, node: Node) -> t.Text | t.Words | t.Lookup:
        if node.data == "text":
            return t.Text(self.word(node.children[0]))
        name = self.words(node)[0]
        if rule(node) == "words":
            return t.Words(name, tuple((self.words(r)[0], self.value(last(r))) for r in self.children(node, "request")))
        return t.Lookup(name, tuple(self.value(c) for c in self.children(node, "plain", "computed")))

    def value(self, node: Node) -> t.Value:
        if rule(node) == "plain":
            return self.operand(node)
        return t.Computed(self.words(node)[0], tuple(self.value(c) for c in self.children(node, "plain", "computed")))

    def on_sem(self, node: Node) -> t.Sem:
        found = _SEM.match(self.statement.text)
        assert found is not None
        before = self.statement.text[: found.end()]
        line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
        text = found.group(1)
        formula = t.Word(text, self.statement.span(line, column, len(text.split("\n")[0])))
        named = self.child(node, "further")
        reading = next(self.word(c) for c in named.children if is_name(c, "STRING")) if named is not None else None
        return t.Sem(self.cases(self.child(node, "cases")), formula, reading)

    def on_scope(self, node: Node) -> t.Scope:
        (name,) = self.texts(node)
        above, trace = self.child(node, "above"), self.child(node, "trace")
        leaves: t.Word | t.Operand | None = None
        if trace is not None:
            operand = self.child(trace, "operand")
            leaves = self.operand(operand) if operand is not None else self.word(trace.children[0])
        free = self.child(node, "exceptional") is not None
        return t.Scope(self.cases(self.child(node, "cases")), name, self.texts(above) if above else (), leaves, free)

    def on_refers(self, node: Node) -> t.Refers:
        return t.Refers(self.cases(self.child(node, "cases")), self.texts(node), self.statement.whole())

    def texts(self, node: Node) -> tuple[t.Word, ...]:
        return tuple(self.word(c) for c in node.children if is_name(c, "STRING"))

    def on_reading(self, node: Node) -> t.ReadingName:
        name, *orders = (self.word(c) for c in node.children if is_name(c, "STRING"))
        return t.ReadingName(name, tuple(orders))

    def on_sentence(self, node: Node) -> t.Sentence:
        category, final = (self.word(c) for c in node.children if is_name(c, "NAME", "STRING"))
        return t.Sentence(category, final)

    # -- paradigms

    def on_draw(self, node: Node) -> t.Draw:
        domain = self.child(node, "domain")
        assert domain is not None
        restrictions = []
        for restriction in self.children(self.child(domain, "restrictions") or domain, "restriction"):
            names = self.words(restriction)
            restrictions.append(
                t.Restriction(names[0] if names else None, self.words(self.children(restriction, "alternatives")[0]))
            )
        by, where = self.child(domain, "by"), self.child(node, "where")
        return t.Draw(
            self.words(node),
            self.words(domain)[0],
            tuple(restrictions),
            self.words(by) if by is not None else (),
            self.on_where(where) if where is not None else (),
        )

    def term(self, node: Node) -> t.Term:
        names = self.words(node)
        if rule(node) == "reference":
            return t.Term(names[0], names[1] if len(names) > 1 else None, None, self.span_of(node))
        arguments = tuple(self.term(c) for c in self.children(node, "reference", "application"))
        return t.Term(names[0], None, arguments, self.span_of(node))

    def on_let(self, node: Node) -> t.Let:
        return t.Let(self.words(node)[0], self.term(last(node)))

    def on_heading(self, node: Node) -> str:
        return str(node.children[0])

    def on_condition_line(self, node: Node) -> t.ConditionLine:
        term = self.term(self.children(node, "reference", "application")[0])
        redraws: tuple[tuple[t.Word, t.Term], ...] = ()
        with_, reading = self.child(node, "with"), self.child(node, "reading")
        if with_ is not None:
            terms = [self.term(c) for c in self.children(with_, "reference", "application")]
            redraws = tuple(zip(self.words(with_), terms, strict=True))
        read = next((self.word(c) for c in reading.children if is_name(c, "STRING")), None) if reading else None
        return t.ConditionLine("", self.words(node)[0], term, redraws, read)

    def on_pair(self, node: Node) -> t.Pair:
        premises, hypotheses = (self.words(c) for c in self.children(node, "names"))
        said = {name: self.words(c)[0] for name in ("tag", "via") if (c := self.child(node, name)) is not None}
        claims = []
        for claim in self.children(self.child(node, "expect") or node, "claim"):
            *column, label = self.words(claim)
            claims.append(t.Claim(column[0] if column else None, label))
        of_readings = [self.reading_claim(c) for c in self.children(node, "fits", "entailed")]
        read = of_readings[0] if of_readings else None
        share = self.child(node, "share")
        part = next(self.word(c) for c in share.children if is_name(c, "SHARE")) if share is not None else None
        tag, via = said.get("tag"), said.get("via")
        return t.Pair(premises, hypotheses, tuple(claims), tag, via, self.statement.whole(), read, part)

    def on_balance(self, node: Node) -> t.Balance:
        return t.Balance(self.words(node), self.statement.whole())

    def reading_claim(self, node: Node) -> t.ReadingClaim:
        of = last(node)
        words = tuple(self.word(c) for c in of.children if is_name(c, "STRING", "NAME"))
        return t.ReadingClaim("fits" if rule(node) == "fits" else "entailed", words, rule(of) == "of_all")

    def on_allow(self, node: Node) -> t.Allow:
        gate, because = (self.word(c) for c in node.children if is_name(c, "NAME", "STRING"))
        return t.Allow(gate, because)
