"""Models of transformers in this process, named `local:` and a Hugging Face id, a folder, or a short name.

Nothing here imports PyTorch or LangChain before a model is opened.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regreen.config import Settings
from regreen.models.local.libraries import library
from regreen.models.local.model_name import LOCAL_PREFIXES, parse_model_name

if TYPE_CHECKING:
    from regreen.models.local.local_model import LocalModel


def open_local(name: str, settings: Settings) -> LocalModel:
    """Load the model of a name, with or without its `local:`; it has to be closed.

    Raises ConfigError for a malformed name, a folder without a model or a missing extra, and ModelError when the model
    cannot be downloaded or does not fit into memory.
    """
    parse_model_name(name)
    for needed in ("torch", "transformers"):
        library(needed)
    from regreen.models.local.local_model import load_local_model

    full_name = name if name.startswith(LOCAL_PREFIXES) else LOCAL_PREFIXES[0] + name
    return load_local_model(full_name, max_tokens=settings.max_reply_tokens)
