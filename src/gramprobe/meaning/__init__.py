"""Trees to readings.

the `sem` of every constructor --check------> its type is that of its category (E07)
Tree + chosen features         --compose----> readings: formulas over the slots' symbols (`reading`); `terms` applies
                                              functions, `store` takes quantifiers out in their orders
reading + reading of the next  --discourse--> one formula for both sentences; `antecedents` are accessible to the next
"""
