"""Several sentences as one: a text, said in order, each true in what the sentences before it leave open."""

from __future__ import annotations

from collections.abc import Sequence

from gramprobe.formula.notation import parse_meaning
from gramprobe.resolve.grammar.data import Argument, Constructor, Grammar, Meaning
from gramprobe.resolve.grammar.words import Names
from gramprobe.resolve.tree import Apply, Tree, category_of
from gramprobe.source.diagnostic import Span
from gramprobe.syntax.grammar_tree import Lin, Text, Words
from gramprobe.syntax.tree import Word

#: the constructor at the root of a text, as `explain` shows it
NAME = "Text"


def text_of(sentences: Sequence[Tree], grammar: Grammar, span: Span) -> Apply:
    """The sentences, of one category, with a full stop (or how their category ends) behind each but the last.

    Its meaning is their conjunction, so that a presupposition of a later sentence may be met by an earlier one
    (Stalnaker 1974; Peters 1979); no quantifier leaves its sentence.
    """
    category = category_of(sentences[0])
    final = grammar.sentences[category]
    names = [f"s{number}" for number in range(1, len(sentences) + 1)]
    atoms: list[Words | Text] = []
    glued: list[bool] = []
    for name in names:
        atoms += [Words(Word(name, span), ()), Text(Word(final, span))]
        glued += [False, True]
    lin = Lin((), tuple(atoms[:-1]), tuple(glued[:-1]), (), span)
    arguments = tuple(Argument(name, category, False, False, True) for name in names)
    meaning = " & ".join(names)
    constructor = Constructor(
        name=NAME,
        arguments=arguments,
        result=category,
        fixed={},
        where=(),
        lins=(lin,),
        lines=(Names(arguments, grammar.categories[category], grammar).line(lin),),
        sems=(Meaning((), parse_meaning(meaning, variables=names), meaning, span),),
        scopes=(),
        span=span,
    )
    return Apply(constructor, tuple(sentences), span)
