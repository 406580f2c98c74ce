"""What a benchmark writes, as one digest: generators are the same byte for byte, everywhere and in every version."""

from hashlib import sha256

from calverify.benchmarks import Corpus
from calverify.records import write_lines


def digest(corpus: Corpus) -> str:
    problems = write_lines([item.problem.to_json() for item in corpus.items], "problems.jsonl")
    keys = write_lines([item.key.to_json() for item in corpus.items], "keys.jsonl")
    return sha256(problems + keys).hexdigest()[:16]
