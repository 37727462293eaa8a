"""Proofs and models told in sentences of the grammar that premise and hypothesis are of.

What can be said is what the trees of a pair (and, of an item, the other sentences of its instance) say: each sentence,
the sentences within them, and what constructors of one part make of these, such as negation. A formula is said by a
sentence one of whose surface readings it is; another one is put together of what can be said, or quoted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, reduce

from msgspec import structs

from gramprobe.certify.model import ModelError
from gramprobe.decide.label import Decider
from gramprobe.decide.verdict import Decision
from gramprobe.explain.picture import arrows
from gramprobe.explain.reason import VALUE_NAMES, Reasons
from gramprobe.formula import ast
from gramprobe.formula.alternatives import Scales
from gramprobe.formula.ast import TRUE, Formula
from gramprobe.formula.binding import names, substituted
from gramprobe.formula.definitions import expand
from gramprobe.formula.notation import show
from gramprobe.judge.judge import Undecidable, decision, readings_of
from gramprobe.meaning.quantifiers import PERSON
from gramprobe.resolve.grammar.data import Constructor, Grammar, Lexeme
from gramprobe.resolve.theory.data import Theory
from gramprobe.resolve.tree import Apply, Tree, category_of, nodes
from gramprobe.source.nearest import listed
from gramprobe.telling.facts import Facts
from gramprobe.telling.proof import MOST_STEPS, Step, is_proved, needed, proof
from gramprobe.words.linearise import sentence_of

MODAL = (ast.Modal, ast.Interrogative)
"""What facts of one world do not show."""
UNSAID = re.compile(r"`|\* is true of ")
"""What is in the words for a formula that no sentence says."""
MOST_WORLDS = 3
"""The largest number of worlds in a model of which a story is made."""
MOST_TOLD = 6
"""The largest number of sentences that describe a world in a story."""


class Teller:
    """Says formulas in the sentences that some trees without slots give, and in those of the trees ``beside`` them
    where these are whole.

    ``scales``: those of `exh`, in the place of the theory's own. ``is_read``: whether a text is a sentence; one within
    another may be none (*Emma saw any nurse*).
    """

    def __init__(
        self,
        trees: Iterable[Tree],
        grammar: Grammar,
        theory: Theory,
        symbols: Mapping[str, Lexeme],
        scales: Scales | None = None,
        beside: Iterable[Tree] = (),
        is_read: Callable[[str], bool] = lambda text: True,
    ) -> None:
        self._is_read = is_read
        self.grammar, self.theory, self.symbols, self.scales = grammar, theory, dict(symbols), scales
        self.decider, self.plain_decider = Decider(dependence=True), Decider()
        self.definitions = {each.name: each for each in theory.definitions}
        self.known: dict[str, str] = {}
        self.plain: dict[str, Formula] = {}  # sentence -> its formula: those within others, and their negations
        whole = list(trees)
        self.trees = whole
        for tree in (*whole, *beside):
            self._add(tree)
        around = _wrappers(grammar)
        for tree in whole:
            for node in nodes(tree):
                if isinstance(node, Apply):
                    self._add(node, plain=node is not tree)
                    for constructor in around.get(category_of(node), ()):
                        self._add(Apply(constructor, (node,), constructor.span), plain=True)

    @cached_property
    def facts(self) -> Facts:
        """What says single facts of what the trees speak of."""
        return Facts(self.trees, self.grammar, self.theory, self._is_read)

    def _add(self, tree: Tree, plain: bool = False) -> None:
        if category_of(tree) not in self.grammar.sentences:
            return
        try:
            whole = sentence_of(tree, self.grammar)
            reading = readings_of(tree, self.theory, self.grammar)[0]
        except (KeyError, ValueError, IndexError):  # it has no words, or no meaning, by itself
            return
        if plain and _misleading(reading.formula):
            return
        if reading.refers or isinstance(reading.formula, ast.Interrogative) and plain:
            return
        if plain and not self._is_read(whole):
            return
        key, text = self._key(reading.formula), whole.rstrip(".")
        self.known.setdefault(key, text)
        if plain and key not in {self._key(each) for each in self.plain.values()}:
            self.plain[text] = reading.formula

    def say(self, formula: Formula) -> str:
        """A formula as a clause without a final sign."""
        text = self.known.get(self._key(formula))
        if text is not None:
            return text
        match formula:
            case ast.Not(ast.And(left, right)):
                return f"it is not so both that {self._within(left)} and that {self._within(right)}"
            case ast.Not(body):
                return f"it is not so that {self._within(body)}"
            case ast.And(left, right):
                return f"{self.say(left)}, and {self._within(right)}"
            case ast.Or(left, right):
                return f"{self.say(left)}, or {self._within(right)}"
            case ast.Implies(left, right):
                return f"if {self._within(left)}, then {self._within(right)}"
            case ast.Quantified(quantifier="exactly", count=1, scope=ast.Truth(True)):
                there = self.known.get(self._key(structs.replace(formula, quantifier="exists", count=None)))
                return f"{there}, and only one" if there else f"`{show(formula)}`"
            case ast.Quantified(
                quantifier="forall", restrictor=ast.Truth(True), scope=ast.Implies(ast.Atom(one), ast.Atom(other))
            ) if "sg" in self._forms(one) and (other not in self.symbols or "sg" in self._forms(other)):
                return f"every {self._word(one)} is {self._with_article(self._word(other))}"
            case ast.Quantified(
                quantifier="forall", restrictor=ast.Truth(True), scope=ast.Implies(ast.Atom(one), ast.Atom(other))
            ) if {one, other} <= self.symbols.keys():
                return f"what is called *{self._word(one)}* is called *{self._word(other)}*, too"
            case ast.Quantified(
                quantifier="forall",
                restrictor=ast.Truth(True),
                scope=ast.Quantified(restrictor=ast.Truth(True), scope=scope),
            ) if verb := self._done_by_people(scope):
                return f"whoever *{verb}* is somebody"
            case ast.Modal(operator, ast.Const(who), body) if "s" in self._forms(self._verb(operator)):
                return f"{self._word(who)} {self._forms(self._verb(operator))['s']} that {self._within(body)}"
            case ast.Modal("earlier", None, body):
                return f"earlier, {self._within(body)}"
            case ast.Atom(predicate, arguments) if arguments and all(isinstance(a, ast.Const) for a in arguments):
                if said := self.facts.sentence(formula):
                    return said
                whom = listed([self._word(a.name) for a in arguments if isinstance(a, ast.Const)])
                if predicate == PERSON:
                    return f"{whom} is somebody"
                return f"*{self._word(predicate)}* is true of {whom}"
            case _:
                return f"`{show(formula)}`"

    def _done_by_people(self, scope: Formula) -> str:
        """The verb of an axiom that says that whoever does it is somebody; empty if it is none."""
        while isinstance(scope, ast.Quantified):
            scope = scope.scope
        match scope:
            case ast.Implies(ast.Atom(verb, (who, *_)), ast.Atom(predicate, (other,))) if (predicate, who) == (
                PERSON,
                other,
            ):
                return self._forms(verb).get("s", "")
        return ""

    def _forms(self, name: str) -> Mapping[str, str]:
        word = self.symbols.get(name)
        return {} if word is None else word.forms

    def _verb(self, operator: str) -> str:
        """A verb that is defined as an operator, as *know* as `K`; else the operator."""
        renamed = (
            each.name
            for each in self.theory.definitions
            if isinstance(each.formula, ast.Modal) and each.formula.operator == operator and each.name in self.symbols
            if isinstance(each.formula.body, ast.Atom) and each.formula.body.predicate == each.body
        )
        return operator if operator in self.symbols else next(renamed, operator)

    def _word(self, name: str) -> str:
        """The first form of a word; of another symbol, its name."""
        return next(iter(self._forms(name).values()), name.replace("_", " "))

    def _with_article(self, word: str) -> str:
        articles = self.grammar.language.articles
        fitting = (
            [each for each, value in articles.words.items() if value == articles.by_letters(word)] if articles else []
        )
        return " ".join([*fitting[:1], word])

    def _within(self, formula: Formula) -> str:
        """The same inside a sentence: names keep their capital."""
        text = self.say(formula)
        first = text.split(" ")[0].removesuffix("'s")
        capital = any(first in each.forms.values() for each in self.symbols.values())
        return text if capital or text.startswith("`") else text[:1].lower() + text[1:]

    def _key(self, formula: Formula) -> str:
        """The same text for formulas that differ in variables, in where a part of `exists` stands, or by definition."""
        return show(_plain(expand(formula, self.definitions), 0))

    def _sentence(self, formula: Formula) -> str:
        text = self.say(formula)
        return text[:1].upper() + text[1:] + ("" if text.endswith("?") else ".")

    def told(self, premise: Formula, hypothesis: Formula, found: Decision, said: str) -> list[str]:
        """The label of a pair as a proof in sentences, of a neutral one its models as stories; empty where there are
        none. ``said``: the premise's sentence."""
        stories = self.stories(premise, hypothesis, found)
        return self.proof(premise, hypothesis, found, said) or [" ".join(story) for story in stories.values()]

    # proofs

    def proof(self, premise: Formula, hypothesis: Formula, found: Decision, said: str) -> list[str]:
        """The label of a pair by numbered sentences; what it rests on, if there is no short proof; nothing for a
        neutral label. The first line says what follows. ``said``: the premise's sentence."""
        label = found.verdict.label
        if label == "entailment":
            goal, head = hypothesis, "why the hypothesis follows:"
        elif label == "contradiction" and found.verdict.h_values == "F":
            goal = hypothesis.body if isinstance(hypothesis, ast.Not) else ast.Not(hypothesis)
            head = "why the hypothesis is false:"
        else:
            return []
        premise, goal = (expand(each, self.definitions) for each in (premise, goal))
        steps = self._short(self._sayable(proof(premise, goal, self._follows, self._principles)))
        if steps:
            return [head, *(self._line(n, steps, said) for n in range(len(steps)))]
        rests = found.rests_on_text or "nothing but the meaning of the words"
        return [f"no proof of at most {MOST_STEPS} steps was found; the label rests on {rests}"]

    def _short(self, steps: Sequence[Step]) -> list[Step]:
        """The proof without steps that say what the one before them said."""
        kept: list[Step] = []
        number: list[int] = []  # of each step, that of the one that says it
        for step in steps:
            sources = tuple(dict.fromkeys(number[n] for n in step.sources))
            alone = len(sources) == 1 and not step.principles and len(steps) > 2
            if alone and self.say(step.formula) == self.say(kept[sources[0]].formula):
                number.append(sources[0])
                continue
            number.append(len(kept))
            kept.append(replace(step, sources=sources))
        return kept

    def _sayable(self, steps: list[Step]) -> list[Step]:
        """The proof without steps that no sentence says, where those that need them follow from what these rest on."""
        for at in range(len(steps) - 2, 0, -1):
            using = [n for n, step in enumerate(steps) if at in step.sources]
            if steps[at].rule == "case" or not UNSAID.search(self.say(steps[at].formula)):
                continue
            others = list(steps)
            for n in using:
                sources = tuple(sorted({*steps[n].sources, *steps[at].sources} - {at}))
                found = self._follows([steps[source].formula for source in sources], steps[n].formula)
                if found is None or steps[n].rule == "case":
                    break
                rule = steps[at].rule if steps[n].rule == "part" else steps[n].rule
                others[n] = replace(steps[n], sources=sources, rule=rule, principles=self._principles(found))
            else:
                steps = needed(others, len(others) - 1)
        return steps

    def _principles(self, found: Decision) -> tuple[str, ...]:
        def phrase(text: str) -> str:
            words = (self._word(each) if each in self.symbols else each.replace("_", " ") for each in text.split(" "))
            return " ".join(words)

        return tuple(phrase(each) if isinstance(each, str) else self.say(each) for each in found.rests_on)

    def _follows(self, given: Sequence[Formula], formula: Formula, decider: Decider | None = None) -> Decision | None:
        try:
            found = decision(
                reduce(ast.And, given),
                formula,
                self.theory,
                self.grammar,
                scales=self.scales,
                symbols=self.symbols,
                decider=decider or self.decider,
            )
        except (Undecidable, ValueError):
            return None
        return found if is_proved(found) else None

    def _line(self, number: int, steps: Sequence[Step], said: str) -> str:
        step = steps[number]
        by = " and ".join(str(n + 1) for n in step.sources)
        conveyed = any(ast.Exhaustified in ast.kinds(steps[n].formula) for n in step.sources)
        if step.rule == "premise":
            return f"1. {said} (the premise{', which says just that' if len(steps) == 1 else ''})"
        if step.rule == "follows":
            reason = f"in both cases, {by}" if _both_cases(step, steps) else f"by {by}"
            reason += ", with what it conveys beside what it says" if conveyed else ""
            reason += f", and {'; '.join(step.principles)}" if step.principles else ""
        else:
            reason = {"presupposed": f"{by} presupposes it", "part": f"by {by}", "case": f"one case of {by}"}[step.rule]
        return f"{number + 1}. {self._sentence(step.formula)} ({reason})"

    # models

    def stories(self, premise: Formula, hypothesis: Formula, found: Decision) -> dict[str, list[str]]:
        """Value of the hypothesis -> the model in which it has that, as sentences: what is so in the actual world, and
        in others. Only of a neutral label; empty where its sentences do not tell the models apart."""
        values = [*found.verdict.models] if found.verdict.label == "neutral" else []
        last = values and self._facts(premise, hypothesis, values[-1], found)
        if last:  # of a hypothesis that is not true, at least
            pairs = ((value, (premise, hypothesis, value, found)) for value in values[:-1])
            facts = {value: self._facts(*given) or self._story(*given) for value, given in pairs}
            return {value: story for value, story in facts.items() if story} | {values[-1]: last}
        told = {value: self._story(premise, hypothesis, value, found) for value in values}
        bodies = {tuple(lines[:-1]) for lines in told.values()}
        return told if len(bodies) == len(told) and all(told.values()) else {}

    def _facts(self, premise: Formula, hypothesis: Formula, value: str, found: Decision) -> list[str]:
        """A model of one world as single facts from which premise and hypothesis have their values: of its individuals
        by name, or of how many there are; empty where neither can be said in :data:`MOST_TOLD` sentences."""
        model, pair = found.model(value), tuple(expand(each, self.definitions) for each in (premise, hypothesis))
        if model.worlds > 1 or isinstance(premise, ast.Interrogative) or value == "U":
            return []
        cast = self.facts.individuals.cast(model, self.symbols, names(premise) | names(hypothesis))
        reasons, about = Reasons(cast, found.theory), names(premise) | names(hypothesis) | cast.constants.keys()

        def holds(formula: Formula) -> bool:
            return self._holds(formula, reasons, cast.actual, about)

        for of_numbers in (False, True):
            said = {} if of_numbers else self.facts.of_individuals(cast, holds)
            said |= self.facts.of_numbers(holds, doing=of_numbers)
            told = self._telling(said, pair[0], pair[1] if value == "T" else ast.Not(pair[1]))
            if told and len(told) <= MOST_TOLD:
                end = f"Then the premise is true, and the hypothesis is {VALUE_NAMES[value]}."
                return [f"Suppose: {'. '.join(told)}.", end]
        return []

    def _telling(self, said: Mapping[str, Formula], *goals: Formula) -> list[str]:
        """The sentences without those that are not needed for what they show; empty where they do not show it. What
        needs counts of parts (`most`) is expensive to decide: it is asked once, of few sentences, and all are kept."""

        def show_it(kept: Sequence[str]) -> bool:
            facts = [said[each] for each in kept]
            return bool(kept) and all(self._follows(facts, goal, self.plain_decider) for goal in goals)

        kept = list(said)
        dear = any(getattr(part, "quantifier", "") == "most" for goal in goals for part in ast.walk(goal))
        if (dear and len(kept) > MOST_TOLD) or not show_it(kept):
            return []
        for each in reversed(list(said)) if not dear else ():
            others = [other for other in kept if other != each]
            kept = others if show_it(others) else kept
        return kept

    def _story(self, premise: Formula, hypothesis: Formula, value: str, found: Decision) -> list[str]:
        model = found.model(value)
        if model.worlds > MOST_WORLDS:
            return []
        reasons, about = Reasons(model, found.theory), names(premise) | names(hypothesis)
        plain = sorted(self.plain.items(), key=lambda each: len(show(each[1])))
        named = [(name, sees) for name, sees in arrows(model) if "[" not in name or name[:-1].split("[")[1] in about]
        said: list[str] = []
        for world in (model.actual, *(w for w in range(model.worlds) if w != model.actual)):
            told = [text for text, formula in plain if self._holds(formula, reasons, world, about)][:MOST_TOLD]
            told = [text for text in told if text != self.say(premise)] or told
            if value != "U" and not any(
                isinstance(each, MODAL) for pair in (premise, hypothesis) for each in ast.walk(pair)
            ):
                goal = hypothesis if value == "T" else ast.Not(hypothesis)
                told = self._telling({text: self.plain[text] for text in told}, premise, goal)
            if not told and world == model.actual:
                return []
            seen = [name for name, sees in named if world in sees.get(model.actual, ())]
            by = self._seen(seen)
            head = "Suppose:" if world == model.actual else f"In w{world}{by}:"
            said += [f"{head} {'. '.join(told)}."] if told else []
        holds = "what is asked has an answer" if isinstance(premise, ast.Interrogative) else "the premise is true"
        return [*said, f"Then {holds}, and the hypothesis is {VALUE_NAMES[value]}."]

    def _seen(self, names_: Sequence[str]) -> str:
        """How a world is seen from the actual one, by the operators that see it: `B[adam]`, `poss`."""
        fits, others = list[str](), list[str]()
        for name in names_:
            operator, _, who = name.removesuffix("]").partition("[")
            does = self._forms(self._verb(operator)).get("s") if who else None
            fits += [f"what {self._word(who)} {does}"] if does else []
            others += [] if does else [f"`{name}`"]
        if not fits:
            return f", which {listed(others)} leads to" if others else ""
        return f", which fits {' and '.join(fits)}" + (f", and to which {listed(others)} leads" if others else "")

    def _holds(self, formula: Formula, reasons: Reasons, world: int, about: frozenset[str]) -> bool:
        """Whether a statement about nothing but what a pair is about is true in a world."""
        bound = {each.variable for each in ast.walk(formula) if isinstance(each, ast.Quantified)}
        if not names(formula) - bound <= about:
            return False
        try:
            return reasons.value(expand(formula, self.definitions), world) == "T"
        except (ModelError, KeyError, ValueError):  # the model says nothing of it
            return False


def _misleading(formula: Formula) -> bool:
    """Whether a sentence with this reading would rather be taken in another one: *A nurse didn't sing* for that none
    did, *Jo and Amy didn't sing* for that not both did, or a denial of a denial."""
    if not isinstance(formula, ast.Not):
        return False
    body = formula.body
    narrow = isinstance(body, ast.Quantified) and body.quantifier != "the"
    of_two = isinstance(body, ast.And | ast.Or) and _constants(body.left) != _constants(body.right)
    return narrow or of_two or any(isinstance(part, ast.Not) for part in ast.walk(body))


def _constants(formula: Formula) -> set[str]:
    return {part.name for part in ast.walk(formula) if isinstance(part, ast.Const)}


def _both_cases(step: Step, steps: Sequence[Step]) -> bool:
    return len(step.sources) == 2 and all(steps[n].formula == step.formula for n in step.sources)


def _wrappers(grammar: Grammar) -> dict[str, list[Constructor]]:
    """Category -> the constructors that make a sentence of one part of it alone."""
    found: dict[str, list[Constructor]] = {}
    for constructor in grammar.constructors.values():
        if constructor.result in grammar.sentences and len(constructor.arguments) == 1:
            found.setdefault(constructor.arguments[0].category, []).append(constructor)
    return found


def _plain(formula: Formula, depth: int) -> Formula:
    if isinstance(formula, ast.Quantified):
        variable = f"v{depth}"
        inner = {formula.variable: ast.Var(variable)}
        restrictor, scope = (substituted(each, inner) for each in (formula.restrictor, formula.scope))
        if formula.quantifier in ("exists", "exactly", "atleast", "atmost"):
            parts = sorted({show(p): p for p in (*_conjuncts(restrictor), *_conjuncts(scope)) if p != TRUE}.items())
            restrictor, scope = TRUE, TRUE
            for _, part in parts:
                restrictor = part if restrictor == TRUE else ast.And(restrictor, part)
        plain = structs.replace(formula, variable=variable, restrictor=restrictor, scope=scope)
        return ast.map_children(lambda part: _plain(part, depth + 1), plain)
    return ast.map_children(lambda part: _plain(part, depth), formula)


def _conjuncts(formula: Formula) -> list[Formula]:
    if isinstance(formula, ast.And):
        return [*_conjuncts(formula.left), *_conjuncts(formula.right)]
    return [formula]
