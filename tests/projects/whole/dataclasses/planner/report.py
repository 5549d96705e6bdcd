from .model import Plan


def lines(plan: Plan, today):
    late = {id(task) for task in plan.overdue(today)}
    for task in sorted(plan.tasks):
        mark = "!" if id(task) in late else " "
        yield f"{mark} {task.due:%Y-%m-%d} {task.name}"
