"""The prompt of a problem, and a trace that earns every bit for a given answer."""

from typing import Any

from calverify.problem import Problem
from calverify.tasks._forms import task_of
from calverify.tasks._graph_slot import GRAPH_SLOT
from calverify.tasks._task import Case, Task
from calverify.traces import NUMBER, AnswerType, render_prompt, render_trace

__all__ = ["faultless_trace", "prompt"]

SHAPES = {
    "assignment": '{"<name>":"knight or knave",...}',
    "count": "<number>",
    "edge": '"A->B"',
    "expression": '"<expression>"',
    "graph": '{"nodes":[...],"edges":[["A","B"],...]}',
    "letter": '"<letter>"',
    "name": '"<name>"',
    "number": "<number>",
    "path": '"A->B<-C"',
    "walk": '["A","B",...]',
    "yes/no": "<yes or no>",
}


def prompt(problem: Problem) -> str:
    """What a model is asked: the schema, the graph when it is supplied, and the question."""
    task = task_of(problem.query)
    formal = task.formal.supplied(problem)
    facts = task.formal.facts(formal) if formal is not None else []
    if problem.text:
        facts = [problem.text, *facts]
    if formal is None and problem.legend:
        facts.append(f"Variables: {', '.join(problem.legend)}")
    if formal is None and task.formal is GRAPH_SLOT:
        facts.append("State in STEP 1 every edge that the text describes, over these variables only.")
    given = task.formal.given(formal, problem)
    return render_prompt(given, _schema(task, formal), facts, task.question(problem.query))


def _shape(kind: AnswerType) -> str:
    return SHAPES.get(kind.name, "[...]")


def _schema(task: Task, formal: Any) -> list[str]:
    """The JSON shape of each slot for this task."""
    stated = f',"{task.states[0]}":{_shape(task.witness or task.answer)}' if task.states else ""
    return [
        task.formal.schema(formal),
        f'{{"task":"{task.name}","targets":[...]}}',
        f'{{"method":"<rule used>"{stated}}}',
        '[{"rule":"...","to":"..."}]',
        f'{{"result": {_shape(NUMBER if task.family == "numeric" else task.answer)}}}',
        f'{{"answer": {_shape(task.answer)}}}',
    ]


def faultless_trace(case: Case, answer: Any, formal: Any = None) -> str:
    """A trace for a canonical answer that earns all six bits when the answer is right."""
    task = case.task
    stated = answer if task.family == "object" else None
    if task.witness_for is not None:
        stated = task.witness_for(answer, case)
    strategy: dict[str, Any] = {"method": task.rule}
    if stated is not None:
        strategy[task.states[0]] = (task.witness or task.answer).show(stated)
    shown = task.answer.show(answer)
    about = list(case.query.targets) if task.family == "decision" else strategy[task.states[0]]
    slots = [
        task.formal.show(formal or case.formal),
        {"task": task.name, "targets": list(case.query.targets)},
        strategy,
        [{"rule": task.rule, "to": about}],
        {"result": task.result_for(answer, case) if task.result_for else shown},
        {"answer": shown},
    ]
    return render_trace(slots, task.answer.spell(answer, case.names))
