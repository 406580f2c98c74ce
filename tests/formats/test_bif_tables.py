"""BIF with its tables: exact decimals, rounded rows, refusals, and the bnlearn networks."""

import gzip
import re
from collections import Counter
from fractions import Fraction
from itertools import product
from math import isclose

import pytest

from calverify import errors
from calverify.effects import SCM, ate, interventional, probability, psi
from calverify.formats import from_bif, scm_from_bif

A = "variable A { type discrete [ 2 ] { yes, no }; }\n"
B = "variable B { type discrete [ 3 ] { <5, 5-12, Asy/Patch }; }\n"
PA = "probability ( A ) { table 0.01, 0.99; }\n"
PB = "probability ( B | A ) {\n  (no) 0.2, 0.8, 0;\n  (yes) 0.1, 9e-1, 0.0;\n}\n"


def rows(text: str, name: str = "A"):
    return scm_from_bif(text)[name].rows


# ---------------------------------------------------------------- reading


@pytest.mark.parametrize("text", [A + B + PA + PB, PB + PA + B + A, "network n { property x y; }" + A + B + PA + PB])
def test_rows_stand_in_the_order_of_the_states(text):
    scm = scm_from_bif(text)
    assert scm["B"].states == ("<5", "5-12", "Asy/Patch")
    assert scm["B"].rows == [
        (Fraction(1, 10), Fraction(9, 10), Fraction(0)),
        (Fraction(1, 5), Fraction(4, 5), Fraction(0)),
    ]
    assert scm.graph == from_bif(text)


def test_the_first_state_counts_as_one_unless_it_is_said():
    text = A + B + PA + PB
    assert probability(scm_from_bif(text), {"A": 1}) == Fraction(1, 100)
    scm = scm_from_bif(text, positive={"A": "no", "B": ["<5", "5-12"]})
    assert probability(scm, {"A": 1}) == Fraction(99, 100)
    assert probability(scm, {"B": 1}) == 1


ROUNDED = [
    ("0.3333333, 0.3333333, 0.3333333", (Fraction(1, 3),) * 3),
    ("0.33, 0.33, 0.33", (Fraction(1, 3),) * 3),
    ("0.25, 0.25, 0.51", (Fraction(25, 101), Fraction(25, 101), Fraction(51, 101))),
    ("1.0, 0, 0", (Fraction(1), Fraction(0), Fraction(0))),
    ("1e-7, 0.4999999, .5", (Fraction(1, 10**7), Fraction(4999999, 10**7), Fraction(1, 2))),
]
NOT_ROUNDED = ["0.3, 0.3, 0.3", "1, 1, 0", "0, 0, 0", "0.333, 0.333, 0.332", "0.5, 0.3, 0.18", "0.20, 0.3, 0.8"]
THREE = "variable A {{ type discrete [ 3 ] {{ a, b, c }}; }} probability ( A ) {{ table {}; }}"


@pytest.mark.parametrize(("numbers", "row"), ROUNDED)
def test_a_rounded_row_is_divided_by_its_sum(numbers, row):
    assert rows(THREE.format(numbers)) == [row]


@pytest.mark.parametrize("numbers", NOT_ROUNDED)
def test_a_row_off_by_more_than_rounding_is_refused(numbers):
    with pytest.raises(errors.RecordError, match=r"BIF line 1: variable A: a row sums to '.*'; expected 1"):
        scm_from_bif(THREE.format(numbers))


def test_two_numbers_cannot_be_rounded_off_one():
    with pytest.raises(errors.RecordError, match="sums to '199/200'"):
        scm_from_bif(A + PA.replace("0.99", "0.985"))


# ---------------------------------------------------------------- refusals

REFUSED = [
    ("nonsense", "line 1: unexpected 'nonsense'; expected 'network', 'variable' or 'probability'"),
    (A + A, "line 2: variable A is declared twice"),
    (A, "variable A has no probability block"),
    (PA, "a probability block names 'A', which has no variable block"),
    (A + PA + PA, "line 3: variable A has two probability blocks"),
    (A + PA + B + "probability ( B | C ) { }", "names 'C', which has no variable block"),
    ("variable A { }" + PA, "line 1: variable A lists no states"),
    ("variable A { type discrete [ 3 ] { yes, no }; }" + PA, "line 1: variable A lists 2 states; expected '3'"),
    ("variable A { type continuous; }", "line 1: variable A is 'continuous'; expected 'discrete'"),
    ("variable A { property x ", "the text ends; expected ';'"),
    ("variable A { type discrete [ 2 ] { yes, yes }; }" + PA, "variable A: the state 'yes' is listed twice"),
    ("variable A { type discrete [ 1 ] { yes }; } probability ( A ) { table 1; }", "variable A: 1 states"),
    (A + "probability ( A ) { }", "line 2: variable A: no row for its parents ()"),
    (A + "probability ( A ) { default 0.5, 0.5; }", "line 2: 'default' in the block of A; expected 'table'"),
    (A + "probability ( A ) { table 0.5, 0.4, 0.1; }", "line 2: variable A: a row of 3 numbers; expected 2"),
    (A + "probability ( A ) { table 0.5, x; }", "line 2: variable A: 'x' is not a probability"),
    (A + "probability ( A ) { table 0.5, 1e99999; }", "line 2: variable A: '1e99999' is not a probability"),
    (A + "probability ( A ) { table 1.5, -0.5; }", "line 2: variable A: the probability '-0.5' is negative"),
    (A + "probability ( A ) { table 0.5, 0.4; }", "line 2: variable A: a row sums to '9/10'"),
    (A + "probability ( A ) { table 0.5 0.5; }", "line 2: unexpected '0.5'; expected ';'"),
    (A + PA + B + PB.replace("(no)", "(maybe)"), "line 5: variable B: 'maybe' is no state of its parent A"),
    (A + PA + B + PB.replace("(no)", "(no, no)"), "line 5: variable B: a row for 2 parents; expected 1"),
    (A + PA + B + PB.replace("(no)", "(yes)"), "line 6: variable B: a second row for (yes)"),
    (A + PA + B + "probability ( B | A ) { (yes) 1, 0, 0; }", "line 4: variable B: no row for its parents (no)"),
    (A + PA + B + "probability ( B | A ) { table 1, 0, 0; }", "'table' in the block of B; expected a row"),
    (A + PA + B + "probability ( B | A, A ) { (yes, no) 1, 0, 0; }", "variable B: "),
    (A + B + PB + "probability ( A | B ) { (<5) 1, 0; (5-12) 1, 0; (Asy/Patch) 1, 0; }", "directed cycle"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "why"), REFUSED)
def test_refused(text, why):
    with pytest.raises(errors.CalverifyError, match=re.escape(why)):
        scm_from_bif(text)


@pytest.mark.parametrize(
    ("positive", "why"),
    [
        ({"Q": ["yes"]}, "'Q' is no variable of the network (A)"),
        ({"A": ["maybe"]}, "A has no state 'maybe'; expected yes, no"),
        ({"A": []}, "variable A: the states that count as 1"),
    ],
)
def test_positive_states_must_exist(positive, why):
    with pytest.raises(errors.CalverifyError, match=re.escape(why)):
        scm_from_bif(A + PA, positive)


# ---------------------------------------------------------------- the bnlearn networks

NETWORKS = ("alarm", "asia", "child", "hepar2", "mildew", "water")


@pytest.fixture(scope="module")
def networks(data_dir):
    def text(name):
        return gzip.decompress((data_dir / "bnlearn" / f"{name}.bif.gz").read_bytes()).decode()

    return {name: (text(name), scm_from_bif(text(name))) for name in NETWORKS}


@pytest.mark.parametrize("name", NETWORKS)
def test_graph_of_the_model_is_the_graph_of_the_text(networks, name):
    text, scm = networks[name]
    assert scm.graph == from_bif(text)


def test_asia_by_hand(networks):
    _, asia = networks["asia"]
    assert probability(asia, {"tub": "yes"}) == Fraction("0.0104")
    assert probability(asia, {"lung": 1}) == Fraction("0.055")
    assert probability(asia, {"bronc": 1}) == Fraction("0.45")
    assert probability(asia, {"either": 1}) == Fraction("0.064828")
    assert probability(asia, {"xray": 1}) == Fraction("0.11029004")
    assert probability(asia, {"dysp": 1}) == Fraction("0.4359706")
    assert probability(asia, {"smoke": 1}, {"lung": 1}) == Fraction(10, 11)
    assert ate(asia, "smoke", "lung") == Fraction("0.09")
    assert psi(asia, "lung", "dysp", ["smoke"]).value == ate(asia, "lung", "dysp")


def test_json_round_trip_of_networks(networks):
    for name in ("asia", "child", "alarm"):
        _, scm = networks[name]
        assert SCM.from_json(scm.to_json()) == scm


def test_every_pair_is_feasible(networks, data_dir):
    """207 pairs: the effect of the first state against the last, and ψ for the parents of the treatment."""
    lines = (data_dir / "bnlearn" / "pairs_derived.tsv").read_text(encoding="utf-8").splitlines()
    judged = Counter()
    for name, x, y, _ in (line.split("\t") for line in lines if line.split("\t")[0] in NETWORKS):
        _, scm = networks[name]
        arms = scm[x].states[0], scm[x].states[-1]
        effect = ate(scm, x, y, arms=arms)
        found = psi(scm, x, y, scm.graph.parents([x]), arms=arms)
        assert found.gap is not None or found.value == effect
        judged[name, found.gap is None] += 1
    assert judged.total() == 207
    assert judged["hepar2", True] == 98
    assert judged["mildew", False] == 41  # deterministic tables: some stratum always lacks an arm


QUERIES = [
    ("child", {"LVHreport": "yes"}, {"Age": "0-3_days", "Grunting": "yes", "XrayReport": "Plethoric"}),
    ("child", {"BirthAsphyxia": "yes"}, {"LowerBodyO2": "<5", "CO2Report": "<7.5", "LVHreport": "no", "Sick": "yes"}),
    ("alarm", {"HYPOVOLEMIA": "TRUE"}, {"BP": "LOW", "HRBP": "HIGH", "CVP": "LOW", "PRESS": "HIGH", "EXPCO2": "LOW"}),
    ("alarm", {"BP": "HIGH"}, {}),
    ("hepar2", {"Cirrhosis": "decompensate"}, {"spiders": "present", "platelet": "a99_0", "jaundice": "present"}),
]


@pytest.mark.parametrize(("name", "event", "given"), QUERIES)
def test_whole_networks_against_floats(networks, name, event, given):
    _, scm = networks[name]
    seen = by_floats(scm, {**event, **given})
    assert isclose(probability(scm, event, given), seen / by_floats(scm, given), rel_tol=1e-9)


def test_interventions_against_floats(networks):
    _, alarm = networks["alarm"]
    for state in alarm["CATECHOL"].states:
        exact = interventional(alarm, {"BP": "LOW"}, {"CATECHOL": state})
        cut = {"CATECHOL": state}
        assert isclose(exact, by_floats(alarm, {"BP": "LOW", **cut}, cut=cut), rel_tol=1e-9)


def by_floats(scm, seen, cut=()):
    """P(seen) by summing variables out of dictionaries of floats, leaves of the order upwards; no pruning at all."""
    factors = []
    for variable in scm.variables:
        if variable.name in cut:
            continue
        scope = (*variable.parents, variable.name)
        rows = product(*(scm[parent].states for parent in variable.parents))
        table = {(*row, s): float(p) for row, line in zip(rows, variable.rows, strict=True)
                 for s, p in zip(variable.states, line, strict=True)}  # fmt: skip
        factors.append((scope, {at: p for at, p in table.items() if agrees(scope, at, seen)}))
    left = set(scm.index)
    while left:
        name = min(sorted(left), key=lambda n: len({m for scope, _ in factors if n in scope for m in scope}))
        left.remove(name)
        touched = [factor for factor in factors if name in factor[0]]
        factors = [factor for factor in factors if name not in factor[0]]
        if touched:
            factors.append(summed(name, touched))
    result = 1.0
    for _, table in factors:
        result *= table.get((), 0.0)
    return result


def agrees(scope, at, seen) -> bool:
    return all(seen.get(name, state) == state for name, state in zip(scope, at, strict=True))


def summed(name, factors):
    scope, table = (), {(): 1.0}
    for other, numbers in factors:
        joined = (*scope, *(each for each in other if each not in scope))
        table = {
            tuple({**dict(zip(scope, a, strict=True)), **dict(zip(other, b, strict=True))}[n] for n in joined): p * q
            for (a, p), (b, q) in product(table.items(), numbers.items())
            if all(b[other.index(n)] == s for n, s in zip(scope, a, strict=True) if n in other)
        }
        scope = joined
    rest, total = tuple(each for each in scope if each != name), Counter()
    for at, p in table.items():
        total[tuple(s for n, s in zip(scope, at, strict=True) if n != name)] += p
    return rest, dict(total)
