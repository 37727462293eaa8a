"""The one logical language: trees, their notation, their canonical text, their three-valued reading.

    text --notation.parse--> ast.Formula --sorts.resolve--> two-sorted tree --canonical--> text of the shape
                                 |                                    |
                           notation.show                     trivalence.compile --> (true part, false part)
                                 |
                          encoding.to_json  (what certificates hold)

A leaf: it imports nothing of gramprobe and only the standard library.
"""
