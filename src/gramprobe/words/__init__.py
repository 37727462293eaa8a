"""Trees to words.

Tree + chosen features --linearise--> atoms: literal words and forms of what fills a slot
atoms of every variant --program----> segments: a table lookup for every slot
Draws                  --column-----> columns of sentences, by table lookup and join
Grammar                --fcfg-------> a feature grammar as text, which the tests read sentences back with (NLTK)
"""
