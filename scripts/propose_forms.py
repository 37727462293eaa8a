"""Propose the inflected forms of the lexicon and compare them with the committed ones (a maintainer's tool).

The compiler never inflects: every form stands in `lexicon/*.tsv`. This script reads the lemmas of those
files, asks two independent sources (lemminflect and pyinflect) for noun plurals and verb forms, asks a small
rule for the onset of a noun (a / an), and prints a table of every form where the committed one is not the
first proposal of each source:

    file  id  column  committed  lemminflect  pyinflect

(the onset has one source only, the rule; it stands in the fifth column, with a `-` in the sixth). A person
then settles each line: correct the lexicon, or write the committed form with the reason into
`scripts/settled_forms.tsv` (verbs: `scripts/settled_verb_forms.tsv`). The exit status is 1 as long as a
difference is not settled, else 0.

A new word needs no forms: leave its cells empty, run this script, and copy or correct what it proposes.
Several words: a noun inflects its last word (`teddy bear`), a verb its first (`wake up`, `get dressed`).

    python scripts/propose_forms.py              # the differences that are not settled yet
    python scripts/propose_forms.py --settled-too
"""

from __future__ import annotations

import argparse
import csv
import importlib
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERB_FILES = ("intransitives.tsv", "transitives.tsv", "changes.tsv", "embedders.tsv")
SETTLED_FILES = ("settled_forms.tsv", "settled_verb_forms.tsv")
VERB_TAGS = {"s": "VBZ", "past": "VBD", "en": "VBN", "ing": "VBG"}  # column -> Penn Treebank tag

Inflector = Callable[[str, str], str]  # (word, Penn tag) -> form, or "" if the source has no form

# A vowel letter that begins a consonant sound: European, ewe, one-way, Ouija, union (not uninvited), user.
CONSONANT_SOUND = re.compile(r"eu|ewe|one(?![a-z])|once|oui|uni(?!n|m)|u[bcfgklrst][aeiou]")
SILENT_H = frozenset({"heir", "heiress", "heirloom", "herb", "honor", "honoree", "hour", "hourglass"})
LETTERS_READ_WITH_A_VOWEL = frozenset("AEFHILMNORSX")


@dataclass(frozen=True, slots=True)
class Comparison:
    """One committed cell with what the two sources propose for it."""

    file: str
    id: str
    column: str
    committed: str
    first: str
    second: str

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What a line of the settled list must repeat, the form included."""
        return (self.file, self.id, self.column, self.committed)

    @property
    def agrees(self) -> bool:
        """Whether every source that has an opinion proposes the committed form."""
        opinions = [opinion for opinion in (self.first, self.second) if opinion != "-"]
        return all(opinion == self.committed for opinion in opinions)


def onset(noun: str) -> str:
    """Propose `v` (an) or `c` (a) by the sound that the first word of a noun begins with."""
    word = re.split(r"[ -]", noun)[0]
    if word.isupper():  # read letter by letter: an SUV, a TV, an X-ray
        return "v" if word[0] in LETTERS_READ_WITH_A_VOWEL else "c"
    word = word.lower()
    if word in SILENT_H:
        return "v"
    return "v" if word[0] in "aeiou" and not CONSONANT_SOUND.match(word) else "c"


def source(name: str) -> Inflector:
    """The inflection function of an installed package: its first form for a word and a tag."""
    package = importlib.import_module(name)

    def inflect(word: str, tag: str) -> str:
        # A source may list a regular participle under its past tense only.
        for tried in (tag, "VBD") if tag == "VBN" else (tag,):
            forms = [form for form in package.getInflection(word, tried, inflect_oov=True) or () if form]
            if forms:
                return str(forms[0])
        return ""

    return inflect


def inflect_phrase(inflect: Inflector, phrase: str, tag: str) -> str:
    """Inflect a lemma of one or more words: the last word of a noun, the first word of a verb."""
    words = phrase.split(" ")
    head = -1 if tag == "NNS" else 0
    words[head] = inflect(words[head], tag)
    return " ".join(words) if words[head] else ""


def rows(path: Path) -> Iterator[dict[str, str]]:
    """The rows of a TSV file with a header line and no quoting."""
    with path.open(encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)


def compare_nouns(path: Path, first: Inflector, second: Inflector) -> Iterator[Comparison]:
    """Compare the plural and the onset of every noun of a file."""
    for row in rows(path):
        plurals = (inflect_phrase(inflect, row["sg"], "NNS") for inflect in (first, second))
        yield Comparison(path.name, row["id"], "pl", row["pl"], *plurals)
        yield Comparison(path.name, row["id"], "onset", row["onset"], onset(row["sg"]), "-")


def compare_verbs(path: Path, first: Inflector, second: Inflector) -> Iterator[Comparison]:
    """Compare the four inflected forms of every verb of a file."""
    for row in rows(path):
        for column, tag in VERB_TAGS.items():
            forms = (inflect_phrase(inflect, row["base"], tag) for inflect in (first, second))
            yield Comparison(path.name, row["id"], column, row[column], *forms)


def compare_lexicon(lexicon: Path, first: Inflector, second: Inflector) -> Iterator[Comparison]:
    """Compare every form of every lexicon file that is there."""
    if (lexicon / "nouns.tsv").exists():
        yield from compare_nouns(lexicon / "nouns.tsv", first, second)
    for name in VERB_FILES:
        if (lexicon / name).exists():
            yield from compare_verbs(lexicon / name, first, second)


def read_settled(paths: Sequence[Path]) -> set[tuple[str, str, str, str]]:
    """The (file, id, column, form) of every difference that a person has settled."""
    return {
        (row["file"], row["id"], row["column"], row["form"]) for path in paths if path.exists() for row in rows(path)
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table of differences; 1 when one of them is not settled."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--lexicon", type=Path, default=ROOT / "lexicon", help="the folder of the TSV files")
    parser.add_argument(
        "--settled",
        type=Path,
        nargs="+",
        default=[ROOT / "scripts" / name for name in SETTLED_FILES],
        metavar="FILE",
        help="lists of settled differences (columns file, id, column, form, reason)",
    )
    parser.add_argument("--settled-too", action="store_true", help="also print the differences that are settled")
    options = parser.parse_args(arguments)

    settled = read_settled(options.settled)
    comparisons = list(compare_lexicon(options.lexicon, source("lemminflect"), source("pyinflect")))
    differences = [comparison for comparison in comparisons if not comparison.agrees]
    open_ones = [difference for difference in differences if difference.key not in settled]
    shown = differences if options.settled_too else open_ones
    if shown:
        print("file", "id", "column", "committed", "lemminflect", "pyinflect", sep="\t")
    for line in shown:
        print(line.file, line.id, line.column, line.committed, line.first, line.second, sep="\t")
    files = {comparison.file for comparison in comparisons}
    for idle in sorted(key for key in settled - {difference.key for difference in differences} if key[0] in files):
        print("settled, but no difference any more:", *idle, sep="\t", file=sys.stderr)
    print(
        f"{len(comparisons)} forms, {len(differences)} differences, {len(open_ones)} of them not settled",
        file=sys.stderr,
    )
    return 1 if open_ones else 0


if __name__ == "__main__":
    sys.exit(main())
