"""Every message, phrased in one place: what is wrong, where, what was expected, the nearest fix.

Functions are named after the mistake and give a :class:`Diagnostic`. What is declared elsewhere is told with
its place. Codes are listed with their pages in :mod:`gramprobe.source.codes`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from gramprobe.source.diagnostic import Diagnostic
from gramprobe.source.nearest import did_you_mean, listed, nearest
from gramprobe.source.span import Span

_SIGNS = {
    "COLON": "`:`", "COMMA": "`,`", "EQUALS": "`=`", "EQUAL": "`=`", "RPAR": "`)`", "LPAR": "`(`", "RSQB": "`]`", "LSQB": "`[`",
    "NAME": "a name", "STRING": 'a quoted text ("...")', "INT": "a number", "ARROW": "`->`", "VBAR": "`|`", "FORMULA": "a formula",
    "FILE": "a file name (....tsv)", "DOT": "`.`", "DIFFERS": "`!=`", "PLUS": "`+`", "STAR": "`*`", "$END": "the end of the line",
    "KIND": "`box` or `diamond`", "BECOMES": "`:=`", "GIVES": "`=>`", "THEORY": "the name of a theory",
    "HEADING": "", "<END-OF-FILE>": "the end of the line", "OPTIONAL": "`?`",
}  # fmt: skip


def _sign(token: str) -> str:
    if token in _SIGNS:
        return _SIGNS[token]
    return "" if token.startswith("__") or token in ("STRAY", "WS") else f"`{token.lower()}`"


def _place(span: Span | None) -> str:
    return f" ({span})" if span is not None else ""


# ---- reading files -----------------------------------------------------------------------------------------


def unreadable_file(path: str, why: str) -> Diagnostic:
    return Diagnostic("E13", Span(path, 1, 1), f"this file cannot be read: {why}")


def not_utf8(path: str, line: int, column: int, byte: int) -> Diagnostic:
    return Diagnostic(
        "E13", Span(path, line, column), f"this file is not UTF-8: byte 0x{byte:02x} here begins no character",
        help="save it again as UTF-8 (a spreadsheet offers `CSV UTF-8` or `Unicode text`)",
    )  # fmt: skip


def unknown_keyword(span: Span, first: str, keywords: Sequence[str]) -> Diagnostic:
    """``span`` is the whole line; its first word is what is wrong."""
    near = nearest(first, keywords)
    return Diagnostic(
        "E01", Span(span.path, span.line, span.column, len(first)), f"no line begins with `{first}`{did_you_mean(first, keywords)}",
        help="" if near else f"a line begins with one of: {', '.join(keywords)}",
    )  # fmt: skip


def not_text(path: str, line: int, column: int, character: str) -> Diagnostic:
    return Diagnostic(
        "E13", Span(path, line, column), f"this file is no text: it holds the control character 0x{ord(character):02x}"
    )  # fmt: skip


def no_sentences(span: Span) -> Diagnostic:
    return Diagnostic(
        "E39", span, "no `sentence` line of the grammar says which categories are sentences", help='write `sentence S "."`'
    )


def unreadable_statement(span: Span, keyword: str, text: str, found: str, expected: Sequence[str]) -> Diagnostic:
    """A statement that breaks off or goes on wrongly at ``span``; frequent slips have words of their own."""
    signs = [s for s in dict.fromkeys(_sign(e) for e in expected) if s]
    if keyword == "draw" and "COLON" in expected and (not found or found[0].isalpha()):
        names = text.split("draw", 1)[1]
        names = names[: names.rfind(found)] if found and "," in names else names.split()[0]
        names = " ".join(names.split())
        return Diagnostic(
            "E01", span, 'missing ":" between the variable and its category',
            caret=f"write `draw {names} : {found or 'N'}{'[...]' if '[' in text else ''}`",
        )  # fmt: skip
    if keyword == "operator" and "KIND" in expected and not found:
        for word in re.finditer(r"[\w-]+", text):
            near = nearest(word.group(), ("box", "diamond"))
            if near and word.start() > text.index("operator") + 8:
                at = span.column - len(text.rstrip()) + word.start() if "\n" not in text else span.column
                place = Span(span.path, span.line, max(at, 1), len(word.group()))
                if word.group() == near:
                    return Diagnostic("E01", place, "this operator has no name", help=f"write `operator NAME {near}`")
                return Diagnostic("E01", place, f"an operator is `box` or `diamond`; did you mean `{near}`?")
        return Diagnostic("E01", span, "this operator is neither `box` nor `diamond`", help="write `operator NAME box` or `operator NAME diamond`")
    if found.startswith('"') and "STRING" in expected and found.count('"') == 1:
        return Diagnostic("E01", span, "this quoted text is never closed", help='add a `"` at its end')
    if found in ("->", "=", "==>", ">", "\u2192", "\u21d2") and "GIVES" in expected:
        return Diagnostic("E01", span, f"`{found}` cannot stand here", help="between premise and hypothesis write `=>`")
    if found[:1].isalpha() and not found[0].isascii():
        return Diagnostic(
            "E01", span, f"`{found[0]}` cannot stand in a name", help="names hold the letters a to z, digits and `_`"
        )  # fmt: skip
    slip = _SLIPS.get(found) or _SLIPS.get(found[:2]) or _SLIPS.get(found[:1])
    if slip:
        return Diagnostic("E01", span, f"`{found}` cannot stand here", help=slip)
    if found == ":" and keyword in ("premise", "hypothesis"):
        return Diagnostic("E01", span, "a heading stands alone on its line", help=f"write `{keyword}`")
    if found == "." and keyword in ("uses", "theory", "include"):
        return Diagnostic("E01", span, "`.` cannot stand here", help="files are named without their suffix")
    if found == "=" and text.split("\n")[0][: span.column - 1].rstrip().endswith("="):
        return Diagnostic("E01", span, "`==` cannot stand here", help="write `=`")
    balance = text.count("(") - text.count(")")
    if not found and "RPAR" in expected and balance > 0:
        return Diagnostic("E01", span, f"{balance} `)` missing at the end of this line" if balance > 1 else "a `)` is missing at the end of this line")  # fmt: skip
    if found.startswith(")") and balance < 0:
        return Diagnostic("E01", span, "this `)` closes nothing", help="take it out, or open it with `(` before")
    what = f"`{found}` cannot stand here" if found else f"this `{keyword}` line ends too early"
    if not signs:
        return Diagnostic("E01", span, what)
    if len(signs) == 1:
        return Diagnostic("E01", span, f"{what}; expected {signs[0]}")
    return Diagnostic("E01", span, what, help=f"expected {_alternatives(signs)}")


#: signs of other languages -> what stands for them here
_SLIPS = {
    "#": "a comment begins with `--`", "//": "a comment begins with `--`", "and": "join conditions with `,`",
    "<>": "write `!=`", "\u2260": "write `!=`", "\u201c": 'a quoted text stands in straight quotes: "..."',
    "'": 'a quoted text stands in double quotes: "..."',
}  # fmt: skip


def _alternatives(signs: Sequence[str]) -> str:
    """``a, b or c``."""
    return f"{', '.join(signs[:-1])} or {signs[-1]}" if len(signs) > 1 else "".join(signs)


def too_deep(span: Span, deepest: int) -> Diagnostic:
    return Diagnostic("E01", span, f"more than {deepest} parentheses stand inside each other")


def misplaced_line(span: Span, keyword: str, above: str) -> Diagnostic:
    return Diagnostic("E39", span, f"`{keyword}` stands alone: it belongs below {above}")


def missing_line(span: Span, keyword: str, stem: str) -> Diagnostic:
    examples = {
        "paradigm": f"paradigm {stem}", "theory": "theory presupposition", "uses": "uses english",
        "hypothesis": "hypothesis", "pair": "pair any => presupposed   expect entailment",
    }  # fmt: skip
    return Diagnostic(
        "E39", span, f"a line `{keyword}{'' if keyword == 'hypothesis' else ' ...'}` is missing",
        help=f"write `{examples.get(keyword, keyword)}`", names=(f"line {keyword}",),
    )  # fmt: skip


def empty_grammar(span: Span) -> Diagnostic:
    return Diagnostic("E39", span, "this grammar file declares nothing")


def empty_table(span: Span) -> Diagnostic:
    return Diagnostic("E18", span, "this table of words is empty: its first line names the columns")


def no_rows(span: Span) -> Diagnostic:
    return Diagnostic("E18", span, "this table of words has no word below its header")


def id_is_constant(span: Span, id_: str) -> Diagnostic:
    return Diagnostic(
        "E16", span, f"`{id_}` is the id of a word and a constant of the grammar: in a formula they would be one",
        help=f"give the word another id, say `{id_}_1`",
    )  # fmt: skip


def stray_cells(span: Span, found: int, header: Sequence[str], alike: int = 1) -> Diagnostic:
    more = "more" if found > len(header) else "fewer"
    rows = f"all {alike} rows have" if alike > 1 else "this row has"
    return Diagnostic(
        "E17", span, f"{rows} {found} cell{'s' if found != 1 else ''}, {more} than the {len(header)} columns of the header",
        help=f"the columns are {', '.join(header)}; cells are separated by one tab each",
    )  # fmt: skip


def unknown_column(span: Span, name: str, category: str, wanted: Sequence[str]) -> Diagnostic:
    if not name.strip():
        return Diagnostic("E18", span, "this column has no name", help="is there a tab too many?")
    return Diagnostic(
        "E18", span, f"category `{category}` declares no column `{name}`{did_you_mean(name, wanted)}",
        help=f"its columns are {', '.join(wanted)}; declare another in its `cat` line",
    )  # fmt: skip


def missing_column(span: Span, name: str, category: str) -> Diagnostic:
    return Diagnostic("E18", span, f"the column `{name}` is missing, which category `{category}` declares")


def bad_id(span: Span, id_: str) -> Diagnostic:
    return Diagnostic(
        "E08",
        span,
        f"`{id_}` cannot be the id of a word",
        help="an id begins with a letter and holds letters, digits and `_` only",
    )


def reserved_id(span: Span, id_: str) -> Diagnostic:
    return Diagnostic(
        "E08", span, f"`{id_}` cannot be the id of a word: formulas mean something else by it", help=f"say `{id_}_1`"
    )


def bad_form(span: Span, column: str, id_: str, text: str) -> Diagnostic:
    what = "is empty" if not text.strip() else "has spaces at an end, or two in a row"
    return Diagnostic(
        "E08",
        span,
        f"column `{column}` of `{id_}` {what}",
        help="every form of a word is written out, spaced as it is to be printed",
    )


def bad_value(span: Span, column: str, id_: str, value: str, known: Iterable[str], feature: str) -> Diagnostic:
    names = list(known)
    return Diagnostic(
        "E08", span, f'column `{column}` of "{id_}" is `{value}`; allowed: {listed(names)}{did_you_mean(value, names).replace("; did", ". Did")}'
    )  # fmt: skip


# ---- names -------------------------------------------------------------------------------------------------


def unknown_name(span: Span, what: str, name: str, known: Iterable[str], code: str = "E02") -> Diagnostic:
    names = list(dict.fromkeys(known))
    near = did_you_mean(name, names)
    rest = "" if near or not names or len(names) > 40 else f"there are: {listed(names)}"
    return Diagnostic(code, span, f"no {what} named `{name}`{near}", help=rest, names=(name, f"{what} words"))


def unknown_constructor(span: Span, name: str, grammar: Any) -> Diagnostic:
    near = nearest(name, grammar.constructors)
    if near is None:
        files = sorted({c.span.path for c in grammar.constructors.values()})
        there = listed(grammar.constructors, 30)
        help = f"{listed(files)} has: {there}" if files else ""
        return Diagnostic("E02", span, f"no constructor named `{name}`", help=help, names=(name,))
    declared = grammar.constructors[near].span
    return Diagnostic(
        "E02",
        span,
        f"no constructor named `{name}`; did you mean `{near}` ({declared.path}:{declared.line})?",
        names=(name,),
    )


def unknown_file(span: Span, name: str, folder: str, known: Sequence[str]) -> Diagnostic:
    near = nearest(name.rpartition(".")[0], [k.rpartition(".")[0] for k in known])
    return Diagnostic(
        "E19",
        span,
        f"no file `{folder}/{name}`" + (f"; did you mean `{near}.tsv`?" if near else ""),
        help="files are looked for in the shipped folders and on --path",
    )


def declared_twice(span: Span, what: str, before: Span | None) -> Diagnostic:
    return Diagnostic("E16", span, f"{what} is declared twice{_place(before)}")


def circle(span: Span, what: str, names: Sequence[str]) -> Diagnostic:
    help = "a tree is finite: say what it is made of" if what == "let" else f"take one of these `{what}` lines out"
    return Diagnostic("E14", span, f"this `{what}` leads back to itself: {' -> '.join(names)}", help=help)


def unused(span: Span, what: str, name: str) -> Diagnostic:
    return Diagnostic("E26", span, f"{what} `{name}` is never used", help="use it or take the line out")


def name_and_file_differ(span: Span, what: str, name: str, stem: str) -> Diagnostic:
    return Diagnostic("E39", span, f"this {what} is called `{name}` but its file `{stem}`", help="give both one name, of letters, digits and `_`")


# ---- grammar -----------------------------------------------------------------------------------------------


def unknown_feature(span: Span, category: str, name: str, known: Iterable[str]) -> Diagnostic:
    names = list(known)
    near = nearest(name, names)
    return Diagnostic(
        "E05",
        span,
        f"category {category} has no feature `{name}`; it has: {listed(names) or 'none'}"
        + (f". Did you mean `{near}`?" if near else ""),
        names=(name, f"{category}.*"),
    )


def unknown_value(span: Span, feature: str, value: str, known: Iterable[str]) -> Diagnostic:
    names = list(known)
    near = nearest(value, names)
    return Diagnostic(
        "E05",
        span,
        f"feature {feature} has no value `{value}`; it has: {listed(names)}"
        + (f". Did you mean `{near}`?" if near else ""),
    )


def no_form(span: Span, category: str, feature: str, value: str, forms: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        "E05",
        span,
        f"the words of {category} have no column for {feature}={value}; they have: {', '.join(forms)}",
    )


def forms_of_no_feature(span: Span, category: str, forms: Sequence[str], features: Sequence[str]) -> Diagnostic:
    if not forms:
        return Diagnostic(
            "E05",
            span,
            f"category {category} does not say which columns hold its words",
            help="write `word COLUMN` or `forms A, B`",
        )
    return Diagnostic(
        "E05", span, f"the forms {', '.join(forms)} of {category} are not values of one of its features ({listed(features) or 'it has none'})",
        help=f"add the feature whose values they are: `cat {category}[form]`; for a single form write `word COLUMN`",
    )  # fmt: skip


def unknown_type(span: Span, part: str) -> Diagnostic:
    return Diagnostic(
        "E07",
        span,
        f"`{part}` is no type",
        help="types are e (individual), t (statement), n (number) and functions like `e -> t`, `(e -> t) -> t`",
    )


def bad_table_row(span: Span, table: str, keys: Sequence[str], words: bool) -> Diagnostic:
    value = 'a quoted word ("...")' if words else "a value"
    return Diagnostic(
        "E32",
        span,
        f"a row of table `{table}` is {' '.join(keys)} and then {value}; keys may be left out from the right",
    )


def table_incomplete(span: Span, table: str, missing: Sequence[tuple[str, ...]]) -> Diagnostic:
    return Diagnostic("E32", span, f"table `{table}` says nothing for {listed([' '.join(m) for m in missing], 4)}")


def table_arity(span: Span, table: str, keys: Sequence[str], found: int) -> Diagnostic:
    return Diagnostic("E32", span, f"table `{table}` wants {_values(len(keys))} ({', '.join(keys)}) but got {found}")


def _values(count: int) -> str:
    return f"{count} value{'' if count == 1 else 's'}"


def table_key(span: Span, table: str, key: str, got: str) -> Diagnostic:
    return Diagnostic("E32", span, f"table `{table}` goes by {key}, but this is a value of {got}")


def wrong_feature(span: Span, wanted: str, got: str) -> Diagnostic:
    return Diagnostic("E32", span, f"a value of {wanted} is wanted here, but this is a value of {got}")


def table_gives(span: Span, table: str, gives: str, wants: str) -> Diagnostic:
    return Diagnostic("E32", span, f"table `{table}` gives {_gives(gives)}, but {_gives(wants)} is wanted here")


def _gives(what: str) -> str:
    return "words" if what == "words" else f"a value of {what}"


def bad_relation_row(span: Span, relation: str) -> Diagnostic:
    return Diagnostic("E31", span, f"a row of relation `{relation}` is two values")


def relation_misfit(span: Span, name: str, got: Sequence[str], grammar: Any) -> Diagnostic:
    declared = [f"({r.left[0]}, {r.right[0]})" for r in grammar.relations[name]]
    return Diagnostic(
        "E31",
        span,
        f"`{name}` is not declared for ({', '.join(got)})",
        help=f"it is declared for {listed(declared)}",
        names=(name,),
    )


def relates_two(span: Span, relation: str, found: int) -> Diagnostic:
    return Diagnostic("E31", span, f"`{relation}` relates two things, got {found}")


def too_few_to_differ(span: Span) -> Diagnostic:
    return Diagnostic("E31", span, "`distinct` is said of two things or more")


def incomparable(span: Span, sides: Sequence[str], kinds: Sequence[str]) -> Diagnostic:
    left, right = (f"`{side}` is {a(kind)}" for side, kind in zip(sides, kinds, strict=True))
    return Diagnostic("E31", span, f"{left} and {right}: they are never equal")


def a(noun: str) -> str:
    """The noun with its article; a single letter as it is spelt (an N, an S, a Q)."""
    first = noun[:1].lower()
    vowel = first in "aefhilmnorsx" if len(noun) == 1 or noun[1:2].isupper() else first in "aeiou"
    return f"{'an' if vowel else 'a'} {noun}"


def no_words(span: Span, name: str) -> Diagnostic:
    return Diagnostic("E06", span, f"`{name}` has no words", help='add a line `lin ...` below it (`lin ""` for none)')


def no_meaning(span: Span, name: str) -> Diagnostic:
    return Diagnostic("E06", span, f"`{name}` has no meaning", help="add a line `sem ...` below it")


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
        "E06", span, f"`{name}` has no {what} for {text}{wants}", help=f"add `{line} [{text}] ...`{removal}",
        names=(f"{name} cases",),
    )


def said_times(span: Span, constructor: str, argument: str, count: int, wanted: int) -> Diagnostic:
    times = f"says `{argument}` " + {1: "once", 2: "twice"}.get(count, f"{count} times") if count else f"never says `{argument}`"
    rule = "each argument is said exactly once" if wanted else f"it ends in `unsaid {argument}`"
    return Diagnostic(
        "E30", span, f"this `lin` of `{constructor}` {times}, but {rule}",
        help=f"leave it out on purpose with `unsaid {argument}` at the end of the line" if wanted and not count else "",
    )  # fmt: skip


def feature_has_no_words(span: Span, name: str, feature: str) -> Diagnostic:
    return Diagnostic(
        "E30",
        span,
        f"`{name}` is a value of feature {feature} and has no words",
        help=f"look one up in a table: `table word[{feature}] ...`, then `word({name})`",
    )


def bad_formula(span: Span, message: str, hint: str) -> Diagnostic:
    return Diagnostic("E07", span, message, help=hint)


def wrong_type(
    span: Span, message: str, caret: str = "", help: str = "", names: tuple[str, ...] = ()
) -> Diagnostic:
    return Diagnostic("E07", span, message, caret=caret, help=help, names=names)


def bad_schema_condition(span: Span, variable: str) -> Diagnostic:
    return Diagnostic(
        "E31",
        span,
        f"a condition here compares a column of `{variable}` with a value",
        help=f"as in `where {variable}.sort = person`",
    )


# ---- paradigms ---------------------------------------------------------------------------------------------


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


# ---- labels ------------------------------------------------------------------------------------------------


def expectation(
    span: Span, expected: str, derived: str, wrong: int, of: int, story: Sequence[str], help: str = ""
) -> Diagnostic:
    several = f" ({wrong} of {of} pairs on this line)" if of > 1 else ""
    return Diagnostic(
        "E10", span, f"expected {expected}, derived {derived}{several}", notes=tuple(story), help=help
    )


def premise_inconsistent(span: Span, premise: str, sentence: str, theory: str) -> Diagnostic:
    return Diagnostic(
        "E21", span, f"the premise `{premise}` is never true: no model of theory {theory} commits to it",
        notes=(f"premise     {sentence}",), help="every label would hold vacuously; look for two parts of the sentence, or an axiom, that exclude each other",
    )  # fmt: skip


def hypothesis_settled(span: Span, hypothesis: str, sentence: str, how: str, theory: str) -> Diagnostic:
    return Diagnostic(
        "E22", span, f"the hypothesis `{hypothesis}` is {how} whatever the premise says (theory {theory})",
        notes=(f"hypothesis  {sentence}",), help="a label for it would say nothing about the premise",
    )  # fmt: skip


def hypothesis_question(span: Span, hypothesis: str, sentence: str) -> Diagnostic:
    return Diagnostic(
        "E23",
        span,
        f"the hypothesis `{hypothesis}` is a question: it can be neither true nor false",
        notes=(f"hypothesis  {sentence}",),
    )


def failure(span: Span, premise: str, hypothesis: str, sentences: tuple[str, str]) -> Diagnostic:
    return Diagnostic(
        "E24", span, f"`{hypothesis}` is undefined wherever `{premise}` holds: a presupposition failure",
        notes=(f"premise     {sentences[0]}", f"hypothesis  {sentences[1]}"), help="say `via failure` on the pair if a failure is to count as contradiction",
    )  # fmt: skip


def no_failure(span: Span, premise: str, hypothesis: str) -> Diagnostic:
    return Diagnostic(
        "E24", span, f"`{hypothesis}` can be true or false where `{premise}` holds: nothing fails here",
        help="take `via failure` out",
    )  # fmt: skip


def readings_disagree(span: Span, premise: str, hypothesis: str, labels: Sequence[tuple[str, str, str]]) -> Diagnostic:
    notes = tuple(f"{p or '(one reading)'} => {h or '(one reading)'}: {label}" for p, h, label in labels)
    return Diagnostic(
        "E25",
        span,
        f"the readings of {premise} => {hypothesis} differ in label",
        notes=notes,
        help=f"name the one that counts on the condition: {_either(labels)}",
    )


def _either(labels: Sequence[tuple[str, str, str]]) -> str:
    """The readings of the side that has several, as an author writes them."""
    sides = [list(dict.fromkeys(entry[side] for entry in labels)) for side in (0, 1)]
    return " or ".join(f'`reading "{r}"`' for r in (sides[0] if len(sides[0]) > 1 else sides[1]))


def form_is_asked(span: Span, category: str, feature: str) -> Diagnostic:
    return Diagnostic(
        "E05", span, f"{feature} is no column of {category}: the sentence asks for the form that it needs"
    )


def unknown_reading(span: Span, condition: str, reading: str, known: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        "E25",
        span,
        f"`{condition}` has no reading `{reading}`{did_you_mean(reading, known)}",
        help=f"its readings: {listed(known) or 'one, without a name'}",
    )


def undeclared_operator(
    span: Span, operator: str, theory: str, known: Sequence[str], needed: tuple[str, Span]
) -> Diagnostic:
    name, place = needed
    return Diagnostic(
        "E20",
        span,
        f"theory `{theory}` declares no operator `{operator}`{did_you_mean(operator, known)}",
        notes=(f"`{name}` ({place.path}:{place.line}) needs it",),
        help=f"add `operator {operator} diamond frame reflexive` (or box) to logic/{theory}.logic",
    )


def as_warning(diagnostic: Diagnostic) -> Diagnostic:
    """The same finding where it does not stand in the way."""
    return replace(diagnostic, severity="warning")


# ---- building ----------------------------------------------------------------------------------------------


def gate(span: Span, name: str, reason: str, examples: Sequence[str], help: str) -> Diagnostic:
    return Diagnostic("E34", span, f"gate `{name}`: {reason}", notes=tuple(examples), help=help)


def bad_veto_header(span: Span, header: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        "E18", span, f"a veto list has the columns `instance` and `reason`, not {listed(header)}",
        help="its first line is `instance` and `reason` with a tab between",
    )  # fmt: skip


def unknown_veto(span: Span, instance: str) -> Diagnostic:
    return Diagnostic(
        "E38",
        span,
        f"`{instance}` in this veto list is no instance of the paradigm",
        help="take the row out; ids of instances are in the column `instance`",
    )
