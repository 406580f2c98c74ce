"""Which examples a step sees, how long it is said to take, and the drawing of the losses: nothing here needs torch."""

import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import replace

import pytest

from calverify.training import RECIPES, Size, estimate, order_of, work_of
from calverify.training._losses import losses_svg
from calverify.training._policy import Encoded

SIZE = Size(layers=30, width=576, inner=1536, words=49152, weights=134_515_008, trained=3_663_360)
DATA = [Encoded(tuple(range(400)), 300), Encoded(tuple(range(600)), 400)]


def test_every_example_is_seen_once_a_turn_across_the_ends_of_batches():
    seen = [at for step in range(10) for at in order_of(0, 5, step, 3)]
    turns = [seen[place : place + 5] for place in range(0, 30, 5)]
    assert all(Counter(turn) == Counter(range(5)) for turn in turns)
    assert len({tuple(turn) for turn in turns}) > 1


def test_the_order_hangs_on_seed_and_step_alone():
    assert order_of(0, 50, 7, 4) == order_of(0, 50, 7, 4) != order_of(1, 50, 7, 4)


def test_a_batch_may_be_larger_than_the_data():
    assert Counter(order_of(0, 2, 0, 5)).total() == 5


def test_the_work_is_counted_by_hand():
    """A model of ten weights, six of them the embedding of three words: four are used by each token."""
    size = Size(layers=1, width=2, inner=2, words=3, weights=10, trained=1)
    assert work_of(size, tokens=5, learned=2) == 4 * (4 * 5 + 6 * 2)


def test_the_estimate_grows_with_what_is_asked():
    recipe = RECIPES["miniature"]
    guess = estimate(SIZE, recipe, DATA, speed=1e11)
    assert (guess.tokens, guess.learned) == (500, 150)
    twice = estimate(SIZE, replace(recipe, steps=2 * recipe.steps), DATA, speed=1e11)
    assert twice.seconds == pytest.approx(2 * guess.seconds)
    assert estimate(SIZE, recipe, DATA, speed=2e11).seconds == pytest.approx(guess.seconds / 2)
    less = estimate(SIZE, replace(recipe, part=1), DATA, speed=1e11)
    assert less.bytes < guess.bytes
    assert less.seconds == guess.seconds


@pytest.mark.parametrize("losses", [[], [0.5], [2.0, 1.0, 0.25]])
def test_the_drawing_has_a_dot_a_step_inside_its_frame(losses):
    root = ET.fromstring(losses_svg(losses, "Losses <of> a & b"))
    space = "{http://www.w3.org/2000/svg}"
    assert root.findtext(f"{space}title") == "Losses <of> a & b"
    spots = [(float(dot.get("cx")), float(dot.get("cy"))) for dot in root.iter(f"{space}circle")]
    assert len(spots) == len(losses)
    assert all(0 < x < 640 and 0 < y < 360 for x, y in spots)
    assert [y for _, y in spots] == sorted(y for _, y in spots)
