"""Modules that are not installed: whether a name is a slip of the pen, and which package brings it."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterable

_PACKAGES = {
    "attr": "attrs",
    "bs4": "beautifulsoup4",
    "Crypto": "pycryptodome",
    "cv2": "opencv-python",
    "dateutil": "python-dateutil",
    "dotenv": "python-dotenv",
    "git": "GitPython",
    "httpx": "httpx",
    "jwt": "PyJWT",
    "OpenSSL": "pyOpenSSL",
    "orjson": "orjson",
    "PIL": "Pillow",
    "pytest_asyncio": "pytest-asyncio",
    "pytest_mock": "pytest-mock",
    "serial": "pyserial",
    "sklearn": "scikit-learn",
    "skimage": "scikit-image",
    "ujson": "ujson",
    "yaml": "PyYAML",
}
"""Import name -> the package that brings it, where these differ or the name is near that of a standard module."""
_REMOVED = frozenset(
    {"asynchat", "asyncore", "distutils", "imp", "smtpd", "aifc", "audioop", "cgi", "cgitb", "chunk", "crypt", "imghdr"}
    | {"mailcap", "msilib", "nis", "nntplib", "ossaudiodev", "pipes", "sndhdr", "spwd", "sunau", "telnetlib", "uu"}
    | {"xdrlib", "lib2to3", "cPickle", "StringIO", "cStringIO", "ConfigParser", "Queue", "urllib2", "urlparse"}
)
"""Modules that the standard library has had: the import is what has to change."""
_ALIKE = 0.8
"""How like a name that exists another one must be, by `difflib`, to be taken for a slip."""


def package_of(module: str) -> str:
    """The name under which a package index knows the package of a module."""
    top = module.partition(".")[0]
    return _PACKAGES.get(top, top)


def may_be_misspelt(module: str, own: Iterable[str]) -> bool:
    """Whether the name of a missing module may stand for another one: of the standard library, or one of `own`.

    A dotted name always may: its package was found.
    """
    if "." in module or module in _REMOVED:
        return True
    if module in _PACKAGES:
        return False
    known = {name.lower() for name in (*sys.stdlib_module_names, *own)}
    return bool(difflib.get_close_matches(module.lower(), known, 1, _ALIKE))
