"""`calverify bench tell`: graphs told in prose by a model, read back by a model, and kept by how faithful they are."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from calverify.archives import make_folder, read_bytes, read_problems, write_atomically
from calverify.benchmarks import LEVELS, RELAXED, Item, faithfulness, read_reply, reading_prompt, writing_prompt
from calverify.cli._endpoint import asking_options, endpoint_from, endpoint_options
from calverify.cli._output import INCOMPLETE, OK, emit, json_option, say
from calverify.errors import CalverifyError, RecordError
from calverify.keys import read_keys, write_keys
from calverify.names import exact_number, number_json
from calverify.problem import Problem
from calverify.records import json_line, read_fields, read_lines, write_lines

if TYPE_CHECKING:
    from calverify.sampling import Parameters, Source

__all__ = ["Telling", "tell_command"]

JOURNAL = "tellings.jsonl"
WRITE, READ = 0, 1  # the places of the two calls of a problem: no two calls share a seed


@dataclass(frozen=True, slots=True)
class Telling:
    """One text, what a reader made of it, and how faithful that is; None where the reply could not be read."""

    problem: str
    level: str
    writer: str
    reader: str
    text: str
    reply: str
    edge_f1: Fraction | None

    def to_json(self) -> dict[str, Any]:
        measure = None if self.edge_f1 is None else number_json(self.edge_f1)
        return {**{name: getattr(self, name) for name in KINDS}, "edge_f1": measure}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "Telling":
        kinds = {**KINDS, "edge_f1": int | float | str | None}
        read = read_fields("telling", record, kinds, needed=kinds)
        return cls(**{**read, "edge_f1": exact_number(read["edge_f1"])})


SAID = {
    "graphs": "source graphs",
    "told": "told",
    "unreadable": "not read back as a list of edges",
    "strict": "read back exactly",
    "relaxed": f"read back with an F1 of {float(RELAXED)} or more",
    "kept": "kept",
}
KINDS = dict.fromkeys(("problem", "level", "writer", "reader", "text", "reply"), str)


@click.command("tell", short_help="Tell the graphs of a benchmark in prose; keep what reads back.")
@click.argument("folder")
@click.option("--level", type=click.Choice(list(LEVELS)), required=True, help="l2: a mechanism; l3: a story.")
@click.option("--out", metavar="DIR", required=True, help="The folder of the new problems and keys, and of all texts.")
@click.option(
    "--least",
    metavar="F1",
    default=str(float(RELAXED)),
    show_default=True,
    help="Keep a text whose edges read back with this F1 at least; 1 is the paper's strict filter.",
)
@click.option("--reader", metavar="NAME", help="The model that reads back; by default the one that writes.")
@endpoint_options
@asking_options(0.7, None)
@json_option
def tell_command(folder: str, level: str, out: str, least: str, json: bool, **asked: Any) -> int:
    """Write a text for each graph of a built benchmark, read its edges back, and keep the faithful ones.

    FOLDER holds problems.jsonl and keys.jsonl, as bench build wrote them.  The writer sees the graph of the key, the
    reader the text and the names.  Every text is kept in tellings.jsonl, so that the same command goes on after any
    stop, and another --least asks for nothing again.  Each key says its F1, by which the report filters cuts.

    \b
    Example:
      calverify bench tell construction --level l2 --out told -m my-model
    """
    limit = exact_number(least)
    if limit is None or not 0 <= limit <= 1:
        raise click.BadParameter(f"--least must be a number from 0 to 1, not {least}")
    items, target = _items(Path(folder)), Path(out)
    make_folder(target)
    sources = endpoint_from(asked), endpoint_from({**asked, "model": asked["reader"] or asked["model"]})
    told = _read_journal(target / JOURNAL, level, sources)
    missing = [item for item in items if item.problem.id not in told]
    failed = asyncio.run(_tell(missing, level, sources, asked, target / JOURNAL, told)) if missing else {}
    kept = [_item(item, told[item.problem.id]) for item in items if _faithful(told.get(item.problem.id), limit)]
    write_atomically(target / "problems.jsonl", write_lines([one.problem.to_json() for one in kept], "problems.jsonl"))
    write_keys(target / "keys.jsonl", [one.key for one in kept])
    _report(items, told, kept, failed, json)
    return INCOMPLETE if failed else OK


# ---------------------------------------------------------------- what there is


def _items(folder: Path) -> list[Item]:
    """The problems whose keys hold a graph, one telling of each source graph."""
    problems = read_problems(read_bytes(folder / "problems.jsonl"), str(folder / "problems.jsonl"))
    keys = read_keys(folder / "keys.jsonl")
    items, seen = [], set()
    for ident, problem in problems.items():
        key = keys.get(ident)
        if key is None or key.graph is None or problem.graph is not None:
            raise CalverifyError(
                f"{folder}: problem {ident!r} has no source graph in the keys; expected what bench build prose writes"
            )
        if key.cluster not in seen:
            seen.add(key.cluster)
            items.append(Item(problem, key))
    return items


def _read_journal(path: Path, level: str, sources: Sequence["Source"]) -> dict[str, Telling]:
    """What was told before, by the same models; a torn last line is told again."""
    if not path.exists():
        return {}
    data = path.read_bytes()
    data = data[: data.rfind(b"\n") + 1]
    path.write_bytes(data)
    told = {}
    for place, record in read_lines(data, path.name):
        telling = Telling.from_json(record)
        if (telling.level, telling.writer, telling.reader) != (level, *(source.name for source in sources)):
            who = f"told at {telling.level} by {telling.writer} and read by {telling.reader}"
            raise RecordError(f"{place}: {who}, which is another job; expected another folder")
        told[telling.problem] = telling
    return told


def _faithful(telling: Telling | None, least: Fraction) -> bool:
    return telling is not None and telling.edge_f1 is not None and telling.edge_f1 >= least


def _item(item: Item, telling: Telling) -> Item:
    """The same question about the new text."""
    ident = f"{item.key.cluster}-{telling.level}"
    strata = {**item.key.strata, "level": telling.level, "edge_f1": str(telling.to_json()["edge_f1"])}
    problem = replace(item.problem, id=ident, text=telling.text)
    return Item(problem, replace(item.key, problem=ident, strata=strata))


# ---------------------------------------------------------------- what is asked


async def _tell(
    items: Sequence[Item],
    level: str,
    sources: tuple["Source", "Source"],
    asked: Mapping[str, Any],
    journal: Path,
    told: dict[str, Telling],
) -> dict[str, str]:
    """Tell what is missing, a line of the journal each; problem -> why, where a request was given up."""
    from calverify.sampling import GaveUp, Pace, Parameters, Retries

    wanted = {name: asked[name] for name in ("temperature", "top_p", "max_tokens", "stop", "system")}
    writing, reading = Parameters(**wanted), Parameters(**{**wanted, "temperature": 0.0, "top_p": None, "stop": ()})
    pace, retries = Pace(asked["max_concurrency"]), Retries(tries=asked["tries"])
    failed: dict[str, str] = {}

    async def one(item: Item) -> None:
        graph = item.key.graph
        assert graph is not None
        try:
            prompt = writing_prompt(level, graph)
            text = await _ask(sources[0], (item.problem, WRITE, prompt), writing, (retries, pace))
            prompt = reading_prompt(text, graph.nodes)
            reply = await _ask(sources[1], (item.problem, READ, prompt), reading, (retries, pace))
        except GaveUp as why:
            failed[item.problem.id] = str(why)
            return
        edges = read_reply(reply, graph.nodes)
        measure = None if edges is None else faithfulness(edges, graph)
        telling = Telling(item.problem.id, level, sources[0].name, sources[1].name, text, reply, measure)
        told[item.problem.id] = telling
        with journal.open("ab") as file:
            file.write(json_line(telling.to_json()))

    try:
        await asyncio.gather(*(one(item) for item in items))
    finally:
        for source in sources:
            await source.close()
    return failed


async def _ask(
    source: "Source", about: tuple[Problem, int, str], parameters: "Parameters", how: tuple[Any, Any]
) -> str:
    from calverify.sampling import Request, persist

    problem, place, prompt = about
    system = (("system", parameters.system),) if parameters.system else ()
    request = Request(problem, 0, place, (*system, ("user", prompt)), parameters)
    reply = await persist(partial(source.complete, request, 1), *how, f"{problem.id} {place}")
    return reply.completions[0].text.strip()


def _report(
    items: Sequence[Item], told: Mapping[str, Telling], kept: Sequence[Item], failed: Mapping[str, str], json: bool
) -> None:
    measures = [told[item.problem.id].edge_f1 for item in items if item.problem.id in told]
    counts = {
        "graphs": len(items),
        "told": len(measures),
        "unreadable": measures.count(None),
        "strict": sum(measure == 1 for measure in measures),
        "relaxed": sum(measure is not None and measure >= RELAXED for measure in measures),
        "kept": len(kept),
        "given_up": len(failed),
    }
    if json:
        emit(counts)
        return
    for name, what in SAID.items():
        say(f"{counts[name]:>5}  {what}")
    for ident, why in list(failed.items())[:5]:
        say(f"given up: {ident}: {why}", err=True)
    if failed:
        say(f"{len(failed)} graphs are not told; the same command goes on", err=True)
