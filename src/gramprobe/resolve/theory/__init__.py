"""Theory files to a theory with every name looked up, and the slice of it that a question needs.

    syntax Theory with its includes     --operators--> Vocabulary     operators (`lexical`: those of words), scales
                                        --events-----> EventModel     actions, arrows
                                        -------------> Theory         with postulates and schemas
    Theory + formulas                   --slicing----> TheorySlice    the part that can matter to them (`axioms`)

:mod:`~gramprobe.resolve.theory.data` holds the records, :mod:`~gramprobe.resolve.theory.from_syntax` the pass.
"""
