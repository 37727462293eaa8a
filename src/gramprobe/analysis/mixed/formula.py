"""Reading a formula as lme4 writes it: ``y ~ x * z + (1 + x | g) + (0 + z || h)``.

Names are columns of a frame, in backquotes where they are no words of letters, digits, dots and underscores. ``+``,
``-``, ``*``, ``:``, ``/``, ``^`` and the functions of :data:`FUNCTIONS` mean what they mean in R. A random term is
``(slopes | factor)``; ``||`` splits it into one term for each of its terms (not for each column of a factor), as lme4
does; ``a:b`` is the factor of all pairs, and ``a/b`` stands for the two factors ``a`` and ``a:b``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from gramprobe.source.diagnostic import AuthoringError, Span
from gramprobe.source.messages import analysis as messages

#: functions of one number
FUNCTIONS = ("log", "log10", "log2", "exp", "sqrt")
#: functions of a whole column: `scale(x)` and, with a degree, `poly(x, 2)`
OF_COLUMNS = ("scale", "poly")

_TOKEN = re.compile(r"\s*(?:(?P<name>[A-Za-z_.][\w.]*|`[^`]+`)|(?P<number>\d+)|(?P<sign>\|\||[-+*:/^()|~,]))")


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a formula: its kind (`name`, `number`, `sign`), its text without backquotes, its place from 0."""

    kind: str
    text: str
    at: int
    length: int


@dataclass(frozen=True, slots=True)
class Bar:
    """A random term as it is written: the tokens on both sides of the bar, and whether it is a double bar."""

    slopes: tuple[Token, ...]
    factor: tuple[Token, ...]
    double: bool


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula in its parts.

    Attributes:
        text: as it was typed.
        response: the column of the scores.
        function: what is applied to it: one of :data:`FUNCTIONS`, or nothing.
        fixed: the tokens of the fixed effects.
        bars: the random terms.
    """

    text: str
    response: Token
    function: str
    fixed: tuple[Token, ...]
    bars: tuple[Bar, ...]

    @property
    def predictors(self) -> tuple[Token, ...]:
        """The columns of the fixed effects and of the slopes, each at its first place."""
        every = (*self.fixed, *(token for bar in self.bars for token in bar.slopes))
        return _names(every)

    @property
    def factors(self) -> tuple[Token, ...]:
        """The columns of the grouping factors, each at its first place."""
        return _names(tuple(token for bar in self.bars for token in bar.factor))

    def place(self, token: Token) -> Span:
        return place(token.at, token.length)

    def text_of(self, tokens: tuple[Token, ...]) -> str:
        """What was typed from the first to the last of these tokens."""
        return self.text[tokens[0].at : tokens[-1].at + tokens[-1].length]


def call_at(tokens: tuple[Token, ...], i: int) -> tuple[str, int, int] | None:
    """A function of a whole column that begins at the i-th token: its column, its degree (0 for `scale`), and how many
    tokens it is; None where there is none. Raises AuthoringError (E96) for another form."""
    if tokens[i].text not in OF_COLUMNS or i + 1 >= len(tokens) or tokens[i + 1].text != "(":
        return None
    poly = tokens[i].text == "poly"
    size = 6 if poly else 4
    call = tokens[i : i + size]
    kinds = ("name", "sign", "name", *(("sign", "number") if poly else ()), "sign")
    signs = "".join(token.text for token in call if token.kind == "sign")
    if tuple(token.kind for token in call) != kinds or signs != ("(,)" if poly else "()"):
        what = f"`{tokens[i].text}` is called as `{'poly(x, 2)' if poly else 'scale(x)'}`"
        raise AuthoringError([messages.unreadable(place(tokens[i].at, tokens[i].length), what)])
    return call[2].text, int(call[4].text) if poly else 0, size


def groups(bar: Bar) -> tuple[tuple[str, ...], ...]:
    """The grouping factors of a random term, each the columns whose values together are a level."""
    names = tuple(token.text for token in bar.factor if token.kind == "name")
    if any(token.text == "/" for token in bar.factor):
        return tuple(names[: i + 1] for i in range(len(names)))
    return (names,)


def place(at: int, length: int = 1) -> Span:
    """A place in the formula."""
    return Span(messages.FORMULA, 1, at + 1, max(length, 1))


def parse(text: str) -> Formula:
    """Read a formula. Raises AuthoringError (E96) with the place of the first thing that cannot be read."""
    tokens = tuple(_tokens(text))
    tilde = [i for i, token in enumerate(tokens) if token.text == "~" and token.kind == "sign"]
    left = tokens[: tilde[0]] if tilde else tokens
    call = len(left) == 4 and left[0].text in FUNCTIONS and (left[1].text, left[3].text) == ("(", ")")
    if call:
        function, left = left[0].text, left[2:3]
    if len(tilde) != 1 or len(left) != 1 or left[0].kind != "name":
        at = tokens[tilde[1]].at if len(tilde) > 1 else 0
        raise AuthoringError([messages.no_response(place(at))])
    right = tokens[tilde[0] + 1 :]
    if not right:
        raise AuthoringError([messages.unreadable(place(len(text)), "nothing stands after `~`")])
    _check_brackets(right)
    fixed: list[Token] = []
    bars: list[Bar] = []
    for sign, part in _summands(right):
        inner = part[1:-1] if len(part) > 1 and part[0].text == "(" and _closes(part) == len(part) - 1 else part
        bar = [i for i, token in enumerate(inner) if token.kind == "sign" and token.text in ("|", "||")]
        if not bar:
            fixed += ([sign] if fixed or (sign is not None and sign.text == "-") else []) if sign else []
            fixed += part
            continue
        token = inner[bar[0]]
        if inner is part or len(bar) > 1:
            raise AuthoringError([messages.unreadable(place(token.at, token.length), "a bar outside of its brackets")])
        if sign is not None and sign.text == "-":
            raise AuthoringError([messages.unreadable(place(sign.at), "a random term can be added only")])
        bars.append(_bar(inner[: bar[0]], token, inner[bar[0] + 1 :]))
    _check_functions(tuple(token for token in right))
    return Formula(text, left[0], function if call else "", tuple(fixed), tuple(bars))


def _tokens(text: str) -> Iterator[Token]:
    at = 0
    while text[at:].strip():
        match = _TOKEN.match(text, at)
        if match is None:
            at += len(text[at:]) - len(text[at:].lstrip())
            raise AuthoringError([messages.unreadable(place(at), f"`{text[at]}` is no part of a formula")])
        kind = str(match.lastgroup)
        yield Token(kind, match[kind].strip("`"), match.start(kind), len(match[kind]))
        at = match.end()


def _names(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    found: dict[str, Token] = {}
    for i, token in enumerate(tokens):
        call = token.text in (*FUNCTIONS, *OF_COLUMNS) and i + 1 < len(tokens) and tokens[i + 1].text == "("
        if token.kind == "name" and not call:
            found.setdefault(token.text, token)
    return tuple(found.values())


def _check_brackets(tokens: tuple[Token, ...]) -> None:
    opened: list[Token] = []
    for token in tokens:
        if token.text == "(":
            opened.append(token)
        elif token.text == ")":
            if not opened:
                raise AuthoringError([messages.unreadable(place(token.at), "this bracket was never opened")])
            opened.pop()
    if opened:
        raise AuthoringError([messages.unreadable(place(opened[-1].at), "this bracket is never closed")])


def _check_functions(tokens: tuple[Token, ...]) -> None:
    inside = 0
    for i, (token, after) in enumerate(pairwise(tokens)):
        if after.kind != "sign" and (token.kind != "sign" or token.text == ")"):
            what = f"a sign such as `+` or `|` is missing before `{after.text}`"
            raise AuthoringError([messages.unreadable(place(after.at, after.length), what)])
        call = call_at(tokens, i)
        inside = i + call[2] if call is not None else inside
        if after.text == "(" and token.kind == "name" and token.text not in FUNCTIONS and call is None:
            known = (*FUNCTIONS, *OF_COLUMNS)
            raise AuthoringError([messages.unknown_function(place(token.at, token.length), token.text, known)])
        if token.text == "," and i >= inside:
            raise AuthoringError([messages.unreadable(place(token.at), "a comma stands in `poly(x, 2)` only")])


def _closes(tokens: tuple[Token, ...]) -> int:
    """The index of the bracket that closes the first one."""
    depth = 0
    for i, token in enumerate(tokens):
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        if depth == 0:
            return i
    return -1


def _summands(tokens: tuple[Token, ...]) -> Iterator[tuple[Token | None, tuple[Token, ...]]]:
    """What is added or taken away at the top, each with its sign."""
    depth, start = 0, 0
    sign: Token | None = None
    for i, token in enumerate(tokens):
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        if depth == 0 and token.kind == "sign" and token.text in "+-":
            if i > start:
                yield sign, tokens[start:i]
            elif i > 0 or token.text == "+":
                raise AuthoringError([messages.unreadable(place(token.at), "a term is missing before this sign")])
            sign, start = token, i + 1
    if start == len(tokens):
        last = tokens[-1]
        raise AuthoringError([messages.unreadable(place(last.at), "a term is missing after this sign")])
    yield sign, tokens[start:]


def _bar(slopes: tuple[Token, ...], bar: Token, factor: tuple[Token, ...]) -> Bar:
    if not slopes or not factor:
        where = "before" if not slopes else "after"
        raise AuthoringError([messages.unreadable(place(bar.at, bar.length), f"nothing stands {where} this bar")])
    signs = {token.text for token in factor[1::2]}
    wrong = next((t for i, t in enumerate(factor) if (t.kind == "name") != (i % 2 == 0)), None)
    if wrong is not None or len(factor) % 2 == 0 or len(signs) > 1 or not signs <= {":", "/"}:
        at = wrong or next((t for t in factor[1::2] if t.text not in ":/"), factor[-1])
        raise AuthoringError([messages.bad_factor(place(at.at, at.length))])
    return Bar(slopes, factor, bar.text == "||")
