"""Test text of any origin made ready for parsing, and syntax errors in words; nothing is ever run."""

from __future__ import annotations

import ast
import warnings

from regreen.errors import TaskError
from regreen.syntax import parse

_CODE_SHOWN = 500
"""Characters of a check's text that are shown."""

_TOO_DEEP = "The code is nested too deeply to be read."
_PLAINER = {
    "invalid syntax": "this is not valid Python",
    "expected ':'": "a colon is missing here",
    "unexpected EOF while parsing": "the text ends in the middle of a statement",
    "invalid syntax. Perhaps you forgot a comma?": "this is not valid Python; a comma may be missing",
    "expected an indented block": "an indented block is missing here",
    "unindent does not match any outer indentation level": "this line is indented less than the block it is in, "
    "but matches no outer block",
    "inconsistent use of tabs and spaces in indentation": "tabs and spaces are mixed in the indentation",
}


def normalise_line_ends(text: str) -> str:
    """The text without a byte order mark, and with "\\n" line ends."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def python_problem(source: str) -> str | None:
    """The syntax error of `source` in words, with line, text and caret; None when there is none."""
    text = normalise_line_ends(source)
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        return f"Line {line} holds a null byte: the file is binary or damaged."
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "<text>", "exec", dont_inherit=True)
    except SyntaxError as error:
        return _in_words(error, text)
    except (RecursionError, MemoryError):
        return _TOO_DEEP
    except UnicodeEncodeError:
        return "The text holds half of a surrogate pair, which cannot be written to a file."
    except ValueError as error:
        return f"The text cannot be read as Python: {error}."
    return None


def parse_tests(text: str, origin: str) -> ast.Module:
    """The tree of a test file. Raises TaskError with line and column when it is not Python."""
    problem = python_problem(text)
    if problem is not None:
        raise TaskError(f"The tests in {origin} are not valid Python. {problem}", remedy="\nCorrect the tests first.")
    try:
        return parse(text)
    except (RecursionError, MemoryError) as error:
        raise TaskError(f"The tests in {origin} cannot be read. {_TOO_DEEP}") from error


def shorten_code(code: str) -> str:
    """Code cut to `_CODE_SHOWN` characters."""
    return code if len(code) <= _CODE_SHOWN else code[: _CODE_SHOWN - 4] + " ..."


def _in_words(error: SyntaxError, text: str) -> str:
    message = error.msg or "this is not valid Python"
    message = _PLAINER.get(message, message)
    if not error.lineno:
        return f"{_sentence(message)}"
    lines = text.split("\n")
    line = lines[error.lineno - 1] if error.lineno <= len(lines) else ""
    column = min(max(error.offset or 1, 1), len(line) + 1)
    head = f"Line {error.lineno}, column {column}: {_sentence(message)}"
    return f"{head}\n{_pointer(line, column)}" if line.strip() else head


def _sentence(message: str) -> str:
    return message if message.endswith((".", "?", "!")) else message + "."


def _pointer(line: str, column: int) -> str:
    start = max(0, column - 60)
    piece = line[start : start + 100]
    pad = "".join("\t" if character == "\t" else " " for character in line[start : column - 1])
    return f"    {piece}\n    {pad}^"
