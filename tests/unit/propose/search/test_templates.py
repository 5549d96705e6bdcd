"""Each template is shown one slip, and must suggest what undoes it."""

from __future__ import annotations

import ast
from collections.abc import Collection
from random import Random

import pytest

from regreen.propose.search.best_first import BestFirstSearch
from regreen.propose.search.clues import HINTS, Clues, gather_clues
from regreen.propose.search.deduplication import DeduplicationKeys
from regreen.propose.search.line_suspicion import LineSuspicion
from regreen.propose.search.mutation import splice_edits
from regreen.propose.search.mutation_cursors import DistinctMutations, FirstEditCursor
from regreen.propose.search.mutation_queue import MutationQueue, templates_by_nodes
from regreen.propose.search.parsed_program import ParsedProgram
from regreen.propose.search.priors import TEMPLATE_PRIORS
from regreen.propose.search.raising_places import RaisedException
from regreen.propose.search.symptoms import SYMPTOMS
from regreen.propose.search.template import Template
from regreen.propose.search.templates import TEMPLATES
from regreen.syntax import parsed_or_none
from regreen.types import CheckResult, Outcome

LOOP = (
    "def f(xs, n):\n    i = 0\n    out = []\n    while i < n:\n"
    "        out.append(xs[i])\n        i += 1\n    return out\n"
)
TWO = "def f(a, b):\n    c = a\n    d = b\n    return c - d\n"
CLASS = (
    "class A:\n    def __init__(self, x):\n        self.x = x\n        self.n = 0\n\n"
    "    def m(self, x):\n        self.n += 1\n        return self.x\n\n    def k(self):\n        return self.m(1)\n"
)
IF_ELSE = "def f(x):\n    if x > 1:\n        y = 1\n    else:\n        y = 2\n    return y\n"

OWN_CHILDREN = (
    "(node):\n"
    "    if node is None:\n"
    "        return True\n"
    "    if node.left and node.left.value >= node.value:\n"
    "        return False\n"
    "    if node.right and node.right.value <= node.value:\n"
    "        return False\n"
    "    return f(node.left) and f(node.right)\n"
)
"""Asks a node and its two children alone whether they are in order."""
SLIPS: dict[str, tuple[str, str, str]] = {
    "whole_root_within": (
        "import math\n\ndef f(n):\n    return int(((8 * n + 1) ** 0.5 - 1) / 2)\n",
        "int(((8 * n + 1) ** 0.5 - 1) / 2)",
        "(math.isqrt(8 * n + 1) - 1) // 2",
    ),
    "only_the_top": (
        "def f(lines):\n    stack = []\n    for kind, name in lines:\n        if kind == 'open':\n"
        "            stack.append(name)\n        else:\n            if name not in stack:\n"
        "                return False\n            stack.pop()\n    return True\n",
        "name not in stack",
        "not stack or stack[-1] != name",
    ),
    "flag_past_the_end": (
        "def f(xs, n, limit):\n    runs = []\n    start = None\n    for i in range(n):\n"
        "        high = xs[i] > limit\n        if high and start is None:\n            start = i\n"
        "        elif not high and start is not None:\n            runs.append((start, i))\n"
        "            start = None\n    return runs\n",
        "range(n):\n        high = xs[i] > limit",
        "range(n + 1):\n        high = i < n and xs[i] > limit",
    ),
    "all_at_once": (
        "def f(text, n):\n    lit = [c == '#' for c in text]\n    for i in range(n):\n"
        "        lit[i] = lit[i - 1] != lit[(i + 1) % n]\n    return lit\n",
        "    for i in range(n):\n        lit[i] = lit[i - 1] != lit[(i + 1) % n]\n",
        "    lit = [lit[i - 1] != lit[(i + 1) % n] for i in range(n)]\n",
    ),
    "count_begins_anew": (
        "def f(heights, row):\n    return [h + (cell == '.') for h, cell in zip(heights, row)]\n",
        "h + (cell == '.')",
        "h + 1 if cell == '.' else 0",
    ),
    "compare_the_unread": (
        "def visit(u, parent, via, near):\n    for v, number in near[u]:\n        if v == parent:\n"
        "            continue\n        visit(v, u, number, near)\n",
        "v == parent",
        "number == via",
    ),
    "sign_of_quotient": (
        "def f(a, b):\n    whole = abs(a) // abs(b)\n    return -whole if a < 0 else whole\n",
        "a < 0",
        "(a < 0) != (b < 0)",
    ),
    "shift_the_sum": (
        "def f(marks, spot):\n    return marks << 1 | spot\n",
        "marks << 1 | spot",
        "(marks | spot) << 1",
    ),
    "moved_by_then": (
        "def f(tree, k, step):\n    place = 0\n    while step:\n        if tree[place + step] < k:\n"
        "            place += step\n            k -= tree[place + step]\n        step //= 2\n    return place\n",
        "            k -= tree[place + step]",
        "            k -= tree[place]",
    ),
    "only_what_is_open": (
        "def visit(u, graph, order, low, stack):\n    stack.append(u)\n    for v in graph[u]:\n"
        "        if v not in order:\n            visit(v, graph, order, low, stack)\n        else:\n"
        "            low[u] = min(low[u], order[v])\n",
        "            low[u] = min(low[u], order[v])\n",
        "            if v in stack:\n                low[u] = min(low[u], order[v])\n",
    ),
    "gather_all_values": (
        "class P:\n    def add(self, step, *needs):\n        self.needs[step] = set(needs)\n",
        "self.needs[step] = set(needs)",
        "self.needs.setdefault(step, set()).update(needs)",
    ),
    "begin_behind_the_mark": (
        "def f(text):\n    return text.split(';')\n",
        "    return text",
        '    text = text.removeprefix("\\ufeff")\n    return text',
    ),
    "put_in_at_once": (
        "import re\n\nPLACE = re.compile(r'<(\\w+)>')\n\ndef f(text, row):\n    out = text\n"
        "    for match in PLACE.finditer(text):\n        out = re.sub(re.escape(match[0]), row[match[1]], out)\n"
        "    return out\n",
        "    for match in PLACE.finditer(text):\n        out = re.sub(re.escape(match[0]), row[match[1]], out)\n",
        "    out = PLACE.sub(lambda match: row[match[1]], text)\n",
    ),
    "answers_for_prints": (
        "class L:\n    def back(self, toy):\n        if toy in self.lent:\n            del self.lent[toy]\n"
        "            print('thank you')\n        else:\n            print('not lent')\n",
        "            print('thank you')\n        else:\n            print('not lent')\n",
        "            return True\n        else:\n            return False\n",
    ),
    "letters_alone": (
        "def f(code):\n    return code.isupper()\n",
        "code.isupper()",
        "code.isalpha() and code.isupper()",
    ),
    "recursion_for_inner": (
        "def unpack(order):\n    out = []\n    for part in order:\n        if isinstance(part, str):\n"
        "            out.append(part)\n        else:\n            inner = part[1]\n            for thing in inner:\n"
        "                out.append(thing)\n    return out\n",
        "inner = part[1]",
        "inner = unpack(part[1])",
    ),
    "value_that_is_made_of_it": (
        "def f(prices, orders):\n    income = 0\n    for item, amount in orders:\n"
        "        cost = prices[item] * amount\n        income = income + prices[item]\n    return income\n",
        "income + prices[item]",
        "income + cost",
    ),
    "leap_years_so_far": (
        "def f(first, last):\n    def up_to(y):\n        return y // 4 - y // 100\n"
        "    return up_to(last) - up_to(first)\n",
        "y // 4 - y // 100",
        "y // 4 - y // 100 + y // 400",
    ),
    "middle_once": (
        "def f(xs):\n    out = []\n    for i in range((len(xs) + 1) // 2):\n        out.append(xs[i] + xs[-1 - i])\n"
        "    return out\n",
        "xs[i] + xs[-1 - i]",
        "xs[i] if i == len(xs) - 1 - i else xs[i] + xs[-1 - i]",
    ),
    "last_place_for_the_end": (
        "def f(xs, low, high, n):\n    counts = [0] * n\n    for x in xs:\n        if low <= x < high:\n"
        "            place = (x - low) * n // (high - low)\n            counts[place] += 1\n    return counts\n",
        "low <= x < high:\n            place = (x - low) * n // (high - low)\n            counts[place]",
        "low <= x <= high:\n            place = (x - low) * n // (high - low)\n"
        "            counts[min(place, len(counts) - 1)]",
    ),
    "in_either_direction": (
        "def f(a, b, taken):\n    for step in range(a + 1, b):\n        if step in taken:\n            return False\n"
        "    return True\n",
        "range(a + 1, b)",
        "range(min(a, b) + 1, max(a, b))",
    ),
    "of_the_same_kind": (
        "def f(text):\n    partner = {')': '(', ']': '['}\n    stack = []\n    for sign in text:\n"
        "        if sign in '([':\n            stack.append(sign)\n        elif sign in partner:\n"
        "            if not stack:\n                return False\n            stack.pop()\n    return not stack\n",
        "if not stack:\n                return False\n            stack.pop()\n",
        "if not stack or stack.pop() != partner[sign]:\n                return False\n",
    ),
    "use_up_where_taken": (
        "def f(mine, yours):\n    stock = Counter(yours)\n    shared = []\n    for colour in mine:\n"
        "        if stock[colour] > 0:\n            shared.append(colour)\n    return shared\n",
        "            shared.append",
        "            stock[colour] -= 1\n            shared.append",
    ),
    "enough_for_the_amount": (
        "def f(stock, item, amount):\n    if stock[item] == 0:\n        return False\n    stock[item] -= amount\n"
        "    return True\n",
        "stock[item] == 0",
        "stock[item] < amount",
    ),
    "extremes_of_span": (
        "def f(xs, most):\n    best = 0\n    for i in range(len(xs)):\n        for j in range(i, len(xs)):\n"
        "            if abs(xs[j] - xs[i]) > most:\n                break\n            best = max(best, j - i + 1)\n"
        "    return best\n",
        "abs(xs[j] - xs[i])",
        "max(xs[i:j + 1]) - min(xs[i:j + 1])",
    ),
    "whole_minutes": (
        "def f(now, h, m):\n    return now.replace(hour=h, minute=m)\n",
        "minute=m",
        "minute=m, second=0, microsecond=0",
    ),
    "hours_of_both_halves": (
        "def f(hour, half):\n    if half == 'PM':\n        hour += 12\n    return hour\n",
        "    if half",
        "    hour %= 12\n    if half",
    ),
    "set_behind_what_may_fail": (
        "class S:\n    def flush(self):\n        lines, self.lines = self.lines, []\n        self.size = 0\n"
        "        self.send(lines)\n        return len(lines)\n",
        "        lines, self.lines = self.lines, []\n        self.size = 0\n        self.send(lines)\n",
        "        lines = self.lines\n        self.send(lines)\n        self.lines = []\n        self.size = 0\n",
    ),
    "other_choice_first": (
        "def f(table, state, event):\n    found = table.get((None, event))\n    if found is None:\n"
        "        found = table.get((state, event))\n    return found\n",
        "table.get((None, event))\n    if found is None:\n        found = table.get((state, event))",
        "table.get((state, event))\n    if found is None:\n        found = table.get((None, event))",
    ),
    "rounds_of_sums": (
        "def f(lines, stock):\n    wanted = Counter()\n    for sku, n in lines:\n        wanted[sku] += n\n"
        "    missing = {}\n    for sku, n in lines:\n        if n > stock[sku]:\n"
        "            missing[sku] = n - stock[sku]\n    return missing\n",
        "    missing = {}\n    for sku, n in lines:",
        "    missing = {}\n    for sku, n in wanted.items():",
    ),
    "past_what_is_taken": (
        "def f(days, one):\n    kept = set()\n    for day in days:\n        while day.weekday() > 4:\n"
        "            day += one\n        kept.add(day)\n    return kept\n",
        "day.weekday() > 4:",
        "day.weekday() > 4 or day in kept:",
    ),
    "pass_over_switched_off": (
        "class H:\n    def off(self, one):\n        one.active = False\n\n    def emit(self, waiting):\n"
        "        for one in waiting:\n            one.call()\n",
        "            one.call()",
        "            if not one.active:\n                continue\n            one.call()",
    ),
    "all_in_one_transaction": (
        "class B:\n    def pay(self, payments):\n        for target, cents in payments:\n"
        "            self.move(target, cents)\n        self.db.commit()\n",
        "        for target, cents in payments:\n            self.move(target, cents)\n        self.db.commit()\n",
        "        with self.db:\n            for target, cents in payments:\n                self.move(target, cents)\n",
    ),
    "zeros_at_the_end": (
        "def f(versions):\n    def key(version):\n        return [int(part) for part in version.split('.')]\n"
        "    return max(versions, key=key)\n",
        "        return [int(part) for part in version.split('.')]\n",
        "        parts = [int(part) for part in version.split('.')]\n        while parts and parts[-1] == 0:\n"
        "            parts.pop()\n        return parts\n",
    ),
    "key_to_the_end": (
        "def f(lines):\n    table = {}\n    for key, value in lines:\n        table[key] = value\n"
        "    return list(table.items())\n",
        "        table[key]",
        "        table.pop(key, None)\n        table[key]",
    ),
    "all_that_are_most_common": (
        "def f(votes):\n    counts = Counter(votes)\n    return [vote for vote, count in counts.most_common(1)]\n",
        "counts.most_common(1)]",
        "counts.items() if count == max(counts.values())]",
    ),
    "number_before_text": (
        "def f(label):\n    digits = letters = ''\n    for ch in label:\n        if ch.isdigit():\n"
        "            digits += ch\n        else:\n            letters += ch\n    return digits + letters\n",
        "return digits + letters",
        "return (int(digits), letters)",
    ),
    "length_of_cycle": (
        "def f(x, m):\n    seen = []\n    while x not in seen:\n        seen.append(x)\n        x = x * x % m\n"
        "    return len(seen)\n",
        "len(seen)",
        "len(seen) - seen.index(x)",
    ),
    "round_behind_the_loop": (
        "def f(walls, k):\n    cans = 0\n    for w, h in walls:\n        area = w * h\n"
        "        cans = cans + area // k\n        if area % k != 0:\n            cans = cans + 1\n    return cans\n",
        "area // k\n        if area % k != 0:\n            cans = cans + 1\n",
        "area\n    cans = -(-cans // k)\n",
    ),
    "step_by_step": (
        "def f(price, discounts):\n    price -= price * sum(discounts) / 100\n    return price\n",
        "    price -= price * sum(discounts) / 100\n",
        "    for discount in discounts:\n        price -= price * discount / 100\n",
    ),
    "free_of_each_group": (
        "def f(n, price):\n    paid = n - 1 if n >= 3 else n\n    return paid * price\n",
        "n - 1 if n >= 3 else n",
        "n - n // 3",
    ),
    "common_multiple_of_all": (
        "import math\n\ndef f(xs):\n    return math.prod(xs) // math.gcd(*xs)\n",
        "math.prod(xs) // math.gcd(*xs)",
        "math.lcm(*xs)",
    ),
    "places_from_the_end": (
        "def f(xs, places):\n    taken = []\n    for p in places:\n        taken.append(xs[p])\n        del xs[p]\n"
        "    return taken\n",
        "        del xs[p]\n",
        "    for p in sorted(places, reverse=True):\n        del xs[p]\n",
    ),
    "count_on_where_one_went": (
        "def f(names, k):\n    ring = list(names)\n    out = []\n    place = -1\n    while ring:\n"
        "        place = (place + k) % len(ring)\n        out.append(ring.pop(place))\n    return out\n",
        "place = -1\n    while ring:\n        place = (place + k)",
        "place = 0\n    while ring:\n        place = (place + k - 1)",
    ),
    "round_past_the_end": (
        "def f(xs):\n    runs = []\n    start = 0\n    for i in range(1, len(xs)):\n        if xs[i] != xs[start]:\n"
        "            runs.append((xs[start], i - start))\n            start = i\n    return runs\n",
        "len(xs)):\n        if xs[i] != xs[start]:",
        "len(xs) + 1):\n        if i == len(xs) or xs[i] != xs[start]:",
    ),
    "pair_but_itself": (
        "def f(xs, n):\n    counts = Counter(xs)\n    ways = 0\n    for x in counts:\n"
        "        ways += counts[x] * counts[n - x]\n    return ways // 2\n",
        "counts[n - x]\n",
        "(counts[n - x] - (n - x == x))\n",
    ),
    "among_the_others": (
        "def f(words):\n    total = 0\n    for word in words:\n        if word[::-1] in words:\n"
        "            total += 1\n    return total\n",
        "for word in words:\n        if word[::-1] in words:",
        "for i, word in enumerate(words):\n        if word[::-1] in words[:i] + words[i + 1:]:",
    ),
    "as_many_pairs": (
        "def f(xs, k):\n    counts = Counter(xs)\n    return sum(1 for x in counts if x + k in counts)\n",
        "sum(1 for",
        "sum(counts[x] * counts[x + k] for",
    ),
    "as_many_pairs_in_loop": (
        "def f(xs, k):\n    counts = Counter(xs)\n    pairs = 0\n    for x in counts:\n        if x + k in counts:\n"
        "            pairs += 1\n    return pairs\n",
        "pairs += 1",
        "pairs += counts[x] * counts[x + k]",
    ),
    "names_count_as_well": (
        "def key(args, kwargs):\n    return args + tuple(kwargs[name] for name in sorted(kwargs))\n",
        "tuple(kwargs[name] for",
        "tuple((name, kwargs[name]) for",
    ),
    "work_out_again": (
        "def f(text, width, first, rest):\n    lines = []\n    start = first\n    room = width - len(first)\n"
        "    for word in text.split():\n        if len(word) > room:\n            lines.append(start)\n"
        "            start = rest\n    return lines\n",
        "            start = rest\n",
        "            start = rest\n            room = width - len(start)\n",
    ),
    "parts_of_the_size": (
        "class P:\n    def __str__(self):\n        units, cents = divmod(self.cents, 100)\n"
        '        return f"{units:,}.{cents:02} {self.unit}"\n',
        'divmod(self.cents, 100)\n        return f"{units',
        "divmod(abs(self.cents), 100)\n        return f\"{'-' if self.cents < 0 else ''}{units",
    ),
    "text_as_described": (
        'def f(text):\n    """The number without blanks and hyphens, in upper case."""\n'
        '    return text.strip().replace(" ", "")\n',
        'return text.strip().replace(" ", "")',
        'return text.strip().replace(" ", "").replace("-", "").upper()',
    ),
    "first_question_of_all": (
        "def f(roles, what):\n    for role in roles:\n        if role.denies(what):\n            return 'no'\n"
        "        if role.allows(what):\n            return 'yes'\n    return None\n",
        "        if role.allows(what):\n            return 'yes'\n",
        "    for role in roles:\n        if role.allows(what):\n            return 'yes'\n",
    ),
    "record_after_refusal": (
        "class A:\n    def attempt(self, key):\n        times = self.recent(key)\n        times.append(self.clock())\n"
        "        if len(times) > self.limit:\n            return False\n        return True\n",
        "        times.append(self.clock())\n        if len(times) > self.limit:\n            return False\n",
        "        if len(times) >= self.limit:\n            return False\n        times.append(self.clock())\n",
    ),
    "forget_the_oldest": (
        "def f(done, limit, edit):\n    if len(done) < limit:\n        done.append(edit)\n    return done\n",
        "    if len(done) < limit:\n        done.append(edit)\n",
        "    done.append(edit)\n    if len(done) > limit:\n        del done[0]\n",
    ),
    "keep_the_largest_of_each": (
        "def f(bids):\n    highest = {}\n    for name, bid in bids:\n        highest.setdefault(name, bid)\n"
        "    return highest\n",
        "highest.setdefault(name, bid)",
        "highest[name] = max(highest.get(name, bid), bid)",
    ),
    "span_over_the_end": (
        "def f(spans, change):\n    for left, right, amount in spans:\n        change[left] += amount\n"
        "        change[right + 1] -= amount\n    return change\n",
        "        change[right + 1] -= amount\n",
        "        change[right + 1] -= amount\n        if left > right:\n            change[0] += amount\n",
    ),
    "other_parity": (
        "def f(r, c):\n    shift = -(r % 2)\n    return c + shift\n",
        "-(r % 2)",
        "-(1 - r % 2)",
    ),
    "last_piece_without_gap": (
        "def f(cables, x, s):\n    return sum(c // (x + s) for c in cables)\n",
        "c // (x + s)",
        "(c + s) // (x + s)",
    ),
    "while_the_first_is_there_again": (
        "def f(strip, count):\n    first = 0\n    for last, motif in enumerate(strip):\n"
        "        count[motif] = count.get(motif, 0) + 1\n        while strip[first] == motif and first < last:\n"
        "            count[strip[first]] -= 1\n            first += 1\n    return first\n",
        "while strip[first] == motif and first < last:",
        "while count[strip[first]] > 1:",
    ),
    "insert_in_order": (
        "import bisect\n\n\ndef f(free, held, size, name):\n    at = bisect.bisect_left(free, size)\n"
        "    free.append(held.pop(name))\n    return at\n",
        "free.append(held.pop(name))",
        "bisect.insort(free, held.pop(name))",
    ),
    "keep_as_the_twin_does": (
        "def f(costs, gap, last, key):\n    new = {}\n    for other, cost in costs.items():\n"
        "        same = cost + gap(last, key)\n        if same < new.get(other, same + 1):\n"
        "            new[other] = same\n        swap = cost + gap(other, key)\n        new[last] = swap\n"
        "    return new\n",
        "        new[last] = swap\n",
        "        if swap < new.get(last, swap + 1):\n            new[last] = swap\n",
    ),
    "take_result_as_elsewhere": (
        "def f(n, falls, unite):\n    groups = n\n    for i in range(n):\n        if i not in falls:\n"
        "            unite(i)\n    for i in falls:\n        groups -= unite(i)\n    return groups\n",
        "            unite(i)\n    for",
        "            groups -= unite(i)\n    for",
    ),
    "answer_where_it_is_settled": (
        "def f(words):\n    before = ''\n    for word in words:\n        if before:\n"
        "            return word[0] == before[-1]\n        before = word\n    return True\n",
        "        if before:\n            return word[0] == before[-1]\n",
        "        if before and word[0] != before[-1]:\n            return False\n",
    ),
    "sign_of_what_was_given": (
        "def f(n):\n    total = 0\n    for digit in str(abs(n)):\n        total += int(digit)\n    return total\n",
        "return total",
        "return -total if n < 0 else total",
    ),
    "back_through_the_order": (
        "def f(graph, order, latest):\n    for name in graph:\n        order.append(name)\n    for name in order:\n"
        "        for need in graph[name]:\n            latest[need] = min(latest[need], latest[name] - 1)\n"
        "    return latest\n",
        "    for name in order:",
        "    for name in reversed(order):",
    ),
    "not_before_it_is_there": (
        "def f(arrivals, minutes):\n    free_at = 0\n    waits = []\n    for i in range(len(arrivals)):\n"
        "        waits.append(max(free_at - arrivals[i], 0))\n        free_at = free_at + minutes[i]\n"
        "    return waits\n",
        "free_at = free_at + minutes[i]",
        "free_at = max(free_at, arrivals[i]) + minutes[i]",
    ),
    "as_the_other_branch_asks": (
        "def f(odd, a, b, sa, sb, differ):\n    if a != b:\n        odd[a] = differ\n    elif sa ^ sb != differ:\n"
        "        return False\n    return True\n",
        "odd[a] = differ",
        "odd[a] = sa ^ sb ^ differ",
    ),
    "hand_down_the_best": (
        "def f(ways, first, second, to):\n    for way in ways:\n        if way < first[to]:\n"
        "            first[to] = way\n        elif way < second[to]:\n            second[to] = way\n"
        "    return second[to]\n",
        "            first[to] = way\n",
        "            first[to], second[to] = way, first[to]\n",
    ),
    "turn_product": (
        "from itertools import product\n\n\ndef f(sums, n, k):\n    for mask, bit in product(range(n), range(k)):\n"
        "        sums[mask] += sums[mask ^ bit]\n    return sums\n",
        "for mask, bit in product(range(n), range(k))",
        "for bit, mask in product(range(k), range(n))",
    ),
    "largest_power_first": (
        "def f(tree, size, k):\n    at, step = 0, size // 2\n    while step:\n"
        "        if at + step <= size and tree[at + step] < k:\n            at += step\n            k -= tree[at]\n"
        "        step //= 2\n    return at + 1\n",
        "size // 2\n",
        "1 << size.bit_length()\n",
    ),
    "move_to_the_front": (
        "def f(xs, at):\n    xs[0], xs[at] = xs[at], xs[0]\n    return xs\n",
        "xs[0], xs[at] = xs[at], xs[0]",
        "xs.insert(0, xs.pop(at))",
    ),
    "carry_flag_on": (
        "def count(digits):\n    def fill(at, tight):\n        if at == len(digits):\n            return 1\n"
        "        total = 0\n        for digit in range(digits[at] + 1 if tight else 10):\n"
        "            total += fill(at + 1, digit == digits[at])\n        return total\n    return fill(0, True)\n",
        "digit == digits[at])",
        "tight and digit == digits[at])",
    ),
    "spans_that_overlap": (
        "def f(start1, end1, start2, end2):\n    return start2 >= start1 and start2 < end1\n",
        "start2 >= start1 and start2 < end1",
        "start1 < end2 and start2 < end1",
    ),
    "exact_halves_up": (
        "def f(amount, step):\n    return round(abs(amount) / step) * step\n",
        "round(abs(amount) / step)",
        "(2 * abs(amount) + step) // (2 * step)",
    ),
    "replace_at_once": (
        "def f(xs, a, b):\n    xs = [b if x == a else x for x in xs]\n    xs = [a if x == b else x for x in xs]\n"
        "    return xs\n",
        "    xs = [b if x == a else x for x in xs]\n    xs = [a if x == b else x for x in xs]\n",
        "    xs = [b if x == a else a if x == b else x for x in xs]\n",
    ),
    "digits_of_fixed_width": (
        "def f(means):\n    return '#' + ''.join(hex(m)[2:] for m in means)\n",
        "hex(m)[2:]",
        'format(m, "02x")',
    ),
    "duplicates_that_count": (
        "def f(times):\n    order = sorted(set(times) - {None})\n    return order\n",
        "set(times) - {None}",
        "[item for item in times if item is not None]",
    ),
    "enough_of_each": (
        "def f(dishes, pantry):\n    return [d for d, needs in dishes.items() if all(i in pantry for i in needs)]\n",
        "(i in pantry for i in needs)",
        "(pantry.get(i, 0) >= amount for i, amount in needs.items())",
    ),
    "begin_count_again": (
        "def f(events):\n    misses = {}\n    for user, ok in events:\n        if not ok:\n"
        "            misses[user] = misses.get(user, 0) + 1\n    return misses\n",
        "            misses[user] = misses.get(user, 0) + 1\n",
        "            misses[user] = misses.get(user, 0) + 1\n        else:\n            misses[user] = 0\n",
    ),
    "until_it_stays": (
        "import re\n\n\ndef crush(row):\n    return re.sub('(.)a', '', row)\n",
        "    return re.sub('(.)a', '', row)",
        "    while True:\n        changed = re.sub('(.)a', '', row)\n        if changed == row:\n"
        "            return row\n        row = changed",
    ),
    "replaced_until_it_stays": (
        "def f(text):\n    text = text.replace('()', '')\n    return text\n",
        "    text = text.replace('()', '')",
        "    while '()' in text:\n        text = text.replace('()', '')",
    ),
    "part_as_the_whole": (
        "def weigh(crate):\n    weight = crate[0]\n    for part in crate[1:]:\n        if isinstance(part, list):\n"
        "            weight += sum(x for x in part if x)\n        else:\n            weight += part\n"
        "    return weight\n",
        "sum(x for x in part if x)",
        "weigh(part)",
    ),
    "as_long_as_the_longer": (
        "def f(a, b, step):\n    out = []\n    for i in range(0, len(a), step):\n"
        "        out += a[i:i + step] + b[i:i + step]\n    return out\n",
        "len(a)",
        "max(len(a), len(b))",
    ),
    "mean_of_all_together": (
        "def f(classes):\n    total = count = 0\n    for marks in classes:\n        total += sum(marks) / len(marks)\n"
        "        count += 1\n    return total / count\n",
        "total += sum(marks) / len(marks)\n        count += 1",
        "total += sum(marks)\n        count += len(marks)",
    ),
    "by_what_was_lost": (
        "def f(cents, weights):\n    total = sum(weights)\n    shares = [cents * w // total for w in weights]\n"
        "    order = sorted(range(len(weights)), key=lambda i: weights[i], reverse=True)\n    return shares, order\n",
        "lambda i: weights[i]",
        "lambda i: cents * weights[i] % total",
    ),
    "digits_without_zero": (
        "def f(n, letters):\n    out = ''\n    while n > 0:\n        n, place = divmod(n, len(letters))\n"
        "        out = letters[place - 1] + out\n    return out\n",
        "divmod(n, len(letters))\n        out = letters[place - 1]",
        "divmod(n - 1, len(letters))\n        out = letters[place]",
    ),
    "all_later_ones": (
        "def f(levels):\n    worst = 0\n    for a, b in zip(levels, levels[1:]):\n        worst = max(worst, a - b)\n"
        "    return worst\n",
        "def f(levels):\n    worst = 0\n    for a, b in zip(levels, levels[1:]):",
        "from itertools import combinations\ndef f(levels):\n    worst = 0\n    for a, b in combinations(levels, 2):",
    ),
    "as_asked_of_the_first": (
        "def f(least, n):\n    for i in range(2, n):\n        if least[i] == 0:\n            for j in range(i, n, i):\n"
        "                least[j] = i\n    return least\n",
        "                least[j] = i\n",
        "                if least[j] == 0:\n                    least[j] = i\n",
    ),
    "begin_from_the_other_end": (
        "def f(a, right):\n    cur = a[0]\n    for i in range(len(a) - 2, -1, -1):\n        cur = max(cur, 0) + a[i]\n"
        "        right[i] = cur\n    return right\n",
        "    for i in range(len(a) - 2, -1, -1):",
        "    cur = a[-1]\n    for i in range(len(a) - 2, -1, -1):",
    ),
    "guard_as_the_way_back": (
        "def f(g, out, top, bottom, left, right):\n    while top <= bottom and left <= right:\n        top += 1\n"
        "        for j in range(left, right):\n            out.append(g[bottom][j])\n        bottom -= 1\n"
        "        if left <= right:\n            right -= 1\n    return out\n",
        "        for j in range(left, right):\n            out.append(g[bottom][j])\n        bottom -= 1\n",
        "        if top <= bottom:\n            for j in range(left, right):\n"
        "                out.append(g[bottom][j])\n            bottom -= 1\n",
    ),
    "put_in_as_it_is": (
        "def f(pattern, body, text):\n    return pattern.sub(r'\\1' + body + r'\\3', text)\n",
        "r'\\1' + body + r'\\3'",
        "lambda match: match[1] + body + match[3]",
    ),
    "room_for_the_ending": (
        "class A:\n    def f(self, base, n):\n        if n > self.limit:\n            return ''\n"
        "        return f'{base}-{n}'\n",
        "        return f'{base}-{n}'\n",
        "        suffix = f'-{n}'\n        return base[:self.limit - len(suffix)] + suffix\n",
    ),
    "spread_another": (
        "def f(head, body):\n    foot = [head]\n    return list(zip(head, *body))\n",
        "*body",
        "*body, *foot",
    ),
    "keep_the_rest_of_the_row": (
        "def f(db, a, b):\n    db.execute('INSERT OR REPLACE INTO t (name, value, made) VALUES (?, ?, ?)', (a, b, b))\n"
        "",
        "'INSERT OR REPLACE INTO t (name, value, made) VALUES (?, ?, ?)'",
        '"INSERT INTO t (name, value, made) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"',
    ),
    "stale_entries": (
        "from heapq import heappop\n\n\nclass A:\n    def take(self):\n        entry = heappop(self.heap)\n"
        "        name = entry[2]\n        if name in self.entries:\n            return name\n",
        "name in self.entries",
        "self.entries.get(name) == entry",
    ),
    "open_again": (
        "def f(parts, names):\n    for name in names:\n        current = parts[name] = {}\n        current[name] = 1\n"
        "    return parts\n",
        "current = parts[name] = {}",
        "current = parts.setdefault(name, {})",
    ),
    "table_of_its_own": (
        "class A:\n    def __init_subclass__(cls):\n        for name, value in vars(cls).items():\n"
        "            cls.commands[name] = value\n",
        "cls):\n",
        "cls):\n        cls.commands = dict(cls.commands)\n",
    ),
    "keep_rest_of_interval": (
        "class A:\n    def fill(self, now):\n        dropped = (now - self.stamp) // self.interval\n"
        "        self.tokens += dropped\n        self.stamp = now\n",
        "self.stamp = now",
        "self.stamp += dropped * self.interval",
    ),
    "count_from_the_start": (
        "def f(start, every, until, add):\n    count = 1\n    day = add(start, every)\n    while day <= until:\n"
        "        count += 1\n        day = add(day, every)\n    return day\n",
        "add(day, every)",
        "add(start, count * every)",
    ),
    "aware_moments_are_moved": (
        "from datetime import datetime\n\n\ndef f(text, zone):\n"
        "    return datetime.fromisoformat(text).replace(tzinfo=zone)\n",
        "    return datetime.fromisoformat(text).replace(tzinfo=zone)\n",
        "    moment = datetime.fromisoformat(text)\n    if moment.tzinfo is not None:\n"
        "        return moment.astimezone(zone)\n    return moment.replace(tzinfo=zone)\n",
    ),
    "fresh_with_each_call": (
        "used = {}\n\n\ndef f(names):\n    for name in names:\n        used[name] = used.get(name, 0) + 1\n"
        "    return len(used)\n",
        "used = {}\n\n\ndef f(names):\n",
        "\n\ndef f(names):\n    used = {}\n",
    ),
    "whole_number_before": (
        "def f(code, i):\n    return int(code[i - 1])\n",
        "code[i - 1]",
        'code[len(code[:i].rstrip("0123456789")):i]',
    ),
    "what_is_left_of_either": (
        "def f(a, b):\n    out = []\n    i = j = 0\n    while i < len(a) and j < len(b):\n        i, j = i + 1, j + 2\n"
        "    if len(a) > len(b):\n        out += a[i:]\n    else:\n        out += b[j:]\n    return out\n",
        "if len(a) > len(b)",
        "if i < len(a)",
    ),
    "half_in_order": (
        "def f(xs, lo, hi, mid, x):\n    if xs[lo] <= xs[mid]:\n        if x < xs[mid]:\n            hi = mid\n"
        "    return hi\n",
        "x < xs[mid]",
        "xs[lo] <= x < xs[mid]",
    ),
    "behind_what_is_left": (
        "def f(stack):\n    top = stack.pop()\n    left = top if stack else 0\n    return left\n",
        "top if stack",
        "stack[-1] + 1 if stack",
    ),
    "chains_without_shared_ends": (
        "def f(xs):\n    there = sorted(xs)\n    back = there[::-1]\n    return there + back[1:]\n",
        "there + back[1:]",
        "there[:-1] + back[:-1]",
    ),
    "no_further_than_the_rest": (
        "def f(arm, i, right, mid):\n    if i < right:\n        arm[i] = arm[2 * mid - i]\n    return arm\n",
        "arm[2 * mid - i]",
        "min(arm[2 * mid - i], right - i)",
    ),
    "far_enough_from_the_start": (
        "def f(a, b, i, j):\n    return a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]\n",
        "a[i - 1] ==",
        "i > 1 and j > 1 and a[i - 1] ==",
    ),
    "way_that_led_here": (
        "def f(ways, place, parent, via):\n    for other, index in ways:\n        if other == parent[place]:\n"
        "            continue\n        parent[other], via[other] = place, index\n    return via\n",
        "other == parent[place]",
        "index == via[place]",
    ),
    "turn_sign_with_swap": (
        "def f(m, k, p):\n    sign, before = 1, 1\n    if k != p:\n        m[k], m[p] = m[p], m[k]\n"
        "    return sign * m[k]\n",
        "m[p], m[k]\n",
        "m[p], m[k]\n        sign = -sign\n",
    ),
    "clear_what_was_handed_on": (
        "class A:\n    def push(self, node):\n        if self.late[node]:\n"
        "            self.top[node + 1] += self.late[node]\n",
        "+= self.late[node]\n",
        "+= self.late[node]\n            self.late[node] = 0\n",
    ),
    "less_than_all": (
        "class A:\n    NONE = 0\n\n    def top(self, xs):\n        return max([self.NONE, *xs])\n",
        "NONE = 0",
        'NONE = float("-inf")',
    ),
    "strike_out_once": (
        "def f(marks):\n    best, worst = max(marks), min(marks)\n"
        "    return [m for m in marks if m != best and m != worst]\n",
        "[m for m in marks if m != best and m != worst]",
        "sorted(marks)[1:-1]",
    ),
    "strike_out_once_in_loop": (
        "def f(marks):\n    best = max(marks)\n    total = number = 0\n    for m in marks:\n"
        "        if m != best and m != min(marks):\n            total += m\n            number += 1\n"
        "    return total / number\n",
        "    for m in marks:\n        if m != best and m != min(marks):\n            total += m\n"
        "            number += 1\n",
        "    for m in sorted(marks)[1:-1]:\n        total += m\n        number += 1\n",
    ),
    "numbers_by_item": (
        "def f(orders):\n    return [dict(enumerate(order)) for order in orders]\n",
        "dict(enumerate(order))",
        "{x: i for i, x in enumerate(order)}",
    ),
    "place_for_what_stands_there": (
        "def f(board, at):\n    seen = []\n    while at < len(board):\n        if board[at] in seen:\n"
        "            return -1\n        seen.append(board[at])\n        at += board[at]\n    return len(seen)\n",
        "board[at] in seen:\n            return -1\n        seen.append(board[at])",
        "at in seen:\n            return -1\n        seen.append(at)",
    ),
    "first_of_most_counted": (
        "def f(votes):\n    counts = {}\n    for v in votes:\n        counts[v] = counts.get(v, 0) + 1\n"
        "    return max(counts)\n",
        "max(counts)",
        "min(counts, key=lambda x: (-counts[x], x))",
    ),
    "largest_and_not_last": (
        "def f(order, end, days):\n    return end[order[-1]] + days[order[-1]] if order else 0\n",
        "end[order[-1]] + days[order[-1]] if order else 0",
        "max((end[x] + days[x] for x in order), default=0)",
    ),
    "of_the_whole": (
        "def f(xs):\n    total = 0\n    for x, y in xs:\n        total += abs(x - y)\n    return total / 2\n",
        "abs(x - y)\n    return total / 2",
        "x - y\n    return abs(total) / 2",
    ),
    "mean_of_what_is_there": (
        "def f(a, b):\n    return ((a or 0) + (b or 0)) / 2\n",
        "((a or 0) + (b or 0)) / 2",
        "a if b is None else b if a is None else (a + b) / 2",
    ),
    "rate_of_the_whole": (
        "def f(legs):\n    way = sum(k for k, v in legs)\n    all_ = sum(k * v for k, v in legs)\n"
        "    return round(all_ / way, 1)\n",
        "k * v for k, v in legs)\n    return round(all_ / way",
        "k / v for k, v in legs)\n    return round(way / all_",
    ),
    "rest_to_those_who_lost_most": (
        "def f(total, ws):\n    whole = sum(ws)\n    shares = [total * w // whole for w in ws]\n"
        "    left = total - sum(shares)\n    for i in range(left):\n        shares[i] += 1\n    return shares\n",
        "range(left)",
        "sorted(range(len(shares)), key=lambda i: -(total * ws[i] % whole))[:left]",
    ),
    "part_within_bracket": (
        "def f(income, table):\n    tax = 0\n    for i, (start, rate) in enumerate(table):\n"
        "        if income <= start:\n            break\n        tax = income * rate\n    return tax\n",
        "tax = income * rate",
        "tax += (min(income, table[i + 1][0] if i + 1 < len(table) else income) - start) * rate",
    ),
    "difference_of_compared": (
        "def f(games):\n    total = 0\n    for own, other in games:\n        if own > other:\n            print(own)\n"
        "        total = total + own\n    return total\n",
        "total + own\n",
        "total + own - other\n",
    ),
    "way_in_either_direction": (
        "def f(way, goal, floor):\n    return way + goal - floor\n",
        "way + goal - floor",
        "way + abs(goal - floor)",
    ),
    "better_one_begins_anew": (
        "def f(text):\n    deepest = depth = 0\n    found = []\n    for c in text:\n        depth += 1\n"
        "        deepest = max(deepest, depth)\n        if depth == deepest:\n            found.append(c)\n"
        "    return found\n",
        "        deepest = max(deepest, depth)\n",
        "        if depth > deepest:\n            deepest = depth\n            found = []\n",
    ),
    "count_in_branch": (
        "def f(text):\n    out = []\n    seen = 0\n    for c in text:\n        if c.isdigit():\n"
        "            c = str(seen)\n        out.append(c)\n        seen += 1\n    return out\n",
        "            c = str(seen)\n        out.append(c)\n        seen += 1\n",
        "            c = str(seen)\n            seen += 1\n        out.append(c)\n",
    ),
    "number_at_the_end": (
        "def f(text):\n    total, number = 0, ''\n    for c in text:\n        if c.isdigit():\n"
        "            number += c\n        else:\n            total += int(number)\n            number = ''\n"
        "    if text.isdigit():\n        return int(text) * 60\n    return total\n",
        "    if text.isdigit():\n        return int(text) * 60\n",
        "    if number:\n        total += int(number) * 60\n",
    ),
    "first_as_later": (
        "def f(node, text):\n    price = None\n    for c in text:\n        node = node[c]\n"
        "        price = node.get('price', price)\n    return price\n",
        "price = None",
        "price = node.get('price')",
    ),
    "else_where_it_is_there": (
        "def f(row):\n    runs = []\n    length = 0\n    for c in row:\n        if c == '#':\n            length += 1\n"
        "        else:\n            runs.append(length)\n            length = 0\n    return runs\n",
        "        else:\n",
        "        elif length:\n",
    ),
    "children_first": (
        (
            "def f(graph):\n    order = []\n\n    def visit(node):\n        order.append(node)\n"
            "        for other in graph[node]:\n            visit(other)\n\n    visit('a')\n    return order\n"
        ),
        (
            "        order.append(node)\n        for other in graph[node]:\n            visit(other)\n\n"
            "    visit('a')\n    return order\n"
        ),
        (
            "        for other in graph[node]:\n            visit(other)\n        order.append(node)\n\n"
            "    visit('a')\n    return order[::-1]\n"
        ),
    ),
    "skip_all_of_them": (
        (
            "def f(text):\n    left, right = 0, len(text) - 1\n    while left < right:\n"
            "        if not text[left].isalnum():\n            left += 1\n"
            "        if not text[right].isalnum():\n            right -= 1\n        left += 1\n"
            "        right -= 1\n"
        ),
        ("        if not text[left].isalnum():\n            left += 1\n        if not text[right].isalnum():\n"),
        (
            "        while left < right and not text[left].isalnum():\n            left += 1\n"
            "        while left < right and not text[right].isalnum():\n"
        ),
    ),
    "later_of_both_ends": (
        (
            "def f(spans, merged):\n    for start, end in spans:\n        last_start, last_end = merged[-1]\n"
            "        if start <= last_end:\n            merged[-1] = (last_start, end)\n    return merged\n"
        ),
        "(last_start, end)",
        "(last_start, max(last_end, end))",
    ),
    "join_in_order": ("def f(words):\n    return ', '.join(words)\n", "join(words)", "join(sorted(words))"),
    "ends_next_day": (
        (
            "from datetime import datetime, timedelta\n\n\ndef f(day, since, until):\n"
            "    start = datetime.combine(day, since)\n    end = datetime.combine(day, until)\n"
            "    return end - start\n"
        ),
        "    end = datetime.combine(day, until)\n",
        "    end = datetime.combine(day, until)\n    if end <= start:\n        end += timedelta(days=1)\n",
    ),
    "substitute_at_once": (
        (
            "def f(text):\n    for found in PLACE.finditer(text):\n"
            "        text = text.replace(found[0], fill(found))\n    return text\n"
        ),
        "    for found in PLACE.finditer(text):\n        text = text.replace(found[0], fill(found))\n",
        "    text = PLACE.sub(fill, text)\n",
    ),
    "unescape_at_once": (
        "import re\n\n\ndef f(text):\n    return text.replace('\\\\n', '\\n').replace('\\\\;', ';')\n",
        "text.replace('\\\\n', '\\n').replace('\\\\;', ';')",
        "re.sub(r\"(?s)\\\\(.)\", lambda found: {'n': '\\n'}.get(found[1], found[1]), text)",
    ),
    "length_compared": (
        "def f(grid, r):\n    if r >= grid:\n        return None\n    return grid[r]\n",
        "r >= grid",
        "r >= len(grid)",
    ),
    "give_items": (
        "def f(nums, weight):\n    return sorted(key=weight)\n",
        "sorted(key=weight)",
        "sorted(nums, key=weight)",
    ),
    "keep_separators": ("import re\n\n\ndef f(text):\n    return re.split(r'\\d+', text)\n", "r'\\d+'", "r'(\\d+)'"),
    "wrap_for_clamp": (
        "def f(r, d, rows):\n    return max(0, min(rows - 1, r + d))\n",
        "max(0, min(rows - 1, r + d))",
        "(r + d) % rows",
    ),
    "all_most_common": (
        "def f(counts):\n    return [counts.most_common(1)[0][0]]\n",
        "[counts.most_common(1)[0][0]]",
        "[one for one in counts if counts[one] == max(counts.values())]",
    ),
    "fewer_of_both": (
        (
            "def f(row):\n    flips = 0\n    for i, lamp in enumerate(row):\n        if lamp != i % 2:\n"
            "            flips += 1\n    return flips\n"
        ),
        "return flips",
        "return min(flips, len(row) - flips)",
    ),
    "months_from_zero": (
        "def f(day, n):\n    index = day.month + n\n    return day.year + index // 12, index % 12\n",
        "day.month + n\n    return day.year + index // 12, index % 12",
        "day.month - 1 + n\n    return day.year + index // 12, index % 12 + 1",
    ),
    "fall_but_last": (
        (
            "def f(teams):\n    rows = []\n    for team in teams:\n"
            "        rows.append((team.points, team.goals, team.name))\n    rows.sort(reverse=True)\n"
            "    return rows\n"
        ),
        "reverse=True",
        "key=lambda one: (-one[0], -one[1], one[2])",
    ),
    "table_decides": (
        "def f(waiting, job):\n    waiting[job] -= 1\n    return [job for job in waiting]\n",
        "in waiting]",
        "in waiting if waiting[job] == 0]",
    ),
    "last_digit_of_rest": (
        (
            "def f(n):\n    back = 0\n    while n > 0:\n        back = back * 10 + n\n        n //= 10\n"
            "    return back\n"
        ),
        "back * 10 + n\n",
        "back * 10 + n % 10\n",
    ),
    "fill_what_is_given": (
        (
            "def f(cases):\n    answers = []\n    for case in cases:\n        cost = sum(case)\n"
            "    return ' '.join(answers)\n"
        ),
        "        cost = sum(case)\n",
        "        cost = sum(case)\n        answers.append(str(cost))\n",
    ),
    "call_before_changes": (
        "class Sender:\n    def flush(self, batch):\n        del self.items[:9]\n        self.sent += 1\n"
        "        self.send(batch)\n",
        "        del self.items[:9]\n        self.sent += 1\n        self.send(batch)\n",
        "        self.send(batch)\n        del self.items[:9]\n        self.sent += 1\n",
    ),
    "keep_earlier_end": (
        (
            "def f(talks):\n    count, free = 0, 0\n    for start, end in sorted(talks):\n"
            "        if start >= free:\n            count += 1\n            free = end\n    return count\n"
        ),
        "            free = end\n",
        "            free = end\n        elif end < free:\n            free = end\n",
    ),
    "only_child": (
        ("def f(tree):\n    if tree is None:\n        return 0\n    return 1 + min(f(tree.left), f(tree.right))\n"),
        "    return 1 + min(f(tree.left), f(tree.right))\n",
        (
            "    if tree.left is None:\n        return 1 + f(tree.right)\n    if tree.right is None:\n"
            "        return 1 + f(tree.left)\n    return 1 + min(f(tree.left), f(tree.right))\n"
        ),
    ),
    "count_back": (
        (
            "class Shelf:\n    def lend(self, book, who):\n        self.lent[book] = who\n"
            "        self.number[who] = self.number.get(who, 0) + 1\n\n    def give_back(self, book):\n"
            "        self.lent.pop(book)\n"
        ),
        "        self.lent.pop(book)\n",
        "        self.number[self.lent.pop(book)] -= 1\n",
    ),
    "replace_equal_key": (
        (
            "class Node:\n    def __init__(self, key, value):\n        self.key = key\n"
            "        self.value = value\n\n\ndef put(node, key, value):\n    if key < node.key:\n"
            "        node.left = put(node.left, key, value)\n    else:\n"
            "        node.right = put(node.right, key, value)\n    return node\n"
        ),
        "    else:\n        node.right = put(node.right, key, value)\n",
        (
            "    elif key > node.key:\n        node.right = put(node.right, key, value)\n    else:\n"
            "        node.value = value\n"
        ),
    ),
    "least_of_all": ("def f(waiting):\n    return waiting[0][2]\n", "waiting[0][2]", "min(one[2] for one in waiting)"),
    "wrap_as_turned_back": (
        (
            "def f(orders):\n    look = 0\n    for order in orders:\n        if order == 'L':\n"
            "            look = (look - 1) % 4\n        else:\n            look = look + 1\n    return look\n"
        ),
        "            look = look + 1\n",
        "            look = (look + 1) % 4\n",
    ),
    "count_empty_beginning": (
        (
            "def f(values, k):\n    seen = {}\n    total = count = 0\n    for value in values:\n"
            "        total += value\n        count += seen.get(total - k, 0)\n"
            "        seen[total] = seen.get(total, 0) + 1\n    return count\n"
        ),
        "    seen = {}\n",
        "    seen = {}\n    seen[0] = 1\n",
    ),
    "own_quote_ends": (
        (
            "def f(line):\n    quote = ''\n    for sign in line:\n        if sign in '\"\\'':\n"
            "            quote = '' if quote else sign\n    return quote\n"
        ),
        "            quote = '' if quote else sign\n",
        (
            "            if not quote:\n                quote = sign\n            elif sign == quote:\n"
            "                quote = ''\n"
        ),
    ),
    "keep_spelling": (
        (
            "def f(text, counts):\n    for sign in text.lower():\n        if counts[sign] == 1:\n"
            "            return sign\n"
        ),
        "text.lower():\n        if counts[sign]",
        "text:\n        if counts[sign.lower()]",
    ),
    "power_of_one": (
        "def f(prime, count):\n    return f'{prime}^{count}'\n",
        "f'{prime}^{count}'",
        "f'{prime}' if count == 1 else f'{prime}^{count}'",
    ),
    "neither_end": (
        (
            "def f(words):\n    return [w for i, w in enumerate(words) if w] or [0]\n\n\ndef g(words):\n"
            "    for i, word in enumerate(words):\n        if i > 0:\n            print(word)\n"
        ),
        "i > 0",
        "0 < i < len(words) - 1",
    ),
    "whole_root": (
        "import math\n\n\ndef f(n):\n    return math.floor(math.sqrt(n))\n",
        "math.floor(math.sqrt(n))",
        "math.isqrt(n)",
    ),
    "refuse_before_counting": (
        (
            "class Limiter:\n    def allow(self, now):\n        self.hits.append(now)\n"
            "        return len(self.hits) <= self.limit\n"
        ),
        "        self.hits.append(now)\n        return len(self.hits) <= self.limit\n",
        (
            "        if len(self.hits) >= self.limit:\n            return False\n"
            "        self.hits.append(now)\n        return True\n"
        ),
    ),
    "exact_before_beginnings": (
        ("def f(text, names):\n    found = [name for name in names if name.startswith(text)]\n    return found[0]\n"),
        "    found =",
        "    if text in names:\n        return text\n    found =",
    ),
    "last_one_decides": (
        (
            "def f(rules, path):\n    verdict = False\n    for rule in rules:\n        if rule.matches(path):\n"
            "            return not rule.negated\n    return verdict\n"
        ),
        "            return not rule.negated\n",
        "            verdict = not rule.negated\n",
    ),
    "default_counts_too": (
        "def f(others, least):\n    return max(others) if others else least\n",
        "max(others) if others else least",
        "max([*others, least])",
    ),
    "only_within_unread": (
        "HOUSE = 6\n\n\ndef f(red, yellow):\n    return sorted(red) < sorted(yellow)\n",
        "sorted(red) < sorted(yellow)",
        "sorted(item for item in red if item <= HOUSE) < sorted(item for item in yellow if item <= HOUSE)",
    ),
    "place_in_unread": (
        "PLACES = '1234567890'\n\n\ndef f(row):\n    return [int(c) - 1 for c in row]\n",
        "int(c) - 1",
        "PLACES.index(c)",
    ),
    "only_known_signs": (
        "def f(code):\n    return chr(code).isprintable()\n",
        "chr(code).isprintable()",
        "32 <= code < 127",
    ),
    "quadrant_of_angle": (
        "import math\n\n\ndef f(east, north):\n    return math.degrees(math.atan(east / north))\n",
        "math.atan(east / north)",
        "math.atan2(east, north)",
    ),
    "in_order_of_size": (
        "def f(a, b, c):\n    length, width, height = a, b, c\n    return length + 2 * (width + height)\n",
        "= a, b, c",
        "= sorted((a, b, c), reverse=True)",
    ),
    "state_with_the_rest": (
        "def f(queue, seen):\n    while queue:\n        y, x, used = queue.popleft()\n        ny, nx = y + 1, x\n"
        "        state = (ny, nx)\n        seen.add(state)\n",
        "(ny, nx)",
        "(ny, nx, used)",
    ),
    "nearest_step": (
        "def f(heading, step):\n    return int(heading / step)\n",
        "int(heading / step)",
        "round(heading / step)",
    ),
    "say_that_it_changed": (
        "def f(xs):\n    changed = True\n    while changed:\n        changed = False\n"
        "        for i in range(len(xs) - 1):\n"
        "            if xs[i] > xs[i + 1]:\n                xs[i], xs[i + 1] = xs[i + 1], xs[i]\n    return xs\n",
        "xs[i + 1], xs[i]\n",
        "xs[i + 1], xs[i]\n                changed = True\n",
    ),
    "move_last_link": (
        "class Chain:\n    def __init__(self):\n        self.first = self.last = None\n\n"
        "    def drop(self, before, gone):\n"
        "        before.next = gone.next\n",
        "        before.next = gone.next\n",
        "        before.next = gone.next\n        if gone is self.last:\n            self.last = before\n",
    ),
    "leave_out_one_of_each": (
        "def f(marks):\n    best = max(marks)\n    worst = min(marks)\n    total = 0\n    for mark in marks:\n"
        "        if mark != best and mark != worst:\n            total += mark\n    return total\n",
        "        if mark != best and mark != worst:\n            total += mark\n",
        "        total += mark\n    total -= best + worst\n",
    ),
    "less_what_is_in_it": (
        "def f(sizes, filled, i, water):\n    room = sizes[i]\n    filled[i] += min(room, water)\n",
        "room = sizes[i]",
        "room = sizes[i] - filled[i]",
    ),
    "refuse_where_on_the_way": (
        "def f(tree, signs):\n    node = tree\n    for sign in signs:\n        node = node[sign]\n"
        "        if node == 0:\n"
        "            node = tree\n    return signs\n",
        "            node = tree\n    return",
        "            node = tree\n    if node is not tree:\n        raise ValueError\n    return",
    ),
    "go_down_in_both": (
        "def level(mobile):\n    if isinstance(mobile, int):\n        return True\n    left, right = mobile\n"
        "    if weight(left) != weight(right):\n        return False\n    return True\n",
        "        return False\n    return True\n",
        "        return False\n    return level(left) and level(right)\n",
    ),
    "next_year_where_over": (
        "from datetime import date\n\n\ndef f(born, today):\n    day = date(today.year, born.month, born.day)\n"
        "    return (day - today).days\n",
        "    return",
        "    if day < today:\n        day = date(today.year + 1, born.month, born.day)\n    return",
    ),
    "places_in_order": (
        "def f(key):\n    order = []\n    for letter in sorted(key):\n        order.append(key.index(letter))\n"
        "    return order\n",
        "    for letter in sorted(key):\n        order.append(key.index(letter))\n",
        "    for place in sorted(range(len(key)), key=lambda place: key[place]):\n        order.append(place)\n",
    ),
    "follow_the_other_way": (
        "def f(heights, step):\n    climb = 0\n    reference = heights[0]\n    for height in heights:\n"
        "        if height - reference >= step:\n            climb += height - reference\n"
        "            reference = height\n    return climb\n",
        "            reference = height\n    return",
        "            reference = height\n        elif height - reference <= -step:\n"
        "            reference = height\n    return",
    ),
    "read_as_place": (
        "def f(text):\n    start = text.find('a')\n    if not start:\n        return ''\n    return text[start:]\n",
        "if not start:",
        "if start == -1:",
    ),
    "ask_what_sign_it_is": (
        "def f(text):\n    for char in text:\n        if char:\n            return char\n",
        "if char:",
        "if char.isdigit():",
    ),
    "ask_by_turns": (
        "def f(xs):\n    for i, x in enumerate(xs):\n        yield x * (3 if i else 1)\n",
        "if i else",
        "if i % 2 else",
    ),
    "ask_kind_before_recursion": (
        "def flat(xs, depth):\n    out = []\n    for x in xs:\n        if depth > 0:\n"
        "            out.extend(flat(x, depth - 1))\n    return out\n",
        "if depth > 0:",
        "if isinstance(x, list) and depth > 0:",
    ),
    "stop_where_it_fits": (
        "def f(xs, item):\n    j = len(xs) - 2\n    while j >= 0:\n        xs[j + 1] = xs[j]\n        j -= 1\n"
        "    xs[j + 1] = item\n",
        "while j >= 0:",
        "while j >= 0 and xs[j] > item:",
    ),
    "wrap_within_letters": (
        "def f(c, base, k):\n    return chr(ord(c) - base + k + base)\n",
        "ord(c) - base + k + base",
        "(ord(c) - base + k) % 26 + base",
    ),
    "with_same_of_unread": (
        "def f(begin, end):\n    return minutes(end)\n",
        "minutes(end)",
        "minutes(end) - minutes(begin)",
    ),
    "other_places_beside": (
        "def f(parts):\n    for name, n in zip(parts[0::2]):\n        yield name * n\n",
        "zip(parts[0::2])",
        "zip(parts[0::2], parts[1::2])",
    ),
    "to_the_end": (
        "def f(xs):\n    for i in range(1):\n        yield xs[i]\n",
        "range(1)",
        "range(1, len(xs))",
    ),
    "width_of_row": (
        "def f(room, y, x):\n    if 0 <= y < len(room) and 0 <= x < len(room):\n        return room[y][x]\n",
        "x < len(room)",
        "x < len(room[0])",
    ),
    "gather_ties_anew": (
        "def f(counts):\n    most = 0\n    names = []\n    for name, n in counts.items():\n        if n >= most:\n"
        "            most = n\n            names.append(name)\n    return names\n",
        "        if n >= most:\n            most = n\n            names.append(name)\n",
        "        if n > most:\n            most = n\n            names = [name]\n"
        "        elif n == most:\n            names.append(name)\n",
    ),
    "for_each_entry": (
        "def f(pairs):\n    groups = {}\n    for key, value in pairs:\n"
        "        groups.setdefault(key, []).append(value)\n"
        "    groups[key].sort()\n    return groups\n",
        "    groups[key].sort()\n",
        "    for key in groups:\n        groups[key].sort()\n",
    ),
    "gather_what_call_gives": (
        "def f(y, x):\n    size = 1\n    for place in around(y, x):\n        if f(*place) > 0:\n            size += 1\n"
        "    return size\n",
        "        if f(*place) > 0:\n            size += 1\n",
        "        size += f(*place)\n",
    ),
    "go_on_with_rest": (
        "def purge(first, value):\n    if first.value == value:\n        return first.next\n    return first\n",
        "return first.next",
        "return purge(first.next, value)",
    ),
    "copy_item_of_round": (
        "def f(rows):\n    out = []\n    for row in rows:\n        row.pop(0)\n"
        "        out.append(row)\n    return out\n",
        "        row.pop(0)\n",
        "        row = list(row)\n        row.pop(0)\n",
    ),
    "span_past_midnight": (
        "def f(h, m):\n    return h * 60 + m\n\n\ndef g(begin, end):\n    return f(*end) - f(*begin)\n",
        "f(*end) - f(*begin)",
        "(f(*end) - f(*begin)) % (24 * 60)",
    ),
    "unless_it_is_all": (
        'def f(part):\n    return part.isdigit() and not part[0] == "0"\n',
        'part[0] == "0"',
        '(len(part) > 1 and part[0] == "0")',
    ),
    "median_for_mean": (
        "def f(places):\n    return round(sum(places) / len(places))\n",
        "round(sum(places) / len(places))",
        "sorted(places)[len(places) // 2]",
    ),
    "change_when_all_is_well": (
        "def f(stock, wanted):\n    missing = {}\n    for key, n in wanted.items():\n        if n > stock[key]:\n"
        "            missing[key] = n\n        stock[key] -= n\n    if missing:\n        raise ValueError(missing)\n",
        "        stock[key] -= n\n    if missing:\n        raise ValueError(missing)\n",
        "    if missing:\n        raise ValueError(missing)\n    for key, n in wanted.items():\n"
        "        stock[key] -= n\n",
    ),
    "leave_before_taking": (
        "def f(signs):\n    stack = []\n    for sign in signs:\n        if sign in ')]':\n"
        "            last = stack.pop()\n"
        "            if last != sign:\n                return False\n        else:\n            stack.append(sign)\n",
        "            last = stack.pop()\n",
        "            if not stack:\n                return False\n            last = stack.pop()\n",
    ),
    "nothing_for_zero": (
        "def f(pairs):\n    out = []\n    for one, other in pairs:\n        out.append(one / other)\n    return out\n",
        "        out.append(one / other)\n",
        "        if other == 0:\n            out.append(None)\n            continue\n        out.append(one / other)\n",
    ),
    "first_difference_decides": (
        "def f(a, b):\n    for k in range(3):\n        if a[k] > b[k]:\n            return True\n    return False\n",
        "        if a[k] > b[k]:\n            return True\n",
        "        if a[k] != b[k]:\n            return a[k] > b[k]\n",
    ),
    "room_for_what_follows": (
        'def f(words, limit):\n    kept = ""\n    for word in words:\n'
        "        if len(kept + word) > limit:\n            break\n"
        '        kept += word\n    return kept + "..."\n',
        "len(kept + word) > limit",
        "len(kept + word) + 3 > limit",
    ),
    "hand_over_unread_function": (
        "def to_bool(text):\n    return text == 'yes'\n\n\nKINDS = {'flag': bool}\n",
        "'flag': bool",
        "'flag': to_bool",
    ),
    "days_of_the_calendar": (
        "def f(now, then):\n    return (now - then).days\n",
        "(now - then).days",
        "(now.date() - then.date()).days",
    ),
    "move_by_span": (
        "from datetime import timedelta\n\nDAY = timedelta(days=1)\n\n\ndef f(today, due):\n    return g(today, due)\n",
        "g(today, due)",
        "g(today + DAY, due)",
    ),
    "take_first_of_entry": (
        "def f(waiting, key):\n    return waiting.pop(key)[0]\n",
        "waiting.pop(key)[0]",
        "waiting[key].pop(0)",
    ),
    "close_what_was_opened": (
        "def f(lines):\n    fence = None\n    for line in lines:\n        mark = line[:3]\n        if fence is None:\n"
        "            fence = mark\n        else:\n            fence = None\n",
        "        else:\n",
        "        elif mark == fence:\n",
    ),
    "empty_comes_last": (
        "class A:\n    def _key(self):\n        return self.number, tuple(self.pre)\n",
        "self.number, tuple(self.pre)",
        "self.number, not self.pre, tuple(self.pre)",
    ),
    "last_one_by_a_word": (
        "def f(words):\n    return ', '.join(words)\n",
        "', '.join(words)",
        "', '.join(words[:-1]) + ' and ' + words[-1] if len(words) > 1 else ''.join(words)".replace("'", '"'),
    ),
    "escape_each": (
        "import re\n\n\ndef f(words):\n    return re.compile('|'.join(words))\n",
        "'|'.join(words)",
        "'|'.join(map(re.escape, words))",
    ),
    "only_working_days": (
        "def f(days, first, last):\n    return [day for day in days if first <= day <= last]\n",
        "first <= day <= last",
        "first <= day <= last and day.weekday() < 5",
    ),
    "keep_the_largest": (
        "import heapq\n\n\ndef f(xs, most):\n    kept = []\n    for x in xs:\n        if len(kept) < most:\n"
        "            heapq.heappush(kept, x)\n    return kept\n",
        "        if len(kept) < most:\n            heapq.heappush(kept, x)\n",
        "        heapq.heappush(kept, x)\n        if len(kept) > most:\n            heapq.heappop(kept)\n",
    ),
    "assign_at_once": (
        "def f(a, b):\n    a = b\n    b = a + b\n    return a, b\n",
        "    a = b\n    b = a + b\n",
        "    a, b = b, a + b\n",
    ),
    "add_unread_field": (
        "class Job:\n    def __init__(self, name, minutes):\n        self.name = name\n        self.minutes = minutes\n"
        "\n\ndef f(job, start):\n    return job.name, start\n",
        "job.name, start",
        "job.name, start + job.minutes",
    ),
    "ask_unread_field": (
        "class Job:\n    def __init__(self, name):\n        self.name = name\n        self.done = False\n\n\n"
        "def f(jobs):\n    return [job.name for job in jobs]\n",
        "for job in jobs",
        "for job in jobs if not job.done",
    ),
    "cut_asked_end": (
        "def f(name, prefix):\n    if name.startswith(prefix):\n        return g(name)\n",
        "g(name)",
        "g(name[len(prefix):])",
    ),
    "between_unread": (
        "def f(x, low, high):\n    return x + 1\n",
        "return x + 1",
        "return max(low, min(x + 1, high))",
    ),
    "note_what_was_seen": (
        "def f(xs):\n    seen = set()\n    out = []\n    for x in xs:\n        out.append(x)\n    return out\n",
        "        out.append(x)\n",
        "        if x not in seen:\n            seen.add(x)\n            out.append(x)\n",
    ),
    "leave_when_reached": (
        "def f(xs, most):\n    n = 0\n    for x in xs:\n        n += 1\n    return False\n",
        "        n += 1\n",
        "        n += 1\n        if n >= most:\n            return True\n",
    ),
    "given_or_own": (
        "class A:\n    def __init__(self, ttl):\n        self.ttl = ttl\n\n    def put(self, x, ttl=None):\n"
        "        return x + self.ttl\n",
        "x + self.ttl",
        "x + (self.ttl if ttl is None else ttl)",
    ),
    "filter_by_question": (
        "def is_open(job):\n    return job.state == 1\n\n\ndef f(jobs):\n    return [job for job in jobs]\n",
        "job for job in jobs",
        "job for job in jobs if is_open(job)",
    ),
    "ask_besides": (
        "class A:\n    def __init__(self):\n        self.closed = False\n\n    def m(self, x):\n        if x > 1:\n"
        "            return x\n",
        "x > 1",
        "x > 1 and not self.closed",
    ),
    "refuse_by_question": (
        "class A:\n    def may(self, user):\n        return user in self.users\n\n    def m(self, user):\n"
        "        self.log.append(user)\n",
        "        self.log.append(user)\n",
        "        if not self.may(user):\n            raise ValueError\n        self.log.append(user)\n",
    ),
    "skip_by_question": (
        "def is_open(job):\n    return job.state == 1\n\n\ndef f(jobs):\n    for job in jobs:\n        run(job)\n",
        "        run(job)\n",
        "        if not is_open(job):\n            continue\n        run(job)\n",
    ),
    "filter_by_field": (
        "class Job:\n    def __init__(self, owner):\n        self.owner = owner\n\n\ndef f(jobs, owner):\n"
        "    return [job for job in jobs]\n",
        "job for job in jobs",
        "job for job in jobs if job.owner == owner",
    ),
    "filter_what_is_taken": (
        "def f(rows, at):\n    return [row[at] for row in rows]\n",
        "for row in rows",
        "for row in rows if row[at] is not None",
    ),
    "skip_blank_lines": (
        "def f(text):\n    for line in text.splitlines():\n        yield line.split()[0]\n",
        "        yield line.split()[0]\n",
        "        if not line.strip():\n            continue\n        yield line.split()[0]\n",
    ),
    "ask_what_is_there": (
        "class A:\n    def __init__(self, end):\n        self.end = end\n\n    def m(self, day):\n"
        "        if self.end is None:\n            return True\n        return False\n",
        "self.end is None",
        "self.end is None or day <= self.end",
    ),
    "keep_together": (
        "class A:\n    def __init__(self):\n        self.jobs = {}\n\n    def m(self, key, what, when):\n"
        "        self.n += 1\n",
        "        self.n += 1\n",
        "        self.n += 1\n        self.jobs[key] = (what, when)\n",
    ),
    "keep_under_its_name": (
        "class Job:\n    def __init__(self):\n        self.owner = None\n\n\ndef f(jobs, at, owner):\n"
        "    job = jobs[at]\n    job.n += 1\n",
        "    job.n += 1\n",
        "    job.n += 1\n    job.owner = owner\n",
    ),
    "keep_caught": (
        "class Job:\n    def __init__(self):\n        self.error = None\n\n\ndef f(job):\n    try:\n        job()\n"
        "    except ValueError as error:\n        job.n += 1\n",
        "        job.n += 1\n",
        "        job.error = error\n        job.n += 1\n",
    ),
    "register_decorated": (
        "class A:\n    def __init__(self):\n        self.known = {}\n\n    def command(self, name):\n"
        "        def keep(function):\n            return function\n        return keep\n",
        "            return function\n",
        "            self.known[name] = function\n            return function\n",
    ),
    "add_what_is_given": (
        "class A:\n    def __init__(self):\n        self.sum = 0\n\n    def put(self, amount):\n"
        "        self.log.append(amount)\n",
        "        self.log.append(amount)\n",
        "        self.log.append(amount)\n        self.sum += amount\n",
    ),
    "sort_by_field": (
        "class Job:\n    def __init__(self, n):\n        self.n = n\n\n\ndef f(jobs):\n    return sorted(jobs)\n",
        "sorted(jobs)",
        "sorted(jobs, key=lambda x: x.n)",
    ),
    "settle_by_field": (
        "class Job:\n    def __init__(self, n, name):\n        self.n = n\n        self.name = name\n\n\n"
        "def f(jobs):\n    return sorted(jobs, key=lambda job: job.n)\n",
        "lambda job: job.n",
        "lambda job: (job.n, job.name)",
    ),
    "key_as_default": (
        "def f(table, key):\n    return table.get(key)\n",
        "table.get(key)",
        "table.get(key, key)",
    ),
    "donate_statement": (
        "class A:\n    def put(self, key, x):\n        self.d[key] = x\n        self.order.append(key)\n\n"
        "    def get(self, key):\n        self.hits += 1\n        return self.d[key]\n",
        "        self.hits += 1\n",
        "        self.hits += 1\n        self.order.append(key)\n",
    ),
    "end_with_uncalled": (
        "class Reader:\n    def feed(self, line):\n        self.line = line\n\n    def flush(self):\n"
        "        self.line = None\n\n\ndef f(lines):\n    reader = Reader()\n    for line in lines:\n"
        "        reader.feed(line)\n    return reader\n",
        "    return reader\n",
        "    reader.flush()\n    return reader\n",
    ),
    "round_before_parting": (
        "def f(x):\n    whole = int(x)\n    rest = round((x - whole) * 1000)\n    return whole, rest\n",
        "    whole = int(x)\n    rest = round((x - whole) * 1000)\n",
        "    whole, rest = divmod(round(x * 1000), 1000)\n",
    ),
    "halves_away_from_zero": (
        "def f(x):\n    return int(x + 0.5)\n",
        "int(x + 0.5)",
        "((-1 if x < 0 else 1) * int(abs(x) + 0.5))",
    ),
    "note_each": (
        "def f(names, done):\n    for name in names:\n        run(name)\n    done.extend(names)\n",
        "        run(name)\n    done.extend(names)\n",
        "        run(name)\n        done.append(name)\n",
    ),
    "escape_the_mark_itself": (
        "ESCAPES = {'\\n': '\\\\n', '\"': '\\\\\"'}\n",
        "{'\\n'",
        '{"\\\\": "\\\\\\\\", \'\\n\'',
    ),
    "one_of_several": (
        "def is_image(kind):\n    return kind == 'png'\n",
        "kind == 'png'",
        "kind in ('png', 'jpg')",
    ),
    "either_in": (
        "def f(text):\n    return '.git' in text\n",
        "'.git' in text",
        "'.git' in text or '.venv' in text",
    ),
    "settle_ties": (
        "class Job:\n    def __init__(self, rank, number):\n        self.rank = rank\n        self.number = number\n"
        "\n"
        "    def __lt__(self, other):\n        return self.rank > other.rank\n",
        "self.rank > other.rank",
        "(other.rank, self.number) < (self.rank, other.number)",
    ),
    "compare_in_table": (
        "LEVELS = {'low': 1, 'high': 2}\n\n\ndef f(level, least):\n    return level >= least\n",
        "level >= least",
        "LEVELS[level] >= LEVELS[least]",
    ),
    "keys_of_both_at_once": (
        "def f(old, new):\n    return sorted(k for k in old if old[k] != new.get(k))\n",
        "k for k in old if old[k] != new.get(k)",
        "k for k in old.keys() | new.keys() if old.get(k) != new.get(k)",
    ),
    "drop_expired": (
        "class Limiter:\n    def __init__(self, seconds):\n        self.seconds = seconds\n        self.calls = []\n"
        "\n    def allow(self, now):\n        self.calls.append(now)\n",
        "        self.calls.append(now)\n",
        "        self.calls = [one for one in self.calls if now - one < self.seconds]\n"
        "        self.calls.append(now)\n",
    ),
    "used_moves_last": (
        "class A:\n    def get(self, key):\n        return self.d.get(key)\n\n    def put(self, key, x):\n"
        "        self.d[key] = x\n        self.d.popitem(last=False)\n",
        "        return self.d.get(key)\n",
        "        if key in self.d:\n            self.d.move_to_end(key)\n        return self.d.get(key)\n",
    ),
    "teens_by_table": (
        "def f(n):\n    return {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th')\n",
        "{1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th')",
        "'th' if 10 < n % 100 < 20 else {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th')",
    ),
    "only_where_any": (
        "def f(lines, prefix):\n    return [prefix + ' ' + line for line in lines]\n",
        "prefix + ' ' + line for",
        "prefix + ' ' + line if line else line for",
    ),
    "further_key": (
        "UNITS = {2: 60, 3: 3600}\n",
        "3: 3600}",
        "3: 3600, 1: 1}",
    ),
    "quote_words": (
        "import shlex\n\n\ndef command(words):\n    return ' '.join(words)\n",
        "' '.join(words)",
        "shlex.join(words)",
    ),
    "kind_in_classes": (
        "def f(kind, kinds):\n    return kind in kinds\n",
        "kind in kinds",
        "issubclass(kind, kinds)",
    ),
    "month_of_next_year": (
        "def f(day):\n    return date(day.year, day.month + 1, 1)\n",
        "day.year, day.month + 1",
        "day.year + day.month // 12, day.month % 12 + 1",
    ),
    "size_in_parts": (
        "def f(m):\n    return f'{m // 60}:{m % 60}'\n",
        "    return",
        "    m = abs(m)\n    return",
    ),
    "seconds_of_milliseconds": (
        "def f(stamp):\n    return fromtimestamp(stamp)\n",
        "(stamp)\n",
        "(stamp / 1000)\n",
    ),
    "last_of_pairs": (
        "def f(xs):\n    n = 0\n    for a, b in zip(xs, xs[1:]):\n        n += v[a]\n    return n\n",
        "n += v[a]\n",
        "n += v[a]\n    n += v[xs[-1]]\n",
    ),
    "convert_as_wanted": (
        "import html\n\n\ndef f(text):\n    return text\n",
        "return text",
        "return html.escape(text)",
    ),
    "swap_merged": (
        "def f(own, extra):\n    return {**(extra or {}), **own}\n",
        "{**(extra or {}), **own}",
        "{**own, **(extra or {})}",
    ),
    "pad_to_whole_groups": (
        "def f(text):\n    return base64.b64decode(text)\n",
        "(text)\n",
        '(text + "=" * (-len(text) % 4))\n',
    ),
    "gather_on_the_way": (
        "def f(data, lead=''):\n    for k in data:\n        yield lead + k\n        yield from f(data[k], k)\n",
        "f(data[k], k)",
        'f(data[k], lead + k + ".")',
    ),
    "ask_by_own_method": (
        "class A:\n    def top(self):\n        if self.level:\n            return self.level\n"
        "        return self.parent.level\n",
        "self.parent.level",
        "self.parent.top()",
    ),
    "only_with_values": (
        "def f(text, *args):\n    return text % args\n",
        "text % args",
        "text % args if args else text",
    ),
    "compare_by_key": (
        "def f(items, key=None):\n    seen = set()\n    for item in items:\n        if item not in seen:\n"
        "            seen.add(item)\n            yield item\n",
        "        if item not in seen:\n            seen.add(item)\n",
        "        mark = key(item) if key else item\n        if mark not in seen:\n            seen.add(mark)\n",
    ),
    "update_what_lacks": (
        "def f(found, parent):\n    found.update(parent)\n    return found\n",
        "    found.update(parent)\n",
        "    for key, value in parent.items():\n        found.setdefault(key, value)\n",
    ),
    "further_beginning": (
        "def is_remote(address):\n    return address.startswith('http://')\n",
        "'http://'",
        "('http://', 'https://')",
    ),
    "further_member": (
        "SKIPPED = ('.git', '.tox')\n",
        "('.git', '.tox')",
        "('.git', '.tox', '.venv')",
    ),
    "further_entry": (
        "ENTITIES = {'&': '&amp;', '<': '&lt;'}\n",
        "'<': '&lt;'}",
        "'<': '&lt;', '\"': '&quot;'}",
    ),
    "other_reference": (
        "import re\n\n\ndef f(text):\n    return re.sub(r'(a)(b)', r'\\2-\\1', text)\n",
        "r'\\2-\\1'",
        "r'\\1-\\2'",
    ),
    "strip_as_wanted": (
        "def f(text):\n    return text.strip()\n",
        "text.strip()",
        'text.strip().strip("\'")',
    ),
    "replace_as_wanted": (
        "def f(name):\n    return '--' + name\n",
        "+ name",
        "+ name.replace('_', '-')",
    ),
    "join_words": (
        "def f(title):\n    return title.replace(' ', '-')\n",
        "title.replace(' ', '-')",
        "'-'.join(title.split())",
    ),
    "compare_versions": (
        "def f(a, b):\n    return a > b\n",
        "a > b",
        'tuple(map(int, a.split("."))) > tuple(map(int, b.split(".")))',
    ),
    "order_versions": (
        "def f(versions):\n    return max(versions)\n",
        "max(versions)",
        'max(versions, key=lambda text: tuple(map(int, text.split("."))))',
    ),
    "complete_text": (
        "def f(row):\n    return '| ' + ' | '.join(row)\n",
        "' | '.join(row)",
        "' | '.join(row) + \" |\"",
    ),
    "cut_as_wanted": (
        "def f(line):\n    line = line.strip()\n    return line\n",
        "line = line.strip()",
        'line = line.partition("#")[0].strip()',
    ),
    "only_if_any": (
        "def f(base, rest):\n    return base + '?' + join(rest)\n",
        "base + '?' + join(rest)",
        "base + '?' + join(rest) if rest else base",
    ),
    "further_query": (
        "def f(address, query):\n    return address + '?' + query\n",
        "+ '?' +",
        "+ ('&' if '?' in address else '?') +",
    ),
    "call_imported": (
        "from urllib.parse import quote\n\n\ndef f(base, name):\n    return base + name\n",
        "+ name",
        "+ quote(name)",
    ),
    "escape_fields": (
        "import html\n\n\ndef f(name):\n    return f'<b>{name}</b>'\n",
        "{name}",
        "{html.escape(name)}",
    ),
    "join_path": (
        "import os\n\n\ndef f(folder, name):\n    return folder + name + '.log'\n",
        "folder + name + '.log'",
        "os.path.join(folder, name + '.log')",
    ),
    "one_slash": (
        "def f(base, path):\n    return base + '/' + path\n",
        "base + '/' + path",
        'base.rstrip("/") + "/" + path.lstrip("/")',
    ),
    "none_as_empty": (
        "def f(found, extra=None):\n    found.update(extra)\n    return found\n",
        "update(extra)",
        "update(extra or {})",
    ),
    "key_with_parameter": (
        "class A:\n    def f(self, path, lang):\n        if path not in self.kept:\n"
        "            self.kept[path] = load(path, lang)\n        return self.kept[path]\n",
        "        if path not in self.kept:\n"
        "            self.kept[path] = load(path, lang)\n        return self.kept[path]\n",
        "        if (path, lang) not in self.kept:\n            self.kept[(path, lang)] = load(path, lang)\n"
        "        return self.kept[(path, lang)]\n",
    ),
    "made_in_zone": (
        "from datetime import datetime, timezone\n\n\ndef f(text):\n    return datetime.strptime(text, '%H')\n",
        "datetime.strptime(text, '%H')",
        "datetime.strptime(text, '%H').replace(tzinfo=timezone.utc)",
    ),
    "missing_last": (
        "def f(xs):\n    return sorted(xs, key=lambda x: x.day)\n",
        "x: x.day",
        "x: (x.day is None, x.day)",
    ),
    "weigh_by_total": (
        "def f(xs, ws):\n    return sum(x * w for x, w in zip(xs, ws)) / len(xs)\n",
        "len(xs)",
        "sum(ws)",
    ),
    "whole_hundred": (
        "def f(status):\n    return status == 200\n",
        "status == 200",
        "200 <= status < 300",
    ),
    "without_missing": (
        "def f(**params):\n    return urlencode(params)\n",
        "urlencode(params)",
        "urlencode({key: value for key, value in params.items() if value is not None})",
    ),
    "hand_on_parameter": (
        "def signers(make, keys, salt=None, **options):\n    return [make(key, **options) for key in keys]\n",
        "make(key, **options)",
        "make(key, salt=salt, **options)",
    ),
    "word_as_named": (
        "def size(row):\n    return Size(width=row['width'], height=row['width'])\n",
        "height=row['width']",
        "height=row['height']",
    ),
    "swap_chained_calls": (
        "def escape(text):\n    return text.replace('<', '&lt;').replace('&', '&amp;')\n",
        "text.replace('<', '&lt;').replace('&', '&amp;')",
        "text.replace('&', '&amp;').replace('<', '&lt;')",
    ),
    "ask_for_place": (
        "def f(won, pile, takes):\n    for take in takes:\n        if not won[pile - take]:\n            return True\n",
        "if not won[pile - take]",
        "if take <= pile and not won[pile - take]",
    ),
    "place_is_there": (
        (
            "def ways(coins, total):\n    found = [1] + [0] * total\n    for coin in coins:\n"
            "        for i in range(1, total + 1):\n            found[i] += found[i - coin]\n    return found[total]\n"
        ),
        "            found[i] += found[i - coin]\n",
        "            if coin <= i:\n                found[i] += found[i - coin]\n",
    ),
    "wrap_steps": (
        "def steps(word):\n    return [ord(b) - ord(a) for a, b in zip(word, word[1:])]\n",
        "ord(b) - ord(a)",
        "(ord(b) - ord(a)) % 26",
    ),
    "push_on_heap": (
        (
            "from heapq import heappop\n\n\ndef serve(free, waiting):\n    while waiting:\n"
            "        desk = heappop(free)\n        waiting.pop()\n        free.append(desk + 1)\n"
        ),
        "from heapq import heappop\n\n\ndef serve(free, waiting):\n    while waiting:\n"
        "        desk = heappop(free)\n        waiting.pop()\n        free.append(desk + 1)\n",
        "import heapq\nfrom heapq import heappop\n\n\ndef serve(free, waiting):\n    while waiting:\n"
        "        desk = heappop(free)\n        waiting.pop()\n        heapq.heappush(free, desk + 1)\n",
    ),
    "one_more_of_rest": (
        (
            "def parts(items, n):\n    size, extra = divmod(len(items), n)\n    start, found = 0, []\n"
            "    for i in range(n):\n        end = start + size if i < n - 1 else len(items)\n"
            "        found.append(items[start:end])\n        start = end\n    return found\n"
        ),
        "start + size if i < n - 1 else len(items)",
        "start + size + (1 if i < extra else 0)",
    ),
    "return_after_yields": (
        "def merged(one, other):\n    if not one:\n        yield from other\n    yield from one\n",
        "        yield from other\n",
        "        yield from other\n        return\n",
    ),
    "carry_taken": (
        (
            "def split(seconds):\n"
            "    minutes = 0\n"
            "    while seconds >= 60:\n"
            "        seconds -= 60\n"
            "    return minutes, seconds\n"
        ),
        "        seconds -= 60\n",
        "        seconds -= 60\n        minutes += 1\n",
    ),
    "drop_emptied_entry": (
        "class Groups:\n    def leave(self, key, x):\n        self.groups[key].remove(x)\n",
        "        self.groups[key].remove(x)\n",
        ("        self.groups[key].remove(x)\n        if not self.groups[key]:\n            del self.groups[key]\n"),
    ),
    "fill_asked": (
        (
            "def names(rows):\n"
            "    known, keys = set(), []\n"
            "    for row in rows:\n"
            "        for key in row:\n"
            "            if key not in known:\n"
            "                keys.append(key)\n"
            "    return keys\n"
        ),
        "                keys.append(key)\n",
        "                keys.append(key)\n                known.add(key)\n",
    ),
    "catch_raised_too": (
        "def at(key, table):\n    try: return table[key]\n    except (IndexError, ValueError):\n        return None\n",
        "except (IndexError, ValueError):",
        "except (IndexError, ValueError, KeyError):",
    ),
    "own_value_each_round": (
        (
            "def camps(groups):\n"
            "    total = 0\n"
            "    count = [0, 0]\n"
            "    for group in groups:\n"
            "        for side in group:\n"
            "            count[side] += 1\n"
            "        total += max(count)\n"
            "    return total\n"
        ),
        "    count = [0, 0]\n    for group in groups:\n",
        "    for group in groups:\n        count = [0, 0]\n",
    ),
    "begin_as_sibling": (
        (
            "class Field:\n"
            "    def check(self, value):\n"
            "        return []\n"
            "\n"
            "\n"
            "class Text(Field):\n"
            "    def check(self, value):\n"
            "        errors = super().check(value)\n"
            "        return errors\n"
            "\n"
            "\n"
            "class Number(Field):\n"
            "    def check(self, value):\n"
            "        errors = []\n"
            "        return errors\n"
        ),
        "errors = []",
        "errors = super().check(value)",
    ),
    "enter_asked_state": (
        (
            "OPEN, DONE = 1, 2\n"
            "\n"
            "\n"
            "def visit(name, states, order):\n"
            "    if states.get(name) == DONE:\n"
            "        return\n"
            "    states[name] = OPEN\n"
            "    order.append(name)\n"
        ),
        "    order.append(name)\n",
        "    order.append(name)\n    states[name] = DONE\n",
    ),
    "constant_for_literal": (
        ('STAGES = {"beta": 1, "rc": 2}\nFINAL = 3\n\n\ndef key(stage):\n    return STAGES.get(stage, -1)\n'),
        "STAGES.get(stage, -1)",
        "STAGES.get(stage, FINAL)",
    ),
    "last_gap": (
        (
            "def free(bookings, opens, closes):\n"
            "    gaps, since = [], opens\n"
            "    for start, end in bookings:\n"
            "        gaps.append((since, start))\n"
            "        since = end\n"
            "    return gaps\n"
        ),
        "        since = end\n",
        "        since = end\n    gaps.append((since, closes))\n",
    ),
    "drop_oldest": (
        (
            "class Log:\n"
            "    def add(self, line):\n"
            "        self.lines.append(line)\n"
            "        if len(self.lines) > self.limit:\n"
            "            self.lines.pop()\n"
        ),
        "self.lines.pop()",
        "self.lines.pop(0)",
    ),
    "clear_counterpart": (
        (
            "class Editor:\n"
            "    def do(self, change):\n"
            "        self.done.append(change)\n"
            "\n"
            "    def undo(self):\n"
            "        self.undone.append(self.done.pop())\n"
            "\n"
            "    def redo(self):\n"
            "        self.done.append(self.undone.pop())\n"
        ),
        "        self.done.append(change)\n",
        "        self.done.append(change)\n        self.undone.clear()\n",
    ),
    "before_same_exit": (
        (
            "class Cache:\n"
            "    def get(self, key, default):\n"
            "        if key not in self.items:\n"
            "            self.misses += 1\n"
            "            return default\n"
            "        if self.items[key] is None:\n"
            "            return default\n"
            "        return self.items[key]\n"
        ),
        "is None:\n            return default",
        "is None:\n            self.misses += 1\n            return default",
    ),
    "same_to_other_attribute": (
        (
            "class Store:\n"
            "    def reserve(self, part, count):\n"
            "        part.reserved += count\n"
            "\n"
            "    def ship(self, part, count):\n"
            "        part.on_hand -= count\n"
        ),
        "part.on_hand -= count\n",
        "part.on_hand -= count\n        part.reserved -= count\n",
    ),
    "keep_copy_of_given": (
        ("class Ticket:\n    def __init__(self, watchers=None):\n        self.watchers = watchers or []\n"),
        "= watchers or []",
        "= list(watchers or [])",
    ),
    "part_as_elsewhere": (
        (
            "def ways(hall, h, new, a, b):\n"
            "    first = 0 <= a < h and 0 <= b < h and new[a]\n"
            "    return first, 0 <= a < h and 0 <= b < h and hall[a] and not new[b]\n"
        ),
        "and 0 <= b < h and new[a]",
        "and 0 <= b < h and hall[a] and new[a]",
    ),
    "digits_with_sign": (
        ("def value(word, known):\n    if word.isdigit():\n        return int(word)\n    return known.get(word, 0)\n"),
        "word.isdigit()",
        'word.lstrip("-").isdigit()',
    ),
    "empty_behind_loop": (
        (
            "def shades(xs):\n"
            "    n = len(xs)\n"
            "    length = [0] * n\n"
            "    waiting = []\n"
            "    for i in range(n):\n"
            "        while waiting and xs[waiting[-1]] <= xs[i]:\n"
            "            j = waiting.pop()\n"
            "            length[j] = i - j\n"
            "        waiting.append(i)\n"
            "    return length\n"
        ),
        "        waiting.append(i)\n",
        ("        waiting.append(i)\n    while waiting:\n        j = waiting.pop()\n        length[j] = n - j\n"),
    ),
    "count_under_own_key": (
        (
            "def columns(stars):\n"
            "    counts = {}\n"
            "    for x, y in stars:\n"
            "        counts[x] = counts.get(y, 0) + 1\n"
            "    return counts\n"
        ),
        "counts.get(y, 0)",
        "counts.get(x, 0)",
    ),
    "ways_begin_anew": (
        (
            "def longest(xs):\n"
            "    best, ways = [1] * len(xs), [1] * len(xs)\n"
            "    for i, x in enumerate(xs):\n"
            "        for j in range(i):\n"
            "            if best[j] + 1 > best[i]:\n"
            "                best[i] = best[j] + 1\n"
            "            elif best[j] + 1 == best[i]:\n"
            "                ways[i] += ways[j]\n"
            "    return ways\n"
        ),
        "                best[i] = best[j] + 1\n",
        "                best[i] = best[j] + 1\n                ways[i] = ways[j]\n",
    ),
    "lost_part_of_key": (
        "def table(teams):\n    return sorted(teams, key=lambda t: (-t[1], -t[2], t[0]))\n",
        "(-t[1], -t[2], t[0])",
        "(-t[1], -t[2], -t[3], t[0])",
    ),
    "each_value_once": (
        "def near(counts, x, d):\n    return sum(counts[y] for y in (x - d, x + d))\n",
        "(x - d, x + d)",
        "{x - d, x + d}",
    ),
    "keep_each_once": (
        ("def chosen(pages):\n    out = []\n    for page in pages:\n        out.append(page)\n    return out\n"),
        "        out.append(page)",
        "        if page not in out:\n            out.append(page)",
    ),
    "mark_what_is_pushed": (
        (
            "def fill(grid, y, x):\n"
            "    seen = [[False] * len(row) for row in grid]\n"
            "    stack = [(y, x)]\n"
            "    while stack:\n"
            "        y, x = stack.pop()\n"
            "        for ny, nx in ((y + 1, x), (y, x + 1)):\n"
            "            if not seen[ny][nx]:\n"
            "                seen[y][x] = True\n"
            "                stack.append((ny, nx))\n"
            "    return seen\n"
        ),
        "seen[y][x] = True",
        "seen[ny][nx] = True",
    ),
    "modulo_once_more": (
        (
            "MOD = 1_000_000_007\n"
            "\n"
            "\n"
            "def ways(rows):\n"
            "    counts = [1] * len(rows)\n"
            "    for i, row in enumerate(rows):\n"
            "        counts[i] = counts[i - 1] * row % MOD\n"
            "    return sum(counts)\n"
        ),
        "return sum(counts)",
        "return sum(counts) % MOD",
    ),
    "up_to_multiple": (
        "def leaves(now, step):\n    return (now // step + 1) * step\n",
        "(now // step + 1) * step",
        "(now + step - 1) // step * step",
    ),
    "not_blank": (
        (
            "def winner(lines):\n"
            "    for line in lines:\n"
            "        if all(mark == line[0] for mark in line):\n"
            "            return line[0]\n"
            "    return None\n"
        ),
        "if all(mark == line[0] for mark in line)",
        'if line[0] != " " and all(mark == line[0] for mark in line)',
    ),
    "either_way": (
        "def pages(start, end):\n    step = 1\n    return list(range(start, end + step, step))\n",
        "step = 1",
        "step = 1 if end >= start else -1",
    ),
    "backwards_too": (
        "def pages(start, end):\n    return [page for page in range(start, end + 1)]\n",
        "range(start, end + 1)]",
        "(range(start, end + 1) if start <= end else range(start, end - 1, -1))]",
    ),
    "exchange_names": (
        "def ready(course, needs):\n    return [other for other in needs if other in needs[course]]\n",
        "other in needs[course]",
        "course in needs[other]",
    ),
    "ask_used_key": (
        (
            "def count(words):\n"
            "    counts = {}\n"
            "    for word in words:\n"
            "        clean = word.lower()\n"
            "        if word in counts:\n"
            "            counts[clean] += 1\n"
            "        else:\n"
            "            counts[clean] = 1\n"
            "    return counts\n"
        ),
        "if word in counts",
        "if clean in counts",
    ),
    "compare_with_best": (
        (
            "def lower(xs, at):\n"
            "    child, right = 2 * at + 1, 2 * at + 2\n"
            "    if right < len(xs) and xs[right] < xs[at]:\n"
            "        child = right\n"
            "    return child\n"
        ),
        "xs[right] < xs[at]",
        "xs[right] < xs[child]",
    ),
    "days_of_leap_year": (
        ("def is_leap(year):\n    return year % 4 == 0\n\n\ndef left(day, year):\n    return 365 - day\n"),
        "return 365 - day",
        "return (366 if is_leap(year) else 365) - day",
    ),
    "nothing_by_zero": (
        "def share(part, whole):\n    return part / whole * 100\n",
        "part / whole * 100",
        "(part / whole if whole else 0) * 100",
    ),
    "opposite_in_else": (
        (
            "def fight(a, b):\n"
            "    left, right = [], []\n"
            "    for x, y in zip(a, b):\n"
            "        if x > y:\n"
            "            left.append(x)\n"
            "        else:\n"
            "            right.append(y)\n"
            "    return left, right\n"
        ),
        "        else:\n",
        "        elif x < y:\n",
    ),
    "as_tuples": (
        (
            "def join(pairs):\n"
            "    joined = []\n"
            "    for low, high in pairs:\n"
            "        if joined and low <= joined[-1][1]:\n"
            "            joined[-1][1] = high\n"
            "        else:\n"
            "            joined.append([low, high])\n"
            "    return joined\n"
        ),
        "return joined",
        "return [tuple(item) for item in joined]",
    ),
    "last_carry": (
        (
            "def add(a, b, base):\n"
            "    digits = []\n"
            "    carry = 0\n"
            "    for x, y in zip(a, b):\n"
            "        carry, digit = divmod(x + y + carry, base)\n"
            "        digits.append(digit)\n"
            "    return digits[::-1]\n"
        ),
        "digits.append(digit)\n",
        "digits.append(digit)\n    if carry:\n        digits.append(carry)\n",
    ),
    "refuse_rest": (
        (
            "def pay(amount, coins):\n"
            "    used = []\n"
            "    for coin in coins:\n"
            "        while amount >= coin:\n"
            "            amount -= coin\n"
            "            used.append(coin)\n"
            "    return used\n"
        ),
        "            used.append(coin)\n",
        "            used.append(coin)\n    if amount > 0:\n        return None\n",
    ),
    "put_away_first": (
        (
            "def wrap(words, width):\n"
            '    lines, line = [], ""\n'
            "    for word in words:\n"
            "        if len(word) > width:\n"
            "            lines.append(word)\n"
            "            continue\n"
            "        line += word\n"
            "        if len(line) > width:\n"
            "            lines.append(line)\n"
            '            line = ""\n'
            "    if line:\n"
            "        lines.append(line)\n"
            "    return lines\n"
        ),
        "            lines.append(word)\n",
        (
            "            if line:\n"
            "                lines.append(line)\n"
            '                line = ""\n'
            "            lines.append(word)\n"
        ),
    ),
    "begin_with_found": (
        (
            "def start(lines, degree):\n"
            "    odd = [p for p in degree if degree[p] % 2]\n"
            "    if len(odd) > 2:\n"
            "        return None\n"
            "    stack = [lines[0][0]]\n"
            "    return stack\n"
        ),
        "[lines[0][0]]",
        "[odd[0] if odd else lines[0][0]]",
    ),
    "unread_throughout": (
        (
            "def block(square, r, c, box):\n"
            "    top, left = r - r % box, c - c % box\n"
            "    return [row[top:top + box] for row in square[top:top + box]]\n"
        ),
        "row[top:top + box]",
        "row[left:left + box]",
    ),
    "nothing_before_first": (
        (
            "def rises(xs):\n"
            "    out = []\n"
            "    for i in range(len(xs)):\n"
            "        if xs[i] > xs[i - 1]:\n"
            "            out.append(i)\n"
            "    return out\n"
        ),
        "if xs[i] > xs[i - 1]",
        "if i == 0 or xs[i] > xs[i - 1]",
    ),
    "end_below_divisor": (
        (
            "def digits(n, base):\n"
            "    if n == 0:\n"
            "        return str(n)\n"
            "    return digits(n // base, base) + str(n % base)\n"
        ),
        "if n == 0",
        "if n < base",
    ),
    "count_begun_part": (
        ("def fee(minutes):\n    halves = minutes // 30\n    halves = halves + 1\n    return halves * 2\n"),
        "    halves = halves + 1\n",
        "    if minutes % 30 != 0:\n        halves = halves + 1\n",
    ),
    "ask_for_stored_key": (
        (
            "def by_city(cities):\n"
            "    groups = {}\n"
            "    for name in cities:\n"
            "        city = cities[name]\n"
            "        if name not in groups:\n"
            "            groups[city] = []\n"
            "        groups[city].append(name)\n"
            "    return groups\n"
        ),
        "if name not in",
        "if city not in",
    ),
    "empty_and_not_gone": (
        (
            "class Shelf:\n"
            "    def __init__(self, titles):\n"
            "        self.lent = {}\n"
            "        for title in titles:\n"
            "            self.lent[title] = None\n"
            "\n"
            "    def give_back(self, title):\n"
            "        del self.lent[title]\n"
        ),
        "del self.lent[title]",
        "self.lent[title] = None",
    ),
    "keep_latest_entry": (
        (
            "def parents(edges):\n"
            "    came = {}\n"
            "    for a, b in edges:\n"
            "        came.setdefault(b, a)\n"
            "    return came\n"
        ),
        "came.setdefault(b, a)",
        "came[b] = a",
    ),
    "nothing_but_one_sign": (
        "def is_open(rest):\n    return rest in ('', '*')\n",
        "rest in ('', '*')",
        "not rest.strip('*')",
    ),
    "stated_least": (
        ('def pages(count, size):\n    """It is never more than 4 or less than 0."""\n    return count // size\n'),
        "return count // size",
        "return min(4, count // size)",
    ),
    "latest_finished_first": (
        (
            "def layers(graph):\n"
            "    order, seen = [], set()\n"
            "\n"
            "    def finish(node):\n"
            "        seen.add(node)\n"
            "        for other in graph[node]:\n"
            "            if other not in seen:\n"
            "                finish(other)\n"
            "        order.append(node)\n"
            "\n"
            "    for node in graph:\n"
            "        if node not in seen:\n"
            "            finish(node)\n"
            "    return order\n"
        ),
        "return order",
        "return order[::-1]",
    ),
    "bracket_alternatives": (
        'def any_of(tests):\n    return " OR ".join(tests)\n',
        '" OR ".join(tests)',
        '"(" + " OR ".join(tests) + ")"',
    ),
    "keep_what_is_compared": (
        (
            "def places(entries):\n"
            "    out, place, last = [], 0, None\n"
            "    for n, entry in enumerate(entries, 1):\n"
            "        if entry.key != last:\n"
            "            place = n\n"
            "        last = entry\n"
            "        out.append(place)\n"
            "    return out\n"
        ),
        "last = entry\n",
        "last = entry.key\n",
    ),
    "own_for_builtin": (
        (
            "def shown(value):\n"
            "    return '-' if value is None else str(value)\n"
            "\n"
            "\n"
            "def widest(values):\n"
            "    return max(len(str(value)) for value in values)\n"
            "\n"
            "\n"
            "def row(values):\n"
            "    return ' '.join(shown(value) for value in values)\n"
        ),
        "len(str(value))",
        "len(shown(value))",
    ),
    "share_left_over": (
        (
            "def split(total, people):\n"
            "    share, left = divmod(total, len(people))\n"
            "    return {who: share for who in people}\n"
        ),
        "{who: share for who in people}",
        "{who: share + (1 if i < left else 0) for i, who in enumerate(people)}",
    ),
    "keep_outer_value": (
        (
            "def paths(tree, prefix):\n"
            "    out = []\n"
            "    for key in tree:\n"
            "        path = prefix + key\n"
            "        out.append(path)\n"
            "        if tree[key]:\n"
            "            prefix = path\n"
            "            out += paths(tree[key], prefix)\n"
            "    return out\n"
        ),
        "            prefix = path\n            out += paths(tree[key], prefix)\n",
        "            out += paths(tree[key], path)\n",
    ),
    "compare_values_of_members": (
        "def is_hidden(level, lowest):\n    return level.name < lowest.name\n",
        "level.name < lowest.name",
        "level.value < lowest.value",
    ),
    "take_first_off": (
        (
            "from collections import deque\n"
            "\n"
            "\n"
            "def windows(xs):\n"
            "    kept = deque(xs)\n"
            "    while len(kept) > 2:\n"
            "        kept.pop(0)\n"
            "    return kept\n"
        ),
        "kept.pop(0)",
        "kept.popleft()",
    ),
    "one_of_each_pair": (
        ("def ranked(counts):\n    order = sorted(counts.items(), key=lambda item: -item[1])\n    return order[:3]\n"),
        "return order[:3]",
        "return [key for key, _ in order[:3]]",
    ),
    "sum_of_items_at": (
        (
            "from itertools import combinations\n"
            "\n"
            "\n"
            "def most(weights):\n"
            "    return max(sum(trio) for trio in combinations(range(len(weights)), 3))\n"
        ),
        "sum(trio)",
        "sum(weights[i] for i in trio)",
    ),
    "ask_at_root": (
        (
            "def sizes(n, pairs):\n"
            "    parent, size = list(range(n)), [1] * n\n"
            "\n"
            "    def find(x):\n"
            "        while parent[x] != x:\n"
            "            x = parent[x]\n"
            "        return x\n"
            "\n"
            "    for a, b in pairs:\n"
            "        a, b = find(a), find(b)\n"
            "        if a != b:\n"
            "            parent[b] = a\n"
            "            size[a] += size[b]\n"
            "    return [size[v] for v in range(n)]\n"
        ),
        "[size[v] for",
        "[size[find(v)] for",
    ),
    "take_off_twice_counted": (
        (
            "def sums(grid):\n"
            "    rows, columns = len(grid), len(grid[0])\n"
            "    t = [[0] * (columns + 1) for _ in range(rows + 1)]\n"
            "    for r in range(rows):\n"
            "        for c in range(columns):\n"
            "            t[r + 1][c + 1] = t[r][c + 1] + t[r + 1][c] + grid[r][c]\n"
            "    return t\n"
        ),
        "t[r][c + 1] + t[r + 1][c] + grid[r][c]",
        "t[r][c + 1] + t[r + 1][c] + grid[r][c] - t[r][c]",
    ),
    "gather_pushed": (
        (
            "from heapq import heappush\n"
            "\n"
            "\n"
            "def begin(cost, node):\n"
            "    heap = []\n"
            "    heappush(heap, cost, node)\n"
            "    return heap\n"
        ),
        "heappush(heap, cost, node)",
        "heappush(heap, (cost, node))",
    ),
    "call_together": (
        (
            "class Ring:\n"
            "    def put(self, node):\n"
            "        self._unlink(node)\n"
            "        if node.old:\n"
            "            node.old = False\n"
            "        self._push(node)\n"
            "\n"
            "    def get(self, key):\n"
            "        found = self.nodes[key]\n"
            "        self._unlink(found)\n"
            "        return found.value\n"
            "\n"
            "    def _unlink(self, node):\n"
            "        node.before.after = node.after\n"
            "\n"
            "    def _push(self, node):\n"
            "        self.first = node\n"
        ),
        "        self._unlink(found)\n",
        "        self._unlink(found)\n        self._push(found)\n",
    ),
    "stated_direction": (
        (
            "def alternating(n):\n"
            '    """Adds and subtracts the digits in turn, from right to left."""\n'
            "    total = 0\n"
            "    for i, c in enumerate(str(n)):\n"
            "        total += int(c) if i % 2 == 0 else -int(c)\n"
            "    return total\n"
        ),
        "enumerate(str(n))",
        "enumerate(reversed(str(n)))",
    ),
    "leave_out_one": (
        "def kept(marks):\n    return [m for m in marks if m != min(marks) and m != max(marks)]\n",
        "[m for m in marks if m != min(marks) and m != max(marks)]",
        "sorted(marks)[1:-1]",
    ),
    "last_but_not_alone": (
        "def ends(row):\n    return row[0] + row[-1]\n",
        "+ row[-1]",
        "+ (row[-1] if len(row) > 1 else 0)",
    ),
    "texts_are_whole": (
        (
            "def flatten(items):\n"
            "    out = []\n"
            "    for item in items:\n"
            "        if hasattr(item, '__iter__'):\n"
            "            out.extend(flatten(item))\n"
            "        else:\n"
            "            out.append(item)\n"
            "    return out\n"
        ),
        "hasattr(item, '__iter__')",
        "isinstance(item, (list, tuple))",
    ),
    "widest_of_column": (
        "def widths(rows):\n    return [len(cell) for cell in rows[0]]\n",
        "[len(cell) for cell in rows[0]]",
        "[max(len(cell) for cell in column) for column in zip(*rows)]",
    ),
    "counter_below": (
        ("def cut(n, k):\n    size, extra = divmod(n, k)\n    return [size + (1 if extra else 0) for i in range(k)]\n"),
        "if extra else",
        "if i < extra else",
    ),
    "look_up_in_unread": (
        (
            "def in_base(n, base):\n"
            "    symbols = '0123456789abcdef'\n"
            "    out = ''\n"
            "    while n:\n"
            "        out = str(n % base) + out\n"
            "        n //= base\n"
            "    return out\n"
        ),
        "str(n % base)",
        "symbols[n % base]",
    ),
    "shift_by_unread": (
        "def mirrored(xs, left, right):\n    return [xs[right - i] for i in range(2)]\n",
        "xs[right - i]",
        "xs[left + right - i]",
    ),
    "assign_as_elsewhere": (
        (
            "def depths(parent, start):\n"
            "    out = []\n"
            "    node = start\n"
            "    while node:\n"
            "        out.append(node)\n"
            "        node = parent[node]\n"
            "        while node and node % 2:\n"
            "            node = 0\n"
            "    return out\n"
        ),
        "node = 0",
        "node = parent[node]",
    ),
    "cut_behind": (
        (
            "class Node:\n"
            "    def __init__(self, value, after=None):\n"
            "        self.value = value\n"
            "        self.after = after\n"
            "\n"
            "\n"
            "def halves(head):\n"
            "    slow, fast = head, head.after\n"
            "    while fast and fast.after:\n"
            "        slow, fast = slow.after, fast.after.after\n"
            "    second = slow.after\n"
            "    return head, second\n"
        ),
        "second = slow.after\n",
        "second = slow.after\n    slow.after = None\n",
    ),
    "guard_other_too": (
        (
            "def join(a, b):\n"
            "    if not a:\n"
            "        return b\n"
            "    if a[0] < b[0]:\n"
            "        return a[:1] + join(a[1:], b)\n"
            "    return b[:1] + join(a, b[1:])\n"
        ),
        "        return b\n    if a[0]",
        "        return b\n    if not b:\n        return a\n    if a[0]",
    ),
    "joined_already": (
        (
            "def join(find, parent, size, a, b):\n"
            "    a, b = find(a), find(b)\n"
            "    parent[b] = a\n"
            "    size[a] += size.pop(b)\n"
        ),
        "    a, b = find(a), find(b)\n",
        "    a, b = find(a), find(b)\n    if a == b:\n        return\n",
    ),
    "carry_back": (
        (
            "def visit(node, near, low, order):\n"
            "    for other in near[node]:\n"
            "        if other in order:\n"
            "            low[node] = min(low[node], order[other])\n"
            "        else:\n"
            "            visit(other, near, low, order)\n"
            "    return low\n"
        ),
        "            visit(other, near, low, order)\n",
        ("            visit(other, near, low, order)\n            low[node] = min(low[node], low[other])\n"),
    ),
    "as_just_stored": (
        (
            "def remove(tree, key):\n"
            "    heir = tree[2]\n"
            "    tree[0] = heir[0]\n"
            "    tree[2] = remove(tree[2], key)\n"
            "    return tree\n"
        ),
        "remove(tree[2], key)",
        "remove(tree[2], heir[0])",
    ),
    "same_for_the_other": (
        (
            "def f(xs, deque):\n"
            "    highs, lows = deque(), deque()\n"
            "    for left, x in enumerate(xs):\n"
            "        highs.append(x)\n"
            "        lows.append(x)\n"
            "        if highs[0] < left:\n"
            "            highs.popleft()\n"
            "    return len(lows)\n"
        ),
        "            highs.popleft()\n",
        "            highs.popleft()\n        if lows[0] < left:\n            lows.popleft()\n",
    ),
    "behind_dummy": (
        (
            "def f(small_end, Node, rows):\n"
            "    large = large_end = Node()\n"
            "    for row in rows:\n"
            "        large_end.next = row\n"
            "        large_end = row\n"
            "    small_end.next = large\n"
            "    return small_end\n"
        ),
        "small_end.next = large\n",
        "small_end.next = large.next\n",
    ),
    "sibling_function": (
        (
            "def parse(text):\n"
            "    def atom():\n"
            "        return -total() if text else 1\n"
            "\n"
            "    def total():\n"
            "        return atom() + 1\n"
            "\n"
            "    return total()\n"
        ),
        "-total()",
        "-atom()",
    ),
    "take_off_all_before": (
        (
            "def pick(less, more, k, below, same):\n"
            "    if k <= below:\n"
            "        return pick(less, [], k, 0, 0)\n"
            "    if k <= below + same:\n"
            "        return same\n"
            "    return pick(more, [], k - same, 0, 0)\n"
        ),
        "k - same",
        "k - below - same",
    ),
    "item_at_new_place": (
        (
            "def f(heap, rows, push):\n"
            "    value, row, i = heap.pop()\n"
            "    i += 1\n"
            "    if i < len(rows[row]):\n"
            "        push(heap, (value, row, i))\n"
            "    return heap\n"
        ),
        "(value, row, i))",
        "(rows[row][i], row, i))",
    ),
    "leave_other_characters": (
        (
            "def f(secret: str, known: str) -> str:\n"
            "    out = ''\n"
            "    for ch in secret:\n"
            "        if ch in known:\n"
            "            out += ch\n"
            "    return out\n"
        ),
        "if ch in known",
        "if not ch.isalpha() or ch in known",
    ),
    "stated_limits": (
        (
            "def f(grades):\n"
            "    '''A grade is never worth more than 4 or less than 0.'''\n"
            "    total = 0\n"
            "    for value in grades:\n"
            "        total += value\n"
            "    return total\n"
        ),
        "total += value",
        "total += max(0, min(4, value))",
    ),
    "ask_how_many_differ": (
        (
            "def f(code):\n"
            "    '''Whether it has digits that are not all the same.'''\n"
            "    digits = code[2:]\n"
            "    return digits.isdigit()\n"
        ),
        "digits.isdigit()",
        "digits.isdigit() and len(set(digits)) > 1",
    ),
    "first_of_largest": (
        ("def f(counts):\n    ranking = sorted(counts.items(), key=lambda kv: kv[1])\n    return ranking[-1][0]\n"),
        "    ranking = sorted(counts.items(), key=lambda kv: kv[1])\n    return ranking[-1][0]\n",
        ("    ranking = sorted(counts.items(), key=lambda kv: kv[1], reverse=True)\n    return ranking[0][0]\n"),
    ),
    "split_at_told_marks": (
        ("def f(name):\n    '''Words are separated by blanks or hyphens.'''\n    return len(name.split())\n"),
        "name.split()",
        'name.replace("-", " ").split()',
    ),
    "clean_before": (
        "def f(tag):\n    return tag.lstrip('#').lower()\n",
        "tag.lstrip('#')",
        "tag.strip().lstrip('#')",
    ),
    "lose_after_asking": (
        (
            "def f(height, up, down):\n"
            "    at = days = 0\n"
            "    while True:\n"
            "        days += 1\n"
            "        at += up - down\n"
            "        if at >= height:\n"
            "            return days\n"
        ),
        "        at += up - down\n        if at >= height:\n            return days\n",
        "        at += up\n        if at >= height:\n            return days\n        at -= down\n",
    ),
    "usual_helper": (
        "def f(word):\n    return sum(1 for ch in word if is_vowel(ch))\n",
        "is_vowel(ch)",
        'ch.lower() in "aeiou"',
    ),
    "narrow_else": (
        "def f(text):\n    n = 0\n    for mark in text:\n        if mark == '(':\n            n += 1\n"
        "        else:\n            n -= 1\n    return n\n",
        "else:",
        'elif mark == "]":',
    ),
    "ask_whether_reached": (
        (
            "def f(best, n):\n"
            "    INF = 10 ** 9\n"
            "    best[n] = min(best[n], INF)\n"
            "    return best[n] if best[n] else -1\n"
        ),
        "if best[n] else",
        "if best[n] < INF else",
    ),
    "key_with_state": (
        (
            "def f(grid):\n"
            "    r = c = 0\n"
            "    d = 'E'\n"
            "    seen = set()\n"
            "    while grid[r][c]:\n"
            "        key = (r, c)\n"
            "        if key in seen:\n"
            "            return -1\n"
            "        seen.add(key)\n"
            "        r, c, d = grid[r][c](d)\n"
            "    return 0\n"
        ),
        "key = (r, c)\n",
        "key = (r, c, d)\n",
    ),
    "compare_found": (
        "def f(find, u, v):\n    a, b = find(u), find(v)\n    return u != v and a + b\n",
        "u != v",
        "a != b",
    ),
    "common_multiple": (
        (
            "from math import gcd\n"
            "\n"
            "\n"
            "def f(steps):\n"
            "    period = 1\n"
            "    for step in steps:\n"
            "        period *= step\n"
            "    return period\n"
        ),
        "period *= step",
        "period = period * step // gcd(period, step)",
    ),
    "add_after_choice": (
        "def f(now, free, length):\n    return max(now, free + length)\n",
        "max(now, free + length)",
        "max(now, free) + length",
    ),
    "add_no_less": (
        (
            "def f(jobs, now):\n"
            "    total = 0\n"
            "    for begin, step in jobs:\n"
            "        total += (now - begin) // step\n"
            "    return total\n"
        ),
        "total += (now - begin) // step",
        "total += max(0, (now - begin) // step)",
    ),
    "cap_each_period": (
        "def f(days, hours):\n    return min(1500, (days * 24 + hours) * 200)\n",
        "min(1500, (days * 24 + hours) * 200)",
        "days * 1500 + min(1500, hours * 200)",
    ),
    "keep_case": (
        (
            "def f(text):\n"
            "    out = []\n"
            "    for letter in text:\n"
            "        low = letter.lower()\n"
            "        new = KEYS[low]\n"
            "        out.append(new)\n"
            "    return out\n"
        ),
        "out.append(new)",
        "out.append(new.upper() if letter.isupper() else new)",
    ),
    "bits_from_left": (
        (
            "def f(word):\n"
            "    total = 0\n"
            "    for n, one in enumerate(word):\n"
            "        if one == 'x':\n"
            "            total += 1 << n\n"
            "    return total\n"
        ),
        "1 << n",
        "1 << (len(word) - 1 - n)",
    ),
    "rows_as_lists": (
        "def f(rows):\n    return list(zip(*rows[::-1]))\n",
        "list(zip(*rows[::-1]))",
        "[list(row) for row in zip(*rows[::-1])]",
    ),
    "divide_by_own_length": (
        ("def f(xs, i, r):\n    part = xs[max(0, i - r) : i + r + 1]\n    return sum(part) / (2 * r + 1)\n"),
        "sum(part) / (2 * r + 1)",
        "sum(part) / len(part)",
    ),
    "forget_expired": (
        (
            "class A:\n"
            "    def get(self, key):\n"
            "        entry = self.data.get(key)\n"
            "        if self.clock() - entry > 9:\n"
            "            return None\n"
            "        return entry\n"
        ),
        "            return None\n",
        "            del self.data[key]\n            return None\n",
    ),
    "hash_of_tuples": (
        "class A:\n    def __hash__(self):\n        return hash(self.rows)\n",
        "hash(self.rows)",
        "hash(tuple(self.rows))",
    ),
    "at_least_one": (
        "def pages(items, size):\n    return -(-len(items) // size)\n",
        "-(-len(items) // size)",
        "max(1, -(-len(items) // size))",
    ),
    "step_from_own": (
        "def f(job, now):\n    job.due = now + job.step\n",
        "job.due = now + job.step",
        "job.due += job.step",
    ),
    "change_both_tables": (
        (
            "class A:\n"
            "    def __init__(self):\n"
            "        self.stock = {}\n"
            "        self.held = {}\n"
            "\n"
            "    def hold(self, x):\n"
            "        self.held[x] = 1\n"
            "\n"
            "    def ship(self, x, n):\n"
            "        self.stock[x] -= n\n"
        ),
        "        self.stock[x] -= n\n",
        "        self.stock[x] -= n\n        self.held[x] -= n\n",
    ),
    "less_other_table": (
        (
            "class A:\n"
            "    def held_of(self, x):\n"
            "        return self.held.get(x, 0) + 1\n"
            "\n"
            "    def free(self, x):\n"
            "        return self.stock.get(x, 0)\n"
        ),
        "return self.stock.get(x, 0)",
        "return self.stock.get(x, 0) - self.held.get(x, 0)",
    ),
    "class_of_caller": (
        "class Task:\n    @classmethod\n    def read(cls, data):\n        return Task(data)\n",
        "return Task(data)",
        "return cls(data)",
    ),
    "own_method_for_part": (
        (
            "class A:\n"
            "    def free(self, x):\n"
            "        return self.stock.get(x, 0) - self.held.get(x, 0)\n"
            "\n"
            "    def take(self, item, n):\n"
            "        if n > self.stock.get(item, 0):\n"
            "            raise ValueError(item)\n"
        ),
        "n > self.stock.get(item, 0)",
        "n > self.free(item)",
    ),
    "every_attribute": (
        (
            "class A:\n"
            "    def __init__(self, name, done):\n"
            "        self.name = name\n"
            "        self.done = done\n"
            "\n"
            "    def as_dict(self):\n"
            '        return {"name": self.name}\n'
        ),
        '{"name": self.name}',
        '{"name": self.name, "done": self.done}',
    ),
    "last_word": (
        "def f(base, given):\n    found = dict(given)\n    found.update(base)\n    return found\n",
        "    found = dict(given)\n    found.update(base)\n",
        "    found = dict(base)\n    found.update(given)\n",
    ),
    "take_out_the_old": (
        (
            "def replace(indexes, old, new):\n"
            "    for index in indexes:\n"
            "        index.add(new)\n"
            "\n"
            "\n"
            "def drop(indexes, x):\n"
            "    for index in indexes:\n"
            "        index.remove(x)\n"
        ),
        "        index.add(new)\n",
        "        index.remove(old)\n        index.add(new)\n",
    ),
    "begin_run_anew": (
        (
            "class A:\n"
            "    def __init__(self):\n"
            "        self.problems = []\n"
            "        self.seen = set()\n"
            "\n"
            "    def run(self, xs):\n"
            "        for x in xs:\n"
            "            self.note(x)\n"
            "        return self.problems\n"
            "\n"
            "    def note(self, x):\n"
            "        self.seen.add(x)\n"
            "        self.problems.append(x)\n"
        ),
        "        for x in xs:\n            self.note(x)\n        return",
        (
            "        self.problems = []\n"
            "        self.seen = set()\n"
            "        for x in xs:\n"
            "            self.note(x)\n"
            "        return"
        ),
    ),
    "uncalled_throughout": (
        (
            "def ended(x):\n"
            "    return x + 1\n"
            "\n"
            "\n"
            "def f(a, b):\n"
            "    out = 0\n"
            "    out += a\n"
            "    out += b\n"
            "    return out\n"
        ),
        "    out += a\n    out += b\n",
        "    out += ended(a)\n    out += ended(b)\n",
    ),
    "wrap_as_neighbour": (
        "def f(path, anchor, mark):\n    return unquote(path), anchor if mark else None\n",
        "anchor if mark",
        "unquote(anchor) if mark",
    ),
    "undo_both_ways": (
        "def f(a, b, x):\n    a.pop(x)\n    for s in b.pop(x):\n        a[s].discard(x)\n",
        "    a.pop(x)\n",
        "    for other in a.pop(x):\n        b[other].discard(x)\n",
    ),
    "give_up_on_others": (
        (
            "class A:\n"
            "    def f(self, g):\n"
            "        try:\n"
            "            return g()\n"
            "        except OSError:\n"
            "            self.fail()\n"
            "            raise\n"
            "\n"
            "    def _drop(self):\n"
            "        self.busy = False\n"
        ),
        "            self.fail()\n            raise\n",
        (
            "            self.fail()\n"
            "            raise\n"
            "        except BaseException:\n"
            "            self._drop()\n"
            "            raise\n"
        ),
    ),
    "entry_of_base_class": (
        "def f(handlers, error):\n    return handlers.get(type(error))\n",
        "handlers.get(type(error))",
        "next((handlers[kind] for kind in type(error).__mro__ if kind in handlers), None)",
    ),
    "wrap_as_elsewhere": (
        "async def f(hook, x):\n    y = await settle(hook(x))\n    z = hook(y)\n    return z\n",
        "z = hook(y)",
        "z = await settle(hook(y))",
    ),
    "lessen_both": (
        "def f(lots, wanted):\n    for lot in lots:\n        taken = min(wanted, lot.left)\n        wanted -= taken\n"
        "        if not wanted:\n            break\n",
        "            break\n",
        "            break\n        lot.left -= taken\n",
    ),
    "take_the_turn": (
        "def f(queue, member):\n    if queue:\n        if queue[0] != member:\n            raise KeyError(member)\n"
        "    return member\n",
        "KeyError(member)\n",
        "KeyError(member)\n        queue.pop(0)\n",
    ),
    "step_from_origin": (
        "def f(start, n):\n    first = add_months(start, n)\n    return first, add_months(first, 1)\n",
        "add_months(first, 1)",
        "add_months(start, n + 1)",
    ),
    "result_throughout": (
        "def f(xs, x):\n    if not xs:\n        return -1\n    for i, y in enumerate(xs):\n        if x == y:\n"
        "            return i\n    return -1\n",
        "    if not xs:\n        return -1\n    for i, y in enumerate(xs):\n        if x == y:\n"
        "            return i\n    return -1\n",
        "    if not xs:\n        return None\n    for i, y in enumerate(xs):\n        if x == y:\n"
        "            return i\n    return None\n",
    ),
    "answer_as_stored": (
        "def f(d, k):\n    if d.get(k):\n        return True\n    return False\n",
        "if d.get(k):\n        return True",
        "if k in d:\n        return d[k]",
    ),
    "refuse_before_adding": (
        "def f(times, now, most):\n    times.append(now)\n    return len(times) <= most\n",
        "    times.append(now)\n    return len(times) <= most\n",
        "    if len(times) >= most:\n        return False\n    times.append(now)\n    return True\n",
    ),
    "begin_with_own_length": (
        "def f(words, width):\n    for word in words:\n        line = [word]\n        length = 0\n    return length\n",
        "length = 0",
        "length = len(word)",
    ),
    "iterate_each_call": (
        "def f(xs):\n    rest = iter(xs)\n\n    def g():\n        return list(rest)\n\n    return g\n",
        "    rest = iter(xs)\n\n    def g():\n",
        "\n    def g():\n        rest = iter(xs)\n",
    ),
    "ask_for_own_entry": (
        "def f(heap, entries):\n    while heap[0][2] not in entries:\n        heap.pop(0)\n",
        "heap[0][2] not in entries",
        "entries.get(heap[0][2]) is not heap[0]",
    ),
    "take_from_asked": (
        (
            "def enter(cars, places):\n"
            "    free = [place for place in places if place not in cars]\n"
            "    if not free:\n"
            "        raise IndexError\n"
            "    return len(cars) + 1\n"
        ),
        "return len(cars) + 1",
        "return free[0]",
    ),
    "status_of_found": (
        (
            "def check(rows):\n"
            "    found = [row for row in rows if not row]\n"
            "    for row in found:\n"
            "        print(row)\n"
            "    return 0\n"
        ),
        "return 0",
        "return 1 if found else 0",
    ),
    "reset_the_rest": (
        (
            "class A:\n"
            "    def __init__(self):\n"
            "        self.items, self.count = [], 0\n"
            "\n"
            "    def add(self, x):\n"
            "        self.items.append(x)\n"
            "        self.count += 1\n"
            "\n"
            "    def reset(self):\n"
            "        self.items.clear()\n"
        ),
        "        self.items.clear()\n",
        "        self.items.clear()\n        self.count = 0\n",
    ),
    "store_asked_state": (
        (
            "def visit(node):\n"
            "    if state.get(node) == 2:\n"
            "        return\n"
            "    state[node] = 1\n"
            "    order.append(node)\n"
        ),
        "    order.append(node)\n",
        "    order.append(node)\n    state[node] = 2\n",
    ),
    "literal_throughout": (
        'def f(c, k):\n    return chr((ord(c) - ord("a") + k) % 26 + ord("a"))\n',
        '(ord(c) - ord("a") + k) % 26 + ord("a")',
        '(ord(c) - ord("A") + k) % 26 + ord("A")',
    ),
    "ask_for_dict": (
        (
            "def f(data, path):\n"
            "    for key in path:\n"
            "        if key not in data:\n"
            "            return None\n"
            "        data = data[key]\n"
            "    return data\n"
        ),
        "if key not in data:",
        "if not isinstance(data, dict) or key not in data:",
    ),
    "grow_own_path": (
        ("def f(nodes, queue, path):\n    for x in nodes:\n        path.append(x)\n        queue.append((x, path))\n"),
        "        path.append(x)\n        queue.append((x, path))",
        "        queue.append((x, path + [x]))",
    ),
    "carry_table": (
        (
            "def f(t, i, j, same):\n"
            "    if same:\n"
            "        t[i][j] = t[i - 1][j - 1] + 1\n"
            "    else:\n"
            "        t[i][j] = 0\n"
        ),
        "t[i][j] = 0",
        "t[i][j] = max(t[i - 1][j], t[i][j - 1])",
    ),
    "take_what_is_compared": (
        ("def f(xs, c):\n    stack = []\n    for x in xs:\n        stack.append(x)\n    return stack[-1] != c\n"),
        "stack[-1]",
        "stack.pop()",
    ),
    "missing_or_wrong": (
        "def f(stack, c):\n    return stack and stack.pop() != c\n",
        "stack and stack.pop() != c",
        "not stack or stack.pop() != c",
    ),
    "longest_row": (
        "def f(rows):\n    return len(rows[0])\n",
        "len(rows[0])",
        "max(len(row) for row in rows)",
    ),
    "step_by_one": (
        (
            "def f(text, part):\n"
            "    at = text.find(part)\n"
            "    while at != -1:\n"
            "        at = text.find(part, at + len(part))\n"
        ),
        "at + len(part)",
        "at + 1",
    ),
    "take_out_what_leaves": (
        (
            "def f(xs):\n"
            "    window, total = [], 0\n"
            "    for x in xs:\n"
            "        window.append(x)\n"
            "        total += x\n"
            "        if len(window) > 3:\n"
            "            total -= window[0]\n"
            "    return total\n"
        ),
        "window[0]",
        "window.pop(0)",
    ),
    "clamp_slice_start": (
        "def f(xs, i, n):\n    return xs[i - n + 1:i + 1]\n",
        "xs[i - n + 1:",
        "xs[max(0, i - n + 1):",
    ),
    "first_entry_stays": (
        ('def f(rows, out):\n    for row in rows:\n        if row.name:\n            out["name"] = row.name\n'),
        "if row.name:",
        'if row.name and not out["name"]:',
    ),
    "from_lower_end": (
        "def f(v, low, high, n):\n    width = (high - low) / n\n    return int(v / width)\n",
        "v / width",
        "(v - low) / width",
    ),
    "split_unescaped": (
        ('import re\n\ndef f(line):\n    return [part.replace("\\\\,", ",") for part in line.split(",")]\n'),
        'line.split(",")',
        're.split(r"(?<!\\\\),", line)',
    ),
    "arguments_as_elsewhere": (
        (
            "class A:\n"
            "    def f(self, x):\n"
            "        return number_of(x, self.levels)\n"
            "\n"
            "    def g(self, y):\n"
            "        return number_of(y)\n"
        ),
        "number_of(y)",
        "number_of(y, self.levels)",
    ),
    "hand_out_copy": (
        (
            "class A:\n"
            "    def __init__(self):\n"
            "        self.n = 0\n"
            "        self.items = []\n"
            "\n"
            "    def add(self, x):\n"
            "        self.items.append(x)\n"
            "\n"
            "    def all(self):\n"
            "        return self.n, self.items\n"
        ),
        "return self.n, self.items",
        "return self.n, list(self.items)",
    ),
    "keep_own_copy": (
        (
            "class A:\n"
            "    def __init__(self):\n"
            "        self.done = []\n"
            "        self.seen = {}\n"
            "\n"
            "    def add(self, x):\n"
            "        self.done.append(x)\n"
            "        self.seen[x] = 1\n"
            "\n"
            "    def twin(self):\n"
            "        other = A()\n"
            "        other.done = self.done\n"
            "        other.seen = self.seen\n"
            "        return other\n"
        ),
        "        other.done = self.done\n        other.seen = self.seen\n",
        "        other.done = list(self.done)\n        other.seen = dict(self.seen)\n",
    ),
    "loop_over_copy": (
        (
            "class A:\n"
            "    def tell(self, event):\n"
            "        for listener in self.listeners:\n"
            "            listener(event)\n"
        ),
        "in self.listeners",
        "in list(self.listeners)",
    ),
    "own_array": (
        "import numpy as np\n\ndef f(x):\n    a = np.asarray(x)\n    a[0] = 1\n    return a\n",
        "np.asarray(x)",
        "np.array(x)",
    ),
    "other_items": (
        "import numpy as np\n\ndef f(x):\n    return np.zeros_like(x)\n",
        "np.zeros_like(x)",
        "np.zeros_like(x, dtype=float)",
    ),
    "fill_with": (
        "import numpy as np\n\ndef f(n, value):\n    return np.zeros(n)\n",
        "np.zeros(n)",
        "np.full(n, value)",
    ),
    "wider_numbers": (
        "import numpy as np\n\ndef f(a, b):\n    return np.abs(a - b)\n",
        "a - b",
        "a.astype(int) - b.astype(int)",
    ),
    "other_axes": (
        "import numpy as np\n\ndef f(a):\n    return a.any(axis=0), a.any(axis=1)\n",
        "a.any(axis=0), a.any(axis=1)",
        "a.any(axis=1), a.any(axis=0)",
    ),
    "along_axis": (
        "import numpy as np\n\ndef f(a):\n    return np.roll(a, 1)\n",
        "np.roll(a, 1)",
        "np.roll(a, 1, axis=0)",
    ),
    "other_array_function": (
        "import numpy as np\n\ndef f(a):\n    return np.triu(a)\n",
        "np.triu",
        "np.tril",
    ),
    "add_at_each": (
        "import numpy as np\n\ndef f(a, i, j):\n    a[i, j] += 1\n    return a\n",
        "a[i, j] += 1",
        "np.add.at(a, (i, j), 1)",
    ),
    "ask_for_nan": (
        "import numpy as np\n\ndef f(x):\n    return x[x != np.nan]\n",
        "x != np.nan",
        "~np.isnan(x)",
    ),
    "each_by_each": (
        "import numpy as np\n\ndef f(a):\n    return a[a > 0 and a < 9]\n",
        "a > 0 and a < 9",
        "(a > 0) & (a < 9)",
    ),
    "never_chosen": (
        "import numpy as np\n\ndef f(m, a):\n    return np.where(m, a, 0.0).max()\n",
        "0.0",
        "-np.inf",
    ),
    "turn_matrix": (
        "import numpy as np\n\ndef f(d, m, r, t):\n    return d * m @ r + t\n",
        "d * m @ r + t",
        "d * (m @ r + t)",
    ),
    "along_new_axis": (
        "import numpy as np\n\ndef f(rows, mean):\n    return rows - mean\n",
        "rows - mean",
        "rows - mean[:, None]",
    ),
    "turn_every_axis": (
        "import numpy as np\n\ndef f(k):\n    return k[::-1]\n",
        "k[::-1]",
        "k[::-1, ::-1]",
    ),
    "in_each_group": (
        ('import pandas as pd\n\ndef f(rows):\n    rows = rows.sort_values("user")\n    return rows["time"].diff()\n'),
        'rows["time"].diff()',
        'rows.groupby("user")["time"].diff()',
    ),
    "along_rows": (
        "import pandas as pd\n\ndef f(table):\n    return table / table.sum(axis=1)\n",
        "table / table.sum(axis=1)",
        "table.div(table.sum(axis=1), axis=0)",
    ),
    "other_aggregate": (
        'import pandas as pd\n\ndef f(rows):\n    return rows.agg("size")\n',
        '"size"',
        '"count"',
    ),
    "other_frame_method": (
        "import pandas as pd\n\ndef f(rows):\n    return rows.count()\n",
        "rows.count()",
        "rows.nunique()",
    ),
    "frame_keyword": (
        "import pandas as pd\n\ndef f(x, bins):\n    return pd.cut(x, bins)\n",
        "pd.cut(x, bins)",
        "pd.cut(x, bins, right=False)",
    ),
    "behind_a_column": (
        "import pandas as pd\n\ndef f(x):\n    y = x.sort_values()\n    return y\n",
        "x.sort_values()",
        "x.sort_values().reset_index(drop=True)",
    ),
    "write_to_frame": (
        (
            "import pandas as pd\n"
            "\n"
            "def f(rows):\n"
            "    for i, row in rows.iterrows():\n"
            '        row["price"] = 1\n'
            "    return rows\n"
        ),
        'row["price"] = 1',
        'rows.loc[i, "price"] = 1',
    ),
    "in_order_first": (
        'import pandas as pd\n\ndef f(rows):\n    return rows["time"].diff()\n',
        '    return rows["time"].diff()',
        '    rows = rows.sort_values("time")\n    return rows["time"].diff()',
    ),
    "without_byte_order_mark": (
        'def f(data):\n    return data.decode("utf-8")\n',
        '"utf-8"',
        '"utf-8-sig"',
    ),
    "read_without_mark": (
        "def f(data):\n    return data.decode()\n",
        "data.decode()",
        'data.decode("utf-8-sig")',
    ),
    "in_one_transaction": (
        (
            "def f(db, a, b):\n"
            '    db.execute("UPDATE t SET x = 1 WHERE id = ?", (a,))\n'
            '    db.execute("UPDATE t SET x = 2 WHERE id = ?", (b,))\n'
        ),
        (
            '    db.execute("UPDATE t SET x = 1 WHERE id = ?", (a,))\n'
            '    db.execute("UPDATE t SET x = 2 WHERE id = ?", (b,))\n'
        ),
        (
            "    with db:\n"
            '        db.execute("UPDATE t SET x = 1 WHERE id = ?", (a,))\n'
            '        db.execute("UPDATE t SET x = 2 WHERE id = ?", (b,))\n'
        ),
    ),
    "refuse_without_mark": (
        'def f(line):\n    key, mark, value = line.partition("=")\n    return key, value\n',
        "    return",
        "    if not mark:\n        raise ValueError(line)\n    return",
    ),
    "prefix_if_there": (
        'def f(prefix, key):\n    return f"{prefix}.{key}"\n',
        'f"{prefix}.{key}"',
        'f"{prefix}.{key}" if prefix else key',
    ),
    "naive_is_utc": (
        "from datetime import timezone\n\ndef f(moment, zone):\n    return moment.astimezone(zone)\n",
        "    return",
        ("    if moment.tzinfo is None:\n        moment = moment.replace(tzinfo=timezone.utc)\n    return"),
    ),
    "past_the_end": (
        "def f(start, now, end):\n    return start <= now < end\n",
        "start <= now < end",
        "start <= now < end if start <= end else now >= start or now < end",
    ),
    "closed_as_opened": (
        'def f(text):\n    return text.startswith("(")\n',
        'text.startswith("(")',
        'text.startswith("(") and text.endswith(")")',
    ),
    "none_as_twin": (
        "def is_free(left, right):\n    return left is None or left.blank or right.blank\n",
        "left is None or left",
        "left is None or right is None or left",
    ),
    "put_back_kept": (
        "def compile_all(schema, parts):\n    found, old = [], schema.required\n    old = schema.required\n"
        "    for part in parts:\n        schema.required = False\n        found.append(schema.compile(part))\n"
        "    return found\n",
        "compile(part))\n    return",
        "compile(part))\n    schema.required = old\n    return",
    ),
    "save_changed": (
        "class Order(models.Model):\n    def pay(self):\n"
        "        self.by = 'card'\n        self.paid = True\n        return self\n",
        "True\n        return",
        "True\n        self.save()\n        return",
    ),
    "same_kind_on_both": (
        (
            "def f(result, extra):\n"
            "    for key, value in extra.items():\n"
            "        if isinstance(value, dict):\n"
            "            result[key] = f(result[key], value)\n"
            "    return result\n"
        ),
        "isinstance(value, dict)",
        "isinstance(value, dict) and isinstance(result.get(key), dict)",
    ),
    "keep_going": (
        (
            "def f(handlers, event):\n"
            "    errors = {}\n"
            "    for name, handler in handlers.items():\n"
            "        handler(event)\n"
            "    return errors\n"
        ),
        "        handler(event)\n",
        (
            "        try:\n"
            "            handler(event)\n"
            "        except Exception as exc:\n"
            "            errors[name] = exc\n"
        ),
    ),
    "order_heap_ties": (
        (
            "import heapq, itertools\n"
            "\n"
            "def f(jobs):\n"
            "    order = itertools.count()\n"
            "    heap = []\n"
            "    for job in jobs:\n"
            "        heapq.heappush(heap, (job.due, job))\n"
            "    return heap\n"
        ),
        "(job.due, job)",
        "(job.due, next(order), job)",
    ),
    "go_through_once": (
        "def f(source):\n    items = source.read()\n    return len(items), items\n",
        "source.read()",
        "list(source.read())",
    ),
    "keep_what_is_there": (
        ("def f(task, copy):\n    copy.due = task.due + 1\n    copy.anchor = copy.due.day\n    return copy\n"),
        "copy.anchor = copy.due.day",
        "copy.anchor = task.anchor or copy.due.day",
    ),
    "end_beginning": (
        "def f(tag, tags):\n    return [t for t in tags if t.startswith(tag)], '/'\n",
        "t.startswith(tag)",
        't == tag or t.startswith(tag + "/")',
    ),
    "length_for_number": (
        "def f(line, fence):\n    return len(line.strip()) >= 3\n",
        "3",
        "len(fence)",
    ),
    "note_in_closure": (
        (
            "def f(clock, gap):\n"
            "    last = None\n"
            "\n"
            "    def allow():\n"
            "        nonlocal last\n"
            "        now = clock()\n"
            "        if last is not None and now - last < gap:\n"
            "            return False\n"
            "        return True\n"
            "    return allow\n"
        ),
        "        return True",
        "        last = now\n        return True",
    ),
    "tell_item_its_owner": (
        (
            "class A:\n"
            "    def __init__(self):\n"
            "        self.parent = None\n"
            "        self.items = []\n"
            "\n"
            "    def put(self, item):\n"
            "        self.items.append(item)\n"
        ),
        "        self.items.append(item)\n",
        "        item.parent = self\n        self.items.append(item)\n",
    ),
    "take_out_everywhere": (
        (
            "class A:\n"
            "    def put(self, name, tag):\n"
            "        self.tags.setdefault(tag, set()).add(name)\n"
            "        self.items[name] = tag\n"
            "\n"
            "    def drop(self, name):\n"
            "        del self.items[name]\n"
        ),
        "        del self.items[name]\n",
        ("        del self.items[name]\n        for names in self.tags.values():\n            names.discard(name)\n"),
    ),
    "leave_to_other": (
        (
            "class A:\n"
            "    def __add__(self, other):\n"
            "        if not isinstance(other, A):\n"
            "            raise TypeError(other)\n"
            "        return A()\n"
        ),
        "raise TypeError(other)",
        "return NotImplemented",
    ),
    "raise_again": (
        (
            "def f(get, log):\n"
            "    while True:\n"
            "        try:\n"
            "            return get()\n"
            "        except OSError as exc:\n"
            "            log.append(exc)\n"
            "            if len(log) > 3:\n"
            "                return None\n"
        ),
        "return None",
        "raise",
    ),
    "skip_header": (
        (
            "import csv\n"
            "\n"
            "def f(path):\n"
            "    with open(path) as handle:\n"
            "        rows = csv.reader(handle)\n"
            "        return [row[0] for row in rows]\n"
        ),
        "        return",
        "        next(rows, None)\n        return",
    ),
    "undo_in_any_case": (
        (
            "class A:\n"
            "    def m(self, f):\n"
            "        self.depth += 1\n"
            "        self.busy = True\n"
            "        x = f()\n"
            "        self.busy = False\n"
            "        self.depth -= 1\n"
            "        return x\n"
        ),
        "        x = f()\n        self.busy = False\n        self.depth -= 1\n",
        (
            "        try:\n"
            "            x = f()\n"
            "        finally:\n"
            "            self.busy = False\n"
            "            self.depth -= 1\n"
        ),
    ),
    "remove_if_there": (
        "def f(xs, x):\n    xs.remove(x)\n    return xs\n",
        "    xs.remove(x)\n",
        "    if x in xs:\n        xs.remove(x)\n",
    ),
    "make_folder": (
        "def f(path, text):\n    path.write_text(text)\n",
        "    path.write_text(text)\n",
        "    path.parent.mkdir(parents=True, exist_ok=True)\n    path.write_text(text)\n",
    ),
    "unread_constant": (
        "SIDES = [1]\nAROUND = [2]\n\ndef f(x):\n    return x in SIDES\n",
        "x in SIDES",
        "x in AROUND",
    ),
    "fields_of_both": (
        (
            "def f(before, after, k):\n"
            "    return [name for name in set(before[k]) if before[k].get(name) != after[k].get(name)"
            "]\n"
        ),
        "set(before[k])",
        "set(before[k]) | set(after[k])",
    ),
    "both_tables": (
        "def f(n):\n    up, down = [], []\n    up = [0] * n\n    down = [1] * n\n    return up[-1]\n",
        "return up[-1]",
        "return min(up[-1], down[-1])",
    ),
    "least_missing": (
        "def f(xs):\n    reached = {x % 7 for x in xs}\n    return len(reached)\n",
        "len(reached)",
        "min(set(range(len(reached) + 1)) - reached)",
    ),
    "cap_operand": (
        "def f(full, left, size):\n    return 3 * full + left // size\n",
        "left // size",
        "min(3, left // size)",
    ),
    "clip_to_parameter": (
        (
            "def f(busy, close):\n"
            "    gaps, at = [], 0\n"
            "    for begin, end in busy:\n"
            "        gaps.append((at, begin))\n"
            "        at = end\n"
            "    return gaps\n"
        ),
        "(at, begin)",
        "(at, min(begin, close))",
    ),
    "state_besides_place": (
        (
            "def f(heap, roads):\n"
            "    settled = set()\n"
            "    while heap:\n"
            "        paid, town, used = heap.pop()\n"
            "        if town in settled:\n"
            "            continue\n"
            "        settled.add(town)\n"
            "    return settled\n"
        ),
        "        if town in settled:\n            continue\n        settled.add(town)\n",
        ("        if (town, used) in settled:\n            continue\n        settled.add((town, used))\n"),
    ),
    "begin_with_one": (
        ("from collections import deque\n\ndef f(start):\n    queue = deque(start)\n    return queue.popleft()\n"),
        "deque(start)",
        "deque([start])",
    ),
    "digit_as_text": (
        "def f(mask):\n    return bin(mask).count(1)\n",
        ".count(1)",
        '.count("1")',
    ),
    "year_of_week": (
        "def f(day):\n    return day.year, day.isocalendar()[1]\n",
        "day.year",
        "day.isocalendar()[0]",
    ),
    "empty_is_missing": (
        ("def f(row, field, value):\n    if field not in row:\n        row[field] = value\n    return row\n"),
        "field not in row",
        "not row.get(field)",
    ),
    "zero_is_there": (
        "def f(row, fields):\n    return [field for field in fields if not row.get(field)]\n",
        "not row.get(field)",
        'row.get(field) in (None, "")',
    ),
    "absent_or_better": (
        (
            "def f(rows):\n"
            "    best = {}\n"
            "    for name, points in rows:\n"
            "        if points > best.get(name, 0):\n"
            "            best[name] = points\n"
            "    return best\n"
        ),
        "points > best.get(name, 0)",
        "name not in best or points > best[name]",
    ),
    "keep_better": (
        (
            "class A:\n"
            "    def __init__(self):\n"
            "        self.cost = None\n"
            "\n"
            "def f(nodes, costs):\n"
            "    for node, cost in zip(nodes, costs):\n"
            "        node.cost = cost\n"
        ),
        "        node.cost = cost\n",
        "        if node.cost is None or cost < node.cost:\n            node.cost = cost\n",
    ),
    "round_at_the_end": (
        (
            "def f(rows):\n"
            "    shares = [round(sum(row) / len(row), 1) for row in rows]\n"
            "    return round(sum(shares), 1)\n"
        ),
        "round(sum(row) / len(row), 1)",
        "sum(row) / len(row)",
    ),
    "round_before_asking": (
        "def f(value):\n    while value >= 1024:\n        value /= 1024\n    return f'{value:.1f}'\n",
        "value >= 1024",
        "round(value, 1) >= 1024",
    ),
    "note_best_value": (
        (
            "def f(rows):\n"
            "    best, name = 0, ''\n"
            "    for one, value in rows:\n"
            "        if value > best:\n"
            "            name = one\n"
            "    return name\n"
        ),
        "            name = one\n",
        "            name = one\n            best = value\n",
    ),
    "begin_tie_anew": (
        (
            "def f(counts):\n"
            "    most, is_tie = 0, False\n"
            "    for n in counts:\n"
            "        if n > most:\n"
            "            most = n\n"
            "        elif n == most:\n"
            "            is_tie = True\n"
            "    return is_tie\n"
        ),
        "            most = n\n",
        "            most = n\n            is_tie = False\n",
    ),
    "pairs_of_three": (
        "def f(a, b, c):\n    return a == b or c\n",
        "a == b or c",
        "a == b or a == c or b == c",
    ),
    "keep_as_begun": (
        (
            "def f(items, name, n, price):\n"
            "    if name in items:\n"
            "        items[name]['n'] += n\n"
            "    else:\n"
            "        items[name] = {'n': n, 'price': price}\n"
        ),
        "        items[name]['n'] += n\n",
        "        items[name]['n'] += n\n        items[name]['price'] = price\n",
    ),
    "ask_for_answer": (
        (
            "def take(a, n):\n"
            "    if n > a.n:\n"
            "        return False\n"
            "    a.n -= n\n"
            "    return True\n"
            "\n"
            "def move(a, b, n):\n"
            "    take(a, n)\n"
            "    b.n += n\n"
            "    return True\n"
        ),
        "    take(a, n)\n    b.n",
        "    if not take(a, n):\n        return False\n    b.n",
    ),
    "shift_before_adding": (
        (
            "def f(text, base):\n"
            "    value = 0\n"
            "    for c in text:\n"
            "        value = value + int(c) * base\n"
            "    return value\n"
        ),
        "value = value + int(c) * base",
        "value = value * base + int(c)",
    ),
    "link_new_one": (
        "def f(current, title):\n    new = Node(title)\n    current.next = new\n",
        "    current.next = new\n",
        "    new.next = current.next\n    current.next = new\n",
    ),
    "turn_assignment": (
        ("def f(item, wanted):\n    if wanted > item['count']:\n        item['count'] = wanted\n    return wanted\n"),
        "item['count'] = wanted\n",
        "wanted = item['count']\n",
    ),
    "store_worked_value": (
        "def f(entry, n):\n    level = entry[1]\n    level = level + n\n    return level\n",
        "    level = level + n\n",
        "    level = level + n\n    entry[1] = level\n",
    ),
    "sort_each_coordinate": (
        (
            "def f(x, y, a, b):\n"
            "    low, high = sorted([a, b])\n"
            "    return low[0] <= x <= high[0] and low[1] <= y <= high[1]\n"
        ),
        "sorted([a, b])",
        "zip(*map(sorted, zip(a, b)))",
    ),
    "several_marks": (
        (
            "import re\n"
            "\n"
            "def f(text):\n"
            '    """Sentences end with one of the marks . and ?"""\n'
            '    return [s for s in text.split(".") if s]\n'
        ),
        'text.split(".")',
        're.split(r"[.?]+", text)',
    ),
    "behind_first_digit": (
        (
            "def f(n):\n"
            '    digits = "".join(sorted(str(n)))\n'
            '    zeros = digits.count("0")\n'
            "    rest = digits[zeros:]\n"
            '    return int(rest + "0" * zeros)\n'
        ),
        'rest + "0" * zeros',
        'rest[:1] + "0" * zeros + rest[1:]',
    ),
    "rest_behind_larger": (
        (
            "def f(seconds):\n"
            "    hours = seconds // 3600\n"
            "    minutes, seconds = divmod(seconds, 60)\n"
            "    return hours, minutes, seconds\n"
        ),
        "divmod(seconds, 60)",
        "divmod(seconds % 3600, 60)",
    ),
    "count_with_last": (
        (
            "def f(values, n):\n"
            "    counts = [0] * n\n"
            "    for i in values:\n"
            "        if i < n:\n"
            "            counts[i] += 1\n"
            "    return counts\n"
        ),
        "        if i < n:\n            counts[i] += 1\n",
        "        counts[min(i, n - 1)] += 1\n",
    ),
    "later_ones": (
        (
            "def f(xs):\n"
            "    out = []\n"
            "    for a in xs:\n"
            "        for b in xs:\n"
            "            if a != b:\n"
            "                out.append((a, b))\n"
            "    return out\n"
        ),
        "for a in xs:\n        for b in xs:",
        "for i, a in enumerate(xs):\n        for b in xs[i + 1:]:",
    ),
    "days_between": (
        "def f(day, before):\n    return day.day - before.day == 1\n",
        "day.day - before.day",
        "(day - before).days",
    ),
    "width_of_its_own": (
        "def f(grid):\n    rows = cols = len(grid)\n    return rows * cols\n",
        "rows = cols = len(grid)",
        "rows, cols = len(grid), len(grid[0])",
    ),
    "numbers_in_order": (
        'def f(versions):\n    return max(versions, key=lambda v: int(v.replace(".", "")))\n',
        'int(v.replace(".", ""))',
        '[int(part) for part in v.split(".")]',
    ),
    "family_name_first": (
        "def f(name):\n    parts = name.split()\n    return parts[1], parts[0]\n",
        "parts[1], parts[0]",
        "parts[-1], parts[:-1]",
    ),
    "keep_further": (
        (
            "def f(busy):\n"
            "    gaps, reach = [], 0\n"
            "    reach = None\n"
            "    for start, end in sorted(busy):\n"
            "        if reach is not None and start > reach:\n"
            "            gaps.append((reach, start))\n"
            "        reach = end\n"
            "    return gaps\n"
        ),
        "        reach = end\n",
        "        reach = end if reach is None else max(reach, end)\n",
    ),
    "reachable_totals": (
        (
            "def f(books, width):\n"
            "    used = 0\n"
            "    for b in sorted(books, reverse=True):\n"
            "        if used + b <= width:\n"
            "            used += b\n"
            "    return used\n"
        ),
        ("    for b in sorted(books, reverse=True):\n        if used + b <= width:\n            used += b\n"),
        (
            "    totals = {used}\n"
            "    for b in books:\n"
            "        totals |= {total + b for total in totals if total + b <= width}\n"
            "    used = max(totals)\n"
        ),
    ),
    "keep_low_bits": (
        (
            "def f(data):\n"
            '    """Exchanges the halves of every byte."""\n'
            "    return [(b << 4) | (b >> 4) for b in data]\n"
        ),
        "(b << 4) |",
        "((b << 4) & 0xFF) |",
    ),
    "mean_for_sum": (
        (
            "def f(groups):\n"
            '    """The group with the highest average."""\n'
            "    return max(groups, key=lambda g: sum(groups[g]))\n"
        ),
        "sum(groups[g])",
        "sum(groups[g]) / len(groups[g])",
    ),
    "only_the_last_one": (
        (
            "def f(xs):\n"
            "    out = []\n"
            "    for x in xs:\n"
            "        if x not in out:\n"
            "            out.append(x)\n"
            "    return out\n"
        ),
        "x not in out",
        "x not in out[-1:]",
    ),
    "refuse_cycle": (
        (
            "def f(graph):\n"
            "    left = {n: 0 for n in graph}\n"
            "    ready, order = [n for n in graph if not left[n]], []\n"
            "    while ready:\n"
            "        order.append(ready.pop())\n"
            "        for m in graph[order[-1]]:\n"
            "            left[m] -= 1\n"
            "            if left[m] == 0:\n"
            "                ready.append(m)\n"
            "    return order\n"
        ),
        "    return order\n",
        "    if len(order) != len(left):\n        return []\n    return order\n",
    ),
    "subtractive_numerals": (
        'PAIRS = [(1000, "M"), (500, "D"), (100, "C"), (50, "L"), (10, "X"), (5, "V"), (1, "I")]\n',
        '(1000, "M"), (500, "D"), (100, "C"), (50, "L"), (10, "X"), (5, "V"), (1, "I")',
        "(1000, 'M'), (900, 'CM'), (500, 'D'), (400, 'CD'), (100, 'C'), (90, 'XC'), (50, 'L'), (40, 'XL'), "
        "(10, 'X'), (9, 'IX'), (5, 'V'), (4, 'IV'), (1, 'I')",
    ),
    "both_of_pair_once": (
        "def f(n, d):\n    total = d\n    other = n // d\n    if other != n:\n"
        "        total += other\n    return total\n",
        "if other != n:",
        "if other != n and other != d:",
    ),
    "method_before_function": (
        'def f(text, unquote):\n    return unquote(text).replace("+", " ")\n',
        'unquote(text).replace("+", " ")',
        'unquote(text.replace("+", " "))',
    ),
    "raise_at_last": (
        "def f(call, n):\n    for attempt in range(1, n + 1):\n        try:\n"
        "            return call()\n        except OSError:\n            n += 0\n",
        "            n += 0\n",
        "            if attempt == n:\n                raise\n            n += 0\n",
    ),
    "raise_for_break": (
        "def f(xs):\n    while xs:\n        if not xs[0]:\n            break\n        xs.pop()\n    return xs\n",
        "            break\n",
        "            raise ValueError\n",
    ),
    "ask_flag_in_else": (
        "def f(parts, absolute):\n    out = []\n    for part in parts:\n        if out:\n"
        "            out.pop()\n        else:\n            out.append(part)\n    return out\n",
        "        else:\n",
        "        elif not absolute:\n",
    ),
    "names_in_values": (
        "def f(needs):\n    return set(needs), needs[0]\n",
        "set(needs)",
        "set(needs).union(*needs.values())",
    ),
    "nothing_of_zero": (
        'def f(tens, ones, a, b):\n    return a[tens] + "-" + b[ones]\n',
        'a[tens] + "-" + b[ones]',
        'a[tens] + ("-" + b[ones] if ones else "")',
    ),
    "exact_constant": (
        "import math\n\n\ndef f(r):\n    return 3.14 * r ** 2\n",
        "3.14",
        "math.pi",
    ),
    "other_zero_point": (
        "def f(c):\n    return c * 9 / 5\n",
        "c * 9 / 5",
        "c * 9 / 5 + 32",
    ),
    "cut_only_longer": (
        'def f(text, n):\n    return text[:n] + "..."\n',
        'text[:n] + "..."',
        'text if len(text) <= n else text[:n] + "..."',
    ),
    "lines_without_ends": (
        "def f(file):\n    return file.readlines()\n",
        "file.readlines()",
        "file.read().splitlines()",
    ),
    "write_as_json": (
        "import json\n\n\ndef f(file, values):\n    file.write(values)\n",
        "file.write(values)",
        "json.dump(values, file)",
    ),
    "begin_with_first": (
        "def f(xs):\n    best = 0\n    for x in xs:\n        if x > best:\n            best = x\n    return best\n",
        "best = 0",
        "best = xs[0]",
    ),
    "whole_power_of_ten": (
        "def f(n):\n    return n % (1e9 + 7)\n",
        "1e9",
        "10 ** 9",
    ),
    "step_by_lowest_bit": (
        "def f(tree, i):\n    total = 0\n    while i > 0:\n        total += tree[i]\n"
        "        i -= 1\n    return total\n",
        "i -= 1",
        "i -= i & -i",
    ),
    "convert_before_choice": (
        "def f(laps):\n    return int(min(laps))\n",
        "int(min(laps))",
        "min(map(int, laps))",
    ),
    "second_falls": (
        "def f(pairs):\n    pairs.sort()\n    return [b for a, b in pairs]\n\n\ndef g(a, b):\n"
        "    pairs = []\n    pairs.append((a, b))\n    return pairs\n",
        "pairs.sort()",
        "pairs.sort(key=lambda x: (x[0], -x[1]))",
    ),
    "until_end_of_input": (
        "def f():\n    out = []\n    while True:\n        line = input()\n        out.append(line)\n    return out\n",
        "        line = input()\n",
        "        try:\n            line = input()\n        except EOFError:\n            break\n",
    ),
    "rest_of_words": (
        "def f(line):\n    parts = line.split()\n    return parts[0], parts[-1]\n",
        "parts[0]",
        '" ".join(parts[:-1])',
    ),
    "exchange_in_like_parts": (
        "def f(t, cost, s, i, j):\n    return min(t[i + 1][j] + cost[s[j]], t[i][j - 1] + cost[s[i]])\n",
        "min(t[i + 1][j] + cost[s[j]], t[i][j - 1] + cost[s[i]])",
        "min(t[i + 1][j] + cost[s[i]], t[i][j - 1] + cost[s[j]])",
    ),
    "keep_odd_one": (
        "def f(runs):\n    out = []\n    for i in range(0, len(runs) - 1, 2):\n"
        "        out.append(runs[i] + runs[i + 1])\n    return out\n",
        "    return out\n",
        "    if len(runs) % 2 == 1:\n        out.append(runs[-1])\n    return out\n",
    ),
    "entry_at_value": (
        "def f(step, n):\n    for k in range(n):\n        for i in range(n):\n            for j in range(n):\n"
        "                step[i][j] = k\n",
        "step[i][j] = k",
        "step[i][j] = step[i][k]",
    ),
    "item_elsewhere": (
        "def f(text, n):\n    out = []\n    for i, letter in enumerate(text):\n        target = (i + 1) % n\n"
        "        other = text[target]\n        if letter.isupper():\n            out.append(other)\n    return out\n",
        "letter.isupper()",
        "text[target].isupper()",
    ),
    "key_as_kept": (
        "def f(xs, k):\n    seen, total = {}, 0\n    for x in xs:\n        rest = x % k\n"
        "        total += seen.get(k - rest, 0)\n        seen[rest] = seen.get(rest, 0) + 1\n    return total\n",
        "k - rest, 0",
        "(k - rest) % k, 0",
    ),
    "only_where_naive": (
        "def f(when, zone):\n    when = when.replace(tzinfo=zone)\n    return when\n",
        "    when = when.replace(tzinfo=zone)\n",
        "    if when.tzinfo is None:\n        when = when.replace(tzinfo=zone)\n",
    ),
    "as_member": (
        "from enum import Enum\n\n\nclass OrderState(Enum):\n    OPEN = 'open'\n\n\ndef f(order, data):\n"
        "    return order(data['number'], data['state'])\n",
        "data['state']",
        "OrderState(data['state'])",
    ),
    "set_one_by_one": (
        "class Tracked(dict):\n    def __setitem__(self, key, value):\n        super().__setitem__(key, str(value))\n\n"
        "    def update(self, *args, **kwargs):\n        super().update(*args, **kwargs)\n",
        "        super().update(*args, **kwargs)\n",
        "        for key, value in dict(*args, **kwargs).items():\n            self[key] = value\n",
    ),
    "begin_with_uncalled": (
        "class Backoff:\n    def next_delay(self):\n        self.delay *= 2\n        return self.delay\n\n"
        "    def reset(self):\n        self.delay = 1\n\n\nbackoff = Backoff()\n\n\ndef f(ask):\n"
        "    while not ask():\n        backoff.next_delay()\n",
        "    while not ask():\n",
        "    backoff.reset()\n    while not ask():\n",
    ),
    "as_long_as_there_is": (
        "def f(self):\n    out = []\n    frame = self.next()\n    if frame is not None:\n        out.append(frame)\n"
        "    return out\n",
        "    frame = self.next()\n    if frame is not None:\n",
        "    while (frame := self.next()) is not None:\n",
    ),
    "keep_on_object": (
        "class Field:\n    def __set_name__(self, owner, name):\n        self.name = name\n\n"
        "    def __get__(self, one, owner):\n        return self.value\n\n    def __set__(self, one, value):\n"
        "        self.value = value\n",
        "        return self.value\n\n    def __set__(self, one, value):\n        self.value = value\n",
        "        return one.__dict__[self.name]\n\n    def __set__(self, one, value):\n"
        "        one.__dict__[self.name] = value\n",
    ),
    "take_out_before": (
        "class Index:\n    def add(self, key, words):\n        self.kept[key] = words\n\n    def remove(self, key):\n"
        "        for word in self.kept.pop(key):\n            del self.places[word][key]\n",
        "        self.kept[key] = words\n",
        "        if key in self.kept:\n            self.remove(key)\n        self.kept[key] = words\n",
    ),
    "escape_first": (
        "def f(text):\n    return text.replace('<', '&lt;').replace('>', '&gt;').replace('&', '&amp;')\n",
        "text.replace('<', '&lt;').replace('>', '&gt;').replace('&', '&amp;')",
        "text.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;')",
    ),
    "cut_before_ending": (
        "def cut(text, most):\n    return text[:most]\n\n\ndef f(name, ending, width):\n"
        "    return cut(name + ending, width)\n",
        "cut(name + ending, width)",
        "cut(name, width - len(ending)) + ending",
    ),
    "get_as_kind": (
        "import configparser\n\n\ndef f(section, old):\n    return bool(section.get('debug', old))\n",
        "bool(section.get('debug', old))",
        "section.getboolean('debug', old)",
    ),
    "begin_where_met": (
        "def f(path, name):\n    if name in path:\n        raise ValueError(path + [name])\n    path.append(name)\n",
        "path + [name]",
        "path[path.index(name):] + [name]",
    ),
    "keep_suffix": (
        "def f(path):\n    return path.with_suffix('.bak')\n",
        "path.with_suffix('.bak')",
        "path.with_name(path.name + '.bak')",
    ),
    "name_on_any_system": (
        "from pathlib import Path\n\n\ndef f(sent):\n    return Path(sent).name.lower()\n",
        "Path(sent).name",
        'sent.replace("\\\\", "/").rsplit("/", 1)[-1]',
    ),
    "unread_default": (
        "ABSENT = object()\n\n\ndef f(old, new, name):\n    return old.get(name), new.get(name)\n",
        "old.get(name), new.get(name)",
        "old.get(name, ABSENT), new.get(name, ABSENT)",
    ),
    "store_at_unread_place": (
        "def f(items, queue, ask):\n    results = []\n    for pair in enumerate(items):\n        queue.put(pair)\n\n"
        "    def work():\n        index, item = queue.get()\n        results.append(ask(item))\n\n    work()\n"
        "    return results\n",
        "def f(items, queue, ask):\n    results = []\n    for pair in enumerate(items):\n        queue.put(pair)\n\n"
        "    def work():\n        index, item = queue.get()\n        results.append(ask(item))\n",
        "def f(items, queue, ask):\n    results = [None] * len(items)\n    for pair in enumerate(items):\n"
        "        queue.put(pair)\n\n    def work():\n        index, item = queue.get()\n"
        "        results[index] = ask(item)\n",
    ),
    "take_out_what_moved": (
        "def remove(node, value):\n    if value < node.value:\n        node.left = remove(node.left, value)\n"
        "    elif node.left is None:\n        return node.right\n    else:\n        heir = node.right\n"
        "        while heir.left:\n            heir = heir.left\n        node.value = heir.value\n"
        "        node.right = heir.right\n    return node\n",
        "node.right = heir.right",
        "node.right = remove(node.right, heir.value)",
    ),
    "forget_otherwise": (
        "def f(cells, place, value):\n    if value != 0:\n        cells[place] = value\n    return cells\n",
        "    return cells\n",
        "    else:\n        cells.pop(place, None)\n    return cells\n",
    ),
    "exchange_in_twins": (
        "def f(cost, i, j, put, take):\n    cost[i][0] = i * put\n    cost[0][j] = j * take\n",
        "i * put\n    cost[0][j] = j * take",
        "i * take\n    cost[0][j] = j * put",
    ),
    "as_unread_flag_says": (
        "def f(a, b, cost):\n    same = a == b\n    return 1 + cost\n",
        "1 + cost",
        "1 + (0 if same else cost)",
    ),
    "corner_of_sums": (
        "def f(s, a, b, c, d):\n    return s[b][d] - s[a][d] - s[b][c]\n",
        "s[b][d] - s[a][d] - s[b][c]",
        "s[b][d] - s[a][d] - s[b][c] + s[a][c]",
    ),
    "first_half_of_day": (
        'def f(hour, half):\n    if half == "PM" and hour != 12:\n        hour += 12\n    return hour\n',
        "        hour += 12\n",
        '        hour += 12\n    elif half == "AM" and hour == 12:\n        hour = 0\n',
    ),
    "at_both_ends": (
        "def f(words, small):\n    out = []\n    for i, word in enumerate(words):\n"
        "        if i == 0 or word not in small:\n            out.append(word)\n    return out\n",
        "i == 0",
        "i in (0, len(words) - 1)",
    ),
    "groups_of_several": (
        "def f(groups):\n    return list(groups.values())\n",
        "list(groups.values())",
        "[group for group in groups.values() if len(group) > 1]",
    ),
    "least_loaded_by_name": (
        "def f(busy, works):\n    for i, work in enumerate(works):\n"
        "        till = i % len(busy)\n        busy[till] += work\n    return busy\n",
        "i % len(busy)",
        "busy.index(min(busy))",
    ),
    "only_such_characters": (
        'def f(n):\n    for c in "ab1":\n        if n > 2:\n            n += ord(c)\n    return n\n',
        "if n > 2",
        "if n > 2 and c.isdigit()",
    ),
    "take_off_rest": (
        "def f(text, k):\n    kept = []\n    for c in text:\n"
        "        while k > 0 and kept and kept[-1] < c:\n            kept.pop()\n"
        "            k -= 1\n        kept.append(c)\n    return kept\n",
        "        kept.append(c)\n",
        "        kept.append(c)\n    if k > 0:\n        del kept[-k:]\n",
    ),
    "only_if_rest": (
        'def f(n):\n    if n < 9:\n        return str(n)\n    return "hundred" + " and " + f(n % 100)\n',
        '"hundred" + " and " + f(n % 100)',
        '"hundred" + (" and " + f(n % 100) if n % 100 else "")',
    ),
    "ask_for_lead": (
        "def f(a, b):\n    return max(a, b) >= 4\n",
        "max(a, b) >= 4",
        "max(a, b) >= 4 and abs(a - b) >= 2",
    ),
    "printed_decimals": (
        "def f(x):\n    print(x / 3)\n",
        "print(x / 3)",
        'print(f"{x / 3:.2f}")',
    ),
    "enter_start": (
        "def f(g, s):\n    seen = {}\n    todo = [s]\n    while todo:\n        v = todo.pop()\n"
        "        for w in g[v]:\n            if w not in seen:\n"
        "                seen[w] = seen[v] + 1\n                todo.append(w)\n    return seen\n",
        "seen = {}",
        "seen = {s: 0}",
    ),
    "first_of_table": (
        "def f(cs, n):\n    ways = [0] * (n + 1)\n    for c in cs:\n"
        "        for i in range(c, n + 1):\n            ways[i] += ways[i - c]\n"
        "    return ways[n]\n",
        "    ways = [0] * (n + 1)\n",
        "    ways = [0] * (n + 1)\n    ways[0] = 1\n",
    ),
    "no_flag_below_two": (
        "def f(n):\n    ok = [True] * n\n    for i in range(2, n):\n"
        "        for j in range(2 * i, n, i):\n            ok[j] = False\n    return sum(ok)\n",
        "    ok = [True] * n\n",
        "    ok = [True] * n\n    ok[:2] = [False, False]\n",
    ),
    "ask_inside": (
        "def f(grid, r, c):\n    n = 0\n    for y, x in ((0, 1), (1, 0)):\n"
        "        if grid[r + y][c + x] == 1:\n            n += 1\n    return n\n",
        "if grid[r + y][c + x] == 1",
        "if 0 <= r + y < len(grid) and 0 <= c + x < len(grid[0]) and grid[r + y][c + x] == 1",
    ),
    "leave_out_outside": (
        "def f(grid, r, c):\n    n = 0\n    for y, x in ((0, 1), (1, 0)):\n"
        "        a, b = r + y, c + x\n        n += grid[a][b]\n    return n\n",
        "        a, b = r + y, c + x\n",
        "        a, b = r + y, c + x\n"
        "        if not (0 <= a < len(grid) and 0 <= b < len(grid[0])):\n            continue\n",
    ),
    "stay_inside": (
        "def f(grid, r, c):\n    if grid[r][c] != 1:\n        return\n    grid[r][c] = 0\n"
        "    f(grid, r + 1, c)\n    f(grid, r, c + 1)\n",
        "    if grid[r][c] != 1:\n",
        "    if not (0 <= r < len(grid) and 0 <= c < len(grid[0])):\n        return\n    if grid[r][c] != 1:\n",
    ),
    "name_for_expression": (
        "def f(xs, gcd):\n    common = 0\n    for x in xs:\n        common = gcd(xs[0], x)\n    return common\n",
        "gcd(xs[0], x)",
        "gcd(common, x)",
    ),
    "ask_other_flag": (
        "class Node:\n    def __init__(self):\n        self.children = {}\n"
        "        self.is_word = False\n\n\ndef f(node):\n    return not node.children\n",
        "return not node.children",
        "return not node.children and not node.is_word",
    ),
    "store_compared_entry": (
        "class C:\n    def f(self, i, value):\n        self.add(i, value - self.values[i])\n",
        "        self.add(i, value - self.values[i])\n",
        "        self.add(i, value - self.values[i])\n        self.values[i] = value\n",
    ),
    "mirror_branch": (
        "def f(a, b):\n    if len(a) > len(b) + 1:\n        b.append(a.pop())\n    return a, b\n",
        "        b.append(a.pop())\n",
        "        b.append(a.pop())\n    elif len(b) > len(a):\n        a.append(b.pop())\n",
    ),
    "ask_every_digit": (
        "def f(n):\n    return n % 2 == 1\n",
        "n % 2 == 1",
        "all(int(digit) % 2 == 1 for digit in str(n))",
    ),
    "text_of_nothing": (
        'def f(n):\n    out = ""\n    while n:\n        out = str(n % 2) + out\n        n //= 2\n    return out\n',
        "return out",
        'return out or "0"',
    ),
    "sum_over_all": (
        "def f(n):\n    return n * len(str(n))\n",
        "n * len(str(n))",
        "sum(len(str(i)) for i in range(1, n + 1))",
    ),
    "text_in_front": (
        'def f(n):\n    out = ""\n    while n > 0:\n        out += str(n % 2)\n        n //= 2\n    return out\n',
        "out += str(n % 2)",
        "out = str(n % 2) + out",
    ),
    "rest_of_emptied": (
        "def f(a, b):\n    out = []\n    while a and b:\n"
        "        out.append(a.pop(0) if a[0] < b[0] else b.pop(0))\n    return out\n",
        "b.pop(0))\n",
        "b.pop(0))\n    out += a + b\n",
    ),
    "extend_part": (
        "def f(out, end):\n    out[-1] = (out[-1][0], end)\n",
        "(out[-1][0], end)",
        "(out[-1][0], max(out[-1][1], end))",
    ),
    "keep_other_characters": (
        'def f(text, k):\n    return "".join(chr(ord(c) + k) for c in text)\n',
        "chr(ord(c) + k)",
        "chr(ord(c) + k) if c.isalpha() else c",
    ),
    "print_on_one_line": (
        "def f(xs):\n    for x in xs:\n        print(x)\n",
        "print(x)",
        'print(x, end=" ")',
    ),
    "order_of_dates": (
        "def f(dates):\n    return sorted(dates)\n",
        "sorted(dates)",
        'sorted(dates, key=lambda d: d.split("/")[::-1])',
    ),
    "ask_in_else": (
        "def f(graph, node, index, low):\n    on_stack = set()\n    on_stack.add(node)\n"
        "    for other in graph[node]:\n        if other not in index:\n"
        "            f(graph, other, index, low)\n        else:\n"
        "            low[node] = min(low[node], index[other])\n",
        "        else:",
        "        elif other in on_stack:",
    ),
    "largest_of_all": (
        "def f(g, tree):\n    left, one = g(tree.left)\n    right, other = g(tree.right)\n"
        "    best = left + right\n    return 1 + max(left, right), best\n",
        "best = left + right",
        "best = max(one, other, left + right)",
    ),
    "turn_the_flag": (
        "def f(xs):\n    inside = False\n    for x in xs:\n        if x > 1:\n"
        "            inside = True\n    return inside\n",
        "inside = True",
        "inside = not inside",
    ),
    "as_often_as_asked": (
        "def f(number, width):\n    out = 0\n    while number > 0:\n"
        "        out = out * 2 + number % 2\n        number //= 2\n    return out\n",
        "while number > 0",
        "for _ in range(width)",
    ),
    "keep_new_value": (
        "class A:\n    def set(self, place, value):\n"
        "        change = value - self.values[place]\n        self.total += change\n",
        "        change = value - self.values[place]\n",
        "        change = value - self.values[place]\n        self.values[place] = value\n",
    ),
    "at_an_end": (
        "def f(part: str, text: str):\n    return part in text\n",
        "part in text",
        "text.endswith(part)",
    ),
    "between_bounds": (
        "def f(x, low, high):\n    return x in range(low, high)\n",
        "x in range(low, high)",
        "low <= x <= high",
    ),
    "place_in_whole": (
        "def f(xs, x, start):\n    return xs[start:].index(x)\n",
        "xs[start:].index(x)",
        "xs.index(x, start)",
    ),
    "keep_singles": (
        "def f(xs):\n    return list(dict.fromkeys(xs))\n",
        "list(dict.fromkeys(xs))",
        "[x for x in xs if xs.count(x) == 1]",
    ),
    "each_word": (
        "def f(text):\n    return text.istitle()\n",
        "text.istitle()",
        "all(word[0].isupper() for word in text.split())",
    ),
    "places_that_overlap": (
        "def f(re, part, text):\n    return [m.start() for m in re.finditer(part, text)]\n",
        "[m.start() for m in re.finditer(part, text)]",
        "[i for i in range(len(text)) if text.startswith(part, i)]",
    ),
    "other_triangle": (
        "def f(m, n):\n    for i in range(n):\n        for j in range(i + 1, n):\n            print(m[i][j])\n",
        "range(i + 1, n)",
        "range(i)",
    ),
    "largest_step": (
        "def f(xs):\n    return max(xs) - min(xs)\n",
        "max(xs) - min(xs)",
        "max(abs(a - b) for a, b in zip(xs, xs[1:]))",
    ),
    "own_call_on_part": (
        "def f(xs):\n    total = 0\n    for x in xs:\n        if isinstance(x, list):\n"
        "            total += sum(x)\n        else:\n            total += x\n    return total\n",
        "sum(x)",
        "f(x)",
    ),
    "other_measure": (
        "import math\n\n\ndef f(r, h):\n    return math.pi * r ** 2 * h\n",
        "math.pi * r ** 2 * h",
        "math.pi * r ** 2 * h / 3",
    ),
    "lowest_after_shift": (
        "def f(n, k):\n    return n >> k == 1\n",
        "n >> k == 1",
        "(n >> k & 1) == 1",
    ),
    "ask_for_instance": (
        "def f(x):\n    return type(x) == int\n",
        "type(x) == int",
        "isinstance(x, int)",
    ),
    "side_by_side": (
        "def f(a, b):\n    return [x + y for x in a for y in b]\n",
        "x in a for y in b",
        "x, y in zip(a, b)",
    ),
    "join_again": (
        "def f(text):\n    return text.split(' ')[::-1]\n",
        "text.split(' ')[::-1]",
        "' '.join(text.split(' ')[::-1])",
    ),
    "over_common_denominator": (
        "class R:\n    def __init__(self, n, d):\n        self.n, self.d = n, d\n\n"
        "    def __add__(self, o):\n        return R(self.n + o.n, self.d + o.d)\n",
        "self.n + o.n, self.d + o.d",
        "self.n * o.d + o.n * self.d, self.d * o.d",
    ),
    "other_products": (
        "class R:\n    def __mul__(self, o):\n        return R(self.n * o.d, self.d * o.n)\n",
        "self.n * o.d, self.d * o.n",
        "self.n * o.n, self.d * o.d",
    ),
    "grow_by_rate": (
        "class A:\n    def grow(self):\n        self.balance *= self.rate\n",
        "self.balance *= self.rate",
        "self.balance *= 1 + self.rate",
    ),
    "count_in_class": (
        "class A:\n    count = 0\n\n    def __init__(self):\n        self.count += 1\n",
        "self.count",
        "A.count",
    ),
    "refuse_aloud": (
        "class A:\n    def take(self, n):\n        if n > self.held:\n"
        "            print('too much')\n        self.held -= n\n",
        "print('too much')",
        "raise ValueError('too much')",
    ),
    "next_in_turn": (
        "class A:\n    def next(self):\n        self.place += 1\n        return self.items[self.place]\n",
        "self.place += 1",
        "self.place = (self.place + 1) % len(self.items)",
    ),
    "drop_what_was_undone": (
        "class A:\n    def do(self, state):\n        self.states.append(state)\n        self.place += 1\n",
        "        self.states.append(state)\n",
        "        del self.states[self.place + 1:]\n        self.states.append(state)\n",
    ),
    "area_without_sign": (
        "def f(sides):\n    twice = 0\n    for x1, y1, x2, y2 in sides:\n"
        "        twice += x1 * y2 - x2 * y1\n    return twice / 2\n",
        "return twice",
        "return abs(twice)",
    ),
    "from_first_place": (
        "def f(n):\n    counts = [0] * (n + 1)\n    return counts[:n]\n",
        "counts[:n]",
        "counts[1:]",
    ),
    "told_constant": (
        "MOD = 10 ** 9 + 7\n",
        "10 ** 9 + 7",
        "100",
    ),
    "reach_back": (
        "def f(n, steps):\n    ways = [1] + [0] * n\n    for i in range(1, n + 1):\n"
        "        for step in steps:\n            ways[i] += ways[i - step]\n    return ways[n]\n",
        "            ways[i] += ways[i - step]\n",
        "            if step <= i:\n                ways[i] += ways[i - step]\n",
    ),
    "answer_unreached": (
        "def f(edges, goal):\n    least = [float('inf')] * 9\n    return least[goal]\n",
        "    return least[goal]",
        "    if least[goal] == float('inf'):\n        return -1\n    return least[goal]",
    ),
    "other_distance": (
        "def f(x, y):\n    return abs(x) + abs(y)\n",
        "abs(x) + abs(y)",
        "max(abs(x), abs(y))",
    ),
    "square_each_round": (
        "def f(base, n, modulus):\n    result = 1\n    while n:\n        if n % 2:\n"
        "            result = result * base % modulus\n        n //= 2\n    return result\n",
        "        n //= 2",
        "        base = base * base % modulus\n        n //= 2",
    ),
    "turn_heap": (
        "def f(heappush, heappop, xs):\n    heap = []\n    for x in xs:\n"
        "        heappush(heap, x)\n    return heappop(heap)\n",
        "heappush(heap, x)\n    return heappop(heap)",
        "heappush(heap, -x)\n    return -heappop(heap)",
    ),
    "round_quotient_up": (
        "def f(minutes):\n    return round(minutes / 60)\n",
        "round(minutes / 60)",
        "-(-minutes // 60)",
    ),
    "exchange_steps": (
        "def f(base, factor, offset):\n    return base / factor - offset\n",
        "base / factor - offset",
        "(base - offset) / factor",
    ),
    "hull_of_both": (
        "def f(Span, one, two):\n    return Span(one.first, two.last)\n",
        "two.last",
        "max(one.last, two.last)",
    ),
    "begin_at_zero": (
        "def f(table, at, n):\n    return table[at - n:at + n + 1]\n",
        "at - n:",
        "max(0, at - n):",
    ),
    "page_before": (
        "def f(xs, page, size):\n    return xs[page * size:(page + 1) * size]\n",
        "page * size:(page + 1) * size",
        "(page - 1) * size:page * size",
    ),
    "room_for_new_ones": (
        "class A:\n    def put(self, key, value):\n        if len(self.entries) >= self.size:\n"
        "            self.entries.popitem()\n        self.entries[key] = value\n",
        "if len(self.entries) >= self.size",
        "if key not in self.entries and len(self.entries) >= self.size",
    ),
    "forget_cached": (
        "class A:\n    def put(self, key, value):\n        self.values[key] = value\n\n"
        "    def get(self, key):\n        if key not in self.cache:\n"
        "            self.cache[key] = self.values[key] * 2\n        return self.cache[key]\n",
        "        self.values[key] = value\n",
        "        self.values[key] = value\n        self.cache.pop(key, None)\n",
    ),
    "longest_first": (
        'import re\n\nSIGNS = r"[<>=]|<=|>=|=="\n',
        "[<>=]|<=|>=|==",
        "<=|>=|==|[<>=]",
    ),
    "trim_joints": (
        "import re\n\n\ndef f(text):\n    return re.sub(r'[^a-z]+', '-', text)\n",
        "re.sub(r'[^a-z]+', '-', text)",
        "re.sub(r'[^a-z]+', '-', text).strip('-')",
    ),
    "shared_ranks": (
        "def f(rows):\n    rank, last = 0, None\n    for name, score in rows:\n"
        "        if score != last:\n            rank += 1\n        last = score\n"
        "        print(rank, name)\n",
        "    for name, score in rows:\n        if score != last:\n            rank += 1\n",
        "    for place, (name, score) in enumerate(rows, 1):\n        if score != last:\n            rank = place\n",
    ),
    "convert_back": (
        "def f(c):\n    return c * 1.8 + 32\n",
        "c * 1.8 + 32",
        "(c - 32) / 1.8",
    ),
    "compound": (
        "def f(p, rate, years):\n    return p * (1 + rate * years)\n",
        "(1 + rate * years)",
        "(1 + rate) ** years",
    ),
    "root_of_squares": (
        "def f(x, y):\n    return x ** 2 + y ** 2\n",
        "x ** 2 + y ** 2",
        "(x ** 2 + y ** 2) ** 0.5",
    ),
    "each_two_sides": (
        "def f(a, b, c):\n    return a + b > c\n",
        "a + b > c",
        "a + b > c and a + c > b and b + c > a",
    ),
    "turn_by_rest": (
        "def f(xs, k):\n    return xs[-k:] + xs[:-k]\n",
        "    return",
        "    k %= len(xs) or 1\n    return",
    ),
    "add_to_totals": (
        "def f(totals, more):\n    totals.update(more)\n    return totals\n",
        "    totals.update(more)\n",
        "    for key, value in more.items():\n        totals[key] = totals.get(key, 0) + value\n",
    ),
    "second_diagonal": (
        "def f(grid):\n    return sum(grid[i][i] for i in range(len(grid)))\n",
        "grid[i][i]",
        "grid[i][len(grid) - 1 - i]",
    ),
    "shift_numbers": (
        "def f(day):\n    return day.weekday() in (6, 7)\n",
        "(6, 7)",
        "(5, 6)",
    ),
    "keep_identity": (
        "import functools\n\n\ndef deco(fn):\n    def inner(*args):\n        return fn(*args)\n    return inner\n",
        "    def inner",
        "    @functools.wraps(fn)\n    def inner",
    ),
    "compare_or_freeze": (
        "from dataclasses import dataclass\n\n\n@dataclass\nclass P:\n    x: int\n",
        "@dataclass",
        "@dataclass(order=True)",
    ),
    "own_container": (
        "class A:\n    def __init__(self):\n        self.items = []\n\n"
        "    def __contains__(self, x):\n        return x in self\n",
        "x in self\n",
        "x in self.items\n",
    ),
    "lost_setter": (
        "class A:\n    @property\n    def x(self):\n        return self._x\n\n"
        "    def x(self, value):\n        self._x = value\n",
        "    def x(self, value)",
        "    @x.setter\n    def x(self, value)",
    ),
    "member_by_value": (
        "from enum import Enum\n\n\nclass C(Enum):\n    A = 1\n\n\ndef f(n):\n    return C[n]\n",
        "C[n]",
        "C(n)",
    ),
    "other_text_format": (
        "def f(t):\n    return '%d:%d' % (t // 60, t % 60)\n",
        "'%d:%d'",
        "'%d:%02d'",
    ),
    "last_window": (
        "def f(xs, k):\n    return max(sum(xs[i:i + k]) for i in range(len(xs) - k))\n",
        "len(xs) - k)",
        "len(xs) - k + 1)",
    ),
    "split_at_any_blanks": (
        "def f(text):\n    return text.split(' ')\n",
        "split(' ')",
        "split()",
    ),
    "order_as_numbers": (
        "def f(a: str, b: str):\n    return a if a > b else b\n",
        "a > b",
        "int(a) > int(b)",
    ),
    "common_in_order": (
        "def f(counts, k):\n    return counts.most_common(k)\n",
        "counts.most_common(k)",
        "sorted(counts.items(), key=lambda x: (-x[1], x[0]))[:k]",
    ),
    "total_of_other_kind": (
        "def f(xs):\n    product = 0\n    for x in xs:\n        product += x\n    return product\n",
        "    product = 0\n    for x in xs:\n        product += x\n",
        "    product = 1\n    for x in xs:\n        product *= x\n",
    ),
    "around_a_shape": (
        "def f(length, width, height):\n    return (length + width) * height\n",
        "(length + width)",
        "2 * (length + width)",
    ),
    "best_of_table": (
        "def f(xs):\n    n = [1] * len(xs)\n    for i in range(len(xs)):\n"
        "        for j in range(i):\n            if xs[j] < xs[i]:\n"
        "                n[i] = max(n[i], n[j] + 1)\n    return n[-1]\n",
        "n[-1]",
        "max(n)",
    ),
    "clear_blocked": (
        "def f(rows):\n    ways = [1] * len(rows[0])\n    for row in rows:\n"
        "        for c, cell in enumerate(row):\n            if cell == '#':\n"
        "                continue\n            ways[c] += ways[c - 1]\n    return ways[-1]\n",
        "                continue\n",
        "                ways[c] = 0\n                continue\n",
    ),
    "both_centres_of_call": (
        "def f(s, widest):\n    for i in range(len(s)):\n        piece = widest(s, i, i)\n        print(piece)\n",
        "widest(s, i, i)",
        "max(widest(s, i, i), widest(s, i, i + 1), key=len)",
    ),
    "pair_of_divisors": (
        "def f(n):\n    total = 0\n    for d in range(1, int(n ** 0.5) + 1):\n"
        "        if n % d == 0:\n            total += d\n    return total\n",
        "            total += d\n",
        "            total += d\n            if d * d != n:\n                total += n // d\n",
    ),
    "numbers_of_text": (
        "def f(line):\n    n, k = line.split()\n    return n * k\n",
        "line.split()",
        "map(int, line.split())",
    ),
    "nearer_of_both": (
        "def f(xs, x, j):\n    if j < len(xs):\n        best = xs[j] - x\n    elif j > 0:\n"
        "        best = x - xs[j - 1]\n    return best\n",
        "    elif j > 0:\n        best = x - xs[j - 1]\n",
        "    if j > 0:\n        best = min(best, x - xs[j - 1])\n",
    ),
    "close_ring_of_places": (
        "def f(xs):\n    n = len(xs)\n    for i in range(n - 1):\n        print(xs[i] - xs[i + 1])\n",
        "range(n - 1):\n        print(xs[i] - xs[i + 1])",
        "range(n):\n        print(xs[i] - xs[(i + 1) % n])",
    ),
    "write_items_back": (
        "def f(xs):\n    for x in xs:\n        if x < 0:\n            x = 0\n    return xs\n",
        "    for x in xs:\n        if x < 0:\n            x = 0\n",
        "    for place, x in enumerate(xs):\n        if x < 0:\n            xs[place] = 0\n",
    ),
    "place_of_each": (
        "def f(names):\n    out = []\n    for name in names:\n"
        "        out.append((names.index(name), name))\n    return out\n",
        "    for name in names:\n        out.append((names.index(name), name))\n",
        "    for place, name in enumerate(names):\n        out.append((place, name))\n",
    ),
    "append_item": (
        "def f(xs):\n    out = []\n    for i, x in enumerate(xs):\n        out += (i, x)\n    return out\n",
        "out += (i, x)",
        "out.append((i, x))",
    ),
    "call_what_is_subscripted": (
        "def f(xs):\n    xs.append[1]\n",
        "append[1]",
        "append(1)",
    ),
    "restart_counter": (
        "def f(xs):\n    i = 0\n    j = 1\n    while i < len(xs):\n        while j < len(xs):\n"
        "            print(xs[i], xs[j])\n            j += 1\n        i += 1\n",
        "    j = 1\n    while i < len(xs):\n",
        "    while i < len(xs):\n        j = i + 1\n",
    ),
    "carry_to_next": (
        "def f(month, year):\n    month += 1\n    if month == 13:\n        month = 1\n    return month, year\n",
        "        month = 1\n",
        "        month = 1\n        year += 1\n",
    ),
    "begin_with_better": (
        "def f(votes):\n    most, winners = 0, []\n    for name, count in votes:\n"
        "        if count > most:\n            most = count\n            winners.append(name)\n"
        "    return winners\n",
        "winners.append(name)",
        "winners = [name]",
    ),
    "mirror_rest": (
        "def f(a, b):\n    i = j = 0\n    out = []\n    while i < len(a) and j < len(b):\n"
        "        if a[i] < b[j]:\n            out.append(a[i])\n            i += 1\n"
        "        else:\n            out.append(b[j])\n            j += 1\n    while i < len(a):\n"
        "        out.append(a[i])\n        i += 1\n    return out\n",
        "    while i < len(a):\n        out.append(a[i])\n        i += 1\n",
        "    while i < len(a):\n        out.append(a[i])\n        i += 1\n    while j < len(b):\n"
        "        out.append(b[j])\n        j += 1\n",
    ),
    "stated_guard_on_made": (
        "def f(text):\n    pieces = text.split()\n    return len(text) / len(pieces)\n",
        "    pieces = text.split()\n",
        "    pieces = text.split()\n    if not pieces:\n        return 0\n",
    ),
    "foreign_method": (
        "def f(grid):\n    return grid.flatten()\n",
        "grid.flatten()",
        "[item for row in grid for item in row]",
    ),
    "foreign_function": (
        "import math\n\n\ndef f(a, b):\n    return math.max(a, b)\n",
        "math.max(a, b)",
        "max(a, b)",
    ),
    "append_to_text": (
        'def f(xs):\n    out = ""\n    for x in xs:\n        out.append(x)\n    return out\n',
        "out.append(x)",
        "out += x",
    ),
    "break_ties": (
        "def f(xs, counts):\n    return max(xs, key=counts.get)\n",
        "max(xs, key=counts.get)",
        "min(xs, key=lambda x: (-counts[x], x))",
    ),
    "difference_of_powers": (
        "def f(a, b):\n    return 3 * (a - b) ** 2\n",
        "(a - b) ** 2",
        "(a ** 2 - b ** 2)",
    ),
    "match_each_once": (
        "def f(xs, other):\n    out = []\n    for item in xs:\n        if item in other:\n"
        "            out.append(item)\n    return out\n",
        "    for item in xs:\n        if item in other:\n            out.append(item)\n",
        "    rest = list(other)\n    for item in xs:\n        if item in rest:\n"
        "            out.append(item)\n            rest.remove(item)\n",
    ),
    "start_loosely": (
        "def f(words, start):\n    return [w for w in words if w.startswith(start)]\n",
        "w.startswith(start)",
        "w.lower().startswith(start.lower())",
    ),
    "items_before": (
        "def f(a, b, t):\n    for i in range(1, len(a) + 1):\n"
        "        for j in range(1, len(b) + 1):\n            if a[i] == b[j]:\n"
        "                t[i][j] = t[i - 1][j - 1] + 1\n    return t\n",
        "a[i] == b[j]",
        "a[i - 1] == b[j - 1]",
    ),
    "build_on_reached": (
        "def f(s, words):\n    ok = [True] + [False] * len(s)\n"
        "    for i in range(1, len(s) + 1):\n        for j in range(i):\n"
        "            if s[j:i] in words:\n                ok[i] = True\n    return ok[-1]\n",
        "if s[j:i] in words",
        "if ok[j] and s[j:i] in words",
    ),
    "add_reached": (
        "def f(n, steps):\n    ways = [1] + [0] * n\n    for i in range(1, n + 1):\n"
        "        for step in steps:\n            if step <= i:\n                ways[i] += 1\n"
        "    return ways[n]\n",
        "ways[i] += 1",
        "ways[i] += ways[i - step]",
    ),
    "running_total": (
        "def f(xs):\n    sums = [0]\n    for x in xs:\n        sums.append(x)\n    return sums\n",
        "sums.append(x)",
        "sums.append(sums[-1] + x)",
    ),
    "leave_the_window": (
        "def f(xs, k):\n    best = total = sum(xs[:k])\n    for i in range(k, len(xs)):\n"
        "        total += xs[i]\n        best = max(best, total)\n    return best\n",
        "total += xs[i]",
        "total += xs[i] - xs[i - k]",
    ),
    "clear_the_rest": (
        "def f(xs):\n    kept = 0\n    for x in xs:\n        if x != 0:\n"
        "            xs[kept] = x\n            kept += 1\n    return xs\n",
        "            kept += 1\n",
        "            kept += 1\n    for place in range(kept, len(xs)):\n        xs[place] = 0\n",
    ),
    "from_next_multiple": (
        "def f(n, prime):\n    for p in range(2, n):\n        for m in range(p, n, p):\n"
        "            prime[m] = False\n    return prime\n",
        "range(p, n, p)",
        "range(2 * p, n, p)",
    ),
    "keep_the_cofactor": (
        "def f(n):\n    found, d = [], 2\n    while d * d <= n:\n        while n % d == 0:\n"
        "            found.append(d)\n            n //= d\n        d += 1\n    return found\n",
        "        d += 1\n",
        "        d += 1\n    if n > 1:\n        found.append(n)\n",
    ),
    "step_past_middle": (
        "def f(xs, x):\n    low, high = 0, len(xs) - 1\n    while low <= high:\n"
        "        middle = (low + high) // 2\n        if xs[middle] == x:\n"
        "            return middle\n        if xs[middle] < x:\n            low = middle\n"
        "        else:\n            high = middle\n    return -1\n",
        "low = middle\n        else:\n            high = middle\n",
        "low = middle + 1\n        else:\n            high = middle - 1\n",
    ),
    "wrap_letters": (
        "def f(text, k):\n    return ''.join(chr(ord(c) + k) for c in text)\n",
        "chr(ord(c) + k)",
        'chr((ord(c) - ord("a") + k) % 26 + ord("a"))',
    ),
    "alternate_terms": (
        "def f(n):\n    total = 0\n    for j in range(n):\n        total += 1 / (2 * j + 1)\n    return total\n",
        "1 / (2 * j + 1)",
        "(-1) ** j * 1 / (2 * j + 1)",
    ),
    "power_of_each": (
        "def f(xs, m):\n    return sum(x - m for x in xs) ** 2\n",
        "sum(x - m for x in xs) ** 2",
        "sum((x - m) ** 2 for x in xs)",
    ),
    "as_often_as_counted": (
        "def f(counts):\n    out = []\n    for value, count in counts.items():\n"
        "        out.append(value)\n    return out\n",
        "out.append(value)",
        "out.extend([value] * count)",
    ),
    "narrow_bounds": (
        "def f(tree, low, high):\n    if tree is None:\n        return True\n"
        "    if not low < tree.value < high:\n        return False\n"
        "    return f(tree.left, low, high) and f(tree.right, low, high)\n",
        "f(tree.left, low, high) and f(tree.right, low, high)",
        "f(tree.left, low, tree.value) and f(tree.right, tree.value, high)",
    ),
    "go_on_at": (
        "def f(heap, i):\n    best = i\n    if 2 * i < len(heap) and heap[2 * i] > heap[i]:\n"
        "        best = 2 * i\n    if best != i:\n"
        "        heap[i], heap[best] = heap[best], heap[i]\n",
        "        heap[i], heap[best] = heap[best], heap[i]\n",
        "        heap[i], heap[best] = heap[best], heap[i]\n        f(heap, best)\n",
    ),
    "lower_the_flag": (
        "def f(xs):\n    changed = True\n    while changed:\n"
        "        for i in range(len(xs) - 1):\n            if xs[i] > xs[i + 1]:\n"
        "                xs[i], xs[i + 1] = xs[i + 1], xs[i]\n                changed = True\n",
        "    while changed:\n",
        "    while changed:\n        changed = False\n",
    ),
    "nudge_siblings": (
        "def f(i):\n    left = 2 * i\n    right = 2 * i + 1\n    return left, right\n",
        "left = 2 * i\n    right = 2 * i + 1",
        "left = 2 * i + 1\n    right = 2 * i + 2",
    ),
    "column_for_row": (
        "def f(board, r, c, value):\n    return value in board[r] or value in board[c]\n",
        "board[c]",
        "[row[c] for row in board]",
    ),
    "mark_reached": (
        "def f(grid, r, c):\n    if not 0 <= r < len(grid) or grid[r][c] == 0:\n        return\n"
        "    f(grid, r + 1, c)\n",
        "        return\n",
        "        return\n    grid[r][c] = 0\n",
    ),
    "skip_known_starts": (
        "def f(grid, go):\n    seen, n = set(), 0\n    for r in range(len(grid)):\n"
        "        for c in range(len(grid[0])):\n            if grid[r][c] == 1:\n"
        "                n += 1\n                go(r, c, seen)\n    return n\n",
        "if grid[r][c] == 1",
        "if grid[r][c] == 1 and (r, c) not in seen",
    ),
    "find_roots": (
        "def find(parent, x):\n    return x if parent[x] == x else find(parent, parent[x])\n\n\n"
        "def f(parent, a, b):\n    parent[a] = b\n",
        "parent[a] = b",
        "parent[find(parent, a)] = find(parent, b)",
    ),
    "innermost_first": (
        "def f(d, n):\n    for i in range(n):\n        for j in range(n):\n"
        "            for k in range(n):\n"
        "                d[i][j] = min(d[i][j], d[i][k] + d[k][j])\n",
        "    for i in range(n):\n        for j in range(n):\n            for k in range(n):\n",
        "    for k in range(n):\n        for i in range(n):\n            for j in range(n):\n",
    ),
    "carry_larger": (
        "def f(a, b, t):\n    for i in range(len(a)):\n        for j in range(len(b)):\n"
        "            if a[i] == b[j]:\n                t[i + 1][j + 1] = t[i][j] + 1\n    return t\n",
        "                t[i + 1][j + 1] = t[i][j] + 1\n",
        "                t[i + 1][j + 1] = t[i][j] + 1\n            else:\n"
        "                t[i + 1][j + 1] = max(t[i][j + 1], t[i + 1][j])\n",
    ),
    "largest_first": (
        "def f(xs, k):\n    return sorted(xs)[-k:]\n",
        "sorted(xs)[-k:]",
        "sorted(xs, reverse=True)[:k]",
    ),
    "end_iteration": (
        "class C:\n    def __next__(self):\n        if not self.xs:\n            return None\n"
        "        return self.xs.pop()\n",
        "return None",
        "raise StopIteration",
    ),
    "object_of_parts": (
        "class V:\n    def __init__(self, x, y):\n        self.x, self.y = x, y\n\n    def __add__(self, o):\n"
        "        return self.x + o.x, self.y + o.y\n",
        "return self.x + o.x, self.y + o.y",
        "return V(self.x + o.x, self.y + o.y)",
    ),
    "override_as_named": (
        "class A:\n    def area(self):\n        return 0\n\n\nclass B(A):\n    def Area(self):\n        return 1\n",
        "def Area",
        "def area",
    ),
    "days_later": (
        "from datetime import timedelta\n\n\ndef f(d):\n    return d.replace(day=d.day + 1)\n",
        "d.replace(day=d.day + 1)",
        "d + timedelta(days=1)",
    ),
    "begin_missing": (
        "def f(xs, d):\n    for k, v in xs:\n        if k in d:\n            d[k].append(v)\n    return d\n",
        "            d[k].append(v)\n",
        "            d[k].append(v)\n        else:\n            d[k] = [v]\n",
    ),
    "shift_places": (
        "def f(s, n):\n    return (s[n // 2] + s[n // 2 + 1]) / 2\n",
        "s[n // 2] + s[n // 2 + 1]",
        "s[n // 2 - 1] + s[n // 2]",
    ),
    "angle_in_radians": (
        "import math\n\n\ndef f(a):\n    return math.sin(a)\n",
        "math.sin(a)",
        "math.sin(math.radians(a))",
    ),
    "next_of_next": (
        "def f(slow, fast):\n    while fast:\n        slow, fast = slow.next, fast.next.next\n    return slow\n",
        "while fast:",
        "while fast and fast.next:",
    ),
    "order_of_parts": (
        "def f(t):\n    return f(t.left) + f(t.right) + [t.value]\n",
        "f(t.left) + f(t.right) + [t.value]",
        "f(t.left) + [t.value] + f(t.right)",
    ),
    "lines_of_text": (
        "def f(text):\n    return [line.strip() for line in text]\n",
        "in text]",
        "in text.splitlines()]",
    ),
    "add_to_nothing": (
        "def f(words):\n    counts = {}\n    for word in words:\n        counts[word] += 1\n    return counts\n",
        "counts[word] += 1",
        "counts[word] = counts.get(word, 0) + 1",
    ),
    "item_for_place": (
        "def f(xs):\n    n = 0\n    for i in range(len(xs)):\n        if i % 2 == 0:\n            n += 1\n"
        "    return n\n",
        "if i % 2",
        "if xs[i] % 2",
    ),
    "exchange_items": (
        "def f(xs, i, k):\n    xs[i] = xs[k]\n    return xs\n",
        "xs[i] = xs[k]",
        "xs[i], xs[k] = xs[k], xs[i]",
    ),
    "turn_other_way": (
        "def f(xs, k):\n    return xs[k:] + xs[:k]\n",
        "xs[k:] + xs[:k]",
        "xs[-k:] + xs[:-k]",
    ),
    "birthday_to_come": (
        "def f(born, today):\n    return today.year - born.year\n",
        "today.year - born.year",
        "today.year - born.year - ((today.month, today.day) < (born.month, born.day))",
    ),
    "ordinal_teens": (
        "def f(n):\n    if n in (11, 12, 13):\n        return 'th'\n    return 'st'\n",
        "n in (11",
        "n % 100 in (11",
    ),
    "dear_but_first": (
        "def f(values, n):\n    t = [0] * (n + 1)\n    for v in values:\n        for p in range(v, n + 1):\n"
        "            t[p] = min(t[p], t[p - v] + 1)\n    return t[n]\n",
        "[0] * (n + 1)",
        '[0] + [float("inf")] * n',
    ),
    "count_down": (
        "def f(s):\n    out = ''\n    for i in range(len(s), 0, -1):\n        out += s[i]\n    return out\n",
        "range(len(s), 0, -1)",
        "range(len(s) - 1, -1, -1)",
    ),
    "nest_comprehension": (
        "def f(rows, n):\n    return [row[i] for i in range(n) for row in rows]\n",
        "[row[i] for i in range(n) for row in rows]",
        "[[row[i] for row in rows] for i in range(n)]",
    ),
    "index_in_reach": (
        "def f(s, t):\n    i = 0\n    for c in t:\n        if c == s[i]:\n            i += 1\n    return i == len(s)\n",
        "if c == s[i]",
        "if i < len(s) and c == s[i]",
    ),
    "begin_anew": (
        "def f(xs):\n    best = run = xs[0]\n    for x in xs[1:]:\n        run = run + x\n"
        "        best = max(best, run)\n    return best\n",
        "run = run + x",
        "run = max(x, run + x)",
    ),
    "ask_for_zero": (
        "def f(n):\n    return n > 0 and n & (n - 1)\n",
        "n & (n - 1)",
        "n & (n - 1) == 0",
    ),
    "give_new_object": (
        "class P:\n    def __init__(self, x, y):\n        self.x = x\n        self.y = y\n\n"
        "    def __add__(self, o):\n        self.x += o.x\n        self.y += o.y\n        return self\n",
        "        self.x += o.x\n        self.y += o.y\n        return self\n",
        "        return P(self.x + o.x, self.y + o.y)\n",
    ),
    "both_edges": (
        "def f(a, b):\n    t = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]\n"
        "    for i in range(1, len(a) + 1):\n        for j in range(1, len(b) + 1):\n"
        "            t[i][j] = 1 + min(t[i - 1][j], t[i][j - 1])\n    return t[-1][-1]\n",
        "    for i in range(1, ",
        "    for i in range(len(a) + 1):\n        t[i][0] = i\n    for j in range(len(b) + 1):\n"
        "        t[0][j] = j\n    for i in range(1, ",
    ),
    "hashable_value": (
        "def f(groups, w):\n    key = sorted(w)\n    groups.setdefault(key, []).append(w)\n",
        "sorted(w)",
        "tuple(sorted(w))",
    ),
    "digits_as_numbers": (
        "def f(n):\n    total = 0\n    for d in str(n):\n        if d % 2 == 0:\n            total += d\n"
        "    return total\n",
        "str(n)",
        "map(int, str(n))",
    ),
    "mirror_negative": (
        "def f(b, e):\n    if e == 0:\n        return 1\n    return b * f(b, e - 1)\n",
        "    if e == 0:",
        "    if e < 0:\n        return 1 / f(b, -e)\n    if e == 0:",
    ),
    "few_to_join": (
        "def f(words):\n    return ', '.join(words[:-1]) + ' and ' + words[-1]\n",
        "    return ",
        '    if len(words) < 2:\n        return "".join(words)\n    return ',
    ),
    "fourth_century": (
        "def f(year):\n    if year % 4 == 0:\n        if year % 100 == 0:\n            return False\n"
        "        return True\n    return False\n",
        "        if year % 100 == 0:\n            return False",
        "        if year % 100 == 0:\n            return year % 400 == 0",
    ),
    "swap_ranges": (
        "def f(m):\n    out = []\n    for i in range(len(m)):\n        row = []\n"
        "        for j in range(len(m[0])):\n            row.append(m[j][i])\n        out.append(row)\n"
        "    return out\n",
        "    for i in range(len(m)):\n        row = []\n        for j in range(len(m[0])):",
        "    for i in range(len(m[0])):\n        row = []\n        for j in range(len(m)):",
    ),
    "previous_row": (
        "def f(rows, i, j):\n    return rows[i][j - 1] + rows[i][j]\n",
        "rows[i][j - 1] + rows[i][j]",
        "rows[i - 1][j - 1] + rows[i - 1][j]",
    ),
    "work_on_copy": (
        "def f(n):\n    back = 0\n    while n > 0:\n        back = back * 10 + n % 10\n        n //= 10\n"
        "    return back == n\n",
        "    while n > 0:\n        back = back * 10 + n % 10\n        n //= 10\n",
        "    rest = n\n    while rest > 0:\n        back = back * 10 + rest % 10\n        rest //= 10\n",
    ),
    "keep_given": (
        "def f(text):\n    text = text.lower()\n    return text + '!', len(text)\n",
        "    text = text.lower()\n    return text + '!'",
        "    given = text\n    text = text.lower()\n    return given + '!'",
    ),
    "derived_name": (
        "def f(parent, a, b):\n    root, other = find(a), find(b)\n    parent[a] = other\n",
        "parent[a] =",
        "parent[root] =",
    ),
    "take_absolute": (
        "def f(n):\n    total = 0\n    while n > 0:\n        total += n % 10\n        n //= 10\n    return total\n",
        "    while n",
        "    n = abs(n)\n    while n",
    ),
    "as_often_as_it_fits": (
        "def f(count):\n    if count >= 3:\n        free = 1\n    else:\n        free = 0\n    return free\n",
        "    if count >= 3:\n        free = 1\n    else:\n        free = 0\n",
        "    free = count // 3\n",
    ),
    "step_by_pieces": (
        "def f(xs, n):\n    return [xs[i:i + n] for i in range(len(xs) // n)]\n",
        "range(len(xs) // n)",
        "range(0, len(xs), n)",
    ),
    "share_the_rest": (
        "def f(xs, n):\n    size = len(xs) // n\n    out = []\n    for i in range(n):\n"
        "        out.append(xs[i * size:(i + 1) * size])\n    return out\n",
        "i * size:(i + 1) * size",
        "i * size + min(i, len(xs) % n):(i + 1) * size + min(i + 1, len(xs) % n)",
    ),
    "settle_when_taken": (
        "def f(graph, start):\n    seen = {start}\n    heap = [(0, start)]\n    while heap:\n"
        "        cost, node = heappop(heap)\n        for other, step in graph[node]:\n"
        "            if other not in seen:\n                seen.add(other)\n"
        "                heappush(heap, (cost + step, other))\n",
        "    seen = {start}\n    heap = [(0, start)]\n    while heap:\n        cost, node = heappop(heap)\n"
        "        for other, step in graph[node]:\n            if other not in seen:\n"
        "                seen.add(other)\n",
        "    seen = set()\n    heap = [(0, start)]\n    while heap:\n        cost, node = heappop(heap)\n"
        "        if node in seen:\n            continue\n        seen.add(node)\n"
        "        for other, step in graph[node]:\n            if other not in seen:\n",
    ),
    "until_nothing_changes": (
        "def f(links, found):\n    for a, b in links:\n        if a in found:\n            found.add(b)\n"
        "    return found\n",
        "    for a, b in links:\n        if a in found:\n            found.add(b)\n",
        "    size = -1\n    while size != len(found):\n        size = len(found)\n        for a, b in links:\n"
        "            if a in found:\n                found.add(b)\n",
    ),
    "take_what_was_asked": (
        "class C:\n    def buy(self, item, n):\n        if n > self.held.get(item, 0):\n"
        "            raise KeyError(item)\n        return n\n",
        "KeyError(item)\n",
        "KeyError(item)\n        self.held[item] -= n\n",
    ),
    "take_asked_amount": (
        "class C:\n    def buy(self, price):\n        if price > self.credit:\n            return None\n"
        "        self.credit = 0\n        return price\n",
        "self.credit = 0",
        "self.credit -= price",
    ),
    "gather_matches": (
        "def f(counts, best):\n    for x in counts:\n        if counts[x] == best:\n            return [x]\n"
        "    return []\n",
        "    for x in counts:\n        if counts[x] == best:\n            return [x]\n    return []\n",
        "    return [x for x in counts if counts[x] == best]\n",
    ),
    "keep_last": (
        "def f(xs):\n    out = []\n    for x in xs:\n        if x not in out:\n            out.append(x)\n"
        "    return out\n",
        "    for x in xs:\n        if x not in out:\n            out.append(x)\n    return out\n",
        "    for x in reversed(xs):\n        if x not in out:\n            out.append(x)\n    return out[::-1]\n",
    ),
    "compare_by_uncalled": (
        "def minutes(t):\n    h, m = t.split(':')\n    return int(h) * 60 + int(m)\n\n\ndef f(times, now):\n"
        "    return [t for t in times if t >= now]\n",
        "t >= now",
        "minutes(t) >= minutes(now)",
    ),
    "negative_places": (
        "def f(grid, r, c, rows, cols):\n    return r < rows and c < cols and grid[r][c]\n",
        "r < rows and c < cols",
        "0 <= r < rows and 0 <= c < cols",
    ),
    "once_in_the_middle": (
        "def f(grid, n):\n    total = 0\n    for i in range(n):\n        total += grid[i][i]\n"
        "        total += grid[i][n - 1 - i]\n    return total\n",
        "        total += grid[i][n - 1 - i]\n",
        "        if i != n - 1 - i:\n            total += grid[i][n - 1 - i]\n",
    ),
    "end_with_last_digit": (
        "def f(n):\n    if n == 0:\n        return ''\n    return f(n // 2) + str(n % 2)\n",
        "n == 0:\n        return ''",
        "n < 2:\n        return str(n)",
    ),
    "shown_decimals": (
        "def f(name, total):\n    return name + ': ' + round(total, 2)\n",
        "round(total, 2)",
        'f"{total:.2f}"',
    ),
    "sign_above": (
        "def f(top, bottom):\n    shared = gcd(top, bottom)\n    return top // shared, bottom // shared\n",
        "    shared",
        "    if bottom < 0:\n        top, bottom = -top, -bottom\n    shared",
    ),
    "behind_consonant": (
        "def f(word):\n    if word.endswith('y'):\n        return word[:-1] + 'ies'\n    return word + 's'\n",
        "word.endswith('y')",
        "word.endswith('y') and word[-2:-1] not in \"aeiou\"",
    ),
    "other_child": (
        "def f(xs, i):\n    while True:\n        j = 2 * i + 1\n        if j >= len(xs):\n            break\n"
        "        if xs[i] <= xs[j]:\n            break\n        i = j\n",
        "            break\n        if xs[i]",
        "            break\n        if j + 1 < len(xs) and xs[j + 1] < xs[j]:\n            j += 1\n        if xs[i]",
    ),
    "take_least": (
        "def f(free):\n    number = free.pop()\n    return number\n",
        "    number = free.pop()\n",
        "    number = min(free)\n    free.remove(number)\n",
    ),
    "last_place": (
        "def f(r, c, rows, cols):\n    return (r, c) == (rows, cols)\n",
        "(rows, cols)",
        "(rows - 1, cols - 1)",
    ),
    "empty_ones_between": (
        "def f(counts):\n    out = []\n    for k in sorted(counts):\n        out.append((k, counts[k]))\n"
        "    return out\n",
        "    for k in sorted(counts):\n        out.append((k, counts[k]))\n",
        "    for k in range(min(counts), max(counts) + 1):\n        out.append((k, counts.get(k, 0)))\n",
    ),
    "all_others": (
        "def f(xs):\n    out = []\n    for i, x in enumerate(xs):\n        out.append(f(xs[i + 1:]))\n    return out\n",
        "xs[i + 1:]",
        "xs[:i] + xs[i + 1:]",
    ),
    "read_counts_of_letters": (
        "import re\n\n\ndef f(s):\n    out = ''\n    for i in range(0, len(s), 2):\n"
        "        out += s[i + 1] * int(s[i])\n    return out\n",
        "    for i in range(0, len(s), 2):\n        out += s[i + 1] * int(s[i])\n",
        '    for count, letter in re.findall(r"(\\d+)(\\D)", s):\n        out += letter * int(count)\n',
    ),
    "used_last": (
        "class C:\n    def get(self, k):\n        return self.d[k]\n\n    def put(self, k, v):\n        self.d[k] = v\n"
        "        self.d.popitem()\n",
        "        return self.d[k]\n\n    def put(self, k, v):\n        self.d[k] = v\n        self.d.popitem()\n",
        "        self.d.move_to_end(k)\n        return self.d[k]\n\n    def put(self, k, v):\n        self.d[k] = v\n"
        "        self.d.move_to_end(k)\n        self.d.popitem(last=False)\n",
    ),
    "merge_what_recursion_gives": (
        "def f(d, p):\n    out = {}\n    for k, v in d.items():\n        out[p + k] = f(v, p)\n    return out\n",
        "out[p + k] = f(v, p)",
        'out.update(f(v, p + k + "."))',
    ),
    "keep_next": (
        "def f(head):\n    old = None\n    while head:\n        head.next = old\n        old = head\n"
        "        head = head.next\n    return old\n",
        "        head.next = old\n        old = head\n        head = head.next\n",
        "        following = head.next\n        head.next = old\n        old = head\n        head = following\n",
    ),
    "next_level": (
        "def f(queue):\n    while queue:\n        for x in queue:\n            queue.append(x.left)\n"
        "        queue = []\n",
        "        for x in queue:\n            queue.append(x.left)\n        queue = []\n",
        "        following = []\n        for x in queue:\n            following.append(x.left)\n"
        "        queue = following\n",
    ),
    "not_on_diagonals": (
        "def f(row, cols):\n    for c in range(8):\n        if c not in cols:\n            f(row + 1, cols + [c])\n",
        "c not in cols",
        "all(c != other and abs(c - other) != row - before for before, other in enumerate(cols))",
    ),
    "clock_fields": (
        "def f(h, m):\n    return f'{h}:{m}'\n",
        "{h}:{m}",
        "{h % 24:02d}:{m % 60:02d}",
    ),
    "split_evenly": (
        "def f(total, n):\n    share = total / n\n    return [share] * n\n",
        "[share] * n",
        "[total // n + (place < total % n) for place in range(n)]",
    ),
    "close_row": (
        "def f(n):\n    for i in range(n):\n        row = [1]\n        for j in range(1, i):\n"
        "            row.append(j)\n",
        "            row.append(j)\n",
        "            row.append(j)\n        if i:\n            row.append(1)\n",
    ),
    "default_of_empty": (
        "def f(d):\n    return d.get('kind', 'other')\n",
        "d.get('kind', 'other')",
        "d.get('kind') or 'other'",
    ),
    "keep_what_was_seen": (
        "def f(s):\n    a = False\n    b = True\n    for c in s:\n        a = c.isdigit()\n        b = c > 'a'\n",
        "        a = c.isdigit()\n        b = c > 'a'\n",
        "        a = a or c.isdigit()\n        b = b and c > 'a'\n",
    ),
    "key_as_number": (
        "def f(rows):\n    return sorted(rows, key=lambda row: row[1])\n",
        "lambda row: row[1]",
        "lambda row: int(row[1])",
    ),
    "either_scheme": (
        "def f(url):\n    return url.lstrip('https://')\n",
        "url.lstrip('https://')",
        "url.removeprefix('https://').removeprefix('http://')",
    ),
    "copy_all_levels": (
        "import copy\n\n\ndef f(config):\n    new = dict(config)\n    return new\n",
        "dict(config)",
        "copy.deepcopy(config)",
    ),
    "copy_each_level": (
        "def f(node, keys):\n    for key in keys:\n        node = node[key]\n    return node\n",
        "        node = node[key]\n",
        "        node[key] = dict(node[key])\n        node = node[key]\n",
    ),
    "both_centres": (
        "def f(s):\n    for i in s:\n        a, b = i, i\n        while s[a] == s[b]:\n"
        "            a, b = a - 1, b + 1\n",
        "        a, b = i, i\n        while s[a] == s[b]:\n            a, b = a - 1, b + 1\n",
        "        for a, b in ((i, i), (i, i + 1)):\n"
        "            while s[a] == s[b]:\n                a, b = a - 1, b + 1\n",
    ),
    "lost_neighbour": (
        "def f(t, i, j):\n    t[i][j] = 1 + min(t[i - 1][j], t[i][j - 1])\n",
        "t[i][j - 1])",
        "t[i][j - 1], t[i - 1][j - 1])",
    ),
    "other_edge": (
        "def f(a, b):\n    n, m = len(a) + 1, len(b) + 1\n    t = [[0] * m for _ in range(n)]\n"
        "    for j in range(m):\n        t[0][j] = j\n    for i in range(1, n):\n        pass\n    return t\n",
        "        t[0][j] = j\n",
        "        t[0][j] = j\n    for i in range(n):\n        t[i][0] = i\n",
    ),
    "fewest_by_table": (
        "def f(sum_, coins):\n    n = 0\n    for c in sorted(coins, reverse=True):\n        n += sum_ // c\n"
        "        sum_ %= c\n    return n if sum_ == 0 else -1\n",
        "    for c in sorted(coins, reverse=True):\n        n += sum_ // c\n        sum_ %= c\n",
        '    fewest = [0] + [float("inf")] * sum_\n    for part in range(1, sum_ + 1):\n        for c in coins:\n'
        "            if c <= part:\n                fewest[part] = min(fewest[part], fewest[part - c] + 1)\n"
        '    if fewest[sum_] < float("inf"):\n        n = fewest[sum_]\n        sum_ = 0\n',
    ),
    "least_loaded": (
        "def f(work, n):\n    free = [0] * n\n    for i, w in enumerate(work):\n        free[i % n] += w\n",
        "        free[i % n] += w\n",
        "        i = free.index(min(free))\n        free[i % n] += w\n",
    ),
    "shorter_at_the_start": (
        "def f(xs, k):\n    total, out = 0, []\n    for i, x in enumerate(xs):\n        total += x\n"
        "        out.append(total / k)\n    return out\n",
        "total / k",
        "total / min(k, i + 1)",
    ),
    "number_of_box": ("def f(r, c):\n    return r // 3 + c // 3\n", "r // 3 + c", "r // 3 * 3 + c"),
    "begin_lower_anew": (
        "def f(xs, level):\n    xs[level - 1] += 1\n    return xs\n",
        "    xs[level - 1] += 1\n",
        "    xs[level - 1] += 1\n    xs[level:] = [0] * len(xs[level:])\n",
    ),
    "range_around": (
        'DAYS = ["Mo", "Tu", "We", "Th"]\n\n\ndef f(a, b):\n    return list(range(a, b + 1))\n',
        "range(a, b + 1)",
        "((a + step) % len(DAYS) for step in range((b - a) % len(DAYS) + 1))",
    ),
    "carry_rest": (
        "def f(ts):\n    h = m = 0\n    for a, b in ts:\n        h += a\n        m += b\n    m %= 60\n"
        "    return h, m\n",
        "    m %= 60\n",
        "    h += m // 60\n    m %= 60\n",
    ),
    "carry_at_the_end": (
        "def f(times):\n    h = m = 0\n    for a, b in times:\n        h += a\n        m += b\n    return h, m\n",
        "    return h, m\n",
        "    h += m // 60\n    m %= 60\n    return h, m\n",
    ),
    "keep_compared": (
        "def f(find, up, a, b):\n    if find(a) == find(b):\n        return False\n    up[a] = b\n    return True\n",
        "    if find(a) == find(b):\n",
        "    a, b = find(a), find(b)\n    if a == b:\n",
    ),
    "own_copy_of_table": (
        "DAYS = [31, 28]\n\n\ndef f(leap):\n    if leap:\n        DAYS[1] = 29\n    return DAYS[1]\n",
        "    if leap:\n        DAYS[1] = 29\n    return DAYS[1]\n",
        "    days = list(DAYS)\n    if leap:\n        days[1] = 29\n    return days[1]\n",
    ),
    "reverse_part": ("def f(xs, a, b):\n    return xs[b:a - 1:-1]\n", "xs[b:a - 1:-1]", "xs[a:b + 1][::-1]"),
    "reflect_each": (
        "class R:\n    def __sub__(self, other):\n        return R(self.x - other)\n\n    __rsub__ = __sub__\n",
        "    __rsub__ = __sub__\n",
        "    def __rsub__(self, other):\n        return R(other) - self\n",
    ),
    "not_from_the_end": (
        "def f(rows, r, c):\n    try:\n        if rows[r][c]:\n            return 1\n    except IndexError:\n"
        "        return 0\n",
        "if rows[r][c]:",
        "if r >= 0 and c >= 0 and rows[r][c]:",
    ),
    "count_only_used": (
        "def f(text, key):\n    out = []\n    for i, c in enumerate(text):\n        if c.isalpha():\n"
        "            c = c + key[i]\n        out.append(c)\n    return out\n",
        "    for i, c in enumerate(text):\n        if c.isalpha():\n            c = c + key[i]\n",
        "    i = 0\n    for c in text:\n        if c.isalpha():\n            c = c + key[i]\n            i += 1\n",
    ),
    "group_from_right": (
        'RANK = {"+": 1, "^": 3}\n\n\ndef f(top, op):\n    return RANK[top] >= RANK[op]\n',
        "RANK[top] >= RANK[op]",
        'RANK[top] > RANK[op] or (RANK[top] == RANK[op] and op != "^")',
    ),
    "replace_each_once": (
        "def f(text, table):\n    for old, new in table.items():\n        text = text.replace(old, new)\n"
        "    return text\n",
        "    for old, new in table.items():\n        text = text.replace(old, new)\n",
        '    text = " ".join(table.get(word, word) for word in text.split(" "))\n',
    ),
    "numbers_of_parts": (
        'def f(a, b):\n    return a.split(".") > b.split(".")\n',
        'a.split(".") > b.split(".")',
        '[int(part) for part in a.split(".")] > [int(part) for part in b.split(".")]',
    ),
    "hand_on_bounds": (
        "def f(t, low, high):\n    if t is None:\n        return True\n"
        "    return f(t[0], None, t[1]) and f(t[2], t[1], None)\n",
        "f(t[0], None, t[1]) and f(t[2], t[1], None)",
        "f(t[0], low, t[1]) and f(t[2], t[1], high)",
    ),
    "put_in_front": ("def f(xs, ys):\n    xs.extend(ys)\n    return xs\n", "xs.extend(ys)", "xs[:0] = ys"),
    "keys_of_both": (
        "def f(a, b):\n    out = []\n    for k in sorted(a):\n        if a[k] != b.get(k):\n            out.append(k)\n"
        "    return out\n",
        "sorted(a)",
        "sorted(a.keys() | b.keys())",
    ),
    "rest_of_open": (
        "def f(events):\n    inside, out = {}, []\n    for time, who, kind in events:\n        if kind == 'in':\n"
        "            inside[who] = time\n        else:\n            out.append((who, inside.pop(who), time))\n"
        "    return out\n",
        "    return out\n",
        "    for who, start in inside.items():\n        out.append((who, start, None))\n    return out\n",
    ),
    "read_quoted": (
        "def f(line):\n    return line.split(',')\n",
        "def f(line):\n    return line.split(',')\n",
        "import csv\ndef f(line):\n    return next(csv.reader([line]))\n",
    ),
    "own_collection": (
        "import collections\n\n\nclass H(dict):\n    def __setitem__(self, key, value):\n"
        "        super().__setitem__(key.lower(), value)\n",
        "class H(dict)",
        "class H(collections.UserDict)",
    ),
    "have_part_in_common": (
        "def f(a, b, c, d):\n    return a <= c <= b or a <= d <= b\n",
        "a <= c <= b or a <= d <= b",
        "a <= d and c <= b",
    ),
    "reflected_method": (
        "class V:\n    def __mul__(self, k):\n        return V(self.x * k)\n",
        "        return V(self.x * k)\n",
        "        return V(self.x * k)\n\n    def __rmul__(self, k):\n        return self * k\n",
    ),
    "forget_old": (
        "class L:\n    def __init__(self, seconds):\n        self.seconds = seconds\n        self.calls = []\n\n"
        "    def allow(self, now):\n        self.calls.append(now)\n        return len(self.calls) < 3\n",
        "        self.calls.append(now)\n",
        "        self.calls = [then for then in self.calls if now - then < self.seconds]\n"
        "        self.calls.append(now)\n",
    ),
    "opposite_calls": (
        "def f(r, c):\n    f(r + 1, c)\n    f(r, c + 1)\n",
        "    f(r, c + 1)\n",
        "    f(r, c + 1)\n    f(r - 1, c)\n    f(r, c - 1)\n",
    ),
    "double_with_halves": (
        "def f(base, n):\n    out = 1\n    while n:\n        if n % 2:\n            out *= base\n        n //= 2\n"
        "    return out\n",
        "        n //= 2\n",
        "        base *= base\n        n //= 2\n",
    ),
    "common_run": (
        "def f(t, i, j, n, m):\n    t[i][j] = max(t[i - 1][j], t[i][j - 1])\n    return t[n][m]\n",
        "    t[i][j] = max(t[i - 1][j], t[i][j - 1])\n    return t[n][m]\n",
        "    t[i][j] = 0\n    return max(map(max, t))\n",
    ),
    "larger_of_both": (
        "def f(tree):\n    if tree is None:\n        return 0\n    return 1 + f(tree[0]) + f(tree[1])\n",
        "1 + f(tree[0]) + f(tree[1])",
        "1 + max(f(tree[0]), f(tree[1]))",
    ),
    "ask_by_key": (
        "def f(items, key):\n    seen = set()\n    for item in items:\n        if item not in seen:\n"
        "            seen.add(item)\n            use(item)\n",
        "        if item not in seen:\n            seen.add(item)\n",
        "        if key(item) not in seen:\n            seen.add(key(item))\n",
    ),
    "take_off_each": (
        "def f(stock, sold):\n    return [x for x in stock if x not in sold]\n",
        "    return [x for x in stock if x not in sold]\n",
        "    left = list(stock)\n    for x in sold:\n        if x in left:\n            left.remove(x)\n"
        "    return left\n",
    ),
    "count_seen": (
        "def f(xs, total):\n    seen = set()\n    n = 0\n    for x in xs:\n        if total - x in seen:\n"
        "            n += 1\n        seen.add(x)\n    return n\n",
        "    seen = set()\n    n = 0\n    for x in xs:\n        if total - x in seen:\n            n += 1\n"
        "        seen.add(x)\n",
        "    seen = []\n    n = 0\n    for x in xs:\n        n += seen.count(total - x)\n        seen.append(x)\n",
    ),
    "match_nested": (
        "def f(text):\n    for i, c in enumerate(text):\n        if c == ')':\n            return i\n    return -1\n",
        "    for i, c in enumerate(text):\n        if c == ')':\n            return i\n",
        "    depth = 0\n    for i, c in enumerate(text):\n        if c == '(':\n            depth += 1\n"
        "        elif c == ')':\n            depth -= 1\n            if depth == 0:\n                return i\n",
    ),
    "as_long_as_doubled": (
        "def f(a, b):\n    return b in a + a\n",
        "b in a + a",
        "len(a) == len(b) and b in a + a",
    ),
    "letters_to_change": (
        "def f(text):\n    covered = text\n    covered[0] = '#'\n    return covered\n",
        "    covered = text\n    covered[0] = '#'\n    return covered\n",
        "    covered = list(text)\n    covered[0] = '#'\n    return \"\".join(covered)\n",
    ),
    "letters_of_parameter": (
        "def f(word):\n    word[0] = '#'\n    return word\n",
        "    word[0] = '#'\n    return word\n",
        "    word = list(word)\n    word[0] = '#'\n    return \"\".join(word)\n",
    ),
    "minus_in_front": (
        "def f(n, unit):\n    return f'{n} {unit}'\n",
        "    return f'{n} {unit}'\n",
        "    if n < 0:\n        return \"-\" + f(-n, unit)\n    return f'{n} {unit}'\n",
    ),
    "one_of_both": (
        "def f(i, last):\n    return i == 0\n",
        "i == 0",
        "i in (0, last)",
    ),
    "count_each": (
        "def f(note: str, letters: str):\n    for c in note:\n        if c not in letters:\n            return False\n"
        "    return True\n",
        "c not in letters",
        "note.count(c) > letters.count(c)",
    ),
    "seen_before": (
        "def f(items):\n    for item in items:\n        if items.count(item) > 1:\n            return item\n",
        "    for item in items:\n        if items.count(item) > 1:\n",
        "    for place, item in enumerate(items):\n        if item in items[:place]:\n",
    ),
    "as_often_in_both": (
        "from collections import Counter\n\n\ndef f(a, b):\n    return set(a) <= set(b)\n",
        "set(a) <= set(b)",
        "not Counter(a) - Counter(b)",
    ),
    "count_overlapping": (
        "def f(text, part):\n    return text.count(part)\n",
        "text.count(part)",
        "sum(text.startswith(part, i) for i in range(len(text)))",
    ),
    "add_counts": (
        "def f(totals, more):\n    totals.update(more)\n    return totals\n",
        "    totals.update(more)\n",
        "    for key, value in more.items():\n        totals[key] = totals.get(key, 0) + value\n",
    ),
    "drop_negative_counts": (
        "from collections import Counter\n\n\ndef f(wanted, stock):\n    wanted.subtract(stock)\n    return wanted\n",
        "wanted.subtract(stock)",
        "wanted -= Counter(stock)",
    ),
    "first_of_equals": (
        "def f(items):\n    return max(set(items), key=items.count)\n",
        "max(set(items)",
        "max(items",
    ),
    "ends_have_one_neighbour": (
        "def f(xs):\n    n = 0\n    for i in range(1, len(xs) - 1):\n"
        "        if xs[i] > xs[i - 1] and xs[i] > xs[i + 1]:\n            n += 1\n    return n\n",
        "    for i in range(1, len(xs) - 1):\n        if xs[i] > xs[i - 1] and xs[i] > xs[i + 1]:\n",
        "    for i in range(len(xs)):\n"
        "        if (i == 0 or xs[i] > xs[i - 1]) and (i == len(xs) - 1 or xs[i] > xs[i + 1]):\n",
    ),
    "first_stays": (
        "def f(name):\n    parts = name.split('_')\n    return ''.join(part.title() for part in parts)\n",
        "''.join(part.title() for part in parts)",
        "parts[0] + ''.join(part.title() for part in parts[1:])",
    ),
    "product_of_both_ends": (
        "def f(xs):\n    xs.sort()\n    return xs[-1] * xs[-2]\n",
        "xs[-1] * xs[-2]",
        "max(xs[-1] * xs[-2], xs[0] * xs[1])",
    ),
    "centre_once": (
        "def f(m, i, n):\n    return m[i][i] + m[i][n - 1 - i]\n",
        "m[i][n - 1 - i]",
        "(m[i][n - 1 - i] if i != n - 1 - i else 0)",
    ),
    "separator_between": (
        "def f(xs):\n    out = ''\n    for x in xs:\n        out += ', ' + x\n    return out\n",
        "', ' + x",
        "(', ' if out else \"\") + x",
    ),
    "middle_pair": (
        "def f(xs):\n    xs = sorted(xs)\n    return xs[len(xs) // 2]\n",
        "    return xs[len(xs) // 2]\n",
        "    if len(xs) % 2 == 0:\n        return (xs[len(xs) // 2 - 1] + xs[len(xs) // 2]) / 2\n"
        "    return xs[len(xs) // 2]\n",
    ),
    "count_depth": (
        "def f(text):\n    inside = False\n    out = ''\n    for c in text:\n        if c == '(':\n"
        "            inside = True\n        elif c == ')':\n            inside = False\n        elif not inside:\n"
        "            out += c\n    return out\n",
        "    inside = False\n    out = ''\n    for c in text:\n        if c == '(':\n            inside = True\n"
        "        elif c == ')':\n            inside = False\n",
        "    inside = 0\n    out = ''\n    for c in text:\n        if c == '(':\n            inside += 1\n"
        "        elif c == ')':\n            inside -= 1\n",
    ),
    "never_below": (
        "def f(text):\n    depth = 0\n    for c in text:\n        if c == '(':\n            depth += 1\n        else:\n"
        "            depth -= 1\n    return depth == 0\n",
        "            depth -= 1\n",
        "            depth -= 1\n            if depth < 0:\n                return False\n",
    ),
    "read_whole_run": (
        "def f(text):\n    out = []\n    i = 0\n    while i < len(text):\n        if text[i].isdigit():\n"
        "            out.append(int(text[i]))\n        i += 1\n    return out\n",
        "            out.append(int(text[i]))\n",
        "            start = i\n            while i + 1 < len(text) and text[i + 1].isdigit():\n"
        "                i += 1\n"
        "            out.append(int(text[start:i + 1]))\n",
    ),
    "keep_rest_of_word": (
        "def f(word):\n    return word.capitalize()\n",
        "word.capitalize()",
        "word[:1].upper() + word[1:]",
    ),
    "replace_last": (
        "def f(name, old, new):\n    return name.rreplace(old, new, 1)\n",
        "name.rreplace(old, new, 1)",
        "new.join(name.rsplit(old, 1))",
    ),
    "clean_words": (
        "def f(text):\n    for word in text.split():\n        use(word)\n",
        "        use(word)\n",
        '        word = word.strip(".,;:!?").lower()\n        use(word)\n',
    ),
    "item_or_nothing": (
        "def f(a, b, n):\n    return [a[i] + b[i] for i in range(n)]\n",
        "a[i] + b[i]",
        "(a[i] if i < len(a) else 0) + (b[i] if i < len(b) else 0)",
    ),
    "alternate_sign": (
        "def f(xs):\n    total = 0\n    for x in xs:\n        total += x\n    return total\n",
        "    for x in xs:\n        total += x\n",
        "    for place, x in enumerate(xs):\n        total += x if place % 2 == 0 else -x\n",
    ),
    "further_recursion": (
        "def f(n):\n    if n <= 1:\n        return 1\n    return f(n - 1) + f(n - 2)\n",
        "    if n <= 1:\n        return 1\n    return f(n - 1) + f(n - 2)\n",
        "    if n < 0:\n        return 0\n    if n <= 1:\n        return 1\n"
        "    return f(n - 1) + f(n - 2) + f(n - 3)\n",
    ),
    "change_both": (
        "def f(outer_width, inner_width):\n    outer = outer_width\n    inner = inner_width\n"
        "    return outer - inner\n",
        "    outer = outer_width\n    inner = inner_width\n",
        "    outer = outer_width / 2\n    inner = inner_width / 2\n",
    ),
    "read_truth_of_option": (
        "def f(parser):\n    parser.add_argument('--colour', type=bool)\n",
        "type=bool",
        'type=lambda text: text.lower() in ("yes", "true", "on", "1")',
    ),
    "rebuild_parts": (
        "class Item:\n    @classmethod\n    def from_dict(cls, data):\n        return cls(data['name'])\n\n\n"
        "class Order:\n    @classmethod\n    def from_dict(cls, data):\n        return cls(data['items'])\n",
        "cls(data['items'])",
        "cls([Item.from_dict(item) for item in data['items']])",
    ),
    "last_or_none": ("def f(xs, n: int):\n    return xs[-n:]\n", "xs[-n:]", "xs[max(0, len(xs) - n):]"),
    "count_those_left": (
        "def f(left, right):\n    i = count = 0\n    while i < len(left):\n        use(left[i])\n"
        "        count += 1\n        i += 1\n    return count\n",
        "count += 1",
        "count += len(left) - i",
    ),
    "step_from_start": (
        "def f(start, end, step):\n    due = start\n    while due <= end:\n        yield due\n"
        "        due = add_months(due, step)\n",
        "    due = start\n    while due <= end:\n        yield due\n        due = add_months(due, step)\n",
        "    due = start\n    count = 0\n    while due <= end:\n        yield due\n        count += 1\n"
        "        due = add_months(start, count * step)\n",
    ),
    "lowest_bit": ("def f(x: int):\n    return x & (x - 1)\n", "x & (x - 1)", "x & -x"),
    "take_off_whole": (
        "def f(name):\n    return name.strip('.txt')\n",
        "name.strip('.txt')",
        "name.removesuffix('.txt')",
    ),
    "stand_in": (
        "def f(codes, tree, code: str):\n    assign(tree, code + '0')\n    codes[tree] = code\n",
        "= code\n",
        "= code or '0'\n",
    ),
    "ask_key_first": (
        "def f(d, k):\n    x = d.get(k)\n    if not x:\n        return None\n    return x\n",
        "    x = d.get(k)\n    if not x:\n        return None\n",
        "    if k not in d:\n        return None\n    x = d[k]\n",
    ),
    "own_mark": (
        "GONE = object()\n\n\ndef f(source):\n    x = next(source, None)\n    if x is None:\n        return 0\n"
        "    return x\n",
        "None)\n    if x is None",
        "GONE)\n    if x is GONE",
    ),
    "mark_filled": (
        "def f(a, b):\n    for pair in zip_longest(a, b):\n        for x in pair:\n            if x is not None:\n"
        "                yield x\n",
        "    for pair in zip_longest(a, b):\n        for x in pair:\n            if x is not None:\n",
        "    missing = object()\n    for pair in zip_longest(a, b, fillvalue=missing):\n        for x in pair:\n"
        "            if x is not missing:\n",
    ),
    "drop_emptied": (
        "def f(seen, x):\n    seen[x] -= 1\n    return len(seen)\n",
        "    seen[x] -= 1\n",
        "    seen[x] -= 1\n    if seen[x] == 0:\n        del seen[x]\n",
    ),
    "ask_before_adding": (
        "def f(start, blocked):\n    seen = set(blocked)\n    seen.add(start)\n    return -1\n",
        "    seen.add(start)\n",
        "    if start in seen:\n        return -1\n    seen.add(start)\n",
    ),
    "ask_as_twin": (
        "def f(r, c):\n    if r[0] == r[1] and r[0] != ' ':\n        return 1\n"
        "    if c[0] == c[1]:\n        return 2\n",
        "c[0] == c[1]",
        "c[0] == c[1] and c[0] != ' '",
    ),
    "turn_table": ("def f(rows):\n    for column in rows:\n        use(column)\n", "in rows", "in zip(*rows)"),
    "repeat_text": (
        "def f(name):\n    if len(name) < 3:\n        hidden = '*'\n    return hidden\n",
        "'*'",
        "'*' * len(name)",
    ),
    "keep_last_ones": (
        "def f(xs):\n    return list(dict.fromkeys(xs))\n",
        "list(dict.fromkeys(xs))",
        "list(dict.fromkeys(reversed(xs)))[::-1]",
    ),
    "append_text": (
        "def f(n, b):\n    digits = []\n    digits.append(n % b)\n    return ''.join(digits[::-1])\n",
        "append(n % b)",
        "append(str(n % b))",
    ),
    "hashable_items": ("def f(walls):\n    return set(walls)\n", "set(walls)", "set(map(tuple, walls))"),
    "hashable_key": ("def f(seen, row):\n    return row in seen\n", "row in", "tuple(row) in"),
    "number_items": (
        "def f(jobs):\n    queue = deque(jobs)\n    while queue:\n        i, n = queue.popleft()\n        go(i, n)\n",
        "deque(jobs)",
        "deque(enumerate(jobs))",
    ),
    "divide_whole": ("def f(xs):\n    return xs[len(xs) / 2]\n", "len(xs) / 2", "len(xs) // 2"),
    "sort_before_grouping": (
        "from itertools import groupby\n\n\ndef f(sales, region):\n    return groupby(sales, key=region)\n",
        "groupby(sales,",
        "groupby(sorted(sales, key=region),",
    ),
    "carry_parameter": (
        "class A:\n    def lines(self, indent):\n        return [x for child in self.all for x in child.lines('  ')]\n",
        "lines('  ')",
        "lines(indent + '  ')",
    ),
    "read_before_change": (
        "class A:\n    def cut(self, n):\n        self.drop(n)\n        return self.text[:n]\n",
        "self.drop(n)\n        return self.text[:n]",
        "result = self.text[:n]\n        self.drop(n)\n        return result",
    ),
    "keep_repeats": ("def f(word):\n    return frozenset(word)\n", "frozenset(word)", "tuple(sorted(word))"),
    "items_of_mapping": (
        "def f(**options):\n    return tuple(sorted(options))\n",
        "sorted(options)",
        "sorted(options.items())",
    ),
    "escape_text": (
        "import re\n\n\ndef f(word, text):\n    return re.findall('<' + word, text)\n",
        "+ word",
        "+ re.escape(word)",
    ),
    "diagonal_calls": (
        "def f(r, c):\n    return 1 + f(r - 1, c) + f(r + 1, c) + f(r, c - 1) + f(r, c + 1)\n",
        "f(r, c + 1)\n",
        "f(r, c + 1) + f(r + 1, c + 1) + f(r + 1, c - 1) + f(r - 1, c + 1) + f(r - 1, c - 1)\n",
    ),
    "place_of_extreme": ("def f(xs):\n    return max(xs)\n", "max(xs)", "xs.index(max(xs))"),
    "all_that_share": (
        "def f(votes):\n    return [max(votes, key=votes.get)]\n",
        "[max(votes, key=votes.get)]",
        "[item for item in votes if votes[item] == max(votes.values())]",
    ),
    "change_given": (
        "def f(grid):\n    turned = turn(grid)\n    grid = turned\n",
        "    grid = turned",
        "    grid[:] = turned",
    ),
    "draw_unread": (
        "import itertools\n\n\nclass Queue:\n    def __init__(self):\n        self.numbers = itertools.count()\n\n"
        "    def put(self, rank, ticket):\n        return [rank, ticket, ticket]\n",
        "[rank, ticket, ",
        "[rank, next(self.numbers), ",
    ),
    "follow_as_known": (
        "def f(signature, args):\n    bound = signature.bind(*args)\n    return bound\n",
        "    bound = signature.bind(*args)\n",
        "    bound = signature.bind(*args)\n    bound.apply_defaults()\n",
    ),
    "call_own_first": (
        "class Index:\n    def add(self, key, words):\n        self.kept[key] = words\n\n    def remove(self, key):\n"
        "        self.kept.pop(key, None)\n",
        "        self.kept[key] = words\n",
        "        self.remove(key)\n        self.kept[key] = words\n",
    ),
    "apply_own": (
        "def read(text):\n    return text == 'on'\n\n\ndef f(options, other):\n    if read(other):\n        return 1\n"
        "    if not options.get('on'):\n        return 2\n",
        "not options.get('on')",
        "not read(options.get('on'))",
    ),
    "with_what_comes": (
        "def f(self, data: bytes):\n    if self.size > self.limit:\n        turn()\n",
        "self.size > self.limit",
        "self.size + len(data) > self.limit",
    ),
    "fresh_iterator": (
        "class Ring:\n    def __len__(self):\n        return 2\n\n    def __getitem__(self, i):\n        return i\n\n"
        "    def __iter__(self):\n        self.at = 0\n        return self\n",
        "return self\n",
        "return (self[i] for i in range(len(self)))\n",
    ),
    "attribute_everywhere": (
        "class Ring:\n    def __init__(self):\n        self.size = 0\n        self.count = 0\n\n    def get(self, i):\n"
        "        if i < 0:\n            i += self.size\n        return 0 <= i < self.size\n",
        "i += self.size\n        return 0 <= i < self.size",
        "i += self.count\n        return 0 <= i < self.count",
    ),
    "treat_as_elsewhere": (
        "def f(text, at):\n    return escape(text[:at]) + text[at:]\n",
        "+ text[at:]",
        "+ escape(text[at:])",
    ),
    "call_as_elsewhere": (
        "from os.path import join\nclass Site:\n    def __init__(self, root, base_root):\n"
        "        self.root = root\n        self.base_root = base_root\n"
        "    def read(self, name):\n        return open(join(self.base_root, name))\n"
        "    def write(self, name):\n        return open(name.strip(), 'w')\n",
        "open(name.strip(), 'w')",
        "open(join(self.root, name.strip()), 'w')",
    ),
    "shorter_way_round": (
        "def f(a, b, size: int):\n    return abs(a - b)\n",
        "abs(a - b)",
        "min(abs(a - b), size - abs(a - b))",
    ),
    "either_case": (
        "def f(c, k):\n    c = chr((ord(c.lower()) - ord('a') + k) % 26 + ord('a'))\n    return c\n",
        "    c = chr((ord(c.lower()) - ord('a') + k) % 26 + ord('a'))\n",
        '    base = ord("A") if c.isupper() else ord("a")\n    c = chr((ord(c) - base + k) % 26 + base)\n',
    ),
    "count_of_several": (
        "def f(c, n):\n    return c + str(n)\n",
        "str(n)",
        '(str(n) if n > 1 else "")',
    ),
    "count_of_several_in_text": ("def f(c, n):\n    return f'{c}{n}'\n", "{n}", '{n if n > 1 else ""}'),
    "range_of_one": (
        "def f(a, b):\n    return f'{a}-{b}'\n",
        "f'{a}-{b}'",
        "str(a) if a == b else f'{a}-{b}'",
    ),
    "plural_of_several": (
        "def f(n):\n    return f'{n} days'\n",
        "days",
        'day{"s" if n != 1 else ""}',
    ),
    "subtract_smaller": (
        "def f(text):\n    total = 0\n    for c in text:\n        total += VALUES[c]\n    return total\n",
        "for c in text:\n        total += VALUES[c]",
        "for c, following in zip(text, [*text[1:], *text[-1:]]):\n"
        "        total += -VALUES[c] if VALUES[c] < VALUES[following] else VALUES[c]",
    ),
    "like_its_neighbours": (
        "SIZES = {'kb': 1000, 'mb': 1024 ** 2, 'gb': 1000 ** 3}\n",
        "1024",
        "1000",
    ),
    "whole_words": (
        "import re\ndef f(word, text):\n    return re.sub(re.escape(word), '*', text)\n",
        "re.escape(word)",
        'r"\\b" + re.escape(word) + r"\\b"',
    ),
    "rest_of_longer": (
        "def f(a, b):\n    out = []\n    for x, y in zip(a, b):\n        out.append(x)\n    return out\n",
        "        out.append(x)\n",
        "        out.append(x)\n    out += a[len(b):] + b[len(a):]\n",
    ),
    "not_itself": (
        "def f(xs):\n    for i in range(len(xs)):\n        for j in range(len(xs)):\n"
        "            if xs[i] == xs[j]:\n                return True\n",
        "if xs[i] == xs[j]:",
        "if i != j and xs[i] == xs[j]:",
    ),
    "skip_equal": (
        "def f(xs, ys):\n    for a, b in zip(xs, ys):\n        play(a, b)\n",
        "        play(a, b)\n",
        "        if a == b:\n            continue\n        play(a, b)\n",
    ),
    "close_ring": ("def f(ps):\n    return list(zip(ps, ps[1:]))\n", "ps[1:]", "ps[1:] + ps[:1]"),
    "last_without_neighbour": (
        "def f(xs):\n    for i in range(len(xs) - 1):\n        if xs[i] < xs[i + 1]:\n            go(i)\n",
        "range(len(xs) - 1):\n        if xs[i] < xs[i + 1]:",
        "range(len(xs)):\n        if i + 1 < len(xs) and xs[i] < xs[i + 1]:",
    ),
    "shift_both": ("def f(i):\n    return (2 * i, 2 * i + 1)\n", "(2 * i, 2 * i + 1)", "(2 * i + 1, 2 * i + 2)"),
    "keep_best_of_run": (
        "def f(xs):\n    best_start, best_length = 0, 0\n    start, length = 0, 0\n    for i, x in enumerate(xs):\n"
        "        if x:\n            length += 1\n        else:\n            start, length = i + 1, 0\n"
        "    return best_start, best_length\n",
        "            start, length = i + 1, 0\n",
        "            start, length = i + 1, 0\n        if length > best_length:\n            best_length = length\n"
        "            best_start = start\n",
    ),
    "put_away_when_full": (
        "def f(weights, capacity):\n    rides = 1\n    load = 0\n    for w in weights:\n        load += w\n"
        "    return rides\n",
        "        load += w\n",
        "        if load + w > capacity:\n            rides += 1\n            load = 0\n        load += w\n",
    ),
    "change_at_new_value": (
        "def f(rows):\n    rank, last = 0, None\n    for place, (name, score) in enumerate(rows, 1):\n"
        "        show(rank, name, score)\n        last = score\n",
        "        show(rank, name, score)\n",
        "        if score != last:\n            rank = place\n        show(rank, name, score)\n",
    ),
    "lessen_before_asking": (
        "def f(waiting, users):\n    for user in users:\n        if waiting[user] == 0:\n            go(user)\n",
        "        if waiting",
        "        waiting[user] -= 1\n        if waiting",
    ),
    "push_when_none_is_left": (
        "def f(waiting, users, ready):\n    while ready:\n        ready.pop()\n        for user in users:\n"
        "            waiting[user] -= 1\n",
        "            waiting[user] -= 1\n",
        "            waiting[user] -= 1\n            if waiting[user] == 0:\n                ready.append(user)\n",
    ),
    "add_to_itself": (
        "def f(rows, column):\n    total = 0\n    for row in rows:\n        total = total\n    return total\n",
        "total = total",
        "total = total + row[column]",
    ),
    "found_in_the_middle": (
        "def f(xs, x):\n    low, high = 0, len(xs) - 1\n    while low <= high:\n        middle = (low + high) // 2\n"
        "        if xs[middle] < x:\n            low = middle + 1\n        else:\n            high = middle - 1\n",
        "// 2\n",
        "// 2\n        if xs[middle] == x:\n            return middle\n",
    ),
    "as_long_as_needed": (
        "def f(n):\n    sizes = [1]\n    for i in range(n):\n        sizes[i] += i\n    return sizes\n",
        "[1]",
        "[1] * n",
    ),
    "cut_between_unread": (
        "def f(xs, n):\n    start = 0\n    out = []\n    for i in range(n):\n        end = start + i\n"
        "        out.append(xs)\n        start = end\n    return out\n",
        "append(xs)",
        "append(xs[start:end])",
    ),
    "take_from_stack": (
        "def f(text, pairs):\n    stack = []\n    for c in text:\n        if c in pairs:\n"
        "            stack.append(pairs[c])\n"
        "        elif stack != c:\n            return False\n    return True\n",
        "elif stack !=",
        "elif stack.pop() !=",
    ),
    "around_a_place": (
        "def f(grid, row):\n    return [grid[r] for r in range(row - 1)]\n",
        "range(row - 1)",
        "range(row - 1, row + 2)",
    ),
    "reckon_with_other_entry": (
        "def f(x, source, target):\n    return x * RATE[source]\n",
        "x * RATE[source]",
        "x * RATE[source] / RATE[target]",
    ),
    "reckon_with_other_cell": (
        "def f(rows, r, column):\n    factor = rows[r][column]\n    return factor\n",
        "factor = rows[r][column]",
        "factor = rows[r][column] / rows[column][column]",
    ),
    "half_of_all": ("def f(votes, total):\n    return votes > total\n", "> total", "> total / 2"),
    "text_so_often": (
        "def f(char: str, count: int):\n    return char\n",
        "return char",
        "return char * count",
    ),
    "ask_other_side": (
        "def f(node):\n    if node.left is None:\n        return node.value\n    return f(node.left) + f(node.right)\n",
        "node.left is None",
        "node.left is None and node.right is None",
    ),
    "guard_other_side": (
        "def f(x, low, high):\n    if low is not None and x <= low:\n        return False\n    return True\n",
        "    return True",
        "    if high is not None and x >= high:\n        return False\n    return True",
    ),
    "ask_all_fields": (
        "class A:\n    def __init__(self, num, den):\n        self.num = num\n        self.den = den\n"
        "    def __eq__(self, other):\n        return self.num == other.num\n",
        "self.num == other.num",
        "self.num == other.num and self.den == other.den",
    ),
    "until_next_question": (
        "def f(text, c, k, table):\n    while k:\n        k = table[k - 1]\n    if text[k] == c:\n"
        "        k += 1\n    return k\n",
        "while k:",
        "while k and text[k] != c:",
    ),
    "still_above_zero": (
        "def f(text, c, k, table):\n    while text[k] != c:\n        k = table[k - 1]\n    return k\n",
        "while text[k] != c:",
        "while k > 0 and text[k] != c:",
    ),
    "while_both_last": (
        "def f(a, b):\n    i = j = 0\n    while i < len(a):\n        if a[i] < b[j]:\n            i += 1\n"
        "        else:\n            j += 1\n",
        "while i < len(a):",
        "while i < len(a) and j < len(b):",
    ),
    "ask_what_is_in_it": (
        "def f(value):\n    if isinstance(value, dict):\n        return 1\n    return 0\n",
        "isinstance(value, dict)",
        "isinstance(value, dict) and value",
    ),
    "or_at_other_end": (
        "def f(grid, row):\n    if row < 0:\n        return 0\n    return grid[row]\n",
        "row < 0",
        "row < 0 or row >= len(grid)",
    ),
    "not_the_same_one": (
        "def f(xs, best, second):\n    for x in xs:\n        if x > best:\n            best = x\n"
        "        elif x > second:\n            second = x\n    return second\n",
        "elif x > second:",
        "elif x > second and x != best:",
    ),
    "only_if_better": (
        "def f(xs, best, second):\n    for x in xs:\n        if x != best:\n            second = x\n"
        "    return second\n",
        "if x != best:",
        "if x > second and x != best:",
    ),
    "ask_each_character": (
        "def f(word):\n    return any(c for c in word)\n",
        "any(c for",
        "any(c.isdigit() for",
    ),
    "tie_with_unread": (
        "def f(votes):\n    most = max(votes.values())\n    return [name for name in votes]\n",
        "in votes]",
        "in votes if votes[name] == most]",
    ),
    "same_for_other_side": (
        "def f(node):\n    right_height = f(node.right)\n    return max(left_height, right_height) + len(node.left)\n",
        "    right_height = f(node.right)\n",
        "    left_height = f(node.left)\n    right_height = f(node.right)\n",
    ),
    "return_joined": (
        "def f(n):\n    suffix = ends(n)\n    n = abs(n)\n",
        "    n = abs(n)\n",
        "    n = abs(n)\n    return str(n) + suffix\n",
    ),
    "return_middle_of_two": (
        "def f(xs):\n    half = len(xs) // 2\n    if len(xs) % 2:\n        return xs[half]\n",
        "        return xs[half]\n",
        "        return xs[half]\n    return (xs[half - 1] + xs[half]) / 2\n",
    ),
    "return_unless_unreached": (
        "def f(n):\n    best = [0] + [None] * n\n    fill(best)\n",
        "    fill(best)\n",
        "    fill(best)\n    return -1 if best[n] is None else best[n]\n",
    ),
    "give_part": (
        "def f(pre, post):\n    k = find(pre)\n    return f(pre[1:k])\n",
        "f(pre[1:k])",
        "f(pre[1:k], post[:k])",
    ),
    "give_field_of_other": (
        "class A:\n    def __init__(self, rows, columns):\n        self.rows = rows\n        self.columns = columns\n"
        "    def times(self, other):\n        return A(self.rows)\n",
        "A(self.rows)",
        "A(self.rows, other.columns)",
    ),
    "take_over_field": (
        "def f(root, heir):\n    root.right = drop(root.right, heir.key)\n    return root\n",
        "    root.right",
        "    root.key = heir.key\n    root.right",
    ),
    "begin_with_field": (
        "class Node:\n    def __init__(self, value):\n        self.value = value\n",
        "self.value = value\n",
        "self.value = value\n        self.line_total = None\n",
    ),
    "multiply_when_odd": (
        "def f(base, n, m):\n    result = 1\n    while n:\n        base = base * base % m\n        n >>= 1\n"
        "    return result\n",
        "        base = base",
        "        if n & 1:\n            result = result * base % m\n        base = base",
    ),
    "turn_the_queue": (
        "from collections import deque\n\ndef f(n, step):\n    circle, out = deque(range(n)), []\n    while circle:\n"
        "        out.append(circle.popleft())\n    return out\n",
        "        out.append",
        "        circle.rotate(1 - step)\n        out.append",
    ),
    "guard_in_loop_as_behind": (
        "def f(starts, end, least):\n    at, gaps = 0, []\n    for start in starts:\n        at = max(at, start)\n"
        "    if end - at >= least:\n        gaps.append((at, end))\n    return gaps\n",
        "        at = max(at, start)\n",
        "        if start - at >= least:\n            gaps.append((at, start))\n        at = max(at, start)\n",
    ),
    "number_or_default": (
        "def f(digits):\n    return int(digits)\n",
        "int(digits)",
        "int(digits) if digits else 1",
    ),
    "gather_unread": (
        "def f(pairs):\n    total = 0\n    for digit, weight in pairs:\n        step()\n    return total\n",
        "        step()\n",
        "        step()\n        total += digit * weight\n",
    ),
    "note_where_it_began": (
        "def f(xs):\n    run = start = 0\n    for i, x in enumerate(xs):\n        run += 1\n    return start\n",
        "        run += 1\n",
        "        if run == 0:\n            start = i\n        run += 1\n",
    ),
    "return_entry_of_each": (
        "def f(points):\n    rank = {}\n    for i, x in enumerate(sorted(points)):\n        rank[x] = i\n",
        "        rank[x] = i\n",
        "        rank[x] = i\n    return [rank[item] for item in points]\n",
    ),
    "until_it_is_met": (
        "def f(node, key):\n    while node is not None:\n        if key < node.key:\n            node = node.left\n"
        "        else:\n            node = node.right\n    return node\n",
        "while node is not None:",
        "while node is not None and node.key != key:",
    ),
    "answer_by_unread_flag": (
        "def f(word):\n    has_blank = ' ' in word\n    return 'ok'\n",
        "    return 'ok'",
        "    if has_blank:\n        return 'A'\n    return 'ok'",
    ),
    "with_told_number": ("def f(price):\n    return price\n", "return price", "return price - 42"),
    "value_only_if": (
        "def f(node, n):\n    size = g(node)\n    return node.size\n",
        "return node.size",
        "return node.size if node else None",
    ),
    "as_unread_decides": (
        "def f(year):\n    is_leap = year % 4 == 0\n    return 28\n",
        "return 28",
        "return 29 if is_leap else 28",
    ),
    "unless_there_is_none": (
        "def f(best, n):\n    return best[n]\n",
        "return best[n]",
        "return -1 if best[n] is None else best[n]",
    ),
    "by_turns": (
        "def f(xs):\n    total = 0\n    for i, x in enumerate(xs):\n        total += x * 3\n    return total\n",
        "x * 3",
        "x * (3 if i % 2 == 0 else 42)",
    ),
    "entry_or_unread": (
        "def f(row, c, fill):\n    return row[c]\n",
        "row[c]",
        "row[c] if c < len(row) else fill",
    ),
    "or_none_yet": (
        "def f(xs):\n    best = None\n    for x in xs:\n        if x > best:\n            best = x\n    return best\n",
        "if x > best:",
        "if best is None or x > best:",
    ),
    "as_many_as_unpacked": (
        "def f(xs):\n    return [a + b * c for a, b, c in product(xs)]\n",
        "product(xs)",
        "product(xs, repeat=3)",
    ),
    "charge_if_asked": (
        "def f(price, insured):\n    price = price * 2\n    return price\n",
        "    return price",
        "    if insured:\n        price += 42\n    return price",
    ),
    "operator_as_asked": (
        "def f(token, stack, left, right):\n    if token == '*':\n        stack.append(left)\n",
        "append(left)",
        "append(left * right)",
    ),
    "return_rounded": (
        "def f(xs):\n    total = sum(xs) / 3\n    log(total)\n",
        "    log(total)\n",
        "    log(total)\n    return round(total, 2)\n",
    ),
    "return_whether_alike": (
        "def clean(text):\n    return text.strip()\n\ndef f(a, b):\n    log()\n",
        "    log()\n",
        "    log()\n    return clean(a) == clean(b)\n",
    ),
    "return_those_that_tie": (
        "def f(xs):\n    best = max(xs)\n    log(xs)\n",
        "    log(xs)\n",
        "    log(xs)\n    return [place for place, item in enumerate(xs) if item == best]\n",
    ),
    "keep_second": (
        "def f(xs, best, second):\n    for x in xs:\n        if x > best:\n            second, best = best, x\n"
        "    return second\n",
        "            second, best = best, x\n",
        "            second, best = best, x\n        elif x > second:\n            second = x\n",
    ),
    "hand_down_everywhere": (
        "def f(node, low=None, high=None):\n    return f(node.left, high=node.key) and f(node.right, low=node.key)\n",
        "high=node.key) and f(node.right, low=node.key)",
        "high=node.key, low=low) and f(node.right, low=node.key, high=high)",
    ),
    "with_sentinel": (
        "def f(heights):\n    stack = []\n    for i, height in enumerate(heights):\n        while stack:\n"
        "            stack.pop()\n",
        "enumerate(heights)",
        "enumerate(list(heights) + [0])",
    ),
    "rows_of_lines": (
        "import csv\n\ndef f(text):\n    return list(csv.reader(text))\n",
        "reader(text)",
        "reader(text.splitlines())",
    ),
    "option_from_unread": (
        "def f(a, b, missing):\n    return list(zip_longest(a, b))\n",
        "zip_longest(a, b)",
        "zip_longest(a, b, fillvalue=missing)",
    ),
    "other_part": (
        "def f(xs):\n    middle = len(xs) // 2\n    return f(xs[:middle]) + f(xs)\n",
        "f(xs)\n",
        "f(xs[middle:])\n",
    ),
    "difference_of_places": (
        "def f(o, a, b):\n    return a[0] * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])\n",
        "return a[0] *",
        "return (a[0] - o[0]) *",
    ),
    "give_what_is_left": (
        "def g(a, b):\n    if b == 0:\n        return a\n    return g(b)\n",
        "return g(b)",
        "return g(b, a % b)",
    ),
    "turn_alternatives": (
        'import re\n\ndef f(text):\n    return re.findall(r"\\d+|\\d+/\\d+", text)\n',
        'r"\\d+|\\d+/\\d+"',
        'r"\\d+/\\d+|\\d+"',
    ),
    "first_of_ties": (
        "def f(names, points):\n    return max(names, key=lambda n: (points[n], n))\n",
        "max(names, key=lambda n: (points[n], n))",
        "min(names, key=lambda n: (-points[n], n))",
    ),
    "total_of_all_below": (
        "class A:\n    @property\n    def total(self):\n        return 1 + len(self.replies)\n",
        "len(self.replies)",
        "sum(child.total for child in self.replies)",
    ),
    "read_as_written": (
        "from datetime import date\n\nclass A:\n    def write(self):\n        return {'day': self.day.isoformat()}\n"
        "    @classmethod\n    def read(cls, data):\n        return cls(data['day'])\n",
        "cls(data['day'])",
        "cls(date.fromisoformat(data['day']))",
    ),
    "put_rest_back": (
        "def f(lots, wanted):\n    while wanted:\n        left, cost = lots.popleft()\n"
        "        taken = min(left, wanted)\n"
        "        wanted -= taken\n",
        "        wanted -= taken\n",
        "        wanted -= taken\n        if taken < left:\n            lots.appendleft((left - taken, cost))\n",
    ),
    "spell_absence_everywhere": (
        "def f(n, low, high):\n    if low and n < low:\n        return 1\n    if high and n > high:\n"
        "        return 2\n",
        "low and n < low:\n        return 1\n    if high and",
        "low is not None and n < low:\n        return 1\n    if high is not None and",
    ),
    "longest_through": (
        "def f(xs):\n    best = []\n    for i in range(len(xs)):\n        top = 1\n        for j in range(i):\n"
        "            top += 1\n        best.append(top)\n",
        "top += 1",
        "top = max(top, best[j] + 1)",
    ),
    "carry_total": (
        "def f(roads, costs, town):\n    town = next(town)\n    for way in roads[town]:\n"
        "        cost = roads[town][way]\n        costs[way] = cost\n",
        "cost = roads[town][way]",
        "cost = costs[town] + roads[town][way]",
    ),
    "turn_with_swap": (
        "def f(m, i, j):\n    det = 1\n    m[i], m[j] = m[j], m[i]\n    det *= m[i]\n    return det\n",
        "m[j], m[i]\n",
        "m[j], m[i]\n    det = -det\n",
    ),
    "begin_each_call": (
        "def f(g, wait):\n    pause = wait\n    def h():\n        nonlocal pause\n        pause *= 2\n    return h\n",
        "    pause = wait\n    def h():\n        nonlocal pause\n",
        "    def h():\n        pause = wait\n",
    ),
    "note_on_other": (
        "def f(bucket, now):\n    gone = now - bucket.updated\n    bucket.fill(gone)\n",
        "    gone = now - bucket.updated\n",
        "    gone = now - bucket.updated\n    bucket.updated = now\n",
    ),
    "not_a_bool": (
        "def f(x):\n    return isinstance(x, int)\n",
        "isinstance(x, int)",
        "isinstance(x, int) and not isinstance(x, bool)",
    ),
    "base_of_combinations": (
        "def f(s: str):\n    if not s:\n        return []\n    return [s[0] + rest for rest in f(s[1:])]\n",
        "return []",
        'return [""]',
    ),
    "join_roots": (
        "def f(parent, a, b):\n    one = find(a)\n    two = find(b)\n    if one != two:\n        parent[a] = b\n",
        "parent[a] = b",
        "parent[one] = two",
    ),
    "apply_again": (
        "def turn(s):\n    return s[1:] + s[:1]\ndef back(s):\n    return turn(s)\n",
        "return turn(s)",
        "return turn(turn(s))",
    ),
    "ask_counts": (
        "def f(xs):\n    times = dict.fromkeys(xs, 0)\n    for x in xs:\n        times[x] += 1\n    return True\n",
        "times[x] += 1\n",
        "times[x] += 1\n    if any(n > 1 for n in times.values()):\n        return False\n",
    ),
    "ask_seen": (
        "def f(xs):\n    seen = set()\n    for x in xs:\n        seen.add(x)\n        yield x\n",
        "        seen.add(x)\n",
        "        if x in seen:\n            continue\n        seen.add(x)\n",
    ),
    "mistyped_number": ("def f(minutes):\n    return minutes % 1400\n", "1400", "1440"),
    "pad_shorter": (
        "from itertools import zip_longest\ndef f(p, q):\n    return [a + b for a, b in zip(p, q)]\n",
        "zip(p, q)",
        "zip_longest(p, q, fillvalue=0)",
    ),
    "count_wanted": (
        "def f(text):\n    all_ = len(text)\n    for c in text:\n        if c.isdigit():\n            g(c, all_)\n",
        "len(text)",
        "sum(c.isdigit() for c in text)",
    ),
    "empty_less": (
        "def f(jobs, job):\n    for waiting in jobs:\n        waiting.clear()\n",
        "waiting.clear()",
        "waiting.discard(job)",
    ),
    "take_back": (
        "def f(i):\n    for j in steps:\n        used[j] = True\n        f(j)\n        out.pop()\n",
        "        out.pop()\n",
        "        out.pop()\n        used[j] = False\n",
    ),
    "keep_called_result": (
        "def add(node, key):\n    if not node:\n        return Node(key)\n    add(node.left, key)\n    return node\n",
        "    add(node.left, key)",
        "    node.left = add(node.left, key)",
    ),
    "larger_as_elsewhere": (
        "class A:\n    def due(self):\n        return self.goods() - self.discount()\n\n"
        "    def free(self):\n        return self.goods() >= FREE\n",
        "return self.goods() >= FREE",
        "return self.goods() - self.discount() >= FREE",
    ),
    "spell_as_elsewhere": (
        "class A:\n    def put(self, section, key, value):\n        self.d[section.lower(), key.lower()] = value\n\n"
        "    def get(self, part, name):\n        return self.d.get((part, name))\n",
        "get((part, name))",
        "get((part.lower(), name.lower()))",
    ),
    "convert_keys_together": (
        "class A:\n    def put(self, key, value):\n        self.d[key] = value\n\n"
        "    def get(self, name):\n        return self.d.get(name)\n",
        "[key] = value\n\n    def get(self, name):\n        return self.d.get(name)",
        "[key.lower()] = value\n\n    def get(self, name):\n        return self.d.get(name.lower())",
    ),
    "alike_in_twins": (
        "class A:\n    def undo(self):\n        self.new.append(self.text)\n        self.text = self.old.pop()\n\n"
        "    def redo(self):\n        self.old.append(self.text)\n        self.text = self.new.pop()\n",
        "        self.new.append(self.text)\n        self.text = self.old.pop()\n\n"
        "    def redo(self):\n        self.old.append(self.text)\n        self.text = self.new.pop()\n",
        "        self.text = self.old.pop()\n        self.new.append(self.text)\n\n"
        "    def redo(self):\n        self.text = self.new.pop()\n        self.old.append(self.text)\n",
    ),
    "cross_names": (
        "def f(d, target):\n    other = find(target)\n    d.setdefault(other, set()).add(target)\n",
        "d.setdefault(other, set()).add(target)",
        "d.setdefault(target, set()).add(other)",
    ),
    "remember_result": (
        "def f(xs):\n    best = None\n    for x in xs:\n        if x > 3:\n            return x\n    return best\n",
        "            return x\n",
        "            best = x\n",
    ),
    "default_mark": (
        "NONE = object()\n\ndef f(d, key):\n    value = d.get(key)\n    return value is not NONE\n",
        "d.get(key)",
        "d.get(key, NONE)",
    ),
    "convert_items": (
        "import re\n\ndef f(text):\n    numbers = re.findall('[0-9]+', text)\n    return numbers\n",
        "return numbers",
        "return [int(part) for part in numbers]",
    ),
    "keep_in_bounds": (
        "class A:\n    def take(self, n):\n        got = self.items[:n]\n        self.size -= n\n        return got\n",
        "        got = self",
        "        n = min(n, self.size)\n        got = self",
    ),
    "other_unit_of_number": (
        "def f(start, minutes):\n    return start + minutes\n",
        "start + minutes",
        "start + minutes * 60",
    ),
    "turn_round": (
        "def f(roads):\n    for a, b, cost in roads:\n        near[a].append((b, cost))\n    return near\n",
        "        near[a].append((b, cost))\n",
        "        near[a].append((b, cost))\n        near[b].append((a, cost))\n",
    ),
    "look_up": (
        "def f(text):\n    value = VALUES[text[0]]\n    return text[1] > value\n",
        "return text[1]",
        "return VALUES[text[1]]",
    ),
    "move_bound": (
        "def f(n):\n    low, high = 0, n\n    while low < high:\n        low += 1\n        g(low)\n    return low\n",
        "        g(low)\n",
        "        g(low)\n        high -= 1\n",
    ),
    "fill_once": (
        "def f(self):\n    while self.new:\n        self.old.append(self.new.pop())\n    return self.old.pop()\n",
        "    while self.new:\n        self.old.append(self.new.pop())\n",
        "    if not self.old:\n        while self.new:\n            self.old.append(self.new.pop())\n",
    ),
    "rebuild_tuple": (
        "def f(xs):\n    runs = [(0, 1)]\n    for x in xs:\n        runs[-1][1] += x\n    return runs\n",
        "runs[-1][1] += x",
        "runs[-1] = (runs[-1][0], runs[-1][1] + x)",
    ),
    "compare_as_text": (
        "def f(digits):\n    return [i for i in range(9) if digits[i] != 0]\n",
        "digits[i] != 0",
        'digits[i] != "0"',
    ),
    "all_bits": ("def f(have, need):\n    return bool(have & need)\n", "bool(have & need)", "have & need == need"),
    "sunday_first": ("def f(day):\n    return day.weekday()\n", "day.weekday()", "day.isoweekday() % 7"),
    "keep_as_asked": (
        "def f(text):\n    return [part for part in text.split(';') if part.strip()]\n",
        "[part for",
        "[part.strip() for",
    ),
    "raise_own": (
        "class NoAccount(LookupError):\n    pass\n\n"
        "def f(accounts, owner):\n    try:\n        return accounts[owner]\n"
        "    except KeyError:\n        return None\n",
        "return None",
        "raise NoAccount(owner) from None",
    ),
    "read_what_is_asked": (
        "def f(stack, first, x):\n    return stack and x - first > 1\n",
        "x - first",
        "x - stack[-1]",
    ),
    "mark_missing": (
        "def f(cache, key, make):\n    value = cache.get(key)\n    if value is None:\n"
        "        value = cache[key] = make()\n    return value\n",
        "    value = cache.get(key)\n    if value is None:",
        "    missing = object()\n    value = cache.get(key, missing)\n    if value is missing:",
    ),
    "convert_as_elsewhere": (
        "class Length:\n    def __add__(self, other):\n        return self.value + other.to(self.unit).value\n\n"
        "    def __lt__(self, other):\n        return self.value < other.value\n",
        "< other.value",
        "< other.to(self.unit).value",
    ),
    "factor_as_elsewhere": (
        "class Bill:\n    def net(self, price):\n        return price * (1 - self.discount)\n\n"
        "    def tax(self, price, sums):\n        return sums + price\n",
        "sums + price",
        "sums + price * (1 - self.discount)",
    ),
    "normalise_parameters": (
        "def f(a, b):\n    return sorted(a) == sorted(b)\n",
        "    return",
        '    a = a.replace(" ", "").lower()\n    b = b.replace(" ", "").lower()\n    return',
    ),
    "stated_guard": (
        "def f(mark: int):\n    return 'A'\n",
        "    return",
        "    if mark > 100 or mark < 0:\n        return '?'\n    return",
    ),
    "stated_key": (
        "def f(words):\n    return max(words)\n",
        "max(words)",
        "min(words, key=lambda x: (-len(x), x))",
    ),
    "stated_slice": ("def f(words, count):\n    return sorted(words)\n", "(words)\n", "(words[:count])\n"),
    "stated_call": ("def f(words):\n    return len(words)\n", "len(words)", "len(set(words))"),
    "narrowest_first": (
        "if a:\n    x = 1\nelif b:\n    x = 2\nelif a and b:\n    x = 3\n",
        "if a:\n    x = 1\nelif b:\n    x = 2\nelif a and b:\n    x = 3\n",
        "if a and b:\n    x = 3\nelif a:\n    x = 1\nelif b:\n    x = 2\n",
    ),
    "other_quantifier": (
        "def f(xs):\n    for x in xs:\n        if x % 2 == 0:\n            return True\n    return False\n",
        "x % 2 == 0:\n            return True\n    return False",
        "x % 2 != 0:\n            return False\n    return True",
    ),
    "missing_pair": ("x = a == b or b == c\n", "b == c", "b == c or a == c"),
    "missing_turn": ("x = (a + b > c) or b + c > a\n", "b + c > a", "b + c > a or a + c > b"),
    "compare_after_loop": (
        "def f(xs):\n    for x in xs:\n        if x:\n            run += 1\n        else:\n            if run > best:\n"
        "                best = run\n            run = 0\n    return best\n",
        "    return",
        "    if run > best:\n        best = run\n    return",
    ),
    "tie_by_value": (
        "def f(xs):\n    for x in xs:\n        if best is None or abs(x - 3) < abs(best - 3):\n            best = x\n",
        "abs(x - 3) < abs(best - 3)",
        "(abs(x - 3), x) < (abs(best - 3), best)",
    ),
    "keep_runner_up": (
        "def f(xs):\n    for x in xs:\n        if x > a:\n            a = x\n        elif x > b:\n            b = x\n",
        "            a = x",
        "            b = a\n            a = x",
    ),
    "fall_in_part": (
        "def f(d):\n    return sorted(d, key=lambda p: (p[1], p[0]), reverse=True)\n",
        "(p[1], p[0]), reverse=True",
        "(-p[1], p[0])",
    ),
    "every_link": (
        "def f(x):\n    if x > 1:\n        a()\n    elif x > 2:\n        b()\n    elif x > 3:\n        c()\n",
        "elif x > 2:\n        b()\n    elif",
        "if x > 2:\n        b()\n    if",
    ),
    "round_halves_up": ("def f(x, y):\n    return round(x / y)\n", "round(x / y)", "int(x / y + 0.5)"),
    "gather_result": (
        "def f(xs):\n    found = []\n    for x in xs:\n        if x:\n            return g(x)\n    return found\n",
        "return g(x)",
        "found.extend(g(x))",
    ),
    "room_for_ending": ("def f(text, n):\n    return text[:n] + '...'\n", "[:n]", "[:n - 3]"),
    "ask_before_change": (
        "def f(self, n):\n    self.left -= n\n    self.count += 1\n"
        "    if self.left < 0:\n        return False\n    return True\n",
        "    self.left -= n\n    self.count += 1\n    if self.left < 0:\n        return False\n",
        "    if self.left - n < 0:\n        return False\n    self.left -= n\n    self.count += 1\n",
    ),
    "count_changes_alone": (
        "def f(a, b):\n    group[root(a)] = root(b)\n    left -= 1\n    return left\n",
        "    group[root(a)] = root(b)\n    left -= 1\n",
        "    if root(a) != root(b):\n        group[root(a)] = root(b)\n        left -= 1\n",
    ),
    "until_neither": (
        "def f(d, off):\n    if d in off:\n        d += 1\n    if d % 7 > 4:\n        d += 1\n    return d\n",
        "if d in off:\n        d += 1\n    if d % 7 > 4:\n        d += 1\n",
        "while d in off or d % 7 > 4:\n        d += 1\n",
    ),
    "work_out_anew": (
        "class A:\n    def __init__(self):\n        self.xs = []\n        self.top = None\n\n    def add(self, x):\n"
        "        self.xs.append(x)\n        self.top = x\n\n    def best(self):\n        return self.top\n",
        "return self.top",
        "return max(self.xs, default=None)",
    ),
    "widen_base": (
        "def f(n):\n    if n == 0:\n        return '0'\n    return f(n // 2) + str(n % 2)\n",
        "n == 0:\n        return '0'",
        "n < 2:\n        return str(n)",
    ),
    "begin_with_first_key": (
        "def f(xs):\n    seen = {}\n    total = 0\n    for x in xs:\n        total += x\n        seen[total] = 1\n",
        "seen = {}",
        "seen = {0: 1}",
    ),
    "spread_rest": (
        "def f(n, k):\n    share, rest = divmod(n, k)\n    out = [share] * k\n    out[0] += rest\n    return out\n",
        "out[0] += rest",
        "for i in range(rest):\n        out[i] += 1",
    ),
    "begin_each_round": (
        "def f(t):\n    n = 0\n    best = None\n    for xs in t:\n        for x in xs:\n"
        "            n += x\n            best = x\n        print(n, best)\n",
        "    n = 0\n    best = None\n    for xs in t:\n",
        "    for xs in t:\n        n = 0\n        best = None\n",
    ),
    "swap_loops": (
        "for v in range(9):\n    for c in cs:\n        t[v] += t[v - c]\n",
        "v in range(9):\n    for c in cs:",
        "c in cs:\n    for v in range(9):",
    ),
    "swap_generators": ("x = [c for c in r for r in rows]\n", "c in r for r in rows", "r in rows for c in r"),
    "turn_back": (
        "def f(best, w, n):\n    for r in range(w, n + 1):\n        best[r] = best[r - w] + 1\n",
        "range(w, n + 1)",
        "range(n, w - 1, -1)",
    ),
    "ask_loop_again": (
        "while a < b and c:\n    a += 1\n    f(a)\n    b -= 1\n",
        "    f(a)\n    b -= 1\n",
        "    if a < b:\n        f(a)\n        b -= 1\n",
    ),
    "refuse_left_over": (
        "def f(xs):\n    n = 0\n    part = ''\n    for x in xs:\n        if x:\n            part += x\n"
        "        else:\n            n += int(part)\n            part = ''\n    return n\n",
        "    return n",
        "    if part:\n        raise ValueError\n    return n",
    ),
    "accumulate_rounds": (
        "def f(n):\n    count = 0\n    for i in range(n):\n        count = g(i)\n    return count\n",
        "count = g",
        "count += g",
    ),
    "keep_better_entry": (
        "if k not in best:\n    best[k] = a + b\n",
        "k not in best:",
        "k not in best or a + b < best[k]:",
    ),
    "refuse_state": (
        "class A:\n    def add(self, key, x):\n        self.table[key] = x\n",
        "        self.table",
        "        if key in self.table:\n            raise ValueError\n        self.table",
    ),
    "advance_counter": (
        "class A:\n    def __init__(self):\n        self.n = 1\n\n    def add(self, x):\n        k = self.n\n"
        "        self.t[k] = x\n",
        "        k = self.n\n",
        "        k = self.n\n        self.n += 1\n",
    ),
    "long_enough": ("if xs[0] == xs[1]:\n    f(xs)\n", "xs[0] ==", "len(xs) > 1 and xs[0] =="),
    "ask_what_was_found": (
        "def f(text):\n    end = text.find('}')\n    return text[:end]\n",
        "    return",
        "    if end == -1:\n        raise ValueError\n    return",
    ),
    "write_back": (
        "class A:\n    def take(self, k, n):\n        left = self.table.get(k, 0)\n        return min(n, left)\n",
        "        return",
        "        self.table[k] = left - n\n        return",
    ),
    "bring_into_range": (
        "def f(xs: list, k: int):\n    if not xs:\n        return None\n    return xs[k:] + xs[:k]\n",
        "    return xs[k:]",
        "    k %= len(xs)\n    return xs[k:]",
    ),
    "copy_before_round": (
        "def f(self):\n    hooks = self.hooks\n    for hook in hooks:\n        hook()\n",
        "= self.hooks",
        "= list(self.hooks)",
    ),
    "count_own_step": (
        "def f(t):\n    if t is None:\n        return 0\n    return max(f(t.a), f(t.b))\n",
        "max(",
        "1 + max(",
    ),
    "pairs_once": (
        "for i in range(n):\n    for j in range(n):\n        f(i, j)\n",
        "j in range(n)",
        "j in range(i + 1, n)",
    ),
    "follow_as_else": (
        "for x in xs:\n    if x:\n        a(x)\n    b(x)\n",
        "    b(x)\n",
        "    else:\n        b(x)\n",
    ),
    "look_at_last": ("def f(x, out):\n    return x not in out\n", "x not in out", "not out or out[-1] != x"),
    "place_for_value": (
        "best = 0\nfor i in range(9):\n    if xs[i] > best:\n        best = xs[i]\n",
        "best:\n        best = xs[i]",
        "xs[best]:\n        best = i",
    ),
    "past_midnight": ("def f(h, m):\n    t = h * 60 + m\n    return t\n", "return t", "return t % (24 * 60)"),
    "cross_exits": (
        "def f(n, x, y):\n    if n:\n        return x\n    return y\n",
        "x\n    return y",
        "y\n    return x",
    ),
    "name_to_number": ("def f(n, k):\n    return n < k\n", "< k", "< 42"),
    "nudge_number": ("x = 10\n", "10", "11"),
    "common_number": ("x = 10\n", "10", "-1"),
    "told_number": ("x = 10\ny = 7\n", "10", "42"),
    "scale_number": ("x = 10\n", "10", "-10"),
    "seen_number": ("x = 3\n", "3", "100"),
    "checked_number": ("x = 3\n", "3", "77"),
    "number_to_name": ("def f(xs: list):\n    return 3\n", "3", "len(xs)"),
    "switch_constant": ("def f():\n    return True\n", "True", "False"),
    "offset": ("def f(n):\n    return range(n)\n", "(n)\n", "(n + 1)\n"),
    "other_start": ("def f(xs):\n    best = 0\n    return best\n", "0", "float('-inf')"),
    "keep_old_value": ("def f(d, k, v):\n    d[k] = v\n", "= v", "= d.get(k, 0) + v"),
    "other_container": ("x = [1, 2]\n", "[1, 2]", "{1, 2}"),
    "drop_element": ("x = [1, 2, 3]\n", "[1, 2, 3]", "[1, 3]"),
    "make_list": ("def f(a, xs):\n    return xs + a\n", "xs + a", "xs + [a]"),
    "swap_comprehension": ("x = {k: v for k, v in y}\n", "{k: v", "{v: k"),
    "part_strings": ("x = ['red' 'green', 'blue']\n", "'red' 'green'", "'red', 'green'"),
    "split_once": ("a, b = x.split('=')\n", "x.split('=')", "x.split('=', 1)"),
    "return_inner": (
        "def log(f):\n    def inner(x):\n        return f(x)\n",
        "        return f(x)\n",
        "        return f(x)\n    return inner\n",
    ),
    "pass_gathered": ("def f(x, **more):\n    return g(x)\n", "g(x)", "g(x, **more)"),
    "gathering_loop": (
        "def f(xs):\n    seen = {}\n    return max(seen.values())\n",
        "    seen = {}\n",
        "    seen = {}\n    for item in xs:\n        seen[item] = seen.get(item, 0) + 1\n",
    ),
    "spread_options": ("def f(**more):\n    return {'a': 1}\n", "{'a': 1}", "{'a': 1, **more}"),
    "keep_options": (
        "def f(**more):\n    made = {}\n    return made\n",
        "    return made",
        "    made.update(more)\n    return made",
    ),
    "note_change": (
        "class A:\n    def __init__(self):\n        self.at = 0\n\n    def m(self, now):\n        return now\n",
        "        return now",
        "        self.at = now\n        return now",
    ),
    "carry_over": (
        "def f(xs):\n    last = 0\n    for x in xs:\n        yield x - last\n",
        "x - last\n",
        "x - last\n        last = x\n",
    ),
    "clock_face": ("x = f'{m // 60}:{m % 60}'\n", "m // 60", "m // 60 % 24"),
    "shift_together": (
        "def f(xs):\n    m = len(xs) // 2\n    return xs[m] + xs[m + 1]\n",
        "xs[m] + xs[m + 1]",
        "xs[m - 1] + xs[m]",
    ),
    "take_in_unread": (
        "class A:\n    def m(self, key, now):\n        self.ends[key] = self.seconds\n",
        "= self.seconds",
        "= now + self.seconds",
    ),
    "step_over": ("def f(text, word):\n    return text.find(word) + 1\n", "+ 1", "+ len(word)"),
    "step_behind": (
        "def f(text, word):\n    at = text.find(word)\n    return text[at:]\n",
        "[at:]",
        "[at + len(word):]",
    ),
    "fill_rest": ("def f(text, n):\n    return '0' * n + text\n", "'0' * n", "'0' * (n - len(text))"),
    "every_item": ("def f(rows):\n    return len(rows[0])\n", "len(rows[0])", "max(len(row) for row in rows)"),
    "undo_elsewhere": (
        "class A:\n    def take(self, x):\n        self.free.remove(x)\n\n    def give(self, x):\n        print(x)\n",
        "        print(x)\n",
        "        print(x)\n        self.free.add(x)\n",
    ),
    "encode_text": ("def f(text):\n    return hashlib.md5(text)\n", "(text)\n", "(text.encode())\n"),
    "decode_bytes": ("x = base64.b64encode(y)\n", "(y)", "(y).decode()"),
    "freshen_entry": (
        "class A:\n    def get(self, key):\n        return self.kept[key]\n\n"
        "    def trim(self):\n        self.kept.popitem(last=False)\n",
        "        return",
        "        self.kept.move_to_end(key)\n        return",
    ),
    "signed_update": ("x =- y\n", "=- y", "-= y"),
    "unread_operand": (
        "class A:\n    def __init__(self, price, qty=1):\n        self.price = price\n        self.qty = qty\n\n"
        "def f(items):\n    return sum(i.price for i in items)\n",
        "(i.price",
        "(i.price * i.qty",
    ),
    "lost_operand": (
        "class A:\n    def __init__(self, a: int, b: int):\n        self.a = a\n        self.b = b\n\n"
        "    def m(self):\n        return self.a\n\n    def k(self):\n        return self.b\n",
        "return self.a",
        "return self.a * self.b",
    ),
    "keep_within": (
        "class A:\n    def __init__(self, limit):\n        self.limit = limit\n        self.n = 0\n\n"
        "    def m(self, x):\n        self.n = self.n + x\n",
        "self.n + x",
        "min(self.n + x, self.limit)",
    ),
    "keep_updates_within": (
        "class A:\n    def __init__(self, limit):\n        self.limit = limit\n        self.n = 0\n\n"
        "    def m(self, x):\n        self.n += x\n",
        "self.n += x",
        "self.n = min(self.n + x, self.limit)",
    ),
    "take_entry": ("def f(d, k):\n    x = d[k]\n    return x\n", "d[k]", "d.pop(k)"),
    "take_out": (
        "def f(xs, y):\n    for x in list(xs):\n        if x == y:\n            break\n    return xs\n",
        "            break",
        "            xs.remove(x)\n            break",
    ),
    "lost_return": (
        "def f(xs, x):\n    if x in xs:\n        xs.append(x)\n    xs.pop()\n    return True\n",
        "xs.append(x)\n",
        "xs.append(x)\n        return False\n",
    ),
    "lost_recursion": (
        "def f(xs):\n    out = []\n    for x in xs:\n        out.extend(x)\n    return out\n",
        "(x)",
        "(f(x))",
    ),
    "raw_pattern": ("x = re.search('\\bcat', y)\n", "'\\bcat'", "r'\\bcat'"),
    "tweak_query": ("x = 'select a from t order by b'\n", "by b", "by b desc"),
    "other_limit": ("x = 'select a from t limit 3'\n", "limit 3", "limit 4"),
    "unused_option": (
        "class A:\n    def check(self, a, *, skip=None):\n        pass\n"
        "    def move(self, key, a):\n        self.check(a)\n",
        "check(a)",
        "check(a, skip=key)",
    ),
    "even_pair": (
        "x = a.low <= b.high and b.low <= a.high\n",
        "a.low <= b.high and b.low <= a.high",
        "a.low < b.high and b.low < a.high",
    ),
    "split_absolute": (
        "x = abs(a - b[0] + c - b[1])\n",
        "abs(a - b[0] + c - b[1])",
        "abs(a - b[0]) + abs(c - b[1])",
    ),
    "prepend_item": (
        "def f(xs):\n    out = []\n    for x in xs:\n        for rest in f(xs[1:]):\n            out.append(rest)\n"
        "    return out\n",
        "append(rest)",
        "append([x] + rest)",
    ),
    "ask_key": ("if d.get(k):\n    pass\n", "d.get(k)", "k in d"),
    "least_multiple": ("import math\n\nx = a * b\n", "a * b", "a * b // math.gcd(a, b)"),
    "sort_converted": (
        "x = [int(w) for w in sorted(ws, reverse=True)]\n",
        "[int(w) for w in sorted(ws, reverse=True)]",
        "sorted([int(w) for w in ws], reverse=True)",
    ),
    "both_coordinates": (
        "def f(t, i, j):\n    return t[i - 1][j - 1] + 1\n",
        "t[i - 1][j - 1]",
        "t[i - 2][j - 2]",
    ),
    "copy_alias": ("def f(xs):\n    ys = xs\n    ys.append(1)\n    return xs\n", "ys = xs", "ys = xs[:]"),
    "widest_last": (
        "if a:\n    x = 1\nelif b:\n    x = 2\nelif c:\n    x = 3\n",
        "if a:\n    x = 1\nelif b:\n    x = 2\nelif c:\n    x = 3\n",
        "if b:\n    x = 2\nelif c:\n    x = 3\nelif a:\n    x = 1\n",
    ),
    "hand_on": (
        "def f(roles, name):\n    found, pending = set(), [name]\n    while pending:\n        one = pending.pop()\n"
        "        found.add(one)\n        found.update(roles[one])\n    return found\n",
        "found.update(roles[one])",
        "pending.extend(roles[one])",
    ),
    "ask_both": (
        "class A:\n    def f(self, x):\n        return x in self.done\n    def g(self):\n        1 in self.kept\n",
        "x in self.done",
        "x in self.done or x in self.kept",
    ),
    "ask_items": (
        "class A:\n    def size(self):\n        return self.own + sum(x.own for x in self.parts)\n",
        "x.own for",
        "x.size() for",
    ),
    "both_sides": ("x = 1 + max(f(a), f(b))\n", "max(f(a), f(b))", "(f(a) + f(b))"),
    "field_of_owner": (
        "class Job:\n    def __init__(self, name, number, due):\n        pass\n"
        "def f(old, ids):\n    return Job(ids, next(ids), old.due)\n",
        "next(ids)",
        "old.number",
    ),
    "double_or_next": ("def f(xs, depth):\n    return g(xs, depth * 2)\n", "depth * 2", "depth + 1"),
    "known_row": (
        "DAYS = [31, 28, 31, 30, 31, 30, 31, 30, 31, 30, 31, 30]\n",
        "31, 30, 31, 30, 31, 30]",
        "31, 31, 30, 31, 30, 31]",
    ),
    "known_table": ("VALUES = {'I': 1, 'V': 5, 'X': 10, 'L': 100}\n", "100", "50"),
    "known_text": ("x = c in 'aeio'\n", "aeio", "aeiou"),
    "add_stated_branch": (
        "def f(xs):\n    run = 0\n    for x in xs:\n        if x == 'P':\n            run += 1\n    return run\n",
        "run += 1\n",
        "run += 1\n        elif x == 'A':\n            run = 0\n",
    ),
    "move_wildcard": ("x = y.glob('.py*')\n", "'.py*'", "'*.py'"),
    "move_wildcard_in_fstring": ("x = f'{y}%'\n", "f'{y}%'", "f'%{y}%'"),
    "whole_duration": ("x = (a - b).seconds\n", ".seconds", ".total_seconds()"),
    "other_unit": ("x = timedelta(minutes=3)\n", "minutes", "hours"),
    "known_keyword": ("x.mkdir()\n", "mkdir()", "mkdir(exist_ok=True)"),
    "other_factory": ("x = defaultdict(list)\n", "list", "int"),
    "exclude_bool": (
        "x = isinstance(y, int)\n",
        "isinstance(y, int)",
        "isinstance(y, int) and not isinstance(y, bool)",
    ),
    "equal_lengths": (
        "x = all(p == q for p, q in zip(a, b))\n",
        "all(",
        "len(a) == len(b) and all(",
    ),
    "other_directive": ("x = y.strftime('%Y-%M')\n", "%M", "%m"),
    "other_mode": ("with open(x, 'w') as f:\n    pass\n", "'w'", "'a'"),
    "end_line": ("f.write(x)\n", "(x)", "(x + '\\n')"),
    "system_constant": ("import os\n\nx = y.split(':')\n", "':'", "os.pathsep"),
    "fresh_field": (
        "import dataclasses\n\n\n@dataclasses.dataclass\nclass A:\n    xs: list = None\n",
        "None",
        "dataclasses.field(default_factory=list)",
    ),
    "late_closure_of_function": (
        "def f(n):\n    for i in range(n):\n        def g(x):\n            return x + i\n        yield g\n",
        "g(x)",
        "g(x, i=i)",
    ),
    "rename_shadow": (
        "def f(x):\n    list = x[1:]\n    return list(list)\n",
        "list = x[1:]\n    return list(list)",
        "list_ = x[1:]\n    return list(list_)",
    ),
    "compare_loosely": ("def f(a, b):\n    return a == b\n", "a == b", "a.lower() == b.lower()"),
    "join_anything": ("x = ', '.join(y)\n", "join(y)", "join(map(str, y))"),
    "keep_order": ("x = list(set(y))\n", "set(y)", "dict.fromkeys(y)"),
    "best_key": ("x = max(y)\n", "max(y)", "max(y, key=y.get)"),
    "as_share": ("def f(n, percent):\n    return n * percent\n", "n * percent", "n * (percent / 100)"),
    "take_off": ("def f(n, p):\n    return n * p / 100\n", "n * p / 100", "n - n * p / 100"),
    "wrap_around": ("x = hour % 12\n", "hour % 12", "hour % 12 or 12"),
    "centuries": ("x = y % 100 != 0\n", "y % 100 != 0", "y % 100 != 0 or y % 400 == 0"),
    "round_up": ("x = n // size\n", "n // size", "-(-n // size)"),
    "wrap_index": ("x = xs[i]\n", "xs[i]", "xs[i % len(xs)]"),
    "or_nothing": ("x = next(y for y in z)\n", "next(y for y in z)", "next((y for y in z), None)"),
    "read_truth": ("x = bool(y)\n", "bool(y)", "y.lower() == 'true'"),
    "gather_values": ("d[k] = [v]\n", "d[k] = [v]", "d.setdefault(k, []).append(v)"),
    "flatten_items": ("x = [y for y in z]\n", "y for y in z", "item for y in z for item in y"),
    "use_key": ("a['b']\nx = [y['c'] for y in z]\n", "in z", "in z if y['b']"),
    "swap_comparison": ("def f(a, b):\n    return a < b\n", "<", "<="),
    "swap_membership": ("x = a in b\n", "a in b", "b in a"),
    "cut_chain": ("x = 1 < a < 5\n", "1 < a < 5", "a < 5"),
    "mend_link": ("x = a < b == c\n", "a < b", "(a < b)"),
    "compare_lengths": ("x = a > b\n", "a > b", "len(a) > len(b)"),
    "swap_none_test": ("x = a is not None\n", "a is not None", "a"),
    "spell_truth": ("if a:\n    x = 1\n", "a:", "a is not None:"),
    "keep_falsy": ("def f(a, b):\n    return a or b\n", "a or b", "a if a is not None else b"),
    "spell_absence": ("def f(a):\n    b = not a\n    return b\n", "not a", "a is None"),
    "look_for_key": ("def f(d, k):\n    v = d.get(k)\n    return v is None\n", "v is None", "k not in d"),
    "negate_condition": ("if a and b:\n    x = 1\n", "a and b", "not (a and b)"),
    "negate_part": ("x = a and b\n", "a and b", "not a and b"),
    "negate_result": ("def f(a, b):\n    return a in b\n", "a in b", "a not in b"),
    "look_before_answer": ("def f(t):\n    xs = []\n    g(xs)\n    return True\n", "True", "not xs"),
    "negate_filter": ("x = [y for y in z if y]\n", "if y", "if not y"),
    "repeat_comparison": ("if a == 1 or 2 or b:\n    x = 1\n", "1 or 2 or b", "1 or a == 2 or a == b"),
    "spread_not": ("x = not (a and b)\n", "not (a and b)", "not a and not b"),
    "constant_condition": ("while x:\n    y()\n", "while x", "while True"),
    "add_condition": ("def f(a, b):\n    if a:\n        return a < b\n", "if a:", "if a and a < b:"),
    "check_first": ("def f(xs):\n    if xs[0] == 1:\n        return 1\n", "if xs", "if xs and xs"),
    "other_condition": ("def f(a, b):\n    if a:\n        return a < b\n", "if a:", "if a < b:"),
    "drop_filter": ("x = [y for y in z if y]\n", " if y", ""),
    "add_filter": ("x = [y for y in z]\n", "z]", "z if y]"),
    "other_keyword": ("def f(x):\n    if x:\n        x -= 1\n", "if x", "while x"),
    "swap_branches": (IF_ELSE, "y = 1\n    else:\n        y = 2", "y = 2\n    else:\n        y = 1"),
    "swap_operator": ("x = a / b\n", "/", "//"),
    "drop_operand": ("x = a + b\n", "a + b", "a"),
    "swap_operands": ("x = a - b\n", "a - b", "b - a"),
    "regroup": ("x = a + b * c\n", "a + b", "(a + b)"),
    "ungroup": ("x = (a + b) * c\n", "(a + b)", "a + b"),
    "regroup_call": ("x = len(a) - 1\n", "len(a) - 1", "len(a - 1)"),
    "regroup_argument": ("x = int(a / b)\n", "int(a / b)", "int(a) / b"),
    "swap_word": ("x = a and b\n", "and", "or"),
    "drop_condition": ("x = a and b\n", "a and b", "b"),
    "regroup_words": ("x = a and b or c\n", "b or c", "(b or c)"),
    "drop_sign": ("x = -a\n", "-a", "a"),
    "add_sign": ("def f(a):\n    return a\n", "return a", "return -a"),
    "swap_update": ("x += y\n", "+=", "-="),
    "swap_assignment": ("x = y\n", "=", "+="),
    "other_name": ("def f(a, b):\n    return a\n", "return a", "return b"),
    "unused_name": ("def f(a, b):\n    return a + 1\n", "a + 1", "b + 1"),
    "use_unused": ("def f(xs: list, k: int):\n    return xs\n", "return xs", "return xs[:k]"),
    "misspelt_name": ("def f(value):\n    return vlaue\n", "vlaue", "value"),
    "late_name": ("def f(item, items):\n    return items\n", "return items", "return item"),
    "other_target": ("def f(a, b):\n    a += 1\n    return b\n", "a +=", "b +="),
    "global_name": ("TOP = 3\ndef f(x):\n    return x\n", "return x", "return TOP"),
    "name_to_attribute": (CLASS.replace("return self.x", "return x"), "return x", "return self.x"),
    "attribute_to_name": (CLASS, "return self.x", "return x"),
    "other_attribute": (CLASS, "return self.x", "return self.n"),
    "swap_pair": ("a, b = c, d\n", "c, d", "d, c"),
    "swap_returned": ("def f(a, b):\n    return a, b\n", "return a, b", "return b, a"),
    "swap_elements": ("x = (a, b)\n", "(a, b)", "(b, a)"),
    "swap_unpacked": ("x = {**a, **b}\n", "{**a, **b}", "{**b, **a}"),
    "swap_order": ("a = b\nb = a\n", "a = b\nb = a", "a, b = b, a"),
    "rename_definition": ("def line_totl(n):\n    return n\n", "totl", "total"),
    "missing_import": ("x = sqrt(2)\n", "x =", "from math import sqrt\nx ="),
    "import_unbound": ("from m import word\nx = words\n", "import word\n", "import words\n"),
    "widen_import": ("import datetime\n", "import datetime", "from datetime import datetime"),
    "declare_outer": ("n = 0\ndef f():\n    n += 1\n", "    n +=", "    global n\n    n +="),
    "begin_variable": (
        "def f(xs):\n    for x in xs:\n        out.append(x)\n    return out\n",
        "    for x",
        "    out = []\n    for x",
    ),
    "keep_parameter": (
        "class A:\n    def put(self, k, v):\n        self.n += 1\n    def get(self, k):\n        return self.rows[k]\n",
        "self.n += 1\n",
        "self.n += 1\n        self.rows[k] = v\n",
    ),
    "bind_variable": ("def f(xs):\n    rows = {}\n    groups[1] = xs\n    return groups\n", "rows =", "groups ="),
    "switch_declaration": ("def f():\n    global n\n", "global n", "nonlocal n"),
    "add_receiver": ("class A:\n    def m(x):\n        return x\n", "m(x)", "m(self, x)"),
    "add_decorator": ("class A:\n    def m(self):\n        return 1\n", "    def", "    @property\n    def"),
    "call_parent": (
        "class A(B):\n    def __init__(self, x):\n        self.x = x\n",
        "        self.x",
        "        super().__init__(x)\n        self.x",
    ),
    "set_attribute": (
        "class A:\n    def __init__(self, x, y):\n        self.x = x\n\n    def m(self):\n        return self.y\n",
        "self.x = x\n",
        "self.x = x\n        self.y = y\n",
    ),
    "told_string": ("x = 'a'\ny = 'b'\n", "'a'", "'b'"),
    "begin_entry": (
        "def f(xs):\n    out = {}\n    for k, x in xs:\n        out[k].append(x)\n    return out\n",
        "        out[k]",
        "        out[k] = []\n        out[k]",
    ),
    "begin_on_use": ("def f(d, k, x):\n    d[k].add(x)\n", "d[k]", "d.setdefault(k, set())"),
    "keep_others": (
        "def f(text):\n    out = ''\n    for c in text:\n        if c == 'a':\n            out += 'b'\n"
        "        elif c == 'b':\n            out += 'a'\n    return out\n",
        "            out += 'a'\n",
        "            out += 'a'\n        else:\n            out += c\n",
    ),
    "take_off_dropped": (
        "def f(xs, total, x):\n    total += x\n    xs.append(x)\n    xs.popleft()\n    return total\n",
        "xs.popleft()",
        "total -= xs.popleft()",
    ),
    "widen_type": ("def f(x):\n    return isinstance(x, list)\n", "list", "(list, tuple)"),
    "name_argument": ("def f(weeks):\n    return timedelta(weeks)\n", "(weeks)\n", "(weeks=weeks)\n"),
    "spread_generator": ("gather(f(x) for x in xs)\n", "f(x) for x in xs", "*(f(x) for x in xs)"),
    "raise_from_kept": (
        "def f(g):\n    last = None\n    try:\n        return g()\n    except KeyError as error:\n"
        "        last = error\n    raise LookupError('no')\n",
        "LookupError('no')",
        "LookupError('no') from last",
    ),
    "tuple_with_unread": (
        "class Q:\n    def __init__(self):\n        self.n = 0\n        self.heap = []\n"
        "    def push(self, rank, x):\n        self.heap.append((rank, x))\n        self.n += 1\n",
        "(rank, x)",
        "(rank, self.n, x)",
    ),
    "wanted_text": ("def f(n):\n    return f'Hello, {n}'\n", "Hello", "Hi"),
    "own_name_in_text": (
        "def deposit(n):\n    return ('deposit', n)\ndef withdraw(n):\n    return (-n, 'deposit')\n",
        "-n, 'deposit'",
        "-n, 'withdraw'",
    ),
    "similar_string": ("x = 'recieved'\ny = 'received'\n", "'recieved'", "'received'"),
    "seen_character": ("x = '('\n", "'('", "'['"),
    "tweak_string": ("x = 'Ab'\n", "'Ab'", "'ab'"),
    "seen_string": ("x = ''\n", "''", "', '"),
    "edit_characters": ("x = 'a-b'\n", "'a-b'", "'a_b'"),
    "other_key": ("x = d['a'] + d['b']\n", "d['a']", "d['b']"),
    "string_to_name": ("def f(text):\n    return 'text'\n", "'text'", "text"),
    "other_function": ("x = min(y)\n", "min", "max"),
    "own_function": ("def f(x):\n    return x\ndef g(x):\n    return f(x)\n", "return f(x)", "return g(x)"),
    "swap_arguments": ("x = f(a, b)\n", "a, b", "b, a"),
    "turn_arguments": ("x = f(a, b, g(c))\n", "a, b, g(c)", "g(c), a, b"),
    "cross_calls": (
        "def f(a, b):\n    a.take(1)\n    b.give(1)\n",
        "    a.take(1)\n    b.give(1)",
        "    b.take(1)\n    a.give(1)",
    ),
    "swap_owner": ("x = a.issubset(b)\n", "a.issubset(b)", "b.issubset(a)"),
    "drop_argument": ("x = f(a, b)\n", "a, b", "a"),
    "add_argument": ("x = round(a)\n", "(a)", "(a, 2)"),
    "pass_along": ("def f(x, d):\n    return f(x - 1)\n", "(x - 1)", "(x - 1, d=d)"),
    "rename_keyword": ("def f(a, b):\n    return a\nx = f(a=1)\n", "f(a=1)", "f(b=1)"),
    "call_result": ("x = text.lower\n", "lower", "lower()"),
    "drop_call": ("x = a.b()\n", "b()", "b"),
    "add_await": ("async def f():\n    return g()\n", "g()", "await g()"),
    "drop_await": ("async def f():\n    return await g()\n", "await g()", "g()"),
    "sort_key": ("x = sorted(y)\n", "(y)", "(y, reverse=True)"),
    "tweak_key": ("x = sorted(y, key=lambda p: p[1])\n", "p[1]", "-p[1]"),
    "flip_keyword": ("x = sorted(y, key=str)\n", "key=str", "key=len"),
    "recursive_argument": ("def f(n):\n    return f(n)\n", "return f(n)", "return f(n - 1)"),
    "around_recursion": ("def f(n):\n    return f(n - 1)\n", "return f", "return 1 + f"),
    "other_method": ("x.append(y)\n", "append", "extend"),
    "misspelt_method": ("x.apend(y)\n", "apend", "append"),
    "method_or_function": ("y = x.sort()\n", "x.sort()", "sorted(x)"),
    "index_to_get": ("def f(d: dict, k):\n    return d[k]\n", "d[k]", "d.get(k, 0)"),
    "push_shape": ("def f(xs, x):\n    xs.append(x)\n", "xs.append(x)", "xs.append(x[:])"),
    "keep_result": ("def f(text):\n    text.strip()\n    return text\n", "    text.strip", "    text = text.strip"),
    "lose_result": ("x = y.sort()\n", "x = y", "y"),
    "shift_index": ("x = xs[0]\n", "[0]", "[-1]"),
    "other_index": ("x = g[a][b]\n", "g[a][b]", "g[b][a]"),
    "move_slice_bound": ("x = xs[1:n]\n", "1:n", "1:n + 1"),
    "reshape_slice": ("x = xs[1:]\n", "1:", ":1"),
    "fill_slice": ("def f(xs, n: int):\n    return xs[1:]\n", "1:", "n:"),
    "index_to_call": ("x = xs[0]\n", "xs[0]", "max(xs)"),
    "drop_index": ("x = xs[0]\n", "xs[0]", "xs"),
    "add_index": ("def f(xs: list):\n    return xs\n", "return xs", "return xs[::-1]"),
    "wrap_call": ("def f(xs: list):\n    return xs\n", "return xs", "return sorted(xs)"),
    "absolute_difference": ("x = a - b\n", "a - b", "abs(a - b)"),
    "wrap_method": ("def f(s: str):\n    return s\n", "return s", "return s.lower()"),
    "wrap_limits": ("def f(n: int):\n    return n\n", "return n", "return max(n, 0)"),
    "round_result": ("def f(x: float):\n    return x\n", "return x", "return round(x, 2)"),
    "sort_value": ("def f(xs: list):\n    return xs\n", "return xs", "return sorted(set(xs))"),
    "unwrap": ("x = abs(y)\n", "abs(y)", "y"),
    "choose_branch": ("x = a if c else b\n", "a if c else b", "b if c else a"),
    "part_of_expression": ("x = f(a + b)\n", "f(a + b)", "a"),
    "reshape_range": ("for i in range(n):\n    f(i)\n", "(n)", "(1, n + 1)"),
    "frozen_test": ("def f(n, x):\n    p = 1\n    while n < x:\n        p *= n\n    return p\n", "n < x", "p < x"),
    "other_iterable": ("for x in xs:\n    f(x)\n", "xs", "range(len(xs))"),
    "end_of_round": ("for x in xs:\n    break\n", "break", "continue"),
    "other_yield": ("def f(x):\n    yield g(x)\n", "yield", "yield from"),
    "recursive_generator": ("def f(x):\n    yield x\n    f(x)\n", "    f(x)", "    yield from f(x)"),
    "drop_overwriting": (
        "def f(a):\n    low, high = a\n    high = g(low)\n    low = g(a)\n    return low + high\n",
        "    high = g(low)\n    low = g(a)\n",
        "",
    ),
    "delete_statement": (TWO, "    d = b\n", ""),
    "swap_statements": (
        "def f(a, b):\n    c = b\n    b = a\n    return c - b\n",
        "    c = b\n    b = a\n",
        "    b = a\n    c = b\n",
    ),
    "move_out": ("def f(xs):\n    for x in xs:\n        g(x)\n        return x\n", "        return", "    return"),
    "move_in": ("def f(xs):\n    for x in xs:\n        g(x)\n    h(x)\n", "    h(x)", "        h(x)"),
    "unwrap_block": ("def f(x):\n    if x:\n        g(x)\n", "    if x:\n        g(x)", "    g(x)"),
    "drop_else": (IF_ELSE, "    else:\n        y = 2\n", "    y = 2\n"),
    "else_of_loop": (
        "def f(xs):\n    for x in xs:\n        if g(x):\n            break\n        else:\n            h()\n",
        "        else:\n            h()",
        "    else:\n        h()",
    ),
    "loop_else": (
        "def f(xs):\n    for x in xs:\n        g(x)\n    h()\n",
        "    h()",
        "    else:\n        h()",
    ),
    "return_value": ("def f(x):\n    g(x)\n", "g(x)", "return g(x)"),
    "return_name": ("def f(x):\n    return\n", "return", "return x"),
    "state_of_entry": (
        "def f(k, d):\n    if k in d:\n        return True\n    d[k] = 'open'\n    d[k] = 'done'\n    return False\n",
        "return True",
        "return d[k] == 'open'",
    ),
    "other_result": ("def f(x):\n    if x:\n        return 1\n    return 2\n", "return 1", "return 2"),
    "guard": ("def f(xs):\n    return xs[0]\n", "    return", "    if not xs:\n        return None\n    return"),
    "guard_raise": ("def f(n):\n    return n\n", "    return", "    if n < 0:\n        raise ValueError\n    return"),
    "default_value": (
        "def f(xs=None):\n    return xs\n",
        "    return",
        "    if xs is None:\n        xs = []\n    return",
    ),
    "convert_parameter": ("def f(s: str):\n    return s\n", "    return", "    s = s.lower()\n    return"),
    "final_return": ("def f(x):\n    y = x\n", "y = x\n", "y = x\n    return y\n"),
    "advance_loop": (
        "def f(n):\n    while n:\n        g()\n    return n\n",
        "        g()\n",
        "        g()\n        n -= 1\n",
    ),
    "insert_update": (LOOP, "        i += 1\n", "        i += 1\n        i += 1\n"),
    "insert_reset": (LOOP, "        i += 1\n", "        i += 1\n        out = []\n"),
    "insert_addition": (LOOP, "        i += 1\n", "        i += 1\n        out.append(i)\n"),
    "fill_collection": (
        "def f(xs):\n    seen = set()\n    for x in xs:\n        if x in seen:\n            return x\n",
        "            return",
        "            seen.add(x)\n            return",
    ),
    "mirror_statement": (
        "def f(a, b, i, j, out):\n    if i < len(a) and j < len(b):\n        pass\n    out.extend(a[i:])\n",
        "    out.extend(a[i:])\n",
        "    out.extend(a[i:])\n    out.extend(b[j:])\n",
    ),
    "follow_as_elsewhere": (
        "def f(db):\n    db.execute(1)\n    db.commit()\n\n\ndef g(db):\n    db.execute(2)\n    return 3\n",
        "    db.execute(2)\n",
        "    db.execute(2)\n    db.commit()\n",
    ),
    "decorate_as_elsewhere": (
        "@route('/a')\n@logged_in\ndef a():\n    pass\n\n\n@route('/b')\ndef b():\n    pass\n",
        "def b",
        "@logged_in\ndef b",
    ),
    "answer_as_elsewhere": (
        "def f(e):\n    return e.text\n\n\ndef g(e):\n    return '', e.status\n",
        "return e.text",
        "return e.text, e.status",
    ),
    "copy_statement": (TWO, "    d = b\n", "    d = b\n    c = a\n"),
    "insert_exit": (LOOP, "        i += 1\n", "        i += 1\n        break\n"),
    "wrap_in_condition": (LOOP, "        i += 1\n", "        if i < n:\n            i += 1\n"),
    "tie_branch": (
        "def f(xs):\n    for x in xs:\n        if x > best:\n            best, out = x, [x]\n    return out\n",
        "best, out = x, [x]\n",
        "best, out = x, [x]\n        elif x == best:\n            out.append(x)\n",
    ),
    "swap_links": (
        "def f(a):\n    if a > 1:\n        g()\n    elif a > 5:\n        h()\n        k()\n",
        "if a > 1:\n        g()\n    elif a > 5:\n        h()\n        k()\n",
        "if a > 5:\n        h()\n        k()\n    elif a > 1:\n        g()\n",
    ),
    "add_else": (
        "def f(x, n):\n    if x:\n        n += 1\n    return n\n",
        "        n += 1\n",
        "        n += 1\n    else:\n        n = 0\n",
    ),
    "compare_in_order": ("x = a.x < b.x or a.y < b.y\n", "a.x < b.x or a.y < b.y", "(a.x, a.y) < (b.x, b.y)"),
    "lost_prefix": ("def f(name):\n    return 'to {name}'\n", "'to", "f'to"),
    "other_format": ("def f(a, b):\n    return f'{a}.{b}'\n", "{b}", "{b:02d}"),
    "between_fields": ("def f(a, b):\n    return f'{a}:{b}'\n", "}:{", "}, {"),
    "early_exit": (
        "def f(xs):\n    ys = g(xs)\n    return ys[0]\n",
        "    return",
        "    if not ys:\n        raise ValueError\n    return",
    ),
    "flush_after_loop": (
        "def f(xs):\n    out, run = [], []\n    for x in xs:\n        if x:\n            out.append(run)\n"
        "            run = []\n        run.append(x)\n    return out\n",
        "    return",
        "    if run:\n        out.append(run)\n    return",
    ),
    "call_again": (
        "def f(cells, start):\n    cells.remove(start)\n    for step in start:\n        g = step\n",
        "        g = step\n",
        "        g = step\n        cells.remove(step)\n",
    ),
    "insert_clear": ("def f(d, e):\n    d.update(e)\n", "    d.", "    d.clear()\n    d."),
    "fresh_argument": ("def f(d, k, x):\n    d.setdefault(k, x)\n", "k, x)\n", "k, set())\n"),
    "name_to_string": ("def f(row):\n    return row[name]\n", "name", '"name"'),
    "other_handler": ("try:\n    f()\nexcept KeyError:\n    pass\n", "KeyError", "(KeyError, ValueError)"),
    "other_exception": ("def f():\n    raise KeyError('x')\n", "KeyError", "ValueError"),
    "raise_or_return": ("def f():\n    return ValueError('x')\n", "return", "raise"),
    "handler_body": ("try:\n    f()\nexcept KeyError:\n    pass\n", "pass", "raise"),
    "catch": (
        "def f(d):\n    return d[1]\n",
        "    return d[1]",
        "    try:\n        return d[1]\n    except KeyError:\n        return None",
    ),
    "mutable_default": (
        "def f(x, to=[]):\n    to.append(x)\n    return to\n",
        "[]):\n",
        "None):\n    if to is None:\n        to = []\n",
    ),
    "repeated_rows": ("x = [[0] * m] * n\n", "[[0] * m] * n", "[[0] * m for _ in range(n)]"),
    "tweak_pattern": ("import re\nx = re.sub(r'[^a-z]', '-', y)\n", "[^a-z]", "[^a-z]+"),
    "at_last": (
        "def f(x):\n    x.open()\n    yield x\n\n    x.close()\n",
        "    yield x\n\n    x.close()\n",
        "    try:\n        yield x\n    finally:\n        x.close()\n",
    ),
    "store_result": (
        "def put(t, k):\n    if k < t.key:\n        put(t.left, k)\n    return t\n",
        "        put(",
        "        t.left = put(",
    ),
    "reset_attribute": (
        "class A:\n    def __init__(self):\n        self.xs = []\n\n    def m(self):\n        return len(self.xs)\n",
        "        return",
        "        self.xs = []\n        return",
    ),
    "ignore_case": ("import re\nx = re.search('a', y)\n", "y)", "y, flags=re.IGNORECASE)"),
    "hash_of_equals": (
        "class A:\n    def __eq__(self, o):\n        return self.x == o.x and self.y == o.y\n",
        "o.y\n",
        "o.y\n\n    def __hash__(self):\n        return hash((self.x, self.y))\n",
    ),
    "foreign_operand": (
        "class A:\n    def __eq__(self, o):\n        return self.x == o.x\n",
        "        return",
        "        if not isinstance(o, A):\n            return NotImplemented\n        return",
    ),
    "spread_argument": ("def f(g):\n    def h(*a):\n        return g(a)\n    return h\n", "g(a)", "g(*a)"),
    "gather_argument": ("def f(xs):\n    return sum(*xs)\n", "*xs", "xs"),
    "gather_keywords": ("def f(**kw):\n    return g(**kw)\n", "g(**kw)", "g(kw)"),
    "spread_element": ("def f(xs: list):\n    return [0, xs]\n", "[0, xs]", "[0, *xs]"),
    "late_closure": ("def f():\n    return [lambda: i for i in range(3)]\n", "lambda:", "lambda i=i:"),
    "shared_attribute": (
        "class A:\n    items = []\n\n    def __init__(self):\n        self.x = 1\n",
        "        self.x",
        "        self.items = []\n        self.x",
    ),
    "copy_deeply": ("import copy\ndef f(x):\n    return x\n", "return x", "return copy.deepcopy(x)"),
    "rename_everywhere": ("def f(a, b):\n    return a + a\n", "a + a", "b + b"),
    "swap_parameters": ("def f(a, b):\n    return a\n", "a, b", "b, a"),
    "constant_everywhere": ("def f(a):\n    return a % 2 + a // 2\n", "a % 2 + a // 2", "a % 3 + a // 3"),
    "operator_everywhere": ("def f(a, b):\n    return a < b, b < a\n", "a < b, b < a", "a <= b, b <= a"),
    "word_everywhere": ("def f(x):\n    return min(x), max(x)\n", "min(x), max(x)", "max(x), min(x)"),
    "truth_everywhere": (
        "def f(x):\n    if x:\n        return True\n    return False\n",
        "True\n    return False",
        "False\n    return True",
    ),
    "ask_as_elsewhere": (
        "def f(item):\n    return item is not None\n\ndef g(item):\n    if item.is_open:\n        return 1\n",
        "item is not None",
        "item is not None and item.is_open",
    ),
    "add_beside": (
        "def f(rows, key, x):\n    rows[key].sort()\n    return rows\n",
        "    rows[key].sort()\n",
        "    rows[key].append(x)\n    rows[key].sort()\n",
    ),
    "clip_index": ("def f(counts, at):\n    counts[at] += 1\n", "counts[at]", "counts[min(at, len(counts) - 1)]"),
    "none_case": (
        "class A:\n    def m(self, before, x):\n        self.head = x\n        before.after = x\n",
        "        before.after = x\n",
        "        if before is None:\n            self.head = x\n        else:\n            before.after = x\n",
    ),
    "uncalled_function": (
        "def read(x):\n    return x == 'yes'\n\ndef f(x):\n    return bool(x)\n\nf('a')\n",
        "bool(x)",
        "read(x)",
    ),
    "choose_steps": (
        "def f(y, x):\n    return [(y + j, x + i) for j in (-1, 0, 1) for i in (-1, 0, 1)]\n",
        "for i in (-1, 0, 1)]",
        "for i in (-1, 0, 1) if (j, i) != (0, 0)]",
    ),
    "other_steps": (
        "def f():\n    return ((0, 1), (1, 0), (1, 1), (0, -1), (-1, 0), (-1, -1))\n",
        "((0, 1), (1, 0), (1, 1), (0, -1), (-1, 0), (-1, -1))",
        "((0, 1), (1, 0), (0, -1), (-1, 0))",
    ),
    "told_term": (
        "def f(y):\n    return y // 4 - y // 100\n",
        "y // 100",
        "y // 100 + y // 42",
    ),
    "offset_alike": (
        "def f(r, c, h, w):\n    return min(r, c, h - r, w - c)\n",
        "h - r, w - c",
        "h - 1 - r, w - 1 - c",
    ),
    "multiply_first": (
        "def f(cents, parts, whole):\n    return cents // whole * (parts + 1)\n",
        "cents // whole * (parts + 1)",
        "cents * (parts + 1) // whole",
    ),
    "cut_towards_zero": ("def f(a, b):\n    return a // b\n", "a // b", "int(a / b)"),
    "append_digit": (
        "def f(text):\n    n = 0\n    for c in text:\n        n = int(c)\n    return n\n",
        "n = int(c)",
        "n = n * 10 + int(c)",
    ),
    "regular_number": (
        "MARKS = [(90, 'A'), (85, 'B'), (70, 'C'), (60, 'D')]\n\ndef f():\n    return MARKS\n",
        "85",
        "80",
    ),
    "sort_parameters": (
        "def f(a, b, c):\n    return a + b > c\n",
        "    return a",
        "    a, b, c = sorted((a, b, c))\n    return a",
    ),
    "count_as_filtered": (
        "def f(xs, depth):\n    if not depth:\n        return len(xs)\n"
        "    return sum(f(x, depth - 1) for x in xs if isinstance(x, list))\n",
        "len(xs)",
        "sum(1 for x in xs if not isinstance(x, list))",
    ),
    "same_length": (
        "def f(a, b):\n    for n, x in enumerate(a):\n        if x != b[n]:\n"
        "            return False\n    return True\n",
        "return True",
        "return len(a) == len(b)",
    ),
    "keep_falsy_items": ("def f(xs):\n    return [x for x in xs if x]\n", "if x]", "if x is not None]"),
    "look_on": (
        "def f(xs):\n    for x in xs:\n        return x.has(1)\n    return False\n",
        "        return x.has(1)\n",
        "        if x.has(1):\n            return True\n",
    ),
    "clear_bits": ("def f(mask, bit):\n    return mask ^ bit\n", "mask ^ bit", "mask & ~bit"),
    "other_zone": ("def f(t, z):\n    return t.replace(tzinfo=z)\n", "replace(tzinfo=z)", "astimezone(z)"),
    "key_of_all": (
        "def f(*parts, **more):\n    key = parts\n    return key, more\n",
        "key = parts",
        "key = (parts, tuple(sorted(more.items())))",
    ),
    "merge_deeply": (
        "def join(a, b):\n    out = dict(a)\n    out['k'] = {**a['k'], **b['k']}\n    return out\n",
        "{**a['k'], **b['k']}",
        "join(a['k'], b['k'])",
    ),
    "lost_level": (
        "def show(node, level=0):\n    return [show(child) for child in node]\n",
        "show(child)",
        "show(child, level + 1)",
    ),
    "convert_text": ("def f(row):\n    return {'n': row['n']}\n", "row['n']", "int(row['n'])"),
    "guard_conversion": ("def f(size):\n    return int(size)\n", "int(size)", "0 if size == 'n/a' else int(size)"),
    "trim_pieces": (
        "def f(line):\n    a, b = line.split(',')\n    return a, b\n",
        "line.split(',')",
        "[part.strip() for part in line.split(',')]",
    ),
    "treat_alike": (
        "def f(line):\n    a, _, b = line.partition('=')\n    return put(a, b)\n",
        "put(a, b)",
        "put(a.strip(), b.strip())",
    ),
    "borrow_expression": ("def f(a, b):\n    c = a + b\n    return c\n", "return c", "return a + b"),
    "extend_expression": ("def f(a, b):\n    return a\n", "return a", "return a + b"),
    "combine_names": ("def f(a: int, b: int):\n    return a\n", "return a", "return max(a, b)"),
    "path_so_far": (
        (
            "def f(heap, graph):\n    while heap:\n        dist, node = heappop(heap)\n"
            "        for other, step in graph[node]:\n            heappush(heap, (step, other))\n"
        ),
        "(step, other)",
        "(dist + step, other)",
    ),
    "entry_of_many": (
        (
            "def f(words, groups):\n    for key, word in words:\n        if key in groups:\n"
            "            groups[key].append(word)\n        else:\n            groups[key] = word\n"
        ),
        "groups[key] = word",
        "groups[key] = [word]",
    ),
    "list_of_view": (
        "def f(groups):\n    return groups.values()\n",
        "groups.values()",
        "list(groups.values())",
    ),
    "months_of_so_many_days": (
        "def f(month):\n    return month in (1, 3, 5, 7, 9, 11)\n",
        "(1, 3, 5, 7, 9, 11)",
        "(1, 3, 5, 7, 8, 10, 12)",
    ),
    "times_unread": (
        (
            "def f(items):\n    total = 0\n    for name, price, quantity in items:\n        total += price\n"
            "    return total\n"
        ),
        "+= price",
        "+= price * quantity",
    ),
    "what_is_left": (
        "def f(total):\n    total *= 0.05\n    return total\n",
        "0.05",
        "0.95",
    ),
    "more_by_share": (
        "def f(price, tax_rate):\n    return price * tax_rate\n",
        "price * tax_rate",
        "price * (1 + tax_rate)",
    ),
    "through_the_last": (
        "def f(n):\n    flags = [True] * n\n    for i in range(2, n):\n        flags[i] = False\n    return flags\n",
        "[True] * n\n    for i in range(2, n)",
        "[True] * (n + 1)\n    for i in range(2, n + 1)",
    ),
    "no_way_back": (
        (
            "def f(m, out, top, bottom, left, right):\n    while top <= bottom and left <= right:\n"
            "        for c in range(left, right + 1):\n            out.append(m[top][c])\n        top += 1\n"
            "        for c in range(right, left - 1, -1):\n            out.append(m[bottom][c])\n"
            "        bottom -= 1\n"
        ),
        "        for c in range(right, left - 1, -1):\n            out.append(m[bottom][c])\n",
        (
            "        if top <= bottom:\n            for c in range(right, left - 1, -1):\n"
            "                out.append(m[bottom][c])\n"
        ),
    ),
    "keep_before_loop": (
        (
            "def f(n):\n    total = 0\n    while n > 0:\n        total += n % 10\n        n //= 10\n"
            "    return total == n\n"
        ),
        "    total = 0\n    while n > 0:\n        total += n % 10\n        n //= 10\n    return total == n",
        (
            "    total = 0\n    given = n\n    while n > 0:\n        total += n % 10\n        n //= 10\n"
            "    return total == given"
        ),
    ),
    "from_other_end": (
        "def f(m, out, n):\n    for i in range(n):\n        for j in range(n):\n            out[i][j] = m[j][i]\n",
        "m[j][i]",
        "m[n - 1 - j][i]",
    ),
    "keep_equals": (
        (
            "def f(xs):\n    pivot = xs[0]\n    less = [x for x in xs if x < pivot]\n"
            "    more = [x for x in xs if x > pivot]\n    return f(less) + [pivot] + f(more)\n"
        ),
        "[pivot]",
        "[x for x in xs if x == pivot]",
    ),
    "take_off_all": (
        "def f(cents, coin):\n    count = cents // coin\n    cents -= coin\n    return count, cents\n",
        "cents -= coin",
        "cents -= coin * count",
    ),
    "field_of_result": (
        "class Box:\n    def __init__(self, name):\n        self.name = name\n\n\ndef f(boxes):\n    return boxes[0]\n",
        "return boxes[0]",
        "return boxes[0].name",
    ),
    "own_name_in_round": (
        (
            "def f(sections, prefix=''):\n    for number, title in sections:\n"
            "        prefix = f'{prefix}{number}'\n        print(prefix, title)\n"
        ),
        "        prefix = f'{prefix}{number}'\n        print(prefix, title)",
        "        current = f'{prefix}{number}'\n        print(current, title)",
    ),
    "bounds_for_exception": (
        (
            "def f(grid, r, c):\n    for r in range(3):\n        try:\n            grid[r][c] += 1\n"
            "        except IndexError:\n            pass\n"
        ),
        "        try:\n            grid[r][c] += 1\n        except IndexError:\n            pass",
        "        if 0 <= r < len(grid) and 0 <= c < len(grid[0]):\n            grid[r][c] += 1",
    ),
    "go_on_behind_piece": (
        (
            "def f(xs, tables, base):\n    out, start = [], 0\n    start = 0\n"
            "    for number in range(tables):\n        size = base + number\n        start = number * size\n"
            "        out.append(xs[start:start + size])\n    return out\n"
        ),
        "        start = number * size\n        out.append(xs[start:start + size])",
        "        out.append(xs[start:start + size])\n        start += size",
    ),
    "cap_by_rest": (
        "def f(z, i, left, right):\n    if i < right:\n        z[i] = z[i - left]\n",
        "= z[i - left]",
        "= min(right - i, z[i - left])",
    ),
    "move_further": (
        "def f(a, b):\n    c = a + b\n    d = c * 2\n    b -= 1\n    return d\n",
        "    c = a + b\n    d = c * 2\n    b -= 1",
        "    b -= 1\n    c = a + b\n    d = c * 2",
    ),
    "step_in_range": (
        "def f(first, last, step):\n    return list(v for v in range(first, last) if v % step == 0)\n",
        "v for v in range(first, last) if v % step == 0",
        "range(first, last, step)",
    ),
    "count_those_without": (
        (
            "def f(names, votes):\n    counts = {}\n    for vote in votes:\n        if vote in names:\n"
            "            counts[vote] = counts.get(vote, 0) + 1\n    return min(counts.values())\n"
        ),
        "counts = {}",
        "counts = dict.fromkeys(names, 0)",
    ),
    "only_from_the_start": (
        "import itertools\n\n\ndef f(xs, ys):\n    return sum(1 for a, b in zip(xs, ys) if a == b)\n",
        "sum(1 for a, b in zip(xs, ys) if a == b)",
        "sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(xs, ys)))",
    ),
    "same_day_next_year": (
        (
            "def f(born, today):\n    day = born.replace(year=today.year)\n    if day < today:\n"
            "        day += timedelta(days=365)\n    return day\n"
        ),
        "day += timedelta(days=365)",
        "day = born.replace(year=today.year + 1)",
    ),
    "week_with_its_year": (
        "def f(day):\n    return day.isocalendar().week\n",
        ".isocalendar().week",
        ".isocalendar()[:2]",
    ),
    "begin_with_first_item": (
        (
            "def f(xs, codes):\n    previous = ''\n    for x in xs[1:]:\n        code = codes.get(x)\n"
            "        if code != previous:\n            print(code)\n        previous = code\n"
        ),
        "previous = ''",
        "previous = codes.get(xs[0])",
    ),
    "change_for_the_better": (
        "def f(basis):\n    best = 0\n    for bit in range(9):\n        best ^= basis[bit]\n    return best\n",
        "best ^= basis[bit]",
        "best = max(best, best ^ basis[bit])",
    ),
    "catch_as_told": (
        "def f(call, transient):\n    try:\n        return call()\n    except Exception:\n        return None\n",
        "except Exception",
        "except transient",
    ),
    "compare_by_rank": (
        (
            "def f(ranges):\n    best_rank, best = 0, 0.0\n    for rank, quality in ranges:\n"
            "        if rank and quality > best:\n            best_rank, best = rank, quality\n"
            "    return best\n"
        ),
        "rank and quality > best",
        "rank > best_rank",
    ),
    "from_now_on": (
        "class Lease:\n    def renew(self, now):\n        self.expires += self.ttl\n",
        "self.expires += self.ttl",
        "self.expires = now + self.ttl",
    ),
    "end_with_last_piece": (
        (
            "def f(xs, size, overlap):\n    out, start = [], 0\n    while start < len(xs):\n"
            "        end = start + size\n        out.append(xs[start:end])\n        start = end - overlap\n"
            "    return out\n"
        ),
        "        out.append(xs[start:end])\n",
        "        out.append(xs[start:end])\n        if end >= len(xs):\n            break\n",
    ),
    "part_taken": (
        "def f(left, lot):\n    part = min(left, lot.quantity)\n    return lot.quantity * lot.price\n",
        "lot.quantity * lot.price",
        "part * lot.price",
    ),
    "in_order_of_numbers": (
        "def f(done):\n    return [done[key] for key in sorted(done) if key.isdigit()]\n",
        "sorted(done)",
        "sorted(done, key=int)",
    ),
    "bit_of_place": (
        (
            "def f(mask, xs):\n    out = []\n    for i in range(len(xs)):\n        if mask & i:\n"
            "            out.append(xs[i])\n    return out\n"
        ),
        "mask & i",
        "mask & (1 << i)",
    ),
    "bound_subtrees": (
        f"def f{OWN_CHILDREN}",
        OWN_CHILDREN,
        (
            "(node, low=None, high=None):\n"
            "    if node is None:\n"
            "        return True\n"
            "    if low is not None and node.value <= low:\n"
            "        return False\n"
            "    if high is not None and node.value >= high:\n"
            "        return False\n"
            "    return f(node.left, low, node.value) and f(node.right, node.value, high)\n"
        ),
    ),
    "give_places": (
        (
            "def f(rows):\n    sums = []\n    for row in rows:\n        for i, x in enumerate(row):\n"
            "            sums[i] += x\n    return sums\n"
        ),
        "sums = []",
        "sums = [0] * len(rows[0])",
    ),
    "join_kept": (
        "def f(text):\n    digits = [c for c in text if c.isdigit()]\n    return f'({digits[:3]})'\n",
        "[c for c in text if c.isdigit()]",
        '"".join(c for c in text if c.isdigit())',
    ),
    "ask_the_other": (
        "class A:\n    def move(self, other, n):\n        self.take(n)\n        self.put(n)\n",
        "self.put(n)",
        "other.put(n)",
    ),
    "note_as_others": (
        (
            "class A:\n    def put(self, n):\n        self.total += n\n        self.log.append(('put', n))\n"
            "\n    def take(self, n):\n        self.total -= n\n"
        ),
        "self.total -= n\n",
        "self.total -= n\n        self.log.append(('take', n))\n",
    ),
    "same_letter_base": (
        "def f(c, k):\n    return chr((ord(c) - 97 + k) % 26 + 65)\n",
        "+ 65",
        "+ 97",
    ),
    "skip_stated": (
        (
            'def f(row):\n    """Digits of a row, where \'.\' is an empty cell."""\n    seen = set()\n'
            "    for d in row:\n        seen.add(d)\n    return seen\n"
        ),
        "        seen.add(d)",
        "        if d == '.':\n            continue\n        seen.add(d)",
    ),
    "bracket_both_sides": (
        "def f(v, low, high):\n    return v - low / high - low\n",
        "v - low / high - low",
        "(v - low) / (high - low)",
    ),
    "divide_by_inverse": (
        "MOD = 7919\n\ndef f(a, b):\n    return a // b % MOD\n",
        "a // b % MOD",
        "a * pow(b, MOD - 2, MOD) % MOD",
    ),
    "place_in_cycle": (
        "def f(path, start, k, n):\n    return path[start + k % n]\n",
        "k % n",
        "(k - start) % n",
    ),
    "begin_with_identity": (
        (
            "def f(a, n, k):\n    r = [[1] * n for _ in range(n)]\n    while k:\n        r = mul(r, a)\n"
            "        k -= 1\n    return r\n"
        ),
        "[[1] * n for _ in range(n)]",
        "[[int(i == j) for j in range(n)] for i in range(n)]",
    ),
    "take_one_off": (
        (
            "def f(xs, k):\n    counts = {}\n    for x in xs:\n        counts[x] = counts.get(x, 0) + 1\n"
            "        while len(counts) > k:\n            counts.pop(xs[0])\n"
        ),
        "            counts.pop(xs[0])",
        "            counts[xs[0]] -= 1\n            if counts[xs[0]] == 0:\n                del counts[xs[0]]",
    ),
    "end_the_reach": (
        (
            "def f(xs, w, n):\n    changes = [0] * (n + w)\n    run = 0\n    for i in range(n):\n"
            "        run += changes[i]\n        need = xs[i] - run\n        run += need\n"
        ),
        "        run += need\n",
        "        run += need\n        changes[i + w] -= need\n",
    ),
    "drop_what_left": (
        (
            "def f(row, size):\n    begun = [False] * len(row)\n    active = 0\n"
            "    for i in range(len(row)):\n        if row[i] != active % 2:\n            begun[i] = True\n"
            "            active += 1\n    return active\n"
        ),
        "    for i in range(len(row)):\n",
        "    for i in range(len(row)):\n        if i >= size and begun[i - size]:\n            active -= 1\n",
    ),
    "remember_whole_state": (
        (
            "def f(grid, start):\n    queue = [start]\n    seen = set()\n    while queue:\n"
            "        x, y, k = queue.pop(0)\n        for a, b in near(x, y):\n"
            "            if (a, b) in seen:\n                continue\n"
            "            queue.append((a, b, k + grid[a][b]))\n"
        ),
        "(a, b) in",
        "(a, b, k + grid[a][b]) in",
    ),
    "keep_flag_of_state": (
        (
            "def f(cur, top):\n    new = {}\n    for (total, tight), n in cur.items():\n"
            "        for d in range(10):\n            key = (total + d, d == top)\n"
            "            new[key] = new.get(key, 0) + n\n    return new\n"
        ),
        "d == top)",
        "tight and d == top)",
    ),
    "begin_row_anew": (
        (
            "def f(xs, n, worst):\n    row = [0] + [worst] * n\n    for x in xs:\n        new = row[:]\n"
            "        for j in range(x, n + 1):\n            new[j] = max(new[j], row[j - x] + 1)\n"
            "        row = new\n    return row\n"
        ),
        "new = row[:]",
        "new = [worst] * len(row)",
    ),
    "ways_of_the_one_before": (
        (
            "def f(near, dist, ways, u):\n    for v in near:\n        if dist[v] > dist[u] + 1:\n"
            "            dist[v] = dist[u] + 1\n            ways[v] = 1\n"
            "        elif dist[v] == dist[u] + 1:\n            ways[v] += ways[u]\n"
        ),
        "ways[v] = 1",
        "ways[v] = ways[u]",
    ),
    "count_either_way": (
        "def f(first, last):\n    return list(range(first, last + 1))\n",
        "range(first, last + 1)",
        "range(first, last + 1) if first <= last else range(first, last - 1, -1)",
    ),
    "put_back_absence": (
        (
            "class A:\n    def put(self, k, v):\n        self.done.append((k, self.cells.get(k)))\n"
            "        self.cells[k] = v\n\n    def undo(self):\n        k, before = self.done.pop()\n"
            "        self.cells[k] = before\n"
        ),
        "        self.cells[k] = before",
        (
            "        if before is None:\n            self.cells.pop(k, None)\n        else:\n"
            "            self.cells[k] = before"
        ),
    ),
    "strip_one_sign": (
        "def f(line):\n    return line.strip('|').split('|')\n",
        "line.strip('|')",
        "line.removeprefix('|').removesuffix('|')",
    ),
    "sign_of_amount": (
        'def f(cents):\n    return f"{cents // 100}.{cents % 100:02d}"\n',
        "{cents // 100}.{cents % 100:02d}",
        "{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02d}",
    ),
    "split_at_sign": (
        "def f(score):\n    a, b = int(score[0]), int(score[2])\n    return a - b\n",
        "int(score[0]), int(score[2])",
        "map(int, score.split('.'))",
    ),
    "leave_out_zero_part": (
        "def f(n, tens, ones):\n    return tens[n // 10] + '-' + ones[n % 10]\n",
        "'-' + ones[n % 10]",
        "('-' + ones[n % 10] if n % 10 else \"\")",
    ),
    "fall_back_through_table": (
        (
            "def f(text):\n    table = [0] * len(text)\n    k = 0\n    for i in range(1, len(text)):\n"
            "        if text[i] != text[k]:\n            k = 0\n        if text[i] == text[k]:\n"
            "            k += 1\n        table[i] = k\n    return table\n"
        ),
        "if text[i] != text[k]:\n            k = 0",
        "while k > 0 and text[i] != text[k]:\n            k = table[k - 1]",
    ),
    "group_from_the_right": (
        'RANK = {"^": 2, "+": 1}\n\ndef f(top, token):\n    return RANK[top] >= RANK[token]\n',
        "RANK[top] >= RANK[token]",
        'RANK[top] > RANK[token] or (RANK[top] == RANK[token] and token != "^")',
    ),
    "whichever_child": (
        "def f(node):\n    if node.left is None or node.right is None:\n        return node.left\n    return node\n",
        "return node.left",
        "return node.left or node.right",
    ),
    "from_the_highest": (
        "def f(numbers, x):\n    value = 0\n    for c in numbers:\n        value = value * x + c\n    return value\n",
        "in numbers",
        "in reversed(numbers)",
    ),
    "empty_from_the_top": (
        (
            "def f(xs):\n    out, stack = [], []\n    for x in xs:\n        while stack and stack[-1] > x:\n"
            "            out.append(stack.pop())\n        stack.append(x)\n    out.extend(stack)\n"
            "    return out\n"
        ),
        "out.extend(stack)",
        "out.extend(reversed(stack))",
    ),
    "parent_of_child": (
        "def f(xs, i):\n    parent = i // 2\n    return xs[parent], xs[2 * i + 1]\n",
        "i // 2",
        "(i - 1) // 2",
    ),
    "last_one_is_gone": (
        "def f(heap):\n    top = heap[0]\n    heap[0] = heap.pop()\n    return top\n",
        "    heap[0] = heap.pop()",
        "    last = heap.pop()\n    if heap:\n        heap[0] = last",
    ),
    "put_right_both_ways": (
        (
            "class A:\n    def _up(self, i):\n        pass\n\n    def _down(self, i):\n        pass\n\n"
            "    def change(self, i, x):\n        self.heap[i] = x\n        self._up(i)\n"
        ),
        "        self._up(i)\n",
        "        self._up(i)\n        self._down(i)\n",
    ),
    "keep_row_above": (
        (
            "def f(best, i, w, v, n):\n    for r in range(n):\n        if w <= r:\n"
            "            best[i][r] = max(best[i - 1][r], best[i - 1][r - w] + v)\n"
        ),
        "best[i - 1][r - w] + v)\n",
        "best[i - 1][r - w] + v)\n        else:\n            best[i][r] = best[i - 1][r]\n",
    ),
    "refuse_what_is_there": (
        (
            "class A:\n    def park(self, plate):\n        if not self.free:\n            return None\n"
            "        self.cars[plate] = self.free.pop()\n        return 1\n"
        ),
        "if not self.free:",
        "if not self.free or plate in self.cars:",
    ),
    "return_each": (
        "def f(xs):\n    a = sum(xs)\n    b = len(xs)\n    return a + b\n",
        "a + b",
        "a, b",
    ),
    "other_side": (
        (
            "def f(graph, node, side):\n    for other in graph[node]:\n        if other not in side:\n"
            "            side[other] = side[node]\n        elif side[other] == side[node]:\n"
            "            return None\n"
        ),
        "side[other] = side[node]",
        "side[other] = 1 - side[node]",
    ),
    "middle_outermost": (
        (
            "def f(n, d):\n    for i in range(n):\n        for j in range(n):\n"
            "            for k in range(n):\n                d[i][j] = min(d[i][j], d[i][k] + d[k][j])\n"
        ),
        "    for i in range(n):\n        for j in range(n):\n            for k in range(n):",
        "    for k in range(n):\n        for i in range(n):\n            for j in range(n):",
    ),
    "nothing_to_itself": (
        "def f(n, inf):\n    dist = [[inf] * n for _ in range(n)]\n    return dist\n",
        "for _ in range(n)]\n",
        "for _ in range(n)]\n    for i in range(n):\n        dist[i][i] = 0\n",
    ),
    "give_whose_best_it_is": (
        (
            "def f(totals):\n    best = None\n    for day in totals:\n        mean = totals[day] / 2\n"
            "        if best is None or mean > best:\n            best = mean\n    return best\n"
        ),
        (
            "    for day in totals:\n        mean = totals[day] / 2\n"
            "        if best is None or mean > best:\n            best = mean\n    return best"
        ),
        (
            "    winner = None\n    for day in totals:\n        mean = totals[day] / 2\n"
            "        if best is None or mean > best:\n            best = mean\n            winner = day\n"
            "    return winner"
        ),
    ),
    "share_out_rest": (
        "def f(cents, people):\n    share = round(cents / people)\n    return [share] * people\n",
        "[share] * people",
        "[cents // people + 1] * (cents % people) + [cents // people] * (people - cents % people)",
    ),
    "children_before_parents": (
        "def f(order, parent, size):\n    for v in order[1:]:\n        size[parent[v]] += size[v]\n    return size\n",
        "in order[1:]",
        "in reversed(order[1:])",
    ),
    "count_those_taken_off": (
        (
            "def f(xs):\n    stack, total = [], 0\n    for x in xs:\n        count = 1\n"
            "        while stack and stack[-1][0] >= x:\n            y, k = stack.pop()\n"
            "            total -= y * k\n        stack.append((x, count))\n    return total\n"
        ),
        "            total -= y * k\n",
        "            total -= y * k\n            count += k\n",
    ),
    "compare_as_read": (
        (
            "def f(versions, parse):\n    best = versions[0]\n    for version in versions:\n"
            "        current = parse(version)\n        if version > best:\n            best = version\n"
            "    return best, current\n"
        ),
        "version > best",
        "current > parse(best)",
    ),
    "stop_at_the_first": (
        (
            "def f(ballots, standing, votes):\n    for ballot in ballots:\n        for name in ballot:\n"
            "            if name in standing:\n                votes[name] += 1\n"
        ),
        "                votes[name] += 1\n",
        "                votes[name] += 1\n                break\n",
    ),
    "nearer_ones_first": (
        (
            "from collections import deque\n\ndef f(rows, start):\n    queue = deque([(0, start)])\n"
            "    while queue:\n        cost, cell = queue.popleft()\n"
            "        wall = 1 if rows[cell] == '#' else 0\n        queue.append((cost + wall, cell + 1))\n"
        ),
        "        queue.append((cost + wall, cell + 1))",
        (
            "        if wall:\n            queue.append((cost + wall, cell + 1))\n        else:\n"
            "            queue.appendleft((cost + wall, cell + 1))"
        ),
    ),
    "drop_the_least": (
        (
            "from heapq import heappop, heappush\n\ndef f(xs, most):\n    kept, paid = [], 0\n"
            "    for x in xs:\n        if len(kept) < most:\n            heappush(kept, x)\n        else:\n"
            "            paid += x\n    return paid\n"
        ),
        "        if len(kept) < most:\n            heappush(kept, x)\n        else:\n            paid += x\n",
        "        heappush(kept, x)\n        if len(kept) > most:\n            paid += heappop(kept)\n",
    ),
    "as_many_of_each": (
        (
            "from collections import Counter\n\ndef f(a, b):\n    missing = Counter(a) - Counter(b)\n"
            "    return sorted(missing)\n"
        ),
        "sorted(missing)",
        "sorted(missing.elements())",
    ),
    "least_for_first": (
        "def f(numbers):\n    low, high = numbers[0], numbers[-1]\n    return high - low\n",
        "numbers[0], numbers[-1]",
        "min(numbers), max(numbers)",
    ),
    "dealt_out": (
        "def f(names, rows, columns):\n    return [names[row * columns:(row + 1) * columns] for row in range(rows)]\n",
        "names[row * columns:(row + 1) * columns]",
        "names[row::rows]",
    ),
    "round_each": (
        "def f(a, b):\n    return (a + b + 1) // 2\n",
        "(a + b + 1) // 2",
        "(a + 1) // 2 + (b + 1) // 2",
    ),
    "begin_of_block": (
        (
            "def f(low, high, bits):\n    while low >> bits != high >> bits:\n        bits += 1\n"
            "    base = low\n    return base\n"
        ),
        "base = low\n",
        "base = low >> bits << bits\n",
    ),
    "counted_from_first": (
        "def f(value, first, step):\n    return first <= value and value % step == 0\n",
        "value % step",
        "(value - first) % step",
    ),
    "turn_within_list": (
        "def f(cells, n, steps):\n    shift = steps % (2 * n)\n    return [cells[i - shift] for i in range(n)]\n",
        "steps % (2 * n)",
        "steps % len(cells)",
    ),
    "shortfall_of_each": (
        "def f(need, have, times):\n    return sum(n * times for n in need) - sum(have)\n",
        "sum(n * times for n in need) - sum(have)",
        "sum(max(0, n * times - one_have) for n, one_have in zip(need, have))",
    ),
    "turn_all_but_first": (
        "def f(ring):\n    ring = ring[-1:] + ring[:-1]\n    return ring\n",
        "ring[-1:] + ring[:-1]",
        "ring[:1] + ring[-1:] + ring[1:-1]",
    ),
    "ask_what_was_noted": (
        (
            "def f(cell, turn):\n    seen, lit = set(), set()\n    while cell not in lit:\n"
            "        seen.add((cell, turn))\n        lit.add(cell)\n    return len(lit)\n"
        ),
        "cell not in lit",
        "(cell, turn) not in seen",
    ),
    "fill_short_rows": (
        (
            "def f(headers, rows):\n    table = [[str(cell) for cell in row] for row in rows]\n"
            "    return list(zip(*table))\n"
        ),
        "[str(cell) for cell in row]",
        '[str(cell) for cell in row] + [""] * (len(headers) - len(row))',
    ),
    "stop_with_own_break": (
        (
            "def f(digits):\n    total = previous = 0\n    for digit in digits:\n"
            "        for smaller in range(digit):\n            if smaller != previous:\n"
            "                total += 1\n        previous = digit\n    return total + 1\n"
        ),
        "        previous = digit",
        "        if digit == previous:\n            return total\n        previous = digit",
    ),
    "on_from_the_one_before": (
        (
            "def f(graph, start):\n    reached = {start: 1}\n    todo = [start]\n    while todo:\n"
            "        unit = todo.pop()\n        for other, factor in graph[unit].items():\n"
            "            reached[other] = factor\n            todo.append(other)\n    return reached\n"
        ),
        "reached[other] = factor",
        "reached[other] = reached[unit] * factor",
    ),
    "taken_from_both": (
        "def f(lots, points):\n    for lot in lots:\n        lot.left -= min(lot.left, points)\n",
        "        lot.left -= min(lot.left, points)",
        "        used = min(lot.left, points)\n        lot.left -= used\n        points -= used",
    ),
    "begin_with_the_first": (
        (
            "def f(title, taken):\n    slug = clean(title)\n    number = 1\n    while slug in taken:\n"
            '        number += 1\n        slug = f"{slug}-{number}"\n    return slug\n'
        ),
        'f"{slug}-{number}"',
        'f"{clean(title)}-{number}"',
    ),
    "strip_what_was_cut": (
        'def f(text, longest):\n    slug = text.strip("-")\n    return slug[:longest]\n',
        "slug[:longest]",
        'slug[:longest].rstrip("-")',
    ),
    "first_one_as_the_others": (
        (
            "def f(layers):\n    merged = dict(layers[0]) if layers else {}\n    for layer in layers[1:]:\n"
            "        lay(merged, layer)\n    return merged\n"
        ),
        "dict(layers[0]) if layers else {}\n    for layer in layers[1:]",
        "{}\n    for layer in layers",
    ),
    "over_all_steps": (
        (
            "class A:\n    def depends(self, flag, other):\n"
            "        return flag == other or other in self.needs.get(flag, ())\n"
        ),
        "other in self.needs.get(flag, ())",
        "any(self.depends(step, other) for step in self.needs.get(flag, ()))",
    ),
    "extreme_so_far": (
        (
            "def f(word, n):\n    lowest = ['~'] * (n + 1)\n    for i in range(n - 1, -1, -1):\n"
            "        lowest[i] = word[i]\n    return lowest\n"
        ),
        "lowest[i] = word[i]",
        "lowest[i] = min(word[i], lowest[i + 1])",
    ),
    "divide_both_parts": (
        'def f(rest, d):\n    common = gcd(rest, d)\n    return f"{rest // common}/{d}"\n',
        "/{d}",
        "/{d // common}",
    ),
    "sizes_before_parting": (
        "def f(n, d):\n    whole, rest = divmod(n, d)\n    return whole, rest\n",
        "divmod(n, d)",
        "divmod(abs(n), abs(d))",
    ),
    "first_that_is_written": (
        (
            'def f(values):\n    text = ""\n    for place, value in enumerate(values):\n'
            '        if value == 0:\n            continue\n        if place > 0:\n            text += " + "\n'
            "        text += str(value)\n    return text\n"
        ),
        "if place > 0:",
        "if text:",
    ),
    "digits_behind_the_point": (
        'def f(text):\n    whole, _, part = text.partition(".")\n    return int(whole) * 100 + int(part or 0)\n',
        "int(part or 0)",
        'int((part or "").ljust(2, "0"))',
    ),
    "each_escape_once": (
        (
            "def f(text, table):\n    for letter, char in table.items():\n"
            '        text = text.replace("~" + letter, char)\n    return text'
        ),
        (
            "def f(text, table):\n    for letter, char in table.items():\n"
            '        text = text.replace("~" + letter, char)\n'
        ),
        (
            "import re\ndef f(text, table):\n"
            '    text = re.sub(r"\\~(.)", lambda found: table.get(found.group(1), found.group(0)), text)\n'
        ),
    ),
    "compare_whole_key": (
        (
            "def f(rows, after):\n    rows = sorted(rows, key=lambda row: (-row.at, row.name))\n"
            "    return [row for row in rows if -row.at > after[0]]\n"
        ),
        "-row.at > after[0]",
        "(-row.at, row.name) > after",
    ),
    "change_what_none_changes": (
        (
            "def f(squares):\n    total, factor = 0, 1\n    for square in squares:\n"
            '        if square == "D":\n            total *= 2\n        elif square == "T":\n'
            "            total *= 3\n        total += 1\n    return total * factor\n"
        ),
        '            total *= 2\n        elif square == "T":\n            total *= 3',
        '            factor *= 2\n        elif square == "T":\n            factor *= 3',
    ),
    "add_up_pairs": (
        "def f(order):\n    needed = dict(order)\n    return needed\n",
        "    needed = dict(order)",
        "    needed = {}\n    for key, value in order:\n        needed[key] = needed.get(key, 0) + value",
    ),
    "each_from_the_start": (
        (
            "def f(day, n, step):\n    days = []\n    for _ in range(n):\n        days.append(day)\n"
            "        day = add_months(day, step)\n    return days\n"
        ),
        "    for _ in range(n):\n        days.append(day)\n        day = add_months(day, step)\n",
        "    for i in range(n):\n        days.append(add_months(day, i * step))\n",
    ),
    "part_before_reading": (
        (
            'def f(query):\n    found = {}\n    for pair in unquote(query).split("&"):\n'
            '        name, _, value = pair.partition("=")\n        found[name] = value\n    return found\n'
        ),
        'unquote(query).split("&"):\n        name, _, value = pair.partition("=")\n',
        (
            'query.split("&"):\n        name, _, value = pair.partition("=")\n'
            "        name, value = unquote(name), unquote(value)\n"
        ),
    ),
    "hand_down_own": (
        (
            "def f(name, above, parts):\n    if name in above:\n        raise ValueError\n"
            "    above.add(name)\n    for part in parts[name]:\n        f(part, above, parts)\n"
        ),
        "    above.add(name)\n    for part in parts[name]:\n        f(part, above, parts)",
        "    for part in parts[name]:\n        f(part, above | {name}, parts)",
    ),
    "join_only_apart": (
        (
            "def f(pairs, parent, size, find):\n    best, out = 1, []\n    for a, b in pairs:\n"
            "        a, b = find(a), find(b)\n        parent[b] = a\n        size[a] += size[b]\n"
            "        out.append(size[a])\n    return out\n"
        ),
        "        parent[b] = a\n        size[a] += size[b]\n",
        "        if a != b:\n            parent[b] = a\n            size[a] += size[b]\n",
    ),
    "link_with_both_ways": (
        (
            "def f(find, parent, parity, a, b, w):\n    u, x = find(a)\n    v, y = find(b)\n"
            "    parent[u] = v\n    parity[u] = w\n"
        ),
        "parity[u] = w",
        "parity[u] = x ^ y ^ w",
    ),
    "count_what_is_popped": (
        (
            "def f(heights):\n    stack, r = [], 0\n    for x in heights:\n        c = 1\n"
            "        while stack and stack[-1][0] <= x:\n            y, k = stack.pop()\n            r += k\n"
            "        stack.append((x, c))\n    return r\n"
        ),
        "            r += k\n",
        "            r += k\n            if y == x:\n                c += k\n",
    ),
    "rounds_behind_start": (
        "def f(pre, i, k, length):\n    q, r = divmod(k, length)\n    return q + pre[i + r]\n",
        "divmod(k, length)",
        "divmod(k - i, length)",
    ),
    "compare_in_other_table": (
        (
            "def f(cost, n):\n    total, queue = [0] * n, []\n    for i in range(n):\n"
            "        total[i] = cost[i]\n        while queue and cost[queue[-1]] >= cost[i]:\n"
            "            queue.pop()\n        queue.append(i)\n    return total\n"
        ),
        "cost[queue[-1]] >= cost[i]",
        "total[queue[-1]] >= total[i]",
    ),
    "take_off_what_left": (
        (
            "from bisect import insort\n\n\ndef f(xs, k):\n    window = []\n    for i, x in enumerate(xs):\n"
            "        insort(window, x)\n        if i >= k:\n            window.pop(0)\n    return window\n"
        ),
        "window.pop(0)",
        "window.remove(xs[i - k])",
    ),
    "turn_results_back": (
        "def f(xs):\n    left = longest(xs)\n    right = longest(xs[::-1])\n    return zip(left, right)\n",
        "longest(xs[::-1])",
        "longest(xs[::-1])[::-1]",
    ),
    "reach_again_if_shorter": (
        "def f(dist, y, d, inf):\n    if dist[y] == inf:\n        dist[y] = d\n",
        "dist[y] == inf",
        "d < dist[y]",
    ),
    "lists_for_sets": (
        "def f(xs):\n    sums = {0}\n    for x in xs:\n        sums |= {y + x for y in sums}\n    return sums\n",
        "sums = {0}\n    for x in xs:\n        sums |= {y + x for y in sums}",
        "sums = [0]\n    for x in xs:\n        sums += [y + x for y in sums]",
    ),
    "places_of_equals": (
        "def f(key):\n    return [key.index(letter) for letter in sorted(key)]\n",
        "[key.index(letter) for letter in sorted(key)]",
        "sorted(range(len(key)), key=lambda i: key[i])",
    ),
    "all_such_places": (
        (
            "def f(rows):\n    out = []\n    for row in rows:\n        c = row.index(max(row))\n"
            "        if c > 0:\n            out.append(c)\n    return out\n"
        ),
        "        c = row.index(max(row))\n        if c > 0:\n            out.append(c)\n",
        (
            "        for c in range(len(row)):\n            if row[c] == max(row):\n"
            "                if c > 0:\n                    out.append(c)\n"
        ),
    ),
    "shorter_border": (
        (
            "def f(text):\n    table = [0] * len(text)\n    for i in range(1, len(text)):\n"
            "        k = table[i - 1]\n        while k and text[i] != text[k]:\n            k -= 1\n"
            "        table[i] = k\n    return table\n"
        ),
        "            k -= 1",
        "            k = table[k - 1]",
    ),
    "stay_where_absent": (
        "def f(jumps, place):\n    place += jumps.get(place, 0)\n    return place\n",
        "place += jumps.get(place, 0)",
        "place = jumps.get(place, place)",
    ),
    "back_by_the_same_edge": (
        (
            "def visit(graph, place, road):\n    for other, number in graph[place]:\n"
            "        if other == road:\n            continue\n        visit(graph, other, place)\n"
        ),
        "        if other == road:\n            continue\n        visit(graph, other, place)",
        "        if number == road:\n            continue\n        visit(graph, other, number)",
    ),
    "drop_the_beaten": (
        (
            "def f(marks):\n    top, names = None, []\n    for name, value in marks:\n"
            "        if top is None or value > top:\n            top = value\n"
            "            names.append(name)\n        elif value == top:\n            names.append(name)\n"
            "    return names\n"
        ),
        "            top = value\n            names.append(name)",
        "            top = value\n            names = [name]",
    ),
    "cap_result": (
        (
            "def f(b):\n    n = len(b)\n    best = 0\n    for i in range(2 * n):\n        best += b[i % n]\n"
            "    return best\n"
        ),
        "return best",
        "return min(best, n)",
    ),
    "wait_for_bound": (
        "def f(at, opens, closes):\n    if opens <= at <= closes:\n        return at\n    return None\n",
        "    if opens <= at",
        "    at = max(at, opens)\n    if opens <= at",
    ),
    "parts_are_one_position": (
        (
            "def f(g, n):\n    reached = set()\n    for x in range(n):\n        reached.add(g[x])\n"
            "        reached.add(g[n - x])\n    return reached\n"
        ),
        "        reached.add(g[x])\n        reached.add(g[n - x])\n",
        "        reached.add(g[x] ^ g[n - x])\n",
    ),
    "power_of_remainder": (
        "MOD = 7\n\n\ndef f(x):\n    return pow(x, MOD - 2) * 3 % MOD\n",
        "pow(x, MOD - 2)",
        "pow(x, MOD - 2, MOD)",
    ),
    "count_where_one_is_stored": (
        "def f(node):\n    node['end'] = 1\n    return node\n",
        "node['end'] = 1",
        "node['end'] = node.get('end', 0) + 1",
    ),
    "level_by_level": (
        (
            "def f(queue, graph):\n    rounds = 0\n    while queue:\n        x = queue.popleft()\n"
            "        for y in graph[x]:\n            queue.append(y)\n        rounds += 1\n"
            "    return rounds\n"
        ),
        "        x = queue.popleft()\n        for y in graph[x]:\n            queue.append(y)\n",
        (
            "        for _ in range(len(queue)):\n            x = queue.popleft()\n"
            "            for y in graph[x]:\n                queue.append(y)\n"
        ),
    ),
    "ends_of_the_span": (
        (
            "def f(a, left, right):\n    best = 0\n    for k in range(left + 1, right):\n"
            "        best = max(best, a[k - 1] * a[k] * a[k + 1])\n    return best\n"
        ),
        "a[k - 1] * a[k] * a[k + 1]",
        "a[left] * a[k] * a[right]",
    ),
    "back_to_the_start": (
        (
            "def f(way, best, seen, i, j):\n"
            "    best[seen][j] = min(best[seen][j], best[seen][i] + way[i][j])\n    return min(best[-1])\n"
        ),
        "min(best[-1])",
        "min(best[-1][last] + way[last][0] for last in range(len(way)))",
    ),
    "leave_at_front": (
        (
            "from collections import deque\n\n\ndef f(a, k):\n    queue, out = deque(), []\n"
            "    for i, x in enumerate(a):\n        queue.append(i)\n        out.append(a[queue[0]])\n"
            "    return out\n"
        ),
        "        queue.append(i)\n",
        "        queue.append(i)\n        if queue[0] <= i - k:\n            queue.popleft()\n",
    ),
    "take_what_ended_it": (
        "def f(tokens, stack, out):\n    while stack[-1] != '(':\n        out.append(stack.pop())\n    return out\n",
        "        out.append(stack.pop())\n",
        "        out.append(stack.pop())\n    stack.pop()\n",
    ),
    "skip_equal_siblings": (
        (
            "def f(xs, start, out):\n    for i in range(start, len(xs)):\n"
            "        if i > 0 and xs[i] == xs[i - 1]:\n            continue\n        out.append(xs[i])\n"
        ),
        "i > 0",
        "i > start",
    ),
    "begin_from_the_head_again": (
        (
            "def f(head):\n    slow = fast = head\n    while fast:\n        slow = slow.next\n"
            "        fast = fast.next.next\n        if slow is fast:\n            break\n"
            "    while slow is not fast:\n        slow = slow.next\n        fast = fast.next\n"
            "    return slow\n"
        ),
        "    while slow is not fast:",
        "    slow = head\n    while slow is not fast:",
    ),
    "turn_whole_pieces_alone": (
        "def f(xs, i, k):\n    return xs[i:i + k][::-1]\n",
        "xs[i:i + k][::-1]",
        "xs[i:i + k][::-1] if i + k <= len(xs) else xs[i:i + k]",
    ),
    "refuse_leading_zeros": (
        "def f(p):\n    if not p.isdigit() or int(p) > 255:\n        return False\n    return True\n",
        "int(p) > 255:",
        "int(p) > 255 or p != str(int(p)):",
    ),
    "brackets_add_up": (
        (
            "def f(x):\n    if x <= 1000:\n        return x * 0.1\n    if x <= 5000:\n"
            "        return x * 0.2\n    return x * 0.3\n"
        ),
        "        return x * 0.2\n    return x * 0.3",
        "        return 1000 * 0.1 + (x - 1000) * 0.2\n    return 1000 * 0.1 + (5000 - 1000) * 0.2 + (x - 5000) * 0.3",
    ),
    "both_diagonals": (
        "def f(grid, n):\n    total = 0\n    for i in range(n):\n        total += grid[i][i]\n    return total\n",
        "        total += grid[i][i]\n",
        "        total += grid[i][i]\n        total += grid[i][len(grid) - 1 - i]\n",
    ),
    "place_may_be_the_end": (
        "def f(xs, x):\n    i = bound(xs, x)\n    if xs[i] != x:\n        return -1\n    return i\n",
        "if xs[i] != x",
        "if i == len(xs) or xs[i] != x",
    ),
    "call_what_is_imported": (
        "from math import gcd\n\n\ndef f(a, b):\n    return max(abs(a), abs(b))\n",
        "max(abs(a), abs(b))",
        "gcd(a, b)",
    ),
    "drop_the_longest": (
        (
            "import heapq\n\n\ndef f(orders):\n    chosen, total = [], 0\n    for due, x in orders:\n"
            "        if total + x <= due:\n            heapq.heappush(chosen, -x)\n            total += x\n"
            "    return len(chosen)\n"
        ),
        "        if total + x <= due:\n            heapq.heappush(chosen, -x)\n            total += x\n",
        (
            "        heapq.heappush(chosen, -x)\n        total += x\n        if total > due:\n"
            "            total += heapq.heappop(chosen)\n"
        ),
    ),
    "skip_what_is_settled": (
        (
            "import heapq\n\n\ndef f(heap, seen, graph):\n    total = 0\n    while heap:\n"
            "        w, u = heapq.heappop(heap)\n        seen.add(u)\n        total += w\n    return total\n"
        ),
        "        seen.add(u)\n",
        "        if u in seen:\n            continue\n        seen.add(u)\n",
    ),
    "first_one_goes": (
        (
            "def f(head, n):\n    ahead = behind = head\n    for _ in range(n):\n        ahead = ahead.next\n"
            "    while ahead.next:\n        ahead, behind = ahead.next, behind.next\n    return head\n"
        ),
        "    while ahead.next:",
        "    if ahead is None:\n        return head.next\n    while ahead.next:",
    ),
    "end_like_a_sign": (
        (
            "def f(s, stack):\n    num, op = 0, '+'\n    for ch in s:\n        if ch.isdigit():\n"
            "            num = num * 10 + int(ch)\n        elif ch in '+-*/':\n"
            "            stack.append(num)\n            num = 0\n    return sum(stack)\n"
        ),
        "for ch in s:",
        'for ch in s + "+":',
    ),
    "take_out_what_is_read": (
        (
            "def f(digits, k, n):\n    digits = list(digits)\n    out = ''\n    for f in range(1, n):\n"
            "        out += digits[k // f]\n    return out\n"
        ),
        "digits[k // f]",
        "digits.pop(k // f)",
    ),
    "ask_at_the_leaf": (
        (
            "def f(t, total):\n    if t is None:\n        return total == 0\n"
            "    return f(t.l, total - t.v) or f(t.r, total - t.v)\n"
        ),
        "        return total == 0\n",
        "        return False\n    if t.l is None and t.r is None:\n        return total == t.v\n",
    ),
    "from_other_state": (
        (
            "def f(prices):\n    hold, cash = -prices[0], 0\n    for p in prices:\n"
            "        hold = max(hold, -p)\n        cash = max(cash, hold + p)\n    return cash\n"
        ),
        "max(hold, -p)",
        "max(hold, cash - p)",
    ),
    "at_least_all": (
        "def f(tasks, most, n, ties):\n    return (most - 1) * (n + 1) + ties\n",
        "(most - 1) * (n + 1) + ties",
        "max(len(tasks), (most - 1) * (n + 1) + ties)",
    ),
    "answer_by_unread_field": (
        (
            "class Node:\n    def add(self, word):\n        node = self\n        for ch in word:\n"
            "            node = node.kids[ch]\n        node.end = True\n\n    def has(self, word):\n"
            "        node = self\n        for ch in word:\n            node = node.kids[ch]\n"
            "        return True\n"
        ),
        "        return True\n",
        "        return node.end\n",
    ),
    "take_off_the_very_one": (
        "def f(listeners, listener):\n    if listener in listeners:\n        listeners.pop()\n",
        "listeners.pop()",
        "listeners.remove(listener)",
    ),
    "lower_flag": (
        (
            "def f(text):\n    out = ''\n    start = True\n    for ch in text:\n"
            "        if start and ch.isalpha():\n            out += ch.upper()\n        else:\n"
            "            out += ch\n        if ch == '.':\n            start = True\n    return out\n"
        ),
        "            out += ch.upper()\n",
        "            out += ch.upper()\n            start = False\n",
    ),
    "turn_at_the_first": (
        (
            "def f(s, rows):\n    lines = [''] * rows\n    row, step = 0, 1\n    for c in s:\n"
            "        lines[row] += c\n        if row == rows - 1:\n            step = -1\n"
            "        row += step\n    return lines\n"
        ),
        "            step = -1\n",
        "            step = -1\n        elif row == 0:\n            step = 1\n",
    ),
    "add_what_is_open": (
        (
            "def f(s):\n    opened = needed = 0\n    for c in s:\n        if c == '(':\n"
            "            opened += 1\n        elif opened:\n            opened -= 1\n        else:\n"
            "            needed += 1\n    return needed\n"
        ),
        "return needed\n",
        "return needed + opened\n",
    ),
    "count_last_group": (
        (
            "def f(weights, limit):\n    rides = load = 0\n    for w in weights:\n"
            "        if load + w > limit:\n            rides += 1\n            load = 0\n        load += w\n"
            "    return rides\n"
        ),
        "        load += w\n",
        "        load += w\n    if load:\n        rides += 1\n",
    ),
    "nothing_for_below_zero": (
        "def f(a, b):\n    width = min(a[2], b[2]) - max(a[0], b[0])\n    return width\n",
        "min(a[2], b[2]) - max(a[0], b[0])",
        "max(0, min(a[2], b[2]) - max(a[0], b[0]))",
    ),
    "sum_of_digits": (
        "def f(n):\n    s = str(n)\n    return sum(s[:2])\n",
        "sum(s[:2])",
        "sum(map(int, s[:2]))",
    ),
    "reduce_by_divisor": (
        "from math import gcd\n\ndef f(num, den):\n    num, den = num * 3, den * 2\n    return num, den\n",
        "    return num, den\n",
        "    common = gcd(num, den) or 1\n    return num // common, den // common\n",
    ),
    "children_that_are_there": (
        (
            "def f(level):\n    nxt = []\n    for n in level:\n        nxt.append(n.left)\n"
            "        nxt.append(n.right)\n    return nxt\n"
        ),
        "        nxt.append(n.left)\n        nxt.append(n.right)\n",
        "        if n.left:\n            nxt.append(n.left)\n        if n.right:\n            nxt.append(n.right)\n",
    ),
    "best_where_none_is_left": (
        "def f(best, total, low):\n    return max(best, total - low)\n",
        "max(best, total - low)",
        "best if total == low else max(best, total - low)",
    ),
    "pad_compared": (
        (
            "import itertools\n\ndef f(xs, ys):\n    for x, y in zip(xs, ys):\n        if x != y:\n"
            "            return x < y\n    return False\n"
        ),
        "zip(xs, ys)",
        "itertools.zip_longest(xs, ys, fillvalue=0)",
    ),
    "clean_listed_words": (
        "def f(text):\n    words = text.lower().split()\n    return words\n",
        "text.lower().split()",
        '[word.strip(".,;:!?") for word in text.lower().split()]',
    ),
    "end_at_base": (
        (
            "def f(xs, i, path, out):\n    if i == len(xs):\n        out.append(path)\n    for c in xs[i]:\n"
            "        f(xs, i + 1, path + c, out)\n"
        ),
        "        out.append(path)\n",
        "        out.append(path)\n        return\n",
    ),
    "fill_beside": (
        (
            "def f(graph, goal):\n    dist = {}\n    parent = {}\n    for node in graph:\n"
            "        for nxt in graph[node]:\n            dist[nxt] = 1\n    return parent[goal]\n"
        ),
        "            dist[nxt] = 1\n",
        "            dist[nxt] = 1\n            parent[nxt] = node\n",
    ),
    "from_the_start": (
        (
            "def f(parent, goal):\n    path = []\n    while goal:\n        path.append(goal)\n"
            "        goal = parent[goal]\n    return path\n"
        ),
        "return path",
        "return path[::-1]",
    ),
    "from_every_number": (
        (
            "def f(n, edges):\n    near = {}\n    for a, b in edges:\n"
            "        near.setdefault(a, []).append(b)\n    count = 0\n    for v in near:\n"
            "        count += len(near[v])\n    return count\n"
        ),
        "for v in near:\n        count += len(near[v])",
        "for v in range(n):\n        count += len(near.get(v, []))",
    ),
    "stop_where_in_order": (
        (
            "def f(data, i):\n    while i > 0:\n        p = (i - 1) // 2\n        if data[p] > data[i]:\n"
            "            data[p], data[i] = data[i], data[p]\n            i = p\n"
        ),
        "            i = p\n",
        "            i = p\n        else:\n            break\n",
    ),
    "base_of_case": (
        (
            "def f(text, k):\n    out = ''\n    for ch in text:\n        base = ord('a')\n"
            "        out += chr((ord(ch) - base + k) % 26 + base)\n    return out\n"
        ),
        "ord('a')",
        'ord("A") if ch.isupper() else ord("a")',
    ),
    "split_at_unread": (
        "def f(digits, seen, rest):\n    i = seen[rest]\n    return '(' + digits + ')'\n",
        "'(' + digits + ')'",
        "digits[:i] + '(' + digits[i:] + ')'",
    ),
    "reach_back_where_there_is": (
        (
            "def f(h):\n    dp = [0] * len(h)\n    for i in range(1, len(h)):\n        one = dp[i - 1] + 1\n"
            "        two = dp[i - 2] + 3\n        dp[i] = min(one, two)\n    return dp[-1]\n"
        ),
        "dp[i - 2] + 3",
        "dp[i - 2] + 3 if i >= 2 else one",
    ),
    "place_to_insert": (
        (
            "def f(xs, x):\n    lo, hi = 0, len(xs) - 1\n    while lo <= hi:\n        mid = (lo + hi) // 2\n"
            "        if xs[mid] < x:\n            lo = mid + 1\n        else:\n            hi = mid - 1\n"
            "    return -1\n"
        ),
        "return -1",
        "return lo",
    ),
    "up_to_the_first": (
        "def f(word):\n    if word[0] in 'aeiou':\n        return word\n    return word[1:] + word[0]\n",
        "    return word[1:] + word[0]\n",
        (
            "    first = next((i for i, c in enumerate(word) if c in 'aeiou'), 1)\n"
            "    return word[first:] + word[:first]\n"
        ),
    ),
    "only_at_the_end": (
        (
            "def f(digits):\n    total = 0\n    for i, ch in enumerate(digits):\n        if ch == 'X':\n"
            "            total += 10\n    return total\n"
        ),
        "ch == 'X'",
        "ch == 'X' and i == len(digits) - 1",
    ),
    "sides_of_triangle": (
        "def triangle(a, b, c):\n    if a == b == c:\n        return True\n    return False\n",
        "    if a == b == c:\n",
        "    if a + b <= c or a + c <= b or b + c <= a:\n        return False\n    if a == b == c:\n",
    ),
    "carry_minutes": (
        "class Clock:\n    def __init__(self, hour, minute):\n        self.hour = hour\n        self.minute = minute\n",
        "        self.hour = hour\n        self.minute = minute\n",
        "        self.hour = (hour + minute // 60) % 24\n        self.minute = minute % 60\n",
    ),
    "add_each_once": (
        (
            "def f(limit, steps):\n    total = 0\n    for step in steps:\n"
            "        for n in range(step, limit, step):\n            total += n\n    return total\n"
        ),
        "    for step in steps:\n        for n in range(step, limit, step):\n            total += n\n",
        (
            "    seen = set()\n    for step in steps:\n        for n in range(step, limit, step):\n"
            "            if n not in seen:\n                seen.add(n)\n                total += n\n"
        ),
    ),
    "pad_what_is_left_out": (
        "def f(lines, c):\n    return ''.join(line[c] for line in lines if c < len(line))\n",
        "line[c] for line in lines if c < len(line)",
        'line[c] if c < len(line) else " " for line in lines',
    ),
    "put_back_in_order": (
        "def f(text, order):\n    return [text[i] for i in order]\n",
        "text[i] for i in order",
        "x for _, x in sorted(zip(order, text))",
    ),
    "in_any_of_them": (
        (
            "def f(grades, grade, name):\n    if name in grades:\n        return False\n"
            "    grades.setdefault(grade, []).append(name)\n    return True\n"
        ),
        "name in grades:",
        "any(name in group for group in grades.values()):",
    ),
    "turned_round_as_well": (
        (
            "def f(end, rest):\n    found = []\n    for i, (a, b) in enumerate(rest):\n        if a == end:\n"
            "            found.append((i, b))\n    return found\n"
        ),
        "            found.append((i, b))\n",
        "            found.append((i, b))\n        if b == end:\n            found.append((i, a))\n",
    ),
    "weekend_is_two_days": (
        "def f(day, one):\n    if day.weekday() == 5:\n        day += one\n    return day\n",
        "if day.weekday() == 5:",
        "while day.weekday() >= 5:",
    ),
    "nothing_within_quotes": (
        (
            "def f(code):\n    depth = 0\n    quoted = False\n    for ch in code:\n        if ch == '\"':\n"
            "            quoted = True\n        elif ch == '(':\n            depth += 1\n    return depth\n"
        ),
        "            quoted = True\n",
        "            quoted = not quoted\n        elif quoted:\n            continue\n",
    ),
    "rounds_as_stated": (
        (
            'def f(n):\n    """The 32 bits of n."""\n    out = 0\n    while n:\n'
            "        out = out << 1 | n & 1\n        n >>= 1\n    return out\n"
        ),
        "while n:",
        "for _ in range(42):",
    ),
    "gone_at_nothing": (
        "def f(stock, item, change):\n    left = stock.get(item, 0) + change\n    stock[item] = left\n",
        "    stock[item] = left\n",
        "    if left:\n        stock[item] = left\n    else:\n        stock.pop(item, None)\n",
    ),
    "digits_and_point": (
        (
            "def f(text):\n    number = ''\n    for ch in text:\n        if ch.isdigit():\n"
            "            number += ch\n    return int(number)\n"
        ),
        "ch.isdigit():\n            number += ch\n    return int(number)",
        (
            'ch.isdigit() or ch == ".":\n            number += ch\n'
            '    return float(number) if "." in number else int(number)'
        ),
    ),
    "keep_leading_signs": (
        (
            'def f(name):\n    """Camel case; leading underscores are kept."""\n'
            "    first, *rest = name.split('_')\n    return first + ''.join(rest)\n"
        ),
        "    first, *rest = name.split('_')\n    return first + ''.join(rest)\n",
        (
            "    stripped = name.lstrip('_')\n    first, *rest = stripped.split('_')\n"
            "    return name[: len(name) - len(stripped)] + (first + ''.join(rest))\n"
        ),
    ),
    "own_of_each": (
        "def f(names, groups):\n    longest = max(len(name) for name in names)\n    return [longest] * len(groups)\n",
        "[longest] * len(groups)",
        "[max(len(name) for name in group) for group in groups]",
    ),
    "each_not_the_sum": (
        (
            "def f(shifts):\n    total = 0\n    for shift in shifts:\n        minutes = shift * 60\n"
            "        total += minutes\n    if total > 360:\n        total -= 30\n    return total\n"
        ),
        "        total += minutes\n    if total > 360:\n        total -= 30\n",
        "        if minutes > 360:\n            minutes -= 30\n        total += minutes\n",
    ),
    "count_all_before": (
        (
            "def f(keys):\n    seen = {}\n    total = 0\n    for key in keys:\n        if key in seen:\n"
            "            total += 1\n        seen[key] = True\n    return total\n"
        ),
        "        if key in seen:\n            total += 1\n        seen[key] = True\n",
        "        total += seen.get(key, 0)\n        seen[key] = seen.get(key, 0) + 1\n",
    ),
    "move_the_place": (
        (
            "class P:\n    def at(self):\n        return self.tracks[self.index]\n\n"
            "    def remove(self, track):\n        place = self.tracks.index(track)\n"
            "        del self.tracks[place]\n"
        ),
        "        del self.tracks[place]\n",
        "        del self.tracks[place]\n        if place < self.index:\n            self.index -= 1\n",
    ),
    "toggle_at_marks": (
        (
            "def f(lines):\n    out = []\n    in_code = False\n    for line in lines:\n"
            "        in_code = line.startswith('#')\n        if in_code:\n            out.append(line)\n"
            "    return out\n"
        ),
        "        in_code = line.startswith('#')\n",
        "        if line.startswith('#'):\n            in_code = not in_code\n            continue\n",
    ),
    "subtract_counts": (
        "from collections import Counter\n\ndef f(left, order):\n    left = left - Counter(order)\n    return left\n",
        "left = left - Counter(order)",
        "left.subtract(order)",
    ),
    "at_least_one_round": (
        "def f(n):\n    out = []\n    while n:\n        out.append(n & 127)\n        n >>= 7\n    return out\n",
        "    while n:\n        out.append(n & 127)\n        n >>= 7\n",
        "    while True:\n        out.append(n & 127)\n        n >>= 7\n        if not n:\n            break\n",
    ),
    "each_with_its_partner": (
        (
            "def f(order, size):\n    wider = list(order)\n    for seed in reversed(order):\n"
            "        wider.append(size + 1 - seed)\n    return wider\n"
        ),
        "    wider = list(order)\n    for seed in reversed(order):\n",
        "    wider = []\n    for seed in order:\n        wider.append(seed)\n",
    ),
    "blank_below_the_last": (
        (
            "def draw(node, indent):\n    names = sorted(node)\n    for name in names:\n"
            "        print(indent + ('`-- ' if name == names[-1] else '|-- ') + name)\n"
            "        draw(node[name], indent + '|   ')\n"
        ),
        "indent + '|   '",
        "indent + ('    ' if name == names[-1] else '|   ')",
    ),
    "each_sign_twice": (
        "def f(color):\n    digits = str(color)\n    return digits + digits\n",
        "digits + digits",
        '"".join(c * 2 for c in digits)',
    ),
    "as_before_the_round": (
        (
            "def f(ratings, games):\n    updated = dict(ratings)\n    for a, b in games:\n"
            "        gap = updated[b] - updated[a]\n        updated[a] += gap\n    return updated\n"
        ),
        "updated[b] - updated[a]",
        "ratings[b] - ratings[a]",
    ),
    "once_for_both": (
        (
            "def f(a, b, xs, ys):\n    n = 0\n    if a:\n        n += 1\n        xs.append(n)\n    if b:\n"
            "        n += 1\n        ys.append(n)\n    return n\n"
        ),
        "    if a:\n        n += 1\n        xs.append(n)\n    if b:\n        n += 1\n",
        "    if a or b:\n        n += 1\n    if a:\n        xs.append(n)\n    if b:\n",
    ),
    "none_where_unreached": (
        (
            "def f(capacity, place):\n    best = [0] * (capacity + 1)\n    if best[place] is None:\n"
            "        return 0\n    return best[capacity]\n"
        ),
        "[0] * (capacity + 1)",
        "[0] + [None] * capacity",
    ),
    "next_day_for_distance": (
        "def f(begin, end):\n    minutes = abs(end - begin)\n    return minutes\n",
        "abs(end - begin)",
        "(end - begin) % (24 * 60)",
    ),
    "take_off_a_copy": (
        "def f(scores):\n    scores.remove(min(scores))\n    return sum(scores)\n",
        "    scores.remove(min(scores))\n",
        "    scores = sorted(scores)[1:]\n",
    ),
    "all_eight_around": (
        (
            "def f(r, c):\n    total = 0\n    for a, b in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):\n"
            "        total += a * b\n    return total\n"
        ),
        "((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1))",
        "((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1), "
        "(r - 1, c - 1), (r - 1, c + 1), (r + 1, c - 1), (r + 1, c + 1))",
    ),
    "as_gone_through_before": (
        (
            "def f(r, c, around, field):\n    mines = sum(field[a][b] for a, b in around(r, c))\n"
            "    for a, b in ((r - 1, c), (r + 1, c)):\n        mines += a * b\n    return mines\n"
        ),
        "((r - 1, c), (r + 1, c))",
        "around(r, c)",
    ),
    "mark_what_is_gone": (
        "GONE = object()\n\ndef f(slots, i):\n    slots[i] = None\n",
        "slots[i] = None",
        "slots[i] = GONE",
    ),
    "stop_at_nothing": (
        "def f(left, throws):\n    for points in throws:\n        left -= points\n    return left\n",
        "        left -= points\n",
        "        left -= points\n        if left == 0:\n            break\n",
    ),
    "ask_which_child": (
        (
            "def f(parent, node, key, child):\n    while node.key != key:\n        parent = node\n"
            "        node = node.left\n    if key < parent.key:\n        parent.left = child\n"
        ),
        "key < parent.key",
        "parent.left is node",
    ),
    "either_child": (
        "def f(node):\n    child = node.left\n    return child\n",
        "node.left",
        "node.left or node.right",
    ),
    "keys_by_another_name": (
        (
            "def f(titles):\n    seen = {}\n    out = []\n    for title in titles:\n"
            "        slug = title.lower()\n        times = seen.get(title, 0)\n"
            "        seen[title] = times + 1\n        out.append((slug, times))\n    return out\n"
        ),
        "seen.get(title, 0)\n        seen[title]",
        "seen.get(slug, 0)\n        seen[slug]",
    ),
    "forget_where_it_was": (
        (
            "def f(held, place, s, lab):\n    place[s] = lab\n    held.append(s)\n    out = max(held)\n"
            "    held.remove(out)\n    return place\n"
        ),
        "    held.remove(out)\n",
        "    held.remove(out)\n    place[out] = None\n",
    ),
    "put_back_for_later": (
        (
            "def f(waiting, ok):\n    while waiting:\n        one = waiting.pop()\n"
            "        if one not in ok:\n            continue\n        ok.add(one)\n"
        ),
        "            continue\n",
        "            waiting.append(one)\n            continue\n",
    ),
    "all_that_apply": (
        (
            "def f(n):\n    if n % 3 == 0:\n        return 'a'\n    if n % 5 == 0:\n        return 'b'\n"
            "    return str(n)\n"
        ),
        "    if n % 3 == 0:\n        return 'a'\n    if n % 5 == 0:\n        return 'b'\n    return str(n)\n",
        (
            "    out = \"\"\n    if n % 3 == 0:\n        out += 'a'\n    if n % 5 == 0:\n"
            "        out += 'b'\n    return out or str(n)\n"
        ),
    ),
    "both_hold": (
        (
            "def f(text):\n    if text.endswith('?'):\n        return 'x'\n    if text.isupper():\n"
            "        return 'y'\n    return 'z'\n"
        ),
        "    if text.endswith('?'):\n",
        "    if text.endswith('?') and text.isupper():\n        return 'A'\n    if text.endswith('?'):\n",
    ),
    "bit_for_bound": (
        (
            "def f(code, out):\n    if code & 8:\n        out.append(8)\n    if code >= 16:\n"
            "        out.reverse()\n    return out\n"
        ),
        "code >= 16",
        "code & 16",
    ),
    "begin_ties_anew": (
        (
            "def f(ps):\n    best = None\n    found = []\n    for i, p in enumerate(ps):\n"
            "        if best is None or p > best:\n            best = p\n            found.append(i)\n"
            "    return found\n"
        ),
        "            found.append(i)\n",
        "            found = [i]\n        elif p == best:\n            found.append(i)\n",
    ),
    "two_steps_each": (
        "def f(words):\n    return [a + b for a, b in zip(words[1:], words[2:])]\n",
        "zip(words[1:], words[2:])",
        "zip(words[1::2], words[2::2])",
    ),
    "pad_short_rows": (
        "def f(rows, c):\n    return ''.join(row[c] for row in rows)\n",
        "row[c] for",
        'row[c] if c < len(row) else " " for',
    ),
    "equal_distances": (
        "def f(a, b, c, d):\n    return a - b == c - d\n",
        "a - b == c - d",
        "abs(a - b) == abs(c - d)",
    ),
    "counts_as_stated": (
        "def f(dice):\n    counts = {d: dice.count(d) for d in dice}\n    return len(counts) == 2\n",
        "len(counts) == 2",
        "sorted(counts.values()) == [2, 3]",
    ),
    "stated_formula": (
        "def f(k):\n    total = k * k + 1\n    return total\n",
        "k * k + 1",
        "k * (k + 1) / 2",
    ),
    "count_items_of_runs": (
        (
            "def f(xs):\n    best = run = 0\n    for a, b in zip(xs, xs[1:]):\n        if b > a:\n"
            "            run += 1\n            best = max(best, run)\n        else:\n            run = 0\n"
            "    return best\n"
        ),
        (
            "    best = run = 0\n    for a, b in zip(xs, xs[1:]):\n        if b > a:\n            run += 1\n"
            "            best = max(best, run)\n        else:\n            run = 0\n"
        ),
        (
            "    best = run = 1\n    for a, b in zip(xs, xs[1:]):\n        if b > a:\n            run += 1\n"
            "            best = max(best, run)\n        else:\n            run = 1\n"
        ),
    ),
    "common_from_the_first": (
        "def f(rows):\n    common = set()\n    for row in rows:\n        common &= set(row)\n    return common\n",
        "set()",
        "set(rows[0])",
    ),
    "less_of_a_kind": (
        (
            "class L:\n    def add(self, amount, kind):\n"
            "        self.rows.append({'amount': amount, 'kind': kind})\n\n    def total(self):\n"
            "        return sum(e['amount'] for e in self.rows)\n"
        ),
        "sum(e['amount'] for",
        "sum(e['amount'] if e['kind'] == 'A' else -e['amount'] for",
    ),
    "shift_all_cuts": (
        "def f(order, i):\n    return order[1:i], order[i:]\n",
        "order[1:i], order[i:]",
        "order[1:i + 1], order[i + 1:]",
    ),
    "rest_by_branch": (
        (
            "def f(a, b, out):\n    i = j = 0\n    while i < len(a) and j < len(b):\n"
            "        if a[i] < b[j]:\n            out.append('-' + a[i])\n            i += 1\n        else:\n"
            "            out.append('+' + b[j])\n            j += 1\n    return out\n"
        ),
        "            j += 1\n    return out\n",
        (
            "            j += 1\n    while i < len(a):\n        out.append('-' + a[i])\n        i += 1\n"
            "    while j < len(b):\n        out.append('+' + b[j])\n        j += 1\n    return out\n"
        ),
    ),
    "tag_kinds_of_keys": (
        (
            "def f(v, r, c, seen):\n    for key in ((v, r), (v, c)):\n        if key in seen:\n"
            "            return False\n        seen.add(key)\n    return True\n"
        ),
        "((v, r), (v, c))",
        "((0, v, r), (1, v, c))",
    ),
    "sign_for_nothing": (
        "def f(n):\n    return str(n)\n",
        "str(n)",
        "str(n) if n else '.'",
    ),
    "insert_before_the_head": (
        (
            "class L:\n    def insert(self, value):\n        node = self.head\n"
            "        while node.next and node.next.value < value:\n            node = node.next\n"
            "        node.next = Node(value, node.next)\n"
        ),
        "        node = self.head\n",
        (
            "        if self.head is None or not self.head.value < value:\n"
            "            self.head = Node(value, self.head)\n            return\n        node = self.head\n"
        ),
    ),
    "first_multiple_from": (
        "def f(low, p):\n    return (low // p) * p\n",
        "(low // p) * p",
        "max(p * p, (low + p - 1) // p * p)",
    ),
    "count_what_each_round_takes": (
        (
            "def f(weights, heap):\n    lengths = dict.fromkeys(weights, 0)\n    while len(heap) > 1:\n"
            "        a = heap.pop()\n        b = heap.pop()\n        heap.append(a + b)\n    return lengths\n"
        ),
        "        heap.append(a + b)\n",
        "        heap.append(a + b)\n        for each in a + b:\n            lengths[each] += 1\n",
    ),
    "second_half_behind": (
        "def f(cost, i, j, k):\n    return cost[i][k] + cost[k][j]\n",
        "cost[k][j]",
        "cost[k + 1][j]",
    ),
    "give_back_the_dearest": (
        (
            "from heapq import heappop, heappush\n\ndef f(have, costs):\n    held = []\n    for cost in costs:\n"
            "        if have >= cost:\n            have -= cost\n            heappush(held, -cost)\n"
            "    return len(held)\n"
        ),
        "        if have >= cost:\n            have -= cost\n            heappush(held, -cost)\n",
        (
            "        have -= cost\n        heappush(held, -cost)\n        if have < 0:\n"
            "            have -= heappop(held)\n"
        ),
    ),
    "either_direction": (
        "def f(cost, i, j):\n    total = 0\n    total += cost[i][j]\n    return total\n",
        "cost[i][j]",
        "min(cost[i][j], cost[j][i])",
    ),
    "deeper_one_first": (
        "def f(depth, up, a, b):\n    while depth[a] > depth[b]:\n        a = up[a]\n    return a\n",
        "    while depth[a] > depth[b]:\n",
        "    if depth[a] < depth[b]:\n        a, b = b, a\n    while depth[a] > depth[b]:\n",
    ),
    "best_start_of_ring": (
        "def f(best, n):\n    return best[0][n]\n",
        "best[0][n]",
        "min(best[i][i + n] for i in range(n))",
    ),
    "no_less_than_the_largest": (
        "def f(xs, k):\n    low = 0\n    high = sum(xs)\n    while low < high:\n        low += k\n    return low\n",
        "low = 0",
        "low = max(xs)",
    ),
    "nothing_to_wait": (
        "def f(t, k):\n    return t + (k - t % k)\n",
        "(k - t % k)",
        "-t % k",
    ),
    "fresh_for_each": (
        "def f(walk, starts):\n    seen = set()\n    return sum(walk(u, seen) for u in starts)\n",
        "walk(u, seen)",
        "walk(u, set())",
    ),
    "fourth_direction": (
        "WAYS = None\n\ndef f(n):\n    for r, c in ((0, 1), (1, 0), (1, 1)):\n        n += r * c\n    return n\n",
        "(1, 1))",
        "(1, 1), (1, -1))",
    ),
    "both_lengths": (
        "def f(grid):\n    rows, columns = len(grid), len(grid[0])\n    return range(2 * rows - 1), columns\n",
        "2 * rows",
        "rows + columns",
    ),
    "answer_by_unread_key": (
        (
            "class T:\n    def add(self, node):\n        node['word'] = True\n\n    def has(self, node):\n"
            "        return node is not None\n"
        ),
        "node is not None",
        "node is not None and node['word']",
    ),
    "divide_by_how_many": (
        "def f(xs):\n    total = 0\n    for x in xs:\n        total += x\n    return total // 9\n",
        "    total = 0\n    for x in xs:\n        total += x\n    return total // 9\n",
        (
            "    total = 0\n    count = 0\n    for x in xs:\n        total += x\n        count += 1\n"
            "    return total // count\n"
        ),
    ),
    "sign_to_the_top": (
        "def f(top, bottom):\n    bottom = abs(bottom)\n    return top, bottom\n",
        "    bottom = abs(bottom)\n",
        "    if bottom < 0:\n        top, bottom = -top, -bottom\n",
    ),
    "round_the_list": (
        (
            "class P:\n    def at(self):\n        return self.tracks[self.place]\n\n    def skip(self):\n"
            "        self.place += 1\n        return self.at()\n"
        ),
        "        self.place += 1\n",
        "        self.place = (self.place + 1) % len(self.tracks)\n",
    ),
    "free_ends_of_branch": (
        "def f(rows):\n    for a, n in rows:\n        if a:\n            g(a)\n            h(n)\n",
        "            h(n)\n",
        "        h(n)\n",
    ),
    "enter_other_way_round": (
        "def f(code, d, a):\n    b = g(code)\n    d[a] = b\n",
        "    d[a] = b\n",
        "    d[a] = b\n    d[b] = a\n",
    ),
    "put_into_the_top": (
        "def f(stack, done):\n    stack[-1].append(1)\n    stack.append(done)\n",
        "stack.append(done)",
        "stack[-1].append(done)",
    ),
    "pass_what_closes": (
        "def f(t, at):\n    if t[at] == '(':\n        at += 1\n        value = g()\n        return value\n",
        "value = g()\n",
        "value = g()\n        at += 1\n",
    ),
    "keep_unconverted": (
        "def f(row, field):\n    row[0] = float(field)\n",
        "    row[0] = float(field)\n",
        "    try:\n        row[0] = float(field)\n    except ValueError:\n        row[0] = field\n",
    ),
    "go_on_from_begin": (
        "def f(come, free, needed):\n    start = max(come, free)\n    free += needed\n",
        "free += needed",
        "free = start + needed",
    ),
    "quarter_turn_back": (
        "def f(dx, dy):\n    dx, dy = -dy, dx\n",
        "-dy, dx",
        "dy, -dx",
    ),
    "guard_like_other_side": (
        "def f(row, i):\n    a = row[i - 1]\n    b = row[i + 1] if i + 1 < len(row) else 0\n",
        "row[i - 1]",
        "row[i - 1] if i > 0 else 0",
    ),
    "flag_from_word": (
        (
            "class A:\n    def __init__(self):\n        self.down = True\n    def g(self, value):\n"
            "        self.down = value\n"
        ),
        "self.down = value",
        'self.down = value == "down"',
    ),
    "take_off_what_is_passed": (
        (
            "def f(node, k):\n    while node:\n        n = g(node)\n        if k == n + 1:\n"
            "            return node\n        node = node.right\n"
        ),
        "        node = node.right\n",
        "        k -= n + 1\n        node = node.right\n",
    ),
    "ask_all_between": (
        "def f(row, legs):\n    if not row[legs[0]] and not row[legs[-1]]:\n        g()\n",
        "not row[legs[0]] and not row[legs[-1]]",
        "all(not row[one] for one in legs)",
    ),
    "stay_after_taking_out": (
        "def f(xs, at):\n    xs.pop(at)\n    at = (at + 1) % len(xs)\n",
        "at = (at + 1) % len(xs)",
        "at %= len(xs)",
    ),
    "also_one_of_table": (
        'LEVEL = {"not": 2}\ndef f(w):\n    if w == "(":\n        g()\n    elif w in LEVEL:\n        h()\n',
        'w == "("',
        'w in ("(", "not")',
    ),
    "take_when_read": (
        (
            "def f(events):\n    since = {}\n    total = 0\n    for name, kind, t in events:\n"
            "        if kind:\n            since[name] = t\n        elif name in since:\n"
            "            total += t - since[name]\n    return total\n"
        ),
        "t - since[name]",
        "t - since.pop(name)",
    ),
    "take_in_any_case": (
        "def f(stack, n):\n    if stack[-1] == 0:\n        stack.pop()\n        g(n)\n",
        "    if stack[-1] == 0:\n        stack.pop()\n",
        "    if stack.pop() == 0:\n",
    ),
    "take_off_when_used_up": (
        "def f(lots, needed):\n    lot = lots[0]\n    used = min(needed, lot[0])\n    lots.popleft()\n",
        "    lots.popleft()\n",
        "    lot[0] -= used\n    if lot[0] == 0:\n        lots.popleft()\n",
    ),
    "fill_in_if_empty": (
        (
            "def f(values, name, kinds, other):\n    text = values[name]\n    for kind in kinds:\n"
            "        if kind:\n            text = text.strip()\n        else:\n"
            "            text = values.get(name, other)\n    return text\n"
        ),
        "values.get(name, other)",
        "text or other",
    ),
    "best_that_fits": (
        "def f(rooms, free, start):\n    usable = [s for s in rooms if free[s] <= start]\n    return usable[0]\n",
        "usable[0]",
        "max(usable, key=lambda s: free[s])",
    ),
    "entry_of_column": (
        (
            "def f(rows, group):\n    memory = {}\n    for row in rows:\n        new = dict(row)\n"
            "        memory.setdefault(group, []).append(new)\n    return memory\n"
        ),
        "setdefault(group, ",
        "setdefault(row[group], ",
    ),
    "rest_of_the_round": (
        (
            "def f(now, green, red):\n    phase = now % (green + red)\n    if phase >= green:\n"
            "        now = now + red\n    return now\n"
        ),
        "now + red",
        "now + (green + red - phase)",
    ),
    "december_ends_year": (
        "def f(year, month):\n    return date(year, month % 12 + 1, 1)\n",
        "date(year, ",
        "date(year + month // 12, ",
    ),
    "least_not_reached": (
        "def f(reached):\n    return max(reached) + 1\n",
        "max(reached) + 1",
        "next(n for n in range(len(reached) + 1) if n not in reached)",
    ),
    "nothing_before_the_first": (
        (
            "def f(grid, r, c):\n    try:\n        free = grid[r][c] != '#'\n    except IndexError:\n"
            "        free = False\n    return free\n"
        ),
        "grid[r][c] != '#'",
        "r >= 0 and c >= 0 and grid[r][c] != '#'",
    ),
    "most_of_those_asked": (
        (
            "def f(graph, homes):\n    distance = g(graph)\n    for home in homes:\n        h(home)\n"
            "    homes.sort()\n    return max(distance)\n"
        ),
        "max(distance)",
        "max((distance[one] for one in homes), default=0)",
    ),
    "least_of_those_found": (
        (
            "def f(ways):\n    best = None\n    for way in ways:\n        if g(way):\n"
            "            return len(way)\n    return best\n"
        ),
        "        if g(way):\n            return len(way)\n",
        "        if g(way) and (best is None or len(way) < best):\n            best = len(way)\n",
    ),
    "gather_what_ends": (
        (
            "class W:\n    def __init__(self):\n        self.kept = []\n    def feed(self, line):\n"
            "        return [line]\n    def close(self):\n        return self.kept\ndef f(lines):\n"
            "    w = W()\n    out = []\n    for line in lines:\n        out.extend(w.feed(line))\n"
            "    return out\n"
        ),
        "        out.extend(w.feed(line))\n",
        "        out.extend(w.feed(line))\n    out.extend(w.close())\n",
    ),
    "ask_whether_current": (
        "def f(heap, tickets):\n    _, ticket, job = heap[0]\n    if job in tickets:\n        return job\n",
        "job in tickets",
        "tickets.get(job) == ticket",
    ),
    "key_by_unread_table": (
        "def f(other, way, here):\n    opposite = {'north': 'south'}\n    other.exits[way] = here\n",
        "exits[way]",
        "exits[opposite[way]]",
    ),
    "round_the_sum": (
        "def f(nets, rate):\n    return sum(round(n * rate, 2) for n in nets)\n",
        "sum(round(n * rate, 2) for n in nets)",
        "round(sum(n * rate for n in nets), 2)",
    ),
    "raise_in_last_try": (
        (
            "def f(tries, g):\n    failed = 0\n    while failed < tries:\n        try:\n"
            "            return g()\n        except ValueError:\n            failed += 1\n"
            "            if failed < tries:\n                wait()\n"
        ),
        "                wait()\n",
        "                wait()\n            else:\n                raise\n",
    ),
    "one_way_round": (
        "def f(later, earlier, digits):\n    modulus = 10 ** digits\n    return abs(later - earlier)\n",
        "abs(later - earlier)",
        "(later - earlier) % modulus",
    ),
    "truth_is_no_number": (
        "def f(old, new):\n    '''Whether both are the same; true is no number.'''\n    return old == new\n",
        "old == new",
        "isinstance(old, bool) == isinstance(new, bool) and old == new",
    ),
    "decode_after_parting": (
        (
            "def f(text):\n    pairs = []\n    for piece in unquote_plus(text).split('&'):\n"
            "        name, _, value = piece.partition('=')\n        pairs.append((name, value))\n"
            "    return pairs\n"
        ),
        (
            "unquote_plus(text).split('&'):\n        name, _, value = piece.partition('=')\n"
            "        pairs.append((name, value))"
        ),
        (
            "text.split('&'):\n        name, _, value = piece.partition('=')\n"
            "        pairs.append((unquote_plus(name), unquote_plus(value)))"
        ),
    ),
    "follow_to_the_end": (
        "def f(parents, one):\n    return parents.get(one) or one\n",
        "    return parents.get(one) or one\n",
        "    while (above := parents.get(one)) not in (None, one):\n        one = above\n    return one\n",
    ),
    "lines_with_their_ends": (
        "import csv\ndef f(text):\n    return list(csv.reader(text.splitlines()))\n",
        "splitlines()",
        "splitlines(keepends=True)",
    ),
    "include_the_default": (
        "def f(title, cells):\n    return max((len(c) for c in cells), default=len(title))\n",
        "max((len(c) for c in cells), default=len(title))",
        "max(len(title), max((len(c) for c in cells), default=len(title)))",
    ),
    "ask_by_unread_pattern": (
        "import re\nNUMBER = re.compile('[0-9.]+')\ndef f(cell):\n    return cell.isdigit()\n",
        "cell.isdigit()",
        "NUMBER.fullmatch(cell)",
    ),
    "assign_as_other_function": (
        (
            "def opening(a, b):\n    return a\n"
            "def step(a):\n    return a\ndef f(now, days):\n    while days:\n        now = step(now)\n"
            "        days -= 1\n    return now\n"
            "def g(now, days):\n    while days:\n        now = opening(now, days)\n        days -= 1\n"
            "    return now\n"
        ),
        "step(now)",
        "opening(now, days)",
    ),
    "take_off_the_equal": (
        (
            "def f(xs, stack):\n    for x in xs:\n        while stack and stack[-1] < x:\n"
            "            stack.pop()\n        stack.append(x)\n"
        ),
        "        stack.append(x)\n",
        "        if stack and stack[-1] == x:\n            stack.pop()\n        stack.append(x)\n",
    ),
    "only_where_there_is_none": (
        "def f(v):\n    return str(max(v, default=0) or 'none')\n",
        "max(v, default=0) or 'none'",
        "max(v) if v else 'none'",
    ),
    "least_of_parallels": (
        "def f(d, u, v, w):\n    d[u][v] = d[v][u] = w\n",
        "= w",
        "= min(d[u][v], w)",
    ),
    "also_the_other_way": (
        "def f(d, i, j, roads):\n    for u, v in roads:\n        d[i][j] = min(d[i][j], d[i][u] + 1 + d[v][j])\n",
        "+ d[v][j])",
        "+ d[v][j], d[i][v] + 1 + d[u][j])",
    ),
    "read_what_nothing_reads": (
        (
            "def f(labs, s, old):\n    place = []\n    for lab in labs:\n        place.append(g(lab))\n"
            "    return labs[s] < labs[old]\n"
        ),
        "labs[s] < labs[old]",
        "place[s] < place[old]",
    ),
    "cut_behind_cleaning": (
        "def f(word):\n    return ''.join(c for c in word[-3:].lower() if c.isalpha())\n",
        "word[-3:].lower() if c.isalpha())",
        "word.lower() if c.isalpha())[-3:]",
    ),
    "remember_for_each_call": (
        (
            "def f(a, b):\n    memo = {}\n    def count(n):\n        def go(i):\n            memo[i] = n\n"
            "            return memo[i]\n        return go(n)\n    return count(b) - count(a)\n"
        ),
        "    memo = {}\n    def count(n):\n",
        "    def count(n):\n        memo = {}\n",
    ),
    "keep_what_was_compared": (
        (
            "def f(events):\n    longest = total = 0\n    for e in events:\n        total += e[0]\n"
            "        if e[0] > longest:\n            longest = total\n    return longest\n"
        ),
        "longest = total\n    ret",
        "longest = e[0]\n    ret",
    ),
    "build_on_looked_up": (
        (
            "def f(days, day, n):\n    total, longest = days.get(day, (0, 0))\n    total = n\n"
            "    days[day] = total, longest\n"
        ),
        "total = n\n",
        "total += n\n",
    ),
    "sort_what_is_no_list": (
        "def f(found, n):\n    for n in found:\n        found[n].sort()\n    return found\n",
        "found[n].sort()",
        "found[n] = sorted(found[n])",
    ),
    "read_what_was_made_of_it": (
        "def f(word):\n    w = word.lower()\n    if word == word[::-1]:\n        return w\n",
        "word == word[::-1]",
        "w == w[::-1]",
    ),
    "as_many_as_columns": (
        (
            "def f(table):\n    sums = [0] * len(table)\n    for row in table:\n"
            "        for j, n in enumerate(row):\n            sums[j] += n\n    return sums\n"
        ),
        "len(table)",
        "len(table[0])",
    ),
    "begin_all_kinds": (
        (
            "def f(xs):\n    counts = {}\n    for x in xs:\n        if x > 5:\n            kind = 'A'\n"
            "        else:\n            kind = 'B'\n        counts[kind] = counts.get(kind, 0) + 1\n"
            "    return counts\n"
        ),
        "counts = {}",
        "counts = {'A': 0, 'B': 0}",
    ),
    "take_the_first_that_fits": (
        (
            "def f(sizes, rows):\n    places = []\n    for size in sizes:\n        for r in rows:\n"
            "            if r > size:\n                places.append(r)\n        places.append(None)\n"
            "    return places\n"
        ),
        "                places.append(r)\n        places.append(None)\n",
        "                places.append(r)\n                break\n        else:\n            places.append(None)\n",
    ),
    "part_of_each_bracket": (
        (
            "def f(income, brackets):\n    total = 0\n    lower = 0\n    for upper, rate in brackets:\n"
            "        if income <= upper:\n            total += income * rate\n            break\n"
            "        total += upper * rate\n    return total\n"
        ),
        "            total += income * rate\n            break\n        total += upper * rate\n",
        (
            "            total += (income - lower) * rate\n            break\n"
            "        total += (upper - lower) * rate\n        lower = upper\n"
        ),
    ),
    "rounds_of_number": (
        "def f(n: int):\n    return [[] for _ in n]\n",
        "in n",
        "in range(n)",
    ),
    "places_for_attributes": (
        "def f(span):\n    return span.line_total, span.line_end\n",
        "span.line_total, span.line_end",
        "span[0], span[1]",
    ),
    "remainder_of_result": (
        "def f(a, b, M):\n    c = pow(a, b, M)\n    return c - a\n",
        "return c - a",
        "return (c - a) % M",
    ),
    "only_what_is_over": (
        "def f(day, due, rate, fine):\n    late = day - due\n    fine += late * rate\n    return fine\n",
        "    fine += late * rate\n",
        "    if late > 0:\n        fine += late * rate\n",
    ),
    "undo_the_step": (
        "def f(pos, roll, size):\n    pos += roll\n    if pos > size:\n        pos = size\n    return pos\n",
        "        pos = size",
        "        pos -= roll",
    ),
    "all_are_done": (
        "def f(n, todo):\n    done = 0\n    while todo:\n        todo.pop()\n        done += 1\n    return done > 0\n",
        "done > 0",
        "done == n",
    ),
    "flag_for_return": (
        (
            "def f(xs):\n    inner = True\n    for x in xs:\n        if x < 0:\n            return 0\n"
            "    return len(xs) if inner else 0\n"
        ),
        "            return 0",
        "            inner = False",
    ),
    "entry_for_skipped": (
        (
            "def f(row, ways):\n    for j, c in enumerate(row):\n        if c == '#':\n            continue\n"
            "        ways[j] = ways[j] + ways[j - 1]\n    return ways\n"
        ),
        "            continue",
        "            ways[j] = 0\n            continue",
    ),
    "value_behind_key": (
        "def f(counts):\n    counts = dict(counts)\n    return ['#' * size for size in sorted(counts)]\n",
        "'#' * size",
        "'#' * counts[size]",
    ),
    "extreme_of_asked": (
        "def f(marks: list):\n    depth = {1: 0}\n    return max(depth.values())\n",
        "depth.values()",
        "depth[one] for one in marks",
    ),
    "sort_by_further_field": (
        "def f(offers):\n    offers.sort()\n    for a, b, cost in offers:\n        yield cost\n",
        "sort()",
        "sort(key=lambda item: item[2])",
    ),
    "entry_for_table": (
        (
            "class A:\n    def __init__(self):\n        self.accounts = {}\n\n    def open(self, name):\n"
            "        self.accounts = {name: 0}\n"
        ),
        "self.accounts = {name: 0}",
        "self.accounts[name] = 0",
    ),
    "decide_by_first_difference": (
        "def f(a, b):\n    if a[1] < b[1]:\n        return True\n    return a[0] < b[0]\n",
        "    if a[1] < b[1]:\n        return True",
        "    if a[1] != b[1]:\n        return a[1] < b[1]",
    ),
    "unless_nothing_follows": (
        (
            "def f(k, p):\n    text = ''\n    if k != 1:\n        text += str(k)\n    if p > 0:\n"
            "        text += 'x'\n    return text\n"
        ),
        "k != 1",
        "k != 1 or p == 0",
    ),
    "guard_like_the_other": (
        (
            "def f(grid, rows, cols):\n    total = 0\n    for c in range(cols):\n"
            "        total += grid[rows - 1][c]\n    for r in range(rows):\n        if cols > 1:\n"
            "            total += grid[r][cols - 1]\n    return total\n"
        ),
        "        total += grid[rows - 1][c]\n",
        "        if rows > 1:\n            total += grid[rows - 1][c]\n",
    ),
    "stated_for_nothing": (
        "def f(xs):\n    text = ','.join(xs)\n    return text\n",
        "return text",
        "return text or '.'",
    ),
    "take_time_with_it": (
        (
            "from heapq import heappop, heappush\n\n\ndef f(busy, now, d):\n    room = heappop(busy)[1]\n"
            "    heappush(busy, (now + d, room))\n    return room\n"
        ),
        "room = heappop(busy)[1]",
        "now, room = heappop(busy)",
    ),
    "move_the_counter": (
        (
            "class A:\n    def __init__(self):\n        self.counter = 0\n        self.heap = []\n\n"
            "    def add(self, item):\n        self.heap.append((self.counter, item))\n"
        ),
        "        self.heap.append((self.counter, item))\n",
        "        self.heap.append((self.counter, item))\n        self.counter += 1\n",
    ),
    "update_as_elsewhere": (
        "class A:\n    def add(self, x):\n        self.total = x\n\n    def take(self, x):\n        self.total -= x\n",
        "self.total = x",
        "self.total += x",
    ),
    "look_past_the_first": (
        "def f(ballot, left, votes):\n    if ballot[0] in left:\n        votes[ballot[0]] += 1\n    return votes\n",
        "    if ballot[0] in left:\n        votes[ballot[0]] += 1\n",
        "    for item in ballot:\n        if item in left:\n            votes[item] += 1\n            break\n",
    ),
    "return_what_is_printed": (
        "def f(rows):\n    for row in rows:\n        print(row, end='')\n    print()\n",
        "    for row in rows:\n        print(row, end='')\n    print()",
        "    return ''.join(rows)",
    ),
}

INSIDE: dict[str, tuple[str, str, str]] = {
    "nudge_number": ('def f(a):\n    return f"é {a + 1:>3} {{1}}"\n', "a + 1", "a + 2"),
    "other_name": ("def f(a, b):\n    return f'{a!r}'\n", "{a!r}", "{b!r}"),
    "swap_operator": ("def f(a, b):\n    return f'{a - b}'\n", "-", "+"),
    "told_string": ("def f(d):\n    x = 'b'\n    return f\"{d['a']}\"\n", "'a'", "'b'"),
    "add_index": ('def f(d: dict, k: str):\n    return f"""{d}"""\n', "{d}", "{d[k]}"),
    "shift_index": ("def f(xs):\n    return f'{xs[0]}, {xs[0]}'\n", "xs[0]", "xs[-1]"),
    "common_number": ("def f(x):\n    match x:\n        case [3, *rest]:\n            return rest\n", "[3", "[2"),
    "tweak_string": ("def f(x):\n    match x:\n        case {'Ab': y}:\n            return y\n", "'Ab'", "'ab'"),
}
"""Slips inside f-strings and patterns."""

CLUES = Clues(
    objects=("Box",),
    differing_texts=(
        *(("Hello", "Hi"), ('"', "&quot;"), ("dry_run", "dry-run"), ("b", "b |"), ("1 # one", "1"), ("'a'", "a")),
        ("it'", "it''"),
    ),
    numbers=("42",),
    outputs=("77", "308"),
    strings=("A", "."),
    input_strings=("[a]", "\ufeffa;b", "a.jpg", "https://b.org", ".venv/bin", "1.10", "1.9", "5 gb", "1 # one"),
    exceptions=("ValueError",),
    raised_lines=frozenset({2}),
    raised=(RaisedException("KeyError", "1", 2, 1.0),),
    details="KeyError: 1 (line 2)\nImportError: cannot import name 'line_total' from 'shop'\n"
    "TypeError: unhashable type: 'list' (line 1)\n"
    "ValueError: invalid literal for int() with base 10: 'n/a'\n"
    "ValueError: invalid literal for int() with base 10: ''\n"
    "ValueError: operands could not be broadcast together\n"
    "AttributeError: 'NoneType' object has no attribute 'line_total'\n"
    "AttributeError: 'Node' object has no attribute 'line_total'\n"
    "AttributeError: 'tuple' object has no attribute 'line_total'",
    symptoms=frozenset({"convert", "index", "lazy", "zero"}),
    words=frozenset({"numeral", "average", "backwards", "already", "half"}),
    prose=(
        "Case and blanks are ignored. Returns None if items is empty. A mark above 100 or below 0 gives '?'.\n"
        "An empty cell is '.'. Leading signs are kept, three of them, k (k + 1) / 2 in all.\n"
        "The longest of the distinct words, of the first count words, up to the next day, behind a consonant.\n"
        "Without pieces it gives 0. Dates are given as dd/mm/yyyy. "
        "It is never more than 4 or less than 0. Its digits are not all the same. Words end at hyphens. "
        "Characters that are not letters stay as they are, the nearest first. "
        "Every digit counts, from right to left, in milliseconds, on working days. "
        "Print it with two decimals, if there are two more than that, or raise ValueError."
    ),
)


def single_edits(source: str, templates: Collection[Template], clues: Clues = CLUES) -> list[str]:
    """Every program that is one edit of these templates away from another, the likeliest first."""
    program = ParsedProgram(source)
    suspicion = LineSuspicion.of([], source.count("\n") + 1)
    queue = MutationQueue(program, suspicion, clues, templates_by_nodes(templates, clues), rng=Random(0))
    cursor = FirstEditCursor(DistinctMutations(queue, DeduplicationKeys(program), source))
    return [splice_edits(source, ranked.mutation.edits) for ranked in iter(cursor.pop, None)]


def suggestions(name: str, source: str) -> list[str]:
    """Everything that one template makes of a program."""
    return single_edits(source, [template for template in TEMPLATES if template.name == name])


@pytest.mark.parametrize("name", SLIPS)
def test_a_template_undoes_the_slip_that_it_is_for(name: str) -> None:
    """The expected text is among what the template suggests."""
    source, slip, repair = SLIPS[name]
    assert slip in source
    found = suggestions(name, source)
    places = range(source.count(slip))
    expected = {source[: _nth(source, slip, n)] + repair + source[_nth(source, slip, n) + len(slip) :] for n in places}
    assert expected & set(found), "\n---\n".join(found[:20])


FURTHER_WAYS = [
    (
        "strike_out_once",
        "def f(marks):\n    low = min(marks)\n    kept = [mark for mark in marks if mark != low] or marks\n"
        "    return sum(kept) / len(kept)\n",
        "[mark for mark in marks if mark != low]",
        "sorted(marks)[1:]",
    ),
    (
        "all_at_once",
        "def f(xs):\n    for i in range(1, len(xs)):\n        xs[i] = xs[i] - xs[i - 1]\n",
        "    for i in range(1, len(xs)):\n        xs[i] = xs[i] - xs[i - 1]\n",
        "    xs[:] = [xs[i] - xs[i - 1] for i in range(1, len(xs))]\n",
    ),
    (
        "shift_the_sum",
        "def f(code, k):\n    return (code << k) + 1\n",
        "(code << k) + 1",
        "(code + 1) << k",
    ),
    (
        "shift_the_sum",
        "def f(g, a, b, s):\n    return g(a << 1 | s, b >> 1 | s)\n",
        "a << 1 | s, b >> 1 | s",
        "(a | s) << 1, (b | s) >> 1",
    ),
    (
        "gather_all_values",
        "def f(rows):\n    out = {}\n    for k, xs in rows:\n        out[k] = list(xs)\n    return out\n",
        "out[k] = list(xs)",
        "out.setdefault(k, []).extend(xs)",
    ),
    (
        "put_in_at_once",
        "import re\n\nPLACE = re.compile(r'<(\\w+)>')\n\ndef f(text, row):\n    out = text\n"
        "    for match in PLACE.finditer(text):\n        out = out.replace(match[0], row[match[1]])\n    return out\n",
        "    for match in PLACE.finditer(text):\n        out = out.replace(match[0], row[match[1]])\n",
        "    out = PLACE.sub(lambda match: row[match[1]], text)\n",
    ),
    (
        "in_either_direction",
        "def f(a, b):\n    return sum(range(a, b + 1))\n",
        "range(a, b + 1)",
        "range(min(a, b), max(a, b) + 1)",
    ),
    (
        "enough_for_the_amount",
        "def f(stock, item, amount):\n    if stock[item] > 0:\n        stock[item] = stock[item] - amount\n"
        "    return stock\n",
        "stock[item] > 0",
        "stock[item] >= amount",
    ),
    (
        "whole_minutes",
        "def f(now, h, m):\n    return now.replace(hour=h, minute=m, second=0)\n",
        "second=0",
        "second=0, microsecond=0",
    ),
    (
        "hours_of_both_halves",
        "def f(hour):\n    if hour > 12:\n        hour -= 12\n    return hour\n",
        "    if hour > 12:\n        hour -= 12\n",
        "    hour = hour % 12 or 12\n",
    ),
    (
        "set_behind_what_may_fail",
        "class M:\n    def go(self, target):\n        old, self.state = self.state, target\n"
        "        for hook in self.leave[old]:\n            hook(self)\n        return target\n",
        "        old, self.state = self.state, target\n        for hook in self.leave[old]:\n            hook(self)\n",
        "        old = self.state\n        for hook in self.leave[old]:\n            hook(self)\n"
        "        self.state = target\n",
    ),
    (
        "zeros_at_the_end",
        "def f(version):\n    parts = [int(part) for part in version.split('.')]\n    return tuple(parts)\n",
        "    return",
        "    while parts and parts[-1] == 0:\n        parts.pop()\n    return",
    ),
    (
        "strike_out_once",
        "def f(marks):\n    return [mark for mark in marks if mark != max(marks)]\n",
        "[mark for mark in marks if mark != max(marks)]",
        "sorted(marks)[:-1]",
    ),
    (
        "round_behind_the_loop",
        "import math\n\ndef f(walls, k):\n    cans = 0\n    for w, h in walls:\n        cans += math.ceil(w * h / k)\n"
        "    return cans\n",
        "math.ceil(w * h / k)\n",
        "w * h\n    cans = math.ceil(cans / k)\n",
    ),
    (
        "round_behind_the_loop",
        "def f(prices):\n    total = 0\n    for price in prices:\n        total += round(price * 1.2)\n"
        "    return total\n",
        "round(price * 1.2)\n",
        "price * 1.2\n    total = round(total)\n",
    ),
    (
        "step_by_step",
        "def f(price, rates):\n    return price * (1 - sum(rates))\n",
        "    return price * (1 - sum(rates))\n",
        "    for rate in rates:\n        price *= 1 - rate\n    return price\n",
    ),
    (
        "free_of_each_group",
        "def f(n, price):\n    return (n - 2 if n >= 5 else n) * price\n",
        "n - 2 if n >= 5 else n",
        "n - n // 5 * 2",
    ),
    (
        "places_from_the_end",
        "def f(xs, places):\n    for p in places:\n        xs.pop(p)\n",
        "in places:",
        "in sorted(places, reverse=True):",
    ),
    (
        "count_on_where_one_went",
        "def f(names, k):\n    ring = list(names)\n    out = []\n    place = 0\n    while ring:\n"
        "        place = (place + k) % len(ring)\n        out.append(ring.pop(place))\n    return out\n",
        "(place + k)",
        "(place + k - 1)",
    ),
    (
        "write_items_back",
        "def f(xs):\n    for x in xs[1:]:\n        x = x * 2\n    return xs\n",
        "for x in xs[1:]:\n        x =",
        "for place, x in enumerate(xs[1:], 1):\n        xs[place] =",
    ),
    (
        "copy_all_levels",
        "import copy\n\n\nclass A:\n    def reset(self):\n        self.values = {**self.defaults}\n",
        "{**self.defaults}",
        "copy.deepcopy(self.defaults)",
    ),
    (
        "other_zone",
        "def f(moment, zone):\n    return (moment + zone.utcoffset(None)).replace(tzinfo=zone)\n",
        "(moment + zone.utcoffset(None)).replace(tzinfo=zone)",
        "moment.astimezone(zone)",
    ),
    (
        "first_question_of_all",
        "def f(rules, x):\n    for rule in rules:\n        if rule.no(x):\n            return False\n"
        "        elif rule.yes(x):\n            return True\n    return None\n",
        "        elif rule.yes(x):\n            return True\n",
        "    for rule in rules:\n        if rule.yes(x):\n            return True\n",
    ),
    (
        "answer_where_it_is_settled",
        "def f(xs):\n    for x in xs:\n        if x > 1:\n            return x in (3, 4)\n    return False\n",
        "        if x > 1:\n            return x in (3, 4)\n",
        "        if x > 1 and x in (3, 4):\n            return True\n",
    ),
    (
        "one_way_round",
        "def f(day, first, length):\n    start = 1 + abs(day - first)\n    return list(range(start, length + 1, 7))\n",
        "abs(day - first)",
        "(day - first) % 7",
    ),
    (
        "not_before_it_is_there",
        "def f(jobs):\n    now = 0\n    for start, size in jobs:\n        if start < now:\n            print(start)\n"
        "        now += size\n    return now\n",
        "now += size",
        "now = max(now, start) + size",
    ),
    (
        "flush_after_loop",
        "def f(xs):\n    best = start = i = 0\n    while i < len(xs):\n        if xs[i] != xs[start]:\n"
        "            if i - start > best:\n                best = i - start\n            start = i\n        i += 1\n"
        "    return best\n",
        "        i += 1\n",
        "        i += 1\n    if i - start > best:\n        best = i - start\n",
    ),
    (
        "place_of_each",
        "def f(xs):\n    out = []\n    for x in xs[1:-1]:\n        i = xs.index(x)\n        out.append(i)\n"
        "    return out\n",
        "for x in xs[1:-1]:\n        i = xs.index(x)",
        "for place, x in enumerate(xs[1:-1], 1):\n        i = place",
    ),
    (
        "reach_again_if_shorter",
        "def f(best, line, there, cost):\n    if best[there] is None:\n        best[there] = cost\n"
        "        line.append(there)\n",
        "best[there] is None",
        "best[there] is None or cost < best[there]",
    ),
    (
        "take_off_whole",
        "def f(name, ending):\n    return name.lower().rstrip(ending.lower())\n",
        "name.lower().rstrip(ending.lower())",
        "name[:-len(ending)]",
    ),
    (
        "take_off_whole",
        "def f(name, ending):\n    return name.rstrip(ending)\n",
        "rstrip",
        "removesuffix",
    ),
    (
        "as_the_other_branch_asks",
        "def f(far, a, b, da, db, w):\n    if a != b:\n        far[a] = w\n    elif da - db != w:\n"
        "        return False\n    return True\n",
        "far[a] = w",
        "far[a] = w + (db - da)",
    ),
    (
        "hand_down_the_best",
        "def f(xs):\n    a = b = 9\n    for x in xs:\n        if x < a:\n            a, b = x, a\n        elif x < b:\n"
        "            b = x\n    return b\n",
        "elif x < b:",
        "elif a < x < b:",
    ),
    (
        "hand_down_the_best",
        "def f(xs):\n    a = b = 0\n    for x in xs:\n        if x > a:\n            a = x\n        elif x > b:\n"
        "            b = x\n    return b\n",
        "a = x\n        elif x > b:",
        "a, b = x, a\n        elif a > x > b:",
    ),
    (
        "spans_that_overlap",
        "def f(a, b):\n    return a[0] <= b[0] <= a[1]\n",
        "a[0] <= b[0] <= a[1]",
        "a[0] <= b[1] and b[0] <= a[1]",
    ),
    (
        "replace_at_once",
        "def f(s):\n    s = s.replace('a', 'b')\n    s = s.replace('b', 'a')\n    return s\n",
        "    s = s.replace('a', 'b')\n    s = s.replace('b', 'a')\n",
        "    s = 'b'.join(part.replace('b', 'a') for part in s.split('a'))\n",
    ),
    (
        "digits_of_fixed_width",
        "def f(number, size):\n    return bin(number)[2:]\n",
        "bin(number)[2:]",
        "bin(number)[2:].zfill(size)",
    ),
    (
        "enough_of_each",
        "def f(word, tiles):\n    return all(c in tiles for c in word)\n",
        "(c in tiles for c in word)",
        "(tiles.count(c) >= word.count(c) for c in word)",
    ),
    (
        "part_as_the_whole",
        "def flat(xs, depth):\n    out = []\n    for x in xs:\n        if isinstance(x, list):\n"
        "            out.extend(list(x))\n        else:\n            out.append(x)\n    return out\n",
        "list(x)",
        "flat(x, depth)",
    ),
    (
        "by_what_was_lost",
        "def f(cents, weights, total):\n    shares = [cents * w // total for w in weights]\n"
        "    order = sorted(range(len(weights)), key=lambda i: -weights[i])\n    return shares, order\n",
        "lambda i: -weights[i]",
        "lambda i: -(cents * weights[i] % total)",
    ),
    (
        "digits_without_zero",
        "def f(n):\n    out = ''\n    while n:\n        r = n % 26\n        out = chr(65 + r) + out\n        n //= 26\n"
        "    return out\n",
        "        r = n % 26",
        "        n -= 1\n        r = n % 26",
    ),
    (
        "all_later_ones",
        "from itertools import combinations, pairwise\n\n\ndef f(xs):\n    return [a - b for a, b in pairwise(xs)]\n",
        "pairwise(xs)",
        "combinations(xs, 2)",
    ),
    (
        "state_with_the_rest",
        "def f(queue, seen, a, b, steps, now):\n    while queue:\n        i, j, keys, n = queue.popleft()\n"
        "        state = (a, b)\n        if state not in seen:\n            seen.add(state)\n"
        "            queue.append((a, b, now, steps + 1))\n",
        "state = (a, b)",
        "state = (a, b, now)",
    ),
    (
        "state_with_the_rest",
        "from heapq import heappop\n\n\ndef f(heap, seen):\n    while heap:\n"
        "        spent, place, used = heappop(heap)\n        state = place\n        if state not in seen:\n"
        "            seen.add(state)\n",
        "state = place",
        "state = (place, used)",
    ),
    (
        "difference_of_compared",
        "def f(games):\n    total = 0\n    for own, other in games:\n        if other < own:\n            print(own)\n"
        "        total += own\n    return total\n",
        "total += own\n",
        "total += own - other\n",
    ),
    (
        "children_first",
        (
            "class Walk:\n    def visit(self, node):\n        self.order.append(node)\n"
            "        for other in node.children:\n            self.visit(other)\n"
        ),
        ("        self.order.append(node)\n        for other in node.children:\n            self.visit(other)\n"),
        ("        for other in node.children:\n            self.visit(other)\n        self.order.append(node)\n"),
    ),
    (
        "flush_after_loop",
        (
            "def f(values):\n    best, length, start = 0, 0, 0\n    for i in range(1, len(values)):\n"
            "        if values[i] != values[i - 1]:\n            if i - start > length:\n"
            "                best, length = start, i - start\n            start = i\n    return best, length\n"
        ),
        "            start = i\n",
        (
            "            start = i\n    if len(values) - start > length:\n"
            "        best, length = start, len(values) - start\n"
        ),
    ),
    (
        "later_of_both_ends",
        (
            "def f(spans, merged):\n    for start, end in spans:\n        if start < merged[-1].end:\n"
            "            merged[-1] = Span(merged[-1].start, end)\n    return merged\n"
        ),
        ", end)",
        ", max(merged[-1].end, end))",
    ),
    (
        "width_of_row",
        "def f(rows):\n    return [[row[i] for row in rows] for i in range(len(rows))]\n",
        "len(rows)",
        "len(rows[0])",
    ),
    (
        "substitute_at_once",
        (
            "import re\n\n\ndef f(text, values):\n    for m in re.finditer(r'{(.)}', text):\n"
            "        text = text.replace(m[0], values[m[1]])\n    return text\n"
        ),
        "    for m in re.finditer(r'{(.)}', text):\n        text = text.replace(m[0], values[m[1]])\n",
        "    text = re.sub(r'{(.)}', lambda m: values[m[1]], text)\n",
    ),
    (
        "flush_after_loop",
        (
            "def f(lines):\n    card = Card()\n    for line in lines:\n        if not line:\n"
            "            if card.fields:\n                yield card\n                card = Card()\n"
            "        else:\n            card.add(line)\n"
        ),
        "            card.add(line)\n",
        "            card.add(line)\n    if card.fields:\n        yield card\n",
    ),
    ("length_compared", "def f(xs, i):\n    return 0 <= i < xs and len(xs) > 2\n", "0 <= i < xs", "0 <= i < len(xs)"),
    ("give_items", "def f(nums):\n    return sum()\n", "sum()", "sum(nums)"),
    (
        "wrap_for_clamp",
        "def f(c, step, board):\n    return min(len(board) - 1, max(c - step, 0))\n",
        "min(len(board) - 1, max(c - step, 0))",
        "(c - step) % len(board)",
    ),
    (
        "all_most_common",
        "def f(counts):\n    return counts.most_common(1)[0][0]\n",
        "counts.most_common(1)[0][0]",
        "sorted(one for one in counts if counts[one] == max(counts.values()))",
    ),
    (
        "fall_but_last",
        "def f(counts):\n    return sorted(counts.items(), reverse=True)\n",
        "reverse=True",
        "key=lambda one: (-one[0], one[1])",
    ),
    (
        "fall_but_last",
        ("def f(teams):\n    rows = [(t.goals, t.name) for t in teams]\n    return sorted(rows, reverse=True)\n"),
        "reverse=True",
        "key=lambda one: (-one[0], one[1])",
    ),
    (
        "fill_what_is_given",
        ("def f(lines):\n    best = {}\n    for line in lines:\n        name, score = line.split()\n    return best\n"),
        "        name, score = line.split()\n",
        "        name, score = line.split()\n        best[name] = max(best.get(name, score), score)\n",
    ),
    (
        "last_digit_of_rest",
        ("def f(n):\n    digits = []\n    while n:\n        digits.append(n)\n        n = n // 2\n    return digits\n"),
        "append(n)",
        "append(n % 2)",
    ),
    (
        "guard",
        "def f(marks):\n    total = sum(marks)\n    return round((total - min(marks)) / (len(marks) - 1), 1)\n",
        "    total =",
        "    if len(marks) == 1:\n        return round(marks[0], 1)\n    total =",
    ),
    (
        "last_one_decides",
        (
            "def f(rules, path):\n    for rule in rules:\n        if rule.matches(path):\n"
            "            return rule.name\n    return None\n"
        ),
        ("    for rule in rules:\n        if rule.matches(path):\n            return rule.name\n    return None\n"),
        (
            "    found = None\n    for rule in rules:\n        if rule.matches(path):\n"
            "            found = rule.name\n    return found\n"
        ),
    ),
    ("least_of_all", "def f(waiting):\n    return waiting[-1]\n", "waiting[-1]", "max(waiting)"),
    (
        "neither_end",
        ("def f(rows):\n    for i in range(len(rows)):\n        if i != len(rows) - 1:\n            print(i)\n"),
        "i != len(rows) - 1",
        "0 < i < len(rows) - 1",
    ),
    (
        "whole_root",
        "from math import ceil, sqrt\n\n\ndef f(n):\n    return ceil(sqrt(n))\n",
        "from math import ceil, sqrt\n\n\ndef f(n):\n    return ceil(sqrt(n))",
        ("import math\nfrom math import ceil, sqrt\n\n\ndef f(n):\n    return math.isqrt(n - 1) + 1 if n > 0 else 0"),
    ),
    ("whole_root", "import math\n\n\ndef f(n):\n    return int(n ** 0.5)\n", "int(n ** 0.5)", "math.isqrt(n)"),
    (
        "refuse_before_counting",
        ("class Limiter:\n    def allow(self):\n        self.used += 1\n        return self.used <= self.limit\n"),
        "        self.used += 1\n        return self.used <= self.limit\n",
        (
            "        if self.used >= self.limit:\n            return False\n        self.used += 1\n"
            "        return True\n"
        ),
    ),
    (
        "count_back",
        (
            "class Shelf:\n    def lend(self, book, who):\n        self.lent[book] = who\n"
            "        self.number[who] += 1\n\n    def give_back(self, book):\n        del self.lent[book]\n"
        ),
        "        del self.lent[book]\n",
        "        self.number[self.lent.pop(book)] -= 1\n",
    ),
    (
        "wrap_as_turned_back",
        (
            "class Robot:\n    def left(self):\n        self.look -= 1\n\n    def right(self):\n"
            "        self.look = (self.look + 1) % len(SIDES)\n"
        ),
        "        self.look -= 1\n",
        "        self.look = (self.look - 1) % len(SIDES)\n",
    ),
    (
        "count_empty_beginning",
        (
            "from collections import defaultdict\n\n\ndef f(values):\n    seen, longest, total = None, 0, 0\n"
            "    seen = defaultdict(int)\n    for i, value in enumerate(values):\n"
            "        total = total + value\n        if total in seen:\n"
            "            longest = max(longest, i - seen[total])\n        else:\n            seen[total] = i\n"
            "    return longest\n"
        ),
        "    seen = defaultdict(int)\n",
        "    seen = defaultdict(int)\n    seen[0] = -1\n",
    ),
    (
        "end_beginning",
        "def f(host, domain):\n    return host.endswith(domain), '.'\n",
        "host.endswith(domain)",
        'host == domain or host.endswith("." + domain)',
    ),
    ("tweak_pattern", "import re\nP = re.compile(r'(\\d+)([dhms]|ms)')\n", "[dhms]|ms", "ms|[dhms]"),
    (
        "gather_values",
        "def f(d, k, values):\n    d[k] = values\n",
        "d[k] = values",
        "d.setdefault(k, []).extend(values)",
    ),
    (
        "tuple_with_unread",
        (
            "class Q:\n    def __init__(self):\n        self.n = 0\n        self.heap = []\n"
            "    def push(self, rank, x):\n        self.heap.append((rank, x))\n        self.n += 1\n"
        ),
        "(rank, x)",
        "(rank, x, self.n)",
    ),
    (
        "keep_the_cofactor",
        (
            "def f(n):\n    parts, d = [], 2\n    while d * d <= n:\n        count = 0\n"
            "        while n % d == 0:\n            n //= d\n            count += 1\n        if count:\n"
            "            parts.append(f'{d}^{count}')\n        d += 1\n    return parts\n"
        ),
        "        d += 1\n",
        "        d += 1\n    if n > 1:\n        parts.append(f'{n}')\n",
    ),
    (
        "other_function",
        "import urllib.parse\n\n\ndef f(text):\n    return urllib.parse.unquote(text)\n",
        "parse.unquote(",
        "parse.unquote_plus(",
    ),
    (
        "default_counts_too",
        "def f(others, least):\n    return min(others, default=least)\n",
        "min(others, default=least)",
        "min([*others, least])",
    ),
    (
        "only_within_unread",
        "HOUSE = 6\n\n\ndef f(red):\n    return sorted(red, reverse=True)\n",
        "sorted(red, ",
        "sorted([item for item in red if item > HOUSE], ",
    ),
    (
        "only_known_signs",
        "def f(char):\n    return char.isalpha()\n",
        "char.isalpha()",
        "char.isascii() and char.isalpha()",
    ),
    (
        "nearest_step",
        "def f(heading, step):\n    return heading // step\n",
        "heading // step",
        "(heading + step / 2) // step",
    ),
    (
        "in_order_of_size",
        "def f(a, b, c):\n    x, y, z = a, b, c\n    return x + y > z\n",
        "= a, b, c",
        "= sorted((a, b, c))",
    ),
    (
        "span_past_midnight",
        "def f(start, hours):\n    return min([h * 60 - start for h in hours if h * 60 >= start])\n",
        "h * 60 - start for h in hours if h * 60 >= start",
        "(h * 60 - start) % (24 * 60) for h in hours",
    ),
    (
        "leave_out_one",
        "def f(marks):\n    marks = sorted(marks)\n    return [m for m in marks if marks[0] < m < marks[-1]]\n",
        "[m for m in marks if marks[0] < m < marks[-1]]",
        "marks[1:-1]",
    ),
    (
        "say_that_it_changed",
        "def f(xs):\n    done = False\n    while not done:\n        done = True\n"
        "        if xs[-1] > 9:\n            xs.pop()\n",
        "            xs.pop()\n",
        "            xs.pop()\n            done = False\n",
    ),
    (
        "take_asked_amount",
        "def f(pile):\n    if pile >= 4:\n        pile = 0\n    return pile\n",
        "pile = 0",
        "pile -= 4",
    ),
    (
        "move_last_link",
        "class Chain:\n    def __init__(self):\n        self._tail = None\n\n    def drop(self, before, gone):\n"
        "        if before is None:\n            self.first = gone.next\n        else:\n"
        "            before.next = gone.next\n",
        "            before.next = gone.next\n",
        "            before.next = gone.next\n        if gone is self._tail:\n            self._tail = before\n",
    ),
    (
        "go_down_in_both",
        "def deep(tree):\n    if tree.left is None:\n        return False\n    return False\n",
        "        return False\n    return False\n",
        "        return False\n    return deep(tree.left) or deep(tree.right)\n",
    ),
    (
        "places_in_order",
        "def f(key):\n    for letter in sorted(key):\n        print(letter, key.index(letter))\n",
        "    for letter in sorted(key):\n        print(letter, key.index(letter))\n",
        "    for place in sorted(range(len(key)), key=lambda place: key[place]):\n        print(key[place], place)\n",
    ),
    (
        "read_as_place",
        "def f(text):\n    start = text.rfind('a')\n    return start if start and text else 0\n",
        "if start and",
        "if start != -1 and",
    ),
    (
        "ask_what_sign_it_is",
        "def f(text):\n    return [char for char in text if not char]\n",
        "not char]",
        "not char.isalpha()]",
    ),
    (
        "ask_by_turns",
        "def f(xs):\n    for i in range(len(xs)):\n        if i and xs[i]:\n            yield i\n",
        "if i and",
        "if i % 2 == 0 and",
    ),
    (
        "stop_where_it_fits",
        "def rank(card):\n    return card[0]\n\n\ndef f(xs, item):\n    j = len(xs) - 1\n    while j > 0:\n"
        "        xs[j] = xs[j - 1]\n        j -= 1\n    xs[j] = item\n",
        "while j > 0:",
        "while j > 0 and rank(xs[j - 1]) > rank(item):",
    ),
    (
        "other_places_beside",
        "def f(parts):\n    return [a * b for a, b in zip(parts[1:])]\n",
        "zip(parts[1:])",
        "zip(parts[1:], parts[2:])",
    ),
    (
        "pass_gathered",
        "def f(func):\n    def g(*args, **options):\n        return func(**options)\n    return g\n",
        "func(**options)",
        "func(*args, **options)",
    ),
    (
        "width_of_row",
        "def f(room, y, x):\n    return y < len(room) and x < len(room) and room[y][x]\n",
        "x < len(room)",
        "x < len(room[y])",
    ),
    (
        "gather_ties_anew",
        "def f(counts):\n    names = []\n    for name, n in counts:\n        if least >= n:\n            least = n\n"
        "            names.append(name)\n",
        "        if least >= n:\n            least = n\n            names.append(name)\n",
        "        if n < least:\n            least = n\n            names = [name]\n"
        "        elif n == least:\n            names.append(name)\n",
    ),
    (
        "match_each_once",
        "def f(xs, ys):\n    near = 0\n    left = list(ys)\n    for x in xs:\n"
        "        if x in left:\n            near += 1\n",
        "            near += 1\n",
        "            near += 1\n            left.remove(x)\n",
    ),
    (
        "for_each_entry",
        "def f(rows):\n    for i in range(len(rows)):\n        rows[i].append(0)\n    rows[i].sort()\n",
        "    rows[i].sort()\n",
        "    for i in rows:\n        rows[i].sort()\n",
    ),
    (
        "copy_item_of_round",
        "def f(rows):\n    for row in rows:\n        row['n'] = row.get('n', 0)\n        keep(row)\n",
        "        row['n']",
        "        row = dict(row)\n        row['n']",
    ),
    (
        "span_past_midnight",
        "def f(h, m, other):\n    return abs(h * 60 + m - other)\n",
        "abs(h * 60 + m - other)",
        "(h * 60 + m - other) % (24 * 60)",
    ),
    (
        "unless_it_is_all",
        'def f(part):\n    return part.startswith("0")\n',
        'part.startswith("0")',
        'len(part) > 1 and part.startswith("0")',
    ),
    (
        "median_for_mean",
        "from statistics import mean\n\n\ndef f(places):\n    return mean(places)\n",
        "mean(places)",
        "sorted(places)[len(places) // 2]",
    ),
    (
        "change_when_all_is_well",
        "def f(self, amount):\n    used = {}\n    for size in sorted(self.stock):\n"
        "        n = amount // size\n        if n:\n"
        "            used[size] = n\n            amount -= n * size\n            self.stock[size] -= n\n"
        "    if amount:\n        return None\n    return used\n",
        "            self.stock[size] -= n\n    if amount:\n        return None\n",
        "    if amount:\n        return None\n    for size, n in used.items():\n        self.stock[size] -= n\n",
    ),
    (
        "change_when_all_is_well",
        "def f(self, wanted):\n    for key in wanted:\n        if key in self.taken:\n            lacking = True\n"
        "        else:\n            self.taken[key] = 1\n    if lacking:\n        raise ValueError\n",
        "        else:\n            self.taken[key] = 1\n    if lacking:\n        raise ValueError\n",
        "    if lacking:\n        raise ValueError\n    for key in wanted:\n        self.taken[key] = 1\n",
    ),
    (
        "leave_before_taking",
        "def f(signs):\n    for sign in signs:\n        if stack.pop() != sign:\n"
        "            return False\n    return True\n",
        "        if stack.pop()",
        "        if not stack:\n            return False\n        if stack.pop()",
    ),
    (
        "nothing_for_zero",
        "def f(pairs):\n    out = []\n    for one, other in pairs:\n        out.append(one / other)\n    return out\n",
        "        out.append(one / other)\n",
        "        if other == 0:\n            continue\n        out.append(one / other)\n",
    ),
    (
        "first_difference_decides",
        "def f(a, b):\n    for k in range(3):\n        if a[k] > b[k]:\n            return 1\n    return 0\n",
        "            return 1\n",
        "            return 1\n        if a[k] < b[k]:\n            return -1\n",
    ),
    (
        "room_for_what_follows",
        'def f(text, limit):\n    if len(text) <= limit:\n        return text\n    return f"{text[:limit]}.."\n',
        "len(text) <= limit",
        "len(text) + 2 <= limit",
    ),
    (
        "few_to_join",
        'def f(xs):\n    return ", ".join(xs[:-1]) + ", and " + xs[-1]\n',
        "    return",
        '    if len(xs) == 2:\n        return " and ".join(xs)\n    return',
    ),
    (
        "tweak_pattern",
        'import re\n\n\ndef f(text):\n    return re.findall(r"\\w+@x", text)\n',
        r"\w+@x",
        r"[\w.+-]+@x",
    ),
    (
        "other_child",
        "def f(heap, i):\n    child = 2 * i + 1\n    swap(heap[child], heap[i])\n",
        "    child = 2 * i + 1\n",
        "    child = 2 * i + 1\n    if child + 1 < len(heap) and heap[child + 1] < heap[child]:\n        child += 1\n",
    ),
    (
        "hand_down_everywhere",
        "def f(node, low=None):\n    return node is None or f(\n        node.left,\n    )\n",
        "        node.left,\n",
        "        node.left,\n        low=low,\n",
    ),
    (
        "arguments_as_elsewhere",
        "def f(g, xs, a):\n    g(a, *[x + 1 for x in xs])\n    return g(a)\n",
        "return g(a)",
        "return g(a, *[x + 1 for x in xs])",
    ),
    (
        "leave_when_reached",
        "def f(places, goal):\n    for place in places:\n        g(place)\n    return None\n",
        "        g(place)\n",
        "        g(place)\n        if place == goal:\n            break\n",
    ),
    (
        "refuse_state",
        "class A:\n    def __init__(self, most):\n        self.calls, self.most = [], most\n\n"
        "    def allow(self, now):\n        self.calls = [call for call in self.calls if call > now]\n"
        "        self.calls.append(now)\n        return True\n",
        "        self.calls.append(now)\n",
        "        if len(self.calls) >= self.most:\n            return False\n        self.calls.append(now)\n",
    ),
    (
        "leave_when_reached",
        "def f(todo, goal):\n    while todo:\n        place = todo.pop()\n        todo += g(place)\n    return place\n",
        "        place = todo.pop()\n",
        "        place = todo.pop()\n        if place == goal:\n            break\n",
    ),
    (
        "filter_what_is_taken",
        "def f(sums, least):\n    return [name for name, total in sums.items()]\n",
        "in sums.items()",
        "in sums.items() if total >= least",
    ),
    (
        "filter_by_field",
        "def f(pairs, key):\n    return [pair for pair in pairs]\n",
        "pair in pairs",
        "pair in pairs if pair[0] != key",
    ),
    (
        "refuse_state",
        "class A:\n    def __init__(self, most):\n        self.most, self.sum = most, 0\n\n    def full(self):\n"
        "        return self.sum == self.most\n\n    def put(self, n):\n        self.sum += n\n",
        "        self.sum += n\n",
        "        if n > self.most:\n            raise ValueError\n        self.sum += n\n",
    ),
    (
        "cut_asked_end",
        "def f(text):\n    if text[0] == '(' and text[-1] == ')':\n        return g(text)\n",
        "g(text)",
        "g(text[1:-1])",
    ),
    (
        "cut_asked_end",
        "def f(name):\n    if name.endswith('.py'):\n        return g(name)\n",
        "g(name)",
        "g(name[:-3])",
    ),
    (
        "read_quoted",
        "import csv\n\n\ndef f(lines):\n    return [line.strip().split(',') for line in lines]\n",
        "[line.strip().split(',') for line in lines]",
        "list(csv.reader(lines))",
    ),
    (
        "close_what_was_opened",
        "def f(lines):\n    fence = None\n    for line in lines:\n        mark = g(line)\n        if fence is None:\n"
        "            fence = mark\n        elif mark:\n            fence = None\n",
        "        elif mark:\n",
        "        elif mark and mark.startswith(fence):\n",
    ),
    (
        "lessen_both",
        "def f(lots, wanted):\n    for lot in lots:\n        taken = min(wanted, lot.left)\n        wanted -= taken\n"
        "        if taken < lot.left:\n            break\n",
        "            break\n",
        "            lot.left -= taken\n            break\n",
    ),
    (
        "clear_counterpart",
        "class A:\n    def note(self, x):\n        self.old.append(x)\n\n    def back(self):\n"
        "        self.move(self.old, self.new)\n\n    def move(self, one, other):\n        other.append(one.pop())\n",
        "        self.old.append(x)\n",
        "        self.old.append(x)\n        self.new.clear()\n",
    ),
    (
        "keep_old_value",
        "def f(sums, key, n):\n    sums[key] = sums.get(key, n)\n",
        "sums.get(key, n)",
        "sums.get(key, 0) + n",
    ),
    (
        "fall_in_part",
        "def f(rows):\n    return sorted(rows, key=lambda row: (row.a, row.b, row.name), reverse=True)\n",
        "key=lambda row: (row.a, row.b, row.name), reverse=True",
        "key=lambda row: (-row.a, -row.b, row.name)",
    ),
    (
        "recursive_argument",
        "def f(tree, indent):\n    below = '  '\n    return [f(part, below) for part in tree]\n",
        "f(part, below)",
        "f(part, indent + below)",
    ),
    (
        "unread_default",
        "ABSENT = object()\n\n\ndef f(d, e, k):\n    if d[k] is ABSENT:\n        return 1\n"
        "    return d.get(k) == e.get(k)\n",
        "d.get(k) == e.get(k)",
        "d.get(k, ABSENT) == e.get(k, ABSENT)",
    ),
    (
        "refuse_state",
        "class A:\n    def __init__(self, most):\n        self.items, self.most = {}, most\n\n"
        "    def put(self, key, x):\n        self.items[key] = x\n",
        "        self.items[key] = x\n",
        "        if len(self.items) >= self.most:\n            raise ValueError\n        self.items[key] = x\n",
    ),
    (
        "refuse_state",
        "class A:\n    def left(self, key):\n        return self.items[key]\n\n    def take(self, key, n):\n"
        "        self.items[key] -= n\n",
        "        self.items[key] -= n\n",
        "        if n > self.left(key):\n            raise ValueError\n        self.items[key] -= n\n",
    ),
    (
        "guard_raise",
        "def f(n):\n    n = int(n)\n    return [0] * n\n",
        "    return [0] * n\n",
        "    if n <= 0:\n        raise ValueError\n    return [0] * n\n",
    ),
    (
        "begin_variable",
        "def steps(first, last):\n    return range(first, last)\n\n\ndef f(first, last):\n    return sum(found)\n",
        "    return sum(found)\n",
        "    found = steps(first, last)\n    return sum(found)\n",
    ),
    (
        "set_attribute",
        "class A:\n    def __init__(self, xs):\n        for x in xs:\n            self.put(x)\n\n"
        "    def put(self, x):\n        self.xs.append(x)\n",
        "        for x in xs:\n",
        "        self.xs = []\n        for x in xs:\n",
    ),
    (
        "fall_in_part",
        "def f(rows):\n    return sorted(rows, key=lambda row: (row.rank, row.name), reverse=True)\n",
        "sorted(rows, key=lambda row: (row.rank, row.name), reverse=True)",
        "sorted(sorted(rows, key=lambda row: row.name), key=lambda row: row.rank, reverse=True)",
    ),
    (
        "lessen_both",
        "def f(lots, wanted):\n    for lot in lots:\n        taken = min(wanted, lot.left)\n        wanted -= taken\n"
        "        if not wanted:\n            break\n",
        "wanted -= taken\n",
        "wanted -= taken\n        lot.left -= taken\n",
    ),
    (
        "clear_counterpart",
        "class A:\n    def do(self, edit):\n        if edit:\n            self.edits.append(edit)\n\n"
        "    def undo(self):\n        self.undone.append(self.edits.pop())\n\n    def redo(self):\n"
        "        self.edits.append(self.undone.pop())\n",
        "        if edit:\n",
        "        self.undone.clear()\n        if edit:\n",
    ),
    (
        "move_out",
        "def f(xs):\n    seen = set()\n    for x in xs:\n        seen.add(x)\n        if seen:\n"
        "            raise ValueError(seen)\n    return seen\n",
        "        if seen:\n            raise ValueError(seen)\n",
        "    if seen:\n        raise ValueError(seen)\n",
    ),
    (
        "begin_with_own_length",
        "def f(words):\n    for word in words:\n        line = [word]\n        total = 0\n        total += word.size\n"
        "    return total\n",
        "total = 0",
        "total = word.size",
    ),
    (
        "refuse_before_adding",
        "class A:\n    def f(self, most):\n        self.count += 1\n        return self.count <= most\n",
        "        self.count += 1\n        return self.count <= most\n",
        "        if self.count >= most:\n            return False\n        self.count += 1\n        return True\n",
    ),
    (
        "uncalled_function",
        "def key(x):\n    return (x,)\n\n\ndef f(xs):\n    return xs, 1\n",
        "return xs, 1",
        "return tuple(map(key, xs)), 1",
    ),
    (
        "own_method_for_part",
        "class A:\n    def free(self, x):\n        return self.stock.get(x, 0) - self.held.get(x, 0)\n\n"
        "    def low(self, least):\n        return [item for item in self.stock if self.stock[item] < least]\n",
        "self.stock[item] < least",
        "self.free(item) < least",
    ),
    (
        "clamp_slice_start",
        "def f(xs, i, n):\n    start = i - n\n    return xs[start:i]\n",
        "start = i - n",
        "start = max(0, i - n)",
    ),
    (
        "step_from_start",
        "def f(start, n, step):\n    due = start\n    for turn in range(n):\n        yield due\n"
        "        due = add_months(due, step)\n",
        "add_months(due, step)",
        "add_months(start, (turn + 1) * step)",
    ),
    (
        "take_back",
        "def f(n):\n    colours = [None] * n\n\n    def place(at):\n        for colour in range(3):\n"
        "            colours[at] = colour\n            place(at + 1)\n",
        "            place(at + 1)\n",
        "            place(at + 1)\n            colours[at] = None\n",
    ),
    (
        "escape_first",
        'TABLE = (("<", "&lt;"), ("&", "&amp;"))\n\n\ndef f(text):\n    return text\n',
        '(("<", "&lt;"), ("&", "&amp;"))',
        '(("&", "&amp;"), ("<", "&lt;"))',
    ),
    (
        "escape_first",
        'TABLE = {"<": "&lt;", "&": "&amp;"}\n\n\ndef f(text):\n    return text\n',
        '{"<": "&lt;", "&": "&amp;"}',
        '{"&": "&amp;", "<": "&lt;"}',
    ),
    ("cut_before_ending", "def f(a, b, n):\n    return (a + b)[:n]\n", "(a + b)[:n]", "a[:n - len(b)] + b"),
    ("further_member", "CODES = (301, 302)\n", "(301, 302)", "(301, 302, 308)"),
    (
        "sort_key",
        "def version(name):\n    return name.split()\n\n\ndef f(names):\n    return max(names)\n",
        "max(names)",
        "max(names, key=version)",
    ),
    (
        "call_imported",
        "from urllib.parse import urljoin\n\n\ndef f(base, address):\n    return address\n",
        "return address",
        "return urljoin(base, address)",
    ),
    (
        "none_as_empty",
        "def f(name, options=None):\n    return name, options\n",
        "name, options\n",
        "name, options or {}\n",
    ),
    ("ask_for_place", "def f(a, b, c):\n    if a[b - c]:\n        return b\n", "if a[b - c]", "if c <= b and a[b - c]"),
    (
        "ask_for_place",
        "def f(a, b, c):\n    if a[(b or c) - 1] == 2:\n        return b\n",
        "if a[(b or c) - 1]",
        "if (b or c) >= 1 and a[(b or c) - 1]",
    ),
    (
        "hand_on_parameter",
        "def f(run, x, day_or):\n    return run(\n        x,\n        step=1,\n    )\n",
        "        step=1,\n",
        "        step=1,\n        day_or=day_or,\n",
    ),
    (
        "pass_along",
        "def g(x, depth):\n    return x\n\n\ndef f(x, depth):\n    return g(\n        x\n    )\n",
        "        x\n",
        "        x,\n        depth=depth\n",
    ),
    (
        "hand_on_parameter",
        "def f(run, x, day_or):\n    return run(x, step=1)\n",
        "run(x, step=1)",
        "run(x, step=1, day_or=day_or)",
    ),
    (
        "word_as_named",
        "class A:\n    def __init__(self, p):\n        self.x = p.x\n        self.y = p.x\n",
        "self.y = p.x",
        "self.y = p.y",
    ),
    (
        "word_as_named",
        "def f(o):\n    return {'a': o.get('a'), 'b': o.get('a')}\n",
        "'b': o.get('a')",
        "'b': o.get('b')",
    ),
    (
        "other_handler",
        "def f(x):\n    try:\n        return int(x)\n    except (TypeError, ValueError):\n        return 0\n",
        "(TypeError, ValueError)",
        "(TypeError, ValueError, KeyError)",
    ),
    ("widen_type", "def f(x):\n    return isinstance(x, (int, float))\n", "(int, float)", "(int, float, slice)"),
    ("widen_type", "def f(x):\n    return isinstance(x, bytes)\n", "x, bytes", "x, (bytes, bytearray)"),
    (
        "fill_asked",
        "def f(rows, keys):\n    known = set()\n    known.update(keys)\n    for row in rows:\n"
        "        if row not in known:\n            keys.append(row)\n    return keys\n",
        "            keys.append(row)\n",
        "            keys.append(row)\n            known.add(row)\n",
    ),
    (
        "flush_after_loop",
        "def runs(text, k):\n    kept, run = [], text[0]\n    for c in text[1:]:\n        if c == run[-1]:\n"
        "            run += c\n        else:\n            if len(run) >= k:\n                kept.append(run)\n"
        "            run = c\n    return kept\n",
        "            run = c\n",
        "            run = c\n    if len(run) >= k:\n        kept.append(run)\n",
    ),
    (
        "push_on_heap",
        "import heapq\n\n\ndef add(heap, x):\n    heap.append(x)\n    return heapq.heappop(heap)\n",
        "heap.append(x)",
        "heapq.heappush(heap, x)",
    ),
    (
        "ask_for_place",
        "def f(xs, i):\n    return [x for x in xs if xs[i - 2] == x]\n",
        "if xs[i - 2]",
        "if i >= 2 and xs[i - 2]",
    ),
    (
        "wrap_steps",
        "def f(letters, c, k):\n    return letters[ord(c) - ord('a') + k]\n",
        "ord(c) - ord('a') + k",
        "(ord(c) - ord('a') + k) % 26",
    ),
    (
        "begin_with_first",
        "def f(rows):\n    best = 0\n    for i in range(1, len(rows)):\n        value = rows[i][1]\n"
        "        if value > best:\n            best = value\n    return best\n",
        "best = 0\n",
        "best = rows[0][1]\n",
    ),
    (
        "begin_with_first",
        "def f(xs):\n    best = 0\n    for i in range(len(xs)):\n        best = max(best, xs[i])\n    return best\n",
        "best = 0\n",
        "best = xs[0]\n",
    ),
    ("repeat_comparison", "def f(x, y, n):\n    return x and y >= 0 and y < n\n", "x and", "x >= 0 and"),
    (
        "find_roots",
        "def f(parent, a, b):\n    def find(x):\n        return parent[x]\n\n    ra, rb = find(a), find(b)\n"
        "    parent[b] = ra\n",
        "parent[b] = ra",
        "parent[rb] = ra",
    ),
    (
        "declare_outer",
        "def f(xs):\n    best, who = 0, None\n\n    def look(i):\n        best, who = xs[i], i\n\n    look(0)\n"
        "    return best, who\n",
        "        best, who = xs[i], i\n",
        "        nonlocal best, who\n        best, who = xs[i], i\n",
    ),
    (
        "flush_after_loop",
        "def f(tokens):\n    out, held = [], []\n    for token in tokens:\n        if token:\n"
        "            held.append(token)\n        else:\n            out.append(held.pop())\n    return out\n",
        "    return out\n",
        "    while held:\n        out.append(held.pop())\n    return out\n",
    ),
    (
        "escape_text",
        "import re\n\n\ndef f(text, mark):\n    pattern = mark + '+'\n    return re.sub(pattern, mark, text)\n",
        "mark + '+'",
        "re.escape(mark) + '+'",
    ),
    (
        "replace_each_once",
        "def f(text, old, new):\n    for a, b in zip(old, new):\n        text = text.replace(a, b)\n    return text\n",
        "    for a, b in zip(old, new):\n        text = text.replace(a, b)\n",
        "    text = text.translate(str.maketrans(old, new))\n",
    ),
    ("other_format", "def f(amount):\n    return f'{amount:>12,.2}'\n", ":>12,.2}", ":>12,.2f}"),
    (
        "larger_of_both",
        (
            "def arm(node):\n"
            "    if node is None:\n"
            "        return 0\n"
            "    left = max(0, arm(node.left))\n"
            "    right = max(0, arm(node.right))\n"
            "    return node.value + left + right\n"
        ),
        "node.value + left + right",
        "node.value + max(left, right)",
    ),
    (
        "larger_of_both",
        (
            "def f(node):\n"
            "    if node is None:\n"
            "        return 0\n"
            "    left = f(node.left)\n"
            "    right = f(node.right)\n"
            "    return left + right + 1\n"
        ),
        "left + right + 1",
        "max(left, right) + 1",
    ),
    (
        "move_out",
        "def f(text):\n    i = 0\n    while i < len(text):\n        if text[i] == 'a':\n            pass\n"
        "        elif text[i] == 'b':\n            print(i)\n            i += 1\n    return i\n",
        "            i += 1\n",
        "        i += 1\n",
    ),
    (
        "other_triangle",
        "def f(m, n):\n    for i in range(n):\n        for j in range(i):\n            print(m[i][j])\n",
        "range(i)",
        "range(i + 1, n)",
    ),
    (
        "between_bounds",
        "def f(x, high):\n    return x in range(high)\n",
        "x in range(high)",
        "0 <= x < high",
    ),
    (
        "other_measure",
        "def f(pi, r):\n    return 2 * pi * r\n",
        "2 * pi * r",
        "pi * r ** 2",
    ),
    (
        "other_measure",
        "def f(side):\n    return side ** 3\n",
        "side ** 3",
        "6 * side ** 2",
    ),
    (
        "ask_for_instance",
        "def f(x):\n    return type(x) != int\n",
        "type(x) != int",
        "not isinstance(x, int)",
    ),
    (
        "other_products",
        "class V:\n    def dot(self, o):\n        return self.x * o.y + self.y * o.x\n",
        "self.x * o.y + self.y * o.x",
        "self.x * o.x + self.y * o.y",
    ),
    (
        "grow_by_rate",
        "class A:\n    def grow(self):\n        self.balance += self.rate\n",
        "+= self.rate",
        "+= self.balance * self.rate",
    ),
    (
        "other_distance",
        "def f(x, y):\n    return max(abs(x), abs(y))\n",
        "max(abs(x), abs(y))",
        "abs(x) + abs(y)",
    ),
    (
        "square_each_round",
        "def f(base, n):\n    result = 1\n    while n:\n        if n & 1:\n"
        "            result *= base\n        n >>= 1\n    return result\n",
        "        n >>= 1",
        "        base = base * base\n        n >>= 1",
    ),
    (
        "answer_unreached",
        "def f(xs):\n    best = float('inf')\n    for x in xs:\n        best = min(best, x)\n    return best\n",
        "    return best",
        "    if best == float('inf'):\n        return None\n    return best",
    ),
    (
        "exchange_steps",
        "def f(base, factor, offset):\n    return (base - offset) / factor\n",
        "(base - offset) / factor",
        "base / factor - offset",
    ),
    (
        "page_before",
        "def f(xs, page, size):\n    return xs[(page - 1) * size:page * size]\n",
        "(page - 1) * size:page * size",
        "page * size:(page + 1) * size",
    ),
    (
        "round_halves_up",
        "from decimal import ROUND_HALF_UP, Decimal\n\n\ndef f(amount):\n    return round(amount, 2)\n",
        "round(amount, 2)",
        'amount.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)',
    ),
    (
        "shared_ranks",
        "def f(rows):\n    rank, last = 0, None\n    for i, (name, score) in enumerate(rows):\n"
        "        if score != last:\n            rank += 1\n        last = score\n",
        "rank += 1",
        "rank = i + 1",
    ),
    (
        "trim_joints",
        "def f(text):\n    return text.replace(' ', '-')\n",
        "text.replace(' ', '-')",
        "text.replace(' ', '-').strip('-')",
    ),
    (
        "convert_back",
        "def f(c):\n    return (c - 32) / 1.8\n",
        "(c - 32) / 1.8",
        "c * 1.8 + 32",
    ),
    (
        "compound",
        "def f(p, rate, years):\n    return p * (1 + rate) ** years\n",
        "(1 + rate) ** years",
        "(1 + rate * years)",
    ),
    (
        "break_ties",
        "def f(words):\n    return max(words, key=len)\n",
        "key=len",
        "key=lambda x: (len(x), x)",
    ),
    (
        "other_function",
        "from itertools import permutations\n\n\ndef f(xs):\n    return list(permutations(xs, 2))\n",
        "from itertools import permutations\n\n\ndef f(xs):\n    return list(permutations(xs, 2))",
        "from itertools import combinations\nfrom itertools import permutations\n\n\ndef f(xs):\n"
        "    return list(combinations(xs, 2))",
    ),
    (
        "spread_argument",
        "def f(gather, g, xs):\n    return gather([g(x) for x in xs])\n",
        "gather([g(x) for x in xs])",
        "gather(*[g(x) for x in xs])",
    ),
    (
        "other_text_format",
        "def f(x):\n    return '{:<5}'.format(x)\n",
        "'{:<5}'",
        "'{:>5}'",
    ),
    (
        "compare_or_freeze",
        "from dataclasses import dataclass\n\n\n@dataclass\nclass P:\n    x: int\n",
        "@dataclass",
        "@dataclass(frozen=True)",
    ),
    (
        "member_by_value",
        "from enum import Enum\n\n\nclass C(Enum):\n    A = 1\n\n\ndef f(n):\n    return C(n)\n",
        "C(n)",
        "C[n]",
    ),
    (
        "lost_recursion",
        "def find(parent, x):\n    if parent[x] == x:\n        return x\n    return parent[x]\n",
        "return parent[x]\n",
        "return find(parent, parent[x])\n",
    ),
    (
        "lost_recursion",
        "def last(node):\n    if node.next is None:\n        return node\n    return node.next\n",
        "return node.next\n",
        "return last(node.next)\n",
    ),
    (
        "pair_of_divisors",
        "def f(n):\n    count = 0\n    for d in range(1, int(n ** 0.5) + 1):\n"
        "        if n % d == 0:\n            count += 2\n    return count\n",
        "count += 2",
        "count += 1 if d * d == n else 2",
    ),
    (
        "pair_of_divisors",
        "def f(n):\n    found, d = [], 1\n    while d * d <= n:\n        if n % d == 0:\n"
        "            found.append(d)\n            found.append(n // d)\n        d += 1\n"
        "    return found\n",
        "            found.append(n // d)\n",
        "            if d * d != n:\n                found.append(n // d)\n",
    ),
    (
        "pair_of_divisors",
        "def f(n):\n    found = []\n    for d in range(1, int(n ** 0.5) + 1):\n"
        "        if n % d == 0:\n            found.append(d)\n    return found\n",
        "            found.append(d)\n",
        "            found.append(d)\n            if d * d != n:\n                found.append(n // d)\n",
    ),
    (
        "both_centres_of_call",
        "def f(s, grown):\n    total = 0\n    for i in range(len(s)):\n"
        "        total += grown(s, i, i)\n    return total\n",
        "grown(s, i, i)",
        "grown(s, i, i) + grown(s, i, i + 1)",
    ),
    (
        "place_of_each",
        "def f(names):\n    return [names.index(n) for n in names]\n",
        "[names.index(n) for n in names]",
        "[place for place, n in enumerate(names)]",
    ),
    (
        "write_items_back",
        "def f(xs):\n    for x in xs:\n        x += 1\n",
        "for x in xs:\n        x += 1",
        "for place, x in enumerate(xs):\n        xs[place] += 1",
    ),
    (
        "append_item",
        "def f(people):\n    out = []\n    for p in people:\n        out += p.name\n    return out\n",
        "out += p.name",
        "out.append(p.name)",
    ),
    (
        "restart_counter",
        "def f(xs):\n    least = 0\n    for i in range(len(xs)):\n"
        "        for j in range(i, len(xs)):\n            if xs[j] < xs[least]:\n"
        "                least = j\n        xs[i], xs[least] = xs[least], xs[i]\n",
        "    least = 0\n    for i in range(len(xs)):\n",
        "    for i in range(len(xs)):\n        least = i\n",
    ),
    (
        "keep_others",
        "def f(text):\n    out = ''\n    for c in text:\n        if c.islower():\n"
        "            out = out + c.upper()\n    return out\n",
        "            out = out + c.upper()\n",
        "            out = out + c.upper()\n        else:\n            out = out + c\n",
    ),
    (
        "fall_in_part",
        "def f(pairs):\n    pairs.sort(reverse=True)\n",
        "reverse=True",
        "key=lambda x: (-x[0], x[1])",
    ),
    (
        "flush_after_loop",
        "def f(text):\n    out, n = '', 1\n    for i in range(1, len(text)):\n"
        "        if text[i] == text[i - 1]:\n            n += 1\n        else:\n"
        "            out += text[i - 1]\n            if n > 1:\n                out += str(n)\n"
        "            n = 1\n    return out\n",
        "            n = 1\n    return",
        "            n = 1\n    out += text[-1]\n    if n > 1:\n        out += str(n)\n    return",
    ),
    (
        "running_total",
        "def f(xs):\n    sums = [0] * len(xs)\n    for i in range(1, len(xs)):\n"
        "        sums[i] = xs[i]\n    return sums\n",
        "sums[i] = xs[i]",
        "sums[i] = sums[i - 1] + xs[i]",
    ),
    (
        "lost_recursion",
        "def f(n):\n    if n == 0:\n        return 1\n    return n * (n - 1)\n",
        "n * (n - 1)",
        "n * f(n - 1)",
    ),
    (
        "opposite_calls",
        "def f(grid, r, c):\n    if grid[r][c] == 0:\n        return\n    f(grid, r + 1, c)\n    f(grid, r - 1, c)\n",
        "    f(grid, r - 1, c)\n",
        "    f(grid, r - 1, c)\n    f(grid, r, c + 1)\n    f(grid, r, c - 1)\n",
    ),
    (
        "keep_the_cofactor",
        "def f(n):\n    total, d = 0, 2\n    while d * d <= n:\n        while n % d == 0:\n"
        "            total += 1\n            n //= d\n        d += 1\n    return total\n",
        "        d += 1\n",
        "        d += 1\n    if n > 1:\n        total += 1\n",
    ),
    (
        "build_on_reached",
        "def f(coins, n):\n    ok = [True] + [False] * n\n    for coin in coins:\n"
        "        for i in range(coin, n + 1):\n            if i >= coin:\n"
        "                ok[i] = True\n    return ok[n]\n",
        "if i >= coin",
        "if ok[i - coin] and i >= coin",
    ),
    (
        "alternate_terms",
        "def f(n):\n    return sum(1 / k for k in range(1, n))\n",
        "1 / k",
        "(-1) ** (k + 1) * 1 / k",
    ),
    (
        "wrap_letters",
        "def f(text, k):\n    out = ''\n    for c in text:\n        out += chr(ord(c) + k)\n    return out\n",
        "        out += chr(ord(c) + k)\n",
        '        base = ord("A") if c.isupper() else ord("a")\n        out += chr((ord(c) - base + k) % 26 + base)\n',
    ),
    (
        "clear_the_rest",
        "def f(xs):\n    kept = 0\n    for x in xs:\n        if x:\n            xs[kept] = x\n"
        "            kept += 1\n    return xs\n",
        "            kept += 1\n",
        "            kept += 1\n    del xs[kept:]\n",
    ),
    (
        "foreign_method",
        "def f(text):\n    return text.substring(1, 3)\n",
        "text.substring(1, 3)",
        "text[1:3]",
    ),
    (
        "foreign_method",
        "def f(xs):\n    return xs.sum()\n",
        "xs.sum()",
        "sum(xs)",
    ),
    ("round_halves_up", "def f(x):\n    return round(x)\n", "round(x)", "int(x + (0.5 if x >= 0 else -0.5))"),
    (
        "round_halves_up",
        "from decimal import ROUND_HALF_UP, Decimal\n\n\ndef f(x):\n    return round(x)\n",
        "round(x)",
        "int(Decimal(str(x)).quantize(Decimal('1'), rounding=ROUND_HALF_UP))",
    ),
    (
        "take_back",
        "def walk(grid, r):\n    if grid[r] != '.':\n        return 0\n    grid[r] = 'x'\n"
        "    n = walk(grid, r + 1)\n    return n\n",
        "    n = walk(grid, r + 1)\n",
        "    n = walk(grid, r + 1)\n    grid[r] = '.'\n",
    ),
    ("tweak_pattern", 'import re\n\nfound = re.findall(r"\\b\\w+", text)\n', "\\w+", "[\\w']+"),
    (
        "tweak_pattern",
        "import re\n\nname = re.sub(r'(?<!^)([A-Z])', r'_\\1', name)\n",
        "(?<!^)([A-Z])",
        "((?<=[a-z0-9])[A-Z]|(?<!^)[A-Z](?=[a-z]))",
    ),
    (
        "join_roots",
        "def f(pairs, parent):\n    for a, b in pairs:\n        if find(a) != find(b):\n            parent[a] = b\n",
        "parent[a] = b",
        "parent[find(a)] = find(b)",
    ),
    (
        "mutable_default",
        "def f(a, b=[], /, c=1):\n    return a, b, c\n",
        "b=[], /, c=1):\n",
        "b=None, /, c=1):\n    if b is None:\n        b = []\n",
    ),
    ("tweak_query", "parts.append(f'{column} = ?')\n", "= ?", "IS ?"),
    ("round_up", "def f(n, m):\n    return n // m + 1\n", "n // m + 1", "max(1, -(-n // m))"),
    ("swap_elements", "for a, b, c in found:\n    go(a, b, c)\n", "a, b, c in", "c, b, a in"),
    (
        "late_closure",
        "class A:\n    def f(self, names):\n        for name, rest in names:\n"
        "            self.put(lambda *words: self.go(name, rest, words))\n",
        "lambda *words:",
        "lambda *words, name=name, rest=rest:",
    ),
    (
        "early_exit",
        "def f(xs):\n    best = top = xs[0]\n    best = max(best, top)\n    return best * 2\n",
        "    return best * 2\n",
        "    if best < 0:\n        return best\n    return best * 2\n",
    ),
    (
        "attribute_everywhere",
        "class A:\n    def f(self):\n        return self.a + self.a + self.a + self.b\n",
        "self.a + self.a + self.a",
        "self.b + self.b + self.a",
    ),
    (
        "keep_repeats",
        "def f(a, b):\n    return set(a) == set(b)\n",
        "set(a) == set(b)",
        "sorted(a) == sorted(b)",
    ),
    ("items_of_mapping", "def f(d: dict):\n    for x in d:\n        go(x)\n", "in d", "in d.items()"),
    (
        "escape_text",
        "import re\n\n\ndef f(p):\n    return p.replace('?', '.').replace('*', '.*')\n",
        "p.replace('?', '.').replace('*', '.*')",
        "re.escape(p).replace(r'\\?', '.').replace(r'\\*', '.*')",
    ),
    (
        "diagonal_calls",
        "def f(r, c):\n    return f(r - 1, c) or f(r + 1, c) or f(r, c - 1) or f(r, c + 1)\n",
        "f(r, c + 1)\n",
        "f(r, c + 1) or f(r + 1, c + 1) or f(r + 1, c - 1) or f(r - 1, c + 1) or f(r - 1, c - 1)\n",
    ),
    (
        "place_of_extreme",
        "def f(votes):\n    return max(votes.values())\n",
        "max(votes.values())",
        "max(votes, key=votes.get)",
    ),
    (
        "all_that_share",
        "def f(xs):\n    return min(xs, key=len)\n",
        "min(xs, key=len)",
        "[item for item in xs if len(item) == min(map(len, xs))]",
    ),
    (
        "change_given",
        "def f(d: dict):\n    kept = {}\n    d = kept\n",
        "    d = kept\n",
        "    d.clear()\n    d.update(kept)\n",
    ),
    (
        "lowest_bit",
        "def f(x):\n    return x & -x\n",
        "x & -x",
        "x & (x - 1)",
    ),
    (
        "negative_places",
        "def f(grid, r, c):\n    if r >= len(grid) or c >= len(grid[r]):\n        return 0\n    return grid[r][c]\n",
        "r >= len(grid) or",
        "r < 0 or c < 0 or r >= len(grid) or",
    ),
    (
        "once_in_the_middle",
        "def f(grid):\n    n = len(grid)\n    total = 0\n    for i in range(n):\n        total += grid[i][i]\n"
        "    return total\n",
        "        total += grid[i][i]\n",
        "        total += grid[i][i]\n        if i != n - 1 - i:\n            total += grid[i][n - 1 - i]\n",
    ),
    (
        "as_often_as_it_fits",
        "def f(n, price):\n    if n >= 10:\n        price -= 5\n    return price\n",
        "    if n >= 10:\n        price -= 5\n",
        "    price -= n // 10 * 5\n",
    ),
    (
        "flush_after_loop",
        "def f(s):\n    out, n = [], 1\n    for i in range(1, len(s)):\n        if s[i] != s[i - 1]:\n"
        "            out.append((s[i - 1], n))\n            n = 1\n    return out\n",
        "    return out",
        "    out.append((s[-1], n))\n    return out",
    ),
    (
        "stand_in",
        "def f(number):\n    return int(number)\n",
        "int(number)",
        "int(number or 1)",
    ),
    (
        "tweak_pattern",
        "import re\n\n\ndef f(s):\n    return re.match(r'[0-2]\\d:\\d\\d', s)\n",
        "r'[0-2]\\d",
        "r'(?:[01]\\d|2[0-3])",
    ),
    (
        "place_for_value",
        "def f(xs):\n    best = 0\n    for i in range(len(xs)):\n        if xs[i] > best:\n            best = i\n"
        "    return best\n",
        "xs[i] > best",
        "xs[i] > xs[best]",
    ),
    (
        "divide_whole",
        "def f(x, w):\n    return round(x / w)\n",
        "round(x / w)",
        "x // w",
    ),
    (
        "clock_fields",
        "def f(t):\n    return f'{t // 60}:{t % 60}'\n",
        "{t // 60}:{t % 60}",
        "{t // 60 % 24:02d}:{t % 60:02d}",
    ),
    (
        "either_case",
        "def f(c, k):\n    out = ''\n    out += chr((ord(c) - 97 + k) % 26 + 97)\n    return out\n",
        "    out += chr((ord(c) - 97 + k) % 26 + 97)\n",
        "    base = 65 if c.isupper() else 97\n    out += chr((ord(c) - base + k) % 26 + base)\n",
    ),
    (
        "mirror_negative",
        "def f(n):\n    if n == 0:\n        return ''\n    return f(n // 2) + str(n % 2)\n",
        "    if n == 0:",
        '    if n < 0:\n        return "-" + f(-n)\n    if n == 0:',
    ),
    (
        "stand_in",
        "def f(b):\n    return b[::-1]\n",
        "b[::-1]",
        'b[::-1] or "0"',
    ),
    (
        "begin_anew",
        "def f(xs):\n    best = run = 0\n    for x in xs:\n        run += x\n        best = max(best, run)\n"
        "    return best\n",
        "run += x",
        "run = max(0, run + x)",
    ),
    (
        "flush_after_loop",
        "def f(s):\n    best, n = ('', 0), 1\n    for i in range(1, len(s)):\n        if s[i] == s[i - 1]:\n"
        "            n += 1\n        else:\n            if n > best[1]:\n                best = (s[i - 1], n)\n"
        "            n = 1\n    return best\n",
        "    return best",
        "    if n > best[1]:\n        best = (s[-1], n)\n    return best",
    ),
    (
        "round_halves_up",
        "def f(x):\n    return round(x, -1)\n",
        "round(x, -1)",
        "(x + 5) // 10 * 10",
    ),
    (
        "early_exit",
        "def f(text):\n    stack = []\n    for i, c in enumerate(text):\n        if c in '()':\n"
        "            last = stack.pop()\n            if last != c:\n                return i\n    return -1\n",
        "            last = stack.pop()",
        "            if not stack:\n                return i\n            last = stack.pop()",
    ),
    (
        "swap_ranges",
        "def f(m):\n    return [[m[j][i] for j in range(len(m[0]))] for i in range(len(m))]\n",
        "range(len(m[0]))] for i in range(len(m))]",
        "range(len(m))] for i in range(len(m[0]))]",
    ),
    (
        "turn_other_way",
        "def f(xs, k):\n    return xs[-k:] + xs[:-k]\n",
        "xs[-k:] + xs[:-k]",
        "xs[k:] + xs[:k]",
    ),
    (
        "begin_missing",
        "def f(xs, d):\n    for x in xs:\n        if x in d:\n            d[x] += 1\n    return d\n",
        "            d[x] += 1\n",
        "            d[x] += 1\n        else:\n            d[x] = 1\n",
    ),
    (
        "next_of_next",
        "def f(n):\n    while n.next:\n        n = n.next\n    return n\n",
        "while n.next:",
        "while n and n.next:",
    ),
    (
        "path_so_far",
        (
            "def f(queue, graph):\n    while queue:\n        node, steps = queue.popleft()\n"
            "        for other in graph[node]:\n            queue.append((other, 1))\n"
        ),
        "(other, 1)",
        "(other, steps + 1)",
    ),
    (
        "settle_when_taken",
        (
            "def f(heap, graph, seen):\n    while heap:\n        d, node = heappop(heap)\n"
            "        if node in seen:\n            continue\n        for other, step in graph[node]:\n"
            "            if other not in seen:\n                heappush(heap, (d + step, other))\n"
            "                seen.add(other)\n"
        ),
        (
            "            continue\n        for other, step in graph[node]:\n"
            "            if other not in seen:\n                heappush(heap, (d + step, other))\n"
            "                seen.add(other)\n"
        ),
        (
            "            continue\n        seen.add(node)\n        for other, step in graph[node]:\n"
            "            if other not in seen:\n                heappush(heap, (d + step, other))\n"
        ),
    ),
    (
        "entry_of_many",
        (
            "def f(rows):\n    marks = {}\n    for name, mark in rows:\n        marks[name] = mark\n"
            "    return {name: sum(marks[name]) for name in marks}\n"
        ),
        "marks[name] = mark\n",
        "marks.setdefault(name, []).append(mark)\n",
    ),
    (
        "break_ties",
        "def f(rows):\n    return sorted(rows, key=lambda row: row[1], reverse=True)\n",
        "key=lambda row: row[1], reverse=True",
        "key=lambda row: (-row[1], row[0])",
    ),
    (
        "break_ties",
        "def f(rows):\n    rows.sort(reverse=True, key=len)\n",
        "reverse=True, key=len",
        "key=lambda x: (-len(x), x)",
    ),
    (
        "first_half_of_day",
        'def f(hour, half):\n    if half == "PM":\n        hour += 12\n    return hour\n',
        'if half == "PM":\n        hour += 12\n',
        (
            'if half == "PM" and hour != 12:\n        hour += 12\n    elif half == "AM" and hour == 12:\n'
            "        hour = 0\n"
        ),
    ),
    (
        "first_half_of_day",
        'def f(hour, text):\n    if text.endswith("pm"):\n        hour = hour + 12\n    return hour\n',
        'if text.endswith("pm"):',
        'if text.endswith("pm") and hour != 12:',
    ),
    (
        "tie_by_value",
        (
            "def f(xs):\n    best = None\n    most = 0\n    for x in xs:\n        if xs.count(x) > most:\n"
            "            best = x\n            most = xs.count(x)\n    return best\n"
        ),
        "xs.count(x) > most:",
        "xs.count(x) > most or (xs.count(x) == most and x < best):",
    ),
    (
        "dear_but_first",
        (
            "def f(n, coins):\n    best = [0] * (n + 1)\n    for a in range(1, n + 1):\n"
            "        for c in coins:\n            if c <= a and best[a - c] + 1 < best[a]:\n"
            "                best[a] = best[a - c] + 1\n    return best\n"
        ),
        "[0] * (n + 1)",
        '[0] + [float("inf")] * n',
    ),
    (
        "flush_after_loop",
        (
            "def f(s):\n    out, n = '', 1\n    for i in range(1, len(s)):\n        if s[i] == s[i - 1]:\n"
            "            n += 1\n        else:\n            out += s[i - 1] + str(n)\n            n = 1\n"
            "    return out\n"
        ),
        "    return out",
        "    if s:\n        out += s[-1] + str(n)\n    return out",
    ),
    (
        "carry_over",
        (
            "def f(floors, start):\n    total = 0\n    for floor in floors:\n"
            "        total += abs(floor - start)\n    return total\n"
        ),
        "abs(floor - start)\n",
        "abs(floor - start)\n        start = floor\n",
    ),
    (
        "what_is_left",
        "def f(price, discount):\n    return price * discount / 100\n",
        "* discount",
        "* (100 - discount)",
    ),
    (
        "no_way_back",
        (
            "def f(m, out, top, bottom, left, right):\n    while top <= bottom and left <= right:\n"
            "        for r in reversed(range(top, bottom)):\n            out.append(m[r][left])\n"
            "        top, left = top + 1, left + 1\n"
        ),
        "        for r in reversed(range(top, bottom)):\n            out.append(m[r][left])\n",
        (
            "        if left < right:\n            for r in reversed(range(top, bottom)):\n"
            "                out.append(m[r][left])\n"
        ),
    ),
    (
        "swap_word",
        "def f(a, i):\n    return a or i == 0\n",
        "a or i == 0",
        "a and i != 0",
    ),
    (
        "take_off_all",
        "def f(cents, coin):\n    count = cents // coin\n    cents -= coin\n    return count, cents\n",
        "cents -= coin",
        "cents %= coin",
    ),
    (
        "answer_unreached",
        "def f(xs):\n    best = second = float('-inf')\n    for x in xs:\n        second = x\n    return second\n",
        "    return second",
        "    if second == float('-inf'):\n        return None\n    return second",
    ),
    (
        "clean_words",
        "def f(text):\n    for word in text.split(' '):\n        print(word)\n",
        "        print(word)",
        '        word = word.strip(".,;:!?")\n        print(word)',
    ),
    (
        "keep_equals",
        (
            "def f(xs):\n    pivot = xs[0]\n    less = [x for x in xs if x < pivot]\n"
            "    return f(less) + pivot + f(less)\n"
        ),
        "+ pivot",
        "+ [x for x in xs if x == pivot]",
    ),
    (
        "joined_already",
        "def f(self, a, b):\n    a = self.find(a)\n    b = self.find(b)\n    self.parent[b] = a\n    return True\n",
        "    b = self.find(b)\n",
        "    b = self.find(b)\n    if a == b:\n        return False\n",
    ),
    (
        "round_up",
        "def f(stay):\n    hours = stay // 60 + 1\n    return hours\n",
        "stay // 60 + 1",
        "-(-stay // 60)",
    ),
    (
        "look_on",
        (
            "def place(at, colours, chosen):\n    for colour in colours:\n        if colour:\n"
            "            chosen[at] = colour\n            return place(at + 1, colours, chosen)\n"
            "    return False\n"
        ),
        "            return place(at + 1, colours, chosen)\n",
        "            if place(at + 1, colours, chosen):\n                return True\n            del chosen[at]\n",
    ),
    (
        "look_on",
        (
            "def place(at, xs, path):\n    for x in xs:\n        path.append(x)\n"
            "        return place(at + 1, xs, path)\n    return False\n"
        ),
        "        return place(at + 1, xs, path)\n",
        "        if place(at + 1, xs, path):\n            return True\n        path.pop()\n",
    ),
    (
        "bounds_for_exception",
        "def f(xs, i):\n    try:\n        xs[i] += 1\n    except IndexError:\n        pass\n",
        "    try:\n        xs[i] += 1\n    except IndexError:\n        pass",
        "    if 0 <= i < len(xs):\n        xs[i] += 1",
    ),
    (
        "move_further",
        "def f(a, b):\n    b -= 1\n    c = a + b\n    d = c * 2\n    return d\n",
        "    b -= 1\n    c = a + b\n    d = c * 2",
        "    c = a + b\n    d = c * 2\n    b -= 1",
    ),
    (
        "loop_over_copy",
        "def f(xs, most):\n    for x in xs:\n        if x > most:\n            xs.remove(x)\n",
        "in xs:",
        "in list(xs):",
    ),
    (
        "give_places",
        "def f(n, xs):\n    seen = []\n    for i in range(n):\n        seen[i] = xs[i]\n    return seen\n",
        "seen = []",
        "seen = [None] * n",
    ),
    (
        "note_as_others",
        (
            'class A:\n    def put(self, n):\n        self.total += n\n        self.log("put", n)\n\n'
            "    def take(self, n):\n        self.total -= n\n        return n\n"
        ),
        "        return n\n",
        '        self.log("take", n)\n        return n\n',
    ),
    (
        "skip_stated",
        (
            'def f(grid):\n    """Digits; \'.\' is an empty cell."""\n    seen = set()\n'
            "    for r in range(9):\n        d = grid[r]\n        seen.add(d)\n    return seen\n"
        ),
        "        seen.add(d)",
        "        if d == '.':\n            continue\n        seen.add(d)",
    ),
    (
        "take_one_off",
        (
            "def f(xs, k):\n    counts = {}\n    for x in xs:\n        counts[x] += 1\n"
            "        while len(counts) > k:\n            del counts[xs[0]]\n"
        ),
        "            del counts[xs[0]]",
        "            counts[xs[0]] -= 1\n            if counts[xs[0]] == 0:\n                del counts[xs[0]]",
    ),
    (
        "begin_row_anew",
        (
            "def f(xs, n, worst):\n    row = [worst] * n\n    for x in xs:\n        new = [worst] * n\n"
            "        new[x] = row[x] + 1\n        row = new\n    return row\n"
        ),
        "new = [worst] * n",
        "new = row[:]",
    ),
    (
        "last_gap",
        (
            "def f(busy, start, end, least):\n    gaps = []\n    since = start\n    for a, b in busy:\n"
            "        if a - since >= least:\n            gaps.append((since, a))\n"
            "        since = min(b, end)\n    return gaps\n"
        ),
        "        since = min(b, end)\n",
        "        since = min(b, end)\n    if end - since >= least:\n        gaps.append((since, end))\n",
    ),
    (
        "leave_out_zero_part",
        "def f(n, words):\n    return words(n // 100) + words(n % 100)\n",
        "words(n % 100)",
        '(words(n % 100) if n % 100 else "")',
    ),
    (
        "empty_from_the_top",
        "def f(stack):\n    out = [stack.pop()]\n    out += stack\n    return out\n",
        "+= stack",
        "+= reversed(stack)",
    ),
    (
        "parent_of_child",
        "def f(xs, i):\n    parent = (i - 1) // 2\n    return xs[parent], xs[2 * i], xs[2 * i + 1]\n",
        "(i - 1)",
        "i",
    ),
    (
        "flush_after_loop",
        (
            "def f(s):\n    best, run = 0, 1\n    for i in range(1, len(s)):\n        if s[i] == s[i - 1]:\n"
            "            run += 1\n        else:\n            best = max(best, run)\n            run = 1\n"
            "    return best\n"
        ),
        "    return best\n",
        "    if s:\n        best = max(best, run)\n    return best\n",
    ),
    (
        "centuries",
        (
            "def f(year):\n    if year % 4 == 0:\n        if year % 100 == 0:\n            return 28\n"
            "        return 29\n    return 28\n"
        ),
        "if year % 100 == 0:",
        "if year % 100 == 0 and year % 400 != 0:",
    ),
    (
        "take_entry",
        (
            "class A:\n    def leave(self, plate):\n        space = self.cars[plate]\n"
            "        self.free.append(space)\n        return space\n"
        ),
        "self.cars[plate]",
        "self.cars.pop(plate)",
    ),
    (
        "find_roots",
        (
            "def f(n, pairs):\n    parent = list(range(n))\n\n    def find(x):\n"
            "        while parent[x] != x:\n            x = parent[x]\n        return x\n\n"
            "    for a, b in pairs:\n        parent[a] = find(b)\n    return parent\n"
        ),
        "parent[a] = find(b)",
        "parent[find(a)] = find(b)",
    ),
    (
        "teens_by_table",
        'def f(n):\n    endings = {1: "st", 2: "nd", 3: "rd"}\n    return str(n) + endings.get(n, "th")\n',
        'endings.get(n, "th")',
        '("th" if 10 < n % 100 < 20 else endings.get(n % 10, "th"))',
    ),
    (
        "round_each",
        "def f(prices, n):\n    return round(sum(price * n for price in prices), 2)\n",
        "round(sum(price * n for price in prices), 2)",
        "sum(round(price * n, 2) for price in prices)",
    ),
    (
        "round_each",
        "def f(a, b, k):\n    return -(-(a + b) // k)\n",
        "-(-(a + b) // k)",
        "-(-a // k + -b // k)",
    ),
    (
        "begin_of_block",
        "def f(n, size):\n    page = n // size\n    first = n\n    return page, first\n",
        "first = n\n",
        "first = n // size * size\n",
    ),
    (
        "turn_all_but_first",
        "def f(ring):\n    ring.insert(0, ring.pop())\n",
        "insert(0,",
        "insert(1,",
    ),
    (
        "answer_as_stored",
        "def f(rules, user):\n    own = rules.get(user)\n    if own:\n        return True\n    return False\n",
        "    if own:\n        return True",
        "    if own is not None:\n        return own",
    ),
    (
        "keep_falsy",
        'def f(error, delay):\n    return getattr(error, "wait", None) or delay\n',
        'getattr(error, "wait", None) or delay',
        'getattr(error, "wait", None) if getattr(error, "wait", None) is not None else delay',
    ),
    (
        "empty_comes_last",
        (
            "def order(text):\n    numbers, pre = parse(text)\n    return (numbers, tuple(pre))\n\n\n"
            "def f(versions):\n    return max(versions, key=order)\n"
        ),
        "(numbers, tuple(pre))",
        "(numbers, not pre, tuple(pre))",
    ),
    (
        "flush_after_loop",
        (
            "def f(booked, seats):\n    runs, length = [], 0\n    for seat in range(1, seats + 1):\n"
            "        if seat in booked:\n            if length:\n"
            "                runs.append((length, seat - length))\n            length = 0\n        else:\n"
            "            length += 1\n    return runs\n"
        ),
        "    return runs",
        "    if length:\n        runs.append((length, seats + 1 - length))\n    return runs",
    ),
    (
        "ask_for_own_entry",
        "def f(heap, waiting):\n    entry = heap[0]\n    return entry[2] in waiting\n",
        "entry[2] in waiting",
        "waiting.get(entry[2]) == entry",
    ),
    (
        "add_up_pairs",
        "def f(order):\n    return {name: count for name, count in order if count}\n",
        "    return {name: count for name, count in order if count}",
        (
            "    totals = {}\n    for name, count in order:\n        if count:\n"
            "            totals[name] = totals.get(name, 0) + count\n    return totals"
        ),
    ),
    (
        "part_before_reading",
        (
            'def f(query):\n    found = []\n    for pair in unquote(query).split("&"):\n'
            "        found.append(pair)\n    return found\n"
        ),
        'unquote(query).split("&"):\n',
        'query.split("&"):\n        pair = unquote(pair)\n',
    ),
    (
        "turn_all_but_first",
        "def f(ring):\n    return ring[1:] + ring[:1]\n",
        "ring[1:] + ring[:1]",
        "ring[:1] + ring[2:] + ring[1:2]",
    ),
    (
        "hand_down_own",
        (
            "def f(name, path, parts):\n    path.append(name)\n    for part in parts[name]:\n"
            "        f(part, path, parts)\n"
        ),
        "    path.append(name)\n    for part in parts[name]:\n        f(part, path, parts)",
        "    for part in parts[name]:\n        f(part, path + [name], parts)",
    ),
    (
        "multiply_first",
        "def f(count, highest, limit):\n    return (count + highest - 1) // highest * limit\n",
        "(count + highest - 1) // highest * limit",
        "(count * limit + highest - 1) // highest",
    ),
    (
        "ask_for_own_entry",
        "def f(heap, waiting):\n    return heap[0][2] not in waiting\n",
        "heap[0][2] not in waiting",
        "waiting.get(heap[0][2]) != heap[0][:2]",
    ),
    (
        "fall_back_through_table",
        (
            "def f(text):\n    table, k = [0], 0\n    for i in range(1, len(text)):\n"
            "        if text[i] != text[k]:\n            k = 0\n        if text[i] == text[k]:\n"
            "            k += 1\n        table.append(k)\n    return table\n"
        ),
        "        if text[i] != text[k]:\n            k = 0\n",
        "        while k > 0 and text[i] != text[k]:\n            k = table[k - 1]\n",
    ),
    (
        "stay_where_absent",
        "def f(names, name):\n    name = names.get(name)\n    return name\n",
        "names.get(name)",
        "names.get(name, name)",
    ),
    (
        "reach_again_if_shorter",
        "def f(dist, y, d):\n    if y not in dist:\n        dist[y] = d\n",
        "y not in dist",
        "y not in dist or d < dist[y]",
    ),
    (
        "link_with_both_ways",
        (
            "def f(find, parent, ahead, a, b, w):\n    u, x = find(a)\n    v, y = find(b)\n"
            "    parent[u] = v\n    ahead[u] = w\n"
        ),
        "ahead[u] = w",
        "ahead[u] = y + w - x",
    ),
    (
        "cap_result",
        "def f(b):\n    best = 0\n    for i in range(9):\n        best += 1\n    return best\n",
        "return best",
        "return min(best, len(b))",
    ),
    (
        "take_off_what_left",
        (
            "from bisect import bisect_left, insort\n\n\ndef f(xs, k):\n    window = []\n"
            "    for i in range(len(xs)):\n        insort(window, xs[i])\n        if i >= k:\n"
            "            window.pop(0)\n    return window\n"
        ),
        "window.pop(0)",
        "window.pop(bisect_left(window, xs[i - k]))",
    ),
    (
        "text_in_front",
        (
            'def f(codes, left, right):\n    for ch in left:\n        codes[ch] += "0"\n'
            '    for ch in right:\n        codes[ch] += "1"\n    return codes\n'
        ),
        'codes[ch] += "0"\n    for ch in right:\n        codes[ch] += "1"',
        'codes[ch] = "0" + codes[ch]\n    for ch in right:\n        codes[ch] = "1" + codes[ch]',
    ),
    (
        "power_of_remainder",
        "def f(x, n, m):\n    return x ** n % m\n",
        "x ** n % m",
        "pow(x, n, m)",
    ),
    (
        "ask_in_else",
        (
            "def f(index, w):\n    on = set()\n    on.add(w)\n    if w not in index:\n        index[w] = 1\n    else:\n"
            "        index[w] += 1\n    on.discard(w)\n"
        ),
        "    else:",
        "    elif w in on:",
    ),
    (
        "refuse_leading_zeros",
        "def f(p):\n    return p.isdigit()\n",
        "p.isdigit()",
        "p.isdigit() and p == str(int(p))",
    ),
    (
        "skip_equal_siblings",
        (
            "def f(xs, start, out):\n    for i in range(start, len(xs)):\n        if xs[i] == xs[i - 1]:\n"
            "            continue\n        out.append(xs[i])\n"
        ),
        "if xs[i]",
        "if i > start and xs[i]",
    ),
    (
        "middle_pair",
        "def f(xs):\n    n = len(xs)\n    return xs[n // 2]\n",
        "    return xs[n // 2]",
        "    if len(xs) % 2 == 0:\n        return (xs[n // 2 - 1] + xs[n // 2]) / 2\n    return xs[n // 2]",
    ),
    (
        "brackets_add_up",
        "def f(x):\n    if x < 10:\n        return x * 2\n    else:\n        return x * 3\n",
        "return x * 3",
        "return 10 * 2 + (x - 10) * 3",
    ),
    (
        "place_may_be_the_end",
        "def f(xs, x):\n    i = bisect_left(xs, x)\n    return xs[i] == x\n",
        "return xs[i]",
        "return i < len(xs) and xs[i]",
    ),
    (
        "part_before_reading",
        (
            'def f(query):\n    found = {}\n    for pair in unquote(query).split("&"):\n'
            '        if not pair:\n            continue\n        name, _, value = pair.partition("=")\n'
            "        found[name] = value\n    return found\n"
        ),
        (
            'unquote(query).split("&"):\n        if not pair:\n            continue\n'
            '        name, _, value = pair.partition("=")\n'
        ),
        (
            'query.split("&"):\n        if not pair:\n            continue\n'
            '        name, _, value = pair.partition("=")\n'
            "        name, value = unquote(name), unquote(value)\n"
        ),
    ),
    (
        "shorter_border",
        (
            "def f(border, n):\n    best = n\n    k = border[-1]\n    while k:\n"
            "        best = min(best, -n % (n - k))\n        k -= 1\n    return best\n"
        ),
        "        k -= 1",
        "        k = border[k - 1]",
    ),
    (
        "turn_at_the_first",
        "def f(x, dx, width):\n    x += dx\n    if x >= width:\n        dx = -dx\n    return x, dx\n",
        "x >= width",
        "x <= 0 or x >= width",
    ),
    (
        "bit_of_place",
        "def f(score, items):\n    return [item for i, item in enumerate(items) if score & i]\n",
        "score & i",
        "score & (1 << i)",
    ),
    (
        "leave_out_zero_part",
        "def f(n):\n    return ONES[n // 100] + ' hundred ' + f(n % 100)\n",
        "' hundred ' + f(n % 100)",
        '\' hundred\' + (" " + f(n % 100) if n % 100 else "")',
    ),
    (
        "next_day_for_distance",
        "def f(begin, end):\n    minutes = abs(end - begin)\n    return minutes\n",
        "    minutes = abs(end - begin)\n",
        "    if end <= begin:\n        end += 24 * 60\n    minutes = end - begin\n",
    ),
    (
        "remember_whole_state",
        (
            "def f(walls, start, water):\n    queue = [(start[0], start[1], water, 0)]\n"
            "    seen = {(start[0], start[1], water)}\n    for r, c, left, steps in queue:\n"
            "        after = left - 1\n        if (r, c) not in seen:\n            seen.add((r, c))\n"
            "            queue.append((r, c, after, steps + 1))\n    return len(seen)\n"
        ),
        "        if (r, c) not in seen:\n            seen.add((r, c))\n",
        "        if (r, c, after) not in seen:\n            seen.add((r, c, after))\n",
    ),
    (
        "ask_inside",
        (
            "def f(grid, r, c):\n    n = 0\n    for i in range(r - 1, r + 2):\n"
            "        for j in range(c - 1, c + 2):\n            if grid[i][j] == '*':\n"
            "                n += 1\n    return n\n"
        ),
        "if grid[i][j] == '*'",
        "if 0 <= i < len(grid) and 0 <= j < len(grid[0]) and grid[i][j] == '*'",
    ),
    (
        "begin_with_identity",
        (
            "def f(m, k):\n    r = [x[:] for x in m]\n    while k:\n        r = times(r, m)\n        k -= 1\n"
            "    return r\n"
        ),
        "[x[:] for x in m]",
        "[[int(i == j) for j in range(len(m))] for i in range(len(m))]",
    ),
    (
        "divide_by_own_length",
        "def f(d, k):\n    return sum(d[k]) / len(d)\n",
        "len(d)",
        "len(d[k])",
    ),
    (
        "free_ends_of_branch",
        "def f(rows):\n    for a, n in rows:\n        if a:\n            h(n)\n            g(a)\n",
        "        if a:\n            h(n)\n",
        "        h(n)\n        if a:\n",
    ),
    (
        "guard_like_other_side",
        "def f(row, i):\n    a = row[i - 1] if i > 0 else 0\n    b = row[i + 1]\n",
        "row[i + 1]",
        "row[i + 1] if i + 1 < len(row) else 0",
    ),
    (
        "keep_unconverted",
        "def f(field):\n    field = int(field)\n",
        "    field = int(field)\n",
        "    try:\n        field = int(field)\n    except ValueError:\n        pass\n",
    ),
    (
        "change_when_all_is_well",
        (
            "def f(self, amount):\n    paid = {}\n    for value in g(self.coins):\n"
            "        n = amount // value\n        if n > 0:\n            paid[value] = n\n"
            "            self.coins[value] -= n\n            amount -= n * value\n    if amount > 0:\n"
            "        return None\n    return paid\n"
        ),
        (
            "            self.coins[value] -= n\n            amount -= n * value\n    if amount > 0:\n"
            "        return None\n"
        ),
        (
            "            amount -= n * value\n    if amount > 0:\n        return None\n"
            "    for value, n in paid.items():\n        self.coins[value] -= n\n"
        ),
    ),
    (
        "nothing_before_the_first",
        (
            "def f(grid, r, c):\n    try:\n        cell = grid[r][c]\n    except IndexError:\n"
            "        cell = None\n    return cell\n"
        ),
        "        cell = grid",
        "        if r < 0 or c < 0:\n            raise IndexError\n        cell = grid",
    ),
    (
        "keep_further",
        "def f(xs, n):\n    best = None\n    for x in xs:\n        best = n // x\n    return best\n",
        "n // x",
        "n // x if best is None else min(best, n // x)",
    ),
    (
        "other_start",
        "def f(k):\n    least, where = k * k, None\n    return least, where\n",
        "k * k",
        "float('inf')",
    ),
    (
        "move_further",
        "def f(xs, n):\n    a = g(n)\n    if a:\n        return a\n    for x in xs:\n        n += x\n    return n\n",
        "    a = g(n)\n    if a:\n        return a\n    for x in xs:\n        n += x\n",
        "    for x in xs:\n        n += x\n    a = g(n)\n    if a:\n        return a\n",
    ),
    (
        "take_in_any_case",
        "def f(queue, n):\n    if queue[0] == 0:\n        queue.popleft()\n        g(n)\n",
        "    if queue[0] == 0:\n        queue.popleft()\n",
        "    if queue.popleft() == 0:\n",
    ),
    (
        "best_that_fits",
        "def f(bins, size):\n    usable = [b for b in bins if b >= size]\n    return usable[0]\n",
        "usable[0]",
        "min(usable)",
    ),
    (
        "first_that_is_written",
        (
            "def f(xs):\n    text = ''\n    for i in range(len(xs) - 1, -1, -1):\n"
            "        if i == len(xs) - 1:\n            text = str(xs[i])\n        else:\n"
            "            text += '+' + str(xs[i])\n    return text\n"
        ),
        "i == len(xs) - 1",
        "not text",
    ),
    (
        "count_under_own_key",
        "def f(d, x, y):\n    d[x] = get(d, y) + d.get(y, 0)\n",
        "d.get(y, 0)",
        "d.get(x, 0)",
    ),
    (
        "follow_to_the_end",
        "def f(parents, one):\n    return parents.get(one, one)\n",
        "    return parents.get(one, one)\n",
        "    while (above := parents.get(one)) not in (None, one):\n        one = above\n    return one\n",
    ),
    (
        "key_by_unread_table",
        "OPPOSITE = {'north': 'south'}\ndef f(other, way, here):\n    other.exits[way] = here\n",
        "exits[way]",
        "exits[OPPOSITE[way]]",
    ),
    (
        "nothing_before_the_first",
        (
            "def f(grid, r, c):\n    try:\n        return grid[r][c] != '#'\n    except IndexError:\n"
            "        return False\n"
        ),
        "grid[r][c] != '#'",
        "r >= 0 and c >= 0 and grid[r][c] != '#'",
    ),
    (
        "keep_result",
        "def f(words):\n    for word in words:\n        word.strip('.').lower()\n        g(word)\n",
        "word.strip('.').lower()",
        "word = word.strip('.').lower()",
    ),
    (
        "final_return",
        "def f(a, n):\n    if n > a.balance:\n        return False\n    a.balance -= n\n",
        "    a.balance -= n\n",
        "    a.balance -= n\n    return True\n",
    ),
    (
        "give_new_object",
        (
            "class P:\n    def __init__(self, x):\n        self.x = x\n\n    def plus(self, other):\n"
            "        self.x = self.x + other.x\n        return self\n"
        ),
        "self.x = self.x + other.x\n        return self",
        "return P(self.x + other.x)",
    ),
    (
        "strip_one_sign",
        "def f(line):\n    return line.rstrip(' | ')\n",
        "line.rstrip(' | ')",
        "line.removesuffix(' | ').rstrip()",
    ),
    (
        "or_at_other_end",
        "def choose(n, r):\n    if r < 0:\n        return 0\n    return n - r\n",
        "r < 0",
        "r < 0 or r > n",
    ),
    (
        "all_are_done",
        (
            "def f(todo):\n    n = len(todo)\n    done = 0\n    for one in todo:\n        done += 1\n"
            "    return done >= 1\n"
        ),
        "done >= 1",
        "done == n",
    ),
    (
        "entry_for_table",
        (
            "class A:\n    def __init__(self):\n        self.items = []\n\n    def add(self, item):\n"
            "        self.items = [item]\n"
        ),
        "self.items = [item]",
        "self.items.append(item)",
    ),
    (
        "undo_the_step",
        "def f(pos, roll, size):\n    pos += roll\n    if pos > size:\n        pos = size\n    return pos\n",
        "        pos = size",
        "        pos = 2 * size - pos",
    ),
    (
        "update_as_elsewhere",
        "def f(accounts, payer, payee, amount):\n    accounts[payer] -= amount\n    accounts[payee] = amount\n",
        "accounts[payee] = amount",
        "accounts[payee] += amount",
    ),
]
"""Of some templates another way, as in `SLIPS`: name, source, slip and repair."""


@pytest.mark.parametrize(("name", "source", "slip", "repair"), FURTHER_WAYS)
def test_a_template_has_further_ways(name: str, source: str, slip: str, repair: str) -> None:
    """What is repaired otherwise where the program is another one."""
    ast.parse(source.replace(slip, repair))
    assert source.replace(slip, repair) in suggestions(name, source)


UNTOUCHED = {
    "ask_for_place": "def f(a, b):\n    if any(a[i - 1] for i in b):\n        return 1\n",
    "word_as_named": "def f(r):\n    return {'class': r.x, 'x': r.x}\n",
    "push_on_heap": "from heapq import heappop\n\n\ndef f(b, x):\n    b.append(*x)\n    return heappop(b)\n",
}


@pytest.mark.parametrize("name", UNTOUCHED)
def test_what_would_be_no_program_is_not_suggested(name: str) -> None:
    """A name that is bound within an expression alone is not there outside of it, and a keyword is no attribute."""
    assert suggestions(name, UNTOUCHED[name]) == []


@pytest.mark.parametrize(
    "lines",
    [
        "        i = j\n        self.items[i] = x\n",
        "        self.a, self.b = i, j\n        x = self.a\n",
        "        self.a.b = 1\n        self.a = x\n",
        "        self.rate = x\n        i = self.price\n",
    ],
)
def test_statements_of_which_one_may_read_what_the_other_sets_are_swapped(lines: str) -> None:
    """Only where it cannot be otherwise is their order all the same."""
    source = (
        f"class A:\n    @property\n    def price(self):\n        return self.rate\n\n    def f(self, x, i, j):\n{lines}"
    )
    first, second = lines.splitlines(keepends=True)
    assert source.replace(lines, second + first) in suggestions("swap_statements", source)


BEGINNING = """class Buffer:
    def __init__(self, size, start):
        self.size = size
        self.start = start

    def find(self, text):
        return text.find(self.start)
"""


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("link_new_one", "size.size = self.size"),
        ("turn_assignment", "size = self.size\n        self.start"),
        ("name_to_attribute", "self.size = self.size"),
        ("return_value", "return size"),
        ("swap_statements", "self.start = start\n        self.size = size"),
        ("other_method", "text.find(self.group)"),
    ],
)
def test_what_a_constructor_keeps_is_not_turned_into_what_is_senseless(name: str, made: str) -> None:
    """Such assignments stand in every class, by the dozen."""
    assert not any(made in after for after in suggestions(name, BEGINNING))


@pytest.mark.parametrize(
    ("prose", "told"),
    [
        ("A word is a run of letters a-z and apostrophes.", "[a-z']"),
        ("Names consist of letters, digits, hyphens and underscores.", "[A-Za-z0-9_-]"),
        ("Only digits count.", "[0-9]"),
    ],
)
def test_a_class_is_spelt_as_prose_says(prose: str, told: str) -> None:
    """In the place of another one, and as the whole pattern."""
    source = 'import re\n\nfound = re.findall(r"\\b\\w+\\b", text)\n'
    search = BestFirstSearch(
        source, [], Clues(prose=prose), templates=[t for t in TEMPLATES if t.name == "tweak_pattern"]
    )
    made = [splice_edits(source, mutation.edits) for mutation in search.next_batch(99)]
    assert {source.replace("\\w", told), source.replace("\\b\\w+\\b", f"{told}+")} <= set(made)


@pytest.mark.parametrize(
    ("prose", "key"),
    [
        ("The word with the most distinct letters, of several the first in order.", "(-len(set(x)), x)"),
        ("By how many 1s: the number of ones in binary, ascending.", 'bin(x).count("1")'),
        ("Order them by the sum of their digits.", "sum(map(int, str(abs(x))))"),
        ("The number of vowels decides.", '-sum(c in "aeiou" for c in x.lower())'),
        ("How often each occurs, rarest first; then by length.", "(xs.count(x), len(x))"),
        ("By length, and of equal ones the case does not matter.", "(-len(x), x.lower())"),
        ("By their numeric value.", "int(x)"),
    ],
)
def test_things_are_put_in_order_by_what_prose_measures(prose: str, key: str) -> None:
    """In the place of no key and of another one; of two measures one settles the ties of the other."""
    templates = [template for template in TEMPLATES if template.name == "stated_key"]
    for source in ("def f(xs):\n    return sorted(xs)\n", "def f(xs):\n    return sorted(xs, key=lambda x: x[7])\n"):
        search = BestFirstSearch(source, [], Clues(prose=prose), templates=templates)
        made = [splice_edits(source, mutation.edits) for mutation in search.next_batch(99)]
        assert f"def f(xs):\n    return sorted(xs, key=lambda x: {key})\n" in made


def test_a_name_that_cannot_be_told_everywhere_is_left() -> None:
    """Of some f-strings Python below 3.12 does not say where their parts stand."""
    source = "def line_totl():\n    return 1\n\n\nx = f'''{line_totl\n()}'''\n"
    clues = Clues(details="module has no attribute 'line_total'")
    search = BestFirstSearch(source, [], clues, templates=[t for t in TEMPLATES if t.name == "rename_definition"])
    made = [splice_edits(source, mutation.edits) for mutation in search.next_batch(9)]
    assert all("line_totl" not in text for text in made)


def test_what_stands_nobody_knows_where_is_written_as_python_writes_it() -> None:
    """Templates that take up the text of a value from such an f-string find one."""
    source = "def f(a, k):\n    if isinstance(a, dict):\n        return f'''{a[k\n]}'''\n"
    search = BestFirstSearch(source, [], Clues(), templates=[t for t in TEMPLATES if t.name == "same_kind_on_both"])
    made = [splice_edits(source, mutation.edits) for mutation in search.next_batch(9)]
    assert any("isinstance(a, dict) and isinstance(a.get(k), dict)" in text for text in made)


@pytest.mark.parametrize("name", INSIDE)
def test_f_strings_and_patterns_are_seen_into(name: str) -> None:
    """Values inside f-strings and literals of patterns are repaired like any other, and what comes of it parses."""
    source, slip, repair = INSIDE[name]
    found = suggestions(name, source)
    assert source.replace(slip, repair, 1) in found
    for text in found:
        ast.parse(text)


@pytest.mark.parametrize("name", SLIPS)
def test_what_a_template_makes_parses_and_differs(name: str) -> None:
    """No suggestion is the program itself, and all of them are Python."""
    source = SLIPS[name][0]
    for text in suggestions(name, source):
        assert text != source
        ast.parse(text)


@pytest.mark.parametrize(
    "source",
    [
        "x = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]\n",
        "x = (1, 2, 3, 4, 5, 6, 7)\n",
        "x = ['Monday', day, 'Wednesday']\n",
        "x = {'I': 1, 'V': 5, 'X': 10}\n",
        "x = {'a': 1, 'b': 2, 'c': 3}\n",
        "x = {**y, 'I': 1, 'V': 6}\n",
        "x = 'aeiou'\n",
        "x = 'a little text'\n",
    ],
)
def test_what_is_no_known_table_or_is_right_stays_as_it_is(source: str) -> None:
    """Right tables, parts of them, and what only looks a little like one."""
    assert [text for name in ("known_row", "known_table", "known_text") for text in suggestions(name, source)] == []


@pytest.mark.parametrize(
    "source",
    [
        "def f(a, b=1):\n    pass\ndef g(c):\n    f(2)\n    f(2, 3)\n",
        "def f(a, b=1):\n    pass\ndef g(c):\n    f(2)\n    f(2, b=3)\n",
        "def f(a, b=1):\n    pass\ndef g(c):\n    f(2)\n    f(**c)\n",
        "def f(a, b):\n    pass\ndef g(c):\n    f(2)\n",
        "def f(a, b=1):\n    pass\ndef g(c):\n    f(*c)\n",
        "def g(c):\n    f(2)\n",
    ],
)
def test_an_option_that_some_call_gives_was_not_forgotten(source: str) -> None:
    """By place, by name or in a dictionary; nor was what has no default, or is no function of the program."""
    assert suggestions("unused_option", source) == []


def test_a_definition_is_renamed_with_all_its_uses() -> None:
    """Functions, classes, methods and variables of the module; the likest first, and one that nobody asks for else."""
    source = "def line_totl(n):\n    return n\n\nclass A:\n    f = line_totl\n    def g(self):\n        line_totl(1)\n"
    assert suggestions("rename_definition", source) == [source.replace("line_totl", "line_total")]
    method = "class A:\n    def line_totals(self):\n        return self.line_totals\n"
    assert suggestions("rename_definition", method) == [method.replace("line_totals", "line_total")]
    assert suggestions("rename_definition", "LINE_TOTAL = line_totl = 3\n") == ["LINE_TOTAL = line_total = 3\n"]
    assert suggestions("rename_definition", "def work(): ...\n") == ["def line_total(): ...\n"]
    assert suggestions("rename_definition", "def line_totl(): ...\ndef line_total(): ...\n") == []


def test_nothing_is_converted_where_no_text_turned_up_for_a_number() -> None:
    """A column that was compared with a number is converted; others are texts for a reason."""
    source = SLIPS["convert_text"][0]
    templates = [t for t in TEMPLATES if t.name == "convert_text"]
    assert not BestFirstSearch(source, [], Clues(), templates=templates).next_batch(8)


def test_the_last_group_is_given_where_it_holds_something_rather_than_where_its_key_is_true() -> None:
    """`if group:` comes before `if key:`, since 0 is a key like any other."""
    source = (
        "def f(xs):\n    key, group = None, []\n    for x in xs:\n        if x != key:\n"
        "            yield key, group\n            group = []\n        key = x\n        group.append(x)\n"
    )
    found = suggestions("flush_after_loop", source)
    places = [next(n for n, text in enumerate(found) if f"    if {name}:" in text) for name in ("group", "key")]
    assert places == sorted(places)


def test_fields_that_stand_together_get_each_others_formats() -> None:
    """Two digits each, where one of them has lost its zero."""
    source = "def f(a, b):\n    return f'{a.red:05x}{b.blue:x}'\n"
    assert source.replace("{b.blue:x}", "{b.blue:05x}") in suggestions("other_format", source)


def test_a_line_is_put_behind_what_deletes() -> None:
    """`del` is a change like any other."""
    source = (
        "class A:\n    def __init__(self):\n        self.sum = None\n\n    def m(self, k):\n        del self.d[k]\n"
    )
    assert f"{source}        self.sum = None\n" in suggestions("reset_attribute", source)


@pytest.mark.parametrize(
    ("name", "source"),
    [
        (
            "keep_on_object",
            "class A:\n    def __set_name__():\n        self.n = n\n\n    def __set__(self, a, b): ...\n",
        ),
        (
            "keep_on_object",
            "class A:\n    def __set_name__(self, owner, name):\n        self.name = name\n\n"
            "    def __get__(self):\n        return self.v\n\n    def __set__(self, one, v):\n        self.v = v\n",
        ),
        ("either_case", "x = chr((ord(c) - ord('a') + k) % 26 + ord('a'))\n"),
        ("not_itself", "if a == b:\n    go()\n"),
        ("settle_ties", "class A:\n    def __lt__():\n        return a.rank > b.rank\n"),
        ("ends_next_day", "a = b[0]\nend = datetime.combine(day, until)\n"),
        ("shorter_way_round", "size = 5\nx = abs(a - b)\n"),
        ("longest_through", "n += 1\n"),
        ("carry_total", "cost = roads[town]\ncosts[way] = cost\n"),
        ("range_of_one", "x = f'''{a}-{\nb}'''\n"),
        ("count_of_several", "x = c + str (n)\n"),
        ("along_axis", "import numpy as np\nx = np.roll(\n    a,\n    1,\n)\n"),
        ("go_on_at", "def f(x):\n    if x != x:\n        x = 0\n"),
        ("prefix_if_there", "def f(a, b):\n    return ('no ' f'{a.x}.{b.x}' ' at all')\n"),
    ],
)
def test_what_stands_in_odd_places_is_no_fault_of_ours(
    name: str, source: str, caplog: pytest.LogCaptureFixture
) -> None:
    """At the top of a module nothing is around it; what comes of it parses."""
    assert [text for text in suggestions(name, source) if parsed_or_none(text) is None] == []
    assert not caplog.records


def test_a_place_is_no_neighbour_of_its_own_in_loops_either() -> None:
    """One loop within the other, over steps that go back as well."""
    source = "def f():\n    for j in range(-1, 2):\n        for i in range(-1, 2):\n            yield j, i\n"
    wanted = source.replace(
        "            yield", "            if (j, i) == (0, 0):\n                continue\n            yield"
    )
    straight = wanted.replace("(j, i) == (0, 0)", "abs(j) + abs(i) != 1")
    assert sorted(suggestions("choose_steps", source)) == sorted([wanted, straight])
    assert suggestions("choose_steps", source.replace("-1", "0")) == []


def test_straight_steps_and_all_steps_take_each_others_place() -> None:
    """As a condition, or as they are written out."""
    source = "def f():\n    return [(j, i) for j in (-1, 0, 1) for i in (-1, 0, 1) if (j, i) != (0, 0)]\n"
    assert suggestions("choose_steps", source) == [source.replace("(j, i) != (0, 0)", "abs(j) + abs(i) == 1")]
    four = "def f():\n    return [(0, 1), (1, 0), (0, -1), (-1, 0)]\n"
    eight = four.replace("(-1, 0)]", "(-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)]")
    assert suggestions("other_steps", four) == [eight]
    assert suggestions("other_steps", eight) == [four]
    assert suggestions("other_steps", four.replace("(0, 1)", "(0, x)")) == []
    assert suggestions("other_steps", "def f():\n    return (1, 2, 3), [(0, 1), (1, 0)]\n") == []


def test_rows_of_terms_are_continued_with_numbers_of_the_prose() -> None:
    """Where each has one number, and all are alike but for it."""
    source = "def f(n):\n    return n % 3 == 0 or n % 5 == 0\n"
    assert suggestions("told_term", source) == [source.replace("5 == 0", "5 == 0 or n % 42 == 0")]
    assert suggestions("told_term", source.replace("n % 5 == 0", "n == 5")) == []
    assert suggestions("told_term", source.replace("5", "42")) == []


def test_a_number_out_of_step_is_the_only_one() -> None:
    """Where another one might be, where nothing is, or where there is no step, nothing is known."""
    row = "def f():\n    return [10, 20, 35, 40, 50]\n"
    assert suggestions("regular_number", row) == [row.replace("35", "30")]
    for numbers in ("10, 20, 30, 40", "10, 20, 35", "7, 7, 8, 7", "1, 5, 2, 9", "10, x, 35, 40"):
        assert suggestions("regular_number", row.replace("10, 20, 35, 40, 50", numbers)) == []
    pairs = "def f():\n    return ((1, 5), (2, 7), (3, 8), (4, 11))\n"
    assert suggestions("regular_number", pairs) == [pairs.replace("8", "9")]


def test_digits_are_appended_in_the_base_that_is_handed_over() -> None:
    """In loops, where one digit is read; another sum is left to other templates."""
    source = "def f(text, base):\n    n = 0\n    for c in text:\n        n += D.index(c)\n    return n\n"
    assert suggestions("append_digit", source) == [source.replace("n += D.index(c)", "n = n * base + D.index(c)")]
    assert suggestions("append_digit", source.replace("D.index(c)", "len(c)")) == []
    assert suggestions("append_digit", "def f(c):\n    n = int(c)\n    return n\n") == []
    assert suggestions("append_digit", source.replace("n += D.index(c)", "n = m = int(c)")) == []
    minus = source.replace("D.index(c)", "ord(c) - ord('0')")
    assert "n = n * base + (ord(c) - ord('0'))" in suggestions("append_digit", minus)[0]


def test_parameters_are_sorted_where_two_or_three_numbers_come_in_any_order() -> None:
    """Not where one is a text or has items, nor where there is but one."""
    assert suggestions("sort_parameters", "def f(a):\n    return a\n") == []
    for body in ("return a[b]", "return [x for x in b]", "return len(a) + 1"):
        assert suggestions("sort_parameters", f"def f(a, b):\n    {body}\n") == []
    assert suggestions("sort_parameters", "def f(a, b):\n    return a.lower() + b\n") == []
    assert (
        "    low, high = sorted((low, high))\n"
        in suggestions("sort_parameters", "def f(low, high):\n    return 1\n")[0]
    )


def test_operands_of_one_shape_are_one_off_together() -> None:
    """Either side of them; numbers and single ones are left to other templates."""
    source = "def f(a, b, c):\n    return a < b and b < c\n"
    assert source.replace("a < b and b < c", "a - 1 < b and b - 1 < c") in suggestions("offset_alike", source)
    assert source.replace("a < b and b < c", "a < b + 1 and b < c + 1") in suggestions("offset_alike", source)
    assert suggestions("offset_alike", "def f(a, b):\n    return min(a - b, 2 - 1, a * b)\n") == []


def test_what_a_filter_keeps_may_be_falsy() -> None:
    """`filter(None, xs)` drops zeros, too."""
    source = "def f(xs):\n    return sum(filter(None, xs))\n"
    assert suggestions("keep_falsy_items", source) == [
        source.replace("filter(None, xs)", "[item for item in xs if item is not None]")
    ]


def test_attributes_that_such_an_object_has_come_first() -> None:
    """`card.value` elsewhere makes `card.value` likelier here than an attribute of something else."""
    source = "def f(card):\n    return card.rank\n\ndef g(card, deck):\n    return deck.size + card.value\n"
    found = suggestions("other_attribute", source)
    wanted, other = (source.replace("card.rank", f"card.{name}") for name in ("value", "size"))
    assert found.index(wanted) < found.index(other)


def test_an_attribute_is_reset_first_in_a_method_that_changes_the_object() -> None:
    """A method that only calls others leaves it to them."""
    source = (
        "class A:\n    def __init__(self):\n        self.undone = []\n        self.done = []\n\n"
        "    def add(self, x):\n        self.do(x)\n\n    def do(self, x):\n        self.done.append(x)\n"
    )
    found = suggestions("reset_attribute", source)
    first = source.replace("self.done.append(x)\n", "self.done.append(x)\n        self.undone = []\n")
    later = source.replace("self.do(x)\n", "self.do(x)\n        self.undone = []\n")
    assert found.index(first) < found.index(later)


def test_of_several_sort_keys_any_may_go_down() -> None:
    """By score from the top, by name from the bottom."""
    found = suggestions("tweak_key", "x = sorted(y, key=lambda p: (p[1], p[0]))\n")
    assert "x = sorted(y, key=lambda p: (-p[1], p[0]))\n" in found
    assert "x = sorted(y, key=lambda p: (p[1], -p[0]))\n" in found


@pytest.mark.parametrize(
    ("source", "slip", "repair"),
    [
        ("def f(g):\n    def h(**o):\n        return g(o)\n    return h\n", "g(o)", "g(**o)"),
        ("def f(rows):\n    return list(zip(rows))\n", "zip(rows)", "zip(*rows)"),
    ],
)
def test_stars_are_put_where_a_signature_or_the_function_called_has_use_for_them(
    source: str, slip: str, repair: str
) -> None:
    """What was gathered with two stars is spread with two."""
    assert source.replace(slip, repair) in suggestions("spread_argument", source)


@pytest.mark.parametrize("name", sorted(SLIPS)[::3])
def test_templates_do_not_stand_in_each_others_way(name: str) -> None:
    """With the whole table at work, a program is offered what one template alone would offer it.

    Every third one is asked: each takes all families to work on a program.
    """
    source = SLIPS[name][0]
    assert set(single_edits(source, TEMPLATES)) >= set(suggestions(name, source))


OTHER_FORMS: dict[str, tuple[str, str, str, str]] = {
    "a comma ends the arguments": (
        "unused_option",
        "def check(a, skip=None):\n    pass\ndef move(key, a):\n    check(a,)\n",
        "check(a,)",
        "check(a, skip=key,)",
    ),
    "a row stands without brackets": (
        "known_row",
        "DAYS = 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30\n",
        "30, 31, 30\n",
        "30, 31, 30, 31\n",
    ),
    "what is sorted is one of two": (
        "sort_converted",
        "x = [int(w) for w in sorted(a if c else b)]\n",
        "[int(w) for w in sorted(a if c else b)]",
        "sorted([int(w) for w in (a if c else b)])",
    ),
    "a query has fields": (
        "tweak_query",
        "x = f'select a from t where b in ({marks}) having count(*) <= ?'\n",
        "<= ?",
        "= ?",
    ),
    "what is found was to be gone on from one by one": (
        "hand_on",
        "def f(xs, found):\n    for x in xs:\n        xs.append(x)\n    found.discard(1)\n",
        "xs.append(x)",
        "found.add(x)",
    ),
    "neither collection may have it": (
        "ask_both",
        "class A:\n    def f(self, x):\n        return x not in self.done and x in self.kept\n",
        "x not in self.done",
        "(x not in self.done and x not in self.kept)",
    ),
    "a property is asked for": (
        "ask_items",
        "class A:\n    @property\n    def shown(self):\n        return any(not x.gone for x in self.parts)\n",
        "not x.gone for",
        "x.shown for",
    ),
    "a field is named": (
        "field_of_owner",
        "class Job:\n    def __init__(self, name, due):\n        pass\n"
        "def f(old):\n    return Job(name=1, due=old.due)\n",
        "name=1",
        "name=old.name",
    ),
    "digits begin with nothing": (
        "append_digit",
        "def f(text):\n    n = None\n    for c in text:\n        n = int(c)\n    return n\n",
        "n = int(c)",
        "n = (n or 0) * 10 + int(c)",
    ),
    "what is falsy is there": ("ask_key", "if not d.get(k):\n    pass\n", "not d.get(k)", "k not in d"),
    "keys are asked for in a comprehension": ("ask_key", "x = [k for k in ks if d.get(k)]\n", "d.get(k)", "k in d"),
    "a step grows to a multiple": (
        "least_multiple",
        "def gcd(a, b):\n    pass\ndef f(step, m):\n    step *= m\n    return step\n",
        "step *= m",
        "step = step * m // gcd(step, m)",
    ),
    "both coordinates are one off": ("both_coordinates", "x = t[i][j]\n", "t[i][j]", "t[i - 1][j - 1]"),
    "a table is changed in two places": (
        "copy_alias",
        "def f(d):\n    e = d\n    e[1] = 2\n    return d\n",
        "e = d",
        "e = d.copy()",
    ),
    "a link in the middle comes last": (
        "widest_last",
        "if z:\n    x = 0\nelif a:\n    x = 1\nelif b:\n    x = 2\nelif c:\n    x = 3\nelse:\n    x = 4\n",
        "elif a:\n    x = 1\nelif b:\n    x = 2\nelif c:\n    x = 3\n",
        "elif b:\n    x = 2\nelif c:\n    x = 3\nelif a:\n    x = 1\n",
    ),
    "what is not changed is lost": (
        "add_else",
        "def f(xs):\n    out = ''\n    for c in xs:\n        if c.isalpha():\n            out = out + g(c)\n",
        "out = out + g(c)\n",
        "out = out + g(c)\n        else:\n            out = out + c\n",
    ),
    "what is not changed is lost in short": (
        "add_else",
        "def f(xs):\n    out = ''\n    for c in xs:\n        if c.isalpha():\n            out += g(c)\n",
        "out += g(c)\n",
        "out += g(c)\n        else:\n            out += c\n",
    ),
    "what is found further down is nothing": (
        "look_on",
        "class A:\n    def find(self, k):\n        for x in self.xs:\n            if x.xs:\n"
        "                return x.find(k)\n        return None\n",
        "                return x.find(k)\n",
        "                found = x.find(k)\n                if found is not None:\n                    return found\n",
    ),
    "the last group begins at 0": (
        "flush_after_loop",
        "def f(xs):\n    out, start = [], 0\n    start = None\n    for x in xs:\n        if x:\n"
        "            out.append((start, x))\n    return out\n",
        "    return out\n",
        "    if start is not None:\n        out.append((start, x))\n    return out\n",
    ),
    "alternatives stand beside a condition": (
        "tweak_query",
        "x = 'select a from t where b = 0 and c = 1 or d = 2 order by a'\n",
        "c = 1 or d = 2",
        "(c = 1 or d = 2)",
    ),
    "alternatives stand before a condition": (
        "tweak_query",
        "x = 'select a from t where c = 1 or d = 2 and b = 0'\n",
        "c = 1 or d = 2",
        "(c = 1 or d = 2)",
    ),
    "a month is left out": (
        "known_row",
        "DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30)\n",
        "30, 31, 30)",
        "30, 31, 30, 31)",
    ),
    "a Roman numeral is left out": (
        "known_row",
        "x = [(10, 'X'), (9, 'IX')] or [(1000, 'M'), (900, 'CM'), (500, 'D'), (400, 'CD'), (100, 'C'), (90, 'XC'), "
        "(50, 'L'), (40, 'XL'), (10, 'X'), (9, 'IX'), (5, 'V'), (1, 'I')]\n",
        "(5, 'V'), (1, 'I')",
        "(5, 'V'), (4, 'IV'), (1, 'I')",
    ),
    "a bracket is no key": ("known_table", "x = {'(': ')', '[': ']', '{': ')'}\n", "'{': ')'", "'{': '}'"),
    "a day is no key": (
        "known_table",
        "x = {'mon': 0, 'tue': 1, 'wed': 2, 'thu': 3, 'sat': 5, 'sun': 6}\n",
        "'sun': 6}",
        "'sun': 6, 'fri': 4}",
    ),
    "what a loop binds is bound, what the function binds is not": (
        "late_closure_of_function",
        "def f(n):\n    for i in range(n):\n        k = i\n        def g(x):\n            y = x + i\n"
        "            return y * k\n        yield g\n",
        "g(x)",
        "g(x, i=i, k=k)",
    ),
    "what a list counts is not asked": (
        "ask_counts",
        "def f(xs):\n    times = [0] * 9\n    for x in xs:\n        times[x] = times[x] + 1\n    return True\n",
        "times[x] + 1\n",
        "times[x] + 1\n    if any(n > 2 for n in times):\n        return False\n",
    ),
    "the first that comes again is not given": (
        "ask_seen",
        "def f(xs):\n    seen = []\n    for x in xs:\n        seen.append(x)\n    return None\n",
        "        seen.append(x)\n",
        "        if x in seen:\n            return x\n        seen.append(x)\n",
    ),
    "two digits are turned": ("mistyped_number", "def f(day):\n    return day % 356\n", "356", "365"),
    "a digit is lost": ("mistyped_number", "def f(size):\n    return size // 124\n", "124", "1024"),
    "nothing is imported that would pad": (
        "pad_shorter",
        '"""Sums."""\ndef f(p, q):\n    return [a + b for a, b in zip(p, q)]\n',
        "def f(p, q):\n    return [a + b for a, b in zip(p, q)]\n",
        "import itertools\ndef f(p, q):\n    return [a + b for a, b in itertools.zip_longest(p, q, fillvalue=0)]\n",
    ),
    "pairs are padded that should end together": (
        "pad_shorter",
        "def f(p, q):\n    return list(itertools.zip_longest(p, q))\n",
        "itertools.zip_longest(p, q)",
        "zip(p, q)",
    ),
    "what was counted is measured by something else": (
        "count_wanted",
        "def f(ballots, votes):\n    for name in ballots:\n        votes[name] += 1\n    return len(ballots)\n",
        "len(ballots)",
        "sum(votes.values())",
    ),
    "one is taken out where all should be": (
        "empty_less",
        "def f(done, job):\n    done.discard(job)\n    g(done)\n",
        "done.discard(job)",
        "done.clear()",
    ),
    "an item is put in before the call and not taken out after it": (
        "take_back",
        "def f(at):\n    seen.add(at)\n    for n in near[at]:\n        f(n)\n",
        "        f(n)\n",
        "        f(n)\n    seen.remove(at)\n",
    ),
    "a depth is counted up before the call and not down after it": (
        "take_back",
        "def f(self, n):\n    self.depth += 1\n    self.f(n - 1)\n    return n\n",
        "    self.f(n - 1)\n",
        "    self.f(n - 1)\n    self.depth -= 1\n",
    ),
    "an argument lacks the conversion of another call": (
        "spell_as_elsewhere",
        "def f(a, b):\n    store.put(a.strip(), 1)\n    store.put(b, 2)\n",
        "store.put(b, 2)",
        "store.put(b.strip(), 2)",
    ),
    "a limit is lost that another function has": (
        "larger_as_elsewhere",
        "def f(x):\n    return max(x.left, 0)\n\ndef g(x):\n    return x.left * 2\n",
        "return x.left * 2",
        "return max(x.left, 0) * 2",
    ),
    "two of three statements of one shape stand too early": (
        "alike_in_twins",
        "class A:\n    def put(self):\n        self.new.append(self.text)\n        self.n += 1\n\n"
        "    def undo(self):\n        self.new.append(self.text)\n        self.text = self.old.pop()\n\n"
        "    def redo(self):\n        self.old.append(self.text)\n        self.text = self.new.pop()\n",
        "        self.new.append(self.text)\n        self.text = self.old.pop()\n\n"
        "    def redo(self):\n        self.old.append(self.text)\n        self.text = self.new.pop()\n",
        "        self.text = self.old.pop()\n        self.new.append(self.text)\n\n"
        "    def redo(self):\n        self.text = self.new.pop()\n        self.old.append(self.text)\n",
    ),
    "a comparison is wrong in two copies": (
        "alike_in_twins",
        "def f(a, b):\n    top = a.left < b.size\n    end = a.right < b.length\n    return top, end\n",
        "top = a.left < b.size\n    end = a.right < b.length",
        "top = a.left <= b.size\n    end = a.right <= b.length",
    ),
    "several names of a loop are bound late": (
        "late_closure",
        "def f(wanted):\n    tests = []\n    for key, value in wanted:\n"
        "        tests.append(lambda a: a.get(key) == value)\n    return tests\n",
        "lambda a:",
        "lambda a, key=key, value=value:",
    ),
    "options keep their place behind what is bound": (
        "late_closure",
        "def f(xs):\n    return [lambda *, a=1, **rest: x(a, **rest) for x in xs]\n",
        "**rest: x",
        "x=x, **rest: x",
    ),
    "what is found first is returned in place of the greatest": (
        "remember_result",
        "def f(xs):\n    best = 0\n    for x in xs:\n        return g(x)\n    return best\n",
        "        return g(x)\n",
        "        best = max(best, g(x))\n",
    ),
    "a default is None in place of a mark": (
        "default_mark",
        "def f(d, key):\n    lost = object()\n    return d.pop(key, None) is lost\n",
        "None",
        "lost",
    ),
    "texts are handed on as they were found": (
        "convert_items",
        "def f(line):\n    parts = line.split()\n    return g(parts)\n",
        "g(parts)",
        "g([int(part) for part in parts])",
    ),
    "a local number is not kept from falling below zero": (
        "keep_in_bounds",
        "def f(xs, n):\n    start = n - 3\n    return xs[start:n]\n",
        "    return",
        "    start = max(start, 0)\n    return",
    ),
    "a place is beyond the end of an attribute": (
        "keep_in_bounds",
        "class A:\n    def m(self, n):\n        return self.rows[n - 1 :], self.rows[n]\n",
        "        return",
        "        n = min(n, len(self.rows))\n        return",
    ),
    "what a number is taken from bounds it": (
        "keep_in_bounds",
        "class A:\n    def last(self, n):\n        for i in range(len(self.rows) - n, len(self.rows)):\n"
        "            yield self.rows[i]\n",
        "        for i",
        "        n = min(n, len(self.rows))\n        for i",
    ),
    "a unit is wrong in two functions": (
        "other_unit_of_number",
        "def f(row):\n    return BASE + row['minutes']\n\ndef g(entry):\n    return entry['minutes'] > 3600\n",
        "row['minutes']\n\ndef g(entry):\n    return entry['minutes'] >",
        "row['minutes'] * 60\n\ndef g(entry):\n    return entry['minutes'] * 60 >",
    ),
    "a unit is wrong in two places": (
        "other_unit_of_number",
        "def f(row):\n    if row['hours'] > LEAST:\n        return BASE + row['hours']\n    return BASE\n",
        "row['hours'] > LEAST:\n        return BASE + row['hours']",
        "row['hours'] * 60 > LEAST:\n        return BASE + row['hours'] * 60",
    ),
    "two names have changed places in a statement": (
        "turn_round",
        "def f(pairs):\n    for new, old in pairs:\n        names[new] = old\n",
        "names[new] = old",
        "names[old] = new",
    ),
    "a digit is compared with a number": (
        "compare_as_text",
        "def f(row):\n    if row.code == 0:\n        return row\n",
        "row.code == 0",
        "int(row.code) == 0",
    ),
    "an item of a tuple is put anew": (
        "rebuild_tuple",
        "def f(p):\n    best = (1, 2, 3)\n    best[0] = p\n    return best\n",
        "best[0] = p",
        "best = (p, best[1], best[2])",
    ),
    "a bound above falls where the question is turned round": (
        "move_bound",
        "def f(n):\n    low, high = 0, n\n    while high > low:\n        high -= 2\n    return low\n",
        "        high -= 2\n",
        "        high -= 2\n        low += 2\n",
    ),
    "a node is asked what its own methods ask of themselves": (
        "ask_as_elsewhere",
        "class Tree:\n    def has(self, word):\n        node = self.find(word)\n        return node is not None\n\n"
        "    def all(self):\n        if self.is_word:\n            yield self\n",
        "return node is not None",
        "return node is not None and node.is_word",
    ),
    "an object is changed under another name": (
        "copy_deeply",
        "def f(a):\n    result = a\n    result.n = 1\n    return result\n",
        "def f(a):\n    result = a\n",
        "import copy\ndef f(a):\n    result = copy.deepcopy(a)\n",
    ),
    "what is held at the end lacks the last item's factor": (
        "flush_after_loop",
        "def f(text):\n    total, held = 0, ''\n    for c in text:\n        if c in UNITS:\n"
        "            total += int(held) * UNITS[c]\n            held = ''\n        else:\n"
        "            held += c\n    return total\n",
        "    return",
        "    if held:\n        total += int(held)\n    return",
    ),
    "what was there already does not count": (
        "count_changes_alone",
        "def f(x):\n    seen.add(x)\n    n += 1\n    return n\n",
        "    seen.add(x)\n    n += 1\n",
        "    if x not in seen:\n        seen.add(x)\n        n += 1\n",
    ),
    "ties of a falling order rise by the rest": (
        "fall_in_part",
        "def f(counts):\n    return sorted(counts, key=counts.get, reverse=True)\n",
        "counts.get, reverse=True",
        "lambda x: (-counts[x], x)",
    ),
    "of the greatest ones, the smaller item is kept": (
        "tie_by_value",
        "def f(xs):\n    for x in xs:\n        n = g(x)\n        if n > top:\n            top, best = n, x\n",
        "n > top",
        "(n, -x) > (top, -best)",
    ),
    "conditions in a row become one chain": (
        "every_link",
        "def f(x):\n    if x > 3:\n        a()\n    if x > 2:\n        b()\n    if x > 1:\n        c()\n",
        "if x > 2:\n        b()\n    if",
        "elif x > 2:\n        b()\n    elif",
    ),
    "an f-string leaves room for its ending": (
        "room_for_ending",
        "def f(text, n):\n    return f'{text[:n]}...'\n",
        "[:n]",
        "[:n - 3]",
    ),
    "the shortest lists are their own base case": (
        "widen_base",
        "def f(xs):\n    if not xs:\n        return []\n    return f(xs[1:])\n",
        "not xs:\n        return []",
        "len(xs) < 2:\n        return xs",
    ),
    "a text is looked for in another one, in any case": (
        "compare_loosely",
        "def f(name: str, text: str):\n    return name not in text\n",
        "name not in text",
        "name.lower() not in text.lower()",
    ),
    "a part of the text is kept beside its filling": (
        "fill_rest",
        "def f(text, n):\n    return text[:n] + '*' * len(text)\n",
        "len(text)",
        "(len(text) - n)",
    ),
    "the first of several is asked whether it is so": (
        "every_item",
        "def f(words):\n    return words[0].isupper()\n",
        "words[0].isupper()",
        "all(word.isupper() for word in words)",
    ),
    "an entry that is set anew is the newest": (
        "freshen_entry",
        "def f(d, key, value):\n    d[key] = value\n    if len(d) > 3:\n        d.popitem(last=False)\n",
        "value\n",
        "value\n    d.move_to_end(key)\n",
    ),
    "a plain dictionary keeps what is put in again at its end": (
        "freshen_entry",
        "def f(d, key):\n    return d[key]\n\ndef trim(d):\n    del d[next(iter(d))]\n",
        "    return",
        "    d[key] = d.pop(key)\n    return",
    ),
    "a name in quotes is hashed": (
        "encode_text",
        "def f(text):\n    return hashlib.md5('text')\n",
        "('text')",
        "(text.encode())",
    ),
    "an operand in the middle of a chain was too many": (
        "drop_operand",
        "x = (-1) ** 2 * len(y)\n",
        "** 2 * len",
        "** len",
    ),
    "what is done in a block is undone there": (
        "undo_elsewhere",
        "class A:\n    def enter(self, x):\n        self.inside.add(x)\n\n"
        "    def leave(self, x):\n        if x:\n            self.left += 1\n        return x\n",
        "            self.left += 1\n",
        "            self.left += 1\n            self.inside.discard(x)\n",
    ),
    "a constant of a module is the wrong one of two": (
        "other_method",
        "import string\nx = [w.strip(string.whitespace) for w in ws]\n",
        "whitespace",
        "punctuation",
    ),
    "another method of the class is called on another object": (
        "own_function",
        "class A:\n    def give(self, n):\n        self.n += n\n\n    def take(self, n):\n        self.n -= n\n\n"
        "def pay(a, n):\n    a.give(n)\n",
        "a.give(n)",
        "a.take(n)",
    ),
    "pieces with their separator are unpacked": (
        "split_once",
        "def f(line):\n    name, mark, value = line.split('=')\n    return name, mark, value\n",
        "split",
        "partition",
    ),
    "a whole turn, not a half": ("other_method", "import math\nx = math.pi * r\n", "pi", "tau"),
    "several names are bound early, before the options": (
        "late_closure_of_function",
        "def f(d):\n    for k, v in d:\n        def g(*a, **o):\n            return k, v, a, o\n        yield g\n",
        "(*a, **o)",
        "(*a, k=k, v=v, **o)",
    ),
    "a parent is called as other classes call theirs": (
        "call_parent",
        "class Cat(B):\n    def __init__(self):\n        super().__init__('cat')\n\n"
        "class Dog(B):\n    def __init__(self):\n        self.x = 1\n",
        "        self.x",
        "        super().__init__('dog')\n        self.x",
    ),
    "a parent is given its keywords": (
        "pass_along",
        "class A:\n    def __init__(self, n, *, v):\n        self.v = v\n\n"
        "class B(A):\n    def __init__(self, n, v):\n        super().__init__(n)\n",
        "__init__(n)\n",
        "__init__(n, v=v)\n",
    ),
    "a related call has the keyword": (
        "known_keyword",
        "x = p.read_text(encoding='utf-16')\ny = open(p)\n",
        "open(p)",
        "open(p, encoding='utf-16')",
    ),
    "its value is a name in reach": (
        "known_keyword",
        "def f(t, d):\n    return csv.reader(t, delimiter=d)\n\ndef g(t, d):\n    return csv.DictReader(t)\n",
        "DictReader(t)",
        "DictReader(t, delimiter=d)",
    ),
    "a sign that is followed by more": ("signed_update", "x =+ a + b\n", "=+", "+="),
    "a factor is lost at the end of a product": (
        "unread_operand",
        "class A:\n    def __init__(self, a, b, c):\n        self.a, self.b = a, b\n        self.c = c\n\n"
        "    def m(self):\n        return self.a * self.b\n",
        "self.a * self.b\n",
        "self.a * self.b * self.c\n",
    ),
    "a term is lost inside a product": (
        "unread_operand",
        "@dataclass\nclass A:\n    a: int\n    b: float\n\n    def m(self):\n        return 2 * self.a\n",
        "2 * self.a",
        "2 * (self.a + self.b)",
    ),
    "an object without its numbers": (
        "unread_operand",
        "@dataclass\nclass A:\n    rate: float\n\n    def m(self, hours):\n        return hours\n",
        "return hours",
        "return hours * self.rate",
    ),
    "a constant of the module is a bound": (
        "keep_within",
        "MAX_FLOW = 50\n\ndef f(wanted):\n    return wanted\n",
        "return wanted",
        "return min(wanted, MAX_FLOW)",
    ),
    "a parameter is a lower bound": (
        "keep_within",
        "def f(x, low):\n    return x * 2\n",
        "x * 2",
        "max(x * 2, low)",
    ),
    "what is taken away never leaves less than nothing": (
        "keep_updates_within",
        "def f(stock, n):\n    stock -= n\n    return stock\n",
        "stock -= n",
        "stock = max(stock - n, 0)",
    ),
    "a return ends several blocks too early": (
        "move_out",
        "def f(xs):\n    s = 0\n    for x in xs:\n        if x:\n            s += x\n            return s\n",
        "            return",
        "    return",
    ),
    "an answer of the last round is the one of no round": (
        "else_of_loop",
        "def f(xs):\n    for x in xs:\n        if g(x):\n            return 1\n        else:\n            return 0\n",
        "        else:\n            return 0\n",
        "    return 0\n",
    ),
    "a directive of a date in an f-string": ("other_format", "x = f'{y:%d.%M.%Y}'\n", "%M", "%m"),
    "a list is copied by a slice and changed at the end of the block": (
        "take_out",
        "def f(self):\n    for x in self.xs[:]:\n        if x:\n            self.done(x)\n",
        "            self.done(x)\n",
        "            self.done(x)\n            self.xs.remove(x)\n",
    ),
    "the last one is taken": ("take_entry", "def f(xs):\n    return xs[-1]\n", "xs[-1]", "xs.pop()"),
    "a number of the class is a factor": (
        "unread_operand",
        "class A:\n    FEE = 25\n\n    def m(self, days):\n        return days\n",
        "return days",
        "return days * self.FEE",
    ),
    "two are joined, and their entries are not": (
        "lost_recursion",
        "def f(a, b):\n    for k, v in b.items():\n        a[k] = v\n    return a\n",
        "= v",
        "= f(a[k], v)",
    ),
    "a method goes down into a part": (
        "lost_recursion",
        "class A:\n    def size(self, node):\n        return 1 + sum(c.n for c in node.kids) + node.extra\n",
        "node.extra",
        "self.size(node.extra)",
    ),
    "its value is a list": (
        "known_keyword",
        "@app.route('/a', methods=['PUT'])\ndef a():\n    pass\n\n\n@app.route('/b')\ndef b():\n    pass\n",
        "('/b')",
        "('/b', methods=['PUT'])",
    ),
    "a status comes before what else is returned": (
        "answer_as_elsewhere",
        "def f(b):\n    return b, {'Location': '/'}\n\n\ndef g(b):\n    return b, 204\n",
        "return b, {",
        "return b, 204, {",
    ),
    "a variable is called like a parameter": (
        "pass_along",
        "def f(a, counts=None):\n    return a\n\n\ndef g(a, word_counts):\n    return f(a)\n",
        "return f(a)",
        "return f(a, counts=word_counts)",
    ),
    "an attribute is called like a parameter": (
        "pass_along",
        "def f(a, deep=False):\n    return a\n\n\ndef g(a, options):\n    print(options.deep)\n    return f(a)\n",
        "return f(a)",
        "return f(a, deep=options.deep)",
    ),
    "a change is noted where it is made": (
        "note_change",
        "class A:\n    def __init__(self):\n        self.at = None\n\n"
        "    def m(self, now):\n        if self.at is None:\n            self.n = 0\n        return self.n\n",
        "            self.n = 0\n",
        "            self.n = 0\n            self.at = now\n",
    ),
    "a place in a ring wraps around": (
        "note_change",
        "class A:\n    def __init__(self):\n        self.at = 0\n\n"
        "    def m(self, k):\n        x = self.xs[(self.at + k) % len(self.xs)]\n        return x\n",
        "        return x",
        "        self.at = (self.at + 1) % len(self.xs)\n        return x",
    ),
    "a list that the constructor makes is filled": (
        "fill_collection",
        "class A:\n    def __init__(self):\n        self.done = []\n\n    def m(self, job):\n        return job\n",
        "        return job",
        "        self.done.append(job)\n        return job",
    ),
    "rows are ordered by the number of something": (
        "tweak_query",
        "x = 'SELECT a FROM t ORDER BY COUNT(b), c LIMIT 3'\n",
        "COUNT(b), c",
        "COUNT(b) DESC, c",
    ),
    "rows are ordered by a second column": (
        "tweak_query",
        "x = 'SELECT a FROM t ORDER BY b, c LIMIT 3'\n",
        "b, c",
        "b, c DESC",
    ),
    "values as in prose are a choice": ("repeat_comparison", "x = a == 1 or 2\n", "a == 1 or 2", "a in (1, 2)"),
    "and none of them": ("repeat_comparison", "x = a != 1 or b\n", "a != 1 or b", "a not in (1, b)"),
    "values come first": ("repeat_comparison", "x = 'a' or 'b' in t\n", "'a' or", "'a' in t or"),
    "what is looked up is kept": ("keep_falsy", "x = d.get(k) or 7\n", "d.get(k) or 7", "d.get(k, 7)"),
    "a part of a test is about None": ("spell_absence", "if a and b:\n    x = 1\n", "a and", "a is not None and"),
    "keys are asked for twice": (
        "look_for_key",
        "def f(d, e, k):\n    v = d.get(k)\n    if v is None or e.get(k) is not None:\n        return v\n",
        "v is None or e.get(k) is not None",
        "k not in d or k in e",
    ),
    "cents are rounded as merchants do": ("add_argument", "y.quantize(z)\n", "(z)", "(z, rounding='ROUND_HALF_UP')"),
    "the first of a chain goes with what stands before it": (
        "regroup",
        "x = a - b * c / d\n",
        "a - b * c",
        "(a - b) * c",
    ),
    "the last of a chain goes with what stands behind it": (
        "regroup",
        "x = a * b ** c + d\n",
        "c + d",
        "(c + d)",
    ),
    "a chain is one group": ("regroup_words", "x = a or b or c and d\n", "a or b or c", "(a or b or c)"),
    "its last link is a group": ("regroup_words", "x = a or b or c and d\n", "b or c and d", "(b or c) and d"),
    "a chain that follows is one group": ("regroup_words", "x = a and b or c or d\n", "b or c or d", "(b or c or d)"),
    "no part of a group is lost": ("regroup_words", "x = a and b and c or d\n", "c or d", "(c or d)"),
    "a lookup by attribute lacks an attribute": (
        "catch",
        "def __getattr__(self, k): # 1\n    return self.d[k]\n",
        "    return self.d[k]\n",
        "    try:\n        return self.d[k]\n    except KeyError:\n        raise AttributeError(k) from None\n",
    ),
    "another exception is asked for": (
        "catch",
        "def f(d, k):\n    return d[k]\n",
        "    return d[k]\n",
        "    try:\n        return d[k]\n    except KeyError:\n        raise ValueError from None\n",
    ),
    "a lost value came from a function of the module": (
        "begin_variable",
        "def cost(row):\n    return row[0]\n\ndef f(rows):\n    for row in rows:\n        print(cost_of_row)\n",
        "        print",
        "        cost_of_row = cost(row)\n        print",
    ),
    "a lost value came from the parameter": (
        "begin_variable",
        "def f(n):\n    for x in (1, 2):\n        counts[x] += n\n    return counts\n",
        "    for x",
        "    counts = [0] * n\n    for x",
    ),
    "a lost value is like another one": (
        "begin_variable",
        "def f(a, b):\n    low = abs(a)\n    return low + low_b\n",
        "    return",
        "    low_b = abs(a)\n    return",
    ),
    "a sum is begun that reads itself": (
        "begin_variable",
        "def f(xs):\n    for x in xs:\n        total = total + x\n    return total\n",
        "    for x",
        "    total = 0\n    for x",
    ),
    "a parameter is misnamed": ("bind_variable", "def f(itens):\n    return sum(items)\n", "(itens)", "(items)"),
    "a loop's variable is misnamed": (
        "bind_variable",
        "def f(xs, at):\n    for at in xs:\n        print(x)\n",
        "for at",
        "for x",
    ),
    "what is handed over is added before the answer": (
        "keep_parameter",
        "class A:\n    def __init__(self):\n        self.rows: T = []\n    def add(self, row):\n        return self\n",
        "        return",
        "        self.rows.append(row)\n        return",
    ),
    "a row is added as a tuple": (
        "hashable_items",
        "def f(seen, row):\n    seen.add(row)\n",
        "add(row)",
        "add(tuple(row))",
    ),
    "a row is a key as a tuple": ("hashable_key", "def f(seen, row):\n    seen[row] = 1\n", "[row]", "[tuple(row)]"),
    "a span is whole seconds": (
        "whole_duration",
        "def f(span):\n    return span.seconds // 60\n",
        "span.seconds",
        "int(span.total_seconds())",
    ),
    "the last run is compared by its length": (
        "compare_after_loop",
        "def f(xs):\n    best = run = []\n    for x in xs:\n        if x:\n            run.append(x)\n        else:\n"
        "            if len(run) > len(best):\n                best = run\n            run = []\n    return best\n",
        "    return best",
        "    if len(run) > len(best):\n        best = run\n    return best",
    ),
    "results are let go twice": (
        "store_result",
        "def f(t, k):\n    if k:\n        f(t.a, k)\n    else:\n        f(t.b, k)\n",
        "f(t.a, k)\n    else:\n        f(t.b, k)",
        "t.a = f(t.a, k)\n    else:\n        t.b = f(t.b, k)",
    ),
    "both branches of a tree are handed what they lack": (
        "lost_level",
        "def f(t, env):\n    return f(t.a) + f(t.b) if t else env\n",
        "f(t.a) + f(t.b)",
        "f(t.a, env) + f(t.b, env)",
    ),
    "what follows a yield is done in any case, at any depth": (
        "at_last",
        "@contextmanager\ndef f(x):\n    if x:\n        yield\n        # so\n        if x:\n            x()\n",
        "        yield\n        # so\n        if x:\n            x()\n",
        "        try:\n            yield\n        finally:\n            # so\n            if x:\n                x()\n",
    ),
}


@pytest.mark.parametrize("form", OTHER_FORMS)
def test_slips_come_in_other_forms(form: str) -> None:
    """Some templates undo more than the slip that they are named for."""
    name, source, slip, repair = OTHER_FORMS[form]
    assert slip in source
    assert source.replace(slip, repair) in suggestions(name, source)


def test_every_template_of_the_table_has_a_slip_here_and_a_name_of_its_own() -> None:
    """A new row in the table needs a row in this file, and a prior."""
    names = [template.name for template in TEMPLATES]
    assert len(names) == len(set(names))
    assert set(names) == set(SLIPS) == set(TEMPLATE_PRIORS)


def test_what_speaks_for_a_template_can_be_seen() -> None:
    """A symptom or a requirement that nothing ever tells would speak for it in vain."""
    told = {helped for template in TEMPLATES for helped in template.helps if not helped.startswith("kind:")}
    assert told <= SYMPTOMS | set(HINTS)


def test_every_template_says_what_it_does() -> None:
    """Each template function carries a docstring, and its prior makes sense."""
    for template in TEMPLATES:
        assert template.function.__doc__, template.name
        assert 0 < template.prior.share <= 1, template.name
        assert template.prior.mutations >= 1, template.name


def _nth(text: str, part: str, n: int) -> int:
    at = -1
    for _ in range(n + 1):
        at = text.index(part, at + 1)
    return at


def test_what_a_key_gives_becomes_no_set() -> None:
    """A set has no order that a key could give."""
    found = suggestions("other_container", "x = sorted(y, key=lambda p: (p[1], p[0]))\n")
    assert found
    assert not any("{" in text for text in found)


def test_only_numbers_join_arithmetic() -> None:
    """Names of people, lists and the method itself do not."""
    source = (
        "@dataclass\nclass A:\n    name: str\n    tags: list[str]\n    made: date\n    price: float\n\n"
        "    @property\n    def tax(self) -> float:\n        return self.price\n"
    )
    assert suggestions("lost_operand", source) == suggestions("unread_operand", source) == []


def test_a_function_that_calls_itself_has_lost_no_recursion() -> None:
    """And questions about an item are not put to the function."""
    assert suggestions("lost_recursion", "def f(xs):\n    return sum(f(x) + x for x in xs)\n") == []
    assert suggestions("lost_recursion", "def f(xs):\n    return [1 for x in xs if isinstance(x, list)]\n") == []


@pytest.mark.parametrize(
    "source",
    [
        "def f(xs):\n    return [x for x in xs]\n",
        "import math\ndef f(x):\n    return math.pi * x + N\nN = 1\n",
        "def f(x):\n    def g():\n        return y\n    y = x\n    return g()\n",
        "def f(x):\n    try:\n        g()\n    except OSError as error:\n        return error\n",
        "def f(x):\n    return missing(x)\n",
        "class A:\n    def m(self):\n        return __class__\n",
        "def f(k):\n    global total\n    total += k\n",
        "@missing\ndef f(x: Missing = MISSING) -> None:\n    return x\n",
    ],
)
def test_what_has_a_value_or_is_called_is_not_begun(source: str) -> None:
    """Names of comprehensions, of the module, of functions around and within, of handlers, and functions."""
    assert suggestions("begin_variable", source) == []


def test_what_gives_no_result_is_not_kept() -> None:
    """`append` gives None, unless the program has a method of that name."""
    source = "def f(xs, x):\n    xs.append(x)\n"
    assert suggestions("keep_result", source) == []
    assert suggestions("keep_result", source + "def append(x):\n    return [x]\n") != []


def test_a_bound_whose_name_says_so_comes_first() -> None:
    """As the upper bound that it is, and never as a lower one."""
    source = "class A:\n    def __init__(self, step, limit):\n        self.step = step\n        self.limit = limit\n\n"
    source += "    def m(self, n):\n        return n\n"
    found = [text.rpartition("return ")[2].strip() for text in suggestions("keep_within", source)]
    assert found[0] == "min(n, self.limit)"
    assert "max(n, self.limit)" not in found
    assert {"min(n, self.step)", "max(n, self.step)"} <= set(found)


def test_a_negative_value_is_no_slip_for_an_update() -> None:
    """`x = -y` is as it should be most often, and no `+=-` is made of it."""
    search = BestFirstSearch("x = -y\n", [], CLUES, templates=TEMPLATES)
    scores = {splice_edits("x = -y\n", m.edits): m.score for m in search.next_batch(500)}
    slip = BestFirstSearch("x =- y\n", [], CLUES, templates=TEMPLATES).next_batch(500)
    (beside,) = (m.score for m in slip if splice_edits("x =- y\n", m.edits) == "x -= y\n")
    assert scores["x -= y\n"] < beside / 5
    assert "x += -y\n" not in scores


def test_a_condition_that_asks_nothing_comes_late() -> None:
    """`ord(c)` alone is nearly always true, while as a value any part may have been meant."""
    scores = {}
    for source in ("def f(c):\n    return g(97 <= ord(c))\n", "def f(c):\n    return c and 97 <= ord(c)\n"):
        search = BestFirstSearch(source, [], CLUES, templates=[t for t in TEMPLATES if t.name == "part_of_expression"])
        found = {m.edits[0].text: m.score for m in search.next_batch(100) if "97" not in splice_edits(source, m.edits)}
        scores[source] = found["ord(c)"]
    value, condition = scores.values()
    assert condition < value / 2


def test_no_remainder_of_one_is_taken() -> None:
    """Of a whole number that is always 0."""
    assert not any("% 1" in text for text in suggestions("swap_operator", "x = a + 1\n"))
    assert any("% 2" in text for text in suggestions("swap_operator", "x = a + 2\n"))


def test_collections_that_are_read_are_asked_by_other_templates() -> None:
    """Wherever they are read: handed on, returned, gone through."""
    loop = "def f(xs):\n    seen, times = set(), {}\n    for x in xs:\n        seen.add(x)\n        times[x] = 1\n"
    for end in (
        "    return seen, times\n",
        "    return g(seen, times)\n",
        "    return [x for x in seen if times[x]]\n",
    ):
        assert suggestions("ask_seen", loop + end) == []
        assert suggestions("ask_counts", loop + end) == []
    assert suggestions("ask_seen", loop + "    return 1\n")
    assert suggestions("ask_counts", loop + "    return 1\n")


def test_a_variable_that_stands_twice_takes_its_turn_in_both_places() -> None:
    """`a + a + b > c` has three names, and four places for them."""
    source = "def f(a, b, c):\n    return a + a + b > c and a + c + a > b\n"
    assert source.replace("> b\n", "> b and b + b + c > a\n") in suggestions("missing_turn", source)


def test_an_exception_of_the_programs_own_is_raised_with_what_it_asks_for() -> None:
    """As another place raises it, and with what is called as its constructor's parameters are."""
    source = (
        "class Closed(Exception):\n    def __init__(self, item, when):\n        self.item = item\n\n\n"
        "class A:\n    def __init__(self, item):\n        self.item = item\n        self.closed = False\n\n"
        "    def bid(self, when, amount):\n        self.last = amount\n"
    )
    clues = gather_clues(source, failures=[CheckResult(Outcome.FAILED, detail="DID NOT RAISE Closed")])
    assert clues.exceptions[0] == clues.not_raised[0] == "Closed"
    (template,) = (template for template in TEMPLATES if template.name == "refuse_by_question")
    search = BestFirstSearch(source, [], clues, templates=[template])
    texts = [splice_edits(source, mutation.edits) for mutation in search.next_batch(99)]
    assert any("if self.closed:\n            raise Closed(self.item, when)\n" in text for text in texts)


def test_a_new_name_is_one_that_the_function_does_not_know() -> None:
    """Where all that a family would choose are taken, one of them gets an underscore."""
    source = (
        "def f(head, following, rest, next_):\n    old = None\n    while head:\n        head.next = old\n"
        "        old = head\n        head = head.next\n    return old\n"
    )
    (template,) = (template for template in TEMPLATES if template.name == "keep_next")
    search = BestFirstSearch(source, [], Clues(), templates=[template])
    texts = [splice_edits(source, mutation.edits) for mutation in search.next_batch(9)]
    assert any("following_ = head.next" in text for text in texts)


def test_calls_without_an_argument_are_no_ranks_of_operators() -> None:
    """`next_one() >= best()` asks for no operator's."""
    assert suggestions("group_from_right", 'def f(g, h):\n    return g() >= h() or "^"\n') == []
    assert suggestions("group_from_right", 'def f(g, h, x):\n    return g(x) >= g() or "^"\n') == []


def test_a_rest_is_not_put_back_into_what_it_is_of() -> None:
    """`rest = rest[1:]`, turned round, would assign nothing new."""
    assert suggestions("turn_assignment", "def f(rest, kept):\n    rest = rest[1:]\n    return rest\n") == []
    assert suggestions("turn_assignment", "def f(rest, kept):\n    rest = kept.rest\n    return rest\n") != []


def test_a_place_that_counts_from_one_is_the_rank_itself() -> None:
    """However the start is handed over."""
    source = (
        "def f(xs):\n    rank, last = 0, 0\n    for n, x in enumerate(xs, {}1):\n"
        "        if x != last:\n            rank += 1\n        last = x\n"
    )
    for start in ("", "start="):
        assert source.format(start).replace("rank += 1", "rank = n") in suggestions(
            "shared_ranks", source.format(start)
        )


def test_what_a_function_binds_alone_is_not_taken_from_outside() -> None:
    """Python would refuse it: no function around this one has a variable of that name."""
    inner = "    def look(i):\n        size = xs[i]\n        best = size\n"
    source = f"def f(xs):\n    best = 0\n\n{inner}\n    return look, best\n"
    found = "\n".join(suggestions("declare_outer", source))
    assert "nonlocal best\n" in found
    assert "size\n        size" not in found
    assert "nonlocal best, size" not in found


def test_what_speaks_of_both_sides_has_no_twin() -> None:
    """`stack.append(a - b)` is not missed as `stack.append(b - a)`, nor `d[key] = value` as `d[value] = value`."""
    assert suggestions("same_for_other_side", "def f(s, a, b):\n    s.append(a - b)\n    return s\n") == []
    assert suggestions("same_for_other_side", "def f(d, key, value):\n    d[key] = value\n    return d\n") == []
    assert suggestions("same_for_other_side", "def f(s, left, right):\n    s.append(left)\n    return s, right\n") != []


def test_a_field_is_given_back_of_an_object_that_checks_got_alone() -> None:
    """An object of another class is what somebody wants."""
    source, _, _ = SLIPS["field_of_result"]
    assert suggestions("field_of_result", source.replace("Box", "Bag")) == []


def test_a_function_that_calls_itself_is_seldom_meant_not_to() -> None:
    """Its argument takes the place of another function's call first."""
    source = "def f(xs):\n    for x in f(xs[1:]):\n        print(abs(x))\n"
    assert suggestions("unwrap", source)[0] == source.replace("abs(x)", "x")


@pytest.mark.parametrize(
    ("template", "source"),
    [
        (
            "brackets_add_up",
            "def f(x, y):\n    if y:\n        return x * 2\n    if x < 3:\n        return x * 4\n    return x * 5\n",
        ),
        ("brackets_add_up", "def f(x):\n    if x < 3:\n        return x * 4\n    if x < 5:\n        return x * 5\n"),
        ("link_with_both_ways", "def f(p, e, a, w):\n    (u,) = find(a)\n    v, y = find(w)\n    e[u] = w\n"),
        ("rounds_behind_start", "def f(xs, i, pair):\n    q, r = divmod(*pair)\n    return xs[i + r]\n"),
    ],
)
def test_what_has_another_shape_is_left(template: str, source: str) -> None:
    """A question of something else, one name for two, arguments that are not told one by one."""
    assert suggestions(template, source) == []


def test_braces_in_a_divisor_stand_for_themselves() -> None:
    """As a lookup in a dict, or a formatted key, has them."""
    source = "def f(a, b, k):\n    return (a + b) // {1: 2}[k]\n"
    assert source.replace("(a + b) // {1: 2}[k]", "a // {1: 2}[k] + b // {1: 2}[k]") in suggestions(
        "round_each", source
    )


@pytest.mark.parametrize(
    ("came", "wanted", "is_written"),
    [("&", "&amp;", True), ("-", "_", True), ("-", "-AA-", False), ("-", "one", False)],
)
def test_no_letters_of_an_answer_are_put_beside_a_sign(came: str, wanted: str, is_written: bool) -> None:
    """But for what a sign is written as."""
    templates = [template for template in TEMPLATES if template.name == "replace_as_wanted"]
    found = single_edits("def f(x):\n    return x.strip()\n", templates, Clues(differing_texts=((came, wanted),)))
    assert found == ([f"def f(x):\n    return x.strip().replace({came!r}, {wanted!r})\n"] if is_written else [])
