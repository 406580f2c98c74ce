"""Exact voting, against a hand-written vote."""

from random import Random

import pytest

import calverify as cv
from tests.problems import SOLVABLE, known
from tests.sheets import ABSENT, Copies, sheet_of
from tests.views import view_of_texts, view_of_verdicts

CASES = pytest.mark.parametrize("count", [400, pytest.param(20_000, marks=pytest.mark.property)])
PROBLEM = cv.Problem("w", cv.Query("backdoor", ("X", "Y")), cv.Graph.parse("U -> X, U -> Y, X -> M -> Y, P -> Y"))
SHEET = sheet_of(PROBLEM)


def vote(answers):
    """Count by hand: the answer that most candidates give; of those, the one heard first; its first candidate."""
    heard = []
    for answer in answers:
        if answer is not None and answer not in heard:
            heard.append(answer)
    best, most = None, 0
    for answer in heard:
        count = 0
        for other in answers:
            if other == answer:
                count += 1
        if count > most:
            best, most = answer, count
    return None if best is None else answers.index(best)


def pick(texts):
    return cv.choose(view_of_texts(PROBLEM, texts), "plurality").index


TABLE = [
    ("nobody", [], None),
    ("nobody admissible", [None, None], None),
    ("one", ["U"], 0),
    ("a majority", ["U", "M", "M"], 1),
    ("a tie goes to the earliest first occurrence", ["U", "M", "M", "U"], 0),
    ("a tie of three", ["UP", "M", "U"], 0),
    ("the earliest of the most frequent, not of all", ["U", "M", "P", "M", "P"], 1),
    ("no answer does not vote", [None, None, "M"], 2),
    ("the empty set votes", ["", "U", ""], 0),
    ("order inside a set does not matter", ["UP", "M", "PU"], 0),
]


@pytest.mark.parametrize("sets, index", [row[1:] for row in TABLE], ids=[row[0] for row in TABLE])
def test_who_wins(sets, index):
    texts = ["nothing" if names is None else SHEET.swapped(list(names)).text() for names in sets]
    assert pick(texts) == index
    assert vote([None if names is None else sorted(names) for names in sets]) == index


@CASES
def test_it_agrees_with_a_vote_by_hand(count):
    names = ["U", "M", "UP", "PU", "", "X", "W"]
    verdicts = {name: cv.verify(PROBLEM, SHEET.swapped(list(name)).text()) for name in names}
    verdicts["?"] = cv.verify(PROBLEM, SHEET.but(answer=ABSENT, line=ABSENT).text())
    verdicts["!"] = cv.verify(PROBLEM, SHEET.but(line=Copies((["U"], ["M"]))).text())
    verdicts["#"] = cv.verify(PROBLEM, "ANSWER: U")
    answers = {key: None if key in ("?", "!", "#") else sorted(key) for key in verdicts}
    rng = Random(7)
    for _ in range(count):
        pool = rng.choices(list(verdicts), k=rng.randint(0, 12))
        found = cv.choose(view_of_verdicts(PROBLEM, [verdicts[key] for key in pool]), "plurality").index
        assert found == vote([answers[key] for key in pool]), pool


def test_the_number_of_each_candidate_is_its_votes():
    texts = [SHEET.swapped(names).text() for names in (["M"], ["U"], ["M"])]
    assert cv.plurality(view_of_texts(PROBLEM, [*texts, ""])) == [2, 1, 2, None]


@pytest.mark.parametrize("task, kind", SOLVABLE)
def test_ways_to_write_one_answer_are_one_vote(task, kind):
    rng = Random(f"{task} {kind}")
    drawn = known(rng, task, kind)
    wrong = next((answer for answer in drawn.wrong if answer not in ((), frozenset())), drawn.wrong[0])
    type_of = cv.find_task(task).answer
    one, two, other = (sheet_of(drawn.problem, answer) for answer in (drawn.right[0], drawn.right[0], wrong))
    two = two.but(line=type_of.spell(drawn.right[0]))
    assert cv.plurality(view_of_texts(drawn.problem, [sheet.text() for sheet in (other, one, two)])) == [1, 2, 2]
