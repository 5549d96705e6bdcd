class JotError(Exception):
    """Shown to the user as is."""


class NoSuchTask(JotError):
    def __init__(self, task_id):
        super().__init__(f"no task {task_id}")
        self.task_id = task_id


class StoreError(JotError):
    pass


class DateError(JotError):
    pass
