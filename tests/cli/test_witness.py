"""Witnesses on the terminal: what a person can check by hand is written as a person writes it."""

import json

import pytest

FORK = {"nodes": ["Z", "X", "Y"], "directed": [["Z", "X"], ["Z", "Y"], ["X", "Y"]]}
BOW = {"nodes": ["X", "Y"], "directed": [["X", "Y"]], "bidirected": [["X", "Y"]]}
TABLES = {"U": {"p": 0.3}, "X": {"parents": ["U"], "p": [0.2, 1]},
          "Y": {"parents": ["X", "U"], "p": [[0.1, 0.4], [0.5, 0.9]]}}  # fmt: skip
STRATEGY = 'STEP 3 [strategy]: {"set":["U"]}\nSTEP 5 [compute]: {"result":0.43}\n'


def problem(task, **parts):
    return {"id": "p", "text": "", "query": {"task": task, "targets": ["X", "Y"]}, **parts}


ROWS = [
    ("a derivation", problem("identification", graph=FORK), "", "sum_{Z} P(Y|X,Z) P(Z)", """\
witness
  kind     derivation
  steps
         P(Y | do(X))
      1. = sum_{Z} P(Y | do(X), Z) P(Z | do(X))
           conditioning (total probability)
      2. = sum_{Z} P(Y | do(X), Z) P(Z)
           rule 3: insertion/deletion of actions
           since Z and X are separated by nothing given when arrows into X are cut
      3. = sum_{Z} P(Y | X, Z) P(Z)
           rule 2: action/observation exchange
           since Y and X are separated by {Z} when arrows out of X are cut
  agreement equal on 2 random models too; a wrong formula passes once in 2^99 or less
"""),
    ("a counter-model", problem("identification", graph=FORK), "", "P(Y|X)", """\
  at       X=0, Y=1
  candidate_value 5/7
  target_value 13/20
  model
    P(Z=1): 1/2
    P(X=1 | Z): 4/5, 1/2
    P(Y=1 | Z, X): 1/2, 1/2, 4/5, 1/2
"""),
    ("two models", problem("identification", graph=BOW), "", "not identifiable", """\
  apart
    model 1, where the effect is 1/2 at X=1, Y=1
      U1 (behind Y <-> X), values 0..1: 1/2, 1/2
      P(X=1 | U1): 0, 1
      P(Y=1 | X, U1): 1/4, 3/4, 3/4, 1/4
    model 2, where the effect is 1/4 at X=1, Y=1
      U1 (behind Y <-> X), values 0..1: 1/2, 1/2
      P(X=1 | U1): 0, 1
      P(Y=1 | X, U1): 1/4, 1/4, 1/4, 1/4
"""),
    ("strata, one without an arm", problem("ate", scm={"variables": TABLES}), STRATEGY, "yes", """\
  strata
    U=0: mass 0.7, treated 0.5, control 0.1
    U=1: mass 0.3, treated 0.9, control never occurs
  psi      null
"""),
    ("a path", problem("backdoor", graph=FORK), "", "{}", """\
  path     X <- Z -> Y
"""),
]  # fmt: skip


@pytest.mark.parametrize("asked, slots, answer, lines", [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_a_witness_is_written_for_a_reader(run, tmp_path, asked, slots, answer, lines):
    (tmp_path / "problem.json").write_text(json.dumps(asked), "utf-8")
    done = run("explain", "--problem", str(tmp_path / "problem.json"), stdin=f"{slots}ANSWER: {answer}".encode())
    assert lines in done.out
