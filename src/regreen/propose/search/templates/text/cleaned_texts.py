"""Texts that are handed on as they are: quotes that stay around them, signs to be written otherwise, runs of blanks."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF, LIKELY, PROBABLE
from regreen.propose.search.expressions import ATOM, Expression, attribute_of
from regreen.propose.search.mutation import WeightedEdits, edit_position
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name
from regreen.types import Edit

_HELD: Final = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)
_MOST_SIGNS: Final = 2
"""Different signs that are taken off a text at once."""
_MOST_REPLACED: Final = 3
"""Signs of a piece that is replaced throughout: a longer one stands at one place of one text."""
_STRIPPING: Final = {"strip", "lstrip", "rstrip"}


def strip_as_wanted(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`text.strip()` becomes `text.strip().strip('"')` where a check came by `"a"` with its quotes and wanted `a`."""
    if not _is_text_handed_on(node, context):
        return
    for signs in context.cached_of_program("signs too many", lambda: _signs_too_many(context)):
        code = context.expression(node)
        yield context.put(node, attribute_of(code, f"strip({signs!r})"))
        yield context.put(node, attribute_of(code, f'replace({signs!r}, "")'), HALF)
        if isinstance(node, ast.Call) and callee_name(node) in _STRIPPING and not node.args:
            end = context.program.spans[node][1] - 1
            yield context.replace(end, end, repr(f" {signs}"), LIKELY)


def replace_as_wanted(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`str(value)` becomes `str(value).replace("'", "''")` where a check came by one and wanted the other."""
    signs = context.cached_of_program("signs replaced", lambda: _signs_replaced(context))
    if not signs or not _is_text_handed_on(node, context):
        return
    written = [part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    for came, wanted in signs:
        if any(came in text for text in written):
            # It is put in here, and can be left out.
            continue
        yield context.put(node, attribute_of(context.expression(node), f"replace({came!r}, {wanted!r})"))


def _signs_replaced(context: TemplateContext) -> list[tuple[str, str]]:
    """What is no word and stands in the place of something else: a piece of a text, or one sign throughout a word."""
    found: dict[tuple[str, str], None] = {}
    for came, wanted in context.clues.differing_texts:
        if not any(sign.isalnum() for sign in came) and len(came) <= _MOST_REPLACED:
            if not _is_by_heart(came, wanted):
                found[came, wanted] = None
        elif len(came) == len(wanted):
            pairs = {(one, other) for one, other in zip(came, wanted, strict=True) if one != other}
            found |= dict.fromkeys(pair for pair in pairs if len(pairs) == 1 and not pair[0].isalnum())
        else:
            signs = {sign for sign in came if not sign.isalnum()}
            found |= {(sign, ""): None for sign in sorted(signs) if came.replace(sign, "") == wanted}
    return list(found)


def _is_by_heart(came: str, wanted: str) -> bool:
    """Whether a word stands in the place of a sign, or letters beside it, as in `-AA-` for `-`, but for `&amp;`."""
    if wanted[:_WORD].isalpha() and len(wanted) >= _WORD:
        return True
    return came in wanted and any(map(str.isalnum, wanted)) and not _ENTITY.fullmatch(wanted)


_WORD: Final = 3
"""Letters in a row that make a word."""
_ENTITY: Final = re.compile(r"&#?\w+;")


def _is_text_handed_on(node: ast.expr, context: TemplateContext) -> bool:
    """Whether an expression may be a text, and goes into another one, into a variable, or to the caller."""
    if not context.is_read(node) or context.kind(node) not in ("str", ""):
        return False
    around = context.parent(node)
    if isinstance(around, ast.BinOp):
        return isinstance(around.op, ast.Add)
    if isinstance(around, ast.Call):
        return node in around.args and callee_name(around) in _KEEPING
    return isinstance(around, _HANDING_ON)


_KEEPING: Final = ("append", "add", "join", "str", "write", "print", "int", "float", "insert")
_HANDING_ON: Final = (
    *(ast.Return, ast.Assign, ast.FormattedValue, ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp, ast.Tuple),
    *(ast.List, ast.Dict, ast.IfExp, ast.Yield, ast.comprehension, ast.NamedExpr),
)


def strip_one_sign(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`line.strip("|")` becomes `line.removeprefix("|").removesuffix("|")`: one of them, where there may be more; and
    `line.rstrip(" | ")` becomes `line.removesuffix(" | ").rstrip()`: all of it once, and not each of its signs."""
    method, sign = node.func, node.args[0] if len(node.args) == 1 else None
    if not isinstance(method, ast.Attribute) or not isinstance(sign, ast.Constant) or not isinstance(sign.value, str):
        return
    ways = {"strip": ("removeprefix", "removesuffix"), "lstrip": ("removeprefix",), "rstrip": ("removesuffix",)}
    if method.attr in ways and sign.value and not sign.value.isspace():
        text = context.expression(method.value)
        for way in ways[method.attr]:
            text = attribute_of(text, f"{way}({context.text(sign)})")
        yield context.put(node, text)
        if len(sign.value) > 1 and sign.value[0].isspace():
            yield context.put(node, attribute_of(text, f"{method.attr}()"), LIKELY)


def _signs_too_many(context: TemplateContext) -> list[str]:
    """The signs by which what failing checks got is longer than what they wanted, one or two of them."""
    found: dict[str, None] = {}
    for came, wanted in context.clues.differing_texts:
        gone = came.replace(wanted, "", 1) if wanted in came else ""
        signs = "".join(dict.fromkeys(gone))
        if signs and len(signs) <= _MOST_SIGNS and not any(sign.isalnum() for sign in signs) and signs.strip():
            found[signs] = None
    return list(found)


def join_kept(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`kept = [c for c in text if c.isdigit()]`, of which pieces go into a text, becomes `"".join(c for c in ...)`."""
    target, kept = node.targets[0], node.value
    if not isinstance(target, ast.Name) or not isinstance(kept, ast.ListComp) or len(kept.generators) != 1:
        return
    source = kept.generators[0]
    if context.text(kept.elt) != context.text(source.target) or context.kind(source.iter) not in ("str", ""):
        return
    if any(_is_piece_of(part, target.id) for part in context.scope.nodes if isinstance(part, ast.FormattedValue)):
        yield context.put(kept, f'"".join({context.text(kept)[1:-1]})')


def _is_piece_of(node: ast.FormattedValue, name: str) -> bool:
    """Whether what goes into a text is a variable as a whole, or a slice of it."""
    value = node.value
    if isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Slice):
        value = value.value
    return isinstance(value, ast.Name) and value.id == name


def join_words(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`text.replace(" ", "-")` becomes `"-".join(text.split())`: several blanks count as one, outer ones as none."""
    if callee_name(node) != "replace" or len(node.args) != 2 or not isinstance(node.func, ast.Attribute):
        return
    old, new = node.args
    if not isinstance(old, ast.Constant) or not isinstance(old.value, str) or not old.value or old.value.strip():
        return
    text = context.expression(node.func.value).at(ATOM)
    yield context.put(node, Expression(f"{context.expression(new).at(ATOM)}.join({text}.split())"))


def keep_spelling(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for sign in text.lower():`, in which `counts[sign]` is looked up, becomes `for sign in text:` and
    `counts[sign.lower()]`: what is found is given as it is spelt."""
    match node.iter:
        case ast.Call(func=ast.Attribute(value=spelt, attr="lower" | "upper" | "casefold" as way), args=[]):
            pass
        case _:
            return
    if not isinstance(node.target, ast.Name):
        return
    name, looked_up = node.target.id, []
    for part in context.program.below(node):
        if isinstance(part, ast.Subscript) and context.text(part.slice) == name and part.slice in context.program.spans:
            looked_up.append(part.slice)
        elif isinstance(part, ast.Compare) and context.text(part.left) == name:
            looked_up.append(part.left)
    if looked_up:
        asked = [context.edit(part, Expression(f"{name}.{way}()", ATOM)) for part in looked_up]
        spelt_out = context.edit(node.iter, context.expression(spelt))
        yield WeightedEdits(tuple(sorted((spelt_out, *asked), key=edit_position)))


def strip_what_was_cut(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`slug[:40]` becomes `slug[:40].rstrip("-")`, where `strip("-")` was called before: a cut may end with one."""
    match node.slice:
        case ast.Slice(lower=None, upper=ast.expr(), step=None):
            pass
        case _:
            return
    if not context.is_read(node) or isinstance(context.parent(node), ast.Attribute):
        return
    for signs in context.cached("signs stripped", lambda: _signs_stripped(context)):
        yield context.put(node, attribute_of(context.expression(node), f"rstrip({signs})"))


def _signs_stripped(context: TemplateContext) -> list[str]:
    """What a function strips off the ends of texts, as it is written; nothing for blanks."""
    found: dict[str, None] = {}
    for part in context.scope.nodes:
        match part:
            case ast.Call(func=ast.Attribute(attr="strip" | "rstrip"), args=[] | [ast.Constant()]):
                found[", ".join(map(context.text, part.args))] = None
    return list(found)


def clean_words(node: ast.For | ast.comprehension, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for word in text.split():` takes its words small and without punctuation: `word.strip(".,;:!?").lower()`."""
    owner = _split_at_blanks(node.iter, context)
    if owner is None or not isinstance(node.target, ast.Name):
        return
    word, small = node.target.id, _small_text(owner, context)
    if isinstance(node, ast.For):
        yield from context.before(node.body[0], (f"{word} = {word}.strip({_PUNCTUATION}).lower()",))
        yield from context.before(node.body[0], (f"{word} = {word}.strip({_PUNCTUATION})",), PROBABLE)
    stripped = f"(word.strip({_PUNCTUATION}) for word in {small}.split())"
    yield context.put(node.iter, stripped, LIKELY if isinstance(node, ast.For) else 1.0)
    yield _words_alone(node.iter, small, context)


def clean_listed_words(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`words = text.split()` becomes `words = [word.strip(".,;:!?") for word in text.lower().split()]`, or what
    `re.findall` finds of words."""
    owner = _split_at_blanks(node.value, context)
    if owner is None:
        return
    for text in dict.fromkeys((context.expression(owner).at(ATOM), _small_text(owner, context))):
        yield context.put(node.value, f"[word.strip({_PUNCTUATION}) for word in {text}.split()]")
        yield _words_alone(node.value, text, context)


def _split_at_blanks(node: ast.expr, context: TemplateContext) -> ast.expr | None:
    """What `text.split()`, or `text.split(" ")`, splits; None for anything else."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    return node.func.value if context.text(node).endswith(_AT_BLANKS) else None


def _small_text(text: ast.expr, context: TemplateContext) -> str:
    is_lowered = isinstance(text, ast.Call) and callee_name(text) in ("lower", "casefold")
    return context.text(text) if is_lowered else f"{context.expression(text).at(ATOM)}.lower()"


def _words_alone(split: ast.expr, text: str, context: TemplateContext) -> WeightedEdits:
    findall, imports = context.member_of("re", "findall")
    return WeightedEdits((*imports, context.edit(split, Expression(f'{findall}(r"\\w+", {text})'))), LIKELY)


_AT_BLANKS: Final = ("split()", 'split(" ")', "split(' ')")
_PUNCTUATION: Final = '".,;:!?"'


def cut_behind_cleaning(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`"".join(c for c in word[-3:].lower() if c.isalpha())` becomes `"".join(c for c in word.lower() if
    c.isalpha())[-3:]`: signs that are left out do not count."""
    match node:
        case ast.Call(
            func=ast.Attribute(attr="join"),
            args=[ast.GeneratorExp(generators=[ast.comprehension(iter=given, ifs=[_])])],
        ):
            for part in ast.walk(given):
                if isinstance(part, ast.Subscript) and isinstance(part.slice, ast.Slice):
                    end, whole = context.program.spans[part.value][1], context.program.spans[part][1]
                    cut = context.program.source[end:whole]
                    stop = context.program.spans[node][1]
                    yield WeightedEdits((Edit(end, whole, ""), Edit(stop, stop, cut)))


def text_as_described(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return text.strip().replace(" ", "")` of a function whose docstring says "without blanks and hyphens, in upper
    case" gains `.replace("-", "").upper()`: all that the words ask for and the line lacks, at once."""
    function = context.scope.function
    if function is None or node.value is None or not isinstance(node.value, ast.Call | ast.Name):
        return
    said = (ast.get_docstring(function) or "").lower()
    given = context.text(node.value)
    taken_off = [sign for words, sign in _SIGNS_BY_WORD if _WITHOUT.search(said) and re.search(words, said)]
    steps = [f'.replace("{sign}", "")' for sign in taken_off if f'"{sign}"' not in given and f"'{sign}'" not in given]
    steps += [f".{method}()" for words, method in _CASES if re.search(words, said) and f".{method}()" not in given]
    if len(steps) > 1:
        yield context.put(node.value, context.expression(node.value).at(ATOM) + "".join(steps))


_WITHOUT: Final = re.compile(r"\bwithout\b|\bno\b|\bremov|\bignor|\bstrip|\bdrop")
_SIGNS_BY_WORD: Final = (
    (r"\bblank|\bspace|\bwhitespace", " "),
    (r"\bhyphen|\bdash", "-"),
    (r"\bdots?\b|\bperiod|\bfull stop", "."),
    (r"\bcomma", ","),
    (r"\bunderscore", "_"),
    (r"\bslash", "/"),
    (r"\bapostrophe", "'"),
)
_CASES: Final = ((r"upper ?-?case|capital letters", "upper"), (r"lower ?-?case|small letters", "lower"))


TEMPLATES = (
    Template("cut_behind_cleaning", (ast.Call,), cut_behind_cleaning, ("shorter", "content")),
    Template("clean_listed_words", (ast.Assign,), clean_listed_words, ("content",)),
    Template("clean_words", (ast.For, ast.comprehension), clean_words, ("longer", "content", "case")),
    Template("strip_what_was_cut", (ast.Subscript,), strip_what_was_cut, ("content", "longer", "space")),
    Template("strip_one_sign", (ast.Call,), strip_one_sign, ("shorter", "content")),
    Template("join_kept", (ast.Assign,), join_kept, ("content", "longer", "kind:str")),
    Template("keep_spelling", (ast.For,), keep_spelling, ("content",)),
    Template("strip_as_wanted", _HELD, strip_as_wanted, ("longer", "content")),
    Template("replace_as_wanted", _HELD, replace_as_wanted, ("content", "shorter", "longer")),
    Template("join_words", (ast.Call,), join_words, ("longer", "content", "space")),
    Template("text_as_described", (ast.Return,), text_as_described, ("content", "longer", "case", "key")),
)
