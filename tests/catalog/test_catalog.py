"""The grammars can be searched, and every constructor has an example sentence."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from support import shipped

from gramprobe.catalog.entries import entries, modules, named
from gramprobe.catalog.example import example
from gramprobe.catalog.notation import WORDS
from gramprobe.catalog.pages import grammar_around
from gramprobe.catalog.terms import tree_of
from gramprobe.cli.main import main
from gramprobe.formula.lexer import QUANTIFIERS
from gramprobe.resolve.tree import Apply, nodes
from gramprobe.source.diagnostic import AuthoringError
from gramprobe.space import network
from gramprobe.words.linearise import sentence_of

FOLDERS = ("english", "scope", "de_re_de_dicto")
#: they stand in a sentence only with words that no shipped scale has, or with what a deep part of it carries
#: or asks for, or are no part of one
WITHOUT = {
    "Asked",
    "Each",
    "Reflexive",
    "Trace",
    "WhAsk",
    "BareSaid",
    "DoStrong",
    "IsStrong",
    "NotOdd",
    "OddPerception",
    "OddReport",
    "OfGenders",
    "VerbSaid",
}


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out + captured.err


#: where each sixth of the constructors of a folder begins; `make test` takes two
SIXTHS = [pytest.param(start, marks=() if start in (2, 5) else pytest.mark.deep) for start in range(6)]


@pytest.mark.slow
@pytest.mark.parametrize("start", SIXTHS)
@pytest.mark.parametrize("folder", FOLDERS)
def test_every_constructor_has_an_example_with_itself_in_it(folder: str, start: int) -> None:
    """In two sixths of English are constructors of each kind: `Bare` is in a sentence at once, `Floated` in one whose
    parts are not the shortest, `WhAsk` in none."""
    grammar = shipped.grammar(folder)
    for constructor in list(grammar.constructors.values())[start::6]:
        made = example(constructor, grammar)
        if made is None:
            assert constructor.name in WITHOUT
            continue
        assert any(isinstance(n, Apply) and n.constructor.name == constructor.name for n in nodes(made.tree))
        assert sentence_of(tree_of(made.term, grammar), grammar) == made.sentence
        assert (
            made.sentence[-1] in ".?,"
        )  # a text that another one continues ends in a comma, and that one begins small
        assert made.sentence[0].isupper() or constructor.result == "After"


@pytest.mark.slow
def test_an_example_keeps_the_conditions_of_the_grammar() -> None:
    grammar = shipped.grammar("english")
    transitive = grammar.constructors["Transitive"]
    for seed in range(20):
        made = example(transitive, grammar, seed)
        assert made is not None
        (node,) = [n for n in nodes(made.tree) if isinstance(n, Apply) and n.constructor is transitive]
        verb = grammar.categories["V2"].by_id[node.arguments[0].value]  # type: ignore[union-attr]
        assert "named" in verb.columns["object"]  # type: ignore[operator]


def test_a_declaration_is_found_with_its_text_and_comment() -> None:
    lines = shipped.declarations().lines
    (entry,) = named(lines, "OnlyDo")
    assert (entry.module, entry.type) == ("english.focus", "(b: before, head a: Predicate, o: NP) : VP")
    assert entry.about.startswith("Horn 1969")
    assert entry.text.startswith("fun OnlyDo") and entry.text.endswith("a(x, z)))")
    folder = {"scope.paraphrases", "scope.followups", "scope.disjunctions", "scope.handovers"}
    assert {e.module for e in entries(lines, "scope")} == folder
    assert grammar_around("english.focus", shipped.declarations()).constructors.keys() >= {"OnlyDo", "Clause", "Told"}
    assert "english.tense" in modules(lines, "english")


def test_the_whole_of_english_is_one_grammar() -> None:
    """No two shipped files exclude each other."""
    whole, lines = shipped.grammar(*FOLDERS), shipped.declarations().lines
    declared = len(whole.constructors) + len(whole.definitions)
    assert declared == sum(len(entries(lines, folder, ("constructor",))) for folder in FOLDERS)


def test_lists(capsys: pytest.CaptureFixture[str]) -> None:
    code, text = run(capsys, "list", "--constructors", "english.determiners")
    assert code == 0
    assert "Every (head n: N) : NP" in text
    code, text = run(capsys, "list", "--constructors", "english", "VP", "--json")
    assert code == 0
    assert {d["module"] for d in json.loads(text)["declarations"]} >= {"english.focus", "english.attitudes"}
    code, text = run(capsys, "list", "--words", "N", "--where", "class=pet", "--where", "isa!=-")
    assert code == 0
    assert "kitten\tkitten\tkittens\tpet\tc\tanimal\tcat" in text and "chair" not in text
    code, text = run(capsys, "list", "--features", "english.change")
    assert code == 0
    assert "era any | gone" in text
    code, text = run(capsys, "list", "--modules", "english")
    assert code == 0
    assert "english.focus" in text
    assert " 1 constructor   Focus" in text and " 1 constructors" not in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("list", "--words", "Nn"), "no category named `Nn`"),
        (("list", "--words", "NP"), "category NP has no words"),
        (("list", "--words", "N", "--where", "clas=pet"), "did you mean `class`?"),
        (("list", "--words", "N", "--where", "class=pets"), "did you mean `pet`?"),
        (("list", "--words", "N", "--features"), "one list at a time"),
        (("list", "--constructors", "englsh"), "did you mean `english`?"),
        (("list", "--constructors", "english", "Npp"), "no category named `Npp`"),
        (("list", "english"), "`english` belongs to another list"),
        (("list", "--features", "a", "b"), "`b` is one name too many"),
    ],
)
def test_a_wrong_list(arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, text = run(capsys, *arguments)
    assert code == 2
    assert message in text


def test_a_term_is_said_with_its_readings(capsys: pytest.CaptureFixture[str]) -> None:
    term = "Neg(Clause(past, Universal(every, student), Intransitive(apologize)))"
    code, text = run(capsys, "say", term, "--json")
    assert code == 0
    data = json.loads(text)
    assert [form["words"] for form in data["forms"]] == ["Every student didn't apologize."]
    assert [reading["id"] for reading in data["readings"]] == ["every > not", "not > every"]
    code, text = run(capsys, "say", "Clause(past, Name(amy), Intransitive(apologize))")
    assert code == 0
    assert "did Amy apologize   mode=asked" in text
    code, text = run(capsys, "say", "Clause()")
    assert (code, "is built of 3 parts (tense, NP, VP), and here is none" in text) == (1, True)
    code, text = run(capsys, "say", "Neg(amy)")
    assert code == 1
    assert "`amy` is a word of PN, and no constructor" in text and "help: write Name(amy)" in text


@pytest.mark.parametrize(
    ("term", "words", "chart", "without"),
    [
        (
            "ThereIsTo(then, supposed_to, Indefinite(one, cappuccino), o_at_the_meeting)",
            "There was supposed to be one cappuccino at the meeting.",
            [],
            ["ThereIsTo"],
        ),
        (
            "Assert(Clause(past, Name(amy), Transitive(blame, Reflexive(feminine, sg))))",
            "Amy blamed herself.",
            ["good: it has a tree"],
            ["Reflexive"],
        ),
        (
            "Assert(Clause(past, Name(amy), Transitive(blame, Trace(sg))))",
            "Amy blamed.",
            ["bad: repaired by lifting frame or gap", "no sentence goes on at word 2, `blamed`"],
            ["Trace"],
        ),
    ],
)
def test_a_sentence_without_a_meaning_is_said_with_what_has_none(
    term: str, words: str, chart: list[str], without: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    uses = ("--uses", "english.reflexives,english.raising")
    none = f"no meaning: the grammar gives `{without[0]}` none, so that there is no reading, label or formula"
    assert run(capsys, "say", term, *uses) == (0, "\n  ".join([words, *chart, none]) + "\n")
    data = json.loads(run(capsys, "say", term, *uses, "--json")[1])
    assert (data["readings"], data["without_meaning"]) == ([], without)
    code, text = run(capsys, "say", term.replace("Assert(", "Neg("), *uses, "--theory", "presupposition")
    assert (code, "no meaning" in text) == (0, True)


def test_a_term_that_no_paradigm_draws_is_said_with_the_condition(capsys: pytest.CaptureFixture[str]) -> None:
    term = "Assert(Clause(past, The({}), Intransitive(yawn)))"
    assert "no paradigm draws it" not in run(capsys, "say", term.format("nurse"))[1]
    code, text = run(capsys, "say", term.format("minivan"))
    assert code == 0
    assert "The minivan yawned.\n  no paradigm draws it: `where plausible: selects(v, s)` of `Clause` (" in text
    data = json.loads(run(capsys, "say", term.format("minivan"), "--json")[1])
    assert [each.partition(" (")[0] for each in data["undrawn"]] == ["`where plausible: selects(v, s)` of `Clause`"]


@pytest.mark.slow
def test_say_judges_what_something_must_license(capsys: pytest.CaptureFixture[str]) -> None:
    term = "Clause(past, Name(amy), Transitive(visit, Partitive({}, museum)))"
    text = run(capsys, "say", f"Assert({term.format('any')})")[1]
    assert "Amy visited any of the museums.\n  bad: repaired by lifting licence\n" in text
    assert "\n  good: it has a tree\n" in run(capsys, "say", f"Neg({term.format('any')})")[1]
    data = json.loads(run(capsys, "say", f"Assert({term.format('any')})", "--json")[1])
    assert data["judged"][0].startswith("bad: ")
    assert "judged" not in json.loads(run(capsys, "say", f"Assert({term.format('two')})", "--json")[1])


def test_a_term_with_too_many_parts_or_none(capsys: pytest.CaptureFixture[str]) -> None:
    code, text = run(capsys, "say", "Clause(past, Name(amy), Intransitive(sleep), once)")
    assert code == 1
    assert "here are 4 (past, NP, VP, once)" in text and "E02" not in text
    assert "this term is empty" in run(capsys, "say", " ")[1]


def test_a_name_that_nothing_has_is_not_called_a_paradigm(capsys: pytest.CaptureFixture[str]) -> None:
    code, text = run(capsys, "explain", "Clase")
    assert (code, "no paradigm, item or declaration named `Clase`; did you mean `Clause`?" in text) == (2, True)


def test_formulas_about_words_name_those_that_are_none(capsys: pytest.CaptureFixture[str]) -> None:
    said = "`slepe` is no word of the grammar, and nothing is known of it; did you mean `sleep`?"
    assert said in run(capsys, "decide", "--uses", "english", "slepe(amy)", "sleep(amy)")[1]
    assert "is no word" not in run(capsys, "decide", "--uses", "english", "sleep(amy)", "p")[1]
    assert "is no word" not in run(capsys, "decide", "slepe(amy)", "sleep(amy)")[1]


def test_a_mistake_in_a_term_has_its_place(capsys: pytest.CaptureFixture[str]) -> None:
    code, text = run(capsys, "say", "Assert(Clause(past, Name(emy), Intransitive(apologize)))")
    assert code == 1
    assert "(the command line):1:26: error[E02]" in text
    with pytest.raises(AuthoringError):
        tree_of("Assert(", shipped.grammar("english"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "term", "code"),
    [
        ("uses english\nblah blah\n", "Assert(Clause(past, Name(amy), Intransitive(sleep)))", "E39"),
        ("", "Assert(Clause(past, Name(amy), Intransitive(sleep)))", "E39"),
        (
            "uses english\nextend feature mode = doubted\nfun Doubt (c: Cl) : S\n  lin c[mode=doubted]\n  sem ~c\n",
            "Doubt(Clause(past, Name(amy), Intransitive(sleep)))",
            "E06",
        ),
    ],
)
def test_what_is_wrong_with_a_grammar_is_said_first(
    text: str, term: str, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "grammars").mkdir()
    (tmp_path / "grammars" / "odd.gram").write_text(text, "utf-8")
    status, printed = run(capsys, "say", "--uses", "odd", term)
    assert status == 1
    assert f"error[{code}]" in printed


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments", [("grammar", "english"), ("theory", "presupposition"), ("lexicon", "PN", "nouns")]
)
def test_a_new_file_replaces_no_shipped_one(
    arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    code, text = run(capsys, "new", *arguments)
    assert code == 2
    assert "shipped file" in text
    assert not list(tmp_path.iterdir())


def test_a_grammar_with_a_mistake_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "grammars").mkdir()
    text = 'uses english.clauses\nfun Odd (n: N) : S\n  lin "odd" n[num=sg]\n  sem n\n'
    (tmp_path / "grammars" / "odd.gram").write_text(text, "utf-8")
    code, printed = run(capsys, "say", "--uses", "odd", "Odd(cat)")
    assert code == 1
    assert "error[E07]" in printed


@pytest.mark.slow
def test_explained_declarations(capsys: pytest.CaptureFixture[str]) -> None:
    code, text = run(capsys, "explain", "Clause")
    assert code == 0
    assert "constructor of english.clauses" in text and "for example" in text
    assert main(["explain", "tense", "--json"]) == 0
    said = capsys.readouterr()  # a module has the name, too, which is said apart
    assert json.loads(said.out)["kind"] == "feature" and "is a feature, a module and a constraint" in said.err
    code, text = run(capsys, "explain", "puppy")
    assert code == 0
    assert "word of lexicon/nouns.tsv" in text and "isa: dog" in text
    code, text = run(capsys, "explain", "english.tense")
    assert code == 0
    assert "Tense, as auxiliaries" in text


def test_where_files_are(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "grammars").mkdir()
    code, text = run(capsys, "where", "--json", "--path", str(tmp_path))
    assert code == 0
    folders = json.loads(text)
    assert folders["own"] == [str(tmp_path.resolve())]
    assert (Path(folders["shipped"]) / "grammars" / "english" / "tense.gram").is_file()


@pytest.mark.parametrize(
    ("command", "check"),
    [
        (("grammar", "mine"), ("list", "--constructors", "mine")),
        (("theory", "mine"), ("decide", "--theory", "mine", "p & q", "p")),
        (("lexicon", "N", "mine"), ("list", "--words", "N", "mine")),
        (("sentences", "own/mine"), ("check", "own")),
    ],
)
def test_new_files_are_right_as_they_are(
    command: tuple[str, ...],
    check: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(capsys, "new", *command)[0] == 0
    code, text = run(capsys, *check)
    assert code == 0, text
    code, text = run(capsys, "new", *command)
    assert code == 2
    assert "exists already" in text


def test_a_new_study_of_sentences_is_the_one_that_the_documentation_explains(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(capsys, "new", "sentences", "reading/clauses")[0] == 0
    page = (Path(__file__).resolve().parents[2] / "docs/reading_times.md").read_text("utf-8")
    files = dict(re.findall(r"```(?:tsv|gram|paradigm) (\S+)\n(.*?)```", page, re.S))
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files == {path.relative_to(tmp_path).as_posix(): path.read_text("utf-8") for path in written}


@pytest.mark.slow
def test_a_new_project_builds_as_its_readme_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(capsys, "new", "project", "seabirds")[0] == 0
    monkeypatch.chdir(tmp_path / "seabirds")
    readme = Path("README.md").read_text("utf-8")
    assert all(Path(file).is_file() for file in re.findall(r"^\| `([^`]+)`", readme, re.M))
    commands = re.findall(r"^gramprobe (.+)$", readme, re.M)
    assert [line.split()[0] for line in commands[:4]] == ["sample", "check", "build", "verify"]
    for line in commands:
        code, text = run(capsys, *shlex.split(line))
        assert code == 0, f"{line}\n{text}"
    draw, words = (re.search(form, readme) for form in (r"`(draw look .*?)`", r"`(Modified\(.*?\))`"))
    assert draw and words
    file = Path("grammars/seabirds/first.paradigm")
    lines = file.read_text("utf-8").split("\n")
    lines = [line.replace("thing", words[1]) if line.startswith("let") else line for line in lines]
    at = next(i for i, line in enumerate(lines) if line.startswith("draw thing"))
    file.write_text("\n".join([*lines[:at], draw[1], *lines[at:]]), "utf-8")
    code, text = run(capsys, "check", "seabirds")
    assert (code, "no errors" in text) == (0, True), text
    code, text = run(capsys, "explain", "Modified")
    assert code == 0
    assert "Adjective" in text
    assert re.search("fluffy|orange|shaggy", run(capsys, "sample", "seabirds/first")[1])


def test_comments_of_a_new_project_name_its_own_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(capsys, "new", "project", "seabirds")[0] == 0
    text = Path("seabirds/grammars/seabirds/first.paradigm").read_text("utf-8")
    named = re.findall(r"-- .*: ((?:grammars|logic)/\S+)", text)
    assert named == ["grammars/seabirds.gram", "logic/seabirds.logic"]
    assert all((tmp_path / "seabirds" / file).is_file() for file in named)


@pytest.mark.parametrize(
    ("name", "first", "says"),
    [
        ("presupposition-strong", "theory of logic/presupposition-strong.logic", "Strong Kleene"),
        ("choice", "task of gramprobe.items.tasks.choice", '`fits "READING"`'),
        ("sentences", "task of gramprobe.items.tasks.sentences", "a theory     is not named"),
        ("leak", "gate of gramprobe.dataset.gates.leak", "Poliak et al. 2018"),
        ("regions", "gate of gramprobe.dataset.gates.regions", "Just & Carpenter"),
        ("most", "word of gramprobe.catalog.notation", "more than half"),
        ("knows", "operator of logic/attitudes", "attitudes: define knows[a] F = F / K[a] F"),
    ],
)
def test_explain_knows_theories_tasks_and_gates(
    name: str, first: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", name]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[1].startswith(first)
    assert says in "\n".join(said)
    assert main(["explain", name, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["declaration"] == name


def test_explain_says_what_else_has_the_name_and_explains_each_by_its_kind(
    capsys: pytest.CaptureFixture[str],
) -> None:
    kinds = {"article": ("table", "feature", "word"), "scope": ("module", "theory", "phenomenon")}
    several = {"article": "a table, a feature and a word", "scope": "a module, a theory and a phenomenon"}
    for name, each in kinds.items():
        assert main(["explain", name]) == 0
        last = f"`{name}` is {several[name]}: `gramprobe explain {name} --as {each[-1]}` explains the last of them"
        assert capsys.readouterr().out.splitlines()[-1] == last
        for kind in each:
            code = main(["explain", name, "--as", kind])
            said = capsys.readouterr()
            if kind == "phenomenon":  # of many paradigms
                assert code == 2 and "`scope` is a phenomenon of" in said.err
            elif kind != "module":
                assert code == 0 and said.out.splitlines()[1].startswith(f"{kind} of ")
            assert "explains the last" not in said.out
    assert main(["explain", "article", "--json"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["kind"] == "table" and several["article"] in said.err
    assert main(["explain", "scope", "--as", "wrod"]) == 2
    error = capsys.readouterr().err
    assert "`scope` is no wrod" in error and f"it is {several['scope']}" in error


def test_the_constructors_with_a_category_are_those_with_an_argument_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "N", "--json"]) == 0
    page = json.loads(capsys.readouterr().out)
    assert page["constructors"] and all(re.search(r": N\b.*\)", each) for each in page["constructors"])
    assert page["makers"] and all(re.search(r"\) : N$", each.partition("[")[0]) for each in page["makers"])


def test_explain_knows_no_kind_of_what_there_is_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that cannot be read might declare the name."""
    (tmp_path / "lexicon").mkdir()
    (tmp_path / "lexicon" / "bad.tsv").write_bytes(b"\xff")
    for more in ([], ["--json"]):
        assert main(["explain", "zzz", "--as", "word", "--path", str(tmp_path), *more]) == 2
        assert "named `zzz`" in capsys.readouterr().err


def test_every_word_of_formulas_is_explained() -> None:
    assert WORDS.keys() == QUANTIFIERS | {"true", "false", "here", "exh"}


def test_no_example_has_conditions_that_are_too_tangled(monkeypatch: pytest.MonkeyPatch) -> None:
    grammar = shipped.grammar("english.scope")
    monkeypatch.setattr(network, "MOST_CELLS", 0)
    assert example(grammar.constructors["Existence"], grammar) is None


def test_an_example_is_found_where_the_shortest_parts_do_not_fit() -> None:
    """`There is` takes no name, which would be the shortest noun phrase."""
    grammar = shipped.grammar("english.scope")
    shown = example(grammar.constructors["Existence"], grammar)
    assert shown is not None and shown.sentence.startswith("There ")
