"""Tries, in throw-away processes, which layers of the enclosure this machine supports."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from regreen.sandbox.guest.enclosure import enclose, landlock, seccomp, system_calls
from regreen.sandbox.guest.enclosure.identity import Identity
from regreen.sandbox.guest.enclosure.system_calls import EnclosureError

_ANSWER_BYTES = 1 << 16


def main() -> None:
    """Print as JSON what each layer answered: an empty text where it works, else why it does not."""
    answers: dict[str, Any] = {"abi": landlock.landlock_version()}
    answers["namespaces"] = _in_a_child(_try_namespaces)
    answers["seccomp"] = _in_a_child(_try_seccomp)
    for layers in ("namespaces", "landlock"):
        answers[f"build {layers}"] = _in_a_child(partial(_try_enclosure, layers))
    os.write(1, json.dumps(answers).encode())


def _in_a_child(attempt: Callable[[], object]) -> Any:
    """What `attempt` returns in a new process; a text if it fails there."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        _answer(attempt, writer)
    os.close(writer)
    with os.fdopen(reader, "rb") as answers:
        answer = answers.read(_ANSWER_BYTES)
    os.waitpid(child, 0)
    return json.loads(answer) if answer else "the process that tried it died"


def _answer(attempt: Callable[[], object], writer: int) -> None:
    answer: object = "it was interrupted"
    try:
        answer = attempt()
    except (OSError, ValueError) as error:
        answer = str(error)
    finally:
        os.write(writer, json.dumps(answer).encode())
        os._exit(0)


def _try_namespaces() -> dict[str, str]:
    """Each kind by itself, inside a user namespace."""
    found = {"user": ""}
    try:
        Identity().enter_user_namespace()
    except EnclosureError as error:
        found["user"] = str(error)
    for name, flag in enclose.NAMESPACES.items():
        try:
            system_calls.unshare(flag, f"{name} namespace")
            found[name] = ""
        except EnclosureError as error:
            found[name] = str(error)
    return found


def _try_seccomp() -> str:
    system_calls.prctl("no_new_privs", system_calls.PR_SET_NO_NEW_PRIVS, 1)
    seccomp.Filter({}, closed=False).install()
    return ""


def _try_enclosure(layers: str) -> list[str]:
    """Build the whole of it, around Python's own library; gives the notes on what is weaker here."""
    library = str(Path(os.__file__).resolve().parent)
    report = enclose.enclose_server({"layers": layers, "readable": [library], "scratch": None})
    notes: list[str] = report["notes"]
    return notes
