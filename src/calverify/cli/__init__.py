"""The `calverify` command.

Exit codes: 0 ok, 1 failed or invalid, 2 usage or unusable input, 3 a gate not met, 4 incomplete or undetermined.
Every option can also be set as CALVERIFY_<COMMAND>_<OPTION>, or in a .env file.
"""

import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from calverify import __version__
from calverify.cli._archive import freeze_command, reveal_command, seal_command
from calverify.cli._audit import audit_commands
from calverify.cli._bench import bench_commands
from calverify.cli._demo import demo_command
from calverify.cli._doctor import doctor_command
from calverify.cli._dotenv import environment_of_folder
from calverify.cli._exchange import export_command, import_command
from calverify.cli._grade import grade_command
from calverify.cli._judge import check_command, explain_command, select_command, solve_command, verify_command
from calverify.cli._output import FAILED, INCOMPLETE, USAGE, emit, error_record, say_error
from calverify.cli._recheck import recheck_command
from calverify.cli._report import report_command
from calverify.cli._rescue import rescue_command
from calverify.cli._sample import sample_command
from calverify.cli._score_with import score_with_commands
from calverify.cli._simulate import simulate_command
from calverify.cli._tasks import tasks_command
from calverify.cli._theory import theory_command
from calverify.errors import BudgetError, CalverifyError

__all__ = ["commands", "main"]

YES = ("1", "true", "t", "yes", "y", "on")  # what an environment variable says to set a flag


class InOrder(click.Group):
    """A group that lists its commands in the order in which a newcomer meets them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


@click.group(
    "calverify",
    cls=InOrder,
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
      calverify demo
    """
    if ctx.invoked_subcommand is not None:
        return 0
    click.echo(ctx.get_help(), err=True)
    return USAGE


@click.command("completion", short_help="Print the completion script of a shell.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion_command(shell: str) -> int:
    """Print the completion script of a shell; add it to what that shell reads when it starts.

    \b
    Example:
      calverify completion bash
    """
    complete = get_completion_class(shell)
    assert complete is not None, shell
    click.echo(complete(commands, {}, "calverify", "_CALVERIFY_COMPLETE").source())
    return 0


for command in (
    demo_command,
    tasks_command,
    check_command,
    solve_command,
    verify_command,
    explain_command,
    select_command,
    bench_commands,
    sample_command,
    score_with_commands,
    freeze_command,
    seal_command,
    reveal_command,
    grade_command,
    report_command,
    import_command,
    export_command,
    rescue_command,
    simulate_command,
    theory_command,
    audit_commands,
    recheck_command,
    doctor_command,
    completion_command,
):
    commands.add_command(command)


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
        _report(error, arguments)
        return USAGE


def _command(arguments: list[str]) -> int:
    color = False if os.environ.get("NO_COLOR") else None
    try:
        code = commands.main(
            arguments, prog_name="calverify", standalone_mode=False, auto_envvar_prefix="CALVERIFY", color=color,
            obj=shlex.join(["calverify", *arguments]),
        )  # fmt: skip
    except (CalverifyError, click.ClickException) as error:
        _report(error, arguments)
        return INCOMPLETE if isinstance(error, BudgetError) else USAGE
    except click.Abort:
        return FAILED
    except BrokenPipeError:  # the reader of our output went away, as `| head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    return code if isinstance(code, int) else 0


def _report(error: CalverifyError | click.ClickException, arguments: list[str]) -> None:
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
