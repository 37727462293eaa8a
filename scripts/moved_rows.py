"""What moved between two releases of the datasets, by paradigm and condition: docs/moved.md.

    python scripts/moved_rows.py FORMER/scope data/scope [FORMER/implicature data/implicature ...] > docs/moved.md

Folders of the former release and of this one in turn, of as many instances each. Rows are compared by id; a row whose
id is gone was left out, or made anew of other words.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from gramprobe.dataset.diff import by_condition, compare, rows

HEAD = """# What moved since the former release

Made by `python scripts/moved_rows.py`, which compares datasets of the former release with those of this one by id
(`gramprobe diff --by-condition`), with as many instances a paradigm in both. *Kept*: rows that have the same id. *Gone*
and *new*: rows of conditions that left or came, and of draws that are others, since a paradigm that draws from other
words draws others; an id that was kept has the words it had. *Reworded*: rows that have their id and another sentence.
The labels are those of the column `label_name`, by condition, whether rows were kept or not; *none* is a row of a
graded set, or of a task without labels.
"""

ABSENT = "none"


Place = tuple[str, str]
"""A paradigm and a condition."""


def labelled(folder: Path) -> dict[Place, Counter[str]]:
    """The labels of each condition, with their rows; "" for a row without one."""
    found: dict[Place, Counter[str]] = defaultdict(Counter)
    for _, row in rows(folder):
        id_ = str(row["id"])
        found["/".join(id_.split("/")[:2]), id_.rpartition("/")[2]][str(row.get("label_name") or "")] += 1
    return found


def named(labels: Counter[str]) -> str:
    """The labels of a condition, in words."""
    return " or ".join(sorted(label or ABSENT for label in labels))


def lines(former: Path, present: Path) -> Iterator[str]:
    """The table of a phenomenon, and the list of its conditions below."""
    before, after = labelled(former), labelled(present)
    changes = by_condition(compare(former, present))
    table: dict[str, Counter[str]] = defaultdict(Counter)
    moved: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    came: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for place in sorted({*before, *after}):
        paradigm, condition = place[0].partition("/")[2], f"`{place[1]}`"
        gone, new, reworded = (changes.get(place, Counter())[kind] for kind in ("gone", "new", "other sentences"))
        kept = before[place].total() - gone
        table[paradigm] += Counter(kept=kept, gone=gone, new=new, reworded=reworded)
        if not before[place] or not after[place]:
            came[paradigm]["left" if before[place] else "new"].append(condition)
        elif set(before[place]) != set(after[place]):
            moved[paradigm][f"{named(before[place])} → {named(after[place])}"].append(condition)
    totals = [sum(each.values(), Counter()).total() for each in (before, after)]
    yield f"\n## {present.name}\n"
    yield f"{totals[0]:,} rows of the former release, {totals[1]:,} of this one.\n"
    yield "| paradigm | kept | gone | new | reworded | conditions that left | that came | whose label moved |"
    yield "|---|--:|--:|--:|--:|--:|--:|---|"
    for paradigm, counts in table.items():
        if not any(counts[kind] for kind in ("gone", "new", "reworded")):
            continue
        cells = [f"{counts[kind]:,}" for kind in ("kept", "gone", "new", "reworded")]
        cells += [f"{len(came[paradigm].get(kind, []))}" for kind in ("left", "new")]
        cells.append("; ".join(f"{change}: {len(places)}" for change, places in moved[paradigm].items()))
        yield f"| {paradigm} | {' | '.join(cells)} |"
    same = [paradigm for paradigm, counts in table.items() if not counts["gone"] + counts["new"] + counts["reworded"]]
    yield f"\nAs they were: {', '.join(same) or 'none'}.\n"
    alike: dict[tuple[str, str], list[str]] = defaultdict(list)
    for paradigm in table:
        for kind, places in [*moved[paradigm].items(), *came[paradigm].items()]:
            whole = len(places) == sum(name.partition("/")[2] == paradigm for name, _ in {*before, *after})
            alike[kind, "all conditions" if whole else ", ".join(places)].append(paradigm)
    for (kind, listed), paradigms in alike.items():
        yield f"- {', '.join(paradigms)}; {kind}: {listed}."


def main() -> int:
    """Print the page."""
    folders = [Path(argument) for argument in sys.argv[1:]]
    if not folders or len(folders) % 2:
        raise SystemExit("give pairs of folders: of the former release, of this one")
    print(HEAD, end="")
    for former, present in zip(folders[::2], folders[1::2], strict=True):
        for line in lines(former, present):
            print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
