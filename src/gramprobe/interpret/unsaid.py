"""What a lexicon leaves unsaid of the words of a pair, and what a theory lists: reasons for no label that need no other
decision."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations, product

from gramprobe.formula.ast import (
    TRUE,
    Argument,
    Atom,
    Const,
    Equal,
    Formula,
    Modal,
    Not,
    Quantified,
    Var,
    parts,
    walk,
)
from gramprobe.formula.binding import names
from gramprobe.interpret.cautions import just_before, operators_of
from gramprobe.interpret.read import MISSING, Reader
from gramprobe.meaning.quantifiers import PERSON
from gramprobe.resolve.grammar.data import Grammar, Lexeme
from gramprobe.resolve.grammar.types import E_TYPE
from gramprobe.resolve.theory.data import Withheld


def in_a_name(said: Formula, asked: Formula, words: Mapping[str, Lexeme]) -> tuple[str, str] | None:
    """A name that is part of another one of the pair: *Emma*, *Emma Brown*; None if there is none."""
    every = {node.name for formula in (said, asked) for node in walk(formula) if isinstance(node, Const)}
    forms = sorted(spelt(name, words) for name in every if name in words)
    return next(((a, b) for a in forms for b in forms if a != b and {*a.split()} < {*b.split()}), None)


def spelt(word: str, words: Mapping[str, Lexeme]) -> str:
    return next((form for form in words[word].forms.values() if form != MISSING), word)


def words_of(formula: Formula, words: Mapping[str, Lexeme], grammar: Grammar) -> frozenset[str]:
    """The words of a formula that are true or false of something: no names."""
    every = names(formula) | operators_of(formula)
    return frozenset(name for name in every if name in words and not _names_one(words[name], grammar))


def _names_one(word: Lexeme, grammar: Grammar) -> bool:
    return grammar.categories[word.category].type == E_TYPE


def unrelated(said: Collection[str], asked: Collection[str], reader: Reader) -> str:
    """Two words, one of them in the premises alone and the other in the hypothesis alone, of which only the lexicon
    says that they have nothing to do with each other (*opened*, *was closed*); or two in the premises that have a
    capital (*Every European sang. Emma is Italian.*). Empty if there are none."""
    words = reader.symbols
    alone = sorted({*said} - {*asked})
    origins = [word for word in alone if spelt(word, words)[:1].isupper()]  # *Italian*, *a European*
    pairs = [*product(alone, sorted({*asked} - {*said})), *combinations(origins, 2)]

    def strange(pair: tuple[str, str]) -> tuple[bool, bool]:
        return not _form_of_both(*pair, words), words[pair[0]].category != words[pair[1]].category

    for one, other in sorted((pair for pair in pairs if not reader.related.tie(*pair)), key=strange):
        if form := _form_of_both(one, other, words):
            return f"`{form}` is two words of the lexicon, `{one}` and `{other}`, and nothing relates them"
        first, second = (spelt(each, words) for each in (one, other))
        if words[one].category != words[other].category:
            return f"the lexicon does not say what the premises have to do with `{second}`"
        return f"the lexicon does not say whether `{first}` entails or excludes `{second}`, or neither"
    return ""


def _form_of_both(one: str, other: str, words: Mapping[str, Lexeme]) -> str:
    both = {*words[one].forms.values()} & {*words[other].forms.values()} - {MISSING}
    return min(both, key=lambda form: (len(form), form), default="")


def opaque(said: Formula, asked: Formula, reader: Reader) -> str:
    """A word that premise and hypothesis both have, of other things, and that is closed under nothing: *great* of a
    tenor and of a cook."""
    closed = {each.category for each in reader.theory.lexical_operators if each.kind == "neighbourhood"}

    def bodies(formula: Formula) -> dict[str, set[frozenset[str]]]:
        found: dict[str, set[frozenset[str]]] = defaultdict(set)
        for node in walk(formula):
            word = reader.symbols.get(node.operator) if isinstance(node, Modal) else None
            if word is not None and word.category in closed:
                found[word.id].add(names(node) | operators_of(node))
        return found

    before, after = bodies(said), bodies(asked)
    return next((word for word in sorted(before.keys() & after.keys()) if before[word] != after[word]), "")


def of_others(said: Formula, asked: Formula, reader: Reader) -> bool:
    """Whether the premises deny something of all but one (*only Emma slept*), and only the hypothesis speaks of what is
    no person: *a dog slept*."""
    words = (reader.symbols.get(word) for word in names(asked) - names(said))
    others = any(word is not None and word.columns.get("sort") not in (None, PERSON) for word in words)
    return others and any(isinstance(node, Not) and isinstance(node.body, Equal) for node in walk(said))


def named(formula: Formula, names_: Collection[str]) -> int:
    """How often names stand in a formula, as operators, predicates or propositions."""
    nodes = (node for node in walk(formula) if isinstance(node, Atom | Modal))
    return sum((node.predicate if isinstance(node, Atom) else node.operator) in names_ for node in nodes)


def pointed(formula: Formula, names_: Collection[str]) -> int:
    """How often a formula says something of what alone one of some names is true of: *this is a book*."""
    nodes = (node for node in walk(formula) if isinstance(node, Quantified) and node.scope != TRUE)
    return sum(isinstance(of := node.restrictor, Atom) and of.predicate in names_ for node in nodes)


def apart(said: Formula, asked: Formula, every: Sequence[Withheld]) -> Iterator[str]:
    """Why nothing follows where premises and hypothesis do not have the same of some names."""
    for each in every:
        if any(bool(named(said, (name,))) != bool(named(asked, (name,))) for name in each.names):
            yield each.reason


def kinds(formula: Formula, words: Mapping[str, Lexeme]) -> frozenset[str]:
    """The words of a formula that are true of one thing each."""
    atoms = (node for node in walk(formula) if isinstance(node, Atom) and len(node.args) == 1)
    return frozenset(node.predicate for node in atoms if node.predicate in words)


def below(formula: Formula, operators: Collection[str]) -> frozenset[str]:
    """The words below operators in a formula."""
    bodies = (node.body for node in walk(formula) if isinstance(node, Modal) and node.operator in operators)
    return frozenset(name for body in bodies for name in names(body))


def of_others_then(said: Formula, asked: Formula, operators: Collection[str]) -> bool:
    """Whether one formula says below an operator what a name does of whom the other says nothing there, or not of that
    verb: *must make Noah laugh*, *Noah must laugh*."""
    both = [[*_deeds(each, operators)] for each in (said, asked)]
    if not all(both):
        return False

    def known(deed: tuple[str, Argument], among: Collection[tuple[str, Argument]]) -> bool:
        verb, subject = deed
        return any(subject == of or (verb == name and isinstance(of, Var)) for name, of in among)

    return any(isinstance(deed[1], Const) and not known(deed, both[0]) for deed in both[1])


def _deeds(formula: Argument, operators: Collection[str], inside: bool = False) -> Iterator[tuple[str, Argument]]:
    """The verbs below operators with their subjects; not what stands below a further operator."""
    if isinstance(formula, Modal) and formula.operator in operators:
        yield from _deeds(formula.body, operators, inside=True)
    elif isinstance(formula, Modal) and inside:
        yield formula.operator, formula.agent or Const("")
    elif isinstance(formula, Atom) and inside and formula.args:
        yield formula.predicate, formula.args[0]
    elif not isinstance(formula, Var | Const):
        every = parts(formula)
        implied = {part.body for part in every if isinstance(part, Modal)}  # *force Noah to leave*: and he leaves
        for part in every:
            if part not in implied:
                yield from _deeds(part, operators, inside)


def several(formula: Formula, tokens: Sequence[str], reader: Reader) -> tuple[frozenset[str], frozenset[str]]:
    """The nouns of a formula that stand in the plural in a sentence: behind a definite article, and without one."""
    cautions = reader.grammar.language.cautions
    plural = cautions.several.partition(".")[2]
    found: tuple[set[str], set[str]] = set(), set()
    for name in kinds(formula, reader.symbols):
        form = reader.symbols[name].forms.get(plural, MISSING)
        for at in (at for at, token in enumerate(tokens) if token == form):
            found[not {*cautions.definite} & {*just_before(tokens, at)}].add(name)
    return frozenset(found[0]), frozenset(found[1])


def is_definite(noun: str, tokens: Sequence[str], reader: Reader) -> bool:
    """Whether a noun stands behind a definite article where it is said first."""
    first = next((at for at, token in enumerate(tokens) if token in reader.symbols[noun].forms.values()), 0)
    return bool({*reader.grammar.language.cautions.definite} & {*just_before(tokens, first)})


def counted_once(formula: Formula, tokens: Sequence[str], reader: Reader) -> frozenset[str]:
    """The nouns of a formula behind *one*."""
    single = reader.grammar.language.cautions.single
    at_one = {token for at, token in enumerate(tokens) if single in just_before(tokens, at)}
    return frozenset(n for n in kinds(formula, reader.symbols) if at_one & {*reader.symbols[n].forms.values()})


def no_person(formula: Formula, reader: Reader) -> str:
    """A name of which a noun of something else than people is said; empty if there is none."""
    for node in walk(formula):
        if isinstance(node, Atom) and len(node.args) == 1 and isinstance(node.args[0], Const):
            word = reader.symbols.get(node.predicate)
            known = word is not None and word.id not in reader.words.guessed
            if word is not None and known and word.columns.get("sort") not in (None, "", PERSON):
                return node.args[0].name
    return ""
