"""Unusable input: exit code 2, one clear sentence that names the value and its place, and the same as JSON."""

import json

import pytest

import calverify as cv
from tests.cli.conftest import EXAMPLE

TASKS = ", ".join(sorted(cv.TASKS))
GRAPH = ["--graph", "U->X, U->Y, X->Y"]
ASKED = ["--task", "backdoor", "--targets", "X,Y"]
RECORD = {
    "id": "w1",
    "query": {"task": "backdoor", "targets": ["X", "Y"]},
    "graph": {"nodes": ["X", "Y"], "directed": [["X", "Y"]]},
}

# (arguments of check, but --answer; the kind of error; its sentence)
QUESTIONS = [
    ([*GRAPH, "--task", "backdoor", "--targets", "X,Q"], "QueryError",
     "target 'Q' is not in the graph (U, X, Y)"),
    ([*GRAPH, "--task", "backdoor", "--targets", "X"], "QueryError",
     "backdoor takes 2 targets (treatment, outcome), not X"),
    ([*GRAPH, "--task", "backdoor", "--targets", "X,X"], "QueryError",
     "backdoor: treatment and outcome must be different nodes, not X, X"),
    ([*GRAPH, "--task", "astrology", "--targets", "X,Y"], "UnknownTaskError",
     f"no task 'astrology' is registered; there are {TASKS}"),
    ([*GRAPH, "--task", "backdor", "--targets", "X,Y"], "UnknownTaskError",
     f"no task 'backdor' is registered; did you mean 'backdoor'? There are {TASKS}"),
    (["--graph", "X->Y, U->U", *ASKED], "GraphError", "edge U -> U is a self-loop"),
    (["--graph", "X->Y, X->Y", *ASKED], "GraphError", "edge X -> Y is listed twice"),
    (["--graph", "X->Y->X", *ASKED], "GraphError",
     "backdoor needs an acyclic graph, and this one has the directed cycle X -> Y -> X"),
    (["--graph", "X-Y->", *ASKED], "GraphError", None),
    (["--graph", "X->->Y", *ASKED], "GraphError", None),
    (["--graph", "", *ASKED], "QueryError", None),
    ([*ASKED], "QueryError", "backdoor needs a graph to be checked"),
    ([*GRAPH, "--targets", "X,Y"], "UsageError", None),
    ([*GRAPH, "--graph-file", "g.txt", *ASKED], "UsageError",
     "--graph and --graph-file both state the graph; use one."),
    ([*GRAPH, "--format", "dot", *ASKED], "UsageError", None),
    ([*GRAPH, "--task", "backdoor", "--targets", '["X",'], "UsageError", None),
    ([*GRAPH, "--task", "backdoor", "--targets", '["X", 1]'], "QueryError", "targets: a name must be a string, not 1"),
    ([*GRAPH, "--task", "blocked_path"], "QueryError", "blocked_path needs the field 'path', such as \"F -> P <- T\""),
    ([*GRAPH, "--task", "blocked_path", "--path", "X->U"], "QueryError", None),
    (["--task", "knights", "--says", "Ann knave(Bob)"], "UsageError", None),
    (["--task", "knights", "--says", "Ann: knave(Bob"], "FormulaError", None),
    (["--task", "knights", "--says", "Ann: knave(Bob)", "--targets", "Ann"], "FormulaError", None),
    (["--graph-file", "absent.txt", *ASKED], "CalverifyError", "cannot read absent.txt: No such file or directory"),
    (["--graph-file", "a_folder.json", *ASKED], "CalverifyError", "cannot read a_folder.json: Is a directory"),
    (["--graph-file", "nul\0.txt", *ASKED], "CalverifyError", None),
    (["--graph-file", "latin.txt", *ASKED], "CalverifyError", "cannot read latin.txt: not UTF-8 at byte 3"),
    (["--graph-file", "graph.zip", *ASKED], "GraphError", None),
    (["--graph-file", "cycle.json", *ASKED], "GraphError",
     "cycle.json: declared dag, but it has the directed cycle X -> Y -> X"),
    (["--graph-file", "broken.json", *ASKED], "RecordError", None),
    (["--graph-file", "broken.dot", *ASKED], "GraphError", None),
    (["--graph-file", "cycle.json", "--format", "word", *ASKED], "GraphError",
     "cycle.json: unknown graph format 'word'; expected one of text, json, dot, dagitty, gml, bif"),
]  # fmt: skip


@pytest.fixture
def damaged(folder):
    """The folder, with files that nobody can read."""
    (folder / "a_folder.json").mkdir()
    (folder / "latin.txt").write_bytes(b"caf\xe9 -> b")
    (folder / "broken.json").write_text('{"nodes": ["X"', encoding="utf-8")
    (folder / "broken.dot").write_text("digraph {\n  X -> Y\n  Y -- X\n}", encoding="utf-8")
    cycle = {"class": "dag", "nodes": ["X", "Y"], "directed": [["X", "Y"], ["Y", "X"]]}
    (folder / "cycle.json").write_text(json.dumps(cycle), encoding="utf-8")
    return folder


def refused(run, *arguments, stdin=b""):
    """The sentence and kind of a refusal, told in prose and in JSON alike."""
    prose = run(*arguments, stdin=stdin)
    machine = run(*arguments, "--json", stdin=stdin)
    assert (prose.code, prose.out, machine.code, machine.err) == (2, "", 2, "")
    assert machine.json.keys() == {"error"}
    error = machine.json["error"]
    assert error.keys() == {"kind", "message", "hint"}
    assert error["hint"] == f"calverify {arguments[0]} --help shows an example"
    first, *rest = prose.err.splitlines()
    assert first == f"error: {error['message']}"
    assert rest == ([f"help:  {error['hint']}"] if error["kind"] == "UsageError" else [])
    return error["kind"], error["message"]


@pytest.mark.parametrize(("arguments", "kind", "sentence"), QUESTIONS, ids=lambda part: str(part)[:60])
@pytest.mark.parametrize("command", ["check", "solve"])
def test_unusable_question(run, damaged, command, arguments, kind, sentence):
    """The caller's mistake is told in one line with the value that is wrong."""
    answer = ["--answer", "U"] if command == "check" else []
    found = refused(run, command, *arguments, *answer)
    assert found[0] == kind
    assert sentence in (None, found[1])


# (what is wrong with problem.json, the kind of error, words of its sentence)
PROBLEMS = [
    ("{", "RecordError", "problem.json is not JSON"),
    ('{"id": "a", "id": "b"}', "RecordError", "problem.json is not JSON: the key 'id' stands twice in one object"),
    ("[" * 100_000, "RecordError", "problem.json is not JSON"),
    (f"{json.dumps(RECORD)}\n" * 2, "RecordError", "problem.json holds 2 records, one a line; one is wanted here"),
    ("1" * 5000, "RecordError", "problem.json is not JSON"),
    ("[]", "RecordError", "problem.json: a problem record must be an object, not []"),
    ("{}", "RecordError", "problem.json: a problem record needs a field 'id'"),
    ({**RECORD, "gold": ["U"]}, "LeakError", "problem.json: problem record carries 'gold'; allowed: "),
    ({**RECORD, "gold_v2": 1}, "LeakError", "problem.json: problem record carries 'gold_v2'"),
    ({**RECORD, "query": {**RECORD["query"], "answer": 1}}, "LeakError", "problem.json: query record carries 'answer'"),
    ({**RECORD, "query": {"task": "backdoor", "targets": ["X", "Z"]}}, "QueryError",
     "problem.json: target 'Z' is not in the graph (X, Y), in problem 'w1'"),
    ({**RECORD, "query": {"task": "backdoor", "targets": "XY"}}, "RecordError",
     "problem.json: in a query record, 'targets' must be of type list, not 'XY'"),
    ({**RECORD, "graph": {"nodes": ["X", "Y"], "directed": [["X", "Z"]]}}, "GraphError",
     "problem.json: edge X -> Z names 'Z', which is not among the nodes"),
    ({**RECORD, "graph": {**RECORD["graph"], "weights": []}}, "LeakError",
     "problem.json: a graph record carries 'weights'"),
]  # fmt: skip


@pytest.mark.parametrize("command", ["verify", "explain", "select"])
@pytest.mark.parametrize(("record", "kind", "words"), PROBLEMS, ids=[words[-30:] for _, _, words in PROBLEMS])
def test_unusable_problem(run, damaged, command, record, kind, words):
    """The sentence names the file."""
    text = record if isinstance(record, str) else json.dumps(record)
    (damaged / "problem.json").write_text(text, encoding="utf-8")
    found = refused(run, command, "--problem", "problem.json", "trace.txt")
    assert found[0] == kind
    assert found[1].startswith(words)


CANDIDATE = {"index": 0, "text": "ANSWER: U"}
POOL = {"problem": "w1", "seed": 0, "candidates": [CANDIDATE]}
POOLS = [
    ({**POOL, "gold": ["U"]}, "LeakError", "pool.json: pool record carries 'gold'; allowed: candidates, problem, seed"),
    ({**POOL, "candidates": [{**CANDIDATE, "gold": ["U"]}]}, "LeakError",
     "pool.json: candidate record carries 'gold'; allowed: index, scores, text"),
    ({**POOL, "candidates": [{**CANDIDATE, "correct": True}]}, "LeakError",
     "pool.json: candidate record carries 'correct'; allowed: index, scores, text"),
    ({**POOL, "candidates": [{**CANDIDATE, "scores": {"oracle": 1}}]}, "LeakError",
     "pool.json: scores record carries 'oracle'; allowed: confidence, judge, prm, reward"),
    ({**POOL, "problem": "w2"}, "RecordError", "pool.json is a pool of problem 'w2', not of 'w1'"),
    ({**POOL, "candidates": [{**CANDIDATE, "index": 1}]}, "RecordError",
     "pool.json: pool of 'w1': candidate 1 stands at place 0; the order of a pool is fixed"),
    ({**POOL, "candidates": {}}, "RecordError",
     "pool.json: in a pool record, 'candidates' must be of type list, not {}"),
    ({**POOL, "candidates": ["ANSWER: U"]}, "RecordError",
     "pool.json: a candidate record must be an object, not 'ANSWER: U'"),
    ({"problem": "w1"}, "RecordError", "pool.json: a pool record needs a field 'candidates'"),
    ([POOL], "RecordError", None),
]  # fmt: skip


@pytest.mark.parametrize(("pool", "kind", "sentence"), POOLS, ids=[str(sentence)[-30:] for _, _, sentence in POOLS])
def test_unusable_pool(run, damaged, pool, kind, sentence):
    """A pool with a field where a reference answer could live is refused by name, as is one of another problem."""
    (damaged / "pool.json").write_text(json.dumps(pool), encoding="utf-8")
    found = refused(run, "select", "--problem", "problem.json", "--pool", "pool.json")
    assert found[0] == kind
    assert sentence in (None, found[1])


TRACES = [
    (["verify", *EXAMPLE, "absent.txt"], b"", "cannot read absent.txt: No such file or directory"),
    (["verify", *EXAMPLE, "a_folder.json"], b"", "cannot read a_folder.json: Is a directory"),
    (["explain", *EXAMPLE, "latin.txt"], b"", "cannot read latin.txt: not UTF-8 at byte 3"),
    (["verify", *EXAMPLE], b"ANSWER: \xff", "cannot read standard input: not UTF-8 at byte 8"),
    (["select", *EXAMPLE, "trace.txt", "latin.txt"], b"", "cannot read latin.txt: not UTF-8 at byte 3"),
]


@pytest.mark.parametrize(("arguments", "stdin", "sentence"), TRACES, ids=[sentence for _, _, sentence in TRACES])
def test_unreadable_trace(run, damaged, arguments, stdin, sentence):
    """A file that cannot be read is the caller's mistake, and no trace of a model."""
    assert refused(run, *arguments, stdin=stdin) == ("CalverifyError", sentence)


USAGE = [
    (["check", *EXAMPLE], "Missing option '--answer'"),
    (["check", *EXAMPLE, "--answer", "U", "--loud"], "No such option"),
    (["solve", *EXAMPLE, "--limit", "many"], "Invalid value for '--limit': 'many' is not a valid integer"),
    (["solve", *EXAMPLE, "--limit", "0"], "Invalid value for '--limit': 0 is not in the range x>=1"),
    (["verify", "--problem", "problem.json", "--task", "cycle"],
     "--problem states graph and query already; leave out --task."),
    (["verify", "--problem", "problem.json", "--graph-file", "g.txt"],
     "--problem states graph and query already; leave out --graph-file."),
    (["select", *EXAMPLE, "--pool", "pool.json", "trace.txt"],
     "Give the candidates as files or as --pool, not both."),
    (["verify", "trace.txt"],
     f"Name the question: --task NAME or --problem FILE. Tasks: {TASKS}."),
    (["solve", "--graph", "X->Y"],
     f"Name the question: --task NAME. Tasks: {TASKS}."),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "sentence"), USAGE, ids=[sentence[:40] for _, sentence in USAGE])
def test_wrong_usage(run, folder, arguments, sentence):
    """A command used wrongly says how, and where an example is."""
    kind, said = refused(run, *arguments)
    assert (kind, said.startswith(sentence)) == ("UsageError", True)


def test_no_such_command(run):
    """A mistyped command is refused, and the help that lists the commands is named."""
    done = run("chekc")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: No such command 'chekc'.")
    assert done.err.endswith("\nhelp:  calverify --help lists the commands\n")


NOWHERE = "problem.json/new"  # a file is no folder to make another in
MAKE_A_FOLDER = [
    ["freeze", NOWHERE, "--problems", "problem.json", "--pools", "pool.json", "--policy", "demo"],
    ["simulate", "problem.json", "--out", NOWHERE],
    ["import", "samples.jsonl", "--problems", "problem.json", "--out", NOWHERE],
    ["bench", "build", "construction:stress", "--out", NOWHERE],
    ["sample", "problem.json", "--out", NOWHERE, "-m", "m", "-b", "http://127.0.0.1:9/v1"],
]


@pytest.mark.parametrize("words", MAKE_A_FOLDER, ids=lambda words: words[0])
def test_a_folder_that_cannot_be_made(run, folder, words):
    found = refused(run, *words)
    assert found == ("CalverifyError", f"cannot make the folder {NOWHERE}: Not a directory")


def test_the_folder_of_a_study_that_cannot_be_made(run, folder):
    study = 'problems = {benchmark = "miniature", limit = 1}\npolicies = [{kind = "endpoint", model = "m"}]\n'
    (folder / "study.toml").write_text(study, encoding="utf-8")
    done = run("run", "study.toml", "--out", NOWHERE)
    assert (done.code, done.err) == (2, f"error: cannot make the folder {NOWHERE}: Not a directory\n")


def test_keys_that_cannot_be_written(run, folder):
    done = run("simulate", "problem.json", "--out", "new", "--keys", "no/such/keys.jsonl")
    assert (done.code, done.err) == (2, "error: cannot write no/such/keys.jsonl: No such file or directory\n")
