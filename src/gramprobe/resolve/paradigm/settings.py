"""The lines of one value of a paradigm, and its headings: what must be there, and what may stand in them."""

from __future__ import annotations

from collections.abc import Mapping

from gramprobe.resolve.paradigm.mixture import check_splits
from gramprobe.resolve.tasks import TASKS, Headings
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.syntax import paradigm_tree as syntax
from gramprobe.syntax.tree import Word

SPLITS = ("train", "validation", "test")
#: what `allow` may name: the gates of :mod:`gramprobe.dataset.gates`
GATES = ("duplicates", "spelling", "articles", "leak")


def text_of(settings: Mapping[str, tuple[Word, ...]], key: str) -> str:
    """The value of a line of one value; the empty text where there is no such line."""
    return settings[key][0].text if settings.get(key) else ""


def check_settings(line: syntax.Paradigm, task: Headings, stem: str, findings: Findings) -> None:
    """Report missing lines, and values that a line cannot have. ``stem``: the file's name without `.paradigm`."""
    settings = line.settings
    if line.name.text != stem:
        findings.add(messages.names.name_and_file_differ(line.name.span, "paradigm", line.name.text, stem))
    for key in ("theory", "uses"):
        if not settings.get(key):
            findings.add(messages.reading.missing_line(line.name.span, key, line.name.text))
    _check_headings(line, task, findings)
    for key, known in (("task", tuple(TASKS)), ("split", SPLITS)):
        for word in settings.get(key, ())[::2]:  # behind a split may stand how many
            if word.text not in known:
                findings.add(messages.names.unknown_name(word.span, key, word.text, known))
    for word in settings.get("size", ()):
        if word.text == "all":
            continue
        if not word.text.isdigit():
            findings.add(messages.names.unknown_name(word.span, "size", word.text, ("all",)))
        elif int(word.text) < 1:
            findings.add(messages.paradigm.no_size(word.span))
    check_splits(settings, findings)
    for allow in line.allows:
        if allow.gate.text not in GATES:
            findings.add(messages.names.unknown_name(allow.gate.span, "gate", allow.gate.text, GATES))


def _check_headings(line: syntax.Paradigm, task: Headings, findings: Findings) -> None:
    """Report headings of other tasks, those that are missing, and conditions too many or too few below one."""
    by_heading: dict[str, list[Word]] = {}
    for condition in line.conditions:
        by_heading.setdefault(condition.heading, []).append(condition.name)
    for heading, names in by_heading.items():
        if heading not in task.headings:
            findings.add(messages.task.heading_of_another_task(names[0].span, heading, task.name, task.headings))
    broken = {b.keyword for b in line.broken}
    for heading in task.headings:
        names = by_heading.get(heading, [])
        both_ways = heading == "hypothesis" and _both_ways(line)
        if not names and by_heading and not broken and not both_ways:
            findings.add(messages.reading.missing_line(line.conditions[-1].name.span, heading, line.name.text))
        wanted, known = task.counts.get(heading), task.names.get(heading)
        if names and wanted is not None and len(names) != wanted and not broken:
            findings.add(messages.task.number_of_conditions(names[-1].span, heading, len(names), wanted, task.name))
        if names and known is not None and not broken:
            for name in names:
                if name.text not in known:
                    findings.add(messages.names.unknown_name(name.span, heading, name.text, known))
            lacking = [each for each in known if each not in {n.text for n in names}]
            if lacking:
                findings.add(messages.task.lacking_conditions(names[-1].span, heading, lacking, task.name))


def _both_ways(line: syntax.Paradigm) -> bool:
    """Whether every pair has a premise for its hypothesis: then no condition need stand below `hypothesis`."""
    named = {c.name.text for c in line.conditions}
    mentioned = [w.text for p in line.pairs for w in (*p.premises, *p.hypotheses)]
    return bool(mentioned) and named.issuperset(mentioned)
