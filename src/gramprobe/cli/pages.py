"""Pages of `gramprobe explain` about names in no grammar: theories and what they declare, tasks, gates, formulas."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gramprobe.items.task import Task
    from gramprobe.resolve.project import Declarations
    from gramprobe.source.diagnostic import Span

ROLES = {
    "said": "a sentence by itself",
    "follows": "a sentence that goes on from one above",
    "judged": "a sentence that is judged true or false",
    "restates": "a sentence that means what a reading means",
    "noted": "words, in no pair",
}


def pages_of_name(name: str, declarations: Declarations) -> list[dict[str, Any]]:
    """The pages about the theory, the operator or event of theories, the task, the gate, the constraint and the word of
    formulas of a name, with the fields of one about a declaration; none for another name."""
    from gramprobe.catalog import notation
    from gramprobe.dataset.gates import LEAK, OF_SENTENCES, leak
    from gramprobe.items.tasks import TASKS
    from gramprobe.resolve.grammar.constraints import CONSTRAINTS

    found = []
    if name in declarations.theory_names:
        from gramprobe.cli.theories import as_text, theory_entry

        source = declarations.library.sources[f"logic/{name}.logic"]
        text = "\n".join(as_text(theory_entry(name, declarations))[1:])
        found.append(_page(name, "theory", source.name, source.path, 1, "", text))
    if name in TASKS:
        task = TASKS[name]
        found.append(_of_code(name, "task", type(task), _headings(task), f"rows are {task.about}"))
    if name == LEAK or name in OF_SENTENCES:
        module = inspect.getmodule(leak.measure if name == LEAK else OF_SENTENCES[name])
        found.append(_of_code(name, "gate", module, inspect.cleandoc(module.__doc__ or "") if module else "", ""))
    if name in CONSTRAINTS:
        found.append(_constraint(name, declarations))
    if name in notation.WORDS:
        word = notation.WORDS[name]
        found.append(_of_code(name, "word", notation, f"{word.form}\n{word.means}", "A word of formulas."))
    return [*found, *_of_theories(name, declarations)]


def _constraint(name: str, declarations: Declarations) -> dict[str, Any]:
    """The page about a constraint of grammar: the lines of the grammars that state it."""
    from gramprobe.resolve.grammar.constraints import CONSTRAINTS

    stated = re.compile(rf"\s*constraint {name} =|.*\b(where|,) *{name}:")
    found = [
        (source, number, line.partition("--")[0].strip())
        for source in declarations.library.sources.values()
        if source.name.endswith(".gram")
        for number, line in enumerate(source.lines, 1)
        if stated.match(line)
    ]
    source, line = (found[0][0].path, found[0][1]) if found else ("", 1)
    shown = dict.fromkeys(f"{source.name.removeprefix('grammars/')}: {text}" for source, _, text in found)
    about = f"{CONSTRAINTS[name]}. In a paradigm of minimal pairs: `bad = good breaking {name}`."
    return _page(name, "constraint", "grammars", source, line, about[0].upper() + about[1:], "\n".join(shown))


def _of_theories(name: str, declarations: Declarations) -> list[dict[str, Any]]:
    """The page, if there is one, about an operator or an event: the lines of the theories that declare it."""
    found: list[tuple[str, str, Span]] = []
    for theory, lines in declarations.lines.theories.items():
        operators = [*(w for line in lines.operators for w in line.names), *(each.name for each in lines.definitions)]
        for kind, words in (("operator", operators), ("event", [each.name for each in lines.events])):
            found += [(theory, kind, word.span) for word in words if word.text == name]
    if not found:
        return []
    sources = declarations.library.sources
    shown = [f"{theory}: {sources[f'logic/{theory}.logic'].lines[span.line - 1].strip()}" for theory, _, span in found]
    theory, kind, span = found[0]
    about = "Theories that include one of these have it, too."
    return [_page(name, kind, f"logic/{theory}.logic", span.path, span.line, about, "\n".join(shown))]


def _headings(task: Task) -> str:
    lines = [
        f"{heading.name:<13}{ROLES[heading.role]}{_count(heading.least, heading.most)}"
        for heading in task.form.headings
    ]
    claims = {"label": "`expect LABEL`", "readings": '`fits "READING"`', None: "nothing"}[task.form.claims]
    lines += [
        f"pairs claim  {claims}",
        f"a theory     {'is named' if task.form.theory else 'is not named'}",
        f"gates        {', '.join(task.form.gates)}",
        f"columns      {', '.join(task.columns)}",
    ]
    return "\n".join(lines)


def _count(least: int, most: int | None) -> str:
    if most == least:
        return f", {least}"
    return f", {least} or more" if most is None else f", {least} to {most}"


def _of_code(name: str, kind: str, thing: Any, text: str, about: str) -> dict[str, Any]:
    line = inspect.getsourcelines(thing)[1] if inspect.isclass(thing) else 1
    module = thing.__module__ if inspect.isclass(thing) else thing.__name__
    return _page(name, kind, module, inspect.getsourcefile(thing) or "", line, about, text)


def _page(name: str, kind: str, module: str, file: str, line: int, about: str, text: str) -> dict[str, Any]:
    found = {"declaration": name, "kind": kind, "type": "", "module": module, "file": file, "line": line}
    return {**found, "about": about, "text": text, "examples": [], "words": [], "makers": [], "constructors": []}
