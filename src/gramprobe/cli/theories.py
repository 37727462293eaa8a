"""`gramprobe list --theories`: every theory with its operators, definitions, events, scales and settings."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from gramprobe.formula.notation import show
from gramprobe.source.diagnostic import Findings

if TYPE_CHECKING:
    from gramprobe.resolve.project import Declarations
    from gramprobe.syntax.theory_tree import Theory as Lines

WIDTH = 100
"""Characters in a line."""


def theories(declarations: Declarations) -> list[dict[str, Any]]:
    """Every theory as data, with everything that it includes; a theory with errors has only its name and `errors`."""
    return [theory_entry(name, declarations) for name in sorted(declarations.theory_names)]


def theory_entry(name: str, declarations: Declarations) -> dict[str, Any]:
    """One theory as data, as in `theories`."""
    findings = Findings()
    theory = declarations.theory(name, None, findings)
    source = declarations.library.sources[f"logic/{name}.logic"]
    entry: dict[str, Any] = {"name": name, "from": source.origin, "about": "", "source": ""}
    if theory is None or findings.failed:
        return {**entry, "errors": len(findings.items)}
    lines = declarations.theory_lines(name)
    return {
        **entry,
        "about": _setting(lines, "about"),
        "source": _setting(lines, "source"),
        "includes": [word.text for word in lines.includes],
        "operators": [
            {
                "name": o.name,
                "kind": o.kind,
                "frame": sorted(o.frame),
                "within": list(o.within),
                "introspected_by": list(o.introspected_by),
                "called": o.gloss,
            }
            for o in theory.operators
        ],
        "definitions": [
            {"name": d.name, "agent": d.agent, "body": d.body, "formula": show(d.formula)} for d in theory.definitions
        ],
        "verbs": sorted({o.each.text for each in _included(name, declarations) for o in each.operators if o.each}),
        "events": [{"name": e.name, "parameters": list(e.parameters)} for e in theory.events],
        "scales": [list(scale) for scale in theory.scales],
        "settings": {
            "projection": theory.projection.name,
            "conditional": theory.conditional,
            "restrictors": theory.restrictors,
            "exhaustify": theory.exhaustify,
            "numerals": theory.numerals,
            **theory.demands,
        },
    }


def _included(name: str, declarations: Declarations) -> Iterator[Lines]:
    """The lines of a theory and of every theory that it includes."""
    lines = declarations.theory_lines(name)
    yield lines
    for word in lines.includes:
        yield from _included(word.text, declarations)


def _setting(lines: Lines, keyword: str) -> str:
    """The text of a setting, empty if the theory does not have it."""
    words = lines.settings.get(keyword, ())
    return words[0].text if words else ""


def as_text(entry: dict[str, Any]) -> list[str]:
    """The printed lines of a theory, from its data."""
    mark = "" if entry["from"] == "shipped" else f"  (from {entry['from']})"
    if "errors" in entry:
        return [f"{entry['name']}{mark}", f"  {entry['errors']} error(s): `gramprobe check`"]
    operators = [o["name"] for o in entry["operators"]]
    defined = [d["name"] + (f"[{d['agent']}]" if d["agent"] else "") for d in entry["definitions"]]
    events = [e["name"] + (f"({', '.join(e['parameters'])})" if e["parameters"] else "") for e in entry["events"]]
    lists = {
        "includes": entry["includes"],
        "operators": operators,
        "defined": defined,
        "verbs of": entry["verbs"],
        "events": events,
        "scales": [" < ".join(scale) for scale in entry["scales"]],
    }
    lines = [f"{entry['name']}{mark}", *_wrapped("", entry["about"])]
    for title, names in lists.items():
        lines += _wrapped(f"{title:<11}", ", ".join(names))
    return lines


def _wrapped(title: str, words: str) -> list[str]:
    if not words:
        return []
    return wrap(words, WIDTH, initial_indent=f"  {title}", subsequent_indent=" " * (2 + len(title)))
