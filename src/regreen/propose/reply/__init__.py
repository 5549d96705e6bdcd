"""From a model's raw text to a whole program, or to the named reason why there is none."""

from regreen.propose.reply.nouns import Fault, FaultKind, Taken
from regreen.propose.reply.program import program_of
from regreen.propose.reply.read import read_reply
from regreen.propose.reply.same import same_code

__all__ = ["Fault", "FaultKind", "Taken", "program_of", "read_reply", "same_code"]
