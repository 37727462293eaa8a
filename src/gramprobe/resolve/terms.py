"""The terms of a paradigm: `let` lines and the trees of conditions, checked against the constructors' categories."""

from __future__ import annotations

from gramprobe.resolve.draws import DrawResolver
from gramprobe.resolve.tree import Apply, Composite, Given, Slot, Tree, category_of, show
from gramprobe.source import messages
from gramprobe.syntax import tree as syntax


class TermResolver(DrawResolver):
    """Looks terms up among draws, lets and constructors."""

    def let(self, name: str) -> Tree | None:
        """The tree of a ``let``; one that mentions itself is an error."""
        if name in self.trees:
            return self.trees[name]
        line = self.lets[name]
        if name in self.open:
            self.findings.add(messages.circle(line.name.span, "let", (*self.open[self.open.index(name) :], name)))
            self.trees[name] = None
            return None
        self.open.append(name)
        tree = self.term(line.term, None)
        self.open.pop()
        self.trees.setdefault(name, tree)
        return self.trees[name]

    def term(self, term: syntax.Term, wanted: str | None, asker: tuple[str, int, int] | None = None) -> Tree | None:
        """A term to a tree of the wanted category (None: any); ``asker`` is the constructor it is a part of."""
        tree = self.reference(term, wanted) if term.arguments is None else self.application(term)
        if tree is None or wanted is None:
            return tree
        got = category_of(tree)
        if got != wanted:
            wraps = self.wraps(got, wanted)
            self.findings.add(messages.wrong_category(term.span, wanted, got, wraps, shown(term), asker))
            return None
        return tree

    def wraps(self, got: str, *wanted: str) -> list[str]:
        """The constructors that make one of the wanted categories of what was got, and of nothing else."""
        makers = (c for category in wanted for c in self.grammar.makers(category))
        return [c.name for c in makers if [a.category for a in c.arguments] == [got]]

    def reference(self, term: syntax.Term, wanted: str | None) -> Tree | None:
        name, grammar = term.name.text, self.grammar
        if name in self.failed:
            return None
        if name in self.draws:
            self.used.add(name)
            draw = self.draws[name]
            whole: Tree = (
                draw.skeletons[0].tree if not draw.skeletons[0].constructors else Composite(name, draw.category)
            )
            if term.column is None:
                return whole
            return self.column(whole, term.column)
        if name in self.lets:
            self.used.add(name)
            return self.let(name)
        if name in grammar.constructors:
            return self.application(term)
        if wanted in grammar.features and name in grammar.features[wanted].values:
            return Given(name, wanted, True)
        if wanted in grammar.categories and grammar.categories[wanted].lexical and grammar.lexeme(wanted, name):
            return Given(name, wanted, False)
        known = [*self.draws, *self.lets, *grammar.constructors]
        if wanted in grammar.features:
            known += grammar.features[wanted].values
        what = "draw, let or constructor"
        if wanted in grammar.categories and grammar.categories[wanted].lexical:
            known += grammar.categories[wanted].by_id
            what = f"draw, let, constructor or {wanted}"
        self.findings.add(messages.unknown_name(term.name.span, what, name, known))
        return None

    def column(self, tree: Tree, word: syntax.Word) -> Tree | None:
        if not isinstance(tree, Slot) or tree.is_feature:
            self.findings.add(messages.no_column(word.span, show(tree)))
            return None
        category = self.grammar.categories[tree.category]
        column = category.columns.get(word.text)
        if column is not None and not column.is_set and column.type in self.grammar.categories:
            return Slot(tree.name, column.type, False, word.text)
        type_ = column.type if column is not None and not column.is_set else word.text
        if type_ in self.grammar.features and word.text in category.known and word.text != category.form_feature:
            return Slot(tree.name, type_, True, word.text)
        self.findings.add(messages.unknown_feature(word.span, category.name, word.text, category.known))
        return None

    def application(self, term: syntax.Term) -> Tree | None:
        constructor = self.grammar.constructors.get(term.name.text)
        given = term.arguments or ()
        if constructor is None:
            self.findings.add(messages.unknown_constructor(term.name.span, term.name.text, self.grammar))
            for argument in given:
                self.term(argument, None)
            return None
        wanted = [a.category for a in constructor.arguments]
        if len(given) != len(wanted):
            lacking, around = len(wanted) - len(given), self.around
            self.around = (constructor.name, lacking)
            got = [category_of(t) if (t := self.term(a, None)) is not None else "?" for a in given]
            self.around = ("", 0)
            if self.swallowed(given, lacking):
                return None  # told at the part that holds what is missing here
            hint = ""
            if lacking < 0 < len(wanted) and got[: len(wanted)] == wanted:
                fitting = [constructor.name, *([around[0]] if around[1] == -lacking else [])]
                hint = messages.bracket_hint(shown(given[len(wanted) - 1]), fitting)
            self.findings.add(messages.wrong_arity(term.name.span, constructor, wanted, got, hint))
            return None
        of = len(wanted)
        trees = []
        for number, (argument, category) in enumerate(zip(given, wanted, strict=True), 1):
            trees.append(self.term(argument, category, (constructor.name, number, of)))
        if any(t is None for t in trees):
            return None
        return Apply(constructor, tuple(t for t in trees if t is not None), term.span)

    def swallowed(self, given: tuple[syntax.Term, ...], lacking: int) -> bool:
        """Whether the last part has just as many parts too many as are lacking around it."""
        last = given[-1] if given and lacking > 0 else None
        if last is None or last.arguments is None or last.name.text not in self.grammar.constructors:
            return False
        return len(last.arguments) - len(self.grammar.constructors[last.name.text].arguments) == lacking


def is_known(term: syntax.Term, resolver: TermResolver) -> bool:
    """Whether a term has a category of its own: values and words have one only where it is wanted."""
    name = term.name.text
    return term.arguments is not None or name in resolver.draws or name in resolver.lets


def shown(term: syntax.Term) -> str:
    """A term in a few characters: ``c``, ``a.gen``, ``Does(...)``."""
    if term.arguments is not None:
        return f"{term.name.text}(...)" if term.arguments else f"{term.name.text}()"
    return f"{term.name.text}.{term.column.text}" if term.column else term.name.text
