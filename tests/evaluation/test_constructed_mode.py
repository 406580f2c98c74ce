"""Graphs told in texts, from a built benchmark to a report: the source graph stays with the keys till the end."""

import json
from pathlib import Path

import pytest

from calverify.archives import freeze, read_archive, read_problems, select_blind
from calverify.errors import CalverifyError
from calverify.evaluation import read_study, reveal, seal
from calverify.keys import Key, read_keys, write_keys
from calverify.problem import Problem
from calverify.records import write_lines
from calverify.reports import Options, make_report
from tests.evaluation.readings import frozen_readings, told

SELECTORS = ["first", "plurality", "structure_only", "calver"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """problems.jsonl and keys.jsonl as `bench build` writes them, and an archive, sealed, chosen from and revealed."""
    folder = tmp_path_factory.mktemp("constructed")
    built = write_lines([item.problem.to_json() for item in told()], "problems.jsonl")
    write_keys(folder / "keys.jsonl", [item.key for item in told()])
    problems = read_problems(built, "problems.jsonl")
    archive = frozen_readings(told())
    freeze(folder / "a", list(problems.values()), archive.pools, archive.manifest)
    seal(folder / "a", folder / "keys.jsonl")
    select_blind(folder / "a", SELECTORS)
    reveal(folder / "a", folder / "keys.jsonl")
    return folder


def test_nothing_but_the_keys_holds_the_source_graph(folder):
    """Not in the problems, not in the archive: a problem has a text, a legend and no graph."""
    for item in told():
        record = json.loads(json.dumps(item.problem.to_json()))
        assert record["graph"] is None
        assert Problem.from_json(record) == item.problem
        assert set(item.key.graph.nodes) <= set(item.problem.legend)
    keys = (folder / "keys.jsonl").read_text("utf-8").splitlines()
    hidden = {json.dumps(json.loads(line)["graph"], sort_keys=True) for line in keys}
    for file in (folder / "a").iterdir():
        assert not any(graph in file.read_text("utf-8") for graph in hidden), file


def test_each_trace_is_judged_on_its_own_graph_and_graded_on_the_source(folder):
    study, keys = read_study(folder / "a", folder / "keys.jsonl"), read_keys(folder / "keys.jsonl")
    high_but_wrong = 0
    for unit in study.units:
        graphs = {verdict.judged_on for verdict in unit.verdicts if verdict.judged_on is not None}
        assert len(unit.recovered) == len(unit.verdicts)
        for verdict, right, found in zip(unit.verdicts, unit.correct, unit.recovered, strict=True):
            if verdict.score == 6 and right is False:
                high_but_wrong += 1
                assert verdict.judged_on != keys[unit.problem].graph
                assert found.carries is False
        assert graphs
    assert high_but_wrong > 5  # a misread graph makes a wrong answer look right


def test_choices_do_not_change_when_the_keys_do(folder, tmp_path):
    """The same archive sealed with other source graphs gives the same picks."""
    other = [
        Key(item.key.problem, graph=item.key.graph.without_edges_into(item.problem.query.targets)) for item in told()
    ]
    write_keys(tmp_path / "keys.jsonl", other)
    archive = read_archive(folder / "a")
    freeze(tmp_path / "a", list(archive.problems.values()), archive.pools, archive.manifest)
    seal(tmp_path / "a", tmp_path / "keys.jsonl")
    select_blind(tmp_path / "a", SELECTORS)
    assert (tmp_path / "a" / "choices.jsonl").read_bytes() == (folder / "a" / "choices.jsonl").read_bytes()


def test_grading_without_the_source_graph_is_refused(folder, tmp_path):
    write_keys(tmp_path / "keys.jsonl", [Key(item.key.problem) for item in told()])
    archive = read_archive(folder / "a")
    freeze(tmp_path / "a", list(archive.problems.values()), archive.pools, archive.manifest)
    with pytest.raises(CalverifyError, match="cannot be graded: neither it nor its key holds a graph"):
        read_study(tmp_path / "a", tmp_path / "keys.jsonl")


def test_the_report_counts_what_the_study_holds(folder):
    study = read_study(folder / "a", folder / "keys.jsonl", SELECTORS)
    ((table,), _) = make_report("recovery", [study], Options(draws=50))
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    assert [row["level"] for row in rows] == sorted({unit.strata["level"] for unit in study.units})
    for row in rows:
        units = [unit for unit in study.units if unit.strata["level"] == row["level"]]
        every = [one for unit in units for one in unit.recovered]
        stated = [one for one in every if one is not None]
        assert row["units"] == len(units)
        assert row["states a graph"].value * len(every) == len(stated)
        assert row["edge-F1"].value == pytest.approx(float(sum(one.edge_f1 for one in stated) / len(stated)))
        assert row["exact graph"].value * len(stated) == sum(one.exact for one in stated)
        said = [one.signature for one in stated if one.signature is not None]
        assert row["signature kept"].value * len(said) == sum(said)
        carried = [one.carries for one in stated if one.carries is not None]
        assert row["verdict kept"].value * len(carried) == sum(carried)
        for name in ("plurality", "structure_only", "calver", "coverage"):
            assert row[name].value * len(units) == sum(unit.right(name) for unit in units)
