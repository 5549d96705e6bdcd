"""The enclosure by itself, built for real around a process that tries the doors."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from waiting import wait_for

import regreen.sandbox.guest
from regreen.sandbox.interpreter import inspect_interpreter
from regreen.sandbox.probe import probe

pytestmark = [pytest.mark.sandbox, pytest.mark.skipif(sys.platform != "linux", reason="the jail needs Linux")]

NOBODY = 65_534
GUEST = Path(regreen.sandbox.guest.__file__).parent
SCENARIO = Path(__file__).with_name("enclosure_scenario.py")
REFUSED = ("EPERM", "EACCES", "ENOENT", "EROFS", "ENOSYS")


@pytest.fixture(scope="module")
def public_folder() -> Iterator[Path]:
    """A folder that every user of this machine may read, with the enclosure in it."""
    folder = Path(tempfile.mkdtemp(prefix="regreen-test-"))
    folder.chmod(0o1777)
    shutil.copytree(GUEST, folder / "guest", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(SCENARIO, folder / "scenario.py")
    (folder / "secret").write_text("hidden")
    yield folder
    shutil.rmtree(folder)


def python_for(user: int | None) -> str:
    """A Python that `user` can run; skips when there is none."""
    if user is None:
        return sys.executable
    for python in (sys.executable, "/usr/bin/python3"):
        with contextlib.suppress(OSError, subprocess.CalledProcessError):
            ask = [python, "-c", "import sys; assert sys.version_info >= (3, 11)"]
            subprocess.run(ask, user=user, group=user, extra_groups=[], check=True, capture_output=True, cwd="/")
            return python
    pytest.skip("no Python 3.11 that an ordinary user may run")


def start(layers: str, user: int | None, folder: Path) -> tuple[list[str], dict[str, Any], Path]:
    """The command that runs the scenario, how to run it, and its scratch folder."""
    python = python_for(user)
    scratch = folder / f"scratch-{secrets.token_hex(4)}"
    plan = {
        "layers": layers,
        "readable": [*inspect_interpreter(python).readable, str(folder / "guest")],
        "scratch": str(scratch) if layers == "landlock" else None,
        "marker": scratch.name,
        "scratch_bytes": 16 << 20,
        "guest": str(folder / "guest"),
        "keep_fds": [],
        # A second of processor time for each wall is enough.
        "skip": [] if user is None else ["spin"],
    }
    as_user = {} if user is None else {"user": user, "group": user, "extra_groups": []}
    command = [python, "-I", "-S", "-B", str(folder / "scenario.py"), json.dumps(plan), str(folder / "secret")]
    return command, {"cwd": "/", "env": {}, **as_user}, scratch


WAYS = [
    pytest.param((layers, user), id=f"{layers}-{'me' if user is None else 'nobody'}")
    for layers in ("namespaces", "landlock")
    for user in ((None, NOBODY) if os.getuid() == 0 else (None,))
]


def need(layers: str) -> None:
    """Skip where this machine does not grant the layers."""
    build = probe().builds[layers]
    if not build.works:
        pytest.skip(f"this machine does not grant {layers}: {build.detail}")


@pytest.fixture(scope="module", params=WAYS)
def told(request: pytest.FixtureRequest, public_folder: Path) -> dict[str, Any]:
    """What the scenario found, for each way to build the enclosure and each kind of user."""
    layers, user = request.param
    need(layers)
    command, options, _ = start(layers, user, public_folder)
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, **options)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = {"layers": layers, **json.loads(done.stdout)}
    return found


def test_the_report_names_every_layer_that_holds(told: dict[str, Any]) -> None:
    """The report is what `doctor` and the judge rely on."""
    report = told["report"]
    assert {"no_new_privs", "capabilities", "seccomp"} <= set(report["layers"])
    if told["layers"] == "namespaces":
        wanted = {f"{name} namespace" for name in ("user", "mount", "pid", "net", "ipc", "uts")}
        assert wanted <= set(report["layers"])
        assert report["pid1"] is True
        assert report["scratch"] == "/scratch"
    else:
        assert "landlock" in report["layers"]
        assert report["abi"] >= 6


def test_a_child_cannot_be_enclosed_before_its_server(told: dict[str, Any]) -> None:
    """Calling the second half alone is an error, not half a wall."""
    assert told["too early"] == "OSError"


@pytest.mark.parametrize(
    "deed", ["thread", "asyncio", "temporary", "own signal", "stream pair", "small pair", "import"]
)
def test_ordinary_programs_run_as_usual(told: dict[str, Any], deed: str) -> None:
    """The wall does not stand in the way of honest code."""
    assert told["ordinary_child"]["said"][deed] == "ok"


@pytest.mark.parametrize(
    "deed",
    [
        *("list root", "passwd", "own memory", "processes", "host file", "host folder", "host mode"),
        *("library", "library mode", "fork", "raw fork", "clone3", "exec", "kill server", "stop server", "kill all"),
        *("datagram pair", "raw pair", "socket", "unix socket", "memory file", "limit server", "ptrace", "mount"),
        "socket filter",
        *("unshare", "bpf", "keyctl", "io_uring", "seccomp", "undump", "x32", "unheard of"),
    ],
)
def test_what_leads_out_is_refused(told: dict[str, Any], deed: str) -> None:
    """Each of these would reach the host, another process or the wall itself."""
    assert told["ordinary_child"]["said"][deed] in REFUSED


def test_limits_cannot_be_raised(told: dict[str, Any]) -> None:
    """A lowered hard limit stays."""
    assert told["ordinary_child"]["said"]["raise limit"] != "ok"


def test_a_program_that_may_start_processes_can(told: dict[str, Any]) -> None:
    """`processes` opens that door, and no other."""
    assert told["starting_child"]["said"]["subprocess"] == "42"


def test_the_server_survives_whatever_its_child_sends(told: dict[str, Any]) -> None:
    """PID 1 is deaf to its children; without a pid namespace, Landlock refuses them."""
    assert set(told["starting_child"]["said"]) >= {"SIGKILL to server", "SIGSTOP to server", "SIGTERM to its group"}
    assert "dig" in told, "the server lived to run the last child"


def test_a_daemon_does_not_outlive_the_sweep(told: dict[str, Any]) -> None:
    """A twice-forked process in a session of its own is gone too."""
    assert told["left"] == "ECHILD"


def test_a_flood_ends_with_sigxfsz(told: dict[str, Any]) -> None:
    """So that the judge can tell a flood from a crash."""
    assert told["flood"]["ended"] == -signal.SIGXFSZ


def test_memory_is_limited(told: dict[str, Any]) -> None:
    """Two gigabytes are not given under a limit of one."""
    assert told["hoard"]["said"] == {"hoard": "MemoryError"}


def test_processor_time_is_limited(told: dict[str, Any]) -> None:
    """The kernel ends what spins, whatever it ignores."""
    if "spin" not in told:
        pytest.skip("tried once for each kind of wall")
    assert told["spin"]["ended"] == -signal.SIGXCPU


def test_threads_are_limited(told: dict[str, Any]) -> None:
    """Thousands of threads are not given."""
    assert told["crowd"]["said"] == {"threads": "bounded"}


def test_the_scratch_folder_is_small_where_it_is_ours(told: dict[str, Any]) -> None:
    """A tmpfs of our own is capped; a folder of the host's is not, which the documentation says."""
    assert told["fill"]["said"] == {"fill": "ENOSPC" if told["layers"] == "namespaces" else "ok"}


def test_the_scratch_folder_can_always_be_emptied(told: dict[str, Any]) -> None:
    """Neither depth, nor missing rights, nor links keep anything there for the next program."""
    assert told["scratch"] == []


@pytest.mark.parametrize("layers", ["namespaces", "landlock"])
@pytest.mark.parametrize("path", ["/", "/proc", "relative", "/usr/../etc"])
def test_a_plan_that_lets_the_host_in_is_refused(layers: str, path: str, public_folder: Path) -> None:
    """Careless plans fail loudly instead of building a weaker wall."""
    need(layers)
    command, options, _ = start(layers, None, public_folder)
    plan = {**json.loads(command[5]), "readable": [path]}
    command[5] = json.dumps(plan)
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, **options)
    assert done.returncode != 0
    assert "cannot be made readable" in done.stderr


LINGER = """
import json, os, sys, time
from types import ModuleType
plan = json.loads(sys.argv[1])
for name, path in (("regreen", "/../.."), ("regreen.sandbox", "/.."), ("regreen.sandbox.guest", "")):
    package = sys.modules[name] = ModuleType(name)
    package.__path__ = [plan["guest"] + path]
from regreen.sandbox.guest.enclosure import enclose
report = enclose.enclose_server(plan)
if not os.fork():
    enclose.enclose_child({"processes": True})
    if not os.fork():
        os.setsid()
    time.sleep(100)
os.write(1, b"ready")
time.sleep(100)
"""


def lingering(layers: str, folder: Path) -> tuple[list[str], dict[str, Any]]:
    """A command that encloses itself, starts a daemon and waits."""
    need(layers)
    command, options, _ = start(layers, None, folder)
    script = folder / "linger.py"
    script.write_text(LINGER)
    return [*command[:4], str(script), command[5]], options


def processes_of(marker: str) -> list[int]:
    """Every process whose command line holds `marker`."""
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if entry.name.isdigit() and marker.encode() in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
    return found


@pytest.mark.parametrize("layers", ["namespaces", "landlock"])
def test_sigterm_to_the_guard_ends_everything(layers: str, public_folder: Path) -> None:
    """The host has one process to end, and daemons go with it."""
    command, options = lingering(layers, public_folder)
    marker = json.loads(command[5])["marker"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, **options) as guard:
        assert guard.stdout is not None
        assert guard.stdout.read(5) == b"ready"
        assert len(processes_of(marker)) >= 3
        guard.terminate()
        guard.wait(10)
    wait_for(lambda: not processes_of(marker), 10, what="the end of all of them")


@pytest.mark.parametrize("layers", ["namespaces", "landlock"])
def test_nothing_outlives_the_host(layers: str, public_folder: Path) -> None:
    """A host that is killed takes everything along."""
    command, options = lingering(layers, public_folder)
    marker = json.loads(command[5])["marker"]
    host = "import subprocess, sys, time; p = subprocess.Popen(sys.argv[1:]); time.sleep(100)"
    with subprocess.Popen([sys.executable, "-c", host, *command], stdout=subprocess.PIPE, **options) as process:
        assert process.stdout is not None
        assert process.stdout.read(5) == b"ready"
        process.kill()
    wait_for(lambda: not processes_of(marker), 10, what="the end of all of them")
    assert layers == "namespaces" or not (public_folder / marker).exists()


def test_in_namespaces_not_even_a_killed_guard_leaves_anything(public_folder: Path) -> None:
    """The kernel ends the server with its guard, and the pid namespace with its server."""
    command, options = lingering("namespaces", public_folder)
    marker = json.loads(command[5])["marker"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, **options) as guard:
        assert guard.stdout is not None
        assert guard.stdout.read(5) == b"ready"
        guard.kill()
    wait_for(lambda: not processes_of(marker), 10, what="the end of all of them")


def cpu_seconds() -> float:
    """Processor time of this process and of those that it has waited for: a busy machine does not change it."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def test_the_trial_is_quick_and_tells_every_layer() -> None:
    """It is run at every start."""
    started = cpu_seconds()
    found = probe.__wrapped__()
    assert cpu_seconds() - started < 2.0
    assert [layer.name for layer in found.layers][:6] == [
        f"{name} namespace" for name in ("user", "mount", "pid", "net", "ipc", "uts")
    ]
    assert all(layer.works or layer.detail for layer in found.layers)
    assert found.cores >= 1
