"""What a host asks of a server: an order is one byte and, to fork a child, its role and limits as JSON."""

from __future__ import annotations

SPAWN, REAP, BRIEF, GONE, CPU, IMPORT = b"SREGCI"
"""Fork a child, whose connection comes along. End it; or end it, and tell no more of it than has to be told; or wait
until it is gone, since it has hung up. Tell its CPU time. Import modules, whose names follow as one more message."""
ORDER_BYTES = 384
"""The longest order: a buffer for more would come from the heap, whose end is then written to."""
