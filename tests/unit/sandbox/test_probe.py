"""What the probe says of a machine."""

from __future__ import annotations

import sys

import pytest

from regreen.sandbox import probe as room
from regreen.sandbox.probe import MachineSupport, probe

GOOD = {
    "abi": 7,
    "namespaces": dict.fromkeys(("user", "mount", "pid", "net", "ipc", "uts"), ""),
    "seccomp": "",
    "build namespaces": [],
    "build landlock": ["runs as the user who started it"],
}


def support(monkeypatch: pytest.MonkeyPatch, **answers: object) -> MachineSupport:
    """What a machine supports that answers like this."""
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(room, "_answers", lambda: {**GOOD, **{k.replace("_", " "): v for k, v in answers.items()}})
    room._namespace_remedy.cache_clear()
    return probe.__wrapped__()


def test_namespaces_are_preferred(monkeypatch: pytest.MonkeyPatch) -> None:
    """They promise more."""
    assert support(monkeypatch).best == "namespaces"


def test_landlock_is_the_fallback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where namespaces are denied, and the reason is kept."""
    found = support(monkeypatch, build_namespaces="user namespace: unshare: Operation not permitted")
    assert found.best == "landlock"
    assert found.refusal == ""
    assert "not permitted" in found.builds["namespaces"].detail
    assert found.builds["namespaces"].remedy


def test_a_machine_without_either_is_refused_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Never silently weaker."""
    found = support(
        monkeypatch, abi=1, build_namespaces="user namespace: no", build_landlock="landlock: version 6 needed"
    )
    assert found.best is None
    assert "version 6 needed" in found.refusal
    assert "Linux 6.12" in found.refusal
    assert "namespace" in found.refusal


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("/proc/sys/kernel/unprivileged_userns_clone", "0", "kernel.unprivileged_userns_clone=1"),
        ("/proc/sys/user/max_user_namespaces", "0", "user.max_user_namespaces"),
        ("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1", "AppArmor"),
    ],
)
def test_the_remedy_names_the_switch_that_is_off(
    monkeypatch: pytest.MonkeyPatch, path: str, value: str, words: str
) -> None:
    """Three switches close the same door on different distributions."""
    monkeypatch.setattr(room, "_first_line", lambda asked: value if asked == path else "")
    found = support(monkeypatch, namespaces="user namespace: Operation not permitted", build_namespaces="no")
    assert words in found.builds["namespaces"].remedy
    lacking = [layer for layer in found.layers if not layer.works]
    assert [layer.name for layer in lacking] == [
        f"{n} namespace" for n in ("user", "mount", "pid", "net", "ipc", "uts")
    ]
    assert all(layer.remedy and layer.meaning for layer in lacking)


def test_another_system_is_told_what_it_could_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """The jail is Linux only."""
    monkeypatch.setattr(sys, "platform", "darwin")
    room._namespace_remedy.cache_clear()
    found = probe.__wrapped__()
    room._namespace_remedy.cache_clear()
    assert found.best is None
    assert "Docker" in found.refusal
