"""Every verdict on a random (graph, task, answer) triple is rechecked, and is what the definition says."""

from collections import Counter
from random import Random

import pytest

from calverify.recheck import recheck
from tests.recheck.brute import is_valid
from tests.recheck.draws import ROWS, random_proof


def every_verdict_rechecks(each: int, seed: int) -> Counter[tuple[str, bool]]:
    seen: Counter[tuple[str, bool]] = Counter()
    for row, (task, kind) in enumerate(ROWS):
        rng = Random(seed * 1_000 + row)
        for _ in range(each):
            record = random_proof(rng, task, kind)
            assert recheck(record) is None, record
            assert is_valid(record) is record["valid"], record
            seen[task, record["valid"]] += 1
    return seen


def test_verdicts_of_every_task_recheck():
    """Valid and invalid answers of every task."""
    seen = every_verdict_rechecks(each=9, seed=1)
    assert sum(seen.values()) >= 400
    assert (
        {task for task, valid in seen if valid} == {task for task, valid in seen if not valid} == {t for t, _ in ROWS}
    )


@pytest.mark.property
def test_5000_verdicts_recheck():
    assert sum(every_verdict_rechecks(each=5_000 // len(ROWS) + 1, seed=2).values()) >= 5_000
