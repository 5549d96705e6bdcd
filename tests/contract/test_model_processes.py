"""Tapes and the test server as processes of their own: killed, interrupted and asked over a socket."""

from __future__ import annotations

import http.client
import json
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from regreen.models import Message, Request
from regreen.models.cassette import recording, tape_rows, tape_summary
from regreen.models.scripted import ReplySpec, Script, ScriptedModel

CHAT = "/v1/chat/completions"
HELLO = {"model": "m", "messages": [{"role": "user", "content": "Hello"}]}


WRITER = """
import sys
from pathlib import Path
from regreen.models import Message, Request
from regreen.models.cassette import recording
from regreen.models.scripted import ReplySpec, ScriptedModel

model = recording(ScriptedModel(lambda body: ReplySpec(body["messages"][0]["content"] * 50)), Path(sys.argv[1]))
for turn in range(1_000_000):
    model.ask(Request((Message("user", f"turn {turn} "),), scope="a#0", turn=turn))
    print(turn, flush=True)
"""


def test_a_killed_writer_leaves_every_reply_that_it_handed_on(tmp_path: Path) -> None:
    """kill -9 in the middle of writing: the tape is whole, can be read beside its log, and goes on."""
    tape = tmp_path / "cassette.sqlite"
    with subprocess.Popen([sys.executable, "-c", WRITER, str(tape)], stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        while int(writer.stdout.readline()) < 50:
            pass
        writer.send_signal(signal.SIGKILL)
        told = 50 + len(writer.stdout.read().splitlines())
    assert tape.with_name("cassette.sqlite-wal").exists()
    rows = list(tape_rows(tape))
    assert [row.turn for row in rows] == list(range(len(rows)))
    assert told <= len(rows) <= told + 2
    assert all(row.reply is not None and row.reply.text == f"turn {row.turn} " * 50 for row in rows)
    with closing(recording(ScriptedModel(Script(default=ReplySpec("ok"))), tape)) as model:
        model.ask(Request((Message("user", "hello"),), scope="a#0", turn=len(rows)))
    assert tape_summary(tape).turns == len(rows) + 1


def test_the_command_says_where_it_serves(tmp_path: Path) -> None:
    """Its first line is the address; an interrupt ends it."""
    script = tmp_path / "script.json"
    script.write_text('{"default": "Hi."}', encoding="utf-8")
    command = [sys.executable, "-m", "regreen.models.testserver", str(script), "--key", "secret", "--latency", "0.01"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        connection = http.client.HTTPConnection(address.split("/")[2], timeout=20)
        with closing(connection):
            connection.request("POST", CHAT, json.dumps(HELLO), {"Authorization": "Bearer secret"})
            assert json.loads(connection.getresponse().read())["choices"][0]["message"]["content"] == "Hi."
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (130, "")
