"""The findings of a study as files: each table in five forms, each figure as SVG and PDF."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from gramprobe.analysis.findings import Figure, Findings
from gramprobe.analysis.output.latex import latex
from gramprobe.analysis.output.look import PLAIN, Look
from gramprobe.analysis.output.writers import as_json, comma_separated, html, markdown
from gramprobe.folders import put_whole


def write(found: Findings, folder: Path, look: Look = PLAIN) -> list[Path]:
    """Write the findings into a folder of the study's name, and return the files.

    `findings.md` has all tables with the warnings; beside it every table as `NAME.md`, `.html`, `.tex`, and unrounded
    as `.csv` and `.json`, and every figure as `NAME.svg` and `.pdf`. Each file is put in place whole. Raises OSError.
    """
    place = folder / found.study
    place.mkdir(parents=True, exist_ok=True)
    files = {"findings.md": page(found)}
    for table in (*found.tables, *found.details):
        files |= {f"{table.name}{ending}": form(table) for ending, form in FORMS.items()}
        files[f"{table.name}.tex"] = latex(table, look.columns)
    for name, text in files.items():
        put_whole(place / name, partial(Path.write_text, data=text, encoding="utf-8"))
    written = [place / name for name in files]
    return written + (write_figures(found.figures, place, look) if found.figures else [])


def write_figures(drawn: Sequence[Figure], place: Path, look: Look = PLAIN) -> list[Path]:
    """Write figures into a folder, and return the files. Raises OSError."""
    from gramprobe.analysis.output import figures

    place.mkdir(parents=True, exist_ok=True)
    written = []
    with figures.looking(look):
        for each in drawn:
            figure = each.draw()
            for ending in (".svg", ".pdf"):
                written.append(place / f"{each.name}{ending}")
                put_whole(written[-1], partial(figures.write, figure, ending=ending))
    return written


FORMS = {".md": markdown, ".html": html, ".csv": comma_separated, ".json": as_json}


def page(found: Findings) -> str:
    """All tables as one Markdown page."""
    lines = [f"# {found.title}", ""]
    lines += [f"> {warning}\n" for warning in found.warnings]
    lines += [markdown(table) for table in found.tables]
    lines += [f"![{figure.text}]({figure.name}.svg)\n\n{figure.caption}\n" for figure in found.figures]
    lines += [f"Not shown: {sentence}\n" for sentence in found.omitted]
    if found.details:
        lines += ["## In detail", "", *(markdown(table) for table in found.details)]
    return "\n".join(lines)
