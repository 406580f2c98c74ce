"""Graphs to be built from text: eight motifs in ten domains at three levels of telling, and twelve hard narratives.

Rule 1: the question is which set to adjust for, and no graph is shown: a trace builds its own from the text and the
legend.  The source graph is in the key, and grades.
Rule 2: every graph is confounded (the empty set is wrong), every one has a trap (a descendant of the treatment), and
the three motifs that are told of as having two sets have two minimal sets or more: 30 graphs of the 80.
Rule 3: level 1 names every edge, level 2 describes mechanisms, level 3 is a narrative with clauses reordered and with
distractors; all three tell every edge, and no other.
Rule 4: the three tellings of one graph are one cluster.
"""

from collections.abc import Iterator
from random import Random

from calverify.benchmarks._domains import DOMAINS, Domain
from calverify.benchmarks._item import Corpus, Item, Subset, generated
from calverify.benchmarks._narratives import NARRATIVES
from calverify.benchmarks._telling import TELLERS
from calverify.graphs import Graph
from calverify.keys import Key
from calverify.problem import Problem, Query
from calverify.scoring import case_of

__all__ = ["MOTIFS", "TWO_SETS", "corpus"]

Edges = tuple[tuple[str, str], ...]

# Roles: X the treatment, Y the outcome, D the trap; the others are filled with a domain's further variables.
EVERYWHERE: Edges = (("X", "Y"), ("X", "D"))
MOTIFS: dict[str, Edges] = {
    "single_confounder": (("C", "X"), ("C", "Y")),
    "two_confounders": (("C", "X"), ("C", "Y"), ("E", "X"), ("E", "Y")),
    "confounder_predictor": (("C", "X"), ("C", "Y"), ("P", "Y")),
    "instrument_distractor": (("C", "X"), ("C", "Y"), ("I", "X")),
    "collider_trap": (("C", "X"), ("C", "Y"), ("A", "X"), ("A", "K"), ("B", "K"), ("B", "Y")),
    "x_side_block": (("C", "A"), ("A", "X"), ("C", "Y")),
    "y_side_block": (("C", "X"), ("C", "B"), ("B", "Y")),
    "combined": (("C", "A"), ("A", "X"), ("C", "B"), ("B", "Y")),
}
TWO_SETS = ("x_side_block", "y_side_block", "combined")

SUBSETS = {
    "l1": Subset("every edge named in words", {"level": "l1"}),
    "l2": Subset("mechanisms without a list of edges", {"level": "l2"}),
    "l3": Subset("narratives with distractors", {"level": "l3"}),
    "stress": Subset("twelve harder narratives, written by hand", {"level": "stress"}),
}


@generated("construction", "252 texts to build a graph from: 80 graphs at 3 levels, 12 hard ones; generated", SUBSETS)
def corpus(rng: Random) -> Corpus:
    """The items that `rng` gives: the graphs in turn, each at its three levels; then the narratives."""
    graphs = [(motif, domain) for domain in DOMAINS for motif in MOTIFS]
    rng.shuffle(graphs)
    items = [item for number, (motif, domain) in enumerate(graphs) for item in _told(motif, domain, number, rng)]
    return Corpus((*items, *_stress(rng)))


def _told(motif: str, domain: Domain, number: int, rng: Random) -> Iterator[Item]:
    """One graph at each level."""
    names = _cast(MOTIFS[motif], domain, rng)
    edges = [(names[tail], names[head]) for tail, head in (*EVERYWHERE, *MOTIFS[motif])]
    cluster = f"construction-{number:03}"
    for level, teller in TELLERS.items():
        text = teller(rng.sample(edges, len(edges)), sorted(names.values()), domain, rng)
        strata = {"slice": motif, "level": level, "domain": domain.name}
        yield _item(f"{cluster}-{level}", edges, (names["X"], names["Y"]), text, rng, (cluster, strata))


def _cast(edges: Edges, domain: Domain, rng: Random) -> dict[str, str]:
    """A variable of the domain for each role."""
    roles = sorted({role for edge in edges for role in edge} - {"X", "Y"})
    others = rng.sample(domain.others, len(roles))
    return {"X": domain.treatment, "Y": domain.outcome, "D": domain.trap, **dict(zip(roles, others, strict=True))}


def _stress(rng: Random) -> Iterator[Item]:
    for number, told in enumerate(NARRATIVES):
        cluster = f"construction-stress-{number:02}"
        edges = [(tail, head) for tail, _, head in (edge.partition(" -> ") for edge in told.edges)]
        strata = {"slice": "stress", "level": "stress"}
        yield _item(cluster, edges, told.targets, told.text, rng, (cluster, strata))


def _item(
    ident: str,
    edges: list[tuple[str, str]],
    targets: tuple[str, str],
    text: str,
    rng: Random,
    filed: tuple[str, dict[str, str]],
) -> Item:
    names = sorted({name for edge in edges for name in edge})
    graph, query = Graph(names, sorted(edges)), Query("backdoor", targets)
    case = case_of(graph, query)
    smallest = case.task.cheapest(case)
    assert smallest, f"{ident}: the empty set is right, or none is"
    cluster, strata = filed
    key = Key(ident, graph, published=case.task.answer.show(smallest), cluster=cluster, strata=strata)
    legend = tuple(rng.sample(names, len(names)))
    return Item(Problem(ident, query, text=text, legend=legend, graph_class="dag"), key)
