"""Build the node tree."""

from . import nodes
from .errors import TemplateSyntaxError
from .expressions import ExpressionParser, parse_expression
from .lexer import OUTPUT, TEXT, tokenize


class ParsedTemplate:
    def __init__(self, body, blocks, parent):
        self.body = body
        self.blocks = blocks
        self.parent = parent


class Parser:
    def __init__(self, source):
        self.tokens = tokenize(source)
        self.pos = 0
        self.blocks = {}
        self.parent = None

    def parse(self):
        body, _, _ = self.parse_until(())
        return ParsedTemplate(body, self.blocks, self.parent)

    def parse_until(self, ends, opener=None):
        """Parse up to one of the tags *ends*; return (nodes, tag, rest of tag)."""
        body = []
        while self.pos < len(self.tokens):
            token = self.tokens[self.pos]
            self.pos += 1
            if token.kind == TEXT:
                body.append(nodes.Text(token.value))
            elif token.kind == OUTPUT:
                body.append(nodes.Output(parse_expression(token.value, token.lineno)))
            else:
                tag, _, rest = token.value.partition(" ")
                if tag in ends:
                    return body, tag, rest.strip()
                node = self.parse_tag(tag, rest.strip(), token)
                if node is not None:
                    body.append(node)
        if ends:
            raise TemplateSyntaxError(f"missing {ends[-1]}", opener.lineno)
        return body, None, ""

    def parse_tag(self, tag, rest, token):
        method = getattr(self, f"tag_{tag}", None)
        if method is None:
            raise TemplateSyntaxError(f"unknown tag {tag!r}", token.lineno)
        return method(rest, token)

    def tag_if(self, rest, token):
        branches = []
        orelse = []
        test = parse_expression(rest, token.lineno)
        while True:
            body, tag, rest = self.parse_until(("elif", "else", "endif"), token)
            branches.append((test, body))
            if tag == "elif":
                test = parse_expression(rest, token.lineno)
                continue
            if tag == "else":
                orelse, _, _ = self.parse_until(("endif",), token)
            return nodes.If(branches, orelse)

    def tag_for(self, rest, token):
        parser = ExpressionParser(rest, token.lineno)
        targets = [parser.expect_name()]
        while parser.accept(","):
            targets.append(parser.expect_name())
        parser.expect("in")
        iterable = parser.parse()
        parser.finish()
        orelse = []
        body, tag, _ = self.parse_until(("else", "endfor"), token)
        if tag == "else":
            orelse, _, _ = self.parse_until(("endfor",), token)
        return nodes.For(targets, iterable, body, orelse)

    def tag_set(self, rest, token):
        name, eq, value = rest.partition("=")
        if not eq or not name.strip().isidentifier():
            raise TemplateSyntaxError("set needs 'name = value'", token.lineno)
        return nodes.Set(name.strip(), parse_expression(value, token.lineno))

    def tag_include(self, rest, token):
        suffix = "ignore missing"
        ignore = rest.endswith(suffix)
        if ignore:
            rest = rest[: -len(suffix)]
        return nodes.Include(parse_expression(rest, token.lineno), ignore)

    def tag_extends(self, rest, token):
        if self.parent is not None:
            raise TemplateSyntaxError("extends may appear only once", token.lineno)
        self.parent = parse_expression(rest, token.lineno)
        return None

    def tag_block(self, rest, token):
        name = rest
        if not name.isidentifier():
            raise TemplateSyntaxError("block needs a name", token.lineno)
        if name in self.blocks:
            raise TemplateSyntaxError(f"block {name!r} defined twice", token.lineno)
        self.blocks[name] = None
        body, _, closing = self.parse_until(("endblock",), token)
        if closing and closing != name:
            raise TemplateSyntaxError(f"endblock {closing} closes block {name}", token.lineno)
        block = nodes.Block(name, body)
        self.blocks[name] = block
        return block


def parse(source):
    return Parser(source).parse()
