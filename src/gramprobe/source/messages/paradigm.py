"""Messages about paradigms and theories."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gramprobe.source.diagnostic import Diagnostic, Span
from gramprobe.source.nearest import did_you_mean, listed
from gramprobe.source.wording import with_article


def wrong_arity(
    span: Span, constructor: Any, wanted: Sequence[str], got: Sequence[str], bracket: str = ""
) -> Diagnostic:
    parts = f"{len(wanted)} part{'' if len(wanted) == 1 else 's'} ({', '.join(wanted)})"
    here = f"here {'is' if len(got) == 1 else 'are'} {len(got)} ({', '.join(got)})" if got else "here is none"
    return Diagnostic(
        code="E03", span=span, message=f"`{constructor.name}` is built of {parts}, and {here}",
        caret=f"declared at {constructor.span.path}:{constructor.span.line}",
        help=bracket,
    )  # fmt: skip


def bracket_hint(after: str, fitting: Sequence[str]) -> str:
    """The place where a parenthesis would mend the number of parts."""
    both = " and ".join(f"`{f}`" for f in fitting)
    return f"a `)` after `{after}` would fit {'both ' if len(fitting) > 1 else ''}{both}"


def wrong_category(
    span: Span, wanted: str, got: str, wraps: Sequence[str], shown: str, asker: tuple[str, int, int] | None = None
) -> Diagnostic:
    """``asker``: the constructor that needs the part, its number (from 1), and how many parts there are."""
    ways = " or ".join(f"`{w}({shown})`" for w in wraps[:3])
    if asker is None:
        message = f"a condition is a sentence ({wanted}), got {with_article(got)}"
    else:
        name, number, of = asker
        which = (
            f"{with_article(wanted)} as its {_ORDINALS.get(number, f'{number}th')} part"
            if of > 1
            else with_article(wanted)
        )
        message = f"`{name}` needs {which}, got {with_article(got)}"
    return Diagnostic(code="E04", span=span, message=message, help=f"wrap it: {ways}" if ways else "")


_ORDINALS = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth"}


def wrong_redraw(span: Span, name: str, wanted: str, got: str) -> Diagnostic:
    return Diagnostic(
        code="E04",
        span=span,
        message=f"`{name}` is drawn as {with_article(wanted)}: {with_article(got)} cannot stand in its place",
    )


def too_many_trees(span: Span, name: str, most: int) -> Diagnostic:
    return Diagnostic(
        code="E35",
        span=span,
        message=f"there are more than {most:,} ways to build `{name}` from these constructors",
        help="take fewer constructors, or a smaller `depth`",
    )


def no_word_to_limit(span: Span, name: str) -> Diagnostic:
    return Diagnostic(
        code="E40",
        span=span,
        message=f"limits count words, and `{name}` is a value of a feature",
        help="count draws of words, or the values of a column: `each noun.class at most 10 times`",
    )


def no_column_to_carry(span: Span, name: str, known: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        code="E05",
        span=span,
        message=f"no drawn word has the column `{name}`{did_you_mean(name.rpartition('.')[2], known)}",
        help=f"columns that can be carried: {listed(known)}" if known else "",
    )


def not_measured(span: Span, name: str, columns: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        code="E05",
        span=span,
        message=f"`{name}` has none of the columns that say how often people draw an inference",
        help=f"name a draw, or a word of the lexicon, that has the columns {listed(columns)}",
    )


def no_size(span: Span) -> Diagnostic:
    return Diagnostic(code="E33", span=span, message="a set has at least one instance")


def no_accuracy(span: Span, text: str) -> Diagnostic:
    return Diagnostic(
        code="E33",
        span=span,
        message=f"{text} is no accuracy: write the share of the rows that the reader gets right",
        help="a number from 0 to 1, as 0.80",
    )


def no_limit(span: Span) -> Diagnostic:
    return Diagnostic(
        code="E33", span=span, message="a word that may never be drawn leaves no instance: write 1 or more"
    )


def no_column(span: Span, what: str) -> Diagnostic:
    return Diagnostic(code="E05", span=span, message=f"`{what}` is not a drawn word: only a drawn word has columns")


def draw_needs_by(span: Span, category: str, makers: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        code="E40",
        span=span,
        message=f"{category} has no lexicon file: say which constructors build it",
        help=f"write `{category} by {', '.join(makers[:3]) or '...'}`",
    )


def by_on_words(span: Span, category: str) -> Diagnostic:
    return Diagnostic(
        code="E40", span=span, message=f"{category} is drawn as a word, not built: `by` cannot stand here"
    )


def restriction_on_trees(span: Span, category: str) -> Diagnostic:
    return Diagnostic(
        code="E40", span=span, message=f"a drawn {category} is a tree: restrict it with `where`, not in brackets"
    )


def endless(span: Span, name: str, maker: str, path: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        code="E15",
        span=span,
        message=f"the trees of `{name}` never end: `{maker}` puts {with_article(path[-1])} into {with_article(path[-1])}"
        + (f" ({' > '.join(path)})" if len(path) > 2 else ""),
        help="name constructors that do not lead back to their own category",
    )


def nothing_builds(span: Span, category: str, makers: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        code="E40",
        span=span,
        message=f"the phrase needs {with_article(category)}, and no constructor after `by` builds one",
        help=f"add one of: {listed(makers)}" if makers else "",
    )


def useless_by(span: Span, name: str, category: str) -> Diagnostic:
    return Diagnostic(
        code="E40", span=span, message=f"`{name}` cannot occur in a {category} built by these constructors"
    )


def empty_domain(span: Span, name: str, category: str, words: Sequence[str] = ()) -> Diagnostic:
    """``words``: those that are named with commas between them, as if one word could be all of them."""
    return Diagnostic(
        code="E09",
        span=span,
        message=f"no {category} has all of these values, so that there is nothing to draw for `{name}`",
        help=f"between words of which one is drawn stands `|`: `{category}[{'|'.join(words)}]`" if words else "",
    )


def claim_of_none(span: Span, name: str) -> Diagnostic:
    return Diagnostic(
        code="E09",
        span=span,
        message=f"no instance has such a `{name}`, so that the claim is about none",
        help=f"name what the line `draw {name}` draws, or take the claim out",
    )


def words_left_out(span: Span, category: str, column: str, words: Sequence[str], by: Span) -> Diagnostic:
    one = len(words) == 1
    return Diagnostic(
        code="E09",
        span=span,
        severity="warning",
        message=f"{len(words)} word{'' if one else 's'} of {category} {'is' if one else 'are'} not drawn, without a value of `{column}`: {listed(words, 4)}",
        notes=(f"{by.path}:{by.line} looks it up in a table",),
        help=f"add a column `{column}` to the table of these words",
    )


def no_words_satisfy(span: Span, story: Sequence[str], help: str) -> Diagnostic:
    return Diagnostic(
        code="E09", span=span, message="no words meet all of these conditions together", notes=tuple(story), help=help
    )


def too_tangled(span: Span, name: str, cells: int) -> Diagnostic:
    return Diagnostic(
        code="E35",
        span=span,
        message=f"the instances of `{name}` cannot be counted: its conditions relate too many draws with each other ({cells:,} combinations at once)",
        help="relate fewer draws by one condition, or by coarser columns",
    )


def too_large(span: Span, name: str) -> Diagnostic:
    return Diagnostic(
        code="E35", span=span, message=f"the space of `{name}` has more than 2^120 instances", help="draw fewer words"
    )


def too_few(
    span: Span, name: str, wanted: int | None, there: int, space: int, limits: Sequence[str], why: Sequence[str]
) -> Diagnostic:
    """``limits``: the lines that limit its instances."""
    limited, s = bool(limits), "s" if there == 1 else ""
    kinds = {f"give{s} the levels of its factors equal numbers" if each.startswith("factor ") else f"keep{s} the limits of its `each` lines" for each in limits}  # fmt: skip
    also = "".join(f" and {each}" for each in sorted(kinds, reverse=True))
    those = f"{there:,}" if there == space else f"{there:,} that repeat{s} no pair{also} (of {space:,})"
    widen = " a limit, or the draw that it counts" if limited else " a draw"
    if there < space and not limited:
        widen += ", or have each row say what is drawn"
    return Diagnostic(
        code="E33",
        span=span,
        message=f"{'all' if wanted is None else f'{wanted:,}'} instances of `{name}` are wanted, but there {'is' if s else 'are'} {those}",
        notes=tuple(why),
        help=(f"write `size {there}`, build with `--n {there}` or `--n all`, or widen" if there else "widen") + widen,
    )


def useless_redraw(span: Span, name: str) -> Diagnostic:
    return Diagnostic(
        code="E26", span=span, message=f"`{name}` is not in this sentence, so that `with` replaces nothing"
    )


def no_scale_member(span: Span, word: str, what: str) -> Diagnostic:
    return Diagnostic(
        code="E60", span=span, message=f"`{word}` is {what}: it cannot stand on a scale",
        help="a scale holds quantifiers (`some`, `all`, `most`, `atleast 2`), connectives (`or`, `and`, `left`, `right`), operators, or predicates",
    )  # fmt: skip


def unknown_scale_member(span: Span, word: str, theory: str, near: str) -> Diagnostic:
    return Diagnostic(
        code="E60", span=span, message=f"`{word}` is not declared{near}: it names no quantifier, connective, drawn or written word, and no operator of theory {theory}",
    )  # fmt: skip


def nothing_to_strengthen(span: Span, column: str) -> Diagnostic:
    more = ", and no premise has a constructor with `sem conveys`" if column == "pragmatic" else ""
    return Diagnostic(
        code="E61", span=span, message=f"the column `{column}` strengthens by a scale, and this paradigm has no scale{more}",
        help="write `scale WEAK, STRONG`, or leave the column out: the literal labels stand",
    )  # fmt: skip


def bare_claim_without_gold(span: Span, label: str) -> Diagnostic:
    return Diagnostic(
        code="E72", span=span, message="these rows have no label (`gold none`), so that a claim must say of which reading it is",
        help=f"name the reading: `expect literal {label}`",
    )  # fmt: skip


def idle_scale(span: Span, words: Sequence[str], drawn: Sequence[str]) -> Diagnostic:
    """``drawn``: the draws of words of the scale."""
    draws = f"its words are drawn: name the draws in the place of the words, as in `scale {', '.join(drawn)}`"
    return Diagnostic(
        code="E61", span=span, message=f"no sentence contains a word of the scale {listed(words)}: strengthening by this scale changes nothing",
        help=draws if drawn else "`gramprobe explain PARADIGM` shows the formulas in which the words would have to stand",
    )  # fmt: skip


def exh_without_scale(span: Span, theory: str, condition: str) -> Diagnostic:
    return Diagnostic(
        code="E61", span=span, message=f"`{condition}` strengthens by `exh`, and neither the paradigm nor theory {theory} has a scale",
        help="write `scale some, all`, or whatever the words are, into the paradigm or the theory",
    )  # fmt: skip


def same_words(span: Span, name: str, other: str, paired: bool) -> Diagnostic:
    """``paired``: whether the task has pairs of sentences, or else texts beside them."""
    return Diagnostic(
        code="E27", span=span, message=f"`{name}` and `{other}` are one sentence: drop one of them, or reword it",
        help=f"a pair may have `{other}` on either side, below whichever heading it stands" if paired else "a sentence may stand behind several contexts or questions: write one for each condition",
    )  # fmt: skip


def pair_twice(span: Span, pairs: Sequence[str], before: int) -> Diagnostic:
    if len(pairs) == 1:
        return Diagnostic(code="E28", span=span, message=f"the pair {pairs[0]} stands twice (line {before})")
    return Diagnostic(
        code="E28",
        span=span,
        message=f"{len(pairs)} pairs of this line stand twice (line {before}): {listed(pairs, 3)}",
    )


def not_two_draws(span: Span, got: int) -> Diagnostic:
    many = f"{got} draws" if got > 1 else "one draw"
    return Diagnostic(
        code="E85", span=span, message=f"`balance` swaps two draws, and here {'are' if got > 1 else 'is'} {many}",
        help="write a line for each two draws: `balance owner, other`",
    )  # fmt: skip


def no_premises(span: Span, task: str) -> Diagnostic:
    return Diagnostic(
        code="E85",
        span=span,
        message=f"`balance` swaps draws in premises, and the task `{task}` has no premises",
        help="take the line out",
    )


def shared_pairs(span: Span) -> Diagnostic:
    return Diagnostic(
        code="E85",
        span=span,
        message="`balance` asks every pair of an instance twice, and `share` asks one pair of an instance",
        help="take one of them out",
    )


def unlike_draws(span: Span, one: tuple[str, str], other: tuple[str, str]) -> Diagnostic:
    return Diagnostic(
        code="E85",
        span=span,
        message=f"`{one[0]}` is drawn as {with_article(one[1])} and `{other[0]}` as {with_article(other[1])}: they cannot change places",
        help=f"draw two of one category: `draw {one[0]}, other : {one[1]}`",
    )


def nothing_to_swap(span: Span, premise: str, draws: Sequence[str]) -> Diagnostic:
    names = " nor ".join(f"`{draw}`" for draw in draws)
    return Diagnostic(
        code="E86", span=span, message=f"the premise `{premise}` mentions neither {names}: swapping changes nothing in it",
        help="`balance` names the draw that the premises mention, and the draw that is to take its place",
    )  # fmt: skip


def unbalanced(span: Span, name: str, reason: str, notes: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        code="E88", span=span, message=f"`{name}` is not balanced: {reason}", notes=tuple(notes),
        help="swap draws that premises and hypotheses share, so that one of the two premises says nothing about the hypothesis",
    )  # fmt: skip


def name_is_taken(span: Span, name: str) -> Diagnostic:
    return Diagnostic(
        code="E89",
        span=span,
        message=f"`balance` needs the name `{name}` for itself",
        help="give this another name",
    )


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
        code="E12",
        span=span,
        message=f"`yields` says {claimed} pairs, and the `pair` lines make {total}",
        notes=tuple(notes),
    )


def share_missing(span: Span) -> Diagnostic:
    return Diagnostic(
        code="E68",
        span=span,
        message="this pair has no share, and others have",
        help="give every pair its share of the rows, in percent, or no pair a share",
    )


def shares_off(span: Span, total: float, shares: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        code="E68",
        span=span,
        message=f"the shares make up {total:g} percent of the rows, not 100: {' + '.join(shares)}",
        help="a share is more than nothing, and together they are all rows",
    )


def splits_exceed(span: Span, taken: int, size: int) -> Diagnostic:
    return Diagnostic(
        code="E69",
        span=span,
        message=f"the splits take {taken:,} instances, and there are {size:,}",
        help=f"write `size {taken}`, or smaller splits; what is left over is `test`",
    )
