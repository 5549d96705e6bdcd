"""Built-in functions. Eager ones get values; lazy ones get thunks."""
import math

from .errors import DIV0, NA, VALUE, CellError
from .values import is_number, to_bool, to_number, to_text

EAGER = {}
LAZY = {}


def eager(name):
    def register(func):
        EAGER[name] = func
        return func
    return register


def lazy(name):
    def register(func):
        LAZY[name] = func
        return func
    return register


def numbers(args):
    """Numbers among the arguments; text in ranges is skipped."""
    for arg in args:
        if isinstance(arg, list):
            for row in arg:
                for value in row:
                    if isinstance(value, CellError):
                        raise value
                    if is_number(value):
                        yield value
        else:
            yield to_number(arg)


@eager("SUM")
def _sum(*args):
    return sum(numbers(args))


@eager("AVERAGE")
def _average(*args):
    values = list(numbers(args))
    if not values:
        raise CellError(DIV0)
    return sum(values) / len(values)


@eager("MIN")
def _min(*args):
    return min(numbers(args), default=0)


@eager("MAX")
def _max(*args):
    return max(numbers(args), default=0)


@eager("COUNT")
def _count(*args):
    total = 0
    for arg in args:
        values = [v for row in arg for v in row] if isinstance(arg, list) else [arg]
        total += sum(1 for value in values if is_number(value))
    return total


@eager("ROUND")
def _round(value, digits=0):
    factor = 10 ** int(to_number(digits))
    scaled = abs(to_number(value)) * factor
    result = math.copysign(math.floor(scaled + 0.5) / factor, to_number(value))
    return int(result) if result == int(result) else result


@eager("MOD")
def _mod(value, divisor):
    if to_number(divisor) == 0:
        raise CellError(DIV0)
    return to_number(value) % to_number(divisor)


@eager("LEN")
def _len(value):
    return len(to_text(value))


@eager("UPPER")
def _upper(value):
    return to_text(value).upper()


@eager("LEFT")
def _left(value, count=1):
    count = int(to_number(count))
    if count < 0:
        raise CellError(VALUE)
    return to_text(value)[:count]


@eager("RIGHT")
def _right(value, count=1):
    count = int(to_number(count))
    if count < 0:
        raise CellError(VALUE)
    text = to_text(value)
    return text[max(len(text) - count, 0):]


@eager("CONCAT")
def _concat(*args):
    out = []
    for arg in args:
        values = [v for row in arg for v in row] if isinstance(arg, list) else [arg]
        out += [to_text(value) for value in values]
    return "".join(out)


@eager("VLOOKUP")
def _vlookup(wanted, table, column):
    if not isinstance(table, list):
        raise CellError(VALUE)
    column = int(to_number(column))
    if not 1 <= column <= len(table[0]):
        raise CellError(VALUE)
    if isinstance(wanted, str):
        wanted = wanted.casefold()
    for row in table:
        head = row[0].casefold() if isinstance(row[0], str) else row[0]
        if head is not None and head == wanted:
            return row[column - 1]
    raise CellError(NA)


@lazy("IF")
def _if(condition, then, otherwise=lambda: False):
    return then() if to_bool(condition()) else otherwise()


@lazy("IFERROR")
def _iferror(value, fallback):
    try:
        return value()
    except CellError:
        return fallback()


@lazy("AND")
def _and(*args):
    return all(to_bool(arg()) for arg in args)


@lazy("OR")
def _or(*args):
    return any(to_bool(arg()) for arg in args)


@eager("NOT")
def _not(value):
    return not to_bool(value)
