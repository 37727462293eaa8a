"""A parser of others, link-grammar (Sleator & Temperley 1993; Debian's `link-grammar`), reads the recorded sentences of
the minimal pairs.

It accepts more than English: it knows no licensing and no binding. Bad sentences that it parses have been read, and
`link_grammar.tsv` has their conditions with the reason; a bad sentence of any other condition may be good English.
"""

from __future__ import annotations

import csv
import re
import subprocess
from pathlib import Path

import pytest
from support.acceptability import sentences

READ = Path(__file__).with_name("link_grammar.tsv")
#: how many of the good sentences it parses at least
GOOD = 0.95


def parsed(texts: list[str]) -> list[bool]:
    """Whether the parser of link-grammar finds a linkage with every word for each sentence."""
    run = subprocess.run(
        ["link-parser", "-null=0", "-verbosity=1", "-graphics=0"],
        input="".join(f"{text}\n" for text in texts), capture_output=True, text=True, check=True, timeout=300,
    )  # fmt: skip
    return [
        found == "Found" for found in re.findall(r"^(Found|No complete linkages found)\b", run.stdout, re.MULTILINE)
    ]


@pytest.mark.outside("link-parser")
def test_bad_sentences_that_another_parser_reads_have_been_read() -> None:
    rows = sentences()
    verdicts = parsed([sentence for *_, sentence in rows])
    assert len(verdicts) == len(rows) > 250
    with READ.open(encoding="utf-8", newline="") as lines:
        known = {(row["paradigm"], row["condition"]) for row in csv.DictReader(lines, delimiter="\t")}
    both = [*zip(rows, verdicts, strict=True)]
    assert [row for row, read in both if read and not row[2] and row[:2] not in known] == []
    good = [read for row, read in both if row[2]]
    assert sum(good) >= GOOD * len(good)
