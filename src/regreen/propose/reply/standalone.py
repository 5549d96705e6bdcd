"""Takes a whole program from a reply, where there is no program to merge it into."""

from __future__ import annotations

import ast
from typing import Final

from regreen.propose.reply.blocks import Block, answer_of, fenced_blocks, unwrapped
from regreen.propose.reply.layout import Layout
from regreen.propose.reply.name_analysis import bound_names, defined_names, loaded_names
from regreen.propose.reply.normaliser import normalise_code
from regreen.propose.reply.parsing import BudgetedParser, ParsedCode
from regreen.propose.reply.reply_result import MAX_CHARACTERS, ReplyFault, ReplyFaultKind, SyntaxProblem
from regreen.propose.reply.symbol_index import index_symbols, is_main, module_names
from regreen.syntax import DEFINITIONS

_MAX_BLOCKS: Final = 40


def standalone_program(text: str, entry_point: str | None) -> str | ReplyFault:
    """The program in a model's raw reply, to be judged as it is: nothing that a run could notice is repaired in it.

    The last fenced block that defines the entry point (any function or class when None), with what it uses from other
    blocks; where no block does, the code in the text. Never raises, whatever the text.
    """
    if len(text) > MAX_CHARACTERS:
        return ReplyFault(ReplyFaultKind.TOO_LONG, f"The reply is longer than {MAX_CHARACTERS} characters.")
    answer, thoughts = answer_of(text)
    parser = BudgetedParser(len(text))
    found = _program_in(answer, entry_point, parser)
    if isinstance(found, ReplyFault) and thoughts.strip():
        thought = _program_in(thoughts, entry_point, parser)
        return found if isinstance(thought, ReplyFault) else thought
    return found


def _program_in(answer: str, entry: str | None, parser: BudgetedParser) -> str | ReplyFault:
    codes: list[ParsedCode] = []
    faults = [ReplyFault(ReplyFaultKind.NO_CODE, "There is no code in the reply.")]
    for blocks in (fenced_blocks(answer)[-_MAX_BLOCKS:], [Block(unwrapped(answer), closed=False)]):
        for block in blocks:
            found, _ = normalise_code(block.text, {entry} if entry else None, parser)
            if isinstance(found, ParsedCode):
                codes.append(found)
                faults.extend(_syntax_fault(s) for name, s in found.broken.items() if entry in (name, None))
            elif entry is None or f"def {entry}" in block.text:
                faults.append(_syntax_fault(found))
        for code in reversed(codes):
            names = defined_names(code.tree)
            if entry in names or (entry is None and names):
                return _with_used_symbols(code, [other for other in codes if other is not code], entry)
    if any(code.tree.body for code in codes) and len(faults) == 1:
        wanted = f"`{entry}`" if entry else "any function"
        return ReplyFault(ReplyFaultKind.NO_FUNCTION, f"The reply does not define {wanted}.")
    return faults[-1]


def _syntax_fault(problem: SyntaxProblem) -> ReplyFault:
    return ReplyFault(ReplyFaultKind.SYNTAX, f"The code is not valid Python. {problem}", problem.line)


def _with_used_symbols(code: ParsedCode, others: list[ParsedCode], entry: str | None) -> str:
    """A block after the symbols that it uses from the others."""
    program = without_usage_examples(code, entry)
    index = index_symbols([(Layout(other), {}) for other in others])
    needed = index.needed([n for n in code.tree.body if isinstance(n, DEFINITIONS)], module_names(code.tree))
    imports = [str(line) for name, line in index.imports.items() if name in needed]
    pieces = ["\n".join(layout.text(node)) for node, layout in index.in_order(needed)]
    return "\n".join([*imports, *pieces, program]) if imports or pieces else program


def without_usage_examples(code: ParsedCode, entry: str | None) -> str:
    """The program without statements that only try it out: calls, asserts, loops that print, `if __name__`.

    Definitions, imports and assignments stay, unless an assignment calls what is defined; so does any statement that
    binds a name which is used. A program without usage examples is left byte for byte, but for a final line end.
    """
    layout = Layout(code)
    own = {name for node in code.tree.body if isinstance(node, DEFINITIONS) for name in bound_names(node)}
    used = loaded_names(node for node in code.tree.body if isinstance(node, DEFINITIONS))
    dropped: set[int] = set()
    for node in code.tree.body:
        if not _stays(node, own, used, entry) and layout.alone(node):
            dropped.update(range(*layout.span(node)))
    kept = "\n".join(line for at, line in enumerate(layout.lines) if at not in dropped)
    return f"{kept.rstrip()}\n" if dropped or not kept.endswith("\n") else kept


def _stays(node: ast.stmt, own: set[str], used: set[str], entry: str | None) -> bool:
    if isinstance(node, (*DEFINITIONS, ast.Import, ast.ImportFrom)):
        return True
    if is_main(node) or isinstance(node, ast.Assert):
        return False
    names = bound_names(node)
    if names & used or entry in names:
        return True
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    return not loaded_names([node]) & (own | {"print"})
