"""Training for real, on a tiny model with random weights: it learns, is repeatable, and survives a kill."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from calverify.benchmarks import miniature
from calverify.errors import CalverifyError
from calverify.training import Asked, Recipe, Training, examples, start_sft, write_examples
from calverify.training.recipes import ATTENTION
from tests.training.tiny_policy import tiny_policy

TINY = Recipe(name="tiny", rank=4, alpha=8, modules=ATTENTION, rate=1e-2, steps=6, batch=4, part=2)
PROBLEMS = islice(miniature.more_problems(Random(0), ("cycle", "mediator"), []), 6)
DATA = [replace(example, prompt=f"{example.task}?") for example in examples(PROBLEMS, Random(0))]  # short, to be quick


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> Path:
    return tiny_policy(tmp_path_factory.mktemp("policy") / "tiny", [one.prompt + one.completion for one in DATA])


def asked(model: Path, **more) -> Asked:
    return replace(Asked(model=model, recipe=TINY, threads=1, every=2), **more)


def adapter_of(folder: Path) -> bytes:
    return (folder / "adapter" / "adapter_model.safetensors").read_bytes()


@pytest.fixture(scope="module")
def trained(model, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("trained") / "run"
    start_sft(folder, asked(model), DATA).run()
    return folder


def test_it_learns_and_says_what_it_did(trained, model):
    losses = [json.loads(line)["loss"] for line in (trained / "losses.jsonl").read_text("utf-8").splitlines()]
    manifest = json.loads((trained / "manifest.json").read_text("utf-8"))
    assert len(losses) == manifest["steps"] == 6
    assert losses[-1] < losses[0]
    assert manifest["loss"]["first"] == losses[0]
    assert manifest["data"]["examples"] == 6
    assert (trained / "losses.svg").read_text("utf-8").count("<circle") == 6
    assert manifest["files"]["adapter.gguf"]


def test_the_same_seed_gives_the_same_adapter_and_another_does_not(trained, model, tmp_path):
    start_sft(tmp_path / "again", asked(model), DATA).run()
    start_sft(tmp_path / "other", asked(model, seed=1), DATA).run()
    assert adapter_of(tmp_path / "again") == adapter_of(trained)
    assert adapter_of(tmp_path / "other") != adapter_of(trained)


def test_parts_change_the_memory_and_not_the_result(trained, model, tmp_path):
    whole = replace(TINY, part=4, dtype="float32")
    parts = replace(TINY, part=1, dtype="float32")
    found = []
    for name, recipe in (("whole", whole), ("parts", parts)):
        training = start_sft(tmp_path / name, asked(model, recipe=recipe), DATA)
        training.run()
        found.append([record["loss"] for record in training.folder.losses()])
    assert found[0] == pytest.approx(found[1], rel=1e-3)


def test_what_is_stopped_between_checkpoints_goes_on_to_the_same_adapter(trained, model, tmp_path):
    class Stopped(Exception):
        pass

    def stop(step):
        if step.step == 3:
            raise Stopped

    with pytest.raises(Stopped):
        start_sft(tmp_path / "run", asked(model), DATA).run(stop)
    again = Training(tmp_path / "run")
    assert again.done == 2  # the third step lay behind the checkpoint
    manifest = again.run()
    assert manifest["steps"] == 6
    assert [record["step"] for record in again.folder.losses()] == [1, 2, 3, 4, 5, 6]
    assert adapter_of(tmp_path / "run") == adapter_of(trained)


def test_a_process_that_is_killed_is_resumed_by_the_command(trained, model, tmp_path):
    data, folder = tmp_path / "examples.jsonl", tmp_path / "run"
    data.write_bytes(write_examples(DATA, "examples.jsonl"))
    start_sft(folder, asked(model), DATA)
    command = [sys.executable, "-m", "calverify", "train", "sft", "--resume", str(folder)]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1"}
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, env=environment)
    assert process.stderr is not None
    shown = b""
    while b"step 3 of 6" not in shown:
        more = process.stderr.read(1)
        assert more, shown
        shown += more
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stderr.close()
    done = subprocess.run([*command, "--json"], capture_output=True, env=environment, check=True)
    assert json.loads(done.stdout)["steps"] == 6
    assert adapter_of(folder) == adapter_of(trained)


def test_a_torn_line_of_losses_and_a_damaged_checkpoint_are_told(trained, model, tmp_path):
    training = start_sft(tmp_path / "run", asked(model), DATA)
    training.run()
    with (tmp_path / "run" / "losses.jsonl").open("ab") as file:
        file.write(b'{"step":7,"lo')
    assert len(training.folder.losses()) == 6
    checkpoint = tmp_path / "run" / "checkpoint.safetensors"
    checkpoint.write_bytes(checkpoint.read_bytes()[:100])
    with pytest.raises(CalverifyError, match="is damaged"):
        Training(tmp_path / "run")


def test_what_does_not_fit_is_refused(trained, model, tmp_path):
    with pytest.raises(CalverifyError, match="is not empty"):
        start_sft(trained, asked(model), DATA)
    with pytest.raises(CalverifyError, match=r"has [\d,]+ tokens; the recipe takes 9"):
        start_sft(tmp_path / "long", asked(model, recipe=replace(TINY, longest=9)), DATA)
    assert not (tmp_path / "long").exists()  # so that the same command can be given again
    with pytest.raises(CalverifyError, match="does not fit"):
        start_sft(tmp_path / "other", asked(model, recipe=replace(TINY, modules=("nowhere",))), DATA)
    with pytest.raises(CalverifyError, match="there is no model at"):
        start_sft(tmp_path / "none", asked(tmp_path / "nothing"), DATA)
    with pytest.raises(CalverifyError, match="is no folder of a training"):
        Training(tmp_path)


def test_another_model_in_the_place_of_the_first_is_refused(model, tmp_path):
    start_sft(tmp_path / "run", asked(model), DATA)
    settings = tmp_path / "run" / "settings.json"
    record = json.loads(settings.read_text("utf-8"))
    settings.write_text(json.dumps({**record, "sha256": "0" * 64}), encoding="utf-8")
    with pytest.raises(CalverifyError, match="is not the model that this training began with"):
        Training(tmp_path / "run")


def test_the_loss_is_that_of_the_completion_alone(model, tmp_path):
    """The slow way: one example at a time, all logits, by the definition."""
    import torch

    training = start_sft(tmp_path / "run", asked(model, recipe=replace(TINY, dtype="float32")), DATA)
    policy, batch = training._policy, training._encoded[:4]
    total, count = 0.0, 0
    with torch.no_grad():
        for example in batch:
            logits = policy.adapted(input_ids=torch.tensor([example.tokens])).logits[0]
            logs = torch.log_softmax(logits, dim=-1)
            total -= sum(float(logs[at - 1, example.tokens[at]]) for at in range(example.start, len(example.tokens)))
            count += len(example.tokens) - example.start
    assert training._update(batch, 0.0) == pytest.approx(total / count, rel=1e-4)
