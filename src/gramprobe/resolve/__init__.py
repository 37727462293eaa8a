"""Names to declarations, terms to typed abstract trees.

    tree.GrammarLine + WordTable --grammar, lexicon--> Grammar (features, categories, constructors, lexemes)
    tree.Theory                  --theory----------> Theory (operators, definitions, scales, events, postulates)
    tree.Paradigm + Grammar      --paradigm--------> Paradigm (draws, conditions as Tree, pairs)

Every pass takes what it needs and a :class:`~gramprobe.source.diagnostic.Findings` to which it adds what it found.
"""
