"""From scores to what a paper prints: mixed models, tests, intervals.

Scores come as columns of a table; nothing here runs a model. Importing the package loads no other: the extra `analysis`
(scipy, formulaic) is needed where a function is called.
"""
