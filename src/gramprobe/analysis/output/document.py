"""A page of HTML that holds its figures and styles and loads nothing: what reports and audits are written into.

Its one script sorts and filters tables; the page is complete without it.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files

from gramprobe import __version__

KINDS = ("css", "js")
BEGINS = "<!doctype html>"
"""The first characters of a page."""


@dataclass(frozen=True)
class Example:
    """An item that the report shows.

    Attributes:
        id: its id.
        texts: (name, text) of what a model reads, and of the answer that was derived.
        given: (model, answer) of each run.
        explanation: trees, formulas, the proof or the models, as text; empty where its grammar is not at hand.
        picture: an SVG of its models, or empty.
    """

    id: str
    texts: tuple[tuple[str, str], ...]
    given: tuple[tuple[str, str], ...] = ()
    explanation: str = ""
    picture: str = ""


def document(title: str, lead: str, sections: Sequence[tuple[str, str, str]]) -> str:
    """The page: a heading, a sentence below it, and sections, each with its anchor, its heading and its HTML."""
    style, script = (files("gramprobe.analysis.output").joinpath(f"report.{kind}").read_text("utf-8") for kind in KINDS)
    digest = base64.b64encode(hashlib.sha256(f"\n{script}".encode()).digest()).decode("ascii")
    # the one script may run, and nothing may be loaded: a browser holds a forged text of an item to that
    policy = f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    links = "\n".join(f'<li><a href="#{anchor}">{escape(name)}</a></li>' for anchor, name, _ in sections)
    body = "\n".join(
        f'<section id="{anchor}">\n<h2>{escape(name)}</h2>\n{text}</section>' for anchor, name, text in sections
    )
    return f"""{BEGINS}
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{escape(title)}</title>
<style>
{style}</style>
</head>
<body>
<header>
<h1>{escape(title)}</h1>
<p class="lead">{escape(lead)}</p>
</header>
<nav aria-label="Contents">
<ul>
{links}
</ul>
</nav>
<main>
{body}
</main>
<footer><p class="notes">Written by gramprobe {escape(__version__)}.</p></footer>
<script>
{script}</script>
</body>
</html>
"""


def image(svg: str, text: str, caption: str, drawn: dict[str, str], name: str = "picture") -> str:
    """A picture with its caption; one that stands in the page already is a link to it. ``drawn``: picture -> the
    anchor of its figure; the picture is added."""
    data = base64.b64encode(svg.encode("utf-8")).decode("ascii")
    if data in drawn:
        link = f'<a href="#{drawn[data]}">The same picture as above.</a>'
        return f"<figure>\n<figcaption>{escape(caption)} {link}</figcaption>\n</figure>\n"
    drawn[data] = anchor = f"picture-{len(drawn) + 1}"
    return (
        f'<figure id="{anchor}" data-name="{escape(name, quote=True)}">\n'
        f'<img src="data:image/svg+xml;base64,{data}" alt="{escape(text, quote=True)}">\n'
        f"<figcaption>{escape(caption)}</figcaption>\n</figure>\n"
    )


def articles(examples: Sequence[Example], drawn: dict[str, str]) -> str:
    """Items one below the other. ``drawn``: as of `image`."""
    return "".join("".join(_example(each, drawn)) for each in examples)


def _example(example: Example, drawn: dict[str, str]) -> Iterator[str]:
    yield f'<article class="item">\n<h3>{escape(example.id)}</h3>\n<dl>\n'
    for name, text in example.texts:
        yield f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>\n"
    for model, answer in example.given:
        yield f"<dt>{escape(model)} answers</dt><dd>{escape(answer)}</dd>\n"
    yield "</dl>\n"
    if example.explanation:
        yield "<details>\n<summary>How the answer was derived: trees, formulas, proof and models</summary>\n"
        yield f"<pre>{escape(example.explanation)}</pre>\n"
        if example.picture:
            yield image(
                example.picture,
                "The models of the item, which the text above describes.",
                "Models of the item: worlds with what holds in them.",
                drawn,
            )
        yield "</details>\n"
    yield "</article>\n"
