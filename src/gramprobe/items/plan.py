"""The plan of a paradigm: its space, words and theory, checked against each other before anything is drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from gramprobe.decide.cache import Cache
from gramprobe.decide.label import Decider
from gramprobe.decide.verdict import Asked, Decision
from gramprobe.formula import ast
from gramprobe.formula.alternatives import Scales
from gramprobe.formula.ast import Formula
from gramprobe.formula.measure import symbols
from gramprobe.formula.theory import EventModel, TheorySlice
from gramprobe.items.operators import Needed, operators_needed, words_like_operators
from gramprobe.items.scope_order import unnamed_orders
from gramprobe.items.shapes import Shapes
from gramprobe.judge import judge
from gramprobe.meaning.columns import dotted
from gramprobe.meaning.reading import symbol
from gramprobe.resolve.grammar.data import Grammar, Lexeme, Meaning
from gramprobe.resolve.paradigm.data import Condition, Paradigm
from gramprobe.resolve.paradigm.scales import kind_of_member
from gramprobe.resolve.project import Declarations
from gramprobe.resolve.theory.data import Theory, no_theory
from gramprobe.resolve.theory.slicing import slice_for
from gramprobe.resolve.tree import Apply, Slot, Tree
from gramprobe.source import messages
from gramprobe.source.diagnostic import Diagnostic, Findings, Span
from gramprobe.source.nearest import did_you_mean
from gramprobe.space.space import Space, space_of
from gramprobe.words.realise import Realiser

if TYPE_CHECKING:
    from gramprobe.items.charts import Charts


@dataclass(slots=True)
class Slotted:
    """A formula over slots: the slot of each symbol, and what makes the formula with words in the place of the symbols;
    the words that filled them last, with the formula then."""

    formula: Formula
    slots: dict[str, Slot]
    fill: Callable[[Mapping[str, str]], Formula]
    words: dict[str, str] | None = None
    filled: Formula = ast.TRUE


@dataclass(kw_only=True)
class Plan:
    """A paradigm with all that is needed to draw, realise and decide its instances.

    Attributes:
        paradigm: the resolved paradigm.
        grammar: the grammar of its trees.
        theory: the theory in which it is decided.
        space: all its instances.
        realiser: makes columns of sentences.
        decider: decides shapes, each once.
        beside: plans of the same paradigm in the theories that it names, those together that are said to give the same
            labels; they share everything but the theory, and all but the first of them decide labels alone.
        charts: what charts say of its sentences, if its task wants that.
        content: a hash of all that what is derived of its instances depends on (`items.content`); empty where nothing
            of it is kept.
        counted: a hash of all that its space depends on; empty likewise.
        walked: a hash of all that the order of its instances depends on; empty likewise.
        slots: the identity of a formula -> its slots (:func:`gramprobe.items.slots.filled`).
        words: the symbol of a slot -> its name, and by member the word that fills it (`items.slots.word_in`).
        interpreted: a theory and the identity of a formula -> the formula, and as the theory takes it (:meth:`meant`).
        shapes: what its decisions ask for, where that is kept between runs.
        noun_phrases: a constructor with the values of its features -> what is decided of it (`items.licensing`).
    """

    paradigm: Paradigm
    grammar: Grammar
    theory: Theory
    space: Space
    realiser: Realiser
    decider: Decider
    beside: tuple[tuple[Plan, ...], ...] = ()
    charts: Charts | None = None
    content: str = ""
    counted: str = ""
    walked: str = ""
    slots: dict[int, Slotted] = field(default_factory=dict, repr=False)
    words: dict[str, tuple[str, list[str]]] = field(default_factory=dict, repr=False)
    interpreted: dict[tuple[str, int], tuple[Formula, Formula]] = field(default_factory=dict, repr=False)
    shapes: Shapes = field(default_factory=Shapes, repr=False)
    noun_phrases: dict[object, Any] = field(default_factory=dict, repr=False)

    @property
    def theories(self) -> tuple[Theory, ...]:
        """The theory, and those beside it."""
        return (self.theory, *(plan.theory for alike in self.beside for plan in alike))

    @property
    def kept_under(self) -> str:
        """The key under which what is derived of it is kept between runs: its content; empty where nothing is kept.
        Something is where verdicts are kept, and no outside prover is asked. `verify` keeps nothing; sentences are
        charted in each run, since their charts are written."""
        keeps = isinstance(self.decider.kept, Cache) and not self.decider.oracle and self.charts is None
        return self.content if keeps else ""

    @property
    def other_theories(self) -> list[Plan]:
        """Of those beside it the plans whose labels a row has besides its own: of each theory but the paradigm's."""
        return [alike[0] for alike in self.beside if alike[0].theory.name != self.theory.name]

    @cached_property
    def symbols(self) -> dict[str, Lexeme]:
        """Symbol in formulas -> the lexeme."""
        return self.grammar.symbols()

    @cached_property
    def scales(self) -> Scales:
        """The scales of strengthening: the paradigm's own with its slots as symbols, else those of the theory."""
        return self.theory.interpret_scales(self._declared_scales)

    @cached_property
    def _declared_scales(self) -> Scales:
        words = tuple(symbol(m) if isinstance(m, Slot) else m for m in self.paradigm.scale)
        return (words,) if words else self.theory.scales

    def meant(self, formula: Formula) -> Formula:
        """The interpreted formula of a reading: numerals as the theory takes them."""
        key = self.theory.name, id(formula)  # every group of a reading asks again, with the same object
        if key not in self.interpreted:
            self.interpreted[key] = formula, self.theory.interpret(formula, self._declared_scales)
        return self.interpreted[key][1]

    def slice(self, formulas: tuple[Formula, ...], scales: Scales, words: Mapping[str, str] = {}) -> TheorySlice:
        """The part of the theory that some formulas of one instance need, with the scales of the instance; with
        ``words`` as `slice_for`."""
        return slice_for(formulas, self.theory, self.symbols, scales, words)

    def decision(
        self, formulas: Callable[[], tuple[Formula, Formula]], scales: Scales, known: list[Asked], number: int
    ) -> Decision:
        """The decision on a pair of one instance, with the scales of the instance. ``formulas``: gives premise and
        hypothesis; they are made where it is not ``known`` under the pair's ``number`` what the decision asks for, or
        where no verdict is kept. What is the next to be known is added. Raises `judge.Undecidable`."""
        if number < len(known):
            recalled = self.decider.recalled(known[number], lambda: self.slice(formulas(), scales))
            if recalled is not None:
                return recalled
        decision = judge.decision(*formulas(), self.theory, scales=scales, symbols=self.symbols, decider=self.decider)
        if number == len(known):
            known.append(decision.asked)
        return decision


def plan(
    paradigm: Paradigm,
    declarations: Declarations,
    findings: Findings,
    theory: str | None = None,
    decider: Decider | None = None,
    together: Sequence[str] = (),
    counted: str = "",
) -> Plan | None:
    """The plan of a paradigm under its own theory or another; None, with errors in ``findings``, where it has none.

    Errors are: an empty space, a noun phrase that could take scope with no reading named, a theory without an operator
    or event that a meaning needs, a scale of mixed words. ``together``: the paradigms of a dataset, which share the
    grammar of their charts. ``counted``: as in a plan.
    """
    grammar = declarations.grammar_of_paradigm(paradigm.full_name)
    named: Theory | None = no_theory(paradigm.span)
    if paradigm.theory_span is not None:
        named = declarations.theory(theory or paradigm.theory, grammar, findings, paradigm.theory_span)
    if named is None or grammar is None:
        return None
    space = space_of(paradigm, grammar, findings, counted)
    if space is None:
        return None
    for name, place in space.once("onward", lambda: onward_references(space)):
        findings.add(messages.label.onward_reference(place, name))
    if paradigm.theory:  # without one nothing is claimed of its readings
        findings.extend(space.once("unnamed", lambda: unnamed_orders(space, grammar)))
    if findings.failed:
        return None
    demands = space.once("demands", lambda: _Demands(operators_needed(space, grammar), _distinct_meanings(space)))
    if paradigm.theory_span is not None and not _has_all(space, grammar, named, demands, findings):
        return None
    made = Plan(
        paradigm=paradigm,
        grammar=grammar,
        theory=named,
        space=space,
        realiser=space.once("realiser", lambda: Realiser(replace(space, memory={}), grammar)),  # it is in that memory
        decider=decider or Decider(),
        charts=_charts_of(declarations, together or [paradigm.full_name]) if paradigm.constraint else None,
        counted=counted,
    )
    others: dict[str, Theory] = {}
    for each in (each for alike in paradigm.theories for each in alike):
        other = declarations.theory(each.name, grammar, findings, each.span)
        if other is None or not _has_all(space, grammar, other, demands, findings):
            return None
        others[each.name] = other
    labels = made.decider.of_labels  # those of a theory said to agree with another are compared, and stand in no row
    beside = [
        tuple(
            replace(made, theory=others[each.name], decider=labels if number else made.decider)
            for number, each in enumerate(alike)
        )
        for alike in paradigm.theories
    ]
    return replace(made, beside=tuple(beside))


def _charts_of(declarations: Declarations, names: Sequence[str]) -> Charts:
    """The charts of paradigms that have some; for the others the chart parser is not loaded."""
    from gramprobe.items.charts import charts_of

    return charts_of(declarations, names)


class _Demands(NamedTuple):
    """What the meanings of a paradigm need of any theory: operators; and those with an event or `exh`, each once in a
    condition."""

    operators: list[Needed]
    meanings: list[tuple[Condition, Meaning]]


def _has_all(space: Space, grammar: Grammar, theory: Theory, demands: _Demands, findings: Findings) -> bool:
    """Whether the theory has every operator, event and scale that a meaning needs; if not, with findings."""
    paradigm = space.paradigm
    for each in demands.operators:
        lacking = each.lacking(theory)
        if lacking is not None:
            needed = each.condition, paradigm.conditions[each.condition].span
            known = theory.operator_names
            findings.add(messages.label.undeclared_operator(each.place, lacking, theory.name, known, needed))
            return False
    clashes = words_like_operators(space, grammar, theory)
    if clashes:
        whole = paradigm.full_name, paradigm.span
        findings.extend(messages.reading.id_is_operator(w.span, w.id, w.category, theory.name, whole) for w in clashes)
        return False
    misfits = _misfit_events(demands.meanings, theory, grammar)
    findings.extend(misfits)
    return not misfits and _can_strengthen(paradigm, demands.meanings, grammar, theory, findings)


def _can_strengthen(
    paradigm: Paradigm,
    meanings: Sequence[tuple[Condition, Meaning]],
    grammar: Grammar,
    theory: Theory,
    findings: Findings,
) -> bool:
    """Whether the scale's words are of one kind, and every `exh` in a meaning has a scale; if not, with findings."""
    before = len(findings.items)
    operators = (*theory.operator_names, *(p.category for p in theory.lexical_operators))
    kinds = [kind_of_member(member, grammar, operators) for member in paradigm.scale]
    for member, kind, place in zip(paradigm.scale, kinds, paradigm.scale_spans, strict=True):
        name = member.path if isinstance(member, Slot) else member
        if not kind:
            near = did_you_mean(name, operators)
            findings.add(messages.paradigm.unknown_scale_member(place, name, theory.name, near))
        elif kind != kinds[0] and kinds[0]:
            first = paradigm.scale[0]
            whose = first.path if isinstance(first, Slot) else first
            findings.add(messages.logic.mixed_scale(place, name, kind, whose, kinds[0]))
    if paradigm.scale or theory.scales:
        return len(findings.items) == before
    for condition, meaning in meanings:
        if ast.Exhaustified in ast.kinds(meaning.formula):
            findings.add(messages.paradigm.exh_without_scale(meaning.find("exh"), theory.name, condition.name))
            return False
    return True


def meanings_in(space: Space) -> Iterator[tuple[Condition, Apply, Meaning]]:
    """The meanings that a paradigm uses, each where it is used; what boxes share is looked at once."""
    for condition in space.paradigm.conditions.values():
        seen: dict[int, Tree] = {}
        for box in space.boxes:
            for node in _new_nodes(space.tree(condition.tree, box), seen):
                if isinstance(node, Apply):
                    for meaning in node.constructor.sems:
                        yield condition, node, meaning


def _new_nodes(tree: Tree, seen: dict[int, Tree]) -> Iterator[Tree]:
    """The tree and those below it, but for those that were seen: boxes share most of them."""
    left = [tree]
    while left:
        each = left.pop()
        if id(each) not in seen:
            seen[id(each)] = each
            yield each
            if isinstance(each, Apply):
                left += each.arguments[::-1]


def _distinct_meanings(space: Space) -> list[tuple[Condition, Meaning]]:
    """Each meaning with an event or `exh` once in a condition: boxes and nodes share most of them."""
    used = {(condition.name, id(meaning)): (condition, meaning) for condition, _, meaning in meanings_in(space)}
    asking = {ast.Exhaustified, ast.EventUpdate}
    return [each for each in used.values() if not asking.isdisjoint(ast.kinds(each[1].formula))]


def _misfit_events(meanings: Sequence[tuple[Condition, Meaning]], theory: Theory, grammar: Grammar) -> list[Diagnostic]:
    """Diagnostics about events in the meanings that a paradigm uses, one for each event.

    An event may be undeclared in the theory, have another number of arguments there, or mention a name that is no
    word or constant of the grammar.
    """
    words = {**grammar.constants, **grammar.symbols()}
    events = {event.name: event for event in theory.events}
    diagnostics: dict[str, Diagnostic] = {}
    for condition, meaning in meanings:
        for part in ast.walk(meaning.formula):
            if not isinstance(part, ast.EventUpdate):
                continue
            place = meaning.find(part.event)
            if part.event not in events:
                needed = condition.name, condition.span
                diagnostics.setdefault(
                    part.event, messages.logic.undeclared_event(place, part.event, theory.name, list(events), needed)
                )
            elif len(part.args) != len(events[part.event].parameters):
                about = events[part.event].parameters
                diagnostics.setdefault(
                    part.event, messages.logic.wrong_event_arguments(place, part.event, about, len(part.args))
                )
            else:
                event = events[part.event]
                stray = next(((name, kind) for name, kind in _mentioned(event) if name not in words), None)
                if stray is not None:
                    near = [*event.parameters, *words]
                    diagnostic = messages.logic.event_about_nothing(place, event.name, *stray, theory.name, near)
                    diagnostics.setdefault(part.event, diagnostic)
    return list(diagnostics.values())


def _mentioned(event: EventModel) -> list[tuple[str, str]]:
    """Every predicate and name that occurs in an event, with its type."""
    formulas = [f for a in event.actions for f in (a.pre, *(part for post in a.post for part in post))]
    occurring = symbols(*formulas)
    agents = (agent for agent in event.agents() if agent not in event.parameters)
    predicates = [(name, " -> ".join(["e"] * arity + ["t"])) for name, arity in occurring.predicates]
    return [*predicates, *((name, "e") for name in (*occurring.constants, *agents))]


def onward_references(space: Space) -> list[tuple[str, Span]]:
    """Columns that a meaning takes of a word which is itself only referred to (``k.isa`` of ``n.isa``)."""
    references: dict[tuple[str, Span], None] = {}
    for _, node, meaning in meanings_in(space):
        referred = [isinstance(each, Slot) and each.column is not None for each in node.arguments]
        for name in dotted(meaning.formula) if any(referred) else ():
            index = node.constructor.argument(name.partition(".")[0])
            if index is not None and referred[index]:
                references[name, meaning.find(name)] = None
    return list(references)
