"""The six checks: one function a slot, None when it passes and a `Fault` when it does not.

A fault whose `why` is empty means "the object itself is not valid": its sentence is made when somebody asks for it.
Most traces say the same object in four places, so a list that is written as one already read is not read again.
"""

from functools import partial
from typing import Any, NamedTuple

from calverify.errors import Fault
from calverify.graphs import Path
from calverify.names import brief
from calverify.problem import Query, Target
from calverify.tasks import Case, Task, accept_name, ate
from calverify.traces import EDGE, NODE_SET, NUMBER, ORDERING, PATH, Trace

__all__ = [
    "Answer",
    "decision_faults",
    "derivation_fault",
    "effect_claim",
    "numeric_faults",
    "object_faults",
    "query_fault",
    "read_answer",
    "stated_object",
]

Faults = tuple[Fault | None, Fault | None, Fault | None]
Names = frozenset[str]

NO_NAMES: Names = frozenset()
ABSENT = object()
MAX_SPELLING = 100
INVALID = {slot: Fault(slot, "") for slot in ("strategy", "result", "answer")}
NO_ANSWER = {slot: Fault(slot, "there is no answer to check it against") for slot in ("strategy", "result")}
NOT_THE_ANSWER = {
    "strategy": Fault("strategy", "what the strategy states is not the answer"),
    "result": Fault("result", "the result is not the answer"),
}
CONTRADICTION = Fault("answer", "the ANSWER line contradicts the answer slot")


class Answer(NamedTuple):
    """What a trace returns: its canonical `value`, or None and the `fault`.

    `slot` is the answer slot's own reading and `written` the JSON it was read from.
    """

    value: Any
    fault: Fault | None
    slot: Any
    written: Any


def _no_object(body: Any, slot: str) -> Fault:
    return body if isinstance(body, Fault) else Fault(slot, "not an object")


def read_answer(trace: Trace, task: Task, names: Names) -> Answer:
    """The ANSWER line, else the answer slot; lines that differ, or contradict the slot, are a conflict."""
    read = task.answer.read
    body, written = trace.slots[5], ABSENT
    if type(body) is not dict:
        slot = _no_object(body, "answer")
    elif "answer" not in body:
        slot = Fault("answer", "no field 'answer'")
    else:
        written = body["answer"]
        slot = read(written, names, "answer")
    failed = slot if isinstance(slot, Fault) else None
    if not trace.answers:
        return Answer(slot if failed is None else None, failed, slot, written)
    said = read(trace.answers[0], names, "answer")
    for line in trace.answers[1:]:
        if read(line, names, "answer") != said:
            return Answer(None, Fault("answer", f"{len(trace.answers)} ANSWER lines that differ"), slot, written)
    if isinstance(said, Fault):
        return Answer(None, said, slot, written)
    if said != slot and failed is None:
        return Answer(None, CONTRADICTION, slot, written)
    return Answer(said, failed, slot, written)


def query_fault(body: Any, task: Task, query: Query) -> Fault | None:
    """Task name and targets bind to the asked query, in order where order matters."""
    if type(body) is not dict:
        return _no_object(body, "query")
    name = body.get("task")
    if not _is_among(name, task.aliases):
        return Fault("query", f"the task is {task.name}, not {brief(name)}")
    stated = body.get("targets", [])
    if not _same_names(stated, query.targets, task.ordered):
        return Fault("query", f"the targets are {_said(query.targets)}, not {brief(stated)}")
    if "given" in body and not _same_names(body["given"], query.given, False):
        return Fault("query", f"the condition is {', '.join(query.given) or 'none'}, not {brief(body['given'])}")
    if "path" in body and not _same_path(body["path"], query.path):
        return Fault("query", f"the path is {query.path or 'not part of the query'}, not {brief(body['path'])}")
    return None


def _is_among(name: Any, accepted: frozenset[str]) -> bool:
    """Is it one of these names, however it is spelled?  All of it is looked at; no name of ours is so long."""
    if type(name) is not str or len(name) > MAX_SPELLING:
        return False
    return name in accepted or accept_name(name) in accepted


def _said(targets: tuple[Target, ...]) -> str:
    return ", ".join([f"{{{', '.join(one)}}}" if type(one) is tuple else one for one in targets]) or "none"


def _same_names(stated: Any, asked: tuple[Target, ...], ordered: bool) -> bool:
    if type(stated) is not list or len(stated) != len(asked):
        return False
    if tuple(stated) == asked:
        return True
    if any(type(one) is tuple for one in asked):  # of a set in the order that is asked for
        read_set = partial(NODE_SET.read, names=NO_NAMES, slot="query")
        return all(read_set(a) == frozenset((b,) if type(b) is str else b) for a, b in zip(stated, asked, strict=True))
    read = ORDERING.read(stated, NO_NAMES, "query") if ordered else NODE_SET.read(stated, NO_NAMES, "query")
    return bool(read == (asked if ordered else frozenset(asked)))


def _same_path(stated: Any, asked: str | None) -> bool:
    if asked is None:
        return False
    path = Path.parse(asked)
    return PATH.read(stated, NO_NAMES, "query") in (path, path.reversed())


def stated_object(body: Any, task: Task, names: Names, answer: Answer) -> Any:
    """The object or witness in the strategy slot, None where none is stated, or the fault that the slot is."""
    if type(body) is not dict:
        return _no_object(body, "strategy")
    kind = task.witness or task.answer
    found = None
    for key, written in body.items():
        if key == "method":
            if type(written) is not str:
                return Fault("strategy", "the method is not a name")
        elif key in task.states:
            same = kind is task.answer and type(written) is list and written == answer.written
            value = answer.slot if same else kind.read(written, names, "strategy")
            if isinstance(value, Fault):
                return Fault("strategy", value.why)
            if found is not None and value != found:
                return Fault("strategy", "two different objects are stated")
            found = value
    return found


def derivation_fault(body: Any, task: Task, stated: Any, names: Names) -> Fault | None:
    """Syntax, typing and provenance: declared rules, applied to the stated object, else to nodes of the graph.

    The steps may take a stated set apart (insert C, then insert K): together they must be that set.
    """
    if type(body) is not list:
        return body if isinstance(body, Fault) else Fault("derivation", "not a list of steps")
    if not body:
        return Fault("derivation", "no steps")
    about = task.answer if task.family == "object" else task.witness if task.family == "numeric" else None
    if about is None or isinstance(stated, Fault):
        stated = None
    used: set[str] = set()
    for place, step in enumerate(body, 1):
        if type(step) is not dict:
            return Fault("derivation", f"step {place} is not an object")
        rule = step.get("rule")
        if not _is_among(rule, task.rules):
            return Fault("derivation", f"step {place}: {brief(rule)} is not a rule of {task.name}")
        argument = step["to"] if "to" in step else next((step[key] for key in task.states if key in step), ABSENT)
        if argument is ABSENT:
            return Fault("derivation", f"step {place} has no argument")
        if stated is None or about is None:
            if not _are_names(argument, names):
                return Fault("derivation", f"step {place} is not about nodes of the graph")
            continue
        if about is NODE_SET and type(argument) is str and argument in names and argument in stated:
            used.add(argument)  # what the closer look says of a single name
            continue
        read = about.read(argument, names, "derivation")
        if about is NODE_SET and not isinstance(read, Fault) and read <= stated:
            used |= read  # in place
        elif read != stated:
            return Fault("derivation", f"step {place} is not about the object that the strategy states")
    if stated is not None and about is NODE_SET and used != stated:
        return Fault("derivation", "the steps leave out part of the object that the strategy states")
    return None


def _are_names(argument: Any, names: Names) -> bool:
    """Is it a name, a list of names or of edges, a chain, or the empty set in words, all of known names?"""
    if type(argument) is str:
        if argument in names:
            return True
        chain, words = PATH.read(argument, names, "derivation"), NODE_SET.read(argument, names, "derivation")
        if not isinstance(chain, Fault) and names.issuperset(chain.nodes):
            return True
        edge = EDGE.read(argument, names, "derivation")
        if not isinstance(edge, Fault) and {edge[0], edge[2]} <= names:
            return True
        return not isinstance(words, Fault) and words <= names
    if type(argument) is dict:  # an assignment to people, or a graph
        return argument.keys() <= names or all(_are_names(part, names) for part in argument.values())
    if type(argument) is not list:
        return False
    flat = [name for item in argument for name in (item if type(item) is list else (item,))]
    return all(type(name) is str and (name in names or name.strip() in names) for name in flat)


def _result_fault(body: Any, task: Task, names: Names, answer: Answer, valid: bool) -> Fault | None:
    """The result slot holds the answer, and the answer is valid."""
    if type(body) is not dict:
        return _no_object(body, "result")
    if "result" not in body:
        return Fault("result", "no field 'result'")
    written = body["result"]
    same = type(written) is list and written == answer.written
    value = answer.slot if same else task.answer.read(written, names, "result")
    if isinstance(value, Fault):
        return Fault("result", value.why)
    if answer.value is None:
        return NO_ANSWER["result"]
    if value != answer.value:
        return NOT_THE_ANSWER["result"]
    return None if valid else INVALID["result"]


def object_faults(trace: Trace, case: Case, answer: Answer, stated: Any) -> Faults:
    """Strategy, result and answer of a task whose answer is the object itself."""
    value = answer.value
    valid = value is not None and case.holds(value)
    strategy: Fault | None
    if isinstance(stated, Fault):
        strategy = stated
    elif value is None:
        strategy = NO_ANSWER["strategy"]
    elif stated is not None and stated != value:
        strategy = NOT_THE_ANSWER["strategy"]
    else:
        strategy = None if valid else INVALID["strategy"]
    result = _result_fault(trace.slots[4], case.task, case.names, answer, valid)
    return strategy, result, answer.fault or (None if valid else INVALID["answer"])


def decision_faults(trace: Trace, case: Case, answer: Answer, stated: Any) -> Faults:
    """Strategy, result and answer of a yes/no task, one word of which needs a witness in the strategy slot."""
    value = answer.value
    right = value is not None and case.holds(value)
    strategy: Fault | None = None
    if isinstance(stated, Fault):
        strategy = stated
    elif value is None:
        strategy = NO_ANSWER["strategy"]
    elif value != case.task.shown_word:
        strategy = None if right else INVALID["strategy"]
    elif stated is None and case.task.witness_needed:
        strategy = Fault("strategy", f"a {case.task.shown_word} needs a witness, and none is stated")
    elif stated is None:
        strategy = None if right else INVALID["strategy"]
    elif case.task.witness_fault is not None and (why := case.task.witness_fault(stated, case)):
        strategy = Fault("strategy", why)
    result = _result_fault(trace.slots[4], case.task, case.names, answer, right)
    return strategy, result, answer.fault or (None if right else INVALID["answer"])


def effect_claim(trace: Trace, answer: Answer, stated: Any) -> ate.EffectClaim:
    """What a trace of a numeric task says: its set, its number, its word."""
    body = trace.slots[4]
    number = NUMBER.read(body["result"], NO_NAMES, "result") if type(body) is dict and "result" in body else None
    return ate.EffectClaim(
        stated if isinstance(stated, frozenset) else None,
        None if isinstance(number, Fault) else number,
        answer.value,
    )


def numeric_faults(trace: Trace, case: Case, answer: Answer, stated: Any) -> Faults:
    """Strategy (the deployed separation), result (the recomputed functional) and answer (the reported decision)."""
    state: ate.Numeric = case.state
    claim = effect_claim(trace, answer, stated)
    strategy: Fault | None = None
    if isinstance(stated, Fault):
        strategy = stated
    elif claim.adjustment is None:
        strategy = Fault("strategy", "no set to adjust for is stated") if state.needs_set else None
    elif not state.separates(claim.adjustment):
        strategy = INVALID["strategy"]
    return strategy, _number_fault(trace.slots[4], state, claim, strategy), _decision_fault(state, claim, answer)


def _number_fault(body: Any, state: ate.Numeric, claim: ate.EffectClaim, strategy: Fault | None) -> Fault | None:
    if claim.reported is None:
        if type(body) is not dict:
            return _no_object(body, "result")
        number = NUMBER.read(body["result"], NO_NAMES, "result") if "result" in body else None
        return number if isinstance(number, Fault) else Fault("result", "no field 'result'")
    if strategy is not None:
        return Fault("result", "there is no valid set to recompute it with")
    value = state.recomputed(claim.adjustment or frozenset())
    if value is None or abs(claim.reported - value) > state.tolerance:
        return INVALID["result"]
    return None


def _decision_fault(state: ate.Numeric, claim: ate.EffectClaim, answer: Answer) -> Fault | None:
    if answer.fault is not None:
        return answer.fault
    if claim.reported is None:
        return Fault("answer", "there is no reported number to decide by")
    decided = "yes" if claim.reported > state.threshold else "no"
    if claim.answer != decided:
        return Fault("answer", f"{claim.reported} against the threshold {state.threshold} means {decided}")
    return None
