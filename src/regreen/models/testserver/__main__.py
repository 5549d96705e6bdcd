"""`python -m regreen.models.testserver SCRIPT`: serves a script until it is interrupted, and says where."""

from __future__ import annotations

import argparse
import contextlib
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn, TextIO

from regreen.errors import RegreenError
from regreen.models.scripted import read_script
from regreen.models.testserver.chat_server import serve

_LAST_PORT = 65_535


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until interrupted; the exit status."""
    try:
        _serve(_parser().parse_args(arguments))
    except RegreenError as error:
        _say(sys.stderr, str(error))
        return error.exit_status
    except KeyboardInterrupt:
        return 130


def _serve(given: argparse.Namespace) -> NoReturn:
    script = read_script(given.script)
    options = {name: getattr(given, name) for name in ("latency", "faults", "seed", "port")}
    with serve(script, keys=given.key, **options) as served:
        _say(sys.stdout, served.base_url)
        while True:
            threading.Event().wait()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m regreen.models.testserver", description=__doc__)
    parser.add_argument("script", type=Path, help="a file of rules; docs/testserver.md tells what it may hold")
    parser.add_argument("--port", type=_port, default=0, help="0: any that is free")
    parser.add_argument("--latency", type=_seconds, default=0.0, help="seconds a reply")
    parser.add_argument("--faults", type=_share, default=0.0, help="share of requests that meet a fault, 0 to 1")
    parser.add_argument("--seed", type=int, default=0, help="of the faults")
    parser.add_argument("--key", action="append", help="a key to accept; may be repeated; none given: any")
    return parser


def _seconds(text: str) -> float:
    return _number(text, 86_400, "a number of seconds from 0 to 86400")


def _share(text: str) -> float:
    return _number(text, 1, "a number from 0 to 1")


def _port(text: str) -> int:
    if text.isascii() and text.isdecimal() and len(text) <= 5 and int(text) <= _LAST_PORT:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to {_LAST_PORT}")


def _number(text: str, most: float, what: str) -> float:
    with contextlib.suppress(ValueError):
        if 0 <= (number := float(text)) <= most:
            return number
    raise argparse.ArgumentTypeError(f"{text!r} is not {what}")


def _say(file: TextIO, text: str) -> None:
    file.write(f"{text}\n")
    file.flush()


if __name__ == "__main__":
    sys.exit(main())
