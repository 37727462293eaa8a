"""A sentence to its readings: each formula that a tree of it has, once."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import islice
from pathlib import Path

from msgspec import structs

from gramprobe.chart.cuts import cuts, lattice, unknown
from gramprobe.chart.forest import Forest
from gramprobe.chart.judge import lifts
from gramprobe.chart.parse import MOST, parse
from gramprobe.chart.rules import Rules
from gramprobe.chart.shape import Shapes
from gramprobe.formula.ast import Argument, Formula, Modal, walk
from gramprobe.formula.measure import symbols
from gramprobe.formula.notation import show
from gramprobe.formula.theory import KNOWN
from gramprobe.interpret.near import Near, Unknown
from gramprobe.interpret.refused import is_ill_timed, is_refused, mismatch, says_how_long, says_twice
from gramprobe.interpret.repairs import MOST_STEPS, Broken, left_out
from gramprobe.interpret.same_form import SameForm
from gramprobe.interpret.subjects import is_of_one_order
from gramprobe.interpret.surface import surface_reading
from gramprobe.interpret.times import Said, mentioned, times
from gramprobe.interpret.trees import OPEN, Meanings, kept_in_place, term, total
from gramprobe.interpret.words import Words
from gramprobe.judge.judge import readings_of
from gramprobe.meaning.reading import CLOSE, Reading
from gramprobe.meaning.reading import OPEN as BEFORE
from gramprobe.meaning.terms import Spent
from gramprobe.resolve.grammar.data import Grammar
from gramprobe.resolve.grammar.types import E_TYPE, Function, Type, is_quantifier
from gramprobe.resolve.theory.data import Theory
from gramprobe.resolve.theory.related import Related
from gramprobe.resolve.tree import Apply, Given, Tree, nodes, origin
from gramprobe.source.diagnostic import UsageError

MISSING = "-"
"""What stands for a form that a word does not have."""
MOST_TOKENS = 60
"""A longer text is not parsed."""
MOST_LIFTS = 4 * MOST
"""So many steps are taken to find what is wrong with a sentence."""
MOST_KEPT = 1 << 12
"""So many sentences are remembered as they were read."""
MOST_CUTS = 8
"""In so many ways a text is cut at most: a word that begins a sentence may be a name, or not."""


@dataclass(frozen=True, slots=True)
class Understood:
    """A reading of a sentence.

    Attributes:
        reading: its id, its formula in the theory's terms, its anaphors.
        kind: `parse` for the surface reading of a tree, `scope` for one that only another order of scopes gives.
        term: the smallest tree that has it, as `gramprobe say` takes it.
        guessed: its words that were guessed, each with its category and forms.
        times: what its tree says of which time.
        several: whether it has a noun phrase of several.
        words: its words in the order of its tree, each with its category.
        pronouns: of each of its anaphors that is named by a value of a feature, that value, and how many of its words
            stand before it.
        resumed: whether a verb phrase is left out that may be another one than the grammar says, or have its pronouns
            about somebody else.
        fixed: whether the readings of its tree have one order of subject and negation, where English has two.
    """

    reading: Reading
    kind: str
    term: str
    guessed: tuple[str, ...] = ()
    times: frozenset[Said] = frozenset()
    several: bool = False
    words: tuple[tuple[str, str], ...] = ()
    pronouns: tuple[tuple[str, int], ...] = ()
    resumed: bool = False
    fixed: bool = False

    @property
    def open(self) -> tuple[str, ...]:
        """What no word says, by name; it stands in the formula as `?name`."""
        every = " ".join(symbols(self.reading.formula).names)
        return tuple(sorted(set(re.findall(rf"{re.escape(OPEN)}(\w+)", every))))

    @property
    def formula(self) -> str:
        """Its formula in the notation, with what is open as `?name`."""
        return show(self.reading.formula).replace(BEFORE, "").replace(CLOSE, "")


@dataclass(frozen=True, slots=True)
class Interpretation:
    """What a grammar makes of a sentence.

    Attributes:
        text: the sentence, as it was given.
        trees: how many trees it has.
        whole: whether all of them were interpreted; false and no trees where there were too many to find.
        readings: its readings, those of small trees first.
        unknown: words that the grammar does not spell -> the nearest that it does, or None.
        reached: of a sentence without a tree, the words up to which one could go on.
        expected: the words of which one could stand there, and the categories, those of words with one of them.
        parsed: false of a text that is too long, or none.
        scattered: whether each of the unknown words is known to some grammar, and no grammar knows all of them.
        refused: why a tree is none that anybody says, where that is known.
    """

    text: str
    trees: int = 0
    whole: bool = True
    readings: tuple[Understood, ...] = ()
    unknown: Mapping[str, str | None] = field(default_factory=dict)
    reached: str = ""
    expected: tuple[str, ...] = ()
    parsed: bool = True
    scattered: bool = False
    refused: str = ""


class Reader:
    """Reads sentences with a grammar, in a theory.

    ``guess``: unknown words are guessed by their inflection; ``lexicon``: a table of further words (`interpret.words`);
    ``further``: what reads what this one cannot, made when it is asked for; ``spared``: words that are not guessed,
    since another reader knows them; ``rules``: those for the sentences that are read, by default for all.
    Raises UsageError (E44, E46) for a table that cannot be read.
    """

    def __init__(
        self,
        grammar: Grammar,
        theory: Theory,
        guess: bool = False,
        lexicon: Path | None = None,
        further: Callable[[], Reader | None] = lambda: None,
        spared: Container[str] = (),
        rules: Rules | None = None,
    ) -> None:
        self._spared = spared
        self._further, self.words = cache(further), Words(grammar, spared, rules)
        if lexicon is not None:
            self.words.read(lexicon)
        self.grammar, self.symbols = self.words.grammar, self.words.symbols
        of_theory = theory.axioms_of, theory.lexical_operators
        self.related, self.guess = Related(self.grammar.language, self.symbols, *of_theory), guess
        self.theory = theory = replace(theory, related=self.related, memory={})
        self._at_two_times = replace(self.related, at_two_times=True)
        self.at_two_times = replace(theory, related=self._at_two_times, memory={})
        self.importing = replace(theory, restrictors="nonempty", memory={})  # existential import
        self.taking_for_granted = replace(theory, projection=KNOWN["weak"], memory={})  # whatever a part presupposes
        aware = {"transitive", "euclidean"}  # who knows or believes it knows that they do
        lexical = tuple(structs.replace(each, frame=each.frame - aware) for each in theory.lexical_operators)
        plain = tuple(structs.replace(each, frame=each.frame - aware, introspected_by=()) for each in theory.operators)
        self.without_introspection = replace(theory, operators=plain, lexical_operators=lexical, memory={})
        self._kept: dict[str, Interpretation] = {}
        self._near = Near(grammar, self.rules.known)
        self._same_form = SameForm(self.grammar, theory)

    @property
    def rules(self) -> Rules:
        """Those of its words, which are given others where other sentences are read."""
        return self.words.rules

    @cached_property
    def _shapes(self) -> Shapes:
        """What sentences that have no tree are asked with."""
        return Shapes(self.rules)

    def read(self, text: str) -> Interpretation:
        """The readings of a sentence; a missing final point is added. Of a text that is too long there are none."""
        if text not in self._kept:  # a premise stands before several hypotheses
            if len(self._kept) >= MOST_KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[text] = self._read(text)
        return self._kept[text]

    def opposed(self, formulas: Sequence[Formula]) -> bool:
        """Whether words of formulas exclude each other at one time, and need not do so at two."""
        return self.related.axioms(formulas) != self._at_two_times.axioms(formulas)

    def forget(self) -> None:
        """Forget what was read: who measures reads a sentence anew."""
        self._kept.clear()

    def is_factive(self, operator: str) -> bool:
        """Whether what an operator is said of is so: a box over a reflexive relation."""
        word = self.symbols.get(operator)
        of_words = (each for each in self.theory.lexical_operators if word is not None and each.applies(word))
        found = next((each.operator(word) for each in of_words if word is not None), None)
        found = found or next((each for each in self.theory.operators if each.name == operator), None)
        return found is not None and found.kind == "box" and "reflexive" in found.frame

    def is_adverbial(self, node: Argument) -> bool:
        """Whether a node is an adverbial and what it is said of: what is done so is done, and it is no verb."""
        word = self.symbols.get(node.operator) if isinstance(node, Modal) and node.agent is not None else None
        return word is not None and not word.is_verb and self.is_factive(word.id)

    def readers(self) -> Iterator[Reader]:
        """This one, and those that are asked after it."""
        reader: Reader | None = self
        while reader is not None:
            yield reader
            reader = reader._further()

    def parsed(self, text: str) -> tuple[Interpretation, Reader]:
        """What the first reader that can read a sentence makes of it, and that reader; where none can, what the one
        makes of it that knows its words, and comes furthest."""
        tried: list[tuple[Interpretation, Reader]] = []
        for each in self.readers():
            tried.append((each.read(text), each))
            if tried[-1][0].readings:
                return tried[-1]
        if all(read.unknown for read, _ in tried):  # words that none knows; else the words that one or another does not
            known_to_none = set.intersection(*(set(read.unknown) for read, _ in tried))
            every = ((word, read) for read, _ in tried for word in read.unknown)
            unknown = {word: read.unknown[word] for word, read in every if word in known_to_none or not known_to_none}
            return replace(tried[0][0], unknown=unknown, scattered=not known_to_none), tried[0][1]
        return max(tried, key=lambda each: (not each[0].unknown, bool(each[0].refused), len(each[0].reached)))

    def undeclared(self, understood: Understood) -> list[str]:
        """The operators of a reading that the theory does not declare, so that no label rests on it."""
        used = {each.operator for each in walk(understood.reading.formula) if isinstance(each, Modal)}
        words = {name: self.symbols.get(name) for name in used.difference(self.theory.operator_names)}
        return sorted(name for name, word in words.items() if word is None or not self.theory.has_operator(word))

    def read_back(self, text: str, meant: Tree) -> Interpretation:
        """The readings of a text of any length that was made from a tree; what no word says is as in this tree."""
        return self._read(text, meant)

    def broken(self, text: str) -> Broken:
        """What is wrong with a sentence of known words that has no tree; nothing is said of one that takes too many
        steps, or has a name of two words. Raises ValueError as `lifts` does."""
        whole = self._whole(text)
        if self.words.names(self.grammar.language.tokens(whole), self.guess):
            return Broken()
        places = lifts(whole, self._shapes, MOST_LIFTS) or ()
        if places:
            return Broken(places, self._repaired(whole))
        most = MOST_STEPS // 8 if self.guess else MOST_STEPS
        return left_out(whole, self.grammar, lambda rest: bool(self.read(rest).readings), most)

    def _whole(self, text: str) -> str:
        """A text with a final sign."""
        whole, finals = self.grammar.language.plain(text.strip()), tuple(self.grammar.sentences.values())
        return whole if not finals or whole.endswith(finals) else whole + finals[0]

    def _read(self, text: str, meant: Tree | None = None) -> Interpretation:
        language, whole = self.grammar.language, self._whole(text)
        tokens = language.tokens(whole)
        if (len(tokens) > MOST_TOKENS and meant is None) or len(tokens) < 2:
            return Interpretation(text, parsed=False)
        named = self.words.names(tokens, self.guess) if meant is None else ()
        rules = self.rules.also(named) if named else self.rules
        strange, forests = self._forests(whole, rules, MOST if meant is None else sys.maxsize)
        unknown = {*strange}
        # guessed are first unknown words alone; what has a capital is first taken for a name
        tries = [(others, capital) for others in (False, True) for capital in (True, False) if unknown or others]
        for others, capital in tries if self.guess else ():
            if any(forest.roots or not forest.complete for forest in forests):
                break
            starts = (at == 0 or tokens[at - 1] in language.ends for at in range(len(tokens)))
            guesses = [
                self.words.guesses(token, at, capital)
                for token, at in zip(tokens, starts, strict=True)
                if (others or token in unknown)
                and token not in self._spared
                and not (at and token[:1].lower() + token[1:] in self._spared)
            ]
            strange, forests = self._forests(whole, rules.also(word for each in guesses for word in each), MOST)
        if strange:
            return Interpretation(text, unknown=Unknown(strange, self._near))
        if not all(forest.complete for forest in forests):
            return Interpretation(text, whole=False)
        try:
            trees = sum(forest.count() for forest in forests)
        except ValueError as error:
            help = "let no constructor without words of its own make a category of the same category"
            raise UsageError(f"`{text}` cannot be read: {error}", help, "E43") from None
        if not trees:
            best = max(forests, key=lambda forest: forest.reached)
            could = sorted(map(self._expected, best.expected), key=lambda each: "`" not in each)
            reached = language.joiner.join(tokens[: best.reached])
            for sign in (*language.marks, *language.clitics):
                reached = reached.replace(f"{language.joiner}{sign}", sign)
            return Interpretation(text, reached=reached, expected=tuple(could))
        meanings = [Meanings(forest, self.grammar, meant) for forest in forests]
        alone = self._same_form.readings(meant, meanings) if meant is not None and trees == 1 else None
        if alone is not None:
            return Interpretation(text, trees, readings=tuple([Understood(*each) for each in alone]))
        try:
            readings, why = self._readings(meanings, tokens, meant is not None)
        except Spent:
            return Interpretation(text, trees, whole=False)
        return Interpretation(text, trees, all(each.whole for each in meanings), readings, refused=why)

    def _expected(self, name: str) -> str:
        """A word in quotes; a category with one of its words, or the name of one of phrases."""
        category = self.grammar.categories.get(name)
        if category is None:
            return f"`{name}`"
        forms = (form for word in category.lexemes for form in word.forms.values() if form != MISSING)
        word = next(forms, "")
        return f"{name} (`{word}`)" if word else name

    def _repaired(self, text: str) -> str:
        """A text with a tree that has another form of one of its words; empty if there is none."""
        language = self.grammar.language
        cut = lattice(text, language, self.rules.known)
        for at, token in enumerate(language.tokens(text)):
            here = [word for each in cut[at] for word, _ in self.rules.spelt(each) if len(word.tokens) == 1]
            forms = (form for word in here for form in self.symbols[word.id].forms.values() if " " not in form)
            for form in dict.fromkeys(language.capitalised(form) if at == 0 else form for form in forms):
                other = re.sub(rf"(?<!\w){re.escape(token)}(?!\w)", lambda _, form=form: form, text, count=1)  # type: ignore[misc]
                if other != text and lifts(other, self._shapes, MOST) is None:
                    return other
        return ""

    def _forests(self, text: str, rules: Rules, most: int) -> tuple[list[str], list[Forest]]:
        """The words that some rules do not know, or, if there are none, the forest of each way to cut the text."""
        strange = unknown(text, self.grammar.language, rules.known)
        every = () if strange else islice(cuts(text, self.grammar.language, rules.known), MOST_CUTS)
        return strange, [parse(cut, rules, most) for cut in every]

    def _readings(
        self, meanings: list[Meanings], tokens: Sequence[str], meant: bool
    ) -> tuple[tuple[Understood, ...], str]:
        """The readings of trees, and why one was refused, where that is known; ``meant``: none is."""
        why = ""
        first: dict[Formula, Understood] = {}
        alike: dict[str, list[tuple[int, Tree, tuple[Reading, ...]]]] = defaultdict(list)
        trees = [(tree, each.composer) for each in meanings for tree in each.trees()]
        for wanted, number in ((self.guess, self._in_phrases), (not meant, self._objects)):
            if wanted and len(trees) > 1:
                known: dict[int, tuple[Tree, int]] = {}
                counts = [total(tree, number, known) for tree, _ in trees]
                trees = [each for each, count in zip(trees, counts, strict=True) if count == max(counts)]
        written, said = dict[int, str](), dict[int, str]()
        small = [each.lower() for each in tokens]
        of_term: dict[str, Understood] = {}  # trees that differ in what is kept in its place have one term
        for tree, composer in trees:
            found = readings_of(tree, self.theory, self.grammar, composer=composer)
            name = term(tree, known=written)
            alike[name].append((kept_in_place(tree, self.grammar), tree, found))
            new = [each for each in found if each.formula not in first]
            if not meant:
                of = self.symbols, self.grammar, self.words.guessed
                new = [each for each in new if not is_refused(each.formula, *of)]
                new = [each for each in new if not is_ill_timed(each.formula, small, *of[:2])]
                wrong = [mismatch(each.formula, *of) for each in new]
                why = next(filter(None, wrong), why)
                new = [each for each, amiss in zip(new, wrong, strict=True) if not amiss]
            if new and name not in of_term:
                of_term[name] = Understood(new[0], "scope", "") if meant else self._understood(tree, new[0])
            if new and not meant and says_twice(of_term[name].words, small, self.symbols, self.grammar):
                new = []
            if new:
                understood = replace(of_term[name], term=term(tree, self.grammar, said))
                first |= {reading.formula: replace(understood, reading=reading) for reading in new}
        surface = {surface_reading(each, self.grammar) for each in alike.values()}
        fixed = set[Formula]()
        for every in alike.values() if not meant else ():  # a label of people's sentences hangs on it
            _, tree, _ = every[0]
            formulas = {reading.formula for _, _, found in every for reading in found}
            if is_of_one_order(tree, formulas, self.grammar):
                fixed |= formulas
        return tuple(
            replace(
                each,
                kind="parse" if formula in surface else each.kind,
                guessed=self._guessed(formula),
                fixed=formula in fixed,
            )
            for formula, each in first.items()
        ), why

    def _understood(self, tree: Tree, reading: Reading) -> Understood:
        """A reading of a tree, with what the tree says beside it, on which the labels of people's sentences hang."""
        words, pronouns = mentioned(tree, self.grammar, self.symbols)
        said = times(tree, self.grammar, self.symbols)
        several, resumed = self._several(tree), self._resumed(tree)
        return Understood(
            reading, "scope", "", times=said, several=several, words=words, pronouns=pronouns, resumed=resumed
        )

    def _several(self, tree: Tree) -> bool:
        """Whether a noun phrase of a tree is of several."""
        feature, _, value = self.grammar.language.cautions.several.partition(".")
        every = (node for node in nodes(tree) if isinstance(node, Apply)) if feature else ()
        phrases = (each for each in every if is_quantifier(self.grammar.categories[each.constructor.result].type))
        return any(value in (origin(each, feature, self.grammar).constant or ()) for each in phrases)

    def _resumed(self, tree: Tree) -> bool:
        """Whether the clause of a verb phrase that is left out has a pronoun or a further clause in it (Sag 1976)."""
        cautions = self.grammar.language.cautions
        clauses = (
            node
            for node in nodes(tree)
            if isinstance(node, Apply) and {node.constructor.name, node.constructor.result} & {*cautions.left_out}
        )
        below = (node for clause in clauses for each in clause.given for node in nodes(each))
        return any(
            bool(node.constructor.refers)
            or bool({node.constructor.name, node.constructor.result} & {*cautions.clausal})
            if isinstance(node, Apply)
            else isinstance(node, Given) and node.category in cautions.clausal
            for node in below
        )

    def _in_phrases(self, node: Tree) -> int:
        """How many words there are in a word of several, *on time*: who knows the phrase reads it so."""
        word = self.symbols.get(node.value) if isinstance(node, Given) else None
        return 0 if word is None else min(form.count(" ") for form in word.forms.values())

    def _objects(self, node: Tree) -> int:
        """How many words among the parts of a tree have two objects: whoever gives a book to Jo gives it to her, and no
        book to Jo. Not where one is a pronoun: *fed her dogs* may be what she did to dogs of hers; nor where one says
        how long: nobody *cooked a fish for an hour* as for a friend."""
        given = tuple(node.given) if isinstance(node, Apply) else ()
        if any(isinstance(each, Apply) and _is_pronoun(each) for each in given):
            return 0
        words = (each for each in given if isinstance(each, Given) and each.value in self.symbols)
        words = (each for each in words if not says_how_long(each.value, given[-1], self.symbols, self.grammar))
        known = (self.grammar.categories.get(each.category) for each in words)
        return sum(_places(each.type) > 2 for each in known if each is not None)

    def _guessed(self, formula: Formula) -> tuple[str, ...]:
        """The words of a formula that were guessed."""
        if not self.words.guessed:
            return ()
        return tuple(self.words.guessed[each] for each in sorted(symbols(formula).names & self.words.guessed.keys()))


def _is_pronoun(node: Apply) -> bool:
    """Whether a part is a pronoun alone, with no noun (*her*, and not *her dog*)."""
    return bool(node.constructor.refers) and not any(isinstance(each, Apply) for each in node.given)


def _places(type_: Type | None) -> int:
    """How many individuals a word of a type is true of."""
    return 1 + _places(type_.result) if isinstance(type_, Function) and type_.argument == E_TYPE else 0
