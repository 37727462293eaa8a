"""Baselines that do not reason: readers of rows that see less than two sentences and their order.

    two sentences --matches.MATCHES--> whether their words match in some way
    two sentences --table.keys--> what a reader sees of them, as a key
    keys, labels --table.cross_validated--> which rows a table from keys to labels gets right, and its accuracy

A set that such a reader solves tests nothing that the reader lacks (Poliak et al. 2018; McCoy, Pavlick & Linzen 2019).
The readers are tables and need no package. `dataset.gates.baselines` shows them the rows of a paradigm, and
the gate `solvable` compares what they reach with what the paradigm declares.
"""
