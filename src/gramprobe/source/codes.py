"""The page of every code (`gramprobe explain E10`): what it means, why it is an error, an example, how to mend it.

The pages stand in ``codes.txt``: a line with code and title, prose, `wrong:` and `right:` lines, prose again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import resources

from gramprobe.source.diagnostic import UsageError
from gramprobe.source.nearest import did_you_mean


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The page of one code.

    Attributes:
        code: `E10`.
        title: the first line of the page.
        why: what the code means and why it is an error.
        wrong: an example of the mistake; empty for a retired code.
        right: the same example, mended; empty for a retired code.
        fix: what to do, where the example does not show it.
    """

    code: str
    title: str
    why: str
    wrong: str = ""
    right: str = ""
    fix: str = ""

    @property
    def text(self) -> str:
        """The page as it is printed."""
        parts = [f"{self.code}  {self.title}", self.why]
        if self.wrong:
            parts.append(f"  wrong  {self.wrong}\n  right  {self.right}")
        return "\n\n".join([*parts, *([self.fix] if self.fix else [])])


def _pages() -> dict[str, Page]:
    text = resources.files("gramprobe.source").joinpath("codes.txt").read_text("utf-8")
    pages: dict[str, Page] = {}
    for entry in text.strip().split("\n\n"):
        first, *lines = entry.split("\n")
        code, _, title = first.partition(" ")
        example = {k: v for k, _, v in (x.partition(": ") for x in lines) if k in ("wrong", "right")}
        at = next((i for i, x in enumerate(lines) if x.startswith("wrong: ")), len(lines))
        rest = [x for x in lines[at:] if not re.match(r"(wrong|right): ", x)]
        why, fix = "\n".join(lines[:at]), "\n".join(rest)
        pages[code] = Page(
            code=code, title=title, why=why, wrong=example.get("wrong", ""), right=example.get("right", ""), fix=fix
        )
    return pages


#: code -> its page, in order
CODES: dict[str, Page] = _pages()


def page(code: str) -> str:
    """The page of a code, as text. Raises UsageError for an unknown code."""
    code = re.sub(r"^E(\d)$", r"E0\1", code)
    if code not in CODES:
        near = did_you_mean(code, CODES)
        raise UsageError(f"no error has the code `{code}`{near}", "the codes are E01 to E99")
    return CODES[code].text
