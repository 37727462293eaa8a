"""Formulas typed by hand: read, checked against a theory and decided; and objections to the label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from gramprobe.certify.model import Model
from gramprobe.certify.rule import FAILURE
from gramprobe.decide.label import Decider
from gramprobe.decide.narrative import is_story
from gramprobe.decide.procedure import ask
from gramprobe.decide.question import Question, Value
from gramprobe.decide.reduce import reduce
from gramprobe.decide.verdict import Decision
from gramprobe.decide.wording import looked_for
from gramprobe.formula import ast
from gramprobe.formula.ast import Formula
from gramprobe.formula.demands import met
from gramprobe.formula.measure import max_count
from gramprobe.formula.notation import FormulaError, UnknownOperator, parse, show
from gramprobe.formula.theory import TheorySlice
from gramprobe.judge import judge
from gramprobe.records import Record
from gramprobe.resolve.grammar.data import Grammar, Lexeme
from gramprobe.resolve.grammar.types import E_TYPE, Type, arity
from gramprobe.resolve.project import Declarations
from gramprobe.resolve.theory.data import Theory
from gramprobe.source import messages
from gramprobe.source.diagnostic import AuthoringError, Findings, UsageError
from gramprobe.source.nearest import did_you_mean, listed

LARGEST_COUNT = 1_000
"""The largest number in a counting quantifier."""
MOST_SIGNS = 20_000
"""The largest number of nodes in a formula."""
DEEPEST = 100
"""The deepest nesting of a formula."""


class Objection(Record, frozen=True):
    """An objection to a label."""

    code: str
    message: str
    help: str


class UndecidableFormulas(UsageError):
    """Two formulas that can be read but not labelled: an update that goes wrong, or a formula that is too large.

    It is what a command reports for a :class:`gramprobe.judge.judge.Undecidable`.
    """


@dataclass(frozen=True, slots=True)
class Decided:
    """A pair of formulas in a theory with its decision; ``slice`` is the part of the theory that can matter to it."""

    premise: Formula
    hypothesis: Formula
    theory: str
    slice: TheorySlice
    decision: Decision

    @property
    def rests_on(self) -> str:
        """The principles that the label rests on, as text; empty if the decider did not derive them."""
        return self.decision.rests_on_text


def decide(
    premise: str, hypothesis: str, theory: str, declarations: Declarations, decider: Decider | None = None
) -> Decision:
    """Decide two formulas in a theory. Names are plain symbols: axioms about words of the lexicon do not apply.

    Raises UsageError for a formula that cannot be read, UndecidableFormulas for a pair that cannot be decided,
    AuthoringError for mistakes in the theory's file.
    """
    return decided(premise, hypothesis, theory, declarations, decider).decision


def decided(
    premise: str,
    hypothesis: str,
    theory: str,
    declarations: Declarations,
    decider: Decider | None = None,
    grammar: Grammar | None = None,
) -> Decided:
    """The same as `decide`, together with the formulas as they were read.

    With a ``grammar``, the ids of its words are these words, and axioms about words (`each` lines) apply to them.
    """
    findings = Findings()
    declared = declarations.theory(theory, grammar, findings)
    if declared is None or findings.failed:
        raise AuthoringError(findings.items)
    symbols = grammar.symbols() if grammar is not None else {}
    operators = frozenset(declared.operator_names) | {x.id for x in symbols.values() if declared.has_operator(x)}
    texts = (premise, "premise"), (hypothesis, "hypothesis")
    before, after = (_read(text, side, declared, operators) for text, side in texts)
    _alike((before, after), declared)
    if grammar is not None:
        _as_words((before, after), symbols, grammar)
    try:
        decision = judge.decision(before, after, declared, grammar, symbols=symbols, decider=decider)
    except judge.Undecidable as error:
        raise UndecidableFormulas(error.message, error.help, error.code) from error
    except ValueError as error:
        raise UsageError(str(error), code="E07") from error
    return Decided(before, after, theory, decision.theory, decision)


def _undecidable(parts: tuple[str, str, str]) -> UndecidableFormulas:
    code, message, help = parts
    return UndecidableFormulas(message, help, code)


def objections(decided: Decided) -> list[Objection]:
    """The objections to the label of a pair, each with the formula or the theory at fault."""
    verdict = decided.decision.verdict
    parts = [messages.formula.hypothesis_undefined()] if verdict.label == FAILURE else []
    if not verdict.findings:
        return [Objection(*each) for each in parts]
    premise, hypothesis, theory = reduce(decided.premise, decided.hypothesis, decided.slice)
    if is_story(decided.premise):  # after a story the hypothesis is judged alone, as in the build
        _, hypothesis, _ = reduce(ast.TRUE, decided.hypothesis, decided.slice)
    for finding in verdict.findings:
        unproved = verdict.unproved(finding)
        if unproved is not None and finding == "premise inconsistent":
            asked = isinstance(premise, ast.Interrogative)
            parts.append(messages.formula.premise_perhaps_never_true(decided.theory, asked, looked_for(unproved)))
        elif unproved is not None:
            valid = finding == "hypothesis valid"
            parts.append(messages.formula.hypothesis_perhaps_settled(valid, decided.theory, looked_for(unproved)))
        elif finding == "premise inconsistent":
            committed: Value = "D" if isinstance(premise, ast.Interrogative) else "T"
            parts.append(
                messages.formula.premise_never_true(
                    _blame(theory, premise, committed), decided.theory, committed == "D"
                )
            )
        elif finding == "hypothesis is a question":
            parts.append(messages.formula.hypothesis_asks())
        else:
            wanted: Value = "N" if finding == "hypothesis valid" else "T"
            parts.append(
                messages.formula.hypothesis_never(wanted == "N", _blame(theory, hypothesis, wanted), decided.theory)
            )
    return [Objection(*each) for each in parts]


def _blame(theory: TheorySlice, formula: Formula, value: Value) -> str:
    """What keeps a formula from having a value: its `form`, the `theory` (it has no models), or `both` together."""
    frames = tuple(replace(each, frame=frozenset(), within=(), introspected_by=()) for each in theory.operators)
    bare = replace(theory, operators=frames, postulates=())
    if not isinstance(ask(Question(theory, ((ast.TRUE, "T"),))), Model):
        return "theory"
    return "both" if isinstance(ask(Question(bare, ((formula, value),))), Model) else "form"


def _read(text: str, side: str, theory: Theory, operators: frozenset[str]) -> Formula:
    try:
        formula = met(parse(text, operators=operators), theory.demands)
    except UnknownOperator as error:
        near = "" if not error.hint.startswith("did you mean") else f"{error.hint} "
        declared = f"theory {theory.name} declares {listed(sorted(theory.operator_names)) or 'no operator'}"
        raise UsageError(_marked(text, side, error), near + declared, "E20") from error
    except FormulaError as error:
        raise UsageError(_marked(text, side, error), error.hint or "", "E07") from error
    except RecursionError:
        raise _undecidable(messages.formula.too_large_a_formula(f"the {side} is nested too deeply")) from None
    _fits(formula, side)
    if any(isinstance(part, ast.Lambda) for part in ast.walk(formula)):
        raise UsageError(f"the {side} has a function (`\\x. F`), which stands in `sem` lines only", code="E07")
    events = {event.name: event for event in theory.events}
    for part in ast.walk(formula):
        if isinstance(part, ast.Exhaustified) and not theory.scales:
            help = "decide in --theory implicature, or write `scale some, all` into the theory"
            raise UsageError(
                f"theory {theory.name} has no scales: `exh` in the {side} would strengthen nothing", help, "E20"
            )
        if isinstance(part, ast.EventUpdate) and part.event not in events:
            help = (
                f"theory {theory.name} has the events {listed(events)}"
                if events
                else f"theory {theory.name} has no events"
            )
            raise UsageError(f"the {side} has no event `{part.event}`{did_you_mean(part.event, events)}", help, "E20")
        if isinstance(part, ast.EventUpdate) and len(part.args) != len(events[part.event].parameters):
            code, message, help = messages.formula.event_arguments(
                part.event, events[part.event].parameters, len(part.args)
            )
            raise UsageError(message, help, code)
    return formula


def _alike(formulas: Sequence[Formula], theory: Theory) -> None:
    """Raise UsageError if an operator is used as a predicate, or a symbol in two ways."""
    operators, arities = dict[str, bool](), dict[str, int]()
    for definition in theory.definitions:
        operators[definition.name] = definition.agent is not None
    for part in (part for formula in formulas for part in ast.walk(formula)):
        if isinstance(part, ast.Modal):
            agent = part.agent is not None
            if operators.setdefault(part.operator, agent) != agent:
                ways = f"`{part.operator}[a] F`", f"`{part.operator} F`"
                wanted, other = ways if operators[part.operator] else ways[::-1]
                help = "an operator has an agent everywhere or nowhere: with one it has a relation for each"
                raise UsageError(f"`{part.operator}` stands as {other}, and is to be written {wanted}", help, "E07")
        elif isinstance(part, ast.Atom):
            name, count = part.predicate, len(part.args)
            if name in theory.operator_names:
                help = f"write `{name}[a] F`, or `{name} F` if it takes no agent"
                raise UsageError(f"`{name}` is an operator of theory {theory.name}, no predicate", help, "E07")
            if (before := arities.setdefault(name, count)) != count:
                message = f"the predicate `{name}` is used with {before} and with {count} arguments"
                raise UsageError(message, "one name, one number of arguments", "E07")


def _as_words(formulas: Sequence[Formula], symbols: Mapping[str, Lexeme], grammar: Grammar) -> None:
    """Raise UsageError if a word of the grammar stands where its type does not fit."""

    def type_of(word: str) -> Type | None:
        return grammar.categories[symbols[word].category].type

    for part in (part for formula in formulas for part in ast.walk(formula) if isinstance(part, ast.Atom)):
        predicate = part.predicate
        terms = [each.name for each in part.args if isinstance(each, ast.Const) and each.name in symbols]
        wrong = [term for term in terms if type_of(term) != E_TYPE]
        if predicate in symbols and (type_of(predicate) == E_TYPE or arity(type_of(predicate)) != len(part.args)):
            wrong.insert(0, predicate)
        if wrong:
            type_, category = type_of(wrong[0]), symbols[wrong[0]].category
            help = f"its type is {type_}" if type_ is not None else "it has no meaning of its own"
            raise UsageError(f"`{wrong[0]}` does not fit into `{show(part)}`: it is a word of {category}", help, "E07")


def _marked(text: str, side: str, error: FormulaError) -> str:
    mark = " " * error.offset + "^" * max(1, error.length)
    return f"the {side} cannot be read: {error.message}\n    {text}\n    {mark}"


def _fits(formula: Formula, side: str) -> None:
    """Raise UndecidableFormulas for a formula too large for the engines."""
    signs, level = 0, [formula]
    for depth in range(DEEPEST + 1):
        signs += len(level)
        level = [child for node in level for child in ast.children(node)]
        if not level:
            break
        if depth == DEEPEST:
            raise _undecidable(messages.formula.too_large_a_formula(f"the {side} is nested more than {DEEPEST} deep"))
    if signs > MOST_SIGNS:
        raise _undecidable(messages.formula.too_large_a_formula(f"the {side} has more than {MOST_SIGNS:,} signs"))
    count = max_count(formula)
    if count > LARGEST_COUNT:
        raise _undecidable(
            messages.formula.too_large_a_formula(f"the {side} counts to {count:,}, past {LARGEST_COUNT:,}")
        )
