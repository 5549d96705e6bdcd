"""The pytest plugin in runs of pytest itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TESTS = """from shop import total

def test_total():
    assert total([1, 2]) == 3

def test_one():
    assert total([4]) == 4
"""
BUGGY = "def total(prices):\n    result = 0\n    for price in prices[1:]:\n        result += price\n    return result\n"
LIGHT = """
import sys, pytest
before = set(sys.modules)
import regreen.pytest_plugin
new = {name for name in set(sys.modules) - before if not name.startswith('regreen')}
assert not new, new
assert len([name for name in sys.modules if name.startswith('regreen')]) == 2
"""


def test_a_run_that_does_not_ask_loads_next_to_nothing() -> None:
    """The plugin is imported by every run of pytest wherever Regreen is installed."""
    done = subprocess.run([sys.executable, "-c", LIGHT], capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr == ""


@pytest.mark.slow
@pytest.mark.sandbox
@pytest.mark.parametrize("ways", [("-x",), ("-n", "2")])
def test_a_red_run_is_repaired_in_its_summary(tmp_path: Path, ways: tuple[str, ...]) -> None:
    """With the first failure alone, on several workers, and though the configuration asks for the plugin itself."""
    (tmp_path / "shop.py").write_text(BUGGY, encoding="utf-8")
    (tmp_path / "test_shop.py").write_text(TESTS, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --regreen-apply\n", encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "regreen.pytest_plugin", "-p", "no:regreen", *ways]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 1
    assert "Fixed in shop.py: 2 tests run, 2 failed before." in done.stdout
    assert "[1:]" not in (tmp_path / "shop.py").read_text(encoding="utf-8")
