"""What can be told of the network before a library asks it again and again."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit
from urllib.request import getproxies

PROXIES = frozenset({"http", "https", "all"})
"""Kinds of proxies that requests may go through; beside them the environment names hosts that need none."""


def unknown_host(address: str) -> str:
    """Why the host's name in an address says nothing here; "" where it does, or where a proxy looks names up."""
    host = urlsplit(address).hostname
    if host is None or PROXIES & getproxies().keys():
        return ""
    try:
        socket.getaddrinfo(host, None)
    except OSError as error:
        return f"{host}: {error.strerror or error}"
    return ""
