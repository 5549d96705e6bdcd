"""Chat models with a tape: one that records, one that caches, one that replays."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from regreen.errors import ModelError, TapeDrift
from regreen.models.cassette.drift import drift_error, missing_turn_error
from regreen.models.cassette.tape import Tape, TapeEntry
from regreen.models.cassette.tape_json import encode_error, encode_reply, encode_request
from regreen.models.cassette.tape_reader import recorded_content, recorded_error, recorded_reply
from regreen.models.contract import ChatModel, Reply, Request


def recording(model: ChatModel, path: Path) -> ChatModel:
    """The model, with every reply and final error put on the tape before it is returned or raised.

    Raises RunError where the tape cannot be used; asking raises it too.
    """
    return RecordingModel(model, Tape(path, write=True))


def cached(model: ChatModel, path: Path) -> ChatModel:
    """The model behind a cache: a request with a reply on the tape costs nothing.

    Equal requests get equal replies: samples that are to differ need different seeds or temperatures.
    Raises RunError where the tape cannot be used; asking raises it too.
    """
    return CachedModel(model, Tape(path, write=True))


def replaying(
    path: Path, *, model_name: str | None = None, live: ChatModel | None = None, from_turn: int | None = None
) -> ChatModel:
    """The model of a recorded run: each scope's turns as they were recorded, without a network.

    Asking raises TapeDrift where the request differs from the recorded one; with `model_name`, also where the model
    does. From turn `from_turn` on, each scope asks `live`. Raises RunError where the tape cannot be read.
    """
    if (live is None) != (from_turn is None):
        raise ValueError("live and from_turn go together")
    return ReplayingModel(Tape(path, write=False), model_name, live, from_turn)


class RecordingModel:
    """A chat model whose replies and errors are recorded."""

    def __init__(self, model: ChatModel, tape: Tape) -> None:
        self.name = model.name
        self._model = model
        self._tape = tape

    def ask(self, request: Request) -> Reply:
        """The model's reply, recorded; so is a ModelError that it raises."""
        wanted = encode_request(request, self.name)
        try:
            reply = self._model.ask(request)
        except TapeDrift:
            raise
        except ModelError as error:
            self._tape.add(request, wanted, self.name, error=encode_error(error))
            raise
        self._tape.add(request, wanted, self.name, reply=encode_reply(reply))
        return reply

    def close(self) -> None:
        """Close the tape and the model."""
        _close(self._tape, self._model)


class CachedModel:
    """A chat model with a cache of replies."""

    def __init__(self, model: ChatModel, tape: Tape) -> None:
        self.name = model.name
        self._model = model
        self._tape = tape

    def ask(self, request: Request) -> Reply:
        """The reply on the tape, marked "from_cache" and free of charge; else the model's."""
        wanted = encode_request(request, self.name)
        if (text := self._tape.reply_to(wanted.key)) is not None:
            reply = recorded_reply(text, self._tape.path)
            return replace(reply, seconds=0.0, waited=0.0, usd=0.0, extra={**reply.extra, "from_cache": True})
        reply = self._model.ask(request)
        self._tape.add(request, wanted, self.name, reply=encode_reply(reply))
        return reply

    def close(self) -> None:
        """Close the tape and the model."""
        _close(self._tape, self._model)


class ReplayingModel:
    """A chat model that replays a tape and compares each request with the recorded one."""

    def __init__(self, tape: Tape, model_name: str | None, live: ChatModel | None, from_turn: int | None) -> None:
        self.name = model_name or (live.name if live is not None else tape.model())
        self._tape = tape
        self._model_name = model_name
        self._live = live
        self._from_turn = from_turn

    def ask(self, request: Request) -> Reply:
        """The recorded reply, marked "from_tape", or the recorded error; from `from_turn` on, the live model's."""
        if self._live is not None and self._from_turn is not None and request.turn >= self._from_turn:
            return self._live.ask(request)
        entry = self._tape.turn(request.scope, request.turn)
        if entry is None:
            raise missing_turn_error(request, self._tape.length(request.scope))
        self._compare(request, entry)
        if entry.reply is None:
            raise recorded_error(entry, self._tape.path)
        reply = recorded_reply(entry.reply, self._tape.path)
        return replace(reply, extra={**reply.extra, "from_tape": True})

    def close(self) -> None:
        """Close the tape, and the live model where there is one."""
        _close(self._tape, self._live)

    def _compare(self, request: Request, entry: TapeEntry) -> None:
        model = self._model_name or entry.model
        wanted = encode_request(request, model)
        if wanted.key != entry.key:
            raise drift_error(request, recorded_content(entry, self._tape.path), (entry.model, model))


def _close(tape: Tape, model: ChatModel | None) -> None:
    try:
        tape.close()
    finally:
        if model is not None:
            model.close()
