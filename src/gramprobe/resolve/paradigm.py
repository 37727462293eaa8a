"""A paradigm file to a :class:`Paradigm`: draws, conditions as typed trees, pairs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import Literal

from gramprobe.resolve.declarations import Category, Constructor, Grammar
from gramprobe.resolve.grammar import feature_values
from gramprobe.resolve.tree import Apply, Composite, Given, Slot, Tree, category_of, nodes, put, show
from gramprobe.resolve.where import comparable, kind_of
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.source.nearest import nearest
from gramprobe.source.span import Span
from gramprobe.syntax import tree as syntax

TASKS = ("nli",)
LABELS = ("entailment", "neutral", "contradiction")
SPLITS = ("train", "validation", "test")
#: what `allow` may name: the gates of :mod:`gramprobe.dataset.gates`
GATES = ("duplicates", "spelling", "articles", "leak")


@dataclass(frozen=True, slots=True)
class Domain:
    """What a slot may be filled with: indices of lexemes of its category, or of values of its feature."""

    slot: Slot
    members: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Skeleton:
    """One way to build a drawn tree: its constructors in order, the tree over its own slots, their domains."""

    constructors: tuple[str, ...]
    tree: Tree
    domains: tuple[Domain, ...]


@dataclass(frozen=True, slots=True)
class Draw:
    """One drawn variable. A lexeme or feature value has one skeleton, the bare slot."""

    name: str
    category: str
    skeletons: tuple[Skeleton, ...]
    named: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Constraint:
    """A condition of a ``where`` over trees: equality or difference of columns, or a declared relation."""

    kind: Literal["=", "!=", "relation"]
    relation: str
    operands: tuple[tuple[Tree, str | None], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Condition:
    """A named sentence of the paradigm, as a tree over slots."""

    name: str
    side: str
    tree: Tree
    reading: str | None
    span: Span
    reading_span: Span | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """Premise and hypothesis by name, with what the author claims of their label."""

    premise: str
    hypothesis: str
    expect: str | None
    tag: str
    via_failure: bool
    span: Span
    expect_span: Span | None

    @property
    def condition(self) -> str:
        return f"{self.premise}-{self.hypothesis}"


@dataclass(frozen=True, slots=True)
class Paradigm:
    """A paradigm with every name resolved."""

    name: str
    phenomenon: str
    about: str
    citation: str
    theory: str
    theory_span: Span
    task: str
    size: int
    split: str
    draws: tuple[Draw, ...]
    constraints: tuple[Constraint, ...]
    conditions: dict[str, Condition]
    pairs: tuple[Pair, ...]
    allows: dict[str, str]
    span: Span
    size_span: Span | None = None

    @property
    def full_name(self) -> str:
        return f"{self.phenomenon}/{self.name}"


def resolve_paradigm(
    line: syntax.Paradigm, phenomenon: str, stem: str, grammar: Grammar | None, findings: Findings
) -> Paradigm | None:
    """Resolve every name of the file; None when errors were found (``findings`` are this file's own).

    Without a grammar (there is no ``uses``) nothing can be looked up, and only the settings are checked.
    """
    findings.lost |= grammar.lost if grammar else frozenset()
    return _Resolver(line, grammar or Grammar(), findings).resolve(phenomenon, stem, grammar is not None)


class _Endless(Exception):
    """A constructor leads back to a category above it; ``path`` holds the categories on the way."""

    def __init__(self, maker: str, path: tuple[str, ...]):
        self.maker, self.path = maker, path
        super().__init__(maker)


class _Resolver:
    def __init__(self, line: syntax.Paradigm, grammar: Grammar, findings: Findings):
        self.line, self.grammar, self.findings = line, grammar, findings
        self.draws: dict[str, Draw] = {}
        self.lets: dict[str, syntax.Let] = {}
        self.trees: dict[str, Tree | None] = {}
        self.open: list[str] = []
        self.used: set[str] = set()
        self.failed: set[str] = set()  # names whose own line was told about: no second message
        self.around = ("", 0)  # the constructor around that lacks so many parts
        for broken in line.broken:
            self.failed.update(broken.names)
            self.used.update(broken.mentioned)

    def resolve(self, phenomenon: str, stem: str, has_grammar: bool) -> Paradigm | None:
        line, findings = self.line, self.findings
        self.settings(stem)
        if not has_grammar:
            return None
        for draw in line.draws:
            self.draw(draw)
        for let in line.lets:
            if let.name.text in self.lets or let.name.text in self.draws:
                findings.add(messages.declared_twice(let.name.span, f"`{let.name.text}`", None))
            self.lets[let.name.text] = let
        for let in line.lets:
            self.let(let.name.text)
        conditions = self.conditions()
        constraints = [c for d in line.draws for w in d.where for c in self.constraint(w)]
        constraints += [c for w in line.where for c in self.constraint(w)]
        pairs = self.pairs(conditions)
        for name, drawn in self.draws.items():
            if name not in self.used:
                findings.add(messages.unused(drawn.span, "draw", name))
        for name, let in self.lets.items():
            if name not in self.used:
                findings.add(messages.unused(let.name.span, "let", name))
        if findings.failed:
            return None
        settings = line.settings
        theory = settings["theory"]
        size = settings["size"][0] if settings.get("size") else None
        return Paradigm(
            line.name.text,
            phenomenon,
            _text(settings, "about"),
            _text(settings, "source"),
            theory[0].text,
            theory[0].span,
            "nli",
            int(size.text) if size else 100,
            _text(settings, "split") or "test",
            tuple(self.draws.values()),
            tuple(constraints),
            conditions,
            tuple(pairs),
            {a.gate.text: a.because.text for a in line.allows},
            line.name.span,
            size.span if size else None,
        )

    def settings(self, stem: str) -> None:
        """The lines of one value: what must be there, and what may stand in them."""
        line, findings, settings = self.line, self.findings, self.line.settings
        if line.name.text != stem:
            findings.add(messages.name_and_file_differ(line.name.span, "paradigm", line.name.text, stem))
        for key in ("theory", "uses"):
            if not settings.get(key):
                findings.add(messages.missing_line(line.name.span, key, line.name.text))
        headings = {c.heading for c in line.conditions}
        if headings == {"premise"} and not any(b.keyword == "hypothesis" for b in line.broken):
            findings.add(messages.missing_line(line.conditions[-1].name.span, "hypothesis", line.name.text))
        for key, known in (("task", TASKS), ("split", SPLITS)):
            for word in settings.get(key, ()):
                if word.text not in known:
                    findings.add(messages.unknown_name(word.span, key, word.text, known))
        for word in settings.get("size", ()):
            if int(word.text) < 1:
                findings.add(messages.no_size(word.span))
        for allow in line.allows:
            if allow.gate.text not in GATES:
                findings.add(messages.unknown_name(allow.gate.span, "gate", allow.gate.text, GATES))

    # -- draws

    def draw(self, line: syntax.Draw) -> None:
        grammar, category = self.grammar, line.category
        self.failed.update(n.text for n in line.names if n.text not in self.draws)
        known = [*grammar.categories, *grammar.features]
        if category.text not in known:
            self.findings.add(messages.unknown_name(category.span, "category or feature", category.text, known))
            return
        makers: list[Constructor] = []
        for name in line.by:
            if name.text not in grammar.constructors:
                self.findings.add(messages.unknown_name(name.span, "constructor", name.text, grammar.constructors))
                return
            makers.append(grammar.constructors[name.text])
        for name in line.names:
            if name.text in self.draws:
                self.findings.add(messages.declared_twice(name.span, f"draw `{name.text}`", self.draws[name.text].span))
                continue
            skeletons = self.skeletons(name, line, makers)
            if not skeletons:
                return  # what is wrong with the domain is wrong for every name of the line
            self.failed.discard(name.text)
            self.draws[name.text] = Draw(name.text, category.text, tuple(skeletons), len(makers) > 1, name.span)

    def skeletons(self, name: syntax.Word, line: syntax.Draw, makers: list[Constructor]) -> list[Skeleton] | None:
        category, grammar = line.category.text, self.grammar
        if category in grammar.features or grammar.categories[category].lexical:
            if makers:
                self.findings.add(messages.by_on_words(line.by[0].span, category))
                return None
            slot = Slot(name.text, category, category in grammar.features)
            members = self.members(slot, line.restrictions, name)
            return None if members is None else [Skeleton((), slot, (Domain(slot, members),))]
        if not makers:
            names = [c.name for c in grammar.makers(category)]
            self.findings.add(messages.draw_needs_by(line.category.span, category, names))
            return None
        if line.restrictions:
            self.findings.add(messages.restriction_on_trees(line.restrictions[0].values[0].span, category))
            return None
        found: list[Skeleton] = []
        try:
            for constructors, tree in self.grow(category, "", makers, (), line):
                label = "+".join(constructors)
                many = f"{name.text}:{label}" if len(makers) > 1 else name.text
                renamed = put(tree, {s.name: Slot(f"{many}{s.name}", s.category, s.is_feature) for s in _slots(tree)})
                domains = tuple(Domain(s, self.everything(s)) for s in _slots(renamed))
                found.append(Skeleton(constructors, renamed, domains))
        except _Endless as error:
            place = next(w.span for w in line.by if w.text == error.maker)
            self.findings.add(messages.endless(place, name.text, error.maker, error.path))
            return None
        missing = [w for w in line.by if not any(w.text in s.constructors for s in found)]
        for word in missing:
            self.findings.add(messages.useless_by(word.span, word.text, category))
        return found

    def grow(
        self, category: str, path: str, makers: list[Constructor], above: tuple[str, ...], line: syntax.Draw
    ) -> list[tuple[tuple[str, ...], Tree]]:
        """Every tree of the category by the named constructors; raises _Endless when one recurs."""
        grammar = self.grammar
        if category in grammar.features:
            return [((), Slot(path, category, True))]
        if grammar.categories[category].lexical:
            return [((), Slot(path, category, False))]

        found: list[tuple[tuple[str, ...], Tree]] = []
        fitting = [m for m in makers if m.result == category]
        if not fitting:
            self.findings.add(
                messages.nothing_builds(line.by[-1].span, category, [c.name for c in grammar.makers(category)])
            )
        for maker in fitting:
            for argument in maker.arguments:
                if argument.category in (*above, category):
                    raise _Endless(maker.name, (*above, category, argument.category))
            parts = [
                self.grow(a.category, f"{path}.{a.name}", makers, (*above, category), line) for a in maker.arguments
            ]
            for combination in product(*parts):
                names = (maker.name, *(n for inner, _ in combination for n in inner))
                found.append((names, Apply(maker, tuple(tree for _, tree in combination), line.category.span)))
        return found

    def everything(self, slot: Slot) -> tuple[int, ...]:
        if slot.is_feature:
            return tuple(range(len(self.grammar.features[slot.category].values)))
        return tuple(range(len(self.grammar.categories[slot.category].lexemes)))

    def members(
        self, slot: Slot, restrictions: tuple[syntax.Restriction, ...], name: syntax.Word
    ) -> tuple[int, ...] | None:
        members = list(self.everything(slot))
        if not slot.is_feature and not members and f"{slot.category} words" in self.findings.lost:
            self.findings.muted = True
            return None
        before = len(self.findings.items)
        for restriction in restrictions:
            if slot.is_feature:
                feature = self.grammar.features[slot.category]
                if restriction.feature is not None:
                    self.findings.add(
                        messages.unknown_feature(restriction.feature.span, slot.category, restriction.feature.text, ())
                    )
                    return None
                allowed = feature_values(restriction.values, feature, self.findings)
                members = [m for m in members if feature.values[m] in allowed]
                continue
            category = self.grammar.categories[slot.category]
            if restriction.feature is None:
                lexemes = {x.id: x.index for x in category.lexemes}
                for value in restriction.values:
                    if value.text not in lexemes:
                        told = messages.unknown_name(value.span, slot.category, value.text, lexemes)
                        having = [k for k, c in category.columns.items() if value.text in self.values_of(c.type)]
                        having += [k for k in category.features if value.text in self.values_of(k)]
                        hint = f"write `{having[0]}={value.text}`" if having else told.help
                        self.findings.add(replace(told, help=hint))
                members = [m for m in members if category.lexemes[m].id in {v.text for v in restriction.values}]
                continue
            found = self.restricted(category, restriction, members)
            if found is None:
                return None
            members = found
        if len(self.findings.items) > before or self.findings.lost & {f"{slot.category} words"}:
            return tuple(members) or None
        if not members:
            self.findings.add(messages.empty_domain(name.span, name.text, slot.category))
            return None
        return tuple(members)

    def values_of(self, feature: str) -> tuple[str, ...]:
        """The values and groups of a feature; none of what is no feature."""
        found = self.grammar.features.get(feature)
        return (*found.values, *found.groups) if found else ()

    def restricted(self, category: Category, restriction: syntax.Restriction, members: list[int]) -> list[int] | None:
        assert restriction.feature is not None
        column = restriction.feature.text
        if column == category.form_feature:
            self.findings.add(messages.form_is_asked(restriction.feature.span, category.name, column))
            return None
        if column not in category.known:
            known = [k for k in category.known if k != category.form_feature]
            self.findings.add(messages.unknown_feature(restriction.feature.span, category.name, column, known))
            return None
        type_ = category.columns[column].type if column in category.columns else column
        if type_ in self.grammar.features:
            allowed: tuple[str, ...] = feature_values(restriction.values, self.grammar.features[type_], self.findings)
        else:
            allowed = tuple(v.text for v in restriction.values)
        if column in category.fixed:
            return members if set(category.fixed[column]) & set(allowed) else []
        cells = {m: category.lexemes[m].columns[column] for m in members}
        return [m for m, c in cells.items() if (set(c) if isinstance(c, tuple) else {str(c)}) & set(allowed)]

    # -- terms

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

    def term(
        self, term: syntax.Term, wanted: str | None, asker: tuple[str, int, int] | None = None
    ) -> Tree | None:
        """A term to a tree of the wanted category (None: any); ``asker`` is the constructor it is a part of."""
        tree = self.reference(term, wanted) if term.arguments is None else self.application(term)
        if tree is None or wanted is None:
            return tree
        got = category_of(tree)
        if got != wanted:
            wraps = self.wraps(got, wanted)
            self.findings.add(messages.wrong_category(term.span, wanted, got, wraps, _shown(term), asker))
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
                hint = messages.bracket_hint(_shown(given[len(wanted) - 1]), fitting)
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

    # -- conditions and pairs

    def conditions(self) -> dict[str, Condition]:
        found: dict[str, Condition] = {}
        shown: dict[str, str] = {}
        for line in self.line.conditions:
            name = line.name
            tree = self.sentence(line)
            redraws = self.redraws(line, tree)
            if name.text in found or name.text in self.failed:
                if name.text in found:
                    told = messages.declared_twice(name.span, f"condition `{name.text}`", found[name.text].span)
                    self.findings.add(told)
                continue
            if tree is None or redraws is None:
                self.failed.add(name.text)
                continue
            tree = put(tree, redraws)
            words = show(tree)
            if words in shown:
                self.findings.add(messages.same_words(name.span, name.text, shown[words]))
            shown.setdefault(words, name.text)
            reading = line.reading
            found[name.text] = Condition(
                name.text,
                line.heading,
                tree,
                reading.text if reading else None,
                name.span,
                reading.span if reading else None,
            )
        return found

    def sentence(self, line: syntax.ConditionLine) -> Tree | None:
        """The tree of a condition before anything is redrawn; it is one of the categories of sentences."""
        tree = self.term(line.term, None)
        if tree is None or category_of(tree) in self.grammar.sentences:
            return tree
        if "sentence" in self.findings.lost:
            self.findings.muted = True
            return None
        if not self.grammar.sentences:
            self.findings.add(messages.no_sentences(self.line.settings["uses"][0].span))
            return None
        got, sentences = category_of(tree), tuple(self.grammar.sentences)
        wraps = self.wraps(got, *sentences)
        wanted = " or ".join(sentences)
        self.findings.add(messages.wrong_category(line.term.span, wanted, got, wraps, _shown(line.term)))
        return None

    def redraws(self, line: syntax.ConditionLine, tree: Tree | None) -> dict[str, Tree] | None:
        """What ``with`` puts in the place of draws; None when something is wrong with it."""
        found: dict[str, Tree] = {}
        ok = True
        for name, term in line.redraws:
            if name.text not in self.draws:
                ok = False
                if name.text not in self.failed:
                    self.findings.add(messages.unknown_name(name.span, "draw", name.text, self.draws))
                continue
            if name.text in found:
                self.findings.add(messages.declared_twice(name.span, f"`{name.text}` in this `with`", None))
            wanted = self.draws[name.text].category
            new = self.term(term, None if _is_known(term, self) else wanted)
            if new is not None and category_of(new) != wanted:
                self.findings.add(messages.wrong_redraw(term.span, name.text, wanted, category_of(new)))
                new = None
            if new is None:
                ok = False
                continue
            found[name.text] = new
            there = tree is None or any(isinstance(n, Slot | Composite) and n.name == name.text for n in nodes(tree))
            if not there:
                self.findings.add(messages.useless_redraw(name.span, name.text))
                ok = False
        return found if ok else None

    def constraint(self, line: syntax.Condition) -> list[Constraint]:
        operands: list[tuple[Tree, str | None]] = []
        for operand in line.operands:
            found = self.operand(operand, line)
            if found is None:
                return []
            operands.append(found)
        if line.kind == "relation":
            assert line.name is not None
            if line.name.text == "distinct" and len(operands) < 2:
                self.findings.add(messages.too_few_to_differ(line.span))
                return []
            if line.name.text == "distinct":
                pairs = [(a, b) for i, a in enumerate(operands) for b in operands[i + 1 :]]
                return [Constraint("!=", "", pair, line.span) for pair in pairs]
            if line.name.text not in self.grammar.relations:
                known = [*self.grammar.relations, "distinct"]
                self.findings.add(messages.unknown_name(line.name.span, "relation", line.name.text, known))
                return []
            if len(operands) != 2:
                self.findings.add(messages.relates_two(line.span, line.name.text, len(operands)))
                return []
            if relation_for(line.name.text, [category_of(t) for t, _ in operands], self.grammar) is None:
                got = [category_of(t) for t, _ in operands]
                self.findings.add(messages.relation_misfit(line.span, line.name.text, got, self.grammar))
                return []
            return [Constraint("relation", line.name.text, tuple(operands), line.span)]
        kinds = [
            None if isinstance(tree, Given) and not tree.category else kind_of(category_of(tree), column, self.grammar)
            for tree, column in operands
        ]
        if not comparable(line, (kinds[0], kinds[1]), self.grammar, self.findings, [*self.draws, *self.lets]):
            return []
        other = next((k for k in kinds if k in self.grammar.features), "")
        both = tuple((replace(x, category=other) if isinstance(x, Given) else x, column) for x, column in operands)
        return [Constraint(line.kind, "", both, line.span)]

    def operand(self, operand: syntax.Operand, line: syntax.Condition) -> tuple[Tree, str | None] | None:
        name = operand.name.text
        if name in self.failed:
            return None
        if name in self.draws or name in self.lets:
            tree = self.reference(syntax.Term(operand.name, None, None, operand.name.span), None)
            if tree is None:
                return None
            if operand.column is None:
                return tree, None
            got = category_of(tree)
            known = self.grammar.categories[got].known if got in self.grammar.categories else ()
            if known and operand.column.text == self.grammar.categories[got].form_feature:
                self.findings.add(messages.form_is_asked(operand.column.span, got, operand.column.text))
                return None
            if operand.column.text not in known:
                self.findings.add(messages.unknown_feature(operand.column.span, got, operand.column.text, known))
                return None
            return tree, operand.column.text
        values = [v for f in self.grammar.features.values() for v in (*f.values, *f.groups)]
        lexemes = [x.id for c in self.grammar.categories.values() for x in c.lexemes]
        beside = [o.name.text for o in line.operands if o is not operand]
        anything = [*self.draws, *self.lets, *self.failed]
        if line.kind != "relation" and operand.column is None and (
            name in values or name in lexemes or (beside and beside[0] in anything and nearest(name, anything) is None)
        ):
            return Given(name, "", True), None
        self.findings.add(
            messages.unknown_name(operand.name.span, "draw or value", name, [*self.draws, *self.lets, *values])
        )
        return None

    def pairs(self, conditions: dict[str, Condition]) -> list[Pair]:
        found: list[Pair] = []
        seen: dict[tuple[str, str], Span] = {}
        counts: list[tuple[int, int]] = []
        sides = {side: [c.name for c in conditions.values() if c.side == side] for side in ("premise", "hypothesis")}
        for line in self.line.pairs:
            if line.expect is not None and line.expect.text not in LABELS:
                self.findings.add(messages.unknown_name(line.expect.span, "label", line.expect.text, LABELS))
            if line.via is not None and line.via.text != "failure":
                self.findings.add(messages.unknown_name(line.via.span, "`via`", line.via.text, ["failure"]))
            premises = self.named(line.premises, sides["premise"], conditions)
            hypotheses = self.named(line.hypotheses, sides["hypothesis"], conditions)
            counts.append((line.span.line, len(premises) * len(hypotheses)))
            twice: dict[int, list[str]] = {}
            for premise in premises:
                for hypothesis in hypotheses:
                    if (premise, hypothesis) in seen:
                        twice.setdefault(seen[premise, hypothesis].line, []).append(f"{premise} => {hypothesis}")
                        continue
                    seen[premise, hypothesis] = line.span
                    found.append(
                        Pair(
                            premise,
                            hypothesis,
                            line.expect.text if line.expect else None,
                            line.tag.text if line.tag else "target",
                            line.via is not None,
                            line.span,
                            line.expect.span if line.expect else None,
                        )
                    )
            for before, names in twice.items():
                self.findings.add(messages.pair_twice(line.span, names, before))
        in_pairs = {n for p in found for n in (p.premise, p.hypothesis)}
        idle = [c for c in conditions.values() if c.name not in in_pairs]
        claimed = self.line.settings.get("yields", ())
        total = sum(n for _, n in counts)
        failed = self.findings.failed
        if claimed and int(claimed[0].text) != total and not failed:
            self.findings.add(
                messages.yields(
                    claimed[0].span,
                    int(claimed[0].text),
                    total,
                    counts,
                    [(c.name, c.side, c.span.line) for c in idle],
                )
            )
        elif not failed and self.line.pairs:
            for condition in idle:
                self.findings.add(messages.unused(condition.span, condition.side, condition.name))
        if not self.line.pairs:
            self.findings.add(messages.missing_line(self.line.name.span, "pair", self.line.name.text))
        return found

    def named(self, words: tuple[syntax.Word, ...], side: list[str], conditions: dict[str, Condition]) -> list[str]:
        names: list[str] = []
        for word in words:
            if word.text == "any":
                names.extend(side)
            elif word.text in conditions:
                names.append(word.text)
            elif word.text not in self.failed:
                self.findings.add(messages.unknown_name(word.span, "condition", word.text, [*conditions, "any"]))
        return names


def relation_for(name: str, categories: list[str], grammar: Grammar) -> tuple[str, str] | None:
    """The columns that the declared relation compares for operands of these categories."""
    if len(categories) != 2:
        return None
    for relation in grammar.relations[name]:
        if [relation.left[0], relation.right[0]] == categories:
            return relation.left[1], relation.right[1]
    return None


def _is_known(term: syntax.Term, resolver: _Resolver) -> bool:
    """Whether a term has a category of its own: values and words have one only where it is wanted."""
    name = term.name.text
    return term.arguments is not None or name in resolver.draws or name in resolver.lets


def _shown(term: syntax.Term) -> str:
    """A term in a few characters: ``c``, ``a.gen``, ``Does(...)``."""
    if term.arguments is not None:
        return f"{term.name.text}(...)" if term.arguments else f"{term.name.text}()"
    return f"{term.name.text}.{term.column.text}" if term.column else term.name.text


def _slots(tree: Tree) -> list[Slot]:
    return [n for n in nodes(tree) if isinstance(n, Slot)]


def _text(settings: dict[str, tuple[syntax.Word, ...]], key: str) -> str:
    return settings[key][0].text if settings.get(key) else ""
