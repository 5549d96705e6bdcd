"""Makes text that we do not trust fit for a terminal: nothing in it can move the cursor, hide or reorder what is read.

Programs, tests, what they print, model replies and file names all pass through here before they are shown.
Covered: control characters and ANSI escapes, bidirectional overrides, zero-width and other format characters, line
separators that are not "\\n", lone surrogates and unusual spaces.
Not covered: letters that merely look like others (homoglyphs), and rich's markup: give the result to whatever takes
plain text (`rich.text.Text`, `rich.syntax.Syntax`, a stream, a console with `markup=False`).
"""

from __future__ import annotations

_KEPT = frozenset("\n\t")


def visible(text: str) -> str:
    """The text with every character that does not print as its escape, e.g. ESC as `\\x1b`; "\\n" and "\\t" stay."""
    if text.isprintable():
        return text
    return "".join(c if c in _KEPT or c.isprintable() else repr(c)[1:-1] for c in text)


def visible_line(text: str, limit: int = 200) -> str:
    """`visible` on one line, with at most `limit` characters of the text: line ends and tabs are escaped too."""
    shown = visible(text[: limit + 1]).replace("\n", "\\n").replace("\t", "\\t")
    return shown if len(shown) <= limit else shown[: max(limit - 1, 0)] + "…"
