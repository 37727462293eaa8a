"""Typed abstract trees: conditions of a paradigm, before they become words and formulas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from gramprobe import shown
from gramprobe.resolve.grammar.data import Cell, Constructor, Grammar
from gramprobe.source.diagnostic import Span
from gramprobe.syntax.grammar_tree import Value
from gramprobe.syntax.tree import Operand


class Slot(Struct, frozen=True):
    """A place that a drawn lexeme or feature value fills.

    Attributes:
        name: the name of the draw.
        category: the category or feature of the value in the place.
        is_feature: whether that is a feature.
        column: the column of the drawn lexeme that holds the value (``change.pre``); None: the draw itself.
    """

    name: str
    category: str
    is_feature: bool
    column: str | None = None

    @property
    def path(self) -> str:
        return f"{self.name}.{self.column}" if self.column else self.name


class Given(Struct, frozen=True):
    """A lexeme or a feature value that the author writes into the tree."""

    value: str
    category: str
    is_feature: bool


class Composite(Struct, frozen=True):
    """A drawn tree (``draw act : VP by ...``) before a skeleton takes its place.

    ``ways``: where it is no draw, but what a definition makes of one: each skeleton, with what then stands here.
    """

    name: str
    category: str
    ways: tuple[tuple[Tree, Tree], ...] = ()


class Breach(Struct, frozen=True):
    """A constraint that a use of a constructor breaks: its words are made with another value of a feature than the
    argument has, or is asked to have. The rest of the sentence has the argument's own.

    Attributes:
        constraint: its name.
        argument, feature: whose value is another one.
        values: those of the feature.
        value: the one that stands instead; empty for the other of two.
    """

    constraint: str
    argument: int
    feature: str
    values: tuple[str, ...]
    value: str = ""

    def instead_of(self, own: str) -> str:
        """The value that stands where the rest of the sentence has its own."""
        return self.value or next(value for value in self.values if value != own)


class Apply(Struct, frozen=True):
    """A constructor applied to its arguments."""

    constructor: Constructor
    arguments: tuple[Tree, ...]
    span: Span
    breach: Breach | None = None

    @property
    def given(self) -> Iterator[Tree]:
        """The arguments that a term writes: those that repeat none."""
        declared = zip(self.arguments, self.constructor.arguments, strict=True)
        return (tree for tree, argument in declared if argument.repeats is None)

    def _repr_svg_(self) -> str:
        """The tree as a picture, for a notebook."""
        return shown.tree(node_of(self))


Tree = Apply | Slot | Given | Composite

#: constructor, and the name of one of its arguments (None: all its words) -> the name of the region that its words are
Regions = Mapping[tuple[str, str | None], str]


def category_of(tree: Tree) -> str:
    return tree.constructor.result if isinstance(tree, Apply) else tree.category


def node_of(tree: Tree) -> shown.Node:
    """The tree as it is drawn: names of constructors and words, with their categories."""
    if isinstance(tree, Apply):
        name = tree.constructor.name + (f" breaking {tree.breach.constraint}" if tree.breach is not None else "")
        return shown.Node(name, category_of(tree), tuple(map(node_of, tree.arguments)))
    return shown.Node(show(tree), category_of(tree))


def nodes(tree: Tree) -> Iterator[Tree]:
    """The tree and all trees below it, from left to right."""
    left = [tree]
    while left:
        each = left.pop()
        yield each
        if isinstance(each, Apply):
            left += each.arguments[::-1]
        elif isinstance(each, Composite):
            left += [made for _, made in each.ways[::-1]]


def unbroken(tree: Tree) -> Tree:
    """The tree that breaks nothing."""
    if not isinstance(tree, Apply):
        return tree
    return replace(tree, arguments=tuple(map(unbroken, tree.arguments)), breach=None)


def without_meaning(tree: Tree) -> list[str]:
    """The constructors in a tree that have no meaning (a trace, a reflexive), in order: with one of them a sentence has
    words and no reading."""
    every = (node.constructor for node in nodes(tree) if isinstance(node, Apply))
    return [*dict.fromkeys(each.name for each in every if all(sem.conveys for sem in each.sems))]


def slots(tree: Tree) -> list[Slot]:
    """The slots in order of occurrence, each once."""
    return list(dict.fromkeys(n for n in nodes(tree) if isinstance(n, Slot)))


def put(tree: Tree, skeletons: Mapping[str, Tree]) -> Tree:
    """The tree with drawn trees (and redrawn slots, by name) replaced."""
    if isinstance(tree, Apply):
        arguments = tuple(put(a, skeletons) for a in tree.arguments)
        return tree if arguments == tree.arguments else replace(tree, arguments=arguments)
    if isinstance(tree, Slot) and tree.name in skeletons:
        new = skeletons[tree.name]
        if tree.column is not None and isinstance(new, Slot):
            return replace(tree, name=new.name)
        return new
    if isinstance(tree, Composite):
        new = skeletons.get(tree.name, tree)
        if not tree.ways:
            return new
        if isinstance(new, Composite):
            return replace(tree, name=new.name, ways=tuple((way, put(made, skeletons)) for way, made in tree.ways))
        return put(next(made for way, made in tree.ways if way == new), skeletons)
    return tree


class Origin(Struct, frozen=True):
    """Where a feature of a tree comes from: a constant, a column of a slot, a table (of other origins), or (none of
    these) the constructor around it."""

    constant: tuple[str, ...] | None = None
    slot: Slot | None = None
    column: str | None = None
    table: str | None = None
    keys: tuple[Origin, ...] = ()

    @property
    def slots(self) -> tuple[tuple[Slot, str | None], ...]:
        """The slots that it depends on, each with the column that counts."""
        if self.slot is not None:
            return ((self.slot, self.column),)
        return tuple(dict.fromkeys(each for key in self.keys for each in key.slots))

    @property
    def is_open(self) -> bool:
        """Whether it is, or depends on, a request of the constructor around the tree."""
        if self.table is not None:
            return any(key.is_open for key in self.keys)
        return self.constant is None and self.slot is None


def origin(tree: Tree, feature: str, grammar: Grammar) -> Origin:
    """Follow heads down to where ``feature`` is fixed (the head feature principle; Gazdar et al. 1985)."""
    while isinstance(tree, Apply):
        if feature in tree.constructor.fixed:
            return Origin(constant=tree.constructor.fixed[feature])
        if feature in tree.constructor.computed:
            return _computed(tree.constructor.computed[feature], tree, grammar)
        head = next((i for i, a in enumerate(tree.constructor.arguments) if a.head), None)
        if head is None or not _has(tree.constructor.arguments[head].category, feature, grammar):
            return Origin()
        tree = tree.arguments[head]
    if isinstance(tree, Composite):
        return Origin()
    if tree.is_feature:
        if isinstance(tree, Given):
            return Origin(constant=(tree.value,))
        return Origin(slot=tree, column=None)
    category = grammar.categories[tree.category]
    if feature in category.fixed:
        return Origin(constant=category.fixed[feature])
    if feature in category.form_features:
        return Origin()
    if isinstance(tree, Given):
        lexeme = grammar.lexeme(tree.category, tree.value)
        assert lexeme is not None
        cell = lexeme.columns[feature]
        return Origin(constant=cell if isinstance(cell, tuple) else (str(cell),))
    return Origin(slot=tree, column=feature)


def _computed(value: Value, tree: Apply, grammar: Grammar) -> Origin:
    """The origin of a feature that the constructor at the root takes from its arguments, or looks up."""
    if isinstance(value, Operand):
        index = tree.constructor.argument(value.name.text)
        if index is None:
            return Origin(constant=(value.name.text,))
        argument = tree.arguments[index]
        if value.column is not None:
            return origin(argument, value.column.text, grammar)
        if isinstance(argument, Given):
            return Origin(constant=(argument.value,))
        return Origin(slot=argument) if isinstance(argument, Slot) else Origin()
    keys = tuple(_computed(each, tree, grammar) for each in value.values)
    if all(key.constant is not None for key in keys):
        cell = tuple(key.constant[0] for key in keys if key.constant is not None)
        return Origin(constant=(grammar.tables[value.table.text].cells[cell],))
    return Origin(table=value.table.text, keys=keys)


def looked_up(source: Origin, values: Mapping[tuple[str, str | None], Cell], grammar: Grammar) -> str:
    """The value of an origin that is not open. ``values``: (path of a slot, column) -> value, for the slots of it."""
    if source.constant is not None:
        return source.constant[0]
    if source.slot is not None:
        return str(values[source.slot.path, source.column])
    assert source.table is not None
    return grammar.tables[source.table].cells[tuple(looked_up(key, values, grammar) for key in source.keys)]


def _has(category: str, feature: str, grammar: Grammar) -> bool:
    declared = grammar.categories.get(category)
    return declared is not None and feature in declared.known


def show(tree: Tree) -> str:
    """A tree as an author writes it: ``Assert(Clause(t, Poss(Name(owner), thing), act))``."""
    if isinstance(tree, Apply):
        inner = ", ".join(show(a) for a in tree.given)
        whole = f"{tree.constructor.name}({inner})" if inner else tree.constructor.name
        if tree.breach is None:
            return whole
        return f"{whole} breaking {tree.breach.constraint}" + (f" as {tree.breach.value}" if tree.breach.value else "")
    if isinstance(tree, Slot):
        return tree.path
    return tree.value if isinstance(tree, Given) else tree.name
