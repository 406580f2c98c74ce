"""A derivation checked from its JSON alone, by code that shares nothing with the search that found it.

Each step is looked at by itself: the part stands where it says, the rest did not change, the part is an instance of
the rule in one of its two directions, and the condition is the one the rule asks for and holds, path by path.
"""

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

from tests.oracles.criteria import Plain
from tests.oracles.paths import Paths

PRIME = (1 << 61) - 1


def check_derivation(graph, record: dict[str, Any]) -> None:
    """Nothing, or an AssertionError that says which step is wrong."""
    whole = record["start"]
    for number, step in enumerate(record["steps"], start=1):
        assert step["number"] == number
        assert part(whole, step["place"]) == step["before"], f"step {number}: the part is not there"
        assert replaced(whole, step["place"], step["after"]) == step["whole"], f"step {number}: something else changed"
        fine = instance(graph, step, step["before"], step["after"]) or instance(
            graph, step, step["after"], step["before"]
        )
        assert fine, f"step {number} is no instance of {step['rule']}"
        whole = step["whole"]
    assert whole == record["goal"]


# ---------------------------------------------------------------- parts


def children(expression) -> list:
    """As `parts` numbers them."""
    if "sum" in expression:
        return [expression["body"]]
    if "plus" in expression:
        return [term for _, term in expression["plus"]]
    return expression.get("product") or expression.get("quotient") or []


def part(expression, place):
    for at in place:
        expression = children(expression)[at]
    return expression


def replaced(expression, place, new):
    if not place:
        return new
    inner = replaced(children(expression)[place[0]], place[1:], new)
    if "sum" in expression:
        return {"sum": expression["sum"], "body": inner}
    if "plus" in expression:
        return {
            "plus": [[sign, inner if at == place[0] else term] for at, (sign, term) in enumerate(expression["plus"])]
        }
    ((kind, row),) = expression.items()
    return {kind: [inner if at == place[0] else one for at, one in enumerate(row)]}


# ---------------------------------------------------------------- instances


def instance(graph, step, left, right) -> bool:
    """Is left = right what the rule says, read from left to right?"""
    rule = step["rule"]
    if rule.startswith("rule "):
        return do_rule(graph, int(rule[5]), step["condition"], left, right)
    assert step["condition"] is None
    if rule in ("arithmetic/rearrangement", "cancellation"):
        return same_for_any_functions(left, right)
    return LAWS[rule](left, right)


def sets(expression) -> tuple[frozenset, ...] | None:
    """The three sets of a probability that mentions no node twice."""
    if "P" not in expression:
        return None
    lists = expression["P"]
    names = [name for some in lists for name, _, _ in some]
    return tuple(frozenset(map(tuple, some)) for some in lists) if len(set(names)) == len(names) else None


def do_rule(graph, number: int, condition, left, right) -> bool:
    """The left has z in the state that comes first in the rule: given (1), set (2, 3)."""
    one, other = sets(left), sets(right)
    if not one or not other or one[0] != other[0]:
        return False
    of, do, given = one
    z = given - other[2] if number == 1 else do - other[1]
    x, w = (do, given - z) if number == 1 else (do - z, given)
    if not z or other != (of, x, w | z if number == 2 else w):
        return False
    y, z, x, w = ({name for name, _, _ in some} for some in (of, z, x, w))
    into, out = set(x), set(z) if number == 2 else set()
    if number == 3:
        kept = Paths(cut(graph, x, ()))
        into |= {node for node in z if not any(node in kept.above(one) for one in w)}
    asked = {"x": y, "y": z, "given": x | w, "into_cut": into, "out_cut": out}
    assert condition == {name: sorted(names) for name, names in asked.items()}
    paths = Paths(cut(graph, into, out))
    return not any(paths.open_paths(a, b, frozenset(x | w)) for a in y for b in z)


def cut(graph, into, out) -> Plain:
    directed = tuple((a, b) for a, b in graph.directed if b not in into and a not in out)
    return Plain(graph.nodes, directed, tuple(arc for arc in graph.bidirected if not set(arc) & set(into)))


def bound_pair(expression) -> tuple[frozenset, list]:
    """The variables of a sum (none where it is no sum), and the factors of its body."""
    over = frozenset(map(tuple, expression["sum"])) if "sum" in expression else frozenset()
    return over, expression["body"]["product"] if over and "product" in expression["body"] else expression.get(
        "product", []
    )


def conditioning(left, right) -> bool:
    whole = sets(left)
    over, factors = bound_pair(right)
    return bool(whole and over) and chained((whole[0] | over, *whole[1:]), factors, over)


def chain(left, right) -> bool:
    whole = sets(left)
    return bool(whole) and "sum" not in right and chained(whole, right.get("product", []), None)


def chained(whole, factors, last) -> bool:
    """P(a, b | c) = P(a | b, c) P(b | c), where b is `last` if that is said."""
    if len(factors) != 2:
        return False
    for one, other in (factors, factors[::-1]):
        first, second = sets(one), sets(other)
        if first and second and first[0] | second[0] == whole[0] and not first[0] & second[0]:
            fits = second[1:] == whole[1:] and first[1:] == (whole[1], whole[2] | second[0])
            if fits and last in (None, second[0]):
                return True
    return False


def marginal(left, right) -> bool:
    if "sum" not in left or "P" not in left["body"]:
        return False
    over, inner = frozenset(map(tuple, left["sum"])), sets(left["body"])
    if not inner or not over <= inner[0]:
        return False
    if over == inner[0]:
        return right == {"number": 1}
    return sets(right) == (inner[0] - over, *inner[1:])


def quotient(left, right) -> bool:
    above, below, result = *(sets(one) for one in left.get("quotient", [{}, {}])), sets(right)
    if not above or not below or not result or above[1:] != below[1:] or not below[0] < above[0]:
        return False
    return result == (above[0] - below[0], above[1], above[2] | below[0])


def bayes(left, right) -> bool:
    a, pair, b = sets(left), *right.get("quotient", [{}, {}])
    b = sets(b)
    return (
        bool(a and b)
        and b[0] <= a[2]
        and b[1:] == (a[1], a[2] - b[0])
        and chained((a[0] | b[0], *b[1:]), pair.get("product", []), a[0])
    )


LAWS = {
    "conditioning (total probability)": conditioning,
    "chain rule": chain,
    "marginalisation": marginal,
    "conditional as quotient": quotient,
    "Bayes": bayes,
}


# ---------------------------------------------------------------- arithmetic


def same_for_any_functions(left, right) -> bool:
    """Equal at random points, each probability being an arbitrary number at each of its values (modulo a prime)."""
    free = sorted(set(open_variables(left, frozenset())) | set(open_variables(right, frozenset())))
    rows = list(product((0, 1), repeat=len(free)))
    for row in Random(0).sample(rows, min(len(rows), 8)):
        at = dict(zip(free, row, strict=True))
        values = value(left, at), value(right, at)
        if None not in values and values[0] != values[1]:
            return False
    return True


def open_variables(expression, bound) -> Iterator[tuple]:
    if "P" in expression:
        for one in (tuple(one) for some in expression["P"] for one in some):
            if one not in bound and one[2] is None:
                yield one
    inner = bound | frozenset(map(tuple, expression.get("sum", ())))
    for one in children(expression):
        yield from open_variables(one, inner)


def value(expression, at) -> int | None:
    """None where it divides by zero."""
    if "number" in expression:
        return expression["number"] % PRIME
    if "P" in expression:
        lists = [
            sorted((name, at[name, copy, said] if said is None else said) for name, copy, said in some)
            for some in expression["P"]
        ]
        return Random(f"{lists}").randrange(1, PRIME)
    if "sum" in expression:
        over = [tuple(one) for one in expression["sum"]]
        rows = product((0, 1), repeat=len(over))
        numbers = [value(expression["body"], {**at, **dict(zip(over, row, strict=True))}) for row in rows]
        return None if None in numbers else sum(numbers) % PRIME
    numbers = [value(one, at) for one in children(expression)]
    if None in numbers:
        return None
    if "plus" in expression:
        signs = [sign for sign, _ in expression["plus"]]
        return sum(sign * number for sign, number in zip(signs, numbers, strict=True)) % PRIME
    if "quotient" in expression:
        return numbers[0] * pow(numbers[1], -1, PRIME) % PRIME if numbers[1] else None
    found = 1
    for number in numbers:
        found = found * number % PRIME
    return found
