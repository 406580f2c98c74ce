"""Stored scores: exact as they were written, and never a 0 for a rating that is not there."""

import pytest

from tests.selectors.stored import STORED_ROWS, stored_rules


@pytest.mark.parametrize("ratings, index", [row[1:] for row in STORED_ROWS], ids=[row[0] for row in STORED_ROWS])
def test_confidence(ratings, index):
    stored_rules("confidence", ratings, index)
