"""Cohen (2021), "Exploring RoBERTa's theory of mind through textual entailment": the templates of its Tables 2 to 5
with its accuracies, where our sets have them, and three readers that do not reason.

Every label is one of two, entailment or not. K is any factive verb, B any other, V any of both; the subscripts are
persons.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gramprobe.baselines import rules
from gramprobe.baselines.rules import RULES
from gramprobe.baselines.verbs import Finder, Verb

LONG, SHORT, GIVEN = "long", "short", "given"
SENTENCES = (LONG, SHORT, GIVEN)
"""Whose sentences a template embeds: ours of the length of captions, ours of six words, a user's own
(`--sentences`)."""


@dataclass(frozen=True)
class Paper:
    """Accuracies that the paper prints for a template.

    Attributes:
        captions: roberta-large-mnli on sentences of SNLI, 13 words in the mean.
        short: the same on short sentences; None in Tables 4 and 5, which have none.
        set_1: fine-tuned on training set 1, on sentences of SNLI.
        set_2: fine-tuned on training set 2.
    """

    captions: float
    short: float | None
    set_1: float
    set_2: float


@dataclass(frozen=True)
class Template:
    """A column of Tables 2 to 5.

    Attributes:
        table: the number of the paper's table.
        name: premise => hypothesis.
        entails: whether the label is entailment.
        group: the sets that have it, of `PARADIGMS`.
        condition: its condition there.
        given: its condition in the set of a user's sentences; "" where that set lacks it.
        paper: the accuracies.
    """

    table: int
    name: str
    entails: bool
    group: str
    condition: str
    given: str
    paper: Paper


PARADIGMS: dict[str, dict[str, str]] = {
    "intra_personal": {LONG: "intra_personal", SHORT: "intra_personal_short", GIVEN: "given"},
    "inter_personal": {LONG: "inter_personal", SHORT: "inter_personal_short", GIVEN: "given"},
    "inference": {LONG: "inference_.+_long", SHORT: "inference_(?!.*_long).+", GIVEN: "given_inference|given_pairs"},
    "sensory_closure": {SHORT: "sensory_closure"},
    "additional": {LONG: "additional_long", SHORT: "additional", GIVEN: "given"},
}
"""Group -> kind of sentences -> its paradigms, a pattern. The kinds of inference are pooled, as in the paper."""

TEMPLATES = (
    Template(2, "KX => X", True, "intra_personal", "KX-X", "KX-X", Paper(1.0, 1.0, 1.0, 1.0)),
    Template(2, "BX => X", False, "intra_personal", "BX-X", "BX-X", Paper(0.006, 0.254, 1.0, 1.0)),
    Template(2, "anti-factive X => X", False, "intra_personal", "WX-X", "WX-X", Paper(0.46, 0.882, 1.0, 1.0)),
    Template(2, "B_a K_a X => K_a X", False, "intra_personal", "BKX-Own", "Own-Lived", Paper(0.0, 0.024, 0.133, 1.0)),
    Template(2, "K_a B_a X => B_a X", True, "intra_personal", "KBX-BX", "KBX-BX", Paper(1.0, 1.0, 1.0, 0.006)),
    Template(3, "B_a B_b X => B_a X", False, "inter_personal", "BBX-AX", "BB-BX", Paper(0.143, 0.152, 1.0, 1.0)),
    Template(3, "B_a B_b X => B_b X", False, "inter_personal", "BBX-BX", "BB-OtherB", Paper(0.0, 0.002, 1.0, 1.0)),
    Template(3, "K_a K_b X => a knows X", True, "inter_personal", "KKX-AKX", "KK-Know", Paper(0.873, 0.97, 1.0, 0.0)),
    Template(
        3, "K_a K_b X => b knows X", True, "inter_personal", "KKX-BLX", "KK-OtherK", Paper(0.993, 0.995, 1.0, 0.0)
    ),
    Template(3, "B_a K_b X => K_b X", False, "inter_personal", "BKX-BLX", "BK-OtherK", Paper(0.023, 0.039, 0.333, 1.0)),
    Template(4, "control X => Y", True, "inference", "X-Y", "X-Y", Paper(0.923, None, 0.933, 0.89)),
    Template(4, "B_a X => B_a Y", True, "inference", "BX-BY", "BX-BY", Paper(0.936, None, 0.003, 0.0)),
    Template(4, "K_a X => K_a Y", True, "inference", "KX-KY", "KX-KY", Paper(0.926, None, 0.933, 0.0)),
    Template(4, "B_a X => B_b Y", False, "inference", "BX-OtherB", "BX-OtherB", Paper(0.27, None, 0.996, 1.0)),
    Template(4, "K_a X => K_b Y", False, "inference", "KX-OtherK", "KX-OtherK", Paper(0.283, None, 0.013, 1.0)),
    Template(4, "forget X => forget Y", False, "inference", "FX-FY", "FX-FY", Paper(0.066, None, 0.006, 1.0)),
    Template(4, "see X => know Y", True, "sensory_closure", "SX-Know", "", Paper(0.943, None, 0.993, 0.0)),
    Template(5, "X => K_a X", False, "additional", "X-KX", "X-KX", Paper(0.53, None, 0.0, 1.0)),
    Template(5, "B_a K_b X => B_a X", True, "additional", "BKX-BX", "BK-BX", Paper(1.0, None, 0.91, 0.0)),
    Template(5, "K_a K_b X => K_b K_a X", False, "additional", "KKX-KKturn", "KK-KKturn", Paper(0.463, None, 0.0, 1.0)),
    Template(5, "B_a B_b X => B_b B_a X", False, "additional", "BBX-BBturn", "BB-BBturn", Paper(0.826, None, 1.0, 1.0)),
    Template(
        5, "V_a V_b X => V_b V_a X", False, "additional", "VVX-VVturn", "KB-KBturn", Paper(0.4333, None, 0.3333, 1.0)
    ),
)
"""The columns of Tables 2 to 5, in order."""
TABLES = {
    2: "Table 2: one person",
    3: "Table 3: two persons",
    4: "Table 4: inferences",
    5: "Table 5: additional tests",
}


def template_of(paradigm: str, condition: str) -> tuple[Template, str] | None:
    """The template of a condition of a paradigm, and whose sentences it embeds; None where the paper has no
    such template."""
    for template in TEMPLATES:
        for kind, pattern in PARADIGMS[template.group].items():
            wanted = template.given if kind == GIVEN else template.condition
            if condition == wanted and re.fullmatch(pattern, paradigm):
                return template, kind
    return None


def nearest(template: Template) -> str:
    """Whose sentences are shown beside the paper's captions: ours of their length in Tables 2 and 3, our short ones in
    Tables 4 and 5."""
    return LONG if template.table in (2, 3) else SHORT


# -- readers that do not reason


READERS = tuple(RULES[name] for name in ("overlap", "verbs", "persons"))
"""The rules that the paper finds in its models (sections 4.2, 4.3), and overlap."""
FORGET = Verb("forget", ("forget", "forgets", "forgot", "forgotten", "forgetting"), True)


def reads(premise: str, hypothesis: str, finder: Finder) -> tuple[bool | None, bool | None, bool | None]:
    """What each of `READERS` says, in order: whether the premise entails the hypothesis; None where it is silent."""
    found = rules.uses(premise, hypothesis, finder)
    return rules.overlap(premise, hypothesis), rules.all_factive(found), rules.one_person(found)


def agreement(shares: Sequence[float], says: Sequence[bool | None]) -> tuple[float, float | None, int] | None:
    """Agreement of a model with a reader, over the items of which the reader says something.

    Args:
        shares: how much the model gives entailment to each item, 0 to 1.
        says: what the reader says of it.

    Returns:
        The share of agreement; Cohen's kappa of it (1960), None where chance alone would agree always; the number of
        items. None for no items.
    """
    both = [(share, float(said)) for share, said in zip(shares, says, strict=True) if said is not None]
    if not both:
        return None
    count = len(both)
    agreed = sum(share if said else 1.0 - share for share, said in both) / count
    of_model, of_reader = (sum(column) / count for column in zip(*both, strict=True))
    chance = of_model * of_reader + (1.0 - of_model) * (1.0 - of_reader)
    return agreed, None if chance >= 1.0 else (agreed - chance) / (1.0 - chance), count


def corrected(agreed: float) -> float:
    """Agreement beyond that of two labels at random, S = 2 a - 1 (Bennett et al. 1954): 1 always, 0 as often as not,
    -1 never. Within a template a reader mostly has one answer, and kappa would be 0 or undefined."""
    return 2.0 * agreed - 1.0
