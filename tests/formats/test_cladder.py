"""CLadder: its tables, and its published numbers wherever these follow from the tables."""

import json
import re
from collections import Counter
from functools import cache

import pytest

from calverify import errors
from calverify.effects import ate, ett, natural_direct, natural_indirect, probability, psi
from calverify.formats import scm_from_cladder
from calverify.graphs import Graph

FORK = {"p(X)": 0.3, "p(V2)": [0.4], "p(Y | X, V2)": [[0.1, 0.6], [0.4, 0.9]]}


def test_tables_and_structure():
    scm = scm_from_cladder(FORK, "X->Y,V2->Y")
    assert scm.graph == Graph.parse("X -> Y <- V2")
    assert scm.to_json()["variables"]["V2"] == {"parents": [], "p": 0.4}
    assert scm.to_json()["variables"]["Y"] == {"parents": ["X", "V2"], "p": [[0.1, 0.6], [0.4, 0.9]]}


REFUSED = [
    ([], None, "CLadder's params must be an object, not []"),
    ({"X": 0.5}, None, "CLadder's params hold 'X'; expected \"p(CHILD | PARENT, PARENT)\""),
    ({"p(X | )": 0.5}, None, "a name is empty"),
    ({"p(X)": 0.5, "P(X)": 0.5}, None, "variable X: CLadder's params hold two tables for it"),
    ({"p(X)": [0.5, 0.5]}, None, "variable X: the probability [0.5, 0.5] is not a number"),
    ({"p(Y | X)": [0, 1]}, None, "variable Y: its parent X is no variable of the model (Y)"),
    (FORK, 7, "CLadder's structure must be a text, not 7"),
    (FORK, "X->Y", "CLadder's tables say X -> Y, V2 -> Y, and its structure says X -> Y"),
]


@pytest.mark.parametrize(("params", "structure", "why"), REFUSED)
def test_refused(params, structure, why):
    with pytest.raises(errors.CalverifyError, match=re.escape(why)):
        scm_from_cladder(params, structure)


# ---------------------------------------------------------------- the published numbers

ASKED = {
    "ATE(Y | X)": lambda scm: ate(scm, "X", "Y"),
    "ETT(Y | X)": lambda scm: ett(scm, "X", "Y"),
    "NDE(Y | X)": lambda scm: natural_direct(scm, "X", "Y"),
    "NIE(Y | X)": lambda scm: natural_indirect(scm, "X", "Y"),
    **{f"P(Y=1 | X={x})": lambda scm, x=x: probability(scm, {"Y": 1}, {"X": x}) for x in (0, 1)},
    **{f"P({v}=1)": lambda scm, v=v: probability(scm, {v: 1}) for v in ("V1", "V2", "V3", "X", "Y")},
}
# The generator multiplies parents' marginals as if parents were independent; these are the quantities that it spoils.
SPOILED = {
    **{quantity: {"arrowhead"} for quantity in list(ASKED)[:6]},
    "P(Y=1)": {"IV", "arrowhead", "confounding", "diamond", "diamondcut", "frontdoor", "mediation"},
}


@pytest.fixture(scope="module")
def models(data_dir):
    records = json.loads((data_dir / "cladder" / "test-model-meta.json").read_text(encoding="utf-8"))
    return [(record, scm_from_cladder(record["params"], record["structure"])) for record in records]


def close(one, other) -> bool:
    return abs(one - other) < 1e-9


def as_if_independent(record, x: int | None = None) -> float:
    """P(Y=1), with X set where it is given, by multiplying marginals: what the generator does."""
    tables = {}
    for head, table in record["params"].items():
        child, _, parents = head[2:-1].partition(" | ")
        tables[child] = (parents.split(", ") if parents else [], table)

    @cache
    def one(name: str) -> float:
        if name == "X" and x is not None:
            return x
        parents, table = tables[name]
        return unfold([one(parent) for parent in parents], table)

    def unfold(chances: list[float], table) -> float:
        if not chances:
            return table[0] if isinstance(table, list) else table
        return (1 - chances[0]) * unfold(chances[1:], table[0]) + chances[0] * unfold(chances[1:], table[1])

    return one("Y")


@pytest.mark.parametrize("quantity", ASKED)
def test_every_published_number_that_follows_from_the_tables(models, quantity):
    judged = Counter()
    for record, scm in models:
        if quantity in record["groundtruth"]:
            spoiled = record["graph_id"] in SPOILED.get(quantity, ())
            judged[spoiled] += 1
            right = close(ASKED[quantity](scm), record["groundtruth"][quantity])
            assert right or spoiled, record["model_id"]
            if spoiled and record["equation_type"] == "bernoulli":
                assert not right, record["model_id"]
    assert judged[False] >= 63


def test_the_other_numbers_follow_from_independent_parents(models):
    for record, _ in models:
        truth = record["groundtruth"]
        assert close(as_if_independent(record), truth["P(Y=1)"])
        if record["graph_id"] == "arrowhead":
            arms = [as_if_independent(record, x) for x in (0, 1)]
            assert close(arms[0], truth["P(Y=1 | X=0)"])
            assert close(arms[1] - arms[0], truth["ATE(Y | X)"])


def test_backdoor_sets_give_the_effect(models):
    """V1 blocks the one backdoor path of confounding, V3 that of diamondcut."""
    for record, scm in models:
        z = {"confounding": ["V1"], "diamondcut": ["V3"], "IV": ["V1"], "frontdoor": ["V1"]}.get(record["graph_id"], [])
        found = psi(scm, "X", "Y", z)
        assert found.gap is not None or found.value == ate(scm, "X", "Y")
        assert found.gap is None or record["equation_type"] == "deterministic"


def test_there_is_something_to_check(models):
    assert len(models) == 218
    assert all(scm.binary for _, scm in models)
