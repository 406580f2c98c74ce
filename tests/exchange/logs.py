"""Small logs of each tool, on three problems: w1 (backdoor), w2 (separation) and w3 (a cycle).

`inspect.eval` (packed with Zstandard) and `inspect.json` were written by inspect_ai 0.3.285 from its mock model, with
three epochs and one call that failed; events and tracebacks were taken out.  `samples_causal_sets.jsonl` was written by
lm-eval 0.4.13 from a task with two filters and two repeats.  `traces.jsonl` was written by the record classes of
verifiers 0.4.0.  The others were written by hand in the shape of published files: `results.jsonl` (verifiers before
that), `rollouts.jsonl` (NeMo Gym's example rollouts), `batch_output.jsonl` (OpenAI's reference), `completions.jsonl`
(search-and-learn) and `plain.jsonl`.
"""

import json
from pathlib import Path
from typing import Any

from calverify.archives import Archive, Manifest, archive_of, bytes_of, read_problems
from calverify.exchange import READERS, Imported, Join, Logged, Rejected, import_logs
from calverify.pools import Pool

LOGS = Path(__file__).parent / "logs"
PROBLEMS = read_problems((LOGS / "problems.jsonl").read_bytes(), "problems.jsonl")
FILES = {
    "inspect.eval": "inspect",
    "inspect.json": "inspect",
    "samples_causal_sets.jsonl": "lm-eval",
    "traces.jsonl": "verifiers",
    "results.jsonl": "verifiers",
    "rollouts.jsonl": "nemo-gym",
    "batch_output.jsonl": "openai-batch",
    "completions.jsonl": "search-and-learn",
    "plain.jsonl": "plain",
}


def data_of(name: str) -> bytes:
    return (LOGS / name).read_bytes()


def records_of(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in data_of(name).splitlines()]


def lines(*records: object) -> bytes:
    """JSON Lines as other tools write them: a record that is bytes is a line as it is."""
    return b"".join(
        (record if isinstance(record, bytes) else json.dumps(record).encode()) + b"\n" for record in records
    )


def read(format: str, data: bytes, file: str = "log.jsonl") -> tuple[list[Logged], list[str]]:
    """What the reader of a format yields: the records, and what is said of those that it cannot read."""
    entries = list(READERS[format].read(data, file))
    assert all(isinstance(entry, Logged | Rejected) for entry in entries)
    return [e for e in entries if isinstance(e, Logged)], [str(e) for e in entries if isinstance(e, Rejected)]


def joined(name: str, **how: Any) -> Imported:
    return import_logs({name: data_of(name)}, PROBLEMS, join=Join(**how))


def texts_of(found: Imported) -> dict[str, tuple[str, ...]]:
    """The texts of each pool, by "problem/seed"."""
    return {f"{pool.problem}/{pool.seed}": pool.texts for pool in found.pools}


def archive_with(*pools: Pool, model: str | None = None) -> Archive:
    return archive_of(bytes_of(list(PROBLEMS.values()), list(pools), Manifest("a-policy", model=model)))
