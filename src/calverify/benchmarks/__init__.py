"""Benchmarks: data sets and generated suites as problems and keys, one file each.

The import list below is the table of contents; the file name is the registered name.  Reading order: `_data` (a folder
of data, read with suspicion), `_item` (what a benchmark is), `_audit` (published keys, recomputed), then any one.
"""

from calverify.benchmarks import (
    adjustment,
    ate,
    bnlearn,
    cg2llm,
    ci_bench,
    cladder,
    clear,
    construction,
    corr2cause,
    identification,
    memkk,
    miniature,
    prose,
)
from calverify.benchmarks._audit import Tally, by_predicate, findings_of, tallies
from calverify.benchmarks._data import DataFolder, field
from calverify.benchmarks._fetch import fetch, wanted
from calverify.benchmarks._item import (
    BENCHMARKS,
    Benchmark,
    Corpus,
    Finding,
    Item,
    Origin,
    Remote,
    Subset,
    adapter,
    audits,
    find_benchmark,
    generated,
)
from calverify.benchmarks._round_trip import (
    LEVELS,
    RELAXED,
    STRICT,
    faithfulness,
    read_reply,
    reading_prompt,
    stated_edges,
    writing_prompt,
)

__all__ = [
    "BENCHMARKS",
    "LEVELS",
    "RELAXED",
    "STRICT",
    "Benchmark",
    "Corpus",
    "DataFolder",
    "Finding",
    "Item",
    "Origin",
    "Remote",
    "Subset",
    "Tally",
    "adapter",
    "adjustment",
    "ate",
    "audits",
    "bnlearn",
    "by_predicate",
    "cg2llm",
    "ci_bench",
    "cladder",
    "clear",
    "construction",
    "corr2cause",
    "faithfulness",
    "fetch",
    "field",
    "find_benchmark",
    "findings_of",
    "generated",
    "identification",
    "memkk",
    "miniature",
    "prose",
    "read_reply",
    "reading_prompt",
    "stated_edges",
    "tallies",
    "wanted",
    "writing_prompt",
]
