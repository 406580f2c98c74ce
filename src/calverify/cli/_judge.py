"""The commands that judge: check, solve, verify, select, explain."""

from collections.abc import Sequence
from typing import Any

import click

from calverify.cli._inputs import Option, pool_from, problem_from, problem_options, query_options, read_file
from calverify.cli._output import (
    FAILED,
    INCOMPLETE,
    OK,
    emit,
    json_option,
    mark,
    paint,
    say,
    show_verdict,
    spelled,
)
from calverify.cli._witness import show_witness
from calverify.errors import BudgetError
from calverify.graphs import Graph
from calverify.problem import Problem
from calverify.scoring import (
    Margin,
    Verdict,
    case_of,
    certifiable,
    certify,
    check,
    checker_for,
    edit_margin,
    nearest_valid,
    proof_of,
    solve,
    verify,
)
from calverify.scoring import proof as prove
from calverify.selectors import ADMISSIONS, SELECTORS, View, choose, view_of

__all__ = ["check_command", "explain_command", "select_command", "show_choice", "solve_command", "verify_command"]


def selector_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    return [name for name in SELECTORS if name.startswith(incomplete)]


proof_option = click.option("--proof", is_flag=True, help="Print the proof, as calverify recheck reads it, alone.")


def _nearby(problem: Problem, answer: Any) -> tuple[Any, str]:
    """A valid object close to the answer, in plain JSON, and a sentence about it."""
    try:
        found = nearest_valid(problem.graph, problem.query, answer)
    except BudgetError as error:
        return None, f"undetermined: {error}"
    if found is None:
        return None, "no valid answer exists"
    return found, f"{spelled(problem, found)} is valid (ours, not the model's)"


@click.command("check", short_help="Is this answer valid for this question, and why?")
@query_options
@click.option("--answer", required=True, help='The answer to check: "U, P", "set()", "A->B->A", "yes".')
@proof_option
@json_option
def check_command(answer: str, proof: bool, json: bool, **asked: Any) -> int:
    """Is this answer valid for this question on this graph, and why?

    \b
    Example:
      calverify check --graph "U->X, U->Y, X->Y" --task backdoor --targets X,Y --answer U
    """
    problem = problem_from(asked)
    if proof:
        record = prove(problem, answer)
        emit(record)
        return OK if record["valid"] else FAILED
    result = check(problem.graph, problem.query, answer)
    nearby, sentence = (None, "") if result.valid is not False else _nearby(problem, answer)
    if json:
        emit({**result.to_json(), "nearest_valid": nearby})
    else:
        say(mark(result.valid), f": {result.why.removeprefix('undetermined: ')}")
        if sentence:
            say(f"nearby: {sentence}")
    return {True: OK, False: FAILED, None: INCOMPLETE}[result.valid]


@click.command("solve", short_help="Every valid answer to a question; of sets, the minimal ones.")
@query_options
@click.option(
    "--limit", type=click.IntRange(min=1), default=100, show_default=True, help="Give up (exit 4) where there are more."
)
@click.option("--one", is_flag=True, help="One valid answer of least size, however many there are.")
@json_option
def solve_command(limit: int, one: bool, json: bool, **asked: Any) -> int:
    """Every valid answer, smallest first; of sets, those from which no name can be left out.

    \b
    Example:
      calverify solve --graph "U->X, U->Y, X->Y" --task backdoor --targets X,Y
    """
    problem = problem_from(asked)
    case = case_of(problem.graph, problem.query)
    if one:
        cheapest = case.task.cheapest(case)
        found = [] if cheapest is None else [cheapest]
    else:
        found = solve(problem.graph, problem.query, limit=limit)
    if json:
        emit([case.task.answer.show(value) for value in found])
    else:
        for value in found:
            say(case.task.answer.spell(value))
        if not found:
            say("no valid answer exists", err=True)
    return OK if found else FAILED


@click.command("verify", short_help="Score one trace: six checks, and why those that fail do.")
@problem_options
@click.argument("trace", default="-")
@json_option
def verify_command(trace: str, json: bool, **asked: Any) -> int:
    """Score one trace (a file, or standard input): which of the six checks hold, and why the others fail.

    \b
    Example:
      calverify verify --problem problem.json trace.txt
    """
    problem = problem_from(asked)
    verdict = verify(problem, read_file(trace))
    if json:
        emit(verdict.to_json())
    else:
        show_verdict(problem, verdict)
    return _code(verdict)


def _code(verdict: Verdict) -> int:
    return INCOMPLETE if verdict.score is None else OK if verdict.score == len(verdict.bits) else FAILED


@click.command("select", short_help="Pick the earliest trace with the highest score.")
@problem_options
@click.option("--pool", metavar="FILE", help="The candidates as one pool record in JSON.")
@click.option(
    "--admission",
    type=click.Choice(ADMISSIONS),
    default=ADMISSIONS[0],
    show_default=True,
    help="Which traces stand for choice: those with an answer and a slot, or all.",
)
@click.option(
    "--archive", metavar="DIR", help="Choose from every pool of a frozen folder, blind, in place of one pool."
)
@click.option(
    "--selector",
    metavar="NAME",
    multiple=True,
    type=Option(),
    shell_complete=selector_names,
    help="Who picks: calver, unless you say; with --archive several, or all on the shelf.",
)
@click.option(
    "--plugin", metavar="MODULE", multiple=True, type=Option(), help="With --archive: a module with selectors of yours."
)
@click.argument("traces", nargs=-1)
@json_option
def select_command(archive: str | None, traces: tuple[str, ...], json: bool, **asked: Any) -> int:
    """Pick the earliest trace with the highest score, from one file each, from a pool, or from each pool of an archive.

    With --archive the selectors run in a process that cannot open the keys, and DIR/choices.jsonl is written.

    \b
    Example:
      calverify select --problem problem.json --pool pool.json
    """
    how = {name: asked.pop(name) for name in ("selector", "plugin", "admission", "pool")}
    if archive is not None:
        if traces or how["pool"] or any(asked.values()):
            raise click.UsageError("--archive holds problems and pools already; leave out the others.")
        from calverify.cli._archive import select_from_archive  # a room of its own, that no single pool needs

        return select_from_archive(archive, how, json)
    if how["plugin"]:
        raise click.UsageError("--plugin belongs to --archive.")
    problem = problem_from(asked)
    view = view_of(problem, pool_from(traces, how["pool"], problem), how["admission"])
    name = named_once(how["selector"])
    choice = choose(view, name)
    if json:
        emit({**choice.to_json(), "voting": choose(view, "plurality").index})
    else:
        show_choice(view, name)
    return FAILED if choice.index is None else OK


def named_once(names: Sequence[str]) -> str:
    """The one selector that a single pool is chosen by."""
    if len(names) > 1:
        raise click.UsageError("One pool is chosen from by one --selector; several need an --archive.")
    return names[0] if names else "calver"


def show_choice(view: View, name: str = "calver") -> None:
    """A line a candidate, the chosen one marked, and what voting would have chosen."""
    problem, verdicts = view.problem, view.verdicts
    index, voted = choose(view, name).index, choose(view, "plurality").index
    for place, verdict in enumerate(verdicts):
        arrow = paint("->", fg="green", bold=True) if place == index else "  "
        score = "?" if verdict.score is None else verdict.score
        say(arrow, f" {place + 1:>3}  {score} of 6  {spelled(problem, verdict.answer):<16} {verdict.why}")
    for word, picked in (("chosen", index), ("voting", voted)):
        answer = "nothing" if picked is None else f"candidate {picked + 1}, {spelled(problem, verdicts[picked].answer)}"
        say(f"{word}: {answer}")


@click.command("explain", short_help="Explain one trace, with a witness to check by hand.")
@problem_options
@click.argument("trace", default="-")
@click.option("--margin", is_flag=True, help="Add the fewest edge edits that would turn the answer's verdict round.")
@proof_option
@json_option
def explain_command(trace: str, margin: bool, proof: bool, json: bool, **asked: Any) -> int:
    """Explain one trace: the verdict, the witness that anyone can check by hand, and a valid answer nearby.

    \b
    Example:
      calverify explain --problem problem.json trace.txt
    """
    problem = problem_from(asked)
    text = read_file(trace)
    verdict = verify(problem, text)
    if proof:
        emit(proof_of(problem, verdict))
        return _code(verdict)
    numeric = problem.scm is not None
    wrong = verdict.answer is not None and problem.graph is not None and verdict.bits["answer"] == 0
    nearby, sentence = _nearby(problem, verdict.answer) if wrong and not numeric else (None, "")
    case = checker_for(problem).case
    certificate = certify(problem, text) if case is not None and certifiable(case) else None
    edits = _margin(problem, verdict) if margin else None
    if json:
        more = {"certificate": certificate, "edit_margin": edits}
        added = {name: part.to_json() for name, part in more.items() if part is not None}
        emit({**verdict.to_json(), "nearest_valid": nearby, **added})
    else:
        show_verdict(problem, verdict)
        if verdict.witness:
            say("witness")
            show_witness(verdict.witness)
        if sentence:
            say(f"nearby {sentence}")
        if certificate is not None:
            say("certificate ", mark(certificate.granted), f": {certificate.why}")
        if edits is not None:
            say(f"margin {edits.why}")
    return _code(verdict)


def _margin(problem: Problem, verdict: Verdict) -> Margin | None:
    """The edit margin of a readable answer, on the graph that it was judged on."""
    graph = verdict.judged_on
    known = isinstance(graph, Graph) and verdict.answer is not None
    return edit_margin(graph, problem.query, verdict.answer) if known else None
