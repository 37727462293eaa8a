"""Statements of `.paradigm` files: from Lark's tree to :mod:`gramprobe.syntax.paradigm_tree`."""

from __future__ import annotations

from gramprobe.syntax import paradigm_tree as t
from gramprobe.syntax.nodes import Node, Nodes, is_name, last, rule
from gramprobe.syntax.tree import Word


class ParadigmNodes(Nodes):
    """Reads the nodes of one statement of a paradigm."""

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
        depth = self.child(by, "depth") if by is not None else None
        return t.Draw(
            self.words(node),
            self.words(domain)[0],
            tuple(restrictions),
            self.words(by) if by is not None else (),
            self.on_where(where) if where is not None else (),
            self.word(depth.children[-1]) if depth is not None else None,
        )

    def on_let(self, node: Node) -> t.Let:
        return t.Let(self.words(node)[0], self.term(last(node)))

    def on_heading(self, node: Node) -> str:
        return str(node.children[0])

    def on_condition_line(self, node: Node) -> t.ConditionLine:
        spoken = tuple(self.term(c) for c in self.children(node, "reference", "application"))
        redraws: tuple[tuple[Word, t.Term], ...] = ()
        with_, reading = self.child(node, "with"), self.child(node, "reading")
        if with_ is not None:
            terms = [self.term(c) for c in self.children(with_, "reference", "application")]
            redraws = tuple(zip(self.words(with_), terms, strict=True))
        read = next((self.word(c) for c in reading.children if is_name(c, "STRING")), None) if reading else None
        return t.ConditionLine(
            "", self.words(node)[0], spoken, redraws, read, self.breaking(self.child(node, "breaking"))
        )

    def breaking(self, node: Node | None) -> t.Breaking | None:
        if node is None:
            return None
        within, instead = (self.child(node, name) for name in ("within", "instead"))
        return t.Breaking(self.broken(node), *(self.words(c)[0] if c is not None else None for c in (within, instead)))

    def broken(self, node: Node) -> Word:
        """The name of a constraint, which is of one word or two."""
        (named,) = self.children(node, "broken")
        return Word(" ".join(word.text for word in self.words(named)), self.span_of(named))

    def on_constraint(self, node: Node) -> tuple[str, tuple[Word, ...]]:
        return "constraint", (self.broken(node),)

    def on_unique_repair(self, node: Node) -> t.PairClaim:
        return t.PairClaim("unique repair", self.statement.whole())

    def on_one_word(self, node: Node) -> t.PairClaim:
        return t.PairClaim("one word", self.statement.whole())

    def on_same_words(self, node: Node) -> t.PairClaim:
        return t.PairClaim("same words", self.statement.whole())

    def on_same_length(self, node: Node) -> t.PairClaim:
        return t.PairClaim("same length", self.statement.whole())

    def on_pair(self, node: Node) -> t.Pair:
        premises, hypotheses = (self.words(c) for c in self.children(node, "names"))
        marks = {name: self.words(c)[0] for name in ("tag", "via") if (c := self.child(node, name)) is not None}
        claims = []
        for expect in self.children(node, "expect"):
            at = self.child(expect, "at")
            of = (
                tuple(
                    t.At(
                        self.operand(self.children(one, "limited")[0]),
                        self.words(self.children(one, "alternatives")[0]),
                    )
                    for one in self.children(at, "at_one")
                )
                if at is not None
                else ()
            )
            for claim in self.children(expect, "claim"):
                *column, label = self.words(claim)
                claims.append(t.Claim(column[0] if column else None, label, of))
        of_readings = [self.reading_claim(c) for c in self.children(node, "fits", "entailed")]
        read = of_readings[0] if of_readings else None
        share = self.child(node, "share")
        part = next(self.word(c) for c in share.children if is_name(c, "SHARE")) if share is not None else None
        named = {name: self.child(node, name) for name in ("published", "measured", "gold")}
        tag, via = marks.get("tag"), marks.get("via")
        return t.Pair(
            premises=premises,
            hypotheses=hypotheses,
            claims=tuple(claims),
            tag=tag,
            via=via,
            span=self.statement.whole(),
            claim=read,
            share=part,
            **{name: self.words(each)[0] if each is not None else None for name, each in named.items()},
        )

    def on_theories(self, node: Node) -> t.Theories:
        return t.Theories(tuple(t.Alike(self.theories(each)) for each in self.children(node, "alike")))

    def theories(self, node: Node) -> tuple[Word, ...]:
        return tuple(self.word(c) for c in node.children if is_name(c, "THEORY"))

    def on_balance(self, node: Node) -> t.Balance:
        return t.Balance(self.words(node), self.statement.whole())

    def on_limit(self, node: Node) -> t.Limit:
        count = next(self.word(c) for c in node.children if is_name(c, "INT"))
        rate = self.child(node, "rate")
        per = next(self.word(c) for c in rate.children if is_name(c, "INT")) if rate is not None else None
        return t.Limit(tuple(self.operand(c) for c in self.children(node, "limited")), count, per)

    def on_carry(self, node: Node) -> t.Carry:
        return t.Carry(tuple(self.operand(c) for c in self.children(node, "limited")))

    def reading_claim(self, node: Node) -> t.ReadingClaim:
        of = last(node)
        words = tuple(self.word(c) for c in of.children if is_name(c, "STRING", "NAME"))
        return t.ReadingClaim("fits" if rule(node) == "fits" else "entailed", words, rule(of) == "of_all")

    def on_allow(self, node: Node) -> t.Allow:
        gate, because = (self.word(c) for c in node.children if is_name(c, "NAME", "STRING"))
        return t.Allow(gate, because)

    def on_factor(self, node: Node) -> t.Factor:
        levels = []
        for level in self.children(node, "level"):
            named = self.child(level, "names")
            assert named is not None
            levels.append(t.Level(self.words(level)[0], self.words(named)))
        drawn, column = self.child(node, "drawn"), self.child(node, "column")
        return t.Factor(
            self.words(node)[0],
            tuple(levels),
            self.words(drawn)[0] if drawn is not None else None,
            self.operand(column) if column is not None else None,
        )

    def on_contrast(self, node: Node) -> t.Contrast:
        weights: list[tuple[str, Word]] = []
        sign = ""
        for child in node.children:
            if is_name(child, "SIGN"):
                sign = str(child).replace("+", "")
            elif not is_name(child, "CONTRAST", "NAME", "EQUALS"):
                number = next((str(c) for c in child.children if is_name(c, "NUMBER")), "1")
                weights.append((sign + number, self.words(child)[0]))
        return t.Contrast(self.words(node)[0], tuple(weights))

    def on_cross(self, node: Node) -> t.Cross:
        name, *levels = self.words(node)
        return t.Cross(name, tuple(levels))

    def on_without(self, node: Node) -> t.EmptyCell:
        because = next(self.word(c) for c in node.children if is_name(c, "STRING"))
        return t.EmptyCell(self.words(node), because)

    def on_region(self, node: Node) -> t.Region:
        return t.Region(self.words(node)[0], tuple(self.operand(c) for c in self.children(node, "limited")))

    def on_same(self, node: Node) -> t.SameWords:
        named = self.child(node, "names")
        assert named is not None
        return t.SameWords(self.words(named))

    def on_solvable(self, node: Node) -> t.Solvable:
        by, *accuracy, because = (self.word(c) for c in node.children if is_name(c, "NAME", "SHARE", "STRING"))
        return t.Solvable(by, accuracy[0] if accuracy else None, because)
