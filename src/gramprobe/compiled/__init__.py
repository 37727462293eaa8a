"""A grammar compiled into plain records, which anyone can parse with: every value is written out.

Grammar --compiled--> Compiled          productions and words (`from_resolve`), made once a grammar
Compiled <--written, read--> JSON       `gramprobe export grammar` (`data`)
Compiled --fcfg--> text                 the feature grammars of NLTK (`fcfg`)

Two roads lead from a grammar to sentences. The realiser (`words.linearise`) reads each ``lin`` as it is written and
makes sentences; this package reads lines whose names were looked up and makes productions. They share no code, and the
round trip compares them: a sentence of the realiser is parsed back to its tree with the productions. Whatever else
needs to know what a ``lin`` says reads one of the two.
"""
