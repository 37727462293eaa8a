"""Text to syntax trees: the statements of an author, with every span, before names are looked up.

    Source --statements--> a piece of text for each statement --parser, Lark--> nodes of the trees (`*_tree`)
    Source (.tsv) --table--> rows of cells with spans

For a statement that cannot be read there is a diagnostic, and reading goes on with the next statement, so that one run
shows every mistake of a file.
"""
