"""The two models of a hedge: enumerated from their records, they agree on what is observed and differ on the effect.

The models leave nodes out that are fair coins; one test puts them back and enumerates the whole graph.
"""

from collections.abc import Mapping
from typing import Any

import pytest

from calverify.docalculus._examples import EXAMPLES
from calverify.docalculus._hedge import Hedge
from calverify.docalculus._identify import identify
from calverify.docalculus._witness import two_models
from calverify.errors import BudgetError
from calverify.graphs import Graph
from tests.docalculus.effects import Asked, random_effect
from tests.oracles.lifted_models import Lifted
from tests.oracles.two_models import conditionals, distribution, effects

COUNT = pytest.mark.parametrize("count", [100, pytest.param(2_500, marks=pytest.mark.property)])

Record = Mapping[str, Any]


def hedge_in(asked: Asked) -> Hedge | None:
    said = identify(*asked)
    return said if isinstance(said, Hedge) else None


def records(graph: Graph, hedge: Hedge) -> tuple[Record, Record]:
    first, second = two_models(graph, hedge)
    return first.to_json(), second.to_json()


def names_in(record: Record) -> list[str]:
    return [node["name"] for node in record["nodes"]]


def proves(graph: Graph, hedge: Hedge) -> None:
    """Both are models of the graph with the same observed distribution, positive everywhere, and other effects."""
    first, second = records(graph, hedge)
    for record in (first, second):
        is_a_model_of(graph, record)
    names = names_in(first)
    seen = distribution(first, {}, names)
    assert seen == distribution(second, {}, names)
    assert min(seen.values()) > 0
    assert sum(seen.values()) == 1
    outcomes, treatments = ([name for name in names if name in some] for some in (hedge.outcomes, hedge.treatments))
    assert effects(first, outcomes, treatments) != effects(second, outcomes, treatments)


def is_a_model_of(graph: Graph, record: Record) -> None:
    arcs = {frozenset(edge) for edge in graph.bidirected}
    ends = {latent["name"]: frozenset(latent["ends"]) for latent in record["latents"]}
    assert set(ends.values()) <= arcs
    for node in record["nodes"]:
        assert all((parent, node["name"]) in graph.directed for parent in node["parents"])
        assert all(node["name"] in ends[latent] for latent in node["latents"])


@COUNT
def test_every_hedge_is_confirmed_by_two_models(count):
    confirmed = 0
    for seed in range(count):
        asked = random_effect(seed)
        hedge = hedge_in(asked)
        if hedge is not None:
            proves(asked.graph, hedge)
            confirmed += 1
    assert confirmed > count / 5


@pytest.mark.parametrize("example", [one for one in EXAMPLES if one.estimand is None], ids=lambda one: one.name)
def test_the_textbook_hedges_are_confirmed(example):
    hedge = hedge_in(Asked(example.graph, *map(frozenset, (example.outcomes, example.treatments, example.given))))
    assert hedge is not None
    proves(example.graph, hedge)


@pytest.mark.parametrize("count", [400, pytest.param(6_000, marks=pytest.mark.property)])
def test_every_hedge_of_a_conditional_effect_is_confirmed_on_that_effect(count):
    """By the two models as they are; or, where all their ways end in what is given, once they are lifted."""
    plain = lifted = 0
    for seed in range(count):
        asked = random_effect(seed, most=5)
        hedge = hedge_in(asked)
        if hedge is None or not hedge.given:
            continue
        pair = records(asked.graph, hedge)
        names = names_in(pair[0])
        outcomes, treatments = ([name for name in names if name in some] for some in (hedge.outcomes, hedge.treatments))
        one, other = (conditionals(record, outcomes, treatments, hedge.given) for record in pair)
        if one != other:
            plain += 1
        else:
            differ_once_lifted(asked, hedge, pair, seed)
            lifted += 1
    assert plain > lifted > 0


def differ_once_lifted(asked: Asked, hedge: Hedge, pair: tuple[Record, Record], seed: int) -> None:
    first, second = (Lifted(asked.graph, record, hedge, seed) for record in pair)
    assert first.joint({}) == second.joint({})
    do = {name: (0, 0) if name in first.sizes else (0,) for name in hedge.treatments}
    one, other = (each.conditional(sorted(asked.outcomes), hedge.given, do) for each in (first, second))
    assert one != other, str(asked)


@pytest.mark.parametrize("text, outcome, treatment", [
    ("X -> Y, X <-> Y, Z -> X, Y -> W", "Y", "X"),
    ("X -> M -> Y, X <-> M, T", "Y", "X"),
    ("W -> X -> Y, X <-> W <-> Y", "Y", "X"),
])  # fmt: skip
def test_with_the_left_out_nodes_as_fair_coins_the_whole_graph_agrees_and_differs(text, outcome, treatment):
    graph = Graph.parse(text)
    hedge = hedge_in(Asked(graph, frozenset({outcome}), frozenset({treatment})))
    assert hedge is not None
    whole = [with_coins(record, graph) for record in records(graph, hedge)]
    first, second = (distribution(record, {}, list(graph.nodes)) for record in whole)
    assert first == second
    assert len(first) == 2 ** len(graph.nodes)
    one, other = (effects(record, [outcome], [treatment]) for record in whole)
    assert one != other


def with_coins(record: Record, graph: Graph) -> Record:
    left_out = [name for name in graph.nodes if name not in names_in(record)]
    coin = {"values": 2, "parents": [], "latents": [], "rows": [["1/2", "1/2"]]}
    return {**record, "nodes": [*record["nodes"], *({"name": name, **coin} for name in left_out)]}


# ---------------------------------------------------------------- what a reader sees


def test_the_bow_by_hand():
    """X is a coin that a latent tosses; Y is X plus the latent, which is even, or does not listen to either."""
    graph = Graph.parse("X -> Y, X <-> Y")
    hedge = hedge_in(Asked(graph, frozenset("Y"), frozenset("X")))
    assert hedge is not None
    first, second = map(str, two_models(graph, hedge))
    head = "U1 (behind Y <-> X) has values 0..1: 1/2, 1/2\nP(X=1 | U1): 0, 1\n"
    assert first == head + "P(Y=1 | X, U1): 1/4, 3/4, 3/4, 1/4"
    assert second == head + "P(Y=1 | X, U1): 1/4 in every row"


def test_a_root_that_also_passes_bits_on_has_four_values():
    graph = Graph.parse("X -> A -> B -> Y, X <-> A, X <-> B, A <-> B, X -> B")
    hedge = Hedge(
        ("A", "B", "X"), ("A", "B"), ("A", "B"), (("X", "A"),), (("A", "B"), ("A", "X")), ("Y",), ("X",), "by hand"
    )
    first, _ = records(graph, hedge)
    assert {node["name"]: node["values"] for node in first["nodes"]} == {"X": 2, "A": 2, "B": 4, "Y": 2}
    proves(graph, hedge)


def test_ways_go_past_the_treatments():
    """T is the short way from R to Y, and do(T) would cut it."""
    graph = Graph.parse("X -> R, X <-> R, R -> T -> Y, R -> A -> B -> Y")
    hedge = hedge_in(Asked(graph, frozenset("Y"), frozenset("XT")))
    assert hedge is not None
    first, _ = records(graph, hedge)
    assert names_in(first) == ["X", "R", "A", "B", "Y"]
    proves(graph, hedge)


def test_a_table_that_no_hand_could_check_is_undetermined():
    names = [f"V{i:02}" for i in range(14)]
    graph = Graph([*names, "X", "Y"], [(name, "Y") for name in (*names, "X")], [(name, "X") for name in (*names, "Y")])
    hedge = Hedge(
        tuple(sorted([*names, "X", "Y"])), ("Y",), ("Y",), tuple((name, "Y") for name in (*names, "X")),
        (("Y", "X"), *((name, "X") for name in names)), ("Y",), ("X",), "by hand",
    )  # fmt: skip
    with pytest.raises(BudgetError, match="needs 65,536 entries"):
        two_models(graph, hedge)
