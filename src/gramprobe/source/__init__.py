"""Source files, places in them, and messages about the mistakes in them.

    folders on the search path --files--> Library of Source  (text, hash, origin)
    a mistake at a Span        --messages--> Diagnostic --render--> lines with a caret, or JSON

Every message of the project is phrased in :mod:`gramprobe.source.messages`; every code has its page
in :mod:`gramprobe.source.codes`. This package imports no other package of gramprobe.
"""
