"""What an editor needs, in this process: diagnostics of unsaved text, work that stops, uses, columns."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from projects import toy
from support import shipped

from gramprobe.decide.label import Decider
from gramprobe.decide.prove import forget
from gramprobe.decide.verdict import Decision
from gramprobe.formula.notation import parse
from gramprobe.formula.theory import TheorySlice
from gramprobe.project import Project, load
from gramprobe.resolve.uses import Use
from gramprobe.source.diagnostic import Span, UsageError, column_at
from gramprobe.stop import Stopped, stoppable

PARADIGM = """size 6
draw w : Who
draw k, l : Kind where k != l
let has = Has(w, k)
premise
  has_it = has
hypothesis
  lacks  = Lacks(w, k)
  other  = Has(w, l)
pair has_it => lacks expect contradiction
pair has_it => other expect neutral
"""
FILE = "grammars/toy/one.paradigm"


def of_ones_own(folder: Path) -> Project:
    return toy(folder / "own", PARADIGM.replace("Has(w, l)", "TheirK(w, l, hummed_)"))


@pytest.fixture
def own(tmp_path: Path) -> Project:
    return of_ones_own(tmp_path)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The same project for tests that look names up in it and no more."""
    return of_ones_own(tmp_path_factory.mktemp("kept"))


# -- diagnostics


def unsaved(project: Project, before: str, after: str) -> Project:
    place = project.own_folders[0] / FILE
    return project.reload({place: place.read_text("utf-8").replace(before, after)})


@pytest.mark.slow
def test_claims_of_unsaved_text_are_checked(own: Project) -> None:
    assert own.check("toy/one") == ()
    changed = unsaved(own, "lacks expect contradiction", "lacks expect entailment")
    assert [(d.code, d.span.line) for d in changed.check("one")] == [("E10", 15)]
    assert unsaved(changed, "expect entailment", "expect contradiction").check("toy/one") == ()


@pytest.mark.slow
def test_mistakes_of_the_files_come_before_labels(own: Project) -> None:
    def stop() -> bool:
        pytest.fail("labels were begun")

    assert [d.code for d in unsaved(own, "Lacks(w, k)", "Lackz(w, k)").check("toy/one", stop)] == ["E02"]


def test_one_paradigm_is_checked(own: Project) -> None:
    with pytest.raises(UsageError, match="nothing"):
        own.check("nothing")
    with pytest.raises(UsageError, match="is a phenomenon of"):
        shipped.project().check("presupposition")


# -- stopping


def after(times: int) -> Callable[[], bool]:
    """A stop that is true from so many asks on."""
    left = iter(range(times))
    return lambda: next(left, None) is None


@pytest.mark.slow
@pytest.mark.parametrize("times", [0, 1, 7, 20])
def test_a_stopped_check_leaves_nothing_half_kept(
    own: Project, times: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    wrong = unsaved(own, "other expect neutral", "other expect entailment")
    with pytest.raises(Stopped):
        wrong.check("toy/one", after(times))
    assert [d.code for d in wrong.check("toy/one")] == ["E10"]
    assert own.check("toy/one") == ()


def decision(decider: Decider, premise: str, hypothesis: str) -> Decision:
    return decider.decision(parse(premise), parse(hypothesis), TheorySlice())


#: a pair for each engine; the first premises are too much for the engines before it
PAIRS = (
    ("p & (p -> q)", "q"),
    ("forall x. (f(x) -> g(x)) & f(a)", "exists x. g(x)"),
    ("most x. (f(x), g(x)) & most x. (f(x), h(x))", "exists x. (f(x), g(x) & h(x))"),
    ("forall x. exists y. r(x, y) & forall x. forall y. forall z. (r(x, y) & r(y, z) -> r(x, z))", "exists x. r(x, x)"),
)


@pytest.mark.slow
def test_every_loop_asks() -> None:
    askers: set[str] = set()
    forget()  # what other tests had proved

    def stop() -> bool:
        frame = sys._getframe(3)  # the one that called `ask_stop`; `stoppable` asks for what is around it, too
        askers.add(f"{Path(frame.f_code.co_filename).stem}.{frame.f_code.co_name}")
        return False

    with stoppable(stop):
        for pair in PAIRS:
            decision(Decider(dependence=True), *pair)
        shipped.project().decide("K[a] p", "K[a] K[a] p", "attitudes")
        shipped.project().paradigm("presupposition/possessed_definites_existence").decided(1)
    assert askers >= {
        "procedure.ask", "procedure.search_with", "sat.find", "instantiate.remembered", "types._run", "venn.spread",
        "__init__.spend", "decisions.answer_groups", "stream.chunks",
    }  # fmt: skip


@pytest.mark.parametrize("pair", PAIRS)
def test_a_stopped_decision_is_made_anew(pair: tuple[str, str]) -> None:
    whole, times = decision(Decider(), *pair).verdict, 0
    decider = Decider()
    while True:
        try:
            with stoppable(after(times)):
                found = decision(decider, *pair).verdict
            break
        except Stopped:
            assert not decider.verdicts
            times = 2 * times + 1
    assert times > 0
    assert found == whole
    with stoppable(after(0)):
        assert decision(decider, *pair).verdict == whole  # it is known: nothing asks


# -- uses and declarations


@cache
def uses() -> tuple[Use, ...]:
    index = shipped.project().uses
    return tuple(use for path in index._files for use in index.of_file(path))


def text_at(span: Span) -> str:
    source = shipped.project().library.by_path(span.path)
    assert source is not None
    return source.lines[span.line - 1][span.column - 1 : span.end - 1].strip('"')


@pytest.mark.slow
def test_uses_and_declarations_stand_where_they_say() -> None:
    assert [use for use in uses() if text_at(use.span) != use.name] == []
    assert [use for use in uses() if use.kind != "module" and text_at(use.declared) != use.name] == []


def test_names_of_every_kind_are_found() -> None:
    kinds = {use.kind for use in uses()}
    assert kinds == {
        "action", "argument", "category", "column", "condition", "constant", "constructor", "draw", "feature", "group",
        "let", "module", "operator", "relation", "table", "theory", "value", "word",
    }  # fmt: skip


def place(project: Project, name: str, text: str, nth: int = 0) -> tuple[str, int, int]:
    """The place of a text in a file."""
    source = project.library.sources[name]
    places = [
        (source.path, number, at + 1)
        for number, line in enumerate(source.lines, 1)
        for at in range(len(line))
        if line.startswith(text, at)
    ]
    return places[nth]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "nth", "kind", "declared"),
    [
        ("Has", 0, "constructor", ("grammars/toy.gram", "Has (w")),
        ("has\n", 0, "let", (FILE, "has = Has")),
        ("k)", 0, "draw", (FILE, "k, l")),
        ("lacks expect", 0, "condition", (FILE, "lacks  =")),
        ("toy", 0, "module", ("grammars/toy.gram", "")),
        ("toy", 1, "theory", ("logic/toy.logic", "toy")),
        ("hummed_", 0, "word", ("lexicon/did.tsv", "hummed_")),
        ("Kind where", 0, "category", ("grammars/toy.gram", "Kind[")),
    ],
)
def test_a_name_of_a_paradigm_leads_to_its_declaration(
    kept: Project, text: str, nth: int, kind: str, declared: tuple[str, str]
) -> None:
    path, line, column = place(kept, FILE, text.rstrip("\n"), nth if not text.endswith("\n") else -3)
    if text.endswith("\n"):
        number = next(n for n, each in enumerate(kept.library.sources[FILE].lines, 1) if each.endswith("= has"))
        line, column = number, len(kept.library.sources[FILE].lines[number - 1]) - 2
    use = kept.uses.at(path, line, column)
    assert use is not None and use.kind == kind
    there = use.declared.path, use.declared.line, use.declared.column
    assert there == (place(kept, *declared) if declared[1] else (kept.library.sources[declared[0]].path, 1, 1))
    assert use in kept.uses.of(use.declared)


def test_names_of_theories_and_tables_lead_to_words_and_arguments(kept: Project) -> None:
    use = kept.uses.at(*place(kept, "logic/toy.logic", "k.isa"))
    assert use is not None and use.kind == "argument"
    use = kept.uses.at(*place(kept, "lexicon/kinds.tsv", "birdie"))
    assert use is not None and (use.kind, use.declared.column) == ("word", 1)
    assert kept.uses.at(*place(kept, "logic/toy.logic", "postulate")) is None


@pytest.mark.slow
def test_a_renamed_constructor_leads_to_its_declaration(tmp_path: Path) -> None:
    toy(tmp_path, PARADIGM)
    file = tmp_path / FILE
    text = file.read_text("utf-8").replace("uses   toy", "uses   toy rename Has as Holds").replace("Has(", "Holds(")
    file.write_text(text, "utf-8")
    own = load(tmp_path)
    assert [d.message for d in own.findings.items] == []
    use = own.uses.at(*place(own, FILE, "Holds("))
    assert use is not None
    assert (use.declared.path, use.declared.line, use.declared.column) == place(own, "grammars/toy.gram", "Has (w")


# -- columns


LINE = "a 🐈 é 🐕 z"


def test_columns_are_converted_to_utf_16_and_back() -> None:
    span = Span("x", 1, 3, 3)
    assert (span.end, LINE[span.column - 1 : span.end - 1], span.utf16(LINE)) == (6, "🐈 é", (2, 6))
    for column in range(1, len(LINE) + 2):
        start, end = Span("x", 1, column, 0).utf16(LINE)
        assert start == end == len(LINE[: column - 1].encode("utf-16-le")) // 2
        assert column_at(LINE, start) == column
    assert column_at(LINE, 3) == 3  # inside of a character
    assert column_at(LINE, 99) == len(LINE) + 1
