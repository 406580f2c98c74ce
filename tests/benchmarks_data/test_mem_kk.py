"""Knights and knaves as published: one solution each, found and told from every other assignment."""

import ast
import json
from itertools import product

import pytest

import calverify as cv
from tests.problems import puzzle
from tests.sheets import sheet_of


@pytest.mark.parametrize("people", [2, 3, 4, 5])
@pytest.mark.parametrize("part", ["clean", "perturbed_leaf", "perturbed_statement"])
def test_the_published_solution_is_the_only_one(data_dir, part, people):
    lines = (
        (data_dir / "mem-kk" / "test" / part / f"people{people}_num100.jsonl").read_text(encoding="utf-8").splitlines()
    )
    assert len(lines) >= 40
    for line in lines:
        row = json.loads(line)
        query = puzzle(row["names"], list(enumerate(ast.literal_eval(row["statements"])))).problem.query
        solution = tuple(sorted(zip(row["names"], row["solution"], strict=True)))
        assert cv.solve(None, query) == [solution], row["index"]
        problem = cv.Problem(str(row["index"]), query)
        sheet = sheet_of(problem, solution)
        assert cv.verify(problem, sheet.but(line=row["solution_text"]).text()).score == 6, row["index"]


@pytest.mark.parametrize("people", [3, 6])
def test_every_other_assignment_is_refused(data_dir, people):
    lines = (
        (data_dir / "mem-kk" / "test" / "clean" / f"people{people}_num100.jsonl")
        .read_text(encoding="utf-8")
        .splitlines()
    )
    for line in lines[:12]:
        row = json.loads(line)
        query = puzzle(row["names"], list(enumerate(ast.literal_eval(row["statements"])))).problem.query
        for roles in product((False, True), repeat=people):
            said = cv.check(None, query, dict(zip(row["names"], roles, strict=True)))
            assert said.valid == (list(roles) == row["solution"]), row["index"]
