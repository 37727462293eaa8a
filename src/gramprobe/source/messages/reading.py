"""Messages about files and statements that cannot be read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from gramprobe.source.diagnostic import Diagnostic, Span
from gramprobe.source.nearest import did_you_mean, listed, nearest
from gramprobe.source.wording import called

_SIGNS = {
    "COLON": "`:`", "COMMA": "`,`", "EQUALS": "`=`", "EQUAL": "`=`", "RPAR": "`)`", "LPAR": "`(`", "RSQB": "`]`", "LSQB": "`[`",
    "NAME": "a name", "STRING": 'a quoted text ("...")', "INT": "a number", "SHARE": "a number", "ARROW": "`->`", "VBAR": "`|`", "FORMULA": "a formula",
    "FILE": "a file name (....tsv, ....csv)", "DOT": "`.`", "DIFFERS": "`!=`", "PLUS": "`+`", "SIGN": "`+`", "ORDER": "`<`", "NUMBER": "a number", "STAR": "`*`", "$END": "the end of the line",
    "KIND": "`box` or `diamond`", "WHAT": "`labels` or `neutral`", "BECOMES": "`:=`", "GIVES": "`=>`", "THEORY": "the name of a theory", "TARGET": "an atom",
    "<END-OF-FILE>": "the end of the line", "OPTIONAL": "`?`", "CODE": "the code of a language, as in `language en`",
}  # fmt: skip


def _sign(token: str) -> str:
    if token in _SIGNS:
        return _SIGNS[token]
    return "" if token.startswith("__") or token in ("STRAY", "WS") else f"`{token.lower()}`"


def unreadable_file(path: str, why: str) -> Diagnostic:
    return Diagnostic(code="E13", span=Span(path, 1, 1), message=f"this file cannot be read: {why}")


def is_utf16(path: str) -> Diagnostic:
    return Diagnostic(
        code="E13", span=Span(path, 1, 1), message="this file is UTF-16, and not UTF-8",
        help="save it again as UTF-8 (a spreadsheet offers `CSV UTF-8`)",
    )  # fmt: skip


def not_utf8(path: str, line: int, column: int, byte: int) -> Diagnostic:
    return Diagnostic(
        code="E13", span=Span(path, line, column), message=f"this file is not UTF-8: byte 0x{byte:02x} here begins no character",
        help="save it again as UTF-8 (a spreadsheet offers `CSV UTF-8` or `Unicode text`)",
    )  # fmt: skip


def unknown_keyword(span: Span, first: str, keywords: Sequence[str]) -> Diagnostic:
    """``span`` is the whole line; its first word is the mistake."""
    near = nearest(first, keywords)
    return Diagnostic(
        code="E01", span=Span(span.path, span.line, span.column, len(first)), message=f"no line begins with `{first}`{did_you_mean(first, keywords)}",
        help="" if near else f"a line begins with one of: {', '.join(keywords)}",
    )  # fmt: skip


def not_text(path: str, line: int, column: int, character: str) -> Diagnostic:
    span, number = Span(path, line, column), ord(character)
    if number < 0x80:
        return Diagnostic(
            code="E13", span=span, message=f"this file is not text: it holds the control character 0x{number:02x}"
        )
    return Diagnostic(
        code="E13", span=span, message=f"here is a character that nobody sees, {called(character)}",
        help="delete it: with it two words that look the same are different",
    )  # fmt: skip


def no_sentences(span: Span) -> Diagnostic:
    return Diagnostic(
        code="E39",
        span=span,
        message="no `sentence` line of the grammar says which categories are sentences",
        help='write `sentence S "."`',
    )


def unreadable_statement(span: Span, keyword: str, text: str, got: str, expected: Sequence[str]) -> Diagnostic:
    """A statement that breaks off or goes on wrongly at ``span``; frequent slips have messages of their own.

    ``got`` is the text at the span, empty at the end of the statement; ``expected`` are names of grammar symbols.
    """
    signs = [s for s in dict.fromkeys(_sign(e) for e in expected) if s]
    if keyword == "draw" and "COLON" in expected and (not got or got[0].isalpha()):
        names = text.split("draw", 1)[1]
        names = names[: names.rfind(got)] if got and "," in names else names.split()[0]
        names = " ".join(names.split())
        return Diagnostic(
            code="E01", span=span, message='missing ":" between the variable and its category',
            caret=f"write `draw {names} : {got or 'N'}{'[...]' if '[' in text else ''}`",
        )  # fmt: skip
    if keyword == "operator" and "KIND" in expected and (not got or got.startswith('"')):
        for word in re.finditer(r"[\w-]+", text.split('"')[0]):
            near = nearest(word.group(), ("box", "diamond"))
            if near and word.start() > text.index("operator") + 8:
                at = word.start() + 1 if "\n" not in text else span.column
                place = Span(span.path, span.line, at, len(word.group()))
                if word.group() == near:
                    return Diagnostic(
                        code="E01",
                        span=place,
                        message="this operator has no name",
                        help=f"write `operator NAME {near}`",
                    )
                return Diagnostic(
                    code="E01", span=place, message=f"an operator is `box` or `diamond`; did you mean `{near}`?"
                )
        return Diagnostic(
            code="E01",
            span=span,
            message="this operator is neither `box` nor `diamond`",
            help="write `operator NAME box` or `operator NAME diamond`",
        )
    if keyword == "define" and got.startswith("=") and "NAME" in expected:
        place = Span(span.path, span.line, span.column)
        return Diagnostic(code="E01", span=place, message="this definition does not name what the operator applies to", help="write `define NAME F = ... F ...`")  # fmt: skip
    if got.startswith('"') and "STRING" in expected and got.count('"') == 1:
        return Diagnostic(
            code="E01", span=span, message="this quoted text is never closed", help='add a `"` at its end'
        )
    if "GIVES" in expected and (
        got in ("->", "=", "==>", ">", "\u2192", "\u21d2") or (got[:1].isalpha() and "=>" not in text)
    ):
        return Diagnostic(
            code="E01",
            span=span,
            message=f"`{got}` cannot stand here",
            help="between premise and hypothesis write `=>`",
        )
    if got[:1].isalpha() and not got[0].isascii():
        return Diagnostic(
            code="E01", span=span, message=f"`{got[0]}` cannot stand in a name", help="this name is also that of a file, and holds the letters a to z, digits, `_` and `-`"
        )  # fmt: skip
    if got == ">" and text.split("\n")[0][: span.column - 1].endswith("<"):
        got = "<>"
    slip = _SLIPS.get(got) or _SLIPS.get(got[:2]) or _SLIPS.get(got[:1])
    if slip:
        return Diagnostic(code="E01", span=span, message=f"`{got}` cannot stand here", help=slip)
    if got == ":" and keyword in ("premise", "hypothesis"):
        return Diagnostic(
            code="E01", span=span, message="a heading stands alone on its line", help=f"write `{keyword}`"
        )
    if got == "." and keyword in ("uses", "theory", "include"):
        return Diagnostic(
            code="E01", span=span, message="`.` cannot stand here", help="files are named without their suffix"
        )
    if got in (",", ":") and keyword == "factor":
        return Diagnostic(
            code="E01", span=span, message=f"`{got}` cannot stand here",
            help="`factor NAME = level: conditions | level: conditions`: between levels stands `|`",
        )  # fmt: skip
    if keyword == "pair" and text.split("\n")[0][: span.column - 1].rstrip().endswith((", expect", ",expect")):
        return Diagnostic(
            code="E01", span=span, message="between two claims stands no comma",
            help="`expect entailment where q = every   expect neutral where q = some`",
        )  # fmt: skip
    if got == "-" and any("number" in sign for sign in signs):
        return Diagnostic(code="E01", span=span, message="a number here has no sign", help="write it without `-`")
    if keyword == "pair" and got in ("entailment", "neutral", "contradiction"):
        return Diagnostic(
            code="E01", span=span, message=f"`{got}` cannot stand here",
            help=f"a label is derived, and `expect {got}` claims which it is",
        )  # fmt: skip
    if keyword in ("draw", "where") and text.split("\n")[0][: span.column - 1].rstrip().endswith(("= -", "=-")):
        return Diagnostic(
            code="E01", span=span, message="`-` is no value that words are compared with",
            help="a word with `-` in a column is not drawn where a term mentions the column (`n.isa`); else name the values, `N[isa=...]`",
        )  # fmt: skip
    if keyword in ("feature", "group") and got == ",":
        return Diagnostic(code="E01", span=span, message="`,` cannot stand here", help="between values stands `|`")
    if keyword in ("cat", "const") and got.startswith("<"):
        return Diagnostic(
            code="E01", span=span, message="`<` cannot stand here", help="types are written with arrows: `e -> t`, `(e -> t) -> t`"
        )  # fmt: skip
    if got == "=" and text.split("\n")[0][: span.column - 1].rstrip().endswith("="):
        return Diagnostic(code="E01", span=span, message="`==` cannot stand here", help="write `=`")
    if got[:1].isalpha() and {"COMMA", "RPAR"} <= {*expected} and keyword not in ("fun", "define"):
        return Diagnostic(
            code="E01",
            span=span,
            message=f"`{got}` cannot stand here",
            help="between the parts of a term stands a comma",
        )
    balance = text.count("(") - text.count(")")
    if not got and "RPAR" in expected and balance > 0:
        return Diagnostic(code="E01", span=span, message=f"{balance} `)` missing at the end of this line" if balance > 1 else "a `)` is missing at the end of this line")  # fmt: skip
    if got.startswith(")") and balance < 0:
        return Diagnostic(
            code="E01", span=span, message="this `)` closes nothing", help="take it out, or open it with `(` before"
        )
    what = f"`{got}` cannot stand here" if got else f"this `{keyword}` line ends too early"
    if got[:1].isspace():
        what = f"this space is of another kind, {called(got[0])}"
    if not signs:
        return Diagnostic(code="E01", span=span, message=what)
    if len(signs) == 1:
        return Diagnostic(code="E01", span=span, message=f"{what}; expected {signs[0]}")
    return Diagnostic(code="E01", span=span, message=what, help=f"expected {_alternatives(signs)}")


#: a sign of another language -> the help that names the sign of this language
_SLIPS = {
    "#": "a comment begins with `--`", "//": "a comment begins with `--`", "and": "join conditions with `,`",
    "<>": "write `!=`", "\u2260": "write `!=`", "\u201c": 'a quoted text stands in straight quotes: "..."',
    "'": 'a quoted text stands in double quotes: "..."',
}  # fmt: skip


def _alternatives(signs: Sequence[str]) -> str:
    """``a, b or c``."""
    return f"{', '.join(signs[:-1])} or {signs[-1]}" if len(signs) > 1 else "".join(signs)


def too_deep(span: Span, deepest: int) -> Diagnostic:
    return Diagnostic(code="E01", span=span, message=f"more than {deepest} parentheses stand inside each other")


def misplaced_line(span: Span, keyword: str, above: str) -> Diagnostic:
    """``keyword``: empty for a line that begins with a quoted text."""
    if not keyword:
        help = "the words of a constructor stand behind `lin`, below its `fun`"
        return Diagnostic(code="E39", span=span, message="this line begins with a quoted text", help=help)
    return Diagnostic(code="E39", span=span, message=f"`{keyword}` stands alone: it belongs below {above}")


def missing_line(span: Span, keyword: str, stem: str, pair: str = "") -> Diagnostic:
    """``pair``: an example of a `pair` line, if the usual example does not suit the task."""
    examples = {
        "paradigm": f"paradigm {stem}", "theory": "theory presupposition", "uses": "uses english", "draw": "draw who : PN", "constraint": "constraint agree sv",
        "pair": pair or "pair any => presupposed   expect entailment",
    }  # fmt: skip
    more = " ..." if keyword in examples else ""
    return Diagnostic(
        code="E39", span=span, message=f"a line `{keyword}{more}` is missing",
        help=f"write `{examples.get(keyword, keyword)}`", names=(f"line {keyword}",),
    )  # fmt: skip


def empty_grammar(span: Span) -> Diagnostic:
    return Diagnostic(code="E39", span=span, message="this grammar file declares nothing")


def misplaced_file(span: Span, name: str) -> Diagnostic:
    return Diagnostic(
        code="E39",
        span=span,
        message=f"`{name}` lies where no paradigm is looked for",
        help="put it into the folder of its phenomenon: grammars/PHENOMENON/NAME.paradigm",
    )


def empty_table(span: Span) -> Diagnostic:
    return Diagnostic(code="E18", span=span, message="this table of words is empty: its first line names the columns")


def no_rows(span: Span) -> Diagnostic:
    return Diagnostic(code="E18", span=span, message="this table of words has no word below its header")


def id_is_constant(span: Span, id_: str) -> Diagnostic:
    return Diagnostic(
        code="E16", span=span, message=f"`{id_}` is the id of a word and a constant of the grammar: in a formula they would be the same symbol",
        help=f"give the word another id, say `{id_}_1`",
    )  # fmt: skip


def id_is_operator(span: Span, id_: str, category: str, theory: str, paradigm: tuple[str, Span]) -> Diagnostic:
    name, place = paradigm
    return Diagnostic(
        code="E16",
        span=span,
        message=f"`{id_}` is the id of a word of {category} and an operator of theory {theory}: "
        f"in `{id_}(amy)` they would be the same symbol",
        notes=(f"`{name}` ({place.path}:{place.line}) draws the word under this theory",),
        help=f"give the word another id, say `{id_}_1`; its words stay as they are",
    )


def stray_cells(
    span: Span,
    cells: Sequence[str],
    header: Sequence[str],
    separator: str,
    alike: int = 1,
    every: bool = False,
    is_open: bool = False,
) -> Diagnostic:
    """A row has not as many cells as the header; ``alike``: how many rows have as many, reported together; ``every``:
    whether no row has another number; ``is_open``: whether a quotation mark in it is never closed."""
    signs = {",": "commas, with quotation marks around one that holds a comma", ";": "semicolons"}
    count = len(cells)
    more = "more" if count > len(header) else "fewer"
    rows = "this row has" if alike == 1 else f"{'all ' if every else ''}{alike} rows have"
    split = separator == "," and count > len(header)
    halves = next(
        (pair for pair in pairwise(cells) if split and all(re.fullmatch(r"-?\d+", each) for each in pair)), None
    )
    comma = (
        f"; if {','.join(halves)} is one number, write a point, {'.'.join(halves)}, or save the table with semicolons between its cells"
        if halves
        else ""
    )
    comma += "; a quotation mark opens in this row and is never closed" if is_open else ""
    return Diagnostic(
        code="E17", span=span, message=f"{rows} {count} cell{'s' if count != 1 else ''}, {more} than the {len(header)} columns of the header",
        help=f"the columns are {', '.join(header)}; cells are separated by {signs.get(separator, 'one tab each')}{comma}",
    )  # fmt: skip


def unknown_column(span: Span, name: str, category: str, wanted: Sequence[str]) -> Diagnostic:
    if not name.strip():
        return Diagnostic(code="E18", span=span, message="this column has no name", help="is there a tab too many?")
    return Diagnostic(
        code="E18", span=span, message=f"category `{category}` has no column `{name}`{did_you_mean(name, wanted)}",
        help=f"its columns are {', '.join(wanted)}; declare another in its `cat` line",
    )  # fmt: skip


def extra_column(span: Span, name: str, category: str) -> Diagnostic:
    return Diagnostic(
        code="E18", span=span, severity="warning", message=f"the column `{name}` is left out: category `{category}` declares none of this name",
        help=f"declare it if grammars are to know it: `{name}: decimal` (or `number`, `words`, a feature) in the `cat` line, or behind `extend cat {category} with`",
    )  # fmt: skip


def other_separator(span: Span, separator: str, wanted: str) -> Diagnostic:
    """The whole header is in one cell, since something else than ``wanted`` stands between the names."""
    signs = {" ": "spaces", "\t": "tabs", ",": "commas"}
    help = "save it as tab-separated text (TSV)" if wanted == "\t" else "save it with commas between its cells"
    return Diagnostic(
        code="E18",
        span=span,
        message=f"the cells of this table are separated by {signs.get(separator, f'`{separator}`')}, and {signs[wanted]} are wanted",
        help=f"{help}, or give the file the ending .csv" if wanted == "\t" and separator in ",;" else help,
    )


def replaced_columns(span: Span, file: str, missing: Sequence[str], category: str) -> Diagnostic:
    """A table of the author's stands in the place of a shipped one, and has not its columns."""
    return Diagnostic(
        code="E18", span=span, message=f"this file stands in the place of the shipped `{file}`, and lacks its columns {listed(missing, 8)}",
        help=_beside(file, category),
    )  # fmt: skip


def replaced_words(span: Span, file: str, lacking: Sequence[str], tables: Sequence[str], category: str) -> Diagnostic:
    """A table of the author's stands in the place of a shipped one, and has not the words that others speak of."""
    words = f"{len(lacking):,} of its words" if len(lacking) > 1 else "one of its words"
    return Diagnostic(
        code="E08", span=span, message=f"this file stands in the place of the shipped `{file}`, and lacks {words}: {listed(lacking, 4)}",
        notes=(f"of which {listed([f'`{each}`' for each in tables], 4)} speaks" if len(tables) == 1 else f"of which {listed([f'`{each}`' for each in tables], 4)} speak",),
        help=_beside(file, category),
    )  # fmt: skip


def _beside(file: str, category: str) -> str:
    return f"to add words, give your table another name and bring it by `extend` (`gramprobe new lexicon {category} my_words` writes both); to replace the words, keep all columns and words of `{file}`"


def missing_column(span: Span, name: str, category: str) -> Diagnostic:
    return Diagnostic(
        code="E18", span=span, message=f"words of category `{category}` have a column `{name}`, and this table has none"
    )


def bad_id(span: Span, id_: str) -> Diagnostic:
    return Diagnostic(
        code="E08",
        span=span,
        message=f"`{id_}` cannot be the id of a word" if id_ else "this word has no id",
        help="an id begins with a letter, but λ or ι, and holds letters, digits and `_` only",
        alike="id",
    )


def no_word_to_extend(span: Span, id_: str, category: str, known: Iterable[str]) -> Diagnostic:
    """A row of a table that has added columns only, for a word that no other table has."""
    return Diagnostic(
        code="E08",
        span=span,
        message=f"category {category} has no word `{id_}`{did_you_mean(id_, known)}",
        help="this table has values for words of other tables; a table of new words has their forms and features, too",
        alike="word",
    )


def reserved_id(span: Span, id_: str) -> Diagnostic:
    return Diagnostic(
        code="E08",
        span=span,
        message=f"`{id_}` is a word or a variable of formulas, and so no id of a word",
        help=f"say `{id_}_1`",
        alike="reserved",
    )


def bad_form(span: Span, column: str, id_: str, text: str) -> Diagnostic:
    what = "is empty" if not text.strip() else "has spaces at an end, or two in a row"
    strange = next((each for each in text.strip(" ") if each.isspace() and each != " "), "")
    what = f"has a space of another kind, {called(strange)}" if strange else what
    what = "has a quotation mark, which a spreadsheet may have put there" if '"' in text else what
    return Diagnostic(
        code="E08",
        span=span,
        message=f"column `{column}` of `{id_}` {what}",
        help="every form of a word is written out, spaced as it is to be printed",
        alike=f"{column} {what}",
    )


def bad_number(span: Span, column: str, id_: str, value: str) -> Diagnostic:
    fraction = re.fullmatch(r"-?\d*[.,]\d+", value)
    return Diagnostic(
        code="E08",
        span=span,
        message=f'column `{column}` of "{id_}" is `{value}`; a column of numbers holds whole numbers: 0, 1, 2 and so on',
        help=f"declare the column as `{column}: decimal`" if fraction else "",
        alike=column,
    )


def bad_decimal(span: Span, column: str, id_: str, value: str) -> Diagnostic:
    return Diagnostic(
        code="E08",
        span=span,
        message=f'column `{column}` of "{id_}" is `{value}`; a decimal column holds numbers such as 3, 3.18 or -0.5',
        help="write a point, no comma: 3.18 (a comma is the sign where the whole column has it)"
        if re.fullmatch(r"-?[0-9]*(,[0-9]+)+", value)
        else "",
        alike=column,
    )


def bad_value(span: Span, column: str, id_: str, value: str, known: Iterable[str], feature: str) -> Diagnostic:
    names = list(known)
    parts = re.split(r"[,;]\s*", value)
    several = len(parts) > 1 and all(part in names for part in parts)
    return Diagnostic(
        code="E08", span=span, message=f'column `{column}` of "{id_}" is `{value}`; allowed: {listed(names)}{did_you_mean(value, names).replace("; did", ". Did")}',
        help=f"several values are separated by `|`: `{'|'.join(parts)}`" if several else "", alike=column,
    )  # fmt: skip
