"""A grammar as text for NLTK's feature grammars (Bird, Klein & Loper 2009, ch. 9).

One production for every ``lin`` and every combination of the feature values that it consults (features are
closed sets), and one for every form of every lexeme::

    Cl[mode=negated, fun=Clause, fun.s=0, fun.v=3, fun.t=past] -> NP[num=sg] "did" "n't" VP[form=base]
    N[num=sg, onset=c, id=cat] -> "cat"

``fun`` names the constructor; ``fun.s=0`` says that the argument ``s`` is daughter 0, ``fun.t=past`` which
value a feature argument has. Arguments without words (``unsaid``, or a feature on which no word depends) are
not mentioned. A requested feature of a tree and an inherent one are the same feature here, shared with the head by a
variable. ``where`` conditions are left out: they keep draws plausible and are no part of grammar; so the exported
grammar accepts more sentences than the compiler makes.

Tokens are those of the Penn Treebank (Marcus et al. 1993): clitics (``Jo 's``, ``did n't``), commas and final
signs (those inside a story, too) stand alone. For the same reason, words that a ``lin`` glues to an argument must be
such tokens.

This module shares no code with :mod:`gramprobe.words.linearise`: the tests compare the two.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from gramprobe.resolve.grammar.data import WORDS, Category, Constructor, Grammar, Lexeme
from gramprobe.syntax import grammar_tree as syntax
from gramprobe.syntax.tree import Case, Operand

_CLITIC = re.compile(r"(?<=\w)(?:n't|'(?:s|re|ve|ll|d|m)?)$")


def fcfg(grammar: Grammar, words: Collection[str] | None = None) -> str:
    """The grammar as text for ``nltk.grammar.FeatureGrammar.fromstring``.

    With ``words``, only rules all of whose tokens are among these: enough to read sentences made of them.
    """
    export = _Export(grammar, None if words is None else frozenset(words))
    return "\n".join(export.lines()) + "\n"


def cut(text: str) -> list[str]:
    """Cut words into tokens: at spaces, around commas, before clitics and before the point that ends a word.

    `cut("Jo's dog didn't bark.")` is `["Jo", "'s", "dog", "did", "n't", "bark", "."]`.
    """
    tokens: list[str] = []
    for word in re.findall(r"(?:[^\s,.]|\.(?=\S))+|[,.]", text):
        clitic = _CLITIC.search(word)
        tokens += [word[: clitic.start()], clitic.group()] if clitic else [word]
    return tokens


@dataclass(frozen=True, slots=True)
class _Rule:
    """A production before it becomes text.

    Attributes:
        features: Those of the mother.
        daughters: Tokens, or arguments by number, in order.
        of_arguments: The features of each argument.
    """

    features: Mapping[str, str]
    daughters: tuple[str | int, ...]
    of_arguments: tuple[Mapping[str, str], ...]


class _Export:
    def __init__(self, grammar: Grammar, words: frozenset[str] | None):
        self.grammar = grammar
        self.words = words
        self.used = self._used()
        self._known_texts: dict[str, list[str]] = {}

    def lines(self) -> Iterator[str]:
        root = "ROOT"
        while root in self.grammar.categories:
            root += "_"
        yield f"% start {root}"
        for name, final in self.grammar.sentences.items():
            if self._allowed([final]):
                yield f"{root}[] -> {name}[] {_quoted(final)}"
        for constructor in self.grammar.constructors.values():
            for rule in self._rules(constructor):
                if self._allowed([d for d in rule.daughters if isinstance(d, str)]):
                    yield self._text(constructor, rule)
        for category in self.grammar.categories.values():
            for lexeme in category.lexemes:
                yield from self._words(category, lexeme)

    def _allowed(self, wanted: Sequence[str]) -> bool:
        return self.words is None or self.words.issuperset(wanted)

    def _used(self) -> frozenset[str]:
        """Names of the features on which words depend; other features are left out."""
        names = {feature for c in self.grammar.categories.values() for feature in c.form_features}
        for constructor in self.grammar.constructors.values():
            for line in constructor.lins:
                for operand in (*(c.operand for c in line.cases), *syntax.operands(line)):
                    names.add((operand.column or operand.name).text)
                for atom in line.atoms:
                    if isinstance(atom, syntax.Words):
                        names.update(feature.text for feature, _ in atom.requests)
        return frozenset(names)

    def _carried(self, category: Category) -> list[str]:
        return [n for n in category.known if n in self.used and self._values(category, n)]

    def _values(self, category: Category, name: str) -> tuple[str, ...]:
        """The values that a feature of a category may have; empty for a set, or a column of another kind.

        A column of words is a feature here, whose values are numbers of words.
        """
        column = category.columns.get(name)
        if column is not None and column.is_set:
            return ()
        if column is not None and column.type == WORDS:
            return tuple(map(str, range(len(self._texts(name)))))
        feature = self.grammar.features.get(column.type if column is not None else name)
        return feature.values if feature is not None else ()

    def _texts(self, column: str) -> list[str]:
        """The different words in a column of words."""
        if column not in self._known_texts:
            with_it = [c for c in self.grammar.categories.values() if column in c.columns]
            self._known_texts[column] = sorted({str(x.columns[column]) for c in with_it for x in c.lexemes})
        return self._known_texts[column]

    # -- constructors

    def _rules(self, constructor: Constructor) -> Iterator[_Rule]:
        """A rule for each ``lin`` and each choice of values that it consults; the first ``lin`` that fits counts."""
        for number, line in enumerate(constructor.lins):
            upto = constructor.lins[: number + 1]
            asked = [*(c.operand for x in upto for c in x.cases), *syntax.operands(line)]
            # a feature on which no words depend would only multiply the rules
            given = [value for feature, value in constructor.computed.items() if feature in self.used]
            asked += [operand for value in given for operand in syntax.operands_of(value)]
            domains = {o.text: d for o in asked if (d := self._domain(o, constructor)) is not None}
            for combination in product(*domains.values()):
                chosen = dict(zip(domains, combination, strict=True))
                first = next((i for i, x in enumerate(upto) if self._fits(x.cases, chosen)), None)
                if first == number:
                    rule = self._rule(constructor, line, chosen)
                    if rule is not None:
                        yield rule

    def _domain(self, operand: Operand, constructor: Constructor) -> tuple[str, ...] | None:
        """The values of an operand; None if the operand is itself a value."""
        index = constructor.argument(operand.name.text)
        if index is None:
            result = self.grammar.categories[constructor.result]
            return self._values(result, operand.name.text) if operand.name.text in result.known else None
        argument = constructor.arguments[index]
        if argument.is_feature:
            return self.grammar.features[argument.category].values
        assert operand.column is not None
        return self._values(self.grammar.categories[argument.category], operand.column.text)

    def _fits(self, cases: Sequence[Case], chosen: Mapping[str, str]) -> bool:
        for case in cases:
            features = self.grammar.features.values()
            allowed = {v for word in case.values for f in features for v in f.expand(word.text)}
            if chosen.get(case.operand.text, case.operand.text) not in allowed:
                return False
        return True

    def _rule(self, constructor: Constructor, line: syntax.Lin, chosen: Mapping[str, str]) -> _Rule | None:
        """The rule of a ``lin`` under chosen values; None if they contradict each other."""
        mother: dict[str, str] = {}
        below: list[dict[str, str]] = [{} for _ in constructor.arguments]
        for text, value in chosen.items():
            name, _, column = text.partition(".")
            index = constructor.argument(name)
            if index is None:
                mother[name] = value
            elif column:
                below[index][column] = value
        asked: dict[tuple[int, str], str] = {}
        daughters: list[str | int] = []
        for atom, glued in zip(line.atoms, line.glued, strict=True):
            match atom:
                case syntax.Words():
                    index = constructor.argument(atom.name.text)
                    assert index is not None
                    daughters.append(index)
                    for feature, value_ in atom.requests:
                        asked[index, feature.text] = self._value(value_, chosen)
                case syntax.Text() | syntax.Lookup() | syntax.Held():
                    text = self._literal(atom, chosen)
                    if text and glued and daughters and isinstance(daughters[-1], str):
                        daughters[-1] += text
                    elif text:
                        daughters.append(text)
        if not self._linked(constructor, mother, below, asked, chosen):
            return None
        features = {"fun": constructor.name}
        right: list[str | int] = []
        for daughter in daughters:
            if isinstance(daughter, int):
                features[f"fun.{constructor.arguments[daughter].name}"] = str(len(right))
                right.append(daughter)
            else:
                right += cut(daughter)
        for argument in constructor.arguments:
            if argument.is_feature and argument.name in chosen:
                features[f"fun.{argument.name}"] = chosen[argument.name]
        return _Rule({**mother, **features}, tuple(right), tuple(below))

    def _literal(self, atom: syntax.Text | syntax.Lookup | syntax.Held, chosen: Mapping[str, str]) -> str:
        match atom:
            case syntax.Text():
                return atom.word.text
            case syntax.Lookup():
                return self._cell(atom, chosen)
            case syntax.Held():
                assert atom.operand.column is not None
                return self._texts(atom.operand.column.text)[int(chosen[atom.operand.text])]

    def _linked(
        self,
        constructor: Constructor,
        mother: dict[str, str],
        below: list[dict[str, str]],
        asked: Mapping[tuple[int, str], str],
        chosen: Mapping[str, str],
    ) -> bool:
        """Enter the features that are fixed, requested, or shared with the head; False on a contradiction."""
        for (index, feature), value in asked.items():
            if below[index].setdefault(feature, value) != value:
                return False
        for feature in self._carried(self.grammar.categories[constructor.result]):
            if feature in constructor.computed:
                given = self._value(constructor.computed[feature], chosen)
                if mother.setdefault(feature, given) != given:
                    return False
            fixed = constructor.fixed.get(feature)
            if fixed and mother.setdefault(feature, fixed[0]) != fixed[0]:
                return False
        head = next((i for i, a in enumerate(constructor.arguments) if a.head and not a.is_feature), None)
        if head is None:
            return True
        known = self._carried(self.grammar.categories[constructor.arguments[head].category])
        for feature in self._carried(self.grammar.categories[constructor.result]):
            if feature in known and feature not in constructor.decided and (head, feature) not in asked:
                value = mother.get(feature, below[head].get(feature, f"?{feature}"))
                if any(side.setdefault(feature, value) != value for side in (mother, below[head])):
                    return False
        return True

    def _value(self, value: syntax.Value, chosen: Mapping[str, str]) -> str:
        if isinstance(value, syntax.Computed):
            return self._cell(value, chosen)
        return chosen.get(value.text, value.text)

    def _cell(self, lookup: syntax.Lookup | syntax.Computed, chosen: Mapping[str, str]) -> str:
        key = tuple(self._value(v, chosen) for v in lookup.values)
        return self.grammar.tables[lookup.table.text].cells[key]

    def _text(self, constructor: Constructor, rule: _Rule) -> str:
        categories = [a.category for a in constructor.arguments]
        right = [
            _quoted(d) if isinstance(d, str) else _symbol(categories[d], rule.of_arguments[d]) for d in rule.daughters
        ]
        return " ".join([_symbol(constructor.result, rule.features), "->", *right])

    # -- lexemes

    def _words(self, category: Category, lexeme: Lexeme) -> Iterator[str]:
        inherent: dict[str, str] = {}
        for name in self._carried(category):
            if name in category.fixed:
                inherent[name] = category.fixed[name][0]
            elif name in category.columns and category.columns[name].type == WORDS:
                inherent[name] = str(self._texts(name).index(str(lexeme.columns[name])))
            elif name not in category.form_features and lexeme.columns[name]:
                inherent[name] = str(lexeme.columns[name])
        for form, text in lexeme.forms.items():
            tokens = cut(text)
            if self._allowed(tokens):
                chosen = [values for values, column in category.form_columns.items() if column == form] or [()]
                for values in chosen:
                    asked = dict(zip(category.form_features, values, strict=True))
                    left = _symbol(category.name, {**asked, **inherent, "id": lexeme.id})
                    yield " ".join([left, "->", *map(_quoted, tokens)])


def _symbol(category: str, features: Mapping[str, str]) -> str:
    return f"{category}[{', '.join(f'{n}={v}' for n, v in features.items())}]"


def _quoted(token: str) -> str:
    return f"'{token}'" if '"' in token else f'"{token}"'
