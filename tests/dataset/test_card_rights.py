"""The card claims of language, licence and citation what the paradigms' files say, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

import gramprobe

BASE = Path(__file__).resolve().parents[1] / "errors" / "base"
GOOD = (BASE / "grammars/small/good.paradigm").read_text("utf-8")


def header_and_rights(folder: Path, lines: dict[str, str]) -> tuple[list[str], list[str]]:
    """Of the card of some paradigms: the lines `language` and `license` of its header, and what it says below."""
    for name, text in lines.items():
        file = folder / f"grammars/mine/{name}.paradigm"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(GOOD.replace("paradigm good", f"paradigm {name}") + text, "utf-8")
    (built,) = gramprobe.load([BASE, folder], names=["mine"]).build("mine", out=folder / "out", n=1)
    card = (built.folder / "README.md").read_text("utf-8")
    header, _, text = card.removeprefix("---\n").partition("\n---\n")
    claims = [line for line in header.split("\n") if line.startswith(("language:", "license:"))]
    rights = text.partition("\n## Licence and citation\n\n")[2].partition("\n\n")[0]
    return claims, rights.split("\n") if rights else []


LANGUAGE, MIT = "language en\n", 'licence "MIT"\n'
AUTHORS = 'author "Ada Lovelace", "Charles Babbage"\ncite "Lovelace 1843"\ncite "Babbage 1864"\n'


@pytest.mark.slow
@pytest.mark.parametrize(
    ("one", "other", "claims", "rights"),
    [
        ("", "", [], []),
        (
            LANGUAGE + MIT + AUTHORS,
            LANGUAGE + MIT,
            ["language: [en]", "license: mit"],
            [
                "- Licence: MIT",
                "- Authors: Ada Lovelace (one)",
                "- Authors: Charles Babbage (one)",
                "- Please cite: Lovelace 1843 (one)",
                "- Please cite: Babbage 1864 (one)",
            ],
        ),
        (
            'language fr, pt-BR\nlicence "CC BY 4.0"\n',
            LANGUAGE + MIT,
            ["language: [fr, pt-BR, en]", "license: other"],
            ["- Licence: CC BY 4.0 (one)", "- Licence: MIT (two)"],
        ),
        (MIT, "", ["license: other"], ["- Licence: MIT (one)"]),
        (*['licence "CC BY 4.0"\n'] * 2, ["license: cc-by-4.0"], ["- Licence: CC BY 4.0"]),
        (*['licence "ask my aunt"\n'] * 2, ["license: other"], ["- Licence: ask my aunt"]),
    ],
    ids=["nothing", "whole", "differing", "partly", "known", "unknown"],
)
def test_the_card_says_what_the_files_say(
    one: str, other: str, claims: list[str], rights: list[str], tmp_path: Path
) -> None:
    assert header_and_rights(tmp_path, {"one": one, "two": other}) == (claims, rights)


def test_a_condition_may_be_called_like_one_of_these_lines(tmp_path: Path) -> None:
    text = GOOD.replace("paradigm good", "paradigm mine").replace("said ", "author ").replace("other ", "language ")
    text = text.replace("any => other", "any => language")
    file = tmp_path / "grammars/mine/mine.paradigm"
    file.parent.mkdir(parents=True)
    file.write_text(text, "utf-8")
    declared = gramprobe.load([BASE, tmp_path]).paradigm("mine/mine").declared
    assert list(declared.conditions) == ["author", "denied", "language"]


def test_shipped_paradigms_say_their_language_licence_and_paper() -> None:
    paradigms = gramprobe.load(path=[]).declarations.paradigms
    assert {(p.languages, p.licence) for p in paradigms.values()} == {(("en",), "MIT")}
    papers = {cite.partition(":")[0] for p in paradigms.values() for cite in p.cite}
    assert len(papers) == 9
    assert all(p.cite for p in paradigms.values() if p.phenomenon != "theory_of_mind")
