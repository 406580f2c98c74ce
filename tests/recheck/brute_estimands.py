"""Is a record about an expression a true proof?  The verdict by enumerated models, the witness statement by statement.

Shares no code with `calverify.recheck`; of the library it uses what reads problems and expressions.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import calverify as cv
from calverify.docalculus import Effect, read_expression
from calverify.docalculus._decide import generalised
from calverify.docalculus._derivation import record as recorded
from calverify.docalculus._expression import Expression, Variable, free_variables, has_do, names_of, probability
from tests.docalculus.derivations import check_derivation
from tests.oracles import hedges
from tests.oracles.do_models import do_model
from tests.oracles.expressions import Model, evaluate, same_where_defined
from tests.oracles.id_algorithm import is_identified, is_identified_given, mixed
from tests.oracles.two_models import distribution

NONE = "not identifiable"
Record = Mapping[str, Any]


def is_true_proof(record: Record) -> bool:
    try:
        return truth(record) is record["valid"] and _is_true(record)
    except (cv.CalverifyError, ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError):
        return False


def effect_of(record: Record) -> Effect:
    problem = cv.Problem.from_json(record["problem"])
    sides = (frozenset([side] if isinstance(side, str) else side) for side in problem.query.targets)
    return Effect(problem.graph, *sides, frozenset(problem.query.given))


def expression_of(record: Record) -> Expression:
    return generalised(read_expression(record["answer"]), effect_of(record))


def is_right(effect: Effect, expression: Expression) -> bool:
    """By brute force on two models with explicit latents."""
    return all(
        same_where_defined(expression, effect.target, do_model(effect.graph, seed, 2 + seed)) for seed in range(2)
    )


def truth(record: Record) -> bool:
    """The verdict, from the problem and the answer of a record alone."""
    effect, answer = effect_of(record), record["answer"]
    about_words = record["problem"]["query"]["task"] == "identifiable"
    if about_words or answer == NONE:
        asked = (mixed(effect.graph), effect.outcomes, effect.treatments)
        known = is_identified_given(*asked, effect.given) if effect.given else is_identified(*asked)
        assert not about_words or answer in ("yes", "no")
        return known is (answer == "yes") if about_words else not known
    expression = read_expression(answer)
    if has_do(expression) or not names_of(expression) <= effect.graph.node_set:
        return False
    return is_right(effect, expression_of(record))


def _is_true(record: Record) -> bool:
    w, effect = record["witness"], effect_of(record)
    match w["kind"]:
        case "derivation":
            return _derives(effect, w, None if record["answer"] in (NONE, "yes", "no") else expression_of(record))
        case "hedge":
            outcomes, treatments = w["outcomes"], w["treatments"]
            lists = [w[name] for name in ("whole", "inner", "roots", "outcomes", "treatments", "given")]
            assert all(len(set(some)) == len(some) for some in lists)
            asked = effect.outcomes == set(outcomes) - set(w["given"]) and set(w["given"]) <= effect.given
            asked = asked and set(treatments) <= effect.treatments | effect.given
            return asked and hedges.faults(effect.graph, w, outcomes, treatments) == [] and _apart(effect, w["apart"])
        case "counter_model":
            return _counters(effect, w, expression_of(record))
        case "unknown":
            return set(w["names"]) == names_of(expression_of(record)) - effect.graph.node_set
        case "interventional":
            return has_do(expression_of(record)) and read_expression(w["estimand"]) == read_expression(record["answer"])
        case "identified":
            return is_right(effect, read_expression(w["estimand"]))
    raise AssertionError(w["kind"])


def _derives(effect: Effect, w: Record, wanted: Expression | None) -> bool:
    check_derivation(effect.graph, {**w, "steps": [_sorted(step) for step in w["steps"]]})
    start, goal = (read_expression(text) for text in w["text"])
    texts = [(step["text"], step["whole"]) for step in w["steps"]]
    fine = (recorded(start), recorded(goal)) == (w["start"], w["goal"]) and start == effect.target
    fine = fine and all(recorded(read_expression(text)) == whole for text, whole in texts) and not has_do(goal)
    return fine and is_right(effect, goal) and (wanted is None or is_right(effect, wanted))


def _sorted(step: Record) -> Record:
    """The names of a condition are sets, in any order."""
    if step["condition"] is None:
        return step
    assert all(len(set(names)) == len(names) for names in step["condition"].values())
    return {**step, "condition": {name: sorted(names) for name, names in step["condition"].items()}}


def model_of(graph: cv.Graph, record: Record) -> Model:
    """A model of the graph by its record; an AssertionError where it is none."""
    arcs = {frozenset(edge) for edge in graph.bidirected}
    ends = {latent["name"]: frozenset(latent["ends"]) for latent in record["latents"]}
    sizes = {part["name"]: part["values"] for part in (*record["latents"], *record["nodes"])}
    assert set(ends.values()) <= arcs
    assert len(ends) == len(set(ends.values())) == len(record["latents"])
    assert len(sizes) == len(record["latents"]) + len(record["nodes"])
    for node in record["nodes"]:
        assert all((parent, node["name"]) in graph.directed for parent in node["parents"])
        assert all(node["name"] in ends[latent] for latent in node["latents"])
        above = [*node["parents"], *node["latents"]]
        assert len(set(above)) == len(above)
        rows = [[Fraction(chance) for chance in row] for row in node["rows"]]
        wanted = 1
        for name in above:
            wanted *= sizes[name]
        assert len(rows) == wanted
        assert all(len(row) == node["values"] and sum(row) == 1 and min(row) >= 0 for row in rows)
    assert all(sum(map(Fraction, latent["row"])) == 1 for latent in record["latents"])
    names = tuple(node["name"] for node in record["nodes"])
    domain = {name: range(sizes[name]) for name in names}
    return Model(names, lambda do: distribution(record, do, list(names)), domain)


def _counters(effect: Effect, w: Record, expression: Expression) -> bool:
    model = model_of(effect.graph, w["model"])
    at = {_variable(text): value for text, value in w["at"].items()}
    assert set(at) == {*free_variables(expression), *free_variables(effect.target)}
    assert all(type(value) is int and value in model.values(variable.name) for variable, value in at.items())
    one, other = evaluate(expression, at, model), evaluate(effect.target, at, model)
    assert min(model.under({}).values()) > 0
    told = read_expression(w["candidate"]) == expression and read_expression(w["target"]) == effect.target
    return told and (one, other) == (Fraction(w["candidate_value"]), Fraction(w["target_value"])) and one != other


def _variable(text: str) -> Variable:
    (variable,) = read_expression(f"P({text})").of
    return variable


def _apart(effect: Effect, record: Record) -> bool:
    one, other = (model_of(effect.graph, model) for model in record["models"])
    assert one.names == other.names
    assert one.domain == other.domain
    seen = one.under({})
    assert seen == other.under({})
    assert min(seen.values()) > 0
    inside = [
        [Variable(name) for name in names if name in one.names]
        for names in (effect.outcomes, effect.treatments, effect.given)
    ]
    target, at = probability(*inside), {Variable(name): value for name, value in record["at"].items()}
    assert set(at) == free_variables(target)
    assert all(type(value) is int and value in one.values(variable.name) for variable, value in at.items())
    values = [evaluate(target, at, model) for model in (one, other)]
    return bool(inside[0]) and values == [Fraction(value) for value in record["values"]] and values[0] != values[1]
