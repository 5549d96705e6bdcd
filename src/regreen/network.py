"""Questions about the network: the proxy for an address, and whether a host name is known."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass


def proxy_of(url: str) -> str | None:
    """The proxy that the environment names for an address; None for none."""
    place = urlsplit(url)
    if proxy_bypass(place.netloc.rpartition("@")[2]):
        return None
    known = getproxies()
    found = known.get(place.scheme) or known.get("all")
    return found if not found or "://" in found else f"http://{found}"


def unknown_host(address: str) -> str:
    """Why the host name of an address cannot be resolved; "" where it can, or where a proxy resolves names."""
    host = urlsplit(address).hostname
    if host is None or proxy_of(address):
        return ""
    try:
        socket.getaddrinfo(host, None)
    except OSError as error:
        return f"{host}: {error.strerror or error}"
    return ""
