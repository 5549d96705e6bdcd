from .context import Context
from .errors import TemplateError, TemplateNotFound
from .filters import DEFAULT_FILTERS
from .nodes import render_nodes
from .parser import parse


class Template:
    def __init__(self, env, source, name=None, uptodate=None):
        self.env = env
        self.name = name
        self._uptodate = uptodate
        self._parsed = parse(source)

    @property
    def is_current(self):
        return self._uptodate is None or self._uptodate()

    def render(self, *args, **variables):
        merged = dict(*args, **variables)
        return self.render_context(Context(merged, env=self.env, strict=self.env.strict))

    def render_context(self, ctx):
        template = self
        seen = []
        while True:
            if template.name is not None and template.name in seen:
                raise TemplateError(f"template {template.name!r} extends itself")
            seen.append(template.name)
            for name, block in template._parsed.blocks.items():
                ctx.blocks.setdefault(name, []).append(block)
            if template._parsed.parent is None:
                break
            template = self.env.get_template(template._parsed.parent.evaluate(ctx))
        out = []
        render_nodes(template._parsed.body, ctx, out)
        return "".join(out)


class Environment:
    def __init__(
        self, loader=None, autoescape=False, strict=False, auto_reload=True, cache_size=100
    ):
        self.loader = loader
        self.autoescape = autoescape
        self.strict = strict
        self.auto_reload = auto_reload
        self.cache_size = cache_size
        self.filters = dict(DEFAULT_FILTERS)
        self.globals = {"range": range}
        self._cache = {}

    def filter(self, name=None):
        """Decorator that registers a filter under *name* or the function's own."""

        def decorate(function):
            self.filters[name or function.__name__] = function
            return function

        return decorate

    def from_string(self, source):
        return Template(self, source)

    def get_template(self, name):
        if self.loader is None:
            raise TemplateNotFound(name)
        template = self._cache.get(name)
        if template is not None and (not self.auto_reload or template.is_current):
            self._cache[name] = self._cache.pop(name)  # most recently used last
            return template
        source, uptodate = self.loader.load(name)
        template = Template(self, source, name, uptodate)
        self._cache.pop(name, None)
        self._cache[name] = template
        while len(self._cache) > self.cache_size:
            del self._cache[next(iter(self._cache))]
        return template
