"""What the `conftest.py` files around tests do that only the program's own process, or pytest in a project, can serve.

Behind the wall their fixtures are read as if they stood in the test file itself. So no name may mean the program's in
one of the files, and something else in another.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from regreen.syntax import FUNCTIONS
from regreen.verify.bindings import Bindings, bindings_of


def conftest_needs(conftests: Sequence[ast.Module], tests: ast.Module, module: str | None) -> Iterator[str]:
    """Every reason why tests need their project because of these files, in words.

    `module` is the name under which all of them may import the program.
    """
    if module is None:
        yield "neither the tests nor their conftest.py import the program"
    for tree in conftests:
        for node in tree.body:
            if isinstance(node, FUNCTIONS) and node.name.startswith("pytest_"):
                yield f"a conftest.py of the tests tells pytest how to work (`{node.name}`)"
    found = [bindings_of(tree.body, module) for tree in (*conftests, tests)]
    if any(each.own_star or each.star for each in found):
        yield "the tests or their conftest.py import all the names of a module"
    for name in sorted({name for each in found for name in (*each.aliases, *each.modules)}):
        if len({meaning for each in found if (meaning := _meaning(each, name))}) > 1:
            yield f"`{name}` means one thing in the tests, and another in their conftest.py"


def _meaning(file: Bindings, name: str) -> str:
    """What a name stands for in one file; empty where that has no such name."""
    if name in file.own or name in file.defined:
        return "its own"
    if name in file.aliases:
        return f"the program's {file.aliases[name]}"
    if name in file.modules:
        return "the program"
    return "a variable" if name in file.assigned else ""
