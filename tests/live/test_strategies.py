"""What has to hold for any model, on a real one: counts, records, replay, a full context, kills and restarts."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from real_model import lines_of, serving
from shipped_cases import by_id
from waiting import wait_for

from regreen import api
from regreen.config import Settings, load_settings
from regreen.errors import ModelError, RunError
from regreen.evaluate.agreement import agreement
from regreen.evaluate.records import Result, ResultLine
from regreen.models import Message, Request, open_model
from regreen.models.cassette import tape_rows
from regreen.models.program_likelihood import open_program_scorer
from regreen.types import Case, Stop

pytestmark = [pytest.mark.live, pytest.mark.sandbox, pytest.mark.timeout(280)]

ASKING = ("single", "reflect", "tools", "react", "patch", "hybrid")
TASKS = ("bundled/ring-buffer", "bundled/vote-winner")
"""A class, and a task that a short search does not repair."""
KNOWN_FAULTS = {
    *("", "context", "repeat", "refused", "loop", "prose", "tool_call", "tools", "rejected", "unreadable"),
    *(
        "no_code",
        "no_function",
        "unchanged",
        "syntax",
        "cut",
        "misfit",
        "signature",
        "elided",
        "ambiguous",
        "empty",
        "too_long",
    ),
}


def cases() -> list[Case]:
    """What is to be repaired, read when a test asks for it."""
    return [by_id()[name] for name in TASKS]


def evaluated(run: Path, settings: Settings, **more: Any) -> list[ResultLine]:
    """The records of a run over the tasks."""
    summary = api.evaluate(cases(), run, dataset="bundled", settings=settings, **more)
    assert not summary.failure
    return lines_of(run)


@pytest.mark.parametrize("strategy", ASKING)
def test_the_record_of_every_strategy_is_true(
    settings_for: Callable[..., Settings], tmp_path: Path, strategy: str
) -> None:
    """Each reply is on record with the server's own counts, each fault is named, and a replay says the same offline."""
    settings = settings_for(strategy)
    lines = evaluated(tmp_path / "run", settings)
    rows = [row for row in tape_rows(tmp_path / "run" / "cassette.sqlite") if row.reply is not None]
    turns = [turn for line in lines for turn in line.turns if turn.fault != "context"]
    assert [line.task_id for line in lines] == sorted(TASKS)
    assert all(line.outcome is not Result.ERROR for line in lines)
    assert len(turns) == len(rows) == sum(line.model_calls for line in lines) > 0
    assert not any(row.reply.extra.get("usage") for row in rows if row.reply), "tokens were guessed"
    counted = [sum(getattr(row.reply.usage, kind) for row in rows if row.reply) for kind in ("prompt", "completion")]
    assert [
        sum(line.token_usage.prompt for line in lines),
        sum(line.token_usage.completion for line in lines),
    ] == counted
    assert {turn.fault for turn in turns} <= KNOWN_FAULTS
    assert all(turn.candidate_id or turn.fault or turn.node in ("thought", "critic") for turn in turns)
    assert all(len(turn.reply) < 8 * settings.max_reply_tokens for turn in turns)
    dead = settings.model_copy(update={"base_url": "http://127.0.0.1:9/v1"})
    api.replay(tmp_path / "run", cases(), tmp_path / "again", settings=dead)
    assert agreement(lines, lines_of(tmp_path / "again")).differences == ()


def test_the_tokens_are_the_servers(server: str, settings_for: Callable[..., Settings], tmp_path: Path) -> None:
    """A request repeated by hand, whole and not as a stream, has the counts of the record."""
    evaluated(tmp_path / "run", settings_for("single"))
    for row in tape_rows(tmp_path / "run" / "cassette.sqlite"):
        assert row.reply is not None
        messages = [{name: message[name] for name in ("role", "content")} for message in row.content["messages"]]
        asked = {"messages": messages, "temperature": 0, "max_tokens": max(1, row.reply.usage.completion), "seed": 0}
        body = json.dumps(asked).encode()
        request = urllib.request.Request(f"{server}/chat/completions", body, {"content-type": "application/json"})
        with urllib.request.urlopen(request, timeout=200) as answer:
            usage = json.load(answer)["usage"]
        assert (usage["prompt_tokens"], usage["completion_tokens"]) == (
            row.reply.usage.prompt,
            row.reply.usage.completion,
        )


def test_a_context_that_is_too_small_is_told(settings_for: Callable[..., Settings], tmp_path: Path) -> None:
    """A statement of thousands of words does not fit: it is shortened, the refusal is on record, and work goes on."""
    told = " ".join(f"Rule {number} holds as it stands." for number in range(900))
    first = cases()[0]
    long = replace(first, task=replace(first.task, statement=told))
    summary = api.evaluate([long], tmp_path / "run", dataset="bundled", settings=settings_for("reflect", iters=0))
    (line,) = lines_of(tmp_path / "run")
    assert not summary.failure
    assert line.turns[0].fault == "context"
    assert line.model_calls == 1
    assert "shortened" in line.explanation
    assert line.stop is not Stop.EXHAUSTED


def test_a_run_that_is_killed_goes_on(settings_for: Callable[..., Settings], model_file: Path, tmp_path: Path) -> None:
    """The run is killed, the server too: resumed with another one at the same place, nothing is lost or done twice."""
    run = tmp_path / "run"
    with serving(model_file) as address:
        port = int(address.rpartition(":")[2].partition("/")[0])
        command = [sys.executable, "-m", "regreen", "eval", "bundled", "--ids", ",".join(TASKS), "-o", str(run)]
        asked = ["-m", "llamacpp:smollm2", "--base-url", address, "-s", "reflect", "--iters", "1"]
        limits = ["--max-reply-tokens", "160", "--request-timeout", "300", "--concurrency", "1"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        with subprocess.Popen([*command, *asked, *limits], **quiet) as first:
            try:
                wait_for(lambda: replies(run), 120, what="a reply")
            finally:
                first.send_signal(signal.SIGKILL)
    paid = replies(run)
    with serving(model_file, port=port):
        done = subprocess.run([*command, *asked, *limits, "--resume"], capture_output=True, text=True, timeout=250)
    assert done.returncode == 0, done.stderr
    lines = lines_of(run)
    assert [line.task_id for line in lines] == sorted(TASKS)
    assert paid
    assert replies(run) == sum(line.model_calls for line in lines), "a reply was paid for twice, or lost"


def replies(run: Path) -> int:
    """How many replies are on the tape of a run."""
    tape = run / "cassette.sqlite"
    try:
        return sum(row.reply is not None for row in tape_rows(tape)) if tape.exists() else 0
    except RunError:
        # It is being made, or it is being written.
        return 0


def test_a_reply_is_stopped_where_it_has_answered(settings_for: Callable[..., Settings], tmp_path: Path) -> None:
    """With room for a thousand tokens, no reply goes on behind its code, or round in circles."""
    began = time.monotonic()
    lines = evaluated(tmp_path / "run", settings_for("single", max_reply_tokens=1_000))
    turns = [turn for line in lines for turn in line.turns]
    assert time.monotonic() - began < 200
    for turn in turns:
        assert turn.reply.count("```") <= 2 or turn.ended in ("code", "loop", "prose", "")
        assert turn.completion_tokens <= 1_000


def test_a_model_that_nobody_asks_is_closed(model_file: Path, tmp_path: Path) -> None:
    """At once after it was loaded: where nothing is red, say."""
    settings = load_settings({"model": f"local:{model_file}?context=2048&threads=1"}, environ={}, near=tmp_path)
    for _ in range(3):
        with open_model(settings) as model:
            pass
        with pytest.raises(ModelError, match="closed"):
            model.ask(Request((Message("user", "Hello."),)))


def test_a_model_in_this_process_ranks_and_answers(model_file: Path, tmp_path: Path) -> None:
    """The same file without a server: a reply held to its form, counts, and probabilities that prefer sense."""
    settings = load_settings({"model": f"local:{model_file}?context=2048&threads=1"}, environ={}, near=tmp_path)
    schema = {"type": "object", "properties": {"accept": {"type": "boolean"}}, "required": ["accept"]}
    with open_model(settings) as model:
        asked = Request((Message("user", "Is 3 more than 2? As JSON."),), max_tokens=60, json_schema=schema)
        reply = model.ask(asked)
    assert isinstance(json.loads(reply.text)["accept"], bool)
    assert 0 < reply.usage.completion <= 60
    assert not reply.extra.get("usage")
    with open_program_scorer(settings, f"local:{model_file}?threads=1") as scorer:
        sense, nonsense = scorer.log_probabilities(
            [f"def add(a, b):\n    return a {sign} b\n\n\nprint(add(1, 2))\n" for sign in ("+", "@")]
        )
    assert sense > nonsense
