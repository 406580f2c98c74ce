"""mem-kk: knights and knaves as quizzes in English (Xie et al. 2025).

The model is shown the quiz and states what each speaker says itself; the key holds the one solution.

Rule 1: a quiz is a sentence of the grammar below: an opening, one speech for each inhabitant, the question.  Speeches
come in 18 wordings, and what is said is a formula of `calverify.logic`.  Any other text is refused.
Rule 2: the key is the solution of what the quiz says, not the published one; the audit compares both, and the formulas
too.
"""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from calverify.benchmarks._data import DataFolder, field
from calverify.benchmarks._item import Corpus, Finding, Item, Origin, Subset, adapter, audits
from calverify.benchmarks._wording import filled, opening
from calverify.errors import FormulaError, RecordError
from calverify.keys import Key
from calverify.logic import Constraint, from_tree, read, solutions
from calverify.names import brief
from calverify.problem import Problem, Query
from calverify.records import located, read_strict_json

__all__ = ["corpus", "findings", "read_quiz"]

MOST_TEXT = 20_000  # characters of a quiz
QUIZ = (
    "A very special island is inhabited only by knights and knaves. Knights always tell the truth, and knaves always "
    "lie. You meet {count} inhabitants: {names}. {speeches} So who is a knight and who is a knave?"
)
SPEECHES = (
    "{who} said that {what}.", "{who} told you that {what}.", '{who} said, "{what}."', '{who} stated, "{what}".',
    'According to {who}, "{what}".', 'In {who}\'s words: "{what}".', '{who} remarked, "{what}".',
    '"{what}," {who} declared.', '{who} was heard saying, "{what}".', "{who} expressed that {what}.",
    '"{what}" - {who}.', 'As {who} put it, "{what}".', '{who} asserted: "{what}".', '"{what}," {who} mentioned.',
    '{who} commented, "{what}".', 'In a statement by {who}: "{what}".', '{who} noted, "{what}".',
    '"{what}," {who} claimed.',
)  # fmt: skip
PARTS = ("clean", "perturbed_statement", "perturbed_leaf")
ORIGIN = Origin(
    folder="mem-kk",
    size="100 test and up to 1,000 training quizzes for each of 2 to 8 people, 21 MB plain, more perturbed",
    licence="MIT (the generator); CC BY-NC-SA 4.0 (the published data set)",
    home="https://huggingface.co/datasets/K-and-K/knights-and-knaves",
)
SUBSETS = {
    "test": Subset("the test split", {"split": "test"}),
    "clean": Subset("quizzes that are not perturbed", {"part": "clean"}),
    "perturbed-statement": Subset("quizzes with one statement changed", {"part": "perturbed_statement"}),
    "perturbed-leaf": Subset("quizzes with one claim inside a statement changed", {"part": "perturbed_leaf"}),
}


class Row(NamedTuple):
    """One record: where it stands, and its quiz as people and formulas."""

    place: str
    id: str
    strata: Mapping[str, str]
    people: tuple[str, ...]
    said: tuple[Constraint, ...]
    record: Mapping[str, Any]

    @property
    def solved(self) -> list[list[bool]]:
        """Who is a knight, in the order of the people, in every solution."""
        return [[found[name] for name in self.people] for found in solutions(self.said, self.people)]


@adapter("memkk", "knights and knaves told in English; who is which?", ORIGIN, SUBSETS)
def corpus(data: DataFolder, rng: Random) -> Corpus:
    """Every record of every file, in their order."""
    return Corpus(tuple(_item(row) for row in rows(data)))


def _item(row: Row) -> Item:
    solved = row.solved
    if len(solved) != 1:
        raise RecordError(f"{row.place}: the quiz has {len(solved)} solutions; expected one")
    answer = {name: "knight" if knight else "knave" for name, knight in zip(row.people, solved[0], strict=True)}
    problem = Problem(row.id, Query("knights", row.people), text=row.record["quiz"])
    _, split, _, people, index = row.id.split("-")
    cluster = f"memkk-{split}-{people}-{index}"  # a perturbed quiz and what it was made from
    return Item(
        problem, Key(row.id, answer=answer, published=row.record["solution_text"], cluster=cluster, strata=row.strata)
    )


def rows(data: DataFolder) -> Iterator[Row]:
    """Every record, read; two of one file with the same index are refused."""
    for file in data.names("mem-kk", ".jsonl"):
        _, split, part, name = (*file.split("/"), "", "", "")[:4]
        told = filled("people{people}_num{count}.jsonl", name)
        if told is None or split not in ("test", "train") or part not in PARTS:
            raise RecordError(f"{file}: expected mem-kk/(test|train)/({'|'.join(PARTS)})/people<N>_num<N>.jsonl")
        strata = {"slice": f"{told['people']} people", "split": split, "part": part}
        seen: set[int] = set()
        for place, record in data.lines(file):
            with located(place):
                row = _row(place, f"memkk-{split}-{part}-{told['people']}", strata, record)
            if record["index"] in seen:
                raise RecordError(f"{place}: the index {record['index']} stands here a second time")
            seen.add(record["index"])
            yield row


def _row(place: str, prefix: str, strata: Mapping[str, str], record: Mapping[str, Any]) -> Row:
    kinds = {"quiz": str, "names": list, "solution": list, "solution_text": str, "statements": str, "index": int}
    for name, kind in kinds.items():
        field(record, name, kind, "this record")
    people, said = read_quiz(record["quiz"])
    if list(people) != record["names"]:
        raise RecordError(f"the names are {brief(record['names'])}, and the quiz introduces {', '.join(people)}")
    if f"{len(people)} people" != strata["slice"]:
        raise RecordError(f"the quiz has {len(people)} people; expected {strata['slice']}")
    return Row(place, f"{prefix}-{record['index']}", strata, people, said, record)


# ---------------------------------------------------------------- the text


def read_quiz(text: str) -> tuple[tuple[str, ...], tuple[Constraint, ...]]:
    """The people of a quiz, and what each of them says."""
    if len(text) > MOST_TEXT:
        raise RecordError(f"the quiz has {len(text):,} characters; expected at most {MOST_TEXT:,}")
    told = filled(QUIZ, text)
    if told is None:
        raise RecordError(f"the quiz {brief(text)} is not of the shape {QUIZ!r}")
    people = _people(told["names"])
    if told["count"] != str(len(people)):
        raise RecordError(f"the quiz introduces {', '.join(people)}; expected {told['count']} inhabitants")
    speeches, at = told["speeches"], 0
    said: list[Constraint] = []
    while at < len(speeches):
        at, constraint = _speech(speeches, at, people)
        said.append(constraint)
    if sorted(speaker for speaker, _ in said) != sorted(people):
        raise RecordError(
            f"the speakers are {', '.join(speaker for speaker, _ in said)}; expected each of the people once"
        )
    return people, tuple(said)


def _people(text: str) -> tuple[str, ...]:
    """ "Ann and Bob", or "Ann, Bob, and Cat"."""
    *first, last = text.replace(", and ", ", ").split(", ")
    return (*first, last) if first else tuple(last.split(" and "))


def _speech(text: str, at: int, people: Sequence[str]) -> tuple[int, Constraint]:
    """The speech that begins here, and where the next one does."""
    for shape in SPEECHES:
        found = opening(shape, text, at)
        if found is None or found.slots["who"] not in people or '"' in found.slots["what"]:
            continue
        end = found.end + text.startswith(" ", found.end)
        try:
            return end, (found.slots["who"], read(found.slots["what"], people))
        except FormulaError as error:
            raise RecordError(f"what {found.slots['who']} says is no formula: {error}") from None
    raise RecordError(f"no speech is worded {brief(text[at:])}")


# ---------------------------------------------------------------- the audit


@audits("memkk")
def findings(data: DataFolder, rng: Random) -> Iterator[Finding]:
    """Formulas, uniqueness, solution and its wording, for every record."""
    for row in rows(data):
        with located(row.place):
            why = _fault(row)
        solved = row.solved
        ours = solved[0] if len(solved) == 1 else solved
        part = f"{row.strata['split']}, {row.strata['part']}"
        witness = None if not why else [[speaker, str(formula)] for speaker, formula in row.said]
        yield Finding(row.id, part, row.record["solution"], ours, not why, why, witness)


def _fault(row: Row) -> str:
    """What is wrong with the published record; "" when nothing is."""
    tree = row.record["statements"].replace("(", "[").replace(",)", "]").replace(")", "]").replace("'", '"')
    statements = read_strict_json(tree)
    if not isinstance(statements, list) or len(statements) != len(row.people):
        raise RecordError(f"the statements {brief(row.record['statements'])} are not one for each of the people")
    spoken = dict(row.said)
    for name, statement in zip(row.people, statements, strict=True):
        if from_tree(statement, row.people) != spoken[name]:
            return f"what {name} says in the quiz is not what the statements hold: {spoken[name]}"
    if len(row.solved) != 1:
        return f"{len(row.solved)} assignments solve it"
    if row.record["solution"] != row.solved[0]:
        return "another assignment solves it"
    roles = zip(row.people, row.solved[0], strict=True)
    *first, last = [f"{name} is a {'knight' if knight else 'knave'}" for name, knight in roles]
    text = f"{', '.join(first)}, and {last}."
    return "" if row.record["solution_text"] == text else f"the text of the solution should be {text!r}"
