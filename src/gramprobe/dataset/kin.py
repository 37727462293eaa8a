"""The words of a formula over slots, and how the words that fill them are tied by axioms: by column."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from gramprobe.dataset.plan import Plan
from gramprobe.formula import ast
from gramprobe.formula.ast import Formula
from gramprobe.formula.measure import symbols
from gramprobe.formula.notation import show
from gramprobe.meaning.compose import CLOSE, OPEN
from gramprobe.resolve.rename import rename
from gramprobe.resolve.theory import without_pure
from gramprobe.resolve.tree import Slot
from gramprobe.space.space import Draws
from gramprobe.words.realise import drawn_category

Codes = NDArray[np.int64]


@cache
def spoken_of(formula: Formula) -> tuple[str, ...]:
    """Every symbol of a formula, in reading order."""
    found = symbols(formula)
    names = (*(p for p, _ in found.predicates), *found.constants, *(o for o, *_ in found.operators))
    return tuple(dict.fromkeys((*names, *(a.name for _, a in found.operators if isinstance(a, ast.Const)))))


def places(formula: Formula) -> tuple[str, ...]:
    """The slots' symbols in a formula, in reading order."""
    return tuple(n for n in spoken_of(formula) if n.startswith(OPEN))


def slot_of(place: str, plan: Plan) -> Slot:
    """``‹change.pre›`` to the slot it names; the symbol may end in a column."""
    path = place.removeprefix(OPEN).removesuffix(CLOSE)
    if path in plan.space.slots:
        return plan.space.slots[path]
    name, _, column = path.rpartition(".")
    slot = plan.space.slots[name]
    declared = plan.grammar.categories[slot.category].columns[column]
    return Slot(name, declared.type, False, column)


def filled(formula: Formula, plan: Plan, draws: Draws, row: int) -> Formula:
    """The formula of one instance: symbols of slots become ids of lexemes."""
    names = {}
    for place in places(formula):
        slot = slot_of(place, plan)
        names[place] = plan.realiser.lexeme(slot, int(draws.columns[slot.name][row])).id
    return rename(formula, names)


class Kin:
    """How words are related by axioms, by column of one selection of draws."""

    def __init__(self, plan: Plan, draws: Draws):
        self.plan, self.draws = plan, draws
        self.constants = frozenset(plan.grammar.constants)
        self._ids: dict[Slot, tuple[str, ...]] = {}
        self._axioms: dict[tuple[Slot, frozenset[str]], Codes] = {}
        self._relations: dict[tuple[Slot, Slot], Codes | None] = {}
        self._kin: dict[str, frozenset[str]] = {}

    def ids(self, slot: Slot) -> tuple[str, ...]:
        """The symbol that each member drawn for the slot puts there."""
        if slot not in self._ids:
            drawn = self.plan.grammar.categories[drawn_category(self.plan.space, slot)]
            self._ids[slot] = tuple(self.plan.realiser.lexeme(slot, m).id for m in range(len(drawn.lexemes)))
        return self._ids[slot]

    def axioms(self, slot: Slot, named: frozenset[str]) -> Codes:
        """For each row the number of what the axioms say of the word in the slot, when constants ``named`` are
        spoken of."""
        spoken = named & self.constants
        if (slot, spoken) not in self._axioms:
            texts: dict[str, int] = {}
            by_schemas: dict[tuple[int, ...], str] = {}
            codes = []
            for id_ in self.ids(slot):
                schemas = self.schemas(id_)
                if schemas is None:  # tied to other words: a text of its own
                    text = self.axiom_text(id_, spoken)
                else:
                    if schemas not in by_schemas:
                        by_schemas[schemas] = self.axiom_text(id_, spoken)
                    text = by_schemas[schemas]
                codes.append(texts.setdefault(text, len(texts)))
            self._axioms[slot, spoken] = np.array(codes, np.int64)[self.draws.columns[slot.name]]
        return self._axioms[slot, spoken]

    def schemas(self, id_: str) -> tuple[int, ...] | None:
        """The schemas that apply to a word; None when one of them mentions another column of it."""
        lexeme = self.plan.symbols.get(id_)
        if lexeme is None:
            return ()
        found = self.plan.theory.schemas_of(lexeme)
        return None if any(self.plan.theory.schemas[i].columns for i in found) else found

    def axiom_text(self, id_: str, spoken: frozenset[str]) -> str:
        """The axioms that touch a word and can matter, with its name and those of its kin blanked."""
        known = {name: f"*{n}" for n, name in enumerate([id_, *sorted(self.kin(id_) - {id_})])}
        axioms = without_pure([a for n in known for a in self._of(n)], spoken | {id_})
        return " ; ".join(show(rename(a, known)) for a in axioms)

    def _of(self, name: str) -> tuple[Formula, ...]:
        lexeme = self.plan.symbols.get(name)
        return self.plan.theory.axioms_of(lexeme) if lexeme else ()

    def kin(self, id_: str) -> frozenset[str]:
        """The symbols that axioms tie to a word, itself included; declared constants (person, has) tie nothing."""
        if id_ not in self._kin:
            reached, todo = {id_}, [id_]
            while todo:
                for axiom in self._of(todo.pop()):
                    used = symbols(axiom)
                    for name in (*(p for p, _ in used.predicates), *used.constants):
                        if name not in reached and name not in self.constants:
                            reached.add(name)
                            todo.append(name)
            self._kin[id_] = frozenset(reached)
        return self._kin[id_]

    def relation(self, one: Slot, other: Slot) -> Codes | None:
        """For each row 0: unrelated, 1: one word, else a number for this very couple of related words; None when
        all rows are unrelated."""
        if (one, other) not in self._relations:
            self._relations[one, other] = self._relation(one, other)
        return self._relations[one, other]

    def _relation(self, one: Slot, other: Slot) -> Codes | None:
        numbers: dict[str, int] = {}
        sides = [np.array([numbers.setdefault(i, len(numbers)) for i in self.ids(s)], np.int64) for s in (one, other)]
        a, b = (n[self.draws.columns[s.name]] for n, s in zip(sides, (one, other), strict=True))
        relation = (a == b).astype(np.int64)
        names = list(numbers)
        tied = np.array([len(self.kin(n)) > 1 for n in names])
        for row in np.flatnonzero((tied[a] | tied[b]) & (a != b)):
            if self.kin(names[a[row]]) & self.kin(names[b[row]]):
                relation[row] = 2 + a[row] * len(names) + b[row]
        return relation if relation.any() else None
