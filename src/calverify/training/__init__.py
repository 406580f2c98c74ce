"""Training with the checker: its score as a reward.

Reading order: `reward` (TRL's and verl's shapes), `_canaries` (traces that must not be paid).
Nothing here imports torch or a trainer until it is needed.
"""

from calverify.training._canaries import CANARIES, HONEST, canaries_of
from calverify.training.reward import BIT_REWARDS, calverify_reward, canary_rewards, compute_score, valid_diversity

__all__ = [
    "BIT_REWARDS",
    "CANARIES",
    "HONEST",
    "calverify_reward",
    "canaries_of",
    "canary_rewards",
    "compute_score",
    "valid_diversity",
]
