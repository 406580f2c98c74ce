"""The command that prints what a shell needs to complete the others."""

import click
from click.shell_completion import get_completion_class

__all__ = ["completion_command"]


@click.command("completion", short_help="Print the completion script of a shell.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion_command(shell: str) -> int:
    """Print the completion script of a shell; add it to what that shell reads when it starts.

    \b
    Example:
      calverify completion bash
    """
    from calverify.cli import commands  # the room's door, which imports this module when the command is asked for

    complete = get_completion_class(shell)
    assert complete is not None, shell
    click.echo(complete(commands, {}, "calverify", "_CALVERIFY_COMPLETE").source())
    return 0
