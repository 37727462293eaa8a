"""The reader behind `notation`: recursive descent over the tokens, precedence climbing for the infix
operators.

A description leaves term position: `V(the x. (N(x)))` is `the x. (N(x), V(x))`, with scope over the smallest enclosing
atom.
"""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches

from gramprobe.formula import ast
from gramprobe.formula.ast import Argument, Const, Description, Formula, Var, as_formula
from gramprobe.formula.binding import free_variables, fresh, names, substituted
from gramprobe.formula.lexer import (
    INFIX_WORDS,
    QUANTIFIERS,
    WORDS,
    Cursor,
    FormulaError,
    Token,
    UnknownOperator,
    pairs,
    seen,
)

_OCCASIONAL = {"always": ("forall", None), "usually": ("most", None), "sometimes": ("atleast", 2),
               "never": ("forall", None)}  # fmt: skip


class Reader(Cursor):
    """Reads the tokens of a formula from left to right; `bound` holds the variables in scope."""

    def __init__(self, tokens: list[Token], bound: frozenset[str], operators: Collection[str] | None) -> None:
        super().__init__(tokens)
        self.bound, self.operators = bound, operators
        self.paired, self.closing = pairs(tokens)

    def wants_end(self) -> None:
        if self.now.kind == "end":
            return
        hint = "a `)` too many" if self.now.text == ")" else "join formulas with &, |, -> or <->"
        hint = INFIX_WORDS.get(self.now.text, hint)
        before = self.tokens[self.at - 1]
        if before.kind == "name" and (self.now.kind == "name" or self.now.text in ("(", "[")):
            raise self.unknown_operator(before)
        if self.now.text == "?":
            hint = "`?` stands only outermost"
        raise self.error(f"the formula ends before `{self.now.text}`", hint)

    # formulas

    def whole(self) -> Argument:
        if self.now.text == "?":
            self.take()
            return ast.Interrogative(self.formula())
        if self.is_term_description():
            closing = self.closing[self.at + 3]
            if self.tokens[closing + 1].kind == "end":
                return self.description()
        return self.formula()

    def formula(self, strength: int = 0) -> Formula:
        left = self.shifted()
        while (known := ast.INFIX.get(self.now.text)) is not None and known[1].strength >= strength:
            self.take()
            kind, infix = known
            left = kind(left, self.formula(infix.right))
        return left

    def shifted(self) -> Formula:
        """A formula of the tightest level with any `@ here` after it."""
        read = self.tight()
        while self.now.text == "@":
            self.take()
            if self.now.text != "here":
                raise self.error(f"`here` follows `@`, but {seen(self.now)}", "write `F @ here`: at the actual world")
            self.take()
            read = ast.Here(read)
        return read

    def tight(self) -> Formula:
        token = self.now
        if token.text == "~":
            self.take()
            return ast.Not(self.tight())
        if token.text == "\\":
            return self.abstraction()
        if token.text == "[":
            return self.update()
        if token.text == "(":
            if self.at in self.paired:
                raise self.error("a pair `(F, G)` stands only after a quantifier", "write `forall x. (F, G)`")
            self.take()
            inside = self.formula()
            self.close_formula(token)
            return inside
        if token.text == "?":
            raise self.error("`?` stands only outermost", "put it first: `? F`")
        if token.kind != "name":
            raise self.error(f"a formula is wanted, but {seen(token)}")
        if token.text in ("true", "false"):
            self.take()
            return ast.Truth(token.text == "true")
        if self.is_quantifier():
            if self.is_term_description():
                return self.equation()
            return self.quantified()
        if self.is_operator():
            return self.modal()
        return self.equation()

    def close_formula(self, opening: Token) -> None:
        if self.now.text == ")":
            self.take()
            return
        before = self.tokens[self.at - 1]
        if before.kind == "name" and (self.now.kind == "name" or self.now.text in ("(", "[")):
            raise self.unknown_operator(before)
        if self.now.kind == "end":
            raise self.error("this `(` is never closed", "add `)`", opening)
        raise self.error(f"`)` is wanted, but {seen(self.now)}")

    def abstraction(self) -> Formula:
        self.take()
        variable = self.variable()
        self.want(".", "follows the variable")
        outer, self.bound = self.bound, self.bound | {variable}
        body = self.whole_argument()
        self.bound = outer
        return ast.Lambda(variable, body)

    def whole_argument(self) -> Argument:
        """The body of a lambda: as far right as it goes; a description that is the whole body is not expanded."""
        if self.is_term_description():
            after = self.tokens[self.closing[self.at + 3] + 1]
            if after.kind == "end" or after.text in (")", ","):
                return self.description()
        return self.formula()

    def update(self) -> Formula:
        self.take()
        if self.now.text == "!":
            self.take()
            announced = self.formula()
            self.want("]", "ends the announcement")
            return ast.Announced(announced, self.tight())
        if self.now.kind != "name":
            raise self.error(f"`[` is followed by `!` or an event's name, but {seen(self.now)}")
        event = self.take().text
        args = self.given() if self.now.text == "(" else ()
        self.want("]", "ends the event")
        return ast.EventUpdate(event, self.tight(), args)

    def given(self) -> tuple[Argument, ...]:
        """The arguments of an event: terms, but no descriptions."""
        self.take()
        args: list[Argument] = []
        while True:
            if self.is_term_description():
                raise self.error("a description cannot be given to an event", "bind it outside: `the x. (F, [E(x)] G)`")
            args.append(self.term())
            if self.now.text != ",":
                break
            self.take()
        self.want(")", "ends what the event is about")
        return tuple(args)

    # operators

    def is_operator(self) -> bool:
        name, after = self.now.text, self.next()
        adjacent = not after.spaced
        if name == "exh":
            return _starts_formula(after)
        if after.text == "[" and adjacent:
            if self.operators is not None and name not in self.operators:
                raise self.unknown_operator(self.now)
            return True
        if not _starts_formula(after):
            return False
        if self.operators is None:
            return after.spaced
        if after.text == "(" and adjacent and (self.at + 1 in self.paired or self.is_about_variable()):
            return False
        if name in self.operators:
            return True
        if after.text == "(":
            return False
        raise self.unknown_operator(self.now)

    def is_about_variable(self) -> bool:
        """Whether `(x)` follows for a bound x: no formula is a mere variable, so the name before is a predicate."""
        return self.next(2).text in self.bound and self.next(3).text == ")"

    def unknown_operator(self, name: Token) -> FormulaError:
        known = [*sorted(self.operators or ()), *sorted(QUANTIFIERS), "exh"]
        near = get_close_matches(name.text, known, 1)
        if name.text in QUANTIFIERS:
            return self.error(f"`{name.text}` wants a variable and a dot", f"write `{name.text} x. (F, G)`", name)
        after = self.tokens[self.tokens.index(name) + 1]
        for word, signs in ((name, WORDS), (after, INFIX_WORDS)):
            if word.kind == "name" and word.text in signs:
                return self.error(f"`{word.text}` is no word of formulas", signs[word.text], word)
        declared = ", ".join(sorted(self.operators or ())) or "none"
        hint = f"did you mean `{near[0]}`?" if near else f"the theory declares {declared}"
        return UnknownOperator(f"the theory has no operator `{name.text}`", name.offset, name.length, hint)

    def modal(self) -> Formula:
        name = self.take().text
        if name == "exh":
            return ast.Exhaustified(self.tight())
        agent: Argument | None = None
        if self.now.text == "[" and not self.now.spaced:
            self.take()
            agent = self.term()
            if isinstance(agent, Description):
                raise self.error("a description cannot be an agent", "bind it outside: `the x. (F, K[x] G)`")
            self.want("]", "ends the agent")
        return ast.Modal(name, agent, self.tight())

    # quantifiers

    def is_quantifier(self) -> bool:
        if self.now.text not in QUANTIFIERS:
            return False
        after = self.next()
        if self.now.text in ast.COUNTING:
            return after.kind in ("number", "name")
        return after.kind == "name"

    def is_term_description(self) -> bool:
        if self.now.text != "the" or self.next().kind != "name" or self.next(2).text != ".":
            return False
        return self.next(3).text == "(" and self.at + 3 not in self.paired and self.at + 3 in self.closing

    def description(self) -> Description:
        self.take()
        variable = self.variable()
        self.want(".", "follows the variable")
        opening = self.want("(", "opens a description")
        outer, self.bound = self.bound, self.bound | {variable}
        body = self.formula()
        self.bound = outer
        self.close_formula(opening)
        return Description(variable, body)

    def quantified(self) -> Formula:
        word = self.take()
        quantifier, count = _OCCASIONAL.get(word.text, (word.text, None))
        sort: ast.Sort = "occasion" if word.text in _OCCASIONAL else "individual"
        counted: int | str | None = count
        if word.text in ast.COUNTING:
            number = self.take()
            counted = int(number.text) if number.kind == "number" else number.text
        variables = [self.variable()]
        while self.now.text == ",":
            self.take()
            variables.append(self.variable())
        if len(variables) > 1 and word.text not in ("forall", "exists"):
            raise self.error(f"`{word.text}` binds one variable", "nest one in the other", word)
        if self.now.text == ":":
            self.take()
            if self.now.text not in ("occasion", "individual"):
                raise self.error(f"a sort is `occasion` or `individual`, but {seen(self.now)}")
            sort = "occasion" if self.take().text == "occasion" else "individual"
        self.want(".", "follows the variable")
        outer, self.bound = self.bound, self.bound.union(variables)
        restrictor: Formula = ast.TRUE
        if self.now.text == "(" and self.at in self.paired:
            self.take()
            restrictor = self.formula()
            self.want(",", "stands between restrictor and scope")
            scope = self.formula()
            self.want(")", "ends the pair")
        elif word.text in ("forall", "exists"):
            scope = self.formula()
        elif word.text == "the":
            raise self.error("`the x.` is followed by `(F, G)`, or by `(F)` as a term")
        else:
            scope = self.tight()
        self.bound = outer
        if word.text == "never":
            scope = ast.Not(scope)
        kind: ast.Quantifier = quantifier  # type: ignore[assignment]
        read = ast.Quantified(
            quantifier=kind, count=counted, variable=variables[-1], restrictor=restrictor, scope=scope, sort=sort
        )
        for variable in reversed(variables[:-1]):
            read = ast.Quantified(quantifier=kind, variable=variable, restrictor=ast.TRUE, scope=read, sort=sort)
        return read

    def variable(self) -> str:
        if self.now.kind != "name":
            raise self.error(f"a variable is wanted, but {seen(self.now)}")
        return self.take().text

    # atoms and terms

    def equation(self) -> Formula:
        """An atom, or an equation whose left side starts here."""
        token = self.now
        left: Argument = self.description() if self.is_term_description() else self.head()
        if self.now.text in ("=", "!="):
            if isinstance(left, ast.Atom):
                if left.args:
                    raise self.error("`=` stands between two terms", "use `<->` between formulas")
                left = self.named(left.predicate)
            negated = self.take().text == "!="
            equal = expanded(ast.Equal(left, self.term()))
            return ast.Not(equal) if negated else equal
        if isinstance(left, Description):
            raise self.error("a description is a term; here a formula is wanted", "write `the x. (F, G)`", token)
        assert isinstance(left, ast.Atom)
        return expanded(left)

    def head(self) -> ast.Atom:
        name = self.take().text
        if self.now.text != "(":
            return ast.Atom(name)
        opening = self.take()
        args: list[Argument] = []
        if self.now.text == ")":
            raise self.error(f"`{name}()` has no arguments", f"a proposition is written `{name}`")
        args.append(self.argument())
        while self.now.text == ",":
            self.take()
            args.append(self.argument())
        self.close_formula(opening)
        return ast.Atom(name, tuple(args))

    def argument(self) -> Argument:
        if self.now.kind == "name" and self.next().text in (",", ")") and self.now.text not in ("true", "false"):
            return self.named(self.take().text)
        if self.is_term_description():
            after = self.tokens[self.closing[self.at + 3] + 1]
            if after.text in (",", ")"):
                return self.description()
        return self.formula()

    def term(self) -> Argument:
        if self.is_term_description():
            return self.description()
        if self.now.kind != "name":
            raise self.error(f"a term is wanted, but {seen(self.now)}")
        return self.named(self.take().text)

    def named(self, name: str) -> ast.Term:
        return Var(name) if name in self.bound or name.split(".", 1)[0] in self.bound else Const(name)


def _starts_formula(token: Token) -> bool:
    return token.kind == "name" and token.text != "here" or token.text in ("(", "~", "[", "\\")


def expand(formula: Formula) -> Formula:
    """The formula without descriptions as terms, each with scope over its atom or equation; for composed meanings."""

    def visit(node: Argument) -> Argument:
        node = ast.map_parts(visit, node)
        return expanded(node) if isinstance(node, (ast.Atom, ast.Equal)) else node

    return as_formula(visit(formula))


def expanded(atom: ast.Atom | ast.Equal) -> Formula:
    """The atom below the descriptions that are its arguments, the first with the widest scope, with distinct variables.

    `sees(the x. (A(x)), the x. (B(x)))` is `the x. (A(x), the x1. (B(x1), sees(x, x1)))`.
    """
    held = atom.args if isinstance(atom, ast.Atom) else (atom.left, atom.right)
    if not any(isinstance(arg, Description) for arg in held):
        return atom
    taken = set().union(*(names(arg) for arg in held if not isinstance(arg, Description)))
    for arg in held:
        if isinstance(arg, Description):
            taken |= set(free_variables(arg))
    plain: list[Argument] = []
    around: list[tuple[str, Formula]] = []
    for arg in held:
        if isinstance(arg, Description):
            variable = fresh(arg.variable, taken | (names(arg.body) - {arg.variable}))
            taken.add(variable)
            around.append((variable, substituted(arg.body, {arg.variable: Var(variable)})))
            plain.append(Var(variable))
        else:
            plain.append(arg)
    read: Formula = ast.Atom(atom.predicate, tuple(plain)) if isinstance(atom, ast.Atom) else ast.Equal(*plain)
    for variable, body in reversed(around):
        read = ast.Quantified(quantifier="the", variable=variable, restrictor=body, scope=read)
    return read
