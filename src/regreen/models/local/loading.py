"""Loads a model and its tokenizer from a folder, the cache or the hub, and never runs code that comes with them."""

from __future__ import annotations

import contextlib
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from regreen.errors import ConfigError, ModelError, RegreenError
from regreen.models.local.decoding import lacks_memory
from regreen.models.local.libraries import INSTALL_COMMAND, library
from regreen.models.local.model_name import LocalModelName, similar_aliases
from regreen.models.local.sampling import SamplingFilter
from regreen.network import unknown_host

_ORDINARY_LAYERS = frozenset({"full_attention", "sliding_attention"})
"""Kinds of layers whose only state is a key and a value a token, so that rows can share a batch."""
_MARKUP = re.compile(r"</?(think|tool_call|tool_response)>")
"""Special tokens that are part of the text of a reply."""
_UNKNOWN_CONTEXT = 2048


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A model ready for use, and its properties."""

    model: Any
    tokenizer: Any
    device: str
    dtype: str
    context: int
    """The most tokens of prompt and reply together."""
    ends: frozenset[int]
    """Ids of tokens that end a reply."""
    hidden: frozenset[int]
    """Ids of tokens that are no text."""
    sampling_filter: SamplingFilter
    joinable: bool
    """Whether requests can share a batch."""


def load_model(name: LocalModelName) -> LoadedModel:
    """Load a model. Raises ConfigError if it is unusable, ModelError if it cannot be downloaded or fit into memory."""
    library("torch")
    transformers = library("transformers")
    _refuse_old(transformers)
    device = name.device or ("cuda" if library("torch").cuda.is_available() else "cpu")
    source = str(name.folder) if name.is_folder else name.source
    cut_off = "" if name.is_folder else unknown_host(library("huggingface_hub.constants").ENDPOINT)
    with _explained(name, cut_off), _quiet(transformers):
        where: dict[str, Any] = {"trust_remote_code": False, "revision": name.revision or "main"}
        # Without a network the hub's client tries half a minute for each file, even for cached ones.
        where |= {"local_files_only": True} if cut_off else {}
        tokenizer = transformers.AutoTokenizer.from_pretrained(source, **where)
        dtype = name.dtype or _usual_dtype(device)
        kind = transformers.AutoModelForCausalLM
        model = kind.from_pretrained(source, dtype=dtype, weights_only=True, **where).to(device).eval()
    return _described(name, model, tokenizer, device)


def free_bytes(device: str) -> int | None:
    """Free bytes of a device's memory; None where unknown."""
    if device.startswith("cuda"):
        return int(library("torch").cuda.mem_get_info(device)[0])
    with contextlib.suppress(OSError, ValueError):
        text = Path("/proc/meminfo").read_text(encoding="ascii")
        found = re.search(r"^MemAvailable: +(\d+) kB$", text, re.MULTILINE)
        return int(found[1]) << 10 if found else None
    return None


def _described(name: LocalModelName, model: Any, tokenizer: Any, device: str) -> LoadedModel:
    config = model.config.get_text_config()
    advice = model.generation_config
    added = tokenizer.added_tokens_decoder.items()
    kinds = getattr(config, "layer_types", None) or ["full_attention"]
    return LoadedModel(
        model=model,
        tokenizer=tokenizer,
        device=device,
        dtype=str(model.dtype).removeprefix("torch."),
        context=_context(config, name.context),
        ends=_ids(advice.eos_token_id) | _ids(config.eos_token_id) | _ids(tokenizer.eos_token_id),
        hidden=frozenset(id for id, token in added if token.special and not _MARKUP.fullmatch(token.content)),
        sampling_filter=SamplingFilter(getattr(advice, "top_k", None) or 0, getattr(advice, "top_p", None) or 1.0),
        joinable=_ORDINARY_LAYERS.issuperset(kinds)
        and "past_key_values" in inspect.signature(model.forward).parameters,
    )


def _context(config: Any, wished: int) -> int:
    made_for = getattr(config, "max_position_embeddings", None) or _UNKNOWN_CONTEXT
    return min(wished, made_for) if wished else int(made_for)


def _ids(value: int | list[int] | None) -> frozenset[int]:
    return frozenset() if value is None else frozenset(value if isinstance(value, list) else [value])


def _usual_dtype(device: str) -> str:
    """Two bytes a number on CUDA, where it costs nothing; four on a CPU, as few compute with two."""
    if not device.startswith("cuda"):
        return "float32"
    return "bfloat16" if library("torch").cuda.is_bf16_supported(including_emulation=False) else "float16"


def _refuse_old(transformers: Any) -> None:
    """Refuse versions whose chat templates read marks in a program's output as the start of another turn."""
    template = transformers.PreTrainedTokenizerBase.apply_chat_template
    if "sanitize_control_tokens" not in inspect.signature(template).parameters:
        raise ConfigError(
            f"transformers {transformers.__version__} is too old: it cannot keep a prompt's text and its marks apart.",
            remedy=f"Renew it: {INSTALL_COMMAND.replace('install', 'install --upgrade')}",
        )


@contextlib.contextmanager
def _quiet(transformers: Any) -> Iterator[None]:
    """Silence the library's log for the block; downloads still show their progress."""
    logging = transformers.utils.logging
    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()


@contextlib.contextmanager
def _explained(name: LocalModelName, cut_off: str) -> Iterator[None]:
    """Turn errors of loading into ours; `cut_off` says why the hub cannot be reached, "" if it can."""
    try:
        yield
    except RegreenError:
        raise
    # Several libraries are involved, each with its own errors.
    except Exception as error:
        raise _in_our_words(name, error, cut_off) from error


def _in_our_words(name: LocalModelName, error: Exception, cut_off: str) -> RegreenError:
    detail = " ".join(str(error).split())[:300].rstrip(".")
    kinds = {kind.__name__ for cause in _causes(error) for kind in type(cause).__mro__}
    if lacks_memory(error):
        return ModelError(
            f"{name.source} does not fit into memory.",
            remedy="Take a smaller model, or ?dtype=bfloat16 behind its name.",
        )
    if "trust_remote_code" in str(error):
        return ConfigError(f"{name.source} brings code of its own, which is never run.", remedy="Take another model.")
    if "GatedRepoError" in kinds:
        return ConfigError(
            f"{name.source} is only for those whom its owners let in.",
            remedy="Ask for access on its page at huggingface.co, then set HF_TOKEN.",
        )
    if "SafetensorError" in kinds:
        return ModelError(f"The weights of {name.source} cannot be read: {detail}.", remedy="Download them again.")
    if isinstance(error, OSError) and not name.is_folder:
        why = cut_off or detail
        return ModelError(f"{name.source} is not on this machine and cannot be downloaded: {why}.", remedy=_hint(name))
    if isinstance(error, (OSError, ValueError, KeyError)):
        return ConfigError(f"{name.source} cannot be used: {detail}.", remedy="Name a causal language model.")
    return ModelError(f"{name.source} cannot be loaded: {type(error).__name__}: {detail}")


def _hint(name: LocalModelName) -> str:
    similar = similar_aliases(name.source)
    meant = f" Short names like it: {', '.join(similar)}." if similar else ""
    return f"Check its id and the network, or download it before and name its folder.{meant}"


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
