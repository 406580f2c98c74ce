"""`calverify audit`: tests that a reader can run against what is on the disk."""

import click

from calverify.archives import FORBIDDEN, plant, read_archive, read_log, sample_archive
from calverify.cli._archive import say_log
from calverify.cli._audit_keys import keys_command
from calverify.cli._output import GATE, OK, emit, json_option, mark, paint, say
from calverify.errors import CalverifyError

__all__ = ["audit_commands"]


@click.group("audit", short_help="Attack the firewall, and see it hold; recompute published keys.")
def audit_commands() -> None:
    """Attack what keeps results honest, and see it hold; and tell which published keys are wrong.

    \b
    Example:
      calverify audit leak
    """


@audit_commands.command("leak", short_help="Plant reference answers everywhere; each must be refused.")
@click.option(
    "--archive", metavar="DIR", help="Plant them in a copy of this folder's first records; nothing is written."
)
@click.option("--field", metavar="NAME", multiple=True, help="Plant a field of this name, in place of the usual ones.")
@json_option
def leak_command(archive: str | None, field: tuple[str, ...], json: bool) -> int:
    """Plant fields in which a reference answer could live at every level of every record that a selector can see.

    Exit code 3 when one of them gets in.  With --archive, the log of the folder is printed too.

    \b
    Example:
      calverify audit leak --archive frozen
    """
    whole = sample_archive() if archive is None else read_archive(archive)
    if not whole.pools:
        raise CalverifyError(f"{archive} holds no pool to plant a field in")
    found = list(plant(whole, field or FORBIDDEN))
    passed = [planting for planting in found if planting.refused_by is None]
    steps = [] if archive is None else read_log(archive)
    if json:
        emit({"plantings": [planting.to_json() for planting in found], "log": [step.to_json() for step in steps]})
        return GATE if passed else OK
    names = max(len("field"), *(len(planting.field) for planting in found))
    places = max(len("place"), *(len(planting.place) for planting in found))
    say(paint(f"{'field':<{names}}  {'place':<{places}}  refused by", bold=True))
    for planting in found:
        by = [mark(False), ": it got in"] if planting.refused_by is None else [planting.refused_by]
        say(f"{planting.field:<{names}}  {planting.place:<{places}}  ", *by)
    say(f"{len(found) - len(passed):,} of {len(found):,} refused")
    say_log(steps)
    if archive is not None and not steps:
        say(f"{archive} has no log: it was never sealed, so nothing proves that choosing was blind")
    return GATE if passed else OK


audit_commands.add_command(keys_command)
