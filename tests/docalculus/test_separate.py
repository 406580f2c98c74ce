"""The prover's own separation and its three rules, against paths walked one by one and against models in fractions."""

from random import Random

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from calverify.docalculus._expression import Variable
from calverify.docalculus._rules import ABSENT, DO, GIVEN, Budget, Leaf, Rules, Spent
from calverify.docalculus._separate import Separator
from calverify.docalculus._terms import written_atom
from calverify.errors import QueryError
from calverify.graphs import Graph
from tests.docalculus.derivations import cut
from tests.oracles.do_models import do_model
from tests.oracles.expressions import same_where_defined
from tests.oracles.paths import Paths
from tests.rows import judged
from tests.strategies import admgs, random_admg

# ---------------------------------------------------------------- separation

SEPARATED = [
    ("a chain", "A -> B -> C", "A", "C", "", "", "", False),
    ("a chain, its middle given", "A -> B -> C", "A", "C", "B", "", "", True),
    ("a collider", "A -> B <- C", "A", "C", "", "", "", True),
    ("a collider given", "A -> B <- C", "A", "C", "B", "", "", False),
    ("given below a collider", "A -> B <- C, B -> D", "A", "C", "D", "", "", False),
    ("the arrow to what is given is cut", "A -> B <- C, B -> D", "A", "C", "D", "D", "", True),
    ("bidirected", "A <-> C", "A", "C", "", "", "", False),
    ("bidirected, cut by its head", "A <-> C", "A", "C", "", "C", "", True),
    ("bidirected, not cut by its tail", "A <-> C, A -> C", "A", "C", "", "", "A", False),
    ("out of", "A -> C", "A", "C", "", "", "A", True),
    ("a row of colliders, all given", "A <-> B <-> C <-> D", "A", "D", "B C", "", "", False),
    ("a row of colliders, one given", "A <-> B <-> C <-> D", "A", "D", "B", "", "", True),
    ("parents of a district", "A -> B <-> C <- D", "A", "D", "B C", "", "", False),
    ("sets", "A -> B, C -> D", "A C", "B D", "", "", "", False),
    ("sets apart", "A -> B, C -> D", "A B", "C D", "", "", "", True),
]


@judged("graph, one, other, given, into, out, expected", SEPARATED)
def test_separation(graph, one, other, given, into, out, expected):
    separator = Separator(Graph.parse(graph), Graph.parse(graph).nodes)
    masks = [separator.mask(names.split()) for names in (one, other, given, into, out)]
    assert separator.separated(*masks) is expected
    assert separator.separated(masks[1], masks[0], *masks[2:]) is expected


def agrees(graph: Graph, rng: Random) -> bool:
    """Two nodes or more in three disjoint sets, with random surgery; as the path walker says."""
    names = rng.sample(graph.nodes, len(graph.nodes))
    cuts = sorted(rng.sample(range(1, len(names) + 1), 2)) if len(names) > 2 else [1, 2]
    one, other, given = names[: cuts[0]][:2], names[cuts[0] : cuts[1]][:2], names[cuts[1] :][: rng.randint(0, 3)]
    into, out = ([name for name in names if rng.random() < 0.25] for _ in range(2))
    separator = Separator(graph, graph.nodes)
    expected = Paths(cut(graph, into, out)).separated(one, other, given)
    assert separator.separated(*map(separator.mask, (one, other, given, into, out))) == expected
    few = Separator(graph, {*one, *other, *given})  # what is no ancestor of these does not matter
    inside = [[name for name in some if name in few.bit] for some in (into, out)]
    assert few.separated(*map(few.mask, (one, other, given, *inside))) == expected
    return expected


@pytest.mark.parametrize("count", [1_000, pytest.param(50_000, marks=pytest.mark.property)])
def test_separation_agrees_with_every_path(count):
    rng = Random(41)
    apart = 0
    for _ in range(count):
        graph = random_admg(rng, rng.randint(2, 6), rng.choice([0.15, 0.3, 0.5]), rng.choice([0, 0.15, 0.3]))
        apart += agrees(graph, rng)
    assert 0.2 < apart / count < 0.8


@drawn(admgs(max_nodes=5, min_nodes=2), st.integers(0, 999))
def test_separation_agrees_on_drawn_graphs(graph, seed):
    agrees(graph, Random(seed))


@pytest.mark.parametrize("graph", ["A -> B -> A", "A -- B"])
def test_a_graph_without_an_order_is_refused(graph):
    with pytest.raises(QueryError, match="acyclic"):
        Separator(Graph.parse(graph), ["A"])


# ---------------------------------------------------------------- single rules


def rules_of(graph: Graph) -> tuple[Rules, dict[str, int]]:
    rules = Rules(Separator(graph, graph.nodes), Budget(10**9))
    return rules, {name: rules.add(Variable(name)) for name in sorted(graph.nodes)}


def one_rule(rng: Random) -> tuple[int, bool, bool]:
    """(number of the rule, is it allowed, does the equation hold in a random model) on a random leaf."""
    graph = random_admg(rng, rng.randint(2, 5), rng.choice([0.2, 0.4, 0.6]), rng.choice([0, 0.15, 0.3]))
    rules, bits = rules_of(graph)
    names = rng.sample(graph.nodes, len(graph.nodes))
    of = sum(bits[name] for name in names[: rng.choice([1, 1, 2])][: len(names) - 1])
    rest = [bits[name] for name in names if not bits[name] & of]
    z = sum(rest[: rng.choice([1, 1, 2])])
    do = sum(bit for bit in rest if not bit & z and rng.random() < 0.35)
    given = sum(bit for bit in rest if not bit & (z | do) and rng.random() < 0.5)
    was, state = rng.sample([GIVEN, ABSENT, DO], 2)
    before = Leaf(of, do | (z if was == DO else 0), given | (z if was == GIVEN else 0))
    after = Leaf(of, do | (z if state == DO else 0), given | (z if state == GIVEN else 0))
    model = do_model(graph, rng.random())
    equal = same_where_defined(written_atom(before, rules), written_atom(after, rules), model)
    found = rules.moved(before, z, state)
    assert found in (None, after)
    if found is not None:
        assert rules.step(before, after)[0] == was + state
    return was + state, found is not None, equal


@pytest.mark.parametrize("count", [150, pytest.param(5_000, marks=pytest.mark.property)])
def test_a_rule_applies_exactly_where_the_equation_holds(count):
    """Sound in every model drawn; and where a rule does not apply, the model shows why."""
    rng = Random(43)
    seen = set()
    for _ in range(count):
        rule, allowed, equal = one_rule(rng)
        assert allowed == equal
        seen.add((rule, allowed))
    assert seen == {(rule, allowed) for rule in (1, 2, 3) for allowed in (True, False)}


def test_a_node_is_never_twice_in_a_leaf():
    rules, bits = rules_of(Graph.parse("X, Y"))
    copy, value = rules.add(Variable("X", 1)), rules.add(Variable("X", 0, 1))
    assert rules.leaf(bits["Y"], bits["X"], copy) is None
    for state in (DO, GIVEN):
        assert rules.moved(Leaf(bits["Y"], bits["X"]), copy, state) is None
        assert rules.moved(Leaf(bits["Y"], 0, copy), value, state) is None
        assert rules.moved(Leaf(bits["Y"]), copy | value, state) is None
        assert rules.moved(Leaf(bits["Y"]), copy, state) is not None


def test_every_question_costs():
    rules, bits = rules_of(Graph.parse("X, Y"))
    rules.budget = Budget(6)
    for _ in range(4):
        rules.moved(Leaf(bits["Y"]), bits["X"], DO)  # 1 and 2 at first, then 1 each
    assert rules.budget.used == 6
    with pytest.raises(Spent, match="over 6 steps"):
        rules.moved(Leaf(bits["Y"]), bits["X"], DO)
