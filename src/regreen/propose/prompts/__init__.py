"""The prompts: one Jinja template each, in which a missing value is an error."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment

MAX_SHOWN_CHARACTERS = 24_000
"""Characters of one text that is shown to a model; a longer one is cut in the middle, with a remark."""
_FENCES = re.compile(r"`{3,}")


def render(name: str, **values: Any) -> str:
    """The prompt `name` (without its ".j2") with `values` put in; raises jinja2.UndefinedError for a missing one."""
    return _environment().get_template(f"{name}.j2").render(**values).strip()


def fenced(text: str, tag: str = "python") -> str:
    """A text, shortened where it is long, in a fence that nothing within it can close."""
    return fenced_whole(shortened(text), tag)


def fenced_whole(text: str, tag: str = "python") -> str:
    """A text as it is, in a fence that nothing within it can close."""
    longest = max((len(fence) for fence in _FENCES.findall(text)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{tag}\n{text.rstrip()}\n{fence}"


def shortened(text: str, longest: int = MAX_SHOWN_CHARACTERS) -> str:
    """The text, or its beginning and end with a remark on how much is missing between them."""
    if len(text) <= longest:
        return text
    half = longest // 2
    return f"{text[:half]}\n[... {len(text) - 2 * half} characters left out ...]\n{text[-half:]}"


@lru_cache(maxsize=1)
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader("regreen.propose", "prompts")
    environment = Environment(
        loader=loader, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
    )
    environment.filters["fenced"] = fenced
    environment.filters["shortened"] = shortened
    return environment
