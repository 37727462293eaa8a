"""Formulas and trees to a decision or a diagnostic, without any paradigm."""
