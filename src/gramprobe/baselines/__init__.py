"""Baselines that do not reason: readers of a paradigm's rows that see less than the two sentences and their order.

    sentences --views.View--> what each reader sees of a row, as a key
    keys, labels --table.cross_validated--> which rows a table from keys to labels gets right
    paradigm --measure.measure--> the accuracy of every reader, with its lower bound

A set that such a reader solves tests nothing that the reader lacks (Poliak et al. 2018; McCoy, Pavlick & Linzen 2019).
The readers are tables and need no package; `dataset/gates/solvable.py` compares them with what a paradigm declares.
"""
