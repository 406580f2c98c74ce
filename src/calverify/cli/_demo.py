"""`calverify demo`: one question, eight answers, what voting picks and what checking picks."""

from importlib.resources import files
from json import loads

import click

from calverify.cli._judge import show_choice
from calverify.cli._output import OK, emit, json_option, say
from calverify.pools import Pool
from calverify.problem import Problem
from calverify.selectors import choose, view_of

__all__ = ["demo_command", "demo_pool"]


def demo_pool() -> tuple[Problem, Pool]:
    """The paper's worked example, with eight traces written by hand: three {M}, two {U}, two {U, P}, one empty set."""
    record = loads(files("calverify.cli").joinpath("demo.json").read_text("utf-8"))
    return Problem.from_json(record["problem"]), Pool.from_json(record["pool"])


@click.command("demo", short_help="See it work on eight hand-made traces.")
@json_option
def demo_command(json: bool) -> int:
    """See it work: a hand-made pool of eight traces, verified, explained, and what voting would have chosen.

    \b
    Example:
      calverify demo
    """
    problem, pool = demo_pool()
    view = view_of(problem, pool)
    choice, voted = choose(view), choose(view, "plurality").index
    if json:
        emit({**choice.to_json(), "voting": voted})
        return OK
    say(f"Question: {problem.text}")
    say(f"Graph: {problem.graph}")
    say()
    say("Eight traces, written by hand for this demo (no model was asked):")
    show_choice(view)
    say()
    assert voted is not None
    assert choice.index is not None
    say(f"Voting elects the wrong answer: {choice.verdicts[voted].why}.")
    say(f"Checking finds a right one: {choice.verdicts[choice.index].why}.")
    say()
    say("Check an answer of your own:")
    say(f'  calverify check --graph "{problem.graph}" --task backdoor --targets X,Y --answer "U, P"')
    return OK
