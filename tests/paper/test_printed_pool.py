"""The pool printed in the supplement (figure "supp-pool"): plurality picks {G}, the checker candidate 2.

The figure prints answers, scores and validity, and the text of candidate 5; the slots of the traces are ours.

    i   answer   printed   ours   what our trace of it lacks
    1   {U, W}      1        1    everything but slot and line of the answer
    2   {V, D}      5        5    its query names another task
    3   {G}         4        3    nothing: every slot agrees with an answer that is not valid
    4   {M}         5        5    its derivation uses a rule of nobody
    5   (broken)    0        0    everything; its answer cannot be read, so it does not stand for choice
    6   {G}         0        0    everything but the ANSWER line and one broken slot

Candidate 3 differs: in our contract an invalid object earns none of strategy, result and answer, so that 3 is the most
it can get; the printed 4 must come from a strategy or result that was judged apart from the answer.  The order is the
printed one: 2 and 4 lead, then 3, 1, and 5 and 6.
"""

import calverify as cv
from tests.sheets import ABSENT, Raw, bits, sheet_of
from tests.views import view_of_texts

GRAPH = cv.Graph.parse("U -> M, O -> G, Q -> G, Q -> U, U -> G, Q -> W, U -> W, W -> V, M -> D")
PROBLEM = cv.Problem("25274121", cv.Query("d_separation", ("Q", "O")), GRAPH, "find one set that d-separates Q and O")


def trace(names):
    return sheet_of(PROBLEM, frozenset(names))


TEXTS = [
    trace("UW").but(graph=Raw("{"), query={}, strategy={"method": 7}, derivation=[], result={}).text(),
    trace("VD").but(query={"task": "backdoor", "targets": ["Q", "O"]}).text(),
    trace("G").text(),
    trace("M").but(derivation=[{"rule": "intuition", "to": ["M"]}]).text(),
    'STEP 6 [answer]: {nodeset": ["G"]}\nANSWER: {nodeset": ["G"]}',
    trace("G")
    .but(graph=Raw("?"), query=ABSENT, strategy=ABSENT, derivation=ABSENT, result=ABSENT, answer=ABSENT)
    .text(),
]
PRINTED = [1, 5, 4, 5, 0, 0]


def test_the_answers_and_whether_they_are_valid():
    choice = cv.select(PROBLEM, TEXTS)
    assert [verdict.answer for verdict in choice.verdicts] == [["U", "W"], ["D", "V"], ["G"], ["M"], None, ["G"]]
    valid = [
        answer is not None and cv.check(GRAPH, PROBLEM.query, answer).valid
        for answer in (verdict.answer for verdict in choice.verdicts)
    ]
    assert valid == [True, True, False, True, False, False]


def test_the_scores():
    verdicts = cv.select(PROBLEM, TEXTS).verdicts
    assert [verdict.score for verdict in verdicts] == [1, 5, 3, 5, 0, 0]
    assert bits(verdicts[0]) == "000001"
    assert all(
        ours == printed for i, (ours, printed) in enumerate(zip([1, 5, 3, 5, 0, 0], PRINTED, strict=True)) if i != 2
    )


def test_the_order_is_the_printed_one():
    ours = [verdict.score for verdict in cv.select(PROBLEM, TEXTS).verdicts]
    for i in range(6):
        for j in range(6):
            assert (ours[i] > ours[j]) == (PRINTED[i] > PRINTED[j])


def test_plurality_returns_the_collider():
    view = view_of_texts(PROBLEM, TEXTS)
    votes = cv.plurality(view)
    assert votes == [1, 1, 2, 1, None, 2]
    assert view.verdicts[cv.earliest_max(votes)].answer == ["G"]


def test_the_checker_returns_candidate_two():
    for admission in ("admissible", "all"):
        choice = cv.select(PROBLEM, TEXTS, admission=admission)
        assert choice.index + 1 == 2
        assert choice.answer == ["D", "V"]


def test_why_the_collider_is_wrong():
    said = cv.check(GRAPH, PROBLEM.query, {"G"})
    assert "Q -> G <- O" in said.why
    assert "the collider G is given" in said.why


def test_any_set_that_avoids_the_collider_separates():
    others = set(GRAPH.nodes) - {"Q", "O", "G"}
    assert cv.solve(GRAPH, PROBLEM.query) == [frozenset()]
    for name in others:
        assert cv.check(GRAPH, PROBLEM.query, others - {name}).valid
        assert not cv.check(GRAPH, PROBLEM.query, {name, "G"}).valid


def test_candidate_five_as_the_model_emitted_it():
    verdict = cv.verify(PROBLEM, TEXTS[4])
    assert verdict.answer is None
    assert verdict.admissible is False
    assert verdict.score == 0
