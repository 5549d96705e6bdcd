"""Chat models behind one Protocol: hosted services, models in this process, and scripted ones."""

from regreen.models.contract import ChatModel, Finish, Message, MessageRole, Reply, Request, Tool, ToolCall, Usage
from regreen.models.meter import Meter, MeteredModel
from regreen.models.open import list_models, open_model, spent_on

__all__ = [
    "ChatModel",
    "Finish",
    "Message",
    "MessageRole",
    "Meter",
    "MeteredModel",
    "Reply",
    "Request",
    "Tool",
    "ToolCall",
    "Usage",
    "list_models",
    "open_model",
    "spent_on",
]
