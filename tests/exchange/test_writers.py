"""What a writer writes, the reader of that format reads back to the same pools."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calverify.exchange import WRITERS, Join, detect, find_writer, import_logs
from tests.exchange.logs import PROBLEMS, archive_with
from tests.views import pool_of

W1, W2, _ = PROBLEMS.values()
RATED = [{"prm": 0.5, "judge": 7}, {"prm": 1, "judge": None}]
POOLS = (
    pool_of(W1, ["ANSWER: {U}", ""], RATED, seed=1),
    pool_of(W1, ["naïve \u2028 \x85 \ud800 \x00 \r\n text"], seed=7),
    pool_of(W2, ["{U}", "<think>\nso\n</think>\nANSWER: B", "{U}"], seed=0),
)


def back(format, archive, **how):
    data = find_writer(format)(archive)
    return import_logs({"log": data}, PROBLEMS, format=format, join=Join(**how))


@pytest.mark.parametrize("format", WRITERS)
def test_round_trip(format):
    """Problems, seeds, order and every letter; two runs write the same bytes."""
    archive = archive_with(*POOLS, model="a-model")
    found = back(format, archive)
    assert [(pool.problem, pool.seed, pool.texts) for pool in found.pools] == [
        (pool.problem, pool.seed, pool.texts) for pool in POOLS
    ]
    assert found.rejected == ()
    assert find_writer(format)(archive) == find_writer(format)(archive)


@pytest.mark.parametrize("format", WRITERS)
def test_what_is_written_is_known(format):
    assert detect(find_writer(format)(archive_with(*POOLS)), "log") == format


def test_stored_scores_come_back_from_the_formats_that_hold_them():
    names = {"prm": "prm", "judge": "judge"}
    archive = archive_with(POOLS[0])
    assert back("plain", archive, ratings=names).pools == archive.pools
    only = back("search-and-learn", archive, ratings={"scores": "prm"}).pools[0]
    assert [candidate.scores for candidate in only.candidates] == [{"prm": 0.5}, {"prm": 1}]


@pytest.mark.parametrize("format", WRITERS)
def test_an_archive_without_pools(format):
    """Is written, and holds nothing."""
    data = find_writer(format)(archive_with())
    from calverify.exchange import READERS

    assert list(READERS[format].read(data, "log")) == []


TEXT = st.text(st.characters(exclude_categories=[]), max_size=20).filter(
    lambda text: not any("\ud800" <= a <= "\udbff" and "\udc00" <= b <= "\udfff" for a, b in pairwise(text))
)


@settings(max_examples=60)
@given(st.sampled_from(list(WRITERS)), st.lists(TEXT, min_size=1, max_size=4), st.integers(-5, 5))
def test_any_text_comes_back(format, texts, seed):
    """Whatever a model wrote, lone surrogates and control characters too."""
    found = back(format, archive_with(pool_of(W1, texts, seed=seed)))
    assert [(pool.seed, pool.texts) for pool in found.pools] == [(seed, tuple(texts))]
