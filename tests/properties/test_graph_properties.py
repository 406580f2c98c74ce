"""What holds for every graph: names do not matter, writing reads back, and separation obeys its algebra."""

from itertools import pairwise

from hypothesis import assume, given
from hypothesis import strategies as st

from calverify.errors import GraphError
from calverify.graphs import (
    Graph,
    Path,
    active_path,
    c_components,
    edge_f1,
    markov_blanket,
    minimal_separators,
    minimum_separator,
    opened_colliders,
    query_signature,
    separated,
    simple_cycles,
    simple_paths,
    skeleton,
    topological_order,
    violates_order,
    walk_states,
)
from tests.oracles.paths import Paths
from tests.strategies import admgs, dags, directed_graphs, graphs, questions

NAMES = st.text(st.characters(exclude_characters='"\n', exclude_categories=["Cs"]), min_size=1, max_size=6)


@st.composite
def renamings(draw: st.DrawFn, graph: Graph) -> dict[str, str]:
    """A bijection from the nodes to new names, some of which other nodes have now."""
    return dict(zip(graph.nodes, draw(st.permutations(["Z1", "zz", *graph.nodes])), strict=False))


# ---------------------------------------------------------------- names and order


@given(questions(admgs()), st.data())
def test_renaming_leaves_separation_alone(question, data):
    graph, xs, ys, given_set = question
    names = data.draw(renamings(graph))
    twin = graph.renamed(names)
    sides = [{names[node] for node in side} for side in (xs, ys, given_set)]
    assert separated(twin, *sides) == separated(graph, xs, ys, given_set)


@given(graphs(), st.data())
def test_renaming_back_is_the_same_graph(graph, data):
    names = data.draw(renamings(graph))
    twin = graph.renamed(names)
    assert twin.kind == graph.kind
    assert len(twin.nodes) == len(graph.nodes)
    assert twin.renamed({new: old for old, new in names.items()}) == graph


@given(graphs(), st.data())
def test_renaming_carries_over_to_everything_read_off(graph, data):
    names = data.draw(renamings(graph))
    twin = graph.renamed(names)

    def moved(nodes):
        return frozenset(names[node] for node in nodes)

    assert set(c_components(twin)) == set(map(moved, c_components(graph)))
    assert skeleton(twin) == set(map(moved, skeleton(graph)))
    assert len(list(simple_cycles(twin))) == len(list(simple_cycles(graph)))
    assert all(markov_blanket(twin, names[node]) == moved(markov_blanket(graph, node)) for node in graph.nodes)


@given(questions(admgs()), st.randoms(use_true_random=False))
def test_order_of_nodes_and_edges_and_the_side_of_an_arc_do_not_matter(question, rng):
    graph, xs, ys, given_set = question
    arcs = [arc[::-1] if rng.random() < 0.5 else arc for arc in graph.bidirected]
    twin = Graph(*(rng.sample(items, len(items)) for items in (graph.nodes, graph.directed, arcs)))
    assert twin == graph
    assert hash(twin) == hash(graph)
    assert separated(twin, xs, ys, given_set) == separated(graph, xs, ys, given_set)


# ---------------------------------------------------------------- writing reads back


@given(graphs())
def test_parse_reads_what_str_writes(graph):
    assert Graph.parse(str(graph)) == graph


@given(st.lists(NAMES, min_size=2, max_size=5))
def test_any_name_survives_text_and_json(names):
    """Whatever is not a quote or a line break may stand in a name; blanks around it do not count."""
    try:
        graph = Graph(names, list(pairwise(names)), [(names[0], names[-1])])
    except GraphError:
        assume(False)
    assert Graph.parse(str(graph)) == graph
    assert Graph.from_json(graph.to_json()) == graph


@given(graphs())
def test_json_keeps_order_and_class(graph):
    record = graph.to_json()
    twin = Graph.from_json(record)
    assert twin == graph
    assert twin.to_json() == record


@given(admgs(max_nodes=5, min_nodes=2), st.data())
def test_path_parse_reads_what_str_writes_and_reversal_keeps_colliders(graph, data):
    source, target = data.draw(st.permutations(graph.nodes))[:2]
    for path in simple_paths(graph, source, target):
        assert Path.parse(str(path)) == path
        assert path.first_foreign_step(graph) is None
        assert path.reversed().colliders() == path.colliders()[::-1]
        assert path.reversed().first_foreign_step(graph) is None


# ---------------------------------------------------------------- the algebra of separation


@given(questions(admgs(max_nodes=8)))
def test_agrees_with_walking_every_path(question):
    graph, xs, ys, given_set = question
    assume(len(graph.directed) + len(graph.bidirected) <= 18)
    assert separated(*question) == Paths(graph).separated(xs, ys, given_set)


@given(questions(admgs()))
def test_symmetric(question):
    graph, xs, ys, given_set = question
    assert separated(graph, xs, ys, given_set) == separated(graph, ys, xs, given_set)


@given(questions(admgs()))
def test_sides_are_apart_exactly_when_every_pair_is(question):
    """Decomposition and composition."""
    graph, xs, ys, given_set = question
    pairs = all(separated(graph, {x}, {y}, given_set) for x in xs for y in ys)
    assert separated(graph, xs, ys, given_set) == pairs


@given(questions(admgs()), st.data())
def test_weak_union_and_contraction(question, data):
    """X apart from Y and W given Z, exactly when from W given Z, and from Y given Z and W."""
    graph, xs, ys, given_set = question
    ys, ws = ys - given_set, data.draw(st.frozensets(st.sampled_from(graph.nodes), max_size=2)) - given_set
    ys, xs = ys - ws, xs - ws - given_set
    both = separated(graph, xs, ys | ws, given_set)
    assert both == (separated(graph, xs, ws, given_set) and separated(graph, xs, ys, given_set | ws))


@given(questions(admgs()))
def test_given_that_holds_a_side_separates(question):
    graph, xs, ys, given_set = question
    assert separated(graph, xs, ys, given_set | xs)
    assert separated(graph, xs, ys, given_set | ys)


@given(questions(admgs(min_nodes=2)), st.data())
def test_one_more_edge_never_separates(question, data):
    graph, xs, ys, given_set = question
    order = topological_order(graph)
    low, high = sorted(data.draw(st.permutations(range(len(order))))[:2])
    edge, arc = (order[low], order[high]), data.draw(st.booleans())
    directed, bidirected = graph.edge_set
    if arc:
        more = Graph(graph.nodes, directed, bidirected | {(min(edge), max(edge))})
    else:
        more = Graph(graph.nodes, directed | {edge}, bidirected)
    assert separated(graph, xs, ys, given_set) or not separated(more, xs, ys, given_set)


@given(admgs(min_nodes=2), st.data())
def test_adjacent_nodes_are_never_apart(graph, data):
    edges = graph.directed + graph.bidirected
    assume(edges)
    left, right = data.draw(st.sampled_from(edges))
    rest = sorted(graph.node_set - {left, right})
    given_set = data.draw(st.frozensets(st.sampled_from(rest))) if rest else frozenset()
    assert not separated(graph, {left}, {right}, given_set)


@given(dags())
def test_parents_screen_a_node_off_from_what_is_not_below_it(graph):
    """The local Markov property."""
    for node in graph.nodes:
        parents = graph.parents({node})
        assert separated(graph, {node}, graph.node_set - graph.descendants({node}) - parents, parents)


@given(admgs())
def test_the_blanket_screens_a_node_off_from_the_rest_and_needs_each_member(graph):
    for node in graph.nodes:
        blanket = markov_blanket(graph, node)
        rest = graph.node_set - blanket - {node}
        assert separated(graph, {node}, rest, blanket)
        assert not any(separated(graph, {node}, rest | {one}, blanket - {one}) for one in blanket)


@given(admgs(), st.data())
def test_do_cuts_the_treatment_off_from_its_causes(graph, data):
    node = data.draw(st.sampled_from(graph.nodes))
    after = graph.without_edges_into({node})
    assert not after.parents({node}) | after.spouses({node})
    assert after.without_edges_into({node}) == after
    assert separated(after, {node}, graph.node_set - after.descendants({node}))


# ---------------------------------------------------------------- proofs


@given(questions(admgs()))
def test_an_active_path_exists_exactly_when_not_separated(question):
    graph, xs, ys, given_set = question
    path = active_path(graph, xs, ys, given_set)
    assert (path is None) == separated(graph, xs, ys, given_set)
    if path is not None:
        assert len(set(path.nodes)) == len(path.nodes)
        assert path.nodes[0] in xs - given_set
        assert path.nodes[-1] in ys - given_set
        assert path.first_foreign_step(graph) is None
        assert Paths(graph).is_open((path.nodes, path.arrows), given_set)
        assert set(opened_colliders(graph, path, given_set)) == set(path.colliders())


@given(questions(admgs()))
def test_walk_states_meet_the_target_exactly_when_not_separated(question):
    graph, xs, ys, given_set = question
    reached = {node for node, _ in walk_states(graph, xs, given_set)}
    assert reached.isdisjoint(ys - given_set) == separated(graph, xs, ys, given_set)


@given(admgs(max_nodes=7, min_nodes=2), st.data())
def test_separators_separate_and_no_member_is_idle(graph, data):
    x, y, *rest = data.draw(st.permutations(graph.nodes))
    usable = data.draw(st.sets(st.sampled_from(rest))) if rest else set()
    found = list(minimal_separators(graph, x, y, usable))
    least = minimum_separator(graph, x, y, usable)
    assert bool(found) == (least is not None) == any(separated(graph, {x}, {y}, {*one}) for one in (*found, usable, ()))
    for one in found:
        assert one <= usable
        assert separated(graph, {x}, {y}, one)
        assert not any(separated(graph, {x}, {y}, one - {member}) for member in one)
    assert least is None or (least <= usable and len(least) == min(map(len, found)))


@given(graphs())
def test_an_order_or_a_cycle_and_never_both(graph):
    order, cycle = topological_order(graph), next(simple_cycles(graph), None)
    assert (order is None) != (cycle is None)
    assert (order is not None) == graph.acyclic
    if order is not None:
        assert sorted(order) == sorted(graph.nodes)
        assert violates_order(graph, order) is None
    else:
        assert set(zip(cycle, (*cycle[1:], cycle[0]), strict=True)) <= set(graph.directed)


@given(directed_graphs())
def test_cutting_every_arrow_into_a_cycle_breaks_it(graph):
    for cycle in simple_cycles(graph):
        assert not set(cycle) <= set(next(simple_cycles(graph.without_edges_into(cycle)), ()))


# ---------------------------------------------------------------- comparing graphs


@given(admgs(min_nodes=2), st.data())
def test_equal_signatures_agree_on_the_claim(graph, data):
    """The paper's theorem, from the definition: clean exactly when the set is a strict backdoor set."""
    x, y = data.draw(st.permutations(graph.nodes))[:2]
    given_set = data.draw(st.frozensets(st.sampled_from(graph.nodes), max_size=3))
    clean = query_signature(graph, x, y, given_set) == (frozenset(), False)
    assert clean == Paths(graph).is_backdoor_set(x, y, given_set)


@given(graphs(), graphs())
def test_edge_f1_is_symmetric_and_one_only_for_equal_edges(one, two):
    assert edge_f1(one, two) == edge_f1(two, one)
    assert 0 <= edge_f1(one, two) <= 1
    assert (edge_f1(one, two) == 1) == (one.edge_set == two.edge_set)
