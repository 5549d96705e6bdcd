"""Which tests of pytest's can be run in another process than the program's is read from their text."""

from __future__ import annotations

import pytest

from regreen.types import Isolation
from regreen.verify.suites import read_suite

PROGRAM = "import time\nclass Box:\n    size = 1\nRATE = 2\ndef f(x):\n    print(x)\n    return x * RATE\n"
HEAD = "import pytest\nimport program\nfrom program import f\n"
APART = {
    "fixtures of its own": "@pytest.fixture\ndef one():\n    return 1\ndef test_a(one):\n    assert f(one) == 2\n",
    "parameters": '@pytest.mark.parametrize("a, b", [(1, 2)])\ndef test_a(a, b):\n    assert f(a) == b\n',
    "parameters by a list": '@pytest.mark.parametrize(["a"], [(1,)])\ndef test_a(a):\n    assert f(a)\n',
    "parameters of a class": (
        '@pytest.mark.parametrize("a", [1])\nclass TestA:\n    def test_a(self, a):\n        assert f(a)\n'
    ),
    "what is printed": "def test_a(capsys):\n    f(1)\n    assert capsys.readouterr().out\n",
    "a name replaced": 'def test_a(monkeypatch):\n    monkeypatch.setattr(program, "RATE", 3)\n    assert f(1) == 3\n',
    "a name replaced by a path": 'def test_a(monkeypatch):\n    monkeypatch.setattr("program.RATE", 3)\n',
    "a mock": "from unittest.mock import Mock\ndef test_a():\n    assert f(Mock())\n",
    "a name patched": 'from unittest import mock\ndef test_a():\n    with mock.patch("program.f"):\n        pass\n',
    "a patched name, given": (
        'from unittest.mock import patch\n@patch("program.f")\n@patch("program.RATE", 3)\ndef test_a(g, capsys):\n'
        "    assert g\n"
    ),
    "an attribute of a class replaced": (
        'def test_a(monkeypatch):\n    monkeypatch.setattr(program.Box, "size", 3)\n'
        '    monkeypatch.setattr("program.Box.size", 3)\n'
    ),
    "the clock replaced": 'import time\ndef test_a(monkeypatch):\n    monkeypatch.setattr(time, "time", f)\n',
    "the clock replaced by a path": 'def test_a(monkeypatch):\n    monkeypatch.setattr("program.time.sleep", f)\n',
    "built-in names replaced": (
        'import builtins\ndef test_a(monkeypatch):\n    monkeypatch.setattr("builtins.input", f)\n'
        '    monkeypatch.setattr(builtins, "print", f)\n'
    ),
    "a method patched": (
        'from unittest.mock import patch\ndef test_a():\n    with patch.object(program.Box, "size"):\n'
        "        assert f(1)\n"
    ),
    "an attribute of an object replaced": (
        'def test_a(monkeypatch):\n    box = program.Box()\n    monkeypatch.setattr(box, "size", 3)\n    assert f(1)\n'
    ),
    "a method of an object patched": (
        "import unittest\nfrom unittest import mock\nclass TestA(unittest.TestCase):\n    def setUp(self):\n"
        '        self.box = program.Box()\n    def test_a(self):\n        with mock.patch.object(self.box, "size"):\n'
        "            assert f(1)\n"
    ),
    "an attribute of a fixture's object replaced": (
        "@pytest.fixture\ndef box():\n    return program.Box()\n"
        'def test_a(box, monkeypatch):\n    monkeypatch.setattr(box, "size", 3)\n    assert f(1)\n'
    ),
    "a parameter of a fixture": (
        "@pytest.fixture(params=[1])\ndef n(request):\n    return request.param\ndef test_a(n):\n    assert f(n)\n"
    ),
}
TOGETHER = {
    "a fixture from elsewhere": "def test_a(database):\n    assert f(1) == 2\n",
    "a fixture by its name": '@pytest.mark.usefixtures("database")\ndef test_a():\n    assert f(1) == 2\n',
    "a mark of a plugin": "@pytest.mark.django_db\ndef test_a():\n    assert f(1) == 2\n",
    "a name of another module": 'import os\ndef test_a(monkeypatch):\n    monkeypatch.setattr(os, "getpid", f)\n',
    "another module by a path": 'def test_a(monkeypatch):\n    monkeypatch.setattr("os.getpid", f)\n',
    "a clock that the judge has, too": 'def test_a(monkeypatch):\n    monkeypatch.setattr("time.monotonic", f)\n',
    "monkeypatch handed on": "def test_a(monkeypatch):\n    prepare(monkeypatch)\n    assert f(1)\n",
    "a method of another class": (
        'from pathlib import Path\ndef test_a(monkeypatch):\n    monkeypatch.setattr(Path, "exists", f)\n'
    ),
    "an attribute of what may be anything": (
        'def test_a(monkeypatch):\n    box = f(1)\n    monkeypatch.setattr(box, "size", 3)\n'
    ),
    "an attribute of an object, or of something else": (
        "import os\ndef test_a(monkeypatch):\n    box = program.Box()\n    box = box or os\n"
        '    monkeypatch.setattr(box, "size", 3)\n'
    ),
    "an attribute of what a fixture may have made otherwise": (
        "import os\n@pytest.fixture\ndef box():\n    if f(1):\n        return os\n    return program.Box()\n"
        'def test_a(box, monkeypatch):\n    monkeypatch.setattr(box, "size", 3)\n'
    ),
    "an attribute of what is no fixture's": (
        "def box():\n    return program.Box()\n@pytest.mark.parametrize('box', [f])\n"
        'def test_a(box, monkeypatch):\n    monkeypatch.setattr(box, "size", 3)\n'
    ),
    "a mock that stands for a function": (
        'from unittest.mock import patch\ndef test_a():\n    with patch("program.f", autospec=True):\n        pass\n'
    ),
    "a variable patched": (
        'from unittest.mock import patch\n@patch.dict("os.environ", {"A": "1"})\ndef test_a():\n    assert f(1)\n'
    ),
    "a parameter more than is patched": (
        'from unittest.mock import patch\n@patch("program.f")\ndef test_a(g, h):\n    assert g\n'
    ),
    "a mock that says what it equals": (
        "from unittest.mock import MagicMock\ndef test_a():\n    m = MagicMock()\n    m.__eq__.return_value = True\n"
        "    assert f(m)\n"
    ),
    "the clock": "from freezegun import freeze_time\ndef test_a():\n    assert f(1)\n",
    "an event loop": "async def test_a():\n    assert f(1)\n",
    "properties": "from hypothesis import given\n@given(1)\ndef test_a(x):\n    assert f(x)\n",
    "a traceback": "def test_a():\n    with pytest.raises(TypeError) as e:\n        f()\n    assert e.traceback\n",
    "fixtures by chance": 'def test_a(request):\n    assert request.getfixturevalue("one")\n',
    "plugins": "pytest_plugins = []\ndef test_a():\n    assert pytest_plugins == [] or f(1)\n",
}
STREAMS = {
    "kept": "import sys\nOUT = sys.stdout\ndef f(x):\n    print(x, file=OUT)\n",
    "a default": "import sys\ndef f(x, out=sys.stdout):\n    print(x, file=out)\n",
    "bytes": "import sys\ndef f(x):\n    sys.stdout.buffer.write(x)\n",
    "a log": "import logging\ndef f(x):\n    logging.warning(x)\n",
    "no Python": "def f(x:\n",
}


def needs(tests: str, program: str = PROGRAM) -> str:
    """Why these tests need the program's process; empty where they do not."""
    suite = read_suite(HEAD + tests, program=program, module="program", entry_point=None)
    return suite.reason if suite.isolation is Isolation.SHARED else ""


@pytest.mark.parametrize("name", APART)
def test_what_pytest_does_by_itself_needs_no_more_than_calls(name: str) -> None:
    """Nothing of it is the program's to see."""
    assert needs(APART[name]) == ""


@pytest.mark.parametrize("name", TOGETHER)
def test_what_is_not_known_to_be_the_same_needs_the_programs_process(name: str) -> None:
    """In doubt the tests run where they always did, and the reason is said."""
    assert needs(TOGETHER[name])


@pytest.mark.parametrize("name", STREAMS)
def test_a_program_with_streams_of_its_own_is_not_read_from_afar(name: str) -> None:
    """Only what `print` writes at once comes across in the order in which pytest would have met it."""
    assert needs(APART["what is printed"], STREAMS[name])


def test_a_stream_that_is_named_where_it_is_used_is_none_of_its_own() -> None:
    """`sys.stderr` is looked up anew at each call."""
    program = "import sys\ndef f(x):\n    print(x, file=sys.stderr)\n    sys.stdout.write(x)\n    return x\n"
    assert needs(APART["what is printed"], program) == ""
