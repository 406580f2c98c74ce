"""Every verdict on a random (graph, task, answer) triple is rechecked, and is what the definition says."""

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from calverify.recheck import recheck
from tests.recheck.brute import is_valid
from tests.recheck.draws import FORM_ROWS, ROWS, random_proof


def every_verdict_rechecks(rows: Sequence[tuple[str, ...]], each: int, seed: int) -> Counter[tuple[str, bool]]:
    """How many proofs there were of each task or form, valid and invalid."""
    seen: Counter[tuple[str, bool]] = Counter()
    for place, row in enumerate(rows):
        rng = Random(seed * 1_000 + place)
        for _ in range(each):
            record = random_proof(rng, *row)
            assert recheck(record) is None, record
            assert is_valid(record) is record["valid"], record
            seen[row[-1] if len(row) == 3 else row[0], record["valid"]] += 1
    return seen


def both_sorts(seen: Counter[tuple[str, bool]], names: set[str]) -> bool:
    return {name for name, valid in seen if valid} == {name for name, valid in seen if not valid} == names


def test_verdicts_of_every_task_recheck():
    """Valid and invalid answers of every task."""
    seen = every_verdict_rechecks(ROWS, each=9, seed=1)
    assert sum(seen.values()) >= 500
    assert both_sorts(seen, {task for task, _ in ROWS})


def test_verdicts_in_every_form_recheck():
    seen = every_verdict_rechecks(FORM_ROWS, each=1, seed=1)
    assert both_sorts(seen, {form for _, _, form in FORM_ROWS})


@pytest.mark.property
def test_5000_verdicts_recheck():
    assert sum(every_verdict_rechecks(ROWS, each=5_000 // len(ROWS) + 1, seed=2).values()) >= 5_000


@pytest.mark.property
def test_5000_verdicts_in_other_forms_recheck():
    assert sum(every_verdict_rechecks(FORM_ROWS, each=5_000 // len(FORM_ROWS) + 1, seed=2).values()) >= 5_000
