"""The checker as a reward: for TRL, one number a completion or one function a bit; for verl, one call a completion.

Rule 1: nothing here imports a trainer.  Both shapes are plain functions over texts and problem records.
Rule 2: undetermined is None, which TRL leaves out of the group; it is never a zero.
Rule 3: a problem record has no field in which a reference answer could live, so no reward can leak one.
Rule 4: canaries go through the same function as the policy's own texts, and what they gain is logged.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from statistics import fmean
from typing import Any

from calverify.errors import BudgetError, CalverifyError
from calverify.names import brief
from calverify.problem import Problem
from calverify.records import read_strict_json
from calverify.scoring import Verdict, checker_for
from calverify.traces import SLOTS, parse
from calverify.training._canaries import HONEST, canaries_of

__all__ = ["BIT_REWARDS", "calverify_reward", "canary_rewards", "compute_score", "valid_diversity"]

Reward = Callable[..., list[float | None]]


def calverify_reward(
    prompts: Sequence[Any], completions: Sequence[Any], completion_ids: Any = None, *, problem: Sequence[Any], **kw: Any
) -> list[float | None]:
    """The share of the six bits that hold, a completion each; None where undetermined.

    `problem` is a column of the data set: problem records, best as JSON texts.  TRL's `log_extra` and `log_metric`, if
    they are among the other keywords, are told what `metrics` counts.
    """
    problems, verdicts = _judged(completions, problem)
    if kw.get("log_extra") is not None:
        kw["log_extra"]("calverify_score", [verdict.score for verdict in verdicts])
        kw["log_extra"]("calverify_why", [verdict.why for verdict in verdicts])
    if kw.get("log_metric") is not None:
        for name, value in _metrics(problems, verdicts, [_text(one) for one in completions]).items():
            kw["log_metric"](f"calverify/{name}", value)
    return [_whole(verdict) for verdict in verdicts]


def _bit_reward(slot: str) -> Reward:
    def bit(
        prompts: Sequence[Any], completions: Sequence[Any], completion_ids: Any = None, *, problem: Any, **kw: Any
    ) -> list[float | None]:
        _, verdicts = _judged(completions, problem)
        return [None if verdict.undetermined else float(verdict.bits[slot] or 0) for verdict in verdicts]

    bit.__name__ = bit.__qualname__ = f"calverify_{slot}"  # what TRL calls it in its tables
    bit.__doc__ = f"1 where the bit {slot!r} of a completion holds, else 0; None where undetermined."
    return bit


BIT_REWARDS: dict[str, Reward] = {slot: _bit_reward(slot) for slot in SLOTS}


def compute_score(
    data_source: str,
    solution_str: str,
    ground_truth: Any,
    extra_info: Mapping[str, Any] | None = None,
    undetermined: float | None = None,
    **kw: Any,
) -> dict[str, float]:
    """verl's shape: `ground_truth` is the problem record, or `extra_info["problem"]` where that is there.

    verl cannot leave a completion out, so what an undetermined one counts has to be said, as `undetermined` among
    its reward_kwargs; otherwise it is refused here.
    """
    stated = (extra_info or {}).get("problem", ground_truth)
    verdict = checker_for(_problem(stated))(_text(solution_str))
    score = _whole(verdict)
    if score is None:
        if undetermined is None:
            raise BudgetError(f"{verdict.why}; verl needs a number: state what it counts in reward_kwargs.undetermined")
        score = undetermined
    bits = {f"bit_{slot}": float(bit or 0) for slot, bit in verdict.bits.items()}
    return {"score": score, **bits, "undetermined": float(verdict.undetermined is not None)}


def canary_rewards(problem: Problem, reward: Reward = calverify_reward) -> dict[str, float | None]:
    """What `reward` pays for traces of this problem that are known to be invalid, the honest one among them."""
    texts = canaries_of(problem)
    paid = reward([""] * len(texts), list(texts.values()), problem=[problem] * len(texts))
    return dict(zip(texts, paid, strict=True))


def valid_diversity(problems: Sequence[Problem], verdicts: Sequence[Verdict]) -> float | None:
    """Different valid answers a problem, over the problems that have a valid trace; None where none has.

    A policy that falls back on one answer it knows to be right is paid as before, and this number falls to 1.
    """
    found: dict[str, set[str]] = defaultdict(set)
    for problem, verdict in zip(problems, verdicts, strict=True):
        if verdict.bits["answer"]:
            found[problem.id].add(json.dumps(verdict.answer, sort_keys=True))
    return fmean(map(len, found.values())) if found else None


# ---------------------------------------------------------------- what a batch is


def _judged(completions: Sequence[Any], problem: Sequence[Any]) -> tuple[list[Problem], list[Verdict]]:
    if isinstance(problem, str | Mapping | Problem) or len(problem) != len(completions):
        count = "one" if isinstance(problem, str | Mapping | Problem) else f"{len(problem):,}"
        raise CalverifyError(
            f"the column 'problem' needs a record a completion: {count} for {len(completions):,} completions"
        )
    problems = [_problem(stated) for stated in problem]
    verdicts = [checker_for(asked)(_text(said)) for asked, said in zip(problems, completions, strict=True)]
    return problems, verdicts


def _problem(stated: Any) -> Problem:
    """The problem of a record; the same record gives the same problem, compiled once."""
    if isinstance(stated, Problem):
        return stated
    if isinstance(stated, str):
        return _read(stated)
    if isinstance(stated, Mapping):
        return _read(json.dumps(stated, ensure_ascii=False))
    raise CalverifyError(f"a reward needs a problem record, as JSON text, not {brief(stated)}")


@lru_cache(maxsize=4096)
def _read(text: str) -> Problem:
    return Problem.from_json(read_strict_json(text))


def _text(said: Any) -> str:
    """What a completion says: a text, or everything that the assistant says in a chat, one message after another."""
    if isinstance(said, str):
        return said
    if isinstance(said, Sequence) and all(isinstance(turn, Mapping) for turn in said):
        spoken = [turn.get("content") for turn in said if turn.get("role", "assistant") == "assistant"]
        return "\n".join(_content(content) for content in spoken)
    raise CalverifyError(f"a completion is a text or a list of messages, not {brief(said)}")


def _content(content: Any) -> str:
    """The text of a message: a text, parts of which some hold text, or none where a tool was called."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "".join(str(part.get("text", "")) for part in parts if isinstance(part, Mapping))


# ---------------------------------------------------------------- numbers


def _whole(verdict: Verdict) -> float | None:
    return None if verdict.score is None else verdict.score / len(SLOTS)


def _metrics(problems: Sequence[Problem], verdicts: Sequence[Verdict], texts: Sequence[str]) -> dict[str, float]:
    """Shares of a batch, the diversity of its valid answers, and the most that a canary gains over honesty."""
    if not verdicts:
        return {}
    found = {
        "valid": fmean(bool(verdict.bits["answer"]) for verdict in verdicts),
        "six_slots": fmean(not parse(text).faults for text in texts),
        "conflicting": fmean(len(set(parse(text).answers)) > 1 for text in texts),
        "undetermined": fmean(verdict.undetermined is not None for verdict in verdicts),
    }
    diversity = valid_diversity(problems, verdicts)
    if diversity is not None:
        found["valid_answers_a_problem"] = diversity
    gains = [gain for problem in {each.id: each for each in problems}.values() for gain in _gains(problem)]
    if gains:
        found["canary_gain"] = max(gains)  # above 0, the reward can be hacked: stop, and tell us
    return found


def _gains(problem: Problem) -> list[float]:
    paid = canary_rewards(problem)
    honest = paid.pop(HONEST, None)
    return [] if honest is None else [reward - honest for reward in paid.values() if reward is not None]
