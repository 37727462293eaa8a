"""What people chose on BLiMP's paradigms that are nearest to ours (Warstadt et al. 2020, table of human agreement): how
often a good sentence was preferred to its bad one. Declared numbers: the sentences are BLiMP's and not ours. None is
like `any_in_noun`, `in_years` and `verb_form_auxiliary`: not measured."""

from __future__ import annotations

SOURCE = "Warstadt et al. 2020"
PEOPLE: dict[str, tuple[str, float]] = {
    "agreement_subject_verb": ("regular_plural_subject_verb_agreement_1", 0.95),
    "agreement_prepositional_phrase": ("distractor_agreement_relational_noun", 0.81),
    "agreement_relative_clause": ("distractor_agreement_relative_clause", 0.86),
    "agreement_determiner_noun": ("determiner_noun_agreement_1", 0.96),
    "agreement_determiner_noun_irregular": ("determiner_noun_agreement_irregular_1", 0.92),
    "reflexive_gender": ("anaphor_gender_agreement", 0.96),
    "reflexive_gender_noun": ("anaphor_gender_agreement", 0.96),
    "reflexive_number": ("principle_A_c_command", 0.86),
    "reflexive_command": ("principle_A_c_command", 0.86),
    "reflexive_subject": ("principle_A_case_1", 0.98),
    "any_by_determiner": ("npi_present_1", 0.83),
    "any_in_relative": ("sentential_negation_npi_scope", 0.81),
    "ever_in_relative": ("only_npi_scope", 0.72),
    "there_one": ("existential_there_quantifiers_1", 0.94),
    "there_several": ("existential_there_quantifiers_1", 0.94),
    "verb_form_participle": ("irregular_past_participle_verbs", 0.95),
    "island_complex_noun_phrase": ("complex_NP_island", 0.80),
    "island_adjunct": ("adjunct_island", 0.94),
    "filler_gap": ("wh_vs_that_with_gap", 0.77),
    "raising": ("existential_there_subject_raising", 0.88),
    "passive": ("passive_1", 0.95),
}
"""Our paradigm -> the nearest of BLiMP's, with the share of people's choices of its good sentence."""


def people(paradigm: str) -> float | None:
    """The share of the nearest of BLiMP's paradigms; None where there is none."""
    known = PEOPLE.get(paradigm)
    return None if known is None else known[1]
