"""The masks of `identify` against walks of every path, and the projection against the graph that it came from."""

from hypothesis import given
from hypothesis import strategies as st

from calverify.docalculus._districts import Districts, bits_of
from calverify.graphs import Graph
from tests.oracles import definitions
from tests.oracles.criteria import Plain
from tests.oracles.id_algorithm import mixed
from tests.oracles.paths import Paths, separated
from tests.strategies import admgs

RANDOM = st.randoms(use_true_random=False)


def some(rng, names) -> frozenset[str]:
    return frozenset(name for name in sorted(names) if rng.random() < 0.4)


def three_sets(rng, names) -> tuple[frozenset[str], ...]:
    place = {name: rng.randrange(4) for name in sorted(names)}
    return tuple(frozenset(name for name in place if place[name] == at) for at in range(3))


@given(admgs(max_nodes=6), RANDOM)
def test_separation_after_surgery(graph, rng):
    tables = Districts(graph)
    one, other, given_ = three_sets(rng, graph.nodes)
    into, out = some(rng, graph.nodes), some(rng, graph.nodes)
    cut = mixed(graph).without_edges_into(into).without_edges_out_of(out)
    plain = Plain(tuple(graph.nodes), tuple(sorted(cut.directed)), tuple(sorted(cut.bidirected)))
    masks = [tables.mask(names) for names in (one, other, given_, into, out)]
    assert tables.separated(*masks) == separated(plain, one, other, given_)


@given(admgs(max_nodes=6), RANDOM)
def test_what_is_above_below_and_joined(graph, rng):
    tables = Districts(graph)
    of, within = some(rng, graph.nodes), some(rng, graph.nodes)
    inside = mixed(graph).induced(within)
    assert set(tables.named(tables.ancestors(tables.mask(of), tables.mask(within)))) == inside.ancestors(of & within)
    below = Paths(graph.induced(within) if within else graph).below if within else {}
    expected = frozenset().union(*(below[name] for name in of & within))
    assert set(tables.named(tables.descendants(tables.mask(of), tables.mask(within)))) == expected
    parts = {frozenset(tables.named(mask)) for mask in tables.districts(tables.mask(within))}
    assert parts == definitions.districts(Plain(tuple(sorted(inside.nodes)), (), tuple(inside.bidirected)))


@given(admgs(max_nodes=6, min_nodes=2), RANDOM)
def test_the_projection_separates_what_the_graph_separates(graph, rng):
    """For sets among the nodes that are left."""
    gone = some(rng, graph.nodes)
    tables = Districts(graph)
    left = frozenset(graph.nodes) - gone
    projected = tables.projected(tables.mask(gone))
    assert projected.all == tables.mask(left)
    for _ in range(5):
        one, other, given_ = three_sets(rng, left)
        expected = separated(graph, one, other, given_)
        assert projected.separated(*map(tables.mask, (one, other, given_))) == expected


@given(admgs(max_nodes=6, min_nodes=2), RANDOM)
def test_the_projection_is_the_same_in_any_order_and_keeps_what_is_above(graph, rng):
    gone = sorted(some(rng, graph.nodes))
    tables = Districts(graph)
    whole = tables.projected(tables.mask(gone))
    steps = tables
    for name in rng.sample(gone, len(gone)):
        steps = steps.projected(tables.bit[name])
    assert (steps.parents, steps.children, steps.spouses) == (whole.parents, whole.children, whole.spouses)
    for bit in bits_of(whole.all):
        assert whole.ancestors(bit, whole.all) == tables.ancestors(bit, tables.all) & whole.all


def test_a_projection_by_hand():
    """A -> M -> B and M -> C, M <-> D: A reaches B and C, and B, C and D are joined pairwise but for nothing."""
    tables = Districts(Graph.parse("A -> M -> B, M -> C, M <-> D"))
    left = tables.projected(tables.bit["M"])
    assert {name: left.named(left.parents[left.bit[name]]) for name in "ABCD"} == {
        "A": [], "B": ["A"], "C": ["A"], "D": [],
    }  # fmt: skip
    assert {name: left.named(left.spouses[left.bit[name]]) for name in "ABCD"} == {
        "A": [], "B": ["C", "D"], "C": ["B", "D"], "D": ["B", "C"],
    }  # fmt: skip


@given(admgs(max_nodes=6), RANDOM)
def test_the_closure_is_the_largest_joined_set_that_reaches_the_inner_one(graph, rng):
    """By definition: the union of all such sets is one of them."""
    tables = Districts(graph)
    part = rng.choice(tables.districts(tables.all))
    inner = tables.district(rng.choice([*bits_of(part)]), part & rng.getrandbits(6) | part & -part) & part
    inner = tables.district(inner & -inner, inner)
    fits = [
        mask
        for mask in range(1, tables.all + 1)
        if not inner & ~mask and tables.district(mask & -mask, mask) == mask and tables.ancestors(inner, mask) == mask
    ]
    assert tables.closure(inner) == max(fits, key=int.bit_count)
    assert all(not mask & ~tables.closure(inner) for mask in fits)
