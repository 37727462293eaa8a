"""Tokens of the formula notation: the ASCII and the Unicode spelling of a symbol are the same token.

A name starts with a letter and may hold dots (`n.value`), except where a variable is being bound, so that
`forall x.F` needs no space. A name may end in primes and hold hyphens between word characters.

A :class:`Cursor` is a place in the list of them: the token here, those after it, and errors that point there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

SYNONYMS = {
    "¬": "~", "∧": "&", "∨": "|", "→": "->", "↔": "<->", "≠": "!=", "λ": "\\",
    "∀": "forall", "∃": "exists", "ι": "the", "□": "nec", "◇": "poss", "⊤": "true", "⊥": "false",
}  # fmt: skip
QUANTIFIERS = frozenset(
    [
        "forall",
        "exists",
        "atleast",
        "atmost",
        "exactly",
        "most",
        "the",
        "always",
        "usually",
        "sometimes",
        "never",
    ]
)

_TOKEN = re.compile(
    r"\s+|(?P<symbol><->|->|!=|[~&|=()\[\],.:/@?!\\¬∧∨→↔≠λ∀∃ι□◇⊤⊥])"
    r"|(?P<number>\d+)|(?P<name>[^\W\d_](?:\w|-(?=\w))*'*(?:\.[^\W\d_](?:\w|-(?=\w))*'*)*)"
)


class FormulaError(ValueError):
    """A formula that cannot be read.

    Attributes:
        message: What is wrong.
        offset: Where in the text, counted in characters from 0.
        length: How many characters are wrong.
        hint: The nearest fix, or the empty text.
    """

    def __init__(self, message: str, offset: int, length: int = 1, hint: str = "") -> None:
        super().__init__(message)
        self.message, self.offset, self.length, self.hint = message, offset, length, hint


class UnknownOperator(FormulaError):
    """A name stands where an operator would, and the theory has no operator of that name."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token of the notation.

    Attributes:
        kind: `name`, `number`, `symbol` or `end`.
        text: Its ASCII spelling.
        offset: Where it starts, counted in characters from 0.
        length: How many characters the author wrote for it.
        spaced: Whether white space, or nothing, stands before it.
    """

    kind: str
    text: str
    offset: int
    length: int
    spaced: bool


def tokens(text: str) -> list[Token]:
    """All tokens of a formula, the last of kind `end`.

    Raises FormulaError at a character that begins no token.
    """
    read: list[Token] = []
    at, spaced, binding = 0, True, False
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise FormulaError(f"`{text[at]}` is no part of a formula", at, 1, _HINTS.get(text[at], ""))
        raw, kind = match.group(), match.lastgroup
        if kind is None:
            at, spaced = match.end(), True
            continue
        counted = bool(read) and read[-1].text in ("atleast", "atmost", "exactly")
        if kind == "name" and binding and not counted and "." in raw:
            raw = raw[: raw.index(".")]
        word = SYNONYMS.get(raw, raw)
        if kind == "symbol" and word.isalpha():
            kind = "name"
        read.append(Token(kind, word, at, len(raw), spaced))
        if word in QUANTIFIERS or word == "\\":
            binding = True
        elif kind == "symbol" and word not in (",", "\\"):
            binding = False
        at, spaced = at + len(raw), raw in "□◇"
    read.append(Token("end", "", len(text), 1, True))
    return read


def pairs(read: list[Token]) -> tuple[frozenset[int], dict[int, int]]:
    """The opening parentheses that hold a comma of their own, and where each one closes."""
    paired: set[int] = set()
    closing: dict[int, int] = {}
    opened: list[int] = []
    binding = False
    for at, token in enumerate(read):
        if token.kind == "name":
            # `exists x, y. F`: the commas of a binder do not belong to the parenthesis around it
            binding = binding or (token.text in QUANTIFIERS and read[at + 1].kind in ("name", "number"))
        elif token.text == "(":
            opened.append(at)
        elif token.text == ")" and opened:
            closing[opened.pop()] = at
        elif token.text == "." or token.kind == "end":
            binding = False
        elif token.text == "," and opened and not binding:
            paired.add(opened[-1])
    return frozenset(paired), closing


_HINTS = {
    "^": "write `&` for and",
    "+": "write `|` for or",
    ">": "write `->` for if-then",
    "-": "write `~` for not, `->` for if-then",
    "<": "write `<->` for if and only if",
    ";": "write `,` between restrictor and scope",
    "{": "write `(` and `)`",
}

#: words of other notations that stand between two formulas, and words that stand before a formula
INFIX_WORDS = {
    "and": "write `&`: `p & q`",
    "or": "write `|`: `p | q`",
    "implies": "write `->`: `p -> q`",
    "then": "write `->`: `p -> q`",
    "iff": "write `<->`: `p <-> q`",
    "unless": "write `|`: `p | q`",
}
WORDS = {
    "not": "write `~`: `~p`",
    "if": "write `->`: `p -> q`",
    "every": "write `forall`: `forall x. (F, G)`",
    "each": "write `forall`: `forall x. (F, G)`",
    "all": "write `forall`: `forall x. (F, G)`",
    "some": "write `exists`: `exists x. (F, G)`",
    "there": "write `exists`: `exists x. (F, G)`",
    "no": "write `~exists`: `~exists x. (F, G)`",
    "necessarily": "write an operator of the theory, such as `nec`: `nec p`",
    "possibly": "write an operator of the theory, such as `poss`: `poss p`",
}


class Cursor:
    """Moves to the right and stops at the token of kind `end`."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens, self.at = tokens, 0

    @property
    def now(self) -> Token:
        return self.tokens[self.at]

    def next(self, ahead: int = 1) -> Token:
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)]

    def take(self) -> Token:
        token = self.now
        self.at = min(self.at + 1, len(self.tokens) - 1)
        return token

    def want(self, text: str, why: str) -> Token:
        if self.now.text == text and self.now.kind != "end":
            return self.take()
        raise self.error(f"`{text}` {why}, but {seen(self.now)}")

    def error(self, message: str, hint: str = "", token: Token | None = None) -> FormulaError:
        at = token or self.now
        return FormulaError(message, at.offset, at.length, hint)


def seen(token: Token) -> str:
    """How a message names a token."""
    return "the formula ends" if token.kind == "end" else f"here stands `{token.text}`"
