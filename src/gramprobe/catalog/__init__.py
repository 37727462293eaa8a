"""What the grammars of a project have: constructors, categories, features and words, to be found by name and by type.

LibraryLines --entries--> Entry          a declaration as its file has it, with the comment above it
Constructor, Grammar --example--> Example     a sentence with the constructor in it, made on the spot
term, Grammar --terms--> Tree            a tree that somebody types, outside any paradigm
"""
