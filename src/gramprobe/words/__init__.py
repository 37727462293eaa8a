"""Trees to words.

Tree + chosen features --linearise--> atoms: literal words, and forms of the words that fill slots
atoms of every variant --program----> segments: a table lookup for every slot
Draws                  --column-----> columns of sentences, by table lookup and join
Grammar                --fcfg-------> a feature grammar as text; with it the tests parse the sentences again (NLTK)
"""
