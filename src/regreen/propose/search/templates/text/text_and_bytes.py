"""Texts where bytes are asked for, and bytes where texts are."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import LIKELY
from regreen.propose.search.expressions import ATOM, SUM, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.text.strings import quoted
from regreen.syntax import callee_name

_HASHES = ("md5", "sha1", "sha224", "sha256", "sha384", "sha512", "blake2b", "blake2s", "crc32", "adler32")
_TO_ASCII = ("b64encode", "urlsafe_b64encode", "b32encode", "b16encode", "hexlify")
_FROM_ASCII = ("b64decode", "urlsafe_b64decode", "b32decode", "b16decode", "unhexlify")
_TAKE_BYTES: Final = frozenset((*_HASHES, *_TO_ASCII, "compress", "send", "sendall"))
_GIVE_BYTES: Final = frozenset((*_TO_ASCII, *_FROM_ASCII, "decompress", "recv", "check_output"))


def encode_text(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`hashlib.md5(text)` becomes `hashlib.md5(text.encode())`; so does `hashlib.md5("text")`, beside a variable."""
    if callee_name(node) not in _TAKE_BYTES or not node.args:
        return
    given = node.args[0]
    if isinstance(given, ast.Constant):
        if isinstance(given.value, str):
            for name in context.scope.of_kind("str", ""):
                if name != context.scope.receiver:
                    yield context.put(given, f"{name}.encode()", 1.0 if name == given.value else LIKELY)
    elif context.kind(given) in ("str", "") and not context.text(given).endswith(".encode()"):
        yield context.put(given, f"{context.expression(given).at(ATOM)}.encode()")


def decode_bytes(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`base64.b64encode(data)` becomes `base64.b64encode(data).decode()`."""
    if callee_name(node) in _GIVE_BYTES and not isinstance(context.parent(node), ast.Attribute | ast.Expr):
        yield context.put(node, f"{context.text(node)}.decode()")


def without_byte_order_mark(node: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`"utf-8"` becomes `"utf-8-sig"`: files of other programs begin with a mark that is no text."""
    if isinstance(node.value, str) and node.value.lower() in ("utf-8", "utf8"):
        yield context.put(node, quoted("utf-8-sig", context.text(node)))


def read_without_mark(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`data.decode()` becomes `data.decode("utf-8-sig")`."""
    if isinstance(node.func, ast.Attribute) and node.func.attr == "decode" and not node.args and not node.keywords:
        yield context.put(node, f'{context.text(node.func)}("utf-8-sig")')


def pad_to_whole_groups(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`b64decode(text)` becomes `b64decode(text + "=" * (-len(text) % 4))`: what is sent lacks its padding at times."""
    if callee_name(node) in ("b64decode", "urlsafe_b64decode", "standard_b64decode") and node.args:
        given = node.args[0]
        if isinstance(given, ast.Name):
            sign = 'b"="' if "bytes" in context.clues.details else '"="'
            yield context.put(given, Expression(f"{given.id} + {sign} * (-len({given.id}) % 4)", SUM))


TEMPLATES = (
    Template("pad_to_whole_groups", (ast.Call,), pad_to_whole_groups, ("content", "raises")),
    Template("without_byte_order_mark", (ast.Constant,), without_byte_order_mark, ("content", "key", "longer")),
    Template("read_without_mark", (ast.Call,), read_without_mark, ("content", "key", "longer")),
    Template("encode_text", (ast.Call,), encode_text, ("type", "attribute")),
    Template("decode_bytes", (ast.Call,), decode_bytes, ("type", "content", "object")),
)
