"""What commands are asked about: the options that make a problem, and the files that traces come from."""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from calverify.cli._tasks import EVERY_FORM, forms_of
from calverify.errors import CalverifyError, RecordError
from calverify.graphs import Graph
from calverify.pools import Candidate, Pool
from calverify.problem import Problem, Query, Target
from calverify.records import located, read_strict_json
from calverify.tasks import FORMS, TASKS

__all__ = ["Option", "pool_from", "problem_from", "problem_options", "query_options", "read_file"]

Command = TypeVar("Command", bound=Callable[..., Any])

OUTER_COMMA = re.compile(r",(?![^{}]*+\})")  # one that does not stand in a set
UNNAMED = "(command line)"  # the id of a problem that options state


class Option(click.ParamType):  # type: ignore[type-arg]  # generic in newer versions of click only
    """A text; in an environment variable, options have semicolons between them."""

    name = "text"
    envvar_list_splitter = ";"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return str(value).strip()


class Statement(click.ParamType):  # type: ignore[type-arg]  # generic in newer versions of click only
    """WHO: WHAT, as a pair; in an environment variable, statements have semicolons between them."""

    name = "statement"
    envvar_list_splitter = ";"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, str]:
        speaker, colon, formula = value.partition(":")
        if not colon:
            self.fail(f'{value!r} is not of the form "WHO: WHAT", such as "Ann: knave(Bob)".', param, ctx)
        return speaker.strip(), formula.strip()


def split_names(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[Target, ...]:
    """Names with commas between them: "X,Y", with a set "{X, Z},Y" or, where a name holds a comma, a JSON list."""
    if not (value or "").strip():
        return ()
    assert value is not None
    if not value.lstrip().startswith("["):
        pieces = [piece.strip() for piece in OUTER_COMMA.split(value)]
        return tuple(_set_of(piece) if piece.startswith("{") else piece for piece in pieces)
    try:
        return tuple(json.loads(value))
    except (ValueError, RecursionError) as error:
        raise click.BadParameter(f"{value!r} is not a JSON list: {error}") from None


def _set_of(piece: str) -> Target:
    return tuple(name.strip() for name in piece[1:-1].split(",")) if piece.endswith("}") else piece


def task_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    return [name for name in TASKS if name.startswith(incomplete)]


def form_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The forms of the task that is named already, else all."""
    task = str(ctx.params.get("task"))
    forms = forms_of(TASKS[task]) if task in TASKS else EVERY_FORM
    return [form for form in forms if form.startswith(incomplete)]


QUERY = (
    click.option("--graph", metavar="EDGES", help='The graph: "U->X, U->Y, X->M->Y, A<->B" or "A--B".'),
    click.option("--graph-file", metavar="FILE", help="The graph from a file (- for standard input)."),
    click.option("--format", metavar="NAME", help="The format of that file; by default its suffix tells."),
    click.option(
        "--project-latents", is_flag=True, help="Put bidirected edges in the place of that file's hidden nodes."
    ),
    click.option(
        "--task",
        metavar="NAME",
        shell_complete=task_names,
        help='What is asked: "backdoor"; calverify tasks lists all.',
    ),
    click.option("--targets", metavar="NAMES", callback=split_names, help="The names asked about: X,Y."),
    click.option("--given", metavar="NAMES", callback=split_names, help="The names that are conditioned on: W,V."),
    click.option(
        "--form",
        metavar="NAME",
        shell_complete=form_names,
        help=f"How it is asked: find_one, unless you say {', '.join(FORMS)}.",
    ),
    click.option("--claim", metavar="OBJECT", help='What a yes_no question asks about: "{U, P}".  Implies that form.'),
    click.option(
        "--option",
        metavar="OBJECT",
        multiple=True,
        type=Option(),
        help='One option of a choice, in order: "{U}".  Implies that form.',
    ),
    click.option("--path", metavar="PATH", help='The named path of blocked_path: "F->P<-T".'),
    click.option(
        "--says", metavar="WHO: WHAT", multiple=True, type=Statement(), help='For knights: "Ann: knave(Bob)".'
    ),
)
PROBLEM = click.option("--problem", metavar="FILE", help="The problem as a JSON record, in place of the options below.")


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
    file = "standard input" if name == "-" else name
    try:
        data = _standard_input() if name == "-" else Path(name).read_bytes()
        return data.decode("utf-8-sig")
    except OSError as error:
        raise CalverifyError(f"cannot read {file}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise CalverifyError(f"cannot read {file}: not UTF-8 at byte {error.start}") from None
    except ValueError as error:  # a name with a null character in it
        raise CalverifyError(f"cannot read {file!r}: {error}") from None


def _standard_input() -> bytes:
    if sys.stdin.isatty():
        click.echo("reading standard input; Ctrl-D ends it", err=True)
    return sys.stdin.buffer.read()


def read_record(file: str) -> Any:
    text = read_file(file)
    try:
        return read_strict_json(text)
    except RecordError as error:
        lines = [line for line in text.split("\n") if line.strip()]
        if len(lines) > 1 and all(line.startswith("{") and line.rstrip().endswith("}") for line in lines):
            why = f"holds {len(lines):,} records, one a line; one is wanted here: put it into a file of its own"
            raise RecordError(f"{file} {why}") from None
        raise RecordError(f"{file} is {error}") from None


def _graph(asked: dict[str, Any]) -> Graph | None:
    text, file, format = asked["graph"], asked["graph_file"], asked["format"]
    if text is not None and file is not None:
        raise click.UsageError("--graph and --graph-file both state the graph; use one.")
    if file is None:
        if format is not None or asked["project_latents"]:
            raise click.UsageError("--format and --project-latents say how to read --graph-file, which is not there.")
        return None if text is None else Graph.parse(text)
    from calverify.formats import FORMATS, format_of, read_graph  # ten modules that only files need

    if file == "-" and format is None:
        raise click.UsageError(f"Standard input has no suffix: name its --format, one of {', '.join(FORMATS)}.")
    chosen = format or format_of(file)
    content = read_file(file)
    with located(file):
        return read_graph(content, chosen, project_latents=asked["project_latents"])


def problem_from(asked: dict[str, Any]) -> Problem:
    """The problem that the options state."""
    file = asked.get("problem")
    if file:
        if extra := [name for name, value in asked.items() if value and name != "problem"]:
            raise click.UsageError(
                f"--problem states graph and query already; leave out --{extra[0].replace('_', '-')}."
            )
        record = read_record(file)
        with located(file):
            return Problem.from_json(record)
    if not asked["task"]:
        other = " or --problem FILE" if "problem" in asked else ""
        raise click.UsageError(f"Name the question: --task NAME{other}. Tasks: {', '.join(sorted(TASKS))}.")
    says = asked["says"]
    targets = asked["targets"] or tuple(dict.fromkeys(speaker for speaker, _ in says))
    parts = {name: asked[name] for name in ("path", "given", "claim")}
    query = Query(asked["task"], targets, formula=says, options=asked["option"], form=_form(asked), **parts)
    return Problem(UNNAMED, query, _graph(asked))


def _form(asked: dict[str, Any]) -> str:
    """The form that is named, or that a claim or options imply; refused where they belong to another."""
    implied = "yes_no" if asked["claim"] is not None else "choice" if asked["option"] else "find_one"
    form = asked["form"] or implied
    for name, owners in (("claim", ("yes_no",)), ("option", ("choice", "choice_not"))):
        if asked[name] and form not in owners:
            raise click.UsageError(f"--{name} belongs to --form {' or '.join(owners)}, not to {form}.")
    return str(form)


def pool_from(files: tuple[str, ...], pool_file: str | None, problem: Problem) -> Pool:
    """The candidates: one file each, or those of a pool record."""
    if pool_file is None:
        texts = [read_file(name) for name in files or ("-",)]
        return Pool(problem.id, 0, tuple(Candidate(index, text) for index, text in enumerate(texts)))
    if files:
        raise click.UsageError("Give the candidates as files or as --pool, not both.")
    record = read_record(pool_file)
    with located(pool_file):
        pool = Pool.from_json(record)
    if pool.problem != problem.id and problem.id != UNNAMED:
        raise RecordError(f"{pool_file} is a pool of problem {pool.problem!r}, not of {problem.id!r}")
    return Pool(problem.id, pool.seed, pool.candidates)
