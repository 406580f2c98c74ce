"""A derivation of one expression from another by the three rules of do-calculus and the laws of probability.

Both expressions are arranged as sums of terms.  For each pair of terms two best-first searches run in turn, one from
either end: a term goes on to smaller ones by joining factors into one probability (the chain rule, a sum over what a
factor is of, a quotient), each brought by rules 1 to 3 to the context that the join needs.  Where terms of both ends
have the same shape, the rules are tried factor by factor; a match is a derivation, read forwards from the start and
backwards from the goal.

Rule 1: every step is an equation that holds in every positive model of the graph; what is not found is not refuted.
Rule 2: work is counted; past the budget the answer is `Unproved`.
Rule 3: the same question has the same answer: queues are ordered by size, then by age.
"""

from collections.abc import Iterator
from dataclasses import replace
from heapq import heappop, heappush
from typing import Any

from calverify.docalculus._align import Aligner
from calverify.docalculus._derivation import RULES, Derivation, Step, Unproved, tidy
from calverify.docalculus._expression import Expression, free_variables, names_of, parts
from calverify.docalculus._match import matched, signature
from calverify.docalculus._moves import Move, moves
from calverify.docalculus._operations import Operation
from calverify.docalculus._rules import Budget, Rules, Spent
from calverify.docalculus._separate import Separator
from calverify.docalculus._telling import Teller
from calverify.docalculus._terms import Atom, Block, Reader, Term, Unfit, written
from calverify.errors import ExpressionError
from calverify.graphs import Graph
from calverify.names import brief

__all__ = ["BUDGET", "Derivation", "Unproved", "prove"]

BUDGET = 15_000
MAX_PARTS = 300  # of both expressions together
MAX_LEVELS = 48
COST_OF_A_TERM = 4  # and one more for every factor and sum; asking whether a rule holds costs 1

Operations = tuple[Operation, ...]


def prove(graph: Graph, start: Expression, goal: Expression, *, budget: int = BUDGET) -> Derivation | Unproved:
    """Steps that lead from one expression to the other; `Unproved` where none is found, which refutes nothing.

    A name that is not in the graph is an `ExpressionError`, never "separated from everything".
    """
    if _too_large(start, goal):
        return Unproved(0, f"the expressions have over {MAX_PARTS} parts or {MAX_LEVELS} levels")
    names = names_of(start) | names_of(goal)
    unknown = sorted(names - graph.node_set)
    if unknown:
        raise ExpressionError(f"{brief(unknown[0])} is not in the graph")
    rules = Rules(Separator(graph, names), Budget(budget))
    if start == goal:
        return Derivation(start, goal, ())
    try:
        return _Search(rules, start, goal).found()
    except (Spent, Unfit) as error:
        return Unproved(min(rules.budget.used, budget), str(error))


def _too_large(*expressions: Expression) -> bool:
    """Too many parts or levels; found without recursion."""
    level, count = list(expressions), 0
    for _ in range(MAX_LEVELS):
        count += len(level)
        if count > MAX_PARTS:
            return True
        level = [part for one in level for part in parts(one)]
    return bool(level)


class _Search:
    """One question: the two expressions as terms, and what the search shares."""

    def __init__(self, rules: Rules, start: Expression, goal: Expression) -> None:
        self.rules = rules
        self.aligner = Aligner(rules)
        self.ends = start, goal
        free = {variable: rules.add(variable) for variable in sorted(_variables(start) | _variables(goal), key=str)}
        reader = Reader(rules, free)
        self.goal = reader.terms(goal)
        self.start = Reader(rules, free).terms(start)
        if any(isinstance(atom, Block) for term in self.start for atom in term.above + term.below):
            # Where sums stand inside factors, the names of the goal come in from outside: none may be bound there.
            self.start = Reader(rules, free, reader.taken).terms(start)

    def found(self) -> Derivation | Unproved:
        if len(self.start) != len(self.goal):
            why = f"a sum of {len(self.start)} and one of {len(self.goal)} terms are not compared"
            return Unproved(self.rules.budget.used, why)
        there: list[tuple[int, Operation]] = []
        back: list[tuple[int, Operation]] = []
        left = list(range(len(self.goal)))
        for number, term in enumerate(self.start):
            for partner in left:
                operations = _Pair(term, self.goal[partner], self.aligner).joined()
                if operations is not None:
                    there += [(number, one) for one in operations[0]]
                    back += [(partner, one) for one in operations[1]]
                    left.remove(partner)
                    break
            else:
                return Unproved(self.rules.budget.used, "the search ended without a derivation")
        return self._derivation(there, back)

    def _derivation(self, there: list[tuple[int, Operation]], back: list[tuple[int, Operation]]) -> Derivation:
        start, goal = self.ends
        teller = Teller(self.rules)
        met, forwards = teller.told(self.start, there)
        meeting, backwards = teller.told(self.goal, back)
        steps = [_rearranged(start, written(self.start, self.rules)), *forwards]
        steps.append(_rearranged(written(met, self.rules), written(meeting, self.rules)))
        steps += _reversed(written(self.goal, self.rules), backwards)
        steps.append(_rearranged(written(self.goal, self.rules), goal))
        return Derivation(start, goal, tidy(start, steps), self.rules.budget.used)


def _variables(expression: Expression) -> set[Any]:
    """The free variables, and the constants: Y=1 is a variable of its own to the rules."""
    found = set(free_variables(expression))
    queue = [expression]
    for one in queue:
        found.update(variable for variable in getattr(one, "variables", ()) if variable.value is not None)
        queue += parts(one)
    return found


def _rearranged(before: Expression, after: Expression) -> Step:
    return Step(RULES["arithmetic"], (), before, after, after)


def _reversed(first: Expression, steps: list[Step]) -> Iterator[Step]:
    """The same equations read from the last expression to the first."""
    wholes = [first, *(step.whole for step in steps)]
    for step, whole in zip(reversed(steps), reversed(wholes[:-1]), strict=True):
        yield replace(step, before=step.after, after=step.before, whole=whole)


# ---------------------------------------------------------------- one pair of terms


class _Side:
    """The terms reached from one end, how each was reached, and those still to be left."""

    def __init__(self, root: Term) -> None:
        self.came: dict[Any, tuple[Any, Operations]] = {}
        self.shapes: dict[Any, list[tuple[Any, Term]]] = {}
        self.queue: list[tuple[int, int, Any, int, Iterator[Move]]] = []
        self.age = 0

    def operations(self, key: Any) -> list[Operation]:
        """From the root to a term."""
        found: list[Operations] = []
        while key is not None:
            key, operations = self.came[key]
            found.append(operations)
        return [one for operations in reversed(found) for one in operations]


class _Pair:
    """Two searches that look for each other."""

    def __init__(self, start: Term, goal: Term, aligner: Aligner) -> None:
        self.aligner = aligner
        self.roots = start, goal
        self.sides = _Side(start), _Side(goal)

    def joined(self) -> tuple[list[Operation], list[Operation]] | None:
        """What leads from either term to where they meet."""
        for at, root in enumerate(self.roots):
            met = self._reach(at, None, Move((), root), 0)
            if met is not None:
                return met
        while any(side.queue for side in self.sides):
            for at, side in enumerate(self.sides):
                if side.queue:
                    met = self._advance(at)
                    if met is not None:
                        return met
        return None

    def _advance(self, at: int) -> tuple[list[Operation], list[Operation]] | None:
        """The next move of the most promising term; the term waits for its other moves."""
        side = self.sides[at]
        cost, _, key, splits, options = heappop(side.queue)
        move = next(options, None)
        if move is None:
            return None
        side.age += 1
        heappush(side.queue, (cost + 1, side.age, key, splits, options))
        return self._reach(at, key, move, splits + move.splits)

    def _reach(self, at: int, before: Any, move: Move, splits: int) -> tuple[list[Operation], list[Operation]] | None:
        side, other = self.sides[at], self.sides[1 - at]
        term = move.after
        cost = _cost(term)
        self.aligner.rules.budget.spend(COST_OF_A_TERM + cost)
        key = _key(term)
        if key in side.came:
            return None
        side.came[key] = before, move.operations
        shape = signature(term, self.aligner.rules)
        side.shapes.setdefault(shape, []).append((key, term))
        for mate_key, mate in other.shapes.get(shape, ()):
            one, two = (term, mate) if at == 0 else (mate, term)
            found = matched(one, two, self.aligner)
            if found is not None:
                keys = (key, mate_key) if at == 0 else (mate_key, key)
                there, back = (side.operations(one) for side, one in zip(self.sides, keys, strict=True))
                return there + found, back
        side.age += 1
        heappush(side.queue, (cost + 2 * splits, side.age, key, splits, moves(term, self.aligner, splits)))
        return None


def _key(term: Term) -> Any:
    """What a term is up to the order of its factors."""
    return term.number, term.over, frozenset(_counted(term.above)), frozenset(_counted(term.below))


def _counted(atoms: tuple[Atom, ...]) -> set[tuple[Atom, int]]:
    return {(atom, atoms.count(atom)) for atom in atoms}


def _cost(term: Term) -> int:
    """Factors count twice, sums once; what stands inside a factor counts too."""
    inner = sum(_cost(one) for atom in term.above + term.below if isinstance(atom, Block) for one in atom.terms)
    return 2 * (len(term.above) + len(term.below)) + term.over.bit_count() + inner
