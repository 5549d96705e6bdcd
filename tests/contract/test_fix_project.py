"""`regreen fix` in a project: the command as users give it, and the function behind it."""

from __future__ import annotations

import json
import os
import py_compile
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

import regreen
from regreen.cli import run
from regreen.config import load_settings
from regreen.errors import TaskError
from regreen.sandbox.git_history import recorded_texts
from regreen.sandbox.project_environment import environment_in
from regreen.types import AsideKind, ProjectOutcome, ProjectRepair

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(sys.platform != "linux", reason="the jail needs Linux"),
]
SHOP = {
    "pytest.ini": "[pytest]\npythonpath = src\n",
    "src/shop/__init__.py": "from .cart import Cart\n",
    "src/shop/cart.py": (
        "from .pricing import discount\n\n\nclass Cart:\n    def __init__(self):\n        self.prices = []\n\n"
        "    def add(self, price):\n        self.prices.append(price)\n\n"
        "    def due(self):\n        total = sum(self.prices)\n        return total - discount(total)\n"
    ),
    "src/shop/pricing.py": "def discount(total):\n    if total > 100:\n        return 10\n    return 0\n",
    "tests/conftest.py": "import pytest\nfrom shop import Cart\n\n@pytest.fixture\ndef cart():\n    return Cart()\n",
    "tests/test_cart.py": (
        "import pytest\n\n@pytest.mark.parametrize('price, due', [(10, 10), (99, 99), (100, 90), (200, 190)])\n"
        "def test_due(cart, price, due):\n    cart.add(price)\n    assert cart.due() == due\n"
    ),
}


@pytest.fixture
def put(tmp_path: Path) -> Callable[[Mapping[str, str]], Path]:
    """Writes the files of a project, and returns its folder."""

    def write(files: Mapping[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / "desk" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return tmp_path / "desk"

    return write


def repaired(folder: Path, *arguments: str) -> ProjectRepair:
    """The repair with one worker and a small budget."""
    settings = load_settings({"workers": 1, "max_candidates": 3_000}, near=folder)
    return regreen.repair_project(folder, arguments, settings=settings)


def test_a_project_is_repaired_and_its_patch_applies(
    put: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command finds what is red, the module at fault and the change; git takes the patch, `--apply` writes it.

    Doctests of the module decide beside the tests, for each candidate anew.
    """
    folder = put(
        {
            **SHOP,
            "pytest.ini": SHOP["pytest.ini"] + "addopts = --doctest-modules\n",
            "src/shop/pricing.py": SHOP["src/shop/pricing.py"].replace(
                "    if", '    """\n    >>> discount(5)\n    0\n    """\n    if', 1
            ),
        }
    )
    monkeypatch.chdir(folder)
    assert run(["fix", "--workers", "1", "--json", "--out", "../fix.patch", "--apply"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["outcome"], told["red"]) == ("fixed", ["tests/test_cart.py::test_due[100-90]"])
    assert [change["path"] for change in told["changes"]] == ["src/shop/pricing.py"]
    assert "-    if total > 100:\n+    if total >= 100:\n" in told["diff"]
    assert ">= 100" in (folder / "src/shop/pricing.py").read_text(encoding="utf-8")
    subprocess.run(["git", "apply", "-R", "../fix.patch"], check=True)
    assert "> 100" in (folder / "src/shop/pricing.py").read_text(encoding="utf-8")


def test_tests_that_decide_nothing_are_told_apart_each_with_its_remedy(put: Callable[..., Path]) -> None:
    """A missing package, the network, a flaky test, one that needs another before it: none is taken for the bug."""
    folder = put(
        {
            "calc.py": "def double(n):\n    return n * 2\n",
            "test_calc.py": "from calc import double\n\ndef test_double():\n    assert double(4) == 8\n",
            "test_package.py": "import nosuchpackage\n\ndef test_it():\n    nosuchpackage.go()\n",
            "test_network.py": (
                "import socket\n\ndef test_site():\n    socket.create_connection(('192.0.2.1', 80), timeout=1)\n"
            ),
            "test_flaky.py": "import random\n\ndef test_luck():\n    assert int(random.random() * 1e9) % 4 == 0\n",
            "test_order.py": "KEPT = []\n\ndef test_a():\n    KEPT.append(1)\n\ndef test_b():\n    assert not KEPT\n",
        }
    )
    repair = repaired(folder)
    kinds = {test: aside.kind for aside in repair.aside for test in aside.tests}
    assert kinds["test_package.py"] is AsideKind.MODULE
    assert kinds["test_network.py::test_site"] is AsideKind.NETWORK
    assert kinds["test_order.py::test_b"] is AsideKind.ORDER
    assert all(aside.remedy for aside in repair.aside)
    assert repair.outcome is ProjectOutcome.OUT_OF_REACH
    assert repair.changes == ()


def test_a_folder_without_tests_is_an_error_that_says_so(put: Callable[..., Path]) -> None:
    """Nothing to run is no success."""
    with pytest.raises(TaskError, match="finds no test"):
        repaired(put({"pytest.ini": "[pytest]\n", "calc.py": "x = 1\n"}))


def test_a_plugin_that_counts_reruns_by_a_server_needs_none_here(put: Callable[..., Path]) -> None:
    """pytest-rerunfailures has one where pytest-xdist is installed, and the sandbox has no network."""
    served = (
        "import socket\n\nHAS_PYTEST_HANDLECRASHITEM = True\n\ndef pytest_configure(config):\n"
        "    if HAS_PYTEST_HANDLECRASHITEM:\n        socket.create_server(('localhost', 0)).close()\n"
    )
    folder = put({**SHOP, "pytest.ini": "[pytest]\npythonpath = src\naddopts = -p pytest_rerunfailures\n"})
    folder.joinpath("pytest_rerunfailures.py").write_text(served, encoding="utf-8")
    assert repaired(folder).fixed


def test_tests_that_were_not_chosen_prove_the_repair_too(put: Callable[..., Path]) -> None:
    """Whichever test is asked for: one that nobody chose stays green, and one that was red before is nobody's fault."""
    folder = put(
        {
            "pytest.ini": "[pytest]\n",
            "size.py": "def size(n):\n    return n + n\n",
            "test_chosen.py": "from size import size\n\ndef test_three():\n    assert size(3) == 9\n",
            "test_others.py": (
                "from size import size\n\ndef test_two():\n    assert size(2) == 4\n\n"
                "def test_none():\n    assert size(0) == 0\n\ndef test_red_before():\n    assert size(1) == 7\n"
            ),
        }
    )
    for chosen in (["test_chosen.py"], ["-k", "three"]):
        repair = repaired(folder, *chosen)
        assert repair.fixed
        assert "return n * n" in repair.changes[0].after
        assert repair.after.keys() == {
            "test_chosen.py::test_three",
            "test_others.py::test_two",
            "test_others.py::test_none",
        }
        assert repair.cost.timings.keys() == {"baseline", "localise", "search", "suite"}


def test_tests_that_are_named_by_the_clock_are_not_held_against_a_repair(put: Callable[..., Path]) -> None:
    """Without any change they are gone in the next run, too."""
    named = (
        "import time\nimport pytest\nfrom shop import Cart\n\n"
        "@pytest.mark.parametrize('when', [time.time_ns()])\ndef test_when(when):\n    assert Cart().due() < when\n"
    )
    result = repaired(put({**SHOP, "tests/test_when.py": named}))
    assert result.outcome is ProjectOutcome.FIXED
    assert [change.path for change in result.changes] == ["src/shop/pricing.py"]


def test_a_test_that_contradicts_a_green_one_is_said_to_look_wrong(put: Callable[..., Path]) -> None:
    """An outcome of its own, with both lines."""
    tests = "from calc import double\n\ndef test_a():\n    assert double(2) == 4\n"
    tests += "\ndef test_b():\n    assert double(2) == 5\n"
    folder = put({"pytest.ini": "[pytest]\n", "calc.py": "def double(n):\n    return n * 2\n", "test_calc.py": tests})
    settings = load_settings({"workers": 1, "max_candidates": 40}, near=folder)
    repair = regreen.repair_project(folder, settings=settings)
    assert repair.outcome is ProjectOutcome.TESTS_LOOK_WRONG
    assert [(aside.kind, aside.tests) for aside in repair.aside] == [
        (AsideKind.CONTRADICTION, ("test_calc.py::test_b",))
    ]


def test_a_hostile_repository_runs_nothing(tmp_path: Path) -> None:
    """What its configuration names (monitors, filters, hooks, helpers) is not started when git is asked for texts."""
    folder, marker = tmp_path / "repository", tmp_path / "marker"
    folder.mkdir()

    def git(*arguments: str) -> None:
        who = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
        subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)

    git("init", "-q")
    (folder / "a.py").write_text("x = 1\n", encoding="utf-8")
    git("add", "a.py")
    git("commit", "-q", "-m", "one")
    (folder / "a.py").write_text("x = 2\n", encoding="utf-8")
    git("commit", "-q", "-a", "-m", "two")
    evil = f"touch {marker}; cat"
    for name in ("core.fsmonitor", "core.pager", "filter.evil.clean", "filter.evil.smudge", "diff.evil.textconv"):
        git("config", name, evil)
    (folder / ".gitattributes").write_text("* filter=evil diff=evil\n", encoding="utf-8")
    (folder / "a.py").write_text("x = 3\n", encoding="utf-8")
    assert recorded_texts(str(folder), ["a.py", "b.py"], ["HEAD", "HEAD~1"]) == {
        ("HEAD", "a.py"): b"x = 2\n",
        ("HEAD~1", "a.py"): b"x = 1\n",
    }
    assert not marker.exists()


def test_the_virtual_environment_of_a_project_is_read_and_not_run(tmp_path: Path) -> None:
    """Its packages are used with the interpreter that made it; its own interpreter and path files are not."""
    made = tmp_path / ".venv"
    packages = made / "lib" / f"python3.{sys.version_info[1]}" / "site-packages"
    packages.mkdir(parents=True)
    home = Path(sys.executable).resolve().parent
    made.joinpath("pyvenv.cfg").write_text(f"home = {home}\nversion = 3.{sys.version_info[1]}.0\n", encoding="utf-8")
    marker = tmp_path / "marker"
    (packages / "evil.pth").write_text(f"import os; os.mkdir({str(marker)!r})\n/etc\n", encoding="utf-8")
    (made / "bin").mkdir()
    (made / "bin/python").write_text(f"#!/bin/sh\nmkdir {marker}\n", encoding="utf-8")
    (made / "bin/python").chmod(0o755)
    found = environment_in(tmp_path)
    assert found is not None
    assert str(packages.resolve()) in found.path
    assert "/etc" not in found.path
    assert Path(found.executable).resolve().parent == home
    assert not marker.exists()


def test_compiled_files_are_used_as_python_uses_them(put: Callable[..., Path]) -> None:
    """What lies in `__pycache__` and is up to date by time and size is what plain pytest would run."""
    folder = put(
        {
            "pytest.ini": "[pytest]\n",
            "app/__init__.py": "",
            "app/size.py": "SIZE = 1\n",
            "test_size.py": "from app.size import SIZE\n\ndef test_size():\n    assert SIZE == 2\n",
        }
    )
    module = folder / "app/size.py"
    module.write_text("SIZE = 2\n", encoding="utf-8")
    os.utime(module, (1_600_000_000, 1_600_000_000))
    py_compile.compile(str(module))
    module.write_text("SIZE = 1\n", encoding="utf-8")
    os.utime(module, (1_600_000_000, 1_600_000_000))
    assert repaired(folder).outcome is ProjectOutcome.NOTHING_RED
    os.utime(module)
    assert "+SIZE = 2" in repaired(folder).diff


def test_what_an_interrupted_search_had_found_is_said(
    put: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In words, as what is not proven; nothing of it is written, even where partial repairs are wanted."""

    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    # Asked by itself, so that no change of its caller is a repair.
    asked = "from shop.pricing import discount\n\ndef test_it():\n    assert discount(100) == 10\n"
    folder = put(SHOP | {"tests/test_pricing.py": asked})
    monkeypatch.chdir(folder)
    monkeypatch.setattr("regreen.strategies.whole_projects.project_search.prove_changes", interrupted)
    assert run(["fix", "--workers", "1", "--json", "--apply-partial"]) == 130
    told = json.loads(capsys.readouterr().out)
    assert (told["outcome"], told["changes"], told["diff"]) == ("not_fixed", [], "")
    assert "not proven by the whole suite: in src/shop/pricing.py, `>` became `>=`" in told["explanation"]
    for module in ("src/shop/cart.py", "src/shop/pricing.py"):
        assert (folder / module).read_text(encoding="utf-8") == SHOP[module]


def test_what_else_passes_in_a_project_is_shown_as_alternatives(
    put: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each is another patch that the whole suite lets pass; together they are no likelier than the repair leaves."""
    tests = SHOP["tests/test_cart.py"].replace("(99, 99), ", "")
    folder = put({**SHOP, "tests/test_cart.py": tests})
    monkeypatch.chdir(folder)
    assert run(["fix", "--workers", "1", "--max-candidates", "600", "--json", "--alternatives", "2", "--apply"]) == 0
    told = json.loads(capsys.readouterr().out)
    found = told["alternatives"]
    assert len(found) == 2
    assert len({told["diff"], *(other["diff"] for other in found)}) == 3
    likely = [other["likelihood"] for other in found]
    assert likely == sorted(likely, reverse=True)
    assert sum(likely) <= 1 - told["likelihood"] + 1e-9
    for other in found:
        (change,) = other["changes"]
        put({**SHOP, "tests/test_cart.py": tests, change["path"]: change["after"]})
        assert change["before"] == SHOP[change["path"]]
        assert subprocess.run([sys.executable, "-m", "pytest", "-q"], check=False).returncode == 0
