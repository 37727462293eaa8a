"""Write the tables of the parsers that come with the package (`gramprobe.syntax.parser`).

To be run after a change of a Lark file, or with another version of Lark in `constraints.txt`; a test says so, which
compares the tables with those of the Lark files.
"""

from __future__ import annotations

from gramprobe.syntax.parser import LANGUAGES, tables_file, tables_text


def main() -> None:
    """Write the file of each language."""
    for suffix in LANGUAGES:
        tables_file(suffix).write_bytes(tables_text(suffix))


if __name__ == "__main__":
    main()
