"""The `calverify` command.

Exit codes: 0 ok, 1 failed or invalid, 2 usage or unusable input, 3 a gate not met, 4 incomplete or undetermined.
Every option can also be set as CALVERIFY_<COMMAND>_<OPTION>, or in a .env file.
"""

import os
import shlex
import sys
from collections import UserDict
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import click

from calverify import __version__
from calverify.cli._dotenv import environment_of_folder
from calverify.cli._output import FAILED, INCOMPLETE, USAGE, emit, error_record, say_error
from calverify.errors import BudgetError, CalverifyError

__all__ = ["commands", "main"]

YES = ("1", "true", "t", "yes", "y", "on")  # what an environment variable says to set a flag

# In the order in which a newcomer meets them, each with its place in this room.
PLACES = {
    "demo": "_demo.demo_command",
    "tasks": "_tasks.tasks_command",
    "check": "_judge.check_command",
    "solve": "_judge.solve_command",
    "verify": "_judge.verify_command",
    "explain": "_judge.explain_command",
    "select": "_judge.select_command",
    "bench": "_bench.bench_commands",
    "sample": "_sample.sample_command",
    "score-with": "_score_with.score_with_commands",
    "freeze": "_archive.freeze_command",
    "seal": "_archive.seal_command",
    "reveal": "_archive.reveal_command",
    "grade": "_grade.grade_command",
    "report": "_report.report_command",
    "import": "_exchange.import_command",
    "export": "_exchange.export_command",
    "rescue": "_rescue.rescue_command",
    "run": "_study.run_command",
    "model": "_model.model_commands",
    "simulate": "_simulate.simulate_command",
    "train": "_train.train_commands",
    "theory": "_theory.theory_command",
    "audit": "_audit.audit_commands",
    "recheck": "_recheck.recheck_command",
    "doctor": "_doctor.doctor_command",
    "completion": "_completion.completion_command",
}


class Imported(UserDict[str, Any]):
    """Commands by name; the module of each is imported when it is asked for, so that all of them start fast."""

    def __getitem__(self, name: str) -> click.Command:
        found = self.data[name]
        if isinstance(found, str):
            module, _, command = found.partition(".")
            found = self.data[name] = getattr(import_module(f"calverify.cli.{module}"), command)
        return cast(click.Command, found)


class InOrder(click.Group):
    """A group that lists its commands in their own order."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


@click.group(
    "calverify",
    cls=InOrder,
    commands=Imported(PLACES),
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 ok, 1 failed or invalid, 2 usage or unusable input, 3 a gate not met, 4 incomplete or "
    "undetermined.  Every option can also be set in the environment, as CALVERIFY_<COMMAND>_<OPTION>, or in .env.",
)
@click.version_option(__version__, prog_name="calverify")
@click.pass_context
def commands(ctx: click.Context) -> int:
    """Check sampled answers to causal questions with executable causal criteria; pick one, and say why.

    \b
    Example:
      calverify demo --by-hand
    """
    if ctx.invoked_subcommand is not None:
        return 0
    click.echo(ctx.get_help(), err=True)
    return USAGE


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and leave with its exit code; whatever is wrong with the input is one clear sentence."""
    arguments = sys.argv[1:] if arguments is None else arguments
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:  # a model may write what this terminal cannot show
            reconfigure(errors="backslashreplace")
    sys.exit(_run(list(arguments)))


def _run(arguments: list[str]) -> int:
    try:
        with environment_of_folder(Path()):
            return _command(arguments)
    except CalverifyError as error:  # the .env file
        _say_what_is_wrong(error, arguments)
        return USAGE


def _command(arguments: list[str]) -> int:
    color = False if os.environ.get("NO_COLOR") else None
    try:
        code = commands.main(
            arguments, prog_name="calverify", standalone_mode=False, auto_envvar_prefix="CALVERIFY", color=color,
            obj=shlex.join(["calverify", *arguments]),
        )  # fmt: skip
    except (CalverifyError, click.ClickException) as error:
        _say_what_is_wrong(error, arguments)
        return INCOMPLETE if isinstance(error, BudgetError) else USAGE
    except click.Abort:
        return FAILED
    except BrokenPipeError:  # the reader of our output went away, as `| head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    return code if isinstance(code, int) else 0


def _say_what_is_wrong(error: CalverifyError | click.ClickException, arguments: list[str]) -> None:
    """One sentence, and where help is; as JSON where JSON was asked for."""
    name = next((word for word in arguments if word in commands.commands), None)
    hint = f"calverify {name} --help shows an example" if name else "calverify --help lists the commands"
    asked = os.environ.get(f"CALVERIFY_{name}_JSON".upper(), "")
    if "--json" in arguments or asked.lower() in YES:
        emit(error_record(error, hint))
    elif isinstance(error, click.ClickException):
        say_error(error.format_message(), hint)
    else:
        say_error(str(error))
