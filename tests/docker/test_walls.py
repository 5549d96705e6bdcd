"""Against a real engine: every attack is contained, guests and checks share nothing, and nothing is left."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from waiting import wait_for

from regreen.sandbox.attacks import Attack, attacks_on
from regreen.sandbox.attacks.leak_monitor import run_attacks
from regreen.sandbox.container_config import is_gvisor
from regreen.sandbox.container_engine import LABEL, ContainerEngine, open_container_engine
from regreen.sandbox.container_server import ContainerServer, processes_inside
from regreen.sandbox.mounted_socket import MountedSocket
from regreen.types import Confinement, Isolation, Limits, Outcome, Suite
from regreen.verify.judge import SandboxJudge, open_judge
from regreen.verify.suites import read_suite

GROUPS = 12
"""Attacks are tried in so many groups, each with its own listeners: one for each would cost more than the attack."""


def read(program: str, checks: str) -> Suite:
    return read_suite(checks, program=program, module="program", entry_point="answer")


def suite_of(checks: str, program: str = "def f(x):\n    return x\n") -> Suite:
    return read_suite(checks, program=program, module="program", entry_point="f")


@pytest.mark.parametrize(
    ("group", "judge"),
    [*((group, "contained_judge") for group in range(GROUPS)), *((group, "relayed_judge") for group in (0, 5, 10))],
)
def test_attacks_are_contained(request: pytest.FixtureRequest, group: int, judge: str) -> None:
    """All that is tried against the jail is tried against containers: nothing gets out, nothing passes."""
    hidden = not is_gvisor(os.environ.get("RUNTIME_OF_TESTS", ""))
    attacks: list[Attack] = list(attacks_on(["landlock"] if hidden else [])[group::GROUPS])
    results = run_attacks(request.getfixturevalue(judge), read, attacks)
    found = {result.attack.name: result.complaints for result in results}
    assert len(found) == len(attacks)
    assert {name: complaints for name, complaints in found.items() if complaints} == {}


def _inspected(client: Any, container: str) -> list[Any]:
    """What the engine says of a container; nothing of one that an earlier judge left and that is gone since."""
    docker = pytest.importorskip("docker")
    try:
        return [client.inspect_container(container)]
    except docker.errors.NotFound:
        return []


def test_a_container_is_what_was_asked_for(client: Any, contained_judge: SandboxJudge, ours: Callable[[], Any]) -> None:
    """By the engine's own word: no network, nothing writable, no rights, and bounds for all that can be used up."""
    contained_judge.judge("def f(x):\n    return x\n", suite_of("assert f(1) == 1"), Limits())
    podman = "Podman" in str(client.version()["Components"])
    started = [each for listed in ours() for each in _inspected(client, listed["Id"])]
    assert {each["Config"]["Labels"][LABEL] for each in started} == {"guests", "checks"}
    for each in started:
        host, config = each["HostConfig"], each["Config"]
        assert (host["NetworkMode"], host["ReadonlyRootfs"], host["Privileged"]) == ("none", True, False)
        assert host["SecurityOpt"][0] == "no-new-privileges"
        assert not host["CapAdd"]
        if podman:
            # It names what it dropped, takes a profile by its file, and gives every container a /dev/shm.
            assert {"CHOWN", "DAC_OVERRIDE", "NET_RAW", "SETUID"} <= {*host["CapDrop"]}
            assert host["SecurityOpt"][1].startswith("seccomp=/proc/")
        else:
            assert (host["CapDrop"], host["IpcMode"]) == (["ALL"], "none")
            assert "SCMP_ACT_ERRNO" in host["SecurityOpt"][1]
        assert host["Memory"] == host["MemorySwap"] == Limits().memory_bytes + (256 << 20)
        assert host["PidsLimit"] > 0
        assert host["NanoCpus"] > 0
        assert not host["Binds"]
        mounts = [(mount["Type"], mount["Destination"], mount["RW"]) for mount in each["Mounts"]]
        assert mounts in ([], [("bind", "/regreen.socket", False)])
        assert config["User"] not in ("", "0", "root")


def test_a_program_s_process_has_nothing_that_is_not_its_own(either_judge: SandboxJudge) -> None:
    """No descriptors but its streams and its connection, a fixed environment, no processes but its container's."""
    program = (
        "import os\n\ndef f(x):\n    held = []\n    for fd in range(256):\n        try:\n            os.fstat(fd)\n"
        "            held.append(fd)\n        except OSError:\n            pass\n"
        "    return [held[:3], len(held), sorted(os.environ), os.getppid(), os.getcwd()]\n"
    )
    names = ["HOME", "LANG", "PATH", "PYTHONHASHSEED", "TMPDIR", "TZ"]
    verdict = either_judge.judge(program, suite_of(f"assert f(0) == [[0, 1, 2], 4, {names}, 1, '/scratch']"), Limits())
    assert verdict.passed, verdict


def test_a_program_that_takes_more_memory_than_it_may_harms_itself_alone(either_judge: SandboxJudge) -> None:
    """By its own limit, whatever the container's is."""
    verdict = either_judge.judge(
        "def f(x):\n    return len(bytearray(1 << 40))\n", suite_of("assert f(1) == 1"), Limits()
    )
    assert {result.outcome for result in verdict.results.values()} == {Outcome.OUT_OF_MEMORY}
    assert either_judge.judge("def f(x):\n    return x\n", suite_of("assert f(1) == 1"), Limits()).passed


@pytest.mark.parametrize("size", [1, 1 << 16, 3 << 20])
def test_values_of_any_size_cross(either_judge: SandboxJudge, size: int) -> None:
    """Arguments and answers that are longer than a window of the link, there and back."""
    checks = f"assert f(bytes({size})) == bytes({size}) + b'x'"
    assert either_judge.judge("def f(x):\n    return x + b'x'\n", suite_of(checks), Limits()).passed


def test_pytest_tests_and_live_objects_are_judged(either_judge: SandboxJudge) -> None:
    """Shared mode, with pytest from the image; and stand-ins for instances."""
    tests = (
        "import pytest\nfrom program import f\n\n"
        "@pytest.mark.parametrize('n', [1, 2])\ndef test_f(n):\n    assert f(n) == n\n"
    )
    suite = read_suite(tests, program="def f(x):\n    return x\n", module="program", entry_point="f")
    shared = replace(suite, isolation=Isolation.SHARED)
    verdict = either_judge.judge("def f(x):\n    return x\n", shared, Limits())
    assert (verdict.passed, verdict.isolation) == (True, Isolation.SHARED), verdict
    box = (
        "class Box:\n    def __init__(self, v):\n        self.v = v\n\n    def two(self):\n        return 2 * self.v\n"
    )
    live = either_judge.judge(box, suite_of("assert Box(2).two() == 4", box), Limits())
    assert (live.passed, live.isolation) == (True, Isolation.SEPARATE), live


def test_hundreds_of_verdicts_leave_nothing(
    confinement: Confinement, ours: Callable[[], Any], client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No process in the containers but their first and the judge's, no container, no volume and no file afterwards."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    before, volumes = {each["Id"] for each in ours()}, client.volumes()["Volumes"]
    with open_judge(confinement) as judge:
        for number in range(300):
            program = f"def f(x):\n    return x + {number % 2}\n"
            assert judge.judge(program, suite_of("assert f(1) == 2"), Limits()).passed == bool(number % 2)
        servers = [server for pair in judge.pool._pairs for server in pair.servers]
        assert processes_inside(servers) == len(servers) + 1
    assert {each["Id"] for each in ours()} - before == set()
    assert client.volumes()["Volumes"] == volumes
    assert list(tmp_path.iterdir()) == []


class Linked:
    """What is known of the server of a container that was started."""

    def __init__(self, engine: ContainerEngine) -> None:
        self.server = ContainerServer(engine, "guests")
        self.direct = self.server.link.direct
        self.listens = self.server.container.mounted is not None and self.server.container.mounted.folder.exists()
        self.server.close()


def test_a_local_engine_s_containers_are_spoken_with_directly(
    confinement: Confinement, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Unless another kernel is in between; the socket is gone by then."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with caplog.at_level("DEBUG", "regreen.sandbox"), open_container_engine(confinement.container, 1 << 30) as engine:
        linked = Linked(engine)
    assert (linked.direct, linked.listens) == (not is_gvisor(confinement.container.runtime or ""), False)
    assert ("speaks over a socket of its own" in caplog.text) == linked.direct
    assert list(tmp_path.iterdir()) == []


def test_a_container_that_cannot_connect_is_spoken_with_through_its_engine(
    confinement: Confinement, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """By handshake: nobody waits for a socket that is not reached, and the next container is not asked."""
    monkeypatch.setattr(MountedSocket, "_bind", lambda self: self.listener.bind(self.path) or Path(self.path).chmod(0))
    with caplog.at_level("DEBUG", "regreen.sandbox"), open_container_engine(confinement.container, 1 << 30) as engine:
        assert not Linked(engine).direct
        assert not Linked(engine).direct
    if not is_gvisor(confinement.container.runtime or ""):
        assert caplog.text.count("speak through the engine, which takes longer: [Errno 13]") == 1


HOST = """
import json, sys
from regreen.types import Confinement, ContainerOptions, Limits
from regreen.verify.judge import open_judge
from regreen.verify.suites import read_suite

program = "def f(x):\\n    while True:\\n        pass\\n"
suite = read_suite("assert f(1) == 2\\n", program=program, module="program", entry_point="f")
with open_judge(Confinement("docker", container=ContainerOptions(**json.loads(sys.argv[1])))) as judge:
    judge.judge("def f(x):\\n    return 2\\n", suite, Limits())
    print("ready", flush=True)
    judge.judge(program, suite, Limits(seconds=50.0, total_seconds=100.0))
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL], ids=lambda s: s.name)
def test_containers_end_with_the_process_that_started_them(
    confinement: Confinement, ours: Callable[[], Any], number: signal.Signals
) -> None:
    """Whatever ends Regreen in the middle of a program that hangs."""
    before = {each["Id"] for each in ours()}
    options = json.dumps({"image": confinement.container.image, "runtime": confinement.container.runtime})
    with subprocess.Popen(
        [sys.executable, "-c", HOST, options], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as host:
        assert host.stdout is not None
        assert host.stdout.readline() == b"ready\n"
        assert len({each["Id"] for each in ours()} - before) == 2
        host.send_signal(number)
        host.wait(20)
    wait_for(lambda: not {each["Id"] for each in ours()} - before, what="the end of its containers")


def test_what_a_killed_run_left_is_removed_by_the_next(
    client: Any, image: str, confinement: Confinement, ours: Callable[[], Any]
) -> None:
    """A container whose owner is a process of this machine that has ended; those of others are left alone."""
    with subprocess.Popen(
        [sys.executable, "-c", "from regreen.sandbox.process_owner import *; print(this_process())"],
        stdout=subprocess.PIPE,
        text=True,
    ) as gone:
        owner = gone.communicate()[0].strip()
    made = [
        client.create_container(image, ["python3"], labels={LABEL: "guests", "regreen.owner": label})["Id"]
        for label in (owner, "elsewhere|1|1")
    ]
    with open_container_engine(confinement.container, 1 << 30):
        left = {each["Id"] for each in ours()}
    client.remove_container(made[1], force=True)
    assert left & set(made) == {made[1]}


def test_regreen_repairs_in_containers(image: str, tmp_path: Path) -> None:
    """The whole way from the command line: screening, proof, hand-over; --debug tells of the containers."""
    (tmp_path / "sums.py").write_text(
        "def total(items):\n    s = 0\n    for i in range(1, len(items)):\n        s += items[i]\n    return s\n"
    )
    (tmp_path / "test_sums.py").write_text(
        "from sums import total\n\ndef test_sum():\n    assert total([1, 2, 3]) == 6\n"
    )
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "regreen",
            "fix",
            "sums.py",
            "--tests",
            "test_sums.py",
            "--sandbox",
            "docker",
            "--debug",
        ],
        cwd=tmp_path,
        env={**os.environ, "REGREEN_DOCKER_IMAGE": image},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "+    for i in range(0, len(items)):" in done.stdout
    assert f"started from {image}" in done.stderr
    assert "removed" in done.stderr
