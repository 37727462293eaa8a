"""Messages about grammar and lexicon."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from gramprobe.source.diagnostic import Diagnostic, Span
from gramprobe.source.messages.names import unknown_name
from gramprobe.source.nearest import listed, nearest
from gramprobe.source.wording import with_article


def unknown_feature(
    span: Span, category: str, name: str, known: Iterable[str], declared: Span | None = None
) -> Diagnostic:
    """``declared``: where a theory is about a category that a grammar declares, its place."""
    names = list(known)
    near = nearest(name, names)
    help = f"the theory is about the words of any category `{category}`, and takes those of {declared} for them: "
    help += "give them the feature, call the category otherwise, or take another theory"
    return Diagnostic(
        help=help if declared is not None else "",
        code="E05",
        span=span,
        message=f"category {category} has no feature `{name}`; it has{': ' + listed(names) if names else ' no features'}"
        + (f". Did you mean `{near}`?" if near else ""),
        names=(name, f"{category}.*"),
    )


def fixed_feature(span: Span, category: str, name: str, values: Sequence[str]) -> Diagnostic:
    """A constructor gives a value to a feature that its category fixes."""
    return Diagnostic(
        code="E05",
        span=span,
        message=f"{name} is {'|'.join(values)} in every {category}, by its `cat` line: no constructor can give it a value",
        help=f"take it out here; or let it vary, by plain `{name}` in the brackets of `cat {category}[...]`",
    )


def looked_up_by_two(span: Span, feature: str, at: Span) -> Diagnostic:
    """A `where` asks for a feature that a constructor looks up by two draws at once."""
    return Diagnostic(
        code="E31",
        span=span,
        message=f"`{feature}` comes from a table that two drawn words decide; on each side of a condition one may count",
        notes=(f"the tree is at {at}",),
        help="compare the columns of the drawn words instead, in a `where` of the paradigm",
    )


def not_provided(span: Span, maker: str, category: str, feature: str, operand: Any, user: Any) -> Diagnostic:
    """A constructor uses a feature of a tree that another constructor builds without a value of it."""
    place = f"{operand.span.path}:{operand.span.line}"
    return Diagnostic(
        code="E06",
        span=span,
        message=f"`{maker}` builds {with_article(category)} without a value of `{feature}`, "
        f"which `{user.name}` ({place}) uses as `{operand.text}`",
        help=f"give it one, `: {category}[{feature}=...]`: a value, that of an argument (`a.{feature}`), or a table's",
    )


def not_a_number(span: Span, operand: str, sign: str) -> Diagnostic:
    return Diagnostic(
        code="E31",
        span=span,
        message=f"`{sign}` compares numbers here, and `{operand}` is not a number",
        help="compare columns that are declared as `name: number` or `name: decimal`",
    )


def several_beside_or(span: Span) -> Diagnostic:
    return Diagnostic(
        code="E31",
        span=span,
        message="`distinct` of several cannot stand beside `|`",
        help="write it as conditions of their own, or as `a != b`",
    )


def three_draws(span: Span, draws: Sequence[str]) -> Diagnostic:
    """A condition that depends on more draws than two."""
    return Diagnostic(
        code="E31",
        span=span,
        message=f"this condition relates {len(draws)} draws ({', '.join(draws)}), and two is the most",
        help="split it into conditions on two draws each",
    )


def no_constraint(span: Span, text: str, names: Iterable[str], otherwise: str) -> Diagnostic:
    """A condition of a constructor that says not which constraint it is."""
    return Diagnostic(
        code="E31",
        span=span,
        message="this condition has no name: what is wrong with a sentence in which it does not hold?",
        help=f"write `{otherwise}: {text}` for a choice of words, without which the sentence is odd but grammatical; "
        f"a constraint of grammar has one of these names: {', '.join(names)}",
    )


def nothing_compared(span: Span, kind: str, features: Iterable[str], category: str) -> Diagnostic:
    """A line that compares what is carried with an argument, and both have no feature in common."""
    return Diagnostic(
        code="E31",
        span=span,
        message=f"`{kind}` has {listed(features)}, and {category} has none of these, so that nothing is compared",
        help=f"declare the feature, `extend cat {category} with ...`, or a relation between a feature of `{kind}` and a "
        f"column of {category}; or leave out `by`",
    )


def passes_by_itself(span: Span, kind: str) -> Diagnostic:
    return Diagnostic(
        code="E31",
        span=span,
        message=f"`{kind}` passes up from every argument by itself",
        help=f"leave this line out; or declare `carry {kind}[...] by line`, so that it passes only where a line says so",
    )


def carried_without(span: Span, kind: str, missing: Iterable[str]) -> Diagnostic:
    return Diagnostic(
        code="E31",
        span=span,
        message=f"`{kind}` is carried here without a value of {listed(missing)}",
        help=f"give it one: `carries {kind}[{', '.join(f'{each}=...' for each in missing)}]`",
    )


def open_constraint(span: Span, name: str, operand: str, otherwise: str) -> Diagnostic:
    """A constraint of grammar that compares words, numbers or trees."""
    return Diagnostic(
        code="E31",
        span=span,
        message=f"`{name}` is a constraint of grammar, about values of features, and `{operand}` is not compared by one",
        help=f"write `{otherwise}: ...` if it is about which words go together; else compare features, `a.num = b.num`",
    )


def constraint_of_no_feature(span: Span, category: str) -> Diagnostic:
    return Diagnostic(
        code="E31",
        span=span,
        message=f"a `constraint` line names features, and `{category}` is a category",
        help=f"write `{category}.FEATURE`, as in `constraint agree sv = NP.num`",
    )


def claim_of_no_feature(span: Span, category: str) -> Diagnostic:
    return Diagnostic(
        code="E31",
        span=span,
        message=f"a `claim` line is about a feature, and `{category}` is a category",
        help=f"write `{category}.FEATURE`, as in `claim NP.licensing weak licensing`",
    )


def claim_refuted(
    span: Span, constructor: str, value: str, property_: str, holds: bool, claim: Span, story: Sequence[str]
) -> Diagnostic:
    """``constructor``: with its case; ``value``: with its feature; ``holds``: the value claims the property."""
    has = ("and the meaning is not", "claims to be") if holds else ("and the meaning is", "claims not to be")
    return Diagnostic(
        code="E10",
        span=span,
        message=f"`{constructor}` is `{value}`, which {has[1]} {property_}, {has[0]}",
        notes=(f"the claim stands at {claim}", *story),
        help=f"give it another value than `{value}`, or another meaning",
    )


def other_forms(span: Span, of: str, other: str, features: Sequence[str]) -> Diagnostic:
    """An `also` line between categories whose words have other forms."""
    forms = f"; forms of {other} are chosen by {listed(features)}" if features else ""
    return Diagnostic(
        code="E31",
        span=span,
        message=f"words of {of} cannot be read as words of {other}{forms}",
        help="both are categories of words, with forms that the same features choose",
    )


def set_of_words(span: Span, column: str) -> Diagnostic:
    return Diagnostic(
        code="E05",
        span=span,
        message=f"column `{column}` holds words for a sentence, and cannot be a set",
        help=f"write `{column}: words`, or `{column}: words?` where some cells are `-`",
    )


def no_column_of_words(operand: Any, kind: str) -> Diagnostic:
    """A `lin` says a column of an argument that does not hold words."""
    return Diagnostic(
        code="E30",
        span=operand.column.span,
        message=f"`{operand.text}` is {_content(kind)}, and a sentence is made of words",
        help=f"declare the column as `{operand.column.text}: words`; words for the values of a feature come from a table",
    )


def _content(kind: str) -> str:
    """What a column of a type other than `words` holds."""
    return "a number" if kind in ("number", "decimal") else f"a value of {kind}"


def no_value_for_a_tree(span: Span, category: str, column: str, holds: str) -> Diagnostic:
    """A column stands in a tree, and holds neither a word nor one value of a feature."""
    return Diagnostic(
        code="E05",
        span=span,
        message=f"column `{column}` of {category} holds {holds}: a tree is made of words and of single values",
        help="`where` may compare it; a meaning may use it",
    )


def unknown_value(span: Span, feature: str, value: str, known: Iterable[str]) -> Diagnostic:
    names = list(known)
    near = nearest(value, names)
    return Diagnostic(
        code="E05",
        span=span,
        message=f"feature {feature} has no value `{value}`; it has: {listed(names)}"
        + (f". Did you mean `{near}`?" if near else ""),
    )


def no_form(span: Span, category: str, feature: str, value: str, forms: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        code="E05",
        span=span,
        message=f"the words of {category} have no column for {feature}={value}; they have: {', '.join(forms)}",
    )


def forms_of_no_feature(span: Span, category: str, forms: Sequence[str], features: Sequence[str]) -> Diagnostic:
    """No feature of a category has all names of its form columns as values."""
    if not forms:
        return Diagnostic(
            code="E05",
            span=span,
            message=f"category {category} does not say which columns hold its words",
            help="write `word COLUMN` or `forms A, B`",
        )
    return Diagnostic(
        code="E05", span=span, message=f"the forms {', '.join(forms)} of {category} are not values of one of its features ({listed(features) or 'it has no features'})",
        help=f"add the feature whose values they are: `cat {category}[form]`, or two (`past_sg` is `past` and `sg`); for a single form write `word COLUMN`",
    )  # fmt: skip


def unknown_type(span: Span, part: str) -> Diagnostic:
    return Diagnostic(
        code="E07",
        span=span,
        message=f"`{part}` is no type of a meaning",
        help="types are e (individual), t (statement), n (number), o (occasion) and functions like `e -> t`, `(e -> t) -> t`",
    )


def wrong_feature(span: Span, wanted: str, got: str) -> Diagnostic:
    return Diagnostic(code="E32", span=span, message=f"here stands a value of {wanted}, and this is one of {got}")


def too_few_to_differ(span: Span) -> Diagnostic:
    return Diagnostic(code="E31", span=span, message="`distinct` compares two things or more")


def incomparable(span: Span, sides: Sequence[str], kinds: Sequence[str]) -> Diagnostic:
    left, right = (f"`{side}` is {with_article(kind)}" for side, kind in zip(sides, kinds, strict=True))
    return Diagnostic(code="E31", span=span, message=f"{left} and {right}: no value of the one is a value of the other")


def not_asked(span: Span, constructor: str, argument: str, feature: str, values: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        code="E06",
        span=span,
        message=f"`{constructor}` uses `{argument}` without asking for its {feature}",
        help=f"write `{argument}[{feature}={'|'.join(values)}]` with one of these values; or `head {argument}: ...` in the line `fun`: then it has the {feature} that is asked of the whole phrase",
    )


def not_asked_of_sentence(span: Span, category: str, feature: str, values: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        code="E06",
        span=span,
        message=f"these words vary by `{feature}`, and nothing asks a whole sentence ({category}) for a value of it",
        help=f"ask for one in the words of a constructor of {category}, as in `lin c[{feature}={values[0]}]`; or add a line for all values, without a case",
    )


def open_feature(span: Span, constructor: str, operand: str, feature: str) -> Diagnostic:
    return Diagnostic(
        code="E06",
        span=span,
        message=f"`{operand}` has no value here: it is what `{constructor}` is asked for, and nothing asks it for its {feature}",
        help=f"write a value in its place, the one that `{operand.partition('.')[0]}[{feature}=...]` is asked for",
    )


def no_argument(span: Span, constructor: str, name: str, known: Sequence[str]) -> Diagnostic:
    unknown = unknown_name(span, f"argument of `{constructor}`", name, known)
    return replace(
        unknown, help="; ".join([*filter(None, [unknown.help]), f'words as they are stand in quotes: `"{name}"`'])
    )


def no_words(span: Span, name: str) -> Diagnostic:
    return Diagnostic(
        code="E06",
        span=span,
        message=f"`{name}` has no words",
        help='add a line `lin ...` below it (`lin ""` for an empty text)',
    )


def stands_for_nothing(span: Span, name: str) -> Diagnostic:
    return Diagnostic(
        code="E06",
        span=span,
        message=f"`{name}` stands for nothing",
        help="add a line `as ...` below it, with a term of its arguments: `as A(n)`",
    )


def no_meaning(span: Span, name: str) -> Diagnostic:
    return Diagnostic(
        code="E06",
        span=span,
        message=f"`{name}` has no meaning",
        help="add a line `sem ...` below it; only in a paradigm of `task sentences` it needs none",
    )


def no_case(
    span: Span, name: str, what: str, text: str, by: Any, feature: Any, chosen: Mapping[str, str]
) -> Diagnostic:
    wants = f", which `{by.name}` ({by.span.path}:{by.span.line}) requests" if by is not None else ""
    line = "lin" if what == "words" else "sem"
    removal = (
        f", or remove `{chosen[feature.name]}` from feature `{feature.name}` ({feature.span.path}:{feature.span.line})"
        if feature is not None
        else ""
    )
    return Diagnostic(
        code="E06",
        span=span,
        message=f"`{name}` has no {what} for {text}{wants}",
        help=f"add `{line} [{text}] ...`{removal}",
        names=(f"{name} cases",),
    )


def only_named(span: Span, name: str, text: str, readings: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        code="E06", span=span,
        message=f"`{name}` has only named readings for {text}: {listed(readings)}; another `sem` of it has no name, so that it is the surface reading, and each case needs one",
        help=f'give that `sem` a name, too, as in `sem reading "{readings[0]}" ...`: the first named one of each case is its surface reading then',
    )  # fmt: skip


def argument_not_said(span: Span, constructor: str, argument: str) -> Diagnostic:
    return Diagnostic(
        code="E30", span=span, message=f"this `lin` of `{constructor}` does not contain `{argument}`, but each argument occurs in the words",
        help=f"leave it out on purpose with `unsaid {argument}` at the end of the line",
    )  # fmt: skip


def said_and_unsaid(span: Span, constructor: str, argument: str) -> Diagnostic:
    return Diagnostic(
        code="E30", span=span, message=f"this `lin` of `{constructor}` contains `{argument}`, but it ends in `unsaid {argument}`"
    )  # fmt: skip


def feature_has_no_words(span: Span, name: str, feature: str) -> Diagnostic:
    return Diagnostic(
        code="E30",
        span=span,
        message=f"`{name}` is a value of feature {feature} and has no words",
        help=f"look one up in a table: `table word[{feature}] ...`, then `word({name})`",
    )


def bad_formula(span: Span, message: str, hint: str) -> Diagnostic:
    return Diagnostic(code="E07", span=span, message=message, help=hint)


def wrong_type(span: Span, message: str, caret: str = "", help: str = "", names: tuple[str, ...] = ()) -> Diagnostic:
    return Diagnostic(code="E07", span=span, message=message, caret=caret, help=help, names=names)


def bad_each_condition(span: Span, category: str) -> Diagnostic:
    return Diagnostic(
        code="E31",
        span=span,
        message=f"a condition here compares a column of {category} with a value",
        help="as in `where factive = yes`",
    )


def bad_schema_condition(span: Span, variable: str) -> Diagnostic:
    return Diagnostic(
        code="E31",
        span=span,
        message=f"a condition here compares a column of `{variable}` with a value",
        help=f"as in `where {variable}.sort = person`",
    )
