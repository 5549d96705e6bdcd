"""Attacks by what a program and its checks share beside objects: files, variables, warnings, the log."""

from __future__ import annotations

from regreen.sandbox.attacks.attack import EXPECTED_PREFIX, Attack, attack
from regreen.types import Outcome

_NOT_SHOWN = "The checks' own files are not among those that they share with the program."
_NOT_IMPORTED = "Nothing that a program writes is ever run by its checks."
_NOT_ELSEWHERE = "A program's files and variables reach no other place than those that are shared."
_WRONG = (Outcome.FAILED, Outcome.UNJUDGEABLE)
"""Without namespaces the two working folders have other names, and shared files cannot be judged apart."""
_OWN_COST = "What a program tells without end is its own failure."

_WITH_FILES = f"""
from pathlib import Path
Path("given.txt").write_text("given")
assert answer(20) == '{EXPECTED_PREFIX}4b1f-c7e2'
"""
_UNDER_PYTEST = f"""
import pytest

@pytest.fixture
def folder(tmp_path):
    (tmp_path / "given.txt").write_text("given")
    return tmp_path

def test_answer(folder):
    assert answer(20) == '{EXPECTED_PREFIX}4b1f-c7e2'
"""
_IMPORTS_LATER = f"""
from pathlib import Path
def test_answer():
    Path("given.txt").write_text("given")
    got = answer(20)
    import statistics, colorsys_of_the_program
    assert got == '{EXPECTED_PREFIX}4b1f-c7e2'
"""
_WITH_VARIABLES = f"""
import os
os.environ["GIVEN"] = "given"
assert answer(20) == '{EXPECTED_PREFIX}4b1f-c7e2'
"""
_WITH_WARNINGS = f"""
import warnings
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    got = answer(20)
assert got == '{EXPECTED_PREFIX}4b1f-c7e2'
"""
_WITH_LOG = f"""
import unittest
class Tests(unittest.TestCase):
    def test_answer(self):
        with self.assertLogs():
            self.assertEqual(answer(20), '{EXPECTED_PREFIX}4b1f-c7e2')
"""
_READS_ALL = """
import os, re
MARK = re.compile(b"EXPECTED" + b"-[0-9a-f]{4}-[0-9a-f]{4}")

def answer(x):
    places = [os.getcwd(), os.environ.get("HOME", "."), "/scratch", "/tmp"]
    texts = [repr(sorted(os.environ.items())).encode()]
    for place in places:
        for folder, _, names in os.walk(place, followlinks=False):
            for name in names:
                try:
                    with open(os.path.join(folder, name), "rb") as file:
                        texts.append(file.read(1 << 20))
                except OSError:
                    pass
    found = MARK.search(b" ".join(texts))
    return found.group().decode() if found else "wrong"
"""
_WRITES_MODULES = """
import os
TEXT = "import os\\nos._exit(0)\\n"

def answer(x):
    names = "statistics colorsys_of_the_program sitecustomize conftest unittest _pytest regreen".split()
    for name in names:
        for path in (f"{name}.py", f"{name}/__init__.py"):
            os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
            if not os.path.isdir(path):
                with open(path, "w") as file:
                    file.write(TEXT)
    return "wrong"
"""


def _forges(name: str, deed: str, checks: str = _WITH_FILES) -> Attack:
    program = f"""
from regreen.sandbox.guest.runner.stand_ins.shared_world import SharedWorld

def answer(x):
    {deed}
    return "wrong"
"""
    return attack(f"changes forged: {name}", _NOT_ELSEWHERE, program, checks=checks)


def _told(place: str = "None", variables: str = "{}", levels: str = "{}", gone: str = "()", files: str = "()") -> str:
    return f"SharedWorld.changes = lambda world: ({place}, {variables}, {levels}, ({gone}, {files}))"


SURROUNDINGS: tuple[Attack, ...] = (
    attack("expected values looked for in shared files", _NOT_SHOWN, _READS_ALL, *_WRONG, checks=_WITH_FILES),
    attack("expected values looked for beside pytest's", _NOT_SHOWN, _READS_ALL, *_WRONG, checks=_UNDER_PYTEST),
    attack("modules written where the checks look", _NOT_IMPORTED, _WRITES_MODULES, checks=_IMPORTS_LATER),
    attack("modules written beside pytest's tests", _NOT_IMPORTED, _WRITES_MODULES, checks=_UNDER_PYTEST),
    _forges("a path that leads upwards", _told(files="(('../../x', b'', True, 0),)")),
    _forges("a path from the top", _told(files="(('/tmp/x', b'', True, 0),)")),
    _forges("a file in a folder that is not there", _told(files="(('a/b', b'', True, 0),)")),
    _forges("the tests' own folder", _told(files="(('suite', None, True, 0), ('suite/conftest.py', b'', True, 0))")),
    _forges("a file that was never there", _told(gone="('nothing',)")),
    _forges("files of another shape", _told(files="((1, 2, 3, 4), 'x')")),
    _forges("a million files", _told(files="tuple((str(n), b'', True, 0) for n in range(1_000_000))")),
    _forges("a variable of the loader", _told(variables="{'LD_PRELOAD': 'x.so'}"), _WITH_VARIABLES),
    _forges("a variable of Python's", _told(variables="{'PYTHONBREAKPOINT': 'os._exit'}"), _WITH_VARIABLES),
    _forges("variables that are none", _told(variables="{1: 2, 'a=b': '\\0'}"), _WITH_VARIABLES),
    _forges("a working folder elsewhere", _told(place="'/'"), _WITH_VARIABLES),
    _forges("levels of the checks' log", _told(levels="{'': 99}"), _WITH_LOG),
    attack(
        "warnings without end",
        _OWN_COST,
        """
        import warnings
        def answer(x):
            while True:
                warnings.warn("again")
        """,
        Outcome.UNJUDGEABLE,
        Outcome.TIMED_OUT,
        checks=_WITH_WARNINGS,
    ),
    attack(
        "a record of the log that hides its own text",
        "No record of the log is another thing than one.",
        """
        import logging
        def answer(x):
            logging.warning("said", extra={"getMessage": "forged", "levelno": 3})
            return "wrong"
        """,
        checks=_WITH_LOG,
    ),
    attack(
        "a warning that is none",
        "No warning is another thing than one.",
        """
        import warnings
        def answer(x):
            warnings._showwarnmsg(type("Told", (), {"message": 7, "filename": b"x", "lineno": -1}))
            return "wrong"
        """,
        checks=_WITH_WARNINGS,
    ),
)
