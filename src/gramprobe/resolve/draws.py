"""The `draw` lines of a paradigm: names with their domains and skeletons."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from gramprobe.resolve.declarations import Category, Constructor, Grammar
from gramprobe.resolve.grammar import feature_values
from gramprobe.resolve.paradigm import Domain, Draw, Skeleton
from gramprobe.resolve.tree import Apply, Slot, Tree, nodes, put
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.syntax import tree as syntax


class _Endless(Exception):
    """A constructor leads back to a category above it; ``path`` holds the categories on the way."""

    def __init__(self, maker: str, path: tuple[str, ...]):
        self.maker, self.path = maker, path
        super().__init__(maker)


class DrawResolver:
    """Declares the draws; holds the names that the rest of the file is resolved with."""

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


def _slots(tree: Tree) -> list[Slot]:
    return [n for n in nodes(tree) if isinstance(n, Slot)]
