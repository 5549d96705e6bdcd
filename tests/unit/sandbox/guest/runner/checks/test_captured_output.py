"""What a program prints, kept up to a limit."""

from __future__ import annotations

import io

import pytest

from regreen.sandbox.guest.runner.checks.captured_output import CappedText, OutputFlood


def test_text_is_kept_up_to_the_limit() -> None:
    """Then a flood stops the program, which no `except Exception` catches."""
    output = CappedText(5)
    print("abcd", file=output)
    assert output.take() == "abcd\n"
    assert not issubclass(OutputFlood, Exception)
    with pytest.raises(OutputFlood):
        output.write("x")


def test_a_flood_spoils_only_the_check_that_brought_it() -> None:
    """What is printed after it is kept again."""
    output = CappedText(5)
    with pytest.raises(OutputFlood):
        output.write("too much")
    output.write("ok")
    assert output.take() == "ok"


def test_only_text_is_written() -> None:
    """As with any text stream."""
    with pytest.raises(TypeError):
        CappedText(5).write(b"x")  # type: ignore[arg-type]
    assert isinstance(CappedText(5), io.TextIOBase)
    assert CappedText(5).writable()
