"""What a container's first process does, run here: it takes our code as text, and finds that it is in no container."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from regreen.sandbox.container_boot import container_bundle, container_command
from regreen.sandbox.guest.link.frames import CONTROL, FRAME_HEADER, LENGTH_BYTES, MAIN, frame
from regreen.sandbox.guest.roles import ROLES


@pytest.mark.sandbox
@pytest.mark.parametrize("kind", ROLES)
def test_every_kind_of_server_loads_from_the_text_of_our_code(kind: str) -> None:
    """No file of ours is there, nor any bytecode; what is missing outside of a container is said."""
    plan = json.dumps({"kind": kind, "scratch": "/", "cheap_forks": False, "socket": None}).encode()
    code = container_bundle()
    done = subprocess.run(
        [sys.executable, *container_command({})[1:]],
        input=len(code).to_bytes(LENGTH_BYTES, "little") + code + frame(CONTROL, MAIN, plan),
        capture_output=True,
        check=False,
    )
    assert done.stderr == b""
    answer = json.loads(done.stdout[FRAME_HEADER.size :])
    assert "the engine did not give a process namespace of its own" in answer["refused"]
