"""Names that are declared in two modules which are used together: which declaration is kept, and what is said."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings, Span
from gramprobe.syntax import grammar_tree as syntax
from gramprobe.syntax.tree import names_in

#: a declaration as it is brought: its module, its number in the file, and its new name, if it was renamed
Key = tuple[str, int, str]
Brought = dict[Key, syntax.Declaration | syntax.Extension]
CONSTRUCTOR = "constructor or category"
"""The kind of the names that constructors and categories share."""


def without_clashes(
    lines: Brought, shipped: Collection[str], findings: Findings
) -> tuple[list[syntax.Declaration | syntax.Extension], frozenset[str]]:
    """The lines with one declaration of each name, and the names that are declared in two modules.

    An own declaration stands in the place of a constructor of a ``shipped`` module, which is said. One that is built of
    other parts, where shipped definitions build the shipped one, is reported, and so is every other name in two
    modules: the shipped declaration is kept, or else the first.
    """
    own = {name: module for (module, _, _), line in lines.items() if module not in shipped
           for kind, name, _ in declares(line) if kind == CONSTRUCTOR}  # fmt: skip
    built = _built_by_shipped(lines, shipped)
    functions = {line.name.text: line for (module, _, _), line in lines.items()
                 if module not in shipped and isinstance(line, syntax.Function)}  # fmt: skip
    clashing: set[str] = set()
    for (module, _, _), line in lines.items():
        if isinstance(line, syntax.Function) and module in shipped and (mine := functions.get(line.name.text)):
            name = line.name.text
            if name in built and _parts(mine) != _parts(line):
                place = mine.name.span
                findings.add(messages.names.taken_by_definitions(place, name, module, _parts(line)[:-1], built[name]))
                clashing.add(name)
    lines = {key: line for key, line in lines.items() if key[0] in shipped or not clashing & {*_named(line)}}
    own = {name: module for name, module in own.items() if name not in clashing}
    left: Brought = {}
    for key, line in lines.items():
        if isinstance(line, syntax.Function | syntax.MoreLines) and key[0] in shipped and line.name.text in own:
            if isinstance(line, syntax.Function):
                name = line.name.text
                findings.add(messages.names.stands_in_the_place(line.name.span, name, own[name], key[0]))
        else:
            left[key] = line
    stays: dict[tuple[str, str], tuple[str, Span]] = {}  # the module and the place of the declaration that is kept
    for (module, _, _), line in left.items():
        for kind, name, span in declares(line):
            before, _ = stays.setdefault((kind, name), (module, span))
            if module in shipped and before not in shipped:
                stays[kind, name] = module, span
    kept: list[syntax.Declaration | syntax.Extension] = []
    for (module, _, _), line in left.items():
        others = [each for each in declares(line) if stays[each[:2]][0] != module]
        for kind, name, span in others:
            other, place = stays[kind, name]
            findings.add(messages.names.declared_in_two_modules(span, kind, name, (module, other), place))
            clashing.add(name)
        if not others:
            kept.append(line)
    return kept, frozenset(clashing)


def _named(line: syntax.GrammarLine) -> Iterator[str]:
    """The constructor that a line declares or extends."""
    if isinstance(line, syntax.Function | syntax.MoreLines):
        yield line.name.text


def _parts(line: syntax.Function) -> tuple[str, ...]:
    """The categories and features that a constructor is built of, and that of the result."""
    return (*(argument.category.text for argument in line.arguments), line.result.text)


def _built_by_shipped(lines: Brought, shipped: Collection[str]) -> dict[str, str]:
    """The constructors that definitions of shipped modules build -> the first such module."""
    found: dict[str, str] = {}
    for (module, _, _), line in lines.items():
        if module in shipped and isinstance(line, syntax.Function):
            for branch in line.branches:
                for name in names_in(branch.term):
                    found.setdefault(name, module)
    return found


def declares(line: syntax.GrammarLine) -> Iterable[tuple[str, str, Span]]:
    """The kind, name and place of each declaration of a line that may stand only once in a grammar."""
    match line:
        case syntax.Function() | syntax.Category():
            yield CONSTRUCTOR, line.name.text, line.name.span
        case syntax.Feature():
            yield "feature", line.name.text, line.name.span
        case syntax.Table():
            yield "table", line.name.text, line.name.span
        case syntax.Carry():
            yield "what is carried", line.name.text, line.name.span
        case syntax.Constant():
            for name in line.names:
                yield "constant", name.text, name.span
        case _:
            pass
