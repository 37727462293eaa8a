"""Grammar files as modules: what a `uses` line brings, extensions, and what a paradigm reaches."""

from __future__ import annotations

from pathlib import Path

import pytest
from projects import write

from gramprobe.project import Project, load
from gramprobe.resolve.grammar.from_syntax import resolve_grammar
from gramprobe.source.diagnostic import Findings, Span
from gramprobe.source.files import collect, shipped_folder
from gramprobe.syntax.files import DeclaredNames, read_declared_names, read_grammar
from gramprobe.syntax.grammar_tree import Function
from gramprobe.syntax.tree import Uses, Word

WORDS = {
    "lexicon/people.tsv": "id\tname\njo\tJo\namy\tAmy\n",
    "lexicon/kinds.tsv": "id\tword\tsort\ncat\tcat\tanimal\ncar\tcar\tthing\n",
    "lexicon/doings.tsv": "id\tbase\tpast\nyawn_\tyawn\tyawned\nnap_\tnap\tnapped\n",
}
CORE = r"""
feature form = base | past
feature mode = plain | negated | asked
feature sort = animal | thing
cat Who : e from people.tsv word name
cat Kind[sort] : e -> t from kinds.tsv word word
cat Act[form] : e -> t from doings.tsv forms base, past
cat NP : (e -> t) -> t
cat Cl[mode] : t
cat S : t
sentence S "."
table article[sort] animal "an animal," | thing "a thing,"
relation suits(Kind.sort, Act.id)
  animal yawn_ | animal nap_
fun Name (p: Who) : NP
  lin p
  sem \P. P(p)
fun The (n: Kind) : NP
  lin "the" n
  sem \P. the x. (n(x), P(x))
fun Clause (s: NP, v: Act) : Cl
  lin [mode=plain] s v[form=past]
  lin [mode=negated] s "didn't" v[form=base]
  sem s(v)
fun Assert (c: Cl) : S
  lin c[mode=plain]
  sem c
fun Neg (c: Cl) : S
  lin c[mode=negated]
  sem ~c
"""
PARADIGM = """paradigm one
about "a set of the tests"
source "the tests"
{uses}
theory classical
size all
draw p : Who
draw k : Kind
draw v : Act
premise
  a = {a}
hypothesis
  b = {b}
pair a => b
"""


def project(
    folder: Path,
    more: str = "",
    uses: str = "uses kit.core",
    a: str = "Assert(Clause(Name(p), v))",
    b: str = "Neg(Clause(The(k), v))",
    **files: str,
) -> Project:
    texts = {
        "grammars/kit/core.gram": CORE,
        "grammars/study/one.paradigm": PARADIGM.format(uses=uses, a=a, b=b),
        **WORDS,
    }
    if more:
        texts["grammars/more.gram"] = more
    texts |= {name.replace("__", "/") + ".tsv": text for name, text in files.items()}
    return load(write(folder, texts), names=("study/one",))


def codes(loaded: Project) -> list[str]:
    return [d.code for d in loaded.errors_for("study/one")]


def premises(loaded: Project) -> set[str]:
    return {row["premise"] for row in loaded.paradigm("study/one").sample(50).to_pylist()}


MADE = r"""
fun Every (n: Kind) : NP
  lin "every" n
  sem \P. forall x. (n(x), P(x))
"""


def test_a_folder_stands_for_its_files(tmp_path: Path) -> None:
    loaded = project(
        tmp_path, "uses kit\n" + MADE, "uses more", "Assert(Clause(Every(k), v))", "Neg(Clause(Name(p), v))"
    )
    assert codes(loaded) == []
    assert "Every cat yawned." in premises(loaded)


def test_a_file_in_a_folder_may_be_named_without_it(tmp_path: Path) -> None:
    assert codes(project(tmp_path, uses="uses core")) == []


def test_only_brings_these_constructors_and_all_words(tmp_path: Path) -> None:
    loaded = project(tmp_path, uses="uses kit only Clause, Assert, Neg, Name, The as Das", b="Neg(Clause(Das(k), v))")
    assert codes(loaded) == []
    loaded = project(tmp_path / "other", uses="uses kit only Clause, Assert, Neg, Name")
    assert codes(loaded) == ["E02"]


def test_what_is_left_out_may_be_declared_again(tmp_path: Path) -> None:
    own = 'uses kit except The\nfun The (n: Kind) : NP\n  lin "this" n\n  sem \\P. the x. (n(x), P(x))\n'
    loaded = project(tmp_path, own, "uses more", "Assert(Clause(The(k), v))", "Neg(Clause(Name(p), v))")
    assert codes(loaded) == []
    assert "This cat napped." in premises(loaded)


def test_a_renamed_constructor_leaves_its_name_free(tmp_path: Path) -> None:
    own = 'uses kit rename Neg as Deny\nfun Neg (c: Cl) : S\n  lin "no:" c[mode=plain]\n  sem ~c\n'
    loaded = project(tmp_path, own, "uses more", "Neg(Clause(Name(p), v))", "Deny(Clause(The(k), v))")
    assert codes(loaded) == []
    assert "No: Jo napped." in premises(loaded)


def test_a_constructor_answers_what_a_paradigm_asks_of_it(tmp_path: Path) -> None:
    """It needs no words for a mode that no constructor around it requests there."""
    own = 'uses kit\nfun Rains : Cl\n  lin [mode=plain] "it rained"\n  sem rain\nconst rain : t\n'
    assert "E06" not in codes(project(tmp_path, own, "uses more", "Assert(Rains)", "Neg(Clause(Name(p), v))"))
    bad = project(tmp_path / "bad", own, "uses more", "Assert(Clause(The(k), v))", "Neg(Rains)")
    assert "E06" in codes(bad)


EXTENDED = r"""uses kit
extend table kinds from more_kinds.tsv
extend feature sort = plant
extend table article
  plant "a plant,"
extend cat Kind with weight: decimal, tame: sort
extend table kinds from weights.tsv
extend relation suits
  plant nap_
extend fun Clause
  lin [mode=asked] "did" s v[form=base]
fun Asked (c: Cl) : S
  lin "whether" c[mode=asked]
  sem c
fun An (n: Kind, v: Act) : S
  where plausible: suits(n, v), n.weight < 4
  lin article(n.sort) n v[form=past]
  sem exists x. (n(x), v(x))
"""


def test_everything_may_be_extended(tmp_path: Path) -> None:
    loaded = project(
        tmp_path,
        EXTENDED,
        "uses more",
        "An(k, v)",
        "Asked(Clause(Name(p), v))",
        lexicon__more_kinds="id\tword\tsort\tweight\noak\toak\tplant\t3.5\n",
        lexicon__weights="id\tweight\tsort\ncat\t3.9\tanimal\n".replace("\tsort", "").replace("\tanimal", ""),
    )
    assert codes(loaded) == []
    assert premises(loaded) == {"A plant, oak napped.", "An animal, cat yawned.", "An animal, cat napped."}
    kinds = loaded.declarations.grammar("more").categories["Kind"].by_id
    assert kinds["car"].columns["weight"] == ""
    assert [d.code for d in loaded.findings.items] == []


def test_what_a_grammar_rests_on_is_in_its_content(tmp_path: Path) -> None:
    more = "id\tword\tsort\tweight\noak\toak\tplant\t3.5\n"
    files = {"lexicon__more_kinds": more, "lexicon__weights": "id\tweight\ncat\t3.9\n"}

    def content() -> list[object]:
        return project(tmp_path, EXTENDED, "uses more", "An(k, v)", **files).declarations.content(["more"])

    before = content()
    other = tmp_path / "grammars" / "other.gram"
    other.write_text("uses more\n", "utf-8")
    assert content() == before
    files["lexicon__more_kinds"] = more.replace("3.5", "3.6")
    assert content() != before
    files["lexicon__more_kinds"] = more
    assert content() == before
    core = tmp_path / "grammars" / "kit" / "core.gram"
    changed = core.read_text("utf-8") + "-- a comment\n"
    core.write_text(changed, "utf-8")
    assert load(tmp_path, names=("study/one",)).declarations.content(["more"]) != before


@pytest.mark.parametrize("module", ["english", "scope", "english.given", "readers"])
def test_files_behind_a_module_are_those_of_what_it_brings(project: Project, module: str) -> None:
    modules, uses = project.declarations.lines.modules, [Uses(module=Word(module, Span("", 1, 1)))]
    used = modules.used(uses, Findings())
    assert used is not None and modules.files_behind(uses) == used.whole.files


def test_whoever_does_not_use_an_extension_sees_nothing_of_it(tmp_path: Path) -> None:
    loaded = project(
        tmp_path,
        EXTENDED,
        lexicon__more_kinds="id\tword\tsort\tweight\noak\toak\tplant\t3.5\n",
        lexicon__weights="id\tweight\ncat\t3.9\n",
    )
    assert [k.id for k in loaded.paradigm("study/one").grammar.categories["Kind"].lexemes] == ["cat", "car"]


@pytest.mark.slow
def test_a_paradigm_has_no_more_of_the_grammar_than_it_reaches(project: Project, nothing_shared: None) -> None:
    everything = project.declarations
    for name in ("presupposition/only", "scope/choice_no_indefinite", "theory_of_mind/depth"):
        loaded = load(names=(name,))
        reached = loaded.declarations.grammar_of_paradigm(name)
        assert reached is not None
        whole = loaded.declarations.grammar("english", "scope")
        assert len(reached.constructors) < len(whole.constructors) / 2
        complete = everything.grammar_of_paradigm(name)
        assert complete is not None
        assert complete.constructors == reached.constructors
        assert list(complete.categories) == list(reached.categories)
        assert complete.relations == reached.relations
        assert complete.readings == reached.readings


ONE = """paradigm one
about "a set of the tests"
source "the tests"
uses small
theory classical
size all
draw x : NP
premise
  a = x
pair a => a
"""


def test_shipped_modules_that_nobody_uses_are_not_read_and_those_of_an_author_are(tmp_path: Path) -> None:
    texts = {
        "grammars/small.gram": "uses english.noun_phrases\ncat Mine : e\nconst mine_of : e -> t\n",
        "grammars/wrong.gram": "cat : NP\n",
        "grammars/study/one.paradigm": ONE,
    }
    lines = load(write(tmp_path, texts), names=("study/one",)).declarations.lines
    read = {name for name, file in lines.modules.files.items() if "lines" in file.__dict__}
    assert {"small", "english.noun_phrases"} <= read
    assert not read & {"english.scope", "texts.predicates", "scope.followups"}
    assert {"Mine", "NP"} <= lines.categories and {"mine_of", "person"} <= lines.names
    assert read == {name for name, file in lines.modules.files.items() if "lines" in file.__dict__}
    (problem,) = [
        each for each in load(tmp_path, names=("study/one",)).findings.items if "wrong.gram" in each.span.path
    ]
    assert problem.code == "E01"


@pytest.mark.parametrize("step", [pytest.param(1, id="all", marks=pytest.mark.deep), pytest.param(4, id="some")])
def test_the_names_that_a_file_declares_are_those_of_its_statements(step: int) -> None:
    library, _ = collect([("shipped", shipped_folder())])
    sources = library.having("grammars", ".gram")
    assert sources
    for source in sources[::step]:
        assert read_declared_names(source) == (DeclaredNames.of(read_grammar(source)[0]), [])


MINE = """uses english
fun Neither (c: Cl) : S
  lin "it isn't so that" c[mode=plain]
  sem ~c
"""
STUDY = """paradigm one
about "a set of the tests"
source "the tests"
uses mine
theory classical
size 4
draw p : PN
draw v : VP by Intransitive
premise
  a = Neither(Clause(past, Name(p), v))
hypothesis
  b = Assert(Clause(past, Name(p), v))
pair a => b expect contradiction
"""


@pytest.mark.slow
def test_an_own_constructor_stands_in_the_place_of_a_shipped_one(tmp_path: Path) -> None:
    texts = {"grammars/mine.gram": MINE, "grammars/study/one.paradigm": STUDY}
    loaded = load(write(tmp_path, texts), names=("study/one",))
    assert codes(loaded) == []
    (warning,) = [d for d in loaded.findings.items if not d.is_error]
    assert warning.code == "E16" and "`Neither` of `mine` stands in the place" in warning.message
    assert all(text.startswith("It isn't so that ") for text in premises(loaded))


@pytest.mark.slow
def test_a_name_of_another_kind_in_shipped_modules_is_one_mistake(tmp_path: Path) -> None:
    texts = {"grammars/mine.gram": MINE + "feature mode = loud | soft\n", "grammars/study/one.paradigm": STUDY}
    loaded = load(write(tmp_path, texts), names=("study/one",))
    (error,) = loaded.errors_for("study/one")
    assert error.code == "E16" and error.span.path.endswith("mine.gram")


FITTING = """uses kit.core
feature mood = calm | wild
relation fits(mood, Act.id)
  calm nap_ | wild yawn_
"""


def test_a_relation_is_kept_that_a_line_names(tmp_path: Path) -> None:
    """Also if nothing else is of the features that it relates."""
    loaded = project(tmp_path / "paradigm", FITTING, "uses more\nwhere fits(calm, v)")
    assert codes(loaded) == []
    assert premises(loaded) == {"Jo napped.", "Amy napped."}
    made = (
        FITTING
        + "fun Calmly (s: NP, v: Act) : Cl\n  where plausible: fits(calm, v)\n  lin s v[form=past]\n  sem s(v)\n"
    )
    loaded = project(tmp_path / "grammar", made, "uses more", "Assert(Calmly(Name(p), v))")
    assert codes(loaded) == []
    assert premises(loaded) == {"Jo napped.", "Amy napped."}
    assert codes(project(tmp_path / "other", FITTING, "uses more\nwhere fits(animal, v)")) == ["E31"]


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.deep)], ids=["one", "every"])
def test_a_shipped_constructor_can_be_used_alone(every: bool) -> None:
    """`uses MODULE only CONSTRUCTOR` has no mistake, whatever the lines of the module mention."""
    lines = load(names=[]).declarations.lines
    nowhere = Span("", 1, 1)
    for module, file in lines.modules.files.items():
        named = [line.name.text for line in file.lines if isinstance(line, Function)]
        for name in named if every else named[-1:]:
            findings = Findings()
            only = [Uses(module=Word(module, nowhere), only=(Word(name, nowhere),))]
            used = lines.modules.used(only, findings)
            assert used is not None
            grammar = resolve_grammar(used.whole.lines, findings, True, lines.languages, used.left_out)
            assert [(module, name, each.message) for each in findings.items] == []
            assert name in {**grammar.constructors, **grammar.definitions}


@pytest.mark.parametrize(
    "text", ['id,name,note\njo,Jo,"tall, or not"\namy,Amy,\n', 'id;name;note\njo;Jo;tall\namy;"Amy";\n']
)
def test_a_table_of_words_may_be_csv_and_have_more_columns(text: str, tmp_path: Path) -> None:
    core = CORE.replace("people.tsv", "people.csv")
    files = {**WORDS, "lexicon/people.csv": text, "grammars/kit/core.gram": core}
    del files["lexicon/people.tsv"]
    paradigm = PARADIGM.format(uses="uses kit.core", a="Assert(Clause(Name(p), v))", b="Neg(Clause(The(k), v))")
    loaded = load(write(tmp_path, {**files, "grammars/study/one.paradigm": paradigm}), names=("study/one",))
    assert codes(loaded) == []
    (note,) = loaded.findings.items
    assert (note.severity, note.code) == ("warning", "E18") and "`note` is left out" in note.message
    assert "`note: decimal`" in note.help and "`extend cat Who with`" in note.help
    assert (note.span.line, note.span.column) == (1, 9)
    assert "Amy yawned." in premises(loaded)


def test_a_mistake_in_a_csv_table_has_its_place(tmp_path: Path) -> None:
    core = CORE.replace("kinds.tsv", "kinds.csv")
    table = 'id,word,sort\ncat,"big, fat cat",animal\ncar,car,thingy\n'
    files = {**WORDS, "lexicon/kinds.csv": table, "grammars/kit/core.gram": core}
    paradigm = PARADIGM.format(uses="uses kit.core", a="Assert(Clause(Name(p), v))", b="Neg(Clause(The(k), v))")
    loaded = load(write(tmp_path, {**files, "grammars/study/one.paradigm": paradigm}), names=("study/one",))
    (error,) = loaded.errors_for("study/one")
    assert (error.span.path[-9:], error.span.line, error.span.column) == ("kinds.csv", 3, 9)
