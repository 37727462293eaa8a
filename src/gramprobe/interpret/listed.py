"""What a language knows of listed words beside their formulas, as more premises to hold `neutral` against.

Whom Emma met met her, who was killed was killed by one alone, and what is in a box in a room is in the room: of such
words (`mutual`, `once` and `ordered` of a language) a formula says less.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import reduce
from itertools import product

from gramprobe.formula.ast import (
    TRUE,
    And,
    Argument,
    Atom,
    Const,
    Equal,
    Formula,
    Implies,
    Modal,
    Not,
    Quantified,
    Var,
    parts,
    walk,
)
from gramprobe.interpret.cautions import HAS, Words, about, operators_of
from gramprobe.interpret.read import Reader
from gramprobe.interpret.rewrites import distinct
from gramprobe.interpret.unsaid import kinds
from gramprobe.meaning.quantifiers import PERSON


def more_premises(said: Formula, asked: Formula, reader: Reader) -> Iterator[tuple[str, Formula | None]]:
    """What may be said more, each with a reason; None where no formula says it."""
    of = Words(reader.symbols, reader.grammar)
    predicates = [{n.predicate for n in walk(each) if isinstance(n, Atom)} for each in (said, asked)]
    both = sorted((of.symbols(said) & of.symbols(asked)) | (predicates[0] & predicates[1] & {*of.cautions.once}))
    for symbol in both:
        if spelt := of.listed(symbol, of.cautions.mutual):
            rules = [_mutual(symbol, places) for places in _places(symbol, said)]
            known = None if symbol in operators_of(said) else _all_of(rules)
            yield f"what `{spelt}` says may hold in both directions", known
        if spelt := of.listed(symbol, of.cautions.once) or (symbol if symbol in of.cautions.once else ""):
            twice = all(_is_modified(symbol, each, reader) for each in (said, asked))
            once = (_once(symbol, places) for places in _places(symbol, said) if places > 1)
            rules = [*once] if of.is_verb(symbol) else [_of_one(symbol)]
            known = None if twice else _all_of([distinct(said, asked), *_no_people(said, of), *rules])
            yield f"what `{spelt}` says may happen once only", known
    why = "what `{}` says of two may hold of the first and the last, or by way of another place"
    where = sorted({s for s in of.symbols(said) if of.listed(s, of.cautions.ordered)} & _relations(said))
    for symbol in sorted(of.symbols(asked)):
        spelt = of.listed(symbol, of.cautions.ordered)
        if spelt and symbol in operators_of(asked) and _leads_on(symbol, said, where, of):
            yield why.format(spelt), None  # *sang in the garden*, and the garden is in Rome
        elif spelt and symbol in kinds(asked, of.words) and symbol in kinds(said, of.words) and HAS in _relations(said):
            yield why.format(spelt), _by_way_of_one(symbol)  # an ancestor's ancestor
        elif spelt and symbol in _relations(asked):
            chains = [_by_way(one, then, symbol) for one, then in product(where, repeat=2)]
            named = sorted(each for each in kinds(said, of.words) if of.spelt(each)[:1].isupper())  # one England
            yield why.format(spelt), _all_of([*chains, *map(_one_place, named)])


def happens_once(formula: Formula, reader: Reader) -> bool:
    """Whether a formula has a verb of what happens once to the same."""
    of = Words(reader.symbols, reader.grammar)
    return any(of.listed(symbol, of.cautions.once) for symbol in of.symbols(formula))


def _leads_on(symbol: str, formula: Formula, places: Collection[str], of: Words) -> bool:
    """Whether of where something is done it is said where that is. A resident of a town may do it elsewhere."""
    where = {node.agent for node in walk(formula) if isinstance(node, Modal) and node.operator == symbol}
    first = {*_placed(formula, places, frozenset(), of)}
    return bool(where & first) or all(any(isinstance(each, Var) for each in some) for some in (where, first))


def _placed(part: Argument, places: Collection[str], people: frozenset[str], of: Words) -> Iterator[Argument]:
    """What prepositions say a place of; *of* says none of people."""
    if isinstance(part, Quantified):
        nouns = {each.predicate for each in about(part)} & of.words.keys()
        is_person = any(of.words[each].columns.get("sort") == PERSON for each in nouns)
        people = people | {part.variable} if is_person else people - {part.variable}
    if isinstance(part, Atom) and part.predicate in places and part.args:
        belongs = isinstance(part.args[0], Var) and part.args[0].name in people
        if not (belongs and of.listed(part.predicate, of.cautions.contents)):
            yield part.args[0]
    if not isinstance(part, Var | Const):
        for each in parts(part):
            yield from _placed(each, places, people, of)


def _relations(formula: Formula) -> set[str]:
    return {node.predicate for node in walk(formula) if isinstance(node, Atom) and len(node.args) == 2}


def _places(symbol: str, formula: Formula) -> list[int]:
    """The numbers of arguments that a predicate has in a formula."""
    return sorted({len(node.args) for node in walk(formula) if isinstance(node, Atom) and node.predicate == symbol})


def _is_modified(symbol: str, formula: Formula, reader: Reader) -> bool:
    """Whether a word stands below an adverbial, which may be said of one and the same event."""
    modals = (node for node in walk(formula) if isinstance(node, Modal) and node.agent is not None)
    return any(
        reader.is_factive(each.operator) and any(isinstance(n, Atom) and n.predicate == symbol for n in walk(each.body))
        for each in modals
    )


def _mutual(symbol: str, places: int) -> Formula:
    one, other, *more = map(Var, _variables(max(places, 2), "one", "other"))
    if places == 1:  # a relational noun: *Emma's sister*
        has = (And(Atom(symbol, (b,)), Atom(HAS, (a, b))) for a, b in ((one, other), (other, one)))
        return _for_all((one, other), Implies(*has))
    return _for_all((one, other, *more), Implies(Atom(symbol, (one, other, *more)), Atom(symbol, (other, one, *more))))


def _of_one(noun: str) -> Formula:
    """That nobody has two of whom a noun is true: *mother*."""
    whose, one, other = map(Var, ("whose", "one", "other"))
    both = (And(Atom(noun, (each,)), Atom(HAS, (whose, each))) for each in (one, other))
    return _for_all((whose, one, other), Implies(And(*both), Equal(one, other)))


def _once(symbol: str, places: int) -> Formula:
    """That nobody else does it to the same, and, of what is done to somebody for somebody, for nobody else."""
    one, what, *more = map(Var, _variables(places, "one", "what"))
    other, *others = (Var(f"{each.name}_too") for each in (one, *more))
    same = _all_of([Equal(a, b) for a, b in zip((one, *more), (other, *others), strict=True)])
    twice = And(Atom(symbol, (one, what, *more)), Atom(symbol, (other, what, *others)))
    return _for_all((one, what, *more, other, *others), Implies(twice, same))


def _no_people(formula: Formula, of: Words) -> Iterator[Formula]:
    """That what nouns of a formula name is no person, of which the lexicon does not know it: *the wind*."""
    for noun in sorted(kinds(formula, of.words)):
        if of.words[noun].columns.get("sort") != PERSON and len(of.words[noun].forms) == 2:
            x = Var("anything")
            yield _for_all((x,), Implies(Atom(noun, (x,)), Not(Atom(PERSON, (x,)))))


def _one_place(name: str) -> Formula:
    x, y = map(Var, ("first", "last"))
    return _for_all((x, y), Implies(And(Atom(name, (x,)), Atom(name, (y,))), Equal(x, y)))


def _by_way_of_one(noun: str) -> Formula:
    x, y, z = map(Var, ("first", "middle", "last"))
    one, other, both = (And(Atom(noun, (a,)), Atom(HAS, (b, a))) for a, b in ((x, y), (y, z), (x, z)))
    return _for_all((x, y, z), Implies(And(one, other), both))


def _by_way(before: str, then: str, whole: str) -> Formula:
    x, y, z = map(Var, ("first", "middle", "last"))
    return _for_all((x, y, z), Implies(And(Atom(before, (x, y)), Atom(then, (y, z))), Atom(whole, (x, z))))


def _variables(places: int, *names: str) -> list[str]:
    return [*names, *(f"more{number}" for number in range(places - len(names)))]


def _for_all(variables: Collection[Var], rule: Formula) -> Formula:
    return reduce(_of_each, reversed([*variables]), rule)


def _of_each(rule: Formula, variable: Var) -> Formula:
    return Quantified(quantifier="forall", variable=variable.name, restrictor=TRUE, scope=rule)


def _all_of(rules: Sequence[Formula]) -> Formula:
    nothing: Formula = TRUE
    return reduce(And, rules, nothing)
