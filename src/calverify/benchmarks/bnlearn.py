"""Confounded pairs in ten published networks: find a set to adjust for (the paper's 410 problems).

Rule 1: a pair (X, Y) is a problem when Y is a descendant of X, the empty set is not valid, and X, Y and their
ancestors are at most 18 nodes.  Over the ten networks that gives exactly the counts that the paper prints, and no
other limit does.
Rule 2: the graph of a problem is the network on those nodes: validity there is validity in the whole network.
Rule 3: the criterion is the strict one: no treatment, no outcome, no descendant of the treatment.
"""

from collections.abc import Iterator
from random import Random

from calverify.benchmarks._data import DataFolder
from calverify.benchmarks._item import Corpus, Finding, Item, adapter, audits
from calverify.benchmarks._networks import ORIGIN, networks
from calverify.graphs import Graph, separated
from calverify.keys import Key
from calverify.problem import Problem, Query

__all__ = ["MOST_NODES", "PRINTED", "confounded_pairs", "corpus"]

MOST_NODES = 18
PRINTED = {  # how many problems the paper has of each network
    "alarm": 17, "barley": 43, "child": 20, "hailfinder": 5, "hepar2": 98, "insurance": 115, "mildew": 41, "sachs": 13,
    "water": 31, "win95pts": 27,
}  # fmt: skip


@adapter("bnlearn", "410 confounded pairs in ten published networks: find a backdoor set", ORIGIN)
def corpus(data: DataFolder, rng: Random) -> Corpus:
    """Every pair of every network of the ten that the folder holds, in the order of the network's nodes."""
    found = networks(data)
    return Corpus(tuple(item for name in PRINTED if name in found for item in _items(name, found[name])))


def _items(name: str, network: Graph) -> Iterator[Item]:
    for number, (treatment, outcome, kept) in enumerate(confounded_pairs(network)):
        graph = network.induced(kept)
        problem = Problem(f"bnlearn-{name}-{number:03}", Query("backdoor", (treatment, outcome)), graph)
        yield Item(problem, Key(problem.id, strata={"slice": name, "nodes": str(len(kept))}))


def confounded_pairs(network: Graph, most: int = MOST_NODES) -> Iterator[tuple[str, str, frozenset[str]]]:
    """Treatment, outcome, and both with their ancestors, for each pair that the empty set does not do for."""
    for treatment in network.nodes:
        below = network.strict_descendants({treatment})
        cut = network.without_edges_out_of({treatment})
        for outcome in network.nodes:
            if outcome not in below:
                continue
            kept = network.ancestors({treatment, outcome})
            if len(kept) <= most and not separated(cut, {treatment}, {outcome}):
                yield treatment, outcome, kept


@audits("bnlearn")
def findings(data: DataFolder, rng: Random) -> Iterator[Finding]:
    """No key is published, for every valid set is right; what is printed is the number of problems a network."""
    found = networks(data)
    for name, printed in PRINTED.items():
        if name in found:
            ours = sum(1 for _ in confounded_pairs(found[name]))
            why = "" if ours == printed else f"the rule gives {ours} pairs"
            yield Finding(f"bnlearn-{name}", "problems a network", printed, ours, ours == printed, why)
