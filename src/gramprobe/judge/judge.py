"""The decision on a pair of trees or formulas, without any paradigm.

    tree --meaning.compose--> readings --theory.interpret--> formula
    formula, formula, theory --theory.slice, decide.label--> Decision, or Undecidable

Paradigms (`items`) and formulas typed by hand (`judge.typed`) are both decided here, so that the same pair has the same
answer, or the same diagnostic, everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from msgspec.structs import replace

from gramprobe.decide.label import Decider
from gramprobe.decide.narrative import lost_story
from gramprobe.decide.reduce import BelievesAll, Irreducible, TooLarge
from gramprobe.decide.verdict import Decision, rests_on_trust
from gramprobe.formula.alternatives import Scales
from gramprobe.formula.ast import Formula, Not, may_be_undefined, once
from gramprobe.formula.notation import FormulaError, show
from gramprobe.formula.theory import TheorySlice
from gramprobe.meaning.compose import Composer, readings
from gramprobe.meaning.reading import Reading
from gramprobe.resolve.grammar.data import Grammar, Lexeme
from gramprobe.resolve.theory.data import Theory
from gramprobe.resolve.theory.slicing import slice_for
from gramprobe.resolve.tree import Apply, Composite, Given, Slot, Tree
from gramprobe.source import messages

_Answer = TypeVar("_Answer")


class Undecidable(Exception):
    """Two formulas without a decision: an update that goes wrong, or formulas past what the engines can take.

    Attributes:
        code: the code of the diagnostic (E07, E41 or E43).
        message: what is wrong.
        help: what an author can do.
    """

    def __init__(self, code: str, message: str, help: str):
        super().__init__(message)
        self.code, self.message, self.help = code, message, help


def decision(
    premise: Tree | Formula,
    hypothesis: Tree | Formula,
    theory: Theory,
    grammar: Grammar | None = None,
    *,
    scales: Scales | None = None,
    symbols: dict[str, Lexeme] | None = None,
    decider: Decider | None = None,
) -> Decision:
    """The decision on a premise and a hypothesis.

    A tree stands for its surface reading (`readings_of` gives all); a formula is decided as it is, with words of the
    lexicon as symbols. Axioms about words come from ``grammar``; without a grammar none apply. ``scales``: those of
    `exh`, in the place of the theory's own; ``symbols``: the lexemes of the grammar by id, if the caller has them.

    Raises Undecidable if the pair has no label, ValueError for a tree without a grammar and for a formula without a
    truth value (one with a free variable).
    """
    if symbols is None:
        symbols = grammar.symbols() if grammar is not None else {}
    formulas = _formula(premise, theory, grammar, scales), _formula(hypothesis, theory, grammar, scales)
    return _asked((decider or Decider()).decision, formulas, theory, symbols, scales)


def label_like(
    like: Decision,
    premise: Formula,
    hypothesis: Formula,
    theory: Theory,
    symbols: dict[str, Lexeme],
    decider: Decider | None = None,
) -> str | None:
    """The label of a pair that is nearly the same as one that was decided, as `decision` finds it. Raises as that."""
    ask = partial((decider or Decider()).label, like=like)
    return _asked(ask, (premise, hypothesis), theory, symbols, None)


def _asked(
    ask: Callable[[Formula, Formula, TheorySlice], _Answer],
    formulas: tuple[Formula, Formula],
    theory: Theory,
    symbols: dict[str, Lexeme],
    scales: Scales | None,
) -> _Answer:
    """What a decider answers on a pair, in the part of a theory that the pair needs; raises as `decision`."""
    for side, formula in zip(("premise", "hypothesis"), formulas, strict=True):
        lost = lost_story(formula, side == "premise")
        if lost is not None:
            raise Undecidable(*messages.formula.lost_story(side, show(lost)))
    try:
        known = slice_for(formulas, theory, symbols, scales)
        return ask(*formulas, known)
    except BelievesAll as error:
        raise Undecidable(*messages.formula.believes_all(error.side, error.update, error.operator)) from error
    except Irreducible as error:
        raise Undecidable(*messages.formula.no_reduction(str(error))) from error
    except TooLarge as error:
        raise Undecidable(*messages.formula.too_large_a_formula(str(error))) from error
    except RecursionError:
        raise Undecidable(
            *messages.formula.too_large_a_formula("written out, this pair is nested too deeply")
        ) from None
    except FormulaError as error:
        raise Undecidable("E07", error.message, error.hint or "") from error


def equivalent(
    one: Formula,
    other: Formula,
    theory: Theory,
    symbols: dict[str, Lexeme] | None = None,
    decider: Decider | None = None,
) -> bool:
    """Whether two formulas are true, and false, in the same models of a theory; false where that is not decided."""
    asked = decider or Decider()
    # of a pair and of what both deny a decider of labels asks the same combinations of values: some are known by then
    pairs = [(one, other), (Not(one), Not(other))]
    if any(may_be_undefined(node) for formula in (one, other) for node in once(formula)):
        pairs += [(other, one), (Not(other), Not(one))]
    try:
        decided = (decision(*pair, theory, symbols=symbols, decider=asked).verdict for pair in pairs)
        return all(set(each.h_values) <= {"T"} and not rests_on_trust(each.kind) for each in decided)
    except (Undecidable, ValueError):
        return False


def readings_of(
    tree: Tree, theory: Theory, grammar: Grammar, scales: Scales | None = None, composer: Composer | None = None
) -> tuple[Reading, ...]:
    """The interpreted readings of a tree without slots, the surface reading first. ``composer``: as for
    `compose.readings`. Raises `compose.Spent`."""
    used = theory.scales if scales is None else scales
    found, known = readings(tree, {}, grammar, composer), {} if composer is None else composer.interpreted
    for each in found:
        if each.formula not in known:
            known[each.formula] = theory.interpret(each.formula, used)
    return tuple(replace(each, formula=known[each.formula]) for each in found)


def _formula(given: Tree | Formula, theory: Theory, grammar: Grammar | None, scales: Scales | None) -> Formula:
    if not isinstance(given, Apply | Composite | Given | Slot):
        return given
    if grammar is None:
        raise ValueError("a tree has a meaning only in a grammar")
    return readings_of(given, theory, grammar, scales)[0].formula
