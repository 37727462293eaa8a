"""A second language: its sentences, the gates and the baselines follow its file, and nothing of English is left."""

from __future__ import annotations

from pathlib import Path

import pytest
from projects import PLAIN, TOY_GRAMMAR, toy

from gramprobe.baselines.rules import RULES
from gramprobe.baselines.seen import tokens_of
from gramprobe.compiled.from_resolve import compiled
from gramprobe.dataset.read import read
from gramprobe.language import Language, english
from gramprobe.project import Project
from gramprobe.score.engines.rule import rule_engine
from gramprobe.score.request import Classify
from gramprobe.score.source import DatasetSource
from gramprobe.source.diagnostic import AuthoringError

SABIR = """
code = "pml"
ends = ["!"]
finals = ["!"]
marks = [";", "!"]
repeated = ["bon"]
clitics = ["-lo"]
negations = ["non"]

[articles]
column = "onset"
words = { uno = "c", un = "v" }

[alike]
un = "uno"
"""
GRAMMAR = "language sabir\n" + TOY_GRAMMAR.replace('"has no"', '"tener non"').replace('"has"', '"tener"').replace(
    'v "an" | c "a"', 'v "un" | c "uno"'
).replace('sentence S "."', 'sentence S "!"').replace("w \"tener", "\"el\" w \"tener")  # fmt: skip


def project(folder: Path, grammar: str = GRAMMAR, language: str = SABIR) -> Project:
    (folder / "languages").mkdir()
    (folder / "languages" / "sabir.toml").write_text(language, "utf-8")
    return toy(folder, PLAIN, grammar=grammar)


def reasons(folder: Path, grammar: str, language: str = SABIR) -> str:
    """What the gates say of a grammar; empty if they let it pass."""
    try:
        project(folder, grammar, language).build("toy/one", folder / "out", everything=True)
    except AuthoringError as error:
        return " ".join(d.message for d in error.diagnostics)
    return ""


def test_its_sentences_are_written_as_its_file_says(tmp_path: Path) -> None:
    rows = project(tmp_path).paradigm("toy/one").sample(12).to_pylist()
    assert {"el Uma tener uno newt!", "el Vito tener un owlet!"} <= {row["premise"] for row in rows}
    assert {"el Uma tener non newt!"} <= {row["hypothesis"] for row in rows}


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('S "!"', 'S "."', "sentences do not end in one `!`"),
        ('"el" w "tener" article(k.onset)', '"el" w "tener uno"', "articles do not fit"),
        ('"tener non"', '"tener non non"', "double a word"),
        ('"tener non"', '"tener bon bon non"', ""),
        ('"tener non"', '"tener ; non"', "a space before a punctuation mark"),
        ('"tener non"', '"tener , a a- owlet non"', ""),  # an English mark and article
    ],
)
def test_the_gates_look_for_what_its_file_names(tmp_path: Path, old: str, new: str, reason: str) -> None:
    assert old in GRAMMAR
    found = reasons(tmp_path, GRAMMAR.replace(old, new))
    assert (reason in found) if reason else not found


def test_a_gate_checks_nothing_that_a_language_does_not_name(tmp_path: Path) -> None:
    wrong = GRAMMAR.replace('S "!"', 'S "."').replace("article(k.onset)", '"uno"')
    wrong = wrong.replace("tener non", "tener  ; non non")
    assert reasons(tmp_path, wrong, 'code = "pml"\njoiner = "_"\n') == ""


def test_baselines_read_its_words_from_the_dataset(tmp_path: Path) -> None:
    (made,) = project(tmp_path).build("toy/one", tmp_path / "out", everything=True)
    dataset = read(made.folder)
    language = dataset.language("one")
    assert (language.code, language.negations) == ("pml", ("non",))
    assert made.manifest["sources"]["languages/sabir.toml"]["from"] == "own"
    negated = RULES["negated_hypothesis"]
    rows = next(dataset.rows("one")).to_pylist()
    assert {negated.says(row["premise"], row["hypothesis"], language) for row in rows} == {"contradiction"}
    assert negated.says("el Uma tener uno newt!", "el Uma tener non newt!") == "entailment"  # if it were English
    engine = rule_engine("negation", DatasetSource(made.folder).tables["one"].language)
    (answer,) = engine.answer([Classify("el Uma tener!", "el Uma tener non!")])[0]
    assert answer.values.index(max(v for v in answer.values if v is not None)) == 2
    assert RULES["verbs"].says("Uma knows that it rains.", "It rains.") == "entailment"
    assert RULES["verbs"].says("Uma knows that it rains.", "It rains.", language) is None
    assert tokens_of("un newt", language) == ("uno", "newt") != tokens_of("un newt")


def test_the_compiled_grammar_has_its_tokens(tmp_path: Path) -> None:
    grammar = project(tmp_path, GRAMMAR.replace('"tener non"', '"tener non; dir-lo"')).paradigm("toy/one").grammar
    made = compiled(grammar)
    assert made.language == grammar.language != english()
    tokens = {d for production in made.productions for d in production.daughters if isinstance(d, str)}
    assert {";", "dir", "-lo"} <= tokens


def test_english_is_the_language_of_whoever_names_none(tmp_path: Path) -> None:
    plain = toy(tmp_path, PLAIN)
    assert plain.paradigm("toy/one").grammar.language == english()
    (made,) = plain.build("toy/one", tmp_path / "out", everything=True)
    assert made.manifest["sources"]["languages/english.toml"]["from"] == "shipped"
    assert '"language"' not in (made.folder / "design.json").read_text("utf-8")
    assert read(made.folder).language("one") is english()


def test_a_file_of_that_name_replaces_the_shipped_english(tmp_path: Path) -> None:
    (tmp_path / "languages").mkdir()
    (tmp_path / "languages" / "english.toml").write_text('code = "en"\nends = ["."]\n', "utf-8")
    grammar = TOY_GRAMMAR.replace('lin w "has" article', 'lin "the" w "has" article')
    rows = toy(tmp_path, PLAIN, grammar=grammar).paradigm("toy/one").sample(2).to_pylist()
    assert all(row["premise"].startswith("the ") for row in rows)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Jo's dog didn't bark.", ["Jo", "'s", "dog", "did", "n't", "bark", "."]),
        ("at 5 p.m. today, ok", ["at", "5", "p.m", ".", "today", ",", "ok"]),
    ],
)
def test_tokens(text: str, tokens: list[str]) -> None:
    assert english().tokens(text) == tokens
    assert Language(code="xx").tokens("Jo's, no.") == ["Jo's,", "no."]
