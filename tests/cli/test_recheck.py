"""`calverify recheck`, and the proofs that check and explain print for it."""

import json

import pytest

from tests.cli.conftest import EXAMPLE


def proof(run, answer):
    return run("check", *EXAMPLE, "--answer", answer, "--proof")


@pytest.mark.parametrize(("answer", "code"), [("U", 0), ("M", 1), ("Q", 1)])
def test_a_proof_rechecks(run, answer, code):
    """From one command into the other; check still leaves with its verdict."""
    made = proof(run, answer)
    assert made.code == code
    assert made.json["valid"] is (code == 0)
    done = run("recheck", stdin=made.out.encode())
    assert (done.code, done.err) == (0, "")
    assert done.out == "  1  proved  (command line)\n1 of 1 proved\n"


def test_explain_proves_what_the_trace_says(run, folder):
    """On the problem's graph, under the problem's id."""
    made = run("explain", "--problem", "problem.json", "trace.txt", "--proof")
    assert (made.json["problem"]["id"], made.json["answer"], made.json["valid"]) == ("w1", ["U"], True)
    assert run("recheck", "--json", stdin=made.out.encode()).json == [{"problem": "w1", "proved": True, "why": None}]


def test_a_trace_is_proved_on_its_own_graph(run, folder, problem):
    """Constructed mode: the record holds the graph that the trace states."""
    (folder / "open.json").write_text(json.dumps({**problem.to_json(), "graph": None}))
    made = run("explain", "--problem", "open.json", "trace.txt", "--proof")
    assert made.json["problem"]["graph"]["nodes"] == list(problem.graph.nodes)
    assert run("recheck", stdin=made.out.encode()).code == 0


EFFECT = {
    "id": "e", "query": {"task": "ate", "targets": ["X", "Y"]},
    "scm": {"variables": {"X": {"p": 0.5}, "Y": {"parents": ["X"], "p": [0.2, 0.7]}}},
}  # fmt: skip
CLAIM = """
STEP 1 [graph_extract]: {"nodes":["X","Y"],"edges":[["X","Y"]]}
STEP 2 [query_id]: {"task":"ate","targets":["X","Y"]}
STEP 3 [strategy]: {"method":"adjustment","set":[]}
STEP 4 [identification_proof]: [{"rule":"adjustment_formula","to":[]}]
STEP 5 [compute]: {"result":0.5}
STEP 6 [answer]: {"answer":"yes"}
ANSWER: yes
"""


def test_a_certificate_is_proved(run, folder):
    """Of a numeric trace the whole claim, with the strata."""
    (folder / "effect.json").write_text(json.dumps(EFFECT))
    made = run("explain", "--problem", "effect.json", "--proof", stdin=CLAIM.encode())
    assert made.json["answer"] == {"set": [], "effect": 0.5, "answer": "yes"}
    assert made.json["witness"]["kind"] == "certificate"
    assert run("recheck", stdin=made.out.encode()).code == 0
    wrong = {**made.json, "answer": {**made.json["answer"], "effect": 0.6}}
    assert run("recheck", stdin=json.dumps(wrong).encode()).code == 1


def test_without_an_answer_there_is_nothing_to_prove(run, folder):
    done = run("explain", "--problem", "problem.json", "--proof", stdin=b"no idea")
    assert (done.code, done.out) == (2, "")
    assert "nothing to prove" in done.err


def test_a_damaged_proof_is_refused(run):
    damaged = json.loads(proof(run, "M").out)
    damaged["witness"]["path"] = ["X", "P"]
    done = run("recheck", stdin=json.dumps(damaged).encode())
    assert done.code == 1
    assert done.out == "  1  refused  (command line): the witness does not show the verdict\n0 of 1 proved\n"


@pytest.mark.parametrize("form", ["lines", "list"])
def test_many_proofs_at_once(run, form):
    """A JSON list or one record a line; each is told by its place."""
    good, bad = json.loads(proof(run, "U").out), {**json.loads(proof(run, "U").out), "valid": False}
    text = json.dumps([good, bad]) if form == "list" else f"{json.dumps(good)}\n\n{json.dumps(bad)}\n"
    done = run("recheck", "--json", stdin=text.encode())
    assert done.code == 1
    assert [one["proved"] for one in done.json] == [True, False]
    assert "opposite verdict" in done.json[1]["why"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "no proof"),
        (b"\n\n", "no proof"),
        (b"{", "not JSON"),
        (b'{"valid": true, "valid": false}', "stands twice"),
        (b'{"valid": NaN}', "NaN"),
        (b"{}\n{", "line 2"),
        (b"[" * 100_000, "not JSON"),
    ],
)
def test_unusable_files_are_usage_errors(run, text, said):
    done = run("recheck", stdin=text)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_a_refused_record_without_a_problem_is_told_by_its_place(run):
    done = run("recheck", stdin=b"{}")
    assert done.out == "  1  refused  the fields must be problem answer valid why witness\n0 of 1 proved\n"


def test_what_is_no_record_is_refused(run):
    """JSON, but no proof: that is a failed recheck."""
    done = run("recheck", "--json", stdin=b'[1, null, {"problem": {"id": "x"}}]')
    assert done.code == 1
    assert [one["problem"] for one in done.json] == ["", "", "x"]


def test_margin_is_shown_on_request(run, folder):
    """In words, and as data."""
    words = run("explain", "--problem", "problem.json", "wrong.txt", "--margin")
    assert "margin 2 edge edits flip the verdict: delete U -> X, delete X -> M" in words.out
    data = run("explain", "--problem", "problem.json", "wrong.txt", "--margin", "--json")
    assert data.json["edit_margin"]["count"] == 2
    assert "edit_margin" not in run("explain", "--problem", "problem.json", "wrong.txt", "--json").json
