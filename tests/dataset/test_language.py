"""A second language: its sentences, the gates and the baselines follow its file, and nothing of English is left."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from projects import HEAD, PLAIN, TOY_GRAMMAR, toy, write
from score.conftest import order
from support.recogniser import Recogniser

from gramprobe.baselines.rules import RULES
from gramprobe.baselines.views import tokens_of
from gramprobe.certify.charts import Charts
from gramprobe.compiled.from_resolve import compiled
from gramprobe.dataset.read import read
from gramprobe.dataset.verify.verify import verify
from gramprobe.language import Language, english
from gramprobe.project import Project, load
from gramprobe.records import Scored
from gramprobe.score.engines.ngram import KIND
from gramprobe.score.engines.rule import rule_engine
from gramprobe.score.model import Wanted
from gramprobe.score.modes import MODES
from gramprobe.score.request import Classify
from gramprobe.score.results import read_scores
from gramprobe.score.run import score
from gramprobe.score.source import Table
from gramprobe.source.diagnostic import AuthoringError, UsageError

SABIR = """
code = "pml"
ends = ["!", "."]
finals = ["!"]
marks = [";", "!", "."]
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


@pytest.mark.slow
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
    assert reasons(tmp_path, wrong, 'code = "pml"\njoiner = "_"\nmarks = ["."]\n') == ""


def test_letters_say_how_a_word_without_the_column_begins() -> None:
    articles = english().articles
    assert articles is not None
    words = ("van", "apple", "European", "once-over", "owl", "hour", "unit", "uncle", "x-ray")
    assert [articles.by_letters(word) for word in words] == ["c", "v", "c", "c", "v", None, None, None, None]


def test_signs_may_stand_before_the_capital() -> None:
    assert english().capitalised("¿duerme?") == "¿Duerme?"
    assert english().capitalised("'and', he said") == "'And', he said"
    assert english().capitalised("ǆamija") == "ǅamija"
    assert english().capitalised("3 boys") == "3 boys"


def test_names_have_any_letter_in_one_form_of_unicode(tmp_path: Path) -> None:
    """Also where an editor writes letters and accents apart (NFD), and in what verify reads again."""
    project(tmp_path, GRAMMAR.replace("Kind", "Clé"))
    for file in (tmp_path / "lexicon/kinds.tsv", tmp_path / "grammars/toy/one.paradigm"):
        text = file.read_text("utf-8").replace("newt", "né").replace("Kind", "Clé")
        file.write_text(unicodedata.normalize("NFD", text), "utf-8")
    made = load(tmp_path)
    (built,) = made.build("toy/one", tmp_path / "out", everything=True)
    rows = read(built.folder).rows("one")
    assert any(".né/" in row["id"] for chunk in rows for row in chunk.to_pylist())
    assert not verify(built.folder, made.declarations).problems.count
    assert "language: [pml]" in built.folder.joinpath("README.md").read_text("utf-8")


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
    engine = rule_engine(RULES["negation"])
    (answer,) = engine.answer([Classify("el Uma tener!", "el Uma tener non!", language=language)])[0]
    assert answer.values.index(max(v for v in answer.values if v is not None)) == 2
    assert RULES["verbs"].says("Uma knows that it rains.", "It rains.") == "entailment"
    assert RULES["verbs"].says("Uma knows that it rains.", "It rains.", language) is None
    assert tokens_of("un newt", language) == ("uno", "newt") != tokens_of("un newt")


@pytest.fixture
def both(tmp_path: Path) -> Path:
    """A dataset whose first paradigm is in English and whose second is not."""
    project(tmp_path)
    text = HEAD.format(name="two").replace("uses   toy", "uses   sabir") + PLAIN
    write(
        tmp_path, {"grammars/toy.gram": TOY_GRAMMAR, "grammars/sabir.gram": GRAMMAR, "grammars/toy/two.paradigm": text}
    )
    (built,) = load((tmp_path,)).build("toy", tmp_path / "out", everything=True)
    dataset = read(built.folder)
    assert [dataset.language(name).code for name in ("one", "two")] == ["en", "pml"]
    return built.folder


def test_a_rule_reads_each_paradigm_in_its_own_language(both: Path, tmp_path: Path) -> None:
    score(order(both, "rule:negated_hypothesis", tmp_path / "s"))
    rows = read_scores(tmp_path / "s").table().to_pylist()
    said = {(row["item"].split("/")[1], row["contradiction"] == 0) for row in rows}
    assert said == {("one", True), ("two", True)}  # "has no" in the one, "tener non" in the other


def test_a_baseline_that_does_not_know_a_language_says_so(both: Path, tmp_path: Path) -> None:
    for rule in ("rule:verbs", "rule:persons"):
        with pytest.raises(UsageError, match="it knows the words of `en` alone, and `two` is in `pml`") as error:
            score(order(both, rule, tmp_path / "s"))
        assert error.value.code == "E91"


def test_an_ngram_model_is_of_one_language_and_takes_ends_of_sentences_from_it(tmp_path: Path) -> None:
    sabir = msgspec.convert({"code": "pml", "ends": ["!"]}, Language)
    (tmp_path / "corpus.txt").write_text("uno newt!\n", "utf-8")
    given = order(tmp_path, f"ngram:{tmp_path / 'corpus.txt'}", tmp_path / "s")

    def opened(**languages: Language | None) -> Any:
        tables = {
            name: Table(name, "pairs", Scored.of(), (), language=language) for name, language in languages.items()
        }
        source: Any = SimpleNamespace(tables=tables)
        return KIND.open(str(tmp_path / "corpus.txt"), Wanted(given, source, MODES["minimal_pair"], tuple(tables)))

    with pytest.raises(UsageError, match="a corpus is in one language, and the paradigms are in en, pml"):
        opened(one=None, two=sabir)
    with pytest.raises(UsageError, match="`one` is in a language without"):
        opened(one=msgspec.structs.replace(sabir, joiner=""))
    assert (opened(one=sabir).engine._model.stops, opened(one=None).engine._model.stops) == (("!",), (".", "?", "!"))


@pytest.mark.parametrize("model", ["rule:overlap", "reader:bag", "vectors:vectors.txt"])
def test_a_language_without_spaces_is_not_cut_into_words_by_them(model: str, tmp_path: Path) -> None:
    grammar = GRAMMAR.replace('sentence S "!"', 'sentence S "。"')
    language = 'code = "zz"\njoiner = ""\nfinals = ["。"]\nmarks = ["。"]\n'
    (built,) = project(tmp_path, grammar, language).build("toy/one", tmp_path / "out", everything=True)
    with pytest.raises(UsageError, match="`one` is in a language without") as error:
        score(order(built.folder, model, tmp_path / "s"))
    assert error.value.code == "E91"


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


@pytest.mark.slow
def test_a_file_of_that_name_replaces_the_shipped_english(tmp_path: Path) -> None:
    (tmp_path / "languages").mkdir()
    (tmp_path / "languages" / "english.toml").write_text('code = "en"\nends = ["."]\nmarks = ["."]\n', "utf-8")
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


def test_a_sign_that_begins_a_word_is_cut_off_as_the_kernel_does() -> None:
    language = Language(code="xx", ends=("!", "."), marks=("!", ".", ","), clitics=("'s",))
    kernel = Charts.__new__(Charts)
    kernel._language = {name: getattr(language, name) for name in ("marks", "ends", "joiner", "clitics")}
    for text, tokens in (
        ("!'s", ["!", "'s"]),
        (".5 a.b.", [".", "5", "a.b", "."]),
        ("a,!b's", ["a", ",", "!", "b", "'s"]),
    ):
        assert language.tokens(text) == [*kernel._cut(text)] == tokens


def test_tokens_of_languages_that_write_no_spaces() -> None:
    assert Language(code="xx", joiner="", marks=("。",)).tokens("大犬が 寝る。") == list("大犬が寝る。")
    assert Language(code="xx", joiner="·", marks=("!",)).tokens("uno·newt!") == ["uno", "newt", "!"]
    assert Language(code="xx", joiner="--", marks=("!",)).tokens("sub-uno--newt!") == ["sub-uno", "newt", "!"]


UNSPACED = {
    "languages/signs.toml": 'code = "zz"\njoiner = ""\nends = ["。"]\nfinals = ["。"]\nmarks = ["。"]\n',
    "lexicon/sign_things.tsv": "id\tword\tkind\ncat\t猫\tsmall\nhorse\t大馬\tbig\ncow\t牛\tbig\n",
    "lexicon/sign_acts.tsv": "id\tword\nsee\t見る\nbuy\t買う\n",
    "grammars/signs.gram": """language signs
feature kind = small | big
cat Thing[kind] : e -> t from sign_things.tsv word word
cat Act : e -> t from sign_acts.tsv word word
cat Counted[kind] : (e -> t) -> t
cat S : t
sentence S "。"
constraint agree dn = Thing.kind
table counter[kind] small "匹" | big "大頭"
fun One (head n: Thing) : Counted
  lin "一" counter(n.kind) n
  sem \\P. exists x. (n(x), P(x))
fun Say (o: Counted, v: Act) : S
  lin o "を" v
  sem o(v)
""",
    "grammars/counted/counters.paradigm": """paradigm counters
about "A counter agrees with its noun."
source "a test"
uses signs
task minimal_pair
size all
draw n : Thing
draw v : Act
good
  fits = Say(One(n), v)
bad
  clashes = fits breaking agree dn
constraint agree dn
unique repair
""",
}


def unspaced(folder: Path, **claims: str) -> Project:
    for name, text in UNSPACED.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text + (claims.get(Path(name).stem, "")), "utf-8")
    return load(folder)


def test_sentences_without_spaces_are_read(tmp_path: Path) -> None:
    reader = unspaced(tmp_path).reader(["signs"], theory="classical")
    (reading,) = reader.read("一大頭大馬を見る。").readings
    assert reading.term == "Say(One(horse), see)"
    assert reader.read("一大頭大馬を").reached == "一大頭大馬を"
    assert [*reader.read("一匹犬を見る。").unknown] == ["犬"]


def test_minimal_pairs_without_spaces_are_judged_by_their_characters(tmp_path: Path) -> None:
    (built,) = unspaced(tmp_path).build("counted", tmp_path / "out")
    (rows,) = read(built.folder).rows("counters", ["sentence_good", "sentence_bad", "critical"], batch_size=100)
    assert {"sentence_good": "一匹猫を買う。", "sentence_bad": "一大頭猫を買う。", "critical": 0} in rows.to_pylist()
    elsewhere = load(tmp_path / "out").declarations  # without the sources (E53) the kernel checks each row by itself
    assert set(verify(built.folder, elsewhere).problems.by_code) == {"E53"}
    grammar = Recogniser((built.folder / "grammar.json").read_bytes())
    assert all(grammar.accepts(row["sentence_good"]) for row in rows.to_pylist())
    assert not any(grammar.accepts(row["sentence_bad"]) for row in rows.to_pylist())


def test_words_that_no_space_tells_apart_are_not_counted(tmp_path: Path) -> None:
    for claim in ("one word", "same words"):
        with pytest.raises(AuthoringError, match=f"`{claim}` does not hold of `clashes`: this language writes no"):
            unspaced(tmp_path, counters=f"{claim}\n").build("counted", tmp_path / "out")
