"""Draws to rows with labels.

Paradigm --plan---> Plan: its space, realiser, theory, decider, and every error there is to find
Plan     --select-> Selection: the instances, none repeating a pair
Selection--label--> Labelling: a verdict for every pair of every instance, decided shape by shape
         --rows---> columns of text (JSON lines, Arrow tables)
"""
