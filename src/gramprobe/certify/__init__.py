"""The kernel: what a reader must trust to trust a label. Standard library only, nothing of gramprobe is
imported.

    certificate line --check.check_entry--> problems
         |  model.Model.from_json        the pointed model
         |  frames.problems              is it a model of the theory's frames?
         |  evaluator.value              what has each formula there? three values, by the tables, naively
         `- rule.label_of                which label do the values found make?

It shares no code with the search that found the models: formulas are nested JSON lists here.
"""
