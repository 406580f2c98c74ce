"""Grammars accept faultless traces and refuse damaged ones, judged by a matcher that shares nothing with them."""

import json
from random import Random

import pytest

import calverify as cv
from calverify.benchmarks import BENCHMARKS
from calverify.errors import CalverifyError
from calverify.sampling import DAMAGES
from calverify.sampling._gbnf import literal, one_of, separated
from calverify.sampling._grammar import HELD, grammar_of, held
from calverify.scoring import checker_for
from calverify.tasks import faultless_trace
from tests.oracles.gbnf import Grammar
from tests.problems import ROWS, known

MINIATURE = [item.problem for item in BENCHMARKS["miniature"].build(Random("miniature 0")).items[:16]]
TASKS = [problem.query.task for problem in MINIATURE[:8]]
REFUSED = {  # the damages that each grammar keeps a text from
    "slots": {"no strategy slot", "two compute slots", "broken JSON", "prose only"},
    "names": {"no strategy slot", "two compute slots", "broken JSON", "prose only"},
    "pinned": {*DAMAGES},
}
FOREIGN = ("nowhere", "nobody", "no node")  # names that no problem knows, and "names" refuses
ENOUGH = 12  # objects of one problem


def case_of(problem):
    case = checker_for(problem).case
    assert case is not None
    return case


def trace(problem, value=None):
    """The faultless trace of a value, or of the simplest right answer."""
    case = case_of(problem)
    return faultless_trace(case, case.task.cheapest(case) if value is None else value)


@pytest.mark.parametrize("row", [
    ('"ab"', "ab", True), ('"ab"', "a", False), ('[a-c]+', "abc", True), ('[a-c]+', "abd", False), ('[^x]', "y", True),
    ('[^x]', "x", False), ('"a"{2,3}', "aa", True), ('"a"{2,3}', "aaaa", False), ('"a"{2,}', "aaaa", True),
    ('( "a" | "b" )* "c"', "abac", True), ('( "a" | "b" )* "c"', "ab", False), ('"a"?', "", True),
    ('( "a"? )+', "", True), ('"\\x41\\u00E9\\n"', "Aé\n", True), ('one one', "zz", True), ('one one', "z", False),
])  # fmt: skip
def test_the_matcher_itself(row):
    """The oracle reads repeats, classes, choices and escapes."""
    pattern, text, fits = row
    assert Grammar(f'root ::= {pattern}\none ::= "z"\n').accepts(text) is fits


@pytest.mark.parametrize("decoding", HELD)
@pytest.mark.parametrize("problem", MINIATURE, ids=lambda problem: problem.id)
def test_a_faultless_trace_is_accepted(problem, decoding):
    """Of every task of the miniature, and no letter more or less."""
    grammar = Grammar(grammar_of(problem, decoding))
    text = trace(problem)
    assert grammar.accepts(text)
    assert not grammar.accepts(text + "\nANSWER: yes")
    assert not grammar.accepts(text.rpartition("\n")[0])
    assert not grammar.accepts("")


@pytest.mark.parametrize("decoding", HELD)
@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("problem", MINIATURE[:8], ids=TASKS)
def test_damaged_traces(problem, damage, decoding):
    """What a grammar keeps a text from is refused; what it does not, the checker finds."""
    text = DAMAGES[damage](trace(problem), case_of(problem))
    accepted = Grammar(grammar_of(problem, decoding)).accepts(text)
    if damage in REFUSED[decoding]:
        assert not accepted
    elif accepted:
        assert cv.verify(problem, text).score < 6


@pytest.mark.parametrize("row", ROWS, ids=" ".join)
def test_every_task_on_every_class(row):
    """Right answers and wrong ones are accepted alike: a grammar does not know which is which."""
    rng = Random(f"grammar {row}")
    found = known(rng, *row, most=5)
    for decoding in ("slots", "names"):
        grammar = Grammar(grammar_of(found.problem, decoding))
        for value in [*found.right[:3], *found.wrong[:3]]:
            text = trace(found.problem, value)
            if not any(foreign in text for foreign in FOREIGN):
                assert grammar.accepts(text), (decoding, value)


@pytest.mark.parametrize("problem", MINIATURE[:7], ids=TASKS[:7])
def test_pinned_texts_hold_right_and_wrong_objects(problem):
    """The model chooses among objects of which some are right and some are not; either way all six slots are read."""
    opened = held(problem, "pinned")
    said = Grammar(opened.asked)
    whole = Grammar(opened.grammar)
    scores = set()
    for body in _bodies(problem, opened):
        assert said.accepts(body), body
        text = opened.whole(body)
        assert whole.accepts(text)
        verdict = cv.verify(problem, text)
        assert (verdict.bits["graph"], verdict.bits["query"], verdict.answer is not None) == (1, 1, True)
        scores.add(verdict.score)
    assert 6 in scores
    assert scores & {3, 5}


def _bodies(problem, opened):
    """Choices behind the opening: every pair of names and the cheapest right one, in the spelling of the slot."""
    case = case_of(problem)
    field = case.task.states[0]
    names = sorted(case.names)
    yield trace(problem).removeprefix(opened.opening).split("\n", 1)[0]
    if problem.query.task in ("mediator", "intervention"):
        yield "}"
        for tail, head in sorted(problem.graph.directed):
            yield f",{json.dumps(field)}:{json.dumps([tail, head], separators=(',', ':'))}}}"
    elif problem.query.task == "cycle":
        for tail, head in sorted(problem.graph.directed)[:ENOUGH]:
            yield f',"cycle":{json.dumps([tail, head, tail], separators=(",", ":"))}}}'
    elif problem.query.task == "knights":
        for role in ("knight", "knave"):
            said = json.dumps(dict.fromkeys(names, role), separators=(",", ":"))
            yield f",{json.dumps(field)}:{said}}}"
    else:
        ends = {*problem.query.target_names, *(problem.query.path or "").split()}
        out = ends if problem.query.path is None else {problem.query.path.split()[0], problem.query.path.split()[-1]}
        for name in [name for name in names if name not in out][:ENOUGH]:
            yield f",{json.dumps(field)}:{json.dumps([name])}}}"


def test_pinned_number_and_word():
    """Of an average effect the set, the number and the word are chosen, and slot and line share the word."""
    problem = MINIATURE[7]
    assert problem.query.task == "ate"
    grammar, text = Grammar(grammar_of(problem, "pinned")), trace(problem)
    assert grammar.accepts(text)
    word = text.rpartition(" ")[2]
    other = {"yes": "no", "no": "yes"}[word]
    assert not grammar.accepts(text.removesuffix(word) + other)
    assert grammar.accepts(text.replace(f'"answer":"{word}"', f'"answer":"{other}"').removesuffix(word) + other)


def test_no_pinned_set_holds_a_target():
    """Nor is it empty: both are wrong by definition, and would be chosen often."""
    problem = MINIATURE[0]
    said = Grammar(held(problem, "pinned").asked)
    others = sorted(case_of(problem).names - set(problem.query.targets))
    for names, fits in (([], False), (problem.query.targets[:1], False), (others[:1], True), (others, True)):
        assert said.accepts(f',"set":{json.dumps(list(names), separators=(",", ":"))}}}') is fits


def test_awkward_names():
    """Quotes, line breaks and letters beyond ASCII stay inside their quotes."""
    names = ['a"b', "c d", "é", "名", "x\\y"]
    graph = cv.Graph(names, [('a"b', "c d"), ("é", 'a"b'), ("é", "c d"), ("x\\y", "名")])
    problem = cv.Problem("p", cv.Query("backdoor", ('a"b', "c d")), graph)
    for decoding in HELD:
        assert Grammar(grammar_of(problem, decoding)).accepts(trace(problem, frozenset({"é"})))


def test_what_cannot_be_pinned_is_held_to_names():
    """Too many objects, or a graph that the trace itself has to state."""
    many = cv.Graph([f"N{i}" for i in range(14)], [("N0", "N1"), ("N2", "N0"), ("N2", "N1")])
    problem = cv.Problem("p", cv.Query("backdoor", ("N0", "N1")), many)
    assert held(problem, "pinned") == held(problem, "names")


def test_unknown_decoding():
    """A grammar is one of three."""
    with pytest.raises(CalverifyError, match="slots, names, pinned"):
        held(MINIATURE[0], "free")


def test_words_of_grammars():
    """Texts with a shared beginning are written as a tree, and lists may be empty."""
    words = ["abc", "abd", "xyz", "x"]
    grammar = Grammar(f"root ::= {one_of(['abc;', 'abd;', 'xyz;', 'x;'])}\n")
    assert [word for word in [*words, "ab", ""] if grammar.accepts(f"{word};")] == words
    listed = Grammar(f"root ::= {separated(literal('a'), ', ', least=0)}\n")
    assert [text for text in ("", "a", "a, a", "a,a", "a, ") if listed.accepts(text)] == ["", "a", "a, a"]
