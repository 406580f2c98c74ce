"""The tables of a Bayesian network in BIF: the whole causal model, where `_bif` reads the graph alone.

    variable NAME { type discrete [ 2 ] { yes, no }; }
    probability ( CHILD ) { table 0.01, 0.99; }
    probability ( CHILD | PARENT, PARENT ) { (yes, low) 0.2, 0.8; ... }

Rule 1: decimals are taken as they are written: 0.02 is 1/50.
Rule 2: each assignment of the parents has one row, and a row one number for each state of the child.  `default` rows,
and `table` for a child with parents (tools disagree on its order), are refused.
Rule 3: published networks are rounded (0.3333333 three times).  A row of n numbers, the longest with d decimals, whose
sum is off one by less than n/2 units of that last decimal, and by no more than 1/100, is a rounded row: each number is
divided by the sum, exactly.  Anything further off is refused.  (In alarm, asia, child, hepar2, mildew and water 1,216
of 11,470 rows are rounded, off by at most 1e-7.)
Rule 4: a state counts as 1 when `positive` says so; for a variable that it leaves out, the first state does, because
BIF files list yes, true and present first.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import lcm, prod
from typing import Final, NamedTuple

from calverify.effects import SCM, Variable
from calverify.errors import BudgetError, GraphError, QueryError, RecordError
from calverify.formats._bif import TOKENS, _family, _name, _skip_body
from calverify.formats._tokens import Cursor, Token, shown
from calverify.names import NameFault, clean_name, listing

__all__ = ["scm_from_bif"]

DECIMAL: Final = re.compile(r"([+-]?+)([0-9]{0,40}+)(?:\.([0-9]{0,40}+))?+(?:[eE]([+-]?+[0-9]{1,3}+)|(?!))?+", re.ASCII)
MOST_OFF: Final = Fraction(1, 100)
MOST_NUMBERS: Final = 1 << 22  # in one table

Decimal = tuple[int, int]  # (mantissa, decimals): 0.02 -> (2, 2)


class Row(NamedTuple):
    """One row of a block: the parents' states as written, and the numbers."""

    states: tuple[str, ...]
    numbers: list[Decimal]
    line: int


@dataclass(frozen=True, slots=True)
class Block:
    """One probability block."""

    parents: tuple[str, ...]
    rows: list[Row]
    line: int


def scm_from_bif(text: str, positive: Mapping[str, Collection[str]] | None = None) -> SCM:
    """The model of a BIF text; `positive` says which states of a variable count as 1: {"lung": ["yes"]}."""
    cursor = Cursor(text, TOKENS, "BIF")
    states: dict[str, tuple[str, ...]] = {}
    blocks: dict[str, Block] = {}
    while cursor.next.kind != "end":
        word = cursor.next.text if cursor.next.kind == "word" else ""
        if word not in ("network", "variable", "probability"):
            cursor.refuse("'network', 'variable' or 'probability'")
        cursor.take()
        if word == "variable":
            token = _name(cursor, "the name of a variable")
            name = _clean(token)
            if name in states:
                raise GraphError(f"BIF line {token.line}: variable {name} is declared twice")
            states[name] = _states(cursor, name)
        elif word == "probability":
            family = _family(cursor)
            name, *parents = map(_clean, family)
            if name in blocks:
                raise GraphError(f"BIF line {family[0].line}: variable {name} has two probability blocks")
            blocks[name] = Block(tuple(parents), list(_rows(cursor, name, bool(parents))), family[0].line)
        else:
            if not cursor.sees("{"):
                _name(cursor, "the name of the network or '{'")
            _skip_body(cursor)
    return SCM(tuple(_variables(states, blocks, positive or {})))


def _clean(token: Token) -> str:
    try:
        return clean_name(token.text)
    except NameFault as fault:
        raise GraphError(f"BIF line {token.line}: {fault}") from None


def _states(cursor: Cursor, name: str) -> tuple[str, ...]:
    """The states, from `{ type discrete [ 2 ] { yes, no }; property ...; }`."""
    cursor.expect("{")
    found: list[str] = []
    while not cursor.sees("}"):
        word = _name(cursor, "'type', 'property' or '}'")
        if word.text == "type" and not found:
            kind = _name(cursor, "'discrete'")
            if kind.text != "discrete":
                raise GraphError(f"BIF line {kind.line}: variable {name} is {shown(kind.text)}; expected 'discrete'")
            cursor.expect("[")
            count = _name(cursor, "how many states there are")
            cursor.expect("]")
            cursor.expect("{")
            found.append(_clean(_name(cursor, "the name of a state")))
            while cursor.accept(","):
                found.append(_clean(_name(cursor, "the name of a state")))
            cursor.expect("}")
            if count.text != str(len(found)):
                raise GraphError(
                    f"BIF line {count.line}: variable {name} lists {len(found)} states; expected {shown(count.text)}"
                )
        _to_semicolon(cursor)
    line = cursor.expect("}").line
    if not found:
        raise GraphError(f"BIF line {line}: variable {name} lists no states; expected 'type discrete [ n ] {{ ... }}'")
    return tuple(found)


def _to_semicolon(cursor: Cursor) -> None:
    """Pass over the rest of a statement."""
    while not cursor.accept(";"):
        if cursor.next.kind == "end" or cursor.sees("}"):
            cursor.refuse("';'")
        cursor.take()


def _rows(cursor: Cursor, name: str, has_parents: bool) -> Iterator[Row]:
    """Every row of one block."""
    cursor.expect("{")
    while not cursor.accept("}"):
        line, states = cursor.next.line, []
        if cursor.accept("("):
            states.append(_clean(_name(cursor, "the state of a parent")))
            while cursor.accept(","):
                states.append(_clean(_name(cursor, "the state of a parent")))
            cursor.expect(")")
        else:
            word = _name(cursor, "'(', 'table', 'property' or '}'").text
            if word == "property":
                _to_semicolon(cursor)
                continue
            if word != "table" or has_parents:
                raise GraphError(
                    f"BIF line {line}: {shown(word)} in the block of {name}; expected "
                    + ("a row (states of the parents) for each of their assignments" if has_parents else "'table'")
                )
        numbers = [_decimal(cursor, name)]
        while cursor.accept(","):
            numbers.append(_decimal(cursor, name))
        cursor.expect(";")
        yield Row(tuple(states), numbers, line)


def _decimal(cursor: Cursor, name: str) -> Decimal:
    token = _name(cursor, "a probability")
    found = DECIMAL.fullmatch(token.text)
    digits = (found[2] + (found[3] or "")) if found else ""
    if found is None or not digits:
        raise RecordError(f"BIF line {token.line}: variable {name}: {shown(token.text)} is not a probability")
    if found[1] == "-" and digits.strip("0"):
        raise RecordError(f"BIF line {token.line}: variable {name}: the probability {shown(token.text)} is negative")
    decimals = len(found[3] or "") - int(found[4] or 0)
    return (int(digits), decimals) if decimals >= 0 else (int(digits) * 10**-decimals, 0)


def _variables(
    states: Mapping[str, tuple[str, ...]], blocks: Mapping[str, Block], positive: Mapping[str, Collection[str]]
) -> Iterator[Variable]:
    """Every variable with its table, in the order of the variable blocks."""
    for name in (*blocks, *(parent for block in blocks.values() for parent in block.parents)):
        if name not in states:
            raise GraphError(f"BIF: a probability block names {shown(name)}, which has no variable block")
    for name in positive:
        if name not in states:
            raise QueryError(f"{shown(name)} is no variable of the network ({listing(list(states))})")
    for name, own in states.items():
        if name not in blocks:
            raise GraphError(f"BIF: variable {name} has no probability block; expected one for each variable")
        block = blocks[name]
        ones = _positive(name, own, positive)
        shape = tuple(len(states[parent]) for parent in block.parents)
        weights, scale = _table(name, block, [states[parent] for parent in block.parents], len(own))
        yield Variable(name, block.parents, own, ones, shape, weights, scale)


def _positive(name: str, own: tuple[str, ...], positive: Mapping[str, Collection[str]]) -> frozenset[int]:
    if name not in positive:
        return frozenset({0})
    named = positive[name]
    chosen = (named,) if isinstance(named, str) else tuple(named)
    for state in chosen:
        if state not in own:
            raise QueryError(f"{name} has no state {shown(state)}; expected {listing(own)}")
    return frozenset(own.index(state) for state in chosen)


def _table(name: str, block: Block, axes: list[tuple[str, ...]], width: int) -> tuple[tuple[int, ...], int]:
    """The weights row by row, the last parent varying fastest, and their common scale."""
    if prod(map(len, axes)) * width > MOST_NUMBERS:
        raise BudgetError(f"BIF line {block.line}: variable {name} has a table of over {MOST_NUMBERS:,} numbers")
    found: dict[tuple[str, ...], tuple[list[int], int]] = {}
    known = [frozenset(axis) for axis in axes]
    for row in block.rows:
        where = f"BIF line {row.line}: variable {name}:"
        if len(row.states) != len(axes):
            raise RecordError(f"{where} a row for {len(row.states)} parents; expected {len(axes)}")
        for state, axis, parent in zip(row.states, known, block.parents, strict=True):
            if state not in axis:
                raise RecordError(f"{where} {shown(state)} is no state of its parent {parent}")
        if row.states in found:
            raise RecordError(f"{where} a second row for ({', '.join(row.states)})")
        if len(row.numbers) != width:
            raise RecordError(f"{where} a row of {len(row.numbers)} numbers; expected {width}, one for each state")
        found[row.states] = _weights(row, where)
    scale = lcm(*{total for _, total in found.values()})
    weights: list[int] = []
    for states in product(*axes):
        if states not in found:
            raise RecordError(f"BIF line {block.line}: variable {name}: no row for its parents ({', '.join(states)})")
        numbers, total = found[states]
        weights += numbers if total == scale else [number * (scale // total) for number in numbers]
    return tuple(weights), scale


def _weights(row: Row, where: str) -> tuple[list[int], int]:
    """The row as integers over their own sum, once the sum is one up to rounding."""
    decimals = max(places for _, places in row.numbers)
    numbers = [mantissa * 10 ** (decimals - places) for mantissa, places in row.numbers]
    one, total = 10**decimals, sum(numbers)
    off = abs(total - one)
    if (2 * off >= len(numbers) and off) or off * MOST_OFF.denominator > one:
        raise RecordError(f"{where} a row sums to {shown(str(Fraction(total, one)))}; expected 1, up to rounding")
    return numbers, total
