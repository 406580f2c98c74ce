"""counterfactual: what would have been, where the tables hold only 0 and 1; against counted unit types."""

from itertools import product
from random import Random

import pytest

import calverify as cv
from calverify.effects import SCM
from tests.sheets import Sheet, bits

CHAIN = {"X": {"p": 0.5}, "V": {"parents": ["X"], "p": [1, 0]}, "Y": {"parents": ["X", "V"], "p": [[0, 1], [1, 1]]}}


def problem(tables, targets, given=(), **states):
    query = cv.Query("counterfactual", targets, given=given, formula=tuple(states.items()))
    return cv.Problem("p", query, scm=SCM.from_json({"variables": tables}))


def word(asked):
    case = cv.find_task("counterfactual").case(asked.scm, asked.query)
    return next(cv.find_task("counterfactual").solve(case))


def trace(asked, said):
    return Sheet(
        graph={"nodes": list(asked.graph.nodes), "edges": [list(edge) for edge in asked.graph.directed]},
        query={"task": "det_counterfactual", "targets": list(asked.query.targets)},
        strategy={"method": "abduction"},
        derivation=[{"rule": "prediction", "to": asked.query.targets[1]}],
        result={"result": said},
        answer={"answer": said},
        line=said,
    ).text()


ROWS = [
    ("set to 0: V is 1, so Y is 1", ("X", "Y"), (), {"X": "0"}, "yes"),
    ("set to 1", ("X", "Y"), (), {"X": "1"}, "yes"),
    ("V set to 0 where X is seen 0", ("V", "Y"), ("X",), {"V": "0", "X": "0"}, "no"),
    ("V set to 0 where X is seen 1", ("V", "Y"), ("X",), {"V": "0", "X": "1"}, "yes"),
    ("the other state is asked about", ("V", "Y"), ("X",), {"V": "0", "X": "0", "Y": "0"}, "yes"),
    ("the effect of Y on its cause: none", ("Y", "X"), ("V",), {"Y": "0", "V": "1", "X": "0"}, "yes"),
]


@pytest.mark.parametrize("targets, given, states, said", [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_a_row(targets, given, states, said):
    asked = problem(CHAIN, targets, given, **states)
    assert word(asked) == said
    other = "no" if said == "yes" else "yes"
    assert bits(cv.verify(asked, trace(asked, said))) == "111111"
    assert bits(cv.verify(asked, trace(asked, other))) == "110100"
    assert "in every world" in cv.verify(asked, trace(asked, said)).why


def test_against_all_worlds():
    """Random tables of 0 and 1: worlds listed by hand, X forced in a second pass."""
    told = 0
    for seed in range(200):
        rng = Random(seed)
        parents = {"A": [], "B": [], "C": ["A", "B"], "D": ["A", "C"], "E": ["D", "B"]}
        table = {
            name: {row: rng.randint(0, 1) for row in product((0, 1), repeat=len(above))}
            for name, above in parents.items()
        }

        def run(a, b, forced, table=table, parents=parents):
            at = {}
            for name, above in parents.items():
                at[name] = {"A": a, "B": b}.get(name, table[name][tuple(at[p] for p in above)] if above else 0)
                at[name] = forced.get(name, at[name])
            return at

        x, y, seen = rng.sample(list(parents), 3)
        state, held = rng.randint(0, 1), rng.randint(0, 1)
        ends = {run(a, b, {x: state})[y] for a, b in product((0, 1), repeat=2) if run(a, b, {})[seen] == held}
        tables = {
            name: {"p": "1/2"}
            if not above
            else {"parents": above, "p": [[table[name][i, j] for j in (0, 1)] for i in (0, 1)]}
            for name, above in parents.items()
        }
        asked = problem(tables, (x, y), (seen,), **{x: str(state), seen: str(held)})
        if len(ends) == 1:
            told += 1
            assert word(asked) == ("yes" if ends == {1} else "no")
        else:
            with pytest.raises(cv.QueryError, match="does not settle" if ends else "never occurs"):
                word(asked)
    assert told > 50


def test_chance_is_refused():
    tables = {**CHAIN, "V": {"parents": ["X"], "p": [0.5, 0]}}
    with pytest.raises(cv.QueryError, match="leaves it to chance: 1/2"):
        word(problem(tables, ("X", "Y")))


def test_the_question():
    query = cv.Query("counterfactual", ("X", "Y"), given=("V",), formula=(("X", "0"),))
    asked = cv.find_task("counterfactual").question(query)
    assert asked == "Given that V = 1, would it be that Y = 1, had it been that X = 0? Answer yes or no."
