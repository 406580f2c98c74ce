"""What is installed here, and does the checker work: `calverify doctor`."""

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import click

from calverify import SCORER_VERSION, TASKS, __version__, select
from calverify.cli._demo import demo_pool
from calverify.cli._output import FAILED, OK, emit, json_option, paint, say

__all__ = ["doctor_command"]

EXTRAS = {
    "numpy": "intervals: grade, report, theory",
    "httpx2": "sampling from an endpoint: sample, score-with",
    "torch": "reward models and training: score-with reward, train sft",
    "transformers": "reward models and training: score-with reward, train sft",
    "peft": "training: train sft",
    "gguf": "training: train sft",
    "xllamacpp": "the embedded model's runtime: demo, run, model serve",
    "networkx": "graphs to and from networkx",
    "pyagrum": "a peer in `make bench`",
}


def _installed(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _models() -> dict[str, str | None]:
    """Where the weights of each embedded model lie; None where they were never pulled."""
    from calverify.sampling import WEIGHTS, cached

    files = {name: cached(weights, os.environ) for name, weights in WEIGHTS.items()}
    return {name: str(file) if file.is_file() else None for name, file in files.items()}


def _self_test() -> dict[str, bool]:
    """The paper's worked example: scores 6 and 3, and the earliest valid trace of eight is chosen."""
    problem, pool = demo_pool()
    choice = select(problem, [candidate.text for candidate in pool.candidates])
    scores = [verdict.score for verdict in choice.verdicts]
    return {
        "a valid trace scores 6": 6 in scores,
        "a descendant in the set scores 3": scores[0] == 3,
        "the earliest valid trace is chosen": choice.index == scores.index(6),
    }


@click.command("doctor", short_help="Versions, optional parts, and a self-test.")
@json_option
def doctor_command(json: bool) -> int:
    """Report versions and optional parts, and run a self-test.

    \b
    Example:
      calverify doctor --json
    """
    tests = _self_test()
    facts: dict[str, Any] = {
        "calverify": __version__,
        "scorer": SCORER_VERSION,
        "python": platform.python_version(),
        "tasks": sorted(TASKS),
        "extras": {package: _installed(package) for package in EXTRAS},
        "models": _models(),
        "data": os.environ.get("CALVERIFY_DATA"),
        "self_test": tests,
    }
    if json:
        emit(facts)
    else:
        say(f"calverify {facts['calverify']} (scorer {SCORER_VERSION}) on Python {facts['python']}")
        say(f"tasks      {', '.join(facts['tasks'])}")
        for package, use in EXTRAS.items():
            say(f"optional   {package} {facts['extras'][package] or 'not installed'}: {use}")
        for name, file in facts["models"].items():
            say(f"model      {name}: {file or 'not on this machine (calverify model pull fetches it)'}")
        say(f"data       CALVERIFY_DATA is {facts['data'] or 'not set (only tests and benchmarks need it)'}")
        for name, passed in tests.items():
            say(f"self-test  {name}: ", paint("ok", fg="green") if passed else paint("FAILED", fg="red"))
    return OK if all(tests.values()) else FAILED
