"""How long a training will take and how much memory it needs, told before it starts.

Rule 1: the work is counted (multiplications of the model, forwards and backwards), the speed of this machine is
measured on a product of the model's own size, and both are stated with the result: it is an estimate.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from calverify.training._libraries import library
from calverify.training._policy import Encoded
from calverify.training.recipes import Recipe

__all__ = ["Estimate", "Size", "estimate", "speed_of", "work_of"]

# Measured on SmolLM2-135M, rank 12 on every linear layer, examples of 547 tokens, one thread of an x86 server: a step
# of four takes 8 to 11 s of processor time where its products alone would take 2, and parts of two peak at 4.2 GB, of
# four at 7.8 GB.
OVERHEAD = 4.0  # attention, norms, small products, the optimiser
BASE = 700 << 20  # bytes: Python with torch and transformers
KEPT = (24, 10)  # numbers kept for the way back, a token and layer: times the width, times the inner width
SPEED_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Size:
    """The numbers of a model that its work depends on."""

    layers: int
    width: int
    inner: int
    words: int
    weights: int
    trained: int

    @classmethod
    def of(cls, policy: Any) -> "Size":
        config = policy.config
        counts = [(value.numel(), value.requires_grad) for value in policy.adapted.parameters()]
        return cls(
            layers=config.num_hidden_layers,
            width=config.hidden_size,
            inner=config.intermediate_size,
            words=config.vocab_size,
            weights=sum(count for count, _ in counts),
            trained=sum(count for count, trained in counts if trained),
        )


@dataclass(frozen=True, slots=True)
class Estimate:
    """Seconds and bytes, with the tokens of a mean example that they were counted from."""

    seconds: float
    bytes: int
    tokens: float
    learned: float

    def to_json(self) -> dict[str, float]:
        return {name: getattr(self, name) for name in self.__slots__}


def work_of(size: Size, tokens: float, learned: float) -> float:
    """Floating-point operations of an example: two a weight and token forwards, and as many backwards."""
    body = size.weights - size.words * size.width  # the embedding is looked up, and is the head of some models
    return 4 * (body * tokens + size.words * size.width * learned)


def estimate(size: Size, recipe: Recipe, examples: Sequence[Encoded], speed: float) -> Estimate:
    """What the recipe takes on these examples at `speed` operations a second."""
    tokens = fmean(len(example.tokens) for example in examples)
    learned = fmean(len(example.tokens) - example.start for example in examples)
    seconds = OVERHEAD * recipe.steps * recipe.batch * work_of(size, tokens, learned) / speed
    most = max(len(example.tokens) for example in examples)
    said = max(len(example.tokens) - example.start for example in examples)
    wide = 2 if recipe.dtype == "bfloat16" else 4
    kept = recipe.part * most * size.layers * (KEPT[0] * size.width + KEPT[1] * size.inner) * wide
    logits = 3 * 4 * recipe.part * said * size.words
    need = BASE + 4 * size.weights + 3 * 4 * size.trained + kept + logits
    return Estimate(seconds, need, tokens, learned)


def speed_of(size: Size, dtype: str, seconds: float = SPEED_SECONDS) -> float:
    """Operations a second of this machine, on a product of the model's own width: the fastest of many products, because
    whatever else runs only slows them.
    """
    torch = library("torch")
    rows = 512
    one = torch.ones(rows, size.width, dtype=getattr(torch, dtype))
    other = torch.ones(size.width, size.inner, dtype=getattr(torch, dtype))
    with torch.inference_mode():
        one @ other  # the first call sets up
        end = time.perf_counter() + seconds
        took: list[float] = []
        while not took or time.perf_counter() < end:
            began = time.perf_counter()
            one @ other
            took.append(time.perf_counter() - began)
    return 2 * rows * size.width * size.inner / min(took)
