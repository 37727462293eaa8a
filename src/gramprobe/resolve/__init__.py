"""Names to declarations, terms to typed abstract trees.

    syntax GrammarLine + WordTable --grammar---> Grammar    features, categories, constructors, lexemes
    syntax Theory                  --theory----> Theory     operators, definitions, scales, events, postulates
    syntax Paradigm + Grammar      --paradigm--> Paradigm   draws, conditions as Tree, pairs

Each of the three packages has its records in ``data``, and in ``from_syntax`` the pass that is the only way to them;
its other modules are the parts of the pass. Every pass takes what it needs and a
:class:`~gramprobe.source.diagnostic.Findings`, to which it adds the mistakes.

    Library --library--> LibraryLines --project--> Declarations     all files, read and then resolved

:mod:`~gramprobe.resolve.tree` has the trees, :mod:`~gramprobe.resolve.tasks` the tasks.
"""
