"""Several samples of a model that draws nothing are warned of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from regreen.cli.eval import _warn_of_equal_samples
from regreen.config import load_settings


@pytest.mark.parametrize(
    ("samples", "equal", "flags"),
    [
        (3, True, {"strategy": "single"}),
        (3, True, {"strategy": "reflect", "iters": 0}),
        (3, False, {"strategy": "reflect", "iters": 3}),
        (3, False, {"strategy": "single", "temperature": 0.2}),
        (1, False, {"strategy": "single"}),
        (3, False, {"strategy": "search"}),
    ],
    ids=str,
)
def test_equal_samples_are_warned_of(
    samples: int, equal: bool, flags: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    """Where the temperature is 0 to the end: pass@3 would be pass@1 under another name."""
    settings = load_settings({"model": "vllm:any", **flags}, environ={}, near=Path("/"))
    _warn_of_equal_samples(settings, samples)
    said = capsys.readouterr().err
    assert (f"All {samples} samples of a case will be equal: the temperature is 0." in said) is equal
    assert bool(said) is equal
