"""A paradigm file to a paradigm with every name looked up.

    syntax Paradigm + Grammar --settings--> the task, the sizes and splits, the headings
                              --draws-----> Draw            the words that vary, with their domains
                              --terms-----> Tree            `let` lines and the trees of conditions
                              --conditions> Condition       named sentences, redrawn by `with`
                              --where-----> Constraint      which words may be drawn together
                              --scales----> scale and gold column
                              --pairs-----> Pair            two conditions, and the author's claims about them
                                            and, with `balance`, the same pairs with two draws swapped

:mod:`~gramprobe.resolve.paradigm.data` holds the records, :mod:`~gramprobe.resolve.paradigm.from_syntax` the pass, and
:mod:`~gramprobe.resolve.paradigm.terms` the names that its parts may mention.
"""
