"""`calverify sample` against a real server on the loopback."""

import json
from pathlib import Path

import pytest

from calverify.archives import read_archive
from calverify.cli._dotenv import settings_of
from tests.sampling.loopback import Loopback, fine, refused
from tests.sampling.runs import distinct


@pytest.fixture
def server(monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_API_BASE", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with Loopback().running() as server:
        yield server


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with problems.jsonl, two problems, to work in."""
    monkeypatch.chdir(tmp_path)
    lines = [json.dumps(problem.to_json()) for problem in distinct(2)]
    Path("problems.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


def sample(run, server, *words):
    return run("sample", "problems.jsonl", "--out", "new", "-m", "tiny", "-b", server.url, "-k", "4", *words)


def test_pools_are_sampled_and_frozen(run, here, server):
    """What will be asked comes first, then what came of it; the manifest says how."""
    done = sample(run, server, "--seeds", "2", "--prices", "1,2", "--max-tokens", "100")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[:4] == [
        f"asking      {server.url} for tiny",
        "candidates  16: 2 problems, 2 seeds, 4 each",
        "decoding    free, temperature 0.8",
        lines[3],
    ]
    assert lines[3].endswith("at most 1,600 written")
    assert lines[4].endswith("at most 0.0032 for what is written")
    assert lines[5].startswith("sampled     16 of 16 candidates, 16 of them in ")
    assert lines[6] == "tokens      40 read, 80 written; they cost 0.0002"
    assert lines[7:] == ["choices     n", "frozen      new/frozen"]
    archive = read_archive("new/frozen")
    assert [(pool.problem, pool.seed, len(pool)) for pool in archive.pools] == [
        ("w0", 0, 4), ("w0", 1, 4), ("w1", 0, 4), ("w1", 1, 4)
    ]  # fmt: skip
    assert archive.manifest.model == "tiny"
    assert archive.manifest.command.startswith("calverify sample problems.jsonl --out new -m tiny -b http://127.0.0.1:")
    assert archive.manifest.sampling == {
        "backend": "endpoint 127.0.0.1", "temperature": 0.8, "max_tokens": 100, "decoding": "free", "n": 4,
        "choices": "n", "reasoning": "apart", "fingerprints": ["fp_loopback"],
    }  # fmt: skip
    assert {call.body["max_tokens"] for call in server.calls} == {100}


def test_json(run, here, server):
    done = sample(run, server, "--json", "--prices", "1,2", "--one-by-one", "--seed", "7", "-n", "1")
    assert done.json == {
        "run": "new", "frozen": "new/frozen", "candidates": 4, "wanted": 4, "short": [], "failed": [], "stopped": None,
        "tokens_in": 40, "tokens_out": 20, "uncounted": 0, "cost": 0.00008, "repeats": 0, "choices": "one by one",
        "resume": None,
    }  # fmt: skip
    assert (done.code, done.err) == (0, "")
    assert read_archive("new/frozen").pools[0].seed == 7


def test_dry_run_asks_nothing(run, here, server):
    done = sample(run, server, "--dry-run")
    assert (done.code, done.err, server.calls) == (0, "", [])
    assert "candidates  8: 2 problems, 1 seed, 4 each" in done.out
    assert not Path("new").exists()


def test_what_is_short_is_said_and_resumed(run, here, server):
    """Exit code 4, no frozen folder, and --resume asks for the rest and nothing else."""
    server.answer = lambda call: refused(500, "oops") if "U1" in call.prompt else fine(call)
    done = sample(run, server, "--tries", "1", "-c", "1")
    assert (done.code, done.err) == (4, "")
    assert done.out.splitlines()[-2:] == [
        f"short       w1, seed 0: 0 of 4; 127.0.0.1:{server.port} says 500: oops (tried 1 times)",
        "go on with  calverify sample --resume new",
    ]
    assert not Path("new/frozen").exists()
    server.answer, server.calls = fine, []
    done = run("sample", "--resume", "new")
    assert done.code == 0
    assert "candidates  4: 2 problems, 1 seed, 4 each; 4 are there already" in done.out
    assert [call.n for call in server.calls] == [4]
    assert [len(pool) for pool in read_archive("new/frozen").pools] == [4, 4]
    again = run("sample", "--resume", "new", "--json")
    assert (again.code, again.json["frozen"], len(server.calls)) == (0, "new/frozen", 1)


def test_short_pools_are_marked_and_not_padded(run, here, server):
    """--short freezes what there is; the manifest names what is missing."""
    server.answer = lambda call: refused(500, "oops") if call.seed & 3 == 2 or call.n > 1 else fine(call)
    done = sample(run, server, "--tries", "1", "-c", "1", "--one-by-one", "--short")
    assert done.code == 4
    assert "frozen      new/frozen-6-of-8, with the short pools named in its manifest" in done.out
    archive = read_archive("new/frozen-6-of-8")
    assert [len(pool) for pool in archive.pools] == [3, 3]
    assert archive.manifest.sampling["short"] == ["w0, seed 0: 3 of 4, without 2", "w1, seed 0: 3 of 4, without 2"]
    server.answer = fine
    assert run("sample", "--resume", "new").code == 0
    assert "short" not in read_archive("new/frozen").manifest.sampling


def test_same_answer_over_and_over_is_warned_of(run, here, server):
    """As when something keeps answers and gives one K times."""
    server.answer = lambda call: fine(call, say=lambda call: "ANSWER: U")
    done = sample(run, server)
    assert done.code == 0
    assert "warning     100% of the candidates behind the first of a pool repeat another of it" in done.out


REFUSED = [
    (["--temperature", "0"], "at temperature 0 all 4 candidates of a pool would be one text"),
    (["--decoding", "loose"], "the decoding is one of free, schema, slots, names, pinned"),
    (["--extra-body", "[]"], "--extra-body must be a JSON object"),
    (["--extra-body", "{"], "--extra-body is not JSON"),
    (["--extra-body", '{"n": 3}'], "extra_body may not set 'n'"),
    (["--prices", "1"], "prices are two numbers from 0 on"),
    (["--prices", "cheap,2"], "prices are two numbers from 0 on"),
    (["--top-p", "2"], "top_p must lie above 0"),
    (["--seed", "99999"], "seeds lie between 0 and 32,767"),
    (["--grammar-field", "gbnf"], "a grammar goes into one of"),
    (["--resume", "run"], "--resume DIR takes no PROBLEMS"),
]


@pytest.mark.parametrize("words, why", REFUSED, ids=lambda value: " ".join(value) if isinstance(value, list) else "")
def test_what_makes_no_sense_is_refused(run, here, server, words, why):
    done = sample(run, server, *words)
    assert (done.code, done.out) == (2, "")
    assert why in done.err
    assert not Path("new").exists()
    assert server.calls == []


def test_temperature_0_with_one_sample(run, here, server):
    assert sample(run, server, "--temperature", "0", "-k", "1").code == 0


def test_resume_takes_nothing_else(run, here, server):
    assert sample(run, server).code == 0
    done = run("sample", "--resume", "new", "-k", "9")
    assert (done.code, "takes no --num-samples" in done.err) == (2, True)
    assert "is no sampling run" in run("sample", "--resume", ".").err


def test_run_that_never_began_leaves_nothing(run, here, server):
    """A wrong model or key is put right in the same words, not in a new folder."""
    server.answer = lambda call: refused(404, "unknown model")
    done = sample(run, server)
    assert (done.code, "check --model and the base URL" in done.err) == (2, True)
    assert not Path("new").exists()
    server.answer = fine
    assert sample(run, server).code == 0
    assert "new is not empty: name a new folder; calverify sample --resume new goes on" in sample(run, server).err


def test_refusal_half_way_leaves_a_run(run, here, server):
    """What came stays, and the reason and the next step are told."""
    server.answer = lambda call: refused(401, "key expired") if server.count > 1 else fine(call)
    done = sample(run, server, "-c", "1")
    assert done.code == 4
    assert "key expired" in done.err
    assert done.out.endswith("go on with  calverify sample --resume new\n")


def test_folder_that_cannot_be_made(run, here, server):
    words = ("sample", "problems.jsonl", "-m", "tiny", "-b", server.url, "--out", "problems.jsonl/new")
    assert (run(*words).code, run(*words).err.strip()) == (
        2, "error: cannot make the folder problems.jsonl/new: Not a directory"
    )  # fmt: skip
    assert run(*words[:-1], "problems.jsonl").code == 2


def test_no_names_at_all(run, here, server):
    assert "calverify sample PROBLEMS --out DIR" in run("sample").err
    assert "Name the model: --model NAME" in run("sample", "problems.jsonl", "--out", "new", "-b", server.url).err


# ---------------------------------------------------------------- where settings come from


def test_flag_before_environment_before_file_before_default(run, here, server, monkeypatch):
    words = ("sample", "problems.jsonl", "--out", "new", "-k", "2", "--dry-run")
    assert "https://api.openai.com/v1 needs a key" in run(*words, "-m", "tiny").err
    Path(".env").write_text(f"OPENAI_BASE_URL={server.url}\nCALVERIFY_SAMPLE_MODEL='of the file'  # mine\n", "utf-8")
    assert f"asking      {server.url} for of the file\n" in run(*words).out
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("CALVERIFY_SAMPLE_MODEL", "of the environment")
    assert "asking      http://127.0.0.1:1/v1 for of the environment\n" in run(*words).out
    monkeypatch.setenv("CALVERIFY_SAMPLE_BASE_URL", "http://127.0.0.1:2/v1")
    assert "asking      http://127.0.0.1:2/v1 for of the environment\n" in run(*words).out
    flags = ("-m", "of the flag", "-b", "http://127.0.0.1:3/v1")
    assert "asking      http://127.0.0.1:3/v1 for of the flag\n" in run(*words, *flags).out


def test_old_name_of_the_base_url(run, here, server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_BASE", server.url)
    done = run("sample", "problems.jsonl", "--out", "new", "-m", "tiny", "--dry-run")
    assert f"asking      {server.url} for tiny" in done.out
    assert "OPENAI_API_BASE is the old name of OPENAI_BASE_URL" in done.err


def test_file_is_forgotten_after_the_command(run, here, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    Path(".env").write_text("OPENAI_API_KEY=k\nPATH=/nowhere\n", "utf-8")
    run("tasks")
    import os

    assert "OPENAI_API_KEY" not in os.environ
    assert os.environ["PATH"] != "/nowhere"


def test_file_that_cannot_be_read(run, here):
    Path(".env").write_bytes(b"OPENAI_API_KEY=\xff")
    done = run("tasks", "--json")
    assert (done.code, done.json["error"]["message"]) == (2, "cannot read .env: not UTF-8 at byte 15")


@pytest.mark.parametrize(
    "text, found",
    [
        ("OPENAI_API_KEY=k", {"OPENAI_API_KEY": "k"}),
        ("export OPENAI_API_KEY = k ", {"OPENAI_API_KEY": "k"}),
        ("OPENAI_API_KEY='k # l' # m", {"OPENAI_API_KEY": "k # l"}),
        ('CALVERIFY_A="b=c"', {"CALVERIFY_A": "b=c"}),
        ("CALVERIFY_A=b # c", {"CALVERIFY_A": "b"}),
        ("CALVERIFY_A=b#c", {"CALVERIFY_A": "b#c"}),
        ("CALVERIFY_A=# c", {"CALVERIFY_A": ""}),
        ("CALVERIFY_A=\nCALVERIFY_A='", {"CALVERIFY_A": "'"}),
        ("CALVERIFY_SELECT_PLUGIN=evil", {}),
        ("# OPENAI_A=b\nHOME=/x\nnonsense\n\nopenai_a=b", {}),
    ],
)
def test_lines_of_a_file(text, found):
    assert settings_of(text) == found
