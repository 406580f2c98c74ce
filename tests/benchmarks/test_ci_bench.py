"""Wang et al.'s own files, written here as they write them: read as data, asked as problems, refused when strange."""

import pickle
from random import Random

import numpy
import pytest

import calverify as cv
from calverify.benchmarks import BENCHMARKS, DataFolder
from calverify.errors import CalverifyError

ENTRY = BENCHMARKS["ci_bench"]
NAMES = [f"name{n}" for n in range(6)]
EDGES = [(0, 1), (0, 4), (1, 4), (1, 2), (3, 4)]


def stream(*records) -> bytes:
    return b"".join(pickle.dumps(record, 4) for record in records)


def graph(gid="10000000", edges=EDGES, size=6, **more) -> dict:
    matrix = numpy.zeros((size, size))
    for tail, head in edges:
        matrix[tail][head] = 1
    return {"gid": gid, "mat": matrix, "node_tier": [[n] for n in range(size)], "node_n": numpy.int64(size),
            "in_degree_avg": numpy.float64(0.5), "chain_n": numpy.int64(2), **more}  # fmt: skip


def query(conf_id="10000000100", c=(1,), e=(4,)) -> dict:
    return {"conf_id": conf_id, "ce_d": 1, "c_list": list(c), "e_list": list(e), "c2e_path": [[[1, 4]]],
            "c2e_noncausal_path": [[[1, 0, 4]]]}  # fmt: skip


def folder(root, graphs, names, queries) -> DataFolder:
    (root / "ci_bench").mkdir()
    for kind, records in (("graph", graphs), ("node_name", names), ("conf_query", queries)):
        (root / f"ci_bench/{kind}_data_10.pkl").write_bytes(stream(*records))
    return DataFolder(root)


WORDS = {"gid": "10000000", "specific": NAMES, "bio": NAMES}


def test_a_query_becomes_a_problem(tmp_path):
    (item,) = ENTRY.build(Random(0), folder(tmp_path, [graph()], [WORDS], [query()])).items
    assert item.problem.graph == cv.Graph(NAMES, [(NAMES[a], NAMES[b]) for a, b in EDGES])
    assert item.problem.query == cv.Query("backdoor", ("name1", "name4"))
    assert (item.problem.id, item.key.published) == ("ci_bench-10000000100", None)
    assert item.key.strata == {"slice": "6 nodes", "nodes": "6", "distance": "100"}
    assert cv.check(item.problem.graph, item.problem.query, {"name0"}).valid


def test_what_is_left_out_is_counted_and_the_paper_has_a_part(tmp_path):
    queries = [query(), query(conf_id="10000000050", c=(2,), e=(3,)), query(c=(1, 2)), query(conf_id="10000001100")]
    alone = graph("10000001", edges=[(1, 4)])
    built = folder(tmp_path, [graph(), alone], [WORDS, {**WORDS, "gid": "10000001"}], queries)
    whole = ENTRY.build(Random(0), built)
    assert [item.key.strata["distance"] for item in whole.items] == ["100", "050"]
    assert dict(whole.dropped) == {
        ("6 nodes", "several treatments or outcomes at once"): 1,
        ("6 nodes", "no non-causal path joins treatment and outcome"): 1,
    }
    assert len(ENTRY.build(Random(0), built, "six").items) == 1


STRANGE = [
    (
        "no graph",
        [],
        [WORDS],
        [query()],
        r"conf_query_data_10\.pkl, record 1: .*a graph 10000000 that the folder lacks",
    ),
    ("no table", [{**graph(), "mat": "x"}], [WORDS], [query()], r"graph_data_10\.pkl, record 1: 'mat' must be of type"),
    ("not square", [{**graph(), "mat": [[0, 1]]}], [WORDS], [query()], "must be a square table"),
    ("not 0 or 1", [{**graph(), "mat": [[0, 2], [0, 0]]}], [WORDS], [query()], "must be a square table"),
    ("names too few", [graph()], [{**WORDS, "specific": ["a"]}], [query()], "6 nodes and 1 names"),
    ("no names", [graph()], [{**WORDS, "specific": [1]}], [query()], "must be a list of names"),
    ("a place beyond", [graph()], [WORDS], [query(e=(9,))], r"'e_list' must be places of the 6 nodes"),
    ("a name twice", [graph()], [{**WORDS, "specific": ["a"] * 6}], [query()], r"record 1: .*a"),
    ("a cycle", [graph(edges=[(0, 1), (1, 4), (4, 0)])], [WORDS], [query()], "record 1"),
    ("no object", [[1, 2]], [WORDS], [query()], r"graph_data_10\.pkl, record 1: expected an object"),
    ("a program", [graph(more=numpy.random.default_rng)], [WORDS], [query()], "could be a program"),
]


@pytest.mark.parametrize("graphs, names, queries, why", [row[1:] for row in STRANGE], ids=[row[0] for row in STRANGE])
def test_a_strange_file_is_refused_with_its_place(tmp_path, graphs, names, queries, why):
    data = folder(tmp_path, graphs, names, queries)
    with pytest.raises(CalverifyError, match=why):
        ENTRY.build(Random(0), data)


def test_no_files(tmp_path):
    with pytest.raises(CalverifyError, match=r"holds no ci_bench/\*\.pkl"):
        ENTRY.build(Random(0), DataFolder(tmp_path))
