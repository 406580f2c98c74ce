"""The ways to ask for an object, composed from one predicate: all, how many, yes or no, which of these, is there one.

A form takes a task whose answer is an object and gives a task whose answer is a list, a count, a word or a letter.
Nothing about the object is written twice: every form goes back to the base task's predicate and its listing.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from string import ascii_uppercase
from typing import Any

from calverify.errors import Fault, QueryError
from calverify.names import article
from calverify.problem import Query
from calverify.tasks._best import BEST, best_objects, better, climb, every_object
from calverify.tasks._task import Case, Reason, Task, find_task
from calverify.traces import COUNT, CYCLE, EXPRESSION, LETTER, PATH, YES_NO, set_of

__all__ = ["FORMS", "form_of", "task_of"]

PLURALS = {"child": "children"}


def _base(form: Callable[[Task], Task]) -> Callable[[Task], Task]:
    """Give the composed task a state: the base task's case."""

    def composed(base: Task) -> Task:
        return replace(form(base), prepare=lambda formal, query: base.case(formal, query))

    return composed


def _show(case: Case, value: Any) -> str:
    return case.task.answer.spell(value)


def _about(kind: str, value: Any, inner: Case, sentence: Callable[[str, str], str]) -> Reason:
    """What decides is one object: it, with the witness that it is valid or not."""
    reason = inner.task.explain(value, inner)
    witness = None if reason.witness is None else dict(reason.witness)
    shown = {"kind": kind, "object": inner.task.answer.show(value), "witness": witness}
    return Reason(sentence(_show(inner, value), reason.why), shown)


def _nouns(base: Task, query: Query) -> tuple[str, str]:
    if base.noun is None:
        raise QueryError(f"{base.name} has no other form than find_one")
    return base.noun(query)


@_base
def find_all(base: Task) -> Task:
    """All valid objects, each once, in any order."""
    kind = base.all_at_once or set_of(base.answer)

    def whole(case: Case) -> frozenset[Any]:
        return frozenset(every_object(case.state))

    def explain(answer: frozenset[Any], case: Case) -> Reason:
        inner, truth = case.state, whole(case)
        for value in sorted(answer - truth, key=repr):
            return _about("extra", value, inner, lambda shown, why: f"{shown} does not belong: {why}")
        for value in sorted(truth - answer, key=repr):
            return _about("left_out", value, inner, lambda shown, why: f"{shown} is left out")
        return Reason(f"these are all {len(truth)}", {"kind": "all", "objects": kind.show(truth)})

    def question(query: Query) -> str:
        head, rest = _nouns(base, query)
        return f"Find every {head} {rest}".strip() + "."

    return replace(
        base,
        answer=kind,
        predicate=lambda answer, case: answer == whole(case),
        solve=lambda case: iter((whole(case),)),
        cheapest=whole,
        explain=explain,
        question=question,
        states=("objects", "all", *base.states),
    )


@_base
def how_many(base: Task) -> Task:
    """The number of valid objects."""

    def count(case: Case) -> int:
        inner: Case = case.state
        return base.how_many(inner) if base.how_many else len(every_object(inner))

    def explain(answer: int, case: Case) -> Reason:
        truth = count(case)
        objects = [base.answer.show(value) for value in every_object(case.state)]
        why = f"there are {truth}" + ("" if answer == truth else f", not {answer}")
        return Reason(why, {"kind": "count", "count": truth, "objects": objects})

    def question(query: Query) -> str:
        head, rest = _nouns(base, query)
        if base.how_many:
            return f"How many nodes are there in the {head} {rest}".strip() + "?"
        return f"How many {PLURALS.get(head, head + 's')} are there {rest}".strip() + "?"

    return replace(
        base,
        answer=COUNT,
        predicate=lambda answer, case: answer == count(case),
        solve=lambda case: iter((count(case),)),
        cheapest=count,
        explain=explain,
        question=question,
        states=("count", "number"),
    )


def _stated(case: Case, text: str | None) -> Any:
    """The object that a claim or an option names, or the fault that it names none: such a claim is false."""
    if text is None:
        raise QueryError(f"{case.query.task}: a yes_no question needs the field 'claim'")
    return case.task.answer.read(text, case.names, "query")


def _holds(case: Case, value: Any) -> bool:
    return not isinstance(value, Fault) and case.holds(value)


def _reason(case: Case, value: Any) -> Reason:
    return Reason(value.why, {"kind": "unreadable"}) if isinstance(value, Fault) else case.task.explain(value, case)


@_base
def yes_no(base: Task) -> Task:
    """Is the claimed object valid?"""

    def truth(case: Case) -> str:
        return "yes" if _holds(case.state, _stated(case.state, case.query.claim)) else "no"

    def explain(answer: str, case: Case) -> Reason:
        return _reason(case.state, _stated(case.state, case.query.claim))

    def witness_fault(value: Any, case: Case) -> str | None:
        asked = _stated(case.state, case.query.claim)
        return None if value == asked else "the stated object is not the one asked about"

    def question(query: Query) -> str:
        head, rest = _nouns(base, query)
        return f"Is {query.claim} {article(head)} {rest}".strip() + "? Answer yes or no."

    return _decision(base, truth, explain, question, witness_fault, needed=False)


@_base
def existence(base: Task) -> Task:
    """Is there a valid object at all?  A yes needs one as its witness."""

    def truth(case: Case) -> str:
        return "no" if base.cheapest(case.state) is None else "yes"

    def explain(answer: str, case: Case) -> Reason:
        found = base.cheapest(case.state)
        if found is None:
            return Reason("there is none", {"kind": "none"})
        return _about("example", found, case.state, lambda shown, why: f"{shown} is one: {why}")

    def witness_fault(value: Any, case: Case) -> str | None:
        return None if case.state.holds(value) else base.explain(value, case.state).why

    def question(query: Query) -> str:
        head, rest = _nouns(base, query)
        return f"Is there {article(head)} {rest}".strip() + "? Answer yes or no."

    def witness_for(answer: str, case: Case) -> Any | None:
        return base.cheapest(case.state) if answer == "yes" else None

    return replace(_decision(base, truth, explain, question, witness_fault, needed=True), witness_for=witness_for)


def _decision(
    base: Task,
    truth: Callable[[Case], str],
    explain: Callable[[str, Case], Reason],
    question: Callable[[Query], str],
    witness_fault: Callable[[Any, Case], str | None],
    *,
    needed: bool,
) -> Task:
    return replace(
        base,
        family="decision",
        answer=YES_NO,
        predicate=lambda answer, case: answer == truth(case),
        solve=lambda case: iter((truth(case),)),
        cheapest=truth,
        explain=explain,
        question=question,
        witness=base.answer,
        witness_needed=needed,
        witness_fault=witness_fault,
    )


def _choice(base: Task, *, wanted: bool) -> Task:
    """The letter of an option that is valid (or, where the question asks which is not, invalid)."""

    def chosen(letter: str, case: Case) -> Any:
        place = ascii_uppercase.index(letter)
        return _stated(case.state, case.query.options[place]) if place < len(case.query.options) else None

    def predicate(letter: str, case: Case) -> bool:
        value = chosen(letter, case)
        return value is not None and _holds(case.state, value) is wanted

    def solve(case: Case) -> Iterator[str]:
        if not 0 < len(case.query.options) <= len(ascii_uppercase):
            raise QueryError(f"{case.query.task}: a choice needs the field 'options', a list of 1 to 26 texts")
        letters = ascii_uppercase[: len(case.query.options)]
        return (letter for letter in letters if predicate(letter, case))

    def explain(letter: str, case: Case) -> Reason:
        value = chosen(letter, case)
        if value is None:
            return Reason(f"there is no option {letter}", {"kind": "unreadable"})
        reason = _reason(case.state, value)
        return Reason(f"{letter}: {reason.why}", reason.witness)

    def question(query: Query) -> str:
        head, rest = _nouns(base, query)
        listed = "\n".join(f"{letter}. {text}" for letter, text in zip(ascii_uppercase, query.options, strict=False))
        return f"Which of the following is {'' if wanted else 'NOT '}{article(head)} {rest}".strip() + f"?\n{listed}"

    return replace(
        base,
        answer=LETTER,
        predicate=predicate,
        solve=solve,
        cheapest=lambda case: next(solve(case), None),
        explain=explain,
        question=question,
        states=("choice", "option", "letter"),
    )


@_base
def choice(base: Task) -> Task:
    return _choice(base, wanted=True)


@_base
def choice_not(base: Task) -> Task:
    return _choice(base, wanted=False)


def _best(rule: str) -> Callable[[Task], Task]:
    """Find one, and one that is best: minimal or maximal by inclusion, or of least or greatest size."""

    def explain(value: Any, case: Case) -> Reason:
        inner: Case = case.state
        reason = inner.task.explain(value, inner)
        if not inner.holds(value):
            return reason
        found = better(rule, value, inner)
        if found is None:
            return Reason(f"{reason.why}; it is {BEST[rule]}", reason.witness)
        said = f"{_show(inner, value)} is valid but not {BEST[rule]}"
        return _about("better", found, inner, lambda shown, why: f"{said}: {shown} is valid too")

    @_base
    def form(base: Task) -> Task:
        def question(query: Query) -> str:
            head, rest = _nouns(base, query)
            return f"Find one {BEST[rule]} {head} {rest}".strip() + "."

        return replace(
            base,
            predicate=lambda value, case: case.state.holds(value) and better(rule, value, case.state) is None,
            solve=lambda case: best_objects(rule, case.state),
            cheapest=lambda case: climb(rule, case.state),
            explain=explain,
            question=question,
        )

    return form


FORMS: dict[str, Callable[[Task], Task]] = {
    "find_all": find_all,
    "how_many": how_many,
    "yes_no": yes_no,
    "choice": choice,
    "choice_not": choice_not,
    "existence": existence,
    **{rule: _best(rule) for rule in BEST},
}


@cache
def form_of(base: Task, form: str) -> Task:
    """The task that asks `base` in a form; refused where the form makes no sense for its objects."""
    if form == "find_one":
        return base
    if form not in FORMS:
        raise QueryError(f"unknown form {form!r}; there are find_one, {', '.join(FORMS)}")
    if not _makes_sense(base, form):
        raise QueryError(f"{base.name} is not asked as {form}")
    return FORMS[form](base)


def _makes_sense(base: Task, form: str) -> bool:
    """Are the base task's objects such that this form can be asked of them?"""
    if base.family != "object" or base.noun is None:
        return False
    if form == "existence" and base.answer is EXPRESSION:
        return False  # "not identifiable" is an answer too, so there always is one: ask `identifiable`
    if form == "find_all":  # where how_many counts the members of one set, there is only that set
        return base.every is not None and base.how_many is None
    if form == "how_many":
        return base.every is not None
    if form in ("minimal", "minimum", "maximal"):
        return base.between is not None
    if form in ("shortest", "longest"):
        return base.every is not None and base.answer in (PATH, CYCLE)
    return True


def task_of(query: Query) -> Task:
    """The task that a query asks, in its form; a claim or options too few or too many are refused."""
    if (query.claim is not None) != (query.form == "yes_no"):
        wants = "needs the field 'claim'" if query.claim is None else "has no use for a claim"
        raise QueryError(f"{query.task}: a {query.form} question {wants}")
    asks = query.form in ("choice", "choice_not")
    if bool(query.options) is not asks or len(query.options) > len(ascii_uppercase):
        wants = "needs the field 'options', a list of 1 to 26 texts" if asks else "has no use for options"
        raise QueryError(f"{query.task}: a {query.form} question {wants}")
    return form_of(find_task(query.task), query.form)
