"""What commands are asked about: the options that make a problem, and the files that traces come from."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from calverify.errors import CalverifyError, RecordError
from calverify.graphs import Graph
from calverify.pools import Pool
from calverify.problem import Problem, Query
from calverify.tasks import TASKS

__all__ = ["problem_from", "problem_options", "query_options", "read_file", "texts_from"]

Command = TypeVar("Command", bound=Callable[..., Any])


def split_names(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[str, ...]:
    """Names with commas between them: "X,Y" or, where a name holds a comma, a JSON list."""
    if not (value or "").strip():
        return ()
    assert value is not None
    if not value.lstrip().startswith("["):
        return tuple(name.strip() for name in value.split(","))
    try:
        return tuple(json.loads(value))
    except ValueError as error:
        raise click.BadParameter(f"not a JSON list: {error}") from None


def task_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    return [name for name in TASKS if name.startswith(incomplete)]


QUERY = (
    click.option("--graph", metavar="EDGES", help='The graph: "U->X, U->Y, X->M->Y, A<->B".'),
    click.option("--graph-file", metavar="FILE", help="The graph from a file (- for standard input)."),
    click.option("--format", "graph_format", metavar="NAME", help="Its format; by default its suffix tells."),
    click.option("--task", metavar="NAME", shell_complete=task_names, help=f"One of: {', '.join(TASKS)}."),
    click.option("--targets", metavar="NAMES", callback=split_names, help="The names asked about: X,Y."),
    click.option("--path", metavar="PATH", help='The named path of blocked_path: "F->P<-T".'),
    click.option("--says", metavar="WHO: WHAT", multiple=True, help='What a speaker says: "Ann: knave(Bob)".'),
)
PROBLEM = click.option("--problem", "problem_file", metavar="FILE", help="The problem as a JSON record.")


def query_options(command: Command) -> Command:
    """The options that state a graph and a query."""
    for option in reversed(QUERY):
        command = option(command)
    return command


def problem_options(command: Command) -> Command:
    """The same, or a problem record in a file."""
    return PROBLEM(query_options(command))


def read_file(name: str) -> str:
    """The text of a file, "-" being standard input; what cannot be read is refused by name."""
    try:
        return sys.stdin.read() if name == "-" else Path(name).read_text("utf-8")
    except OSError as error:
        raise CalverifyError(f"cannot read {name}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise CalverifyError(f"cannot read {name}: not UTF-8 at byte {error.start}") from None


def read_record(name: str, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{name} is not JSON: {error}") from None


def _graph(asked: dict[str, Any]) -> Graph | None:
    text, file = asked["graph"], asked["graph_file"]
    if text is not None and file is not None:
        raise click.UsageError("--graph and --graph-file both state the graph; use one.")
    if text is not None:
        return Graph.parse(text)
    if file is None:
        return None
    from calverify.formats import format_of, read_graph  # ten modules that only files need

    return read_graph(read_file(file), asked["graph_format"] or format_of(file))


def _statement(said: str) -> tuple[str, str]:
    speaker, colon, formula = said.partition(":")
    if not colon:
        raise click.UsageError(f'--says takes "WHO: WHAT", such as "Ann: knave(Bob)", not {said!r}.')
    return speaker, formula


def problem_from(asked: dict[str, Any]) -> Problem:
    """The problem that the options state."""
    if asked.get("problem_file"):
        if asked["task"] or asked["graph"] or asked["graph_file"]:
            raise click.UsageError("--problem states graph and query already; leave the other options out.")
        name = asked["problem_file"]
        return Problem.from_json(read_record(name, read_file(name)))
    if not asked["task"]:
        other = " or --problem FILE" if "problem_file" in asked else ""
        raise click.UsageError(f"Name the question: --task NAME{other}. Tasks: {', '.join(TASKS)}.")
    says = tuple(_statement(said) for said in asked["says"])
    targets = asked["targets"] or tuple(dict.fromkeys(speaker.strip() for speaker, _ in says))
    query = Query(asked["task"], targets, path=asked["path"], formula=says)
    return Problem("command line", query, _graph(asked))


def texts_from(files: tuple[str, ...], pool_file: str | None, problem: Problem) -> list[str]:
    """The candidate texts: one file each, or the candidates of a pool record."""
    if pool_file is None:
        return [read_file(name) for name in files or ("-",)]
    if files:
        raise click.UsageError("Give the candidates as files or as --pool, not both.")
    pool = Pool.from_json(read_record(pool_file, read_file(pool_file)))
    if pool.problem != problem.id and problem.id != "command line":
        raise RecordError(f"{pool_file} is a pool of problem {pool.problem!r}, not of {problem.id!r}")
    return [candidate.text for candidate in pool.candidates]
