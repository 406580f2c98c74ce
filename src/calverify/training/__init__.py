"""Training with the checker: its score as a reward, and canonical traces to learn the six slots from.

Reading order: `reward` (TRL's and verl's shapes), `_canaries` (traces that must not be paid), `examples`.
Nothing here imports torch or a trainer until it is needed.
"""

from calverify.training._canaries import CANARIES, HONEST, canaries_of
from calverify.training.examples import Example, examples, read_examples, write_examples
from calverify.training.reward import BIT_REWARDS, calverify_reward, canary_rewards, compute_score, valid_diversity

__all__ = [
    "BIT_REWARDS",
    "CANARIES",
    "HONEST",
    "Example",
    "calverify_reward",
    "canaries_of",
    "canary_rewards",
    "compute_score",
    "examples",
    "read_examples",
    "valid_diversity",
    "write_examples",
]
