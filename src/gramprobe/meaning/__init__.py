"""Trees to readings.

the `sem` of every constructor --check---> its type is what its category says (E07)
Tree + chosen features         --compose-> readings: formulas over the slots' symbols, scopes resolved
reading + what fills the slots --ground--> formulas over lexeme ids
"""
