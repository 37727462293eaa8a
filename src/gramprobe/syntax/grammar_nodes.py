"""Statements of `.gram` files: from Lark's tree to :mod:`gramprobe.syntax.grammar_tree`."""

from __future__ import annotations

import re
from typing import Any

from msgspec.structs import replace

from gramprobe.syntax import grammar_tree as t
from gramprobe.syntax.nodes import Node, Nodes, is_name, last, rule
from gramprobe.syntax.tree import Case, Condition, Operand, Word

#: `sem`, the id of its reading or `conveys`, its cases (`[mode=plain]`, never an update, `[! F]` or `[E]`), and the
#: formula, which :mod:`gramprobe.formula.reader` reads
SEM = re.compile(
    r"\s*sem\b\s*(?:reading\s*\"[^\"\n]*\"\s*|conveys\b(?!\s*\()\s*)?(?:\[\s*[\w.]+\s*=[^\]]*\])?\s*(?=(\S.*))",
    re.DOTALL,
)


class GrammarNodes(Nodes):
    """Reads the nodes of one statement of a grammar."""

    def on_feature(self, node: Node) -> t.Feature:
        return t.Feature(self.words(node)[0], self.words(self.children(node, "alternatives")[0]))

    def on_group(self, node: Node) -> t.Group:
        names = self.words(node)
        return t.Group(names[0], names[1], self.words(self.children(node, "alternatives")[0]))

    def columns(self, node: Node) -> tuple[t.Column, ...]:
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
        return tuple(columns)

    def on_cat(self, node: Node) -> t.Category:
        type_node, source = self.child(node, "type"), self.child(node, "source")
        file: Word | None = None
        forms: tuple[Word, ...] = ()
        single = False
        if source is not None:
            file = next(self.word(c) for c in source.children if is_name(c, "FILE"))
            form_columns = self.child(source, "form_columns")
            if form_columns is not None:
                forms = self.words(form_columns)
                single = "word" in self.statement.text[source.meta.start_pos : source.meta.end_pos].split()
        return t.Category(
            name=self.words(node)[0],
            columns=self.columns(node),
            type=self.type(type_node),
            file=file,
            forms=forms,
            single_form=single,
        )

    def on_extend(self, node: Node) -> t.Extension:
        extension: t.Extension = self.build(last(node))
        return extension

    def on_more_values(self, node: Node) -> t.MoreValues:
        return t.MoreValues(self.words(node)[0], self.words(self.children(node, "alternatives")[0]))

    def on_more_members(self, node: Node) -> t.MoreMembers:
        return t.MoreMembers(self.words(node)[0], self.words(self.children(node, "alternatives")[0]))

    def on_more_columns(self, node: Node) -> t.MoreColumns:
        return t.MoreColumns(self.words(node)[0], self.columns(node))

    def on_more_words(self, node: Node) -> t.MoreWords:
        return t.MoreWords(self.words(node)[0], next(self.word(c) for c in node.children if is_name(c, "FILE")))

    def on_more_rows(self, node: Node) -> t.MoreRows:
        return t.MoreRows(self.words(node)[0])

    def on_more_pairs(self, node: Node) -> t.MorePairs:
        operands = tuple(self.operand(c) for c in self.children(node, "operand"))
        return t.MorePairs(self.words(node)[0], operands, self.on_rows(self.child(node, "rows")))

    def on_more_lines(self, node: Node) -> t.MoreLines:
        return t.MoreLines(self.words(node)[0])

    def type(self, node: Node | None) -> t.Type | None:
        if node is None:
            return None
        text = self.statement.text[node.meta.start_pos : node.meta.end_pos]
        return t.Type(" ".join(text.split()), self.span_of(node))

    def on_const(self, node: Node) -> t.Constant:
        type_ = self.type(self.child(node, "type"))
        assert type_ is not None
        return t.Constant(self.words(node), type_)

    def on_rows(self, node: Node | None) -> tuple[t.Row, ...]:
        return (
            ()
            if node is None
            else tuple(
                t.Row(
                    tuple(self.word(c) for c in row.children),
                    tuple(is_name(c, "STRING") for c in row.children),
                )
                for row in self.children(node, "row")
            )
        )

    def on_relation(self, node: Node) -> t.Relation:
        left, right = (self.operand(c) for c in self.children(node, "operand"))
        return t.Relation(self.words(node)[0], left, right, self.on_rows(self.child(node, "rows")))

    def label(self, node: Node) -> Word:
        """The name of a constraint: one word or two."""
        return Word(" ".join(word.text for word in self.words(node)), self.span_of(node))

    def on_constraint(self, node: Node) -> t.ConstraintLine:
        name, *features = self.children(node, "label", "operand")
        return t.ConstraintLine(self.label(name), tuple(map(self.operand, features)))

    def on_claim(self, node: Node) -> t.ClaimLine:
        rows = []
        for each in self.children(node, "claimed"):
            (property_,) = self.children(each, "property")
            given = next(iter(self.texts(each)), None)
            rows.append(t.Claimed(self.words(each)[0], self.label(property_), given))
        (operand,) = self.children(node, "operand")
        return t.ClaimLine(self.operand(operand), tuple(rows))

    def on_also(self, node: Node) -> t.AlsoLine:
        of, also = self.words(node)
        denied = self.child(node, "operand_is")
        if denied is None:
            return t.AlsoLine(of, also)
        return t.AlsoLine(of, also, self.words(denied)[0], self.words(self.children(denied, "alternatives")[0]))

    def on_former(self, node: Node) -> t.Former:
        name, instead = map(self.word, node.children)
        return t.Former(name, instead)

    def on_where(self, node: Node) -> tuple[Condition, ...]:
        """Conditions, each with the name that stands before it, or before one further to the left."""
        conditions: list[Condition] = []
        name: Word | None = None
        for named in self.children(node, "named"):
            label = self.child(named, "label")
            name = name if label is None else self.label(label)
            conditions += [replace(each, constraint=name) for each in self.either(last(named))]
        return tuple(conditions)

    def on_table(self, node: Node) -> t.Table:
        names = self.words(node)
        colon = next((i for i, c in enumerate(node.children) if is_name(c, "COLON")), None)
        has_result = colon is not None
        keys = names[1:-1] if has_result else names[1:]
        return t.Table(names[0], keys, names[-1] if has_result else None, self.on_rows(self.child(node, "rows")))

    def on_fun(self, node: Node) -> t.Function:
        arguments = []
        for argument in self.children(node, "argument"):
            names = self.words(argument)
            arguments.append(t.Argument(names[-2], names[-1], names[:-2]))
        name, result = self.words(node)
        features, computed = self.given(self.child(node, "gives"), {a.name.text for a in arguments})
        return t.Function(
            name=name,
            arguments=tuple(arguments),
            result=result,
            features=features,
            computed=computed,
            where=(),
            lins=(),
            sems=(),
            scopes=(),
            defined=rule(node) == "define",
        )

    on_define = on_fun

    def on_as_(self, node: Node) -> t.Branch:
        (term,) = self.children(node, "reference", "application")
        in_place = self.child(node, "in_place") is not None
        return t.Branch(self.cases(self.child(node, "cases")), self.term(term), in_place, self.statement.whole())

    def given(
        self, node: Node | None, arguments: set[str]
    ) -> tuple[tuple[Case, ...], tuple[tuple[Word, t.Value], ...]]:
        """The features of a result that are fixed, and those that an argument or a table gives."""
        fixed: list[Case] = []
        computed: list[tuple[Word, t.Value]] = []
        for each in () if node is None else self.children(node, "fixed", "handed_on", "looked_up"):
            feature, *names = self.words(each)
            if rule(each) == "fixed":
                values = self.words(self.children(each, "alternatives")[0])
                if len(values) == 1 and values[0].text in arguments:
                    computed.append((feature, Operand(values[0])))
                else:
                    fixed.append(Case(Operand(feature), values))
            elif rule(each) == "handed_on":
                computed.append((feature, Operand(*names)))
            else:
                values_ = tuple(self.value(c) for c in self.children(each, "plain", "computed"))
                computed.append((feature, t.Computed(names[0], values_)))
        return tuple(fixed), tuple(computed)

    def on_lin(self, node: Node) -> t.Lin:
        atoms: list[t.Atom] = []
        glued: list[bool] = []
        for item in self.children(node, "item"):
            for region in self.children(item, "region"):
                atoms.append(t.Region(self.words(region)[0]))
                glued.append(False)
            for index, atom in enumerate(self.children(item, "text", "words", "held", "lookup")):
                atoms.append(self.atom(atom))
                glued.append(index > 0)
        unsaid = self.child(node, "unsaid")
        cases = self.cases(self.child(node, "cases"))
        words = self.words(unsaid) if unsaid is not None else ()
        return t.Lin(cases, tuple(atoms), tuple(glued), words, self.statement.whole())

    def atom(self, node: Node) -> t.Atom:
        if node.data == "text":
            return t.Text(self.word(node.children[0]))
        if rule(node) == "held":
            return t.Held(self.operand(node))
        name = self.words(node)[0]
        if rule(node) == "words":
            return t.Words(name, tuple((self.words(r)[0], self.value(last(r))) for r in self.children(node, "request")))
        return t.Lookup(name, tuple(self.value(c) for c in self.children(node, "plain", "computed")))

    def value(self, node: Node) -> t.Value:
        if rule(node) == "plain":
            return self.operand(node)
        return t.Computed(self.words(node)[0], tuple(self.value(c) for c in self.children(node, "plain", "computed")))

    def on_sem(self, node: Node) -> t.Sem:
        match = SEM.match(self.statement.text)
        assert match is not None
        before = self.statement.text[: match.end()]
        line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
        text = match.group(1)
        formula = Word(text, self.statement.span(line, column, len(text.split("\n")[0])))
        named = self.child(node, "further")
        reading = next(self.word(c) for c in named.children if is_name(c, "STRING")) if named is not None else None
        conveys = self.child(node, "conveys") is not None
        return t.Sem(self.cases(self.child(node, "cases")), formula, reading, conveys)

    def on_scope(self, node: Node) -> t.Scope:
        (name,) = self.texts(node)
        above, trace = self.child(node, "above"), self.child(node, "trace")
        leaves: Word | Operand | None = None
        if trace is not None:
            operand = self.child(trace, "operand")
            leaves = self.operand(operand) if operand is not None else self.word(trace.children[0])
        free, fixed = (self.child(node, mark) is not None for mark in ("exceptional", "in_place"))
        cases = self.cases(self.child(node, "cases"))
        return t.Scope(cases, name, self.texts(above) if above else (), leaves, free, fixed)

    def on_refers(self, node: Node) -> t.Refers:
        return t.Refers(self.cases(self.child(node, "cases")), self.texts(node), self.statement.whole())

    def texts(self, node: Node) -> tuple[Word, ...]:
        return tuple(self.word(c) for c in node.children if is_name(c, "STRING"))

    def on_reading(self, node: Node) -> t.ReadingName:
        name, *orders = (self.word(c) for c in node.children if is_name(c, "STRING"))
        return t.ReadingName(name, tuple(orders))

    def on_carry(self, node: Node) -> t.Carry:
        name, *features = self.words(node)
        return t.Carry(name, tuple(features), self.child(node, "by_line") is not None, self.named_as(node))

    def named_as(self, node: Node) -> Word | None:
        named = self.child(node, "named_as")
        return self.label(last(named)) if named is not None else None

    def on_carries(self, node: Node) -> t.Carrying:
        fixed, computed = self.given(self.child(node, "gives"), set())
        values = tuple((case.operand.name, Operand(case.values[0])) for case in fixed if len(case.values) == 1)
        return self.carrying(node, "carries", values=(*values, *computed))

    def on_through(self, node: Node) -> t.Carrying:
        every = any(is_name(c, "EVERY") for c in node.children)
        return self.carrying(node, "all" if every else "through")

    def on_barrier(self, node: Node) -> t.Carrying:
        return self.carrying(node, "barrier", constraint=self.named_as(node))

    def on_closes(self, node: Node) -> t.Carrying:
        by = self.child(node, "by_argument")
        verb = next(str(c) for c in node.children if is_name(c, "CLOSES"))
        return self.carrying(node, verb, by=self.words(by)[0] if by is not None else None)

    def carrying(self, node: Node, how: str, **more: Any) -> t.Carrying:
        kind, *arguments = self.words(node)
        cases = self.cases(self.child(node, "cases"))
        return t.Carrying(how, kind, cases, tuple(arguments), self.statement.whole(), **more)

    def on_operators(self, node: Node) -> t.OperatorKind:
        kind = next(self.word(c) for c in node.children if is_name(c, "NAME"))
        return t.OperatorKind(kind, self.texts(node))

    def on_language(self, node: Node) -> t.LanguageName:
        return t.LanguageName(self.words(node)[0])

    def on_sentence(self, node: Node) -> t.Sentence:
        category, final = (self.word(c) for c in node.children if is_name(c, "NAME", "STRING"))
        return t.Sentence(category, final, self.child(node, "continues") is not None)
