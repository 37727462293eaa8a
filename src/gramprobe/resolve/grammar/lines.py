"""Looks up the names in the ``lin`` lines of a constructor: syntax to :class:`~gramprobe.resolve.grammar.data.Line`.

A name that nothing declares stays what it is, an operand of no argument or a constant; `check_words` reports it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gramprobe.resolve.grammar.data import (
    Argument,
    Category,
    Constant,
    Grammar,
    Line,
    Lookup,
    Operand,
    Part,
    Value,
)
from gramprobe.syntax import grammar_tree as syntax
from gramprobe.syntax.tree import Case
from gramprobe.syntax.tree import Operand as Written


class Names:
    """What the names in the lines of one constructor stand for."""

    def __init__(self, arguments: Sequence[Argument], result: Category, grammar: Grammar) -> None:
        self._arguments = {argument.name: number for number, argument in enumerate(arguments)}
        self._known = frozenset(result.known)
        self._grammar = grammar

    def line(self, line: syntax.Lin) -> Line:
        """A ``lin`` with its names looked up; the words of an argument that there is not are left out."""
        atoms = [(atom, glued) for written, glued in zip(line.atoms, line.glued, strict=True)
                 for atom in self._atom(written)]  # fmt: skip
        return Line(self.cases(line.cases), tuple(atom for atom, _ in atoms), tuple(glued for _, glued in atoms))

    def cases(self, cases: Sequence[Case]) -> tuple[tuple[Operand, frozenset[str]], ...]:
        """The operands of the cases of a line, each with its values, groups spelled out."""
        return tuple((self.operand(c.operand), self._grammar.expanded(c.values)) for c in cases)

    def _atom(self, atom: syntax.Atom) -> Iterator[Value | Part]:
        match atom:
            case syntax.Text():
                yield Constant(atom.word.text)
            case syntax.Words():
                if atom.name.text in self._arguments:
                    requests = tuple((feature.text, self.value(value)) for feature, value in atom.requests)
                    yield Part(self._arguments[atom.name.text], requests, atom.name.span)
            case syntax.Lookup():
                yield Lookup(atom.table.text, tuple(map(self.value, atom.values)))
            case syntax.Held():
                yield self.operand(atom.operand)

    def value(self, value: syntax.Value) -> Value:
        if isinstance(value, syntax.Computed):
            return Lookup(value.table.text, tuple(map(self.value, value.values)))
        name = value.name.text
        plain = value.column is None and name not in self._arguments and name not in self._known
        return Constant(name) if plain else self.operand(value)

    def operand(self, written: Written) -> Operand:
        column = written.column.text if written.column is not None else None
        return Operand(written.text, self._arguments.get(written.name.text), column, written.name.span)
