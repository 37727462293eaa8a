"""Items of `de_re_de_dicto` that a person has read: every verb with `a` and with `that`.

``pytest --accept tests/golden`` records them anew; the difference is for a person to read.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from support import shipped

from gramprobe.dataset.describe import columns_of
from gramprobe.dataset.schema import schema
from gramprobe.decide.label import Decider
from gramprobe.items.cells import table
from gramprobe.items.decisions import Decisions
from gramprobe.items.instance import draws_of
from gramprobe.items.plan import Plan, plan
from gramprobe.items.rows import Chunk, Rows
from gramprobe.items.tasks import task_of
from gramprobe.source.diagnostic import Findings
from gramprobe.space.space import Draws

RECORDED = Path(__file__).parent / "de_re.txt"
PARADIGMS = ("belief", "doubt", "infinitive", "knowledge", "perception", "extensional")
SHOWN = (
    "pronoun", "frame", "verb_class", "gender_decides", "ambiguous_readings", "embedded_accessible_in",
    "embedded_exists_in", "accessible", "odd", "rests_on", "certificate",
)  # fmt: skip


def instances() -> list[tuple[str, list[str]]]:
    """Paradigm -> names of instances: each verb twice, the other words taken in turn."""
    grammar, number = shipped.grammar("de_re_de_dicto"), count()
    found = []
    for paradigm in PARADIGMS:
        domains = {d.name: d.skeletons[0].domains[0] for d in shipped.paradigm(f"de_re_de_dicto/{paradigm}").draws}
        words = {
            name: sorted(grammar.categories[domains[name].slot.category].lexemes[m].id for m in domains[name].members)
            for name in ("who", "noun", "act", "met")
        }
        domain = domains["verb"]
        names = []
        for member in domain.members:
            for determiner in ("indefinite", "deictic"):
                n = next(number)
                id_ = grammar.categories[domain.slot.category].lexemes[member].id
                who, noun, act, met = (
                    words[c][n * step % len(words[c])] for c, step in zip(words, (1, 7, 11, 1), strict=True)
                )
                if met == id_:  # one is not greeted by both
                    met = words["met"][(n + 1) % len(words["met"])]
                names.append(f"{who}.{id_}.{determiner}.{noun}.{act}.{met}")
        found.append((paradigm, names))
    return found


def planned(name: str) -> Plan:
    findings = Findings()
    decider = Decider(dependence=True)
    found = plan(shipped.paradigm(name), shipped.declarations(), findings, None, decider)
    assert found is not None, findings.items
    return found


def rows(name: str, wanted: list[str]) -> list[dict[str, str]]:
    """The items of these instances."""
    found = planned(name)
    one = [draws_of(found, each) for each in wanted]
    draws = Draws.joined([each for each in one if each is not None])
    assert len(draws) == len(wanted)
    findings = Findings()
    decisions = Decisions(found, task_of(found.paradigm), findings)
    groups = decisions.grouping.of(draws)
    decisions.answer_groups(draws, groups)
    assert decisions.complete
    assert not findings.items
    made = Rows(decisions, decisions.task).cells(Chunk(draws=draws, groups=groups))
    columns = schema(columns_of(decisions.task), [d.name for d in found.paradigm.draws])
    listed: list[dict[str, str]] = table(made, len(draws), columns).to_pylist()
    return listed


def items() -> str:
    blocks = []
    for paradigm, names in instances():
        for row in rows(f"de_re_de_dicto/{paradigm}", names):
            head = f"{row['text']}   {row['candidate_subject']} | {row['candidate_embedded']}"
            blocks.append(
                "\n".join([head, *(f"  {name:23} {row[name]}".rstrip() for name in SHOWN), f"  {row['readings']}"])
            )
    return "\n\n".join(blocks) + "\n"


@pytest.mark.slow
def test_items_that_a_person_has_read(recorded: Callable[[str, Path], None]) -> None:
    now = items()
    recorded(now, RECORDED)
    assert now.count("[pronoun]") == 120
