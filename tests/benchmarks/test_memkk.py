"""Knights and knaves: the quiz parsed, the truth table made, and both beside the published record."""

import ast
import json
from collections import Counter
from random import Random

import pytest

import calverify as cv
from calverify.benchmarks import BENCHMARKS, DataFolder, findings_of
from calverify.benchmarks.memkk import SPEECHES, read_quiz, rows
from calverify.errors import CalverifyError, RecordError
from calverify.evaluation import Grader
from tests.benchmarks.altered import altered_lines, write_lines
from tests.oracles import truth_tables

ENTRY = BENCHMARKS["memkk"]
OPENING = (
    "A very special island is inhabited only by knights and knaves. Knights always tell the truth, and knaves always "
    "lie. You meet 2 inhabitants: Zoey, and Oliver. "
)
QUESTION = " So who is a knight and who is a knave?"
TOLD = 'Zoey remarked, "Oliver is not a knight". "Oliver is a knight if and only if Zoey is a knave," Oliver claimed.'
QUIZ = OPENING + TOLD
ROW = {
    "quiz": QUIZ + QUESTION, "names": ["Zoey", "Oliver"], "solution": [False, True], "index": 7,
    "solution_text": "Zoey is a knave, and Oliver is a knight.", "knight_knave": {},
    "statements": "(('not', ('telling-truth', 1)), ('<=>', ('telling-truth', 1), ('lying', 0)))",
}  # fmt: skip


def folder(tmp_path, *records, file="test/clean/people2_num100.jsonl") -> DataFolder:
    write_lines(tmp_path / "mem-kk" / file, list(records))
    return DataFolder(tmp_path)


def said_in(quiz: str) -> list[tuple[str, str]]:
    return [(speaker, str(formula)) for speaker, formula in read_quiz(quiz)[1]]


# ---------------------------------------------------------------- the text


@pytest.mark.parametrize("shape", SPEECHES)
def test_every_wording_is_read(shape):
    first = shape.format(who="Zoey", what="If Oliver is a knave then Zoey is a knight")
    second = shape.format(who="Oliver", what="Zoey is a knight or Oliver is a knave")
    assert said_in(f"{OPENING}{first} {second}{QUESTION}") == [
        ("Zoey", "if Oliver is a knave then Zoey is a knight"),
        ("Oliver", "Zoey is a knight or Oliver is a knave"),
    ]


@pytest.mark.parametrize("names", ["Zoey and Oliver", "Zoey, and Oliver"])
def test_people_are_introduced(names):
    assert read_quiz(ROW["quiz"].replace("Zoey, and Oliver", names))[0] == ("Zoey", "Oliver")


REFUSED = [
    ("no quiz", {"quiz": "Who is who?"}, "is not of the shape"),
    ("a stranger speaks", {"quiz": ROW["quiz"].replace("Zoey remarked", "Mary remarked")}, "no speech is worded 'Mary"),
    ("about a stranger", {"quiz": ROW["quiz"].replace("if Zoey", "if Mary")}, "unknown name 'Mary'"),
    ("another wording", {"quiz": ROW["quiz"].replace("remarked", "shouted")}, "no speech is worded 'Zoey shouted"),
    ("no formula", {"quiz": ROW["quiz"].replace("is not a knight", "may be a knight")}, "what Zoey says is no formula"),
    ("one is silent", {"quiz": QUIZ.partition(' "Oliver is a knight if')[0] + QUESTION}, "the speakers are Zoey; exp"),
    ("too many", {"quiz": ROW["quiz"].replace("meet 2", "meet 3")}, "expected 3 inhabitants"),
    ("other names", {"names": ["Zoey", "Mary"]}, "the names are ['Zoey', 'Mary'], and the quiz introduces Zoey"),
    ("no index", {"index": None}, "'index' must be of type int"),
    ("long", {"quiz": "x" * 20_001}, "the quiz has 20,001 characters"),
    ("two solutions", {"quiz": f'{OPENING}"Zoey is a knight" - Zoey. "Oliver is a knight" - Oliver.{QUESTION}'},
     "the quiz has 4 solutions; expected one"),
]  # fmt: skip


@pytest.mark.parametrize("change, why", [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_a_strange_record_is_refused_with_its_place(tmp_path, change, why):
    with pytest.raises(CalverifyError) as refused:
        ENTRY.build(Random(0), folder(tmp_path, {**ROW, "index": 6}, {**ROW, **change}))
    assert str(refused.value).startswith("mem-kk/test/clean/people2_num100.jsonl, line 2: ")
    assert why in str(refused.value)


@pytest.mark.parametrize(
    "file", ["clean/people2_num100.jsonl", "test/other/people2_num100.jsonl", "test/clean/all.jsonl"]
)
def test_a_strange_file_is_refused(tmp_path, file):
    with pytest.raises(RecordError, match=rf"mem-kk/{file}: expected mem-kk/"):
        ENTRY.build(Random(0), folder(tmp_path, ROW, file=file))


def test_other_numbers_and_repeats_are_refused(tmp_path):
    with pytest.raises(RecordError, match="the quiz has 2 people; expected 3 people"):
        ENTRY.build(Random(0), folder(tmp_path / "a", ROW, file="test/clean/people3_num100.jsonl"))
    with pytest.raises(RecordError, match="line 2: the index 7 stands here a second time"):
        ENTRY.build(Random(0), folder(tmp_path / "b", ROW, ROW))


# ---------------------------------------------------------------- a record


def test_a_record_becomes_a_problem_and_a_key(tmp_path):
    ((problem, key),) = ENTRY.build(Random(0), folder(tmp_path, ROW)).items
    assert problem == cv.Problem("memkk-test-clean-2-7", cv.Query("knights", ("Zoey", "Oliver")), text=ROW["quiz"])
    assert key.answer == {"Zoey": "knave", "Oliver": "knight"}
    assert key.cluster == "memkk-test-2-7"
    grade = Grader(problem, key)
    assert [grade(text) for text in (key.answer, key.published, {"Zoey": "knight", "Oliver": "knight"})] == [
        True,
        True,
        False,
    ]


AUDITED = [
    ("right", {}, ""),
    ("another solution", {"solution": [True, True]}, "another assignment solves it"),
    (
        "another text",
        {"solution_text": "Zoey is a knight, and Oliver is a knight."},
        "the text of the solution should be",
    ),
    ("another formula", {"statements": ROW["statements"].replace("lying", "telling-truth")}, "what Oliver says"),
]


@pytest.mark.parametrize("change, why", [row[1:] for row in AUDITED], ids=[row[0] for row in AUDITED])
def test_the_audit_compares_all_of_it(tmp_path, change, why):
    (found,) = findings_of(ENTRY, Random(0), folder(tmp_path, {**ROW, **change}))
    assert found.agrees is not bool(why)
    assert why in found.why
    assert found.recomputed == [False, True]


@pytest.mark.parametrize(
    "statements", ["(('not', ('telling-truth', 1)),)", "((", "(('xor', ('lying', 0)), ('lying', 1))"]
)
def test_statements_of_another_shape_are_refused(tmp_path, statements):
    with pytest.raises(CalverifyError, match=r"line 1: "):
        list(findings_of(ENTRY, Random(0), folder(tmp_path, {**ROW, "statements": statements})))


# ---------------------------------------------------------------- the development part


@pytest.fixture(scope="module")
def data(data_dir) -> DataFolder:
    return DataFolder(data_dir)


def test_all_1478_agree(data):
    found = list(findings_of(ENTRY, Random(0), data))
    assert len(found) == 1_478
    assert [finding for finding in found if not finding.agrees] == []


def test_the_counts(data):
    counted = Counter((key.strata["split"], key.strata["part"]) for _, key in ENTRY.build(Random(0), data).items)
    assert counted == {
        ("test", "clean"): 350, ("test", "perturbed_leaf"): 328, ("test", "perturbed_statement"): 350,
        ("train", "clean"): 450,
    }  # fmt: skip


def test_every_key_is_the_oracles_only_row(data, data_dir):
    """Straight from the published statements, by a truth table written for the tests."""
    keys = {key.problem: key for _, key in ENTRY.build(Random(0), data).items}
    for row in rows(data):
        statements = list(enumerate(ast.literal_eval(row.record["statements"])))
        (only,) = truth_tables.solutions(statements, len(row.people))
        words = ["knight" if knight else "knave" for knight in only]
        assert keys[row.id].answer == dict(zip(row.people, words, strict=True))


def test_no_problem_depends_on_its_key(data, data_dir, tmp_path):
    """With solutions, statements and reasoning altered, the problems are the same to the byte, and so are the keys."""
    altered = {"solution": [], "solution_text": "?", "statements": "?", "cot_head": "?", "solution_text_format": "?"}
    names = data.names("mem-kk", ".jsonl")
    other = altered_lines(data_dir, tmp_path, names, lambda record: {**record, **altered})
    ours, theirs = (ENTRY.build(Random(0), folder).items for folder in (data, other))
    assert [item.problem.to_json() for item in ours] == [item.problem.to_json() for item in theirs]
    assert [item.key.answer for item in ours] == [item.key.answer for item in theirs]


def test_no_problem_shows_its_key(data):
    for problem, key in ENTRY.build(Random(0), data).items:
        assert key.published not in json.dumps(problem.to_json())
