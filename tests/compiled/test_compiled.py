"""The compiled grammar: every shipped one is made and read back, and a stranger can parse with its JSON."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import shipped
from support.chart_parser import trees
from support.recogniser import Recogniser

from gramprobe.cli.answers.schema import schema
from gramprobe.cli.main import main
from gramprobe.compiled.data import Condition, Daughter, read, written
from gramprobe.compiled.from_resolve import compiled
from gramprobe.source.files import Source
from gramprobe.syntax.files import read_grammar
from gramprobe.syntax.grammar_tree import Function

SHOWN = (
    "presupposition/only",
    "presupposition/cleft_existence",
    "scope/choice_universal_indefinite",
    "theory_of_mind/additional",
)
FEW = settings(max_examples=max(4, settings().max_examples // 10))


@pytest.mark.slow
@pytest.mark.parametrize("step", [pytest.param(1, id="all", marks=pytest.mark.deep), pytest.param(8, id="some")])
def test_every_shipped_grammar_compiles_and_reads_back(step: int) -> None:
    grammars = {id(g): g for g in shipped.declarations().of_paradigms.values()}
    for grammar in [*grammars.values()][::step]:
        made = compiled(grammar)
        assert read(written(made)) == made
        assert (
            {p.constructor for p in made.productions} <= {c.name for c in made.constructors} == {*grammar.constructors}
        )
        assert {w.id for w in made.words} == {*grammar.symbols()}


def test_it_is_made_once() -> None:
    grammar = shipped.grammar_of("presupposition/only")
    assert compiled(grammar) is compiled(grammar)


def test_a_category_of_several_grammars_has_in_each_the_features_that_it_names() -> None:
    names = ("filler_gap", "island_adjunct", "island_complex_noun_phrase")
    grammars = [shipped.grammar_of(f"acceptability/{name}") for name in names]
    assert len({id(grammar.categories["VS"]) for grammar in grammars}) == 1  # parts of one grammar
    features = [{n for w in compiled(each).words if w.category == "VS" for n in w.features} for each in grammars]
    assert [each & {"factive", "of_noun"} for each in features] == [{"factive"}, set(), {"of_noun"}]


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped.some(SHOWN, 2))
@FEW
@given(data=st.data())
def test_the_json_alone_tells_sentences_from_scrambled_words(name: str, data: st.DataObject) -> None:
    grammar = shipped.grammar_of(name)
    reader = Recogniser(written(compiled(grammar)))
    draws = data.draw(shipped.instances(name))
    condition = data.draw(st.sampled_from(shipped.sentences(name)))
    sentence = shipped.realiser(name).sentence(condition, draws)
    assert reader.accepts(sentence), sentence
    words = sentence.split(" ")
    at = data.draw(st.integers(0, len(words) - 1))
    for other in (
        data.draw(st.permutations(words)),
        [*words[:at], *words[at + 1 :]],
        [*words[:at], words[at - 1], *words[at:]],
        [*words[:at], *reversed(words[at : at + 2]), *words[at + 2 :]],
    ):
        scrambled = " ".join(other)
        assert reader.accepts(scrambled) == bool(trees(scrambled, grammar)), scrambled


@pytest.mark.parametrize(
    ("sentence", "right"),
    [
        ("Aaron has an heir.", True),
        ("Aaron has a heir.", False),
        ("Aaron have an heir.", False),
        ("Did Aaron's wrench break?", True),
        ("Did Aaron's wrench break.", False),
        ("Aaron's wrench didn't break.", True),
        ("Aaron's wrench didn't broke.", False),
        ("In 2011 Aaron's wrench broke.", True),
        ("For at least part of 2011 Aaron's wrench will be broken.", False),
    ],
)
def test_what_the_grammar_forbids_is_not_in_its_json(sentence: str, right: bool) -> None:
    assert _english().accepts(sentence) == right


def _english() -> Recogniser:
    return Recogniser(written(compiled(shipped.grammar("english.possession", "english.change"))))


@pytest.mark.slow
def test_conditions_stand_as_their_text() -> None:
    grammar = shipped.grammar("english")
    made = {each.name: each.where for each in compiled(grammar).constructors}
    assert made["Transitive"] == (Condition(constraint="plausible", text="selects(v, o)"),)
    texts = {each.text for where in made.values() for each in where}
    assert {"n.class != relational", "n.class = kin", "a.sort = b.sort", "x != y"} <= texts


def test_constraints_of_grammar_are_in_the_productions_with_their_names() -> None:
    made = [
        p for p in compiled(shipped.grammar("english.change")).productions if p.constructor in ("Clause", "Formerly")
    ]
    parts = [(p.constructor, d) for p in made for d in p.daughters if isinstance(d, Daughter)]
    names = {(maker, d.category, feature): name for maker, d in parts for feature, name in d.constraints.items()}
    assert names == {
        ("Clause", "NP", "num"): "agree sv", ("Clause", "VP", "form"): "form", ("Clause", "VP", "dating"): "tense",
        ("Clause", "VP", "conjugation"): "form",
        ("Formerly", "NP", "num"): "agree sv", ("Formerly", "State", "form"): "form",
        ("Formerly", "Time", "point"): "tense", ("Formerly", "Time", "unit"): "tense",
        ("Formerly", "Time", "era"): "tense",
    }  # fmt: skip
    times = [(p.values["t"], d) for p in made for d in p.daughters if isinstance(d, Daughter) if d.category == "Time"]
    assert {(t, d.features["era"]) for t, d in times} == {("past", "any"), ("past", "gone"), ("future", "any")}


def test_arguments_that_no_words_say_are_known() -> None:
    made = {each.name: each for each in compiled(shipped.grammar("english.stories")).constructors}
    assert [a.name for a in made["KnowsOfPlaces"].arguments if a.unsaid] == ["p", "q", "o"]
    assert not any(a.unsaid for a in made["KnowsThat"].arguments)


@pytest.mark.parametrize(
    "text", ["selects(v, o)", "a != b", "v.aspect = state | v.aspect = event", "k.n - j.n + 2 <= 4", "k.n > - j.n"]
)
def test_a_condition_is_printed_as_it_may_be_written(text: str) -> None:
    lines = f"fun F (v: V, k: N) : S\n  where plausible: {text}\n"
    source = Source(name="grammars/a.gram", path="a.gram", text=lines, sha256="", origin="")
    (line,), problems = read_grammar(source)
    assert isinstance(line, Function)
    assert ([condition.text for condition in line.where], problems) == ([text], [])


@pytest.mark.slow
def test_export_prints_json_and_the_grammar_of_nltk(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["export", "grammar", "english.clauses"]) == 0
    printed = capsysbinary.readouterr().out
    assert read(printed).sentences
    assert schema("grammar")["$defs"]["Compiled"]["required"] == [*json.loads(printed)]
    file = tmp_path / "only.json"
    assert main(["export", "grammar", "presupposition/only", "--out", str(file)]) == 0
    assert file.read_bytes() == written(compiled(shipped.grammar_of("presupposition/only")))
    assert main(["export", "nltk", "only"]) == 0
    assert b"% start ROOT" in capsysbinary.readouterr().out


@pytest.mark.parametrize("name", ["english.clausess", "english,scope.none", "presupposition", "english.clauses,only"])
def test_a_grammar_that_is_not_there(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "grammar", name]) == 2
    assert "error[E29]: no grammar" in capsys.readouterr().err


def test_an_unknown_field_is_refused() -> None:
    text = written(compiled(shipped.grammar("english.words")))
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        read(text.replace(b'"version": 3', b'"version": 3, "more": 2'))


def test_of_several_values_that_a_result_has_none_is_in_the_productions() -> None:
    made = [p for p in compiled(shipped.grammar("english")).productions if p.constructor == "Coordinated"]
    assert made and all("gen" not in p.features and p.features["num"] in ("sg", "pl") for p in made)
    assert {d.features.get("gen") for p in made for d in p.daughters if isinstance(d, Daughter)} == {None}
