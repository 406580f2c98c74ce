"""What is right: by predicate, on the graph of the key where it has one, and never by comparing texts."""

from fractions import Fraction

import pytest

import calverify as cv
from calverify.effects import SCM
from calverify.evaluation import Grader, grader_for
from calverify.keys import Key
from calverify.scoring import Verdict
from tests.evaluation.studies import GRAPH, QUERY

SUPPLIED = cv.Problem("p", QUERY, GRAPH)
CONSTRUCTED = cv.Problem("p", QUERY, None, "A tale.", legend=GRAPH.nodes, graph_class="dag")
CYCLE = cv.Problem("p", cv.Query("cycle"), cv.Graph.parse("A -> B -> C -> A"))
PUZZLE = cv.Problem("p", cv.Query("knights", ("Ann", "Bob"), formula=(("Ann", "knave(Bob)"), ("Bob", "knight(Ann)"))))
TALE = cv.Problem("p", cv.Query("knights", ("Ann", "Bob")), text="Ann says ...")
MODEL = SCM.from_json({"variables": {"X": {"parents": [], "p": 0.5}, "Y": {"parents": ["X"], "p": [0.2, 0.8]}}})
EFFECT = cv.Problem("p", cv.Query("ate", ("X", "Y"), threshold=Fraction(1, 2)), scm=MODEL)
ASKED = cv.Problem("p", cv.Query("backdoor", ("X", "Y"), form="yes_no", claim="{U}"), GRAPH)
OTHER_GRAPH = cv.Graph.parse("M -> X, M -> Y, U")

ROWS = [
    ("a minimal set", SUPPLIED, Key("p"), ["U"], True),
    ("a set that is not the published one", SUPPLIED, Key("p", published=["U"]), ["A", "U"], True),
    ("an invalid set that is the published one", SUPPLIED, Key("p", published=["M"]), ["M"], False),
    ("the text of a set", SUPPLIED, Key("p"), "{B, U}", True),
    ("a name made up", SUPPLIED, Key("p"), ["U", "nowhere"], False),
    ("nothing", SUPPLIED, Key("p"), None, False),
    ("what cannot be read", SUPPLIED, Key("p"), ["U", "U"], False),
    ("on the source graph", CONSTRUCTED, Key("p", graph=GRAPH), ["U"], True),
    ("the empty set on the source graph", CONSTRUCTED, Key("p", graph=GRAPH), [], False),
    ("the source graph decides, not the problem's own", SUPPLIED, Key("p", graph=OTHER_GRAPH), ["M"], True),
    ("and not the other way round", SUPPLIED, Key("p", graph=OTHER_GRAPH), ["U"], False),
    ("a cycle from another node on", CYCLE, Key("p"), ["B", "C", "A", "B"], True),
    ("the one right answer, in another rotation", CYCLE, Key("p", answer=["C", "A", "B"]), ["A", "B", "C", "A"], True),
    ("a valid answer, not the one that is stated", SUPPLIED, Key("p", answer=["U"]), ["U", "A"], False),
    ("the stated set in another order", SUPPLIED, Key("p", answer=["U", "A"]), ["A", "U"], True),
    ("the stated set as a text", SUPPLIED, Key("p", answer="{A, U}"), ["U", "A"], True),
    ("unreadable beside a stated answer", SUPPLIED, Key("p", answer=["U"]), 7, False),
    ("an assignment by truth table", PUZZLE, Key("p"), {"Ann": "knave", "Bob": "knave"}, False),
    ("the benchmark's one solution", TALE, Key("p", answer={"Bob": "knight", "Ann": "knave"}),
     "Ann is a knave, Bob is a knight", True),
    ("not the benchmark's solution", TALE, Key("p", answer={"Bob": "knight", "Ann": "knave"}),
     {"Ann": "knight", "Bob": "knight"}, False),
    ("an effect above its threshold", EFFECT, Key("p"), "yes", True),
    ("the other word", EFFECT, Key("p"), "no", False),
    ("a claim", ASKED, Key("p"), "yes", True),
    ("a claim, by a stated answer", ASKED, Key("p", answer="no"), "yes", False),
]  # fmt: skip


@pytest.mark.parametrize("problem, key, answer, right", [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_an_answer_is_graded(problem, key, answer, right):
    grader = Grader(problem, key)
    assert grader(answer) is right
    assert grader(answer) is right  # from memory


REFUSED = [
    (CONSTRUCTED, {"p": Key("p")}, "neither it nor its key holds a graph"),
    (SUPPLIED, {}, "there is no key of problem 'p'"),
    (SUPPLIED, {"p": Key("q")}, "the key of problem 'q' does not grade problem 'p'"),
    (ASKED, {"p": Key("p", answer="perhaps")}, "states 'perhaps'"),
]


@pytest.mark.parametrize("problem, keys, why", REFUSED)
def test_what_cannot_be_graded_is_refused(problem, keys, why):
    with pytest.raises(cv.CalverifyError) as refused:
        grader_for(problem, keys)
    assert why in str(refused.value)


def test_undetermined_is_neither_right_nor_wrong():
    """Over the budget, in the predicate or already in the checker: None."""
    everyone = [f"V{i}" for i in range(40)]
    wide = cv.Graph(everyone, [(a, b) for i, a in enumerate(everyone) for b in everyone[i + 1 :]])
    problem = cv.Problem("p", cv.Query("directed_path", ("V0", "V39"), form="how_many"), wide)
    grader = Grader(problem, Key("p"))
    assert grader(3) is None
    assert Grader(SUPPLIED, Key("p")).verdict(Verdict((), 6, undetermined="too large")) is None


def test_a_verdict_is_graded_by_its_answer():
    """On the source graph, whatever the trace's own graph made of it."""
    text = 'STEP 1 [graph_extract]: {"nodes":["X","Y"],"edges":[["X","Y"]]}\nANSWER: {}'
    verdict = cv.verify(CONSTRUCTED, text)
    assert cv.check(cv.Graph.parse("X -> Y"), QUERY, []).valid
    assert Grader(CONSTRUCTED, Key("p", graph=GRAPH)).verdict(verdict) is False
    assert Grader(CONSTRUCTED, Key("p", graph=GRAPH)).verdict(cv.verify(CONSTRUCTED, "no slots")) is False
