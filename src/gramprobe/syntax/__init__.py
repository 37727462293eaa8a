"""Text to syntax trees: what the author wrote, with every span, before any name is looked up.

    Source --statements--> one piece of text per statement --lark--> tree.Line nodes
    Source (.tsv) --table--> rows of cells with spans

A statement that cannot be read is one diagnostic and the next statement is read all the same, so that one
run shows every mistake of a file.
"""
