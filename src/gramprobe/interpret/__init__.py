"""Sentences to readings, and pairs of sentences to labels by reading: the grammar in the direction of a reader.

text --chart--> Forest --trees--> resolved trees     what no word says is open (`trees`)
trees --meaning.compose--> readings                  equal formulas are one, with the trees that have them (`read`)
readings, readings --judge--> labels                 one label only where all of them agree (`pairs`)
"""
