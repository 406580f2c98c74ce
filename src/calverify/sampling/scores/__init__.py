"""Scores beside traces: what a judge, the policy itself or a reward model says of each candidate of a frozen folder.

Reading order: `_rating` (values), `_shown` (how a trace is shown to a model), `judge`, `confidence`, `reward`, then
`_ledger` (what was rated already) and `_scored` (the whole job).
"""

from calverify.sampling.scores._ledger import Ledger
from calverify.sampling.scores._rating import Ask, Rater, Rating, Unit
from calverify.sampling.scores._scored import Missing, Scored, score_with
from calverify.sampling.scores._shown import inert, shown
from calverify.sampling.scores.confidence import Confidence, parse_vote
from calverify.sampling.scores.judge import Judge, parse_rating
from calverify.sampling.scores.reward import Reward

__all__ = [
    "Ask",
    "Confidence",
    "Judge",
    "Ledger",
    "Missing",
    "Rater",
    "Rating",
    "Reward",
    "Scored",
    "Unit",
    "inert",
    "parse_rating",
    "parse_vote",
    "score_with",
    "shown",
]
