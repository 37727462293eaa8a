"""A tree that is typed outside any paradigm: ``Assert(Clause(past, Name(jo), Intransitive(sleep)))``."""

from __future__ import annotations

from dataclasses import replace

from gramprobe.resolve.grammar.data import Grammar
from gramprobe.resolve.paradigm.breaking import broken_at
from gramprobe.resolve.paradigm.terms import Environment, resolve_term
from gramprobe.resolve.tasks import TaskForm
from gramprobe.resolve.tree import Tree
from gramprobe.source.diagnostic import AuthoringError, Diagnostic, Findings, Span
from gramprobe.source.files import Source
from gramprobe.syntax.files import read_paradigm
from gramprobe.words.settled import settled

#: the path that messages about a term show
TYPED = "(the command line)"
#: the heading above a term that breaks a constraint
HEADING = "bad"


class OneText:
    """The line of a term, so that a message about it can show the place."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def by_path(self, path: str) -> Source | None:
        """The term, for its own path."""
        return self._source if path == self._source.path else None


def tree_of(text: str, grammar: Grammar) -> Tree:
    """The tree of a term. Raises AuthoringError, with the place in the term, for one that cannot be read."""
    if not text.strip():
        help = (
            "write a constructor with its parts in brackets, as in a paradigm; `gramprobe list --constructors` has them"
        )
        raise AuthoringError([Diagnostic(code="E01", span=Span(TYPED, 1, 1), message="this term is empty", help=help)])
    shown = Source(name="", path=TYPED, text=text, sha256="", origin="")
    broken = " breaking " in text  # as a condition is
    before, above = ("it = ", f"paradigm typed\n{HEADING}") if broken else ("let it = ", "paradigm typed")
    whole = Source(name="", path=TYPED, text=f"{above}\n{before}{text}", sha256="", origin="")
    lines, problems = read_paradigm(whole, (HEADING,))
    findings = Findings()
    findings.extend(problems)
    tree: Tree | None = None
    if lines is not None and (lines.lets or lines.conditions) and not findings.failed:
        task = TaskForm(name="", headings=(), claims=None, theory=False, meaning=False)
        environment = Environment(grammar=grammar, task=task, findings=findings)
        term = lines.conditions[0].terms[0] if broken else lines.lets[0].term
        tree = resolve_term(term, None, environment)
        if tree is not None and broken:
            tree = broken_at(lines.conditions[0], tree, environment)
    if tree is None:
        raise AuthoringError((_moved(each, len(before)) for each in findings.items), OneText(shown))
    return settled(tree, {}, grammar)


def _moved(problem: Diagnostic, by: int) -> Diagnostic:
    """A diagnostic of the `let` line with its place in the term."""
    column = max(problem.span.column - by, 1)
    return replace(
        problem, span=Span(TYPED, 1, column, problem.span.length) if problem.span.path == TYPED else problem.span
    )
