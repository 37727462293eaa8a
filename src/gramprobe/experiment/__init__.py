"""Experiments with people: who reads which item, in which order, and pages that present it.

trials       the records of an experiment folder: what was planned, which is what answers are checked against
"""
