"""Proofs forged by someone who knows how we check: what passes a test at fixed numbers, or lies outside of it."""

import copy
import json
from time import process_time

import pytest

import calverify as cv
from calverify.recheck import recheck
from calverify.recheck.expressions import prime_for, read
from calverify.scoring import proof

FORK = "Z -> X, Z -> Y, X -> Y"
RIGHT = "sum_{Z} P(Y | X, Z) P(Z)"
REARRANGED = "arithmetic/rearrangement"
QUOTE = "'"


def record_of(graph, answer, task="identification"):
    problem = cv.Problem("p", cv.Query(task, ("X", "Y")), cv.Graph.parse(graph))
    return json.loads(json.dumps(proof(problem, answer)))


def led_on(record, *trees, rule=REARRANGED):
    """The record with more steps, each of which changes the whole; the last one is the answer."""
    forged = copy.deepcopy(record)
    witness = forged["witness"]
    for tree in trees:
        number = len(witness["steps"]) + 1
        witness["steps"].append(
            {"number": number, "rule": rule, "place": [], "before": witness["goal"], "after": tree, "whole": tree,
             "text": text_of(tree), "condition": None, "because": None}
        )  # fmt: skip
        witness["goal"] = tree
    witness["text"][1] = text_of(witness["goal"])
    forged["answer"] = witness["text"][1]
    return forged


TEXTS = {}


def text_of(tree):
    return TEXTS.get(json.dumps(tree), "P(Y)")


def spelled(text):
    tree = read(text)
    TEXTS[json.dumps(tree)] = text
    return tree


def number(value):
    return {"number": value}


NO_STEP = "no instance of its rule"
TWICE = {"sum": [["Z", 0, None], ["Z", 0, None]], "body": read(f"({RIGHT}) P(Z)")}
EMPTY_NAME = {"P": [[["X", "", None]], [], []]}


def apart(*pairs):
    return " ".join(f"(P({one}) - P({other}))" for one, other in pairs)


STEPS = [
    ("zero at the values tried", spelled(f"{RIGHT} + {apart(*(('X', f'X={n}') for n in range(3)))}"), NO_STEP),
    ("zero at more of them", spelled(f"{RIGHT} + {apart(*(('X', f'X={n}') for n in range(9)))}"), NO_STEP),
    ("zero where copies meet", spelled(f"{RIGHT} + {apart(('X', f'X{QUOTE}'))}"), NO_STEP),
    ("zero unless three differ",
     spelled(f"{RIGHT} + {apart(*((f'X{QUOTE * a}', f'X{QUOTE * b}') for a, b in ((0, 1), (0, 2), (1, 2))))}"),
     NO_STEP),
    ("a prime of old", spelled(f"{RIGHT} + {(1 << 61) - 1}"), NO_STEP),
    ("a prime that is drawn for another", spelled(f"{RIGHT} + {prime_for(read(RIGHT), read(RIGHT))}"), NO_STEP),
    ("a number with a point", {"product": [number(1.0), read(RIGHT)]}, "no whole number"),
    ("a number as a text", {"product": [number("1"), read(RIGHT)]}, "no whole number"),
    ("a truth value", {"product": [number(True), read(RIGHT)]}, "no whole number"),
    ("a sign that is none", {"plus": [[1, read(RIGHT)], [0, read("P(Z')")]]}, "no sign"),
    ("one variable twice under a sum", {"quotient": [TWICE, number(2)]}, "stands twice under one sum"),
    ("a sum over a value", {"sum": [["X", 1, 0]], "body": read(f"({RIGHT}) / 2")}, "no sum"),
    ("a sum over nothing", {"sum": [], "body": read(RIGHT)}, "no sum"),
    ("a copy that is no number", {"plus": [[1, read(RIGHT)], [1, EMPTY_NAME], [-1, EMPTY_NAME]]}, "no probability"),
    ("a part too many", {**read(RIGHT), "number": 1}, "no expression"),
]  # fmt: skip


@pytest.mark.parametrize("tree, why", [row[1:] for row in STEPS], ids=[row[0] for row in STEPS])
def test_a_step_that_only_looks_like_arithmetic_is_refused(tree, why):
    """At the end of a derivation, and on the way to an end that is right."""
    sound = record_of(FORK, RIGHT)
    assert recheck(led_on(sound, spelled(f"({RIGHT}) * 1"), spelled(RIGHT))) is None
    assert why in recheck(led_on(sound, tree))
    assert why in recheck(led_on(sound, tree, spelled(RIGHT)))


def test_a_float_between_two_steps_hides_no_number():
    """1.0 * A is the same as A, and the same as A + 7, for large A, as far as a float can tell."""
    sound = record_of(FORK, RIGHT)
    floated = {"product": [number(1.0), sound["witness"]["goal"]]}
    assert recheck(led_on(sound, floated, spelled(f"{RIGHT} + 7"))) == "no whole number"


def test_who_knows_what_stands_for_a_probability_cannot_use_it(monkeypatch):
    """The number for P(X=0) depends on all that is compared, so writing it down changes it."""
    from calverify.recheck import derivations

    sound, seen = record_of(FORK, RIGHT), []
    drawn = derivations.arbitrary
    monkeypatch.setattr(derivations, "arbitrary", lambda *about: seen.append(drawn(*about)) or seen[-1])
    recheck(led_on(sound, spelled(f"{RIGHT} + P(X=0) - 1")))
    monkeypatch.undo()
    for known in sorted(set(seen)):
        assert recheck(led_on(sound, spelled(f"{RIGHT} + P(X=0) - {known}"))) is not None


IDENTIFIED = {"kind": "identified", "estimand": RIGHT, "same": False, "agreement": None}


def compared(answer, **parts):
    return {**record_of(FORK, RIGHT), "answer": answer, "witness": {**IDENTIFIED, **parts}}


def test_what_holds_for_two_values_only_is_no_estimand():
    assert recheck(compared("sum_{Z} P(Z) P(Y | X, Z)")) is None
    assert recheck(compared(f"{RIGHT} + sum_{{Z}} 1 - 2")) == "a random model shows a difference"


def test_the_models_depend_on_the_expression():
    """Else one could write down a polynomial that passes through the effect's values in the two models."""
    from calverify.recheck import estimands

    first, second = ("sum_{Z} P(Z) P(Y | X, Z)", RIGHT)
    drawn = []
    for text in (first, second):
        seen = []
        original = estimands.own_model
        estimands.own_model = lambda *about, original=original, seen=seen: seen.append(original(*about)) or seen[-1]
        try:
            assert recheck(compared(text)) is None
        finally:
            estimands.own_model = original
        drawn.append([model.tables["X"] for model in seen])
    assert all(one != other for one, other in zip(*drawn, strict=True))


def coin(name, *rows, parents=()):
    return {"name": name, "values": 2, "parents": list(parents), "latents": [], "rows": [list(row) for row in rows]}


def hedged(graph, models, at, values):
    witness = {"kind": "hedge", "whole": ["X", "Y"], "inner": ["Y"], "roots": ["Y"], "directed": [["X", "Y"]],
               "bidirected": [["X", "Y"]], "outcomes": ["Y"], "treatments": ["X"], "given": [], "why": "",
               "apart": {"models": [{"latents": [], "nodes": nodes} for nodes in models], "at": at, "values": values},
    }  # fmt: skip
    problem = cv.Problem("p", cv.Query("identification", ("X", "Y")), cv.Graph.parse(graph)).to_json()
    return {"problem": problem, "answer": "not identifiable", "valid": True, "why": "", "witness": witness}


def test_a_treatment_that_never_occurs_hides_no_effect():
    """Where X is always 1, what do(X=0) brings is nowhere observed; that is want of data, not of identification."""
    models = [[coin("X", ("0", "1")), coin("Y", row, ("1/2", "1/2"), parents="X")] for row in
              (("1/2", "1/2"), ("1/3", "2/3"))]  # fmt: skip
    for graph in ("X -> Y", "X -> Y, X <-> Y"):
        assert recheck(hedged(graph, models, {"X": 0, "Y": 1}, ["1/2", "2/3"])) is not None


BOW = "X -> Y, X <-> Y"
HEDGE = [
    ("whole", ["X"]), ("whole", ["X", "Y", "Z"]), ("inner", ["X"]), ("inner", []), ("inner", ["X", "Y"]),
    ("roots", []), ("roots", ["X"]), ("directed", []), ("directed", [["Y", "X"]]), ("bidirected", []),
    ("bidirected", [["X", "Z"]]), ("outcomes", ["X"]), ("treatments", ["Y"]), ("given", ["X"]), ("given", ["Z"]),
]  # fmt: skip


@pytest.mark.parametrize("field, value", HEDGE)
def test_a_hedge_that_is_none_is_refused(field, value):
    record = record_of(f"{BOW}, Z", "not identifiable")
    assert recheck(record) is None
    record["witness"][field] = value
    assert recheck(record) is not None


TOLD = [
    (RIGHT, ("text", 0), "P(Y)"), (RIGHT, ("text", 1), "P(Y)"), (RIGHT, ("steps", 0, "text"), "P(Y)"),
    ("P(Y | X)", ("candidate",), "P(Y)"), ("P(Y | X)", ("target",), "P(Y | X)"),
    ("P(Y | do(X))", ("estimand",), "P(Y)"),
]  # fmt: skip


@pytest.mark.parametrize("answer, path, value", TOLD)
def test_an_expression_that_is_told_beside_is_the_one_that_is_meant(answer, path, value):
    record = record_of(FORK, answer)
    assert recheck(record) is None
    inner = record["witness"]
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    assert recheck(record) is not None


def test_sums_in_sums_are_too_large_before_they_are_counted():
    deep = "".join(f"sum_{{Z{chr(39) * n}}} " for n in range(40)) + "P(Y | X, Z)"
    spent = process_time()
    assert "too large to recheck" in str(recheck(compared(deep)))
    assert "too large to recheck" in str(recheck(led_on(record_of(FORK, RIGHT), spelled(deep))))
    assert process_time() - spent < 2
