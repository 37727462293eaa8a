"""The 256 forms of syllogism in one grammar under several theories: which are valid hangs on what is presupposed.

Fifteen forms need no member of any noun, nine more need one (Łukasiewicz 1957). Where *every* and *no* presuppose
members of their noun (Strawson 1952), and *some* asserts them, eight of the nine are valid. In the fourth figure of AEE
and AEO the subject of the conclusion is the subject of no premise: where it has no member, *no S is P* has no value,
and *some S is not P* is false. The first is an entailment for those who ask for the truth of a conclusion only where it
has a value (von Fintel 1999), and is none else.
"""

from __future__ import annotations

from itertools import product

import pytest

from gramprobe.catalog.pages import checked
from gramprobe.decide.label import Decider
from gramprobe.formula.ast import And, Argument, Atom, Formula, Not
from gramprobe.formula.demands import met
from gramprobe.judge.claims import Determiner, determiners
from gramprobe.judge.judge import decision
from gramprobe.project import load
from gramprobe.resolve.theory.data import Theory
from gramprobe.source.diagnostic import Findings

#: which terms are subject and predicate of the two premises: M is the middle term
FIGURES = {1: ("MP", "SM"), 2: ("PM", "SM"), 3: ("MP", "MS"), 4: ("PM", "MS")}
#: the determiner of each form: *every S is P*, *no S is P*, *some S is P*, *some S is not P*
FORMS = {"A": ("Determined", "every"), "E": ("Determined", "no"), "I": ("Cardinal", "some"), "O": ("Cardinal", "some")}
#: in each figure, from Barbara to Fresison
OF_FIGURE = {1: ("AAA", "EAE", "AII", "EIO"), 2: ("EAE", "AEE", "EIO", "AOO"), 3: ("IAI", "AII", "OAO", "EIO"),
             4: ("AEE", "IAI", "EIO")}  # fmt: skip
UNCONDITIONAL = frozenset(f"{form}{figure}" for figure, forms in OF_FIGURE.items() for form in forms)
OF_SUBJECTS = frozenset(("AAI1", "EAO1", "EAO2", "AEO2", "AAI3", "EAO3", "AAI4", "EAO4"))


@pytest.fixture(scope="module")
def theories(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Theory]:
    folder = tmp_path_factory.mktemp("syllogisms")
    (folder / "logic").mkdir()
    text = "theory demands_one\ninclude classical\ndeterminers presuppose one\n"
    (folder / "logic" / "demands_one.logic").write_text(text, encoding="utf-8")
    declarations = load(folder).declarations
    names = ("demands_one", "classical", "classical-import")
    found = {name: declarations.theory(name, None, Findings()) for name in names}
    return {name: theory for name, theory in found.items() if theory is not None}


@pytest.fixture(scope="module")
def words() -> dict[str, Determiner]:
    grammar = checked(load(path=()).declarations, "english")
    of = {
        (name, *each.case.values()): each
        for name in ("Determined", "Cardinal")
        for each in determiners(grammar.constructors[name], grammar, {})
    }
    return {form: of[name] for form, name in FORMS.items()}


def values(words: dict[str, Determiner], theory: Theory) -> dict[str, str]:
    """The values that the conclusion of each form has where both premises are true."""

    def said(form: str, subject: str, predicate: str) -> Formula:
        def verb(term: Argument) -> Formula:
            return Not(Atom(predicate, (term,))) if form == "O" else Atom(predicate, (term,))

        return met(words[form].of(lambda term: Atom(subject, (term,)), verb), theory.demands)

    found, decider = {}, Decider()
    for (figure, premises), forms in product(FIGURES.items(), product("AEIO", repeat=3)):
        terms = (*premises, "SP")
        major, minor, conclusion = (said(form, *pair) for form, pair in zip(forms, terms, strict=True))
        decided = decision(And(major, minor), conclusion, theory, decider=decider)
        found["".join(forms) + str(figure)] = decided.verdict.h_values
    return found


@pytest.mark.parametrize(
    ("theory", "valid", "undefined"),
    [
        ("classical", UNCONDITIONAL, frozenset()),
        ("demands_one", UNCONDITIONAL | OF_SUBJECTS, {"AEE4"}),
        ("classical-import", UNCONDITIONAL | OF_SUBJECTS | {"AEO4"}, frozenset()),
    ],
)
def test_which_syllogisms_are_valid(
    theory: str, valid: frozenset[str], undefined: frozenset[str], words: dict[str, Determiner],
    theories: dict[str, Theory],
) -> None:  # fmt: skip
    found = values(words, theories[theory])
    assert {form for form, of in found.items() if "F" not in of and "T" in of} == valid
    assert {form for form in valid if "U" in found[form]} == undefined


def test_the_numbers_of_valid_syllogisms() -> None:
    assert (len(UNCONDITIONAL), len(UNCONDITIONAL | OF_SUBJECTS)) == (15, 23)
