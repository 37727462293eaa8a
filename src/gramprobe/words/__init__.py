"""Trees to words.

Tree + chosen features --linearise--> atoms: literal words, and forms of the words that fill slots
atoms of every variant --program----> segments: a table lookup for every slot
Draws                  --variants---> the variant of each row, by number
Draws                  --realise----> columns of sentences, by table lookup and join; `arrow` makes the arrays
Grammar                --fcfg-------> a feature grammar as text; with it the tests parse the sentences again (NLTK)
"""
