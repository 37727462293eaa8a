"""Words that a grammar does not have: those of a table that the user gives, and guesses by their inflection.

    Words(grammar).guess("tenors") -> a noun, tenor and tenors, as `doctor` and `doctors` are

A guess is made in each open category, which is one with `OPEN` single words or more, by analogy: the forms of words of
the category that end as the word does say which form it is, and how its other forms are spelt. What no form shows is
left open, so that the word goes with all others. A row of a table is such a word, of which more is known.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from functools import cache, cached_property, partial
from itertools import pairwise
from pathlib import Path

from gramprobe.chart.rules import Rules
from gramprobe.compiled.data import Word
from gramprobe.compiled.from_resolve import compiled
from gramprobe.formats.tabular import records, refused
from gramprobe.interpret.rules import rules_of
from gramprobe.resolve.grammar.data import WORDS, Category, Cell, Grammar, Lexeme
from gramprobe.source.nearest import did_you_mean, listed

FORM = "a table of words"
OPEN = 80
"""A category with so many words of which every form is one word is open."""
LONGEST = 6
"""So many letters of an ending are compared at most."""
FEW = 3
"""So many words with an ending tell the form of a word with it; fewer do if they are inflected."""
PRODUCTIVE = 6
"""So many words have the endings of an analogy that changes letters: *man, men*, and not *spend, spent*."""
FRAMES = (("takes_object", "yes"), ("objectless", "yes"))
"""What the lexicon says of a verb that has other frames; of one of which it does not, none is guessed."""
GOVERNS = "prepositional"
"""The column of verbs that are one with a preposition (*listen to*), without which none is guessed with an object."""
ALONE = ("alone", "no")
"""What the lexicon says of those of them that are none without it (*belong to*), of which no verb is guessed."""
UNCOUNTED = ("plural", "no")
"""What the lexicon says of a noun without a plural, of which none is guessed (*informations*)."""
SHARE = 0.25
"""The share of these words from which on an analogy is followed."""
_WORD = re.compile(r"[^\W\d_]{2,}(?:[-'’][^\W\d_]+)*")
#: a form with its ending, and the endings of all forms: `pl`, `s`, {`sg`: ``, `pl`: `s`}
_Analogy = tuple[str, str, tuple[tuple[str, str], ...]]


class Words:
    """The words of one reader.

    Attributes:
        grammar: the grammar, with words of its own.
        rules: those of the chart, with the words of a table.
        symbols: every word by its id, guessed ones too.
        guessed: the id of a word that was guessed -> what it is.
    """

    def __init__(self, grammar: Grammar, spared: Container[str] = (), rules: Rules | None = None) -> None:
        """``spared``: words that are not guessed, nor other forms of them, since another reader knows them; ``rules``:
        by default those of the grammar."""
        self._spared, self._given = spared, grammar
        own = {
            name: replace(each, lexemes=[*each.lexemes], by_id={**each.by_id}, memory={})
            for name, each in grammar.categories.items()
        }
        self.grammar, self.rules = replace(grammar, categories=own, memory={}), (rules or rules_of(grammar)).also(())
        self.symbols = self.grammar.symbols()
        self.guessed: dict[str, str] = {}
        self._analogies = cache(partial(_analogies_of, self.grammar))
        self._patterns = cache(partial(_patterns_of, self.grammar))
        self._full: dict[tuple[str, str], tuple[Word, ...]] = {}
        self._tried: dict[tuple[str, bool, bool], tuple[Word, ...]] = {}

    @cached_property
    def open(self) -> list[str]:
        """The categories in which words are guessed."""
        classes = self._given.language.open_classes
        single = {
            name: sum(not any(" " in form for form in x.forms.values()) for x in each.lexemes)
            for name, each in self._given.categories.items()
            if each.lexemes and name in (classes or (name,))
        }
        return [name for name, count in single.items() if count >= OPEN]

    @cached_property
    def _common(self) -> frozenset[str]:
        given = self._given.language.given
        return frozenset(f"{given.common} {given.unguessed}".split())

    @cached_property
    def _own(self) -> frozenset[str]:
        """The tokens of constructors."""
        of_productions = (part for each in compiled(self._given).productions for part in each.daughters)
        return frozenset(part for part in of_productions if isinstance(part, str))

    def add(self, category: Category, forms: Mapping[str, str], known: Mapping[str, Cell], id: str) -> Iterator[Word]:
        """Add a word to a category, and give its forms for the chart. ``known``: what is known of its columns and
        features; the others are left open to the chart, and where a meaning asks for one it gets the commonest
        value."""
        whole = {name: known[name] if name in known else _commonest(category, name) for name in _columns(category)}
        lexeme = Lexeme(
            id=id, category=category.name, index=len(category.lexemes), forms=dict(forms), columns={**whole, "id": id},
            span=category.span,
        )  # fmt: skip
        category.by_id[id] = lexeme
        self.symbols.setdefault(id, lexeme)
        given = {name: value for name, value in known.items() if isinstance(value, str)}
        given |= {name: values[0] for name, values in category.fixed.items()}
        for form, text in forms.items():
            tokens = tuple(self.grammar.language.tokens(text))
            for values in [values for values, column in category.form_columns.items() if column == form] or [()]:
                own = dict(zip(category.form_features, values, strict=True))
                yield Word(category=category.name, id=id, features={**given, **own}, tokens=tokens)

    def names(self, tokens: Sequence[str], guess: bool) -> tuple[Word, ...]:
        """The names of two words in a text: a name of the lexicon, or with ``guess`` another word with a capital, and
        behind it a family name of the language, or with ``guess`` another one. Such a name is one of its own, with what
        is known of its first word."""
        found: list[Word] = []
        for first, last in pairwise(tokens):
            if not (first[:1].isupper() and last[:1].isupper()):
                continue
            if (first, last) not in self._full:
                self._full[first, last] = tuple(self._name(first, last, guess))
            found += self._full[first, last]
        return tuple(found)

    def _name(self, first: str, last: str, guess: bool) -> Iterator[Word]:
        category = next((self.grammar.categories[name] for name in self.open if self._is_of_names(name)), None)
        language = self.grammar.language
        if category is None or {first.lower(), last.lower()} & language.closed:
            return
        known, of_last = (next((x for x in category.lexemes if w in x.forms.values()), None) for w in (first, last))
        family = last in language.family_names.split()
        if of_last is not None or (known is None and first.lower() in self.rules.known):
            return
        if not guess and (known is None or not family):
            return
        id = f"{first}_{last}".lower()
        id = id if re.fullmatch(r"[a-z]\w+", id, re.ASCII) else self._symbol(f"{first} {last}", category.name)
        if known is None or not family:
            self.guessed[id] = f"{category.name} {first} {last}"
        columns = {name: known.columns[name] for name in _columns(category)} if known is not None else {}
        yield from self.add(category, {category.form_names[0]: f"{first} {last}"}, columns, id)

    def _is_of_names(self, name: str) -> bool:
        return all(form[:1].isupper() for x in self.grammar.categories[name].lexemes for form in x.forms.values())

    def guesses(self, token: str, first: bool, named: bool = False) -> tuple[Word, ...]:
        """What a token may be in each open category, unless it is a word of this category, of one with other forms, of
        the grammar itself, or of a closed class. ``first``: it begins a sentence; ``named``: a token with a capital is
        no plural."""
        if (token, first, named) not in self._tried:
            self._tried[token, first, named] = self._guesses(token, first, named)
        return self._tried[token, first, named]

    def _guesses(self, token: str, first: bool, named: bool) -> tuple[Word, ...]:
        small = token[:1].lower() + token[1:] if first else token
        bare = small.lower().removesuffix("s")  # *perhaps* is no name, and none of several things; *wills* is no verb
        if not _WORD.fullmatch(token) or {small.lower(), bare} & (self.grammar.language.closed | self._common):
            return ()
        found: list[Word] = []
        there = [word for t in (token, small) for word, _ in self.rules.spelt(t) if not word.tokens[1:]]
        others = [self.grammar.categories[word.category] for word in there]
        for name in self.open if not {token, small} & self._own else ():
            category = self.grammar.categories[name]
            capital = self._is_of_names(name)
            word = token if capital else small
            known_so = (other is not category and other.form_names == category.form_names for other in others)
            alike = all(known_so) and all(other.type is not None for other in others)  # *very* is no adjective
            if not alike or (capital and not word[:1].isupper()):
                continue
            known = zip(there, others, strict=True)
            if any(other.type != category.type and _fixed(self.symbols[each.id]) for each, other in known):
                continue
            same = [each.id for each, other in zip(there, others, strict=True) if other.type == category.type]
            for id in dict.fromkeys(same):  # the word of another category, which means the same in this one
                found += self.add(category, self.symbols[id].forms, {}, id)
            if not there and any(self._governs(each, name) for each, _ in self.rules.spelt(small)):
                continue  # *listened Noah*, where *listen to* is known
            spelt = [{category.form_names[0]: word}] if capital else self.analogous(name, word)
            if there:  # a known verb in another frame: with its own forms
                spelt = [dict(self.symbols[each.id].forms) for each in there]
            elif any(map(self._is_known, self._plain(name, word))):
                continue  # *roted*, where *rot, rotted* is known, is no form of *rote*
            for forms in spelt if not same else ():
                if self._is_known(forms) or self.grammar.language.closed & {*forms.values()}:
                    continue
                if word[:1].isupper() and len(forms) > 1 and (named or forms[category.form_names[0]] == word):
                    continue  # what has a capital is a name, or the plural of a noun: *Europeans*
                id = self._symbol(forms[category.form_names[0]], name)
                self.guessed[id] = f"{name} {', '.join(dict.fromkeys(forms.values()))}"
                frames = {column: "no" for column, _ in FRAMES if column in _columns(category)}  # none is known
                found += self.add(category, forms, {**frames, **self._onset(category, forms)}, id)
        found = [each for each in found if each.tokens in ((token,), (small,))]
        return tuple(found)

    def _governs(self, word: Word, category: str) -> bool:
        """Whether a word of a category is one with a preposition."""
        known = self.symbols.get(word.id) if word.tokens[1:] else None
        if known is None or known.columns.get(GOVERNS) != "yes":
            return False
        return word.category == category or known.columns.get(ALONE[0]) == ALONE[1]

    def _plain(self, category: str, word: str) -> Iterator[dict[str, str]]:
        """The forms of a word that has more than two, if this one is spelt by adding letters to the first of them."""
        for endings, count in self._patterns(category).items():
            if len(endings) > 2 and not endings[0][1] and count >= PRODUCTIVE:
                for ending in {other for _, other in endings if other and word.endswith(other)}:
                    yield {name: word.removesuffix(ending) + other for name, other in endings}

    def _is_known(self, forms: Mapping[str, str]) -> bool:
        """Whether a word with some of these forms is known, to this reader with others or to another reader."""
        return self._is_irregular(forms) or self._is_known_otherwise(forms)

    def _is_known_otherwise(self, forms: Mapping[str, str]) -> bool:
        """Whether one of several forms of a noun is a word without a plural, or one that another reader knows."""
        if any(form in self._spared for form in forms.values()):
            return True
        here = (word.id for form in forms.values() for word, _ in self.rules.spelt(form) if not word.tokens[1:])
        columns = (self.symbols[id].columns for id in here if id in self.symbols)
        return len(forms) > 1 and any(each.get(UNCOUNTED[0]) == UNCOUNTED[1] for each in columns)

    def _is_irregular(self, forms: Mapping[str, str]) -> bool:
        """Whether the lexicon has a word with one of these forms, and another one in the place of another: *mans*."""
        here = (word.id for form in forms.values() for word, _ in self.rules.spelt(form) if not word.tokens[1:])
        known = (self.symbols[id].forms for id in dict.fromkeys(here) if id in self.symbols and id not in self.guessed)
        alike = (each for each in known if each.keys() == forms.keys() and len(forms) > 1)
        return any(each != forms and any(each[k] == forms[k] for k in forms) for each in alike)

    def _onset(self, category: Category, forms: Mapping[str, str]) -> dict[str, Cell]:
        """What the first letters of a word say of the article before it."""
        articles = self.grammar.language.articles
        if articles is None or articles.column not in _columns(category):
            return {}
        value = articles.by_letters(forms[category.form_names[0]])
        return {articles.column: value} if value in (self._values(articles.column) or ()) else {}

    def analogous(self, category: str, word: str, form: str | None = None) -> list[dict[str, str]]:
        """The forms that a single word may have, by the words of the category that end alike; none where none do.

        ``form``: the form that the word is; by default any that such words say.
        """
        found: Counter[_Analogy] = Counter()
        for length in () if " " in word else range(min(LONGEST, len(word)), 0, -1):
            alike = self._analogies(category).get(word[-length:].lower(), ())
            fitting = [a for a in alike if form in (None, a[0]) and len(a[1]) < min(length, len(word) - 1)]
            if len(fitting) >= FEW or any(a[1] for a in fitting) or (length == 1 and fitting):
                found = Counter(fitting)
                break
        most, patterns = sum(found.values()) * SHARE, self._patterns(category)
        every = [
            {name: word[: len(word) - len(ending)] + other for name, other in endings}
            for (_, ending, endings), count in found.most_common()
            if count >= most and (patterns[endings] >= PRODUCTIVE or not endings[0][1])
        ]
        return [forms for at, forms in enumerate(every) if forms not in every[:at]]

    def _symbol(self, base: str, category: str) -> str:
        """An id of letters and digits that no word of the grammar or of a table has; of a base always the same."""
        plain = unicodedata.normalize("NFKD", base).encode("ascii", "ignore").decode().lower()
        name = re.sub(r"\W+", "_", plain).strip("_") or "_".join(f"{ord(sign):x}" for sign in base)
        id = f"{name if name[0].isalpha() and len(name) > 1 else f'w_{name}'}_{category.lower()}"
        while id in self.symbols and id not in self.guessed:
            id += "_"
        return id

    def read(self, path: Path) -> None:
        """Add the words of a table with tabs between cells: `category`, and forms and features of the categories in it.

        A form that is not given is spelt by analogy, a feature that is not given is left open, and so is `-`.

        Raises UsageError (E44, E46): a category or column that there is not, a value that a column cannot hold, a
        word without any form.
        """
        for line, row in records(path, ("category",), FORM, tabs=True):
            name = row["category"]
            category = self.grammar.categories.get(name)
            if category is None or not category.lexemes:
                words = [each.name for each in self.grammar.categories.values() if each.lexemes]
                what = f"`{name}` is no category of words{did_you_mean(name, words)}"
                raise refused(path, line, what, f"the categories are {listed(words)}")
            given = {
                key: cell.strip() for key, cell in row.items() if key != "category" and cell.strip() not in ("", "-")
            }
            known: dict[str, Cell] = {}
            for column in given.keys() - {*category.form_names, "id"}:
                known[column] = self._cell(path, line, category, column, given[column])
            forms = {form: given[form] for form in category.form_names if form in given}
            id = given.get("id", "")
            if id and (id in self.symbols or not re.fullmatch(r"[a-z]\w+", id, re.ASCII)):
                what = f"the id `{id}` is one of another word" if id in self.symbols else f"`{id}` is no id"
                raise refused(path, line, what, "an id is of small letters, digits and `_`, and no other word has it")
            whole = self._all_forms(path, line, category, forms)
            id = id or self._symbol(whole[category.form_names[0]], category.name)
            for word in self.add(category, whole, known, id):
                self.rules.add(word)

    def _all_forms(self, path: Path, line: int, category: Category, forms: dict[str, str]) -> dict[str, str]:
        """The forms of a row, those that are not given by analogy."""
        given = next(iter(forms.items()), None) if len(forms) < len(category.form_names) else None
        if given is not None and (found := self.analogous(category.name, given[1], given[0])):
            return found[0] | forms
        if len(forms) < len(category.form_names):
            what = f"the other forms of `{given[1]}` have to be given" if given else "a word without a form"
            raise refused(path, line, what, f"its forms are {', '.join(category.form_names)}")
        return forms

    def _cell(self, path: Path, line: int, category: Category, name: str, text: str) -> Cell:
        """The value of a column of a category. Raises UsageError (E46)."""
        own = _columns(category)
        if name not in own:
            what = (
                f"words of `{category.name}` have no column `{name}`{did_you_mean(name, [*category.form_names, *own])}"
            )
            raise refused(path, line, what, f"they have {', '.join([*category.form_names, *own])}")
        column = category.columns.get(name)
        type_ = column.type if column is not None else name
        parts = text.split("|") if column is not None and column.is_set else [text]
        values = self._values(type_)
        for part in parts:
            if values is not None and part not in values:
                what = f"`{part}` is no value of `{name}`{did_you_mean(part, values)}"
                raise refused(path, line, what, f"it has {listed(values)}")
        if type_ in ("number", "decimal"):
            try:
                return int(text) if type_ == "number" else Decimal(text)
            except (ValueError, InvalidOperation):
                raise refused(path, line, f"`{text}` in `{name}` is no number", "give a number") from None
        return tuple(parts) if column is not None and column.is_set else text

    def _values(self, type_: str) -> tuple[str, ...] | None:
        """The values of a type of columns; None where any text is one."""
        if type_ in self.grammar.features:
            return self.grammar.features[type_].values
        return tuple(self.grammar.categories[type_].by_id) if type_ in self.grammar.categories else None


def _patterns_of(grammar: Grammar, category: str) -> Counter[tuple[tuple[str, str], ...]]:
    """How many words of a category have the same endings."""
    lexemes = grammar.categories[category].lexemes
    return Counter(_endings(each) for each in lexemes if not any(" " in form for form in each.forms.values()))


def _analogies_of(grammar: Grammar, category: str) -> dict[str, list[_Analogy]]:
    """Ending of a form, of at most `LONGEST` letters -> the analogies of words with it."""
    found: dict[str, list[_Analogy]] = defaultdict(list)
    for lexeme in grammar.categories[category].lexemes:
        forms = lexeme.forms
        if any(" " in form for form in forms.values()):
            continue
        endings = _endings(lexeme)
        for name, ending in endings:
            for length in range(1, min(LONGEST, len(forms[name])) + 1):
                found[forms[name][-length:]].append((name, ending, endings))
    return found


def _endings(lexeme: Lexeme) -> tuple[tuple[str, str], ...]:
    """What follows in each form of a word on the letters that all of them begin with."""
    first, last = min(lexeme.forms.values()), max(lexeme.forms.values())
    same = next((at for at in range(len(first)) if first[: at + 1] != last[: at + 1]), len(first))
    return tuple((name, form[same:]) for name, form in lexeme.forms.items())


def _fixed(word: Lexeme) -> bool:
    """Whether a known word is in no other frame than its own."""
    return not any(word.columns.get(column) == value for column, value in FRAMES)


def _columns(category: Category) -> list[str]:
    """The names of the columns and features of the words of a category, but forms and id."""
    return [name for name in category.lexemes[0].columns if name not in (*category.form_features, "id")]


def _commonest(category: Category, name: str) -> Cell:
    """The value that most words of a category have in a column; of a set, all values that any word has."""
    column = category.columns.get(name)
    cells: Iterator[Cell] = (lexeme.columns[name] for lexeme in category.lexemes)
    if column is not None and column.is_set:
        return tuple(dict.fromkeys(str(value) for cell in cells if isinstance(cell, tuple) for value in cell))
    if column is not None and (column.optional or column.added) and column.type not in ("number", "decimal", WORDS):
        return ""
    return Counter(cells).most_common(1)[0][0]
