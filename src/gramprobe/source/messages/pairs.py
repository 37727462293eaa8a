"""Messages about minimal pairs: which constraint a sentence breaks, and what its chart says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gramprobe.source.diagnostic import Diagnostic, Span


def line_of_pairs(span: Span, line: str, task: str) -> Diagnostic:
    return Diagnostic(
        code="E55", span=span, message=f"`{line}` is about minimal pairs, which task {task} does not have",
        help="take the line out, or write `task minimal_pair`",
    )  # fmt: skip


def nothing_broken(span: Span, task: str) -> Diagnostic:
    return Diagnostic(
        code="E55", span=span, message=f"the sentences of task {task} have meanings, and none of them can break a constraint",
        help="take `breaking ...` out, or write `task minimal_pair` (or `task sentences`)",
    )  # fmt: skip


def not_within(span: Span, let: str, condition: str) -> Diagnostic:
    return Diagnostic(
        code="E55", span=span, message=f"the tree of `{let}` does not stand in `{condition}`",
        help="name a `let` line of which the sentence is made",
    )  # fmt: skip


def not_stated(
    span: Span, constraint: str, condition: str, value: str, values: Mapping[str, Sequence[str]]
) -> Diagnostic:
    """``values``: those of the features that the constraint is about in the sentence."""
    if not values:
        return Diagnostic(
            code="E55", span=span, message=f"no constructor of `{condition}` states `{constraint}` by a value that its words depend on",
            help="make the bad sentence of other words or constructors: `bad = good with d := a`; `gramprobe explain CONSTRUCTOR` lists what one states",
        )  # fmt: skip
    which = "; ".join(f"`{feature}` is {' or '.join(each)}" for feature, each in values.items())
    what = f"`{value}` is no value of what" if value else "there are several values of what"
    return Diagnostic(
        code="E55", span=span, message=f"{what} `{constraint}` is about in `{condition}`",
        help=f"write `breaking {constraint} as VALUE`: {which}",
    )  # fmt: skip


def bad_with_a_tree(span: Span, condition: str, sentence: str, tree: str) -> Diagnostic:
    return Diagnostic(
        code="E56", span=span, message=f"`{condition}` stands below `bad`, and its sentence is good",
        notes=(f"sentence    {sentence}", f"tree        {tree}"),
        help="put it below `good`, or restrict what is drawn so that no word of it has this reading",
    )  # fmt: skip


def no_end(span: Span, category: str) -> Diagnostic:
    return Diagnostic(
        code="E56", span=span, message=f"sentences of the category `{category}` end in no sign: none is good or bad",
        help=f'a sentence is judged up to its last sign: let the grammar name one, as in `sentence {category} "."`',
    )  # fmt: skip


def good_without_a_tree(span: Span, condition: str, sentence: str, repairs: Sequence[str], where: str) -> Diagnostic:
    """``where``: at which word no sentence goes on."""
    found = ", ".join(repairs) if repairs else "none of one constraint alone"
    return Diagnostic(
        code="E56", span=span, message=f"`{condition}` stands below `good`, and its sentence has no tree",
        notes=(f"sentence    {sentence}", f"repairs     {found}", *([f"it ends     {where}"] if where else [])),
        help="put it below `bad`, or mend the sentence; `gramprobe parse` shows what can be read of it",
    )  # fmt: skip


def no_repair(span: Span, condition: str, sentence: str, constraint: str, repairs: Sequence[str]) -> Diagnostic:
    found = ", ".join(repairs) if repairs else "none of one constraint alone: it differs in more than one"
    return Diagnostic(
        code="E56", span=span, message=f"lifting `{constraint}` does not make the sentence of `{condition}` good",
        notes=(f"sentence    {sentence}", f"repairs     {found}"),
        help="name the constraint that the bad sentences break, or let them differ in it alone",
    )  # fmt: skip


def several_differences(span: Span, good: str, bad: str, places: Sequence[tuple[str, str]]) -> Diagnostic:
    """``places``: what stands there in the good tree, and in the bad one."""
    return Diagnostic(
        code="E56", span=span, message=f"`{bad}` differs from `{good}` in {len(places)} places of their trees, and a minimal pair differs in one",
        notes=tuple(f"{one or 'nothing'} / {other or 'nothing'}" for one, other in places),
        help="let them differ in one word, feature value, constructor or gap (two parts that change places are one difference); or cross both by `factor` lines, where this pair is a cell",
    )  # fmt: skip


def claim_unmet(span: Span, claim: str, condition: str, sentences: tuple[str, str], why: str) -> Diagnostic:
    return Diagnostic(
        code="E56", span=span, message=f"`{claim}` does not hold of `{condition}`: {why}",
        notes=(f"good        {sentences[0]}", f"bad         {sentences[1]}"),
        help="take the claim out, or let the sentences differ in less",
    )  # fmt: skip
