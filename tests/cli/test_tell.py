"""`calverify bench tell` against a real server on the loopback: written, read back, kept, and gone on with."""

import json
from pathlib import Path

import pytest

import calverify as cv
from calverify.benchmarks import stated_edges
from calverify.keys import Key, read_keys, write_keys
from calverify.records import write_lines
from tests.sampling.loopback import Call, Loopback, fine, refused

GRAPHS = ["U -> X, U -> Y, X -> Y", "U -> X, U -> Y, X -> Y, X -> D", "A -> X, A -> Y, X -> Y, B -> Y"]


def relations(prompt: str) -> list[tuple[str, str]]:
    return [tuple(line.split(" acts on ")) for line in prompt.splitlines() if " acts on " in line]


def says(lost: int = 0):
    """A writer that states every edge, and a reader that loses some of the longest text."""

    def say(call: Call) -> str:
        if "acts on" in call.prompt:
            return " ".join(f"{tail} has a direct effect on {head}." for tail, head in relations(call.prompt))
        text = call.prompt.split("\n\n")[0]
        edges = sorted(stated_edges(text, set("ABDUXY")))
        if "B has" in text:
            return "I see none." if lost > 5 else json.dumps(edges[lost:])
        return f"Here: {json.dumps(edges)}"

    return say


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "OPENAI_API_BASE", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    Path("built").mkdir()
    problems, keys = [], []
    for number, text in enumerate(GRAPHS):
        graph, ident = cv.Graph.parse(text), f"p-{number}-l1"
        problems.append(
            cv.Problem(ident, cv.Query("backdoor", ("X", "Y")), text="Told.", legend=graph.nodes, graph_class="dag")
        )
        keys.append(Key(ident, graph, cluster=f"p-{number}", strata={"slice": "s", "level": "l1"}))
    Path("built/problems.jsonl").write_bytes(write_lines([one.to_json() for one in problems], "problems.jsonl"))
    write_keys("built/keys.jsonl", keys)
    return tmp_path


def tell(run, server, *words):
    return run("bench", "tell", "built", "--level", "l2", "--out", "told", "-m", "tiny", "-b", server.url, *words)


def answering(lost: int = 0) -> Loopback:
    return Loopback(lambda call: fine(call, say=says(lost)))


def test_texts_are_written_read_back_and_kept(run, folder):
    with answering().running() as server:
        done = tell(run, server)
    assert (done.code, done.err) == (0, "")
    assert done.out.split("\n")[:6] == [
        "    3  source graphs", "    3  told", "    0  not read back as a list of edges", "    3  read back exactly",
        "    3  read back with an F1 of 0.8 or more", "    3  kept",
    ]  # fmt: skip
    keys = read_keys("told/keys.jsonl")
    lines = [json.loads(line) for line in Path("told/problems.jsonl").read_text("utf-8").splitlines()]
    assert [line["id"] for line in lines] == ["p-0-l2", "p-1-l2", "p-2-l2"] == list(keys)
    for line, source in zip(lines, GRAPHS, strict=True):
        assert line["graph"] is None
        key = keys[line["id"]]
        assert key.graph == cv.Graph.parse(source)
        assert key.strata == {"slice": "s", "level": "l2", "edge_f1": "1"}
        assert stated_edges(line["text"], key.graph.node_set) == set(key.graph.directed)
    writing = [call for call in server.calls if "acts on" in call.prompt]
    assert len(writing) == 3
    assert len({call.seed for call in writing}) == 1
    assert all(call.body["temperature"] == 0 for call in server.calls if call not in writing)


@pytest.mark.parametrize("lost, least, kept, measure", [
    (1, "0.8", 3, "6/7"), (1, "1", 2, None), (2, "0.8", 2, None), (2, "0.5", 3, "2/3"), (9, "0", 2, None),
])  # fmt: skip
def test_the_filter_strict_and_relaxed(run, folder, lost, least, kept, measure):
    """Of the third graph's four edges some are lost on the way."""
    with answering(lost).running() as server:
        done = tell(run, server, "--least", least, "--json")
    counts = json.loads(done.out)
    assert (counts["kept"], counts["strict"], counts["unreadable"]) == (kept, 2, int(lost > 5))
    assert counts["relaxed"] == (3 if lost == 1 else 2)
    found = read_keys("told/keys.jsonl").get("p-2-l2")
    assert (found.strata["edge_f1"] if found else None) == measure


def test_another_filter_asks_for_nothing_again(run, folder):
    with answering(1).running() as server:
        assert json.loads(tell(run, server, "--least", "1", "--json").out)["kept"] == 2
        asked = len(server.calls)
        assert json.loads(tell(run, server, "--least", "0.8", "--json").out)["kept"] == 3
        assert len(server.calls) == asked == 6


def test_what_is_given_up_is_told_and_asked_for_again(run, folder):
    def answer(call):
        return refused(500, "oops") if "B acts on" in call.prompt else fine(call, say=says())

    with Loopback(answer).running() as server:
        done = tell(run, server, "--tries", "1")
    assert done.code == 4
    assert "1 graphs are not told; the same command goes on" in done.err
    assert len(read_keys("told/keys.jsonl")) == 2
    torn = Path("told/tellings.jsonl").read_bytes() + b'{"problem": "p-2'
    Path("told/tellings.jsonl").write_bytes(torn)
    with answering().running() as server:
        assert tell(run, server).code == 0
        assert len(server.calls) == 2
    assert len(read_keys("told/keys.jsonl")) == 3


def test_two_models_may_write_and_read(run, folder):
    with answering().running() as server:
        tell(run, server, "--reader", "other")
    assert {call.body["model"] for call in server.calls if "acts on" in call.prompt} == {"tiny"}
    assert {call.body["model"] for call in server.calls if "acts on" not in call.prompt} == {"other"}
    with answering().running() as server:
        done = tell(run, server)
    assert done.code == 2
    assert "read by other, which is another job; expected another folder" in done.err


def test_a_folder_without_source_graphs_is_refused(run, folder):
    write_keys("built/keys.jsonl", [Key("p-0-l1")])
    with answering().running() as server:
        done = tell(run, server)
    assert done.code == 2
    assert "problem 'p-0-l1' has no source graph in the keys" in done.err
    assert not server.calls


def test_a_filter_that_is_no_share_is_refused(run, folder):
    with answering().running() as server:
        done = tell(run, server, "--least", "2")
    assert done.code == 2
    assert "--least must be a number from 0 to 1" in done.err
