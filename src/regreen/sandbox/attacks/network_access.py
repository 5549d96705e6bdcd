"""Attacks that reach for the network and for other programs' sockets."""

from __future__ import annotations

from regreen.sandbox.attacks.attack import Attack, LeakDetector, attack, tries
from regreen.types import Outcome

_NO_NETWORK = "No connection and no packet leaves the sandbox."

NETWORK: tuple[Attack, ...] = (
    attack(
        "a connection to a listener on the host",
        _NO_NETWORK,
        tries(
            "import socket",
            """
def tcp():
    socket.create_connection(("127.0.0.1", HOST_PORT), 0.2).send(b"hello")

def stream(address):
    with socket.socket(socket.AF_UNIX) as door:
        door.settimeout(0.2)
        door.connect(address)

def datagram(address):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as door:
        door.sendto(b"hello", address)

DEEDS = (
    ("tcp", tcp),
    ("udp", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", HOST_PORT))),
    ("unix", lambda: stream("HOST_SOCKET")),
    ("unix datagram", lambda: datagram("HOST_DATAGRAM")),
    ("abstract", lambda: stream("\\0HOST_ABSTRACT")),
    ("abstract datagram", lambda: datagram("\\0HOST_ABSTRACT_DATAGRAM")),
    ("raw", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW)),
    ("netlink", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)),
    ("vsock", lambda: socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)),
)
""",
        ),
        Outcome.FAILED,
        detector=LeakDetector.LISTENER,
    ),
    attack(
        "a datagram pair turned on a listener",
        "Sockets that are handed out cannot be pointed elsewhere.",
        """
import itertools, socket

def send(kind, address, connect):
    near, far = socket.socketpair(socket.AF_UNIX, kind)
    if connect:
        near.connect(address)
        near.send(b"hello")
    else:
        near.sendmsg([b"hello"], [], 0, address)

ADDRESSES = ("HOST_SOCKET", "HOST_DATAGRAM", "\\0HOST_ABSTRACT", "\\0HOST_ABSTRACT_DATAGRAM")
KINDS = (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET)

def answer(x):
    for kind, address, connect in itertools.product(KINDS, ADDRESSES, (False, True)):
        try:
            send(kind, address, connect)
        except OSError:
            pass
    return "wrong"
""",
        Outcome.FAILED,
        detector=LeakDetector.LISTENER,
    ),
    attack(
        "its own descriptors turned on a listener",
        "The channel to the judge cannot be pointed elsewhere.",
        """
        import socket

        def answer(x):
            for fd in range(256):
                for address in ("HOST_SOCKET", "HOST_DATAGRAM", "\\0HOST_ABSTRACT", "\\0HOST_ABSTRACT_DATAGRAM"):
                    try:
                        door = socket.socket(fileno=fd)
                    except OSError:
                        break
                    try:
                        door.sendmsg([b"hello"], [], 0, address)
                    except OSError:
                        pass
                    try:
                        door.connect(address)
                    except OSError:
                        pass
                    door.detach()
            return "wrong"
        """,
        detector=LeakDetector.LISTENER,
    ),
    attack(
        "a name looked up",
        _NO_NETWORK,
        tries("import socket", 'DEEDS = (("lookup", lambda: socket.getaddrinfo("example.org", 80)),)'),
        Outcome.FAILED,
        Outcome.TIMED_OUT,
    ),
)
