"""A resolved grammar to its compiled form: one production for every line and every choice of the values it consults."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product

from msgspec.structs import replace

from gramprobe.compiled import data
from gramprobe.compiled.data import Compiled, Features, Production
from gramprobe.resolve.grammar.constraints import FORM, mentioned_in, name_of, stated
from gramprobe.resolve.grammar.data import (
    WORDS,
    Also,
    ArgumentWords,
    Carrying,
    Category,
    Cell,
    Constant,
    Constructor,
    Grammar,
    Lexeme,
    Line,
    Lookup,
    Operand,
    Value,
    leaves,
)
from gramprobe.resolve.grammar.requests import excludes
from gramprobe.resolve.grammar.words import Names

#: operand, as it is written -> the value that it has in a production
_Chosen = Mapping[str, str]


def compiled(grammar: Grammar, tokens: frozenset[str] | None = None) -> Compiled:
    """The compiled form of a grammar without mistakes, made once; with ``tokens`` that without words and productions
    of other ones."""
    if tokens is not None:
        return _Pass(grammar, tokens).compiled()
    if "compiled" not in grammar.memory:
        grammar.memory["compiled"] = _Pass(grammar).compiled()
    made: Compiled = grammar.memory["compiled"]
    return made


class _Pass:
    """Makes the records. Features on which no words depend are left out: they would only multiply the productions.
    Daughters that are alike are one object, as in what is read from a file."""

    def __init__(self, grammar: Grammar, tokens: frozenset[str] | None = None) -> None:
        self.grammar, self.tokens = grammar, tokens
        self._daughters: dict[tuple[object, ...], data.Daughter] = {}
        self.stated = {each.name: stated(each, grammar) for each in grammar.constructors.values()}
        self.compared = self._compared()
        self.open = self._open()
        self.used = self._used()
        self.texts = {
            name: tuple(sorted({str(x.columns[name]) for c in self._with_words(name) for x in c.lexemes}))
            for category in grammar.categories.values()
            for name, column in category.columns.items()
            if column.type == WORDS and name in self.used
        }
        self.carried = {
            c.name: [n for n in c.known if n in self.used and self._values(c, n)] for c in grammar.categories.values()
        }

    def compiled(self) -> Compiled:
        grammar = self.grammar
        constructors = grammar.constructors.values()
        return Compiled(
            version=data.VERSION,
            language=grammar.language,
            sentences=tuple(
                data.Sentence(category=name, final=final, continues=name in grammar.continuing)
                for name, final in grammar.sentences.items()
            ),
            constructors=tuple(map(_declared, constructors)),
            productions=tuple(p for each in constructors for p in _with_others([*self._productions(each)])),
            words=tuple(word for category in grammar.categories.values() for word in self._words_of(category)),
            carried=tuple(
                data.Carried(name=c.name, features=c.features, by_line=c.by_line, constraint=c.constraint)
                for c in grammar.carried.values()
            ),
            texts=self.texts,
        )

    def _open(self) -> frozenset[tuple[str, str]]:
        """The columns of words that constraints are about and that may be empty."""
        return frozenset(
            (category, name)
            for category, name in self.compared
            if (column := self.grammar.categories[category].columns.get(name)) is not None
            if column.optional or column.added
        )

    def _compared(self) -> frozenset[tuple[str, str]]:
        """Category and column of what constraints are about: a word with several values there stands once for each."""
        return frozenset(
            (constructor.arguments[operand.argument].category, operand.column)
            for constructor in self.grammar.constructors.values()
            for _, operands in self.stated[constructor.name]
            for operand in operands
            if operand.argument is not None and operand.column is not None
        )

    def _used(self) -> frozenset[str]:
        """The features on which words depend."""
        names = {feature for c in self.grammar.categories.values() for feature in c.form_features}
        for constructor in self.grammar.constructors.values():
            for line in constructor.lines:
                names.update(v.column or v.text for v in line.values if isinstance(v, Operand))
                names.update(feature for part in line.parts for feature, _ in part.requests)
            names.update(
                operand.column for each in self.stated[constructor.name] for operand in each[1] if operand.column
            )
            for each in constructor.carrying:
                names.update([*each.equal, *(column for _, column, _ in each.related)])
        return frozenset(names)

    def _with_words(self, column: str) -> list[Category]:
        return [c for c in self.grammar.categories.values() if column in c.columns]

    def _values(self, category: Category, name: str) -> tuple[str, ...]:
        """The values that a feature of a category may have; empty for a set, a number, or a lexeme."""
        column = category.columns.get(name)
        if column is not None and column.is_set and (category.name, name) not in self.compared:
            return ()
        if column is not None and column.type == WORDS:
            return self.texts[name]
        feature = self.grammar.features.get(column.type if column is not None else name)
        values = feature.values if feature is not None else ()
        return (*values, NOTHING) if (category.name, name) in self.open else values

    # -- constructors

    def _productions(self, constructor: Constructor) -> Iterator[Production]:
        """A production for each line and each choice of values that it consults; the first line that fits counts."""
        names = Names(constructor.arguments, self.grammar.categories[constructor.result], self.grammar)
        given = {f: names.value(value) for f, value in constructor.computed.items() if f in self.used}
        conditions = self.stated[constructor.name]
        mentioned = [mentioned_in(*each) for each in conditions]

        @cache
        def denied(number: int, values: tuple[str | None, ...]) -> bool:
            """Whether a condition is false for the values of what it mentions (None: open)."""
            chosen = {text: value for text, value in zip(mentioned[number], values, strict=True) if value is not None}
            return excludes(conditions[number][0], chosen, constructor, self.grammar, single=True)

        consulted: list[Constant | Operand] = []
        for number, line in enumerate(constructor.lines):
            upto = constructor.lines[: number + 1]
            consulted = [operand for x in upto for operand, _ in x.cases]
            consulted += [*line.values, *(value for each in given.values() for value in leaves(each))]
            said = {part.argument for part in line.parts}
            relevant = [
                at
                for at, (_, values) in enumerate(conditions)
                if all(v.column is None or v.argument in said for v in values)
            ]
            consulted += [value for at in relevant for value in conditions[at][1]]
            consulted += [value for each in constructor.carrying for value in each.consulted]
            operands = {v.text: v for v in consulted if isinstance(v, Operand)}
            domains = {text: d for text, v in operands.items() if (d := self._domain(v, constructor)) is not None}
            for operand, values in line.cases:  # with another value the line does not fit
                if operand.text in domains:
                    domains[operand.text] = tuple([each for each in domains[operand.text] if each in values])
            for combination in product(*domains.values()):
                chosen = dict(zip(domains, combination, strict=True))
                if any(denied(at, (*map(chosen.get, mentioned[at]),)) for at in relevant):
                    continue
                if next((x for x in upto if _fits(x, chosen)), None) is line:
                    production = self._production(constructor, line, chosen, given, operands)
                    if production is not None:
                        yield production

    def _domain(self, operand: Operand, constructor: Constructor) -> tuple[str, ...] | None:
        """The values of an operand; None if it is itself a value."""
        if operand.argument is None:
            result = self.grammar.categories[constructor.result]
            return self._values(result, operand.text) if operand.text in result.known else None
        argument = constructor.arguments[operand.argument]
        if argument.is_feature:
            return self.grammar.features[argument.category].values
        return self._values(self.grammar.categories[argument.category], operand.column or "")

    def _production(
        self,
        constructor: Constructor,
        line: Line,
        chosen: _Chosen,
        given: Mapping[str, Value],
        operands: Mapping[str, Operand],
    ) -> Production | None:
        """The production of a line under chosen values; None if they contradict each other, or if it has words that are
        left out."""
        requested: dict[tuple[int, str], str] = {}
        words: list[str | int] = []
        for atom, glued in zip(line.atoms, line.glued, strict=True):
            if isinstance(atom, ArgumentWords):
                words.append(atom.argument)
                for feature, value_ in atom.requests:
                    requested[atom.argument, feature] = self._value(value_, chosen)
                continue
            written = self._value(atom, chosen)
            if written and glued and words and isinstance(words[-1], str):
                words[-1] += written
            elif written:
                words.append(written)
        if not all(self._is_known(word) for word in words if isinstance(word, str)):
            return None
        mother: Features = {}
        below: list[Features] = [{} for _ in constructor.arguments]
        for text, value in chosen.items():
            operand = operands[text]
            if operand.argument is None:
                mother[text] = value
            elif operand.column is not None:
                below[operand.argument][operand.column] = value
        for (index, feature), asked in requested.items():
            if below[index].setdefault(feature, asked) != asked:
                return None
        if not self._shared(
            constructor, mother, below, requested, {f: self._value(v, chosen) for f, v in given.items()}
        ):
            return None
        categories = [argument.category for argument in constructor.arguments]
        by = {(v.argument, v.column): name_of(x) for x, values in self.stated[constructor.name] for v in values}
        daughters: list[str | data.Daughter] = []
        for word in words:
            if isinstance(word, str):
                daughters += self.grammar.language.tokens(word)
            else:
                category, features, named = categories[word], below[word], self.grammar.constraints
                names = {n: named.get((category, n), by.get((word, n), FORM)) for n, v in features.items() if v}
                head = constructor.arguments[word].head
                handed = tuple(n for n in names if head and mother.get(n) == features[n])
                made = data.Daughter(
                    argument=word, category=category, features=features, constraints=names, handed=handed
                )
                key = word, category, handed, None, *features.items(), None, *names.items()
                daughters.append(self._daughters.setdefault(key, made))
        return Production(
            constructor=constructor.name,
            category=constructor.result,
            features=mother,
            daughters=tuple(daughters),
            values={a.name: chosen[a.name] for a in constructor.arguments if a.is_feature and a.name in chosen},
            carrying=tuple(self._carrying(each, chosen) for each in constructor.carrying if _fits(each, chosen)),
        )

    def _is_known(self, text: str) -> bool:
        """Whether a text has no tokens of those that are left out."""
        return self.tokens is None or self.tokens.issuperset(self.grammar.language.tokens(text))

    def _carrying(self, line: Carrying, chosen: _Chosen) -> data.Carrying:
        return data.Carrying(
            kind=line.kind,
            how=line.how,  # type: ignore[arg-type]
            arguments=line.arguments,
            values={feature: self._value(value, chosen) for feature, value in line.values},
            by=line.by,
            equal=line.equal,
            related=line.related,
            constraint=line.constraint,
        )

    def _shared(
        self,
        constructor: Constructor,
        mother: Features,
        below: list[Features],
        requested: Mapping[tuple[int, str], str],
        given: Mapping[str, str],
    ) -> bool:
        """Enter the features that the constructor decides, or shares with its head; False on a contradiction."""
        own = self.carried[constructor.result]
        for feature in own:
            fixed = constructor.fixed.get(feature, ())
            decided = given.get(feature, fixed[0] if len(fixed) == 1 else None)  # of several it may have any
            if decided is not None and mother.setdefault(feature, decided) != decided:
                return False
        head = next((i for i, a in enumerate(constructor.arguments) if a.head and not a.is_feature), None)
        known = self.carried[constructor.arguments[head].category] if head is not None else []
        for feature in own:
            if head is not None and feature in known and feature not in constructor.decided:
                if (head, feature) in requested:
                    continue
                value = mother.get(feature, below[head].get(feature))
                if any(side.setdefault(feature, value) != value for side in (mother, below[head])):
                    return False
        return True

    def _value(self, value: Value, chosen: _Chosen) -> str:
        if isinstance(value, Lookup):
            return self.grammar.tables[value.table].cells[tuple(self._value(v, chosen) for v in value.values)]
        return value.text if isinstance(value, Constant) else chosen.get(value.text, value.text)

    # -- words

    def _words_of(self, category: Category) -> list[data.Word]:
        """Every form of every word of a category, made once for the grammars that share it and name the same of its
        features: these are parts of one, as of most paradigms of a phenomenon."""
        carried = self.carried[category.name]
        several = tuple(name for name in carried if (category.name, name) in self.compared)
        several = tuple(name for name in several if name in category.columns and category.columns[name].is_set)
        empty = tuple(name for name in carried if (category.name, name) in self.open)
        also = tuple(
            (each, self.grammar.categories[each.other].form_features)
            for each in self.grammar.also
            if each.category == category.name and each.other in self.grammar.categories
        )

        def forms(lexemes: Iterable[Lexeme]) -> Iterator[data.Word]:
            for each in lexemes:
                yield from _with_also([*self._words(category, each, several, empty)], each, also)

        if self.tokens is not None:
            return [*forms(self._known(category))]
        key = "compiled", (*carried,), several, empty, also
        if key not in category.memory:
            category.memory[key] = [*forms(category.lexemes)]
        made: list[data.Word] = category.memory[key]
        return made

    def _known(self, category: Category) -> list[Lexeme]:
        """The words of a category of which a form begins with one of the tokens."""
        if "by token" not in category.memory:
            found: dict[str, dict[int, Lexeme]] = defaultdict(dict)
            for lexeme in category.lexemes:
                for text in lexeme.forms.values():
                    found[self.grammar.language.tokens(text)[0]][lexeme.index] = lexeme
            category.memory["by token"] = found
        by_token: Mapping[str, Mapping[int, Lexeme]] = category.memory["by token"]
        every = (by_token[token] for token in (self.tokens or frozenset()) & by_token.keys())
        return [lexeme for _, lexeme in sorted({index: x for each in every for index, x in each.items()}.items())]

    def _words(
        self, category: Category, lexeme: Lexeme, several: Sequence[str], empty: Sequence[str]
    ) -> Iterator[data.Word]:
        """Every form of a word that is not left out, once for each of the values that it has in the columns with
        ``several``. ``empty``: the columns in which it may have nothing."""
        inherent: dict[str, str] = {}
        for name in self.carried[category.name]:
            if name in several:
                continue
            words = name in category.columns and category.columns[name].type == WORDS
            if name in category.fixed:
                inherent[name] = category.fixed[name][0]
            elif words or (name not in category.form_features and (lexeme.columns[name] or name in empty)):
                inherent[name] = str(lexeme.columns[name] if words else lexeme.columns[name] or NOTHING)
        for form, text in lexeme.forms.items():
            tokens = tuple(self.grammar.language.tokens(text))
            if self.tokens is not None and not self.tokens.issuperset(tokens):
                continue
            for values in [values for values, column in category.form_columns.items() if column == form] or [()]:
                for each in product(*(_members(lexeme.columns[name]) for name in several)):
                    own = {**dict(zip(several, each, strict=True)), **inherent}
                    features = {**dict(zip(category.form_features, values, strict=True)), **own}
                    yield data.Word(category=category.name, id=lexeme.id, features=features, tokens=tokens)


def _with_also(
    own: list[data.Word], lexeme: Lexeme, also: Sequence[tuple[Also, tuple[str, ...]]]
) -> Iterator[data.Word]:
    """The forms of a word, and these as forms of a word of another category, whose other features it leaves open.
    ``also``: what says so, with the features that choose between the forms of the other category."""
    yield from own
    for each, kept in also:
        cell = lexeme.columns.get(each.column, "") if each.column is not None else ""
        if each.values.isdisjoint(_members(cell)):
            forms = {(tuple(w.features[f] for f in kept), w.tokens) for w in own}
            for values, tokens in sorted(forms):
                features = dict(zip(kept, values, strict=True))
                yield data.Word(category=each.other, id=lexeme.id, features=features, tokens=tokens)


#: the value of a column in which a word has nothing
NOTHING = "nothing"


def _members(cell: Cell) -> tuple[str, ...]:
    return tuple(map(str, cell)) if isinstance(cell, tuple) else (str(cell),)


def _with_others(productions: Sequence[Production]) -> Iterator[Production]:
    """The productions of a constructor, each daughter with the forms that she has where another part has another value
    (`data.Daughter.others`)."""
    asked: dict[tuple[object, int, str], set[str]] = defaultdict(set)

    def forms(production: Production) -> Iterator[tuple[tuple[object, int, str], str]]:
        alike = (*production.values.items(), None, *production.features.items())
        for daughter in production.daughters:
            if isinstance(daughter, data.Daughter):
                for feature, constraint in daughter.constraints.items():
                    if constraint == FORM:
                        yield (alike, daughter.argument, feature), str(daughter.features[feature])

    for production in productions:
        for key, value in forms(production):
            asked[key].add(value)
    made: dict[tuple[object, ...], data.Daughter] = {}
    for production in productions:
        others: dict[int, dict[str, tuple[str, ...]]] = defaultdict(dict)
        for key, value in forms(production):
            if len(asked[key]) > 1:
                _, argument, feature = key
                others[argument][feature] = tuple(sorted(asked[key] - {value}))
        daughters: list[str | data.Daughter] = []
        for each in production.daughters:
            if isinstance(each, data.Daughter) and each.argument in others:
                own = others[each.argument]
                daughters.append(made.setdefault((id(each), *own.items()), replace(each, others=own)))
            else:
                daughters.append(each)
        yield replace(production, daughters=tuple(daughters)) if others else production


def _declared(constructor: Constructor) -> data.Constructor:
    return data.Constructor(
        name=constructor.name,
        category=constructor.result,
        arguments=tuple(
            data.Argument(
                name=a.name, category=a.category, feature=a.is_feature, head=a.head, unsaid=a.name in constructor.unsaid
            )
            for a in constructor.arguments
        ),
        where=tuple(data.Condition(constraint=name_of(each), text=each.text) for each in constructor.where),
    )


def _fits(line: Line | Carrying, chosen: _Chosen) -> bool:
    return all(chosen.get(operand.text, operand.text) in values for operand, values in line.cases)
