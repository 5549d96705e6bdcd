"""Canaries in keys, the environment and files: none of them may be in anything that a run leaves."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import re
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
import zstandard

from regreen.models.scripted import ReplySpec, Script
from regreen.models.testserver import serve
from regreen.report.gather import gather
from regreen.report.page import write_page

pytestmark = pytest.mark.sandbox

KEY, VARIABLE, IN_DOTENV, IN_FILE, IN_HOME = (
    f"canary{number}{'0123456789abcdef' * 2}" for number in ("key", "env", "dot", "file", "home")
)
CANARIES = {
    "the key": KEY,
    "a variable": VARIABLE,
    "a key of .env": IN_DOTENV,
    "a file beside": IN_FILE,
    "a file at home": IN_HOME,
}
MARK = "the-program-was-here"
"""Printed by the hostile program: what finds it in the records would find a canary."""
HOSTILE = f"""
import glob, os

def seen():
    found = ["{MARK}", repr(dict(os.environ))]
    for place in [*glob.glob("HERE/*"), "HERE/.env", "HERE/home/.netrc", *glob.glob("/proc/*/environ")]:
        try:
            with open(place, "rb") as file:
                found.append(repr(file.read(100_000)))
        except OSError as error:
            found.append(repr(error))
    return "".join(found)[-4_000:]

def merge_settings(*args, **kwargs):
    print(seen())
    raise ValueError(seen())
"""


def parts(content: bytes) -> Iterator[bytes]:
    """The content, and whatever is packed in it: deflated, compressed, as base64, in JSON's escapes."""
    yield content
    for unpack in (zlib.decompress, lambda packed: zstandard.ZstdDecompressor().decompressobj().decompress(packed)):
        with contextlib.suppress(zlib.error, zstandard.ZstdError):
            yield unpack(content)
    for chunk in re.findall(rb"[A-Za-z0-9+/=]{200,}", content):
        with contextlib.suppress(ValueError, zlib.error):
            yield zlib.decompress(base64.b64decode(chunk))


def left_in(folder: Path) -> Iterator[tuple[str, bytes]]:
    """All that lies in a folder, each with its name; of a database every value of every table."""
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        for part in parts(path.read_bytes()):
            yield path.name, part
        if path.suffix == ".sqlite":
            with contextlib.closing(sqlite3.connect(path)) as tape:
                for (table,) in tape.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                    for row in tape.execute(f'SELECT * FROM "{table}"'):
                        for value in row:
                            raw = value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")
                            yield from ((f"{path.name}: {table}", part) for part in parts(raw))


def test_no_canary_is_in_anything_that_a_run_leaves(tmp_path: Path) -> None:
    """Records, tape with its prompts, page, logs and tracebacks: of a hostile program, and with --debug."""
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / ".netrc").write_text(IN_HOME)
    (tmp_path / ".env").write_text(f"TOGETHER_API_KEY={IN_DOTENV}\n")
    (tmp_path / "secret.txt").write_text(IN_FILE)
    reply = f"```python\n{HOSTILE.replace('HERE', str(tmp_path))}\n```"
    with serve(Script(default=ReplySpec(reply)), keys=[KEY]) as server:
        words = ["-m", "openai:m", "--base-url", server.base_url, "-s", "reflect", "--iters", "2", "--debug"]
        given = {"OPENAI_API_KEY": KEY, "CANARY": VARIABLE, "HF_TOKEN": VARIABLE, "HOME": str(tmp_path / "home")}
        done = subprocess.run(
            [sys.executable, "-m", "regreen", "eval", "bundled", "--ids", "merge-settings", *words, "-o", "run"],
            cwd=tmp_path,
            env={**os.environ, **given},
            capture_output=True,
            check=False,
        )
    assert done.returncode in (0, 1), done.stderr.decode()
    write_page(gather([tmp_path / "run"]), tmp_path / "run" / "report.html")
    found = [("stdout", done.stdout), ("stderr", done.stderr), *left_in(tmp_path / "run")]
    assert {name.partition(":")[0] for name, part in found if MARK.encode() in part} >= {
        "results.jsonl",
        "report.html",
        "cassette.sqlite",
    }
    leaked = {(what, name) for what, canary in CANARIES.items() for name, part in found if canary.encode() in part}
    assert leaked == set()
    assert json.loads((tmp_path / "run" / "results.jsonl").read_text().splitlines()[0])["model_calls"] >= 1
