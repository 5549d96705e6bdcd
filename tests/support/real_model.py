"""A real model behind llama.cpp's own server, in a process that is killed when the block ends."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from regreen.evaluate.records import ResultLine
from regreen.evaluate.result_log import RESULTS, read_results

SERVER = Path(__file__).with_name("llama_server.py")
TOKENS = 2_048
"""Of prompt and reply together, as the smallest models have them."""


@contextlib.contextmanager
def serving(model_file: Path, *, tokens: int = TOKENS, slots: int = 2, port: int = 0) -> Iterator[str]:
    """A server for the block: its address."""
    command = [sys.executable, str(SERVER), str(model_file), str(tokens), str(slots), str(port)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield f"{process.stdout.readline().decode().strip()}/v1"
    finally:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()


def lines_of(run: Path) -> list[ResultLine]:
    """The records of a run, by task."""
    return sorted(read_results(run / RESULTS), key=lambda line: line.task_id)
