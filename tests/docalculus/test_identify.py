"""`identify` against models that are enumerated, against the ID algorithm as printed, and on graphs one can look at.

An estimand must equal the effect to the last digit; a hedge must be one by the definition, and a smallest one.
"""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calverify.docalculus import _laws
from calverify.docalculus._expression import free_variables, has_do, names_of
from calverify.docalculus._hedge import Hedge
from calverify.docalculus._identify import MOST_NODES, Estimand, identify
from calverify.docalculus._refute import Agreement, refute
from calverify.docalculus._write import to_text
from calverify.errors import BudgetError, QueryError
from calverify.graphs import Graph
from tests.docalculus.effects import Asked, equals, random_effect
from tests.oracles import effects_by_truncation, hedges, id_algorithm
from tests.strategies import admgs, node_names, random_admg

COUNT = pytest.mark.parametrize("count", [120, pytest.param(2_500, marks=pytest.mark.property)])


def answer(asked: Asked) -> Estimand | Hedge:
    return identify(*asked)


def asked_in(text: str, outcomes: str, treatments: str, given: str = "") -> Asked:
    return Asked(Graph.parse(text), *(frozenset(names.split()) for names in (outcomes, treatments, given)))


# ---------------------------------------------------------------- against the oracles


@COUNT
def test_every_estimand_is_the_effect(count):
    found = 0
    for seed in range(count):
        asked = random_effect(seed)
        said = answer(asked)
        if isinstance(said, Estimand):
            found += 1
            model = effects_by_truncation.random_model(asked.graph, seed)
            assert equals(said.expression, asked, model), (str(asked), to_text(said.expression))
    assert found > count / 2


@pytest.mark.property
def test_every_estimand_is_the_effect_with_latents_of_three_values():
    for seed in range(10_000, 10_600):
        asked = random_effect(seed, most=5)
        said = answer(asked)
        if isinstance(said, Estimand):
            model = effects_by_truncation.random_model(asked.graph, seed, latent_states=3)
            assert equals(said.expression, asked, model), (str(asked), to_text(said.expression))


@COUNT
def test_no_random_model_refutes_an_estimand(count):
    """The same by the third engine, for which latents are large enough to matter."""
    for seed in range(count):
        asked = random_effect(seed)
        said = answer(asked)
        if isinstance(said, Estimand):
            assert isinstance(refute(asked.graph, said.expression, asked.target), Agreement), str(asked)


@pytest.mark.parametrize("count", [600, pytest.param(20_000, marks=pytest.mark.property)])
def test_it_fails_exactly_where_the_printed_algorithm_fails(count):
    failed = 0
    for seed in range(count):
        asked = random_effect(seed)
        graph = id_algorithm.mixed(asked.graph)
        expected = id_algorithm.is_identified_given(graph, *asked[1:])
        said = answer(asked)
        assert isinstance(said, Estimand) == expected, str(asked)
        failed += not expected
    assert failed > count / 5


@COUNT
def test_every_hedge_is_one_and_a_smallest(count):
    tried = 0
    for seed in range(count):
        asked = random_effect(seed, most=6)
        said = answer(asked)
        if isinstance(said, Hedge):
            tried += 1
            assert hedges.faults(asked.graph, said.to_json(), said.outcomes, said.treatments) == [], str(asked)
            assert len(said.whole) == hedges.smallest_size(asked.graph, said.outcomes, said.treatments), str(asked)
    assert tried > count / 5


@COUNT
def test_a_hedge_is_for_the_effect_that_was_asked(count):
    """Conditions become treatments or outcomes, or make no difference; no outcome is lost, and nothing is made up."""
    for seed in range(count):
        asked = random_effect(seed)
        said = answer(asked)
        if isinstance(said, Hedge):
            assert asked.outcomes == set(said.outcomes) - set(said.given)
            assert set(said.given) <= asked.given
            assert set(said.treatments) <= asked.treatments | asked.given
            assert not set(said.treatments) & set(said.outcomes)


@COUNT
def test_an_estimand_is_made_of_what_is_observed(count):
    """No do(), no node from elsewhere; what is free belongs to the effect, or may have any value."""
    for seed in range(count):
        asked = random_effect(seed)
        said = answer(asked)
        if isinstance(said, Estimand):
            assert not has_do(said.expression)
            assert names_of(said.expression) <= asked.graph.node_set
            assert all(variable.copy == 0 for variable in free_variables(said.expression))
            assert said.steps


# ---------------------------------------------------------------- what changes nothing


@given(admgs(max_nodes=6, min_nodes=2), st.randoms(use_true_random=False))
def test_the_order_of_nodes_and_edges_changes_nothing(graph, rng):
    def shuffled(items):
        return rng.sample(list(items), len(items))

    turned = [edge[::-1] if rng.random() < 0.5 else edge for edge in graph.bidirected]
    other = Graph(shuffled(graph.nodes), shuffled(graph.directed), shuffled(turned))
    x, y = rng.sample(sorted(graph.nodes), 2)
    assert identify(graph, [y], [x]) == identify(other, [y], [x])


@given(admgs(max_nodes=6, min_nodes=3), st.randoms(use_true_random=False))
def test_one_latent_less_never_hurts(graph, rng):
    x, y = rng.sample(sorted(graph.nodes), 2)
    fewer = Graph(graph.nodes, graph.directed, [edge for edge in graph.bidirected if rng.random() < 0.6])
    if isinstance(identify(graph, [y], [x]), Estimand):
        assert isinstance(identify(fewer, [y], [x]), Estimand)


@given(admgs(max_nodes=6, min_nodes=1), st.randoms(use_true_random=False))
def test_nothing_done_is_what_is_seen(graph, rng):
    y, *z = rng.sample(sorted(graph.nodes), rng.randint(1, len(graph.nodes)))
    said = identify(graph, [y], [], z)
    assert isinstance(said, Estimand)
    assert to_text(said.expression).startswith(f"P({y}")


# ---------------------------------------------------------------- how short it comes out

SHORT = [
    ("nothing to do", "X, Y", "Y", "", "", "P(Y)"),
    ("an idle treatment goes", "X -> Y, T", "Y", "X T", "", "P(Y | X)"),
    ("an idle condition goes", "Z -> X -> Y", "Y", "X", "Z", "P(Y | X)"),
    ("a condition stays where it tells", "X -> Y, Z -> Y", "Y", "X", "Z", "P(Y | X, Z)"),
    ("mediators go", "X -> A -> B -> Y, X -> B", "Y", "X", "", "P(Y | X)"),
    ("of a chain of confounders one stays", "A -> X -> Y, A -> B -> C -> Y", "Y", "X", "", "sum_{A} P(Y | A, X) P(A)"),
    ("an instrument stays out", "Z -> X -> Y, W -> X, W -> Y", "Y", "X", "", "sum_{W} P(Y | W, X) P(W)"),
    ("of a chain of mediators one stays", "X -> A -> B -> Y, X <-> Y", "Y", "X", "",
     "sum_{A} P(A | X) sum_{X'} P(Y | A, X') P(X')"),
    ("back-door before front-door", "Z -> X -> M -> Y, Z -> Y", "Y", "X", "", "sum_{Z} P(Y | X, Z) P(Z)"),
    ("two treatments", "A -> B -> Y, A -> Y", "Y", "A B", "", "P(Y | A, B)"),
    ("the first of two treatments", "A -> B -> Y", "Y", "A B", "", "P(Y | B)"),
    ("an outcome before the treatment", "Z -> X -> Y, Z -> Y", "Y Z", "X", "", "P(Y | X, Z) P(Z)"),
    ("what is below the outcome goes", "X -> Y -> Z, X <-> Z", "Y", "X", "", "P(Y | X)"),
    ("two outcomes", "Z -> X, Z -> A, Z -> B, X -> A, X -> B", "A B", "X", "", "sum_{Z} P(A, B | X, Z) P(Z)"),
    ("what is below the treatment alone tells nothing", "X -> Z, X <-> Y", "Y", "X", "Z", "P(Y)"),
    ("an instrument is no condition", "Z -> X -> M -> Y, X <-> Y", "Y", "X", "Z",
     "sum_{M} P(M | X) sum_{X'} P(Y | M, X') P(X')"),
    ("the napkin on one ratio", "W -> R -> X -> Y, W <-> X, W <-> Y", "Y", "X", "",
     "(sum_{W} P(X, Y | R, W) P(W)) / (sum_{W} P(X | R, W) P(W))"),
    ("long names", "'two words' -> X -> Y, 'two words' -> Y", "Y", "X", "",
     "sum_{\"two words\"} P(Y | X, \"two words\") P(\"two words\")"),
]  # fmt: skip


@pytest.mark.parametrize("text, outcomes, treatments, given, expected", [row[1:] for row in SHORT],
                         ids=[row[0] for row in SHORT])  # fmt: skip
def test_estimands_come_out_short(text, outcomes, treatments, given, expected):
    asked = asked_in(text.replace("'", '"'), outcomes, treatments, given)
    said = answer(asked)
    assert isinstance(said, Estimand)
    assert to_text(said.expression) == expected
    assert equals(said.expression, asked, effects_by_truncation.random_model(asked.graph, text))


# One line of the engine is needed in each, and seldom elsewhere: without it the row fails.
DELICATE = [
    ("factors that no chain rule joins", "B -> A, B <-> C", "A C", "B", ""),
    ("a quotient by another condition",
     "D -> B, D -> C, D -> E, B -> C, B -> E, B -> A, C -> A, E -> A, D <-> A, B <-> E",
     "A D", "E", "C"),
    ("a treatment above a condition is not idle", "C -> B -> A, C <-> B, C <-> A", "A", "C", "B"),
    ("a condition becomes a treatment",
     "E -> C, E -> A, E -> D, B -> A, B -> D, C -> A, C -> D, E <-> B, E <-> C", "D", "E",
     "A C"),
]  # fmt: skip


@pytest.mark.parametrize("text, outcomes, treatments, given", [row[1:] for row in DELICATE],
                         ids=[row[0] for row in DELICATE])  # fmt: skip
def test_delicate_questions(text, outcomes, treatments, given):
    asked = asked_in(text, outcomes, treatments, given)
    said = answer(asked)
    assert isinstance(said, Estimand) == id_algorithm.is_identified_given(id_algorithm.mixed(asked.graph), *asked[1:])
    if isinstance(said, Estimand):
        for seed in range(3):
            model = effects_by_truncation.random_model(asked.graph, f"{text} {seed}")
            assert equals(said.expression, asked, model), to_text(said.expression)


def test_a_bound_copy_stands_where_the_variable_is_free_or_bound_further_out():
    """Bars go on being added, level by level, and the number is still right."""
    names = [f"V{i}" for i in range(6)]
    chain = list(pairwise(names))
    arcs = list(zip(names, names[2:], strict=False))
    asked = Asked(Graph(names, chain, arcs), frozenset({"V5"}), frozenset({"V0"}))
    said = answer(asked)
    assert isinstance(said, Estimand)
    assert "V0'" in to_text(said.expression)
    assert equals(said.expression, asked, effects_by_truncation.random_model(asked.graph, 1))


def test_the_napkin_is_the_same_for_every_value_of_what_is_left_free():
    asked = asked_in("W -> R -> X -> Y, W <-> X, W <-> Y", "Y", "X")
    said = answer(asked)
    assert isinstance(said, Estimand)
    assert {variable.name for variable in free_variables(said.expression)} == {"R", "X", "Y"}
    for seed in range(20):
        assert equals(said.expression, asked, effects_by_truncation.random_model(asked.graph, seed))


def test_steps_tell_the_way():
    said = answer(asked_in("X -> M -> Y, X <-> Y, A -> X, Y -> B, T", "Y", "X T"))
    assert isinstance(said, Estimand)
    assert said.steps == (
        "rule 3: do(T) changes nothing",
        "{B, T} lies above nothing that is asked about: summed out",
        "{A} is not needed: summed out",
        "the factor of district {M} comes out of {M, X}",
        "the factor of district {Y} comes out of {M, X, Y} by way of {X, Y}",
        "the product of the districts' factors, summed over {M}",
    )


# ---------------------------------------------------------------- hedges


def test_a_hedge_in_words():
    said = answer(asked_in("Z -> X -> Y, X <-> Y", "Y", "X"))
    assert isinstance(said, Hedge)
    assert (said.whole, said.inner, said.roots) == (("X", "Y"), ("Y",), ("Y",))
    assert (said.directed, said.bidirected) == ((("X", "Y"),), (("Y", "X"),))
    assert said.why == (
        "{X, Y} and {Y} form a hedge: both are joined by bidirected edges and drain into the roots {Y}, and only the "
        "first meets the treatments {X}"
    )


def test_what_was_given_is_kept_apart_in_the_hedge():
    said = answer(asked_in("W -> R -> X -> Y, W <-> X, W <-> Y", "Y", "X", "W"))
    assert isinstance(said, Hedge)
    assert (said.outcomes, said.given, said.treatments) == (("W", "Y"), ("W",), ("X",))


def test_the_smallest_of_two_hedges_is_shown():
    """A -> B <-> ... is a long way round; the bow at T is short."""
    said = answer(asked_in("X -> A -> Y, X <-> B <-> Y, B -> X, T -> Y, T <-> Y", "Y", "X T"))
    assert isinstance(said, Hedge)
    assert said.whole == ("T", "Y")


def test_a_smallest_hedge_need_not_lie_in_one_that_nothing_can_be_taken_from():
    said = answer(
        asked_in("E -> C -> B -> A, E -> D, E <-> C, E <-> D, E <-> A, D <-> B, D <-> A, B <-> A", "A D", "C E")
    )
    assert isinstance(said, Hedge)
    assert said.whole == ("D", "E")


# ---------------------------------------------------------------- refusals and budgets

REFUSED = [
    ("no outcome", "X -> Y", [], ["X"], [], "outcomes is empty"),
    ("unknown outcome", "X -> Y", ["Q"], ["X"], [], "outcomes: 'Q' is not in the graph (X, Y)"),
    ("unknown treatment", "X -> Y", ["Y"], ["Q"], [], "treatments: 'Q' is not in the graph"),
    ("unknown condition", "X -> Y", ["Y"], ["X"], ["Q"], "given: 'Q' is not in the graph"),
    ("outcome and treatment", "X -> Y", ["Y"], ["X", "Y"], [], "'Y' stands in both outcomes and treatments"),
    ("outcome and condition", "X -> Y", ["Y"], [], ["Y"], "'Y' stands in both outcomes and given"),
    ("treatment and condition", "X -> Y", ["Y"], ["X"], ["X"], "'X' stands in both treatments and given"),
    ("a text for a set", "X -> Y", "Y", ["X"], [], "outcomes must be several names, not the text 'Y'"),
    ("a cycle", "X -> Y -> X", ["Y"], ["X"], [], "acyclic"),
    ("undirected", "X -- Y", ["Y"], ["X"], [], "acyclic"),
]


@pytest.mark.parametrize("text, outcomes, treatments, given, why", [row[1:] for row in REFUSED],
                         ids=[row[0] for row in REFUSED])  # fmt: skip
def test_what_is_no_question_is_refused(text, outcomes, treatments, given, why):
    with pytest.raises(QueryError) as refused:
        identify(Graph.parse(text), outcomes, treatments, given)
    assert why in str(refused.value)


def ladder(count: int) -> Graph:
    """A chain whose every second neighbours share a latent: the estimand grows with the square of the length."""
    names = node_names(count) if count <= 26 else [f"V{i:03}" for i in range(count)]
    return Graph(names, list(pairwise(names)), list(zip(names, names[2:], strict=False)))


def test_an_estimand_that_grows_too_large_is_undetermined():
    graph = ladder(120)
    with pytest.raises(BudgetError, match="the estimand grows past 20,000 parts or 48 levels"):
        identify(graph, [graph.nodes[-1]], [graph.nodes[60]])


def test_the_budget_is_one_of_parts(monkeypatch):
    asked = [ladder(10), ["J"], ["A"]]
    assert isinstance(identify(*asked), Estimand)
    monkeypatch.setattr(_laws, "MAX_PARTS", 20)
    with pytest.raises(BudgetError):
        identify(*asked)


def test_too_many_nodes_are_undetermined_and_those_that_do_not_matter_do_not_count():
    names = [f"V{i}" for i in range(MOST_NODES + 5)]
    chain = Graph(names, list(pairwise(names)))
    with pytest.raises(BudgetError, match=f"depends on {MOST_NODES + 5} nodes"):
        identify(chain, [names[-1]], [names[0]])
    assert isinstance(identify(chain, ["V2"], ["V1"]), Estimand)


@pytest.mark.parametrize("nodes, density, arcs", [(30, 0.3, 0.05), (60, 0.5, 0.0), (100, 0.1, 0.01)])
def test_larger_graphs_are_answered(nodes, density, arcs):
    """No model is enumerated here: the decision is compared, and that an answer comes at all."""
    for seed in range(4):
        rng = Random(f"large {nodes} {seed}")
        graph = random_admg(rng, nodes, density, arcs)
        x = max(graph.nodes, key=lambda name: len(graph.descendants([name])) * len(graph.ancestors([name])))
        y = sorted(graph.descendants([x]) - {x})[-1]
        expected = id_algorithm.is_identified(id_algorithm.mixed(graph), frozenset({y}), frozenset({x}))
        assert isinstance(identify(graph, [y], [x]), Estimand) == expected
