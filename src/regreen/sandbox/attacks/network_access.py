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
        "the socket that its server came by",
        "What a server was connected by is gone before there is a program.",
        tries(
            "import os, socket, stat",
            """
def mounted():
    with open("/proc/self/mountinfo") as table:
        return [field for line in table for field in line.split()[3:5]]

def listed(folder):
    return [os.path.join(folder, name) for name in os.listdir(folder)]

def places():
    yield "/regreen.socket"
    for look in (mounted, *(lambda folder=folder: listed(folder) for folder in ("/", "/run", "/tmp", "/var/run"))):
        try:
            yield from look()
        except OSError:
            pass

def connect(kind, path):
    with socket.socket(socket.AF_UNIX, kind) as door:
        door.settimeout(0.1)
        door.connect(path)

KINDS = (socket.SOCK_SEQPACKET, socket.SOCK_STREAM, socket.SOCK_DGRAM)
DEEDS = [(path, lambda k=kind, p=path: connect(k, p)) for path in sorted({*places()}) for kind in KINDS]
DEEDS += [("a socket of that kind", lambda: socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET))]
""",
        ),
        Outcome.FAILED,
    ),
    attack(
        "descriptors inherited from its server",
        "A program has one connection, and nothing of its server's.",
        """
        import os, socket, stat

        def answer(x):
            held = []
            for fd in range(1024):
                try:
                    if stat.S_ISSOCK(os.fstat(fd).st_mode):
                        held.append(socket.socket(fileno=os.dup(fd)))
                except OSError:
                    pass
            orders = [each for each in held if each.type == socket.SOCK_SEQPACKET]
            return f"BREACH: {len(held)} sockets, {len(orders)} take orders" if len(held) > 1 or orders else "wrong"
        """,
        Outcome.FAILED,
    ),
    attack(
        "descriptors sent by the hundred",
        "Nobody takes the descriptors that a program sends.",
        """
        import os, socket

        def answer(x):
            null = os.open("/dev/null", os.O_RDONLY)
            for fd in range(3, 64):
                for _ in range(50):
                    try:
                        socket.send_fds(socket.socket(fileno=os.dup(fd)), [b"\\0"], [null] * 250)
                    except (OSError, ValueError):
                        break
            return "wrong"
        """,
    ),
    attack(
        "a name looked up",
        _NO_NETWORK,
        tries("import socket", 'DEEDS = (("lookup", lambda: socket.getaddrinfo("example.org", 80)),)'),
        Outcome.FAILED,
        Outcome.TIMED_OUT,
    ),
)
