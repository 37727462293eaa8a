"""The settings of a paradigm: lines with a single value, headings, mixtures, and what may be guessed.

A mixture is made of shares of the rows for pairs (`share 50`), and of splits by number of instances (`split train
3000, ...`). A ``solvable`` line says what readers that do not reason may reach, by the design of the paradigm.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gramprobe.baselines.readers import PAIR_READERS, READERS
from gramprobe.language import CODE
from gramprobe.resolve.names import require_known
from gramprobe.resolve.paradigm.data import DEFAULT_SIZE, NamedTheory, Solvable
from gramprobe.resolve.paradigm.terms import SCOPES, Environment
from gramprobe.resolve.tasks import TaskForm
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings, Span
from gramprobe.syntax import paradigm_tree as syntax
from gramprobe.syntax.tree import Word

SPLITS = ("train", "validation", "test")
#: how far the sum of shares may be off a hundred percent: three times 33.33 is less
ROUNDING = 0.05


def text_of(settings: Mapping[str, tuple[Word, ...]], key: str) -> str:
    """The value of a setting; empty where the line is missing."""
    return settings[key][0].text if settings.get(key) else ""


def texts_of(settings: Mapping[str, tuple[Word, ...]], key: str) -> tuple[str, ...]:
    """The values of all lines of a keyword, each once."""
    return tuple(dict.fromkeys(word.text for word in settings.get(key, ())))


def check_settings(line: syntax.Paradigm, task: TaskForm, stem: str, findings: Findings) -> None:
    """Report missing lines, and values that a line cannot have. ``stem``: the name of the file without `.paradigm`."""
    settings = line.settings
    if line.name.text != stem:
        findings.add(messages.names.name_and_file_differ(line.name.span, "paradigm", line.name.text, stem))
    if not task.theory:
        for word in settings.get("theory", ()):
            findings.add(messages.task.no_theory(word.span, task.name))
    elif not settings.get("theory") and line.base is None:  # what it is made from may say it
        findings.add(messages.reading.missing_line(line.name.span, "theory", line.name.text))
    if not line.uses and line.base is None:
        findings.add(messages.reading.missing_line(line.name.span, "uses", line.name.text))
    _check_headings(line, task, findings)
    for word in settings.get("split", ())[::2]:  # it may be followed by its number of instances
        require_known(word, SPLITS, "split", findings)
    for word in settings.get("scope", ()):
        require_known(word, SCOPES, "scope of noun phrases", findings)
    for word in settings.get("size", ()):
        if word.text == "all":
            continue
        if not word.text.isdigit():
            require_known(word, ("all", "a number"), "size", findings)
        elif int(word.text) < 1:
            findings.add(messages.paradigm.no_size(word.span))
    for word in settings.get("language", ()):
        if not CODE.fullmatch(word.text):
            findings.add(messages.language.no_code(word.span, word.text, "E02"))
    check_splits(settings, findings)
    for allow in line.allows:
        require_known(allow.gate, task.gates, "gate", findings)


def resolve_theories(line: syntax.Paradigm, task: TaskForm, findings: Findings) -> tuple[tuple[NamedTheory, ...], ...]:
    """The theories whose labels the rows have, each once; only tasks about labels have them."""
    seen: dict[str, Span] = {}
    for word in (word for alike in line.theories for word in alike.names):
        if task.claims != "label":
            findings.add(messages.task.claim_of_another_task(word.span, "theories", task.name, task.claims))
        if word.text in seen:
            findings.add(messages.names.declared_twice(word.span, f"theory `{word.text}`", seen[word.text]))
        seen[word.text] = word.span
    return tuple(tuple(NamedTheory(word.text, word.span) for word in alike.names) for alike in line.theories)


def _check_headings(line: syntax.Paradigm, task: TaskForm, findings: Findings) -> None:
    """Report headings of other tasks, missing headings, and a wrong number of conditions below a heading."""
    by_heading: dict[str, list[Word]] = {}
    for condition in line.conditions:
        by_heading.setdefault(condition.heading, []).append(condition.name)
    for name, conditions in by_heading.items():
        if name not in task.names:
            findings.add(messages.task.heading_of_another_task(conditions[0].span, name, task.name, task.names))
    broken = {b.keyword for b in line.broken}
    if not (by_heading or broken or line.base):
        needed = [heading.name for heading in task.headings if heading.least]
        findings.add(messages.task.no_conditions(line.name.span, task.name, needed))
    for heading in task.headings:
        names, known = by_heading.get(heading.name, []), heading.names
        both_ways = heading.role == "judged" and _both_ways(line)
        strange = not by_heading.keys() <= set(task.names)  # what stands below it may belong here
        if not (names or strange or broken or both_ways) and by_heading and heading.least:
            findings.add(messages.reading.missing_line(line.conditions[-1].name.span, heading.name, line.name.text))
        most = len(names) if heading.most is None else heading.most
        if names and not heading.least <= len(names) <= most and not broken:
            wanted = heading.least if len(names) < heading.least else most
            findings.add(
                messages.task.number_of_conditions(names[-1].span, heading.name, len(names), wanted, task.name)
            )
        if names and known and not broken:
            for word in names:
                require_known(word, known, heading.name, findings)
            lacking = [each for each in known if each not in {n.text for n in names}]
            if lacking:
                findings.add(messages.task.lacking_conditions(names[-1].span, heading.name, lacking, task.name))


def _both_ways(line: syntax.Paradigm) -> bool:
    """Whether all pairs name their conditions, so that none need stand below `hypothesis`."""
    mentioned = [w.text for p in line.pairs for w in (*p.premises, *p.hypotheses)]
    return bool(mentioned) and "any" not in mentioned


def splits_of(settings: Mapping[str, tuple[Word, ...]]) -> tuple[tuple[str, int], ...]:
    """The splits with their sizes: ``train 3000, validation 1000``; empty for a bare name (``split test``)."""
    words = settings.get("split", ())
    return tuple((name.text, int(count.text)) for name, count in zip(words[::2], words[1::2], strict=False))


def check_splits(settings: Mapping[str, tuple[Word, ...]], findings: Findings) -> None:
    """Report a split that stands twice, and splits that together take more instances than the paradigm has."""
    words = settings.get("split", ())
    named = [word.text for word in words[::2]]
    for number, word in enumerate(words[::2]):
        if word.text in named[:number]:
            findings.add(messages.names.declared_twice(word.span, f"split `{word.text}`", None))
    taken = sum(count for _, count in splits_of(settings))
    given = settings["size"][0].text if settings.get("size") else str(DEFAULT_SIZE)
    size = int(given) if given.isdigit() else taken  # `size all`: as many as there are
    if taken > size:
        findings.add(messages.paradigm.splits_exceed(words[0].span, taken, size))


def share_of(line: syntax.Pair, pairs: int) -> float | None:
    """The share of each of the pairs that a line describes: equal parts of the share of the line."""
    return None if line.share is None else float(line.share.text) / pairs


def check_shares(lines: Sequence[syntax.Pair], findings: Findings) -> None:
    """Report a line without a share beside lines with shares, and shares that do not make up all rows."""
    words = [line.share for line in lines if line.share is not None]
    without = next((line for line in lines if line.share is None), None)
    if words and without is not None:
        findings.add(messages.paradigm.share_missing(without.span))
    elif words:
        shares = [float(word.text) for word in words]
        if abs(sum(shares) - 100) > ROUNDING or 0 in shares:
            findings.add(messages.paradigm.shares_off(words[-1].span, sum(shares), [word.text for word in words]))


def resolve_solvable(line: syntax.Paradigm, env: Environment) -> tuple[Solvable, ...]:
    """The declarations, at most one for each reader. Accuracies lie between 0 and 1."""
    declared: dict[str, Solvable] = {}
    known = PAIR_READERS if env.task.constraint else READERS
    before: dict[str, Span] = {}
    for each in line.solvable:
        reader = each.reader
        accuracy = None if each.accuracy is None else float(each.accuracy.text)
        if env.task.claims != "label" and not env.task.constraint:
            env.findings.add(messages.task.solvable_of_another_task(reader.span, env.task.name))
        elif not require_known(reader, known, "reader", env.findings):
            continue
        elif reader.text in before:
            what = f"`solvable by {reader.text}`"
            env.findings.add(messages.names.declared_twice(reader.span, what, before[reader.text]))
        elif each.accuracy is not None and float(each.accuracy.text) > 1:
            env.findings.add(messages.paradigm.no_accuracy(each.accuracy.span, each.accuracy.text))
        else:
            declared[reader.text] = Solvable(reader.text, accuracy, each.because.text, reader.span)
        before.setdefault(reader.text, reader.span)
    return tuple(declared.values())
