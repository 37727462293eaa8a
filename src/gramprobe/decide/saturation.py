"""Saturation: what fills a place of a predicate wherever the predicate occurs in a pair is made a part of it.

    forall x. (dog(x), chase(x, jo))                     forall x. (dog(x), chase@jo(x))
    forall x. (dog(x), the y. (cat(y), chase(x, y)))     forall x. (dog(x), d / chase@d(x))

The fillers are names and descriptions. The letter `d` says that one individual is a cat and no other; the words of the
description occur nowhere else. A model of the pair gives its saturation one with the same values, so what has no model
saturated has none at all. A model of the saturation becomes one of the pair if each filler without a bearer gets one of
its own; the kernel looks at it, as the postulates may say more of a filler than the saturation does.

Pairs that differ in their objects have the same saturation, and it has fewer places, names and quantifiers.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, product

import msgspec
from msgspec import structs

from gramprobe.certify.check import canonical_text
from gramprobe.certify.model import Model
from gramprobe.decide.part import Pair
from gramprobe.decide.verdict import displayed
from gramprobe.formula.ast import Formula
from gramprobe.formula.canonical import Renaming, canonical
from gramprobe.formula.encoding import Json, atoms, formula_from, nodes, theory_from_json
from gramprobe.formula.theory import MIDDLE, Projection, TheorySlice

_SELF = ["var", "self"]


@dataclass(frozen=True, slots=True)
class Filler:
    """A description that fills a place: the atoms true of what it describes alone, this being the variable `self`.

    Attributes:
        name: Its letter, and the name of what it describes.
        atoms: The atoms of its restrictor.
        anywhere: Whether it stands under an operator somewhere, so that it describes something else at each world.
    """

    name: str
    atoms: tuple[Json, ...]
    anywhere: bool


@dataclass(frozen=True, slots=True)
class Saturation:
    """A pair with saturated predicates.

    Attributes:
        pair: The saturated pair, in the names of its own shape.
        renaming: From the names of saturated predicates to those of the pair.
        predicates: For each saturated predicate its predicate, and for each place the filler, if it has one.
        fillers: The descriptions that were replaced.
        names: All names of the pair.
        words: All its predicates.
        rules: The postulates that infer an atom from another, as lists of a predicate and variables.
    """

    pair: Pair
    renaming: Renaming
    predicates: Mapping[str, tuple[str, tuple[str | None, ...]]]
    fillers: tuple[Filler, ...]
    names: tuple[str, ...]
    words: tuple[str, ...]
    rules: tuple[tuple[list[str], list[str]], ...]

    def own(self, model: Model) -> Model:
        """A candidate for a model of the pair: a filler that denotes nothing yet gets an individual of its own, and
        what postulates infer from atoms is true, too."""
        given = displayed(model, self.renaming)
        bearers, people = dict(given.constants), given.individuals
        known = {who for extension in given.predicates.values() for here in extension for each in here for who in each}
        free = [who for who in range(people) if who not in known and who not in bearers.values()]
        for name in (*self.names, *(each.name for each in self.fillers)):
            if name not in bearers:
                if not free:
                    free, people = [people], people + 1
                bearers[name] = free.pop()
        later = people - given.individuals  # occasions are numbered behind individuals
        worlds = [dict[str, set[tuple[int, ...]]]() for _ in range(given.worlds)]
        for name, extension in given.predicates.items():
            predicate, places = self.predicates.get(name, (name, None))
            for world, members in zip(worlds, extension, strict=True):
                own = world.setdefault(predicate, set())
                for each in members:
                    if later and given.occasions:
                        each = tuple([who if who < given.individuals else who + later for who in each])
                    own.add(each if places is None else _full(each, places, bearers))
        for world in worlds:
            for filler in self.fillers:
                unique = world.pop(filler.name, ())
                for _, predicate, *terms in filler.atoms:
                    own = world.setdefault(predicate, set())
                    if unique:
                        own.add(tuple([bearers[filler.name if term == _SELF else term[1]] for term in terms]))
            self._infer(world)
        return replace(
            given,
            individuals=people,
            constants={name: bearers[name] for name in self.names},
            predicates={name: tuple([frozenset(world.get(name, ())) for world in worlds]) for name in self.words},
        )

    def _infer(self, world: dict[str, set[tuple[int, ...]]]) -> None:
        """Add to the predicates of a world what rules infer."""
        grown = True
        while grown:
            grown = False
            for (predicate, *variables), (other, *others) in self.rules:
                for each in [*world.get(predicate, ())]:
                    values = dict(zip(variables, each, strict=True))
                    inferred = tuple([values[variable] for variable in others])
                    if inferred not in world.setdefault(other, set()):
                        world[other].add(inferred)
                        grown = True


def _full(members: tuple[int, ...], places: tuple[str | None, ...], bearers: Mapping[str, int]) -> tuple[int, ...]:
    """The individuals at all places, of those at the open ones."""
    rest = iter(members)
    return tuple([next(rest) if filler is None else bearers[filler] for filler in places])


def saturation_of(pair: Pair) -> Saturation | None:
    """The saturation of a pair; None if nothing fills a place. Raises ValueError for one without a truth value."""
    if '"const"' not in pair.text and '"the"' not in pair.text:
        return None
    found = _under_middle(replace(pair, theory={**pair.theory, "projection": MIDDLE.data}).text)
    if found is None:
        return None
    saturation, premise, hypothesis, theory = found
    text, _ = canonical(
        premise, hypothesis, structs.replace(theory, projection=Projection.of(pair.theory["projection"]))
    )
    return replace(saturation, pair=Pair(**msgspec.json.decode(text)))


@lru_cache(maxsize=2048)  # theories with other projections follow one another
def _under_middle(text: str) -> tuple[Saturation, Formula, Formula, TheorySlice] | None:
    """The saturation of a pair under middle Kleene, by its text, and its formulas and theory in names of their own:
    these are the same under each projection."""
    pair = Pair(*msgspec.json.decode(text))
    formulas, postulates = (pair.premise, pair.hypothesis), pair.theory["postulates"]
    fillers = _fillers(formulas)
    while True:
        full = [_replaced(formula, fillers, {}) for formula in formulas]
        cut = _Cut(full)
        if not fillers and not cut.places:
            return None
        premise, hypothesis = map(cut.formula, full)
        # names denote the same in all worlds, and may be said to differ; descriptions may not
        no_names = {each.name for each in fillers.values() if each.anywhere or pair.theory["distinct"]}
        left = no_names & {*_names(premise), *_names(hypothesis)}
        if not left:
            break
        fillers = {key: each for key, each in fillers.items() if each.name not in left}
    gone = {atom[1] for each in fillers.values() for atom in each.atoms}
    moving = {each.name for each in fillers.values() if each.anywhere}
    said = [cut.formula(each) for every in postulates for each in _instances(every, cut, gone, moving)]
    said = [each for each in said if no_names.isdisjoint(_names(each))]
    own = formula_from(premise), formula_from(hypothesis), theory_from_json({**pair.theory, "postulates": said})
    short, renaming = canonical(*own)
    every = (*formulas, *postulates)
    saturation = Saturation(
        pair=Pair(**msgspec.json.decode(short)),
        renaming=renaming,
        predicates=cut.made,
        fillers=tuple(fillers.values()),
        names=tuple(dict.fromkeys(chain(*map(_names, every)))),
        words=tuple(dict.fromkeys(atom[1] for formula in every for atom in atoms(formula))),
        rules=tuple(_rules(postulates)),
    )
    return saturation, *own


def _fillers(formulas: Sequence[Json]) -> dict[str, Filler]:
    """The descriptions that can be replaced, by the text of their restrictor: their words occur in no other place but
    other such descriptions, and none describes what another one does."""
    found: dict[str, Filler] = {}
    fixed: set[str] = set()
    others: set[str] = set()

    def visit(formula: Json, within: bool) -> None:
        if formula[0] == "atom":
            others.add(formula[1])
            return
        description = _description(formula)
        if description is not None:
            key, joined = description
            before = found.get(key)
            if before is None:
                found[key] = Filler(f"d{len(found)}", joined, within)
            elif within:
                found[key] = replace(before, anywhere=True)
            if _crosses(formula[6], formula[3], False):
                fixed.add(key)
            visit(formula[6], within)
            return
        inside = within or formula[0] in ("modal", "here")
        for part in formula[1:]:
            if type(part) is list:
                visit(part, inside)

    for formula in formulas:
        visit(formula, False)
    while True:
        texts = {key: frozenset(map(canonical_text, each.atoms)) for key, each in found.items()}
        wrong = [
            key
            for key, each in found.items()
            if (key in fixed and each.anywhere)
            or not others.isdisjoint([atom[1] for atom in each.atoms])
            or any(other != key and texts[key] <= those for other, those in texts.items())
        ]
        if not wrong:
            return found
        for key in wrong:
            others.update([atom[1] for atom in found.pop(key).atoms])


def _description(formula: Json) -> tuple[str, tuple[Json, ...]] | None:
    """The restrictor of a description of an individual as a text, and the atoms that it joins, with `self` for its
    variable; None if it says something else."""
    if formula[0] != "quantified" or formula[1] != "the" or formula[4] != "individual":
        return None
    variable = ["var", formula[3]]
    joined = _joined(formula[5], True)
    if not joined or not all(variable in atom for atom in joined) or any(_others(atom, variable) for atom in joined):
        return None
    restrictor = _put(formula[5], {formula[3]: _SELF})
    return canonical_text(restrictor), tuple(atoms(restrictor))


def _joined(formula: Json, positive: bool) -> list[Json] | None:
    """The atoms of which a formula, or its denial, is a conjunction; None if it is no such thing."""
    match formula[0]:
        case "atom" if positive:
            return [formula]
        case "not":
            return _joined(formula[1], not positive)
        case "and" | "implies" as head if positive == (head == "and"):
            left, right = _joined(formula[1], True), _joined(formula[2], positive)
            return None if left is None or right is None else left + right
    return None


def _others(atom: Json, variable: Json) -> bool:
    """Whether an atom has a variable beside this one."""
    return any(term[0] == "var" and term != variable for term in atom[2:])


def _crosses(formula: Json, variable: str, within: bool) -> bool:
    """Whether a variable occurs below an operator."""
    if formula[0] == "var":
        return within and formula[1] == variable
    inside = within or formula[0] in ("modal", "here")
    return any(_crosses(part, variable, inside) for part in formula[1:] if type(part) is list)


def _put(formula: Json, terms: Mapping[str, Json]) -> Json:
    """The formula with terms for variables; no two quantifiers in each other bind the same variable."""
    if formula[0] == "var":
        return terms.get(formula[1], formula)
    return [_put(part, terms) if type(part) is list else part for part in formula]


def _replaced(formula: Json, fillers: Mapping[str, Filler], terms: Mapping[str, Json]) -> Json:
    """The formula without the descriptions of the fillers, and with terms for variables."""
    if formula[0] == "var":
        return terms.get(formula[1], formula)
    description = _description(formula) if fillers else None
    if description is not None:
        filler = fillers.get(description[0])
        if filler is not None:
            scope = _replaced(formula[6], fillers, {**terms, formula[3]: ["const", filler.name]})
            return ["presupposing", ["atom", filler.name], scope]
    return [_replaced(part, fillers, terms) if type(part) is list else part for part in formula]


class _Cut:
    """Takes out of atoms the terms at the places that are filled in each atom of a predicate in some formulas.

    Attributes:
        places: For each predicate those places, if there are any, with the names that fill them.
        made: For each saturated predicate what it was, and its fillers.
    """

    def __init__(self, formulas: Sequence[Json]) -> None:
        self.made: dict[str, tuple[str, tuple[str | None, ...]]] = {}
        terms: dict[str, list[list[Json]]] = {}
        for formula in formulas:
            for _, predicate, *those in atoms(formula):
                for place, term in enumerate(those):
                    at = terms.setdefault(predicate, [[] for _ in those])
                    at[place].append(term)
        self.places: dict[str, dict[int, list[str]]] = {}
        for predicate, at in terms.items():
            filled = {
                place: [*dict.fromkeys(term[1] for term in those)]
                for place, those in enumerate(at)
                if all(term[0] == "const" for term in those)
            }
            if filled:
                self.places[predicate] = filled

    def formula(self, formula: Json) -> Json:
        """The formula with saturated predicates."""
        if formula[0] == "atom":
            _, predicate, *terms = formula
            places = self.places.get(predicate)
            if places is None:
                return formula
            fillers = tuple([term[1] if place in places else None for place, term in enumerate(terms)])
            name = "@".join([predicate, *(each or "" for each in fillers)])
            self.made[name] = predicate, fillers
            return ["atom", name, *(term for place, term in enumerate(terms) if place not in places)]
        return [self.formula(part) if type(part) is list else part for part in formula]


def _instances(postulate: Json, cut: _Cut, gone: Container[str], moving: Collection[str]) -> Iterator[Json]:
    """What a postulate says of the names at filled places; nothing, if it is about words that are gone, or otherwise
    than about all individuals."""
    variables, body = _universal(postulate)
    values: dict[str, dict[str, None]] = {}
    for _, predicate, *terms in atoms(body):
        if predicate in gone:
            return
        for place, names in cut.places.get(predicate, {}).items():
            if terms[place][0] == "var":
                values.setdefault(terms[place][1], {}).update(dict.fromkeys(names))
    if not values.keys() <= {*variables}:
        return
    modal = any(each[0] in ("modal", "here") for each in nodes(body))
    for those in product(*values.values()):
        if modal and not {*those}.isdisjoint(moving):
            continue
        instance = _put(body, {variable: ["const", name] for variable, name in zip(values, those, strict=True)})
        for variable in reversed(variables):
            if variable not in values:
                instance = ["quantified", "forall", None, variable, "individual", ["true"], instance]
        yield instance


def _rules(postulates: Sequence[Json]) -> Iterator[tuple[list[str], list[str]]]:
    for postulate in postulates:
        variables, body = _universal(postulate)
        if body[0] == "implies" and body[1][0] == body[2][0] == "atom":
            one, other = ([predicate, *(term[1] for term in terms)] for _, predicate, *terms in body[1:])
            if {*other[1:]} <= {*one[1:]} <= {*variables} and len({*one[1:]}) == len(one[1:]):
                yield one, other


def _universal(formula: Json) -> tuple[list[str], Json]:
    """The variables of the quantifiers over all individuals that stand before a formula, and what stands behind."""
    variables = []
    while formula[:3] == ["quantified", "forall", None] and formula[4:6] == ["individual", ["true"]]:
        variables.append(formula[3])
        formula = formula[6]
    return variables, formula


def _names(formula: Json) -> Iterator[str]:
    return (node[1] for node in nodes(formula) if node[0] == "const")
