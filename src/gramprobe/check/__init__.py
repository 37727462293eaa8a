"""Check many paradigms: outcomes of earlier runs are read back, the others are derived by several processes.

    names --check.check--> an Outcome (report and diagnostics) for each
         |- store.Store                outcomes of earlier runs, by a hash of everything they depend on
         `- workers.outcomes           the rest, derived in this process and in workers, then stored

The function that derives an outcome is an argument: this package does not depend on what a check does.
"""
