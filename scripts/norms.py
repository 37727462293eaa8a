"""Write the frequencies and lengths of the words of the lexicon (a maintainer's tool).

    python scripts/norms.py         # writes lexicon/*_norms.tsv; needs the extra `dev`
    python scripts/norms.py --check # whether they have a row for every word

`freq` is the Zipf value of the first form (the base 10 logarithm of how often it occurs in a billion words: van Heuven
et al. 2014), by the probabilities of single words in the English language model of PocketSphinx (BSD-2); `-` where the
model does not know the form, and for a form of several words the value of the rarest. `length` is how many letters the
form has. A row stands for a word, in the order of its table.
"""

from __future__ import annotations

import argparse
import csv
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LEXICON = ROOT / "lexicon"
#: table -> the column with the first form, and the tables of words that it is about
NORMS = {
    "name_norms.tsv": ("name", ("names.tsv",)),
    "noun_norms.tsv": ("sg", ("nouns.tsv",)),
    "intransitive_norms.tsv": ("base", ("intransitives.tsv", "pursuits.tsv")),
    "transitive_norms.tsv": ("base", ("transitives.tsv",)),
    "weak_adjective_norms.tsv": ("form", ("weak_adjectives.tsv",)),
    "strong_adjective_norms.tsv": ("form", ("strong_adjectives.tsv",)),
    "weak_verb_norms.tsv": ("base", ("weak_verbs.tsv",)),
    "strong_verb_norms.tsv": ("base", ("strong_verbs.tsv",)),
}


def rows(name: str) -> list[dict[str, str]]:
    with (LEXICON / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def words(tables: tuple[str, ...], column: str) -> list[tuple[str, str]]:
    """(id, first form) of every word of some tables."""
    return [(row["id"], row[column]) for name in tables for row in rows(name)]


def stale() -> list[str]:
    """The tables of norms that have not one row for each word, with its length."""
    wrong: list[str] = []
    for name, (column, tables) in NORMS.items():
        expected = [(id_, str(letters(form))) for id_, form in words(tables, column)]
        if [(row["id"], row["length"]) for row in rows(name)] != expected:
            wrong.append(name)
    return wrong


def letters(form: str) -> int:
    return sum(map(str.isalpha, form))


def write() -> None:
    from pocketsphinx import Config, LogMath, NGramModel, get_model_path

    logarithm = LogMath()
    model = NGramModel(Config(), logarithm, get_model_path("en-us/en-us.lm.bin"))

    def zipf(form: str) -> str:
        rarest = min(float(logarithm.log_to_log10(model.prob([word]))) + 9 for word in form.lower().split())
        return f"{rarest:.2f}" if rarest > 0 else "-"

    for name, (column, tables) in NORMS.items():
        lines = ["id\tfreq\tlength"]
        lines += [f"{id_}\t{zipf(form)}\t{letters(form)}" for id_, form in words(tables, column)]
        (LEXICON / name).write_text("\n".join(lines) + "\n", "utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; say which tables are not up to date")
    if not parser.parse_args().check:
        write()
    wrong = stale()
    print("\n".join(f"{name}: run python scripts/norms.py" for name in wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
