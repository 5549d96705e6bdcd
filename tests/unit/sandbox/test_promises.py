"""The table of promises by sandbox: the page and the command show one, which claims no more than was tried."""

from __future__ import annotations

from pathlib import Path

import pytest

from regreen.sandbox.promises import (
    RESTRICTED,
    SANDBOX_NAMES,
    Promise,
    Standing,
    container_name,
    jail_name,
    promises_of,
)

PAGE = Path(__file__).parents[3] / "docs" / "security.md"


def cell(promise: Promise) -> str:
    """A promise as the page shows it: what keeps it, and how far, where that is not to the full."""
    return promise.means if promise.standing is Standing.KEPT else f"*{promise.standing}:* {promise.means}"


def page_table() -> str:
    """The table of the page, made anew."""
    columns = [promises_of(name) for name in SANDBOX_NAMES]
    head = f"| A program | {' | '.join(SANDBOX_NAMES)} |\n|{'---|' * (len(SANDBOX_NAMES) + 1)}\n"
    rows = zip(*columns, strict=True)
    return head + "".join(f"| {row[0].text} | {' | '.join(cell(promise) for promise in row)} |\n" for row in rows)


def test_the_page_shows_the_table_that_the_command_reads() -> None:
    """One table, word for word, for every sandbox that was tried."""
    assert page_table() in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("engine", "runtime", "rootless", "name"),
    [
        ("Docker", "runc", False, "Docker, runc"),
        ("Docker", "/usr/bin/runsc", False, "Docker, gVisor"),
        ("Podman", "runc", False, "Podman as root, runc"),
        ("Podman", "runc", True, "Podman, rootless, runc"),
        ("Docker", "runc", True, "Docker, rootless, runc"),
        ("Podman", "crun", False, "Podman, crun"),
        ("Docker", "", False, "Docker, an unknown runtime"),
    ],
)
def test_containers_are_named_by_engine_runtime_and_rights(
    engine: str, runtime: str, rootless: bool, name: str
) -> None:
    """A container that was tried has its column; another one says what it is."""
    assert container_name(engine, runtime, rootless=rootless) == name


def test_an_engine_that_nobody_tried_keeps_no_promise_for_sure() -> None:
    """Every promise is untried there, and no attack is said to have been contained."""
    promises = promises_of("Docker, kata")
    assert {promise.standing for promise in promises} == {Standing.UNTRIED}
    assert not any("attack" in promise.text for promise in promises)


def test_only_what_withstood_every_attack_keeps_its_promises() -> None:
    """All that was built as a wall does, flaws of the kernel aside."""
    kept = {name: {promise.standing for promise in promises_of(name)[:8]} for name in SANDBOX_NAMES}
    assert kept.pop(RESTRICTED) == {Standing.WEAKER}
    assert {jail_name("namespaces"), "Podman, rootless, runc", "Docker, gVisor"} <= kept.keys()
    assert all(standings == {Standing.KEPT} for standings in kept.values())


@pytest.mark.parametrize("name", SANDBOX_NAMES)
def test_every_sandbox_says_how_it_stands_with_your_kernel_and_the_attacks(name: str) -> None:
    """None that shares your kernel claims to keep its flaws away, and those with a hole say so."""
    standings = {promise.text: promise.standing for promise in promises_of(name)}
    assert (standings["is kept from flaws of your kernel"] is Standing.KEPT) == (name == "Docker, gVisor")
    assert (standings["withstands every attack that doctor tries"] is Standing.BROKEN) == (name == RESTRICTED)
    assert (standings["sees nothing of its sandbox"] is Standing.BROKEN) == (name == "Docker, gVisor")
