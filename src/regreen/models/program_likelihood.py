"""Log-probabilities of programs under a language model that a service offers: the setting `rank_model`.

Chat completions do not tell how probable a given text is; `/completions` does, in one of two ways. Services that echo
the prompt give the probabilities of its tokens (vLLM, SGLang). llama.cpp's server does not, but takes a grammar: one
that allows a single row of tokens makes it write these, and it says how probable each was before the grammar. The row
is that of its own tokenizer: left to choose the tokens of a text, it would begin with those that it expected, and find
what is left unlikely.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Final

from regreen.config import Settings
from regreen.errors import ConfigError, ModelError, ModelUnavailable
from regreen.models.keys import KeyRing
from regreen.models.llamacpp.engine import TOKENIZE
from regreen.models.openai_transport import OpenAITransport
from regreen.models.providers import Endpoint, find_endpoint
from regreen.types import ProgramScorer

MOST_BEFORE: Final = 6_000
"""Characters before the first difference that a model is shown: what is further away hardly matters, and small models
have short contexts."""
MOST_AFTER: Final = 200
"""Characters after the last difference whose probabilities count."""
_PATH: Final = "/completions"


@contextmanager
def open_program_scorer(settings: Settings, name: str) -> Iterator[ProgramScorer]:
    """The scorer by the model of this full name, closed when the block ends.

    The address of the setting `base_url` belongs to it where no `model` is set. Raises ConfigError for a model that
    gives no probabilities.
    """
    base_url = settings.base_url if settings.model is None else None
    endpoint = find_endpoint(settings.model_copy(update={"model": name, "base_url": base_url}))
    transport = _open_transport(endpoint, settings)
    try:
        yield ServedScorer(endpoint, transport)
    finally:
        transport.close()


def _open_transport(endpoint: Endpoint, settings: Settings) -> OpenAITransport:
    """The transport to the model that ranks: a service, or llama.cpp in this process."""
    if endpoint.provider.kind == "openai":
        return OpenAITransport(endpoint, timeout=settings.request_timeout)
    if endpoint.provider.kind == "local":
        from regreen.models.llamacpp import open_engine_transport
        from regreen.models.llamacpp.model_file import is_gguf
        from regreen.models.local.model_name import parse_model_name

        if is_gguf(parse_model_name(endpoint.model).source):
            return open_engine_transport(endpoint, settings.model_copy(update={"model_file": None}))
    raise ConfigError(
        f"{endpoint.provider.title} gives no probabilities of a text, which rank_model needs.",
        remedy="Serve it with vLLM or llama.cpp (vllm:MODEL, llamacpp:MODEL), or name a GGUF file: local:FILE.",
    )


class ServedScorer:
    """A `ProgramScorer` that asks a service; which way it answers is found out with the first program."""

    def __init__(self, endpoint: Endpoint, transport: OpenAITransport) -> None:
        self._endpoint = endpoint
        self._transport = transport
        self._key = KeyRing(endpoint.keys).take()
        self._echoes = endpoint.provider.name not in ("llamacpp", "local")

    def log_probabilities(self, programs: Sequence[str], statement: str = "") -> list[float]:
        """Nats from the line on in which the programs first differ, after the statement as a comment.

        Raises ModelError where the service gives none.
        """
        found = passages([told_program(program, statement) for program in programs])
        if self._echoes and (echoed := self._echoed(found)) is not None:
            return echoed
        self._echoes = False
        return self._forced(found)

    def _echoed(self, texts: Sequence[Passage]) -> list[float] | None:
        """None where the service does not echo."""
        nats: list[float] = []
        for passage in texts:
            found = echoed_nats(self._choice(echo_request(passage)), passage) if passage.text else 0.0
            if found is None:
                return None
            nats.append(found)
        return nats

    def _forced(self, texts: Sequence[Passage]) -> list[float]:
        # A grammar of tokens stops at one that is a part of a character, as other letters and signs often are.
        rows = [self._tokens((p.before + p.text).encode("ascii", "replace").decode()) for p in texts]
        # What a tokenizer makes of two texts may differ before the texts do.
        before = max(1, _shared(rows))
        nats: list[float] = []
        for row in rows:
            found = forced_nats(self._choice(forced_request(row, before)), len(row) - before) if row[before:] else 0.0
            if found is None:
                raise self._tells_nothing()
            nats.append(found)
        return nats

    def _tokens(self, text: str) -> list[int]:
        """The row of tokens that the service makes of a text."""
        body = {"content": text, "add_special": True, "parse_special": False}
        # In this process there is no address.
        path = self._endpoint.base_url.rstrip("/").removesuffix("/v1") + TOKENIZE
        try:
            answer = self._transport.json_of(path, self._key, body)
        except ModelUnavailable:
            raise
        except ModelError as error:
            raise self._tells_nothing() from error
        tokens = answer.get("tokens") if isinstance(answer, dict) else None
        if not isinstance(tokens, list) or not all(type(token) is int for token in tokens):
            raise self._tells_nothing()
        return tokens

    def _choice(self, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """The first choice of an answer; empty for an answer of another form."""
        body = {"model": self._endpoint.model, "temperature": 0, "logprobs": 1, **body}
        answer = self._transport.json_of(_PATH, self._key, body)
        choices = answer.get("choices") if isinstance(answer, dict) else None
        first = choices[0] if isinstance(choices, list) and choices else None
        return first if isinstance(first, dict) else {}

    def _tells_nothing(self) -> ModelError:
        return ModelError(
            f"{self._endpoint.name} at {self._endpoint.display_url} does not tell how probable a text is.",
            remedy="Leave out --rank-model, or serve the model with vLLM or a llama.cpp of 2026.",
        )


def told_program(program: str, statement: str) -> str:
    """A program after what it is to do, as a comment; as it is where it says so itself."""
    said = statement.strip()
    if not said or said.splitlines()[0].strip() in program:
        return program
    return "".join(f"# {line}".rstrip() + "\n" for line in said.splitlines()) + program


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a program, and the text before it."""

    before: str
    text: str


def passages(programs: Sequence[str]) -> list[Passage]:
    """Each program from the line on in which they first differ, to the line's end some way after they last do."""
    start = programs[0].rfind("\n", 0, _shared(programs)) + 1 if programs else 0
    rests = [program[start:] for program in programs]
    same_end = _shared([rest[::-1] for rest in rests])
    before = programs[0][max(0, start - MOST_BEFORE) : start] if programs else ""
    return [Passage(before, rest[: _line_end(rest, len(rest) - same_end + MOST_AFTER)]) for rest in rests]


def echo_request(passage: Passage) -> dict[str, Any]:
    """The body for a service that gives the probabilities of a prompt's tokens."""
    return {"prompt": passage.before + passage.text, "echo": True, "max_tokens": 1}


def echoed_nats(choice: Mapping[str, Any], passage: Passage) -> float | None:
    """Nats of the passage in the answer to `echo_request`; None where the prompt's tokens are not in it."""
    logprobs = choice.get("logprobs")
    tokens, nats = (logprobs.get(name) if isinstance(logprobs, dict) else None for name in ("tokens", "token_logprobs"))
    if not isinstance(tokens, list) or not isinstance(nats, list) or len(tokens) != len(nats):
        return None
    ends = list(accumulate(len(token) if isinstance(token, str) else 0 for token in tokens))
    start, end = len(passage.before), len(passage.before + passage.text)
    # A token that marks the beginning of the text may be counted, so the end is what tells.
    if not ends or ends[-1] < end or nats[1:].count(None):
        return None
    return float(sum(n for at, n in zip(ends, nats, strict=True) if start < at <= end and n is not None))


def forced_request(row: Sequence[int], before: int) -> dict[str, Any]:
    """The body for llama.cpp's server, by which it can write nothing but the tokens of a row after the first ones."""
    forced = row[before:]
    return {
        "prompt": list(row[:before]),
        "grammar": f"root ::= {' '.join(f'<[{token}]>' for token in forced)}",
        "max_tokens": len(forced),
    }


def forced_nats(choice: Mapping[str, Any], count: int) -> float | None:
    """Nats of `count` tokens in the answer to `forced_request`; None where it does not tell of each."""
    logprobs = choice.get("logprobs")
    tokens = logprobs.get("content") if isinstance(logprobs, dict) else None
    if not isinstance(tokens, list):
        return None
    nats = [token.get("logprob") for token in tokens[:count] if isinstance(token, dict)]
    numbers = [n for n in nats if isinstance(n, (int, float))]
    return float(sum(numbers)) if len(numbers) == count else None


def _shared(texts: Sequence[Sequence[Any]]) -> int:
    """Number of characters, or tokens, with which all texts begin."""
    shortest = min(texts, key=len, default="")
    return next((n for n, c in enumerate(shortest) if any(text[n] != c for text in texts)), len(shortest))


def _line_end(text: str, at: int) -> int:
    """Where the line ends that a place is in."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end + 1
