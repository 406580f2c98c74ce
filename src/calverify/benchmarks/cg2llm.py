"""CausalGraph2LLM: mediators and interventions in published networks, each shown in six encodings (Sheth et al. 2025).

Its repository holds no questions and no labels, so they are made here from the networks by what its code says.

Rule 1: M mediates between X and Y when X -> M and M -> Y are edges ("mediator").  A "no" is a parent and a child of
another node with parents and children.  The paper reads mediation as X ~> M ~> Y ("reachable"), which is another
question: on some labels of the first kind the two differ, and the audit notes them.
Rule 2: an intervention is on the node of most edges.  X reaches Y once the edges into it are cut, or not; X stands
before Y in the network's file.
Rule 3: of each kind twenty a word and network, as far as there are so many, drawn by the seed; the words are mixed.
Rule 4: the graph is told in the text only, so a trace states its own; the key holds the network.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations, product
from random import Random

from calverify.benchmarks._data import DataFolder, field
from calverify.benchmarks._encodings import ENCODINGS
from calverify.benchmarks._item import Corpus, Finding, Item, Origin, Subset, adapter, audits
from calverify.benchmarks._networks import ORIGIN as NETWORKS_ORIGIN
from calverify.benchmarks._networks import networks
from calverify.errors import RecordError
from calverify.graphs import Graph
from calverify.keys import Key
from calverify.problem import Problem, Query
from calverify.records import located
from calverify.scoring import case_of, judged

__all__ = ["corpus", "findings"]

PER_WORD = 20
MOST_TRIED = 20_000
LABELS = "causalgraph2llm/labels_derived.jsonl"
ORIGIN = Origin(
    folder="bnlearn",
    size="made from the 12 networks of bnlearn; the repository holds code only",
    licence="that of the networks; the repository states none",
    home="https://github.com/ivaxi0s/CausalGraph2LLM",
    files=NETWORKS_ORIGIN.files,
)
KINDS = ("mediator", "reachable", "intervention")
SUBSETS = {
    "mediator": Subset("is M a direct mediator? by single edges, as the code labels it", {"slice": "mediator"}),
    "reachable": Subset("is M a mediator? by directed paths, as the paper has it", {"slice": "reachable"}),
    "intervention": Subset("does X still reach Y after an intervention?", {"slice": "intervention"}),
    **{name: Subset(f"the graph told in {name}", {"encoding": name}) for name in ENCODINGS},
}

Triple = tuple[str, str, str]
Asked = tuple[Query, str]  # and the word that is right


@adapter("cg2llm", "mediators and interventions in 12 networks, told in six encodings", ORIGIN, SUBSETS)
def corpus(data: DataFolder, rng: Random) -> Corpus:
    """Every question in every encoding."""
    return Corpus(tuple(item for name, graph in networks(data).items() for item in _items(name, graph, rng)))


def _items(name: str, graph: Graph, rng: Random) -> Iterator[Item]:
    told = {encoding: f"A causal graph, in {encoding}:\n{spell(graph)}" for encoding, spell in ENCODINGS.items()}
    for kind in KINDS:
        for number, (query, word) in enumerate(_drawn(DRAWS[kind](graph, rng), rng)):
            cluster = f"cg2llm-{name}-{kind}-{number:02}"
            for encoding, text in told.items():
                ident = f"{cluster}-{encoding}"
                problem = Problem(ident, query, text=text, legend=graph.nodes, graph_class="dag")
                strata = {"slice": kind, "network": name, "encoding": encoding}
                yield Item(problem, Key(ident, graph=graph, published=word, cluster=cluster, strata=strata))


def _drawn(asked: Mapping[str, list[Query]], rng: Random) -> list[Asked]:
    """Twenty of each word, or all there are, mixed."""
    drawn = [(query, word) for word, every in asked.items() for query in rng.sample(every, min(PER_WORD, len(every)))]
    rng.shuffle(drawn)
    return drawn


# ---------------------------------------------------------------- what is asked


def direct_mediators(graph: Graph) -> Iterator[Triple]:
    """Source, mediator and outcome, joined by two edges."""
    for middle in graph.nodes:
        yield from _around(graph, middle)


def _around(graph: Graph, middle: str) -> Iterator[Triple]:
    parents, children = (sorted(found) for found in (graph.parents({middle}), graph.children({middle})))
    return ((source, middle, outcome) for source, outcome in product(parents, children))


def no_direct_mediators(graph: Graph) -> list[Triple]:
    """A node between, with a parent and a child of another such node that are not its own; each once."""
    yes = set(direct_mediators(graph))
    between = [node for node in graph.nodes if graph.parents({node}) and graph.children({node})]
    found = {
        (source, middle, outcome): None
        for middle in between
        for other in between
        if other != middle
        for source, _, outcome in _around(graph, other)
        if middle not in (source, outcome) and (source, middle, outcome) not in yes
    }
    return list(found)


def busiest(graph: Graph) -> str:
    """The node of most edges; the first of several."""
    ends = [end for edge in graph.directed for end in edge]
    return max(graph.nodes, key=ends.count)


def _mediators(graph: Graph, rng: Random) -> dict[str, list[Query]]:
    words = {"yes": list(direct_mediators(graph)), "no": no_direct_mediators(graph)}
    return {word: [Query("direct_mediator", triple) for triple in triples] for word, triples in words.items()}


def _reachable(graph: Graph, rng: Random) -> dict[str, list[Query]]:
    """Triples drawn at random in which the source reaches the outcome, by way of the middle or not.

    A "no" is a near miss: the source reaches the middle, or the middle the outcome.
    """
    below = {node: graph.strict_descendants({node}) for node in graph.nodes}
    found: dict[str, dict[Triple, None]] = {"yes": {}, "no": {}}
    for _ in range(MOST_TRIED):
        source, middle, outcome = rng.sample(graph.nodes, 3)
        halves = (middle in below[source]) + (outcome in below[middle])
        if outcome in below[source] and halves:
            found["yes" if halves == 2 else "no"][source, middle, outcome] = None
        if min(map(len, found.values())) == PER_WORD:
            break
    return {word: [Query("mediator", triple) for triple in triples] for word, triples in found.items()}


def _interventions(graph: Graph, rng: Random) -> dict[str, list[Query]]:
    cut = busiest(graph)
    mutilated = graph.without_edges_into({cut})
    below = {node: mutilated.descendants({node}) for node in graph.nodes}
    found: dict[str, list[Query]] = {"yes": [], "no": []}
    for source, outcome in combinations(graph.nodes, 2):
        query = Query("intervention", (cut, source, outcome))
        found["yes" if outcome in below[source] else "no"].append(query)
    return found


DRAWS: Mapping[str, Callable[[Graph, Random], dict[str, list[Query]]]] = {
    "mediator": _mediators,
    "reachable": _reachable,
    "intervention": _interventions,
}


# ---------------------------------------------------------------- the audit


@audits("cg2llm")
def findings(data: DataFolder, rng: Random) -> Iterator[Finding]:
    """The labels of a file derived from the networks by the repository's definitions, where the folder holds one."""
    graphs = networks(data)
    for number, (place, record) in enumerate(data.lines(LABELS) if data.has(LABELS) else ()):
        with located(place):
            name, task, label = (str(field(record, name, str, "this record")) for name in ("graph", "task", "label"))
            if name not in graphs:
                raise RecordError(f"the network {name!r} is not in the folder; there are {', '.join(graphs)}")
            yield _labelled(f"{name}-{number:03}", graphs[name], _query(task, record), label)


def _query(task: str, record: Mapping[str, object]) -> Query:
    roles = {"mediator": ("source", "candidate", "target"), "intervention": ("do", "source", "target")}
    if task not in roles:
        raise RecordError(f"the task {task!r} is none of {', '.join(roles)}")
    names = tuple(str(field(record, role, str, "this record")) for role in roles[task])
    return Query("direct_mediator" if task == "mediator" else task, names)


def _labelled(ident: str, graph: Graph, query: Query, label: str) -> Finding:
    """A right label of a mediator is noted where directed paths would make it the other word."""
    other = {"Yes": "No", "No": "Yes"}.get(label)
    said, part = judged(case_of(graph, query), label), "mediator" if query.task == "direct_mediator" else query.task
    if not said.valid:
        return Finding(ident, part, label, other, said.valid, said.why, said.witness)
    by_paths = judged(case_of(graph, replace(query, task="mediator")), label) if part == "mediator" else said
    if by_paths.valid:
        return Finding(ident, part, label, label, True)
    why = f"by directed paths it would be {other}: {by_paths.why}"
    return Finding(ident, "mediator, told apart by directed paths", label, label, True, why, by_paths.witness)
