class Flaky:
    """Fails some times, then gives results."""

    def __init__(self, *script):
        self.script = list(script)
        self.calls = 0

    def __call__(self, *args):
        self.calls += 1
        step = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if isinstance(step, BaseException):
            raise step
        return step
