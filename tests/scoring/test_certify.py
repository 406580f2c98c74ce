"""Strict certificates: no certified decision is wrong, and the two guards are what stands between."""

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

import calverify as cv
from calverify.effects import SCM, ate, psi
from calverify.tasks import find_task
from tests.oracles import worlds as oracle

TOLERANCE = Fraction(1, 50)


def problem(record, x="X", y="Y"):
    return cv.Problem("a", cv.Query("ate", (x, y)), scm=SCM.from_json(record))


def text_for(asked, adjustment, reported, answer):
    graph, (x, y) = asked.graph, asked.query.targets
    nodes, edges = str(list(graph.nodes)).replace("'", '"'), str([list(e) for e in graph.directed]).replace("'", '"')
    stated = str(sorted(adjustment)).replace("'", '"')
    return "\n".join(
        [
            f'STEP 1 [graph_extract]: {{"nodes":{nodes},"edges":{edges}}}',
            f'STEP 2 [query_id]: {{"task":"ate","targets":["{x}","{y}"]}}',
            f'STEP 3 [strategy]: {{"method":"adjustment","set":{stated}}}',
            f'STEP 4 [identification_proof]: [{{"rule":"adjustment","to":{stated}}}]',
            f'STEP 5 [compute]: {{"result":"{reported}"}}',
            f'STEP 6 [answer]: {{"answer":"{answer}"}}',
            f"ANSWER: {answer}",
        ]
    )


CONFOUNDED = {
    "variables": {
        "U": {"p": 0.5},
        "X": {"parents": ["U"], "p": [0.25, 0.75]},
        "Y": {"parents": ["X", "U"], "p": [[0.2, 0.4], [0.5, 0.7]]},
    }
}


def test_a_certificate_and_its_record():
    asked = problem(CONFOUNDED)
    found = cv.certify(asked, text_for(asked, {"U"}, "3/10", "yes"))
    assert found
    assert found.granted is True
    assert found.witness["psi"] == 0.3
    assert cv.Certificate.from_json(found.to_json()) == found


def test_first_guard_the_treatment_in_its_own_set():
    """Paper: in X -> Y an implementation that lets Z overwrite the arms reports zero, and would be believed."""
    asked = problem({"variables": {"X": {"p": 0.5}, "Y": {"parents": ["X"], "p": [0.2, 0.7]}}})
    overwritten = cv.certify(asked, text_for(asked, {"X"}, "0", "no"))
    assert overwritten.granted is False
    right_number = text_for(asked, {"X"}, "1/2", "yes")
    assert cv.verify(asked, right_number).score == 6
    assert "the set holds the treatment X itself" in cv.certify(asked, right_number).why


def test_second_guard_an_effect_inside_the_tolerance():
    """Paper: 0 < effect < tolerance, reported just below zero: maximum score, wrong decision, no certificate."""
    asked = problem({"variables": {"X": {"p": 0.5}, "Y": {"parents": ["X"], "p": [0.5, 0.515]}}})
    wrong = text_for(asked, set(), "-1/1000", "no")
    assert cv.verify(asked, wrong).score == 6
    assert ate(asked.scm, "X", "Y") > 0
    found = cv.certify(asked, wrong)
    assert found.granted is False
    assert "within 1/50 of the threshold 0" in found.why


def test_a_descendant_in_the_set_is_no_certificate():
    record = {
        "variables": {
            "X": {"p": 0.5},
            "Y": {"parents": ["X"], "p": [0.2, 0.7]},
            "D": {"parents": ["X"], "p": [0.1, 0.9]},
        }
    }
    asked = problem(record)
    text = text_for(asked, {"D"}, "1/2", "yes")
    assert cv.verify(asked, text).score == 6
    assert "D, a descendant of X" in cv.certify(asked, text).why


WORSE = [("ANSWER: yes", "ANSWER: no"), ("3/10", "1/2"), ("STEP 4", "STEP 9")]


@pytest.mark.parametrize("change", WORSE)
def test_less_than_six_is_no_certificate_and_says_why(change):
    asked = problem(CONFOUNDED)
    found = cv.certify(asked, text_for(asked, {"U"}, "3/10", "yes").replace(*change))
    assert found.granted is False
    assert "the score is" in found.why


def test_only_numeric_tasks_are_certified():
    asked = cv.Problem("w", cv.Query("backdoor", ("X", "Y")), cv.Graph.parse("X -> Y"))
    with pytest.raises(cv.QueryError, match="only a numeric task"):
        cv.certify(asked, "")


def test_too_large_a_text_is_undetermined():
    assert cv.certify(problem(CONFOUNDED), "x" * (1 << 21)).granted is None


def random_claim(rng):
    """A problem and a trace: any set, a number near or off what the set gives, mostly the word that follows from it."""
    world = oracle.random_world(rng, rng.randint(2, 5), rng.choice((0.4, 0.7)), 2)
    x, y = rng.sample(sorted(world), 2)
    asked = problem(oracle.as_record(world), x, y)
    adjustment = {name for name in world if rng.random() < 0.35}
    value = psi(asked.scm, x, y, adjustment).value or Fraction(0)
    reported = value + Fraction(rng.randint(-25, 25), 1000)
    word = "yes" if (reported > 0) is (rng.random() < 0.9) else "no"
    return asked, adjustment, reported, word


def audit(seeds):
    """Counts of maximum-score traces, certified ones and wrong ones, by margin; no certified one may be wrong."""
    counts = Counter()
    for seed in seeds:
        asked, adjustment, reported, word = random_claim(Random(f"certify {seed}"))
        x, y = asked.query.targets
        text = text_for(asked, adjustment, reported, word)
        if cv.verify(asked, text).score != 6:
            continue
        effect = ate(asked.scm, x, y)
        inside = abs(effect) <= TOLERANCE
        wrong = word != ("yes" if effect > 0 else "no")
        certified = cv.certify(asked, text).granted
        assert not (certified and wrong), (seed, text)
        counts["inside" if inside else "outside", "wrong" if wrong else "right", certified] += 1
        if wrong and not inside:
            assert adjustment & ({x, y} | asked.graph.strict_descendants({x})), "a third class of failure"
    return counts


def check_margins(counts):
    """Inside the band nothing is certified and decisions go wrong; outside it the guards let the rest through."""
    assert not any(certified for (where, _, certified) in counts if where == "inside")
    assert counts["inside", "wrong", False] > 0
    assert counts["outside", "right", True] > 0
    assert counts["outside", "wrong", True] == 0


def test_no_certified_decision_is_wrong():
    check_margins(audit(range(600)))


@pytest.mark.property
def test_no_certified_decision_is_wrong_in_ten_thousand_traces():
    check_margins(audit(range(10_000)))


def test_the_truth_of_the_task_is_the_effect():
    for seed in range(60):
        asked, *_ = random_claim(Random(f"truth {seed}"))
        case = find_task("ate").case(asked.scm, asked.query)
        assert next(find_task("ate").solve(case)) == ("yes" if ate(asked.scm, *asked.query.targets) > 0 else "no")
