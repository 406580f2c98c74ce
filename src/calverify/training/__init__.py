"""Training with the checker: its score as a reward, and adapters trained on canonical traces.

Reading order: `reward` (TRL's and verl's shapes), `_canaries` (traces that must not be paid), `examples`; then
`recipes`, `_policy`, `_estimate`, `_checkpoints` and `sft`; last `adapter` (what the embedded runtime loads).
Nothing here imports torch or a trainer until it is needed.
"""

from calverify.training._canaries import CANARIES, HONEST, canaries_of
from calverify.training._estimate import Estimate, Size, estimate, work_of
from calverify.training.adapter import Shape, gguf_names, write_gguf
from calverify.training.examples import Example, examples, read_examples, write_examples
from calverify.training.recipes import RECIPES, Recipe, recipe_named
from calverify.training.reward import BIT_REWARDS, calverify_reward, canary_rewards, compute_score, valid_diversity
from calverify.training.sft import Asked, Step, Training, order_of, start_sft

__all__ = [
    "BIT_REWARDS",
    "CANARIES",
    "HONEST",
    "RECIPES",
    "Asked",
    "Estimate",
    "Example",
    "Recipe",
    "Shape",
    "Size",
    "Step",
    "Training",
    "calverify_reward",
    "canaries_of",
    "canary_rewards",
    "compute_score",
    "estimate",
    "examples",
    "gguf_names",
    "order_of",
    "read_examples",
    "recipe_named",
    "start_sft",
    "valid_diversity",
    "work_of",
    "write_examples",
    "write_gguf",
]
