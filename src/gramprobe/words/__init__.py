"""Trees to words.

Tree + chosen features --linearise--> atoms: literal words, and forms of the words that fill slots
                                      and segments of them: a table lookup for every slot
Draws                  --variants---> the variant of each row, by number
Draws                  --realise----> columns of sentences, by table lookup and join; `arrow` makes the arrays

A tree is realised from the lines of its constructors as they are written. The package `compiled` makes productions of
the same lines by itself, with which the tests parse the sentences again: two roads that are compared, and no third.
"""
