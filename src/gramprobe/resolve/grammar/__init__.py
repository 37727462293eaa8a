"""Grammar files and lexicon to a grammar with every name looked up.

    syntax GrammarLine --categories--> Feature             closed sets of values, with their groups
                                       Category            features, columns, semantic type
                       --tables------> Table, Relation     words by features; pairs of values
                       --constructors> Constructor         type, words and meaning of a way to build a tree
    WordTable          --lexicon-----> Lexeme              a word for each row

Then the whole is checked: words and requests of every constructor (`words`, `requests`), names of readings
and anaphors (`readings`), conditions (`where`). :mod:`~gramprobe.resolve.grammar.data` holds the records,
:mod:`~gramprobe.resolve.grammar.from_syntax` the pass.
"""
