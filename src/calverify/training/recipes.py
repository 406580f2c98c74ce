"""Recipes: how an adapter is trained, each a frozen value with a name.

What the paper leaves open in `paper` (schedule, clipping, the longest example) is ours.
"""

from dataclasses import asdict, dataclass
from math import cos, pi
from typing import Any

from calverify.errors import CalverifyError
from calverify.names import brief

__all__ = ["RECIPES", "Recipe", "recipe_named"]

ATTENTION = ("q_proj", "k_proj", "v_proj", "o_proj")
ALL_LINEAR = (*ATTENTION, "gate_proj", "up_proj", "down_proj")
SCHEDULES = ("constant", "cosine")
DTYPES = ("float32", "bfloat16")


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """A LoRA of `rank` on `modules`, scaled by alpha / rank, trained for `steps` updates of `batch` examples.

    `part` of them are held at once, which changes the memory and not the result (but for rounding).  `dtype` is what
    is computed in; the adapter itself is kept in float32.
    """

    name: str
    rank: int
    alpha: int
    modules: tuple[str, ...]
    rate: float
    steps: int
    batch: int
    part: int
    schedule: str = "constant"
    warmup: int = 0
    decay: float = 0.01
    clip: float = 1.0
    dtype: str = "bfloat16"
    longest: int = 2048

    def __post_init__(self) -> None:
        counts = {name: getattr(self, name) for name in ("rank", "alpha", "steps", "batch", "part", "longest")}
        for name, value in counts.items():
            if value < 1:
                raise CalverifyError(f"a recipe's {name} is 1 or more, not {brief(value)}")
        if self.batch % self.part:
            raise CalverifyError(f"a batch of {self.batch} cannot be held in parts of {self.part}")
        if self.schedule not in SCHEDULES or self.dtype not in DTYPES:
            raise CalverifyError(f"a schedule is one of {', '.join(SCHEDULES)}, a dtype one of {', '.join(DTYPES)}")

    def rate_at(self, step: int) -> float:
        """The learning rate of a step, the first being 0: up over `warmup` steps, then as the schedule says."""
        if step < self.warmup:
            return self.rate * (step + 1) / self.warmup
        if self.schedule == "constant":
            return self.rate
        return self.rate * (1 + cos(pi * (step - self.warmup) / max(1, self.steps - self.warmup))) / 2

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "modules": list(self.modules)}


# "Policy and Training Controls": rank 64, alpha 128 on q, k, v and o, AdamW at 5e-5, about 1,000 steps of 16.
PAPER = Recipe(name="paper", rank=64, alpha=128, modules=ATTENTION, rate=5e-5, steps=1000, batch=16, part=4)
# Two cores within an hour; rank 12 on every linear layer of SmolLM2-135M is 7.3 MB in half precision.
MINIATURE = Recipe(
    name="miniature", rank=12, alpha=24, modules=ALL_LINEAR, rate=1e-3, steps=250, batch=4, part=2,
    schedule="cosine", warmup=5,
)  # fmt: skip

RECIPES: dict[str, Recipe] = {recipe.name: recipe for recipe in (PAPER, MINIATURE)}


def recipe_named(name: str) -> Recipe:
    """The recipe of that name; an unknown name is refused."""
    if name not in RECIPES:
        raise CalverifyError(f"the recipes are {', '.join(RECIPES)}, not {brief(name)}")
    return RECIPES[name]
