"""Imports the libraries of the `local` extra when they are needed."""

from __future__ import annotations

from typing import Any

from regreen.errors import ConfigError
from regreen.extras import optional_module

INSTALL_COMMAND = "pip install 'regreen[local]'"


def library(name: str) -> Any:
    """The module of a name; raises ConfigError, with the command that installs it, where it is missing.

    It is typed as Any because the extra may be missing when types are checked.
    """
    try:
        return optional_module(name)
    except ImportError as error:
        raise ConfigError(
            f"Models in this process need {name.partition('.')[0]}, which cannot be imported ({error}).",
            remedy=f"Install it: {INSTALL_COMMAND}",
        ) from error
