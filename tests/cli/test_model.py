"""`calverify model`, and the real server of the embedded model asked by our own endpoint client."""

import json
import sys
from dataclasses import replace

import pytest

import calverify as cv
from calverify.archives import read_archive
from calverify.keys import Key, write_keys
from calverify.sampling import WEIGHTS, Embedded
from tests.sampling.weights import real_weights, small_package


@pytest.fixture
def tiny(tmp_path, monkeypatch, run):
    """A model that pip finds in a folder; `run` has cleared our variables before."""
    weights = replace(small_package(tmp_path / "packages", monkeypatch), name="smollm2-135m")
    monkeypatch.setitem(WEIGHTS, "smollm2-135m", weights)
    return weights


def test_ls_and_pull(run, tiny):
    """A model is listed as absent, pulled, and listed with its file; --json says the same."""
    before = run("model", "ls")
    assert "not on this machine: calverify model pull smollm2-135m" in before.out
    pulled = run("model", "pull")
    assert (pulled.code, pulled.err) == (0, "")
    assert "as tiny-weights 1.0 by pip" in pulled.out
    (listed,) = run("model", "ls", "--json").json
    assert listed["file"].endswith("tiny.gguf")
    assert run("model", "pull", "--json").json == {"name": "smollm2-135m", "file": listed["file"]}
    assert listed["file"] in run("model", "ls").out


def test_pull_of_an_unknown_model(run):
    """Those that are known are named."""
    done = run("model", "pull", "gpt")
    assert done.code == 2
    assert "smollm2-135m" in done.err


def test_pull_offline(run, tiny, monkeypatch, tmp_path):
    """One sentence that says what was wanted and what to do."""
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "nowhere"))
    done = run("model", "pull")
    assert done.code == 2
    assert "pip could not download tiny-weights==1.0" in done.err


def test_serve_without_weights(run, tiny):
    """Nothing was pulled."""
    done = run("model", "serve")
    assert done.code == 2
    assert "calverify model pull fetches them" in done.err


def test_without_the_runtime(run, tiny, monkeypatch):
    """The extra that brings it is named."""
    run("model", "pull")
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    done = run("model", "serve")
    assert done.code == 2
    assert "pip install 'calverify[embedded]'" in done.err


REAL_STUDY = """
k = 2
seeds = [0]
selectors = ["first", "plurality", "calver"]
reports = ["policies", "same-pool"]
draws = 50

[problems]
file = "small.jsonl"
keys = "keys.jsonl"

[sampling]
decoding = "pinned"
max_tokens = 600

[[policies]]
kind = "endpoint"
model = "SmolLM2-135M-Instruct"
grammar_field = "grammar"
label = "served"
"""


def test_a_real_server_end_to_end(run, tmp_path, monkeypatch):
    """llama.cpp's own OpenAI-compatible server on this machine: sample, freeze, seal, select, reveal, grade, report."""
    weights = real_weights()
    server = Embedded(weights=weights, threads=1).serve(0, key="secret")
    monkeypatch.setenv("OPENAI_BASE_URL", f"{server.listening_address}/v1")
    monkeypatch.chdir(tmp_path)
    problem = cv.Problem("s", cv.Query("backdoor", ("X", "Y")), cv.Graph.parse("U->X, U->Y, X->Y"))
    (tmp_path / "small.jsonl").write_text(json.dumps(problem.to_json()) + "\n", encoding="utf-8")
    write_keys(tmp_path / "keys.jsonl", [Key("s")])
    (tmp_path / "study.toml").write_text(REAL_STUDY, encoding="utf-8")
    monkeypatch.setenv("OPENAI_API_KEY", "wrong")
    refused = run("run", "study.toml")
    assert refused.code == 2
    assert "OPENAI_API_KEY" in refused.err
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    done = run("run", "study.toml", "--json")
    assert done.code == 0, done.err
    (policy,) = done.json["policies"]
    assert [row["selector"] for row in policy["selectors"]] == ["first", "plurality", "calver", "coverage"]
    archive = read_archive(tmp_path / "study-run" / "served" / "frozen")
    assert [len(pool) for pool in archive.pools] == [2]
    assert all(text.startswith("<think>\nSTEP 1") and "\nANSWER: " in text for text in archive.pools[0].texts)
    assert archive.manifest.sampling["decoding"] == "pinned"
    del server
