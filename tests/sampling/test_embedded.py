"""The embedded model: texts of a grammar, the same whatever came before them, and a run that resumes with it."""

import asyncio
import json
from random import Random

import pytest

import calverify as cv
from calverify.benchmarks import BENCHMARKS
from calverify.errors import CalverifyError
from calverify.sampling import Embedded, Parameters, ask, source_of
from calverify.sampling._grammar import HELD, grammar_of
from calverify.sampling._runtime import Setup, completed, started
from tests.sampling.weights import REAL, adapter, real_weights

MINIATURE = [item.problem for item in BENCHMARKS["miniature"].build(Random("miniature 0")).items[:8]]
PINNED = Parameters(decoding="pinned")
FORKS = cv.Problem("f", cv.Query("backdoor", ("X", "Y")), cv.Graph.parse("U->X, U->Y, V->X, V->Y, W->X, X->Y"))
SMALL = cv.Problem("s", cv.Query("backdoor", ("X", "Y")), cv.Graph.parse("U->X, U->Y, X->Y"))


@pytest.fixture(scope="module")
def model():
    """The real model on one core, loaded once."""
    source = Embedded(weights=real_weights(), threads=1)
    yield source
    asyncio.run(source.close())


def texts(source, problem, want, *, seed=0, index=0, parameters=PINNED):
    reply = asyncio.run(source.complete(ask(problem, seed, index, parameters), want))
    return [one.text for one in reply.completions]


def test_pinned_texts_are_whole_traces(model):
    """Six slots are read from each, and the graph and the query are right, because the grammar wrote them."""
    for problem in (SMALL, FORKS):
        for text in texts(model, problem, 2):
            verdict = cv.verify(problem, text)
            assert [fault.slot for fault in cv.parse(text).faults] == []
            assert (verdict.bits["graph"], verdict.bits["query"]) == (1, 1)


def test_a_pool_does_not_hang_on_what_came_before(model):
    """The same request gives the same texts, with another between them; another seed gives others."""
    first = texts(model, FORKS, 4)
    assert len(set(first)) > 1
    texts(model, SMALL, 2)
    assert texts(model, FORKS, 4) == first
    assert texts(model, FORKS, 3, seed=1) != first[:3]


def test_more_than_the_runtime_writes_at_once(model):
    """Nine come in two turns, each at its place."""
    limited = Parameters(max_tokens=3)
    reply = asyncio.run(model.complete(ask(SMALL, 0, 0, limited), 9))
    assert len(reply.completions) == reply.asked == 9
    assert [one.text for one in reply.completions][:8] == texts(model, SMALL, 8, parameters=limited)
    assert {one.finish for one in reply.completions} == {"length"}


@pytest.mark.parametrize("decoding", ["slots", "names"])
def test_a_text_that_its_limit_cuts_stays_cut(model, decoding):
    """It begins as the grammar says and is not made whole."""
    (text,) = texts(model, SMALL, 1, parameters=Parameters(decoding=decoding, max_tokens=6))
    assert text.startswith("<think>\nSTEP 1 [graph_extract]: ")
    assert "ANSWER" not in text


def test_the_runtime_reads_every_grammar():
    """Of each task and decoding, as our own matcher does; one that it cannot read would be refused."""
    server = started(Setup("m", real_weights(), None, 1, 256))
    body = {"messages": [{"role": "user", "content": "x"}], "max_tokens": 1}
    for problem in MINIATURE:
        for decoding in HELD:
            said = json.loads(
                completed(server, json.dumps({**body, "grammar": grammar_of(problem, decoding)}).encode())
            )
            assert said["choices"], (problem.query.task, decoding)
    refused = json.loads(completed(server, json.dumps({**body, "grammar": "root ::= ("}).encode()))
    assert "choices" not in refused


@pytest.mark.parametrize(("value", "same"), [(0.0, True), (0.5, False)])
def test_an_adapter(model, tmp_path, value, same):
    """It is put on the weights: one of zeros changes no text, another does; name, settings and manifest tell of it."""
    short = Parameters(max_tokens=8)
    adapted = Embedded(weights=model.weights, adapter=adapter(tmp_path / "tuned.gguf", value), threads=1)
    assert (texts(adapted, SMALL, 2, parameters=short) == texts(model, SMALL, 2, parameters=short)) is same
    assert adapted.name == "SmolLM2-135M-Instruct with tuned"
    assert adapted.manifest().adapter == f"tuned, sha256 {adapted.adapter_sha256}"
    assert source_of(adapted.settings(), {}).settings() == adapted.settings()
    asyncio.run(adapted.close())


def test_an_adapter_that_is_none(model, tmp_path):
    """It is named beside the weights, which may be blameless."""
    (tmp_path / "text.gguf").write_text("this is no adapter")
    with pytest.raises(CalverifyError, match=r"cannot load .* with the adapter .*text\.gguf"):
        texts(Embedded(weights=model.weights, adapter=tmp_path / "text.gguf", threads=1), SMALL, 1)


def test_what_does_not_fit_the_context_is_told(model):
    """The problem, the tokens there are, and what to do."""
    small = Embedded(weights=model.weights, threads=1, context=128)
    with pytest.raises(CalverifyError, match=r"problem 's' and its answer do not fit 128 tokens: raise the context"):
        texts(small, SMALL, 1)
    asyncio.run(small.close())


def test_settings_make_the_source_again(model):
    """A run keeps them, with the hash of the weights; a file that has changed is refused."""
    record = model.settings()
    assert source_of(record, {}).settings() == record
    assert record["sha256"] == REAL.sha256
    with pytest.raises(CalverifyError, match="has changed"):
        source_of({**record, "sha256": "0" * 64}, {})


def test_manifest(model):
    """Model, hash, quantisation and the runtime stand in it, and that nothing was cut off."""
    manifest = model.manifest()
    assert manifest.policy == "SmolLM2-135M-Instruct"
    assert manifest.model == f"SmolLM2-135M-Instruct, sha256 {REAL.sha256}"
    assert manifest.quantisation == "Q4_1"
    assert manifest.sampling["backend"].startswith("embedded xllamacpp ")
    assert (manifest.sampling["top_p"], manifest.sampling["top_k"], manifest.sampling["min_p"]) == (1.0, 0, 0.0)


def test_weights_that_are_not_there(tmp_path):
    """Never pulled, no such file, and no model at all: each says what to do."""
    with pytest.raises(CalverifyError, match="calverify model pull fetches them"):
        Embedded.from_settings({"kind": "embedded"}, {"CALVERIFY_CACHE": str(tmp_path)})
    with pytest.raises(CalverifyError, match="cannot read"):
        Embedded(weights=tmp_path / "none.gguf")
    (tmp_path / REAL.member.rpartition("/")[2]).write_bytes(b"half of it")
    with pytest.raises(CalverifyError, match="not the file that was pinned"):
        Embedded.from_settings({"kind": "embedded"}, {"CALVERIFY_CACHE": str(tmp_path)})
    (tmp_path / "text.gguf").write_text("this is no model")
    with pytest.raises(CalverifyError, match="cannot load"):
        texts(Embedded(weights=tmp_path / "text.gguf", threads=1), SMALL, 1)


@pytest.mark.parametrize("wrong", [{"threads": 0}, {"context": 4}])
def test_what_no_model_can_be_run_with(tmp_path, wrong):
    """Refused before anything is loaded."""
    (tmp_path / "m.gguf").write_bytes(b"")
    with pytest.raises(CalverifyError, match=r"threads|context"):
        Embedded(weights=tmp_path / "m.gguf", **wrong)
