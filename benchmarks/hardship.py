"""A whole run with a model under all that goes wrong at once: kills, a faulty proxy, a server that is restarted.

    python benchmarks/hardship.py --data humanevalpack.jsonl                            # the oracle of agents.py
    python benchmarks/hardship.py --data humanevalpack.jsonl --gguf FILE.gguf           # a live model in llama.cpp

The command is killed (SIGKILL) at random moments and resumed, a share of the requests is answered with a fault by a
proxy in front of the server, and the server is ended and started again in the middle. What has to hold for any model:
each planned sample has one line and no more, none is an error, and nothing that was started is left behind. The oracle
answers by what it is asked alone: its records have to be those of an undisturbed run, measured times aside.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import agents
from kills import PATIENCE, alive, descendants, records

from regreen.evaluate.result_log import RESULTS, read_results

LLAMA_SERVER = Path(__file__).parents[1] / "tests" / "support" / "llama_server.py"
CHUNK = 1 << 12


class FaultyProxy(ThreadingHTTPServer):
    """Passes requests on to a server that may come and go, and answers a share of them with a fault of its own."""

    daemon_threads = True

    def __init__(self, share: float, seed: int) -> None:
        super().__init__(("127.0.0.1", 0), Passing)
        self.upstream = ""
        self.faults: Counter[str] = Counter()
        self._share = share
        self._rng = random.Random(seed)
        self._lock = threading.Lock()

    @property
    def address(self) -> str:
        """The base address to ask."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def fault(self) -> str:
        """The fault of the next answer; "" for none."""
        with self._lock:
            kind = self._rng.choice(FAULTS) if self._rng.random() < self._share else ""
            self.faults.update([kind] if kind else ["none"])
            return kind


class Passing(BaseHTTPRequestHandler):
    """One request."""

    protocol_version = "HTTP/1.0"
    server: FaultyProxy

    def do_GET(self) -> None:
        """Pass it on."""
        self._pass("")

    def do_POST(self) -> None:
        """Pass it on, or let it go wrong."""
        self._pass(self.server.fault())

    def _pass(self, fault: str) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        with contextlib.suppress(ConnectionError):
            if fault in STATUS:
                self._answer(STATUS[fault], {"error": {"message": fault}})
            elif fault == "hangs up":
                self.close_connection = True
            elif fault == "no JSON":
                self._answer(200, "<html>")
            else:
                self._forward(body, cut=fault == "cut off")

    def _answer(self, status: int, value: object) -> None:
        text = value.encode() if isinstance(value, str) else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Retry-After", "0")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def _forward(self, body: bytes, *, cut: bool) -> None:
        to = urlsplit(self.server.upstream)
        connection = http.client.HTTPConnection(to.hostname or "", to.port, timeout=300)
        try:
            headers = {name: self.headers[name] for name in ("Content-Type", "Authorization") if name in self.headers}
            connection.request(self.command, self.path, body, headers)
            answer = connection.getresponse()
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.getheader("Content-Type") or "application/json")
            self.end_headers()
            while piece := answer.read1(CHUNK):
                self.wfile.write(piece[: len(piece) // 2] if cut else piece)
                self.wfile.flush()
                if cut:
                    return
        except (OSError, http.client.HTTPException):
            # The server is being started again: to the client, a service that broke off.
            self.close_connection = True
        finally:
            connection.close()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


STATUS = {"busy": 429, "fault": 500, "overloaded": 503}
FAULTS = (*STATUS, "hangs up", "no JSON", "cut off")


@dataclass
class Service:
    """The model's server, which can be started again."""

    open: Callable[[], AbstractContextManager[str]]
    proxy: FaultyProxy
    _stack: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)

    def start(self) -> None:
        """Begin to serve."""
        self.proxy.upstream = self._stack.enter_context(self.open())

    def restart(self) -> None:
        """End what is served, with all that it has under way, and begin anew."""
        self._stack.close()
        time.sleep(1.0)
        self.start()

    def stop(self) -> None:
        """End it."""
        self._stack.close()


@contextlib.contextmanager
def live(file: Path, tokens: int, slots: int) -> Iterator[str]:
    """A llama.cpp server with a model, killed at the end of the block."""
    command = [sys.executable, str(LLAMA_SERVER), str(file), str(tokens), str(slots)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


def command(address: str, run: Path, options: argparse.Namespace) -> list[str]:
    """The command line that begins the run, or goes on with it."""
    dataset = ["humanevalfix", "--dataset-path", str(options.data)] if options.data else ["bundled"]
    told = ["-m", "llamacpp:model", "--base-url", address, "-s", options.strategy, "--feedback", options.feedback]
    told += ["--limit", str(options.tasks), "--concurrency", str(options.concurrency), "--retries", "30"]
    told += ["--timeout", str(options.timeout), "--iters", str(options.iters)]
    told += ["--max-reply-tokens", str(options.reply_tokens)]
    return [sys.executable, "-m", "regreen", "eval", *dataset, "-o", str(run), *told, "--resume", "--json"]


def begin(address: str, run: Path, options: argparse.Namespace) -> subprocess.Popen[bytes]:
    """Start the command; what it says is kept beside the run."""
    with run.with_suffix(".log").open("ab") as log:
        return subprocess.Popen(
            command(address, run, options), stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        )


def to_the_end(address: str, run: Path, options: argparse.Namespace) -> float:
    """Let the run come to its end; returns its seconds."""
    began = time.monotonic()
    with begin(address, run, options) as process:
        process.wait()
    if process.returncode not in (0, 1):
        raise SystemExit(
            f"the run ended with status {process.returncode}: {run.with_suffix('.log').read_text()[-800:]}"
        )
    return time.monotonic() - began


def disturbed(service: Service, run: Path, options: argparse.Namespace, pace: float) -> int:
    """Kill and resume, and restart the server in between; returns how many processes a kill left behind."""
    rng, left, done = random.Random(options.seed), 0, Counter[str]()
    happenings = ["kill"] * options.kills + ["restart"] * options.restarts
    rng.shuffle(happenings)
    process = begin(service.proxy.address, run, options)
    for happening in happenings:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(rng.uniform(0.3, 1.0) * pace)
        if process.poll() is not None:
            break
        done.update([happening])
        if happening == "restart":
            service.restart()
            continue
        started = descendants(process.pid)
        process.kill()
        process.wait()
        deadline = time.monotonic() + PATIENCE
        while any(map(alive, started)) and time.monotonic() < deadline:
            time.sleep(0.05)
        left += sum(map(alive, started))
        process = begin(service.proxy.address, run, options)
    process.wait()
    # Errors, if a kill or a restart made any, are tried again.
    to_the_end(service.proxy.address, run, options)
    print(f"disturbed by {dict(done)}")
    return left


def main() -> int:
    """Run undisturbed and disturbed, and tell what was lost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="the published HumanEvalFix JSONL, in place of `bundled`")
    parser.add_argument("--gguf", type=Path, help="a model to serve with llama.cpp, in place of the oracle")
    parser.add_argument("--tasks", type=int, default=164)
    parser.add_argument("--strategy", default="reflect")
    parser.add_argument("--feedback", default="all")
    parser.add_argument("--iters", type=int, default=3)
    parser.add_argument("--reply-tokens", type=int, default=1024)
    parser.add_argument("--latency", type=float, default=0.5, help="seconds of the oracle's replies")
    parser.add_argument("--turn", type=int, default=2, help="the oracle's first right reply")
    parser.add_argument("--concurrency", type=int, default=8)
    parser.add_argument("--timeout", type=float, default=0.5)
    parser.add_argument("--faults", type=float, default=0.2)
    parser.add_argument("--kills", type=int, default=6)
    parser.add_argument("--restarts", type=int, default=2)
    parser.add_argument("--pace", type=float, help="seconds between two happenings, at most [by the undisturbed run]")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        return carry_out(Path(place), options)


def carry_out(folder: Path, options: argparse.Namespace) -> int:
    """Both runs, and the comparison."""
    if options.gguf:
        slots = options.concurrency
        open_server: Callable[[], AbstractContextManager[str]] = lambda: live(options.gguf, 4096, slots)  # noqa: E731
    else:
        open_server = lambda: agents.server(latency=options.latency, turn=options.turn, data=options.data)  # noqa: E731
    proxy = FaultyProxy(options.faults, options.seed)
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    service = Service(open_server, proxy)
    service.start()
    wanted, seconds = None, 0.0
    try:
        if not options.gguf:
            direct = proxy.upstream if proxy.upstream.endswith("/v1") else f"{proxy.upstream}/v1"
            seconds = to_the_end(direct, folder / "calm", options)
            wanted = records(folder / "calm")
            print(
                f"undisturbed: {len(wanted)} records, {Counter(r['outcome'] for r in wanted.values())}, {seconds:.1f} s"
            )
        pace = options.pace or max(4.0, 2 * seconds / (options.kills + options.restarts))
        left = disturbed(service, folder / "rough", options, pace)
    finally:
        service.stop()
        proxy.shutdown()
    return told(folder / "rough", wanted, proxy, left)


def told(run: Path, wanted: dict[tuple[str, int], object] | None, proxy: FaultyProxy, left: int) -> int:
    """Print what came of it; 0 where nothing was lost."""
    lines = list(read_results(run / RESULTS))
    planned = json.loads((run / "run.json").read_bytes())["planned"]
    errors = [line for line in lines if line.error is not None]
    passed = proxy.faults.pop("none", 0)
    injected = sum(proxy.faults.values())
    print(f"  {len({line.key for line in lines})} of {planned} planned samples, {len(lines)} lines")
    print(f"  {Counter(line.outcome.value for line in lines)}, {sum(line.model_calls for line in lines)} model calls")
    print(f"  of {injected + passed} requests {injected} got a fault: {dict(proxy.faults)}")
    for line in errors[:5]:
        print(f"  error in {line.task_id}: {line.error.message[:200] if line.error else ''}")
    same = wanted is None or records(run) == wanted
    if wanted is not None:
        print(f"  {'the same records' if same else 'OTHER records'} as the undisturbed run")
    print(f"left behind: {left or 'nothing'}")
    return int(bool(errors) or len(lines) != planned or not same or bool(left))


if __name__ == "__main__":
    raise SystemExit(main())
