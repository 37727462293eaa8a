"""Every tree of a paradigm has words: each constructor answers what the constructor around it requests of it.

Requests are followed from the sentence down, with all values that they may have: a constructor of some category needs
no words for a mode that no tree of the paradigm puts it in.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from gramprobe.resolve.grammar.data import Constructor, Grammar
from gramprobe.resolve.grammar.requests import check_requests, features_of_arguments, possible_values
from gramprobe.resolve.tree import Apply, Tree, category_of, origin, put
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings

#: feature -> each value that may be requested, with the constructor that requests it
Asked = Mapping[str, Mapping[str, Constructor]]


def check_forms(trees: list[Tree], skeletons: list[Mapping[str, Tree]], grammar: Grammar, findings: Findings) -> None:
    """Report constructors without words or a meaning for what is requested of them, and without a value of a feature
    that the constructor around them uses (`s.num`). ``skeletons``: for each way to build the draws, the trees in their
    places."""
    seen: set[tuple[object, ...]] = set()
    for tree in trees:
        for each in skeletons or [{}]:
            _check(put(tree, each), {}, grammar, findings, seen)


def _check(tree: Tree, asked: Asked, grammar: Grammar, findings: Findings, seen: set[tuple[object, ...]]) -> None:
    if not isinstance(tree, Apply):
        _check_word(tree, asked, grammar, findings)
        return
    constructor = tree.constructor
    heads = tuple(a.constructor.name if isinstance(a, Apply) else "" for a in tree.arguments)
    key = (id(tree), constructor.name, heads, tuple((f, tuple(v)) for f, v in sorted(asked.items())))
    if key in seen:
        return
    seen.add(key)
    wanted = {(constructor.result, feature): dict(values) for feature, values in asked.items()}
    check_requests(constructor, wanted, grammar, findings)
    _check_provided(tree, asked, grammar, findings)
    passed: list[dict[str, dict[str, Constructor]]] = []
    for argument in constructor.arguments:
        category = grammar.categories.get(argument.category)
        features = set(category.features) - constructor.decided if argument.head and category is not None else set()
        passed.append({feature: dict(values) for feature, values in asked.items() if feature in features})
    for line in constructor.lines:
        for part in line.parts:
            for feature, value in part.requests:
                values = possible_values(value, feature, asked, grammar)
                passed[part.argument].setdefault(feature, {}).update(dict.fromkeys(values, constructor))
    for argument_, requests in zip(tree.arguments, passed, strict=True):
        _check(argument_, requests, grammar, findings, seen)


def _check_word(tree: Tree, asked: Asked, grammar: Grammar, findings: Findings) -> None:
    """Report a choice of values of two features for which the words of a category have no form."""
    category = grammar.categories.get(category_of(tree))
    if category is None or len(category.form_features) < 2 or not set(category.form_features) <= asked.keys():
        return
    for values in product(*(asked[feature] for feature in category.form_features)):
        if values not in category.form_columns:
            by = asked[category.form_features[0]][values[0]]
            feature, value = "+".join(category.form_features), "+".join(values)
            findings.add(messages.grammar.no_form(by.span, category.name, feature, value, category.form_names))


def _check_provided(tree: Apply, asked: Asked, grammar: Grammar, findings: Findings) -> None:
    """Report arguments without a value of a feature that a line of the constructor uses."""
    constructor = tree.constructor
    for index, feature, operand in features_of_arguments(constructor):
        argument = tree.arguments[index]
        if isinstance(argument, Apply) and origin(argument, feature, grammar).is_open and feature not in asked:
            maker = argument.constructor
            findings.add(
                messages.grammar.not_provided(maker.span, maker.name, maker.result, feature, operand, constructor)
            )
