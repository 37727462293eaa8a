"""The ``solvable`` lines of a paradigm: what readers that do not reason may reach, by the design of the paradigm."""

from __future__ import annotations

from gramprobe.baselines.readers import READERS
from gramprobe.resolve.paradigm.data import Solvable
from gramprobe.resolve.paradigm.environment import Environment
from gramprobe.source import messages
from gramprobe.source.span import Span
from gramprobe.syntax import paradigm_tree as syntax


def resolve_solvable(line: syntax.Paradigm, env: Environment) -> tuple[Solvable, ...]:
    """The declarations, at most one for each reader. Accuracies lie between 0 and 1."""
    declared: dict[str, Solvable] = {}
    before: dict[str, Span] = {}
    for each in line.solvable:
        reader, accuracy = each.reader, float(each.accuracy.text)
        if env.task.claims != "label":
            env.findings.add(messages.task.solvable_of_another_task(reader.span, env.task.name))
        elif reader.text not in READERS:
            env.findings.add(messages.names.unknown_name(reader.span, "reader", reader.text, READERS))
        elif reader.text in before:
            what = f"`solvable by {reader.text}`"
            env.findings.add(messages.names.declared_twice(reader.span, what, before[reader.text]))
        elif accuracy > 1:
            env.findings.add(messages.paradigm.no_accuracy(each.accuracy.span, each.accuracy.text))
        else:
            declared[reader.text] = Solvable(reader.text, accuracy, each.because.text, reader.span)
        before.setdefault(reader.text, reader.span)
    return tuple(declared.values())
