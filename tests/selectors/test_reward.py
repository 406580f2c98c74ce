"""Stored scores of this name, by the rules that all of them keep."""

import pytest

from tests.selectors.stored import STORED_ROWS, stored_rules


@pytest.mark.parametrize("ratings, index", [row[1:] for row in STORED_ROWS], ids=[row[0] for row in STORED_ROWS])
def test_reward(ratings, index):
    stored_rules("reward", ratings, index)
