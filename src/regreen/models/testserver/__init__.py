"""OpenAI's chat-completions API over real HTTP on this machine, answered from a script: for testing agents offline.

It accepts no connections from other machines and keeps every request in memory: it is for tests alone.
"""

from regreen.models.testserver.chat_server import RunningServer, serve
from regreen.models.testserver.fault_injection import RANDOM_FAULTS
from regreen.models.testserver.scripted_service import LoggedRequest, ServerCounters

__all__ = ["RANDOM_FAULTS", "LoggedRequest", "RunningServer", "ServerCounters", "serve"]
