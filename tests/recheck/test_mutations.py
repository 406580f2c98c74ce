"""Damaged proofs are refused, all of them, unless the damage made another true proof, which brute force decides."""

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from calverify.recheck import recheck
from tests.recheck.brute import is_true_proof
from tests.recheck.draws import FORM_ROWS, ROWS, random_proof
from tests.recheck.mutations import mutated


def damage(rows: Sequence[tuple[str, ...]], each: int, seed: int) -> Counter[str]:
    """What became of `each` mutations of the proofs of every row."""
    became: Counter[str] = Counter()
    for place, row in enumerate(rows):
        rng = Random(seed * 1_000 + place)
        records = [random_proof(rng, *row) for _ in range(min(12, each))]
        for _ in range(each):
            record = rng.choice(records)
            while (changed := mutated(rng, record, records)) == record or {**changed, "why": ""} == {
                **record,
                "why": "",
            }:
                pass
            refusal = recheck(changed)
            if refusal is None:
                assert is_true_proof(changed), (record, changed)
            became["refused" if refusal else "true"] += 1
    return became


def test_damaged_proofs_are_refused():
    """One change each, in the proofs of every task."""
    became = damage(ROWS, each=34, seed=1)
    assert became.total() >= 1_500
    assert became["refused"] > 10 * became["true"]


def test_damaged_proofs_in_every_form_are_refused():
    became = damage(FORM_ROWS, each=3, seed=1)
    assert became.total() >= 700
    assert became["refused"] > 4 * became["true"]


@pytest.mark.property
def test_20000_damaged_proofs_are_refused():
    assert damage(ROWS, each=20_000 // len(ROWS) + 1, seed=2).total() >= 20_000


@pytest.mark.property
def test_20000_damaged_proofs_in_other_forms_are_refused():
    assert damage(FORM_ROWS, each=20_000 // len(FORM_ROWS) + 1, seed=2).total() >= 20_000


def test_the_judge_of_damage_accepts_what_is_whole():
    """Else it would call every mutation false."""
    for place, row in enumerate([*ROWS, *FORM_ROWS]):
        rng = Random(place)
        for _ in range(6 if len(row) == 2 else 1):
            record = random_proof(rng, *row)
            assert is_true_proof(record), record
