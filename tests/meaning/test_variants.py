"""What variants of sentences mean is composed once for all of a form, and is what each means by itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from msgspec.structs import replace
from support import shipped

from gramprobe.meaning import compose, variants
from gramprobe.meaning.columns import ConsultedByMeaning
from gramprobe.meaning.reading import exchanging
from gramprobe.meaning.variants import VariantComposer
from gramprobe.resolve.tree import Apply, Slot, Tree
from gramprobe.words.variants import Variant, Variants

PARADIGMS = [
    "theory_of_mind/depth", "theory_of_mind/factive_under_belief", "theory_of_mind/inter_personal",
    "theory_of_mind/story_second_order", "scope/choice_counting_universal", "presupposition/both",
]  # fmt: skip


def variants_of(name: str) -> Iterator[Variant]:
    """The variants of the sentences of a paradigm in its first instances."""
    space, grammar = shipped.space(name), shipped.grammar_of(name)
    draws = space.draws(space.permutation(0), 0, 40)
    for condition in shipped.sentences(name):
        keys = ConsultedByMeaning(grammar)
        found = Variants(condition.tree, keys, space, shipped.realiser(name).parts)
        found.of(draws)
        yield from found.by_number


def with_other_names(tree: Tree, names: Mapping[str, str]) -> Tree:
    """A tree with slots of other names."""
    if isinstance(tree, Apply):
        return replace(tree, arguments=tuple(with_other_names(each, names) for each in tree.arguments))
    return replace(tree, name=names.get(tree.name, tree.name)) if isinstance(tree, Slot) else tree


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(variants, "_known", {})


def test_a_variant_means_what_it_means_by_itself() -> None:
    """In all paradigms one after the other, so that forms of one are known in the next."""
    count = 0
    for name in PARADIGMS:
        composer = VariantComposer(shipped.grammar_of(name))
        for each in variants_of(name):
            count += 1
            alone = compose.readings(each.tree, each.chosen, composer.grammar)
            assert composer.readings(each.tree, each.chosen) == alone
    assert len(variants._known) < count


def test_slots_of_other_names_are_the_same_form(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "theory_of_mind/depth"
    composer = VariantComposer(shipped.grammar_of(name))
    composed: list[Tree] = []

    def counted(tree: Tree, *rest: Any) -> Any:
        composed.append(tree)
        return compose.readings(tree, *rest)

    monkeypatch.setattr(variants, "readings", counted)
    for each in variants_of(name):
        composer.readings(each.tree, each.chosen)
        before = len(composed)
        slots = {path.partition(".")[0] for path, _ in each.chosen}
        names = {slot: f"other_{slot}" for slot in slots}
        tree = with_other_names(each.tree, names)
        chosen = {(f"other_{path}", column): value for (path, column), value in each.chosen.items()}
        alone = compose.readings(tree, chosen, composer.grammar)
        assert composer.readings(tree, chosen) == alone
        assert len(composed) == before


def test_two_threads_may_compose_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What another thread does between two steps is done there by this one."""
    grammar, each = shipped.grammar_of("theory_of_mind/depth"), next(variants_of("theory_of_mind/depth"))
    names = {path.partition(".")[0]: f"other_{path.partition('.')[0]}" for path, _ in each.chosen}
    tree = with_other_names(each.tree, names)
    chosen = {(f"other_{path}", column): value for (path, column), value in each.chosen.items()}
    busy = [tree]

    def between(*args: Any) -> Any:
        if busy:
            VariantComposer(grammar).readings(busy.pop(), chosen)
        return exchanging(*args)

    monkeypatch.setattr(variants, "exchanging", between)
    VariantComposer(grammar).readings(each.tree, each.chosen)
    assert VariantComposer(grammar).readings(tree, chosen) == compose.readings(tree, chosen, grammar)
    assert not busy


def test_slots_that_are_one_are_another_form() -> None:
    """A draw that stands twice has one symbol, two draws of its category have two."""
    composer = VariantComposer(shipped.grammar_of("theory_of_mind/inter_personal"))
    for each in variants_of("theory_of_mind/inter_personal"):
        slots = {path.partition(".")[0] for path, _ in each.chosen}
        people = sorted({node.name for node in _slots(each.tree) if node.category == "PN"})
        if len(people) > 1 and not slots & {*people}:
            merged = with_other_names(each.tree, {people[0]: people[1]})
            composer.readings(each.tree, each.chosen)
            alone = compose.readings(merged, each.chosen, composer.grammar)
            assert composer.readings(merged, each.chosen) == alone
            return
    pytest.fail("no sentence names two persons")


def _slots(tree: Tree) -> Iterator[Slot]:
    if isinstance(tree, Slot):
        yield tree
    elif isinstance(tree, Apply):
        for each in tree.arguments:
            yield from _slots(each)
