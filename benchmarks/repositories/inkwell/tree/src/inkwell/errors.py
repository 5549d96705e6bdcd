class TemplateError(Exception):
    """Base class of everything raised by the engine."""


class TemplateNotFound(TemplateError):
    def __init__(self, name):
        super().__init__(f"template not found: {name}")
        self.name = name


class TemplateSyntaxError(TemplateError):
    def __init__(self, message, lineno=None):
        where = f" (line {lineno})" if lineno is not None else ""
        super().__init__(message + where)
        self.message = message
        self.lineno = lineno


class UndefinedError(TemplateError):
    pass
