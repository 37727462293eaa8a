"""Pages of `explain` about a paradigm or an item: `labels` for tasks that claim labels, `readings` for the others.

stream or instance --matrix, paradigm, item--> explain.decision.Explained: text, data, pictures
"""
