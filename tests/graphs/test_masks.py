"""The machine form: bits, closures, and the order that says whether a cycle exists."""

from random import Random

import pytest

from calverify.errors import GraphError
from calverify.graphs import Graph
from calverify.graphs._masks import Masks, each_bit, reach
from tests.oracles.paths import Paths
from tests.strategies import random_admg, random_directed


@pytest.mark.parametrize("mask, bits", [(0, []), (1, [1]), (0b101, [1, 4]), (0b1110, [2, 4, 8]), (1 << 99, [1 << 99])])
def test_each_bit_lowest_first(mask, bits):
    assert list(each_bit(mask)) == bits


STEP = {1: 0b10, 2: 0b100, 4: 0b1, 8: 0b1}


@pytest.mark.parametrize(
    "start, within, found",
    [(1, -1, 0b111), (8, -1, 0b1111), (8, 0b0001, 0b1001), (8, 0, 8), (0, -1, 0), (2, 0b1100, 0b110)],
)
def test_reach_includes_the_start_and_stays_within(start, within, found):
    assert reach(STEP, start, within) == found


def test_a_bidirected_edge_is_a_latent_bit_above_all_nodes():
    masks = Masks(("A", "B"), [("A", "B")], [("A", "B")])
    assert (masks.visible, masks.bits) == (0b11, {"A": 1, "B": 2})
    assert (masks.parents, masks.children) == ({1: 4, 2: 5, 4: 0}, {1: 2, 2: 0, 4: 3})
    assert masks.spouses == {1: 2, 2: 1}
    assert masks.named(0b111) == ("A", "B")


def test_order_puts_parents_and_latents_first_and_is_none_on_a_cycle():
    rng = Random(5)
    for _ in range(300):
        n = rng.randint(1, 8)
        graph = random_admg(rng, n, 0.3, 0.2) if rng.random() < 0.6 else random_directed(rng, n, 0.15)
        masks = Masks(graph.nodes, graph.directed, graph.bidirected)
        order = masks.order
        slow = Paths(graph)
        assert (order is None) == any(node in slow.strictly_below(node) for node in graph.nodes)
        if order is not None:
            assert sorted(order) == sorted(masks.parents)
            place = {bit: i for i, bit in enumerate(order)}
            assert all(place[p] < place[bit] for bit in order for p in each_bit(masks.parents[bit]))


def test_ancestors_are_closed():
    rng = Random(6)
    for _ in range(200):
        graph = random_admg(rng, rng.randint(1, 8), 0.3, 0.2)
        masks, slow = graph.masks, Paths(graph)
        assert [*masks.node] == [*graph.nodes]
        assert [*masks.ancestors] == [*masks.parents]
        for name, (bit, above) in masks.node.items():
            assert masks.names[bit] == name
            assert frozenset(masks.named(above)) == slow.above(name)
            latents = {i for i, arc in enumerate(graph.bidirected) if set(arc) & slow.above(name)}
            assert {i for i in range(len(graph.bidirected)) if above >> len(graph.nodes) + i & 1} == latents


def test_ancestors_are_not_closed_where_there_is_a_cycle():
    """A ring of n nodes has n times n of them, and nobody asks."""
    masks = Graph.parse("A -> B -> C -> A, A -> D").masks
    assert (masks.order, masks.ancestors, masks.node) == (None, {}, {})


def test_mask_refuses_unknown_names_and_takes_a_bare_one():
    masks = Graph.parse("V1 -> V, 1").masks
    assert masks.mask("V1") == masks.mask(["V1"]) == 1
    assert masks.mask([]) == 0
    with pytest.raises(GraphError, match=r"'X' is not a node of the graph \(nodes: V1, V, 1\)"):
        masks.mask(["V1", "X"])
