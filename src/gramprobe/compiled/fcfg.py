"""A compiled grammar as text for NLTK's feature grammars (Bird, Klein & Loper 2009, ch. 9).

One line for every production, and for every form of every word::

    Cl[mode=negated, fun=Clause, fun.s=0, fun.v=3, fun.t=past] -> NP[num=sg] "did" "n't" VP[form=base]
    N[num=sg, onset=c, id=cat] -> "cat"

Before the productions of a constructor stands a comment with its constraints: what is broken where a daughter has
another value of a feature, and the conditions with their names (`compiled.data`)::

    # Clause  agree sv: NP.num; form: VP.form; plausible: selects(v, s); plausible: suits(t, v)

``fun`` names the constructor; ``fun.s=0`` says that the argument ``s`` is daughter 0, ``fun.t=past`` which value a
feature argument has. Arguments without words are not mentioned. What mother and head share is a variable. A feature
that holds words has their number as its value. What is carried upward is a feature as well (`fcfg_carried`)::

    VP[form=?form, gap=none, fun=Transitive, ...] -> V2[form=?form] NP[gap=none]
    VP[form=?form, gap=[is=?gap_1], fun=Transitive, ...] -> V2[form=?form] NP[gap=[is=?gap_1]]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from gramprobe.compiled.data import Compiled, Constructor, Daughter, Features, Production
from gramprobe.compiled.fcfg_carried import CarriedFeatures, Way


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
            yield from (_production(production, arguments[name], numbers, way) for way in carried.ways(production))
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
    production: Production, arguments: list[str], numbers: Mapping[str, Mapping[str, str]], way: Way
) -> str:
    decided = {feature for _, feature in way.asked}
    mother = {name: value for name, value in production.features.items() if value is not None or name not in decided}
    features: Features = {**mother, "fun": production.constructor}
    right: list[str] = []
    for daughter in production.daughters:
        if isinstance(daughter, str):
            right.append(_quoted(daughter))
        else:
            features[f"fun.{arguments[daughter.argument]}"] = str(len(right))
            asked = {f: value for (argument, f), value in way.asked.items() if argument == daughter.argument}
            own: Features = {**asked, **{f: value for f, value in daughter.features.items() if value is not None}}
            own |= {f: None for f, value in daughter.features.items() if value is None and f not in asked}
            if any(own[feature] != value for feature, value in asked.items()):
                return ""
            right.append(_symbol(daughter.category, own, numbers, way.parts.get(daughter.argument, {})))
    features |= {f"fun.{name}": value for name, value in production.values.items()}
    return " ".join([_symbol(production.category, features, numbers, way.mother), "->", *right])


def _symbol(
    category: str, features: Features, numbers: Mapping[str, Mapping[str, str]], carried: Mapping[str, str]
) -> str:
    shown = [f"{n}=?{n}" if v is None else f"{n}={numbers[n][v] if n in numbers else v}" for n, v in features.items()]
    return f"{category}[{', '.join([*shown, *(f'{kind}={text}' for kind, text in carried.items())])}]"


def _quoted(token: str) -> str:
    return f"'{token}'" if '"' in token else f'"{token}"'
