"""What a host asks of a server: an order is one byte and, to fork a child, its role and limits as JSON."""

from __future__ import annotations

SPAWN, REAP, REAP_BRIEFLY, REAP_GONE, CPU_TIME, IMPORT = b"SREGCI"
"""Fork a child, whose connection comes along. End it and tell how it ended and what it used; or only how it ended; or
wait first until it has ended by itself, since it has hung up. Tell its CPU time. Import modules, whose names follow as
one more message."""
ORDER_BYTES = 384
"""The longest order: a buffer for more would come from the heap, whose end is then written to."""
INTERNAL_ERROR_STATUS = 70
"""The exit status of a child that failed by a fault of ours (EX_SOFTWARE of sysexits.h)."""
