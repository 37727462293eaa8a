"""A place in a list of tokens: the token here, the tokens after it, and errors that point there."""

from __future__ import annotations

from gramprobe.formula.lexer import FormulaError, Token


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
