"""The individuals of a model by name: whoever has none and is a person gets one of the lexicon."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from gramprobe.certify.model import Model
from gramprobe.resolve.grammar.data import Grammar, Lexeme
from gramprobe.resolve.grammar.types import E_TYPE
from gramprobe.resolve.tree import Given, Tree, nodes

USUAL = 4
"""The number of letters of the names that are given first."""
MOST_NAMED = 4
"""So many individuals without a name are given one at most."""


class Individuals:
    """Gives names to the individuals of models.

    ``phrases``: what the trees of a pair say of individuals; ``names``: the categories of names of a sort.
    """

    def __init__(self, phrases: Sequence[Tree], grammar: Grammar) -> None:
        self.phrases = phrases
        self.names = {
            name: each
            for name, each in grammar.categories.items()
            if each.type == E_TYPE and each.lexemes and each.fixed.get("sort")
        }

    def cast(self, model: Model, symbols: Mapping[str, Lexeme], taken: frozenset[str]) -> Model:
        """The model with a name for each person that has none and is something that the trees speak of. ``taken``: the
        names of the pair."""
        spoken = {each.value for tree in self.phrases for each in nodes(tree) if isinstance(each, Given)}
        given, named = dict(model.constants), {*model.constants.values()}
        for who in range(model.individuals):
            true = [p for p, worlds in model.predicates.items() if (who,) in worlds[model.actual]]
            nouns = [symbols[p] for p in true if p in spoken and symbols[p].columns.get("sort")]
            name = (
                self._name(nouns, true, taken | given.keys())
                if who not in named and (nouns or taken.intersection(true))
                else ""
            )
            if name and len(given) - len(model.constants) < MOST_NAMED:
                given[name] = who
        return replace(model, constants=given)

    def _name(self, nouns: Sequence[Lexeme], true: Sequence[str], taken: frozenset[str]) -> str:
        """A name that no other begins like, of the sort and gender of what somebody is; empty if there is none."""
        genders = {str(each.columns.get("gen") or "") for each in nouns} - {""}
        begun = {name[:1] for name in taken}
        for category in self.names.values():
            (sort, *_) = category.fixed["sort"]
            if any(each.columns["sort"] != sort for each in nouns) or not (nouns or sort in true):
                continue
            for each in sorted(category.lexemes, key=lambda each: abs(len(each.id) - USUAL)):
                if each.id[:1] not in begun and genders <= {each.columns.get("gen")}:
                    return each.id
        return ""
