"""Files of public data sets on the Hugging Face Hub: taken from its cache where they are, fetched once where not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from regreen.errors import TaskError
from regreen.network import unknown_host
from regreen.tasks.dataset import required_library

_PURPOSE = "fetching data sets from Hugging Face"


@dataclass(frozen=True, slots=True)
class HubFile:
    """A file of a data set on the Hub."""

    repository: str
    names: Sequence[str]
    """Where it stands in the repository; earlier ones are preferred, since its layout has changed over time."""

    def cached(self) -> Path | None:
        """The file where it was fetched before; None where it was not, or could not have been. Asks no network."""
        try:
            hub = required_library("huggingface_hub", _PURPOSE)
        except TaskError:
            return None
        for name in self.names:
            found = hub.try_to_load_from_cache(self.repository, name, repo_type="dataset")
            if isinstance(found, str) and Path(found).is_file():
                return Path(found)
        return None

    def fetched(self) -> Path:
        """The file, from the cache or else from the network.

        Raises TaskError, which names the way to do without the network, where neither has it.
        """
        hub = required_library("huggingface_hub", _PURPOSE)
        return self.cached() or self._download(hub)

    def _download(self, hub: object) -> Path:
        errors, constants = (
            required_library("huggingface_hub.errors", _PURPOSE),
            required_library("huggingface_hub.constants", _PURPOSE),
        )
        if unknown := unknown_host(constants.ENDPOINT):
            # The Hub's own client would try for half a minute.
            raise self._unreachable(unknown)
        reason: Exception | None = None
        for name in self.names:
            try:
                return Path(hub.hf_hub_download(self.repository, name, repo_type="dataset"))  # type: ignore[attr-defined]
            except errors.RemoteEntryNotFoundError as error:
                reason = error
            except (OSError, ValueError, errors.HfHubHTTPError) as error:
                raise self._unreachable(error) from None
        raise self._unreachable(reason) from None

    def _unreachable(self, reason: object) -> TaskError:
        first = str(reason).strip().split("\n")[0][:200].rstrip(".")
        return TaskError(
            f"{self.repository} is not in the cache of Hugging Face, and cannot be fetched: {first}.",
            remedy="Pass a copy of the file with --dataset-path FILE: then no network is needed.",
        )
