"""What tests need that run something as an ordinary user, from root."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import regreen

NOBODY = 65_534


@pytest.fixture(scope="session")
def public_source() -> Iterator[Path]:
    """The package and what runs it, copied to where every user may read them."""
    if os.getuid() != 0:
        pytest.skip("these tests run as an ordinary user already")
    folder = Path(tempfile.mkdtemp(prefix="regreen-public-"))
    folder.chmod(0o755)
    package = Path(regreen.__file__).parent
    # With what is compiled already: it would have to be compiled anew for every process.
    shutil.copytree(package, folder / "regreen")
    tests = Path(__file__).parent.parent
    shutil.copy(tests / "escape" / "as_nobody.py", folder)
    shutil.copytree(tests / "differential", folder / "differential")
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def public_python() -> str:
    """A Python that an ordinary user may run: this one may lie in a folder that only root can enter."""
    for python in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        with contextlib.suppress(OSError, subprocess.CalledProcessError):
            ask = [python, "-c", "import sys; assert sys.version_info >= (3, 11)"]
            subprocess.run(ask, user=NOBODY, group=NOBODY, extra_groups=[], check=True, capture_output=True, cwd="/")
            return python
    pytest.skip("no Python 3.11 or newer here that an ordinary user may run")
