"""The shelf and the view: names, what is refused, and what every selector keeps to."""

from pathlib import Path
from random import Random

import pytest

import calverify as cv
from calverify.pools import SCORE_NAMES, Candidate, Pool
from calverify.selectors import find_selector, numbers_of, verdicts_on
from tests.drawn_pools import CASES, KINDS, PROBLEM, VERDICTS, draw, drawn
from tests.views import pool_of

SOURCE = Path(cv.__file__).parent / "selectors"
NAMES = {
    "first", "plurality", "medoid", "confidence", "reward", "judge", "prm", "structure_only", "calver", "provable",
    "verified_plurality", "cross_validity", "soft_consistency",
}  # fmt: skip


def test_the_names():
    assert set(cv.SELECTORS) == NAMES
    assert set(SCORE_NAMES) <= NAMES


@pytest.mark.parametrize("name", sorted(NAMES))
def test_each_has_a_file_of_its_name_a_docstring_and_a_test(name):
    module = SOURCE / f"{name}.py"
    assert module.is_file()
    assert cv.SELECTORS[name].__module__ == f"calverify.selectors.{name}"
    assert cv.SELECTORS[name].__doc__
    assert (Path(__file__).parent / f"test_{name}.py").is_file()


@CASES
@pytest.mark.parametrize("name", sorted(NAMES))
def test_what_every_selector_keeps_to(name, count):
    """One exact number a candidate, None for those that do not stand, and the same again."""
    rng = Random(f"{name} rules")
    for _ in range(count // 10):
        pool = draw(rng)
        found = numbers_of(name, pool.view)
        assert len(found) == len(pool.names)
        assert all(number is None for number, stands in zip(found, pool.view.stands, strict=True) if not stands)
        twin = cv.View(PROBLEM, pool.view.pool, pool.view.verdicts, pool.view.admission)
        assert numbers_of(name, twin) == found
        cv.earliest_max(found)  # refuses a float


def test_a_selector_that_nobody_put_up():
    with pytest.raises(cv.CalverifyError, match="no selector 'luck' is on the shelf; there are calver, "):
        find_selector("luck")
    with pytest.raises(cv.CalverifyError, match="luck"):
        cv.choose(drawn(["whole U"]).view, "luck")


def test_a_name_is_taken_once():
    with pytest.raises(cv.CalverifyError, match="registered twice"):
        cv.selector("first")(lambda view: [])
    assert cv.SELECTORS["first"].__module__ == "calverify.selectors.first"


def test_a_selector_gives_one_number_a_candidate(monkeypatch):
    monkeypatch.setitem(cv.SELECTORS._entries, "short", lambda view: [1])
    with pytest.raises(cv.CalverifyError, match="'short' gives 1 numbers for 2 candidates"):
        cv.choose(drawn(["whole U", "whole U"]).view, "short")


@pytest.mark.parametrize("number", ["6", (1,), 1 + 0j])
def test_a_number_is_an_integer_or_a_fraction(number):
    with pytest.raises(cv.CalverifyError, match="score 1 is"):
        cv.earliest_max([1, number])


def test_a_view_of_other_things():
    pool = pool_of(PROBLEM, [KINDS["whole U"].text])
    with pytest.raises(cv.CalverifyError, match="of problem 'other', not of 'w'"):
        cv.view_of(PROBLEM, Pool("other", 0, pool.candidates))
    with pytest.raises(cv.CalverifyError, match="2 verdicts on 1 candidates"):
        cv.View(PROBLEM, pool, (VERDICTS["whole U"],) * 2)
    with pytest.raises(cv.CalverifyError, match="admissible, all"):
        cv.view_of(PROBLEM, pool, "some")
    with pytest.raises(cv.CalverifyError, match="no stored score is called 'gold'"):
        cv.view_of(PROBLEM, pool).stored("gold")


def test_a_view_shows_the_problem_the_pool_and_the_verdicts_alone():
    """What a selector can reach has no field for a reference answer."""
    assert set(cv.View.__dataclass_fields__) == {"problem", "pool", "verdicts", "admission"}
    assert set(Pool.__dataclass_fields__) == {"problem", "seed", "candidates"}
    assert set(Candidate.__dataclass_fields__) == {"index", "text", "scores"}


def test_verdicts_are_those_of_the_checker():
    names = ["whole U", "said ['M']", "prose"]
    assert verdicts_on(PROBLEM, [KINDS[name].text for name in names]) == tuple(VERDICTS[name] for name in names)
