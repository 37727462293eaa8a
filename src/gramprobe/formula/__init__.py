"""The one logical language: trees, their notation, their canonical text, their three-valued reading.

    text --notation.parse--> ast.Formula --sorts.resolve--> two-sorted tree --canonical--> text of the shape
                                 |                                    |
                           notation.show                     trivalence.compile --> (true part, false part)
                                 |
                          encoding.to_json  (what certificates hold)

Compiled away before that, formula to formula: definitions (`nec F` is `~poss ~F`), alternatives (what `exh` weighs),
updates (`[! F] G`, `[E] G`); survival says where an update might leave an agent believing everything.

A leaf: it imports nothing of gramprobe and only the standard library.
"""
