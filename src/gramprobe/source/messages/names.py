"""Messages about undeclared names, and names declared twice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from gramprobe.source.diagnostic import Diagnostic, Span, UsageError
from gramprobe.source.nearest import did_you_mean, listed, nearest
from gramprobe.source.wording import with_article


def brought_anyway(span: Span, name: str, module: str) -> Diagnostic:
    """An `except` has no effect, since another `uses` line brings what it leaves out."""
    return Diagnostic(
        code="E26",
        span=span,
        message=f"`except {name}` has no effect: another `uses` line brings `{name}` of `{module}`, or a module that has it",
        help=f"write `except {name}` there, too; or name the module that declares it in one line only",
    )


def unknown_name(span: Span, what: str, name: str, known: Iterable[str], code: str = "E02") -> Diagnostic:
    names = list(dict.fromkeys(known))
    near = did_you_mean(name, names)
    rest = "" if near or not names or len(names) > 40 else f"there are: {listed(names)}"
    if what == "constraint":
        rest = f"no others can be declared than {listed(names, len(names))}"
    return Diagnostic(
        code=code, span=span, message=f"no {what} named `{name}`{near}", help=rest, names=(name, f"{what} words")
    )


def none_called(what: str, name: str, known: Iterable[str], help: str = "", code: str = "E29") -> UsageError:
    """A name in a command or call that nothing has. ``help``: in the place of the names that there are."""
    names = list(known)
    return UsageError(
        f"no {what} named `{name}`{did_you_mean(name, names)}", help or f"there are: {listed(names, 40)}", code
    )


def unknown_constructor(span: Span, name: str, grammar: Any) -> Diagnostic:
    if name in grammar.former:
        help = f"write `{grammar.former[name]}`, which has the same words and the same meaning"
        message = f"there is no constructor `{name}` any more: it became one with another"
        return Diagnostic(code="E02", span=span, message=message, help=help, names=(name,))
    known = {**grammar.constructors, **grammar.definitions}
    near = nearest(name, known)
    if near is None:
        help = f"there are: {listed(known)}" if len(known) <= 12 else "`gramprobe list --constructors` shows them all"
        return Diagnostic(code="E02", span=span, message=f"no constructor named `{name}`", help=help, names=(name,))
    declared = known[near].span
    return Diagnostic(
        code="E02",
        span=span,
        message=f"no constructor named `{name}`; did you mean `{near}` ({declared.path}:{declared.line})?",
        names=(name,),
    )


def other_modules(problem: Diagnostic, modules: Sequence[str]) -> Diagnostic:
    """A message about a constructor that is not in the grammar named, but in other ``modules``."""
    name = problem.names[0]
    return replace(
        problem,
        message=f"no constructor named `{name}` in this grammar",
        help=f"{listed([f'`{each}`' for each in modules], 4)} {'has' if len(modules) == 1 else 'have'} it: --uses {modules[0]}",
    )


def no_category_but_constructor(span: Span, name: str, result: str) -> Diagnostic:
    return Diagnostic(
        code="E02", span=span, message=f"`{name}` is a constructor, and no category or feature",
        help=f"what it builds is drawn by the name of its category: `{result} by {name}`",
    )  # fmt: skip


def no_tree_but_value(span: Span, name: str, features: Sequence[str], wanted: str | None) -> Diagnostic:
    return Diagnostic(
        code="E02", span=span, message=f"`{name}` is a value of {listed(features)}, and {with_article(wanted or 'tree')} is wanted here",
        help="`gramprobe explain NAME` has the parts of a constructor in their order",
    )  # fmt: skip


def no_constructor_but_word(problem: Diagnostic, category: str, taking: Sequence[str]) -> Diagnostic:
    """A message about a name that is a word's. ``taking``: constructors that make something of such a word alone."""
    name = problem.names[0]
    help = f"write {taking[0]}({name})" if taking else f"put it into a constructor that takes a {category}"
    return replace(problem, message=f"`{name}` is a word of {category}, and no constructor", help=help)


def unknown_file(span: Span, name: str, folder: str, known: Sequence[str]) -> Diagnostic:
    files = {k.rpartition(".")[0]: k for k in reversed(known)}
    near = files.get(nearest(name.rpartition(".")[0], files) or "")
    return Diagnostic(
        code="E19",
        span=span,
        message=f"no file `{folder}/{name}`" + (f"; did you mean `{near}`?" if near else ""),
        help=f"name it as it is called below `{folder}/`: `{name.removeprefix(f'{folder}/')}`"
        if name.startswith(f"{folder}/")
        else "files are looked for in the shipped folders and on --path",
    )


def module_with_ending(span: Span, name: str) -> Diagnostic:
    return Diagnostic(
        code="E19", span=span, message=f"no grammar file named `{name}`", help=f"a module is named without the ending of its file: `uses {name.removesuffix('.gram')}`"
    )  # fmt: skip


def declared_twice(span: Span, what: str, before: Span | None) -> Diagnostic:
    return Diagnostic(
        code="E16", span=span, message=f"{what} is declared twice{f' ({before})' if before is not None else ''}"
    )


def declared_in_two_modules(span: Span, what: str, name: str, modules: tuple[str, str], before: Span) -> Diagnostic:
    one, other = modules
    help = f"`{one}` and `{other}` are used together: rename one; or leave one out, by `except {name}` on every `uses` line that brings it"
    if "constructor" in what:
        help += f"; or use it under another name, by `rename {name} as {name}_2` there"
    return Diagnostic(
        code="E16",
        span=span,
        message=f"{what} `{name}` is declared twice ({before})",
        help=help,
    )


def grammars_clash(span: Span, others: Sequence[str], reason: str) -> Diagnostic:
    return Diagnostic(
        code="E16", span=span,
        message=f"minimal pairs of one phenomenon have one grammar, and that of this paradigm does not go with that of {listed(others)}: {reason}",
        help="build each by its own name; or move one into another folder of `grammars/`; or let both use one module",
    )  # fmt: skip


def stands_in_the_place(span: Span, name: str, own: str, module: str) -> Diagnostic:
    return Diagnostic(
        code="E16", span=span, severity="warning",
        message=f"`{name}` of `{own}` stands in the place of that of `{module}`",
        help=f"no line is needed; to have both, use this one under another name: `uses {module} rename {name} as {name}_2`",
    )  # fmt: skip


def taken_by_definitions(span: Span, name: str, module: str, parts: Sequence[str], builder: str) -> Diagnostic:
    return Diagnostic(
        code="E16", span=span,
        message=f"the name `{name}` is taken: `{builder}` builds that of `{module}`, which has other parts ({', '.join(parts)})",
        help="give yours another name, or the same parts",
    )  # fmt: skip


def ambiguous_module(span: Span, name: str, modules: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        code="E19",
        span=span,
        message=f"several grammar files are called `{name}`",
        help=f"name one with its folder: {' or '.join(f'`{each}`' for each in modules)}",
    )


def bare_claim(gold: str, has_scale: bool) -> str:
    """The help where a bare label and a claim of the gold column meet."""
    if has_scale:
        return f"a bare label is claimed of the gold column, which is `{gold}`: name each column once"
    return "a bare label is claimed of the gold column, `literal` where there is no line `scale ...` and `gold ...`"


def circle(span: Span, what: str, names: Sequence[str]) -> Diagnostic:
    finite = {
        "let": "a tree is finite: make it of other trees",
        "define": "define it by other operators",
        "definition": "a tree is finite: let it stand for others",
    }
    help = finite.get(what, f"take one of these `{what}` lines out")
    return Diagnostic(
        code="E14", span=span, message=f"this `{what}` leads back to itself: {' -> '.join(names)}", help=help
    )


def unused(span: Span, what: str, name: str) -> Diagnostic:
    return Diagnostic(
        code="E26",
        span=span,
        message=f"{what} `{name}` is never used",
        help="use it or take the line out",
    )


def no_name_of_files(span: Span, what: str, name: str) -> Diagnostic:
    """A folder or a file of a paradigm, whose name files of a dataset and ids of rows have, too."""
    return Diagnostic(
        code="E39",
        span=span,
        message=f"the {what} of a paradigm cannot be called `{name}`: files of a dataset are named after it",
        help="name it with the letters a to z, digits and `_`; other letters can stand in all other names",
    )


def name_and_file_differ(span: Span, what: str, name: str, stem: str) -> Diagnostic:
    return Diagnostic(
        code="E39",
        span=span,
        message=f"this {what} is called `{name}`, and its file `{stem}`: it has one name",
        help=f"write `{what} {stem}`, or rename the file; a name has letters, digits and `_`",
    )
