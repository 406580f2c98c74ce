"""ψ equals the true effect for every strictly valid set, protects the treatment, and fails closed."""

from fractions import Fraction
from itertools import combinations, pairwise, permutations, product
from random import Random

import pytest

from calverify.effects import SCM, Adjusted, Stratum, ate, ett, interventional, probability, psi, psi_strata
from calverify.errors import BudgetError, QueryError
from calverify.graphs import Graph, separated
from tests.oracles.worlds import as_record, random_world


def model(**variables):
    return SCM.from_json({"variables": variables})


TWO = model(X={"p": 0.5}, Y={"parents": ["X"], "p": [0.2, 0.9]})
CONFOUNDED = model(
    U={"p": 0.3}, X={"parents": ["U"], "p": [0.2, 0.7]}, Y={"parents": ["X", "U"], "p": [[0.1, 0.4], [0.5, 0.9]]}
)
LEVELS = ["low", "mid", "high"]
DOSE = model(
    D={"states": LEVELS, "positive": ["high"], "p": [0.5, 0.3, 0.2]},
    R={"parents": ["D"], "states": LEVELS, "positive": ["mid", "high"],
       "p": [[0.6, 0.2, 0.2], [0.5, 0.3, 0.2], [0.1, 0.2, 0.7]]},
)  # fmt: skip


def strictly_valid(graph: Graph, x: str, y: str):
    """Every set without X, Y and strict descendants of X that separates them once arrows out of X are gone."""
    cut = graph.without_edges_out_of([x])
    usable = [node for node in graph.nodes if node not in {y, *graph.descendants([x])}]
    for size in range(len(usable) + 1):
        for z in combinations(usable, size):
            if separated(cut, [x], [y], z):
                yield z


def lemma_holds(scm: SCM) -> int:
    """ψ = θ for every pair and every strictly valid set; how many sets that were."""
    count = 0
    for x, y in permutations(scm.graph.nodes, 2):
        effect = ate(scm, x, y)
        for z in strictly_valid(scm.graph, x, y):
            assert psi(scm, x, y, z).value == effect, (x, y, z)
            count += 1
    return count


def three_node_dags():
    pairs = list(combinations("ABC", 2))
    for marks in product(("", "->", "<-"), repeat=3):
        edges = [pair if mark == "->" else pair[::-1] for pair, mark in zip(pairs, marks, strict=True) if mark]
        graph = Graph("ABC", edges)
        if graph.acyclic:
            yield graph


def with_tables(rng: Random, graph: Graph) -> SCM:
    """Tables of tenths, all positive, so that positivity holds everywhere."""

    def table(depth):
        return rng.randint(1, 9) / 10 if not depth else [table(depth - 1), table(depth - 1)]

    parents = {node: sorted(graph.parents([node])) for node in graph.nodes}
    return model(**{node: {"parents": above, "p": table(len(above))} for node, above in parents.items()})


def test_lemma_on_every_three_node_dag():
    rng, dags = Random(3), list(three_node_dags())
    assert len(dags) == 25
    assert sum(lemma_holds(with_tables(rng, dag)) for dag in dags for _ in range(6)) == 6 * 144


@pytest.mark.parametrize("seed", range(20))
def test_lemma_on_random_models(seed):
    rng = Random(seed)
    scm = SCM.from_json(as_record(random_world(rng, rng.randint(4, 6), rng.choice((0.3, 0.5)), digits=2)))
    assert lemma_holds(scm)


@pytest.mark.property
def test_lemma_at_length():
    for seed in range(20, 2_020):
        rng = Random(seed)
        states = rng.choice((2, 2, 3))
        world = random_world(rng, rng.randint(4, 6), rng.choice((0.3, 0.5)), digits=3, states=states)
        scm = SCM.from_json(as_record(world))
        for x, y in permutations(scm.graph.nodes, 2):
            arms = (scm[x].states[-1], scm[x].states[0])
            for z in strictly_valid(scm.graph, x, y):
                assert psi(scm, x, y, z, arms=arms).value == ate(scm, x, y, arms=arms)


# ---------------------------------------------------------------- the paper's two guards


@pytest.mark.parametrize("z", [[], ["X"], ["Y"], ["X", "Y"], "X"])
def test_treatment_is_protected_from_overwrite_by_its_own_set(z):
    """X -> Y with {X}: arms formed first and then updated with z would agree, and the effect would be zero."""
    found = psi(TWO, "X", "Y", z)
    assert found.value == ate(TWO, "X", "Y") == Fraction(7, 10)
    assert found.adjustment == ()


def test_no_tolerance_decides_inside_its_own_band():
    """0 < θ - τ < ε: a value within ε of ψ can lie on the other side of τ, so a certificate needs |ψ - τ| > ε."""
    scm = model(X={"p": 0.5}, Y={"parents": ["X"], "p": [0.5, 0.51]})
    threshold, tolerance = Fraction(0), Fraction("0.02")
    effect = psi(scm, "X", "Y").value
    reported = effect - tolerance / 2
    assert effect == Fraction("0.01")
    assert abs(reported - effect) <= tolerance
    assert (effect > threshold) != (reported > threshold)
    assert not abs(effect - threshold) > tolerance


def test_an_invalid_set_gives_another_number():
    assert psi(CONFOUNDED, "X", "Y", []).value != psi(CONFOUNDED, "X", "Y", ["U"]).value == ate(CONFOUNDED, "X", "Y")


# ---------------------------------------------------------------- positivity


def test_a_stratum_without_an_arm_is_named():
    scm = model(U={"p": 0.25}, X={"parents": ["U"], "p": [0.5, 1]}, Y={"parents": ["X", "U"], "p": [[0, 1], [1, 0]]})
    found = psi(scm, "X", "Y", ["U"])
    assert found.value is None
    assert found.gap == Stratum((("U", "1"),), Fraction(1, 4), Fraction(0), None)
    assert found.why == "the stratum U=1 has probability 1/4, but X=0 never occurs in it"
    assert found.gap.to_json() == {"given": {"U": "1"}, "mass": 0.25, "treated": 0, "control": None}
    assert found.gap.term is None
    assert ate(scm, "X", "Y") == Fraction(1, 2)  # an intervention needs no such luck


def test_a_stratum_that_never_occurs_does_not_count():
    scm = model(U={"p": 0}, X={"parents": ["U"], "p": [0.5, 1]}, Y={"parents": ["X", "U"], "p": [[0, 1], [1, 0]]})
    assert psi(scm, "X", "Y", ["U"]).value == 1
    assert [stratum.named for stratum in psi_strata(scm, "X", "Y", ["U"])] == ["U=0"]


def test_an_arm_that_never_occurs_at_all():
    scm = model(X={"p": 1}, Y={"parents": ["X"], "p": [0, 1]})
    assert psi(scm, "X", "Y").why == "the stratum everyone has probability 1, but X=0 never occurs in it"


def test_a_stratum_with_neither_arm_fails_too():
    dose = {"parents": ["U"], "states": LEVELS, "positive": ["high"], "p": [[0.5, 0, 0.5], [0, 1, 0]]}
    scm = model(U={"p": 0.5}, D=dose, R={"parents": ["D"], "p": [0.1, 0.2, 0.3]})
    found = psi(scm, "D", "R", ["U"], arms=("high", "low"))
    assert found.value is None
    assert found.gap == Stratum((("U", "1"),), Fraction(1, 2), None, None)


# ---------------------------------------------------------------- strata, arms, events


def test_strata_add_up():
    strata = psi_strata(CONFOUNDED, "X", "Y", ["U", "X"])
    assert strata == (
        Stratum((("U", "0"),), Fraction(7, 10), Fraction(1, 2), Fraction(1, 10)),
        Stratum((("U", "1"),), Fraction(3, 10), Fraction(9, 10), Fraction(2, 5)),
    )
    assert sum(stratum.term for stratum in strata) == psi(CONFOUNDED, "X", "Y", ["U"]).value
    assert psi(CONFOUNDED, "X", "Y", ["U"]).why == "adjusting for {U} gives 43/100"


def test_arms_and_events_of_several_states():
    assert ate(DOSE, "D", "R", arms=("high", "low"), event="high") == Fraction(1, 2)
    assert ate(DOSE, "D", "R", arms=("high", "low")) == psi(DOSE, "D", "R", arms=("high", "low")).value
    assert psi(DOSE, "D", "R", arms=("mid", "low"), event=LEVELS).value == 0
    assert ett(DOSE, "D", "R", arms=("mid", "low"), event=["high"]) == 0


def test_an_answer_is_remembered_and_forgotten_in_time():
    scm = model(X={"p": 0.5}, Y={"parents": ["X"], "p": [0.2, 0.9]})
    first = psi(scm, "X", "Y", ["X"])
    assert psi(scm, "X", "Y") is first
    assert isinstance(first, Adjusted)
    scm.memo.update(dict.fromkeys(range(5_000)))
    psi(scm, "Y", "X")
    assert len(scm.memo) == 1


REFUSED = [
    (lambda: ate(TWO, "X", "X"), "treatment and outcome are both X"),
    (lambda: ate(TWO, "Q", "Y"), "'Q' is no variable of the model (X, Y)"),
    (lambda: psi(TWO, "X", "Y", ["Q"]), "'Q' is no variable of the model (X, Y)"),
    (lambda: psi(TWO, "X", "Y", [3]), "3 is no variable of the model (X, Y)"),
    (lambda: ate(DOSE, "D", "R"), "D = 0 means low, mid, and a variable is set to one state; name it"),
    (lambda: ate(DOSE, "D", "R", arms=("low", "low")), "both arms of D are 'low'"),
    (lambda: ate(DOSE, "D", "R", arms=("low",)), "expected two states, treated and control"),
    (lambda: ate(DOSE, "D", "R", arms=("low", "none")), "D has no state 'none'; expected low, mid, high"),
    (lambda: ate(DOSE, "D", "R", arms=(["low"], "mid")), "an arm is one state"),
    (lambda: ate(TWO, "X", "Y", event=[]), "Y: an event without states"),
    (lambda: probability(TWO, {"X": 2}), "X = 2: expected 0, 1 or the name of a state"),
    (lambda: probability(TWO, {"Y": 1}, {"X": 1, "Q": 1}), "'Q' is no variable"),
    (lambda: interventional(DOSE, {"R": 1}, {"D": 0}), "is set to one state"),
    (lambda: interventional(TWO, {"Y": 1}, {"X": 1}, {"X": 0}), "the condition X=0 has probability zero under do(X=1)"),
]


@pytest.mark.parametrize(("ask", "why"), REFUSED, ids=[row[1][:40] for row in REFUSED])
def test_refused(ask, why):
    with pytest.raises(QueryError) as refused:
        ask()
    assert why in str(refused.value)


# ---------------------------------------------------------------- size


def wide(n: int, parents: int) -> SCM:
    """n variables, each with the `parents` before it."""
    rng = Random(n)

    def table(depth):
        return rng.randint(1, 9) / 10 if not depth else [table(depth - 1), table(depth - 1)]

    above = {f"V{i}": [f"V{j}" for j in range(max(0, i - parents), i)] for i in range(n)}
    return model(**{name: {"parents": pa, "p": table(len(pa))} for name, pa in above.items()})


def test_a_set_of_forty_names_costs_what_bears_on_the_question():
    scm = wide(42, 2)
    x, y = "V20", "V22"
    everyone = [name for name in scm.graph.nodes if name not in (x, y)]
    found = psi(scm, x, y, everyone)
    assert found.value is not None
    assert len(found.adjustment) == 40
    with pytest.raises(BudgetError, match="the limit is"):
        psi_strata(scm, x, y, everyone)


def test_an_explosion_is_refused_before_it_starts():
    rng = Random(1)
    children = {f"C{i}": {"parents": ["X", "Y"], "p": [[0.1, 0.2], [0.3, rng.randint(1, 9) / 10]]} for i in range(40)}
    scm = model(X={"p": 0.5}, Y={"parents": ["X"], "p": [0.2, 0.9]}, **children)
    with pytest.raises(BudgetError, match="an exact effect would need"):
        psi(scm, "X", "Y", children)


def test_a_sum_with_an_enormous_denominator_is_refused():
    rng = Random(1)
    number = lambda: rng.randint(1, 10**16) / 10**16  # noqa: E731
    children = {f"C{i}": {"parents": ["X", "Y"], "p": [[number(), number()], [number(), number()]]} for i in range(13)}
    scm = model(X={"p": number()}, Y={"parents": ["X"], "p": [number(), number()]}, **children)
    with pytest.raises(BudgetError, match="bits"):
        psi(scm, "X", "Y", children)
    assert psi(scm, "X", "Y", list(children)[:5]).value is not None


def test_a_chain_of_a_thousand_is_exact():
    names = [f"V{i}" for i in range(1_000)]
    links = {b: {"parents": [a], "p": ["0", "1"]} for a, b in pairwise(names)}
    scm = model(V0={"p": 0.5}, **links)
    assert ate(scm, "V0", "V999") == psi(scm, "V0", "V999").value == 1
