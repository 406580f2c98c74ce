"""`bench` and `audit keys`: parts, data named by an option or the environment, and what is told of keys."""

import json

import pytest

import calverify as cv
from calverify.benchmarks import BENCHMARKS, Benchmark, Corpus, Item, Origin
from calverify.keys import Key, read_keys
from tests.benchmarks.altered import write_lines

DAG = "Given a DAG (directed acyclic graph) with nodes Z, X, Y and directed edges Z->X, Z->Y."
ROWS = [
    {"description": DAG, "graph_type": "DAG", "uid": "00000001", "sid": sid, "answer": answer, "question": question,
     "question_type": kind, "task_type": "d-separation"}
    for sid, kind, answer, question in [
        (0, "FO", "[{'Z'}]", "Find one valid nodeset that can d-separate node X and node Y ."),
        (1, "YN", "Yes.", "Are node X and node Y d-separated by nodeset set()?"),
    ]
]  # fmt: skip


@pytest.fixture
def data(tmp_path):
    write_lines(tmp_path / "data" / "clear" / "json_single" / "d-separation.json", ROWS)
    return str(tmp_path / "data")


def test_ls_tells_what_size_licence_and_home(run):
    shown = run("bench", "ls")
    assert (shown.code, shown.err) == (0, "")
    listed = run("bench", "ls", "--json").json
    assert list(listed) == list(BENCHMARKS)
    for name, entry in BENCHMARKS.items():
        said = listed[name]
        assert entry.what in shown.out
        if entry.origin is not None:
            assert all(said["data"][part] and said["data"][part] in shown.out for part in ("size", "licence", "home"))
            assert said["data"]["home"].startswith("https://")
        assert all(part in shown.out for part in said["parts"])


@pytest.mark.parametrize("name, ids", [("clear", [0, 1]), ("clear:core", [0]), ("clear:find-one", [0])])
def test_build_writes_problems_and_keys_apart(run, tmp_path, data, name, ids):
    done = run("bench", "build", name, "--data", data, "--out", str(tmp_path / "out"), "--json")
    assert (done.code, done.json["items"]) == (0, len(ids))
    lines = (tmp_path / "out" / "problems.jsonl").read_text("utf-8").splitlines()
    wanted = [f"clear-d-separation-00000001-{sid}" for sid in ids]
    assert [json.loads(line)["id"] for line in lines] == wanted
    assert list(read_keys(tmp_path / "out" / "keys.jsonl")) == wanted
    assert "Yes." not in "".join(lines)


def test_the_environment_names_the_data_too(run, tmp_path, data, monkeypatch):
    monkeypatch.setenv("CALVERIFY_DATA", data)
    assert run("bench", "build", "clear", "--out", str(tmp_path / "out")).code == 0


def test_what_was_built_is_left_alone_by_another_benchmark(run, tmp_path, data):
    out = tmp_path / "out"
    words = ["bench", "build", "clear", "--data", data, "--out", str(out)]
    assert run(*words).code == run(*words).code == 0  # the same bytes
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    other = run(*words[:2], "clear:core", *words[3:])
    assert (other.code, other.out) == (2, "")
    assert f"{out / 'problems.jsonl'} is there already and differs" in other.err
    (out / "keys.jsonl").write_bytes(b"{}\n")
    assert "keys.jsonl is there already and differs" in run(*words).err
    assert (out / "problems.jsonl").read_bytes() == before["problems.jsonl"]
    (out / "problems.jsonl").unlink()
    assert run(*words).code == 2
    assert sorted(path.name for path in out.iterdir()) == ["keys.jsonl"]


REFUSED = [
    ("no data", ["bench", "build", "clear", "--out", "out"], "name it with --data DIR or in CALVERIFY_DATA"),
    ("no folder", ["bench", "build", "clear", "--data", "nowhere", "--out", "out"], "nowhere is not a folder"),
    (
        "no benchmark",
        ["bench", "build", "clera", "--out", "out"],
        "there is no benchmark 'clera'; did you mean 'clear'?",
    ),
    ("no part", ["bench", "build", "clear:all", "--out", "out"], "clear has no part 'all'; there are clear:core"),
    ("empty folder", ["bench", "build", "clear", "--data", ".", "--out", "out"], "holds no clear/json_single/*.json"),
    ("audit without data", ["audit", "keys", "clear"], "name it with --data DIR or in CALVERIFY_DATA"),
    ("audit of nothing", ["audit", "keys", "clera"], "there is no benchmark 'clera'"),
]


@pytest.mark.parametrize("words, why", [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_what_cannot_be_done_is_said(run, tmp_path, monkeypatch, words, why):
    monkeypatch.chdir(tmp_path)
    done = run(*words)
    assert (done.code, done.out) == (2, "")
    assert why in done.err
    assert not (tmp_path / "out").exists()


def test_audit_prints_a_wrong_key_with_its_witness(run, data):
    done = run("audit", "keys", "clear", "--data", data)
    assert (done.code, done.err) == (1, "")
    assert "wrong  clear-d-separation-00000001-1 (d-separation)" in done.out
    assert "published  Yes." in done.out
    assert "recomputed no" in done.out
    assert "X <- Z -> Y" in done.out
    assert done.out.splitlines()[-1].split() == ["all", "2", "1", "1", "0"]


def test_audit_as_json(run, data):
    done = run("audit", "keys", "clear", "--data", data, "--json")
    (wrong,) = done.json["clear"]["findings"]
    assert (done.code, wrong["agrees"], wrong["recomputed"]) == (1, False, "no")
    assert done.json["clear"]["slices"] == [{"slice": "d-separation", "keys": 2, "agree": 1, "disagree": 1, "open": 0}]


@pytest.fixture
def small_shelf(monkeypatch):
    """A shelf of two: one benchmark without keys that can be recomputed, one that needs data of its own."""
    items = (Item(cv.Problem("p", cv.Query("backdoor", ("X", "Y"))), Key("p", published=["U"])),)
    home = Origin(folder="words", size="1", licence="CC0", home="https://example.org/words")
    entries = {
        "open": Benchmark("open", "?", generator=lambda rng: Corpus(items)),
        "words": Benchmark("words", "?", reader=lambda data, rng: Corpus(()), origin=home),
    }
    monkeypatch.setattr(BENCHMARKS, "_entries", entries)


def test_audit_without_a_name_takes_what_is_at_hand(run, small_shelf, tmp_path):
    assert list(run("audit", "keys", "--json").json) == ["open"]
    assert list(run("audit", "keys", "--data", str(tmp_path), "--json").json) == ["open"]
    (tmp_path / "words").mkdir()
    assert list(run("audit", "keys", "--data", str(tmp_path), "--json").json) == ["open", "words"]


def test_a_key_that_cannot_be_recomputed_is_open(run, small_shelf):
    done = run("audit", "keys", "open")
    assert (done.code, done.err) == (4, "")
    assert "open  p (backdoor)" in done.out
    assert "why        there is nothing to recompute it from" in done.out
    assert "recomputed" not in done.out


def test_audit_where_every_key_is_right(run):
    done = run("audit", "keys", "miniature")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[-1].split() == ["all", "120", "120", "0", "0"]
