"""The exact solution space of a paradigm's draws, and a way to walk it in a seeded random order.

Paradigm + Grammar --constraints--> a Network for each choice of skeletons
Network            --count--------> exact number of solutions, unranking by column
seed, number       --space--------> indices, uniform and without replacement
indices            --draws--------> Draws: an int32 column for every slot
"""
