"""Supervised training of an adapter on canonical traces: the loss is on the completion, token by token.

Rule 1: which examples a step sees depends on the seed and the step alone, so a training that goes on after a kill makes
the same steps.  On one machine with one number of threads the adapter is the same bit by bit; elsewhere the sums
round differently.
Rule 2: logits are made where a token is to be learned and nowhere else: they are most of the memory of a small model.
Rule 3: what was asked, how it went and the hash of everything that went in lie beside the adapter.
"""

import math
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random
from shutil import rmtree
from statistics import fmean
from typing import Any

from calverify.archives import read_bytes, write_atomically
from calverify.errors import CalverifyError
from calverify.records import json_line, read_fields
from calverify.training._checkpoints import ADAPTER, EXAMPLES, GGUF, MANIFEST, PLOT, TrainingFolder
from calverify.training._estimate import Estimate, Size, estimate, speed_of
from calverify.training._libraries import library, versions
from calverify.training._losses import losses_svg
from calverify.training._policy import Encoded, Policy, encoded, load_policy, model_digest, read_tokenizer
from calverify.training.adapter import Shape, write_gguf
from calverify.training.examples import Example, write_examples
from calverify.training.recipes import Recipe

__all__ = ["Asked", "Step", "Training", "order_of", "start_sft"]

LAST = 10  # steps whose mean loss the manifest states


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a training was asked for; `every` is how many steps lie between two checkpoints."""

    model: Path
    recipe: Recipe
    seed: int = 0
    threads: int = 1
    every: int = 25
    command: str | None = None

    def to_json(self) -> dict[str, Any]:
        plain = {name: getattr(self, name) for name in ("seed", "threads", "every", "command")}
        return {"model": str(self.model.resolve()), "recipe": self.recipe.to_json(), **plain}

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> "Asked":
        kinds = {"model": str, "recipe": dict, "seed": int, "threads": int, "every": int, "command": str | None,
                 "sha256": str}  # fmt: skip
        read = read_fields("settings of a training", record, kinds, needed=kinds)
        read.pop("sha256")
        recipe = {**read["recipe"], "modules": tuple(read["recipe"]["modules"])}
        return cls(**{**read, "model": Path(read["model"]), "recipe": Recipe(**recipe)})


@dataclass(frozen=True, slots=True)
class Step:
    """One update: its number from 1 on, its mean loss a learned token, and how long it took."""

    step: int
    loss: float
    seconds: float


def order_of(seed: int, examples: int, step: int, batch: int) -> list[int]:
    """The examples of a step, the first being 0: all of them once in an order by lot, then again in another."""
    places = range(step * batch, (step + 1) * batch)
    orders = {turn: _shuffled(seed, turn, examples) for turn in {place // examples for place in places}}
    return [orders[place // examples][place % examples] for place in places]


def _shuffled(seed: int, turn: int, examples: int) -> list[int]:
    return Random(f"{seed} {turn}").sample(range(examples), examples)


def start_sft(folder: Path, asked: Asked, examples: Sequence[Example]) -> "Training":
    """A new folder, in which nothing is trained yet; where what was asked does not fit, no folder is left."""
    record = {**asked.to_json(), "sha256": model_digest(asked.model)}
    TrainingFolder.new(folder, record, write_examples(examples, EXAMPLES))
    try:
        return Training(folder)
    except CalverifyError:
        rmtree(folder)
        raise


class Training:
    """A training in its folder: `Training(folder).run()` begins it, or goes on where its checkpoint is."""

    def __init__(self, folder: Path) -> None:
        self.folder = TrainingFolder(folder)
        record = self.folder.settings()
        self.asked = Asked.from_json(record)
        self._sha256 = model_digest(self.asked.model)
        if self._sha256 != record["sha256"]:
            raise CalverifyError(f"{self.asked.model} is not the model that this training began with")
        library("torch").set_num_threads(self.asked.threads)
        self.examples = self.folder.examples()
        recipe = self.asked.recipe
        self._encoded = encoded(self.examples, read_tokenizer(self.asked.model), recipe.longest)
        self._policy = load_policy(self.asked.model, recipe, self.asked.seed)
        self._optimizer = _optimizer(self._policy, recipe)
        self.done = self._restore()

    def estimate(self) -> Estimate:
        """What is ahead: the seconds of the steps that are missing, and the memory."""
        size, recipe = Size.of(self._policy), self.asked.recipe
        whole = estimate(size, recipe, self._encoded, speed_of(size, recipe.dtype))
        left = (recipe.steps - self.done) / recipe.steps
        return Estimate(whole.seconds * left, whole.bytes, whole.tokens, whole.learned)

    def run(self, told: Callable[[Step], None] = lambda step: None) -> dict[str, Any]:
        """Make the steps that are missing, write the adapter and its papers; the manifest comes back."""
        recipe = self.asked.recipe
        for step in range(self.done, recipe.steps):
            began = time.perf_counter()
            batch = [self._encoded[at] for at in order_of(self.asked.seed, len(self._encoded), step, recipe.batch)]
            loss = self._update(batch, recipe.rate_at(step))
            made = Step(step + 1, loss, time.perf_counter() - began)
            self.folder.add_loss({"step": made.step, "loss": made.loss, "seconds": made.seconds})
            self.done = made.step
            if made.step % self.asked.every == 0 or made.step == recipe.steps:
                self.folder.save(made.step, self._state())
            told(made)
        return self._finish()

    # ------------------------------------------------------------ one step

    def _update(self, batch: Sequence[Encoded], rate: float) -> float:
        """One update of the adapter; the mean loss before it."""
        torch, recipe = library("torch"), self.asked.recipe
        learned = sum(len(example.tokens) - example.start for example in batch)
        total = 0.0
        for place in range(0, len(batch), recipe.part):
            loss = _loss(self._policy, batch[place : place + recipe.part], recipe.dtype) / learned
            loss.backward()
            total += float(loss.detach())
        if not math.isfinite(total):
            raise CalverifyError(f"the loss of step {self.done + 1} is {total}: a smaller learning rate may hold it")
        torch.nn.utils.clip_grad_norm_(self._policy.trained().values(), recipe.clip)
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        self._optimizer.step()
        self._optimizer.zero_grad(set_to_none=True)
        return total

    # ------------------------------------------------------------ what is kept

    def _state(self) -> dict[str, Any]:
        """The adapter and the optimiser's two moments, by the parameters' names."""
        found = {}
        for name, value in self._policy.trained().items():
            found[f"adapter {name}"] = value.detach().contiguous()
            moments = self._optimizer.state[value]
            found[f"first {name}"], found[f"second {name}"] = moments["exp_avg"], moments["exp_avg_sq"]
        return found

    def _restore(self) -> int:
        """Take up the checkpoint; how many steps it holds."""
        torch = library("torch")
        steps, tensors = self.folder.saved()
        trained = self._policy.trained()
        if tensors and {f"adapter {name}" for name in trained} - tensors.keys():
            raise CalverifyError(f"the checkpoint in {self.folder.path} is of another recipe")
        with torch.no_grad():
            for name, value in trained.items() if tensors else ():
                value.copy_(tensors[f"adapter {name}"])
                self._optimizer.state[value] = {
                    "step": torch.tensor(float(steps)),
                    "exp_avg": tensors[f"first {name}"],
                    "exp_avg_sq": tensors[f"second {name}"],
                }
        self.folder.keep_losses(steps)
        return steps

    def _finish(self) -> dict[str, Any]:
        path, recipe = self.folder.path, self.asked.recipe
        losses = self.folder.losses()
        self._policy.adapted.save_pretrained(path / ADAPTER)
        tensors = library("safetensors.numpy").load_file(path / ADAPTER / "adapter_model.safetensors")
        write_gguf(path / GGUF, tensors, recipe.alpha, Shape.of(self._policy.config), f"calverify {recipe.name}")
        values = [float(record["loss"]) for record in losses]
        write_atomically(path / PLOT, losses_svg(values, f"Recipe {recipe.name}: loss of each step").encode())
        manifest = {
            **self.asked.to_json(),
            "model": {"name": self.asked.model.name, "sha256": self._sha256},
            "data": {"examples": len(self.examples), "sha256": sha256(read_bytes(path / EXAMPLES)).hexdigest()},
            "steps": len(losses),
            "loss": {"first": values[0], "last": fmean(values[-LAST:])},
            "seconds": sum(record["seconds"] for record in losses),
            "peak_bytes": peak_bytes(),
            "versions": versions(),
            "files": {GGUF: sha256(read_bytes(path / GGUF)).hexdigest()},
        }
        write_atomically(path / MANIFEST, json_line(manifest))
        return manifest


def peak_bytes() -> int:
    """The most memory that this process has held."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def _optimizer(policy: Policy, recipe: Recipe) -> Any:
    trained = policy.trained().values()
    return library("torch").optim.AdamW(trained, lr=recipe.rate, weight_decay=recipe.decay)


def _loss(policy: Policy, batch: Sequence[Encoded], dtype: str) -> Any:
    """The summed loss of the tokens to be learned; shorter examples are filled up and the filling is not looked at."""
    torch = library("torch")
    longest = max(len(example.tokens) for example in batch)
    tokens = torch.zeros(len(batch), longest, dtype=torch.long)
    seen = torch.zeros(len(batch), longest, dtype=torch.long)
    for row, example in enumerate(batch):
        tokens[row, : len(example.tokens)] = torch.tensor(example.tokens)
        seen[row, : len(example.tokens)] = 1
    rows, places = map(list, zip(*_learned(batch), strict=True))
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=dtype == "bfloat16"):
        hidden = policy.body(input_ids=tokens, attention_mask=seen, use_cache=False).last_hidden_state
        logits = policy.head(hidden[rows, [place - 1 for place in places]])
    return torch.nn.functional.cross_entropy(logits.float(), tokens[rows, places], reduction="sum")


def _learned(batch: Sequence[Encoded]) -> Iterator[tuple[int, int]]:
    """(row, place) of every token that is to be learned."""
    for row, example in enumerate(batch):
        for place in range(example.start, len(example.tokens)):
            yield row, place
