"""The shelf of tasks: one file each, a decorated predicate with its `solve`, its `explain` and its question.

The import list below is the table of contents; the file name is the registered name.
"""

from calverify.tasks import (
    backdoor,
    blocked_path,
    cycle,
    d_separation,
    direct_mediator,
    intervention,
    knights,
    mediator,
)
from calverify.tasks._graph_slot import GRAPH_SLOT
from calverify.tasks._prompt import faultless_trace, prompt
from calverify.tasks._task import TASKS, Case, Reason, Task, accept_name, distinct_targets, find_task, task

__all__ = [
    "GRAPH_SLOT",
    "TASKS",
    "Case",
    "Reason",
    "Task",
    "accept_name",
    "backdoor",
    "blocked_path",
    "cycle",
    "d_separation",
    "direct_mediator",
    "distinct_targets",
    "faultless_trace",
    "find_task",
    "intervention",
    "knights",
    "mediator",
    "prompt",
    "task",
]
