"""Knights and knaves: who tells the truth, given what everyone says.

The formal object is not a graph but what each speaker says, in the closed grammar of `logic`; a trace restates it in
its first slot (the paper's CONSTRAINTS block), and the answer is checked against that by truth value.

`logic` is imported where it is used: only a puzzle needs its grammar compiled.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from calverify.errors import FormulaError, QueryError
from calverify.names import brief
from calverify.problem import Problem, Query
from calverify.tasks._task import Case, Reason, task
from calverify.traces import ASSIGNMENT

if TYPE_CHECKING:
    from calverify.logic import Constraint, Formula

__all__ = ["everyone_is_consistent"]

Assignment = tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True)
class Puzzle:
    """The people, and what they say in order."""

    people: tuple[str, ...]
    said: "tuple[Constraint, ...]"


def read_puzzle(people: tuple[str, ...], statements: Any) -> Puzzle:
    """The puzzle of a list of [speaker, formula] pairs; raises `FormulaError` naming the statement."""
    from calverify.logic import read

    said = []
    for pair in statements:
        if not isinstance(pair, list | tuple) or len(pair) != 2 or not all(isinstance(part, str) for part in pair):
            raise FormulaError(f"a statement is a pair of speaker and formula, not {brief(pair)}")
        speaker = pair[0].strip()
        if speaker not in people:
            raise FormulaError(f"the speaker {brief(speaker)} is not one of {', '.join(people)}")
        try:
            said.append((speaker, read(pair[1], people)))
        except FormulaError as error:
            raise FormulaError(f"in what {speaker} says: {error}") from None
    return Puzzle(people, tuple(said))


class PuzzleSlot:
    """The `Formal` of this task: {"people": [...], "constraints": [["Ann", "knave(Bob)"], ...]}."""

    noun = "the field formula"

    def schema(self, formal: Puzzle | None) -> str:
        return '{"people":[...],"constraints":[["<speaker>","<formula over knight(NAME) and knave(NAME)>"],...]}'

    def supplied(self, problem: Problem) -> Puzzle | None:
        query = problem.query
        return read_puzzle(query.targets, query.formula) if query.formula else None

    def names(self, formal: Puzzle) -> frozenset[str]:
        return frozenset(formal.people)

    def mismatch(self, value: Any, formal: Puzzle) -> str | None:
        """Statements must be equivalent one by one, whatever their wording."""
        from calverify.logic import equivalent

        try:
            stated = self._read(value, formal.people)
        except FormulaError as error:
            return str(error)
        for person in formal.people:
            ours = [formula for speaker, formula in formal.said if speaker == person]
            theirs = [formula for speaker, formula in stated.said if speaker == person]
            if len(ours) != len(theirs):
                return f"{person} makes {len(ours)} statements, not {len(theirs)}"
            for one, other in zip(ours, theirs, strict=True):
                if one != other and not equivalent(one, other):
                    return f"what {person} says is not equivalent to: {one}"
        return None

    def construct(self, value: Any, problem: Problem) -> Puzzle:
        puzzle = self._read(value, problem.query.targets)
        for person in puzzle.people:
            if all(speaker != person for speaker, _ in puzzle.said):
                raise FormulaError(f"{person} says nothing")
        return puzzle

    def show(self, formal: Puzzle) -> dict[str, Any]:
        said = [[speaker, str(formula)] for speaker, formula in formal.said]
        return {"people": list(formal.people), "constraints": said}

    def given(self, formal: Puzzle | None, problem: Problem) -> str:
        return "a knights-and-knaves puzzle: knights always tell the truth and knaves always lie"

    def facts(self, formal: Puzzle) -> list[str]:
        said = [f"{speaker} says: {formula}." for speaker, formula in formal.said]
        return [f"People: {', '.join(formal.people)}", *said]

    def _read(self, value: Any, people: tuple[str, ...]) -> Puzzle:
        if not isinstance(value, Mapping) or not value.keys() <= {"people", "nodes", "constraints"}:
            raise FormulaError("the slot must be an object with people and constraints")
        stated = value.get("people", value.get("nodes", list(people)))
        if not isinstance(stated, list) or len(stated) != len(people) or any(name not in stated for name in people):
            raise FormulaError(f"the people are {', '.join(people)}, not {brief(stated)}")
        if not isinstance(value.get("constraints"), list):
            raise FormulaError("the constraints must be a list of [speaker, formula] pairs")
        return read_puzzle(people, value["constraints"])


def prepare_puzzle(puzzle: Puzzle, query: Query) -> "tuple[Constraint, ...]":
    if not query.targets or len(set(query.targets)) != len(query.targets):
        raise QueryError(
            f"{query.task} needs the people as targets, each once, not {', '.join(query.targets) or 'none'}"
        )
    return puzzle.said


def solve(case: Case) -> Iterator[Assignment]:
    """Every consistent assignment."""
    from calverify.logic import solutions

    return (tuple(sorted(found.items())) for found in solutions(case.state, case.formal.people))


def tree_of(formula: "Formula") -> list[Any]:
    """The formula as nested lists: "not (A is a knave and ...)" -> ["not", ["and", ["knave", "A"], ...]]."""
    from calverify.logic import Atom

    if isinstance(formula, Atom):
        return ["knight" if formula.knight else "knave", formula.name]
    return [formula.connective, *map(tree_of, formula.parts)]


def explain(assignment: Assignment, case: Case) -> Reason:
    """Every formula with its value and as a tree, and the first speaker who contradicts it."""
    from calverify.logic import violations

    values = dict(assignment)
    missing = [person for person in case.formal.people if person not in values]
    foreign = sorted(values.keys() - case.names)
    if missing or foreign:
        why = f"{missing[0]} is left out" if missing else f"{foreign[0]} is not one of the people"
        return Reason(why, {"kind": "people", "missing": missing, "unknown": foreign})
    wrong = violations(case.state, values)
    broken = {(item.speaker, item.formula): item for item in wrong}
    rows = []
    for speaker, formula in case.state:
        says = values[speaker] if (speaker, formula) not in broken else not values[speaker]
        rows.append([speaker, values[speaker], str(formula), says, tree_of(formula)])
    witness = {"kind": "assignment", "values": values, "said": rows}
    if not wrong:
        return Reason("every knight tells the truth and every knave lies", witness)
    first = wrong[0]
    role, truth = ("knight", "false") if first.is_knight else ("knave", "true")
    return Reason(f"{first.speaker} would be a {role}, yet says what is {truth}: {first.formula}", witness)


@task(
    "knights",
    family="object",
    answer=ASSIGNMENT,
    formal=PuzzleSlot(),
    prepare=prepare_puzzle,
    solve=solve,
    cheapest=lambda case: next(solve(case), None),
    explain=explain,
    question=lambda q: f"Who of {', '.join(q.targets)} is a knight and who is a knave?",
    noun=lambda q: ("consistent assignment", f"of knights and knaves to {', '.join(q.targets)}"),
    every=solve,
    aliases=("knights_and_knaves", "knight_knave", "kk", "memkk", "mem_kk"),
    rules=("truth_table", "case_analysis", "assume", "assumption", "contradiction", "consistency", "check", "evaluate",
           "suppose", "deduce", "deduction", "modus_ponens", "elimination", "substitution", "assignment"),
    rule="truth_table",
    states=("assignment", "roles", "solution"),
    ordered=False,
)  # fmt: skip
def everyone_is_consistent(assignment: Assignment, case: Case) -> bool:
    """Everybody is named, nobody else is, and each is a knight exactly when what they say is true."""
    from calverify.logic import consistent

    values = dict(assignment)
    return values.keys() == case.names and consistent(case.state, values)
