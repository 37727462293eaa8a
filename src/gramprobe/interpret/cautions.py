"""Words that say less than their formulas, and that no label may hang on.

What *Jo and Amy lifted* each of them need not have lifted, of what Jo sought there need be none, and what is *near* the
other has it near. A grammar gives such words the meaning of all words of their category; a language lists them
(`cautions`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise, product
from typing import TypeAlias

from gramprobe.certify.rule import LABELS
from gramprobe.formula.ast import TRUE, Argument, Atom, Const, Formula, Modal, Quantified, Var, walk
from gramprobe.formula.binding import names
from gramprobe.meaning.quantifiers import PERSON
from gramprobe.resolve.grammar.data import Grammar, Lexeme
from gramprobe.resolve.grammar.types import E_TYPE

Named: TypeAlias = str | frozenset[str]
"""A name, or the nouns of what is not named."""
HAS = "has"
"""The symbol of what is somebody's."""
FAILURE = "presupposition failure"
"""The label of a hypothesis that presupposes what the premises deny."""
RELATES = "relates"
"""The symbol that relates what a compound noun is true of to what its first noun is."""


def caution(
    said: Formula,
    asked: Formula,
    label: str | None,
    tokens: tuple[tuple[str, ...], tuple[str, ...]],
    several: bool,
    later: bool,
    words: Mapping[str, Lexeme],
    grammar: Grammar,
) -> str:
    """Why a label may not hang on a word of the sentences; empty if there is no such word.

    ``tokens``: those of premises and hypothesis, in small letters; ``several``: whether a noun phrase of several is in
    them; ``later``: whether the hypothesis speaks of a time of which the premises do not.
    """
    if tokens[0] == tokens[1]:
        return ""
    of = Words(words, grammar, (*tokens[0], *tokens[1]))
    if label != LABELS[1]:
        for listed, alone in ((of.cautions.modals, False), (of.cautions.counts, True)):
            one, other = ({*listed} & {*each} for each in tokens)
            known = operators_of(said) == operators_of(asked)
            if one != other and ((alone and _counts_several(asked)) or (one and other and known)):
                return (
                    f"`{min((other - one) or (one - other))}` may say something else than the formula of another word"
                )
    both = of.symbols(said) & of.symbols(asked)
    if label != LABELS[1] and later and is_there(asked):
        forms = (of.listed(symbol, of.cautions.gone) for symbol in sorted(of.symbols(said) - of.symbols(asked)))
        if spelt := next(filter(None, (*forms, *sorted({*of.cautions.gone} & {*tokens[0]}))), ""):
            return f"what is said with `{spelt}` may be there at that time, and not at another"
    for at, token in enumerate(tokens[0]):
        named = token in of.cautions.fiction and token not in tokens[1]
        if label != LABELS[1] and named and {*of.cautions.ordered} & {*just_before(tokens[0], at)}:
            return f"what is so in a {token} need not be so"
    if why := next(_beside(said, asked, label, tokens, several, later, of), ""):
        return why
    besides = [{*pairwise(each)} for each in tokens]
    for adjective, noun in sorted(besides[0] ^ besides[1]):
        about = noun in of.cautions.fields and all(adjective in each for each in tokens) and of.is_predicate(adjective)
        if label != LABELS[1] and about:
            return f"`{adjective} {noun}` may say what the {noun} is about"
    one, other = ({*of.cautions.always} & {*each} for each in tokens)
    if label != LABELS[1] and other and not one:
        return f"what is said of one time may not be so of others, and is with `{min(other)}`"
    together = (several or of.grouped(said, asked)) and not {*of.cautions.each} & {*tokens[0]}
    doubtful = [
        (of.together, "may be what several do together") if together else None,
        (of.unreal, "says nothing of whether there is what it is about") if label != LABELS[1] else None,
    ]
    for find, why in filter(None, doubtful):
        for formula in (said, asked):
            for symbol, spelt in find(formula):
                factive = find == of.together and symbol in operators_of(said)  # *found out that*, together: so it was
                if symbol in both or (label != LABELS[1] and not factive):
                    return f"`{spelt}` {why}"
    return ""


def _beside(
    said: Formula,
    asked: Formula,
    label: str | None,
    tokens: tuple[tuple[str, ...], tuple[str, ...]],
    several: bool,
    later: bool,
    of: Words,
) -> Iterator[str]:
    """Why a label may not hang on listed words that stand beside others, or in one of the sentences alone."""
    cautions, (before, after) = of.cautions, tokens
    pairs = [{*pairwise(each)} for each in tokens]
    known = of.symbols(said) | of.symbols(asked)
    joined = [{(a, b) for a, and_, b in zip(each, each[1:], each[2:], strict=False) if and_ in cautions.joins}
              for each in tokens]  # fmt: skip
    for one, other in sorted(joined[0] ^ joined[1]):
        split = (
            several and of.is_adjective(one, known) and of.is_adjective(other, known)
        )  # *Swedish and Dutch nurses* (Champollion 2016)
        if split or (label != LABELS[1] and {one, other} <= {*cautions.mixed}):
            yield f"`{one}` and `{other}` may each be said of a part, or of some"
    if label == LABELS[1]:
        for symbol in sorted(of.symbols(said) & of.symbols(asked)):
            if of.listed(symbol, cautions.ordered) and _turned(symbol, said, asked):
                yield f"what `{of.spelt(symbol)}` says may exclude the same in the other direction"
        for one, other in pairwise(before):
            if one in cautions.besides:
                yield f"`{one} {other}` supposes that one was mentioned"
        if implicit := next((each for each in before if each in (*cautions.implicit, *cautions.quantities)), ""):
            yield f"`{implicit}` may say more than its formula"
        return
    for one, other in sorted(pairs[0] ^ pairs[1]):
        if frozen := next((each for each in cautions.frozen if f"{one} {other}".startswith(each)), ""):
            yield f"`{frozen}` may be a name of something else"
        if of.is_one_verb(one, other, of.symbols(said) | of.symbols(asked)):
            yield f"`{one} {other}` may say something else than `{one}`"
    whole = {*cautions.whole} & ({*after} - {*before}) if not several else ()
    for at, token in enumerate(before[1:], 1):
        named = of.grammar.language.given.possessive in just_before(before, at)
        if named and token in cautions.loose and token in after and HAS in names(asked):
            yield f"whose `{token}` it is need not have it"
        if whole and before[at - 1] in cautions.definite and (before[at - 1], token) in pairs[1]:
            yield f"what is said of the {token} may leave some of it out"
    for noun in sorted({*cautions.relational} & {*before} & {*after}):
        if any(noun in pair[:1] and pair[1] in ("of", "for", "to") for pair in pairs[0] - pairs[1]):
            yield f"a `{noun}` of one thing need not be a `{noun}`"
    several_sought = of.wanted(said, asked)
    if several_sought:
        yield f"`{several_sought}` says nothing of whether there is what it is about"
    had = [node.args for node in walk(said) if isinstance(node, Atom) and node.predicate == HAS]
    if HAS in names(asked) and any(a[1:] == b[1:] and a[0] != b[0] for a, b in product(had, had)):
        yield "what is somebody's may be with somebody else"
    for symbol in sorted(of.symbols(said) & of.symbols(asked)):
        if of.listed(symbol, cautions.places) and of.placed(symbol, said) and not of.placed(symbol, asked):
            yield f"who is something `{of.spelt(symbol)}` a place need not be there"
    if later and any(isinstance(node, Quantified) and node.scope == TRUE for node in walk(asked)):
        yield "what was there then may not be there at another time"
    for gender, forms in cautions.genders.items():
        several_of = any(isinstance(node, Quantified) and node.quantifier == "forall" for node in walk(said))
        if several_of and {*forms} & {*before} and of.named(said, asked) - {gender, ""}:
            yield f"`{min({*forms} & {*before})}` may be said of some alone"
    if label == FAILURE and later:
        yield "what there is now may not be there at another time"


def _turned(symbol: str, said: Formula, asked: Formula) -> bool:
    """Whether two formulas say a relation of the same two in two directions."""
    both = [{*of_two(symbol, each)} for each in (said, asked)]
    return any(args[::-1] in both[1] for args in both[0])


def of_two(symbol: str, formula: Formula) -> Iterator[tuple[Named, Named]]:
    """Of whom a formula says a word, as what they are named: the subject, and the object or what an adverbial is of
    (*arrived before Noah*)."""
    nouns: dict[str, set[str]] = defaultdict(set)
    nodes = [*walk(formula)]
    for node in nodes:
        if isinstance(node, Quantified):
            nouns[node.variable] |= {each.predicate for each in about(node)}

    def named(one: Argument) -> Named:
        return frozenset(nouns[one.name]) if isinstance(one, Var) else one.name if isinstance(one, Const) else ""

    for node in nodes:
        if isinstance(node, Atom) and node.predicate == symbol and node.args:
            had = (each for each in nodes if isinstance(each, Atom) and each.predicate == HAS)
            owners = (each.args[0] for each in had if each.args[1] == node.args[0])
            yield named(node.args[0]), named(node.args[1] if len(node.args) > 1 else next(owners, Var("")))
        elif isinstance(node, Modal) and node.operator == symbol and node.agent is not None:
            below = (each for each in walk(node.body) if isinstance(each, Atom) and each.args)
            yield from ((named(each.args[0]), named(node.agent)) for each in below)


def about(phrase: Quantified) -> list[Atom]:
    """What the restrictor of a noun phrase says of what it is about, and of nothing else."""
    nodes = (each for each in walk(phrase.restrictor) if isinstance(each, Atom))
    return [each for each in nodes if each.args == (Var(phrase.variable),)]


def phrases_of(formula: Formula) -> dict[str, Quantified]:
    """The noun phrases of a formula by their variables."""
    return {node.variable: node for node in walk(formula) if isinstance(node, Quantified)}


def just_before(tokens: Sequence[str], at: int) -> Sequence[str]:
    """The words before a noun among which its article and the like stand: three, as adjectives may stand between."""
    return tokens[max(at - 3, 0) : at]


def operators_of(formula: Argument) -> set[str]:
    """The operators of a formula."""
    return {node.operator for node in walk(formula) if isinstance(node, Modal)}


def is_there(formula: Formula) -> bool:
    """Whether a formula says that there is something, or that somebody has it."""
    return any(
        (isinstance(node, Quantified) and node.scope == TRUE) or (isinstance(node, Atom) and node.predicate == HAS)
        for node in walk(formula)
    )


def _counts_several(formula: Formula) -> bool:
    """Whether a formula counts, and not to one."""
    return any(isinstance(node, Quantified) and node.count not in (None, 1) for node in walk(formula))


class Words:
    """Finds the words of formulas that a language lists."""

    def __init__(self, words: Mapping[str, Lexeme], grammar: Grammar, tokens: Collection[str] = ()) -> None:
        """``tokens``: those of the sentences, by which a noun of several is known."""
        self.tokens = frozenset(tokens)
        self.words, self.grammar, self.cautions = words, grammar, grammar.language.cautions

    def symbols(self, formula: Formula) -> set[str]:
        """The words of a formula."""
        nodes = [*walk(formula)]
        every = {node.predicate for node in nodes if isinstance(node, Atom)} | operators_of(formula)
        return every & self.words.keys()

    def listed(self, symbol: str, among: Collection[str]) -> str:
        """A form of a word that is listed; empty if none is."""
        word = self.words.get(symbol)
        for form in word.forms.values() if word is not None else ():
            of_verb = word is not None and word.is_verb  # a guessed one may be spelt *imagin*
            for spelt in (form, f"{form}e", form.removesuffix("e")) if of_verb else (form,):
                if spelt in among:
                    return spelt
        return ""

    def is_among(self, symbol: str, among: Collection[str]) -> bool:
        """Whether a noun is listed, or its class, sort or category is."""
        word = self.words.get(symbol)
        kinds = (word.columns.get("class"), word.columns.get("sort"), word.category) if word is not None else ()
        return any(each in among for each in kinds) or bool(self.listed(symbol, among))

    def placed(self, symbol: str, formula: Formula) -> bool:
        """Whether a preposition says where one is of whom a noun of people is said beside it."""
        atoms = [node for node in walk(formula) if isinstance(node, Atom) and node.args]
        people = {n.args[0] for n in atoms if n.predicate in self.words
                  and self.words[n.predicate].columns.get("sort") == PERSON}  # fmt: skip
        return any(node.predicate == symbol and node.args[0] in people for node in atoms)

    def named(self, *formulas: Formula) -> set[str]:
        """The genders of the names in formulas."""
        every = (node.name for each in formulas for node in walk(each) if isinstance(node, Const))
        return {str(self.words[name].columns.get("gen", "")) for name in every if name in self.words}

    def grouped(self, *formulas: Formula) -> bool:
        """Whether a name of several is in formulas: *we*."""
        return any(isinstance(node, Const) and node.name in self.cautions.groups for f in formulas for node in walk(f))

    def is_verb(self, symbol: str) -> bool:
        """Whether a word is inflected as verbs are."""
        return symbol in self.words and self.words[symbol].is_verb

    def is_one_verb(self, form: str, preposition: str, symbols: Collection[str]) -> bool:
        """Whether a form of a verb may be one verb with the preposition behind it (*ran into*), and is a verb alone."""
        free, idioms = self.cautions.adjuncts.get(preposition), {*self.cautions.idioms}
        spelt = [(symbol, {*self.words[symbol].forms.values()}) for symbol in symbols]
        if not any(forms == {preposition} for _, forms in spelt):
            return False  # *was praised by*, *failed to*
        for symbol, forms in spelt:
            if self.is_verb(symbol) and form in forms:
                named = {f"{each} {preposition}" for each in forms}
                return bool(named & idioms) if free is None else not self.listed(symbol, free)
        return False

    def is_of_one(self, phrase: Quantified) -> bool:
        """Whether a noun phrase is of whatever it may be, or its nouns stand in no plural in the sentences."""
        every = [each.predicate for each in about(phrase)]
        nouns = [self.words[each].forms for each in every if each in self.words and len(self.words[each].forms) == 2]
        plural = self.cautions.several.partition(".")[2]
        known = not every or every == [PERSON]  # *something*, *somebody*
        return known or (bool(nouns) and not {each.get(plural) for each in nouns} & self.tokens)

    def jointly(self, symbol: str) -> str:
        """A form of a verb of which it is not known that each of several does what they do; by a verb is meant what has
        more than two forms, and no *be* in them."""
        word, singly = self.words.get(symbol), self.cautions.singly
        if word is None or not singly or len(word.forms) < 3 or self.listed(symbol, singly):
            return ""
        head = next(iter(word.forms.values())).split()[0]
        copulas = self.grammar.language.clauses.copulas if self.grammar.language.clauses else ()
        return "" if head in copulas else self.spelt(symbol)

    def is_predicate(self, form: str) -> bool:
        """Whether a form in small letters is one of a word that is said of something."""
        every = (word for word in self.words.values() if form in map(str.lower, word.forms.values()))
        return any(self.grammar.categories[word.category].type != E_TYPE for word in every)

    def is_adjective(self, form: str, known: Collection[str]) -> bool:
        """Whether a form in small letters is one of some words that stand before nouns."""
        every = (self.words[each] for each in known)
        every = (word for word in every if "onset" in word.columns and len(word.forms) == 1)
        return any(
            form in map(str.lower, word.forms.values()) and self.grammar.categories[word.category].type != E_TYPE
            for word in every
        )

    def spelt(self, symbol: str) -> str:
        """The first form of a word, or the symbol of none."""
        return next(iter(self.words[symbol].forms.values())) if symbol in self.words else symbol

    def together(self, formula: Formula) -> Iterator[tuple[str, str]]:
        """Verbs of what several may do together whose subjects are several that are named or joined (of others:
        `groups`)."""
        subjects: dict[str, set[str]] = defaultdict(set)
        phrases = [node for node in walk(formula) if isinstance(node, Quantified)]
        counted = {n.variable for n in phrases if n.count not in (None, 1)}
        each_of = counted | {n.variable for n in phrases if n.quantifier in ("forall", "most")}
        atoms = [node for node in walk(formula) if isinstance(node, Atom) and node.args]
        pairs: dict[str, set[tuple[Argument, ...]]] = defaultdict(set)
        for atom in atoms:
            pairs[atom.predicate].add(atom.args[:2])
        for predicate, of in pairs.items():  # *Jo and Amy saw two dogs*: one each (Scha 1981)
            ones = {args[0] for args in of if isinstance(args[0], Const)}
            others = {each for args in of for each in args[1:] if isinstance(each, Const)}
            many = any(isinstance(each, Var) and each.name in each_of for args in of for each in args[1:])
            if len(ones) > 1 and (many or (len(others) > 1 and {*product(ones, others)} <= of)):
                yield predicate, self.spelt(predicate)
        recipients = {args.predicate: set[Argument]() for args in atoms if len(args.args) > 2}
        for atom in atoms:  # *gave two nurses three books*: three in all (Scha 1981)
            for each in atom.args[2:]:
                recipients[atom.predicate] |= {each}
                if (isinstance(each, Var) and each.name in counted) or len(recipients[atom.predicate]) > 1:
                    yield atom.predicate, self.spelt(atom.predicate)
        for node in walk(formula):  # *sat alone*: the two of them
            if isinstance(node, Modal) and (adverb := self.listed(node.operator, self.cautions.together)):
                yield node.operator, adverb
        agents = [(n.operator, n.agent) for n in walk(formula) if isinstance(n, Modal) and n.agent is not None]
        joined = not self.tokens.isdisjoint(self.cautions.joins)  # *a nurse and a doctor*
        for symbol, first in (*((atom.predicate, atom.args[0]) for atom in atoms), *agents):
            one = isinstance(first, Const) or (joined and isinstance(first, Var))
            if one and isinstance(first, Const | Var) and (listed := self.of_several(symbol)):
                subjects[symbol].add(first.name)
                if len(subjects[symbol]) > 1 or first.name in self.cautions.groups:
                    yield symbol, listed

    def of_several(self, symbol: str) -> str:
        """A form of a word of what several may do or be together; empty of other words."""
        listed = (*self.cautions.together, *self.cautions.mutual)
        return self.listed(symbol, listed) or (symbol if symbol in listed else self.jointly(symbol))

    def wanted(self, said: Formula, asked: Formula) -> str:
        """A verb whose object need not be there, if more is said of it in the premises than the verb says."""
        for node in walk(said):
            if isinstance(node, Quantified) and node.quantifier == "exists":
                atoms = [
                    each for each in walk(node.scope) if isinstance(each, Atom) and Var(node.variable) in each.args
                ]
                for each in atoms if len(atoms) > 1 else ():
                    if each.args[1:2] == (Var(node.variable),) and self.listed(each.predicate, self.cautions.unreal):
                        return self.listed(each.predicate, self.cautions.unreal)
        return ""

    def unreal(self, formula: Formula) -> Iterator[tuple[str, str]]:
        """Nouns and verbs with prepositions whose object need not be there, where it is no name."""
        nodes = [*walk(formula)]
        of: dict[str, list[str]] = defaultdict(list)  # a variable, and the words that are true of it alone
        for node in nodes:
            if isinstance(node, Atom) and len(node.args) == 1 and isinstance(node.args[0], Var):
                of[node.args[0].name].append(node.predicate)
        for node in nodes:
            if isinstance(node, Atom) and len(node.args) > 1 and isinstance(node.args[1], Var):
                first = node.args[0]
                heads = of[first.name] if isinstance(first, Var) else []
            elif isinstance(node, Modal) and isinstance(node.agent, Var) and not self.is_verb(node.operator):
                heads = [each.predicate for each in walk(node.body) if isinstance(each, Atom)]
            else:
                continue
            name = node.predicate if isinstance(node, Atom) else node.operator
            behind = next(iter(self.words[name].forms.values())) if name in self.words else ""
            of_noun = name in self.words and len(self.words[name].forms) == 1
            if isinstance(node, Modal) and of_noun and behind in self.cautions.unreal:  # *told a joke about*
                yield name, behind
            for head in heads if behind else ():
                for form in self.words[head].forms.values() if head in self.words else ():
                    if f"{form} {behind}" in self.cautions.unreal:
                        yield name, f"{form} {behind}"
