"""The principles that a label rests on, in the words of the field: `factivity of know; closure of believe`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gramprobe.decide.question import Need
from gramprobe.formula.ast import Formula
from gramprobe.formula.canonical import Renaming, restored
from gramprobe.formula.encoding import formula_from

FACTIVITY = "factivity"
"""The principle that what an attitude is of is true."""
_OF_ATTITUDES = {
    "reflexive": FACTIVITY,
    "serial": "consistency",
    "transitive": "positive introspection",
    "euclidean": "negative introspection",
}
_OF_MODALS = {
    "reflexive": "reflexivity",
    "serial": "seriality",
    "transitive": "transitivity",
    "euclidean": "euclideanness",
    "symmetric": "symmetry",
    "functional": "functionality",
}
_TAKES_AGENT = re.compile(r'\["modal","(\w+)",\[')
"""An operator of a canonical text that takes an agent."""


def searched(proof: Mapping[str, Any]) -> str:
    """How far a search went: `3 worlds and 3 individuals`."""
    return f"{counted(proof['worlds'], 'world')} and {counted(proof['individuals'], 'individual')}"


def counted(number: int, noun: str) -> str:
    """A number with its noun: `1 world`, `3 worlds`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def looked_for(proof: Mapping[str, Any]) -> str:
    """The end of a sentence `no model ...` about an unproved absence: `was found with up to 1 world and 3 individuals,
    and larger ones were not searched`."""
    if proof["kind"] == "prover":
        return f"exists, as the prover {proof['name']} says, and nothing here can check it"
    return f"was found with up to {searched(proof)}, and larger ones were not searched"


def worded(
    needs: Sequence[Need],
    shape_text: str,
    theory: Mapping[str, Any],
    renaming: Renaming,
    glosses: Mapping[str, str],
    granted: bool,
) -> Iterator[str | Formula]:
    """Each principle as a phrase, a postulate as its formula, in the names of the pair; operators by their gloss.

    ``theory``: that of the shape, as JSON data. With `granted`, a closure that is taken for granted is left out.
    """
    short = {short: name for name, short in renaming.operators.items()}
    attitudes = list(dict.fromkeys(_TAKES_AGENT.findall(shape_text)))
    for each in attitudes:  # an operator related to an attitude counts as an attitude
        for name, _, _, *others in theory["operators"]:
            related = [other for names in others for other in names]
            more = related if name == each else [name] if each in related else []
            attitudes += [other for other in more if other not in attitudes]
    for need in needs:
        kind, *parts = need.principle
        if kind == "postulate":
            yield restored(formula_from(theory["postulates"][parts[0]]), renaming)
        elif kind == "distinct":
            yield "different bearers of different names"
        else:
            names = [glosses.get(short[each], short[each]) for each in parts if each in short]
            if kind == "closure":
                if need.model is not None or not granted:
                    yield f"closure of {names[0]}"
            elif kind == "within":
                yield f"{names[1]} implies {names[0]}"
            elif kind == "introspected_by":
                yield f"introspection of {names[0]} by {names[1]}"
            else:
                words = _OF_ATTITUDES if parts[0] in attitudes else {}
                yield f"{words.get(parts[1], _OF_MODALS[parts[1]])} of {names[0]}"
