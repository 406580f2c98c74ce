"""CLEAR's clean core: the published list of valid sets is the whole class, so every subset is a test.

Reads the rows as published; what a task means on this data set is decided by agreement with its key.
"""

import ast
import json
import re
from functools import cache
from pathlib import Path

import pytest

import calverify as cv
from calverify.scoring import case_of
from tests.oracles import criteria
from tests.oracles.paths import subsets
from tests.sheets import sheet_of

FILES = {
    "backdoor": "backdoor_adjustment_set",
    "d_separation": "d-separation",
    "blocked_path": "blocked_path",
    "cycle": "cycle",
}
CORE = {
    "backdoor": {"DAG": 6, "ADMG": 6},
    "d_separation": {"DAG": 15},
    "blocked_path": {"DAG": 9, "ADMG": 9},
    "cycle": {"DG": 18},
}
SETS = [task for task in FILES if task != "cycle"]
ARROWS = re.compile(r"<->|->|<-")
QUESTION = {
    "backdoor": re.compile(r"treatment (\w+) and outcome (\w+)"),
    "d_separation": re.compile(r"node (\w+) and node (\w+)"),
    "blocked_path": re.compile(r"path ([\w<>-]+\w)"),
}


def read_graph(description: str) -> cv.Graph:
    """The three shapes of a description, without the library's own readers."""
    nodes = re.search(r"nodes ([\w, ]+?)(?:,? and directed|, directed)", description)[1].split(", ")
    directed, bidirected = (
        [tuple(edge.split(arrow)) for edge in re.findall(rf"\w+{arrow}\w+", description)] for arrow in ("->", "<->")
    )
    return cv.Graph(nodes, directed, bidirected)


@cache
def rows_of(folder: Path, task: str) -> list[dict]:
    text = (folder / "clear" / "json_single" / f"{FILES[task]}.json").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def asked(task: str, row: dict) -> tuple[cv.Graph, cv.Query]:
    graph = read_graph(row["description"])
    if task == "cycle":
        return graph, cv.Query("cycle")
    found = QUESTION[task].search(row["question"])
    query = cv.Query(task, path=found[1]) if task == "blocked_path" else cv.Query(task, found.groups())
    return graph, query


def core(folder: Path, task: str) -> list[dict]:
    wanted = ("Find one valid nodeset", "Find one valid backdoor", "Find one cycle")
    return [row for row in rows_of(folder, task) if row["question_type"] == "FO" and row["question"].startswith(wanted)]


def listed(row: dict) -> set[frozenset[str]]:
    """The sets of a published list: "[set(), {'T'}, {'P', 'T'}]"."""
    text = row["answer"].replace("set()", "()")
    return {frozenset(item) for item in ast.literal_eval(text)}


def one_set(text: str) -> frozenset[str]:
    return frozenset(ast.literal_eval(text.replace("set()", "()")))


# ---------------------------------------------------------------- the core


@pytest.mark.parametrize("task", CORE)
def test_the_core_is_complete(data_dir, task):
    counts: dict[str, int] = {}
    for row in core(data_dir, task):
        counts[row["graph_type"]] = counts.get(row["graph_type"], 0) + 1
    assert counts == CORE[task]


@pytest.mark.parametrize("task", SETS)
def test_every_subset_is_judged_as_published(data_dir, task):
    """All subsets of all nodes; the lists hold only sets without the endpoints."""
    tried = 0
    for row in core(data_dir, task):
        graph, query = asked(task, row)
        case, valid = case_of(graph, query), listed(row)
        for names in subsets(graph.nodes):
            tried += 1
            assert case.holds(names) == (names in valid), (row["uid"], sorted(names))
    assert tried > 1_000


@pytest.mark.parametrize("task", SETS)
def test_some_subsets_of_each_item_through_the_front_door(data_dir, task):
    for row in core(data_dir, task):
        graph, query = asked(task, row)
        problem, valid = cv.Problem(row["uid"], query, graph), listed(row)
        ends = set(query.targets) or {cv.Path.parse(query.path).nodes[0]}
        for names in [*[*subsets(graph.nodes)][:: max(1, 2 ** len(graph.nodes) // 12)], frozenset(ends)]:
            assert cv.check(graph, query, names).valid == (names in valid), (row["uid"], sorted(names))
            verdict = cv.verify(problem, sheet_of(problem, names).text())
            assert verdict.score == (6 if names in valid else 3)


@pytest.mark.parametrize("task", SETS)
def test_solve_gives_the_minimal_members_of_the_list(data_dir, task):
    for row in core(data_dir, task):
        graph, query = asked(task, row)
        found = cv.solve(graph, query)
        assert set(found) == criteria.minimal(listed(row)), row["uid"]
        assert len(found) == len(set(found))


@pytest.mark.parametrize("task, count", [("backdoor", 12), ("d_separation", 15), ("blocked_path", 18)])
def test_the_published_minimal_set_is_a_smallest_one(data_dir, task, count):
    rows = [row for row in rows_of(data_dir, task) if row["question_type"] == "FO" and "minimal" in row["question"]]
    assert len(rows) == count
    for row in rows:
        graph, query = asked(task, row)
        found, published = cv.solve(graph, query), one_set(row["answer"])
        assert published in found, row["uid"]
        assert len(published) == len(found[0])


def test_the_published_maximal_set_is_the_largest_valid_one(data_dir):
    rows = [
        row for row in rows_of(data_dir, "backdoor") if row["question_type"] == "FO" and "maximal" in row["question"]
    ]
    assert len(rows) == 12
    for row in rows:
        graph, query = asked("backdoor", row)
        case = case_of(graph, query)
        largest = max((names for names in subsets(graph.nodes) if case.holds(names)), key=len)
        assert largest == one_set(row["answer"]), row["uid"]


# ---------------------------------------------------------------- the other question forms about sets


@pytest.mark.parametrize("task", SETS)
def test_yes_and_no_questions_agree(data_dir, task):
    rows = [row for row in rows_of(data_dir, task) if row["question_type"] == "YN"]
    assert rows
    for row in rows:
        graph, query = asked(task, row)
        names = one_set(re.search(r"set\(\)|\{[^}]*\}", row["question"])[0])
        assert cv.check(graph, query, names).valid == (row["answer"] == "Yes."), (row["uid"], row["question"])


@pytest.mark.parametrize("task", SETS)
def test_choices_agree(data_dir, task):
    rows = [row for row in rows_of(data_dir, task) if row["question_type"] == "MC"]
    assert rows
    for row in rows:
        graph, query = asked(task, row)
        offered = re.findall(r"\n([A-D])\. (.+)", row["question"])
        right = [letter for letter, text in offered if cv.check(graph, query, one_set(text)).valid]
        assert right == [row["answer"]], (row["uid"], row["question"])


def test_existence_agrees(data_dir):
    rows = [row for row in rows_of(data_dir, "backdoor") if row["question_type"] == "EX"]
    assert rows
    for row in rows:
        graph, query = asked("backdoor", row)
        assert bool(cv.solve(graph, query)) == (row["answer"] == "Yes."), row["uid"]


# ---------------------------------------------------------------- cycles


def published_cycle(row: dict) -> list[str]:
    """K->R->K without its end."""
    nodes = row["answer"].split("->")
    assert nodes[0] == nodes[-1]
    return nodes[:-1]


def rotations(cycle: list[str]) -> list[list[str]]:
    return [cycle[i:] + cycle[:i] for i in range(len(cycle))]


def test_every_published_cycle_passes_however_it_is_turned(data_dir):
    for row in core(data_dir, "cycle"):
        graph, query = asked("cycle", row)
        problem = cv.Problem(row["uid"], query, graph)
        for turned in rotations(published_cycle(row)):
            closed = [*turned, turned[0]]
            for written in (turned, closed, "->".join(closed), " -> ".join(closed), "->".join(turned)):
                assert cv.check(graph, query, written).valid, (row["uid"], written)
            sheet = sheet_of(problem).swapped(closed).but(strategy={"method": "dfs"}, result={"result": turned})
            assert cv.verify(problem, sheet.text()).score == 6


def test_a_broken_cycle_fails(data_dir):
    """A node dropped, the walk turned back to front, the walk repeated; unless that is a cycle too."""
    broken = 0
    for row in core(data_dir, "cycle"):
        graph, query = asked("cycle", row)
        cycle = published_cycle(row)
        dropped = [cycle[:i] + cycle[i + 1 :] for i in range(len(cycle))]
        for walk in [*dropped, cycle[::-1]]:
            valid = criteria.closes(graph, walk)
            broken += not valid
            assert cv.check(graph, query, walk).valid == valid, (row["uid"], walk)
        for twice in (cycle * 2, [*cycle, *cycle, cycle[0]], cycle * 3):
            said = cv.check(graph, query, twice)
            assert said.valid is False, (row["uid"], twice)
            assert said.witness["kind"] == "repeated"
    assert broken > 18


def test_every_simple_cycle_is_found(data_dir):
    for row in core(data_dir, "cycle"):
        graph, query = asked("cycle", row)
        found = cv.solve(graph, query)
        assert set(found) == criteria.cycles(graph), row["uid"]
        assert len(found) == len(set(found))
        assert any(published_cycle(row) in rotations(list(cycle)) for cycle in found)


def test_yes_and_no_questions_about_cycles_agree(data_dir):
    """Distractors are written with arrows that point back; none of them is a cycle in disguise."""
    rows = [row for row in rows_of(data_dir, "cycle") if row["question_type"] == "YN"]
    assert len(rows) == 18
    for row in rows:
        graph, query = asked("cycle", row)
        walk = re.search(r"Is ([\w<>-]+) a cycle", row["question"])[1]
        assert cv.check(graph, query, walk).valid == (row["answer"] == "Yes."), (row["uid"], walk)


def test_choices_of_cycles_agree(data_dir):
    rows = [row for row in rows_of(data_dir, "cycle") if row["question_type"] == "MC"]
    assert len(rows) == 18
    for row in rows:
        graph, query = asked("cycle", row)
        offered = re.findall(r"\n([A-D])\. (.+)", row["question"])
        assert [letter for letter, text in offered if cv.check(graph, query, text).valid] == [row["answer"]], row["uid"]


def test_existence_of_cycles_agrees(data_dir):
    rows = [row for row in rows_of(data_dir, "cycle") if row["question_type"] == "EX"]
    assert len(rows) == 18
    for row in rows:
        graph, query = asked("cycle", row)
        assert bool(cv.solve(graph, query)) == (row["answer"] == "Yes."), row["uid"]
