"""An audit as one HTML file, in the style of `gramprobe report`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from html import escape

from gramprobe.analysis.output.document import Example, articles, document
from gramprobe.analysis.output.table import Table
from gramprobe.analysis.output.writers import html
from gramprobe.audit.minimal_pairs import Judged, Trees
from gramprobe.audit.pairs import Audit, Disagreement
from gramprobe.audit.tables import tables_of, twins_of
from gramprobe.explain.decision import pair
from gramprobe.interpret.pairs import LabelOfReadings

MOST = 200
"""So many disagreements of a file are shown."""


def page(found: Mapping[str, Audit | Trees], how: str, command: str) -> str:
    """The page of the audits of some files, by name. ``how``: what the sentences were read with, in a sentence."""
    sections, drawn = [], dict[str, str]()
    for number, (name, made) in enumerate(found.items(), 1):
        tables = "".join(html(_named(table, number, len(found)), True) for table in tables_of(made))
        twins = "".join(f"<li>{escape(line)}</li>\n" for line in twins_of(made))
        body = tables + (f"<h3>Twins</h3>\n<ul>\n{twins}</ul>\n" if twins else "")
        sections.append((f"file-{number}", name, body))
        if made.against:
            shown = articles([_example(each) for each in made.against[:MOST]], drawn)
            more = len(made.against) - MOST
            rest = f"<p>{more:,} more are in the JSON.</p>\n" if more > 0 else ""
            head = "labels that differ" if isinstance(made, Audit) else "worse sentences with a tree"
            sections.append((f"differ-{number}", f"{name}: {head}", f"{shown}{rest}"))
    sections.append(("methods", "How it was made", f"<p>{escape(how)}</p>\n<pre>{escape(command)}</pre>\n"))
    return document(f"Audit of {', '.join(found)}", LEAD, sections)


LEAD = (
    "What a published set says, held against what follows from its sentences. A label was derived only where all "
    "sentences can be read and all of their readings agree; which of two labels is right is for people to say."
)


def _named(table: Table, number: int, files: int) -> Table:
    """A table under a name of its own on the page."""
    return replace(table, name=f"{table.name}_{number}") if files > 1 else table


def _example(each: Disagreement | Judged) -> Example:
    if isinstance(each, Judged):
        texts = [("better", each.good.text), ("worse", each.bad.text)]
        reading = [f"{one.kind}  {one.formula}\n{one.term}" for one in each.bad.readings]
        texts.append(("trees", f"{each.good.trees:,} of the better, {each.bad.trees:,} of the worse sentence"))
        return Example(each.place, tuple(texts), explanation="\n\n".join(reading))
    *premises, hypothesis = (read.text for read in each.found.sentences)
    texts = [*(("premise", premise) for premise in premises), ("hypothesis", hypothesis)]
    texts += [("kind", each.pair.kind)] * bool(each.pair.kind)
    texts += [("guessed", "; ".join(each.found.guessed))] * bool(each.found.guessed)
    texts += [("published", str(each.pair.label)), ("derived", str(each.found.label))]
    return Example(each.place, tuple(texts), explanation="\n\n".join(map(why, each.found.by_reading)))


def why(reading: LabelOfReadings) -> str:
    """The label of a reading of each sentence, with the proof or the models behind it."""
    formulas = "\n".join(f"premise     {each.formula}" for each in reading.premises)
    decision, asked = reading.decision, reading.hypothesis
    text = pair(decision, reading.said, asked.reading.formula, decision.theory).text
    return f"{formulas}\nhypothesis  {asked.formula}\n{decision.verdict.label}\n{text}"
