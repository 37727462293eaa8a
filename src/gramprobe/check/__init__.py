"""Every paradigm of a project checked: what was kept is not derived again, and what is left is shared by processes.

names --outcomes--> for each: kept (store), else derived here or by a worker (workers), then kept
paradigm --derive--> report and findings; the one that is given: this package knows nothing of what a check looks at
"""
