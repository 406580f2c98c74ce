"""Random questions for `prove`: a graph, a start and a goal, of which some are equal and some are not.

A goal is a textbook formula over a random set, or what random steps make of the start; a step is a law of probability
or puts a variable into another state, whether a rule allows that or not.
"""

from collections.abc import Callable
from random import Random

from calverify.docalculus._expression import (
    Expression,
    Plus,
    Probability,
    Product,
    Quotient,
    Sum,
    Variable,
    probability,
)
from calverify.graphs import Graph
from tests.strategies import random_admg

Pair = tuple[Graph, Expression, Expression]


def random_pair(rng: Random, most_nodes: int = 5) -> Pair:
    graph = random_admg(rng, rng.randint(2, most_nodes), rng.choice([0.3, 0.5, 0.8]), rng.choice([0, 0.15, 0.3]))
    start, goal = rng.choice([adjusted, chained, changed, changed])(rng, graph)
    return graph, *rng.choice([(start, goal)] * 3 + [(goal, start)])


def some(rng: Random, names, most: int) -> list[str]:
    return rng.sample(list(names), rng.randint(0, min(most, len(names))))


def p(of, do=(), given=()) -> Probability:
    return probability(*(map(Variable, names) for names in (of, do, given)))


def summed(over, body: Expression) -> Expression:
    return Sum(tuple(map(Variable, sorted(over))), body) if over else body


def adjusted(rng: Random, graph: Graph) -> tuple[Expression, Expression]:
    """P(y | do(x), w) and sum_{z} P(y | x, z, w) P(z | w)."""
    x, y, *rest = rng.sample(graph.nodes, len(graph.nodes))
    z = some(rng, rest, 3)
    w = some(rng, set(rest) - set(z), 1) if rng.random() < 0.3 else []
    factors = [p([y], (), [x, *z, *w])] + ([p(z, (), w)] if z else [])
    return p([y], [x], w), summed(z, Product(tuple(factors)) if z else factors[0])


def chained(rng: Random, graph: Graph) -> tuple[Expression, Expression]:
    """P(y | do(x)) and a product of conditionals in a causal order, summed over what is neither."""
    order = sorted(graph.nodes, key=lambda node: (len(graph.ancestors([node])), node))
    names = rng.sample(order, len(order))
    split = rng.randint(1, max(1, min(2, len(names) - 1)))
    x, y = names[:split], names[split : split + 1] or names[:1]
    x = [name for name in x if name not in y]
    factors = []
    for at, node in enumerate(order):
        if node not in x:
            before = order[:at] if rng.random() < 0.5 else sorted(graph.parents([node]))
            factors.append(p([node], [one for one in before if one in x and rng.random() < 0.2], []))
            do = {variable.name for variable in factors[-1].do}
            factors[-1] = p([node], do, [one for one in before if one not in do])
    over = [node for node in order if node not in x and node not in y]
    return p(y, x), summed(over, Product(tuple(factors)) if len(factors) > 1 else factors[0])


def changed(rng: Random, graph: Graph) -> tuple[Expression, Expression]:
    """An expression of one or two probabilities, and what a few random steps make of it."""
    one = leaf(rng, graph.nodes)
    start = rng.choice([one] * 4 + [Product((one, leaf(rng, graph.nodes))), Quotient(one, leaf(rng, graph.nodes))])
    if rng.random() < 0.1:
        start = Plus(((1, start), (rng.choice([1, -1]), leaf(rng, graph.nodes))))
    return start, after_steps(rng, graph, start)


def after_steps(rng: Random, graph: Graph, goal: Expression) -> Expression:
    for _ in range(rng.randint(1, 5)):
        goal = with_one_leaf(rng, goal, lambda found: rng.choice(STEPS)(rng, graph, found))
    return goal


def leaf(rng: Random, names) -> Probability:
    """Each node at most once; some variables have values, some are copies."""
    lists: tuple[list, list, list] = ([], [], [])
    for at, name in enumerate(rng.sample(list(names), rng.randint(1, min(4, len(names))))):
        kind = rng.random()
        variable = Variable(name, 0, 1) if kind < 0.1 else Variable(name, 1) if kind < 0.2 else Variable(name)
        lists[rng.randint(0, 2) if at else 0].append(variable)
    return probability(*lists)


def with_one_leaf(rng: Random, whole: Expression, change: Callable[[Probability], Expression]) -> Expression:
    match whole:
        case Probability():
            return change(whole)
        case Sum(over, body):
            return Sum(over, with_one_leaf(rng, body, change))
        case Product(factors):
            at = rng.randrange(len(factors))
            return Product((*factors[:at], with_one_leaf(rng, factors[at], change), *factors[at + 1 :]))
        case Quotient(above, below):
            if rng.random() < 0.6:
                return Quotient(with_one_leaf(rng, above, change), below)
            return Quotient(above, with_one_leaf(rng, below, change))
        case Plus(terms):
            at = rng.randrange(len(terms))
            sign, term = terms[at]
            return Plus((*terms[:at], (sign, with_one_leaf(rng, term, change)), *terms[at + 1 :]))
    return whole


# ---------------------------------------------------------------- steps


def moved(rng: Random, graph: Graph, one: Probability) -> Expression:
    """A variable in another state, right or wrong."""
    name = rng.choice(graph.nodes)
    if name in {variable.name for variable in one.of}:
        return one
    do, given = ([variable for variable in some if variable.name != name] for some in (one.do, one.given))
    there = [variable for variable in one.do + one.given if variable.name == name]
    rng.choice([do, given, []]).append(there[0] if there else Variable(name))
    return probability(one.of, do, given)


def conditioned(rng: Random, graph: Graph, one: Probability) -> Expression:
    used = {variable.name for variable in one.variables}
    new = some(rng, [name for name in graph.nodes if name not in used], 2)
    if not new:
        return one
    over = tuple(Variable(name, rng.choice([0, 0, 2])) for name in sorted(new))
    return Sum(over, Product((probability(one.of, one.do, one.given + over), probability(over, one.do, one.given))))


def split(rng: Random, graph: Graph, one: Probability) -> Expression:
    if len(one.of) < 2:
        return one
    at = rng.randrange(len(one.of))
    first, rest = one.of[at : at + 1], one.of[:at] + one.of[at + 1 :]
    pair = [probability(first, one.do, one.given + rest), probability(rest, one.do, one.given)]
    return Product(tuple(rng.sample(pair, 2)))


def divided(rng: Random, graph: Graph, one: Probability) -> Expression:
    if not one.given:
        return one
    at = rng.randrange(len(one.given))
    b, rest = one.given[at : at + 1], one.given[:at] + one.given[at + 1 :]
    return Quotient(probability(one.of + b, one.do, rest), probability(b, one.do, rest))


def marginal(rng: Random, graph: Graph, one: Probability) -> Expression:
    used = {variable.name for variable in one.variables}
    left = [name for name in graph.nodes if name not in used]
    new = (Variable(rng.choice(left), rng.choice([0, 1])),) if left else ()
    return Sum(new, probability(one.of + new, one.do, one.given)) if new else one


def turned(rng: Random, graph: Graph, one: Probability) -> Expression:
    """By Bayes' rule."""
    if not one.given:
        return one
    at = rng.randrange(len(one.given))
    b, rest = one.given[at : at + 1], one.given[:at] + one.given[at + 1 :]
    pair = Product((probability(b, one.do, one.of + rest), probability(one.of, one.do, rest)))
    return Quotient(pair, probability(b, one.do, rest))


STEPS = [moved, moved, moved, conditioned, split, divided, turned, marginal]
