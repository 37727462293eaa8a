"""The tables of an audit: what a terminal and a page print."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from gramprobe.analysis.means import share_method
from gramprobe.analysis.output.table import Column, Table, Value, percent
from gramprobe.audit.minimal_pairs import OUTCOMES, Trees
from gramprobe.audit.pairs import Audit, Count
from gramprobe.certify.rule import LABELS
from gramprobe.dataset.gates.sentences import Reason
from gramprobe.source.nearest import listed

MOST = 40
"""So many rows that are there twice are named."""
METHOD = replace(
    share_method(), cluster="groups of pairs", df="groups less 1", population="new groups of pairs like these"
)
COUNTS = (
    Column("rows", "pairs"), Column("read", "read"), Column("labelled", "labelled"), Column("agree", "as published"),
    Column("guessed", "by guesses"),
)  # fmt: skip
_HEADINGS = ("the better alone", "both", "the worse alone", "neither", "unknown words")


def tables_of(made: Audit | Trees) -> list[Table]:
    """The tables of a set; one without rows is left out."""
    return [table for table in (_of_pairs(made) if isinstance(made, Audit) else _of_minimal_pairs(made)) if table.rows]


def twins_of(made: Audit | Trees) -> Iterator[str]:
    """What is to be said of rows that are there twice, in sentences."""
    labelled = isinstance(made, Audit)
    for one, other in made.contradictory:
        yield f"Rows {one:,} and {other:,} are one pair with two {'labels' if labelled else 'orders'}."
    both = "whose premise is their hypothesis" if labelled else "of one sentence twice"
    for rows, what in ((made.repeated, "that are there before"), (made.same, both)):
        if rows:
            yield f"Rows {what}: {listed(map(str, rows), MOST)}."


def _of_pairs(made: Audit) -> list[Table]:
    rows: list[tuple[Value, ...]] = [("all", *_counts(made.whole))]
    if len(made.kinds) > 1:
        rows += [(kind, *_counts(count)) for kind, count in made.kinds.items()]
    notes = [
        f"Of {compared:,} derived labels {same:,} are that of the column `{name}`."
        for name, (compared, same) in made.others.items()
    ]
    caption = "How many pairs were read and labelled, and how many of these labels are published."
    columns = (Column("kind", "kind"), *COUNTS)
    counts = Table("counts", caption, columns, tuple(rows), notes=tuple(notes))
    found = [counts if made.whole.guessed else counts.without("guessed")]
    derived = (Column("label", "published"), *(Column(label, label, group="derived") for label in LABELS))
    labels: list[tuple[Value, ...]] = [
        (label, *(counts[each] for each in LABELS)) for label, counts in sorted(made.derived.items())
    ]
    found.append(Table("labels", "Published labels, and those that were derived.", derived, tuple(labels)))
    why = (Column("why", "why there is no label"), Column("rows", "pairs"))
    ordered = tuple(sorted(made.abstained.items(), key=lambda each: (-each[1], each[0])))
    found.append(Table("abstained", "Pairs without a derived label.", why, ordered))
    return [*found, _shallow(made), _defects(made.defects)]


def _of_minimal_pairs(made: Trees) -> list[Table]:
    columns = (
        Column("set", "set"),
        Column("rows", "pairs"),
        *(Column(name, heading) for name, heading in zip(OUTCOMES, _HEADINGS, strict=True)),
    )
    whole = {name: made.count(name) for name in OUTCOMES}
    kinds = made.kinds if len(made.kinds) > 1 else {}
    named = [("all", whole), *kinds.items()]
    rows: list[tuple[Value, ...]] = [(kind, sum(each.values()), *each.values()) for kind, each in named]
    return [Table("trees", "Which sentence of a pair has a tree.", columns, tuple(rows)), _defects(made.defects)]


def _counts(count: Count) -> tuple[int, ...]:
    return count.rows, count.read, count.labelled, count.agree, count.guessed


def _shallow(made: Audit) -> Table:
    """Rules and readers, those that reach most first."""
    found = made.shallow
    columns = (Column("name", "baseline"), percent("accuracy", "as published"), Column("about", "what it does"))
    if found is None:
        return Table("shallow", "", columns, ())
    rows = [(each.name, each.accuracy, each.about) for each in sorted(found.reached, key=lambda each: -each.value)]
    caption = (
        f"What rules and readers that do not reason reach, of {found.rows:,} published labels. Always the commonest "
        f"label: {100 * found.majority:.1f} %."
    )
    if not found.absent:
        return Table("shallow", caption, columns, tuple(rows), methods=(METHOD,))
    left = f"Some readers, or intervals, need {listed(found.absent)}: pip install 'gramprobe[analysis]'."
    return Table("shallow", caption, columns, tuple(rows), notes=(left,))


def _defects(reasons: Sequence[Reason]) -> Table:
    columns = (Column("what", "what is wrong"), Column("examples", "as in"))
    rows = tuple((each.what, " | ".join(each.examples)) for each in reasons)
    return Table("defects", "The spelling of sentences.", columns, rows)
