"""A reward model: pinned, run as it is, and refused where its number would mean nothing."""

import asyncio
import sys
from hashlib import sha256
from importlib.util import find_spec

import pytest

from calverify.archives import read_archive
from calverify.errors import CalverifyError
from calverify.pools import Candidate
from calverify.sampling import Reward, score_with
from calverify.sampling.scores import Unit
from calverify.sampling.scores.reward import folder_digest
from tests.sampling.reward_models import tiny_reward_model
from tests.sampling.scores.raters import frozen_folder, problem


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return tiny_reward_model(tmp_path_factory.mktemp("models") / "tiny")


def rated(reward, text):
    return asyncio.run(reward.rate(Unit(problem(), 0, Candidate(0, text)), None))


def test_rewards_are_those_of_the_library(model):
    """The number is what transformers gives by itself, and a trace's number does not depend on its neighbours."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    reward = Reward.load(str(model))
    reader = AutoTokenizer.from_pretrained(model)
    classifier = AutoModelForSequenceClassification.from_pretrained(model).eval()
    texts = ["answer u", "answer m", "step x step y answer p"]
    with torch.no_grad():
        wanted = [float(classifier(**reader(text, return_tensors="pt")).logits[0, 0]) for text in texts]
    assert len(set(wanted)) == 3
    assert [rated(reward, text).score for text in texts] == wanted
    assert [rated(reward, text).score for text in texts[::-1]] == wanted[::-1]


def test_context_of_the_problem(model):
    alone, with_problem = (Reward.load(str(model), context=context) for context in ("trace", "problem"))
    assert rated(alone, "answer u").score != rated(with_problem, "answer u").score
    assert rated(with_problem, "answer u").tokens_in > rated(alone, "answer u").tokens_in
    assert with_problem.made()["settings"]["context"] == "problem"


def test_long_trace_is_not_cut_but_left_unrated(model):
    found = rated(Reward.load(str(model), longest=5), "one two three four five six")
    assert found.score is None
    assert "the model reads 5" in found.why


def test_whole_folder_is_rated(model, tmp_path):
    scored = score_with(Reward.load(str(model)), frozen_folder(tmp_path / "frozen"), tmp_path / "rewarded", at_once=1)
    archive = read_archive(tmp_path / "rewarded")
    assert (scored.rated, scored.failed, scored.missing) == (12, (), ())
    assert all(isinstance(one.scores["reward"], float) for pool in archive.pools for one in pool.candidates)
    made = archive.manifest.scores["reward"]
    assert (made.model, made.revision) == ("tiny", folder_digest(model))
    assert made.settings["backend"].startswith("transformers ")


def test_model_without_a_head_is_refused(tmp_path):
    """Its head would be drawn at random, and its rewards with it."""
    folder = tiny_reward_model(tmp_path / "headless", head=False)
    with pytest.raises(CalverifyError, match="is no reward model: it has no weights for classifier"):
        Reward.load(str(folder))


def test_model_with_two_outputs_is_refused(tmp_path):
    folder = tiny_reward_model(tmp_path / "two", outputs=2)
    with pytest.raises(CalverifyError, match="has 2 outputs; a reward model has one"):
        Reward.load(str(folder))


def test_folder_that_is_no_model(tmp_path):
    tiny_reward_model(tmp_path / "any")  # skipped where nothing could be loaded anyway
    (tmp_path / "empty").mkdir()
    with pytest.raises(CalverifyError, match="cannot load the reward model"):
        Reward.load(str(tmp_path / "empty"))


# ---------------------------------------------------------------- without torch and transformers


@pytest.mark.parametrize("absent", ["torch", "transformers"])
def test_missing_packages_say_what_to_install(tmp_path, monkeypatch, absent):
    (tmp_path / "model").mkdir()
    monkeypatch.setitem(sys.modules, absent, None)
    if absent == "transformers" and find_spec("torch") is None:
        monkeypatch.setitem(sys.modules, "torch", sys)
    with pytest.raises(CalverifyError, match=rf"there is no {absent} here: pip install torch transformers"):
        Reward.load(str(tmp_path / "model"))


@pytest.mark.parametrize("revision", [None, "main", "v1.0", "0" * 39, "g" * 40])
def test_model_of_the_hub_is_pinned_by_a_commit(revision):
    with pytest.raises(CalverifyError, match="pin it with --revision and the 40 digits of a commit"):
        Reward.load("owner/name", revision=revision)


@pytest.mark.parametrize("parts", [{"context": "graph"}, {"dtype": "int8"}], ids=str)
def test_settings_that_cannot_be(parts):
    with pytest.raises(CalverifyError, match="the context is one of trace, problem, the dtype one of"):
        Reward.load("owner/name", **parts)


def test_folder_is_pinned_by_its_files(tmp_path):
    """By names and bytes, in whatever order the disk lists them."""
    for name in ("b/config.json", "a.safetensors"):
        file = tmp_path / "model" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name, encoding="utf-8")
    lines = [f"{sha256(name.encode()).hexdigest()}  {name}\n" for name in ("a.safetensors", "b/config.json")]
    digest = folder_digest(tmp_path / "model")
    assert digest == f"sha256:{sha256(''.join(lines).encode()).hexdigest()}"
    with pytest.raises(CalverifyError, match="and not the revision 'sha256:0' that was asked for"):
        Reward.load(str(tmp_path / "model"), revision="sha256:0")
    (tmp_path / "model" / "a.safetensors").write_text("changed", encoding="utf-8")
    assert folder_digest(tmp_path / "model") != digest
