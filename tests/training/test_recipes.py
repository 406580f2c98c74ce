"""Recipes: the paper's numbers, the rate of each step, and what cannot be one."""

from dataclasses import replace

import pytest

from calverify.errors import CalverifyError
from calverify.training import RECIPES, Recipe, recipe_named

PAPER, MINIATURE = RECIPES["paper"], RECIPES["miniature"]


def test_the_paper_s_recipe_is_the_paper_s():
    assert (PAPER.rank, PAPER.alpha, PAPER.rate, PAPER.batch, PAPER.steps) == (64, 128, 5e-5, 16, 1000)
    assert PAPER.modules == ("q_proj", "k_proj", "v_proj", "o_proj")
    assert {PAPER.rate_at(step) for step in range(PAPER.steps)} == {5e-5}


def test_the_rate_rises_then_falls_to_nothing():
    rates = [MINIATURE.rate_at(step) for step in range(MINIATURE.steps + 1)]
    top = MINIATURE.warmup - 1
    assert rates[: top + 1] == pytest.approx(
        [MINIATURE.rate * (step + 1) / MINIATURE.warmup for step in range(top + 1)]
    )
    assert rates[top + 1] == max(rates) == MINIATURE.rate
    assert rates[top + 1 :] == sorted(rates[top + 1 :], reverse=True)
    assert rates[-1] == pytest.approx(0, abs=1e-12)


def test_the_miniature_adapter_is_under_eight_megabytes():
    """In half precision, on SmolLM2-135M: 30 layers of width 576, keys of 192, inner width 1,536."""
    sides = {"q_proj": 576 + 576, "k_proj": 576 + 192, "v_proj": 576 + 192, "o_proj": 576 + 576,
             "gate_proj": 576 + 1536, "up_proj": 576 + 1536, "down_proj": 1536 + 576}  # fmt: skip
    assert 2 * 30 * MINIATURE.rank * sum(sides[module] for module in MINIATURE.modules) < 8_000_000


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"rank": 0}, "rank is 1 or more, not 0"),
        ({"batch": 5, "part": 2}, "a batch of 5 cannot be held in parts of 2"),
        ({"schedule": "linear"}, "a schedule is one of"),
        ({"dtype": "int4"}, "a dtype one of"),
    ],
)
def test_what_is_no_recipe_is_refused(wrong, why):
    with pytest.raises(CalverifyError, match=why):
        replace(MINIATURE, **wrong)


def test_a_recipe_survives_its_record():
    record = MINIATURE.to_json()
    assert Recipe(**{**record, "modules": tuple(record["modules"])}) == MINIATURE


def test_an_unknown_recipe_is_told_what_there_is():
    with pytest.raises(CalverifyError, match="the recipes are paper, miniature, not 'big'"):
        recipe_named("big")
