"""Regreen inside other people's programs, and what leaves it: real sandboxes, scripted models, loopback collectors."""

from __future__ import annotations

import asyncio
import json
import operator
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Annotated, Any, TypedDict

import pytest
from langchain_core.messages import ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langsmith import Client, tracing_context
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from pydantic import BaseModel

from regreen.config import Settings, load_settings
from regreen.errors import ConfigError, TaskError
from regreen.integrations.langchain import repair_node, repair_tool
from regreen.integrations.repairs import Repairs
from regreen.models.scripted import ReplySpec, Script
from regreen.models.testserver import serve
from regreen.types import Repair

pytestmark = pytest.mark.sandbox

SOURCE = "def price(net):\n    total = net * 20 / 100\n    return round(total, 2)\n"
FIXED = SOURCE.replace("20", "120")
TESTS = "assert price(100) == 120.0\nassert price(50) == 60.0\n"
LINES = SOURCE.split("\n")
REPLY = f"The sum is wrong.\n```python\n{FIXED}```"
MODEL_KEYS = ("sk-refused-5f1c0a7b", "sk-accepted-93be44d1")
TRACER_KEY = "lsv2_pt_0d9f66aa"
LANGSMITH_ON = {"LANGSMITH_TRACING": "true", "LANGSMITH_API_KEY": TRACER_KEY, "LANGSMITH_ENDPOINT": "{url}"}
INFO = {
    "version": "0.1",
    "batch_ingest_config": {
        "use_multipart_endpoint": False,
        "size_limit": 100,
        "size_limit_bytes": 1 << 20,
        "scale_up_nthreads_limit": 4,
        "scale_up_qsize_trigger": 100,
    },
}


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A scripted model that knows the answer."""
    return scripted(tmp_path, "reflect")


def scripted(folder: Path, strategy: str) -> Settings:
    script = folder / "script.json"
    edit = {"operation": "replace", "first_line": 2, "last_line": 2, "old": LINES[1], "new": FIXED.split("\n")[1]}
    rule = {"contains": '"edits"', "replies": [json.dumps({"edits": [edit]})]}
    script.write_text(json.dumps({"rules": [rule], "default": REPLY}), encoding="utf-8")
    return load_settings({"strategy": strategy, "model": f"scripted:{script}", "workers": 1}, environ={})


def call(**arguments: str) -> dict[str, Any]:
    """A call of the tool, as an agent's graph makes it."""
    return {"type": "tool_call", "id": "call-1", "name": "repair_python", "args": arguments}


def test_an_agent_gets_the_patch_as_text_and_the_repair_as_artifact(settings: Settings) -> None:
    """The text is for the model; the program that embeds gets all there is to know."""
    with repair_tool(settings) as tool:
        message = tool.invoke(call(source=SOURCE, tests=TESTS))
    assert isinstance(message, ToolMessage)
    assert message.status == "success"
    assert message.text.startswith("Fixed")
    assert "+    total = net * 120 / 100" in message.text
    assert isinstance(message.artifact, Repair)
    assert message.artifact.chosen is not None
    assert message.artifact.chosen.candidate.source == FIXED


def test_calls_of_the_tool_share_its_sandboxes_and_run_from_threads(settings: Settings) -> None:
    """Opened at the first call; asynchronous calls do not block the loop that they are made in."""

    async def both() -> list[Any]:
        ticking = asyncio.create_task(asyncio.sleep(0))
        calls = [tool.ainvoke(call(source=SOURCE, tests=TESTS)) for _ in range(2)]
        done = await asyncio.gather(*calls)
        assert ticking.done()
        return done

    with repair_tool(settings, at_once=2) as tool:
        messages = asyncio.run(both())
        opened = tool._repairs._strategy
        assert opened is not None
        assert tool.invoke(call(source=SOURCE, tests=TESTS)).artifact.fixed
        assert tool._repairs._strategy is opened
    assert [message.artifact.fixed for message in messages] == [True, True]
    assert tool._repairs._strategy is None


def test_an_agent_is_told_that_nothing_was_red(settings: Settings) -> None:
    """So that it does not go on with a program that is right."""
    with repair_tool(settings) as tool:
        assert tool.invoke(call(source=FIXED, tests=TESTS)).text.startswith("Nothing to repair")


def test_search_needs_no_model() -> None:
    """Without a model in the settings the tool searches."""
    with repair_tool(load_settings({"workers": 1}, environ={})) as tool:
        message = tool.invoke(call(source=FIXED.replace("120 /", "120 //"), tests="assert price(99) == 118.8"))
    assert message.artifact.chosen.candidate.source == FIXED


class Foreign(TypedDict):
    """The state of somebody else's graph."""

    code: str
    suite: str
    outcome: dict[str, Any]
    log: Annotated[list[str], operator.add]


class ForeignModel(BaseModel):
    """The same as pydantic has it."""

    code: str
    suite: str
    wanted: str | None = None
    outcome: dict[str, Any] = {}
    log: Annotated[list[str], operator.add] = []


@pytest.mark.parametrize("schema", [Foreign, ForeignModel])
def test_the_node_fits_into_a_foreign_graph(settings: Settings, schema: Any) -> None:
    """It reads the keys that it is told, writes one with plain data, and leaves the others alone."""
    more = {"statement": "wanted"} if schema is ForeignModel else {}
    with repair_node("code", "suite", "outcome", settings=settings, **more) as node:
        graph = StateGraph(schema)
        graph.add_node("write", lambda state: {"log": ["written"]})
        graph.add_node(node)
        graph.add_node("tell", lambda state: {"log": ["told"]})
        for edge in ((START, "write"), ("write", "repair"), ("repair", "tell"), ("tell", END)):
            graph.add_edge(*edge)
        compiled = graph.compile(checkpointer=InMemorySaver())
        given = {"code": SOURCE, "suite": TESTS, "log": []}
        ended = compiled.invoke(given, {"configurable": {"thread_id": "one"}})
        again = asyncio.run(compiled.ainvoke(given, {"configurable": {"thread_id": "two"}}))
    outcome = ended["outcome"]
    assert (outcome["fixed"], outcome["source"], outcome["stop"]) == (True, FIXED, "fixed")
    assert (ended["code"], ended["log"]) == (SOURCE, ["written", "told"])
    assert outcome["cost"]["model_calls"] == 1
    assert json.loads(json.dumps(outcome)) == outcome
    assert again["outcome"]["diff"] == outcome["diff"]


def test_the_node_names_a_key_that_is_not_there(settings: Settings) -> None:
    """A slip in the wiring is told as one, and unusable tests as what they are."""
    with repair_node("code", "tests", settings=settings) as node:
        with pytest.raises(ConfigError, match="'tests'"):
            node({"code": SOURCE, "suite": TESTS})
        with pytest.raises(TaskError):
            node({"code": SOURCE, "tests": "assert ("})


@pytest.mark.parametrize("name", ["single", "reflect", "tools", "react", "patch", "hybrid"])
def test_each_graph_of_the_studio_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `langgraph.json` names it, on what a person fills in; what they did wrong is told as data."""
    from regreen.integrations import studio

    monkeypatch.setenv("REGREEN_MODEL", str(scripted(tmp_path, name).model))
    monkeypatch.setenv("REGREEN_WORKERS", "1")
    monkeypatch.setenv("REGREEN_ITERS", "1")
    monkeypatch.chdir(tmp_path)
    graph = getattr(studio, f"{name}_graph")()
    try:
        ended = graph.invoke({"source": SOURCE, "tests": TESTS})
        wrong = graph.invoke({"source": SOURCE, "tests": "assert ("})
    finally:
        studio.close()
    assert ended["error"] == ""
    assert ended["repair"]["fixed"], ended["repair"]["explanation"]
    assert "never closed" in wrong["error"]


@dataclass
class Collector:
    """A service that takes in whatever is sent, and keeps it."""

    url: str
    heard: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)

    @property
    def bodies(self) -> bytes:
        return b"\n".join(body for _, _, body in self.heard)

    @property
    def spans(self) -> bytes:
        """What was sent to it as to OpenTelemetry."""
        return b"\n".join(body for path, _, body in self.heard if path == "/v1/traces")

    def runs(self) -> list[dict[str, Any]]:
        """The runs that were sent to it as to LangSmith, each with what came later of it."""
        runs: dict[str, dict[str, Any]] = {}
        for path, _, body in self.heard:
            told = json.loads(body) if "/runs" in path else {}
            batch = [*told.get("post", ()), *told.get("patch", ())] or ([told] if told else [])
            for run in batch:
                known = runs.setdefault(run["id"], {})
                known |= {key: value for key, value in run.items() if value or key not in known}
        return list(runs.values())


@contextmanager
def collecting() -> Iterator[Collector]:
    """A collector over loopback HTTP, for the block."""

    class Handler(BaseHTTPRequestHandler):
        def _take(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            collector.heard.append((self.path, dict(self.headers), body))
            answer = json.dumps(INFO).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        do_GET = do_POST = do_PATCH = _take

        def log_message(self, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        collector = Collector(f"http://127.0.0.1:{server.server_port}")
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield collector
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def repaired(tmp_path: Path) -> Iterator[Callable[..., Collector]]:
    """Repairs a program by command and tells what a collector heard."""
    with repairing(tmp_path / "project") as run:
        yield run


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Collector]:
    """What was heard of one repair that LangSmith and OpenTelemetry were asked to trace."""
    with repairing(tmp_path_factory.mktemp("traced") / "project") as run:
        yield run(**LANGSMITH_ON, OTEL_EXPORTER_OTLP_ENDPOINT="{url}")


@contextmanager
def repairing(project: Path) -> Iterator[Callable[..., Collector]]:
    """Repairs a program by command, over HTTP with a refused key and a good one, and tells what a collector heard."""
    project.mkdir()
    (project / "price.py").write_text(SOURCE, encoding="utf-8")
    (project / "checks.py").write_text(TESTS, encoding="utf-8")
    with serve(Script(default=ReplySpec(REPLY)), keys=MODEL_KEYS[1:]) as served, collecting() as collector:

        def run(dotenv: str = "", keys: tuple[str, ...] = MODEL_KEYS, **environment: str) -> Collector:
            (project / ".env").write_text(dotenv.format(url=collector.url), encoding="utf-8")
            (project / "pyproject.toml").write_text(dotenv and PROJECT.format(url=collector.url), encoding="utf-8")
            told = {name: value.format(url=collector.url) for name, value in environment.items()}
            clean = {k: v for k, v in os.environ.items() if not k.startswith(("LANGSMITH_", "LANGCHAIN_", "OTEL_"))}
            settings = ["-m", "small", "--base-url", served.base_url, "-s", "reflect"]
            done = subprocess.run(
                [sys.executable, "-m", "regreen", "fix", "price.py", "--tests", "checks.py", *settings],
                cwd=project,
                env=clean | {"REGREEN_WORKERS": "1", "REGREEN_API_KEY": ",".join(keys)} | told,
                capture_output=True,
                text=True,
                timeout=100,
            )
            assert done.returncode == (0 if keys == MODEL_KEYS else 3), done.stderr
            assert {request.status for request in served.requests} == ({401, 200} if keys == MODEL_KEYS else {401})
            return collector

        yield run


PROJECT = """
[tool.langsmith]
tracing = true
endpoint = "{url}"
[tool.opentelemetry]
traces_exporter = "otlp"
"""
SWITCHED_ON = (
    "LANGSMITH_TRACING=true\nLANGCHAIN_TRACING_V2=true\nLANGSMITH_ENDPOINT={url}\nLANGSMITH_API_KEY=theirs\n"
    "OTEL_EXPORTER_OTLP_ENDPOINT={url}\nOTEL_TRACES_EXPORTER=otlp\n"
)


def test_nothing_is_sent_unless_the_environment_asks(repaired: Callable[..., Collector]) -> None:
    """Not by a key or an address that lingers in it, nor by a project that would have it so."""
    heard = repaired(
        SWITCHED_ON, LANGSMITH_API_KEY=TRACER_KEY, LANGSMITH_ENDPOINT="{url}", OTEL_SERVICE_NAME="mine"
    ).heard
    assert heard == []


def test_langsmith_hears_of_graphs_and_model_calls_when_asked(traced: Collector) -> None:
    """The model's run lies below its node's, that below the graph's; and no key is in what is sent."""
    runs = {run["name"]: run for run in traced.runs()}
    chat, draft, graph = runs["chat small"], runs["draft"], runs["regreen reflect"]
    assert chat["run_type"] == "llm"
    assert (chat["parent_run_id"], draft["parent_run_id"]) == (draft["id"], graph["id"])
    assert "def price(net)" in json.dumps(chat["inputs"])
    assert chat["outputs"]["messages"][0]["content"] == REPLY
    assert chat["outputs"]["usage_metadata"]["output_tokens"] > 0
    for key in (*MODEL_KEYS, TRACER_KEY):
        assert key.encode() not in traced.bodies


def test_an_error_is_sent_without_the_key_that_caused_it(repaired: Callable[..., Collector]) -> None:
    """The run of the model and the graph's own both end in it."""
    heard = repaired(keys=MODEL_KEYS[:1], **LANGSMITH_ON)
    runs = {run["name"]: run for run in heard.runs()}
    assert "sk-" in runs["chat small"]["error"]
    assert "Traceback" not in runs["chat small"]["error"]
    assert runs["regreen reflect"]["error"]
    assert MODEL_KEYS[0].encode() not in heard.bodies


def test_a_collector_gets_spans_without_prompts_when_asked(traced: Collector) -> None:
    """Names, counts and outcomes; what the program and the model said stays here."""
    for name in (b"repair reflect", b"node draft", b"chat small", b"judge", b"gen_ai.usage.output_tokens"):
        assert name in traced.spans
    for secret in (*MODEL_KEYS, "def price", "The sum is wrong"):
        assert secret.encode() not in traced.spans


def test_prompts_are_in_spans_when_that_is_asked_too(repaired: Callable[..., Collector]) -> None:
    """By the variable that OpenTelemetry's conventions name; keys are not."""
    heard = repaired(OTEL_EXPORTER_OTLP_ENDPOINT="{url}", OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT="true")
    assert {path for path, _, _ in heard.heard} == {"/v1/traces"}
    assert b"def price(net)" in heard.spans
    assert b"The sum is wrong" in heard.spans
    assert not any(key.encode() in heard.spans for key in MODEL_KEYS)


def test_a_program_that_traces_itself_tells_nothing_from_inside_a_repair(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it traces is its own node; prompts and candidates need the environment's word."""
    for name in [name for name in os.environ if name.startswith(("LANGSMITH_", "LANGCHAIN_"))]:
        monkeypatch.delenv(name)
    with collecting() as collector, repair_node("code", "suite", "outcome", settings=settings) as node:
        graph = StateGraph(Foreign)
        graph.add_node(node)
        graph.add_edge(START, "repair")
        compiled = graph.compile(name="theirs")
        client = Client(api_url=collector.url, api_key=TRACER_KEY, auto_batch_tracing=False, info=INFO)
        with tracing_context(enabled=True, client=client):
            assert compiled.invoke({"code": SOURCE, "suite": TESTS, "log": []})["outcome"]["fixed"]
        client.close()
        assert {run["name"] for run in collector.runs()} == {"theirs", "repair"}


def test_a_program_with_a_provider_of_its_own_gets_the_spans(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Below its own span: the repair, its nodes, and below those the model's call and each candidate's verdict."""
    kept = InMemorySpanExporter()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(kept))
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: provider)
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", "otlp")
    with Repairs(settings) as repairs, provider.get_tracer("theirs").start_as_current_span("their work"):
        assert repairs.repair(SOURCE, TESTS).fixed
    spans = kept.get_finished_spans()
    names = {span.context.span_id: span.name for span in spans}
    below = {(names[span.parent.span_id], span.name) for span in spans if span.parent}
    assert below == {
        ("their work", "repair reflect"),
        ("repair reflect", "node inspect"),
        ("repair reflect", "node draft"),
        ("node draft", f"chat {str(settings.model).removeprefix('scripted:')}"),
        ("repair reflect", "node verify"),
        ("node verify", "judge"),
        ("repair reflect", "node choose"),
    }
    told = next(span.attributes for span in spans if span.name == "repair reflect")
    assert (told["regreen.fixed"], told["regreen.stop"], told["regreen.model_calls"]) == (True, "fixed", 1)
    judged = next(span.attributes for span in spans if span.name == "judge")
    assert (judged["regreen.origin"], judged["regreen.passed"], judged["regreen.checks"]) == ("model:draft", True, 2)


OFFLINE = """
import sys, regreen
settings = regreen.load_settings({"workers": 1, "strategy": "search"})
assert regreen.repair(sys.argv[1], sys.argv[2], settings=settings).fixed
print(*{name.partition(".")[0] for name in sys.modules})
"""


def searched(folder: Path, **asked: str) -> subprocess.CompletedProcess[str]:
    """A search in a process of its own, which prints the packages that it has loaded."""
    return subprocess.run(
        [sys.executable, "-c", OFFLINE, FIXED.replace("120 /", "120 //"), "assert price(99) == 118.8"],
        cwd=folder,
        env=os.environ | asked,
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    )


def test_what_asks_no_model_loads_none_of_it(tmp_path: Path) -> None:
    """Of a search LangSmith hears nothing, and so it is paid for as a search; nor do old switches stop it."""
    done = searched(tmp_path, LANGSMITH_TRACING="true", LANGCHAIN_HANDLER="langchain")
    assert not {"langsmith", "opentelemetry", "langgraph", "langchain_core"} & set(done.stdout.split())


def test_a_search_is_a_span_where_that_is_asked(tmp_path: Path) -> None:
    """The repair and what was judged for it, without the program, and without loading what asks models."""
    done = searched(tmp_path, OTEL_TRACES_EXPORTER="console", LANGSMITH_TRACING="true")
    for name in ('"repair search"', '"judge"', '"regreen.fixed": true', '"regreen.stop": "fixed"'):
        assert name in done.stderr
    assert 'regreen.model"' not in done.stderr
    assert "def price" not in done.stderr
    assert not {"langsmith", "langgraph", "langchain_core"} & set(done.stdout.split())
