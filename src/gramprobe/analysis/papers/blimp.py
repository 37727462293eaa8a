"""What people chose on BLiMP's paradigms that are nearest to ours (Warstadt et al. 2020, table of human agreement): how
often a good sentence was preferred to its bad one. Declared numbers: the sentences are BLiMP's and not ours."""

from __future__ import annotations

SOURCE = "Warstadt et al. 2020"
PEOPLE: dict[str, tuple[tuple[str, float], ...]] = {
    "agreement_subject_verb": (("regular_plural_subject_verb_agreement_1", 0.95),),
    "agreement_across_place": (("distractor_agreement_relational_noun", 0.81),),
    "agreement_across_relative": (("distractor_agreement_relative_clause", 0.86),),
    "agreement_determiner_noun": (("determiner_noun_agreement_1", 0.96),),
    "reflexive_gender": (("anaphor_gender_agreement", 0.96),),
    "reflexive_number": (("principle_A_c_command", 0.86),),
    "any_by_determiner": (("npi_present_1", 0.83),),
    "ever_in_relative": (("only_npi_scope", 0.72),),
    "there_determiner": (("existential_there_quantifiers_1", 0.94),),
    "form_after_auxiliary": (("irregular_past_participle_verbs", 0.95),),
    "island_complex_np": (("complex_NP_island", 0.80),),
    "island_adjunct": (("adjunct_island", 0.94),),
    "what_that_gap": (("wh_vs_that_with_gap", 0.77),),
    "what_that_no_gap": (("wh_vs_that_no_gap", 0.97),),
    "principle_a_case": (("principle_A_case_1", 0.98),),
    "there_raising": (("existential_there_subject_raising", 0.88),),
    "passive_one_place": (("passive_1", 0.95),),
}
"""Our paradigm -> BLiMP's, each with the share of people's choices of the good sentence."""


def people(paradigm: str) -> float | None:
    """The share of the nearest of BLiMP's paradigms; None where there is none."""
    known = PEOPLE.get(paradigm)
    return None if known is None else sum(share for _, share in known) / len(known)
