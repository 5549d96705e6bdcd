"""From a model's raw text to a whole program, or to the named reason why there is none."""

from regreen.propose.reply.code_equality import same_code
from regreen.propose.reply.reply_reader import read_reply
from regreen.propose.reply.reply_result import ReplyFault, ReplyFaultKind, ReplyProgram
from regreen.propose.reply.standalone import standalone_program

__all__ = ["ReplyFault", "ReplyFaultKind", "ReplyProgram", "read_reply", "same_code", "standalone_program"]
