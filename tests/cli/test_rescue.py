"""`calverify rescue`: what it prints, what it exits with, and what it refuses."""

import json
import shutil

import pytest

from tests.exchange.logs import LOGS, PROBLEMS, lines
from tests.exchange.test_embedded import CLEAR


@pytest.fixture
def logs(tmp_path, monkeypatch):
    shutil.copytree(LOGS, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def log_of(*rows, name="log.jsonl"):
    """A plain log of one reply a row: the answer, and what the log says of it."""
    with open(name, "wb") as file:
        file.write(
            lines(*[{"id": "w1", "completion": text, "correct": marked, "gold": "{U}"} for text, marked in rows])
        )
    return name


def test_a_log_of_inspect(run, logs):
    """The table first, then each answer once with why it is valid, the key that it lost to, and where it stands."""
    done = run("rescue", "inspect.eval")
    assert (done.code, done.err) == (1, "")
    assert done.out == (
        "inspect.eval (inspect): 8 answers to 3 problems\n"
        "read from  ANSWER line 8\n"
        "\n"
        "grader   judged  marked right  is valid  wrong, yet valid  right, yet not  not judged\n"
        "match         8        50.0 %    75.0 %                 2               0           0\n"
        "pattern       8        25.0 %    75.0 %                 4               0           0\n"
        "\n"
        "Marked wrong, and valid: 4\n"
        "  w1  {P, U}\n"
        "      {P, U} blocks every backdoor path from X to Y and holds no descendant of X\n"
        "      by pattern; the log's key is {U}; inspect.eval, samples/w1_epoch_3.json, ANSWER line\n"
        "  w2  {B}\n"
        "      {B} blocks every path between A and C\n"
        "      by pattern; the log's key is {B}; inspect.eval, samples/w2_epoch_3.json, ANSWER line\n"
        "  w3  G -> X -> G\n"
        "      G -> X -> G is a directed cycle\n"
        "      by match, pattern; the log's key is G -> X -> G; inspect.eval, samples/w3_epoch_1.json, ANSWER line\n"
        "  w3  G -> X -> H -> G\n"
        "      G -> X -> H -> G is a directed cycle\n"
        "      by match, pattern; the log's key is G -> X -> G; inspect.eval, samples/w3_epoch_2.json, ANSWER line\n"
        "\n"
        "left out 1 record:\n"
        "  inspect.eval, samples/w3_epoch_3.json: the model gave no reply: \"RuntimeError('the endpoint went away')\"\n"
    )


def test_the_same_in_json(run, logs):
    said = run("rescue", "inspect.eval", "--mark", "match", "--json").json
    assert [count["mark"] for count in said["marks"]] == ["match"]
    assert [(found["problem"], found["index"], found["answer"]) for found in said["rescued"]] == [
        ("w3", 0, "G -> X -> G"), ("w3", 1, "G -> X -> H -> G"),
    ]  # fmt: skip
    assert (said["answers"], said["ways"]["ANSWER line"], said["overturned"], len(said["left_out"])) == (8, 8, [], 1)


def test_exit_codes(run, logs):
    """0: the log is right everywhere; 1: it is not; 4: it is, as far as can be judged."""
    assert run("rescue", log_of(("ANSWER: {U}", True), ("ANSWER: {M}", False))).code == 0
    assert run("rescue", log_of(("ANSWER: {P, U}", False))).code == 1
    assert run("rescue", log_of(("ANSWER: {M}", True))).code == 1
    assert run("rescue", log_of(("ANSWER: {U}", True), ("I do not know.", False))).code == 4
    assert run("rescue", log_of(("ANSWER: {M}", True), ("I do not know.", False))).code == 1


def test_the_reverse_and_the_unread(run, logs):
    out = run("rescue", log_of(("ANSWER: {M}", True), ("ANSWER: {M}", True), ("Hm.", False))).out
    assert "Marked right, and not valid: 2\n  w1  {M}  (2 times)\n      M is a descendant of X: X -> M\n" in out
    assert "Not judged: 1\n  w1  no answer\n      it has no answer line, and the log extracted nothing\n" in out


def test_the_most_frequent_first(run, logs):
    rows = [("ANSWER: {P, U}", False), ("ANSWER: {U}", False), ("ANSWER: U", False)]
    out = run("rescue", log_of(*rows), "--limit", "1").out
    assert "Marked wrong, and valid: 3\n  w1  {U}  (2 times)\n" in out
    assert "{P, U}" not in out
    assert "  ... and 1 more answers; --limit 2 shows them all, and so does --json\n" in out


def test_from_a_number_on(run, logs):
    (logs / "log.jsonl").write_bytes(lines({"id": "w1", "completion": "ANSWER: {U}", "reward": 0.4}))
    refused = run("rescue", "log.jsonl")
    assert (refused.code, "it has reward; --right-at NUMBER says" in refused.err) == (2, True)
    assert run("rescue", "log.jsonl", "--right-at", "0.5").code == 1
    assert run("rescue", "log.jsonl", "--right-at", "0.4").code == 0


def test_a_graph_that_only_the_key_holds(run, logs):
    w1 = PROBLEMS["w1"].to_json()
    story = {"id": "w1", "text": "Rain.", "query": w1["query"], "graph": None, "legend": w1["graph"]["nodes"]}
    (logs / "stories.jsonl").write_bytes(lines(story))
    (logs / "keys.jsonl").write_bytes(lines({"problem": "w1", "graph": w1["graph"]}))
    asked = ["rescue", log_of(("ANSWER: {P, U}", False)), "--problems", "stories.jsonl"]
    assert run(*asked).code == 4
    assert run(*asked, "--keys", "keys.jsonl").code == 1


def test_what_a_model_wrote_cannot_drive_a_terminal(run, logs):
    (logs / "log.jsonl").write_bytes(
        lines({"id": "w1", "completion": "ANSWER: {U}", "correct": 0, "gold": "\x1b[2J\n"})
    )
    out = run("rescue", "log.jsonl").out
    assert "\x1b" not in out
    assert "the log's key is \\u001b[2J\\n; log.jsonl, line 1" in out


@pytest.mark.parametrize("arguments, why", [
    (["batch_output.jsonl"], "the log marks no answer right or wrong: it has no scores"),
    (["inspect.eval", "--mark", "luck"], "no grader of the log is called 'luck'; it has match, pattern"),
    (["inspect.eval", "--right-at", "half"], "'half' is not a number"),
    (["inspect.eval", "--problems", "nowhere"], "cannot read nowhere"),
    (["inspect.eval", "--keys", "nowhere"], "cannot read the keys nowhere"),
])  # fmt: skip
def test_refusals(run, logs, arguments, why):
    refused = run("rescue", *arguments)
    assert (refused.code, refused.out) == (2, "")
    assert why in refused.err


def test_errors_in_json(run, logs):
    assert "no scores" in json.loads(run("rescue", "batch_output.jsonl", "--json").out)["error"]["message"]


def test_a_log_on_clear(run, tmp_path, monkeypatch):
    """Needs no file of problems: each document is a published record, which says everything."""
    monkeypatch.chdir(tmp_path)
    kept = {"doc_id": 3, "target": CLEAR["answer"], "filter": "none", "metrics": ["exact_match"], "exact_match": 0.0}
    (tmp_path / "log.jsonl").write_bytes(lines({**kept, "doc": CLEAR, "resps": [["ANSWER: Z"]]}))
    out = run("rescue", "log.jsonl").out
    assert "  clear-d-separation-87467573-0  {Z}\n      {Z} blocks every path between C and N\n" in out
