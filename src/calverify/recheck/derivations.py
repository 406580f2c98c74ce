"""Derivations: every step looked at by itself, as an instance of its rule whose condition holds in the graph.

    rule 1  P(y | do(x), z, w)     = P(y | do(x), w)     if Y and Z are separated by X, W: arrows into X cut
    rule 2  P(y | do(x), do(z), w) = P(y | do(x), z, w)  if Y and Z are separated by X, W: arrows into X, out of Z cut
    rule 3  P(y | do(x), do(z), w) = P(y | do(x), w)     if Y and Z are separated by X, W: arrows into X and Z(W) cut

Z(W) is Z without the ancestors of W when arrows into X are cut.  Rearrangements have to hold for arbitrary functions
in place of the probabilities, which is tried at random points modulo a prime: where all variables differ from each
other and from all values that are named, and at others.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from .expressions import LEAST_PRIME, Tree, children, drawn, free_in, part, prime_for, replaced, told, tree_of, value
from .graphs import Graph
from .records import Set, fields, need, several

__all__ = ["arbitrary", "follows", "same_for_any_functions"]

STEP = "number rule place before after whole text condition because"
MOST_POINTS = 24
Parts = tuple[frozenset[Any], frozenset[Any], frozenset[Any]]


def follows(graph: Graph, start: Tree, goal: Tree, listed: Any) -> None:
    """The steps lead from the start to the goal; refused where one does not."""
    whole = start
    for number, step in enumerate(listed, start=1):
        stated, rule, place, before, after, new, text, condition, _ = fields(step, STEP)
        before, after, new = map(tree_of, (before, after, new))
        need(stated == number and part(whole, place) == before, f"step {number} changes a part that is not there")
        need(replaced(whole, place, after) == new, f"step {number} changes more than it says")
        fine = instance(graph, rule, condition, before, after) or instance(graph, rule, condition, after, before)
        need(fine, f"step {number} is no instance of its rule")
        told(text, new)
        whole = new
    need(whole == goal, "the last step is not the goal")


def instance(graph: Graph, rule: Any, condition: Any, left: Tree, right: Tree) -> bool:
    """Is left = right what the rule says, read from left to right?"""
    if rule in DO_RULES:
        return do_rule(graph, DO_RULES[rule], condition, left, right)
    need(condition is None, "a law of probability has no condition")
    if rule in ("arithmetic/rearrangement", "cancellation"):
        return same_for_any_functions(left, right)
    need(rule in LAWS, f"no rule: {rule!r:.60}")
    return LAWS[rule](left, right)


# ---------------------------------------------------------------- do-calculus

DO_RULES = {
    "rule 1: insertion/deletion of observations": 1,
    "rule 2: action/observation exchange": 2,
    "rule 3: insertion/deletion of actions": 3,
}


def sets(tree: Tree) -> Parts | None:
    """The three sets of a probability that mentions no node twice."""
    if "P" not in tree:
        return None
    names = [name for some in tree["P"] for name, _, _ in some]
    of, do, given = (frozenset(map(tuple, some)) for some in tree["P"])
    return (of, do, given) if len({*names}) == len(names) else None


def do_rule(graph: Graph, number: int, condition: Any, left: Tree, right: Tree) -> bool:
    """The left has z in the state that comes first in the rule: given (1), set (2, 3)."""
    one, other = sets(left), sets(right)
    if not one or not other or one[0] != other[0]:
        return False
    of, do, given = one
    z = given - other[2] if number == 1 else do - other[1]
    x, w = (do, given - z) if number == 1 else (do - z, given)
    if not z or other != (of, x, w | z if number == 2 else w):
        return False
    return needed(graph, number, condition, tuple(frozenset(name for name, _, _ in some) for some in (of, z, x, w)))


def needed(graph: Graph, number: int, condition: Any, sides: tuple[Set, ...]) -> bool:
    """Is the condition the one that the rule needs of Y, Z, X and W, and does it hold?"""
    y, z, x, w = sides
    need(y | z | x | w <= graph.nodes, "a name is not in the graph")
    into, out = x, z if number == 2 else frozenset()
    if number == 3:
        into |= z - surgery(graph, x, ()).reach("<-", w)
    stated = [several(one) for one in fields(condition, "x y given into_cut out_cut")]
    cut = surgery(graph, into, out)
    return stated == [y, z, x | w, into, out] and not any(cut.joins(a, b, x | w) for a in y for b in z)


def surgery(graph: Graph, into: Iterable[str], out: Iterable[str]) -> Graph:
    """The graph without the edges that have an arrowhead in `into`, and without the arrows that leave `out`."""
    arrows = ((a, b) for a, b in graph.arrows if b not in into and a not in out)
    return Graph(graph.nodes, arrows, (arc for arc in graph.arcs if not {*arc} & {*into}))


# ---------------------------------------------------------------- laws of probability


def chained(whole: Parts, factors: list[Tree], last: frozenset[Any] | None) -> bool:
    """P(a, b | c) = P(a | b, c) P(b | c), where b is `last` if that is said."""
    for one, other in (factors, factors[::-1]) if len(factors) == 2 else ():
        first, second = sets(one), sets(other)
        if first and second and first[0] | second[0] == whole[0] and not first[0] & second[0]:
            fits = second[1:] == whole[1:] and first[1:] == (whole[1], whole[2] | second[0])
            if fits and last in (None, second[0]) and distinct(whole[0]):
                return True
    return False


def distinct(variables: frozenset[Any]) -> bool:
    return len({name for name, _, _ in variables}) == len(variables)


def conditioning(left: Tree, right: Tree) -> bool:
    """P(a | c) = sum_{b} P(a | b, c) P(b | c)"""
    whole = sets(left)
    if not whole or "sum" not in right or "product" not in right["body"]:
        return False
    over = frozenset(map(tuple, right["sum"]))
    fresh = not over & (whole[0] | whole[1] | whole[2]) and all(said is None for _, _, said in over)
    return fresh and chained((whole[0] | over, *whole[1:]), right["body"]["product"], over)


def chain(left: Tree, right: Tree) -> bool:
    whole = sets(left)
    return bool(whole) and chained(whole, right.get("product", []), None)  # type: ignore[arg-type]


def marginal(left: Tree, right: Tree) -> bool:
    """sum_{a} P(a, b | c) = P(b | c), or 1"""
    inner = sets(left["body"]) if "sum" in left else None
    if not inner:
        return False
    over = frozenset(map(tuple, left["sum"]))
    if not over <= inner[0] or any(said is not None for _, _, said in over):
        return False
    return right == {"number": 1} if over == inner[0] else sets(right) == (inner[0] - over, *inner[1:])


def quotient(left: Tree, right: Tree) -> bool:
    """P(a, b | c) / P(b | c) = P(a | b, c)"""
    above, below, result = *(sets(one) for one in left.get("quotient", [{}, {}])), sets(right)
    if not above or not below or not result or above[1:] != below[1:] or not below[0] < above[0]:
        return False
    return result == (above[0] - below[0], above[1], above[2] | below[0])


def bayes(left: Tree, right: Tree) -> bool:
    """P(a | b, c) = P(b | a, c) P(a | c) / P(b | c)"""
    pair, below = right.get("quotient", [{}, {}])
    a, b = sets(left), sets(below)
    if not a or not b or not b[0] <= a[2] or b[1:] != (a[1], a[2] - b[0]):
        return False
    return chained((a[0] | b[0], *b[1:]), pair.get("product", []), a[0])


LAWS = {
    "conditioning (total probability)": conditioning,
    "chain rule": chain,
    "marginalisation": marginal,
    "conditional as quotient": quotient,
    "Bayes": bayes,
}


# ---------------------------------------------------------------- arithmetic

Point = dict[tuple[str, int], int]


def same_for_any_functions(left: Tree, right: Tree) -> bool:
    """Equal at random points modulo a prime, with an arbitrary number for each probability at each of its values.

    A node has more values than are named, and then one more, for what is true of one number of values only, such as
    sum_{Z} 1 = 2.
    """
    return all(_same(left, right, more) for more in (2, 3))


def _same(left: Tree, right: Tree, more: int) -> bool:
    """At points with so many values of each node that nobody named."""
    free, named = sorted(free_in(left) | free_in(right)), dict[str, int]()
    for name, said in [*_mentioned(left), *_mentioned(right)]:
        named[name] = max(named.get(name, 0), 0 if said is None else said + 1)
    copies = [name for name, _ in free]
    sizes = {name: above + max(more, copies.count(name)) for name, above in named.items()}
    about, prime, compared = repr((left, right)), prime_for(left, right), 0
    for at in _points(free, named, sizes):
        one, other = (value(tree, at, partial(arbitrary, about), sizes, prime) for tree in (left, right))
        if (one is None) is not (other is None):
            return False
        compared += one is not None
        if one is not None and (one - other) % prime:
            return False
    return compared > 0


def _points(free: list[tuple[str, int]], named: Mapping[str, int], sizes: Mapping[str, int]) -> Iterator[Point]:
    """All variables apart; then some points that are spread over all, at which variables and values meet."""
    names = [name for name, _ in free]
    yield {one: named[name] + names[:at].count(name) for at, (one, name) in enumerate(zip(free, names, strict=True))}
    for number in range(MOST_POINTS if free else 0):
        yield {one: drawn("point", number, one) % sizes[one[0]] for one in free}


def _mentioned(tree: Tree) -> Iterator[tuple[str, int | None]]:
    for some in (tree.get("sum", ()), *tree.get("P", ())):
        yield from ((name, said) for name, _, said in some)
    for one in children(tree):
        yield from _mentioned(one)


def arbitrary(about: str, *lists: list[tuple[str, int]]) -> int:
    """What stands for a probability where `about` is compared; never 0."""
    return 1 + drawn(about, [sorted(some) for some in lists]) % LEAST_PRIME
