"""Probabilities as they are written: P(Y | do(X), Z), P_x(y), P(Y_{X=1}), p(...), Pr(...), \\mathbb{P}(...).

Rule 1: a node stands once in a probability, whatever its copy or value.
Rule 2: a subscript on P holds for the whole probability.  A subscript on a variable is the same intervention only
        where every variable has it: P(Y_x | Z) mixes two worlds, and is refused.
"""

import re
from collections.abc import Sequence

from calverify.docalculus._cursor import BLANKS, Cursor
from calverify.docalculus._expression import Probability, Variable, probability
from calverify.docalculus._names import (
    CLOSERS,
    OPEN,
    STYLED,
    Naming,
    Written,
    bare_variable,
    closing,
    variables,
)
from calverify.names import brief

__all__ = ["HEAD", "UNDERSCORE", "read_bound", "read_probability"]

HEAD = rf"(?:{STYLED % '[Pp]r?+'}|\\Pr|\\P|Prob|prob|PR|[Pp]r?+|ℙ)(?![^\W_])(?={BLANKS}(?:[(\[{{_]|\\\{{))"
UNDERSCORE = re.compile("_")
BAR = re.compile(r"[|∣｜]|\\(?:mid|vert|lvert|rvert|given)(?![A-Za-z])")
IN = re.compile(r"∈|\\in(?![A-Za-z])")


def read_probability(cursor: Cursor, naming: Naming) -> Probability:
    """What stands behind the P: its subscript and its brackets."""
    everywhere = [each._replace(is_done=True) for each in _subscript(cursor, naming)]
    opener = cursor.expect(OPEN, "'('")[0]
    of = variables(cursor, naming, worlds=True)
    behind = variables(cursor, naming, may_do=True, worlds=True) if cursor.take(BAR) else []
    separator = "','" if behind else "',', '|'"
    cursor.expect(closing(opener), f"{separator} or {CLOSERS[opener]!r}")
    given = [each for each in behind if not each.is_done]
    do = everywhere + [each for each in behind if each.is_done]
    do += _worlds(of + given, cursor)
    _require_once([*of, *given, *do], cursor)
    return probability(*([each.variable for each in some] for some in (of, do, given)))


def _subscript(cursor: Cursor, naming: Naming) -> list[Written]:
    if not cursor.take(UNDERSCORE):
        return []
    opener = cursor.take(OPEN)
    if opener is None:
        return [bare_variable(cursor, naming)]
    found = variables(cursor, naming, may_do=True)
    cursor.expect(closing(opener[0]), f"',' or {CLOSERS[opener[0]]!r}")
    return found


def _worlds(written: Sequence[Written], cursor: Cursor) -> list[Written]:
    """The interventions in the subscripts of the variables, which must be the same ones."""
    first = written[0]
    for each in written:
        if set(each.under) != set(first.under):
            names = f"{brief(first.variable.name)} and {brief(each.variable.name)}"
            raise cursor.error(f"expected one subscript on {names}: two worlds are no intervention", each.at)
    return [Written(variable, (), first.at, True) for variable in dict.fromkeys(first.under)]


def _require_once(written: Sequence[Written], cursor: Cursor) -> None:
    seen: set[str] = set()
    for each in sorted(written, key=lambda each: each.at):
        if each.variable.name in seen:
            raise cursor.error(f"{brief(each.variable.name)} stands twice in one probability", each.at)
        seen.add(each.variable.name)


def read_bound(cursor: Cursor, naming: Naming) -> tuple[Variable, ...]:
    """What a sum binds: _{Z, W}, _Z, _{z \\in Z}, _{Z=z}."""
    cursor.expect(UNDERSCORE, "'_' and what the sum is over")
    opener = cursor.take(OPEN)
    if opener is None:
        found = [bare_variable(cursor, naming)]
    else:
        found = _bound_list(cursor, naming)
        cursor.expect(closing(opener[0]), f"',' or {CLOSERS[opener[0]]!r}")
    seen: set[Variable] = set()
    for each in found:
        if each.variable.value is not None:
            raise cursor.error(f"a sum over a constant, {brief(each.variable.name)}={each.variable.value}", each.at)
        if each.variable in seen:
            raise cursor.error(f"{brief(each.variable.name)} stands twice under one sum", each.at)
        seen.add(each.variable)
    return tuple(sorted(seen, key=lambda variable: variable[:2]))


def _bound_list(cursor: Cursor, naming: Naming) -> list[Written]:
    found = variables(cursor, naming)
    while cursor.take(IN):
        at = cursor.at
        its, *more = variables(cursor, naming)
        if its.variable.name.lower() != found[-1].variable.name.lower():
            raise cursor.error(f"expected the values of {brief(found[-1].variable.name)}", at)
        found += more
    return found
