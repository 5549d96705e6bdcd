"""The progress of a run whose samples end one after the other."""

from __future__ import annotations

import io
import re
from typing import Any

from rich.console import Console

from regreen.cli.sample_progress import sample_progress
from tests.support.waiting import wait_for


def test_a_log_file_is_told_every_few_seconds_how_many_samples_are_done() -> None:
    """Without a terminal a long run is no silence; samples are not told one by one unless that is asked for."""
    file = io.StringIO()
    lines: Any = sample_progress(
        Console(file=file, width=100),
        verbose=False,
        opening="{total} samples, {done} of them done before",
        describe=str,
        columns=(),
        progress_of=lambda bar: (_ for _ in ()).throw(AssertionError("there is no bar")),
        doing=lambda: "2 asking the model",
        line_seconds=0.01,
    )
    with lines as progress:
        progress.begin(1200, {"fixed": 7, "not fixed": 3})
        progress.finished("task/1: fixed")
        wait_for(
            lambda: re.search(r"^11 of 1,200 done, 2 asking the model, \d\.\d s$", file.getvalue(), re.M),
            what="the count",
        )
    assert "task/1" not in file.getvalue()
