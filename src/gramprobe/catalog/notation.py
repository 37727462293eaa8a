"""The words of formulas, for `gramprobe explain most`: how each is written, and what it means."""

from __future__ import annotations

from msgspec import Struct


class FormulaWord(Struct, frozen=True):
    """How a word is written in formulas, and what that means."""

    form: str
    means: str


_OCCASIONS = "of the occasions t that are F: {}; `(F, G)` may be left out for all occasions"
WORDS = {
    "forall": FormulaWord("forall x. F   or   forall x. (F, G)", "every individual is F; all that are F are G"),
    "exists": FormulaWord("exists x. F   or   exists x. (F, G)", "some individual is F; some that is F is G"),
    "atleast": FormulaWord("atleast 3 x. (F, G)", "three or more individuals are F and G"),
    "atmost": FormulaWord("atmost 3 x. (F, G)", "three individuals or fewer are F and G"),
    "exactly": FormulaWord("exactly 3 x. (F, G)", "three individuals are F and G, no more and no fewer"),
    "most": FormulaWord("most x. (F, G)", "more than half of the individuals that are F are G"),
    "the": FormulaWord(
        "the x. (F, G)   or   P(the x. (F))", "the F is G (is P): undefined unless exactly one individual is F"
    ),
    "always": FormulaWord("always t. (F, G)", _OCCASIONS.format("all are G")),
    "usually": FormulaWord("usually t. (F, G)", _OCCASIONS.format("more than half are G")),
    "sometimes": FormulaWord("sometimes t. (F, G)", _OCCASIONS.format("two or more are G")),
    "never": FormulaWord("never t. (F, G)", _OCCASIONS.format("none is G")),
    "true": FormulaWord("true", "what holds in every model"),
    "false": FormulaWord("false", "what holds in no model"),
    "here": FormulaWord("F @ here", "F at the actual world, wherever it stands"),
    "exh": FormulaWord(
        "exh F", "F, and not what is stronger: words of a scale that would say more are denied (theory/implicature.md)"
    ),
}
"""Every word that formulas reserve. Signs (`~`, `&`, `/`) are on the page docs/formulas.md."""
