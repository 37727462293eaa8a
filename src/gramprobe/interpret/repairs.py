"""What is wrong with a sentence that has no tree: the constraint that it breaks, or the words that are not read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from gramprobe.chart.judge import Lift
from gramprobe.resolve.grammar.data import Grammar
from gramprobe.source.nearest import listed

MOST_STEPS = 9_000
"""So many pairs of words are in all sentences that are tried, which leave out some of the words of one."""


@dataclass(frozen=True, slots=True)
class Broken:
    """What is wrong with a sentence without a tree.

    Attributes:
        places: the constraints of which each alone would give it one, with the constructors that state them.
        repaired: a sentence with a tree that has another form of one of its words; empty if there is none.
        without: where no constraint is known, the fewest words side by side without which it has one; empty if there
            are none.
        rest: the sentence without them.
    """

    places: tuple[Lift, ...] = ()
    repaired: str = ""
    without: str = ""
    rest: str = ""

    @property
    def text(self) -> str:
        """The constraints, with where they are stated, and the other sentence, or the words that are not read; empty if
        nothing is known."""
        if self.without:
            return f"without `{self.without}` it has one: `{self.rest}`"
        where: dict[str, list[str]] = {}
        for place in self.places:
            where.setdefault(place.constraint, []).append(f"`{place.constructor}`")
        said = [f"`{name}` ({listed(of[:3])})" for name, of in where.items()]
        other = f"; compare `{self.repaired}`" if self.repaired else ""
        return f"it breaks {' or '.join(said)}{other}" if said else ""


def left_out(text: str, grammar: Grammar, is_read: Callable[[str], bool], most: int = MOST_STEPS) -> Broken:
    """The fewest words side by side without which a text has a tree, the last ones first; none where that takes too
    long to find. ``most``: as `MOST_STEPS`."""
    language = grammar.language
    words, signs = text.split(), "".join(language.marks)
    final = words[-1][-1] if words and words[-1][-1] in language.finals else ""
    words = " ".join(words).removesuffix(final).split()

    def shorter() -> Iterator[tuple[str, str]]:
        for length in range(1, len(words) - 1):
            for at in range(len(words) - length, -1, -1):
                rest = " ".join(words[:at] + words[at + length :]).strip(signs + " ")
                yield " ".join(words[at : at + length]), language.capitalised(rest) + final

    for number, (without, rest) in enumerate(shorter(), 1):
        if number * len(words) ** 2 > most:
            break
        if is_read(rest):
            return Broken(without=without.strip(signs), rest=rest)
    return Broken()
