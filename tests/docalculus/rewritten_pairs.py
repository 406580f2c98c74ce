"""Random pairs of expressions on random graphs: many equal by construction, many nearly so, some without a value."""

from collections.abc import Iterator
from random import Random

from calverify.docalculus._expression import (
    Expression,
    Number,
    Plus,
    Probability,
    Product,
    Quotient,
    Sum,
    Variable,
    probability,
    rename,
)
from calverify.graphs import Graph
from tests.strategies import random_admg

Pair = tuple[Graph, Expression, Expression]


def random_pairs(rng: Random, count: int, most_nodes: int = 4) -> Iterator[Pair]:
    """(graph, candidate, target): effects and their adjustments, and expressions against what is made of them."""
    for at in range(count):
        graph = random_admg(rng, rng.randint(2, most_nodes), rng.choice((0.3, 0.5, 0.8)), rng.choice((0, 0.2, 0.4)))
        if at % 2:
            candidate, target = some_adjustment(rng, graph)
        else:
            candidate = target = random_expression(rng, graph.nodes, rng.randint(0, 2))
        for _ in range(rng.randint(0, 3)):
            candidate = rewritten(rng, candidate, graph.nodes)
        if rng.random() < 0.3:
            candidate = altered(rng, candidate, graph.nodes)
        yield graph, candidate, target


def some_adjustment(rng: Random, graph: Graph) -> tuple[Expression, Expression]:
    """sum_{Z} P(Y | X, Z) P(Z) for an effect: Z at random, or the parents of X, where it is often right."""
    x, y, *rest = rng.sample(graph.nodes, len(graph.nodes))
    z = [tail for tail, head in graph.directed if head == x and tail != y]
    if rng.random() < 0.5:
        z = rng.sample(rest, rng.randint(0, len(rest)))
    given = [Variable(name) for name in z]
    inside = probability([Variable(y)], [], [Variable(x), *given])
    candidate = Sum(tuple(sorted(given)), Product((inside, probability(given)))) if given else inside
    return candidate, probability([Variable(y)], [Variable(x)])


def random_probability(rng: Random, names, copies: float = 0.0) -> Probability:
    chosen = rng.sample(names, rng.randint(1, min(3, len(names))))
    lists: tuple[list, list, list] = ([], [], [])
    for at, name in enumerate(chosen):
        place = 0 if at == 0 else rng.randrange(3)
        lists[place].append(Variable(name, int(rng.random() < copies), rng.choice((None, None, None, None, 0, 1))))
        if rng.random() < copies / 2:
            lists[rng.randrange(3)].append(Variable(name, 1 - lists[place][-1].copy))
    return probability(*lists)


def random_expression(rng: Random, names, depth: int) -> Expression:
    if depth == 0:
        return random_probability(rng, names, 0.2) if rng.random() < 0.9 else Number(rng.randint(0, 3))
    kind = rng.randrange(5)
    one, other = (random_expression(rng, names, depth - 1) for _ in range(2))
    if kind == 0:
        return Quotient(one, other)
    if kind == 1:
        return Plus(((rng.choice((1, -1)), one), (1, other)))
    if kind == 2:
        return Product((one, other))
    over = rng.sample(names, rng.randint(1, min(2, len(names))))
    return Sum(tuple(sorted(Variable(name, int(rng.random() < 0.2)) for name in over)), Product((one, other)))


def at_some_place(rng: Random, expression: Expression, change) -> Expression:
    """The expression with `change` done to a part of it, which is chosen on the way down."""
    match expression:
        case Sum(over, body) if rng.random() < 0.8:
            return Sum(over, at_some_place(rng, body, change))
        case Product(factors) if factors and rng.random() < 0.8:
            at = rng.randrange(len(factors))
            return Product((*factors[:at], at_some_place(rng, factors[at], change), *factors[at + 1 :]))
        case Quotient(above, below) if rng.random() < 0.8:
            if rng.random() < 0.5:
                return Quotient(at_some_place(rng, above, change), below)
            return Quotient(above, at_some_place(rng, below, change))
        case Plus(terms) if terms and rng.random() < 0.8:
            at = rng.randrange(len(terms))
            new = (terms[at][0], at_some_place(rng, terms[at][1], change))
            return Plus((*terms[:at], new, *terms[at + 1 :]))
    return change(expression)


def rewritten(rng: Random, expression: Expression, names) -> Expression:
    """Another expression with the same values, by a law of probability or of arithmetic."""
    return at_some_place(rng, expression, lambda part: same_in_other_words(rng, part, names))


def same_in_other_words(rng: Random, expression: Expression, names) -> Expression:
    match expression:
        case Probability(of, do, given) if len({each.name for each in of + do + given}) == len(of + do + given):
            fresh = [name for name in names if name not in {each.name for each in of + do + given}]
            kind = rng.randrange(3)
            if kind == 0 and len(of) > 1:  # the chain rule
                return Product((probability(of[:1], do, of[1:] + given), probability(of[1:], do, given)))
            if kind == 1 and fresh:  # total probability
                new = Variable(rng.choice(fresh), rng.randrange(2))
                return Sum((new,), probability((*of, new), do, given))
            if kind == 2 and given:  # the definition of a condition
                return Quotient(probability(of + given, do), probability(given, do))
        case Sum(over, body):
            old = rng.choice(over)
            new = Variable(old.name, 7)
            if new not in over:
                return Sum(tuple(sorted(new if each == old else each for each in over)), rename(body, {old: new}))
        case Product(factors):
            return Product(tuple(rng.sample(factors, len(factors))))
        case Plus(terms):
            return Plus(tuple(rng.sample(terms, len(terms))))
    number = Number(rng.randint(2, 5))
    return Quotient(Product((expression, number)), number)


def altered(rng: Random, expression: Expression, names) -> Expression:
    """Mostly another function: a list loses a variable or gets another, or a number stands in."""

    def change(part: Expression) -> Expression:
        if not isinstance(part, Probability) or rng.random() < 0.1:
            return Product((part, Number(rng.randint(0, 2))))
        lists = [list(part.of), list(part.do), list(part.given)]
        place = rng.choice([at for at, some in enumerate(lists) if len(some) > (at == 0)] or [2])
        moved = lists[place].pop() if len(lists[place]) > (place == 0) else Variable(rng.choice(names))
        if rng.random() < 0.5:
            lists[rng.randrange(3)].append(moved)
        return probability(*lists)

    return at_some_place(rng, expression, change)
