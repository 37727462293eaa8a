"""Names to declarations, terms to typed abstract trees.

    syntax GrammarLine + WordTable --grammar---> Grammar    features, categories, constructors, lexemes
    syntax Theory                  --theory----> Theory     operators, definitions, scales, events, postulates
    syntax Paradigm + Grammar      --paradigm--> Paradigm   draws, conditions as Tree, pairs

Each of the three packages has its records in ``data`` and the pass that makes them in ``from_syntax``; its other
modules are the parts of the pass. Every pass takes a :class:`~gramprobe.source.diagnostic.Findings` beside its inputs,
and adds the mistakes to it.

    Library --library--> LibraryLines --project--> Declarations     all files, read and then resolved

:mod:`~gramprobe.resolve.tree` has the trees, :mod:`~gramprobe.resolve.tasks` the tasks.
"""
