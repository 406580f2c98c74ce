"""Recovered graphs: the paper's two examples, and a recount straight from the texts of traces."""

import json
import re
from fractions import Fraction

import pytest

import calverify as cv
from calverify.evaluation import recovery_of as recovered
from calverify.evaluation import study_of
from tests.evaluation.readings import SPOILT, frozen_readings, told
from tests.evaluation.studies import by_hand
from tests.oracles import criteria
from tests.sheets import sheet_of

QUERY = cv.Query("backdoor", ("X", "Y"))


def of(own: str, source: str, answer: frozenset[str], query: cv.Query = QUERY):
    """The recovery of a faultless trace that read `own`."""
    truth, read = cv.Graph.parse(source), cv.Graph.parse(own)
    problem = cv.Problem("p", query, legend=sorted(truth.node_set | read.node_set))
    verdict = cv.verify(problem, sheet_of(cv.Problem("p", query, read), answer).text())
    return recovered(verdict, query, truth, cv.check(truth, query, answer).valid)


def test_edge_f1_may_be_low_where_the_signature_is_kept():
    """The paper's proposition: n disconnected pairs turned round."""
    own = ", ".join(["X -> Y", *[f"B{i} -> A{i}" for i in range(9)]])
    source = ", ".join(["X -> Y", *[f"A{i} -> B{i}" for i in range(9)]])
    found = of(own, source, frozenset())
    assert (found.edge_f1, found.exact, found.signature, found.carries) == (Fraction(1, 10), False, True, True)


def test_edge_f1_may_be_high_where_the_signature_is_lost():
    more = ", ".join(f"C{i} -> D{i}" for i in range(9))
    found = of(f"W -> X, X -> Y, {more}", f"W -> X, W -> Y, X -> Y, {more}", frozenset())
    assert found.edge_f1 == Fraction(2 * 11, 2 * 11 + 1)
    assert (found.exact, found.signature, found.carries) == (False, False, False)


ROWS = [
    ("the graph itself", "U -> X, U -> Y, X -> Y", "U -> X, U -> Y, X -> Y", "U", (1, True, True, True)),
    ("an isolated node more", "U -> X, U -> Y, X -> Y, Q", "U -> X, U -> Y, X -> Y", "U", (1, True, True, True)),
    ("a hidden cause for an edge", "U <-> X, U -> Y, X -> Y", "U -> X, U -> Y, X -> Y", "U",
     (Fraction(2, 3), False, True, True)),
    ("a node that the source lacks", "Q -> X, Q -> Y, X -> Y", "U -> X, U -> Y, X -> Y, Q", "Q",
     (Fraction(1, 3), False, False, False)),
    ("a mediator read as a confounder", "M -> X, M -> Y, X -> Y", "X -> M -> Y, X -> Y", "M",
     (Fraction(2, 3), False, False, False)),
]  # fmt: skip


@pytest.mark.parametrize("own, source, names, expected", [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_rows(own, source, names, expected):
    found = of(own, source, frozenset(names))
    assert (found.edge_f1, found.exact, found.signature, found.carries) == expected


def test_other_tasks_have_no_signature_but_a_verdict():
    query = cv.Query("mediator", ("X", "M", "Y"))
    truth, read = cv.Graph.parse("X -> Y, M -> Y"), cv.Graph.parse("X -> M -> Y")
    problem = cv.Problem("p", query, legend=("X", "M", "Y"))
    verdict = cv.verify(problem, sheet_of(cv.Problem("p", query, read), "yes").text())
    found = recovered(verdict, query, truth, False)
    assert (found.signature, found.carries) == (None, False)
    assert recovered(verdict, query, truth, None).carries is None


def test_no_graph_no_recovery():
    problem = cv.Problem("p", QUERY, legend=("X", "Y"))
    assert recovered(cv.verify(problem, SPOILT), QUERY, cv.Graph.parse("X -> Y"), False) is None


def test_supplied_graphs_are_not_recovered():
    problem = cv.Problem("p", QUERY, cv.Graph.parse("U -> X, U -> Y, X -> Y"))
    study = by_hand(problem, [[sheet_of(problem, frozenset("U")).text()]])
    assert study.units[0].recovered == ()


# ---------------------------------------------------------------- a recount from the texts


def stated(text: str) -> cv.Graph | None:
    """The graph of the first slot, by a reader of the test's own."""
    line = re.search(r"STEP 1 \[\w+\]: (\{.*\})", text)
    if line is None:
        return None
    body = json.loads(line[1])
    return cv.Graph(body["nodes"], body["edges"])


def test_a_study_holds_what_a_recount_finds():
    items = {item.problem.id: item for item in told()}
    archive = frozen_readings(told())
    study = study_of(archive, {name: item.key for name, item in items.items()}, ["first"])
    seen = set()
    for unit in study.units:
        item, texts = items[unit.problem], study.pools[unit.problem, 0].texts
        x, y = item.problem.query.targets
        assert len(unit.recovered) == len(texts)
        for text, found, right in zip(texts, unit.recovered, unit.correct, strict=True):
            own, source = stated(text), item.key.graph
            if own is None:
                assert found is None
                continue
            ours, theirs = set(own.directed), set(source.directed)
            assert found.edge_f1 == Fraction(2 * len(ours & theirs), len(ours) + len(theirs))
            assert found.exact is (ours == theirs)
            answer = frozenset(json.loads(re.search(r"STEP 6 \[\w+\]: (\{.*\})", text)[1])["answer"])
            assert right is criteria.backdoor(source, x, y)(answer)
            assert found.carries is (criteria.backdoor(own, x, y)(answer) is right)
            if found.signature:  # the theorem: equal signatures, equal verdicts
                assert found.carries
            seen.add((found.exact, found.signature, found.carries, right))
    assert {(True, True, True, True), (False, True, True, True), (False, False, False, False)} <= seen


def test_a_prefix_keeps_its_recoveries():
    items = {item.problem.id: item for item in told()}
    study = study_of(frozen_readings(told()), {name: item.key for name, item in items.items()}, ["first"])
    for whole, cut in zip(study.units, study.prefix(2).units, strict=True):
        assert cut.recovered == whole.recovered[:2]
