"""What a program may do with the mocks and streams of its checks, whoever wrote the program."""

from __future__ import annotations

import io
from typing import Any
from unittest.mock import AsyncMock, MagicMock, Mock, NonCallableMock

import pytest

from regreen.sandbox.guest.runner.stand_ins.lent_objects import LentObjects
from regreen.sandbox.guest.runner.stand_ins.lent_stand_ins import lent_mock, lent_stream
from regreen.sandbox.guest.wire.codec_format import BadMessage, NotPlain


class Refused(BaseException):
    """The checks cannot be judged so."""


class BothSides:
    """Judge and program in one process, without a wire."""

    def __init__(self, value: Any) -> None:
        self.lent = LentObjects(lambda refusal: refusal)
        self.value = value
        described = self.lent.described(value)
        assert described is not None
        kind, *description = described
        self.stand_in = (lent_mock if kind == "mock" else lent_stream)(self, *description)

    def ask(self, kind: str, target: Any, *use: Any) -> Any:
        """What the judge's side does."""
        assert (kind, target) == ("lent", self.stand_in)
        return self.lent.use(self.value, *use)

    def refuse(self, why: str) -> None:
        """There is nothing that the program is answered."""
        raise Refused(why)


def test_a_mock_learns_what_the_program_does() -> None:
    """Calls, attributes and special methods."""
    mock = MagicMock(return_value=3)
    mock.__len__.return_value = 5
    stand_in: Any = BothSides(mock).stand_in
    assert stand_in(1, b=2) == 3
    stand_in.size = 4
    assert stand_in.size == mock.size == 4
    assert len(stand_in) == 5
    with stand_in as opened:
        assert opened is mock.__enter__.return_value
    mock.assert_called_once_with(1, b=2)
    mock.__exit__.assert_called_once_with(None, None, None)
    assert type(stand_in).__name__ == "MagicMock"


def test_a_plain_mock_has_no_special_methods() -> None:
    """Nor can one be called that is not callable."""
    stand_in: Any = BothSides(NonCallableMock()).stand_in
    for use in (len, iter, lambda mock: mock()):
        with pytest.raises(TypeError, match="'NonCallableMock'"):
            use(stand_in)
    with pytest.raises(AttributeError):
        stand_in.__name__  # noqa: B018


LEADS = {
    "configured": lambda mock: mock.configure_mock(**{"assert_called_with.return_value": None}),
    "reset": lambda mock: mock.reset_mock(),
    "asserted": lambda mock: mock.assert_called_with(1),
    "misspelt": lambda mock: mock.assert_called_wiht(1),
    "asked": lambda mock: mock.call_count,
    "answering": lambda mock: setattr(mock, "return_value", 4),
    "deciding": lambda mock: setattr(mock, "assert_called_with", print),
    "inside": lambda mock: mock._mock_children,
    "attached": lambda mock: mock.attach_mock(1, "x"),
}


@pytest.mark.parametrize("lead", LEADS.values(), ids=LEADS)
def test_nobody_leads_the_checks_by_a_mock(lead: Any) -> None:
    """What a mock tells, and how it answers, is the checks' alone."""
    mock = Mock()
    with pytest.raises(NotPlain):
        lead(BothSides(mock).stand_in)
    assert not mock.mock_calls
    with pytest.raises(AssertionError):
        mock.assert_called_with(1)


UNLIKE = {
    "copied": lambda mock: __import__("copy").deepcopy(mock),
    "all that it has": vars,
    "told": dir,
    "attribute deleted": lambda mock: delattr(mock, "x"),
    "awaited": lambda mock: mock.__aenter__(),
}


@pytest.mark.parametrize("use", UNLIKE.values(), ids=UNLIKE)
def test_what_would_tell_the_stand_in_is_judged_otherwise(use: Any) -> None:
    """The program is answered nothing."""
    with pytest.raises(Refused):
        use(BothSides(MagicMock()).stand_in)


class Sender:
    """A class that a mock may stand for."""

    def send(self) -> None:
        """Send nothing."""


@pytest.mark.parametrize("value", [Mock(spec=Sender), Mock(spec=["send"]), AsyncMock(), object(), Sender(), print])
def test_what_is_no_plain_mock_is_not_lent(value: Any) -> None:
    """It passes for another class, is awaited, or is no mock at all."""
    assert LentObjects(lambda refusal: refusal).described(value) is None


FORGED: list[tuple[Any, ...]] = [
    ("getattr", "__class__"),
    ("special", "__init__", ()),
    ("special", "__class__", ()),
    ("special", "__getitem__", [1]),
    ("call", [1], ()),
    ("method", "write", ("x",)),
    ("setattr", 3, 4),
    ("eval", "1"),
    ([], ()),
    ("closed",),
]


@pytest.mark.parametrize("use", FORGED)
def test_a_forged_use_is_refused(use: tuple[Any, ...]) -> None:
    """A hostile program may write messages of its own."""
    sides = BothSides(MagicMock())
    with pytest.raises((BadMessage, NotPlain)):
        sides.lent.use(sides.value, *use)
    with pytest.raises(BadMessage):
        sides.lent.use(print, "call", (), ())


def test_a_stream_is_read_and_written_where_it_is() -> None:
    """By whatever Python does with files."""
    text = io.StringIO("a\nb\n")
    sides = BothSides(text)
    assert [*sides.stand_in] == ["a\n", "b\n"]  # type: ignore[call-overload]
    print("c", file=sides.stand_in)  # type: ignore[call-overload]
    assert text.getvalue() == "a\nb\nc\n"
    assert isinstance(sides.stand_in, io.StringIO)
    with sides.stand_in as opened:
        assert not opened.closed
    assert text.closed


def test_a_stream_that_the_program_drops_stays_open() -> None:
    """Python closes a file that nobody holds any more."""
    text = io.BytesIO()
    sides = BothSides(text)
    del sides.stand_in
    assert not text.closed


@pytest.mark.parametrize("use", [("method", "__class__", ()), ("method", "write", ["x"]), ("getattr", "close")])
def test_a_forged_use_of_a_stream_is_refused(use: tuple[Any, ...]) -> None:
    """Nothing but what a file is for."""
    sides = BothSides(io.StringIO())
    with pytest.raises(BadMessage):
        sides.lent.use(sides.value, *use)
