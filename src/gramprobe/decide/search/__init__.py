"""Engines that search for models.

`tables` evaluates formulas in all models of a small size at once (`layout`, `relations`, `planes`), `sat` solves
clauses of growing size (`instantiate`, `gates`), up to a size that `bound` computes.
"""
