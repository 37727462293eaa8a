"""From two trees, formulas or typed texts to a decision, or to a diagnostic, without any paradigm.

    two texts --typed.decided--> read, checked against the theory's declarations
         |                             typed.objections: why the build of a paradigm would refuse the pair
    two trees or formulas --judge.decision--> Decision, or Undecidable with its message
         |  meaning.compose            a tree's readings, its surface reading first
         |  resolve.theory.slicing     the part of the theory that can matter to the pair
         `- decide.label               the label with its certificate

Paradigms (`items.label`, `items.account`) call `judge.decision` too, so that a pair has the same answer everywhere.
"""
