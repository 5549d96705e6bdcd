"""From a model's raw text to a whole program, or to the named reason why there is none.

`read_programs` tries in this order: edits in JSON (`edits`), search-and-replace blocks and diffs (`replacements`),
code.
Code is cut out (`blocks`), normalised until it parses (`normaliser`, `parsing`), indexed by what it defines
(`symbol_index`), and merged into the program (`merge`): checked for omissions (`completeness`) and for what callers
need (`signature`), moved to its place (`fit`) and put together (`assembly`).
"""

from regreen.propose.reply.code_equality import same_code
from regreen.propose.reply.reply_reader import read_programs, read_reply
from regreen.propose.reply.reply_result import ReplyFault, ReplyFaultKind, ReplyProgram
from regreen.propose.reply.standalone import standalone_program

__all__ = [
    "ReplyFault",
    "ReplyFaultKind",
    "ReplyProgram",
    "read_programs",
    "read_reply",
    "same_code",
    "standalone_program",
]
