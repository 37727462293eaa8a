"""`make site`: the documentation as a site, in `site/`, which any web server or a browser alone can show.

The pages are those of the repository, as they are, in the same folders, so that their links hold. Two things that the
Markdown of the site reads otherwise than that of GitHub are said otherwise in a copy: the name of a block of code that
is a file, and bars in the code of a table. The menu is that of docs/index.md. A link or an anchor that leads nowhere is
an error. Nothing is loaded from elsewhere.

    make site
    scripts/site.py --out /tmp/site
"""

from __future__ import annotations

import argparse
import io
import logging
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from wrap_docs import ROOT, pages

START = "README.md"
INDEX = "docs/index.md"
STYLE = "site.css"
WRAPPED = ".wy-table-responsive table td, .wy-table-responsive table th { white-space: normal; }\n"
"""The theme would leave each cell of a table on one line."""
_FILE = re.compile(r"^(`{3,})(\w+) +([^`\n]+)$", re.MULTILINE)
_ROW = re.compile(r"^\|.*$", re.MULTILINE)
_CODE = re.compile(r"`[^`\n]+`")
_TARGET = re.compile(r"\]\(([^)#:\s]+)[^)]*\)")
_LINK = re.compile(r"\[([^\]]+)\]\(([^)#\s]+\.md)[^)]*\)")


def anchor(heading: str, separator: str) -> str:
    """The name by which a heading is linked to, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", separator)


def said_otherwise(text: str) -> str:
    """A page in the Markdown of the site: the name of a file stands above it, bars in the code of a table are bars."""
    named = _FILE.sub(r"`\3`:\n\n\1\2", text)
    return _ROW.sub(lambda row: _CODE.sub(lambda code: code[0].replace(r"\|", "|"), row[0]), named)


def copied(folder: Path) -> None:
    """Write the pages, and the files that they link to, into a folder."""
    waiting = pages()
    for file in waiting:
        place = folder / file.relative_to(ROOT)
        place.parent.mkdir(parents=True, exist_ok=True)
        if file.suffix != ".md":
            shutil.copy(file, place)
            continue
        text = file.read_text("utf-8")
        place.write_text(said_otherwise(text), "utf-8")
        linked = {(file.parent / link).resolve() for link in _TARGET.findall(text)}
        waiting += [other for other in sorted(linked) if other.is_file() and other not in waiting]


def menu(index: str) -> list[dict[str, Any]]:
    """The entries of the menu: each section of the index that lists pages, with those that no section has before."""
    entries: list[dict[str, Any]] = [{"Start": START}, {"All pages": INDEX}]
    seen = {START, INDEX}
    for section in index.split("\n## ")[1:]:
        heading, _, text = section.partition("\n")
        within = [entry for entry in _listed(text) if not seen & set(entry.values())]
        seen.update(page for entry in within for page in entry.values())
        if within:
            entries.append({heading: within})
    return entries


def _listed(text: str) -> Iterator[dict[str, str]]:
    """Name -> page, for each page that the items of a list link to."""
    for item in re.split(r"^- ", text, flags=re.MULTILINE)[1:]:
        for name, link in _LINK.findall(item):
            page = (ROOT / "docs" / link).resolve().relative_to(ROOT).as_posix()
            title = (ROOT / page).read_text("utf-8").partition("\n")[0].removeprefix("# ").replace("`", "")
            yield {title if name.isdigit() else name: page}


def settings(pages: Path, out: Path) -> dict[str, Any]:
    """What MkDocs is told."""
    checks = dict.fromkeys(("not_found", "absolute_links", "unrecognized_links", "anchors"), "warn")
    return {
        "site_name": "gramprobe",
        "site_url": "",
        "docs_dir": str(pages),
        "site_dir": str(out),
        "theme": {"name": "readthedocs", "highlightjs": False, "navigation_depth": 2},
        "extra_css": [STYLE],
        "nav": menu((ROOT / INDEX).read_text("utf-8")),
        "markdown_extensions": ["sane_lists", {"toc": {"slugify": anchor}}],
        "validation": {"links": checks, "nav": {"omitted_files": "warn", "not_found": "warn"}},
        "use_directory_urls": False,  # a browser alone opens a file, not a folder
        "strict": True,
    }


def main() -> int:
    from mkdocs.commands.build import build
    from mkdocs.config import load_config
    from mkdocs.exceptions import Abort

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=ROOT / "site")
    options = parser.parse_args()
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s: %(message)s")
    with tempfile.TemporaryDirectory() as folder:
        copied(Path(folder))
        (Path(folder) / STYLE).write_text(WRAPPED, "utf-8")
        try:
            build(load_config(io.BytesIO(), **settings(Path(folder), options.out.resolve())))
        except Abort as stopped:
            print(stopped, file=sys.stderr)
            return 1
    print(f"{options.out}: {len(list(options.out.rglob('*.html')))} pages; open {options.out / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
