"""Published networks told in words: build the graph from the text and find a set to adjust for (132 problems).

Rule 1: the problems are the confounded pairs of `bnlearn` whose nodes are at most 10, at most 20 of a network.  That
gives the paper's 132 over nine networks; which 20 the paper kept of the two that have more is not known.
Rule 2: level 1 names every edge.  A text is kept when it can be read back to exactly the source graph.
Rule 3: levels 2 and 3 are written from these by `calverify bench tell`, through any endpoint, and kept by the same
measure: all of it (F1 = 1), or at least 0.8.
"""

from collections import Counter
from collections.abc import Iterator
from random import Random
from types import MappingProxyType

from calverify.benchmarks._data import DataFolder
from calverify.benchmarks._item import Corpus, Item, adapter
from calverify.benchmarks._networks import ORIGIN, networks
from calverify.benchmarks._round_trip import STRICT, faithfulness, stated_edges
from calverify.benchmarks._telling import edge_stated
from calverify.benchmarks.bnlearn import PRINTED, confounded_pairs
from calverify.graphs import Graph
from calverify.keys import Key
from calverify.problem import Problem, Query

__all__ = ["MOST_NODES", "PER_NETWORK", "corpus"]

MOST_NODES = 10
PER_NETWORK = 20


@adapter("prose", "132 confounded pairs in published networks, told in words: build the graph, find a set", ORIGIN)
def corpus(data: DataFolder, rng: Random) -> Corpus:
    """The pairs at level 1, network by network."""
    found, dropped = networks(data), Counter[tuple[str, str]]()
    items = tuple(item for name in PRINTED if name in found for item in _items(name, found[name], dropped, rng))
    return Corpus(items, MappingProxyType(dict(dropped)))


def _items(name: str, network: Graph, dropped: Counter[tuple[str, str]], rng: Random) -> Iterator[Item]:
    pairs = list(confounded_pairs(network, MOST_NODES))
    if len(pairs) > PER_NETWORK:
        dropped[name, f"beyond {PER_NETWORK} pairs"] += len(pairs) - PER_NETWORK
        pairs = [pairs[at] for at in sorted(rng.sample(range(len(pairs)), PER_NETWORK))]
    for number, (treatment, outcome, kept) in enumerate(pairs):
        graph = network.induced(kept)
        text = edge_stated(graph.directed, graph.nodes, None, rng)
        measure = faithfulness(stated_edges(text, kept), graph)
        if measure < STRICT:
            dropped[name, "cannot be read back"] += 1
            continue
        legend = tuple(rng.sample(graph.nodes, len(graph.nodes)))
        query = Query("backdoor", (treatment, outcome))
        problem = Problem(f"prose-{name}-{number:03}-l1", query, text=text, legend=legend, graph_class="dag")
        strata = {"slice": name, "level": "l1", "edge_f1": str(measure)}
        yield Item(problem, Key(problem.id, graph, cluster=f"prose-{name}-{number:03}", strata=strata))
