"""Containers, asked of an engine that is played: what it is asked for, and what becomes of its refusals."""

from __future__ import annotations

import json
import os
import socket
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from regreen.errors import SandboxError, SandboxUnavailable
from regreen.sandbox.container_engine import LABEL, Container, ContainerEngine
from regreen.sandbox.container_image import own_image, public_image
from regreen.sandbox.container_profile import container_profile
from regreen.sandbox.process_owner import Owner, this_process
from regreen.types import ContainerOptions

errors = pytest.importorskip("docker.errors")
requests = pytest.importorskip("requests")
GIB = 1 << 30
ANY = ContainerOptions()


class PlayedEngine:
    """Answers as an engine does, and remembers what it was asked for; `refusals` says what it raises instead."""

    base_url = "http+docker://localhost"

    def __init__(
        self, *images: str, refusals: dict[str, Exception] | None = None, found: list[Any] | None = None
    ) -> None:
        self.images = {*images}
        self.refusals = refusals or {}
        self.found = found or []
        self.asked: list[str] = []
        self.engine = "Engine"
        self.given: dict[str, Any] = {}
        self.tried: list[list[Any]] = []
        """What each container had mounted."""
        self.far: socket.socket | None = None

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def ask(*arguments: Any, **more: Any) -> Any:
            self.asked.append(name)
            if name in self.refusals:
                raise self.refusals[name]
            return getattr(type(self), f"play_{name}", lambda *_, **__: None)(self, *arguments, **more)

        return ask

    def play_create_host_config(self, **more: Any) -> dict[str, Any]:
        self.given |= more
        return {}

    def play_create_container(self, image: str, command: list[str], **more: Any) -> dict[str, str]:
        self.given |= {"image": image, "command": command, **more}
        return {"Id": "1"}

    def play_attach_socket(self, *_: Any, **__: Any) -> socket.socket:
        ours, self.far = socket.socketpair()
        return ours

    def play_inspect_container(self, *_: Any) -> dict[str, Any]:
        return {"HostConfig": {"Memory": GIB, "PidsLimit": 99, "NanoCpus": 10**9}}

    def play_version(self) -> dict[str, Any]:
        return {"Components": [{"Name": self.engine}]}

    def play_info(self) -> dict[str, Any]:
        return {"NCPU": 1}

    def play_inspect_image(self, image: str) -> dict[str, Any]:
        if image not in self.images:
            raise errors.ImageNotFound("no such image")
        return {}

    def play_containers(self, **_: Any) -> list[Any]:
        return self.found


def refused(status: int, words: str) -> Exception:
    """What the client raises for an answer of that status."""
    response = requests.Response()
    response.status_code = status
    return errors.APIError(words, response=response, explanation=words)


def started(api: PlayedEngine, options: ContainerOptions = ANY) -> PlayedEngine:
    """The engine once a container was started there, its streams closed again."""
    ContainerEngine(api, options, GIB).start("guests").stream.close()
    assert api.far is not None
    api.far.close()
    return api


def test_a_container_gets_nothing_and_bounds_for_everything() -> None:
    """Nothing is asked of an engine that would weaken the wall."""
    given = started(PlayedEngine(own_image())).given
    assert (given["network_mode"], given["ipc_mode"], given["network_disabled"]) == ("none", "none", True)
    assert (given["read_only"], given["cap_drop"], given["auto_remove"]) == (True, ["ALL"], True)
    assert given["security_opt"][0] == "no-new-privileges"
    assert given["mem_limit"] == given["memswap_limit"] > GIB
    assert given["pids_limit"] > 0
    assert int(given["user"].partition(":")[0]) >= 20_000
    assert not {"binds", "mounts", "volumes", "privileged", "pid_mode", "devices"} & given.keys()


def test_podman_gets_our_profile_as_a_file_that_its_service_can_read() -> None:
    """It takes the text for a path; the file is in memory, and gone when the container has started."""
    read: list[str] = []

    class Reading(PlayedEngine):
        def play_create_container(self, image: str, command: list[str], **more: Any) -> dict[str, str]:
            read.append(Path(self.given["security_opt"][1].removeprefix("seccomp=")).read_text())
            return {"Id": "1"}

    engine = Reading(own_image())
    engine.engine = "Podman Engine"
    started(engine)
    assert json.loads(read[0])["defaultAction"] == "SCMP_ACT_ERRNO"
    assert engine.given["tmpfs"]["/scratch"].endswith("mode=0700,U")


def test_podman_elsewhere_runs_with_its_own_profile_and_that_is_said() -> None:
    """In a virtual machine its service sees no file of ours; our filters inside do not depend on it."""

    class Elsewhere(PlayedEngine):
        def play_create_container(self, image: str, command: list[str], **more: Any) -> dict[str, str]:
            if len(self.given["security_opt"]) > 1:
                raise refused(500, "opening seccomp profile failed: no such file or directory")
            return {"Id": "1"}

    api = Elsewhere(own_image())
    api.engine = "Podman Engine"
    engine = ContainerEngine(api, ANY, GIB)
    engine.start("guests").stream.close()
    assert api.far is not None
    api.far.close()
    assert "Podman's service does not see ours" in engine.notes[0]


def test_rootless_podman_gets_our_profile_by_its_name() -> None:
    """Its service is in a user namespace, and may not look into our process; the file is gone afterwards."""
    read: list[Path] = []

    class Rootless(PlayedEngine):
        def play_create_container(self, image: str, command: list[str], **more: Any) -> dict[str, str]:
            path = Path(self.given["security_opt"][1].removeprefix("seccomp="))
            if path.is_relative_to("/proc"):
                raise refused(500, "opening seccomp profile failed: permission denied")
            assert json.loads(path.read_text())["defaultAction"] == "SCMP_ACT_ERRNO"
            read.append(path)
            return {"Id": "1"}

    api = Rootless(own_image())
    api.engine = "Podman Engine"
    engine = ContainerEngine(api, ANY, GIB)
    for _ in range(2):
        engine.start("guests").stream.close()
        assert api.far is not None
        api.far.close()
    assert len(read) == 2
    assert not any(path.exists() for path in read)
    assert engine.notes == []


class Local(PlayedEngine):
    """An engine on this machine; with a true `blind`, it sees other files than this process."""

    blind = False

    def play_info(self) -> dict[str, Any]:
        return {"NCPU": 1, "KernelVersion": os.uname().release}

    def play_create_container(self, image: str, command: list[str], **more: Any) -> dict[str, str]:
        mounts, self.given["mounts"] = self.given.get("mounts", []), []
        if mounts and self.blind:
            raise refused(400, "bind source path does not exist")
        self.tried.append(mounts)
        return {"Id": "1"}


def remove(engine: ContainerEngine, container: Container) -> None:
    engine.remove(container)
    engine.api.far.close()


@pytest.mark.skipif(sys.platform != "linux", reason="sockets are mounted on Linux alone")
def test_an_engine_on_this_machine_gets_one_socket_to_mount(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read-only, it alone; and the profile lets that kind of socket be made and connected, no other."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    api = Local(own_image())
    engine = ContainerEngine(api, ANY, GIB)
    container = engine.start("guests")
    assert container.mounted is not None
    (mount,) = api.tried[0]
    assert mount == {
        **{"Target": "/regreen.socket", "Source": container.mounted.path, "Type": "bind", "ReadOnly": True},
        "BindOptions": {"Propagation": "rprivate"},
    }
    rules = json.loads(api.given["security_opt"][1].removeprefix("seccomp="))["syscalls"]
    (made,) = [rule for rule in rules if "socket" in rule["names"]]
    assert [each["value"] for each in made["args"]] == [socket.AF_UNIX, socket.SOCK_SEQPACKET | socket.SOCK_CLOEXEC]
    remove(engine, container)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform != "linux", reason="sockets are mounted on Linux alone")
def test_an_engine_that_sees_other_files_goes_on_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Said once, for whoever debugs; what follows is not tried with it again."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    api = Local(own_image())
    api.blind = True
    engine = ContainerEngine(api, ANY, GIB)
    with caplog.at_level("DEBUG", "regreen.sandbox"):
        for _ in range(2):
            container = engine.start("guests")
            assert container.mounted is None
            remove(engine, container)
    assert api.asked.count("create_container") == 3
    assert caplog.text.count("bind source path does not exist") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("address", "kernel", "runtime"),
    [
        ("http+docker://ssh", os.uname().release, None),
        ("https://engine:2376", os.uname().release, None),
        ("http+docker://localhost", "6.1.0-a-virtual-machine", None),
        ("http+docker://localhost", os.uname().release, "/usr/bin/runsc"),
    ],
    ids=["ssh", "tcp", "another kernel", "gVisor"],
)
def test_an_engine_elsewhere_is_not_asked_to_mount(address: str, kernel: str, runtime: str | None) -> None:
    """Nothing could be connected there."""

    class Elsewhere(Local):
        base_url = address

        def play_info(self) -> dict[str, Any]:
            return {"NCPU": 1, "KernelVersion": kernel}

    api = started(Elsewhere(own_image()), ContainerOptions(runtime=runtime))
    assert api.tried == [[]]


class Unbounded(PlayedEngine):
    """Takes limits without a word, and holds none of memory: rootless ones do, with the older cgroups."""

    def play_inspect_container(self, *_: Any) -> dict[str, Any]:
        return {"HostConfig": {"Memory": 0, "PidsLimit": 99, "NanoCpus": 10**9}}


def test_bounds_that_an_engine_leaves_out_are_said() -> None:
    """It does not say so itself."""
    api = Unbounded(own_image())
    engine = ContainerEngine(api, ANY, GIB)
    engine.start("guests").stream.close()
    assert api.far is not None
    api.far.close()
    assert engine.notes == ["no limit of memory for the container as a whole: the engine takes none"]


def test_a_bound_that_was_chosen_is_never_left_out() -> None:
    """It is refused, and nothing is left of the container."""
    api = Unbounded(own_image())
    with pytest.raises(SandboxUnavailable, match=r"no limit of memory.*leave the setting out"):
        ContainerEngine(api, ContainerOptions(memory_bytes=3 * GIB), GIB).start("guests")
    assert "remove_container" in api.asked
    assert api.far is None


@pytest.mark.parametrize("told", [{"SecurityOptions": ["name=seccomp", "name=rootless"]}, {"Rootless": True}])
def test_what_an_engine_says_of_itself_names_its_containers(told: dict[str, Any]) -> None:
    """The runtime that is asked for, else the engine's own; rootless ones are told apart."""

    class Rootless(PlayedEngine):
        def play_info(self) -> dict[str, Any]:
            return {"DefaultRuntime": "crun", **told}

    api = Rootless(own_image())
    assert ContainerEngine(api, ANY, GIB).describe()["sandbox"].endswith(", rootless, crun")
    api = PlayedEngine(own_image())
    assert ContainerEngine(api, ContainerOptions(runtime="runsc"), GIB).describe()["sandbox"].endswith("gVisor")


def test_settings_reach_the_container() -> None:
    """Each of them."""
    options = ContainerOptions("mine:1", 0.5, 3 * GIB, 77, "runsc")
    given = started(PlayedEngine("mine:1"), options).given
    assert (given["image"], given["runtime"], given["pids_limit"]) == ("mine:1", "runsc", 77)
    assert (given["mem_limit"], given["nano_cpus"]) == (3 * GIB, 500_000_000)


def test_no_more_processors_are_asked_for_than_there_are() -> None:
    """An engine refuses that outright."""
    assert started(PlayedEngine(own_image())).given["nano_cpus"] == 1_000_000_000


def test_the_image_is_the_built_one_else_the_public_one() -> None:
    """And one that is not there is fetched."""
    assert started(PlayedEngine(own_image())).given["image"] == own_image()
    fetching = started(PlayedEngine())
    assert (fetching.given["image"], "pull" in fetching.asked) == (public_image(), True)


@pytest.mark.parametrize(
    ("asked", "refusal", "kind", "words"),
    [
        ("pull", refused(500, "no route to registry"), SandboxUnavailable, "cannot be fetched.*--build-image"),
        ("create_container", refused(400, "Unknown runtime"), SandboxUnavailable, "Unknown runtime"),
        ("start", refused(500, "cgroups are full"), SandboxUnavailable, "cgroups are full"),
        ("attach_socket", requests.ConnectionError("Connection refused"), SandboxUnavailable, "Start Docker or Podman"),
        ("info", requests.ConnectionError("Permission denied"), SandboxUnavailable, "Join the group"),
        ("containers", refused(500, "broken"), SandboxError, "list containers: broken"),
    ],
)
def test_what_an_engine_refuses_is_our_fault_and_said(
    asked: str, refusal: Exception, kind: type[SandboxError], words: str
) -> None:
    """In its own words, with what can be done."""
    engine = ContainerEngine(PlayedEngine(refusals={asked: refusal}), ContainerOptions(), GIB)
    with pytest.raises(kind, match=words):
        engine.remove_orphans() if asked == "containers" else engine.start("guests")


def test_a_container_that_could_not_be_started_is_removed() -> None:
    """Nothing is left of it."""
    api = PlayedEngine(own_image(), refusals={"start": refused(500, "no")})
    with pytest.raises(SandboxUnavailable):
        ContainerEngine(api, ContainerOptions(), GIB).start("guests")
    assert api.far is not None
    api.far.close()
    assert "remove_container" in api.asked


def test_containers_of_dead_processes_are_removed_and_no_others() -> None:
    """Of this machine: what others have is theirs."""
    mine = this_process()
    labels = {
        "1": str(mine),
        "2": str(Owner(mine.place, mine.pid, "0")),
        "3": str(Owner("another machine", 1, "0")),
        "4": "nonsense",
    }
    found = [{"Id": i, "Names": [f"/{i}"], "Labels": {LABEL: "guests", "regreen.owner": o}} for i, o in labels.items()]
    api = PlayedEngine(found=found)
    assert ContainerEngine(api, ContainerOptions(), GIB).remove_orphans() == 1
    assert api.asked.count("remove_container") == 1


@pytest.mark.parametrize("names", [{"Names": []}, {"Names": None}, {}])
def test_a_container_that_has_lost_its_name_is_removed_by_its_id(
    names: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    """As engines list what they were removing when they were killed."""
    mine = this_process()
    dead = {LABEL: "guests", "regreen.owner": str(Owner(mine.place, mine.pid, "0"))}
    api = PlayedEngine(found=[{"Id": "0123456789abcdef", "Labels": dead, **names}])
    with caplog.at_level("DEBUG", "regreen.sandbox"):
        assert ContainerEngine(api, ContainerOptions(), GIB).remove_orphans() == 1
    assert "removing 0123456789ab, whose process is gone" in caplog.text
    assert api.asked.count("remove_container") == 1


def event(action: str, **attributes: str) -> dict[str, Any]:
    return {"Action": action, "Actor": {"Attributes": attributes}}


@pytest.mark.parametrize(
    ("events", "from_within", "words"),
    [
        ([event("die", exitCode="2")], True, "status 2"),
        ([event("oom"), event("die", exitCode="137")], True, "ran out of its"),
        ([event("died", containerExitCode="137")], True, "status 137"),
        ([event("die", exitCode="0")], False, "status 0"),
        ([], False, ""),
        (None, False, ""),
    ],
)
def test_how_a_container_ended_is_the_engines_word(
    events: list[dict[str, Any]] | None, from_within: bool, words: str
) -> None:
    """By its events, since it is removed at once; an engine that is gone knows nothing."""

    class Telling(PlayedEngine):
        def play_info(self) -> dict[str, Any]:
            return {"SystemTime": "2026-01-02T03:04:05.123456789Z"}

        def play_events(self, *, until: int, filters: dict[str, Any], **_: Any) -> Any:
            assert (until, filters["container"]) == (1767323046, ["1"])
            return iter(events or [])

    gone = {"wait": refused(404, "no such container")}
    api = Telling(refusals=gone if events is not None else {"info": requests.ConnectionError("refused")})
    ours, theirs = socket.socketpair()
    with ours, theirs:
        end = ContainerEngine(api, ANY, GIB).how_it_ended(Container("1", "regreen-guests-1", ours))
    assert end.from_within is from_within
    assert words in end.words


def test_gvisors_own_threads_have_room_beside_a_programs() -> None:
    """They count, and its kernel panics where it gets no more."""
    few = started(PlayedEngine(own_image())).given["pids_limit"]
    assert started(PlayedEngine(own_image()), ContainerOptions(runtime="runsc")).given["pids_limit"] > 2 * few


def test_an_owner_is_told_from_another_process_with_its_number() -> None:
    """Numbers are given out again."""
    mine = this_process()
    assert Owner.read(str(mine)) == mine
    assert (mine.pid, mine.is_dead) == (os.getpid(), False)
    assert Owner(mine.place, mine.pid, "1").is_dead


def test_the_profile_names_what_passes_and_refuses_the_rest() -> None:
    """No sockets, no namespaces, no mounts, no other process's memory."""
    profile = json.loads(container_profile())
    allowed = {name for rule in profile["syscalls"] if rule["action"] == "SCMP_ACT_ALLOW" for name in rule["names"]}
    assert profile["defaultAction"] == "SCMP_ACT_ERRNO"
    assert allowed.isdisjoint("socket connect bind mount unshare setns ptrace bpf keyctl io_uring_setup clone3".split())
    assert {"execve", "read", "clone", "seccomp"} <= allowed
