"""Pages of `explain` about a paradigm or an item, by the kind of task."""
