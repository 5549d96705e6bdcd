"""Nodes of the template tree; each renders itself into a list of strings."""

from .errors import TemplateError
from .markup import Markup, escape


def render_nodes(nodes, ctx, out):
    for node in nodes:
        node.render(ctx, out)


class Text:
    def __init__(self, text):
        self.text = text

    def render(self, ctx, out):
        out.append(self.text)


class Output:
    def __init__(self, expr):
        self.expr = expr

    def render(self, ctx, out):
        value = self.expr.evaluate(ctx)
        if value is None:
            return
        out.append(str(escape(value)) if ctx.env.autoescape else str(value))


class If:
    def __init__(self, branches, orelse):
        self.branches = branches
        self.orelse = orelse

    def render(self, ctx, out):
        for test, body in self.branches:
            if test.evaluate(ctx):
                render_nodes(body, ctx, out)
                return
        render_nodes(self.orelse, ctx, out)


class Loop:
    """The ``loop`` variable."""

    def __init__(self, items, parent=None):
        self.length = len(items)
        self.index0 = 0
        self.parent = parent

    @property
    def index(self):
        return self.index0 + 1

    @property
    def first(self):
        return self.index0 == 0

    @property
    def last(self):
        return self.index == self.length


class For:
    def __init__(self, targets, iterable, body, orelse):
        self.targets = targets
        self.iterable = iterable
        self.body = body
        self.orelse = orelse

    def render(self, ctx, out):
        items = list(self.iterable.evaluate(ctx))
        if not items:
            render_nodes(self.orelse, ctx, out)
            return
        parent = ctx.lookup("loop") if any("loop" in s for s in ctx._scopes) else None
        loop = Loop(items, parent)
        for loop.index0, item in enumerate(items):
            ctx.push(loop=loop)
            try:
                self.bind(ctx, item)
                render_nodes(self.body, ctx, out)
            finally:
                ctx.pop()

    def bind(self, ctx, item):
        if len(self.targets) == 1:
            ctx.set(self.targets[0], item)
            return
        values = tuple(item)
        if len(values) != len(self.targets):
            raise TemplateError(
                f"cannot unpack {len(values)} values into {len(self.targets)} names"
            )
        for name, value in zip(self.targets, values):
            ctx.set(name, value)


class Set:
    def __init__(self, name, expr):
        self.name = name
        self.expr = expr

    def render(self, ctx, out):
        ctx.set(self.name, self.expr.evaluate(ctx))


class Include:
    def __init__(self, name, ignore_missing=False):
        self.name = name
        self.ignore_missing = ignore_missing

    def render(self, ctx, out):
        from .errors import TemplateNotFound

        name = self.name.evaluate(ctx)
        try:
            template = ctx.env.get_template(name)
        except TemplateNotFound as exc:
            if self.ignore_missing and exc.name == name:
                return
            raise
        out.append(template.render_context(ctx.child()))


class Block:
    """A named part of a template that descendants may override.

    ``ctx.blocks`` maps each name to its definitions, most derived first.
    """

    def __init__(self, name, body):
        self.name = name
        self.body = body

    def render(self, ctx, out):
        chain = ctx.blocks.get(self.name) or [self]
        self.render_level(chain, 0, ctx, out)

    def render_level(self, chain, level, ctx, out):
        def super_():
            if level + 1 >= len(chain):
                raise TemplateError(f"block {self.name!r} has no parent")
            inner = []
            self.render_level(chain, level + 1, ctx, inner)
            return Markup("".join(inner))

        ctx.push(super=super_)
        try:
            render_nodes(chain[level].body, ctx, out)
        finally:
            ctx.pop()
