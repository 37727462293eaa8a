"""Write lexicon/verbs_as_nouns.tsv: the shipped verbs that WordNet has as nouns, too (*a yawn*, *the walks*).

    scripts/verbs_as_nouns.py FOLDER     with WordNet's `index.noun` (Debian: wordnet-base, /usr/share/wordnet)

A noun is spelt as the verb's base form, its plural as the form with *-s*.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TABLES = ("*intransitives.tsv", "*transitives.tsv")
#: words that no set draws
#: nouns with a vowel that is spoken as a consonant
CONSONANT = ("use", "unit", "euro")


def main(folder: Path) -> None:
    """Write the table. ``folder``: where WordNet's database is."""
    lines = (folder / "index.noun").read_text("utf-8").splitlines()
    known = {line.split(" ", 1)[0] for line in lines if not line.startswith(" ")}
    words: dict[str, tuple[str, str]] = {}
    own: set[str] = set()
    for table in sorted((ROOT / "lexicon").glob("*.tsv")):
        if table.name.startswith("text_"):  # words that no set draws
            continue
        with table.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t"):
                if any(table.match(pattern) for pattern in TABLES) and row.get("s"):
                    words[row["base"]] = row["base"], row["s"]
                elif row.get("sg"):
                    own.add(row["sg"])
    with (ROOT / "lexicon" / "verbs_as_nouns.tsv").open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, delimiter="\t", lineterminator="\n")
        out.writerow(["id", "sg", "pl", "class", "onset", "sort", "isa"])
        for base, (singular, plural) in sorted(words.items()):
            if base in known and singular not in own:
                onset = "v" if base[0] in "aeiou" and not base.startswith(CONSONANT) else "c"
                out.writerow([f"a_{base}", singular, plural, "deed", onset, "thing", "-"])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
