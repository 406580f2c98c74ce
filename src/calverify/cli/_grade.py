"""`calverify grade`: the choices of a revealed folder, right or wrong by predicate, with intervals."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from calverify.archives import OUTCOMES, check_frozen, read_log, write_atomically
from calverify.cli._archive import keys_option
from calverify.cli._output import OK, emit, json_option, paint, say
from calverify.errors import CalverifyError

if TYPE_CHECKING:
    from calverify.evaluation import Interval, Study

__all__ = ["grade_command", "graded_rows", "show_graded"]


@click.command("grade", short_help="Are the choices right?  With intervals, against calver.")
@click.argument("folder")
@keys_option
@click.option("--draws", type=click.IntRange(1), default=10_000, show_default=True, help="Bootstrap draws.")
@click.option("--seed", type=int, default=0, show_default=True, help="The seed of the bootstrap.")
@json_option
def grade_command(folder: str, keys: str, draws: int, seed: int, json: bool) -> int:
    """Grade the choices of a revealed folder by predicate, and write outcomes.jsonl: one line a pool and selector.

    Accuracies come with intervals that resample source problems, and so do the gains of calver over the others.

    \b
    Example:
      calverify grade revealed --keys keys.jsonl
    """
    from calverify.evaluation import is_revealed, outcomes_bytes, outcomes_of, read_study  # only graded work needs it

    check_frozen(Path(folder))
    if not is_revealed(folder):
        raise CalverifyError(f"{folder} is not revealed; calverify {_next(folder)} comes first")
    study = read_study(folder, keys)
    write_atomically(Path(folder) / OUTCOMES, outcomes_bytes(outcomes_of(study)))
    if json:
        emit(graded_rows(study, draws, seed))
        return OK
    show_graded(study, draws, seed)
    say(f"wrote {Path(folder) / OUTCOMES}")
    return OK


def graded_rows(study: "Study", draws: int, seed: int) -> list[dict[str, Any]]:
    """A record for each selector: how often it is right, and by how much calver is right more often."""
    rows = _rows(study, draws, seed)
    intervals = [{name: row[name] and row[name].to_json() for name in ("accuracy", "gain")} for row in rows]
    return [{**row, **shown} for row, shown in zip(rows, intervals, strict=True)]


def show_graded(study: "Study", draws: int, seed: int) -> None:
    """A line for each selector."""
    rows = _rows(study, draws, seed)
    first_row = rows[0]["accuracy"]
    say(f"{len(study.units):,} units of {first_row.clusters:,} problems, {draws:,} draws by {first_row.key}")
    say(paint(f"{'selector':<20} {'accuracy':<22} gain of calver", bold=True))
    for row in rows:
        gain = "" if row["gain"] is None else _shown(row["gain"], sign=True)
        left = f"  ({row['undetermined']} undetermined)" if row["undetermined"] else ""
        say(f"{row['selector']:<20} {_shown(row['accuracy']):<22} {gain}{left}".rstrip())


def _next(folder: str) -> str:
    """What the folder's log lacks."""
    steps = {step.step for step in read_log(folder)}
    if "seal" not in steps:
        return f"seal {folder} --keys FILE"
    return f"reveal {folder} --keys FILE" if "select" in steps else f"select --archive {folder}"


def _rows(study: "Study", draws: int, seed: int) -> list[dict[str, Any]]:
    from calverify.evaluation import COVERAGE, accuracy, paired_gain

    checked = study.right("calver") if "calver" in study.selectors else None
    rows = []
    for name in (*study.selectors, COVERAGE):
        right = study.right(name)
        gain = None
        if checked is not None and name != "calver":
            gain = paired_gain(checked, right, study.clusters, draws=draws, seed=seed)
        whole = accuracy(right, study.clusters, draws=draws, seed=seed)
        rows.append({"selector": name, "accuracy": whole, "gain": gain, "undetermined": study.undetermined(name)})
    return rows


def _shown(interval: "Interval", *, sign: bool = False) -> str:
    """ "36.7 [30.1, 43.2]", in percent or points."""
    form = "+.1f" if sign else ".1f"
    point, low, high = (format(100 * value, form) for value in (interval.point, interval.low, interval.high))
    return f"{point} [{low}, {high}]"
