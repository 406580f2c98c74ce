"""Hypothesis strategies for expressions over a few nodes."""

from hypothesis import strategies as st

from calverify.docalculus._expression import (
    Expression,
    Number,
    Plus,
    Product,
    Quotient,
    Sum,
    Variable,
    names_of,
    probability,
)

NAMES = ("W", "X", "Y", "Z")
AWKWARD = (
    "X",
    "do",
    "P",
    "sum",
    "blood_pressure",
    "X_1",
    "x",
    "two words",
    'a "b"',
    "é",
    "\\frac{1}{2}",
    "'",
    "1st",
    "$",
)


@st.composite
def probabilities(draw: st.DrawFn, names=NAMES, interventions=True, values=True):
    """P(of | do(do), given), each node at most once; some variables are copies, some have values."""
    chosen = draw(st.lists(st.sampled_from(names), unique=True, min_size=1, max_size=min(4, len(names))))
    lists: tuple[list, list, list] = ([], [], [])
    for at, name in enumerate(chosen):
        place = 0 if at == 0 else draw(st.sampled_from((0, 1, 2) if interventions else (0, 2)))
        kind = draw(st.integers(0, 9))
        if values and kind == 0:
            lists[place].append(Variable(name, 0, draw(st.integers(0, 1))))
        else:
            lists[place].append(Variable(name, 1 if kind in (1, 2) else 0))
    return probability(*lists)


def expressions(names=NAMES, interventions=True, values=True, leaves=8) -> st.SearchStrategy[Expression]:
    """Any expression: sums may bind what is free, bound or absent inside, and divisors may be zero."""
    leaf = st.one_of(
        probabilities(names, interventions, values),
        probabilities(names, interventions, values),
        probabilities(names, interventions, values),
        st.integers(0, 3).map(Number),
    )
    variable = st.builds(Variable, st.sampled_from(names), st.sampled_from((0, 0, 1)), st.none())
    bound = st.lists(variable, unique=True, min_size=1, max_size=2)

    def larger(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
        some = st.lists(inner, min_size=2, max_size=3)
        return st.one_of(
            st.builds(lambda over, body: Sum(tuple(sorted(over, key=lambda one: one[:2])), body), bound, inner),
            some.map(lambda factors: Product(tuple(factors))),
            some.map(lambda factors: Product(tuple(factors))),
            st.builds(Quotient, inner, inner),
            st.lists(st.tuples(st.sampled_from((1, -1)), inner), min_size=1, max_size=3).map(
                lambda terms: Plus(tuple(terms))
            ),
        )

    return st.recursive(leaf, larger, max_leaves=leaves)


def model_names(expression: Expression) -> tuple[str, ...]:
    return tuple(sorted(names_of(expression)))
