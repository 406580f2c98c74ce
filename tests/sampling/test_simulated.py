"""The simulated policy: any task, exact, reproducible, honest about itself, and what theory says of its pools."""

from collections import Counter
from fractions import Fraction
from math import sqrt
from random import Random

import pytest

import calverify as cv
from calverify.evaluation import SharpFamily, fragmentation, plurality_accuracy, weighted_law
from calverify.sampling import DAMAGES, SimulatedPolicy
from calverify.scoring import case_of
from calverify.selectors import View, choose
from tests.evaluation.studies import GRAPH, HALF, QUERY
from tests.problems import ADMITS, NO_RIGHT_ANSWER, known

PROBLEM = cv.Problem("p", QUERY, GRAPH)
POLICY = SimulatedPolicy(right=(Fraction(3, 5),), wrong=(Fraction(2, 3), Fraction(1, 3)), malformed=Fraction(1, 4))
ROWS = [row for row in ((name, kinds[-1]) for name, kinds in ADMITS.items()) if row[0] != "identifiable"]


@pytest.mark.parametrize("task, kind", ROWS, ids=[name for name, _ in ROWS])
def test_any_task_has_right_answers_and_familiar_errors(task, kind):
    """By the book a right answer scores 6 and an error 3; nothing malformed scores 6; the masses add up to 1."""
    drawn = known(Random(f"simulated {task}"), task, kind)
    kinds, checker = POLICY.kinds(drawn.problem), cv.Checker(drawn.problem)
    assert sum(one.mass for one in kinds) == 1
    for one in kinds:
        verdict = checker(one.text)
        case = checker.case
        value = None if verdict.answer is None else case.task.answer.read(verdict.answer, case.names, "answer")
        assert one.right == (value is not None and drawn.holds(value)), one
        if not one.damage:
            assert verdict.score == (6 if one.right else 3)
        else:
            assert verdict.score < 6, one.damage
    solvable = (task, kind) not in NO_RIGHT_ANSWER
    by_the_book = [one for one in kinds if not one.damage]
    assert sum(one.mass for one in by_the_book if one.right) == Fraction(3, 5) * Fraction(3, 4) * solvable
    assert len({one.text for one in by_the_book}) == len(by_the_book)
    assert {one.damage for one in kinds} == {"", *DAMAGES}


def test_masses_are_as_stated():
    """Six tenths over four right answers, the rest 2:1 over the two most familiar errors, each damage alike."""
    kinds = POLICY.kinds(PROBLEM)
    right = [one for one in kinds if one.answer == "right" and not one.damage]
    assert [one.mass for one in right] == [Fraction(3, 5) / 4 * Fraction(3, 4)] * 4
    wrong = [(one.answer, one.mass) for one in kinds if one.answer != "right" and not one.damage]
    assert wrong == [("the empty set", Fraction(1, 5)), ("a mediator", Fraction(1, 10))]
    damaged = [one for one in kinds if one.damage]
    assert len(damaged) == 6 * len(DAMAGES)
    assert {sum(one.mass for one in damaged if one.damage == name) for name in DAMAGES} == {
        Fraction(1, 4) / len(DAMAGES)
    }


FAULTS = [
    ("no strategy slot", "strategy", "missing"),
    ("two compute slots", "result", "2 copies"),
    ("broken JSON", "derivation", ""),
    ("wrong graph", "graph", "is left out"),
    ("wrong targets", "query", ""),
    ("no answer", "answer", ""),
    ("prose only", "graph", "missing"),
]


@pytest.mark.parametrize("damage, slot, why", FAULTS)
def test_each_damage_is_the_fault_that_it_says(damage, slot, why):
    assert {row[0] for row in FAULTS} == set(DAMAGES)
    (text,) = {one.text for one in POLICY.kinds(PROBLEM) if one.damage == damage and one.answer == "a mediator"}
    faults = {fault.slot: fault.why for fault in cv.verify(PROBLEM, text).faults}
    assert why in faults[slot]


def test_a_problem_without_a_right_answer_gets_only_errors():
    problem = cv.Problem("p", cv.Query("cycle"), cv.Graph.parse("A -> B -> C"))
    assert not any(one.right for one in POLICY.kinds(problem))


def test_pools_are_reproducible():
    """A pool depends on the policy's seed, the problem's id and the pool's seed; each of them changes it."""
    pool = POLICY.pool(PROBLEM, 8, 3)
    assert pool == POLICY.pool(PROBLEM, 8, 3) == POLICY.pools(PROBLEM, 8, [1, 3])[1]
    assert pool.prefix(5) == POLICY.pool(PROBLEM, 5, 3)
    others = [
        POLICY.pool(PROBLEM, 8, 4),
        SimulatedPolicy(seed=1, right=POLICY.right, wrong=POLICY.wrong, malformed=POLICY.malformed).pool(PROBLEM, 8, 3),
        POLICY.pool(cv.Problem("q", QUERY, GRAPH), 8, 3),
    ]
    assert all(other.texts != pool.texts for other in others)
    assert pool.digest == "9dd616d8ee7a671cb08b5e3c6e52b867e96c4ff0ee7b9a8ca596271ab22999d1"  # on any machine


def test_each_problem_has_one_of_the_chances():
    policy = SimulatedPolicy(right=(Fraction(0), Fraction(1, 2), Fraction(1)))
    chances = Counter(policy.chance(cv.Problem(f"p{i}", QUERY, GRAPH)) for i in range(300))
    assert sorted(chances) == [0, HALF, 1]
    assert min(chances.values()) > 60


def test_it_says_what_it_is():
    manifest = SimulatedPolicy(label="7B", seed=4).manifest(8)
    assert (manifest.policy, manifest.model) == ("simulated 7B", "simulated")
    assert manifest.sampling == {"n": 8, "backend": "simulated"}
    assert manifest.command.startswith("calverify simulate --k 8 --seed 4 ")


def test_a_text_that_it_cannot_read_needs_a_graph():
    tale = cv.Problem("p", QUERY, None, "A tale.", legend=GRAPH.nodes)
    with pytest.raises(cv.CalverifyError, match="supplies no graph"):
        POLICY.pool(tale, 4, 0)
    pool = POLICY.pool(tale, 20, 0, graph=GRAPH)
    assert {6, 3} <= {cv.verify(tale, text).score for text in pool.texts}


@pytest.mark.parametrize(
    "settings",
    [{"right": (0.5,)}, {"right": (Fraction(3, 2),)}, {"right": ()}, {"wrong": (Fraction(0),)}, {"spread": 0}],
)
def test_an_impossible_policy_is_refused(settings):
    with pytest.raises(cv.CalverifyError):
        SimulatedPolicy(**settings)


def test_where_nothing_is_wrong_there_is_nothing_to_simulate():
    problem = cv.Problem("p", cv.Query("node"), cv.Graph(["nowhere"]))
    with pytest.raises(cv.CalverifyError, match="every readable answer seems to be right"):
        POLICY.kinds(problem)


# ---------------------------------------------------------------- theory, measured


def measured(policy: SimulatedPolicy, pools: int, ks: tuple[int, ...]) -> dict[str, list[float]]:
    """The share of pools in which each selector's pick is right, by k; each distinct text is judged once."""
    checker = cv.Checker(PROBLEM)
    right = {one.text: one.right for one in policy.kinds(PROBLEM)}
    verdicts = {text: checker(text) for text in right}
    hits = {name: [0] * len(ks) for name in ("calver", "plurality")}
    for whole in policy.pools(PROBLEM, max(ks), range(pools)):
        for place, k in enumerate(ks):
            pool = whole.prefix(k)
            view = View(PROBLEM, pool, tuple(verdicts[text] for text in pool.texts))
            for name, found in hits.items():
                index = choose(view, name).index
                found[place] += index is not None and right[pool.texts[index]]
    return {name: [hit / pools for hit in found] for name, found in hits.items()}


def exact(policy: SimulatedPolicy, ks: tuple[int, ...]) -> dict[str, list[float]]:
    """The same from theory: the first-index law, and plurality over the masses of the answers that vote."""
    rows = [(cv.verify(PROBLEM, one.text), one) for one in policy.kinds(PROBLEM)]
    law = weighted_law((v.score if v.admissible else None, one.right, one.mass) for v, one in rows)
    masses, valid = Counter(), set()
    for verdict, one in rows:
        if verdict.admissible:
            masses[str(verdict.answer)] += one.mass
            valid |= {str(verdict.answer)} if one.right else set()
    for k in ks:
        found, voted = fragmentation(masses, valid), float(plurality_accuracy(masses, valid, k))
        assert voted <= found.bound(k) if found.regime == "fails" else voted >= found.bound(k)
    return {
        "calver": [float(law.accuracy(k)) for k in ks],
        "plurality": [float(plurality_accuracy(masses, valid, k)) for k in ks],
    }


POLICIES = [
    ("fragmented", SimulatedPolicy(right=(Fraction(3, 5),), spread=4, malformed=Fraction(1, 4))),
    ("one right answer", SimulatedPolicy(right=(Fraction(2, 5),), spread=1, wrong=(HALF, HALF))),
    ("mostly damaged", SimulatedPolicy(right=(Fraction(1, 5),), spread=3, malformed=Fraction(9, 10))),
]


def follows_the_law(policy: SimulatedPolicy, pools: int) -> None:
    ks = (1, 2, 4, 8, 16)
    seen, said = measured(policy, pools, ks), exact(policy, ks)
    for name in seen:
        for k, found, expected in zip(ks, seen[name], said[name], strict=True):
            spread = sqrt(expected * (1 - expected) / pools)
            assert abs(found - expected) <= 4.5 * spread + 1e-9, (name, k, found, expected)


@pytest.mark.parametrize("policy", [row[1] for row in POLICIES], ids=[row[0] for row in POLICIES])
@pytest.mark.parametrize("pools", [300, pytest.param(10_000, marks=pytest.mark.property)])
def test_pools_follow_the_exact_laws(policy, pools):
    follows_the_law(policy, pools)


def test_the_sharp_family_is_one_of_its_settings():
    """No damage and one error: the policy's answers have the masses of the family, and turn where it turns."""
    policy = SimulatedPolicy(right=(Fraction(3, 5),), spread=4, malformed=Fraction(0))
    family = SharpFamily(Fraction(3, 5), 4)
    assert sorted(one.mass for one in policy.kinds(PROBLEM)) == sorted(family.masses.values())
    assert exact(policy, (1, 8)) == {
        "calver": [float(family.verified(k)) for k in (1, 8)],
        "plurality": [float(family.plurality(k)) for k in (1, 8)],
    }


def test_right_answers_are_asked_of_the_predicate():
    case = case_of(GRAPH, QUERY)
    kinds = SimulatedPolicy(spread=50, malformed=Fraction(0)).kinds(PROBLEM)
    answers = [frozenset(cv.verify(PROBLEM, one.text).answer) for one in kinds if one.right]
    assert len(answers) == len(set(answers)) == 8  # {U} with any of A, B, C
    assert all(map(case.holds, answers))
