"""A compiled grammar as text for NLTK's feature grammars (Bird, Klein & Loper 2009, ch. 9).

One line for every production, and for every form of every word::

    Cl[mode=negated, fun=Clause, fun.s=0, fun.v=3, fun.t=past] -> NP[num=sg] "did" "n't" VP[form=base]
    N[num=sg, onset=c, id=cat] -> "cat"

Before the productions of a constructor stands a comment with its constraints: what is broken where a daughter has
another value of a feature, and the conditions with their names (`compiled.data`)::

    # Clause  agree sv: NP.num; form: VP.form; plausible: selects(v, s); plausible: suits(t, v)

``fun`` names the constructor; ``fun.s=0`` says that the argument ``s`` is daughter 0, ``fun.t=past`` which value a
feature argument has. Arguments without words are not mentioned. What mother and head share is a variable. A feature
that holds words has their number as its value. What is carried upward is a feature as well. Where several parts may
carry it, or something ends it, a category without words says how they go together (`fcfg_carried`)::

    VP[form=?form, gap=?gap, fun=Transitive, ...] -> V2[form=?form] NP[gap=?gap]
    NP[reflexive=?reflexive, fun=Or, ...] -> NP[reflexive=?reflexive_0] "or" NP[reflexive=?reflexive_1] reflexive_2[...]
    reflexive_2[up=none, of_0=none, of_1=none] ->
    reflexive_2[up=[is=?reflexive_0], of_0=[is=?reflexive_0], of_1=none] ->
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from gramprobe.compiled.data import Compiled, Constructor, Daughter, Features, Production
from gramprobe.compiled.fcfg_carried import CarriedFeatures, Handling


def fcfg(grammar: Compiled) -> str:
    """The text for ``nltk.grammar.FeatureGrammar.fromstring``."""
    return "\n".join(line for line in _lines(grammar) if line) + "\n"


def _lines(grammar: Compiled) -> Iterator[str]:
    categories = {each.category for each in grammar.constructors} | {each.category for each in grammar.words}
    root = "ROOT"
    while root in categories:
        root += "_"
    yield f"% start {root}"
    carried = CarriedFeatures(grammar)
    for sentence in grammar.sentences:
        whole = _symbol(sentence.category, {}, {}, carried.none(sentence.category))
        yield f"{root}[] -> {whole} {_quoted(sentence.final)}"
    numbers = {name: {text: str(at) for at, text in enumerate(texts)} for name, texts in grammar.texts.items()}
    arguments = {each.name: [a.name for a in each.arguments] for each in grammar.constructors}
    constructors = {each.name: each for each in grammar.constructors}
    for name, productions in groupby(grammar.productions, key=lambda production: production.constructor):
        together = [*productions]
        constraints = "; ".join(_constraints(constructors[name], together))
        yield from [f"# {name}  {constraints}"] if constraints else []
        for production in together:
            handling = carried.handling(production)
            yield _production(production, arguments[name], numbers, handling) if handling else ""
    yield from (f"{_symbol(name, {}, {}, line)} ->" for name, line in carried.joints())
    for word in grammar.words:
        left = _symbol(word.category, {**word.features, "id": word.id}, numbers, carried.none(word.category))
        yield " ".join([left, "->", *map(_quoted, word.tokens)])


def _constraints(constructor: Constructor, productions: Sequence[Production]) -> Iterator[str]:
    """The constraints of a constructor: of features of its parts, and its conditions."""
    parts = (daughter for each in productions for daughter in each.daughters if isinstance(daughter, Daughter))
    yield from dict.fromkeys(
        f"{name}: {d.category}.{feature}" for d in parts for feature, name in d.constraints.items()
    )
    yield from (f"{condition.constraint}: {condition.text}" for condition in constructor.where)


def _production(
    production: Production, arguments: list[str], numbers: Mapping[str, Mapping[str, str]], handling: Handling
) -> str:
    features: Features = {**production.features, "fun": production.constructor}
    right: list[str] = []
    compared = {place: f"?{place[1]}_{place[0]}" for joint in handling.joints for place in joint.asked.values()}
    for daughter in production.daughters:
        if isinstance(daughter, str):
            right.append(_quoted(daughter))
            continue
        number, own = daughter.argument, daughter.features
        features[f"fun.{arguments[number]}"] = str(len(right))
        asked = {feature: f"?{feature}_{number}" for a, feature in compared if a == number and feature not in own}
        compared |= {(number, name): text for name, text in _texts(own, numbers).items() if (number, name) in compared}
        right.append(_symbol(daughter.category, own, numbers, {**asked, **handling.parts.get(number, {})}))
    for joint in handling.joints:
        asked = {name: compared[place] for name, place in joint.asked.items()}
        right.append(_symbol(joint.category, {}, {}, {**joint.texts, **asked}))
    features |= {f"fun.{name}": value for name, value in production.values.items()}
    return " ".join([_symbol(production.category, features, numbers, handling.mother), "->", *right])


def _texts(features: Features, numbers: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Feature -> how its value is written: a variable, the number of its words, or the value itself."""
    return {n: f"?{n}" if v is None else numbers[n][v] if n in numbers else v for n, v in features.items()}


def _symbol(
    category: str, features: Features, numbers: Mapping[str, Mapping[str, str]], carried: Mapping[str, str]
) -> str:
    inside = ", ".join(f"{name}={text}" for name, text in (_texts(features, numbers) | dict(carried)).items())
    return f"{category}[{inside}]"


def _quoted(token: str) -> str:
    return f"'{token}'" if '"' in token else f'"{token}"'
