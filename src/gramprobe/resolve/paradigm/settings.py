"""The settings of a paradigm (lines with a single value) and its headings: which are required, and their values."""

from __future__ import annotations

import re
from collections.abc import Mapping

from gramprobe.resolve.paradigm.mixture import check_splits
from gramprobe.resolve.tasks import TaskForm, TaskForms
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.syntax import paradigm_tree as syntax
from gramprobe.syntax.tree import Word

#: a code of a language as in BCP 47: `en`, `pt-BR`, `zh-Hans`
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
SPLITS = ("train", "validation", "test")


def text_of(settings: Mapping[str, tuple[Word, ...]], key: str) -> str:
    """The value of a setting; empty where the line is missing."""
    return settings[key][0].text if settings.get(key) else ""


def texts_of(settings: Mapping[str, tuple[Word, ...]], key: str) -> tuple[str, ...]:
    """The values of all lines of a keyword, each once."""
    return tuple(dict.fromkeys(word.text for word in settings.get(key, ())))


def check_settings(line: syntax.Paradigm, task: TaskForm, tasks: TaskForms, stem: str, findings: Findings) -> None:
    """Report missing lines, and values that a line cannot have. ``stem``: the name of the file without `.paradigm`."""
    settings = line.settings
    if line.name.text != stem:
        findings.add(messages.names.name_and_file_differ(line.name.span, "paradigm", line.name.text, stem))
    for key, there in (("theory", settings.get("theory")), ("uses", line.uses)):
        if not there:
            findings.add(messages.reading.missing_line(line.name.span, key, line.name.text))
    _check_headings(line, task, findings)
    for key, known in (("task", tuple(tasks.by_name)), ("split", SPLITS)):
        for word in settings.get(key, ())[::2]:  # a split may be followed by its number of instances
            if word.text not in known:
                findings.add(messages.names.unknown_name(word.span, key, word.text, known))
    for word in settings.get("size", ()):
        if word.text == "all":
            continue
        if not word.text.isdigit():
            findings.add(messages.names.unknown_name(word.span, "size", word.text, ("all",)))
        elif int(word.text) < 1:
            findings.add(messages.paradigm.no_size(word.span))
    for word in settings.get("language", ()):
        if not _LANGUAGE.fullmatch(word.text):
            findings.add(messages.paradigm.no_language_code(word.span, word.text))
    check_splits(settings, findings)
    for allow in line.allows:
        if allow.gate.text not in task.gates:
            findings.add(messages.names.unknown_name(allow.gate.span, "gate", allow.gate.text, task.gates))


def _check_headings(line: syntax.Paradigm, task: TaskForm, findings: Findings) -> None:
    """Report headings of other tasks, missing headings, and a wrong number of conditions below a heading."""
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
        if not names and by_heading and not broken and not both_ways and heading not in task.optional:
            findings.add(messages.reading.missing_line(line.conditions[-1].name.span, heading, line.name.text))
        wanted, known = task.counts.get(heading), task.names.get(heading)
        least, most = wanted if isinstance(wanted, tuple) else (wanted, wanted)
        if names and least is not None and most is not None and not least <= len(names) <= most and not broken:
            wanted = least if len(names) < least else most
            findings.add(messages.task.number_of_conditions(names[-1].span, heading, len(names), wanted, task.name))
        if names and known is not None and not broken:
            for name in names:
                if name.text not in known:
                    findings.add(messages.names.unknown_name(name.span, heading, name.text, known))
            lacking = [each for each in known if each not in {n.text for n in names}]
            if lacking:
                findings.add(messages.task.lacking_conditions(names[-1].span, heading, lacking, task.name))


def _both_ways(line: syntax.Paradigm) -> bool:
    """Whether premises serve as the hypotheses of all pairs: then no condition need stand below `hypothesis`."""
    named = {c.name.text for c in line.conditions}
    mentioned = [w.text for p in line.pairs for w in (*p.premises, *p.hypotheses)]
    return bool(mentioned) and named.issuperset(mentioned)
