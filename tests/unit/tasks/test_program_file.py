"""Reading a program and giving it back: nothing but what a repair means to change may change."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from regreen.errors import TaskError
from regreen.tasks.local_task import ProgramFile, read_program_file

LINES = st.text(st.characters(codec="utf-8", exclude_characters="\r\n\0"), max_size=12)
ENDINGS = st.sampled_from(["\n", "\r\n", "\r"])


def read(content: bytes, name: str = "program.py") -> ProgramFile:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(content)
        return read_program_file(path)


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """Programs in several encodings, with any mix of line ends, with and without a mark and a final line end."""
    encoding = draw(st.sampled_from(["utf-8", "utf-8-sig", "latin-1", "cp1252", "shift_jis"]))
    cookie = "" if encoding.startswith("utf") else f"# -*- coding: {encoding} -*-\n"
    lines = draw(st.lists(LINES, min_size=1, max_size=8))
    text = cookie + "x" + "".join(line + draw(ENDINGS) for line in lines) + draw(st.sampled_from(["", "y = 1"]))
    return text.encode(encoding, "ignore")


@given(files())
def test_a_program_that_is_not_changed_is_given_back_byte_for_byte(content: bytes) -> None:
    """Whatever can be read is written back as it was."""
    try:
        program = read(content)
    except TaskError:
        reject()
    assert program.render(program.text) == content
    assert "\r" not in program.text
    assert len(program.endings) == program.text.count("\n")


@given(st.lists(st.tuples(LINES, ENDINGS), min_size=3, max_size=10), st.data())
def test_only_the_changed_line_changes_in_a_file_of_mixed_line_ends(
    lines: list[tuple[str, str]], data: st.DataObject
) -> None:
    """Each line that stays keeps its own line end, and so does the line that replaces one."""
    content = "".join(f"{number}{line}{end}" for number, (line, end) in enumerate(lines))
    program = read(content.encode())
    changed = data.draw(st.integers(0, len(lines) - 1))
    new_lines = program.text.split("\n")
    # "\r" followed by "\n" of a blank next line would be one line end, but each line here begins with its number.
    new_lines[changed] = "brand_new = True"
    expected = "".join(
        ("brand_new = True" if number == changed else f"{number}{line}") + end
        for number, (line, end) in enumerate(lines)
    )
    assert program.render("\n".join(new_lines)) == expected.encode()


def test_new_lines_get_the_line_end_that_most_lines_have() -> None:
    """A line that is added to a file of mixed ends looks like the file's others."""
    program = read(b"a = 1\r\nb = 2\nc = 3\r\n")
    assert program.mixed
    assert program.newline == "\r\n"
    assert program.render("a = 1\nnew = 0\nb = 2\nc = 3\n") == b"a = 1\r\nnew = 0\r\nb = 2\nc = 3\r\n"


def test_a_mark_and_a_missing_final_line_end_survive() -> None:
    """The byte order mark is no part of the text, and comes back."""
    program = read(b"\xef\xbb\xbfx = 1\r\ny = 2")
    assert (program.text, program.bom) == ("x = 1\ny = 2", True)
    assert program.render("x = 1\ny = 3") == b"\xef\xbb\xbfx = 1\r\ny = 3"


def test_separators_inside_a_line_are_no_line_ends() -> None:
    """Form feeds and Unicode's line separators belong to the text, as they do for Python."""
    content = "x = 1\x0c\ny = '\u2028\x1c'\r\n".encode()
    program = read(content)
    assert program.text.count("\n") == 2
    assert program.render(program.text) == content


def test_a_declared_encoding_is_used_both_ways() -> None:
    """A latin-1 program stays a latin-1 program."""
    program = read("# -*- coding: latin-1 -*-\nx = 'é'\n".encode("latin-1"))
    assert program.encoding == "iso-8859-1"
    assert program.text.endswith("x = 'é'\n")
    assert program.render(program.text.replace("é", "ü")).endswith(b"x = '\xfc'\n")


def test_a_coding_line_is_found_where_lines_end_in_carriage_returns() -> None:
    """Old line ends do not hide the coding line, and a later comment is none."""
    assert read(b"# -*- coding: latin-1 -*-\rx = '\xe9'\r").text == "# -*- coding: latin-1 -*-\nx = 'é'\n"
    assert read(b"# one\rx = 1\r# coding: nonsense\r").encoding == "utf-8"


def test_text_that_the_encoding_cannot_hold_is_refused() -> None:
    """A repair is not written with question marks in it."""
    program = read(b"# coding: ascii\nx = 1\n")
    with pytest.raises(TaskError, match="cannot be written as ascii"):
        program.render("# coding: ascii\nx = 'é'\n")


UNUSABLE = {
    "nothing": (b"", "is empty"),
    "white space only": (b" \n\t\r\n", "is empty"),
    "a mark only": (b"\xef\xbb\xbf", "is empty"),
    "NUL bytes": (b"x = 1\n\0\n", "binary: byte 6 is NUL"),
    "UTF-16": ("x = 1\n".encode("utf-16"), "UTF-16"),
    "not UTF-8": (b"x = 1\ny = '\xe9'\n", r"not utf-8 text: byte 11 \(line 2\)"),
    "not UTF-8 after a mark": (b"\xef\xbb\xbfx = '\xe9'\n", r"not utf-8 text: byte 8 \(line 1\)"),
    "not what it declares": (b"# coding: ascii\nx = '\xe9'\n", r"not ascii text: byte 21 \(line 2\)"),
    "an unknown encoding": (b"# coding: klingon\nx = 1\n", "declares an encoding that cannot be used.*klingon"),
    "no text encoding": (b"# coding: rot13\nx = 1\n", "declares an encoding that cannot be used.*rot13"),
    "a mark and another encoding": (b"\xef\xbb\xbf# coding: latin-1\n", "declares an encoding that cannot be used"),
    "an encoding of many spellings": (b"# coding: utf-7\nx = '+AOk-'\n", "byte for byte"),
    "2 MiB and a byte": (b"x" * ((2 << 20) + 1), "too large: 2,097,153 bytes"),
}


@pytest.mark.parametrize("kind", UNUSABLE)
def test_a_file_that_is_no_program_is_refused_with_the_reason(kind: str) -> None:
    """Every refusal says what is wrong, where, and what to do."""
    content, reason = UNUSABLE[kind]
    with pytest.raises(TaskError, match=reason) as refusal:
        read(content)
    assert refusal.value.remedy
    assert "program.py" in str(refusal.value)


def test_a_missing_file_is_answered_with_names_like_it(tmp_path: Path) -> None:
    """A slip of the keyboard is met with what was meant."""
    (tmp_path / "median.py").touch()
    with pytest.raises(TaskError, match=r"does not exist\. Did you mean .*median\.py\?"):
        read_program_file(tmp_path / "medain.py")
    with pytest.raises(TaskError, match=r"does not exist\. Check the path"):
        read_program_file(tmp_path / "nope.py")


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    """When the folder itself is missing, that is said."""
    with pytest.raises(TaskError, match=r"there is no folder .*elsewhere"):
        read_program_file(tmp_path / "elsewhere" / "median.py")


def test_a_folder_is_refused_with_what_to_give_instead(tmp_path: Path) -> None:
    """A target has to be one file."""
    with pytest.raises(TaskError, match=r"is a folder\. Give one file to repair, and its checks with --tests"):
        read_program_file(tmp_path)


def test_what_is_no_regular_file_is_refused_without_opening_it(tmp_path: Path) -> None:
    """A pipe would block for ever."""
    os.mkfifo(tmp_path / "pipe.py")
    with pytest.raises(TaskError, match="not a regular file"):
        read_program_file(tmp_path / "pipe.py")


@pytest.mark.parametrize("name", ["a\0b.py", "x" * 400, "file.py/inner.py"])
def test_an_impossible_path_is_a_refusal_too(tmp_path: Path, name: str) -> None:
    """No path leads to a traceback."""
    (tmp_path / "file.py").touch()
    with pytest.raises(TaskError, match=r"cannot be read|does not exist"):
        read_program_file(tmp_path / name)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path) -> None:
    """The refusal names the cause."""
    path = tmp_path / "secret.py"
    path.touch(mode=0o000)
    with pytest.raises(TaskError, match="permission denied"):
        read_program_file(path)


def test_any_suffix_will_do() -> None:
    """What holds Python text is a program, whatever it is called."""
    assert read(b"x = 1\n", "script").text == "x = 1\n"
