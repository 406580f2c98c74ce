"""What can be asked: `calverify tasks`."""

from typing import Any

import click

from calverify.cli._output import OK, emit, json_option, paint, say
from calverify.errors import QueryError
from calverify.tasks import FORMS, TASKS, Task, find_task, form_of

__all__ = ["EVERY_FORM", "forms_of", "tasks_command"]

EVERY_FORM = ("find_one", *FORMS)


def forms_of(task: Task) -> list[str]:
    """The forms in which a task is asked."""
    return [form for form in EVERY_FORM if _is_asked_as(task, form)]


def _is_asked_as(task: Task, form: str) -> bool:
    try:
        form_of(task, form)
    except QueryError:
        return False
    return True


def sentence(task: Task) -> str:
    """What the task decides."""
    return " ".join((task.predicate.__doc__ or "").split())


def _record(task: Task) -> dict[str, Any]:
    return {
        "task": task.name,
        "decides": sentence(task),
        "family": task.family,
        "answer": task.answer.name,
        "forms": forms_of(task),
        "aliases": sorted(task.aliases - {task.name}),
    }


@click.command("tasks", short_help="What can be asked, and in which forms.")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@json_option
def tasks_command(names: tuple[str, ...], json: bool) -> int:
    """What can be asked: every task, or those that you name, with what it decides and the forms it is asked in.

    \b
    Example:
      calverify tasks backdoor
    """
    tasks = [find_task(name) for name in names] or [TASKS[name] for name in sorted(TASKS)]
    if json:
        emit([_record(task) for task in tasks])
        return OK
    for task in tasks:
        say(paint(task.name, bold=True))
        say(f"  {sentence(task)}")
        say(f"  answer  {task.answer.name}")
        say(f"  forms   {', '.join(forms_of(task))}")
        if names:
            say(f"  aliases {', '.join(sorted(task.aliases - {task.name}))}")
    return OK
