"""A paradigm file to a paradigm with every name looked up.

    syntax Paradigm + Grammar --settings--> the task, the sizes and splits, the headings
                              --draws-----> Draw            what varies, with its domain
                              --terms-----> Tree            `let` lines and the trees of conditions
                              --conditions> Condition       named sentences, redrawn by `with`
                              --where-----> Constraint      what may be drawn together
                              --scales----> scale and gold column
                              --pairs-----> Pair            what is asked of two conditions, and what is claimed
                              --balance---> the companion   the same pairs with draws in each other's place

:mod:`~gramprobe.resolve.paradigm.data` holds the records, :mod:`~gramprobe.resolve.paradigm.from_syntax` the pass, and
:mod:`~gramprobe.resolve.paradigm.scope` the names that its parts have in view.
"""
