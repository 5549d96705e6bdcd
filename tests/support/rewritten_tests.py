"""What pytest rewrites of the tests, kept before its workers begin: else each of them would rewrite every file."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from pathlib import Path

import pytest


def keep_rewritten(config: pytest.Config, files: Sequence[Path]) -> None:
    """Rewrite the files that have changed since they were last rewritten, with one process for each core.

    pytest offers no call for it: another version may name its parts otherwise, and then the workers rewrite as ever.
    """
    cores = os.cpu_count() or 1
    children = [_fork(config, files[start::cores]) for start in range(cores)]
    for child in children:
        os.waitpid(child, 0)


def _fork(config: pytest.Config, files: Sequence[Path]) -> int:
    child = os.fork()
    if child:
        return child
    try:
        with contextlib.suppress(Exception):
            _keep(config, files)
    finally:
        os._exit(0)


def _keep(config: pytest.Config, files: Sequence[Path]) -> None:
    from _pytest.assertion import rewrite

    state = config.stash[rewrite.assertstate_key]
    for file in files:
        kept = rewrite.get_cache_dir(file) / (file.stem + rewrite.PYC_TAIL)
        if rewrite._read_pyc(file, kept) is None:
            kept.parent.mkdir(exist_ok=True)
            digest, code = rewrite._rewrite_test(file, config)
            rewrite._write_pyc(state, code, digest, kept)
