"""Identification: expressions of probabilities, and three engines that judge them independently of each other."""

from calverify.docalculus._canonical import canonical
from calverify.docalculus._decide import (
    NOT_IDENTIFIABLE,
    Decision,
    Disagreement,
    Effect,
    decide,
    opinions,
)
from calverify.docalculus._derivation import Derivation, Unproved
from calverify.docalculus._examples import EXAMPLES, Example
from calverify.docalculus._expression import Expression, Variable
from calverify.docalculus._hedge import Hedge
from calverify.docalculus._identify import Estimand, identify
from calverify.docalculus._models import Model, random_model
from calverify.docalculus._prove import prove
from calverify.docalculus._read import read_expression
from calverify.docalculus._refute import Agreement, CounterModel, refute
from calverify.docalculus._witness import two_models
from calverify.docalculus._write import to_latex, to_text

__all__ = [
    "EXAMPLES",
    "NOT_IDENTIFIABLE",
    "Agreement",
    "CounterModel",
    "Decision",
    "Derivation",
    "Disagreement",
    "Effect",
    "Estimand",
    "Example",
    "Expression",
    "Hedge",
    "Model",
    "Unproved",
    "Variable",
    "canonical",
    "decide",
    "identify",
    "opinions",
    "prove",
    "random_model",
    "read_expression",
    "refute",
    "to_latex",
    "to_text",
    "two_models",
]
