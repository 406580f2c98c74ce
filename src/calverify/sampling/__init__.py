"""Where candidates come from.

`simulated` draws them from a known distribution, so that theory and tables can be checked on pools of known truth;
`endpoint` asks a model behind an OpenAI-compatible endpoint; `embedded` runs one in this process.
Reading order: `_request` (what is asked, what comes back), `endpoint` with `_wire` and `_schema`, `embedded` with
`_weights` and `_runtime`, `retry` and `_pace`, `_journal` and `_tally` (what a run has), `_drive` (the workers), `_run`
(the folder), `_sources` (a source by its record), then `scores`.  Grammars: `_gbnf`, `_held`, `_objects`, `_pinned`,
`_grammar`.  For simulation: `_familiar` (wrong answers), `_damage` (malformed traces), `simulated`.
"""

from calverify.sampling._damage import DAMAGES
from calverify.sampling._drive import Progress
from calverify.sampling._familiar import familiar_errors, valid_answers
from calverify.sampling._pace import Pace
from calverify.sampling._request import (
    DECODINGS,
    Completion,
    Parameters,
    Passing,
    Refused,
    Reply,
    Request,
    Source,
    ask,
)
from calverify.sampling._run import FROZEN, RunFolder, RunSettings, freeze_run, open_run, prices_of, start_run
from calverify.sampling._sources import SOURCES, source_of
from calverify.sampling._tally import Prices, Tally
from calverify.sampling._weights import WEIGHTS, Weights, cached, digest_of, pull, weights_named
from calverify.sampling.embedded import Embedded
from calverify.sampling.endpoint import OPENAI, Endpoint, is_loopback
from calverify.sampling.retry import GaveUp, Retries, persist
from calverify.sampling.scores import (
    Confidence,
    Judge,
    Rater,
    Rating,
    Reward,
    Scored,
    parse_rating,
    parse_vote,
    score_with,
)
from calverify.sampling.simulated import Kind, SimulatedPolicy

__all__ = [
    "DAMAGES",
    "DECODINGS",
    "FROZEN",
    "OPENAI",
    "SOURCES",
    "WEIGHTS",
    "Completion",
    "Confidence",
    "Embedded",
    "Endpoint",
    "GaveUp",
    "Judge",
    "Kind",
    "Pace",
    "Parameters",
    "Passing",
    "Prices",
    "Progress",
    "Rater",
    "Rating",
    "Refused",
    "Reply",
    "Request",
    "Retries",
    "Reward",
    "RunFolder",
    "RunSettings",
    "Scored",
    "SimulatedPolicy",
    "Source",
    "Tally",
    "Weights",
    "ask",
    "cached",
    "digest_of",
    "familiar_errors",
    "freeze_run",
    "is_loopback",
    "open_run",
    "parse_rating",
    "parse_vote",
    "persist",
    "prices_of",
    "pull",
    "score_with",
    "source_of",
    "start_run",
    "valid_answers",
    "weights_named",
]
