"""The `draw` lines of a paradigm: names with their domains and skeletons; and the `carry` lines, columns of drawn words
that rows repeat.

The ``each ... at most`` lines say how often a word, or a value of a column, may be drawn.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import prod

from gramprobe.resolve.grammar.categories import feature_values
from gramprobe.resolve.grammar.data import Category, Constructor, Grammar
from gramprobe.resolve.names import require_column, require_known, require_new
from gramprobe.resolve.paradigm.data import Carried, Domain, Draw, Limit, Skeleton
from gramprobe.resolve.paradigm.terms import Environment, expanded, here
from gramprobe.resolve.tree import Apply, Origin, Slot, Tree, category_of, nodes, origin, put
from gramprobe.source import messages
from gramprobe.source.diagnostic import Span
from gramprobe.syntax import paradigm_tree as syntax
from gramprobe.syntax.tree import Word

MOST_TREES = 2_000
"""In how many ways the constructors after `by` may build a phrase."""

MOST_DEEP = 30
"""How often a category may stand inside itself."""


class _Overgrown(Exception):
    """There are more than :data:`MOST_TREES` ways to build a phrase."""


class _Endless(Exception):
    """A constructor leads back to a category above it; ``path`` holds the categories on the way."""

    def __init__(self, maker: str, path: tuple[str, ...]):
        self.maker, self.path = maker, path
        super().__init__(maker)


def resolve_draw(line: syntax.Draw, env: Environment) -> None:
    """Declare the names of a ``draw`` line; its mistakes are reported."""
    grammar, category = env.grammar, line.category
    env.failed.update(n.text for n in line.names if n.text not in env.draws)
    known = [*grammar.categories, *grammar.features]
    made = grammar.constructors.get(category.text)
    if made is not None and category.text not in known:
        env.findings.add(messages.names.no_category_but_constructor(category.span, made.name, made.result))
        return
    if not require_known(category, known, "category or feature", env.findings):
        return
    makers: list[Constructor] = []
    for name in line.by:
        if name.text in grammar.former:
            env.findings.add(messages.names.unknown_constructor(name.span, name.text, grammar))
            return
        builders = {**grammar.constructors, **{n: each.chooser for n, each in grammar.definitions.items()}}
        if not require_known(name, builders, "constructor", env.findings):
            return
        makers.append(builders[name.text])
    for name in line.names:
        if not require_new(name, env.draws, "draw", env.findings):
            continue
        before = len(env.findings.items)
        skeletons = _skeletons(name, line, makers, env)
        if len(env.findings.items) > before:
            env.doubtful.add(name.text)
        if not skeletons:
            return  # a mistake in the domain is a mistake for every name of the line
        env.failed.discard(name.text)
        env.draws[name.text] = Draw(name.text, category.text, tuple(skeletons), len(makers) > 1, name.span)


def _skeletons(name: Word, line: syntax.Draw, makers: list[Constructor], env: Environment) -> list[Skeleton] | None:
    """The ways to fill a draw; None, with a diagnostic, if its domain has a mistake."""
    category, grammar = line.category.text, env.grammar
    if category in grammar.features or grammar.categories[category].lexical:
        if makers:
            env.findings.add(messages.paradigm.by_on_words(line.by[0].span, category))
            return None
        slot = Slot(name.text, category, category in grammar.features)
        members = members_of(slot, line.restrictions, name, env)
        return None if members is None else [Skeleton((), slot, (Domain(slot, members),))]
    if not makers:
        names = [c.name for c in grammar.makers(category)]
        env.findings.add(messages.paradigm.draw_needs_by(line.category.span, category, names))
        return None
    if line.restrictions:
        env.findings.add(messages.paradigm.restriction_on_trees(line.restrictions[0].values[0].span, category))
        return None
    skeletons: list[Skeleton] = []
    try:
        if _depth(line) > MOST_DEEP:
            raise _Overgrown
        for constructors, tree in _grow(category, "", makers, (), line, env):
            label = "+".join(constructors)
            many = f"{name.text}:{label}" if len(makers) > 1 else name.text
            renamed = put(tree, {s.name: Slot(f"{many}{s.name}", s.category, s.is_feature) for s in _slots(tree)})
            domains = tuple(Domain(s, _everything(s, grammar)) for s in _slots(renamed))
            skeletons.append(Skeleton(constructors, renamed, domains))
    except _Endless as error:
        place = next(w.span for w in line.by if w.text == error.maker)
        env.findings.add(messages.paradigm.endless(place, name.text, error.maker, error.path))
        return None
    except _Overgrown:
        place = line.depth.span if line.depth is not None else line.by[0].span
        env.findings.add(messages.paradigm.too_many_trees(place, name.text, MOST_TREES))
        return None
    missing = [w for w in line.by if skeletons and not any(w.text in s.constructors for s in skeletons)]
    for word in missing:
        env.findings.add(messages.paradigm.useless_by(word.span, word.text, category))
    return skeletons


def _depth(line: syntax.Draw) -> int:
    return int(line.depth.text) if line.depth is not None else 0


def _grow(
    category: str, path: str, makers: list[Constructor], above: tuple[str, ...], line: syntax.Draw, env: Environment
) -> list[tuple[tuple[str, ...], Tree]]:
    """Every tree of the category by the named constructors, with their names; raises _Endless if a category recurs.

    ``path`` names the slots of the tree: `.subject.noun` for the noun of the subject.
    """
    grammar = env.grammar
    if category in grammar.features:
        return [((), Slot(path, category, True))]
    if grammar.categories[category].lexical:
        return [((), Slot(path, category, False))]

    trees: list[tuple[tuple[str, ...], Tree]] = []
    fitting = [m for m in makers if m.result == category]
    if not fitting:
        env.findings.add(
            messages.paradigm.nothing_builds(line.by[-1].span, category, [c.name for c in grammar.makers(category)])
        )
    for maker in fitting:
        outside = (*above, category)
        again = next((a for a in maker.declared if a.category in outside), None)
        if again is not None and line.depth is None:
            raise _Endless(maker.name, (*outside, again.category))
        if any(outside.count(a.category) > _depth(line) for a in maker.declared):
            continue
        parts = [_grow(a.category, f"{path}.{a.name}", makers, (*above, category), line, env) for a in maker.given]
        if len(trees) + prod(map(len, parts)) > MOST_TREES:
            raise _Overgrown
        for combination in product(*parts):
            names = (maker.name, *(n for inner, _ in combination for n in inner))
            tree = _made(maker, tuple(part for _, part in combination), line.category.span, env)
            if tree is not None:
                trees.append((names, tree))
    return trees


def _made(maker: Constructor, parts: tuple[Tree, ...], span: Span, env: Environment) -> Tree | None:
    """What a constructor or a definition makes of the parts. Ids have its name: a definition stays around it."""
    definition = env.grammar.definitions.get(maker.name)
    if definition is None:
        return Apply(here(maker, env), maker.filled(parts), span)
    tree = expanded(definition, parts, env, span)
    if tree is None or (isinstance(tree, Apply) and tree.constructor.name == maker.name):
        return tree
    return Apply(definition.holder, (*parts, tree), span)


def _everything(slot: Slot, grammar: Grammar) -> tuple[int, ...]:
    """All lexemes or values of a slot, by their numbers."""
    if slot.is_feature:
        return tuple(range(len(grammar.features[slot.category].values)))
    return tuple(range(len(grammar.categories[slot.category].lexemes)))


def members_of(
    slot: Slot, restrictions: tuple[syntax.Restriction, ...], name: Word, env: Environment
) -> tuple[int, ...] | None:
    """The members of a slot's domain that satisfy the restrictions; None, with a diagnostic, if there is a mistake."""
    members = list(_everything(slot, env.grammar))
    if not slot.is_feature and not members and f"{slot.category} words" in env.findings.unread:
        env.findings.muted = True
        return None
    before = len(env.findings.items)
    for restriction in restrictions:
        if slot.is_feature:
            feature = env.grammar.features[slot.category]
            if restriction.feature is not None:
                require_column(restriction.feature, slot.category, (), env.findings)
                return None
            allowed = feature_values(restriction.values, feature, env.findings)
            members = [m for m in members if feature.values[m] in allowed]
            continue
        category = env.grammar.categories[slot.category]
        if restriction.feature is None:
            lexemes = {x.id: x.index for x in category.lexemes}
            for value in restriction.values:
                if value.text not in lexemes:
                    unknown = messages.names.unknown_name(value.span, slot.category, value.text, lexemes)
                    having = [k for k, c in category.columns.items() if value.text in _values_of(c.type, env.grammar)]
                    having += [k for k in category.features if value.text in _values_of(k, env.grammar)]
                    hint = f"write `{having[0]}={value.text}`" if having else unknown.help
                    env.findings.add(replace(unknown, help=hint))
            members = [m for m in members if category.lexemes[m].id in {v.text for v in restriction.values}]
            continue
        restricted = _restricted(category, restriction, members, env)
        if restricted is None:
            return None
        members = restricted
    if len(env.findings.items) > before or env.findings.unread & {f"{slot.category} words"}:
        return tuple(members) or None
    if not members:
        named = [value.text for each in restrictions if each.feature is None for value in each.values]
        words = named if len(restrictions) > 1 and all(each.feature is None for each in restrictions) else ()
        env.findings.add(messages.paradigm.empty_domain(name.span, name.text, slot.category, words))
        return None
    return tuple(members)


def _values_of(name: str, grammar: Grammar) -> tuple[str, ...]:
    """The values and groups of a feature; empty for a name that is not a feature."""
    feature = grammar.features.get(name)
    return (*feature.values, *feature.groups) if feature else ()


def _restricted(
    category: Category, restriction: syntax.Restriction, members: list[int], env: Environment
) -> list[int] | None:
    """The members with one of the values in a column; None, with a diagnostic, for an unknown column."""
    assert restriction.feature is not None
    column = restriction.feature.text
    if column in category.form_features:
        env.findings.add(messages.label.form_is_asked(restriction.feature.span, category.name, column))
        return None
    known = [each for each in category.known if each not in category.form_features]
    if not require_column(restriction.feature, category.name, known, env.findings):
        return None
    type_ = category.columns[column].type if column in category.columns else column
    if type_ in env.grammar.features:
        allowed: tuple[str, ...] = feature_values(restriction.values, env.grammar.features[type_], env.findings)
    else:
        allowed = tuple(v.text for v in restriction.values)
        words = env.grammar.categories[type_].by_id if type_ in env.grammar.categories else {}
        unknown = [not require_known(value, words, type_, env.findings) for value in restriction.values if words]
        if any(unknown):
            return None
    if column in category.fixed:
        return members if set(category.fixed[column]) & set(allowed) else []
    cells = {m: category.lexemes[m].columns[column] for m in members}
    return [m for m, c in cells.items() if (set(c) if isinstance(c, tuple) else {str(c)}) & set(allowed)]


def _slots(tree: Tree) -> list[Slot]:
    return list(dict.fromkeys(n for n in nodes(tree) if isinstance(n, Slot)))


# ---- columns of drawn words that rows repeat ------------------------------------------------------------------------


def resolve_carried(line: syntax.Paradigm, env: Environment) -> tuple[Carried, ...]:
    """The columns, in order, each with its draw; a name that is no column of a draw is reported.

    ``carry freq`` is about every draw of words with this column, ``carry noun.freq`` about one draw.
    """
    carried: dict[Carried, None] = {}
    for operand in line.carried:
        name = operand.name.text
        if operand.column is None:
            having = [draw for draw in env.draws.values() if has_column(draw, name, env.grammar)]
            column = operand.name
        elif name in env.draws:
            column = operand.column
            having = [draw for draw in (env.draws[name],) if has_column(draw, column.text, env.grammar)]
        else:
            if name not in env.failed:
                require_known(operand.name, env.draws, "draw", env.findings)
            continue
        if not having and not env.failed:
            about = list(env.draws.values()) if operand.column is None else [env.draws[name]]
            known = sorted(c for c in _columns(env.grammar) if any(has_column(draw, c, env.grammar) for draw in about))
            env.findings.add(messages.paradigm.no_column_to_carry(column.span, operand.text, known))
        carried.update((Carried(draw.name, column.text), None) for draw in having)
    return tuple(carried)


def has_column(draw: Draw, column: str, grammar: Grammar) -> bool:
    """Whether what is drawn, or its head word, has a column."""
    return any(source_of(skeleton, column, grammar) is not None for skeleton in draw.skeletons)


def source_of(skeleton: Skeleton, column: str, grammar: Grammar) -> Origin | None:
    """Where the column of a drawn phrase comes from: its head word, or a value that is fixed; None if it has none."""
    category = grammar.categories.get(category_of(skeleton.tree))
    if category is None or (category.lexical and column not in category.known) or column not in _columns(grammar):
        return None
    source = origin(skeleton.tree, column, grammar)
    of_a_word = source.slot is not None and source.column is not None
    return source if of_a_word or source.constant is not None else None


def _columns(grammar: Grammar) -> set[str]:
    """The names of columns that words have."""
    return {name for category in grammar.categories.values() if category.lexical for name in category.known} - {"id"}


#: stands for all drawn words
WORD = "word"


def resolve_limits(line: syntax.Paradigm, env: Environment) -> tuple[Limit, ...]:
    """The limits; a mistake in one is reported, and it is left out."""
    limits: list[Limit] = []
    for each in line.limits:
        counted: list[tuple[Slot, str | None]] = []
        for operand in each.of:
            name, column = operand.name.text, operand.column
            if name == WORD and name not in env.draws and column is None:
                counted += [(slot, None) for draw in env.draws.values() for slot in _slots_of(draw)]
                continue
            if name not in env.draws:
                if name not in env.failed:
                    require_known(operand.name, [WORD, *env.draws], "draw", env.findings)
                continue
            env.used.add(name)
            slots = _slots_of(env.draws[name])
            # of a phrase those words count that have the column
            having = [slot for slot in slots if column is None or _counts(env, slot, column.text)]
            if slots and not having and column is not None:
                category = env.grammar.categories[slots[0].category]
                require_column(column, category.name, category.known, env.findings)
            counted += [(slot, column.text if column is not None else None) for slot in having]
            if not slots:
                env.findings.add(messages.paradigm.no_word_to_limit(operand.name.span, name))
        zero = next((word for word in (each.count, each.per) if word is not None and int(word.text) < 1), None)
        if zero is not None:
            env.findings.add(messages.paradigm.no_limit(zero.span))
        elif counted:
            per = int(each.per.text) if each.per is not None else None
            of = ", ".join(".".join(w.text for w in (o.name, o.column) if w is not None) for o in each.of)
            times = "time" if each.count.text == "1" else "times"
            text = f"each {of} at most {each.count.text} {times}" + (f" in {per}" if per is not None else "")
            limits.append(Limit(tuple(dict.fromkeys(counted)), int(each.count.text), each.count.span, per, text))
    return tuple(limits)


def _slots_of(draw: Draw) -> list[Slot]:
    """The slots of a draw that words fill."""
    return [domain.slot for skeleton in draw.skeletons for domain in skeleton.domains if not domain.slot.is_feature]


def _counts(env: Environment, slot: Slot, column: str) -> bool:
    return column != "id" and column in env.grammar.categories[slot.category].known
