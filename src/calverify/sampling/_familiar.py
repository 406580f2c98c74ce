"""Right answers, several where there are several, and the wrong ones that models give: found with the checker.

Rule 1: everything here is asked of the predicate; no reference answer is read.
Rule 2: a wrong answer is readable.  What cannot be read is a malformed trace, which is another matter (`_damage`).
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations, islice, pairwise, zip_longest
from string import ascii_uppercase
from typing import Any

from calverify.errors import BudgetError, Fault
from calverify.graphs import Graph, Path
from calverify.tasks import Case
from calverify.traces import ASSIGNMENT, EDGE, LETTER, NODE_SET, YES_NO

__all__ = ["familiar_errors", "valid_answers"]

MOST_TRIALS = 2_000
NOBODY = "nowhere"  # a name that a model made up

Named = tuple[str, Any]


def valid_answers(case: Case, most: int) -> list[Any]:
    """Up to `most` distinct right answers: the minimal ones, all there are, and supersets of a right set."""
    found: dict[Any, None] = {}
    every = case.task.every(case) if case.task.every is not None else iter(())
    for value in islice(chain(case.task.solve(case), every, _supersets(case)), MOST_TRIALS):
        if value not in found and _holds(case, value):
            found[value] = None
        if len(found) == most:
            break
    return list(found)


def _supersets(case: Case) -> Iterator[frozenset[str]]:
    """A right set with more names in it, the fewest more first."""
    least = case.task.cheapest(case) if case.task.answer is NODE_SET else None
    if least is None:
        return
    spare = sorted(case.names - least)
    for size in range(1, len(spare) + 1):
        for more in combinations(spare, size):
            yield least | frozenset(more)


def _holds(case: Case, value: Any) -> bool | None:
    try:
        return case.holds(value)
    except BudgetError:
        return None


def familiar_errors(case: Case, right: Sequence[Any], most: int) -> list[Named]:
    """Up to `most` wrong answers, each with the name of the error; the most familiar ones come first."""
    found: dict[Any, str] = {}
    for name, value in islice(_plausible(case, right), MOST_TRIALS):
        kind = case.task.answer
        read = value if isinstance(value, Fault) else kind.read(kind.show(value), case.names, "answer")
        if isinstance(read, Fault) or read in found or _holds(case, read) is not False:
            continue
        found[read] = name
        if len(found) == most:
            break
    return [(name, value) for value, name in found.items()]


def _plausible(case: Case, right: Sequence[Any]) -> Iterator[Named]:
    """Answers that a model might give, right or wrong."""
    kind = case.task.answer
    if kind is NODE_SET:
        yield from _causal_sets(case, right)
        yield from _changed_sets(case, right)
    elif kind is YES_NO:
        yield from (("the other word", word) for word in ("yes", "no"))
    elif kind is LETTER:
        count = len(case.query.options)
        yield from (("another option", letter) for letter in ascii_uppercase[:count])
        yield from (("an option that is not there", letter) for letter in ascii_uppercase[count : count + 1])
    elif kind.name == "name":
        yield from (("another node", name) for name in [*sorted(case.names), NOBODY])
    else:
        for value in right[:3]:
            yield from CHANGES[type(value)](value, case)
        for text in _texts(case):
            yield "a guess", kind.read(text, case.names, "answer")


# ---------------------------------------------------------------- sets of names


def _causal_sets(case: Case, right: Sequence[Any]) -> Iterator[Named]:
    """The traps of adjustment and separation, one of each sort before the second of any."""
    graph, targets = case.formal, [target for target in case.query.targets if isinstance(target, str)]
    if not isinstance(graph, Graph) or graph.kind == "undirected" or len(targets) < 2:
        return
    x, y = targets[:2]
    below = graph.strict_descendants({x})
    colliders = case.names - {x, y} if not right else case.names - {x, y} - right[0]
    traps: dict[str, list[frozenset[str]]] = {
        "the empty set": [frozenset()],
        "a mediator": [frozenset({name}) for name in sorted(below & graph.strict_ancestors({y}))],
        "a collider": [frozenset({name}) for name in sorted(colliders) if len(graph.parents({name})) > 1],
        "a descendant too many": [value | {name} for value in right[:1] for name in sorted(below - {y})],
        "every other node": [frozenset(case.names - {x, y})],
        "the treatment in its own set": [value | {x} for value in right[:1]],
    }
    for row in zip_longest(*traps.values()):
        yield from ((name, value) for name, value in zip(traps, row, strict=True) if value is not None)


def _changed_sets(case: Case, right: Sequence[Any]) -> Iterator[Named]:
    for value in right[:1]:
        yield from (("one name more or less", value ^ {name}) for name in sorted(case.names))
    yield from (("a single node", frozenset({name})) for name in sorted(case.names))
    yield "a name made up", frozenset({NOBODY})


# ---------------------------------------------------------------- changes to a right answer, by what it is made of


def _changed_sequence(value: tuple[Any, ...], case: Case) -> Iterator[Named]:
    if case.task.answer is ASSIGNMENT:
        for place, (name, role) in enumerate(value):
            yield "one person misjudged", (*value[:place], (name, not role), *value[place + 1 :])
        return
    if case.task.answer is EDGE:
        yield from (("another mark", (value[0], mark, value[2])) for mark in ("->", "<->", "--"))
        yield "the arrow reversed", (value[2], value[1], value[0])
        return
    yield "the order reversed", value[::-1]
    yield "the last one left out", value[:-1]
    for place, (left, right) in enumerate(pairwise(value)):
        yield "two neighbours exchanged", (*value[:place], right, left, *value[place + 2 :])


def _changed_path(value: Path, case: Case) -> Iterator[Named]:
    yield "the path reversed", value.reversed()
    for place, arrow in enumerate(value.arrows):
        turned = {"->": "<-", "<-": "->", "<->": "->"}[arrow]
        yield "an arrow turned", Path(value.nodes, (*value.arrows[:place], turned, *value.arrows[place + 1 :]))


def _changed_graph(value: Graph, case: Case) -> Iterator[Named]:
    for edge in value.directed:
        yield "an edge left out", Graph(value.nodes, [e for e in value.directed if e != edge], value.bidirected)


def _changed_collection(value: frozenset[Any], case: Case) -> Iterator[Named]:
    yield from (("one left out", value - {part}) for part in sorted(value, key=repr))
    yield "nothing", frozenset()


def _changed_number(value: int | Fraction, case: Case) -> Iterator[Named]:
    yield from (("one too many or too few", value + step) for step in (1, -1, 2))


CHANGES: dict[type, Callable[[Any, Case], Iterator[Named]]] = {
    tuple: _changed_sequence,
    Path: _changed_path,
    Graph: _changed_graph,
    frozenset: _changed_collection,
    int: _changed_number,
    Fraction: _changed_number,
}


def _texts(case: Case) -> Iterator[Any]:
    """Guesses that any question invites, each for the types that can read it."""
    targets = [target for target in case.query.targets if isinstance(target, str)]
    names = targets if len(targets) > 1 else sorted(case.names)[:3]
    yield " -> ".join(names)
    yield " <- ".join(names)
    yield names[:2]
    yield 0
    if len(names) > 1:
        yield f"P({names[1]} | {names[0]})"
        yield f"P({names[1]})"
    yield "not identifiable"
