"""Messages about paradigms and theories."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gramprobe.source.diagnostic import Diagnostic
from gramprobe.source.messages.grammar import a
from gramprobe.source.nearest import listed
from gramprobe.source.span import Span


def wrong_arity(
    span: Span, constructor: Any, wanted: Sequence[str], got: Sequence[str], bracket: str = ""
) -> Diagnostic:
    return Diagnostic(
        "E03", span, f"`{constructor.name}` takes ({', '.join(wanted)}) but got ({', '.join(got)})",
        caret=f"declared at {constructor.span.path}:{constructor.span.line}",
        help=bracket,
    )  # fmt: skip


def bracket_hint(after: str, fitting: Sequence[str]) -> str:
    """Where a parenthesis would mend the number of parts."""
    both = " and ".join(f"`{f}`" for f in fitting)
    return f"a `)` after `{after}` would fit {'both ' if len(fitting) > 1 else ''}{both}"


def wrong_category(
    span: Span, wanted: str, got: str, wraps: Sequence[str], shown: str, asker: tuple[str, int, int] | None = None
) -> Diagnostic:
    """``asker``: the constructor that needs the part, its number (from 1), and how many parts there are."""
    ways = " or ".join(f"`{w}({shown})`" for w in wraps[:3])
    if asker is None:
        message = f"a condition is a sentence ({wanted}), got {a(got)}"
    else:
        name, number, of = asker
        which = f"{a(wanted)} as its {_ORDINALS.get(number, f'{number}th')} part" if of > 1 else a(wanted)
        message = f"`{name}` needs {which}, got {a(got)}"
    return Diagnostic("E04", span, message, help=f"wrap it: {ways}" if ways else "")


_ORDINALS = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth"}


def wrong_redraw(span: Span, name: str, wanted: str, got: str) -> Diagnostic:
    return Diagnostic("E04", span, f"`{name}` was drawn as {a(wanted)} and cannot become {a(got)}")


def no_size(span: Span) -> Diagnostic:
    return Diagnostic("E33", span, "a set has at least one instance")


def no_column(span: Span, what: str) -> Diagnostic:
    return Diagnostic("E05", span, f"`{what}` is no drawn word: only a drawn word has columns")


def draw_needs_by(span: Span, category: str, makers: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        "E40",
        span,
        f"{category} has no lexicon file: say which constructors build it",
        help=f"write `{category} by {', '.join(makers[:3]) or '...'}`",
    )


def by_on_words(span: Span, category: str) -> Diagnostic:
    return Diagnostic("E40", span, f"{category} is drawn as a word, not built: `by` cannot stand here")


def restriction_on_trees(span: Span, category: str) -> Diagnostic:
    return Diagnostic("E40", span, f"a drawn {category} is a tree: restrict it with `where`, not in brackets")


def endless(span: Span, name: str, maker: str, path: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        "E15",
        span,
        f"the trees of `{name}` never end: `{maker}` puts {a(path[-1])} into {a(path[-1])}"
        + (f" ({' > '.join(path)})" if len(path) > 2 else ""),
        help="name constructors that do not lead back to their own category",
    )


def nothing_builds(span: Span, category: str, makers: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        "E40",
        span,
        f"none of the constructors named after `by` builds the {category} that is needed",
        help=f"add one of: {listed(makers)}" if makers else "",
    )


def useless_by(span: Span, name: str, category: str) -> Diagnostic:
    return Diagnostic("E40", span, f"`{name}` cannot occur in a {category} built by these constructors")


def empty_domain(span: Span, name: str, category: str) -> Diagnostic:
    return Diagnostic("E09", span, f"no word of {category} satisfies the restriction on `{name}`")


def no_words_satisfy(span: Span, story: Sequence[str], help: str) -> Diagnostic:
    return Diagnostic("E09", span, "no words satisfy these conditions", notes=tuple(story), help=help)


def too_tangled(span: Span, name: str, cells: int) -> Diagnostic:
    return Diagnostic(
        "E35",
        span,
        f"the conditions tie too many draws of `{name}` together to count them ({cells:,} cells)",
        help="relate fewer draws by one condition, or by coarser columns",
    )


def too_large(span: Span, name: str) -> Diagnostic:
    return Diagnostic("E35", span, f"the space of `{name}` has more than 2^120 instances", help="draw fewer words")


def too_few(span: Span, name: str, wanted: int, there: int, space: int) -> Diagnostic:
    those = f"{there:,}" if there == space else f"{there:,} that repeat no pair (of {space:,})"
    return Diagnostic(
        "E33",
        span,
        f"{wanted:,} instances of `{name}` are wanted, but there are {those}",
        help=f"write `size {there}`, build with `--n {there}` or `--n all`, or widen a draw",
    )


def useless_redraw(span: Span, name: str) -> Diagnostic:
    return Diagnostic("E26", span, f"`{name}` does not occur in this tree: redrawing it changes nothing")


def same_words(span: Span, name: str, other: str) -> Diagnostic:
    return Diagnostic("E27", span, f"condition `{name}` is the same sentence as `{other}`")


def pair_twice(span: Span, pairs: Sequence[str], before: int) -> Diagnostic:
    if len(pairs) == 1:
        return Diagnostic("E28", span, f"the pair {pairs[0]} stands twice (line {before})")
    return Diagnostic("E28", span, f"{len(pairs)} pairs of this line stand twice (line {before}): {listed(pairs, 3)}")


def yields(
    span: Span,
    claimed: int,
    total: int,
    counts: Sequence[tuple[int, int]],
    idle: Sequence[tuple[str, str, int]],
) -> Diagnostic:
    notes = ["by line: " + ", ".join(f"{line} gives {count}" for line, count in counts)]
    notes += [f"{side} `{name}` (line {line}) is in no pair" for name, side, line in idle]
    return Diagnostic(
        "E12", span, f"this paradigm says it yields {claimed} pairs but describes {total}", notes=tuple(notes)
    )


def share_missing(span: Span) -> Diagnostic:
    return Diagnostic(
        "E68",
        span,
        "this pair has no share, and others have",
        help="give every pair its share of the rows, in percent, or none",
    )


def shares_off(span: Span, total: float, shares: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        "E68",
        span,
        f"the shares make up {total:g} percent of the rows, not 100: {' + '.join(shares)}",
        help="a share is more than nothing, and together they are all rows",
    )


def splits_exceed(span: Span, taken: int, size: int) -> Diagnostic:
    return Diagnostic(
        "E69",
        span,
        f"the splits take {taken:,} instances, and there are {size:,}",
        help=f"write `size {taken}`, or smaller splits; what is left over is `test`",
    )
