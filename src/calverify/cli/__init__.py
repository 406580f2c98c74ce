"""The `calverify` command.

Exit codes: 0 ok, 1 failed or invalid, 2 usage or unusable input, 3 a gate not met, 4 incomplete or undetermined.
Every option can also be set as CALVERIFY_<COMMAND>_<OPTION>.
"""

import os
import sys
from collections.abc import Sequence

import click
from click.shell_completion import get_completion_class

from calverify import __version__
from calverify.cli._demo import demo_command
from calverify.cli._doctor import doctor_command
from calverify.cli._judge import check_command, explain_command, select_command, solve_command, verify_command
from calverify.cli._output import FAILED, USAGE, emit, error_record
from calverify.errors import CalverifyError

__all__ = ["commands", "main"]


@click.group("calverify", context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="calverify")
def commands() -> None:
    """Check sampled answers to causal questions with executable causal criteria; pick one, and say why."""


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion_command(shell: str) -> int:
    """Print the completion script of a shell.

    \b
    calverify completion bash >> ~/.bashrc
    """
    complete = get_completion_class(shell)
    assert complete is not None, shell
    click.echo(complete(commands, {}, "calverify", "_CALVERIFY_COMPLETE").source())
    return 0


for command in (
    check_command,
    solve_command,
    verify_command,
    select_command,
    explain_command,
    demo_command,
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
        code = commands.main(arguments, prog_name="calverify", standalone_mode=False, auto_envvar_prefix="CALVERIFY")
    except (CalverifyError, click.ClickException) as error:
        _report(error, "--json" in arguments)
        return USAGE
    except click.Abort:
        return FAILED
    except BrokenPipeError:  # the reader of our output went away, as `| head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    return code if isinstance(code, int) else 0


def _report(error: Exception, as_json: bool) -> None:
    if as_json:
        emit(error_record(error, "calverify COMMAND --help shows an example"))
    elif isinstance(error, click.ClickException):
        error.show()
    else:
        click.echo(f"{click.style('error:', fg='red', bold=True)} {error}", err=True)
