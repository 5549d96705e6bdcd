"""llama.cpp in this process: its server's requests and answers, handed over as plain data."""

from __future__ import annotations

import gc
import secrets
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from regreen.errors import ConfigError, ModelError
from regreen.extras import optional_module
from regreen.models.local.model_name import LocalModelName
from regreen.models.providers import Endpoint
from regreen.models.service_errors import error_for, error_response_in
from regreen.setting_table import usable_cores

if TYPE_CHECKING:
    from langchain_openai import ChatOpenAI

TOKENIZE = "/tokenize"
"""The path by which llama.cpp's server tells the tokens of a text: none of OpenAI's, it stands beside theirs."""
_INSTALL_COMMAND = "pip install 'regreen[llamacpp]'"
_TOKENS_A_SLOT = 8_192
"""Of prompt and reply together, where the name does not say."""
_MOST_SLOTS = 4
"""Requests generated at once, where the name does not say: more of them make each one slow on a processor."""
_QUIET = 0
"""The verbosity at which llama.cpp says nothing on standard error."""
_KEY_BYTES = 32


class _Server(Protocol):
    """What is used of the bindings' server."""

    def handle_chat_completions(self, body: dict[str, Any], callback: Callable[[Any], bool] | None = None) -> Any: ...

    def handle_completions(self, body: dict[str, Any], callback: Callable[[Any], bool] | None = None) -> Any: ...

    @property
    def listening_address(self) -> str: ...


class EngineChannel:
    """The `Channel` to a model in this process; requests of several threads are generated together."""

    def __init__(self, server: _Server, endpoint: Endpoint, *, device: str, key: str = "") -> None:
        """`device` is the name of what computes, e.g. "CPU"; `key` is what the bindings' server asks for on this
        machine.
        """
        self.device = device
        self._own_key = key
        self._server: _Server | None = server
        self._endpoint = endpoint
        self._lock = threading.Lock()

    def json_of(self, path: str, key: str, body: Mapping[str, Any] | None = None) -> object:
        """The answer to a request, as `Channel.json_of`."""
        server = self._opened()
        if path == TOKENIZE and body is not None:
            return self._checked(self._over_loopback(server.listening_address + path, body), body)
        answered = {"/chat/completions": server.handle_chat_completions, "/completions": server.handle_completions}
        if body is None or path not in answered:
            raise ModelError(f"{self._endpoint.name} runs in this process, and has no {path}.")
        return self._checked(answered[path](dict(body)), body)

    def stream(self, path: str, key: str, body: Mapping[str, Any], feed: Callable[[object], bool]) -> object:
        """Hand each chunk to `feed` until it returns True, as `Channel.stream`."""
        problems: list[BaseException] = []

        def take(chunk: object) -> bool:
            # What is raised here would be lost in llama.cpp.
            try:
                return feed(self._checked(chunk, body))
            except BaseException as problem:  # noqa: BLE001
                problems.append(problem)
                return True

        self._opened().handle_chat_completions(dict(body), take)
        if problems:
            raise problems[0]
        return None

    def open_responses(self, key: str) -> ChatOpenAI:
        """Raises ModelError: llama.cpp has no need of OpenAI's Responses API."""
        raise ModelError(f"{self._endpoint.name} runs in this process, and has no Responses API.")

    def close(self) -> None:
        """Release the model and its memory, once the requests under way have ended."""
        with self._lock:
            self._server = None
        gc.collect()

    def _over_loopback(self, address: str, body: Mapping[str, Any]) -> object:
        """The answer to what the bindings hand over by their server alone."""
        import httpx2

        try:
            # No proxy has anything to do with it.
            with httpx2.Client(trust_env=False) as client:
                return client.post(
                    address, json=dict(body), headers={"Authorization": f"Bearer {self._own_key}"}
                ).json()
        except (httpx2.HTTPError, ValueError) as error:
            raise ModelError(f"{self._endpoint.name} did not answer in this process: {error}") from None

    def _opened(self) -> _Server:
        with self._lock:
            if self._server is None:
                raise ModelError("The model was closed before it answered.")
            return self._server

    def _checked(self, answer: object, body: Mapping[str, Any]) -> object:
        error = answer.get("error") if isinstance(answer, dict) else None
        if not error:
            return answer
        code = error.get("code") if isinstance(error, dict) else None
        refusal = error_response_in(code if isinstance(code, int) else 0, answer, {})
        raise error_for(refusal, self._endpoint, with_tools="tools" in body)


def load_engine(file: Path, name: LocalModelName, endpoint: Endpoint, *, slots: int) -> EngineChannel:
    """Load a GGUF file; at most `slots` requests are generated together, fewer where the name says so.

    Raises ConfigError where the bindings are missing, and ModelError where the file cannot be loaded.
    """
    library = bindings()
    parameters = library.CommonParams()
    parameters.model.path = str(file)
    parameters.n_parallel = name.batch or min(slots, _MOST_SLOTS)
    parameters.n_ctx = (name.context or _TOKENS_A_SLOT) * parameters.n_parallel
    threads = name.threads or usual_threads()
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = threads
    parameters.n_gpu_layers = 0 if name.device == "cpu" else parameters.n_gpu_layers
    parameters.verbosity = _QUIET
    parameters.warmup = False
    # The bindings' server listens on this machine, too, for which nobody else has a use: nobody else knows its key.
    key = secrets.token_hex(_KEY_BYTES)
    parameters.api_keys = [key]
    try:
        server = library.Server(parameters)
    except RuntimeError as error:
        raise ModelError(
            f"{file} cannot be loaded: {error}",
            remedy="It has to be a whole GGUF file of a language model, and to fit into memory: "
            "?context=2048&batch=1 behind its name takes less.",
        ) from None
    # A server that is closed before its loop has begun would wait for it for ever: with a reply, it has begun.
    server.handle_completions({"prompt": "a", "max_tokens": 1})
    return EngineChannel(server, endpoint, device=computing_device(library), key=key)


def usual_threads() -> int:
    """All usable cores but one, which is left to the sandboxes: a thread of llama.cpp that has to wait stops all."""
    return max(1, usable_cores() - 1)


def bindings() -> Any:
    """The module of the bindings; raises ConfigError, with the command that installs it, where it is missing."""
    try:
        return optional_module("xllamacpp")
    except ImportError as error:
        raise ConfigError(
            f"GGUF models in this process need xllamacpp, which cannot be imported ({error}).",
            remedy=f"Install it: {_INSTALL_COMMAND}",
        ) from error


def computing_device(library: Any) -> str:
    """The name of the first device that is no processor; "CPU" where the bindings know no other."""
    names = [str(device.get("name", "")) for device in library.get_device_info()]
    return next((name for name in names if name and not name.startswith("CPU")), "CPU")


def fallback_note(library: Any, *, cards: Path = Path("/proc/driver/nvidia/gpus")) -> str:
    """Why the processor computes though there is a card; "" where a card does, or there is none."""
    if computing_device(library) != "CPU" or not cards.is_dir() or not any(cards.iterdir()):
        return ""
    return "on the processor: these bindings were built without CUDA, though this machine has a card"
