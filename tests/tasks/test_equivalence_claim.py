"""equivalence_claim: a relation in every dag of a class, against all orientations; a no needs a member without it."""

from random import Random

import pytest

import calverify as cv
from calverify.tasks import faultless_trace, find_task
from calverify.tasks.equivalence_claim import RELATIONS
from tests.known import random_graph
from tests.oracles.relations import every_dag
from tests.sheets import bits, read_sheet

TASK = find_task("equivalence_claim")


def asked(graph, relation, a, b):
    return cv.Problem("p", cv.Query("equivalence_claim", (a, b), formula=(("relation", relation),)), graph)


def meaning(edges, relation, a, b):
    """The relations once more, on plain edges."""

    def beyond(start, stop):
        reached, queue = set(), [head for tail, head in edges if tail == start and head != stop]
        while queue:
            node = queue.pop()
            if node not in reached:
                reached.add(node)
                queue += [head for tail, head in edges if tail == node]
        return stop in reached

    nodes = {end for edge in edges for end in edge}
    return {
        "parent": (a, b) in edges,
        "child": (b, a) in edges,
        "indirect_cause": beyond(a, b),
        "indirect_effect": beyond(b, a),
        "common_effect": any((a, c) in edges and (b, c) in edges for c in nodes),
        "common_cause": any((c, a) in edges and (c, b) in edges for c in nodes),
    }[relation]


def class_by_separation(graph):
    """The dags with the same d-separations, by asking each for all of them."""
    facts = independences(graph)
    return [
        dag
        for dag in every_dag(tuple(sorted(graph.nodes)))
        if independences(cv.Graph(graph.nodes, dag.directed)) == facts
    ]


def independences(graph):
    names = sorted(graph.nodes)
    found = set()
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            rest = [name for name in names if name not in (a, b)]
            for mask in range(1 << len(rest)):
                given = frozenset(name for at, name in enumerate(rest) if mask >> at & 1)
                if cv.separated(graph, {a}, {b}, given=given):
                    found.add((a, b, given))
    return found


@pytest.mark.parametrize("seed", range(6))
def test_against_every_dag_with_the_same_separations(seed):
    rng = Random(seed)
    graph = random_graph(rng, "dag", 4, 4)
    same = class_by_separation(graph)
    for relation in RELATIONS:
        a, b = rng.sample(graph.nodes, 2)
        problem = asked(graph, relation, a, b)
        case = TASK.case(graph, problem.query)
        truth = all(meaning(set(dag.directed), relation, a, b) for dag in same)
        assert case.state.members == len(same)
        assert list(TASK.solve(case)) == ["yes" if truth else "no"]
        shown = [dag for dag in same if not meaning(set(dag.directed), relation, a, b)]
        for dag in shown[:3]:
            text = faultless_trace(case, "no")
            sheet = read_sheet(text)
            stated = {"nodes": list(graph.nodes), "edges": [list(edge) for edge in dag.directed]}
            assert (
                cv.verify(problem, sheet.but(strategy={"method": "counter_model", "graph": stated}).text()).score == 6
            )


GRAPH = cv.Graph.parse("A -> C <- B, C -> D")
CHAIN = cv.Graph.parse("A -> B -> C")


def test_any_member_may_stand_in_the_graph_slot():
    problem = asked(CHAIN, "parent", "A", "B")
    case = TASK.case(CHAIN, problem.query)
    sheet = read_sheet(faultless_trace(case, "no"))
    for edges, fine in [
        ([["C", "B"], ["B", "A"]], True),
        ([["B", "A"], ["B", "C"]], True),
        ([["A", "B"], ["C", "B"]], False),
        ([["A", "B"]], False),
        ([["A", "B"], ["B", "C"], ["A", "C"]], False),
    ]:
        found = cv.verify(problem, sheet.but(graph={"nodes": ["A", "B", "C"], "edges": edges}).text())
        assert found.bits["graph"] == int(fine), edges
        assert found.score == 5 + fine


def test_a_no_needs_a_member_in_which_it_fails():
    problem = asked(CHAIN, "parent", "A", "B")
    sheet = read_sheet(faultless_trace(TASK.case(CHAIN, problem.query), "no"))
    rows = [
        ({"method": "counter_model"}, "a no needs a witness"),
        ({"graph": {"nodes": ["A", "B", "C"], "edges": [["A", "B"], ["B", "C"]]}}, "it does hold"),
        (
            {"graph": {"nodes": ["A", "B", "C"], "edges": [["B", "A"], ["C", "B"], ["C", "A"]]}},
            "A and C are not adjacent",
        ),
        ({"graph": {"nodes": ["A", "B", "C"], "edges": [["B", "A"], ["C", "A"]]}}, "are not adjacent"),
    ]
    for strategy, why in rows:
        found = cv.verify(problem, sheet.but(strategy=strategy).text())
        assert bits(found) == "110111", strategy
        assert why in found.faults[0].why


def test_a_swapped_answer_leaves_three():
    for graph, relation, a, b in [(GRAPH, "indirect_cause", "A", "D"), (CHAIN, "parent", "A", "B")]:
        problem = asked(graph, relation, a, b)
        case = TASK.case(graph, problem.query)
        word = next(TASK.solve(case))
        text = faultless_trace(case, word)
        assert cv.verify(problem, text).score == 6
        other = "no" if word == "yes" else "yes"
        assert cv.verify(problem, read_sheet(text).swapped(other).text()).score == 3


REFUSED = [
    ("no relation", CHAIN, (), cv.QueryError, "one pair of 'relation'"),
    ("an unknown one", CHAIN, (("relation", "friend"),), cv.QueryError, "one pair of 'relation'"),
    ("an admg", cv.Graph.parse("A <-> B"), (("relation", "parent"),), cv.GraphError, "needs a dag"),
]


@pytest.mark.parametrize("graph, formula, error, why", [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_what_cannot_be_asked_is_refused(graph, formula, error, why):
    with pytest.raises(error, match=why):
        cv.verify(cv.Problem("p", cv.Query("equivalence_claim", ("A", "B"), formula=formula), graph), "ANSWER: yes")


def test_a_class_that_is_too_large_is_undetermined():
    names = [f"N{i}" for i in range(7)]
    edges = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    query = cv.Query("equivalence_claim", ("N0", "N1"), formula=(("relation", "parent"),))
    with pytest.raises(cv.BudgetError, match="over 1,000 members"):
        cv.check(cv.Graph(names, edges), query, "no")


def test_a_graph_of_the_traces_own():
    problem = cv.Problem("p", asked(CHAIN, "parent", "A", "B").query, text="A tale.", legend=("A", "B", "C"))
    text = faultless_trace(TASK.case(CHAIN, problem.query), "no")
    assert cv.verify(problem, text).score == 6


def test_the_prompt_states_no_edge():
    text = cv.prompt(asked(GRAPH, "common_effect", "A", "B"))
    assert "A->C" not in text
    assert "some variable is a direct effect of both A and B" in text
