"""Write docs/api.md: the public names of gramprobe with their signatures and docstrings.

It has everything in `gramprobe.__all__`, and the types of `FURTHER`, which those functions return or raise. A test
compares the page with the output of this module; `make docs` writes it anew.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

PAGE = Path(__file__).resolve().parents[1] / "docs" / "api.md"

#: heading -> module:name of what stands below it, beside the names of `gramprobe` itself
FURTHER = {
    "What a project returns": (
        "gramprobe.paradigm:LoadedParadigm",
        "gramprobe.paradigm:Sample",
        "gramprobe.dataset.build:Built",
        "gramprobe.explain.decision:Explained",
        "gramprobe.decide.verdict:Decision",
        "gramprobe.decide.verdict:Verdict",
    ),
    "What `analyze` returns": (
        "gramprobe.analysis.findings:Findings",
        "gramprobe.analysis.findings:Figure",
        "gramprobe.analysis.output.table:Table",
    ),
    "What an editor needs": (
        "gramprobe.resolve.uses:Index",
        "gramprobe.resolve.uses:Use",
        "gramprobe.source.diagnostic:column_at",
        "gramprobe.stop:stoppable",
        "gramprobe.stop:Stopped",
    ),
    "Errors": (
        "gramprobe.source.diagnostic:UsageError",
        "gramprobe.source.diagnostic:AuthoringError",
        "gramprobe.source.diagnostic:Diagnostic",
        "gramprobe.source.diagnostic:Span",
    ),
    "The kernel": (
        "gramprobe.certify.check:check_entry",
        "gramprobe.certify.reject:CertificateError",
        "gramprobe.certify.model:Model",
    ),
}

HEAD = """# API

The public names of gramprobe, from their docstrings (`make docs` writes this page). Every other name is internal and
may change without notice. For a first look, see [From Python](../README.md#from-python); words used here are in the
[glossary](glossary.md).
"""


def page() -> str:
    """The whole page."""
    parts = [HEAD, "## gramprobe\n"]
    module = importlib.import_module("gramprobe")
    for name in sorted(n for n in module.__all__ if not n.startswith("__")):
        parts += entry(f"gramprobe.{name}", getattr(module, name))
    for heading, places in FURTHER.items():
        parts.append(f"## {heading}\n")
        for place in places:
            where, _, name = place.partition(":")
            parts += entry(f"{where}.{name}", getattr(importlib.import_module(where), name))
    return "\n".join(part for part in parts if part)


def entry(name: str, thing: Any) -> Iterator[str]:
    """The paragraphs of a function or class."""
    yield f"### {name}\n"
    if not inspect.isclass(thing):
        yield signature(thing.__name__, thing)
        yield prose(thing)
        return
    if dataclasses.is_dataclass(thing):
        fields = [f for f in dataclasses.fields(thing) if not f.name.startswith("_")]
        yield prose(thing)
        if fields:
            yield "```text\n" + "".join(f"{f.name}: {f.type}\n" for f in fields) + "```\n"
    else:
        if "__init__" in vars(thing):
            yield signature(thing.__name__, thing.__init__, without_self=True)
        yield prose(thing)
    for member, value in vars(thing).items():
        if member.startswith("_"):
            continue
        made = value.fget if isinstance(value, property) else getattr(value, "func", None)  # or a cached property
        if made is not None:
            returned = inspect.signature(made).return_annotation
            yield f"```text\n{member}: {returned}\n```\n"
            yield prose(made)
        elif isinstance(value, classmethod | staticmethod):
            yield signature(member, value.__func__, without_self=isinstance(value, classmethod))
            yield prose(value.__func__)
        elif inspect.isfunction(value):
            yield signature(member, value, without_self=True)
            yield prose(value)


def signature(name: str, function: Callable[..., Any], without_self: bool = False) -> str:
    """A signature as a block of code, one line for each parameter where it is long."""
    parameters = list(inspect.signature(function).parameters.values())[1 if without_self else 0 :]
    annotation = inspect.signature(function).return_annotation
    returned = f" -> {annotation}" if annotation not in (inspect.Signature.empty, "None") else ""
    texts = [str(p).replace("'", "") if p.default is inspect.Parameter.empty else _with_default(p) for p in parameters]
    line = f"{name}({', '.join(texts)}){returned}"
    if len(line) > 100:
        line = f"{name}(\n" + "".join(f"    {text},\n" for text in texts) + f"){returned}"
    return f"```text\n{line}\n```\n"


def _with_default(parameter: inspect.Parameter) -> str:
    default = "..." if callable(parameter.default) else repr(parameter.default)
    return f"{parameter.name}: {parameter.annotation} = {default}"


def prose(thing: Any) -> str:
    """A docstring as Markdown, empty if there is no docstring; a class does not inherit one."""
    text = inspect.cleandoc(vars(thing).get("__doc__") or "" if inspect.isclass(thing) else thing.__doc__ or "")
    text = re.sub(r":\w+:`~?(?:[\w.]+\.)?(\w+)`", r"`\1`", text)
    text = text.replace("``", "`")
    return "\n\n".join(_paragraph(each) for each in text.split("\n\n")) + "\n" if text else ""


def _paragraph(text: str) -> str:
    if text.startswith(">>>"):
        return f"```pycon\n{text}\n```"
    heading, _, rest = text.partition("\n")
    if heading not in ("Attributes:", "Args:"):
        return _filled(text)
    items = re.split(r"\n {4}(?=\S)", "\n" + rest)[1:]
    named = (item.partition(":") for item in items)
    return "\n".join([heading, "", *(_filled(f"- `{name}`: {about}", "  ") for name, _, about in named)])


def _filled(text: str, indent: str = "") -> str:
    whole = re.sub(r"\s+", " ", text)
    return textwrap.fill(whole, 118, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
