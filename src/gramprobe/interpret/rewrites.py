"""Formulas with one thing said otherwise, to hold labels against: other operators, definites of several, names that may
be of one, adjectives that hang on their nouns, numbers that are not exceeded."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations

from msgspec.structs import replace

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
    Or,
    Presupposing,
    Quantified,
    Var,
    as_formula,
    bottom_up,
    map_parts,
    walk,
)
from gramprobe.formula.binding import free_variables, rename
from gramprobe.interpret.cautions import about
from gramprobe.interpret.read import Reader
from gramprobe.meaning.antecedents import tidied
from gramprobe.meaning.quantifiers import PERSON
from gramprobe.resolve.theory.data import NOTHING, Withheld

MATTERS = "matters"
"""A symbol that is true of what a definite speaks of, if there are others of its noun."""
UNIVERSAL = frozenset({"forall", "most"})
"""Quantifiers of which less is true, the more is said of what they are about."""
PLAIN = frozenset({"forall", "exists", "the"})
"""Quantifiers that count nothing, but for `the`, which is the case of another doubt."""


def with_others(formula: Formula, every: Sequence[Withheld], of_somebody: Collection[str] = ()) -> Formula:
    """A formula with other operators in the place of some, or with nothing there: one in which *must have* entails,
    and what is so is possible. ``of_somebody``: the operators that have an agent."""

    def other(part: Formula) -> Formula:
        for each in every:
            if isinstance(part, Modal) and part.operator in each.names:
                agent = part.agent if each.instead in of_somebody else None
                renamed = replace(part, operator=each.instead, agent=agent)
                part = part.body if each.instead == NOTHING else renamed
            elif isinstance(part, Atom) and part.predicate in each.names:
                part = replace(part, predicate=each.instead)
        return part

    return bottom_up(other, formula)


def left_open(formula: Formula, every: Collection[str]) -> Formula:
    """A formula in which what a word leaves open may be so of one and not of another: *often*, *still*."""

    def opened(part: Argument, bound: tuple[Var, ...]) -> Argument:
        if isinstance(part, Atom) and not part.args and part.predicate in every:
            return replace(part, args=bound)
        inside = (*bound, Var(part.variable)) if isinstance(part, Quantified) else bound
        return part if isinstance(part, Var | Const) else map_parts(lambda each: opened(each, inside), part)

    return as_formula(opened(formula, ()))


def without_knowing(formula: Formula, every: Collection[str], reader: Reader) -> Formula:
    """A formula in which nothing is presupposed of what some know: *I do not know that Emma sang*."""

    def known(part: Formula) -> bool:
        if isinstance(part, And):
            return known(part.left) or known(part.right)
        of_some = isinstance(part, Modal) and isinstance(part.agent, Const) and part.agent.name in every
        return of_some and isinstance(part, Modal) and reader.is_factive(part.operator)

    def put(part: Formula) -> Formula:
        return part.assertion if isinstance(part, Presupposing) and known(part.assertion) else part

    return bottom_up(put, formula)


def with_terms(formula: Formula, others: Mapping[Argument, Argument]) -> Formula:
    """A formula with other terms in the place of some, wherever these stand."""

    def put(node: Argument) -> Argument:
        if node in others:
            return others[node]
        return node if isinstance(node, Var | Const) else map_parts(put, node)

    return as_formula(put(formula))


def narrowed(formula: Formula) -> Formula:
    """A formula whose definites speak of one that matters, of possibly several: *the nurse sang* does not say that
    nobody else is a nurse, and *Emma's sister sang* not that she has no other one."""

    def narrow(part: Formula) -> Formula:
        if isinstance(part, Quantified) and part.quantifier == "the":
            return _mattering(part)
        return part

    return bottom_up(narrow, formula)


def of_several(formula: Formula) -> Iterator[str]:
    """The nouns of which a formula supposes that there are two at least: *the nurses*."""
    for node in walk(formula):
        granted = node.presupposition if isinstance(node, Presupposing) else None
        if isinstance(granted, Quantified) and granted.quantifier == "atleast" and granted.scope == TRUE:
            yield from (each.predicate for each in about(granted))


def in_question(formula: Formula) -> Formula:
    """A formula whose definites of a number speak of those that matter: *both nurses*, *all five nurses*."""

    def put(part: Formula) -> Formula:
        granted = part.presupposition if isinstance(part, Presupposing) else None
        if not (isinstance(part, Presupposing) and isinstance(granted, Quantified) and granted.quantifier == "exactly"):
            return part
        nouns = {each.predicate for each in about(granted)} if granted.scope == TRUE else ()
        those = of_those(part.assertion, nouns)
        return replace(part, presupposition=_mattering(granted), assertion=those) if nouns else part

    return bottom_up(put, formula)


def _mattering(phrase: Quantified) -> Quantified:
    return replace(phrase, restrictor=And(phrase.restrictor, Atom(MATTERS, (Var(phrase.variable),))))


def by_people(formula: Formula) -> Formula:
    """A formula in which what is done, by whatever it may be, is done by somebody: *the street was flooded*."""

    def done(part: Formula) -> Formula:
        if isinstance(part, Quantified) and part.quantifier == "exists" and part.restrictor == TRUE:
            what = part.scope
            if isinstance(what, Atom) and len(what.args) > 1 and what.args[0] == Var(part.variable):
                return replace(part, restrictor=Atom(PERSON, (Var(part.variable),)))
        return part

    return bottom_up(done, formula)


def beside_nouns(formula: Formula, reader: Reader) -> Formula:
    """A formula in which adjectives that depend on their noun (*clever*) are predicates of their own before each, and
    those of which it is not known that what the noun names is so (*a dry cook*; `plain` of the language)."""
    cautions = reader.grammar.language.cautions

    def hangs(adjective: str, noun: Formula) -> bool:
        of = reader.symbols.get(adjective)
        named = reader.symbols.get(noun.predicate) if isinstance(noun, Atom) else None
        if of is None or named is None:
            return False
        forms, columns = {*of.forms.values()}, named.columns
        plain = (*cautions.plain.get(str(columns.get("sort")), ()), *cautions.plain.get(str(columns.get("class")), ()))
        unknown = bool(cautions.plain) and not forms & {*plain}
        return bool(forms & {*cautions.relative}) or (len(named.forms) == 2 and unknown)

    def beside(part: Formula) -> Formula:
        if not isinstance(part, And):
            return part
        said = part.left
        if isinstance(said, Atom) and len(said.args) == 1:
            noun = part.right
            while isinstance(noun, And):
                noun = noun.right
            if isinstance(noun, Atom) and noun.args == said.args and hangs(said.predicate, noun):
                return And(Atom(f"{said.predicate}_{noun.predicate}", said.args), part.right)
        noun, said = said, part.right
        while isinstance(noun, And):
            noun = noun.left
        if isinstance(said, Modal) and isinstance(said.body, Atom) and isinstance(noun, Atom):
            alone = said.body.predicate not in reader.symbols and noun.args == said.body.args
            return And(part.left, replace(said, body=noun)) if alone and hangs(said.operator, noun) else part
        return part

    return bottom_up(beside, formula)


def in_progress(formula: Formula, operators: Collection[str], words: Collection[str]) -> Formula:
    """A formula in which some words are others below some operators: what is going on, and not what is done."""

    def put(part: Formula) -> Formula:
        if isinstance(part, Modal) and part.operator in operators:
            return replace(part, body=rename(part.body, {word: f"{word}_now" for word in words}))
        return part

    return bottom_up(put, formula)


def renamed(formula: Formula, one: str, other: str) -> Formula:
    """A formula with a predicate in the place of another."""

    def put(part: Formula) -> Formula:
        return replace(part, predicate=other) if isinstance(part, Atom) and part.predicate == one else part

    return bottom_up(put, formula)


def both(one: str, other: str) -> Formula:
    """That something is one and the other."""
    x = Var("x")
    return Quantified(quantifier="exists", variable="x", restrictor=Atom(one, (x,)), scope=Atom(other, (x,)))


def two_at_least(formula: Formula) -> Iterator[Formula]:
    """That there are two at least of which most do something (*most nurses*)."""
    for node in walk(formula):
        if isinstance(node, Quantified) and node.quantifier == "most" and len(free_variables(node.restrictor)) == 1:
            yield replace(node, quantifier="atleast", count=2, scope=TRUE)


def exactly(formula: Formula, ones: Collection[str]) -> Formula:
    """A formula with numbers that are not exceeded (Geurts 2006): *three* is three, and no more. ``ones``: nouns behind
    *one*."""

    def exact(part: Formula) -> Formula:
        if isinstance(part, Quantified) and part.quantifier == "atleast" and part.count != 1:
            return replace(part, quantifier="exactly")
        if isinstance(part, Quantified) and part.quantifier == "exists" and _is_about(part, ones):
            return replace(part, quantifier="exactly", count=1)
        return part

    return bottom_up(exact, formula)


def of_cases(formula: Formula, names: Collection[str], cases: dict[Formula, str]) -> Formula:
    """A formula whose conditionals speak of cases of their own for each antecedent (variably strict: Stalnaker 1968;
    Lewis 1973). ``cases``: their names by antecedent, for several formulas."""

    def put(part: Formula) -> Formula:
        if isinstance(part, Modal) and part.operator in names and isinstance(part.body, Implies):
            return replace(part, agent=Const(cases.setdefault(_shape(part.body.left), f"case_{len(cases)}")))
        return part

    return bottom_up(put, formula)


def case_by_case(formula: Formula, names: Collection[str], known: Collection[Formula]) -> Formula:
    """A formula that says of *this or that* in an antecedent what it says of each, from which it follows; not where it
    is ``known`` as an antecedent."""
    if isinstance(formula, And):
        return And(case_by_case(formula.left, names, known), case_by_case(formula.right, names, known))
    if isinstance(formula, Modal) and formula.operator in names and isinstance(formula.body, Implies):
        case, then = formula.body.left, formula.body.right
        if isinstance(case, Or) and _shape(case) not in known:
            each = (replace(formula, body=Implies(one, then)) for one in (case.left, case.right))
            return And(*(case_by_case(one, names, known) for one in each))
    return formula


def possible_cases(said: Formula, asked: Formula, names: Collection[str]) -> Iterator[Formula]:
    """That what an antecedent says may be so, of each that has no free variable."""
    for node in (*walk(said), *walk(asked)):
        case = node.body if isinstance(node, Modal) and node.operator in names else None
        if isinstance(node, Modal) and isinstance(case, Implies) and not free_variables(case.left):
            yield Not(replace(node, agent=None, body=Not(case.left)))


def _shape(formula: Formula) -> Formula:
    """A formula without the names of its variables."""
    return tidied(formula, {name: f"free{number}" for number, name in enumerate(free_variables(formula))})[0]


def of_others(formula: Formula, reader: Reader) -> Formula:
    """A formula that says nothing of whoever does something to themselves: *everybody praised Emma* leaves her out, and
    who *was praised* was by somebody else."""
    return _of_others(formula, {}, reader)  # type: ignore[return-value]


def _of_others(node: Argument, people: Mapping[str, bool], reader: Reader) -> Argument:
    """``people``: the variables that people are meant by -> whether less is so if they leave somebody out."""
    other = {name: not less for name, less in people.items()}
    if isinstance(node, Not):
        return Not(as_formula(_of_others(node.body, other, reader)))
    if isinstance(node, Implies):
        left, right = _of_others(node.left, other, reader), _of_others(node.right, people, reader)
        return Implies(as_formula(left), as_formula(right))
    if isinstance(node, Quantified):
        less = node.quantifier not in UNIVERSAL
        before, behind = ({**of, node.variable: so} for of, so in ((people, True), (people, less)))
        if not _of_people(node, reader):
            before = behind = {name: so for name, so in people.items() if name != node.variable}
        restrictor, scope = (_of_others(node.restrictor, before, reader), _of_others(node.scope, behind, reader))
        return replace(node, restrictor=as_formula(restrictor), scope=as_formula(scope))
    found = node if isinstance(node, Atom) else map_parts(lambda part: _of_others(part, people, reader), node)
    if isinstance(node, Atom):
        every: Sequence[Argument] = node.args
    elif isinstance(node, Modal) and node.agent is not None:
        every = (node.agent, *map(Var, free_variables(node.body)))
    else:
        return found
    for name, less in people.items():
        for one in dict.fromkeys(every) if Var(name) in every else ():
            if isinstance(one, Const) or (isinstance(one, Var) and one.name in [*people][: [*people].index(name)]):
                same = Equal(Var(name), one)
                found = And(as_formula(found), Not(same)) if less else Or(as_formula(found), same)
    return found


def _of_people(phrase: Quantified, reader: Reader) -> bool:
    """Whether a noun phrase is of people, or of whatever it may be."""
    nouns = {node.predicate for node in about(phrase)}
    sorts = {word.columns.get("sort") for each in nouns if (word := reader.symbols.get(each)) is not None}
    guessed = any(each in reader.words.guessed for each in nouns)
    return phrase.restrictor == TRUE or guessed or PERSON in {*nouns, *sorts}


def distinct(*formulas: Formula) -> Formula:
    """That the names of formulas are those of different ones."""
    every = sorted({node.name for formula in formulas for node in walk(formula) if isinstance(node, Const)})
    apart: Formula = TRUE
    for one, other in combinations(every, 2):
        apart = And(apart, Not(Equal(Const(one), Const(other))))
    return apart


def at_least_two(node: Argument, nouns: Collection[str]) -> Formula:
    """A formula with two at least where nouns of several stand (*nurses*), but not where that is denied, nor below
    others of several: *all managers have cars*, one each (Zweig 2009)."""
    if isinstance(node, Not | Implies | Var | Const):
        return node  # type: ignore[return-value]
    if isinstance(node, Quantified):
        scope = at_least_two(node.scope, nouns)
        if node.quantifier == "exists" and _is_about(node, nouns):
            return replace(node, quantifier="atleast", count=2, scope=scope)
        dependent = node.quantifier in UNIVERSAL and _is_about(node, nouns)
        return node if dependent else replace(node, scope=scope)
    return as_formula(map_parts(lambda part: at_least_two(part, nouns), node))


def of_those(formula: Formula, nouns: Collection[str], most: int | None = None) -> Formula:
    """A formula whose quantifiers are about those that matter, of some nouns: *all the nurses* are not all. ``most``:
    not those that count further, and say how many there are."""

    def put(part: Formula) -> Formula:
        if not isinstance(part, Quantified) or not _is_about(part, nouns):
            return part
        counts_on = most is not None and isinstance(part.count, int) and part.count > most
        return part if counts_on else _mattering(part)

    return bottom_up(put, formula)


def of_none(formula: Formula, nouns: Collection[str]) -> Formula:
    """A formula that denies of each, of some nouns, what it denies of all: *did not feed the dogs* (Löbner 2000)."""

    def put(part: Formula) -> Formula:
        if isinstance(part, Quantified) and part.quantifier == "forall" and _is_about(part, nouns):
            return replace(part, quantifier="exists")
        return part

    def below(part: Formula) -> Formula:
        return replace(part, body=bottom_up(put, part.body)) if isinstance(part, Not | Modal) else part

    return bottom_up(below, formula)


def _is_about(phrase: Quantified, nouns: Collection[str]) -> bool:
    return any(each.predicate in nouns for each in about(phrase))


def of_all(formula: Formula, nouns: Collection[str]) -> Formula:
    """A formula in which what some do, of some nouns, all do: *dogs chase cats* (Carlson 1977)."""

    def put(part: Formula) -> Formula:
        if not isinstance(part, Quantified) or part.quantifier != "exists" or not _is_about(part, nouns):
            return part
        subjects = (node.args[:1] for node in walk(part.scope) if isinstance(node, Atom))
        return replace(part, quantifier="forall") if (Var(part.variable),) in subjects else part

    return bottom_up(put, formula)


def unplaced(formula: Formula, reader: Reader) -> Formula:
    """A formula that does not say where that is to which something is done: *saw a dog in the garden*, from there."""
    places = {*reader.grammar.language.cautions.places}

    def is_place(node: Formula, variable: str) -> bool:
        word = reader.symbols.get(node.predicate) if isinstance(node, Atom) and node.args else None
        said = word is not None and {form.split()[0] for form in word.forms.values()} & places
        return bool(said) and isinstance(node, Atom) and node.args[0] == Var(variable)

    def without(node: Formula, variable: str) -> Formula:
        if not isinstance(node, And):
            return node
        if is_place(node.right, variable):
            return without(node.left, variable)
        return And(without(node.left, variable), node.right)

    def put(part: Formula) -> Formula:
        if not isinstance(part, Quantified) or not isinstance(part.scope, Atom):
            return part
        is_object = Var(part.variable) in part.scope.args[1:]
        return replace(part, restrictor=without(part.restrictor, part.variable)) if is_object else part

    return bottom_up(put, formula)
