"""What can be told of the network before a library asks it again and again."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass


def proxy_of(url: str) -> str | None:
    """The proxy by which the environment wants an address to be asked; None for none."""
    place = urlsplit(url)
    if proxy_bypass(place.netloc.rpartition("@")[2]):
        return None
    known = getproxies()
    found = known.get(place.scheme) or known.get("all")
    return found if not found or "://" in found else f"http://{found}"


def unknown_host(address: str) -> str:
    """Why the host's name in an address says nothing here; "" where it does, or where a proxy looks names up."""
    host = urlsplit(address).hostname
    if host is None or proxy_of(address):
        return ""
    try:
        socket.getaddrinfo(host, None)
    except OSError as error:
        return f"{host}: {error.strerror or error}"
    return ""
