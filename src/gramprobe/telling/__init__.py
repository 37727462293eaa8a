"""From a decision to sentences that a linguist follows: a proof in numbered steps, models as stories.

    formulas --proof.proof--> steps           each of which is decided to follow from those that it names
    trees --facts.Facts--> sentences of the grammar that say a fact of a model
    trees, formulas, Decision --teller.Teller--> a proof, or stories, in sentences

Nothing is said that is not decided: what a step says is an entailment with a proof, what a story says is true in the
model.
"""
