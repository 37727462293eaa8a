"""From the forest of a sentence to resolved trees, of those that mean the same one: a packed forest of meanings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product

from msgspec.structs import replace

from gramprobe.chart.forest import Forest
from gramprobe.compiled.data import Production
from gramprobe.meaning.columns import dotted
from gramprobe.meaning.compose import Composer
from gramprobe.meaning.terms import Spent
from gramprobe.resolve.grammar.data import Argument, Constructor, Grammar
from gramprobe.resolve.grammar.types import E_TYPE, is_quantifier
from gramprobe.resolve.paradigm.terms import in_place
from gramprobe.resolve.tree import Apply, Given, Slot, Tree, nodes, origin
from gramprobe.syntax.tree import Term

OPEN = "?"
"""Before the name of an argument that no word says: ``?p`` is open in a formula."""
MOST = 400
"""So many ways to build a part of a sentence are looked at, and no more."""
MOST_STEPS = 100_000
"""So many steps of composition are taken for a sentence, and no more."""


_Use = tuple[Production, Mapping[int, int]]


class Meanings:
    """The trees of a forest, each with a meaning of its own.

    Of the trees of an edge that mean the same, and have the same features, one is taken, which is the part of larger
    trees: there are as many as meanings, however many trees a sentence has. ``whole`` is false if some were left out.
    ``meant``: the tree that a sentence was made from. What no word says is as it is there, and so is which of several
    words of a category and a form was meant. ``plain``: all trees are taken, also those that mean the same, and no
    noun phrase that may rise is kept in its place.
    """

    def __init__(self, forest: Forest, grammar: Grammar, meant: Tree | None = None, plain: bool = False) -> None:
        self.forest, self.grammar, self.whole, self._plain = forest, grammar, True, plain
        self._meant: dict[str, list[Apply]] = defaultdict(list)
        self._words = set[tuple[str, str]]()
        for node in () if meant is None else nodes(meant):
            if isinstance(node, Apply):
                self._meant[node.constructor.name].append(node)
            elif isinstance(node, Given):
                self._words.add((node.category, node.value))
        self._made: dict[int, list[Tree]] = {}
        self._sizes: dict[int, tuple[Tree, int]] = {}
        self.composer = Composer({}, grammar, MOST_STEPS if meant is None else None)

    def trees(self) -> list[Tree]:
        """Those of the whole sentence, small ones first."""
        return sorted((tree for root in self.forest.roots for tree in self._trees(root)), key=self._size)

    def _size(self, tree: Tree) -> int:
        """How many constructors and words are in a tree."""
        return total(tree, lambda _: 1, self._sizes)

    def _trees(self, edge: int) -> list[Tree]:
        if edge not in self._made:
            self._made[edge] = []  # a part of itself over the same tokens means nothing more
            start, end, category, *_ = self.forest.edges[edge]
            place = f"{start}:{end}{category}"
            first: dict[object, Tree] = {}
            built = sorted(islice(self._built(edge, category), MOST + 1), key=self._size)
            self.whole &= len(built) <= MOST
            if self._plain:
                self._made[edge] = built[:MOST]
                return self._made[edge]
            features = [self._features(tree) if len(built) > 1 else None for tree in built[:MOST]]
            several = {each for each, count in Counter(features).items() if count > 1}
            try:
                for tree, own in zip(built, features, strict=False):
                    self.composer.put(tree, place)
                    means = tuple(self.composer.compose(tree)) if own in several else None
                    first.setdefault((own, means), tree)
            except Spent:
                self.whole = False
            self._made[edge] = list(first.values())
        return self._made[edge]

    def _built(self, edge: int, category: str) -> Iterator[Tree]:
        spelt = self.forest.words(edge)
        meant = [word for word in spelt if (category, word) in self._words]
        yield from (Given(word, category, False) for word in meant or spelt)
        for production, taken in self._as_meant(list(self.forest.uses(edge))):
            constructor = self.grammar.constructors[production.constructor]
            if all(sem.conveys for sem in constructor.sems):
                continue  # what has no meaning is in no reading: a trace, a reflexive
            for unsaid in self._unsaid(production, constructor, taken):
                said = {number: self._trees(part) for number, part in taken.items()}
                places = range(len(constructor.arguments))
                repeats = [argument.repeats for argument in constructor.arguments]
                for arguments in product(*(said[n] if n in said else unsaid[n] for n in places)):
                    whole = constructor.filled([a for n, a in enumerate(arguments) if repeats[n] is None])
                    if all(whole[n] == arguments[n] for n in said):
                        tree = Apply(constructor, whole, constructor.span)
                        yield tree
                        kept = () if self._plain else kept_versions(tree, self.grammar)
                        yield from (Apply(each, whole, constructor.span) for each in kept)

    def _as_meant(self, uses: list[_Use]) -> Iterator[_Use]:
        """Of productions of one constructor with the same parts, which differ in a feature that no word says, those
        that are as in the meant tree, if there are any."""
        for production, taken in uses:
            alike = [each for each, parts in uses if each.constructor == production.constructor and parts == taken]
            if len(alike) == 1 or self._is_meant(production) or not any(map(self._is_meant, alike)):
                yield production, taken

    def _is_meant(self, production: Production) -> bool:
        """Whether the meant tree has a constructor with the features of a production."""
        arguments = self.grammar.constructors[production.constructor].arguments
        return any(
            all(
                isinstance(each, Given) and production.values.get(argument.name) in (None, each.value)
                for argument, each in zip(arguments, node.arguments, strict=True)
                if argument.is_feature
            )
            for node in self._meant.get(production.constructor, ())
        )

    def _unsaid(
        self, production: Production, constructor: Constructor, said: Collection[int]
    ) -> Iterator[dict[int, Sequence[Tree]]]:
        """What may stand for the arguments that have no words; as in the meant tree, where that has the constructor."""
        meant = self._meant[constructor.name]
        if not meant:
            left_open = _unsaid(production, constructor, said, self.grammar)
            if left_open is not None:
                yield left_open
            return
        arguments = constructor.arguments
        known: dict[int, Sequence[Tree]] = {
            n: [Given(production.values[each.name], each.category, True)]
            for n, each in enumerate(arguments)
            if each.name in production.values
        }
        silent = [n for n in range(len(arguments)) if n not in said and n not in known]
        fillings = [tuple(node.arguments[n] for n in silent) for node in meant]
        for filling in {tuple(map(term, filling)): filling for filling in fillings}.values():
            yield {**known, **{n: [tree] for n, tree in zip(silent, filling, strict=True)}}

    def _features(self, tree: Tree) -> object:
        """What any tree around it can know of a tree beside its meanings; of a word all."""
        if not isinstance(tree, Apply):
            return tree
        names = self.grammar.categories[tree.constructor.result].features
        return tuple(origin(tree, name, self.grammar) for name in names)


@dataclass(frozen=True, slots=True)
class _Kept:
    """A noun phrase that may take scope and that a definition keeps in its place.

    Attributes:
        constructor: the same without scope.
        fixed: the parts that the definition gives, by number.
        says: the definition and its arguments, each a value or which part it is, if it stands for no more than the
            noun phrase.
    """

    constructor: Constructor
    fixed: Mapping[int, str]
    says: tuple[str, tuple[str | int, ...]] | None

    def fits(self, tree: Apply) -> bool:
        """Whether the parts of a tree are those that the definition gives."""
        parts = tuple(tree.given)
        return all(isinstance(part := parts[n], Given) and part.value == value for n, value in self.fixed.items())


def _in_place(grammar: Grammar) -> dict[str, list[_Kept]]:
    """The noun phrases that definitions keep in their places: read from words they may be these or raised ones."""
    if "in place" not in grammar.memory:
        found: dict[str, list[_Kept]] = defaultdict(list)
        for name, definition in grammar.definitions.items():
            given = [argument.name for argument in definition.chooser.given]
            for branch in (each for each in definition.branches if each.in_place):
                for said, known, whole in _said_by(branch.term, given, grammar, {}, True):
                    constructor = grammar.constructors.get(said.name.text)
                    if constructor is not None and is_raised(constructor, grammar):
                        names = [
                            None if part.arguments is not None else part.name.text for part in said.arguments or ()
                        ]
                        values = [known.get(each or "", None if each in given else each) for each in names]
                        fixed = {n: each for n, each in enumerate(values) if each is not None}
                        alone = whole and not branch.cases and all(each in known or each in names for each in given)
                        args = (known[each] if each in known else names.index(each) for each in given if alone)
                        says = (name, tuple(args)) if alone else None
                        found[constructor.name].append(_Kept(in_place(constructor, grammar), fixed, says))
        grammar.memory["in place"] = found
    kept: dict[str, list[_Kept]] = grammar.memory["in place"]
    return kept


def kept_versions(tree: Apply, grammar: Grammar) -> Iterator[Constructor]:
    """The constructor of a tree as the first definition that keeps it in its place has it, if one does."""
    kept = (each.constructor for each in _in_place(grammar).get(tree.constructor.name, ()) if each.fits(tree))
    return islice(kept, 1)


def _said_by(
    term: Term, given: Sequence[str], grammar: Grammar, known: Mapping[str, str], whole: bool
) -> Iterator[tuple[Term, Mapping[str, str], bool]]:
    """The terms in a term, with what definitions in it stand for, the values that arguments of the outer definition
    then have, and whether it is all that this stands for."""
    parts, definition = term.arguments or (), grammar.definitions.get(term.name.text)
    if definition is None:
        yield term, known, whole
        for part in parts:
            yield from _said_by(part, given, grammar, known, False)
        return
    put = {argument.name: part for argument, part in zip(definition.chooser.given, parts, strict=True)}
    for branch in definition.branches:
        values = dict(known)
        for case in branch.cases:
            asked = put.get(case.operand.text)
            if asked is not None and asked.arguments is None and len(case.values) == 1:
                values.setdefault(asked.name.text, case.values[0].text)
        fits = all(name in given or value == name for name, value in values.items())
        own = {name: value for name, value in values.items() if name in given}
        if fits:
            yield from _said_by(_put(branch.term, put), given, grammar, own, whole)


def _put(term: Term, parts: Mapping[str, Term]) -> Term:
    """A term with others in the place of names."""
    if term.arguments is None:
        return parts.get(term.name.text, term)
    return replace(term, arguments=tuple(_put(part, parts) for part in term.arguments))


def is_raised(constructor: Constructor, grammar: Grammar) -> bool:
    """Whether it makes noun phrases that may take scope, or are true of somebody at the actual world."""
    takes = is_quantifier(grammar.categories[constructor.result].type)
    return takes and (any(not each.in_place for each in constructor.scopes) or any(s.reading for s in constructor.sems))


def kept_in_place(tree: Tree, grammar: Grammar) -> int:
    """How many noun phrases of a tree are kept in their places that could take scope."""
    return sum(isinstance(node, Apply) and _stays(node, grammar) for node in nodes(tree))


def _stays(tree: Apply, grammar: Grammar) -> bool:
    raised = grammar.constructors.get(tree.constructor.name)
    return raised is not None and is_raised(raised, grammar) and not is_raised(tree.constructor, grammar)


def _unsaid(
    production: Production, constructor: Constructor, said: Collection[int], grammar: Grammar
) -> dict[int, Sequence[Tree]] | None:
    """What may stand for each argument that has no words of its own; None where only a paradigm can say it.

    A feature that no word shows has each of its values where a meaning depends on it. A word that is left unsaid is a
    slot, whose symbol stands open in the formula; in the place of a phrase, a name is. Where there is no such name, or
    the number of a word counts, there is no tree.
    """
    values = production.values
    counted = {
        name.partition(".")[0]
        for meaning in constructor.sems
        if all(values.get(c.operand.text) in (None, *grammar.expanded(c.values)) for c in meaning.cases)
        for name in dotted(meaning.formula)
    }
    found: dict[int, Sequence[Tree]] = {}
    for number, argument in enumerate(constructor.arguments):
        if argument.is_feature:
            known = _values(argument, production.values, constructor, grammar)
            found[number] = [Given(value, argument.category, True) for value in known]
        elif number not in said and argument.repeats is not None:
            found[number] = [Given("", argument.category, False)]
        elif number not in said:
            left = None if argument.name in counted else _left_open(argument, grammar)
            if left is None:
                return None
            found[number] = [left]
    return found


def _left_open(argument: Argument, grammar: Grammar) -> Tree | None:
    """A word, or the name of somebody, that is left open."""
    if grammar.categories[argument.category].lexemes:
        return Slot(OPEN + argument.name, argument.category, False)
    for constructor in grammar.constructors.values():
        if constructor.result == argument.category and len(constructor.arguments) == 1:
            (part,) = constructor.arguments
            category = grammar.categories.get(part.category)
            if category is not None and category.lexemes and category.type == E_TYPE:
                return Apply(constructor, (Slot(OPEN + argument.name, part.category, False),), constructor.span)
    return None


def _values(
    argument: Argument, values: Mapping[str, str], constructor: Constructor, grammar: Grammar
) -> tuple[str, ...]:
    if argument.name in values:
        return (values[argument.name],)
    known = grammar.features[argument.category].values
    means = any(case.operand.text == argument.name for cases in constructor.cases for case in cases)
    return known if means else known[:1]


def total(tree: Tree, number: Callable[[Tree], int], known: dict[int, tuple[Tree, int]]) -> int:
    """The sum of a number of each node of a tree. ``known``: the sums of the parts of trees, each with the part."""
    if id(tree) not in known:
        below = tree.arguments if isinstance(tree, Apply) else ()
        known[id(tree)] = tree, number(tree) + sum([total(each, number, known) for each in below])
    return known[id(tree)][1]


def term(tree: Tree, grammar: Grammar | None = None, known: dict[int, str] | None = None) -> str:
    """A tree as `gramprobe say` and paradigms write it; with a grammar, a noun phrase that is kept in its place is
    written as the definition that keeps it there, if there is one. ``known``: the terms of parts, with one grammar or
    none, of trees that nobody lets go meanwhile."""
    if not isinstance(tree, Apply):
        return tree.value if isinstance(tree, Given) else tree.name
    if known is not None and id(tree) in known:
        return known[id(tree)]
    name, parts = tree.constructor.name, tuple(tree.given)
    for kept in _in_place(grammar)[name] if grammar is not None and _stays(tree, grammar) else ():
        if kept.says is not None and kept.fits(tree):
            inside = ", ".join(n if isinstance(n, str) else term(parts[n], grammar, known) for n in kept.says[1])
            written = f"{kept.says[0]}({inside})"
            break
    else:
        inside = ", ".join([term(part, grammar, known) for part in parts])
        written = f"{name}({inside})" if inside else name
    if known is not None:
        known[id(tree)] = written
    return written
