"""Files of other projects: one module for each format.

Readers return Arrow tables with the columns that the analyses know, whatever a project calls them. Rows keep the order
of the file. No reader guesses: a column that is missing, or a value that its column cannot hold, is refused (E46) with
the line.
"""
