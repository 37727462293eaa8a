"""The one logical language: trees, their notation, their canonical text, their three truth values.

    text --notation.parse--> ast.Formula --sorts.resolve--> two-sorted tree --canonical--> text of the shape
                                 |                                    |
                           notation.show                     trivalence.compile --> (true part, false part)
                                 |
                          encoding.to_json  (the form in certificates)

Compiled away before that, formula to formula: definitions (`nec F` is `~poss ~F`), alternatives (what `exh` compares),
updates (`[! F] G`, `[E] G`, and where one might leave an agent believing everything).

The package is a leaf: it imports nothing else of gramprobe, and only msgspec beside the standard library. `reader` is
written by hand, while Lark reads `.gram` files: one formula is a few tokens, and a reader that knows the operators of
the theory can name the mistake and the nearest fix.
"""
