"""The kernel: the only code that a reader must trust to trust a label. It imports the standard library, and nothing
else of gramprobe.

    certificate line --check.check_entry--> CertificateError, or whether all of it is proved
         |  rule                     which label do the values make, and of what kind is the certificate?
         |  principles               the theory cut down to the principles that the label claims to rest on
         |- models: model, frames, evaluator        a model of the frames, evaluated naively by the tables
         `- proofs: classical        trivalent formulas as one classical problem, and then by kind
              type-elimination       types, views
              herbrand               herbrand, ground, reach, terms, nodes, clauses, rup
              venn                   venn, counting, groups, regions, miniscope, over the same grounding

It imports no code of the searches for models and proofs; the searches use its translations. Formulas are
nested JSON lists, and tuples once they are classical. `reject` bounds what checking one certificate may cost.
"""
