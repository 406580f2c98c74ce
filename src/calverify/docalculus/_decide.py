"""Is a proposed estimand right?  What the three engines say, put together.

A candidate is accepted when the ID algorithm identifies the effect (or a proof is found) and no random model tells
the candidate from the effect; it is refused when a model does, which is shown with both numbers.  Engines that
contradict each other are a bug in one of them: the question is then undetermined, and the error says how to repeat it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from calverify.docalculus._canonical import canonical
from calverify.docalculus._derivation import Derivation, Unproved
from calverify.docalculus._evaluate import evaluate
from calverify.docalculus._expression import (
    Expression,
    Plus,
    Probability,
    Product,
    Quotient,
    Sum,
    Variable,
    has_do,
    names_of,
    parts,
    probability,
)
from calverify.docalculus._hedge import Hedge
from calverify.docalculus._identify import Estimand, identify
from calverify.docalculus._prove import prove
from calverify.docalculus._refute import Agreement, CounterModel, refute
from calverify.docalculus._witness import two_models
from calverify.docalculus._write import to_text
from calverify.errors import BudgetError, ExpressionError
from calverify.graphs import Graph
from calverify.names import listing

__all__ = ["NOT_IDENTIFIABLE", "Decision", "Disagreement", "Effect", "decide", "opinions"]

NOT_IDENTIFIABLE = "not identifiable"

Candidate = Expression | str  # a str is NOT_IDENTIFIABLE


class Disagreement(BudgetError):
    """Two engines contradict each other; the message holds what repeats it."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Is the candidate right, why in one sentence, and data to check that by."""

    accepted: bool
    why: str
    witness: Mapping[str, Any]


@dataclass(frozen=True)
class Effect:
    """P(outcomes | do(treatments), given) in a graph."""

    graph: Graph
    treatments: frozenset[str]
    outcomes: frozenset[str]
    given: frozenset[str] = frozenset()

    @cached_property
    def target(self) -> Probability:
        return probability(*(map(Variable, names) for names in _roles(self)))

    def identify(self) -> Estimand | Hedge:
        """What the ID algorithm says; a `BudgetError` where it takes too long."""
        if isinstance(self._found, BudgetError):
            raise self._found
        return self._found

    @property
    def identified(self) -> Estimand | Hedge | None:
        """The same, and None where it takes too long."""
        return None if isinstance(self._found, BudgetError) else self._found

    @cached_property
    def _found(self) -> Estimand | Hedge | BudgetError:
        try:
            return identify(self.graph, self.outcomes, self.treatments, self.given)
        except BudgetError as error:
            return error

    def __str__(self) -> str:
        return to_text(self.target)


def decide(effect: Effect, candidate: Candidate, *, prove_it: bool = False) -> Decision:
    """Is the candidate the effect?  `prove_it` also looks for a derivation to show, which takes longer.

    Raises `Disagreement` where engines contradict each other, and `BudgetError` where none decides.
    """
    if isinstance(candidate, str):
        return _decide_not_identifiable(effect, prove_it)
    unfit = _unfit(effect, candidate)
    if unfit is not None:
        return unfit
    asked = generalised(candidate, effect)
    try:
        tested = refute(effect.graph, asked, effect.target)
    except ExpressionError as error:
        return Decision(False, str(error), {"kind": "undefined", "estimand": to_text(asked)})
    if isinstance(tested, CounterModel):
        _agree_on_refusal(effect, asked)
        return _refused(effect, tested)
    return _accepted(effect, asked, tested, prove_it)


def _decide_not_identifiable(effect: Effect, prove_it: bool) -> Decision:
    found = effect.identify()
    if isinstance(found, Hedge):
        witness = {"kind": "hedge", **found.to_json(), "apart": told_apart(effect, found) if prove_it else None}
        return Decision(True, f"{effect} cannot be identified: {found.why}", witness)
    formula = to_text(found.expression)
    why = f"{effect} is identified: it is {formula}"
    derived = prove(effect.graph, effect.target, found.expression) if prove_it else None
    if isinstance(derived, Derivation):
        return Decision(False, why, {"kind": "derivation", **derived.to_json(), "agreement": None})
    return Decision(False, why, {"kind": "identified", "estimand": formula, "same": False, "agreement": None})


def told_apart(effect: Effect, hedge: Hedge) -> dict[str, Any] | None:
    """Two models that agree on all that is observed, and an assignment at which the effect differs, in plain JSON.

    None where they are too large to be looked at, or agree on an effect given something.
    """
    try:
        models = two_models(effect.graph, hedge)
    except BudgetError:
        return None
    inside = models[0].shape.parents
    lists = [[Variable(name) for name in names if name in inside] for names in _roles(effect)]
    if not lists[0]:
        return None
    target = probability(*lists)
    tables = [evaluate(target, model) for model in models]
    for row in reversed(tables[0]):
        values = [table[row] for table in tables]
        if None not in values and values[0] != values[1]:
            at = {variable.name: value for variable, value in zip(sorted(target.variables), row, strict=True)}
            return {"models": [model.to_json() for model in models], "at": at, "values": list(map(str, values))}
    return None


def _roles(effect: Effect) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    return effect.outcomes, effect.treatments, effect.given


def _unfit(effect: Effect, candidate: Expression) -> Decision | None:
    """The refusal of what is no estimand for this graph, before any engine is asked."""
    unknown = sorted(names_of(candidate) - effect.graph.node_set)
    if unknown:
        verb = "is" if len(unknown) == 1 else "are"
        return Decision(False, f"{listing(unknown)} {verb} not in the graph", {"kind": "unknown", "names": unknown})
    if has_do(candidate):
        why = "it intervenes, and an estimand is made of observed probabilities only"
        return Decision(False, why, {"kind": "interventional", "estimand": to_text(candidate)})
    return None


def generalised(candidate: Expression, effect: Effect) -> Expression:
    """P(Y=1 | X=0) is read as P(Y | X) at one value, when the effect's variable has that one value everywhere."""
    values: dict[str, set[int | None]] = {}
    for variable in _mentioned(candidate, frozenset()):
        values.setdefault(variable.name, set()).add(variable.value)
    asked = effect.outcomes | effect.treatments | effect.given
    single = frozenset(name for name in asked if len(seen := values.get(name, {None})) == 1 and None not in seen)
    return canonical(_without_values(candidate, single, frozenset())) if single else candidate


def _mentioned(expression: Expression, bound: frozenset[Variable]) -> Iterator[Variable]:
    """The free variables and constants, one by one; copies that a sum binds are neither."""
    if isinstance(expression, Probability):
        yield from (variable for variable in expression.variables if variable not in bound)
    inner = bound | frozenset(getattr(expression, "over", ()))
    for part in parts(expression):
        yield from _mentioned(part, inner)


def _without_values(expression: Expression, single: frozenset[str], bound: frozenset[Variable]) -> Expression:
    """The expression with the valued names as variables; what sums bind of these names moves one copy up."""

    def put(variable: Variable) -> Variable:
        if variable.name not in single:
            return variable
        return Variable(variable.name, variable.copy + 1) if variable in bound else Variable(variable.name)

    match expression:
        case Probability(of, do, given):
            return probability(map(put, of), map(put, do), map(put, given))
        case Sum(over, body):
            inner = bound | frozenset(over)
            moved = tuple(Variable(v.name, v.copy + 1) if v.name in single else v for v in over)
            return Sum(moved, _without_values(body, single, inner))
        case Product(factors):
            return Product(tuple(_without_values(factor, single, bound) for factor in factors))
        case Quotient(above, below):
            return Quotient(_without_values(above, single, bound), _without_values(below, single, bound))
        case Plus(terms):
            return Plus(tuple((sign, _without_values(term, single, bound)) for sign, term in terms))
    return expression


def _agree_on_refusal(effect: Effect, asked: Expression) -> None:
    """A model tells the candidate from the effect: then it cannot be the very formula that the ID algorithm gives."""
    found = effect.identified
    if isinstance(found, Estimand) and canonical(found.expression) == canonical(asked):
        raise Disagreement(_repro(effect, asked, "identify derives it, and a model refutes it"))


def _refused(effect: Effect, tested: CounterModel) -> Decision:
    where = ", ".join(f"{name}={value}" for name, value in tested.at.items())
    at = f", at {where}" if where else ""
    one, other = (brief_number(value) for value in (tested.candidate_value, tested.target_value))
    why = f"in a model of this graph it is {one} where {effect} is {other}{at}"
    return Decision(False, why, {"kind": "counter_model", **tested.to_json()})


def brief_number(value: Fraction) -> str:
    """The fraction, or about what it is where that is easier to read."""
    text = str(value)
    return text if len(text) <= 30 else f"about {float(value):.6g}"


def _accepted(effect: Effect, asked: Expression, tested: Agreement, prove_it: bool) -> Decision:
    found = effect.identified
    if isinstance(found, Hedge):
        raise Disagreement(_repro(effect, asked, "identify finds a hedge, and no model refutes the candidate"))
    same = found is not None and canonical(found.expression) == canonical(asked)
    if found is not None and not same and not isinstance(refute(effect.graph, asked, found.expression), Agreement):
        what = f"identify gives {to_text(found.expression)}, which a model tells from the candidate"
        raise Disagreement(_repro(effect, asked, what))
    derived = prove(effect.graph, effect.target, asked) if prove_it or found is None else None
    checked = {"agreement": tested.to_json()}
    if isinstance(derived, Derivation):
        steps = "1 step" if len(derived.steps) == 1 else f"{len(derived.steps)} steps"
        why = f"{effect} is derived to be {to_text(asked)} in {steps}"
        return Decision(True, why, {"kind": "derivation", **derived.to_json(), **checked})
    if found is None:
        raise BudgetError(f"no model tells {to_text(asked)} from {effect}, and no proof is found within the budget")
    formula = to_text(found.expression)
    how = "by the ID algorithm" if same else f"as {formula}, which equals it on every random model"
    witness = {"kind": "identified", "estimand": formula, "same": same, **checked}
    return Decision(True, f"{effect} is identified {how}", witness)


def opinions(effect: Effect, candidate: Expression) -> dict[str, bool | None]:
    """What each engine says alone of an estimand (None: nothing), for counting disagreements; slow."""
    asked = generalised(candidate, effect)
    tested = refute(effect.graph, asked, effect.target)
    found, derived = effect.identified, prove(effect.graph, effect.target, asked)
    says: bool | None = None
    if isinstance(found, Hedge):
        says = False
    elif found is not None and isinstance(refute(effect.graph, asked, found.expression), Agreement):
        says = True
    elif found is not None:
        says = False
    return {
        "prove": None if isinstance(derived, Unproved) else True,
        "identify": says,
        "refute": isinstance(tested, Agreement),
    }


def _repro(effect: Effect, asked: Expression, what: str) -> str:
    return f"engines disagree ({what}): graph {effect.graph}; effect {effect}; candidate {to_text(asked)}"
