"""Check many paradigms: outcomes of earlier runs are read back, the others are derived by several processes.

names --check.check--> an Outcome (report and diagnostics) for each, as it is known
     |- store.Store      outcomes of earlier runs, by a hash of everything they depend on
     `- derive.work      the rest, derived in this process and in workers (`gramprobe.work`), then stored
"""
