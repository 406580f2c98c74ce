"""The commands that judge: check, solve, verify, select, explain."""

from typing import Any

import click

from calverify.cli._inputs import problem_from, problem_options, query_options, read_file, texts_from
from calverify.cli._output import FAILED, INCOMPLETE, OK, emit, json_option, mark, say, show_verdict, show_witness
from calverify.problem import Problem
from calverify.scoring import case_of, check, nearest_valid, solve, verify
from calverify.selectors import ADMISSIONS, earliest_max, plurality, select
from calverify.tasks import task_of

__all__ = ["check_command", "explain_command", "select_command", "solve_command", "verify_command"]


def _nearby(problem: Problem, answer: Any) -> str | None:
    """A valid object close to the answer, as an ANSWER line would spell it."""
    found = nearest_valid(problem.graph, problem.query, answer)
    if found is None:
        return None
    kind = task_of(problem.query).answer
    return kind.spell(kind.read(found, frozenset(), "answer"))


@click.command("check")
@query_options
@click.option("--answer", required=True, help='The answer to check: "U, P", "set()", "A->B->A", "yes".')
@json_option
def check_command(answer: str, as_json: bool, **asked: Any) -> int:
    """Is this answer valid for this question on this graph, and why?

    \b
    calverify check --graph "U->X, U->Y, X->Y" --task backdoor --targets X,Y --answer U
    """
    problem = problem_from(asked)
    result = check(problem.graph, problem.query, answer)
    nearby = None if result.valid else _nearby(problem, answer)
    if as_json:
        emit({**result.to_json(), "nearest_valid": nearby})
    else:
        say(f"{mark(result.valid)}: {result.why}")
        if result.valid is False:
            ours = f"{nearby} is valid (ours, not the model's)" if nearby else "no valid answer exists"
            say(f"nearby: {ours}")
    return {True: OK, False: FAILED, None: INCOMPLETE}[result.valid]


@click.command("solve")
@query_options
@click.option("--limit", default=100, show_default=True, help="Stop with an error when there are more.")
@click.option("--one", is_flag=True, help="One valid answer of least size, however many there are.")
@json_option
def solve_command(limit: int, one: bool, as_json: bool, **asked: Any) -> int:
    """Every inclusion-minimal valid answer, smallest first.

    \b
    calverify solve --graph "U->X, U->Y, X->Y" --task backdoor --targets X,Y
    """
    problem = problem_from(asked)
    case = case_of(problem.graph, problem.query)
    if one:
        cheapest = case.task.cheapest(case)
        found = [] if cheapest is None else [cheapest]
    else:
        found = solve(problem.graph, problem.query, limit=limit)
    if as_json:
        emit([case.task.answer.show(value) for value in found])
    else:
        for value in found:
            say(case.task.answer.spell(value))
        if not found:
            click.echo("no valid answer exists", err=True)
    return OK if found else FAILED


@click.command("verify")
@problem_options
@click.argument("trace", default="-")
@json_option
def verify_command(trace: str, as_json: bool, **asked: Any) -> int:
    """Score one trace (a file, or standard input): which of the six checks hold, and why the others fail.

    \b
    calverify verify --graph "U->X, U->Y, X->Y" --task backdoor --targets X,Y trace.txt
    """
    verdict = verify(problem_from(asked), read_file(trace))
    if as_json:
        emit(verdict.to_json())
    else:
        show_verdict(verdict)
    return INCOMPLETE if verdict.score is None else OK if verdict.score == 6 else FAILED


@click.command("select")
@problem_options
@click.option("--pool", metavar="FILE", help="The candidates as one pool record in JSON.")
@click.option("--admission", type=click.Choice(ADMISSIONS), default=ADMISSIONS[0], show_default=True)
@click.argument("traces", nargs=-1)
@json_option
def select_command(pool: str | None, admission: str, traces: tuple[str, ...], as_json: bool, **asked: Any) -> int:
    """Pick the earliest trace with the highest score, from one file each or from a pool.

    \b
    calverify select --problem w1.json --pool pool.json
    """
    problem = problem_from(asked)
    choice = select(problem, texts_from(traces, pool, problem), admission=admission)
    if as_json:
        emit(choice.to_json())
    else:
        show_choice(choice.verdicts, choice.index)
    return FAILED if choice.index is None else OK


def show_choice(verdicts: Any, index: int | None) -> None:
    """A line a candidate, the chosen one marked, and what voting would have chosen."""
    voted = earliest_max(plurality(verdicts))
    for place, verdict in enumerate(verdicts):
        arrow = click.style("->", fg="green", bold=True) if place == index else "  "
        score = "?" if verdict.score is None else verdict.score
        say(f"{arrow} {place + 1:>3}  {score} of 6  {_spelled(verdict):<16} {verdict.why}")
    say(f"chosen: {'nothing' if index is None else f'candidate {index + 1}, {_spelled(verdicts[index])}'}")
    say(f"voting: {'nothing' if voted is None else f'candidate {voted + 1}, {_spelled(verdicts[voted])}'}")


def _spelled(verdict: Any) -> str:
    answer = verdict.answer
    if isinstance(answer, list):
        return "{" + ", ".join(answer) + "}"
    return "no answer" if answer is None else str(answer)


@click.command("explain")
@problem_options
@click.argument("trace", default="-")
@json_option
def explain_command(trace: str, as_json: bool, **asked: Any) -> int:
    """Explain one trace: the verdict, the witness that anyone can check by hand, and a valid answer nearby.

    \b
    calverify explain --problem w1.json trace.txt
    """
    problem = problem_from(asked)
    verdict = verify(problem, read_file(trace))
    wrong = verdict.answer is not None and problem.graph is not None and verdict.bits["answer"] == 0
    nearby = _nearby(problem, verdict.answer) if wrong else None
    if as_json:
        emit({**verdict.to_json(), "nearest_valid": nearby})
    else:
        show_verdict(verdict)
        if verdict.witness:
            say("witness")
            show_witness(verdict.witness)
        if nearby:
            say(f"nearby {nearby} is valid (ours, not the model's)")
    return INCOMPLETE if verdict.score is None else OK if verdict.score == 6 else FAILED
