"""Engines that look for models: `bound` says how far, `gates` and `ground` write clauses, `sat` solves."""
