import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def run(*numbers):
    return subprocess.run([sys.executable, "-m", "checksum", *numbers], cwd=ROOT, capture_output=True, text=True)


@pytest.mark.parametrize("number", ["4539 3195 0343 6467", "79927398713", "0"])
def test_valid(number):
    assert run(number).returncode == 0


def test_not_valid():
    done = run("79927398710", "79927398713")
    assert (done.returncode, done.stdout) == (1, "79927398710 is not valid\n")
