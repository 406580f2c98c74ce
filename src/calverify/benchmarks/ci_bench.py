"""Wang et al. (2024), from their own files: find a set to adjust for, graded by the strict criterion.

Rule 1: the published files are pickles.  They are read as data by a reader that can call nothing; nothing is unpickled.
Rule 2: a query is a problem when it has one treatment and one outcome, which a non-causal path joins.  The others are
counted by reason.
Rule 3: no answer is published; the released grader, which accepts sets with descendants of the treatment and refuses
valid ones, has no part in this.
"""

from collections import Counter
from collections.abc import Iterator
from random import Random
from types import MappingProxyType
from typing import Any

from calverify.benchmarks._data import DataFolder, field
from calverify.benchmarks._item import Corpus, Item, Origin, Subset, adapter
from calverify.benchmarks._pickles import read_pickles
from calverify.benchmarks.adjustment import joined_non_causally
from calverify.errors import RecordError
from calverify.graphs import Graph
from calverify.keys import Key
from calverify.names import brief
from calverify.problem import Problem, Query
from calverify.records import located
from calverify.scoring import checker_for

__all__ = ["corpus"]

FOLDER = "ci_bench"
GRAPHS, NAMES, QUERIES = "graph_data_", "node_name_data_", "conf_query_data_"
MOST_NODES = 64

ORIGIN = Origin(
    folder=FOLDER,
    size="four files of pickles a group of graphs; the released archive is absent from public copies",
    licence="none stated",
    home="https://github.com/prayingsociety/CI_Bench (generated_data/pickle/pickle.zip)",
)


@adapter(
    "ci_bench",
    "sets to adjust for, in the graphs that Wang et al. (2024) drew; their files are read, never unpickled",
    ORIGIN,
    {"six": Subset("six nodes, treatment and outcome far apart: the paper's split", {"nodes": "6", "distance": "100"})},
)
def corpus(data: DataFolder, rng: Random) -> Corpus:
    """Every confounded query of every group of the folder, names as published."""
    dropped: Counter[tuple[str, str]] = Counter()
    items: list[Item] = []
    for file in data.names(FOLDER, ".pkl"):
        if file.startswith(f"{FOLDER}/{QUERIES}"):
            items += _group(data, file.removeprefix(f"{FOLDER}/{QUERIES}"), dropped)
    return Corpus(tuple(items), MappingProxyType(dict(sorted(dropped.items()))))


def _records(data: DataFolder, kind: str, group: str) -> Iterator[tuple[str, dict[str, Any]]]:
    name = f"{FOLDER}/{kind}{group}"
    for place, record in read_pickles(data.raw(name), name):
        if not isinstance(record, dict):
            raise RecordError(f"{place}: expected an object, not {brief(record)}")
        yield place, record


def _group(data: DataFolder, group: str, dropped: Counter[tuple[str, str]]) -> Iterator[Item]:
    matrices = {field(one, "gid", str, place): _edges(one, place) for place, one in _records(data, GRAPHS, group)}
    names = {field(one, "gid", str, place): _words(one, place) for place, one in _records(data, NAMES, group)}
    for place, record in _records(data, QUERIES, group):
        ident = field(record, "conf_id", str, place)
        gid, distance = ident[:-3], ident[-3:]
        if gid not in matrices or gid not in names:
            raise RecordError(f"{place}: the query {brief(ident)} is about a graph {gid} that the folder lacks")
        count, edges = matrices[gid]
        if len(names[gid]) != count:
            raise RecordError(f"{place}: the graph {gid} has {count} nodes and {len(names[gid])} names")
        ends = [_place(record, part, count, place) for part in ("c_list", "e_list")]
        if any(len(end) != 1 for end in ends):
            dropped[f"{count} nodes", "several treatments or outcomes at once"] += 1
        elif not joined_non_causally(edges, ends[0][0], ends[1][0]):
            dropped[f"{count} nodes", "no non-causal path joins treatment and outcome"] += 1
        else:
            with located(place):
                graph = Graph(names[gid], sorted((names[gid][tail], names[gid][head]) for tail, head in edges))
                query = Query("backdoor", tuple(names[gid][end[0]] for end in ends))
                problem = Problem(f"ci_bench-{ident}", query, graph)
                checker_for(problem)
            strata = {"slice": f"{count} nodes", "nodes": str(count), "distance": distance}
            yield Item(problem, Key(problem.id, cluster=f"ci_bench-{gid}", strata=strata))


def _edges(record: dict[str, Any], place: str) -> tuple[int, frozenset[tuple[int, int]]]:
    """How many nodes, and the pairs that the matrix joins."""
    rows = field(record, "mat", list, place)
    square = 0 < len(rows) <= MOST_NODES and all(isinstance(row, list) and len(row) == len(rows) for row in rows)
    if not square or any(cell not in (0, 1) for row in rows for cell in row):
        raise RecordError(f"{place}: 'mat' must be a square table of 0 and 1, not {brief(rows)}")
    pairs = ((tail, head) for tail, row in enumerate(rows) for head, cell in enumerate(row) if cell)
    return len(rows), frozenset(pairs)


def _words(record: dict[str, Any], place: str) -> list[str]:
    words: list[str] = field(record, "specific", list, place)
    if not all(isinstance(word, str) for word in words):
        raise RecordError(f"{place}: 'specific' must be a list of names, not {brief(words)}")
    return words


def _place(record: dict[str, Any], part: str, count: int, place: str) -> list[int]:
    nodes: list[int] = field(record, part, list, place)
    if not all(isinstance(node, int) and 0 <= node < count for node in nodes):
        raise RecordError(f"{place}: {part!r} must be places of the {count} nodes, not {brief(nodes)}")
    return nodes
