"""The kernel: what a reader must trust to trust a label. Standard library only, nothing of gramprobe is
imported.

    certificate line --check.check_entry--> CertificateError, or whether all of it is proved
         |  rule                     which label do the values found make, and of what kind is the certificate?
         |  principles               the theory cut down to what the label is said to rest on
         |- models: model, frames, evaluator        a model of the frames, evaluated naively by the tables
         `- proofs: classical        trivalent formulas as one classical problem, and then by kind
              type-elimination       types, views
              herbrand               herbrand, ground, reach, terms, nodes, clauses, rup
              venn                   venn, counting, groups, regions, miniscope, over the same grounding

It shares no code with the search that found models and proofs; the search uses its translations. Formulas are
nested JSON lists, and tuples once they are classical. `reject` bounds what checking one certificate may cost.
"""
