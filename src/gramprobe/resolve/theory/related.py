"""What the words of two formulas have to do with each other, by the relations that their language lists.

A language lists words by their first form (`Relations` of :mod:`gramprobe.language.wordlists`), so that every grammar
of it knows them, whatever a word is in its formulas: a predicate, or an operator with a subject (*old* as what it is).

    related.tie("dog", "cat")        -> "exclusive"
    related.axioms((said, asked))    -> what holds of the words of these formulas
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import permutations, product

from gramprobe.formula.ast import (
    TRUE,
    And,
    Argument,
    Atom,
    Const,
    Formula,
    Implies,
    Modal,
    Not,
    Or,
    Quantified,
    Var,
    as_formula,
    map_parts,
    walk,
)
from gramprobe.formula.binding import free_variables, names, substituted
from gramprobe.formula.measure import symbols
from gramprobe.language import Language
from gramprobe.language.wordlists import Opposites, Relations
from gramprobe.resolve.grammar.data import Lexeme
from gramprobe.resolve.theory.lexical import LexicalOperator, pattern_of

PERSON, OBJECT, ONE, GENDER = "person", "object", "one", "gen"
ALIKE = 4
"""So many letters at the beginning of two words make them too much alike to be independent: *sing*, *singer*."""
#: a use of a word: the number of its arguments, and of an operator what it is said of, with `x` for its subject
_Use = tuple[int, Formula | None]
_X, _Y, _Z = Var("x"), Var("y"), Var("z")


@dataclass(frozen=True)
class Related:
    """The relations of the words of a language, as words of a grammar in a theory.

    Attributes:
        language: lists them.
        words: the words of the grammar by id.
        axioms_of: those of a theory about a word, which say of what others some are kinds (*poodle*, *dog*).
        operators: the words that are operators in that theory.
        at_two_times: whether the formulas are of two times: then one thing may be in two opposite states.
    """

    language: Language
    words: Mapping[str, Lexeme]
    axioms_of: Callable[[Lexeme], Sequence[Formula]]
    operators: Sequence[LexicalOperator]
    at_two_times: bool = False
    _above: dict[str, frozenset[str]] = field(default_factory=dict, repr=False)

    def axioms(self, formulas: Sequence[Formula]) -> tuple[Formula, ...]:
        """What follows from the relations for the words of some formulas, which are kept where two of them are tied."""
        uses = self._uses(formulas)
        pairs = permutations(sorted(uses), 2)
        found = tuple(dict.fromkeys(each for one, other in pairs for each in self._between(one, other, uses)))
        return (*found, *self._people(formulas)) if any(PERSON in names(each) for each in found) else found

    def tie(self, one: str, other: str) -> str:
        """How two words are related, the first to the second: `kind`, `has kind`, `exclusive`, `complementary`,
        `converse`, `causes`, `caused`; `siblings` if none is a kind of the other one, and they may exclude each other;
        `independent` if they have nothing to do with each other; empty if nothing is known."""
        of, same = self._part(one), self._part(one) is self._part(other)
        a, b = self._lemma(one), self._lemma(other)
        if same:
            first, second = self.above(one), self.above(other)
            like = self._is_adjective(one) == self._is_adjective(other)  # *is pine* says no plant
            if a != b and like and (b in first or a in second):
                near = any({a, b} <= {*each} for each in of.near)
                return "kind" if b in first else "" if near else "has kind"
            if self._opposites(one, other) is not None:
                return "exclusive"
            for name, sets in (("complementary", of.complementary), ("exclusive", of.exclusive)):
                if any(_apart(each, first, second) for each in sets):
                    return name
            if any({*each} == {a, b} for each in of.converse):
                return "converse"
            for cause, effect, name in ((one, other, "causes"), (other, one, "caused")):
                if self._causes(cause, effect):
                    return name
        groups = (
            {name for name, members in part.independent.items() if lemma in members}
            for lemma, part in ((a, of), (b, self._part(other)))
        )
        first_of, second_of = groups
        near = same and any({a, b} <= {*each} for each in of.near)
        if not first_of or not second_of or near or a[:ALIKE] == b[:ALIKE]:
            return ""
        if not first_of & second_of:  # what one noun names may be none of another one (*a nurse*, *a dog*)
            return "siblings" if self._is_noun(one) and self._is_noun(other) else "independent"
        return "siblings" if same and (first_of & second_of).issubset(of.siblings) else ""

    def supposed(self, formulas: Sequence[Formula], pairs: Iterable[tuple[str, str]]) -> Iterator[Formula]:
        """What would hold if siblings excluded each other, if what an adjective says did not hang on its noun (*a small
        elephant*, *a big animal*), if words were related of whatever they are said of, and if what is on a thing had
        that under it."""
        uses = self._uses(formulas)
        for one, other in pairs:
            tie, domain = self.tie(one, other), self._domain(one, other)
            pair = self._opposites(one, other)
            if tie in ("causes", "caused") and domain:
                cause, effect = (one, other) if tie == "causes" else (other, one)
                yield _closed(Implies(Atom(cause, (_X, _Y)), Atom(effect, (_Y,))))
            elif tie in ("causes", "caused"):  # who ate, ate something
                cause, effect = (one, other) if tie == "causes" else (other, one)
                some = Quantified(quantifier="exists", variable=_Y.name, restrictor=TRUE, scope=Atom(cause, (_X, _Y)))
                yield _closed(Implies(Atom(effect, (_X,)), some))
            for first, second in product(uses.get(one, ()), uses.get(other, ())):
                a, b = _said(one, first), _said(other, second)
                opposed = tie in ("exclusive", "complementary") and (first[1] != second[1] or domain)
                if first[0] == second[0] and pair is not None and pair.either:
                    yield _closed(Implies(Not(a), b))
                if first[0] == second[0] and (tie in ("siblings", "converse") or opposed):
                    yield _closed(Not(And(a, b)))
                if first[0] == second[0] and tie == "complementary":
                    yield _closed(Or(a, b))
                if first == second == (2, None) and tie == "exclusive":
                    yield _closed(Implies(a, Atom(other, (_Y, _X))))

    def had(self, pairs: Iterable[tuple[str, str]], has: str) -> Iterator[Formula]:
        """What would hold if who has one thing were had as the other: *Noah's sister*, *Amy's brother*."""
        for one, other in pairs:
            if self.tie(one, other) == "exclusive" and self._is_noun(one) and self._is_noun(other):
                said, turned = ((Atom(word, (of,)), Atom(has, (whose, of))) for word, of, whose in
                                ((one, _X, _Y), (other, _Y, _X)))  # fmt: skip
                yield _closed(Implies(And(*said), And(*turned)))

    def above(self, word: str) -> frozenset[str]:
        """The first forms of a word and of all that it is a kind of."""
        if word not in self._above:
            found: dict[str, None] = {}
            todo, of = [word], self._part(word)
            while todo:
                if (each := todo.pop()) in self.words:
                    kinds = (_kind(axiom, each) for axiom in self.axioms_of(self.words[each]))
                    todo += [kind for kind in kinds if kind and kind not in found]
                lemma = self._lemma(each)
                todo += [kind for kind, members in of.kinds.items() if lemma in members and kind not in found]
                found |= dict.fromkeys((each, lemma))
            self._above[word] = frozenset(found)
        return self._above[word]

    def _part(self, id: str) -> Relations:
        """The relations of verbs, or of other words: what has more than two forms, and no copula in them, is a verb."""
        return self.language.relations_of_verbs if self._is_verb(id) else self.language.relations

    def _is_verb(self, id: str) -> bool:
        return id in self.words and self.words[id].is_verb and not self._copular(id)

    def _copular(self, id: str) -> bool:
        first = next(iter(self.words[id].forms.values())).partition(" ")
        return self.language.clauses is not None and first[0] in self.language.clauses.copulas and bool(first[2])

    def _causes(self, cause: str, effect: str) -> bool:
        """Whether who is done the one then does the other (*murder*, *die*), or who does one without an object."""
        of, (a, b) = self._part(cause), (self._lemma(cause), self._lemma(effect))
        objects = [OBJECT in self.words[each].columns for each in (cause, effect) if each in self.words]
        same = a == b and a in (*of.middle, *of.objectless)
        return objects == [True, False] and (same or a in of.undergone.get(b, ()))

    def _is_noun(self, id: str) -> bool:
        return id in self.words and len(self.words[id].forms) == 2

    def _is_adjective(self, id: str) -> bool:
        """Whether a word is an operator that is closed under nothing: how something is as what it is."""
        pattern = pattern_of(self.words[id], self.operators) if id in self.words else None
        return pattern is not None and pattern.kind == "neighbourhood"

    def _lemma(self, id: str) -> str:
        """The first form of a word, without a copula."""
        if id not in self.words:
            return id
        first = next(iter(self.words[id].forms.values()))
        return first.partition(" ")[2] if self._copular(id) else first

    def _uses(self, formulas: Sequence[Formula]) -> dict[str, dict[_Use, None]]:
        """The words of formulas with their uses."""
        found: dict[str, dict[_Use, None]] = defaultdict(dict)
        for node in (node for each in formulas for node in walk(each)):
            if isinstance(node, Atom) and node.predicate in self.words and node.args:
                found[node.predicate][len(node.args), None] = None
            elif isinstance(node, Modal) and isinstance(node.agent, Var | Const) and self._is_adjective(node.operator):
                body = as_formula(_with(node.body, node.agent))
                if {*free_variables(body)} <= {_X.name}:
                    found[node.operator][1, body] = None
        return found

    def _between(self, one: str, other: str, uses: Mapping[str, Mapping[_Use, None]]) -> Iterator[Formula]:
        tie, of = self.tie(one, other), self._part(one)
        for first, second in product(uses[one], uses[other]):
            if tie == "causes" and (first[0], second[0]) == (2, 1):
                whose, domain = _X if self._lemma(one) in of.objectless else _Y, self._domain(one, other)
                cause, effect = _said(one, first), _said(other, second, whose)
                each_of = [And(Atom(each, (_Y,)), cause) for each in self._of_kinds(domain, uses)]
                yield from (_closed(Implies(each, effect)) for each in (each_of if domain else [cause]))
            elif (
                first[0] == second[0]
                and tie in ("kind", "converse", "exclusive", "complementary")
                and _alike(first, second)
            ):
                a, b = _said(one, first), _said(other, second)
                if tie in ("kind", "converse"):
                    turned = Atom(other, (_Y, _X)) if first == (2, None) and tie == "converse" else b
                    yield _closed(Implies(a, turned))
                elif one < other:
                    yield from self._opposed(a, b, (one, other), uses)

    def _opposed(
        self, a: Formula, b: Formula, words: tuple[str, str], uses: Mapping[str, Mapping[_Use, None]]
    ) -> Iterator[Formula]:
        """That two opposites do not both hold, and of those that one of two has to hold of, that one does."""
        domain, pair = self._domain(*words), self._opposites(*words)
        last = _Y if _Y.name in free_variables(a) else _X
        kinds, never = self._of_kinds(domain, uses), Not(And(a, b))
        passing = not all(map(self._is_noun, words)) and not (self._is_verb(words[0]) and domain)
        if (self.at_two_times and passing) or (pair is not None and pair.alone and not _stands_alone(a)):
            return
        if self.tie(*words) == "complementary":
            yield _closed(never)
            yield from (_closed(Implies(Atom(each, (last,)), Or(a, b))) for each in kinds)
        elif domain:
            yield from (_closed(Implies(Atom(each, (last,)), never)) for each in kinds)
        else:
            yield _closed(never)

    def _of_kinds(self, domain: Collection[str], uses: Mapping[str, Mapping[_Use, None]]) -> list[str]:
        """The nouns of formulas that name something of some kinds; names name persons."""
        nouns = (each for each in sorted(uses) if (1, None) in uses[each] and self.above(each) & {*domain})
        return [*nouns, *({PERSON} & {*domain})]

    def _people(self, formulas: Sequence[Formula]) -> Iterator[Formula]:
        """That the first names of formulas name persons, which not every theory says."""
        every = {*symbols(*formulas).constants} & self.words.keys()
        people = (each for each in sorted(every) if GENDER in self.words[each].columns)
        yield from (Atom(PERSON, (Const(each),)) for each in people)

    def _opposites(self, one: str, other: str) -> Opposites | None:
        """The listed opposites that two words are kinds of."""
        every, first, second = self._part(one).opposites, self.above(one), self.above(other)
        return next((each for each in every if _apart(each.words, first, second)), None)

    def _domain(self, one: str, other: str) -> set[str]:
        """What two words are related of; empty if of everything."""
        if pair := self._opposites(one, other):
            return {*pair.of}
        only_of = self._part(one).only_of
        return {each for word in self.above(one) | self.above(other) for each in only_of.get(word, ())}


def _apart(group: Sequence[str], first: Collection[str], second: Collection[str]) -> bool:
    """Whether two words are kinds of two of a group."""
    one, other = ([each for each in group if each in kinds] for kinds in (first, second))
    return any(a != b and a not in second and b not in first for a in one for b in other)


def _alike(one: _Use, other: _Use) -> bool:
    """Whether two uses are of one kind: an adjective is no predicate, but where it says no more than one."""
    return None in (one[1], other[1]) or one[1] == other[1]


def _stands_alone(said: Formula) -> bool:
    """Whether an adjective stands before no noun: *is poor*, and no *poor nurse*."""
    return not isinstance(said, Modal) or (isinstance(said.body, Atom) and said.body.predicate == ONE)


def _kind(axiom: Formula, word: str) -> str:
    """What a word is a kind of by an axiom, `forall x. (poodle(x) -> dog(x))`; empty if it says no such thing."""
    while isinstance(axiom, Quantified) and axiom.quantifier == "forall" and axiom.restrictor == TRUE:
        axiom = axiom.scope
    match axiom:
        case Implies(Atom(predicate, args), Atom(kind, others)) if predicate == word and args == others:
            return kind
    return ""


def _said(word: str, use: _Use, of: Argument = _X) -> Formula:
    """A word in a use, said of `x` and `y`, or of one of them."""
    size, body = use
    if body is None:
        return Atom(word, (of,) if size == 1 else (_X, _Y, _Z)[:size])
    return Modal(word, of, substituted(body, {_X.name: of}))


def _closed(formula: Formula) -> Formula:
    def bound(inner: Formula, variable: str) -> Formula:
        return Quantified(quantifier="forall", variable=variable, restrictor=TRUE, scope=inner)

    return reduce(bound, sorted(free_variables(formula), reverse=True), formula)


def _with(node: Argument, agent: Argument) -> Argument:
    """A part of a formula with `x` in the place of a subject."""
    if node == agent:
        return _X
    return node if isinstance(node, Var | Const) else map_parts(lambda part: _with(part, agent), node)
