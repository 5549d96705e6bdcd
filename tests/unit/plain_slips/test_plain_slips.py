"""Which slips are plain from the text, and what undoes them?"""

from __future__ import annotations

import ast

import pytest

from regreen.plain_slips import plain_slips
from regreen.propose.search.mutation import edit_position, splice_edits


def mended(source: str) -> str:
    """A program with all its plain slips undone."""
    edits = sorted((edit for slip in plain_slips(source) for edit in slip.edits), key=edit_position)
    return splice_edits(source, edits)


CLASS = (
    "class Ring:\n    def __init__(self):\n        self.total = 0\n        self.head = 0\n        self.history = {}\n\n"
)
SLIPS: dict[str, tuple[str, str, str]] = {
    "turned_push": (
        "from heapq import heappush\n\n\ndef f(heap, cost, node):\n    heappush((cost, node), heap)\n    return heap\n",
        "heappush((cost, node), heap)",
        "heappush(heap, (cost, node))",
    ),
    "changed_slice": (
        "def f(rows, a, b):\n    rows[a:b].reverse()\n    return rows\n",
        "rows[a:b].reverse()",
        "rows[a:b] = rows[a:b][::-1]",
    ),
    "changed_slice in order": (
        "import math\n\n\ndef f(rows, a, key):\n    rows[a:].sort(key=key, reverse=True)\n    return rows\n",
        "rows[a:].sort(key=key, reverse=True)",
        "rows[a:] = sorted(rows[a:], key=key, reverse=True)",
    ),
    "used_up_iterator": (
        "def f(line):\n    xs = map(int, line.split())\n    total = 0\n    for x in xs:\n        total += x\n"
        "    for x in xs:\n        total -= x // 2\n    return total\n",
        "map(int, line.split())",
        "list(map(int, line.split()))",
    ),
    "used_up_iterator of a function": (
        "def count(rows):\n    n = 0\n    for row in rows:\n        n += 1\n    return n\n\n\ndef f(rows, k):\n"
        "    kept = (row for row in rows if row > k)\n    n = count(kept)\n    return sum(kept) / n\n",
        "(row for row in rows if row > k)",
        "[row for row in rows if row > k]",
    ),
    "used_up_iterator in each round": (
        "def f(xs, ys):\n    pairs = zip(xs, ys)\n    out = []\n    for k in xs:\n"
        "        out.append(sum(x * k for x, _ in pairs))\n    return out\n",
        "zip(xs, ys)",
        "list(zip(xs, ys))",
    ),
    "stripped_word": (
        "def f(line):\n    return line.lstrip('export ')\n",
        "lstrip",
        "removeprefix",
    ),
    "stripped_word at the end": (
        "def f(name):\n    return name.rstrip(' pieces')\n",
        "rstrip",
        "removesuffix",
    ),
    "place_taken_for_truth": (
        "def f(text):\n    if text.find('a'):\n        return 1\n    return 0\n",
        "text.find('a')",
        "text.find('a') != -1",
    ),
    "place_taken_for_truth that is denied": (
        "def f(m, k, n):\n    pivot = next((r for r in range(k, n) if m[r]), None)\n    if not pivot:\n"
        "        return 0\n    return m[pivot]\n",
        "not pivot",
        "pivot is None",
    ),
    "way_by_inner_loop": (
        "def f(d, n):\n    for i in range(n):\n        for j in range(n):\n            for k in range(n):\n"
        "                if d[i][k] + d[k][j] < d[i][j]:\n                    d[i][j] = d[i][k] + d[k][j]\n"
        "    return d\n",
        "for i in range(n):\n        for j in range(n):\n            for k in range(n)",
        "for k in range(n):\n        for i in range(n):\n            for j in range(n)",
    ),
    "unknown_member": (
        "import heapq\n\n\ndef f(heap):\n    return heapq.pop(heap)\n",
        "heapq.pop(",
        "heapq.heappop(",
    ),
    "unknown_member in other letters": (
        "import collections as c\n\n\ndef f(xs):\n    return c.counter(xs)\n",
        "c.counter",
        "c.Counter",
    ),
    "unknown_member of other languages": (
        "import math\n\n\ndef f(x):\n    return math.power(x, 2)\n",
        "math.power",
        "math.pow",
    ),
    "unknown_member that is misspelt": (
        "import heapq\n\n\ndef f(xs):\n    heapq.heapfy(xs)\n",
        "heapq.heapfy",
        "heapq.heapify",
    ),
    "misplaced_import": (
        "from collections import heapq\n\n\ndef f(heap):\n    return heapq.heappop(heap)\n",
        "from collections import heapq",
        "import heapq",
    ),
    "misplaced_import beside others": (
        "from itertools import chain, deque as queue, product\n\n\ndef f(x):\n    return queue(chain(x, product(x)))\n",
        "from itertools import chain, deque as queue, product",
        "from itertools import chain, product\nfrom collections import deque as queue",
    ),
    "undeclared_count": (
        "def f(node):\n    count = 0\n\n    def walk(node):\n        if node:\n            count += 1\n"
        "            walk(node.left)\n\n    walk(node)\n    return count\n",
        "    def walk(node):\n",
        "    def walk(node):\n        nonlocal count\n",
    ),
    "undeclared_count of the module": (
        'made = 0\n\n\ndef f():\n    """Count."""\n    made = made + 1\n    return made\n',
        '"""\n',
        '"""\n    global made\n',
    ),
    "short_call": (
        "class A:\n    def f(self, xs, limit):\n        return self.g(xs, 2)\n\n    def g(self, xs, n, limit):\n"
        "        return xs[n:limit]\n",
        "self.g(xs, 2)",
        "self.g(xs, 2, limit)",
    ),
    "short_call with nothing": (
        "def f(xs, limit=3):\n    return g(xs=xs) + h()\n\n\ndef g(limit, xs):\n    return xs[limit]\n\n\n"
        "def h():\n    return 1\n",
        "g(xs=xs)",
        "g(limit, xs=xs)",
    ),
    "unlike_sign": (
        "from heapq import heappop, heappush\n\n\ndef f(low, high, n):\n    heappush(low, -n)\n"
        "    heappush(low, heappop(high))\n    return -low[0], -heappop(low)\n",
        "heappush(low, heappop(high))",
        "heappush(low, -heappop(high))",
    ),
    "uncalled_method of which the items are used": (
        "class A:\n    def ahead(self):\n        return [1]\n\n    def plan(self):\n        first = self.ahead\n"
        "        return first + sorted(set(first))\n",
        "first = self.ahead\n",
        "first = self.ahead()\n",
    ),
    "reused_loop_variable": (
        "def f(rows):\n    found = []\n    for i in range(len(rows)):\n        full = True\n"
        "        for i in range(i, len(rows)):\n            full = full and rows[i]\n"
        "        found.append((i, full))\n    return found\n",
        "for i in range(i, len(rows)):\n            full = full and rows[i]",
        "for j in range(i, len(rows)):\n            full = full and rows[j]",
    ),
    "update_behind_loop": (
        "def f(start, calls):\n    floor = start\n    way = 0\n    for goal in calls:\n"
        "        way += abs(goal - floor)\n"
        "    floor = goal\n    return way\n",
        "    floor = goal\n",
        "        floor = goal\n",
    ),
    "endless_count": (
        "def f(n):\n    i = total = 0\n    while i < n:\n        total += n\n    i += 1\n    return total\n",
        "    i += 1",
        "        i += 1",
    ),
    "flag_set_anew": (
        "def f(text):\n    has_digit = False\n    for c in text:\n        if c.isdigit():\n"
        "            has_digit = True\n"
        "        else:\n            has_digit = False\n    return has_digit\n",
        "        else:\n            has_digit = False\n",
        "",
    ),
    "flag_set_anew of what must hold for all": (
        "def f(xs):\n    fine = True\n    for x in xs:\n        if x < 0:\n            fine = False\n"
        "        else:\n            fine = True\n    return fine\n",
        "        else:\n            fine = True\n",
        "",
    ),
    "flag_set_anew where the first branch lifts it again": (
        "def f(xs):\n    fine = True\n    for x in xs:\n        if x:\n            if x > 1:\n"
        "                fine = True\n            else:\n                fine = False\n    return fine\n",
        "if x > 1:\n                fine = True\n            else:\n                fine = False\n",
        "if x <= 1:\n                fine = False\n",
    ),
    "shared_rows": (
        "def f(old, n):\n    new = old[:]\n    for r in range(n):\n        for c in range(n):\n"
        "            new[r][c] = old[r - 1][c]\n    return new\n",
        "old[:]",
        "[row[:] for row in old]",
    ),
    "shared_rows of another object": (
        "class A:\n    def f(self, n):\n        new = self.cells.copy()\n        for r in range(n):\n"
        "            new[r][0] += self.cells[r][1]\n        self.cells = new\n",
        "self.cells.copy()",
        "[row[:] for row in self.cells]",
    ),
    "chained_question": (
        "def f(y, y1, y2):\n    return y1 > y != y2 > y\n",
        "y1 > y != y2 > y",
        "(y1 > y) != (y2 > y)",
    ),
    "first_answer": (
        "def f(xs):\n    i = 0\n    while i < len(xs):\n        if xs[i] > 0 and i:\n            return True\n"
        "        else:\n            return False\n        i += 1\n    return True\n",
        "if xs[i] > 0 and i:\n            return True\n        else:\n            return False",
        "if not (xs[i] > 0 and i):\n            return False",
    ),
    "first_answer of a comparison": (
        "def f(xs):\n    for x in xs:\n        if x in (1, 2):\n            return False\n"
        "        else:\n            return True\n    return False\n",
        "if x in (1, 2):\n            return False\n        else:\n            return True",
        "if x not in (1, 2):\n            return True",
    ),
    "first_answer of what is denied": (
        "def f(xs):\n    for x in xs:\n        if not x:\n            return False\n"
        "        else:\n            return True\n    return False\n",
        "if not x:\n            return False\n        else:\n            return True",
        "if x:\n            return True",
    ),
    "first_answer of a call": (
        "def f(xs):\n    for x in xs:\n        if ok(x):\n            return False\n"
        "        else:\n            return True\n    return False\n\n\ndef ok(x):\n    return x\n",
        "if ok(x):\n            return False\n        else:\n            return True",
        "if not ok(x):\n            return True",
    ),
    "printed_result": (
        "def word(n):\n    if n < 20:\n        print(n + 1)\n    elif n < 30:\n        return n\n    else:\n"
        "        return 2 * n\n\n\ndef f(n):\n    return 1 + word(n)\n",
        "print(n + 1)",
        "return n + 1",
    ),
    "dropped_result": (
        "def f(cells, r):\n    if r < 0:\n        return 0\n    size = 1\n    f(cells, r - 1)\n    f(cells, r - 2)\n"
        "    return size\n",
        "    f(cells, r - 1)\n    f(cells, r - 2)\n",
        "    size += f(cells, r - 1)\n    size += f(cells, r - 2)\n",
    ),
    "dropped_result beside one that is kept": (
        "def f(cells, r):\n    size = 1\n    f(cells, r - 1)\n    size += f(cells, r - 2)\n    return size\n",
        "    f(cells, r - 1)\n",
        "    size += f(cells, r - 1)\n",
    ),
    "late_bound": (
        "def f(text):\n    i = 0\n    while text[i] == ' ' and i < len(text):\n        i += 1\n    return i\n",
        "text[i] == ' ' and i < len(text)",
        "i < len(text) and text[i] == ' '",
    ),
    "late_bound of what is left": (
        "def f(xs, i, last):\n    return i > last or (xs[i] and last) or (i >= len(xs))\n",
        "(xs[i] and last) or (i >= len(xs))",
        "(i >= len(xs)) or (xs[i] and last)",
    ),
    "late_guard": (
        "def f(cells, r):\n    if cells[r] != '~':\n        return 0\n    if r < 0 or r >= len(cells):\n"
        "        return 0\n    return 1\n",
        "    if cells[r] != '~':\n        return 0\n    if r < 0 or r >= len(cells):\n        return 0\n",
        "    if r < 0 or r >= len(cells):\n        return 0\n    if cells[r] != '~':\n        return 0\n",
    ),
    "awaited_nothing": (
        "def f(xs):\n    best = xs[0]\n    for x in xs:\n        if x > 0 and (best is None or x < best):\n"
        "            best = x\n    return best\n",
        "best = xs[0]",
        "best = None",
    ),
    "turned_sizes": (
        "def f(grid):\n    rows = len(grid[0])\n    cols = len(grid)\n    return rows, cols\n",
        "rows = len(grid[0])\n    cols = len(grid)",
        "rows = len(grid)\n    cols = len(grid[0])",
    ),
    "repeated_rows of a name": (
        "def f(rows, cols):\n    line = []\n    for c in range(cols):\n        line.append('.')\n"
        "    beds = [line] * rows\n"
        "    beds[0][0] = 'x'\n    return beds\n",
        "[line] * rows",
        "[line[:] for _ in range(rows)]",
    ),
    "repeated_rows of a table": (
        "def f(n):\n    cell = {}\n    cells = [cell] * n\n    cells[0]['a'] = 1\n    return cells\n",
        "[cell] * n",
        "[cell.copy() for _ in range(n)]",
    ),
    "kept_too_late beside what is not there yet": (
        "def f(ns):\n    first = second = None\n    for n in ns:\n        if first is None or n > first:\n"
        "            first = n\n            second = first\n    return first, second\n",
        "            first = n\n            second = first\n",
        "            second = first\n            first = n\n",
    ),
    "place_from_behind": (
        "def f(board):\n    up = []\n    for i in range(len(board)):\n        up.append(board[i][-i])\n    return up\n",
        "[-i]",
        "[-i - 1]",
    ),
    "place_from_behind in a comprehension": (
        "def f(board):\n    return sum(row[-i] for i, row in enumerate(board))\n",
        "[-i]",
        "[-i - 1]",
    ),
    "broken_heap in a loop over items": (
        "from heapq import heappop, heappush\n\n\ndef f(free, xs):\n    for x in xs:\n        free.append(x)\n"
        "        yield heappop(free)\n        heappush(free, 1)\n",
        "free.append(x)",
        "heappush(free, x)",
    ),
    "repeated_step that is none": (
        "WAYS = [(0, 1), (1, 0), (0, -1), (-1, 1)]\n",
        "(-1, 1)",
        "(-1, 0)",
    ),
    "settled_pair": ("def f(code):\n    return len(code) < 4 and len(code) > 8\n", "and", "or"),
    "settled_pair of alternatives": ("def f(n):\n    return n >= 1 or n <= 31\n", "or", "and"),
    "settled_pair of what is denied": ('def f(c):\n    if c != "a" or c != "b":\n        return c\n', "or", "and"),
    "lopsided_half of other names": (
        "def f(node):\n    a = f(node.left)\n    b = f(node.left)\n    return a + b, node.right\n",
        "b = f(node.left)",
        "b = f(node.right)",
    ),
    "lost_import": (
        '"""Queues."""\n\n\ndef f(heap):\n    return heapq.heappop(heap)\n',
        "\n\ndef f",
        "\n\nimport heapq\n\ndef f",
    ),
    "lost_import beside others": (
        "from heapq import heapify, heappop\n\n\ndef f(heap, x):\n    heapify(heap)\n    heappush(heap, x)\n"
        "    return heappop(heap)\n",
        "import heapify, heappop",
        "import heapify, heappop, heappush",
    ),
    "function_as_method": (
        "import heapq\n\n\ndef f(heap, x):\n    heap.heappush((x, 1))\n    return heapq.heappop(heap)\n",
        "heap.heappush((x, 1))",
        "heapq.heappush(heap, (x, 1))",
    ),
    "function_as_method by its own name": (
        "from bisect import insort\n\n\ndef f(self, x):\n    self.xs.insort(x)\n",
        "self.xs.insort(x)",
        "insort(self.xs, x)",
    ),
    "function_as_method beside others": (
        "from heapq import heappop\n\n\ndef f(heap, x):\n    heap.heappush(x)\n    return heappop(heap)\n",
        "heappop\n\n\ndef f(heap, x):\n    heap.heappush(x)",
        "heappop, heappush\n\n\ndef f(heap, x):\n    heappush(heap, x)",
    ),
    "foreign_length": (
        "class A:\n    def __init__(self):\n        self.items = []\n\n    def f(self):\n"
        "        return self.items.length()\n",
        "self.items.length()",
        "len(self.items)",
    ),
    "foreign_length of a variable": (
        "def f(xs):\n    found = {}\n    for x in xs:\n        found[x] = 1\n    return found.length\n",
        "found.length",
        "len(found)",
    ),
    "flags_for_count": (
        "import re\n\n\ndef f(text):\n    return re.sub('a', 'b', text, re.I | re.M)\n",
        "re.I | re.M",
        "flags=re.I | re.M",
    ),
    "table_without_default": (
        "from collections import defaultdict\n\n\ndef f(words):\n    seen = defaultdict()\n    for word in words:\n"
        "        seen[word] += 1\n    return seen\n",
        "defaultdict()",
        "defaultdict(int)",
    ),
    "table_without_default of lists": (
        "from collections import defaultdict\n\n\ndef f(words):\n    seen = defaultdict()\n    for word in words:\n"
        "        seen[word[0]].append(word)\n    return seen\n",
        "defaultdict()",
        "defaultdict(list)",
    ),
    "changed_round of an attribute": (
        "class A:\n    def f(self):\n        for job in self.jobs:\n            if job.is_done:\n"
        "                self.jobs.remove(job)\n        return self.jobs\n",
        "in self.jobs:",
        "in list(self.jobs):",
    ),
    "update_in_variable": (
        "class A:\n    def __init__(self):\n        self.total = 0\n\n    def add(self, n):\n"
        "        total = self.total + n\n        return True\n",
        "total = self.total + n",
        "self.total = self.total + n",
    ),
    "kept_in_itself": (
        "class A:\n    def f(self, limit):\n        limit = limit\n        return self.g()\n\n"
        "    def g(self):\n        return self.limit\n",
        "limit = limit",
        "self.limit = limit",
    ),
    "misspelt_name of an item": (
        "def f(ropes, n):\n    return sum(rope // n for r in ropes)\n",
        "rope // n",
        "r // n",
    ),
    "misspelt_method of another language": (
        "def f(xs):\n    stack = []\n    for x in xs:\n        stack.push(x)\n    return stack\n",
        "stack.push",
        "stack.append",
    ),
    "uneven_bounds": (
        "def f(grid, y, x):\n    rows, cols = len(grid), len(grid[0])\n"
        "    if 0 <= y < rows and 0 <= x <= cols:\n        return grid[y][x]\n    return None\n",
        "x <= cols",
        "x < cols",
    ),
    "lost_swap": (
        "def f(xs):\n    xs[-1] = xs[-2]\n    xs[-2] = xs[-1]\n",
        "xs[-1] = xs[-2]\n    xs[-2] = xs[-1]",
        "xs[-1], xs[-2] = xs[-2], xs[-1]",
    ),
    "turned_join": (
        "def f(words):\n    found = []\n    found.extend(words)\n    return found.join(' ')\n",
        "found.join(' ')",
        "' '.join(found)",
    ),
    "early_result": (
        "def f(words):\n    count = {}\n    for word in words:\n        count[word] = 1\n        return count\n",
        "        return count",
        "    return count",
    ),
    "answer_at_once": (
        "def f(xs, most):\n    for x in xs:\n        if x > most:\n            return False\n        else:\n"
        "            return True\n    return True\n",
        "        else:\n            return True\n    return True",
        "    return True",
    ),
    "answer_at_once and nothing behind": (
        "def f(xs, most):\n    for x in xs:\n        if x > most:\n            return True\n        else:\n"
        "            return False\n",
        "        else:\n            return False\n",
        "    return False\n",
    ),
    "forgotten_result of a constant": (
        "ENDS = '.,'\n\n\ndef f(words):\n    for word in words:\n        word.strip(ENDS)\n        yield word\n",
        "word.strip(ENDS)",
        "word = word.strip(ENDS)",
    ),
    "unowned_name": (f"{CLASS}    def add(self, x):\n        return x + total\n", "+ total", "+ self.total"),
    "unowned_name of a method": (
        f"{CLASS}    def add(self, x):\n        return grow(x)\n\n    def grow(self, x):\n        return x\n",
        "return grow(x)",
        "return self.grow(x)",
    ),
    "misspelt_name": ("def f(values):\n    return sum(vlaues)\n", "vlaues", "values"),
    "unlike_key": (
        "def f(taken, row, col):\n    if row - col in taken:\n        return\n    taken.add(col - row)\n"
        "    f(taken, row + 1, col)\n"
        "    taken.remove(row - col)\n",
        "add(col - row)",
        "add(row - col)",
    ),
    "shadowed_branch": (
        "def f(n):\n    if n >= 50:\n        return 'C'\n    elif n >= 75:\n        return 'B'\n    return 'F'\n",
        "n >= 50:\n        return 'C'\n    elif n >= 75:\n        return 'B'",
        "n >= 75:\n        return 'B'\n    elif n >= 50:\n        return 'C'",
    ),
    "shadowed_branch of equality": (
        "def f(n):\n    if n <= 1:\n        return 1\n    if n == 0:\n        return 0\n    return 2\n",
        "n <= 1:\n        return 1\n    if n == 0:\n        return 0",
        "n == 0:\n        return 0\n    if n <= 1:\n        return 1",
    ),
    "shadowed_branch of multiples": (
        "def f(n):\n    if n % 3 == 0:\n        return 'Fizz'\n    if n % 15 == 0:\n        return 'FizzBuzz'\n",
        "n % 3 == 0:\n        return 'Fizz'\n    if n % 15 == 0:\n        return 'FizzBuzz'",
        "n % 15 == 0:\n        return 'FizzBuzz'\n    if n % 3 == 0:\n        return 'Fizz'",
    ),
    "shadowed_branch of both": (
        "def f(a, b):\n    if a:\n        return 1\n    if b:\n        return 2\n    if a and b:\n        return 3\n",
        "a:\n        return 1\n    if b:\n        return 2\n    if a and b:\n        return 3",
        "a and b:\n        return 3\n    if a:\n        return 1\n    if b:\n        return 2",
    ),
    "shadowed_branch of kinds": (
        "def f(x):\n    if isinstance(x, (str, int)):\n        return 1\n    elif isinstance(x, bool):\n"
        "        return 2\n",
        "isinstance(x, (str, int)):\n        return 1\n    elif isinstance(x, bool):\n        return 2",
        "isinstance(x, bool):\n        return 2\n    elif isinstance(x, (str, int)):\n        return 1",
    ),
    "shadowed_branch of beginnings": (
        "def f(x):\n    if x.startswith('a'):\n        return 1\n    elif x.startswith('ab'):\n        return 2\n",
        "x.startswith('a'):\n        return 1\n    elif x.startswith('ab'):\n        return 2",
        "x.startswith('ab'):\n        return 2\n    elif x.startswith('a'):\n        return 1",
    ),
    "shadowed_handler": (
        "class Own(KeyError):\n    pass\n\n\ndef f():\n    try:\n        go()\n    except LookupError:\n        a()\n"
        "    except Own as e:\n        b(e)\n",
        "LookupError:\n        a()\n    except Own as e:\n        b(e)",
        "Own as e:\n        b(e)\n    except LookupError:\n        a()",
    ),
    "stripped_ending": (
        "def f(name):\n    if name.endswith('.txt'):\n        name = name.strip('.txt')\n    return name\n",
        "name.strip(",
        "name.removesuffix(",
    ),
    "stripped_ending in front": (
        "def f(name):\n    return name.lstrip('www.') if name.startswith('www.') else name\n",
        "lstrip(",
        "removeprefix(",
    ),
    "late_escape": (
        "def f(text):\n    text = text.replace('<', '&lt;')\n    text = text.replace('>', '&gt;')\n"
        "    return text.replace('&', '&amp;')\n",
        "'<', '&lt;')\n    text = text.replace('>', '&gt;')\n    return text.replace('&', '&amp;'",
        "'&', '&amp;')\n    text = text.replace('<', '&lt;')\n    return text.replace('>', '&gt;'",
    ),
    "late_escape in a row": (
        "def f(text):\n    return text.replace('\"', '\\\\\"').replace('\\\\', '\\\\\\\\')\n",
        "'\"', '\\\\\"').replace('\\\\', '\\\\\\\\'",
        "'\\\\', '\\\\\\\\').replace('\"', '\\\\\"'",
    ),
    "mistaken_height": (
        "def f(grid):\n    rows = len(grid[0])\n    cols = len(grid[0])\n    return rows * cols\n",
        "rows = len(grid[0])",
        "rows = len(grid)",
    ),
    "unseen_result": (
        "def f(rows):\n    rows = sorted(rows)\n",
        "rows = sorted",
        "rows[:] = sorted",
    ),
    "unseen_result of a variable": (
        "def f(grid):\n    turned = [list(c) for c in zip(*grid)]\n    turned.reverse()\n    grid = turned\n",
        "grid = turned",
        "grid[:] = turned",
    ),
    "uneven_update": (
        "def f(stays, left):\n    fees = {}\n    for car, stay in stays:\n        fees[car] = fee(stay)\n"
        "    for car in left:\n        fees[car] = fees.get(car, 0) + fee(left[car])\n    return fees\n",
        "= fee(stay)",
        "= fees.get(car, 0) + fee(stay)",
    ),
    "uncalled_method": (
        f"{CLASS}    def is_full(self):\n        return self.total > 3\n\n    def add(self):\n"
        "        if self.is_full:\n"
        "            return False\n",
        "if self.is_full:",
        "if self.is_full():",
    ),
    "uncalled_question": (
        "def f(text):\n    return [c for c in text if c.isdigit]\n",
        "c.isdigit",
        "c.isdigit()",
    ),
    "gap_in_alphabet": (
        "for c in 'abcdefghijklmnopqrstuvwxy':\n    ask(c)\n",
        "wxy'",
        "wxyz'",
    ),
    "loose_remainder": ("def f(head, size):\n    return head + 1 % size\n", "head + 1 % size", "(head + 1) % size"),
    "repeated_step": (
        "for step in ((0, 1), (1, 0), (0, -1), (1, 0)):\n    go(step)\n",
        "(0, -1), (1, 0)",
        "(0, -1), (-1, 0)",
    ),
    "broken_heap that is added to": (
        "import heapq\ndef f(ready):\n    while ready:\n        x = heapq.heappop(ready)\n"
        "        ready.append(x + 1)\n",
        "ready.append(x + 1)",
        "heapq.heappush(ready, x + 1)",
    ),
    "repeated_move": (
        "def f(y, x):\n    go(y + 1, x)\n    go(y - 1, x)\n    go(y, x + 1)\n    go(y - 1, x)\n",
        "x + 1)\n    go(y - 1, x)",
        "x + 1)\n    go(y, x - 1)",
    ),
    "repeated_move in pairs": (
        "def f(y, x):\n    return [(y + 1, x), (y - 1, x), (y, x + 1), (y, x + 1)]\n",
        "(y, x + 1), (y, x + 1)",
        "(y, x + 1), (y, x - 1)",
    ),
    "repeated_move of a sum": (
        "def f(g, y, x):\n    return 1 + f(g, y + 1, x) + f(g, y + 1, x) + f(g, y, x + 1) + f(g, y, x - 1)\n",
        "f(g, y + 1, x) + f(g, y + 1, x)",
        "f(g, y + 1, x) + f(g, y - 1, x)",
    ),
    "repeated_move of pairs that are added": (
        "def f(todo, y, x):\n    todo.append((y + 1, x))\n    todo.append((y - 1, x))\n    todo.append((y, x + 1))\n"
        "    todo.append((y - 1, x))\n",
        "x + 1))\n    todo.append((y - 1, x))",
        "x + 1))\n    todo.append((y, x - 1))",
    ),
    "empty_range": (
        "def f(n):\n    for i in range(n - 1, -1):\n        go(i)\n",
        "range(n - 1, -1)",
        "range(n - 1, -1, -1)",
    ),
    "empty_range of names": (
        "def f(left, right):\n    return list(range(right, left - 1))\n",
        "left - 1",
        "left - 1, -1",
    ),
    "compared_identity": ("def f(x):\n    return x is not 'a'\n", "is not", "!="),
    "lone_alternative": (
        "def f(x):\n    return x == 'a' or 'b' or 'c'\n",
        "or 'b' or 'c'",
        "or x == 'b' or x == 'c'",
    ),
    "lone_alternative with a condition": (
        "def f(n, cell, alive):\n    return n == 3 or 2 and cell in alive\n",
        "or 2 and",
        "or n == 2 and",
    ),
    "lost_prefix": ("def f(name):\n    return 'Hello {name}'\n", "'Hello", "f'Hello"),
    "lopsided_half": (
        "def f(node):\n    left = size(node.left)\n    right = size(node.left)\n    return left + right\n",
        "right = size(node.left)",
        "right = size(node.right)",
    ),
    "cut_span": ("def f(a, b):\n    return (b - a).seconds > 3\n", ".seconds", ".total_seconds()"),
    "forgotten_result": (
        "def f(name):\n    name.strip()\n    return name\n",
        "    name.strip()",
        "    name = name.strip()",
    ),
    "forgotten_result of sorted": ("def f(xs):\n    sorted(xs)\n    return xs\n", "    sorted", "    xs = sorted"),
    "idle_comparison": ("def f(x):\n    y = 1\n    y == x\n    return y\n", "y == x", "y = x"),
    "idle_sum": ("def f(xs):\n    n = 0\n    for x in xs:\n        n + x\n    return n\n", "n + x", "n += x"),
    "uncalled_statement": ("def f(xs):\n    xs.clear\n    return xs\n", "xs.clear", "xs.clear()"),
    "lost_return": ("def f(x):\n    y = x * 2\n    y + 1\n", "    y + 1", "    return y + 1"),
    "turned_update": ("def f(n):\n    n =+ 1\n    return n\n", "=+", "+="),
    "kept_nothing": (
        "def f():\n    xs = []\n    xs = xs.append(1)\n    return xs\n",
        "xs = xs.append(1)",
        "xs.append(1)",
    ),
    "kept_nothing of sort": (
        "def f():\n    xs = [2, 1]\n    ys = xs.sort(reverse=True)\n    return ys\n",
        "xs.sort(reverse=True)",
        "sorted(xs, reverse=True)",
    ),
    "lost_await": (
        "async def save():\n    pass\n\n\nasync def f():\n    save()\n",
        "    save()",
        "    await save()",
    ),
    "lost_receiver": (
        "class A:\n    def put(x):\n        self.x = x\n\n    def get():\n        return self.x\n",
        "put(x):\n        self.x = x\n\n    def get()",
        "put(self, x):\n        self.x = x\n\n    def get(self)",
    ),
    "repeated_rows": (
        "def f(n):\n    table = [[0] * n] * n\n    table[0][0] = 1\n    return table\n",
        "[[0] * n] * n",
        "[[0] * n for _ in range(n)]",
    ),
    "kept_path": (
        "def f(path, found):\n    found.append(path)\n    path.append(1)\n    f(path, found)\n    path.pop()\n",
        "append(path)",
        "append(path[:])",
    ),
    "broken_heap": (
        "import heapq\n\n\ndef f(heap):\n    heapq.heappush(heap, 1)\n    return heap.pop()\n",
        "heap.pop()",
        "heapq.heappop(heap)",
    ),
    "changed_round": (
        "def f(xs):\n    for x in xs:\n        if x:\n            xs.remove(x)\n",
        "in xs",
        "in list(xs)",
    ),
    "spread_word": (
        "def f(text):\n    parts = []\n    for word in text.split():\n        parts += word\n    return parts\n",
        "parts += word",
        "parts.append(word)",
    ),
    "turned_pair": (
        "def f(heap, ways):\n    cost, town = heappop(heap)\n    heappush(heap, (ways[0], cost + 1))\n",
        "(ways[0], cost + 1)",
        "(cost + 1, ways[0])",
    ),
    "turned_table": (
        "def f(h, w):\n    t = [[0] * h for _ in range(w)]\n    for i in range(h):\n        for j in range(w):\n"
        "            t[i][j] = 1\n    return t\n",
        "[[0] * h for _ in range(w)]",
        "[[0] * w for _ in range(h)]",
    ),
    "halved_whole": (
        "def f(n):\n    while n != 1:\n        if n % 2 == 0:\n            n = n / 2\n"
        "        else:\n            n = 3 * n + 1\n",
        "n = n / 2",
        "n //= 2",
    ),
    "shared_entry": (
        "def f(rows, n):\n    cells = dict.fromkeys(rows, [0] * n)\n    for row in rows:\n        cells[row][0] += 1\n"
        "    return cells\n",
        "dict.fromkeys(rows, [0] * n)",
        "{key: [0] * n for key in rows}",
    ),
    "misspelt_attribute": (
        f"{CLASS}    def add(self, x):\n        self.histroy[x] = 1\n",
        "histroy",
        "history",
    ),
    "misspelt_method": (
        "def f():\n    kept = {{}}\n    return max(kept.value())\n".replace("{{}}", "{}"),
        ".value",
        ".values",
    ),
    "foreign_word": (
        "def f(x):\n    return x if x else null\n",
        "null",
        "None",
    ),
    "foreign_word for the object": (
        "class A:\n    def f(self):\n        return this.x\n",
        "this",
        "self",
    ),
    "foreign_function": (
        "def f(a, b):\n    return Math.max(a, b)\n",
        "Math.max",
        "max",
    ),
    "foreign_function of a module": (
        "def f(a):\n    return Math.ceil(a)\n",
        "def f(a):\n    return Math.ceil",
        "import math\n\ndef f(a):\n    return math.ceil",
    ),
    "foreign_function that is a number": (
        "def f(xs):\n    best = Integer.MAX_VALUE\n    return min(best, *xs)\n",
        "Integer.MAX_VALUE",
        'float("inf")',
    ),
    "foreign_length of a parameter": (
        "def f(xs):\n    return xs.length\n",
        "xs.length",
        "len(xs)",
    ),
    "foreign_method": (
        "def f(xs, x):\n    xs.push(x)\n",
        "push",
        "append",
    ),
    "foreign_method of a deque": (
        "from collections import deque\n\n\ndef f(xs):\n    q = deque(xs)\n    return q.pop_front()\n",
        "pop_front",
        "popleft",
    ),
    "foreign_method of a list": (
        "def f(xs):\n    q = list(xs)\n    return q.shift()\n",
        "shift()",
        "pop(0)",
    ),
    "foreign_method that puts first": (
        "def f(xs, x):\n    xs = [*xs]\n    xs.unshift(x)\n    return xs\n",
        "unshift(",
        "insert(0, ",
    ),
    "foreign_method of a set": (
        "def f(x):\n    seen = {1}\n    seen.push_back(x)\n    return seen\n",
        "push_back",
        "add",
    ),
    "foreign_method of a dict": (
        "def f(x):\n    seen = {1: 2}\n    seen.delete(x)\n    return seen\n",
        "delete",
        "pop",
    ),
    "foreign_method that is an operator": (
        "def f(t, k):\n    return not t.containsKey(k)\n",
        "t.containsKey(k)",
        "(k in t)",
    ),
    "foreign_method that is a place": (
        "def f(t, i):\n    return t.charAt(i)\n",
        "t.charAt(i)",
        "t[i]",
    ),
    "foreign_method of a sum": (
        "def f(s, t):\n    return (s + t).charAt(0)\n",
        "(s + t).charAt(0)",
        "(s + t)[0]",
    ),
    "foreign_method that is a statement": (
        "def f(xs, i):\n    xs.splice(i)\n",
        "xs.splice(i)",
        "del xs[i:]",
    ),
    "indexed_view": (
        "def f(t):\n    return t.keys()[0]\n",
        "t.keys()",
        "list(t.keys())",
    ),
    "unnamed_key": (
        "def f(xs):\n    xs.sort(lambda x: x[1])\n",
        "lambda",
        "key=lambda",
    ),
    "unnamed_key of a function": (
        "def f(xs):\n    return sorted(xs, len)\n",
        "len",
        "key=len",
    ),
    "called_table": (
        "class A:\n    def __init__(self):\n        self.size = {}\n\n    def f(self, x):\n"
        "        return self.size(x)\n",
        "self.size(x)",
        "self.size[x]",
    ),
    "called_table of a variable": (
        "def f(n):\n    best = [0] * n\n    return best(n - 1)\n",
        "best(n - 1)",
        "best[n - 1]",
    ),
    "indexed_function": (
        "def f(xs):\n    return len[xs]\n",
        "len[xs]",
        "len(xs)",
    ),
    "indexed_function of the program": (
        "def f(n):\n    return f[n - 1]\n",
        "f[n - 1]",
        "f(n - 1)",
    ),
    "indexed_function of a class": (
        "class A:\n    def find(self, x):\n        return self.find[x - 1]\n",
        "find[x - 1]",
        "find(x - 1)",
    ),
    "loose_pair": (
        "def f(queue, node):\n    queue.append(node, 0)\n",
        "node, 0",
        "(node, 0)",
    ),
    "loose_pair of a heap": (
        "from heapq import heappush\n\n\ndef f(heap, x):\n    heappush(heap, x, 0)\n",
        "x, 0",
        "(x, 0)",
    ),
    "round_over_number": (
        "def f(xs):\n    for i in len(xs):\n        yield i\n",
        "len(xs)",
        "range(len(xs))",
    ),
    "round_over_number that has a name": (
        "def f(xs):\n    n = len(xs) - 1\n    return [x for x in n]\n",
        "in n",
        "in range(n)",
    ),
    "value_behind_end": (
        "def f(x):\n    xs = []\n    xs[len(xs)] = x\n    return xs\n",
        "xs[len(xs)] = x",
        "xs.append(x)",
    ),
    "entry_not_kept": (
        "def f(t, k, x):\n    t.get(k, []).append(x)\n",
        "get",
        "setdefault",
    ),
    "entry_not_kept that has a name": (
        "def f(t, k, x):\n    xs = t.get(k, set())\n    xs.add(x)\n    return len(xs)\n",
        "get",
        "setdefault",
    ),
    "place_behind_end": (
        "def f(xs):\n    for j in range(len(xs)):\n        print(xs[j] + xs[j + 1])\n",
        "len(xs)",
        "len(xs) - 1",
    ),
    "place_behind_end of a length with a name": (
        "def f(xs):\n    n = len(xs)\n    return [xs[i] < xs[i + 2] for i in range(n)]\n",
        "range(n)",
        "range(n - 2)",
    ),
    "fraction_as_place": (
        "def f(xs, low, high):\n    mid = (low + high) / 2\n    return xs[mid]\n",
        " / ",
        " // ",
    ),
    "fraction_as_place of rounds": (
        "def f(n):\n    return list(range(n / 2))\n",
        " / ",
        " // ",
    ),
    "stuck_round": (
        "def f(text):\n    i = 0\n    while i < len(text):\n        if text[i] == ' ':\n"
        "            continue\n        i += 1\n",
        "            continue",
        "            i += 1\n            continue",
    ),
    "crossed_span": (
        "def f(a, b):\n    return list(range(a, a + 3)), list(range(b, a + 3))\n",
        "(b, a + 3)",
        "(b, b + 3)",
    ),
    "flag_of_one_value": (
        "def f(xs):\n    swapped = True\n    for x in xs:\n        if x:\n            swapped = True\n"
        "    if not swapped:\n        return 1\n    return 2\n",
        "    swapped = True\n    for",
        "    swapped = False\n    for",
    ),
    "entry_begun_where_known": (
        "def f(t, k):\n    if k in t:\n        t[k] = 1\n    else:\n        t[k] += 1\n",
        "k in t",
        "k not in t",
    ),
    "entry_begun_where_known before it is filled": (
        "def f(t, k, x):\n    if k in t:\n        t[k] = []\n    t[k].append(x)\n",
        "k in t",
        "k not in t",
    ),
    "kept_too_late": (
        "def f(n, first, second):\n    if n > first:\n        first = n\n        second = first\n    return second\n",
        "        first = n\n        second = first",
        "        second = first\n        first = n",
    ),
    "lost_item_of_round": (
        "def f(rows):\n    for row in rows:\n        row = row[::-1]\n",
        "row = row",
        "row[:] = row",
    ),
    "result_of_nothing": (
        "def f(xs):\n    return xs.sort(key=len)\n",
        "xs.sort(key=len)",
        "sorted(xs, key=len)",
    ),
    "result_of_nothing that is handed on": (
        "def f(xs):\n    print(xs.reverse())\n",
        "xs.reverse()",
        "xs[::-1]",
    ),
    "filled_tuple": (
        "class A:\n    def __init__(self):\n        self.seen = ()\n\n    def f(self, x):\n        self.seen.add(x)\n",
        "= ()",
        "= set()",
    ),
    "method_for_text": (
        "def f(name):\n    name = name.lower\n    return name\n",
        "name.lower",
        "name.lower()",
    ),
    "halved_whole in a loop of remainders": (
        "def f(n, base):\n    out = []\n    while n > 0:\n        out.append(n % base)\n"
        "        n = n / base\n    return out\n",
        "n = n / base",
        "n //= base",
    ),
    "used_nothing": (
        "def f(x, key=None):\n    if key is None:\n        x = key(x)\n    return x\n",
        "key is None",
        "key is not None",
    ),
    "undrained_list": (
        "def f(xs, ys):\n    while xs:\n        ys.append(xs[-1])\n",
        "xs[-1]",
        "xs.pop()",
    ),
    "unowned_total": (f"{CLASS}    def add(self):\n        total += 1\n", "total += 1", "self.total += 1"),
    "shared_attribute": (
        "class A:\n    items = []\n\n    def __init__(self, x):\n        self.x = x\n\n"
        "    def add(self, y):\n        self.items.append(y)\n",
        "    items = []\n\n    def __init__(self, x):\n        self.x = x\n",
        "\n    def __init__(self, x):\n        self.x = x\n        self.items = []\n",
    ),
}


@pytest.mark.parametrize("name", SLIPS)
def test_a_plain_slip_is_undone(name: str) -> None:
    """And nothing else is changed; what comes of it has none."""
    source, slip, repair = SLIPS[name]
    assert source.count(slip) == 1
    assert mended(source) == source.replace(slip, repair)
    assert plain_slips(mended(source)) == ()
    assert {found.kind for found in plain_slips(source)} == {name.split()[0]}


FINE = {
    "a function of the module by the name of one that gives an iterator": "def filter(xs):\n    return xs\n\n\n"
    "def f(xs):\n    ys = filter(xs)\n    total = sum(ys)\n    return total / len(list(ys))\n",
    "a slice of an array": "import numpy\n\n\ndef f(rows, a):\n    rows[a:].sort()\n    return rows\n",
    "a slice that somebody has": "def f(rows, a):\n    part = rows[a:]\n    part.sort()\n    return part\n",
    "an iterator of which one takes the rest": "def f(lines):\n    rows = map(str.split, lines)\n"
    "    for row in rows:\n        if not row:\n            break\n    return list(rows)\n",
    "an iterator that another one goes on with": "def f(lines):\n    rows = map(str.split, lines)\n"
    "    first = next(rows)\n    return [first, list(rows)]\n",
    "an iterator in either branch": "def f(xs, k):\n    ys = reversed(xs)\n    if k:\n        return sum(ys)\n"
    "    return list(ys)\n",
    "an iterator that is made anew": "def f(xs):\n    for k in xs:\n        ys = map(abs, xs)\n        k += sum(ys)\n",
    "a chain of equals within bounds": "def f(a, b, low, high):\n    return low < a == b < high\n",
    "a copy whose rows are replaced": "def f(old, n):\n    new = list(old)\n    for r in range(n):\n"
    "        new[r] = old[r][:]\n        new[r][0] = 1\n    return new\n",
    "a copy of which only items are replaced": "def f(old, n):\n    new = old[:]\n    for r in range(n):\n"
    "        new[r] = old[r - 1]\n    return new\n",
    "a copy of a table by key": "def f(old, key):\n    new = old.copy()\n    new[key][0] = 1\n    return new\n",
    "rows of an array": "import numpy as np\n\n\ndef f(old, n):\n    new = old.copy()\n    for r in range(n):\n"
    "        new[r][0] = 1\n    return np.sum(new)\n",
    "a method of another object by the same name": "class A:\n    def close(self):\n        left = 0\n"
    "        self.file.close()\n        return left\n",
    "a parameter that is called as a function is": "def f(g, xs, n):\n    return g(xs)\n\n\ndef g(xs, n):\n"
    "    return xs[n]\n",
    "characters to strip": "def f(x):\n    return x.lstrip('0123456789') + x.rstrip('aeiou') + x.strip('()')\n",
    "the first of some items": "def f(xs):\n    best = next((x for x in xs if x), None)\n    if not best:\n"
    "        return 0\n    return best\n",
    "a place that may be another": "def f(n, m):\n    at = next((r for r in range(n) if m), None)\n    at = m or at\n"
    "    return 1 if at else 0\n",
    "shortest ways": "def f(d, n):\n    for k in range(n):\n        for i in range(n):\n"
    "            for j in range(n):\n                if d[i][k] + d[k][j] < d[i][j]:\n"
    "                    d[i][j] = d[i][k] + d[k][j]\n    return d\n",
    "a member of another version": "import math\n\nif hasattr(math, 'powr'):\n    print(math.powr)\n",
    "a member of a module that is not known wholly": "import numpy\n\nprint(numpy.heapfy)\n",
    "a name that a module is not": "import math\n\nmath = math.floor\nprint(math.powr)\n",
    "an import that may fail": "try:\n    from math import cbrt\nexcept ImportError:\n    cbrt = None\n",
    "an import of what nothing has": "from math import wurzel\n\nprint(wurzel(2))\n",
    "a count of its own": "count = 0\n\n\ndef f(xs):\n    count = 0\n    for x in xs:\n        count += x\n"
    "    return count\n",
    "a count that is declared": "def f():\n    count = 0\n\n    def g():\n        nonlocal count\n        count += 1\n"
    "\n"
    "    g()\n    return count\n",
    "a count of a class": "class A:\n    count = 0\n\n    def f(self):\n        count = 1\n        count += 1\n"
    "        return count\n",
    "a call of what has a default": "def f(xs, n):\n    return g(xs)\n\n\ndef g(xs, n=1):\n    return xs[n]\n",
    "a call of what may be another": "def f(xs, n):\n    g = len\n    return g(xs)\n\n\ndef g(xs, n):\n"
    "    return xs[n]\n",
    "a call that hands over the variable already": "def f(xs, n):\n    return g(n)\n\n\ndef g(xs, n):\n"
    "    return xs[n]\n",
    "two heaps of which one is turned": "from heapq import heappop, heappush\n\n\ndef f(low, high, n):\n"
    "    if n > -low[0]:\n        heappush(high, n)\n    else:\n        heappush(low, -n)\n"
    "    heappush(high, -heappop(low))\n    heappush(low, -heappop(high))\n    return -low[0]\n",
    "a heap of both": "from heapq import heappop, heappush\n\n\ndef f(low, n):\n    heappush(low, -n)\n"
    "    heappush(low, n)\n"
    "    return heappop(low)\n",
    "a method that is kept to be called": "class A:\n    def ahead(self):\n        return [1]\n\n    def plan(self):\n"
    "        first = self.ahead\n        return first() + [1]\n",
    "a loop variable that is looked for": "def f(rows, n):\n    for i in range(n):\n        for i in range(i, n):\n"
    "            if rows[i]:\n                break\n        print(i)\n",
    "a loop variable that the inner loop begins with": "def f(rows, n):\n    for i in range(n):\n        rows[i] = 0\n"
    "        for i in range(3):\n            rows[i] += 1\n    return rows\n",
    "the last of what a loop saw": "def f(xs):\n    last = 0\n    for x in xs:\n        print(last)\n    last = x\n"
    "    return last\n",
    "a variable set behind a loop and read in a function": "def f(xs):\n    last = 0\n    for x in xs:\n"
    "        print(last)\n"
    "    last = x\n    return lambda: last\n",
    "a variable of the module": "last = 0\n\n\ndef f(xs):\n    global last\n    last = 1\n    for x in xs:\n"
    "        print(last)\n    last = x\n",
    "a loop that something else ends": "def f(xs):\n    i = 0\n    while i < 3:\n        if xs.pop():\n"
    "            break\n"
    "    i += 1\n    return i\n",
    "a loop over what is called": "def f(xs, i):\n    while i < len(xs):\n        xs.pop()\n    i += 1\n    return i\n",
    "a flag of one round": "def f(xs):\n    odd = False\n    for x in xs:\n        if x % 2:\n            odd = True\n"
    "        else:\n            odd = False\n        print(odd)\n",
    "a flag whose round ends the loop": "def f(xs):\n    odd = False\n    for x in xs:\n        if x % 2:\n"
    "            odd = True\n"
    "        else:\n            odd = False\n        if x > 9:\n            break\n    return odd\n",
    "an answer for the first that counts": "def f(xs):\n    for x in xs:\n        if x is None:\n            continue\n"
    "        if x > 0:\n            return True\n        else:\n            return False\n    return True\n",
    "a message": "def f(n):\n    if n < 0:\n        print('none')\n    else:\n        return n\n\n\ndef g(n):\n"
    "    return f(n)\n",
    "what is shown by a function of which nobody wants more": "def f(n):\n    if n < 0:\n        print(n)\n    else:\n"
    "        return n\n\n\nf(3)\n",
    "a count beside calls of the same function": "def f(node):\n    size = 1\n    f(node.left)\n    size += node.own\n"
    "    return size\n",
    "calls whose results count in part": "def f(n):\n    size = 1\n    f(n - 1)\n    return size if n else f(n - 2)\n",
    "a place that is bounded by something else": "def f(xs, i, ys):\n    return xs[i] and i < len(ys)\n",
    "a place that may come from the end": "def f(xs, i):\n    return xs[i] and i >= 0\n",
    "a guard that gives something else": "def f(xs, i):\n    if xs[i]:\n        return 1\n    if i >= len(xs):\n"
    "        return 0\n",
    "a first one that may be None": "def f(xs):\n    best = xs.get(0)\n    for x in xs:\n"
    "        if best is None or x < best:\n"
    "            best = x\n    return best\n",
    "a best one that is given up again": "def f(xs):\n    best = xs[0]\n    for x in xs:\n"
    "        if best is None or x < best:\n"
    "            best = x\n        else:\n            best = None\n    return best\n",
    "sizes of two tables": "def f(a, b):\n    rows = len(a[0])\n    cols = len(b)\n    return rows, cols\n",
    "rows that nobody changes": "def f(n):\n    line = [0]\n    beds = [line] * n\n    return beds\n",
    "a length of its own": "class A:\n    def length(self):\n        return 1\n\n\n"
    "def f():\n    a = []\n    return a.length()\n",
    "a length of what is handed over": "def f(a):\n    a = a or []\n    return a.length()\n",
    "a method that its class reads": "from operator import mul\n\n\nclass A:\n    def add(self, x):\n"
    "        return mul(x, 2)\n\n    __add__ = add\n",
    "a length that is set": "def f():\n    a = {}\n    a.length = 1\n    return a\n",
    "a name that a pattern binds and a module has": "from itertools import chain\n\n\ndef f(x):\n    match x:\n"
    "        case {'n': count}:\n            return chain(count, x)\n",
    "a size that is asked with more": "def f():\n    a = []\n    return a.size(1), a.size\n",
    "an import of another kind": "def f():\n    return heapq\n",
    "an import in brackets": "from heapq import (heappop,)\n\n\ndef f(xs):\n    heappush(xs, heappop(xs))\n",
    "a method of the program": "import heapq\n\n\nclass A:\n    def heappush(self, x):\n"
    "        heapq.heappush(x, 1)\n\n\ndef f(a):\n    a.heappush(1)\n",
    "a method of a module": "import heapq\nimport other as heapq\n\n\ndef f(a):\n    heapq.heappush(a, 1)\n",
    "a number of replacements": "import re\n\n\ndef f(text):\n    return re.sub('a', 'b', text, re.N)\n".replace(
        "re.N", "n"
    ),
    "a table of two defaults": "from collections import defaultdict\n\n\ndef f(seen):\n    seen = defaultdict()\n"
    "    seen[1] += 1\n    seen[2].append(3)\n",
    "an attribute that is set": "class A:\n    def f(self, limit):\n        limit = limit\n        self.limit = 1\n"
    "        return self.limit\n",
    "bounds of two uses": "def f(y, x, rows, cols):\n    return 0 <= y < rows and 0 <= x <= cols\n",
    "one value after the other": "def f(a, b):\n    a = b\n    b = 2\n    return a, b\n",
    "a text that is joined": "def f(dash):\n    found = str(dash)\n    return found.join('abc')\n",
    "the first one": "def f(words):\n    found = None\n    for word in words:\n        found = word.lower()\n"
    "        return found\n",
    "rounds without end": "def f(words):\n    n = 0\n    while True:\n        n += 1\n        return n\n",
    "a name from elsewhere": "from that import *\n\n\ndef f(values):\n    return sum(vlaues)\n",
    "a name that a pattern binds": "def f(x):\n    match x:\n        case [first, *firsts]:\n"
    "            return first, firsts\n",
    "names alike that are there": "def f(value, values):\n    return value, values\n",
    "a name like two others": "def f(value_1, value_2):\n    return value_3\n",
    "a name of the class": "class A:\n    @property\n    def size(self):\n        return 1\n\n    @size.setter\n"
    "    def size(self, n=size):\n        self.size = n\n",
    "a name of a class within": "def f():\n    class A:\n        def do_it(self):\n            return 1\n\n"
    "        do_its = 2\n        do_this = do_it\n    return A\n",
    "a name that somebody knows of": "def f(values):\n    return sum(vlaues)  # noqa: F821\n",
    "a short name": "def f(abs_):\n    return ab_\n",
    "both ways of a pair": "def f(seen, a, b):\n    if (b, a) in seen:\n        seen.remove((a, b))\n"
    "    seen.add((a, b))\n",
    "a neighbour": "def f(seen, a, b):\n    if a + 1 in seen:\n        seen.remove(a + 1)\n    seen.add(b)\n",
    "branches in order": "def f(n):\n    if n >= 75:\n        return 'B'\n    if n >= 50:\n        return 'C'\n"
    "    if n < 9:\n"
    "        return 'D'\n    if n > 20.5 and n < 40:\n        return 'E'\n",
    "a chain that is a table": "def f(n):\n" + "".join(f"    if n > {k}:\n        return {k}\n" for k in range(50)),
    "the same asked twice": "def f(n):\n    if n > 1:\n        return 1\n    if n > 1:\n        return 2\n"
    "    if n > 1.0:\n"
    "        return 3\n",
    "what a question changes": "def f(xs):\n    if next(xs) > 1:\n        return 1\n    if next(xs) > 2:\n"
    "        return 2\n",
    "branches that go on": "def f(n):\n    if n > 1:\n        n -= 5\n    if n > 2:\n        n -= 7\n    return n\n",
    "kinds that are their own": "class bool(str):\n    pass\n\n\ndef f(x):\n    if isinstance(x, int):\n"
    "        return 1\n"
    "    if isinstance(x, bool):\n        return 2\n",
    "handlers in order": "try:\n    go()\nexcept KeyError:\n    a()\nexcept LookupError:\n    b()\n"
    "except OTHERS:\n    c()\n",
    "characters taken off": "def f(x):\n    if x.startswith('##'):\n        return x.strip('##')\n"
    "    return x.strip('.txt')\n",
    "lines made alike": "def f(x):\n    x = x.replace('\\r\\n', '\\n')\n    return x.replace('\\n', '<br>\\n')\n",
    "escapes in order": "def f(x):\n    return x.replace('&', '&amp;').replace('<', '&lt;').replace(a, b)\n",
    "a square": "def f(grid):\n    rows = len(grid)\n    cols = len(grid)\n    return rows * cols\n",
    "a parameter in use": "def f(rows):\n    rows = sorted(rows)\n    return rows\n",
    "a number that is given back": "def f(n):\n    n = n + 1\n",
    "a parameter of others": "def f(rows):\n    def g(rows):\n        nonlocal_rows = 1\n    rows = kept(rows)\n",
    "a table filled in two ways": "def f(xs, table):\n    for k in xs:\n        table[k] = first(k)\n    for k in xs:\n"
    "        table[k] = table.get(k, 0) + more(k)\n",
    "a property is asked": "class A:\n    @property\n    def full(self):\n        return 1\n"
    "    def f(self):\n        return not self.full\n",
    "an attribute shadows the method": "class A:\n    def full(self):\n        return 1\n    def f(self):\n"
    "        self.full = 2\n"
    "        return not self.full\n",
    "a remainder of its own": "def f(a, n):\n    return a + (1 % n)\n",
    "a property by another name": "class A:\n    def full(self):\n        return 1\n    full = property(full)\n"
    "    def f(self):\n        return not self.full\n",
    "two methods": "class A:\n    def full(self):\n        return 1\n    def f(self, g):\n"
    "        return g == self.full\n",
    "a range from any number": "def f(n, last, first):\n"
    "    return range(n, 0), range(int(n), 0), range(last, first + 1)\n",
    "methods of one system": f"{CLASS}    if LINUX:\n        def _wait(self):\n            pass\n"
    "    def await_(self):\n"
    "        return self._wait()\n    def wait(self):\n        pass\n",
    "a class that is derived from": f"{CLASS}    def f(self):\n        return self.histroy\n\n\n"
    "class B(Ring):\n    pass\n",
    "self of a function around": "def f(self):\n    class A:\n        def g(other):\n"
    "            return self.x\n    return A\n",
    "self by another name": "class A:\n    def f(self_, x):\n        return lambda self: self.x\n",
    "an operation that may fail": "def f(a):\n    try:\n        a + 1\n    except TypeError:\n"
    "        return 0\n    return a\n",
    "four steps": "STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))\n",
    "two steps": "STEPS = ((0, 1), (0, 1))\n",
    "a range up": "def f(n):\n    return range(-n, 0), range(0, n - 1), range(n)\n",
    "identity with None": "def f(x):\n    return x is None or x is True\n",
    "an alternative by default": "def f(x):\n    return x or 'b'\n",
    "a text that is formatted": "def f(name):\n    return 'Hello {name}'.format(name=name)\n",
    "a text of other names": "def f(name):\n    return '{other}'\n",
    "two halves": "def f(a):\n    left = a.left\n    right = a.right\n    return left, right\n",
    "the seconds of a span": "def f(span):\n    return span.seconds\n",
    "a method that changes": "def f(xs):\n    xs.sort()\n    path.replace(other)\n",
    "a call at the end": "def f(x):\n    x.go()\n",
    "calls in a list": "def f(xs):\n    [x.go() for x in xs]\n",
    "a negative number": "def f():\n    x = -1\n    y = +1\n    return x, y\n",
    "another class's append": "def f(frame):\n    frame = frame.append(1)\n    return frame\n",
    "a coroutine handed on": "async def save():\n    pass\n\n\nasync def f():\n    return save()\n",
    "a static method": "class A:\n    @staticmethod\n    def put(x):\n        return x\n\n"
    "    def __new__(cls):\n        self = 1\n"
    "        return self\n",
    "rows that are only read": "def f(n):\n    return [[0]] * n\n",
    "a path that is new": "def f(found):\n    path = []\n    path.append(1)\n    found.append(path)\n",
    "a plain stack": "import heapq\n\n\ndef f(xs, heap):\n    heapq.heappush(heap, 1)\n    return xs.pop()\n",
    "a round that ends": "def f(xs):\n    for x in xs:\n        if x:\n            xs.remove(x)\n            break\n",
    "letters of a word": "def f(words):\n    out = []\n    for word in words:\n        out += word\n    return out\n",
    "a pair in order": "def f(heap, ways):\n    cost, town = heappop(heap)\n    heappush(heap, (cost + 1, ways[0]))\n",
    "a class with bases": "class A(B):\n    def __init__(self):\n        self.history = 1\n    def f(self):\n"
    "        return self.histroy\n",
    "a method of its own": "def f(kept):\n    return kept.value()\n",
    "a local total": f"{CLASS}    def add(self):\n        total = 0\n        total += 1\n        return total\n",
    "a registry of the class": "class A:\n    registry = []\n\n    def __init__(self):\n"
    "        self.registry.append(self)\n",
    "places from behind that are asked about": "def f(xs):\n    for i in range(len(xs)):\n        if i:\n"
    "            yield xs[-i]\n",
    "places from behind beside a question": "def f(xs):\n    return [i > 0 and xs[-i] for i in range(len(xs))]\n",
    "places from behind that are filtered": "def f(xs):\n    return [xs[-i] for i in range(len(xs)) if i]\n",
    "places from behind from 1 on": "def f(xs):\n    return [xs[-i] for i in range(1, len(xs))]\n",
    "places from behind that are numbered": "def f(xs):\n    return [xs[-i] for i, x in enumerate(xs, 1)]\n",
    "a word that is bound": "def f(null):\n    return null\n",
    "an object that is no receiver": "def f():\n    return this\n",
    "methods of what is imported": "from shop import Stack\n\n\ndef f(x):\n    s = Stack()\n    s.push(x)\n"
    "    return s.peek(), s.length\n",
    "methods that the program defines": "class Stack:\n    def push(self, x):\n        pass\n\n\n"
    "def f(s, x):\n    s.push(x)\n",
    "a length of an object": "def f(v):\n    return v.x / v.length\n",
    "methods of an object": "def f(s, x):\n    if s.capacity > 3:\n        s.push(x)\n    return s.peek()\n",
    "methods with other arguments": "def f(t, k):\n    return t.charAt(k, 1), t.push(k, 1)\n",
    "views of what is imported": "from sorted_dicts import SortedDict\n\n\ndef f():\n"
    "    return SortedDict().keys()[0]\n",
    "a default of the greatest": "def f(a, b):\n    return max(a, b)\n",
    "a table that is a function elsewhere": "def f(best, n):\n    return best(n)\n\n\n"
    "def g():\n    best = [1]\n    return best\n",
    "a class with a parameter": "def f(x: type[int]) -> list[int]:\n    return x\n",
    "a function that is decorated": "@table\ndef f(x):\n    return f[x]\n",
    "an append of two": "import numpy as np\n\n\ndef f(xs):\n    return np.append(xs, 1)\n",
    "rounds over what is handed over": "def f(n):\n    return [x for x in n]\n",
    "a place of a dict": "def f(x):\n    ids = {}\n    ids[len(ids)] = x\n    return ids\n",
    "an entry that is kept": "def f(t, k, x):\n    xs = t.get(k, [])\n    xs.append(x)\n    t[k] = xs\n",
    "an entry that is handed on": "def f(t, k, x):\n    xs = t.get(k, [])\n    xs.append(x)\n    return xs\n",
    "a place behind that is asked about": "def f(xs):\n    for j in range(len(xs)):\n"
    "        if j + 1 < len(xs):\n            print(xs[j + 1])\n",
    "a place behind in a longer list": "def f(xs, ys):\n    for j in range(len(xs)):\n        print(ys[j + 1])\n",
    "a place behind in a list that grows": "def f(xs):\n    for j in range(len(xs)):\n"
    "        xs.append(1)\n        print(xs[j + 1])\n",
    "a place behind that is left before": "def f(xs):\n    for j in range(len(xs)):\n"
    "        if not xs[j]:\n            break\n        print(xs[j + 1])\n",
    "a place behind in a dict": "def f():\n    xs = {1: 2}\n    for j in range(len(xs)):\n        print(xs[j + 1])\n",
    "a fraction": "def f(a, b):\n    mid = (a + b) / 2\n    return mid\n",
    "a round that moves on before": "def f(text):\n    i = 0\n    while i < len(text):\n        i += 1\n"
    "        if text[i - 1] == ' ':\n            continue\n        print(i)\n",
    "a span between two names": "def f(a, b):\n    return list(range(a, b + 3))\n",
    "a flag of both values": "def f(xs):\n    seen = False\n    for x in xs:\n        if x:\n"
    "            seen = True\n    if seen:\n        return 1\n    return 2\n",
    "an entry that is begun anew": "def f(t, k):\n    if k in t:\n        t[k] = []\n    return t\n",
    "two that are kept in order": "def f(n, first, second):\n    if n > first:\n"
    "        second = first\n        first = n\n    return second\n",
    "an item that is read on": "def f(rows):\n    for row in rows:\n        row = row[::-1]\n        print(row)\n",
    "a sort of its own": "class A:\n    def sort(self):\n        return self\n\n\ndef f(a):\n    return a.sort()\n",
    "a tuple that is replaced": "def f(x):\n    seen = ()\n    seen = seen + (x,)\n    return seen\n",
    "nothing that is made": "def f(key=None):\n    if key is None:\n        key = len\n    return key(1)\n",
    "a list that is drained elsewhere": "def f(xs, take):\n    while xs:\n        take(xs[-1])\n",
    "no program": "def f(:\n",
}


@pytest.mark.parametrize("source", FINE.values(), ids=FINE)
def test_what_may_be_meant_is_no_plain_slip(source: str) -> None:
    """However near it comes to one."""
    assert plain_slips(source) == ()


BRACKETED = {
    "an identity": ("def f(a, b):\n    return (a or b) is 'x'\n", "(a or b) == 'x'"),
    "an identity denied over two lines": ("def f(a):\n    return (a is\n            not 'x')\n", "(a != 'x')"),
    "a comparison": ("def f(a, b):\n    (a == b)\n    return a\n", "    a = b\n"),
    "a sum": ("def f(b):\n    a = 1\n    (a - (b - 1))\n    return a\n", "    a -= b - 1\n"),
    "a method": ("def f(a):\n    (a.clear)\n    return a\n", "    a.clear()\n"),
    "a remainder": ("def f(a, b, n):\n    return (a - b) + 1 % n\n", "((a - b) + 1) % n"),
    "a key": (
        "def f():\n    a = []\n    b = a.sort(key=(lambda x: x))\n    return b\n",
        "sorted(a, key=(lambda x: x))",
    ),
    "other letters": ("def f(ä):\n    é = 'ü'; return ä is 'ö'\n", "ä == 'ö'"),
}


@pytest.mark.parametrize(("source", "repaired"), BRACKETED.values(), ids=BRACKETED)
def test_brackets_and_other_letters_do_not_matter(source: str, repaired: str) -> None:
    """What comes of it parses, and says what was meant."""
    text = mended(source)
    ast.parse(text)
    assert repaired in text


@pytest.mark.parametrize("bound", ["(-1)", "-1,", "-1  # down\n    "])
def test_a_bound_that_is_more_than_itself_is_left_to_the_search(bound: str) -> None:
    """A step would go to the wrong side of it."""
    assert plain_slips(f"def f(n):\n    return range(n - 1, {bound})\n") == ()


def test_alternatives_of_more_than_a_name_are_left_to_the_search() -> None:
    """Its operands would be put together otherwise."""
    assert plain_slips("def f(a, b):\n    return (a and b) == 1 or 2\n") == ()


def test_limits_with_a_comment_between_them_are_left_to_the_search() -> None:
    """It may hold the word that joins them."""
    assert plain_slips("def f(n):\n    return (\n        n < 1  # and so on\n        and n > 9\n    )\n") == ()
    assert mended("def f(n):\n    return (n < 1\n            and (n > 9))\n").count("or (n > 9)") == 1


def test_slips_side_by_side_are_all_undone() -> None:
    """Also where two of them put a line in the same place."""
    source = (
        "class A:\n    items = []\n    names = {}\n\n    def __init__(self, x):\n        self.x = x\n\n"
        "    def add(self, y):\n        self.items.append(y)\n        self.names[y] = 1\n"
        "        if x is 'a' or x == 1 or 2:\n"
        "            pass\n"
    )
    text = mended(source)
    ast.parse(text)
    assert "self.items = []\n        self.names = {}\n" in text
    assert "x == 'a'" in text


def test_a_table_whose_rows_hold_their_own_number_is_left_as_it_is() -> None:
    """Turned round, it would hold other numbers, or read a name that is not there."""
    loops = "    for i in range(h):\n        for j in range(w):\n            t[i][j] += 1\n    return t\n"
    assert plain_slips(f"def f(h, w):\n    t = [[r] * h for r in range(w)]\n{loops}") == ()


def test_entries_that_speak_of_a_key_are_left_as_they_are() -> None:
    """The comprehension would give that name another meaning."""
    made = "def f(rows, key):\n    t = dict.fromkeys(rows, [key])\n    for row in rows:\n        t[row].append(1)\n"
    assert plain_slips(made) == ()
