"""Expressions of probabilities: read from text, as trees in plain JSON, and worth what a table of chances says.

A tree is {"number": 1}, {"P": [of, do, given]}, {"sum": [...], "body": ...}, {"product": [...]}, {"quotient": [a, b]}
or {"plus": [[sign, ...], ...]}; a variable is [name, primes, value or None].  Numbers are whole, and a sum is over
different variables without values: what is written otherwise is refused before anything is computed with it.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import product
from math import prod
from typing import Any

from .records import need

__all__ = [
    "LEAST_PRIME",
    "Chance",
    "Tree",
    "Value",
    "children",
    "divided",
    "drawn",
    "free_in",
    "part",
    "prime_for",
    "probabilities",
    "read",
    "replaced",
    "told",
    "tree_of",
    "value",
]

Tree = dict[str, Any]
Value = Any  # a number of one field: a Fraction, or a whole number modulo a prime
At = Mapping[tuple[str, int], int]  # the values of free variables
Chance = Callable[[list[tuple[str, int]], list[tuple[str, int]], list[tuple[str, int]]], Value]  # None: no value

LEAST_PRIME = 1 << 61
BASES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)  # enough for all numbers below 2^64
MOST_LEVELS = 60
MOST_WORK = 1 << 15  # numbers to add or to multiply for one value
MOST_STATED = 1_000  # a larger value of a variable is none
TOKEN = re.compile(r'"(?:[^"]|"")++"|sum_\{|[0-9]++(?![^\W_])|[^\W\d]\w*+|\'++|\S')


class Reader:
    """An expression as calverify prints it, read word by word: "sum_{Z} P(Y | X, Z) P(Z)"."""

    def __init__(self, text: str) -> None:
        self.words = TOKEN.findall(text)[::-1]
        self.depth = 0

    def whole(self) -> Tree:
        tree = self.plus()
        need(not self.words, "an expression goes on after its end")
        return tree

    def next(self) -> str:
        return self.words[-1] if self.words else ""

    def take(self, *wanted: str) -> str:
        need(
            self.words and (not wanted or self.next() in wanted), "an expression is not spelled as calverify prints it"
        )
        return str(self.words.pop())

    def plus(self) -> Tree:
        self.depth += 1
        need(self.depth < MOST_LEVELS, "an expression is nested too deep")
        lone = self.take() if self.next() in ("+", "-") else ""
        terms = [(-1 if lone == "-" else 1, self.quotient())]
        while self.next() in ("+", "-"):
            sign = -1 if self.take() == "-" else 1
            terms.append((sign, self.quotient()))
        self.depth -= 1
        if lone or len(terms) > 1:
            return {"plus": [list(term) for term in terms]}
        return terms[0][1]

    def quotient(self) -> Tree:
        found = self.product()
        while self.next() == "/":
            self.take()
            found = {"quotient": [found, self.factor()]}
        return found

    def product(self) -> Tree:
        factors = [self.factor()]
        while self.next() == "*" or self.next() in ("P", "sum_{", "(") or self.next().isdecimal():
            if self.next() == "*":
                self.take()
            factors.append(self.factor())
        return {"product": factors} if len(factors) > 1 else factors[0]

    def factor(self) -> Tree:
        head = self.take()
        if head == "(":
            inside = self.plus()
            self.take(")")
            return inside
        if head == "sum_{":
            over = self.variables()
            self.take("}")
            self.depth += 1
            need(self.depth < MOST_LEVELS, "an expression is nested too deep")
            tree = {"sum": over, "body": self.product()}
            self.depth -= 1
            return tree
        if head == "P":
            return self.probability()
        need(head.isdecimal() and len(head) < 400, "an expression is not spelled as calverify prints it")
        return {"number": int(head)}

    def probability(self) -> Tree:
        self.take("(")
        of, do, given = self.variables(), list[Any](), list[Any]()
        if self.next() == "|":
            self.take()
            if self.next() == "do" and self.words[-2:-1] == ["("]:
                self.take()
                self.take("(")
                do = self.variables()
                self.take(")")
            if not do or self.next() == ",":
                if do:
                    self.take(",")
                given = self.variables()
        self.take(")")
        return {"P": [of, do, given]}

    def variables(self) -> list[Any]:
        found = [self.variable()]
        while self.next() == ",":
            self.take()
            found.append(self.variable())
        return found

    def variable(self) -> list[Any]:
        name = self.take()
        plain = name[0].isalpha() or name[0] == "_" or (name[0] == '"' and len(name) > 2)
        need(plain and name != "sum_{", "an expression is not spelled as calverify prints it")
        primes = len(self.take()) if self.next().startswith("'") else 0
        said = None
        if self.next() == "=":
            self.take()
            digits = self.take()
            need(digits.isdecimal() and len(digits) < 4, "a value is a small whole number")
            said = int(digits)
        return [name[1:-1].replace('""', '"') if name[0] == '"' else name, primes, said]


def read(text: Any) -> Tree:
    need(type(text) is str, "no expression")
    return tree_of(Reader(text).whole())


def told(text: Any, tree: Tree) -> None:
    """Is the text the expression that it stands beside?"""
    need(read(text) == tree, "an expression is not the one it stands beside")


def tree_of(said: Any, level: int = 0) -> Tree:
    """The tree that a record holds; refused where it is none."""
    need(type(said) is dict and level < 2 * MOST_LEVELS, "no expression")
    kinds, below = set(said), children(said)
    if kinds == {"number"}:
        need(type(said["number"]) is int and said["number"] >= 0, "no whole number")
    elif kinds == {"P"}:
        of, do, given = said["P"]
        fine = type(of) is type(do) is type(given) is list and of and all(map(_is_variable, [*of, *do, *given]))
        need(fine, "no probability")
    elif kinds == {"sum", "body"}:
        over = said["sum"]
        need(type(over) is list and over and all(_is_variable(one) and one[2] is None for one in over), "no sum")
        need(len({(name, primes) for name, primes, _ in over}) == len(over), "a variable stands twice under one sum")
    elif kinds == {"plus"}:
        need(
            type(said["plus"]) is list and all(type(sign) is int and sign in (1, -1) for sign, _ in said["plus"]),
            "no sign",
        )
    else:
        need(kinds in ({"product"}, {"quotient"}) and type(said[min(kinds)]) is list, "no expression")
        need(kinds == {"product"} or len(below) == 2, "no quotient")
    for one in below:
        tree_of(one, level + 1)
    need(below or kinds in ({"number"}, {"P"}), "no expression")
    whole: Tree = said
    return whole


def _is_variable(one: Any) -> bool:
    if type(one) is not list or len(one) != 3:
        return False
    name, primes, said = one
    stated = said is None or (type(said) is int and 0 <= said < MOST_STATED)
    return type(name) is str and type(primes) is int and primes >= 0 and stated


# ---------------------------------------------------------------- parts


def children(tree: Tree) -> list[Tree]:
    if "sum" in tree:
        return [tree["body"]]
    if "plus" in tree:
        return [term for _, term in tree["plus"]]
    return list(tree.get("product") or tree.get("quotient") or [])


def part(tree: Tree, place: Sequence[int]) -> Tree:
    for at in place:
        need(type(at) is int and 0 <= at < len(children(tree)), "there is no such part")
        tree = children(tree)[at]
    return tree


def replaced(tree: Tree, place: Sequence[int], new: Tree) -> Tree:
    """The tree with the part at a place replaced."""
    if not place:
        return new
    at = place[0]
    inner = replaced(children(tree)[at], place[1:], new)
    if "sum" in tree:
        return {"sum": tree["sum"], "body": inner}
    if "plus" in tree:
        return {"plus": [[sign, inner if at == n else term] for n, (sign, term) in enumerate(tree["plus"])]}
    ((kind, parts),) = tree.items()
    return {kind: [inner if at == n else one for n, one in enumerate(parts)]}


def probabilities(
    tree: Tree, bound: frozenset[tuple[str, int]] = frozenset()
) -> Iterator[tuple[list[Any], frozenset[Any]]]:
    """The variables of every probability, of its three lists together, and the variables that sums around it bind."""
    if "P" in tree:
        yield [one for some in tree["P"] for one in some], bound
    inner = bound | {(name, primes) for name, primes, _ in tree.get("sum", ())}
    for one in children(tree):
        yield from probabilities(one, inner)


# ---------------------------------------------------------------- values


def value(tree: Tree, at: At, chance: Chance, sizes: Mapping[str, int], prime: int | None) -> Value:
    """The value at an assignment; None where it divides by zero.  Numbers are taken modulo `prime`, if that is said."""
    need(_work(tree, sizes) <= MOST_WORK, "too large to recheck: the sums of an expression")
    return _value(tree, at, chance, sizes, prime)


def _work(tree: Tree, sizes: Mapping[str, int]) -> int:
    rows = prod(sizes[name] for name, _, _ in tree.get("sum", ()))
    return rows * (1 + sum(_work(one, sizes) for one in children(tree)))


def _value(tree: Tree, at: At, chance: Chance, sizes: Mapping[str, int], prime: int | None) -> Value:
    if "number" in tree:
        return tree["number"]
    if "P" in tree:
        of, do, given = (
            [(name, at[name, primes] if said is None else said) for name, primes, said in some] for some in tree["P"]
        )
        return chance(of, do, given)
    if "sum" in tree:
        over = [(name, primes) for name, primes, _ in tree["sum"]]
        rows = product(*(range(sizes[name]) for name, _ in over))
        inside = ({**at, **dict(zip(over, row, strict=True))} for row in rows)
        numbers = [_value(tree["body"], row, chance, sizes, prime) for row in inside]
        return None if None in numbers else _field(sum(numbers), prime)
    numbers = [_value(one, at, chance, sizes, prime) for one in children(tree)]
    if None in numbers:
        return None
    if "plus" in tree:
        return _field(sum(sign * number for (sign, _), number in zip(tree["plus"], numbers, strict=True)), prime)
    if "quotient" in tree:
        return divided(numbers[0], numbers[1], prime)
    found = 1
    for number in numbers:
        found = _field(found * number, prime)
    return found


def _field(number: Value, prime: int | None) -> Value:
    return number if prime is None else number % prime


def divided(above: Value, below: Value, prime: int | None) -> Value:
    if _field(below, prime) == 0:
        return None
    return above / below if prime is None else above * pow(below, -1, prime) % prime


def drawn(*about: Any) -> int:
    """A number below 2^64 that looks random and is the same for the same questions.

    What is compared modulo a prime is the whole of what it is drawn for, and the prime as well: so numbers that
    somebody wrote into an expression to fit what is drawn do not fit, for by them something else is drawn.
    """
    return int.from_bytes(blake2b(repr(about).encode(), digest_size=8).digest())


def prime_for(*about: Any) -> int:
    """A prime between 2^61 and 2^62."""
    number = LEAST_PRIME + drawn("prime", about) % LEAST_PRIME | 1
    while not _is_prime(number):
        number += 2
    return number


def _is_prime(number: int) -> bool:
    """By the test of Miller and Rabin."""
    twos = (number - 1 & 1 - number).bit_length() - 1
    for base in BASES:
        power = pow(base, number - 1 >> twos, number)
        if power != 1 and number - 1 not in (pow(power, 1 << turn, number) for turn in range(twos)):
            return False
    return True


def free_in(tree: Tree) -> set[tuple[str, int]]:
    """The variables that no sum binds, as names and primes."""
    return {
        (name, primes)
        for variables, bound in probabilities(tree)
        for name, primes, said in variables
        if said is None and (name, primes) not in bound
    }
