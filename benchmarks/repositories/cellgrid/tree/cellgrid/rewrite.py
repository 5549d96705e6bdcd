"""Changing the references in the text of a formula."""
from .lexer import tokenize
from .refs import CellRef, RangeRef


def _map_refs(formula, change):
    body = formula[1:]
    out, last = [], 0
    for token in tokenize(body):
        if token.kind not in ("CELL", "RANGE"):
            continue
        kind = CellRef if token.kind == "CELL" else RangeRef
        moved = change(kind.parse(token.text))
        out.append(body[last:token.pos])
        out.append("#REF!" if moved is None else str(moved))
        last = token.pos + len(token.text)
    out.append(body[last:])
    return "=" + "".join(out)


def shift_formula(formula, rows, cols):
    """Move the relative references of a formula."""
    return _map_refs(formula, lambda ref: ref.shifted(rows, cols))
