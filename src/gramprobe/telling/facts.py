"""Single facts of a model in sentences of a grammar: what somebody is or does, and how many are or do so.

Whoever has no name in a model gets one of the lexicon, if it is a person. A sentence is made from a phrase of a pair's
trees that is true or false of individuals (*nurse*, *sang*), by constructors that add nothing but a subject and a
denial, up to a sentence: *Bella is a nurse, Bella didn't sing, exactly two nurses sang*. Of such sentences those are
taken that are true in the model in each of their readings.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from heapq import heappop, heappush
from itertools import count, islice, product
from operator import eq, is_
from typing import Any, NamedTuple

from msgspec import structs

from gramprobe.certify.model import Model
from gramprobe.formula import ast
from gramprobe.formula.ast import Argument, Formula
from gramprobe.judge.judge import readings_of
from gramprobe.resolve.grammar.data import Constructor, Grammar
from gramprobe.resolve.grammar.types import E_TYPE, T_TYPE, Function, Type, is_quantifier
from gramprobe.resolve.theory.data import Theory
from gramprobe.resolve.tree import Apply, Given, Tree, category_of, nodes, origin, show
from gramprobe.telling.individuals import Individuals
from gramprobe.words.linearise import case_holds, sentence_of

PROPERTY = Function(E_TYPE, T_TYPE)
MOST_STEPS = 7
"""So many constructors are put on a phrase at most."""
MOST_TRIED = 24
"""So many sentences are tried for a fact at most."""
MOST_PATHS = 3
"""In so many ways a category is gone on from at most."""

#: a constructor, the number of the argument that is the phrase, that of the subject if it has one, and its features
_Step = tuple[Constructor, int, int | None, tuple[str, ...]]
_Way = tuple[_Step, ...]
Holds = Callable[[Formula], bool]


class _Said(NamedTuple):
    """A sentence and the formulas of its readings, the one that is meant first."""

    text: str
    formulas: tuple[Formula, ...]


class Facts:
    """The facts that can be said with a grammar about what some trees speak of."""

    def __init__(self, trees: Sequence[Tree], grammar: Grammar, theory: Theory, is_read: Callable[[str], bool]) -> None:
        self._is_read = is_read
        self.grammar, self.theory, self.trees, self._around = grammar, theory, trees, _around(grammar)
        every = [node for tree in trees for node in nodes(tree)]
        self.used = {
            n.constructor.name if isinstance(n, Apply) else n.value for n in every if isinstance(n, Apply | Given)
        }
        self.nouns = self._distinct(
            part
            for node in every
            if isinstance(node, Apply) and is_quantifier(self._type(category_of(node)))
            for part in node.arguments
            if self._type(category_of(part)) == PROPERTY
        )
        phrases = (n for n in every if not isinstance(n, Given) or not n.is_feature)
        self.phrases = self._distinct(n for n in phrases if self._type(category_of(n)) == PROPERTY)
        self.individuals = Individuals(self.phrases, grammar)
        self._alike = self._chains()
        self._recipes: dict[tuple[str, frozenset[str]], list[_Way]] = {}
        self._best: dict[object, Any] = {}
        self._known: dict[object, _Said | None] = {}

    def _chains(self) -> list[list[Tree]]:
        """The phrases that mean the same together, nouns and short ones first: *sing*, and its verb phrase."""
        found: list[list[Tree]] = []
        inside: set[str] = set()
        nouns = set(map(show, self.nouns))
        for phrase in sorted(self.phrases, key=lambda each: show(each) not in nouns):
            chain = [] if show(phrase) in inside else [phrase]
            while chain and (inner := self._inner(chain[-1])) is not None:
                chain.append(inner)
            inside.update(map(show, chain))
            found += [chain] if chain else []
        return sorted(found, key=lambda each: (show(each[0]) not in nouns, len(show(each[-1]))))

    def _inner(self, tree: Tree) -> Tree | None:
        """The part of a phrase that means the same; None if there is none."""
        parts = [each for each in tree.arguments if not self._is_value(each)] if isinstance(tree, Apply) else []
        if not isinstance(tree, Apply) or len(parts) != 1 or _denies(tree.constructor):
            return None
        around = self._around.get(category_of(parts[0]), ())
        return parts[0] if any(step[0] is tree.constructor for step in around) else None

    @staticmethod
    def _is_value(tree: Tree) -> bool:
        return isinstance(tree, Given) and tree.is_feature

    def _type(self, category: str) -> Type | None:
        declared = self.grammar.categories.get(category)
        return None if declared is None else declared.type

    @staticmethod
    def _distinct(trees: Iterable[Tree]) -> list[Tree]:
        return list({show(each): each for each in trees}.values())

    # sentences

    def sentence(self, fact: ast.Atom) -> str:
        """A sentence that says of somebody by name what a phrase of the trees says; empty if there is none."""
        name = fact.args[0].name if isinstance(fact.args[0], ast.Const) else ""
        for phrases in self._alike:
            subjects = self._subjects(name) if self._may_do(name, phrases[0]) else {}
            said = self._said(phrases, subjects, _affirms) if subjects else None
            if said is not None and said.formulas[0] == fact:
                return said.text
        return ""

    def _subjects(self, name: str) -> dict[str, Tree]:
        """Category -> somebody by name."""
        found: dict[str, Tree] = {}
        for category in (c for c in self.individuals.names.values() if name in c.by_id):
            word = Given(name, category.name, False)
            found[category.name] = word
            for constructor, part, subject, features in self._around.get(category.name, ()):
                if is_quantifier(self._type(constructor.result)) and subject is None and not constructor.unsaid:
                    found.setdefault(constructor.result, _applied((constructor, part, None, features), word, None))
        return found

    def of_individuals(self, model: Model, holds: Holds) -> dict[str, Formula]:
        """Sentence -> formula: what each individual with a name is, and does or does not do."""
        found: dict[str, Formula] = {}
        chains = [*self._alike]
        for phrases, name in product(self._alike, model.constants):
            chains += [other] if (other := self._about(name, phrases)) else []
        for phrases, name in product(chains, model.constants):
            subjects = self._subjects(name) if self._may_do(name, phrases[0]) else {}
            said = self._said(phrases, subjects, _affirms) if subjects else None
            if said is not None and not holds(said.formulas[0]):
                said = self._said(phrases, subjects, partial(eq, ast.Not(said.formulas[0])))
            _add(said, found, holds)
        return found

    def _about(self, name: str, phrases: Sequence[Tree]) -> list[Tree]:
        """Phrases with somebody in the place of the only noun phrase inside, if this is no name: *praised Bella* for
        *praised every doctor*; none otherwise."""
        parts = [n for n in nodes(phrases[-1]) if isinstance(n, Apply) and is_quantifier(self._type(category_of(n)))]
        inside = [n for n in parts if any(self._type(category_of(part)) == PROPERTY for part in n.arguments)]
        other = self._subjects(name).get(category_of(parts[0])) if len(parts) == 1 and inside else None
        return [] if other is None else [_with(each, show(parts[0]), other) for each in phrases]

    def _may_do(self, name: str, phrase: Tree) -> bool:
        """Whether a phrase does not depend on its subject, as *praised herself* does, or has this one in its tree."""
        carried = (line.how for n in nodes(phrase) if isinstance(n, Apply) for line in n.constructor.carrying)
        bound = "carries" in carried
        around = [[*map(show, nodes(tree))] for tree in self.trees]
        return not bound or any(name in each and show(phrase) in each for each in around)

    def of_numbers(self, holds: Holds, doing: bool) -> dict[str, Formula]:
        """Sentence -> formula: how many there are of what a noun says, and how many of these are or do something."""
        found: dict[str, Formula] = {}
        for noun in self.nouns:
            own = self._determined(noun)
            any(_add(self._said([each], {}, _counts), found, holds) for each in own)
            for phrases in self._alike if doing else ():
                any(_add(self._said(phrases, {category_of(each): each}, _counts), found, holds) for each in own)
        return found

    def _determined(self, noun: Tree) -> list[Tree]:
        """*No nurse, exactly one nurse, exactly two nurses*."""
        found: dict[object, Tree] = {}
        for constructor in self.grammar.constructors.values():
            parts = [a for a in constructor.arguments if not a.is_feature]
            of_noun = [a for a in parts if a.category == category_of(noun)]
            others = [self.grammar.categories[a.category].lexemes for a in parts if a not in of_noun]
            if len(of_noun) != 1 or not all(others) or not is_quantifier(self._type(constructor.result)):
                continue
            ways = [
                [noun] if a in of_noun else [Given(v, a.category, a.is_feature) for v in self._values(a.category)]
                for a in constructor.arguments
            ]
            for way in islice(product(*ways), MOST_TRIED) if not constructor.branches else ():
                tree = Apply(constructor, tuple(way), constructor.span)
                if (number := self._count(tree)) is not None and self._fits(tree):
                    found.setdefault(number, tree)
        return list(found.values())

    def _count(self, tree: Apply) -> object:
        """How many a noun phrase is of exactly; None if it says something else."""
        sems = (s for s in tree.constructor.sems if not s.conveys and case_holds(s.cases, tree, {}, {}, self.grammar))
        match getattr(next(sems, None), "formula", None):
            case ast.Lambda(_, ast.Not(ast.Quantified(quantifier="exists"))):
                return 0
            case ast.Lambda(_, ast.Quantified(quantifier="exactly", count=int(number))):
                return number
            case ast.Lambda(_, ast.Quantified(quantifier="exactly", count=str(path))):
                name, _, column = path.partition(".")
                word = tree.arguments[tree.constructor.argument(name) or 0]
                known = self.grammar.lexeme(word.category, word.value) if isinstance(word, Given) else None
                return None if known is None else known.columns[column]
            case _:
                return None

    def _values(self, category: str) -> Sequence[str]:
        feature = self.grammar.features.get(category)
        return feature.values if feature is not None else [x.id for x in self.grammar.categories[category].lexemes[:3]]

    def _said(self, phrases: Sequence[Tree], subjects: Mapping[str, Tree], fits: Holds) -> _Said | None:
        """The first sentence from one of some phrases that mean the same, with one of the subjects if there are any,
        one of whose readings fits."""
        agreeing = (
            *(self._agreement(each) for each in subjects.values()),
            fits if fits in (_affirms, _counts) else None,
        )
        kind = tuple(map(category_of, phrases)), frozenset(subjects), agreeing
        key = kind, *map(show, (*phrases, *subjects.values()))
        if key not in self._known:
            before = self._best.get(kind, self)
            tries = self._tries(kind[0], kind[1]) if before is self else [before] if before else []
            self._known[key] = self._first(phrases, subjects, fits, tries, kind)
        return self._known[key]

    def _tries(self, categories: Sequence[str], subjects: frozenset[str]) -> list[tuple[int, _Way]]:
        """The ways from some categories to sentences, each with the number of the category, the usual ones first."""
        ways = [(at, way) for at, category in enumerate(categories) for way in self._ways(category, subjects)]
        return sorted(ways, key=lambda each: (self._strange(each[1]), -each[0]))[:MOST_TRIED]

    def _first(
        self, phrases: Sequence[Tree], subjects: Mapping[str, Tree], fits: Holds, tries: Iterable[Any], kind: object
    ) -> _Said | None:
        self._best[kind] = None
        for at, way in tries:
            tree, agreeing = phrases[at], [self._agreement(phrases[at])]
            for step in way:
                subject = None if step[2] is None else subjects[step[0].arguments[step[2]].category]
                tree = _applied(step, tree, subject)
                agreeing += [self._agreement(each) for each in (tree, subject) if each is not None]
            try:
                agrees = len({each for each in agreeing if each}) < 2 and self._fits(tree)
                stays = _in_place(tree)
                both = [] if not agrees else [tree] if stays is tree else [stays, tree]
                read = [r for each in both for r in readings_of(each, self.theory, self.grammar)]
                formulas = sorted({each.formula: 0 for each in read}, key=lambda each: not fits(each))
                if not read or not fits(formulas[0]) or any(each.refers for each in read):
                    continue
                text = sentence_of(tree, self.grammar)
                if self._is_read(text):
                    self._best[kind] = at, way
                    return _Said(text.rstrip("."), tuple(formulas))
            except (KeyError, ValueError, IndexError):  # it has no words, or no meaning
                continue
        return None

    def _agreement(self, tree: Tree) -> tuple[str, ...]:
        """The number of a phrase; empty where it is open, or where it has none."""
        category = self.grammar.categories.get(category_of(tree))
        has = category is not None and "num" in category.known
        return (origin(tree, "num", self.grammar).constant or ()) if has else ()

    def _fits(self, tree: Tree) -> bool:
        """Whether a tree keeps the conditions of its constructors that hang on single words and values."""
        applied = [node for node in nodes(tree) if isinstance(node, Apply)]
        return all(self._kept(condition, node) for node in applied for condition in node.constructor.where)

    def _kept(self, condition: Any, node: Apply) -> bool:
        if condition.kind == "either":
            return any(self._kept(part, node) for part in condition.parts)
        if condition.kind not in ("=", "!=") or len(condition.operands) != 2 or condition.sums:
            return True
        one, other = ({*self._values_of(each, node)} for each in condition.operands)
        return not one or not other or bool(one & other) == (condition.kind == "=")

    def _values_of(self, operand: Any, node: Apply) -> tuple[str, ...]:
        """The values of an operand at a use of a constructor; empty where they are open."""
        index = node.constructor.argument(operand.name.text)
        if index is None:
            return (operand.name.text,)
        argument = node.arguments[index]
        if operand.column is None:
            return (argument.value,) if isinstance(argument, Given) else ()
        return origin(argument, operand.column.text, self.grammar).constant or ()

    def _ways(self, category: str, subjects: frozenset[str]) -> list[_Way]:
        """The constructors that lead from a category to sentences, those of the trees first, then short ones."""
        key = category, subjects
        if key not in self._recipes:
            self._recipes[key] = list(islice(self._climb(category, subjects), MOST_TRIED))
        return self._recipes[key]

    def _strange(self, recipe: Sequence[_Step]) -> tuple[int, int]:
        """How much of it no tree of the pair has, and its length."""
        return sum(bool({step[0].name, *step[3]} - self.used) for step in recipe), len(recipe)

    def _climb(self, start: str, subjects: frozenset[str]) -> Iterator[_Way]:
        order, seen = count(), Counter[tuple[str, bool, bool]]()
        queue: list[tuple[tuple[int, int], int, str, _Way]] = [((0, 0), next(order), start, ())]
        while queue:
            _, _, category, done = heappop(queue)
            said = not subjects or any(step[2] is not None for step in done)
            if category in self.grammar.sentences and said:
                yield done
                continue
            state = category, said, any(_denies(step[0]) for step in done)
            seen[state] += 1
            if len(done) == MOST_STEPS or seen[state] > MOST_PATHS:
                continue
            for step in self._around.get(category, ()):
                constructor, _, subject, features = step
                if subject is not None and (
                    not subjects or said or constructor.arguments[subject].category not in subjects
                ):
                    continue
                if self._usual(constructor, features):
                    way = (*done, step)
                    heappush(queue, (self._strange(way), next(order), constructor.result, way))

    def _usual(self, constructor: Constructor, features: Sequence[str]) -> bool:
        """Whether features have the values that they have in the trees, where they are there."""
        own = [self.grammar.features[a.category].values for a in constructor.arguments if a.is_feature]
        return all(value in self.used or not self.used & {*values} for values, value in zip(own, features, strict=True))


def _add(said: _Said | None, found: dict[str, Formula], holds: Holds) -> bool:
    """Add what is said, if all of its readings hold and none says the same."""
    if said is None or not all(map(holds, said.formulas)):
        return False
    if said.formulas[0] not in found.values():
        found[said.text] = said.formulas[0]
    return True


def _in_place(tree: Tree) -> Tree:
    """The tree in which every noun phrase has the scope of its place; itself where none may have another."""
    if not isinstance(tree, Apply):
        return tree
    parts = tuple(map(_in_place, tree.arguments))
    if not tree.constructor.scopes and all(map(is_, parts, tree.arguments)):
        return tree
    return Apply(structs.replace(tree.constructor, scopes=()), parts, tree.span)


def _with(tree: Tree, old: str, new: Tree) -> Tree:
    """A tree with another part in the place of one."""
    if not isinstance(tree, Apply) or show(tree) == old:
        return new if show(tree) == old else tree
    return Apply(tree.constructor, tuple(_with(each, old, new) for each in tree.arguments), tree.span)


def _applied(step: _Step, phrase: Tree, subject: Tree | None) -> Apply:
    constructor, part, _, features = step
    values = iter(features)
    arguments = (
        Given(next(values), a.category, True) if a.is_feature else phrase if at == part else subject
        for at, a in enumerate(constructor.arguments)
    )
    return Apply(constructor, tuple(a for a in arguments if a is not None), constructor.span)


def _around(grammar: Grammar) -> dict[str, list[_Step]]:
    """Category -> the constructors that add nothing to a part of it but a subject or a denial."""
    if "facts" in grammar.memory:
        known: dict[str, list[_Step]] = grammar.memory["facts"]
        return known
    found: dict[str, list[_Step]] = defaultdict(list)
    for constructor in grammar.constructors.values():
        own = frozenset(a.name for a in constructor.arguments if not a.is_feature)
        parts = [at for at, a in enumerate(constructor.arguments) if not a.is_feature]
        sems = [each for each in constructor.sems if not each.conveys]
        if not sems or len(parts) > 2 or constructor.branches or not all(_adds_nothing(s.formula, own) for s in sems):
            continue
        features = [grammar.features[a.category].values for a in constructor.arguments if a.is_feature]
        for at in parts:
            subject = next((other for other in parts if other != at), None)
            for values in islice(product(*features), MOST_TRIED):
                found[constructor.arguments[at].category].append((constructor, at, subject, values))
    grammar.memory["facts"] = found
    return found


def _adds_nothing(part: Argument, known: frozenset[str]) -> bool:
    match part:
        case ast.Var(name) | ast.Const(name):
            return name in known
        case ast.Lambda(variable, body):
            return _adds_nothing(body, known | {variable})
        case ast.Not(body):
            return _adds_nothing(body, known)
        case ast.Atom(predicate, arguments):
            return predicate in known and all(_adds_nothing(each, known) for each in arguments)
        case _:
            return isinstance(part, ast.Truth)


def _counts(formula: Argument) -> bool:
    """Whether a formula says how many there are: exactly so many, or none."""
    match formula:
        case ast.Not(ast.Quantified(quantifier="exists") as counted) | (
            ast.Quantified(quantifier="exactly") as counted
        ):
            return counted.restrictor != counted.scope and not isinstance(counted.scope, ast.Not)
        case _:
            return False


def _denies(constructor: Constructor) -> bool:
    return any(isinstance(part, ast.Not) for sem in constructor.sems for part in ast.walk(sem.formula))


def _affirms(formula: Formula) -> bool:
    return not isinstance(formula, ast.Not)
