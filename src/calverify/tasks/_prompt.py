"""The prompt of a problem, and a trace that earns every bit for a given answer."""

from typing import Any

from calverify.problem import Problem
from calverify.tasks._forms import task_of
from calverify.tasks._graph_slot import GRAPH_SLOT, class_phrase
from calverify.tasks._task import Case, Task
from calverify.traces import render_prompt, render_trace

__all__ = ["faultless_trace", "prompt"]

SHAPES = {"set": "[...]", "cycle": "[...]", "walk": '["A","B",...]', "assignment": '{"<name>":"knight or knave",...}'}


def prompt(problem: Problem) -> str:
    """What a model is asked: the schema, the graph when it is supplied, and the question."""
    task = task_of(problem.query)
    formal = task.formal.supplied(problem)
    if task.formal is not GRAPH_SLOT:
        given = "a knights-and-knaves puzzle: knights always tell the truth and knaves always lie"
    elif formal is not None:
        given = f"{class_phrase(formal.kind)} and a question about its causal structure"
    else:
        given = f"a text that describes {class_phrase(problem.graph_class)}, and a question about its causal structure"
    facts = task.formal.facts(formal) if formal is not None else []
    if problem.text:
        facts = [problem.text, *facts]
    if formal is None and problem.legend:
        facts.append(f"Variables: {', '.join(problem.legend)}")
    if formal is None and task.formal is GRAPH_SLOT:
        facts.append("State in STEP 1 every edge that the text describes, over these variables only.")
    return render_prompt(given, _schema(task, formal), facts, task.question(problem.query))


def _schema(task: Task, formal: Any) -> list[str]:
    """The JSON shape of each slot for this task."""
    stated = (task.witness or task.answer).name
    key = task.states[0]
    result = SHAPES.get(task.answer.name, "<yes or no>")
    return [
        task.formal.schema(formal),
        f'{{"task":"{task.name}","targets":[...]}}',
        f'{{"method":"<rule used>","{key}":{SHAPES.get(stated, "...")}}}',
        '[{"rule":"...","to":"..."}]',
        f'{{"result": {result}}}',
        f'{{"answer": {result}}}',
    ]


def faultless_trace(case: Case, answer: Any, formal: Any = None) -> str:
    """A trace for a canonical answer that earns all six bits when the answer is right."""
    task = case.task
    witness = task.witness_for(answer, case) if task.witness_for else answer
    strategy: dict[str, Any] = {"method": task.rule}
    if witness is not None:
        strategy[task.states[0]] = (task.witness or task.answer).show(witness)
    shown = task.answer.show(answer)
    to = shown if task.witness is None else list(case.query.targets)
    slots = [
        task.formal.show(formal or case.formal),
        {"task": task.name, "targets": list(case.query.targets)},
        strategy,
        [{"rule": task.rule, "to": to}],
        {"result": shown},
        {"answer": shown},
    ]
    return render_trace(slots, task.answer.spell(answer))
