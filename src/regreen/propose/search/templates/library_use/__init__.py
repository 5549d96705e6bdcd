"""Slips in the use of libraries: the standard one, numpy, pandas, SQL, files."""

from __future__ import annotations

from typing import Final

from regreen.propose.search.template import Template
from regreen.propose.search.templates.library_use import (
    arrays,
    data_frames,
    files,
    imported_functions,
    paths_and_addresses,
    sql,
    standard_library,
)

TEMPLATES: Final[tuple[Template, ...]] = (
    *arrays.TEMPLATES,
    *data_frames.TEMPLATES,
    *sql.TEMPLATES,
    *standard_library.TEMPLATES,
    *files.TEMPLATES,
    *imported_functions.TEMPLATES,
    *paths_and_addresses.TEMPLATES,
)

__all__ = ["TEMPLATES"]
