"""What a manifest says of sentences that were read back, held against what a build can have found.

Without `--parse` nothing is read back again; what no build of the paradigm can say is reported in any case.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gramprobe.dataset.gates import READING
from gramprobe.dataset.gates.reading import MOST, STOPS, readable
from gramprobe.items.decisions import Decisions


def impossible(part: Mapping[str, Any], decisions: Decisions) -> Iterator[str]:
    """What an entry of the manifest says that no build finds, as clauses."""
    paradigm, told = decisions.plan.paradigm, part.get("read_back")
    if (told is not None) != (READING in decisions.task.form.gates and readable(decisions.plan.grammar)):
        yield f"it {'has no' if told is None else 'has a'} `read_back`"
        return
    allowed = part["allowed"].get(READING, [])
    given = (
        [] if told is None or decisions.lenient else [paradigm.allows[READING]] if READING in paradigm.allows else []
    )
    if allowed[:1] != given or len(allowed) > 3:
        yield f"`allowed` has another reason for `{READING}` than the paradigm"
    if told is None:
        return
    read, hanging = told["sentences"], told["hanging"]
    conditions = len(paradigm.conditions)
    numbers = (told["trees"] * 2, told["readings"] * read) if read else (told["trees"], told["readings"])
    if (
        read > min(MOST, told["shapes"])
        or told["unread"] > min(conditions, read)
        or any(number < 0 or (not read and number) for number in numbers)
        or numbers[0] % 1
        or abs(numbers[1] - round(numbers[1])) > read * 1e-4
        or not hanging.keys() <= {STOPS, "scope"}
        or any(not 0 < number <= conditions + len(paradigm.pairs) for number in hanging.values())
    ):
        yield "its numbers of sentences that were read back do not go together"
    elif STOPS in hanging and not allowed and not decisions.lenient:
        yield "an answer hangs on how a sentence is read, which the paradigm does not allow"
