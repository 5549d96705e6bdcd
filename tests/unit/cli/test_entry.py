"""What happens before the command line is even imported?"""

from __future__ import annotations

import builtins
from typing import Any

import pytest

from regreen import __main__


def test_an_interrupt_during_the_imports_is_answered_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C at any moment: no traceback, exit status 130."""
    real = builtins.__import__

    def interrupted(name: str, *rest: Any) -> Any:
        if name == "regreen.cli":
            raise KeyboardInterrupt
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", interrupted)
    with pytest.raises(SystemExit) as leaving:
        __main__.main()
    assert leaving.value.code == 130
    assert capsys.readouterr().err == "error: interrupted.\n"
