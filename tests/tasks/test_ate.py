"""ate: the deployed strategy test, the recomputed number, the reported decision."""

from fractions import Fraction

import pytest

import calverify as cv
from calverify.effects import SCM
from calverify.tasks import faultless_trace, find_task

TABLES = {
    "variables": {
        "U": {"p": 0.3},
        "X": {"parents": ["U"], "p": [0.2, 0.7]},
        "M": {"parents": ["X"], "p": [0.1, 0.6]},
        "Y": {"parents": ["M", "U"], "p": [[0.1, 0.4], [0.5, 0.9]]},
    }
}
TASK = find_task("ate")


def problem(threshold=None, tolerance=None, tables=TABLES):
    query = cv.Query("ate", ("X", "Y"), threshold=threshold, tolerance=tolerance)
    return cv.Problem("a", query, scm=SCM.from_json(tables))


def trace(adjustment='["U"]', result="0.215", answer="yes"):
    """The effect is (0.6 - 0.1) * (0.7 * 0.4 + 0.3 * 0.5) = 0.215."""
    return "\n".join(
        [
            'STEP 1 [graph_extract]: {"nodes":["U","X","M","Y"],"edges":[["U","X"],["X","M"],["M","Y"],["U","Y"]]}',
            'STEP 2 [query_id]: {"task":"ate","targets":["X","Y"]}',
            f'STEP 3 [strategy]: {{"method":"adjustment","set":{adjustment}}}',
            f'STEP 4 [identification_proof]: [{{"rule":"adjustment_formula","to":{adjustment}}}]',
            f'STEP 5 [compute]: {{"result":{result}}}',
            f'STEP 6 [answer]: {{"answer":"{answer}"}}',
            f"ANSWER: {answer}",
        ]
    )


ROWS = [
    ("right in all", '["U"]', "0.215", "yes", "111111"),
    ("within the tolerance", '["U"]', "0.235", "yes", "111111"),
    ("beyond the tolerance", '["U"]', "0.2351", "yes", "111101"),
    ("the other sign, and its word", '["U"]', "-0.2", "no", "111101"),
    ("the word does not follow from the number", '["U"]', "0.215", "no", "111110"),
    ("an open backdoor path", "[]", "0.215", "yes", "110101"),
    ("the treatment itself: deployed test and protected arms", '["U","X"]', "0.215", "yes", "111111"),
    ("a descendant: the deployed test lets it pass, the number is another", '["U","M"]', "0", "no", "111111"),
    ("an unknown name", '["Q"]', "0.215", "yes", "110101"),
    ("no number", '["U"]', '"many"', "yes", "111100"),
    ("a number in words of digits", '["U"]', '"0.215"', "yes", "111111"),
    ("a ratio", '["U"]', '"43/200"', "yes", "111111"),
]


@pytest.mark.parametrize("adjustment, result, answer, bits", [r[1:] for r in ROWS], ids=[r[0] for r in ROWS])
def test_bits(adjustment, result, answer, bits):
    found = cv.verify(problem(), trace(adjustment, result, answer))
    assert "".join(str(bit) for bit in found.bits.values()) == bits
    assert all(fault.why for fault in found.faults)


def test_no_set_stated():
    text = trace().replace(',"set":["U"]', "")
    assert cv.verify(problem(), text).bits["strategy"] == 0


def test_a_faultless_trace_scores_six_and_decides_by_the_true_effect():
    asked = problem()
    case = TASK.case(asked.scm, asked.query)
    assert list(TASK.solve(case)) == ["yes"]
    assert cv.verify(asked, faultless_trace(case, "yes")).score == 6
    assert cv.verify(asked, faultless_trace(case, "no")).score == 5
    assert TASK.explain("yes", case).witness == {"kind": "effect", "effect": 0.215, "threshold": 0}


def test_threshold_and_tolerance_are_exact():
    assert cv.verify(problem(threshold=0.215), trace(answer="no")).score == 6
    assert cv.verify(problem(tolerance=0), trace()).score == 6
    assert cv.verify(problem(tolerance=0), trace(result="0.2150001")).score == 5
    assert cv.verify(problem(tolerance="1e-7"), trace(result="0.2150001")).score == 6


def test_the_witness_is_each_stratum():
    witness = cv.verify(problem(), trace()).witness
    assert witness["kind"] == "strata"
    total = sum(Fraction(str(s["mass"])) * (Fraction(str(s["treated"])) - Fraction(str(s["control"])))
                for s in witness["strata"])  # fmt: skip
    assert total == Fraction(str(witness["psi"])) == Fraction("0.215")


def test_a_stratum_without_mass_fails_closed_with_its_name():
    tables = {"variables": {**TABLES["variables"], "X": {"parents": ["U"], "p": [0.2, 1]}}}
    found = cv.verify(problem(tables=tables), trace())
    assert found.bits["result"] == 0
    assert "X=0 never occurs" in next(fault.why for fault in found.faults if fault.slot == "result")
    assert "U=1" in found.why


def test_the_graph_of_a_problem_is_the_graph_of_its_tables():
    scm = SCM.from_json(TABLES)
    assert problem().graph == scm.graph
    with pytest.raises(cv.RecordError, match="is not the graph of the scm"):
        cv.Problem("a", cv.Query("ate", ("X", "Y")), cv.Graph.parse("X -> Y"), scm=scm)


def test_a_problem_with_tables_is_plain_json_and_back():
    record = problem(threshold=0.1).to_json()
    again = cv.Problem.from_json(record)
    assert again == problem(threshold=0.1)
    assert again.to_json() == record
    with pytest.raises(cv.RecordError, match="X"):
        cv.Problem.from_json({**record, "scm": {"variables": {"X": {"p": 1.5}}}})


def test_a_graph_alone_does_not_do():
    with pytest.raises(cv.QueryError, match="tables of a model"):
        cv.check(cv.Graph.parse("X -> Y"), cv.Query("ate", ("X", "Y")), "yes")
    asked = cv.Problem("a", cv.Query("ate", ("X", "Y")), cv.Graph.parse("X -> Y"))
    assert cv.verify(asked, trace()).bits["graph"] == 0


def test_targets_must_be_binary():
    shades = {"p": [0.2, 0.3, 0.5], "states": ["a", "b", "c"], "positive": ["c"]}
    tables = {"variables": {"X": shades, "Y": {"parents": ["X"], "p": [0.1, 0.2, 0.3]}}}
    with pytest.raises(cv.CalverifyError, match="X is not binary"):
        cv.verify(problem(tables=tables), trace())


def test_the_prompt_shows_the_tables_and_no_effect():
    text = cv.prompt(problem())
    assert "P(X=1 | U) = [0.2, 0.7]" in text
    assert "0.215" not in text
