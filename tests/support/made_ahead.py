"""What every worker needs, made and kept before the workers begin: else each of them would make all of it.

That is what pytest rewrites of the tests, and the constants that Hypothesis finds in the package's modules.
Neither offers a call for it: another version may name its parts otherwise, and then the workers make it as ever.
"""

from __future__ import annotations

import contextlib
import os
import warnings
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import pytest


def make_ahead(config: pytest.Config, tests: Sequence[Path], modules: Sequence[Path]) -> None:
    """Make what is not kept yet of files of tests and of modules, with one process for each core."""
    cores = os.cpu_count() or 1
    children = [_fork(config, tests[start::cores], modules[start::cores]) for start in range(cores)]
    for child in children:
        os.waitpid(child, 0)


def _fork(config: pytest.Config, tests: Sequence[Path], modules: Sequence[Path]) -> int:
    child = os.fork()
    if child:
        return child
    try:
        with contextlib.suppress(Exception):
            _keep_rewritten(config, tests)
        with contextlib.suppress(Exception):
            _keep_constants(modules)
    finally:
        os._exit(0)


def _keep_rewritten(config: pytest.Config, files: Sequence[Path]) -> None:
    from _pytest.assertion import rewrite

    state = config.stash[rewrite.assertstate_key]
    for file in files:
        kept = rewrite.get_cache_dir(file) / (file.stem + rewrite.PYC_TAIL)
        if rewrite._read_pyc(file, kept) is None:
            kept.parent.mkdir(exist_ok=True)
            digest, code = rewrite._rewrite_test(file, config)
            rewrite._write_pyc(state, code, digest, kept)


def _keep_constants(files: Sequence[Path]) -> None:
    """As Hypothesis does when tests are collected, for the modules that were imported by then."""
    from hypothesis.errors import HypothesisSideeffectWarning
    from hypothesis.internal.constants_ast import constants_from_module

    # That it is asked so early is meant.
    warnings.simplefilter("ignore", HypothesisSideeffectWarning)
    for file in files:
        module = ModuleType(file.stem)
        module.__file__ = str(file)
        constants_from_module(module)
