"""Wherever Python and its packages lie, the sandbox finds them: in /tmp, behind links, deep down."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import regreen
from regreen.errors import SandboxError
from regreen.sandbox.guest.enclosure.mounts import SCRATCH_PLACES, scratch_place
from regreen.sandbox.guest.enclosure.system_calls import EnclosureError
from regreen.sandbox.guest.server_orders import ORDER_BYTES
from regreen.sandbox.interpreter import inspect_interpreter
from regreen.sandbox.server_process import SandboxServer, spawn_order
from regreen.types import Limits

pytestmark = pytest.mark.sandbox

PACKAGES = ("py", "pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments")
HOST = """
import json, sys
from regreen.types import Limits
from regreen.verify.baseline import judge_given
from regreen.verify.judge import open_judge
from regreen.verify.suites import read_suite

def judge(program, checks, companions={}):
    suite = read_suite(checks, program=program, module="program", entry_point="answer")
    limits = Limits(seconds=5.0, total_seconds=30.0, processes="sys" in program)
    verdict, _ = judge_given(sandbox, program, suite, limits, companions)
    return "passed" if verdict.passed else repr(verdict)

PYTEST = '''
import pytest
from program import answer

@pytest.mark.parametrize("x", [1, 2])
def test_answer(x, tmp_path):
    (tmp_path / "note").write_text("x")
    assert answer(x) == pytest.approx(x + 1)
'''
STARTS = '''
import os, subprocess, sys, tempfile

def answer(x):
    with tempfile.TemporaryDirectory(dir=os.environ["HOME"]):
        return subprocess.run([sys.executable, "-I", "-c", "import json; print(40 + 2)"], capture_output=True).stdout
'''
with open_judge(layers=sys.argv[1]) as sandbox:
    print(json.dumps({
        "pytest": judge("def answer(x):\\n    return x + 1\\n", PYTEST),
        "companions": judge(
            "import helper\\n\\ndef answer(x):\\n    return helper.TWO + x\\n",
            "assert answer(1) == 3\\n",
            companions={"helper.py": "TWO = 2\\n"},
        ),
        "processes": judge(STARTS, "assert answer(1) == b'42\\\\n'\\n"),
        "home": judge("import os\\ndef answer(x):\\n    return os.getcwd() == os.environ['HOME']", "assert answer(1)"),
    }))
"""


def environment(folder: Path) -> str:
    """Lay out what `python -m venv` and pip would, in less time; returns the path of its Python."""
    python = Path(sysconfig.get_path("stdlib"), "..", "..", "bin").resolve() / Path(sys.executable).resolve().name
    packages = folder / "lib" / f"python3.{sys.version_info.minor}" / "site-packages"
    packages.mkdir(parents=True)
    (folder / "bin").mkdir()
    (folder / "bin" / "python").symlink_to(python)
    (folder / "lib64").symlink_to("lib")
    (folder / "pyvenv.cfg").write_text(f"home = {python.parent}\ninclude-system-site-packages = false\n")
    skip = shutil.ignore_patterns("__pycache__")
    for name in PACKAGES:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations:
            shutil.copytree(spec.submodule_search_locations[0], packages / name, ignore=skip)
        elif spec is not None and spec.origin is not None:
            shutil.copy(spec.origin, packages)
    shutil.copytree(Path(regreen.__file__).parent, packages / "regreen", ignore=skip)
    return str(folder / "bin" / "python")


@pytest.fixture(scope="module", params=["closed", "deep"])
def python(request: pytest.FixtureRequest) -> Iterator[str]:
    """An environment that only its owner may read; and one in a deep folder with spaces, found through a link."""
    top = Path(tempfile.mkdtemp(prefix="regreen-place-", dir="/tmp"))
    try:
        if request.param == "closed":
            python = environment(top / "venv")
            for path in (top / "venv").rglob("*"):
                if not path.is_symlink():
                    path.chmod(path.stat().st_mode & ~0o077)
            yield python
        else:
            real = top / "a folder with 'quotes' and  spaces" / Path(*["deeper"] * 12)
            real.mkdir(parents=True)
            environment(real / "venv")
            (top / "by a link").symlink_to(real)
            yield str(top / "by a link" / "venv" / "bin" / "python")
    finally:
        shutil.rmtree(top)


def test_an_environment_is_found_wherever_it_lies(layers: str, python: str, tmp_path: Path) -> None:
    """Its packages, its interpreter, and the parts of the sandbox that are imported late."""
    done = subprocess.run(
        [python, "-c", HOST, layers],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd=tmp_path,
        env={"TMPDIR": str(tmp_path), "PATH": "/usr/bin:/bin"},
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == dict.fromkeys(("pytest", "companions", "processes", "home"), "passed")
    assert list(tmp_path.iterdir()) == []


STARTS_A_SERVER = """
import sys
from regreen.sandbox.interpreter import inspect_interpreter
from regreen.sandbox.server_process import SandboxServer

for kind in ("guests", "checks", "screens"):
    SandboxServer(inspect_interpreter(), sys.argv[1], kind).close()
"""


@pytest.mark.parametrize(("unwanted", "kept"), [("", True), ("1", False)])
def test_what_only_the_sandbox_imports_is_kept_compiled_where_that_is_wanted(
    layers: str, unwanted: str, kept: bool, tmp_path: Path
) -> None:
    """An installer may have left it to Python, and a process that is shut in can keep nothing."""
    source = Path(regreen.__file__).parent
    shutil.copytree(source, tmp_path / "regreen", ignore=shutil.ignore_patterns("__pycache__"))
    subprocess.run(
        [sys.executable, "-c", STARTS_A_SERVER, layers],
        env={"PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": unwanted},
        check=True,
        timeout=60,
    )
    compiled = {path.name.partition(".")[0] for path in tmp_path.rglob("*.pyc")}
    wanted = {"judge_process", "screener_process", "shared_process", "memory_layout"}
    assert wanted <= compiled if kept else not compiled


def test_the_scratch_folder_lies_over_nothing_readable() -> None:
    """Where its usual place is taken, it moves; with no place left, the sandbox is refused."""
    first, second, *_ = SCRATCH_PLACES
    assert scratch_place(["/usr/lib", "/scratchy/venv"]) == first
    assert scratch_place([f"{first}/me/venv/lib", "/usr/lib"]) == second
    with pytest.raises(EnclosureError, match="no place is left"):
        scratch_place(SCRATCH_PLACES)


@pytest.mark.parametrize("role", ["guest", "judge", "shared", "screener"])
def test_an_order_fits_into_what_a_server_reads_of_it(role: str) -> None:
    """Whatever the limits are."""
    longest = Limits(1.2345678901234567e-100, 1.2345678901234567e18, sys.maxsize, sys.maxsize, processes=False)
    assert len(spawn_order(role, longest)) <= ORDER_BYTES


def test_a_server_answers_when_there_is_nothing_to_reap(layers: str) -> None:
    """Asked for the end of a child that never was, it says so and serves on."""
    server = SandboxServer(inspect_interpreter(), layers, "guests")
    try:
        for _ in range(2):
            with pytest.raises(SandboxError, match="could not start a process"):
                server.reap()
            assert server.cpu_seconds() == 0.0
        server.spawn("guest", Limits()).close()
        assert server.reap(gone=True).exit_code == 0
    finally:
        server.close()
